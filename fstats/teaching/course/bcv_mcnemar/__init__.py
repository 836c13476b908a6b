"""Exercise: the ten contingency tables of a block-regularized 5x2 cross-validation, combined into one table."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....plot.drawing.picture import Picture
from ...grading.question import Question
from ..exercise_loader import load_exercise
from ..exercise_pictures import discordant_counts
from .steps import EFFECTIVE, LEVEL, MCNEMAR, MEAN, STATISTIC, WORTH, TenTables


def counts(test: TenTables) -> Picture:
    """Draw the discordant counts of the ten tables, one after the other."""
    return discordant_counts(test, float(max(test.n01.max(), test.n10.max())) + 1)


def draw(rng: np.random.Generator) -> dict[str, Any]:
    """Draw tables with about the same discordant counts in every repetition: the pooled table rejects H0, the effective table fails to."""
    while True:
        few = int(rng.integers(4, 11))
        totals = np.array([few, few + int(rng.integers(5, 12))])[:, np.newaxis] + rng.integers(-1, 3, (2, 5))
        ones = rng.binomial(totals, 0.5)
        both = rng.permutation(np.stack([ones, totals - ones], axis=2))
        given = {"n01": both[0], "n10": both[1], "n_fold": int(rng.choice([100, 120, 150]))}
        given |= {"rho1": float(rng.choice([0.2, 0.3, 0.4])), "rho2": 0.5}  # rho1 and rho2 differ, so that the check notices an exchange
        test = TenTables(**given)
        if 0.07 < test.pvalue < 0.5 and test.pooled_pvalue < 0.005:
            return given


EXERCISE = load_exercise(
    __package__,
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
        "q2",
        Question("q3", "t", WORTH),
        Question("q4", "effective", EFFECTIVE),
        Question("q5", "n_effective", EFFECTIVE),
        Question("q6", "statistic", STATISTIC),
        Question("q7", "critical_value", STATISTIC),
        Question("q8", "pvalue", STATISTIC),
        Question("q9", "reject", STATISTIC),
        Question("q10", "pooled", MCNEMAR),
        Question("q11", "pooled_pvalue", LEVEL),
        "q12",
    ),
    elsewhere={"alpha": 0.01, "rho2": 0.6},
)
