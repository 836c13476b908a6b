"""Inside WebAssembly: what Python does before it runs the first line of a stranger, and the run of one submission.

Of `fstats` there is here what there is for the other workers; of IPython the two files that say what a cell means where it is no Python.
"""

from __future__ import annotations

import asyncio
import errno
import gc
import os
import re
import sys
import time
import warnings
from collections.abc import Callable
from types import ModuleType
from typing import Any

from . import function_call, notebook_runner

PACKAGE_ROOT, HOME, ROOT, RESULT = "/house", "/own", 3, 4  # ROOT is the only door to files
UNSUPPORTED_MESSAGE = "there are no processes, threads or sockets where this was marked"
UNSUPPORTED_ERROR = re.compile(
    r"can't start new thread|does not support processes|lacks multiprocessing|ctypes is unavailable|No module named '?_"
)
LONG = 3600  # seconds, longer than any run
UNSUPPORTED = {errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP}


class ClockLoop(asyncio.BaseEventLoop):
    """A loop for cells with `await` in them: it waits for nothing but the clock, since nobody can wake it."""

    def __init__(self) -> None:
        super().__init__()
        self._selector = self

    def select(self, timeout: float | None) -> list[Any]:
        """Sleep until something is due; what waits for anything else waits as long as the run may last."""
        time.sleep(LONG if timeout is None else max(0, timeout))
        return []

    def _process_events(self, _: list[Any]) -> None:
        """There are none."""

    def _write_to_self(self) -> None:
        """Nobody else is here who could wake it."""


def prepare() -> None:
    """Import everything that a submission may want at once."""
    warnings.filterwarnings("ignore")
    _fake_ipython()
    asyncio.new_event_loop = asyncio.events.new_event_loop = ClockLoop
    vars(function_call)["describe_error"] = vars(notebook_runner)["describe_error"] = describe_error
    notebook_runner.preload()
    gc.collect()
    gc.freeze()


def run() -> None:
    """Do what is asked by descriptor 0, where the host gives one request at a time."""
    os.chdir(HOME)
    notebook_runner.serve_requests(_request, _answer, alone=lambda: os.close(ROOT))


def _request() -> bytes:
    parts = []
    while part := os.read(0, 1 << 20):  # until the host says that this is all
        parts.append(part)
    return b"".join(parts)


def _answer(line: bytes) -> None:
    while line:
        line = line[os.write(RESULT, line) :]


def describe_error(error: BaseException, plain: Callable[[BaseException], str] = function_call.describe_error) -> str:
    """An error in words, and what it comes from, where it comes from what there is not in here."""
    words = plain(error)
    odd = isinstance(error, OSError) and error.errno in UNSUPPORTED
    missing = isinstance(error, AttributeError) and getattr(error.obj, "__name__", "") in ("os", "posix", "signal", "socket", "_socket")
    return f"{words[:120]} ({UNSUPPORTED_MESSAGE})" if odd or missing or UNSUPPORTED_ERROR.search(words) else words


def _fake_ipython() -> None:
    """What cells take from IPython: nothing is shown to anybody, so whatever shows something takes it and does nothing."""
    package = ModuleType("IPython")
    package.__path__, package.version_info = [f"{PACKAGE_ROOT}/IPython"], (9, 0, 0)  # type: ignore[attr-defined]
    show = ModuleType("IPython.display")
    show.__getattr__ = _display_stub  # type: ignore[method-assign]
    getter = ModuleType("IPython.core.getipython")
    package.display = show.display = display  # type: ignore[attr-defined]
    sys.modules |= {"IPython": package, "IPython.display": show, "IPython.core.getipython": getter}


def display(*_: Any, **__: Any) -> None:
    """Nobody looks."""


class SilentDisplay:
    """Something to be shown."""

    def __init__(self, *_: Any, **__: Any) -> None:
        pass


def _display_stub(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    return SilentDisplay
