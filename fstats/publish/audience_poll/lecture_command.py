"""Command ``fstats lecture``: show the slide deck of a lesson; with ``--room``, the audience answers the questions with phones."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import Any

from ...runtime.atomic_write import check_writable, parse_path, write_atomically
from ..browser_python.file_server import parse_port, serve_folder
from ..lecture_timing import TIMES_PATH, record_slide, report_times
from ..notebook_content import read_notebook, select_notebooks
from .poll_state import HEADS

PORT = 8000


def add_lecture_command(commands: Any) -> None:
    """Add the command and its options."""
    lecture = commands.add_parser("lecture", help="show a lesson's slide deck until Ctrl-C; with --room, phones vote on its questions")
    lecture.add_argument("notebook", metavar="NAME", help="a notebook: its name, such as 01_paired_t, its beginning, such as 01, or a file")
    lecture.add_argument("--room", action="store_true", help="let phones vote on a page of their own, and show the votes on the slide")
    host_help = "with --room, address of this machine in the network of the phones; without it no phone can connect"
    lecture.add_argument("--host", default="", metavar="ADDRESS", help=host_help)
    lecture.add_argument("--port", type=parse_port, default=PORT, metavar="N", help=f"port of this address; default {PORT}")
    pages_help = "with --room, a folder written by fstats site --live: slides with an explorer lead phones to the page of the lesson there"
    pages_help += " (each phone loads about 30 MB; the page also contains the folded answers)"
    lecture.add_argument("--pages", type=parse_path, metavar="DIR", help=pages_help)
    times_help = "print the minutes of each section in earlier lectures on this machine, and write their sum into the notebook"
    lecture.add_argument("--rehearsed", action="store_true", help=times_help)
    save_help = "with --room, file to which the votes are written as CSV at the end"
    lecture.add_argument("--save", type=parse_path, metavar="FILE", help=save_help)


def run_lecture(asked: Namespace, notebooks: Path) -> None:
    """Show the deck until Ctrl-C."""
    if not asked.room and (asked.host or asked.save or asked.pages):
        raise ValueError("the options --host, --save and --pages need a poll: add the option --room")
    (path,) = select_notebooks([asked.notebook], notebooks)
    if asked.rehearsed:
        print(report_times(path))
        return
    saves = check_writable(asked.save, ",".join(HEADS)) if asked.save else nullcontext()
    with saves, TemporaryDirectory() as place, (_serve_poll if asked.room else _serve_deck)(asked, path, Path(place)) as lines:
        print(*lines, sep="\n", flush=True)
        with suppress(KeyboardInterrupt):
            Event().wait()


@contextmanager
def _serve_deck(asked: Namespace, path: Path, to: Path) -> Iterator[list[str]]:
    # raises an error if the port is in use
    with serve_folder(to, asked.port, {f"/{TIMES_PATH}": partial(record_slide, path.stem)}) as address:
        file = _write_deck(path, to)
        yield [f"{address}{file.name} (stop with Ctrl-C)"]


@contextmanager
def _serve_poll(asked: Namespace, path: Path, to: Path) -> Iterator[list[str]]:
    from jupyter_core.paths import jupyter_runtime_dir

    from .poll_connections import local_ip_address
    from .poll_questions import poll_questions
    from .poll_server import PollServer

    if not (questions := poll_questions(read_notebook(path).cells)):
        raise ValueError(f"{path.stem} has no question for the audience: give a cell with a question the tag 'poll'")
    move = f"notebooks/{path.stem}.html"
    if asked.pages and not (asked.pages / move).is_file():
        raise ValueError(f"--pages must be a folder written by fstats site --live; {asked.pages} has no {move}")
    journal = Path(jupyter_runtime_dir()) / f"fstats-room-{path.stem}.jsonl"
    with PollServer(questions, to, asked.host, asked.port, journal, asked.pages) as room:
        file = _write_deck(path, to)
        room.connections.record_slide = partial(record_slide, path.stem)
        room.add_votes_to_deck(file.name, move if asked.pages else "")
        before = sum(map(len, room.connections.state.votes.values()))
        reach = f"Only this machine can connect. For phones, add --host {local_ip_address()}, if it is the address in their network."
        public = f"Everybody in the network of {asked.host} can vote, but do nothing else; nothing is encrypted."
        yield [
            room.connections.qr_code(terminal=True),
            f"phones:   {room.connections.phone_url}",
            f"the deck: {room.connections.deck_url}{file.name}",
            f"Keep the deck's address secret: the deck contains the answers. {public if asked.host else reach}",
            *[f"The interrupted poll continues with {before} votes."] * room.connections.is_resumed,
            "Stop with Ctrl-C.",
        ]
        _save_votes(room, asked.save)


def _write_deck(path: Path, to: Path) -> Path:
    """Write the deck of a lesson; the deck is live if the engine is installed."""
    from ...runtime.wasi_interpreter import InterpreterNotFoundError
    from ..browser_python.site_files import write_service_worker, write_site_files
    from ..slide_deck import write_deck

    print(f"{path.stem}: writing the deck, one moment.", file=sys.stderr, flush=True)
    try:
        live = write_site_files(to, to / "live")
    except InterpreterNotFoundError as error:
        print(f"Explorers are pictures, and cells do not run: {error}", file=sys.stderr)
        return write_deck(path, to, times=TIMES_PATH)
    file = write_deck(path, to, live=live, times=TIMES_PATH)
    write_service_worker(to)
    return file


def _save_votes(room: Any, to: Path | None) -> None:
    """Write the votes to a file; without a file name, ask for one in a terminal."""
    if to is None and any(room.connections.state.votes.values()) and sys.stdin.isatty():
        with suppress(EOFError, KeyboardInterrupt):
            while (name := input("\nSave the votes to file (Enter: do not save): ").strip()) and Path(name).exists():
                print(f"{name} exists already: write another file name")
            to = Path(name) if name else None
    if to is not None:
        table = StringIO(newline="")
        room.connections.save(table)
        write_atomically(to, table.getvalue().encode())
        print(f"{to}: votes saved")
