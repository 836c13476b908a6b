"""The explorer of the contingency study: a guessing and a knowing system, simulated and exact."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .. import check
from ..number import plain
from ..picture import BLUE, GREY, VERMILLION, Curve, Picture, Points
from ..procedure import Procedure
from ..simulate.rates import Rate
from ..step import given, step
from ..studies.contingency.power import exact_power, forced_rates, law, number_of_classes
from ..studies.contingency.simulation import simulated_power
from ..value import Array
from .explorer import Control, Explorer
from .pairs import LEVELS, position_of

STEP, MOST, SEED = 50, 1000, 1997
SIZES = tuple(range(STEP, MOST + 1, STEP))
RATES = (0.0, 0.005, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.08, 0.1, 0.15, 0.2)
TRIALS = (1, 10, 100, 300, 1000, 3000)
MOST_CLASSES = 20


class ContingencySimulation(Procedure):
    """Contingency simulation: how often does the exact test tell a system that knows a little from one that guesses?

    System I guesses each class; system II guesses too, but is forced to be right with probability r.  H0: II is not better than I.
    """

    N: int = given("N", "Records, each labelled by both systems.", check=check.count(1))
    r: float = given("r", "Probability that system II is forced to be right on a record.", check=forced_rates)
    classes: int = given("c", "Number of classes.", check=number_of_classes)
    trials: int = given("T", "Simulated trials for each number of records.", check=check.count(1))
    alpha: float = given(r"\alpha", "Level of the test.", check=check.level, default=0.05, kw_only=True)

    @step("p_s", r"\left(1 - \frac{1}{$classes}\right)\left($r + \frac{1 - $r}{$classes}\right)")
    def only_second(self) -> float:
        """Probability that only system II is right on a record."""
        return law(self.r, self.classes).s

    @step("p_f", r"\frac{1}{$classes}\left(1 - $r\right)\left(1 - \frac{1}{$classes}\right)")
    def only_first(self) -> float:
        """Probability that only system I is right on a record."""
        return law(self.r, self.classes).f

    @step(r"\mathrm{E}(s + f)", r"$N \left($only_second + $only_first\right)")
    def discordant(self) -> float:
        """Discordant records to be expected: only these say anything."""
        return self.N * (self.only_second + self.only_first)

    @step("P", r"P(\text{reject}); \ $N, $r, $classes, $alpha")
    def power(self) -> float:
        """Probability that the exact test rejects, summed over all counts."""
        return float(exact_power(self.N, self.r, self.classes, self.alpha))

    @step(r"\hat P", r"\frac{\#\{\text{trials that reject}\}}{$trials}; \ $N, $r, $classes, $alpha")
    def rate(self) -> float:
        """Share of the simulated trials in which it rejects."""
        return self._simulated(self.N).rate

    @step(r"\mathrm{SE}", r"\approx \sqrt{\frac{$rate (1 - $rate)}{$trials}}")
    def se(self) -> float:
        """How far the share strays from the probability by chance (with half a rejection and half a non-rejection added)."""
        return self._simulated(self.N).se

    def _simulated(self, N: int) -> Rate:
        # a seed for each N, so that a dot does not depend on where the slider stands
        return simulated_power(N, self.r, self.classes, trials=self.trials, alpha=self.alpha, rng=[SEED, N])

    @property
    def by_size(self) -> tuple[Array, Array]:
        """Exact probabilities and simulated shares for N = 50, 100, ..., 1000."""
        exact = exact_power(SIZES, self.r, self.classes, self.alpha)
        return exact, np.array([self._simulated(N).rate for N in SIZES])

    @property
    def conclusion(self) -> str:
        """What the simulation shows, in words."""
        what = "a true H0 is rejected" if self.r == 0 else "the test finds out that system II is better"
        return (
            f"With {self.N} records, of which about {round(self.discordant)} are discordant, {what} with probability {plain(self.power, 3)}; "
            f"in {self.trials} simulated trials: {plain(self.rate, 3)} ± {plain(self.se, 1)}."
        )


class ContingencySimulationExplorer(Explorer):
    """Sliders for the records, the forced share, the classes, the trials and the level."""

    def __init__(self, N: int, r: float, classes: int, trials: int, alpha: float) -> None:
        for name, value, positions in (("N", N, SIZES), ("r", r, RATES), ("trials", trials, TRIALS)):
            if value not in positions:
                raise ValueError(f"{name} must be one of {', '.join(map(plain, positions))}, the positions of its slider; got {value!r}")
        if not 2 <= classes <= MOST_CLASSES:
            raise ValueError(f"classes must lie between 2 and {MOST_CLASSES}, the ends of its slider; got {classes}")
        first = {"records": SIZES.index(N), "rate": RATES.index(r), "classes": int(classes), "trials": TRIALS.index(trials)}
        self._first = first | {"alpha": position_of(alpha)}
        super().__init__("The contingency table test, simulated and exact")

    def _start(self) -> None:
        self._at = dict(self._first)

    def _take(self, moved: Mapping[str, int]) -> None:
        self._at |= moved

    @property
    def controls(self) -> Sequence[Control]:
        """The sliders as they stand."""
        at = self._at
        return [
            Control("records", "Number of records N", 0, len(SIZES) - 1, at["records"], plain(SIZES[at["records"]])),
            Control("rate", "System II is forced to be right", 0, len(RATES) - 1, at["rate"], f"r = {plain(RATES[at['rate']])}"),
            Control("classes", "Number of classes", 2, MOST_CLASSES, at["classes"], plain(at["classes"])),
            Control("trials", "Trials", 0, len(TRIALS) - 1, at["trials"], plain(TRIALS[at["trials"]])),
            Control("alpha", "Level alpha", 0, len(LEVELS) - 1, at["alpha"], plain(LEVELS[at["alpha"]])),
        ]

    @property
    def test(self) -> ContingencySimulation:  # type: ignore[override]
        """The simulation for the sliders as they stand."""
        at = self._at
        return ContingencySimulation(
            SIZES[at["records"]], RATES[at["rate"]], at["classes"], TRIALS[at["trials"]], alpha=LEVELS[at["alpha"]]
        )

    def pictures(self, test: Any) -> Sequence[Picture]:
        """The exact curve and the simulated dots, by the number of records."""
        return [power_by_size(test)]


def power_by_size(test: ContingencySimulation) -> Picture:
    """The exact probability as a curve, simulated shares as squares, for N = 50, 100, ..., 1000.

    >>> power_by_size(ContingencySimulation(300, 0.05, 10, 1000))
    [picture: Probability of rejecting by the number of records, from 0.0987 with 50 to 0.914 with 1000. With 300: exact 0.467, ...]
    """
    exact, simulated = test.by_size
    x = np.array(SIZES, float)
    return Picture(
        title=f"r = {plain(test.r)}, {test.classes} classes, alpha = {plain(test.alpha)}",
        xlabel="number of records N",
        ylabel="share of trials that reject",
        xlim=(0.0, MOST + STEP),
        ylim=(0.0, 1.05),
        marks=(
            Curve(np.array([0.0, MOST + STEP]), np.full(2, test.alpha), GREY),
            Curve(x, exact, BLUE),
            Points(x, simulated, VERMILLION, "simulated", open=True, radius=4.0),
            Points(np.array([float(test.N)]), np.array([test.power]), BLUE, f"exact, N = {test.N}"),
        ),
        text=f"Probability of rejecting by the number of records, from {plain(exact[0], 3)} with {SIZES[0]} to {plain(exact[-1], 3)} with {MOST}. "
        f"With {test.N}: exact {plain(test.power, 3)}, in {test.trials} trials {plain(test.rate, 3)}.",
        whole_x=True,
    )


def contingency_simulation(*, N: int = 300, r: float = 0.05, classes: int = 10, trials: int = 1000, alpha: float = 0.05) -> Explorer:
    """A guessing and a knowing system with sliders: how often the exact test tells them apart, simulated (dots) and exact (curve).

    Parameters
    ----------
    N : int
        Records at the start: 50, 100, ..., 1000.
    r : float
        Share of the records on which system II is forced to be right, at the start: one of `RATES`.
    classes : int
        Classes at the start, 2 to 20.
    trials : int
        Trials at the start: 1, 10, 100, 300, 1000 or 3000.
    alpha : float
        Level at the start, one of `LEVELS`.
    """
    return ContingencySimulationExplorer(N, r, classes, trials, alpha)
