"""Functions for mistakes whose formula is in words; mistakes.toml contains the names of these functions."""

from __future__ import annotations

from typing import Any

import numpy as np

from .steps import HolmsLadder


def not_sorted(test: HolmsLadder) -> Any:
    """Return the order of the table instead of the sorted order."""
    return np.arange(len(test.pvalues)) + 1


def bonferroni_for_holm(test: HolmsLadder) -> Any:
    """Return Bonferroni's threshold at every step of Holm's procedure."""
    return np.full(test.m, test.alpha / test.m)


def stepped_from_the_top(test: HolmsLadder) -> Any:
    """Return the verdicts of a procedure that starts at the largest p-value."""
    return np.logical_or.accumulate((test.sorted_pvalues <= test.thresholds)[::-1])[::-1]
