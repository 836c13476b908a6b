"""What may be handed to a Bradley-Terry model, each check with its error text."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import check

FEWEST, MOST = 1_000, 1_000_000  # points
WIDEST = 2.0  # standard deviations of ln sigma: two of them are a factor of 55


def half_share(value: Any, name: str) -> float:
    """Half the width of a region around 1/2: one number from 0 to below 1/2."""
    x = check.within(0, 0.5)(value, name)
    if np.ndim(x) or x == 0.5:
        raise ValueError(f"{name} must be one number from 0 to below 0.5; got {check.in_short(value)}")
    return float(x)


def one_above_0(value: Any, name: str) -> float:
    """One number above 0."""
    x = check.positive(value, name)
    if np.ndim(x):
        raise ValueError(f"{name} must be one number; got {np.size(x)} of them")
    return float(x)


def width_of_log(value: Any, name: str) -> float:
    """How far a logarithm strays by a prior: above 0, and not so far that numbers leave what a float holds."""
    x = one_above_0(value, name)
    if not x <= WIDEST:
        raise ValueError(f"{name} must be at most {WIDEST:g}, where sigma lies between 1/50 and 50 already; got {x:g}")
    return x


def points_in_all(value: Any, name: str) -> int:
    """How many points: one count, of which each set gets its part."""
    x = check.count(FEWEST, MOST, "or it takes too long")(value, name)
    if np.ndim(x):
        raise ValueError(f"{name} must be one count; got {np.size(x)} of them")
    return int(x)
