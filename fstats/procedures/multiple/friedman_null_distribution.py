"""Friedman's null distribution, counted exactly: every order of the ranks in each row is equally likely."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import factorial, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.value_types import Array, Integers, Value

Tails = tuple[Array, Array, Array]  # values, ascending, and the chances of each or a smaller, of each or a larger one
HAIR = 1e-12
MOST = 40_000_000  # rows of rank sums that are made in one step
FEW = 2**22  # numbers that are made at once: 32 MB


@dataclass(frozen=True)
class PermutedRows:
    """Friedman's statistic of ``ranks`` (N, k) or (N, k, R) when each row is permuted at random.

    A permutation of the columns does not change the statistic, so only the sorted rank sums are counted: a table of rank sums
    and the ways to them grows by one row of ranks at a time.
    """

    ranks: Array
    correction: Any = 1.0

    @cached_property
    def _tables(self) -> list[Tails]:
        """For each repetition the values of the statistic, ascending, and the chances of each or a smaller, each or a larger one."""
        n, k = self.ranks.shape[:2]
        rows = np.sort(np.rint(2 * self.ranks).astype(np.int64), axis=1).reshape(n, k, -1)
        share = np.broadcast_to(np.asarray(self.correction, float), self.ranks.shape[2:]).ravel()
        known: dict[bytes, tuple[Integers, Array, Array]] = {}
        tables = []
        for r in range(rows.shape[2]):
            mine = rows[np.lexsort(rows[:, :, r].T), :, r]  # the order of the rows does not matter
            if (key := mine.tobytes()) not in known:
                known[key] = _spreads(mine)
            spread, below, above = known[key]
            scale = 3 / (n * k * (k + 1)) / (share[r] or 1.0)
            tables.append((spread * scale, below, above))
        return tables

    def at_most(self, x: Any) -> Value:
        """P(X <= x)."""
        return looked_up(self._tables, self.ranks.shape[2:], x, _hair, upper=False)

    def at_least(self, x: Any) -> Value:
        """P(X >= x)."""
        return looked_up(self._tables, self.ranks.shape[2:], x, _hair, upper=True)

    # Critical values lie a hair on the safe side: a statistic may differ from them in its last binary digits.

    def low(self, alpha: float) -> Value:
        """The largest value c with P(X <= c) <= alpha; -inf if there is none."""
        lowest = [values[below <= alpha][-1] * (1 + HAIR) if (below <= alpha).any() else -np.inf for values, below, _ in self._tables]
        return np.array(lowest).reshape(self.ranks.shape[2:])[()]

    def high(self, alpha: float) -> Value:
        """The smallest value c with P(X >= c) <= alpha; inf if there is none."""
        highest = [values[above <= alpha][0] * (1 - HAIR) if (above <= alpha).any() else np.inf for values, _, above in self._tables]
        return np.array(highest).reshape(self.ranks.shape[2:])[()]

    def atoms(self) -> tuple[Array, Array]:
        """Values and their probabilities (of a single test)."""
        values, _, above = self._tables[0]
        return values, above - np.r_[above[1:], 0.0]

    def __str__(self) -> str:
        n, k = self.ranks.shape[:2]
        return f"all {k}!^{n} ways to order {k} ranks on each of {n} data sets"


def _hair(_: Array, one: float) -> float:
    """A value of the statistic may differ in its last digits."""
    return 1e-9 * (1 + abs(one))


def looked_up(
    tables: Sequence[Tails], repetitions: tuple[int, ...], x: Any, noise: Callable[[Array, float], float], *, upper: bool
) -> Value:
    """P(X >= x), or P(X <= x), out of the table of each repetition, where values that differ by noise are the same."""
    result = np.empty(np.broadcast_shapes(np.shape(x), repetitions))
    asked = np.broadcast_to(np.asarray(x, float), result.shape)
    which = np.broadcast_to(np.arange(len(tables)).reshape(repetitions), result.shape)
    for place in np.ndindex(result.shape):
        values, below, above = tables[int(which[place])]
        one = float(asked[place])
        if upper:
            result[place] = np.r_[above, 0.0][np.searchsorted(values, one - noise(values, one))]
        else:
            result[place] = np.r_[0.0, below][np.searchsorted(values, one + noise(values, one), side="right")]
    return result[()]


def arrangements(ranks: Any) -> int:
    """In how many different orders ranks can stand, of which equal ones cannot be told apart.

    >>> arrangements([1.5, 1.5, 3])
    3
    """
    _, times = np.unique(ranks, return_counts=True)
    return factorial(len(ranks)) // prod(factorial(int(t)) for t in times)


def _spreads(rows: Integers) -> tuple[Integers, Array, Array]:
    """For rows of doubled ranks: the sums of squared deviations of the doubled rank sums, P(that or less), P(that or more).

    Ways are counted and divided only at the end, so that the probabilities are the exact fractions, correctly rounded, while
    there are fewer than 2**53 ways in all; beyond, they are right to 14 digits.
    """
    n, k = rows.shape
    sums: Integers = rows[:1]
    ways: Array = np.ones(1)  # the first row may stay as it is
    for done, row in enumerate(rows[1:], 2):
        each = arrangements(row)
        if len(sums) * each > MOST:
            raise ValueError(
                f"the exact distribution of {n} x {k} ranks needs more than {MOST:,} rank sums after {done} rows: use method='chi-squared' "
                "(or fewer data sets or classifiers)"
            )
        sums, ways = _one_more_row(sums, ways, _orders(tuple(row.tolist())), 2 * n * k + 1)
        ways *= 2.0 ** -max(0, int(np.log2(ways.sum())) - 900)  # a power of 2 keeps large numbers of ways finite
    spread, place = np.unique(((sums - n * (k + 1)) ** 2).sum(1), return_inverse=True)
    counts = np.bincount(place.ravel(), ways)
    below, above = counts.cumsum(), counts[::-1].cumsum()[::-1]
    return spread, below / below[-1], above / above[0]


@lru_cache(8)
def _orders(row: tuple[int, ...]) -> NDArray[np.int16]:
    """All different orders of a row, one in each line: from left to right, every value that is still left over."""
    values, times = np.unique(row, return_counts=True)
    lines, left = np.empty((1, 0), np.int16), times[None].astype(np.int16)
    for _ in row:
        line, value = np.nonzero(left)
        lines = np.column_stack([lines[line], values[value].astype(np.int16)])
        left = left[line]
        left[np.arange(len(left)), value] -= 1
    return lines  # small numbers, since there may be many


def _one_more_row(sums: Integers, ways: Array, orders: NDArray[np.int16], base: int) -> tuple[Integers, Array]:
    """The different sorted rank sums after one more row, and the ways to each; a few sums at a time."""
    parts = []
    for some in np.array_split(orders, orders.size // FEW + 1):
        few = max(1, FEW // some.size)
        for first in range(0, len(sums), few):
            grown = np.sort((sums[first : first + few, None] + some).reshape(-1, some.shape[1]), axis=1)
            parts.append(_collected(grown, np.repeat(ways[first : first + few], len(some)), base))
    if len(parts) == 1:
        return parts[0]
    return _collected(np.concatenate([part for part, _ in parts]), np.concatenate([count for _, count in parts]), base)


def _collected(sums: Integers, ways: Array, base: int) -> tuple[Integers, Array]:
    """Each different line of sums once, with all ways to it."""
    k = sums.shape[1]
    if (k - 1) * np.log2(base) < 62:  # the line as one number, without its last entry, which follows from the others
        code = sums[:, : k - 1] @ np.int64(base) ** np.arange(k - 1, dtype=np.int64)
        _, first, place = np.unique(code, return_index=True, return_inverse=True)
        different = sums[first]
    else:
        different, place = np.unique(sums, axis=0, return_inverse=True)
    return different, np.bincount(place.ravel(), ways).astype(float)
