"""The explorer of the paired t-test."""

from __future__ import annotations

from typing import Any

from ...procedures.pairwise.paired_t import PairedT
from .paired_scores_explorer import PairedScoresExplorer


def paired_t(a: Any, b: Any, *, n: int | None = None, alpha: float = 0.05, step: float = 1.0) -> PairedScoresExplorer:
    """A paired t-test with sliders: move a score, the number of data sets, the level, the alternative.

    Parameters
    ----------
    a, b : array_like
        Pairs of scores; the first n are used at the start, the slider adds the others one by one.
    n : int, optional
        Data sets at the start; all if not given.
    alpha : float
        Level at the start: 0.001, 0.005, 0.01, 0.02, 0.05, 0.1 or 0.2.
    step : float
        How far one key press moves a score; where all are shares (0 to 1) or percentages (0 to 100), it stays one.
    """
    return PairedScoresExplorer(PairedT, a, b, n, alpha, step)
