r"""How numpy and SciPy compute a line of the work: the call with the numbers of an example in it, to be typed and tried.

It is written from the tree of the formula that the line displays, the same that :mod:`fstats.procedures.formula` computes; so each
spelling of a formula has the same call.  What a formula says in words has none.
"""

from __future__ import annotations

import ast
from collections.abc import Collection
from typing import Any

from ....core.procedure import Procedure
from ....core.step import Step
from ....procedures.formula import VerbalFormulaError, formula_to_python
from ....procedures.formula.latex_tokenizer import slot_names
from ..exercise import Exercise
from ..question import Choice, Question
from .numpy_expression import NotTyped, Typed, written

MOST = 40  # numbers of columns that are written in a call
# (class, step): a call whose slots are steps, where the tree has none that the course teaches
BY_HAND = {
    (
        "EquivalenceByHand",
        "size",
    ): "((stats.norm.isf($alpha) + stats.norm.isf($beta / 2)) * $sd / $margin) ** 2",  # both z are negative, or none
}


def call_for(exercise: Exercise, question: Question, test: Procedure) -> str:
    """The call for what a question asks, on a test of its kind; of all that a student has, the numbers stand in it."""
    asked = {one.step for one in exercise.questions if not isinstance(one, Choice)}
    return call(test, exercise.asked(question), asked | exercise.given.keys())


def call(test: Procedure, step: Step[Any], known: Collection[str] = ()) -> str:
    """The Python expression for a step with the test's own numbers in it; empty if there is none, or too many numbers to write.

    Sums, means and spreads that are not among the `known` steps are written out, too.
    """
    for written_out in (True, False) if known else (False,):
        try:
            tree = _tree(test, step)
            if written_out:
                tree = _WrittenOut(test, known).visit(tree)
            typed = _Arrays().visit(Typed(test).visit(tree))
        except (VerbalFormulaError, NotTyped):
            return ""
        if sum(not isinstance(one, ast.List) for node in ast.walk(typed) if isinstance(node, ast.List) for one in node.elts) <= MOST:
            return "" if _is_plain(typed) else ast.unparse(typed)
    return ""


def _tree(test: Procedure, step: Step[Any]) -> Any:
    """What a formula computes, as a tree whose names are ``t.slot`` and those of :mod:`fstats.procedures.formula.formula_functions`."""
    if by_hand := BY_HAND.get((type(test).__name__, step.name)):
        return ast.parse(by_hand.replace("$", "t."), mode="eval").body
    formula, over = step.template(test), type(test).over
    return ast.parse(
        formula_to_python(formula, tuple((name, over(name)) for name in slot_names(formula)), over(step.name)), mode="eval"
    ).body


def _is_plain(node: ast.AST) -> bool:
    """Whether there is nothing to compute: a value, numbers to compare, whole numbers to add."""
    match node:
        case ast.Compare(left, _, others):
            return _is_number(left) and all(map(_is_number, others))
        case ast.BinOp(left, ast.Add() | ast.Sub(), ast.Constant(int())):
            return _is_plain(left) and (isinstance(left, ast.BinOp) or isinstance(getattr(left, "value", None), int))
        case ast.List(entries):
            return all(map(_is_plain, entries))
    return _is_number(node)


def _is_number(node: ast.AST) -> bool:
    """Whether a number stands here, with or without a sign."""
    return isinstance(node.operand if isinstance(node, ast.UnaryOp) else node, ast.Constant)


class _WrittenOut(ast.NodeTransformer):
    """Puts its formula in the place of a step that is a sum, a mean or a spread."""

    def __init__(self, test: Procedure, known: Collection[str]) -> None:
        self.test, self.known = test, known

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """A slot."""
        if ast.unparse(node.value) != "t" or node.attr in self.known or node.attr not in self.test.steps:
            return node
        try:
            typed = Typed(self.test).visit(_tree(self.test, self.test.steps[node.attr]))
        except (VerbalFormulaError, NotTyped):
            return node
        sums = isinstance(typed, ast.Call) and ast.unparse(typed.func) in ("np.sum", "np.mean", "np.std")
        return _tree(self.test, self.test.steps[node.attr]) if sums else node


class _Arrays(ast.NodeTransformer):
    """Makes arrays of the lists that something is computed with by signs, or of which entries or absolute values are taken."""

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """A node, behind those that it is made of."""
        super().generic_visit(node)
        by_sign = isinstance(node, ast.BinOp | ast.UnaryOp | ast.Compare | ast.Subscript)
        if by_sign or (isinstance(node, ast.Call) and ast.unparse(node.func) == "abs"):
            for name, part in ast.iter_fields(node):
                setattr(node, name, [*map(self._array, part)] if isinstance(part, list) else self._array(part))
        return node

    @staticmethod
    def _array(node: Any) -> Any:
        return written("np.array({})", node) if isinstance(node, ast.List) else node
