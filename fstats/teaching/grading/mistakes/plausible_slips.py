"""Detect typing and counting errors in answers.

The module also detects a short wrong formula, if no named mistake explains the number.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..answers.answer_diagnosis import Diagnosis
from ..answers.answer_value import DIGITS, has_full_precision, is_equal, significant_digits, tolerance
from ..exercise import required_steps
from .formula_search import origin
from .near_misses import NO_CHANCE, SHIFTED, is_proportional

# maximum share of wrong entries that a typing slip in a column or table may cause; one wrong entry is always allowed
MISTYPED = 1 / 3
MISCOUNTED = 0.1  # maximum relative error of a miscounted count; an error of 1 is always allowed
LEAST = 2  # minimum number of digits of a number in which a typing slip can be recognized


def has_named_mistake(diagnosis: Diagnosis) -> bool:
    """Whether a named mistake gives this wrong answer, even one that is not shown at this question."""
    tested, step = type(diagnosis.test), diagnosis.question.step
    named = (*diagnosis.exercise.mistakes, *diagnosis.exercise.neighbours)
    possible = (m for m in named if issubclass(m.wrong, tested) and m.step in required_steps(tested, step))
    return any(is_equal(diagnosis.answer, diagnosis.value_in(diagnosis.tests[m.wrong]), diagnosis.simulation_tolerance) for m in possible)


def is_plausible_slip(diagnosis: Diagnosis) -> bool:
    """Whether a single slip on the student's data can give a wrong answer.

    A slip is a mistake or remark of the verdict rules, a formula of these data, a column in which most entries are right, a count that
    is wrong by one or by a tenth, one wrong digit, or two exchanged digits.
    """
    if has_named_mistake(diagnosis) or diagnosis.candidate_mistakes or diagnosis.has_too_few_digits or diagnosis.near_miss:
        return True
    if any(remark not in (NO_CHANCE, SHIFTED) for remark in diagnosis.remarks) or is_proportional(diagnosis):
        return True
    if diagnosis.question.is_count_of_a_share(diagnosis.test, diagnosis.answer, diagnosis.right):
        return True
    meant = (diagnosis.right, *diagnosis.mistake_values.values())
    return any(_is_mistyped(diagnosis.x, np.asarray(value)) for value in meant) or bool(origin(diagnosis))


def _is_mistyped(x: Any, y: Any) -> bool:
    """Return whether most entries of a column agree, or a number has at most one wrong digit or two exchanged digits."""
    if x.shape != y.shape or y.dtype.kind not in "fiub":
        return False
    if x.ndim:
        return int(np.sum(np.abs(x.astype(float) - y) > tolerance(y))) <= max(1, MISTYPED * x.size)
    if y.dtype.kind == "b" or not np.isfinite([x, y]).all():
        return False
    if x == np.floor(x) and y == np.floor(y) and abs(x - y) <= max(1, MISCOUNTED * abs(y)):
        return True
    return any(_one_digit(one, other) for one, other in _written(float(x), float(y)))


def has_one_wrong_digit(x: Any, y: Any) -> bool:
    """Whether a typed number is the right one, except for one digit (of four or more) or two exchanged digits (of three or more)."""
    if x.ndim or y.ndim or y.dtype.kind not in "iuf" or has_full_precision(x) or significant_digits(x) < DIGITS:
        return False
    places = len(f"{float(x):.12f}".rstrip("0").partition(".")[2])
    one, other = (f"{float(value):+.{places}f}" for value in (x, y))
    return _one_digit(one, other) and (significant_digits(x) > DIGITS or sorted(one) == sorted(other))


def has_one_digit_too_few(x: Any, y: Any) -> bool:
    """Whether a typed number is the right one, rounded, without one of its digits, or with one digit of two or more twice."""
    if x.ndim or y.ndim or y.dtype.kind != "f" or not np.isfinite([x, y]).all() or y == np.floor(y) or significant_digits(x) < LEAST:
        return False
    one = f"{float(x):.12f}".rstrip("0").rstrip(".")
    places = len(one.partition(".")[2])
    longer, shorter = [f"{float(y):.{places + more}f}" for more in (0, 1)], f"{float(y):.{max(places - 1, 0)}f}"
    twice = {text for k, text in _without_a_digit(one) if one[k : k + 1] == one[k - 1 : k]}
    is_twice = significant_digits(float(shorter)) >= LEAST and shorter in twice
    return is_twice or any(one == text for other in longer for _, text in _without_a_digit(other))


def _without_a_digit(number: str) -> Iterator[tuple[int, str]]:
    """Yield the place of each digit of a number, and the number without this digit."""
    yield from ((k, number[:k] + number[k + 1 :]) for k, digit in enumerate(number) if digit.isdigit())


def _written(x: float, y: float) -> Iterator[tuple[str, str]]:
    """Yield both numbers as text with equally many decimals: as many as the typed number has, or one fewer."""
    places = len(f"{x:.12f}".rstrip("0").partition(".")[2])
    for places_shown in {places, max(places - 1, 0)}:
        yield f"{x:+.{places_shown}f}", f"{y:+.{places_shown}f}"


def _one_digit(one: str, other: str) -> bool:
    """Return whether two texts of the same length differ in one digit, or in the order of two neighbouring digits."""
    if len(one) != len(other) or len(other.strip("+-0.").replace(".", "")) < LEAST:
        return False
    apart = [k for k, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]
    exchanged = len(apart) == 2 and one[apart[0]] + one[apart[1]] == other[apart[1]] + other[apart[0]]
    return len(apart) == 1 or exchanged
