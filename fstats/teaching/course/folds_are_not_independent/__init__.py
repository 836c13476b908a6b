"""Exercise: what the splits of one data set share, and what becomes of a t-test that does not know it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....plot.drawing.picture import Picture
from ....plot.drawing.picture_marks import Cells, Label
from ...grading.question import Question
from ..exercise_loader import load_exercise
from .steps import CORRECTION, LUCK, SHARED, UNCERTAIN, SharedRecords


def draw(rng: np.random.Generator) -> dict[str, Any]:
    """Whole points of percent over ten to sixteen splits that convince the plain t, and not the corrected one."""
    found: dict[str, Any] = {"records": 120 * int(rng.integers(2, 7)), "folds": int(rng.choice([4, 5, 6, 8, 10])), "many": 1000}
    found["test_share"] = float(rng.choice([0.1, 0.15, 0.2, 0.25, 0.3, 0.4]))
    while True:
        found["d"] = rng.normal(rng.choice([-2, 2]), 2.5, int(rng.integers(10, 17))).round().astype(int).tolist()
        found["rate"], found["tries"] = int(rng.integers(8, 40)) / 1000, 10 * int(rng.integers(2, 11))
        test: Any = SharedRecords(**found)
        if abs(test.plain_t) > 2.6 and 0.4 < abs(test.statistic) < 2 and 0.2 < test.at_least_one < 0.95:
            return found


def picture(test: Any) -> Picture:
    """The plan of the cross-validation: a line for each split, a column for each fold."""
    k = test.folds
    split, fold = (axis.ravel() for axis in np.indices((k, k)))
    return Picture(
        title=f"{k}-fold cross-validation: dark folds train, white ones are tested",
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
        text=f"A table of {k} splits (lines) and {k} folds (columns). In each line another "
        f"fold is white, which is tested; all others train.",
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
            aside="(Very many splits give nearly the same number; without end 1/J is 0.)",
        ),
        Question("q12", "at_least_one", LUCK),
        "q13",
    ),
)
