"""Worked rows as plain text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..procedure import Procedure
from ..row import Row
from ..table import in_columns
from .layout import SHOWN, blocks, cell, flat, head, heads, value


def title(test: Procedure) -> tuple[str, str]:
    """The name of the test and the question that it answers."""
    first = " ".join((type(test).__doc__ or "").split("\n\n")[0].split())
    return type(test).__name__, first.partition(": ")[2] or first


def as_text(test: Procedure) -> str:
    """The worked example for a terminal."""
    name, question = title(test)
    return f"{name}: {question}\n\n{of_rows(test.worked())}"


def of_rows(rows: Iterable[Row]) -> str:
    """The rows without a heading."""
    parts = []
    for block in blocks(rows):
        if block.kind == "settings":
            parts.append("; ".join(f"{row.name} = {value(row)}" for row in block.rows))
        elif block.kind == "columns":
            parts.append(columns(block.rows))
        elif block.kind == "table":
            parts.append(f"{block.rows[0].name}: {block.rows[0].sentence}\n" + table(block.rows[0]))
        elif block.kind == "conclusion":
            parts.append(value(block.rows[0]))
        else:
            width = max(len(row.name) for row in block.rows)
            shown = [value(row) for row in block.rows]
            room = min(40, max(map(len, shown)))
            parts.append(
                "\n".join(f"{_named(row, text, width):<{width + 5 + room}}  {row.sentence}" for row, text in zip(block.rows, shown))
            )
    return "\n\n".join(parts)


def _named(row: Row, text: str, width: int) -> str:
    """A value with its name before it: ``pvalue = 0.7267``, ``pvalue < 1e-300``."""
    return f"  {row.name:>{width}} {text}" if row.chance and text.startswith("<") else f"  {row.name:>{width}} = {text}"


def columns(rows: Sequence[Row]) -> str:
    """Columns over one index, named or numbered from 1."""
    title, names = heads(rows[0], 0)
    entries = zip(*(row.value for row in rows), strict=True)
    lines = [[name, *(cell(row, x) for row, x in zip(rows, line, strict=True))] for name, line in zip(names[:SHOWN], entries)]
    return in_columns([[title, *(head(row) for row in rows)], *lines]) + _more(len(names))


def table(row: Row) -> str:
    """A table, its lines and columns named or numbered from 1."""
    row = flat(row)
    (title, lines), (_, across) = heads(row, 0), heads(row, 1)
    cells = [[name, *(cell(row, x) for x in line)] for name, line in zip(lines[:SHOWN], row.value)]
    return in_columns([[title, *across], *cells]) + _more(len(lines))


def _more(lines: int) -> str:
    return f"\n  ... and {lines - SHOWN} more" if lines > SHOWN else ""
