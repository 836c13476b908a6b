"""Prerendered interactive explorers for web pages.

The first slider works before Python has started in the page.
"""

from __future__ import annotations

import gzip
import json
import warnings
from base64 import b64encode
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from io import StringIO
from typing import Any

from ...explore.walkthrough.walk_lines import WALK_NAME
from ...explore.widgets.explorer import Explorer
from ...plot.drawing.picture_marks import DEFAULT_SIZE, PictureSize
from ..notebook_content import explorer_name
from .cell_dependencies import code_needed

MAX_POSITIONS = 40  # maximum number of positions of the first control that are drawn in advance
# maximum number of characters of all views of an explorer; if they are longer, fewer positions are drawn in advance
MAX_LENGTH = 200_000
FRONT_END_KEYS = {"presses", "room"}  # entries that the page itself sets, so they are not stored
# width and font size in pixels for a phone, which would show a picture for a desktop at half of its size
PHONE_SIZE = 320, 13
# width and font size in pixels for a slide, which shows all pictures of an explorer side by side
SLIDE_SIZE = 530, 15
PICTURES_HEIGHT = 400  # maximum height in pixels of all pictures of an explorer together


class ExplorerMismatchError(RuntimeError):
    """Error for an explorer whose start differs from the start that is stored in the notebook."""


def explorer_outputs(notebook: Any, slides: bool = False) -> Iterator[tuple[Any, str]]:
    """Yield each stored picture of an explorer, with the data that a page or slide deck needs to move the explorer."""
    for output, code, explorer in stored_explorers(notebook):
        most, data = 2 * MAX_POSITIONS, ""
        while not data or (len(data) > MAX_LENGTH and most > 1):
            most //= 2
            data = compress_json({"name": explorer_name(output), **code, **prerender_views(explorer, most, slides)})
        yield output, data


def stored_explorers(notebook: Any, walks: bool = False) -> Iterator[tuple[Any, dict[str, str], Any]]:
    """Yield each stored picture of an explorer (or of a walk), the code of its cell and of the cells before, and the explorer itself."""
    above: list[str] = []
    for cell in notebook.cells:
        if cell.cell_type == "code":
            for output in cell.get("outputs", []):
                if (name := explorer_name(output)) and name.startswith(WALK_NAME) == walks:
                    before, explorer = create_output(above, cell.source, output.data["text/plain"])
                    yield output, {"before": before, "cell": cell.source}, explorer
            above.append(cell.source)


def compress_json(data: dict[str, Any]) -> str:
    """Return data as compressed JSON in Base64 characters."""
    return b64encode(gzip.compress(json.dumps(data, separators=(",", ":")).encode(), 9, mtime=0)).decode()


def prerender_views(explorer: Explorer[Any], most: int = MAX_POSITIONS, slides: bool = False) -> dict[str, Any]:
    """Return the views for the positions of the first control and the index of the start; equal fields are together to compress better.

    Pictures are drawn twice, for a desktop (or a slide) and for a phone. A picture in several views is stored once, and the views contain
    its index in `pictures`, because many pictures are longer than the window in which gzip finds repetitions.
    """
    explorer.reset()
    names = explorer.view["leading"]
    start = explorer.control(names[0])
    every = range(start.least, start.most + 1)
    places = sorted({*every[:: -(-len(every) // most)], start.value, start.most}) if start.active else [start.value]
    count = len(explorer.view["pictures"])

    def small(width: int, text: int) -> PictureSize:  # explorer.js computes the same size
        return PictureSize(width, width * (0.56 if count > 1 else 0.7), text, PICTURES_HEIGHT / min(count, 2))

    wide: list[dict[str, Any]] = []
    narrow: list[dict[str, Any]] = []
    for place in places:
        # each position starts from a reset, because the previous position may have limited another control
        explorer.reset()
        if explorer.control(names[0]).value != place:
            explorer.move(**{names[0]: place})
        for views, room in ((wide, small(*SLIDE_SIZE) if slides else DEFAULT_SIZE), (narrow, small(*PHONE_SIZE))):
            explorer.room = room._asdict()
            views.append(explorer.view)
    fields = {name: [view[name] for view in wide] for name in explorer.view if name not in FRONT_END_KEYS}
    smaller = {name: [view[name] for view in narrow] for name in ("pictures", "grips")}
    pictures = list(dict.fromkeys(picture for view in (*wide, *narrow) for picture in view["pictures"]))
    for layout in (fields, smaller):
        layout["pictures"] = [[pictures.index(picture) for picture in shown] for shown in layout["pictures"]]
    data = {"views": fields, "narrow": smaller, "pictures": pictures}
    return {"control": names[0], "places": places, "start": places.index(start.value), **data}


def create_output(above: Sequence[str], cell: str, stored: str) -> tuple[str, Any]:
    """Return the code that a cell needs from the cells above (all cells if a part is not enough), and the explorer or walk of the cell."""
    for before in (code_needed(above, cell), "\n".join(above)):
        explorer = evaluate_cell(before, cell)
        if getattr(explorer, "stored_text", "") == stored:
            return before, explorer
    remedy = f"Run the notebook again; the cell of the explorer is {cell}"
    raise ExplorerMismatchError(f"the pictures of an explorer differ from the pictures stored in the notebook. {remedy}")


def evaluate_cell(before: str, cell: str) -> Any:
    """Run the code `before` and the cell, and return the value of the last line of the cell."""
    import ast

    space: dict[str, Any] = {"__name__": "__main__"}
    *body, last = ast.parse(f"{before}\n{cell}").body
    with warnings.catch_warnings(action="ignore"), redirect_stdout(StringIO()):  # the notebook already has this output
        exec(compile(ast.Module(body, []), "<notebook>", "exec"), space)
        return eval(compile(ast.Expression(last.value), "<notebook>", "eval"), space) if isinstance(last, ast.Expr) else None
