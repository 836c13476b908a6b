"""Simulation of type I error rates."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ...core.number_format import format_plain
from ...core.procedure import Procedure
from ...core.step import input_field, step
from ...core.validation import check
from ...core.value_types import Interval
from ...procedures.resampling.block_regularized.blocked_five_by_two_t import BlockedFiveByTwoT
from ...procedures.resampling.cross_validation_tests import TABLE_5
from ...simulate.data_sources import Epsilon
from ...simulate.rejection_rates import Rate, Rates, type_one_error

TESTS = (*TABLE_5, BlockedFiveByTwoT)  # BlockedFiveByTwoT was developed for this package and is not in the paper
NAMES = tuple(test.__name__ for test in TABLE_5)
CACHE_SIZE = 64  # maximum number of cached simulations; a slider returns to a cached position at once


@lru_cache(CACHE_SIZE)
def simulate_rates(n: int, epsilon: float, repetitions: int, alpha: float) -> Rates:
    """Apply all tests of Table 5, and the blocked t-test, which is not in the paper, to the same data sets."""
    return type_one_error(TESTS, Epsilon(n=n, epsilon=epsilon), repetitions, alpha=alpha, progress=False)


class TypeOneErrorSimulation(Procedure):
    """Simulated type I error: how often does a test reject although both algorithms have the same error rate?

    Losses are drawn once for each data set and do not depend on training (:class:`fstats.simulate.Epsilon`).
    """

    test: str = input_field(r"\text{test}", "Name of the test.", check=check.choice(*(test.__name__ for test in TESTS)))
    n: int = input_field("n", "Number of records of each data set.", check=check.count(2))
    epsilon: float = input_field(r"\epsilon", "Error rate of both algorithms.", check=check.level)
    repetitions: int = input_field("R", "Number of simulated data sets.", check=check.count(1))
    alpha: float = input_field(r"\alpha", "Level of the test.", check=check.level, default=0.05, kw_only=True)

    @step("r", r"\#\{\text{data sets with } p \leq $alpha\} <- $test, $repetitions, $n, $epsilon")
    def rejections(self) -> int:
        """Number of data sets on which the test rejects; each rejection is a false alarm."""
        return int(simulate_rates(self.n, self.epsilon, self.repetitions, self.alpha)[self.test].rejections)

    @step(r"\hat\alpha", r"\frac{$rejections}{$repetitions}")
    def rate(self) -> float:
        """Estimated type I error."""
        return self.rejections / self.repetitions

    @step(r"\mathrm{CI}", r"\text{exact interval of 95 \% of } $rejections / $repetitions <- $test")
    def interval(self) -> Interval:
        """Confidence interval of the true type I error."""
        low, high = Rate(self.test, None, self.rejections, self.repetitions).interval
        return Interval(np.float64(low), np.float64(high))

    @property
    def rates(self) -> Rates:
        """Rates of all tests on the same data sets."""
        return simulate_rates(self.n, self.epsilon, self.repetitions, self.alpha)

    @property
    def conclusion(self) -> str:
        """What the simulation shows, in words."""
        low, high = self.interval
        verdict = self.rates[self.test].verdict(self.alpha)
        alpha = f"alpha = {format_plain(self.alpha)}"
        sentence = {
            "liberal": f"The test is liberal: it has more false alarms than {alpha} allows.",
            "conservative": f"The test is conservative: it has fewer false alarms than {alpha} allows, and less power.",
            "cannot be told": f"There are too few data sets to decide whether the rate is above or below {alpha}.",
        }[verdict]
        result = f"{self.test} rejects a true H0 on {self.rejections} of {self.repetitions} data sets: {format_plain(self.rate, 3)}"
        return f"{result}, with 95 % confidence {format_plain(low, 2)} to {format_plain(high, 2)}. {sentence}"
