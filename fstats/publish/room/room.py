"""A room in which a deck is shown and phones answer."""

from __future__ import annotations

import asyncio
import shutil
import socket
from collections.abc import Iterable
from contextlib import suppress
from html import escape
from io import BytesIO, StringIO
from ipaddress import ip_address
from pathlib import Path
from secrets import choice, token_urlsafe
from threading import Event, Thread
from typing import IO, Any

from tornado.httpserver import HTTPServer

from . import doors
from .asked import Asked
from .journal import Journal
from .limits import Allowance
from .pictured import HALL, pictured
from .sitting import Sitting

HERE = "127.0.0.1"
LETTERS, MANY = "abcdefghjkmnpqrstuvwxyz23456789", 6  # of the room's token, which is typed on phones: none looks like another
PAUSE = 0.2  # seconds between two pictures
LIMITS: dict[str, Any] = dict(max_header_size=16_384, max_body_size=0, idle_connection_timeout=60, body_timeout=5, max_buffer_size=65_536)


class Room:
    """A deck's folder served to this machine alone, and a page to vote on at `host`, while the context lasts.

    Phones reach the folder `pages`, too, if there is one: live pages, to which the deck's slides may lead them (``data-move``).  The
    journal keeps votes and addresses: a room that was ended by force and is opened again with it goes on.
    """

    def __init__(self, questions: Iterable[Asked], folder: Path, host: str, port: int, journal: Path, pages: Path | None = None) -> None:
        self.folder, self.pages, self.host, self.port = folder, pages, host or HERE, port
        self.sitting = Sitting(questions, Journal(journal))
        kept = next((line["room"] for line in self.sitting.journal.lines if "room" in line), None)
        self.token: str = kept[0] if kept else "".join(choice(LETTERS) for _ in range(MANY))
        self.secret: str = kept[1] if kept else token_urlsafe(24)
        self.key: str = kept[2] if kept else token_urlsafe(32)
        self._door: int = kept[3] if kept else 0
        self.goes_on = kept is not None
        self.phones: dict[doors.PhoneSocket, None] = {}
        self.decks: dict[doors.DeckSocket, None] = {}
        self.requests, self.newcomers, self.messages = Allowance(4000, 200), Allowance(400, 1), Allowance(10, 2)
        self._waits = False

    # -- from outside --------------------------------------------------------------------------------------------------------------------
    def __enter__(self) -> Room:
        self._ready, self._failed = Event(), list[BaseException]()
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
        self.sitting.journal.close(keep=error is not None and not issubclass(error, KeyboardInterrupt))

    @property
    def way(self) -> str:
        """What stands behind the host in the address of phones."""
        return f"/r/{self.token}"

    @property
    def address(self) -> str:
        """Where phones vote."""
        host = address_of_this_machine() if self.host in ("0.0.0.0", "::") else self.host
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}{self.way}"

    @property
    def deck(self) -> str:
        """Where the folder is, for the lecturer alone."""
        return f"http://localhost:{self._door}/{self.secret}/"

    def code(self, terminal: bool = False) -> str:
        """The address to be photographed: as SVG, or in the letters of a terminal."""
        import segno

        code = segno.make(self.address, error="m", micro=False)
        if terminal:
            out = StringIO()
            code.terminal(out, compact=True)
            return out.getvalue()
        drawn = BytesIO()
        code.save(drawn, kind="svg", scale=8, dark="#000", light="#fff", title=f"To vote: {self.address}")
        return drawn.getvalue().decode()

    def join(self, page: str, move: str = "") -> None:
        """Let a deck of the folder know its room: a script beside it, and the line by which it is read.

        `move` is the one of `pages` to which phones are led from slides with an explorer, unless a slide says so itself (``data-move``).
        """
        reveal, own = (
            '<script src="reveal/dist/reveal.js"></script>',
            next((one.id for one in self.sitting.asked.values() if one.source), ""),
        )
        script = f'<script src="room.js" data-own="{escape(own)}" data-move="{escape(move)}"></script>'
        text = (self.folder / page).read_text(encoding="utf-8")
        (self.folder / page).write_text(text.replace(reveal, f"{reveal}\n{script}", 1), encoding="utf-8")
        shutil.copyfile(doors.HERE / "room.js", self.folder / "room.js")

    def save(self, file: IO[str]) -> None:
        """All votes as a table."""
        self.sitting.save(file)

    # -- in the loop ---------------------------------------------------------------------------------------------------------------------
    async def _serve(self) -> None:
        self._loop, self._end = asyncio.get_running_loop(), asyncio.Event()
        servers = []
        try:
            phones = _listening(self.port, self.host)
            self.port = phones.getsockname()[1]
            deck = _listening(self._door, HERE) if not self._door or _is_free(self._door) else _listening(0, HERE)
            self._door = deck.getsockname()[1]
            if not self.goes_on:
                self.sitting.journal.write({"room": [self.token, self.secret, self.key, self._door]})
            for application, listening in (
                (doors.for_phones(self, self.pages), phones),
                (doors.for_the_lecturer(self, self.folder), deck),
            ):
                servers.append(HTTPServer(application, **LIMITS))
                servers[-1].add_socket(listening)
        except OSError as error:
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

    def seen_by_deck(self) -> dict[str, Any]:
        """What the deck draws."""
        sitting = self.sitting
        told: dict[str, Any] = {"address": self.address, "phones": len({one.name for one in self.phones}), "poll": sitting.now}
        if sitting.now:
            asked, votes = sitting.asked[sitting.now], sitting.votes[sitting.now].values()
            told |= {"open": sitting.is_open, "votes": len(votes)}
            answered, numbers = asked.id in sitting.answered, [sent for sent in votes if isinstance(sent, tuple)]
            if asked.choices:
                told |= {"counts": [list(votes).count(k) for k in range(len(asked.choices))], "right": asked.right if answered else None}
            elif asked.source and numbers:
                told["source"] = asked.filled(numbers)
            elif not asked.source:
                told["svg"] = pictured([one for (one,) in numbers], asked.number if answered else None).svg(HALL)
        return told

    def changed(self) -> None:
        """Something that the deck shows: it is drawn anew, now and then."""
        if not self._waits:
            self._waits = True
            self._loop.call_later(PAUSE, self._draw)

    def _draw(self) -> None:
        self._waits = False
        if self.decks:
            told = self.seen_by_deck()
            for one in list(self.decks):
                one.tell(told)

    def turned(self) -> None:
        """Something that everybody sees: another slide."""
        for one in list(self.phones):
            one.tell(self.sitting.seen_by(one.name))
        self._draw()


def _listening(port: int, host: str) -> socket.socket:
    family, *_, where = socket.getaddrinfo(HERE if host == "localhost" else host, port, type=socket.SOCK_STREAM)[0]
    found = socket.create_server(where[:2], family=family, backlog=512)
    found.setblocking(False)
    return found


def _is_free(port: int) -> bool:
    with socket.socket() as one:
        return one.connect_ex((HERE, port)) != 0


def address_of_this_machine() -> str:
    """By which others in its network reach it; nothing is sent to find out."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        try:
            one.connect(("192.0.2.1", 9))  # an address that nobody has
        except OSError:
            return HERE
        return str(ip_address(one.getsockname()[0]))
