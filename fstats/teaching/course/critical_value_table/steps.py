"""Functions that compute steps of the exercise on critical values."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....core.value_types import Array
from ....distributions.exact_rank_distributions import SignedRankSum

ROWS = range(5, 26)
PRINTED = {  # two-tailed critical values on the slides, for n = 5, ..., 25
    0.10: (0, 2, 3, 5, 8, 10, 13, 17, 21, 25, 30, 35, 40, 46, 52, 59, 66, 73, 81, 89, 98),
    0.05: (0, 2, 3, 4, 6, 8, 10, 13, 16, 19, 23, 27, 31, 36, 40, 45, 51, 56, 62, 68, 75),
    0.01: (0, 0, 1, 2, 3, 5, 7, 9, 11, 14, 17, 21, 24, 28, 32, 37, 41, 46, 51, 56, 62),
}


def rank_sum_probabilities(n: float) -> Array:
    """Return P(W = 0), P(W = 1), ... for the ranks 1, ..., n."""
    if n > 100:
        raise ValueError(f"`n` must be at most 100, as in printed tables; got n = {n}")
    return SignedRankSum(np.arange(1.0, n + 1)).atoms()[1]


def rank_sum_tail_probabilities(n: float) -> Array:
    """Return P(W <= 0), P(W <= 1), ... for the ranks 1, ..., n."""
    return rank_sum_probabilities(n).cumsum()


def last_where_true(keeps: NDArray[np.bool]) -> int:
    """Return the last w, counted from 0, for which the condition holds; return -1 if the condition does not hold for w = 0."""
    return int(np.append(keeps, False).argmin()) - 1


def ways_at_most_limit(test: Any) -> int:
    """Return the number of ways to divide the ranks for which the ranks of B add up to at most w."""
    return round(rank_sum_tail_probabilities(test.ranks)[test.limit] * 2**test.ranks)


def tabulated_critical_value(test: Any) -> int:
    """Return the largest sum that rejects; -1 if no sum rejects."""
    return last_where_true(rank_sum_tail_probabilities(test.n) <= test.alpha / 2)


def level_of_printed_entry(test: Any) -> float:
    """Return the two-sided probability of rejecting a true null hypothesis with the printed entry."""
    return float(2 * rank_sum_tail_probabilities(test.row)[test.printed])


def count_wrong_entries(test: Any) -> int:
    """Return the number of wrong entries in the column of the printed table."""
    right = (last_where_true(rank_sum_tail_probabilities(n) <= test.column / 2) for n in ROWS)
    return sum(entry != printed for entry, printed in zip(right, PRINTED[test.column], strict=True))
