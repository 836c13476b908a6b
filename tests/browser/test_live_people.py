"""A live site as people see it: on a phone and in a hall, light and dark, by the keyboard alone, before and after the engine has come."""

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import urljoin
from urllib.request import urlopen

import pytest
from laboratory import LIVE, Page, asking_nobody_else, live_site
from looking import DESK, SCREENS, faults, in_view, script, serious

pytestmark = LIVE
LESSONS = ("notebooks/01_paired_t", "notebooks/07_five_by_two")
EXERCISE = "exercises/01_paired_t_by_hand"
CELL = "div.cell:has(> .cell_input)"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A live site of two lessons and an exercise, served."""
    with live_site(tmp_path_factory.mktemp("live") / "site", *LESSONS, EXERCISE) as address:
        yield address


@pytest.fixture
def page(browser: Page, address: str) -> Iterator[Page]:
    """Its page, on which nothing was typed; it may ask nobody but the site, and finds all that it asks for."""
    missing: list[str] = []

    def heard(response: Any) -> None:
        if response.status >= 400:
            missing.append(response.url)

    browser.context.on("response", heard)
    browser.emulate_media(reduced_motion="reduce")  # the theme scrolls slowly where motion is welcome
    with asking_nobody_else(browser, address):
        browser.goto(f"{address}index.html")
        browser.evaluate("indexedDB.deleteDatabase('fstats')")
        yield browser
        browser.goto("about:blank")
    browser.context.remove_listener("response", heard)
    browser.emulate_media(color_scheme="light", reduced_motion="no-preference")
    browser.set_viewport_size({"width": DESK[0], "height": DESK[1]})
    assert missing == []


def opened(page: Page, address: str) -> None:
    """A page, its formulas typeset, its explorer there, if it has one."""
    page.goto(address)
    page.evaluate("() => MathJax.startup.promise")
    page.evaluate("() => document.querySelector('script.fstats-frames')?.previousElementSibling.scrollIntoView()")
    page.wait_for_selector("textarea.fstats-field")
    page.wait_for_function("() => !document.querySelector('.fstats-still')")


def look(page: Page) -> None:
    """On each screen, light and dark, nothing is cut, too small, out of reach or unreadable."""
    for screen, (width, height) in SCREENS.items():
        for scheme in ("light", "dark"):
            page.set_viewport_size({"width": width, "height": height})
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            page.wait_for_function("scheme => document.documentElement.dataset.theme === scheme", arg=scheme)
            page.wait_for_function("() => document.documentElement.scrollWidth <= innerWidth")  # formulas are typeset anew
            page.wait_for_timeout(600)  # colours fade, and what scrolls sideways takes the keyboard a moment later
            where = f"{screen}, {scheme}"
            assert "\n".join([*page.evaluate(AMISS), *serious(page)]) == "", where
            for explorer in page.locator(".fstats-explorer:not(.fstats-walk)").all():
                found = in_view(explorer)
                assert max(found["beyond"].values()) <= 1, (where, found)
                assert found["covered"] == [], where
                assert found["too_wide"] == 0, where
                assert found["smallest"] >= 12, (where, found)
                assert found["picture"][1] >= 120, (where, found)
                assert "\n".join(faults(explorer)) == "", where


AMISS = script("amiss")


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson(page: Page, address: str, lesson: str) -> None:
    opened(page, f"{address}{lesson}.html")
    look(page)
    page.locator(".fstats-live .fstats-fetch button").first.click()
    page.wait_for_function("() => document.querySelector('.fstats-explorer:not(.fstats-walk)').getAttribute('aria-busy') === 'false'")
    assert page.locator(".fstats-fetch:visible").count() == 0
    cells = page.locator(CELL)
    cells.first.locator("textarea").fill("from fstats import PairedT\nPairedT([85, 70, 79], [87, 68, 86])")
    cells.nth(1).locator("textarea").fill("print('a long line, ' * 20)\n1 / 0")
    for k in range(2):
        cells.nth(k).locator("textarea").press("Shift+Enter")
        page.wait_for_function("k => document.querySelectorAll(`div.cell:has(> .cell_input)`)[k].dataset.state.match(/ran|failed/)", arg=k)
    look(page)


def test_an_exercise(page: Page, address: str) -> None:
    """A right answer, a wrong one, one in words; and the page says something at its foot."""
    other = page.context.new_page()  # a tab that was there before, of which this one tells
    opened(other, f"{address}{EXERCISE}.html")
    opened(page, f"{address}{EXERCISE}.html")
    page.locator(".fstats-news p:visible").wait_for()
    look(page)
    cells = page.locator(CELL)
    cells.filter(has_text="d = ...").first.locator("textarea").fill("d = a - b")
    cells.filter(has_text="mean = ...").first.locator("textarea").fill("mean = 17")
    page.locator("textarea.fstats-words").first.fill("B, by luck. " * 20)
    page.locator("button", has_text="Run above").last.click()
    page.wait_for_function("() => document.body.dataset.fstats === 'rests'")
    replies = [cells.filter(has_text=f'check("q{k}"').first.locator(".cell_output").inner_text() for k in (1, 2)]
    assert "Right" in replies[0]
    assert "far too large" in replies[1]
    look(page)
    other.close()
    page.goto(f"{address}index.html")
    page.wait_for_function("() => document.querySelector('p.fstats-standing').textContent.startsWith('1 of')")
    look(page)


def press_until(page: Page, key: str, here: str, most: int = 120) -> None:
    """Press a key until the focus is where it should be; on the way nothing that has it lies hidden below something else."""
    for _ in range(most):
        page.keyboard.press(key)
        for _ in range(20):  # what slides in takes a moment
            seen = page.evaluate(FOCUS)
            if not seen["covered"]:
                break
            page.wait_for_timeout(50)
        else:
            raise AssertionError(f"{seen['at']} is covered by {seen['covered']}")
        if page.evaluate("here => document.activeElement.matches(here)", here):
            return
    raise AssertionError(f"{key} does not lead to {here}; the focus is at {seen}")


FOCUS = """() => {
    const e = document.activeElement, { left, right, top, bottom } = e.getBoundingClientRect();
    const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2, y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2;
    const over = document.elementFromPoint(x, y);
    const seen = e === document.body || over && (e.contains(over) || over.contains(e) || e.parentElement.contains(over));
    return { at: e.outerHTML.slice(0, 100), covered: seen ? "" : (over || e).outerHTML.slice(0, 100) };
}"""


@pytest.mark.parametrize("screen", SCREENS)
def test_by_the_keyboard_alone(page: Page, address: str, screen: str) -> None:
    """From the top of a lesson to its explorer, the engine, a cell and past it; from the top of an exercise to a reply."""
    width, height = SCREENS[screen]
    page.set_viewport_size({"width": width, "height": height})
    opened(page, f"{address}{LESSONS[0]}.html")
    page.evaluate("() => { scrollTo(0, 0); document.activeElement.blur(); }")
    press_until(page, "Tab", "textarea[aria-label='Code of cell 1']")
    page.keyboard.press("End")
    page.keyboard.press("Tab")  # leads on, as everywhere in a page
    assert page.evaluate("() => document.activeElement.textContent") == "Run"
    press_until(page, "Tab", ".fstats-explorer:not(.fstats-walk) input[type=range]")
    before = page.locator(".fstats-explorer:not(.fstats-walk) .fstats-text").first.inner_text()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("before => document.querySelector('.fstats-explorer .fstats-text').textContent !== before", arg=before)
    press_until(page, "Tab", ".fstats-live .fstats-fetch button")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelector('.fstats-live .fstats-fetch').hidden")
    assert page.evaluate("() => document.activeElement.matches('.fstats-live')")  # the button has gone; the focus has not
    press_until(page, "Shift+Tab", "textarea[aria-label='Code of cell 1']")
    page.keyboard.press("Control+End")
    page.keyboard.type("\nfor k in range(2):\nprint(k + 40)\n")
    page.keyboard.press("Shift+Enter")
    page.wait_for_function("() => document.querySelector('div.cell:has(> .cell_input)').dataset.state === 'ran'")
    assert page.locator(CELL).first.locator(".cell_output").inner_text().split() == ["40", "41"]
    assert page.evaluate("() => document.activeElement.ariaLabel") == "Code of cell 2"  # one goes on there
    page.keyboard.press("Escape")
    press_until(page, "Tab", "button[aria-label='Run this cell (Shift + Enter): cell 2']")
    page.keyboard.press("Shift+Tab")
    assert page.evaluate("() => document.activeElement.matches('textarea')")
    opened(page, f"{address}{EXERCISE}.html")
    press_until(page, "Tab", "textarea.fstats-words")
    page.keyboard.type("B, by luck.")
    press_until(page, "Tab", "textarea.fstats-field")
    assert "d = ..." in page.evaluate("() => document.activeElement.value")
    page.keyboard.press("Control+A")
    page.keyboard.type("d = a - b")
    press_until(page, "Tab", "textarea.fstats-field")
    press_until(page, "Tab", "button[aria-label^='Run above']")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.body.dataset.fstats === 'rests'")
    assert "Right" in page.locator(CELL, has_text='check("q1"').first.locator(".cell_output").inner_text()


def test_it_can_be_put_on_a_home_screen(page: Page, address: str) -> None:
    """Chromium finds a manifest without errors, all icons have the size that they promise, and it begins without a network."""
    opened(page, f"{address}{LESSONS[0]}.html")
    chromium = page.context.new_cdp_session(page)
    found = chromium.send("Page.getAppManifest")
    assert found["errors"] == []
    errors = {one["errorId"] for one in chromium.send("Page.getInstallabilityErrors")["installabilityErrors"]}
    assert errors <= {"in-incognito"}  # as this browser is, for tests
    manifest = json.loads(found["data"])
    sizes = "address => new Promise(done => { const i = new Image(); i.onload = () => done(`${i.width}x${i.height}`); i.src = address; })"
    for icon in manifest["icons"]:
        assert page.evaluate(sizes, urljoin(found["url"], icon["src"])) == icon["sizes"]
    drawn = page.locator("link[rel=icon]").evaluate("e => e.href")
    assert urlopen(drawn).read().startswith(b"<?xml")
    start = urljoin(found["url"], manifest["start_url"])
    assert (start, urljoin(found["url"], manifest["scope"])) == (f"{address}index.html", address)
    page.locator(".fstats-fetch button").first.click()
    page.locator(".fstats-offer", has_text="Keep").click()
    page.evaluate(KEPT, [found["url"], drawn, start])
    page.context.set_offline(True)
    try:
        page.goto(start)
        assert page.evaluate("async all => (await Promise.all(all.map(one => fetch(one)))).every(one => one.ok)", [found["url"], drawn])
    finally:
        page.context.set_offline(False)


KEPT = """async all => {
    const kept = await caches.open("fstats-live");
    while (!(await Promise.all(all.map(one => kept.match(one)))).every(Boolean)) await new Promise(done => setTimeout(done, 100));
}"""
