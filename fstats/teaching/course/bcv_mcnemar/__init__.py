"""Exercise: ten contingency tables of a block-regularized 5x2 cross-validation become one."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....plot.marks import BLUE, VERMILLION, Points
from ....plot.picture import Picture
from ...grading.exercise import Exercise
from ...grading.mistake import written_in
from ...grading.question import Choice, Option, Question
from .steps import EFFECTIVE, LEVEL, MCNEMAR, MEAN, STATISTIC, WORTH, TenTables


def counts(test: TenTables) -> Picture:
    """The discordant counts of the ten tables, one after the other."""
    n01, n10, place = test.n01.ravel(), test.n10.ravel(), np.arange(1.0, 11)
    marks = Points(place, n01, BLUE, "n01: only B is right"), Points(place, n10, VERMILLION, "n10: only A is right", open=True)
    text = "Discordant records in the ten tables, n01 and n10: " + ", ".join(f"{x:g} and {y:g}" for x, y in zip(n01, n10)) + "."
    top = float(max(n01.max(), n10.max())) + 1
    return Picture("Discordant records in each table", "table", "records", (0.5, 10.5), (-0.5, top), marks, text, whole_x=True)


def draw(rng: np.random.Generator) -> dict[str, Any]:
    """About the same records are discordant in every repetition; ten tables pooled would convince, the effective one does not."""
    while True:
        few = int(rng.integers(4, 11))
        totals = np.array([few, few + int(rng.integers(5, 12))])[:, np.newaxis] + rng.integers(-1, 3, (2, 5))
        ones = rng.binomial(totals, 0.5)
        both = rng.permutation(np.stack([ones, totals - ones], axis=2))
        given = {"n01": both[0], "n10": both[1], "n_fold": int(rng.choice([100, 120, 150]))}
        given |= {"rho1": float(rng.choice([0.2, 0.3, 0.4])), "rho2": 0.5}  # two numbers, so that they cannot be exchanged unseen
        test = TenTables(**given)
        if 0.07 < test.pvalue < 0.5 and test.pooled_pvalue < 0.005:
            return given


EXERCISE = Exercise(
    name="bcv_mcnemar",
    test=TenTables,
    given={
        "n01": [[3, 5], [2, 5], [4, 3], [4, 4], [2, 6]],
        "n10": [[8, 7], [9, 7], [6, 9], [9, 6], [7, 7]],
        "n_fold": 120,
        "rho1": 0.4,
        "rho2": 0.5,
    },
    draw=draw,
    picture=counts,
    questions=(
        Question("q1", "mean", MEAN),
        Choice(
            "q2",
            "Why not simply add up the ten tables, and make McNemar's test on the sum?",
            (
                Option(
                    "Each record is tested in every repetition, and the sum would count it five times, as if it were five records.",
                    "The sum holds five times as many entries as there are records; McNemar's "
                    "test would take each of them for a new coin toss.",
                ),
                Option(
                    "It can be done: ten tables hold more records than one, and the test gains the power that they bring.",
                    "They hold more entries, not more records. What looks like power are the same few records, asked again and again.",
                    "more tables taken for more records",
                ),
                Option(
                    "The counts of the sum are too large: McNemar's test with its continuity correction is made for small tables.",
                    "The larger the counts, the better is its approximation, if they come from different records. Here they do not.",
                    "size of the counts taken for the trouble",
                ),
            ),
            MEAN,
        ),
        Question("q3", "t", WORTH),
        Question("q4", "effective", EFFECTIVE),
        Question("q5", "n_effective", EFFECTIVE),
        Question("q6", "statistic", STATISTIC),
        Question("q7", "critical_value", STATISTIC),
        Question("q8", "pvalue", STATISTIC),
        Question("q9", "reject", STATISTIC),
        Question("q10", "pooled", MCNEMAR),
        Question("q11", "pooled_pvalue", LEVEL),
        Choice(
            "q12",
            "Nobody knows the two correlations. What happens if in truth they are smaller than the values that the test takes?",
            (
                Option(
                    "The test is too cautious: it takes the ten tables for less than they are "
                    "worth, and overlooks differences that it could find.",
                    "A true H0 is then rejected less often than alpha allows. The authors chose this side of the error on purpose.",
                ),
                Option(
                    "The test is too bold: it takes the ten tables for more than they are worth, and rejects true hypotheses too often.",
                    "Look at the factor: larger correlations make it smaller, and so are the "
                    "effective counts. The test was given the larger ones.",
                    "large correlations taken for boldness",
                ),
                Option(
                    "Nothing: the correlations change the size of the effective table, but its rates stay, and the test compares rates.",
                    "The rates stay, that is true; but how much an imbalance means depends on how many records show it.",
                    "rates without their size",
                ),
            ),
            LEVEL,
        ),
    ),
    mistakes=written_in(__package__),
    elsewhere={"alpha": 0.01},
)
