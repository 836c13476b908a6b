"""Equality of two computed values, up to floating-point error."""

from __future__ import annotations

from math import isfinite
from typing import Any

import numpy as np

EXACT = 1e-9  # relative tolerance within which two numbers count as equal


def agrees(one: Any, other: Any) -> bool:
    """Whether two values are the same up to floating-point noise."""
    if isinstance(one, float) and isinstance(other, float):  # fast path for two floats, the most common case: it is thirty times as fast
        return bool(one == other or (isfinite(other) and abs(one - other) <= EXACT * abs(other)))
    try:
        x, y = np.asarray(one), np.asarray(other)
        if x.shape != y.shape or x.dtype.kind not in "biuf" or y.dtype.kind not in "biuf" or (x.dtype.kind == "b") != (y.dtype.kind == "b"):
            return False
        if x.dtype.kind == "b":
            return bool((x == y).all())
        with np.errstate(all="ignore"):
            return bool(((x == y) | (np.isfinite(y) & (np.abs(x - y.astype(float)) <= EXACT * np.abs(y)))).all())
    except (ValueError, TypeError):  # the value is a list with lists of different lengths
        return False
