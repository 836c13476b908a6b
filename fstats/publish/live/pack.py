"""What a page fetches to run Python: the engine, and the course with the part of all libraries that it imports.

What the course imports stands in stock.json, written by `python -m tests.publish.stock`, which runs its notebooks in the engine.
"""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from collections.abc import Iterator
from hashlib import sha256
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import NamedTuple

from ...running.extras import DISTRIBUTION
from . import artifacts

HERE = Path(__file__).parent
PACKAGE = HERE.parents[1]
STOCK = HERE / "stock.json"
PYTHON, SITE = "/usr/local/lib/python315.zip", "/site"
OURS = ("traitlets", "latex2mathml")  # of this Python: the explorers need them, and the engine has none
LEVEL = 6  # of gzip: at the highest a site takes a minute longer, and is a hundredth smaller
LOOSE = "matplotlib"  # it looks for its data in a folder beside it, which an archive has not
FONTS = ("fonts/ttf/DejaVuSans", "fonts/ttf/LastResort")
LEFT_OUT = ("__pycache__", "publish/templates")


class Shipped(NamedTuple):
    """The files of an engine, by the names that they have in the site, and how many bytes a page fetches."""

    engine: str
    course: str
    worker: str
    size: int


def write(to: Path, everything: bool = False) -> Shipped:
    """Write them to a folder, with a hash of their content in each name; `everything` cuts nothing off."""
    to.mkdir(parents=True, exist_ok=True)
    engine = _named(to, "python", "bin", gzip.compress(artifacts.snapshot(), LEVEL, mtime=0))
    course = _named(to, "course", "bin", gzip.compress(packed(dict(files(everything))), LEVEL, mtime=0))
    worker = _named(to, "worker", "js", b"".join((HERE / name).read_bytes() for name in ("wasi.js", "worker.js")))
    (to / "LICENCES.txt").write_bytes(licences())
    return Shipped(engine, course, worker, sum((to / name).stat().st_size for name in (engine, course, worker)))


def _named(to: Path, name: str, ending: str, data: bytes) -> str:
    file = f"{name}.{sha256(data).hexdigest()[:12]}.{ending}"
    (to / file).write_bytes(data)
    return file


def packed(found: dict[str, bytes]) -> bytes:
    """Files as one: the length of the index, the index, and one file after the other."""
    index, at = {}, 0
    for path, data in found.items():
        index[path] = [at, len(data)]
        at += len(data)
    head = json.dumps(index).encode()
    return len(head).to_bytes(4, "little") + head + b"".join(found.values())


def files(everything: bool = False) -> Iterator[tuple[str, bytes]]:
    """All files that the engine finds."""
    yield from _libraries(everything)
    for path in _own(PACKAGE):
        yield f"{SITE}/fstats/{path.relative_to(PACKAGE).as_posix()}", path.read_bytes()
    for path in _own(HERE / "guest"):
        yield f"{SITE}/guest/{path.relative_to(HERE / 'guest').as_posix()}", path.read_bytes()
    for name in OURS:
        yield from _with_metadata(_installed(name))


def _installed(name: str) -> Distribution:
    try:
        return distribution(name)
    except PackageNotFoundError:
        raise artifacts.NoEngine(f'a live site needs {name}, which is not installed: pip install "{DISTRIBUTION}[live]"') from None


def _with_metadata(found: Distribution) -> Iterator[tuple[str, bytes]]:
    """A library of this Python, and what it says of itself."""
    for path in found.files or ():
        inside = path.parts[0] == found.name and "tests" not in path.parts and path.suffix != ".pyc"
        if inside or (path.name == "METADATA" and path.parts[0].endswith(".dist-info")):
            yield f"{SITE}/{path.as_posix()}", path.read_binary()


def licences() -> bytes:
    """The licences of all that is shipped."""
    ours = [(name, path.read_binary()) for name in OURS for path in _installed(name).files or () if path.name.startswith("LICENSE")]
    return b"\n\n".join(f"== {name} ==\n\n".encode() + words for name, words in [*artifacts.licences(), *ours])


def _own(place: Path) -> Iterator[Path]:
    """The files of a package, without what a page has no use for."""
    for path in sorted(place.rglob("*")):
        if path.is_file() and not any(one in path.as_posix() for one in LEFT_OUT):
            yield path


def _libraries(everything: bool) -> Iterator[tuple[str, bytes]]:
    """The archive of the standard library and of packages, and matplotlib with its data beside it."""
    wanted = set() if everything else set(json.loads(STOCK.read_text(encoding="utf-8")))
    archive = io.BytesIO()
    with zipfile.ZipFile(artifacts.library()) as whole, zipfile.ZipFile(archive, "w", zipfile.ZIP_STORED) as cut:
        for name in whole.namelist():
            if name.endswith("/") or (wanted and name not in wanted):
                continue
            if name.startswith(f"{LOOSE}/"):
                if name.endswith(".pyc"):
                    yield f"{SITE}/{name}", whole.read(name)
            else:
                cut.writestr(zipfile.ZipInfo(name), whole.read(name))
        with zipfile.ZipFile(io.BytesIO(whole.read(f"{LOOSE}/mpl-data.zip"))) as data:
            for name in data.namelist():
                inside = name.partition("mpl-data/")[2] or name
                if inside == "matplotlibrc" or (inside.startswith(FONTS) and inside.endswith(".ttf")):
                    yield f"{SITE}/{LOOSE}/mpl-data/{inside}", data.read(name)
    yield PYTHON, archive.getvalue()
