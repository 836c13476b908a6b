"""A site shown from this machine: a server of files, which any other does as well."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from types import MappingProxyType
from typing import Any

MOST = 4096  # bytes that a page posts


class Quiet(SimpleHTTPRequestHandler):
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
            if take is None or not 0 < size <= MOST:
                raise ValueError(self.path)
            take(self.rfile.read(size))
        except ValueError:
            self.send_error(404)
        else:
            self.send_response(204)
            self.end_headers()


@contextmanager
def serve(folder: Path, port: int = 0, takes: Mapping[str, Callable[[bytes], None]] = MappingProxyType({})) -> Iterator[str]:
    """Serve a folder to this machine alone; gives its address, with a free port if 0 is asked for.

    What a page posts to an address of `takes` is handed on; anything else that is posted is refused.
    """
    with ThreadingHTTPServer(("127.0.0.1", port), partial(Quiet, directory=str(folder), takes=takes)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://localhost:{server.server_port}/"
        finally:
            server.shutdown()
