"""The words for what a test takes and gives."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Value = np.float64 | Array  # a number, or one number for each repetition
Integers = NDArray[np.int64]
SampleSize = int | tuple[int, int]  # that of pairs, or of two independent samples
ScoresLike = Any  # what a caller may hand in: list, array, pandas object; kept as Array
CountsLike = Any


class Interval(NamedTuple):
    """Two ends; an open one is infinite."""

    low: Value
    high: Value
