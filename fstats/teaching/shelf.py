"""Where the course's notebooks, exercises and solutions lie, and how a reader comes to copies of his own.

In a clone they are the folders beside the package, and one works on them.  Installed from a wheel, the package brings them along
on a shelf of its own: `fstats lab` then opens copies, which are the reader's and are never overwritten; `fstats course` only makes them.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import NamedTuple

ROOMS = ("notebooks", "exercises", "solutions")
PACKAGE = Path(__file__).parent.parent
SHELF = PACKAGE / "teaching" / "shelf"  # the build of a wheel fills it; in a clone there is none
COPIES = "fstats-course"  # the folder that `fstats lab` and `fstats course` make where they are started


def course() -> Path:
    """The folder with `notebooks`, `exercises` and `solutions` that belongs to this installation.

    Raises
    ------
    FileNotFoundError
        If the package came without them.
    """
    for place in (PACKAGE.parent, SHELF):
        if all((place / room).is_dir() for room in ROOMS):
            return place
    raise FileNotFoundError(
        f"fstats came without the folders {', '.join(ROOMS)}: install its wheel, or install it from a clone with pip install -e ."
    )


def holds_lessons(place: Path) -> bool:
    """Whether the course is to be opened in a folder: many a reader has a folder `notebooks` of his own, without its contents.

    Examples
    --------
    >>> holds_lessons(course()), holds_lessons(course() / "notebooks")
    (True, False)
    """
    return (place / "notebooks" / "contents.ipynb").is_file()


class Copied(NamedTuple):
    """What `copied` did."""

    to: Path
    new: int
    kept: int  # were there, and stay as the reader left them


def copied(to: Path) -> Copied:
    """Copy the notebooks and the exercises, with what they link to, into a folder of the reader's; what is there stays.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     first, second = copied(Path(folder)), copied(Path(folder))
    >>> first.new == second.kept, first.kept, second.new
    (True, 0, 0)
    """
    new = kept = 0
    for room in ROOMS[:2]:
        (to / room).mkdir(parents=True, exist_ok=True)
        for path in sorted((course() / room).glob("*.ipynb")):
            if (to / room / path.name).exists():
                kept += 1
            else:
                shutil.copyfile(path, to / room / path.name)
                new += 1
    return Copied(to, new, kept)
