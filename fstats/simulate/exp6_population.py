"""Population of the synthetic data source EXP6.

It has six classes in a square, with boundaries as printed in the 5x2 BCV paper.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.step import make_read_only
from ..core.value_types import Array

GRID_SIDE = 151  # number of grid points on each side of the square [0, 15] x [0, 15], at distances of 0.1


def f1(x: Any) -> Any:
    """Return the first boundary of EXP6."""
    return x**2 - 4 * x + 6


def f2(x: Any) -> Any:
    """Return the second boundary of EXP6."""
    return 4 * np.sin(x / 2) + 8


def f3(x: Any) -> Any:
    """Return the third boundary of EXP6, as printed in Equation 17."""
    return -(x**2 - 108 * x + 236) / 25


def exp6_rules(x1: Any, x2: Any) -> NDArray[np.bool]:
    """Return which of the six rules of Equation 16 hold at a point, shape (6, ...).

    The rules are not mutually exclusive: f3 lies above f1 between x1 = 2.93 and 5.07, and 166 of the 22,801 grid points satisfy two rules.
    """
    # greater_equal returns numpy booleans also for single numbers; ~ would not negate Python booleans
    a, b, c = (np.greater_equal(x2 - f(x1), 0) for f in (f1, f2, f3))
    return np.array([a & b, ~a & b & c, a & ~b, ~a & ~b & c, b & ~c, ~b & ~c])


@cache
def exp6_records() -> tuple[Array, NDArray[np.int64]]:
    """Return all points of the grid and their classes 1 to 6; if two rules hold, the first rule determines the class."""
    line = np.arange(GRID_SIDE) / 10
    x = np.array(np.meshgrid(line, line, indexing="ij")).reshape(2, -1).T
    return make_read_only(x), make_read_only(exp6_rules(*x.T).argmax(0) + 1)
