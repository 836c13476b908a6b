"""Calls, loops and chains of operations in the normal form of a line of code."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import reduce
from typing import Any

# functions that are applied to each entry of a column
ELEMENTWISE = ("abs", "fabs", "absolute", "sqrt", "square", "exp", "log", "float", "pow", "power", "subtract", "add", "multiply", "divide")


def call(name: str, values: Sequence[ast.expr], named: Sequence[ast.keyword] = ()) -> ast.Call:
    """Return a call; the name of a function may have dots."""
    return ast.Call(reduce(ast.Attribute, name.split(".")[1:], ast.Name(name.split(".")[0])), [*values], [*named])  # type: ignore[arg-type]


def operation(left: ast.expr, operator: ast.operator, right: ast.expr) -> ast.expr:
    """Return an operation of two sides in its normal order."""
    if isinstance(operator, ast.Pow) and ast.unparse(right) in ("0.5", "1 / 2"):
        return call("sqrt", [left])
    if isinstance(operator, ast.Mult) and ast.unparse(left) == ast.unparse(right) and not isinstance(left, ast.Constant):
        return ast.BinOp(left, ast.Pow(), ast.Constant(2))
    for direct, inverse in ((ast.Add, ast.Sub), (ast.Mult, ast.Div)):
        if isinstance(operator, direct | inverse):
            chain = ast.BinOp(left, operator, right)
            return _ordered(*_chain(chain, direct, inverse), direct(), inverse())
    return ast.BinOp(left, operator, right)


def _chain(node: ast.expr, direct: type[ast.operator], inverse: type[ast.operator]) -> tuple[list[ast.expr], list[ast.expr]]:
    """Return (added terms, subtracted terms) of a sum, or (factors, divisors) of a product."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, direct | inverse):
        (above, below), (more, less) = _chain(node.left, direct, inverse), _chain(node.right, direct, inverse)
        return (above + more, below + less) if isinstance(node.op, direct) else (above + less, below + more)
    is_negative = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and direct is ast.Add
    return ([], [node.operand]) if is_negative else ([node], [])  # type: ignore[attr-defined]


def _ordered(above: list[ast.expr], below: list[ast.expr], direct: ast.operator, inverse: ast.operator) -> ast.expr:
    def together(parts: list[ast.expr], operator: ast.operator) -> ast.expr:
        return reduce(lambda one, other: ast.BinOp(one, operator, other), sorted(parts, key=_order))

    if isinstance(direct, ast.Mult):  # leave out factors of 1
        above, below = ([one for one in parts if ast.unparse(one) != "1"] for parts in (above, below))
        above = above or [ast.Constant(1)]
    if not above:
        return ast.UnaryOp(ast.USub(), together(below, direct))
    start = together(above, direct)
    if not below:
        return start
    if isinstance(inverse, ast.Div):
        return ast.BinOp(start, inverse, together(below, direct))
    return reduce(lambda one, other: ast.BinOp(one, inverse, other), sorted(below, key=_order), start)


def _order(node: ast.expr) -> tuple[bool, str]:
    return not isinstance(node, ast.Constant), ast.unparse(node)


# -- loops -------------------------------------------------------------------------------------------------------------
def is_range(node: ast.expr) -> bool:
    """Return whether an expression counts: a call of range or enumerate."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("range", "enumerate")


def is_index(name: str, element: ast.expr) -> bool:
    """Return whether the name of a loop occurs only as the index of a column: ``d[i]``."""
    inside = sum(isinstance(one, ast.Subscript) and isinstance(one.slice, ast.Name) and one.slice.id == name for one in ast.walk(element))
    return inside == sum(isinstance(one, ast.Name) and one.id == name for one in ast.walk(element)) > 0


def is_arithmetic(element: ast.expr, target: ast.expr) -> bool:
    """Return whether an expression does the same with each entry of a column as with the whole column."""
    names = {one.id for one in ast.walk(target) if isinstance(one, ast.Name)}
    for node in ast.walk(element):
        has_entry = any(isinstance(one, ast.Name) and one.id in names for one in ast.walk(node))
        function = getattr(node.func, "attr", getattr(node.func, "id", "")) if isinstance(node, ast.Call) else "abs"
        is_entry = isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Name)
        if has_entry and (is_entry or function not in ELEMENTWISE or isinstance(node, ast.List | ast.Tuple | ast.ListComp | ast.IfExp)):
            return False
    return True


# -- places ------------------------------------------------------------------------------------------------------------
def place_in_form(tree: ast.expr, part: ast.expr | None, parsed: ast.expr, text: str) -> tuple[int, int]:
    """Return where a part of a tree is in the text of the tree; with the `text`, where the sign between two sides is."""
    places: Sequence[Any] = [node for node in ast.walk(parsed) if isinstance(node, ast.expr)]
    parts = [node for node in ast.walk(tree) if isinstance(node, ast.expr)]
    found = [place for node, place in zip(parts, places) if node is part]
    if len(found) != 1 or len(parts) != len(places):
        return (0, 0)
    match found[0]:
        case ast.BinOp(left, _, right) | ast.Compare(left, [_], [right]) if text and not isinstance(left, ast.BinOp):
            start = left.end_col_offset or 0
            sign = text[start : right.col_offset].strip(" ()")
            start = text.index(sign, start)
            return (start, start + len(sign))
    return (found[0].col_offset, found[0].end_col_offset)
