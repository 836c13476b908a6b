"""Worked rows as plain Python values, fit for JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..core.number_format import in_json
from ..core.value_types import Interval
from ..core.worked_example_row import Row


def as_dict(rows: Iterable[Row]) -> dict[str, Any]:
    """Each row's value by name: numbers, lists (batches nested, repetitions last), text; an infinite number as text.

    Behind an interval that has a finite end that does not belong to it stands which end that is.
    """
    found = {}
    for row in rows:
        found[row.name] = _plain(row.value)
        if isinstance(row.value, Interval) and row.value.has_an_open_end:
            found[f"{row.name}_open"] = [_plain(row.value.open_low), _plain(row.value.open_high)]
    return found


def _plain(value: Any) -> Any:
    if isinstance(value, Interval):
        return [_plain(value.low), _plain(value.high)]
    if isinstance(value, np.ndarray) and value.dtype.kind == "O":  # pairs of names
        return [list(entry) if isinstance(entry, tuple) else str(entry) for entry in value]
    if isinstance(value, (np.ndarray, np.generic)):
        return _fit(value.tolist(), bool(value.dtype.kind == "f" and not np.isfinite(value).all()))
    if isinstance(value, (tuple, list)):  # the classes of the records, say
        return [_plain(entry) for entry in value]
    if isinstance(value, float):
        return in_json(value)
    return value if isinstance(value, (int, str, bool)) else str(value)


def _fit(value: Any, search: bool) -> Any:
    """A number, or nested lists of them; those that are infinite as text."""
    if not search:
        return value
    return [_fit(entry, search) for entry in value] if isinstance(value, list) else in_json(value)
