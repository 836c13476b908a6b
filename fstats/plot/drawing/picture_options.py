"""Options that all pictures have: axes, title and size."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import Parameter, signature
from typing import Any

from .picture import Picture

OPTION_DEFAULTS = {"ax": None, "title": "", "figsize": None}  # arguments that all functions for pictures have, with their defaults


def with_picture_options(function: Callable[..., Picture]) -> Callable[..., Picture]:
    """Decorate a picture function with the arguments `ax` (axes to draw on), `title` (None for no title) and `figsize` (for a publication).

    >>> @with_picture_options
    ... def nothing():
    ...     return Picture("Nothing", "", "", (0.0, 1.0), (0.0, 1.0), (), "nothing")
    >>> nothing().title, nothing(title=None).title, nothing(figsize=(3.4, 2)).figsize
    ('Nothing', '', (3.4, 2.0))
    """

    @wraps(function)
    def with_options(*values: Any, ax: Any = None, title: str | None = "", figsize: Any = None, **named: Any) -> Picture:
        return function(*values, **named).with_options(ax, title, figsize)

    more = [Parameter(name, Parameter.KEYWORD_ONLY, default=default) for name, default in OPTION_DEFAULTS.items()]
    with_options.__signature__ = signature(function).replace(  # type: ignore[attr-defined]
        parameters=[*signature(function).parameters.values(), *more]
    )
    return with_options
