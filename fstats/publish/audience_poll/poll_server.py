"""A room in which a deck is shown and phones answer."""

from __future__ import annotations

import asyncio
import shutil
import socket
from collections.abc import Iterable
from contextlib import suppress
from html import escape
from pathlib import Path
from threading import Event, Thread
from typing import Any

from tornado.httpserver import HTTPServer

from ..browser_python.file_server import LOCALHOST, MAX_POST_BYTES, explain_port_errors
from . import request_handlers
from .poll_connections import PollConnections
from .poll_questions import PollQuestion

LIMITS: dict[str, Any] = dict(max_header_size=16_384, idle_connection_timeout=60, body_timeout=5, max_buffer_size=65_536)


class PollServer(PollConnections):
    """A deck's folder served to this machine alone, and a page to vote on at `host`, while the context lasts.

    Phones reach the folder `pages`, too, if there is one: live pages, to which the deck's slides may lead them (``data-move``).  A room
    that was ended by force and is opened again with its journal goes on.
    """

    def __init__(
        self, questions: Iterable[PollQuestion], folder: Path, host: str, port: int, journal: Path, pages: Path | None = None
    ) -> None:
        super().__init__(questions, host, port, journal)
        self.folder, self.pages = folder, pages

    # -- from outside --------------------------------------------------------------------------------------------------------------------
    def __enter__(self) -> PollServer:
        self._ready, self._failed = Event(), list[Exception]()
        self._thread = Thread(target=lambda: asyncio.run(self._serve()), daemon=True)
        self._thread.start()
        self._ready.wait()
        if self._failed:
            self.sitting.journal.close(keep=self.goes_on)
            raise self._failed[0]
        return self

    def __exit__(self, error: Any, *_: Any) -> None:
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join()
        voted = any(self.sitting.votes.values())
        self.sitting.journal.close(keep=voted and error is not None and not issubclass(error, KeyboardInterrupt))

    def join(self, page: str, move: str = "") -> None:
        """Let a deck of the folder know its room: a script beside it, and the line by which it is read.

        `move` is the one of `pages` to which phones are led from slides with an explorer, unless a slide says so itself (``data-move``).
        """
        asked = self.sitting.asked.values()
        about = {
            "own": next((one.id for one in asked if one.source), ""),
            "bets": " ".join(one.id for one in asked if one.holds),
            "move": move,
        }
        reveal = '<script src="reveal/dist/reveal.js"></script>'
        told = " ".join(f'data-{name}="{escape(words)}"' for name, words in about.items())
        text = (self.folder / page).read_text(encoding="utf-8")
        (self.folder / page).write_text(text.replace(reveal, f'{reveal}\n<script src="room.js" {told}></script>', 1), encoding="utf-8")
        shutil.copyfile(request_handlers.HERE / "room.js", self.folder / "room.js")

    # -- in the loop ---------------------------------------------------------------------------------------------------------------------
    async def _serve(self) -> None:
        self._loop, self._end = asyncio.get_running_loop(), asyncio.Event()
        servers = []
        try:
            phones = _listening_socket(self.port, self.host)
            self.port = phones.getsockname()[1]
            deck = (
                _listening_socket(self._door, LOCALHOST) if not self._door or _is_port_free(self._door) else _listening_socket(0, LOCALHOST)
            )
            self._door = deck.getsockname()[1]
            if not self.goes_on:
                self.sitting.journal.write({"room": [self.token, self.secret, self.key, self._door]})
            for application, listening, body in (
                (request_handlers.phone_application(self, self.pages), phones, 0),
                (request_handlers.lecturer_application(self, self.folder), deck, MAX_POST_BYTES),  # it tells its times
            ):
                servers.append(HTTPServer(application, max_body_size=body, **LIMITS))
                servers[-1].add_socket(listening)
        except Exception as error:  # whatever it is: who waits for the room must hear of it
            self._failed.append(error)
            return
        finally:
            self._ready.set()
        await self._end.wait()
        for one in [*self.phones, *self.decks]:
            one.close(1001)
        for server in servers:
            server.stop()
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(server.close_all_connections(), 2)


def _listening_socket(port: int, host: str) -> socket.socket:
    with explain_port_errors(host, port):
        family, *_, where = socket.getaddrinfo(LOCALHOST if host == "localhost" else host, port, type=socket.SOCK_STREAM)[0]
        found = socket.create_server(where[:2], family=family, backlog=512)
    found.setblocking(False)
    return found


def _is_port_free(port: int) -> bool:
    with socket.socket() as one:
        return one.connect_ex((LOCALHOST, port)) != 0
