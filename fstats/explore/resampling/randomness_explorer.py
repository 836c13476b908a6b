"""The explorer of the three sources of randomness: initial weights, data splits, cross-validation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ... import plot
from ...core.number_format import format_plain
from ...plot.drawing.picture import Picture
from ...plot.drawing.picture_marks import GREEN, VerticalLine
from ...teaching.demonstrations.sources_of_randomness import RepeatedScores, SourcesOfRandomness
from ..widgets.drag_handle import DragHandle
from ..widgets.explorer import Explorer
from ..widgets.slider import Slider, integer_slider

WEIGHTS, SPLIT = (
    Slider(name, label, (False, True), {False: "fixed", True: "drawn anew"}.__getitem__)
    for name, label in (("weights", "Initial weights"), ("split", "Split of the data"))
)


class RandomnessExplorer(Explorer[RepeatedScores]):
    """Two classifiers, scored again and again, with each source of randomness on or off."""

    question = "Is one better, or was it luck?"
    leading = ("weights", "split", "cross")

    def __init__(self, model_a: Any, model_b: Any, x: Any, y: Any, draws: int, folds: int, test_share: float) -> None:
        self._chance = SourcesOfRandomness(model_a, model_b, x, y, draws=draws, folds=folds, test_share=test_share)
        everything = np.array([self._chance.scores(*map(bool, on)) for on in np.ndindex(2, 2, 2)])  # all that the sliders can ask for
        margin = float(np.ptp(everything)) * 0.12 or 1.0
        self._ylim = float(everything.min()) - margin, float(everything.max()) + 2 * margin  # room for the label of the mark
        super().__init__("Sources of randomness with sliders", weights=0, split=1, cross=0, draw=1)

    @property
    def sliders(self) -> Sequence[Slider[Any]]:
        """The sources, one by one, and which draw is marked."""
        evaluation = {False: "one test set", True: f"{self._chance.folds} folds"}
        return [
            WEIGHTS,
            SPLIT,
            Slider("cross", "Evaluation", (False, True), evaluation.__getitem__),
            integer_slider("draw", "Draw", 1, self._chance.n, "number {}".format),
        ]

    @property
    def test(self) -> RepeatedScores:
        """The draws of what is switched on."""
        return self._chance.draws(**self.values)

    def pictures(self, test: RepeatedScores) -> Sequence[Picture]:
        """The scores in all draws, the marked one with a line; the score axis stands still."""
        return [replace(draws_plot(test), ylim=self._ylim)]

    def grips(self, test: RepeatedScores) -> Sequence[DragHandle]:
        """The score of A in the marked draw: along the axis to another draw."""
        return [self.along("draw", 0, float(test.draw), float(test.here_a))]


def draws_plot(test: RepeatedScores) -> Picture:
    """A picture of scores whose "data sets" are draws, one of them marked.

    >>> draws_plot(RepeatedScores([90, 95], [92, 91], shared=0.7, draw=2))
    [picture: Scores in 2 draws: A is ahead in 1, B in 1, equal in 0. Mean of A 92.5, of B 91.5. Draw 2 is marked: A 95, B 91.]
    """
    picture = plot.scores(test)
    title, text = (words.replace("on ", "in ").replace("data sets", "draws") for words in (picture.title, picture.text))
    mark = VerticalLine(float(test.draw), f"draw {test.draw}", GREEN, dashed=True)
    return replace(
        picture,
        title=title,
        xlabel="draw",
        ylabel="score in percent",
        marks=(mark, *picture.marks),
        text=f"{text} Draw {test.draw} is marked: A {format_plain(test.here_a)}, B {format_plain(test.here_b)}.",
    )


def randomness(
    model_a: Any, model_b: Any, x: Any, y: Any, *, draws: int = 8, folds: int = 5, test_share: float = 0.5
) -> RandomnessExplorer:
    """Switch three sources of randomness on and off: initial weights, the split of the data, cross-validation.

    Every score is computed once, when the explorer is made; use models that are fitted within milliseconds.

    Parameters
    ----------
    model_a, model_b : scikit-learn classifiers
        A `random_state`, also within a pipeline, is set to 0 (fixed) or to the number of the draw (drawn anew).
    x, y : array_like
        The records: a table of features, and a label for each row.
    draws : int
        How often chance is drawn.
    folds : int
        Folds of the cross-validation, at least 3.
    test_share : float
        Share of the records in the single test set.
    """
    return RandomnessExplorer(model_a, model_b, x, y, draws, folds, test_share)
