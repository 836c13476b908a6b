"""Exercise: three areas below a posterior, and what may be said of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....plot.marks import BLUE, GREY, Curve, Points
from ....plot.picture import Picture
from ...grading.exercise import Exercise
from ...grading.mistake import written_in
from ...grading.question import Choice, Option, Question
from .steps import ANSWERS, POSTERIOR, PRIOR, ROPE, SPREAD, WRONG, AreasByHand


def folds(test: AreasByHand) -> Picture:
    """The difference on each fold, with the ends of the rope."""
    d, place, rope = test.d, np.arange(1.0, len(test.d) + 1), float(test.rope)
    ends = np.array([0.5, len(d) + 0.5])
    low, high = (Curve(ends, np.full(2, end), GREY) for end in (-rope, rope))
    said = ", ".join(f"{x:g}" for x in d)
    text = f"Differences on {len(d)} folds, A minus B in percentage points: {said}. Lines at the ends of the rope, {-rope:g} and {rope:g}."
    limits = (min(-rope, float(d.min())) - 1, max(rope, float(d.max())) + 1)
    return Picture(
        "Score of A less score of B",
        "fold",
        "percentage points",
        (0.5, len(d) + 0.5),
        limits,
        (low, high, Points(place, d, BLUE)),
        text,
        whole_x=True,
    )


def draw(rng: np.random.Generator) -> dict[str, Any]:
    """Ten folds in whole percentage points; all three areas can be seen, and none of them decides."""
    while True:
        d = np.round(rng.choice([-1, 1]) * rng.uniform(0.4, 2) + rng.normal(0, rng.uniform(1.5, 3), 10)).astype(int)
        test = AreasByHand(d, rho=0.1, rope=1)
        areas = test.probabilities
        if test.sd and areas.min() > 0.02 and areas.max() < 0.9 and abs(float(test.mean)) > 0.25:
            return {"d": d, "rho": 0.1, "rope": 1.0}


EXERCISE = Exercise(
    name="bayesian_comparison",
    test=AreasByHand,
    given={"d": [3, 0, 2, -1, 4, 1, 0, 3, -2, 3], "rho": 0.1, "rope": 1.0},
    draw=draw,
    picture=folds,
    questions=(
        Question("q1", "mean", SPREAD),
        Question("q2", "sd", SPREAD),
        Question("q3", "scale", POSTERIOR),
        Question("q4", "t_low", ROPE),
        Question("q5", "t_high", ROPE),
        Question("q6", "below", POSTERIOR),
        Question("q7", "above", POSTERIOR),
        Question("q8", "inside", ROPE),
        Choice(
            "q9",
            "None of the three probabilities reaches 0.95. What do you report?",
            (
                Option(
                    "The three probabilities, the rope and the prior, and that the data leave open which of the three it is.",
                    "A probability of 0.6 is a probability of 0.6. Who must choose today "
                    "may choose by it; who may wait collects more data.",
                ),
                Option(
                    "That the two are practically equivalent, because neither of them has been shown to be better by more than the rope.",
                    "Equivalence is one of the three statements, and it has its own probability, which does not reach 0.95 either.",
                    "no decision taken for equivalence",
                ),
                Option(
                    "That the one with the largest probability holds, since the probabilities of the other two are smaller.",
                    "It is the likeliest of three, and may well be wrong: say how probable it is, and do not call it found.",
                    "the likeliest taken for the truth",
                ),
            ),
            WRONG,
        ),
        Choice(
            "q10",
            "With a rope of 0, the area below it is the one-sided p-value of the corrected t-test. What is the difference?",
            (
                Option(
                    "The area is a probability of the hypothesis given these data and a prior; p is one of the data given the hypothesis.",
                    "The numbers agree because the prior is flat. With another prior the area changes and p does not.",
                ),
                Option(
                    "None: a p-value is the probability that the hypothesis is true, and the area is the same with other words.",
                    "A p-value takes the hypothesis for true. Only a prior turns it round.",
                    "a p-value taken for the probability of the hypothesis",
                ),
                Option(
                    "The area is the more exact of the two, because it makes no use of any assumption on the differences.",
                    "Both take normal differences with the same correlation; the area needs a prior on top.",
                    "a posterior taken for free of assumptions",
                ),
            ),
            ANSWERS,
        ),
        Choice(
            "q11",
            "A colleague widens the rope until 'equivalent' reaches 0.95, and reports that. What is wrong?",
            (
                Option(
                    "The rope says what matters in practice; it is chosen before the data are seen, or the data choose the conclusion.",
                    "For nearly any data there is a rope that is wide enough. Fixed beforehand, it is a statement on costs.",
                ),
                Option(
                    "Nothing: the probability is right for the rope that is reported, so that every reader can judge it.",
                    "The number is right. That this rope was picked for it is what the reader does not see.",
                    "a rope chosen after looking",
                ),
                Option(
                    "The prior must be widened along with the rope; otherwise the probabilities do not add up to 1 any more.",
                    "The three areas below one curve add up to 1 wherever the ends of the rope stand.",
                    "rope taken for prior",
                ),
            ),
            PRIOR,
        ),
    ),
    mistakes=written_in(__package__),
)
