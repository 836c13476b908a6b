"""Exercise: ranks, Friedman's test with Iman and Davenport's F, and the critical difference."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import plot
from ...grading.exercise import Exercise
from ...grading.mistake import Mistake
from ...grading.question import Choice, Option, Question, Section
from ...multiple.iman_davenport import ImanDavenport
from . import steps

RANKS = Section("05_friedman_and_post_hoc", "Step 2. Rank within each data set, 1 = best")
MEAN_RANKS = Section("05_friedman_and_post_hoc", "Step 3. Mean ranks")
CHI_SQUARED = Section("05_friedman_and_post_hoc", "Step 4. One number for all distances from the middle")
TIES = Section("05_friedman_and_post_hoc", "One table, three published answers")
IMAN = Section("05_friedman_and_post_hoc", "Iman and Davenport: a sharper edge")
NEMENYI = Section("05_friedman_and_post_hoc", "Which ones differ? Nemenyi's test and its diagram")


def draw(rng: np.random.Generator) -> dict[str, Any]:
    """Whole percents on eight to ten data sets, with ties on two or three of them, and one or more pairs that differ, but not all."""
    n, k = int(rng.integers(8, 11)), 4
    while True:
        scores = rng.integers(62, 90, n)[:, None] + rng.permutation([0, 1, 3, 5]) + rng.integers(-3, 4, (n, k))
        tied = sum(len(set(line)) < k for line in scores.tolist())
        if (
            2 <= tied <= 3
            and 2e-4 < float(ImanDavenport(scores).pvalue) < 0.03
            and 1 <= steps.ByCriticalDifference(scores).reject.sum() <= 4
        ):
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
        Question("q10", "q_alpha", NEMENYI, of=steps.ByCriticalDifference),
        Question("q11", "cd", NEMENYI, of=steps.ByCriticalDifference),
        Question("q12", "reject", NEMENYI, of=steps.ByCriticalDifference),
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
            "In the diagram of another study a bar joins P and Q, another bar joins Q and R, but none joins P and R. What follows, unless that is a false alarm?",
            (
                Option(
                    "Q differs from P or from R, or from both, but the data do not tell from which.",
                    "If P and R differ, Q cannot equal both. Two distances that are too short to be shown can add up to one that is not.",
                ),
                Option(
                    "The two bars contradict each other, so the test cannot be used on this table.",
                    "Two bars that overlap contradict each other only if a bar means equality. It means: not told apart.",
                ),
                Option(
                    "Q equals P, and Q equals R as well, and so P and R must be equal to each other.",
                    "Equality would carry over from one to the next; not being told apart does not.",
                    "connected means equal, and carries over",
                ),
            ),
            NEMENYI,
        ),
    ),
    mistakes=(
        Mistake(steps.UpsideDown, "ranks upside down", RANKS, only=("q1", "q2")),
        Mistake(steps.ByColumn, "ranks by column", RANKS, only=("q1", "q2")),
        Mistake(steps.InOrderOfAppearance, "ties not averaged", RANKS, only=("q1", "q2")),
        Mistake(steps.BestForAll, "the best rank for all that tie", RANKS, only=("q1", "q2")),
        Mistake(steps.NoRankLeftOut, "no rank left out behind a tie", RANKS, only=("q1", "q2")),
        Mistake(steps.SumsOfRanks, "rank sums for mean ranks", MEAN_RANKS, only=("q2", "q4", "q5")),
        Mistake(steps.TiesNotCorrected, "no tie correction", TIES),
        Mistake(steps.TimesTheCorrection, "times the tie correction", TIES, only=("q4", "q5")),
        Mistake(steps.MiddleNotTakenAway, "the middle rank not taken away", CHI_SQUARED, only=("q4", "q5")),
        Mistake(steps.ChiSquaredForF, "chi-squared for F", IMAN),
        Mistake(steps.AllDatasetsInFront, "N for N - 1 in F", IMAN),
        Mistake(steps.DegreesWithAllDatasets, "N for N - 1 data sets", IMAN),
        Mistake(steps.ChiSquaredCurve, "chi-squared curve for F", IMAN),
        Mistake(steps.DegreesSwapped, "degrees of freedom exchanged", IMAN),
        Mistake(steps.CriticalValueOfTwoTails, "critical value of two tails", IMAN),
        Mistake(steps.WrongSide, "the area on the wrong side", IMAN),
        Mistake(steps.BothTails, "p-value of two tails", IMAN),
        Mistake(steps.PvalueOfChiSquared, "p-value of chi-squared", IMAN),
        Mistake(steps.RootOfTwoMissing, "q not divided by the square root of 2", NEMENYI, only=("q10", "q11")),
        Mistake(steps.OneClassifierLess, "k - 1 for k", NEMENYI, only=("q10", "q11")),
        Mistake(steps.BonferroniForRange, "Bonferroni for Nemenyi", NEMENYI, only=("q10", "q11")),
        Mistake(steps.OnePairOnly, "the quantile of a single pair", NEMENYI, only=("q10",)),
        Mistake(steps.NoRoot, "the root of the critical difference is missing", NEMENYI, only=("q11",)),
        Mistake(steps.SixMissing, "N for 6 N", NEMENYI, only=("q11",)),
        Mistake(steps.TimesOneLess, "k - 1 for k + 1", NEMENYI, only=("q11",)),
        Mistake(steps.JoinedForDifferent, "joined read as different", NEMENYI),
    ),
)
