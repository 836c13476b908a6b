"""The site, a deck and a page for paper in a real Chromium that has no network."""

import re
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from laboratory import Page, browser_page
from looking import CUT, cut, script, serious

import fstats
from fstats.core.worked_example_row import Row
from fstats.explore.walkthrough.walk_strip import walk_strip
from fstats.plot.drawing.matplotlib_figure import STYLE
from fstats.publish import printable_page, slide_deck, slide_layout, worksheet
from fstats.publish.html_export import export_html
from fstats.publish.notebook_content import read_notebook, slide_type
from fstats.render.html import mathjax, rows_html

pytestmark = [pytest.mark.browser, pytest.mark.needs("chromium")]
ROOT = Path(__file__).parents[2]
NOTEBOOK = ROOT / "notebooks" / "01_paired_t.ipynb"
WIDEST = ROOT / "notebooks" / "14_bayesian_comparison.ipynb"
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
EVERY = [pytest.param(path, marks=() if path == WIDEST else pytest.mark.slow, id=path.stem) for path in NOTEBOOKS]
PAGES = ("index", "notebooks/01_paired_t")
MORE_PAGES = ("exercises/01_paired_t_by_hand", "reference/PairedT")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A deck and a page for paper."""
    to = tmp_path_factory.mktemp("published")
    slide_deck.write_deck(NOTEBOOK, to / "deck")
    printable_page.write_printable_page(NOTEBOOK, to / "paper")
    return to


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    """A page without a network, which tells what it complains of and whom it asks."""
    with browser_page() as page:
        page.context.set_offline(True)
        yield page


@pytest.fixture
def complaints(page: Page) -> Iterator[list[str]]:
    """Errors and requests that leave this machine; there must be none."""
    found: list[str] = []

    def hear(kind: str, text: str) -> None:
        found.append(f"{kind}: {text}")

    def asked(url: str) -> None:
        if not url.startswith(("file:", "data:", "about:", "blob:")):
            found.append(f"asked: {url}")

    listeners = {
        "console": lambda said: hear("error", said.text) if said.type == "error" else None,
        "pageerror": lambda error: hear("error", str(error)),
        "request": lambda request: asked(request.url),
    }
    for event, listener in listeners.items():
        page.on(event, listener)  # type: ignore[call-overload]
    yield found
    for event, listener in listeners.items():
        page.remove_listener(event, listener)
    assert found == []


@pytest.mark.one_case
@pytest.mark.usefixtures("complaints")
@pytest.mark.parametrize("name", [*PAGES, *(pytest.param(name, marks=pytest.mark.slow) for name in MORE_PAGES)])
def test_the_site_is_read_without_a_network(small: Path, page: Page, name: str) -> None:
    """Formulas are typeset, pictures are there, nothing is wider than a desk or a phone, and axe finds nothing serious in light or dark."""
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto((small / f"{name}.html").as_uri())
    page.wait_for_function("() => window.MathJax?.startup?.promise")
    page.evaluate("() => MathJax.startup.promise")
    assert page.evaluate(
        "() => [...document.querySelectorAll('.math, .fstats')].every(e => !/\\$\\\\displaystyle|\\\\\\(/.test(e.textContent))"
    )
    if name.startswith("notebooks"):
        assert page.locator("mjx-container").count() > 30
        lost = "() => [...document.images].filter(e => { e.loading = 'eager'; return e.complete && !e.naturalWidth; }).length"
        assert page.evaluate(lost) == 0
    for scheme, width in (("light", 1280), ("dark", 390)):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_function("scheme => document.documentElement.dataset.theme === scheme", arg=scheme)
        page.wait_for_function("() => document.documentElement.scrollWidth <= innerWidth")  # formulas are typeset anew
        page.wait_for_timeout(600)  # the theme's colours fade, and what scrolls sideways now takes the keyboard 0.3 seconds later
        assert serious(page) == [], scheme
        # what is printed, such as a conclusion, is read without scrolling sideways
        beyond = "all => all.filter(e => e.scrollWidth > e.clientWidth).map(e => e.textContent)"
        assert page.locator(".cell_output pre").evaluate_all(beyond) == [], scheme


@pytest.mark.usefixtures("complaints")
@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1366, 768), (390, 844)])
def test_the_first_screen_has_the_question_the_doors_and_the_walk(small: Path, page: Page, width: int, height: int) -> None:
    """Nothing must be scrolled to see them, and the walk moves at the first press; a phone shows the walk's first picture."""
    page.set_viewport_size({"width": width, "height": height})
    page.goto((small / "index.html").as_uri())
    page.wait_for_selector(".fstats-walk[data-frame='0']")
    seen = "all => all.map(e => e.getBoundingClientRect()).filter(box => box.height && box.top >= 0 && box.bottom <= innerHeight).length"
    assert [page.locator(part).evaluate_all(seen) for part in ("h1", ".fstats-doors a", ".fstats-doors li")] == [1, 3, 3]
    walk = ".fstats-walk" if width > 600 else ".fstats-walk .fstats-picture >> nth=0"
    assert [page.locator(part).evaluate_all(seen) for part in (walk, ".fstats-walk [aria-label='Next step']")] == [1, 1]
    page.locator(".fstats-walk [aria-label='Next step']").click()
    page.wait_for_selector(".fstats-walk[data-frame='1']")
    assert page.locator(".fstats-doors a").evaluate_all(seen) == 3


