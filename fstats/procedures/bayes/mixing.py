r"""The integral over the mean of one data set: what its splits say of it, times what the population of data sets does.

Data set i tells its mean by a likelihood that is shaped like Student's t: its standard deviation, uniform between 0 and a bound S, is
integrated out in closed form,

.. math:: L(\mu) = \int_0^S \sigma^{-n} e^{-Q / 2 \sigma^2}\, d\sigma
   \propto Q^{-(n-1)/2}\ \Gamma\left(\frac{n-1}{2}, \frac{Q}{2 S^2}\right),
   \qquad Q = \frac{n (\bar x - \mu)^2}{1 + (n-1) \rho} + \frac{(n-1) s^2}{1 - \rho}.

The population is Student's t around m.  The product of two such curves has two peaks, of any widths and distance.  Nodes that stand
close together around the narrower one, and in proportion to their distance farther out, see both of them, unless the wider one lies
too far away: then the line is cut in the middle, and each half has nodes around its own peak.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from scipy import special

from ...core.value import Array

APART = 1.0  # widths of the wider peak between two that get nodes of their own
NODES_PER_UNIT, LEAST_NODES = 4.0, 10
NEGLIGIBLE = 1e-10  # the share of an integral that may lie beyond the last node
NARROW = 1e-7  # a single difference has a likelihood with a pole; nodes start so close to it, in units of the bound
FLAT = 1e-15  # the incomplete gamma function is the complete one, but for this share


@lru_cache(maxsize=256)
def gauss(count: int) -> tuple[Array, Array]:
    """Nodes and weights of Gauss and Legendre between -1 and 1."""
    nodes, weights = np.polynomial.legendre.leggauss(count)
    return nodes, weights


@dataclass(frozen=True, eq=False)
class SplitsShown:
    """What the splits of each data set say of its mean: how many there are, their mean and standard deviation, and the
    prior's bound of it.
    """

    n: Array
    mean: Array
    sd: Array
    rho: float
    bound: float

    @cached_property
    def core(self) -> Array:
        """Where the likelihood is (1 + 1)^-(n-1)/2 of its height; of a single split nothing but the bound is known."""
        known = np.sqrt((self.n - 1) * (1 + (self.n - 1) * self.rho) / (self.n * (1 - self.rho))) * self.sd
        return np.where(self.n > 1, known, NARROW * self.bound)

    @cached_property
    def late(self) -> Array:
        """From this argument on the incomplete gamma function is seen to be incomplete."""
        return np.where(self.n > 1, special.gammaincinv(np.maximum((self.n - 1) / 2, 0.5), FLAT), 0.0)

    @cached_property
    def width(self) -> Array:
        """How far, about, the mean of each data set is from what its splits show."""
        return np.where(self.n > 1, self.core / np.sqrt(self.n), self.core)

    def reach(self, width: Array, scale: float) -> Array:
        """So far from both peaks, at most, their product need be looked at."""
        n = self.n
        alone = np.where(n > 1, np.sqrt(n * (NEGLIGIBLE ** (-2 / np.maximum(n, 2)) - 1)) * width, np.inf)
        both = np.sqrt(n + 1) * NEGLIGIBLE ** (-1 / n) * (width + scale)
        return np.minimum(np.minimum(alone, both), 9 * self.bound * np.sqrt((1 + (n - 1) * self.rho) / n))

    def log_likelihood(self, which: Any, away: Array) -> Array:
        """Of means so far away from what each data set shows, (points, nodes), as the points say which; 0 at its mean, if it
        has a spread.
        """
        n, core = self.n[which][:, None], self.core[which][:, None]
        a = (n - 1) / 2
        square = n / (1 + (n - 1) * self.rho) / (2 * self.bound**2)  # from squares of distances to x of Gamma(a, x)
        least = np.where(n > 1, core**2, 0.0)
        found = -a * np.log1p((away / core) ** 2)  # of a single split 0
        x = (away**2 + least) * square
        late = x > self.late[which][:, None]
        if late.any():
            shape, at = np.broadcast_to(a, x.shape)[late], x[late]
            found[late] += log_upper_gamma(shape, at) - np.where(shape > 0, special.gammaln(np.maximum(shape, 0.5)), 0.0)
        return found


def log_upper_gamma(a: Array, x: Array) -> Array:
    """The logarithm of the upper incomplete gamma function, for a = 0, too; of large x, where it fits no float, by its first terms.

    >>> log_upper_gamma(np.array([1.0, 0.0, 2.0]), np.array([3.0, 1.0, 1e4])).round(4).tolist()
    [-3.0, -1.5169, -9990.7896]
    """
    positive, none = np.maximum(a, 0.5), a <= 0
    with np.errstate(divide="ignore"):
        found = np.log(special.gammaincc(positive, x)) + special.gammaln(positive)
        found[none] = np.log(special.exp1(x[none]))
    lost = ~np.isfinite(found) & (x > 1)
    found[lost] = (a[lost] - 1) * np.log(x[lost]) - x[lost] + np.log1p(np.minimum((a[lost] - 1) / x[lost], 1.0))
    return found


def log_student(df: float) -> float:
    """The logarithm of the height of Student's t in its middle."""
    return float(special.gammaln((df + 1) / 2) - special.gammaln(df / 2) - np.log(df * np.pi) / 2)


