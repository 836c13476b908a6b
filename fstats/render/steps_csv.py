"""Write the steps of tests as CSV."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from io import StringIO
from typing import Any


def steps_csv(tests: Sequence[Any]) -> str:
    """Return all steps of tests as CSV: test, step, index, value."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["test", "step", "index", "value"])
    for test in tests:
        for step, value in test.to_dict().items():
            writer.writerows([type(test).__name__, step, index, entry] for index, entry in _entries(value))
    return text.getvalue()


def _entries(value: Any, index: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the entries of a nested value with their indices."""
    parts = value.items() if isinstance(value, dict) else enumerate(value, 1) if isinstance(value, (list, tuple)) else None
    if parts is None:
        yield index, value
    else:
        for key, part in parts:
            yield from _entries(part, f"{index} {key}".strip())
