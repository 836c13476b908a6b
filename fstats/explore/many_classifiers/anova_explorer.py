"""Interactive explorer of analysis of variance (ANOVA)."""

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
from ..widgets import LEVEL_SLIDER, TOLERANCE, DragHandle, Explorer, Slider, restrict_slider, score_limits

SPREAD_SLIDER = Slider(
    "apart",
    "Differences between data sets",
    [tenths / 10 for tenths in range(31)],
    lambda times: "as given" if times == 1 else f"{format_plain(times)} times as given",
)
MOST_STEPS = 20  # number of steps of the slider on each side of a bonus of 0


class AnovaExplorer(Explorer[OneWayAndRepeatedAnova]):
    """Two analyses of variance with sliders for the differences between data sets and for a bonus for the last classifier."""

    question = "Which analysis depends on the differences between data sets?"
    main_controls = ("apart", "bonus", "alpha")

    def __init__(self, scores: Any, labels: Any, alpha: float, step: float, higher: bool | None) -> None:
        direction: dict[str, Any] = {} if higher is None else {"higher_is_better": higher}
        given = RepeatedAnova(scores, labels, **direction)
        if given.scores.ndim != 2:
            raise ValueError(f"`scores` must be a single table without an axis of repetitions; got shape {given.scores.shape}")
        self._original_scores, self._labels, self._about = given.scores, given.labels, given.about
        self._score_limits = score_limits(self._original_scores)
        bonuses = [steps * step for steps in range(-MOST_STEPS, MOST_STEPS + 1)]
        self._every_bonus = Slider("bonus", f"Bonus for {self._labels[-1]}", bonuses, "{:+.4g}".format, -MOST_STEPS)
        start = {"apart": SPREAD_SLIDER.position(1.0), "bonus": 0, "alpha": LEVEL_SLIDER.position(alpha)}
        super().__init__("Two analyses of variance with sliders", **start)

    @property
    def sliders(self) -> Sequence[Slider[Any]]:
        """Sliders of the differences between data sets, of the bonus, and of the level."""
        return [self._spread_slider, self._bonus_slider, LEVEL_SLIDER]

    @property
    def _spread_slider(self) -> Slider[float]:
        """Slider that multiplies the differences between data sets, limited to possible scores."""
        return restrict_slider(SPREAD_SLIDER, lambda times: self._are_valid_scores(self._spread_scores(times)))

    @property
    def _bonus_slider(self) -> Slider[float]:
        """Slider of the bonus for the last classifier, limited to possible scores."""
        last = self._spread_scores(SPREAD_SLIDER.value(self._slider_positions["apart"]))[:, -1]
        return restrict_slider(self._every_bonus, lambda bonus: self._are_valid_scores(last + bonus))

    def _are_valid_scores(self, scores: Array) -> bool:
        low, high = self._score_limits
        return bool((low - TOLERANCE <= scores).all() and (scores <= high + TOLERANCE).all())

    @property
    def test(self) -> OneWayAndRepeatedAnova:
        """Both analyses of variance of the current scores."""
        at = self.values
        scores = self._spread_scores(at["apart"])
        scores[:, -1] += at["bonus"]
        settings = {"alpha": at["alpha"]} | self._about
        return OneWayAndRepeatedAnova(OneWayAnova(scores, self._labels, **settings), RepeatedAnova(scores, self._labels, **settings))

    def _spread_scores(self, times: float) -> Array:
        """Return the scores without bonus, with the differences between data sets multiplied by `times`."""
        dataset_effects = self._original_scores.mean(1, keepdims=True) - self._original_scores.mean()
        return self._original_scores + (times - 1) * dataset_effects

    def pictures(self, test: OneWayAndRepeatedAnova) -> Sequence[Picture]:
        """Return the scores with a line for each data set, and both null distributions."""
        one_way = replace(plot.null(test.one_way), title="F, as if the columns were independent")
        repeated = replace(plot.null(test.repeated), title="F, with data sets as blocks")
        return [self._score_profiles(test), one_way, repeated]

    def drag_handles(self, test: OneWayAndRepeatedAnova) -> Sequence[DragHandle]:
        """Return the handle of the mean of the last classifier."""
        control, mean, bonus = self.control("bonus"), float(test.repeated.scores[:, -1].mean()), self.values["bonus"]
        mark_positions = [mean - bonus + other for other in self._bonus_slider.values]
        return [DragHandle(0, float(test.repeated.scores.shape[1]), mean, "y", control, mark_positions, f"Mean of {self._labels[-1]}")]

    def _score_profiles(self, test: OneWayAndRepeatedAnova) -> Picture:
        """Draw the scores below the names of the classifiers; the limits of the axis include the scores with each possible bonus."""
        picture, scores, bonuses = plot.profiles(test.repeated), self._spread_scores(self.values["apart"]), self._bonus_slider.values
        last = scores[:, -1]
        low, high = min(scores.min(), last.min() + bonuses[0]), max(scores.max(), last.max() + bonuses[-1])
        top = float(high + 0.25 * (high - low))
        marks = (replace(mark, y=0.5 * (top + float(high))) if isinstance(mark, Label) else mark for mark in picture.marks)
        return replace(picture, marks=tuple(marks), ylim=(float(low - 0.05 * (high - low)), top))


def anova(
    scores: Any, labels: Any = None, *, alpha: float = 0.05, step: float = 0.01, higher_is_better: bool | None = None
) -> AnovaExplorer:
    """Explore two analyses of variance of one table with sliders for the differences between data sets and a bonus for a classifier.

    Parameters
    ----------
    scores : array_like or DataFrame, shape (N, k)
        Scores of the classifiers (columns) on the data sets (rows).
    labels : list of str, optional
        Names of the classifiers.
    alpha : float
        Level at the start: 0.001, 0.005, 0.01, 0.02, 0.05, 0.1 or 0.2.
    step : float
        Change of the scores of the last classifier with one key press. Shares stay between 0 and 1, percentages between 0 and 100.
    higher_is_better : bool, optional
        False for errors and losses; not needed for :class:`fstats.Results`, which contain the direction.
    """
    return AnovaExplorer(scores, labels, alpha, step, higher_is_better)
