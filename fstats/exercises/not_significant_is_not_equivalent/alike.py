"""The equivalence test and the t-test that it is held against; and each mistake, one of the two with one wrong step."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import check
from ...null import Interval, Normal, Value
from ...pairwise.equivalence import EquivalenceT
from ...pairwise.paired_t import PairedT
from ...step import given, step
from .. import paired_t_by_hand as by_hand


class Alike(EquivalenceT):
    """The equivalence test, with the margin that it would just have shown, and the size of a study that could show it."""

    margin: float = given(r"\delta", "The largest difference that would not matter, agreed before the data.", check=check.positive)
    beta: float = given(r"\beta", "Probability of missing equivalence that is tolerated.", default=0.2, kw_only=True)

    @step("m", r"|$mean| + $critical_value\,$se", after=True)
    def margin_shown(self) -> Value:
        """The smallest margin at which this very test would have rejected."""
        return abs(self.mean) + self.critical_value * self.se

    @step("n_*", r"\left(\frac{(z_{$alpha} + z_{$beta / 2})\,$sd}{$margin}\right)^2", after=True)
    def size(self) -> Value:
        """Data sets that show equivalence with the probability asked for, if the true difference is 0 (normal approximation, not rounded)."""
        z = Normal(0.0, 1.0)
        return ((z.high(self.alpha) + z.high(self.beta / 2)) * self.sd / self.margin) ** 2


class TheOtherWayRound(PairedT):
    """You took B minus A, so your interval is mirrored at 0 and the two margins change places. Take A minus B: positive where A is better."""

    d = by_hand.TheOtherWayRound.d


class DividedByN(PairedT):
    """Your standard deviation divides by n. The deviations are taken from the mean of the very same data and come out too small; n - 1 puts that right (in numpy: ddof=1). Too small an error is dangerous just here: it makes two classifiers look alike."""

    sd = by_hand.DividedByN.sd


class NoRootOfN(PairedT):
    """That is the standard deviation: how far one difference strays. The mean of n differences strays less, by the square root of n."""

    se = by_hand.NoRootOfN.se


class NormalForT(PairedT):
    """You took the normal distribution. Few data estimate their own spread badly; Student's curve with n - 1 degrees of freedom knows that, and its intervals are wider."""

    null = by_hand.NormalForT.null


class OneTail(PairedT):
    """That is one tail only. You ask whether A and B differ at all, so a difference as large in the other direction counts, too: double it."""

    @step("p", r"P($null \geq |$statistic|)")
    def pvalue(self) -> Value:
        """One tail."""
        return self.null.at_least(abs(self.statistic))


class SdInInterval(PairedT):
    """You went out by standard deviations. That says where single differences lie; the interval is for their mean, so its unit is the standard error."""

    @step(r"\mathrm{CI}", r"[$mean - $critical_value\,$sd,\ $mean + $critical_value\,$sd]", over="e", after=True)
    def ci(self) -> Interval:
        """Interval in standard deviations."""
        return Interval(self.mean - self.critical_value * self.sd, self.mean + self.critical_value * self.sd)


class NinetyForNinetyFive(PairedT):
    """Your interval leaves alpha out at either end, 10 % in all: it is a 90 % interval. (You will need that one, too, in a moment.) For 95 % leave alpha / 2 at either end."""

    critical_value = by_hand.OneTail.critical_value


class MarginLeftOut(Alike):
    """You measured from 0: that is the statistic of the ordinary t-test. The new null hypothesis says that the true difference is at the margin or beyond, so measure the distance from the margin."""

    @step("t_-", r"\frac{$mean}{$se}")
    def t_low(self) -> Value:
        """Distance from 0."""
        return self.mean / self.se


class WrongMargin(Alike):
    """You subtracted the margin, and so measured from the upper one. The lower margin lies at minus delta; going up from there to the mean, the two distances add."""

    @step("t_-", r"\frac{$mean - $margin}{$se}")
    def t_low(self) -> Value:
        """Distance from the upper margin."""
        return (self.mean - self.margin) / self.se


class UpsideDown(Alike):
    """You took the mean less the margin. Many books do, and then look at the lower tail; here both tests count a distance towards the inside as positive, so that the two can be compared. Go from the mean up to the margin."""

    @step("t_+", r"\frac{$mean - $margin}{$se}")
    def t_high(self) -> Value:
        """Towards the outside."""
        return (self.mean - self.margin) / self.se


