"""Interactive explorer of the 5x2 cross-validation t-test."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Literal

import numpy as np

from ...core.number_format import format_plain, format_pvalue
from ...core.value_types import Array
from ...plot.drawing.picture import Picture
from ...plot.drawing.picture_marks import BLACK, BLUE, GREEN, GREY, ORANGE, VERMILLION, Curve, Label, Mark, Points, VerticalLine
from ...procedures.resampling.five_by_two.five_by_two_f import CombinedFiveByTwoF
from ...procedures.resampling.five_by_two.five_by_two_t import CombinedFiveByTwoT, FiveByTwoT
from ...teaching.demonstrations.fold_numbering import FOLDS, REPETITIONS, pvalues, renumber
from ..widgets import LEVEL_SLIDER, Explorer, Slider, integer_slider, step_slider

DIFFERENCES = REPETITIONS * FOLDS
FIRST = integer_slider(
    "first", "Difference in the numerator", 1, DIFFERENCES, lambda first: "repetition {}, fold {}".format(*repetition_and_fold(first - 1))
)
MAX_SHIFT_STEPS = 20  # number of steps of the slider on each side of a shift of 0
POINTS_PER_STEP = 4  # number of points of the curve for each step of the slider


def repetition_and_fold(first: int) -> tuple[int, int]:
    """Return the repetition and the fold of a difference, counted from 1."""
    i, k = divmod(first, FOLDS)
    return i + 1, k + 1


class FiveByTwoExplorer(Explorer[FiveByTwoT]):
    """Dietterich's test on ten differences with sliders for the difference in the numerator, a shift of all differences, and the level."""

    question = "How does p change with another difference in the numerator?"
    main_controls = ("first", "shift", "alpha")
    dragged = (("shift", 1, "pvalue"),)  # the point on the curve of Dietterich's p

    def __init__(self, d: Any, first: int, step: float, alpha: float) -> None:
        self._original_differences = FiveByTwoT(d).d
        if self._original_differences.ndim > 2:
            raise ValueError(f"`d` must hold ten differences without an axis of repetitions; got shape {self._original_differences.shape}")
        self._shift = step_slider("shift", "Added to all differences", -MAX_SHIFT_STEPS, MAX_SHIFT_STEPS, step)
        super().__init__("The 5x2 cv t-test with sliders", **self._positions_of_values(first=first, shift=0, alpha=alpha))

    @property
    def sliders(self) -> Sequence[Slider[Any]]:
        """Sliders for the difference in the numerator, the shift of all differences, and the level."""
        return [FIRST, self._shift, LEVEL_SLIDER]

    @property
    def test(self) -> FiveByTwoT:
        """Current test, newly computed."""
        at = self.values
        return FiveByTwoT(renumber(self._original_differences, at["first"] - 1) + at["shift"], alpha=at["alpha"])

    def pictures(self, test: FiveByTwoT) -> Sequence[Picture]:
        """Return the ten possible values of t, and p of three tests for all shifts of the differences."""
        at = self.values
        steps = np.linspace(-MAX_SHIFT_STEPS, MAX_SHIFT_STEPS, 2 * MAX_SHIFT_STEPS * POINTS_PER_STEP + 1)
        shifts = steps * self._shift.values[-1] / MAX_SHIFT_STEPS
        first = at["first"] - 1
        return [
            ten_statistics_plot(self._original_differences + at["shift"], test, first, self.is_compact),
            pvalues_by_shift_plot(self._original_differences, shifts, at["shift"], first, test.alpha),
        ]


def ten_statistics_plot(d: Array, test: FiveByTwoT, first: int, tight: bool = False) -> Picture:
    """Draw the ten possible values of t, with a row for each repetition and a label at the chosen value.

    >>> d = [[0.02, 0.01], [0.03, 0], [0.01, 0.01], [0.05, -0.01], [0.02, 0.01]]
    >>> ten_statistics_plot(np.array(d), FiveByTwoT(d), 0)
    [picture: The ten t of the same ten differences, from -0.4613 to 2.306; 0 of 10 lie beyond the critical value 2.571. In the numerator:
    repetition 1, fold 1, t = 0.9225, p = 0.3986.]
    """
    statistics = np.array([float(FiveByTwoT(renumber(d, k), alpha=test.alpha).statistic) for k in range(DIFFERENCES)])
    critical, shown = float(test.critical_value), float(test.statistic)
    beyond = np.abs(statistics) >= critical
    reach = 1.2 * float(np.abs(statistics[np.isfinite(statistics)]).max(initial=1.3 * critical))
    x, y = np.clip(statistics, -reach, reach), np.repeat(np.arange(REPETITIONS, 0.0, -1.0), FOLDS)
    count = int(beyond.sum())
    # row of the label of c: 1 if the label would overlap the label of -c in row 0
    beneath = int(2 * critical < 1.15 * reach)
    align: Literal["start", "middle", "end"] = "start" if x[first] < -0.6 * reach else "end" if x[first] > 0.6 * reach else "middle"
    chosen_label = Label(float(x[first]), float(y[first]) + 0.4, f"chosen: t = {format_plain(shown)}", align, bold=True)
    marks: tuple[Mark, ...] = (
        VerticalLine(-critical, f"-c = {format_plain(-critical)}", VERMILLION, dashed=True),
        VerticalLine(critical, f"c = {format_plain(critical)}", VERMILLION, dashed=True, line=beneath),
        *(Label(-1.14 * reach, float(line) - 0.15, str(REPETITIONS + 1 - line), "start") for line in range(1, REPETITIONS + 1)),
        Points(x[~beyond], y[~beyond], BLUE, "fails to reject" if (~beyond).any() else ""),
        Points(x[beyond], y[beyond], VERMILLION, "rejects" if beyond.any() else "", open=True),
        Points(x[[first]], y[[first]], BLACK, open=bool(beyond[first])),
        *([] if tight else [chosen_label]),
    )
    text = (
        f"The ten t of the same ten differences, from {format_plain(statistics.min())} to {format_plain(statistics.max())}; {count} of 10 "
        f"lie beyond the critical value {format_plain(critical)}. In the numerator: repetition {repetition_and_fold(first)[0]}, fold "
        f"{repetition_and_fold(first)[1]}, t = {format_plain(shown)}, {format_pvalue(test.pvalue, test.alpha)}."
    )
    title = f"Black: t = {format_plain(shown)}; {count} of 10 reject" if tight else f"Ten t of ten differences: {count} of 10 reject"
    xlabel = "t with this difference in the numerator"
    xlim = (-1.15 * reach, 1.15 * reach)
    return Picture(title, xlabel, "repetition", xlim, (0.4, 7.6 if tight else 7.0), marks, text, yticks=False)


