"""Both analyses of variance of one table; and each mistake, the same with one wrong step."""

from __future__ import annotations

from typing import Any

from ...multiple.repeated_anova import RepeatedAnova
from ...null import Array, FisherF, Value
from ...step import step


class BothAnalyses(RepeatedAnova):
    """The repeated-measures analysis, and what the one-way analysis would make of the same table.

    One class, so that an answer carried forward is never taken for the step of the other analysis that has its name.
    """

    @step(r"\mathrm{SS}_W", r"\sum_{ij} ($scores - $means)^2", after=True)
    def ss_within(self) -> Value:
        """Sum of squares within the classifiers: how far scores spread around their own classifier's mean."""
        return ((self.scores - self.means) ** 2).sum()

    @step(r"\nu_W", "$k $n - $k", after=True)
    def df_within(self) -> int:
        """Degrees of freedom within: all scores, one spent on each classifier's mean."""
        return self.k * self.n - self.k

    @step(r"F_1", r"\frac{$ms_classifiers}{$ss_within / $df_within}", after=True)
    def one_way(self) -> Value:
        """F of the one-way analysis."""
        return self.ms_classifiers / (self.ss_within / self.df_within)


class NTimesMissing(BothAnalyses):
    """The number of data sets is missing in front. Each mean stands for as many scores as there are data sets, and every one of these scores counts; otherwise this sum cannot be set beside those of the single scores."""

    @step(r"\mathrm{SS}_C", r"\sum_j ($means - $grand_mean)^2")
    def ss_classifiers(self) -> Value:
        """Sum without N."""
        return ((self.means - self.grand_mean) ** 2).sum()


class VarianceForSum(BothAnalyses):
    """That comes from a variance of the means (or a standard deviation, squared), which is divided already. A sum of squares is only a sum; the division comes later, in a line of its own, by the degrees of freedom."""

    @step(r"\mathrm{SS}_C", r"\frac{$n}{$k} \sum_j ($means - $grand_mean)^2")
    def ss_classifiers(self) -> Value:
        """Variance times N."""
        return self.n * ((self.means - self.grand_mean) ** 2).sum() / self.k


class OtherNumberInFront(BothAnalyses):
    """You put the number of classifiers in front. Write the imagined table down: how often does the mean of one classifier stand in it? Once for each data set."""

    @step(r"\mathrm{SS}_C", r"$k \sum_j ($means - $grand_mean)^2")
    def ss_classifiers(self) -> Value:
        """With k for N."""
        return self.k * ((self.means - self.grand_mean) ** 2).sum()


class KTimesMissing(BothAnalyses):
    """The number of classifiers is missing in front. In the imagined table the mean of a data set stands once for each classifier, and every entry counts."""

    @step(r"\mathrm{SS}_D", r"\sum_i ($dataset_means - $grand_mean)^2")
    def ss_datasets(self) -> Value:
        """Sum without k."""
        return ((self.dataset_means - self.grand_mean) ** 2).sum()


class OtherNumberInFrontOfDatasets(BothAnalyses):
    """You put the number of data sets in front, as for the classifiers. Here the mean of one data set fills a line of the imagined table: how many entries has a line?"""

    @step(r"\mathrm{SS}_D", r"$n \sum_i ($dataset_means - $grand_mean)^2")
    def ss_datasets(self) -> Value:
        """With N for k."""
        return self.n * ((self.dataset_means - self.grand_mean) ** 2).sum()


class DatasetsLeftIn(BothAnalyses):
    """You took only the classifier's mean away. That some data sets are easy and some are hard is still in your residuals, and would count as chance. It is what the one-way analysis does; here the same data sets were used for all, so take their means out, too."""

    @step("e_{ij}", "$scores - $means", over="ij")
    def residuals(self) -> Array:
        """Distance from the classifier's mean."""
        return self.scores - self.means


class TotalForError(BothAnalyses):
    """You took only the grand mean away. Squared and summed, these distances are the total, of which classifiers and data sets have a share each; the error is what these two leave."""

    @step("e_{ij}", "$scores - $grand_mean", over="ij")
    def residuals(self) -> Array:
        """Distance from the grand mean."""
        return self.scores - self.grand_mean


class GrandMeanNotPutBack(BothAnalyses):
    """Both means that you took away hold the grand mean, so it went twice: put it back once. Residuals add up to 0 in every line and every column; yours do not, which is a check worth keeping."""

    @step("e_{ij}", "$scores - $dataset_means - $means", over="ij")
    def residuals(self) -> Array:
        """Without the grand mean."""
        return self.scores - self.dataset_means[:, None] - self.means


class DegreesK(BothAnalyses):
    """The distances of the classifiers' means from the grand mean add up to 0, so that the last one follows from the others. One degree of freedom fewer than there are classifiers."""

    @step(r"\nu_1", "$k")
    def df(self) -> int:
        """All k."""
        return self.k


class DegreesOfDatasets(BothAnalyses):
    """Those are the degrees of freedom of the data sets. Above stands the spread of the classifiers: count their means, and think of what their distances from the grand mean add up to."""

    @step(r"\nu_1", "$n - 1")
    def df(self) -> int:
        """Those of the data sets."""
        return self.n - 1


class ErrorDegreesOfOneWay(BothAnalyses):
    """Those are the degrees of freedom of the one-way analysis. You took the means of the data sets out, and they cost degrees of freedom as well."""

    @step(r"\nu_2", "$k ($n - 1)")
    def df_error(self) -> int:
        """Those of the one-way analysis."""
        return self.k * (self.n - 1)


