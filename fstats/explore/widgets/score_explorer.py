"""Base class of interactive explorers of a score table.

Sliders select a score, and another slider changes it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ...core.number_format import format_plain
from ...core.validation import check
from ...core.value_types import Array
from .drag_handle import DragHandle
from .explorer import Explorer, T
from .slider import Slider, V, integer_slider

TOLERANCE = 1e-9  # allowed rounding error of a sum of decimal steps


def score_limits(scores: Array) -> tuple[float, float]:
    """Return the lowest and highest possible score: 0 to 1 for shares, 0 to 100 for percentages, no limits for other scores.

    >>> score_limits(np.array([0.7, 1.0])), score_limits(np.array([85, 70])), score_limits(np.array([-3, 120]))
    ((0.0, 1.0), (0.0, 100.0), (-inf, inf))
    """
    if scores.min() < 0 or scores.max() > 100:
        return -np.inf, np.inf
    return 0.0, 1.0 if scores.max() <= 1 else 100.0


def restrict_slider(slider: Slider[V], allowed: Callable[[V], bool]) -> Slider[V]:
    """Return the slider without forbidden positions at its two ends; at least one position must be allowed.

    >>> restrict_slider(integer_slider("n", "Number of data sets", 2, 30), lambda n: 5 <= n <= 9).control_at(7)
    Control(name='n', label='Number of data sets', least=5, most=9, value=7, text='7', choices=(), active=True)
    """
    allowed_positions = [position for position, value in enumerate(slider.values) if allowed(value)]
    first, last = allowed_positions[0], allowed_positions[-1]
    return replace(slider, values=slider.values[first : last + 1], least=slider.least + first)


class ScoreExplorer(Explorer[T]):
    """Explorer in which single scores can be moved.

    Parameters
    ----------
    name : str
        Name of the explorer.
    scores : array
        Scores at the start.
    reach : array
        All scores on the same axis. The slider of a score extends ten steps beyond these scores, but not beyond the possible scores.
    step : float
        Change of a score with one key press.
    **first : int
        Start positions of all other sliders.
    """

    def __init__(self, name: str, scores: Array, reach: Array, step: Any, **first: int) -> None:
        self._original_scores, self.step = scores, check.positive(step, "step")
        low, high = (end / step for end in score_limits(reach))
        self._position_limits = (
            int(max(np.floor(reach.min() / step - 10), low)),
            int(min(np.ceil(reach.max() / step + 10), high + TOLERANCE)),
        )
        super().__init__(name, **first)

    @property
    def _score_index(self) -> tuple[int, ...]:
        """Indices of the score that the sliders select; the only index is the index of the data set."""
        return (self._slider_positions["dataset"] - 1,)

    @property
    def _current_score(self) -> float:
        """Value of the selected score."""
        return float(self._scores[self._score_index])

    def _reset_positions(self) -> None:
        self._scores = self._original_scores.copy()
        super()._reset_positions()
        self._update_score_slider()

    def _apply_moves(self, moved: Mapping[str, int]) -> None:
        # change a score only if no other slider has moved; otherwise the position belongs to the score that was selected before
        if moved.keys() == {"score"}:
            self._scores[self._score_index] = round(moved["score"] * self.step, 10)
        super()._apply_moves({name: position for name, position in moved.items() if name != "score"})
        self._update_score_slider()

    def _update_score_slider(self) -> None:
        """Move the slider of the score to the selected score."""
        self._slider_positions["score"] = self._nearest_position(self._current_score)

    def _nearest_position(self, score: float) -> int:
        """Return the position of the slider of the score that is nearest to a given score."""
        low, high = self._position_limits
        return min(max(round(score / self.step), low), high)

    def _score_handles(self, owner: str, count: int) -> list[DragHandle]:
        """Return the handles for dragging the first scores of a classifier, which the first picture shows."""
        slider, handles = self.control("score"), []
        places = (np.arange(slider.least, slider.most + 1) * self.step).tolist()
        for number, score in enumerate(self._scores[:count].tolist(), 1):
            control = replace(slider, value=self._nearest_position(score), text=format_plain(score))
            label = f"Score of {owner} on data set {number}"
            handles.append(DragHandle(0, number, score, "y", control, places, label, {"dataset": number}))
        return handles

    def _score_slider(self, label: str, text: Callable[[float], str]) -> Slider[int]:
        """Return the slider of the score; its text shows the exact score, even if the score is between two positions."""
        return integer_slider("score", label, *self._position_limits, lambda _: text(self._current_score))
