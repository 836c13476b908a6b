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

from ..lecture_timing import TIMES_PATH
from .poll_connections import PollConnections
from .poll_state import VoteRefused, VoteTooFast

HERE = Path(__file__).parent
COOKIE, COOKIE_DAYS = "phone", 0.25  # what tells one phone from another, and how long
MAX_PHONES, MAX_PER_ADDRESS, MAX_PER_PHONE = 700, 400, 3  # open connections: of all, of an address, of a phone
MAX_REFUSED = 20  # refused messages, after which a connection is ended
MAX_MESSAGE_BYTES = 1024  # of a message


def csp_hash(text: str) -> str:
    """How a Content-Security-Policy names a script or a style in a page."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


_STYLE, _SCRIPT = ((HERE / name).read_text(encoding="utf-8") for name in ("phone.css", "phone.js"))
VOTING_PAGE = (HERE / "phone.html").read_text(encoding="utf-8").replace("{style}", _STYLE).replace("{script}", _SCRIPT)
DENY_ALL_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
# A phone's page runs its one script and reaches this door; a deck and a live page run what they bring, and reach where they come from.
VOTING_PAGE_POLICY = (
    f"{DENY_ALL_POLICY}; script-src {csp_hash(_SCRIPT)}; style-src {csp_hash(_STYLE)}; img-src data:; connect-src 'self' ws://{{host}}"
)
PAGES_POLICY = (
    "default-src 'self' 'unsafe-inline' 'wasm-unsafe-eval' data: blob:; connect-src 'self' blob: ws://{host}; "
    "base-uri 'self'; form-action 'none'; frame-ancestors 'self'"
)


def is_local_host(host: str, name: str) -> bool:
    """Whether an address means this machine and not a name that leads here by somebody else's design.

    >>> is_local_host("192.168.0.7:8000", "hall"), is_local_host("hall:8000", "hall"), is_local_host("evil.example:8000", "hall"), is_local_host("", "hall")
    (True, True, False, False)
    """
    try:
        where = urlsplit(f"//{host}")
        said = where.hostname if where.port != 0 else ""  # a port that is no number is an error
        return said in (name, "localhost") or bool(ip_address(said or ""))
    except ValueError:
        return False


class SecureHandler(RequestHandler):
    """What holds for all that is served."""

    policy = DENY_ALL_POLICY

    @property
    def room(self) -> PollConnections:
        """Which it is."""
        found: PollConnections = self.settings["room"]
        return found

    def set_default_headers(self) -> None:
        """Nobody frames it, guesses at types, or is told where a link came from."""
        self.clear_header("Server")
        host = self.request.host if is_local_host(self.request.host, self.room.host) else "localhost"
        self.set_header("Content-Security-Policy", self.policy.format(host=host))
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("Referrer-Policy", "no-referrer")
        self.set_header("Cross-Origin-Resource-Policy", "same-origin")

    def prepare(self) -> None:
        """Only what asks here, and not too often."""
        if not is_local_host(self.request.host, self.room.host):
            raise HTTPError(403)
        if not self.room.requests.spend(self.request.remote_ip or ""):
            raise HTTPError(429)

    def write_error(self, status_code: int, **_: Any) -> None:
        """A number, and nothing of how this works."""
        self.finish(f"{status_code}\n")

    def phone(self) -> str:
        """Which phone it is, by the cookie that this room has given it; empty for one that is new."""
        return (self.get_signed_cookie(COOKIE, max_age_days=COOKIE_DAYS) or b"").decode()


class NotFoundHandler(SecureHandler):
    """Any other address."""

    def prepare(self) -> None:
        """There is nothing here."""
        raise HTTPError(404)


class VotingPageHandler(SecureHandler):
    """The page on which a phone votes."""

    policy = VOTING_PAGE_POLICY

    def get(self) -> None:
        """The page; a phone that is new gets a number drawn at random."""
        if not self.phone():
            if not self.room.newcomers.spend(self.request.remote_ip or ""):
                raise HTTPError(429)
            self.set_signed_cookie(COOKIE, token_hex(8), expires_days=COOKIE_DAYS, httponly=True, samesite="Strict", path=self.room.way)
        self.set_header("Cache-Control", "no-store")
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.finish(VOTING_PAGE)


class FolderHandler(SecureHandler, StaticFileHandler):
    """A folder of files: the deck for the lecturer, live pages for phones."""

    policy = PAGES_POLICY

    def get_content_type(self) -> str:
        """Scripts are scripts, whatever this machine holds them for."""
        return "text/javascript" if str(self.absolute_path).endswith(".js") else super().get_content_type()


class QrCodeHandler(SecureHandler):
    """The room's address as a picture, for the deck."""

    def get(self) -> None:
        """The picture."""
        self.set_header("Content-Type", "image/svg+xml")
        self.finish(self.room.code())


