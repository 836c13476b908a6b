"""McNemar's test on a hold-out test set."""

from __future__ import annotations

from typing import Any

from ..contingency.mcnemar import McNemar
from .algorithm_comparison import TwoAlgorithms, contingency_cells
from .split_plans.split_plan import HOLD_OUT_THIRD
from .split_scores.split_scores import Scores


class HoldOutMcNemar(TwoAlgorithms, McNemar):
    r"""Hold-out McNemar test: do two trained classifiers differ in accuracy on the same test records?

    Origin: published, Dietterich (1998).

    .. math:: \chi^2 = \frac{\max(0, |n_{01} - n_{10}| - 1)^2}{n_{01} + n_{10}}

    The test is :class:`fstats.McNemar` on a hold-out plan: two thirds of the records are for training, and one third is for testing.

    Parameters
    ----------
    n01 : int or array_like of shape (...)
        Number of test records that A gets wrong and B right.  Axes are independent repetitions.
    n10 : int or array_like of shape (...)
        Number of test records that A gets right and B wrong.
    correction, labels, alternative, alpha
        As for :class:`fstats.McNemar`.

    Notes
    -----
    The test compares the two trained classifiers and ignores the random choice of the training set.  If n01 = n10, or without discordant
    records, the statistic is 0 and p = 1.  At alpha = 0.05 the test needs at least six discordant records to reject.

    Worst level found in the stored studies, at alpha = 0.05: 0.95 (naive Bayes and stump by a coin in every training, n = 300).

    Raises
    ------
    ValueError, TypeError
        For counts that are negative, fractional or not numbers, a one-sided alternative, a level outside (0, 1).

    References
    ----------
    Dietterich (1998), Neural Computation 10, section 3.1.  Wang and Li, Block-regularized 5x2 cross-validated McNemar's test for
    comparing two classification algorithms, section 2.1, Eq. 2, and section 5, test (IV)(1).

    Examples
    --------
    ``|11 - 1| - 1`` = 9 and 81 / 12 = 6.75.

    >>> import fstats
    >>> test = fstats.HoldOutMcNemar(11, 1)
    >>> print(test.statistic, round(test.pvalue, 6))
    6.75 0.009375
    """

    plan = HOLD_OUT_THIRD
    required_results = ("tables",)

    @classmethod
    def _inputs_from(cls, scores: Scores) -> dict[str, Any]:
        n = contingency_cells(scores)
        return {"n01": n[0, 1], "n10": n[1, 0]}
