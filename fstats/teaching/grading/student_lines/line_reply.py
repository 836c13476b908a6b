"""Feedback on an error in a student's line of code.

The wrong part is marked, and the explanations grow with each attempt.
"""

from __future__ import annotations

import ast
from typing import Any

from ....core.validation.check import is_count_check
from ..answers.answer_context import AnswerContext
from ..hints.quantity_label import missing_part, quantity_label
from ..verdicts.marked_line import MarkedLine
from .code_history import place_between, place_in_line
from .line_edits import BY_ONE, CLEAR, COMPARISON, MISSING, NOT_PART, OTHER_PART, SIGN, TWO, TYPED, TYPED_DATA, UNFINISHED_SPREAD, Edit
from .line_reading import LineReading
from .line_values import agrees

ONLY_PART = "Only the marked part of your line is wrong; the rest is right."
NOT_IN_FORM = "This part does not belong here in this form."
UNFINISHED = "Your line is right so far, but an operation is missing at its end."
UNFINISHED_WITH = "Your line is right so far, but an operation with this quantity is missing at its end: {}."
MISTAKE = "The marked part has the value of a known mistake: {}."
STALE = "`{}` was computed before `{}` changed. Run the line of `{}` again, and then this check."
PARTS = "Parts of your line that have the value of a known quantity: {}."
NEIGHBOUR = "This number is wrong by one."
REPAIRS = "With another value of the marked part, your line gives the right number."
SOURCE = "The value of the marked part comes from here: `{}`."
EVERYWHERE = "Only the marked part of your line is wrong, in each place where it stands; the rest is right."
ONE_OF_TWO = "More than one part of your line is wrong; the marked part is one of them."
WRONG_PART = "The marked part of your line is wrong; check the other parts, too."
WHOLE = "Your line computes another quantity: {}."
FOREIGN = "This part of your line is not in the formula of the question: {}."
FOREIGN_PARTS = "These parts of your line are not in the formula of the question: {}."
ABSENT = "No part of your line{} has the value of: {}."
TOGETHER = "Your line has all quantities of the formula; compare how the formula puts them together."
ALONE = "Your line has the only quantity of the formula; what it does with this quantity is not what the question asks for."
# maximum number of listed parts; if a mark covers more than this share of a line, it does not help
MOST_PARTS, LARGE = 4, 0.6


def line_reply(context: AnswerContext, reading: LineReading | None, attempt: int) -> tuple[str, ...]:
    """Return the sentences about the line that made an answer: where, then what, then the line in words."""
    if reading is None:
        return ()
    if reading.stale:
        return (STALE.format(*reading.stale, reading.stale[0]),)
    if reading.edit is None:
        return _parts(context, reading)
    words, is_pair = MISTAKE.format(reading.mistake) if reading.mistake else _what(context, reading.edit), reading.second is not None
    what = (NOT_IN_FORM if is_pair and words == NOT_PART else words,) if attempt > 1 or is_pair else ()
    # only the first of two wrong parts is marked, so list the parts at the first attempt
    parts = _parts(context, reading) if attempt > 2 or is_pair else ()
    return tuple(dict.fromkeys((*_where(context, reading.edit, reading), *what, *parts)))


def _parts(context: AnswerContext, reading: LineReading) -> tuple[str, ...]:
    """Describe the line: its known parts, the missing quantities of the formula, and the parts that do not belong to it."""

    def listed(parts: dict[str, str]) -> str:
        return ", ".join([f"`{text}` ({quantity_label(type(context.test), name)})" for text, name in parts.items()][:MOST_PARTS])

    lines = [WHOLE.format(quantity_label(type(context.test), reading.whole))] if reading.whole else []
    lines += reading.remarks
    lines += [PARTS.format(listed(reading.known))] if reading.known and not reading.whole else []
    foreign = FOREIGN if len(reading.foreign) == 1 else FOREIGN_PARTS
    lines += [foreign.format(listed(reading.foreign))] if reading.foreign and not reading.whole else []
    if reading.edit is None and reading.absent and not reading.whole:
        shown = f" `{reading.text.strip()}`" * ("\n" not in reading.text)
        lines.append(ABSENT.format(shown, "; ".join(quantity_label(type(context.test), name) for name in reading.absent)))
    elif reading.edit is None and reading.known and not reading.whole and not reading.remarks:
        lines.append(TOGETHER if len(context.step.slots) > 1 else ALONE)
    return tuple(lines)


