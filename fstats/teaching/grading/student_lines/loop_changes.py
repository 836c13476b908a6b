"""Find the error in a student's for loop.

Errors are a sum that is overwritten, a line in the wrong block, a wrong range, and a wrong name.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ..answers.answer_value import has_full_precision, is_real_valued
from ..verdicts.marked_line import MarkedLine
from .code_history import BlockValue, place_in_line
from .function_edits import FORGETS, OTHER_NAME, RANGE, SUPERFLUOUS, BodyChange, blocks_of, own_expressions, statement_changes
from .line_edits import COUNTS_FROM_0, NO_SIZE, POWER, STARTS, TYPED
from .line_values import agrees

if TYPE_CHECKING:
    from .line_parts import LineParts

TWICE = "These conditions are tried one after the other, so a case can be counted in more than one of them: `elif` tries only the rest."
# maximum units of work of one changed loop; units of work that are kept for the other changes of the line
WORK_OF_LOOPS, RESERVE = 2_500, 13_000
MANY = 3  # a list of at most this many entries may be right by chance


def loop_slip(reader: LineParts) -> tuple[str, ...]:
    """Return the line of a loop that, changed alone, makes the answer right, marked and with words; empty if there is none."""
    trees = [site.part for site in reader.sites if isinstance(site.part, BlockValue)]
    # leave out `while` loops, because a changed `while` loop may never end
    loops = {id(tree.statement): tree.statement for tree in trees if isinstance(tree.statement, ast.For)}
    for rank in (0, 1):
        for loop in loops.values():
            for line, change in _changes(loop):
                is_first = change.words not in (OTHER_NAME.format(getattr(change.marked, "id", "")), SUPERFLUOUS)
                if is_first == (rank == 0) and reader.budget.units > RESERVE and _fits(reader, loop, change):
                    place = (0, len(line)) if isinstance(change.marked, ast.stmt) else place_in_line(line, change.marked)
                    return (MarkedLine(line, *place), change.words)
    for site in reader.sites if loops else ():
        if site.part is site.definition.tree and isinstance(site.part, ast.Constant) and site.part.value in (0, 1):
            change = BodyChange(site.part, TYPED.format(site.part.value), 0, site.part, ast.Constant(1 - site.part.value))
            if reader.budget.units > RESERVE and _fits(reader, None, change):
                return (MarkedLine(site.text, *place_in_line(site.text, site.part)), change.words)
    return ()


def _changes(loop: Any) -> Iterator[tuple[str, BodyChange]]:
    """Yield (text of the line, change) for each change of a loop."""
    top = [loop]
    for block in blocks_of(loop):
        yield from _conditions(block)
        for place, statement in enumerate(block):
            if isinstance(statement, ast.Assign):
                target: Any = statement.targets[0]
                added, line = ast.AugAssign(target, ast.Add(), statement.value), statement.line  # type: ignore[attr-defined]
                yield line, BodyChange(statement, FORGETS, 0, blocks={id(block): [*block[:place], added, *block[place + 1 :]]})
    for block in (top, *blocks_of(loop)):
        for change in statement_changes(block):
            blocks = {id(loop) if key == id(top) else key: lines for key, lines in change.blocks.items()}
            yield change.marked.line if isinstance(change.marked, ast.stmt) else "", change._replace(blocks=blocks)  # type: ignore[attr-defined]
    names = dict.fromkeys(node.id for node in ast.walk(loop) if isinstance(node, ast.Name))
    called = {id(node.func) for node in ast.walk(loop) if isinstance(node, ast.Call)}
    for statement in (loop, *(one for block in blocks_of(loop) for one in block)):
        for part in own_expressions(statement):
            for change in _of_expression(part, [*names] if id(part) not in called else []):
                yield statement.line, change


def _conditions(block: list[Any]) -> Iterator[tuple[str, BodyChange]]:
    """Yield the change that joins consecutive `if` statements by `elif`."""
    chain = [statement for statement in block if isinstance(statement, ast.If)]
    if len(chain) > 1 and chain == block[-len(chain) :] and not any(statement.orelse for statement in chain[:-1]):
        last = chain[-1]
        for statement in reversed(chain[:-1]):
            last = ast.If(statement.test, statement.body, [last])
        yield chain[1].line, BodyChange(chain[1], TWICE, 0, blocks={id(block): [*block[: -len(chain)], last]})  # type: ignore[attr-defined]


def _of_expression(part: Any, names: list[str]) -> Iterator[BodyChange]:
    """Yield changes of an expression in a loop: another range, a power instead of a product, or another name."""
    one = ast.Constant(1)
    match part:
        case ast.Call(ast.Name("range"), [stop], []):
            shifted = ast.BinOp(stop, ast.Add(), one)
            yield BodyChange(part, COUNTS_FROM_0, 0, part, ast.Call(part.func, [one, shifted], []))
            yield BodyChange(part, RANGE, 0, part, ast.Call(part.func, [shifted], []))
            yield BodyChange(part, RANGE, 0, part, ast.Call(part.func, [ast.BinOp(stop, ast.Sub(), one)], []))
        case ast.Call(ast.Name("range"), [first, stop], []):
            yield BodyChange(first, STARTS, 0, part, ast.Call(part.func, [ast.Constant(0), stop], []))
            for end in (ast.BinOp(stop, ast.Add(), one), ast.BinOp(stop, ast.Sub(), one)):
                yield BodyChange(part, RANGE, 0, part, ast.Call(part.func, [first, end], []))
        case ast.Compare(ast.BinOp(_, ast.Sub(), _) as left, signs, sides):
            yield BodyChange(left, NO_SIZE, 0, part, ast.Compare(ast.Call(ast.Name("abs", ast.Load()), [left], []), signs, sides))
        case ast.BinOp(ast.BinOp(left, ast.Div(), base), ast.Mult(), right):
            yield BodyChange(part, POWER, 0, part, ast.BinOp(left, ast.Div(), ast.BinOp(base, ast.Pow(), right)))
        case ast.BinOp(left, ast.Mult(), right):
            yield BodyChange(part, POWER, 0, part, ast.BinOp(left, ast.Pow(), right))
        case ast.Name(name):
            for other in names:
                if other != name:
                    yield BodyChange(part, OTHER_NAME.format(name), 1, part, ast.Name(other, ast.Load()))


def _fits(reader: LineParts, loop: Any, change: BodyChange) -> bool:
    """Return whether a change makes the answer right on the student's data, and on other data if they can be used."""
    parts = [part for part in (loop, change.part) if part is not None]
    replaced = {id(change.part): change.replacement} if change.part is not None and change.replacement is not None else {}
    around = reader.around(*parts)

    def value(world: Any) -> Any:
        return reader.changed_value(world, replaced, around, WORK_OF_LOOPS, change.blocks)

    found = value(reader.home)
    if found is None or not any(agrees(found, target) for target in reader.targets):
        return False
    elsewhere = [agrees(other, right) for world, right in reader.worlds if (other := value(world)) is not None]
    if all(elsewhere) and len(elsewhere) > len(reader.worlds) // 2:
        return True
    # A loop with typed numbers cannot be right on other data. In this case, accept a change that is unlikely to give
    # the right value by chance: a long list, or a number with all digits.
    is_typed = change.words == STARTS or any(isinstance(site.part, ast.Constant) and site.part.value not in (0, 1) for site in reader.sites)
    right = reader.context.right
    return is_typed and (np.size(right) > MANY or change.words == STARTS or (is_real_valued(right) and has_full_precision(right)))
