"""Checks of test results that a user passes.

The checks are of null distribution, critical value, decision and interval.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..value_types import Array, Interval
from .check import as_array, format_received_value


def critical_value(value: Any, name: str) -> Any:
    """Return a critical value: a number (infinite if no value rejects), or an interval of two critical values."""
    if isinstance(value, Interval):
        return Interval(critical_value(value.low, name), critical_value(value.high, name))
    return _numbers_without_nan(value, name)[()]


def interval_ends(value: Any, name: str) -> Interval:
    """Return an interval from its lower and upper end; ends may be infinite."""
    pair = value if isinstance(value, (Interval, tuple, list)) or np.ndim(value) else ()
    if len(pair) != 2:
        raise ValueError(f"`{name}` must be a pair of a lower end and an upper end; got {format_received_value(value)}")
    low, high = (_numbers_without_nan(end, name) for end in pair)
    if np.any(low > high):
        raise ValueError(f"`{name}` must be a pair, the lower end first; got {format_received_value(value)}")
    return Interval(low[()], high[()], *((value.open_low, value.open_high) if isinstance(value, Interval) else ()))


def decisions(value: Any, name: str) -> Any:
    """Return True or False, or an array of truth values, one for each repetition or hypothesis."""
    x = as_array(value, name)
    if x.dtype.kind != "b":
        raise TypeError(f"`{name}` must be True or False; got {format_received_value(value)}")
    return x[()]


def null_distribution(value: Any, name: str) -> Any:
    """Return a null distribution: an object with the methods at_most, at_least, low and high."""
    if not all(callable(getattr(value, method, None)) for method in ("at_most", "at_least", "low", "high")):
        rule = "a null distribution, such as fstats.distributions.continuous_distributions.StudentT(9)"
        raise TypeError(f"`{name}` must be {rule}; got {format_received_value(value)}")
    return value


def _numbers_without_nan(value: Any, name: str) -> Array:
    """Return numbers that may be infinite but not nan."""
    x = as_array(value, name)
    if x.dtype.kind not in "biuf":
        raise TypeError(f"`{name}` must hold numbers; got {format_received_value(value)}")
    if np.isnan(x.astype(float)).any():
        raise ValueError(f"`{name}` must be a number; got nan. Leave out unknown values.")
    return x.astype(float)
