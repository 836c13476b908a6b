"""A term of the formulas that are searched for a wrong number."""

from __future__ import annotations

from typing import Any, NamedTuple


class FormulaTerm(NamedTuple):
    """A value of the page, or one computed from such values: how it is written, and how complex it is."""

    tex: str
    value: Any
    cost: float
    counts: bool = False
    own: bool = False
