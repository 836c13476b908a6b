"""Wilcoxon's signed-rank test as it is written by hand, and what goes wrong in writing it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from ... import check
from ...exact import RandomSigns
from ...hypothesis import HypothesisTest, Tail
from ...null import Array, Scores, Value
from ...pairwise.signed_rank import SignedRank
from ...rank import average_ranks
from ...step import given, step


class CountedSignedRank(HypothesisTest):
    """The two-sided signed-rank test as it is written by hand: zeros go first, and all ways to give the ranks a side are counted."""

    tails: ClassVar[Mapping[str, Tail]] = {"two-sided": "lower twice"}
    parameter = r"\theta"
    compares = "typical score"

    a: Scores = given("s_A", "Scores of classifier A.", over="i", check=check.scores)
    b: Scores = given("s_B", "Scores of classifier B, paired with A's.", over="i", check=check.scores, like="a")

    d = SignedRank.d

    @step("d_k", r"$d \text{ where } $d \neq 0", over="k")
    def kept(self) -> Array:
        """Differences that are not 0."""
        return self.d[self.d != 0]

    @step("x_k", "|$kept|", over="k")
    def sizes(self) -> Array:
        """Size of each of them."""
        return abs(self.kept)

    @step("R_k", r"\mathrm{rank}\,$sizes", over="k")
    def ranks(self) -> Array:
        """Rank of each size, 1 = smallest; equal sizes share the mean of their ranks."""
        return average_ranks(self.sizes)

    @step("W^+", r"\sum_{$kept > 0} $ranks")
    def w_plus(self) -> Value:
        """Sum of the ranks where A is better."""
        return self.ranks[self.kept > 0].sum()

    @step("W^-", r"\sum_{$kept < 0} $ranks")
    def w_minus(self) -> Value:
        """Sum of the ranks where B is better."""
        return self.ranks[self.kept < 0].sum()

    @step("W", r"\min\{$w_plus, $w_minus\}")
    def statistic(self) -> Value:
        """The smaller sum of ranks."""
        return np.minimum(self.w_plus, self.w_minus)

    @step("W_0", r"\sum_k \epsilon_k\,$ranks,\ \epsilon_k = 0 \text{ or } 1 \text{ by a fair coin}", relation=r"\sim")
    def null(self) -> RandomSigns:
        """How the sum varies when each rank is as likely to be A's as B's."""
        return RandomSigns(np.append(self.ranks, 0.0))  # a rank of 0 changes nothing, and there may be no other


# -- ranks -----------------------------------------------------------------------------------------------------------------
class InOrderOfArrival(CountedSignedRank):
    """Equal numbers got different ranks, the one that stands first the smaller one. Nothing in the data says which of them is smaller: let them share the mean of the ranks that they span."""

    @step("R_k", r"\mathrm{rank}\,$sizes \text{, ties in their order}", over="k")
    def ranks(self) -> Array:
        """Ranks with ties broken by place."""
        return np.argsort(np.argsort(self.sizes, kind="stable")).astype(float) + 1


class PlacesForRanks(CountedSignedRank):
    """argsort tells where the smallest number stands, where the second smallest stands, and so on: a list of places. A rank goes the other way and tells for each place how many numbers are smaller. Try 30, 10, 20: the ranks are 3, 1, 2."""

    @step("R_k", r"\mathrm{argsort}\,$sizes + 1", over="k")
    def ranks(self) -> Array:
        """Places in the order of size."""
        return np.argsort(self.sizes, kind="stable").astype(float) + 1


class SmallestOfTheTied(CountedSignedRank):
    """Equal numbers all got the smallest of the ranks that they span, as in sport. Then the ranks no longer add up to 1 + 2 + ... + n; the mean of the ranks keeps the sum."""

    @step("R_k", r"1 + \#\{l : x_l < $sizes\}", over="k")
    def ranks(self) -> Array:
        """Smallest rank for all tied."""
        return (self.sizes[:, None] > self.sizes).sum(1).astype(float) + 1


class LargestOfTheTied(CountedSignedRank):
    """Equal numbers all got the largest of the ranks that they span: you counted how many numbers are not larger. The mean of the ranks is what they share; count the smaller ones and the equal ones apart."""

    @step("R_k", r"\#\{l : x_l \leq $sizes\}", over="k")
    def ranks(self) -> Array:
        """Largest rank for all tied."""
        return (self.sizes[:, None] >= self.sizes).sum(1).astype(float)


class HalfARankLess(CountedSignedRank):
    """Every rank is one half too small. A number equals itself, too: s smaller and e equal ones (itself among them) span the ranks s + 1, ..., s + e. What is the middle of these? Try it with a number that is alone: s + 1 has to come out."""

    @step("R_k", r"\mathrm{rank}\,$sizes - \frac{1}{2}", over="k")
    def ranks(self) -> Array:
        """Half of the equal ones added to the smaller ones."""
        return average_ranks(self.sizes) - 0.5


class OneRankForTheTied(CountedSignedRank):
    """Equal numbers took up one rank together, and the next number got the very next rank. Three equal numbers span three ranks: they share the mean of these, and the next number comes after all three."""

    @step("R_k", r"1 + \#\{\text{different } x_l < $sizes\}", over="k")
    def ranks(self) -> Array:
        """Ranks without gaps."""
        return np.unique(self.sizes, return_inverse=True)[1].astype(float) + 1


class UpsideDown(CountedSignedRank):
    """You gave rank 1 to the largest. Here a large difference has to weigh most: rank 1 = smallest. (Rank 1 = best is the custom where classifiers are ranked, in the Friedman test.)"""

    @step("R_k", r"\mathrm{rank}(-$sizes)", over="k")
    def ranks(self) -> Array:
        """Rank 1 for the largest."""
        return average_ranks(-self.sizes)


class PlacesFromZero(CountedSignedRank):
    """That is argsort as it comes: it tells where the smallest number stands, where the second smallest stands, and so on, counted from 0. A rank goes the other way: for each place, how many numbers are smaller, and 1 for itself. Try 30, 10, 20: the ranks are 3, 1, 2."""

    @step("R_k", r"\mathrm{argsort}\,$sizes", over="k")
    def ranks(self) -> Array:
        """Places in the order of size, from 0."""
        return np.argsort(self.sizes, kind="stable").astype(float)


class InOrderOfSize(CountedSignedRank):
    """Your ranks come in the order of size. Give them back in the order in which the numbers came: the first rank belongs to the first number. (Somewhere you sorted, and did not put things back into their places.)"""

    @step("R_k", r"\mathrm{sorted}(\mathrm{rank}\,$sizes)", over="k")
    def ranks(self) -> Array:
        """Ranks, sorted."""
        return np.sort(average_ranks(self.sizes))


class FromZeroByArrival(CountedSignedRank):
    """argsort of argsort counts from 0, as Python does, and gives equal numbers different ranks. Add 1, and let equal numbers share the mean of the ranks that they span; the idea above needs no sorting at all."""

    @step("R_k", r"\mathrm{rank}\,$sizes - 1 \text{, ties in their order}", over="k")
    def ranks(self) -> Array:
        """Twice argsort."""
        return np.argsort(np.argsort(self.sizes, kind="stable"), kind="stable").astype(float)


class FromZero(CountedSignedRank):
    """Your ranks begin at 0, as Python counts. Ranks begin at 1; with 0 the smallest difference would have no weight at all."""

    @step("R_k", r"\mathrm{rank}\,$sizes - 1", over="k")
    def ranks(self) -> Array:
        """Counted from 0."""
        return average_ranks(self.sizes) - 1


class HalvesCutOff(CountedSignedRank):
    """Shared ranks such as 1.5 lost their half. An array of whole numbers keeps whole numbers only: np.zeros_like(sizes) is one where the sizes are whole. Make the ranks an array of floats."""

    @step("R_k", r"\lfloor \mathrm{rank}\,$sizes \rfloor", over="k")
    def ranks(self) -> Array:
        """Without the halves."""
        return np.floor(average_ranks(self.sizes))


# -- the whole test ------------------------------------------------------------------------------------------------------------
class NoiseUntied(CountedSignedRank):
    """Your function is right on whole numbers only. 0.88 - 0.85 and 0.69 - 0.66 both print as 0.03, but the computer's numbers differ in the 17th digit, and your ranks see it: round the differences (to ten digits, say) before you rank their sizes."""

    @step("d_i", r"$a - $b \text{, not rounded}", over="i")
    def d(self) -> Array:
        """Difference with the noise of binary fractions."""
        return self.a - self.b


