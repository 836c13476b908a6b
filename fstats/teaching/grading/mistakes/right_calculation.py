"""Syntax tree of the NumPy code of a right calculation.

Single parts of the tree can be changed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import numpy as np

from ....core.procedure import Procedure
from ..answers.answer_diagnosis import Diagnosis
from ..answers.answer_value import is_identical
from ..exercise import reachable
from ..hints.numpy_expression import NotExpressible
from ..hints.python_call import calculation_tree
from ..hints.quantity_label import quantity_label
from ..student_lines import line_edits as slip
from ..student_lines.code_history import CodeHistory, Definition
from ..student_lines.evaluation_limits import Budget, NotRead
from ..student_lines.pure_evaluator import PureEvaluator

WORK, DEPTH = 8_000, 2
MOST_PLACES, MOST_TERMS = 4, 40  # a part is rounded to 0 to 3 decimals; a term is left out only if the sum has at most 40 terms
ROUNDED = "a number is rounded in the middle of the calculation"
PLACE, SAME_PLACE = " (in this step: ", " (in the same step)"
MEDIAN = "a median stands in the place of a mean"
TERMS = (
    (-1, "one term of a sum is left out"),
    (-2, "one term of a sum has the other sign"),
    (1, "one term of a sum is counted twice"),
)
WHOLE_TERMS = [words for factor, words in TERMS if abs(factor) == 1]


def known_names(test: Procedure) -> set[str]:
    """Return the names of all quantities of a test."""
    return {*test.steps, *test.inputs}


class _Names(CodeHistory):
    """A history of code in which each name has one definition."""

    def find(self, name: str, before: int) -> Definition | None:
        """Return the definition of a name."""
        return self.definitions.get(name, [None])[-1] if before else None


class RightCalculation:
    """The right calculation as a tree in which each quantity is a name; quantities that no earlier answer shows have trees of their own.

    If `is_open` is true, quantities that a right earlier answer shows have trees, too.
    """

    def __init__(self, diagnosis: Diagnosis, *, is_open: bool = False) -> None:
        self.diagnosis, self.test, self.is_open = diagnosis, diagnosis.test, is_open
        self.budget = Budget(WORK)
        history = _Names()
        history.define("np", module="numpy")
        history.define("stats", module="scipy.stats")
        self.world = PureEvaluator(history, {}, {}, lambda name: getattr(self.test, name), self.budget)
        self.counts: dict[str, bool] = {}
        self.trees: list[tuple[Any, str]] = []  # (syntax tree, description of its place) for the asked step and the steps that it uses
        self.parents: dict[int, set[int]] = {}
        self.root = self._read(diagnosis.question.step, 0, "")

    def _read(self, step: str, depth: int, place: str) -> Any:
        """Return the tree of a step, and define the names in it."""
        try:
            tree = calculation_tree(self.test, step)
        except (NotExpressible, SyntaxError, ValueError, AttributeError, TypeError):
            return None
        self.trees.append((tree, place))
        for node in ast.walk(tree):
            for child in ast.iter_child_nodes(node):
                self.parents.setdefault(id(child), set()).add(id(node))
        for node in [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id in known_names(self.test)]:
            self._define(node, depth)
        return tree

    def _define(self, node: ast.Name, depth: int) -> None:
        name, history = node.id, self.world.history
        value = np.asarray(getattr(self.test, name))
        if value.dtype.kind in "iuf" and not value.ndim:
            self.counts[name] = bool(value == np.floor(value))
        known = history.find(name, history.time + 1)
        if known is None:
            is_open = name in self.test.steps and depth < DEPTH and not self._is_shown(name)
            tree = self._read(name, depth + 1, f"{PLACE}{quantity_label(self.test, name)})") if is_open else None
            known = Definition(name, 1, tree)
            history.definitions[name] = [known]
            if tree is None:
                self.world.aliases[id(known)] = value[()]
        if known.tree is not None:
            self.parents.setdefault(id(known.tree), set()).add(id(node))

    def _is_shown(self, name: str) -> bool:
        earlier = self.diagnosis.earlier.get(name)
        return earlier is not None and earlier.is_right and not self.is_open

    def parts(self) -> Iterator[tuple[ast.expr, str]]:
        """Yield the parts of the calculation, and where they stand."""
        for tree, place in self.trees if self.root is not None else ():
            functions = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
            for node in ast.walk(tree):
                is_name = isinstance(node, ast.Name | ast.Attribute) and ast.unparse(node).partition(".")[0] in ("np", "stats")
                if isinstance(node, ast.expr) and not (is_name or id(node) in functions):
                    yield node, place

    def unfinished(self) -> Iterator[tuple[slip.Edit, str]]:
        """Yield sums in the place of square roots of their shares, and a divisor that is a step in the place of parentheses."""
        for node, place in [*self.parts()]:
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "np.sqrt":
                for inner in ast.walk(node):
                    if isinstance(inner, ast.Call) and ast.unparse(inner.func) == "np.sum":
                        yield slip.Edit(node, inner, slip.UNFINISHED_SPREAD, 2), place
            match node:
                case ast.BinOp(left, ast.Div() | ast.Mult() as operator, ast.Name(name)) if isinstance(
                    tree := self._tree_of(name), ast.expr
                ):
                    for edit in slip.edits(ast.BinOp(left, operator, tree), {}, False):
                        yield from [(edit._replace(part=node), place)] if edit.words == slip.PARENTHESES else ()

    def _tree_of(self, name: str) -> Any:
        known = self.world.history.find(name, 1)
        return None if known is None else known.tree

    def by_hand(self, *, sums: bool = False) -> Iterator[tuple[slip.Edit, str]]:
        """Yield slips of a calculation by hand: a rounded part, and a term of a sum that is left out, doubled or of another sign."""
        names = {id(node): node.id for node, _ in self.parts() if isinstance(node, ast.Name)}
        for node, place in [*self.parts()]:
            is_sum = isinstance(node, ast.Call) and ast.unparse(node.func) == "np.sum" and len(node.args) == 1 and not node.keywords
            if sums and not is_sum:
                continue
            with suppress(NotRead):
                match self._tree_of(names.get(id(node), "")):
                    case ast.BinOp(ast.Call(args=[column]), ast.Div()):
                        yield slip.Edit(node, ast.Constant(np.median(self.world.value(column, 1))), MEDIAN, 1), place
                value = np.asarray(self.world.value(node, 1))
                if value.dtype.kind == "f" and node is not self.root and not isinstance(node, ast.Constant):
                    words = f"this quantity is rounded: {quantity_label(self.test, names[id(node)])}" if id(node) in names else ROUNDED
                    for places in range(MOST_PLACES):
                        rounded: Any = np.round(value, places)[()]
                        if np.any(rounded != value) and np.all((rounded != 0) | (value == 0)):
                            yield slip.Edit(node, ast.Constant(rounded), words, 1), place
                if isinstance(node, ast.Call) and is_sum:
                    terms = np.ravel(self.world.value(node.args[0], 1))
                    yield slip.Edit(node, ast.Constant(terms.size * np.median(terms)), MEDIAN, 1), place
                    for term in terms if terms.dtype.kind in "iuf" and 2 < terms.size <= MOST_TERMS else ():
                        for factor, words in TERMS:
                            yield slip.Edit(node, ast.Constant(terms.sum() + factor * term), words, 1), place

    @property
    def is_right(self) -> bool:
        """Whether the tree can be evaluated, and gives the right value."""
        with suppress(NotRead):
            return is_identical(self.changed(), self.diagnosis.right)
        return False

    def changed(self, *edits: slip.Edit) -> Any:
        """Return the value of the calculation with changed parts."""
        replaced = {id(edit.part): edit.replacement for edit in edits}
        around = reachable(replaced, lambda part: self.parents.get(part, ()))
        return self.world.with_edits(self.root, 1, replaced, frozenset(around))
