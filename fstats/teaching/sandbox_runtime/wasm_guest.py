"""Python side of the WebAssembly sandbox: preparation, and the run of a submission.

The guest has the same part of `fstats` as the other sandboxes, and two files of IPython, which translate cells with magics.
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

PACKAGE_ROOT, HOME, ROOT, RESULT = "/house", "/own", 3, 4  # paths of folders, and file descriptors; only ROOT gives access to files
UNSUPPORTED_MESSAGE = "there are no processes, threads or sockets in the sandbox of the marking"
UNSUPPORTED_ERROR = re.compile(
    r"can't start new thread|does not support processes|lacks multiprocessing|ctypes is unavailable|No module named '?_"
)
LONG = 3600  # number of seconds that is longer than any run
UNSUPPORTED = {errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP}


class ClockLoop(asyncio.BaseEventLoop):
    """An event loop for cells with `await`, which waits only for the clock, since no other event can occur."""

    def __init__(self) -> None:
        super().__init__()
        self._selector = self

    def select(self, timeout: float | None) -> list[Any]:
        """Sleep until the next event is due; code that waits for anything else waits until the run ends."""
        time.sleep(LONG if timeout is None else max(0, timeout))
        return []

    def _process_events(self, _: list[Any]) -> None:
        """Do nothing, because the clock is the only source of events."""

    def _write_to_self(self) -> None:
        """Do nothing, because there is no other thread that could wake the loop."""


def prepare() -> None:
    """Import the modules that a submission may use."""
    warnings.filterwarnings("ignore")
    _fake_ipython()
    asyncio.new_event_loop = asyncio.events.new_event_loop = ClockLoop
    vars(function_call)["describe_error"] = vars(notebook_runner)["describe_error"] = describe_error
    notebook_runner.preload()
    gc.collect()
    gc.freeze()


def run() -> None:
    """Serve the requests on descriptor 0, to which the host writes one request at a time."""
    os.chdir(HOME)
    notebook_runner.serve_requests(_request, RESULT, alone=lambda: os.close(ROOT))


def _request() -> bytes:
    parts = []
    while part := os.read(0, 1 << 20):  # os.read returns no bytes at the end of the request
        parts.append(part)
    return b"".join(parts)


def describe_error(error: BaseException, plain: Callable[[BaseException], str] = function_call.describe_error) -> str:
    """Describe an error in one line, with the reason if the error comes from a feature that WebAssembly lacks."""
    text = plain(error)
    is_unsupported = isinstance(error, OSError) and error.errno in UNSUPPORTED
    missing = isinstance(error, AttributeError) and getattr(error.obj, "__name__", "") in ("os", "posix", "signal", "socket", "_socket")
    return f"{text[:120]} ({UNSUPPORTED_MESSAGE})" if is_unsupported or missing or UNSUPPORTED_ERROR.search(text) else text


def _fake_ipython() -> None:
    """Install substitutes for the parts of IPython that cells use; display functions accept any arguments and do nothing."""
    package = ModuleType("IPython")
    package.__path__, package.version_info = [f"{PACKAGE_ROOT}/IPython"], (9, 0, 0)  # type: ignore[attr-defined]
    show = ModuleType("IPython.display")
    show.__getattr__ = _display_stub  # type: ignore[method-assign]
    getter = ModuleType("IPython.core.getipython")
    package.display = show.display = display  # type: ignore[attr-defined]
    sys.modules |= {"IPython": package, "IPython.display": show, "IPython.core.getipython": getter}


def display(*_: Any, **__: Any) -> None:
    """Do nothing, since no person sees the output."""


class SilentDisplay:
    """An object of IPython.display that displays nothing."""

    def __init__(self, *_: Any, **__: Any) -> None:
        pass


def _display_stub(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    return SilentDisplay
