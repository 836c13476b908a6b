"""Exercise: the corrected resampled t-test, and the naive one beside it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....plot.marks import BLUE, GREY, Curve, Points
from ....plot.picture import Picture
from ...grading.exercise import Exercise
from ...grading.mistake import written_in
from ...grading.question import Choice, Option, Question
from .steps import CORRECTION, DECISION, NULL, SHARED, SPREAD, STATISTIC, UNCERTAIN, BothErrors


def splits(test: BothErrors) -> Picture:
    """The difference on each split."""
    d, place = test.d, np.arange(1.0, len(test.d) + 1)
    ends = (0.5, len(d) + 0.5)
    marks = Curve(np.array(ends), np.zeros(2), GREY), Points(place, d, BLUE)
    text = f"Differences on {len(d)} splits, A minus B in percentage points: {', '.join(f'{x:g}' for x in d)}."
    limits = (min(0.0, float(d.min())) - 1, max(0.0, float(d.max())) + 1)
    return Picture("Score of A less score of B", "split", "percentage points", ends, limits, marks, text, whole_x=True)


PLANS = ((200, 10), (200, 12), (400, 10), (500, 20), (900, 15), (900, 16))  # others would hardly tell some mistakes apart


def draw(rng: np.random.Generator) -> dict[str, Any]:
    """Whole percentage points; the naive test rejects them clearly, the corrected one does not."""
    n_train, n = PLANS[rng.integers(len(PLANS))]
    while True:
        d = np.round(rng.choice([-1, 1]) * rng.uniform(1, 3) + rng.normal(0, rng.uniform(2, 3), n)).astype(int)
        test = BothErrors(d, n_train, 100)
        if test.sd and test.naive_pvalue < 0.03 and 0.07 < test.pvalue < 0.5:
            return {"d": d, "n_train": n_train, "n_test": 100}


EXERCISE = Exercise(
    name="corrected_resampled_t",
    test=BothErrors,
    given={"d": [2, 0, 3, 5, -1, 2, 4, -3, 1, 3, 2, 5, -2, 2, 4], "n_train": 900, "n_test": 100},
    draw=draw,
    picture=splits,
    questions=(
        Question("q1", "mean", SPREAD),
        Question("q2", "sd", SPREAD),
        Question("q3", "naive_se", STATISTIC),
        Question("q4", "naive_statistic", STATISTIC),
        Question("q5", "df", NULL),
        Question("q6", "naive_pvalue", NULL),
        Choice(
            "q7",
            "Why is the naive standard error too small?",
            (
                Option(
                    "The splits share records, so that their differences are alike, and each "
                    "further split brings less news than it seems to.",
                    "Differences that are alike because they come from the same records have "
                    "a small spread, and that is taken for precision.",
                ),
                Option(
                    "There are too few splits to estimate a standard deviation; with some thirty of them the naive test would be right.",
                    "Few splits are what Student's t is made for. With more splits of the same records the naive "
                    "test gets worse: it divides by the root of J as if records came in.",
                    "more splits taken for more data",
                ),
                Option(
                    "The two algorithms are tested on the same records in each split, so that "
                    "their scores are not independent of each other.",
                    "That is pairing, and it helps: the difference takes out what both scores share. What hurts is what two splits share.",
                    "pairing taken for the trouble",
                ),
            ),
            SHARED,
        ),
        Question("q8", "test_by_train", CORRECTION),
        Question("q9", "factor", CORRECTION),
        Question("q10", "se", CORRECTION),
        Question("q11", "statistic", CORRECTION),
        Question("q12", "pvalue", NULL),
        Question("q13", "reject", DECISION),
        Question("q14", "worth", UNCERTAIN),
        Choice(
            "q15",
            "Suppose you drew ten times as many splits of these records. What would become of the two standard errors?",
            (
                Option(
                    "The naive one would shrink to about a third, the corrected one only towards a floor that the ratio of the sizes sets.",
                    "1/J goes to 0 and the ratio stays. One data set holds only so much information, however often you cut it.",
                ),
                Option(
                    "Both would shrink to about a third: ten times as many differences make any mean steadier by the root of ten.",
                    "Any mean of independent differences. The part that the splits share is in all of them, and does not average out.",
                    "more splits taken for more data, corrected",
                ),
                Option(
                    "The naive one would shrink to about a third, the corrected one would grow, because more splits share more records.",
                    "Any two splits share as much as before. More of them cannot make the mean less certain; they only stop helping.",
                    "more splits taken for a larger error",
                ),
            ),
            UNCERTAIN,
        ),
    ),
    mistakes=written_in(__package__),
)
