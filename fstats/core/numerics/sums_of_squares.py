"""Standard deviations and sums of squares without overflow.

Scaling by a power of two prevents overflow and underflow.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from math import hypot, sqrt
from typing import Any, ClassVar

import numpy as np

from ..worked_example_row import Row
from .floating_point_ties import DOUBLE_NOISE, FEW_NUMBERS, computed_relative_noise, max_relative_noise, round_noise_to_zero

SMALL, LARGE = 2.0**-200, 2.0**200  # the fourth power of a number between these bounds neither overflows nor underflows
LONG_ROW_LENGTH = 1000  # from this row length on, a loop over the rows is faster than numpy on the whole array


def power_of_two_unit(x: Any, axis: int | tuple[int, ...] = 0) -> Any:
    """Return the power of two by which x is divided before it is squared, for each repetition: 1 for numbers of ordinary size.

    Squares of numbers above 1e154 or below 1e-162 do not fit a float, and fourth powers have narrower limits.  Division by a power of
    two changes no binary digit.  Repetitions are the axes besides ``axis``.

    >>> power_of_two_unit(np.array([3.0, 5.0])), float(power_of_two_unit(np.array([3e200, 5e200]))) == 2.0**667
    (1.0, True)
    """
    largest = np.abs(x).max(axis, initial=0)
    least, most = (largest, largest) if largest.ndim == 0 else (largest.min(initial=1), largest.max(initial=0))
    if least > SMALL and most < LARGE:
        return 1.0
    ordinary = (largest == 0) | ((largest > SMALL) & (largest < LARGE))
    return np.where(ordinary, 1.0, np.ldexp(1.0, np.clip(np.frexp(largest)[1], -1020, 1020)))[()]


class ScaledSquares:
    """Base class of procedures that show squares, with the unit of the squares: 1 unless scores are extremely large or small."""

    measured: ClassVar[tuple[str, ...]]  # names of the inputs that are squared

    @cached_property
    def unit(self) -> Any:
        """The power of two whose square is the unit of sums of squares and variances: 1 for scores of ordinary size."""
        for name in self.measured:
            if name in self.__dict__:
                return power_of_two_unit(self.__dict__[name], tuple(range(len(self.over(name)))))  # type: ignore[attr-defined]
        return getattr(self.__dict__.get("_source"), "unit", 1.0)

    def in_units(self, x: Any) -> Any:
        """Divide a number in the unit of the scores by the power of two, before the number is squared."""
        return x if type(self.unit) is float else x / self.unit

    def _rows(self) -> Iterator[Row]:
        """Yield the row of the unit if the unit is not 1, then the rows of the procedure."""
        if type(self.unit) is not float and not np.ndim(self.unit) and self.unit != 1:
            sentence = "Squares and variances are written in squares of this unit, because a float cannot hold them otherwise."
            yield Row("unit", "u", "=", "", "", self.unit, sentence, "", "setting")
        yield from super()._rows()  # type: ignore[misc]


def standard_deviation(x: Any, mean: Any, divisor: Any, axis: int | tuple[int, ...] = 0) -> Any:
    """Return the square root of (sum of squared distances from the mean / divisor), for numbers of any size; 0 for mere noise.

    >>> float(standard_deviation(np.array([1.0, 3.0]), 2.0, 2)), float(standard_deviation(np.array([0.1, 0.1, 0.1]), 0.3 / 3, 2))
    (1.0, 0.0)
    """
    noise = max(max_relative_noise(x), DOUBLE_NOISE)
    if x.ndim == 1 and x.size < FEW_NUMBERS:
        # hypot scales the numbers before it squares them, so it neither overflows nor underflows
        spread = np.float64(hypot(*(x - mean).tolist()) / sqrt(divisor))
        return spread if spread > noise * abs(mean) else round_noise_to_zero(spread, mean, computed_relative_noise(x))
    with np.errstate(over="ignore"):
        spread = np.sqrt(sum_of_squares(x, mean, axis) / divisor)
    if not isinstance(spread, np.ndarray):
        if SMALL < spread < LARGE and spread > noise * abs(mean):
            return spread  # fast path: the spread is larger than the rounding noise
    elif spread.max(initial=0) < LARGE and (spread > np.maximum(noise * np.abs(mean), SMALL)).all():
        return spread
    distances = x - mean
    scale = power_of_two_unit(distances, axis)
    if type(scale) is not float:
        spread = scale * np.sqrt(((distances / scale) ** 2).sum(axis) / divisor)
    return round_noise_to_zero(spread, mean, computed_relative_noise(x, axis=axis))


def sum_of_squares(x: Any, mean: Any, axis: int | tuple[int, ...] = 0) -> Any:
    """Return the sum of the squared distances from the mean; long rows are added one at a time to save memory."""
    if axis != 0:
        return ((x - mean) ** 2).sum(axis)
    if x[:1].size < LONG_ROW_LENGTH:
        distances = x - mean
        return distances.dot(distances) if x.ndim == 1 else (distances**2).sum(0)
    total, squares = np.zeros(x.shape[1:]), np.empty(x.shape[1:])
    for row in x:
        np.subtract(row, mean, out=squares)
        squares *= squares
        total += squares
    return total
