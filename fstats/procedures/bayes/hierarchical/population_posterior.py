r"""Posterior of population parameters by three-dimensional quadrature.

The parameters of the population of data sets are its middle, scale and degrees of freedom.

The posterior of (m, s, df) is computed on a grid of panels with Gauss-Legendre nodes, placed where the mass is: quantiles on a coarser
grid define the panels.  Between the nodes of a panel the posterior is a polynomial in m.  The probability that m is below a value, which
may depend on s and df, is therefore an integral, too; no random draws are needed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from scipy import special

from ....core.numerics.bisection import bisect
from ....core.value_types import Array
from .data_set_likelihood import SplitLikelihood, gauss_legendre, log_marginal_likelihoods
from .next_data_set_probabilities import expected_shares, most_probable_region, regions
from .quadrature_grid import QuadratureGrid, graded_edges, panel_nodes, quantile_edges

MIN_NODES = 3  # minimum number of nodes in each panel
NEGLIGIBLE_WEIGHT = 1e-7  # nodes with a smaller weight, relative to the largest, are ignored in the intervals for single data sets
POINTS = 120  # number of points around each of two centres at which the density for a data set is computed
SUBDIVISIONS = 20  # number of interpolation steps between two neighbouring points of this density


@lru_cache(maxsize=32)
def df_prior_nodes(shape: tuple[float, float], rate: tuple[float, float], count: int) -> tuple[Array, Array]:
    """Return nodes and weights of the prior of the degrees of freedom: 1 + a gamma variable with uniform shape and rate.

    The nodes are quantiles at the cubes of equally weighted probabilities, since the likelihood changes fastest for small df.
    """
    t, w = gauss_legendre(16)
    a, b = (((low + high) / 2 + (high - low) / 2 * t) for low, high in (shape, rate))
    cell_weights = np.outer(w, w) / 4
    x, weights = gauss_legendre(count)
    x, weights = (x + 1) / 2, weights / 2

    def is_below(log_df: Array) -> Any:  # log_df is the logarithm of df - 1
        return (special.gammainc(a[:, None, None], b[:, None] * np.exp(log_df)) * cell_weights[..., None]).sum((0, 1)) < x**3

    log_df, _ = bisect(is_below, np.full(count, -700.0), 10.0 - np.log(rate[0]))
    return 1 + np.exp(log_df), 3 * x**2 * weights


def _normalized(logs: Array, *weights: Array) -> Array:
    total: Array = np.exp(logs - logs.max()) * weights[0][:, None, None] * weights[1][:, None] * weights[2]
    return total / total.sum()


def initial_grid(splits: SplitLikelihood, reach: float, bound: float, df: tuple[Array, Array]) -> QuadratureGrid:
    """Return a first approximation of the posterior: each mean from a t with the combined width of population and likelihood."""
    width = np.where(splits.n > 1, splits.mean_distance, splits.bound / 1000)
    x = splits.mean
    least = width.min()
    scales = np.unique(np.r_[width.min(), np.median(width), max(x.std(), least)])
    centres = [float((x / (width**2 + s**2)).sum() / (1 / (width**2 + s**2)).sum()) for s in scales] + [float(np.median(x))]
    spread = [float(1 / np.sqrt((1 / (width**2 + s**2)).sum())) for s in scales] + [float(scales[-1]) / np.sqrt(len(x))]
    if len(x) <= 8:
        centres, spread = [*centres, *x], [*spread, *width]
    distances = 2.0 ** np.arange(-1, np.ceil(np.log2(4 * reach / min(spread))) + 1)
    marks = [c + sign * s * distances[: 6 if k else None] for k, (c, s) in enumerate(zip(centres, spread)) for sign in (-1, 1)]
    m_edges = graded_edges(np.r_[-reach, np.concatenate(marks), reach, centres], -reach, reach)
    s_edges = np.r_[0.0, np.geomspace(min(least / 10, bound / 10), bound, 2 + int(np.log2(bound / min(least / 10, bound / 10)) / 2))]
    (m, wm), (s, ws) = panel_nodes(m_edges, 3), panel_nodes(s_edges, 3)
    logs = np.zeros((len(m), len(s), len(df[0])))
    for mean, own in zip(x, width):
        scale = np.sqrt(s**2 + own**2)[:, None]
        z = ((mean - m)[:, None, None] / scale) ** 2
        logs += -(df[0] + 1) / 2 * np.log1p(z / df[0]) - np.log(scale)
    return QuadratureGrid(m_edges, s_edges, m, s, df[0], _normalized(logs, wm, ws, df[1]))


def posterior_grid(
    splits: SplitLikelihood, m_edges: Array, s_edges: Array, nodes: tuple[int, int], df: tuple[Array, Array]
) -> QuadratureGrid:
    """Return the posterior on the given panels."""
    (m, wm), (s, ws) = panel_nodes(m_edges, nodes[0]), panel_nodes(s_edges, nodes[1])
    likelihoods = [log_marginal_likelihoods(splits, m, float(scale), df[0]) for scale in s]
    logs, means = (np.stack(part, axis=2) for part in zip(*likelihoods))
    return QuadratureGrid(m_edges, s_edges, m, s, df[0], _normalized(logs.sum(0), wm, ws, df[1]), logs, means)


@dataclass(frozen=True, eq=False)
class PopulationPosterior:
    """Posterior of m, s and df, scaled by a power of two and with the sign that makes the mean difference positive."""

    splits: SplitLikelihood
    fine: QuadratureGrid
    coarse: QuadratureGrid
    unit: float

    # -- the mean m of the population -----------------------------------------------------------------------------------------
    def at_most(self, x: float) -> float:
        """Return P(m <= x)."""
        below = float(np.clip(population_mean_cdf(self.fine, x / self.unit), 0, 1))
        return below if self.unit > 0 else 1 - below

    def quantile(self, p: float) -> float:
        """Return the x with P(m <= x) = p."""
        p = p if self.unit > 0 else 1 - p
        ends = bisect(lambda m: population_mean_cdf(self.fine, m) < p, self.fine.m_edges[0], self.fine.m_edges[-1])
        return float(sum(ends) / 2 * self.unit)

    # -- the next data set ------------------------------------------------------------------------------------------------------
    def expected(self, rope: float) -> Array:
        """Return the expected probability of each region for the next data set."""
        return self._flip_regions(expected_shares(self.fine, rope / abs(self.unit)))

    def largest(self, rope: float) -> Array:
        """Return the probability of each region to be the most probable one for the next data set."""
        return self._flip_regions(most_probable_region(self.fine, rope / abs(self.unit)))

    def _flip_regions(self, parts: Array) -> Array:
        return parts if self.unit > 0 else parts[::-1]

    def error(self, rope: float) -> Array:
        """Return the differences of the probabilities from the probabilities on a grid with about a third of the nodes."""
        scaled_rope = rope / abs(self.unit)
        difference = most_probable_region(self.fine, scaled_rope) - most_probable_region(self.coarse, scaled_rope)
        return self._flip_regions(np.abs(difference))

    def draws(self, rope: float, count: int, rng: Any) -> Array:
        """Return random probabilities of the regions, (3, count), at random nodes of s and df, with m anywhere between its nodes."""
        random, grid = np.random.default_rng(rng), self.fine
        weights = np.clip(grid.weights, 0, None).ravel()
        m, s, df = np.unravel_index(random.choice(weights.size, count, p=weights / weights.sum()), grid.weights.shape)
        edges = np.r_[grid.m[0], (grid.m[1:] + grid.m[:-1]) / 2, grid.m[-1]]
        random_m = edges[m] + (edges[m + 1] - edges[m]) * random.random(count)
        return self._flip_regions(regions(random_m, grid.s[s], grid.df[df], rope / abs(self.unit)))

    # -- the data sets in the sample --------------------------------------------------------------------------------------------
    @cached_property
    def means(self) -> Array:
        """Posterior mean of the true mean of each data set, shrunk towards the means of the other data sets."""
        shrunk: Array = self.splits.mean + np.einsum("imst,mst->i", self.fine.means, self.fine.weights)
        return shrunk * self.unit

    def intervals(self, outside: float) -> tuple[Array, Array]:
        """Return the central intervals of the true means of the data sets, given the probability outside, half of it on either side."""
        low, high = (part * self.unit for part in data_set_mean_intervals(self.splits, self.fine, outside))
        return (low, high) if self.unit > 0 else (high, low)


@lru_cache(maxsize=4096)  # each quantile takes 60 calls, and a displayed test needs the same two quantiles several times
def population_mean_cdf(grid: QuadratureGrid, x: float) -> float:
    """Return P(m <= x)."""
    return float(grid.cdf(x).sum())


@lru_cache(maxsize=64)
def data_set_mean_intervals(splits: SplitLikelihood, grid: QuadratureGrid, outside: float) -> tuple[Array, Array]:
    """Return quantiles of the true mean of each data set: likelihood times posterior of the population without this data set."""
    from scipy.interpolate import PchipInterpolator

    weights = grid.weights.ravel()
    used = weights > NEGLIGIBLE_WEIGHT * weights.max()
    weights = weights[used]
    m, s, df = (part.ravel()[used] for part in np.broadcast_arrays(grid.m[:, None, None], grid.s[:, None], grid.df))
    height = special.gammaln((df + 1) / 2) - special.gammaln(df / 2) - np.log(df * np.pi) / 2 - np.log(s)
    middle, scale = float((weights * m).sum()), float(np.sqrt((weights * (m - (weights * m).sum()) ** 2).sum()))
    v = np.sinh(np.linspace(-9, 9, POINTS))
    ends = []
    for i, (mean, width) in enumerate(zip(splits.mean, splits.mean_distance)):
        mu = np.unique(np.r_[mean + 0.3 * width * v, middle + 0.3 * max(scale, width / 100) * v])
        base = np.log(weights) + height - grid.logs[i].ravel()[used]
        logs = base[:, None] - (df[:, None] + 1) / 2 * np.log1p(((mu - m[:, None]) / s[:, None]) ** 2 / df[:, None])
        density = np.exp(logs).sum(0) * np.exp(splits.log_likelihood(np.array([i]), (mu - mean)[None])[0])
        positive = density > density.max() * np.finfo(float).tiny
        steps = np.arange((positive.sum() - 1) * SUBDIVISIONS + 1) / SUBDIVISIONS
        finer = np.interp(steps, np.arange(positive.sum()), mu[positive])
        heights = np.exp(PchipInterpolator(mu[positive], np.log(density[positive]))(finer))
        cumulative = np.r_[0.0, np.cumsum((heights[1:] + heights[:-1]) * np.diff(finer))]
        ends.append(np.interp([outside / 2, 1 - outside / 2], cumulative / cumulative[-1], finer))
    low, high = np.array(ends).T
    return low, high


Prior = tuple[tuple[float, float], tuple[float, float]]  # (lower, upper) bounds of the shape and of the rate of the gamma prior of df - 1


def population_posterior(splits: SplitLikelihood, reach: float, scale_bound: float, prior: Prior, nodes: int) -> PopulationPosterior:
    """Return the posterior from summaries of the splits of each data set and from the bounds of the priors."""
    unit = float(np.ldexp(1.0, int(np.frexp(splits.bound)[1]) - 10))
    mean = splits.mean / (-unit if splits.mean.sum() < 0 else unit)
    summaries = (tuple(x.tolist()) for x in (splits.n, mean, splits.sd / unit))
    scaled, fine, coarse = _scaled_posterior(*summaries, splits.rho, splits.bound / unit, reach / unit, scale_bound / unit, prior, nodes)
    return PopulationPosterior(scaled, fine, coarse, -unit if splits.mean.sum() < 0 else unit)


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
    """Return the splits, the grid, and a grid with half as many nodes (to estimate the error), all in scaled units."""
    splits = SplitLikelihood(np.array(n), np.array(mean), np.array(sd), rho, bound)
    grid = initial_grid(splits, reach, scale_bound, df_prior_nodes(*prior, 4))
    coarse_count = nodes - 1, max(nodes - 2, 2), 2 * nodes - 2
    for count in ((2, 2, 4) if nodes == MIN_NODES else (3, 3, 4), coarse_count):
        m_edges = quantile_edges(*grid.marginal(0), -reach, reach)
        s_edges = quantile_edges(*grid.marginal(1), 0.0, scale_bound)
        grid = posterior_grid(splits, m_edges, s_edges, count[:2], df_prior_nodes(*prior, count[2]))
    return splits, posterior_grid(splits, m_edges, s_edges, (nodes, nodes - 1), df_prior_nodes(*prior, 2 * nodes)), grid
