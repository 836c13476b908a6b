"""Exercise: the corrected resampled t-test, and the naive one beside it."""

from __future__ import annotations

from typing import Any

from numpy import sqrt

from ... import check
from ...null import Normal, Value
from ...resampling.base import StudentOverSplits
from ...step import given, step


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
        """By what the variance over the splits (the square of s_d) is multiplied to give that of the mean."""
        return 1 / self.n + self.test_by_train

    @step(r"\mathrm{SE}", r"\sqrt{$factor}\,$sd")
    def se(self) -> Value:
        """Corrected standard error of the mean difference, for splits that share records."""
        return sqrt(self.factor) * self.sd

    @step("J_*", r"\frac{1}{$factor}", after=True)
    def worth(self) -> Value:
        """How many independent splits with the same s_d would give a mean as certain as this one."""
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


class InDeviations(BothErrors):
    """You divided by the standard deviation, which says how far one difference strays. The t measures the mean of J differences: divide by its standard error."""

    @step("t_0", r"\frac{$mean}{$sd}")
    def naive_statistic(self) -> Value:
        """Mean by standard deviation."""
        return self.mean / self.sd


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


class NaiveOneTail(BothErrors):
    """That is the probability of one tail. Two-sided, the other algorithm ahead by as much would have been just as extreme: double it."""

    @step("p_0", r"P($null \geq |$naive_statistic|)")
    def naive_pvalue(self) -> Value:
        """One tail."""
        return self.null.at_least(abs(self.naive_statistic))


class NaiveWrongSide(BothErrors):
    """A probability cannot be above 1. You doubled the wide side of the curve instead of the tail. Take the absolute value of t first, then the area beyond it (sf, not cdf), and double that."""

    @step("p_0", r"2\,P($null \leq |$naive_statistic|)")
    def naive_pvalue(self) -> Value:
        """The wide side doubled."""
        return 2 * self.null.at_most(abs(self.naive_statistic))


class ShareOfAll(BothErrors):
    """You divided by all records. That share is the correlation that Nadeau and Bengio assume between two splits; what enters the variance is the correlation by one less the correlation, and in that quotient the total cancels: records to test, by records to train."""

    @step("q", r"\frac{$n_test}{$n_train + $n_test}")
    def test_by_train(self) -> Value:
        """Share of the records that are tested."""
        return self.n_test / (self.n_train + self.n_test)


class UpsideDown(BothErrors):
    """Your ratio stands on its head. With it the mean over all splits would be less certain than the difference on a single split, which cannot be. Records to test stand on top."""

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


class AgainstNaive(BothErrors):
    """That is how many times the corrected variance is as large as the naive one. Asked is what stands before the squared standard deviation: 1/J and the ratio, added as they are."""

    @step("f", r"1 + $n \cdot $test_by_train")
    def factor(self) -> Value:
        """Against the naive variance."""
        return 1 + self.n * self.test_by_train


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


class VarianceOfTheMean(BothErrors):
    """That is the variance of the mean, in squares of percentage points. The standard error is its root."""

    @step(r"\mathrm{SE}", "$factor\\,$sd^2")
    def se(self) -> Value:
        """Variance of the mean."""
        return self.factor * self.sd**2


class DividedTwice(BothErrors):
    """You divided by the root of J once more. The 1/J within the sum has done that already, and for the shared part no number of splits does it."""

    @step(r"\mathrm{SE}", r"\sqrt{$factor}\,\frac{$sd}{\sqrt{$n}}")
    def se(self) -> Value:
        """Divided by J twice."""
        return sqrt(self.factor) * self.sd / sqrt(self.n)


class OneTail(BothErrors):
    """That is the probability of one tail. Two-sided, the other algorithm ahead by as much would have been just as extreme: both tails count."""

    @step("p", r"P($null \geq |$statistic|)", over="$statistic")
    def pvalue(self) -> Value:
        """One tail."""
        return self.null.at_least(abs(self.statistic))


class WrongSide(BothErrors):
    """A probability cannot be above 1. You doubled the wide side of the curve; take the absolute value of t, the area beyond it, and double that."""

    @step("p", r"2\,P($null \leq |$statistic|)", over="$statistic")
    def pvalue(self) -> Value:
        """The wide side doubled."""
        return 2 * self.null.at_most(abs(self.statistic))


class NotTurnedOver(BothErrors):
    """That is the factor itself. For independent splits the factor is 1 divided by their number, so turn it over."""

    @step("J_*", "$factor")
    def worth(self) -> Value:
        """The factor."""
        return self.factor


class RatioOfErrors(BothErrors):
    """You compared the standard errors. What shrinks in proportion to the number of independent splits is the variance: compare the squares."""

    @step("J_*", r"$n\,\frac{$naive_se}{$se}")
    def worth(self) -> Value:
        """Ratio of the errors."""
        return self.n * self.naive_se / self.se
