"""Exercise on the corrected resampled t-test."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..exercise_loader import find_test, load_exercise
from ..exercise_pictures import differences

NaiveAndCorrectedT = find_test(__package__, "NaiveAndCorrectedT")

# (number of training records, number of splits) for which every mistake gives a clearly different value
PLANS = ((200, 10), (200, 12), (400, 10), (500, 20), (900, 15), (900, 16))


def draw(rng: np.random.Generator) -> dict[str, Any]:
    """Draw whole percentage points: the naive test rejects clearly, the corrected test fails to reject."""
    n_train, n = PLANS[rng.integers(len(PLANS))]
    while True:
        d = np.round(rng.choice([-1, 1]) * rng.uniform(1, 3) + rng.normal(0, rng.uniform(2, 3), n)).astype(int)
        test = NaiveAndCorrectedT(d, n_train, 100)
        if test.sd and test.naive_pvalue < 0.03 and 0.07 < test.pvalue < 0.5:
            return {"d": d, "n_train": n_train, "n_test": 100}


EXERCISE = load_exercise(__package__, draw, lambda test: differences(test.d, "split", 0.0))
