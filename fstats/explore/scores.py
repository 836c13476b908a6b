"""What explorers of a table of scores share: some sliders say which score, one says what it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from .. import check
from ..number import plain
from ..value import Array
from .explorer import Explorer, T
from .grip import Grip
from .slider import Control, Slider, counting


class ScoresExplorer(Explorer[T]):
    """An explorer in which single scores can be moved.

    Parameters
    ----------
    name : str
        What it is called.
    scores : array
        The scores as they were given.
    reach : array
        All scores that share the axis with them: the slider of a score leads ten steps beyond.
    step : float
        How far one key press moves a score.
    **first : int
        The position in which each other slider starts.
    """

    def __init__(self, name: str, scores: Array, reach: Array, step: Any, **first: int) -> None:
        self._given, self.unit = scores, check.positive(step, "step")
        self._ends = int(np.floor(reach.min() / step - 10)), int(np.ceil(reach.max() / step + 10))
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
        self._at["score"] = round(self._score / self.unit)

    def _grip(self, picture: int, x: float, place: tuple[int, ...], label: str, before: Mapping[str, int], slider: Control) -> Grip:
        """The mark of one score."""
        score = float(self._scores[place])
        control = replace(slider, value=round(score / self.unit), text=plain(score))
        places = np.arange(slider.least, slider.most + 1) * self.unit
        return Grip(picture, x, score, "y", control, places.tolist(), label, before)

    def _score_slider(self, label: str, text: Callable[[float], str]) -> Slider[int]:
        """The slider of the score: its text is the score itself, which may lie between two of its positions."""
        return counting("score", label, *self._ends, lambda _: text(self._score))
