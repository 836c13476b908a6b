"""The widget of a page: the traits that are shared with it, as anywidget shares them with JupyterLab."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, ClassVar

import traitlets


class AnyWidget(traitlets.HasTraits):
    """Traits of which the page has a copy: what it changes arrives by `take`, what changes here waits in `changed`."""

    made: ClassVar[list[AnyWidget]] = []
    """All that were made; a place in the list is a name for the page."""

    def __init__(self, **given: Any) -> None:
        self.changed: set[str] = set()
        super().__init__(**given)
        self.key = len(self.made)
        self.made.append(self)
        self.observe(lambda change: self.changed.add(change["name"]), list(self.traits(sync=True)))

    def take(self, state: Mapping[str, Any]) -> None:
        """What the page has changed."""
        for name, value in state.items():
            if self.has_trait(name):
                self.set_trait(name, value)

    def told(self, everything: bool = False) -> dict[str, Any]:
        """What the page does not know yet, or all that it shares."""
        names = list(self.traits(sync=True)) if everything else sorted(self.changed)
        self.changed = set()
        return {name: getattr(self, name) for name in names}

    @contextmanager
    def hold_sync(self) -> Iterator[None]:
        """Nothing is told before the page's message is answered, held or not."""
        yield

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        return {}
