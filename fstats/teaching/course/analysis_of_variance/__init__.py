"""Exercise on repeated-measures and one-way analysis of variance (ANOVA)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from .... import plot
from ....plot.drawing.picture import Picture
from ....plot.drawing.picture_marks import Points
from ....procedures.multiple.one_way_anova import OneWayAnova
from ....procedures.multiple.repeated_measures_anova import RepeatedAnova
from ..exercise_loader import load_exercise


def draw(rng: np.random.Generator) -> dict[str, Any]:
    """Draw whole percents with whole means, residuals and sums of squares; classifiers differ less than data sets do."""
    n, k = int(rng.integers(5, 7)), 3
    while True:
        e = np.zeros((n, k), int)
        e[1:, 1:] = rng.integers(-3, 4, (n - 1, k - 1))
        e[0] -= e.sum(0)
        e[:, 0] -= e.sum(1)  # the residuals of each row and column must sum to 0
        ahead, easy = rng.integers(-4, 5, k), rng.integers(-14, 13, n)
        ahead[0], easy[0] = -ahead[1:].sum(), -easy[1:].sum()
        if max(abs(e).max(), abs(ahead).max()) > 4 or abs(easy).max() > 14 or len(set(easy)) < n:
            continue
        scores = int(rng.integers(72, 79)) + easy[:, None] + ahead + e
        if 0.002 < float(RepeatedAnova(scores).pvalue) < 0.035 and float(OneWayAnova(scores).pvalue) > 0.25:
            return {"scores": scores}


def without_means(test: Any) -> Picture:
    """Draw the scores, one line for each data set, without the means, which the student computes."""
    whole = plot.profiles(test)
    marks = tuple(mark for mark in whole.marks if not (isinstance(mark, Points) and mark.open))
    return replace(whole, marks=marks, text=f"Scores of {test.k} classifiers on {test.n} data sets, one line for each data set.")


EXERCISE = load_exercise(__package__, draw, without_means)
