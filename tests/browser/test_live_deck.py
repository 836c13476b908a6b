"""A live deck in a real Chromium: its explorer moves on the slide, its cells run by a key, the room's own numbers are typed."""

from collections.abc import Iterator
from typing import Any

import pytest
from laboratory import KEPT, LIVE, ROOT, Page, asking_nobody_else
from looking import serious

from fstats.cli import main
from fstats.publish.browser_python.file_server import serve_folder

pytestmark = LIVE
NAME = "01_paired_t"
GO = "e => { const { h, v } = Reveal.getIndices(e.closest('section:not(:has(section))')); Reveal.slide(h, v); }"
WHOLE = """() => {
    const slide = Reveal.getCurrentSlide(), { bottom, right } = document.querySelector(".reveal .slides").getBoundingClientRect();
    return [...slide.querySelectorAll(".fstats-explorer, .fstats-explorer svg, .fstats-control, .fstats-act, .fstats-said")]
        .filter(e => e.getClientRects().length).map(e => e.getBoundingClientRect())
        .every(box => box.bottom <= bottom + 1 && box.right <= right + 1);
}"""
OUT = """() => [...document.querySelectorAll(".present:not(:has(section)) .cell_output")].map(e => e.innerText).join("")"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A live deck, served."""
    to = tmp_path_factory.mktemp("deck")
    assert main(["slides", str(ROOT / "notebooks" / f"{NAME}.ipynb"), "--live", "--to", str(to)]) == 0
    with serve_folder(to) as address:
        yield f"{address}{NAME}.html"


@pytest.fixture
def page(browser: Page, address: str) -> Iterator[Page]:
    """The deck on a lecture's screen, which may ask nobody but its server, and may not complain."""
    browser.set_viewport_size({"width": 1280, "height": 720})
    with asking_nobody_else(browser, address.rpartition("/")[0]):
        browser.goto(address)
        browser.wait_for_selector("html[data-ready]")
        browser.wait_for_selector("textarea.fstats-field", state="attached")
        yield browser


def on_a_slide(page: Page, what: str) -> Any:
    """Go to the slide on which something stands first."""
    found = page.locator(what).first
    found.evaluate(GO)
    return found


def test_an_explorer_moves_on_its_slide(page: Page) -> None:
    """All of it is seen, before the engine is there and after; its keys are its own, and the deck's go on elsewhere."""
    on_a_slide(page, ".fstats-still, .fstats-live")
    page.wait_for_selector(".fstats-explorer:not(.fstats-walk) svg")
    assert page.evaluate(WHOLE)
    here = page.evaluate("Reveal.getIndices()")
    first, other = (page.locator(".fstats-explorer:not(.fstats-walk) input[type=range]").nth(k) for k in range(2))
    first.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("document.querySelector('.fstats-explorer:not(.fstats-walk) output').textContent !== '85 (B: 87)'")
    assert page.locator(".fstats-corner .fstats-fetch").get_attribute("data-state") == "absent"
    other.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("document.querySelectorAll('.fstats-explorer:not(.fstats-walk) output')[1].textContent === 'number 2'")
    page.wait_for_function("document.querySelector('.fstats-explorer:not(.fstats-walk)').ariaBusy === 'false'")
    assert page.evaluate(WHOLE)
    assert (page.evaluate("Reveal.getIndices()"), serious(page, ".fstats-explorer:not(.fstats-walk)")) == (here, [])
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Space")
    assert page.evaluate("Reveal.getIndices()") != here


def test_a_key_runs_what_the_slide_shows(page: Page) -> None:
    """With all that it needs of the slides before; what it shows is seen at once, and is as large as there is room for."""
    on_a_slide(page, ".cell:has-text('sum of their squares')")
    page.keyboard.press("r")
    page.wait_for_function(f"({OUT})().includes('sum of their squares: 51.2')")
    assert page.locator(".present:not(:has(section)) .fragment.visible .cell_output").count() == 1
    assert page.evaluate("Reveal.getCurrentSlide().scrollHeight") <= 720
    whole = on_a_slide(page, ".cell:has-text('luck = PairedT')")
    assert whole.locator("summary").inner_text() == "luck = PairedT(noise, np.zeros_like(noise))"
    size = "e => parseFloat(getComputedStyle(e).fontSize)"
    assert whole.locator("summary").evaluate(size) >= 24
    whole.locator("summary").click()
    assert whole.locator("textarea").evaluate(size) >= 20
    assert whole.locator("textarea").evaluate("e => e.getBoundingClientRect().bottom") <= 720  # the output below an opened fold may scroll


def test_a_picture_that_is_drawn_on_a_slide_is_read_from_the_last_row(page: Page) -> None:
    """As the stored one was; those of lines and those of points."""
    lines = "Math.min(...[...e.querySelectorAll('svg text')].map(e => 15 * e.getScreenCTM().a))"
    points = "[e.querySelector('img')].map(e => 10 * 100 / 72 * e.clientWidth / e.getAttribute('width'))[0]"
    for cell, smallest in ((".cell:has-text('plot.scores(test)')", lines), (".cell:has-text('orange = ax.hist')", points)):
        on_a_slide(page, cell)
        page.keyboard.press("r")
        page.wait_for_function("document.body.dataset.fstats === 'works'")
        page.wait_for_function("document.body.dataset.fstats === 'rests'")
        shown = page.locator(".present:not(:has(section)) .cell_output").last
        shown.locator("svg, img[width]").first.wait_for()
        assert shown.evaluate(f"e => {smallest}") >= 17.5
        assert page.evaluate("Reveal.getCurrentSlide().scrollHeight") <= 720


def test_the_rooms_numbers_are_typed_on_the_slide(page: Page) -> None:
    """Keys typed there are no commands to the deck; two outputs keep their two places."""
    on_a_slide(page, ".cell:has-text('yours = apply_test')")
    field = page.locator("textarea.fstats-field").last
    field.fill("yours = PairedT([5, 7, 9, 4], [1, 2, 6, 4])\nprint(yours.n)\nyours.plot()")
    field.press("End")
    here = page.evaluate("Reveal.getIndices().h")
    page.keyboard.type("  # room")
    assert page.evaluate("Reveal.getIndices().h") == here
    field.press("Shift+Enter")
    page.wait_for_function(f"({OUT})().trim() === '4'")
    assert page.locator(".cell_output svg, .cell_output img.fstats-picture").last.evaluate("e => e.isConnected")


def test_the_speaker_reads_notes_and_has_a_clock(page: Page) -> None:
    """Notes are not folded, and reveal.js's window knows the minutes that the lesson promises."""
    assert page.evaluate("Reveal.getConfig().totalTime") == 15 * 60
    notes = page.locator("aside.notes")
    assert notes.count() >= 3
    assert page.locator("aside.notes details").count() == 0
    assert "What to say at each control." in notes.all_text_contents()[1]


def test_a_deck_goes_on_without_a_network(page: Page, address: str) -> None:
    on_a_slide(page, ".cell:has-text('sum of their squares')")
    page.keyboard.press("r")
    page.wait_for_function(f"({OUT})().includes('sum of their squares: 51.2')")
    page.evaluate(KEPT, f"{address.rpartition('/')[0]}/")
    page.context.set_offline(True)
    try:
        page.reload()
        page.wait_for_selector("textarea.fstats-field", state="attached")
        on_a_slide(page, ".cell:has-text('sum of their squares')")
        page.keyboard.press("r")
        page.wait_for_function("document.body.dataset.fstats === 'rests'")
        page.wait_for_function(f"({OUT})().includes('sum of their squares: 51.2')")
    finally:
        page.context.set_offline(False)
