"""Files of a web site that runs Python in browsers.

The files are the engine, a script, a style, icons, and an offline service worker.
"""

from __future__ import annotations

import builtins
import json
import keyword
from collections.abc import Callable, Iterable
from functools import partial
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from ...explore.results_desk.desk import Desk
from ...explore.widgets.explorer import Explorer
from ...teaching.grading.course_progress import last_replies
from ..assets import front_end
from ..notebook_content import is_left_out
from . import engine_bundle
from .prerendered_explorers import compress_json, explorer_outputs

HERE = Path(__file__).parent
# phones may cut off the corners of the icon in this folder, so its drawing is in the middle
WEB_APP = HERE / "web_app"
ICON_SIZES = (192, 512)  # sizes of icons in pixels that phones and Chromium need
WriteFile = Callable[[str, str, bytes], str]  # function (name, suffix, data) that writes a file and returns its name
SCRIPTS = (
    *("engine_client.js", "notices.js", "browser_storage.js", "page_explorers.js", "page_desk.js", "student_files.js", "code_editor.js"),
    *("code_cells.js", "student_notebook.js", "student_progress.js"),
)
REFLECTION = "reflection"  # tag of the cells in which students write text


class PageFiles(NamedTuple):
    """File names, in the folder `_static`, of the script and the style of the pages, and of the links in the heads of the pages."""

    script: str
    style: str
    links: dict[str, str]


def write_site_files(static: Path, live: Path) -> PageFiles:
    """Write the engine to `live`, and the script, the style and the files for a home screen to `static`."""
    engine = engine_bundle.write_engine(live)
    static.mkdir(parents=True, exist_ok=True)
    parts = [
        f"const FILES = {json.dumps(engine._asdict())};",
        f"const WORDS = {json.dumps({'keywords': keyword.kwlist, 'builtins': [name for name in dir(builtins) if name[0].islower()]})};",
        front_end("const fstatsExplorer", Explorer),
        front_end("const fstatsDesk", Desk),
        *((HERE / name).read_text(encoding="utf-8") for name in SCRIPTS),
    ]
    script = "(() => {\n" + "\n".join(parts) + "\n})();\n"
    style = str(Desk._css) + (HERE / "page.css").read_text(encoding="utf-8")
    write = partial(engine_bundle.write_hashed, static)
    return PageFiles(write("live", "js", script.encode()), write("live", "css", style.encode()), write_manifest(write))


def write_manifest(write: WriteFile) -> dict[str, str]:
    """Write the icons and the manifest; return the links for the head of a page, by their relation to the page."""
    names = [write("icon", "png", (WEB_APP / f"icon{size}.png").read_bytes()) for size in ICON_SIZES]
    manifest = json.loads((WEB_APP / "fstats.webmanifest").read_bytes())  # addresses in a manifest are relative to its folder
    common = {"type": "image/png", "purpose": "any maskable"}
    manifest["icons"] = [{"src": name, "sizes": f"{size}x{size}", **common} for size, name in zip(ICON_SIZES, names)]
    return {
        "icon": write("icon", "svg", (WEB_APP / "icon.svg").read_bytes()),
        "apple-touch-icon": names[0],
        "manifest": write("fstats", "webmanifest", json.dumps(manifest).encode()),
    }


def write_service_worker(pages: Path) -> None:
    """Write the service worker, which stores the site for use without a network, and the list of files with their sizes.

    All pages must be written before the service worker, because the list contains the pages.
    """
    (pages / "sw.js").write_bytes((HERE / "sw.js").read_bytes())
    files = [path for path in sorted(pages.rglob("*")) if path.is_file() and not path.name.endswith((".buildinfo", "sw.js"))]
    (pages / "live" / "files.json").write_text(json.dumps({path.relative_to(pages).as_posix(): path.stat().st_size for path in files}))


def explorer_scripts(notebook: Any, slides: bool = False) -> list[tuple[Any, str]]:
    """Return the outputs of explorers, each with a script element that contains the prerendered views and is placed after the picture."""
    return [
        (output, f'<script type="text/plain" class="fstats-frames">{data}</script>') for output, data in explorer_outputs(notebook, slides)
    ]


def notebook_script(notebook: Any, name: str) -> str:
    """Return a script element with the notebook; for a download, the page writes the answers of the student into this notebook.

    The script element also lists the code cells on the page. The result is "" if the page has no cells to type in.
    """
    ids = [cell.id for cell in notebook.cells if cell.cell_type == "code" and not is_left_out(cell)]
    if not ids and not any(REFLECTION in cell.metadata.get("tags", ()) for cell in notebook.cells):
        return ""
    bare = [{**cell, "outputs": [], "execution_count": None} if cell.cell_type == "code" else cell for cell in notebook.cells]
    data = compress_json({"name": name, "ids": ids, "questions": len(last_replies(bare)), "notebook": {**notebook, "cells": bare}})
    return f'<script type="text/plain" class="fstats-notebook">{data}</script>'


def question_count_script(notebooks: Iterable[tuple[str, Any]]) -> str:
    """Return a script element with the number of questions of each exercise, from which the page shows the progress of a student."""
    questions = {name: count for name, notebook in notebooks if (count := len(last_replies(notebook.cells)))}
    return f'\n\n<script type="application/json" class="fstats-questions">{json.dumps(questions)}</script>' * bool(questions)


def add_text_fields(notebook: Any) -> None:
    """Add a text field to each cell in which a student answers in free text."""
    for cell in notebook.cells:
        if REFLECTION in cell.metadata.get("tags", ()):
            attributes = f'data-cell="{cell.id}" aria-label="Your answer" placeholder="Write your answer here."'
            cell.source = f'<textarea class="fstats-words" rows="5" {attributes}></textarea>'


def explorer_caption(name: str, _: str) -> str:
    """Return the caption of the picture of an explorer before the explorer is moved."""
    return f"<strong>{escape(name)}</strong>, at the start."
