"""The explorer of an outlier: one score moves far away, and two tests answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .. import check, plot
from ..number import p_beside, plain
from ..pairwise.paired_t import PairedT
from ..pairwise.signed_rank import SignedRank
from ..picture import Picture
from ..procedure import Procedure
from ..step import given, step
from ..value import ScoresLike, Value
from .explorer import Control, Explorer


class BothTests(Procedure):
    """Both tests: what do the t-test and the signed-rank test say of the same scores?"""

    a: ScoresLike = given("s_A", "Scores of classifier A.", over="i", check=check.scores)
    b: ScoresLike = given("s_B", "Scores of classifier B, paired with A's.", over="i", check=check.scores, like="a")
    alpha: float = given(r"\alpha", "Level of both tests.", check=check.level, default=0.05, kw_only=True)

    @step("d_i", "$a - $b", over="i")
    def d(self) -> Value:
        """Difference on each data set; positive where A is better."""
        return PairedT(self.a, self.b).d

    @step("R_i", r"\mathrm{rank}\,|$a - $b|", over="i", blank=True)
    def ranks(self) -> Value:
        """Rank of the size of each difference: the largest is the largest, no matter how large."""
        return SignedRank(self.a, self.b).ranks

    @step(r"\bar d", r"\text{of } $a - $b")
    def mean(self) -> Value:
        """Mean difference: it follows the outlier."""
        return PairedT(self.a, self.b).mean

    @step("s_d", r"\text{of } $a - $b")
    def sd(self) -> Value:
        """Standard deviation of the differences: it grows even faster than the mean."""
        return PairedT(self.a, self.b).sd

    @step("t", r"\text{paired t-test of } $a, $b", check=check.probability)
    def t(self) -> Value:
        """The mean in standard errors."""
        return PairedT(self.a, self.b).statistic

    @step("p_t", r"\text{paired t-test of } $a, $b", check=check.probability)
    def p_t(self) -> Value:
        """The t-test's p-value."""
        return PairedT(self.a, self.b).pvalue

    @step("W", r"\text{signed-rank test of } $a, $b")
    def w(self) -> Value:
        """The smaller sum of ranks."""
        return SignedRank(self.a, self.b).statistic

    @step("p_W", r"\text{signed-rank test of } $a, $b", check=check.probability)
    def p_w(self) -> Value:
        """The signed-rank test's p-value."""
        return SignedRank(self.a, self.b).pvalue

    @property
    def conclusion(self) -> str:
        """What the two tests decide, in one sentence."""
        t, w = ("rejects" if p <= self.alpha else "fails to reject" for p in (self.p_t, self.p_w))
        link = "and" if t == w else "but"
        return f"At alpha = {plain(self.alpha)} the t-test {t} H0 ({p_beside(self.p_t, self.alpha)}), {link} the signed-rank test {w} it ({p_beside(self.p_w, self.alpha)})."


class OutlierExplorer(Explorer):
    """The last score of A moves, the others stand."""

    def __init__(self, a: Any, b: Any, step: float, reach: int) -> None:
        self._given, self.b = check.scores(a, "a"), check.scores(b, "b")
        if self._given.shape != self.b.shape or self.b.ndim != 1:
            raise ValueError(f"a and b must be two lists of the same length; got shapes {self._given.shape} and {self.b.shape}")
        self.unit, self._reach = step, reach
        super().__init__("An outlier, seen by two tests")

    def _start(self) -> None:
        self._away = 0

    def _take(self, moved: Mapping[str, int]) -> None:
        self._away = moved["away"]

    @property
    def controls(self) -> Sequence[Control]:
        """The one slider: how far the last score has moved."""
        score = self._given[-1] + self._away * self.unit
        return [Control("away", "Last score of A", -self._reach, self._reach, self._away, f"{plain(score)} (B: {plain(self.b[-1])})")]

    @property
    def test(self) -> BothTests:  # type: ignore[override]
        """Both tests of the scores as they stand."""
        return BothTests(np.r_[self._given[:-1], self._given[-1] + self._away * self.unit], self.b)

    def pictures(self, test: Any) -> Sequence[Picture]:
        """The scores, and the t-test's null distribution."""
        return [plot.scores(test), plot.null(PairedT(test.a, test.b))]


def outlier(a: Any, b: Any, *, step: float = 1.0, reach: int = 100) -> OutlierExplorer:
    """Let the last score of A move far away, and see what the t-test and the signed-rank test say.

    Parameters
    ----------
    a, b : array_like
        Pairs of scores.
    step : float
        How far one key press moves the score.
    reach : int
        How many steps it can move either way.
    """
    return OutlierExplorer(a, b, step, reach)
