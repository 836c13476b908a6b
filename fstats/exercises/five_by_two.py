"""Exercise: ten differences of five times two-fold cross-validation, and three tests that use them differently."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import sqrt

from ..check import ratio
from ..grading.exercise import Exercise
from ..grading.mistake import Mistake
from ..grading.question import Choice, Option, Question, Section
from ..null import Array, FisherF, Value
from ..picture import BLUE, GREY, VERMILLION, Curve, Picture, Points
from ..resampling.five_by_two_f import CombinedFiveByTwoF
from ..resampling.five_by_two_t import FiveByTwoT
from ..step import step

DIETTERICH = Section("07_five_by_two", "Dietterich's t (1998)")
NUMBERING = Section("07_five_by_two", "Ten tests in one")
ALPAYDIN = Section("07_five_by_two", "Alpaydin's F (1999)")
YILDIZ = Section("07_five_by_two", "Yildiz' combined t (2013)")
LEVEL = Section("07_five_by_two", "How often do they reject a true hypothesis?")
WRONG = Section("07_five_by_two", "What can go wrong")
TAILS = Section("01_paired_t", "Step 4. How far is far? The null distribution")


class ThreeTests(FiveByTwoT):
    """Dietterich's t, Alpaydin's F and Yildiz' combined t: what do three tests say about the same ten differences?"""

    # One class for the three, because what is wrong in the variances goes on into all of them.

    @step("c_d", r"$critical_value \cdot $se", after=True)
    def reach(self) -> Value:
        """How far from 0 the one difference must lie for Dietterich's t to reject."""
        return self.critical_value * self.se

    @step(r"\text{numbering decides}", r"\min_{ik} |$d| < $reach \leq \max_{ik} |$d|", relation=r"\Leftrightarrow", after=True)
    def numbering_decides(self) -> np.bool:
        """Whether some of the ten differences would reject as the first one, and others would not."""
        return np.bool((abs(self.d) >= self.reach).any() and (abs(self.d) < self.reach).any())

    sum_of_squares = CombinedFiveByTwoF.sum_of_squares

    @step("F", r"\frac{$sum_of_squares}{2 \sum_i $variances}", after=True)
    def f(self) -> Value:
        """Alpaydin's F: sum of the ten squares, by twice the sum of the five variances."""
        return ratio(self.sum_of_squares, 2 * self.variances.sum())

    @step(r"\nu_1,\, \nu_2", r"(\#\{(i, k) : $d\},\ \#\{i : $variances\})", over="v", after=True)
    def f_degrees(self) -> Array:
        """Degrees of freedom of F, above and below: one for each square, one for each variance."""
        return np.array([self.d.size, len(self.variances)])

    @step("p_F", r"P(F_{$f_degrees} \geq $f)", after=True)
    def f_pvalue(self) -> Value:
        """Probability, if H0 is true, of an F at least as large as this one."""
        return FisherF(*self.f_degrees).at_least(self.f)

    @step(r"t_{\mathrm{comb}}", r"\frac{\sqrt{10} \cdot \frac{1}{10} \sum_{ik} $d}{$se}", after=True)
    def combined(self) -> Value:
        """Yildiz' combined t: the mean of all ten, with a tenth of the variance of one difference."""
        return ratio(sqrt(10) * self.d.sum() / 10, self.se)

    @step(r"p_{\mathrm{comb}}", r"2\,P($null \geq |$combined|)", after=True)
    def combined_pvalue(self) -> Value:
        """Two-sided p-value of the combined t, on the same distribution as Dietterich's t."""
        return 2 * self.null.at_least(abs(self.combined))


class HalfTheSum(ThreeTests):
    """You divided the sum of the two squared deviations by 2. The mean of two numbers lies exactly between them, so their deviations come out too small; the divisor is 2 - 1 = 1, and nothing is left to divide by."""

    @step("s_i^2", r"\frac{1}{2} \sum_k ($d - $means)^2", over="i")
    def variances(self) -> Array:
        """Mean of the squared deviations."""
        return ((self.d - self.means[:, np.newaxis]) ** 2).sum(1) / 2


class WholeSquare(ThreeTests):
    """That is the squared distance between the two folds. Each fold lies only half that distance from their mean: two squared halves make half of the square. Measure from the mean of the repetition."""

    @step("s_i^2", "(d_{i1} - d_{i2})^2 \\text{ of } $d", over="i")
    def variances(self) -> Array:
        """Squared distance of the two folds."""
        return (self.d[:, 0] - self.d[:, 1]) ** 2


class NoRoot(ThreeTests):
    """That is the mean of the five variances; its unit is the square of a percentage point. What stands below a difference has to be in the same unit: take the root."""

    @step(r"\mathrm{SE}", r"\frac{1}{5} \sum_i $variances")
    def se(self) -> Value:
        """Mean variance."""
        return self.variances.sum() / 5


