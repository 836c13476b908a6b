"""Steps that the questions ask for, and the notebook sections that explain them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import where

from ....core.step import step
from ....core.value_types import Array, Value
from ....distributions.exact_rank_distributions import SignedRankSum
from ....procedures.pairwise.signed_rank import SignedRank


class SignedRankByHand(SignedRank):
    """Signed-rank test with a table: the critical value is that of n ranks without ties; the p-value counts the actual ranks."""

    @step("c", r"\max\{w : P(W_0 \leq w) \leq $alpha / 2\},\ W_0 \text{ of the ranks } 1, \ldots, $n")
    def critical_value(self) -> Any:
        """The table's two-tailed entry for n: the largest rank sum that still rejects."""
        n: Any = self.n
        return SignedRankSum(np.arange(1.0, n + 1)).low(self.alpha / 2)


class SortedColumn(SignedRankByHand):
    """Rank sum that results if the ranks are written in sorted order next to the data sets."""

    @step("W^-_C", r"\sum_{$d < 0} C_i,\ C \text{ the } $ranks \text{ sorted, beside the differences that are not 0}")
    def w_of_column(self) -> Value:
        """Sum of the sorted ranks that stand next to the data sets on which B is better."""
        return where(self.d < 0, sorted_from_the_top(self.ranks), 0).sum(0)


def sorted_from_the_top(ranks: Array) -> Array:
    """Sort the ranks in ascending order; rows without a rank stay empty (0)."""
    column = np.zeros(len(ranks))
    column[ranks > 0] = np.sort(ranks[ranks > 0])
    return column
