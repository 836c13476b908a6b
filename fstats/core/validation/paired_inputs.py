"""The checks of inputs that belong together: paired entry by entry, or at least with the same repetitions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .check import column_shape_hint


def check_paired(first: str, second: str, raw: Mapping[str, Any], values: Mapping[str, Any]) -> None:
    """Two inputs that belong together, entry by entry."""
    a, b = values[first], values[second]
    if a.shape != b.shape:
        if np.ndim(a) == np.ndim(b) == 1:
            raise ValueError(
                f"{first} and {second} are paired: they need the same length, one entry for "
                f"each in the same order; got {len(a)} and {len(b)}"
            )
        hint = "".join(column_shape_hint(name, np.shape(values[name])) for name in (first, second) if 1 in (np.ndim(a), np.ndim(b)))
        raise ValueError(f"{first} and {second} are paired: they need the same shape; got {np.shape(a)} and {np.shape(b)}{hint}")
    if isinstance(raw[first], np.ndarray):
        return  # no labels
    for axis, what in (("index", "labels"), ("columns", "columns")):
        labels: list[Any] = [getattr(raw[name], axis, None) for name in (first, second)]
        if all(hasattr(index, "equals") for index in labels) and not labels[0].equals(labels[1]):
            raise ValueError(
                f"{first} and {second} are paired by position, but their {what} differ; got {list(labels[0])[:5]} and "
                f"{list(labels[1])[:5]}: put both in the same order first"
            )


def check_same_columns(first: Any, second: Any, names: tuple[str, str]) -> None:
    """Two frames whose columns are repetitions: the same ones in the same order."""
    one: Any = getattr(first, "columns", None)
    other: Any = getattr(second, "columns", None)
    if hasattr(one, "equals") and hasattr(other, "equals") and not one.equals(other):
        raise ValueError(
            f"{names[0]} and {names[1]} must have the same columns, one for each repetition; got {list(one)[:5]} and {list(other)[:5]}: "
            "put both in the same order first"
        )


def check_same_repetitions(test: Any, first: str, second: str) -> None:
    """Two independent samples: any lengths, but the same axes of repetitions."""
    shapes = [np.shape(test.__dict__[name])[1:] for name in (first, second) if name in test.__dict__]
    if len(set(shapes)) > 1:
        raise ValueError(f"{first} and {second} must have the same repetitions behind their first axis; got {shapes[0]} and {shapes[1]}")


def check_same_splits(first: Any, second: Any) -> None:
    """Two results of scikit-learn's cross_validate that hold the indices of their splits: the same ones, or nothing is paired."""
    one, other = (of.get("indices") if isinstance(of, Mapping) else None for of in (first, second))
    if one is None or other is None:
        return
    for part in ("train", "test"):
        if len(one[part]) != len(other[part]) or not all(map(np.array_equal, one[part], other[part])):
            raise ValueError(
                "both models must be scored on the same splits; got different ones: hand the same splitter, with a random_state, to both"
            )
