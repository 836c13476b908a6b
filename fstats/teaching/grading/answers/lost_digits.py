"""Detect answers that were rounded to too few digits."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, NamedTuple

import numpy as np

from .answer_value import DIGITS, is_equal, significant_digits

ENOUGH = 2  # minimum number of significant digits, or of decimals, by which a number can be recognized
LEAST_COUNT = 1000  # smallest count that students may round
FINEST, FINEST_OF_ALL = 7, 300  # maximum number of decimals that are tried for usual numbers, and for very small numbers
NOISE = 1e-9  # maximum floating-point error, in units of the last digit
MSG_TOO_SHORT = (
    "Python reads too few digits in your number to judge it: give three significant digits, rounded (a zero at the end is not read). "
    "If it has no more digits, it is wrong."
)
MSG_ROUNDED = "If you rounded your number, give all its digits: the right number is not rounded."
MSG_AMBIGUOUS = "Several calculations give your number, because it has few digits: give three significant digits, rounded."
MSG_TYPED = "If you simulated your number and rounded it, give all digits that the computer shows."


class LostDigits(NamedTuple):
    """How digits were lost, and which digits of the number are left.

    `enough`: enough digits to identify the number; `first`: its first digit; `hardly`: almost no digit; `most`: most digits of a count.
    """

    how: Literal["rounded", "cut"]
    left: Literal["enough", "first", "hardly", "most"]

    @property
    def sentence(self) -> str:
        """Message to the student if too few digits are left to identify the number."""
        return MSG_ROUNDED if self.left == "most" else MSG_TOO_SHORT


def find_lost_digits(answer: Any, right: Any, within: Any = None, *, exact: bool = False) -> LostDigits | None:
    """Say how an answer is the right value with too few digits; return None if lost digits do not explain the answer.

    Enough digits are left if each number keeps two significant digits or two decimals. In a column enough digits are also left if
    all numbers have as many decimals as the largest number needs: a student who writes 0.62 writes 0.00 in the same column. With
    fewer digits the answer may be rounded or wrong: each number has one significant digit, or all numbers have one decimal or
    none; all numbers may become 0.

    A whole number has no decimals to lose and must keep two digits: 980 may be a rounded 976, but nobody writes 10 for 11.

    Parameters
    ----------
    answer, right : number or array
        The answer, and the right value.
    within : float, optional
        Largest chance deviation of a simulated answer from the right value, before rounding.
    exact : bool
        True for counts (nobody leaves out digits of a small count) and ranks (halves of ranks show ties).
    """
    x, y = np.ravel(answer), np.ravel(right)
    if y.dtype.kind not in "fiu" or np.shape(answer) != np.shape(right) or is_equal(answer, right, within):
        return None
    x, y, room = x.astype(float), y.astype(float), 0.0 if within is None else float(within)
    whole = bool((np.abs(y - np.rint(y)) <= NOISE * np.abs(y)).all()) or (exact and len(y) > 1)
    if not np.isfinite([x, y]).all() or not y.any() or (whole and significant_digits(x) < ENOUGH):
        return None
    # decimal place of the first significant digit: 1 for tenths, 0 for units, -1 for tens
    place = -np.floor(np.log10(np.where(y == 0, np.abs(y).max(), np.abs(y)))).astype(int)
    if x.any() and (how := _with_enough(x, y, place, whole, within)):
        return LostDigits(how, "most" if exact and whole and y.max() < LEAST_COUNT else "enough")
    if whole:
        return None
    if how := _lost(x, y, [place], room):
        return LostDigits(how, "first")
    how = _lost(x, y, range(ENOUGH), room)
    return LostDigits(how, "hardly") if how else None


def _with_enough(x: Any, y: Any, place: Any, whole: bool, within: Any) -> Literal["rounded", "cut", ""]:
    """Return how the numbers lost digits, if enough digits remain; try separate numbers of decimals first, then the same for all."""
    room = 0.0 if within is None else float(within)
    least = np.minimum(ENOUGH, place + ENOUGH - 1)  # minimum number of decimals by which each number can be recognized
    last = 0 if whole else min(max(FINEST, int(place.max()) + DIGITS), FINEST_OF_ALL)
    fits = [is_equal(one, other, within) for one, other in zip(x, y, strict=True)]
    alone = ["rounded" if fits[i] else _lost(x[i], y[i], range(least[i], last), room) if x[i] else "" for i in range(len(x))]
    if all(alone):
        return "cut" if "cut" in alone else "rounded"
    return _lost(x, y, range(max(1, least.min()), last), room, fits)


def _lost(x: Any, y: Any, decimals: Iterable[Any], room: float, besides: Any = False) -> Literal["rounded", "cut", ""]:
    """Return whether the numbers were rounded or cut to the given decimals; numbers marked in `besides` may keep all digits."""
    for unit in (10.0 ** -np.asarray(some) for some in decimals):
        units = np.rint(x / unit)
        # if x is rounded to 0 units, allow no error; otherwise a tiny number would count as 0
        short = np.abs(x / unit - units) <= NOISE * np.minimum(np.abs(units), 1)
        rounded = short & (np.abs(y - x) <= unit * (0.5 + NOISE) + room)
        missing = np.abs(y) - np.abs(x)
        cut = short & (x * y >= 0) & (missing >= -room) & (missing < unit * (1 - NOISE) + room)
        if np.all(rounded | besides):
            return "rounded"
        if np.all(rounded | cut | besides):
            return "cut"
    return ""
