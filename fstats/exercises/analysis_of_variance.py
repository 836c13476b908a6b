"""Exercise: the repeated-measures analysis of variance by hand, with the one-way analysis beside it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from .. import plot
from ..grading.exercise import Exercise
from ..grading.mistake import Mistake
from ..grading.question import Choice, Option, Question, Section
from ..multiple.one_way_anova import OneWayAnova
from ..multiple.repeated_anova import RepeatedAnova
from ..null import Array, FisherF, Value
from ..picture import Picture, Points
from ..step import step

PAIRS = Section("04_anova", "Why not simply test all pairs?")
ONE_WAY = Section("04_anova", "First attempt: one-way analysis of variance")
REPEATED = Section("04_anova", "Second attempt: take the data sets out")
LOONEY = Section("04_anova", "Check the software")
WHICH = Section("04_anova", "Which ones differ? Tukey's honest significant difference")


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


class SumForMeanSquare(BothAnalyses):
    """That is still the sum of squares. A sum grows with the number of terms; only divided by its degrees of freedom can it be compared with another one."""

    @step(r"\mathrm{MS}_C", "$ss_classifiers")
    def ms_classifiers(self) -> Value:
        """Not divided."""
        return self.ss_classifiers


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


def draw(rng: np.random.Generator) -> dict[str, Any]:
    """Whole percents whose means, residuals and sums of squares are whole, too; the classifiers differ less than the data sets do."""
    n, k = int(rng.integers(5, 7)), 3
    while True:
        e = np.zeros((n, k), int)
        e[1:, 1:] = rng.integers(-3, 4, (n - 1, k - 1))
        e[0] -= e.sum(0)
        e[:, 0] -= e.sum(1)  # so that lines and columns add up to 0
        ahead, easy = rng.integers(-4, 5, k), rng.integers(-14, 13, n)
        ahead[0], easy[0] = -ahead[1:].sum(), -easy[1:].sum()
        if max(abs(e).max(), abs(ahead).max()) > 4 or abs(easy).max() > 14 or len(set(easy)) < n:
            continue
        scores = int(rng.integers(72, 79)) + easy[:, None] + ahead + e
        if 0.002 < float(RepeatedAnova(scores).pvalue) < 0.035 and float(OneWayAnova(scores).pvalue) > 0.25:
            return {"scores": scores}


def without_means(test: Any) -> Picture:
    """The scores, each data set a line; the means are for the student to find."""
    whole = plot.profiles(test)
    marks = tuple(mark for mark in whole.marks if not (isinstance(mark, Points) and mark.open))
    return replace(whole, marks=marks, text=f"Scores of {test.k} classifiers on {test.n} data sets, each data set a line.")


EXERCISE = Exercise(
    name="analysis_of_variance",
    test=BothAnalyses,
    given={"scores": [[70, 75, 77], [84, 83, 88], [77, 79, 87], [60, 58, 68], [69, 75, 75]]},
    draw=draw,
    picture=without_means,
    questions=(
        Question("q1", "means", REPEATED),
        Question("q2", "dataset_means", REPEATED),
        Question("q3", "grand_mean", REPEATED),
        Question("q4", "ss_classifiers", REPEATED),
        Question("q5", "ss_datasets", REPEATED),
        Question("q6", "residuals", REPEATED),
        Question("q7", "ss_error", REPEATED),
        Question("q8", "df", REPEATED),
        Question("q9", "df_error", REPEATED),
        Question("q10", "ms_classifiers", ONE_WAY),
        Question("q11", "ms_error", REPEATED),
        Question("q12", "statistic", REPEATED),
        Question("q13", "critical_value", REPEATED),
        Question("q14", "pvalue", REPEATED),
        Question("q15", "reject", REPEATED),
        Choice(
            "q16",
            "You have rejected the null hypothesis. What have the data shown?",
            (
                Option(
                    "Not all classifiers have the same true mean score.",
                    "That is all that F tells. Which ones differ, a test for pairs has to say.",
                ),
                Option(
                    "Each classifier has another true mean score than each of the others.",
                    "The null hypothesis says that all are equal. It is false as soon as one of them differs; the others may still be equal.",
                    "not all equal read as all different",
                ),
                Option(
                    "The classifier with the highest mean is better than the second one.",
                    "F looks at all means together. It can be large because the last one falls behind, with nothing between the first two.",
                    "the winner read off the table",
                ),
                Option(
                    "The true mean scores are equal with a probability of p.",
                    "The p-value is computed as if the means were equal; it says how often such data would then turn up.",
                    "p read as P(H0)",
                ),
            ),
            WHICH,
        ),
        Question("q17", "ss_within", ONE_WAY),
        Question("q18", "one_way", ONE_WAY),
        Choice(
            "q19",
            "A colleague leaves F out and compares all pairs by paired t-tests at 0.05 each. What do you say?",
            (
                Option(
                    "Each test may give a false alarm, so at least one of them does so more often than in 5 of 100 tables.",
                    "The more pairs, the more chances of a false alarm. One question about all comes first, then pairs at one level for all.",
                ),
                Option(
                    "That is fine: each test keeps its level, so the false alarms stay at 5 of 100 tables.",
                    "They do for each test, but you would report whichever of them rejects. Ten classifiers that are all alike make 45 pairs, and more tables with a false alarm than without.",
                    "all pairs by t-tests",
                ),
                Option(
                    "The paired t-test may not be used, since the same data sets appear in every pair.",
                    "The same data sets are what the paired t-test is made for; for one pair, planned beforehand, it is right.",
                ),
                Option(
                    "The t-tests would leave the differences between the data sets in the error.",
                    "A paired test takes the difference on each data set, and with it the data set out; that is not its weakness.",
                ),
            ),
            PAIRS,
        ),
    ),
    mistakes=(
        Mistake(NTimesMissing, "the number of data sets is missing", ONE_WAY),
        Mistake(VarianceForSum, "variance for the sum of squares", ONE_WAY),
        Mistake(DatasetsLeftIn, "data sets not taken out", REPEATED),
        Mistake(TotalForError, "total for error", REPEATED),
        Mistake(GrandMeanNotPutBack, "the grand mean taken away twice", REPEATED),
        Mistake(DegreesK, "k degrees of freedom", REPEATED, only=("q8", "q10", "q12", "q13", "q14")),
        Mistake(ErrorDegreesOfOneWay, "degrees of freedom of the one-way analysis", REPEATED),
        Mistake(ErrorDegreesOfLibrary, "N for N - 1 degrees of freedom", LOONEY),
        Mistake(SumForMeanSquare, "sum of squares for the mean square", ONE_WAY),
        Mistake(UpsideDown, "F upside down", ONE_WAY),
        Mistake(SumsForMeanSquares, "F of sums of squares", REPEATED),
        Mistake(DegreesSwapped, "degrees of freedom exchanged", REPEATED),
        Mistake(BothTails, "p-value of two tails", ONE_WAY),
        Mistake(DatasetsTakenOutHere, "data sets taken out", ONE_WAY),
        Mistake(DegreesOfTheOther, "degrees of freedom of the repeated-measures analysis", ONE_WAY),
    ),
)
