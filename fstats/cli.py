"""Command-line interface of ``fstats``.

Its subcommands are ``lab`` (open the course), ``build`` (notebooks), ``reproduce`` (a study) and others.

For a lecture, ``fstats lab --lecture`` opens copies without outputs; an output appears when its cell runs.
``fstats course`` copies the notebooks for another front end: a hub, VS Code, Colab.
``fstats site``, ``slides`` and ``print`` write the course for the web, for a screen and for paper.
``fstats desk scores.csv`` compares the classifiers in a table, in a browser tab that sends nothing to other machines.
For lecturers, ``fstats release`` gives each student exercises with individual numbers, ``fstats grade`` marks the submissions,
``fstats audit`` shows the evidence for a mark, and ``fstats solution`` prints solutions.
"""

from __future__ import annotations

import argparse
import os
import socket
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

from .core.validation.name_suggestions import resolve_numbered_name
from .publish import publish_commands as publish
from .publish.browser_python.file_server import parse_port
from .publish.notebook_content import find_notebook
from .runtime import command_options
from .runtime.atomic_write import describe_os_error
from .runtime.parallel_tasks import end_workers
from .studies import reproduce_command as studies
from .teaching.course_files import BUNDLED_COURSE, COPY_FOLDER, COURSE_FOLDERS, LECTURE_FOLDER, copy_course, course_folder, has_lessons
from .teaching.marking import grading_commands as marking

