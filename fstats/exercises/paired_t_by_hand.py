"""Exercise: the paired t-test, line by line."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import sqrt

from .. import plot
from ..grading.exercise import Exercise
from ..grading.mistake import Mistake
from ..grading.question import Choice, Option, Question, Section
from ..null import Array, Normal, Value
from ..pairwise.paired_t import PairedT
from ..step import step

DIFFERENCES = Section("01_paired_t", "Step 2. Differences, their mean, their spread")
DIVISOR = Section("01_paired_t", "Why n - 1?")
STATISTIC = Section("01_paired_t", "Step 3. The statistic: the mean, measured in its own uncertainty")
NULL = Section("01_paired_t", "Step 4. How far is far? The null distribution")
DECISION = Section("01_paired_t", "Step 5. Decide")
PAIRING = Section("01_paired_t", "What does pairing buy?")


class TheOtherWayRound(PairedT):
    """You took B minus A. Then a positive number means that B is better, and every sign below is turned round. Agree on a direction, and keep it: A minus B, positive where A is better."""

    @step("d_i", "$b - $a", over="i")
    def d(self) -> Array:
        """Difference, the wrong way round."""
        return self.b - self.a


class DividedByN(PairedT):
    """You divided the sum of squares by n. The deviations are taken from the mean of the very same data, which lies in their middle, so they come out too small; dividing by n - 1 puts that right. (numpy's std divides by n, too, unless you say ddof=1.)"""

    @step("s_d", r"\sqrt{\frac{1}{$n} \sum_i ($d - $mean)^2}")
    def sd(self) -> Value:
        """Standard deviation with n."""
        return sqrt(((self.d - self.mean) ** 2).sum(0) / self.n)


class VarianceForSd(PairedT):
    """That is the variance: its unit is the square of a score. The standard deviation is its square root, in the unit of the scores."""

    @step("s_d", r"\frac{1}{$n - 1} \sum_i ($d - $mean)^2")
    def sd(self) -> Value:
        """Variance."""
        return ((self.d - self.mean) ** 2).sum(0) / (self.n - 1)


class NoRootOfN(PairedT):
    """The square root of n is missing: that is how far one difference strays, not how far the mean of n of them does. A mean is steadier than its parts."""

    @step(r"\mathrm{SE}", "$sd")
    def se(self) -> Value:
        """Spread of single differences."""
        return self.sd


class DividedByNForRoot(PairedT):
    """You divided by n, not by its square root. Four times as many data sets halve the standard error, they do not quarter it."""

    @step(r"\mathrm{SE}", r"\frac{$sd}{$n}")
    def se(self) -> Value:
        """Divided by n."""
        return self.sd / self.n


class Unpaired(PairedT):
    """That is the standard error for two independent samples. It holds the differences between easy and hard data sets against the classifiers; on the same data sets, look at the spread of the differences."""

    @step(r"\mathrm{SE}", r"\sqrt{\frac{s_A^2 + s_B^2}{$n}},\ s_A^2 \text{ and } s_B^2 \text{ of } $a \text{ and } $b")
    def se(self) -> Value:
        """Two independent samples."""
        return sqrt((np.var(self.a, axis=0, ddof=1) + np.var(self.b, axis=0, ddof=1)) / self.n)


class DegreesN(PairedT):
    """One degree of freedom is spent on the mean, from which the deviations are measured: n - 1 are left."""

    @step(r"\nu", "$n")
    def df(self) -> int:
        """All n."""
        return self.n


class DegreesOfTwoSamples(PairedT):
    """Those are the degrees of freedom of two independent samples. Here there are only n numbers, the differences, and one mean of them."""

    @step(r"\nu", "2 $n - 2")
    def df(self) -> int:
        """Those of two samples."""
        return 2 * self.n - 2


class NormalForT(PairedT):
    """That value belongs to the normal distribution. The standard deviation was estimated from few data, which makes extreme values of t more frequent; Student's curve knows that."""

    @step("T_0", r"\mathrm{Normal}(0, 1)", relation=r"\sim")
    def null(self) -> Any:
        """Normal distribution."""
        return Normal(0.0, 1.0)


class OneTail(PairedT):
    """That leaves alpha in one tail. A two-sided test has to share alpha between the two: alpha / 2 on either side."""

    @step("c", r"\min\{x : P($null \geq x) \leq $alpha\}")
    def critical_value(self) -> Any:
        """One-tailed critical value."""
        return self.null.high(self.alpha)


class OneSidedP(PairedT):
    """That is the probability of one tail. Two-sided, a difference as large in the other direction would have been just as extreme: both tails count."""

    @step("p", r"P($null \geq |$statistic|)", over="$statistic")
    def pvalue(self) -> Value:
        """One tail."""
        return self.null.at_least(abs(self.statistic))


class ProbabilityOfTheRest(PairedT):
    """You have 1 - p: how often chance alone gives something less extreme. It is neither the p-value nor the probability that the classifiers differ."""

    @step("p", r"1 - 2\,P($null \geq |$statistic|)", over="$statistic")
    def pvalue(self) -> Value:
        """The rest."""
        return 1 - 2 * self.null.at_least(abs(self.statistic))


def draw(rng: np.random.Generator) -> dict[str, Any]:
    """Whole percents of six to eight data sets that differ more from each other than the classifiers do."""
    n = int(rng.integers(6, 9))
    level = rng.integers(62, 92, n)
    while True:
        d = rng.integers(-7, 8, n) + int(rng.choice([-1, 1]))
        p = float(PairedT(level + d, level).pvalue)
        if 0.06 < p < 0.6:  # not rejected, and not by a hair
            return {"a": level + d, "b": level}


EXERCISE = Exercise(
    name="paired_t_by_hand",
    test=PairedT,
    given={"a": [85, 70, 79, 78, 83], "b": [87, 68, 85, 75, 83]},
    draw=draw,
    picture=plot.scores,
    questions=(
        Question("q1", "d", DIFFERENCES),
        Question("q2", "mean", DIFFERENCES),
        Question("q3", "sd", DIFFERENCES),
        Question("q4", "se", STATISTIC),
        Question("q5", "statistic", STATISTIC),
        Question("q6", "df", NULL),
        Question("q7", "critical_value", NULL),
        Question("q8", "pvalue", NULL),
        Question("q9", "reject", DECISION),
        Choice(
            "q10",
            "What does the p-value of this test tell?",
            (
                Option(
                    "How often data at least as extreme as these would turn up if the true mean difference were 0.",
                    "The p-value speaks of data, given the hypothesis.",
                ),
                Option(
                    "The probability that the null hypothesis is true.",
                    "The p-value is computed as if the null hypothesis were true; it cannot also be the probability of that. To know P(H0) you would have to say how likely it was before.",
                    "p read as P(H0)",
                ),
                Option(
                    "The probability that the result was an error.",
                    "How often a true null hypothesis is rejected is alpha, and it was chosen beforehand; how often a rejection is an error depends also on how often null hypotheses are true.",
                    "p read as the probability of an error",
                ),
                Option(
                    "How large the difference is: a small p means a large difference.",
                    "A tiny difference has a tiny p-value as soon as there are enough data sets. How large it is, the confidence interval tells.",
                    "p read as the size of the effect",
                ),
            ),
            DECISION,
        ),
    ),
    mistakes=(
        Mistake(TheOtherWayRound, "the sign: B minus A", DIFFERENCES),
        Mistake(DividedByN, "divided by n", DIVISOR),
        Mistake(VarianceForSd, "variance for standard deviation", DIFFERENCES),
        Mistake(NoRootOfN, "the square root of n is missing", STATISTIC),
        Mistake(DividedByNForRoot, "n for its square root", STATISTIC),
        Mistake(Unpaired, "unpaired for paired", PAIRING),
        Mistake(DegreesN, "n degrees of freedom", NULL),
        Mistake(DegreesOfTwoSamples, "degrees of freedom of two samples", PAIRING),
        Mistake(NormalForT, "normal for Student's t", NULL),
        Mistake(OneTail, "critical value of one tail", DECISION),
        Mistake(OneSidedP, "p-value of one tail", NULL),
        Mistake(ProbabilityOfTheRest, "1 - p for p", NULL),
    ),
)
