"""A process that is asked through one pipe and answers through another; it may be anybody's."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from selectors import EVENT_READ, EVENT_WRITE, DefaultSelector

from .notebook_session import DEADLINE_MESSAGE, ProcessEnded, pop_line

EXIT_SECONDS = 5  # seconds that a process may take to end by itself when nothing more is asked


class PipedProcess:
    """One process of a submission: what is asked goes in by one pipe, and what it says comes out of another."""

    def __init__(self, requests: int, answers: int, most: int, end: Callable[[bool], str]) -> None:
        self._requests, self._answers, self._left, self._end = requests, answers, most, end
        self._most, self._over, self._came = most, "", bytearray()
        os.set_blocking(requests, False)

    def ask(self, request: bytes, until: float) -> bytes:
        """One line for another."""
        if self._over:
            raise ProcessEnded(self._over)
        why = ""
        with DefaultSelector() as selector:
            selector.register(self._answers, EVENT_READ)
            if request:
                selector.register(self._requests, EVENT_WRITE)
            while not why:
                if not request and (line := pop_line(self._came)) is not None:
                    return line
                for ready, _ in selector.select(left) if (left := until - time.monotonic()) > 0 else ():
                    if ready.fd == self._requests:
                        request = self._sent(request)
                        if not request:
                            selector.unregister(self._requests)
                        continue
                    part = os.read(self._answers, 1 << 16)
                    self._came += part
                    self._left -= len(part)
                    why = "" if part else "end"
                if left <= 0:
                    why = DEADLINE_MESSAGE
                elif self._left < 0:
                    why = f"it delivered more than {self._most >> 20} MiB"
        self._over = self._end(True) if why == "end" else why
        if why != "end":
            self._end(False)
        raise ProcessEnded(self._over)

    def _sent(self, request: bytes) -> bytes:
        """What of a request is still to be sent."""
        try:
            return request[os.write(self._requests, request) :]
        except BlockingIOError:
            return request
        except BrokenPipeError:  # it has ended, which is seen at the other pipe
            return b""

    def close(self) -> None:
        """Ask for nothing more, and wait for the end."""
        os.close(self._requests)
        with DefaultSelector() as selector:
            selector.register(self._answers, EVENT_READ)
            until = time.monotonic() + EXIT_SECONDS
            while not self._over and selector.select(max(0.0, until - time.monotonic())):
                if not os.read(self._answers, 1 << 16):
                    self._over = self._end(True) or "it has ended"
        if not self._over:
            self._end(False)
        os.close(self._answers)
