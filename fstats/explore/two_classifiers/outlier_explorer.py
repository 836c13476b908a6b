"""Interactive explorer of the effect of an outlier on tests.

The tests are the t-test and the signed-rank test.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ... import plot
from ...core.number_format import format_plain
from ...plot.drawing.picture import Picture
from ...procedures.pairwise.paired_t import PairedT
from ...teaching.demonstrations.t_test_and_signed_rank import TTestAndSignedRank
from ..widgets import DragHandle, Explorer, Slider, restrict_slider, score_limits
from .paired_scores_explorer import check_paired_scores


class OutlierExplorer(Explorer[TTestAndSignedRank]):
    """Explorer of two tests on paired scores; only the last score of A can be moved."""

    question = "How does one score change two tests?"
    main_controls = ("away",)

    def __init__(self, a: Any, b: Any, step: float, reach: int) -> None:
        self._a, self._b = check_paired_scores(a, b)
        scores = [self._a[-1] + away * step for away in range(-reach, reach + 1)]
        away = Slider("away", "Last score of A", scores, lambda score: f"{format_plain(score)} (B: {format_plain(self._b[-1])})", -reach)
        low, high = score_limits(np.concatenate([self._a, self._b]))
        self._away = restrict_slider(away, lambda score: low <= score <= high)
        super().__init__("An outlier in two tests", away=0)

    @property
    def sliders(self) -> Sequence[Slider[Any]]:
        """Slider of the last score of A."""
        return [self._away]

    @property
    def test(self) -> TTestAndSignedRank:
        """The t-test and the signed-rank test on the current scores."""
        return TTestAndSignedRank([*self._a[:-1], self.values["away"]], self._b)

    def pictures(self, test: TTestAndSignedRank) -> Sequence[Picture]:
        """Return the scores, and the null distribution of the t-test."""
        return [plot.scores(test), plot.null(PairedT(test.a, test.b))]

    def drag_handles(self, test: TTestAndSignedRank) -> Sequence[DragHandle]:
        """Return the handle of the last score of A."""
        return [self.handle_on_axis("away", 0, float(len(test.a)), float(test.a[-1]), "y")]


def outlier(a: Any, b: Any, *, step: float = 1.0, reach: int = 100) -> OutlierExplorer:
    """Explore an outlier: move the last score of A far away, and compare the t-test with the signed-rank test.

    Parameters
    ----------
    a, b : array_like
        Paired scores.
    step : float
        Change of the score with one key press.
    reach : int
        Largest number of steps to either side. Shares stay between 0 and 1, percentages between 0 and 100.
    """
    return OutlierExplorer(a, b, step, reach)
