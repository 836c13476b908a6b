"""Walks in a real Chromium: by keys, by clicks, by a finger, on a slide and for who asks for less motion."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from laboratory import Page, browser_page

import fstats
from fstats.core.hypothesis import HypothesisTest
from fstats.explore.walkthrough.walk import Walk
from fstats.publish import slide_deck
from fstats.publish.browser_python.prerendered_explorers import compress_json
from fstats.publish.walk_pages import walk_data, walk_front_end, walk_style

pytestmark = [pytest.mark.browser, pytest.mark.needs("chromium")]
NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "01_paired_t.ipynb"
A, B = [85, 70, 79, 78, 83], [87, 68, 85, 75, 83]
SEEN = """() => [...document.querySelectorAll(".fstats-scene g[data-from]")].map((mark, number) => {
  const { x, y, width, height } = mark.getBoundingClientRect(), box = mark.closest(".fstats-picture");
  const isSeen = !mark.classList.contains("fstats-later") && !box.classList.contains("fstats-later");
  return isSeen && width + height ? [number, x, y + box.closest(".fstats-walk").scrollTop, width, height] : null;
}).filter(Boolean)"""

LEAST = """(walk) => Math.min(...[...walk.querySelectorAll(".fstats-picture svg")].map((svg) => {
  const { width, height } = svg.getBoundingClientRect(), box = svg.viewBox.baseVal;
  const scale = Math.min(width / box.width, height / box.height);
  return Math.min(...[...svg.querySelectorAll("text")].map((e) => parseFloat(getComputedStyle(e).fontSize) * scale));
}))"""  # smallest size of a letter of a picture

ROOM = """() => {  // of a walk from frame to frame: its greatest height, formulas that are cut, smallest size of a letter of a picture
  const walk = document.querySelector(".fstats-walk"), next = walk.querySelector("[aria-label='Next step']"), cut = new Set();
  const right = () => walk.querySelector(".fstats-lines").getBoundingClientRect().right + 1;
  for (let high = 0; ; next.click()) {
    high = Math.max(high, walk.querySelector(".fstats-stage").getBoundingClientRect().height);
    const wide = [...walk.querySelectorAll(".fstats-line > span")].filter(e => e.offsetParent && e.getBoundingClientRect().right > right());
    for (const piece of wide) cut.add(piece.textContent);
    if (!next.disabled) continue;
    return [high, [...cut], LEAST(walk)];
  }
}""".replace("LEAST", f"({LEAST})")
AT_FRAME = "(number) => document.querySelector('section.present:not(:has(section)) .fstats-walk')?.dataset.frame === number"


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with browser_page() as page:
        page.emulate_media(reduced_motion="reduce")
        yield page


def show(page: Page, walk: Walk, style: str = "") -> None:
    data = f'<script type="text/plain" class="fstats-walk-frames">{compress_json(walk_data(walk))}</script>'
    scripts = f"<script>{walk_front_end()}\nfstatsWalks();</script>"
    page.goto("about:blank")
    page.set_content(f"<!doctype html><meta charset=utf-8><style>{walk_style()}{style}</style><figure id=still></figure>{data}{scripts}")
    page.wait_for_selector(".fstats-walk[data-frame='0']")
    page.focus(".fstats-walk")


def frame(page: Page) -> int:
    return int(page.get_attribute(".fstats-walk", "data-frame") or -1)


def test_keys_clicks_and_choices(page: Page) -> None:
    walk = fstats.PairedT(A, B).walk(upto="reject")
    show(page, walk)
    page.evaluate("document.activeElement.blur()")  # as on a page that was just opened
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowRight")
    assert frame(page) == 1
    page.focus(".fstats-walk")
    page.keyboard.press("Home")
    said = [page.inner_text(".fstats-spoken")]
    for number in range(1, len(walk.frames)):
        page.keyboard.press("Space" if number % 2 else "ArrowRight")
        assert frame(page) == number
        said.append(page.inner_text(".fstats-spoken"))
        assert page.locator(".fstats-line[aria-current='step']").count() == len(walk.frames[number].rows)
    assert [text.replace("\xa0", " ") for text in said] == [one.sentence for one in walk.frames]
    assert "0.7267" in said[-1]
    page.keyboard.press("ArrowRight")  # there is no step after the last one
    assert frame(page) == len(walk.frames) - 1
    page.keyboard.press("Home")
    assert (frame(page), page.is_disabled("[aria-label='Step back']")) == (0, True)
    page.keyboard.press("End")
    page.locator(".fstats-line").nth(6).click()
    assert frame(page) == walk.frame_numbers(walk.test)[[row.name for one in walk.frames for row in one.rows][6]]
    page.select_option("select >> nth=0", "less")
    page.keyboard.press("End")
    page.focus(".fstats-walk")
    page.keyboard.press("End")
    less = fstats.PairedT(A, B, alternative="less")
    assert page.inner_text(".fstats-spoken").replace("\xa0", " ") == less.conclusion


def test_full_screen_is_left_by_escape_and_by_the_button(page: Page) -> None:
    """Escape works wherever the focus is, as in a browser that gives no focus to a pressed button."""
    show(page, fstats.PairedT(A, B).walk())
    for leave in (lambda: page.keyboard.press("Escape"), lambda: page.get_by_role("button", name="Leave full screen").click()):
        page.get_by_role("button", name="Full screen with large text").click()
        page.wait_for_function(
            "() => (e => e.clientWidth === innerWidth && e.clientHeight === innerHeight)(document.querySelector('.fstats-walk'))"
        )
        page.evaluate("document.activeElement.blur()")
        leave()
        page.wait_for_selector(".fstats-walk:not(.fstats-present)")
        page.wait_for_function("document.fullscreenElement === null")
        assert page.inner_text(".fstats-bar").count("Full screen") == 1


SCORES = [[85, 70, 79], [78, 83, 87], [68, 85, 75], [83, 80, 91]]
ROOMS = {(1280, 720): (1090, 593), (853, 480): (672, 353)}  # screen, at 150 %, too: width of a cell of JupyterLab, height below its margin


@pytest.mark.parametrize("screen", ROOMS)
@pytest.mark.parametrize(
    "test",
    [
        fstats.PairedT(A, B),
        fstats.SignedRank(A, B),
        fstats.McNemarExact(33, 15),
        fstats.Friedman(SCORES),
        fstats.FiveByTwoT([[0.02, 0.03], [0.01, 0.05], [0.0, 0.02], [0.04, 0.01], [0.03, 0.02]]),
        pytest.param(fstats.RepeatedAnova(SCORES), marks=pytest.mark.complete),
    ],
    ids=lambda test: type(test).__name__,
)
def test_a_walk_is_wholly_seen_in_a_lecture(page: Page, test: HypothesisTest, screen: tuple[int, int]) -> None:
    """With its longest sentence; and no letter of a picture is smaller than 12 pixels, at 150 % 18 on the screen."""
    page.set_viewport_size({"width": screen[0], "height": screen[1]})
    width, height = ROOMS[screen]
    show(page, test.walk(), f"body {{ margin: 0; width: {width}px }} figure {{ margin: 0 }}")
    high, cut, least = page.evaluate(ROOM)
    assert high <= height
    assert least >= 11.9
    assert len(cut) <= 3 * isinstance(test, fstats.RepeatedAnova)  # long fractions of its factors, which scroll
    page.set_viewport_size({"width": 1280, "height": 720})


HIDDEN = """() => {
  const box = document.querySelector(".fstats-lines"), { top, bottom } = box.getBoundingClientRect();
  const here = box.closest(".fstats-walk").dataset.frame;
  const seen = (place) => place.top >= top - 1 && place.bottom <= bottom + 1;
  return [...box.children].filter((line) => line.dataset.frame === here && !seen(line.getBoundingClientRect())).length;
}"""


@pytest.mark.complete
def test_each_line_of_an_opening_is_seen_and_none_is_marked(page: Page) -> None:
    """On a slide of 1280 x 720, also where a walk begins in the middle."""
    rows = fstats.PairedTable([1, 0, 1, 1, 0] * 6, [1, 1, 0, 1, 0] * 6, [1, 0, 1, 0, 0] * 6)
    for walk in (
        fstats.McNemarExact.following(rows).walk(start="n"),
        fstats.SignedRank(A, B).walk(start="null"),
        fstats.RepeatedAnova([[1, 2, 3], [2, 3, 1], [1, 3, 2]]).walk(start="null"),
        fstats.QuestionsNeeded(
            0.1, 0.4, 0.3, correlation=0.4, sampling_a=0.3, sampling_b=0.2, answers=3, family=4, family_correlation=0.2
        ).walk(),
    ):
        show(page, walk)
        page.get_by_role("button", name="Full screen with large text").click()
        page.wait_for_selector(".fstats-present")
        assert page.evaluate(HIDDEN) == 0, walk.name
        assert page.locator(".fstats-line[aria-current]").count() == 0


CUT = """() => {  // number of earlier lines of which only the end is seen
  const box = document.querySelector(".fstats-lines"), { top } = box.getBoundingClientRect();
  return [...box.children].map((line) => line.getBoundingClientRect()).filter((one) => one.top < top - 2 && one.bottom > top + 2).length;
}"""


@pytest.mark.complete
@pytest.mark.parametrize("width", [390, 1280])
def test_what_stays_stands_where_it_was_and_no_line_is_cut(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    for test in (fstats.PairedT(A, B), fstats.SignedRank(A, B), fstats.Friedman([[1, 2, 3], [2, 3, 1], [1, 3, 2]])):
        show(page, test.walk())
        before = {one[0]: one[1:] for one in page.evaluate(SEEN)}
        while not page.is_disabled("[aria-label='Next step']"):
            page.keyboard.press("ArrowRight")
            now = {one[0]: one[1:] for one in page.evaluate(SEEN)}
            assert page.evaluate(CUT) == 0
            for mark in before.keys() & now.keys():
                assert now[mark] == pytest.approx(before[mark], abs=1), (type(test).__name__, mark)
            before = now
    page.set_viewport_size({"width": 1280, "height": 720})


ON_SLIDE = """() => {  // smallest letter of a picture; top, height and size of the sentence; colours below and in the walk
  const walk = document.querySelector("section.present:not(:has(section)) .fstats-walk"), said = walk.querySelector(".fstats-sentences");
  const { top, height } = said.getBoundingClientRect();
  const [page, inside] = [document.body, walk].map((e) => getComputedStyle(e).backgroundColor);
  return [LEAST(walk), [top, height, getComputedStyle(said.firstChild).fontSize], page, inside];
}""".replace("LEAST", f"({LEAST})")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_each_key_of_a_deck_is_a_frame(page: Page, tmp_path: Path, scheme: Literal["light", "dark"]) -> None:
    """A deck is white on a dark system, too; the sentence stays in its place, and no letter of a picture is below 20 pixels."""
    page.emulate_media(reduced_motion="reduce", color_scheme=scheme)
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(slide_deck.write_deck(NOTEBOOK, tmp_path).as_uri())
    page.wait_for_function("document.documentElement.dataset.ready")
    while not page.locator("section.present:not(:has(section)) .fstats-walk").count():
        page.keyboard.press("ArrowRight")
    assert page.get_attribute("section.present:not(:has(section)) .fstats-walk", "data-frame") == "0"
    keys = "section.present:not(:has(section)) .fragment[data-notes]"
    notes = page.evaluate("(keys) => [...document.querySelectorAll(keys)].map((e) => e.dataset.notes)", keys)
    frames = fstats.PairedT(A, B).walk(upto="sd").frames
    assert [note.partition(" Next: ")[0].replace("\xa0", " ") for note in notes] == [one.sentence for one in frames[1:]]
    begin = page.evaluate(ON_SLIDE)
    assert (begin[0] >= 20, *begin[2:]) == (True, "rgb(255, 255, 255)", "rgb(255, 255, 255)")
    for number in range(1, len(frames)):
        page.keyboard.press("ArrowRight")
        page.wait_for_function(AT_FRAME, arg=str(number))
        assert page.evaluate(ON_SLIDE) == begin
    page.keyboard.press("ArrowLeft")
    page.wait_for_function(AT_FRAME, arg=str(len(frames) - 2))
    assert json.loads(page.evaluate("JSON.stringify(document.querySelector('section.present:not(:has(section))').scrollHeight <= 720)"))
