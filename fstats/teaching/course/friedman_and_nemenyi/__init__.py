"""Exercise on the Friedman test and the Nemenyi test."""

from __future__ import annotations

from typing import Any

import numpy as np

from .... import plot
from ....procedures.multiple.iman_davenport import ImanDavenport
from ..exercise_loader import find_test, load_exercise

ByCriticalDifference = find_test(__package__, "ByCriticalDifference")


def draw(rng: np.random.Generator) -> dict[str, Any]:
    """Draw whole percents on eight to ten data sets: two or three data sets have ties, and some pairs of classifiers differ."""
    n, k = int(rng.integers(8, 11)), 4
    while True:
        scores = rng.integers(62, 90, n)[:, None] + rng.permutation([0, 1, 3, 5]) + rng.integers(-3, 4, (n, k))
        tied = sum(len(set(line)) < k for line in scores.tolist())
        if 2 <= tied <= 3 and 2e-4 < float(ImanDavenport(scores).pvalue) < 0.03 and 1 <= ByCriticalDifference(scores).reject.sum() <= 4:
            return {"scores": scores}


EXERCISE = load_exercise(__package__, draw, plot.profiles)
