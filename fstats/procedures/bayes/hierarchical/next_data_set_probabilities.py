"""Posterior predictive probabilities for the next data set.

They are the probabilities that A is better, that B is better, and that both are equivalent.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
from scipy import special

from ....core.numerics.bisection import bisect
from ....core.value_types import Array
from .quadrature_grid import QuadratureGrid, refined_nodes

# number of panels on each side of a limit of the rope (region of practical equivalence), smaller towards the limit
REFINEMENT_COUNT = 12


@lru_cache(maxsize=128)
def expected_shares(grid: QuadratureGrid, rope: float) -> Array:
    """Return the expected probability of each region."""
    if np.isinf(rope):
        return np.array([0.0, 1.0, 0.0])
    # small panels near the limits of the rope, because the integrand changes fast there if s is small
    distances = (grid.m_edges[-1] - grid.m_edges[0]) * 4.0 ** -np.arange(REFINEMENT_COUNT)
    m, matrix = refined_nodes(grid.m_edges, grid.per_panel, [end + side * distances for end in (-rope, rope) for side in (-1, 0, 1)])
    weights = np.tensordot(matrix, grid.weights, 1)
    shares: Array = np.einsum("cmst,mst->c", regions(m[:, None, None], grid.s[:, None], grid.df, rope), weights)
    return np.clip(shares, 0, 1)


@lru_cache(maxsize=128)
def most_probable_region(grid: QuadratureGrid, rope: float) -> Array:
    """Return, for each region, the probability that it is the most probable region."""
    if np.isinf(rope):
        return np.array([0.0, 1.0, 0.0])
    worse = better = 0.0
    per_panel = len(grid.s) // (len(grid.s_edges) - 1)
    # let a panel end at s = rope / t(2/3): for larger s, the rope is never the most probable region
    for k, df in enumerate(grid.df):
        s, matrix = refined_nodes(grid.s_edges, per_panel, rope / special.stdtrit(df, 2 / 3))
        refined = replace(grid, s=s, weights=np.einsum("us,ms->mu", matrix, grid.weights[..., k])[..., None])
        edge = rope_boundary(s[:, None], df, rope)
        worse += float(refined.cdf(-edge).sum())
        better += float(refined.weights.sum() - refined.cdf(edge).sum())
    return np.clip([worse, 1 - worse - better if rope else 0.0, better], 0, 1)


def regions(m: Any, s: Any, df: Any, rope: float) -> Array:
    """Return the probabilities that Student's t around m, with scale s, lies below -rope, within the rope, and above rope."""
    if np.isinf(rope):
        zeros = np.zeros(np.broadcast_shapes(np.shape(m), np.shape(s), np.shape(df)))
        return np.array([zeros, zeros + 1, zeros])
    worse, better = special.stdtr(df, (-rope - m) / s), special.stdtr(df, (m - rope) / s)
    return np.array([worse, np.maximum(1 - worse - better, 0) if rope else 0 * worse, better])


def rope_boundary(s: Any, df: Any, rope: float) -> Array:
    """Return, for each s and df, the largest m at which no side is more probable than the rope; 0 if there is no such m."""
    shape = np.broadcast_shapes(np.shape(s), np.shape(df))
    if np.isinf(rope):
        return np.full(shape, np.inf)

    def is_inside(m: Array) -> Any:
        better, worse = special.stdtr(df, (m - rope) / s), special.stdtr(df, (-rope - m) / s)
        return 1 - worse - better >= better

    # the solution lies below m = rope, where values above the rope have the probability 1/2
    return np.asarray(bisect(is_inside, np.zeros(shape), np.full(shape, float(rope)))[0])
