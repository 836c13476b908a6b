"""Number of ways to get each rank sum.

The counts are for exact rank tests, with ties.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.value_types import Array

MAX_EXACT_COUNT = 2.0**53  # floats represent all whole numbers up to this limit exactly
IntegerWeights = NDArray[np.int64]  # sorted weights in units of 1 or 1/2


def sign_cdf_rows(rows: IntegerWeights, largest: int) -> Array:
    """Return P(sum <= 0), P(sum <= 1), ... of many rows at once."""
    values = np.zeros((len(rows), largest + 1))
    values[:, 0] = 1
    width = 0
    for weights in rows.T:
        before = values[:, : width + 1] / 2
        values[:, : width + 1] = before  # sums in which the weight has a negative sign
        for weight, equal in _unique_weights(weights):
            end = min(width + weight, largest)
            values[equal, weight : end + 1] += before[equal, : end + 1 - weight]
        width = min(width + int(weights.max()), largest)
    return np.minimum(values.cumsum(1), 1)


def sign_cdf_row(row: IntegerWeights, largest: int) -> Array:
    """Return P(sum <= 0), P(sum <= 1), ... of one long row: the lower half is counted, the upper half is its mirror image."""
    middle = largest // 2
    counts = np.zeros(middle + 1)
    counts[0] = 1
    width = 0
    for number, weight in enumerate(row.tolist(), 1):
        width = min(width + weight, middle)
        counts[weight : width + 1] += counts[: max(0, width + 1 - weight)].copy()
        if number % 500 == 0:
            counts *= 2.0**-500  # scale the counts down, so that they do not overflow
    below = (counts * 2.0 ** -(len(row) % 500)).cumsum()
    return np.concatenate([below, 1 - below[: largest - middle - 1][::-1], [1.0]]) if largest else np.ones(1)


def count_signs(n: int) -> list[int]:
    """Count, as Python integers, the assignments of signs to the ranks 1, ..., n with a sum of positive ranks of at most 0, 1, ...."""
    ways = np.zeros(n * (n + 1) // 2 + 1, object)
    ways[0] = 1
    for rank in range(1, n + 1):
        ways[rank:] += ways[:-rank].copy()
    return ways.cumsum().tolist()


def count_draws_rows(rows: IntegerWeights, m: int) -> Array:
    """Count the draws of m weights of each row that have the sum 0, 1, ..., by adding one weight after the other as drawn or not drawn."""
    most = int(rows[:, len(rows[0]) - m :].sum(1).max())
    draws = np.zeros((len(rows), m + 1, most + 1))  # axes: row, number of drawn weights, sum of drawn weights
    draws[:, 0, 0] = 1
    for number, weights in enumerate(rows.T):
        drawn = min(number + 1, m)
        before = draws[:, :drawn].copy()
        for weight, equal in _unique_weights(weights):
            draws[equal, 1 : drawn + 1, weight:] += before[equal, :, : most + 1 - weight]
    return draws[:, m]


def count_draws_row(row: IntegerWeights, m: int) -> Array:
    """Count the draws of m weights of one long row for each sum, beginning with the least sum."""
    total = len(row)
    if 2 * m > total:
        return count_draws_row(row, total - m)[::-1]  # count the draws of the remaining weights, which are fewer
    up, down = (row - row[0]).tobytes(), (row[-1] - row)[::-1].tobytes()
    return _count_draws(up, m) if up <= down else _count_draws(down, m)[::-1]  # one table for both tails of a test


@lru_cache(1)
def _count_draws(row_bytes: bytes, m: int) -> Array:
    """Count the draws of m weights, at most half of all; compute only possible sums for each number of drawn weights."""
    row = np.frombuffer(row_bytes, np.int64)
    weights, total = row.tolist(), len(row)
    # axes: number of drawn weights, and sum above the smallest possible sum
    draws = np.zeros((m + 1, int(row[total - m :].sum() - row[:m].sum()) + 1))
    draws[0, 0] = 1
    width = [1] + [0] * m
    for number, weight in enumerate(weights, 1):
        # skip numbers of drawn weights from which the remaining weights cannot give m draws
        for drawn in range(min(number, m), max(1, m - (total - number)) - 1, -1):
            excess = weight - weights[drawn - 1]
            end = excess + width[drawn - 1]
            draws[drawn, excess:end] += draws[drawn - 1, : width[drawn - 1]]
            width[drawn] = max(width[drawn], end)
    return draws[m].copy()


def probabilities(counts: Array, total: int) -> Array:
    """Divide counts by their total; the result is correctly rounded if the count is exact."""
    if total < MAX_EXACT_COUNT:
        return counts / total
    result = np.minimum(counts / float(total), 1.0)
    exact = counts < MAX_EXACT_COUNT
    result[exact] = [int(count) / total for count in counts[exact].tolist()]
    result[-1] = 1.0
    return result


def untied_unit(row: IntegerWeights) -> tuple[int, int]:
    """Return number and unit of the nonzero weights of a sorted row if they are the unit times 1, 2, ...; else 0 and 1."""
    ranks = row[row > 0]
    unit = int(ranks[0]) if len(ranks) else 1
    return (len(ranks), unit) if np.array_equal(ranks, unit * np.arange(1, len(ranks) + 1)) else (0, 1)


def _unique_weights(weights: IntegerWeights) -> Iterator[tuple[int, Any]]:
    """Yield each distinct weight, and a mask or slice of the rows with this weight."""
    different = np.unique(weights)
    for weight in different:
        yield int(weight), slice(None) if len(different) == 1 else weights == weight
