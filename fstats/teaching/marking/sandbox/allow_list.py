"""Allow list of files that a sandbox can read: the standard library, other libraries, and parts of `fstats`.

Every sandbox provides only the files listed here.  Since no list of hidden files exists, a solution in a new folder stays invisible, too.
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
# libraries that a submission can import; the libraries that they require are visible, too
LIBRARIES = ("numpy", "scipy", "pandas", "matplotlib", "scikit-learn", "ipython", "cloudpickle", "tqdm")
# modules that students import, and modules that run cells; a name that ends with a slash is a whole folder
FSTATS_ENTRIES = (
    *("__init__.py", "__init__.pyi", "comparing/", "core/", "distributions/", "guide/", "planning/", "plot/", "procedures/", "render/"),
    *("runtime/", "simulate/", "studies/", "testing/", "teaching/__init__.py", "teaching/sandbox_runtime/"),
)
# files of the dynamic loader and of the time zones
SYSTEM_FILES = ("/etc/ld.so.cache", "/etc/localtime", "/usr/share/zoneinfo")
BATCH_SIZE = 400  # maximum number of libraries in one call of the loader, because the length of an environment variable is limited


def fstats_files() -> Iterator[tuple[str, Path]]:
    """Yield the visible files of `fstats`, each with its relative path in the package."""
    for entry in FSTATS_ENTRIES:
        for path in sorted((PACKAGE / entry).rglob("*")) if entry.endswith("/") else [PACKAGE / entry]:
            if path.is_file() and "__pycache__" not in path.parts:
                yield path.relative_to(PACKAGE).as_posix(), path


@cache
def standard_library() -> dict[str, Path]:
    """Return the modules and packages of the standard library, and the folder of its extensions, by name."""
    import sysconfig  # the import searches for the user's home folder, so it is done only here

    entries: dict[str, Path] = {}
    for key in ("platstdlib", "stdlib"):
        for path in Path(sysconfig.get_path(key, vars={"base": sys.base_prefix, "platbase": sys.base_exec_prefix})).iterdir():
            name = path.name.partition(".")[0]
            if name in sys.stdlib_module_names or name in ("lib-dynload", "__pycache__") or name.startswith("_sysconfigdata"):
                entries[path.name] = path
    return entries


@cache
def third_party_libraries() -> dict[str, Path]:
    """Return the files and folders of the libraries and of all their requirements, by their names in `site-packages`."""
    from packaging.requirements import Requirement  # packaging is installed, because matplotlib requires it

    entries: dict[str, Path] = {}
    waiting, visited = [*LIBRARIES], set[str]()
    while waiting:
        name = waiting.pop().lower().replace("_", "-")
        if name in visited:
            continue
        visited.add(name)
        try:
            library = distribution(name)
        except PackageNotFoundError:
            continue
        requirements = map(Requirement, library.requires or ())
        waiting += [needed.name for needed in requirements if needed.marker is None or needed.marker.evaluate({"extra": ""})]
        listed = {file.parts[0] for file in library.files or ()} or {*(library.read_text("top_level.txt") or name).split()}
        for first in listed - {"..", "__pycache__"}:
            entries[first] = Path(os.path.abspath(str(library.locate_file(first))))
    return {name: path for name, path in entries.items() if path.exists()}


@cache
def python_executable() -> Path:
    """Return the path of the interpreter itself, not of a virtual environment's link to the interpreter."""
    return Path(getattr(sys, "_base_executable", "") or sys.executable)


@cache
def system_libraries() -> tuple[Path, ...]:
    """Return the system's shared libraries with which Python and the libraries are linked, as the loader resolves them.

    Raises
    ------
    OSError
        If the loader does not report the shared libraries; only the loader of glibc reports them.
    """
    ours = libraries()
    linked = sorted({str(path) for folder in ours if folder.is_dir() for path in folder.rglob("*.so*") if path.is_file()})
    shared: dict[Path, None] = {}
    for k in range(0, len(linked), BATCH_SIZE):
        variables = {"LD_TRACE_LOADED_OBJECTS": "1", "LD_PRELOAD": ":".join(linked[k : k + BATCH_SIZE])}
        loader = subprocess.run([python_executable()], env=variables, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        # a line is, for example, "libm.so.6 => /lib/libm.so.6 (0x7f00)" or "/lib/ld-linux.so.2 (0x7f00)"
        for line in loader.stdout.splitlines():
            name, arrow, rest = line.strip().partition(" => ")
            path = Path((rest if arrow else name).rpartition(" (")[0])
            if path.is_absolute() and not any(path.is_relative_to(folder) for folder in ours):
                shared[path] = None
    if not any(path.name.startswith("libc.") for path in shared):
        raise OSError("the program loader of this system does not list the libraries that Python needs")
    return tuple(shared)


def libraries() -> list[Path]:
    """Return the paths of the standard library and the other libraries; any installation of these libraries has the same content."""
    return [*standard_library().values(), *third_party_libraries().values()]


def installed_paths() -> list[Path]:
    """Return all installed paths that are visible in a sandbox: Python, the libraries, a part of `fstats`."""
    return [python_executable(), *libraries(), *(PACKAGE / entry for entry in FSTATS_ENTRIES)]


def allowed_paths() -> list[Path]:
    """Return all files and folders of the machine that a submission can see."""
    return [*installed_paths(), *system_libraries(), *(path for path in map(Path, SYSTEM_FILES) if path.exists())]


def resolve_symlinks(paths: Iterable[Path]) -> tuple[dict[Path, str], list[Path]]:
    """Return the symbolic links on these paths with their targets, and the files and folders to which the paths finally lead."""
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
                waiting = [part for part in waiting if part != "/"]
        ends[place] = None
    return links, [path for path in ends if not any(other in ends for other in path.parents)]