OVERVIEW = """fstats: statistical comparison of classifiers, step by step.

    fstats lab                       open the course in JupyterLab
        fstats print 01 --to paper       write a lesson for paper; slides and site are written in the same way
    fstats desk scores.csv           compare the classifiers in a table, in a browser
    fstats release                   exercises for a class
        fstats solution, fstats grade    in a clone: worked solutions, and the marking of a class
        fstats reproduce                 repeat the published studies

In Python: import fstats; fstats.which_test() asks about your data and names the test.
All commands: fstats --help; all lessons and exercises: fstats --list"""
# commands that store partial results; after an interruption, the same command continues with them
RESUMABLE_COMMANDS = ("course", "lab", "build", "release", "grade")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status; errors are printed as one sentence."""
    import fstats

    about = (Path(__file__).parent / "teaching" / "course_commands.toml").read_text(encoding="utf-8")
    about = about.replace("COPY_FOLDER", COPY_FOLDER).replace("LECTURE_FOLDER", LECTURE_FOLDER)
    parser = argparse.ArgumentParser(prog="fstats", description="Statistical comparison of classifiers, step by step.")
    parser.add_argument("--version", action="version", version=f"fstats {fstats.__version__}")
    parser.add_argument("--list", action="store_true", help="list all lessons and exercises by their names")
    commands = parser.add_subparsers(dest="command")
    command_options.add_commands(commands, tomllib.loads(about), {"port": parse_port})
    publish.add_commands(commands)
    studies.add_parser(commands)
    marking.add_commands(commands)
    for command in commands.choices.values():
        command.set_defaults(parser=command)  # errors are reported with the usage of this parser, unless a study sets its own parser
    asked, rest = parser.parse_known_args(arguments)  # not argparse.REMAINDER, which refuses an option as first argument
    if rest and asked.command != "lab":
        getattr(asked, "parser", parser).error(f"unrecognized arguments: {' '.join(rest)}")
    if asked.command is None and not asked.list:
        print(OVERVIEW)
        return 0
    try:
        return _run_command(asked, rest)
    except BrokenPipeError:  # a program that reads the output, such as head, has closed the pipe
        # redirect the output, so that Python can flush it at exit without an error
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141  # 128 + 13 (SIGPIPE), the exit status of a program with a broken pipe
    except KeyboardInterrupt:
        end_workers()
        can_resume = asked.command in RESUMABLE_COMMANDS or getattr(asked, "store", None)
        rest_of_work = "Finished work is kept: the same command continues with the rest." if can_resume else "No unfinished file is left."
        print(f"Interrupted. {rest_of_work}", file=sys.stderr)
        return 130
    except OSError as error:
        print(describe_os_error(error), file=sys.stderr)
    except LookupError as error:  # an argument of the command is unknown or ambiguous
        print(error.args[-1], file=sys.stderr)
    # a ModuleNotFoundError needs no traceback, because its message states what needs the missing module
    except (ModuleNotFoundError, ValueError, RuntimeError) as error:
        print(error, file=sys.stderr)
    return 1


def _run_command(asked: argparse.Namespace, rest: Sequence[str]) -> int:
    if asked.list:
        print(*(path.stem for room in COURSE_FOLDERS[:2] for path in sorted((course_folder() / room).glob("*.ipynb"))), sep="\n")
        return 0
    if asked.command == "reproduce":
        return studies.reproduce(asked)
    if asked.command in marking.COMMANDS:
        return marking.run_command(asked, course_folder())
    if asked.command in publish.COMMANDS:
        return publish.run_command(asked, course_folder() / "notebooks")
    if asked.command == "lab":
        given = {"--port": asked.port, "--ip": asked.ip}
        options = [f"{name}={value}" for name, value in given.items() if value is not None] + ["--no-browser"] * asked.no_browser
        return _open_jupyterlab(rest, options, asked.lecture)
    if asked.command == "course":
        here = Path.cwd()
        _copy_course(asked.folder or (here if has_lessons(here) else here / COPY_FOLDER))
        return 0
    return _build_notebooks([_find_notebook(name) for name in asked.notebooks] or source_notebooks(), asked.check)


def _find_notebook(name: str) -> Path:
    """Find a notebook by its file, or by any name of a source notebook of the course."""
    if Path(name).is_file():
        return Path(name)
    sources = {path.stem: path for path in source_notebooks()}
    return sources[resolve_numbered_name(name, sources, "notebook")]


def _open_jupyterlab(rest: Sequence[str], options: Sequence[str], lecture: bool) -> int:
    """Open the lessons in the current folder, or in the clone if the reader may write there; otherwise open copies.

    For a lecture, open copies without outputs, and make the missing copies.
    """
    from .teaching.jupyterlab_launcher import check_options, run_jupyterlab

    here, clone = Path.cwd(), course_folder()
    _check_address(next((option.partition("=")[2] for option in options if option.startswith("--ip=")), "*"))
    first = ""
    if rest and not rest[0].startswith("-"):  # the first argument names a lesson or an exercise
        name, *rest = rest
        folder = here if has_lessons(here) else clone
        if rest and not rest[0].startswith("-"):
            raise ValueError(
                f"fstats lab opens one notebook; got {name} and {rest[0]}. Write one name: JupyterLab lists the other notebooks."
            )
        first = find_notebook(name, folder / "notebooks").relative_to(folder).as_posix()
    check_options(rest)  # raise an error for a wrong option before files are copied
    if lecture:
        place = here if here.name == LECTURE_FOLDER else here / LECTURE_FOLDER
        _copy_course(place, here if has_lessons(here) and place != here else clone, covered=True)
    elif has_lessons(here):
        place = here
    elif clone != BUNDLED_COURSE and os.access(clone / "notebooks", os.W_OK):
        # open the lessons of the clone without a copy, because the reader may write there
        place = clone
    else:
        place = _copy_course(here / COPY_FOLDER)
    return run_jupyterlab(place, [*options, *rest], lecture, first)


def _check_address(ip: str) -> None:
    """Raise ValueError if a server cannot listen at an address; JupyterLab would print a traceback."""
    try:
        family, *_, where = socket.getaddrinfo(None if ip == "*" else ip, 0, type=socket.SOCK_STREAM)[0]
        socket.create_server(where[:2], family=family).close()
    except OSError as error:
        reason = str(error.strerror).partition(" (")[0]
        raise ValueError(f"--ip must be an address of this machine, or * for all addresses; got {ip} ({reason})") from None


def _copy_course(to: Path, of: Path | None = None, covered: bool = False) -> Path:
    """Copy the missing notebooks of the course for the reader, and print the folder of the copies."""
    place, new, kept = copy_course(to, of, covered)
    print(f"{place}: {new} notebooks copied" + f", {kept} existed and are not changed" * bool(kept))
    return place


def source_notebooks() -> list[Path]:
    """Return the source notebooks: the lessons, and the solutions from which the exercises are derived."""
    for place in (Path.cwd(), course_folder()):
        if place != BUNDLED_COURSE and all((place / room).is_dir() for room in COURSE_FOLDERS):
            return [path for room in ("notebooks", "solutions") for path in sorted((place / room).glob("*.ipynb"))]
    raise SystemExit("this command needs the source notebooks. Run it in a clone of the fstats repository.")


def _build_notebooks(notebooks: Sequence[Path], check: bool) -> int:
    from .teaching.notebook_build import UnpublishableNotebook, is_up_to_date
    from .teaching.notebook_build import build as write

    status = 0
    for path in notebooks:
        try:
            if check:
                fits = is_up_to_date(path)
                print(f"{path}: {'up to date' if fits else 'not as fstats build writes it'}")
                status |= not fits
            else:
                print(f"{path}: {'written' if write(path) else 'unchanged'}")
        except (UnpublishableNotebook, OSError) as error:
            print(describe_os_error(error) if isinstance(error, OSError) else error, file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
