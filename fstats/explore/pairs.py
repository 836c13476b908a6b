"""The explorer of a test on paired scores: move a score, the number of data sets, the level, the alternative."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from .. import plot
from ..check import scores
from ..hypothesis import Alternative, HypothesisTest
from ..number import plain
from ..picture import Picture
from ..two import own_names
from .explorer import Control, Explorer

LEVELS = (0.001, 0.005, 0.01, 0.02, 0.05, 0.10, 0.20)
ALTERNATIVES: tuple[Alternative, ...] = ("two-sided", "greater", "less")


def position_of(alpha: float) -> int:
    """Where the slider of the level stands for this alpha."""
    if alpha not in LEVELS:
        raise ValueError(f"alpha must be one of {', '.join(map(plain, LEVELS))}, the positions of its slider; got {alpha!r}")
    return LEVELS.index(alpha)


class Pairs(Explorer):
    """A test on the first n of the given pairs of scores.

    Parameters
    ----------
    test_class : class
        A test with inputs a and b.
    a, b : array_like
        Pairs of scores; the explorer starts with the first n of them.
    n : int
        Data sets at the start.
    alpha : float
        Level at the start, one of `LEVELS`.
    step : float
        How far one key press moves a score.
    """

    def __init__(self, test_class: Callable[..., HypothesisTest], a: Any, b: Any, n: int | None, alpha: float, step: float) -> None:
        self.test_class = test_class
        self._given, self.b = scores(a, "a"), scores(b, "b")
        self._labels = own_names(a, b)
        if self._given.shape != self.b.shape or self.b.ndim != 1:
            raise ValueError(f"a and b must be two lists of the same length; got shapes {self._given.shape} and {self.b.shape}")
        self.unit = step
        self._first = (len(self.b) if n is None else n, position_of(alpha))
        if not 2 <= self._first[0] <= len(self.b):
            raise ValueError(f"n must lie between 2 and the {len(self.b)} given pairs; got {n}")
        everything = np.concatenate([self._given, self.b])
        self._range = int(np.floor(everything.min() / step - 10)), int(np.ceil(everything.max() / step + 10))
        super().__init__(f"{test_class.__name__} with sliders")

    def _start(self) -> None:
        self.a = self._given.copy()
        self.n, self._level = self._first
        self._alternative = 0
        self._dataset = 1

    def _take(self, moved: Mapping[str, int]) -> None:
        self.n = moved.get("n", self.n)
        self._dataset = min(moved.get("dataset", self._dataset), self.n)
        self._level = moved.get("alpha", self._level)
        self._alternative = moved.get("alternative", self._alternative)
        if moved.keys() == {"score"}:  # beside another control it is the front end's old position, of the data set before
            self.a[self._dataset - 1] = round(moved["score"] * self.unit, 10)

    @property
    def controls(self) -> Sequence[Control]:
        """The sliders as they stand."""
        score = self.a[self._dataset - 1]
        alternative = ALTERNATIVES[self._alternative]
        name_a, name_b = self._labels or ("A", "B")
        return [
            Control("dataset", "Data set to change", 1, self.n, self._dataset, f"number {self._dataset}"),
            Control(
                "score",
                f"Score of {name_a} there",
                *self._range,
                round(score / self.unit),
                f"{plain(score)} ({name_b}: {plain(self.b[self._dataset - 1])})",
            ),
            Control("n", "Number of data sets", 2, len(self.b), self.n, plain(self.n)),
            Control("alpha", "Level alpha", 0, len(LEVELS) - 1, self._level, plain(LEVELS[self._level])),
            Control("alternative", "Alternative", 0, len(ALTERNATIVES) - 1, self._alternative, alternative),
        ]

    @property
    def settings(self) -> dict[str, Any]:
        """The settings of the test as they stand."""
        return {"alternative": ALTERNATIVES[self._alternative], "alpha": LEVELS[self._level], "labels": self._labels}

    @property
    def test(self) -> HypothesisTest:
        """The test that is shown, computed afresh."""
        return self.test_class(self.a[: self.n], self.b[: self.n], **self.settings)

    def pictures(self, test: HypothesisTest) -> Sequence[Picture]:
        """The scores above, the null distribution below."""
        return [plot.scores(test), test.plot()]
