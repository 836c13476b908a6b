"""Server of an audience poll: the slide deck for the lecturer, and the voting page for phones."""

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


class PollServer:
    """Context in which the folder of a deck is served to this machine only, and a voting page is served to the network at `host`.

    Phones can also read the folder `pages` of live pages if this folder is given; slides of the deck lead to the live pages
    (``data-move``). `connections` has the addresses, the votes, the phones and the decks. A poll that was ended by force continues when a
    server is opened again with the journal of the poll.
    """

    def __init__(
        self, questions: Iterable[PollQuestion], folder: Path, host: str, port: int, journal: Path, pages: Path | None = None
    ) -> None:
        self.connections = PollConnections(questions, host, port, journal)
        self.folder, self.pages = folder, pages

    # -- called from other threads -------------------------------------------------------------------------------------------------------
    def __enter__(self) -> PollServer:
        self._ready, self._failed = Event(), list[Exception]()
        self._thread = Thread(target=lambda: asyncio.run(self._serve()), daemon=True)
        self._thread.start()
        self._ready.wait()
        if self._failed:
            self.connections.state.journal.close(keep=self.connections.is_resumed)
            raise self._failed[0]
        return self

    def __exit__(self, error: Any, *_: Any) -> None:
        self.connections.loop.call_soon_threadsafe(self._end.set)
        self._thread.join()
        voted = any(self.connections.state.votes.values())
        self.connections.state.journal.close(keep=voted and error is not None and not issubclass(error, KeyboardInterrupt))

    def add_votes_to_deck(self, page: str, move: str = "") -> None:
        """Add the script of the poll to a deck in the folder.

        Slides with an explorer lead phones to the page `move` in `pages`, unless a slide names another page (``data-move``).
        """
        questions = self.connections.state.questions.values()
        about = {
            "own": next((question.id for question in questions if question.source), ""),
            "bets": " ".join(question.id for question in questions if question.is_bet),
            "move": move,
        }
        reveal = '<script src="reveal/dist/reveal.js"></script>'
        attributes = " ".join(f'data-{name}="{escape(value)}"' for name, value in about.items())
        text = (self.folder / page).read_text(encoding="utf-8")
        script = f'{reveal}\n<script src="room.js" {attributes}></script>'
        (self.folder / page).write_text(text.replace(reveal, script, 1), encoding="utf-8")
        shutil.copyfile(request_handlers.HERE / "room.js", self.folder / "room.js")

    # -- called in the event loop --------------------------------------------------------------------------------------------------------
    async def _serve(self) -> None:
        here = self.connections
        here.loop, self._end = asyncio.get_running_loop(), asyncio.Event()
        servers = []
        try:
            phones = _listening_socket(here.port, here.host)
            here.port = phones.getsockname()[1]
            wanted = here.deck_port if here.deck_port and _is_port_free(here.deck_port) else 0
            deck = _listening_socket(wanted, LOCALHOST)
            here.deck_port = deck.getsockname()[1]
            if not here.is_resumed:
                here.state.journal.write({"room": [here.token, here.secret, here.key, here.deck_port]})
            for application, listening, body in (
                (request_handlers.phone_application(here, self.pages), phones, 0),
                # only the slide deck may send POST requests, to report its slides, so the limit of phones is 0 bytes
                (request_handlers.lecturer_application(here, self.folder), deck, MAX_POST_BYTES),
            ):
                servers.append(HTTPServer(application, max_body_size=body, **LIMITS))
                servers[-1].add_socket(listening)
        except Exception as error:  # the thread that waits for the server raises the error
            self._failed.append(error)
            return
        finally:
            self._ready.set()
        await self._end.wait()
        for connection in [*here.phones, *here.decks]:
            connection.close(1001)
        for server in servers:
            server.stop()
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(server.close_all_connections(), 2)


def _listening_socket(port: int, host: str) -> socket.socket:
    with explain_port_errors(host, port):
        family, *_, where = socket.getaddrinfo(LOCALHOST if host == "localhost" else host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.create_server(where[:2], family=family, backlog=512)
    listener.setblocking(False)
    return listener


def _is_port_free(port: int) -> bool:
    with socket.socket() as connection:
        return connection.connect_ex((LOCALHOST, port)) != 0
