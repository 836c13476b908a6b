"""Steps that the questions ask for, and the notebook sections that explain them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from ....core.step import step
from ....core.value_types import Value
from ....distributions.symmetric_binomial import SymmetricBinomial
from ....procedures.pairwise.paired_t import PairedT


class OneAndTwoSidedT(PairedT):
    """The claims "A is better", "B is better" and "they differ", each tested on the same differences."""

    names_by_index: ClassVar[Mapping[str, Any]] = {"k": ("Anna", "Ben", "Carla")}

    @step("c_1", r"\min\{x : P($null \geq x) \leq $alpha\}")
    def one_sided_critical_value(self) -> Value:
        """Anna's critical value: the smallest t that rejects in favour of "A is better"."""
        return self.null.high(self.alpha)

    @step("p_{>}", r"P($null \geq $statistic)")
    def p_greater(self) -> Value:
        """Anna's p-value, for the claim "A is better"."""
        return self.null.at_least(self.statistic)

    @step("p_{<}", r"P($null \leq $statistic)")
    def p_less(self) -> Value:
        """Ben's p-value, for the claim "B is better", that is, "A is worse"."""
        return self.null.at_most(self.statistic)

    @step(
        r"\text{reject}_k",
        r"$statistic \geq $one_sided_critical_value \text{ (Anna)},\ $statistic \leq -$one_sided_critical_value \text{ (Ben)},\ "
        r"|$statistic| \geq $critical_value \text{ (Carla)}",
        over="k",
        relation=r"\Leftrightarrow",
    )
    def rejects(self) -> Any:
        """Whether Anna, Ben and Carla reject, each with his or her own critical value."""
        t, c = self.statistic, self.one_sided_critical_value
        return np.array([t >= c, t <= -c, np.abs(t) >= self.critical_value])

    @step(r"\alpha'", r"P(|$null| \geq $one_sided_critical_value)")
    def level_after_looking(self) -> Value:
        """Share of all experiments in which Dora rejects a true H0: she first looks at the sign of t, then makes the one-sided
        test in this direction.
        """
        return 2 * self.null.at_least(self.one_sided_critical_value)

    @step("w", r"\#\{i : $d > 0\}")
    def wins(self) -> Value:
        """Number of data sets on which A wins."""
        return np.float64((self.d > 0).sum())

    @step("W_0", r"\mathrm{Bin}\left($n, \frac{1}{2}\right)", relation=r"\sim")
    def coins(self) -> SymmetricBinomial:
        """Distribution of the number of wins under H0: A wins each data set with probability 1/2."""
        return SymmetricBinomial(self.n)

    @step("p_{>}", r"P($coins \geq $wins)")
    def sign_greater(self) -> Value:
        """Anna's p-value in the sign test."""
        return self.coins.at_least(self.wins)

    @step("p_{<}", r"P($coins \leq $wins)")
    def sign_less(self) -> Value:
        """Ben's p-value in the sign test."""
        return self.coins.at_most(self.wins)
