"""Interactive explorer of Wilcoxon's signed-rank test."""

from __future__ import annotations

from typing import Any

from ...procedures.pairwise.signed_rank import SignedRank
from ..widgets.slider import Slider
from .paired_scores_explorer import PairedScoresExplorer

ZEROS = Slider("zeros", "Differences of 0", ("drop", "pratt", "split"))


def signed_rank(a: Any, b: Any, *, n: int | None = None, alpha: float = 0.05, step: float = 1.0) -> PairedScoresExplorer:
    """Explore the signed-rank test with sliders for a score, the number of data sets, the level, the alternative and the rule for zeros.

    The function has the same parameters as :func:`fstats.explore.paired_t`.
    """
    return PairedScoresExplorer(SignedRank, a, b, n, alpha, step, ZEROS)
