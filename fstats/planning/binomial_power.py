"""Power and sample size of tests on counts.  The power of such tests is a sawtooth function of the sample size n."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import special

from ..core.hypothesis import HypothesisTest
from ..core.value_types import Array, Integers
from ..distributions.binomial import Binomial
from ..procedures.contingency.binomial_proportion import BinomialProportion
from ..procedures.contingency.proportion_interval import expected_half_width
from ..procedures.pairwise.sign_test import SignTest

MAX_BLOCK = 20_000  # largest number of sizes whose power is computed at once
MAX_ENUMERATED = 64  # if a range contains fewer sample sizes than this number, the power is computed for every size in the range


@dataclass(frozen=True)
class SawtoothPower:
    """The power of a test on counts as a function of n: power increases from tooth to tooth, and decreases a little within each."""

    test: type[HypothesisTest]
    effect: float
    settings: dict[str, Any]

    @property
    def alternative(self) -> str:
        """The alternative hypothesis."""
        return str(self.settings.get("alternative", "two-sided"))

    def max_rejecting_losses(self, n: Integers, least: int = -1, most: int | None = None) -> Integers:
        """Return for each n the largest number of losses that rejects (between `least` and `most`), or -1 if no number rejects."""
        losses, wins = ("losses", "wins") if issubclass(self.test, SignTest) else ("n01", "n10")
        if self.alternative == "less":
            losses, wins = wins, losses
        below = np.full(len(n), least)  # largest known number of losses that rejects
        above = (n // 2 if self.alternative == "two-sided" else n) + 1  # smallest known number of losses that does not reject
        above = above if most is None else np.minimum(above, most + 1)
        while np.any(above - below > 1):
            count = np.maximum((below + above) // 2, 0)
            rejects = np.asarray(self.test.from_steps(**{losses: count * 1.0, wins: (n - count) * 1.0}, **self.settings).reject)
            is_open = above - below > 1
            below, above = np.where(is_open & rejects, count, below), np.where(is_open & ~rejects, count, above)
        return below

    def power(self, n: Integers, max_rejecting_losses: Integers) -> Array:
        """Return the probability of at most a given number of losses in n, of A or of B depending on the alternative."""
        by_a = _binomial_cdf(max_rejecting_losses, n, 0.5 + self.effect) if self.alternative != "less" else 0.0
        by_b = _binomial_cdf(max_rejecting_losses, n, 0.5 - self.effect) if self.alternative != "greater" else 0.0
        return np.minimum(by_a + by_b, 1.0)

    def power_at(self, n: int) -> float:
        """Return the power for one size."""
        sizes = np.array([n])
        return float(self.power(sizes, self.max_rejecting_losses(sizes))[0])

    def smallest_size(self, target: float, low: int, high: int, least: int = -1, most: int | None = None) -> int | None:
        """Return the smallest size from `low` to `high` whose power reaches the target, or None.

        The power of all sizes between two sizes is at most the probability, at the smaller size, of the counts that reject at the
        larger one.  If this upper bound is below the target, all sizes between the two sizes are skipped.
        """
        ends = np.array([low, high])
        at_low, at_high = (int(k) for k in self.max_rejecting_losses(ends, least, most))
        if self.power(ends[:1], np.array([at_high]))[0] < target:
            return None
        if high - low < MAX_ENUMERATED:
            sizes = np.arange(low, high + 1)
            enough = self.power(sizes, self.max_rejecting_losses(sizes, at_low, at_high)) >= target
            return int(sizes[np.argmax(enough)]) if enough.any() else None
        middle = 2 * low if high > 4 * low else (low + high) // 2
        size = self.smallest_size(target, low, middle, at_low, at_high)
        return self.smallest_size(target, middle + 1, high, at_low, at_high) if size is None else size


def _binomial_cdf(k: Integers, n: Integers, q: float) -> Array:
    """Return the probability of at most k successes in n trials of success probability 1 - q."""
    inside = np.clip(k, 0, n - 1)
    tail: Array = special.betainc(n - inside, inside + 1, q)
    return np.where(k < 0, 0.0, np.where(k >= n, 1.0, tail))


@dataclass(frozen=True)
class ProportionPower:
    """The power of the exact test of one accuracy, as a sawtooth function of the number of records."""

    accuracy: float  # true accuracy
    settings: dict[str, Any]

    def power_at(self, n: int) -> float:
        """Return the power for one size."""
        return float(self.power(np.array([n]))[0])

    def power(self, n: Integers) -> Array:
        """Return for each number of records the probability of the counts that reject."""
        test = BinomialProportion.from_steps(n=n, **self.settings)
        low, high = test.tail.region(test.critical_value)
        true = Binomial(n, self.accuracy)
        return np.minimum(true.at_most(low) + true.at_least(high), 1.0)

    def upper_bound(self, low: int, high: int) -> float:
        """Return an upper bound of the power of all sizes between two sizes.

        Every count that rejects two-sided also lies in the tail of a one-sided test at the same level; the ends of both tails increase
        with the size.
        """
        test = BinomialProportion.from_steps(n=low, **self.settings)
        bound = 0.0
        if test.alternative != "greater":
            bound += float(Binomial(low, self.accuracy).at_most(Binomial(high, test.share).low(test.alpha)))
        if test.alternative != "less":
            bound += float(Binomial(high, self.accuracy).at_least(min(Binomial(low, test.share).high(test.alpha), low + 1)))
        return bound

    def smallest_size(self, target: float, low: int, high: int) -> int | None:
        """Return the smallest size from `low` to `high` whose power reaches the target, or None."""
        while low <= high:
            end = min(low + min(MAX_ENUMERATED + low // 32, MAX_BLOCK), high)
            if self.upper_bound(low, end) >= target:
                sizes = np.arange(low, end + 1)
                enough = self.power(sizes) >= target
                if enough.any():
                    return int(sizes[np.argmax(enough)])
            low = end + 1
        return None


def size_for_margin(margin: float, accuracy: float | None, method: str, alpha: float, most: int) -> int | None:
    """Return the smallest number of records with an expected half-width of at most `margin`, or None; the half-width falls with n."""
    low, high = 0, 1
    while expected_half_width(high, accuracy, method, alpha) > margin:
        if high >= most:
            return None
        low, high = high, min(2 * high, most)
    while high - low > 1:
        middle = (low + high) // 2
        wide = expected_half_width(middle, accuracy, method, alpha) > margin
        low, high = (middle, high) if wide else (low, middle)
    return high
