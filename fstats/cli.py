"""The command line: ``fstats lab`` opens the page of contents, ``fstats build`` writes them, ``fstats reproduce`` prints a study again.

For a lecture, ``fstats lab --lecture`` opens copies that show nothing before their cells run.
``fstats course`` copies the notebooks for another front end: a hub, VS Code, Colab.
``fstats site``, ``slides`` and ``print`` write the course for the web, for a screen and for paper.
For lecturers, ``fstats release`` gives each student exercises with numbers of his own, ``fstats grade`` marks what comes back,
``fstats audit`` shows the evidence for a mark, and ``fstats solution`` prints solutions.
"""

from __future__ import annotations

import argparse
import os
import socket
import sys
from collections.abc import Sequence
from pathlib import Path

from .core.validation.name_suggestions import resolve_numbered_name
from .publish import publish_commands as publish
from .publish.browser_python.file_server import parse_port
from .publish.notebook_content import find_notebook
from .runtime.atomic_write import path_of, told
from .runtime.parallel_tasks import end_workers
from .studies import reproduce_command as studies
from .teaching.course_files import BUNDLED_COURSE, COPY_FOLDER, COURSE_FOLDERS, LECTURE_FOLDER, copy_course, course_folder, has_lessons
from .teaching.marking import grading_commands as marking

OVERVIEW = """fstats: statistical comparison of classifiers, step by step.

    fstats lab                       open the course in JupyterLab
    fstats print 01 --to paper       a lesson on paper; slides and site are made alike
    fstats release                   exercises for a class
    fstats solution, fstats grade    in a clone: worked solutions, and the marking of a class
    fstats reproduce                 the published studies again

In Python: import fstats; fstats.which_test() asks what you have and names the test.
All commands: fstats --help; all lessons and exercises: fstats --list"""
RESUMABLE_COMMANDS = (
    "course",
    "lab",
    "build",
    "release",
    "grade",
)  # what they have finished stays, and the same command goes on from there


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit status.  What a command raises is told here, in a sentence."""
    import fstats

    parser = argparse.ArgumentParser(prog="fstats", description="Statistical comparison of classifiers, step by step.")
    parser.add_argument("--version", action="version", version=f"fstats {fstats.__version__}")
    parser.add_argument("--list", action="store_true", help="list all lessons and exercises by their names")
    commands = parser.add_subparsers(dest="command")
    lab = commands.add_parser(
        "lab",
        usage="fstats lab [-h] [--lecture] [lesson] [options of JupyterLab, such as --no-browser, --port, --ip]",
        help="open JupyterLab on the page of contents, or on a lesson such as 01",
        allow_abbrev=False,  # --le may be an option of JupyterLab
    )
    lab.add_argument(
        "--lecture",
        action="store_true",
        help=f"in copies, in {LECTURE_FOLDER}, that show no output before its cell runs, in large type; what you change there stays",
    )
    lab.add_argument("--port", type=parse_port, help="where the server listens; where that is taken, it takes another")
    lab.add_argument("--ip", help="the address at which it listens")
    lab.add_argument("--no-browser", action="store_true", help="open no browser")
    copies = commands.add_parser(
        "course",
        help=f"copy notebooks and exercises into {COPY_FOLDER}, to be opened by what is there: a hub, VS Code, Colab; what is there stays",
    )
    copies.add_argument("folder", nargs="?", type=path_of, help=f"another folder than {COPY_FOLDER}")
    build = commands.add_parser("build", help="in a clone: execute and normalise the notebooks, and write them back")
    build.add_argument("notebooks", nargs="*", help="files, or names such as 01_paired_t; if none is named, all")
    build.add_argument("--check", action="store_true", help="write nothing; exit with 1 if a notebook is not what build writes")
    publish.add_commands(commands)
    studies.add_parser(commands)
    marking.add_commands(commands)
    for command in commands.choices.values():
        command.set_defaults(parser=command)  # whose usage an error shows; that of a study is its own
    asked, rest = parser.parse_known_args(arguments)  # argparse's own REMAINDER refuses a rest that begins with an option
    if rest and asked.command != "lab":
        getattr(asked, "parser", parser).error(f"unrecognized arguments: {' '.join(rest)}")
    if asked.command is None and not asked.list:
        print(OVERVIEW)
        return 0
    try:
        return _run_command(asked, rest)
    except BrokenPipeError:  # whoever reads what is printed has seen enough of it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # so that Python finds no pipe to fill at its end
        return 141  # as the shell calls that
    except KeyboardInterrupt:
        end_workers()
        goes_on = asked.command in RESUMABLE_COMMANDS or getattr(asked, "store", None)
        kept = "What is done is kept: the same command goes on from there." if goes_on else "Nothing half made is left."
        print(f"Interrupted. {kept}", file=sys.stderr)
        return 130
    except OSError as error:
        print(told(error), file=sys.stderr)
    except LookupError as error:  # a name that means nothing, or several things
        print(error.args[-1], file=sys.stderr)
    except (ModuleNotFoundError, ValueError, RuntimeError) as error:  # of a module that is missing it says for what it is needed
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
        said = {"--port": asked.port, "--ip": asked.ip}
        options = [f"{name}={value}" for name, value in said.items() if value is not None] + ["--no-browser"] * asked.no_browser
        return _open_jupyterlab(rest, options, asked.lecture)
    if asked.command == "course":
        here = Path.cwd()
        _copy_course(asked.folder or (here if has_lessons(here) else here / COPY_FOLDER))
        return 0
    return _build_notebooks([_find_notebook(name) for name in asked.notebooks] or source_notebooks(), asked.check)


def _find_notebook(name: str) -> Path:
    """The notebook that is meant, by a file or by any name of one of the course's sources."""
    if Path(name).is_file():
        return Path(name)
    sources = {path.stem: path for path in source_notebooks()}
    return sources[resolve_numbered_name(name, sources, "notebook")]


