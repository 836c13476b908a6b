"""Formulas and sentences of a step-by-step presentation.

Each step of a worked example gives one line of the formulas and one sentence.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...core.procedure import Procedure
from ...core.value_types import Interval
from ...core.worked_example_row import Row
from ...render.formula_line_breaks import break_piece, split_in_brackets, stack_terms
from ...render.html import Typeset, escape_prose
from ...render.latex import equation_parts, latex_number
from ...render.plain_text import name_and_question
from ...render.row_layout import format_cell, format_value

WALK_NAME = "Walk: "  # first characters of the name of each walk, by which pages without Python recognize a walk
MAX_ENTRIES = 10  # maximum number of entries of a column that a line contains


class Frame(NamedTuple):
    """Frame of a walk: its rows of the worked example, and the sentence that is said with it."""

    rows: tuple[Row, ...]
    sentence: str

    @property
    def name(self) -> str:
        """Name of the step; "data" for the first frame."""
        return self.rows[0].name if self.rows and self.rows[0].kind == "step" else "data"


def frames_of(test: Procedure, start: str = "", upto: str = "") -> Sequence[Frame]:
    """Return the frames of a test: the data, then a frame for each step that is not a detail.

    The sentence of the decision is the conclusion. The first frame contains all rows before the step `start`.

    >>> import fstats
    >>> test = fstats.PairedT([85, 70, 79, 78, 83], [87, 68, 85, 75, 83])
    >>> [frame.name for frame in frames_of(test, upto="se")]
    ['data', 'd', 'n', 'mean', 'sd', 'se']
    """
    rows = [row for row in test.worked() if not row.aside and not row.is_names and row.kind != "conclusion"]
    steps = [row for row in rows if row.kind == "step"]
    names = [row.name for row in steps]
    for argument, name in (("start", start), ("upto", upto)):
        if name and name not in names:
            raise ValueError(f"{argument} must be a step of {type(test).__name__}: {', '.join(names)}; got {name!r}")
    first, last = names.index(start) if start else 0, names.index(upto) if upto else len(names) - 1
    if last < first and names:
        raise ValueError(f"upto must not come before start; got start={start!r} and upto={upto!r}")
    conclusion = str(test.get_or_default("conclusion", "")) if hasattr(type(test), "conclusion") else ""
    question = name_and_question(test)[1]
    frames = [Frame((*(row for row in rows if row.kind != "step"), *steps[:first]), question[:1].upper() + question[1:])]
    spoken = [conclusion if row.name == "reject" and conclusion else row.sentence.replace("`", "") for row in steps]
    frames += [Frame((row,), sentence) for row, sentence in list(zip(steps, spoken))[first : last + 1]]
    if conclusion and "reject" not in names and last == len(names) - 1:
        frames[-1] = frames[-1]._replace(sentence=f"{frames[-1].sentence} {conclusion}")
    return frames


def line_html(row: Row, typeset: Typeset) -> str:
    """Return the line of a row: formula, formula with numbers, and value; a column has its entries, a long column only the first ones."""
    if row.kind == "setting" and not row.formula:
        return f"<span>{typeset(row.symbol)} = {escape_prose(format_value(row))}</span>"
    parts = equation_parts(row)
    if entries := column_entries(row):  # a line shows all entries of a column instead of an example for the first entry
        parts = [] if row.kind == "given" or not row.formula else parts[:1]
    broken = [stack_terms(smaller) for part in parts for piece in break_piece(part) for smaller in split_in_brackets(piece)]
    pieces = [f"<span>{typeset(piece)}</span>" for piece in broken]
    if entries:
        pieces.append(f"<span>{typeset(row.symbol)}: {escape_prose(entries)}</span>")
    elif not latex_number(row) and not row.is_table:  # a table is shown in the picture, so the line leaves it out
        pieces.append(f"<span>{escape_prose(format_value(row))}</span>")
    return "".join(pieces)


def column_entries(row: Row) -> str:
    """Return the entries of a column, separated by commas; empty for any other value."""
    if not row.is_column or isinstance(row.value, Interval):
        return ""
    entries = [format_cell(row, entry) for entry in row.value[:MAX_ENTRIES]]
    return ", ".join(entries) + ", ..." * (len(row.value) > MAX_ENTRIES)
