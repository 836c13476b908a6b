"""The test of a wall before it is trusted: a walk through all that a submission could see, in search of the course."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from .allow_list import PACKAGE, allowed_paths, fstats_files, installed_paths, resolve_symlinks
from .bubblewrap_sandbox import SandboxUnavailable
from .notebook_session import SandboxBackend

SECRET_FILE_NAMES = (
    "verdict_rules.py",
    "answer_diagnosis.py",
    "mistakes.py",
    "catalogue.py",
    "roster.py",
    "marker.py",
)  # files that nobody else has
MOST_ENTRIES, MOST_FILES = 5000, 20  # of a folder of the course that are looked at, and that are tried
SECONDS = 100  # of computing that the walk may take
COURSE_FOLDERS = ("course", "grading", "marking", "course_files", "shelf")  # of fstats.teaching: they hold answers or judge them
UNTESTED = "The wall was not tested: "
DISTINCTIVE_LINE = re.compile(
    r"[ -!#-\[\]-~]{30,120}+"
)  # a line that is written in a notebook's JSON as in a file: no quotes, no backslashes


def leak_targets(course: Path, others: Sequence[Path] = ()) -> dict[str, Any]:
    """What the walk looks for.

    Parameters
    ----------
    course : Path
        The folder with `exercises` and `solutions`.
    others : sequence of Path
        The secret, the roster, the submissions and whatever else nobody may see.
    """
    teaching = PACKAGE / "teaching"
    notebooks = [path for folder in ("exercises", "solutions") for path in sorted((course / folder).glob("*.ipynb"))]
    own = [path for folder in COURSE_FOLDERS for path in sorted((teaching / folder).rglob("*.py"))]
    let_in = "\n".join(path.read_text(encoding="utf-8") for _, path in fstats_files() if path.suffix == ".py")
    given = "\n".join(_notebook_code(path) for path in notebooks if path.parent.name == "exercises")
    answers = [_distinctive_line(_notebook_code(path), given + let_in) for path in notebooks if path.parent.name == "solutions"]
    asked = [_distinctive_line(path.read_text(encoding="utf-8"), let_in) for path in own if path.parent.parent.name == "course"]
    places = [teaching / folder for folder in COURSE_FOLDERS] + [
        course / "solutions",
        course / "exercises",
        PACKAGE.parent / "tests",
        *others,
    ]
    return {
        "names": sorted({path.name for path in notebooks} | {*SECRET_FILE_NAMES}),
        "words": [*filter(None, answers + asked)],
        "paths": [str(file) for place in places for file in _files(place.absolute())],
        "modules": [f"fstats.teaching.{name}" for name in COURSE_FOLDERS],
    }


def _files(place: Path) -> list[Path]:
    """The file, or some of those in a folder; a folder itself may be there as the way to a library that is let in."""
    if not place.is_dir():
        return [place]
    try:
        let_in = resolve_symlinks(allowed_paths())[1]
    except OSError:  # the loader does not tell: then there is no bubblewrap here
        let_in = resolve_symlinks(installed_paths())[1]
    there = (path for path in islice(place.rglob("*"), MOST_ENTRIES) if path.is_file())
    return [*islice((path for path in there if not any(path.resolve().is_relative_to(one) for one in let_in)), MOST_FILES)]


def _notebook_code(notebook: Path) -> str:
    """The code of a notebook."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")


def _distinctive_line(text: str, elsewhere: str) -> str:
    """The longest line of a text that stands nowhere else."""
    lines = sorted((found.strip() for line in text.split("\n") for found in DISTINCTIVE_LINE.findall(line)), key=len, reverse=True)
    return next((line for line in lines if line not in elsewhere), "")


def check_sandbox(wall: SandboxBackend, what: Mapping[str, Any]) -> str:
    """What came of the walk, in a sentence.

    Raises
    ------
    NotIsolated
        If anything of the course can be seen.
    """
    found = json.loads(wall.run({"walk": what, "cases": {}, "seconds": SECONDS}))
    if found["found"]:
        wall.close()
        raise SandboxUnavailable(
            f"the wall ({wall.isolation}) shows what belongs to the course: {', '.join(found['found'][:5])}; nothing was run"
        )
    return f"The wall ({wall.isolation}) was tested: {found['paths']} paths seen, none of the course's."
