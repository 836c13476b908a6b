"""What goes wrong in writing a paired t-test and a sign test."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import sqrt

from ... import check
from ...coins import FairCoins
from ...null import Value
from ...pairwise.paired_t import PairedT
from ...pairwise.sign_test import SignTest
from ...step import step
from .. import paired_t_by_hand as by_hand


# -- t ---------------------------------------------------------------------------------------------------------------------
class TheOtherWayRound(PairedT):
    """Your function takes B minus A, so its sign says the opposite. A minus B: positive where A, the first argument, is better."""

    d = by_hand.TheOtherWayRound.d


class DividedByN(PairedT):
    """The sum of squares is divided by n; with n - 1 it would be right. This is what np.std does unless you say ddof=1: read what a function divides by before you trust it."""

    sd = by_hand.DividedByN.sd


class NoRootOfN(PairedT):
    """The mean is measured in standard deviations of single differences. The mean of n differences strays less: divide the standard deviation by the square root of n first."""

    se = by_hand.NoRootOfN.se


class NForItsRoot(PairedT):
    """You divided the standard deviation by n. It is the variance of a mean that goes with 1/n; the standard deviation goes with 1 over the square root of n."""

    se = by_hand.DividedByNForRoot.se


class OneLessTwice(PairedT):
    """One was taken off n twice: in the standard deviation, where it belongs, and once more under the root. The standard error of a mean of n differences divides by the square root of n."""

    @step(r"\mathrm{SE}", r"\frac{$sd}{\sqrt{$n - 1}}")
    def se(self) -> Value:
        """Root of n - 1."""
        return self.sd / sqrt(self.n - 1)


class VarianceForSd(PairedT):
    """You took the variance of the differences for their standard deviation. It has the wrong unit, squared points: take its square root."""

    sd = by_hand.VarianceForSd.sd


class Unpaired(PairedT):
    """That is t for two independent samples: its standard error comes from the spread of A's scores and of B's, each on its own. These scores are paired; take the spread of the differences."""

    se = by_hand.Unpaired.se


class SignLost(PairedT):
    """Your function returns the size of t without its sign. A two-sided p-value does not need the sign, but the reader does: it says who is better."""

    @step("t", r"\left|\frac{$mean}{$se}\right|")
    def statistic(self) -> Value:
        """Size of t."""
        return np.abs(check.ratio(self.mean, self.se))


class NoSpreadNoDifference(PairedT):
    """Where there is no spread your function always returns 0. But if A is better by the very same amount everywhere, nothing could speak more clearly: then t is infinite. It is 0 only where the mean difference is 0, too."""

    @step("t", r"\frac{$mean}{$se} \text{ if } \mathrm{SE} > 0, \text{ else } 0")
    def statistic(self) -> Value:
        """Nothing where there is no spread."""
        return np.float64(0) if self.se == 0 else self.mean / self.se


class InfinityWithoutSign(PairedT):
    """Without spread your function says plus infinity, also where B is better everywhere. Infinity has a sign, too: that of the differences."""

    @step("t", r"\frac{$mean}{$se} \text{ if } \mathrm{SE} > 0, \text{ else } 0 \text{ or } \infty")
    def statistic(self) -> Value:
        """Infinity without its sign."""
        t = check.ratio(self.mean, self.se)
        return np.abs(t) if np.isinf(t) else t


class DegreesN(PairedT):
    """You took n degrees of freedom. One is spent on the mean from which the standard deviation is measured: n - 1 are left."""

    @step(r"\nu", "$n")
    def df(self) -> Any:
        """One too many."""
        return self.n


class OtherTailOfT(PairedT):
    """You took the area on the wrong side of t. As extreme as t or more means away from 0: to the right of |t|, and as much again on the other side. (Take the size of t first; with a negative t the area to its right is the large one.)"""

    @step("p", r"2\,P($null \leq |$statistic|)", over="$statistic")
    def pvalue(self) -> Value:
        """The tail that is none."""
        return 2 * self.null.at_most(abs(self.statistic))


class OneTailOfT(PairedT):
    """That is the probability of one tail. Two-sided, a t as large on the other side would be just as extreme: both tails count."""

    pvalue = by_hand.OneSidedP.pvalue


class NormalForT(PairedT):
    """That p-value comes from the normal curve. The standard deviation was estimated from a few differences, which makes large values of t more frequent: use Student's curve with n - 1 degrees of freedom."""

    null = by_hand.NormalForT.null


# -- sign test -------------------------------------------------------------------------------------------------------------
class ZerosTossed(SignTest):
    """Data sets without a winner were counted among the tosses. A coin that stands on its edge has not been tossed: n is the number of wins and losses only."""

    @step("M_0", r"\mathrm{Bin}\left(\#\{$d\}, \frac{1}{2}\right)", relation=r"\sim")
    def null(self) -> FairCoins:
        """All data sets tossed."""
        return FairCoins(len(self.d))


class ZerosLost(SignTest):
    """Your losses are all data sets that A does not win, those without a winner included. A zero favours nobody: count d < 0 for the losses, and leave zeros out of n."""

    @step("n_-", r"\#\{i : $d \leq 0\}")
    def losses(self) -> Value:
        """Data sets that A does not win."""
        return (self.d <= 0).sum(0)


class OneTailOfSigns(SignTest):
    """That is one tail: so few wins for one of the two. Two-sided, as few wins for the other would have been just as extreme: double it, up to 1."""

    @step("p", r"P($null \leq $statistic)", over="$statistic")
    def pvalue(self) -> Value:
        """One tail."""
        return self.null.at_most(self.statistic)


class ExactlyThisMany(SignTest):
    """You took the probability of exactly this count. A p-value is the probability of this count or a more extreme one: sum over all j from 0 to m."""

    @step("p", r"\min\{1,\ 2\,P($null = $statistic)\}", over="$statistic")
    def pvalue(self) -> Value:
        """One count instead of a tail."""
        return np.minimum(1, 2 * (self.null.at_most(self.statistic) - self.null.at_most(self.statistic - 1)))


class MoreExtremeOnly(SignTest):
    """Your tail begins one step too far out: it lacks the count that was observed. At least as extreme includes what you have seen."""

    @step("p", r"\min\{1,\ 2\,P($null < $statistic)\}", over="$statistic")
    def pvalue(self) -> Value:
        """A tail without the observed count."""
        return np.minimum(1, 2 * self.null.at_most(self.statistic - 1))


class AboveOne(SignTest):
    """Your function can return more than 1, which no probability is. With as many wins as losses each tail holds more than one half, since both contain the middle: let p be 1 there, min(1, 2 * tail)."""

    @step("p", r"2\,P($null \leq $statistic)", over="$statistic")
    def pvalue(self) -> Value:
        """Doubled without a limit."""
        return 2 * self.null.at_most(self.statistic)


class OnlyLosses(SignTest):
    """Your tail always begins at the losses of A, so a large p comes out where B is clearly better. Two-sided, look at the smaller one of wins and losses."""

    @step("m", "$losses")
    def statistic(self) -> Value:
        """Always the losses."""
        return self.losses


class OnlyWins(SignTest):
    """Your tail always begins at the wins of A, so a large p comes out where A is clearly better. Two-sided, look at the smaller one of wins and losses."""

    @step("m", "$wins")
    def statistic(self) -> Value:
        """Always the wins."""
        return self.wins


class LargerCount(SignTest):
    """You summed up to the larger one of wins and losses, which is nearly everything. The tail ends at the smaller one."""

    @step("m", r"\max\{$wins, $losses\}")
    def statistic(self) -> Value:
        """The larger count."""
        return np.maximum(self.wins, self.losses)
