"""The power of a test on counts, which rises in a saw, and the first of its teeth that is high enough."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import special

from ..core.hypothesis import HypothesisTest
from ..core.value_types import Array, Integers
from ..procedures.pairwise.sign_test import SignTest

WIDTH = 64  # sizes that are looked at one by one


@dataclass(frozen=True)
class SawtoothPower:
    """The power of a test on counts, by their number: it rises from tooth to tooth, and falls a little within each."""

    test: type[HypothesisTest]
    effect: float
    settings: dict[str, Any]

    @property
    def alternative(self) -> str:
        """Which difference is looked for."""
        return str(self.settings.get("alternative", "two-sided"))

    def most_losses(self, n: Integers, least: int = -1, most: int | None = None) -> Integers:
        """The largest number of losses of n that rejects (-1 where none does), where it is known to be between `least` and `most`."""
        losses, wins = ("losses", "wins") if issubclass(self.test, SignTest) else ("n01", "n10")
        if self.alternative == "less":
            losses, wins = wins, losses
        below = np.full(len(n), least)  # rejects
        above = (n // 2 if self.alternative == "two-sided" else n) + 1  # does not
        above = above if most is None else np.minimum(above, most + 1)
        while np.any(above - below > 1):
            count = np.maximum((below + above) // 2, 0)
            rejects = np.asarray(self.test.from_steps(**{losses: count * 1.0, wins: (n - count) * 1.0}, **self.settings).reject)
            searched = above - below > 1
            below, above = np.where(searched & rejects, count, below), np.where(searched & ~rejects, count, above)
        return below

    def power(self, n: Integers, most_losses: Integers) -> Array:
        """Probability that at most so many of n are lost by A, or by B, as the alternative wants it."""
        by_a = _binomial_at_most(most_losses, n, 0.5 + self.effect) if self.alternative != "less" else 0.0
        by_b = _binomial_at_most(most_losses, n, 0.5 - self.effect) if self.alternative != "greater" else 0.0
        return np.minimum(by_a + by_b, 1.0)

    def first(self, target: float, low: int, high: int, least: int = -1, most: int | None = None) -> int | None:
        """The first size from `low` to `high` whose power reaches the target.

        Between two sizes no power is above the probability, at the smaller size, of the counts that reject at the larger one:
        where this bound stays below the target, all sizes between them are passed over.
        """
        ends = np.array([low, high])
        at_low, at_high = (int(k) for k in self.most_losses(ends, least, most))
        if self.power(ends[:1], np.array([at_high]))[0] < target:
            return None
        if high - low < WIDTH:
            sizes = np.arange(low, high + 1)
            enough = self.power(sizes, self.most_losses(sizes, at_low, at_high)) >= target
            return int(sizes[np.argmax(enough)]) if enough.any() else None
        middle = 2 * low if high > 4 * low else (low + high) // 2
        found = self.first(target, low, middle, at_low, at_high)
        return self.first(target, middle + 1, high, at_low, at_high) if found is None else found


def _binomial_at_most(k: Integers, n: Integers, rest: float) -> Array:
    """Probability of at most k of n, each of probability 1 - rest."""
    inside = np.clip(k, 0, n - 1)
    tail: Array = special.betainc(n - inside, inside + 1, rest)
    return np.where(k < 0, 0.0, np.where(k >= n, 1.0, tail))
