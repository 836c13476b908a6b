"""What a posterior of populations says of the next data set: the probabilities of three regions, which are themselves not known."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
from scipy import special

from ...core.value import Array
from .panels import Grid, resampled

FINEST = 12  # panels that shrink towards an end of the rope


@lru_cache(maxsize=128)
def expected_shares(grid: Grid, rope: float) -> Array:
    """The expected probability of each region."""
    if np.isinf(rope):
        return np.array([0.0, 1.0, 0.0])
    near = (grid.m_edges[-1] - grid.m_edges[0]) * 4.0 ** -np.arange(FINEST)  # where s is small, much changes at the ends of the rope
    m, matrix = resampled(grid.m_edges, grid.per_panel, [end + side * near for end in (-rope, rope) for side in (-1, 0, 1)])
    weights = np.tensordot(matrix, grid.weights, 1)
    found: Array = np.einsum("cmst,mst->c", regions(m[:, None, None], grid.s[:, None], grid.df, rope), weights)
    return np.clip(found, 0, 1)


@lru_cache(maxsize=128)
def largest_shares(grid: Grid, rope: float) -> Array:
    """The probability of each region to be the most probable one."""
    if np.isinf(rope):
        return np.array([0.0, 1.0, 0.0])
    worse = better = 0.0
    per_panel = len(grid.s) // (len(grid.s_edges) - 1)
    for k, df in enumerate(grid.df):  # of a larger s some side is always more probable than the rope
        s, matrix = resampled(grid.s_edges, per_panel, rope / special.stdtrit(df, 2 / 3))
        own = replace(grid, s=s, weights=np.einsum("us,ms->mu", matrix, grid.weights[..., k])[..., None])
        edge = where_largest(s[:, None], df, rope)
        worse += float(own.below(-edge).sum())
        better += float(own.weights.sum() - own.below(edge).sum())
    return np.clip([worse, 1 - worse - better if rope else 0.0, better], 0, 1)


def regions(m: Any, s: Any, df: Any, rope: float) -> Array:
    """The chances of a Student's t around m, in units of s, to lie below -rope, within and above rope."""
    if np.isinf(rope):
        none = np.zeros(np.broadcast_shapes(np.shape(m), np.shape(s), np.shape(df)))
        return np.array([none, none + 1, none])
    worse, better = special.stdtr(df, (-rope - m) / s), special.stdtr(df, (m - rope) / s)
    return np.array([worse, np.maximum(1 - worse - better, 0) if rope else 0 * worse, better])


def where_largest(s: Any, df: Any, rope: float) -> Array:
    """The largest m at which no side is more probable than the rope, for each s and df; 0 where some side always is."""
    shape = np.broadcast_shapes(np.shape(s), np.shape(df))
    if np.isinf(rope):
        return np.full(shape, np.inf)
    low, high = np.zeros(shape), np.full(shape, rope) + 0.0  # from m = rope on, one side has half of it
    for _ in range(60):
        middle = (low + high) / 2
        better, worse = special.stdtr(df, (middle - rope) / s), special.stdtr(df, (-rope - middle) / s)
        inside = 1 - worse - better >= better
        low, high = np.where(inside, middle, low), np.where(inside, high, middle)
    return low
