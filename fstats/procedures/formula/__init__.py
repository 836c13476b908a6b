r"""Evaluation of formulas: the LaTeX template of a step is translated to a Python expression of the slots.

A formula that is written (partly) in words, such as ``\text{all pairs of } $labels``, raises :class:`VerbalFormulaError`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from ...core.procedure import Procedure
from ...core.step import HIDDEN_SLOTS_SEPARATOR
from . import formula_functions
from .latex_parser import LatexParser
from .latex_tokenizer import VerbalFormulaError, slot_names

__all__ = ["VerbalFormulaError", "evaluate_formula", "formula_to_python", "step_function"]


@cache
def formula_to_python(formula: str, over: tuple[tuple[str, str], ...], target: str) -> str:
    """Return the Python expression of a formula, in which ``t.mean`` is the slot ``$mean``.

    ``over`` holds the indices of the slots, ``target`` holds the indices of the result.
    """
    try:
        return LatexParser(dict(over), target).parse(formula.partition(HIDDEN_SLOTS_SEPARATOR)[0]).text
    except (IndexError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise VerbalFormulaError(str(error)) from error


@cache
def _compiled(formula: str, over: tuple[tuple[str, str], ...], target: str) -> Callable[[Any], Any]:
    function: Callable[[Any], Any] = eval(f"lambda t: {formula_to_python(formula, over, target)}", vars(formula_functions))
    return function


def step_function(cls: type[Procedure], formula: str, target: str) -> Callable[[Any], Any]:
    """Return the function that computes a formula for a single test; ``target`` holds the indices of the result."""
    over = tuple((name, cls.over(name)) for name in slot_names(formula))
    return lambda test: _compiled(formula, over, target)(test)


def evaluate_formula(test: Procedure, formula: str, target: str) -> Any:
    """Compute a formula from the steps and inputs of a single test."""
    return step_function(type(test), formula, target)(test)
