"""The explorer of the 5x2 cv t-test: choose the difference that stands on top, and see what becomes of p."""

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
from ..widgets.drag_handle import DragHandle
from ..widgets.explorer import Explorer
from ..widgets.slider import LEVEL_SLIDER, Slider, integer_slider, step_slider

DIFFERENCES = REPETITIONS * FOLDS
FIRST = integer_slider(
    "first", "Difference on top", 1, DIFFERENCES, lambda first: "repetition {}, fold {}".format(*repetition_and_fold(first - 1))
)
MAX_SHIFT_STEPS = 20  # steps of the shift to either side
POINTS_PER_STEP = 4  # of a curve for each of them


def repetition_and_fold(first: int) -> tuple[int, int]:
    """Repetition and fold of a difference, counted from 1."""
    i, k = divmod(first, FOLDS)
    return i + 1, k + 1


class FiveByTwoExplorer(Explorer[FiveByTwoT]):
    """Dietterich's test on ten differences with sliders for the one on top, a shift of all, and the level."""

    question = "What becomes of p if another difference stands on top?"
    leading = ("first", "shift", "alpha")

    def __init__(self, d: Any, first: int, step: float, alpha: float) -> None:
        self._given = FiveByTwoT(d).d
        if self._given.ndim > 2:
            raise ValueError(f"d must hold the ten differences of one comparison, without repetitions; got shape {self._given.shape}")
        self._shift = step_slider("shift", "Added to all ten", -MAX_SHIFT_STEPS, MAX_SHIFT_STEPS, step)
        super().__init__("The 5x2 cv t-test with sliders", **self._positions(first=first, shift=0, alpha=alpha))

    @property
    def sliders(self) -> Sequence[Slider[Any]]:
        """Which difference stands on top, how far all are moved, and the level."""
        return [FIRST, self._shift, LEVEL_SLIDER]

    @property
    def test(self) -> FiveByTwoT:
        """The test that is shown, computed afresh."""
        at = self.values
        return FiveByTwoT(renumber(self._given, at["first"] - 1) + at["shift"], alpha=at["alpha"])

    def pictures(self, test: FiveByTwoT) -> Sequence[Picture]:
        """The ten t that these ten differences can give, and p of three tests if A were better by more or less."""
        at = self.values
        shifts = (
            np.linspace(-MAX_SHIFT_STEPS, MAX_SHIFT_STEPS, 2 * MAX_SHIFT_STEPS * POINTS_PER_STEP + 1)
            * self._shift.values[-1]
            / MAX_SHIFT_STEPS
        )
        first = at["first"] - 1
        return [
            ten_statistics_plot(self._given + at["shift"], test, first, self.tight),
            pvalues_by_shift_plot(self._given, shifts, at["shift"], first, test.alpha),
        ]

    def grips(self, test: FiveByTwoT) -> Sequence[DragHandle]:
        """Dietterich's p on its curve."""
        return [self.along("shift", 1, self.values["shift"], float(test.pvalue))]


def ten_statistics_plot(d: Array, test: FiveByTwoT, first: int, tight: bool = False) -> Picture:
    """The ten t of the same ten differences: a line for each repetition, with the one that is shown named.

    >>> d = [[0.02, 0.01], [0.03, 0], [0.01, 0.01], [0.05, -0.01], [0.02, 0.01]]
    >>> ten_statistics_plot(np.array(d), FiveByTwoT(d), 0)
    [picture: The ten t of the same ten differences, from -0.4613 to 2.306; 0 of 10 lie beyond the critical value 2.571. On top:
    repetition 1, fold 1, t = 0.9225, p = 0.3986.]
    """
    every = np.array([float(FiveByTwoT(renumber(d, k), alpha=test.alpha).statistic) for k in range(DIFFERENCES)])
    critical, shown = float(test.critical_value), float(test.statistic)
    beyond = np.abs(every) >= critical
    reach = 1.2 * float(np.abs(every[np.isfinite(every)]).max(initial=1.3 * critical))
    x, y = np.clip(every, -reach, reach), np.repeat(np.arange(REPETITIONS, 0.0, -1.0), FOLDS)
    count = int(beyond.sum())
    beneath = int(2 * critical < 1.15 * reach)  # where the two critical values stand so close that their names would meet in one line
    align: Literal["start", "middle", "end"] = "start" if x[first] < -0.6 * reach else "end" if x[first] > 0.6 * reach else "middle"
    named = Label(float(x[first]), float(y[first]) + 0.4, f"on top: t = {format_plain(shown)}", align, bold=True)
    return Picture(
        title=f"Black: t = {format_plain(shown)}; {count} of 10 reject" if tight else f"Ten t of ten differences: {count} of 10 reject",
        xlabel="t with that one on top",
        ylabel="repetition",
        xlim=(-1.15 * reach, 1.15 * reach),
        ylim=(0.4, 7.6 if tight else 7.0),
        marks=(
            VerticalLine(-critical, f"-c = {format_plain(-critical)}", VERMILLION, dashed=True),
            VerticalLine(critical, f"c = {format_plain(critical)}", VERMILLION, dashed=True, line=beneath),
            *(Label(-1.14 * reach, float(line) - 0.15, str(REPETITIONS + 1 - line), "start") for line in range(1, REPETITIONS + 1)),
            Points(x[~beyond], y[~beyond], BLUE, "fails to reject" if (~beyond).any() else ""),
            Points(x[beyond], y[beyond], VERMILLION, "rejects" if beyond.any() else "", open=True),
            Points(x[[first]], y[[first]], BLACK, open=bool(beyond[first])),
            *([] if tight else [named]),
        ),
        text=f"The ten t of the same ten differences, from {format_plain(every.min())} to {format_plain(every.max())}; "
        f"{count} of 10 lie beyond the critical value {format_plain(critical)}. On top: repetition "
        f"{repetition_and_fold(first)[0]}, fold {repetition_and_fold(first)[1]}, t = {format_plain(shown)}, "
        f"{format_pvalue(test.pvalue, test.alpha)}.",
        yticks=False,
        free_names=True,
    )


