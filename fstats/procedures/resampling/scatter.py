"""How much tables of several trainings scatter beside what independent records would, and what that does to a test that counts records."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from ...core.degenerate import ratio
from ...core.number import plain
from ...core.value import Interval, Value


def scatter_interval(scatter: Value, df: int, alpha: float) -> Interval:
    """Where the scatter lies that was estimated with so many degrees of freedom, as if imbalances were normal."""
    return Interval(ratio(df * scatter, special.chdtri(df, alpha / 2)), ratio(df * scatter, special.chdtri(df, 1 - alpha / 2)))


def level_under(scatter: Value, assumed: Value, alpha: float) -> Value:
    """The level of a test on the mean of ten tables that takes its variance to be so many times that of one fold's imbalance.

    Records that differ from each other give one half, as they are the same in all five repetitions; what training adds to the scatter of a
    fold, as if anew in each, is averaged over ten.  So the variance is 1/2 + (scatter - 1)/10 of what independent records would give a
    fold, and the critical value of chi-squared is reached accordingly often (without the continuity correction, which is small in
    large tables).

    >>> [round(float(level_under(scatter, 11 / 20, 0.05)), 3) for scatter in (1, 1.5, 8)]
    [0.04, 0.05, 0.185]
    """
    return special.chdtrc(1, special.chdtri(1, alpha) * assumed / (0.5 + (np.maximum(scatter, 1) - 1) / 10))[()]


def in_words(scatter: Any, interval: Interval, tables: str) -> str:
    """How much tables scatter, for a remark."""
    low, high = (plain(float(f"{end:.2g}")) for end in interval)
    return f"The {tables} scatter {scatter:.1f} times as much as independent records would ({low} to {high})"


def endangers(test: Any) -> bool:
    """Whether it is clear that tables scatter more than independent records would."""
    return not np.ndim(test.scatter) and test.scatter_interval.low > 1
