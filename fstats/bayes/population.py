r"""What is believed of a population of data sets: its middle, scale and degrees of freedom, by quadrature over all three.

The posterior of (m, s, df) is computed on a grid of panels with nodes of Gauss and Legendre, laid where the mass is: so many panels as
the shape needs, between quantiles of what a coarser grid has found.  Between its nodes it is a polynomial in m, so that the
probability of m below any value, which may depend on s and df, is an integral, too, and nothing is drawn at random.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from scipy import special

from ..value import Array
from .mixing import Splits, gauss, integrals

FINE, COARSE = (5, 4, 10), (4, 3, 8)  # nodes of a panel in m, of one in s, and in df; the second tells the error of the first
LEVELS = np.array([1e-9, 1e-3, 0.03, 0.2, 0.5, 0.8, 0.97, 1 - 1e-3, 1 - 1e-9])  # quantiles between which panels lie
GROWTH = 3.0  # no panel is more than so many times as long as its neighbour towards the middle
ENDS = 1e-7  # what the intervals of single data sets may miss
FINEST = 12  # panels that shrink towards an end of the rope
POINTS = 120  # around a centre, of the density of a single data set


@lru_cache(maxsize=32)
def degrees(shape: tuple[float, float], rate: tuple[float, float], count: int) -> tuple[Array, Array]:
    """Nodes and weights of the prior of the degrees of freedom: 1 more than a gamma variable whose shape and rate are uniform.

    The nodes are quantiles: those of the cubes of equally weighted ones, since the likelihood changes fastest where df is small.
    """
    t, w = gauss(16)
    a, b = (((low + high) / 2 + (high - low) / 2 * t) for low, high in (shape, rate))
    each = np.outer(w, w) / 4
    x, weights = gauss(count)
    x, weights = (x + 1) / 2, weights / 2
    low, high = np.full(count, -700.0), np.full(count, 10.0 - np.log(rate[0]))  # logarithms of df - 1
    for _ in range(60):
        middle = (low + high) / 2
        below = (special.gammainc(a[:, None, None], b[:, None] * np.exp(middle)) * each[..., None]).sum((0, 1))
        low, high = np.where(below < x**3, middle, low), np.where(below < x**3, high, middle)
    return 1 + np.exp(low), 3 * x**2 * weights


@dataclass(frozen=True, eq=False)
class Grid:
    """A density over (m, s, df): panels with nodes in m and in s, and weights of the nodes, which add up to 1."""

    m_edges: Array
    s_edges: Array
    m: Array
    s: Array
    df: Array
    weights: Array  # (m, s, df)
    logs: Any = None  # of the integrals over each data set's mean, (data sets, m, s, df)
    means: Any = None  # its mean at each node, the same

    @property
    def per_panel(self) -> int:
        """Nodes of a panel in m."""
        return len(self.m) // (len(self.m_edges) - 1)

    def below(self, x: Any) -> Array:
        """P(m <= x, and s and df at these nodes), (s, df), where x may depend on both."""
        x = np.broadcast_to(x, self.weights.shape[1:])
        low, high, p = self.m_edges[:-1, None, None], self.m_edges[1:, None, None], self.per_panel
        at = np.clip((2 * x - low - high) / (high - low), -1, 1)  # (panels, s, df)
        nodes, _ = gauss(p)
        k = np.arange(p)
        values = np.polynomial.legendre.legvander(at, p)  # the integral of each polynomial from -1 to there
        grown = np.concatenate([(at + 1)[..., None], (values[..., 2:] - values[..., :-2]) / (2 * k[1:] + 1)], axis=-1)
        share = np.einsum("...k,k,jk->...j", grown, (2 * k + 1) / 2, np.polynomial.legendre.legvander(nodes, p - 1))
        parts = self.weights.reshape(len(low), p, *x.shape)
        found: Array = np.einsum("kstj,kjst->st", share, parts)
        return found

    def marginal(self, axis: int) -> tuple[Array, Array]:
        """The nodes of m (axis 0) or s (axis 1), and the probability at each of them."""
        return (self.m, self.s)[axis], self.weights.sum(tuple(k for k in range(3) if k != axis))


def in_panels(edges: Array, count: int) -> tuple[Array, Array]:
    """Nodes and weights of all panels."""
    t, w = gauss(count)
    middle, half = (edges[1:] + edges[:-1])[:, None] / 2, np.diff(edges)[:, None] / 2
    return (middle + half * t).ravel(), (half * w).ravel()


def graded(edges: Array, low: float, high: float, first: float = 0.0) -> Array:
    """Panels of which none is much longer than its neighbour towards the middle; without those too narrow for a float."""
    edges = np.unique(np.clip(edges, low, high))
    kept = edges[np.r_[True, np.diff(edges) > 1e-12 * max(abs(low), abs(high))]]
    lengths, out = np.diff(kept), [kept[0]]
    core = int(np.argmin(lengths))
    for k, length in enumerate(lengths):
        inner = lengths[k - 1] if k > core else lengths[k + 1] if k < core else length
        steps = max(1, int(np.ceil(np.log(max(length / inner, 1.0)) / np.log(GROWTH))))
        parts = length * (GROWTH ** np.arange(1, steps + 1) - 1) / (GROWTH**steps - 1)
        out.extend(kept[k] + parts if k >= core else kept[k + 1] - np.r_[parts[-2::-1], 0.0])
    return np.array(out)


def resampled(edges: Array, count: int, marks: Any) -> tuple[Array, Array]:
    """The nodes of panels that are cut at these marks, too, and the matrix that makes weights at them of those at the panels' own nodes.

    Weights are a polynomial in each panel times the weights of the nodes, and so they remain.
    """
    inside = np.ravel(marks)
    cut = np.unique(np.r_[edges, inside[(inside > edges[0]) & (inside < edges[-1])]])
    x, w = in_panels(cut, count)
    _, own = in_panels(edges, count)
    t, gw = gauss(count)
    panel = np.clip(np.searchsorted(edges, (cut[1:] + cut[:-1]) / 2) - 1, 0, len(edges) - 2).repeat(count)
    at = (2 * x - edges[panel] - edges[panel + 1]) / (edges[panel + 1] - edges[panel])
    powers = np.polynomial.legendre.legvander
    lagrange = powers(at, count - 1) @ (powers(t, count - 1) * (2 * np.arange(count) + 1) / 2 * gw[:, None]).T
    matrix = np.zeros((len(x), len(own)))
    columns = panel[:, None] * count + np.arange(count)
    np.put_along_axis(matrix, columns, w[:, None] * lagrange / own[columns], axis=1)
    return x, matrix


def between_quantiles(x: Array, mass: Array, low: float, high: float) -> Array:
    """Panels that each hold a part of the mass, from nodes and the probability at each."""
    total = np.cumsum(mass) - mass / 2
    found = np.interp(LEVELS, total, x)
    start = low if total[0] > LEVELS[0] else x[max(0, int(np.searchsorted(total, LEVELS[0])) - 1)]
    stop = high if total[-1] < LEVELS[-1] else x[min(len(x) - 1, int(np.searchsorted(total, LEVELS[-1])) + 1)]
    return graded(np.r_[start, found[1:-1], stop], low, high)


def _normalised(logs: Array, *weights: Array) -> Array:
    total: Array = np.exp(logs - logs.max()) * weights[0][:, None, None] * weights[1][:, None] * weights[2]
    return total / total.sum()


def sketch(splits: Splits, reach: float, bound: float, df: tuple[Array, Array]) -> Grid:
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
    m_edges = graded(np.r_[-reach, np.concatenate(marks), reach, centres], -reach, reach)
    s_edges = np.r_[0.0, np.geomspace(min(least / 10, bound / 10), bound, 2 + int(np.log2(bound / min(least / 10, bound / 10)) / 2))]
    (m, wm), (s, ws) = in_panels(m_edges, 3), in_panels(s_edges, 3)
    logs = np.zeros((len(m), len(s), len(df[0])))
    for mean, own in zip(x, width):
        scale = np.sqrt(s**2 + own**2)[:, None]
        z = ((mean - m)[:, None, None] / scale) ** 2
        logs += -(df[0] + 1) / 2 * np.log1p(z / df[0]) - np.log(scale)
    return Grid(m_edges, s_edges, m, s, df[0], _normalised(logs, wm, ws, df[1]))


def grid(splits: Splits, m_edges: Array, s_edges: Array, nodes: tuple[int, int], df: tuple[Array, Array]) -> Grid:
    """The posterior on these panels."""
    (m, wm), (s, ws) = in_panels(m_edges, nodes[0]), in_panels(s_edges, nodes[1])
    found = [integrals(splits, m, float(scale), df[0]) for scale in s]
    logs, means = (np.stack(part, axis=2) for part in zip(*found))
    return Grid(m_edges, s_edges, m, s, df[0], _normalised(logs.sum(0), wm, ws, df[1]), logs, means)


@dataclass(frozen=True, eq=False)
class Population:
    """The posterior of m, s and df, in units of a power of two and with the sign that makes most means positive."""

    splits: Splits
    fine: Grid
    coarse: Grid
    unit: float

    # -- what is believed of the middle ---------------------------------------------------------------------------------------
    def at_most(self, x: float) -> float:
        """P(m <= x)."""
        below = float(np.clip(self.fine.below(x / self.unit).sum(), 0, 1))
        return below if self.unit > 0 else 1 - below

    def quantile(self, p: float) -> float:
        """The x with P(m <= x) = p."""
        low, high, p = self.fine.m_edges[0], self.fine.m_edges[-1], p if self.unit > 0 else 1 - p
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if self.fine.below(middle).sum() < p else (low, middle)
        return float((low + high) / 2 * self.unit)

    # -- what is believed of the next data set ----------------------------------------------------------------------------------
    def expected(self, rope: float) -> Array:
        """The expected probability of each region for a data set to come."""
        return self._expected(self.fine, rope)

    def _expected(self, grid: Grid, rope: float) -> Array:
        if np.isinf(rope):
            return np.array([0.0, 1.0, 0.0])
        rope = rope / abs(self.unit)
        near = (grid.m_edges[-1] - grid.m_edges[0]) * 4.0 ** -np.arange(FINEST)  # where s is small, much changes at the ends of the rope
        m, matrix = resampled(grid.m_edges, grid.per_panel, [end + side * near for end in (-rope, rope) for side in (-1, 0, 1)])
        weights = np.tensordot(matrix, grid.weights, 1)
        shares = regions(m[:, None, None], grid.s[:, None], grid.df, rope)
        found: Array = np.einsum("cmst,mst->c", shares, weights)
        return self._turned(found)

    def largest(self, rope: float) -> Array:
        """The probability of each region to be the most probable one for a data set to come."""
        return self._largest(self.fine, rope)

    def _largest(self, grid: Grid, rope: float) -> Array:
        if np.isinf(rope):
            return np.array([0.0, 1.0, 0.0])
        rope = rope / abs(self.unit)
        worse = better = 0.0
        per_panel = len(grid.s) // (len(grid.s_edges) - 1)
        for k, df in enumerate(grid.df):  # of a larger s some side is always more probable than the rope
            s, matrix = resampled(grid.s_edges, per_panel, rope / special.stdtrit(df, 2 / 3))
            own = replace(grid, s=s, weights=np.einsum("us,ms->mu", matrix, grid.weights[..., k])[..., None])
            edge = where_largest(s[:, None], df, rope)
            worse += float(own.below(-edge).sum())
            better += float(own.weights.sum() - own.below(edge).sum())
        return self._turned(np.clip([worse, 1 - worse - better, better], 0, 1))

    def _turned(self, parts: Array) -> Array:
        return parts if self.unit > 0 else parts[::-1]

    def error(self, rope: float) -> Array:
        """How far the probabilities stray from those of a grid with about a third of the nodes."""
        found: Array = np.abs(self.largest(rope) - self._largest(self.coarse, rope))
        return found

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
        grid = self.coarse
        weights = grid.weights.ravel()
        kept = weights > ENDS * weights.max()
        m, s, df = (part.ravel()[kept] for part in np.broadcast_arrays(grid.m[:, None, None], grid.s[:, None], grid.df))
        height = special.gammaln((df + 1) / 2) - special.gammaln(df / 2) - np.log(df * np.pi) / 2 - np.log(s)
        middle, scale = float((weights[kept] * m).sum()), float(np.sqrt((weights[kept] * (m - (weights[kept] * m).sum()) ** 2).sum()))
        v = np.sinh(np.linspace(-9, 9, POINTS))
        ends = []
        for i, (mean, width) in enumerate(zip(self.splits.mean, self.splits.width)):
            mu = np.unique(np.r_[mean + 0.3 * width * v, middle + 0.3 * max(scale, width / 100) * v])
            given = np.log(weights[kept]) + height - grid.logs[i].ravel()[kept]
            logs = given[:, None] - (df[:, None] + 1) / 2 * np.log1p(((mu - m[:, None]) / s[:, None]) ** 2 / df[:, None])
            density = np.exp(logs).sum(0) * np.exp(self.splits.log_likelihood(np.array([i]), (mu - mean)[None])[0])
            total = np.r_[0.0, np.cumsum((density[1:] + density[:-1]) * np.diff(mu)) / 2]
            ends.append(np.interp([outside / 2, 1 - outside / 2], total / total[-1], mu))
        low, high = (np.array(ends) * self.unit).T
        return (low, high) if self.unit > 0 else (high, low)


def regions(m: Any, s: Any, df: Any, rope: float) -> Array:
    """The chances of a Student's t around m, in units of s, to lie below -rope, within and above rope."""
    if np.isinf(rope):
        none = np.zeros(np.broadcast_shapes(np.shape(m), np.shape(s), np.shape(df)))
        return np.array([none, none + 1, none])
    worse, better = special.stdtr(df, (-rope - m) / s), special.stdtr(df, (m - rope) / s)
    return np.array([worse, np.clip(1 - worse - better, 0, 1), better])


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


