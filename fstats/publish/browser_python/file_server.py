"""A site shown from this machine: a server of files, which any other does as well."""

from __future__ import annotations

import errno
import socket
from argparse import ArgumentTypeError
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from types import MappingProxyType
from typing import Any

LOCALHOST = "127.0.0.1"
MAX_POST_BYTES = 4096  # bytes that a page posts
FOREIGN_HOST_ERRORS = (errno.EADDRNOTAVAIL, socket.EAI_NONAME)  # what the system says of a host that is not this machine


class QuietFileHandler(SimpleHTTPRequestHandler):
    """A server of files that prints nothing."""

    def __init__(self, *request: Any, takes: Mapping[str, Callable[[bytes], None]], **more: Any) -> None:
        self.takes = takes
        super().__init__(*request, **more)

    def log_message(self, *_: object) -> None:
        """Nothing."""

    def do_POST(self) -> None:
        """What a page tells, where somebody takes it."""
        take = self.takes.get(self.path)
        try:
            size = int(self.headers.get("Content-Length") or 0)
            if take is None or not 0 < size <= MAX_POST_BYTES:
                raise ValueError(self.path)
            take(self.rfile.read(size))
        except ValueError:
            self.send_error(404)
        else:
            self.send_response(204)
            self.end_headers()


def parse_port(said: str) -> int:
    """The number of a port, as a command is told it.

    >>> parse_port("8000")
    8000
    >>> parse_port("80000")
    Traceback (most recent call last):
    argparse.ArgumentTypeError: a port is a number from 0 to 65535, where 0 takes a free one; got 80000
    """
    if not (said.isascii() and said.isdecimal() and int(said) < 65536):
        raise ArgumentTypeError(f"a port is a number from 0 to 65535, where 0 takes a free one; got {said}")
    return int(said)


@contextmanager
def explain_port_errors(host: str, port: int) -> Iterator[None]:
    """Who listens meanwhile and cannot is told why, and what to do."""
    try:
        yield
    except OSError as error:
        remedy = (
            "--host must be an address of this machine"
            if error.errno in FOREIGN_HOST_ERRORS
            else "take another, or --port 0 for a free one"
        )
        why = str(error.strerror).partition(" (")[0]
        raise OSError(f"port {port} of {host} cannot be had ({why}): {remedy}") from None


@contextmanager
def serve_folder(folder: Path, port: int = 0, takes: Mapping[str, Callable[[bytes], None]] = MappingProxyType({})) -> Iterator[str]:
    """Serve a folder to this machine alone; gives its address, with a free port if 0 is asked for.

    What a page posts to an address of `takes` is handed on; anything else that is posted is refused.
    """
    with explain_port_errors(LOCALHOST, port):
        server = ThreadingHTTPServer((LOCALHOST, port), partial(QuietFileHandler, directory=str(folder), takes=takes))
    with server:
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://localhost:{server.server_port}/"
        finally:
            server.shutdown()
