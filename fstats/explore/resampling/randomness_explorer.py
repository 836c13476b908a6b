"""Interactive explorer of sources of randomness in scores."""

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
from ..widgets import Explorer, Slider, integer_slider

WEIGHTS, SPLIT = (
    Slider(name, label, (False, True), {False: "fixed", True: "drawn anew"}.__getitem__)
    for name, label in (("weights", "Initial weights"), ("split", "Split of the data"))
)


class RandomnessExplorer(Explorer[RepeatedScores]):
    """Explorer of repeated scores of two classifiers; each source of randomness can be switched on or off."""

    question = "Is one classifier better, or was it luck?"
    main_controls = ("weights", "split", "cross")
    dragged = (("draw", 0, "here_a"),)  # the score of A in the marked draw

    def __init__(self, model_a: Any, model_b: Any, x: Any, y: Any, draws: int, folds: int, test_share: float) -> None:
        self._sources = SourcesOfRandomness(model_a, model_b, x, y, draws=draws, folds=folds, test_share=test_share)
        # the limits of the y-axis do not change: they contain the scores of all combinations of sources and the label of the mark
        all_scores = np.array([self._sources.scores(*map(bool, on)) for on in np.ndindex(2, 2, 2)])
        margin = float(np.ptp(all_scores)) * 0.12 or 1.0
        self._ylim = float(all_scores.min()) - margin, float(all_scores.max()) + 2 * margin
        super().__init__("Sources of randomness with sliders", weights=0, split=1, cross=0, draw=1)

    @property
    def sliders(self) -> Sequence[Slider[Any]]:
        """Sliders for each source of randomness, and for the marked draw."""
        evaluation = {False: "one test set", True: f"{self._sources.folds} folds"}
        return [
            WEIGHTS,
            SPLIT,
            Slider("cross", "Evaluation", (False, True), evaluation.__getitem__),
            integer_slider("draw", "Draw", 1, self._sources.n, "number {}".format),
        ]

    @property
    def test(self) -> RepeatedScores:
        """Scores in all draws, with the sources of randomness that are switched on."""
        return self._sources.draws(**self.values)

    def pictures(self, test: RepeatedScores) -> Sequence[Picture]:
        """Return the scores in all draws, with a line at the marked draw; the score axis never changes."""
        return [replace(draws_plot(test), ylim=self._ylim)]


def draws_plot(test: RepeatedScores) -> Picture:
    """Rename the "data sets" in a picture of scores to draws, and mark one draw.

    >>> draws_plot(RepeatedScores([90, 95], [92, 91], shared=0.7, draw=2))
    [picture: Scores in 2 draws: A is ahead in 1, B in 1, equal in 0. Mean of A 92.5, of B 91.5. Draw 2 is marked: A 95, B 91.]
    """
    picture = plot.scores(test)
    title, text = (string.replace("on ", "in ").replace("data sets", "draws") for string in (picture.title, picture.text))
    mark = VerticalLine(float(test.draw), f"draw {test.draw}", GREEN, dashed=True)
    text = f"{text} Draw {test.draw} is marked: A {format_plain(test.here_a)}, B {format_plain(test.here_b)}."
    return replace(picture, title=title, xlabel="draw", ylabel="score in percent", marks=(mark, *picture.marks), text=text)


def randomness(
    model_a: Any, model_b: Any, x: Any, y: Any, *, draws: int = 8, folds: int = 5, test_share: float = 0.5
) -> RandomnessExplorer:
    """Explore three sources of randomness by switching them on and off: initial weights, the split of the data, cross-validation.

    All scores are computed when the explorer is created, so use models that are fitted within milliseconds.

    Parameters
    ----------
    model_a, model_b : scikit-learn classifiers
        Models to compare. `random_state` of a model, also within a pipeline, is set to 0 (fixed) or to the number of the draw (random).
    x, y : array_like
        Records: a table of features, and a label for each row.
    draws : int
        Number of random draws.
    folds : int
        Number of folds of the cross-validation, at least 3.
    test_share : float
        Share of the records in the single test set.
    """
    return RandomnessExplorer(model_a, model_b, x, y, draws, folds, test_share)
