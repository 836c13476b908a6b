"""T-test on block-regularized 3x2 cross-validation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from numpy import sqrt

from ....core.numerics.sums_of_squares import standard_deviation
from ....core.numerics.zero_division import ratio
from ....core.rejection_region import SYMMETRIC_TAILS
from ....core.step import input_field, step
from ....core.validation import check
from ....core.value_types import Value
from ...pairwise.paired_t import PairedT
from ..algorithm_comparison import DIFFERENCE_OF_FOLD, TwoAlgorithms, differences_on_two_folds
from ..five_by_two.five_by_two_t import FiveByTwoT
from ..split_plans.split_plan import BLOCKED_THREE_BY_TWO


class BlockedThreeByTwoT(TwoAlgorithms):
    r"""Blocked 3x2 cross-validated t-test: do two learning algorithms differ in mean score over balanced halves of one data set?

    Origin: published, Wang, Wang, Jia and Li (2014); we could not open the paper, and the formula is that of a program of the authors.

    The records are distributed over four blocks.  There are three ways to form two halves from four blocks.  Each of these ways gives one
    replication.  Any two training sets from different replications have a quarter of all records in common.  With the mean of the six
    differences,

    is compared with Student's t distribution with 5 degrees of freedom.

    Parameters
    ----------
    d : array_like, shape (3, 2) or (3, 2, ...)
        Score of A minus score of B on both folds of three balanced replications; positive if A is better.  Further axes are
        independent repetitions.
    labels, alternative, alpha
        As for :class:`fstats.BlockedFiveByTwoT`.

    Notes
    -----
    The sum of squares is divided by 6 once, not a second time for the mean.  The six differences are so strongly correlated that the
    variance of one difference is a safe (too large) variance of the mean of six.  A program of the authors for this
    paper divides by 6, a later one by 5.  The test divides by 6, because this fits the rates that Wang and Li print.  If the differences
    have no spread, t is 0 (p = 1) or infinite (p = 0); `remark` explains such a t.

    Worst level found in the stored studies, at alpha = 0.05: 0.13 (nearest centroid on mirrored features, spreads 1 and 4, n =
    1,500).

    Raises
    ------
    ValueError, TypeError
        For differences whose shape does not begin with (3, 2), numbers that are not finite, an unknown alternative, a level outside (0,
        1).

    References
    ----------
    Wang, Wang, Jia and Li (2014), Blocked 3x2 cross-validated t-test for comparing supervised classification learning algorithms,
    Neural Computation 26, pages 208 to 235.  Wang and Li, Block-regularized 5x2 cross-validated McNemar's test for comparing two
    classification algorithms, section 5, test (I)(9).

    Examples
    --------
    The differences have the mean 2 and the sum of squares 4 around it: t = 2 / sqrt(4 / 6).

    >>> import fstats
    >>> test = fstats.BlockedThreeByTwoT([[1, 3], [2, 2], [3, 1]])
    >>> print(round(test.statistic, 4), test.df, round(test.pvalue, 4))
    2.4495 5 0.058
    """

    names_by_index: ClassVar[Mapping[str, Any]] = {"k": ("fold 1", "fold 2")}

    plan = BLOCKED_THREE_BY_TWO
    tails = SYMMETRIC_TAILS
    parameter = r"\mu_d"
    compares = "mean score"
    estimated_by = "mean"

    d: Any = input_field("d_{ik}", DIFFERENCE_OF_FOLD, over="ik", check=differences_on_two_folds(3), unit="score")

    @step(r"\bar d", r"\frac{1}{6} \sum_{ik} $d", unit="score")
    def mean(self) -> Value:
        """Mean of the six differences."""
        return self.d.sum((0, 1)) / 6

    @step(r"\mathrm{SE}", r"\sqrt{\frac{1}{6} \sum_{ik} ($d - $mean)^2}", check=check.nonnegative, unit="score")
    def se(self) -> Value:
        """Safe (rather too large) standard error of the mean: the spread of the six differences around their mean."""
        return standard_deviation(self.d, self.mean, 6, axis=(0, 1))

    statistic = PairedT.statistic

    @step(r"\nu", r"\#\{(i, k) : $d\} - 1", check=check.count(1))
    def df(self) -> int:
        """Degrees of freedom: number of differences (six) minus 1, because their mean is estimated."""
        return self.d.shape[0] * self.d.shape[1] - 1

    null = FiveByTwoT.null
    ci = PairedT.ci

    @step("d_z", r"\frac{$mean}{\sqrt{\frac{6}{5}}\,$se}", after=True)
    def effect_size(self) -> Value:
        """Mean difference in standard deviations of one difference; compare effect sizes only between results of the same plan."""
        return ratio(self.mean, sqrt(6 / 5) * self.se)

    remark = PairedT.remark