class ZerosRanked(CountedSignedRank):
    """Differences of 0 took the lowest ranks, and pushed all others up. A zero favours nobody: leave it out before you rank."""

    @step("d_k", "$d", over="k")
    def kept(self) -> Array:
        """All differences."""
        return self.d


class OnlyRanksOfA(CountedSignedRank):
    """Your function always counts from the sum of A's ranks, so nothing is ever found where A is the better one. Two-sided, take the smaller one of W+ and W-."""

    @step("W", "$w_plus")
    def statistic(self) -> Value:
        """Always A's sum."""
        return self.w_plus


class OnlyRanksOfB(CountedSignedRank):
    """Your function always counts from the sum of B's ranks, so nothing is ever found where B is the better one. Two-sided, take the smaller one of W+ and W-."""

    @step("W", "$w_minus")
    def statistic(self) -> Value:
        """Always B's sum."""
        return self.w_minus


class LargerSum(CountedSignedRank):
    """You took the larger one of the two sums, and then counted the sums that are at most so large: nearly all of them. Take the smaller one."""

    @step("W", r"\max\{$w_plus, $w_minus\}")
    def statistic(self) -> Value:
        """The larger sum of ranks."""
        return np.maximum(self.w_plus, self.w_minus)


class RanksOfSigned(CountedSignedRank):
    """You ranked the differences with their signs, so that the lowest ranks all went to B. Rank their sizes: a difference of -5 is a large one. The sign says afterwards to whom the rank goes."""

    @step("R_k", r"\mathrm{rank}\,$kept", over="k")
    def ranks(self) -> Array:
        """Ranks of signed differences."""
        return average_ranks(self.kept)


