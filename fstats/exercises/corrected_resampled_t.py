"""Exercise: the corrected resampled t-test, and the naive one beside it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import sqrt

from .. import check
from ..grading.exercise import Exercise
from ..grading.mistake import Mistake
from ..grading.question import Choice, Option, Question, Section
from ..null import Normal, Value
from ..picture import BLUE, GREY, Curve, Picture, Points
from ..resampling.base import StudentOverSplits
from ..step import given, step

SPREAD = Section("01_paired_t", "Step 2. Differences, their mean, their spread")
DIVISOR = Section("01_paired_t", "Why n - 1?")
STATISTIC = Section("01_paired_t", "Step 3. The statistic: the mean, measured in its own uncertainty")
NULL = Section("01_paired_t", "Step 4. How far is far? The null distribution")
DECISION = Section("01_paired_t", "Step 5. Decide")
SHARED = Section("06_cross_validation_is_not_independent", "What do two splits share?")
UNCERTAIN = Section("06_cross_validation_is_not_independent", "How uncertain is the mean really?")
CORRECTION = Section("06_cross_validation_is_not_independent", "The correction, and where it comes from")


class BothErrors(StudentOverSplits):
    """Resampled t-tests: is A better than B, if the splits are taken for independent, and if they are not?"""

    n_train: Any = given("n_1", "Records to train, in each split.", check=check.positive)
    n_test: Any = given("n_2", "Records to test, in each split.", check=check.positive)

    @step(r"\mathrm{SE}_0", r"\frac{$sd}{\sqrt{$n}}")
    def naive_se(self) -> Value:
        """Standard error of the mean difference, if the splits were independent."""
        return self.sd / sqrt(self.n)

    @step("t_0", r"\frac{$mean}{$naive_se}")
    def naive_statistic(self) -> Value:
        """How many of these standard errors separate the mean difference from 0."""
        return self.mean / self.naive_se

    @step("p_0", r"2\,P($null \geq |$naive_statistic|)")
    def naive_pvalue(self) -> Value:
        """Two-sided p-value, if the splits were independent."""
        return 2 * self.null.at_least(abs(self.naive_statistic))

    @step("q", r"\frac{$n_test}{$n_train}")
    def test_by_train(self) -> Value:
        """Records to test, by records to train."""
        return self.n_test / self.n_train

    @step("f", r"\frac{1}{$n} + $test_by_train")
    def factor(self) -> Value:
        """By what the variance of one difference is multiplied to give that of the mean."""
        return 1 / self.n + self.test_by_train

    @step(r"\mathrm{SE}", r"\sqrt{$factor}\,$sd")
    def se(self) -> Value:
        """Corrected standard error of the mean difference, for splits that share records."""
        return sqrt(self.factor) * self.sd

    @step("J_*", r"\frac{1}{$factor}", after=True)
    def worth(self) -> Value:
        """How many independent splits would tell as much as these do."""
        return 1 / self.factor


class DividedByN(BothErrors):
    """You divided the sum of squares by J. The deviations are taken from the mean of the very same differences and come out too small; J - 1 puts that right. (numpy's std divides by J, too, unless you say ddof=1.)"""

    @step("s_d", r"\sqrt{\frac{1}{$n} \sum_i ($d - $mean)^2}")
    def sd(self) -> Value:
        """Standard deviation with J."""
        return sqrt(((self.d - self.mean) ** 2).sum() / self.n)


class VarianceForSd(BothErrors):
    """That is the variance, whose unit is the square of a percentage point. The standard deviation is its root, in the unit of the differences."""

    @step("s_d", r"\frac{1}{$n - 1} \sum_i ($d - $mean)^2")
    def sd(self) -> Value:
        """Variance."""
        return ((self.d - self.mean) ** 2).sum() / (self.n - 1)


class NoRootOfJ(BothErrors):
    """You divided by J, not by its root. Even for independent splits, four times as many halve the standard error; they do not quarter it."""

    @step(r"\mathrm{SE}_0", r"\frac{$sd}{$n}")
    def naive_se(self) -> Value:
        """Divided by J."""
        return self.sd / self.n


class DegreesJ(BothErrors):
    """One degree of freedom is spent on the mean, from which the deviations are measured: J - 1 are left."""

    @step(r"\nu", "$n")
    def df(self) -> int:
        """All J."""
        return self.n


class NormalForT(BothErrors):
    """That value belongs to the normal distribution. The standard deviation was estimated from a few splits; Student's curve knows that, and has heavier tails."""

    @step("T_0", r"\mathrm{Normal}(0, 1)", relation=r"\sim")
    def null(self) -> Any:
        """Normal distribution."""
        return Normal(0.0, 1.0)


class ShareOfAll(BothErrors):
    """You divided by all records. That share is the correlation that Nadeau and Bengio assume between two splits; what enters the variance is the correlation by one less the correlation, and in that quotient the total cancels: records to test, by records to train."""

    @step("q", r"\frac{$n_test}{$n_train + $n_test}")
    def test_by_train(self) -> Value:
        """Share of the records that are tested."""
        return self.n_test / (self.n_train + self.n_test)


class UpsideDown(BothErrors):
    """Your ratio stands on its head. With it the mean over all splits would be less certain than the difference on one split alone, which cannot be. Records to test stand on top."""

    @step("q", r"\frac{$n_train}{$n_test}")
    def test_by_train(self) -> Value:
        """Train by test."""
        return self.n_train / self.n_test


class ForgotTheSplits(BothErrors):
    """1/J is missing. The ratio is what remains if you draw splits without end; the chance that lies in drawing only J of them comes on top."""

    @step("f", "$test_by_train")
    def factor(self) -> Value:
        """Without 1/J."""
        return self.test_by_train


class Product(BothErrors):
    """You multiplied, which makes the error smaller than the naive one. The two sources of chance, the few splits and the one data set, add up: their variances are summed."""

    @step("f", r"\frac{1}{$n} \cdot $test_by_train")
    def factor(self) -> Value:
        """Product for sum."""
        return self.test_by_train / self.n


class StillNaive(BothErrors):
    """That is still the standard error of independent splits. It shrinks with every split that you draw, though no new record ever comes in. Multiply the variance by your sum of two parts, in the place of 1/J."""

    @step(r"\mathrm{SE}", r"\frac{$sd}{\sqrt{$n}}")
    def se(self) -> Value:
        """Naive."""
        return self.sd / sqrt(self.n)


class OutsideTheRoot(BothErrors):
    """You took the root of 1/J alone, and added the ratio behind it. The correction belongs to the variance: sum first, one root over both."""

    @step(r"\mathrm{SE}", r"\left(\frac{1}{\sqrt{$n}} + $test_by_train\right)\,$sd")
    def se(self) -> Value:
        """Correction outside the root."""
        return (1 / sqrt(self.n) + self.test_by_train) * self.sd


class NoRoot(BothErrors):
    """The root is missing. The sum multiplies the variance; the standard deviation, its root, is multiplied by the root of the sum."""

    @step(r"\mathrm{SE}", "$factor\\,$sd")
    def se(self) -> Value:
        """Without root."""
        return self.factor * self.sd


class DividedTwice(BothErrors):
    """You divided by the root of J once more. The 1/J within the sum has done that already, and for the shared part no number of splits does it."""

    @step(r"\mathrm{SE}", r"\sqrt{$factor}\,\frac{$sd}{\sqrt{$n}}")
    def se(self) -> Value:
        """Divided by J twice."""
        return sqrt(self.factor) * self.sd / sqrt(self.n)


class OneTail(BothErrors):
    """That is the probability of one tail. Two-sided, B ahead by as much would have been just as extreme: both tails count."""

    @step("p", r"P($null \geq |$statistic|)", over="$statistic")
    def pvalue(self) -> Value:
        """One tail."""
        return self.null.at_least(abs(self.statistic))


def splits(test: BothErrors) -> Picture:
    """The difference on each split."""
    d, place = test.d, np.arange(1.0, len(test.d) + 1)
    ends = (0.5, len(d) + 0.5)
    marks = Curve(np.array(ends), np.zeros(2), GREY), Points(place, d, BLUE)
    text = f"Differences on {len(d)} splits, A minus B in percentage points: {', '.join(f'{x:g}' for x in d)}."
    limits = (min(0.0, float(d.min())) - 1, max(0.0, float(d.max())) + 1)
    return Picture("Score of A less score of B", "split", "percentage points", ends, limits, marks, text, whole_x=True)


PLANS = ((200, 10), (200, 12), (400, 10), (500, 20), (900, 15), (900, 16))  # others would hardly tell some mistakes apart


def draw(rng: np.random.Generator) -> dict[str, Any]:
    """Whole percentage points; the naive test rejects them clearly, the corrected one does not."""
    n_train, n = PLANS[rng.integers(len(PLANS))]
    while True:
        d = np.round(rng.choice([-1, 1]) * rng.uniform(1, 3) + rng.normal(0, rng.uniform(2, 3), n)).astype(int)
        test = BothErrors(d, n_train, 100)
        if test.sd and test.naive_pvalue < 0.03 and 0.07 < test.pvalue < 0.5:
            return {"d": d, "n_train": n_train, "n_test": 100}


EXERCISE = Exercise(
    name="corrected_resampled_t",
    test=BothErrors,
    given={"d": [2, 0, 3, 5, -1, 2, 4, -3, 1, 3, 2, 5, -2, 2, 4], "n_train": 900, "n_test": 100},
    draw=draw,
    picture=splits,
    questions=(
        Question("q1", "mean", SPREAD),
        Question("q2", "sd", SPREAD),
        Question("q3", "naive_se", STATISTIC),
        Question("q4", "naive_statistic", STATISTIC),
        Question("q5", "df", NULL),
        Question("q6", "naive_pvalue", NULL),
        Choice(
            "q7",
            "Why is the naive standard error too small?",
            (
                Option(
                    "The splits share records, so that their differences are alike, and each further split brings less news than it seems to.",
                    "Differences that are alike because they come from the same records have a small spread, and that is taken for precision.",
                ),
                Option(
                    "There are too few splits to estimate a standard deviation; with some thirty of them the naive test would be right.",
                    "Few splits are what Student's t is made for. With more splits of the same records the naive test gets worse: it divides by the root of J as if records came in.",
                    "more splits taken for more data",
                ),
                Option(
                    "The two algorithms are tested on the same records in each split, so that their scores are not independent of each other.",
                    "That is pairing, and it helps: the difference takes out what both scores share. What hurts is what two splits share.",
                    "pairing taken for the trouble",
                ),
            ),
            SHARED,
        ),
        Question("q8", "test_by_train", CORRECTION),
        Question("q9", "factor", CORRECTION),
        Question("q10", "se", CORRECTION),
        Question("q11", "statistic", CORRECTION),
        Question("q12", "pvalue", NULL),
        Question("q13", "reject", DECISION),
        Question("q14", "worth", UNCERTAIN),
        Choice(
            "q15",
            "Suppose you drew ten times as many splits of these records. What would become of the two standard errors?",
            (
                Option(
                    "The naive one would shrink to about a third, the corrected one only towards a floor that the ratio of the sizes sets.",
                    "1/J goes to 0 and the ratio stays. One data set holds only so much information, however often you cut it.",
                ),
                Option(
                    "Both would shrink to about a third: ten times as many differences make any mean steadier by the root of ten.",
                    "Any mean of independent differences. The part that the splits share is in all of them, and does not average out.",
                    "more splits taken for more data, corrected",
                ),
                Option(
                    "The naive one would shrink to about a third, the corrected one would grow, because more splits share more records.",
                    "Any two splits share as much as before. More of them cannot make the mean less certain; they only stop to help.",
                    "more splits taken for a larger error",
                ),
            ),
            UNCERTAIN,
        ),
    ),
    mistakes=(
        Mistake(DividedByN, "divided by J for J - 1", DIVISOR, ("q2", "q3", "q4", "q6")),
        Mistake(VarianceForSd, "variance for standard deviation", SPREAD),
        Mistake(NoRootOfJ, "J for its square root", STATISTIC),
        Mistake(DegreesJ, "J degrees of freedom", NULL, ("q5", "q6")),
        Mistake(NormalForT, "normal for Student's t", NULL),
        Mistake(ShareOfAll, "divided by all records", CORRECTION),
        Mistake(UpsideDown, "training by test records", CORRECTION),
        Mistake(ForgotTheSplits, "1/J forgotten", CORRECTION),
        Mistake(Product, "product for sum", CORRECTION),
        Mistake(StillNaive, "splits taken as independent", CORRECTION),
        Mistake(OutsideTheRoot, "correction outside the root", CORRECTION),
        Mistake(NoRoot, "the root of the sum is missing", CORRECTION),
        Mistake(DividedTwice, "divided by the root of J twice", CORRECTION),
        Mistake(OneTail, "p-value of one tail", NULL),
    ),
)
