"""A deck of slides from a notebook's core: reveal.js shows it, explorers are pictures with a link, notes are the speaker's.

Which cells begin a slide is what the notebook says (``slide_type``); where it says nothing, headings begin slides, and so does what
would not fit on the slide before.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Collection
from html import escape
from pathlib import Path
from typing import Any

from . import assets
from .reading import PNG, explorer, headings, inside, kind, lead, read, title, where_it_moves, with_figures

FULL = 1.0  # what a slide holds, in the units of `_weight`


class NoSlides(ValueError):
    """A notebook that says itself that none of its cells belongs on a slide."""


def write(path: Path, to: Path, decks: Collection[str] = (), lab: str = "") -> Path:
    """Write the deck of a notebook, and beside it the notebooks to which it leads.

    Links to the notebooks of `decks` lead to their decks, all others to these copies, or to JupyterLab, if it is said where its tree is.
    """
    to.mkdir(parents=True, exist_ok=True)
    assets.lay_mathjax(to)
    assets.lay_reveal(to / "reveal")
    page, beside = deck(path, decks, lab)
    for there, notebook in beside.items():
        (to / there).parent.mkdir(exist_ok=True)
        shutil.copyfile(notebook, to / there)
    file = to / f"{path.stem}.html"
    file.write_text(page, encoding="utf-8")
    return file


def deck(path: Path, decks: Collection[str] = (), lab: str = "") -> tuple[str, dict[str, Path]]:
    """The page of a deck, and the notebooks to which it leads, by their places beside it."""
    from .export import exported

    folder = path.resolve().parent
    home, beside = f"{lab}/{folder.name}", {}

    def copied(file: Path) -> str:
        there = f"{file.parent.name}/{file.name}"
        beside[there] = file
        return there

    def link(name: str, section: str) -> str:
        if not lab:
            return where_it_moves(f"{folder.name}/{path.name}", copied(path.resolve()))(name, section)
        place = f"{home}/{path.name}" + f"#{section}" * bool(section)
        return f'<a href="{escape(place)}" target="_blank">Move it: {escape(name)}</a> (while <code>fstats lab</code> runs)'

    def target(to: str) -> str:
        if "://" in to or to.startswith("#"):
            return to if "://" in to else ""
        file = (folder / to.partition("#")[0]).resolve()
        if file.stem in decks and file.parent == folder:
            return f"{file.stem}.html"
        if lab:
            return f"{home}/{to}"
        return copied(file) if file.is_file() else ""

    notebook = as_slides(read(path), path.name)
    with_figures(notebook, inside, link, one_by_one=True)
    lead(notebook, target)
    return exported(notebook, "deck", title(notebook), style="deck.css", script="deck.js"), beside


def as_slides(notebook: Any, name: str = "the notebook") -> Any:
    """The cells of the core, each with its place on a slide."""
    cells = [cell for cell in _core(notebook.cells) if kind(cell) != "skip"]
    if not any(kind(cell) in ("slide", "subslide") for cell in cells):
        _derive(cells)
    notebook.cells = [cell for cell in cells if not _only_prepares(cell)]
    if not any(kind(cell) != "notes" for cell in notebook.cells):
        raise NoSlides(f"{name}: every cell is skipped or a note; mark one as a slide (in JupyterLab: property inspector, slide type)")
    for cell in notebook.cells:
        if any(explorer(output) for output in cell.get("outputs", [])):
            cell.metadata["only_shows"] = True  # the call says nothing that the picture does not
    return notebook


def _core(cells: list[Any]) -> list[Any]:
    """The cells before the appendix."""
    for number, cell in enumerate(cells):
        if any(heading.level == 2 and heading.words.startswith("Appendix") for heading in headings(cell)):
            return cells[:number]
    return cells


def _only_prepares(cell: Any) -> bool:
    """Whether a cell of code imports and shows nothing."""
    lines = [line for line in getattr(cell, "source", "").splitlines() if line and not line.startswith((" ", ")", "#"))]
    return cell.cell_type == "code" and not cell.outputs and all(line.startswith(("import ", "from ")) for line in lines)


def _derive(cells: list[Any]) -> None:
    """Mark where slides begin: at headings, and where a slide is full."""
    filled = 0.0
    for cell in cells:
        if kind(cell) in ("notes", "fragment") or _only_prepares(cell):
            continue
        levels = [heading.level for heading in headings(cell)]
        weight = _weight(cell)
        begins = "subslide" if levels or filled + weight > FULL else ""
        if min(levels, default=3) <= 2:
            begins = "slide"
        if begins:
            cell.metadata["slideshow"] = {"slide_type": begins}
            filled = 0.0
        filled += weight


def _weight(cell: Any) -> float:
    """About which part of a slide a cell takes."""
    if cell.cell_type == "markdown":
        return 0.08 * len(headings(cell)) + len(cell.source.split()) / 190
    if any(explorer(output) for output in cell.outputs):
        return 0.85
    shown = [output.get("data", {}) for output in cell.outputs]
    printed = "".join(output.get("text", "") for output in cell.outputs).count("\n")
    rows = sum(len(re.findall("<tr", data.get("text/html", ""))) for data in shown)
    return (cell.source.count("\n") + 2 + printed) / 30 + 0.62 * sum(PNG in data for data in shown) + rows / 18
