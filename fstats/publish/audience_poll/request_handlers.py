"""The two doors of a room: one for phones, on which there is a page to vote and nothing else, one for the lecturer on this machine alone.

Whatever a page asks for, an address that is not known, another origin, a name that leads here by somebody else's design, gets nothing.
"""

from __future__ import annotations

import json
from base64 import b64encode
from contextlib import suppress
from hashlib import sha256
from ipaddress import ip_address
from pathlib import Path
from secrets import token_hex
from typing import Any
from urllib.parse import urlsplit

from tornado.web import Application, HTTPError, RequestHandler, StaticFileHandler
from tornado.websocket import WebSocketClosedError, WebSocketHandler

from ..lecture_timing import WAY
from .poll_connections import Gathering
from .poll_state import Refused, TooFast

HERE = Path(__file__).parent
COOKIE, DAYS = "phone", 0.25  # what tells one phone from another, and how long
PHONES, AN_ADDRESS, OF_ONE = 700, 400, 3  # open connections: of all, of an address, of a phone
WRONG = 20  # refused messages, after which a connection is ended
BYTES = 1024  # of a message


def hashed(text: str) -> str:
    """How a Content-Security-Policy names a script or a style in a page."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


_STYLE, _SCRIPT = ((HERE / name).read_text(encoding="utf-8") for name in ("phone.css", "phone.js"))
PHONE = (HERE / "phone.html").read_text(encoding="utf-8").replace("{style}", _STYLE).replace("{script}", _SCRIPT)
NOTHING = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
# A phone's page runs its one script and reaches this door; a deck and a live page run what they bring, and reach where they come from.
OF_PHONE = f"{NOTHING}; script-src {hashed(_SCRIPT)}; style-src {hashed(_STYLE)}; img-src data:; connect-src 'self' ws://{{host}}"
OF_PAGES = (
    "default-src 'self' 'unsafe-inline' 'wasm-unsafe-eval' data: blob:; connect-src 'self' blob: ws://{host}; "
    "base-uri 'self'; form-action 'none'; frame-ancestors 'self'"
)


def is_ours(host: str, name: str) -> bool:
    """Whether an address means this machine and not a name that leads here by somebody else's design.

    >>> is_ours("192.168.0.7:8000", "hall"), is_ours("hall:8000", "hall"), is_ours("evil.example:8000", "hall"), is_ours("", "hall")
    (True, True, False, False)
    """
    try:
        where = urlsplit(f"//{host}")
        said = where.hostname if where.port != 0 else ""  # a port that is no number is an error
        return said in (name, "localhost") or bool(ip_address(said or ""))
    except ValueError:
        return False


class Guarded(RequestHandler):
    """What holds for all that is served."""

    policy = NOTHING

    @property
    def room(self) -> Gathering:
        """Which it is."""
        found: Gathering = self.settings["room"]
        return found

    def set_default_headers(self) -> None:
        """Nobody frames it, guesses at types, or is told where a link came from."""
        self.clear_header("Server")
        host = self.request.host if is_ours(self.request.host, self.room.host) else "localhost"
        self.set_header("Content-Security-Policy", self.policy.format(host=host))
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("Referrer-Policy", "no-referrer")
        self.set_header("Cross-Origin-Resource-Policy", "same-origin")

    def prepare(self) -> None:
        """Only what asks here, and not too often."""
        if not is_ours(self.request.host, self.room.host):
            raise HTTPError(403)
        if not self.room.requests.spend(self.request.remote_ip or ""):
            raise HTTPError(429)

    def write_error(self, status_code: int, **_: Any) -> None:
        """A number, and nothing of how this works."""
        self.finish(f"{status_code}\n")

    def phone(self) -> str:
        """Which phone it is, by the cookie that this room has given it; empty for one that is new."""
        return (self.get_signed_cookie(COOKIE, max_age_days=DAYS) or b"").decode()


class Nowhere(Guarded):
    """Any other address."""

    def prepare(self) -> None:
        """There is nothing here."""
        raise HTTPError(404)


class PhonePage(Guarded):
    """The page on which a phone votes."""

    policy = OF_PHONE

    def get(self) -> None:
        """The page; a phone that is new gets a number drawn at random."""
        if not self.phone():
            if not self.room.newcomers.spend(self.request.remote_ip or ""):
                raise HTTPError(429)
            self.set_signed_cookie(COOKIE, token_hex(8), expires_days=DAYS, httponly=True, samesite="Strict", path=self.room.way)
        self.set_header("Cache-Control", "no-store")
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.finish(PHONE)


class Pages(Guarded, StaticFileHandler):
    """A folder of files: the deck for the lecturer, live pages for phones."""

    policy = OF_PAGES

    def get_content_type(self) -> str:
        """Scripts are scripts, whatever this machine holds them for."""
        return "text/javascript" if str(self.absolute_path).endswith(".js") else super().get_content_type()


class Code(Guarded):
    """The room's address as a picture, for the deck."""

    def get(self) -> None:
        """The picture."""
        self.set_header("Content-Type", "image/svg+xml")
        self.finish(self.room.code())


