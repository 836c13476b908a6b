"""Interactive explorer of the comparison of two language models."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...core.number_format import format_plain
from ...plot.drawing.picture import Picture
from ...plot.drawing.picture_marks import BLACK, BLUE, GREEN, GREY, VERMILLION, Area, Curve, Label, Line, Mark, Points, VerticalLine
from ...teaching.demonstrations.language_models import BENCHMARKS, FAMILIES, MOST, UNEQUAL_ACCURACIES, TwoModels, type_one_error_rates
from ..widgets import LEVEL_SLIDER, SimulationExplorer, Slider, integer_slider

QUESTIONS = Slider("n", "Number of questions", (50, 100, 200, 400, MOST))
CORRELATION = Slider("correlation", "Correlation of the models' scores", (0.0, 0.2, 0.4, 0.6, 0.8, 0.9))
FAMILY = Slider("family", "Questions in a family", FAMILIES)
SAMPLES = Slider("samples", "Answers to each question", (1, 2, 5, 10))
DRAW = integer_slider("draw", "Benchmark", 1, 40)
METHODS = ("without pairs", "with pairs", "on families")
# colours of the methods; a dashed line also marks the first method, and open squares mark the second
METHOD_COLORS = (GREEN, VERMILLION, BLUE)


class LanguageModelsExplorer(SimulationExplorer[TwoModels]):
    """Sliders for the questions, the correlation, the families, the answers, the benchmark that is shown, and the level."""

    question = "Is the better model really better, or was it luck?"
    main_controls = ("n", "correlation", "family")
    dragged = (("family", 1, "paired_level"),)  # the rejection rate of the paired t-test
    sliders = (QUESTIONS, CORRELATION, FAMILY, SAMPLES, DRAW, LEVEL_SLIDER)
    title = "Two models on one benchmark, simulated"
    simulation = TwoModels

    def pictures(self, test: TwoModels) -> Sequence[Picture]:
        """Return two pictures: the difference with three intervals; the type I error rates of the three tests."""
        return [difference_intervals_plot(test), type_one_error_by_family(test)]


def difference_intervals_plot(test: TwoModels) -> Picture:
    """Draw the difference of the two models, with the interval of each method.

    >>> difference_intervals_plot(TwoModels(400, 0.8, 5, 1, 3))
    [picture: The difference of A and B is ... points. Intervals: without pairs ..., with pairs ..., on families ...; the true difference
    is 3.]
    """
    d, ends = 100 * test.difference, [(100 * float(ci.low), 100 * float(ci.high)) for ci in test.intervals]
    x_limit = max(20.0, *(abs(end) for both in ends for end in both))
    marks: list[Mark] = [
        VerticalLine(0.0, "equal", BLACK),
        VerticalLine(100 * (UNEQUAL_ACCURACIES[0] - UNEQUAL_ACCURACIES[1]), "true", GREY, dashed=True, line=1),
    ]
    for row, (method, (low, high), color) in enumerate(zip(METHODS, ends, METHOD_COLORS, strict=True)):
        y = float(len(METHODS) - row)
        marks += [
            Line((low, high), (y, y), color, 4.0),
            Points(np.array([d]), np.array([y]), color, open=method == METHODS[1]),
            Label(-0.98 * x_limit, y - 0.06, method, color=color, bold=True),
        ]
    text = (
        f"The difference of A and B is {format_plain(d, 3)} points. Intervals: "
        + ", ".join(
            f"{method} {format_plain(low, 3)} to {format_plain(high, 3)}" for method, (low, high) in zip(METHODS, ends, strict=True)
        )
        + f"; the true difference is {format_plain(100 * (UNEQUAL_ACCURACIES[0] - UNEQUAL_ACCURACIES[1]))}."
    )
    title = f"A - B = {format_plain(d, 3)} points"
    return Picture(title, "difference in points", "", (-x_limit, x_limit), (0.5, 4.6), tuple(marks), text, yticks=False)


def type_one_error_by_family(test: TwoModels) -> Picture:
    """Draw the rejection rates of three tests for equally good models, by the number of questions in a family.

    >>> type_one_error_by_family(TwoModels(50, 0.8, 5, 1, 3))
    [picture: Share of 1,000 benchmarks with equal models on which each test rejects, by the questions in a family. With 5: without
    pairs ..., with pairs ..., on families ...; alpha = 0.05.]
    """
    rejection_rates = np.array([type_one_error_rates(test.n, test.correlation, size, test.samples, test.alpha) for size in FAMILIES])
    x, at = np.array(FAMILIES, float), np.array([float(test.family)])
    levels = test.unpaired_level, test.paired_level, test.family_level
    ends, luck = np.array([0.0, FAMILIES[-1] + 1.0]), 2 * np.sqrt(test.alpha * (1 - test.alpha) / BENCHMARKS)
    marks = (
        Area(ends, np.full(2, test.alpha + luck), GREY, "alpha ± 2 Monte Carlo errors", low=np.full(2, max(0.0, test.alpha - luck))),
        *(  # the dashed curve is drawn last, so that a curve below it is visible between the dashes
            mark
            for method, curve, color in reversed(list(zip(METHODS, rejection_rates.T, METHOD_COLORS, strict=True)))
            for mark in (
                Curve(x, curve, color, dashed=method == METHODS[0]),
                Points(x, curve, color, open=method == METHODS[1], radius=3.0),
            )
        ),
        *(
            Points(at, np.array([level]), color, f"{method}: {format_plain(level, 3)}", open=method == METHODS[1])
            for method, level, color in zip(METHODS, levels, METHOD_COLORS, strict=True)
        ),
    )
    text = (
        f"Share of {BENCHMARKS:,} benchmarks with equal models on which each test rejects, by the questions in a family. "
        f"With {test.family}: "
        + ", ".join(f"{method} {format_plain(level, 3)}" for method, level in zip(METHODS, levels, strict=True))
        + f"; alpha = {format_plain(test.alpha)}."
    )
    ylim = (0.0, max(0.2, 1.15 * float(rejection_rates.max())))
    title = f"True H0 rejected, n = {test.n}"
    xlim = (float(ends[0]), float(ends[1]))
    return Picture(title, "questions in a family", f"share of {BENCHMARKS:,}", xlim, ylim, marks, text, whole_x=True)


def two_models(
    *, n: int = 400, correlation: float = 0.8, family: int = 5, samples: int = 1, draw: int = 16, alpha: float = 0.05
) -> LanguageModelsExplorer:
    """Explore with sliders two language models on one benchmark: three intervals of the difference and three type I error rates.

    Parameters
    ----------
    n : int
        Number of questions at the start: 50, 100, 200, 400 or 800.
    correlation : float
        Correlation of the two models' scores on the questions at the start: 0, 0.2, 0.4, 0.6, 0.8 or 0.9.
    family : int
        Number of questions in a family at the start: 1, 2, 5, 10 or 20.
    samples : int
        Number of answers to each question at the start: 1, 2, 5 or 10.
    draw : int
        Number of the benchmark that is shown at the start, 1 to 40.
    alpha : float
        Level at the start: 0.001, 0.005, 0.01, 0.02, 0.05, 0.1 or 0.2.
    """
    return LanguageModelsExplorer(n=n, correlation=correlation, family=family, samples=samples, draw=draw, alpha=alpha)
