"""Registry of output formats of statistical tests.

The renderers (text, HTML, LaTeX, pictures) are imported when first used.

With the registry, modules that compute do not depend on renderers.  The package registers its renderers in ``fstats/__init__.py``;
further renderers are added by a call of :func:`register_renderers`.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_RENDERERS: dict[str, str] = {}


def register_renderers(**functions: str) -> None:
    """Register renderers by name: ``register_renderers(text="fstats.render.plain_text:render_text")``."""
    _RENDERERS.update(functions)


def get_renderer(name: str) -> Any:
    """Import and return the renderer of this name."""
    module, _, function = _RENDERERS[name].partition(":")
    return getattr(import_module(module), function)
