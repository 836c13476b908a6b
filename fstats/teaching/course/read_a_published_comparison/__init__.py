"""Exercise: check the claims of an (invented) paper with the numbers printed in the paper."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import sqrt

from ....distributions.continuous_distributions import StudentT
from ...grading.question import Question
from ..exercise_loader import load_exercise
from .steps import CORRECTION, MANY, PRINTED, STATISTIC, TABLE, TAILS, Claims


def draw(rng: np.random.Generator) -> dict[str, Any]:
    """Draw claims that do not hold: a one-tailed p, folds treated as independent, accuracies that allow both verdicts."""
    while True:
        n, mean, sd = int(rng.integers(13, 21)), rng.integers(10, 26) / 10, rng.integers(16, 46) / 10
        t = round(float((mean + rng.uniform(-0.04, 0.04)) / ((sd + rng.uniform(-0.04, 0.04)) / sqrt(n))), 2)
        p = float(StudentT(n - 1).at_least(t))
        variants, baselines, repeats, folds = (int(rng.choice(values)) for values in ((3, 4), (3, 4, 5), (5, 10, 20), (5, 10)))
        fold_mean, fold_sd = rng.integers(4, 16) / 10, rng.integers(10, 31) / 10
        naive = fold_mean / fold_sd * sqrt(repeats * folds)
        corrected = naive / sqrt(1 + repeats * folds / (folds - 1))
        records, wrong, lead = int(rng.choice((200, 250, 500, 1000))), rng.uniform(0.06, 0.18), int(rng.integers(8, 25))
        a = round(wrong * records)
        own = float(StudentT(n - 1).at_least(mean / sd * sqrt(n)))
        if min(p, own) > 0.027 and max(p, own) < 0.044 and naive > 4.3 and corrected < 1.7 and (lead - 1) ** 2 < 3 * (2 * a + lead):
            claims = dict(n=n, mean=mean, sd=sd, t_printed=t, p_printed=round(p, 3), baselines=baselines, variants=variants)
            claims |= dict(repeats=repeats, folds=folds, fold_mean=fold_mean, fold_sd=fold_sd, records=records)
            return claims | dict(accuracy_a=100 * (1 - a / records), accuracy_b=100 * (1 - (a + lead) / records))


EXERCISE = load_exercise(
    __package__,
    test=Claims,
    given=dict(n=14, mean=1.4, sd=2.6, t_printed=2.02, p_printed=0.032, baselines=4, variants=3)
    | dict(repeats=10, folds=10, fold_mean=0.8, fold_sd=1.9, records=500, accuracy_a=87.0, accuracy_b=83.8),
    draw=draw,
    questions=(
        Question("q1", "se", STATISTIC),
        Question("q2", "statistic", STATISTIC),
        Question("q3", "t_range", PRINTED),
        Question("q4", "pvalue", TAILS, decimals=3),
        Question("q5", "p_range", PRINTED, decimals=3),
        "q6",
        Question("q7", "p_adjusted", MANY, decimals=3),
        "q8",
        Question("q9", "ratio", CORRECTION),
        Question("q10", "fold_se", CORRECTION),
        Question("q11", "fold_t", CORRECTION),
        Question(
            "q12",
            "fold_p",
            CORRECTION,
            aside="(With many folds the p-value hardly shows which degrees of freedom you used: "
            "the right degrees of freedom are the number of all folds minus one.)",
        ),
        Question("q13", "n10_most", TABLE),
        Question("q14", "mcnemar_range", TABLE),
        "q15",
        "q16",
    ),
)
