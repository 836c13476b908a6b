"""What a process can see of the course: every path that it can come to, looked at by its name and by what is in it."""

from __future__ import annotations

import importlib
import os
import sys
import zipfile
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from typing import Any

SKIPPED = ("/proc", "/sys", "/dev")  # the kernel's own; that a submission cannot see into others is tried elsewhere
MAX_BYTES = 1 << 22  # bytes of one file: no part of a course is larger
IGNORED_SUFFIXES = (".so", ".ttf", ".afm", ".wasm", ".npz", ".gz", ".png", ".tzdata")


def scan_for_leaks(
    names: Collection[str],
    words: Sequence[str],
    paths: Sequence[str],
    modules: Sequence[str],
    unread: Collection[str] = (),
    inside: bool = True,
) -> dict[str, Any]:
    """How many paths can be seen, and which of them belong to the course.

    Parameters
    ----------
    names : collection of str
        Names of files and folders that only the course has.
    words : sequence of str
        Lines of the course, looked for in every file.
    paths : sequence of str
        Places of the course, which are opened as well: what cannot be listed may be open all the same.
    modules : sequence of str
        Modules that hold answers, which are imported.
    unread : collection of str
        Folders whose files are looked at by their names only, as those of libraries.
    inside : bool
        Whether archives are opened, too.
    """
    found = [*_readable_paths(paths), *_importable_modules(modules)]
    wanted, needles = {*names}, [word.encode() for word in words]
    count = 0
    for path, size in () if found else _all_paths({*unread}):  # where something was found there may be a whole machine to walk through
        count += 1
        if os.path.basename(path) in wanted:
            found.append(path)
        elif 0 < size <= MAX_BYTES and not path.endswith(IGNORED_SUFFIXES):
            with suppress(OSError), open(path, "rb") as file:
                found += [path] * _contains(file.read(), needles)
        if inside and path.endswith(".zip"):
            with suppress(OSError, zipfile.BadZipFile), zipfile.ZipFile(path) as archive:
                count += len(archive.namelist())
                found += _archive_matches(path, archive, wanted, needles)
    return {"paths": count, "found": sorted({*found})[:100]}


def _readable_paths(paths: Sequence[str]) -> Iterator[str]:
    """Those of these places that can be opened."""
    for path in paths:
        with suppress(OSError):
            os.listdir(path) if os.path.isdir(path) else open(path, "rb").close()
            yield path


def _importable_modules(modules: Sequence[str]) -> Iterator[str]:
    """Those of these modules that can be imported."""
    for name in modules:
        with suppress(ImportError):
            importlib.import_module(name)
            yield f"the module {name}"


def _all_paths(unread: Collection[str]) -> Iterator[tuple[str, int]]:
    """Every path, once, with its size (0 for a folder and for what is not read): from the root, and from where modules are looked for."""
    done: set[str] = set()
    waiting = [(os.path.realpath(one), False) for one in ("/", os.getcwd(), *filter(None, sys.path))]
    while waiting:
        folder, closed = waiting.pop()
        if folder in done or folder in SKIPPED:
            continue
        done.add(folder)
        closed = closed or folder in unread
        with suppress(OSError), os.scandir(folder) as entries:
            for entry in entries:
                is_folder, size = False, 0
                with suppress(OSError):
                    is_folder = entry.is_dir()
                    size = 0 if is_folder or closed else entry.stat().st_size
                if is_folder:
                    waiting.append((os.path.realpath(entry.path), closed))
                yield entry.path, size


def _archive_matches(path: str, archive: zipfile.ZipFile, names: Collection[str], needles: Sequence[bytes]) -> Iterator[str]:
    for entry in archive.infolist():
        if {*entry.filename.split("/")} & {*names} or (
            entry.file_size <= MAX_BYTES
            and not entry.filename.endswith((*IGNORED_SUFFIXES, "/"))
            and _contains(archive.read(entry), needles)
        ):
            yield f"{path}/{entry.filename}"


def _contains(text: bytes, needles: Sequence[bytes]) -> bool:
    return any(needle in text for needle in needles)
