"""Separators of the cells of a text, and captions above its headings."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Sequence

from .document_tables import pipe_cells

MAX_LINES = 200  # number of first lines that determine the separator and the captions
MOST = 0.6  # least share of lines with the same number of cells


def find_separator(lines: Sequence[str]) -> str:
    """Return the separator of the cells: the sign that most lines contain equally often, or a blank.

    A caption above the table may contain other signs, or the sign of the table another number of times.
    """
    if lines and sum("|" in line for line in lines) >= len(lines) * MOST:
        return "|"
    some, found = lines[:MAX_LINES], list[tuple[int, str]]()
    for sign in (";", "\t", ","):  # in a table with semicolons or tabs, commas are parts of numbers or of headings
        ((size, frequency),) = Counter(len(split_cells(line, sign)) for line in some).most_common(1) or [(0, 0)]
        found += [(frequency, sign)] * bool(size > 1 and frequency >= len(some) * MOST)
    counts = {sign: lines[0].count(sign) if lines else 0 for sign in (",", ";", "\t")}
    best = max(found, key=lambda each: each[0])[1] if found else max(counts, key=lambda sign: counts[sign])
    return best if found or counts[best] else " " if any(len(line.split()) > 1 for line in lines[:2]) else ","


def split_cells(line: str, separator: str) -> list[str]:
    """Return the cells of a line."""
    if separator == "|":
        return pipe_cells(line)
    return line.split() if separator == " " else next(csv.reader([line], delimiter=separator))


def count_captions(lines: Sequence[str], separator: str) -> int:
    """Return the number of lines at the top that are prose: they have another number of cells than all lines below, or blanks after signs.

    >>> count_captions(["Errors, best in bold", "data,a,b", "iris,1,2", "wine,3,4"], ",")
    1
    """
    if separator == " ":
        return 0
    rows = [split_cells(line, separator) for line in lines[:MAX_LINES]]
    counts = [max((place for place, cell in enumerate(row, 1) if cell.strip()), default=0) for row in rows]
    usual = Counter(counts[1:]).most_common(1)[0][0] if counts[1:] else 0
    counts = [usual if len(row) == usual else count for row, count in zip(rows, counts, strict=True)]  # last headings may be empty
    prose = [any(cell.startswith(" ") for cell in row[1:]) for row in rows]
    is_spaced = sum(prose) > len(prose) / 2
    whole = [count >= usual - 1 and not (blank and not is_spaced) for count, blank in zip(counts, prose)]
    captions = next((k for k, is_row in enumerate(whole) if is_row and (counts[k] == usual or counts[k + 1 : k + 2] == [usual])), 0)
    # a line with one cell less is a caption, unless numbers follow: then it holds headings of R, which writes none above the names of rows
    if usual > 1 and counts[captions] == usual - 1 and re.search(r"\d", "".join(lines[captions + 1 : captions + 2])) is None:
        captions += 1
    return captions if captions < len(lines) - 1 else 0
