"""Write files and folders atomically.

A full disk or Ctrl-C leaves no incomplete file.
"""

from __future__ import annotations

import errno
import re
import shutil
from argparse import ArgumentTypeError
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

PART = ".part"  # suffix of the names of incomplete files and folders
USE_OWN_FOLDER = "Name a folder of your own, or go to one first, such as your home (cd ~)."
REMEDIES = {
    errno.EACCES: USE_OWN_FOLDER,
    errno.EPERM: USE_OWN_FOLDER,
    errno.EROFS: USE_OWN_FOLDER,
    errno.ENOENT: "Check the spelling of the name, and whether its folder exists.",
    errno.EISDIR: "It is a folder; name a file in it.",
}
FULL = (errno.ENOSPC, errno.EDQUOT)
REMEDIES |= dict.fromkeys(FULL, "Free some space, or name a folder on another disk.")


def describe_os_error(error: OSError) -> str:
    """Return the message of a file system error for users: the file, the reason and the remedy.

    >>> describe_os_error(PermissionError(errno.EACCES, "Permission denied", "/srv/paper"))
    '/srv/paper cannot be used (Permission denied). Name a folder of your own, or go to one first, such as your home (cd ~).'
    >>> describe_os_error(FileExistsError(errno.EEXIST, "File exists", "paper")), describe_os_error(OSError("the room is full"))
    ('paper is a file and not a folder. Move it, or name another folder.', 'the room is full')
    """
    if error.errno is None or error.strerror is None:
        return str(error)
    name = re.sub(rf"([/\\]\.\w+)?\{PART}(?=[/\\]|\Z)", "", str(error.filename2 or error.filename or "the folder in which you are"))
    if error.errno in (errno.EEXIST, errno.ENOTDIR):
        name = next((str(path) for path in (Path(name), *Path(name).parents) if path.is_file()), name)
        return f"{name} is a file and not a folder. Move it, or name another folder."
    remedy = REMEDIES.get(error.errno)
    return f"{name} cannot be used ({error.strerror})" + (f". {remedy}" if remedy else "")


def parse_path(text: str) -> Path:
    """Parse a path of the command line; ``~``, which a shell does not replace inside quotes, is replaced by the home folder.

    >>> parse_path("~/paper") == Path.home() / "paper"
    True
    """
    if not text.strip():
        raise ArgumentTypeError("the name of a file or folder must not be empty")
    return Path(text).expanduser() if text == "~" or text.startswith(("~/", "~\\")) else Path(text)


@contextmanager
def create_folder(folder: Path) -> Iterator[None]:
    """Create a folder if it does not exist; if the block inside `with` fails, remove the new empty folders again.

    >>> with TemporaryDirectory() as place:
    ...     with suppress(ValueError), create_folder(Path(place) / "new" / "newer"):
    ...         raise ValueError
    ...     [*Path(place).iterdir()]
    []
    """
    new = [path for path in (folder, *folder.parents) if not path.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield
    except BaseException as error:
        # if the disk is full, the error does not contain the name of the file
        if isinstance(error, OSError) and error.errno in FULL and not error.filename:
            error.filename = str(folder)
        for path in new:
            with suppress(OSError):
                path.rmdir()
        raise


@contextmanager
def atomic_folder(folder: Path, instead: bool = False) -> Iterator[Path]:
    """Yield a temporary folder whose files are moved to `folder` at the end; with `instead`, old content of `folder` is removed first.

    >>> with TemporaryDirectory() as place:
    ...     with suppress(KeyboardInterrupt), atomic_folder(Path(place)) as part:
    ...         _ = (part / "half.html").write_text("<p>")
    ...         raise KeyboardInterrupt
    ...     [*Path(place).iterdir()]
    []
    """
    with create_folder(folder), TemporaryDirectory(dir=folder, prefix=".", suffix=PART) as name:
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


def check_own_folder(folder: Path, ours: bool, option: str, command: str) -> None:
    """Raise FileExistsError for a folder with files that are not `ours`, because the program might overwrite such a file.

    >>> check_own_folder(Path.cwd(), False, "--to", "print")
    Traceback (most recent call last):
    FileExistsError: the folder ... holds other files. Give --to an empty folder, a new folder, or a folder that fstats print has written.
    """
    if folder.is_dir() and any(folder.iterdir()) and not ours:
        remedy = f"Give {option} an empty folder, a new folder, or a folder that fstats {command} has written."
        raise FileExistsError(f"the folder {folder} holds other files. {remedy}")


@contextmanager
def check_writable(path: Path, begins: str = "") -> Iterator[None]:
    """Check before a long computation that its result can be written to a file.

    An existing file may be replaced only if it `begins` like the files of this program.

    >>> with check_writable(Path.cwd()):
    ...     pass
    Traceback (most recent call last):
    IsADirectoryError: ...
    """
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, "Is a directory", str(path))
    if path.is_file() and not (begins and path.read_bytes().startswith(begins.encode())):
        raise FileExistsError(f"the file {path} exists already. Move this file, or name another file.")
    with create_folder(path.parent):
        TemporaryDirectory(dir=path.parent, prefix=".", suffix=PART).cleanup()
        yield


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file completely or not at all.

    >>> with TemporaryDirectory() as folder:
    ...     write_atomically(Path(folder) / "new" / "file.txt", b"words")
    ...     sorted(path.name for path in Path(folder, "new").iterdir())
    ['file.txt']
    """
    part = path.with_name(path.name + PART)
    with create_folder(path.parent):
        try:
            part.write_bytes(content)
            part.replace(path)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
