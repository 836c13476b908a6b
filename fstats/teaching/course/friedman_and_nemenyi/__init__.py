"""Exercise: ranks, Friedman's test with Iman and Davenport's F, and the critical difference."""

from __future__ import annotations

from typing import Any

import numpy as np

from .... import plot
from ....procedures.multiple.iman_davenport import ImanDavenport
from ...grading.question import Question
from ..exercise_loader import load_exercise
from .steps import CHI_SQUARED, IMAN, MEAN_RANKS, NEMENYI, RANKS, ByCriticalDifference


def draw(rng: np.random.Generator) -> dict[str, Any]:
    """Draw whole percents on eight to ten data sets: two or three data sets have ties, and some pairs of classifiers differ."""
    n, k = int(rng.integers(8, 11)), 4
    while True:
        scores = rng.integers(62, 90, n)[:, None] + rng.permutation([0, 1, 3, 5]) + rng.integers(-3, 4, (n, k))
        tied = sum(len(set(line)) < k for line in scores.tolist())
        if 2 <= tied <= 3 and 2e-4 < float(ImanDavenport(scores).pvalue) < 0.03 and 1 <= ByCriticalDifference(scores).reject.sum() <= 4:
            return {"scores": scores}


EXERCISE = load_exercise(
    __package__,
    test=ImanDavenport,
    given={
        "scores": np.array(  # one row for each classifier, transposed to columns
            [
                [86, 69, 87, 77, 73, 87, 88, 77],
                [92, 70, 68, 81, 80, 92, 91, 76],
                [89, 65, 85, 74, 75, 82, 83, 75],
                [91, 68, 89, 81, 77, 88, 88, 73],
            ]
        ).T
    },
    draw=draw,
    picture=plot.profiles,
    questions=(
        Question("q1", "ranks", RANKS),
        Question("q2", "mean_ranks", MEAN_RANKS),
        Question("q3", "tie_correction", CHI_SQUARED),
        Question("q4", "chi_squared", CHI_SQUARED),
        Question("q5", "statistic", IMAN),
        Question("q6", "df_error", IMAN),
        Question("q7", "critical_value", IMAN),
        Question("q8", "pvalue", IMAN),
        Question("q9", "reject", IMAN),
        Question("q10", "q_alpha", NEMENYI, of=ByCriticalDifference),
        Question("q11", "cd", NEMENYI, of=ByCriticalDifference),
        Question("q12", "reject", NEMENYI, of=ByCriticalDifference),
        "q13",
        "q14",
    ),
    elsewhere={"alpha": 0.01},
)
