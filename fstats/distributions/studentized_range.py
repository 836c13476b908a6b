"""Studentized range distribution.

It is the range of k normal values divided by an independent standard deviation (Tukey, Nemenyi).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import exp, inf, isinf, lgamma, log, pi, sqrt
from typing import Any

import numpy as np
from scipy import special

from ..core.number_format import format_range
from ..core.numerics.bisection import bisect
from ..core.value_types import Array, Value

MAX_BLOCK_SIZE = 2**18  # maximum number of integrand values computed together
MAX_RANGE = 60.0  # maximum range, in standard deviations; P(range > 60) is rounded to 0
# step of the trapezoidal rule; its error is negligible, because the integrand vanishes at both ends
STEP = 0.2
NEGLIGIBLE_EXPONENT = 40.0  # integrand values below e^-40 times the maximum are ignored


@dataclass(frozen=True)
class StudentizedRange:
    """Range of ``k`` standard normal values, divided by an independent standard deviation with ``df`` degrees of freedom.

    With df = infinity the standard deviation is known.  Probabilities are correct to 1e-9 (k up to 100).  Small tail probabilities
    keep their leading digits down to about 1e-14, and for a known standard deviation down to the smallest float.  The two integrals of
    the formula are computed as sums over equal steps:

        P(Q > q) = E_s[ k int phi(z) (Phi(z)^(k-1) - [Phi(z) - Phi(z - q s)]^(k-1)) dz ],   s = sqrt(chi2_df / df).
    """

    k: int
    df: float = inf
    support = (0.0, inf)

    def at_most(self, x: Any) -> Value:
        """Return P(Q <= x)."""
        return np.minimum(self._average_over_sd(x, _cdf), 1.0)

    def at_least(self, x: Any) -> Value:
        """Return P(Q >= x)."""
        return np.minimum(self._average_over_sd(x, _sf), 1.0)

    def density(self, x: Array) -> Array:
        """Height of the curve at x."""
        nodes, weights = _sd_nodes(self.df)
        return self._average_over_sd(x, _density, weights * nodes)

    def low(self, alpha: float) -> Value:
        """Return the x with P(Q <= x) = alpha."""
        return _quantile(self.k, self.df, float(alpha), upper=False)

    def high(self, alpha: float) -> Value:
        """Return the x with P(Q >= x) = alpha."""
        return _quantile(self.k, self.df, float(alpha), upper=True)

    def _average_over_sd(self, x: Any, function: Any, weights: Array | None = None) -> Any:
        """Average a function of the standard deviation over the distribution of the standard deviation, in blocks."""
        nodes, node_weights = _sd_nodes(self.df)
        flat = np.maximum(np.asarray(x, float).ravel(), 0.0)
        result = np.empty(flat.shape)
        count = max(1, int(MAX_BLOCK_SIZE / (len(nodes) * 2 * MAX_RANGE)))
        for first in range(0, len(flat), count):
            part = np.minimum(np.multiply.outer(flat[first : first + count], nodes), MAX_RANGE)
            result[first : first + count] = function(part, self.k) @ (node_weights if weights is None else weights)
        return np.clip(result, 0.0, None).reshape(np.shape(x))[()]

    def __str__(self) -> str:
        return f"studentized range of {self.k} with {'infinitely many' if isinf(self.df) else format_range(self.df)} degrees of freedom"


def _grid(most: float) -> tuple[Array, Array, Array]:
    """Return a grid of values z for the largest of the k normal values, for ranges up to `most`, with phi(z) times the step, and Phi(z)."""
    z = np.arange(-8.5, 8.5 + most / 2, STEP)
    return z, np.exp(-(z**2) / 2) * (STEP / sqrt(2 * pi)), special.ndtr(z)


def _sf(q: Array, k: int) -> Array:
    """Return P(range > q); small probabilities lose no digits."""
    z, phi, below = _grid(float(q.max(initial=0.0)))
    share = special.ndtr(z - q[..., None]) / below
    with np.errstate(divide="ignore"):  # for q = 0, log1p(-1) is -inf, and the result is correct
        return k * (-np.expm1((k - 1) * np.log1p(-np.minimum(share, 1.0))) @ (phi * below ** (k - 1)))


def _cdf(q: Array, k: int) -> Array:
    """Return P(range <= q)."""
    z, phi, below = _grid(float(q.max(initial=0.0)))
    return k * ((below - special.ndtr(z - q[..., None])) ** (k - 1) @ phi)


def _density(q: Array, k: int) -> Array:
    """Return the derivative of P(range <= q)."""
    z, phi, below = _grid(float(q.max(initial=0.0)))
    other = z - q[..., None]
    between = (below - special.ndtr(other)) ** (k - 2) if k > 2 else np.ones_like(other)
    return k * (k - 1) / sqrt(2 * pi) * ((np.exp(-(other**2) / 2) * between) @ phi)


@lru_cache(256)
def _sd_nodes(df: float) -> tuple[Array, Array]:
    """Return values of s = sqrt(chi2_df / df) at equal steps of u = log s, with their weights."""
    if isinf(df):
        return np.ones(1), np.ones(1)

    def decay(u: float) -> float:  # log density at the peak (u = 0) minus log density at u
        return df * (np.expm1(2 * u) / 2 - u)

    left, right = (bisect(lambda u: decay(u) <= NEGLIGIBLE_EXPONENT, 0.0, end)[1] for end in (-NEGLIGIBLE_EXPONENT / df - 8.0, 8.0))
    steps = int(max(36, (right - left) / 0.09))
    u = np.linspace(left, right, steps)
    peak = exp(log(2) + df / 2 * (log(df / 2) - 1) - lgamma(df / 2))
    weights = (right - left) / (steps - 1) * peak * np.exp(-df * (np.expm1(2 * u) / 2 - u))
    return np.exp(u), weights


@lru_cache(1024)
def _quantile(k: int, df: float, alpha: float, upper: bool) -> np.float64:
    """Solve P(Q >= q) = alpha, or P(Q <= q) = alpha, for q by bisection of log(q)."""
    null = StudentizedRange(k, df)
    tail, sign = (null.at_least, 1) if upper else (null.at_most, -1)

    def is_below(log_q: float) -> bool:
        return sign * float(tail(exp(log_q))) > sign * alpha

    high = 3.0
    while is_below(high):
        high += 2.0
    return np.exp(bisect(is_below, -700.0, high, steps=64)[0])
