"""Worked rows as plain Python values."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..null import Interval
from ..row import Row


def as_dict(rows: Iterable[Row]) -> dict[str, Any]:
    """Each row's value by name: numbers, lists (batches nested, repetitions last), text."""
    return {row.name: _plain(row.value) for row in rows}


def _plain(value: Any) -> Any:
    if isinstance(value, Interval):
        return [_plain(value.low), _plain(value.high)]
    if isinstance(value, np.ndarray) and value.dtype.kind == "O":  # pairs of names
        return [list(entry) if isinstance(entry, tuple) else str(entry) for entry in value]
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    return value if isinstance(value, (int, float, str, bool)) else str(value)
