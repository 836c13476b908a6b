"""Answers that lie near the right one in a way that any number can: the other sign, upside down, the root of it, another order.

None of them is a test with a wrong step, so none has a formula; each says only what can be seen in the numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from ....core.validation.check import is_count_check
from ....core.worked_example_row import Row
from ..answers.answer_context import Response
from ..answers.answer_value import has_full_precision, is_equal, significant_digits, tolerance

SMALL = 100  # between smaller whole numbers such relations come about by chance
MANY = 10  # so many answers of yes or no are no guess
FAR_OFF = 5  # times
NEAR_ONE = 0.05  # so near to 1 lie the square and the root of a number, too
EXACT = 2e-4  # a number with all digits is that of a line if it does not differ by more


class Near(NamedTuple):
    """What can be seen between an answer and the right one."""

    name: str
    turned: Callable[[Any], Any]  # the right value, turned into the one that is looked for
    sentence: str
    only: str = ""  # "chance": for probabilities; "value": for all other numbers


SIGN = "the other sign"
LATER = "Your answer stands further down in the work, where a later question asks for it."
NO_CHANCE = "A probability lies between 0 and 1."
TWICE = "That is twice as much. Was something counted for both sides that belongs to one, or doubled twice?"
OPPOSITE = "That is the probability of the opposite: which side of the curve is meant?"
OPPOSITES = Near("all the other way round", np.logical_not, "Each of them is the other way round: what is True to mean?")
REORDERED = Near("another order", np.sort, "These are the right numbers in another order: beside what does each of them belong?")
NEAR = (
    Near(SIGN, lambda x: -x, "The size is right, the sign is not: what is taken from what, and does the sign matter here?"),
    Near("upside down", lambda x: 1 / x, "That is upside down: what stands above the line, and what below it?", "value"),
    Near("squared", np.square, "That is the square: a root is missing.", "value"),
    Near("a root too many", np.sqrt, "That is the root: one root too many, or a square is missing.", "value"),
    Near("twice too large", lambda x: 2 * x, TWICE),
    Near("half of it", lambda x: x / 2, "That is half of it. Was one side forgotten, or halved once too often?"),
    Near("the probability of the opposite", lambda x: 1 - x, OPPOSITE, "chance"),
)


def seen(response: Response) -> Near | None:
    """What can be seen, if it is one thing only."""
    x, y = response.x, response.y
    if y.dtype.kind == "b":
        return OPPOSITES if y.size >= MANY and bool(np.all(x != y)) else None
    if not response.is_number or not np.isfinite(y).all() or not y.any():
        return None
    if y.ndim and len(set(y.flat)) > 1 and is_equal(np.sort(x, axis=None), np.sort(y, axis=None)):
        return REORDERED
    with np.errstate(all="ignore"):
        found = [one for one in _possible(response) if is_equal(response.answer, one.turned(y.astype(float)))]
    return found[0] if len(found) == 1 else None


def _possible(response: Response) -> Iterator[Near]:
    """The relations that cannot come about by chance between such numbers."""
    y = response.y
    few = not y.ndim and y == np.floor(y) and abs(y) < SMALL
    by_chance = bool(np.all((abs(abs(y) - 1) < NEAR_ONE) | (np.frexp(abs(y))[0] == 0.5)))  # near 1, or a power of 2
    for one in NEAR:
        of_its_kind = one.only in ("", "chance" if response.is_probability else "value") and not few
        if one.name == SIGN or (of_its_kind and not (by_chance and one.turned in (np.square, np.sqrt))):
            yield one


# -- remarks on a wrong number -----------------------------------------------------------------------------------------------
def remarks(response: Response) -> list[str]:
    """What can be said of a wrong number without a name for the mistake: it is impossible, nearly right, or another line of the work."""
    if not response.is_number:
        return []
    with np.errstate(all="ignore"):
        first = next(filter(None, (remark(response) for remark in REMARKS)), "")
    return [*filter(None, [first, another_line(response) or (LATER if other_lines(response) else "")])]


def _percent(response: Response) -> str:
    said = "That is in percent. Asked for is the plain number: 5 percent are 0.05."
    return said if is_equal(response.x / 100, response.y, response.room) else ""


def _decimal_point(response: Response) -> str:
    x, y = response.x, response.y
    told = significant_digits(x) > 1  # or the answer would be given away: 5 for 0.5
    moved = told and not y.ndim and x and y and any(is_equal(x * 10.0**k, y) for k in (*range(-6, 0), *range(1, 7)))
    return "The digits are right; look at the decimal point." if moved else ""


def _impossible_probability(response: Response) -> str:
    x = response.x
    return NO_CHANCE if response.is_probability and ((x < 0) | (x > 1)).any() and not seen(response) else ""


def _rounded_on_the_way(response: Response) -> str:
    x, y = response.x, response.y
    if y.ndim or y == np.floor(y) or response.room is not None or abs(x - y) > _rounding_bound(response):
        return ""
    return "Very near: was a number rounded on the way? Compute with all digits and round at the end."


def _rounding_bound(response: Response) -> float:
    """How far a line goes wrong at most if each number that it is made of is rounded to three significant digits, and so is
    the line itself.
    """
    test, step, right = response.test, response.step, response.y
    far = float(tolerance(right))
    for name in set(step.slots) & set(test.steps):
        x = np.asarray(getattr(test, name))
        if x.dtype.kind != "f" or x.ndim or 2 * x == np.floor(2 * x):  # nobody rounds those
            continue
        try:
            ends = [response.of(test.assuming(**{name: x[()] + room})) for room in (-tolerance(x), tolerance(x))]
        except ValueError:  # beyond what such a value can be
            continue
        far += max(abs(float(end - right)) for end in ends)
    return far


def _is_interval(x: Any) -> bool:
    return x.shape == (2,) and bool(x[0] < x[1])


def _one_limit_right(response: Response) -> str:
    """Whether one of two ends is right, or what lies between them."""
    x, y = response.x, response.y
    if not _is_interval(x) or not _is_interval(y):
        return ""
    ends = [is_equal(one, other) for one, other in zip(x, y, strict=True)]
    if any(ends):
        return f"The {'first' if ends[0] else 'second'} of the two is right."
    if is_equal(x.mean(), y.mean()):
        return "The two lie around the right middle; how far they lie from it is not right."
    if is_equal(x[1] - x[0], y[1] - y[0]):
        return "The two lie as far apart as they should; where their middle lies is not right."
    return ""


def _constant_factor(response: Response) -> str:
    x, y = response.x, response.y
    if y.size < 2 or not y.all() or not x.any() or (_is_interval(x) and _is_interval(y)):
        return ""
    if not np.allclose(x / y, (x / y).flat[0], rtol=0.005) or seen(response):
        return ""
    return "Each number is off by the same factor: what were they multiplied with, or divided by, that they should not be?"


REMARKS: tuple[Callable[[Response], str], ...] = (
    _percent,
    _decimal_point,
    _impossible_probability,
    _rounded_on_the_way,
    _one_limit_right,
    _constant_factor,
)


def size(response: Response) -> str:
    """Whether a number is too large or too small, where nothing else can be said of it."""
    x, y = response.x, response.y
    if y.ndim or not response.is_number or not np.isfinite(y):
        return ""
    if is_count_check(response.step.check):
        if x != np.floor(x):
            return "A whole number is asked for."
        return "Too many: what was counted that does not belong?" if x > y else "Too few: what was not counted that belongs?"
    if x * y < 0:
        return "Its sign is not right."
    far = abs(x) > FAR_OFF * abs(y) or abs(y) > FAR_OFF * abs(x)
    if y < 0:  # the smaller of two such numbers is the one whose size is larger
        return f"It lies {'much ' if far else ''}{'farther from' if abs(x) > abs(y) else 'closer to'} 0 than it should."
    return f"That is {'far ' if far else ''}too {'large' if abs(x) > abs(y) else 'small'}."


def another_line(response: Response) -> str:
    """The line of the work that has this value; none that is still to be found."""
    row = next((row for row in other_lines(response) if row.name not in response.later), None)
    return f"Your answer is what stands in another line of the work: ${row.symbol}$. {row.sentence}" if row else ""


def other_lines(response: Response) -> list[Row]:
    """The other lines of the work that have this value, if it is one that nobody meets by chance."""
    x = response.x
    if not x.ndim and x == np.floor(x) and abs(x) < SMALL:
        return []
    long = has_full_precision(x)
    return [row for row in response.test.worked() if row.name != response.step.name and _has(np.asarray(row.value), x, long)]


def _has(value: Any, x: Any, long: bool) -> bool:
    if value.dtype.kind not in "fiu" or value.shape != x.shape or not value.any():
        return False
    return is_equal(x, value) and (not long or np.allclose(x, value, rtol=EXACT, atol=0))
