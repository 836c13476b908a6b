"""Exact distribution of rank sums with many ties.

It is computed from hypergeometric draws out of each group of equal ranks.

All values are probabilities, so no value is too large for a float, whatever the size of the groups.
"""

from __future__ import annotations

from itertools import accumulate
from math import comb

import numpy as np

from ..core.value_types import Array
from .rank_sum_counting import IntegerWeights

# up to this number of ranks, draws from two groups of ties are counted with Python integers
MAX_INTEGER_RANKS = 1024


def tie_groups(row: IntegerWeights) -> tuple[IntegerWeights, IntegerWeights]:
    """Return the distinct weights in ascending order, and the frequency of each."""
    weights, sizes = np.unique(row, return_counts=True)
    return weights, sizes.astype(np.int64)


def hypergeometric(total: int, marked: int, drawn: int) -> tuple[int, Array]:
    """Return the least number of marked items among the drawn items, and the probabilities of all numbers from the least on (12 digits).

    The computation starts at the most probable number; each probability is the neighbouring probability times a ratio.
    """
    least, most = max(0, drawn + marked - total), min(marked, drawn)
    mode = (drawn + 1) * (marked + 1) // (total + 2) - least
    x = np.arange(least, most, dtype=float)
    ratios = ((marked - x) * (drawn - x)) / ((x + 1) * (total - marked - drawn + x + 1))
    values = np.concatenate([np.cumprod(1 / ratios[:mode][::-1])[::-1], [1.0], np.cumprod(ratios[mode:])])
    return least, values / values.sum()


def two_group_cdf(sizes: IntegerWeights, m: int) -> Array:
    """Return P(X <= least), P(X <= least + 1), ..., 1, where X is the number of drawn ranks from the second of two groups."""
    first, second = sizes.tolist()
    if first + second > MAX_INTEGER_RANKS:
        return _cumulative(hypergeometric(first + second, second, m)[1])
    counts = accumulate(comb(second, x) * comb(first, m - x) for x in range(max(0, m - first), min(second, m) + 1))
    total = comb(first + second, m)
    return np.array([count / total for count in counts])


def _cumulative(probabilities: Array) -> Array:
    """Return cumulative sums of probabilities; the last sum is exactly 1."""
    sums = np.minimum(probabilities.cumsum(), 1.0)
    sums[-1] = 1.0
    return sums


def grouped_sum_cdf(weights: IntegerWeights, sizes: IntegerWeights, m: int) -> Array:
    """Return P(S <= least), P(S <= least + 1), ..., 1, where S is the sum of m drawn weights; groups of equal weights are added one by one.

    ``sums[j]`` holds the least sum of j weights drawn so far, and the probabilities of the least sum and of all larger sums.  The
    largest group comes last: drawn weights that are not from the other groups are from the largest group.
    """
    order = _sort_largest_last(sizes)
    remaining = int(sizes.sum())
    sums: dict[int, tuple[int, Array]] = {0: (0, np.ones(1))}
    for weight, size in zip(weights[order[:-1]].tolist(), sizes[order[:-1]].tolist()):
        parts: dict[int, list[tuple[int, Array]]] = {}
        for before, (start, probabilities) in sums.items():
            least, shares = hypergeometric(remaining, size, m - before)
            for drawn, share in enumerate(shares.tolist(), least):
                parts.setdefault(before + drawn, []).append((start + drawn * weight, share * probabilities))
        sums = {drawn: _sum_shifted_arrays(arrays) for drawn, arrays in parts.items()}
        remaining -= size
    last = int(weights[order[-1]])
    return _cumulative(_sum_shifted_arrays([(start + (m - drawn) * last, values) for drawn, (start, values) in sums.items()])[1])


def operation_count(weights: IntegerWeights, sizes: IntegerWeights, m: int) -> int:
    """Return an upper bound of the number of additions in :func:`grouped_sum_cdf`."""
    order = _sort_largest_last(sizes)
    width, drawn, work = 1, 0, 0
    lowest, highest = int(weights.max()), 0
    for weight, size in zip(weights[order[:-1]].tolist(), sizes[order[:-1]].tolist()):
        most = min(size, m)
        work += (drawn + 1) * (most + 1) * (width + 100)  # one step of the Python loop takes as long as 100 additions
        drawn = min(drawn + most, m)
        lowest, highest = min(lowest, weight), max(highest, weight)
        width = drawn * (highest - lowest) + 1
    return work


def _sort_largest_last(sizes: IntegerWeights) -> list[int]:
    """Return the indices of the groups in order, except that the largest group is last."""
    largest = int(sizes.argmax())
    return [*range(largest), *range(largest + 1, len(sizes)), largest]


def _sum_shifted_arrays(parts: list[tuple[int, Array]]) -> tuple[int, Array]:
    """Return the first position of the sum of arrays that start at different positions, and this sum."""
    start = min(first for first, _ in parts)
    total = np.zeros(max(first + len(values) for first, values in parts) - start)
    for first, values in parts:
        total[first - start : first - start + len(values)] += values
    return start, total
