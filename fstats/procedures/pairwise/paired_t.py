"""Paired t-test."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ...core.classifier_pair import PairedScores, TwoClassifierTest, directed_step
from ...core.numerics.floating_point_ties import noise_free_difference
from ...core.numerics.sums_of_squares import standard_deviation
from ...core.numerics.zero_division import ratio, square_root
from ...core.rejection_region import SYMMETRIC_TAILS
from ...core.step import input_field, step
from ...core.validation import check
from ...core.value_types import Array, ScoresLike, Value
from ...distributions.continuous_distributions import StudentT
from .confidence_interval import no_spread_note, t_interval


class PairedT(PairedScores, TwoClassifierTest):
    r"""Paired t-test: do two classifiers differ in mean score over the same independent data sets?

    Origin: published, Student (1908).

    The mean of the differences :math:`d_i = s_{A,i} - s_{B,i}` is divided by its standard error,

    .. math:: t = \frac{\bar d}{s_d / \sqrt n}, \qquad s_d = \sqrt{\frac{1}{n-1} \sum_i (d_i - \bar d)^2},

    and t is compared with Student's t distribution with n - 1 degrees of freedom.

    Parameters
    ----------
    a, b : array_like, shape (n,) or (n, ...)
        Scores of the classifiers on the same n >= 2 data sets, in the same order, in any unit.  Each further axis holds independent
        repetitions; each repetition is a separate test.  A single list holds the differences A - B, and the test begins with `d`.  One
        table of two columns, or a dictionary of two lists, holds both scores.
    labels : list of str, optional
        Names of the two classifiers, A first, for sentences and column headings; by default the names of two pandas Series, or A and B.
    higher_is_better : bool
        False for errors and losses.  With False, each difference is B minus A, so that a positive difference still means that A is
        better.
    metric, unit : str
        Name of the metric, such as "RMSE", and name of the unit of analysis, such as "seed"; both are used in sentences.
    alternative : {"two-sided", "greater", "less"}
        "greater" claims that A is better (true mean difference above 0), "less" that A is worse.
    alpha : float
        Level; H0 is rejected if and only if ``pvalue <= alpha``.

    Notes
    -----
    The differences should be independent and roughly normal; scores of overlapping cross-validation folds are not independent.  Equal
    differences and differences of 0 need no special treatment.  Differences that are distinct only by rounding noise count as equal (as
    in :class:`fstats.SignedRank`).  If all differences are 0, then t = 0 and p = 1 (one-sided 0.5, as for any t = 0).  If all differences
    have the same value other than 0, t is infinite and p = 0.  In no other case is p = 0.  `remark` explains both cases.

    Raises
    ------
    ValueError, TypeError
        If the lengths differ, there are fewer than two data sets, a pandas index repeats a data set (see
        :func:`fstats.average_folds`), a value is not a finite number, the alternative is unknown, or the level is outside (0, 1).

    References
    ----------
    Student (1908), The probable error of a mean, Biometrika 6, section IX.  Demsar (2006), Statistical comparisons of classifiers
    over multiple data sets, JMLR 7, section 3.1.2.  Course slides T7, slides "Parametric case: the paired t-test" and
    "Formulation".

    Examples
    --------
    Data of the course: d = -2, 2, -6, 3, 0 has mean -3/5 and sum of squared deviations 51.2, so
    t = -0.6 / sqrt(51.2 / 4 / 5) = -0.6 / 1.6.

    >>> import fstats
    >>> test = fstats.PairedT([85, 70, 79, 78, 83], [87, 68, 85, 75, 83])
    >>> print(round(test.statistic, 3), round(test.pvalue, 3), round(test.critical_value, 3), test.reject)
    -0.375 0.727 2.776 False
    """

    tails = SYMMETRIC_TAILS
    parameter = r"\mu_d"
    compares = "mean score"
    in_report: ClassVar[Mapping[str, str]] = {"sd": "standard deviation of the differences {}"}
    estimated_by = "mean"

    a: ScoresLike = input_field("s_A", "Scores of classifier A.", over="i", check=check.scores, unit="score")
    b: ScoresLike = input_field("s_B", "Scores of classifier B, paired with A's.", over="i", check=check.scores, like="a", unit="score")

    @directed_step("d_i", "$a - $b", over="i", check=check.scores, unit="score")
    def d(self) -> Array:
        """Difference on each data set; positive if A is better."""
        return noise_free_difference(*self.terms)

    @step("n", r"\#\{i : $d\}", check=check.count(2))
    def n(self) -> int:
        """Number of data sets."""
        return len(self.d)

    @step(r"\bar d", r"\frac{1}{$n} \sum_i $d", unit="score")
    def mean(self) -> Value:
        """Mean difference."""
        return self.d.sum(0) / self.n

    @step("s_d", r"\sqrt{\frac{1}{$n - 1} \sum_i ($d - $mean)^2}", check=check.nonnegative, unit="score")
    def sd(self) -> Value:
        """Standard deviation of the differences, with n - 1 because the mean was estimated from the same data."""
        return standard_deviation(self.d, self.mean, self.n - 1)

    @step(r"\mathrm{SE}", r"\frac{$sd}{\sqrt{$n}}", check=check.nonnegative, unit="score")
    def se(self) -> Value:
        """Standard error: standard deviation of the mean difference over repeated samples."""
        return self.sd / square_root(self.n)

    @step("t", r"\frac{$mean}{$se}")
    def statistic(self) -> Value:
        """Mean difference divided by the standard error."""
        return ratio(self.mean, self.se)

    @step(r"\nu", "$n - 1", check=check.count(1))
    def df(self) -> int:
        """Degrees of freedom: n - 1, because the mean is estimated."""
        return self.n - 1

    @step("T_0", r"t_{$df}", relation=r"\sim")
    def null(self) -> StudentT:
        """Distribution of t under H0: the true mean difference is 0."""
        return StudentT(self.df)

    ci = t_interval("mean", "Confidence interval: the true mean differences that this test would not reject at the same alpha.")

    @step("d_z", r"\frac{$mean}{$sd}", after=True)
    def effect_size(self) -> Value:
        """Cohen's d_z: mean difference in standard deviations of the differences; does not depend on the sample size n."""
        return ratio(self.mean, self.sd)

    @property
    def remark(self) -> str:
        """Explanation of the result for degenerate data."""
        return no_spread_note(self, "mean", "All differences are 0", "All differences are {}")
