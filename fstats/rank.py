"""Average ranks, and the rule for which differences tie."""

from __future__ import annotations

from typing import Any

import numpy as np

from .null import Array

SIGNIFICANT = 12  # digits of the largest score that count; measured scores have far fewer


def difference(a: Array, b: Array) -> Array:
    """Difference of a and b without the noise of binary fractions, so that what prints equal ties: 0.88 - 0.85 and 0.69 - 0.66.

    Rounded to 12 significant digits of the largest score (of each repetition).
    """
    size = np.maximum(np.abs(a), np.abs(b)).max(0)
    unit = 10.0 ** np.minimum(SIGNIFICANT - 1 - np.floor(np.log10(np.where(size > 0, size, 1.0))), 300)
    return np.round((a - b) * unit) / unit


def average_ranks(x: Any, axis: int = 0) -> Array:
    """1 = smallest; equal values share the mean of the ranks they span.

    >>> average_ranks([2, 2, 6, 3])
    array([1.5, 1.5, 4. , 3. ])
    """
    x = np.moveaxis(np.asarray(x), axis, 0)
    order = np.argsort(x, axis=0, kind="stable")
    ordered = np.take_along_axis(x, order, 0)
    place = np.arange(len(x)).reshape(-1, *(1,) * (x.ndim - 1))
    starts = np.concatenate([np.ones_like(ordered[:1], bool), ordered[1:] != ordered[:-1]])  # of runs of equal values
    ends = np.concatenate([starts[1:], starts[:1]])
    first = np.maximum.accumulate(np.where(starts, place, 0), 0)
    last = np.minimum.accumulate(np.where(ends, place, len(x))[::-1], 0)[::-1]
    ranks = np.empty(x.shape)
    np.put_along_axis(ranks, order, (first + last) / 2 + 1, 0)
    return np.moveaxis(ranks, 0, axis)


def joint_ranks(x: Array, y: Array) -> Array:
    """Ranks of two samples together, those of x first, after rounding both as :func:`difference` does."""
    both = np.concatenate([x, y])
    return average_ranks(difference(both, np.zeros_like(both)))
