"""An engine in a real Chromium, for tests: its files served from a folder, code run in it, what was printed and shown."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fstats.publish.browser_python import engine_bundle

if TYPE_CHECKING:
    from playwright.sync_api import Page

RUN = """source => engine.ask({ do: "run", name: "cell", source }, told => heard.push(told)).then(done => {
    const told = heard.splice(0);
    return {
        printed: told.map(one => one.stream ? one.text : "").join(""),
        outputs: told.filter(one => one.output).map(one => one.output),
        error: done.error || "",
    };
})"""


def lay(folder: Path, everything: bool = False) -> None:
    """An engine and an empty page that can start it."""
    shipped = engine_bundle.write_engine(folder, everything)
    places = json.dumps({"worker": shipped.worker, "engine": shipped.engine, "course": shipped.course, "more": shipped.later})
    script = (engine_bundle.HERE / "engine_client.js").read_text(encoding="utf-8")
    (folder / "index.html").write_text(
        f"<!doctype html><script>{script}\nconst heard = [], engine = new Engine({places});</script>", encoding="utf-8"
    )


def run(page: Page, *cells: str) -> list[dict[str, Any]]:
    """Run cells one after the other: for each what it printed, what it showed, and its error."""
    return [page.evaluate(RUN, cell) for cell in cells]


def printed(page: Page, cells: Sequence[str]) -> str:
    """What cells print; an error of theirs is raised here."""
    done = run(page, *cells)
    if errors := [one["error"] for one in done if one["error"]]:
        raise AssertionError("\n".join(errors))
    return "".join(one["printed"] for one in done)
