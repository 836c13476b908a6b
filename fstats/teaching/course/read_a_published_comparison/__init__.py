"""Exercise on checking the statistics of a published paper.

The paper is invented.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import sqrt

from ....distributions.continuous_distributions import StudentT
from ..exercise_loader import load_exercise


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


EXERCISE = load_exercise(__package__, draw)
