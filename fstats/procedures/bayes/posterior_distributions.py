"""What is believed after seeing the data: a shifted and scaled Student's t, and shares of three regions, of which one is the largest."""

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

NODES = 400  # of the integrals, whose integrand is smooth: twice as many change nothing that a float can hold
NEGLIGIBLE_MASS = 1e-18  # chances below this are left out of them
LOG_MIN, LOG_MAX = -41.0, 4.0  # between them, at least, the integral over logarithms is taken
UNDERFLOW_EXPONENT = 700.0  # a power of e that a float still holds
MANY, MOST_TERMS, RELIABLE, FAR = 10_000, 60, 1e-3, 1e100  # where a finite sum serves: numbers, degrees of freedom, chances, angles
AT_ONCE = 2**18  # random numbers that are held at a time


@dataclass(frozen=True)
class LocatedT:
    """Student's t around a mean, in units of a scale; with scale 0 all of it lies on the mean, with an infinite one it has no place."""

    df: Any
    mean: Any
    scale: Any

    def _z(self, x: Any) -> Any:
        if not isinstance(self.scale, np.ndarray) and 0 < self.scale < np.inf:
            return np.subtract(x, self.mean) / self.scale
        away, scale = np.subtract(x, self.mean), np.asarray(self.scale)
        no_spread, endless = scale == 0, np.isinf(scale)
        z = away / np.where(no_spread | endless, 1.0, scale)
        if not (no_spread | endless).any():
            return z
        z = np.where(endless & np.isfinite(away), 0.0, z)
        return np.where(no_spread, np.where(away < 0, -np.inf, np.inf), z)[()]

    @property
    def _df(self) -> Any:
        return np.maximum(self.df, 1)  # with none the scale is infinite, and any will do

    def at_most(self, x: Any) -> Value:
        """P(mu <= x)."""
        return special.stdtr(self._df, self._z(x))

    def at_least(self, x: Any) -> Value:
        """P(mu >= x)."""
        return special.stdtr(self._df, self._z(2 * np.asarray(self.mean) - x))

    def regions(self, rope: float) -> Array:
        """The probabilities of mu < -rope, -rope <= mu <= rope and mu > rope, each of them as exact as a float allows."""
        mean = np.asarray(self.mean)
        up = LocatedT(self.df, np.abs(mean), self.scale)  # mirrored, so that the small tails are those below
        far, near = np.asarray(up._z(-rope)), np.asarray(up._z(rope))
        below, small = student_t_lower_tail(self._df, far), student_t_lower_tail(self._df, -np.abs(near))
        above = np.where(near > 0, small, 1 - small)
        parts = np.array([below, np.where(near > 0, (1 - small) - below, small - below), above])
        if np.any(no_spread := np.asarray(self.scale) == 0):
            away = np.abs(mean) if np.isinf(rope) else round_noise_to_zero(np.abs(mean) - rope, rope)
            beyond = (away > 0) & np.isfinite(rope)
            parts = np.where(no_spread, np.array([np.zeros_like(mean), ~beyond, beyond], float), parts)
        return np.where(mean < 0, parts[::-1], parts)

    def credible(self, outside: float) -> Interval:
        """The interval that leaves half of this on either side."""
        reach = StudentT(self._df).high(outside / 2)
        with np.errstate(invalid="ignore"):
            return Interval(self.mean - reach * self.scale, self.mean + reach * self.scale)

    def density(self, x: Array) -> Array:
        """Height of the curve at x, of a scale that is neither 0 nor infinite."""
        return StudentT(self.df).density((x - self.mean) / self.scale) / self.scale

    def __str__(self) -> str:
        return f"Student's t with {format_degrees_of_freedom(self.df)} around {format_range(self.mean)}, scale {format_range(self.scale)}"


