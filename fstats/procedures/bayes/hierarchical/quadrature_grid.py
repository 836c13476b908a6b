"""Adaptive Gauss-Legendre quadrature in three dimensions.

The panels of nodes lie where the density is high.

Within a panel the density is a polynomial, so it can be evaluated anywhere, and integrated up to any value.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ....core.value_types import Array
from .data_set_likelihood import gauss_legendre

# the boundaries between panels are the quantiles at these probabilities
LEVELS = np.array([1e-9, 1e-3, 0.03, 0.2, 0.5, 0.8, 0.97, 1 - 1e-3, 1 - 1e-9])
GROWTH = 3.0  # maximum ratio of the length of a panel to the length of its neighbour nearer to the middle


@dataclass(frozen=True, eq=False)
class QuadratureGrid:
    """A density over (m, s, df): panels with nodes in m and in s, and weights of the nodes with sum 1."""

    m_edges: Array
    s_edges: Array
    m: Array
    s: Array
    df: Array
    weights: Array  # axes: m, s, df
    # logarithm of the integral over the true mean of a data set, at each node; axes: data sets, m, s, df
    logs: Any = None
    means: Any = None  # posterior mean of the true mean of a data set, at each node; axes: data sets, m, s, df

    @property
    def per_panel(self) -> int:
        """Number of nodes of a panel in m."""
        return len(self.m) // (len(self.m_edges) - 1)

    def cdf(self, x: Any) -> Array:
        """Return P(m <= x, and s and df at given nodes), (s, df); x may depend on s and df."""
        x = np.broadcast_to(x, self.weights.shape[1:])
        low, high, p = self.m_edges[:-1, None, None], self.m_edges[1:, None, None], self.per_panel
        at = np.clip((2 * x - low - high) / (high - low), -1, 1)  # axes: panels, s, df
        nodes, _ = gauss_legendre(p)
        k = np.arange(p)
        values = np.polynomial.legendre.legvander(at, p)
        # integral of each Legendre polynomial from -1 to `at`
        integrals = np.concatenate([(at + 1)[..., None], (values[..., 2:] - values[..., :-2]) / (2 * k[1:] + 1)], axis=-1)
        share = np.einsum("...k,k,jk->...j", integrals, (2 * k + 1) / 2, np.polynomial.legendre.legvander(nodes, p - 1))
        return np.einsum("kstj,kjst->st", share, self.weights.reshape(len(low), p, *x.shape))

    def marginal(self, axis: int) -> tuple[Array, Array]:
        """Return the nodes of m (axis 0) or s (axis 1), and the probability at each of them."""
        return (self.m, self.s)[axis], self.weights.sum(tuple(k for k in range(3) if k != axis))


def panel_nodes(edges: Array, count: int) -> tuple[Array, Array]:
    """Return the nodes and weights of all panels."""
    t, w = gauss_legendre(count)
    middle, half = (edges[1:] + edges[:-1])[:, None] / 2, np.diff(edges)[:, None] / 2
    return (middle + half * t).ravel(), (half * w).ravel()


def graded_edges(edges: Array, low: float, high: float) -> Array:
    """Return panel edges, without panels too narrow for a float; lengths of panels grow at most by a factor from the middle outwards."""
    edges = np.unique(np.clip(edges, low, high))
    distinct = edges[np.r_[True, np.diff(edges) > 1e-12 * max(abs(low), abs(high))]]
    lengths, out = np.diff(distinct), [distinct[0]]
    core = int(np.argmin(lengths))
    for k, length in enumerate(lengths):
        inner = lengths[k - 1] if k > core else lengths[k + 1] if k < core else length
        steps = max(1, int(np.ceil(np.log(max(length / inner, 1.0)) / np.log(GROWTH))))
        parts = length * (GROWTH ** np.arange(1, steps + 1) - 1) / (GROWTH**steps - 1)
        out.extend(distinct[k] + parts if k >= core else distinct[k + 1] - np.r_[parts[-2::-1], 0.0])
    return np.array(out)


def refined_nodes(edges: Array, count: int, marks: Any) -> tuple[Array, Array]:
    """Divide panels at given marks; return the nodes of the new panels, and the matrix that converts the weights of the old nodes.

    In each old and each new panel, the weights are a polynomial times the quadrature weights of the nodes.
    """
    inside = np.ravel(marks)
    cut = np.unique(np.r_[edges, inside[(inside > edges[0]) & (inside < edges[-1])]])
    x, w = panel_nodes(cut, count)
    _, own = panel_nodes(edges, count)
    t, gw = gauss_legendre(count)
    panel = np.clip(np.searchsorted(edges, (cut[1:] + cut[:-1]) / 2) - 1, 0, len(edges) - 2).repeat(count)
    at = (2 * x - edges[panel] - edges[panel + 1]) / (edges[panel + 1] - edges[panel])
    powers = np.polynomial.legendre.legvander
    lagrange = powers(at, count - 1) @ (powers(t, count - 1) * (2 * np.arange(count) + 1) / 2 * gw[:, None]).T
    matrix = np.zeros((len(x), len(own)))
    columns = panel[:, None] * count + np.arange(count)
    np.put_along_axis(matrix, columns, w[:, None] * lagrange / own[columns], axis=1)
    return x, matrix


def quantile_edges(x: Array, mass: Array, low: float, high: float) -> Array:
    """Return panel edges at quantiles of the mass, from nodes and the probability at each node."""
    total = np.cumsum(mass) - mass / 2
    quantiles = np.interp(LEVELS, total, x)
    start = low if total[0] > LEVELS[0] else x[max(0, int(np.searchsorted(total, LEVELS[0])) - 1)]
    stop = high if total[-1] < LEVELS[-1] else x[min(len(x) - 1, int(np.searchsorted(total, LEVELS[-1])) + 1)]
    return graded_edges(np.r_[start, quantiles[1:-1], stop], low, high)
