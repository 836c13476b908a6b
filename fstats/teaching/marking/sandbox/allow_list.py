"""What a submission can see: Python's own library, a few libraries, and the part of `fstats` that students import; nothing else.

Every wall lets in what is listed here, and asks for nothing that is to be hidden: a solution that lies somewhere new is not seen either.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

PACKAGE = Path(__file__).parents[3]
LIBRARIES = ("numpy", "scipy", "pandas", "matplotlib", "scikit-learn", "ipython", "cloudpickle", "tqdm")  # with all that these require
# what students import, and what runs their cells; of the rooms whose names end with a slash all that is in them
FSTATS_ENTRIES = (
    *("__init__.py", "__init__.pyi", "comparing/", "core/", "distributions/", "guide/", "planning/", "plot/", "procedures/", "render/"),
    *("runtime/", "simulate/", "studies/", "testing/", "teaching/__init__.py", "teaching/sandbox_runtime/"),
)
SYSTEM_FILES = ("/etc/ld.so.cache", "/etc/localtime", "/usr/share/zoneinfo")  # by the loader, and by what computes with times
BATCH_SIZE = 400  # libraries that the loader is asked about at once: the words of one variable have a limit


def fstats_files() -> Iterator[tuple[str, Path]]:
    """The files of `fstats` that are let in, each with its place in the package."""
    for entry in FSTATS_ENTRIES:
        for path in sorted((PACKAGE / entry).rglob("*")) if entry.endswith("/") else [PACKAGE / entry]:
            if path.is_file() and "__pycache__" not in path.parts:
                yield path.relative_to(PACKAGE).as_posix(), path


@cache
def standard_library() -> dict[str, Path]:
    """The modules and packages of Python's own library, and what its extensions lie in, by their names."""
    import sysconfig  # which looks for the user's home as soon as it is imported

    found: dict[str, Path] = {}
    for key in ("platstdlib", "stdlib"):
        for path in Path(sysconfig.get_path(key, vars={"base": sys.base_prefix, "platbase": sys.base_exec_prefix})).iterdir():
            name = path.name.partition(".")[0]
            if name in sys.stdlib_module_names or name in ("lib-dynload", "__pycache__") or name.startswith("_sysconfigdata"):
                found[path.name] = path
    return found


@cache
def third_party_libraries() -> dict[str, Path]:
    """The files and folders of the libraries, and of all that they require, by the names that lie in `site-packages`."""
    from packaging.requirements import Requirement  # which matplotlib requires

    found: dict[str, Path] = {}
    waiting, seen = [*LIBRARIES], set[str]()
    while waiting:
        name = waiting.pop().lower().replace("_", "-")
        if name in seen:
            continue
        seen.add(name)
        try:
            there = distribution(name)
        except PackageNotFoundError:
            continue
        wishes = map(Requirement, there.requires or ())
        waiting += [wish.name for wish in wishes if wish.marker is None or wish.marker.evaluate({"extra": ""})]
        listed = {file.parts[0] for file in there.files or ()} or {*(there.read_text("top_level.txt") or name).split()}
        for first in listed - {"..", "__pycache__"}:
            found[first] = Path(os.path.abspath(str(there.locate_file(first))))
    return {name: path for name, path in found.items() if path.exists()}


@cache
def python_executable() -> Path:
    """The program itself, and not a virtual environment's link to it."""
    return Path(getattr(sys, "_base_executable", "") or sys.executable)


@cache
def system_libraries() -> tuple[Path, ...]:
    """The shared libraries of the system that Python and the libraries are linked with, as the loader finds them.

    Raises
    ------
    OSError
        Where the loader does not tell, as only that of glibc does.
    """
    ours = libraries()
    linked = sorted({str(path) for one in ours if one.is_dir() for path in one.rglob("*.so*") if path.is_file()})
    found: dict[Path, None] = {}
    for k in range(0, len(linked), BATCH_SIZE):
        words = {"LD_TRACE_LOADED_OBJECTS": "1", "LD_PRELOAD": ":".join(linked[k : k + BATCH_SIZE])}
        told = subprocess.run([python_executable()], env=words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        for line in told.stdout.splitlines():  # libm.so.6 => /lib/libm.so.6 (0x7f00), or /lib/ld-linux.so.2 (0x7f00)
            name, arrow, rest = line.strip().partition(" => ")
            path = Path((rest if arrow else name).rpartition(" (")[0])
            if path.is_absolute() and not any(path.is_relative_to(one) for one in ours):
                found[path] = None
    if not any(path.name.startswith("libc.") for path in found):
        raise OSError("the loader of this system does not tell which libraries Python needs")
    return tuple(found)


def libraries() -> list[Path]:
    """Python's own library and the others: what any installation of theirs has."""
    return [*standard_library().values(), *third_party_libraries().values()]


def installed_paths() -> list[Path]:
    """All that is let in of what somebody has installed: Python, the libraries, a part of `fstats`."""
    return [python_executable(), *libraries(), *(PACKAGE / entry for entry in FSTATS_ENTRIES)]


def allowed_paths() -> list[Path]:
    """All files and folders of the machine that are let in."""
    return [*installed_paths(), *system_libraries(), *(path for path in map(Path, SYSTEM_FILES) if path.exists())]


def resolve_symlinks(paths: Iterable[Path]) -> tuple[dict[Path, str], list[Path]]:
    """The symbolic links on the way to these paths, each with where it leads, and the files and folders where the ways end."""
    links: dict[Path, str] = {}
    ends: dict[Path, None] = {}
    for path in paths:
        place, waiting = Path("/"), [*reversed(path.parts[1:])]
        while waiting:
            place = place.parent if (part := waiting.pop()) == ".." else place / part
            if place.is_symlink():
                links[place] = os.readlink(place)
                waiting += reversed(Path(links[place]).parts)
                place = Path("/") if waiting[-1:] == ["/"] else place.parent
                waiting = [one for one in waiting if one != "/"]
        ends[place] = None
    return links, [path for path in ends if not any(other in ends for other in path.parents)]
