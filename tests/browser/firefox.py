"""Firefox without a window, driven by WebDriver BiDi, which it speaks itself: no other program stands between."""

import json
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from laboratory import PATIENCE

KEYS = {"Space": " ", "Enter": "\ue007", "Shift": "\ue008", "Control": "\ue009", "ArrowRight": "\ue014", "Home": "\ue011"}
SEEN = """(() => {
    const one = %s;
    one.scrollIntoView({ block: "center" });
    const box = one.getBoundingClientRect();
    return [Math.round(box.left + box.width / 2), Math.round(box.top + box.height / 2)];
})()"""


class Firefox:
    """A tab: expressions are JavaScript, which may name `$`, the first element of a selector; clicks and keys are those of a hand."""

    def __init__(self, socket: Any) -> None:
        self.socket, self.count = socket, 0
        self.asked: list[str] = []
        self.failed: list[str] = []
        self.ask("session.new", capabilities={})
        self.tab = self.ask("browsingContext.getTree")["contexts"][0]["context"]
        self.ask("browsingContext.setViewport", context=self.tab, viewport={"width": 1500, "height": 1300})
        self.ask("session.subscribe", events=["log.entryAdded", "network.beforeRequestSent"], contexts=[self.tab])

    def ask(self, method: str, **params: Any) -> Any:
        """What it answers; events that come before are heard."""
        self.count += 1
        self.socket.send(json.dumps({"id": self.count, "method": method, "params": params}))
        while (told := json.loads(self.socket.recv())).get("id") != self.count:
            about = told["params"]
            if told["method"] == "network.beforeRequestSent":
                self.asked.append(about["request"]["url"])
            elif about["type"] == "javascript" and about["level"] == "error":
                self.failed.append(about["text"])
        if told["type"] == "error":
            raise RuntimeError(f"{method}: {told['message']}")
        return told["result"]

    def goto(self, address: str) -> None:
        """Open a page, and show what bets cover."""
        self.ask("browsingContext.navigate", context=self.tab, url=address, wait="complete")
        self.value("document.querySelectorAll('.fstats-note > button').forEach(one => one.click())")

    def value(self, words: str) -> Any:
        """What an expression comes to."""
        code = f"(async () => {{ const $ = name => document.querySelector(name); return JSON.stringify([await ({words})]); }})()"
        done = self.ask("script.evaluate", expression=code, target={"context": self.tab}, awaitPromise=True)
        if done["type"] == "exception":
            raise RuntimeError(f"{words}: {done['exceptionDetails']['text']}")
        return json.loads(done["result"]["value"])[0]

    def wait(self, words: str) -> None:
        """Until an expression is true."""
        end = monotonic() + PATIENCE / 1000
        while not self.value(f"Promise.resolve({words}).then(Boolean)"):
            assert monotonic() < end, f"it did not come to {words}"
            sleep(0.05)

    def click(self, words: str) -> None:
        """Click on the middle of an element."""
        x, y = self.value(SEEN % words)
        move = {"type": "pointerMove", "x": x, "y": y}
        press = [{"type": f"pointer{way}", "button": 0} for way in ("Down", "Up")]
        self._act({"type": "pointer", "id": "mouse", "actions": [move, *press]})

    def press(self, *chords: str) -> None:
        """Press one key after the other, or some at once: "Shift Enter"."""
        actions = []
        for chord in chords:
            down = [{"type": "keyDown", "value": KEYS.get(key, key)} for key in chord.split(" ")]
            actions += [*down, *({**one, "type": "keyUp"} for one in reversed(down))]
        self._act({"type": "key", "id": "keys", "actions": actions})

    def fill(self, words: str, text: str) -> None:
        """Type in a field, in place of what it holds."""
        self.click(words)
        self.press("Control a", *({" ": "Space", "\n": "Enter"}.get(letter, letter) for letter in text))

    def _act(self, hand: dict[str, Any]) -> None:
        self.ask("input.performActions", context=self.tab, actions=[hand])

    def cut(self) -> None:
        """Cut the network."""
        self.ask("emulation.setNetworkConditions", contexts=[self.tab], networkConditions={"type": "offline"})


@contextmanager
def firefox_tab(program: str) -> Iterator[Firefox]:
    """A tab of a Firefox that was never used before."""
    from websocket import create_connection  # it comes with JupyterLab

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [program, "--headless", "--no-remote", "--remote-debugging-port", "0", "--profile", profile]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
            try:
                port, end = Path(profile) / "WebDriverBiDiServer.json", monotonic() + PATIENCE / 1000
                while not (port.exists() and port.read_text(encoding="utf-8").endswith("}")):
                    assert running.poll() is None, "Firefox did not start"
                    assert monotonic() < end, "Firefox does not listen"
                    sleep(0.1)
                place = "ws://{ws_host}:{ws_port}/session".format(**json.loads(port.read_text(encoding="utf-8")))
                with closing(create_connection(place, suppress_origin=True, timeout=PATIENCE / 1000)) as socket:
                    yield Firefox(socket)
            finally:
                running.terminate()
