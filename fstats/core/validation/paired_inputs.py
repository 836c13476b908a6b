"""Input checks for paired data.

Two inputs need paired entries, and equal repetitions, columns or splits.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .check import column_shape_hint


def check_paired(first: str, second: str, raw: Mapping[str, Any], values: Mapping[str, Any]) -> None:
    """Raise ValueError unless two inputs are paired: the same shape, and the same labels if they have labels."""
    a, b = values[first], values[second]
    if a.shape != b.shape:
        if np.ndim(a) == np.ndim(b) == 1:
            raise ValueError(
                f"`{first}` and `{second}` must have the same length, because their entries are paired in the same order; got the lengths "
                f"{len(a)} and {len(b)}"
            )
        hint = "".join(column_shape_hint(name, np.shape(values[name])) for name in (first, second) if 1 in (np.ndim(a), np.ndim(b)))
        raise ValueError(
            f"`{first}` and `{second}` must have the same shape, because their entries are paired; got the shapes {np.shape(a)} and "
            f"{np.shape(b)}{hint}"
        )
    if isinstance(raw[first], np.ndarray):
        return  # a NumPy array has no labels that could differ
    for axis, what in (("index", "labels"), ("columns", "columns")):
        labels: list[Any] = [getattr(raw[name], axis, None) for name in (first, second)]
        if all(hasattr(index, "equals") for index in labels) and not labels[0].equals(labels[1]):
            raise ValueError(
                f"`{first}` and `{second}` must have equal {what}, because they are paired by position; got {list(labels[0])[:5]} and "
                f"{list(labels[1])[:5]}. Put both in the same order."
            )


def check_same_columns(first: Any, second: Any, names: tuple[str, str]) -> None:
    """Raise ValueError if two data frames, whose columns are repetitions, do not have the same columns in the same order."""
    columns: Any = getattr(first, "columns", None)
    other: Any = getattr(second, "columns", None)
    if hasattr(columns, "equals") and hasattr(other, "equals") and not columns.equals(other):
        raise ValueError(
            f"`{names[0]}` and `{names[1]}` must have the same columns in the same order; got {list(columns)[:5]} and {list(other)[:5]}"
        )


def check_same_repetitions(test: Any, first: str, second: str) -> None:
    """Raise ValueError if two independent samples, of any lengths, do not have the same axes of repetitions."""
    shapes = [test.__dict__[name].shape[1:] for name in (first, second) if name in test.__dict__]
    if len(set(shapes)) > 1:
        raise ValueError(
            f"`{first}` and `{second}` must have the same shape after the first axis (repetitions); got the shapes {shapes[0]} and "
            f"{shapes[1]}"
        )


def check_same_splits(first: Any, second: Any) -> None:
    """Raise ValueError if two results of scikit-learn's cross_validate hold the indices of different splits."""
    indices, other = (result.get("indices") if isinstance(result, Mapping) else None for result in (first, second))
    if indices is None or other is None:
        return
    for part in ("train", "test"):
        if len(indices[part]) != len(other[part]) or not all(map(np.array_equal, indices[part], other[part])):
            raise ValueError(
                "both models must be scored on the same splits; got different splits. Pass the same splitter with a random_state to both "
                "calls of cross_validate."
            )
