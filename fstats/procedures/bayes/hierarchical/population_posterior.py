r"""What is believed of a population of data sets: its middle, scale and degrees of freedom, by quadrature over all three.

The posterior of (m, s, df) is computed on a grid of panels with nodes of Gauss and Legendre, laid where the mass is: so many panels as
the shape needs, between quantiles of what a coarser grid has found.  Between its nodes it is a polynomial in m, so that the
probability of m below any value, which may depend on s and df, is an integral, too, and nothing is drawn at random.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from scipy import special

from ....core.value_types import Array
from .data_set_likelihood import SplitLikelihood, gauss_legendre, log_marginal_likelihoods
from .next_data_set_probabilities import expected_shares, most_probable_region, regions
from .quadrature_grid import QuadratureGrid, graded_edges, panel_nodes, quantile_edges

LEAST_NODES = 3  # of a panel
ENDS = 1e-7  # what the intervals of single data sets may miss
POINTS = 120  # around a centre, of the density of a single data set
BETWEEN = 20  # parts of the way from one of them to the next, where its quantiles are sought


@lru_cache(maxsize=32)
def df_prior_nodes(shape: tuple[float, float], rate: tuple[float, float], count: int) -> tuple[Array, Array]:
    """Nodes and weights of the prior of the degrees of freedom: 1 more than a gamma variable whose shape and rate are uniform.

    The nodes are quantiles: those of the cubes of equally weighted ones, since the likelihood changes fastest where df is small.
    """
    t, w = gauss_legendre(16)
    a, b = (((low + high) / 2 + (high - low) / 2 * t) for low, high in (shape, rate))
    each = np.outer(w, w) / 4
    x, weights = gauss_legendre(count)
    x, weights = (x + 1) / 2, weights / 2
    low, high = np.full(count, -700.0), np.full(count, 10.0 - np.log(rate[0]))  # logarithms of df - 1
    for _ in range(60):
        middle = (low + high) / 2
        below = (special.gammainc(a[:, None, None], b[:, None] * np.exp(middle)) * each[..., None]).sum((0, 1))
        low, high = np.where(below < x**3, middle, low), np.where(below < x**3, high, middle)
    return 1 + np.exp(low), 3 * x**2 * weights


def _normalised(logs: Array, *weights: Array) -> Array:
    total: Array = np.exp(logs - logs.max()) * weights[0][:, None, None] * weights[1][:, None] * weights[2]
    return total / total.sum()


def initial_grid(splits: SplitLikelihood, reach: float, bound: float, df: tuple[Array, Array]) -> QuadratureGrid:
    """A first guess of where the mass is: each data set as if its mean were drawn from a t as wide as spread and likelihood together."""
    width = np.where(splits.n > 1, splits.width, splits.bound / 1000)
    x = splits.mean
    least = width.min()
    scales = np.unique(np.r_[width.min(), np.median(width), max(x.std(), least)])
    centres = [float((x / (width**2 + s**2)).sum() / (1 / (width**2 + s**2)).sum()) for s in scales] + [float(np.median(x))]
    spread = [float(1 / np.sqrt((1 / (width**2 + s**2)).sum())) for s in scales] + [float(scales[-1]) / np.sqrt(len(x))]
    if len(x) <= 8:
        centres, spread = [*centres, *x], [*spread, *width]
    away = 2.0 ** np.arange(-1, np.ceil(np.log2(4 * reach / min(spread))) + 1)
    marks = [c + sign * s * away[: 6 if k else None] for k, (c, s) in enumerate(zip(centres, spread)) for sign in (-1, 1)]
    m_edges = graded_edges(np.r_[-reach, np.concatenate(marks), reach, centres], -reach, reach)
    s_edges = np.r_[0.0, np.geomspace(min(least / 10, bound / 10), bound, 2 + int(np.log2(bound / min(least / 10, bound / 10)) / 2))]
    (m, wm), (s, ws) = panel_nodes(m_edges, 3), panel_nodes(s_edges, 3)
    logs = np.zeros((len(m), len(s), len(df[0])))
    for mean, own in zip(x, width):
        scale = np.sqrt(s**2 + own**2)[:, None]
        z = ((mean - m)[:, None, None] / scale) ** 2
        logs += -(df[0] + 1) / 2 * np.log1p(z / df[0]) - np.log(scale)
    return QuadratureGrid(m_edges, s_edges, m, s, df[0], _normalised(logs, wm, ws, df[1]))


def posterior_grid(
    splits: SplitLikelihood, m_edges: Array, s_edges: Array, nodes: tuple[int, int], df: tuple[Array, Array]
) -> QuadratureGrid:
    """The posterior on these panels."""
    (m, wm), (s, ws) = panel_nodes(m_edges, nodes[0]), panel_nodes(s_edges, nodes[1])
    found = [log_marginal_likelihoods(splits, m, float(scale), df[0]) for scale in s]
    logs, means = (np.stack(part, axis=2) for part in zip(*found))
    return QuadratureGrid(m_edges, s_edges, m, s, df[0], _normalised(logs.sum(0), wm, ws, df[1]), logs, means)


@dataclass(frozen=True, eq=False)
class PopulationPosterior:
    """The posterior of m, s and df, in units of a power of two and with the sign that makes most means positive."""

    splits: SplitLikelihood
    fine: QuadratureGrid
    coarse: QuadratureGrid
    unit: float

    # -- what is believed of the middle ---------------------------------------------------------------------------------------
    def at_most(self, x: float) -> float:
        """P(m <= x)."""
        below = float(np.clip(population_mean_cdf(self.fine, x / self.unit), 0, 1))
        return below if self.unit > 0 else 1 - below

    def quantile(self, p: float) -> float:
        """The x with P(m <= x) = p."""
        low, high, p = self.fine.m_edges[0], self.fine.m_edges[-1], p if self.unit > 0 else 1 - p
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if population_mean_cdf(self.fine, middle) < p else (low, middle)
        return float((low + high) / 2 * self.unit)

    # -- what is believed of the next data set ----------------------------------------------------------------------------------
    def expected(self, rope: float) -> Array:
        """The expected probability of each region for a data set to come."""
        return self._turned(expected_shares(self.fine, rope / abs(self.unit)))

    def largest(self, rope: float) -> Array:
        """The probability of each region to be the most probable one for a data set to come."""
        return self._turned(most_probable_region(self.fine, rope / abs(self.unit)))

    def _turned(self, parts: Array) -> Array:
        return parts if self.unit > 0 else parts[::-1]

    def error(self, rope: float) -> Array:
        """How far the probabilities stray from those of a grid with about a third of the nodes."""
        own = rope / abs(self.unit)
        return self._turned(np.abs(most_probable_region(self.fine, own) - most_probable_region(self.coarse, own)))

    def draws(self, rope: float, count: int, rng: Any) -> Array:
        """So many random shares, (3, count): the probabilities of the regions at random nodes, m anywhere in between."""
        random, grid = np.random.default_rng(rng), self.fine
        weights = np.clip(grid.weights, 0, None).ravel()
        m, s, df = np.unravel_index(random.choice(weights.size, count, p=weights / weights.sum()), grid.weights.shape)
        edges = np.r_[grid.m[0], (grid.m[1:] + grid.m[:-1]) / 2, grid.m[-1]]
        between = edges[m] + (edges[m + 1] - edges[m]) * random.random(count)
        return self._turned(regions(between, grid.s[s], grid.df[df], rope / abs(self.unit)))

    # -- what is believed of the data sets at hand ------------------------------------------------------------------------------
    @cached_property
    def means(self) -> Array:
        """The posterior mean of each data set's mean: shrunk towards the others."""
        found: Array = self.splits.mean + np.einsum("imst,mst->i", self.fine.means, self.fine.weights)
        return found * self.unit

    def intervals(self, outside: float) -> tuple[Array, Array]:
        """The ends that leave half of this on either side of each data set's mean."""
        low, high = (part * self.unit for part in data_set_mean_intervals(self.splits, self.fine, outside))
        return (low, high) if self.unit > 0 else (high, low)


