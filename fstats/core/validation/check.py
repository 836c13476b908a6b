"""Input checks for numbers, scores, counts and probabilities.

A check takes a value and the name of the argument.  The check returns a copy of the value, or raises an error that says the rule, the
received value and the remedy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from numbers import Real
from typing import Any

import numpy as np

from ..number_format import truncate_text
from ..numerics.floating_point_ties import MAX_EXACT_INTEGER, min_float_bytes, to_double
from ..value_types import Array
from .integer_precision import check_integer_range, check_mean_precision
from .pandas_labels import check_unique_labels

DOUBLE = np.dtype(np.float64)
MAX_COUNT = 2.0**53  # floats cannot represent all whole numbers above this limit
MAX_MAGNITUDE = 1e300  # larger numbers are refused, because their sums could overflow
NO_DEFAULT: Any = ...  # default of required inputs; their checks report that the input is missing


def numbers(value: Any, name: str, largest: float = MAX_EXACT_INTEGER) -> Array:
    """Return finite numbers of any shape as a new array of floats; integers may not exceed `largest` in absolute value."""
    received = x = value.copy() if type(value) is np.ndarray and value.dtype is DOUBLE else as_array(value, name)
    if x.dtype != np.float64:
        if x.dtype.kind not in "biuf":
            check_integer_range(largest, value, x, name)
        if x.dtype.kind == "O" and not any(isinstance(entry, str) for entry in x.flat):
            with suppress(TypeError, ValueError, OverflowError):
                x = x.astype(float)
        if x.dtype.kind not in "biuf":
            if isinstance(value, Mapping) and value:
                names = format_first_names(list(map(str, value)))
                raise TypeError(
                    f"`{name}` must hold numbers; got a dictionary of {names}. Pass one value, such as value[{next(iter(value))!r}]."
                )
            remedy = f"Convert `{name}` to numbers, or leave out each missing entry and its paired entry."
            if isinstance(value, str) and value.strip("+-.e0123456789") == "" != value:
                remedy = f"Write {name}={value}, without quotes."
            elif isinstance(value, str):
                remedy = "To read a file, write fstats.apply_test(TEST, 'scores.csv') or fstats.Results.from_csv('scores.csv')."
            raise TypeError(f"`{name}` must hold numbers; got {format_received_value(value)}. {remedy}")
        x = to_double(x)
    elif type(value) is not np.ndarray and (short := min_float_bytes(value)) < 8:
        x = to_double(x, short)
    if np.vdot(x, x) < largest**2:
        return x  # fast path: all numbers are finite and at most `largest`, because their sum of squares is small
    if type(value) is not np.ndarray or received.dtype.kind in "iu":
        check_integer_range(largest, value, received, name)
    if len(outside := np.argwhere(~(np.abs(x) <= MAX_MAGNITUDE))):
        where = tuple(int(k) for k in outside[0])
        got = f"{x[where]:g}{format_index(where)}"
        if np.isfinite(x[where]):
            raise ValueError(
                f"`{name}` must be within ±{MAX_MAGNITUDE:g}, so that sums are finite; got {got}. Use another unit for all scores."
            )
        raise ValueError(
            f"`{name}` must hold finite numbers; got "
            f"{got}{'. Fill in the number, or leave out the entry and its paired entry.' * bool(where)}"
        )
    return x


def nonempty_numbers(value: Any, name: str, largest: float = MAX_EXACT_INTEGER) -> Array:
    """Return a finite number, or a non-empty array of finite numbers."""
    x = numbers(value, name, largest)
    if not x.size:
        raise ValueError(f"`{name}` must hold at least one number; got none")
    return x


def scores(value: Any, name: str) -> Array:
    """Return scores of at least two data sets, one score for each data set along the first axis."""
    x = numbers(value, name)
    if x.ndim == 0:
        raise ValueError(f"`{name}` must be a list of scores, one for each data set; got the single number {format_received_value(value)}")
    if len(x) < 2:
        raise ValueError(f"`{name}` must hold the scores of at least 2 data sets; got {len(x)}")
    if type(value) is not np.ndarray:
        check_unique_labels(value, name)
    return x


def scores_for_mean(value: Any, name: str) -> Array:
    """Return scores that are precise enough to compute their mean."""
    return check_mean_precision(scores(value, name), name, 0)


def probabilities(value: Any, name: str) -> Array:
    """Return an array of p-values, with the hypotheses along the first axis."""
    return np.asarray(probability(numbers_of_min_length(1)(value, name), name))


def probability(value: Any, name: str) -> Any:
    """Return a number between 0 and 1 (or one for each repetition)."""
    return number_between(0, 1)(value, name)


def number_between(least: float, most: float) -> Callable[[Any, str], Any]:
    """Return a check for a number between two bounds, both included, or for an array of such numbers.

    Values that exceed a bound by a rounding error are allowed.
    """
    slack = 1e-12 * (most - least)

    def check(value: Any, name: str) -> Any:
        x = nonempty_numbers(value, name)
        outside = (x < least - slack) | (x > most + slack)
        if outside.any():
            where = tuple(int(k) for k in np.argwhere(outside)[0])
            raise ValueError(f"`{name}` must be between {least:g} and {most:g}; got {x[where]:g}{format_index(where)}")
        return x[()]

    return check


proportion = number_between(0, 1)


def numbers_of_min_length(least: int) -> Callable[[Any, str], Array]:
    """Return a check for a list with at least a given number of numbers along the first axis."""

    def check(value: Any, name: str) -> Array:
        x = numbers(value, name)
        if x.ndim == 0 or len(x) < least:
            raise ValueError(f"`{name}` must be a list of at least {least} numbers; got {len(x) if x.ndim else 'a single number'}")
        return check_mean_precision(x, name, 0) if x.size else x

    return check


def counts(value: Any, name: str) -> Any:
    """Return whole numbers not below 0, as floats."""
    x = nonempty_numbers(value, name, largest=MAX_COUNT)
    if np.count_nonzero(wrong := x != np.floor(np.abs(x))):
        raise ValueError(f"`{name}` must be a count (0, 1, 2, ...); got {x[wrong].flat[0]:g}")
    return x[()]


@dataclass(frozen=True)
class Count:
    """Check of a whole number from ``least`` to ``most``; ``why`` is the reason for the upper bound."""

    least: int
    most: float = inf
    why: str = ""

    def __call__(self, value: Any, name: str) -> Any:
        """Return a whole number, or an array of whole numbers (as floats) with one entry for each repetition."""
        x = counts(value, name)
        if np.count_nonzero(x < self.least):
            raise ValueError(f"`{name}` must be at least {self.least}; got {format_received_value(value)}")
        if np.count_nonzero(x > self.most):
            raise ValueError(f"`{name}` must be at most {self.most}, {self.why}; got {format_received_value(value)}")
        return int(x) if np.ndim(x) == 0 else x


def count(least: int, most: float = inf, why: str = "") -> Count:
    """Return a check for a whole number from ``least`` to ``most``; ``why`` is the reason for the upper bound in the error."""
    return Count(least, most, why)


def is_count_check(check: Any) -> bool:
    """Return whether a check takes counts."""
    return isinstance(check, Count) or check is counts


def positions(value: Any, name: str) -> Any:
    """Return positions: whole numbers of at least 1."""
    return np.asarray(count(1)(value, name)).astype(int)


def number(value: Any, name: str) -> Any:
    """Return a finite number (or one for each repetition)."""
    return nonempty_numbers(value, name)[()]


def positive(value: Any, name: str) -> Any:
    """Return a finite number above 0."""
    x = nonempty_numbers(value, name)
    if (x <= 0).any():
        raise ValueError(f"`{name}` must be above 0; got {x[x <= 0].flat[0]:g}")
    return x[()]


def nonnegative(value: Any, name: str) -> Any:
    """Return a finite number not below 0."""
    x = nonempty_numbers(value, name)
    if (x < 0).any():
        raise ValueError(f"`{name}` cannot be negative; got {x[x < 0].flat[0]:g}")
    return x[()]


def single_number(rule: Callable[[Any, str], Any], what: str = "") -> Callable[[Any, str], Any]:
    """Return a check for a single finite number (no array) that follows a rule; ``what`` continues the error message.

    >>> single_number(positive, ", a width")([1, 2], "rope")
    Traceback (most recent call last):
    ...
    ValueError: `rope` must be one number, a width; got an array of shape (2,)
    """

    def check(value: Any, name: str) -> Any:
        rule_text = f"one {'count' if is_count_check(rule) else 'number'}{what}"
        if np.ndim(value):
            raise ValueError(f"`{name}` must be {rule_text}; got an array of shape {np.shape(value)}")
        if isinstance(value, (bool, np.bool)) or np.asarray(value).dtype.kind not in "iuf":
            raise TypeError(f"`{name}` must be {rule_text}; got {format_received_value(value)}")
        if not np.isfinite(value):
            raise ValueError(f"`{name}` must be {rule_text}, and finite; got {value}")
        checked = rule(value, name)
        return checked if isinstance(checked, int) else float(checked)

    return check


def half_integers(value: Any, name: str) -> Any:
    """Return ranks: whole or half numbers not below 0."""
    x = nonnegative(value, name)
    if np.any(2 * x != np.floor(2 * x)):
        raise ValueError(f"`{name}` must hold ranks, which are multiples of 0.5, such as 2 or 2.5; got {format_received_value(value)}")
    return x


def choice(*names: str) -> Callable[[Any, str], str]:
    """Return a check for a word that must be one of these names."""

    def check(value: Any, name: str) -> str:
        if not isinstance(value, str) or value not in names:
            raise ValueError(f"`{name}` must be {' or '.join(map(repr, names))}; got {format_received_value(value)}")
        return value

    return check


def boolean(value: Any, name: str) -> bool:
    """Return True or False."""
    if not isinstance(value, (bool, np.bool)):
        raise TypeError(f"`{name}` must be True or False; got {format_received_value(value)}")
    return bool(value)


def level(value: Any, name: str) -> float:
    """Return a probability strictly between 0 and 1; alpha, the level of a test, must not exceed one half."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"`{name}` must be one number between 0 and 1, such as 0.05; got {format_received_value(value)}")
    if not 0 < float(value) < 1:
        raise ValueError(f"`{name}` must be between 0 and 1 (both excluded), such as 0.05; got {format_received_value(value)}")
    if name == "alpha" and float(value) > 0.5:
        got, remedy = format_received_value(value), f"alpha={1 - float(value):.4g} for {100 * float(value):.6g} % confidence"
        raise ValueError(
            f"`alpha` must be at most 0.5, because it is a probability of error, not a confidence level; got {got}. Write {remedy}."
        )
    return float(value)


