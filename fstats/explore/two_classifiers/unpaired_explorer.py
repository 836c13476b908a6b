"""The explorer of three tests without pairs: one sample against a value, two samples by their means, two samples by their ranks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...core.classifier_pair import series_names
from ...core.hypothesis import HypothesisTest
from ...core.number_format import format_plain
from ...core.validation.check import scores
from ...plot.drawing.picture import Picture
from ...plot.drawing.picture_marks import BLUE, GREY, VERMILLION, Label, Line, Mark, Points, axis_limits
from ...procedures.pairwise.one_sample_t import OneSampleT
from ...procedures.pairwise.rank_sum import RankSum
from ...procedures.pairwise.two_sample_t import TwoSampleT
from ..widgets.drag_handle import DragHandle
from ..widgets.score_explorer import ScoreExplorer, restrict_slider, score_limits
from ..widgets.slider import LEVEL_SLIDER, Control, Slider, integer_slider, step_slider
from .paired_scores_explorer import ALTERNATIVE, extend_y_axis

ONE, TWO, RANKS = "one sample", "two samples", "ranks"
TEST = Slider("test", "Test", (ONE, TWO, RANKS))
AROUND = 20  # steps that the value may move, either way


class UnpairedExplorer(ScoreExplorer[HypothesisTest]):
    """Scores of A against a value, or against scores of B on other data sets."""

    question = "Without pairs: is it too far for luck?"
    leading = ("test", "score", "mu")

    def __init__(self, x: Any, y: Any, mu: float, alpha: float, step: float) -> None:
        given, self._y = scores(x, "x"), scores(y, "y")
        if given.ndim != 1 or self._y.ndim != 1:
            raise ValueError(f"x and y must be two lists; got shapes {given.shape} and {self._y.shape}")
        self._labels = series_names(x, y)
        every = np.concatenate([given, self._y])
        low, high = score_limits(every)
        value = step_slider("mu", "Value to compare with", -AROUND, AROUND, step)
        moved = replace(value, values=tuple(round(mu + one, 10) for one in value.values))
        self._mu = restrict_slider(moved, lambda one: low <= one <= high)
        self._reach = axis_limits(every, share=0.12)
        super().__init__(
            "Tests without pairs", given, every, step, test=0, dataset=1, mu=0, alpha=LEVEL_SLIDER.position(alpha), alternative=0
        )

    @property
    def _place(self) -> tuple[int, ...]:
        return (self._at["dataset"] - 1,)

    @property
    def sliders(self) -> Sequence[Slider[Any]]:
        """The test, a score of A, the value of the one-sample test, and what all can be asked."""
        dataset = integer_slider("dataset", "Data set to change", 1, len(self._given), "number {}".format)
        score = self._score_slider(f"Score of {(self._labels or ('A', 'B'))[0]}", format_plain)
        return [TEST, dataset, score, self._mu, LEVEL_SLIDER, ALTERNATIVE]

    @property
    def controls(self) -> Sequence[Control]:
        """The sliders as they stand; only one test compares with a value."""
        one = self.values["test"] == ONE
        return [replace(control, active=control.name != "mu" or one) for control in super().controls]

    @property
    def test(self) -> HypothesisTest:
        """The test that is shown, computed afresh."""
        at = self.values
        asked = {"alpha": at["alpha"], "alternative": at["alternative"]}
        if at["test"] == ONE:
            return OneSampleT(self._scores, at["mu"], **asked)
        return (TwoSampleT if at["test"] == TWO else RankSum)(self._scores, self._y, labels=self._labels, **asked)

    def pictures(self, test: HypothesisTest) -> Sequence[Picture]:
        """The samples beside each other, and the null distribution."""
        at, names = self.values, self._labels or ("A", "B")
        against = at["mu"] if at["test"] == ONE else self._y
        return [extend_y_axis(samples_plot(self._scores, against, names, at["test"] != RANKS), self._reach), test.plot()]

    def grips(self, test: HypothesisTest) -> Sequence[DragHandle]:  # noqa: ARG002
        """Each score of A."""
        name, slider = (self._labels or ("A", "B"))[0], self.control("score")
        return [
            self._grip(0, k + 1, (k,), f"Score of {name} on data set {k + 1}", {"dataset": k + 1}, slider) for k in range(len(self._given))
        ]


def samples_plot(x: Any, against: Any, names: Sequence[str] = ("A", "B"), means: bool = True) -> Picture:
    """The scores of A, and beside them those of B on other data sets, or a value; with or without their means.

    >>> samples_plot(np.array([85.0, 70.0]), np.array([87.0, 68.0, 85.0]))
    [picture: Scores of A on 2 data sets, mean 77.5; of B on 3 others, mean 80.]
    >>> samples_plot(np.array([85.0, 70.0]), 75.0)
    [picture: Scores of A on 2 data sets, mean 77.5; the value 75.]
    """
    first = np.arange(1.0, len(x) + 1)
    text = f"Scores of {names[0]} on {len(x)} data sets, mean {format_plain(x.mean())}; "
    marks: list[Mark] = [Points(first, x, BLUE, names[0])]
    if np.ndim(against) == 0:
        end, shown = float(first[-1]) + 0.5, np.append(x, against)
        marks += [Line((0.5, end), (float(against),) * 2, VERMILLION), Label(end, float(against), f" {format_plain(against)}")]
        end, text = end + 0.9, text + f"the value {format_plain(against)}."
    else:
        second = first[-1] + 1 + np.arange(1.0, len(against) + 1)
        marks.append(Points(second, against, VERMILLION, names[1], open=True))
        end, shown = float(second[-1]) + 0.5, np.concatenate([x, against])
        text += f"of {names[1]} on {len(against)} others, mean {format_plain(against.mean())}."
        if means:
            marks.append(Line((float(second[0]) - 0.3, float(second[-1]) + 0.3), (float(against.mean()),) * 2, GREY))
    if means:
        marks.append(Line((0.7, len(x) + 0.3), (float(x.mean()),) * 2, GREY))
    return Picture(
        "Scores, no two of one data set", "data sets", "score", (0.4, end), axis_limits(shown, share=0.12), tuple(marks), text, xticks=False
    )


def unpaired(x: Any, y: Any, *, mu: float, alpha: float = 0.05, step: float = 1.0) -> UnpairedExplorer:
    """Three tests without pairs, with sliders: one sample against a value, two samples by their means, two samples by their ranks.

    Parameters
    ----------
    x, y : array_like
        Scores of A, and scores of B on other data sets.
    mu : float
        The value with which the one-sample test compares A's mean at the start.
    alpha : float
        Level at the start: 0.001, 0.005, 0.01, 0.02, 0.05, 0.1 or 0.2.
    step : float
        How far one key press moves a score, or the value.
    """
    return UnpairedExplorer(x, y, mu, alpha, step)
