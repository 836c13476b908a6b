"""What Python behind WebAssembly has for an operating system: a few files in memory, a clock, chance, and no more.

Nothing here opens a file of the machine, starts a process or speaks to anybody on behalf of who is inside; whoever has read these lines and
`own_files` has seen all that a submission can ask for.  The calls and numbers are those of WASI preview 1.
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
CHUNK = 1 << 16  # bytes of chance at a time
FIXED_RESULTS = dict.fromkeys(
    ["fd_advise", "fd_datasync", "fd_fdstat_set_flags", "fd_sync", "fd_filestat_set_times", "path_filestat_set_times", "sched_yield"], 0
)
FIXED_RESULTS["path_readlink"] = INVAL  # no file is a link
ARGUMENTS = ("/usr/local/bin/python.wasm",)
ENVIRONMENT = ("HOME=/own", "TMPDIR=/own", "PYTHONTZPATH=", "MPLBACKEND=agg", "MPLCONFIGDIR=/own/matplotlib", "TQDM_DISABLE=1")


class WasiSystem(WasiFiles):
    """The calls of one run; it ends at `until`, on the clock of `time.monotonic`."""

    def __init__(self, root: Node, requests: Callable[[bytes], bytes], limits: Mapping[str, Any], until: float) -> None:
        super().__init__(root, requests, limits)
        self.until, self.over = until, Event()

    def call(self, name: str, arguments: tuple[int, ...]) -> int:
        """Do what is asked for; the number of an error comes back, or 0.  What is not here is not to be had."""
        if name in FIXED_RESULTS:
            return FIXED_RESULTS[name]
        try:
            return int(getattr(self, f"do_{name}", _unsupported)(*arguments))
        except WasiError as why:
            return int(why.args[0])

    def _sizes(self, words: Sequence[str], count: int, size: int) -> int:
        self._put("I", count, len(words))
        return self._put("I", size, sum(len(one) + 1 for one in words))

    def _words(self, words: Sequence[str], pointers: int, into: int) -> int:
        for k, one in enumerate(words):
            self._put("I", pointers + 4 * k, into)
            self._put(f"{len(one) + 1}s", into, one.encode())
            into += len(one) + 1
        return 0

    def do_args_sizes_get(self, count: int, size: int) -> int:
        """How many words Python is started with."""
        return self._sizes(ARGUMENTS, count, size)

    def do_args_get(self, pointers: int, into: int) -> int:
        """These words."""
        return self._words(ARGUMENTS, pointers, into)

    def do_environ_sizes_get(self, count: int, size: int) -> int:
        """How many variables the environment has."""
        return self._sizes(ENVIRONMENT, count, size)

    def do_environ_get(self, pointers: int, into: int) -> int:
        """These variables."""
        return self._words(ENVIRONMENT, pointers, into)

    def do_clock_res_get(self, _: int, into: int) -> int:
        """A thousandth of a second."""
        return self._put("Q", into, 1_000_000)

    def do_clock_time_get(self, clock: int, _: int, into: int) -> int:
        """What time it is."""
        return self._put("Q", into, time.monotonic_ns() if clock else time.time_ns())

    def do_random_get(self, into: int, length: int) -> int:
        """Chance, which costs the host no more memory than a little."""
        place = self._part(into, length)
        for at in range(0, length, CHUNK):
            place[at : at + CHUNK] = os.urandom(min(CHUNK, length - at))
        return 0

    def do_poll_oneoff(self, wishes: int, events: int, count: int, told: int) -> int:
        """Sleep, as long as the run lasts; there is nothing else to wait for."""
        user, kind = struct.unpack_from("<QB", self.memory(), wishes)
        if kind or not count:
            raise WasiError(NOSYS if kind else INVAL)
        clock, span, _, absolute = struct.unpack_from("<I4xQQH", self.memory(), wishes + 16)
        until = time.monotonic() + (span - (time.monotonic_ns() if clock else time.time_ns()) * (absolute & 1)) / 1e9
        while (left := min(until, self.until) - time.monotonic()) > 0 and not self.over.is_set():
            self.over.wait(left)
        if until > self.until or self.over.is_set():
            raise RunEnded("it did not end in time")
        self._put("QHBxxxxxQHxxxxxx", events, user, 0, 0, 0, 0)
        return self._put("I", told, 1)

    def do_proc_exit(self, _: int) -> int:
        """Python ends itself; which status it gives means nothing."""
        raise RunEnded


def _unsupported(*_: int) -> int:
    return NOSYS
