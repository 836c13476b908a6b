"""Posterior distributions of Bayesian tests.

They are the shifted and scaled Student's t, and the distribution of the shares of three regions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import special

from ...core.number_format import format_degrees_of_freedom, format_plain, format_range
from ...core.numerics.floating_point_ties import round_noise_to_zero
from ...core.value_types import Array, Integers, Interval, Value
from ...distributions.continuous_distributions import StudentT

NODES = 400  # number of nodes of each integral; the integrand is smooth, so more nodes do not change the result
NEGLIGIBLE_MASS = 1e-18  # the integrals leave out tails with a smaller probability
LOG_MIN, LOG_MAX = -41.0, 4.0  # each integral over ln x extends at least from -41 to 4
UNDERFLOW_EXPONENT = 700.0  # exp(700) is finite, but exp(710) overflows
MAX_BLOCK_SIZE = 2**18  # maximum number of random numbers in memory


@dataclass(frozen=True)
class LocatedT:
    """Student's t with a location and a scale; scale 0 puts all mass on the mean, an infinite scale gives both sides probability 1/2."""

    df: Any
    mean: Any
    scale: Any

    def _standardize(self, x: Any) -> Any:
        if not isinstance(self.scale, np.ndarray) and 0 < self.scale < np.inf:
            return np.subtract(x, self.mean) / self.scale
        distance, scale = np.subtract(x, self.mean), np.asarray(self.scale)
        no_spread, infinite = scale == 0, np.isinf(scale)
        z = distance / np.where(no_spread | infinite, 1.0, scale)
        if not (no_spread | infinite).any():
            return z
        z = np.where(infinite & np.isfinite(distance), 0.0, z)
        return np.where(no_spread, np.where(distance < 0, -np.inf, np.inf), z)[()]

    @property
    def _df(self) -> Any:
        return np.maximum(self.df, 1)  # if df = 0, the scale is infinite, and any positive df gives the same result

    def at_most(self, x: Any) -> Value:
        """Return P(mu <= x)."""
        return special.stdtr(self._df, self._standardize(x))

    def at_least(self, x: Any) -> Value:
        """Return P(mu >= x)."""
        return special.stdtr(self._df, self._standardize(2 * np.asarray(self.mean) - x))

    def regions(self, rope: float) -> Array:
        """Return the probabilities of mu < -rope, -rope <= mu <= rope and mu > rope, each with full floating-point precision."""
        mean = np.asarray(self.mean)
        # mirror a negative mean at 0, so that a small probability is computed as a lower tail, without loss of digits
        mirrored = LocatedT(self.df, np.abs(mean), self.scale)
        z_low, z_high = np.asarray(mirrored._standardize(-rope)), np.asarray(mirrored._standardize(rope))
        below, small = special.stdtr(self._df, z_low), special.stdtr(self._df, -np.abs(z_high))
        above = np.where(z_high > 0, small, 1 - small)
        parts = np.array([below, np.where(z_high > 0, (1 - small) - below, small - below), above])
        if np.any(no_spread := np.asarray(self.scale) == 0):
            excess = np.abs(mean) if np.isinf(rope) else round_noise_to_zero(np.abs(mean) - rope, rope)
            beyond = (excess > 0) & np.isfinite(rope)
            parts = np.where(no_spread, np.array([np.zeros_like(mean), ~beyond, beyond], float), parts)
        return np.where(mean < 0, parts[::-1], parts)

    def credible(self, outside: float) -> Interval:
        """Return the central interval, given the probability outside, half of it on either side."""
        reach = StudentT(self._df).high(outside / 2)
        with np.errstate(invalid="ignore"):
            return Interval(self.mean - reach * self.scale, self.mean + reach * self.scale)

    def density(self, x: Array) -> Array:
        """Return the density at x, for a scale that is neither 0 nor infinite."""
        return StudentT(self.df).density((x - self.mean) / self.scale) / self.scale

    def __str__(self) -> str:
        return f"Student's t with {format_degrees_of_freedom(self.df)} around {format_range(self.mean)}, scale {format_range(self.scale)}"


