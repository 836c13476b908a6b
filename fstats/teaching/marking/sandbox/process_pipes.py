"""Pipes to an untrusted process.

Each answer to a request has a deadline.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from selectors import EVENT_READ, EVENT_WRITE, DefaultSelector

from .notebook_session import DEADLINE_MESSAGE, ProcessEnded, pop_line

EXIT_SECONDS = 5  # maximum seconds between the last request and the end of a process


class PipedProcess:
    """A process of a submission, which reads requests from one pipe and writes answers to another."""

    def __init__(self, requests: int, answers: int, most: int, end: Callable[[bool], str]) -> None:
        self._requests, self._answers, self._left, self._end = requests, answers, most, end
        self._most, self._over, self._received = most, "", bytearray()
        os.set_blocking(requests, False)

    def ask(self, request: bytes, until: float) -> bytes:
        """Send a request line, and return the answer line."""
        if self._over:
            raise ProcessEnded(self._over)
        why = ""
        with DefaultSelector() as selector:
            selector.register(self._answers, EVENT_READ)
            if request:
                selector.register(self._requests, EVENT_WRITE)
            while not why:
                if not request and (line := pop_line(self._received)) is not None:
                    return line
                for ready, _ in selector.select(left) if (left := until - time.monotonic()) > 0 else ():
                    if ready.fd == self._requests:
                        request = self._send(request)
                        if not request:
                            selector.unregister(self._requests)
                        continue
                    part = os.read(self._answers, 1 << 16)
                    self._received += part
                    self._left -= len(part)
                    why = "" if part else "end"
                if left <= 0:
                    why = DEADLINE_MESSAGE
                elif self._left < 0:
                    why = f"the code wrote more than {self._most >> 20} MiB of output"
        self._over = self._end(True) if why == "end" else why
        if why != "end":
            self._end(False)
        raise ProcessEnded(self._over)

    def _send(self, request: bytes) -> bytes:
        """Send the first part of a request, and return the rest."""
        try:
            return request[os.write(self._requests, request) :]
        except BlockingIOError:
            return request
        except BrokenPipeError:  # the process has ended; the pipe for answers will report it
            return b""

    def close(self) -> None:
        """Close the pipe for requests, and wait for the end of the process."""
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
