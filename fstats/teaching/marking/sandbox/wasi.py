"""WASI preview 1 for Python inside WebAssembly: only a few files in memory, a clock and random numbers.

No call in this module opens a file of the machine, starts a process or sends a message for the code in WebAssembly.  A submission can
request only what this module and `wasi_filesystem` provide.  Calls and error numbers are those of WASI preview 1.
"""

from __future__ import annotations

import os
import struct
import time
from collections.abc import Callable, Mapping, Sequence
from threading import Event
from typing import Any

from .file_tree import Node
from .wasi_filesystem import INVAL, RunEnded, WasiError, WasiFiles

NOSYS = 52
CHUNK = 1 << 16  # number of random bytes generated in one step
FIXED_RESULTS = dict.fromkeys(
    ["fd_advise", "fd_datasync", "fd_fdstat_set_flags", "fd_sync", "fd_filestat_set_times", "path_filestat_set_times", "sched_yield"], 0
)
FIXED_RESULTS["path_readlink"] = INVAL  # the file tree has no links
ARGUMENTS = ("/usr/local/bin/python.wasm",)
ENVIRONMENT = ("HOME=/own", "TMPDIR=/own", "PYTHONTZPATH=", "MPLBACKEND=agg", "MPLCONFIGDIR=/own/matplotlib", "TQDM_DISABLE=1")


class WasiSystem(WasiFiles):
    """System calls of one run, which ends at the time `until` of `time.monotonic`."""

    def __init__(self, root: Node, requests: Callable[[bytes], bytes], limits: Mapping[str, Any], until: float) -> None:
        super().__init__(root, requests, limits)
        self.until, self.is_over = until, Event()

    def call(self, name: str, arguments: tuple[int, ...]) -> int:
        """Perform a system call; return 0 or the number of an error.  Calls without a method in this class are not supported."""
        if name in FIXED_RESULTS:
            return FIXED_RESULTS[name]
        try:
            return int(getattr(self, f"do_{name}", _unsupported)(*arguments))
        except WasiError as why:
            return int(why.args[0])

    def _sizes(self, texts: Sequence[str], count: int, size: int) -> int:
        self._write_struct("I", count, len(texts))
        return self._write_struct("I", size, sum(len(text) + 1 for text in texts))

    def _texts(self, texts: Sequence[str], pointers: int, into: int) -> int:
        for k, text in enumerate(texts):
            self._write_struct("I", pointers + 4 * k, into)
            self._write_struct(f"{len(text) + 1}s", into, text.encode())
            into += len(text) + 1
        return 0

    def do_args_sizes_get(self, count: int, size: int) -> int:
        """Write the number and total size of the command-line arguments."""
        return self._sizes(ARGUMENTS, count, size)

    def do_args_get(self, pointers: int, into: int) -> int:
        """Write the command-line arguments."""
        return self._texts(ARGUMENTS, pointers, into)

    def do_environ_sizes_get(self, count: int, size: int) -> int:
        """Write the number and size of the environment variables."""
        return self._sizes(ENVIRONMENT, count, size)

    def do_environ_get(self, pointers: int, into: int) -> int:
        """Write the environment variables."""
        return self._texts(ENVIRONMENT, pointers, into)

    def do_clock_res_get(self, _: int, into: int) -> int:
        """Write the resolution of the clock: a millisecond."""
        return self._write_struct("Q", into, 1_000_000)

    def do_clock_time_get(self, clock: int, _: int, into: int) -> int:
        """Write the time of the clock."""
        return self._write_struct("Q", into, time.monotonic_ns() if clock else time.time_ns())

    def do_random_get(self, into: int, length: int) -> int:
        """Write random bytes in steps, so that the host needs little memory."""
        target = self._memory_slice(into, length)
        for start in range(0, length, CHUNK):
            target[start : start + CHUNK] = os.urandom(min(CHUNK, length - start))
        return 0

    def do_poll_oneoff(self, subscriptions: int, events: int, count: int, count_address: int) -> int:
        """Sleep, at most until the end of the run; the only supported event is the clock."""
        user, kind = struct.unpack_from("<QB", self.memory(), subscriptions)
        if kind or not count:
            raise WasiError(NOSYS if kind else INVAL)
        clock, span, _, absolute = struct.unpack_from("<I4xQQH", self.memory(), subscriptions + 16)
        until = time.monotonic() + (span - (time.monotonic_ns() if clock else time.time_ns()) * (absolute & 1)) / 1e9
        while (remaining := min(until, self.until) - time.monotonic()) > 0 and not self.is_over.is_set():
            self.is_over.wait(remaining)
        if until > self.until or self.is_over.is_set():
            raise RunEnded("the code did not end in time")
        self._write_struct("QHBxxxxxQHxxxxxx", events, user, 0, 0, 0, 0)
        return self._write_struct("I", count_address, 1)

    def do_proc_exit(self, _: int) -> int:
        """End the run of Python; its exit status means nothing."""
        raise RunEnded


def _unsupported(*_: int) -> int:
    return NOSYS
