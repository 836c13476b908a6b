"""Exercise: the sign test by hand; the sign test only counts wins."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....procedures.pairwise.sign_test import SignTest
from ...grading.question import Question
from ..exercise_loader import load_exercise
from ..exercise_pictures import scores
from .steps import RELATIVES


def draw(rng: np.random.Generator) -> dict[str, Any]:
    """Draw nine to twelve data sets with one or two ties, and a winner that does not win everywhere."""
    n = int(rng.integers(9, 13))
    b = rng.integers(60, 90, n)
    d = rng.choice([-1, 1], n, p=[0.25, 0.75]) * rng.integers(1, 9, n)
    d[: rng.integers(1, 3)] = 0
    return {"a": b + rng.permutation(d), "b": b}


EXERCISE = load_exercise(
    __package__,
    test=SignTest,
    given={"a": [88, 75, 91, 70, 83, 79, 66, 94, 72, 85], "b": [84, 75, 86, 73, 80, 71, 64, 90, 70, 82]},
    draw=draw,
    picture=scores,
    questions=(
        Question("q1", "wins", RELATIVES),
        Question("q2", "n", RELATIVES),
        Question("q3", "pvalue", RELATIVES, points=2),
    ),
)
