"""Scan all paths that a process can read for files of the course, by name and content."""

from __future__ import annotations

import importlib
import os
import sys
import zipfile
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from typing import Any

# folders of the kernel, which contain no course files
SKIPPED = ("/proc", "/sys", "/dev")
MAX_BYTES = 1 << 22  # maximum size in bytes of a file that is searched; no course file is larger
IGNORED_SUFFIXES = (".so", ".ttf", ".afm", ".wasm", ".npz", ".gz", ".png", ".tzdata")


def scan_for_leaks(
    names: Collection[str],
    words: Sequence[str],
    paths: Sequence[str],
    modules: Sequence[str],
    unread: Collection[str] = (),
    inside: bool = True,
) -> dict[str, Any]:
    """Count the visible paths, and list the paths that belong to the course.

    Parameters
    ----------
    names : collection of str
        Names of files and folders that only the course uses.
    words : sequence of str
        Lines from files of the course; every visible file is searched for these lines.
    paths : sequence of str
        Paths of the course.  The scan opens these paths directly, because a path that cannot be listed may still be readable.
    modules : sequence of str
        Modules with answers; the scan tries to import these modules.
    unread : collection of str
        Folders whose files are checked by name only, such as libraries.
    inside : bool
        Whether archives are searched, too.
    """
    leaks = [*_readable_paths(paths), *_importable_modules(modules)]
    wanted, needles = {*names}, [word.encode() for word in words]
    count = 0
    # after the first leak, skip the scan: perhaps the whole machine is visible, and the scan would take long
    for path, size in () if leaks else _all_paths({*unread}):
        count += 1
        if os.path.basename(path) in wanted:
            leaks.append(path)
        elif 0 < size <= MAX_BYTES and not path.endswith(IGNORED_SUFFIXES):
            with suppress(OSError), open(path, "rb") as file:
                leaks += [path] * _contains(file.read(), needles)
        if inside and path.endswith(".zip"):
            with suppress(OSError, zipfile.BadZipFile), zipfile.ZipFile(path) as archive:
                count += len(archive.namelist())
                leaks += _archive_matches(path, archive, wanted, needles)
    return {"paths": count, "found": sorted({*leaks})[:100]}


def _readable_paths(paths: Sequence[str]) -> Iterator[str]:
    """Yield the paths of course files that can be opened."""
    for path in paths:
        with suppress(OSError):
            os.listdir(path) if os.path.isdir(path) else open(path, "rb").close()
            yield path


def _importable_modules(modules: Sequence[str]) -> Iterator[str]:
    """Yield the names of course modules that can be imported."""
    for name in modules:
        with suppress(ImportError):
            importlib.import_module(name)
            yield f"the module {name}"


def _all_paths(unread: Collection[str]) -> Iterator[tuple[str, int]]:
    """Yield every path below the root and in the module search path once, with its size (0 for folders and files in `unread`)."""
    done: set[str] = set()
    waiting = [(os.path.realpath(start), False) for start in ("/", os.getcwd(), *filter(None, sys.path))]
    while waiting:
        folder, is_unread = waiting.pop()
        if folder in done or folder in SKIPPED:
            continue
        done.add(folder)
        is_unread = is_unread or folder in unread
        with suppress(OSError), os.scandir(folder) as entries:
            for entry in entries:
                is_folder, size = False, 0
                with suppress(OSError):
                    is_folder = entry.is_dir()
                    size = 0 if is_folder or is_unread else entry.stat().st_size
                if is_folder:
                    waiting.append((os.path.realpath(entry.path), is_unread))
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
