"""Convert notebooks to printable HTML pages and PDF.

Chromium prints the PDF.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from . import assets
from . import notebook_content as content

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge", "microsoft-edge")
BROWSER_PATHS = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "C:/Program Files/Google/Chrome/Application/chrome.exe",
    "C:/Program Files (x86)/Microsoft/Edge/Application/msedge.exe",
)
BROWSER_TIMEOUT = 300  # maximum time in seconds that printing may take
_FOLD = re.compile(r"</?details>|<summary>.*?</summary>")
FORMULA_TIME_BUDGET = 60_000  # time in milliseconds, on Chromium's virtual clock, in which MathJax must finish all formulas


def printable_page(path: Path) -> str:
    """Return a notebook as one page that needs no other files; links become text, and cells for lecturers are left out.

    A walk is a strip of its frames. Answers that are folded in the notebook are at the end of the page.
    """
    from ..explore.walkthrough.walk_strip import walk_strip
    from .browser_python.prerendered_explorers import stored_explorers
    from .html_export import export_html

    notebook = content.read_notebook(path)
    for output, _, walk in stored_explorers(notebook, walks=True):
        output.data, output.metadata = {"text/html": walk_strip(walk.content)}, {}
    notebook.cells = [cell for cell in notebook.cells if not content.is_left_out(cell)]
    _move_answers_to_end(notebook)
    content.replace_pictures(notebook, content.data_url, content.jupyterlab_caption(f"{path.resolve().parent.name}/{path.name}"))
    content.rewrite_notebook_links(notebook, content.keep_web_links)
    html = export_html(notebook, "paper", content.notebook_title(notebook), style="paper.css", script="paper.js")
    return html.replace("<details>", "<details open>")


def _move_answers_to_end(notebook: Any) -> None:
    """Move all answers to the end of the notebook, below the headings of their questions."""
    others: list[Any] = []
    answers: list[Any] = []
    section = ""
    for cell in notebook.cells:
        section = next((heading.text for heading in reversed(content.headings(cell))), section)
        if content.is_answer(cell):
            cell.source = f"### {section}\n\n{_FOLD.sub('', cell.source).strip()}"
        (answers if content.is_answer(cell) else others).append(cell)
    if answers:
        answers[0].source = f"## Answers\n\n{answers[0].source}"
    notebook.cells = others + answers


def write_printable_page(path: Path, to: Path) -> list[Path]:
    """Write the page of a notebook and, if there is a Chromium browser, the PDF; return the files."""
    return write_page_and_pdf(printable_page(path), to / f"{path.stem}.html")


def write_page_and_pdf(page: str, html: Path) -> list[Path]:
    """Write a page, the licences of its parts, and the PDF; return the files of page and PDF."""
    html.parent.mkdir(parents=True, exist_ok=True)
    html.write_text(page, encoding="utf-8")
    assets.write_licences(html.parent, assets.PAGE_LICENCES)
    return [html, *print_pdf(html)]


def find_browser() -> str:
    """Return the path of a browser that can print without a window; "" if there is no such browser."""
    return next(filter(None, (shutil.which(name) for name in (*BROWSERS, *BROWSER_PATHS))), "")


def print_pdf(html: Path) -> list[Path]:
    """Print a page and return the PDF in a list; without a browser the list is empty."""
    if not (program := find_browser()):
        return []
    pdf = html.with_suffix(".pdf").resolve()
    pdf.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory() as profile:
        options = ["--headless", "--disable-gpu", "--no-first-run", "--disable-background-networking", f"--user-data-dir={profile}"]
        # Chromium needs this option for the user root and in containers; it is safe, because the page belongs to the course
        options += ["--no-sandbox"]
        options += ["--no-pdf-header-footer", f"--virtual-time-budget={FORMULA_TIME_BUDGET}", f"--print-to-pdf={pdf}"]
        process = subprocess.run(
            [program, *options, html.resolve().as_uri()], capture_output=True, text=True, timeout=BROWSER_TIMEOUT, check=False
        )
    if not pdf.exists() or b"%%EOF" not in pdf.read_bytes()[-32:]:
        pdf.unlink(missing_ok=True)
        raise RuntimeError(
            f"the browser {program} did not print {html.name}, perhaps because the disk is full\n{process.stderr[-1000:]}\nOpen the page "
            "in a browser and print it there."
        )
    return [pdf]
