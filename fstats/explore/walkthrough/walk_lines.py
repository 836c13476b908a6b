"""Formulas and sentences of a step-by-step presentation.

Each step of a worked example gives one line of the formulas and one sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from math import ceil
from typing import Any, NamedTuple

import numpy as np

from ...core.mathematics_in_names import plain_powers
from ...core.procedure import Procedure
from ...core.value_types import Interval
from ...core.worked_example_row import Row
from ...plot.walkthrough.step_pictures import drawn_steps
from ...render.formula_line_breaks import SLIDE_COLUMN, break_piece, formula_width, split_in_brackets, stack_terms
from ...render.html import Typeset, escape_prose
from ...render.latex import equation_parts, latex_number
from ...render.plain_text import name_and_question
from ...render.row_layout import format_cell, format_value

WALK_NAME = "Walk: "  # first characters of the name of each walk, by which pages without Python recognize a walk
MAX_ENTRIES = 10  # maximum number of entries of a column that a line contains
MAX_SPOKEN = 280  # maximum number of characters that are said with one frame: three lines of a slide
MAX_FRAMES, MAX_JOINED = 16, 4  # in a walk with more frames, up to 4 neighbouring steps of one kind share a frame
COUNT = r"\text{number of "  # first characters of the formula of a count of all entries
MAX_REACHED = 5  # maximum number of values that the first sentence of a continued walk repeats
MAX_LINES = 3  # maximum number of lines of a formula in words that is repeated with numbers
DECISIONS = ("reject", "decided")  # steps whose line and sentence are the result, with which no other step shares a frame
MAX_FORMULAS = 200  # maximum number of characters of the LaTeX formulas of steps that share a frame


class Frame(NamedTuple):
    """Frame of a walk: its rows of the worked example, and the sentence that is said with it."""

    rows: tuple[Row, ...]
    sentence: str
    is_opening: bool = False

    @property
    def name(self) -> str:
        """Names of the steps; "data" for the first frame, "conclusion" for further sentences of the conclusion."""
        return "data" if self.is_opening else ", ".join(row.name for row in self.rows) or "conclusion"


def frames_of(test: Procedure, start: str = "", upto: str = "") -> Sequence[Frame]:
    """Return the frames of a test: the data, then a frame for each step that is not a detail.

    The sentence of the decision is the conclusion. The first frame of a walk that begins with the step `start` has the hypotheses, the
    level, and what the next steps use.

    >>> import fstats
    >>> test = fstats.PairedT([85, 70, 79, 78, 83], [87, 68, 85, 75, 83])
    >>> [frame.name for frame in frames_of(test, upto="se")]
    ['data', 'd', 'n, mean', 'sd', 'se']
    """
    rows = [row for row in test.worked() if not (row.aside or row.is_names or row.kind == "conclusion" or _is_untold(row))]
    steps = [row for row in rows if row.kind == "step"]
    names = [row.name for row in steps]
    for argument, name in (("start", start), ("upto", upto)):
        if name and name not in names:
            raise ValueError(f"`{argument}` must be a step of {type(test).__name__}: {', '.join(names)}; got {name!r}")
    first, last = names.index(start) if start else 0, names.index(upto) if upto else len(names) - 1
    if last < first and names:
        raise ValueError(f"the step `upto` must not come before the step `start`; got start={start!r} and upto={upto!r}")
    conclusion = str(test.get_or_default("conclusion", "")) if hasattr(type(test), "conclusion") else ""
    opening = tuple(row for row in rows if row.kind != "step")
    said = name_and_question(test)[1]
    if first:
        used = {slot for row in steps[first : last + 1] for slot in _slots_of(test, row.name)}
        used = {"alternative", "claim", "alpha"} | used - set(names[first:])
        opening = tuple(_without_formula(row) for row in rows if row.name in used and not _is_long(row))
        values = [(row, column_entries(row) if np.size(row.value) <= MAX_REACHED else "") for row in opening if row.kind != "setting"]
        reached = [f"${row.symbol}$ = {entries or format_value(row)}" for row, entries in values if entries or latex_number(row)]
        said = f"So far: {'; '.join(reached[-MAX_REACHED:])}." if reached else steps[first - 1].sentence
    frames = [Frame(opening, said[:1].upper() + said[1:], is_opening=True)]
    told = list(_split_sentences(conclusion))
    for row in steps[first : last + 1]:
        said, *more = told if row.name == "reject" and told else [row.sentence]
        frames += [Frame((row,), said), *(Frame((), sentence) for sentence in more)]
    if "reject" not in names and last == len(names) - 1:
        frames += [Frame((), sentence) for sentence in told]
    decision = next((number for number, name in enumerate(names) if name in DECISIONS), len(names))
    told_so = [frame._replace(sentence=plain_powers(frame.sentence)) for frame in frames]
    return _join_frames(told_so, len(frames) > MAX_FRAMES, set(names[:decision]), drawn_steps(test, names))


def _slots_of(test: Any, name: str) -> Sequence[str]:
    """Return the inputs and steps in the formula of a step of a test, or of the procedure that the test continues."""
    return test.steps[name].slots if name in test.steps else _slots_of(vars(test)["_source"], name)


def _without_formula(row: Row) -> Row:
    """Return the row of a number or of a column with its symbol and value only."""
    return replace(row, formula="", numbers="") if row.kind == "step" and (latex_number(row) or column_entries(row)) else row


def _is_long(row: Row) -> bool:
    """Whether a row is a table, or a column of which a line contains only the first entries."""
    return row.is_table or (bool(column_entries(row)) and len(row.value) > MAX_ENTRIES)


def _split_sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text, as many together as can be said with one frame."""
    said = ""
    for sentence in re.findall(r"\S.*?[.?!](?= [A-Z0-9]|$)|\S.*$", text):
        if said and len(said) + len(sentence) >= MAX_SPOKEN:
            yield said
            said = ""
        said = f"{said} {sentence}".strip()
    if said:
        yield said


