"""Common wrong calculations in the exercise on Holm's correction."""

from __future__ import annotations

from typing import Any

import numpy as np


def not_sorted(test: Any) -> Any:
    """Return the order of the table instead of the sorted order."""
    return np.arange(len(test.pvalues)) + 1


def bonferroni_for_holm(test: Any) -> Any:
    """Return Bonferroni's threshold at every step of Holm's procedure."""
    return np.full(test.m, test.alpha / test.m)


def stepped_from_the_top(test: Any) -> Any:
    """Return the verdicts of a procedure that starts at the largest p-value."""
    return np.logical_or.accumulate((test.sorted_pvalues <= test.thresholds)[::-1])[::-1]
