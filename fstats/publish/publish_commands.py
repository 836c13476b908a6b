"""``fstats site``, ``slides``, ``print`` and ``lecture``: the course for those who read without a kernel."""

from __future__ import annotations

import sys
from argparse import ArgumentTypeError, Namespace
from contextlib import nullcontext, suppress
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import Any

from ..runtime.atomic_write import check_own_folder, parse_path, atomic_folder
from ..runtime.optional_dependencies import DISTRIBUTION
from .assets import licensed
from .audience_poll import lecture_command
from .browser_python.file_server import parse_port
from .notebook_content import select_notebooks

COMMANDS = ("site", "slides", "print", "lecture")
REQUIRED_PACKAGES = {
    "site": ("sphinx", "myst_nb", "numpydoc", "pydata_sphinx_theme", "sphinx-mathjax-offline"),
    "slides": ("nbconvert", "a11y_pygments", "sphinx_revealjs", "sphinx-mathjax-offline"),
    "print": ("nbconvert", "a11y_pygments", "sphinx-mathjax-offline"),
    "lecture": ("nbconvert", "a11y_pygments", "sphinx_revealjs", "sphinx-mathjax-offline", "tornado", "segno"),
}


def add_commands(commands: Any) -> None:
    """The commands and their options."""
    where = dict(type=parse_path, required=True, metavar="DIR", dest="to")
    some = dict(metavar="NAME", help="notebooks: names such as 01_paired_t, beginnings such as 01, or files")
    site = commands.add_parser("site", help="in a clone: build the course as a web site that needs no network")
    site.add_argument("--to", help="where it is written; what fstats site wrote there before is replaced", **{**where, "required": False})
    site.add_argument("--live", action="store_true", help="the explorers move in the page, by a Python that it fetches once")
    site.add_argument("--serve", action="store_true", help="show it from here until Ctrl-C")
    site.add_argument("--port", type=parse_port, default=8000, help="of this machine, with --serve; 8000 if not said")
    slides = commands.add_parser("slides", help="write the core of each notebook as a deck of slides that needs no network")
    slides.add_argument("notebooks", nargs="*", **some)
    slides.add_argument("--to", help="where the decks are written, a page each", **where)
    slides.add_argument(
        "--lab",
        default="",
        type=_address,
        metavar="ADDRESS",
        help="where JupyterLab's tree is, such as http://localhost:8888/lab/tree: links lead there, and not to the notebooks' copies",
    )
    slides.add_argument("--live", action="store_true", help="explorers move on the slides and cells run, by Python in the page")
    about = "write notebooks as pages for paper: HTML that holds all it needs, and PDF where there is a Chromium"
    paper = commands.add_parser("print", help=about, description=about)
    paper.add_argument("notebooks", nargs="+", **some)
    paper.add_argument(
        "--sheet", action="store_true", help="of each a page for students instead: question, polls, table and picture to fill in"
    )
    paper.add_argument("--to", help="where they are written", **where)
    lecture_command.add_lecture_command(commands)


def _address(said: str) -> str:
    if said and not said.startswith(("http://", "https://")):
        raise ArgumentTypeError(f"an address begins with http:// or https://; got {said}")
    return said.rstrip("/")


def run_command(asked: Namespace, notebooks: Path) -> int:
    """Do what was asked for; `notebooks` is the folder of the notebooks.  Returns the exit status."""
    if missing := [name for name in REQUIRED_PACKAGES[asked.command] if find_spec(name) is None]:
        raise ModuleNotFoundError(f'fstats {asked.command} needs {", ".join(missing)}: pip install "{DISTRIBUTION}[site]"')
    if asked.command in ("slides", "print"):
        check_own_folder(asked.to, licensed(asked.to), "--to", asked.command)
    {"site": _build_site, "slides": _write_slides, "print": _print_pages, "lecture": lecture_command.run_lecture}[asked.command](
        asked, notebooks
    )
    return 0


def _build_site(asked: Namespace, notebooks: Path) -> None:
    from .browser_python.file_server import serve_folder
    from .website import build_site

    if asked.to is None and not asked.serve:
        raise ValueError("say where the site is written, --to DIR, or --serve to look at it here")
    with TemporaryDirectory() as place:
        to = asked.to or Path(place) / "site"
        with serve_folder(to, asked.port) if asked.serve else nullcontext() as address:  # a port that is taken is told at once
            count = build_site(notebooks.parent, to, live=asked.live)
            if not address:
                print(f"{count} pages: open {to / 'index.html'}")
                return
            print(f"{count} pages: {address} (Ctrl-C ends it)", flush=True)
            with suppress(KeyboardInterrupt):
                Event().wait()


def _write_slides(asked: Namespace, notebooks: Path) -> None:
    from ..runtime.parallel_tasks import run_tasks
    from .browser_python.site_files import write_service_worker, write_site_files
    from .slide_deck import write_deck

    paths = select_notebooks(asked.notebooks, notebooks)
    with atomic_folder(asked.to) as to:
        names, live = {path.stem for path in paths}, write_site_files(to, to / "live") if asked.live else None
        tasks = ((path, to, names, asked.lab, live) for path in paths)
        files = [file for _, file in run_tasks(write_deck, tasks, total=len(paths), title="decks")]
    if live:
        write_service_worker(asked.to)  # decks that were there before are kept without a network, too
    print(*(asked.to / file.name for file in files), sep="\n")


def _print_pages(asked: Namespace, notebooks: Path) -> None:
    from ..runtime.parallel_tasks import run_tasks
    from . import printable_page, worksheet

    paths = select_notebooks(asked.notebooks, notebooks)

    def write(path: Path) -> list[Path]:
        with atomic_folder(asked.to) as to:
            files = (worksheet.write_worksheet if asked.sheet else printable_page.write_printable_page)(path, to)
        return [asked.to / file.name for file in files]

    for _, files in run_tasks(write, ((path,) for path in paths), total=len(paths), title="notebooks"):
        print(*files, sep="\n")
    if not printable_page.find_browser():
        missing = "There is no Chromium, Chrome or Edge here that could print"
        print(f"{missing}: open the pages in a browser and print them there.", file=sys.stderr)
