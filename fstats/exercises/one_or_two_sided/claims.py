"""Three claims about the same scores, each with its test; and each mistake, the same with one wrong step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from ...coins import FairCoins
from ...null import Value
from ...pairwise.paired_t import PairedT
from ...step import step
from .. import paired_t_by_hand as by_hand


class OneOrTwo(PairedT):
    """The claims "A is better", "B is better" and "they differ", each tested on the same differences."""

    names: ClassVar[Mapping[str, Any]] = {"k": ("Anna", "Ben", "Carla")}

    @step("c_1", r"\min\{x : P($null \geq x) \leq $alpha\}")
    def one_sided_critical_value(self) -> Value:
        """Anna's critical value: the least t that rejects in favour of "A is better"."""
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
        r"$statistic \geq $one_sided_critical_value \text{ (Anna)},\ $statistic \leq -$one_sided_critical_value \text{ (Ben)},\ |$statistic| \geq $critical_value \text{ (Carla)}",
        over="k",
        relation=r"\Leftrightarrow",
    )
    def rejects(self) -> Any:
        """Whether Anna, Ben and Carla reject, each by his or her own critical value."""
        t, c = self.statistic, self.one_sided_critical_value
        return np.array([t >= c, t <= -c, np.abs(t) >= self.critical_value])

    @step(r"\alpha'", r"P(|$null| \geq $one_sided_critical_value)")
    def level_after_looking(self) -> Value:
        """The share of all experiments in which Dora rejects a true H0: she looks on which side t lies, then takes the one-sided test of that side."""
        return 2 * self.null.at_least(self.one_sided_critical_value)

    @step("w", r"\#\{i : $d > 0\}")
    def wins(self) -> Value:
        """Data sets on which A wins."""
        return np.float64((self.d > 0).sum())

    @step("W_0", r"\mathrm{Bin}\left($n, \frac{1}{2}\right)", relation=r"\sim")
    def coins(self) -> FairCoins:
        """How the wins vary when each data set is won by a fair coin."""
        return FairCoins(self.n)

    @step("p_{>}", r"P($coins \geq $wins)")
    def sign_greater(self) -> Value:
        """Anna's p-value in the sign test."""
        return self.coins.at_least(self.wins)

    @step("p_{<}", r"P($coins \leq $wins)")
    def sign_less(self) -> Value:
        """Ben's p-value in the sign test."""
        return self.coins.at_most(self.wins)


class TheOtherWayRound(OneOrTwo):
    """You took B minus A. For a two-sided test that would only be a matter of taste, but here the sign decides who is supported: A minus B, positive where A is better."""

    d = by_hand.TheOtherWayRound.d


class DividedByN(OneOrTwo):
    """Your standard deviation divides by n. The deviations are taken from the mean of the very same data and come out too small; n - 1 puts that right (in numpy: ddof=1)."""

    sd = by_hand.DividedByN.sd


class NoRootOfN(OneOrTwo):
    """You divided by the standard deviation: how far one difference strays. The mean of n differences strays less, by the square root of n."""

    se = by_hand.NoRootOfN.se


class NormalForT(OneOrTwo):
    """You took the normal distribution. So few data estimate their own spread badly, and t strays farther than that curve says: take Student's, with n - 1 degrees of freedom."""

    null = by_hand.NormalForT.null


class OneTailCriticalValue(OneOrTwo):
    """That leaves alpha in one tail. Carla would be glad of a difference in either direction, so she has to share her alpha: alpha / 2 on either side, and a critical value farther out."""

    critical_value = by_hand.OneTail.critical_value


class AlphaHalved(OneOrTwo):
    """You left alpha / 2 above it: that is the two-sided critical value. Anna rejects on one side only, so nothing has to be shared. The whole alpha lies there, and her critical value is smaller."""

    @step("c_1", r"\min\{x : P($null \geq x) \leq $alpha / 2\}")
    def one_sided_critical_value(self) -> Value:
        """That of two sides."""
        return self.null.high(self.alpha / 2)


class AlphaDoubled(OneOrTwo):
    """You left twice alpha above it. In a table for two tails the column 2 alpha is the right one, since half of it lies on either side; in a table for one tail, and in scipy, ask for alpha itself."""

    @step("c_1", r"\min\{x : P($null \geq x) \leq 2\,$alpha\}")
    def one_sided_critical_value(self) -> Value:
        """Twice alpha in one tail."""
        return self.null.high(2 * self.alpha)


class OneSidedP(OneOrTwo):
    """That is the area of one tail. Carla claimed no direction: a t as far out on the other side would have supported her as well, so both tails count."""

    @step("p", r"P($null \geq |$statistic|)", over="$statistic")
    def pvalue(self) -> Value:
        """One tail."""
        return self.null.at_least(np.abs(self.statistic))


