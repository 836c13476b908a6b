"""Exercise: ranks, Friedman's test with Iman and Davenport's F, and the critical difference."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import sqrt

from .. import plot
from ..grading.exercise import Exercise
from ..grading.mistake import Mistake
from ..grading.question import Choice, Option, Question, Section
from ..multiple.iman_davenport import ImanDavenport
from ..null import Array, ChiSquared, Normal, Value
from ..posthoc.nemenyi import Nemenyi
from ..rank import ranks_in_rows
from ..step import step
from ..studentized_range import StudentizedRange

RANKS = Section("05_friedman_and_post_hoc", "Step 2. Rank within each data set, 1 = best")
MEAN_RANKS = Section("05_friedman_and_post_hoc", "Step 3. Mean ranks")
CHI_SQUARED = Section("05_friedman_and_post_hoc", "Step 4. One number for all distances from the middle")
TIES = Section("05_friedman_and_post_hoc", "One table, three published answers")
IMAN = Section("05_friedman_and_post_hoc", "Iman and Davenport: a sharper edge")
NEMENYI = Section("05_friedman_and_post_hoc", "Which ones differ? Nemenyi's test and its diagram")


class ByCriticalDifference(Nemenyi):
    """Nemenyi's test as it is done by hand, so that a wrong critical difference is carried forward."""

    @step(r"\mathrm{CD}", r"$q_alpha \sqrt{\frac{$k ($k + 1)}{6\,$n}}")
    def cd(self) -> Value:
        """Critical difference: mean ranks at least this far apart differ."""
        return self.q_alpha * sqrt(self.k * (self.k + 1) / (6 * self.n))

    @step(r"\text{reject } H_h", r"|$differences| \geq $cd", relation=r"\Leftrightarrow", over="h")
    def reject(self) -> Any:
        """Which pairs differ: A - B, A - C, A - D, B - C, B - D, C - D."""
        return abs(self.differences) >= self.cd


class UpsideDown(ImanDavenport):
    """You gave rank 1 to the lowest score. Here scores are accuracies and rank 1 belongs to the best. The statistics would not notice, but your best classifier would be the worst one."""

    @step("r_{ij}", r"\mathrm{rank}_j($scores)", over="ij")
    def ranks(self) -> Array:
        """Upside down."""
        return ranks_in_rows(-self.scores)


class ByColumn(ImanDavenport):
    """You ranked the data sets within each classifier. That says which data set is easy; to compare classifiers, rank them against each other, line by line, within one data set."""

    @step("r_{ij}", r"\mathrm{rank}_i(-$scores)", over="ij")
    def ranks(self) -> Array:
        """Within columns."""
        return ranks_in_rows(self.scores.T).T


class InOrderOfAppearance(ImanDavenport):
    """Where scores tie, you let the one further left have the better rank. Nothing but the order of the columns speaks for it; equal scores share the mean of the ranks that they take up together."""

    @step("r_{ij}", r"\mathrm{rank}_j(-$scores) \text{, ties in the order of the columns}", over="ij")
    def ranks(self) -> Array:
        """Ties broken by place."""
        return (np.argsort(np.argsort(-self.scores, axis=1, kind="stable"), axis=1) + 1).astype(float)


class BestForAll(ImanDavenport):
    """Where scores tie, you gave all of them the best of their ranks, as in sports. Then the ranks of a data set no longer add up to 1 + 2 + ... + k; equal scores share the mean of the ranks that they take up together."""

    @step("r_{ij}", r"1 + \#\{l : s_{il} > s_{ij}\} \text{ of } $scores", over="ij")
    def ranks(self) -> Array:
        """Ties get the best rank."""
        return 1.0 + (self.scores[:, None] > self.scores[:, :, None]).sum(2)


class SumsOfRanks(ImanDavenport):
    """Those are the sums of the ranks. Divide by the number of data sets: a mean rank lies between 1 and k, and can be compared from study to study."""

    @step(r"\bar R_j", "$rank_sums", over="j")
    def mean_ranks(self) -> Array:
        """Not divided."""
        return self.rank_sums


class TiesNotCorrected(ImanDavenport):
    """You left the tie correction out. Tied ranks have less room to spread, so the same statistic means more: divide by C, the share of the spread that is left."""

    @step(r"\chi^2_F", r"\frac{12\,$n}{$k ($k + 1)} \sum_j \left($mean_ranks - \frac{$k + 1}{2}\right)^2")
    def chi_squared(self) -> Value:
        """Without C."""
        return 12 * self.n / (self.k * (self.k + 1)) * ((self.mean_ranks - (self.k + 1) / 2) ** 2).sum()


class MiddleNotTakenAway(ImanDavenport):
    """You squared the mean ranks themselves. They are large even if all classifiers are alike; what counts is how far they lie from the middle rank, so take (k + 1) / 2 away before you square."""

    @step(r"\chi^2_F", r"\frac{12\,$n}{$k ($k + 1)\,$tie_correction} \sum_j $mean_ranks^2")
    def chi_squared(self) -> Value:
        """Around 0."""
        return 12 * self.n / (self.k * (self.k + 1) * self.tie_correction) * (self.mean_ranks**2).sum()


