"""The steps that are asked for, and where the notebooks explain them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import where

from ....core.step import step
from ....core.value_types import Array, Value
from ....distributions.exact_rank_distributions import SignedRankSum
from ....procedures.pairwise.signed_rank import SignedRank
from ...grading.question import Section

RANKS = Section("02_wilcoxon", "Steps 2 and 3. Differences, without zeros, ranked by size, with their sign")
SUMS = Section("02_wilcoxon", "Step 4. Sum the ranks of each side")
COUNT = Section("02_wilcoxon", "Step 5. How small is small? Count")
DECISION = Section("02_wilcoxon", "Step 6. Decide")
TABLE = Section("02_wilcoxon", "A lesson in checking a table")
SLIDES = Section("02_wilcoxon", "The slides' exercise: fifteen data sets")
ZEROS = Section("02_wilcoxon", "Ties, zeros, and what they change")


def untied(n: Any) -> SignedRankSum:
    """Distribution of a sum of ranks under H0, where there are no ties: the one behind the table."""
    return SignedRankSum(np.arange(1.0, n + 1))


def in_table(n: Any, chance: float) -> Value:
    """The largest w that n ranks without ties undercut or reach with at most this probability."""
    return untied(n).low(chance)


class SignedRankByHand(SignedRank):
    """The test as it is done with a table: the critical value is that of n ranks without ties; p counts these very ranks."""

    @step("c", r"\max\{w : P(W_0 \leq w) \leq $alpha / 2\},\ W_0 \text{ of the ranks } 1, \ldots, $n")
    def critical_value(self) -> Any:
        """The table's two-tailed entry for n: the largest rank sum that still rejects."""
        return in_table(self.n, self.alpha / 2)


class SortedColumn(SignedRankByHand):
    """What becomes of the rank sum when the ranks are written down sorted, in the order of the data sets."""

    @step("W^-_C", r"\sum_{$d < 0} C_i,\ C \text{ the } $ranks \text{ sorted, beside the differences that are not 0}")
    def w_of_column(self) -> Value:
        """Sum of the ranks that such a column gives to the data sets where B is better."""
        return where(self.d < 0, sorted_from_the_top(self.ranks), 0).sum(0)


def sorted_from_the_top(ranks: Array) -> Array:
    """The ranks in ascending order in the places of those that are ranks."""
    column = np.zeros(len(ranks))
    column[ranks > 0] = np.sort(ranks[ranks > 0])
    return column
