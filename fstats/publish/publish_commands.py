"""Commands ``fstats site``, ``slides``, ``print`` and ``lecture``: publish the course for readers without a kernel."""

from __future__ import annotations

import sys
from argparse import ArgumentTypeError, Namespace
from contextlib import nullcontext, suppress
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import Any

from ..runtime.atomic_write import atomic_folder, check_own_folder, parse_path
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
    """Add the commands site, slides, print and lecture with their options."""
    to_option = dict(type=parse_path, required=True, metavar="DIR", dest="to")
    names_option = dict(metavar="NAME", help="notebooks: names such as 01_paired_t, beginnings such as 01, or files")
    site = commands.add_parser("site", help="in a clone: build a web site of the course that works without a network")
    site.add_argument("--to", help="folder of the site; an earlier site of fstats in it is replaced", **{**to_option, "required": False})
    site.add_argument("--live", action="store_true", help="explorers move in the pages, with a Python that the browser loads once")
    site.add_argument("--serve", action="store_true", help="serve the site from this machine until Ctrl-C")
    site.add_argument("--port", type=parse_port, default=8000, help="port on this machine for --serve; default 8000")
    slides = commands.add_parser("slides", help="write the core of each notebook as a slide deck that works without a network")
    slides.add_argument("notebooks", nargs="*", **names_option)
    slides.add_argument("--to", help="folder of the decks; each deck is one page", **to_option)
    lab_help = "address of JupyterLab's tree, such as http://localhost:8888/lab/tree: links lead there and not to copies of the notebooks"
    slides.add_argument("--lab", default="", type=_address, metavar="ADDRESS", help=lab_help)
    slides.add_argument("--live", action="store_true", help="explorers move and cells run on the slides, with Python in the page")
    about = "write notebooks as printable pages: HTML pages without other files, and PDF files if there is a Chromium browser"
    paper = commands.add_parser("print", help=about, description=about)
    paper.add_argument("notebooks", nargs="+", **names_option)
    sheet_help = "write a worksheet for students instead: question, polls, table and picture to fill in"
    paper.add_argument("--sheet", action="store_true", help=sheet_help)
    paper.add_argument("--to", help="folder of the pages", **to_option)
    lecture_command.add_lecture_command(commands)


def _address(text: str) -> str:
    if text and not text.startswith(("http://", "https://")):
        raise ArgumentTypeError(f"an address must begin with http:// or https://; got {text}")
    return text.rstrip("/")


def run_command(asked: Namespace, notebooks: Path) -> int:
    """Run a command with its parsed arguments and return the exit status; `notebooks` is the folder of the notebooks."""
    if missing := [name for name in REQUIRED_PACKAGES[asked.command] if find_spec(name) is None]:
        raise ModuleNotFoundError(f'fstats {asked.command} needs {", ".join(missing)}: pip install "{DISTRIBUTION}[site]"')
    if asked.command in ("slides", "print"):
        check_own_folder(asked.to, licensed(asked.to), "--to", asked.command)
    actions = {"site": _build_site, "slides": _write_slides, "print": _print_pages, "lecture": lecture_command.run_lecture}
    actions[asked.command](asked, notebooks)
    return 0


def _build_site(asked: Namespace, notebooks: Path) -> None:
    from .browser_python.file_server import serve_folder
    from .website import build_site

    if asked.to is None and not asked.serve:
        raise ValueError("fstats site needs a folder for the site: write --to DIR, or write --serve to look at the site in a browser")
    with TemporaryDirectory() as place:
        to = asked.to or Path(place) / "site"
        # `serve_folder` raises an error if the port is in use
        with serve_folder(to, asked.port) if asked.serve else nullcontext() as address:
            count = build_site(notebooks.parent, to, live=asked.live)
            if not address:
                print(f"{count} pages: open {to / 'index.html'}")
                return
            print(f"{count} pages: {address} (stop with Ctrl-C)", flush=True)
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
        write_service_worker(asked.to)  # with this service worker, earlier decks in the folder also work without a network
    print(*(asked.to / file.name for file in files), sep="\n")


def _print_pages(asked: Namespace, notebooks: Path) -> None:
    from ..runtime.parallel_tasks import run_tasks
    from .printable_page import find_browser, write_printable_page
    from .worksheet import write_worksheet

    paths = select_notebooks(asked.notebooks, notebooks)
    write_files = write_worksheet if asked.sheet else write_printable_page

    def write(path: Path) -> list[Path]:
        with atomic_folder(asked.to) as to:
            files = write_files(path, to)
        return [asked.to / file.name for file in files]

    for _, files in run_tasks(write, ((path,) for path in paths), total=len(paths), title="notebooks"):
        print(*files, sep="\n")
    if not find_browser():
        problem = "There is no Chromium, Chrome or Edge on this machine to print the pages"
        print(f"{problem}: open the pages in a browser and print them there.", file=sys.stderr)
