"""Exact null distribution of the Friedman statistic.

All orders of the ranks are equally likely.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import factorial, prod
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...core.value_types import Array, Integers, Value

Tails = tuple[Array, Array, Array]  # (values v in ascending order, P(X <= v) of each v, P(X >= v) of each v)
TOLERANCE = 1e-12
MAX_RANK_SUMS = 40_000_000  # maximum number of combinations of rank sums after a data set is added
CHUNK_SIZE = 2**22  # maximum number of integers computed together (32 MB)


@dataclass(frozen=True)
class FriedmanNull:
    """Distribution of Friedman's statistic of ``ranks`` (N, k) or (N, k, R) if each row is permuted at random.

    A permutation of the columns does not change the statistic, so only sorted rank sums are counted.  The computation adds one row of
    ranks at a time to a table of rank sums and of the number of ways to reach each combination of rank sums.
    """

    p_name: ClassVar[str] = "exact p"  # name of a p-value from this distribution
    ranks: Array
    correction: Any = 1.0

    @cached_property
    def _tables(self) -> list[Tails]:
        """Table for each repetition: the values of the statistic in ascending order, and both tail probabilities of each value."""
        n, k = self.ranks.shape[:2]
        rows = np.sort(np.rint(2 * self.ranks).astype(np.int64), axis=1).reshape(n, k, -1)
        corrections = np.broadcast_to(np.asarray(self.correction, float), self.ranks.shape[2:]).ravel()
        cache: dict[bytes, tuple[Integers, Array, Array]] = {}
        tables = []
        for r in range(rows.shape[2]):
            # sort the rows for the key of the cache, because their order has no effect on the table
            sorted_rows = rows[np.lexsort(rows[:, :, r].T), :, r]
            if (key := sorted_rows.tobytes()) not in cache:
                cache[key] = _squared_deviations(sorted_rows)
            squares, below, above = cache[key]
            scale = 3 / (n * k * (k + 1)) / (corrections[r] or 1.0)
            tables.append((squares * scale, below, above))
        return tables

    def at_most(self, x: Any) -> Value:
        """Return P(X <= x)."""
        return tail_probability(self._tables, self.ranks.shape[2:], x, _tolerance, upper=False)

    def at_least(self, x: Any) -> Value:
        """Return P(X >= x)."""
        return tail_probability(self._tables, self.ranks.shape[2:], x, _tolerance, upper=True)

    # critical values include a tolerance, because rounding may change the last digits of a statistic

    def low(self, alpha: float) -> Value:
        """Return the largest value c with P(X <= c) <= alpha, or -inf if there is none."""
        lowest = [values[below <= alpha][-1] * (1 + TOLERANCE) if (below <= alpha).any() else -np.inf for values, below, _ in self._tables]
        return np.array(lowest).reshape(self.ranks.shape[2:])[()]

    def high(self, alpha: float) -> Value:
        """Return the smallest value c with P(X >= c) <= alpha, or inf if there is none."""
        highest = [values[above <= alpha][0] * (1 - TOLERANCE) if (above <= alpha).any() else np.inf for values, _, above in self._tables]
        return np.array(highest).reshape(self.ranks.shape[2:])[()]

    def atoms(self) -> tuple[Array, Array]:
        """Return the values of the statistic and their probabilities (of a single test)."""
        values, _, above = self._tables[0]
        return values, above - np.r_[above[1:], 0.0]

    def __str__(self) -> str:
        n, k = self.ranks.shape[:2]
        return f"all ways to order {k} ranks on each of {n} data sets"


def _tolerance(_: Array, value: float) -> float:
    """Return the difference below which two values of the statistic are equal."""
    return 1e-9 * (1 + abs(value))


def tail_probability(
    tables: Sequence[Tails], repetitions: tuple[int, ...], x: Any, noise: Callable[[Array, float], float], *, upper: bool
) -> Value:
    """Return P(X >= x) or P(X <= x) from the table of each repetition; values of X that differ only by rounding noise are equal."""
    result = np.empty(np.broadcast_shapes(np.shape(x), repetitions))
    x_values = np.broadcast_to(np.asarray(x, float), result.shape)
    table_indices = np.broadcast_to(np.arange(len(tables)).reshape(repetitions), result.shape)
    for index in np.ndindex(result.shape):
        values, below, above = tables[int(table_indices[index])]
        value = float(x_values[index])
        if upper:
            result[index] = np.r_[above, 0.0][np.searchsorted(values, value - noise(values, value))]
        else:
            result[index] = np.r_[0.0, below][np.searchsorted(values, value + noise(values, value), side="right")]
    return result[()]


def permutation_count(ranks: Any) -> int:
    """Return the number of distinct permutations of ranks; swapping equal ranks gives no new permutation.

    >>> permutation_count([1.5, 1.5, 3])
    3
    """
    _, counts = np.unique(ranks, return_counts=True)
    return factorial(len(ranks)) // prod(factorial(int(count)) for count in counts)


def _squared_deviations(rows: Integers) -> tuple[Integers, Array, Array]:
    """Return the sums of squared deviations of doubled rank sums, and the tail probabilities P(X <= value) and P(X >= value).

    `rows` holds doubled ranks.  The number of ways is counted with integers and divided only at the end.  With fewer than 2**53 ways in
    all, each probability is therefore a correctly rounded exact fraction; with more ways, each probability is right to 14 digits.
    """
    n, k = rows.shape
    sums: Integers = rows[:1]
    # number of ways to get each row of rank sums; 1 at first, because the first row of ranks can be fixed
    ways: Array = np.ones(1)
    for row_count, row in enumerate(rows[1:], 2):
        if len(sums) * permutation_count(row) > MAX_RANK_SUMS:
            rule = f"the exact distribution of {n} x {k} ranks needs more than {MAX_RANK_SUMS:,} rank sums after {row_count} rows"
            raise ValueError(f"{rule}. Use fstats.ImanDavenport, which is the better approximation, or fewer data sets or classifiers.")
        sums, ways = _add_row(sums, ways, _row_permutations(tuple(row.tolist())), 2 * n * k + 1)
        ways *= 2.0 ** -max(0, int(np.log2(ways.sum())) - 900)  # prevent overflow; division by a power of two is exact
    squares, index = np.unique(((sums - n * (k + 1)) ** 2).sum(1), return_inverse=True)
    counts = np.bincount(index.ravel(), ways)
    below, above = counts.cumsum(), counts[::-1].cumsum()[::-1]
    return squares, below / below[-1], above / above[0]


@lru_cache(8)
def _row_permutations(row: tuple[int, ...]) -> NDArray[np.int16]:
    """Return all distinct permutations of a row, one permutation in each line."""
    values, counts = np.unique(row, return_counts=True)
    lines, unused = np.empty((1, 0), np.int16), counts[None].astype(np.int16)  # int16 needs less memory than int64
    for _ in row:
        line, value = np.nonzero(unused)
        lines = np.column_stack([lines[line], values[value].astype(np.int16)])
        unused = unused[line]
        unused[np.arange(len(unused)), value] -= 1
    return lines


def _add_row(sums: Integers, ways: Array, orders: NDArray[np.int16], base: int) -> tuple[Integers, Array]:
    """Return the distinct sorted rank sums after one more row of ranks, and the number of ways to reach each of them."""
    parts = []
    for chunk in np.array_split(orders, orders.size // CHUNK_SIZE + 1):
        size = max(1, CHUNK_SIZE // chunk.size)
        for first in range(0, len(sums), size):
            new_sums = np.sort((sums[first : first + size, None] + chunk).reshape(-1, chunk.shape[1]), axis=1)
            parts.append(_merge_equal_sums(new_sums, np.repeat(ways[first : first + size], len(chunk)), base))
    if len(parts) == 1:
        return parts[0]
    return _merge_equal_sums(np.concatenate([part for part, _ in parts]), np.concatenate([count for _, count in parts]), base)


def _merge_equal_sums(sums: Integers, ways: Array, base: int) -> tuple[Integers, Array]:
    """Return each distinct row of rank sums once, with the total number of ways to reach this row."""
    k = sums.shape[1]
    if (k - 1) * np.log2(base) < 62:  # encode each row as an integer, without its last entry, which follows from the others
        code = sums[:, : k - 1] @ np.int64(base) ** np.arange(k - 1, dtype=np.int64)
        _, first, index = np.unique(code, return_index=True, return_inverse=True)
        distinct = sums[first]
    else:
        distinct, index = np.unique(sums, axis=0, return_inverse=True)
    return distinct, np.bincount(index.ravel(), ways).astype(float)
