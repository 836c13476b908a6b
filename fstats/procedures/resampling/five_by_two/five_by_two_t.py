"""5x2 cross-validation paired t-test of Dietterich.

A combined t-test uses all ten differences.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy import sqrt

from ....core.arithmetic_steps import ratio_step
from ....core.number_format import format_plain
from ....core.numerics.floating_point_ties import round_noise_to_zero
from ....core.rejection_region import SYMMETRIC_TAILS
from ....core.step import count_step, step
from ....core.validation import check
from ....core.value_types import Value
from ...pairwise.confidence_interval import no_spread_note, t_interval
from ...pairwise.paired_t import PairedT
from .five_by_two_differences import FiveByTwoTest


class FiveByTwoT(FiveByTwoTest):
    r"""5x2 cv paired t-test: do two learning algorithms differ in mean score over halves of one data set?

    Origin: published, Dietterich (1998).

    The records are divided into two halves five times.  In each of these five replications, each half is used once as the training set and
    once as the test set.  With the differences :math:`d_{i1}, d_{i2}` of replication i and their variance :math:`s_i^2 = (d_{i1} - \bar
    d_i)^2 + (d_{i2} - \bar d_i)^2`,

    .. math:: t = \frac{d_{11}}{\sqrt{\frac{1}{5} \sum_i s_i^2}}

    is compared with Student's t distribution with 5 degrees of freedom.  The numerator of t is the *first* of the ten differences, not the
    mean of the ten differences.

    Parameters
    ----------
    d : array_like, shape (5, 2) or (5, 2, ...)
        Score of A minus score of B on both folds of five replications; positive if A is better (Dietterich's :math:`p_i^{(k)}` have the
        opposite sign, because they are differences of error rates).  Further axes are independent repetitions.
    labels : list of str, optional
        Names of the two classifiers in sentences and table headings, A first.  Default: A and B.
    alternative : {"two-sided", "greater", "less"}
        "greater": A is better (the true mean difference is above 0).  "less": A is worse.
    alpha : float
        Significance level.  H0 is rejected if and only if ``pvalue <= alpha``.

    Notes
    -----
    The two folds of a replication share neither training nor test records, so :math:`s_i^2` is a fair estimate of the variance of one
    difference.  The variance of the mean of all ten differences has no fair estimate; therefore the numerator is the first difference
    alone.  As a consequence, the order of the replications matters, and much of the data is not used.  The interval `ci` lies around the
    first difference; the effect size uses all ten differences.  `remark` warns if the first difference and the mean of all ten
    differences have opposite signs and H0 is rejected.  If the two differences of every replication are equal, t is 0 (first difference
    0, p = 1) or infinite (p = 0); `remark` explains such a t.

    Worst level found in the stored studies, at alpha = 0.05: 0.11 (nearest centroid on mirrored features, spreads 1 and 4, n =
    300).

    Raises
    ------
    ValueError, TypeError
        For differences whose shape does not begin with (5, 2), numbers that are not finite, an unknown alternative, a level outside (0,
        1).

    References
    ----------
    Dietterich (1998), Approximate statistical tests for comparing supervised classification learning algorithms, Neural Computation
    10, section 3.5.  Wang and Li, Block-regularized 5x2 cross-validated McNemar's test for comparing two classification algorithms,
    section 5, test (I)(3).

    Examples
    --------
    The differences of each of the five replications are 3 and 1: each variance is 1 + 1, and t = 3 / sqrt(2).

    >>> import fstats
    >>> test = fstats.FiveByTwoT([[3, 1]] * 5)
    >>> print(test.variances, round(test.statistic, 4), test.df, round(test.pvalue, 4))
    [2. 2. 2. 2. 2.] 2.1213 5 0.0874
    """

    tails = SYMMETRIC_TAILS
    estimated_by = "estimate"
    estimate_location: ClassVar[str] = " on the first fold"  # end of a sentence: states the source of the estimate

    @step("d_{11}", r"$d \text{ with } i = 1,\ k = 1", unit="score")
    def estimate(self) -> Value:
        """Difference on the first fold of the first replication."""
        return self.d[0, 0]

    @step(r"\mathrm{SE}", r"\sqrt{\frac{1}{5} \sum_i $variances}", check=check.nonnegative, unit="score")
    def se(self) -> Value:
        """Standard error of one difference, from the five variances."""
        return self.unit * sqrt(self.variances.sum(0) / 5)

    statistic = ratio_step("t", "estimate", "se", "Test statistic: the estimate divided by its standard error.")

    df = count_step(r"\nu", "variances", "i", "Degrees of freedom: the number of variances, 5.", check=check.count(1))

    null = PairedT.null.restated("Approximate distribution of t under H0: the true mean difference is 0.")

    ci = t_interval("estimate", "Confidence interval: the true mean differences that this test would not reject at the same alpha.")

    @property
    def effect_text(self) -> str:
        """Size of the estimated difference as text, with the name of the splits of the estimate."""
        return super().effect_text + self.estimate_location

    @property
    def _degenerate_data_note(self) -> str:
        cause = "The tested difference is {}, and no replication has any spread"
        spread_note = no_spread_note(self, "estimate", cause.format(0), cause)
        return f"{spread_note} {self._direction_note}".strip()

    @property
    def _direction_note(self) -> str:
        """Warning if H0 is rejected, but the first difference and the mean of all ten differences have opposite signs; else empty."""
        if "d" not in self.__dict__ or np.ndim(self.statistic) or not self.reject:
            return ""
        mean = round_noise_to_zero(self.d.sum((0, 1)) / 10, abs(self.d).max())
        if np.sign(mean) * np.sign(self.estimate) >= 0:
            return ""
        cause = f"the mean of all ten differences, {format_plain(mean)}, has the other sign"
        return f"But {cause}: the direction depends on the first fold alone."


class CombinedFiveByTwoT(FiveByTwoT):
    r"""Combined 5x2 cv t-test: do two learning algorithms differ in mean score over halves of one data set?

    Origin: published, Yildiz (2013); we could not open the paper, and the formula is that of the author's program.

    The numerator of t is the mean of all ten differences.  The test assumes that the variance of the mean is a tenth of the variance of one
    difference:

    .. math:: t = \frac{\bar d}{\sqrt{\frac{1}{10} \cdot \frac{1}{5} \sum_i s_i^2}}

    t is compared with Student's t distribution with 5 degrees of freedom.

    Parameters
    ----------
    d : array_like, shape (5, 2) or (5, 2, ...)
        Score of A minus score of B on both folds of five replications; positive if A is better.  Further axes are independent
        repetitions.
    labels : list of str, optional
        Names of the two classifiers in sentences and table headings, A first.  Default: A and B.
    alternative : {"two-sided", "greater", "less"}
        "greater": A is better (the true mean difference is above 0).  "less": A is worse.
    alpha : float
        Significance level.  H0 is rejected if and only if ``pvalue <= alpha``.

    Notes
    -----
    The test assumes ten independent differences, but the five replications divide the same records.  If the losses were fixed before any
    training, all five replications would have nearly the same mean.  With nearly equal means of the replications, the variance of the
    mean is five times as large as assumed, and a true H0 is rejected in 29 to 30 % of all data sets at alpha = 0.05.  If the two
    differences of every replication are equal, t is 0 (mean 0, p = 1) or infinite (p = 0); `remark` explains such a t.

    Worst level found in the stored studies, at alpha = 0.05: 0.50 (nearest centroid on mirrored features, spreads 1 and 4, n =
    300).

    Raises
    ------
    ValueError, TypeError
        For differences whose shape does not begin with (5, 2), numbers that are not finite, an unknown alternative, a level outside (0,
        1).

    References
    ----------
    Yildiz (2013), Omnivariate rule induction using a novel pairwise statistical test, IEEE Transactions on Knowledge and Data
    Engineering 25, pages 2105 to 2118.  Wang and Li, Block-regularized 5x2 cross-validated McNemar's test for comparing two
    classification algorithms, section 5, test (I)(8).

    Examples
    --------
    The differences of each of the five replications are 3 and 1: the mean is 2, each variance is 2, and t = 2 / sqrt(2 / 10).

    >>> import fstats
    >>> test = fstats.CombinedFiveByTwoT([[3, 1]] * 5)
    >>> print(round(test.statistic, 4), test.df, round(test.pvalue, 4))
    4.4721 5 0.0066
    """

    caution = "The replications divide the same records, so the standard error is too small and a true H0 may be rejected far too often."
    estimate_location = ""

    @step(r"\bar d", r"\frac{1}{10} \sum_{ik} $d", unit="score")
    def estimate(self) -> Value:
        """Mean of all ten differences."""
        return self.d.sum((0, 1)) / 10

    @step(r"\mathrm{SE}", r"\sqrt{\frac{1}{10} \cdot \frac{1}{5} \sum_i $variances}", check=check.nonnegative, unit="score")
    def se(self) -> Value:
        """Standard error of the mean of all ten differences under the wrong assumption of independence (splits share records)."""
        return self.unit * sqrt(self.variances.sum(0) / 5 / 10)