@pytest.mark.usefixtures("complaints")
def test_the_search_finds_without_a_network(small: Path, page: Page) -> None:
    page.goto((small / "search.html").as_uri() + "?q=pairing")
    page.wait_for_selector("#search-results a")
    assert any("The paired t-test" in words for words in page.locator("#search-results a").all_inner_texts())


SEEN = script("slide").replace("MEASURE_CUT", CUT)
OURS = STYLE["font.size"] * 80 / 72  # pixels of the words in a picture as it is stored; matplotlib's own are smaller: 10 points at 100 dpi


def walk_through(page: Page, deck_of_slides: Path) -> tuple[set[str], int]:
    """Slide after slide by the keyboard: none scrolls, nothing is cut, and words and formulas are as large as a hall needs them.

    Gives the places and the explorers.
    """
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(deck_of_slides.as_uri())
    page.wait_for_selector("html[data-ready]")
    total = page.evaluate("() => Reveal.getTotalSlides()")
    assert total > 2
    places, explorers = set(), 0
    for _ in range(20 * total):  # a press shows what comes next on a slide, or leads to the next one
        found = page.evaluate(SEEN)
        assert not found["scrolls"], found
        assert not found["wide"], found
        assert not found["cut"], found
        assert not found["untypeset"], found
        assert found["smallest"] >= 17.5, found
        assert found["drawn"] >= 17.5, found
        assert found["broken"] == found["apart"] == found["under"] == [], found
        for width, scale in found["pictures"]:
            assert scale * (OURS if width == 640 else 10 * 100 / 72) >= 17.5, found
        explorers += found["explorers"] * (found["place"] not in places)
        places.add(found["place"])
        if found["last"]:
            break
        page.keyboard.press("Space")
    assert len(places) == total
    return places, explorers


@pytest.mark.usefixtures("complaints")
def test_a_deck_runs_without_a_network(pages: Path, page: Page) -> None:
    """It is complete, what was too high for a slide is shared out, and axe finds nothing serious."""
    stored = slide_layout.notebook_to_slides(read_notebook(NOTEBOOK))
    begun = sum(slide_type(cell) in ("slide", "subslide") for cell in stored.cells)
    places, explorers = walk_through(page, pages / "deck" / f"{NOTEBOOK.stem}.html")
    assert len(places) >= begun
    assert (explorers, serious(page)) == (1, [])
    written, shown = page.evaluate(
        """file => {
            const lines = page => [...page.querySelectorAll(".slides :is(p, li, pre, tbody tr, h1, h2, h3)")]
                .filter(e => !e.closest("aside, thead, .fstats-again, .fstats-walk"))
                .filter(e => !/[$]|\\\\\\(/.test(e.textContent) && !e.querySelector("mjx-container"));
            const words = all => all.map(e => e.textContent).sort();
            return [words(lines(new DOMParser().parseFromString(file, "text/html"))), words(lines(document))];
        }""",
        (pages / "deck" / f"{NOTEBOOK.stem}.html").read_text(encoding="utf-8"),
    )
    assert len(written) > 50
    assert shown == written  # nothing is lost, and nothing stands twice


