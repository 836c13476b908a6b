"""The commands ``fstats site``, ``slides``, ``print``, ``lecture`` and ``desk``."""

from __future__ import annotations

import sys
import tomllib
from argparse import ArgumentTypeError, Namespace
from contextlib import nullcontext, suppress
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import Any

from ..runtime import command_options
from ..runtime.atomic_write import atomic_folder, check_own_folder
from ..runtime.optional_dependencies import DISTRIBUTION
from . import desk_page
from .assets import licensed
from .audience_poll import lecture_command
from .browser_python.file_server import parse_port
from .notebook_content import select_notebooks

# help text, arguments and required packages of each command
ABOUT = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
COMMANDS = (*ABOUT["commands"],)


def add_commands(commands: Any) -> None:
    """Add the commands of publish_commands.toml with their options."""
    command_options.add_commands(commands, ABOUT, {"port": parse_port, "address": _address})


def _address(text: str) -> str:
    if text and not text.startswith(("http://", "https://")):
        raise ArgumentTypeError(f"an address must begin with http:// or https://; got {text}")
    return text.rstrip("/")


def run_command(asked: Namespace, notebooks: Path) -> int:
    """Run a command with its parsed arguments and return the exit status; `notebooks` is the folder of the notebooks."""
    if missing := [name for name in ABOUT["packages"][asked.command] if find_spec(name) is None]:
        raise ModuleNotFoundError(
            f'fstats {asked.command} needs packages that are not installed: {", ".join(missing)}. Run `pip install "{DISTRIBUTION}[site]"`.'
        )
    if asked.command in ("slides", "print"):
        check_own_folder(asked.to, licensed(asked.to), "--to", asked.command)
    if asked.command == "desk":
        desk_page.run_desk(asked)
        return 0
    actions = {"site": _build_site, "slides": _write_slides, "print": _print_pages, "lecture": lecture_command.run_lecture}
    actions[asked.command](asked, notebooks)
    return 0


def _build_site(asked: Namespace, notebooks: Path) -> None:
    from .browser_python.file_server import serve_folder
    from .website import build_site

    if asked.to is None and not asked.serve:
        raise ValueError("fstats site needs a folder for the site. Write --to DIR, or write --serve to look at the site in a browser.")
    with TemporaryDirectory() as place:
        to = asked.to or Path(place) / "site"
        # the port may be in use, so start the server before the slow build
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
        write_service_worker(asked.to)  # it also makes older decks in the folder available offline
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
        print(f"{problem}. Open the pages in a browser and print them there.", file=sys.stderr)
