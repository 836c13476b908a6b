"""The explorer of Wilcoxon's signed-rank test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..pairwise.signed_rank import SignedRank
from .explorer import Control
from .pairs import Pairs

ZEROS = ("drop", "pratt", "split")


class SignedRankPairs(Pairs):
    """Pairs, and what becomes of zeros."""

    def _start(self) -> None:
        super()._start()
        self._zeros = 0

    def _take(self, moved: Mapping[str, int]) -> None:
        super()._take(moved)
        self._zeros = moved.get("zeros", self._zeros)

    @property
    def controls(self) -> Sequence[Control]:
        """The sliders as they stand."""
        return [*super().controls, Control("zeros", "Differences of 0", 0, len(ZEROS) - 1, self._zeros, ZEROS[self._zeros])]

    @property
    def settings(self) -> dict[str, Any]:
        """The settings of the test as they stand."""
        return {**super().settings, "zeros": ZEROS[self._zeros]}


def signed_rank(a: Any, b: Any, *, n: int | None = None, alpha: float = 0.05, step: float = 1.0) -> Pairs:
    """A signed-rank test with sliders: move a score, the number of data sets, the level, the alternative, the zeros.

    Parameters are those of :func:`fstats.explore.paired_t`.
    """
    return SignedRankPairs(SignedRank, a, b, n, alpha, step)
