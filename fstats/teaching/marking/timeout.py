"""How long the judge may think about one answer."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ..grading.calling import ended_after


class OutOfPatience(BaseException):
    """The time is up; no Exception, so that nothing on the way takes it for one of its own."""


@contextmanager
def timeout(seconds: float) -> Iterator[None]:
    """Raise `OutOfPatience` in this block after so many seconds of computing: this thread's own, however busy the machine is.

    It may be any thread, as the workers of a cluster have several.
    """
    with ended_after(seconds, OutOfPatience, _computing()):
        yield


def _computing() -> Callable[[], float]:
    """A clock that goes while this thread computes; all the time where the system counts nobody's computing (Windows, macOS)."""
    if not hasattr(time, "pthread_getcpuclockid"):
        return time.monotonic
    mine = time.pthread_getcpuclockid(threading.get_ident())
    return lambda: time.clock_gettime(mine)
