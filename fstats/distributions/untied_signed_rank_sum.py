r"""Distribution of Wilcoxon's signed-rank statistic without ties.

W is the sum of the ranks 1, ..., n with a positive sign; for large n, a table of all sums is too large.  The generating function of
W is known, so that its tail probabilities are integrals along a vertical line to the left of 0 (Cauchy's formula for coefficients,
summed over the coefficients up to x)

    P(W <= x) = 1 / (2 pi) \int_{-pi}^{pi} exp(K(z) - z x) / (1 - exp(z)) d theta,    z = tilt + i theta,

with the cumulant generating function

    K(z) = \sum_{i=1}^n log((1 + exp(i z)) / 2) = z n (n + 1) / 4 + \sum_{i=1}^n log cosh(i z / 2).

The tilt is the saddle point, where the integrand is largest at theta = 0 and falls like a normal density; but at least one standard
deviation to the left of the pole at 0.  The trapezoidal rule then converges exponentially.  More than 9 standard deviations of the
integrand away from theta = 0, less than 1e-17 of the integral is left: between there and 2 pi / n the factors cos(i theta / 2) fall
together, and beyond they are far below 1 for most ranks, so that the integrand is below exp(-n / 8) of its peak.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import ceil, inf, pi, sqrt
from typing import Any, Self

import numpy as np
from scipy import special

from ..core.value_types import Array, Value
from .continuous_distributions import Normal
from .exact_rank_distributions import MAX_SUMS, SignedRankSum, sign_assignments_text

# Gauss-Legendre nodes for the integral that replaces a sum over ranks
NODES, WEIGHTS = (np.polynomial.legendre.leggauss(40)[k] for k in (0, 1))
STEP = 0.6  # step of the trapezoidal rule, in standard deviations of the integrand
# minimum distance between the line of integration and the pole at 0, in steps; the error is then below exp(-2 pi 6.5)
POLE_STEPS = 6.5
REACH = 9.0  # length of the integration interval, in standard deviations of the integrand
LARGEST_TILT = 12.0  # if -n tilt / 2 is larger, the probability is below 1e-300 (the tilt is negative)
# maximum number of untied ranks for a table; the table takes one or two seconds, and also has probabilities below 1e-300
MAX_TABLE_RANKS = 1_500
LEAST_EXPONENT = -690.0  # if the exponent is smaller, the probability is below 1e-300


@dataclass(frozen=True)
class UntiedSignedRankSum(Normal):
    """Exact distribution of the sum of the ranks 1, ..., n with random signs plus a constant, for n above 1,500, to 12 digits.

    Probabilities below 1e-300 are 0.  Pictures show the density of the normal distribution with the same mean and variance.
    """

    n: int = 0
    fixed: float = 0.0

    @classmethod
    def of_ranks(cls, n: int, fixed: float = 0.0) -> Self:
        """Return the distribution of the sum of n ranks."""
        return cls(fixed + n * (n + 1) / 4, sqrt(n * (n + 1) * (2 * n + 1) / 24), n, fixed)

    def at_most(self, x: Any) -> Value:
        """Return P(W <= x)."""
        total = self.n * (self.n + 1) // 2
        sums = np.floor(np.subtract(x, self.fixed))
        mirrored = [1 - _lower_tail(self.n, total - 1 - k) if 2 * k >= total else _lower_tail(self.n, k) for k in np.ravel(sums).tolist()]
        return np.reshape(mirrored, sums.shape)[()]

    def at_least(self, x: Any) -> Value:
        """Return P(W >= x)."""
        return self.at_most(2 * np.asarray(self.mean) - x)

    def low(self, alpha: float) -> Value:
        """Return the largest value c with P(W <= c) <= alpha; -inf if no value has this property."""
        below, above = -1, self.n * (self.n + 1) // 2
        while above - below > 1:
            middle = (below + above) // 2
            below, above = (middle, above) if self.at_most(middle + self.fixed) <= alpha else (below, middle)
        return np.float64(below + self.fixed if below >= 0 else -inf)

    def __str__(self) -> str:
        return sign_assignments_text(str(self.n))


def signed_rank_sum(ranks: Any, fixed: Any = 0.0) -> SignedRankSum | UntiedSignedRankSum:
    """Return the exact distribution of ``fixed`` plus the ranks with a positive sign: a table, or integrals if a table is too large."""
    ranks = np.asarray(ranks, float)
    if ranks.ndim == 1 and len(ranks) > MAX_TABLE_RANKS and (n := untied_count(ranks)) > MAX_TABLE_RANKS:
        return UntiedSignedRankSum.of_ranks(n, float(fixed))
    return SignedRankSum(ranks, fixed)


def fits_table(ranks: Array) -> bool:
    """Return whether the sums of ranks, which are whole or half numbers, fit a table."""
    return bool(np.max(ranks.sum(0)) * (1 if (ranks == np.rint(ranks)).all() else 2) < MAX_SUMS)


def untied_count(ranks: Array) -> int:
    """Return n if the ranks of a single test, without zeros, are 1, ..., n in any order; 0 for all other ranks."""
    given = np.sort(ranks[ranks > 0]) if ranks.ndim == 1 else ranks
    return len(given) if np.array_equal(given, np.arange(1.0, len(given) + 1)) else 0


@cache
def _lower_tail(n: int, x: float) -> float:
    """Return P(W <= x) for x below the mean."""
    distance = n * (n + 1) / 4 - x
    tilt = _saddle_point(n, distance)
    if x < 0 or n * -tilt / 2 > LARGEST_TILT or _exponents(n, tilt, distance) < LEAST_EXPONENT:
        return 0.0
    width = _variance(n, tilt) ** -0.5
    tilt = min(tilt, -(_variance(n, 0.0) ** -0.5))
    step = min(STEP * width, -tilt / POLE_STEPS)
    z = tilt + 1j * step * np.arange(ceil(REACH * width / step))
    values = (-np.exp(_exponents(n, z, distance)) / special.expm1(z)).real
    return float(min(1.0, step / pi * (values.sum() - values[0] / 2)))


def _saddle_point(n: int, distance: float) -> float:
    """Return the tilt under which the mean of W is `distance` below the mean without tilt (Newton's method)."""
    tilt = 0.0
    for _ in range(40):
        change = -(distance + _tilted_mean(n, tilt)) / _variance(n, tilt)
        tilt += change
        if abs(change) < 1e-6 * abs(tilt) or n * -tilt / 2 > LARGEST_TILT:
            break
    return tilt


def _tilted_mean(n: int, tilt: float) -> float:
    """Return the mean of the tilted W minus the mean of W."""
    return float(_sum_over_ranks(n, lambda u: u / 2 * np.tanh(u * tilt / 2)))


def _variance(n: int, tilt: float) -> float:
    """Return the variance of the tilted W."""
    return float(_sum_over_ranks(n, lambda u: u**2 / 4 / np.cosh(u * tilt / 2) ** 2))


def _exponents(n: int, z: Any, distance: float) -> Any:
    """Return K(z) - z x, with the cumulant generating function K of W; `distance` is the mean of W minus x."""
    log_cosh = _sum_over_ranks(n, lambda u: np.log1p(np.sinh(u * np.asarray(z)[..., None] / 2) ** 2) / 2)
    last, first = (n + 0.5) * z / 2, z / 4
    slopes = z / 2 * (np.tanh(last) - np.tanh(first))
    third = -2 * (z / 2) ** 3 * (np.tanh(last) / np.cosh(last) ** 2 - np.tanh(first) / np.cosh(first) ** 2)
    return z * distance + log_cosh - slopes / 24 + 7 / 5760 * third


def _sum_over_ranks(n: int, g: Callable[[Array], Any]) -> Any:
    """Return the integral of g from 1/2 to n + 1/2, which is the sum over the ranks up to derivatives at the ends (Euler and Maclaurin)."""
    return (g((n + 1) / 2 + n / 2 * NODES) * WEIGHTS).sum(-1) * n / 2
