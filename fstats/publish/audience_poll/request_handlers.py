"""HTTP request handlers of an audience poll.

One port is for the phones, and another port is for the slide deck on this machine.

Requests for unknown addresses, from other origins or through foreign host names (DNS rebinding) are refused.
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
COOKIE, COOKIE_DAYS = "phone", 0.25  # name of the cookie that identifies a phone, and its lifetime in days
# maximum number of open connections of all phones, of one network address, and of one phone
MAX_PHONES, MAX_PER_ADDRESS, MAX_PER_PHONE = 700, 400, 3
MAX_REFUSED = 20  # number of refused messages after which a connection is closed
MAX_MESSAGE_BYTES = 1024


def csp_hash(text: str) -> str:
    """Return the hash with which a Content-Security-Policy allows a script or style in a page."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


_STYLE, _SCRIPT = ((HERE / name).read_text(encoding="utf-8") for name in ("phone.css", "phone.js"))
VOTING_PAGE = (HERE / "phone.html").read_text(encoding="utf-8").replace("{style}", _STYLE).replace("{script}", _SCRIPT)
DENY_ALL_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
# A voting page runs only its own script and connects only to this server.
VOTING_PAGE_POLICY = (
    f"{DENY_ALL_POLICY}; script-src {csp_hash(_SCRIPT)}; style-src {csp_hash(_STYLE)}; img-src data:; connect-src 'self' ws://{{host}}"
)
PAGES_POLICY = (
    "default-src 'self' 'unsafe-inline' 'wasm-unsafe-eval' data: blob:; connect-src 'self' blob: ws://{host}; "
    "base-uri 'self'; form-action 'none'; frame-ancestors 'self'"
)


def is_local_host(host: str, name: str) -> bool:
    """Return whether a host name belongs to this machine, and is not a foreign name that leads to this machine (DNS rebinding).

    >>> is_local_host("192.168.0.7:8000", "hall"), is_local_host("hall:8000", "hall"), is_local_host("evil.example:8000", "hall")
    (True, True, False)
    >>> is_local_host("", "hall")
    False
    """
    try:
        parts = urlsplit(f"//{host}")
        hostname = parts.hostname if parts.port != 0 else ""  # reading `port` raises a ValueError if the port is not a number
        return hostname in (name, "localhost") or bool(ip_address(hostname or ""))
    except ValueError:
        return False


class SecureHandler(RequestHandler):
    """Base class of all handlers: security headers, host check and rate limit."""

    policy = DENY_ALL_POLICY

    @property
    def connections(self) -> PollConnections:
        """Connections of the poll."""
        connections: PollConnections = self.settings["connections"]
        return connections

    def set_default_headers(self) -> None:
        """Set headers against framing, content sniffing and referrers."""
        self.clear_header("Server")
        host = self.request.host if is_local_host(self.request.host, self.connections.host) else "localhost"
        self.set_header("Content-Security-Policy", self.policy.format(host=host))
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("Referrer-Policy", "no-referrer")
        self.set_header("Cross-Origin-Resource-Policy", "same-origin")

    def prepare(self) -> None:
        """Refuse foreign hosts and too many requests."""
        if not is_local_host(self.request.host, self.connections.host):
            raise HTTPError(403)
        if not self.connections.requests.spend(self.request.remote_ip or ""):
            raise HTTPError(429)

    def write_error(self, status_code: int, **_: Any) -> None:
        """Send only the status code, without details of the server."""
        self.finish(f"{status_code}\n")

    def phone(self) -> str:
        """Return the name of the phone from its cookie; "" for a new phone."""
        return (self.get_signed_cookie(COOKIE, max_age_days=COOKIE_DAYS) or b"").decode()


class NotFoundHandler(SecureHandler):
    """Handler of all addresses without another handler."""

    def prepare(self) -> None:
        """Reply with status 404."""
        raise HTTPError(404)


class VotingPageHandler(SecureHandler):
    """Handler of the voting page."""

    policy = VOTING_PAGE_POLICY

    def get(self) -> None:
        """Send the voting page; a new phone gets a random name."""
        if not self.phone():
            if not self.connections.newcomers.spend(self.request.remote_ip or ""):
                raise HTTPError(429)
            limits: dict[str, Any] = {"httponly": True, "samesite": "Strict", "path": self.connections.phone_path}
            self.set_signed_cookie(COOKIE, token_hex(8), expires_days=COOKIE_DAYS, **limits)
        self.set_header("Cache-Control", "no-store")
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.finish(VOTING_PAGE)


class FolderHandler(SecureHandler, StaticFileHandler):
    """Handler of the files of a folder: the deck for the lecturer, or live pages for phones."""

    policy = PAGES_POLICY

    def get_content_type(self) -> str:
        """Return the MIME type; scripts are JavaScript even if this machine is configured otherwise."""
        return "text/javascript" if str(self.absolute_path).endswith(".js") else super().get_content_type()


class QrCodeHandler(SecureHandler):
    """Handler of the QR code with the voting address, which the deck shows."""

    def get(self) -> None:
        """Send the QR code as a picture."""
        self.set_header("Content-Type", "image/svg+xml")
        self.finish(self.connections.qr_code())


