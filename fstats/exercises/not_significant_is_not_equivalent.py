"""Exercise: a test that fails to reject has not shown equality; what would."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import sqrt

from .. import check, plot
from ..grading.exercise import Exercise
from ..grading.mistake import Mistake
from ..grading.question import Choice, Option, Question, Section
from ..null import Array, Interval, Normal, Value
from ..pairwise.equivalence import EquivalenceT
from ..pairwise.paired_t import PairedT
from ..step import given, step

SPREAD = Section("01_paired_t", "Step 2. Differences, their mean, their spread")
STANDARD_ERROR = Section("01_paired_t", "Step 3. The statistic: the mean, measured in its own uncertainty")
NULL = Section("01_paired_t", "Step 4. How far is far? The null distribution")
DECISION = Section("01_paired_t", "Step 5. Decide")
EQUIVALENT = Section("01_paired_t", "The question that the slide asks: are they equivalent?")
SIZE = Section("01_paired_t", "How many data sets do I need?")
NOT_EQUAL = Section("09_which_test", "Not significant is not equal")


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

    @step("d_i", "$b - $a", over="i")
    def d(self) -> Array:
        """Difference, the wrong way round."""
        return self.b - self.a


class DividedByN(PairedT):
    """Your standard deviation divides by n. The deviations are taken from the mean of the very same data and come out too small; n - 1 puts that right (in numpy: ddof=1). Too small an error is dangerous just here: it makes two classifiers look alike."""

    @step("s_d", r"\sqrt{\frac{1}{$n} \sum_i ($d - $mean)^2}")
    def sd(self) -> Value:
        """Standard deviation with n."""
        return sqrt(((self.d - self.mean) ** 2).sum(0) / self.n)


class NoRootOfN(PairedT):
    """That is the standard deviation: how far one difference strays. The mean of n differences strays less, by the square root of n."""

    @step(r"\mathrm{SE}", "$sd")
    def se(self) -> Value:
        """Spread of single differences."""
        return self.sd


class NormalForT(PairedT):
    """You took the normal distribution. Few data estimate their own spread badly; Student's curve with n - 1 degrees of freedom knows that, and its intervals are wider."""

    @step("T_0", r"\mathrm{Normal}(0, 1)", relation=r"\sim")
    def null(self) -> Any:
        """Normal distribution."""
        return Normal(0.0, 1.0)


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

    @step("c", r"\min\{x : P($null \geq x) \leq $alpha\}")
    def critical_value(self) -> Any:
        """Alpha at either end."""
        return self.null.high(self.alpha)


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


def draw(rng: np.random.Generator) -> dict[str, Any]:
    """Whole percents of six to nine data sets that show neither a difference nor equivalence, though one of the two tests would reject."""
    while True:
        n = int(rng.integers(6, 10))
        level, d = rng.integers(62, 92, n), rng.integers(-5, 6, n)
        test = Alike(level + d, level, margin=float(rng.integers(2, 4)))
        p = sorted(test.null.at_least(t) for t in (test.t_low, test.t_high))
        if PairedT(level + d, level).pvalue > 0.15 and p[0] < 0.04 and 0.08 < p[1] < 0.45:
            return {"a": level + d, "b": level, "margin": test.margin}


