"""Variants of an expression with different parentheses.

One pair of parentheses is added, removed or moved.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

from .pure_functions import BINARY

MOST_OPERANDS, MOST_MOVED = 12, 6  # maximum number of operands for which parentheses are added or removed, and for which they are moved
ARITHMETIC = {kind: BINARY[kind] for kind in (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow)}


def regrouped(part: Any) -> Iterator[tuple[ast.expr, int]]:
    """Yield an operation with other parentheses if this is another calculation, with 1, or 2 if a pair is moved.

    Parentheses inside one side of the operation are left: they are found for this side.
    """
    operands: list[ast.expr] = []
    text = ast.unparse(_lettered(part, operands))
    if not 2 < len(operands) <= MOST_OPERANDS:
        return
    without = [text[:start] + text[start + 1 : stop] + text[stop + 1 :] for start, stop in _pairs(text)]
    more, moved = ([other for one in texts for other in _enclosed(one)] for texts in ([text], without))
    sides, found = {_key(part.left), _key(part.right)}, {_value(ast.parse(text, mode="eval").body)}
    for rank, texts in (1, [*without, *more]), (2, moved if len(operands) <= MOST_MOVED else []):
        for other in texts:
            tree: Any = ast.parse(other, mode="eval").body
            if (value := _value(tree)) not in found:
                found.add(value)
                new = _folded(tree, lambda name: operands[ord(name) - ord("a")], ast.BinOp)
                # leave out trees with a power of 1, which has no effect
                powers = (one.right for one in ast.walk(new) if isinstance(one, ast.BinOp) and isinstance(one.op, ast.Pow))
                if not sides & {_key(new.left), _key(new.right)} and not any(getattr(one, "value", 0) == 1 for one in powers):
                    yield new, rank


def _key(node: ast.expr) -> str | int:
    """Return a key that identifies an operand: equal operations have the same key, equal names at different positions do not."""
    return ast.dump(node) if isinstance(node, ast.BinOp) else id(node)


def _lettered(node: Any, operands: list[ast.expr]) -> ast.expr:
    """Replace the operands of nested operations by letters."""
    if isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
        return ast.BinOp(_lettered(node.left, operands), node.op, _lettered(node.right, operands))
    operands.append(node)
    return ast.Name(chr(ord("a") + len(operands) - 1))


def _folded(node: Any, of_letter: Callable[[str], Any], joined: Callable[[Any, Any, Any], Any]) -> Any:
    """Combine operations on letters to a value or a tree, with a function for letters and one for operations."""
    if isinstance(node, ast.Name):
        return of_letter(node.id)
    return joined(_folded(node.left, of_letter, joined), node.op, _folded(node.right, of_letter, joined))


def _value(node: Any) -> str:
    """Return the value of the operations for different numbers near 1; operations with equal values are equivalent."""
    try:
        return f"{_folded(node, lambda name: (ord(name) - 90) ** 0.05, lambda left, sign, right: ARITHMETIC[type(sign)](left, right)):.9g}"
    except ArithmeticError:  # nested powers overflow; no formula of the course has them
        return ""


def _pairs(text: str) -> Iterator[tuple[int, int]]:
    """Yield the positions of each pair of parentheses."""
    opened: list[int] = []
    for place, sign in enumerate(text):
        if sign == "(":
            opened.append(place)
        elif sign == ")":
            yield opened.pop(), place


def _enclosed(text: str) -> Iterator[str]:
    """Yield the text with an additional pair of parentheses around two or more letters."""
    for start, stop in combinations([place for place, sign in enumerate(text) if sign.isalpha()], 2):
        yield f"{text[:start]}({text[start : stop + 1]}){text[stop + 1 :]}"
