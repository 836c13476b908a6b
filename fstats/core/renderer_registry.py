"""The door to the media: what shows a procedure is registered here by name, and loaded when something is shown.

So nothing that computes needs to know who shows it.  The package registers its own media in ``fstats/__init__.py``; a medium of somebody
else's is one more call of :func:`register_renderers`.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_RENDERERS: dict[str, str] = {}


def register_renderers(**places: str) -> None:
    """Say where media are: ``register(text="fstats.render.plain_text:render_text")``."""
    _RENDERERS.update(places)


def get_renderer(name: str) -> Any:
    """The function that shows something in this medium."""
    module, _, function = _RENDERERS[name].partition(":")
    return getattr(import_module(module), function)
