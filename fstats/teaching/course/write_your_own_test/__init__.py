"""Exercise: write three tests as functions, which are then called on unseen data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ....procedures.pairwise.paired_t import PairedT
from ....procedures.pairwise.sign_test import SignTest
from ..exercise_loader import load_exercise, load_mistakes
from ..exercise_pictures import scores
from .steps import CountedSignedRank

Cases = Iterator[tuple[str, dict[str, Any]]]

UNROUNDED = next(mistake.wrong for mistake in load_mistakes(__package__) if mistake.name == "ties that the computer does not see")


def pairs(rng: np.random.Generator, d: Any) -> dict[str, Any]:
    """Draw scores in whole percents with the given differences, in random order."""
    d = rng.permutation(np.asarray(d))
    b = rng.integers(55, 88, len(d))
    return {"a": b + d, "b": b}


def signs(rng: np.random.Generator, sizes: Any, worse: int) -> Any:
    """Give a negative sign to a number of randomly chosen sizes."""
    return np.asarray(sizes) * np.where(rng.permutation(len(sizes)) < worse, -1, 1)


def in_quicksort_stable_order(rng: np.random.Generator, x: Any) -> Any:
    """Draw an order in which numpy's default argsort keeps the order of ties: in other orders argsort mixes ties, and chance
    hides a mistake.
    """
    for _ in range(200):
        mixed = rng.permutation(x)
        if (np.argsort(mixed) == np.argsort(mixed, kind="stable")).all():
            break
    return mixed


def sizes(rng: np.random.Generator) -> Cases:
    """Yield sizes of differences: whole numbers with and without ties, and fractions."""
    for n in (4, 6, 8):
        yield "ordinary", {"sizes": rng.permutation(np.arange(1, 20))[:n]}
    yield "ordinary", {"sizes": np.roll([2, 5, 9], 1 + rng.integers(2))}  # np.argsort gives wrong ranks for this order
    for few in (2, 3, 3):
        x = rng.integers(1, 10)
        yield "ties", {"sizes": in_quicksort_stable_order(rng, [x] * few + [x + 3, x + 3, x + 1, x + 7])}
    yield "all equal", {"sizes": np.full(5, rng.integers(1, 9))}
    yield "fractions", {"sizes": rng.permutation(np.arange(1, 15))[:6] / 100}
    yield "a single number", {"sizes": rng.integers(1, 9, 1)}


def cases_for_t_test(rng: np.random.Generator) -> Cases:
    """Yield paired scores with and without variation."""
    for n in (4, 7):
        yield "ordinary", pairs(rng, rng.permutation(np.arange(-3, 12))[:n])
        yield "B is better", pairs(rng, -rng.permutation(np.arange(1, 12))[:n])
    yield "two data sets", pairs(rng, [1, rng.integers(3, 9)])
    yield "the same difference everywhere", pairs(rng, [rng.integers(1, 9)] * 5)
    yield "the same difference everywhere", pairs(rng, [-rng.integers(1, 9)] * 4)
    yield "no difference at all", pairs(rng, [0] * 5)


def cases_for_sign_test(rng: np.random.Generator) -> Cases:
    """Yield paired scores with wins, losses and zeros."""
    for n, worse in ((9, 2), (8, 3)):
        yield "ordinary", pairs(rng, signs(rng, rng.integers(1, 9, n), worse))
    yield "B is better", pairs(rng, signs(rng, rng.integers(1, 9, 8), 7))
    yield "zeros", pairs(rng, [*signs(rng, rng.integers(1, 9, 8), 1), 0, 0])
    yield "zeros", pairs(rng, [*signs(rng, rng.integers(1, 9, 7), 5), 0])
    yield "as many wins as losses", pairs(rng, signs(rng, rng.integers(1, 9, 6), 3))
    yield "A is better everywhere", pairs(rng, rng.integers(1, 9, 6))
    yield "no difference at all", pairs(rng, [0] * 5)


def cases_for_signed_rank(rng: np.random.Generator) -> Cases:
    """Yield paired scores with ties, zeros, and fractions whose ties are visible only in print."""
    for n, worse in ((8, 3), (7, 2)):
        yield "ordinary", pairs(rng, signs(rng, rng.permutation(np.arange(1, 12))[:n], worse))
    yield "B is better", pairs(rng, signs(rng, rng.permutation(np.arange(1, 12))[:7], 6))
    for n, worse in ((8, 3), (9, 4), (8, 5)):
        yield "ties", pairs(rng, signs(rng, [1, 1, 2, 2, 2, 5, 5, 7, 8][:n], worse))
    yield "zeros", pairs(rng, [*signs(rng, [1, 2, 4, 5, 7, 8], 2), 0, 0])
    yield "ties and zeros", pairs(rng, [*signs(rng, [2, 2, 3, 3, 6, 6, 6], 3), 0])
    yield "as much on either side", pairs(rng, [1, 2, -3, 4, -4])
    yield "A is better everywhere", pairs(rng, rng.permutation(np.arange(1, 12))[:6])
    yield "no difference at all", pairs(rng, [0] * 5)
    for _ in range(2):
        scores = fractions(rng)
        while UNROUNDED(**scores).pvalue == CountedSignedRank(**scores).pvalue:
            scores = fractions(rng)
        yield "fractions such as 0.88", scores


def fractions(rng: np.random.Generator) -> dict[str, Any]:
    """Draw accuracies of eight data sets with two digits: some differences are tied, and one difference is 0."""
    b = rng.integers(60, 92, 8)
    d = np.append(signs(rng, rng.choice([1, 2, 3, 4, 5, 6], 7), int(rng.integers(1, 4))), 0)
    a = b + rng.permutation(d)
    return {"a": a / 100, "b": b / 100}


def draw(rng: np.random.Generator) -> dict[str, Any]:
    """Draw scores with ties and one zero, on which the three tests do not agree."""
    while True:
        scores = fractions(rng)
        test = CountedSignedRank(**scores)
        p = [float(p) for p in (PairedT(**scores).pvalue, SignTest(**scores).pvalue, test.pvalue)]
        if len(np.unique(test.sizes)) <= 5 and max(p) < 0.9 and min(abs(p[0] - p[1]), abs(p[1] - p[2]), abs(p[0] - p[2])) > 0.01:
            return scores


EXERCISE = load_exercise(
    __package__,
    draw,
    scores,
    q1={"unseen": sizes},
    q2={"unseen": cases_for_t_test},
    q3={"unseen": cases_for_sign_test},
    q4={"unseen": cases_for_signed_rank},
)
