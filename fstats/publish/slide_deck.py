"""A deck of slides from a notebook's core: reveal.js shows it, notes are the speaker's.

Explorers are pictures with a link; in a live deck they move, and cells run, by Python in the page.
"""

from __future__ import annotations

import shutil
from collections.abc import Collection
from html import escape
from pathlib import Path

from . import assets
from .browser_python.site_files import PageFiles, explorer_caption, explorer_scripts
from .notebook_content import (
    data_url,
    jupyterlab_caption,
    notebook_title,
    planned_minutes,
    read_notebook,
    replace_pictures,
    rewrite_notebook_links,
)
from .slide_layout import notebook_to_slides


def write_deck(path: Path, to: Path, decks: Collection[str] = (), lab: str = "", live: PageFiles | None = None, times: str = "") -> Path:
    """Write the deck of a notebook, and beside it the notebooks to which it leads.

    Links to the notebooks of `decks` lead to their decks, all others to these copies, or to JupyterLab, if it is said where its tree is.
    With `live`, which `live.lay.lay` has written to the same folder, explorers move and cells run.  It tells its slides to `times`.
    """
    to.mkdir(parents=True, exist_ok=True)
    assets.copy_mathjax(to)
    assets.copy_reveal(to / "reveal")
    assets.write_licences(to, assets.PAGE_LICENCES)
    page, beside = deck_page(path, decks, lab, live, times)
    for there, notebook in beside.items():
        (to / there).parent.mkdir(exist_ok=True)
        shutil.copyfile(notebook, to / there)
    file = to / f"{path.stem}.html"
    file.write_text(page, encoding="utf-8")
    return file


def deck_page(
    path: Path, decks: Collection[str] = (), lab: str = "", live: PageFiles | None = None, times: str = ""
) -> tuple[str, dict[str, Path]]:
    """The page of a deck, and the notebooks to which it leads, by their places beside it."""
    from .html_export import export_html

    folder = path.resolve().parent
    home, beside = f"{lab}/{folder.name}", {}

    def copied(file: Path) -> str:
        there = f"{file.parent.name}/{file.name}"
        beside[there] = file
        return there

    def link(name: str, section: str) -> str:
        if not lab:
            return jupyterlab_caption(f"{folder.name}/{path.name}", copied(path.resolve()))(name, section)
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

    notebook = read_notebook(path)
    moving = explorer_scripts(notebook, slides=True) if live else []
    notebook_to_slides(notebook, path.name)
    replace_pictures(notebook, data_url, explorer_caption if live else link, one_by_one=not live)
    for output, frame in moving:
        if "text/html" in output.data:  # it stands on a slide
            output.data["text/html"] = f'<div class="fstats-moving">{output.data["text/html"]}{frame}</div>'
    rewrite_notebook_links(notebook, target)
    about = {
        "minutes": planned_minutes(notebook),
        "times": times,
        **({"live_script": live.script, "live_style": live.style} if live else {}),
    }
    return export_html(notebook, "deck", notebook_title(notebook), "deck.css", "deck.js", about), beside
