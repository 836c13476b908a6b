r"""Evaluation of LaTeX formulas.

A formula is translated into a Python expression.

A formula may contain

* slots with indices of their own (``$d``, ``\sum_i $d``), letters that a clause defines (``a - b,\ a = $mean``), numbers,
* ``\frac``, ``\sqrt``, ``\binom``, powers, factorials, ``|x|``, ``\ln``, ``\lfloor x\rfloor``, relations,
* ``\sum_i``, ``\prod_i``, ``\#\{i : $d > 0\}``, ``\min\{x, y\}``, ``\max_i``, ``\mathrm{rank}``, ``\mathrm{median}``,
* ``P($null \leq $statistic)``, ``t_{$df}``, ``\chi^2_{$df}``, ``F_{$df, $df_error}``, ``\mathrm{Normal}(0, 1)``, ``\mathrm{Bin}(n, 1/2)``,
* cases, as in ``$a \text{ if } $b > 0, 0 \text{ else}``; text that explains a letter.

A formula that is written (partly) in other words, such as ``\text{all pairs of } $labels``, raises :class:`VerbalFormulaError`.
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

__all__ = ["VerbalFormulaError", "evaluate_formula", "formula_to_python", "step_expression", "step_function"]


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


def _slot_indices(cls: type[Procedure], formula: str) -> tuple[tuple[str, str], ...]:
    return tuple((name, cls.over(name)) for name in slot_names(formula))


def step_expression(cls: type[Procedure], formula: str, target: str) -> str:
    """Return the Python expression of a formula of a test, as :func:`formula_to_python`."""
    return formula_to_python(formula, _slot_indices(cls, formula), target)


def step_function(cls: type[Procedure], formula: str, target: str) -> Callable[[Any], Any]:
    """Return the function that computes a formula for a single test; ``target`` holds the indices of the result."""
    return lambda test: _compiled(formula, _slot_indices(cls, formula), target)(test)


def evaluate_formula(test: Procedure, formula: str, target: str) -> Any:
    """Compute a formula from the steps and inputs of a single test."""
    return step_function(type(test), formula, target)(test)
