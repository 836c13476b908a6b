"""Exercise: a test that fails to reject has not shown equality; what would."""

from __future__ import annotations

from typing import Any

import numpy as np

from .... import plot
from ....procedures.pairwise.paired_t import PairedT
from ...grading.exercise import Exercise
from ...grading.mistake import written_in
from ...grading.question import Choice, Option, Question
from ..pictures import untold
from .steps import DECISION, EQUIVALENT, NOT_EQUAL, SIZE, SPREAD, STANDARD_ERROR, Alike


def draw(rng: np.random.Generator) -> dict[str, Any]:
    """Whole percents of six to nine data sets that show neither a difference nor equivalence, though one of the two tests would reject."""
    while True:
        n = int(rng.integers(6, 10))
        level, d = rng.integers(62, 92, n), rng.integers(-5, 6, n)
        test = Alike(level + d, level, margin=float(rng.integers(2, 4)))
        p = sorted(test.null.at_least(t) for t in (test.t_low, test.t_high))
        if PairedT(level + d, level).pvalue > 0.15 and p[0] < 0.04 and 0.08 < p[1] < 0.45:
            return {"a": level + d, "b": level, "margin": test.margin}


EXERCISE = Exercise(
    name="not_significant_is_not_equivalent",
    test=Alike,
    given={"a": [84, 72, 91, 73, 74, 87, 71, 80], "b": [81, 74, 90, 68, 77, 85, 72, 79], "margin": 2.0},
    draw=draw,
    picture=untold(plot.scores),
    questions=(
        Question("q1", "mean", SPREAD, of=PairedT),
        Question("q2", "se", STANDARD_ERROR, of=PairedT),
        Question("q3", "pvalue", DECISION, of=PairedT),
        Choice(
            "q4",
            "The test fails to reject. What has it told about A and B?",
            (
                Option(
                    "Not much: equal classifiers often give data like these, and so may unequal ones.",
                    "The p-value looks at the data from one hypothesis only. How well others fit, the interval will tell.",
                ),
                Option(
                    "That they are equally good, and p is the probability of it.",
                    "p is worked out as if they were equal, so it cannot tell how probable that is. It speaks of data, not of hypotheses.",
                    "p read as the probability of equality",
                ),
                Option(
                    "That they are equally good, with a confidence of 1 - p.",
                    "1 - p is how often equal classifiers give data that are less extreme. The "
                    "better the data fit equality, the smaller it gets!",
                    "1 - p read as the probability of equality",
                ),
                Option(
                    "That there is no difference, or the test would have found it.",
                    "A test on few data sets misses many a true difference. Not having found one is not having shown that there is none.",
                    "absence of evidence read as evidence of absence",
                ),
            ),
            NOT_EQUAL,
        ),
        Question("q5", "ci", DECISION, of=PairedT),
        Question("q6", "t_low", EQUIVALENT),
        Question("q7", "t_high", EQUIVALENT),
        Question("q8", "statistic", EQUIVALENT),
        Question("q9", "pvalue", EQUIVALENT),
        Question("q10", "reject", EQUIVALENT),
        Question("q11", "ci", EQUIVALENT),
        Question("q12", "margin_shown", EQUIVALENT),
        Choice(
            "q13",
            "A colleague sees your last answer and writes: 'equivalent within this margin (p = 0.05)'. What do you say?",
            (
                Option(
                    "The margin was fitted to the data; chosen so, any data show equivalence within something.",
                    "A margin is an opinion on what matters, and the data have none. Fixed afterwards, the level 0.05 means nothing.",
                ),
                Option(
                    "It is in order: at this margin the equivalence test rejects at the level 0.05.",
                    "It rejects because the margin was put where it just does. The level holds for a margin that did not know the data.",
                    "margin chosen after the data",
                ),
                Option(
                    "It becomes sound as soon as the margin is rounded up to whole points.",
                    "Rounding up hides that the margin came from the data; it does not undo it.",
                ),
            ),
            NOT_EQUAL,
        ),
        Question("q14", "size", SIZE),
        Choice(
            "q15",
            "Which study shows a difference and yet shows that it does not matter?",
            (
                Option("Study Q", "Its intervals leave out 0 and lie within the margins: significant, and equivalent."),
                Option("Study P", "Its interval holds 0 and reaches beyond a margin: neither is shown.", "undecided read as equivalent"),
                Option("Study R", "Its interval leaves out 0, but lies beyond the margin: a difference that matters."),
                Option("Study S", "Its interval lies within the margins, but holds 0: alike, and no difference shown."),
            ),
            EQUIVALENT,
        ),
    ),
    mistakes=written_in(__package__),
)
