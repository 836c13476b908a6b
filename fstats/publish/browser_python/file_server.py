"""Simple HTTP server for a local folder."""

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
MAX_POST_BYTES = 4096  # maximum number of bytes in the body of a POST request
# errors of the operating system for a host name that does not belong to this machine
FOREIGN_HOST_ERRORS = (errno.EADDRNOTAVAIL, socket.EAI_NONAME)


class QuietFileHandler(SimpleHTTPRequestHandler):
    """File server without log; its pages may also send POST requests to some addresses."""

    def __init__(self, *request: Any, post_handlers: Mapping[str, Callable[[bytes], None]], **more: Any) -> None:
        self.post_handlers = post_handlers
        super().__init__(*request, **more)

    def log_message(self, *_: object) -> None:
        """Do nothing, so that requests are not logged."""

    def do_POST(self) -> None:
        """Pass the body of a POST request to the handler of its address; reply 404 without a handler or after its ValueError."""
        handler = self.post_handlers.get(self.path)
        try:
            size = int(self.headers.get("Content-Length") or 0)
            if handler is None or not 0 < size <= MAX_POST_BYTES:
                raise ValueError(self.path)
            handler(self.rfile.read(size))
        except ValueError:
            self.send_error(404)
        else:
            self.send_response(204)
            self.end_headers()


def parse_port(text: str) -> int:
    """Return the number of a port from a command-line argument.

    >>> parse_port("8000")
    8000
    >>> parse_port("80000")
    Traceback (most recent call last):
    argparse.ArgumentTypeError: a port must be a number from 0 to 65535; got 80000. Write 0 for a free port.
    """
    if not (text.isascii() and text.isdecimal() and int(text) < 65536):
        raise ArgumentTypeError(f"a port must be a number from 0 to 65535; got {text}. Write 0 for a free port.")
    return int(text)


@contextmanager
def explain_port_errors(host: str, port: int) -> Iterator[None]:
    """Add the reason and a remedy to the error of a port that cannot be opened."""
    try:
        yield
    except OSError as error:
        remedy = (
            "--host must be an address of this machine."
            if error.errno in FOREIGN_HOST_ERRORS
            else "Choose another port, or write --port 0 for a free one."
        )
        reason = str(error.strerror).partition(" (")[0]
        raise OSError(f"port {port} of host {host} cannot be opened ({reason}). {remedy}") from None


@contextmanager
def serve_folder(folder: Path, port: int = 0, post_handlers: Mapping[str, Callable[[bytes], None]] = MappingProxyType({})) -> Iterator[str]:
    """Context in which a folder is served to this machine only; the value is the address (port 0 means a free port).

    The body of a POST request is passed to the function for its address in `post_handlers`; all other POST requests are refused.
    """
    with serve(partial(QuietFileHandler, directory=str(folder), post_handlers=post_handlers), port) as used:
        yield f"http://localhost:{used}/"


@contextmanager
def serve(handler: Any, port: int) -> Iterator[int]:
    """Context in which a handler answers the requests of this machine; the value is the port (0 means a free port)."""
    with explain_port_errors(LOCALHOST, port):
        server = ThreadingHTTPServer((LOCALHOST, port), handler)
    with server:
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
