"""T-test on block-regularized 5x2 cross-validation.

The test uses the ten contingency tables of the cross-validation.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy import sqrt

from ....core.numerics.floating_point_ties import round_noise_to_zero
from ....core.numerics.sums_of_squares import standard_deviation
from ....core.numerics.zero_division import product, ratio
from ....core.rejection_region import SYMMETRIC_TAILS
from ....core.step import input_field, step
from ....core.validation import check, result_checks
from ....core.value_types import Array, CountsLike, Interval, Value
from ...pairwise.confidence_interval import interval_formulas
from ...pairwise.paired_t import PairedT
from ..algorithm_comparison import TwoAlgorithms
from ..five_by_two.five_by_two_t import FiveByTwoT
from ..split_plans.split_plan import BLOCKED_FIVE_BY_TWO
from .contingency_table_posterior import CELL_NAMES
from .fold_contingency_tables import COUNTS_OF_FOLDS, TablesOfFolds, check_correlation_shape, ten_tables


def below_one(value: Any, name: str) -> Any:
    """Check the correlation of two repetitions: at least 0 and below 1."""
    x = check.numbers(value, name)
    if (outside := (x < 0) | (x >= 1)).any():
        raise ValueError(f"`{name}` (the correlation of two repetitions) must be at least 0 and below 1; got {x[outside].flat[0]:g}")
    return x[()]


class BlockedFiveByTwoT(TwoAlgorithms):
    r"""Blocked 5x2 cross-validated t-test: do two possibly unstable learning algorithms differ in accuracy?

    Origin: ours, composed in fstats from McNemar (1947), Nadeau and Bengio (2003) and Satterthwaite (1946); evidence: ``fstats
    reproduce stress``.

    The mean difference of accuracies :math:`\bar d` varies for two reasons: the choice of the records, and training on random halves of the
    records.  Both parts of the variance are estimated from the ten contingency tables.  The part of the variance that comes from the
    records is estimated from e, the share of records on which exactly one classifier is right.  McNemar's test, too, uses only the records
    on which exactly one classifier is right.  The part of training is estimated from the spread of the means :math:`\bar d_j` of the five
    repetitions:

    .. math:: t = \frac{\bar d}{\sqrt{\frac{e}{n} + \left(\frac{1}{5} + \frac{\rho}{1 - \rho}\right) s_J^2}}, \qquad
              s_J^2 = \frac{1}{4} \sum_j (\bar d_j - \bar d)^2,

    t is compared with Student's t distribution.  Satterthwaite's rule gives the degrees of freedom of t from the degrees of freedom of the
    two parts of the variance.

    Parameters
    ----------
    tables : array_like of int, shape (5, 2, 2, 2) or (5, 2, 2, 2, ...)
        Counts of test records in each repetition and fold: A wrong (0) or right (1), then B wrong (0) or right (1).  Further
        axes are independent repetitions of the whole experiment.
    rho : float
        Correlation of the training effects in two repetitions, at least 0 and below 1; see the notes.
    labels : list of str, optional
        Names of the two classifiers in sentences and table headings, A first.  Default: A and B.
    alternative : {"two-sided", "greater", "less"}
        "greater": A is better (the true mean difference is above 0).  "less": A is worse.
    alpha : float
        Significance level.  H0 is rejected if and only if ``pvalue <= alpha``.

    Notes
    -----
    *The records.*  Each repetition tests every record once.  If training has no effect, all five repetitions give the same result and s_J
    is 0.  In this case t squared is McNemar's statistic of the n records without continuity correction, :math:`(n_{10} - n_{01})^2 /
    (n_{10} + n_{01})`.  As in McNemar's test, the variance is the variance under H0.  The number of discordant records is the number of
    degrees of freedom of this part.

    *Training.*  The mean of a repetition is the mean of two trainings on disjoint halves.  Assume that an effect on training needs g
    records together.  Training sets of two repetitions share half of their records, so both contain all g records of an effect with
    probability :math:`2^{-g}`.  Each repetition has two training sets, so the correlation of two repetitions is :math:`\rho = 2^{1 - g}`:
    0 for pure chance (seeds, the order of records), 1/8 for effects of four records.  The variance of the mean of five such repetitions
    is :math:`1/5 + \rho/(1 - \rho)` times the expected value of s_J squared.  The factor has the form of the correction of Nadeau and
    Bengio, in which the correlation is 1/2 for test sets as large as training sets.

    *A limitation.*  Effects of single records (g = 1) are the same in all repetitions, so the test cannot detect such effects for any
    rho.  More records do not help, because effects of single records shrink no faster than e/n.  Effects of single records matter if a
    learner is far from its optimum, such as nearest centroid on classes of unequal size or spread, or naive Bayes on heavy tails.  With
    these two this test exceeds its level, as other tests do (``fstats reproduce stress``).
    With other learners rho = 1/8 was large enough in simulations, which is no proof.  The records must be independent, as in McNemar's
    test.

    Worst level found in the stored studies, at alpha = 0.05: 0.13 (nearest centroid on mirrored features, classes 9 : 1, n =
    10,000).

    Raises
    ------
    ValueError, TypeError
        In the cases of :class:`fstats.BlockedFiveByTwoMcNemar`, and for a rho below 0 or not below 1.

    References
    ----------
    The Blocked 5x2 t-test combines published parts.  McNemar (1947), Note on the sampling error of the difference between correlated
    proportions or percentages, Psychometrika 12, pages 153 to 157.  Nadeau and Bengio (2003), Inference for the generalization error,
    Machine Learning 52, pages 239 to 281, section 4.1.  Satterthwaite (1946), An approximate distribution of estimates of variance
    components, Biometrics Bulletin 2, pages 110 to 114.  The plan: Wang and Li, Block-regularized 5x2 cross-validated McNemar's test for
    comparing two classification algorithms, section 3.

    Examples
    --------
    In every fold of 50 records A alone is right on 8 and B alone on 2: e = 1/5 and n = 100, so that t = 0.12 / sqrt(0.2 / 100).  The 20
    discordant records give 20 degrees of freedom.

    >>> import fstats
    >>> test = fstats.BlockedFiveByTwoT([[[[5, 2], [8, 35]]] * 2] * 5)
    >>> print(round(test.statistic, 4), round(test.df, 4), round(test.pvalue, 4))
    2.6833 20.0 0.0143
    """

    plan = BLOCKED_FIVE_BY_TWO
    required_results = ("tables",)
    tails = SYMMETRIC_TAILS
    parameter = r"\mu_d"
    compares = "accuracy"
    estimated_by = "mean"
    names_by_index: ClassVar[Mapping[str, Any]] = CELL_NAMES

    tables: CountsLike = input_field("n_{uv,k}^{(j)}", COUNTS_OF_FOLDS, over="jkuv", check=ten_tables)
    rho: Any = input_field(r"\rho", "Correlation of the training effects in two repetitions.", check=below_one, default=1 / 8, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_correlation_shape(self.__dict__, "rho")

    @step("n", r"\frac{1}{5} \sum_{jkuv} $tables", check=check.positive)
    def n(self) -> Value:
        """Number of records in the data set; each record is tested five times."""
        return self.tables.sum((0, 1, 2, 3)) / 5

    @step("n_{10,j}", r"\sum_k $tables \text{ at } u = 1,\ v = 0", over="j", check=check.counts)
    def n10_of_repetition(self) -> Array:
        """Number of records in each repetition that only A gets right."""
        return self.tables[:, :, 1, 0].sum(1)

    @step("n_{01,j}", r"\sum_k $tables \text{ at } u = 0,\ v = 1", over="j", check=check.counts)
    def n01_of_repetition(self) -> Array:
        """Number of records in each repetition that only B gets right."""
        return self.tables[:, :, 0, 1].sum(1)

    @step(r"\bar d_j", r"\frac{$n10_of_repetition - $n01_of_repetition}{$n}", over="j")
    def mean_of_repetition(self) -> Array:
        """Accuracy of A minus accuracy of B in each repetition."""
        return (self.n10_of_repetition - self.n01_of_repetition) / self.n

    @step(r"\bar d", r"\frac{1}{5} \sum_j $mean_of_repetition")
    def mean(self) -> Value:
        """Mean difference of the accuracies; positive if A is better."""
        return self.mean_of_repetition.sum(0) / 5

    @step("E", r"\frac{1}{5\,$n} \sum_j ($n10_of_repetition + $n01_of_repetition)", check=check.proportion)
    def e(self) -> Value:
        """Disagreement: share of the records on which exactly one classifier is right."""
        return (self.n10_of_repetition + self.n01_of_repetition).sum(0) / (5 * self.n)

    @step("s_J", r"\sqrt{\frac{1}{4} \sum_j ($mean_of_repetition - $mean)^2}", check=check.nonnegative)
    def repetition_sd(self) -> Value:
        """Standard deviation of the mean differences of the repetitions, caused by differences in training."""
        return standard_deviation(self.mean_of_repetition, self.mean, 4)

    @step("c", r"\frac{1}{5} + \frac{$rho}{1 - $rho}", check=check.positive)
    def correction(self) -> Value:
        """Factor 1/5 + rho/(1 - rho): variance of the mean of five correlated repetitions, divided by the expected value of s_J squared."""
        return 1 / 5 + self.rho / (1 - self.rho)

    @step(r"\mathrm{SE}", r"\sqrt{\frac{$e}{$n} + $correction\,$repetition_sd^2}", check=check.nonnegative)
    def se(self) -> Value:
        """Standard error under H0: random choice of the records and random differences in training."""
        return np.hypot(sqrt(self.e / self.n), sqrt(self.correction) * self.repetition_sd)

    statistic = PairedT.statistic

    @step(r"\nu", r"\frac{$se^4}{\frac{($e / $n)^2}{$n\,$e} + \frac{($correction\,$repetition_sd^2)^2}{4}}", check=check.positive)
    def df(self) -> Value:
        """Degrees of freedom by Satterthwaite's rule, from the number of discordant records and the 4 degrees of five repetitions."""
        training_variance = self.correction * self.repetition_sd**2
        inverse_weights = self.e / self.n**3 + training_variance**2 / 4
        return np.where(inverse_weights > 0, ratio(self.se**4, inverse_weights), 4.0)[()]

    null = FiveByTwoT.null

    @step(r"\mathrm{SE}_1", r"\sqrt{\frac{$se^2 - $mean^2 / $n}{1 - $critical_value^2 / $n}}", after=True)
    def se_at_ends(self) -> Value:
        """Standard error if the true difference is an end of the interval, not 0; infinite if there are too few records."""
        se_about_mean = np.sqrt(np.maximum(round_noise_to_zero(self.se**2 - self.mean**2 / self.n, self.se**2), 0))
        divisor = 1 - np.square(self.critical_value) / self.n
        return np.where(divisor > 0, se_about_mean / np.sqrt(np.where(divisor > 0, divisor, 1.0)), np.inf)[()]

    @step(r"\mathrm{CI}", interval_formulas("mean", "se_at_ends"), by="tail", over="e", after=True, check=result_checks.interval_ends)
    def ci(self) -> Interval:
        """Confidence interval: true differences that this test does not reject, each with the standard error under that difference."""
        return self.tail.interval(self.critical_value, lambda c: self.mean - product(c, self.se_at_ends))

    @step("g", r"\frac{$mean}{2\,$e}", after=True, check=check.number_between(-0.5, 0.5))
    def effect_size(self) -> Value:
        """Cohen's g: share of the discordant records that A gets right, minus one half; 0 without discordant records."""
        return ratio(self.mean, 2 * self.e)

    # -- scatter of the ten tables --------------------------------------------------------------------------------------
    n01_of_fold = TablesOfFolds.n01_of_fold
    n10_of_fold = TablesOfFolds.n10_of_fold
    imbalance = TablesOfFolds.imbalance
    imbalance_of_repetition = TablesOfFolds.imbalance_of_repetition
    scatter = TablesOfFolds.scatter

    @property
    def _degenerate_data_note(self) -> str:
        """Explanation of the result if the classifiers are right and wrong on the same records."""
        if np.ndim(self.statistic) or self.e:
            return ""
        opening = "The classifiers are right and wrong on the same records: the data give no evidence against H0"
        return f"{opening}. The interval gives no information, since it needs records on which the classifiers differ."
