"""Exercise on tests for classifiers with random training."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..exercise_loader import find_test, load_exercise
from ..exercise_pictures import discordant_counts

TablesThatScatter = find_test(__package__, "TablesThatScatter")


def draw(rng: np.random.Generator) -> dict[str, Any]:
    """Draw tables with unstable training: the test on records alone rejects, the test on records and training fails to reject."""
    while True:
        n = int(rng.choice([400, 500, 600, 800]))
        share, lean = rng.uniform(0.2, 0.32), rng.choice([-1, 1]) * rng.uniform(0.02, 0.05)
        totals = rng.binomial(n // 2, share, (5, 2))
        wins = np.clip(0.5 + (lean + rng.normal(0, rng.uniform(0.04, 0.08), (5, 2))) / (2 * share), 0.1, 0.9)
        n10 = rng.binomial(totals, wins)
        given: dict[str, Any] = {"n01": totals - n10, "n10": n10, "n": n, "rho": float(rng.choice([0.1, 0.125, 0.15, 0.2]))}
        test: Any = TablesThatScatter(**given)
        whole = not (test.apart % 1 or test.expected % 1)  # both values are whole numbers, so that four printed digits are enough
        if whole and test.low > 1.2 and abs(test.mean) > 2.2 * test.records_se and 0.07 < test.pvalue < 0.5 and test.df < 30:
            return given


EXERCISE = load_exercise(__package__, draw, lambda test: discordant_counts(test, 1.15 * float(max(test.n01.max(), test.n10.max()))))
