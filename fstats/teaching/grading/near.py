"""Answers that lie near the right one in a way that any number can: the other sign, upside down, the root of it, another order.

None of them is a test with a wrong step, so none has a formula; each says only what can be seen in the numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, NamedTuple

import numpy as np

from ...core.check import is_count
from ...core.procedure import Procedure
from ...core.step import Step
from .answer import is_long, same, tolerance

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
NEAR = (
    Near(SIGN, lambda x: -x, "The size is right, the sign is not: what is taken from what, and does the sign matter here?"),
    Near("upside down", lambda x: 1 / x, "That is upside down: what stands above the line, and what below it?", "value"),
    Near("squared", np.square, "That is the square: a root is missing.", "value"),
    Near("a root too many", np.sqrt, "That is the root: one root too many, or a square is missing.", "value"),
    Near(
        "twice too large",
        lambda x: 2 * x,
        "That is twice as much. Was something counted for both sides that belongs to one, or doubled twice?",
    ),
    Near("half of it", lambda x: x / 2, "That is half of it. Was one side forgotten, or halved once too often?"),
    Near(
        "the probability of the opposite",
        lambda x: 1 - x,
        "That is the probability of the opposite: which side of the curve is meant?",
        "chance",
    ),
)


def seen(test: Procedure, step: Step[Any], given: Any, right: Any) -> Near | None:
    """What can be seen, if it is one thing only."""
    x = np.asarray(right)
    if x.dtype.kind == "b" and x.ndim and x.size >= MANY and bool(np.all(np.asarray(given) != x)):
        return Near("all the other way round", np.logical_not, "Each of them is the other way round: what is True to mean?")
    if x.dtype.kind not in "fiu" or not np.isfinite(x).all() or not x.any():
        return None
    if x.ndim and len(set(x.flat)) > 1 and same(np.sort(given, axis=None), np.sort(x, axis=None)):
        return Near("another order", np.sort, "These are the right numbers in another order: beside what does each of them belong?")
    few = not x.ndim and x == np.floor(x) and abs(x) < SMALL
    by_chance = bool(np.all((abs(abs(x) - 1) < NEAR_ONE) | (np.frexp(abs(x))[0] == 0.5)))  # near 1, or a power of 2
    kind = "chance" if _is_chance(test, step) else "value"
    with np.errstate(all="ignore"):
        found = [
            one
            for one in NEAR
            if one.only in ("", kind)
            and (not few or one.only == "")
            and same(given, one.turned(x.astype(float)))
            and not (one.turned in (np.square, np.sqrt) and by_chance)
        ]
    if few and len(found) == 1 and found[0].name != SIGN:
        return None
    return found[0] if len(found) == 1 else None


def remarks(test: Procedure, step: Step[Any], given: Any, right: Any, within: Any = None, secret: Collection[str] = ()) -> list[str]:
    """What can be said of a wrong number without a name for the mistake: that it is impossible, nearly right, or another line of the work.

    The steps that are `secret` are asked for later.
    """
    x, y = np.asarray(given), np.asarray(right)
    if y.dtype.kind not in "fiu":
        return []
    lines = []
    with np.errstate(all="ignore"):
        if same(x / 100, y, within):
            lines.append("That is in percent. Asked for is the plain number: 5 percent are 0.05.")
        elif not y.ndim and x and y and any(same(x * 10.0**k, y) for k in (*range(-6, 0), *range(1, 7))):
            lines.append("The digits are right; look at the decimal point.")
        elif _is_chance(test, step) and ((x < 0) | (x > 1)).any() and not seen(test, step, given, right):
            lines.append(NO_CHANCE)
        elif not y.ndim and y != np.floor(y) and within is None and abs(x - y) <= _of_rounding(test, step, y):
            lines.append("Very near: was a number rounded on the way? Compute with all digits and round at the end.")
        elif y.shape == (2,) and y[0] < y[1] and x[0] < x[1]:
            lines += _of_an_interval(x, y)
        elif y.size > 1 and y.all() and np.allclose(x / y, (x / y).flat[0], rtol=0.005) and x.any() and not seen(test, step, given, right):
            lines.append("Each number is off by the same factor: what were they multiplied with, or divided by, that they should not be?")
    if line := another_line(test, step, x, secret):
        lines.append(line)
    elif another_line(test, step, x):
        lines.append(LATER)
    return lines


def _is_chance(test: Procedure, step: Step[Any]) -> bool:
    """Whether a step is a probability: by its check, or by its formula."""
    return test.is_chance(step.name) or step.template(test).startswith(("P(", r"2\,P("))


def _of_rounding(test: Procedure, step: Step[Any], right: Any) -> float:
    """How far a line goes wrong at most if each number that it is made of is rounded to three significant digits, and so is
    the line itself.
    """
    far = float(tolerance(right))
    for name in set(step.slots) & set(test.steps):
        x = np.asarray(getattr(test, name))
        if x.dtype.kind != "f" or x.ndim or 2 * x == np.floor(2 * x):  # nobody rounds those
            continue
        try:
            ends = [getattr(test.assuming(**{name: x[()] + room}), step.name) for room in (-tolerance(x), tolerance(x))]
        except ValueError:  # beyond what such a value can be
            continue
        far += max(abs(float(end - right)) for end in ends)
    return far


def _of_an_interval(x: Any, y: Any) -> list[str]:
    """Whether one of two ends is right, or what lies between them."""
    ends = [same(one, other) for one, other in zip(x, y, strict=True)]
    if any(ends):
        return [f"The {'first' if ends[0] else 'second'} of the two is right."]
    if same(x.mean(), y.mean()):
        return ["The two lie around the right middle; how far they lie from it is not right."]
    if same(x[1] - x[0], y[1] - y[0]):
        return ["The two lie as far apart as they should; where their middle lies is not right."]
    return []


def size(step: Step[Any], given: Any, right: Any) -> str:
    """Whether a number is too large or too small, where nothing else can be said of it."""
    x, y = np.asarray(given), np.asarray(right)
    if y.ndim or y.dtype.kind not in "fiu" or not np.isfinite(y):
        return ""
    if is_count(step.check):
        if x != np.floor(x):
            return "A whole number is asked for."
        return "Too many: what was counted that does not belong?" if x > y else "Too few: what was not counted that belongs?"
    if x * y < 0:
        return "Its sign is not right."
    far = abs(x) > FAR_OFF * abs(y) or abs(y) > FAR_OFF * abs(x)
    if y < 0:  # the smaller of two such numbers is the one whose size is larger
        return f"It lies {'much ' if far else ''}{'farther from' if abs(x) > abs(y) else 'closer to'} 0 than it should."
    return f"That is {'far ' if far else ''}too {'large' if abs(x) > abs(y) else 'small'}."


def another_line(test: Procedure, step: Step[Any], given: Any, secret: Collection[str] = ()) -> str:
    """The line of the work that has this value, if it is one that nobody meets by chance; none that is still to be found."""
    if not given.ndim and given == np.floor(given) and abs(given) < SMALL:
        return ""
    for row in test.worked():
        value = np.asarray(row.value)
        if row.name == step.name or row.name in secret or value.dtype.kind not in "fiu" or value.shape != given.shape or not value.any():
            continue
        if same(given, value) and (not is_long(given) or np.allclose(given, value, rtol=EXACT, atol=0)):
            return f"Your answer is what stands in another line of the work: ${row.symbol}$. {row.sentence}"
    return ""
