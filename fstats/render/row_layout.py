"""Layout of worked examples for text, HTML and LaTeX: groups of rows, columns, tables and the conclusion."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Literal

import numpy as np

from ..core.number_format import format_plain, format_probability, format_range
from ..core.value_types import Interval
from ..core.worked_example_row import IndexHeader, Row

BlockKind = Literal["settings", "columns", "table", "lines", "conclusion"]
MAX_LINES = 20  # maximum number of entries of a column, or of rows of a table, that are displayed


@dataclass(frozen=True)
class Block:
    """Rows that are displayed together: steps with the same index are the columns of one table (d_i and R_i; Holm's procedure)."""

    kind: BlockKind
    rows: tuple[Row, ...]


def group_rows(rows: Iterable[Row]) -> list[Block]:
    """Group rows in the order of their first appearance; columns over the same index form one group."""
    rows = list(rows)
    before_columns = {names.title for row in rows if row.is_column or row.is_table for names in row.heads[:1] if names and not row.is_names}
    result: list[tuple[BlockKind, str, list[Row]]] = []

    def gather(kind: BlockKind, row: Row, over: str = "", anywhere: bool = False) -> None:
        for k, index, members in reversed(result):
            if (k, index) == (kind, over):
                members.append(row)
                return
            if not anywhere:
                break
        result.append((kind, over, [row]))

    for row in rows:
        if row.is_names and row.kind != "setting":
            if row.name not in before_columns:
                gather("lines", row)
            continue
        if row.kind == "setting":
            gather("settings", row, anywhere=True)
        elif row.kind == "conclusion":
            gather("conclusion", row)
        elif row.is_column and not isinstance(row.value, Interval):
            gather("columns", row, row.over, anywhere=True)
        elif row.is_table:
            result.append(("table", row.over, [row]))
        else:
            gather("lines", row)
    return [Block(kind, tuple(members)) for kind, _, members in result]


def format_value(row: Row) -> str:
    """Return the value of a row in one line of text: a number, an interval, or the range of a batch."""
    v = row.value
    if row.is_names:
        return ", ".join(map(str, v))
    if row.name == "critical_value" and not np.ndim(v) and np.isinf(v):
        return "none"
    if row.name == "critical_value" and isinstance(v, Interval) and not np.ndim(v.low):
        return "none" if np.isinf(v.low) and np.isinf(v.high) else f"{format_plain(v.low)} and {format_plain(v.high)}"
    if isinstance(v, Interval) and not np.ndim(v.low):
        return v.written(format_plain)
    if row.chance and not np.ndim(v):
        return format_probability(v, row.digits)
    if row.is_batch:
        shape = " x ".join(map(str, np.shape(v)[len(row.over) :]))
        x = np.asarray(v)
        if x.dtype.kind == "b":
            return f"{shape} repetitions, {int(x.sum())} yes"
        return f"{shape} repetitions" + (
            f", {format_range(x, format_probability if row.chance else format_plain)}" if x.dtype.kind in "if" and x.size else ""
        )
    return format_plain(v, row.digits)


def format_cell(row: Row, entry: Any) -> str:
    """Return one entry of a column as text; if the step is declared blank, 0 is displayed as a dash."""
    if row.chance:
        return format_probability(entry, row.digits)
    return "–" if row.blank and entry == 0 else format_plain(entry, row.digits)


def column_head(row: Row) -> str:
    """Return the head of a column: the name of the step and, if stated, the classifier to which the step belongs."""
    return f"{row.name} ({row.owner})" if row.owner else row.name


def flatten_table(row: Row) -> Row:
    """Return a two-dimensional table; for four indices, pairs of the first two are the rows and pairs of the last two are the columns."""
    if len(row.over) == 2:
        return row
    pairs = []
    for axes in ((0, 1), (2, 3)):
        (title, first), (other, second) = (axis_labels(row, axis) for axis in axes)
        pairs.append(IndexHeader(f"{title}, {other}", [", ".join(pair) for pair in product(first, second)]))
    return replace(row, value=np.reshape(row.value, [len(names.entries) for names in pairs]), over=row.over[::2], heads=tuple(pairs))


def axis_labels(row: Row, axis: int) -> tuple[str, list[str]]:
    """Return the title and the labels of the rows (axis 0) or columns (axis 1); rows or columns without names are numbered from 1."""
    named = row.heads[axis] if row.heads else None
    if named is None:
        return row.over[axis], [str(number) for number in range(1, np.shape(row.value)[axis] + 1)]
    return named.title, [str(name) for name in named.entries]