def student_t_lower_tail(df: Any, z: Any) -> Array:
    """P(T <= z) for z <= 0; of very many z with few whole degrees of freedom by a finite sum, which takes a seventh of the time.

    The sum is that of Abramowitz and Stegun 26.7.3 and 26.7.4.  It is a difference of two numbers near 1/2: where it is small, and
    digits would be lost, the incomplete beta function is asked instead.

    >>> z = np.linspace(-3, 0, MANY)
    >>> float(abs(student_t_lower_tail(9, z) / special.stdtr(9, z) - 1).max()) < 1e-12
    True
    """
    z = np.asarray(z)
    if z.size < MANY or np.ndim(df) or df > MOST_TERMS or df != int(df):
        return np.asarray(special.stdtr(df, z))
    tangent, odd = z / -np.sqrt(df), int(df) % 2
    with np.errstate(over="ignore", invalid="ignore"):
        square = 1 / (1 + tangent * tangent)  # of the cosine of the angle
        cosine = np.sqrt(square)
        sine = tangent * cosine
    term = cosine if odd else np.ones_like(square)
    total = np.zeros_like(square) if df == 1 else term.copy()
    for k in range(2 + odd, int(df) - 1, 2):
        term *= square * ((k - 1) / k)
        total += term
    inside = (np.arctan(tangent) + sine * total) * (2 / np.pi) if odd else sine * total
    below = (1 - inside) / 2
    rare = ~(below >= RELIABLE) | (tangent > FAR)
    below[rare] = special.stdtr(df, z[rare])
    return below


@dataclass(frozen=True)
class DirichletShares:
    """The Dirichlet distribution of the shares of three regions; a region whose parameter is 0 has no share."""

    concentration: Any

    def largest(self) -> Array:
        """The probability of each region that its share is the largest, by integration."""
        flat = np.reshape(self.concentration, (3, -1)).astype(float)
        columns, which = np.unique(flat, axis=1, return_inverse=True)  # of many repetitions many are the same counts
        return gamma_maximum_probabilities(columns)[:, which.ravel()].reshape(np.shape(self.concentration))

    def draws(self, count: int, rng: Any) -> Array:
        """So many random shares, (3, count), of a single posterior."""
        gamma = np.random.default_rng(rng).standard_gamma(np.asarray(self.concentration, float)[:, None], (3, count))
        return gamma / gamma.sum(0)

    def __str__(self) -> str:
        return f"Dirichlet({', '.join(map(format_range, np.asarray(self.concentration)))})"


def gamma_maximum_probabilities(a: Array) -> Array:
    r"""The probability of each of three independent gamma variables that it is the largest, for columns of their parameters.

    A Dirichlet share is a gamma variable X divided by the sum of all three, so the largest share belongs to the largest variable:

    .. math:: P(X_i \text{ is the largest}) = \int_0^\infty f_i(x)\, F_j(x)\, F_k(x)\, dx.

    With x = exp(t) the integrand is smooth and falls off fast on either side, so that equally spaced nodes are as exact as a float.

    >>> gamma_maximum_probabilities(np.array([[1.0], [1.0], [1.0]])).ravel().round(12).tolist()
    [0.333333333333, 0.333333333333, 0.333333333333]
    """
    there = np.where(a > 0, a, 1.0)
    with np.errstate(divide="ignore"):
        low = np.where(a > 0, np.log(special.gammaincinv(there, NEGLIGIBLE_MASS)), -np.inf).max(0, initial=LOG_MIN)
        high = np.where(a > 0, np.log(special.gammainccinv(there, NEGLIGIBLE_MASS)), -np.inf).max(0, initial=LOG_MAX)
    step = (high - low) / (NODES - 1)
    t = low + step * np.arange(NODES)[:, None]  # nodes by columns
    x = np.exp(t)
    heights = np.exp(log_density(there[:, None], t, x))
    under = np.where(a[:, None] > 0, special.gammainc(there[:, None], x), 1.0)
    integrand = np.array([heights[i] * under[i - 1] * under[i - 2] for i in range(3)])
    # Left of all nodes it is exp(t sum a), but for a factor: of small parameters much lies there, a geometric series of nodes.
    parts = integrand.sum(1) + integrand[:, 0] / np.expm1(np.minimum(a.sum(0) * step, UNDERFLOW_EXPONENT))
    parts = np.where(a > 0, parts, 0.0)
    return parts / parts.sum(0)


def log_density(a: Array, t: Array, x: Array) -> Array:
    """Of the logarithm t of a gamma variable x with the parameter a; around a large one, where large numbers would cancel, by Stirling.

    >>> a, t = np.array([999.0, 1001.0]), np.log(1000)
    >>> (log_density(a, t, 1000.0) - (a * t - 1000 - special.gammaln(a))).round(9) + 0.0
    array([0., 0.])
    """
    u = t - np.log(a)
    large = -a * (np.expm1(np.minimum(u, UNDERFLOW_EXPONENT)) - u) + np.log(a / (2 * np.pi)) / 2 - 1 / (12 * a)
    return np.where(a > 1000, large, a * t - x - special.gammaln(a))


