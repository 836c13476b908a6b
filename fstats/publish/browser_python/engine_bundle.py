"""What a page fetches to run Python: the engine, and the course with the part of all libraries that it imports.

What the course imports stands in stock.json, written by `python -m tests.publish.stock`, which runs its notebooks in the engine.
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
EXTRA_PACKAGES = ("traitlets", "latex2mathml")  # of this Python: the explorers need them, and the engine has none
GZIP_LEVEL = 6  # of gzip: at the highest a site takes a minute longer, and is a hundredth smaller
DATA_PACKAGE = "matplotlib"
FONTS = ("fonts/ttf/DejaVuSans.", "fonts/ttf/DejaVuSans-", "fonts/ttf/DejaVuSansMono.", "fonts/ttf/LastResort")
DATA_SUFFIXES = (".css", ".js", ".csv", ".csv.gz", ".rst")  # of libraries: it lies beside the modules that read it
EXCLUDED = ("__pycache__", "publish/templates")
STUDENT_PACKAGES = {
    *sys.stdlib_module_names,
    "numpy",
    "scipy",
    "sklearn",
    "pandas",
    "matplotlib",
    "joblib",
}  # what a student may import besides
ON_DEMAND_SUFFIX = ".npz"  # stored studies: a page fetches one when it is read


class EngineFiles(NamedTuple):
    """The files of an engine, by the names that they have in the site; how many bytes a page fetches at once.

    What it fetches when it is read: by the path that Python knows, the name and the size.
    """

    engine: str
    course: str
    worker: str
    size: int
    later: dict[str, tuple[str, int]]


def write_engine(to: Path, everything: bool = False) -> EngineFiles:
    """Write them to a folder, with a hash of their content in each name; `everything` cuts nothing off."""
    to.mkdir(parents=True, exist_ok=True)
    first, *parts = library_files(everything)
    more = dict(zip(("more", "rest"), parts, strict=True))
    names = {part: sorted(found) for part, found in more.items()}
    course = {PYTHON: _zip_uncompressed(first), f"{SITE}/names.json": json.dumps(names).encode(), **dict(_course_files())}
    later = {path: data for path, data in course.items() if path.endswith(ON_DEMAND_SUFFIX)}
    for path in later:
        del course[path]
    later |= {
        f"{SITE}/{part}.xz": lzma.compress(pack_files(found), preset=2) for part, found in more.items()
    }  # 6: an eighth less, 20 s more
    files = (
        _write_hashed(
            to, "python", "bin", gzip.compress(_strip_function_names(wasi_interpreter.interpreter_snapshot()), GZIP_LEVEL, mtime=0)
        ),
        _write_hashed(to, "course", "bin", gzip.compress(pack_files(course), GZIP_LEVEL, mtime=0)),
        _write_hashed(to, "worker", "js", b"".join((HERE / name).read_bytes() for name in ("wasi_system_calls.js", "engine_worker.js"))),
    )
    (to / "LICENCES.txt").write_bytes(licence_texts())
    beside = {path: (_write_hashed(to, path.split("/")[-1].split(".")[0], "bin", data), len(data)) for path, data in later.items()}
    return EngineFiles(*files, size=sum((to / name).stat().st_size for name in files), later=beside)


def _strip_function_names(binary: bytes) -> bytes:
    """A WebAssembly binary without the names of its functions, which only its makers read."""
    parts, at = [binary[:8]], 8
    while at < len(binary):
        size, start = _read_leb128(binary, at + 1)
        length, words = _read_leb128(binary, start)
        if binary[at] or binary[words : words + length] != b"name":
            parts.append(binary[at : start + size])
        at = start + size
    return b"".join(parts)


def _read_leb128(binary: bytes, at: int) -> tuple[int, int]:
    """An integer in seven bits a byte, and where it ends."""
    value = shift = 0
    while True:
        value |= (binary[at] & 127) << shift
        at, shift = at + 1, shift + 7
        if binary[at - 1] < 128:
            return value, at


def _write_hashed(to: Path, name: str, ending: str, data: bytes) -> str:
    file = f"{name}.{sha256(data).hexdigest()[:12]}.{ending}"
    (to / file).write_bytes(data)
    return file


def pack_files(found: dict[str, bytes]) -> bytes:
    """Files as one: the length of the index, the index, and one file after the other."""
    index, at = {}, 0
    for path, data in found.items():
        index[path] = [at, len(data)]
        at += len(data)
    head = json.dumps(index).encode()
    return len(head).to_bytes(4, "little") + head + b"".join(found.values())


def _course_files() -> Iterator[tuple[str, bytes]]:
    """The package itself, and what it needs of libraries that the engine does not have."""
    for path in _package_files(PACKAGE):
        yield f"{SITE}/fstats/{path.relative_to(PACKAGE).as_posix()}", path.read_bytes()
    for path in _package_files(HERE / "jupyter_shims"):
        yield f"{SITE}/jupyter_shims/{path.relative_to(HERE / 'jupyter_shims').as_posix()}", path.read_bytes()
    for name in EXTRA_PACKAGES:
        yield from _distribution_files(_distribution(name))


def _distribution(name: str) -> Distribution:
    try:
        return distribution(name)
    except PackageNotFoundError:
        raise wasi_interpreter.InterpreterNotFoundError(
            f'a live site needs {name}, which is not installed: pip install "{DISTRIBUTION}[live]"'
        ) from None


def _distribution_files(found: Distribution) -> Iterator[tuple[str, bytes]]:
    """A library of this Python, and what it says of itself."""
    for path in found.files or ():
        inside = path.parts[0] == found.name and "tests" not in path.parts and path.suffix != ".pyc"
        if inside or (path.name == "METADATA" and path.parts[0].endswith(".dist-info")):
            yield f"{SITE}/{path.as_posix()}", path.read_binary()


def licence_texts() -> bytes:
    """The licences of all that is shipped."""
    return assets.join_licences(
        [*wasi_interpreter.licences(), *((name, assets.licence_text(name)) for name in (wasi_interpreter.PACKAGE, *EXTRA_PACKAGES))]
    )


def _package_files(place: Path) -> Iterator[Path]:
    """The files of a package, without what a page has no use for."""
    for path in sorted(place.rglob("*")):
        if path.is_file() and not any(one in path.as_posix() for one in EXCLUDED):
            yield path


def library_files(everything: bool = False) -> tuple[dict[str, bytes], dict[str, bytes], dict[str, bytes]]:
    """What of the standard library and of packages is there from the beginning, what only some lessons need, and what a student may."""
    stock = {} if everything else json.loads(BUNDLED_MODULES.read_text(encoding="utf-8"))
    with zipfile.ZipFile(wasi_interpreter.standard_library()) as whole:
        known = [name for name in whole.namelist() if not name.endswith(("/", ".zip"))]
        with zipfile.ZipFile(io.BytesIO(whole.read(f"{DATA_PACKAGE}/mpl-data.zip"))) as data:
            named = [name for name in data.namelist() if name == "matplotlibrc" or name.startswith(FONTS)]
            drawing = {f"{DATA_PACKAGE}/mpl-data/{name}": data.read(name) for name in named}
        first = {name for name in known if ".dist-info" in name or (everything and not name.startswith(DATA_PACKAGE))} | {
            *stock.get("first", ())
        }
        more = {*known}.intersection(stock.get("more", known)) - first
        places = {name.rpartition("/")[0] for name in more}
        more |= {name for name in known if name.endswith(DATA_SUFFIXES) and name.rpartition("/")[0] in places}
        rest = {name for name in known if re.split(r"[/.]", name)[0] in STUDENT_PACKAGES and "/tests/" not in name} - first - more
        return (
            {name: whole.read(name) for name in known if name in first},
            drawing | {name: whole.read(name) for name in more},
            {name: whole.read(name) for name in rest},
        )


def _zip_uncompressed(found: dict[str, bytes]) -> bytes:
    """Stored as they are: the whole is compressed."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as into:
        for name, data in sorted(found.items()):
            into.writestr(zipfile.ZipInfo(name), data)
    return archive.getvalue()