class SlideTimesHandler(SecureHandler):
    """Handler to which the deck reports its slides, to measure the duration of the lecture."""

    def post(self) -> None:
        """Log the slide that the deck shows now."""
        try:
            self.connections.record_slide(self.request.body)
        except ValueError:
            raise HTTPError(400) from None
        self.set_status(204)


class SecureWebSocket(SecureHandler, WebSocketHandler):
    """Base class of the WebSocket handlers."""

    def prepare(self) -> None:
        """Refuse pages of other origins; browsers send the origin of the page."""
        super().prepare()
        # tornado has a similar check, but it is weaker and differs between its versions
        if self.request.headers.get("Origin") != f"http://{self.request.host}":
            raise HTTPError(403)

    def send_json(self, message: Any) -> None:
        """Send a message; do nothing if the connection is closed."""
        with suppress(WebSocketClosedError):
            self.write_message(json.dumps(message)).add_done_callback(lambda done: done.cancelled() or done.exception())


class PhoneWebSocket(SecureWebSocket):
    """Connection of a voting phone."""

    name, refused_count = "", 0

    def prepare(self) -> None:
        """Refuse phones without cookie, and connections above the limits."""
        super().prepare()
        self.name = self.phone()
        addresses = [phone.request.remote_ip for phone in self.connections.phones]
        if not self.name or len(addresses) >= MAX_PHONES or addresses.count(self.request.remote_ip) >= MAX_PER_ADDRESS:
            raise HTTPError(403)

    def open(self, *_: str, **__: str) -> None:
        """Send the current question; close the oldest connections of the same phone above the limit."""
        earlier = [phone for phone in self.connections.phones if phone.name == self.name]
        for old in earlier[: max(0, len(earlier) - MAX_PER_PHONE + 1)]:
            old.close(1000)
            self.connections.phones.pop(old, None)
        self.connections.phones[self] = None
        self.send_json(self.connections.state.phone_view(self.name))
        self.connections.schedule_update()

    def on_message(self, message: str | bytes) -> None:
        """Record or refuse a vote."""
        try:
            if not self.connections.messages.spend(self.name):
                raise VoteTooFast("the votes came too fast. Wait a second.")
            reply = self.connections.state.vote(self.name, message)
        except VoteRefused as error:
            self.refused_count += 1
            self.send_json({"refused": str(error)} | ({"again": True} if isinstance(error, VoteTooFast) else {}))
            if self.refused_count >= MAX_REFUSED:
                self.close(1008)
        else:
            self.send_json(reply)
            self.connections.schedule_update()

    def on_close(self) -> None:
        """Remove the connection; the phone may connect again."""
        self.connections.phones.pop(self, None)
        self.connections.schedule_update()


class DeckWebSocket(SecureWebSocket):
    """Connection of the lecturer's deck, which sends its slides and receives the votes."""

    has_sent_slide = False  # True if this connection has reported a slide; a speaker view never reports slides

    def open(self, *_: str, **__: str) -> None:
        """Send the current state of the poll to the deck."""
        self.connections.decks[self] = None
        self.send_json(self.connections.deck_view())

    def on_message(self, message: str | bytes) -> None:
        """Handle the message that the deck shows another slide."""
        try:
            self.connections.state.show_slide(json.loads(message))
        except ValueError as error:
            self.send_json({"refused": str(error)})
        else:
            self.has_sent_slide = True
            self.connections.update_all()

    def on_close(self) -> None:
        """Close the question if no connected deck has sent a slide."""
        self.connections.decks.pop(self, None)
        if self.has_sent_slide and not any(deck.has_sent_slide for deck in self.connections.decks):
            self.connections.state.show_slide({"show": "", "vote": False, "answer": False, "move": ""})
            self.connections.update_all()


def phone_application(connections: PollConnections, pages: Path | None) -> Application:
    """Return the web application for phones."""
    routes: list[Any] = [(f"{connections.phone_path}/?", VotingPageHandler), (f"{connections.phone_path}/vote", PhoneWebSocket)]
    lesson_pages = (f"{connections.phone_path}/pages/(.*)", FolderHandler, {"path": str(pages)})
    return _application(connections, routes + [lesson_pages] * (pages is not None))


def lecturer_application(connections: PollConnections, folder: Path) -> Application:
    """Return the web application for the lecturer on this machine; its addresses contain a secret."""
    base = f"/{connections.secret}"
    routes: list[Any] = [(f"{base}/room", DeckWebSocket), (f"{base}/room.svg", QrCodeHandler), (f"{base}/{TIMES_PATH}", SlideTimesHandler)]
    return _application(connections, [*routes, (f"{base}/(.*)", FolderHandler, {"path": str(folder)})])


def _application(connections: PollConnections, routes: Any) -> Application:
    return Application(
        routes,
        default_handler_class=NotFoundHandler,
        connections=connections,
        cookie_secret=connections.key,
        log_function=lambda _: None,  # requests are not logged, for privacy
        websocket_max_message_size=MAX_MESSAGE_BYTES,
        websocket_ping_interval=20,
        websocket_ping_timeout=20,
    )
