"""Exercise: how an entry of a table of critical values comes about, and how to check a printed one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...grading.exercise import Exercise
from ...grading.mistake import written_in
from ...grading.question import Choice, Function, Option, Question
from .steps import COUNT, DECISION, PRINTED, RANKS, ROWS, TABLE, Entry


def draw(rng: np.random.Generator) -> dict[str, Any]:
    """A few ranks to count with pencil, a table row to look up, and a cell of the printed table, right or wrong."""
    column, row = float(rng.choice([0.10, 0.05, 0.01])), int(rng.integers(7, 15))
    return {
        "ranks": int(rng.integers(6, 8)),
        "limit": int(rng.choice([5, 7])),  # for 6 the slips at q2 and q3 meet
        "data_sets": int(rng.integers(11, 15)),
        "zeros": int(rng.integers(2, 4)),
        "alpha": float(rng.choice([0.10, 0.05, 0.02, 0.01])),
        "row": row,
        "column": column,
        "printed": PRINTED[column][ROWS.index(row)],
    }


def unseen(rng: np.random.Generator) -> Iterator[tuple[str, dict[str, Any]]]:
    """Entries of usual tables; such as do not exist; such as use alpha up."""
    for n in rng.permutation(range(6, 21)).tolist():
        yield "entries of a table", {"n": n, "alpha": float(rng.choice([0.10, 0.05, 0.01])) if n > 7 else 0.10}
    yield from (("nothing can reject", {"n": n, "alpha": 0.01}) for n in (4, 6, 7))
    yield from (("alpha / 2 used up to the last bit", {"n": n, "alpha": 10 / 2**n}) for n in (6, 8, 10))


EXERCISE = Exercise(
    name="critical_value_table",
    test=Entry,
    given={"ranks": 6, "limit": 5, "data_sets": 12, "zeros": 2, "alpha": 0.05, "row": 10, "column": 0.01, "printed": 5},
    draw=draw,
    questions=(
        Question("q1", "patterns", COUNT),
        Question("q2", "ways", COUNT),
        Question("q3", "chance", COUNT),
        Question("q4", "n", RANKS),
        Question("q5", "critical", DECISION),
        Question("q6", "fewest", TABLE),
        Choice(
            "q7",
            "For n = 17 the slides print 40 in the two-tailed column of 0.10 and 33 in the one-tailed "
            "column of 0.05. What do you know before you compute anything?",
            (
                Option("At least one of the two is wrong.", "Both leave 0.05 on one side: the same cut, so the same number."),
                Option(
                    "Nothing: they belong to different tests.",
                    "The tests differ in what they reject, but both cut off a tail of 0.05 from the same distribution.",
                    "one-tailed 0.05 taken to differ from two-tailed 0.10",
                ),
                Option("The 33 is wrong: half of 40 is 20.", "Levels are halved, not sums of ranks.", "entries halved instead of levels"),
            ),
            TABLE,
        ),
        Question("q8", "level", TABLE),
        Question("q9", "too_easily", TABLE),
        Choice(
            "q10",
            "An entry of a table is smaller than it should be, and somebody trusts it. What comes of that?",
            (
                Option("True differences are overlooked more often than necessary.", "W has to be smaller than it need be: power is lost."),
                Option(
                    "True null hypotheses are rejected more often than alpha allows.",
                    "So it would be with an entry that is too large. Here W must be smaller still before it rejects.",
                    "the direction of a wrong entry mixed up",
                ),
                Option("The p-value comes out too small.", "p is counted from the ranks, without a table.", "p taken from the table"),
            ),
            TABLE,
        ),
        Function("q11", "critical", ("n", "alpha"), unseen, TABLE, points=2, ready=("critical_values",)),
        Question("q12", "errors", TABLE),
    ),
    mistakes=written_in(__package__),
)
