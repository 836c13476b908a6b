"""Minimal replacement for anywidget in the browser.

A widget shares its traits with the page.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, ClassVar

import traitlets


class AnyWidget(traitlets.HasTraits):
    """Widget whose traits the page copies: `take` sets traits that the page changed, and `changed` collects traits changed by Python."""

    made: ClassVar[list[AnyWidget]] = []
    """All widgets; the index of a widget in this list is its key in the page."""

    def __init__(self, **given: Any) -> None:
        self.changed: set[str] = set()
        super().__init__(**given)
        self.key = len(self.made)
        self.made.append(self)
        self.observe(lambda change: self.changed.add(change["name"]), list(self.traits(sync=True)))

    def take(self, state: Mapping[str, Any]) -> None:
        """Set the traits that the page has changed."""
        for name, value in state.items():
            if self.has_trait(name):
                self.set_trait(name, value)

    def pop_changes(self, everything: bool = False) -> dict[str, Any]:
        """Return the values that the page does not know yet, or all shared values."""
        names = list(self.traits(sync=True)) if everything else sorted(self.changed)
        self.changed = set()
        return {name: getattr(self, name) for name in names}

    @contextmanager
    def hold_sync(self) -> Iterator[None]:
        """Do nothing, because changes are only sent with the reply to a message of the page."""
        yield

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        return {}
