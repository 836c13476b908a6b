"""`display`, and text in markup languages, as in IPython."""

from __future__ import annotations

from typing import Any

display_hooks: list[Any] = []
"""Functions that show objects; the cell runner adds its own."""


def display(*things: Any) -> None:
    """Show objects below the running cell."""
    for thing in things:
        display_hooks[-1](thing)


class DisplayObject:
    """Text in a markup language."""

    kind = "text/plain"

    def __init__(self, data: str = "") -> None:
        self.data = data

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {self.kind: self.data, "text/plain": self.data}


class HTML(DisplayObject):
    """HTML."""

    kind = "text/html"


class Markdown(DisplayObject):
    """Markdown; a page shows its source."""

    kind = "text/markdown"


class Latex(DisplayObject):
    """Formulas."""

    kind = "text/latex"
