"""Wrong answers that may have several causes."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Any

import numpy as np

from ..answers.answer_diagnosis import Diagnosis
from ..answers.answer_value import DIGITS, is_distinct, is_equal, is_identical, is_real_valued, significant_digits
from ..answers.lost_digits import MSG_AMBIGUOUS
from ..exercise import Exercise, start_test
from .mistake import Mistake
from .near_misses import POINT, SMALL

SMALL_COUNT = 10  # many formulas give a whole number below this limit by chance
COMPARED_DATA_SETS = 5  # number of drawn data sets on which the values of two mistakes are compared
TABLE_CELLS = 4  # maximum number of cells of a table for which sums and differences of two cells are tried
SHORT_NUMBER = "Several calculations, or a guess, can give your number, because it has few digits."
POWER_OF_HALF = "Several calculations give your number, because it is a power of one half."
CLOSE_TO_LEVEL = "Several calculations give your number, because it is close to the level."
SAME_VALUE = "On these data the mistake {!r} gives the same number."


def ambiguity_reason(diagnosis: Diagnosis, mistake: Mistake) -> str:
    """Return the reason why the number may have another cause than a mistake; empty if it cannot have another cause.

    An answer truncated to one digit or fewer gives no reason to doubt a mistake whose value is exactly this number.
    """
    loss, short = diagnosis.lost_digits, _is_short(diagnosis, mistake)
    if loss and (short or mistake not in diagnosis.exact_matches or loss.left == "enough" or loss == ("rounded", "first")):
        return MSG_AMBIGUOUS
    if short:
        return SHORT_NUMBER
    if _is_power_of_a_half(diagnosis):
        return POWER_OF_HALF
    if POINT in diagnosis.remarks and not _is_power_of_ten(diagnosis.mistake_values[mistake] / diagnosis.right):
        return POINT
    level, tolerance = getattr(diagnosis.test, "alpha", np.nan), diagnosis.simulation_tolerance
    if tolerance is not None and is_equal(diagnosis.answer, level, tolerance) and mistake not in diagnosis.exact_matches:
        return CLOSE_TO_LEVEL
    step, values = diagnosis.question.step, diagnosis.mistake_values
    for other in (other for other in diagnosis.unrefuted_mistakes if other.step == step and other is not mistake):
        # Both mistakes explain the number. They are different mistakes if their values are equal only after rounding,
        # or if they give different numbers on other data.
        is_by_rounding = mistake.step == step and not is_identical(values[mistake], values[other])
        if is_by_rounding or _differ_on_other_data(diagnosis.exercise, step, mistake, other):
            return SAME_VALUE.format(other.name)
    return ""


@cache  # cached, because the marking of a course compares the same pairs many times
def _differ_on_other_data(exercise: Exercise, step: str, mistake: Mistake, other: Mistake) -> bool:
    """Return whether two mistakes give different numbers on data that no student has, some of them with other constants."""
    rng = np.random.default_rng(list(f"{exercise.name} rivals".encode()))
    drawn = [dict(exercise.draw(rng)) for _ in range(COMPARED_DATA_SETS)]
    with np.errstate(all="ignore"):
        return any(
            is_distinct(*(getattr(start_test(one.wrong, data), step) for one in (mistake, other)))
            for data in (*drawn, *({**data, **exercise.elsewhere} for data in drawn))
        )


def _is_short(diagnosis: Diagnosis, mistake: Mistake) -> bool:
    """Return whether a number has so few digits that other calculations than the mistake may give it.

    Short numbers are: one or two digits that are not all digits of the mistake's value; a small whole number, if the right value is not
    whole; a typed rate of one or two digits, if the right value is simulated; the count 0; a small count that equals another displayed
    count, or is computed from two cells of the displayed table.
    """
    x = diagnosis.x
    if x.ndim or not diagnosis.is_number:
        return False
    if diagnosis.question.tolerance:
        return significant_digits(x) < DIGITS
    if x != np.floor(x):
        return is_real_valued(diagnosis.right) and significant_digits(x) < DIGITS and mistake not in diagnosis.exact_matches
    if is_real_valued(diagnosis.right):
        return bool(abs(x) < SMALL_COUNT)
    return not x or (bool(abs(x) < SMALL) and _is_displayed_count(diagnosis, mistake))


def _is_displayed_count(diagnosis: Diagnosis, mistake: Mistake) -> bool:
    """Return whether a count is within 1 of another displayed count, or is the sum or difference of several pairs of table cells."""
    own = {diagnosis.question.step, mistake.step, *mistake.wrong.steps[mistake.step].slots}
    rows = [(row.name, np.asarray(row.value)) for row in diagnosis.test.worked()]
    counts = [value for name, value in rows if name not in own and (name in diagnosis.known_steps or name not in diagnosis.test.steps)]
    if any(not count.ndim and count.dtype.kind in "iu" and abs(count - diagnosis.x) <= 1 for count in counts):
        return True
    return any(_pairs_of_cells(value, diagnosis.x) > 1 for name, value in rows if name in own)


def _is_power_of_a_half(diagnosis: Diagnosis) -> bool:
    """Return whether a probability is 1/2, 1/4, 1/8, ...; many calculations about fair coins give such a value."""
    x = diagnosis.x
    return diagnosis.test.is_probability(diagnosis.question.step) and not x.ndim and bool(0 < x < 1) and bool(np.log2(x) % 1 == 0)


def _is_power_of_ten(ratio: Any) -> bool:
    power = np.log10(np.abs(ratio))
    return bool(np.isclose(power, np.rint(power), rtol=0, atol=1e-9))


def _pairs_of_cells(table: Any, x: Any) -> int:
    """Count the pairs of cells of a small table of counts whose sum or difference is x."""
    if not 2 < table.size <= TABLE_CELLS or table.dtype.kind not in "iuf" or not np.array_equal(table, np.floor(table)):
        return 0
    return sum(x in (abs(one - other), one + other) for one, other in combinations(table.flat, 2))
