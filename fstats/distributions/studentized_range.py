"""Studentized range distribution (Tukey, Nemenyi): the range of k normal values, divided by an independent standard deviation."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import exp, inf, isinf, lgamma, log, pi, sqrt
from typing import Any

import numpy as np
from scipy import special

from ..core.number_format import format_range
from ..core.value_types import Array, Value

MAX_BLOCK_SIZE = 2**18  # maximum number of values of the integrand that are computed at once
MAX_RANGE = 60.0  # a larger range, in standard deviations, has probability 0 in floating point
STEP = 0.2  # step size of the trapezoidal rule; the rule is exact to all digits if the integrand vanishes on both sides
NEGLIGIBLE_EXPONENT = 40.0  # values of the integrand below e^-40 times its maximum are ignored


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
    """Return possible values z of the largest of the k values, for ranges up to `most`, with phi(z) and Phi(z)."""
    z = np.arange(-8.5, 8.5 + most / 2, STEP)
    return z, np.exp(-(z**2) / 2) * (STEP / sqrt(2 * pi)), special.ndtr(z)


def _sf(q: Array, k: int) -> Array:
    """Return P(range > q); small probabilities lose no digits."""
    z, phi, below = _grid(float(q.max(initial=0.0)))
    share = special.ndtr(z - q[..., None]) / below
    with np.errstate(divide="ignore"):  # ignore the warning for q = 0, because log1p(-1) is minus infinity
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

    def decay(u: float) -> float:  # minus the log of the density of u relative to its peak at u = 0
        return df * (np.expm1(2 * u) / 2 - u)

    def end(far: float) -> float:
        near = 0.0
        while abs(far - near) > 1e-3:
            middle = (near + far) / 2
            near, far = (near, middle) if decay(middle) > NEGLIGIBLE_EXPONENT else (middle, far)
        return far

    left, right = end(-NEGLIGIBLE_EXPONENT / df - 8.0), end(8.0)
    steps = int(max(36, (right - left) / 0.09))
    u = np.linspace(left, right, steps)
    peak = exp(log(2) + df / 2 * (log(df / 2) - 1) - lgamma(df / 2))
    weights = (right - left) / (steps - 1) * peak * np.exp(-df * (np.expm1(2 * u) / 2 - u))
    return np.exp(u), weights


@lru_cache(1024)
def _quantile(k: int, df: float, alpha: float, upper: bool) -> np.float64:
    """Solve P(Q >= q) = alpha, or P(Q <= q) = alpha, for q by the Illinois variant of false position, on logarithms."""
    null = StudentizedRange(k, df)
    tail = null.at_least if upper else null.at_most
    sign = 1.0 if upper else -1.0

    def error(log_q: float) -> float:
        return sign * (log(max(float(tail(exp(log_q))), 1e-300)) - log(alpha))  # this function decreases if q increases

    a, b = -12.0, 3.0
    while error(b) > 0:
        b += 2.0
    fa, fb = error(a), error(b)
    side = 0
    for _ in range(200):
        middle = b - fb * (b - a) / (fb - fa)
        f = error(middle)
        if f * fb < 0:
            a, fa, side = b, fb, 0
        else:
            fa = fa / 2 if side == 1 else fa
            side = 1
        moved = abs(middle - b)
        b, fb = middle, f
        if f == 0 or moved < 1e-14 or abs(b - a) < 1e-14:
            break
    return np.float64(exp(b))
