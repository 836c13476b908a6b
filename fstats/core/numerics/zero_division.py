"""Arithmetic that has an answer where there is nothing to measure by: 0/0 is no evidence, and no spread reaches nowhere."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np

from ..value_types import Value


def square_root(n: Any) -> Any:
    """Square root of a count, or of one for each repetition."""
    return sqrt(n) if type(n) is int else np.sqrt(n)


def ratio(above: Any, below: Any) -> Value:
    """Above / below, where 0/0 is 0 (no evidence) and x/0 is infinite."""
    if not isinstance(below, np.ndarray) and below and not isinstance(above, np.ndarray):
        return above / below
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(np.equal(above, 0) & np.equal(below, 0), 0.0, np.divide(above, below))[()]


def product(x: Any, y: Any) -> Value:
    """The product of x and y, where 0 times anything is 0 (a reach without spread is none, however far the critical value is)."""
    if not isinstance(x, np.ndarray) and not isinstance(y, np.ndarray):
        return x * y if x and y else np.float64(0)
    with np.errstate(invalid="ignore"):
        return np.where(np.equal(x, 0) | np.equal(y, 0), 0.0, np.multiply(x, y))[()]
