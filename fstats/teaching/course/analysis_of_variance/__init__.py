"""Exercise: the repeated-measures analysis of variance by hand, compared with the one-way analysis."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from .... import plot
from ....plot.drawing.picture import Picture
from ....plot.drawing.picture_marks import Points
from ....procedures.multiple.one_way_anova import OneWayAnova
from ....procedures.multiple.repeated_measures_anova import RepeatedAnova
from ...grading.question import Question
from ..exercise_loader import load_exercise
from .steps import ONE_WAY, REPEATED, BothAnalyses


def draw(rng: np.random.Generator) -> dict[str, Any]:
    """Draw whole percents with whole means, residuals and sums of squares; classifiers differ less than data sets do."""
    n, k = int(rng.integers(5, 7)), 3
    while True:
        e = np.zeros((n, k), int)
        e[1:, 1:] = rng.integers(-3, 4, (n - 1, k - 1))
        e[0] -= e.sum(0)
        e[:, 0] -= e.sum(1)  # the residuals of each row and each column must add up to 0
        ahead, easy = rng.integers(-4, 5, k), rng.integers(-14, 13, n)
        ahead[0], easy[0] = -ahead[1:].sum(), -easy[1:].sum()
        if max(abs(e).max(), abs(ahead).max()) > 4 or abs(easy).max() > 14 or len(set(easy)) < n:
            continue
        scores = int(rng.integers(72, 79)) + easy[:, None] + ahead + e
        if 0.002 < float(RepeatedAnova(scores).pvalue) < 0.035 and float(OneWayAnova(scores).pvalue) > 0.25:
            return {"scores": scores}


def without_means(test: Any) -> Picture:
    """Draw the scores, one line for each data set, without the means, which the student computes."""
    whole = plot.profiles(test)
    marks = tuple(mark for mark in whole.marks if not (isinstance(mark, Points) and mark.open))
    return replace(whole, marks=marks, text=f"Scores of {test.k} classifiers on {test.n} data sets, one line for each data set.")


EXERCISE = load_exercise(
    __package__,
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
        "q16",
        Question("q17", "ss_within", ONE_WAY),
        Question("q18", "one_way", ONE_WAY),
        "q19",
    ),
    elsewhere={"scores": [[70, 74, 78, 72], [81, 80, 88, 79], [64, 69, 70, 63]]},
)
