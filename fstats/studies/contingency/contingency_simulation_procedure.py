"""Worked example of a simulation of contingency tables.

Its steps are expected counts and the probability of rejection (exact and simulated).
"""

from __future__ import annotations

import numpy as np

from ...core.number_format import format_plain
from ...core.procedure import Procedure
from ...core.step import input_field, step
from ...core.validation import check
from ...core.value_types import Array
from ...simulate.rejection_rates import Rate
from .blog_post_claims import SEED, SIZES
from .exact_test_power import check_class_count, check_forced_rates, exact_power, record_outcome
from .guessing_simulation import simulated_power


class ContingencySimulation(Procedure):
    """Contingency simulation: how often does the exact test distinguish a system that knows a little from one that guesses?

    System I guesses each class; system II guesses too, but is forced to be right with probability r.  H0: II is not better than I.
    """

    N: int = input_field("N", "Records, each labelled by both systems.", check=check.count(1))
    r: float = input_field("r", "Probability that system II is forced to be right on a record.", check=check_forced_rates)
    classes: int = input_field("c", "Number of classes.", check=check_class_count)
    trials: int = input_field("T", "Simulated trials for each number of records.", check=check.count(1))
    alpha: float = input_field(r"\alpha", "Level of the test.", check=check.level, default=0.05, kw_only=True)

    @step("p_s", r"\left(1 - \frac{1}{$classes}\right)\left($r + \frac{1 - $r}{$classes}\right)")
    def only_second(self) -> float:
        """Probability that only system II is right on a record."""
        return record_outcome(self.r, self.classes).s

    @step("p_f", r"\frac{1}{$classes}\left(1 - $r\right)\left(1 - \frac{1}{$classes}\right)")
    def only_first(self) -> float:
        """Probability that only system I is right on a record."""
        return record_outcome(self.r, self.classes).f

    @step(r"\mathrm{E}(s + f)", r"$N \left($only_second + $only_first\right)")
    def discordant(self) -> float:
        """Expected number of discordant records: only these carry information."""
        return self.N * (self.only_second + self.only_first)

    @step("P", r"P(\text{reject}) <- $N, $r, $classes, $alpha")
    def power(self) -> float:
        """Probability that the exact test rejects, summed over all counts."""
        return float(exact_power(self.N, self.r, self.classes, self.alpha))

    @step(r"\hat P", r"\frac{\#\{\text{trials that reject}\}}{$trials} <- $N, $r, $classes, $alpha")
    def rate(self) -> float:
        """Share of the simulated trials in which the test rejects."""
        return self._simulated(self.N).rate

    @step(r"\mathrm{SE}", r"\sqrt{\frac{$rate (1 - $rate)}{$trials}}", relation=r"\approx")
    def se(self) -> float:
        """Standard error of the simulated share (with half a rejection and half a non-rejection added)."""
        return Rate("McNemarExact", None, round(self.rate * self.trials), self.trials).se

    def _simulated(self, N: int) -> Rate:
        # each N has its own seed, so that results for different N do not depend on each other
        return simulated_power(N, self.r, self.classes, trials=self.trials, alpha=self.alpha, rng=[SEED, N])

    @property
    def by_size(self) -> tuple[Array, Array]:
        """Exact probabilities and simulated shares for N = 50, 100, ..., 1000."""
        exact = exact_power(SIZES, self.r, self.classes, self.alpha)
        return exact, np.array([self._simulated(N).rate for N in SIZES])

    @property
    def conclusion(self) -> str:
        """Conclusion of the simulation in words."""
        outcome = "a true H0 is rejected" if self.r == 0 else "the test detects that system II is better"
        simulated = f"in {self.trials} simulated trials: {format_plain(self.rate, 3)} ± {format_plain(self.se, 1)}"
        records = f"{self.N} records, of which about {round(self.discordant)} are discordant"
        return f"With {records}, {outcome} with probability {format_plain(self.power, 3)}; {simulated}."
