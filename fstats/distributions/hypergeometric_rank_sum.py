"""Drawing from ranks with many ties: of each group of equal ranks only how many are drawn matters (the hypergeometric law).

Everything is a probability, so nothing is too large for a float, whatever the size of the groups.
"""

from __future__ import annotations

from itertools import accumulate
from math import comb

import numpy as np

from ..core.value_types import Array
from .rank_sum_counting import IntegerWeights

WHOLE = 1024  # ranks of two different values up to which the draws are counted in whole numbers of any length


def tie_groups(row: IntegerWeights) -> tuple[IntegerWeights, IntegerWeights]:
    """The different weights, ascending, and how often each occurs."""
    weights, sizes = np.unique(row, return_counts=True)
    return weights, sizes.astype(np.int64)


def hypergeometric(total: int, marked: int, drawn: int) -> tuple[int, Array]:
    """The least number of marked ones among those drawn, and the chances of it and of all numbers above: right to 12 digits.

    From the likeliest number on, each chance is the one beside it times a ratio.
    """
    least, most = max(0, drawn + marked - total), min(marked, drawn)
    likeliest = (drawn + 1) * (marked + 1) // (total + 2) - least
    x = np.arange(least, most, dtype=float)
    ratios = ((marked - x) * (drawn - x)) / ((x + 1) * (total - marked - drawn + x + 1))
    chances = np.concatenate([np.cumprod(1 / ratios[:likeliest][::-1])[::-1], [1.0], np.cumprod(ratios[likeliest:])])
    return least, chances / chances.sum()


def two_group_cdf(sizes: IntegerWeights, m: int) -> Array:
    """P(X <= least), P(X <= least + 1), ..., 1, where X of the m drawn are from the second of two groups."""
    few, many = sizes.tolist()
    if few + many > WHOLE:
        _, chances = hypergeometric(few + many, many, m)
        tails = np.minimum(chances.cumsum(), 1.0)
        tails[-1] = 1.0
        return tails
    ways = accumulate(comb(many, x) * comb(few, m - x) for x in range(max(0, m - few), min(many, m) + 1))
    total = comb(few + many, m)
    return np.array([count / total for count in ways])


def grouped_sum_cdf(weights: IntegerWeights, sizes: IntegerWeights, m: int) -> Array:
    """P(S <= least), P(S <= least + 1), ..., 1, where S is the sum of m drawn weights: one group after the other.

    ``found[j]`` holds the least sum of j weights drawn so far and the chances of it and of all sums above.  All that the groups
    before did not give comes from the last group, the largest.
    """
    order = _sort_largest_last(sizes)
    left = int(sizes.sum())
    found: dict[int, tuple[int, Array]] = {0: (0, np.ones(1))}
    for weight, size in zip(weights[order[:-1]].tolist(), sizes[order[:-1]].tolist()):
        parts: dict[int, list[tuple[int, Array]]] = {}
        for before, (start, chances) in found.items():
            least, shares = hypergeometric(left, size, m - before)
            for drawn, share in enumerate(shares.tolist(), least):
                parts.setdefault(before + drawn, []).append((start + drawn * weight, share * chances))
        found = {drawn: _sum_shifted_arrays(mine) for drawn, mine in parts.items()}
        left -= size
    last = int(weights[order[-1]])
    _, chances = _sum_shifted_arrays([(start + (m - drawn) * last, chances) for drawn, (start, chances) in found.items()])
    tails = np.minimum(chances.cumsum(), 1.0)
    tails[-1] = 1.0
    return tails


def operation_count(weights: IntegerWeights, sizes: IntegerWeights, m: int) -> int:
    """An upper limit of the additions that this takes."""
    order = _sort_largest_last(sizes)
    width, drawn, work = 1, 0, 0
    lowest, highest = int(weights.max()), 0
    for weight, size in zip(weights[order[:-1]].tolist(), sizes[order[:-1]].tolist()):
        fresh = min(size, m)
        work += (drawn + 1) * (fresh + 1) * (width + 100)  # 100: what a step in Python costs beside an addition
        drawn = min(drawn + fresh, m)
        lowest, highest = min(lowest, weight), max(highest, weight)
        width = drawn * (highest - lowest) + 1
    return work


def _sort_largest_last(sizes: IntegerWeights) -> list[int]:
    """The groups in their order, but the largest at the end."""
    largest = int(sizes.argmax())
    return [*range(largest), *range(largest + 1, len(sizes)), largest]


def _sum_shifted_arrays(parts: list[tuple[int, Array]]) -> tuple[int, Array]:
    """The sum of arrays that start at different places."""
    start = min(first for first, _ in parts)
    total = np.zeros(max(first + len(chances) for first, chances in parts) - start)
    for first, chances in parts:
        total[first - start : first - start + len(chances)] += chances
    return start, total
