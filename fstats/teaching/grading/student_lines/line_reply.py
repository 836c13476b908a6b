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
from . import line_edits as slip
from .code_history import place_between, place_in_line
from .line_edits import Edit
from .line_reading import LineReading
from .line_values import agrees

ONLY_PART = "Only the marked part of your line is wrong; the rest is right."
NOT_IN_FORM = "This part does not belong here in this form."
UNFINISHED = "Your line is right so far, but an operation is missing at its end."
UNFINISHED_WITH = "Your line is right so far, but an operation with this quantity is missing at its end: {}."
MISTAKE = "The marked part has the value of a known mistake. {}"
STALE = "`{}` was computed before `{}` changed. Run the line of `{}` again, and then this check."
PARTS = "Parts of your line that have the value of a known quantity: {}."
NEIGHBOUR = "This number is wrong by one."
REPAIRS = "With another value of the marked part, your line gives the right number."
WITHOUT = "Without the marked part, your line gives the right number."
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
# names of modules; the mark of a function covers the module, too (np.median), but the mark of a method covers only its own name
MODULES = ("np", "numpy", "math", "statistics", "stats", "scipy", "pd", "pandas")
# maximum number of listed parts; share of a line above which a mark does not help
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
    what = (NOT_IN_FORM if is_pair and words == slip.NOT_PART else words,) if attempt > 1 or is_pair else ()
    # only the first of two wrong parts is marked, so for two wrong parts, list all parts already at the first attempt
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
    if edit.words == slip.MISSING:
        return missing_part(type(context.test), edit.quantity)
    if edit.words == slip.BY_ONE and not _is_spent(context, edit):
        return NEIGHBOUR
    if isinstance(edit.part, ast.Constant) and edit.words == slip.TYPED_DATA.format(edit.part.value):
        is_quantity = any(agrees(edit.part.value, row.value) for row in context.test.worked())
        return slip.TYPED.format(edit.part.value) if is_quantity else edit.words
    return edit.words


def _is_spent(context: AnswerContext, edit: Edit) -> bool:
    """Return whether a number that is wrong by 1 can be a count minus 1 in the formula."""
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
        is_surely_two = slip.OTHER_PART not in words or not words & {slip.NOT_PART, slip.TWO}
        return (MarkedLine(text, start, stop), ONE_OF_TWO if is_surely_two else WRONG_PART)
    # a mark under the whole line does not help, so the first reply also says what is wrong
    unfinished = UNFINISHED_WITH.format(quantity_label(type(context.test), edit.quantity)) if edit.words == slip.MISSING else UNFINISHED
    whole = unfinished if edit.words in (slip.MISSING, slip.UNFINISHED_SPREAD) else _what(context, edit)
    is_proved = reading.is_proved and not _is_call_with_other_arguments(edit)
    repaired = WITHOUT if edit.words == slip.NOT_PART and edit.replacement in ast.iter_child_nodes(edit.part) else REPAIRS
    part_words = (EVERYWHERE if edit.also else ONLY_PART) if is_proved else edit.words if edit.words in slip.CLEAR else repaired
    if reading.source and not edit.also:
        return (MarkedLine(text, start, stop), part_words, SOURCE.format(reading.source.partition("\n")[0]))
    is_large = stop - start > LARGE * len(text.partition("=")[2].strip()) and edit.words not in (slip.OTHER_PART, slip.NOT_PART)
    large = is_large or edit.words in slip.AT_ONCE
    return (MarkedLine(text, start, stop), *([whole] if is_whole else [part_words, _what(context, edit)] if large else [part_words]))


def _is_call_with_other_arguments(edit: Edit) -> bool:
    """Return whether a change of a call changes both its function and its arguments."""
    match edit.part, edit.replacement:
        case ast.Call(one, _, before), ast.Call(other, _, after):
            return ast.unparse(one) != ast.unparse(other) and [*map(ast.dump, before)] != [*map(ast.dump, after)]
    return False


def _span(text: str, edit: Edit, part: Any) -> tuple[int, int]:
    """Return the position of the mark: an operator, the name of a function, or the whole part."""
    match edit.part:
        case ast.BinOp(left, _, right) if part is not edit.part and edit.replacement in (left, right):
            # a factor, a divisor or a term is marked with its operation: without both, the line is right
            whole, operation = place_in_line(text, edit.part), _between(text, left, right)
            return (operation[0], whole[1]) if part is right else (whole[0], operation[1])
        case ast.BinOp(left, _, right) | ast.Compare(left, _, [right]) if part is edit.part and edit.words in slip.SIGNS:
            place = _between(text, left, right)
            return place if place[0] < place[1] else place_in_line(text, part)
        case ast.Subscript(value) if edit.replacement is value:
            return place_in_line(text, value)[1], place_in_line(text, part)[1]
        case ast.Call(function) if part is edit.part and isinstance(edit.replacement, ast.Call) and not _is_call_with_other_arguments(edit):
            start, stop = place_in_line(text, function)
            if ast.dump(edit.replacement.func) != ast.dump(function) and start < stop:
                if (
                    edit.words == slip.ENDS.format(getattr(function, "attr", "")) and edit.part.args
                ):  # mark the argument, too, because the function is right with another probability
                    return start, place_in_line(text, edit.part.args[0])[1]
                is_method = isinstance(function, ast.Attribute) and ast.unparse(function).partition(".")[0] not in MODULES
                return (stop - len(function.attr), stop) if is_method else (start, stop)  # type: ignore[attr-defined]
    return place_in_line(text, part)


def _between(text: str, left: Any, right: Any) -> tuple[int, int]:
    """Return the position of the operation between two sides."""
    return place_between(text, place_in_line(text, left)[1], place_in_line(text, right)[0])
