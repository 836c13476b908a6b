"""Input checks for tables of scores.

A table has a row for each data set and a column for each classifier, whose names are checked, too.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..value_types import Array
from .check import as_array, format_first_names, format_received_value, half_integers, numbers
from .integer_precision import check_mean_precision
from .pandas_labels import check_unique_labels, column_names


def score_table(value: Any, name: str, each: str = "data set") -> Array:
    """Return a table of finite numbers: at least two data sets (or records) as rows, at least two classifiers as columns."""
    try:
        x = numbers(value, name)
    except ValueError:
        _raise_for_missing_cell(value, name)
        raise
    except TypeError:
        if (heads := column_names(value)) is None:
            raise
        raise TypeError(
            f"`{name}` must hold only numbers; got text in some of the columns {format_first_names([str(head) for head in heads])}. Write "
            f"`fstats.Results({name})`, which finds the columns of data sets and classifiers."
        ) from None
    if x.ndim < 2:
        raise ValueError(
            f"`{name}` must be a table with a row for each data set and a column for each classifier; got "
            f"{format_received_value(value)}. Pass a list for each classifier, or a table."
        )
    if x.shape[0] < 2 or x.shape[1] < 2:
        raise ValueError(
            f"`{name}` must hold at least 2 data sets (rows) and 2 classifiers (columns); got the shape {x.shape[0]} x {x.shape[1]}"
        )
    if type(value) is not np.ndarray:
        check_unique_labels(value, name, each)
    return x


def _raise_for_missing_cell(value: Any, name: str) -> None:
    """Raise ValueError for the first missing number of a table, if a number is missing."""
    x = as_array(value, name).astype(float)
    missing = np.argwhere(~np.isfinite(x))
    if x.ndim < 2 or not len(missing):
        return
    place = tuple(int(k) for k in missing[0])
    labels: list[Any] = [getattr(value, axis, None) for axis in ("index", "columns")]
    line, column = (f"{k} ({names[k]})" if hasattr(names, "equals") else str(k) for k, names in zip(place[:2], labels))
    raise ValueError(
        f"`{name}` must hold finite numbers; got {x[place]} in row {line}, column {column} (counting from 0). Fill in the number, or "
        "leave out the row."
    )


def score_table_for_means(value: Any, name: str) -> Array:
    """Return a table of scores that are precise enough to compute means."""
    return check_mean_precision(score_table(value, name), name, (0, 1))


def binary_table(value: Any, name: str) -> Array:
    """Return a table of 1 (right) and 0 (wrong)."""
    return _require_binary(score_table(value, name, each="record"), name)


def zeros_and_ones(value: Any, name: str) -> Array:
    """Return 1 (right) or 0 (wrong) of each record, along the first axis."""
    x = numbers(value, name)
    if not x.ndim or not len(x):
        raise ValueError(f"`{name}` must be a list of 1 (right) and 0 (wrong), one for each record; got {format_received_value(value)}")
    return _require_binary(x, name)


def _require_binary(x: Array, name: str) -> Array:
    """Raise ValueError unless all numbers are 0 or 1."""
    if ((x != 0) & (x != 1)).any():
        raise ValueError(
            f"`{name}` must hold 1 where a classifier is right and 0 where it is wrong; got {x[(x != 0) & (x != 1)].flat[0]:g}"
        )
    return x


def rank_table(value: Any, name: str) -> Any:
    """Return a table of ranks: data sets along the first axis, classifiers along the second."""
    return half_integers(score_table(value, name), name)


def distinct_names(value: Any, count: int, name: str, each: str = "classifier") -> Any:
    """Return an array of different names; the number of names is given."""
    listed = [] if isinstance(value, str) or np.ndim(value) != 1 else [str(entry) for entry in value]
    if len(listed) != count:
        raise ValueError(
            f"`{name}` must be a list of {count} names, one for each {each}; got "
            f"{format_first_names(listed) or format_received_value(value)}"
        )
    if repeated := next((entry for entry in listed if listed.count(entry) > 1), None):
        what = "column" if each == "classifier" else each
        raise ValueError(f"`{name}` must hold different names; got {format_received_value(repeated)} more than once. Rename a {what}.")
    return np.array(listed)


def known_name(value: Any, among: Any, name: str) -> str:
    """Return a name as text if it is one of the known names."""
    if str(value) in among:
        return str(value)
    raise ValueError(f"`{name}` must be one of the labels {format_first_names(among)}; got {format_received_value(value)}")
