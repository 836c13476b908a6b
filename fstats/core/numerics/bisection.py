"""Bisection search.

It finds the number up to which a condition holds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def bisect(holds: Callable[[Any], Any], low: Any, high: Any, steps: int = 60) -> tuple[Any, Any]:
    """Return two neighbouring numbers between `low` and `high`: a condition holds up to the first number, and fails from the second on.

    The interval is halved `steps` times, 60 times for the precision of a float. Arrays are searched entry by entry.

    >>> bisect(lambda x: x**2 <= 2, 0, 2)
    (np.float64(1.414213562373095), np.float64(1.4142135623730951))
    """
    for _ in range(steps):
        middle = (low + high) / 2
        inside = holds(middle)
        low, high = np.where(inside, middle, low)[()], np.where(inside, high, middle)[()]
    return low, high
