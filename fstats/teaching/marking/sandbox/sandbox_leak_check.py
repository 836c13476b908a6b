"""Check that a sandbox hides the files of the course."""

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
    *("verdict_rules.py", "answer_diagnosis.py", "mistakes.py", "questions.toml", "catalogue.py", "individual_data.py"),
    *("roster.py", "marker.py"),
)  # names of files of the course; no library has files with these names
# maximum number of listed files in a folder of the course, and maximum number of files that the scan tries to read
MAX_ENTRIES, MAX_FILES = 5000, 20
SECONDS = 100  # maximum computing time of the scan in seconds
COURSE_FOLDERS = ("course", "grading", "marking", "course_files", "shelf")  # parts of fstats.teaching that contain or check answers
UNTESTED = "The sandbox was not tested: "
# text without quotes and backslashes, so that it is the same in JSON (a notebook) and in a plain file
DISTINCTIVE_LINE = re.compile(r"[ -!#-\[\]-~]{30,120}+")


def leak_targets(course: Path, others: Sequence[Path] = ()) -> dict[str, Any]:
    """Return the names, lines, paths and modules for which the scan searches.

    Parameters
    ----------
    course : Path
        The folder with `exercises` and `solutions`.
    others : sequence of Path
        The secret, the roster, the submissions and all other confidential files.
    """
    teaching = PACKAGE / "teaching"
    notebooks = [path for folder in ("exercises", "solutions") for path in sorted((course / folder).glob("*.ipynb"))]
    own = [path for folder in COURSE_FOLDERS for ending in ("py", "toml") for path in sorted((teaching / folder).rglob(f"*.{ending}"))]
    visible = "\n".join(path.read_text(encoding="utf-8") for _, path in fstats_files() if path.suffix == ".py")
    given = "\n".join(_notebook_code(path) for path in notebooks if path.parent.name == "exercises")
    answers = [_distinctive_line(_notebook_code(path), given + visible) for path in notebooks if path.parent.name == "solutions"]
    questions = [_distinctive_line(path.read_text(encoding="utf-8"), visible) for path in own if path.parent.parent.name == "course"]
    places = [teaching / folder for folder in COURSE_FOLDERS] + [
        course / "solutions",
        course / "exercises",
        PACKAGE.parent / "tests",
        *others,
    ]
    try:
        visible_folders = resolve_symlinks(allowed_paths())[1]
    except OSError:  # the loader does not list libraries, so bubblewrap is not available either
        visible_folders = resolve_symlinks(installed_paths())[1]
    return {
        "names": sorted({path.name for path in notebooks} | {*SECRET_FILE_NAMES}),
        "words": [*filter(None, answers + questions)],
        "paths": [str(file) for place in places for file in _files(place.absolute(), visible_folders)],
        "modules": [f"fstats.teaching.{name}" for name in COURSE_FOLDERS],
    }


def _files(place: Path, visible: Sequence[Path]) -> list[Path]:
    """Return a file, or some files of a folder, without files that belong to a visible library."""
    if not place.is_dir():
        return [place]
    files = (path for path in islice(place.rglob("*"), MAX_ENTRIES) if path.is_file())
    return [*islice((path for path in files if {real := path.resolve(), *real.parents}.isdisjoint(visible)), MAX_FILES)]


def _notebook_code(notebook: Path) -> str:
    """Return the code of all code cells of a notebook."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")


def _distinctive_line(text: str, elsewhere: str) -> str:
    """Return the longest line of a text that does not occur in `elsewhere`."""
    lines = sorted((part.strip() for line in text.split("\n") for part in DISTINCTIVE_LINE.findall(line)), key=len, reverse=True)
    return next((line for line in lines if line not in elsewhere), "")


def check_sandbox(sandbox: SandboxBackend, targets: Mapping[str, Any]) -> str:
    """Scan a sandbox for leaks, and return a sentence with the result.

    Raises
    ------
    SandboxUnavailable
        If a part of the course is visible.
    """
    result = json.loads(sandbox.run({"walk": targets, "cases": {}, "seconds": SECONDS}))
    if leaks := result["found"]:
        sandbox.close()
        raise SandboxUnavailable(f"the sandbox ({sandbox.isolation}) shows parts of the course: {', '.join(leaks[:5])}; nothing was run")
    return f"The sandbox ({sandbox.isolation}) was tested: {result['paths']} paths seen, none of the course."
