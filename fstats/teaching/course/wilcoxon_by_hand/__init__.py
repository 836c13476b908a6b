"""Exercise on Wilcoxon's signed-rank test."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..exercise_loader import find_test, load_exercise
from ..exercise_pictures import scores

SignedRankByHand = find_test(__package__, "SignedRankByHand")


def draw(rng: np.random.Generator) -> dict[str, Any]:
    """Draw whole percents of 12 to 15 data sets: A has the larger rank sum; the differences contain a zero, ties, and wins of B."""
    while True:
        n = int(rng.integers(12, 16))
        sizes = rng.integers(1, 14, n)
        sizes[rng.integers(n)] = 0
        d = sizes * np.where(rng.random(n) < 0.3, -1, 1)
        a = rng.integers(max(d.max(), 0) + 55, 86, n)
        data: dict[str, Any] = {"a": a, "b": a - d, "alpha": float(rng.choice([0.05, 0.1]))}
        test = SignedRankByHand(**data)
        tied = len(np.unique(sizes[sizes > 0])) < (sizes > 0).sum()
        # True if the table of critical values and the exact p-value give the same decision
        alike = (test.statistic <= test.critical_value) == test.reject
        if tied and alike and 3 <= test.w_minus < test.w_plus and (d < 0).sum() >= 3:
            return data


def unseen(rng: np.random.Generator) -> Iterator[tuple[str, dict[str, Any]]]:
    """Draw scores for every case of the ranking rules."""
    kinds: dict[str, list[int]] = {
        "neither ties nor zeros": [2, 4, -5, 7, -8, 10, 13, -14, 17],
        "ties": [6, 6, -6, 2, -2, 9, 11, 13, -4],
        "zeros": [0, 0, 3, -1, 4, 8, -5, 12, 10],
        "ties and zeros, B is better": [0, -5, -5, -7, -7, 7, -10, 5, 3],
        "A wins everywhere": [1, 2, 2, 4, 5, 6, 8, 9, 9],
        "no difference at all": [0] * 9,
    }
    for kind, d in [*kinds.items()] * 3:
        b = rng.integers(60, 80, 9)
        yield kind, {"a": b + rng.permutation(d), "b": b}


EXERCISE = load_exercise(__package__, draw, scores, q13={"unseen": unseen})
