"""Interactive explorer of the power of multiple comparisons."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...core.number_format import format_plain
from ...plot.drawing.picture import Picture
from ...plot.drawing.picture_marks import BLUE, GREY, VERMILLION, Curve, Label, Line, Mark, Points, VerticalLine
from ...teaching.demonstrations.multiplicity_simulation import MOST_CLASSIFIERS, MOST_DATASETS, Multiplicity
from ..widgets import LEVEL_SLIDER, SimulationExplorer, Slider, integer_slider

N = integer_slider("n", "Number of data sets", 5, MOST_DATASETS)
K = integer_slider("k", "Number of classifiers", 3, MOST_CLASSIFIERS, lambda k: f"{k}: {k * (k - 1) // 2} pairs")
SHIFT = Slider(
    "shift", "Advantage of the first classifier", [fifths / 5 for fifths in range(11)], lambda x: f"{format_plain(x)} standard deviations"
)


class MultiplicityExplorer(SimulationExplorer[Multiplicity]):
    """Sliders for the numbers of data sets and classifiers, the difference, and the level."""

    question = "How do data sets and classifiers change the power?"
    main_controls = ("n", "k", "shift")
    dragged = (("n", 0, "power"),)  # the point on the power curve
    sliders = (N, K, SHIFT, LEVEL_SLIDER)
    title = "Power and the price of multiplicity, simulated"
    simulation = Multiplicity

    def pictures(self, test: Multiplicity) -> Sequence[Picture]:
        """Return two pictures: power of Friedman's test by the number of data sets; power and false alarms of each procedure."""
        return [power_by_data_sets_plot(test), correction_cost_plot(test)]


def power_by_data_sets_plot(test: Multiplicity) -> Picture:
    """Draw the power of Friedman's test by the number of data sets, with a point at the current number.

    >>> power_by_data_sets_plot(Multiplicity(20, 4, 0.8))
    [picture: Friedman's test rejects in 10 % of the tables with 5 data sets, and in 98 % with 60. With 20 it is 57 %.]
    """
    first, last = (round(100 * share) for share in test.power_by_size[[0, -1]])
    marks = (
        Curve(test.sizes.astype(float), test.power_by_size, GREY),
        Points(np.array([float(test.n)]), np.array([test.power]), BLUE, f"{test.n} data sets: {format_plain(test.power)}"),
    )
    opening = f"Friedman's test rejects in {first} % of the tables with {test.sizes[0]} data sets, and in {last} % with {test.sizes[-1]}"
    text = f"{opening}. With {test.n} it is {round(100 * test.power)} %."
    title = "More data sets, more power"
    ylabel = "share of tables rejected"
    return Picture(title, "number of data sets", ylabel, (0.0, MOST_DATASETS + 2.0), (0.0, 1.05), marks, text, whole_x=True)


def correction_cost_plot(test: Multiplicity) -> Picture:
    """Draw the power and the false alarms of each procedure.

    >>> correction_cost_plot(Multiplicity(20, 4, 0.8))
    [picture: Share of tables in which the first two classifiers are found to differ, and share with a false alarm: no correction
    ... %.]
    """
    rows = np.arange(float(len(test.rules)), 0, -1)
    rates = [f"{rule} {round(100 * f)} % and {round(100 * a)} %" for rule, f, a in zip(test.rules, test.found, test.false_alarms)]
    marks: tuple[Mark, ...] = (
        *(Line((0.0, 1.0), (float(y), float(y)), GREY, 1.0) for y in rows),
        *(Label(1.0, float(y) + 0.24, str(rule), "end") for y, rule in zip(rows, test.rules)),
        VerticalLine(test.alpha, f"alpha = {format_plain(test.alpha)}", VERMILLION, dashed=True),
        Points(test.false_alarms, rows, VERMILLION, "false alarm", open=True),
        Points(test.found, rows, BLUE, "found"),
    )
    text = f"Share of tables in which the first two classifiers are found to differ, and share with a false alarm: {'; '.join(rates)}."
    within = (-0.02, 1.02), (0.4, len(rows) + 1.35)
    return Picture(f"The price of {test.pairs} pairs", "share of tables", "", *within, marks, text, yticks=False)


def multiplicity(*, n: int = 20, k: int = 5, alpha: float = 0.05) -> MultiplicityExplorer:
    """Explore simulated tables of scores with sliders: more data sets increase the power, more classifiers decrease it.

    Parameters
    ----------
    n : int
        Number of data sets at the start, 5 to 60.
    k : int
        Number of classifiers at the start, 3 to 10.
    alpha : float
        Level at the start: 0.001, 0.005, 0.01, 0.02, 0.05, 0.1 or 0.2.
    """
    return MultiplicityExplorer(n=n, k=k, shift=0.8, alpha=alpha)
