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
    unit = _unit(np.maximum(np.abs(a), np.abs(b)).max(0))
    return np.round((a - b) * unit) / unit


def _unit(size: Array) -> Any:
    """What numbers of this size are multiplied by, so that whole numbers of 12 digits (for some sizes 13) remain."""
    return _UNITS[np.frexp(size)[1]]


# by binary exponent; those below 0 count from the end, as Python's indices do
_EXPONENTS = np.r_[0:1025, -1074:0]
_UNITS = 10.0 ** np.minimum(SIGNIFICANT - 1 - np.floor((_EXPONENTS - 1) * np.log10(2)), 300)


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


FEW = 16  # columns that are ranked faster by comparing each with each than by sorting


def ranks_in_rows(x: Array) -> Array:
    """Ranks along the second axis, 1 = largest, equal ones sharing their mean, after rounding to 12 digits of the row's largest.

    >>> ranks_in_rows(np.array([[0.9, 0.7, 0.9], [0.1, 0.2, 0.3]]))
    array([[1.5, 3. , 1.5],
           [3. , 2. , 1. ]])
    """
    x = np.rint(x * _unit(np.abs(x).max(1, keepdims=True)))
    if x.shape[1] > FEW:
        return average_ranks(-x, axis=1)
    worse = np.sign(x[:, None] - x[:, :, None]).sum(2)  # how many are better less how many are worse
    return (worse + (x.shape[1] + 1)) / 2
