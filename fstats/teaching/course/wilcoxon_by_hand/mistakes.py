"""Common wrong calculations in the exercise on Wilcoxon's test."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import where

from ....core.numerics.average_ranks import average_ranks
from .steps import sorted_from_the_top


def ties_in_order(test: Any) -> Any:
    """Return ranks in which ties are not averaged."""
    order = np.argsort(np.argsort(abs(test.d), kind="stable"))
    return where(test.d == 0, 0.0, order + 1.0 - (test.d == 0).sum(0))


def row_order(test: Any) -> Any:
    """Return the ranks in sorted order, next to the wrong rows."""
    return sorted_from_the_top(where(test.d == 0, 0.0, average_ranks(abs(test.d)) - (test.d == 0).sum(0)))


def zero_sorted(test: Any) -> Any:
    """Return the rank sum that results if the zero is sorted together with the ranks."""
    return where(test.d < 0, np.sort(test.ranks), 0).sum(0)
