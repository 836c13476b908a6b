"""Exercise: Wilcoxon's signed-rank test, line by line, and what went wrong in a printed solution of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from ... import plot
from ...grading.exercise import Exercise
from ...grading.mistake import Mistake
from ...grading.question import Choice, Function, Option, Question, Section
from ...picture import Picture
from . import slips
from .by_hand import ByHand, Slip

RANKS = Section("02_wilcoxon", "Steps 2 and 3. Differences, without zeros, ranked by size, with their sign")
SUMS = Section("02_wilcoxon", "Step 4. Sum the ranks of each side")
COUNT = Section("02_wilcoxon", "Step 5. How small is small? Count")
DECISION = Section("02_wilcoxon", "Step 6. Decide")
TABLE = Section("02_wilcoxon", "A lesson in checking a table")
SLIDES = Section("02_wilcoxon", "The slides' exercise: fifteen data sets")
ZEROS = Section("02_wilcoxon", "Ties, zeros, and what they change")


RANKED = ("q3", "q13")  # further down, two wrong columns of ranks can have the same sum


def picture(test: Any) -> Picture:
    """The scores, without the count of wins in the usual title."""
    return replace(plot.scores(test), title="Scores of A and B", text=f"Scores of A and B on {len(test.a)} data sets, joined in pairs.")


def draw(rng: np.random.Generator) -> dict[str, Any]:
    """Whole percents of 12 to 15 data sets: A is ahead in the sum of ranks; a zero, ties, and wins of B."""
    while True:
        n = int(rng.integers(12, 16))
        sizes = rng.integers(1, 14, n)
        sizes[rng.integers(n)] = 0
        d = sizes * np.where(rng.random(n) < 0.3, -1, 1)
        a = rng.integers(max(d.max(), 0) + 55, 86, n)
        data: dict[str, Any] = {"a": a, "b": a - d, "alpha": float(rng.choice([0.05, 0.1]))}
        test = ByHand(**data)
        tied = len(np.unique(sizes[sizes > 0])) < (sizes > 0).sum()
        alike = (test.statistic <= test.critical_value) == test.reject  # the table and the count decide
        if tied and alike and 3 <= test.w_minus < test.w_plus and (d < 0).sum() >= 3:
            return data


def unseen(rng: np.random.Generator) -> Iterator[tuple[str, dict[str, Any]]]:
    """Scores of every kind that the rules speak of."""
    kinds: dict[str, list[int]] = {
        "neither ties nor zeros": [2, 4, -5, 7, -8, 10, 13, -14, 17],
        "ties": [6, 6, -6, 2, -2, 9, 11, 13, -4],
        "zeros": [0, 0, 3, -1, 4, 8, -5, 12, 10],
        "ties and zeros, B is better": [0, -5, -5, -7, -7, 7, -10, 5, 3],
        "A wins everywhere": [1, 2, 2, 4, 5, 6, 8, 9, 9],
        "no difference at all": [0] * 9,
    }
    for kind, d in [*kinds.items()] * 3:
        b = rng.integers(60, 80, 9)
        yield kind, {"a": b + rng.permutation(d), "b": b}


EXERCISE = Exercise(
    name="wilcoxon_by_hand",
    test=ByHand,
    given={  # the slides' scores; those of B on the data sets 2, 4, 7, 9, 11, 12 are changed: theirs have no zeros, and B never wins
        "a": [95, 88, 90, 85, 92, 87, 91, 95, 82, 96, 88, 90, 85, 92, 87],
        "b": [80, 93, 80, 93, 78, 80, 91, 70, 90, 80, 95, 94, 80, 78, 80],
        "alpha": 0.1,
    },
    draw=draw,
    picture=picture,
    questions=(
        Question("q1", "d", RANKS),
        Question("q2", "n", RANKS),
        Question("q3", "ranks", RANKS),
        Question("q4", "w_plus", SUMS),
        Question("q5", "w_minus", SUMS),
        Question("q6", "statistic", SUMS),
        Question("q7", "critical_value", TABLE),
        Choice(
            "q8",
            "W and the critical value c lie before you. When do you reject H0?",
            (
                Option("If W is at most c.", "Under H0 the ranks split about evenly; a small W says that one side has nearly all."),
                Option(
                    "If W is at least c.",
                    "So it is with t, which is large when the classifiers differ. W is the smaller sum: it is small when they do.",
                    "large W taken as evidence",
                ),
                Option(
                    "If W is below c.",
                    "The slides write W < c, but c itself still belongs to the sums whose total probability keeps to alpha: W = c rejects.",
                    "W = c taken as no evidence",
                ),
            ),
            DECISION,
        ),
        Question("q9", "pvalue", COUNT),
        Question("q10", "reject", DECISION),
        Choice(
            "q11",
            "How did the ranks printed in the slides come about?",
            (
                Option("The right ranks were sorted, then written from the top.", "None of them stands beside its own difference."),
                Option(
                    "The largest difference got rank 1, the next one rank 2.",
                    "Then a difference of 25 would have one of the first ranks. Its two printed ranks are neither the first nor the last.",
                    "printed ranks read as upside down",
                ),
                Option(
                    "Equal differences were numbered as they stand.",
                    "Then no halves would be printed, and the ranks would grow with the differences all the same.",
                    "printed ranks read as not averaged",
                ),
            ),
            SLIDES,
        ),
        Question("q12", "w_of_column", SLIDES, of=Slip),
        Function("q13", "statistic", ("a", "b"), unseen, SUMS, points=2),
    ),
    mistakes=(
        Mistake(slips.TheOtherWayRound, "the sign: B minus A", RANKS, only=("q1", "q4", "q5")),
        Mistake(slips.SizesOnly, "signs dropped", RANKS, only=("q1", "q13")),
        Mistake(slips.ZerosCounted, "zeros counted", RANKS, only=("q2",)),
        Mistake(slips.ZerosKept, "zeros ranked", ZEROS, only=RANKED),
        Mistake(slips.TiesInOrder, "ties not averaged", RANKS, only=RANKED),
        Mistake(slips.TiesLowest, "ties given their lowest rank", RANKS, only=RANKED),
        Mistake(slips.SignedRanked, "signed differences ranked", RANKS, only=RANKED),
        Mistake(slips.UpsideDown, "ranks upside down", RANKS, only=RANKED),
        Mistake(slips.RowOrder, "ranks in the order of the rows", SLIDES, only=RANKED),
        Mistake(slips.WinsCounted, "wins counted, ranks forgotten", SUMS, only=("q4", "q5", "q13")),
        Mistake(slips.PlusForMin, "W+ for the smaller sum", SUMS, only=("q6", "q13")),
        Mistake(slips.MinusForMin, "W- whoever is better", SUMS, only=("q13",)),
        Mistake(slips.OneTailedEntry, "one-tailed entry of the table", TABLE),
        Mistake(slips.HalvedTwice, "alpha halved twice", SLIDES),
        Mistake(slips.OneSidedP, "p-value of one tail", COUNT),
        Mistake(slips.NormalForExact, "normal approximation for the exact p", ZEROS),
        Mistake(slips.WithoutW, "W itself left out", COUNT),
        Mistake(slips.UntiedRanks, "the ranks 1 to n for one's own", COUNT),
        Mistake(slips.NotMoved, "the sum of the right ranks", SLIDES),
        Mistake(slips.ZeroSorted, "the zero sorted, too", SLIDES),
    ),
)