class SlideTimesHandler(SecureHandler):
    """What the deck shows when, for who wants to know how long a lecture took."""

    def post(self) -> None:
        """Note it."""
        try:
            self.room.note(self.request.body)
        except ValueError:
            raise HTTPError(400) from None
        self.set_status(204)


class SecureWebSocket(SecureHandler, WebSocketHandler):
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


class PhoneWebSocket(SecureWebSocket):
    """A phone that votes."""

    name, wrong = "", 0

    def prepare(self) -> None:
        """Only with the cookie, and only where there is room."""
        super().prepare()
        self.name = self.phone()
        here = [one.request.remote_ip for one in self.room.phones]
        if not self.name or len(here) >= MAX_PHONES or here.count(self.request.remote_ip) >= MAX_PER_ADDRESS:
            raise HTTPError(403)

    def open(self, *_: str, **__: str) -> None:
        """What is asked now."""
        mine = [one for one in self.room.phones if one.name == self.name]
        for old in mine[: max(0, len(mine) - MAX_PER_PHONE + 1)]:
            old.close(1000)
            self.room.phones.pop(old, None)
        self.room.phones[self] = None
        self.tell(self.room.sitting.seen_by(self.name))
        self.room.changed()

    def on_message(self, message: str | bytes) -> None:
        """A vote, or nothing."""
        try:
            if not self.room.messages.spend(self.name):
                raise VoteTooFast("that was too fast: wait a second")
            taken = self.room.sitting.vote(self.name, message)
        except VoteRefused as error:
            self.wrong += 1
            self.tell({"refused": str(error)} | ({"again": True} if isinstance(error, VoteTooFast) else {}))
            if self.wrong >= MAX_REFUSED:
                self.close(1008)
        else:
            self.tell(taken)
            self.room.changed()

    def on_close(self) -> None:
        """It went away, and may come back."""
        self.room.phones.pop(self, None)
        self.room.changed()


class DeckWebSocket(SecureWebSocket):
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


def phone_application(room: PollConnections, pages: Path | None) -> Application:
    """What phones reach."""
    ways: list[Any] = [(f"{room.way}/?", VotingPageHandler), (f"{room.way}/vote", PhoneWebSocket)]
    return _application(room, ways + [(f"{room.way}/pages/(.*)", FolderHandler, {"path": str(pages)})] * (pages is not None))


def lecturer_application(room: PollConnections, folder: Path) -> Application:
    """What only this machine reaches, and only who knows the secret."""
    here = f"/{room.secret}"
    return _application(
        room,
        [
            (f"{here}/room", DeckWebSocket),
            (f"{here}/room.svg", QrCodeHandler),
            (f"{here}/{TIMES_PATH}", SlideTimesHandler),
            (f"{here}/(.*)", FolderHandler, {"path": str(folder)}),
        ],
    )


def _application(room: PollConnections, ways: Any) -> Application:
    return Application(
        ways,
        default_handler_class=NotFoundHandler,
        room=room,
        cookie_secret=room.key,
        log_function=lambda _: None,  # nobody keeps who asked for what
        websocket_max_message_size=MAX_MESSAGE_BYTES,
        websocket_ping_interval=20,
        websocket_ping_timeout=20,
    )
