"""What goes wrong on the way from ten tables to one."""

from __future__ import annotations

import numpy as np

from ...null import Array, ChiSquared, Normal, Value
from ...step import step
from .ten_tables import TenTables


class Swapped(TenTables):
    """You exchanged the two. The first index is A's: n01 counts where A is wrong (0) and B is right (1). The statistic would not notice, but whoever asks which one is better would hear the wrong name."""

    @step(r"\bar n_c", r"\frac{1}{10} \sum_{jk} \{$n10,\ $n01\}_c", over="c")
    def mean(self) -> Array:
        """Exchanged."""
        return np.array([self.n10.sum(), self.n01.sum()]) / 10


class SumForMean(TenTables):
    """Those are the sums over ten tables. The factor that comes next says how many tables of the size of one the ten are worth; it wants the table of one typical fold, the mean."""

    @step(r"\bar n_c", r"\sum_{jk} \{$n01,\ $n10\}_c", over="c")
    def mean(self) -> Array:
        """Sums."""
        return np.array([self.n01.sum(), self.n10.sum()]) * 1.0


class OverRepetitions(TenTables):
    """You divided by five, the number of repetitions. That is the mean table of a whole repetition, two folds together; the mean of one fold's table divides by all ten."""

    @step(r"\bar n_c", r"\frac{1}{5} \sum_{jk} \{$n01,\ $n10\}_c", over="c")
    def mean(self) -> Array:
        """Mean of five repetitions."""
        return np.array([self.n01.sum(), self.n10.sum()]) / 5


class Rates(TenTables):
    """Those are shares of the records of a fold. McNemar's test needs to know how many records speak, not only what part of all: keep the counts."""

    @step(r"\bar n_c", r"\frac{1}{10\,$n_fold} \sum_{jk} \{$n01,\ $n10\}_c", over="c")
    def mean(self) -> Array:
        """Shares instead of counts."""
        return np.array([self.n01.sum(), self.n10.sum()]) / 10 / self.n_fold


class TenIndependent(TenTables):
    """You took both correlations for 0, so that ten tables are worth ten. But each record is tested five times, by models whose training sets overlap: what one table says, the next one mostly repeats."""

    @step("t", "10")
    def t(self) -> Value:
        """Ten independent tables."""
        return np.float64(10)


class FixedLosses(TenTables):
    """You took the two folds of a repetition for uncorrelated. That holds if predictions do not depend on the training set (Lemma 3); real ones do, and the cautious test takes rho1 as it is given."""

    @step("t", r"\frac{10}{1 + 8\,$rho2}")
    def t(self) -> Value:
        """Without rho1."""
        return 10 / (1 + 8 * self.rho2)


class EightForgotten(TenTables):
    """The 8 is missing. Each table has one partner in its own repetition, and eight tables in the other four repetitions: rho1 comes once, rho2 eight times."""

    @step("t", r"\frac{10}{1 + $rho1 + $rho2}")
    def t(self) -> Value:
        """Without the 8."""
        return 10 / (1 + self.rho1 + self.rho2)


class FourForEight(TenTables):
    """You counted the four other repetitions, but each of them holds two tables. A table has one partner in its own repetition and eight in the others: ten with itself."""

    @step("t", r"\frac{10}{1 + $rho1 + 4\,$rho2}")
    def t(self) -> Value:
        """Four others for eight."""
        return 10 / (1 + self.rho1 + 4 * self.rho2)


class NineForEight(TenTables):
    """You counted nine tables in other repetitions. Nine are all the others together; one of them is the partner in the same repetition, and it stands in the term of rho1 already."""

    @step("t", r"\frac{10}{1 + $rho1 + 9\,$rho2}")
    def t(self) -> Value:
        """Nine others for eight."""
        return 10 / (1 + self.rho1 + 9 * self.rho2)


class OnlyBelow(TenTables):
    """That is by how much the correlations make the variance of the mean larger, and so by how much they make the ten tables worth less. Divide the ten by it."""

    @step("t", "1 + $rho1 + 8\\,$rho2")
    def t(self) -> Value:
        """Only what stands below."""
        return 1 + self.rho1 + 8 * self.rho2


