r"""Formulas that compute: the template that a step shows is read into one expression, and its value follows from the slots alone.

What a formula says in words (``\text{all pairs of } $labels``) is :class:`InWords`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from ...core.procedure import Procedure
from ...core.step import HIDDEN_SLOTS_SEPARATOR
from . import formula_functions
from .latex_parser import LatexParser
from .latex_tokenizer import names
from .parser_base import InWords

__all__ = ["InWords", "computed", "expression", "value"]


@cache
def formula_to_python(formula: str, over: tuple[tuple[str, str], ...], target: str) -> str:
    """The Python expression of a formula: ``t.mean`` is the slot ``$mean``; ``over`` holds the indices of the slots,
    ``target`` those of the result.
    """
    try:
        return LatexParser(dict(over), target).read(formula.partition(HIDDEN_SLOTS_SEPARATOR)[0]).text
    except (IndexError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise InWords(str(error)) from error


@cache
def _compiled(formula: str, over: tuple[tuple[str, str], ...], target: str) -> Callable[[Any], Any]:
    made: Callable[[Any], Any] = eval(f"lambda t: {formula_to_python(formula, over, target)}", vars(formula_functions))
    return made


def step_function(cls: type[Procedure], formula: str, target: str) -> Callable[[Any], Any]:
    """The function of a test that computes a formula; ``target`` holds the indices of the result.  The test is one, not a batch."""
    over = tuple((name, cls.over(name)) for name in names(formula))
    return lambda test: _compiled(formula, over, target)(test)


def evaluate_formula(test: Procedure, formula: str, target: str) -> Any:
    """What a formula comes to for a test whose steps and inputs are its slots."""
    return step_function(type(test), formula, target)(test)
