"""Exercise on Holm's correction for multiple testing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ....plot.drawing.picture import Picture
from ....plot.drawing.picture_marks import BLUE, GREY, VERMILLION, Label, Line, Mark, Points
from ..exercise_loader import find_test, load_exercise

HolmsLadder = find_test(__package__, "HolmsLadder")


def draw(rng: np.random.Generator) -> dict[str, Any]:
    """Draw p-values of four digits: Holm rejects more than Bonferroni and stops before a p-value that would pass its own threshold."""
    m, passed = [(6, 2), (7, 2), (7, 3), (8, 3)][int(rng.integers(4))]
    while True:
        threshold = 0.05 / (m - np.arange(m))
        low = np.array([0.0012] * (passed - 1) + [0.05 / m, threshold[passed], threshold[passed], threshold[passed + 2]])
        high = np.array([*threshold[:passed], *[threshold[passed + 1]] * 2, 0.05])
        p = np.sort(np.append(rng.uniform(low, high), rng.uniform(0.08, 0.95, m - passed - 3)).round(4))
        rejected = HolmsLadder.from_steps(pvalues=p).sorted_reject.sum()
        if rejected == passed and len(set(p)) == m:
            return {"rivals": tuple(sorted(map(str, rng.choice(RIVALS, m, replace=False)))), "pvalues": tuple(rng.permutation(p).tolist())}


def unseen(rng: np.random.Generator) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Draw p-values of many kinds on which a student's function is called."""
    yield from (("ordinary", {"pvalues": np.array(draw(rng)["pvalues"])}) for _ in range(5))
    yield "a single hypothesis", {"pvalues": np.array([0.04])}
    yield "equal p-values", {"pvalues": np.array([0.03, 0.01, 0.03, 0.2, 0.01])}
    yield "large p-values", {"pvalues": rng.uniform(0.4, 1, 6)}


def picture(test: Any) -> Picture:
    """Draw each p-value in its own row, on a logarithmic scale."""
    x, y = 560 + 150 * np.log10(np.array(test.pvalues, float)), -40.0 - 26.0 * np.arange(float(len(test.pvalues)))
    low, lines = float(y[-1]) - 20, [(110.0, "0.001"), (260.0, "0.01"), (364.8, "0.05"), (410.0, "0.1"), (560.0, "1")]
    marks: list[Mark] = [Line((at, at), (low, -20.0), VERMILLION if word == "0.05" else GREY, 1.0) for at, word in lines]
    marks += [Label(at, low - 16, word, "middle", VERMILLION if word == "0.05" else GREY) for at, word in lines]
    marks += [*(Label(4.0, float(place) - 4, str(rival)) for place, rival in zip(y, test.rivals)), Points(x, y, BLUE)]
    text = f"p-values on a logarithmic scale with a line at 0.05: {', '.join(f'{r} {p:g}' for r, p in zip(test.rivals, test.pvalues))}."
    title, limits = f"p-values of {len(y)} comparisons", ((0.0, 616.0), (low - 24, 0.0))
    return Picture(title, "", "", *limits, tuple(marks), text, frame=False, height=(44 - low) / 330)


RIVALS = ("bagging", "boosting", "centroid", "discriminant", "forest", "kernel", "logistic", "naive Bayes", "neighbours", "rules", "tree")
EXERCISE = load_exercise(__package__, draw, picture, q11={"unseen": unseen})