class UpsideDown(TenTables):
    """Your fraction stands on its head: it says that ten tables are worth less than one. The more they are correlated, the less they are worth; so the correlations belong below, and the 10 on top."""

    @step("t", r"\frac{1 + $rho1 + 8\,$rho2}{10}")
    def t(self) -> Value:
        """Upside down."""
        return (1 + self.rho1 + 8 * self.rho2) / 10


class FactorTwice(TenTables):
    """You multiplied by t twice. A table that is worth t tables has t times their counts; squares come in only at the statistic."""

    @step("n_{c,e}", r"$t^2\,$mean", over="c")
    def effective(self) -> Array:
        """Factor squared."""
        return self.t**2 * self.mean


class OnlyDiscordant(TenTables):
    """You added up the two discordant cells. All four cells together were asked for, those on which both are right and both are wrong included: a table of one fold, made as large as the ten are worth."""

    @step("n_e", r"\sum_c $effective")
    def n_effective(self) -> Value:
        """Discordant records only."""
        return self.effective.sum()


class BothFolds(TenTables):
    """You took both folds of a repetition. The mean table is a table of one fold, and the factor multiplies that."""

    @step("n_e", r"2\,$t\,$n_fold")
    def n_effective(self) -> Value:
        """Two folds."""
        return 2 * self.t * self.n_fold


class NoCorrection(TenTables):
    """The continuity correction is missing. Counts move in steps and chi-squared does not; McNemar's test takes 1 off the difference before it is squared, and this test does so, too."""

    @step("M", r"\frac{($n01_effective - $n10_effective)^2}{$n01_effective + $n10_effective}")
    def statistic(self) -> Value:
        """Without correction."""
        return (self.n01_effective - self.n10_effective) ** 2 / (self.n01_effective + self.n10_effective)


class HalfCorrection(TenTables):
    """You took 1/2 off the difference. Each of the two counts is corrected by one half, towards each other, so that their difference loses 1."""

    @step("M", r"\frac{(|$n01_effective - $n10_effective| - 0.5)^2}{$n01_effective + $n10_effective}")
    def statistic(self) -> Value:
        """Half a correction."""
        return np.subtract(np.abs(self.n01_effective - self.n10_effective), 0.5) ** 2 / (self.n01_effective + self.n10_effective)


class RootOfM(TenTables):
    """That is the root of McNemar's statistic, which would be compared with the normal curve. Square the difference, so that chi-squared with one degree of freedom is the right curve."""

    @step("M", r"\frac{|$n01_effective - $n10_effective| - 1}{\sqrt{$n01_effective + $n10_effective}}")
    def statistic(self) -> Value:
        """Not squared."""
        return np.subtract(np.abs(self.n01_effective - self.n10_effective), 1) / np.sqrt(self.n01_effective + self.n10_effective)


class TestOfTheMean(TenTables):
    """You made McNemar's test on the mean table, so that ten tables count like a single one. They are worth a little more than that: use the counts of the effective table."""

    @step("M", r"\frac{(|\bar n_{01} - \bar n_{10}| - 1)^2}{\bar n_{01} + \bar n_{10}} \text{ of } $mean")
    def statistic(self) -> Value:
        """The mean table tested."""
        n01, n10 = self.mean.tolist()
        return np.float64((abs(n01 - n10) - 1) ** 2 / (n01 + n10))


class CorrectionFirst(TenTables):
    """You took 1 off the difference of the mean counts, and multiplied afterwards. McNemar's test is made on the effective table: first the factor, then the correction. (Taken off the mean counts, it would have to be 1/t.)"""

    @step("M", r"$t\,\frac{(|\bar n_{01} - \bar n_{10}| - 1)^2}{\bar n_{01} + \bar n_{10}} \text{ of } $mean")
    def statistic(self) -> Value:
        """Correction before the factor."""
        n01, n10 = self.mean.tolist()
        return self.t * (abs(n01 - n10) - 1) ** 2 / (n01 + n10)


