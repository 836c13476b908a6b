"""Worked examples as Python values for JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..core.number_format import to_json_number
from ..core.value_types import Interval
from ..core.worked_example_row import Row


def rows_to_dict(rows: Iterable[Row]) -> dict[str, Any]:
    """Return the value of each row by its name: numbers, text, or lists (nested for batches, repetitions last).  Infinity becomes text.

    If a finite end of an interval does not belong to the interval, a further entry NAME_open says which end does not belong to it.
    """
    values = {}
    for row in rows:
        values[row.name] = _to_json(row.value)
        if isinstance(row.value, Interval) and row.value.has_an_open_end:
            values[f"{row.name}_open"] = [_to_json(row.value.open_low), _to_json(row.value.open_high)]
    return values


def _to_json(value: Any) -> Any:
    if isinstance(value, Interval):
        return [_to_json(value.low), _to_json(value.high)]
    if isinstance(value, np.ndarray) and value.dtype.kind == "O":  # the array holds names or pairs of names
        return [list(entry) if isinstance(entry, tuple) else str(entry) for entry in value]
    if isinstance(value, (np.ndarray, np.generic)):
        return _to_json(value.tolist())
    if isinstance(value, (tuple, list)):  # a list may hold, for example, the class labels of the records
        return [_to_json(entry) for entry in value]
    if isinstance(value, float):
        return to_json_number(value)
    return value if isinstance(value, (int, str, bool)) else str(value)
