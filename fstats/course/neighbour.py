"""A slip that somebody makes wherever a line has a certain formula."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple


class Neighbour(NamedTuple):
    """A slip at a step: its name, what was computed (as formula and as function), and what the student reads."""

    name: str
    formula: str
    function: Callable[[Any], Any]
    words: str
