"""Student's t, chi-squared, F, normal and uniform distributions."""

from __future__ import annotations

from dataclasses import dataclass
from math import pi
from typing import Any, ClassVar

import numpy as np
from numpy import sqrt
from scipy import special

from ..core.number_format import format_degrees_of_freedom, format_range
from ..core.numerics.bisection import bisect
from ..core.value_types import Array, Value

TINY = 1e-100  # for smaller probabilities, SciPy's quantiles of the beta, t and F distributions are wrong


def beta_quantile(a: Any, b: Any, p: float) -> Value:
    """Return the quantile x with P(X <= x) = p of the beta distribution; the quantile is correct even for the smallest p."""
    if p >= TINY:
        return special.betaincinv(a, b, p)
    log_x, _ = bisect(lambda log_x: special.betainc(a, b, np.exp(log_x)) <= p, np.log(5e-324), 0.0, steps=64)
    return np.exp(log_x)


def _beta_odds_quantile(df: Any, df_other: Any, p: float) -> Value:
    """Return the upper p-quantile of df (1 - X) / X, where X has a beta distribution; t squared and multiples of F have this form."""
    x = beta_quantile(np.asarray(df) / 2, np.asarray(df_other) / 2, p)
    with np.errstate(over="ignore"):
        return (df * (1 - x) / x)[()]


@dataclass(frozen=True)
class StudentT:
    """Student's t distribution with ``df`` degrees of freedom."""

    df: Any

    def at_most(self, x: Any) -> Value:
        return special.stdtr(self.df, x)

    def at_least(self, x: Any) -> Value:
        return special.stdtr(self.df, -x)

    def low(self, alpha: float) -> Value:
        if alpha < TINY:
            return -sqrt(_beta_odds_quantile(self.df, 1, 2 * alpha))
        if alpha == 0.5:  # some versions of SciPy return 1e-17 instead of 0
            return np.zeros(np.shape(self.df))[()]
        return special.stdtrit(self.df, alpha)

    def high(self, alpha: float) -> Value:
        return -self.low(alpha)

    def density(self, x: Array) -> Array:
        """Height of the curve at x."""
        v = self.df
        peak = np.exp(special.gammaln((v + 1) / 2) - special.gammaln(v / 2)) / sqrt(v * pi)
        return peak * (1 + x**2 / v) ** (-(v + 1) / 2)

    def __str__(self) -> str:
        return f"Student's t with {format_degrees_of_freedom(self.df)}"


@dataclass(frozen=True)
class Uniform:
    """The uniform distribution between 0 and 1: the distribution of p-values under H0 in the worst case."""

    support = (0.0, 1.0)

    def at_most(self, x: Any) -> Value:
        return np.clip(x, 0.0, 1.0)

    def at_least(self, x: Any) -> Value:
        return 1 - self.at_most(x)

    def low(self, alpha: float) -> Value:
        return np.float64(alpha)

    def high(self, alpha: float) -> Value:
        return np.float64(1 - alpha)

    def density(self, x: Array) -> Array:
        """Height of the curve at x."""
        return np.where((x >= 0) & (x <= 1), 1.0, 0.0)

    def __str__(self) -> str:
        return "uniform between 0 and 1"


@dataclass(frozen=True)
class ChiSquared:
    """The chi-squared distribution with ``df`` degrees of freedom."""

    df: Any
    support = (0.0, np.inf)

    def at_most(self, x: Any) -> Value:
        return special.chdtr(self.df, x)

    def at_least(self, x: Any) -> Value:
        return special.chdtrc(self.df, x)

    def low(self, alpha: float) -> Value:
        return special.chdtri(self.df, 1 - alpha)

    def high(self, alpha: float) -> Value:
        return special.chdtri(self.df, alpha)

    def density(self, x: Array) -> Array:
        """Height of the curve at x."""
        half = self.df / 2
        inside = np.maximum(x, 1e-12)
        heights: Array = np.exp((half - 1) * np.log(inside) - inside / 2 - half * np.log(2) - special.gammaln(half))
        return np.where(x < 0, 0.0, heights)

    def __str__(self) -> str:
        return f"chi-squared with {format_degrees_of_freedom(self.df)}"


@dataclass(frozen=True)
class FisherF:
    """Fisher's F distribution with ``df`` degrees of freedom in the numerator and ``df_error`` in the denominator."""

    df: Any
    df_error: Any
    support = (0.0, np.inf)

    def at_most(self, x: Any) -> Value:
        return np.where(np.isinf(x), 1.0, special.fdtr(self.df, self.df_error, x))[()]

    def at_least(self, x: Any) -> Value:
        return np.where(np.isinf(x), 0.0, special.fdtrc(self.df, self.df_error, x))[()]

    def low(self, alpha: float) -> Value:
        return special.fdtri(self.df, self.df_error, alpha)

    def high(self, alpha: float) -> Value:
        return _beta_odds_quantile(self.df_error, self.df, alpha) / self.df  # special.fdtri of SciPy 1.15 is wrong for alpha below 1e-10

    def density(self, x: Array) -> Array:
        """Height of the curve at x."""
        a, b = self.df / 2, self.df_error / 2
        inside = np.maximum(x, 1e-12)
        logs = a * np.log(a / b) + (a - 1) * np.log(inside) - (a + b) * np.log1p(a * inside / b) - special.betaln(a, b)
        return np.where(x < 0, 0.0, np.exp(logs))

    def __str__(self) -> str:
        return f"F with {format_range(self.df)} and {format_range(self.df_error)} degrees of freedom"


@dataclass(frozen=True)
class Normal:
    """The normal distribution; for sd = 0 the mean has probability 1."""

    p_name: ClassVar[str] = "p by the normal approximation"  # name of a p-value from this distribution
    mean: Any
    sd: Any

    def _z(self, x: Any) -> Any:
        distance = np.subtract(x, self.mean)
        if not isinstance(self.sd, np.ndarray) and self.sd:
            return distance / self.sd
        sd = np.where(np.equal(self.sd, 0), 1.0, self.sd)
        return np.where(np.equal(self.sd, 0), np.where(distance < 0, -np.inf, np.inf), distance / sd)[()]

    def at_most(self, x: Any) -> Value:
        return special.ndtr(self._z(x))

    def at_least(self, x: Any) -> Value:
        return special.ndtr(self._z(2 * np.asarray(self.mean) - x))

    def low(self, alpha: float) -> Value:
        return np.where(np.equal(self.sd, 0), -np.inf, self.mean + special.ndtri(alpha) * np.asarray(self.sd))[()]

    def high(self, alpha: float) -> Value:
        return 2 * self.mean - self.low(alpha)

    def density(self, x: Array) -> Array:
        """Height of the curve at x."""
        return np.exp(-(((x - self.mean) / self.sd) ** 2) / 2) / (self.sd * sqrt(2 * pi))

    def __str__(self) -> str:
        return f"normal with mean {format_range(self.mean)} and standard deviation {format_range(self.sd)}"
