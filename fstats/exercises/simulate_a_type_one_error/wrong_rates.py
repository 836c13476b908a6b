"""What goes wrong in such a simulation, and the rates that come of it."""

from __future__ import annotations

import numpy as np
from numpy import sqrt

from ...null import Normal, StudentT, Value
from ...step import step
from .true_rates import TypeOneError


class NotRejected(TypeOneError):
    """You counted the repetitions that did not reject. A type I error is a rejection, since H0 is true in every repetition: count abs(t) >= c."""

    @step(r"\alpha_t", r"1 - 2\,P(T_{$df} \geq $critical_value)")
    def size(self) -> Value:
        """Share of non-rejections."""
        return 1 - 2 * StudentT(self.df).at_least(self.critical_value)


class OneSide(TypeOneError):
    """You counted one side only, t >= c. A two-sided test rejects on the other side, too: compare the size of t, abs(t), with c."""

    @step(r"\alpha_t", r"P(T_{$df} \geq $critical_value)")
    def size(self) -> Value:
        """One side."""
        return StudentT(self.df).at_least(self.critical_value)


class DividedByN(TypeOneError):
    """Your standard deviations are divided by n (numpy's std does that unless you say ddof=1). So every t is a little too large, and more of them reject than should."""

    @step(r"\alpha_t", r"2\,P\left(T_{$df} \geq $critical_value \sqrt{\frac{$n - 1}{$n}}\right)")
    def size(self) -> Value:
        """Size with n for n - 1."""
        return 2 * StudentT(self.df).at_least(self.critical_value * sqrt((self.n - 1) / self.n))


class NoRootOfN(TypeOneError):
    """The mean was divided by the standard deviation, not by its standard error: the square root of n is missing. Such values are too small and hardly ever reject."""

    @step(r"\alpha_t", r"2\,P(T_{$df} \geq $critical_value \sqrt{$n})")
    def size(self) -> Value:
        """Size without the root of n."""
        return 2 * StudentT(self.df).at_least(self.critical_value * sqrt(self.n))


class NormalForT(TypeOneError):
    """You compared with the critical value of the normal distribution. It comes later, as a slip to look at; here take Student's, with n - 1 degrees of freedom."""

    @step("c", r"\min\{x : P(Z \geq x) \leq $alpha / 2\}")
    def critical_value(self) -> Value:
        """Normal critical value."""
        return Normal(0.0, 1.0).high(self.alpha / 2)


class OneTail(TypeOneError):
    """Your critical value leaves alpha in one tail, and then you rejected in both. Two-sided, each tail gets alpha / 2."""

    @step("c", r"\min\{x : P(T_{$df} \geq x) \leq $alpha\}")
    def critical_value(self) -> Value:
        """Critical value of one tail."""
        return StudentT(self.df).high(self.alpha)


class OneTailOfNormal(TypeOneError):
    """Your normal critical value leaves alpha in one tail. Two slips at once are hard to tell apart: leave alpha / 2 in each tail, so that only the curve is wrong."""

    @step("z", r"\min\{x : P(Z \geq x) \leq $alpha\}")
    def z(self) -> Value:
        """Normal critical value of one tail."""
        return Normal(0.0, 1.0).high(self.alpha)


class StudentsAgain(TypeOneError):
    """That is the rate with Student's critical value. Here the slip itself is asked for: compare the same t with the critical value of the normal distribution."""

    @step("z", "$critical_value")
    def z(self) -> Value:
        """Student's critical value."""
        return self.critical_value


class DirectionBefore(TypeOneError):
    """That is an honest one-sided test, whose direction was fixed before. Whoever looks first always finds the data on his side: he rejects if t is large in either direction."""

    @step(r"\alpha_1", r"P(T_{$df} \geq $one_tailed)")
    def size_one(self) -> Value:
        """A direction fixed before."""
        return StudentT(self.df).at_least(self.one_tailed)


class VarianceOfARate(TypeOneError):
    """That is the variance of the rate. Its standard error is the square root of it, in the unit of the rate."""

    @step(r"\mathrm{SE}", r"\frac{$size (1 - $size)}{$repetitions}")
    def se(self) -> Value:
        """Variance."""
        return self.size * (1 - self.size) / self.repetitions


