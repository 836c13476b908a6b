"""Exercise: the repeated-measures analysis of variance by hand, with the one-way analysis beside it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from .... import plot
from ....plot.marks import Points
from ....plot.picture import Picture
from ....procedures.multiple.one_way_anova import OneWayAnova
from ....procedures.multiple.repeated_anova import RepeatedAnova
from ...grading.exercise import Exercise
from ...grading.mistake import written_in
from ...grading.question import Choice, Option, Question
from .steps import ONE_WAY, PAIRS, REPEATED, WHICH, BothAnalyses


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
            "Suppose that the null hypothesis is rejected. What have the data shown then?",
            (
                Option(
                    "Not all classifiers have the same true mean score.",
                    "That is all that F tells. Which ones differ, a test for pairs has to say.",
                ),
                Option(
                    "Each classifier has another true mean score than each of the others.",
                    "The null hypothesis says that all are equal. It is false as soon as one "
                    "of them differs; the others may still be equal.",
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
                    "If all are alike, at least one of the tests rejects in more than 5 of 100 tables.",
                    "The more pairs, the more chances of a false alarm. One question about "
                    "all comes first, then pairs at one level for all.",
                ),
                Option(
                    "That is fine: each test keeps its level, so the false alarms stay at 5 of 100 tables.",
                    "They do for each test, but you would report whichever of them rejects. Ten classifiers that are all "
                    "alike make 45 pairs, and more tables with a false alarm than without.",
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
    mistakes=written_in(__package__),
    elsewhere={"scores": [[70, 74, 78, 72], [81, 80, 88, 79], [64, 69, 70, 63]]},
)
