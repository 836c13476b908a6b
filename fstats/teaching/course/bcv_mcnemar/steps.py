"""Steps that the questions ask for, and the notebook sections that explain them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from ....core.classifier_pair import TwoClassifierTest
from ....core.rejection_region import UPPER_TAIL
from ....core.step import input_field, step
from ....core.validation import check
from ....core.value_types import Array, Value
from ....procedures.resampling.block_regularized.blocked_five_by_two_mcnemar import BlockedFiveByTwoMcNemar


class TenTables(TwoClassifierTest):
    """5x2 BCV McNemar's test from the discordant counts: do the algorithms differ?"""

    tails = UPPER_TAIL
    parameter, compares = r"\pi_A - \pi_B", "accuracy"
    names_by_index: ClassVar[Mapping[str, Any]] = {"k": ("fold 1", "fold 2"), "c": ("n01", "n10")}

    n01: Any = input_field("n_{01}", "Records that A gets wrong and B right, in each repetition and fold.", over="jk", check=check.counts)
    n10: Any = input_field("n_{10}", "Records that A gets right and B wrong.", over="jk", check=check.counts, like="n01")
    n_fold: Any = input_field("n_k", "Number of records in each fold.", check=check.positive)
    rho1: Any = input_field(r"\rho_1", "Correlation of the two folds of a repetition.", check=check.number)
    rho2: Any = input_field(r"\rho_2", "Correlation of folds of different repetitions.", check=check.number)

    @step(r"\bar n_c", r"\frac{1}{10} \sum_{jk} \{$n01,\ $n10\}_c", over="c")
    def mean(self) -> Array:
        """Mean of n01, and of n10, over the ten tables."""
        return np.array([self.n01.sum(), self.n10.sum()]) / 10

    t = BlockedFiveByTwoMcNemar.t

    @step("n_{c,e}", r"$t\,$mean", over="c")
    def effective(self) -> Array:
        """Discordant counts n01 and n10 of the effective table."""
        return self.t * self.mean

    @step("n_e", r"$t\,$n_fold")
    def n_effective(self) -> Value:
        """Number of records in the effective table."""
        return self.t * self.n_fold

    @step("n_{01,e}", r"$effective \text{ at } c = 01")
    def n01_effective(self) -> Value:
        """Effective number of records that A gets wrong and B right."""
        return self.effective[0]

    @step("n_{10,e}", r"$effective \text{ at } c = 10")
    def n10_effective(self) -> Value:
        """Effective number of records that A gets right and B wrong."""
        return self.effective[1]

    statistic = BlockedFiveByTwoMcNemar.statistic
    null = BlockedFiveByTwoMcNemar.null

    @step("M_+", r"\frac{(|\sum_{jk} $n01 - \sum_{jk} $n10| - 1)^2}{\sum_{jk} $n01 + \sum_{jk} $n10}", after=True)
    def pooled(self) -> Value:
        """McNemar's statistic of the sum of all ten tables."""
        wrong, right = self.n01.sum(), self.n10.sum()
        return (abs(wrong - right) - 1) ** 2 / (wrong + right)

    @step("p_+", r"P($null \geq $pooled)", after=True)
    def pooled_pvalue(self) -> Value:
        """Probability of a statistic at least as large, if each entry of the sum were a separate record."""
        return self.null.at_least(self.pooled)
