"""Files and folders that are written wholly or not at all: a disk that gets full, or Ctrl-C, leaves no half of one under its name."""

from __future__ import annotations

import errno
import re
import shutil
from argparse import ArgumentTypeError
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

PART = ".part"  # of a name, as long as what bears it is not whole
OWN = "name a folder of your own, or go to one first, such as your home (cd ~)"
REMEDIES = {
    errno.EACCES: OWN,
    errno.EPERM: OWN,
    errno.EROFS: OWN,
    errno.ENOENT: "look at its spelling, and whether the folder is there in which it lies",
    errno.EISDIR: "it is a folder: name a file in it",
}
FULL = (errno.ENOSPC, errno.EDQUOT)
REMEDIES |= dict.fromkeys(FULL, "make room, or name a place on another disk")


def told(error: OSError) -> str:
    """What an error of the file system says to a person: which file, why, and what to do.

    >>> told(PermissionError(errno.EACCES, "Permission denied", "/srv/paper"))
    '/srv/paper cannot be used (Permission denied): name a folder of your own, or go to one first, such as your home (cd ~)'
    >>> told(FileExistsError(errno.EEXIST, "File exists", "paper")), told(OSError("the room is full"))
    ('paper is a file and no folder: move it, or name another folder', 'the room is full')
    """
    if error.errno is None or error.strerror is None:
        return str(error)
    name = re.sub(rf"([/\\]\.\w+)?\{PART}(?=[/\\]|\Z)", "", str(error.filename2 or error.filename or "the folder in which you are"))
    if error.errno in (errno.EEXIST, errno.ENOTDIR):
        name = next((str(one) for one in (Path(name), *Path(name).parents) if one.is_file()), name)
        return f"{name} is a file and no folder: move it, or name another folder"
    remedy = REMEDIES.get(error.errno)
    return f"{name} cannot be used ({error.strerror})" + (f": {remedy}" if remedy else "")


def path_of(said: str) -> Path:
    """A file or a folder as a command is told it, perhaps in quotes, where no shell knows whose home ``~`` is.

    >>> path_of("~/paper") == Path.home() / "paper"
    True
    """
    if not said.strip():
        raise ArgumentTypeError("the name is empty")
    return Path(said).expanduser() if said == "~" or said.startswith(("~/", "~\\")) else Path(said)


@contextmanager
def made(folder: Path) -> Iterator[None]:
    """A folder that is there; if what is done meanwhile fails, it goes again, and those around it, if they are new and empty.

    >>> with TemporaryDirectory() as place:
    ...     with suppress(ValueError), made(Path(place) / "new" / "newer"):
    ...         raise ValueError
    ...     [*Path(place).iterdir()]
    []
    """
    new = [one for one in (folder, *folder.parents) if not one.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield
    except BaseException as error:
        if isinstance(error, OSError) and error.errno in FULL and not error.filename:  # the system does not say where
            error.filename = str(folder)
        for one in new:
            with suppress(OSError):
                one.rmdir()
        raise


@contextmanager
def whole(folder: Path, instead: bool = False) -> Iterator[Path]:
    """A place for files that move into a folder once all are there; `instead` of everything that was in it.

    >>> with TemporaryDirectory() as place:
    ...     with suppress(KeyboardInterrupt), whole(Path(place)) as part:
    ...         _ = (part / "half.html").write_text("<p>")
    ...         raise KeyboardInterrupt
    ...     [*Path(place).iterdir()]
    []
    """
    with made(folder), TemporaryDirectory(dir=folder, prefix=".", suffix=PART) as name:
        yield (part := Path(name))
        for old in folder.iterdir() if instead else ():
            if old.is_dir() and old != part:
                shutil.rmtree(old)
            elif old != part:
                old.unlink()
        for path in sorted(part.rglob("*")):
            if path.is_file():
                to = folder / path.relative_to(part)
                to.parent.mkdir(parents=True, exist_ok=True)
                path.replace(to)


def check_own(folder: Path, ours: bool, option: str, command: str) -> None:
    """Refuse to write among files that are not `ours`: one of them might have a name that this program gives.

    >>> check_own(Path.cwd(), False, "--to", "print")
    Traceback (most recent call last):
    FileExistsError: ... holds other files; give --to an empty folder, a new one, or one that fstats print has written
    """
    if folder.is_dir() and any(folder.iterdir()) and not ours:
        asked = f"give {option} an empty folder, a new one, or one that fstats {command} has written"
        raise FileExistsError(f"{folder} holds other files; {asked}")


@contextmanager
def writable(path: Path, begins: str = "") -> Iterator[None]:
    """What is written to a file in the end, after work: whether it can be is told at once.

    What is there is replaced only if it `begins` as what this program writes.

    >>> with writable(Path.cwd()):
    ...     pass
    Traceback (most recent call last):
    IsADirectoryError: ...
    """
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, "Is a directory", str(path))
    if path.is_file() and not (begins and path.read_bytes().startswith(begins.encode())):
        raise FileExistsError(f"{path} is there already: move it, or name another file")
    with made(path.parent):
        TemporaryDirectory(dir=path.parent, prefix=".", suffix=PART).cleanup()
        yield


def written(path: Path, content: bytes) -> None:
    """Write a file, all of it or nothing.

    >>> with TemporaryDirectory() as folder:
    ...     written(Path(folder) / "new" / "file.txt", b"words")
    ...     sorted(path.name for path in Path(folder, "new").iterdir())
    ['file.txt']
    """
    part = path.with_name(path.name + PART)
    with made(path.parent):
        try:
            part.write_bytes(content)
            part.replace(path)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
