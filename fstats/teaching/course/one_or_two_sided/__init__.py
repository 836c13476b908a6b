"""Exercise: three claims about the same scores, tested one-sided and two-sided."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import sqrt

from ....distributions.continuous_distributions import StudentT
from ...grading.question import Question
from ..exercise_loader import load_exercise
from ..exercise_pictures import scores
from .steps import DECISION, DIFFERENCES, DIRECTION, NULL, SIGNS, OneAndTwoSidedT

SIMULATED = 100_000  # experiments that the notebook simulates


def draw(rng: np.random.Generator) -> dict[str, Any]:
    """Draw whole percents: A is better by so much that a one-sided test rejects and a two-sided test fails to reject."""
    alpha = float(rng.choice([0.01, 0.02, 0.05, 0.1]))
    while True:
        n = int(rng.integers(8, 11))
        d = rng.choice([-4, -3, -2, -1, 1, 2, 3, 4, 5, 6, 7], (n, 400), p=[0.05] * 4 + [0.15, 0.15] + [0.1] * 5)
        t, wins = d.mean(0) * sqrt(n) / d.std(0, ddof=1), (d > 0).sum(0)
        low, high = (StudentT(n - 1).high(share) for share in (alpha * 0.97, alpha * 0.53))  # no close decision
        fits = (t > low) & (t < high) & (wins > n / 2) & (wins < n)
        if fits.any():
            b = rng.integers(62, 91, n)
            return {"a": b + d[:, np.argmax(fits)], "b": b, "alpha": alpha}


def simulation_tolerance(test: Any) -> float:
    """Return four standard errors of the share that is counted among the simulated experiments."""
    share = float(test.level_after_looking)
    return float(4 * sqrt(share * (1 - share) / SIMULATED))


EXERCISE = load_exercise(
    __package__,
    test=OneAndTwoSidedT,
    given={"a": [74, 85, 70, 92, 75, 78, 83, 89], "b": [71, 84, 66, 90, 78, 73, 81, 88], "alpha": 0.05},
    draw=draw,
    picture=scores,
    questions=(
        "q1",
        "q2",
        Question("q3", "statistic", DIFFERENCES),
        Question("q4", "critical_value", NULL),
        Question("q5", "one_sided_critical_value", DIRECTION),
        Question("q6", "pvalue", NULL),
        Question("q7", "p_greater", DIRECTION),
        Question("q8", "p_less", DIRECTION),
        Question("q9", "rejects", DECISION),
        "q10",
        Question(
            "q11",
            "level_after_looking",
            DIRECTION,
            tolerance=simulation_tolerance,
            unlikely=lambda test: 1 - (1 - test.alpha) ** 2,
            typed="Your number is 1 - (1 - alpha)^2, as if two independent tests were made. Dora makes one test, on the side where t lies, "
            "so both tails of the same distribution count: count the rejections in t0.",
            repetitions=lambda _: SIMULATED,
        ),
        Question("q12", "sign_greater", SIGNS),
        Question("q13", "sign_less", SIGNS),
        "q14",
    ),
)
