"""Effect of unknown correlations on the 5x2 BCV McNemar test."""

from __future__ import annotations

import numpy as np

from ...core.value_types import Array
from ...procedures.resampling.block_regularized.blocked_five_by_two_mcnemar import BlockedFiveByTwoMcNemar


def statistics_by_correlation(test: BlockedFiveByTwoMcNemar, rho2: Array) -> Array:
    """Compute the statistic M of the same tables for many values of rho2."""
    tables = np.repeat(test.mean_table[..., None], len(rho2), -1)
    return np.asarray(BlockedFiveByTwoMcNemar.from_steps(mean_table=tables, rho1=test.rho1, rho2=rho2).statistic)


def largest_rejecting_correlation(test: BlockedFiveByTwoMcNemar) -> float:
    """Compute the rho2 at which M equals the critical value: any smaller rho2 rejects; return -inf if no rho2 rejects.

    M = c is a quadratic equation in the square root of t.
    """
    distance, discordant = float(abs(test.n01 - test.n10)), float(test.n01 + test.n10)
    if not distance:
        return -np.inf
    limit = np.sqrt(test.critical_value * discordant)
    t = ((limit + np.sqrt(limit**2 + 4 * distance)) / (2 * distance)) ** 2
    return float((10 / t - 1 - test.rho1) / 8)
