"""How long the judge may think about one answer."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn


class OutOfPatience(BaseException):
    """The time is up; no Exception, so that nothing on the way takes it for one of its own."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise `OutOfPatience` in this block after so many seconds of computing: the process's own, however busy the machine is.

    Only a main thread can be interrupted, and Windows interrupts none; there the block takes its time.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def up(*_: object) -> NoReturn:
        raise OutOfPatience

    before = signal.signal(signal.SIGPROF, up)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
