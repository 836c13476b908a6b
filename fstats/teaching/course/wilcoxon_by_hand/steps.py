"""Functions that compute steps of the exercise on Wilcoxon's test."""

from __future__ import annotations

from typing import Any

import numpy as np


def sorted_from_the_top(ranks: Any) -> Any:
    """Sort the ranks in ascending order; rows without a rank stay empty (0)."""
    column = np.zeros(len(ranks))
    column[ranks > 0] = np.sort(ranks[ranks > 0])
    return column


def rank_sum_of_sorted_column(test: Any) -> Any:
    """Return the sum of the sorted ranks that stand next to the data sets on which B is better."""
    return np.where(test.d < 0, sorted_from_the_top(test.ranks), 0).sum(0)