@dataclass(frozen=True)
class DirichletShares:
    """Dirichlet distribution of the shares of three regions; a region with parameter 0 has the share 0."""

    concentration: Any

    def largest(self) -> Array:
        """Return, for each region, the probability that its share is the largest (an integral)."""
        flat = np.reshape(self.concentration, (3, -1)).astype(float)
        columns, which = np.unique(flat, axis=1, return_inverse=True)  # compute columns with equal counts only once
        return gamma_maximum_probabilities(columns)[:, which.ravel()].reshape(np.shape(self.concentration))

    def draws(self, count: int, rng: Any) -> Array:
        """Return random shares, (3, count), of a single posterior."""
        gamma = np.random.default_rng(rng).standard_gamma(np.asarray(self.concentration, float)[:, None], (3, count))
        return gamma / gamma.sum(0)

    def __str__(self) -> str:
        return f"Dirichlet({', '.join(map(format_range, np.asarray(self.concentration)))})"


def gamma_maximum_probabilities(a: Array) -> Array:
    r"""Return the probability of each of three independent gamma variables that it is the largest, for columns of their parameters.

    A Dirichlet share is a gamma variable X divided by the sum of all three, so the largest share belongs to the largest variable:

    .. math:: P(X_i \text{ is the largest}) = \int_0^\infty f_i(x)\, F_j(x)\, F_k(x)\, dx.

    With x = exp(t) the integrand is smooth and decreases fast on either side, so equally spaced nodes reach floating-point precision.

    >>> gamma_maximum_probabilities(np.array([[1.0], [1.0], [1.0]])).ravel().round(12).tolist()
    [0.333333333333, 0.333333333333, 0.333333333333]
    """
    positive_a = np.where(a > 0, a, 1.0)
    with np.errstate(divide="ignore"):
        low = np.where(a > 0, np.log(special.gammaincinv(positive_a, NEGLIGIBLE_MASS)), -np.inf).max(0, initial=LOG_MIN)
        high = np.where(a > 0, np.log(special.gammainccinv(positive_a, NEGLIGIBLE_MASS)), -np.inf).max(0, initial=LOG_MAX)
    step = (high - low) / (NODES - 1)
    t = low + step * np.arange(NODES)[:, None]  # axes: nodes, repetitions
    x = np.exp(t)
    heights = np.exp(log_density(positive_a[:, None], t, x))
    cdf = np.where(a[:, None] > 0, special.gammainc(positive_a[:, None], x), 1.0)
    integrand = np.array([heights[i] * cdf[i - 1] * cdf[i - 2] for i in range(3)])
    # add the part below the first node: a geometric series, because the integrand there is proportional to exp(t sum a)
    parts = integrand.sum(1) + integrand[:, 0] / np.expm1(np.minimum(a.sum(0) * step, UNDERFLOW_EXPONENT))
    parts = np.where(a > 0, parts, 0.0)
    return parts / parts.sum(0)


def log_density(a: Array, t: Array, x: Array) -> Array:
    """Return the log density of t = ln x for a gamma variable x with parameter a; for large a by Stirling's formula, to keep digits.

    >>> a, t = np.array([999.0, 1001.0]), np.log(1000)
    >>> (log_density(a, t, 1000.0) - (a * t - 1000 - special.gammaln(a))).round(9) + 0.0
    array([0., 0.])
    """
    u = t - np.log(a)
    large = -a * (np.expm1(np.minimum(u, UNDERFLOW_EXPONENT)) - u) + np.log(a / (2 * np.pi)) / 2 - 1 / (12 * a)
    return np.where(a > 1000, large, a * t - x - special.gammaln(a))


