"""Exercise on the Bayesian comparison of two classifiers."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....plot.drawing.picture import Picture
from ..exercise_loader import find_test, load_exercise
from ..exercise_pictures import differences

AreasByHand = find_test(__package__, "AreasByHand")


def folds(test: Any) -> Picture:
    """Draw the difference on each fold, with the limits of the rope."""
    rope = float(test.rope)
    return differences(test.d, "fold", -rope, rope, note=f" Lines at the limits of the rope, {-rope:g} and {rope:g}.")


def draw(rng: np.random.Generator) -> dict[str, Any]:
    """Draw ten folds in whole percentage points: all three areas are visible, and no area is large enough for a decision."""
    while True:
        d = np.round(rng.choice([-1, 1]) * rng.uniform(0.4, 2) + rng.normal(0, rng.uniform(1.5, 3), 10)).astype(int)
        test = AreasByHand(d, rho=0.1, rope=1)
        areas = test.probabilities
        if test.sd and areas.min() > 0.02 and areas.max() < 0.9 and abs(float(test.mean)) > 0.25:
            return {"d": d, "rho": 0.1, "rope": 1.0}


EXERCISE = load_exercise(__package__, draw, folds)
