"""Steps that the questions ask for, and the notebook sections that explain them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core.hypothesis import HypothesisTest
from ....core.step import step
from ....core.value_types import Array, Value
from ....distributions.continuous_distributions import ChiSquared
from ....procedures.contingency.discordant_records import DiscordantTest
from ....procedures.contingency.mcnemar_exact import McNemarExact
from ....procedures.contingency.paired_table import PairedTable


class FromPredictions(PairedTable):
    """The exact test and the corrected chi-squared test, computed from predictions."""

    @step("a_r", "[$pred_a = $y_true]", over="r")
    def right_a(self) -> Any:
        """Whether A is right on each record."""
        return self.pred_a == self.y_true

    @step("b_r", "[$pred_b = $y_true]", over="r")
    def right_b(self) -> Any:
        """Whether B is right on each record."""
        return self.pred_b == self.y_true

    @step("n_{uv}", r"\#\{r : $right_a = u,\ $right_b = v\}", over="uv")
    def table(self) -> Array:
        """Contingency table: numbers of records that A (row) and B (column) get wrong (0, first) or right (1, second)."""
        a, b = self.right_a, self.right_b
        return np.array([[(i & j).sum() for j in (~b, b)] for i in (~a, a)], float)

    n = DiscordantTest.n
    null = McNemarExact.null
    reject = HypothesisTest.reject

    @step("m", r"\min\{$n01, $n10\}")
    def statistic(self) -> Value:
        """The smaller of the two discordant counts, which is small if H0 is false."""
        return np.minimum(self.n01, self.n10)

    @step("p", r"2\,P($null \leq $statistic)")
    def pvalue(self) -> Value:
        """Two-sided p-value of the exact McNemar test."""
        return np.minimum(1, 2 * self.null.at_most(self.statistic))

    @step("p'", r"2 \left(\frac{1}{2}\right)^{|$n10 - $n01|}")
    def one_way(self) -> Value:
        """Exact two-sided p-value of a pair with the same accuracies whose discordant records all favour one classifier."""
        return 2 * 0.5 ** np.abs(self.n10 - self.n01)

    @step(r"\chi^2", r"\frac{(|$n01 - $n10| - 1)^2}{$n}")
    def chi_squared(self) -> Value:
        """McNemar's statistic with continuity correction."""
        return np.maximum(0, np.abs(self.n01 - self.n10) - 1) ** 2 / self.n

    @step(r"p_{\chi^2}", r"P(\chi^2_1 \geq $chi_squared)")
    def approximate_pvalue(self) -> Value:
        """Two-sided p-value of the chi-squared test."""
        return ChiSquared(1).at_least(self.chi_squared)
