"""DeLong's test for comparing two AUCs.

The two classifiers score the same records (paired) or different records (unpaired).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
from numpy import sqrt

from ...core.classifier_pair import TwoClassifierTest
from ...core.numerics.floating_point_ties import noise_free_difference, round_noise_to_zero
from ...core.numerics.zero_division import ratio
from ...core.rejection_region import SYMMETRIC_TAILS
from ...core.step import input_field, step
from ...core.validation import check, paired_inputs
from ...core.value_types import Array, ScoresLike, Value
from ..contingency.difference_of_proportions import DifferenceOfProportions
from ..pairwise.confidence_interval import no_spread_note, t_interval
from .placement_values import (
    auc_step,
    both_classes,
    count_step,
    hard_prediction_note,
    placement_step,
    rank_step,
    record_scores,
    se_step,
    variance_within_class,
    within_class_rank_step,
)


class TwoAucs(TwoClassifierTest):
    """Base class for the difference of two AUCs in standard errors; a subclass defines the AUCs and the standard error."""

    tails = SYMMETRIC_TAILS
    parameter = r"A_A - A_B"
    compares = "AUC"
    estimated_by = "difference"

    @step(r"\hat A_A", check=check.proportion)
    def auc_a(self) -> Value:
        """AUC of A."""
        raise TypeError(f"the class {type(self).__name__} must define the step 'auc_a'")

    @step(r"\hat A_B", check=check.proportion)
    def auc_b(self) -> Value:
        """AUC of B."""
        raise TypeError(f"the class {type(self).__name__} must define the step 'auc_b'")

    @step("D", "$auc_a - $auc_b", check=check.number_between(-1, 1))
    def difference(self) -> Value:
        """AUC of A minus AUC of B; positive if A is better."""
        return round_noise_to_zero(self.auc_a - self.auc_b, np.ones_like(self.auc_a))

    @step(r"\mathrm{SE}", check=check.nonnegative)
    def se(self) -> Value:
        """Standard error of the difference of the AUCs."""
        raise TypeError(f"the class {type(self).__name__} must define the step 'se'")

    statistic = DifferenceOfProportions.statistic.restated("Difference of the two AUCs, in standard errors.")

    null = DifferenceOfProportions.null.restated("Approximate distribution of z under H0: the true AUCs are equal.")

    ci = t_interval("difference", "Confidence interval: the true differences that this test would not reject at the same alpha.", unit="")

    @step(r"\Delta r", r"2\,$difference", after=True, check=check.number_between(-2, 2))
    def effect_size(self) -> Value:
        """Difference of the rank-biserial correlations 2 AUC - 1 (Gini coefficients), from -2 to 2 (a perfect and a reversed ranking)."""
        return 2 * self.difference

    @property
    def input_warning(self) -> str:
        """Warning if the scores are predicted classes."""
        return hard_prediction_note("AUC", self.sides, [self.__dict__.get(name) for name in self.scored])

    zero_variance_reason: ClassVar[str] = "both rankings place every record equally"

    @property
    def remark(self) -> str:
        """Explanation of the result for degenerate data, and of an interval with impossible differences."""
        differ = "The AUCs differ by {}, and the difference is the same for every record of a class"
        note = no_spread_note(self, "difference", f"The AUCs are equal, and {self.zero_variance_reason}", differ)
        ends = np.asarray(self.get_or_default("ci", (0.0, 0.0)))
        if note or ends.ndim > 1 or not (np.isfinite(ends) & (abs(ends) > 1)).any():
            return note
        return "The interval contains impossible differences (beyond -1 or 1): the normal approximation is poor for so few records."


class DeLong(TwoAucs):
    r"""DeLong's test: do two classifiers differ in AUC on the same records?

    Origin: published, DeLong, DeLong and Clarke-Pearson (1988).

    The AUC of a classifier is a share of all pairs of one positive and one negative record: the share that the classifier ranks in the
    right order, where ties count one half.  Record i forms a pair with each record of the other class.  The *placement* :math:`V_i` of
    record i is the share of these pairs that the classifier ranks in the right order.  The AUC is the mean placement of the positive
    records, and also the mean placement of the negative records.  The difference of two AUCs is the mean of :math:`d_i = V_{A,i} - V_{B,i}`
    over the positive records, and also over the negative records.  With m positive and n negative records the statistic

    .. math:: z = \frac{\hat A_A - \hat A_B}{\sqrt{s_1^2 / m + s_0^2 / n}}, \qquad
              s_c^2 = \frac{1}{n_c - 1} \sum_{i : y_i = c} (d_i - D)^2,

    is compared with the normal distribution.

    Parameters
    ----------
    y_true : array_like of 0 and 1 or of truth values, shape (n,) or (n, ...)
        The class of each record, 1 = positive; at least two of each class.  For text labels, state which class is positive:
        ``y == "sick"``.
    a, b : array_like, shape (n,) or (n, ...)
        Scores of the records by the two classifiers; a higher score means more likely positive.  Scores may be probabilities, distances
        or votes, because only the order of the scores matters.  Further axes are independent repetitions, the same as for y_true.
    labels : list of str, optional
        Names of the two classifiers, A first, for sentences and column headings; by default the names of two pandas Series, or A and B.
    alternative : {"two-sided", "greater", "less"}
        "greater" claims that A is better (higher AUC), "less" that A is worse.
    alpha : float
        Level; H0 is rejected if and only if ``pvalue <= alpha``.

    Notes
    -----
    The variance is DeLong's: the matrices S10 and S01 of the paper, applied to the difference of two AUCs.  The placements are computed
    from ranks (Sun and Xu): for n records about n log n steps are needed, not one step for each pair of records.

    The records must be independent, and no record may have been used for training.  The test measures how AUCs vary with the *test*
    records, not how AUCs vary with the training set.  With few records of a class the p-value is a rough approximation.  Scores that
    differ only by rounding noise are tied.  The tolerance is 64 units in the last place (4 in float32).  If all scores have the same
    sign, as probabilities do, the tolerance is relative to each score; otherwise the tolerance is relative to the largest score.

    If all differences of placements within a class are equal, the standard error is 0.  With a standard error of 0, equal AUCs (identical
    scores, or AUC 1 for both) have z = 0 and p = 1 (one-sided 0.5).  With a standard error of 0 and different AUCs, z is infinite and p =
    0, for example if A ranks all pairs correctly and B none; `remark` explains such a result.

    Raises
    ------
    ValueError, TypeError
        If y_true is not 0 and 1 or has fewer than two records of a class, the lengths differ, a value is not a finite number, the
        alternative is unknown, or the level is outside (0, 1).

    References
    ----------
    DeLong, DeLong and Clarke-Pearson (1988), Comparing the areas under two or more correlated receiver operating characteristic
    curves: a nonparametric approach, Biometrics 44, pages 837 to 845.  Sun and Xu (2014), Fast implementation of DeLong's algorithm
    for comparing the areas under correlated receiver operating characteristic curves, IEEE Signal Processing Letters 21, pages 1389
    to 1393.

    Examples
    --------
    Example with two positive and two negative records: A ranks all four pairs correctly, B only three of the four (0.6 is below 0.7).

    >>> import fstats
    >>> test = fstats.DeLong([1, 1, 0, 0], [0.9, 0.8, 0.3, 0.1], [0.9, 0.6, 0.7, 0.1])
    >>> print(test.auc_a, test.auc_b, test.d, test.se, test.statistic)
    1.0 0.75 [0.  0.5 0.5 0. ] 0.3535533905932738 0.7071067811865475
    """

    y_true: ScoresLike = input_field("y_i", "Class of each record: 1 positive, 0 negative.", over="i", check=both_classes)
    a: ScoresLike = input_field("s_A", "Score of each record by A.", over="i", check=record_scores, like="y_true", unit="score")
    b: ScoresLike = input_field("s_B", "Score of each record by B.", over="i", check=record_scores, like="y_true", unit="score")

    in_report: ClassVar[Mapping[str, str]] = {"positives": "{} positive records", "negatives": "{} negative records"}
    positives = count_step("m", "y_true", "i", "positive")
    negatives = count_step("n", "y_true", "i", "negative")
    ranks_a = rank_step("a", "A", "i")
    own_ranks_a = within_class_rank_step("ranks_a", "y_true", "A", "i")
    placements_a = placement_step("ranks_a", "own_ranks_a", "y_true", "positives", "negatives", "A", "i")
    auc_a = auc_step("placements_a", "y_true", "positives", "A", "i")
    ranks_b = rank_step("b", "B", "i")
    own_ranks_b = within_class_rank_step("ranks_b", "y_true", "B", "i")
    placements_b = placement_step("ranks_b", "own_ranks_b", "y_true", "positives", "negatives", "B", "i")
    auc_b = auc_step("placements_b", "y_true", "positives", "B", "i")

    @step("d_i", "$placements_a - $placements_b", over="i", check=check.number_between(-1, 1))
    def d(self) -> Array:
        """Difference of the placements of each record; positive if the placement by A is better."""
        return noise_free_difference(self.placements_a, self.placements_b)

    @step("s_1^2", r"\frac{1}{$positives - 1} \sum_{i : $y_true = 1} ($d - $difference)^2", check=check.nonnegative)
    def variance_positive(self) -> Value:
        """Variance of the differences among the positive records."""
        return variance_within_class(self.d, self.difference, self.y_true, self.positives)

    @step("s_0^2", r"\frac{1}{$negatives - 1} \sum_{i : $y_true = 0} ($d - $difference)^2", check=check.nonnegative)
    def variance_negative(self) -> Value:
        """Variance of the differences among the negative records."""
        return variance_within_class(self.d, self.difference, 1 - self.y_true, self.negatives)

    @step(r"\mathrm{SE}", r"\sqrt{\frac{$variance_positive}{$positives} + \frac{$variance_negative}{$negatives}}", check=check.nonnegative)
    def se(self) -> Value:
        """Standard error of the difference: root of the variance from the positive plus the variance from the negative records."""
        return sqrt(self.variance_positive / self.positives + self.variance_negative / self.negatives)

    se_a = se_step("placements_a", "auc_a", "y_true", "positives", "negatives", "A", "i", after=True)
    se_b = se_step("placements_b", "auc_b", "y_true", "positives", "negatives", "B", "i", after=True)

    @step("r", r"\frac{$se_a^2 + $se_b^2 - $se^2}{2\,$se_a\,$se_b}", after=True, check=check.number_between(-1, 1))
    def correlation(self) -> Value:
        """Correlation of the two AUCs over samples of records; 0 if one AUC does not vary.  A high correlation makes pairing useful."""
        r = ratio(self.se_a**2 + self.se_b**2 - self.se**2, 2 * self.se_a * self.se_b)
        return np.where(np.isinf(r), 0.0, np.clip(r, -1, 1))[()]


class UnpairedDeLong(TwoAucs):
    r"""DeLong's test of two samples: do two classifiers, each tested on its own records, differ in AUC?

    Origin: published, DeLong, DeLong and Clarke-Pearson (1988).

    The variances of the two AUCs, from the placements of each sample (see :class:`fstats.DeLong`), are added:

    .. math:: z = \frac{\hat A_A - \hat A_B}{\sqrt{\mathrm{SE}_A^2 + \mathrm{SE}_B^2}}

    Parameters
    ----------
    y_true_a, y_true_b : array_like of 0 and 1 or of truth values, shapes (n_A,) and (n_B,), or (n_A, ...) and (n_B, ...)
        The class of each record on which A was tested, and of each record on which B was tested, 1 = positive.  Each sample must hold at
        least two records of each class.
    a, b : array_like, shapes as the classes
        Scores of A for the records of A, and of B for the records of B; a higher score means more likely positive.  Further axes are
        independent repetitions.
    labels, alternative, alpha
        As for :class:`fstats.DeLong`.

    Notes
    -----
    For two classifiers on the *same* records use :class:`fstats.DeLong`.  The paired test has far more power, because it takes into
    account that both classifiers find the same records hard.  Results for degenerate data are as in :class:`fstats.DeLong`.

    Raises
    ------
    ValueError, TypeError
        In the cases of :class:`fstats.DeLong`, and if A and B have different numbers of repetitions.

    References
    ----------
    DeLong, DeLong and Clarke-Pearson (1988), Biometrics 44, pages 837 to 845.  Sun and Xu (2014), IEEE Signal Processing Letters 21,
    pages 1389 to 1393.

    Examples
    --------
    Each classifier ranks three of four pairs correctly, on different samples.

    >>> import fstats
    >>> test = fstats.UnpairedDeLong([1, 1, 0, 0], [0.9, 0.6, 0.7, 0.1], [1, 1, 0, 0], [0.8, 0.2, 0.3, 0.1])
    >>> print(test.auc_a, test.auc_b, test.se_a, test.se, test.pvalue)
    0.75 0.75 0.3535533905932738 0.5 1.0
    """

    zero_variance_reason = "in either sample all records of a class have the same placement"

    y_true_a: ScoresLike = input_field("y_i", "Class of each record of A: 1 positive, 0 negative.", over="i", check=both_classes)
    a: ScoresLike = input_field("s_A", "Score of each record by A.", over="i", check=record_scores, like="y_true_a", unit="score")
    y_true_b: ScoresLike = input_field("y_j", "Class of each record of B: 1 positive, 0 negative.", over="j", check=both_classes)
    b: ScoresLike = input_field("s_B", "Score of each record by B.", over="j", check=record_scores, like="y_true_b", unit="score")

    def __post_init__(self) -> None:
        super().__post_init__()
        paired_inputs.check_same_repetitions(self, "a", "b")

    in_report: ClassVar[Mapping[str, str]] = {
        "positives_a": "{} positive records of A",
        "negatives_a": "{} negative records of A",
        "positives_b": "{} positive records of B",
        "negatives_b": "{} negative records of B",
    }
    positives_a = count_step("m_A", "y_true_a", "i", "A's positive")
    negatives_a = count_step("n_A", "y_true_a", "i", "A's negative")
    ranks_a = rank_step("a", "A", "i")
    own_ranks_a = within_class_rank_step("ranks_a", "y_true_a", "A", "i")
    placements_a = placement_step("ranks_a", "own_ranks_a", "y_true_a", "positives_a", "negatives_a", "A", "i")
    auc_a = auc_step("placements_a", "y_true_a", "positives_a", "A", "i")
    se_a = se_step("placements_a", "auc_a", "y_true_a", "positives_a", "negatives_a", "A", "i")

    positives_b = count_step("m_B", "y_true_b", "j", "B's positive")
    negatives_b = count_step("n_B", "y_true_b", "j", "B's negative")
    ranks_b = rank_step("b", "B", "j")
    own_ranks_b = within_class_rank_step("ranks_b", "y_true_b", "B", "j")
    placements_b = placement_step("ranks_b", "own_ranks_b", "y_true_b", "positives_b", "negatives_b", "B", "j")
    auc_b = auc_step("placements_b", "y_true_b", "positives_b", "B", "j")
    se_b = se_step("placements_b", "auc_b", "y_true_b", "positives_b", "negatives_b", "B", "j")

    @step(r"\mathrm{SE}", r"\sqrt{$se_a^2 + $se_b^2}", check=check.nonnegative)
    def se(self) -> Value:
        """Standard error of the difference of the AUCs of two independent samples."""
        return sqrt(self.se_a**2 + self.se_b**2)
