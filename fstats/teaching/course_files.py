"""Where the course's notebooks, exercises and solutions lie, and how a reader comes to copies of his own.

In a clone they are the folders beside the package, and one works on them.  Installed from a wheel, the package brings notebooks and
exercises along on a shelf of its own, with smaller pictures; solutions are in a clone only, since a wheel is handed to every student.
`fstats lab` then opens copies, which are the reader's and are never overwritten; `fstats course` only makes them.
For a lecture there are copies that show nothing yet: what a cell shows is covered until it runs, so that a bet before it is one.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

from ..runtime.atomic_write import write_atomically

COURSE_FOLDERS = ("notebooks", "exercises", "solutions")
PACKAGE = Path(__file__).parent.parent
BUNDLED_COURSE = PACKAGE / "teaching" / "shelf"  # the build of a wheel fills it, .ci/wheel.py; in a clone there is none
COPY_FOLDER = "fstats-course"  # the folder that `fstats lab` and `fstats course` make where they are started
NO_SOLUTIONS = "needs the solutions, which a wheel does not bring; install fstats from a clone of its repository (pip install -e .)"
LECTURE_FOLDER = "fstats-lecture"  # and the one of `fstats lab --lecture`


def course_folder() -> Path:
    """The folder with `notebooks` and `exercises` that belongs to this installation; in a clone it has `solutions`, too.

    Raises
    ------
    FileNotFoundError
        If the package came without them.
    """
    for place in (PACKAGE.parent, BUNDLED_COURSE):
        if all((place / room).is_dir() for room in COURSE_FOLDERS[:2]):
            return place
    raise FileNotFoundError(
        f"fstats came without the folders {' and '.join(COURSE_FOLDERS[:2])}: install its wheel, or install it from a clone with pip install -e ."
    )


def has_lessons(place: Path) -> bool:
    """Whether the course is to be opened in a folder: many a reader has a folder `notebooks` of his own, without its contents.

    Examples
    --------
    >>> has_lessons(course_folder()), has_lessons(course_folder() / "notebooks")
    (True, False)
    """
    return (place / "notebooks" / "contents.ipynb").is_file()


class CopyResult(NamedTuple):
    """What `copied` did."""

    to: Path
    new: int
    kept: int  # were there, and stay as the reader left them


def copy_course(to: Path, of: Path | None = None, covered: bool = False) -> CopyResult:
    """Copy the notebooks and the exercises, with what they link to, into a folder of the reader's; what is there stays.

    Parameters
    ----------
    to : path
        The reader's folder.
    of : path, optional
        Whose notebooks; those of this installation if it is not said.
    covered : bool
        Whether the copies show nothing until their cells run.

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
    """A notebook as nobody has run it yet: neither what its cells show nor the pictures that stand for explorers.

    >>> without_outputs('{"cells": [{"cell_type": "code", "outputs": ["p = 0.03"], "execution_count": 1}], "metadata": {"widgets": {}}}')
    '{"cells": [{"cell_type": "code", "outputs": [], "execution_count": null}], "metadata": {}}'
    """
    read = json.loads(notebook)
    read["metadata"].pop("widgets", None)
    for cell in read["cells"]:
        if cell["cell_type"] == "code":
            cell |= {"outputs": [], "execution_count": None}
    return json.dumps(read, ensure_ascii=False)