@lru_cache(maxsize=64)
def population(
    n: tuple[float, ...],
    mean: tuple[float, ...],
    sd: tuple[float, ...],
    rho: float,
    reach: float,
    sd_bound: float,
    scale_bound: float,
    shape: tuple[float, float],
    rate: tuple[float, float],
) -> Population:
    """The posterior from what the splits of each data set show and from the bounds of the priors."""
    unit = float(np.ldexp(1.0, int(np.frexp(sd_bound)[1]) - 10))
    unit = -unit if sum(mean) < 0 else unit
    size = abs(unit)
    splits = Splits(np.array(n), np.array(mean) / unit, np.array(sd) / size, rho, sd_bound / size)
    reach, scale_bound = reach / size, scale_bound / size
    guess = sketch(splits, reach, scale_bound, degrees(shape, rate, 4))
    for nodes, df in (((3, 3), degrees(shape, rate, 4)), (COARSE[:2], degrees(shape, rate, COARSE[2]))):
        m_edges = between_quantiles(*guess.marginal(0), -reach, reach)
        s_edges = between_quantiles(*guess.marginal(1), 0.0, scale_bound)
        guess = grid(splits, m_edges, s_edges, nodes, df)
    return Population(splits, grid(splits, m_edges, s_edges, FINE[:2], degrees(shape, rate, FINE[2])), guess, unit)
