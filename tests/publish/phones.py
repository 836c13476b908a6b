"""Phones and decks for tests of a room, and rooms to try them on: in this process, and as the command that a lecturer types."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from time import perf_counter
from typing import Any, ClassVar, TypeVar
from urllib.parse import urlsplit

import nbformat
from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.websocket import WebSocketClientConnection, WebSocketClosedError, websocket_connect

Found = TypeVar("Found")
PATIENCE = 20  # seconds for one answer, on a slow machine
CHOICES = """**Ask the room.** *p is 73 %. What does that say?*

* $H_0$ is true with probability 73 %
* of 100 such experiments [73](x.ipynb) would differ as much"""
WHY = """<details><summary>Answer</summary>

* wrong: the secret reason
* **right**: as $p$ is computed

</details>"""
BET = "**The bet.** How many of 200 tests reject?"
NUMBER = "<details><summary>Answer</summary>\n\n**14**: the curve says so\n\n</details>"
OWN = "ours = [81, 77, 90, 68]\nyours = apply_test(PairedT, ours, [79, 78,\n  86, 66])"


def lesson(folder: Path) -> Path:
    """A notebook with a poll, a bet and a cell for the room's own numbers."""

    def words(source: str, id: str, *tags: str) -> Any:
        return nbformat.v4.new_markdown_cell(source, id=id, metadata={"tags": list(tags), "slideshow": {"slide_type": "slide"}})

    cells = [words("# Of luck\n\n$p$", "title"), words(CHOICES, "poll", "poll"), words(WHY, "why", "answers")]
    cells += [words(BET, "bet", "poll"), words(NUMBER, "number", "answers"), nbformat.v4.new_markdown_cell("Now look.", id="few")]
    cells += [words("## Your own numbers", "head"), nbformat.v4.new_code_cell(OWN, id="own")]
    path = folder / "01_luck.ipynb"
    path.write_text(nbformat.writes(nbformat.v4.new_notebook(cells=cells)), encoding="utf-8")
    return path


def play(scene: Coroutine[Any, Any, Found]) -> Found:
    """What happens in a room; in the end all go away who are still there."""

    async def to_the_end() -> Found:
        try:
            return await scene
        finally:
            for one in Caller.here:
                await one.leave()
            Caller.here.clear()
            await asyncio.sleep(0)

    return asyncio.run(to_the_end())


class Caller:
    """Whoever speaks to a room over a connection that stays."""

    here: ClassVar[list[Caller]] = []

    def __init__(self, connection: WebSocketClientConnection) -> None:
        self.connection, self.ended = connection, False
        self.here.append(self)

    @classmethod
    async def at(cls, address: str, **headers: str) -> Caller:
        """Connected to an address, as a page of that address would be, unless the headers say otherwise."""
        to = urlsplit(address)
        request = HTTPRequest(address.replace("http:", "ws:", 1), headers={"Origin": f"http://{to.netloc}", **headers})
        return cls(await asyncio.wait_for(websocket_connect(request), PATIENCE))

    async def hear(self) -> Any:
        """The next news; None if the connection has ended."""
        said = await asyncio.wait_for(self.connection.read_message(), PATIENCE)
        self.ended = said is None
        return None if said is None else json.loads(said)

    async def say(self, message: Any) -> Any:
        """Say something (bytes and words as they are), and hear what comes back."""
        words = message if isinstance(message, (str, bytes)) else json.dumps(message)
        with suppress(WebSocketClosedError):
            await self.connection.write_message(words, binary=isinstance(message, bytes))
        return await self.hear()

    async def leave(self) -> None:
        """Go away."""
        self.connection.close()
        while not self.ended:
            await self.hear()


async def cookie_of(page: str) -> str:
    """What the page of a room gives a new phone."""
    client = AsyncHTTPClient(force_instance=True)
    answer = await client.fetch(page, request_timeout=PATIENCE)
    client.close()
    return answer.headers["Set-Cookie"].partition(";")[0]


async def phone(page: str, cookie: str = "") -> Caller:
    """A phone that has opened the page of a room, or comes back with what it was given; what it hears first is not heard yet."""
    return await Caller.at(f"{page}/vote", Cookie=cookie or await cookie_of(page))


async def deck(address: str) -> Caller:
    """A deck in its folder, which has heard how things stand."""
    found = await Caller.at(f"{address}room")
    await found.hear()
    return found


async def shows(leads: Caller, poll: str, answer: bool = False, move: str = "", vote: bool = True) -> None:
    """A deck turns to a slide, and hears that the room knows."""
    news = await leads.say({"show": poll, "vote": vote, "answer": answer, "move": move})
    while news["poll"] != poll:
        news = await leads.hear()


async def votes_of(page: str, folder: str, phones: int, seconds: float, rng: random.Random) -> tuple[list[int], list[float]]:
    """So many phones vote at any time within these seconds: what each was told in the end, and how long each waited for it."""
    leads = await deck(folder)
    await shows(leads, "poll")
    asked = [rng.randrange(2) for _ in range(phones)]
    taken, waited = [-1] * phones, [0.0] * phones

    async def votes(k: int) -> None:
        await asyncio.sleep(rng.random() * seconds)
        one = await phone(page)
        await one.hear()
        start = perf_counter()
        told = await one.say({"poll": "poll", "choice": asked[k]})
        taken[k], waited[k] = told.get("mine", -1), perf_counter() - start
        await one.leave()

    await asyncio.gather(*(votes(k) for k in range(phones)))
    await leads.leave()
    assert taken == asked
    return taken, waited


def percentile(waited: Sequence[float], share: float = 0.95) -> float:
    """How long all but a few waited."""
    return sorted(waited)[int(share * (len(waited) - 1))]


@contextmanager
def lecture(notebook: Path, own: Path, *more: str, port: int = 0) -> Iterator[tuple[subprocess.Popen[str], str, str]]:
    """The command of a lecturer, its files in a folder of its own; gives the process, the page of phones, the folder of the deck."""
    command = [sys.executable, "-m", "fstats.cli", "lecture", str(notebook), "--room", "--port", str(port), *more]
    known = os.environ | {"JUPYTER_RUNTIME_DIR": str(own), "PYTHONIOENCODING": "utf-8"}
    told = dict(stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8")
    if os.name == "posix":  # tests that run in the background would hand down that Ctrl-C is ignored
        told["preexec_fn"] = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)
    with subprocess.Popen(command, env=known, **told) as process:
        assert process.stdout
        said = []
        try:
            for line in process.stdout:
                said.append(line)
                if line.startswith("Stop with Ctrl-C"):
                    break
            page, folder = ("".join(said).partition(word)[2].split("\n")[0].strip() for word in ("phones: ", "the deck: "))
            assert "/r/" in page, "".join(said)
            yield process, page, folder.rpartition("/")[0] + "/"
        finally:
            process.kill()
