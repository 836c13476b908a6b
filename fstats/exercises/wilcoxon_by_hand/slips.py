"""What goes wrong in the signed-rank test: the same test with one wrong line each."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import sqrt, where

from ...null import Array, Normal, Value
from ...rank import average_ranks
from ...step import step
from .by_hand import ByHand, Slip, in_table, sorted_from_the_top, untied


class TheOtherWayRound(ByHand):
    """You took B minus A. Then a positive number means that B is better, and W+ and W- change places. Agree on a direction, and keep it: A minus B, positive where A is better."""

    @step("d_i", "$b - $a", over="i")
    def d(self) -> Array:
        """Difference, the wrong way round."""
        return self.b - self.a


class SizesOnly(ByHand):
    """You dropped the signs. The sizes are what will be ranked, but the signs must be kept: they say whose rank it is. Take A minus B, negative where B is better."""

    @step("d_i", "|$a - $b|", over="i")
    def d(self) -> Array:
        """Sizes."""
        return abs(self.a - self.b)


class ZerosCounted(ByHand):
    """You counted all data sets. A difference of 0 has no sign and gets no rank, so no coin is tossed for it: n is the number of ranks, the data sets on which A and B differ."""

    @step("n", r"\#\{$d\}")
    def n(self) -> Value:
        """All data sets."""
        return np.float64(len(self.d))


class ZerosKept(ByHand):
    """You gave the zeros the lowest ranks, and so pushed all other ranks up. A difference of 0 favours nobody: leave it out before you rank, and let rank 1 go to the smallest size that is not 0."""

    @step("R_i", r"\mathrm{rank}\,|$d| \text{ with zeros}", over="i", blank=True)
    def ranks(self) -> Array:
        """Ranks with zeros."""
        return average_ranks(abs(self.d))


class TiesInOrder(ByHand):
    """Equal sizes got different ranks, in the order in which they stand in the table. In another order the rank sums would be others, though the data are the same. Equal sizes share the mean of the ranks that they take up together."""

    @step("R_i", r"\mathrm{rank}\,|$d| \text{ without zeros, equal ones numbered from the top}", over="i", blank=True)
    def ranks(self) -> Array:
        """Ranks without sharing."""
        order = np.argsort(np.argsort(abs(self.d), kind="stable"))
        return where(self.d == 0, 0.0, order + 1.0 - (self.d == 0).sum(0))


class TiesLowest(ByHand):
    """Equal sizes all got the lowest of their ranks, as in sports, where two can come first. Then the ranks no longer add up to n (n + 1) / 2, and ties weigh too little. Equal sizes share the mean of the ranks that they take up together."""

    @step("R_i", r"1 + \#\{j : 0 < |d_j| < |$d|\} \text{ without zeros}", over="i", blank=True)
    def ranks(self) -> Array:
        """The lowest rank for all of the same size."""
        sizes = abs(self.d)
        return where(sizes == 0, 0.0, np.searchsorted(np.sort(sizes[sizes > 0]), sizes) + 1.0)


class SignedRanked(ByHand):
    """You ranked the differences with their signs, so the largest win of B got rank 1. Rank the sizes, without the signs: the rank says how large a difference is, and only afterwards its sign says whose it is."""

    @step("R_i", r"\mathrm{rank}\,$d \text{ without zeros}", over="i", blank=True)
    def ranks(self) -> Array:
        """Ranks of signed differences."""
        return where(self.d == 0, 0.0, average_ranks(self.d) - where(self.d > 0, (self.d == 0).sum(0), 0))


class UpsideDown(ByHand):
    """You gave rank 1 to the largest size. Then a hair's breadth weighs most and a landslide least. The smallest size gets rank 1, so that a large difference brings a large rank to its side."""

    @step("R_i", r"\mathrm{rank}\,(-|$d|) \text{ without zeros}", over="i", blank=True)
    def ranks(self) -> Array:
        """Ranks from the largest size down."""
        return where(self.d == 0, 0.0, average_ranks(-abs(self.d)))


class RowOrder(ByHand):
    """You wrote the sorted ranks down in the order of the data sets, so they stand beside differences to which they do not belong. A rank belongs to its difference: the largest size, wherever it stands, has the largest rank."""

    @step("R_i", r"\mathrm{sort}(\mathrm{rank}\,|$d|) \text{ from the top}", over="i", blank=True)
    def ranks(self) -> Array:
        """Sorted ranks, from the top."""
        return sorted_from_the_top(where(self.d == 0, 0.0, average_ranks(abs(self.d)) - (self.d == 0).sum(0)))


