r"""Marginal likelihood of cross-validation scores on one data set.

The unknown true mean difference on the data set is integrated out.

The likelihood of the mean of data set i has a shape like Student's t.  The standard deviation of data set i, uniform between 0 and a
bound S, is integrated out in closed form,

.. math:: L(\mu) = \int_0^S \sigma^{-n} e^{-Q / 2 \sigma^2}\, d\sigma
   \propto Q^{-(n-1)/2}\ \Gamma\left(\frac{n-1}{2}, \frac{Q}{2 S^2}\right),
   \qquad Q = \frac{n (\bar x - \mu)^2}{1 + (n-1) \rho} + \frac{(n-1) s^2}{1 - \rho}.

The population is Student's t around m.  The product of two such curves has two peaks of any widths and distance.  The integration nodes
are dense around the narrower peak, and their spacing grows in proportion to the distance.  The same nodes also resolve the wider peak if
the peaks are close.  If the peaks are far apart, the line is divided between them, and each half has nodes around its own peak.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from scipy import special

from ....core.value_types import Array

SEPARATION = 1.0  # if two peaks are further apart than this number of widths of the wider peak, each gets its own nodes
NODES_PER_UNIT, MIN_NODES = 4.0, 10
NEGLIGIBLE = 1e-10  # maximum share of an integral that may lie beyond the last node
NARROW = 1e-7  # scale of the nodes near the pole of the likelihood (a data set with a single split), divided by the bound
FLAT = 1e-15  # if the complete and the incomplete gamma function differ by at most this relative amount, use the complete one


@lru_cache(maxsize=256)
def gauss_legendre(count: int) -> tuple[Array, Array]:
    """Return Gauss-Legendre nodes and weights between -1 and 1."""
    nodes, weights = special.roots_legendre(count)  # ten times as fast as numpy's leggauss
    return nodes, weights


@dataclass(frozen=True, eq=False)
class SplitLikelihood:
    """Likelihood of the true mean of each data set: number of splits, their mean and standard deviation, and the bound of its prior."""

    n: Array
    mean: Array
    sd: Array
    rho: float
    bound: float

    @cached_property
    def half_width(self) -> Array:
        """Distance at which the likelihood is (1 + 1)^-(n-1)/2 of its maximum; for a single split only the bound is known."""
        width = np.sqrt((self.n - 1) * (1 + (self.n - 1) * self.rho) / (self.n * (1 - self.rho))) * self.sd
        return np.where(self.n > 1, width, NARROW * self.bound)

    @cached_property
    def gamma_threshold(self) -> Array:
        """Argument from which the incomplete gamma function visibly differs from the complete one."""
        return np.where(self.n > 1, special.gammaincinv(np.maximum((self.n - 1) / 2, 0.5), FLAT), 0.0)

    @cached_property
    def mean_distance(self) -> Array:
        """Approximate distance of the true mean of each data set from the mean of its splits."""
        return np.where(self.n > 1, self.half_width / np.sqrt(self.n), self.half_width)

    def integration_range(self, width: Array, scale: float) -> Array:
        """Return the largest distance from both peaks at which the product of both densities matters."""
        n = self.n
        likelihood_range = np.where(n > 1, np.sqrt(n * (NEGLIGIBLE ** (-2 / np.maximum(n, 2)) - 1)) * width, np.inf)
        product_range = np.sqrt(n + 1) * NEGLIGIBLE ** (-1 / n) * (width + scale)
        return np.minimum(np.minimum(likelihood_range, product_range), 9 * self.bound * np.sqrt((1 + (n - 1) * self.rho) / n))

    def log_likelihood(self, which: Any, distance: Array) -> Array:
        """Return the log likelihood of means at these distances, (points, nodes), from the means of the data sets ``which``.

        The log likelihood is 0 at distance 0 if the data set has a spread.
        """
        n, half_width = self.n[which][:, None], self.half_width[which][:, None]
        a = (n - 1) / 2
        # `square` times the squared distance is x, the second argument of the incomplete gamma function Gamma(a, x)
        square = n / (1 + (n - 1) * self.rho) / (2 * self.bound**2)
        offset = np.where(n > 1, half_width**2, 0.0)
        logs = -a * np.log1p((distance / half_width) ** 2)  # 0 for a data set with a single split, where a = 0
        x = (distance**2 + offset) * square
        incomplete = x > self.gamma_threshold[which][:, None]
        if incomplete.any():
            shape, at = np.broadcast_to(a, x.shape)[incomplete], x[incomplete]
            logs[incomplete] += log_upper_gamma(shape, at) - np.where(shape > 0, special.gammaln(np.maximum(shape, 0.5)), 0.0)
        return logs


def log_upper_gamma(a: Array, x: Array) -> Array:
    """Return the logarithm of the upper incomplete gamma function, also for a = 0; if it underflows (large x), by its first terms.

    >>> log_upper_gamma(np.array([1.0, 0.0, 2.0]), np.array([3.0, 1.0, 1e4])).round(4).tolist()
    [-3.0, -1.5169, -9990.7896]
    """
    positive, is_zero = np.maximum(a, 0.5), a <= 0
    with np.errstate(divide="ignore"):
        logs = np.log(special.gammaincc(positive, x)) + special.gammaln(positive)
        logs[is_zero] = np.log(special.exp1(x[is_zero]))
    underflow = ~np.isfinite(logs) & (x > 1)
    a, x = a[underflow], x[underflow]
    logs[underflow] = (a - 1) * np.log(x) - x + np.log1p(np.minimum((a - 1) / x, 1.0))
    return logs


def log_student_t_height(df: float) -> float:
    """Return the log density of Student's t at 0."""
    return float(special.gammaln((df + 1) / 2) - special.gammaln(df / 2) - np.log(df * np.pi) / 2)


