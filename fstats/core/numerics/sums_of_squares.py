"""Standard deviations and sums of squares of numbers of any size: what is squared is first divided by a power of two, where it must be."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from math import hypot, sqrt
from typing import Any, ClassVar

import numpy as np

from ..worked_example_row import Row
from .floating_point_ties import DOUBLE_NOISE, FEW_NUMBERS, computed_relative_noise, max_relative_noise, round_noise_to_zero

SMALL, LARGE = 2.0**-200, 2.0**200  # between these the square of a square fits a float
LONG_ROW = 1000  # numbers, from which on a loop over rows costs less


def power_of_two_unit(x: Any, axis: int | tuple[int, ...] = 0) -> Any:
    """The power of two in which squares of x are reckoned, for each repetition (the axes besides ``axis``): 1 for ordinary sizes.

    Squares of numbers above 1e154 or below 1e-162 do not fit a float, and squares of squares want less than that.  Division by a
    power of two changes no digit.

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
    """For procedures that show squares: the unit in whose squares they are written, 1 unless the scores are extremely large or small."""

    measured: ClassVar[tuple[str, ...]]  # the inputs from which squares are made

    @cached_property
    def unit(self) -> Any:
        """The power of two in whose squares sums of squares and variances are written: 1 for scores of any ordinary size."""
        for name in self.measured:
            if name in self.__dict__:
                return power_of_two_unit(self.__dict__[name], tuple(range(len(self.over(name)))))  # type: ignore[attr-defined]
        return getattr(self.__dict__.get("_source"), "unit", 1.0)

    def in_units(self, x: Any) -> Any:
        """A number in the unit of the scores, made ready to be squared."""
        return x if type(self.unit) is float else x / self.unit

    def _rows(self) -> Iterator[Row]:
        """The rows of the procedure, and first the unit where it is not 1."""
        if type(self.unit) is not float and not np.ndim(self.unit) and self.unit != 1:
            said = "Squares and variances are written in squares of this unit: in squares of 1 a float could not hold them."
            yield Row("unit", "u", "=", "", "", self.unit, said, "", "setting")
        yield from super()._rows()  # type: ignore[misc]


def standard_deviation(x: Any, mean: Any, divisor: Any, axis: int | tuple[int, ...] = 0) -> Any:
    """Standard deviation: the root of the sum of the squared distances from the mean / divisor, of numbers of any size; 0
    where it is noise.

    >>> float(standard_deviation(np.array([1.0, 3.0]), 2.0, 2)), float(standard_deviation(np.array([0.1, 0.1, 0.1]), 0.3 / 3, 2))
    (1.0, 0.0)
    """
    most = max(max_relative_noise(x), DOUBLE_NOISE)  # of the mean that may be noise
    if x.ndim == 1 and x.size < FEW_NUMBERS:
        spread = np.float64(hypot(*(x - mean).tolist()) / sqrt(divisor))  # of any size: hypot scales what it squares
        return spread if spread > most * abs(mean) else round_noise_to_zero(spread, mean, computed_relative_noise(x))
    with np.errstate(over="ignore"):
        spread = np.sqrt(sum_of_squares(x, mean, axis) / divisor)
    if not isinstance(spread, np.ndarray):
        if SMALL < spread < LARGE and spread > most * abs(mean):
            return spread  # the common case
    elif spread.max(initial=0) < LARGE and (spread > np.maximum(most * np.abs(mean), SMALL)).all():
        return spread
    away = x - mean
    scale = power_of_two_unit(away, axis)
    if type(scale) is not float:
        spread = scale * np.sqrt(((away / scale) ** 2).sum(axis) / divisor)
    return round_noise_to_zero(spread, mean, computed_relative_noise(x, axis=axis))


def sum_of_squares(x: Any, mean: Any, axis: int | tuple[int, ...] = 0) -> Any:
    """The sum of the squared distances from the mean; a row at a time where rows are long, which takes no room for all distances."""
    if axis != 0:
        return ((x - mean) ** 2).sum(axis)
    if x[:1].size < LONG_ROW:
        away = x - mean
        return away.dot(away) if x.ndim == 1 else (away**2).sum(0)
    total, away = np.zeros(x.shape[1:]), np.empty(x.shape[1:])
    for row in x:
        np.subtract(row, mean, out=away)
        away *= away
        total += away
    return total
