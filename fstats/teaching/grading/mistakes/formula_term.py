"""Terms of candidate formulas for a wrong answer."""

from __future__ import annotations

from typing import Any, NamedTuple


class FormulaTerm(NamedTuple):
    """A value of the page, or a value computed from such values, with its formula and the complexity of the formula."""

    tex: str
    value: Any
    cost: float
    counts: bool = False
    own: bool = False
