"""Parse numbers in table cells.

A cell may also have bold type, stars, percent signs, decimal commas and standard deviations.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import nan
from typing import Any, NamedTuple
from unicodedata import normalize

from ...core.numerics.floating_point_ties import printed_value
from .column_names import known_pattern, known_words

MISSING_VALUES = known_words("cells", "missing")
TIME_LIMIT = re.compile(r"[>≥]\s*\d+(?:\.\d+)?\s*(?:s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|weeks?)")  # such as ">24h"
NUMBER = r"[-+−]?(?:\d[\d.,]*|\.\d+)(?:[eE][-+]?\d+)?"
SPREAD = re.compile(
    rf"({NUMBER})\s*%?\s*(?:(±|\+/-|\+-|\\pm|&plusmn;)\s*({NUMBER})\s*%?|([(\[])\s*(?:±|\\pm)?\s*([^)\]]*)[)\]]|_\{{\s*(?:\\pm)?\s*({NUMBER})\s*\}})"
)
PLAIN = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?", re.ASCII)
UNUSUAL = re.compile("_|[nN][aA][nN]|[iI][nN][fF]")  # texts that `float` converts, although they are not ordinary numbers
BLANKS = r"[ '’\u00a0\u2007\u2009\u202f]"  # signs that can only separate thousands
THOUSANDS = re.compile(
    rf"[-+]?\d{{1,3}}(?:{BLANKS}\d{{3}})+(?:[.,]\d+)?|" r"[-+]?\d{1,3}(?:,\d{2,3})*,\d{3}\.\d+|[-+]?\d{1,3}(?:,\d{2,3})+,\d{3}"
)
DECIMALS = re.compile(r"[.,](\d+)")
# such as 1,234, in which the comma separates thousands if the table has decimal points
ONE_COMMA = re.compile(r"[-+]?[1-9]\d{0,2},\d{3}")
# such as 1.234, in which the point may be a decimal point or separate thousands (see `without_points`)
POINTS = re.compile(r"[-+]?[1-9]\d{0,2}(?:\.\d{3})+")
RANK = re.compile(r"(?<=\d)(?<!^10)\s*[_^]\s*\{?\(?(\d+(?:\.5)?)\)?\}?$")  # a rank written as an index, such as _{(1)}
RAISED = re.compile("[¹²³⁰⁴-⁹⁻₀-₉]+")
POWER = re.compile(r"(?<=\d)\s*(?:[×x·*]|\\times|\\cdot)\s*10\s*\^\s*\{?([-+]?\d{1,3})\}?")  # such as ×10^-3
AFTER_SPREAD = re.compile(rf"((?:±|\\pm)\s*{NUMBER}\s*)[(\[][^)\]]*[)\]]$")  # such as "± 0.1 (2)"
COMMANDS, MARKS = (known_pattern("cells", part) for part in ("commands", "marks"))
NO_REMARK = re.compile(r"\^?\{?[(\[]\s*[)\]]\}?$|\^\{\}")  # brackets that held only marks, such as (*)


class Cell(NamedTuple):
    """The number in a cell (nan if missing, None if the cell is text), the spread that follows it, and the form of the cell."""

    number: float | None
    spread: float | None = None
    # how the number is written: "" (plain), the sign before a second number ("±", "(", "["), "marks", "%", "thousands", "comma" or "failed"
    form: str = ""


@dataclass
class ParsedColumn:
    """The numbers of a column, and the cells of each unusual form."""

    numbers: list[float | None]
    # maps a row to the second number in its cell, such as a standard deviation
    spreads: dict[int, float | None] = field(default_factory=dict)
    forms: dict[str, list[int]] = field(default_factory=dict)  # maps the form of a cell to the rows with this form

    @property
    def is_text(self) -> bool:
        """Whether no cell is a number."""
        return all(number is None or number != number for number in self.numbers) and None in self.numbers

    @property
    def is_numeric(self) -> bool:
        """Whether every cell is a number or missing, and not all are missing."""
        return None not in self.numbers and any(number == number for number in self.numbers)


def parse_column(cells: Sequence[Any], decimal: str = ".") -> ParsedColumn:
    """Return the numbers of the cells of a column."""
    kinds = {*map(type, cells)}
    if kinds <= {str, float, int} and not (
        (str in kinds and UNUSUAL.search(text := "\n".join(map(str, cells)))) or (decimal == "," and "," in text)
    ):
        try:  # `float` alone is faster, and is enough if all cells are plain numbers
            return ParsedColumn(list(map(float, cells)))
        except ValueError:
            pass
    column = ParsedColumn([])
    if not any(isinstance(cell, str) for cell in cells):
        return ParsedColumn([_parse_object(cell).number for cell in cells])
    for row, raw in enumerate(cells):
        cell = parse_cell(raw, decimal) if isinstance(raw, str) else _parse_object(raw)
        column.numbers.append(cell.number)
        if cell.form:
            column.forms.setdefault(cell.form, []).append(row)
        if cell.form in ("±", "(", "["):
            column.spreads[row] = cell.spread
    return column


def _parse_object(cell: Any) -> Cell:
    if isinstance(cell, bool):
        return Cell(None)
    try:
        return Cell(printed_value(cell))
    except (TypeError, ValueError):
        return Cell(nan if str(cell).strip().lower() in MISSING_VALUES else None)  # None, NA and NaT are missing values


@lru_cache(maxsize=4096)
def parse_cell(text: str, decimal: str = ".") -> Cell:
    r"""Return the number of a cell.

    >>> parse_cell(r"\textbf{79.2}"), parse_cell("84.8*").number, parse_cell("79.0(0.4)"), parse_cell("x").number
    (Cell(number=79.2, spread=None, form='marks'), 84.8, Cell(number=79.0, spread=0.4, form='('), None)
    """
    if PLAIN.fullmatch(text):
        return Cell(float(text))
    text = text.strip().replace("\u2212", "-").replace(r"\,", "").replace(r"\%", "%").strip("\u00a0 ")
    text = text if text.isascii() else RAISED.sub(lambda raised: f"^{normalize('NFKC', raised[0])}".replace("\u2212", "-"), text)
    text = POWER.sub(r"e\1", text)
    text = text.replace(r"\textsubscript", "_").replace(r"\textsuperscript", "^")
    bare = MARKS.sub("", COMMANDS.sub("", text)).replace("__", "").replace("$", "")
    bare = NO_REMARK.sub("", bare.strip()).strip()
    bare = re.sub(r"^(?:np|numpy)\.\w+\(([^()]*)\)$", r"\1", bare)  # replaces "np.float64(0.5)" by "0.5"
    is_typeset = not {"$", "{", "^"}.isdisjoint(text)  # in plain text, 1_2 is a name and not the number 1 with rank 2
    bare = RANK.sub(r" (\1)" if is_typeset else r"\g<0>", re.sub(r"^\{([^{}]*)\}(?=\s*[_^])", r"\1", bare))
    while "_{" not in bare and (inner := re.sub(r"\{([^{}]*)\}", r"\1", bare)) != bare:
        bare = inner
    form = "" if bare == text else "marks"
    if is_failure(text) or is_failure(bare):
        return Cell(nan, form="failed")
    if bare.lower() in MISSING_VALUES or bare.lower().strip("-–— ") == "":
        return Cell(nan)
    bare = AFTER_SPREAD.sub(r"\1", bare).strip()
    if spread := SPREAD.fullmatch(bare):
        inside = spread[3] or spread[5] or spread[6]
        sign = "±" if spread[2] or spread[6] or "±" in bare or r"\pm" in bare else spread[4]
        number, second = _plain_number(spread[1], decimal), _plain_number(inside.strip("% "), decimal)
        if sign == "(" and inside.isdigit() and second and (places := decimal_places(spread[1])):
            # 0.853(12) means 0.853 ± 0.012; in 0.853 (12), with a blank, 12 may be a count and is not read as a spread
            second = second / 10**places if bare[len(spread[1])] == "(" else second if number is None or abs(number) > 1 else None
        return Cell(number, second, sign)
    if bare.endswith("%"):
        bare, form = bare.rstrip("% "), "%"
    if THOUSANDS.fullmatch(bare):
        tidy = re.sub(BLANKS, "", bare)
        tidy = tidy.replace(",", "") if "." in tidy or tidy.count(",") > 1 else tidy.replace(",", ".")
        return Cell(_plain_number(tidy, "."), form="thousands")
    if decimal == "." and ONE_COMMA.fullmatch(bare):
        return Cell(float(bare.replace(",", "")), form="thousands")
    if re.fullmatch(r"[-+]?\d{1,3}(?:\.\d{3})+,\d+", bare):
        return Cell(float(bare.replace(".", "").replace(",", ".")), form="thousands")
    number = _plain_number(bare, decimal)
    if number is None and re.fullmatch(r"[-+]?\d+,\d+", bare):
        return Cell(float(bare.replace(",", ".")), form="comma")
    return Cell(number, form=form if number is not None else "")


def without_points(cell: Any) -> Any:
    """Return a cell without the points that separate thousands.

    >>> without_points("2.005"), without_points("0.79"), without_points(2.005)
    ('2005', '0.79', 2.005)
    """
    return cell.replace(".", "") if isinstance(cell, str) and POINTS.fullmatch(cell.strip()) else cell


def is_failure(text: str) -> bool:
    """Return whether a cell holds a word for a failure, or a limit of time that was exceeded.

    >>> [is_failure(text) for text in ("TLE", ">24h", "> 1 day", "n.r.", ">24", "svm")]
    [True, True, True, True, False, False]
    """
    return text.lower() in known_words("cells", "failed") or TIME_LIMIT.fullmatch(text.lower()) is not None


def _plain_number(text: str, decimal: str) -> float | None:
    """Return the number if the text is a plain number; None for other text."""
    text = text.strip().replace("\u2212", "-")
    if decimal == "," and text.count(",") == 1 and "." not in text:
        text = text.replace(",", ".")
    try:
        return None if "_" in text else float(text)
    except ValueError:
        return None


def plain_number(cell: Any, decimal: str = ".") -> float | None:
    """Return the number in a cell without any mark, nan if it is missing; None if the cell holds other text."""
    found = parse_cell(cell, decimal) if isinstance(cell, str) else _parse_object(cell)
    return None if found.form else found.number


def typed_number(name: str, text: str) -> float:
    """Return the number that was typed for a setting, with a decimal point or a decimal comma.

    >>> typed_number("alpha", "0,1"), typed_number("margin", "1e-3")
    (0.1, 0.001)
    """
    number = plain_number(text, ",")
    if number is None or number != number:
        raise ValueError(f"{name} must be a number, such as 0.05 or 0,05; got {text!r}")
    return number


def decimal_places(cell: Any) -> int:
    """Return the number of decimals that are written in a cell.

    >>> decimal_places("0.790"), decimal_places("95,3 %"), decimal_places(3)
    (3, 1, 0)
    """
    found = DECIMALS.search(str(cell))
    return len(found[1]) if found else 0
