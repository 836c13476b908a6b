"""A student's value as plain Python: numbers, words, yes and no, and lists of them; the same types at home and where it is marked."""

from __future__ import annotations

import sys
from array import array
from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

DEPTH, ENTRIES = 6, 10_000  # lists within lists, and all that is in them
VIEWS: tuple[type, ...] = (type({}.keys()), type({}.values()), type(OrderedDict().keys()), type(OrderedDict().values()))
LISTS: tuple[type, ...] = (range, deque, array, memoryview, *VIEWS)  # what is a list under another name
UNORDERED = (set, frozenset)
ITERATORS = (Iterator, map, zip, filter)  # what can be read once, and may never end


class NotPlainValue(ValueError):
    """The value is no number, word, yes, no or list of them; the message says what it is."""


def plain_value(value: Any) -> Any:
    """The value as plain Python.  Only methods of Python's, numpy's and pandas' own types are called, and none that a student wrote.

    Raises
    ------
    NotPlain
        In words that a student understands.

    Examples
    --------
    >>> from fractions import Fraction
    >>> plain_value([Fraction(1, 4), np.float32(0.5), True, ("a", None)])
    [0.25, 0.5, True, ('a', None)]
    """
    left = iter(range(ENTRIES))

    def one(x: Any, depth: int) -> Any:
        if next(left, None) is None:
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
            return one(np.ma.MaskedArray.tolist(x) if isinstance(x, np.ma.MaskedArray) else np.ndarray.tolist(x), depth)
        if isinstance(x, np.generic):
            found = np.generic.item(x)
            if type(found) in (bool, int, float, str):
                return found
        elif kind in LISTS:
            return entries(list(x), depth)
        elif isinstance(x, (list, tuple)):
            return entries(list.__iter__(x), depth) if isinstance(x, list) else tuple(entries(tuple.__iter__(x), depth))
        elif (there := _pandas_entries(x)) is not None:
            return one(there, depth)
        raise NotPlainValue(_describe_type(x))

    def entries(x: Iterable[Any], depth: int) -> list[Any]:
        if depth >= DEPTH:
            raise NotPlainValue("lists within lists")
        return [one(entry, depth + 1) for entry in x]

    return one(value, 0)


def _pandas_entries(x: Any) -> Any:
    """The entries of what pandas made; None for all else."""
    pandas = sys.modules.get("pandas")
    if pandas is None or type(x).__module__.partition(".")[0] != "pandas":
        return None
    if x is pandas.NA or x is pandas.NaT:
        return float("nan")
    if isinstance(x, (pandas.Series, pandas.Index, pandas.DataFrame, pandas.api.extensions.ExtensionArray)):
        return type(x).to_numpy(x, dtype=object).tolist()
    return None


def _describe_type(x: Any) -> str:
    """What a value is instead, and what to write where that is plain."""
    name = type(x).__name__
    if isinstance(x, UNORDERED):
        return f"a {name}, which has no order: write a list"
    if isinstance(x, ITERATORS):
        return f"a {name}, which gives its values once: write list(...) around it"
    return f"an object of the type {name}"
