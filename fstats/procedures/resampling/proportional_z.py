"""Z-test of two proportions on a hold-out test set."""

from __future__ import annotations

from typing import Any

from ..contingency.difference_of_proportions import DifferenceOfProportions
from .algorithm_comparison import TwoAlgorithms, contingency_cells
from .split_plans.split_plan import HOLD_OUT_THIRD
from .split_scores.split_scores import Scores


class ProportionalZ(TwoAlgorithms, DifferenceOfProportions):
    r"""Proportional Z-test: do two learning algorithms differ in accuracy on a hold-out test set?

    Origin: published, Dietterich (1998).

    .. math:: z = \frac{\hat\pi_A - \hat\pi_B}{\sqrt{2 \bar\pi (1 - \bar\pi) / n}}, \qquad \bar\pi = \frac{\hat\pi_A + \hat\pi_B}{2}

    The test is :class:`fstats.DifferenceOfProportions` on a hold-out plan: two thirds of the records are for training, and one third is for
    testing.  **The test ignores pairing**, although both algorithms are tested on the same records.

    Parameters
    ----------
    correct_a, correct_b : int or array_like of shape (...)
        Number of test records that A and B get right.  Axes are independent repetitions.
    n : int or array_like of shape (...)
        Number of test records, at least 1.
    n_b : int or array_like of shape (...), optional
        Not needed: a hold-out tests both algorithms on the same records, so the number of test records of B is n.
    labels : list of str, optional
        Names of the two classifiers in sentences and table headings, A first.  Default: A and B.
    alternative : {"two-sided", "greater", "less"}
        "greater": A is more accurate.  "less": A is less accurate.
    alpha : float
        Significance level.  H0 is rejected if and only if ``pvalue <= alpha``.

    Notes
    -----
    The variance ignores both the pairing and the random choice of the training set.  If both algorithms are right on all records, or both
    on none, z = 0 and p = 1.

    Worst level found in the stored studies, at alpha = 0.05: 0.96 (rules by a coin in every training, rules right .80 and .70,
    n = 1,500).

    Raises
    ------
    ValueError, TypeError
        For counts that are negative, fractional or above n, an unknown alternative, a level outside (0, 1).

    References
    ----------
    Dietterich (1998), Neural Computation 10, section 3.2.  Wang and Li, Block-regularized 5x2 cross-validated McNemar's test for
    comparing two classification algorithms, section 5, test (III)(1).

    Examples
    --------
    The accuracies are 84 % and 79 % of 500 records: z = 0.05 / sqrt(2 * 0.815 * 0.185 / 500).

    >>> import fstats
    >>> test = fstats.ProportionalZ(420, 395, 500)
    >>> print(round(test.statistic, 4), round(test.pvalue, 4))
    2.036 0.0418
    """

    plan = HOLD_OUT_THIRD
    required_results = ("tables",)

    @classmethod
    def _inputs_from(cls, scores: Scores) -> dict[str, Any]:
        n = contingency_cells(scores)
        return {"correct_a": n[1, 0] + n[1, 1], "correct_b": n[0, 1] + n[1, 1], "n": sum(n.values())}