def _join_frames(frames: Sequence[Frame], is_long: bool, early: Set[str], drawn: Set[str]) -> Sequence[Frame]:
    """Join a step at which no picture changes with the next step before the decision; in a long walk, also join steps of one kind.

    Two steps are of one kind if their names have a word in common, the first one is a count, or the second one is a table. `early`
    are the steps before the decision, and `drawn` are the steps at which a picture changes; if there are none, counts are joined.
    """

    def is_alike(one: Row, other: Row) -> bool:
        if drawn and other.name in early and not drawn & {row.name for row in joined[-1].rows}:
            return True
        if not is_long:
            return one.formula.startswith(COUNT) and other.formula.startswith(COUNT)
        words, others = ({word.rstrip("s") for word in re.findall("[a-z]+", row.name)} for row in (one, other))
        return bool(words & others) or one.formula.startswith((r"\#", COUNT)) or other.is_table

    joined = [frames[0]]
    for frame in frames[1:]:
        rows, said = joined[-1].rows + frame.rows, f"{joined[-1].sentence} {frame.sentence}"
        is_short = len(rows) <= MAX_JOINED and len(said) <= MAX_SPOKEN and sum(len(row.formula) for row in rows) <= MAX_FORMULAS
        if len(joined) > 1 and joined[-1].rows and frame.rows and is_short and is_alike(*rows[-2:]):
            joined[-1] = Frame(rows, said)
        else:
            joined.append(frame)
    return joined


def line_html(row: Row, typeset: Typeset) -> str:
    """Return the line of a row: formula, formula with numbers, and value; a column has its entries, a long column only the first ones.

    A long formula in words is not repeated with numbers.
    """
    if is_plain_setting(row):
        return f"<span>{typeset(row.symbol)} = {escape_prose(plain_powers(format_value(row)))}</span>"
    parts = equation_parts(row)
    if r"\text{" in row.formula and sum(ceil(formula_width(part) / SLIDE_COLUMN) for part in parts) > MAX_LINES:
        parts = [part for part in parts if not row.substituted or row.substituted not in part or part == parts[0]]
    if entries := column_entries(row):  # a line shows all entries of a column instead of an example for the first entry
        parts = [] if row.kind == "given" or not row.formula else parts[:1]
    broken = [stack_terms(smaller) for part in parts for piece in break_piece(part) for smaller in split_in_brackets(piece)]
    pieces = [f"<span>{typeset(piece)}</span>" for piece in broken]
    if entries:
        pieces.append(f"<span>{typeset(row.symbol)}: {escape_prose(entries)}</span>")
    elif not latex_number(row) and not row.is_table:  # a table is shown in the picture, so the line leaves it out
        pieces.append(f"<span>{escape_prose(plain_powers(format_value(row)))}</span>")
    return "".join(pieces)


def _is_untold(row: Row) -> bool:
    """Whether a row is a setting without a value, or one that is written as code, such as a model with its parameters."""
    return is_plain_setting(row) and (row.value is None or (isinstance(row.value, str) and row.value.endswith((")", "..."))))


def is_plain_setting(row: Row) -> bool:
    """Whether a row is a setting without a formula, such as ``method = exact``."""
    return row.kind == "setting" and not row.formula


def column_entries(row: Row) -> str:
    """Return the entries of a column, separated by commas; empty for any other value."""
    if not row.is_column or isinstance(row.value, Interval):
        return ""
    entries = [format_cell(row, entry) for entry in row.value[:MAX_ENTRIES]]
    return plain_powers(", ".join(entries)) + ", ..." * (len(row.value) > MAX_ENTRIES)