class RanksOfATable(CountedSignedRank):
    """You counted with the ranks 1, 2, ..., n, as printed tables do. Where sizes tie there are other ranks to share out: count all ways to give a side to the very ranks that you found."""

    @step("W_0", r"\sum_k \epsilon_k\,k,\ k = 1, \ldots, \#\{$ranks\}", relation=r"\sim")
    def null(self) -> RandomSigns:
        """Ranks without ties."""
        return RandomSigns(np.arange(0.0, len(self.ranks) + 1))


class OneTailOfRanks(CountedSignedRank):
    """That is one tail only: so small a sum on the side where it is small. Two-sided, either side could have been the small one: double the share, up to 1."""

    @step("p", r"P($null \leq $statistic)", over="$statistic")
    def pvalue(self) -> Value:
        """One tail."""
        return self.null.at_most(self.statistic)


class SmallerSumsOnly(CountedSignedRank):
    """You counted the sums below W, without W itself. At least as extreme includes what was observed: a clear win of A would otherwise have p = 0."""

    @step("p", r"\min\{1,\ 2\,P($null < $statistic)\}", over="$statistic")
    def pvalue(self) -> Value:
        """A tail without the observed sum."""
        return np.minimum(1, 2 * self.null.at_most(self.statistic - 0.5))


class ExactlyThisSum(CountedSignedRank):
    """You counted the ways that give exactly this sum. A p-value takes in what is more extreme, too: count the sums that are at most W."""

    @step("p", r"\min\{1,\ 2\,P($null = $statistic)\}", over="$statistic")
    def pvalue(self) -> Value:
        """One sum instead of a tail."""
        return np.minimum(1, 2 * (self.null.at_most(self.statistic) - self.null.at_most(self.statistic - 0.5)))


class RanksAboveOne(CountedSignedRank):
    """Your function can return more than 1, which no probability is. Where both sides have about the same sum each tail holds more than one half: let p be 1 there, min(1, 2 * share)."""

    @step("p", r"2\,P($null \leq $statistic)", over="$statistic")
    def pvalue(self) -> Value:
        """Doubled without a limit."""
        return 2 * self.null.at_most(self.statistic)
