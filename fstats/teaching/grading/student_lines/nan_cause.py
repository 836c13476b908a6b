"""Find the cause of nan in a student's calculation.

Causes are the root of a negative number, an argument that is not a probability, and an empty slice.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from contextlib import suppress
from itertools import islice
from typing import Any
from warnings import catch_warnings

import numpy as np

from .code_history import Definition, StudentLine, place_in_line
from .evaluation_limits import Budget
from .line_parts import MAX_FOLLOWED, arrays
from .pure_evaluator import PureEvaluator

WORK = 5_000
ROOT = "`{}` is negative, and the square root of a negative number is not defined: are parentheses missing, or in the wrong place?"
PROBABILITY = "The first argument of `{}` must be a probability, a number from 0 to 1; got `{}`."
EMPTY = "`{}` has no entries: check where the slice starts and ends, or which entries the condition takes."
OPERATION = "nan comes from `{}`."


def nan_cause(line: StudentLine | None, data: Mapping[str, Any]) -> str:
    """Return the sentence about the first operation of a line that makes nan from numbers; empty if it is not known."""
    if line is None:
        return ""
    # if the line cannot be evaluated, the cause is unknown
    with np.errstate(all="ignore"), catch_warnings(action="ignore"), suppress(Exception):
        world = PureEvaluator(line.history, arrays(data), line.namespace, dict[str, Any]().__getitem__, Budget(WORK))
        for definition in islice(line.history.followed(line.definition, lambda one: isinstance(one.tree, ast.expr)), MAX_FOLLOWED):
            for node in reversed([*ast.walk(definition.tree)]):  # type: ignore[arg-type]
                if isinstance(node, ast.BinOp | ast.Call) and (words := _of_operation(world, node, definition)):
                    return words
    return ""


def _of_operation(world: PureEvaluator, node: Any, definition: Definition) -> str:
    """Return the sentence about an operation that gives nan although its operands are numbers."""

    def value(part: Any) -> Any:
        found = np.asarray(world.known_value(part, definition.time))
        return found if found.dtype.kind in "biuf" else None

    def text(part: Any) -> str:
        return definition.text[slice(*place_in_line(definition.text, part))] or ast.unparse(part)

    method_of = [node.func.value] if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else []
    parts = [node.left, node.right] if isinstance(node, ast.BinOp) else node.args or method_of
    values = [value(part) for part in parts]
    result = value(node)
    if result is None or not np.isnan(result).any() or not values or any(one is None or np.isnan(one).any() for one in values):
        return ""
    name = getattr(getattr(node, "func", None), "attr", "")
    if not values[0].size:
        return EMPTY.format(text(parts[0]))
    if (name == "sqrt" or (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow))) and np.any(values[0] < 0):
        return ROOT.format(text(parts[0]))
    if name in ("ppf", "isf") and not np.all((values[0] >= 0) & (values[0] <= 1)):
        return PROBABILITY.format(name, text(parts[0]))
    return OPERATION.format(text(node))
