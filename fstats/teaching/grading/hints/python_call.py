r"""Hints that show a calculation as Python code.

A call is built from the syntax tree that :mod:`fstats.procedures.formula` computes for the displayed formula, so every
spelling of a formula has the same call. A formula in words has no call.
"""

from __future__ import annotations

import ast
from collections.abc import Collection
from typing import Any

from ....core.procedure import Procedure
from ....core.step import Step
from ....procedures.formula import VerbalFormulaError, step_expression
from ..exercise import Exercise
from ..question import Choice, Question
from .numpy_expression import NotExpressible, NumpyWriter, SlotWriter, written

MOST = 40  # maximum number of numbers in a displayed call
# (class, step): call, for formulas whose automatic translation would differ from the calls of the course. $name is the value of a step.
# The formula of EquivalenceByHand contains two negative z values; this call contains two positive ones.
BY_HAND = {("EquivalenceByHand", "size"): "((stats.norm.isf($alpha) + stats.norm.isf($beta / 2)) * $sd / $margin) ** 2"}


def call_for(exercise: Exercise, question: Question, test: Procedure) -> str:
    """Return the call for the step of a question, on a test of the same class; the call contains only numbers known to a student."""
    asked = {question.step for question in exercise.questions if not isinstance(question, Choice)}
    return call(test, exercise.asked(question), asked | exercise.given.keys())


def call(test: Procedure, step: Step[Any], known: Collection[str] = ()) -> str:
    """Return the Python expression for a step with the test's numbers; empty if none exists, or if it has too many numbers.

    Sums, means and standard deviations that are not among the `known` steps are written out.
    """
    for written_out in (True, False) if known else (False,):
        try:
            tree = step_tree(test, step)
            if written_out:
                tree = _WrittenOut(test, known).visit(tree)
            typed = _Arrays().visit(NumpyWriter(test).visit(tree))
        except (VerbalFormulaError, NotExpressible):
            return ""
        if sum(not isinstance(one, ast.List) for node in ast.walk(typed) if isinstance(node, ast.List) for one in node.elts) <= MOST:
            return "" if _is_plain(typed) else ast.unparse(typed)
    return ""


def step_tree(test: Procedure, step: Step[Any]) -> Any:
    """Parse a formula to a syntax tree with names ``t.slot`` and functions of :mod:`fstats.procedures.formula.formula_functions`."""
    if by_hand := BY_HAND.get((type(test).__name__, step.name)):
        return ast.parse(by_hand.replace("$", "t."), mode="eval").body
    return ast.parse(step_expression(type(test), step.template(test), test.over(step.name)), mode="eval").body


def calculation_tree(test: Procedure, step: str) -> Any:
    """Return the right calculation of a step as a tree of numpy in which each quantity is a name."""
    return SlotWriter(test).visit(step_tree(test, test.steps[step]))


def _is_plain(node: ast.AST) -> bool:
    """Return whether an expression needs no computation: a value, a comparison of numbers, or a sum of integers."""
    match node:
        case ast.Compare(left, _, others):
            return _is_number(left) and all(map(_is_number, others))
        case ast.BinOp(left, ast.Add() | ast.Sub(), ast.Constant(int())):
            return _is_plain(left) and (isinstance(left, ast.BinOp) or isinstance(getattr(left, "value", None), int))
        case ast.List(entries):
            return all(map(_is_plain, entries))
    return _is_number(node)


def _is_number(node: ast.AST) -> bool:
    """Return whether a node is a number, with or without a sign."""
    return isinstance(node.operand if isinstance(node, ast.UnaryOp) else node, ast.Constant)


class _WrittenOut(ast.NodeTransformer):
    """Replace a step by its formula if the step is a sum, a mean or a standard deviation."""

    def __init__(self, test: Procedure, known: Collection[str]) -> None:
        self.test, self.known = test, known

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """Visit an attribute of the test, which stands for a step or an input."""
        if ast.unparse(node.value) != "t" or node.attr in self.known or node.attr not in self.test.steps:
            return node
        try:
            typed = NumpyWriter(self.test).visit(step_tree(self.test, self.test.steps[node.attr]))
        except (VerbalFormulaError, NotExpressible):
            return node
        sums = isinstance(typed, ast.Call) and ast.unparse(typed.func) in ("np.sum", "np.mean", "np.std")
        return step_tree(self.test, self.test.steps[node.attr]) if sums else node


class _Arrays(ast.NodeTransformer):
    """Write np.array around a list if arithmetic, an index or an absolute value needs an array."""

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Visit the children of a node, then the node."""
        super().generic_visit(node)
        by_sign = isinstance(node, ast.BinOp | ast.UnaryOp | ast.Compare | ast.Subscript)
        if by_sign or (isinstance(node, ast.Call) and ast.unparse(node.func) == "abs"):
            for name, part in ast.iter_fields(node):
                setattr(node, name, [*map(self._array, part)] if isinstance(part, list) else self._array(part))
        return node

    @staticmethod
    def _array(node: Any) -> Any:
        return written("np.array({})", node) if isinstance(node, ast.List) else node
