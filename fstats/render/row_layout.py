"""How worked rows are laid out, whatever the medium: settings, columns, tables, lines, conclusion."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Literal

import numpy as np

from ..core.number_format import chance, plain, spanned
from ..core.value_types import Interval
from ..core.worked_example_row import Head, Row

Kind = Literal["settings", "columns", "table", "lines", "conclusion"]
SHOWN = 20  # lines of a long column


@dataclass(frozen=True)
class Block:
    """Rows that are shown together: steps over one index are the columns of one table (d_i, R_i; Holm's ladder)."""

    kind: Kind
    rows: tuple[Row, ...]


def blocks(rows: Iterable[Row]) -> list[Block]:
    """The rows in the order of their first appearance, columns over the same index gathered."""
    rows = list(rows)
    before_columns = {names.title for row in rows if row.is_column or row.is_table for names in row.heads[:1] if names and not row.is_names}
    result: list[tuple[Kind, str, list[Row]]] = []

    def gather(kind: Kind, row: Row, over: str = "", anywhere: bool = False) -> None:
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


def value(row: Row) -> str:
    """The value in one line of text: a number, an interval, or what a batch spans."""
    v = row.value
    if row.is_names:
        return ", ".join(map(str, v))
    if row.name == "critical_value" and not np.ndim(v) and np.isinf(v):
        return "none"
    if row.name == "critical_value" and isinstance(v, Interval) and not np.ndim(v.low):
        return "none" if np.isinf(v.low) and np.isinf(v.high) else f"{plain(v.low)} and {plain(v.high)}"
    if isinstance(v, Interval) and not np.ndim(v.low):
        return v.written(plain)
    if row.chance and not np.ndim(v):
        return chance(v, row.digits)
    if row.is_batch:
        shape = " x ".join(map(str, np.shape(v)[len(row.over) :]))
        x = np.asarray(v)
        if x.dtype.kind == "b":
            return f"{shape} repetitions, {int(x.sum())} yes"
        return f"{shape} repetitions" + (f", {spanned(x, chance if row.chance else plain)}" if x.dtype.kind in "if" and x.size else "")
    return plain(v, row.digits)


def cell(row: Row, entry: Any) -> str:
    """One entry of a column; a blank step shows 0 as a dash."""
    if row.chance:
        return chance(entry, row.digits)
    return "–" if row.blank and entry == 0 else plain(entry, row.digits)


def head(row: Row) -> str:
    """What stands above a column: the name of the step, and whose values they are."""
    return f"{row.name} ({row.whose})" if row.whose else row.name


def flat(row: Row) -> Row:
    """A table; of one over four indices, the pairs of the first two are the lines and those of the last two the columns."""
    if len(row.over) == 2:
        return row
    pairs = []
    for axes in ((0, 1), (2, 3)):
        (title, first), (other, second) = (heads(row, axis) for axis in axes)
        pairs.append(Head(f"{title}, {other}", [", ".join(pair) for pair in product(first, second)]))
    return replace(row, value=np.reshape(row.value, [len(names.entries) for names in pairs]), over=row.over[::2], heads=tuple(pairs))


def heads(row: Row, axis: int) -> tuple[str, list[str]]:
    """What stands before the lines (axis 0) or above the columns (axis 1): a title, and names or numbers from 1."""
    named = row.heads[axis] if row.heads else None
    if named is None:
        return row.over[axis], [str(number) for number in range(1, np.shape(row.value)[axis] + 1)]
    return named.title, [str(name) for name in named.entries]
