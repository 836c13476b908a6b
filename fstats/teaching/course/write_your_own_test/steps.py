"""Statistical tests for the exercise on writing tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from ....core.classifier_pair import PairedScores, TwoClassifierTest
from ....core.numerics.average_ranks import average_ranks
from ....core.rejection_region import LOWER_TWICE, Tail
from ....core.step import input_field, step
from ....core.validation import check
from ....core.value_types import Array, ScoresLike, Value
from ....distributions.exact_rank_distributions import SignedRankSum
from ....procedures.pairwise.signed_rank import SignedRank


class CountedSignedRank(PairedScores, TwoClassifierTest):
    """The two-sided signed-rank test by hand: zeros are left out, and all ways to give the ranks a sign are counted."""

    tails: ClassVar[Mapping[str, Tail]] = {"two-sided": LOWER_TWICE}
    parameter = r"\theta"
    compares = "typical score"

    a: ScoresLike = input_field("s_A", "Scores of classifier A.", over="i", check=check.scores)
    b: ScoresLike = input_field("s_B", "Scores of classifier B, paired with A's.", over="i", check=check.scores, like="a")

    d = SignedRank.d

    @step("d_k", r"$d \text{ where } $d \neq 0", over="k")
    def kept(self) -> Array:
        """Differences that are not 0."""
        return self.d[self.d != 0]

    @step("x_k", "|$kept|", over="k")
    def sizes(self) -> Array:
        """Absolute size of each difference that is not 0."""
        return abs(self.kept)

    @step("R_k", r"\mathrm{rank}\,$sizes", over="k")
    def ranks(self) -> Array:
        """Rank of each size, 1 = smallest; equal sizes share the mean of their ranks."""
        return average_ranks(self.sizes)

    @step("W^+", r"\sum_{$kept > 0} $ranks")
    def w_plus(self) -> Value:
        """Sum of the ranks of the data sets on which A is better."""
        return self.ranks[self.kept > 0].sum()

    @step("W^-", r"\sum_{$kept < 0} $ranks")
    def w_minus(self) -> Value:
        """Sum of the ranks of the data sets on which B is better."""
        return self.ranks[self.kept < 0].sum()

    @step("W", r"\min\{$w_plus, $w_minus\}")
    def statistic(self) -> Value:
        """The smaller of the two rank sums."""
        return np.minimum(self.w_plus, self.w_minus)

    @step("W_0", r"\sum_k \epsilon_k\,$ranks,\ \epsilon_k = 0 \text{ or } 1 \text{ by a fair coin}", relation=r"\sim")
    def null(self) -> SignedRankSum:
        """Distribution of the rank sum under H0: each rank belongs to A or to B with probability 1/2."""
        return SignedRankSum(np.append(self.ranks, 0.0))  # a rank of 0 changes no rank sum, and is added because the ranks may be empty
