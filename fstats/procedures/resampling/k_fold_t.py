"""K-fold cross-validated paired t-test."""

from __future__ import annotations

from ...core.step import count_step
from ...core.validation import check
from .algorithm_comparison import SplitMeanT
from .split_plans.split_plan import TEN_FOLD


class KFoldT(SplitMeanT):
    r"""K-fold cross-validated paired t-test: do two learning algorithms differ in mean score over the folds of one data set?

    Origin: published, Dietterich (1998).

    .. math:: t = \frac{\bar d}{s_d / \sqrt K}

    is compared with Student's t distribution with K - 1 degrees of freedom.  The k-fold cross-validated t-test is the resampled t-test on
    the folds of one cross-validation.  The test sets of the folds do not overlap, but the training sets overlap.

    Parameters
    ----------
    d : array_like, shape (K,) or (K, ...)
        Score of A minus score of B on each of K >= 2 folds (10 in the plan); positive if A is better.  Further axes are
        independent repetitions.
    labels : list of str, optional
        Names of the two classifiers in sentences and table headings, A first.  Default: A and B.
    alternative : {"two-sided", "greater", "less"}
        "greater": A is better (the true mean difference is above 0).  "less": A is worse.
    alpha : float
        Significance level.  H0 is rejected if and only if ``pvalue <= alpha``.

    Notes
    -----
    If scores do not depend on the training set, there is no sign that the test exceeds its level (simulated: 0.047, source Epsilon).  If
    scores depend on the training set, the test rejects a true H0 too often: at alpha = 0.05 in 6.9 % of all data sets of the source EXP6
    and in 11.3 % of the source Simple.  A likely reason is that any two training sets share most of their records (eight ninths in
    10-fold cross-validation).  No unbiased estimator of the variance exists for one cross-validation.  If the differences have no spread,
    t is 0 (p = 1) or infinite (p = 0); `remark` explains such a t.

    Worst level found in the stored studies, at alpha = 0.05: 0.42 (naive Bayes on mirrored features, heavy tails, n = 1,500).

    Raises
    ------
    ValueError, TypeError
        For fewer than two differences, numbers that are not finite, an unknown alternative, a level outside (0, 1).

    References
    ----------
    Dietterich (1998), Neural Computation 10, section 3.4.  Bengio and Grandvalet (2004), No unbiased estimator of the variance of
    k-fold cross-validation, JMLR 5, Theorem 6.  Wang and Li, Block-regularized 5x2 cross-validated McNemar's test for comparing two
    classification algorithms, section 5, test (I)(2).

    Examples
    --------
    The differences have the mean 2 and the standard deviation 1: t = 2 / (1 / sqrt(3)).

    >>> import fstats
    >>> test = fstats.KFoldT([1, 2, 3])
    >>> print(round(test.statistic, 4), test.df, round(test.pvalue, 4))
    3.4641 2 0.0742
    """

    plan = TEN_FOLD
    caution = "The folds' training sets overlap, so a true H0 may be rejected more often than alpha says."

    n = count_step("K", "d", "i", "Number of folds.", check=check.count(2))
