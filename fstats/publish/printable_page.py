"""A notebook on paper: a page that holds its pictures and formulas, and what Chromium prints of it."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from . import assets
from .notebook_content import (
    data_url,
    headings,
    is_answer,
    is_left_out,
    jupyterlab_caption,
    keep_web_links,
    notebook_title,
    read_notebook,
    replace_pictures,
    rewrite_notebook_links,
)

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge", "microsoft-edge")
BROWSER_PATHS = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "C:/Program Files/Google/Chrome/Application/chrome.exe",
    "C:/Program Files (x86)/Microsoft/Edge/Application/msedge.exe",
)
BROWSER_TIMEOUT = 300  # seconds that a browser may take
_FOLD = re.compile(r"</?details>|<summary>.*?</summary>")
FORMULA_TIME_BUDGET = 60_000  # milliseconds of the page's own clock, in which MathJax works


def printable_page(path: Path) -> str:
    """The notebook as one page that needs nothing else; links are words, and what only a lecturer reads is left out.

    Nothing is folded on paper: answers stand at the end, where one looks them up.
    """
    from .html_export import export_html

    notebook = read_notebook(path)
    notebook.cells = [cell for cell in notebook.cells if not is_left_out(cell)]
    _move_answers_to_end(notebook)
    replace_pictures(notebook, data_url, jupyterlab_caption(f"{path.resolve().parent.name}/{path.name}"))
    rewrite_notebook_links(notebook, keep_web_links)
    shown = export_html(notebook, "paper", notebook_title(notebook), style="paper.css", script="paper.js")
    return shown.replace("<details>", "<details open>")


def _move_answers_to_end(notebook: Any) -> None:
    """Move the answers behind everything else, each below the words of the heading under which it is asked for."""
    asked: list[Any] = []
    answers: list[Any] = []
    section = ""
    for cell in notebook.cells:
        section = next((heading.words for heading in reversed(headings(cell))), section)
        if is_answer(cell):
            cell.source = f"### {section}\n\n{_FOLD.sub('', cell.source).strip()}"
        (answers if is_answer(cell) else asked).append(cell)
    if answers:
        answers[0].source = f"## Answers\n\n{answers[0].source}"
    notebook.cells = asked + answers


def write_printable_page(path: Path, to: Path) -> list[Path]:
    """Write the page of a notebook and, where there is a Chromium, the PDF; returns the files."""
    return write_page_and_pdf(printable_page(path), to / f"{path.stem}.html")


def write_page_and_pdf(page: str, html: Path) -> list[Path]:
    """Write a page, beside it the licences of what it holds, and the PDF; returns page and PDF."""
    html.parent.mkdir(parents=True, exist_ok=True)
    html.write_text(page, encoding="utf-8")
    assets.write_licences(html.parent, assets.PAGE_LICENCES)
    return [html, *print_pdf(html)]


def find_browser() -> str:
    """A browser that prints without a window; empty if there is none."""
    return next(filter(None, (shutil.which(name) for name in (*BROWSERS, *BROWSER_PATHS))), "")


def print_pdf(html: Path) -> list[Path]:
    """The PDF of a page, in a list; an empty one where no browser can print it."""
    if not (program := find_browser()):
        return []
    pdf = html.with_suffix(".pdf").resolve()
    pdf.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory() as own:
        quiet = ["--headless", "--disable-gpu", "--no-first-run", "--disable-background-networking", f"--user-data-dir={own}"]
        quiet += ["--no-sandbox"]  # the page is our own; as root and in containers nothing else works
        how = ["--no-pdf-header-footer", f"--virtual-time-budget={FORMULA_TIME_BUDGET}", f"--print-to-pdf={pdf}"]
        done = subprocess.run(
            [program, *quiet, *how, html.resolve().as_uri()], capture_output=True, text=True, timeout=BROWSER_TIMEOUT, check=False
        )
    if not pdf.exists() or b"%%EOF" not in pdf.read_bytes()[-32:]:
        pdf.unlink(missing_ok=True)
        raise RuntimeError(
            f"{program} did not print {html.name}; is the disk full?\n{done.stderr[-1000:]}\nOpen the page in a browser and print it there."
        )
    return [pdf]