@dataclass(frozen=True)
class WalshShares:
    """Shares of three regions among all means of two differences (Walsh averages), if each difference has a random weight.

    The weights have a Dirichlet distribution: its parameters are 1 for each difference, and the strength of the prior for one additional
    difference of 0, which comes first.  The first axis of ``d`` holds the differences; further axes are repetitions, and all use the same
    random weights.  A value is beyond the rope if it exceeds the rope by more than ``blur``, the size of rounding noise.
    """

    d: Any
    rope: float
    strength: float
    blur: Any
    count: int
    rng: int

    def _repetitions(self, first: Any = ()) -> Iterator[tuple[Array, float]]:
        """Yield, for each repetition, the differences (after those in `first`), and the upper limit of the rope."""
        flat = self.d.reshape(len(self.d), -1)
        edges = self.rope + np.broadcast_to(self.blur, self.d.shape[1:]).ravel()
        for k in range(flat.shape[1]):
            yield np.r_[first, flat[:, k]], edges[k]

    def _reshape_repetitions(self, values: Any) -> Array:
        """Reshape three values for each repetition to the axes of the steps."""
        return np.array(values, float).T.reshape(3, *self.d.shape[1:])

    def pairs(self) -> Array:
        """Return the number of means of two differences in each region; pairs of a difference with itself count, the prior does not."""
        counts = []
        for z, edge in self._repetitions():
            _, below, not_above = count_walsh_partners(z, edge)
            left, right = (below.sum() + (z < -edge).sum()) // 2, ((len(z) - not_above).sum() + (z > edge).sum()) // 2
            counts.append((left, len(z) * (len(z) + 1) // 2 - left - right, right))
        return self._reshape_repetitions(counts)

    def expected(self) -> Array:
        """Return the exact expected share of each region, from the known mean product of two Dirichlet weights."""
        a = np.r_[self.strength, np.ones(len(self.d))]
        total, shares = a.sum(), []
        for z, edge in self._repetitions([0.0]):
            order, below, not_above = count_walsh_partners(z, edge)
            sums = np.r_[0.0, a[order].cumsum()]
            left = (a[order] * sums[below]).sum() + a[z < -edge].sum()
            right = (a[order] * (total - sums[not_above])).sum() + a[z > edge].sum()
            shares.append((left, total * (total + 1) - left - right, right))
        return self._reshape_repetitions(shares) / (total * (total + 1))

    def _weights(self, count: int, rng: Any) -> Iterator[Array]:
        """Yield rows of random weights, in blocks of limited size."""
        n, random = len(self.d), np.random.default_rng(rng)
        block_size = max(1, MAX_BLOCK_SIZE // (n + 1))
        for done in range(0, count, block_size):
            w = np.empty((min(block_size, count - done), n + 1))
            w[:, 0] = random.standard_gamma(self.strength, len(w))
            w[:, 1:] = random.standard_exponential((len(w), n))
            yield w / w.sum(1, keepdims=True)

    def _shares_of_weights(self, weights: Array) -> Iterator[Array]:
        """Yield, for each repetition, an array of shape (3, draws): the share of each region under each row of weights."""
        for z, edge in self._repetitions([0.0]):
            order, below, not_above = count_walsh_partners(z, edge)
            w = weights[:, order]
            sums = np.zeros((len(w), len(order) + 1))
            np.cumsum(w, axis=1, out=sums[:, 1:])
            sums[:, -1] = 1.0  # exactly 1, or rounding would give a share to a region without pairs
            left, right = np.einsum("ij,ij->i", w, sums.take(below, 1)), np.einsum("ij,ij->i", w, 1.0 - sums.take(not_above, 1))
            yield np.array([left, 1.0 - left - right, right])

    def largest(self) -> Array:
        """Return the proportion of draws in which the share of each region is the largest."""
        wins: Any = 0
        for weights in self._weights(self.count, self.rng):
            wins = wins + np.array([np.bincount(shares.argmax(0), minlength=3) for shares in self._shares_of_weights(weights)])
        return self._reshape_repetitions(wins / self.count)

    def draws(self, count: int, rng: Any) -> Array:
        """Return random shares, (3, count), of a single posterior."""
        return np.concatenate([next(self._shares_of_weights(weights)) for weights in self._weights(count, rng)], axis=1)

    def __str__(self) -> str:
        draws = f"{self.count} draws, seed {self.rng}"
        return f"random weights of {len(self.d)} differences and a prior of {format_plain(self.strength)} ({draws})"


def count_walsh_partners(z: Array, edge: float) -> tuple[Integers, Integers, Integers]:
    """Return the sorting order, and for each sorted number the number of partners with a mean below -edge, and not above edge."""
    order = np.argsort(z, kind="stable")
    ascending = z[order]
    return order, np.searchsorted(ascending, -2 * edge - ascending, "left"), np.searchsorted(ascending, 2 * edge - ascending, "right")