def equivalence_level(value: Any, name: str) -> float:
    """Return the level of an equivalence test, below 0.5, because its interval has the confidence level 1 - 2 alpha."""
    if isinstance(value, Real) and 0.5 <= float(value) < 1:
        raise ValueError(
            f"`{name}` must be below 0.5 for an equivalence test, because its confidence interval has level 1 - 2 * {name}; got "
            f"{format_received_value(value)}"
        )
    return level(value, name)


def check_single_repetition(repetitions: tuple[int, ...], what: str, how: str) -> None:
    """Raise ValueError for a batch if only a single repetition has the requested value; the message says how to choose a repetition.

    The braces in ``how`` are replaced by the indices of the first repetition.
    """
    if repetitions:
        first = how.format(", ".join("0" * len(repetitions)))
        raise ValueError(f"a batch of shape {repetitions} has no single {what}. Choose one repetition, such as {first}.")


def as_array(value: Any, name: str) -> Any:
    """Return a new array of any data type."""
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        raise ValueError(
            f"`{name}` must not hold masked entries; got {value.mask.sum()} masked of {value.size}. Leave out the masked entries and "
            "their paired entries."
        )
    try:
        return np.array(value, order="C")  # always the same memory order, because the rounding of sums depends on it
    except ValueError:
        if hasattr(value, "__array__"):  # the object raised the error itself, so its message explains the problem
            raise
        raise ValueError(f"the rows of `{name}` must have the same length; got rows of different lengths") from None