class WinsCounted(ByHand):
    """You counted data sets, as the sign test does. Here a clear win weighs more than a narrow one: each data set brings its rank to the side of the winner, not just 1."""

    @step("R_i", r"1 \text{ where } $d \neq 0", over="i", blank=True)
    def ranks(self) -> Array:
        """One for each."""
        return where(self.d == 0, 0.0, 1.0)


class PlusForMin(ByHand):
    """You took W+. Two-sided, the statistic is the smaller of the two sums, whoever it belongs to: the table asks how small the losing side is."""

    @step("W", "$w_plus")
    def statistic(self) -> Value:
        """The sum of A."""
        return self.w_plus


class MinusForMin(ByHand):
    """Your function always returns W-. Two-sided, the statistic is the smaller of the two sums: where B is better, that is W+."""

    @step("W", "$w_minus")
    def statistic(self) -> Value:
        """The sum of B."""
        return self.w_minus


class OneTailedEntry(ByHand):
    """That entry leaves all of alpha to one side; it stands in the one-tailed column. Two-sided, A or B may be the one that loses, so each side gets alpha / 2: take the two-tailed column."""

    @step("c", r"\max\{w : P(W_0 \leq w) \leq $alpha\},\ W_0 \text{ of the ranks } 1, \ldots, $n")
    def critical_value(self) -> Any:
        """One-tailed entry."""
        return in_table(self.n, self.alpha)


class HalvedTwice(ByHand):
    """You halved alpha, and then looked up alpha / 2 in a column that is headed "two-tailed": it had been halved already. A column headed two-tailed is entered with alpha itself."""

    @step("c", r"\max\{w : P(W_0 \leq w) \leq $alpha / 4\},\ W_0 \text{ of the ranks } 1, \ldots, $n")
    def critical_value(self) -> Any:
        """Entry of half the level."""
        return in_table(self.n, self.alpha / 4)


class OneSidedP(ByHand):
    """That is the probability that one given side has so small a sum. Two-sided, it could as well have been the other side: both count, so double it."""

    @step("p", r"P($null \leq $statistic)")
    def pvalue(self) -> Value:
        """One tail."""
        return self.null.at_most(self.statistic)


class NormalForExact(ByHand):
    """That is the normal approximation. It is made for many ranks; with so few the exact p-value can be counted, and should be: go through all ways to give the ranks a sign."""

    @step("p", r"2\,P\left(Z \leq \frac{$statistic - \frac{1}{2} \sum_i $ranks}{\frac{1}{2} \sqrt{\sum_i R_i^2}}\right)")
    def pvalue(self) -> Value:
        """Normal approximation."""
        return 2 * Normal(self.ranks.sum() / 2, sqrt((self.ranks**2).sum()) / 2).at_most(self.statistic)


class WithoutW(ByHand):
    """You left out the ways whose sum is W itself. The p-value is about results at least as extreme as yours, and yours is one of them: count the sums of at most W."""

    @step("p", r"2\,P($null < $statistic)")
    def pvalue(self) -> Value:
        """Sums below W."""
        return 2 * self.null.at_most(self.statistic - 0.5)  # sums of ranks are half-integers


class UntiedRanks(ByHand):
    """You went through the ways to share out the ranks 1, 2, ..., n. Yours have ties, so other sums come about: let the coins share out the very ranks that you found, and count the sums again."""

    @step("p", r"2\,P(W_0 \leq $statistic),\ W_0 \text{ of the ranks } 1, \ldots, $n")
    def pvalue(self) -> Value:
        """As if there were no ties."""
        return 2 * untied(self.n).at_most(self.statistic)


class NotMoved(Slip):
    """That is the sum with the ranks at their right places. In the sorted column other ranks stand beside the data sets where B is better: add up what stands there."""

    @step(r"W^-_C", "$w_minus")
    def w_of_column(self) -> Value:
        """As if nothing had happened."""
        return self.w_minus


class ZeroSorted(Slip):
    """You sorted the zero along with the ranks, so it stands at the top, and ranks slipped down by a line. A difference of 0 has no rank: leave its line empty, and write the sorted ranks into the other lines."""

    @step(r"W^-_C", r"\sum_{$d < 0} C_i,\ C \text{ the } $ranks \text{ and the zeros sorted}")
    def w_of_column(self) -> Value:
        """Sum with the zeros at the top of the column."""
        return where(self.d < 0, np.sort(self.ranks), 0).sum(0)
