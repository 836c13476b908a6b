"""What else a number may come from that a mistake gives: so short a number, a power of one half, or what another slip gives as well."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np

from ...core.procedure import Procedure
from .answer import DIGITS, apart, digits, has_digits, identical
from .exercise import Exercise, Tests, met, start
from .mistake import Mistake
from .near import SMALL
from .question import Question
from .shortened import PERHAPS, Shortened

FEW = 10  # smaller whole numbers come about in many ways
DRAWN = 5  # data sets on which two mistakes are compared
CELLS = 4  # of a table in which each sum and each difference of two can be seen at a glance
SHORT_NUMBER = "So short a number comes about in several ways, by a guess as well."
POWER = "A power of one half comes about in several ways."
RIVAL = "On these data {!r} leads to the same number."


def doubt(
    exercise: Exercise, tests: Tests, question: Question, one: Mistake, every: Iterable[Mistake], given: Any, few: Shortened | None
) -> str:
    """Why it may be another than this one mistake, of `every` one that gives the number; `few` is how the right number would
    have become it.

    One digit left by cutting, or less, is too little to doubt a mistake that has just this number with all its digits.
    """
    test = tests[exercise.tested(question)]
    right = getattr(test, question.step)
    short = _is_short(exercise, test, question, one, given, right)
    if few:
        exactly = identical(given, getattr(tests[one.wrong], question.step))
        if short or not exactly or few.left == "enough" or few == ("rounded", "first"):
            return PERHAPS
    if short:
        return SHORT_NUMBER
    if _is_power_of_a_half(test, question, given):
        return POWER
    rival = next((other.name for other in every if _is_another(exercise, question, one, other)), "")
    return RIVAL.format(rival) if rival else ""


def _is_another(exercise: Exercise, question: Question, one: Mistake, other: Mistake) -> bool:
    """Whether two mistakes give the same number by chance: on data of nobody they do not."""
    return one is not other and other.step == question.step and _part(exercise.name, exercise.draw, question.step, one, other)


@cache  # whoever marks a course asks again and again
def _part(name: str, draw: Callable[[np.random.Generator], Mapping[str, Any]], step: str, one: Mistake, other: Mistake) -> bool:
    """Whether two mistakes give different numbers on some data of nobody."""
    rng = np.random.default_rng(list(f"{name} rivals".encode()))
    with np.errstate(all="ignore"):
        return any(
            apart(*(getattr(start(mistake.wrong, data), step) for mistake in (one, other))) for data in (draw(rng) for _ in range(DRAWN))
        )


def _is_short(exercise: Exercise, test: Procedure, question: Question, one: Mistake, given: Any, right: Any) -> bool:
    """Whether a number is so short that it may have come about otherwise than by the mistake which gives it.

    That is a small whole number for one that is not; a typed rate of one or two digits for a simulated one; and a small
    count that also is (but for one) another count of the page than those which the mistake is made of, or that two pairs of cells of a
    small table have for their sum or difference.
    """
    x = np.asarray(given)
    if x.ndim or x.dtype.kind not in "fiu":
        return False
    if question.tolerance:
        return digits(x) < DIGITS
    if has_digits(right):
        return bool(abs(x) < FEW and x == np.floor(x))
    if x != np.floor(x) or abs(x) >= SMALL:
        return False
    own = {question.step, one.step, *one.wrong.steps[one.step].slots}
    counts = [
        np.asarray(row.value)
        for row in test.worked()
        if row.name not in own and (row.name in met(exercise, question) or row.name not in test.steps)
    ]
    near = any(not count.ndim and count.dtype.kind in "iu" and abs(count - x) <= 1 for count in counts)
    return near or any(_pairs_of_cells(np.asarray(row.value), x) > 1 for row in test.worked() if row.name in own)


def _is_power_of_a_half(test: Procedure, question: Question, given: Any) -> bool:
    """Whether a probability is 1/2, 1/4, 1/8, ...: with coins, many lines give such numbers."""
    x = np.asarray(given)
    return test.is_chance(question.step) and not x.ndim and bool(0 < x < 1) and bool(np.log2(x) % 1 == 0)


def _pairs_of_cells(table: Any, x: Any) -> int:
    """How many pairs of cells of a small table of counts have this sum or difference."""
    if not 2 < table.size <= CELLS or table.dtype.kind not in "iuf" or not np.array_equal(table, np.floor(table)):
        return 0
    return sum(x in (abs(one - other), one + other) for one, other in combinations(table.flat, 2))
