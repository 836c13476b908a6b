"""Division and multiplication with defined results for 0/0.

For degenerate data, 0/0 is defined as 0 (no evidence), and 0 times infinity is defined as 0.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np

from ..value_types import Value


def square_root(n: Any) -> Any:
    """Return the square root of a count, or of one count for each repetition."""
    return sqrt(n) if type(n) is int else np.sqrt(n)


def ratio(above: Any, below: Any) -> Value:
    """Return above / below, where 0/0 is 0 (no evidence) and x/0 is infinite."""
    if not isinstance(below, np.ndarray) and below and not isinstance(above, np.ndarray):
        return above / below
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(np.equal(above, 0) & np.equal(below, 0), 0.0, np.divide(above, below))[()]


def product(x: Any, y: Any) -> Value:
    """Return x times y, where 0 times infinity is 0 (without spread an interval has width 0, whatever the critical value)."""
    if not isinstance(x, np.ndarray) and not isinstance(y, np.ndarray):
        return x * y if x and y else np.float64(0)
    with np.errstate(invalid="ignore"):
        return np.where(np.equal(x, 0) | np.equal(y, 0), 0.0, np.multiply(x, y))[()]
