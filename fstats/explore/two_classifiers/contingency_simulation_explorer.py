"""Interactive explorer of the power of McNemar's test."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...core.number_format import format_plain
from ...plot.drawing.picture import Picture
from ...plot.drawing.picture_marks import BLUE, GREY, VERMILLION, Curve, Points
from ...studies.contingency.blog_post_claims import SIZES
from ...studies.contingency.contingency_simulation_procedure import ContingencySimulation
from ..widgets import LEVEL_SLIDER, Explorer, Slider, integer_slider

RECORDS = Slider("records", "Number of records N", SIZES)
RATES = (0.0, 0.005, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.08, 0.1, 0.15, 0.2)
RATE = Slider("rate", "Share on which system II is forced to be right", RATES, lambda r: f"r = {format_plain(r)}")
CLASSES = integer_slider("classes", "Number of classes", 2, 20)
TRIALS = Slider("trials", "Trials", (1, 10, 100, 300, 1000, 3000))


class ContingencySimulationExplorer(Explorer[ContingencySimulation]):
    """Sliders for the number of records, the forced share, the classes, the trials and the level."""

    question = "How often does the test detect that one system knows more?"
    main_controls = ("records", "rate", "trials")
    dragged = (("records", 0, "power"),)  # the point on the exact curve

    sliders = (RECORDS, RATE, CLASSES, TRIALS, LEVEL_SLIDER)

    def __init__(self, N: int, r: float, classes: int, trials: int, alpha: float) -> None:
        start = {"records": RECORDS.position(N, "N"), "rate": RATE.position(r, "r"), "classes": CLASSES.position(classes)}
        start |= {"trials": TRIALS.position(trials), "alpha": LEVEL_SLIDER.position(alpha)}
        super().__init__("The contingency table test, simulated and exact", **start)

    @property
    def test(self) -> ContingencySimulation:
        """Simulation with the values of the sliders."""
        at = self.values
        return ContingencySimulation(at["records"], at["rate"], at["classes"], at["trials"], alpha=at["alpha"])

    def pictures(self, test: ContingencySimulation) -> Sequence[Picture]:
        """Return the exact curve and the simulated squares, by the number of records."""
        return [power_by_records_plot(test)]


def power_by_records_plot(test: ContingencySimulation) -> Picture:
    """Draw the exact probability of rejecting as a curve and the simulated shares as squares, for N = 50, 100, ..., 1000.

    >>> power_by_records_plot(ContingencySimulation(300, 0.05, 10, 1000))
    [picture: Probability of rejecting by the number of records, from 0.0987 with 50 to 0.914 with 1000. With 300: exact 0.467, ...]
    """
    exact, simulated = test.by_size
    x, end = np.array(SIZES, float), SIZES[-1] + SIZES[0]
    marks = (
        Curve(np.array([0.0, end]), np.full(2, test.alpha), GREY, "alpha"),
        Curve(x, exact, BLUE),
        Points(x, simulated, VERMILLION, "simulated", open=True, radius=4.0),
        Points(np.array([float(test.N)]), np.array([test.power]), BLUE, f"exact, N = {test.N}"),
    )
    text = (
        f"Probability of rejecting by the number of records, from {format_plain(exact[0], 3)} with "
        f"{SIZES[0]} to {format_plain(exact[-1], 3)} with {SIZES[-1]}. "
        f"With {test.N}: exact {format_plain(test.power, 3)}, in {test.trials} trials {format_plain(test.rate, 3)}."
    )
    title = f"r = {format_plain(test.r)}, {test.classes} classes, alpha = {format_plain(test.alpha)}"
    return Picture(title, "number of records N", "share of trials that reject", (0.0, end), (0.0, 1.05), marks, text, whole_x=True)


def contingency_simulation(
    *, N: int = 300, r: float = 0.05, classes: int = 10, trials: int = 1000, alpha: float = 0.05
) -> ContingencySimulationExplorer:
    """Explore with sliders how often the exact test distinguishes a knowing from a guessing system: exact (curve), simulated (squares).

    Parameters
    ----------
    N : int
        Number of records at the start: 50, 100, ..., 1000.
    r : float
        Share of the records on which system II is forced to be right, at the start: 0, 0.005, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.08,
        0.1, 0.15 or 0.2.
    classes : int
        Number of classes at the start, 2 to 20.
    trials : int
        Number of trials at the start: 1, 10, 100, 300, 1000 or 3000.
    alpha : float
        Level at the start: 0.001, 0.005, 0.01, 0.02, 0.05, 0.1 or 0.2.
    """
    return ContingencySimulationExplorer(N, r, classes, trials, alpha)