class BothTails(OneOrTwo):
    """You counted both tails. For Anna only a large positive t is evidence; a t as far out on the other side would have spoken for Ben. Her p-value is the area to the right of t alone."""

    @step("p_{>}", r"2\,P($null \geq |$statistic|)")
    def p_greater(self) -> Value:
        """Both tails."""
        return 2 * self.null.at_least(np.abs(self.statistic))


class OtherTail(OneOrTwo):
    """You took the area to the left of t. Extreme means: towards what is claimed. Anna claims that A is better, large t support her, so her area begins at t and goes to the right."""

    @step("p_{>}", r"P($null \leq $statistic)")
    def p_greater(self) -> Value:
        """To the left."""
        return self.null.at_most(self.statistic)


class HalvedWhateverTheSign(OneOrTwo):
    """You halved the two-sided p-value. That is right only if the difference points the way that was claimed; here it points the other way. The area that speaks for Ben lies to the left of t, and that is nearly everything."""

    @step("p_{<}", r"\frac{$pvalue}{2}")
    def p_less(self) -> Value:
        """Half of Carla's."""
        return self.pvalue / 2


class CarlasForBen(OneOrTwo):
    """That is Carla's p-value, both tails. Ben claimed a direction: for him only the values of t to the left of yours, and yours itself, are at least as extreme."""

    @step("p_{<}", "$pvalue")
    def p_less(self) -> Value:
        """Carla's."""
        return self.pvalue


class OneMinusTwoSided(OneOrTwo):
    """You subtracted the two-sided p-value from 1: that is the area between -t and t. To the left of t there is also the left tail: take away one tail only."""

    @step("p_{<}", r"1 - $pvalue")
    def p_less(self) -> Value:
        """The middle."""
        return 1 - self.pvalue


class AbsoluteT(OneOrTwo):
    """You compared |t| with a one-sided critical value. The bars throw the direction away, and the direction is all that a one-sided claim is about: a t far out on the wrong side is no evidence for it. Compare t itself, with its sign."""

    @step(
        r"\text{reject}_k",
        r"|$statistic| \geq $one_sided_critical_value \text{ (Anna and Ben)},\ |$statistic| \geq $critical_value \text{ (Carla)}",
        over="k",
        relation=r"\Leftrightarrow",
    )
    def rejects(self) -> Any:
        """Without the sign."""
        t, c = np.abs(self.statistic), self.one_sided_critical_value
        return np.array([t >= c, t >= c, t >= self.critical_value])


class LevelHopedFor(OneOrTwo):
    """That is the level Dora wrote down. It would hold if the side had been fixed beforehand; but she rejects when t lies far out on the right, and also when it lies far out on the left. Add the two."""

    @step(r"\alpha'", "$alpha")
    def level_after_looking(self) -> Value:
        """Alpha."""
        return np.float64(self.alpha)


class SignBothTails(OneOrTwo):
    """You doubled the tail. Anna fixed her direction beforehand: only many wins of A support her, few wins do not. One tail is all."""

    @step("p_{>}", r"2\,P($coins \geq $wins)")
    def sign_greater(self) -> Value:
        """Twice."""
        return 2 * self.coins.at_least(self.wins)


class CountLeftOut(OneOrTwo):
    """You added up the counts beyond yours and left out your own. At least as extreme includes what was observed. (In scipy binom.sf(w, n, 0.5) begins at w + 1.)"""

    @step("p_{>}", r"P($coins > $wins)")
    def sign_greater(self) -> Value:
        """Without the count itself."""
        return self.coins.at_least(self.wins + 1)


class PointForTail(OneOrTwo):
    """You took the probability of exactly this count. A p-value asks for a result at least as extreme: add the probabilities of all larger counts."""

    @step("p_{>}", r"P($coins = $wins)")
    def sign_greater(self) -> Value:
        """Only the count itself."""
        return self.coins.at_least(self.wins) - self.coins.at_least(self.wins + 1)


class OtherTailOfCoins(OneOrTwo):
    """You counted from your number of wins downwards. Many wins of A support Anna: begin at yours and go up. (You will need the other direction for Ben.)"""

    @step("p_{>}", r"P($coins \leq $wins)")
    def sign_greater(self) -> Value:
        """Downwards."""
        return self.coins.at_most(self.wins)


class RestOfOne(OneOrTwo):
    """You subtracted Anna's p-value from 1. For a curve that is right, but counts come in steps: the observed number of wins is as extreme as itself for Ben, too, and belongs to both tails."""

    @step("p_{<}", "1 - $sign_greater")
    def sign_less(self) -> Value:
        """The rest."""
        return 1 - self.sign_greater
