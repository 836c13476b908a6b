"""Exercise: three claims about the same scores, one- and two-sided."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import sqrt

from .... import plot
from ....distributions.continuous import StudentT
from ...grading.exercise import Exercise
from ...grading.mistake import written_in
from ...grading.question import Choice, Option, Question
from ..pictures import untold
from .steps import DECISION, DIFFERENCES, DIRECTION, HYPOTHESES, NULL, SIGNS, OneOrTwo

SIMULATED = 100_000  # experiments that the notebook simulates


def draw(rng: np.random.Generator) -> dict[str, Any]:
    """Whole percents: A is ahead by so much that a one-sided test rejects and a two-sided one does not."""
    alpha = float(rng.choice([0.01, 0.02, 0.05, 0.1]))
    while True:
        n = int(rng.integers(8, 11))
        d = rng.choice([-4, -3, -2, -1, 1, 2, 3, 4, 5, 6, 7], (n, 400), p=[0.05] * 4 + [0.15, 0.15] + [0.1] * 5)
        t, wins = d.mean(0) * sqrt(n) / d.std(0, ddof=1), (d > 0).sum(0)
        low, high = (StudentT(n - 1).high(share) for share in (alpha * 0.97, alpha * 0.53))  # not by a hair
        fits = (t > low) & (t < high) & (wins > n / 2) & (wins < n)
        if fits.any():
            b = rng.integers(62, 91, n)
            return {"a": b + d[:, np.argmax(fits)], "b": b, "alpha": alpha}


def luck(test: Any) -> float:
    """Four standard errors of the share that is counted among the simulated experiments."""
    share = float(test.level_after_looking)
    return float(4 * sqrt(share * (1 - share) / SIMULATED))


EXERCISE = Exercise(
    name="one_or_two_sided",
    test=OneOrTwo,
    given={"a": [74, 85, 70, 92, 75, 78, 83, 89], "b": [71, 84, 66, 90, 78, 73, 81, 88], "alpha": 0.05},
    draw=draw,
    picture=untold(plot.scores),
    questions=(
        Choice(
            "q1",
            "Anna claims, before she has seen any score: A is better. Which hypotheses does she test?",
            (
                Option(
                    "H0: the true mean difference is 0 or less. H1: it is above 0.",
                    "What you want to support stands in H1; H0 is what the data must speak against.",
                ),
                Option(
                    "H0: the true mean difference is above 0. H1: it is 0 or less.",
                    "A test never supports its H0, it only rejects it or fails to. With the claim in H0 the "
                    "best that could happen to Anna would be not to be refuted.",
                    "the claim put into H0",
                ),
                Option(
                    "H0: the true mean difference is 0. H1: it is not 0.",
                    "That is Carla's pair. It would reward a difference in either direction, and Anna named one.",
                    "two-sided for a claim with a direction",
                ),
                Option(
                    "H0: the mean of the differences in the table is 0 or less. H1: it is above 0.",
                    "The mean of the table can be read off, for that no test is needed. Hypotheses "
                    "speak of the true mean difference, of data sets not seen.",
                    "a hypothesis about the sample",
                ),
            ),
            HYPOTHESES,
        ),
        Choice(
            "q2",
            "Ben claims, before he has seen any score: B is better. Which picture shows where he rejects?",
            (
                Option("Picture 3.", "B better means A minus B below 0: only small t, far out on the left, support Ben."),
                Option(
                    "Picture 1.",
                    "There large t reject, and t is large when A is better. That is Anna's region. The differences are A minus B.",
                    "the region on the wrong side",
                ),
                Option(
                    "Picture 2.",
                    "There both large and small t reject. That is Carla's region; a large t would speak against Ben.",
                    "two regions for one direction",
                ),
            ),
            DIRECTION,
        ),
        Question("q3", "statistic", DIFFERENCES),
        Question("q4", "critical_value", NULL),
        Question("q5", "one_sided_critical_value", DIRECTION),
        Question("q6", "pvalue", NULL),
        Question("q7", "p_greater", DIRECTION),
        Question("q8", "p_less", DIRECTION),
        Question("q9", "rejects", DECISION),
        Choice(
            "q10",
            "On other data somebody claims that B is better, tests one-sided, and finds p = 0.99. What does it tell?",
            (
                Option(
                    "Nothing speaks for the claim: H0 is not rejected.",
                    "If the two were equally good, nearly every experiment would speak for B at "
                    "least as much as this one. More than that p does not say.",
                ),
                Option(
                    "A is better, with a probability of about 0.99.",
                    "A p-value is computed as if H0 were true and is no probability of a hypothesis. "
                    "Whether A is better would be another test, planned beforehand.",
                    "p read as the probability that A is better",
                ),
                Option(
                    "H0 is as good as proved: B is not better than A.",
                    "Failing to reject proves nothing, however large p is: a true difference in "
                    "favour of B, hidden by bad luck, gives a large p as well.",
                    "a large p taken for a proof of H0",
                ),
            ),
            DIRECTION,
        ),
        Question(
            "q11",
            "level_after_looking",
            DIRECTION,
            tolerance=luck,
            unlikely=lambda test: 1 - (1 - test.alpha) ** 2,
            typed="That is 1 - (1 - alpha)^2, as if two independent tests were done. Dora does one, on the side where t lies: "
            "both tails of the same curve count. Count in t0.",
            repetitions=lambda _: SIMULATED,
        ),
        Question("q12", "sign_greater", SIGNS),
        Question("q13", "sign_less", SIGNS),
        Choice(
            "q14",
            "When may a one-sided test be used?",
            (
                Option(
                    "If the direction was fixed before the data were seen, and a difference the other way would change nothing.",
                    "Then all of alpha may lie on one side, for only there something can follow from the data.",
                ),
                Option(
                    "If the two-sided p-value turns out a little above alpha and the difference points the way that one hoped for.",
                    "That is Dora's way: alpha on either side, hence twice the level. The hope came "
                    "first, but the decision for one side came after the data.",
                    "the side chosen after looking",
                ),
                Option(
                    "If there are few data sets, so that a two-sided test would have too little power to find the difference.",
                    "Little power is a reason for more data sets. The direction must follow from the "
                    "question; power is what one gains by it, not why one may.",
                    "one-sided for the sake of power",
                ),
            ),
            DIRECTION,
        ),
    ),
    mistakes=written_in(__package__),
)
