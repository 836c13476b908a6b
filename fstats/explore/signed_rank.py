"""The explorer of Wilcoxon's signed-rank test."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..procedures.pairwise.signed_rank import SignedRank
from .pairs import PairsExplorer
from .slider import Slider

ZEROS = Slider("zeros", "Differences of 0", ("drop", "pratt", "split"))


class SignedRankExplorer(PairsExplorer):
    """Pairs, and what becomes of zeros."""

    @property
    def sliders(self) -> Sequence[Slider[Any]]:
        """Those of pairs, and one more."""
        return [*super().sliders, ZEROS]

    @property
    def settings(self) -> dict[str, Any]:
        """The settings of the test as they stand."""
        return {**super().settings, "zeros": self.values["zeros"]}


def signed_rank(a: Any, b: Any, *, n: int | None = None, alpha: float = 0.05, step: float = 1.0) -> SignedRankExplorer:
    """A signed-rank test with sliders: move a score, the number of data sets, the level, the alternative, the zeros.

    Parameters are those of :func:`fstats.explore.paired_t`.
    """
    return SignedRankExplorer(SignedRank, a, b, n, alpha, step, zeros=0)
