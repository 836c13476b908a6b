"""What may be handed to a Bradley-Terry model, each check with its error text."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import check

FEWEST, MOST = 1_000, 1_000_000  # points


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


def points_in_all(value: Any, name: str) -> int:
    """How many points: one count, of which each set gets its part."""
    x = check.count(FEWEST, MOST, "or it takes too long")(value, name)
    if np.ndim(x):
        raise ValueError(f"{name} must be one count; got {np.size(x)} of them")
    return int(x)
