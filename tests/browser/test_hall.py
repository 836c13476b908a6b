"""`fstats lab` on the screen of a hall, 1280 x 720 at 150 %: room for the lesson, and what a cell shows is seen after Shift + Enter.

As for a lecture, whose larger words leave less room; the complete version looks at the course as a reader opens it, too.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from laboratory import INSTEAD, READY, TOKEN, Page, jupyterlab
from looking import SCREENS, script

from fstats.teaching.course_files import copy_course

pytestmark = [pytest.mark.browser, pytest.mark.needs("chromium")]
FULL = 330  # pixels: a result of that height has room on the screen
LESSONS = ["01_paired_t", "00_start_here", "05b_post_hoc", "11_fold_hacking", "12_type_one_error_and_power"]
FILES = "!!document.querySelector('.jp-FileBrowser')?.offsetParent"
NOTEBOOK = "window.jupyterapp.shell.currentWidget?.content"
SETTLED = script("settled")


@pytest.fixture(scope="module", params=[True, pytest.param(False, marks=pytest.mark.slow)], ids=["lecture", "reader"])
def hall(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, browser: Page) -> Iterator[tuple[Page, bool]]:
    """The page of contents as `fstats lab` opens it in copies of the course, and whether it is for a lecture."""
    copy = copy_course(tmp_path_factory.mktemp("hall"), covered=request.param).to
    width, height = SCREENS["hall"]
    with jupyterlab(copy, lecture=request.param) as address:
        browser.set_viewport_size({"width": width, "height": height})
        browser.goto(f"{address}/?token={TOKEN}")
        browser.locator(".jp-RenderedMarkdown h1").first.wait_for()
        browser.wait_for_selector(READY)
        yield browser, request.param


def test_words_are_as_large_as_they_are_for(hall: tuple[Page, bool]) -> None:
    """For a lecture 16 pixels at least, which are 24 of 720; else as JupyterLab has them."""
    page, lecture = hall
    size = "where => parseFloat(getComputedStyle(document.querySelector(where)).fontSize)"
    words, code = (page.evaluate(size, where) for where in (".jp-RenderedMarkdown p", ".jp-CodeCell .cm-content"))
    assert [words, code] == [16, 16] if lecture else max(words, code) < 16


@pytest.mark.parametrize("lesson", [pytest.param(name, marks=[pytest.mark.slow] * bool(k)) for k, name in enumerate(LESSONS)])
def test_what_a_cell_has_shown_is_wholly_seen(hall: tuple[Page, bool], lesson: str) -> None:
    """From top to bottom, or to the end of the core, by Shift + Enter.  In a lecture nothing is seen before, and no note is open."""
    page, lecture = hall
    page.evaluate(INSTEAD, f"notebooks/{lesson}.ipynb")
    page.wait_for_function(
        f"path => {NOTEBOOK}?.widgets?.length && {NOTEBOOK}.parent.context.path === path", arg=f"notebooks/{lesson}.ipynb"
    )
    page.wait_for_selector(READY)
    page.evaluate(f"() => {{ const notebook = {NOTEBOOK}; notebook.activeCellIndex = 0; notebook.activate(); }}")
    cells = page.evaluate(f"{NOTEBOOK}.widgets.map(cell => [cell.model.type, cell.model.sharedModel.source])")
    if lecture:  # which is the core
        cells = cells[: next(k for k, (_, source) in enumerate(cells) if source.startswith("## Appendix"))]
    assert (page.evaluate(f"{NOTEBOOK}.widgets.filter(cell => cell.outputArea?.model.length).length") == 0) == lecture
    assert page.locator("details").count() > 0
    assert page.locator("details[open]").count() == 0
    found: dict[int, dict[str, Any]] = {}
    for k, (kind, _) in enumerate(cells):
        page.evaluate(f"k => {{ const cell = {NOTEBOOK}.widgets[k]; cell.model.executionCount = null; }}", k)  # or it seems to have run
        page.keyboard.press("Shift+Enter")
        if kind == "code":
            page.wait_for_function(f"k => {NOTEBOOK}.widgets[k].model.executionCount", arg=k)
            page.wait_for_selector(READY)
            found[k] = page.evaluate(SETTLED, k)
    shown = {k: seen for k, seen in found.items() if seen["high"]}
    assert {k: seen for k, seen in shown.items() if seen["high"] <= FULL and not whole(seen)} == {}
    if lecture:  # 37 of the 40 outputs of these cores; a page of formulas or of printed lines may be longer
        assert len([seen for seen in shown.values() if not whole(seen)]) <= 1 < len(shown)
    assert {k: seen for k, seen in shown.items() if seen["above"] > 1} == {}, "of a longer one the beginning is seen"
    assert max(high for seen in shown.values() for high in seen["pictures"]) <= FULL
    for k in [k for k, seen in shown.items() if seen["pictures"] and seen["pictures"][0] == 290][:1]:
        picture = page.locator(".jp-Notebook:visible .jp-Cell").nth(k).locator(".jp-RenderedImage img").first
        picture.click()
        assert picture.evaluate("e => e.clientHeight / e.clientWidth * e.naturalWidth / e.naturalHeight") == pytest.approx(1, abs=0.02)
        assert picture.evaluate("e => e.clientHeight") > 290, "a click shows its own size"


def whole(seen: dict[str, Any]) -> bool:
    """Whether an output stands wholly in view."""
    return bool(max(seen["above"], seen["below"]) <= 1)


def test_the_lesson_has_the_page_and_the_reader_has_the_last_word(hall: tuple[Page, bool]) -> None:
    """The file browser is away; whoever opens it finds it open when he comes back."""
    page, _ = hall
    assert not page.evaluate(FILES)
    assert page.locator(".jp-Notebook:visible").evaluate("e => e.clientWidth") > 0.85 * SCREENS["hall"][0]
    page.evaluate("window.jupyterapp.commands.execute('application:toggle-left-area')")
    page.wait_for_function(FILES)
    with page.expect_response(lambda said: "/api/workspaces/" in said.url and said.request.method == "PUT"):
        pass  # how the page is arranged has been stored
    page.reload()
    page.wait_for_selector(READY)
    page.wait_for_function(FILES)
    page.evaluate("window.jupyterapp.commands.execute('application:toggle-left-area')")
    page.wait_for_function(f"!({FILES})")
