"""What all connections of a room share: its addresses, its limits, who is there, and what each of them is told."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Iterable
from io import BytesIO, StringIO
from ipaddress import ip_address
from pathlib import Path
from secrets import choice, token_urlsafe
from typing import IO, Any

from ..browser_python.file_server import LOCALHOST
from .answer_dot_plot import SLIDE_SIZE, answer_dot_plot
from .poll_questions import PollQuestion
from .poll_state import PollState
from .rate_limit import RateLimit
from .vote_journal import VoteJournal

TOKEN_LETTERS, TOKEN_LENGTH = "abcdefghjkmnpqrstuvwxyz23456789", 6  # of the room's token, which is typed on phones: none looks like another
UPDATE_INTERVAL = 0.2  # seconds between two pictures


class PollConnections:
    """A lecture's questions, phones and decks.  The journal keeps votes and addresses."""

    _loop: asyncio.AbstractEventLoop
    note: Callable[[bytes], None] = staticmethod(lambda _: None)  # who wants to know which slide is shown when

    def __init__(self, questions: Iterable[PollQuestion], host: str, port: int, journal: Path) -> None:
        self.host, self.port = host or LOCALHOST, port
        self.sitting = PollState(questions, VoteJournal(journal))
        kept = next((line["room"] for line in self.sitting.journal.lines if "room" in line), None)
        self.token: str = kept[0] if kept else "".join(choice(TOKEN_LETTERS) for _ in range(TOKEN_LENGTH))
        self.secret: str = kept[1] if kept else token_urlsafe(24)
        self.key: str = kept[2] if kept else token_urlsafe(32)
        self._door: int = kept[3] if kept else 0
        self.goes_on = kept is not None
        self.phones: dict[Any, None] = {}  # connections, which have names
        self.decks: dict[Any, None] = {}
        self.requests, self.newcomers, self.messages = RateLimit(4000, 200), RateLimit(400, 1), RateLimit(10, 2)
        self._waits = False

    @property
    def way(self) -> str:
        """What stands behind the host in the address of phones."""
        return f"/r/{self.token}"

    @property
    def address(self) -> str:
        """Where phones vote."""
        host = local_ip_address() if self.host in ("0.0.0.0", "::") else self.host
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

    def save(self, file: IO[str]) -> None:
        """All votes as a table."""
        self.sitting.save(file)

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
                told["svg"] = answer_dot_plot([one for (one,) in numbers], asked.number if answered else None).svg(SLIDE_SIZE)
        return told

    def changed(self) -> None:
        """Something that the deck shows: it is drawn anew, now and then."""
        if not self._waits:
            self._waits = True
            self._loop.call_later(UPDATE_INTERVAL, self._draw)

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


def local_ip_address() -> str:
    """By which others in its network reach it; nothing is sent to find out."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        try:
            one.connect(("192.0.2.1", 9))  # an address that nobody has
        except OSError:
            return LOCALHOST
        return str(ip_address(one.getsockname()[0]))