@dataclass(frozen=True)
class WalshShares:
    """Shares of three regions among all means of two differences, where each difference has a random weight.

    The weights are Dirichlet, 1 for each difference and the strength of the prior for one more, which is 0 and stands first.  The first
    axis of ``d`` holds the differences; further axes are repetitions, for all of which the same weights are drawn.  Beyond the rope is
    what is farther than ``blur``, which is rounding noise.
    """

    d: Any
    rope: float
    strength: float
    blur: Any
    count: int
    rng: int

    def _repetitions(self, first: Any = ()) -> Iterator[tuple[Array, float]]:
        """The differences of each repetition behind these first ones, and where its rope ends."""
        flat = self.d.reshape(len(self.d), -1)
        edges = self.rope + np.broadcast_to(self.blur, self.d.shape[1:]).ravel()
        for k in range(flat.shape[1]):
            yield np.r_[first, flat[:, k]], edges[k]

    def _shaped(self, found: Any) -> Array:
        """Three values for each repetition, as the steps hold them."""
        return np.array(found, float).T.reshape(3, *self.d.shape[1:])

    def pairs(self) -> Array:
        """How many means of two differences (each with itself too, and without the prior's) lie in each region."""
        found = []
        for z, edge in self._repetitions():
            _, below, not_above = count_walsh_partners(z, edge)
            left, right = (below.sum() + (z < -edge).sum()) // 2, ((len(z) - not_above).sum() + (z > edge).sum()) // 2
            found.append((left, len(z) * (len(z) + 1) // 2 - left - right, right))
        return self._shaped(found)

    def expected(self) -> Array:
        """The expected share of each region, which needs no drawing: of Dirichlet weights the mean of each product is known."""
        a = np.r_[self.strength, np.ones(len(self.d))]
        total, found = a.sum(), []
        for z, edge in self._repetitions([0.0]):
            order, below, not_above = count_walsh_partners(z, edge)
            sums = np.r_[0.0, a[order].cumsum()]
            left = (a[order] * sums[below]).sum() + a[z < -edge].sum()
            right = (a[order] * (total - sums[not_above])).sum() + a[z > edge].sum()
            found.append((left, total * (total + 1) - left - right, right))
        return self._shaped(found) / (total * (total + 1))

    def _weights(self, count: int, rng: Any) -> Iterator[Array]:
        """Rows of random weights, as many at a time as fit."""
        n, random = len(self.d), np.random.default_rng(rng)
        most = max(1, AT_ONCE // (n + 1))
        for done in range(0, count, most):
            w = np.empty((min(most, count - done), n + 1))
            w[:, 0] = random.standard_gamma(self.strength, len(w))
            w[:, 1:] = random.standard_exponential((len(w), n))
            yield w / w.sum(1, keepdims=True)

    def _of_weights(self, weights: Array) -> Iterator[Array]:
        """The three shares (3, draws) that rows of weights give, for each repetition."""
        for z, edge in self._repetitions([0.0]):
            order, below, not_above = count_walsh_partners(z, edge)
            w = weights[:, order]
            sums = np.zeros((len(w), len(order) + 1))
            np.cumsum(w, axis=1, out=sums[:, 1:])
            sums[:, -1] = 1.0  # or rounding would give a share to a region that has no pair
            left, right = np.einsum("ij,ij->i", w, sums.take(below, 1)), np.einsum("ij,ij->i", w, 1.0 - sums.take(not_above, 1))
            yield np.array([left, 1.0 - left - right, right])

    def largest(self) -> Array:
        """The share of the draws in which each region is the largest."""
        wins: Any = 0
        for weights in self._weights(self.count, self.rng):
            wins = wins + np.array([np.bincount(shares.argmax(0), minlength=3) for shares in self._of_weights(weights)])
        return self._shaped(wins / self.count)

    def draws(self, count: int, rng: Any) -> Array:
        """So many random shares, (3, count), of a single posterior."""
        return np.concatenate([next(self._of_weights(weights)) for weights in self._weights(count, rng)], axis=1)

    def __str__(self) -> str:
        return f"random weights of {len(self.d)} differences and a prior of {format_plain(self.strength)} ({self.count} draws, seed {self.rng})"


def count_walsh_partners(z: Array, edge: float) -> tuple[Integers, Integers, Integers]:
    """Numbers in order, and with how many of them each (in that order) has its mean below -edge, and not above edge."""
    order = np.argsort(z, kind="stable")
    ascending = z[order]
    return order, np.searchsorted(ascending, -2 * edge - ascending, "left"), np.searchsorted(ascending, 2 * edge - ascending, "right")