def pvalues_by_shift_plot(d: Array, shifts: Array, here: float, first: int, alpha: float) -> Picture:
    """Draw the p-values of three tests by a shift of all ten differences; Dietterich's test has ten p-values.

    >>> d = np.array([[0.02, 0.01], [0.03, 0], [0.01, 0.01], [0.05, -0.01], [0.02, 0.01]])
    >>> pvalues_by_shift_plot(d, np.linspace(-0.1, 0.1, 21), 0.0, 0, 0.05)
    [picture: p if all ten differences were larger by a shift from -0.1 to 0.1. At 0: Dietterich p = 0.3986 (other numberings 0.06922 to
    1), Alpaydin p = 0.5349, Yildiz p = 0.0803; alpha = 0.05.]
    """
    curves, at = _pvalue_curves(d.tobytes(), shifts.tobytes()), pvalues(d, np.array([here]))
    shown: list[Mark] = [Curve(shifts, curve, GREY) for k, curve in enumerate(curves[FiveByTwoT]) if k != first]
    descriptions = []
    for name, curve, p, color, is_open in (
        ("Dietterich", curves[FiveByTwoT][first], at[FiveByTwoT][first, 0], BLUE, False),
        ("Alpaydin", curves[CombinedFiveByTwoF], at[CombinedFiveByTwoF][0], ORANGE, True),
        ("Yildiz", curves[CombinedFiveByTwoT], at[CombinedFiveByTwoT][0], GREEN, False),
    ):
        text = format_pvalue(p, alpha)
        shown += [
            Curve(shifts, curve, color),
            Points(np.array([here]), np.array([p]), color, f"{name}: {text.removeprefix('p = ')}", open=is_open),
        ]
        descriptions.append(f"{name} {text}")
    dietterich = at[FiveByTwoT][:, 0]
    descriptions[0] += f" (other numberings {format_plain(dietterich.min())} to {format_plain(dietterich.max())})"
    return Picture(
        title="p after a shift; grey: other numerators",
        xlabel="added to all ten differences",
        ylabel="p",
        xlim=(float(shifts[0]), float(shifts[-1])),
        ylim=(0.0, 1.05),
        marks=(Curve(shifts, np.full(len(shifts), alpha), VERMILLION), *shown),
        text=f"p if all ten differences were larger by a shift from {format_plain(shifts[0])} to {format_plain(shifts[-1])}. At "
        f"{format_plain(here)}: {', '.join(descriptions)}; alpha = {format_plain(alpha)}.",
    )


@cache
def _pvalue_curves(d: bytes, shifts: bytes) -> Any:
    """Return the curves of p for given differences and shifts; a cache avoids a second computation for the same differences."""
    return pvalues(np.frombuffer(d).reshape(REPETITIONS, FOLDS), np.frombuffer(shifts))


def five_by_two(d: Any, *, first: int = 1, step: float = 0.005, alpha: float = 0.05) -> FiveByTwoExplorer:
    """Explore the 5x2 cv t-test with sliders: choose the difference in the numerator, shift all ten differences, and watch p.

    Parameters
    ----------
    d : array_like, shape (5, 2)
        Score of A minus score of B on both folds of five repetitions.
    first : int
        Number of the difference in the numerator at the start, from 1 (fold 1 of repetition 1) to 10 (fold 2 of repetition 5).
    step : float
        Change of all ten differences with one key press; 20 steps to either side.
    alpha : float
        Level at the start: 0.001, 0.005, 0.01, 0.02, 0.05, 0.1 or 0.2.
    """
    return FiveByTwoExplorer(d, first, step, alpha)
