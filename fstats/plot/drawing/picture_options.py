"""What every picture can be asked for: where it is drawn, its title, its size."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import Parameter, signature
from typing import Any

from .picture import Picture

OPTION_DEFAULTS = {"ax": None, "title": "", "figsize": None}  # the arguments that each gets, and their defaults


def with_picture_options(function: Callable[..., Picture]) -> Callable[..., Picture]:
    """The same function; its picture is also drawn on axes (`ax`), has another `title` (None for none), or a size for a paper (`figsize`).

    >>> @with_picture_options
    ... def nothing():
    ...     return Picture("Nothing", "", "", (0.0, 1.0), (0.0, 1.0), (), "nothing")
    >>> nothing().title, nothing(title=None).title, nothing(figsize=(3.4, 2)).figsize
    ('Nothing', '', (3.4, 2.0))
    """

    @wraps(function)
    def drawn(*values: Any, ax: Any = None, title: str | None = "", figsize: Any = None, **named: Any) -> Picture:
        return function(*values, **named).placed(ax, title, figsize)

    more = [Parameter(name, Parameter.KEYWORD_ONLY, default=default) for name, default in OPTION_DEFAULTS.items()]
    drawn.__signature__ = signature(function).replace(  # type: ignore[attr-defined]
        parameters=[*signature(function).parameters.values(), *more]
    )
    return drawn