@lru_cache(maxsize=4096)  # whoever shows a test asks for the same two quantiles again, in 60 steps each
def population_mean_cdf(grid: QuadratureGrid, x: float) -> float:
    """P(m <= x)."""
    return float(grid.below(x).sum())


@lru_cache(maxsize=64)
def data_set_mean_intervals(splits: SplitLikelihood, grid: QuadratureGrid, outside: float) -> tuple[Array, Array]:
    """The quantiles of each data set's mean: its likelihood times what all of the grid believes of it without that."""
    from scipy.interpolate import PchipInterpolator

    weights = grid.weights.ravel()
    kept = weights > ENDS * weights.max()
    m, s, df = (part.ravel()[kept] for part in np.broadcast_arrays(grid.m[:, None, None], grid.s[:, None], grid.df))
    height = special.gammaln((df + 1) / 2) - special.gammaln(df / 2) - np.log(df * np.pi) / 2 - np.log(s)
    middle, scale = float((weights[kept] * m).sum()), float(np.sqrt((weights[kept] * (m - (weights[kept] * m).sum()) ** 2).sum()))
    v = np.sinh(np.linspace(-9, 9, POINTS))
    ends = []
    for i, (mean, width) in enumerate(zip(splits.mean, splits.width)):
        mu = np.unique(np.r_[mean + 0.3 * width * v, middle + 0.3 * max(scale, width / 100) * v])
        given = np.log(weights[kept]) + height - grid.logs[i].ravel()[kept]
        logs = given[:, None] - (df[:, None] + 1) / 2 * np.log1p(((mu - m[:, None]) / s[:, None]) ** 2 / df[:, None])
        density = np.exp(logs).sum(0) * np.exp(splits.log_likelihood(np.array([i]), (mu - mean)[None])[0])
        there = density > density.max() * np.finfo(float).tiny
        steps = np.arange((there.sum() - 1) * BETWEEN + 1) / BETWEEN
        finer = np.interp(steps, np.arange(there.sum()), mu[there])
        heights = np.exp(PchipInterpolator(mu[there], np.log(density[there]))(finer))
        reached = np.r_[0.0, np.cumsum((heights[1:] + heights[:-1]) * np.diff(finer))]
        ends.append(np.interp([outside / 2, 1 - outside / 2], reached / reached[-1], finer))
    low, high = np.array(ends).T
    return low, high