def log_marginal_likelihoods(splits: SplitLikelihood, middle: Array, scale: float, dfs: Array) -> tuple[Array, Array]:
    r"""Return :math:`\ln \int L(\mu)\, t(\mu)\, d\mu` for each data set, middle m and degrees of freedom, and the mean of mu there.

    Both results have the shape (data sets, middles, dfs); the mean of mu is given as a distance from the mean of the splits.
    """
    which, place = (part.ravel() for part in np.indices((len(splits.n), len(middle))))
    total = np.zeros((which.size, len(dfs)))
    moment = np.zeros_like(total)
    for points, mu, weights in _integration_nodes(splits, which, middle[place], scale):
        distance = mu - splits.mean[which[points]][:, None]
        base = splits.log_likelihood(which[points], distance) + np.log(weights)
        square = ((mu - middle[place[points]][:, None]) / scale) ** 2
        heights = np.empty_like(base)  # computed in place, because allocating new arrays takes longer than the operations
        for k, df in enumerate(dfs):
            np.multiply(square, 1 / df, out=heights)
            heights += 1
            np.log(heights, out=heights)  # three times as fast as log1p, whose extra precision does not matter here
            heights *= -(df + 1) / 2
            heights += base
            np.exp(heights, out=heights)
            total[points, k] += heights.sum(1)
            moment[points, k] += np.einsum("ij,ij->i", heights, distance)
    positive_total = np.maximum(total, np.finfo(float).tiny)
    logs = np.log(positive_total) + np.array([log_student_t_height(df) for df in dfs]) - np.log(scale)
    shape = (len(splits.n), len(middle), len(dfs))
    return logs.reshape(shape), (moment / positive_total).reshape(shape)


def _integration_nodes(splits: SplitLikelihood, which: Any, middle: Array, scale: float) -> Iterator[tuple[Any, Array, Array]]:
    """Yield nodes and weights (points, nodes) around the narrower peak of each point; if the peaks lie far apart, also around the wider."""
    width, mean = splits.mean_distance[which], splits.mean[which]
    data_peak_first = width <= scale
    first, second = np.where(data_peak_first, mean, middle), np.where(data_peak_first, middle, mean)
    narrow, wide = np.minimum(width, scale), np.maximum(width, scale)
    distance, side = np.abs(second - first), np.where(second >= first, 1.0, -1.0)
    end = distance + splits.integration_range(splits.mean_distance, scale)[which]
    separate = distance > SEPARATION * wide
    points = np.arange(which.size)
    yield points, *_graded_nodes(first, side, narrow, end, np.where(separate, distance / 2, end))
    if separate.any():
        k = points[separate]
        yield k, *_graded_nodes(second[k], -side[k], wide[k], end[k], distance[k] / 2)


def _graded_nodes(centre: Array, side: Array, unit: Array, back: Array, ahead: Array) -> tuple[Array, Array]:
    """Return nodes and weights in an interval around a centre; the steps between nodes grow with the distance from the centre."""
    low, high = -np.arcsinh(back / unit), np.arcsinh(ahead / unit)
    t, w = gauss_legendre(int(NODES_PER_UNIT * (high - low).max() + MIN_NODES))
    v = (low + high)[:, None] / 2 + (high - low)[:, None] / 2 * t
    stretch = np.exp(v)
    mu = centre[:, None] + (side * unit)[:, None] * (stretch - 1 / stretch) / 2
    return mu, w * (high - low)[:, None] / 2 * unit[:, None] * (stretch + 1 / stretch) / 2
