"""Combined 5x2 cross-validation F-test of Alpaydin.

A variant on balanced splits is calibrated.
"""

from __future__ import annotations

import numpy as np

from ....core.hypothesis import NO_SPREAD_MESSAGE
from ....core.number_format import format_plain
from ....core.numerics.zero_division import ratio
from ....core.rejection_region import UPPER_TAIL
from ....core.step import count_step, step
from ....core.validation import check
from ....core.value_types import Value
from ...multiple.one_way_anova import OneWayAnova
from ..split_plans.split_plan import BLOCKED_FIVE_BY_TWO
from .five_by_two_differences import FiveByTwoTest


class CombinedFiveByTwoF(FiveByTwoTest):
    r"""Combined 5x2 cv F-test: do two learning algorithms differ in mean score over halves of one data set?

    Origin: published, Alpaydin (1999).

    The squares of all ten differences of five replications are divided by their variances within the replications:

    .. math:: F = \frac{\sum_{ik} d_{ik}^2}{2 \sum_i s_i^2}

    The statistic F is compared with the F distribution with 10 and 5 degrees of freedom; large values of F are evidence against H0.

    Parameters
    ----------
    alternative : {"two-sided"}
        No one-sided alternative is possible, because squares have no sign.
    d, labels, alpha
        As for :class:`fstats.CombinedFiveByTwoT`.

    Notes
    -----
    The F-test uses all ten differences, and their order does not matter; the 5x2 cv t-test divides the first difference only.  If all
    differences are 0, F = 0 and p = 1.  If the differences have no spread in any replication, F is infinite and p = 0; `remark` explains
    such an F.

    Worst level found in the stored studies, at alpha = 0.05: 0.15 (nearest centroid on mirrored features, spreads 1 and 4, n =
    300).

    Raises
    ------
    ValueError, TypeError
        For differences whose shape does not begin with (5, 2), numbers that are not finite, a one-sided alternative, a level outside (0,
        1).

    References
    ----------
    Alpaydin (1999), Combined 5x2 cv F test for comparing supervised classification learning algorithms, Neural Computation 11,
    pages 1885 to 1892.  Wang and Li, Block-regularized 5x2 cross-validated McNemar's test for comparing two classification
    algorithms, section 5, test (II)(1).

    Examples
    --------
    The differences of each of the five replications are 3 and 1: F = 5 (9 + 1) / (2 * 5 * 2).

    >>> import fstats
    >>> test = fstats.CombinedFiveByTwoF([[3, 1]] * 5)
    >>> print(test.statistic, test.df, test.df_error, round(test.pvalue, 4))
    2.5 10 5 0.1618
    """

    tails = UPPER_TAIL

    @step("Q", r"\sum_{ik} $d^2", check=check.nonnegative, unit="score^2")
    def sum_of_squares(self) -> Value:
        """Sum of the squares of all ten differences."""
        return (self.in_units(self.d) ** 2).sum((0, 1))

    @step("F", r"\frac{$sum_of_squares}{2 \sum_i $variances}", check=check.nonnegative)
    def statistic(self) -> Value:
        """F statistic: mean square of the differences divided by the mean variance within the replications."""
        return ratio(self.sum_of_squares, 2 * self.variances.sum(0))

    @step(r"\nu_1", r"\#\{(i, k) : $d\}", check=check.count(1))
    def df(self) -> int:
        """Numerator degrees of freedom: the number of differences, 10."""
        return self.d.shape[0] * self.d.shape[1]

    df_error = count_step(r"\nu_2", "variances", "i", "Denominator degrees of freedom: the number of variances, 5.", check=check.count(1))

    null = OneWayAnova.null.restated("Approximate distribution of F under H0: the true mean difference is 0.")

    @property
    def effect_text(self) -> str:
        """Size of the difference as text: the mean of all ten differences."""
        return f", by {format_plain(abs(self.means.sum(0) / 5))} on average"

    @property
    def remark(self) -> str:
        """Explanation of the result for degenerate data."""
        if np.ndim(self.statistic) or self.variances.any():
            return ""
        if self.sum_of_squares:
            return f"No replication has any spread: {NO_SPREAD_MESSAGE}, hence p = 0; look for a mistake in the data."
        return "All differences are 0: the data give no evidence against H0."


class CalibratedFiveByTwoF(CombinedFiveByTwoF):
    r"""Calibrated 5x2 F-test: do two learning algorithms differ in mean score over balanced halves of one data set?

    Origin: published, Wang, Li and Li (2017); we could not open the paper, and the degrees of freedom are those of its abstract.

    The calibrated test uses the statistic of the combined 5x2 cv F-test, but on block-regularized splits.  On these splits, any two
    training sets from different replications have a quarter of all records in common.  The calibrated test compares the statistic with the
    F distribution with **7** and 5 degrees of freedom.

    Parameters
    ----------
    d : array_like, shape (5, 2) or (5, 2, ...)
        Score of A minus score of B on both folds of five balanced replications; positive if A is better.  Further axes are
        independent repetitions.
    labels : list of str, optional
        Names of the two classifiers in sentences and table headings, A first.  Default: A and B.
    alternative : {"two-sided"}
        No one-sided alternative is possible, because squares have no sign.
    alpha : float
        Significance level.  H0 is rejected if and only if ``pvalue <= alpha``.

    Notes
    -----
    The degrees of freedom 7 and 5 come from the abstract of the source.  The printed rates of Wang and Li do not confirm them: on the same
    splits, 10 and 5 degrees of freedom fit these rates as well.

    The critical value at alpha = 0.05 is 4.876; the combined 5x2 cv F-test has 4.735.  If all differences are 0, F = 0 and p = 1.  If the
    differences have no spread in any replication, F is infinite and p = 0; `remark` explains such an F.

    Worst level found in the stored studies, at alpha = 0.05: 0.14 (nearest centroid on mirrored features, spreads 1 and 4, n =
    300).

    Raises
    ------
    ValueError, TypeError
        In the cases of :class:`fstats.CombinedFiveByTwoF`.

    References
    ----------
    Wang, Li and Li (2017), Choosing between two classification learning algorithms based on calibrated balanced 5x2 cross-validated
    F-test, Neural Processing Letters 46, pages 1 to 13.  Wang and Li, Block-regularized 5x2 cross-validated McNemar's test for
    comparing two classification algorithms, section 5, test (II)(2).

    Examples
    --------
    The differences of each of the five replications are 3 and 1: F = 5 (9 + 1) / (2 * 5 * 2).

    >>> import fstats
    >>> test = fstats.CalibratedFiveByTwoF([[3, 1]] * 5)
    >>> print(test.statistic, test.df, test.df_error, round(test.pvalue, 4))
    2.5 7 5 0.1652
    """

    plan = BLOCKED_FIVE_BY_TWO

    @step(r"\nu_1", check=check.count(1))
    def df(self) -> int:
        """Numerator degrees of freedom, calibrated for balanced splits: 7 instead of the 10 of the combined test."""
        return 7