# headings of slides that have a repeated heading and nothing else
HEADINGS_ALONE = """() => [...document.querySelectorAll(".slides section:not(:has(section)):has(.fstats-again)")].filter((slide) => {
    const rest = [...slide.querySelectorAll("h1, h2, h3, h4, p, li, pre, table, img, svg")].filter((e) => !e.closest(".fstats-again"));
    return !rest.some((e) => e.textContent.trim() || e.matches("img, svg"));
}).map((slide) => slide.innerText)"""


@pytest.mark.slow  # the deck above is looked at in the same way in every run
@pytest.mark.usefixtures("complaints")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_no_slide_of_any_deck_scrolls_or_is_cut(path: Path, page: Page, tmp_path: Path) -> None:
    """Every notebook's core, at 1280 x 720."""
    places, _ = walk_through(page, slide_deck.write_deck(path, tmp_path))
    assert page.evaluate(HEADINGS_ALONE) == []
    page.evaluate("Reveal.slide(0, 0)")
    for _ in range(1000):  # and no arrow passes by what stands below
        places.discard(page.evaluate("JSON.stringify([Reveal.getIndices().h, Reveal.getIndices().v])"))
        if page.evaluate("Reveal.isLastSlide()"):
            break
        page.keyboard.press("ArrowRight")
    assert not places


LONG = " + ".join(f"a_{{{k}}}" for k in range(17))
WHOLE = rf"\frac{{{LONG}}}{{2}}"  # in which no line ends


@pytest.fixture
def wide(tmp_path: Path) -> Path:
    """A notebook with a formula by itself, one in a worked table and a line of code that are wider than a slide."""
    shown = rows_html([Row("x", "x", "=", WHOLE, WHOLE, 12.0, "What it is, in words that stand beside it.", "", "step")], mathjax)
    cells = [
        nbformat.v4.new_markdown_cell(f"# Wide\n\n$${LONG} + {LONG}$$"),
        nbformat.v4.new_markdown_cell("## A table\n\nAnd words.", metadata={"slideshow": {"slide_type": "slide"}}),
        nbformat.v4.new_code_cell(
            "x = " + " + ".join(f"a[{k}]" for k in range(40)), outputs=[nbformat.v4.new_output("display_data", {"text/html": shown})]
        ),
    ]
    path = tmp_path / "01_wide.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    return path


@pytest.mark.usefixtures("complaints")
def test_what_is_too_wide_for_a_slide_or_a_sheet_is_fitted(wide: Path, page: Page) -> None:
    """By its place or its size, nothing by its edge; and where nothing fits it, the tests find what is cut."""
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(slide_deck.write_deck(wide, wide.parent / "deck").as_uri())
    page.wait_for_selector("html[data-ready]")
    for _ in range(page.evaluate("() => Reveal.getTotalSlides()")):
        assert cut(page, "section.present:not(:has(section))") == []
        page.keyboard.press("Space")
    page.goto(printable_page.write_printable_page(wide, wide.parent / "paper")[0].as_uri())
    page.evaluate("() => MathJax.startup.promise")
    for e in ("mjx-container[display=true]", ".fstats-lines mjx-container"):
        assert cut(page, "main") == []
        page.locator(e).last.evaluate("e => { e.style.fontSize = '150px'; }")
        assert cut(page, "main")
        page.evaluate("() => narrow(document.querySelector('main'))")
    page.add_style_tag(content="pre { white-space: pre !important; overflow-x: auto; } .fstats-lines { width: 110% !important; }")
    found = cut(page, "main")
    assert any(one.startswith("cut: pre") for one in found)
    assert any(one.startswith("outside: table") for one in found)


