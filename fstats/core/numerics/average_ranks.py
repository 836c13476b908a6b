"""Average ranks; :mod:`fstats.core.numerics.floating_point_ties` defines which values tie."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..value_types import Array, broadcast_column
from .floating_point_ties import absolute_noise, accumulate, has_no_ties, sorted_with_positions, unify_ties


def average_ranks(x: Any, axis: int = 0) -> Array:
    """Return the ranks, 1 = smallest; equal values get the mean of their ranks.

    >>> average_ranks([2, 2, 6, 3])
    array([1.5, 1.5, 4. , 3. ])
    """
    x = np.moveaxis(np.asarray(x), axis, 0)
    ordered, positions = sorted_with_positions(x)
    number = broadcast_column(np.arange(len(x)), x)
    starts = np.concatenate([np.ones_like(ordered[:1], bool), ordered[1:] != ordered[:-1]])  # True at the first of several equal values
    ends = np.concatenate([starts[1:], starts[:1]])
    first = accumulate(np.maximum, np.where(starts, number, 0))
    last = accumulate(np.minimum, np.where(ends, number, len(x))[::-1])[::-1]
    ranks = np.empty(x.shape)
    ranks.reshape(-1)[positions] = (first + last) / 2 + 1
    return np.moveaxis(ranks, 0, axis)


def pooled_sample(x: Array, y: Array, lower: Any = 0.0) -> Array:
    """Concatenate x - lower and y; scores that differ only by rounding noise get the same value."""
    return unify_ties(np.concatenate([x - lower, y]), absolute_noise(x, y))


MAX_PAIRWISE_COLUMNS = 16  # maximum number of columns for which comparing all pairs is faster than sorting


def descending_row_ranks(x: Array) -> Array:
    """Return the ranks along the second axis, 1 = largest; equal values (up to rounding noise) get the mean of their ranks.

    >>> descending_row_ranks(np.array([[0.9, 0.7, 0.9], [0.1, 0.2, 0.3]]))
    array([[1.5, 3. , 1.5],
           [3. , 2. , 1. ]])
    """
    untied = has_no_ties(x, axis=1)
    if not untied:
        x = unify_ties(x, absolute_noise(x, axis=(0, 1)), axis=1)
    if x.shape[1] > MAX_PAIRWISE_COLUMNS:
        return average_ranks(-x, axis=1)
    better = (x[:, None] > x[:, :, None]).sum(2, dtype=float)
    if untied:
        return better + 1
    return (better - (x[:, None] < x[:, :, None]).sum(2) + (x.shape[1] + 1)) / 2
