"""Terms of a parsed LaTeX formula.

Each term has a Python expression and the indices of its value.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .latex_tokenizer import VerbalFormulaError


@dataclass(frozen=True)
class Term:
    """A Python expression, the indices of its value, and whether the value is a distribution."""

    text: str
    axes: str = ""
    is_distribution: bool = False

    def align(self, axes: str) -> str:
        """Return the expression with an axis of length 1 for each missing index."""
        if not self.axes or self.axes == axes:
            return self.text
        return f"{self.text}[{', '.join(':' if letter in self.axes else 'None' for letter in axes)}]"

    def reduce(self, function: str, letters: Iterable[str]) -> Term:
        """Apply a function along the axes of some indices."""
        if missing := set(letters) - set(self.axes):
            raise VerbalFormulaError(f"a symbol of the formula must have the index {', '.join(sorted(missing))}; got none")
        places = tuple(self.axes.index(letter) for letter in sorted(letters))
        axis = str(places[0]) if len(places) == 1 else str(places)
        return Term(f"{function}({self.text}, axis={axis})", "".join(letter for letter in self.axes if letter not in letters))


def all_axes(terms: Iterable[Term]) -> str:
    """Return the indices that at least one of the terms has."""
    return "".join(sorted({letter for term in terms for letter in term.axes}))


def join(text: str, *terms: Term) -> Term:
    """Make an expression of terms whose axes are aligned; ``text`` has a place ``{}`` for each term."""
    axes = all_axes(terms)
    return Term(text.format(*(term.align(axes) for term in terms)), axes)


def distribution(name: str, parameters: list[Term], count: int) -> Term:
    """Return the call that makes a distribution; ``count`` is the number of its parameters."""
    if len(parameters) != count:
        raise VerbalFormulaError(f"the distribution {name} needs {count:g} parameters; got {len(parameters)}")
    term = join(f"{name}({', '.join('{}' for _ in parameters)})", *parameters)
    return Term(term.text, term.axes, is_distribution=True)
