"""What caution costs: how the 5x2 BCV McNemar's test of the same tables depends on a correlation that nobody knows."""

from __future__ import annotations

import numpy as np

from ...core.value_types import Array
from ...procedures.resampling.block_regularized.blocked_five_by_two_mcnemar import BlockedFiveByTwoMcNemar


def statistics_by_correlation(test: BlockedFiveByTwoMcNemar, rho2: Array) -> Array:
    """M of the same tables for many rho2."""
    tables = np.repeat(test.mean_table[..., None], len(rho2), -1)
    return np.asarray(BlockedFiveByTwoMcNemar.from_steps(mean_table=tables, rho1=test.rho1, rho2=rho2).statistic)


def largest_rejecting_correlation(test: BlockedFiveByTwoMcNemar) -> float:
    """The rho2 at which M is just the critical value: any lower one rejects; -inf where none does.

    M = c is a quadratic equation in the square root of t.
    """
    apart, discordant = float(abs(test.n01 - test.n10)), float(test.n01 + test.n10)
    if not apart:
        return -np.inf
    reach = np.sqrt(test.critical_value * discordant)
    t = ((reach + np.sqrt(reach**2 + 4 * apart)) / (2 * apart)) ** 2
    return float((10 / t - 1 - test.rho1) / 8)