EXERCISE = Exercise(
    name="not_significant_is_not_equivalent",
    test=Alike,
    given={"a": [84, 72, 91, 73, 74, 87, 71, 80], "b": [81, 74, 90, 68, 77, 85, 72, 79], "margin": 2.0},
    draw=draw,
    picture=plot.scores,
    questions=(
        Question("q1", "mean", SPREAD, of=PairedT),
        Question("q2", "se", STANDARD_ERROR, of=PairedT),
        Question("q3", "pvalue", DECISION, of=PairedT),
        Choice(
            "q4",
            "The test fails to reject. What has it told about A and B?",
            (
                Option(
                    "Not much: equal classifiers often give data like these, and so may unequal ones.",
                    "The p-value looks at the data from one hypothesis only. How well others fit, the interval will tell.",
                ),
                Option(
                    "That they are equally good, and p is the probability of it.",
                    "p is worked out as if they were equal, so it cannot tell how probable that is. It speaks of data, not of hypotheses.",
                    "p read as the probability of equality",
                ),
                Option(
                    "That they are equally good, with a confidence of 1 - p.",
                    "1 - p is how often equal classifiers give data that are less extreme. The better the data fit equality, the smaller it gets!",
                    "1 - p read as the probability of equality",
                ),
                Option(
                    "That there is no difference, or the test would have found it.",
                    "A test on few data sets misses most differences. Not having found one is not having shown that there is none.",
                    "absence of evidence read as evidence of absence",
                ),
            ),
            NOT_EQUAL,
        ),
        Question("q5", "ci", DECISION, of=PairedT),
        Question("q6", "t_low", EQUIVALENT),
        Question("q7", "t_high", EQUIVALENT),
        Question("q8", "statistic", EQUIVALENT),
        Question("q9", "pvalue", EQUIVALENT),
        Question("q10", "reject", EQUIVALENT),
        Question("q11", "ci", EQUIVALENT),
        Question("q12", "margin_shown", EQUIVALENT),
        Choice(
            "q13",
            "A colleague sees your last answer and writes: 'equivalent within this margin (p = 0.05)'. What do you say?",
            (
                Option(
                    "The margin was fitted to the data; chosen so, any data show equivalence within something.",
                    "A margin is an opinion on what matters, and the data have none. Fixed afterwards, the level 0.05 means nothing.",
                ),
                Option(
                    "It is in order: at this margin the equivalence test rejects at the level 0.05.",
                    "It rejects because the margin was put where it just does. The level holds for a margin that did not know the data.",
                    "margin chosen after the data",
                ),
                Option(
                    "It becomes sound as soon as the margin is rounded up to whole points.",
                    "Rounding up hides that the margin came from the data; it does not undo it.",
                ),
            ),
            NOT_EQUAL,
        ),
        Question("q14", "size", SIZE),
        Choice(
            "q15",
            "Which study shows a difference and yet shows that it does not matter?",
            (
                Option("Study Q", "Its intervals leave out 0 and lie within the margins: significant, and equivalent."),
                Option("Study P", "Its interval holds 0 and reaches beyond a margin: neither is shown.", "undecided read as equivalent"),
                Option("Study R", "Its interval leaves out 0, but lies beyond the margin: a difference that matters."),
                Option("Study S", "Its interval lies within the margins, but holds 0: alike, and no difference shown."),
            ),
            EQUIVALENT,
        ),
    ),
    mistakes=(
        Mistake(TheOtherWayRound, "the sign: B minus A", SPREAD),
        Mistake(DividedByN, "divided by n", SPREAD, only=("q2",)),
        Mistake(NoRootOfN, "standard deviation for standard error", STANDARD_ERROR, only=("q2",)),
        Mistake(NormalForT, "normal for Student's t", NULL),
        Mistake(OneTail, "p-value of one tail", DECISION),
        Mistake(SdInInterval, "interval with the standard deviation", DECISION),
        Mistake(NinetyForNinetyFive, "90 % interval for 95 %", DECISION),
        Mistake(MarginLeftOut, "the margin is left out", EQUIVALENT, only=("q6",)),
        Mistake(WrongMargin, "the other margin", EQUIVALENT, only=("q6",)),
        Mistake(UpsideDown, "the sign at the upper margin", EQUIVALENT, only=("q7",)),
        Mistake(EasierTest, "only the easier one of the two tests", EQUIVALENT, only=("q8", "q9")),
        Mistake(Doubled, "doubled the p-value of two one-sided tests", EQUIVALENT, only=("q9",)),
        Mistake(NinetyFiveForNinety, "95 % interval for 90 %", EQUIVALENT, only=("q11", "q12")),
        Mistake(HalfWidth, "half the width of the interval", EQUIVALENT),
        Mistake(PowerOfOneTest, "the power of one test for that of two", SIZE),
        Mistake(LevelShared, "half of alpha for a one-sided test", SIZE),
    ),
)
