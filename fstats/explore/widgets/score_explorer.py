"""What explorers of a table of scores share: some sliders say which score, one says what it is."""

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
from .slider import Control, Slider, V, integer_slider

TOLERANCE = 1e-9  # by which a whole number of steps may be missed where they are added up in decimals


def score_limits(scores: Array) -> tuple[float, float]:
    """Between what such scores can lie: shares are 0 to 1, percentages 0 to 100; what leaves both ranges is something else, without ends.

    >>> score_limits(np.array([0.7, 1.0])), score_limits(np.array([85, 70])), score_limits(np.array([-3, 120]))
    ((0.0, 1.0), (0.0, 100.0), (-inf, inf))
    """
    if scores.min() < 0 or scores.max() > 100:
        return -np.inf, np.inf
    return 0.0, 1.0 if scores.max() <= 1 else 100.0


def restrict_slider(slider: Slider[V], allowed: Callable[[V], bool]) -> Slider[V]:
    """The slider without the positions at its ends that are not allowed; one between them is.

    >>> restrict_slider(integer_slider("n", "Number of data sets", 2, 30), lambda n: 5 <= n <= 9).standing(7)
    Control(name='n', label='Number of data sets', least=5, most=9, value=7, text='7', choices=(), active=True)
    """
    kept = [position for position, value in enumerate(slider.values) if allowed(value)]
    return replace(slider, values=slider.values[kept[0] : kept[-1] + 1], least=slider.least + kept[0])


class ScoreExplorer(Explorer[T]):
    """An explorer in which single scores can be moved.

    Parameters
    ----------
    name : str
        What it is called.
    scores : array
        The scores as they were given.
    reach : array
        All scores that share the axis with them: the slider of a score leads ten steps beyond, and no further than such scores go.
    step : float
        How far one key press moves a score.
    **first : int
        The position in which each other slider starts.
    """

    def __init__(self, name: str, scores: Array, reach: Array, step: Any, **first: int) -> None:
        self._given, self.unit = scores, check.positive(step, "step")
        low, high = (end / step for end in score_limits(reach))
        self._ends = int(max(np.floor(reach.min() / step - 10), low)), int(min(np.ceil(reach.max() / step + 10), high + TOLERANCE))
        super().__init__(name, **first)

    @property
    def _place(self) -> tuple[int, ...]:
        """The indices of the score that the sliders say."""
        raise TypeError(f"{type(self).__name__} must say which score moves")

    @property
    def _score(self) -> float:
        """The score there."""
        return float(self._scores[self._place])

    def _start(self) -> None:
        self._scores = self._given.copy()
        super()._start()
        self._follow()

    def _take(self, moved: Mapping[str, int]) -> None:
        if moved.keys() == {"score"}:  # beside another control it is the front end's old position, of the score before
            self._scores[self._place] = round(moved["score"] * self.unit, 10)
        super()._take({name: position for name, position in moved.items() if name != "score"})
        self._follow()

    def _follow(self) -> None:
        """Put the slider of the score to where the score is."""
        self._at["score"] = self._position(self._score)

    def _position(self, score: float) -> int:
        """The position of the slider that is nearest to a score."""
        low, high = self._ends
        return min(max(round(score / self.unit), low), high)

    def _grip(self, picture: int, x: float, place: tuple[int, ...], label: str, before: Mapping[str, int], slider: Control) -> DragHandle:
        """The mark of one score."""
        score = float(self._scores[place])
        control = replace(slider, value=self._position(score), text=format_plain(score))
        places = np.arange(slider.least, slider.most + 1) * self.unit
        return DragHandle(picture, x, score, "y", control, places.tolist(), label, before)

    def _score_slider(self, label: str, text: Callable[[float], str]) -> Slider[int]:
        """The slider of the score: its text is the score itself, which may lie between two of its positions."""
        return integer_slider("score", label, *self._ends, lambda _: text(self._score))
