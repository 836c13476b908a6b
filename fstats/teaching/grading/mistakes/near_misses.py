"""Near misses: answers that differ in a simple way from the right answer (other sign, reciprocal, root, factor of two, other order).

A near miss is no test with a wrong step, so it has no formula. Each sentence says only what the numbers show.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from ....core.validation.check import is_count_check
from ....core.worked_example_row import Row
from ..answers.answer_context import AnswerContext
from ..answers.answer_value import has_full_precision, is_equal, significant_digits, tolerance

SMALL = 100  # whole numbers below this limit often have simple relations by chance
MANY = 10  # minimum number of yes-or-no entries in an answer that cannot be guessed
FAR_OFF = 5  # ratio of a wrong and a right number above which the wrong number is called far off
NEAR_ONE = 0.05  # distance from 1 within which a number, its square and its square root are hardly different
EXACT = 2e-4  # largest relative difference between a number with all digits and the right value from which the number was derived


class NearMiss(NamedTuple):
    """A simple relation between an answer and the right value."""

    name: str
    turned: Callable[[Any], Any]  # function that turns the right value into the near miss
    sentence: str
    only: str = ""  # "chance": for probabilities; "value": for all other numbers


SIGN = "the other sign"
LATER = "Your answer is the value of a later step; a later question asks for this value."
NO_CHANCE = "Your answer is no probability: a probability lies between 0 and 1."
TWICE = "Your answer is twice as large as it should be: perhaps you counted both sides, or multiplied by 2 once too often."
HALF = "Your answer is half as large as it should be: perhaps you counted only one side, or halved once too often."
ROOT = "Your answer is the square root of the right number: you took one square root too many, or you left out a square."
OPPOSITE = "Your answer is the probability of the opposite event: take the area on the other side of the value."
OPPOSITES = NearMiss("all the other way round", np.logical_not, "Every entry of your answer is reversed: True and False are exchanged.")
REORDERED = NearMiss("another order", np.sort, "Your numbers are in the wrong order: put each number into its own row.")
NEAR = (
    NearMiss(
        SIGN,
        lambda x: -x,
        "The size of your answer is right, but its sign is wrong: check the order of the subtraction, and whether the sign matters.",
    ),
    NearMiss("upside down", lambda x: 1 / x, "Your answer is the reciprocal: numerator and denominator are exchanged.", "value"),
    NearMiss("squared", np.square, "Your answer is the square of the right number: take the square root.", "value"),
    NearMiss("a root too many", np.sqrt, ROOT, "value"),
    NearMiss("twice too large", lambda x: 2 * x, TWICE),
    NearMiss("half of it", lambda x: x / 2, HALF),
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
        matches = [near for near in _possible(context) if is_equal(context.answer, near.turned(y.astype(float)))]
    return matches[0] if len(matches) == 1 else None


def _possible(context: AnswerContext) -> Iterator[NearMiss]:
    """Yield the relations that cannot arise by chance between the answer and the right value."""
    y = context.y
    few = not y.ndim and y == np.floor(y) and abs(y) < SMALL
    by_chance = bool(np.all((abs(abs(y) - 1) < NEAR_ONE) | (np.frexp(abs(y))[0] == 0.5)))  # numbers near 1 and powers of 2 match by chance
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
    return [*filter(None, [first, another_line(context) or (LATER if other_lines(context) else "")])]


def _percent(context: AnswerContext) -> str:
    message = "Your answer is in percent. The question asks for the plain number: write 0.05 for 5 percent."
    return message if is_equal(context.x / 100, context.y, context.tolerance) else ""


def _decimal_point(context: AnswerContext) -> str:
    x, y = context.x, context.y
    told = significant_digits(x) > 1  # a remark on a single digit would give the answer away: 5 for 0.5
    moved = told and not y.ndim and x and y and any(is_equal(x * 10.0**k, y) for k in (*range(-6, 0), *range(1, 7)))
    return "The digits of your answer are right, but the decimal point is at the wrong position." if moved else ""


def _impossible_probability(context: AnswerContext) -> str:
    x = context.x
    return NO_CHANCE if context.is_probability and ((x < 0) | (x > 1)).any() and not seen(context) else ""


def _rounded_on_the_way(context: AnswerContext) -> str:
    x, y = context.x, context.y
    if y.ndim or y == np.floor(y) or context.tolerance is not None or abs(x - y) > _rounding_bound(context):
        return ""
    return "Your answer is very close: you probably rounded an earlier number. Compute with all digits, and round only the result."


def _rounding_bound(context: AnswerContext) -> float:
    """Return the largest error of a line if its inputs and the line itself are rounded to three significant digits."""
    test, step, right = context.test, context.step, context.y
    far = float(tolerance(right))
    for name in set(step.slots) & set(test.steps):
        x = np.asarray(getattr(test, name))
        if x.dtype.kind != "f" or x.ndim or 2 * x == np.floor(2 * x):  # whole and half numbers need no rounding
            continue
        try:
            ends = [context.value_in(test.assuming(**{name: x[()] + room})) for room in (-tolerance(x), tolerance(x))]
        except ValueError:  # the rounded input is not a possible value of this input
            continue
        far += max(abs(float(end - right)) for end in ends)
    return far


def _is_interval(x: Any) -> bool:
    return x.shape == (2,) and bool(x[0] < x[1])


def _one_limit_right(context: AnswerContext) -> str:
    """Say which limit of an interval is right, or whether its middle or its width is right."""
    x, y = context.x, context.y
    if not _is_interval(x) or not _is_interval(y):
        return ""
    ends = [is_equal(one, other) for one, other in zip(x, y, strict=True)]
    if any(ends):
        return f"Only the {'first' if ends[0] else 'second'} limit of your interval is right."
    if is_equal(x.mean(), y.mean()):
        return "The middle of your interval is right, but its width is wrong."
    if is_equal(x[1] - x[0], y[1] - y[0]):
        return "The width of your interval is right, but its middle is wrong."
    return ""


def _constant_factor(context: AnswerContext) -> str:
    x, y = context.x, context.y
    if y.size < 2 or not y.all() or not x.any() or (_is_interval(x) and _is_interval(y)):
        return ""
    if not np.allclose(x / y, (x / y).flat[0], rtol=0.005) or seen(context):
        return ""
    return "All your numbers are wrong by the same factor: you multiplied or divided once too often, or not often enough."


REMARKS: tuple[Callable[[AnswerContext], str], ...] = (
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
    if is_count_check(context.step.check):
        if x != np.floor(x):
            return "Your answer must be a whole number."
        return "Your count is too large: you counted too many cases." if x > y else "Your count is too small: you left out some cases."
    if x * y < 0:
        return "The sign of your answer is wrong."
    far = abs(x) > FAR_OFF * abs(y) or abs(y) > FAR_OFF * abs(x)
    if y < 0:  # "too small" would be unclear for a negative number: the smaller number has the larger size
        return f"Your answer lies {'much ' if far else ''}{'farther from' if abs(x) > abs(y) else 'closer to'} 0 than it should."
    return f"Your answer is {'far ' if far else ''}too {'large' if abs(x) > abs(y) else 'small'}."


def another_line(context: AnswerContext) -> str:
    """Name the line of the work whose value is the answer, except a line that a later question asks for."""
    row = next((row for row in other_lines(context) if row.name not in context.later_steps), None)
    return f"Your answer is the value of another step: ${row.symbol}$. {row.sentence}" if row else ""


def other_lines(context: AnswerContext) -> list[Row]:
    """Return other lines of the work whose value is the answer; none for a common value that may agree by chance."""
    x = context.x
    if not x.ndim and x == np.floor(x) and abs(x) < SMALL:
        return []
    long = has_full_precision(x)
    return [row for row in context.test.worked() if row.name != context.step.name and _has(np.asarray(row.value), x, long)]


def _has(value: Any, x: Any, long: bool) -> bool:
    if value.dtype.kind not in "fiu" or value.shape != x.shape or not value.any():
        return False
    return is_equal(x, value) and (not long or np.allclose(x, value, rtol=EXACT, atol=0))
