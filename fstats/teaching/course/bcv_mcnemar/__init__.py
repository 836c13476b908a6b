"""Exercise on McNemar's test after block-regularized 5x2 cross-validation (BCV)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..exercise_loader import find_test, load_exercise
from ..exercise_pictures import discordant_counts

TenTables = find_test(__package__, "TenTables")


def draw(rng: np.random.Generator) -> dict[str, Any]:
    """Draw tables with about the same discordant counts in every repetition: the pooled table rejects H0, the effective table fails to."""
    while True:
        few = int(rng.integers(4, 11))
        totals = np.array([few, few + int(rng.integers(5, 12))])[:, np.newaxis] + rng.integers(-1, 3, (2, 5))
        ones = rng.binomial(totals, 0.5)
        both = rng.permutation(np.stack([ones, totals - ones], axis=2))
        given = {"n01": both[0], "n10": both[1], "n_fold": int(rng.choice([100, 120, 150]))}
        given |= {"rho1": float(rng.choice([0.2, 0.3, 0.4])), "rho2": 0.5}  # unequal, so that exchanging rho1 and rho2 gives another result
        test = TenTables(**given)
        if 0.07 < test.pvalue < 0.5 and test.pooled_pvalue < 0.005:
            return given


EXERCISE = load_exercise(__package__, draw, lambda test: discordant_counts(test, float(max(test.n01.max(), test.n10.max())) + 1))
