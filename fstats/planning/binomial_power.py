"""Power and sample size of binomial tests.

Their power is a sawtooth function of the sample size.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.hypothesis import HypothesisTest
from ..core.value_types import Array, Integers
from ..distributions.binomial import Binomial
from ..procedures.contingency.binomial_proportion import BinomialProportion
from ..procedures.pairwise.sign_test import SignTest

MIN_BLOCK, MAX_BLOCK = 64, 20_000  # minimum and maximum number of sample sizes whose power is computed together


class SawtoothPower(ABC):
    """The power as a function of n: the power increases from tooth to tooth, and decreases a little within each tooth."""

    @abstractmethod
    def power(self, n: Integers) -> Array:
        """Return the power for each size."""

    @abstractmethod
    def upper_bound(self, low: int, high: int) -> float:
        """Return an upper bound of the power of all sizes between two sizes."""

    def power_at(self, n: int) -> float:
        """Return the power for one size."""
        return float(self.power(np.array([n]))[0])

    def smallest_size(self, target: float, low: int, high: int) -> int | None:
        """Return the smallest size from `low` to `high` whose power reaches the target, or None.

        If the upper bound is below the target, all sizes between the two sizes are skipped.
        """
        if self.upper_bound(low, high) < target:
            return None
        if high - low < np.clip(low // 32, MIN_BLOCK, MAX_BLOCK):
            sizes = np.arange(low, high + 1)
            enough = self.power(sizes) >= target
            return int(sizes[np.argmax(enough)]) if enough.any() else None
        middle = 2 * low if high > 4 * low else (low + high) // 2
        size = self.smallest_size(target, low, middle)
        return self.smallest_size(target, middle + 1, high) if size is None else size


@dataclass(frozen=True)
class CountPower(SawtoothPower):
    """The power of a test on counts of wins and losses."""

    test: type[HypothesisTest]
    effect: float
    settings: dict[str, Any]

    @property
    def alternative(self) -> str:
        """The alternative hypothesis."""
        return str(self.settings.get("alternative", "two-sided"))

    def max_rejecting_losses(self, n: Integers) -> Integers:
        """Return for each n the largest number of losses that rejects, or -1 if no number rejects."""
        losses, wins = ("losses", "wins") if issubclass(self.test, SignTest) else ("n01", "n10")
        if self.alternative == "less":
            losses, wins = wins, losses
        below = np.full(len(n), -1)  # largest number of losses at which the test is known to reject H0
        # smallest number of losses at which the test is known not to reject H0
        above = (n // 2 if self.alternative == "two-sided" else n) + 1
        while np.any(above - below > 1):
            count = np.maximum((below + above) // 2, 0)
            rejects = np.asarray(self.test.from_steps(**{losses: count * 1.0, wins: (n - count) * 1.0}, **self.settings).reject)
            is_open = above - below > 1
            below, above = np.where(is_open & rejects, count, below), np.where(is_open & ~rejects, count, above)
        return below

    def power(self, n: Integers) -> Array:
        """Return for each n the probability of the numbers of losses that reject."""
        return self._probability(n, self.max_rejecting_losses(n))

    def upper_bound(self, low: int, high: int) -> float:
        """Return the probability, at the smaller size, of the numbers of losses that reject at the larger size."""
        return float(self._probability(np.array([low]), self.max_rejecting_losses(np.array([high])))[0])

    def _probability(self, n: Integers, losses: Integers) -> Array:
        """Return the probability that A, B or either of them (depending on the alternative) loses at most `losses` of n comparisons."""
        by_a = Binomial(n, 0.5 - self.effect).at_most(losses) if self.alternative != "less" else 0.0
        by_b = Binomial(n, 0.5 + self.effect).at_most(losses) if self.alternative != "greater" else 0.0
        return np.minimum(by_a + by_b, 1.0)


@dataclass(frozen=True)
class ProportionPower(SawtoothPower):
    """The power of the exact test of one accuracy, as a sawtooth function of the number of records."""

    accuracy: float  # true accuracy of the classifier
    settings: dict[str, Any]

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


def smallest_where(is_enough: Callable[[int], bool], low: int, most: int) -> int | None:
    """Return the smallest number above `low` that is enough, or None if it is above `most`; every larger number must be enough, too."""
    high = low + 1
    while not is_enough(high):
        if high >= most:
            return None
        low, high = high, min(2 * high, most)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return high
