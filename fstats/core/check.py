"""The input checks that the rooms share, each with its error text.

A check takes what was handed in and the argument's name; it returns what is kept (a copy) or says the rule, what was
got, and what to do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from .noise import EXACT, read, shortest_float
from .number import cut
from .rows import each_once
from .value import Array, Interval
from .whole import none_beyond, not_far_from_0

DOUBLE = np.dtype(np.float64)
MOST_COUNTED = 2.0**53  # beyond, a float leaves out whole numbers

LARGEST = 1e300  # sums of so many numbers as fit into memory are finite
# The default of an input that has none, but whose check says what to write where it is left out.
TO_BE_STATED: Any = ...


def numbers(value: Any, name: str, largest: float = EXACT) -> Array:
    """Finite numbers of any shape, as a fresh array of floats; whole ones (of Python or of a whole type) not beyond the largest."""
    x = value.copy() if type(value) is np.ndarray and value.dtype is DOUBLE else as_array(value, name)
    if type(value) is not np.ndarray or x.dtype.kind in "iuO":
        none_beyond(largest, value, x, name)
    if x.dtype != np.float64:
        if x.dtype.kind == "O" and not any(isinstance(entry, str) for entry in x.flat):
            with suppress(TypeError, ValueError, OverflowError):
                x = x.astype(float)
        if x.dtype.kind not in "biuf":
            raise TypeError(f"{name} must hold numbers; got {in_short(value)}: convert it first, or drop what is missing on both sides")
        x = read(x)
    elif (short := shortest_float(value)) < 8:
        x = read(x, short)
    if np.count_nonzero(np.abs(x) <= LARGEST) < x.size:
        where = tuple(int(k) for k in np.argwhere(~(np.abs(x) <= LARGEST))[0])
        got = f"got {x[where]:g}{at(where)}"
        if np.isfinite(x[where]):
            raise ValueError(f"{name} must lie within ±{LARGEST:g}, or sums would be infinite; {got}: take another unit on both sides")
        raise ValueError(f"{name} must hold finite numbers; {got}: drop or impute that entry on both sides first")
    return x


def some_numbers(value: Any, name: str, largest: float = EXACT) -> Array:
    """A finite number, or an array of them that is not empty."""
    x = numbers(value, name, largest)
    if not x.size:
        raise ValueError(f"{name} must be a number, or hold at least one; got none")
    return x


def scores(value: Any, name: str) -> Array:
    """One score for each data set along the first axis, at least two."""
    x = numbers(value, name)
    if x.ndim == 0:
        raise ValueError(f"{name} must be a list of scores, one for each data set; got the single number {in_short(value)}")
    if len(x) < 2:
        raise ValueError(f"{name} must hold the scores of at least 2 data sets; got {len(x)}: with fewer there is nothing to compare")
    if type(value) is not np.ndarray:
        each_once(value, name)
    return x


def averaged(value: Any, name: str) -> Array:
    """Scores whose means are taken."""
    return not_far_from_0(scores(value, name), name, 0)


def averaged_table(value: Any, name: str) -> Array:
    """A table of scores whose means are taken."""
    return not_far_from_0(score_table(value, name), name, (0, 1))


def score_table(value: Any, name: str, each: str = "data set") -> Array:
    """Finite numbers: data sets (or records) along the first axis, classifiers along the second, at least two of each."""
    try:
        x = numbers(value, name)
    except ValueError:
        _say_which_line_and_column(value, name)
        raise
    if x.ndim < 2:
        raise ValueError(f"{name} must be a table, a line for each data set and a column for each classifier; got {in_short(value)}")
    if x.shape[0] < 2 or x.shape[1] < 2:
        raise ValueError(
            f"{name} must hold at least 2 data sets (lines) and 2 classifiers (columns); got "
            f"{x.shape[0]} and {x.shape[1]}: with fewer there is nothing to compare"
        )
    if type(value) is not np.ndarray:
        each_once(value, name, each)
    return x


def _say_which_line_and_column(value: Any, name: str) -> None:
    """Raise an error for the first missing number of a table, if it has one."""
    x = as_array(value, name).astype(float)
    missing = np.argwhere(~np.isfinite(x))
    if x.ndim < 2 or not len(missing):
        return
    place = tuple(int(k) for k in missing[0])
    labels: list[Any] = [getattr(value, axis, None) for axis in ("index", "columns")]
    line, column = (f"{k} ({names[k]})" if hasattr(names, "equals") else str(k) for k, names in zip(place[:2], labels))
    raise ValueError(
        f"{name} must hold finite numbers; got {x[place]} in row {line}, column {column} (counting from 0): "
        "drop that row or fill in what is missing first"
    )


def right_or_wrong(value: Any, name: str) -> Array:
    """A table of 1 (right) and 0 (wrong)."""
    x = score_table(value, name, each="record")
    if ((x != 0) & (x != 1)).any():
        raise ValueError(f"{name} must hold 1 where a classifier is right and 0 where it is wrong; got {x[(x != 0) & (x != 1)].flat[0]:g}")
    return x


def distinct_names(value: Any, count: int, name: str, each: str = "classifier") -> Any:
    """So many different names, as an array of text."""
    listed = [] if isinstance(value, str) or np.ndim(value) != 1 else [str(entry) for entry in value]
    if len(listed) != count:
        raise ValueError(f"{name} must be a list of {count} names, one for each {each}; got {first_few(listed) or in_short(value)}")
    if twice := next((entry for entry in listed if listed.count(entry) > 1), None):
        raise ValueError(
            f"{name} must be different names; got {in_short(twice)} more than once: rename a {'column' if each == 'classifier' else each}"
        )
    return np.array(listed)


def known(value: Any, among: Any, name: str) -> str:
    """One of the names."""
    if str(value) in among:
        return str(value)
    raise ValueError(f"{name} must be one of the labels {first_few(among)}; got {in_short(value)}")


def probabilities(value: Any, name: str) -> Array:
    """p-values along the first axis."""
    return np.asarray(probability(at_least(1)(value, name), name))


def probability(value: Any, name: str) -> Any:
    """A number between 0 and 1 (or one for each repetition)."""
    return within(0, 1)(value, name)


def within(least: float, most: float) -> Callable[[Any, str], Any]:
    """A number between two others, both included (or one for each repetition); what rounding adds in computing is no reason
    to refuse it.
    """
    slack = 1e-12 * (most - least)

    def check(value: Any, name: str) -> Any:
        x = some_numbers(value, name)
        outside = (x < least - slack) | (x > most + slack)
        if outside.any():
            where = tuple(int(k) for k in np.argwhere(outside)[0])
            raise ValueError(f"{name} must lie between {least:g} and {most:g}; got {x[where]:g}{at(where)}")
        return x[()]

    return check


share = within(0, 1)


def threshold(value: Any, name: str) -> Any:
    """Where a rejection region begins: a number, infinite where nothing rejects, or a pair of them."""
    if isinstance(value, Interval):
        return Interval(threshold(value.low, name), threshold(value.high, name))
    return _not_nan(value, name)[()]


def ends(value: Any, name: str) -> Interval:
    """Both ends of an interval, which may be infinite; the lower one first."""
    pair = value if isinstance(value, (Interval, tuple, list)) or np.ndim(value) else ()
    if len(pair) != 2:
        raise ValueError(f"{name} must be a pair, the lower end and the upper end; got {in_short(value)}")
    low, high = (_not_nan(end, name) for end in pair)
    if np.any(low > high):
        raise ValueError(f"{name} must be a pair, the lower end first; got {in_short(value)}")
    return Interval(low[()], high[()], *((value.open_low, value.open_high) if isinstance(value, Interval) else ()))


def decisions(value: Any, name: str) -> Any:
    """True or False, or one of them for each repetition or hypothesis."""
    x = as_array(value, name)
    if x.dtype.kind != "b":
        raise TypeError(f"{name} must be True or False; got {in_short(value)}")
    return x[()]


def distribution(value: Any, name: str) -> Any:
    """A null distribution: what tells the probabilities of both tails and the values that they belong to."""
    if not all(callable(getattr(value, asked, None)) for asked in ("at_most", "at_least", "low", "high")):
        raise TypeError(f"{name} must be a null distribution, such as fstats.distributions.continuous.StudentT(9); got {in_short(value)}")
    return value


def _not_nan(value: Any, name: str) -> Array:
    """Numbers, infinite ones among them."""
    x = as_array(value, name)
    if x.dtype.kind not in "biuf":
        raise TypeError(f"{name} must hold numbers; got {in_short(value)}")
    if np.isnan(x.astype(float)).any():
        raise ValueError(f"{name} must be a number, got nan: leave out what is not known")
    return x.astype(float)


def at_least(least: int) -> Callable[[Any, str], Array]:
    """A list of numbers along the first axis, not shorter than that."""

    def check(value: Any, name: str) -> Array:
        x = numbers(value, name)
        if x.ndim == 0 or len(x) < least:
            raise ValueError(f"{name} must be a list of at least {least} numbers; got {len(x) if x.ndim else 'a single number'}")
        return not_far_from_0(x, name, 0) if x.size else x

    return check


def counts(value: Any, name: str) -> Any:
    """Whole numbers not below 0, as floats."""
    if type(value) is int and 0 <= value <= MOST_COUNTED:
        return np.float64(value)
    x = some_numbers(value, name, largest=MOST_COUNTED)
    if (x < 0).any() or (x != np.floor(x)).any():
        wrong = x[(x < 0) | (x != np.floor(x))].flat[0]
        raise ValueError(f"{name} must be a count, a whole number not below 0; got {wrong:g}")
    return x[()]


@dataclass(frozen=True)
class Count:
    """The check of a whole number not below ``least``."""

    least: int

    def __call__(self, value: Any, name: str) -> Any:
        """A whole number (or one for each repetition), as float in an array."""
        x = counts(value, name)
        if np.any(x < self.least):
            raise ValueError(f"{name} must be at least {self.least}; got {in_short(value)}")
        return int(x) if np.ndim(x) == 0 else x


def count(least: int) -> Count:
    """A whole number not below ``least``."""
    return Count(least)


def is_count(check: Any) -> bool:
    """Whether a check takes whole numbers of things that are counted."""
    return isinstance(check, Count) or check is counts


def is_exact(check: Any) -> bool:
    """Whether a check takes values that nobody rounds: counts, and ranks."""
    return is_count(check) or check in (places, half_integers, rank_table)


def places(value: Any, name: str) -> Any:
    """Positions counted from 1."""
    return np.asarray(count(1)(value, name)).astype(int)


def number(value: Any, name: str) -> Any:
    """One finite number (or one for each repetition)."""
    return some_numbers(value, name)[()]


def positive(value: Any, name: str) -> Any:
    """A finite number above 0."""
    x = some_numbers(value, name)
    if (x <= 0).any():
        raise ValueError(f"{name} must be above 0; got {x[x <= 0].flat[0]:g}")
    return x[()]


def nonnegative(value: Any, name: str) -> Any:
    """A finite number not below 0."""
    x = some_numbers(value, name)
    if (x < 0).any():
        raise ValueError(f"{name} cannot be negative; got {x[x < 0].flat[0]:g}")
    return x[()]


def half_integers(value: Any, name: str) -> Any:
    """Ranks: whole or half numbers not below 0."""
    x = nonnegative(value, name)
    if np.any(2 * x != np.floor(2 * x)):
        raise ValueError(f"{name} must be whole or half numbers, as average ranks are; got {in_short(value)}")
    return x


def rank_table(value: Any, name: str) -> Any:
    """Ranks: data sets along the first axis, classifiers along the second."""
    return half_integers(score_table(value, name), name)


def one_of(*names: str) -> Callable[[Any, str], str]:
    """One of a few words."""

    def check(value: Any, name: str) -> str:
        if not isinstance(value, str) or value not in names:
            raise ValueError(f"{name} must be {' or '.join(map(repr, names))}; got {in_short(value)}")
        return value

    return check


def yes_or_no(value: Any, name: str) -> bool:
    """True or False."""
    if not isinstance(value, (bool, np.bool)):
        raise TypeError(f"{name} must be True or False; got {in_short(value)}")
    return bool(value)


def level(value: Any, name: str) -> float:
    """A probability strictly between 0 and 1."""
    if type(value) is float and 0 < value < 1:
        return value
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name} must be one number between 0 and 1, such as 0.05; got {in_short(value)}")
    if not 0 < float(value) < 1:
        raise ValueError(f"{name} must lie between 0 and 1 (and be neither), such as 0.05; got {in_short(value)}")
    return float(value)


def level_of_two(value: Any, name: str) -> float:
    """The level of a test of equivalence: its interval has the level 1 - 2 alpha, which must be above 0."""
    alpha = level(value, name)
    if alpha >= 0.5:
        raise ValueError(
            f"{name} must be below 0.5 for a test of equivalence, whose interval has the level 1 - 2 {name}; got {in_short(value)}"
        )
    return alpha


def stated(value: Any, name: str, check: Callable[[Any, str], Any] | None) -> Any:
    """A value of a step as a caller may state it: numbers and lists are checked, objects are taken as they are."""
    if isinstance(value, (list, tuple, range, np.ndarray)) and not hasattr(value, "_fields") and check is not ends:
        value = as_array(value, name)
    if check is not None:
        return check(value, name)
    if value is None or isinstance(value, str) or (isinstance(value, np.ndarray) and value.dtype.kind not in "biuf"):
        raise TypeError(f"{name} must hold numbers; got {in_short(value)}: leave out what is not known")
    if isinstance(value, (float, np.ndarray)) and np.any(value != value):
        raise ValueError(f"{name} must be a number, got nan: leave out what is not known")
    return value


def paired(first: str, second: str, raw: Mapping[str, Any], values: Mapping[str, Any]) -> None:
    """Two inputs that belong together, entry by entry."""
    a, b = values[first], values[second]
    if a.shape != b.shape:
        if np.ndim(a) == np.ndim(b) == 1:
            raise ValueError(
                f"{first} and {second} are paired: they need the same length, one entry for "
                f"each in the same order; got {len(a)} and {len(b)}"
            )
        hint = "".join(one_column(name, np.shape(values[name])) for name in (first, second) if 1 in (np.ndim(a), np.ndim(b)))
        raise ValueError(f"{first} and {second} are paired: they need the same shape; got {np.shape(a)} and {np.shape(b)}{hint}")
    if isinstance(raw[first], np.ndarray):
        return  # no labels
    for axis, what in (("index", "labels"), ("columns", "columns")):
        labels: list[Any] = [getattr(raw[name], axis, None) for name in (first, second)]
        if all(hasattr(index, "equals") for index in labels) and not labels[0].equals(labels[1]):
            raise ValueError(
                f"{first} and {second} are paired by position, but their {what} differ; got "
                f"{list(labels[0])[:5]} and {list(labels[1])[:5]}: "
                "put both in the same order first"
            )


def single(repetitions: tuple[int, ...], what: str, how: str, verb: str = "ask") -> None:
    """Refuse a batch where only one repetition has what is asked for, and say how to ask one; the places stand where ``how`` has {}."""
    if repetitions:
        first = how.format(", ".join("0" * len(repetitions)))
        raise ValueError(f"a batch of shape {repetitions} has no one {what}; {verb} one repetition, such as {first}")


def same_columns(first: Any, second: Any, names: tuple[str, str]) -> None:
    """Two frames whose columns are repetitions: the same ones in the same order."""
    one: Any = getattr(first, "columns", None)
    other: Any = getattr(second, "columns", None)
    if hasattr(one, "equals") and hasattr(other, "equals") and not one.equals(other):
        raise ValueError(
            f"{names[0]} and {names[1]} must have the same columns, one for each repetition; got {list(one)[:5]} and {list(other)[:5]}: "
            "put both in the same order first"
        )


def same_repetitions(test: Any, first: str, second: str) -> None:
    """Two independent samples: any lengths, but the same axes of repetitions."""
    shapes = [np.shape(test.__dict__[name])[1:] for name in (first, second) if name in test.__dict__]
    if len(set(shapes)) > 1:
        raise ValueError(f"{first} and {second} must have the same repetitions behind their first axis; got {shapes[0]} and {shapes[1]}")


def as_array(value: Any, name: str) -> Any:
    """A fresh array, whatever it holds."""
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        raise ValueError(f"{name} must not hold masked entries; got {in_short(value)}: leave those out on both sides first")
    try:
        return np.array(value, order="C")  # so that sums are added up alike, however the numbers lay in memory
    except ValueError:
        if hasattr(value, "__array__"):  # it has said itself what is wrong
            raise
        raise ValueError(f"{name} must be one list, all rows of the same length; got rows of different lengths") from None


def at(where: tuple[int, ...]) -> str:
    """The place of an entry in an error message."""
    return f" at position {where[0] if len(where) == 1 else where} (counting from 0)" if where else ""


def one_column(name: str, shape: tuple[int, ...]) -> str:
    """What to do about a list that stands as a column; empty where it does not."""
    hint = f': this is a table of one column; write {name}.ravel(), or take the column out of a DataFrame, df["target"] for df[["target"]]'
    return hint if len(shape) == 2 and shape[1] == 1 else ""


def first_few(listed: Sequence[str]) -> str:
    """The first few of several names, in an error message."""
    shown = ", ".join(name if len(name) <= 40 else name[:37] + "..." for name in listed[:8])
    return f"{shown}, ... ({len(listed)} of them)" if len(listed) > 8 else shown


def in_short(value: Any) -> str:
    """What was got, in an error message."""
    return cut(" ".join(repr(value).split()))
