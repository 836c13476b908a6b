"""The sums of all pairs in order, for the estimates and intervals of the rank tests."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...core.value_types import Array, Value

FEW = 2**22  # sums that are all written down and sorted (32 MB); of more, those around the place asked for


@dataclass(frozen=True)
class OrderedSums:
    """x_i + y_j of all pairs, or of those with i <= j (``upper``), smallest first, along the first axis; never too many in memory.

    >>> sums = OrderedSums(np.array([0.0, 10.0]), np.array([1.0, 2.0]))
    >>> len(sums), sums[1], sums.median
    (4, np.float64(2.0), np.float64(6.5))
    """

    x: Array
    y: Array
    upper: bool = False

    def __len__(self) -> int:
        n = len(self.x)
        return n * (n + 1) // 2 if self.upper else n * len(self.y)

    def __getitem__(self, place: int) -> Value:
        """The sum that so many others stand before."""
        place = range(len(self))[place]
        if self._all is not None:
            return self._all[place]
        columns = [np.asarray(part, float).reshape(len(part), -1).T for part in (self.x, self.y)]
        found = [_sum_at(place, np.sort(x), np.sort(y), self.upper) for x, y in zip(*columns, strict=True)]
        return np.array(found).reshape(self.x.shape[1:])[()]

    @property
    def median(self) -> Value:
        """The middle of all sums."""
        last = len(self) - 1
        return (self[last // 2] + self[last - last // 2]) / 2

    @cached_property
    def _all(self) -> Array | None:
        """All sums, where they are few."""
        if len(self) * self.x[0].size > FEW:
            return None
        if self.upper:
            i, j = np.triu_indices(len(self.x))
            return np.sort(self.x[i] + self.y[j], axis=0)
        sums = self.x[:, None] + self.y[None]
        return np.sort(sums.reshape(len(self), *self.x.shape[1:]), axis=0)


def _sum_at(place: int, x: Array, y: Array, upper: bool) -> float:
    """The sum at a place, for sorted x and y: halve the range in which it lies until few sums are left there."""
    first = np.arange(len(x)) if upper else np.zeros(len(x), int)

    def not_above(value: float) -> np.ndarray[tuple[int], np.dtype[np.intp]]:  # for each x where the sums above the value begin
        return np.maximum(np.searchsorted(y, value - x, side="right"), first)

    slack = 4 * float(np.spacing(max(abs(x[0]), abs(x[-1])) + max(abs(y[0]), abs(y[-1]))))  # sums are rounded
    low, high = float(x[0] + y[0]) - slack, float(x[-1] + y[-1]) + slack
    start, end = first, np.full(len(x), len(y))
    while (end - start).sum() > FEW // 4 and high - low > slack:
        middle = low + (high - low) / 2
        split = not_above(middle)
        if (split - first).sum() > place:
            high, end = middle, split
        else:
            low, start = middle, split
    if high - low <= slack:  # many equal sums
        return float((x + y[np.minimum(start, len(y) - 1)])[start < end].min())
    start, end = not_above(low - slack), not_above(high + slack)
    counts = end - start
    j = np.arange(counts.sum()) - np.repeat(counts.cumsum() - counts, counts) + np.repeat(start, counts)
    sums = np.repeat(x, counts) + y[j]
    return float(np.partition(sums, nth := place - int((start - first).sum()))[nth])
