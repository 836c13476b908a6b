"""The command ``fstats lecture``, which shows slides with live polls.

With ``--room``, the audience votes by phone.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import Any

from ...runtime.atomic_write import check_writable, parse_path, write_atomically
from ..browser_python.file_server import serve_folder
from ..lecture_timing import TIMES_PATH, record_slide, report_times
from ..notebook_content import read_notebook, select_notebooks
from ..slide_layout import insert_polls
from .poll_state import HEADS

EXAMPLE_LINES = Path(__file__).with_name("example_lines.csv")  # file of wrong lines of code for the polls in lessons 01 to 03


def run_lecture(asked: Namespace, notebooks: Path) -> None:
    """Show the deck until Ctrl-C."""
    if not asked.room and (asked.host or asked.save or asked.pages):
        raise ValueError("the options --host, --save and --pages need the option --room, which opens a poll. Add --room.")
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
    # the port may be in use, so start the server before other work
    with serve_folder(to, asked.port, {f"/{TIMES_PATH}": partial(record_slide, path.stem)}) as address:
        file = _write_deck(path, to, _line_polls(asked, path))
        yield [f"{address}{file.name} (stop with Ctrl-C)"]


@contextmanager
def _serve_poll(asked: Namespace, path: Path, to: Path) -> Iterator[list[str]]:
    from jupyter_core.paths import jupyter_runtime_dir

    from .poll_connections import local_ip_address
    from .poll_questions import poll_questions
    from .poll_server import PollServer

    cells = insert_polls(read_notebook(path).cells, _line_polls(asked, path))
    if not (questions := poll_questions(cells)):
        raise ValueError(f"the lesson {path.stem} has no question for the audience. Add the tag 'poll' to a cell with a question.")
    move = f"notebooks/{path.stem}.html"
    if asked.pages and not (asked.pages / move).is_file():
        raise ValueError(f"--pages must be a folder written by fstats site --live; the folder {asked.pages} has no file {move}")
    journal = Path(jupyter_runtime_dir()) / f"fstats-room-{path.stem}.jsonl"
    with PollServer(questions, to, asked.host, asked.port, journal, asked.pages) as room:
        file = _write_deck(path, to, _line_polls(asked, path))
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


def _line_polls(asked: Namespace, path: Path) -> list[Any]:
    """Return the cells of the polls about wrong lines, if the lecturer asked for these polls."""
    from .line_polls import line_polls

    return [] if asked.lines is None else line_polls(path.stem, parse_path(asked.lines) if asked.lines else EXAMPLE_LINES)


def _write_deck(path: Path, to: Path, polls: Sequence[Any]) -> Path:
    """Write the deck of a lesson with additional polls; the deck can run Python if the engine is installed."""
    from ...runtime.wasi_interpreter import InterpreterNotFoundError
    from ..browser_python.site_files import write_service_worker, write_site_files
    from ..slide_deck import write_deck

    print(f"{path.stem}: writing the deck, one moment.", file=sys.stderr, flush=True)
    try:
        live = write_site_files(to, to / "live")
    except InterpreterNotFoundError as error:
        print(f"Explorers are pictures, and cells do not run: {error}", file=sys.stderr)
        return write_deck(path, to, times=TIMES_PATH, polls=polls)
    file = write_deck(path, to, live=live, times=TIMES_PATH, polls=polls)
    write_service_worker(to)
    return file


def _save_votes(room: Any, to: Path | None) -> None:
    """Write the votes to a file; if no file name is given, ask for one in a terminal."""
    if to is None and any(room.connections.state.votes.values()) and sys.stdin.isatty():
        with suppress(EOFError, KeyboardInterrupt):
            while (name := input("\nSave the votes to file (Enter: do not save): ").strip()) and Path(name).exists():
                print(f"{name} exists already. Write another file name.")
            to = Path(name) if name else None
    if to is not None:
        table = StringIO(newline="")
        room.connections.state.save(table)
        write_atomically(to, table.getvalue().encode())
        print(f"{to}: votes saved")
