"""Units, letters and totals behind the numbers of a column: "45.2 ms", "87.3ab" and "45/50"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from . import column_names as names
from .cell_numbers import parse_cell
from .tabular_data import TabularData

SUFFIX = re.compile(r"(.*[\d)\]}])\s*([^\W\d_]{1,8}|×)")
LETTERS = re.compile("[a-h]{1,3}")  # letters that mark footnotes, or groups of means without a significant difference
QUOTIENT = re.compile(r"(\d+)\s*/\s*(\d+)")
GROUPED = re.compile(r"[-+]?\d{1,3}(?:_\d{3})+(?:\.\d+)?")  # such as 1_200


def without_units(sheet: TabularData) -> TabularData:
    """Return a table whose columns of numbers with a unit hold the numbers; a sentence says what was taken off.

    The first column, and columns whose headings are those of names, are not changed.
    """
    columns, units, done = list(sheet.columns), dict[str, str](), dict[str, list[str]]()
    for place, (head, column) in enumerate(zip(sheet.heads, sheet.columns, strict=True)):
        if place == 0 or names.data_set_rank(head) >= 0 or names.classifier_rank(head) >= 0 or names.is_repetition_heading(head):
            continue
        if found := _plain_numbers(column, sheet.decimal):
            columns[place], what, units[head] = found
            done.setdefault(what, []).append(repr(head))
    notes = (f"{what} {', '.join(heads)}." for what, heads in done.items())
    return replace(sheet, columns=columns, units=units, notes=(*sheet.notes, *notes)) if units else sheet


def _plain_numbers(column: Sequence[Any], decimal: str) -> tuple[list[Any], str, str] | None:
    """Return the cells as numbers, a phrase that says what was changed, and the unit; None if they are numbers or cannot become numbers."""
    texts = {row: cell.strip() for row, cell in enumerate(column) if isinstance(cell, str) and parse_cell(cell, decimal).number is None}
    if not texts:
        return None
    cells = list(column)
    if all(map(GROUPED.fullmatch, texts.values())):
        cells = [cell.replace("_", "") if row in texts else cell for row, cell in enumerate(cells)]
        return cells, "Separators of thousands were taken out of the cells of", ""
    if quotients := [match for text in texts.values() if (match := QUOTIENT.fullmatch(text)) and int(match[1]) <= int(match[2]) > 0]:
        if len(quotients) < len(texts):
            return None
        shares = {row: repr(int(match[1]) / int(match[2])) for row, match in zip(texts, quotients, strict=True)}
        return [shares.get(row, cell) for row, cell in enumerate(cells)], "Quotients of counts were read as proportions in", ""
    matches = ((row, match) for row, text in texts.items() if (match := SUFFIX.fullmatch(text)))
    found = {row: (match[1], match[2]) for row, match in matches if parse_cell(match[1], decimal).number is not None}
    if len(found) < len(texts):
        return None
    suffixes = {suffix for _, suffix in found.values()}
    bare = [
        row for row, cell in enumerate(column) if row not in texts and (x := parse_cell(str(cell), decimal).number) is not None and x == x
    ]
    has_decimals = any(re.search(r"\d[.,]\d", number) for number, _ in found.values())
    lettered = has_decimals and all(map(LETTERS.fullmatch, suffixes)) and (len(suffixes) > 1 or bool(bare))
    if not lettered and (bare or len(suffixes) > 1 or not (has_decimals or suffixes <= names.known_words("units"))):
        return None  # the numbers have different units, some have none, or whole numbers have an unknown unit
    unit = "" if lettered else suffixes.pop()
    what = f"The unit {unit} was" if unit else "Letters behind numbers were"
    return [found[row][0] if row in found else cell for row, cell in enumerate(cells)], f"{what} taken off the cells of", unit