class ErrorDegreesOfLibrary(BothAnalyses):
    """One factor is too large (a library has made the same slip). The residuals add up to 0 in every line and in every column: one is lost in both directions, not only in one."""

    @step(r"\nu_2", "($k - 1)\\,$n")
    def df_error(self) -> int:
        """One factor too large."""
        return (self.k - 1) * self.n


class ErrorDegreesOfAll(BothAnalyses):
    """Those are the degrees of freedom of all scores together. The classifiers and the data sets have taken theirs out of them; what remains belongs to the residuals."""

    @step(r"\nu_2", r"$k\,$n - 1")
    def df_error(self) -> int:
        """Those of the total."""
        return self.k * self.n - 1


class SumForMeanSquare(BothAnalyses):
    """That is still the sum of squares. A sum grows with the number of terms; only divided by its degrees of freedom can it be compared with another one."""

    @step(r"\mathrm{MS}_C", "$ss_classifiers")
    def ms_classifiers(self) -> Value:
        """Not divided."""
        return self.ss_classifiers


class ErrorSumForMeanSquare(BothAnalyses):
    """That is still the sum of the squared residuals. Divide it by the number of residuals that are free; only then is it the mean square of the error."""

    @step(r"\mathrm{MS}_E", "$ss_error")
    def ms_error(self) -> Value:
        """Not divided."""
        return self.ss_error


class UpsideDown(BothAnalyses):
    """Your fraction stands on its head. What you look for, the spread of the classifiers, goes on top; chance, by which it is measured, goes below. Large must speak against the null hypothesis."""

    @step("F", r"\frac{$ms_error}{$ms_classifiers}")
    def statistic(self) -> Value:
        """Upside down."""
        return self.ms_error / self.ms_classifiers


class SumsForMeanSquares(BothAnalyses):
    """You divided one sum of squares by the other. They have different numbers of free terms; F compares mean squares."""

    @step("F", r"\frac{$ss_classifiers}{$ss_error}")
    def statistic(self) -> Value:
        """Of sums of squares."""
        return self.ss_classifiers / self.ss_error


class DegreesSwapped(BothAnalyses):
    """The degrees of freedom are exchanged. The first number belongs to the numerator of F, the classifiers, the second to the denominator, the error; the two curves are quite different."""

    @step("F_0", r"F_{$df_error,\ $df}", relation=r"\sim")
    def null(self) -> Any:
        """Exchanged."""
        return FisherF(self.df_error, self.df)


class CriticalValueOfTwoTails(BothAnalyses):
    """You cut off half of alpha, as for a two-sided t-test. The squares in F have turned every difference, of whatever sign, into a large F: all of alpha belongs to the upper end."""

    @step("c", r"\min\{x : P($null \geq x) \leq $alpha / 2\}")
    def critical_value(self) -> Value:
        """Of half of alpha."""
        return self.null.high(self.alpha / 2)


class LowerCriticalValue(BothAnalyses):
    """That is the lower end of the F distribution: only few values of F lie below it. Large values speak against the null hypothesis, so look for the point with 5 % of the area above it."""

    @step("c", r"\max\{x : P($null \leq x) \leq $alpha\}")
    def critical_value(self) -> Value:
        """At the wrong end."""
        return self.null.low(self.alpha)


class WrongSide(BothAnalyses):
    """That is the area to the left of your F. Large values speak against the null hypothesis: the p-value is the area from F upwards, what is left of 1 (in scipy, `sf` and not `cdf`)."""

    @step("p", r"P($null \leq $statistic)")
    def pvalue(self) -> Value:
        """The area below."""
        return self.null.at_most(self.statistic)


class BothTails(BothAnalyses):
    """You doubled the probability, as a two-sided t-test does. The squares in F have turned every difference, of whatever sign, into a large F: the upper tail alone is the p-value."""

    @step("p", r"2\,P($null \geq $statistic)")
    def pvalue(self) -> Value:
        """Doubled."""
        return 2 * self.null.at_least(self.statistic)


class DatasetsTakenOutHere(BothAnalyses):
    """That is the error of the repeated-measures analysis again. The one-way analysis knows nothing of data sets: for it a score strays from the mean of its classifier, and that is all."""

    @step(r"\mathrm{SS}_W", r"\sum_{ij} $residuals^2", after=True)
    def ss_within(self) -> Value:
        """That of the other analysis."""
        return (self.residuals**2).sum()


class DegreesOfTheOther(BothAnalyses):
    """You divided the sum within by the degrees of freedom of the other analysis. Here no means of data sets were taken out, so none has to be paid for: all scores, less one for each classifier."""

    @step(r"\nu_W", "($k - 1) ($n - 1)", after=True)
    def df_within(self) -> int:
        """Those of the other analysis."""
        return (self.k - 1) * (self.n - 1)


class WithinNotDivided(BothAnalyses):
    """You divided the mean square of the classifiers by the whole sum of squares within. Below, too, belongs a mean square: divide that sum by its degrees of freedom first."""

    @step("F_1", r"\frac{$ms_classifiers}{$ss_within}", after=True)
    def one_way(self) -> Value:
        """A mean square by a sum of squares."""
        return self.ms_classifiers / self.ss_within


class SameAsRepeated(BothAnalyses):
    """That is the F of the repeated-measures analysis again. For the one-way analysis chance is all the spread within the columns, data sets and all: put the mean square within below."""

    @step("F_1", r"\frac{$ms_classifiers}{$ms_error}", after=True)
    def one_way(self) -> Value:
        """That of the other analysis."""
        return self.ms_classifiers / self.ms_error