class MeanOfRoots(ThreeTests):
    """You took five roots and averaged them. Variances are averaged first, and the root of their mean comes last: a mean of roots is too small."""

    @step(r"\mathrm{SE}", r"\frac{1}{5} \sum_i \sqrt{$variances}")
    def se(self) -> Value:
        """Mean of the standard deviations."""
        return sqrt(self.variances).sum() / 5


class MeanForFirst(ThreeTests):
    """That is the mean of all ten differences. It looks like the better estimate, but the ten share records, so nobody knows how far their mean strays; the variances tell it for one difference only. Dietterich takes the first."""

    @step("d_{11}", r"\frac{1}{10} \sum_{ik} $d")
    def estimate(self) -> Value:
        """Mean of all ten."""
        return self.d.sum() / 10


class PairedTOfTen(ThreeTests):
    """That is the paired t-test over ten differences. It takes them for independent, but all ten come from the same records, and its standard error is far too small. Divide the one difference by the standard error that you have."""

    @step("t", r"\frac{\sqrt{10}\,\bar d}{s_d},\ \bar d \text{ and } s_d \text{ of the ten } $d")
    def statistic(self) -> Value:
        """Paired t over all ten."""
        return sqrt(10) * self.d.mean() / self.d.std(ddof=1)


class DegreesNine(ThreeTests):
    """Ten less one would be right for the standard deviation of ten independent differences. The standard error here is made of the variances, and each of them, of two numbers around their mean, brings one degree of freedom."""

    @step(r"\nu", r"\#\{(i, k) : $d\} - 1")
    def df(self) -> int:
        """Ten less one."""
        return self.d.size - 1


class DegreesTen(ThreeTests):
    """You counted the ten differences. Each repetition spends one of its two on its own mean; what is left is one degree of freedom for each variance."""

    @step(r"\nu", r"\#\{(i, k) : $d\}")
    def df(self) -> int:
        """Ten."""
        return self.d.size


class OneTail(ThreeTests):
    """That is the probability of one tail. Two-sided, a difference as large in favour of the other algorithm would have been just as extreme: both tails count."""

    @step("p", r"P($null \geq |$statistic|)", over="$statistic")
    def pvalue(self) -> Value:
        """One tail."""
        return self.null.at_least(abs(self.statistic))


class SquareOfTheSum(ThreeTests):
    """You summed first and squared then: differences of opposite sign would cancel, and ten alike would count ten times over. F takes each difference on its own: square first, then sum."""

    @step("Q", r"\left(\sum_{ik} $d\right)^2")
    def sum_of_squares(self) -> Value:
        """Square of the sum."""
        return self.d.sum() ** 2


class NoTwo(ThreeTests):
    """The 2 below is missing. F compares two means: that of ten squares with that of five variances. (1/10) over (1/5) leaves a 2 below."""

    @step("F", r"\frac{$sum_of_squares}{\sum_i $variances}")
    def f(self) -> Value:
        """Sum by sum."""
        return self.sum_of_squares / self.variances.sum()


class DegreesExchanged(ThreeTests):
    """You have them the other way round. Those of the numerator come first, and on top stand the squares of the differences; the variances stand below. F with exchanged degrees of freedom is another curve."""

    @step(r"\nu_1,\, \nu_2", r"(\#\{i : $variances\},\ \#\{(i, k) : $d\})", over="v")
    def f_degrees(self) -> Array:
        """Exchanged."""
        return np.array([len(self.variances), self.d.size])


class DoubledF(ThreeTests):
    """You doubled the tail. Squares have lost their sign: both directions make F large, so the upper tail alone is already two-sided."""

    @step("p_F", r"2\,P(F_{$f_degrees} \geq $f)")
    def f_pvalue(self) -> Value:
        """Twice the tail."""
        return 2 * FisherF(*self.f_degrees).at_least(self.f)


class NoRootOfTen(ThreeTests):
    """The root of 10 is missing. The combined t takes the mean of ten for as steady as if they were independent: its variance is a tenth of that of one difference, and its standard error smaller by the root of 10."""

    @step(r"t_{\mathrm{comb}}", r"\frac{\frac{1}{10} \sum_{ik} $d}{$se}")
    def combined(self) -> Value:
        """Mean by the standard error of one."""
        return self.d.sum() / 10 / self.se


def halves(test: ThreeTests) -> Picture:
    """The differences as they come, both folds of a repetition above each other."""
    place, (one, two) = np.arange(1.0, 6), test.d.T
    low, high = min(0.0, float(test.d.min())), max(0.0, float(test.d.max()))
    zero = Curve(np.array([0.5, 5.5]), np.zeros(2), GREY)
    marks = zero, Points(place, one, BLUE, "fold 1"), Points(place, two, VERMILLION, "fold 2", open=True)
    words = [f"repetition {i + 1}: {x:g} and {y:g}" for i, (x, y) in enumerate(test.d)]
    text = f"Differences of five repetitions with two folds each, A minus B in percentage points; {', '.join(words)}."
    unit = "percentage points"
    return Picture("Score of A less score of B", "repetition", unit, (0.5, 5.5), (low - 1, high + 1), marks, text, whole_x=True)


