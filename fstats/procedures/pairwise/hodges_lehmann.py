"""Hodges-Lehmann estimate and its confidence interval."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...core.value_types import Array, Value

# Up to this number of pair sums, all are stored and sorted (32 MB).  If there are more, only sums near the requested index are computed.
MAX_STORED_SUMS = 2**22


@dataclass(frozen=True)
class SortedPairSums:
    """Sums x_i + y_j of all pairs, or of the pairs with i <= j (``upper``), in ascending order along the first axis.

    The number of sums in memory at any time is limited.

    >>> sums = SortedPairSums(np.array([0.0, 10.0]), np.array([1.0, 2.0]))
    >>> len(sums), sums[1], sums.median
    (4, np.float64(2.0), np.float64(6.5))
    """

    x: Array
    y: Array
    upper: bool = False

    def __len__(self) -> int:
        n = len(self.x)
        return n * (n + 1) // 2 if self.upper else n * len(self.y)

    def __getitem__(self, index: int) -> Value:
        """Return the sum at an index of the ascending order."""
        index = range(len(self))[index]
        if self._all_sums is not None:
            return self._all_sums[index]
        columns = [np.asarray(part, float).reshape(len(part), -1).T for part in (self.x, self.y)]
        sums = [_select_sum(index, np.sort(x), np.sort(y), self.upper) for x, y in zip(*columns, strict=True)]
        return np.array(sums).reshape(self.x.shape[1:])[()]

    @property
    def median(self) -> Value:
        """Median of all pair sums."""
        last = len(self) - 1
        return (self[last // 2] + self[last - last // 2]) / 2

    @cached_property
    def _all_sums(self) -> Array | None:
        """All pair sums in ascending order, or None if there are too many sums to store."""
        if len(self) * self.x[0].size > MAX_STORED_SUMS:
            return None
        if self.upper:
            i, j = np.triu_indices(len(self.x))
            return np.sort(self.x[i] + self.y[j], axis=0)
        sums = self.x[:, None] + self.y[None]
        return np.sort(sums.reshape(len(self), *self.x.shape[1:]), axis=0)


def _select_sum(index: int, x: Array, y: Array, upper: bool) -> float:
    """Return the sum at an index of the ascending order, for sorted x and y.

    The range of values that contains the requested sum is halved until few sums are left in the range.
    """
    first = np.arange(len(x)) if upper else np.zeros(len(x), int)

    def first_above(value: float) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
        """Return, for each x, the index of the first y for which the sum x + y is above the value."""
        return np.maximum(np.searchsorted(y, value - x, side="right"), first)

    slack = 4 * float(np.spacing(max(abs(x[0]), abs(x[-1])) + max(abs(y[0]), abs(y[-1]))))  # maximum rounding error of a pair sum
    low, high = float(x[0] + y[0]) - slack, float(x[-1] + y[-1]) + slack
    start, end = first, np.full(len(x), len(y))
    while (end - start).sum() > MAX_STORED_SUMS // 4 and high - low > slack:
        middle = low + (high - low) / 2
        split = first_above(middle)
        if (split - first).sum() > index:
            high, end = middle, split
        else:
            low, start = middle, split
    if high - low <= slack:  # all sums in this small range are equal up to rounding
        return float((x + y[np.minimum(start, len(y) - 1)])[start < end].min())
    start, end = first_above(low - slack), first_above(high + slack)
    counts = end - start
    j = np.arange(counts.sum()) - np.repeat(counts.cumsum() - counts, counts) + np.repeat(start, counts)
    sums = np.repeat(x, counts) + y[j]
    return float(np.partition(sums, nth := index - int((start - first).sum()))[nth])
