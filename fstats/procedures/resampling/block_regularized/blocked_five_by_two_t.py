"""The t-test on the ten tables of a block-regularized 5x2 cross-validation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy import sqrt

from ....core.numerics.floating_point_ties import round_noise_to_zero
from ....core.numerics.sums_of_squares import standard_deviation
from ....core.numerics.zero_division import product, ratio
from ....core.rejection_region import BOTH, LOWER, SYMMETRIC_TAILS, UPPER
from ....core.step import input_field, step
from ....core.validation import check, result_checks
from ....core.value_types import Array, CountsLike, Interval, Value
from ...pairwise.paired_t import PairedT
from ..algorithm_comparison import TwoAlgorithms
from ..five_by_two.five_by_two_t import FiveByTwoT
from ..split_plans.split_plan import BLOCKED_FIVE_BY_TWO
from ..split_scores.split_scores import Scores
from .contingency_table_posterior import CELL_NAMES
from .fold_contingency_tables import TablesOfFolds, check_correlation_shape, ten_tables


def below_one(value: Any, name: str) -> Any:
    """A correlation of repetitions: 0 or more, and below 1."""
    x = check.numbers(value, name)
    if (outside := (x < 0) | (x >= 1)).any():
        raise ValueError(f"{name} is the correlation of two repetitions and must be at least 0 and below 1; got {x[outside].flat[0]:g}")
    return x[()]


class BlockedFiveByTwoT(TwoAlgorithms):
    r"""Blocked 5x2 cross-validated t-test: do two learning algorithms differ, where training is luck that changes from split to split?

    Two things make the mean difference of accuracies :math:`\bar d` a matter of chance: which records there are, and what training on
    halves of them comes to.  The ten tables tell of the one by the share e of records on which exactly one classifier is right, as in
    McNemar's test, and of the other by how far the means :math:`\bar d_j` of the five repetitions lie apart:

    .. math:: t = \frac{\bar d}{\sqrt{\frac{e}{n} + \left(\frac{1}{5} + \frac{\rho}{1 - \rho}\right) s_J^2}}, \qquad
              s_J^2 = \frac{1}{4} \sum_j (\bar d_j - \bar d)^2,

    compared with Student's t, its degrees of freedom by Satterthwaite's rule from those of both parts.

    Parameters
    ----------
    tables : array_like of int, shape (5, 2, 2, 2) or (5, 2, 2, 2, ...)
        Test records of each repetition and fold by whether A is wrong (0) or right (1) and B is wrong (0) or right (1).  Further
        axes are independent repetitions of it all.
    rho : float
        The correlation of what training adds in two repetitions, at least 0 and below 1; see the notes.
    labels : list of str, optional
        Names of the two classifiers for sentences and heads, A's first; by default A and B.
    alternative : {"two-sided", "greater", "less"}
        "greater" claims that A is better (true mean difference above 0), "less" that A is worse.
    alpha : float
        Level; H0 is rejected if and only if ``pvalue <= alpha``.

    Notes
    -----
    *The records.*  Each repetition tests every record once.  Where training changes nothing all five find the same, s_J is 0, and t
    squared is McNemar's statistic of the n records without its correction, :math:`(n_{10} - n_{01})^2 / (n_{10} + n_{01})`.  As there, the
    variance is the one under H0, and only discordant records speak: they are the degrees of freedom.

    *Training.*  The mean of a repetition is the mean of two trainings on disjoint halves.  Let an effect on training hinge on g records
    together.  Training sets of two repetitions share half of their records, hence such an effect with probability :math:`2^{-g}`, and two
    repetitions, with two training sets each, correlate by :math:`\rho = 2^{1 - g}`: 0 for mere luck (seeds, the order of records), 1/8 for
    effects of four records.  The variance of the mean of five such repetitions is :math:`1/5 + \rho/(1 - \rho)` times what s_J squared
    estimates, the correction of Nadeau and Bengio; theirs, with test sets as large as training sets, is that for 1/2.

    *What it cannot see.*  Effects of single records (g = 1) are the same in all repetitions: nothing in t sees them, whatever rho is, and
    more records do not help, since these effects shrink no faster than e/n does.  They matter where a learner stands off its optimum:
    nearest centroid, ridge or LDA on classes of unequal size or spread, naive Bayes on heavy tails or with a gross error among the
    features.  There this test breaks its level as others do (``fstats reproduce stress``).  Elsewhere 1/8 has been enough, which is no
    theorem.  The records must be independent, as for McNemar's test.

    Worst level found in the stored studies, at alpha = 0.05: 0.13 (nearest centroid on mirrored features, classes 9 : 1, n =
    10,000).

    Raises
    ------
    ValueError, TypeError
        As :class:`fstats.BlockedFiveByTwoMcNemar`; for rho outside 0 to 1.

    References
    ----------
    Composed here of known parts.  McNemar (1947), Note on the sampling error of the difference between correlated proportions or
    percentages, Psychometrika 12, pages 153 to 157.  Nadeau and Bengio (2003), Inference for the generalization error, Machine Learning
    52, pages 239 to 281, section 4.1.  Satterthwaite (1946), An approximate distribution of estimates of variance components, Biometrics
    Bulletin 2, pages 110 to 114.  The plan: Wang and Li, Block-regularized 5x2 cross-validated McNemar's test for comparing two
    classification algorithms, section 3.

    Examples
    --------
    In every fold of 50 records A alone is right on 8 and B alone on 2: e = 1/5 and n = 100, so that t = 0.12 / sqrt(0.2 / 100), with the
    20 discordant records for degrees of freedom.

    >>> import fstats
    >>> test = fstats.BlockedFiveByTwoT([[[[5, 2], [8, 35]]] * 2] * 5)
    >>> print(round(test.statistic, 4), round(test.df, 4), round(test.pvalue, 4))
    2.6833 20.0 0.0143
    """

    plan = BLOCKED_FIVE_BY_TWO
    needs = ("tables",)
    tails = SYMMETRIC_TAILS
    parameter = r"\mu_d"
    compares = "accuracy"
    estimated_by = "mean"
    names_by_index: ClassVar[Mapping[str, Any]] = CELL_NAMES

    tables: CountsLike = input_field(
        "n_{uv,k}^{(j)}", "Records by whether A and B are wrong or right, in repetition j, fold k.", over="jkuv", check=ten_tables
    )
    rho: Any = input_field(r"\rho", "Correlation of what training adds in two repetitions.", check=below_one, default=1 / 8, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_correlation_shape(self.__dict__, "rho")

    @classmethod
    def _found_in(cls, scores: Scores) -> dict[str, Any]:
        return {"tables": scores.tables}

    @step("n", r"\frac{1}{5} \sum_{jkuv} $tables", check=check.positive)
    def n(self) -> Value:
        """Number of records: each is tested five times."""
        return self.tables.sum((0, 1, 2, 3)) / 5

    @step("n_{10,j}", r"\sum_k $tables \text{ at } u = 1,\ v = 0", over="j", check=check.counts)
    def n10_of_repetition(self) -> Array:
        """Records of each repetition that A alone gets right."""
        return self.tables[:, :, 1, 0].sum(1)

    @step("n_{01,j}", r"\sum_k $tables \text{ at } u = 0,\ v = 1", over="j", check=check.counts)
    def n01_of_repetition(self) -> Array:
        """Records of each repetition that B alone gets right."""
        return self.tables[:, :, 0, 1].sum(1)

    @step(r"\bar d_j", r"\frac{$n10_of_repetition - $n01_of_repetition}{$n}", over="j")
    def mean_of_repetition(self) -> Array:
        """By how much A is the more accurate one in each repetition."""
        return (self.n10_of_repetition - self.n01_of_repetition) / self.n

    @step(r"\bar d", r"\frac{1}{5} \sum_j $mean_of_repetition")
    def mean(self) -> Value:
        """Mean difference of the accuracies; positive where A is better."""
        return self.mean_of_repetition.sum(0) / 5

    @step("E", r"\frac{1}{5\,$n} \sum_j ($n10_of_repetition + $n01_of_repetition)", check=check.proportion)
    def e(self) -> Value:
        """Disagreement: share of the records on which exactly one classifier is right."""
        return (self.n10_of_repetition + self.n01_of_repetition).sum(0) / (5 * self.n)

    @step("s_J", r"\sqrt{\frac{1}{4} \sum_j ($mean_of_repetition - $mean)^2}", check=check.nonnegative)
    def repetition_sd(self) -> Value:
        """How far the repetitions lie apart: training differs from split to split."""
        return standard_deviation(self.mean_of_repetition, self.mean, 4)

    @step("c", r"\frac{1}{5} + \frac{$rho}{1 - $rho}", check=check.positive)
    def correction(self) -> Value:
        """What the mean of five correlated repetitions keeps of the variance between them."""
        return 1 / 5 + self.rho / (1 - self.rho)

    @step(r"\mathrm{SE}", r"\sqrt{\frac{$e}{$n} + $correction\,$repetition_sd^2}", check=check.nonnegative)
    def se(self) -> Value:
        """Standard error under H0: the mean strays with the records and with training."""
        return np.hypot(sqrt(self.e / self.n), sqrt(self.correction) * self.repetition_sd)

    statistic = PairedT.statistic

    @step(
        r"\nu",
        r"\frac{$se^4}{\frac{($e / $n)^2}{$n\,$e} + \frac{($correction\,$repetition_sd^2)^2}{4}}",
        check=check.positive,
    )
    def df(self) -> Value:
        """Degrees of freedom, by Satterthwaite's rule: the discordant records have as many as they are, five repetitions have 4."""
        of_training = self.correction * self.repetition_sd**2
        spent = self.e / self.n**3 + of_training**2 / 4
        return np.where(spent > 0, ratio(self.se**4, spent), 4.0)[()]

    null = FiveByTwoT.null

    @step(r"\mathrm{SE}_1", r"\sqrt{\frac{$se^2 - $mean^2 / $n}{1 - $critical_value^2 / $n}}", after=True)
    def se_at_ends(self) -> Value:
        """Standard error where the true difference is an end of the interval, not 0; infinite where so few records can exclude nothing."""
        about_mean = np.sqrt(np.maximum(round_noise_to_zero(self.se**2 - self.mean**2 / self.n, self.se**2), 0))
        left = 1 - np.square(self.critical_value) / self.n
        return np.where(left > 0, about_mean / np.sqrt(np.where(left > 0, left, 1.0)), np.inf)[()]

    @step(
        r"\mathrm{CI}",
        {
            BOTH: r"[$mean - $critical_value\,$se_at_ends,\ $mean + $critical_value\,$se_at_ends]",
            UPPER: r"[$mean - $critical_value\,$se_at_ends,\ \infty)",
            LOWER: r"(-\infty,\ $mean - $critical_value\,$se_at_ends]",
        },
        by="tail",
        over="e",
        after=True,
        check=result_checks.interval_ends,
    )
    def ci(self) -> Interval:
        """Confidence interval: the true differences that this test would not reject, each with the variance that records have about it."""
        return self.tail.interval(self.critical_value, lambda c: self.mean - product(c, self.se_at_ends))

    @step("g", r"\frac{$mean}{2\,$e}", after=True, check=check.number_between(-0.5, 0.5))
    def effect_size(self) -> Value:
        """Cohen's g: A's share of the records that exactly one gets right, less one half; 0 if there are none."""
        return ratio(self.mean, 2 * self.e)

    # -- how much the ten tables scatter --------------------------------------------------------------------------------
    n01_of_fold = TablesOfFolds.n01_of_fold
    n10_of_fold = TablesOfFolds.n10_of_fold
    imbalance = TablesOfFolds.imbalance
    imbalance_of_repetition = TablesOfFolds.imbalance_of_repetition
    scatter = TablesOfFolds.scatter

    @property
    def _of_these_data(self) -> str:
        """Why data without any disagreement are answered as they are."""
        if np.ndim(self.statistic) or self.e:
            return ""
        return (
            "The classifiers are right and wrong on the same records: nothing speaks against H0. What differences such data exclude the "
            "interval cannot tell: it needs records on which they differ."
        )
