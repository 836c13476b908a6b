"""Exercise on equivalence testing."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....procedures.pairwise.paired_t import PairedT
from ..exercise_loader import find_test, load_exercise
from ..exercise_pictures import scores

EquivalenceByHand = find_test(__package__, "EquivalenceByHand")


def draw(rng: np.random.Generator) -> dict[str, Any]:
    """Draw whole percents of six to nine data sets that show no difference and no equivalence; one of two one-sided tests rejects."""
    while True:
        n = int(rng.integers(6, 10))
        level, d = rng.integers(62, 92, n), rng.integers(-5, 6, n)
        test = EquivalenceByHand(level + d, level, margin=float(rng.integers(2, 4)))
        p = sorted(test.null.at_least(t) for t in (test.t_low, test.t_high))
        if PairedT(level + d, level).pvalue > 0.15 and p[0] < 0.04 and 0.08 < p[1] < 0.45:
            return {"a": level + d, "b": level, "margin": test.margin}


EXERCISE = load_exercise(__package__, draw, scores)
