"""Sanitize untrusted text for terminals, pages and spreadsheets.

A spreadsheet gets no formulas (CSV injection).
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Sequence
from io import StringIO
from pathlib import Path
from typing import Any

# Characters that move the cursor, or hide, delete or reverse text. Zero-width joiners are allowed, because some scripts need them.
STEERING_CHARACTERS = re.compile(r"\r\n?|[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]")
SURROGATES = re.compile(r"[\ud800-\udfff]")
FORMULA = re.compile(r"[=+\-@\t\r\n\uff0b\uff0d\uff1d\uff20]")  # first character of a spreadsheet formula, also as a full-width character
# If a spreadsheet expects semicolons as separators, a semicolon or line break in a quoted cell of a comma file starts a new cell.
INNER_FORMULA = re.compile(r"([;\n][ \"]*)([=+\-@\uff0b\uff0d\uff1d\uff20])")
ESCAPED_FORMULA = re.compile(r"([;\n][ \"]*)'([=+\-@\uff0b\uff0d\uff1d\uff20])")
NUMBER = re.compile(r"[+-]?\d+(\.\d+)?")


def strip_control_characters(text: str) -> str:
    r"""Remove control characters, direction marks and halves of characters from a text; line breaks stay.

    Examples
    --------
    >>> strip_control_characters("10 of 10\x1b[2K\r0 of 10")
    '10 of 10 [2K\n0 of 10'
    """
    return SURROGATES.sub("?", STEERING_CHARACTERS.sub(_replace_control, text))


def _replace_control(match: re.Match[str]) -> str:
    return "\n" if match[0][0] == "\r" else " " if ord(match[0]) < 0xA0 else ""


def one_line(text: str) -> str:
    """Sanitise a text and join its lines, so that the text cannot imitate a line of the package's own output."""
    return " ".join(strip_control_characters(text).split())


# -- tables ----------------------------------------------------------------------------------------------------------------------
def csv_text(heads: Sequence[str], lines: Iterable[Sequence[Any]]) -> str:
    """Return CSV text with quotes around every cell; text that looks like a formula gets a leading quotation mark.

    Numbers are written in their shortest form.
    """
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerow([_cell(head) for head in heads])
    writer.writerows([_cell(cell) for cell in line] for line in lines)
    return out.getvalue()


def escape_formula(text: str) -> str:
    """Escape a text so that no spreadsheet executes it, and remove control characters."""
    text = INNER_FORMULA.sub(r"\1'\2", strip_control_characters(text).replace("\t", " "))
    start = text.lstrip(" ")
    return "'" + text if len(start) > 1 and FORMULA.match(start) and not NUMBER.fullmatch(text) else text


def unescape_formula(text: str) -> str:
    """Restore the text of a cell that :func:`escape_formula` changed."""
    plain = text[1:] if text.startswith("'") and escape_formula(text[1:]) == text else text
    back = ESCAPED_FORMULA.sub(r"\1\2", plain)
    return back if escape_formula(back) == text else plain


def _cell(value: Any) -> str:
    return f"{value:.10g}" if isinstance(value, (int, float)) and not isinstance(value, bool) else escape_formula(str(value))


def read_csv(path: Path) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """Read a CSV file: return the column names, and the non-empty lines with line numbers, padded to the number of columns.

    Raises
    ------
    ValueError
        If the file is not a table in UTF-8, or a line has more cells than the table has columns.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError(f'the file {path} is not text in UTF-8. Save the table again as "CSV UTF-8".') from None
    top = text.partition("\n")[0]
    separator = max(",;\t", key=top.count)
    try:
        reader = csv.reader(StringIO(text, newline=""), delimiter=separator, strict=True)
        lines = [(reader.line_num, line) for line in reader if any(cell.strip() for cell in line)]
    except csv.Error as error:
        raise ValueError(f"the file {path} is not a valid CSV file: {error}") from None
    if not lines:
        raise ValueError(f"the file {path} must name the columns in the first line, such as id,name,email; got an empty file")
    heads = [cell.strip() for cell in lines[0][1]]
    for number, line in lines[1:]:
        if len(line) > len(heads):
            raise ValueError(
                f"line {number} of {path} must have {len(heads)} cells, one for each column; got {len(line)} cells. Write quotes around "
                f"a cell that contains {separator!r}."
            )
    return heads, [(number, line + [""] * (len(heads) - len(line))) for number, line in lines[1:]]
