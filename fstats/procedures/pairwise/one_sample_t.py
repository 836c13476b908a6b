"""The one-sample t-test."""

from __future__ import annotations

from ...core.hypothesis import HypothesisTest, format_confidence_interval
from ...core.number_format import format_plain, format_range
from ...core.numerics.floating_point_ties import round_noise_to_zero
from ...core.numerics.sums_of_squares import standard_deviation
from ...core.numerics.zero_division import ratio, square_root
from ...core.rejection_region import SYMMETRIC_TAILS
from ...core.step import input_field, step
from ...core.validation import check
from ...core.value_types import ScoresLike, Value
from ...distributions.continuous_distributions import StudentT
from .confidence_interval import no_spread_note, t_interval


class OneSampleT(HypothesisTest):
    r"""One-sample t-test: is a classifier's mean score over independent data sets a given value?

    .. math:: t = \frac{\bar x - \mu_0}{s / \sqrt n}

    Parameters
    ----------
    x : array_like, shape (n,) or (n, ...)
        Scores on n >= 2 data sets.  Further axes are independent repetitions.
    mu : float
        The value that the mean is compared with, such as the accuracy of guessing.
    alternative : {"two-sided", "greater", "less"}
        "greater" claims that the true mean is above mu, "less" that it is below.
    alpha : float
        Level; H0 is rejected if and only if ``pvalue <= alpha``.

    Notes
    -----
    The scores should be independent and roughly normal.  Without any spread t is 0 (mean = mu, p = 1) or infinite; `remark`
    says so.  The paired t-test is this test on the differences.

    Raises
    ------
    ValueError, TypeError
        For fewer than two scores, anything but finite numbers, an unknown alternative, a level outside (0, 1).

    References
    ----------
    Student (1908), The probable error of a mean, Biometrika 6, section IX.

    Examples
    --------
    Mean 2, deviations -1, 0, 1: t = (2 - 1) / (1 / sqrt(3)).

    >>> import fstats
    >>> test = fstats.OneSampleT([1, 2, 3], mu=1)
    >>> print(round(test.statistic, 4), test.df, round(test.pvalue, 4))
    1.7321 2 0.2254
    """

    tails = SYMMETRIC_TAILS
    parameter = r"\mu - \mu_0"
    estimated_by = "mean"
    unproven_claim = "that it is exactly that"

    x: ScoresLike = input_field("x_i", "Scores of the classifier.", over="i", check=check.scores_for_mean, unit="score")
    mu: float = input_field(r"\mu_0", "The value that the mean is compared with.", check=check.number, default=0.0, unit="score")

    @step("n", r"\#\{i : $x\}", check=check.count(2))
    def n(self) -> int:
        """Number of data sets."""
        return len(self.x)

    @step(r"\bar x", r"\frac{1}{$n} \sum_i $x", unit="score")
    def mean(self) -> Value:
        """Mean score."""
        return self.x.sum(0) / self.n

    @step("s", r"\sqrt{\frac{1}{$n - 1} \sum_i ($x - $mean)^2}", check=check.nonnegative, unit="score")
    def sd(self) -> Value:
        """Standard deviation of the scores, with n - 1 because the mean was estimated from the same data."""
        return standard_deviation(self.x, self.mean, self.n - 1)

    @step(r"\mathrm{SE}", r"\frac{$sd}{\sqrt{$n}}", check=check.nonnegative, unit="score")
    def se(self) -> Value:
        """Standard error: how far the mean strays from the true one by chance."""
        return self.sd / square_root(self.n)

    @step("D", "$mean - $mu", unit="score")
    def difference(self) -> Value:
        """How far the mean is from the given value."""
        return round_noise_to_zero(self.mean - self.mu, self.mean)

    @step("t", r"\frac{$difference}{$se}")
    def statistic(self) -> Value:
        """How many standard errors separate the mean from the given value."""
        return ratio(self.difference, self.se)

    @step(r"\nu", "$n - 1", check=check.count(1))
    def df(self) -> int:
        """Degrees of freedom: n scores, one spent on their mean."""
        return self.n - 1

    @step("T_0", r"t_{$df}", relation=r"\sim")
    def null(self) -> StudentT:
        """Distribution of t under H0: the true mean is the given value."""
        return StudentT(self.df)

    ci = t_interval("mean", "Confidence interval: the true means that this test would not reject at the same alpha.")

    @step("d", r"\frac{$difference}{$sd}", after=True)
    def effect_size(self) -> Value:
        """Cohen's d: the distance from the given value in standard deviations, free of n."""
        return ratio(self.difference, self.sd)

    @property
    def claim(self) -> str:
        """The alternative hypothesis in words."""
        way = {"two-sided": "differs from", "greater": "is above", "less": "is below"}[self.alternative]
        return f"that the mean score {way} {format_range(self.mu)}"

    @property
    def finding(self) -> str:
        """What a rejection shows: on which side of the given value the mean lies, and what it is estimated to be."""
        above = {"greater": 1, "less": -1}.get(self.alternative) or self.get_or_default("statistic", 0)
        if not above:
            return self.claim
        mean = self.get_or_default("mean", None)
        at = "" if mean is None else f", at {format_plain(mean)}"
        return f"that the mean score is {'above' if above > 0 else 'below'} {format_range(self.mu)}{at}"

    @property
    def interval_text(self) -> str:
        """What the true mean score may be."""
        return format_confidence_interval(self.get_or_default("ci", None), self.alpha)

    @property
    def remark(self) -> str:
        """Why degenerate data are answered as they are."""
        return no_spread_note(
            self, "difference", "All scores are equal to the given value", "All scores are equal, and {} away from the given value"
        )