def _open_jupyterlab(rest: Sequence[str], options: Sequence[str], lecture: bool) -> int:
    """Open the lessons of the current folder, or of the clone if the reader may write there; otherwise copies, which are his.

    For a lecture they are copied once more, without what they show, unless they have been.
    """
    from .teaching.jupyterlab_launcher import check_options, run_jupyterlab

    here, clone = Path.cwd(), course_folder()
    _check_address(next((option.partition("=")[2] for option in options if option.startswith("--ip=")), "*"))
    first = ""
    if rest and not rest[0].startswith("-"):  # a lesson, or an exercise
        name, *rest = rest
        there = here if has_lessons(here) else clone
        if rest and not rest[0].startswith("-"):
            raise ValueError(f"fstats lab opens one notebook, and the others lie beside it; got {name} and {rest[0]}")
        first = find_notebook(name, there / "notebooks").relative_to(there).as_posix()
    check_options(rest)  # before anything is copied
    if lecture:
        place = here if here.name == LECTURE_FOLDER else here / LECTURE_FOLDER
        _copy_course(place, here if has_lessons(here) and place != here else clone, covered=True)
    elif has_lessons(here):
        place = here
    elif clone != BUNDLED_COURSE and os.access(clone / "notebooks", os.W_OK):  # a clone for all users of a hub is not theirs
        place = clone
    else:
        place = _copy_course(here / COPY_FOLDER)
    return run_jupyterlab(place, [*options, *rest], lecture, first)


def _check_address(ip: str) -> None:
    """Whether a server can listen there, which JupyterLab tells in a traceback."""
    try:
        family, *_, where = socket.getaddrinfo(None if ip == "*" else ip, 0, type=socket.SOCK_STREAM)[0]
        socket.create_server(where[:2], family=family).close()
    except OSError as error:
        why = str(error.strerror).partition(" (")[0]
        raise ValueError(f"--ip must be an address of this machine, or * for all of them; got {ip} ({why})") from None


def _copy_course(to: Path, of: Path | None = None, covered: bool = False) -> Path:
    """Give the reader copies of what he does not have yet, and tell him where."""
    place, new, kept = copy_course(to, of, covered)
    print(f"{place}: {new} notebooks copied" + f", {kept} were there and stay as they are" * bool(kept))
    return place


def source_notebooks() -> list[Path]:
    """All notebooks that are sources: those to read, and the solutions, from which the exercises follow."""
    for place in (Path.cwd(), course_folder()):
        if place != BUNDLED_COURSE and all((place / room).is_dir() for room in COURSE_FOLDERS):
            return [path for room in ("notebooks", "solutions") for path in sorted((place / room).glob("*.ipynb"))]
    raise SystemExit("there are no notebooks here whose sources could be built; run this in a clone of the fstats repository")


def _build_notebooks(notebooks: Sequence[Path], check: bool) -> int:
    from .teaching.notebook_build import UnpublishableNotebook, is_up_to_date
    from .teaching.notebook_build import build as write

    status = 0
    for path in notebooks:
        try:
            if check:
                fits = is_up_to_date(path)
                print(f"{path}: {'up to date' if fits else 'not what fstats build writes'}")
                status |= not fits
            else:
                print(f"{path}: {'written' if write(path) else 'unchanged'}")
        except (UnpublishableNotebook, OSError) as error:
            print(told(error) if isinstance(error, OSError) else error, file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
