"""Exercise on the paired t-test."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....procedures.pairwise.paired_t import PairedT
from ..exercise_loader import load_exercise
from ..exercise_pictures import scores


def draw(rng: np.random.Generator) -> dict[str, Any]:
    """Draw whole percents of six to eight data sets that differ more from each other than the classifiers do."""
    n = int(rng.integers(6, 9))
    level = rng.integers(62, 92, n)
    while True:
        d = rng.integers(-7, 8, n) + int(rng.choice([-1, 1]))
        p = float(PairedT(level + d, level).pvalue)
        if 0.06 < p < 0.6:  # H0 is not rejected, and p is not close to the level
            return {"a": level + d, "b": level}


EXERCISE = load_exercise(__package__, draw, scores)
