"""What else a number may come from that a mistake gives: so short a number, a power of one half, or what another slip gives as well."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Any

import numpy as np

from ..answers.answer_diagnosis import Diagnosis
from ..answers.answer_value import DIGITS, is_distinct, is_real_valued, significant_digits
from ..answers.lost_digits import PERHAPS
from ..exercise import Exercise, start_test
from ..question import Question
from .mistake import Mistake
from .near_misses import SMALL

SMALL_COUNT = 10  # smaller whole numbers come about in many ways
COMPARED_DATA_SETS = 5  # data sets on which two mistakes are compared
TABLE_CELLS = 4  # of a table in which each sum and each difference of two can be seen at a glance
SHORT_NUMBER = "So short a number comes about in several ways, by a guess as well."
POWER_OF_HALF = "A power of one half comes about in several ways."
SAME_VALUE = "On these data {!r} leads to the same number."


def ambiguity_reason(found: Diagnosis, one: Mistake) -> str:
    """Why it may be another than this one mistake that gives the number.

    One digit left by cutting, or less, is too little to doubt a mistake that has just this number with all its digits.
    """
    few, short = found.short, _is_short(found, one)
    if few and (short or one not in found.with_all_digits or few.left == "enough" or few == ("rounded", "first")):
        return PERHAPS
    if short:
        return SHORT_NUMBER
    if _is_power_of_a_half(found):
        return POWER_OF_HALF
    rival = next((other.name for other in found.believed if _coincides_by_chance(found.exercise, found.question, one, other)), "")
    return SAME_VALUE.format(rival) if rival else ""


def _coincides_by_chance(exercise: Exercise, question: Question, one: Mistake, other: Mistake) -> bool:
    """Whether two mistakes give the same number by chance: on data of nobody they do not."""
    return one is not other and other.step == question.step and _differ_on_other_data(exercise, question.step, one, other)


@cache  # whoever marks a course asks again and again
def _differ_on_other_data(exercise: Exercise, step: str, one: Mistake, other: Mistake) -> bool:
    """Whether two mistakes give different numbers on some data of nobody, those that no student has included."""
    rng = np.random.default_rng(list(f"{exercise.name} rivals".encode()))
    drawn = [dict(exercise.draw(rng)) for _ in range(COMPARED_DATA_SETS)]
    with np.errstate(all="ignore"):
        return any(
            is_distinct(*(getattr(start_test(mistake.wrong, data), step) for mistake in (one, other)))
            for data in (*drawn, *({**data, **exercise.elsewhere} for data in drawn))
        )


def _is_short(found: Diagnosis, one: Mistake) -> bool:
    """Whether a number is so short that it may have come about otherwise than by the mistake which gives it.

    That is a small whole number for one that is not; a typed rate of one or two digits for a simulated one; and a small count
    that also is one of the page, or made of two of its cells.
    """
    x = found.x
    if x.ndim or not found.is_number:
        return False
    if found.question.tolerance:
        return significant_digits(x) < DIGITS
    if x != np.floor(x):
        return False
    return bool(abs(x) < SMALL_COUNT) if is_real_valued(found.right) else bool(abs(x) < SMALL) and _is_displayed_count(found, one)


def _is_displayed_count(found: Diagnosis, one: Mistake) -> bool:
    """Whether a count is (but for one) another count of the page than those which the mistake is made of, or whether two pairs of
    cells of a small table have it for their sum or difference.
    """
    own = {found.question.step, one.step, *one.wrong.steps[one.step].slots}
    rows = [(row.name, np.asarray(row.value)) for row in found.test.worked()]
    counts = [value for name, value in rows if name not in own and (name in found.met or name not in found.test.steps)]
    if any(not count.ndim and count.dtype.kind in "iu" and abs(count - found.x) <= 1 for count in counts):
        return True
    return any(_pairs_of_cells(value, found.x) > 1 for name, value in rows if name in own)


def _is_power_of_a_half(found: Diagnosis) -> bool:
    """Whether a probability is 1/2, 1/4, 1/8, ...: with coins, many lines give such numbers."""
    x = found.x
    return found.test.is_probability(found.question.step) and not x.ndim and bool(0 < x < 1) and bool(np.log2(x) % 1 == 0)


def _pairs_of_cells(table: Any, x: Any) -> int:
    """How many pairs of cells of a small table of counts have this sum or difference."""
    if not 2 < table.size <= TABLE_CELLS or table.dtype.kind not in "iuf" or not np.array_equal(table, np.floor(table)):
        return 0
    return sum(x in (abs(one - other), one + other) for one, other in combinations(table.flat, 2))
