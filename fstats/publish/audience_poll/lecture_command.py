"""``fstats lecture``: a lesson's deck, shown from here; with ``--room``, phones answer what it asks."""

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

from ...runtime.atomic_write import parse_path, check_writable, write_atomically
from ..browser_python.file_server import parse_port, serve_folder
from ..lecture_timing import TIMES_PATH, record_slide, report_times
from ..notebook_content import read_notebook, select_notebooks
from .poll_state import HEADS

PORT = 8000


def add_lecture_command(commands: Any) -> None:
    """The command and its options."""
    lecture = commands.add_parser("lecture", help="show a lesson's deck from here until Ctrl-C; with --room, phones vote on what it asks")
    lecture.add_argument("notebook", metavar="NAME", help="a notebook: its name, such as 01_paired_t, its beginning, such as 01, or a file")
    lecture.add_argument("--room", action="store_true", help="phones vote: a page for them, and the votes on the slide")
    lecture.add_argument(
        "--host",
        default="",
        metavar="ADDRESS",
        help="with --room, this machine's address in the network of the phones, by which they find it; if not said, none does",
    )
    lecture.add_argument("--port", type=parse_port, default=PORT, metavar="N", help=f"of that address; {PORT} if not said")
    lecture.add_argument(
        "--pages",
        type=parse_path,
        metavar="DIR",
        help="with --room, a folder that fstats site --live has written: phones may read it, and slides with an explorer lead them to "
        "the lesson's page there, to move it themselves (each fetches some 30 MB; the page's folded answers are theirs, too)",
    )
    lecture.add_argument(
        "--rehearsed",
        action="store_true",
        help="tell instead how long it took, section by section, when it was given here, and write that down",
    )
    lecture.add_argument("--save", type=parse_path, metavar="FILE", help="with --room, where the votes are written as CSV in the end")


def run_lecture(asked: Namespace, notebooks: Path) -> None:
    """Show it until Ctrl-C."""
    if not asked.room and (asked.host or asked.save or asked.pages):
        raise ValueError("--host, --save and --pages are of a room: add --room")
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
    with serve_folder(
        to, asked.port, {f"/{TIMES_PATH}": partial(record_slide, path.stem)}
    ) as address:  # a port that is taken is told at once
        file = _write_deck(path, to)
        yield [f"{address}{file.name} (Ctrl-C ends it)"]


@contextmanager
def _serve_poll(asked: Namespace, path: Path, to: Path) -> Iterator[list[str]]:
    from jupyter_core.paths import jupyter_runtime_dir

    from .poll_connections import local_ip_address
    from .poll_questions import poll_questions
    from .poll_server import PollServer

    if not (questions := poll_questions(read_notebook(path).cells)):
        raise ValueError(f"{path.stem} asks the room nothing: no cell has the tag poll")
    move = f"notebooks/{path.stem}.html"
    if asked.pages and not (asked.pages / move).is_file():
        raise ValueError(f"{asked.pages} has no {move}: give --pages a folder that fstats site --live has written")
    journal = Path(jupyter_runtime_dir()) / f"fstats-room-{path.stem}.jsonl"
    with PollServer(questions, to, asked.host, asked.port, journal, asked.pages) as room:
        file = _write_deck(path, to)
        room.note = partial(record_slide, path.stem)
        room.join(file.name, move if asked.pages else "")
        before = sum(map(len, room.sitting.votes.values()))
        known = f"Only this machine finds it. For phones: --host {local_ip_address()}, if that is its address in their network."
        where = f"Whoever is in the network of {asked.host} finds it, and can vote and nothing else; nothing is encrypted."
        yield [
            room.code(terminal=True),
            f"phones:   {room.address}",
            f"the deck: {room.deck}{file.name}",
            f"The deck's address is yours alone: it knows the answers. {where if asked.host else known}",
            *[f"The room goes on where it was ended, with {before} votes."] * room.goes_on,
            "Ctrl-C ends it.",
        ]
        _save_votes(room, asked.save)


def _write_deck(path: Path, to: Path) -> Path:
    """The deck, live where its engine is installed."""
    from ...runtime.wasi_interpreter import InterpreterNotFoundError
    from ..browser_python.site_files import write_service_worker, write_site_files
    from ..slide_deck import write_deck

    print(f"{path.stem}: the deck is being made. One moment.", file=sys.stderr, flush=True)
    try:
        live = write_site_files(to, to / "live")
    except InterpreterNotFoundError as error:
        print(f"Explorers are pictures, and cells do not run: {error}", file=sys.stderr)
        return write_deck(path, to, times=TIMES_PATH)
    file = write_deck(path, to, live=live, times=TIMES_PATH)
    write_service_worker(to)
    return file


def _save_votes(room: Any, to: Path | None) -> None:
    """Write the votes, if somebody wants them."""
    if to is None and any(room.sitting.votes.values()) and sys.stdin.isatty():
        with suppress(EOFError, KeyboardInterrupt):
            while (words := input("\nSave the votes as (a file; Enter: not at all): ").strip()) and Path(words).exists():
                print(f"{words} is there already: name another file")
            to = Path(words) if words else None
    if to is not None:
        table = StringIO(newline="")
        room.save(table)
        write_atomically(to, table.getvalue().encode())
        print(f"{to}: the votes")
