"""Interactive explorer of the paired t-test."""

from __future__ import annotations

from typing import Any

from ...procedures.pairwise.paired_t import PairedT
from .paired_scores_explorer import PairedScoresExplorer


def paired_t(a: Any, b: Any, *, n: int | None = None, alpha: float = 0.05, step: float = 1.0) -> PairedScoresExplorer:
    """Explore the paired t-test with sliders for a score, the number of data sets, the level and the alternative.

    Parameters
    ----------
    a, b : array_like
        Paired scores; the first n pairs are used at the start, and a slider adds the remaining pairs one by one.
    n : int, optional
        Number of data sets at the start; by default all data sets.
    alpha : float
        Level at the start: 0.001, 0.005, 0.01, 0.02, 0.05, 0.1 or 0.2.
    step : float
        Change of a score with one key press. Shares stay between 0 and 1, percentages between 0 and 100.
    """
    return PairedScoresExplorer(PairedT, a, b, n, alpha, step)