def draw(rng: np.random.Generator) -> dict[str, Any]:
    """Whole percentage points that lean to one side; the mean of ten convinces the combined t, the first one not Dietterich's."""
    while True:
        d = np.round(rng.choice([-1, 1]) * rng.uniform(1.5, 4) + rng.normal(0, 1, (5, 1)) + rng.normal(0, 2.5, (5, 2)))
        test = ThreeTests(d)
        if test.variances.any() and 0.07 < test.pvalue < 0.6 and test.combined_pvalue < 0.03 and not 0.04 < test.f_pvalue < 0.06:
            return {"d": d.astype(int)}


EXERCISE = Exercise(
    name="five_by_two",
    test=ThreeTests,
    given={"d": [[2, 5], [1, 4], [4, 3], [0, 4], [7, 3]]},
    draw=draw,
    picture=halves,
    questions=(
        Question("q1", "variances", DIETTERICH),
        Question("q2", "se", DIETTERICH),
        Question("q3", "estimate", DIETTERICH),
        Question("q4", "statistic", DIETTERICH),
        Question("q5", "df", DIETTERICH),
        Question("q6", "pvalue", TAILS),
        Question("q7", "reject", DIETTERICH),
        Question("q8", "reach", NUMBERING),
        Question("q9", "numbering_decides", NUMBERING),
        Choice(
            "q10",
            "Why does only one of the ten differences stand on top of Dietterich's t?",
            (
                Option(
                    "The variances tell how far one difference strays; how far the mean of ten strays, nobody knows, because they share records.",
                    "Five repetitions cut the same records, so the ten are correlated, and the variance of their mean is not a tenth of one variance.",
                ),
                Option(
                    "The first difference is the most trustworthy, because both algorithms are still untouched by earlier repetitions.",
                    "Each fold trains anew, and all ten are alike. That the first was chosen is arbitrary, as you saw at q9; that it is one is not.",
                    "the first fold taken for a better one",
                ),
                Option(
                    "It makes the test more powerful: a single difference lies farther from 0 than the mean of ten, most of the time.",
                    "It also strays farther. Nine tenths of the data are missing on top, and that costs power; it is the price of an honest error.",
                    "one difference taken for more powerful than ten",
                ),
            ),
            NUMBERING,
        ),
        Question("q11", "f", ALPAYDIN),
        Question("q12", "f_degrees", ALPAYDIN),
        Question("q13", "f_pvalue", ALPAYDIN),
        Question("q14", "combined", YILDIZ),
        Question("q15", "combined_pvalue", YILDIZ),
        Choice(
            "q16",
            "The combined t rejects, Dietterich's t does not. What do you report?",
            (
                Option(
                    "The test that you chose before you saw the data; and the combined t would not be it, because it rejects true hypotheses too often.",
                    "With losses that training does not change, the combined t rejects nearly 30 % of all true hypotheses at alpha = 0.05.",
                ),
                Option(
                    "The combined t: of several tests on the same data the one with the smallest p-value has found what the others missed.",
                    "The smallest of several p-values is below 0.05 more often than one in twenty, even if each single test keeps its level.",
                    "the smallest p-value chosen",
                ),
                Option(
                    "The combined t: it uses all ten differences, and a test that uses more of the data is always to be preferred.",
                    "It counts ten shared differences as ten independent ones. More data help a test only if it knows how much they are worth.",
                    "power that the level does not allow",
                ),
            ),
            LEVEL,
        ),
    ),
    mistakes=(
        Mistake(HalfTheSum, "variance divided by 2", DIETTERICH, ("q1", "q2", "q4", "q6", "q8")),
        Mistake(WholeSquare, "whole square for half of it", DIETTERICH),
        Mistake(NoRoot, "the root is missing", DIETTERICH),
        Mistake(MeanOfRoots, "standard deviations averaged", DIETTERICH),
        Mistake(MeanForFirst, "mean of ten for the first difference", WRONG),
        Mistake(PairedTOfTen, "paired t-test over ten differences", YILDIZ),
        Mistake(DegreesNine, "degrees of freedom: ten less one", DIETTERICH),
        Mistake(DegreesTen, "degrees of freedom: ten", DIETTERICH, ("q5", "q15")),
        Mistake(OneTail, "p-value of one tail", TAILS),
        Mistake(SquareOfTheSum, "square of the sum", ALPAYDIN),
        Mistake(NoTwo, "F without the 2", ALPAYDIN),
        Mistake(DegreesExchanged, "degrees of freedom exchanged", ALPAYDIN),
        Mistake(DoubledF, "upper tail doubled", ALPAYDIN),
        Mistake(NoRootOfTen, "the root of 10 is missing", YILDIZ),
    ),
)
