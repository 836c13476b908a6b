"""Effect of an outlier on the t-test and the signed-rank test."""

from __future__ import annotations

from ...core.number_format import format_plain, format_pvalue
from ...core.procedure import Procedure
from ...core.step import input_field, step
from ...core.validation import check
from ...core.value_types import ScoresLike, Value
from ...procedures.pairwise.paired_t import PairedT
from ...procedures.pairwise.signed_rank import SignedRank


class TTestAndSignedRank(Procedure):
    """Two tests: what do the t-test and the signed-rank test say about the same scores?"""

    a: ScoresLike = input_field("s_A", "Scores of classifier A.", over="i", check=check.scores)
    b: ScoresLike = input_field("s_B", "Scores of classifier B, paired with A's.", over="i", check=check.scores, like="a")
    alpha: float = input_field(r"\alpha", "Level of both tests.", check=check.level, default=0.05, kw_only=True)

    @step("d_i", "$a - $b", over="i")
    def d(self) -> Value:
        """Difference on each data set; positive where A is better."""
        return PairedT(self.a, self.b).d

    @step("R_i", r"\mathrm{rank}\,|$a - $b|", over="i", blank=True)
    def ranks(self) -> Value:
        """Rank of the absolute size of each difference; an outlier has the largest rank, whatever its size."""
        return SignedRank(self.a, self.b).ranks

    @step(r"\bar d", r"\mathrm{mean}($a - $b)")
    def mean(self) -> Value:
        """Mean difference; an outlier changes it."""
        return PairedT(self.a, self.b).mean

    @step("s_d", r"\mathrm{sd}($a - $b)")
    def sd(self) -> Value:
        """Standard deviation of the differences; an outlier changes it even more than the mean."""
        return PairedT(self.a, self.b).sd

    @step("t", r"\text{paired t-test of } $a, $b")
    def t(self) -> Value:
        """Mean difference divided by its standard error."""
        return PairedT(self.a, self.b).statistic

    @step("p_t", r"\text{paired t-test of } $a, $b", check=check.probability)
    def p_t(self) -> Value:
        """p-value of the t-test."""
        return PairedT(self.a, self.b).pvalue

    @step("W", r"\text{signed-rank test of } $a, $b")
    def w(self) -> Value:
        """The smaller of the two rank sums."""
        return SignedRank(self.a, self.b).statistic

    @step("p_W", r"\text{signed-rank test of } $a, $b", check=check.probability)
    def p_w(self) -> Value:
        """p-value of the signed-rank test."""
        return SignedRank(self.a, self.b).pvalue

    @property
    def conclusion(self) -> str:
        """The verdicts of the two tests, in one sentence."""
        t, w = ("rejects" if p <= self.alpha else "fails to reject" for p in (self.p_t, self.p_w))
        first = f"At alpha = {format_plain(self.alpha)} the t-test {t} H0 ({format_pvalue(self.p_t, self.alpha)})"
        return f"{first}, {'and' if t == w else 'but'} the signed-rank test {w} H0 ({format_pvalue(self.p_w, self.alpha)})."
