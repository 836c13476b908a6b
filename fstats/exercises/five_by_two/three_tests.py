"""Exercise: ten differences of five times two-fold cross-validation, and three tests that use them differently."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import sqrt

from ...check import ratio
from ...null import Array, FisherF, Normal, Value
from ...resampling.five_by_two_f import CombinedFiveByTwoF
from ...resampling.five_by_two_t import FiveByTwoT
from ...step import step


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


class RootsOfVariances(ThreeTests):
    """These are standard deviations, the roots of the variances. Leave the squares as they are: variances of several repetitions can be averaged, and the root comes afterwards."""

    @step("s_i^2", r"\sqrt{\sum_k ($d - $means)^2}", over="i")
    def variances(self) -> Array:
        """Standard deviations."""
        return sqrt(((self.d - self.means[:, np.newaxis]) ** 2).sum(1))


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


class SumForMean(ThreeTests):
    """You took the root of the sum of the five variances. All five estimate how far one and the same difference strays: average them before you take the root."""

    @step(r"\mathrm{SE}", r"\sqrt{\sum_i $variances}")
    def se(self) -> Value:
        """Sum for mean."""
        return sqrt(self.variances.sum())


class AsOfAMean(ThreeTests):
    """You divided by the root of 5 once more, as for the mean of five differences. What will be measured with it is a single difference: the mean of the variances, and its root, are all it takes."""

    @step(r"\mathrm{SE}", r"\frac{1}{\sqrt{5}} \sqrt{\frac{1}{5} \sum_i $variances}")
    def se(self) -> Value:
        """Standard error of a mean of five."""
        return sqrt(self.variances.sum()) / 5


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


class NormalForT(ThreeTests):
    """That comes from the normal distribution. The standard error is estimated, from five variances only; Student's curve knows that, and has heavier tails."""

    @step("T_0", r"\mathrm{Normal}(0, 1)", relation=r"\sim")
    def null(self) -> Any:
        """Normal distribution."""
        return Normal(0.0, 1.0)


class OneTail(ThreeTests):
    """That is the probability of one tail. Two-sided, a difference as large in favour of the other algorithm would have been just as extreme: both tails count."""

    @step("p", r"P($null \geq |$statistic|)", over="$statistic")
    def pvalue(self) -> Value:
        """One tail."""
        return self.null.at_least(abs(self.statistic))


class WrongSide(ThreeTests):
    """A probability cannot be above 1. You doubled the wide side of the curve instead of the tail. Take the absolute value of t first, then the area beyond it (sf, not cdf), and double that."""

    @step("p", r"2\,P($null \leq |$statistic|)", over="$statistic")
    def pvalue(self) -> Value:
        """The wide side doubled."""
        return 2 * self.null.at_most(abs(self.statistic))


class CriticalValueAlone(ThreeTests):
    """That is the critical value, a number of standard errors. Asked is a distance in percentage points: how long is one standard error?"""

    @step("c_d", "$critical_value")
    def reach(self) -> Value:
        """Critical value."""
        return self.critical_value


class OneSidedReach(ThreeTests):
    """You used the critical value of a one-sided test. This one rejects on both sides, so each tail gets half of alpha, and the critical value lies farther out."""

    @step("c_d", r"\min\{x : P($null \geq x) \leq $alpha\} \cdot $se")
    def reach(self) -> Value:
        """One-sided critical value."""
        return self.null.high(self.alpha) * self.se


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


class FUpsideDown(ThreeTests):
    """Your F stands on its head. Large values should speak against H0: what grows when one algorithm is better, the squares of the differences, stands on top."""

    @step("F", r"\frac{2 \sum_i $variances}{$sum_of_squares}")
    def f(self) -> Value:
        """Upside down."""
        return 2 * self.variances.sum() / self.sum_of_squares


class DegreesExchanged(ThreeTests):
    """You have them the other way round. Those of the numerator come first, and on top stand the squares of the differences; the variances stand below. F with exchanged degrees of freedom is another curve."""

    @step(r"\nu_1,\, \nu_2", r"(\#\{i : $variances\},\ \#\{(i, k) : $d\})", over="v")
    def f_degrees(self) -> Array:
        """Exchanged."""
        return np.array([len(self.variances), self.d.size])


class OneLessEach(ThreeTests):
    """You took 1 off each. On top nothing is spent: under H0 the true mean is 0, and the squares are taken around 0, not around a mean of their own. Below, each variance has paid for its mean already, and brings one."""

    @step(r"\nu_1,\, \nu_2", r"(\#\{(i, k) : $d\} - 1,\ \#\{i : $variances\} - 1)", over="v")
    def f_degrees(self) -> Array:
        """One less each."""
        return np.array([self.d.size - 1, len(self.variances) - 1])


class DoubledF(ThreeTests):
    """You doubled the tail. Squares have lost their sign: both directions make F large, so the upper tail alone is already two-sided."""

    @step("p_F", r"2\,P(F_{$f_degrees} \geq $f)")
    def f_pvalue(self) -> Value:
        """Twice the tail."""
        return 2 * FisherF(*self.f_degrees).at_least(self.f)


class LowerTail(ThreeTests):
    """That is the probability of a smaller F (cdf). Large values of F speak against H0, so the p-value is the area above yours (sf)."""

    @step("p_F", r"P(F_{$f_degrees} \leq $f)")
    def f_pvalue(self) -> Value:
        """Lower tail."""
        return FisherF(*self.f_degrees).at_most(self.f)


class NoRootOfTen(ThreeTests):
    """The root of 10 is missing. The combined t takes the mean of ten for as steady as if they were independent: its variance is a tenth of that of one difference, and its standard error smaller by the root of 10."""

    @step(r"t_{\mathrm{comb}}", r"\frac{\frac{1}{10} \sum_{ik} $d}{$se}")
    def combined(self) -> Value:
        """Mean by the standard error of one."""
        return self.d.sum() / 10 / self.se


class RootOfFive(ThreeTests):
    """You took the root of 5 for that of 10. It would be right if the two folds of a repetition told no more than one; this test takes all ten differences for independent."""

    @step(r"t_{\mathrm{comb}}", r"\frac{\sqrt{5} \cdot \frac{1}{10} \sum_{ik} $d}{$se}")
    def combined(self) -> Value:
        """Root of 5."""
        return sqrt(5) * self.d.sum() / 10 / self.se


class CombinedOneTail(ThreeTests):
    """That is the probability of one tail. Like Dietterich's t, this one is two-sided: both tails count."""

    @step(r"p_{\mathrm{comb}}", r"P($null \geq |$combined|)")
    def combined_pvalue(self) -> Value:
        """One tail."""
        return self.null.at_least(abs(self.combined))


class CombinedWrongSide(ThreeTests):
    """A probability cannot be above 1. You doubled the wide side of the curve; take the absolute value of t, the area beyond it, and double that."""

    @step(r"p_{\mathrm{comb}}", r"2\,P($null \leq |$combined|)")
    def combined_pvalue(self) -> Value:
        """The wide side doubled."""
        return 2 * self.null.at_most(abs(self.combined))
