"""Counting in how many ways ranks with any ties can be given signs or be drawn, one rank after the other."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.value_types import Array

EXACT = 2.0**53  # whole numbers up to here are exact as floats
IntegerWeights = NDArray[np.int64]  # sorted weights, in whole or half ranks


def sign_cdf_rows(rows: IntegerWeights, largest: int) -> Array:
    """P(sum <= 0), P(sum <= 1), ... of many rows at once."""
    chances = np.zeros((len(rows), largest + 1))
    chances[:, 0] = 1
    reached = 0
    for coin in rows.T:
        before = chances[:, : reached + 1] / 2
        chances[:, : reached + 1] = before  # tails: the sum stays
        for weight, mine in _unique_weights(coin):  # heads: it grows by the weight
            grown = min(reached + weight, largest)
            chances[mine, weight : grown + 1] += before[mine, : grown + 1 - weight]
        reached = min(reached + int(coin.max()), largest)
    return np.minimum(chances.cumsum(1), 1)


def sign_cdf_row(row: IntegerWeights, largest: int) -> Array:
    """The same for one long row: the lower half is counted, the upper one is its mirror image."""
    middle = largest // 2
    chances = np.zeros(middle + 1)
    chances[0] = 1
    reached = 0
    for number, weight in enumerate(row.tolist(), 1):
        grown = min(reached + weight, middle)
        chances[weight : grown + 1] += chances[: max(0, grown + 1 - weight)].copy()
        reached = grown
        if number % 500 == 0:
            chances *= 2.0**-500  # a power of 2 in time keeps large counts finite
    below = (chances * 2.0 ** -(len(row) % 500)).cumsum()
    return np.concatenate([below, 1 - below[: largest - middle - 1][::-1], [1.0]]) if largest else np.ones(1)


def count_signs(n: int) -> list[int]:
    """How many of the 2^n signs of the ranks 1, ..., n have a positive sum of at most 0, 1, ..., in whole numbers."""
    ways = np.zeros(n * (n + 1) // 2 + 1, object)
    ways[0] = 1
    for rank in range(1, n + 1):
        ways[rank:] += ways[:-rank].copy()
    return ways.cumsum().tolist()


def count_draws_rows(rows: IntegerWeights, m: int) -> Array:
    """In how many ways m weights of each row have the sum 0, 1, ...: one more weight at a time, drawn or not."""
    most = int(rows[:, len(rows[0]) - m :].sum(1).max())
    draws = np.zeros((len(rows), m + 1, most + 1))  # the axis in the middle counts those drawn
    draws[:, 0, 0] = 1
    for number, weights in enumerate(rows.T):
        drawn = min(number + 1, m)
        before = draws[:, :drawn].copy()
        for weight, mine in _unique_weights(weights):
            draws[mine, 1 : drawn + 1, weight:] += before[mine, :, : most + 1 - weight]
    return draws[:, m]


def count_draws_row(row: IntegerWeights, m: int) -> Array:
    """The same for one long row, from its least sum on."""
    total = len(row)
    if 2 * m > total:
        return count_draws_row(row, total - m)[::-1]  # draw those that stay behind
    up, down = (row - row[0]).tobytes(), (row[-1] - row)[::-1].tobytes()
    return _count_draws(up, m) if up <= down else _count_draws(down, m)[::-1]  # both tails of a test come from one table


@lru_cache(1)
def _count_draws(row_bytes: bytes, m: int) -> Array:
    """The draws of at most half of the weights: of each number drawn only the sums that occur."""
    row = np.frombuffer(row_bytes, np.int64)
    weights, total = row.tolist(), len(row)
    draws = np.zeros((m + 1, int(row[total - m :].sum() - row[:m].sum()) + 1))  # by number drawn and excess over the least sum
    draws[0, 0] = 1
    width = [1] + [0] * m
    for seen, weight in enumerate(weights, 1):
        for drawn in range(min(seen, m), max(1, m - (total - seen)) - 1, -1):  # those from which m can still be reached
            excess = weight - weights[drawn - 1]
            end = excess + width[drawn - 1]
            draws[drawn, excess:end] += draws[drawn - 1, : width[drawn - 1]]
            width[drawn] = max(width[drawn], end)
    return draws[m].copy()


def probabilities(counts: Array, total: int) -> Array:
    """Counts by their total, correctly rounded where the count is exact."""
    if total < EXACT:
        return counts / total
    shares = np.minimum(counts / float(total), 1.0)
    exact = counts < EXACT
    shares[exact] = [int(count) / total for count in counts[exact].tolist()]
    shares[-1] = 1.0
    return shares


def untied_unit(row: IntegerWeights) -> tuple[int, int]:
    """How many weights and their unit, if the weights of a sorted row that are not 0 are the unit times 1, 2, ...; else 0 and 1."""
    ranks = row[row > 0]
    unit = int(ranks[0]) if len(ranks) else 1
    return (len(ranks), unit) if np.array_equal(ranks, unit * np.arange(1, len(ranks) + 1)) else (0, 1)


def _unique_weights(weights: IntegerWeights) -> Iterator[tuple[int, Any]]:
    """The different weights, and the rows that have each."""
    different = np.unique(weights)
    for weight in different:
        yield int(weight), slice(None) if len(different) == 1 else weights == weight
