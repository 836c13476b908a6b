"""Exercise: the records that splits of one data set share, and a t-test that ignores the shared records."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....plot.drawing.picture import Picture
from ....plot.drawing.picture_marks import Cells, Label
from ...grading.question import Question
from ..exercise_loader import load_exercise
from .steps import CORRECTION, LUCK, SHARED, UNCERTAIN, SharedRecords


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
    return Picture(
        title=f"{k}-fold cross-validation: dark folds are used for training, white ones for testing",
        xlabel="",
        ylabel="",
        xlim=(0.0, 616.0),
        ylim=(-52.0 - 24 * k, 0.0),
        marks=(
            Cells(100.0 + 48 * fold, -48.0 - 24 * split, np.where(split == fold, 0.0, 0.7), 48.0, 24.0),
            *(Label(100.0 + 48 * j, -30.0, str(j + 1), "middle") for j in range(k)),
            Label(68.0, -30.0, "fold", "end"),
            *(Label(68.0, -52.0 - 24 * j, f"split {j + 1}", "end") for j in range(k)),
        ),
        text=f"A table of {k} splits (rows) and {k} folds (columns). In each row a different fold is white, the test set; "
        "all others are used for training.",
        frame=False,
        height=(52 + 24 * k) / 330,
    )


EXERCISE = load_exercise(
    __package__,
    test=SharedRecords,
    given=dict(
        records=300, folds=10, test_share=0.2, d=[3, -1, 4, 2, 0, 5, 3, -2, 1, 4, 2, 6, -1, 3, 2], many=1000, rate=0.0128, tries=100
    ),
    draw=draw,
    picture=picture,
    questions=(
        Question("q1", "train", SHARED),
        Question("q2", "common", SHARED),
        Question("q3", "share", SHARED),
        Question("q4", "common_at_random", SHARED),
        "q5",
        Question("q6", "plain_t", UNCERTAIN),
        Question("q7", "se", CORRECTION),
        Question("q8", "statistic", CORRECTION),
        Question("q9", "worth", CORRECTION),
        Question("q10", "plain_t_of_many", UNCERTAIN),
        Question(
            "q11",
            "limit",
            CORRECTION,
            aside="(With very many splits the number is nearly the same; for infinitely many splits 1/J is 0.)",
        ),
        Question("q12", "at_least_one", LUCK),
        "q13",
    ),
)
