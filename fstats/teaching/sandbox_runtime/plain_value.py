"""Convert a student's value to plain Python (numbers, text, booleans, lists); the types are the same at home and during marking."""

from __future__ import annotations

import sys
from array import array
from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

DEPTH, ENTRIES = 6, 10_000  # maximal depth of nested lists, and maximal total number of entries
VIEWS: tuple[type, ...] = (type({}.keys()), type({}.values()), type(OrderedDict().keys()), type(OrderedDict().values()))
LISTS: tuple[type, ...] = (range, deque, array, memoryview, *VIEWS)  # types that are treated as lists
UNORDERED = (set, frozenset)
ITERATORS = (Iterator, map, zip, filter)  # types whose values can be read only once, and whose sequence of values may never end


class NotPlainValue(ValueError):
    """Raised if a value is not a number, text, boolean or a list of such values; the message describes the value."""


def plain_value(value: Any) -> Any:
    """Return the value as plain Python.  Only methods of Python, NumPy and pandas types are called, never a student's own methods.

    Raises
    ------
    NotPlainValue
        If the value is not plain; the message is written for a student.

    Examples
    --------
    >>> from fractions import Fraction
    >>> plain_value([Fraction(1, 4), np.float32(0.5), True, ("a", None)])
    [0.25, 0.5, True, ('a', None)]
    """
    remaining = iter(range(ENTRIES))

    def convert(x: Any, depth: int) -> Any:
        if next(remaining, None) is None:
            raise NotPlainValue(f"more than {ENTRIES} entries")
        kind = type(x)
        if x is None or x is ... or kind in (bool, int, float, str):
            return x
        if kind in (Fraction, Decimal):
            return kind.__float__(x)
        for base, method in ((float, float.__float__), (int, int.__int__), (str, str.__str__)):
            if issubclass(kind, base):
                return method(x)
        if isinstance(x, np.ndarray):
            return convert(np.ma.MaskedArray.tolist(x) if isinstance(x, np.ma.MaskedArray) else np.ndarray.tolist(x), depth)
        if isinstance(x, np.generic):
            item = np.generic.item(x)
            if type(item) in (bool, int, float, str):
                return item
        elif kind in LISTS:
            return entries(list(x), depth)
        elif isinstance(x, (list, tuple)):
            return entries(list.__iter__(x), depth) if isinstance(x, list) else tuple(entries(tuple.__iter__(x), depth))
        elif (pandas_entries := _pandas_entries(x)) is not None:
            return convert(pandas_entries, depth)
        raise NotPlainValue(_describe_type(x))

    def entries(x: Iterable[Any], depth: int) -> list[Any]:
        if depth >= DEPTH:
            raise NotPlainValue("lists within lists")
        return [convert(entry, depth + 1) for entry in x]

    return convert(value, 0)


def _pandas_entries(x: Any) -> Any:
    """Return the entries of a pandas object; None for other objects."""
    pandas = sys.modules.get("pandas")
    if pandas is None or type(x).__module__.partition(".")[0] != "pandas":
        return None
    if x is pandas.NA or x is pandas.NaT:
        return float("nan")
    if isinstance(x, (pandas.Series, pandas.Index, pandas.DataFrame, pandas.api.extensions.ExtensionArray)):
        return type(x).to_numpy(x, dtype=object).tolist()
    return None


def _describe_type(x: Any) -> str:
    """Describe the type of a value, and say what to write instead if the remedy is clear."""
    name = type(x).__name__
    if isinstance(x, UNORDERED):
        return f"a {name}, which has no order: write a list"
    if isinstance(x, ITERATORS):
        return f"a {name}, which gives its values once: write list(...) around it"
    return f"an object of the type {name}"