def pvalues_by_shift_plot(d: Array, shifts: Array, here: float, first: int, alpha: float) -> Picture:
    """The p-values of three tests on these ten differences if A were better by more or less; Dietterich's has ten answers.

    >>> d = np.array([[0.02, 0.01], [0.03, 0], [0.01, 0.01], [0.05, -0.01], [0.02, 0.01]])
    >>> pvalues_by_shift_plot(d, np.linspace(-0.1, 0.1, 21), 0.0, 0, 0.05)
    [picture: p if all ten differences were larger by a shift from -0.1 to 0.1. At 0: Dietterich p = 0.3986 (other numberings 0.06922 to
    1), Alpaydin p = 0.5349, Yildiz p = 0.0803; alpha = 0.05.]
    """
    curves, at = _pvalue_curves(d.tobytes(), shifts.tobytes()), pvalues(d, np.array([here]))
    shown: list[Mark] = []
    for k, curve in enumerate(curves[FiveByTwoT]):
        if k != first:
            shown.append(Curve(shifts, curve, GREY))
    said = []
    for name, curve, p, color, open_ in (
        ("Dietterich", curves[FiveByTwoT][first], at[FiveByTwoT][first, 0], BLUE, False),
        ("Alpaydin", curves[CombinedFiveByTwoF], at[CombinedFiveByTwoF][0], ORANGE, True),
        ("Yildiz", curves[CombinedFiveByTwoT], at[CombinedFiveByTwoT][0], GREEN, False),
    ):
        told = format_pvalue(p, alpha)
        shown += [
            Curve(shifts, curve, color),
            Points(np.array([here]), np.array([p]), color, f"{name}: {told.removeprefix('p = ')}", open=open_),
        ]
        said.append(f"{name} {told}")
    ten = at[FiveByTwoT][:, 0]
    said[0] += f" (other numberings {format_plain(ten.min())} to {format_plain(ten.max())})"
    return Picture(
        title="p if all ten were larger; grey: renumbered",
        xlabel="added to all ten differences",
        ylabel="p",
        xlim=(float(shifts[0]), float(shifts[-1])),
        ylim=(0.0, 1.05),
        marks=(Curve(shifts, np.full(len(shifts), alpha), VERMILLION), *shown),
        text=f"p if all ten differences were larger by a shift from {format_plain(shifts[0])} to {format_plain(shifts[-1])}. At {format_plain(here)}: "
        f"{', '.join(said)}; alpha = {format_plain(alpha)}.",
    )


@cache
def _pvalue_curves(d: bytes, shifts: bytes) -> Any:
    """The curves of the same differences are computed once, whatever slider moves."""
    return pvalues(np.frombuffer(d).reshape(REPETITIONS, FOLDS), np.frombuffer(shifts))


def five_by_two(d: Any, *, first: int = 1, step: float = 0.005, alpha: float = 0.05) -> FiveByTwoExplorer:
    """The 5x2 cv t-test with sliders: number the ten differences differently, move them all, and see what becomes of p.

    Parameters
    ----------
    d : array_like, shape (5, 2)
        Score of A less score of B on both folds of five repetitions.
    first : int
        Which of the ten stands on top at the start: 1 is fold 1 of repetition 1, 10 fold 2 of repetition 5.
    step : float
        How far one key press moves all ten; 20 steps to either side.
    alpha : float
        Level at the start: 0.001, 0.005, 0.01, 0.02, 0.05, 0.1 or 0.2.
    """
    return FiveByTwoExplorer(d, first, step, alpha)