class EasierTest(Alike):
    """You let the easier of the two tests speak. It shows that the difference is not beyond the far margin, which nobody feared; beyond the near one it may still be. Both tests have to reject, so the harder one decides."""

    @step("t", r"\max\{$t_low, $t_high\}")
    def statistic(self) -> Value:
        """The stronger of the two."""
        return np.maximum(self.t_low, self.t_high)


class Doubled(Alike):
    """You doubled it, for two tails or for two tests. Each test looks one way only. And nothing has to be corrected, because both must reject: two hurdles to take make it harder to claim something, not easier."""

    @step("p", r"2\,P($null \geq $statistic)")
    def pvalue(self) -> Value:
        """Two tails."""
        return 2 * self.null.at_least(self.statistic)


class OtherEnd(Alike):
    """You took the area to the left of t. The farther inside the margin the mean lies, the larger is t: at least as extreme lies to the right (in scipy sf, not cdf)."""

    @step("p", r"P($null < $statistic)")
    def pvalue(self) -> Value:
        """To the left."""
        return 1 - self.null.at_least(self.statistic)


class NormalOnceMore(Alike):
    """You took the normal distribution. The spread is estimated from few differences here as well: Student's curve with n - 1 degrees of freedom, as in the ordinary t-test."""

    null = by_hand.NormalForT.null


class NinetyFiveForNinety(Alike):
    """You left alpha / 2 at either end: the 95 % interval. Each of the two one-sided tests spends all of alpha at its own end, so the interval that says the same as both leaves alpha at either end: 90 %."""

    @step("c", r"\min\{x : P($null \geq x) \leq $alpha / 2\}")
    def critical_value(self) -> Any:
        """Alpha / 2 at either end."""
        return self.null.high(self.alpha / 2)


class HalfWidth(Alike):
    """That is half the width of the interval. The interval is not centred on 0 but on the mean; to hold all of it, the margin has to reach to its farther end."""

    @step("m", r"$critical_value\,$se", after=True)
    def margin_shown(self) -> Value:
        """The mean is left out."""
        return self.critical_value * self.se


class NearerEnd(Alike):
    """That margin reaches to the nearer end of the interval only. At the farther end the interval still sticks out; the margin has to hold all of it."""

    @step("m", r"$critical_value\,$se - |$mean|", after=True)
    def margin_shown(self) -> Value:
        """To the nearer end."""
        return self.critical_value * self.se - abs(self.mean)


class PowerOfOneTest(Alike):
    """You let each of the two tests fail with the probability beta. If the truth lies in the middle, either may fail, and together they fail about twice as often: each may have only beta / 2."""

    @step("n_*", r"\left(\frac{(z_{$alpha} + z_{$beta})\,$sd}{$margin}\right)^2", after=True)
    def size(self) -> Value:
        """Beta for each."""
        return ((Normal(0.0, 1.0).high(self.alpha) + Normal(0.0, 1.0).high(self.beta)) * self.sd / self.margin) ** 2


class LevelShared(Alike):
    """You took half of alpha, as two-sided tests do. Here each of the two tests looks one way only, and spends all of alpha there."""

    @step("n_*", r"\left(\frac{(z_{$alpha / 2} + z_{$beta / 2})\,$sd}{$margin}\right)^2", after=True)
    def size(self) -> Value:
        """Half of alpha."""
        return ((Normal(0.0, 1.0).high(self.alpha / 2) + Normal(0.0, 1.0).high(self.beta / 2)) * self.sd / self.margin) ** 2


class ErrorForSpread(Alike):
    """You took the standard error. It has the size of your own study in it already; the formula asks for the spread of single differences and finds the size."""

    @step("n_*", r"\left(\frac{(z_{$alpha} + z_{$beta / 2})\,$se}{$margin}\right)^2", after=True)
    def size(self) -> Value:
        """With the standard error."""
        return ((Normal(0.0, 1.0).high(self.alpha) + Normal(0.0, 1.0).high(self.beta / 2)) * self.se / self.margin) ** 2


class SizeNotSquared(Alike):
    """The square is missing. The standard error shrinks with the root of n: for half of it four times as many data sets are needed."""

    @step("n_*", r"\frac{(z_{$alpha} + z_{$beta / 2})\,$sd}{$margin}", after=True)
    def size(self) -> Value:
        """Not squared."""
        return (Normal(0.0, 1.0).high(self.alpha) + Normal(0.0, 1.0).high(self.beta / 2)) * self.sd / self.margin
