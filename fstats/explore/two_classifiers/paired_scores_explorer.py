"""Interactive explorer of tests on paired scores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ... import plot
from ...core.classifier_pair import series_names
from ...core.hypothesis import Alternative, HypothesisTest
from ...core.number_format import format_plain
from ...core.validation.check import scores
from ...plot.drawing.picture import Picture
from ..widgets import LEVEL_SLIDER, DragHandle, ScoreExplorer, Slider, integer_slider

ALTERNATIVE: Slider[Alternative] = Slider("alternative", "Alternative", ("two-sided", "greater", "less"))


def check_paired_scores(a: Any, b: Any) -> tuple[Any, Any]:
    """Return a and b as arrays; raise ValueError if they are not two lists of the same length."""
    x, y = scores(a, "a"), scores(b, "b")
    if x.shape != y.shape or y.ndim != 1:
        raise ValueError(f"`a` and `b` must be two lists of the same length; got shapes {x.shape} and {y.shape}")
    return x, y


def extend_y_axis(picture: Picture, reach: tuple[float, float]) -> Picture:
    """Return the picture with a y-axis that covers at least `reach`, so that the axis does not change while a mark is moved.

    >>> extend_y_axis(Picture("", "", "", (0.0, 1.0), (2.0, 7.0), (), ""), (3.0, 9.0)).ylim
    (2.0, 9.0)
    """
    return replace(picture, ylim=(min(picture.ylim[0], reach[0]), max(picture.ylim[1], reach[1])))


class PairedScoresExplorer(ScoreExplorer[HypothesisTest]):
    """Explorer of a test on the first n of the given pairs of scores.

    Parameters
    ----------
    test_class : class
        Test with inputs a and b.
    a, b, n, alpha, step
        Parameters of :func:`fstats.explore.paired_t`.
    *own : Slider
        Sliders of further settings of the test, in addition to level and alternative; each slider starts at its first position.
    **fixed
        Settings of the test that stay constant.
    """

    question = "Is the difference too large to be luck?"
    main_controls = ("score", "dataset", "n")

    def __init__(
        self,
        test_class: Callable[..., HypothesisTest],
        a: Any,
        b: Any,
        n: int | None,
        alpha: float,
        step: float,
        *own: Slider[Any],
        **fixed: Any,
    ) -> None:
        given, self._b = check_paired_scores(a, b)
        self._test_class, self._labels, self._own, self._fixed = test_class, series_names(a, b), own, fixed
        supported = tuple(getattr(test_class, "tails", ALTERNATIVE.values))
        self._alternative = replace(ALTERNATIVE, values=tuple(tail for tail in ALTERNATIVE.values if tail in supported) or supported)
        at = {"dataset": 1, "n": len(given) if n is None else n, "alpha": LEVEL_SLIDER.position(alpha), "alternative": 0}
        at |= {slider.name: slider.least for slider in own}
        if not 2 <= at["n"] <= len(given):
            raise ValueError(f"`n` must be between 2 and {len(given)}, the number of given pairs; got {n}")
        self._reach = float(min(given.min(), self._b.min()) - 2 * step), float(max(given.max(), self._b.max()) + 2 * step)
        super().__init__(f"{test_class.__name__} with sliders", given, np.concatenate([given, self._b]), step, **at)

    @property
    def sliders(self) -> Sequence[Slider[Any]]:
        """Sliders of a score, of the number of data sets, and of the settings of the test."""
        name_a, name_b = self._labels or ("A", "B")
        return [
            integer_slider("dataset", "Data set to change", 1, self._slider_positions["n"], "number {}".format),
            self._score_slider(
                f"Score of {name_a}", lambda score: f"{format_plain(score)} ({name_b}: {format_plain(self._b[self._score_index])})"
            ),
            integer_slider("n", "Number of data sets", 2, len(self._b)),
            LEVEL_SLIDER,
            self._alternative,
            *self._own,
        ]

    @property
    def settings(self) -> dict[str, Any]:
        """Current settings of the test."""
        at = self.values
        own = {slider.name: at[slider.name] for slider in self._own}
        return {"alternative": at["alternative"], "alpha": at["alpha"], "labels": self._labels, **own, **self._fixed}

    @property
    def test(self) -> HypothesisTest:
        """Current test, newly computed."""
        n = self._slider_positions["n"]
        return self._test_class(self._scores[:n], self._b[:n], **self.settings)

    def pictures(self, test: HypothesisTest) -> Sequence[Picture]:
        """Return the scores, on an axis that stays constant while all scores fit the axis, and the null distribution."""
        return [extend_y_axis(plot.scores(test), self._reach), test.plot()]

    def drag_handles(self, test: HypothesisTest) -> Sequence[DragHandle]:  # noqa: ARG002
        """Return a handle for each score of A."""
        return self._score_handles((self._labels or ("A", "B"))[0], self._slider_positions["n"])
