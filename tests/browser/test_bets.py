"""Bets of a reader alone, in a page of the site and in JupyterLab: what answers them is covered until the reader chooses."""

from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from laboratory import INSTEAD, READY, ROOT, TOKEN, Page, browser_page, jupyterlab
from looking import serious

from fstats.publish import website
from fstats.teaching.course_files import copy_course
from fstats.teaching.polls import covered_cells, find_polls

pytestmark = [pytest.mark.browser, pytest.mark.needs("chromium")]
EXTENSION = ROOT / "fstats" / "teaching" / "settings" / "labextensions" / "fstats"
COVERED, ANSWER, CHOSEN = ".fstats-covered", "details.fstats-answered", ".fstats-chosen"
NOTEBOOK = "window.jupyterapp.shell.currentWidget.content"
HIDDEN = f"() => {NOTEBOOK}.widgets.flatMap((cell, k) => cell.isHidden ? [k] : [])"

COVERED_BY = """([cells, polls]) => {  // as JupyterLab has cells
    const models = cells.map(({ id, cell_type: type, source, metadata }) =>
        ({ model: { id, type, sharedModel: { getSource: () => source }, getMetadata: key => metadata[key] } }));
    return polls.map(k => shownBy(models, k).map(cell => models.indexOf(cell)));
}"""


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with browser_page(bets=True) as page:
        yield page


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pages of two lessons: the bet of the first has choices, that of the second is a number."""
    some = [ROOT / "notebooks" / name for name in ("01_paired_t.ipynb", "08_bcv_mcnemar.ipynb")]
    website.build_site(ROOT, to := tmp_path_factory.mktemp("bets") / "site", some, ["PairedT"], progress=False)
    return to / "notebooks"


def opened(page: Page, pages: Path, name: str = "01_paired_t", link: str = "") -> None:
    page.goto("about:blank")
    page.goto((pages / f"{name}.html").as_uri() + link)
    page.wait_for_function("() => window.MathJax?.startup?.promise")
    page.evaluate("() => MathJax.startup.promise")


def seen(page: Page, words: str) -> bool:
    """Whether words of the article are drawn."""
    return bool(page.locator("article").get_by_text(words).first.evaluate("e => e.checkVisibility() && e.offsetHeight > 0"))


@pytest.mark.one_case
@pytest.mark.parametrize("how", ["click", "keys"])
def test_a_choice_uncovers_its_answer_and_stands_beside_it(small: Path, page: Page, how: str) -> None:
    opened(page, small / "notebooks")
    assert not seen(page, "share of noise with")
    assert not page.get_by_role("heading", name="Step 5. Decide").count()
    assert serious(page) == []
    choices = page.get_by_role("radiogroup").first.get_by_role("radio")
    if how == "click":
        choices.nth(1).click()
    else:
        choices.nth(0).focus()
        page.keyboard.press("ArrowDown")
        assert page.locator(ANSWER).count() == 0, "an arrow chooses nothing"
        page.keyboard.press("Space")
    assert [choice.get_attribute("aria-checked") for choice in choices.all()] == ["false", "true", "false"]
    assert page.locator(f"{ANSWER}[open] li:has({CHOSEN})").inner_text().split("\n")[:1] == ["You chose: yes, A is better"]
    assert "wrong as well: A wins on two" in page.locator(f"li:has({CHOSEN})").inner_text()
    assert seen(page, "share of noise with")
    assert page.locator(COVERED).count(), "the next poll is open"
    assert not seen(page, "does not show equivalence")
    assert serious(page) == []
    choices.nth(0).click(force=True)
    assert page.locator(CHOSEN).count() == 1, "one bet, one choice"
    opened(page, small / "notebooks")
    assert not seen(page, "share of noise with"), "nothing is kept"


def test_a_number_is_a_bet_and_nobody_has_to_bet(pages: Path, page: Page) -> None:
    opened(page, pages, "08_bcv_mcnemar")
    page.get_by_label("Your number").fill("3.5")
    page.keyboard.press("Enter")
    assert page.locator(f"{ANSWER}[open]").inner_text().split("\n")[1] == "You bet 3.5."
    assert page.evaluate("document.activeElement.matches('details.fstats-answered summary')")
    page.get_by_role("button", name="without betting").click()
    assert (page.locator(f"{ANSWER}[open]").count(), page.locator(CHOSEN).count()) == (2, 1)
    assert page.locator(COVERED).count() == 0


@pytest.mark.parametrize("link", ["#steps-1-and-2-a-paired-test-and-two-hypotheses", "#Step-5.-Decide"])
def test_a_link_uncovers(pages: Path, page: Page, link: str) -> None:
    opened(page, pages, link=link)
    assert seen(page, "share of noise with")
    opened(page, pages, link="#the-data-and-a-guess")
    assert not seen(page, "share of noise with")
    page.evaluate("link => { location.hash = link }", link)
    page.wait_for_function("() => !document.querySelector('#steps-1-and-2-a-paired-test-and-two-hypotheses').closest('.fstats-covered')")
    assert page.locator(CHOSEN).count() == 0
    opened(page, pages)
    assert page.locator(COVERED).first.get_attribute("hidden") == "until-found"
    page.get_by_text("does not show equivalence").first.dispatch_event("beforematch")  # as a search in the page does
    assert page.locator(COVERED).count() == 0


def test_paper_and_pages_without_scripts_show_everything(pages: Path, page: Page) -> None:
    opened(page, pages)
    page.emulate_media(media="print")
    assert seen(page, "share of noise with")
    assert not page.get_by_role("button", name="without betting").first.is_visible()
    page.emulate_media(media="screen")
    assert not seen(page, "share of noise with")
    plain = page.context.browser.new_context(java_script_enabled=False).new_page()
    plain.goto((pages / "01_paired_t.html").as_uri())
    assert plain.get_by_text("share of noise with").first.is_visible()
    assert plain.get_by_role("button", name="without betting").count() == plain.get_by_role("radio").count() == 0
    plain.context.close()


def test_jupyterlab_covers_the_same_cells_as_a_page(page: Page) -> None:
    """The rule stands in two languages."""
    page.goto((EXTENSION / "package.json").as_uri())
    page.add_script_tag(url=(EXTENSION / "static" / "hall.js").as_uri())
    for lesson in sorted((ROOT / "notebooks").glob("*.ipynb")):
        cells = nbformat.read(lesson, as_version=4).cells
        expected = [list(covered_cells(cells, poll.id)) for poll in find_polls(cells)]
        places = [k for k, cell in enumerate(cells) if "poll" in cell.metadata.get("tags", ())]
        assert page.evaluate(COVERED_BY, [[dict(cell) for cell in cells], places]) == expected, lesson.name


def test_jupyterlab_covers_what_answers_a_bet_until_a_choice(page: Page, tmp_path: Path) -> None:
    with jupyterlab(copy_course(tmp_path).to) as address:
        page.goto(f"{address}/lab/tree/notebooks/01_paired_t.ipynb?token={TOKEN}&reset")
        page.wait_for_selector(READY)
        page.wait_for_function(f"() => {NOTEBOOK}.widgets[4].node.querySelector('[role=radio]')")
        cells = nbformat.read(ROOT / "notebooks/01_paired_t.ipynb", as_version=4).cells
        first, second = ([*covered_cells(cells, poll.id)] for poll in [*find_polls(cells)][:2])
        assert page.evaluate(HIDDEN) == first
        page.evaluate(f"() => {{ const notebook = {NOTEBOOK}; notebook.activeCellIndex = 4; notebook.activate(); }}")
        page.keyboard.press("Shift+Enter")
        page.wait_for_function("() => document.activeElement.role === 'radio'")  # Shift + Enter stays at the bet
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Shift+Enter")
        assert page.locator(f".jp-Notebook:visible {ANSWER}").count() == 0, "running cells chooses nothing"
        page.keyboard.press("Enter")
        chosen = page.locator(f".jp-Notebook:visible {ANSWER}[open] li:has({CHOSEN})")
        assert chosen.inner_text().startswith("You chose: yes, A is better\nwrong as well: A wins on two")
        assert page.evaluate(HIDDEN) == second
        page.keyboard.press("Shift+Enter")
        page.wait_for_function(f"() => {NOTEBOOK}.activeCellIndex === 5")  # the cells behind the bet run as all others
        page.evaluate(f"() => {{ {NOTEBOOK}.activeCellIndex = {second[-1]} }}")  # as a search does
        assert page.evaluate(HIDDEN) == []
        page.evaluate(INSTEAD, "notebooks/08_bcv_mcnemar.ipynb")
        page.wait_for_function(f"() => {NOTEBOOK}.widgets?.[6]?.node.querySelector('input')")
        assert page.evaluate(HIDDEN) == list(range(7, 18))
        page.evaluate(f"() => {{ {NOTEBOOK}.setFragment('#What-are-ten-tables-worth?') }}")  # as a link does
        page.wait_for_function(f"() => {NOTEBOOK}.widgets.every(cell => !cell.isHidden)")


def test_a_lecture_covers_nothing(page: Page, tmp_path: Path) -> None:
    with jupyterlab(copy_course(tmp_path).to, lecture=True) as address:
        page.goto(f"{address}/lab/tree/notebooks/01_paired_t.ipynb?token={TOKEN}&reset")
        page.wait_for_selector(READY)
        assert page.evaluate(HIDDEN) == []
        assert page.locator(".fstats-note").count() == 0
