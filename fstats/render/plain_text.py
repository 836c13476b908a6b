"""Worked examples as plain text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..core.procedure import Procedure
from ..core.worked_example_row import Row
from .row_layout import MAX_LINES, axis_labels, column_head, flatten_table, format_cell, format_value, group_rows
from .text_layout import align_columns, terminal_width, values_with_sentences, wrap_text


def name_and_question(test: Procedure) -> tuple[str, str]:
    """Return the name of the test and the question that it answers, with the origin of a test that is not published."""
    first = " ".join((type(test).__doc__ or "").split("\n\n")[0].split())
    return type(test).__name__, (first.partition(": ")[2] or first) + test.origin().label


def render_text(test: Procedure) -> str:
    """Return the worked example as text, as wide as the terminal, or as wide as a page if no terminal displays the text."""
    name, question = name_and_question(test)
    return f"{wrap_text(f'{name}: {question}', terminal_width())}\n\n{render_rows(test.worked())}"


def render_rows(rows: Iterable[Row]) -> str:
    """Return the rows as text, without a heading."""
    width = terminal_width()
    parts = []
    for block in group_rows(rows):
        if block.kind == "settings":
            parts.append(wrap_text("; ".join(f"{row.name} = {format_value(row)}" for row in block.rows), width, "  ", ""))
        elif block.kind == "columns":
            parts.append(columns_text(block.rows, width))
        elif block.kind == "table":
            parts.append(
                wrap_text(f"{block.rows[0].name}: {block.rows[0].sentence}", width, "  ", "") + "\n" + table_text(block.rows[0], width)
            )
        elif block.kind == "conclusion":
            parts.append(wrap_text(format_value(block.rows[0]), width))
        else:
            longest = max(len(row.name) for row in block.rows)
            named = [_name_and_value(row, format_value(row), longest) for row in block.rows]
            parts.append(values_with_sentences(named, [row.sentence for row in block.rows], width))
    return "\n\n".join(parts)


def _name_and_value(row: Row, text: str, width: int) -> str:
    """Return the name of a row and its value, such as ``pvalue = 0.7267`` or ``pvalue < 1e-300``."""
    return f"  {row.name:>{width}} {text}" if row.chance and text[:1] in ("<", ">") else f"  {row.name:>{width}} = {text}"


def columns_text(rows: Sequence[Row], width: int) -> str:
    """Return columns that share one index; the entries of the index are named or numbered from 1."""
    title, names = axis_labels(rows[0], 0)
    entries = zip(*(row.value for row in rows), strict=True)
    lines = [[name, *(format_cell(row, x) for row, x in zip(rows, line, strict=True))] for name, line in zip(names[:MAX_LINES], entries)]
    return align_columns([[title, *(column_head(row) for row in rows)], *lines], width=width) + _omitted_rows_note(len(names))


def table_text(row: Row, width: int) -> str:
    """Return a table whose rows and columns are named or numbered from 1."""
    row = flatten_table(row)
    (title, lines), (_, across) = axis_labels(row, 0), axis_labels(row, 1)
    cells = [[name, *(format_cell(row, x) for x in line)] for name, line in zip(lines[:MAX_LINES], row.value)]
    return align_columns([[title, *across], *cells], width=width) + _omitted_rows_note(len(lines))


def _omitted_rows_note(lines: int) -> str:
    return f"\n  ... and {lines - MAX_LINES} more" if lines > MAX_LINES else ""
