"""Worker process for WebAssembly, which runs one submission after the other.

The worker knows only public files: the package and the engine.  Code that breaks out of WebAssembly finds no secret, no roster and no other
submission in this process.  A trap should not end the process; if a trap does so, only this worker ends.

    python -m fstats.teaching.marking.sandbox.wasm_worker SETTINGS

SETTINGS is JSON with the limits and the cache folder; each job arrives as one message on descriptor 0.
"""

from __future__ import annotations

import io
import json
import mmap
import os
import sys
import threading
import time
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any, BinaryIO

from ....runtime import wasi_interpreter
from .allow_list import fstats_files
from .file_tree import build_tree
from .notebook_session import Limits, SandboxProcess, run_job
from .wasm_instance import STACK, InstanceThread, PythonImage, load_compiled, make_engine
from .wasm_sandbox import MESSAGE_HEADER, REQUIRED_EXTRA, pack_message

# paths of the standard library and of `fstats` inside of WebAssembly
LIBRARY, PACKAGE_ROOT = "usr/local/lib/python315.zip", "house"
IPYTHON_FILES = ("core/inputtransformer2.py", "utils/tokenutil.py")  # files of IPython that translate magics and shell commands in cells
MATPLOTLIB = "matplotlib"  # matplotlib is not packed into an archive, because it reads files in its own folder
BOOT = f"""
import sys, zipimport
zipimport._zip_directory_cache.clear()
sys.path_importer_cache.clear()
sys.path.insert(0, "/{PACKAGE_ROOT}")
from fstats.teaching.sandbox_runtime.wasm_guest import prepare, run as _run
prepare()
"""
EXTRA_STACK = 8 << 20  # additional stack of this process in bytes, beyond the stack of WebAssembly


def sandbox_files() -> Iterator[tuple[str, Any]]:
    """Yield the files that are visible in WebAssembly: the engine's library, and the visible part of `fstats`."""
    for name, path in fstats_files():
        yield f"{PACKAGE_ROOT}/fstats/{name}", path.read_bytes()
    shell = find_spec("IPython")
    for name in IPYTHON_FILES if shell and shell.origin else ():
        path = Path(str(shell and shell.origin)).parent / name
        if path.exists():
            yield f"{PACKAGE_ROOT}/IPython/{name}", path.read_bytes()
    archive = wasi_interpreter.standard_library(*REQUIRED_EXTRA)
    with archive.open("rb") as file, zipfile.ZipFile(archive) as whole:
        yield LIBRARY, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        for name in whole.namelist():
            if name.startswith(f"{MATPLOTLIB}/") and not name.endswith(("/", ".zip")):
                yield f"{PACKAGE_ROOT}/{name}", whole.read(name)
        with zipfile.ZipFile(io.BytesIO(whole.read(f"{MATPLOTLIB}/mpl-data.zip"))) as data:
            for name in data.namelist():
                if not name.endswith("/"):
                    yield f"{PACKAGE_ROOT}/{MATPLOTLIB}/mpl-data/{name}", data.read(name)


def serve_jobs(settings: dict[str, Any], jobs: BinaryIO, answers: BinaryIO) -> None:
    """Prepare Python, then run each job that arrives, until the input is closed."""

    def say(kind: str, text: str = "", output: bytes = b"") -> None:
        answers.write(pack_message(kind, text, output))
        answers.flush()

    try:
        engine = make_engine()
        module = load_compiled(
            engine,
            wasi_interpreter.interpreter_folder(*REQUIRED_EXTRA) / "python-snapshot.wasm",
            Path(settings["cache"]),
            lambda: say("compiling"),
        )
        if settings.get("compiles"):
            return say("ready")
        image = PythonImage(engine, module, build_tree(dict(sandbox_files())), BOOT)
    except Exception as error:
        return say("failed", str(error) or type(error).__name__)
    limits = Limits(**settings["limits"])

    @contextmanager
    def begin(times: Mapping[str, float]) -> Iterator[SandboxProcess]:
        """Provide an instance in which no code of a submission has run."""
        with closing(InstanceThread(image, "_run()", {**settings["limits"], **times})) as instance:
            yield instance

    say("ready")
    while len(head := jobs.read(MESSAGE_HEADER.size)) == MESSAGE_HEADER.size:
        (length, *_) = MESSAGE_HEADER.unpack(head)
        say("ran", output=run_job(json.loads(jobs.read(length)), begin, limits))
    return None


def _exit_with_parent(parent: int) -> None:
    """End this process as soon as its parent has ended, because a killed parent cannot end its children."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def _main() -> None:
    """Serve jobs in a thread; descriptor 1 carries messages only, so output of libraries goes to descriptor 2."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    threading.Thread(target=_exit_with_parent, args=(os.getppid(),), daemon=True).start()
    threading.stack_size(STACK + EXTRA_STACK)  # the system determines the stack of the main thread, so the work runs in a new thread
    working = threading.Thread(target=serve_jobs, args=(json.loads(sys.argv[1]), sys.stdin.buffer, answers))
    working.start()
    working.join()


if __name__ == "__main__":
    _main()
