"""The words for what a test takes and gives."""

from __future__ import annotations

from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Value = np.float64 | Array  # a number, or one number for each repetition
Integers = NDArray[np.int64]
Decision = np.bool | NDArray[np.bool]
SampleSize = int | tuple[int, int]  # that of pairs, or of two independent samples
ScoresLike = Any  # what a caller may hand in: list, array, pandas object; kept as Array
CountsLike = Any


def broadcast_column(column: Any, table: Any) -> Any:
    """What has an entry for each line of a table, in a shape that spreads over the axes that the table has behind."""
    return np.reshape(column, np.shape(column) + (1,) * (np.ndim(table) - np.ndim(column)))


class _IntervalEnds(NamedTuple):
    low: Value
    high: Value


class Interval(_IntervalEnds):
    """Two ends, and whether they belong to it: a pair that knows its brackets.

    A confidence interval holds the values that its test would not reject.  An end of a rank test's interval is one of the differences,
    at which p jumps: it is open where the test rejects it (beyond 200 scores only asked where it is the value of H0), and else closed.
    At an end that follows from t, z or a beta distribution p is alpha itself, and rounding decides on which side of alpha it comes
    out: such an end is closed, as textbooks print it, but open where it is the value of H0 and an exact test rejects that.  An infinite
    end is open; an interval of a single value holds it.

    Parameters
    ----------
    low, high : float or array
        The ends, in an array those of each repetition.
    open_low, open_high : bool or array of bool
        Whether that end does not belong to the interval.  They are attributes, not members: ``low, high = test.ci`` unpacks the ends.

    Examples
    --------
    >>> interval = Interval(0.0, 0.02, open_low=True)
    >>> print(interval.written(str), len(interval), interval.holds(0), interval.holds(0.02))
    (0.0, 0.02] 2 False True
    """

    _said: tuple[Any, Any] = (False, False)  # which ends were said to be open

    def __new__(cls, low: Value, high: Value, open_low: Any = False, open_high: Any = False) -> Self:  # noqa: D102
        made = super().__new__(cls, low, high)
        made._said = open_low, open_high
        return made

    def _replace(self, **ends: Any) -> Self:
        made = super()._replace(**ends)
        made._said = self._said
        return made

    @property
    def open_low(self) -> Decision:
        """Whether the lower end does not belong to it."""
        return self._is_open(self.low, self._said[0])

    @property
    def open_high(self) -> Decision:
        """Whether the upper end does not belong to it."""
        return self._is_open(self.high, self._said[1])

    @property
    def has_an_open_end(self) -> bool:
        """Whether a finite end does not belong to it (in any repetition)."""
        return bool(np.any((self.open_low & np.isfinite(self.low)) | (self.open_high & np.isfinite(self.high))))

    def _is_open(self, end: Value, said: Any) -> Any:
        return np.isinf(end) | (np.less(self.low, self.high) & said)

    def __repr__(self) -> str:
        """The ends, and which are open where a finite one is."""
        told = f", open_low={self.open_low!r}, open_high={self.open_high!r}" if self.has_an_open_end else ""
        return f"{super().__repr__()[:-1]}{told})"

    def holds(self, value: Any) -> Decision:
        """Whether a value belongs to it, in each repetition."""
        above = np.where(self.open_low, np.less(self.low, value), np.less_equal(self.low, value))
        below = np.where(self.open_high, np.less(value, self.high), np.less_equal(value, self.high))
        return (above & below)[()]

    def at(self, *repetition: int) -> Interval:
        """That of one repetition."""
        parts: list[Any] = [*self, *self._said]
        return Interval(*(part[repetition] if np.ndim(part) else part for part in parts))

    def mirrored(self) -> Interval:
        """The same of B less A where this is of A less B."""
        return Interval(-self.high, -self.low, *reversed(self._said))

    def written(self, number: Any, between: str = ", ") -> str:
        """The interval in its brackets (of a single test), each end as `number` writes it."""
        left, right = "(" if self.open_low else "[", ")" if self.open_high else "]"
        return f"{left}{number(self.low)}{between}{number(self.high)}{right}"
