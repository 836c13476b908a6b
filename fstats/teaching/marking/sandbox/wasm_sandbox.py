"""The second wall: students' code inside WebAssembly, on every system, with nothing of the machine in reach.

Python itself is a WebAssembly binary here.  It has the memory that we give it, a few files in that memory, a clock and chance; there is no
call by which it could ask for more, so there is nothing that would have to be refused.  What the first wall takes away, this one never has.
"""

from __future__ import annotations

import importlib
import json
import os
import queue
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ....runtime import wasi_interpreter
from ....runtime.optional_dependencies import require_extra
from .allow_list import PACKAGE
from .bubblewrap_sandbox import SandboxUnavailable
from .notebook_session import DEADLINE_MESSAGE, Limits

MESSAGE_HEADER = struct.Struct("<III")  # before each message: how long its kind, its words and its bytes are
COMPILING = 1800  # seconds that the compiler may take, on any machine
STARTING = 300  # and Python, to import its libraries
KILL_AFTER_SECONDS = 30  # seconds after which nobody waits for a worker that was to end a run by itself
MESSAGES = 8  # a run and the calls of its functions may deliver so many times what one process may
TIME_FACTOR = 5  # times as long as elsewhere a cell may compute: loops take three to four times as long, what calls libraries a bit more
REQUIRED_EXTRA = ("sandbox", "marking behind WebAssembly")  # who needs the engine: the extra that brings it, and for what
COMPILING_MESSAGE = "Python is compiled to machine code for this computer; that takes one or two minutes, and is done once."


def pack_message(kind: str, words: str = "", output: bytes = b"") -> bytes:
    """What goes from one side to the other, in one piece."""
    parts = kind.encode(), words.encode("utf-8", "replace"), output
    return MESSAGE_HEADER.pack(*map(len, parts)) + b"".join(parts)


def cache_folder() -> Path:
    """Where this user's programs keep what they can make again."""
    local = {"win32": os.environ.get("LOCALAPPDATA"), "darwin": str(Path.home() / "Library" / "Caches")}
    return Path(local.get(sys.platform) or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "fstats"


class WasmSandbox:
    """A worker in which WebAssembly runs, as a :class:`Sandbox` is one behind bubblewrap.

    Parameters
    ----------
    limits : Limits
        What a run may use.  Processes there are none; what all may take together is what one may take.
    say : callable
        ``say(words)``: tells whoever waits that something takes long.
    compiles : bool
        Whether that is all that is wanted: the machine code, before several workers want it.
    """

    isolation = "wasm"

    def __init__(
        self, limits: Limits, say: Callable[[str], None] = lambda words: print(words, file=sys.stderr), compiles: bool = False
    ) -> None:
        self.limits, self._say = limits, say
        self._process: subprocess.Popen[bytes] | None = None
        self._heard: queue.SimpleQueue[tuple[str, str, bytes] | None]
        try:
            wasi_interpreter.interpreter_folder(*REQUIRED_EXTRA)
            with require_extra(*REQUIRED_EXTRA):
                importlib.import_module("wasmtime")
        except (wasi_interpreter.InterpreterNotFoundError, ImportError) as error:
            raise SandboxUnavailable(str(error)) from None
        self._start(compiles)

    def close(self) -> None:
        """End the worker, and with it what runs in it."""
        process, self._process = self._process, None
        if process is not None and process.stdin and process.stdout:
            process.kill()
            process.wait()
            with suppress(OSError):  # something that it has not read
                process.stdin.close()
            self._listener.join()
            process.stdout.close()

    def run(self, job: Mapping[str, Any]) -> bytes:
        """Run the notebook of a job, as :func:`delivered_by` has it; what comes of it is returned as it came."""
        slowly = {**job, "seconds": job.get("seconds", Limits.cpu) * TIME_FACTOR}
        times = self.limits.of(slowly)
        for _ in range(2):
            if self._process is None:
                self._start()
            with suppress(OSError):
                self._tell(json.dumps(slowly).encode())
                deadline = time.monotonic() + times["all_wall"] * (1 + len(job["cases"])) + KILL_AFTER_SECONDS
                told = self._next(deadline)
                if told and told[0] == "ran":
                    return told[2]
                if time.monotonic() > deadline:
                    self.close()
                    return json.dumps({"over": "", "why": DEADLINE_MESSAGE}).encode()
            self.close()
        raise SandboxUnavailable("the worker (wasm) ends whenever it is to run something, and says nothing")

    # -- the worker -------------------------------------------------------------------------------------------------------------------
    def _start(self, compiles: bool = False) -> None:
        settings = {"limits": asdict(self.limits), "cache": str(cache_folder()), "compiles": compiles}
        paths = [str(PACKAGE.parent), *filter(None, sys.path)]
        kept = {name: os.environ[name] for name in ("SYSTEMROOT", "PATH") if name in os.environ}  # without the first Windows has no chance
        with tempfile.TemporaryFile() as said:
            self._process = process = subprocess.Popen(
                [sys.executable, "-B", "-P", "-s", "-m", "fstats.teaching.marking.sandbox.wasm_worker", json.dumps(settings)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=said,
                env={**kept, "PYTHONPATH": os.pathsep.join(dict.fromkeys(paths)), "PYTHONIOENCODING": "utf-8"},
                start_new_session=True,
            )
            self._heard = queue.SimpleQueue()
            self._listener = threading.Thread(target=self._listen, args=(process, self._heard), daemon=True)
            self._listener.start()
            told = self._next(time.monotonic() + STARTING)
            if told and told[0] == "compiling":
                self._say(COMPILING_MESSAGE)
                told = self._next(time.monotonic() + COMPILING)
            if told and told[0] == "ready":
                return
            self.close()
            said.seek(0)
            words = said.read()[-500:].decode(errors="replace").strip().splitlines() or ["its process says nothing"]
            raise SandboxUnavailable(f"WebAssembly does not start: {told[1] if told else words[-1]}")

    def _listen(self, process: subprocess.Popen[bytes], heard: queue.SimpleQueue[tuple[str, str, bytes] | None]) -> None:
        """Take down what a worker says; not every system can wait for a pipe and a clock at once."""
        most, source = MESSAGES * (self.limits.output << 20), process.stdout
        with suppress(OSError, ValueError):
            while source and len(head := source.read(MESSAGE_HEADER.size)) == MESSAGE_HEADER.size:
                lengths = MESSAGE_HEADER.unpack(head)
                if sum(lengths) > most:
                    break
                kind, words, output = (source.read(length) for length in lengths)
                heard.put((kind.decode("ascii", "replace"), words.decode("utf-8", "replace"), output))
        heard.put(None)

    def _next(self, deadline: float) -> tuple[str, str, bytes] | None:
        """What comes next; nothing if the worker has ended, or is silent too long."""
        try:
            return self._heard.get(timeout=max(0.01, deadline - time.monotonic()))
        except queue.Empty:
            return None

    def _tell(self, job: bytes) -> None:
        if self._process is not None and self._process.stdin:
            self._process.stdin.write(MESSAGE_HEADER.pack(len(job), 0, 0) + job)
            self._process.stdin.flush()