class ChiSquaredForF(ImanDavenport):
    """That is still Friedman's chi-squared. Iman and Davenport put it in relation to the largest value that it could have, N (k - 1); only this quotient follows an F distribution."""

    @step("F_F", "$chi_squared")
    def statistic(self) -> Value:
        """Chi-squared itself."""
        return self.chi_squared


class DegreesWithAllDatasets(ImanDavenport):
    """You multiplied by the number of data sets. Below stands how much the data sets disagree with the mean ranks, and these were found from the same data sets: that costs one of them, as it does in a variance."""

    @step(r"\nu_2", "($k - 1)\\,$n")
    def df_error(self) -> int:
        """One too many."""
        return (self.k - 1) * self.n


class ChiSquaredCurve(ImanDavenport):
    """That comes from the chi-squared curve, which belongs to Friedman's statistic. For Iman and Davenport's F look it up in the F distribution, with both degrees of freedom."""

    @step("F_0", r"\chi^2_{$df}", relation=r"\sim")
    def null(self) -> Any:
        """The curve of the other statistic."""
        return ChiSquared(self.df)


class PvalueOfChiSquared(ImanDavenport):
    """That is the p-value of Friedman's chi-squared. It is a little too cautious, which is why you went on to F: take the area to the right of your F under the F distribution."""

    @step("p", r"P(\chi^2_{$df} \geq $chi_squared)")
    def pvalue(self) -> Value:
        """Of the other statistic."""
        return ChiSquared(self.df).at_least(self.chi_squared)


class RootOfTwoMissing(ByCriticalDifference):
    """That is the studentized range as its own tables have it. It is measured in standard errors of one mean rank, while the formula of the critical difference wants those of a difference of two: divide by the square root of 2."""

    @step(r"q_\alpha", r"\min\{x : P($null \geq x) \leq $alpha\}")
    def q_alpha(self) -> Value:
        """Not divided."""
        return self.null.high(self.alpha)


class OneClassifierLess(ByCriticalDifference):
    """You looked up k - 1. The range is that of all k mean ranks, from the best one to the worst: look up k, the number of classifiers. (k - 1 belongs to comparisons with a control.)"""

    @step("Q_0", r"q_{$k - 1,\ \infty}", relation=r"\sim")
    def null(self) -> StudentizedRange:
        """Of k - 1."""
        return StudentizedRange(int(self.k) - 1)


class BonferroniForRange(ByCriticalDifference):
    """That is Bonferroni's normal quantile: alpha shared by all pairs. It keeps the level, but is stricter than necessary, since the pairs share their classifiers. Nemenyi's test knows the largest distance exactly: take the studentized range."""

    @step(r"q_\alpha", r"z_{1 - $alpha / ($k ($k - 1))}")
    def q_alpha(self) -> Value:
        """Alpha shared by the pairs."""
        return Normal(0.0, 1.0).high(self.alpha / (self.k * (self.k - 1)))


class NoRoot(ByCriticalDifference):
    """The square root is missing. What stands under it is a variance, the square of a distance; a critical difference is a distance of mean ranks."""

    @step(r"\mathrm{CD}", r"$q_alpha \frac{$k ($k + 1)}{6\,$n}")
    def cd(self) -> Value:
        """Without the root."""
        return self.q_alpha * self.k * (self.k + 1) / (6 * self.n)


class SixMissing(ByCriticalDifference):
    """The 6 below the root is missing: you divided by the number of data sets only. It comes from the variance of a rank, and from the two mean ranks that stand in a difference."""

    @step(r"\mathrm{CD}", r"$q_alpha \sqrt{\frac{$k ($k + 1)}{$n}}")
    def cd(self) -> Value:
        """Without the 6."""
        return self.q_alpha * sqrt(self.k * (self.k + 1) / self.n)


class JoinedForDifferent(ByCriticalDifference):
    """You marked the pairs that lie closer together than the critical difference. Those are the ones that the test does not tell apart; a difference is shown where the distance is at least as large."""

    @step(r"\text{reject } H_h", r"|$differences| < $cd", relation=r"\Leftrightarrow", over="h")
    def reject(self) -> Any:
        """The others."""
        return abs(self.differences) < self.cd


def draw(rng: np.random.Generator) -> dict[str, Any]:
    """Whole percents on eight to ten data sets, with ties on two or three of them, and one or more pairs that differ, but not all."""
    n, k = int(rng.integers(8, 11)), 4
    while True:
        scores = rng.integers(62, 90, n)[:, None] + rng.permutation([0, 1, 3, 5]) + rng.integers(-3, 4, (n, k))
        tied = sum(len(set(line)) < k for line in scores.tolist())
        if 2 <= tied <= 3 and 2e-4 < float(ImanDavenport(scores).pvalue) < 0.03 and 1 <= ByCriticalDifference(scores).reject.sum() <= 4:
            return {"scores": scores}


