"""What a line may be made of."""

from __future__ import annotations

from typing import Any, NamedTuple


class Ingredient(NamedTuple):
    """A value of the page, or made of some: how it is written, and how far-fetched it is."""

    tex: str
    value: Any
    cost: float
    counts: bool = False
    own: bool = False