class SpreadOfOneRepetition(TypeOneError):
    """That is how far a single repetition (0 or 1) strays from the rate. The mean of N of them strays less: divide by the square root of N."""

    @step(r"\mathrm{SE}", r"\sqrt{$size (1 - $size)}")
    def se(self) -> Value:
        """Spread of one repetition."""
        return sqrt(self.size * (1 - self.size))


class NForItsRoot(TypeOneError):
    """You divided by N, not by its square root. Four times as many repetitions halve the error, they do not quarter it: that is why simulations take so long."""

    @step(r"\mathrm{SE}", r"\frac{\sqrt{$size (1 - $size)}}{$repetitions}")
    def se(self) -> Value:
        """Divided by N."""
        return sqrt(self.size * (1 - self.size)) / self.repetitions


class DataSetsForRepetitions(TypeOneError):
    """You divided by n, the number of data sets within one repetition. The rate is a mean over the repetitions: how exact it is depends on how many of these there are."""

    @step(r"\mathrm{SE}", r"\sqrt{\frac{$size (1 - $size)}{$n}}")
    def se(self) -> Value:
        """Divided by the root of n."""
        return sqrt(self.size * (1 - self.size) / self.n)


class OneHalfForTheRate(TypeOneError):
    """That is the largest standard error that any rate could have, the one of a fair coin. A rare event is counted more exactly: put in the rate itself."""

    @step(r"\mathrm{SE}", r"\frac{1}{2 \sqrt{$repetitions}}")
    def se(self) -> Value:
        """Fair coin."""
        return 0.5 / sqrt(self.repetitions)


class NotSquared(TypeOneError):
    """The wanted standard error is not squared. Solve the formula of the standard error for N: square both sides first."""

    @step(r"N_{\sigma}", r"\frac{$alpha (1 - $alpha)}{$wanted}")
    def needed(self) -> Value:
        """Not squared."""
        return np.float64(self.alpha * (1 - self.alpha) / self.wanted)


class RootNotSquared(TypeOneError):
    """That is the square root of what is needed: the ratio of the two spreads. The number of repetitions is its square."""

    @step(r"N_{\sigma}", r"\frac{\sqrt{$alpha (1 - $alpha)}}{$wanted}")
    def needed(self) -> Value:
        """Root of it."""
        return np.float64(sqrt(self.alpha * (1 - self.alpha)) / self.wanted)


class LargestVariance(TypeOneError):
    """That many would be enough for any rate, even one half. The true rate here is known to be near alpha, where the variance is much smaller."""

    @step(r"N_{\sigma}", r"\frac{1}{4\,$wanted^2}")
    def needed(self) -> Value:
        """For the rate one half."""
        return np.float64(0.25 / self.wanted**2)


class InProportion(TypeOneError):
    """You changed the number of repetitions in proportion to the standard error. It goes with the square: half the error takes four times the work."""

    @step(r"N_{\sigma}", r"\frac{$repetitions \cdot $se}{$wanted}")
    def needed(self) -> Value:
        """In proportion."""
        return self.repetitions * self.se / self.wanted


class AlphaMinusRate(TypeOneError):
    """The sign is turned round: take the rate that was found minus the one that was promised. Then positive means that the test rejects too often."""

    @step("u", r"\frac{$alpha - $observed}{\sqrt{$alpha (1 - $alpha) / $others}}")
    def distance(self) -> Value:
        """The other way round."""
        return np.float64((self.alpha - self.observed) / sqrt(self.alpha * (1 - self.alpha) / self.others))


class YourRepetitions(TypeOneError):
    """You took the number of your own repetitions. How exact the rate of the others is depends on how many repetitions they made."""

    @step("u", r"\frac{$observed - $alpha}{\sqrt{$alpha (1 - $alpha) / $repetitions}}")
    def distance(self) -> Value:
        """Own repetitions."""
        return np.float64((self.observed - self.alpha) / sqrt(self.alpha * (1 - self.alpha) / self.repetitions))


class InVariances(TypeOneError):
    """You divided by the variance of the rate. Distances are measured in standard errors: take the square root."""

    @step("u", r"\frac{$observed - $alpha}{$alpha (1 - $alpha) / $others}")
    def distance(self) -> Value:
        """In variances."""
        return np.float64((self.observed - self.alpha) / (self.alpha * (1 - self.alpha) / self.others))


