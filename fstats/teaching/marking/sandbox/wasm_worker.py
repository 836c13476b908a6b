"""The process beside the marker in which WebAssembly runs: it holds Python with its libraries, and runs one submission after the other.

It knows what everybody may know, the package and the engine: should somebody break out of WebAssembly, there is no secret here, no roster,
and no other submission.  A trap that ends the process, as no trap should, ends no more than this.

    python -m fstats.teaching.marking.sandbox.wasm_worker SETTINGS    as JSON: limits, cache; jobs come in by descriptor 0, one message each
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
from .wasm_instance import STACK, PythonImage, load_compiled, make_engine
from .wasm_sandbox import MESSAGE_HEADER, REQUIRED_EXTRA, pack_message

LIBRARY, PACKAGE_ROOT = "usr/local/lib/python315.zip", "house"  # where the engine's Python looks for its own library, and for ours
IPYTHON_FILES = ("core/inputtransformer2.py", "utils/tokenutil.py")  # what says what a cell means where it is no Python
MATPLOTLIB = "matplotlib"  # reads files that lie beside it, and so cannot lie in an archive
BOOT = f"""
import sys, zipimport
zipimport._zip_directory_cache.clear()
sys.path_importer_cache.clear()
sys.path.insert(0, "/{PACKAGE_ROOT}")
from fstats.teaching.sandbox_runtime.wasm_guest import prepare, run as _run
prepare()
"""
EXTRA_STACK = 8 << 20  # of this process's own calls, beside the stack of those inside


def sandbox_files() -> Iterator[tuple[str, Any]]:
    """What there is inside: the engine's library, and the part of fstats that students' code may see."""
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
    """Get Python ready, then run each job that comes, until nobody is there any more."""

    def say(kind: str, words: str = "", output: bytes = b"") -> None:
        answers.write(pack_message(kind, words, output))
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
        """An instance in which nothing of a submission has run."""
        with closing(image.begin("_run()", {**settings["limits"], **times})) as guest:
            yield guest

    say("ready")
    while len(head := jobs.read(MESSAGE_HEADER.size)) == MESSAGE_HEADER.size:
        (length, *_) = MESSAGE_HEADER.unpack(head)
        say("ran", output=run_job(json.loads(jobs.read(length)), begin, limits))
    return None


def _exit_with_parent(parent: int) -> None:
    """End as soon as nobody waits any more, whatever runs: a process that was killed cannot end this one."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def _main() -> None:
    """Nothing but messages leaves by descriptor 1, whatever a library prints."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    threading.Thread(target=_exit_with_parent, args=(os.getppid(),), daemon=True).start()
    threading.stack_size(STACK + EXTRA_STACK)  # that of the main thread is whatever the system gives
    working = threading.Thread(target=serve_jobs, args=(json.loads(sys.argv[1]), sys.stdin.buffer, answers))
    working.start()
    working.join()


if __name__ == "__main__":
    _main()