class Times(Guarded):
    """What the deck shows when, for who wants to know how long a lecture took."""

    def post(self) -> None:
        """Note it."""
        try:
            self.room.note(self.request.body)
        except ValueError:
            raise HTTPError(400) from None
        self.set_status(204)


class Socket(Guarded, WebSocketHandler):
    """A connection that stays."""

    def prepare(self) -> None:
        """From a page of this door: a browser says where the page comes from that opens it."""
        super().prepare()
        if self.request.headers.get("Origin") != f"http://{self.request.host}":  # tornado asks less of it, each version something else
            raise HTTPError(403)

    def tell(self, what: Any) -> None:
        """Send it, if somebody is there."""
        with suppress(WebSocketClosedError):
            self.write_message(json.dumps(what)).add_done_callback(lambda done: done.cancelled() or done.exception())


class PhoneSocket(Socket):
    """A phone that votes."""

    name, wrong = "", 0

    def prepare(self) -> None:
        """Only with the cookie, and only where there is room."""
        super().prepare()
        self.name = self.phone()
        here = [one.request.remote_ip for one in self.room.phones]
        if not self.name or len(here) >= PHONES or here.count(self.request.remote_ip) >= AN_ADDRESS:
            raise HTTPError(403)

    def open(self, *_: str, **__: str) -> None:
        """What is asked now."""
        mine = [one for one in self.room.phones if one.name == self.name]
        for old in mine[: max(0, len(mine) - OF_ONE + 1)]:
            old.close(1000)
            self.room.phones.pop(old, None)
        self.room.phones[self] = None
        self.tell(self.room.sitting.seen_by(self.name))
        self.room.changed()

    def on_message(self, message: str | bytes) -> None:
        """A vote, or nothing."""
        try:
            if not self.room.messages.spend(self.name):
                raise TooFast("that was too fast: wait a second")
            taken = self.room.sitting.vote(self.name, message)
        except Refused as error:
            self.wrong += 1
            self.tell({"refused": str(error)} | ({"again": True} if isinstance(error, TooFast) else {}))
            if self.wrong >= WRONG:
                self.close(1008)
        else:
            self.tell(taken)
            self.room.changed()

    def on_close(self) -> None:
        """It went away, and may come back."""
        self.room.phones.pop(self, None)
        self.room.changed()


class DeckSocket(Socket):
    """The lecturer's deck: it tells what it shows, and is told the votes."""

    leads = False  # whether it has told anything, as a speaker's window does not

    def open(self, *_: str, **__: str) -> None:
        """What there is."""
        self.room.decks[self] = None
        self.tell(self.room.seen_by_deck())

    def on_message(self, message: str | bytes) -> None:
        """Another slide."""
        try:
            self.room.sitting.show(json.loads(message))
        except ValueError as error:
            self.tell({"refused": str(error)})
        else:
            self.leads = True
            self.room.turned()

    def on_close(self) -> None:
        """Where no deck is, nothing is asked."""
        self.room.decks.pop(self, None)
        if self.leads and not any(one.leads for one in self.room.decks):
            self.room.sitting.show({"show": "", "vote": False, "answer": False, "move": ""})
            self.room.turned()


def for_phones(room: Gathering, pages: Path | None) -> Application:
    """What phones reach."""
    ways: list[Any] = [(f"{room.way}/?", PhonePage), (f"{room.way}/vote", PhoneSocket)]
    return _application(room, ways + [(f"{room.way}/pages/(.*)", Pages, {"path": str(pages)})] * (pages is not None))


def for_the_lecturer(room: Gathering, folder: Path) -> Application:
    """What only this machine reaches, and only who knows the secret."""
    here = f"/{room.secret}"
    return _application(
        room,
        [
            (f"{here}/room", DeckSocket),
            (f"{here}/room.svg", Code),
            (f"{here}/{WAY}", Times),
            (f"{here}/(.*)", Pages, {"path": str(folder)}),
        ],
    )


def _application(room: Gathering, ways: Any) -> Application:
    return Application(
        ways,
        default_handler_class=Nowhere,
        room=room,
        cookie_secret=room.key,
        log_function=lambda _: None,  # nobody keeps who asked for what
        websocket_max_message_size=BYTES,
        websocket_ping_interval=20,
        websocket_ping_timeout=20,
    )
