"""Heads of fair coins: the null distribution of counts, whole or with the last value counted by half."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
from scipy import special

from ..core.number_format import format_range
from ..core.value_types import Array, Value

FEW_COINS = 500  # up to so many every probability is the exact fraction, correctly rounded


@dataclass(frozen=True)
class SymmetricBinomial:
    """Heads in ``n`` tosses of a fair coin: the binomial distribution with probability 1/2.

    Up to n = 500 probabilities are the exact fractions, correctly rounded; beyond, they are right to 12 digits.
    """

    n: Any

    def at_most(self, x: Any) -> Value:
        return _cdf_at(self.n, x, _cdf_table, _cdf_large_n)

    def at_least(self, x: Any) -> Value:
        return self.at_most(np.subtract(self.n, x))  # heads and tails are alike

    def low(self, alpha: float) -> Value:
        below, above = np.full(np.shape(self.n), -1.0), np.array(self.n, float)  # P(X <= below) <= alpha < P(X <= above)
        while np.any(above - below > 1):
            middle = np.floor((below + above) / 2)
            fits = self.at_most(middle) <= alpha
            below, above = np.where(fits, middle, below), np.where(fits, above, middle)
        return np.where(below < 0, -np.inf, below)[()]

    def high(self, alpha: float) -> Value:
        return self.n - self.low(alpha)

    def atoms(self) -> tuple[Array, Array]:
        """Values and their probabilities, those with a visible share of the mass."""
        n, away = float(self.n), 5 * np.sqrt(self.n)
        k = np.arange(max(0.0, np.floor(n / 2 - away)), min(n, np.ceil(n / 2 + away)) + 1)
        logs = special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1)
        return k, np.exp(logs - n * np.log(2))

    def __str__(self) -> str:
        return f"heads in {format_range(self.n)} tosses of a fair coin"


def _cumulative_counts(n: int) -> list[int]:
    """In how many ways n tosses show at most 0, 1, ..., n heads."""
    exactly = accumulate(range(n), lambda ways, k: ways * (n - k) // (k + 1), initial=1)  # C(n, 0), C(n, 1), ...
    return list(accumulate(exactly))


@lru_cache(FEW_COINS + 1)
def _cdf_table(n: int) -> Array:
    """P(X < 0), P(X <= 0), ..., P(X <= n)."""
    return np.array([0.0, *map(float, _cumulative_counts(n))]) * 2.0**-n  # a whole number of any length becomes the nearest float


def _cdf_large_n(k: Array, n: Array) -> Array:
    """P(X <= k) for many coins."""
    return special.betainc(n - k, k + 1, 0.5)


@lru_cache(FEW_COINS + 1)
def _mid_p_table(n: int) -> Array:
    """P(X <= k), the last value counted by half, for k = -1, ..., n + 1."""
    ways = [0, *_cumulative_counts(n), 2**n]
    return np.array([0.0, *(float(below + up_to) for below, up_to in pairwise(ways))]) * 2.0 ** -(n + 1)


def _mid_p_large_n(k: Array, n: Array) -> Array:
    """The same for many coins."""
    return (_cdf_large_n(k, n) + np.where(k > 0, _cdf_large_n(np.maximum(k - 1, 0), n), 0.0)) / 2


def _cdf_at(n: Any, x: Any, table: Callable[[int], Array], formula: Callable[[Array, Array], Array]) -> Value:
    """The tail at x of so many coins: out of the table of each n, whose first entry is that of -1; from a formula for large n."""
    if not np.ndim(n) and not np.ndim(x) and n <= FEW_COINS:
        tails = table(int(n))
        return tails[int(min(max(np.floor(x) + 1, 0), len(tails) - 1))]
    coins, k = np.broadcast_arrays(np.asarray(n, float), np.floor(x))
    result = np.where(k < 0, 0.0, 1.0)
    many = (coins > FEW_COINS) & (k >= 0) & (k < coins)
    result[many] = formula(k[many], coins[many])
    few = coins <= FEW_COINS
    different, which = np.unique(coins[few], return_inverse=True)
    if len(different):
        tables = [table(int(count)) for count in different]
        lengths = np.array([len(tails) for tails in tables])
        place = np.clip(k[few] + 1, 0, lengths[which] - 1).astype(np.int64)
        result[few] = np.concatenate(tables)[(lengths.cumsum() - lengths)[which] + place]
    return result[()]


@dataclass(frozen=True)
class MidPBinomial:
    """Heads of fair coins, where the tails contain their last value only by half (mid-p)."""

    whole: SymmetricBinomial

    def at_most(self, x: Any) -> Value:
        return _cdf_at(self.whole.n, x, _mid_p_table, _mid_p_large_n)

    def at_least(self, x: Any) -> Value:
        return self.at_most(np.subtract(self.whole.n, x))

    def low(self, alpha: float) -> Value:
        cautious = self.whole.low(alpha)
        bolder = np.where(np.isinf(cautious), 0.0, cautious + 1)  # one more may fit, never two
        return np.where(self.at_most(bolder) <= alpha, bolder, cautious)[()]

    def high(self, alpha: float) -> Value:
        return self.whole.n - self.low(alpha)

    def atoms(self) -> tuple[Array, Array]:
        """Values and their probabilities."""
        return self.whole.atoms()

    def __str__(self) -> str:
        return f"{self.whole}, the last value counted by half"
