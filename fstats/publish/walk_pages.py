"""Step-by-step presentations of tests as static web pages.

A page contains the frames of every alternative and level, so it needs neither Python nor a server.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .assets import front_end
from .browser_python.prerendered_explorers import compress_json, stored_explorers

if TYPE_CHECKING:
    from ..explore.walkthrough.walk import Walk

HERE = Path(__file__).parent
MIN_REPEATED_LENGTH = 40  # minimum number of characters of a text that is stored once for several views
_PIECES = re.compile(r"(?=<g |<path|<text|<div|<span)")


def walk_scripts(notebook: Any) -> Iterator[tuple[Any, str]]:
    """Yield each stored picture of a walk, with a script element that contains the frames and is placed after the picture."""
    for output, _, walk in stored_explorers(notebook, walks=True):
        yield output, f'<script type="text/plain" class="fstats-walk-frames">{compress_json(walk_data(walk))}</script>'


def walk_data(walk: Walk) -> dict[str, Any]:
    """Return the views of a walk for each combination of choices; a text that occurs in several views is stored once.

    In a view, the character U+0001 with a number and a semicolon stands for the text with this number.
    """
    texts: dict[str, int] = {}

    def share(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: share(inner) for name, inner in value.items()}
        if isinstance(value, list):
            return [share(inner) for inner in value]
        if not isinstance(value, str):
            return value
        pieces = _PIECES.split(value)
        return "".join(f"\x01{texts.setdefault(piece, len(texts))};" if len(piece) >= MIN_REPEATED_LENGTH else piece for piece in pieces)

    choices = walk.choices
    views = [
        [list(values), share(walk.view_of(walk.chosen(**dict(zip(choices, values))) if choices else walk.test))]
        for values in product(*choices.values())
    ]
    start = [getattr(walk.test, name) for name in choices]
    return {"choices": list(choices), "start": start, "views": views, "texts": list(texts)}


def walk_front_end() -> str:
    """Return the script for pages: the front end of walks, and the start of each walk on the page."""
    from ..explore.walkthrough.walk import Walk

    return front_end("window.fstatsWalk", Walk) + (HERE / "walk_pages.js").read_text(encoding="utf-8")


def walk_style() -> str:
    """Return the style sheet of walks."""
    from ..explore.walkthrough.walk import Walk

    return str(Walk._css)