EXERCISE = Exercise(
    name="friedman_and_nemenyi",
    test=ImanDavenport,
    given={
        "scores": np.array(  # a line for each classifier, turned into a column
            [
                [86, 69, 87, 77, 73, 87, 88, 77],
                [92, 70, 68, 81, 80, 92, 91, 76],
                [89, 65, 85, 74, 75, 82, 83, 75],
                [91, 68, 89, 81, 77, 88, 88, 73],
            ]
        ).T
    },
    draw=draw,
    picture=plot.profiles,
    questions=(
        Question("q1", "ranks", RANKS),
        Question("q2", "mean_ranks", MEAN_RANKS),
        Question("q3", "tie_correction", CHI_SQUARED),
        Question("q4", "chi_squared", CHI_SQUARED),
        Question("q5", "statistic", IMAN),
        Question("q6", "df_error", IMAN),
        Question("q7", "critical_value", IMAN),
        Question("q8", "pvalue", IMAN),
        Question("q9", "reject", IMAN),
        Question("q10", "q_alpha", NEMENYI, of=ByCriticalDifference),
        Question("q11", "cd", NEMENYI, of=ByCriticalDifference),
        Question("q12", "reject", NEMENYI, of=ByCriticalDifference),
        Choice(
            "q13",
            "Which of these does the diagram of the five classifiers show?",
            (
                Option(
                    "The forest has a better mean rank than knn by more than chance would explain.",
                    "No bar joins the two: their distance is longer than the critical difference.",
                ),
                Option(
                    "The forest and naive Bayes do equally well on data sets of this kind.",
                    "A bar means that the test cannot tell the two apart. They may be equal; they may also differ by less than twenty data sets can show.",
                    "connected means equal",
                ),
                Option(
                    "The forest is better than the svm, which is better than naive Bayes.",
                    "That is the order in this sample. A bar joins all three: another twenty data sets might well put them in another order.",
                    "the order read as a difference",
                ),
                Option(
                    "Naive Bayes has a better mean rank than the tree by more than chance would explain.",
                    "Look for a bar that has a dot at both of them: there is one.",
                    "joined read as different",
                ),
            ),
            NEMENYI,
        ),
        Choice(
            "q14",
            "A bar joins the forest and naive Bayes, another one naive Bayes and knn, but none the forest and knn. What follows?",
            (
                Option(
                    "Naive Bayes differs from at least one of the two, but the data do not tell from which.",
                    "If the forest and knn differ, naive Bayes cannot equal both. Two distances that are too short to be shown can add up to one that is not.",
                ),
                Option(
                    "The two bars contradict each other, so the test cannot be used on this table.",
                    "Two bars that overlap contradict each other only if a bar means equality. It means: not told apart.",
                ),
                Option(
                    "Naive Bayes equals the forest and equals knn, so these two are equal as well.",
                    "Equality would carry over from one to the next; not being told apart does not.",
                    "connected means equal, and carries over",
                ),
            ),
            NEMENYI,
        ),
    ),
    mistakes=(
        Mistake(UpsideDown, "ranks upside down", RANKS, only=("q1", "q2")),
        Mistake(ByColumn, "ranks by column", RANKS, only=("q1", "q2")),
        Mistake(InOrderOfAppearance, "ties not averaged", RANKS, only=("q1", "q2")),
        Mistake(BestForAll, "the best rank for all that tie", RANKS, only=("q1", "q2")),
        Mistake(SumsOfRanks, "rank sums for mean ranks", MEAN_RANKS, only=("q2", "q4", "q5")),
        Mistake(TiesNotCorrected, "no tie correction", TIES),
        Mistake(MiddleNotTakenAway, "the middle rank not taken away", CHI_SQUARED, only=("q4", "q5")),
        Mistake(ChiSquaredForF, "chi-squared for F", IMAN),
        Mistake(DegreesWithAllDatasets, "N for N - 1 data sets", IMAN),
        Mistake(ChiSquaredCurve, "chi-squared curve for F", IMAN),
        Mistake(PvalueOfChiSquared, "p-value of chi-squared", IMAN),
        Mistake(RootOfTwoMissing, "q not divided by the square root of 2", NEMENYI, only=("q10", "q11")),
        Mistake(OneClassifierLess, "k - 1 for k", NEMENYI, only=("q10", "q11")),
        Mistake(BonferroniForRange, "Bonferroni for Nemenyi", NEMENYI, only=("q10", "q11")),
        Mistake(NoRoot, "the root of the critical difference is missing", NEMENYI, only=("q11",)),
        Mistake(SixMissing, "N for 6 N", NEMENYI, only=("q11",)),
        Mistake(JoinedForDifferent, "joined read as different", NEMENYI),
    ),
)
