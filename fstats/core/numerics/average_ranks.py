"""Average ranks of tied values.

:mod:`fstats.core.numerics.floating_point_ties` defines ties.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..value_types import Array, broadcast_column
from .floating_point_ties import FEW_NUMBERS, absolute_noise, accumulate, has_no_ties, noise_upper_bound, sorted_with_positions, unify_ties


def average_ranks(x: Any, axis: int = 0) -> Array:
    """Return the ranks, 1 = smallest; equal values get the mean of their ranks.

    >>> average_ranks([2, 2, 6, 3])
    array([1.5, 1.5, 4. , 3. ])
    """
    x = np.asarray(x)
    x = x if x.ndim == 1 else np.moveaxis(x, axis, 0)
    ordered, positions = sorted_with_positions(x)
    if x.ndim == 1 and (ordered[1:] > ordered[:-1]).all():  # fast path: no ties
        untied = np.empty(len(x))
        untied[positions] = np.arange(1.0, len(x) + 1)
        return untied
    number = broadcast_column(np.arange(len(x)), x)
    # True where a group of ties starts
    starts = np.concatenate([np.ones_like(ordered[:1], bool), ordered[1:] != ordered[:-1]])
    ends = np.concatenate([starts[1:], starts[:1]])
    first = accumulate(np.maximum, np.where(starts, number, 0))
    last = accumulate(np.minimum, np.where(ends, number, len(x))[::-1])[::-1]
    ranks = np.empty(x.shape)
    ranks.reshape(-1)[positions] = (first + last) / 2 + 1
    return np.moveaxis(ranks, 0, axis)


def pooled_sample(x: Array, y: Array, lower: Any = 0.0) -> Array:
    """Concatenate x - lower and y; scores that differ only by rounding noise get the same value."""
    pooled = np.concatenate([x - lower, y])
    return pooled if has_no_ties(pooled) else unify_ties(pooled, absolute_noise(x, y))


MAX_PAIRWISE_COLUMNS = 16  # up to this number of columns, a comparison of all pairs of columns is faster than sorting


def descending_row_ranks(x: Array) -> Array:
    """Return the ranks along the second axis, 1 = largest; equal values (up to rounding noise) get the mean of their ranks.

    >>> descending_row_ranks(np.array([[0.9, 0.7, 0.9], [0.1, 0.2, 0.3]]))
    array([[1.5, 3. , 1.5],
           [3. , 2. , 1. ]])
    """
    few = x.size < FEW_NUMBERS
    if few:
        columns = np.ascontiguousarray(x.swapaxes(0, 1))
        better = columns[:, None] - columns > noise_upper_bound(x)
        if 2 * np.count_nonzero(better) == x.size * (x.shape[1] - 1):  # common case: no two scores of a row are tied
            return better.sum(0, dtype=float, initial=1.0).swapaxes(0, 1)
    untied = not few and has_no_ties(x, axis=1)
    if not untied:
        x = unify_ties(x, absolute_noise(x, axis=(0, 1)), axis=1)
    if x.shape[1] > MAX_PAIRWISE_COLUMNS:
        return average_ranks(-x, axis=1)
    better = (x[:, None] > x[:, :, None]).sum(2, dtype=float)
    if untied:
        return better + 1
    return (better - (x[:, None] < x[:, :, None]).sum(2) + (x.shape[1] + 1)) / 2
