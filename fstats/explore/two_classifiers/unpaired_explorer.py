"""Interactive explorer of tests without pairs."""

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
from ..widgets import LEVEL_SLIDER, Control, DragHandle, ScoreExplorer, Slider, integer_slider, restrict_slider, score_limits, step_slider
from .paired_scores_explorer import ALTERNATIVE, extend_y_axis

ONE, TWO, RANKS = "one sample", "two samples", "ranks"
TEST = Slider("test", "Test", (ONE, TWO, RANKS))
AROUND = 20  # number of steps of the slider on each side of the start value


class UnpairedExplorer(ScoreExplorer[HypothesisTest]):
    """Explorer of scores of A, compared with a value or with scores of B on other data sets."""

    question = "Without pairs: is the difference too large to be luck?"
    main_controls = ("test", "score", "mu")

    def __init__(self, x: Any, y: Any, mu: float, alpha: float, step: float) -> None:
        given, self._y = scores(x, "x"), scores(y, "y")
        if given.ndim != 1 or self._y.ndim != 1:
            raise ValueError(f"`x` and `y` must be two lists; got shapes {given.shape} and {self._y.shape}")
        self._labels = series_names(x, y)
        all_scores = np.concatenate([given, self._y])
        low, high = score_limits(all_scores)
        value = step_slider("mu", "Value to compare with", -AROUND, AROUND, step)
        moved = replace(value, values=tuple(round(mu + shift, 10) for shift in value.values))
        self._mu = restrict_slider(moved, lambda mean: low <= mean <= high)
        self._reach = axis_limits(all_scores, share=0.12)
        start = {"test": 0, "dataset": 1, "mu": 0, "alpha": LEVEL_SLIDER.position(alpha), "alternative": 0}
        super().__init__("Tests without pairs", given, all_scores, step, **start)

    @property
    def sliders(self) -> Sequence[Slider[Any]]:
        """Sliders for the test, a score of A, the value of the one-sample test, the level, and the alternative."""
        dataset = integer_slider("dataset", "Data set to change", 1, len(self._original_scores), "number {}".format)
        score = self._score_slider(f"Score of {(self._labels or ('A', 'B'))[0]}", format_plain)
        return [TEST, dataset, score, self._mu, LEVEL_SLIDER, ALTERNATIVE]

    @property
    def controls(self) -> Sequence[Control]:
        """Current state of the sliders; the slider of the value is active only for the one-sample test."""
        is_one_sample = self.values["test"] == ONE
        return [replace(control, active=control.name != "mu" or is_one_sample) for control in super().controls]

    @property
    def test(self) -> HypothesisTest:
        """Current test, newly computed."""
        at = self.values
        settings = {"alpha": at["alpha"], "alternative": at["alternative"]}
        if at["test"] == ONE:
            return OneSampleT(self._scores, at["mu"], **settings)
        return (TwoSampleT if at["test"] == TWO else RankSum)(self._scores, self._y, labels=self._labels, **settings)

    def pictures(self, test: HypothesisTest) -> Sequence[Picture]:
        """Return the samples side by side, and the null distribution."""
        at, names = self.values, self._labels or ("A", "B")
        against = at["mu"] if at["test"] == ONE else self._y
        return [extend_y_axis(samples_plot(self._scores, against, names, at["test"] != RANKS), self._reach), test.plot()]

    def drag_handles(self, test: HypothesisTest) -> Sequence[DragHandle]:  # noqa: ARG002
        """Return a handle for each score of A."""
        return self._score_handles((self._labels or ("A", "B"))[0], len(self._original_scores))


def samples_plot(x: Any, against: Any, names: Sequence[str] = ("A", "B"), means: bool = True) -> Picture:
    """Draw the scores of A beside a value or beside the scores of B on other data sets, with or without the means.

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
    within = (0.4, end), axis_limits(shown, share=0.12)
    return Picture("Scores on different data sets", "data sets", "score", *within, tuple(marks), text, xticks=False)


def unpaired(x: Any, y: Any, *, mu: float, alpha: float = 0.05, step: float = 1.0) -> UnpairedExplorer:
    """Explore with sliders three tests without pairs: one sample against a value, and the means or the ranks of two samples.

    Parameters
    ----------
    x, y : array_like
        Scores of A, and scores of B on other data sets.
    mu : float
        Value at the start with which the one-sample test compares the mean of A.
    alpha : float
        Level at the start: 0.001, 0.005, 0.01, 0.02, 0.05, 0.1 or 0.2.
    step : float
        Change of a score or of the value with one key press.
    """
    return UnpairedExplorer(x, y, mu, alpha, step)