Prior = tuple[tuple[float, float], tuple[float, float]]  # between which numbers shape and rate of the gamma variable lie


def population_posterior(splits: SplitLikelihood, reach: float, scale_bound: float, prior: Prior, nodes: int) -> PopulationPosterior:
    """The posterior from what the splits of each data set show and from the bounds of the priors."""
    unit = float(np.ldexp(1.0, int(np.frexp(splits.bound)[1]) - 10))
    mean = splits.mean / (-unit if splits.mean.sum() < 0 else unit)
    shown = (tuple(x.tolist()) for x in (splits.n, mean, splits.sd / unit))
    inside, fine, coarse = _scaled_posterior(*shown, splits.rho, splits.bound / unit, reach / unit, scale_bound / unit, prior, nodes)
    return PopulationPosterior(inside, fine, coarse, -unit if splits.mean.sum() < 0 else unit)


@lru_cache(maxsize=64)
def _scaled_posterior(
    n: tuple[float, ...],
    mean: tuple[float, ...],
    sd: tuple[float, ...],
    rho: float,
    bound: float,
    reach: float,
    scale_bound: float,
    prior: Prior,
    nodes: int,
) -> tuple[SplitLikelihood, QuadratureGrid, QuadratureGrid]:
    """The same in units: the splits, the grid, and one with half the nodes, which tells the error of the first."""
    splits = SplitLikelihood(np.array(n), np.array(mean), np.array(sd), rho, bound)
    guess = initial_grid(splits, reach, scale_bound, df_prior_nodes(*prior, 4))
    few = nodes - 1, max(nodes - 2, 2), 2 * nodes - 2
    for count in ((2, 2, 4) if nodes == LEAST_NODES else (3, 3, 4), few):
        m_edges = quantile_edges(*guess.marginal(0), -reach, reach)
        s_edges = quantile_edges(*guess.marginal(1), 0.0, scale_bound)
        guess = posterior_grid(splits, m_edges, s_edges, count[:2], df_prior_nodes(*prior, count[2]))
    return splits, posterior_grid(splits, m_edges, s_edges, (nodes, nodes - 1), df_prior_nodes(*prior, 2 * nodes)), guess
