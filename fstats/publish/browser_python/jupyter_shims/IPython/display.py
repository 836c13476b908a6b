"""`display`, and words in a markup, as IPython has them."""

from __future__ import annotations

from typing import Any

display_hooks: list[Any] = []
"""Who shows things: the runner of cells puts itself here."""


def display(*things: Any) -> None:
    """Show things below the cell that runs."""
    for thing in things:
        display_hooks[-1](thing)


class DisplayObject:
    """Words in a markup."""

    kind = "text/plain"

    def __init__(self, data: str = "") -> None:
        self.data = data

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {self.kind: self.data, "text/plain": self.data}


class HTML(DisplayObject):
    """HTML."""

    kind = "text/html"


class Markdown(DisplayObject):
    """Markdown, of which a page shows the source."""

    kind = "text/markdown"


class Latex(DisplayObject):
    """Formulas."""

    kind = "text/latex"
