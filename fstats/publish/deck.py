"""A deck of slides from a notebook's core: reveal.js shows it, explorers are pictures with a link, notes are the speaker's.

Which cells begin a slide is what the notebook says (``slide_type``); where it says nothing, headings begin slides, and so does what
would not fit on the slide before.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from html import escape
from pathlib import Path
from typing import Any

from . import assets
from .reading import LAB, PNG, explorer, headings, inside, kind, read, title, with_figures, with_links

FULL = 1.0  # what a slide holds, in the units of `_weight`


class NoSlides(ValueError):
    """A notebook that says itself that none of its cells belongs on a slide."""


def write(path: Path, to: Path, decks: Collection[str] = (), lab: str = LAB) -> Path:
    """Write the deck of a notebook; `decks` are the notebooks to whose decks links lead, all others lead to JupyterLab."""
    to.mkdir(parents=True, exist_ok=True)
    assets.lay_mathjax(to)
    assets.lay_reveal(to / "reveal")
    file = to / f"{path.stem}.html"
    file.write_text(deck(path, decks, lab), encoding="utf-8")
    return file


def deck(path: Path, decks: Collection[str] = (), lab: str = LAB) -> str:
    """The page of a deck."""
    from .export import exported

    home = f"{lab}/{path.resolve().parent.name}"

    def link(name: str, section: str) -> str:
        place = f"{home}/{path.name}" + f"#{section}" * bool(section)
        return f'<a href="{escape(place)}" target="_blank">Move it: {escape(name)}</a> (while <code>fstats lab</code> runs)'

    def target(to: str) -> str:
        if "://" in to or to.startswith("#"):
            return to if "://" in to else ""
        file = Path(to.partition("#")[0])
        return f"{file.stem}.html" if file.stem in decks else f"{home}/{to}"

    notebook = as_slides(read(path), path.name)
    with_figures(notebook, inside, link, one_by_one=True)
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = with_links(cell.source, target)
    return exported(notebook, "deck", title(notebook), style="deck.css", script="deck.js")


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
