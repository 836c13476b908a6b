"""The noncentral t distribution: how t varies when there is an effect (what the power of a t-test needs)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special

NEGLIGIBLE = 45.0  # what is so many e-foldings below the highest point adds nothing to 16 digits
MOST_NODES = 2**20
CERTAIN = 1e6  # times the critical value


def noncentral_t_sf(c: float, df: float, away: float) -> float:
    r"""P(T >= c), where T is a normal variable with mean `away`, divided by the root of a chi-squared variable over its `df`.

    Given the divisor S, T is at least c if the normal variable is at least c S.  So the probability is the mean of
    :math:`\Phi(\delta - c S)`, taken here over :math:`u = \ln S` by the trapezoidal rule, which for such a smooth bump gains
    digits geometrically: nodes are added until the sum no longer changes.  No two large numbers are subtracted, so a small
    probability has as many right digits as a large one.

    Parameters
    ----------
    c : float
        Critical value; may be negative or infinite.
    df : float
        Degrees of freedom, above 0.
    away : float
        Noncentrality: the true mean in standard errors.

    Returns
    -------
    float
        Between 0 and 1, never nan; 0 only where it is too small for a float.

    References
    ----------
    Johnson and Welch (1940), Applications of the non-central t-distribution, Biometrika 31, pages 362 to 389.  Trefethen and
    Weideman (2014), The exponentially convergent trapezoidal rule, SIAM Review 56, pages 385 to 458.
    """
    if c < 0:  # the bump below has one top for c >= 0 only
        return 1.0 - noncentral_t_sf(-c, df, -away)
    if np.isinf(c):
        return 0.0
    if abs(away) > CERTAIN * max(1.0, c):  # a divisor so large, or a normal variable so far out, never happens
        return float(away > 0)

    def height(u: Any) -> Any:
        """Logarithm of what is integrated."""
        density = df / 2 * (2 * u - np.expm1(2 * u)) + np.log(df) - _log_gamma_by_stirling(df / 2)
        return special.log_ndtr(away - c * np.exp(u)) + density

    def rising(u: float) -> bool:
        hazard = np.sqrt(2 / np.pi) / special.erfcx((c * np.exp(u) - away) / np.sqrt(2))  # density over distribution of the normal
        return bool(c * np.exp(u) * hazard < -df * np.expm1(2 * u))

    top = _last_true_position(rising, -1.0, 0.0)
    highest = float(height(top))
    low = _last_true_position(lambda u: float(height(u)) < highest - NEGLIGIBLE, top - 1.0, top)
    high = -_last_true_position(lambda u: float(height(-u)) < highest - NEGLIGIBLE, -top - 1.0, -top)
    nodes = 256
    step = (high - low) / nodes
    total = float(np.exp(height(np.linspace(low, high, nodes + 1)) - highest).sum())
    while nodes < MOST_NODES:
        between = float(np.exp(height(low + step * (np.arange(nodes) + 0.5)) - highest).sum())
        settled = abs(between - total) <= 1e-14 * total
        total, nodes, step = total + between, 2 * nodes, step / 2
        if settled:
            break
    return min(1.0, float(step * total * np.exp(highest)))


def _last_true_position(holds: Callable[[float], bool], low: float, high: float) -> float:
    """Where a condition that holds on the left ceases to hold, left of `high`; `low` is a first guess of where it still holds."""
    while not holds(low):
        low, high = high - 2 * (high - low), low
    while high - low > 1e-6 * max(1.0, -low):
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


def _log_gamma_by_stirling(x: float) -> float:
    """The logarithm of Gamma(x + 1) e^x / x^x: what Stirling's formula approximates by the root of 2 pi x."""
    if x < 16:
        return float(special.gammaln(x + 1) + x - x * np.log(x))
    series = 1 / 12 - (1 / 360 - (1 / 1260 - 1 / (1680 * x**2)) / x**2) / x**2
    return float(np.log(2 * np.pi * x) / 2 + series / x)
