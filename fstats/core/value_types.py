"""Types for arrays, numbers and intervals."""

from __future__ import annotations

from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Value = np.float64 | Array  # a number, or an array with a number for each repetition
Integers = NDArray[np.int64]
Decision = np.bool | NDArray[np.bool]
SampleSize = int | tuple[int, int]  # number of pairs, or sizes of two independent samples
ScoresLike = Any  # scores as passed by a user (list, array, pandas object), stored as an Array
CountsLike = Any


def broadcast_column(column: Any, table: Any) -> Any:
    """Append axes of length 1 to a column with an entry for each row of a table, so that the column broadcasts over other axes."""
    return np.reshape(column, np.shape(column) + (1,) * (np.ndim(table) - np.ndim(column)))


class _IntervalEnds(NamedTuple):
    low: Value
    high: Value


class Interval(_IntervalEnds):
    """An interval: a pair of ends, each of which is open or closed.

    A confidence interval holds the values that its test would not reject.  The end of the interval of a rank test is one of the
    differences; p jumps at this difference.  The end is open if the test rejects the value of the end, and otherwise closed.  With more
    than 200 scores this rule is applied only if the end is the value of H0.  At an end that follows from t, z or a beta distribution, p
    equals alpha, and rounding would determine on which side of alpha p lies.  For this reason the end is closed, as in textbooks, but
    open if the end is the value of H0 and an exact test rejects this value.  An infinite end is open.  An interval of a single value
    holds that value.

    Parameters
    ----------
    low, high : float or array
        The ends; arrays hold the ends of each repetition.
    open_low, open_high : bool or array of bool
        Whether the end does not belong to the interval.  These truth values are attributes, not members of the pair: ``low, high =
        test.ci`` unpacks the ends.

    Examples
    --------
    >>> interval = Interval(0.0, 0.02, open_low=True)
    >>> print(interval.written(str), len(interval), interval.holds(0), interval.holds(0.02))
    (0.0, 0.02] 2 False True
    """

    _stated_openness: tuple[Any, Any] = (False, False)  # open_low and open_high as passed by the caller

    def __new__(cls, low: Value, high: Value, open_low: Any = False, open_high: Any = False) -> Self:  # noqa: D102
        interval = super().__new__(cls, low, high)
        interval._stated_openness = open_low, open_high
        return interval

    def _replace(self, **ends: Any) -> Self:
        interval = super()._replace(**ends)
        interval._stated_openness = self._stated_openness
        return interval

    @property
    def open_low(self) -> Decision:
        """Whether the lower end does not belong to the interval."""
        return self._is_open(self.low, self._stated_openness[0])

    @property
    def open_high(self) -> Decision:
        """Whether the upper end does not belong to the interval."""
        return self._is_open(self.high, self._stated_openness[1])

    @property
    def has_an_open_end(self) -> bool:
        """Whether a finite end does not belong to the interval (in any repetition)."""
        return bool(np.any((self.open_low & np.isfinite(self.low)) | (self.open_high & np.isfinite(self.high))))

    def _is_open(self, end: Value, stated: Any) -> Any:
        return np.isinf(end) | (np.less(self.low, self.high) & stated)

    def __repr__(self) -> str:
        """Return the ends as text, and the open ends if a finite end is open."""
        openness = f", open_low={self.open_low!r}, open_high={self.open_high!r}" if self.has_an_open_end else ""
        return f"{super().__repr__()[:-1]}{openness})"

    def holds(self, value: Any) -> Decision:
        """Return whether a value belongs to the interval, for each repetition."""
        above = np.where(self.open_low, np.less(self.low, value), np.less_equal(self.low, value))
        below = np.where(self.open_high, np.less(value, self.high), np.less_equal(value, self.high))
        return (above & below)[()]

    def at(self, *repetition: int) -> Interval:
        """Return the interval of one repetition."""
        parts: list[Any] = [*self, *self._stated_openness]
        return Interval(*(part[repetition] if np.ndim(part) else part for part in parts))

    def mirrored(self) -> Interval:
        """Return the interval of the negative values: from an interval for A - B, the interval for B - A."""
        return Interval(-self.high, -self.low, *reversed(self._stated_openness))

    def written(self, number: Any, between: str = ", ") -> str:
        """Write the interval with its brackets (of a single test); `number` writes each end."""
        left, right = "(" if self.open_low else "[", ")" if self.open_high else "]"
        return f"{left}{number(self.low)}{between}{number(self.high)}{right}"