class AllFourCells(TenTables):
    """You divided by all records of the effective table. Those that both get right, or both get wrong, say nothing about which one is better; only the discordant ones stand below."""

    @step("M", r"\frac{(|$n01_effective - $n10_effective| - 1)^2}{$n_effective}")
    def statistic(self) -> Value:
        """All records below."""
        return np.subtract(np.abs(self.n01_effective - self.n10_effective), 1) ** 2 / self.n_effective


class CriticalZ(TenTables):
    """That is the critical value of the normal curve, two-sided. M is a square: chi-squared with one degree of freedom is the curve of a squared z, and has a critical value of its own."""

    @step("c", r"\min\{x : P(Z \geq x) \leq $alpha / 2\}")
    def critical_value(self) -> Value:
        """Of z."""
        return Normal(0.0, 1.0).high(self.alpha / 2)


class HalfAlpha(TenTables):
    """You left alpha / 2 above. A square has lost its sign: both directions make M large, so the upper tail holds both already and gets the whole alpha."""

    @step("c", r"\min\{x : P($null \geq x) \leq $alpha / 2\}")
    def critical_value(self) -> Value:
        """With half of alpha."""
        return self.null.high(self.alpha / 2)


class NineDegrees(TenTables):
    """You took one less than the number of tables, as for a mean of ten numbers whose spread is estimated. Nothing is estimated from the spread of the ten tables here; one table is tested, and it has one degree of freedom."""

    @step("M_0", r"\chi^2_9", relation=r"\sim")
    def null(self) -> ChiSquared:
        """Nine degrees of freedom."""
        return ChiSquared(9)


class TenDegrees(TenTables):
    """You took a degree of freedom for each table. That would suit a sum of ten statistics, one from each; here the ten tables have become one, and it has one."""

    @step("M_0", r"\chi^2_{10}", relation=r"\sim")
    def null(self) -> ChiSquared:
        """Ten degrees of freedom."""
        return ChiSquared(10)


class HalfTail(TenTables):
    """You halved the tail. A square has lost its sign: both directions make M large, and the upper tail holds both already."""

    @step("p", r"\frac{1}{2} P($null \geq $statistic)")
    def pvalue(self) -> Value:
        """Half the tail."""
        return self.null.at_least(self.statistic) / 2


class OtherTail(TenTables):
    """That is the area below the statistic. A p-value is the probability of a statistic at least as large: the area above (stats.chi2.sf)."""

    @step("p", r"P($null \leq $statistic)")
    def pvalue(self) -> Value:
        """The area below."""
        return 1 - self.null.at_least(self.statistic)


class SumUncorrected(TenTables):
    """The continuity correction is missing. It was asked for here, too: take 1 off the difference of the two sums before it is squared."""

    @step("M_+", r"\frac{(\sum_{jk} $n01 - \sum_{jk} $n10)^2}{\sum_{jk} $n01 + \sum_{jk} $n10}", after=True)
    def pooled(self) -> Value:
        """Without correction."""
        return np.float64((self.n01.sum() - self.n10.sum()) ** 2 / (self.n01.sum() + self.n10.sum()))


class TenStatistics(TenTables):
    """You computed a statistic for each table and added the ten. That is another test (the naive one in notebook 06, with ten degrees of freedom); here the counts are to be added first, and one statistic made of the sums."""

    @step("M_+", r"\sum_{jk} \frac{(|$n01 - $n10| - 1)^2}{$n01 + $n10}", after=True)
    def pooled(self) -> Value:
        """A sum of ten statistics."""
        each = (abs(self.n01 - self.n10) - 1) ** 2 / np.maximum(self.n01 + self.n10, 1)
        return np.float64(each.sum())


class HalfTailOfSum(TenTables):
    """You halved the tail. The statistic is a square and has lost its sign: the upper tail holds both directions already."""

    @step("p_+", r"\frac{1}{2} P($null \geq $pooled)", after=True)
    def pooled_pvalue(self) -> Value:
        """Half the tail."""
        return self.null.at_least(self.pooled) / 2
