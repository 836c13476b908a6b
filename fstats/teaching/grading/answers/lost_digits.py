"""The right number with fewer digits than were asked for: rounded or cut, alone or in a column, and what can be said of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, NamedTuple

import numpy as np

from .answer_value import DIGITS, is_equal, significant_digits

ENOUGH = 2  # significant digits, or decimals, that tell a number from others
LEAST_COUNT = 1000  # of a smaller count nobody leaves digits out
FINEST, FINEST_OF_ALL = 7, 300  # decimals that are looked at, of small numbers more
NOISE = 1e-9  # of floating point, in units of the last digit
ROUGH = "As far as so few digits can tell, that is right: give three significant digits, rounded."
CUT = "That may be the right one, cut off behind its first digit: give three significant digits, rounded."
HARDLY = "So few digits cannot tell: give three significant digits, rounded."
ROUNDED = "If that is rounded, give all digits: this number is exact."
PERHAPS = "So short a number comes about in several ways: give three significant digits, rounded."
TYPED = "If it is your own number, rounded: give all digits that the computer shows."


class Shortened(NamedTuple):
    """How digits were lost, and what is left: `enough` to know the number by, its `first` digit, `hardly` anything, `most`
    of a small count.
    """

    how: Literal["rounded", "cut"]
    left: Literal["enough", "first", "hardly", "most"]

    @property
    def sentence(self) -> str:
        """What can be said where too little is left to be sure of it."""
        if self.left == "first":
            return ROUGH if self.how == "rounded" else CUT
        return ROUNDED if self.left == "most" else HARDLY


def shortened(answer: Any, right: Any, within: Any = None, *, exact: bool = False) -> Shortened | None:
    """How a value is the right one with fewer digits than were asked for; None if it is not.

    Enough is left where each number keeps two significant digits or two decimals, or where a column has as many decimals everywhere as its
    largest number needs for that: who writes 0.62 writes 0.00 in the same column.  With less, an answer may be rounded and may be wrong:
    that is one significant digit of each number, or the same one decimal, or none, of all, which may leave nothing but 0.

    What is whole has no decimals to leave out, and keeps two digits: 980 stands for 976, and nobody writes 10 for 11.

    Parameters
    ----------
    answer, right : number or array
        The answer, and the value that it should be.
    within : float, optional
        How far luck may take a simulated answer from the right value, before it is rounded.
    exact : bool
        For counts, of which nobody leaves digits out while they are small, and ranks, whose halves tell of ties.
    """
    x, y = np.ravel(answer), np.ravel(right)
    if y.dtype.kind not in "fiu" or np.shape(answer) != np.shape(right) or is_equal(answer, right, within):
        return None
    x, y, room = x.astype(float), y.astype(float), 0.0 if within is None else float(within)
    whole = bool((y == np.floor(y)).all()) or (exact and len(y) > 1)
    if not np.isfinite([x, y]).all() or not y.any() or (whole and significant_digits(x) < ENOUGH):
        return None
    place = -np.floor(np.log10(np.where(y == 0, np.abs(y).max(), np.abs(y)))).astype(int)  # of the first digit, as a number of decimals
    if x.any() and (how := _with_enough(x, y, place, whole, within)):
        return Shortened(how, "most" if exact and whole and y.max() < LEAST_COUNT else "enough")
    if whole:
        return None
    if how := _lost(x, y, [place], room):
        return Shortened(how, "first")
    how = _lost(x, y, range(ENOUGH), room)
    return Shortened(how, "hardly") if how else None


def _with_enough(x: Any, y: Any, place: Any, whole: bool, within: Any) -> Literal["rounded", "cut", ""]:
    """How numbers became others that keep enough: each by itself, or all with the same decimals."""
    room = 0.0 if within is None else float(within)
    least = np.minimum(ENOUGH, place + ENOUGH - 1)  # decimals that are enough
    last = 0 if whole else min(max(FINEST, int(place.max()) + DIGITS), FINEST_OF_ALL)
    fits = [is_equal(one, other, within) for one, other in zip(x, y, strict=True)]
    alone = ["rounded" if fits[i] else _lost(x[i], y[i], range(least[i], last), room) if x[i] else "" for i in range(len(x))]
    if all(alone):
        return "cut" if "cut" in alone else "rounded"
    return _lost(x, y, range(max(1, least.min()), last), room, fits)


def _lost(x: Any, y: Any, decimals: Iterable[Any], room: float, besides: Any = False) -> Literal["rounded", "cut", ""]:
    """How numbers became others by losing all but some of these decimals, `besides` those that need not have."""
    for unit in (10.0 ** -np.asarray(some) for some in decimals):
        units = np.rint(x / unit)
        short = np.abs(x / unit - units) <= NOISE * np.minimum(np.abs(units), 1)  # a tiny number is no 0
        rounded = short & (np.abs(y - x) <= unit * (0.5 + NOISE) + room)
        missing = np.abs(y) - np.abs(x)
        cut = short & (x * y >= 0) & (missing >= -room) & (missing < unit * (1 - NOISE) + room)
        if np.all(rounded | besides):
            return "rounded"
        if np.all(rounded | cut | besides):
            return "cut"
    return ""
