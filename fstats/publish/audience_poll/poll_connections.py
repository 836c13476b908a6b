"""Network connections of an audience poll: limits, connected phones and slide decks, and their messages."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Iterable
from io import BytesIO, StringIO
from ipaddress import ip_address
from pathlib import Path
from secrets import choice, token_urlsafe
from typing import Any

from ..browser_python.file_server import LOCALHOST
from .answer_dot_plot import SLIDE_SIZE, answer_dot_plot
from .poll_questions import PollQuestion
from .poll_state import PollState
from .rate_limit import RateLimit
from .vote_journal import VoteJournal

# The audience types the token of a poll on phones, so no two of these letters look alike.
TOKEN_LETTERS, TOKEN_LENGTH = ("abcdefghjkmnpqrstuvwxyz23456789", 6)
UPDATE_INTERVAL = 0.2  # seconds between two updates of the slide decks


class PollConnections:
    """Questions, phones and decks of a lecture. The journal stores the votes and the addresses of the poll."""

    loop: asyncio.AbstractEventLoop
    record_slide: Callable[[bytes], None] = staticmethod(lambda _: None)  # function that logs which slide the lecturer shows

    def __init__(self, questions: Iterable[PollQuestion], host: str, port: int, journal: Path) -> None:
        self.host, self.port = host or LOCALHOST, port
        self.state = PollState(questions, VoteJournal(journal))
        stored = next((line["room"] for line in self.state.journal.lines if "room" in line), None)
        self.token: str = stored[0] if stored else "".join(choice(TOKEN_LETTERS) for _ in range(TOKEN_LENGTH))
        self.secret: str = stored[1] if stored else token_urlsafe(24)
        self.key: str = stored[2] if stored else token_urlsafe(32)
        self.deck_port: int = stored[3] if stored else 0
        self.is_resumed = stored is not None
        self.phones: dict[Any, None] = {}  # connections of phones in the order in which they were opened
        self.decks: dict[Any, None] = {}
        self.requests, self.newcomers, self.messages = RateLimit(4000, 200), RateLimit(400, 1), RateLimit(10, 2)
        self._update_scheduled = False

    @property
    def phone_path(self) -> str:
        """Path of the voting page."""
        return f"/r/{self.token}"

    @property
    def phone_url(self) -> str:
        """Address of the voting page."""
        host = local_ip_address() if self.host in ("0.0.0.0", "::") else self.host
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}{self.phone_path}"

    @property
    def deck_url(self) -> str:
        """Address of the deck's folder, which only the lecturer knows."""
        return f"http://localhost:{self.deck_port}/{self.secret}/"

    def qr_code(self, terminal: bool = False) -> str:
        """Return the voting address as a QR code: as SVG, or as text for a terminal."""
        import segno

        code = segno.make(self.phone_url, error="m", micro=False)
        if terminal:
            out = StringIO()
            code.terminal(out, compact=True)
            return out.getvalue()
        drawn = BytesIO()
        code.save(drawn, kind="svg", scale=8, dark="#000", light="#fff", title=f"To vote: {self.phone_url}")
        return drawn.getvalue().decode()

    def deck_view(self) -> dict[str, Any]:
        """Return the state that the deck shows."""
        state = self.state
        view: dict[str, Any] = {"address": self.phone_url, "phones": len({one.name for one in self.phones}), "poll": state.current}
        if state.current:
            asked, votes = state.questions[state.current], state.votes[state.current].values()
            view |= {"open": state.is_open, "votes": len(votes)}
            answered, numbers = asked.id in state.answered, [sent for sent in votes if isinstance(sent, tuple)]
            if asked.choices:
                view |= {"counts": [list(votes).count(k) for k in range(len(asked.choices))], "right": asked.right if answered else None}
            elif asked.source and numbers:
                view["source"] = asked.fill_source(numbers)
            elif not asked.source:
                view["svg"] = answer_dot_plot([one for (one,) in numbers], asked.number if answered else None).svg(SLIDE_SIZE)
        return view

    def schedule_update(self) -> None:
        """Update the decks soon, but at most once in each interval."""
        if not self._update_scheduled:
            self._update_scheduled = True
            self.loop.call_later(UPDATE_INTERVAL, self._update_decks)

    def _update_decks(self) -> None:
        self._update_scheduled = False
        if self.decks:
            view = self.deck_view()
            for deck in list(self.decks):
                deck.send_json(view)

    def update_all(self) -> None:
        """Send the current state to all phones and decks, because the deck shows another slide."""
        for phone in list(self.phones):
            phone.send_json(self.state.phone_view(phone.name))
        self._update_decks()


def local_ip_address() -> str:
    """Return the address of this machine in its network; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as connection:
        try:
            # connecting a UDP socket sends nothing; the address is reserved for documentation, and any address would do
            connection.connect(("192.0.2.1", 9))
        except OSError:
            return LOCALHOST
        return str(ip_address(connection.getsockname()[0]))