def _what(context: AnswerContext, edit: Edit) -> str:
    """Say what is wrong with the marked part."""
    if edit.words == MISSING:
        return missing_part(type(context.test), edit.quantity)
    if edit.words == BY_ONE and not _is_spent(context, edit):
        return NEIGHBOUR
    if isinstance(edit.part, ast.Constant) and edit.words == TYPED_DATA.format(edit.part.value):
        is_quantity = any(agrees(edit.part.value, row.value) for row in context.test.worked())
        return TYPED.format(edit.part.value) if is_quantity else edit.words
    return edit.words


def _is_spent(context: AnswerContext, edit: Edit) -> bool:
    """Return whether a number that is wrong by one is a count minus 1 in the formula."""
    is_less = isinstance(edit.replacement, ast.BinOp) and isinstance(edit.replacement.op, ast.Sub)
    return "- 1" in context.step.template(context.test) and (is_less or is_count_check(context.step.check))


def _where(context: AnswerContext, edit: Edit, reading: LineReading) -> tuple[str, ...]:
    """Return the line with its mark, and a sentence that says where the mistake is."""
    text, part = reading.text, edit.marked or edit.part
    start, stop = _span(text, edit, part)
    is_whole = reading.is_last and (start, stop) == place_in_line(text, part)
    if start >= stop:
        return ()
    if reading.second is not None:
        words = {edit.words, reading.second.words}  # a single wrong quantity may look like two wrong parts
        is_surely_two = OTHER_PART not in words or not words & {NOT_PART, TWO}
        return (MarkedLine(text, start, stop), ONE_OF_TWO if is_surely_two else WRONG_PART)
    # a mark under the whole line does not help, so the first reply also says what is wrong
    unfinished = UNFINISHED_WITH.format(quantity_label(type(context.test), edit.quantity)) if edit.words == MISSING else UNFINISHED
    whole = unfinished if edit.words in (MISSING, UNFINISHED_SPREAD) else _what(context, edit)
    is_proved = reading.is_proved and not _is_call_with_other_arguments(edit)
    part_words = (EVERYWHERE if edit.also else ONLY_PART) if is_proved else edit.words if edit.words in CLEAR else REPAIRS
    if reading.source and not edit.also:
        return (MarkedLine(text, start, stop), part_words, SOURCE.format(reading.source.partition("\n")[0]))
    large = stop - start > LARGE * len(text.partition("=")[2].strip()) and edit.words not in (OTHER_PART, NOT_PART)
    return (MarkedLine(text, start, stop), *([whole] if is_whole else [part_words, _what(context, edit)] if large else [part_words]))


def _is_call_with_other_arguments(edit: Edit) -> bool:
    """Return whether a change of a call changes both its function and its arguments."""
    match edit.part, edit.replacement:
        case ast.Call(one, _, before), ast.Call(other, _, after):
            return ast.unparse(one) != ast.unparse(other) and [*map(ast.dump, before)] != [*map(ast.dump, after)]
    return False


def _span(text: str, edit: Edit, part: Any) -> tuple[int, int]:
    """Return the position of the mark: an operator, the name of a function, or the whole part."""
    match part:
        case ast.BinOp(left, _, right) if edit.words == SIGN:
            sides = left, right
        case ast.Compare(left, _, [right]) if edit.words == COMPARISON:
            sides = left, right
        case ast.Call() if _is_call_with_other_arguments(edit):
            return place_in_line(text, part)
        case ast.Call(function) if isinstance(edit.replacement, ast.Call) and ast.dump(edit.replacement.func) != ast.dump(function):
            start, stop = place_in_line(text, function)
            name = function.attr if isinstance(function, ast.Attribute) else ""
            return (stop - len(name), stop) if name in ("any", "all") and start < stop else (start, stop)
        case _:
            return place_in_line(text, part)
    (_, start), (stop, _) = (place_in_line(text, side) for side in sides)
    place = place_between(text, start, stop)
    return place if place[0] < place[1] else place_in_line(text, part)
