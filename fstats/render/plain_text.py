"""Worked rows as plain text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..core.procedure import Procedure
from ..core.worked_example_row import Row
from .row_layout import SHOWN, blocks, cell, flat, head, heads, value
from .text_layout import beside, fill, in_columns, room


def title(test: Procedure) -> tuple[str, str]:
    """The name of the test and the question that it answers."""
    first = " ".join((type(test).__doc__ or "").split("\n\n")[0].split())
    return type(test).__name__, first.partition(": ")[2] or first


def as_text(test: Procedure) -> str:
    """The worked example, as wide as the terminal that shows it, or as a page."""
    name, question = title(test)
    return f"{fill(f'{name}: {question}', room())}\n\n{of_rows(test.worked())}"


def of_rows(rows: Iterable[Row]) -> str:
    """The rows without a heading."""
    width = room()
    parts = []
    for block in blocks(rows):
        if block.kind == "settings":
            parts.append(fill("; ".join(f"{row.name} = {value(row)}" for row in block.rows), width, "  ", ""))
        elif block.kind == "columns":
            parts.append(columns(block.rows, width))
        elif block.kind == "table":
            parts.append(fill(f"{block.rows[0].name}: {block.rows[0].sentence}", width, "  ", "") + "\n" + table(block.rows[0], width))
        elif block.kind == "conclusion":
            parts.append(fill(value(block.rows[0]), width))
        else:
            longest = max(len(row.name) for row in block.rows)
            named = [_named(row, value(row), longest) for row in block.rows]
            parts.append(beside(named, [row.sentence for row in block.rows], width))
    return "\n\n".join(parts)


def _named(row: Row, text: str, width: int) -> str:
    """A value with its name before it: ``pvalue = 0.7267``, ``pvalue < 1e-300``."""
    return f"  {row.name:>{width}} {text}" if row.chance and text.startswith("<") else f"  {row.name:>{width}} = {text}"


def columns(rows: Sequence[Row], width: int) -> str:
    """Columns over one index, named or numbered from 1."""
    title, names = heads(rows[0], 0)
    entries = zip(*(row.value for row in rows), strict=True)
    lines = [[name, *(cell(row, x) for row, x in zip(rows, line, strict=True))] for name, line in zip(names[:SHOWN], entries)]
    return in_columns([[title, *(head(row) for row in rows)], *lines], width=width) + _more(len(names))


def table(row: Row, width: int) -> str:
    """A table, its lines and columns named or numbered from 1."""
    row = flat(row)
    (title, lines), (_, across) = heads(row, 0), heads(row, 1)
    cells = [[name, *(cell(row, x) for x in line)] for name, line in zip(lines[:SHOWN], row.value)]
    return in_columns([[title, *across], *cells], width=width) + _more(len(lines))


def _more(lines: int) -> str:
    return f"\n  ... and {lines - SHOWN} more" if lines > SHOWN else ""