def integrals(splits: SplitsShown, middle: Array, scale: float, dfs: Array) -> tuple[Array, Array]:
    r"""For each data set, middle m and degrees of freedom: the logarithm of :math:`\int L(\mu)\, t(\mu)\, d\mu`, and the mean of mu there.

    Both have the shape (data sets, middles, dfs); the mean is told as a distance from what the data set shows.
    """
    which, place = (part.ravel() for part in np.indices((len(splits.n), len(middle))))
    total = np.zeros((which.size, len(dfs)))
    moment = np.zeros_like(total)
    for chosen, mu, weights in _halves(splits, which, middle[place], scale):
        away = mu - splits.mean[which[chosen]][:, None]
        base = splits.log_likelihood(which[chosen], away) + np.log(weights)
        square = ((mu - middle[place[chosen]][:, None]) / scale) ** 2
        for k, df in enumerate(dfs):
            heights = np.exp(base - (df + 1) / 2 * np.log1p(square / df))
            total[chosen, k] += heights.sum(1)
            moment[chosen, k] += np.einsum("ij,ij->i", heights, away)
    there = np.maximum(total, np.finfo(float).tiny)
    logs = np.log(there) + np.array([log_student(df) for df in dfs]) - np.log(scale)
    shape = (len(splits.n), len(middle), len(dfs))
    return logs.reshape(shape), (moment / there).reshape(shape)


def _halves(splits: SplitsShown, which: Any, middle: Array, scale: float) -> Iterator[tuple[Any, Array, Array]]:
    """Nodes and weights, (points, nodes), around the narrower peak of each point; then around the wider one of those that are far apart."""
    width, mean = splits.width[which], splits.mean[which]
    sharp = width <= scale
    near, far = np.where(sharp, mean, middle), np.where(sharp, middle, mean)
    narrow, wide = np.minimum(width, scale), np.maximum(width, scale)
    distance, side = np.abs(far - near), np.where(far >= near, 1.0, -1.0)
    end = distance + splits.reach(splits.width, scale)[which]
    apart = distance > APART * wide
    every = np.arange(which.size)
    yield every, *_around(near, side, narrow, end, np.where(apart, distance / 2, end))
    if apart.any():
        k = every[apart]
        yield k, *_around(far[k], -side[k], wide[k], end[k], distance[k] / 2)


def _around(centre: Array, side: Array, unit: Array, back: Array, ahead: Array) -> tuple[Array, Array]:
    """Nodes from so far behind a centre to so far ahead of it, in steps that grow with the distance."""
    low, high = -np.arcsinh(back / unit), np.arcsinh(ahead / unit)
    t, w = gauss(int(NODES_PER_UNIT * (high - low).max() + LEAST_NODES))
    v = (low + high)[:, None] / 2 + (high - low)[:, None] / 2 * t
    stretch = np.exp(v)
    mu = centre[:, None] + (side * unit)[:, None] * (stretch - 1 / stretch) / 2
    return mu, w * (high - low)[:, None] / 2 * unit[:, None] * (stretch + 1 / stretch) / 2
