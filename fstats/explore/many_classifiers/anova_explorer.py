"""The explorer of two analyses of variance: pull the data sets apart, and see which test cares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ... import plot
from ...core.number_format import format_plain
from ...core.value_types import Array
from ...plot.drawing.picture import Picture
from ...plot.drawing.picture_marks import Label
from ...procedures.multiple.one_way_anova import OneWayAnova
from ...procedures.multiple.repeated_measures_anova import RepeatedAnova
from ...teaching.demonstrations.one_way_and_repeated_anova import OneWayAndRepeatedAnova
from ..widgets.drag_handle import DragHandle
from ..widgets.explorer import Explorer
from ..widgets.score_explorer import TOLERANCE, restrict_slider, score_limits
from ..widgets.slider import LEVEL_SLIDER, Slider

SPREAD_SLIDER = Slider(
    "apart",
    "Data sets lie apart",
    [tenths / 10 for tenths in range(31)],
    lambda times: "as given" if times == 1 else f"{format_plain(times)} times as given",
)
MOST_STEPS = 20  # by which the last classifier becomes better or worse


class AnovaExplorer(Explorer[OneWayAndRepeatedAnova]):
    """Two sliders change the table: how far the data sets lie apart, and how good the last classifier is."""

    question = "Which analysis cares how far the data sets lie apart?"
    leading = ("apart", "bonus", "alpha")

    def __init__(self, scores: Any, labels: Any, alpha: float, step: float, higher: bool | None) -> None:
        told: dict[str, Any] = {} if higher is None else {"higher_is_better": higher}
        given = RepeatedAnova(scores, labels, **told)
        if given.scores.ndim != 2:
            raise ValueError(f"scores must be one table, without repetitions; got shape {given.scores.shape}")
        self._given, self._labels, self._about = given.scores, given.labels, given.about
        self._ends = score_limits(self._given)
        bonuses = [steps * step for steps in range(-MOST_STEPS, MOST_STEPS + 1)]
        self._every_bonus = Slider("bonus", f"Bonus for {self._labels[-1]}", bonuses, "{:+.4g}".format, -MOST_STEPS)
        super().__init__(
            "Two analyses of variance with sliders", apart=SPREAD_SLIDER.position(1.0), bonus=0, alpha=LEVEL_SLIDER.position(alpha)
        )

    @property
    def sliders(self) -> Sequence[Slider[Any]]:
        """What changes the table, and the level."""
        return [self._distances, self._bonus, LEVEL_SLIDER]

    @property
    def _distances(self) -> Slider[float]:
        """How far the data sets can lie apart, as long as their scores can be scores."""
        return restrict_slider(SPREAD_SLIDER, lambda times: self._possible(self._apart(times)))

    @property
    def _bonus(self) -> Slider[float]:
        """What can be added to the last classifier, where the data sets lie now."""
        last = self._apart(SPREAD_SLIDER.value(self._at["apart"]))[:, -1]
        return restrict_slider(self._every_bonus, lambda bonus: self._possible(last + bonus))

    def _possible(self, scores: Array) -> bool:
        low, high = self._ends
        return bool((low - TOLERANCE <= scores).all() and (scores <= high + TOLERANCE).all())

    @property
    def test(self) -> OneWayAndRepeatedAnova:
        """Both analyses of the scores as they stand."""
        at = self.values
        scores = self._apart(at["apart"])
        scores[:, -1] += at["bonus"]
        told = {"alpha": at["alpha"]} | self._about
        return OneWayAndRepeatedAnova(OneWayAnova(scores, self._labels, **told), RepeatedAnova(scores, self._labels, **told))

    def _apart(self, times: float) -> Array:
        """The scores with the data sets so many times as far apart, before the bonus."""
        of_datasets = self._given.mean(1, keepdims=True) - self._given.mean()
        return self._given + (times - 1) * of_datasets

    def pictures(self, test: OneWayAndRepeatedAnova) -> Sequence[Picture]:
        """The scores, each data set a line, and both null distributions."""
        one_way = replace(plot.null(test.one_way), title="F, as if the columns were independent")
        return [
            self._profiles(test),
            one_way,
            replace(plot.null(test.repeated), title="F, with data sets as blocks"),
        ]

    def grips(self, test: OneWayAndRepeatedAnova) -> Sequence[DragHandle]:
        """The mean of the last classifier."""
        control, mean, bonus = self.control("bonus"), float(test.repeated.scores[:, -1].mean()), self.values["bonus"]
        places = [mean - bonus + other for other in self._bonus.values]
        return [DragHandle(0, float(test.repeated.scores.shape[1]), mean, "y", control, places, f"Mean of {self._labels[-1]}")]

    def _profiles(self, test: OneWayAndRepeatedAnova) -> Picture:
        """The scores, with the names of the classifiers above whatever bonus there is: while it moves, the axis stands still."""
        picture, scores, bonuses = plot.profiles(test.repeated), self._apart(self.values["apart"]), self._bonus.values
        last = scores[:, -1]
        low, high = min(scores.min(), last.min() + bonuses[0]), max(scores.max(), last.max() + bonuses[-1])
        top = float(high + 0.25 * (high - low))
        marks = (replace(mark, y=0.5 * (top + float(high))) if isinstance(mark, Label) else mark for mark in picture.marks)
        return replace(picture, marks=tuple(marks), ylim=(float(low - 0.05 * (high - low)), top))


def anova(
    scores: Any, labels: Any = None, *, alpha: float = 0.05, step: float = 0.01, higher_is_better: bool | None = None
) -> AnovaExplorer:
    """Two analyses of variance of the same table with sliders: pull the data sets apart, help the last classifier.

    Parameters
    ----------
    scores : array_like or DataFrame, shape (N, k)
        Scores of the classifiers (columns) on the data sets (rows).
    labels : list of str, optional
        Names of the classifiers.
    alpha : float
        Level at the start: 0.001, 0.005, 0.01, 0.02, 0.05, 0.1 or 0.2.
    step : float
        How far one key press moves the last classifier; where all scores are shares (0 to 1) or percentages (0 to 100), they stay that.
    higher_is_better : bool, optional
        False for errors and losses; :class:`fstats.Results` say it themselves.
    """
    return AnovaExplorer(scores, labels, alpha, step, higher_is_better)