@pytest.mark.usefixtures("complaints")
@pytest.mark.parametrize("path", EVERY)
def test_nothing_is_cut_on_paper(path: Path, page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a sheet of A4 formulas, tables, code and pictures stand between the margins, and formulas can be read."""
    monkeypatch.setattr(printable_page, "find_browser", lambda: "")
    page.set_viewport_size({"width": 1000, "height": 800})
    page.goto(printable_page.write_printable_page(path, tmp_path)[0].as_uri())
    page.evaluate("() => MathJax.startup.promise")
    page.emulate_media(media="print")
    try:
        assert page.evaluate("() => document.querySelector('main').offsetWidth") == 673  # 178 mm
        assert cut(page, "main") == []
        sizes = page.evaluate("() => [...document.querySelectorAll('mjx-container')].map(e => parseFloat(getComputedStyle(e).fontSize))")
        assert min(sizes, default=9.3) >= 9.3  # 7 points
        assert page.locator("details:not([open])").count() == 0
    finally:
        page.emulate_media(media="screen")


@pytest.mark.usefixtures("complaints")
def test_a_walk_of_twelve_steps_and_each_page_of_a_worksheet_fit_a_page(page: Page, tmp_path: Path) -> None:
    """Of A4 and of Letter, which is lower; nothing reaches out of its panel, and what is small can be read."""
    strip = nbformat.v4.new_markdown_cell(
        walk_strip(fstats.PairedT([85, 70, 79, 78, 83], [87, 68, 85, 75, 83]).walk(upto="reject").content)
    )
    html = export_html(nbformat.v4.new_notebook(cells=[strip]), "paper", "A walk", "paper.css", "paper.js")
    for name, text, number in (("strip", html, 1), ("sheet", worksheet.worksheet_page(NOTEBOOK), 2)):
        (tmp_path / f"{name}.html").write_text(text, encoding="utf-8")
        page.goto((tmp_path / f"{name}.html").as_uri())
        page.evaluate("() => MathJax.startup.promise")
        heights = page.evaluate("() => [...document.querySelectorAll('main > *')].map(e => e.getBoundingClientRect().height)")
        assert len(heights) == number
        assert max(heights) <= 920
        assert cut(page, "main") == []
        wide = (
            "e => Math.max(...[...e.querySelectorAll('*')].map(one => one.getBoundingClientRect().right)) - e.getBoundingClientRect().right"
        )
        assert max(panel.evaluate(wide) for panel in page.locator(".fstats-strip > div").all()) <= 0
        letters = "e => e.getBoundingClientRect().height / e.viewBox.baseVal.height * parseFloat(e.getAttribute('font-size'))"
        assert min(picture.evaluate(letters) for picture in page.locator(".fstats-strip > div > svg").all()) >= 7.3  # 5.5 points


def test_paper_is_printed(pages: Path) -> None:
    """A PDF of several pages, in which formulas have been typeset: raw dollars would be words."""
    data = (pages / "paper" / f"{NOTEBOOK.stem}.pdf").read_bytes()
    assert data.startswith(b"%PDF-")
    assert 6 <= len(re.findall(rb"/Type\s*/Page\b", data)) <= 40


@pytest.mark.usefixtures("complaints")
def test_the_page_for_paper_is_read_without_a_network(pages: Path, page: Page) -> None:
    page.goto((pages / "paper" / f"{NOTEBOOK.stem}.html").as_uri())
    page.evaluate("() => MathJax.startup.promise")
    assert page.locator("mjx-container").count() > 30
    assert (page.locator("text=\\displaystyle").count(), serious(page)) == (0, [])
