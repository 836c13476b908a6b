"""Convert NumPy and other values to plain Python.

Students' values are converted in the same way at home and during marking.
"""

from __future__ import annotations

import sys
from array import array
from collections import OrderedDict, UserList, deque
from collections.abc import Callable, Iterable, Iterator, KeysView, Mapping, Sequence, ValuesView
from datetime import date, time, timedelta
from decimal import Decimal
from fractions import Fraction
from functools import partial
from itertools import islice
from math import inf, nan
from typing import Any

import numpy as np

from .function_call import STUDENT_ERRORS

DEPTH, ENTRIES = 6, 10_000  # maximum depth of nested lists, and maximum number of entries in total
MAX_TEXT = 200  # maximum number of characters in a text
VIEWS: tuple[type, ...] = (type({}.keys()), type({}.values()), type(OrderedDict().keys()), type(OrderedDict().values()))
LISTS: tuple[type, ...] = (range, deque, UserList, *VIEWS)  # types that are read as lists
ARRAY_LIBRARIES = ("polars", "pyarrow", "xarray", "torch", "jaxlib", "tensorflow")  # libraries with objects that NumPy converts to arrays
# (refused types, reason and what to write instead)
REMEDIES: tuple[tuple[tuple[type, ...], str], ...] = (
    ((set, frozenset), "which has no order: write a list"),
    ((Iterator, map, zip, filter), "which gives its values once: write list(...) around it"),
    ((Mapping,), "which has names beside its values: write list(...) around its .values()"),
    ((bytes,), "which is no text: remove the letter b before the quotes"),
    ((complex, np.complexfloating), "which has an imaginary part: write its real part, .real"),
    ((np.datetime64, np.timedelta64, date, time, timedelta), "which is a time: write its number"),
    ((Sequence, KeysView, ValuesView), "which is no list: write list(...) around it"),
)


class NotPlainValue(ValueError):
    """Raised if a value is not a number, text, boolean or a list of such values; the message describes the value."""


class ForeignObject:
    """Placeholder for an object that is no plain value; only a description of the object is known."""

    def __init__(self, description: str) -> None:
        self.description = description

    def __repr__(self) -> str:
        return self.description


FUNCTION = ForeignObject("a function")  # replacement for a function that was given instead of a value


def readable_value(value: Any) -> Any:
    """Return the value as plain Python, or a :class:`ForeignObject` in the place of any other object.

    Both the check in the notebook and the marking of submissions judge only what this function returns.
    """
    if type(value) is ForeignObject:
        return value
    try:
        return FUNCTION if _is_function(value) else plain_value(value)
    except NotPlainValue as error:
        return ForeignObject(str(error)[:MAX_TEXT])
    except STUDENT_ERRORS:
        return ForeignObject(f"an object of the type {type(value).__name__}"[:MAX_TEXT])


def plain_value(value: Any) -> Any:
    """Return the value as plain Python.  Only methods of Python and of known libraries are called, never a student's own methods.

    Raises
    ------
    NotPlainValue
        If the value is not plain; the message is written for a student.

    Examples
    --------
    >>> from fractions import Fraction
    >>> plain_value([Fraction(1, 4), np.float32(0.1), 3 + 0j, True, ("a", None)])
    [0.25, 0.1, 3.0, True, ['a', None]]
    """
    remaining = iter(range(ENTRIES))

    def convert(x: Any, depth: int) -> Any:
        if next(remaining, None) is None:
            raise NotPlainValue(f"more than {ENTRIES} entries")
        kind = type(x)
        if x is None or x is ... or kind in (bool, float):
            return x
        for base, convert_scalar in SCALARS:
            if issubclass(kind, base):
                return convert_scalar(x)
        if x is np.ma.masked:
            return nan
        if issubclass(kind, list):
            return entries(list.__iter__(x), depth)
        if issubclass(kind, tuple):  # the outermost tuple stays a tuple, because 0,5 instead of 0.5 is a tuple and must be recognized
            return entries(tuple.__iter__(x), depth) if depth else tuple(entries(tuple.__iter__(x), depth))
        if kind in LISTS:
            return entries(islice(x, ENTRIES + 1), depth)
        return convert(_library_entries(x), depth)

    def entries(x: Iterable[Any], depth: int) -> list[Any]:
        if depth >= DEPTH:
            raise NotPlainValue("lists within lists")
        return [convert(entry, depth + 1) for entry in x]

    return convert(value, 0)


