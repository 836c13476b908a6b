"""The explorers of a notebook as a page has them before its Python is there: the first control moves through drawn positions."""

from __future__ import annotations

import gzip
import json
import warnings
from base64 import b64encode
from collections.abc import Iterator, Sequence
from typing import Any

from ...explore.widgets.explorer import Explorer
from ...plot.drawing.picture_marks import DEFAULT_SIZE, PictureSize
from ..notebook_content import explorer_name
from .cell_dependencies import code_needed

MAX_POSITIONS = 40  # positions of the first control that are drawn
MAX_LENGTH = 200_000  # letters of all that a page has of an explorer: 150 kB; what is larger is drawn at fewer positions
FRONT_END_KEYS = {"presses", "room"}  # of a view: what the front end says itself
PHONE_SIZE = 320, 13  # pixels that a picture and its letters have there, where what is drawn for a desk would be half as large
SLIDE_SIZE = 530, 15  # on a slide, which shows all of an explorer at once
PICTURES_HEIGHT = 400  # pixels of all pictures, on a phone and on a slide


class ExplorerMismatchError(RuntimeError):
    """An explorer does not start as the notebook has stored it."""


def explorer_outputs(notebook: Any, slides: bool = False) -> Iterator[tuple[Any, str]]:
    """Each stored picture that stands for an explorer, and what the page, or the deck of slides, needs to let it move."""
    above: list[str] = []
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        for output in cell.get("outputs", []):
            if name := explorer_name(output):
                before, made = _create_explorer(above, cell.source, output.data["text/plain"])
                most, told = 2 * MAX_POSITIONS, ""
                while not told or (len(told) > MAX_LENGTH and most > 1):
                    most //= 2
                    told = compress_json({"name": name, "before": before, "cell": cell.source, **prerender_views(made, most, slides)})
                yield output, told
        above.append(cell.source)


def compress_json(told: dict[str, Any]) -> str:
    """Compressed, as letters that may stand in a page."""
    return b64encode(gzip.compress(json.dumps(told, separators=(",", ":")).encode(), 9, mtime=0)).decode()


def prerender_views(made: Explorer[Any], most: int = MAX_POSITIONS, slides: bool = False) -> dict[str, Any]:
    """The views along the first control, field by field, so that what is alike lies side by side; and which of them is the start.

    Pictures are drawn twice, for a desk (or a slide) and for a phone.  One that several views show is written once, and named by its place
    in `pictures`: gzip looks back less far than many are long.
    """
    made.reset()
    names = made.view["leading"]
    start = made.control(names[0])
    every = range(start.least, start.most + 1)
    places = sorted({*every[:: -(-len(every) // most)], start.value, start.most}) if start.active else [start.value]
    count = len(made.view["pictures"])

    def small(width: int, text: int) -> PictureSize:  # as explorer.js shares out a small screen
        return PictureSize(width, width * (0.56 if count > 1 else 0.7), text, PICTURES_HEIGHT / min(count, 2))

    wide: list[dict[str, Any]] = []
    narrow: list[dict[str, Any]] = []
    for place in places:
        if made.control(names[0]).value != place:
            made.move(**{names[0]: place})
        for views, room in ((wide, small(*SLIDE_SIZE) if slides else DEFAULT_SIZE), (narrow, small(*PHONE_SIZE))):
            made.room = room._asdict()
            views.append(made.view)
    fields = {name: [view[name] for view in wide] for name in made.view if name not in FRONT_END_KEYS}
    smaller = {name: [view[name] for view in narrow] for name in ("pictures", "grips")}
    pictures = list(dict.fromkeys(picture for view in (*wide, *narrow) for picture in view["pictures"]))
    for some in (fields, smaller):
        some["pictures"] = [[pictures.index(picture) for picture in shown] for shown in some["pictures"]]
    found = {"views": fields, "narrow": smaller, "pictures": pictures}
    return {"control": names[0], "places": places, "start": places.index(start.value), **found}


def _create_explorer(above: Sequence[str], cell: str, stored: str) -> tuple[str, Explorer[Any]]:
    """The explorer of a cell, and the code that it takes before: what it needs of the cells above; if that does not do, all of them."""
    for before in (code_needed(above, cell), "\n".join(above)):
        made = evaluate_cell(before, cell)
        if isinstance(made, Explorer) and _explorer_text(made) == stored:
            return before, made
    raise ExplorerMismatchError(f"the explorer of this cell does not start as it is stored; execute the notebook anew: {cell}")


def evaluate_cell(before: str, cell: str) -> Any:
    """The value of the cell's last line, where these lines have run before."""
    import ast

    space: dict[str, Any] = {"__name__": "__main__"}
    *body, last = ast.parse(f"{before}\n{cell}").body
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(ast.Module(body, []), "<notebook>", "exec"), space)
        return eval(compile(ast.Expression(last.value), "<notebook>", "eval"), space) if isinstance(last, ast.Expr) else None


def _explorer_text(made: Explorer[Any]) -> str:
    """What an explorer says in words where it stands still."""
    test = made.test
    return " ".join([f"[{made.name}]", *(picture.text for picture in made.pictures(test)), test.conclusion])
