"""The explorer of an outlier: one score moves far away, and two tests answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ... import plot
from ...core.number_format import format_plain
from ...plot.drawing.picture import Picture
from ...procedures.pairwise.paired_t import PairedT
from ...teaching.demonstrations.t_test_and_signed_rank import TTestAndSignedRank
from ..widgets.drag_handle import DragHandle
from ..widgets.explorer import Explorer
from ..widgets.score_explorer import restrict_slider, score_limits
from ..widgets.slider import Slider
from .paired_scores_explorer import check_paired_scores


class OutlierExplorer(Explorer[TTestAndSignedRank]):
    """The last score of A moves, the others stand."""

    question = "What does one score do to two tests?"
    leading = ("away",)

    def __init__(self, a: Any, b: Any, step: float, reach: int) -> None:
        self._a, self._b = check_paired_scores(a, b)
        scores = [self._a[-1] + away * step for away in range(-reach, reach + 1)]
        away = Slider("away", "Last score of A", scores, lambda score: f"{format_plain(score)} (B: {format_plain(self._b[-1])})", -reach)
        low, high = score_limits(np.concatenate([self._a, self._b]))
        self._away = restrict_slider(away, lambda score: low <= score <= high)
        super().__init__("An outlier, seen by two tests", away=0)

    @property
    def sliders(self) -> Sequence[Slider[Any]]:
        """How far the last score has moved."""
        return [self._away]

    @property
    def test(self) -> TTestAndSignedRank:
        """Both tests of the scores as they stand."""
        return TTestAndSignedRank([*self._a[:-1], self.values["away"]], self._b)

    def pictures(self, test: TTestAndSignedRank) -> Sequence[Picture]:
        """The scores, and the t-test's null distribution."""
        return [plot.scores(test), plot.null(PairedT(test.a, test.b))]

    def grips(self, test: TTestAndSignedRank) -> Sequence[DragHandle]:
        """The last score of A."""
        return [self.along("away", 0, float(len(test.a)), float(test.a[-1]), "y")]


def outlier(a: Any, b: Any, *, step: float = 1.0, reach: int = 100) -> OutlierExplorer:
    """Let the last score of A move far away, and see what the t-test and the signed-rank test say.

    Parameters
    ----------
    a, b : array_like
        Pairs of scores.
    step : float
        How far one key press moves the score.
    reach : int
        How many steps it can move either way; where all scores are shares or percentages, no further than these go.
    """
    return OutlierExplorer(a, b, step, reach)
