"""Small changes to the body of a student's function.

A change is another expression, another name, or a moved line.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from .line_edits import BY_ONE, COMPARISON, NEGATIVE, ORDER, RECIPROCAL, REST, SIGN, TWO, TYPED, edits

OTHER_NAME = "`{}` is not the value that belongs here."
RANGE = "`range` ends before its last number: here it ends too early, or too late."
ZEROS = "Values of 0 are still among these: they belong out before this is used."
NOISE = "Numbers that print as equal differ here in their last digits: round before you compare them."
ABOVE_ONE = "This can become larger than 1."
WHOLE = "Only whole numbers fit in here: halves are cut off."
BRANCHES = "The two branches of this condition are exchanged."
RETURN_INSIDE = "This `return` stands inside the loop, so the function ends in the first round."
INSIDE = "This line stands inside the loop, but belongs behind it: it runs in every round."
BEHIND = "This line stands behind the loop, but belongs inside it: it runs only once."
BEGIN_INSIDE = "`{}` must begin anew in each round of the loop: it is set only once."
BEGIN_BEFORE = "`{}` begins anew in each round of the loop: set it once, before the loop."
FORGETS = "Each round replaces what the earlier rounds gave: nothing is added up."
ADDS = "This line adds to the earlier value instead of replacing it."
UPDATE = "The operation of this line is wrong: add, subtract, multiply or divide?"
SUPERFLUOUS = "This line does not belong here."
SWAPPED = "This line and the next one are in the wrong order."
PARENTHESES = "The operations are done in the wrong order here: what is divided by what?"
CONDITION = "This condition does not belong here."
LIKELY = (SIGN, COMPARISON, ORDER)
UNLIKELY = (NEGATIVE, REST, RECIPROCAL)  # descriptions of slips that are common in calculations of a single number, but rare in functions
ROUNDED_RESULT = "You round here: later computations need all digits."


class BodyChange(NamedTuple):
    """A changed part of a function: the part to mark, the slip in words, and the replacement (another part, or other blocks)."""

    marked: ast.AST
    words: str
    rank: int
    part: ast.AST | None = None
    replacement: ast.expr | None = None
    blocks: Mapping[int, list[ast.stmt]] = {}
    quantity: str = ""


def expression_changes(
    statement: ast.stmt, quantities: Mapping[str, bool], others: Mapping[str, Sequence[ast.expr]]
) -> Iterator[BodyChange]:
    """Yield the changes of the expressions of one statement, without the statements inside it; `others` are replacements for each name."""
    wholes = {id(getattr(statement, "value", None))}
    for part in own_expressions(statement):
        is_name = isinstance(part, ast.Name)
        is_length = isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id == "len"
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load):
            words = OTHER_NAME.format(part.id)
            yield from (BodyChange(part, words, 1, part, one) for one in others.get(part.id, ()))
        yield from _own_changes(part)
        if id(part) in wholes:
            yield BodyChange(part, ABOVE_ONE, 0, part, ast.IfExp(ast.Compare(part, [ast.Gt()], [ast.Constant(1)]), ast.Constant(1), part))
        for edit in edits(part, quantities, id(part) in wholes):
            is_unlikely = edit.words in UNLIKELY or (edit.words == TWO and is_name) or (edit.words == BY_ONE and not (is_name or is_length))
            rank = 0 if edit.words in LIKELY else edit.rank + is_unlikely
            yield BodyChange(edit.marked or edit.part, edit.words, rank, edit.part, edit.replacement, quantity=edit.quantity)


def own_expressions(statement: ast.stmt) -> Iterator[ast.expr]:
    """Yield the expressions of a statement that are read, from the outside to the inside, without names of functions and modules."""
    waiting: list[ast.AST] = [one for one in ast.iter_child_nodes(statement) if isinstance(one, ast.expr | ast.keyword)]
    while waiting:
        node = waiting.pop(0)
        inside = [*ast.iter_child_nodes(node)]
        if isinstance(node, ast.Call):
            inside = [*node.args, *node.keywords, *([node.func.value] if isinstance(node.func, ast.Attribute) else [])]
        if isinstance(node, ast.expr) and isinstance(getattr(node, "ctx", ast.Load()), ast.Load) and not isinstance(node, ast.Slice):
            yield node
        waiting += [one for one in inside if isinstance(one, ast.expr | ast.keyword | ast.comprehension)]


def _own_changes(part: Any) -> Iterator[BodyChange]:
    zero, one, ten = ast.Constant(0), ast.Constant(1), ast.Constant(10)
    match part:
        case ast.Call(ast.Name("range"), [*first, stop], []):
            for sign in (ast.Add(), ast.Sub()):
                yield BodyChange(stop, RANGE, 0, part, ast.Call(part.func, [*first, ast.BinOp(stop, sign, one)], []))
        case ast.Call(ast.Attribute(_, "zeros" | "zeros_like" | "array" | "empty" | "empty_like" | "full")):
            yield BodyChange(part, WHOLE, 1, part, ast.BinOp(part, ast.Mult(), ast.Constant(1.0)))
        case ast.Call(ast.Attribute(_, "round"), [value, *_]) | ast.Call(ast.Attribute(value, "round"), _):
            yield BodyChange(part, ROUNDED_RESULT, 1, part, value)
            yield BodyChange(part, ROUNDED_RESULT, 1, part, ast.Call(ast.Attribute(value, "round"), [ten], []))
        case ast.IfExp(test, body, orelse):
            yield BodyChange(test, BRANCHES, 0, part, ast.IfExp(test, orelse, body))
        case ast.BinOp(ast.BinOp(left, first, middle), second, right) if isinstance(second, ast.Mult | ast.Div):
            yield BodyChange(part, PARENTHESES, 0, part, ast.BinOp(left, ast.Div(), ast.BinOp(middle, second, right)))
            yield BodyChange(part, PARENTHESES, 0, part, ast.BinOp(left, first, ast.BinOp(middle, second, right)))
        case ast.BinOp(ast.BinOp(left, first, middle), second, ast.BinOp(inner, third, right)):
            yield BodyChange(part, PARENTHESES, 0, part, ast.BinOp(left, first, ast.BinOp(ast.BinOp(middle, second, inner), third, right)))
        case ast.BinOp(left, first, ast.BinOp(middle, second, right)):
            yield BodyChange(part, PARENTHESES, 0, part, ast.BinOp(ast.BinOp(left, first, middle), second, right))
        case ast.BinOp(left, ast.Mult(), right):
            yield BodyChange(part, SIGN, 0, part, ast.BinOp(left, ast.Pow(), right))
        case ast.BoolOp(_, [first, second]):
            yield BodyChange(second, CONDITION, 0, part, first)
            yield BodyChange(first, CONDITION, 0, part, second)
        case ast.Constant(bool(value)):
            yield BodyChange(part, TYPED.format(value), 1, part, ast.Constant(not value))
    if isinstance(part, ast.BinOp | ast.Name | ast.Call | ast.Subscript):
        yield BodyChange(part, ZEROS, 2, part, ast.Subscript(part, ast.Compare(part, [ast.NotEq()], [zero])))
        yield BodyChange(part, NOISE, 2, part, ast.Call(ast.Attribute(part, "round"), [ten], []))


def statement_changes(block: list[ast.stmt]) -> Iterator[BodyChange]:
    """Yield the changes of the place or the kind of the lines of a block."""
    for place, statement in enumerate(block):
        rest = [*block[:place], *block[place + 1 :]]
        match statement:
            case ast.For(body=body) | ast.While(body=body):
                yield from _of_loop(block, place, body)
            case ast.If(test, body, [_, *_] as orelse):
                yield BodyChange(test, BRANCHES, 0, blocks={id(body): orelse, id(orelse): body})
            case ast.AugAssign(target, operator, value):
                signs = (one for one in (ast.Add(), ast.Sub(), ast.Mult(), ast.Div()) if type(one) is not type(operator))
                yield from (_replaced(block, place, ast.AugAssign(target, one, value), UPDATE, 0) for one in signs)
                yield _replaced(block, place, ast.Assign([target], value), ADDS, 0)
        if isinstance(statement, ast.Assign | ast.AugAssign | ast.Expr) and len(block) > 1:
            yield BodyChange(statement, SUPERFLUOUS, 3, blocks={id(block): rest})
        if place + 1 < len(block) and isinstance(statement, ast.Assign | ast.AugAssign | ast.Expr | ast.If):
            swapped = [*block[:place], block[place + 1], statement, *block[place + 2 :]]
            yield BodyChange(statement, SWAPPED, 3, blocks={id(block): swapped})


def _of_loop(block: list[ast.stmt], place: int, body: list[ast.stmt]) -> Iterator[BodyChange]:
    """Yield changes that move a line into a loop, or out of a loop."""
    loop, last = block[place], body[-1]
    if len(body) > 1:
        words = RETURN_INSIDE if isinstance(last, ast.Return) else INSIDE
        outside = [*block[: place + 1], last, *block[place + 1 :]]
        yield BodyChange(last, words, 0, blocks={id(block): outside, id(body): body[:-1]})
    if place + 1 < len(block) and not isinstance(block[place + 1], ast.Return):
        after = [*block[: place + 1], *block[place + 2 :]]
        yield BodyChange(block[place + 1], BEHIND, 0, blocks={id(block): after, id(body): [*body, block[place + 1]]})
    for before in block[:place]:
        if isinstance(before, ast.Assign):
            others = [one for one in block if one is not before]
            words = BEGIN_INSIDE.format(ast.unparse(before.targets[0]))
            yield BodyChange(before, words, 0, blocks={id(block): others, id(body): [before, *body]})
    for inner in body:
        if isinstance(inner, ast.Assign):
            others = [one for one in body if one is not inner]
            target: Any = inner.targets[0]
            words = BEGIN_BEFORE.format(ast.unparse(target))
            yield BodyChange(inner, words, 0, blocks={id(block): [*block[:place], inner, loop, *block[place + 1 :]], id(body): others})
            for sign in (ast.Add(), ast.Mult()):
                added = [ast.AugAssign(target, sign, inner.value) if one is inner else one for one in body]
                yield BodyChange(inner, FORGETS, 2, blocks={id(body): added})


def _replaced(block: list[ast.stmt], place: int, other: ast.stmt, words: str, rank: int) -> BodyChange:
    return BodyChange(block[place], words, rank, blocks={id(block): [*block[:place], other, *block[place + 1 :]]})


def blocks_of(function: ast.FunctionDef) -> Iterator[list[ast.stmt]]:
    """Yield the blocks of a function: its body, and the bodies of its loops and conditions."""
    for node in ast.walk(function):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list) and block:
                yield block
