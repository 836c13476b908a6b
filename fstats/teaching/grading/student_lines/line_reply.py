"""Write what a student's line says: the line with its wrong part marked, and plain sentences that grow with each attempt."""

from __future__ import annotations

import ast
import re
from typing import Any

from ..answers.answer_context import AnswerContext
from ..verdicts.marked_line import MarkedLine
from .code_history import place_in_line
from .line_edits import COMPARISON, MISSING, SIGN, Edit
from .line_reading import LineReading

ONLY_PART = "Only the marked part of your line is wrong; the rest is right."
UNFINISHED = "Your line is right so far, but an operation is missing at its end."
LAST = "Only the last operation of your line is wrong."
MISTAKE = "The marked part has the value of a known mistake: {}."
STALE = "`{}` was computed before `{}` changed. Run the line of `{}` again, and then this check."
PARTS = "Parts of your line that have the value of a known quantity: {}."
ABSENT = "No part of your line has the value of: {}."
TOGETHER = "Your line has all quantities of the formula; compare how the formula puts them together."
MOST_PARTS = 4


def line_reply(context: AnswerContext, reading: LineReading | None, attempt: int) -> tuple[str, ...]:
    """Return the sentences about the line that made an answer: where, then what, then the line in words."""
    if reading is None:
        return ()
    if reading.stale:
        return (STALE.format(*reading.stale, reading.stale[0]),)
    if reading.edit is None:
        return _parts(context, reading)
    what = (MISTAKE.format(reading.mistake) if reading.mistake else _what(context, reading.edit),) if attempt > 1 else ()
    return (*_where(reading.edit, reading), *what, *(_parts(context, reading) if attempt > 2 else ()))


def _label(context: AnswerContext, name: str) -> str:
    """Return the words of a quantity, without explanations."""
    test: Any = type(context.test)
    about = str(test.steps[name].sentence if name in test.steps else test.inputs[name]["sentence"])
    words = re.split(r"[:;(]|, (?=with |because |if )|\.$", re.sub(r"^Claim \d: ", "", about))[0].strip()
    is_a_name = words.partition(" ")[0].endswith(("'s", "'"))  # Friedman's chi-squared
    return words[:1].lower() + words[1:] if words[1:2].islower() and not is_a_name else words


def _parts(context: AnswerContext, reading: LineReading) -> tuple[str, ...]:
    """Return the line in words: what its known parts are, and which quantities of the formula no part is."""
    known = [f"`{text}` ({_label(context, name)})" for text, name in reading.known.items()][:MOST_PARTS]
    lines = [PARTS.format(", ".join(known))] if known else []
    if reading.edit is None and reading.absent:
        lines.append(ABSENT.format("; ".join(_label(context, name) for name in reading.absent)))
    elif reading.edit is None:
        lines.append(TOGETHER)
    return tuple(lines)


def _what(context: AnswerContext, edit: Edit) -> str:
    """Return what is wrong with the marked part."""
    if edit.words == MISSING:
        return f"A part is missing here; it follows from this quantity: {_label(context, edit.quantity)}."
    return edit.words


def _where(edit: Edit, reading: LineReading) -> tuple[str, ...]:
    """Return the line with its mark, and where to look."""
    text, part = reading.definition.text, edit.marked or edit.part
    start, stop = _span(text, edit, part)
    is_whole = part is reading.definition.tree and (start, stop) == place_in_line(text, part)
    if start >= stop:
        return ()
    sentence = ONLY_PART if not is_whole else UNFINISHED if any(node is part for node in ast.walk(edit.replacement)) else LAST
    return (MarkedLine(text, start, stop), sentence)


def _span(text: str, edit: Edit, part: Any) -> tuple[int, int]:
    """Return what is marked: the sign between two parts, the name of a function, or the whole part."""
    match part:
        case ast.BinOp(left, _, right) if edit.words == SIGN:
            sides = left, right
        case ast.Compare(left, _, [right]) if edit.words == COMPARISON:
            sides = left, right
        case ast.Call(function) if isinstance(edit.replacement, ast.Call) and ast.dump(edit.replacement.func) != ast.dump(function):
            return place_in_line(text, function)
        case _:
            return place_in_line(text, part)
    (_, start), (stop, _) = (place_in_line(text, side) for side in sides)
    between = text[start:stop]
    inner = between.strip(" ()")
    start += between.find(inner)
    return (start, start + len(inner)) if inner else place_in_line(text, part)
