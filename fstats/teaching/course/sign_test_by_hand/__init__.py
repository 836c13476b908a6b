"""Exercise on the sign test."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..exercise_loader import load_exercise
from ..exercise_pictures import scores


def draw(rng: np.random.Generator) -> dict[str, Any]:
    """Draw nine to twelve data sets with one or two ties, and a winner that does not win everywhere."""
    n = int(rng.integers(9, 13))
    b = rng.integers(60, 90, n)
    d = rng.choice([-1, 1], n, p=[0.25, 0.75]) * rng.integers(1, 9, n)
    d[: rng.integers(1, 3)] = 0
    return {"a": b + rng.permutation(d), "b": b}


EXERCISE = load_exercise(__package__, draw, scores)
