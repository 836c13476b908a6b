"""What goes wrong in words: the functions that mistakes.toml names."""

from __future__ import annotations

from typing import Any

import numpy as np

from .steps import HolmsLadder


def not_sorted(test: HolmsLadder) -> Any:
    """Not sorted."""
    return np.arange(len(test.pvalues)) + 1


def bonferroni_for_holm(test: HolmsLadder) -> Any:
    """Bonferroni's threshold for Holm's."""
    return np.full(test.m, test.alpha / test.m)


def stepped_from_the_top(test: HolmsLadder) -> Any:
    """Walked from the largest p-value."""
    return np.logical_or.accumulate((test.sorted_pvalues <= test.thresholds)[::-1])[::-1]
