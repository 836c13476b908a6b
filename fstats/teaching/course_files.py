"""Copy the notebooks of the course for a reader.

In a clone, the folders are next to the package, and readers work in these folders. A wheel contains notebooks and
exercises in the package, with smaller pictures. Only a clone has the solutions, because every student gets the wheel.
From a wheel, `fstats lab` opens copies, which belong to the reader and are never overwritten; `fstats course` only makes the copies.
Copies for a lecture have no outputs: an output appears when its cell runs, so that the audience can bet on the output.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

from ..runtime.atomic_write import write_atomically

COURSE_FOLDERS = ("notebooks", "exercises", "solutions")
PACKAGE = Path(__file__).parent.parent
BUNDLED_COURSE = PACKAGE / "teaching" / "shelf"  # folder that exists only in a wheel; .ci/wheel.py fills it during the build
COPY_FOLDER = "fstats-course"  # folder that `fstats lab` and `fstats course` create in the current folder
NO_SOLUTIONS = "which a wheel does not contain. Install fstats from a clone of its repository (pip install -e .)."
LECTURE_FOLDER = "fstats-lecture"  # folder that `fstats lab --lecture` creates


def course_folder() -> Path:
    """Return the folder with `notebooks` and `exercises` of this installation; in a clone it contains `solutions`, too.

    Raises
    ------
    FileNotFoundError
        If the installation does not contain these folders.
    """
    for place in (PACKAGE.parent, BUNDLED_COURSE):
        if all((place / room).is_dir() for room in COURSE_FOLDERS[:2]):
            return place
    raise FileNotFoundError(
        f"the installation of fstats must contain the folders {' and '.join(COURSE_FOLDERS[:2])}, which are missing. Install the wheel "
        "of fstats, or run `pip install -e .` in a clone."
    )


def has_lessons(place: Path) -> bool:
    """Return whether a folder contains the course; a reader's own folder `notebooks` does not count, since it has no contents.ipynb.

    Examples
    --------
    >>> has_lessons(course_folder()), has_lessons(course_folder() / "notebooks")
    (True, False)
    """
    return (place / "notebooks" / "contents.ipynb").is_file()


class CopyResult(NamedTuple):
    """Result of :func:`copy_course`."""

    to: Path
    new: int
    kept: int  # number of existing files that were not overwritten


def copy_course(to: Path, of: Path | None = None, covered: bool = False) -> CopyResult:
    """Copy the notebooks and the exercises into a folder of the reader; existing files are not changed.

    Parameters
    ----------
    to : path
        The folder for the copies.
    of : path, optional
        The folder of the course; default: the course of this installation.
    covered : bool
        Whether outputs are left out of the copies, for a lecture.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     first, second = copy_course(Path(folder)), copy_course(Path(folder))
    >>> first.new == second.kept, first.kept, second.new
    (True, 0, 0)
    """
    new = kept = 0
    for room in COURSE_FOLDERS[:2]:
        (to / room).mkdir(parents=True, exist_ok=True)
        for path in sorted(((of or course_folder()) / room).glob("*.ipynb")):
            own = to / room / path.name
            if own.exists():
                kept += 1
                continue
            text = path.read_bytes()
            write_atomically(own, without_outputs(text.decode("utf-8")).encode("utf-8") if covered else text)
            new += 1
    return CopyResult(to, new, kept)


def without_outputs(notebook: str) -> str:
    """Remove the outputs of a notebook: the outputs of its cells, and the pictures of its explorers.

    >>> without_outputs('{"cells": [{"cell_type": "code", "outputs": ["p = 0.03"], "execution_count": 1}], "metadata": {"widgets": {}}}')
    '{"cells": [{"cell_type": "code", "outputs": [], "execution_count": null}], "metadata": {}}'
    """
    content = json.loads(notebook)
    content["metadata"].pop("widgets", None)
    for cell in content["cells"]:
        if cell["cell_type"] == "code":
            cell |= {"outputs": [], "execution_count": None}
    return json.dumps(content, ensure_ascii=False)