def _text(x: Any) -> str:
    text = str.__str__(x)
    if len(text) > MAX_TEXT:
        raise NotPlainValue(f"a text of {len(text)} letters")
    return text


def _whole_number(x: Any) -> int | float:
    number = int.__int__(x)
    return number if abs(number) < 2**63 else _real_number(int, number)


def _real_number(base: Any, x: Any) -> float:
    try:
        return float(base.__float__(x))
    except OverflowError:
        return inf if x > 0 else -inf


def _short_number(x: Any) -> float:
    """Return a number of NumPy with the digits that it shows: float32(0.1) is 0.1, not 0.10000000149."""
    return float(np.format_float_scientific(x))


def _real_part(x: Any) -> float:
    if x.imag:
        raise NotPlainValue(_describe_type(x))
    return float(x.real)


def _refuse(x: Any) -> Any:
    raise NotPlainValue(_describe_type(x))


# (types of single values, function that converts them); np.timedelta64 comes first, because it is a subclass of np.integer
SCALARS: tuple[tuple[type | tuple[type, ...], Callable[[Any], Any]], ...] = (
    ((np.datetime64, np.timedelta64, bytes), _refuse),
    (str, _text),
    (int, _whole_number),
    *((base, partial(_real_number, base)) for base in (float, np.longdouble, Fraction, Decimal)),
    (np.floating, _short_number),
    ((complex, np.complexfloating), _real_part),
    (np.bool_, bool),
    (np.integer, int),
)


def _library_entries(x: Any) -> Any:
    """Return the entries of an array, a structured NumPy value, a buffer, or an object of a library such as pandas."""
    library = _libraries(x)
    if isinstance(x, np.void) and x.dtype.names:
        return np.void.item(x)
    if "pandas" in library:
        pandas = sys.modules["pandas"]
        if x is pandas.NA or x is pandas.NaT:
            return nan
        for base in (pandas.Series, pandas.Index, pandas.DataFrame, pandas.api.extensions.ExtensionArray):
            if isinstance(x, base):
                is_short = str(getattr(x, "dtype", "")) in ("float16", "float32")
                return base.to_numpy(x) if is_short else base.to_numpy(x, dtype=object).tolist()
    if isinstance(x, (array, memoryview, bytearray)) or "_ctypes" in library:
        x = np.asarray(memoryview(x))
    elif library & {*ARRAY_LIBRARIES} and hasattr(x, "__array__"):
        x = np.asarray(x)
    if not isinstance(x, np.ndarray) or x.dtype.kind in "mM":
        raise NotPlainValue(_describe_type(x))
    if x.size > ENTRIES:
        raise NotPlainValue(f"more than {ENTRIES} entries")
    if x.dtype.kind == "f" and x.dtype.itemsize < np.dtype(float).itemsize:
        x = x.astype(str).astype(float)  # keep the digits that the numbers show
    return np.ma.MaskedArray.tolist(x) if isinstance(x, np.ma.MaskedArray) else np.ndarray.tolist(x)


def _is_function(x: Any) -> bool:
    return callable(x) and not _is_procedure(x)


def _is_procedure(x: Any) -> bool:
    return "fstats" in _libraries(x)


def _libraries(x: Any) -> set[str]:
    """Return the names of the libraries that define the type of an object and its base classes."""
    return {str(getattr(base, "__module__", "")).partition(".")[0] for base in type(x).__mro__}


def _describe_type(x: Any) -> str:
    """Describe the type of a value, and say what to write instead if the remedy is clear."""
    if isinstance(x, ForeignObject):
        return x.description
    name = type(x).__name__
    if _is_procedure(x):
        return f"an object of the class {name}: write a value of this object, such as test.statistic"
    if _is_function(x):
        return "a function: call the function, with its data in parentheses"
    for types, reason in REMEDIES:
        if isinstance(x, types):
            return f"{'an' if name[0] in 'aeiou' else 'a'} {name}, {reason}"
    calls = (("__array__", "numpy.array"), ("__float__", "float")) if not isinstance(x, np.generic) else ()
    around = next((call for method, call in calls if hasattr(type(x), method)), "")
    return f"an object of the type {name}" + (f": write {around}(...) around it" if around else "")
