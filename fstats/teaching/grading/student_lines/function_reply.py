"""Feedback on an error in a student's function.

The reply shows the smallest failing data, the marked part, and the values of names.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import numpy as np

from ....core.number_format import format_plain
from ..hints.quantity_label import missing_part, quantity_label
from ..verdicts.marked_line import MarkedLine
from .code_history import place_between
from .evaluation_limits import NotRead
from .failing_data import TAIL, TrialData, is_same
from .function_edits import RETURN_INSIDE
from .function_reading import Blame, FunctionReader, FunctionReading
from .line_edits import COMPARISON, MISSING, SIGN
from .pure_statements import RETURNED

SMALL = "The smallest data on which your function was found wrong: {}. It returns {}; right is {}."
RAISES = "The smallest data on which your function was found to fail: {}. It raises {} in this line of your function."
ONLY_PART = (
    "Only the marked part of your function is wrong: with another part in its place, your function is right on all data that were tried."
)
SOME_KINDS = "The marked part is wrong. When it is right, look at data of the kind {}: something else is wrong there."
VALUE = "With these data `{}` is {} after line {} of your function. In the worked test this quantity ({}) is {}."
REACHED = "With these data this line returns the value."
NOTHING = "With these data the function reaches no `return` with a value."
DIVIDED = "With these data this divides by 0."
HELPER = "The value comes from your own function `{}`: check that function first."
OTHER_QUANTITY = "What your function returns is another quantity of the worked test: {}."
RIGHT_SO_FAR = "Right on these data: {}."
MOST_ENTRIES, MOST_NAMES = 10, 4


def function_reply(reader: FunctionReader, reading: FunctionReading | None, attempt: int) -> tuple[str, ...]:
    """Return the sentences about a function: data and place, then what is wrong, then what is right so far."""
    if reading is None:
        return tuple(_failing_call(reader))
    world, test = reading.world, reader.tested
    data = _shown_data(world)
    lines: list[str] = []
    if isinstance(world.got, BaseException):
        lines.append(RAISES.format(data, type(world.got).__name__))
    else:
        lines.append(SMALL.format(data, _shown(world.got), _shown(world.right)))
    if mark := _marked_line(reading):
        lines.append(mark)
    blame, change = reading.blame, reading.change
    if world.got is None:
        lines.append(NOTHING)
    if change is not None:
        lines.append(SOME_KINDS.format(" and ".join(map(repr, reading.wrong_kinds))) if reading.wrong_kinds else ONLY_PART)
    if blame is not None and blame.name != RETURNED and (change is None or attempt > 1):
        lines.append(_value(reader, blame))
    elif change is None and isinstance(reading.marked, ast.BinOp):
        lines.append(DIVIDED)
    elif change is None and isinstance(reading.marked, ast.Return) and not isinstance(world.got, BaseException):
        lines.append(REACHED)
    if change is not None and (attempt > 1 or change.words == RETURN_INSIDE):
        missing = missing_part(test, change.quantity) if change.quantity else ""
        lines.append(missing if change.words == MISSING else change.words)
    if reading.helper:
        lines.append(HELPER.format(reading.helper))
    right_names = dict(reading.right_names)
    if (returned := right_names.pop(RETURNED, "")) and returned != reader.question.step:
        lines.append(OTHER_QUANTITY.format(quantity_label(test, returned)))
    if right_names and (attempt > 2 or (change is None and (blame is None or blame.name == RETURNED))):
        right = [f"`{name}` ({quantity_label(test, quantity)})" for name, quantity in right_names.items()][:MOST_NAMES]
        lines.append(RIGHT_SO_FAR.format(", ".join(right)))
    return tuple(lines)


def _failing_call(reader: FunctionReader) -> Iterator[str]:
    """Yield the sentence about the smallest data on which a call of the function was wrong, if the function cannot be evaluated."""
    calls = [(world, call.value) for world, call in zip(reader.whole, reader.calls, strict=True) if world.numbers and not call.raised]
    wrong = [(world, value) for world, value in calls if value is not NotRead and not is_same(value, world.right)]
    if wrong:
        world, value = min(wrong, key=lambda pair: pair[0].numbers)
        yield SMALL.format(_shown_data(world), _shown(value), _shown(world.right))


def _shown_data(world: TrialData) -> str:
    return ", ".join(f"{name} = {_shown(value)}" for name, value in world.data.items())


def _value(reader: FunctionReader, blame: Blame) -> str:
    """Return the sentence with the wrong value and the right value."""
    label = "the probability of one tail" if blame.quantity == TAIL else quantity_label(reader.tested, blame.quantity)
    return VALUE.format(blame.name, _shown(blame.value), getattr(blame.statement, "end_lineno", "?"), label, _shown(blame.right))


def _shown(value: Any) -> str:
    if np.ndim(value) == 0 or isinstance(value, str):
        return "nothing" if value is None else format_plain(value)
    entries = [_shown(one) for one in np.asarray(value)[:MOST_ENTRIES]] if np.ndim(value) == 1 else []
    if not entries:
        return f"an array of shape {np.shape(value)}" if np.size(value) else "[]"
    return "[" + ", ".join(entries) + (", ..." if len(value) > MOST_ENTRIES else "") + "]"


def _marked_line(reading: FunctionReading) -> MarkedLine | None:
    """Return the first line of the wrong part, with a mark."""
    part: Any = reading.marked
    if part is None or getattr(part, "lineno", None) is None:
        return None
    change = reading.change
    if isinstance(part, ast.If | ast.For | ast.While):
        part = part.test if not isinstance(part, ast.For) else part.iter
    lines = reading.definition.text.splitlines()
    if not 0 < part.lineno <= len(lines):
        return None
    raw = lines[part.lineno - 1].encode()
    end = part.end_col_offset if part.end_lineno == part.lineno else len(raw)
    start, stop = len(raw[: part.col_offset].decode()), len(raw[:end].decode())
    if change is not None and change.words in (SIGN, COMPARISON):
        start, stop = _between(change.marked, raw, start, stop)
    text = lines[part.lineno - 1]
    indent = len(text) - len(text.lstrip())
    return MarkedLine(text.strip(), start - indent, stop - indent) if start < stop else None


def _between(part: Any, raw: bytes, start: int, stop: int) -> tuple[int, int]:
    """Return the position of the operator between two operands."""
    left, right = (part.left, part.right) if isinstance(part, ast.BinOp) else (part.left, part.comparators[0])
    if left.end_lineno != right.lineno or left.end_lineno != part.lineno:
        return start, stop
    place = place_between(raw.decode(), len(raw[: left.end_col_offset].decode()), len(raw[: right.col_offset].decode()))
    return place if place[0] < place[1] else (start, stop)
