"""Binomial distribution.

With any success probability, it is the null distribution of the number of right records.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy import special

from ..core.number_format import format_range
from ..core.value_types import Array, Decision, Interval, Value

TIE = 1e-7  # probabilities with a smaller relative difference are treated as equal, as in SciPy's binomtest
GUESS_ERROR = 8  # a guess of the returned count is usually wrong by at most this number
MAX_ATOMS = 10.0  # largest distance of the shown counts from the mean, in standard deviations


@dataclass(frozen=True)
class Binomial:
    """The number of successes in ``n`` independent trials, each with success probability ``share``."""

    p_name: ClassVar[str] = "exact p"  # name of a p-value from this distribution
    n: Any
    share: Any

    def at_most(self, x: Any) -> Value:
        """Return the probability of at most x successes."""
        k = np.floor(x)
        inside = np.clip(k, 0, np.subtract(self.n, 1))
        tail = special.betaincc(inside + 1, self.n - inside, self.share)
        return np.where(k < 0, 0.0, np.where(k >= self.n, 1.0, tail))[()]

    def at_least(self, x: Any) -> Value:
        """Return the probability of at least x successes."""
        k = np.ceil(x)
        inside = np.clip(k, 1, self.n)
        tail = special.betainc(inside, self.n - inside + 1, self.share)
        return np.where(k <= 0, 1.0, np.where(k > self.n, 0.0, tail))[()]

    def low(self, alpha: float) -> Value:
        """Return the largest count whose lower tail has at most the probability alpha; -inf if there is none."""
        last = self._last(lambda k: self.at_most(k) <= alpha, -1.0, self.n)
        return np.where(last < 0, -np.inf, last)[()]

    def high(self, alpha: float) -> Value:
        """Return the smallest count whose upper tail has at most the probability alpha; inf if there is none."""
        last = self._last(lambda k: self.at_least(k) > alpha, 0.0, self.n + 1.0)
        return np.where(last == self.n, np.inf, last + 1)[()]

    def probability(self, k: Any) -> Value:
        """Return the probability of exactly k successes."""
        return np.exp(self._log_probability(k))[()]

    def not_more_probable(self, x: Any) -> Value:
        """Return the probability of all counts that are not more probable than x (Sterne's two-sided p-value)."""
        bound, mode = self._log_probability(x) + TIE, self._mode
        below = self._last(lambda k: self._log_probability(k) <= bound, -1.0, mode, 2 * mode - x)  # last count of the lower tail
        # first count of the upper tail
        above = self._last(lambda k: self._log_probability(k) > bound, mode - 1, self.n + 1.0, 2 * mode - x) + 1
        below, above = np.where(x <= mode, np.maximum(below, x), below), np.where(x >= mode, np.minimum(above, x), above)
        return np.where(below + 1 >= above, 1.0, np.minimum(self.at_most(below) + self.at_least(above), 1.0))[()]

    def least_probable(self, alpha: float) -> Interval:
        """Return the ends of both tails whose counts have a two-sided p-value of at most alpha."""
        mode, reach = self._mode, -special.ndtri(alpha / 2) * np.sqrt(self.n * np.multiply(self.share, np.subtract(1, self.share)))
        low = self._last(lambda k: self.not_more_probable(k) <= alpha, -1.0, mode + 1, mode - reach)
        high = self._last(lambda k: self.not_more_probable(k) > alpha, mode, self.n + 1.0, mode + reach) + 1
        return Interval(np.where(low < 0, -np.inf, low)[()], np.where(high > self.n, np.inf, high)[()])

    def atoms(self) -> tuple[Array, Array]:
        """Return the values within ten standard deviations of the mean (at least 20 values), and their probabilities."""
        mean, reach = float(self.n * self.share), MAX_ATOMS * max(float(np.sqrt(self.n * self.share * (1 - self.share))), 1.0)
        k = np.arange(max(0.0, np.floor(mean - reach)), min(float(self.n), np.ceil(mean + reach)) + 1)
        return k, np.asarray(self.probability(k))

    @property
    def _mode(self) -> Array:
        return np.minimum(np.floor(np.multiply(np.add(self.n, 1.0), self.share)), self.n)

    def _log_probability(self, k: Any) -> Value:
        n, k = np.asarray(self.n, float), np.asarray(k, float)
        ways = -np.log1p(n) - special.betaln(k + 1, n - k + 1)
        return (ways + special.xlogy(k, self.share) + special.xlog1py(n - k, -np.asarray(self.share, float)))[()]

    def _last(self, holds: Callable[[Array], Any], first: Any, end: Any, guess: Any = None) -> Array:
        """Return the last count before `end` at which a condition holds; the condition must not hold again after it has failed.

        The condition is assumed to hold at `first`.  A good guess of the returned count makes the search shorter.
        """
        shape = np.broadcast_shapes(*(np.shape(value) for value in (self.n, self.share, guess)))
        low, high = np.broadcast_to(np.asarray(first, float), shape), np.broadcast_to(np.asarray(end, float), shape)
        if guess is not None:
            below, above = (np.clip(np.floor(guess) + step, low, high) for step in (-GUESS_ERROR, GUESS_ERROR))
            low = np.where((below > low) & (below < high) & holds(np.clip(below, 0, self.n)), below, low)
            high = np.where((above > low) & (above < high) & ~np.asarray(holds(np.clip(above, 0, self.n)), bool), above, high)
        while np.any(high - low > 1):
            middle = np.floor((low + high) / 2)
            is_open = high - low > 1
            fits: Decision = np.asarray(holds(np.clip(middle, 0, self.n)), bool)
            low, high = np.where(is_open & fits, middle, low), np.where(is_open & ~fits, middle, high)
        return low

    def __str__(self) -> str:
        return f"successes in {format_range(self.n)} trials of probability {format_range(self.share)}"
