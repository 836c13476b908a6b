"""Exercise: get a wanted verdict by choosing a seed, and find out how easy this is for each test."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....plot.drawing.picture import Picture
from ....studies.fold_hacking.fold_hacking_pictures import strip
from ....studies.fold_hacking.partition_scores import PartitionScores
from ..exercise_loader import load_exercise
from .steps import load_comparison

# (data set, A, B): some partitions of the data give a significant result for B, and a few give one for A.
COMPARISONS = (
    ("german", "KNN", "DTC"),
    ("german", "DTC", "KNN"),
    ("diabetes", "KNN", "DTC"),
    ("sonar", "GNB", "DTC"),
    ("iris", "GNB", "DTC"),
)
ROUNDED = 2.775, 2.78  # data with |t| between these limits are not drawn, so that rounding the critical value 2.776 changes no decision


def draw(rng: np.random.Generator) -> dict[str, Any]:
    """Draw a comparison and a range of its seeds in which each verdict occurs, the wanted verdict rarely and not at once."""
    data_set, left, right = COMPARISONS[rng.integers(len(COMPARISONS))]
    while True:
        seeds = 500 * int(rng.integers(5, 15))
        first = int(rng.integers(50, 10_000 - seeds))
        t = load_comparison(data_set, left, right).t[first : first + seeds]
        sizes = np.stack([abs(t), abs(t) / 1.5])
        steady = not ((sizes > ROUNDED[0]) & (sizes < ROUNDED[1])).any()
        wanted = np.flatnonzero(t >= ROUNDED[1])
        if steady and 2 <= len(wanted) <= 150 and wanted[0] >= 3 and (t <= -ROUNDED[1]).any():
            break
    # The partition computed by hand must not be significant; otherwise the sign of t alone would give the right decision.
    undecided = np.flatnonzero((abs(t) > 0.7) & (abs(t) < 2.5))
    data: dict[str, Any] = {"data_set": data_set, "learner_a": left, "learner_b": right, "one": first + int(rng.choice(undecided))}
    data |= {"first": first, "seeds": seeds, "chance": float(rng.choice([0.9, 0.95, 0.99]))}
    return data | {"halvings": 10 * int(rng.integers(12, 21)), "alpha": 0.05}


def picture(test: Any) -> Picture:
    """Draw the distribution of T over the seeds of one student, without the shares that the questions ask for."""
    pair = load_comparison(test.data_set, test.learner_a, test.learner_b)
    whole = pair.population
    own = PartitionScores(whole.name, whole.mode, whole.right[test.first : test.first + test.seeds], whole.sizes)
    return strip(own.pair(pair.left, pair.right), shares=False)


def answer_synonyms(test: Any) -> dict[str, str]:
    """Return the accepted words for a learner, or for neither of them."""
    neither = dict.fromkeys(("none", "none of them", "no difference", "equal", "no verdict"), "neither")
    return neither | {"a": test.learner_a, "b": test.learner_b}


EXERCISE = load_exercise(__package__, draw, picture, q5={"other_words": answer_synonyms})
