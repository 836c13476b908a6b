"""Bundle of files to run Python in the browser.

The files are the engine, the course, and the needed parts of libraries.

stock.json lists the imports of the course. `python -m tests.publish.stock` runs the notebooks in the engine and writes stock.json.
"""

from __future__ import annotations

import gzip
import io
import json
import lzma
import re
import sys
import zipfile
from collections.abc import Iterator
from hashlib import sha256
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import NamedTuple

from ...runtime import wasi_interpreter
from ...runtime.optional_dependencies import DISTRIBUTION
from .. import assets

HERE = Path(__file__).parent
PACKAGE = HERE.parents[1]
BUNDLED_MODULES = HERE / "stock.json"
PYTHON, SITE = "/usr/local/lib/python315.zip", "/site"
EXTRA_PACKAGES = ("traitlets", "latex2mathml")  # packages that explorers need and that the engine does not contain
EXCEL_PACKAGES = ("openpyxl", "et_xmlfile")  # packages that a page loads when it reads an Excel file
# compression level; the maximum level 9 would take one more minute and save only 1 %
GZIP_LEVEL = 6
DATA_PACKAGE = "matplotlib"
FONTS = ("fonts/ttf/DejaVuSans.", "fonts/ttf/DejaVuSans-", "fonts/ttf/DejaVuSansMono.", "fonts/ttf/LastResort")
# Suffixes of data files in the folders of libraries.
DATA_SUFFIXES = (".css", ".js", ".csv", ".csv.gz", ".rst")
EXCLUDED = ("__pycache__", "publish/templates")
# Packages that students may import; matplotlib needs fontTools to write PDF files.
STUDENT_PACKAGES = {*sys.stdlib_module_names, "numpy", "scipy", "sklearn", "pandas", "matplotlib", "fontTools", "joblib"}
ON_DEMAND_SUFFIX = ".npz"  # suffix of the files of stored studies; a page loads such a file only when a cell reads it


class EngineFiles(NamedTuple):
    """Files of an engine: their names in the site, and the number of bytes that a page loads at the start.

    `later` contains the files that a page loads only when a cell reads them: for each path in Python, the file name and the size.
    """

    engine: str
    course: str
    worker: str
    size: int
    later: dict[str, tuple[str, int]]


def write_engine(to: Path, everything: bool = False) -> EngineFiles:
    """Write the engine to a folder, with a hash of the content in each file name; with `everything`, no modules are left out."""
    to.mkdir(parents=True, exist_ok=True)
    first, *parts = library_files(everything)
    on_demand = dict(zip(("more", "rest", "excel"), parts, strict=True))
    names = {part: sorted(files) for part, files in on_demand.items()}
    course = {PYTHON: _zip_uncompressed(first), f"{SITE}/names.json": json.dumps(names).encode(), **dict(_course_files())}
    later = {path: data for path, data in course.items() if path.endswith(ON_DEMAND_SUFFIX)}
    for path in later:
        del course[path]
    # preset 6 would make the files one eighth smaller, but would take 20 s more
    later |= {f"{SITE}/{part}.xz": lzma.compress(pack_files(files), preset=2) for part, files in on_demand.items()}
    files = (
        write_hashed(
            to, "python", "bin", gzip.compress(_strip_function_names(wasi_interpreter.interpreter_snapshot()), GZIP_LEVEL, mtime=0)
        ),
        write_hashed(to, "course", "bin", gzip.compress(pack_files(course), GZIP_LEVEL, mtime=0)),
        write_hashed(to, "worker", "js", b"".join((HERE / name).read_bytes() for name in ("wasi_system_calls.js", "engine_worker.js"))),
    )
    (to / "LICENCES.txt").write_bytes(licence_texts())
    written_later = {path: (write_hashed(to, path.split("/")[-1].split(".")[0], "bin", data), len(data)) for path, data in later.items()}
    return EngineFiles(*files, size=sum((to / name).stat().st_size for name in files), later=written_later)


def _strip_function_names(binary: bytes) -> bytes:
    """Remove the names of functions from a WebAssembly binary, because only its developers need them."""
    parts, at = [binary[:8]], 8
    while at < len(binary):
        size, start = _read_leb128(binary, at + 1)
        length, name_start = _read_leb128(binary, start)
        if binary[at] or binary[name_start : name_start + length] != b"name":
            parts.append(binary[at : start + size])
        at = start + size
    return b"".join(parts)


def _read_leb128(binary: bytes, at: int) -> tuple[int, int]:
    """Decode an integer in the format LEB128, which has seven bits in each byte; return the integer and the position after it."""
    value = shift = 0
    while True:
        value |= (binary[at] & 127) << shift
        at, shift = at + 1, shift + 7
        if binary[at - 1] < 128:
            return value, at


