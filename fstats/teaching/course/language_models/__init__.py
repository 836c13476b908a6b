"""Exercise on the comparison of two language models."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....plot.drawing.picture import Picture
from ....plot.drawing.picture_marks import BLUE, GREY, VERMILLION, Label, Mark, Points, VerticalLine
from ....procedures.pairwise.clustered_difference import ClusteredDifference
from ....procedures.pairwise.paired_t import PairedT
from ..exercise_loader import load_exercise


def answers(test: ClusteredDifference) -> Picture:
    """Draw the right and wrong answers of both models, with the questions of a family side by side."""
    place = np.arange(1.0, test.n + 1)
    x, y = np.tile(place, 2), np.repeat([2.0, 1.0], test.n)
    right = np.concatenate([test.a, test.b]) > 0
    begins = [float(place[test.clusters == g][0]) for g in np.unique(test.clusters)]
    marks: tuple[Mark, ...] = (
        *(VerticalLine(first - 0.5, f"family {g}", GREY, dashed=True, side="right") for g, first in enumerate(begins, start=1)),
        Points(x[right], y[right], BLUE, "right"),
        Points(x[~right], y[~right], VERMILLION, "wrong", open=True),
        Label(0.3, 2, "A", "end"),
        Label(0.3, 1, "B", "end"),
    )
    answer_texts = (
        "; ".join(" ".join("wr"[int(right)] for right in scores[test.clusters == g]) for g in np.unique(test.clusters))
        for scores in (test.a, test.b)
    )
    text = "Answers, right (r) or wrong (w), for each family. A: {}. B: {}.".format(*answer_texts)
    limits = (0.5, test.n + 0.7), (0.4, 3.2)
    return Picture("Which answers are right?", "question", "", *limits, marks, text, yticks=False, whole_x=True, height=0.7)


# Sizes of the four families. The total is never 16, because sqrt(16) is equal to the number of families, which could hide a mistake.
SIZES = ((5, 3, 2, 2), (5, 4, 2, 2), (6, 3, 2, 2), (5, 4, 3, 2), (6, 3, 3, 2), (6, 4, 2, 2), (5, 5, 3, 2), (6, 4, 3, 2), (7, 4, 2, 2))


def draw(rng: np.random.Generator) -> dict[str, Any]:
    """Draw 12 to 15 questions in four families: the paired t-test rejects, the test on families fails to reject."""
    while True:
        sizes = rng.permutation(SIZES[rng.integers(len(SIZES))])
        family = np.repeat(np.arange(1, 5), sizes)
        leans = rng.uniform(-0.4, 1, 4)[family - 1]
        d = (rng.random(len(family)) < abs(leans)) * np.sign(leans).astype(int) * rng.choice([-1, 1])
        d = np.where(rng.random(len(family)) < 0.1, -d, d)
        b = np.where(d, d < 0, rng.random(len(family)) < 0.6).astype(int)
        test = ClusteredDifference(b + d, b, family)
        convinced = PairedT(test.a, test.b).pvalue < 0.05
        if convinced and test.design_effect > 1.3 and 0.07 < test.pvalue < 0.5 and test.cluster_sums.all():
            return {"a": b + d, "b": b, "clusters": family}


EXERCISE = load_exercise(__package__, draw, answers)
