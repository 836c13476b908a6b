"""Detect wrong signs, reciprocals and similar errors in answers.

Other near misses are a root, a factor of two, and another order.

A near miss is no test with a wrong step, so it has no formula. Each sentence says only what the numbers show.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from ....core.validation.check import is_count_check
from ....core.worked_example_row import Row
from ..answers.answer_context import AnswerContext
from ..answers.answer_value import DIGITS, is_equal, rounding_error, significant_digits, tolerance

SMALL = 100  # two whole numbers below this limit often have a simple relation by chance
MANY = 10  # minimum number of yes-or-no entries; fewer entries may all be opposite by chance
FAR_OFF = 5  # the reply says "much" or "far" if the right and the wrong number differ by more than this factor
NEAR_ONE = 0.05  # a number with at most this distance from 1 hardly differs from its square and its square root
SAME = 0.005  # maximum relative difference between offsets (or ratios) of the entries that still count as equal
NOTICEABLE = 0.02  # a factor with less than this distance from 1 may come from rounding
EXACT_SHIFT = 1e-9  # maximum floating-point error of a difference, relative to the size of the numbers


class NearMiss(NamedTuple):
    """A simple relation between an answer and the right value."""

    name: str
    turned: Callable[[Any], Any]  # function that computes the near miss from the right value
    sentence: str
    only: str = ""  # "chance": the near miss applies only to probabilities; "value": it applies only to other numbers


SIGN, FACTOR_OF_2 = "the other sign", "a factor of 2"
LATER = "Your answer is the value of a later step; a later question asks for this value."
NEVER_NEGATIVE = "Your answer is negative, but this value cannot be negative."
NO_CHANCE = "Your answer is no probability: a probability lies between 0 and 1."
PERCENT = "Your answer is in percent. The question asks for the plain number: write 0.05 for 5 percent."
POINT = (
    "Your number has the digits of the right one, but the decimal point stands elsewhere. Did you mistype it, or is a factor such as 10 or "
    "100 left out, or there once too often?"
)
CLOSE = "Your answer is very close. If you rounded an earlier number: compute with all digits, and round only the result."
SCALED = "All your numbers are wrong by the same factor: which factor or divisor is there once too often, or left out?"
SHIFTED = "All your numbers are wrong by the same amount: which number is added or subtracted once too often, or left out?"
ROOT = "Your answer is the square root of the right number: is there one square root too many, or is a square left out?"
OTHER_END = "The size of your answer is right, but its sign is wrong: at which end of the distribution must the value lie?"
FACTORS = 2, 4  # only these factors are reported; other factors agree by chance too often
LEAST_DIGITS = 2  # minimum number of digits of the answer; a shorter number agrees with a multiple by chance
TWO = "between your number and the right one: is a 2 left out, or there once too often, or is a divisor wrong by this factor?"
MULTIPLE = "Perhaps a factor of {} lies {}"
A_PROBABILITY = "Your answer is a probability. The question asks for the value of the statistic that belongs to a probability."
OPPOSITE = "Your answer is the probability of the opposite event: take the area on the other side of the value."
OPPOSITES = NearMiss("all the other way round", np.logical_not, "Every entry of your answer is reversed: True and False are exchanged.")
REORDERED = NearMiss(
    "another order", np.sort, "Your numbers are right, but some of them stand in the wrong places: put each number into its own place."
)
NEAR = (
    NearMiss(
        SIGN,
        lambda x: -x,
        "The size of your answer is right, but its sign is wrong: check the order of the subtraction, and whether the sign matters.",
    ),
    NearMiss("upside down", lambda x: 1 / x, "Your answer is the reciprocal: are numerator and denominator exchanged?", "value"),
    NearMiss("squared", np.square, "Your answer is the square of the right number: take the square root.", "value"),
    NearMiss("a root too many", np.sqrt, ROOT, "value"),
    NearMiss(FACTOR_OF_2, lambda x: 2 * x, f"A factor of 2 lies {TWO}"),
    NearMiss(FACTOR_OF_2, lambda x: x / 2, f"A factor of 2 lies {TWO}"),
    NearMiss("the probability of the opposite", lambda x: 1 - x, OPPOSITE, "chance"),
)


def seen(context: AnswerContext) -> NearMiss | None:
    """Return the relation between answer and right value, if exactly one relation fits."""
    x, y = context.x, context.y
    if y.dtype.kind == "b":
        return OPPOSITES if y.size >= MANY and bool(np.all(x != y)) else None
    if not context.is_number or not np.isfinite(y).all() or not y.any():
        return None
    if y.ndim and len(set(y.flat)) > 1 and is_equal(np.sort(x, axis=None), np.sort(y, axis=None)):
        return REORDERED
    with np.errstate(all="ignore"):
        turned = [(near, near.turned(y.astype(float))) for near in _possible(context)]
    matches = [near for near, z in turned if is_equal(context.answer, z) and context.agrees_in_all_digits(z)]
    if len(matches) == 1 and matches[0].name == SIGN and " : P(" in context.step.template(context.test).replace(r"\left", ""):
        return matches[0]._replace(sentence=OTHER_END)
    return matches[0] if len(matches) == 1 else None


def rounded_multiple(context: AnswerContext) -> str:
    """Say that a number may be a multiple of the right one, by the digits that it has; empty if it is not.

    With three digits, twice and half of the right number are near misses.
    """
    x, y = context.x, context.y
    if x.ndim or not context.is_number or not np.isfinite([x, y]).all() or not y or y == np.floor(y):
        return ""
    if (digits := significant_digits(x)) < LEAST_DIGITS:
        return ""
    factors = FACTORS[:1] if digits < DIGITS else FACTORS if context.is_probability else ()
    near = (factor for factor in factors for multiple in (factor * y, y / factor) if float(f"{multiple:.{digits}g}") == x)
    return next((MULTIPLE.format(factor, TWO) for factor in near), "")


def _possible(context: AnswerContext) -> Iterator[NearMiss]:
    """Yield the near misses that the answer is unlikely to equal by chance."""
    y = context.y
    few = not y.ndim and y == np.floor(y) and abs(y) < SMALL
    # True if y is close to 1, or a power of 2; then its square or root may equal the answer by chance
    by_chance = bool(np.all((abs(abs(y) - 1) < NEAR_ONE) | (np.frexp(abs(y))[0] == 0.5)))
    for one in NEAR:
        of_its_kind = one.only in ("", "chance" if context.is_probability else "value") and not few
        if one.name == SIGN or (of_its_kind and not (by_chance and one.turned in (np.square, np.sqrt))):
            yield one


# -- remarks on a wrong number -----------------------------------------------------------------------------------------------
def remarks(context: AnswerContext) -> list[str]:
    """Return the remarks on a wrong number that has no named mistake: impossible, nearly right, or another line of the work."""
    if not context.is_number:
        return []
    with np.errstate(all="ignore"):
        first = next(filter(None, (remark(context) for remark in REMARKS)), "")
    return [*filter(None, [first, another_line(context) or (LATER if _lines_of_the_value(context) else "")])]


def _percent(context: AnswerContext) -> str:
    is_percent = is_equal(context.x / 100, context.y, context.tolerance)
    return PERCENT if is_percent and (context.tolerance is not None or context.agrees_in_all_digits(100 * context.y)) else ""


def _decimal_point(context: AnswerContext) -> str:
    x, y = context.x, context.y
    told = significant_digits(x) > 1  # for an answer of one digit, for example 5 for 0.5, the remark would reveal the right value
    powers = (10.0**k for k in range(-6, 7) if k)
    moved = told and not y.ndim and x and y and any(is_equal(x * one, y) and context.agrees_in_all_digits(y / one) for one in powers)
    return POINT if moved else ""


def _probability_for_a_value(context: AnswerContext) -> str:
    """Return the remark that a level, or 1 minus a level, is not a critical value."""
    alpha, template = getattr(context.test, "alpha", None), context.step.template(context.test)
    if alpha is None or context.y.ndim or not re.search(r" : P(\\left)?\(", template):
        return ""
    return A_PROBABILITY if any(np.isclose(context.x, one) for one in (alpha, alpha / 2, 1 - alpha, 1 - alpha / 2)) else ""


def _impossible_probability(context: AnswerContext) -> str:
    x = context.x
    return NO_CHANCE if context.is_probability and ((x < 0) | (x > 1)).any() and not seen(context) else ""


def _rounded_on_the_way(context: AnswerContext) -> str:
    x, y = context.x, context.y
    if y.ndim or y == np.floor(y) or context.tolerance is not None or abs(x - y) > _rounding_bound(context):
        return ""
    return CLOSE


def _rounding_bound(context: AnswerContext) -> float:
    """Return the largest error of an answer whose inputs, and the answer itself, are rounded to three significant digits."""
    test, step, right = context.test, context.step, context.y
    far = float(tolerance(right))
    for name in set(step.slots) & set(test.steps):
        x = np.asarray(getattr(test, name))
        if x.dtype.kind != "f" or x.ndim or 2 * x == np.floor(2 * x):  # ignore whole and half numbers, which need no rounding
            continue
        try:
            ends = [context.value_in(test.assuming(**{name: x[()] + room})) for room in (-tolerance(x), tolerance(x))]
        except ValueError:  # the test raises an error if the rounded input is impossible
            continue
        far += max(abs(float(end - right)) for end in ends)
    return far


def _is_interval(x: Any) -> bool:
    return x.shape == (2,) and bool(x[0] < x[1])


def _one_limit_right(context: AnswerContext) -> str:
    """Return the remark on an interval with one right limit, the right middle or the right width."""
    x, y = context.x, context.y
    if not _is_interval(x) or not _is_interval(y) or not isinstance(context.right, tuple):
        return ""
    ends = [is_equal(one, other) for one, other in zip(x, y, strict=True)]
    if any(ends):
        return f"Only the {'first' if ends[0] else 'second'} limit of your interval is right."
    if abs(x.mean() - y.mean()) <= float(np.mean(rounding_error(x))):
        return "The middle of your interval is right, but its width is wrong."
    if is_equal(x[1] - x[0], y[1] - y[0]):
        return "The width of your interval is right, but its middle is wrong."
    return ""


def is_proportional(context: AnswerContext) -> bool:
    """Whether the numbers of a column are wrong by nearly the same factor."""
    x, y = context.x, context.y
    if y.size < 2 or not y.all() or not x.any() or (_is_interval(x) and _is_interval(y)):
        return False
    return np.allclose(x / y, (x / y).flat[0], rtol=SAME) and not seen(context)


def _constant_factor(context: AnswerContext) -> str:
    """Return the remark that all entries are wrong by the same amount, or by the same factor."""
    x, y = context.x, context.y
    if y.size < 2 or np.all(y == y.flat[0]):
        return ""
    # maximum difference that rounding of the answer can cause
    room = 2 * float(np.max(rounding_error(x))) + EXACT_SHIFT * float(np.abs(x).max())
    if np.allclose(x - y, (x - y).flat[0], rtol=SAME, atol=0) and np.ptp(x - y) <= room < np.ptp(y) / 2:
        return SHIFTED
    factor = np.sum(x * y) / np.sum(y * y)
    is_exact = abs(factor - 1) >= NOTICEABLE and bool(np.all(np.abs(x - factor * y) <= np.maximum(tolerance(x), tolerance(factor * y))))
    return SCALED if is_exact and is_proportional(context) else ""


REMARKS: tuple[Callable[[AnswerContext], str], ...] = (
    _probability_for_a_value,
    _percent,
    _decimal_point,
    _impossible_probability,
    _rounded_on_the_way,
    _one_limit_right,
    _constant_factor,
)


def size(context: AnswerContext) -> str:
    """Say whether a number is too large or too small, if there is no other remark."""
    x, y = context.x, context.y
    if y.ndim or not context.is_number or not np.isfinite(y):
        return ""
    if is_count_check(context.step.check) and x != np.floor(x):
        return "Your answer must be a whole number."
    if x * y < 0:
        return NEVER_NEGATIVE if y > 0 and _is_never_negative(context) else "The sign of your answer is wrong."
    far = abs(x) > FAR_OFF * abs(y) or abs(y) > FAR_OFF * abs(x)
    if y < 0:  # for a negative number, "too small" would be ambiguous
        return f"Your answer lies {'much ' if far else ''}{'farther from' if abs(x) > abs(y) else 'closer to'} 0 than it should."
    return f"Your answer is {'far ' if far else ''}too {'large' if abs(x) > abs(y) else 'small'}."


def _is_never_negative(context: AnswerContext) -> bool:
    """Return whether the asked step is a square root, or its check refuses a negative answer."""
    if context.step.check is not None:
        try:
            context.step.check(context.x[()], context.step.name)
        except ValueError:
            return True
    return context.step.template(context.test).startswith(r"\sqrt")


def another_line(context: AnswerContext) -> str:
    """Name the line of the work whose value is the answer, except a line that a later question asks for."""
    row = next((row for row in _lines_of_the_value(context) if row.name not in context.later_steps), None)
    return f"Your answer is the value of another step: ${row.symbol}$. {row.sentence}" if row else ""


def _lines_of_the_value(context: AnswerContext) -> list[Row]:
    """Return the other displayed values that equal the answer; an answer of one digit is compared with the level only."""
    x = context.x
    is_short = not x.ndim and x != np.floor(x) and significant_digits(x) < 2
    return [row for row in other_lines(context) if not is_short or row.name == "alpha"]


def other_lines(context: AnswerContext) -> list[Row]:
    """Return other lines of the work whose value is the answer; none for a common value that may agree by chance."""
    x = context.x
    if not x.ndim and x == np.floor(x) and abs(x) < SMALL:
        return []
    return [row for row in context.test.worked() if row.name != context.step.name and _has(np.asarray(row.value), context)]


def _has(value: Any, context: AnswerContext) -> bool:
    if value.dtype.kind not in "fiu" or value.shape != context.x.shape or not value.any():
        return False
    return is_equal(context.x, value) and context.agrees_in_all_digits(value)
