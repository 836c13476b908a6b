"""Convert notebooks to reveal.js slides with speaker notes.

On slides, explorers are pictures with a link. In a live deck, explorers move and cells run with Python in the page.
"""

from __future__ import annotations

import shutil
from collections.abc import Collection, Sequence
from html import escape
from pathlib import Path
from typing import Any

from . import assets
from . import notebook_content as content
from .browser_python.site_files import PageFiles, explorer_caption, explorer_scripts
from .slide_layout import insert_polls, notebook_to_slides
from .walk_pages import walk_front_end, walk_scripts, walk_style


def write_deck(
    path: Path,
    to: Path,
    decks: Collection[str] = (),
    lab: str = "",
    live: PageFiles | None = None,
    times: str = "",
    polls: Sequence[Any] = (),
) -> Path:
    """Write the deck of a notebook, and copies of the notebooks to which the deck links.

    Links to the notebooks of `decks` lead to their decks. All other links lead to copies, or to JupyterLab if `lab` is the address of
    JupyterLab. With `live` (the result of `write_site_files` for the same folder), explorers move and cells run. The deck reports its
    slides to the address `times`. The cells `polls` are more polls before the summary.
    """
    to.mkdir(parents=True, exist_ok=True)
    assets.copy_mathjax(to)
    assets.copy_reveal(to / "reveal")
    assets.write_licences(to, assets.PAGE_LICENCES)
    page, copies = deck_page(path, decks, lab, live, times, polls)
    for copy, notebook in copies.items():
        (to / copy).parent.mkdir(exist_ok=True)
        shutil.copyfile(notebook, to / copy)
    file = to / f"{path.stem}.html"
    file.write_text(page, encoding="utf-8")
    return file


def deck_page(
    path: Path, decks: Collection[str] = (), lab: str = "", live: PageFiles | None = None, times: str = "", polls: Sequence[Any] = ()
) -> tuple[str, dict[str, Path]]:
    """Return the page of a deck, and a mapping from the paths of copies to the notebooks to which the deck links."""
    from .html_export import export_html

    folder = path.resolve().parent
    home, copies = f"{lab}/{folder.name}", {}

    def add_copy(file: Path) -> str:
        copy = f"{file.parent.name}/{file.name}"
        copies[copy] = file
        return copy

    def link(name: str, section: str) -> str:
        if not lab:
            return content.jupyterlab_caption(f"{folder.name}/{path.name}", add_copy(path.resolve()))(name, section)
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
        return add_copy(file) if file.is_file() else ""

    notebook = content.read_notebook(path)
    notebook.cells = insert_polls(notebook.cells, polls)
    moving = [*walk_scripts(notebook), *(explorer_scripts(notebook, slides=True) if live else [])]
    notebook_to_slides(notebook, path.name)
    content.replace_pictures(notebook, content.data_url, explorer_caption if live else link, one_by_one=not live)
    for output, frame in moving:
        if "text/html" in output.data:  # replace_pictures has converted this output to HTML
            output.data["text/html"] = f'<div class="fstats-moving">{output.data["text/html"]}{frame}</div>'
    content.rewrite_notebook_links(notebook, target)
    has_walk = any("fstats-walk-frames" in frame for _, frame in moving)
    about = {
        "minutes": content.planned_minutes(notebook),
        "times": times,
        **({"live_script": live.script, "live_style": live.style} if live else {}),
        **({"walk_script": walk_front_end(), "walk_style": walk_style()} if has_walk else {}),
    }
    return export_html(notebook, "deck", content.notebook_title(notebook), "deck.css", "deck.js", about), copies