class InSpreadsOfOne(TypeOneError):
    """You divided by how far a single repetition strays. A rate of M repetitions strays less, by the root of M: take its standard error."""

    @step("u", r"\frac{$observed - $alpha}{\sqrt{$alpha (1 - $alpha)}}")
    def distance(self) -> Value:
        """In spreads of one repetition."""
        return np.float64((self.observed - self.alpha) / sqrt(self.alpha * (1 - self.alpha)))


class SpreadAroundTheObserved(TypeOneError):
    """Your standard error is that of the rate that was found; for an interval around it that would do. Here the question is what happens if the true rate is alpha: then alpha says how far a rate strays."""

    @step("u", r"\frac{$observed - $alpha}{\sqrt{$observed (1 - $observed) / $others}}")
    def distance(self) -> Value:
        """Standard error of the observed rate."""
        return np.float64((self.observed - self.alpha) / sqrt(self.observed * (1 - self.observed) / self.others))


class Independent(TypeOneError):
    """Your differences came out independent, so nothing was wrong with the test. The common part has to be the same number for all folds of one repetition: draw it once for each repetition, not for each difference."""

    @step("f", "1")
    def inflation(self) -> Value:
        """Independent differences."""
        return np.float64(1)


class RootsForgotten(TypeOneError):
    """You multiplied by rho and by 1 - rho themselves, so that your differences hang together less than they should. A number multiplied by x has x squared times the variance: the common part is to have the variance rho, so multiply it by the root of rho, and the other part by the root of 1 - rho."""

    @step("f", r"\sqrt{1 + \frac{$folds $rho^2}{(1 - $rho)^2}}")
    def inflation(self) -> Value:
        """Parts multiplied by rho and by 1 - rho."""
        return np.float64(sqrt(1 + self.folds * self.rho**2 / (1 - self.rho) ** 2))


class NormalForFolds(TypeOneError):
    """You compared with the critical value of the normal distribution. The test takes its K differences for a sample and uses Student's t with K - 1 degrees of freedom; its fault lies elsewhere."""

    @step("c_K", r"\min\{x : P(Z \geq x) \leq $alpha / 2\}")
    def critical_folds(self) -> Value:
        """Normal critical value."""
        return Normal(0.0, 1.0).high(self.alpha / 2)


class RatioOfVariances(TypeOneError):
    """That is the ratio of the variances. t is measured in standard errors, so it grows by the square root of that."""

    @step("f", r"1 + \frac{$folds $rho}{1 - $rho}")
    def inflation(self) -> Value:
        """Ratio of variances."""
        return np.float64(1 + self.folds * self.rho / (1 - self.rho))


class OnlyTheMean(TypeOneError):
    """That is how much more the mean strays than for independent differences. But the denominator of t changes as well: correlated differences lie closer together, and s is too small by the square root of 1 - rho."""

    @step("f", r"\sqrt{1 + ($folds - 1)\,$rho}")
    def inflation(self) -> Value:
        """Only the numerator."""
        return np.float64(sqrt(1 + (self.folds - 1) * self.rho))


class OnlyTheSpread(TypeOneError):
    """That is how much too small s is. But the mean strays more as well, since what the folds have in common does not average out: both make t larger."""

    @step("f", r"\frac{1}{\sqrt{1 - $rho}}")
    def inflation(self) -> Value:
        """Only the denominator."""
        return np.float64(1 / sqrt(1 - self.rho))


class OneByF(TypeOneError):
    """Your fraction stands on its head. The mean strays more and s is smaller, so this t is larger than one of independent differences: f must be above 1."""

    @step("f", r"\sqrt{\frac{1 - $rho}{1 + ($folds - 1)\,$rho}}")
    def inflation(self) -> Value:
        """Upside down."""
        return np.float64(sqrt((1 - self.rho) / (1 + (self.folds - 1) * self.rho)))


class DividedByF(TypeOneError):
    """You divided by f, which makes it even easier to reject. These t are f times too large, so the bar has to be f times higher."""

    @step(r"c_{\rho}", r"\frac{$critical_folds}{$inflation}")
    def honest(self) -> Value:
        """A lower bar."""
        return self.critical_folds / self.inflation
