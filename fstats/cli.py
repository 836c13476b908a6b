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
import sys
from collections.abc import Sequence
from pathlib import Path

from .publish import command as publish
from .studies import command as studies
from .teaching.marking import command as marking
from .teaching.shelf import COPIES, LECTURE, ROOMS, SHELF, copied, course, holds_lessons


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit status."""
    import fstats

    parser = argparse.ArgumentParser(prog="fstats", description="Statistical comparison of classifiers, step by step.")
    parser.add_argument("--version", action="version", version=f"fstats {fstats.__version__}")
    commands = parser.add_subparsers(dest="command", required=True)
    lab = commands.add_parser(
        "lab",
        usage="fstats lab [-h] [--lecture] [options of JupyterLab, such as --no-browser]",
        help="open JupyterLab on the page of contents",
        allow_abbrev=False,  # --le may be an option of JupyterLab
    )
    lab.add_argument(
        "--lecture",
        action="store_true",
        help=f"in copies, in {LECTURE}, that show no output before its cell runs, in large type; what you change there stays",
    )
    commands.add_parser(
        "course",
        help=f"copy notebooks and exercises into {COPIES}, to be opened by what is there: a hub, VS Code, Colab; what is there stays",
    )
    build = commands.add_parser("build", help="execute and normalise the notebooks, and write them back")
    build.add_argument("notebooks", nargs="*", type=Path, help="files; all of notebooks/ and solutions/ if none is named")
    build.add_argument("--check", action="store_true", help="write nothing; exit with 1 if a notebook is not what build writes")
    publish.add(commands)
    studies.add(commands)
    marking.add(commands)
    asked, rest = parser.parse_known_args(arguments)  # argparse's own REMAINDER refuses a rest that begins with an option
    if rest and asked.command != "lab":
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    try:
        return _do(asked, parser, rest)
    except ModuleNotFoundError as error:  # which says what is missing, for what, and how it is installed
        print(error, file=sys.stderr)
        return 1


def _do(asked: argparse.Namespace, parser: argparse.ArgumentParser, rest: Sequence[str]) -> int:
    if asked.command == "reproduce":
        return studies.reproduce(asked, parser)
    if asked.command in marking.COMMANDS:
        return marking.run(asked, parser, course())
    if asked.command in publish.COMMANDS:
        return publish.run(asked, course() / "notebooks")
    if asked.command == "lab":
        return _lab(rest, asked.lecture)
    if asked.command == "course":
        here = Path.cwd()
        _copies(here if holds_lessons(here) else here / COPIES)
        return 0
    return _build(asked.notebooks or everything(), asked.check)


def _lab(options: Sequence[str], lecture: bool) -> int:
    """Open the lessons of the current folder, or of the clone if the reader may write there; otherwise copies, which are his.

    For a lecture they are copied once more, without what they show, unless they have been.
    """
    from .teaching.lab import run

    here, clone = Path.cwd(), course()
    if lecture:
        place = here if here.name == LECTURE else here / LECTURE
        _copies(place, here if holds_lessons(here) and place != here else clone, covered=True)
    elif holds_lessons(here):
        place = here
    elif clone != SHELF and os.access(clone / "notebooks", os.W_OK):  # a clone for all users of a hub is not theirs
        place = clone
    else:
        place = _copies(here / COPIES)
    return run(place, options, lecture)


def _copies(to: Path, of: Path | None = None, covered: bool = False) -> Path:
    """Give the reader copies of what he does not have yet, and tell him where."""
    try:
        place, new, kept = copied(to, of, covered)
    except PermissionError as error:
        raise SystemExit(f"{error.filename} cannot be written; start in a folder of your own, such as your home") from None
    print(f"{place}: {new} notebooks copied" + f", {kept} were there and stay as they are" * bool(kept))
    return place


def everything() -> list[Path]:
    """All notebooks that are sources: those to read, and the solutions, from which the exercises follow."""
    for place in (Path.cwd(), course()):
        if place != SHELF and all((place / room).is_dir() for room in ROOMS):
            return [path for room in ("notebooks", "solutions") for path in sorted((place / room).glob("*.ipynb"))]
    raise SystemExit("there are no notebooks here whose sources could be built; run this in a clone of the fstats repository")


def _build(notebooks: Sequence[Path], check: bool) -> int:
    from .teaching.build import NotFit, is_what_build_writes
    from .teaching.build import build as write

    status = 0
    for path in notebooks:
        try:
            if check:
                fits = is_what_build_writes(path)
                print(f"{path}: {'up to date' if fits else 'not what fstats build writes'}")
                status |= not fits
            else:
                print(f"{path}: {'written' if write(path) else 'unchanged'}")
        except NotFit as error:
            print(error, file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
