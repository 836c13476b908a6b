"""JupyterLab as a student sees it: started as `fstats lab` starts it, opened in a Chromium without a window.

Shared by the browser test and by the benchmark of the sliders.  Nothing is downloaded: Chromium is the system's own.
"""

import os
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from fstats.publish import printable_page, website
from fstats.publish.browser_python.file_server import serve_folder

try:
    from playwright.sync_api import Locator, Page
except ImportError:  # without it the tests in a browser do not run
    Locator = Page = Any

ROOT = Path(__file__).parents[2]
TOKEN = "only-for-this-test"
PATIENCE = 120_000  # milliseconds until something is given up, on a slow machine
INSTEAD = """async path => {
    const { commands, shell } = window.jupyterapp;
    [...shell.widgets("main")].forEach(one => one.dispose());
    await commands.execute("docmanager:open", { path });
}"""
KEPT = """async address => {  // once the browser keeps all of a live site
    const names = Object.keys(await (await fetch(`${address}live/files.json`)).json()), cache = await caches.open("fstats-live");
    while ((await cache.keys()).length < names.length) {
        const offer = document.querySelector(".fstats-offer");
        if (offer?.textContent === "Keep") offer.click();
        await new Promise(done => setTimeout(done, 100));
    }
}"""
SHOWN = """new MutationObserver(() => {  // no bet covers anything, and the answers stay folded
    document.querySelectorAll(".fstats-note > button").forEach(button => button.click());
    document.querySelectorAll("details.fstats-answered:not([data-shut])").forEach(one => { one.open = false; one.dataset.shut = true; });
}).observe(document, { childList: true, subtree: true, attributeFilter: ["class"] });"""
LIVE = [pytest.mark.browser, pytest.mark.live, pytest.mark.needs("chromium"), pytest.mark.needs("engine")]
READY = ".jp-StatusBar-TextItem:has-text('| Idle')"  # the kernel is connected and has nothing to do


@contextmanager
def jupyterlab(folder: Path, lecture: bool = False) -> Iterator[str]:
    """JupyterLab on a folder, with settings of its own; gives its address."""
    from fstats.teaching import jupyterlab_launcher

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    options = ["--no-browser", "--ip=127.0.0.1", f"--port={port}", "--ServerApp.port_retries=0", f"--IdentityProvider.token={TOKEN}"]
    options.append("--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate")  # nothing is asked of the network
    options.append("--LabApp.expose_app_in_browser=True")  # a test changes the theme and closes the file browser as a menu does
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        options.append("--allow-root")
    with tempfile.TemporaryDirectory() as own, tempfile.TemporaryFile("w+") as log:
        places = {
            name: f"{own}/{name}"
            for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR", "JUPYTERLAB_SETTINGS_DIR", "JUPYTERLAB_WORKSPACES_DIR")
        }
        known = jupyterlab_launcher.environment_variables(os.environ | places, lecture)
        server = subprocess.Popen(
            jupyterlab_launcher.jupyterlab_command(folder, options, lecture), env=known, stdin=subprocess.DEVNULL, stdout=log, stderr=log
        )
        try:
            for _ in range(PATIENCE // 200):
                try:
                    urlopen(f"{address}/api", timeout=5).close()
                    break
                except (URLError, OSError):
                    time.sleep(0.2)
                if server.poll() is not None:
                    break
            else:
                server.kill()
            if server.poll() is not None:
                log.seek(0)
                raise RuntimeError(f"JupyterLab did not start:\n{log.read()[-4000:]}")
            yield address
        finally:
            server.terminate()
            try:
                server.wait(20)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


@contextmanager
def browser_page(bets: bool = False) -> Iterator[Page]:
    """An empty page, large enough for a lecture's screen; what answers bets is shown at once, unless the test is about `bets`."""
    from playwright.sync_api import sync_playwright

    quiet = [
        *("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"),
        *("--disable-component-update", "--disable-sync"),
    ]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=printable_page.find_browser(), args=quiet)
        page = browser.new_context(viewport={"width": 1500, "height": 1300}).new_page()
        if not bets:
            page.context.add_init_script(SHOWN)
        page.set_default_timeout(PATIENCE)
        yield page
        browser.close()


@contextmanager
def live_site(to: Path, *pages: str) -> Iterator[str]:
    """A live site of some notebooks, named without an ending, served from a folder; gives its address."""
    website.build_site(ROOT, to, [ROOT / f"{name}.ipynb" for name in pages], ["PairedT"], progress=False, live=True)
    with serve_folder(to) as address:
        yield address


@contextmanager
def asking_nobody_else(page: Page, address: str) -> Iterator[Page]:
    """A page that may ask nobody but this address, and may not complain."""
    found: list[str] = []

    def asked(request: Any) -> None:
        if not request.url.startswith((address, "data:", "blob:")) or request.method != "GET":
            found.append(f"asked: {request.method} {request.url}")

    def refused(request: Any) -> None:  # by the page's own rule, before it asked anybody
        if request.failure == "csp":
            found.remove(f"asked: {request.method} {request.url}")

    def failed(error: Any) -> None:
        found.append(str(error))

    listened = {"request": asked, "requestfailed": refused}
    for event, hears in listened.items():
        page.context.on(event, hears)
    page.on("pageerror", failed)
    yield page
    for event, hears in listened.items():
        page.context.remove_listener(event, hears)
    page.remove_listener("pageerror", failed)
    assert found == []


def open_and_run(page: Page, address: str, notebook: str, shows: str = ".fstats-explorer:not(.fstats-walk)") -> None:
    """Open a notebook and choose Run > Run All Cells; returns when what it `shows` is there and the kernel has nothing more to do.

    Where the page shows JupyterLab already it is opened there, in place of all else: to load JupyterLab takes longer than most notebooks.
    """
    if page.url.startswith(address):
        page.evaluate(INSTEAD, notebook)
    else:
        page.goto(f"{address}/lab/tree/{notebook}?token={TOKEN}&reset")
    page.wait_for_selector(".jp-Notebook .jp-CodeCell")
    page.wait_for_selector(READY)  # or JupyterLab clears the outputs and runs nothing
    page.click('.lm-MenuBar-itemLabel:text-is("Run")')
    page.click('.lm-Menu-itemLabel:text-is("Run All Cells")')
    page.wait_for_selector(shows, state="attached")
    page.wait_for_selector(READY)
