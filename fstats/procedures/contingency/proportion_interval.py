"""Confidence intervals for a binomial proportion.

The intervals (Wilson, Clopper-Pearson, Jeffreys) are given with their coverage and width.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy import sqrt
from scipy import special

from ...core.value_types import Array, Interval, Value
from ...distributions.binomial import Binomial
from ...distributions.continuous_distributions import beta_quantile


def clopper_pearson_limit(successes: Value, failures: Value, level: float) -> Value:
    """Return the success probability at which the observed number of successes or more has the probability `level`; 0 without successes."""
    return np.where(np.equal(successes, 0), 0.0, beta_quantile(np.maximum(successes, 1), failures + 1, level))[()]


def wilson_limit(successes: Value, failures: Value, level: float) -> Value:
    """Return the lower success probability whose normal score is the quantile of `level`; 0 without successes."""
    z, n = -special.ndtri(level), successes + failures
    low = (successes + z**2 / 2 - z * sqrt(successes * failures / n + z**2 / 4)) / (n + z**2)
    return np.where(np.equal(successes, 0), 0.0, np.maximum(low, 0.0))[()]


def jeffreys_limit(successes: Value, failures: Value, level: float) -> Value:
    """Return the quantile of the posterior distribution with the prior Beta(1/2, 1/2); 0 without successes."""
    return np.where(np.equal(successes, 0), 0.0, beta_quantile(successes + 0.5, failures + 0.5, level))[()]


LOWER_LIMITS: Mapping[str, Callable[[Any, Any, float], Value]] = {
    "wilson": wilson_limit,
    "clopper-pearson": clopper_pearson_limit,
    "jeffreys": jeffreys_limit,
}
METHOD_NAMES = {"wilson": "Wilson", "clopper-pearson": "Clopper-Pearson", "jeffreys": "Jeffreys"}


def proportion_interval(right: Value, n: Value, method: str, alpha: float, alternative: str = "two-sided") -> Interval:
    """Return the confidence interval for the true proportion; a one-sided interval ends at 0 or at 1."""
    limit, level, wrong = LOWER_LIMITS[method], alpha / 2 if alternative == "two-sided" else alpha, n - right
    zeros = 0.0 * wrong
    low = zeros if alternative == "less" else limit(right, wrong, level)
    high = zeros + 1 if alternative == "greater" else 1 - limit(wrong, right, level)
    return Interval(low, high)


def exact_coverage(shares: Array, n: int, ends: Interval) -> Array:
    """Return for each true proportion the probability that the interval of the observed count contains the proportion.

    `ends` holds the limits for the counts 0, 1, ..., n; both limits increase with the count, so that neighbouring counts cover a share.
    """
    true = Binomial(n, shares)
    first, last = np.searchsorted(ends.high, shares, "left"), np.searchsorted(ends.low, shares, "right") - 1
    return np.asarray(np.where(first <= last, true.at_most(last) - true.at_most(first - 1), 0.0))


def expected_half_width(n: int, accuracy: float | None, method: str, alpha: float) -> float:
    """Return the mean half-width of the two-sided interval for a true accuracy; without an accuracy, the largest half-width."""
    counts, weights = Binomial(n, accuracy).atoms() if accuracy is not None else (np.array([n // 2], float), np.ones(1))
    # without an accuracy, `counts` is n // 2, for which the interval is widest
    low, high = proportion_interval(counts, np.float64(n), method, alpha)
    return float(np.sum(weights * (high - low)) / 2)
