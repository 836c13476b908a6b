"""Exercise on overlapping training sets in cross-validation."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....plot.drawing.picture import Picture
from ....plot.drawing.picture_marks import Cells, Label, Mark
from ..exercise_loader import find_test, load_exercise

SharedRecords = find_test(__package__, "SharedRecords")


def draw(rng: np.random.Generator) -> dict[str, Any]:
    """Draw whole percentage points on ten to sixteen splits: the plain t rejects, the corrected t fails to reject."""
    data: dict[str, Any] = {"records": 120 * int(rng.integers(2, 7)), "folds": int(rng.choice([4, 5, 6, 8, 10])), "many": 1000}
    data["test_share"] = float(rng.choice([0.1, 0.15, 0.2, 0.25, 0.3, 0.4]))
    while True:
        data["d"] = rng.normal(rng.choice([-2, 2]), 2.5, int(rng.integers(10, 17))).round().astype(int).tolist()
        data["rate"], data["tries"] = int(rng.integers(8, 40)) / 1000, 10 * int(rng.integers(2, 11))
        test: Any = SharedRecords(**data)
        if abs(test.plain_t) > 2.6 and 0.4 < abs(test.statistic) < 2 and 0.2 < test.at_least_one < 0.95:
            return data


def picture(test: Any) -> Picture:
    """Draw the plan of the cross-validation: a row for each split, a column for each fold."""
    k = test.folds
    split, fold = (axis.ravel() for axis in np.indices((k, k)))
    marks: list[Mark] = [Cells(100.0 + 48 * fold, -48.0 - 24 * split, np.where(split == fold, 0.0, 0.7), 48.0, 24.0)]
    marks += [*(Label(100.0 + 48 * j, -30.0, str(j + 1), "middle") for j in range(k)), Label(68.0, -30.0, "fold", "end")]
    marks += [Label(68.0, -52.0 - 24 * j, f"split {j + 1}", "end") for j in range(k)]
    title = f"{k}-fold cross-validation: dark folds are used for training, white ones for testing"
    rows = f"A table of {k} splits (rows) and {k} folds (columns). In each row a different fold is white, the test set"
    limits, text = ((0.0, 616.0), (-52.0 - 24 * k, 0.0)), f"{rows}; all others are used for training."
    return Picture(title, "", "", *limits, tuple(marks), text, frame=False, height=(52 + 24 * k) / 330)


EXERCISE = load_exercise(__package__, draw, picture)
