"""Sandbox based on WebAssembly.

This sandbox works on every operating system.

Python itself is a WebAssembly binary here.  The binary has the memory that the host provides, a few files in this memory, a clock and
random numbers.  The binary has no call to request more, so nothing has to be refused: bubblewrap removes access, and WebAssembly never
gives access.
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
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ....runtime import wasi_interpreter
from ....runtime.optional_dependencies import require_extra
from .allow_list import PACKAGE
from .bubblewrap_sandbox import SandboxUnavailable
from .notebook_session import DEADLINE_MESSAGE, Limits

MESSAGE_HEADER = struct.Struct("<III")  # header of a message: the lengths of its kind, its text and its bytes
COMPILING = 1800  # maximum seconds for the compilation, even on a slow machine
STARTING = 300  # maximum seconds for Python to import the libraries
KILL_AFTER_SECONDS = 30  # seconds between the time limit of a run and the end of its worker by force
MESSAGES = 8  # output limit of a run with all its function calls, divided by the output limit of one process
TIME_FACTOR = 5  # factor for time limits of cells, because loops take three to four times as long as without WebAssembly
# extra of fstats that contains the engine, and its purpose; error messages quote both
REQUIRED_EXTRA = ("sandbox", "marking behind WebAssembly")
COMPILING_MESSAGE = "Python is compiled to machine code for this computer, once; the compilation takes one or two minutes."


def pack_message(kind: str, text: str = "", output: bytes = b"") -> bytes:
    """Pack a message for the other side into bytes."""
    parts = kind.encode(), text.encode("utf-8", "replace"), output
    return MESSAGE_HEADER.pack(*map(len, parts)) + b"".join(parts)


def cache_folder() -> Path:
    """Return the user's cache folder, for files that programs can create again."""
    local = {"win32": os.environ.get("LOCALAPPDATA"), "darwin": str(Path.home() / "Library" / "Caches")}
    return Path(local.get(sys.platform) or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "fstats"


class WasmSandbox:
    """A worker that runs WebAssembly, with the interface of :class:`BubblewrapSandbox`.

    Parameters
    ----------
    limits : Limits
        Resource limits of a run.  WebAssembly has no child processes, so the limits for one process are the limits for all processes
        together.
    compiles : bool
        Whether the worker only compiles the machine code, before several workers need the code.
    """

    isolation = "wasm"

    def __init__(self, limits: Limits, compiles: bool = False) -> None:
        self.limits = limits
        self._process: subprocess.Popen[bytes] | None = None
        self._messages: queue.SimpleQueue[tuple[str, str, bytes] | None]
        try:
            wasi_interpreter.interpreter_folder(*REQUIRED_EXTRA)
            with require_extra(*REQUIRED_EXTRA):
                importlib.import_module("wasmtime")
        except (wasi_interpreter.InterpreterNotFoundError, ImportError) as error:
            raise SandboxUnavailable(str(error)) from None
        self._start(compiles)

    def close(self) -> None:
        """Kill the worker and its current run."""
        process, self._process = self._process, None
        if process is not None and process.stdin and process.stdout:
            process.kill()
            process.wait()
            with suppress(OSError):  # the worker ended before it had read the whole message
                process.stdin.close()
            self._listener.join()
            process.stdout.close()

    def run(self, job: Mapping[str, Any]) -> bytes:
        """Run the notebook of a job with :func:`run_job`, and return its output unchanged."""
        slow_job = {**job, "seconds": job.get("seconds", Limits.cpu) * TIME_FACTOR}
        times = self.limits.times_for(slow_job)
        for _ in range(2):
            if self._process is None:
                self._start()
            with suppress(OSError):
                self._send_job(json.dumps(slow_job).encode())
                deadline = time.monotonic() + times["all_wall"] * (1 + len(job["cases"])) + KILL_AFTER_SECONDS
                message = self._next_message(deadline)
                if message and message[0] == "ran":
                    return message[2]
                if time.monotonic() > deadline:
                    self.close()
                    return json.dumps({"over": "", "why": DEADLINE_MESSAGE}).encode()
            self.close()
        raise SandboxUnavailable("the worker process (wasm) ends without a message at each attempt to run code")

    # -- the worker -------------------------------------------------------------------------------------------------------------------
    def _start(self, compiles: bool = False) -> None:
        settings = {"limits": asdict(self.limits), "cache": str(cache_folder()), "compiles": compiles}
        paths = [str(PACKAGE.parent), *filter(None, sys.path)]
        # environment variables of the worker; Windows needs SYSTEMROOT
        variables = {name: os.environ[name] for name in ("SYSTEMROOT", "PATH") if name in os.environ}
        with tempfile.TemporaryFile() as errors:
            self._process = process = subprocess.Popen(
                [sys.executable, "-B", "-P", "-s", "-m", "fstats.teaching.marking.sandbox.wasm_worker", json.dumps(settings)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                env={**variables, "PYTHONPATH": os.pathsep.join(dict.fromkeys(paths)), "PYTHONIOENCODING": "utf-8"},
                start_new_session=True,
            )
            self._messages = queue.SimpleQueue()
            self._listener = threading.Thread(target=self._read_messages, args=(process, self._messages), daemon=True)
            self._listener.start()
            message = self._next_message(time.monotonic() + STARTING)
            if message and message[0] == "compiling":
                print(COMPILING_MESSAGE, file=sys.stderr)
                message = self._next_message(time.monotonic() + COMPILING)
            if message and message[0] == "ready":
                return
            self.close()
            errors.seek(0)
            lines = errors.read()[-500:].decode(errors="replace").strip().splitlines() or ["its process reports no reason"]
            raise SandboxUnavailable(f"WebAssembly does not start: {message[1] if message else lines[-1]}")

    def _read_messages(self, process: subprocess.Popen[bytes], messages: queue.SimpleQueue[tuple[str, str, bytes] | None]) -> None:
        """Read the messages of a worker in a thread, because some systems cannot wait for a pipe with a time limit."""
        most, source = MESSAGES * (self.limits.output << 20), process.stdout
        with suppress(OSError, ValueError):
            while source and len(head := source.read(MESSAGE_HEADER.size)) == MESSAGE_HEADER.size:
                lengths = MESSAGE_HEADER.unpack(head)
                if sum(lengths) > most:
                    break
                kind, text, output = (source.read(length) for length in lengths)
                messages.put((kind.decode("ascii", "replace"), text.decode("utf-8", "replace"), output))
        messages.put(None)

    def _next_message(self, deadline: float) -> tuple[str, str, bytes] | None:
        """Return the next message of the worker; None if the worker has ended, or sends nothing for too long."""
        try:
            return self._messages.get(timeout=max(0.01, deadline - time.monotonic()))
        except queue.Empty:
            return None

    def _send_job(self, job: bytes) -> None:
        if self._process is not None and self._process.stdin:
            self._process.stdin.write(MESSAGE_HEADER.pack(len(job), 0, 0) + job)
            self._process.stdin.flush()
