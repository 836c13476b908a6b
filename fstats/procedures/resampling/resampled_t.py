"""Resampled paired t-test."""

from __future__ import annotations

from .algorithm_comparison import SplitMeanT
from .split_plans.split_plan import REPEATED_HOLD_OUT_THIRD


class ResampledT(SplitMeanT):
    r"""Resampled paired t-test: do two learning algorithms differ in mean score over random splits of one data set?

    Origin: published, Dietterich (1998).

    The records are split at random J times: two thirds of the records are for training, and one third is for testing.  The mean of the
    differences d_i is divided by a standard error that would be right for independent differences,

    .. math:: t = \frac{\bar d}{s_d / \sqrt J},

    and t is compared with Student's t distribution with J - 1 degrees of freedom.  **The differences are not independent**: see Notes.

    Parameters
    ----------
    d : array_like, shape (J,) or (J, ...)
        Score of A minus score of B on each of J >= 2 splits (15 in the plan); positive if A is better.  Further axes are
        independent repetitions.
    labels : list of str, optional
        Names of the two classifiers in sentences and table headings, A first.  Default: A and B.
    alternative : {"two-sided", "greater", "less"}
        "greater": A is better (the true mean difference is above 0).  "less": A is worse.
    alpha : float
        Significance level.  H0 is rejected if and only if ``pvalue <= alpha``.

    Notes
    -----
    Any two splits share many records, so the true variance of the mean is several times :math:`s_d^2 / J`.  With more splits the standard
    error is too small by a larger factor.  Even if losses do not depend on training (300 records), a true H0 is rejected in nearly half
    of all data sets at alpha = 0.05.  The resampled t-test is included because it is used in practice;
    :class:`fstats.CorrectedResampledT` has a corrected standard error.  If all differences are 0, then t = 0 and p = 1.  If all
    differences have the same value other than 0, t is infinite and p = 0.  `remark` says so.

    Worst level found in the stored studies, at alpha = 0.05: 0.59 (nearest centroid on mirrored features, spreads 1 and 4, n =
    1,500).

    Raises
    ------
    ValueError, TypeError
        For fewer than two differences, numbers that are not finite, an unknown alternative, a level outside (0, 1).

    References
    ----------
    Dietterich (1998), Approximate statistical tests for comparing supervised classification learning algorithms, Neural Computation
    10, section 3.3 (with 30 splits).  Wang and Li, Block-regularized 5x2 cross-validated McNemar's test for comparing two
    classification algorithms, section 5, test (I)(1).

    Examples
    --------
    The differences have the mean 2 and the standard deviation 1: t = 2 / (1 / sqrt(3)).

    >>> import fstats
    >>> test = fstats.ResampledT([1, 2, 3])
    >>> print(round(test.statistic, 4), test.df, round(test.pvalue, 4))
    3.4641 2 0.0742
    """

    plan = REPEATED_HOLD_OUT_THIRD
    caution = (
        "The splits share records, so the standard error is too small and a true H0 is rejected far too often; prefer CorrectedResampledT."
    )
