"""Binomial distribution with success probability 1/2.

It is for the sign test and McNemar's test, also with mid-p tails.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Any, ClassVar

import numpy as np
from scipy import special

from ..core.number_format import format_range
from ..core.value_types import Array, Value

MAX_TABLE_N = 500  # up to this n, probabilities are exact fractions, rounded to the nearest float


@dataclass(frozen=True)
class SymmetricBinomial:
    """The number of heads in ``n`` tosses of a fair coin: the binomial distribution with probability 1/2.

    Up to n = 500 probabilities are the exact fractions, correctly rounded; for larger n probabilities are correct to 12 digits.
    """

    p_name: ClassVar[str] = "exact p"  # name of a p-value from this distribution
    n: Any

    def at_most(self, x: Any) -> Value:
        return _cdf_at(self.n, x, _cdf_table, _cdf_large_n)

    def at_least(self, x: Any) -> Value:
        return self.at_most(np.subtract(self.n, x))  # the distribution is symmetric

    def low(self, alpha: float) -> Value:
        below, above = np.full(np.shape(self.n), -1.0), np.array(self.n, float)  # bounds with P(X <= below) <= alpha < P(X <= above)
        while np.any(above - below > 1):
            middle = np.floor((below + above) / 2)
            fits = self.at_most(middle) <= alpha
            below, above = np.where(fits, middle, below), np.where(fits, above, middle)
        return np.where(below < 0, -np.inf, below)[()]

    def high(self, alpha: float) -> Value:
        return self.n - self.low(alpha)

    def atoms(self) -> tuple[Array, Array]:
        """Return the values within ten standard deviations of the mean, and their probabilities."""
        n, reach = float(self.n), 5 * np.sqrt(self.n)
        k = np.arange(max(0.0, np.floor(n / 2 - reach)), min(n, np.ceil(n / 2 + reach)) + 1)
        logs = special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1)
        return k, np.exp(logs - n * np.log(2))

    def __str__(self) -> str:
        return f"heads in {format_range(self.n)} tosses of a fair coin"


def _cumulative_counts(n: int) -> list[int]:
    """Count the sequences of n tosses with at most 0, 1, ..., n heads."""
    coefficients = accumulate(range(n), lambda count, k: count * (n - k) // (k + 1), initial=1)  # C(n, 0), C(n, 1), ...
    return list(accumulate(coefficients))


@lru_cache(MAX_TABLE_N + 1)
def _cdf_table(n: int) -> Array:
    """Return P(X < 0), P(X <= 0), ..., P(X <= n)."""
    return np.array([0.0, *map(float, _cumulative_counts(n))]) * 2.0**-n  # `float` rounds long integers correctly


def _cdf_large_n(k: Array, n: Array) -> Array:
    """Return P(X <= k) for large n."""
    return special.betainc(n - k, k + 1, 0.5)


@lru_cache(MAX_TABLE_N + 1)
def _mid_p_table(n: int) -> Array:
    """Return P(X < k) + P(X = k) / 2 for k = -1, ..., n + 1."""
    counts = [0, *_cumulative_counts(n), 2**n]
    return np.array([0.0, *(float(below + up_to) for below, up_to in pairwise(counts))]) * 2.0 ** -(n + 1)


def _mid_p_large_n(k: Array, n: Array) -> Array:
    """Return P(X < k) + P(X = k) / 2 for large n."""
    return (_cdf_large_n(k, n) + np.where(k > 0, _cdf_large_n(np.maximum(k - 1, 0), n), 0.0)) / 2


def _cdf_at(n: Any, x: Any, table: Callable[[int], Array], formula: Callable[[Array, Array], Array]) -> Value:
    """Look up the lower tail at x in the table of each n (first entry: x = -1), or compute the tail by a formula for large n."""
    if not np.ndim(n) and not np.ndim(x) and n <= MAX_TABLE_N:
        tails = table(int(n))
        return tails[int(min(max(np.floor(x) + 1, 0), len(tails) - 1))]
    sizes, k = np.broadcast_arrays(np.asarray(n, float), np.floor(x))
    result = np.where(k < 0, 0.0, 1.0)
    large = (sizes > MAX_TABLE_N) & (k >= 0) & (k < sizes)
    result[large] = formula(k[large], sizes[large])
    small = sizes <= MAX_TABLE_N
    different, which = np.unique(sizes[small], return_inverse=True)
    if len(different):
        tables = [table(int(size)) for size in different]
        lengths = np.array([len(tails) for tails in tables])
        position = np.clip(k[small] + 1, 0, lengths[which] - 1).astype(np.int64)
        result[small] = np.concatenate(tables)[(lengths.cumsum() - lengths)[which] + position]
    return result[()]


@dataclass(frozen=True)
class MidPBinomial:
    """The number of heads in tosses of a fair coin, with mid-p tails: a tail contains only half the probability of the observed value."""

    p_name: ClassVar[str] = "mid-p"  # name of a p-value from this distribution
    binomial: SymmetricBinomial

    def at_most(self, x: Any) -> Value:
        return _cdf_at(self.binomial.n, x, _mid_p_table, _mid_p_large_n)

    def at_least(self, x: Any) -> Value:
        return self.at_most(np.subtract(self.binomial.n, x))

    def low(self, alpha: float) -> Value:
        value = self.binomial.low(alpha)
        larger = np.where(np.isinf(value), 0.0, value + 1)  # with mid-p, the critical value may be one count larger
        return np.where(self.at_most(larger) <= alpha, larger, value)[()]

    def high(self, alpha: float) -> Value:
        return self.binomial.n - self.low(alpha)

    def atoms(self) -> tuple[Array, Array]:
        """Return the values and their probabilities."""
        return self.binomial.atoms()

    def __str__(self) -> str:
        return f"{self.binomial}, with the observed value counted by half"
