"""Exercise on three tests for 5x2 cross-validation."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....plot.drawing.picture import Picture
from ....plot.drawing.picture_marks import BLUE, GREY, VERMILLION, Curve, Points
from ..exercise_loader import find_test, load_exercise

FiveByTwoTests = find_test(__package__, "FiveByTwoTests")


def halves(test: Any) -> Picture:
    """Draw the differences of each repetition, with its two folds above each other."""
    place, (one, two) = np.arange(1.0, 6), test.d.T
    low, high = min(0.0, float(test.d.min())), max(0.0, float(test.d.max()))
    zero = Curve(np.array([0.5, 5.5]), np.zeros(2), GREY)
    marks = zero, Points(place, one, BLUE, "fold 1"), Points(place, two, VERMILLION, "fold 2", open=True)
    words = [f"repetition {i + 1}: {x:g} and {y:g}" for i, (x, y) in enumerate(test.d)]
    text = f"Differences of five repetitions with two folds each, A minus B in percentage points; {', '.join(words)}."
    unit = "percentage points"
    return Picture("Score of A minus score of B", "repetition", unit, (0.5, 5.5), (low - 1, high + 1), marks, text, whole_x=True)


def draw(rng: np.random.Generator) -> dict[str, Any]:
    """Draw whole percentage points in favour of one side: the combined t rejects, Dietterich's t fails to reject."""
    while True:
        d = np.round(rng.choice([-1, 1]) * rng.uniform(1.5, 4) + rng.normal(0, 1, (5, 1)) + rng.normal(0, 2.5, (5, 2)))
        test = FiveByTwoTests(d)
        if test.variances.any() and 0.07 < test.pvalue < 0.6 and test.combined_pvalue < 0.03 and not 0.04 < test.f_pvalue < 0.06:
            return {"d": d.astype(int)}


EXERCISE = load_exercise(__package__, draw, halves)