def write_hashed(to: Path, name: str, ending: str, data: bytes) -> str:
    """Write a file whose name contains a hash of its content, so that no browser shows an old version; return the name."""
    file = f"{name}.{sha256(data).hexdigest()[:12]}.{ending}"
    (to / file).write_bytes(data)
    return file


def pack_files(files: dict[str, bytes]) -> bytes:
    """Join files to one file: the length of the index, the index, and the contents one after the other."""
    index, at = {}, 0
    for path, data in files.items():
        index[path] = [at, len(data)]
        at += len(data)
    head = json.dumps(index).encode()
    return len(head).to_bytes(4, "little") + head + b"".join(files.values())


def _course_files() -> Iterator[tuple[str, bytes]]:
    """Yield the files of fstats and of the libraries that the engine does not contain."""
    for path in _package_files(PACKAGE):
        yield f"{SITE}/fstats/{path.relative_to(PACKAGE).as_posix()}", path.read_bytes()
    for path in _package_files(HERE / "jupyter_shims"):
        yield f"{SITE}/jupyter_shims/{path.relative_to(HERE / 'jupyter_shims').as_posix()}", path.read_bytes()
    for name in EXTRA_PACKAGES:
        yield from ((f"{SITE}/{path}", data) for path, data in _distribution_files(_distribution(name)))


def _distribution(name: str) -> Distribution:
    try:
        return distribution(name)
    except PackageNotFoundError:
        raise wasi_interpreter.InterpreterNotFoundError(
            f'a live site needs {name}, which is not installed. Run `pip install "{DISTRIBUTION}[live]"`.'
        ) from None


def _distribution_files(package: Distribution) -> Iterator[tuple[str, bytes]]:
    """Yield the files and the metadata of an installed library."""
    for path in package.files or ():
        in_package = path.parts[0] == package.name and "tests" not in path.parts and path.suffix != ".pyc"
        if in_package or (path.name == "METADATA" and path.parts[0].endswith(".dist-info")):
            yield path.as_posix(), path.read_binary()


def licence_texts() -> bytes:
    """Return the licences of all files of the engine."""
    return assets.join_licences(
        [
            *wasi_interpreter.licences(),
            *((name, assets.licence_text(name)) for name in (wasi_interpreter.PACKAGE, *EXTRA_PACKAGES, *EXCEL_PACKAGES)),
        ]
    )


def _package_files(place: Path) -> Iterator[Path]:
    """Yield the files of a package that are needed in a page."""
    for path in sorted(place.rglob("*")):
        if path.is_file() and not any(part in path.as_posix() for part in EXCLUDED):
            yield path


def library_files(everything: bool = False) -> tuple[dict[str, bytes], ...]:
    """Return four sets of library files: for the start, for some lessons only, for imports by students, and for Excel files."""
    stock = {} if everything else json.loads(BUNDLED_MODULES.read_text(encoding="utf-8"))
    with zipfile.ZipFile(wasi_interpreter.standard_library()) as archive:
        known = [name for name in archive.namelist() if not name.endswith(("/", ".zip"))]
        with zipfile.ZipFile(io.BytesIO(archive.read(f"{DATA_PACKAGE}/mpl-data.zip"))) as data:
            needed = [name for name in data.namelist() if name == "matplotlibrc" or name.startswith(FONTS)]
            drawing = {f"{DATA_PACKAGE}/mpl-data/{name}": data.read(name) for name in needed}
        first = {name for name in known if ".dist-info" in name or (everything and not name.startswith(DATA_PACKAGE))}
        first |= {*stock.get("first", ())}
        more = {*known}.intersection(stock.get("more", known)) - first
        folders = {name.rpartition("/")[0] for name in more}
        more |= {name for name in known if name.endswith(DATA_SUFFIXES) and name.rpartition("/")[0] in folders}
        rest = {name for name in known if re.split(r"[/.]", name)[0] in STUDENT_PACKAGES and "/tests/" not in name} - first - more
        return (
            {name: archive.read(name) for name in known if name in first},
            drawing | {name: archive.read(name) for name in more},
            {name: archive.read(name) for name in rest},
            {path: data for name in EXCEL_PACKAGES for path, data in _distribution_files(_distribution(name))},
        )


def _zip_uncompressed(files: dict[str, bytes]) -> bytes:
    """Return files as an uncompressed ZIP archive, because the bundle that contains it is compressed as a whole."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as target:
        for name, data in sorted(files.items()):
            target.writestr(zipfile.ZipInfo(name), data)
    return archive.getvalue()
