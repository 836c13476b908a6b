"""Type and size limits for the evaluation of students' code."""

from __future__ import annotations

import math
import sys
import time
from typing import Any, NamedTuple

import numpy as np

# Emergency limit of processor time, in seconds. Usually the limit of counted work, which does not depend on the machine,
# ends an evaluation first.
MAX_SECONDS = 2.0
# the clock is read at every CALLS-th operation, and at each operation of more than LARGE units of work
CALLS, LARGE = 128, 20
MAX_SIZE, MAX_ENTRIES, MAX_BITS, MAX_RANGE, MAX_DECIMALS = 100_000, 2_000, 4_000, 2_000, 40
SCALARS = frozenset({int, float, bool, str, type(None)})
NUMPY_SCALARS = frozenset(kind for kind in np.sctypeDict.values() if kind not in (np.object_, np.void))


class ReadyMadeResult(NamedTuple):
    """The result of a test of scipy.stats."""

    statistic: float
    pvalue: float
    df: float


class NotRead(Exception):
    """A part of a line that is not evaluated: unknown types, unknown functions, or too much work."""


class TooMuchWork(NotRead):
    """A part of a line that would need too much work."""


class Budget:
    """Work that is left for one reply, in units of about five microseconds; the time is limited as well, as a last protection."""

    def __init__(self, units: int) -> None:
        # number of units of work that must remain after the current evaluation; number of calls of `spend`
        self.floor, self.calls = 0, 0
        self.units, self.end = units, time.process_time() + MAX_SECONDS

    def spend(self, units: int) -> None:
        """Spend work; raise NotRead if none is left."""
        self.units -= units
        self.calls += 1
        # reading the clock takes longer than an operation, so it is read rarely
        if self.units < 0 or ((units > LARGE or not self.calls % CALLS) and time.process_time() > self.end):
            self.units = -1
        if self.units < max(self.floor, 0):
            raise TooMuchWork("the evaluation needs too much work")


def is_plain(value: Any, depth: int = 4) -> bool:
    """Whether a value is a number, a text, or a small collection of these, of exact types; no attribute of other types is read."""
    kind = type(value)
    if kind in SCALARS:
        return kind is not int or value.bit_length() <= MAX_BITS
    if kind in NUMPY_SCALARS or kind is range or kind is ReadyMadeResult:
        return True
    if kind is np.ndarray:
        return value.dtype.kind in "biufU" and value.size <= MAX_SIZE
    if kind is list or kind is tuple:
        return len(value) <= MAX_ENTRIES and depth > 0 and all(is_plain(one, depth - 1) for one in value)
    if kind is dict:
        return len(value) <= MAX_ENTRIES and depth > 0 and all(type(k) in SCALARS and is_plain(v, depth - 1) for k, v in value.items())
    if is_frame(kind):
        return value.size <= MAX_SIZE and all(isinstance(one, np.dtype) and one.kind in "biuf" for one in value.dtypes)
    return is_series(kind) and type(value.array).__module__.startswith("pandas.") and value.dtype.kind in "biuf" and value.size <= MAX_SIZE


def checked_plain(value: Any) -> Any:
    """Return a plain value; raise NotRead for any other value."""
    if not is_plain(value):
        raise NotRead("the result is not a plain value")
    return value


def is_series(kind: type) -> bool:
    """Whether a type is the Series of pandas."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and kind is pandas.Series


def is_original(function: Any, module: str) -> bool:
    """Whether a function of a module is the module's own: a student may have put another one in its place."""
    home = getattr(function, "__module__", None) or module  # methods of compiled types have no attribute __module__
    return str(home).partition(".")[0] in (module.partition(".")[0], "math", "functools", "builtins", "_statistics")


def is_frame(kind: type) -> bool:
    """Whether a type is the DataFrame of pandas."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and kind is pandas.DataFrame


def limit_power(base: Any, exponent: Any) -> None:
    """Raise NotRead if a power of whole numbers would be huge."""
    if type(exponent) is int and type(base) in (int, bool) and abs(exponent) * max(1, int(base).bit_length()) > MAX_BITS:
        raise NotRead("the power would be too large")


def limit_repetition(left: Any, right: Any) -> None:
    """Raise NotRead unless a short list is repeated a few times."""
    entries, times = (left, right) if type(left) is list else (right, left)
    if type(entries) is not list or type(times) is not int or len(entries) * times > MAX_ENTRIES:
        raise NotRead("the repeated list would be too long")


def limit_size(*shapes: tuple[int, ...]) -> None:
    """Raise NotRead if broadcasting arrays of these shapes would give a huge array."""
    if any(shapes) and math.prod(np.broadcast_shapes(*shapes)) > MAX_SIZE:
        raise NotRead("the array would be too large")


def limit_call(name: str, values: list[Any]) -> None:
    """Raise NotRead if the result of a call would be huge."""
    if name in ("zeros", "ones", "full") and not (np.ndim(values[0]) == 0 and values[0] <= MAX_RANGE):
        raise NotRead("the array would be too large")
    if name in ("comb", "factorial", "range", "arange", "pow") and any(np.ndim(one) or abs(one) > MAX_RANGE for one in values):
        raise NotRead("the result of the call would be too large")
    if name == "round" and len(values) > 1 and abs(values[1]) > MAX_DECIMALS:
        raise NotRead("the number of decimals is too large")
    if name == "arange" and len(values) > 2 and abs(values[2]) < 1e-2:
        raise NotRead("the array would be too large")
    arrays = [one.shape for one in values if type(one) is np.ndarray]
    if name == "outer":
        limit_size(*((np.size(one), 1)[:: 1 - 2 * place] for place, one in enumerate(values)))
    elif len(arrays) > 1 and name not in ("append", "dot"):
        limit_size(*arrays)
