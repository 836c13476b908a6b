"""Whether a slip can have made a wrong number that has no name: what lies near the right one, or near what a named mistake gives."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..answers.answer_diagnosis import Diagnosis
from ..answers.answer_value import is_equal, tolerance
from ..exercise import required_steps
from .formula_search import origin
from .near_misses import NO_CHANCE

MISTYPED = 1 / 3  # of the entries of a column or a table, or one
MISCOUNTED = 0.1  # of a count, or one
LEAST = 2  # digits of a number of which one can be mistyped


def is_named(found: Diagnosis) -> bool:
    """Whether a mistake that has a name gives a wrong answer, be it a question at which the mistake is not told."""
    tested, step = type(found.test), found.question.step
    every = (*found.exercise.mistakes, *found.exercise.neighbours)
    made = (one for one in every if issubclass(one.wrong, tested) and one.step in required_steps(tested, step))
    return any(is_equal(found.answer, found.of(found.tests[one.wrong]), found.luck) for one in made)


def is_slip(found: Diagnosis) -> bool:
    """Whether these data and one slip give a wrong answer.

    A slip is what the judge names or remarks on, a formula of these data, a column of which most entries are right, a count that is
    off by one or by a tenth, one wrong digit, or two that are exchanged.
    """
    if is_named(found) or found.guesses or found.is_rough or found.near or any(remark != NO_CHANCE for remark in found.remarks):
        return True
    if found.question.is_count_of_a_share(found.test, found.answer, found.right):
        return True
    return any(_is_mistyped(found.x, np.asarray(value)) for value in _meant(found)) or bool(origin(found))


def _meant(found: Diagnosis) -> Iterator[Any]:
    """What may have been meant: the right value, or what a mistake gives."""
    yield found.right
    yield from found.slips.values()


def _is_mistyped(x: Any, y: Any) -> bool:
    """Whether most of a column or a table agree, or a number agrees but for one digit, or two that are exchanged."""
    if x.shape != y.shape or y.dtype.kind not in "fiub":
        return False
    if x.ndim:
        return int(np.sum(np.abs(x.astype(float) - y) > tolerance(y))) <= max(1, MISTYPED * x.size)
    if y.dtype.kind == "b" or not np.isfinite([x, y]).all():
        return False
    if x == np.floor(x) and y == np.floor(y) and abs(x - y) <= max(1, MISCOUNTED * abs(y)):
        return True
    return any(_one_digit(one, other) for one, other in _written(float(x), float(y)))


def _written(x: float, y: float) -> Iterator[tuple[str, str]]:
    """Two numbers as digits, to as many decimals as the one that was typed has, rounded and cut."""
    places = len(f"{x:.12f}".rstrip("0").partition(".")[2])
    for places_shown in {places, max(places - 1, 0)}:
        yield f"{x:+.{places_shown}f}", f"{y:+.{places_shown}f}"


def _one_digit(one: str, other: str) -> bool:
    """Whether two numbers of the same length differ in one digit, or in two neighbours that are exchanged."""
    if len(one) != len(other) or len(other.strip("+-0.").replace(".", "")) < LEAST:
        return False
    apart = [k for k, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]
    exchanged = len(apart) == 2 and one[apart[0]] + one[apart[1]] == other[apart[1]] + other[apart[0]]
    return len(apart) == 1 or exchanged
