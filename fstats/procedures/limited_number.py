"""Checks of inputs that must be numbers within a limit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def limited(rule: Callable[[Any, str], Any], holds: Callable[[float], bool], limit: str) -> Callable[[Any, str], float]:
    """Return a check for a number that follows a rule and keeps a limit, which the error message states.

    >>> limited(lambda x, name: x, lambda x: x <= 0.5, "at most 0.5")(0.7, "tolerance")
    Traceback (most recent call last):
    ValueError: `tolerance` must be at most 0.5; got 0.7
    """

    def check(value: Any, name: str) -> float:
        x = float(rule(value, name))
        if not holds(x):
            raise ValueError(f"`{name}` must be {limit}; got {x:g}")
        return x

    return check