def format_index(where: tuple[int, ...]) -> str:
    """Write the position of an entry for an error message."""
    return f" at position {where[0] if len(where) == 1 else where} (counting from 0)" if where else ""


def column_shape_hint(name: str, shape: tuple[int, ...]) -> str:
    """Return a hint for an array that is a table of one column; empty for arrays of other shapes."""
    hint = f'. This table has one column. Write {name}.ravel(), or select the column of a DataFrame with df["target"], not df[["target"]].'
    return hint if len(shape) == 2 and shape[1] == 1 else ""


def format_first_names(listed: Sequence[str]) -> str:
    """List the first eight names for an error message."""
    shown = ", ".join(truncate_text(name, 40) for name in listed[:8])
    return f"{shown}, ... ({len(listed)} of them)" if len(listed) > 8 else shown


def format_received_value(value: Any) -> str:
    """Write a received value in a short form for an error message."""
    if np.ndim(shape := getattr(value, "shape", ())) and len(shape):
        return f"an array of shape {tuple(shape)}" if isinstance(value, np.ndarray) else f"a {type(value).__name__} of shape {tuple(shape)}"
    named = f"{type(value).__name__}(...)" if hasattr(value, "worked") and not isinstance(value, type) else ""
    return named or truncate_text(" ".join(repr(value.item() if isinstance(value, np.generic) else value).split()))
