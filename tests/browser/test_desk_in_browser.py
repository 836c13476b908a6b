"""The desk in a real Chromium: a file is dropped, a question answered, a role chosen, a file saved, by mouse, keyboard and phone."""

import json
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest
from laboratory import KEPT, LIVE, PATIENCE, Page, asking_nobody_else, live_site
from looking import SCREENS, crowded, serious

import fstats
from fstats.explore.results_desk.desk import Desk
from fstats.explore.results_desk.table_reading import example_names
from fstats.publish.desk_page import serve_desk

pytestmark = [pytest.mark.browser, pytest.mark.needs("chromium")]
DROP = """([name, text]) => {
    const data = new DataTransfer(), drop = document.querySelector(".fstats-drop");
    data.items.add(new File([text], name));
    const how = { dataTransfer: data, bubbles: true, cancelable: true };
    for (const kind of ["dragover", "drop"]) drop.dispatchEvent(new DragEvent(kind, how));
}"""
YES = {True: "tak", False: "nie"}
FOCUSED = "document.querySelector('.fstats-desk').contains(document.activeElement)"
RUNS = "task,model,season,accuracy\n" + "".join(
    f"{task},{who},{season},{value:.3f}\n"
    for (task, who, season), value in zip(
        [(task, who, season) for task in "abcdefgh" for who in ("fox", "owl", "elk") for season in ("summer", "winter")],
        np.random.default_rng(4).uniform(0.5, 0.9, 48),
    )
)


@pytest.fixture
def page(browser: Page) -> Iterator[Page]:
    """A page of its own that may not complain."""
    made = browser.context.browser.new_context(viewport={"width": 1280, "height": 720}).new_page()
    made.set_default_timeout(PATIENCE)
    complaints: list[str] = []
    made.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    made.on("pageerror", lambda error: complaints.append(str(error)))
    yield made
    made.context.close()
    assert complaints == []


def waited(page: Page, words: str = "") -> str:
    """What the desk shows once it has answered."""
    page.locator(".fstats-desk", has_text=words).wait_for()
    page.locator(".fstats-desk[aria-busy='false']").wait_for()
    return str(page.locator(".fstats-desk").inner_text())


def wide_parts(page: Page) -> list[str]:
    """Parts of the page that reach beyond the screen, and do not scroll by themselves."""
    found: list[str] = page.evaluate(
        "[...document.querySelectorAll('.fstats-desk > *, .fstats-desk section > *')]"
        ".filter(e => e.getBoundingClientRect().right > innerWidth).map(e => e.className)"
    )
    return found + ["page"] * page.evaluate("document.documentElement.scrollWidth > innerWidth")


LONG = [
    "Gradient boosted trees (tuned)",
    "Random forest with 500 trees",
    "Support vector machine (RBF)",
    "Logistic regression with l2 penalty",
    "k-nearest neighbours (k = 15)",
    "Naive Bayes with kernel density",
    "Multilayer perceptron 256-128",
    "Decision tree pruned by cost",
]
CROSSED = """all => all.flatMap(svg => {
    const lines = [...svg.querySelectorAll("path, circle, rect")].filter(e => !e.closest("defs")).map(e => e.getBoundingClientRect())
        .filter(box => Math.min(box.width, box.height) < 14); // a word may stand below a curve, or in an area
    return [...svg.querySelectorAll("text")].filter(e => {
        const word = e.getBoundingClientRect(), high = 0.2 * word.height;
        return lines.some(line => line.left < word.right - 1 && line.right > word.left + 1
            && line.top < word.bottom - high && line.bottom > word.top + high);
    }).map(e => e.textContent);
})"""


def table(count: int) -> str:
    """Scores of classifiers with long names on 30 data sets."""
    random = np.random.default_rng(3)
    scores = random.normal(0.8, 0.05, (30, 1)) + np.linspace(0, 0.06, count) + random.normal(0, 0.03, (30, count))
    return "\n".join(
        ["data set," + ",".join(LONG[:count]), *(f"set {k}," + ",".join(map(str, row)) for k, row in enumerate(scores.clip(0, 1).round(4)))]
    )


@pytest.mark.parametrize(
    ("count", "settings"),
    [
        (8, {}),
        (8, {"control": LONG[2], "rope": 0.1}),
        (8, {"test": "OneWayAnova"}),
        (4, {"answers": {"aim": "equivalence"}, "margin": 0.02}),
        (2, {"rope": 0.01}),
    ],
    ids=str,
)
def test_a_phone_shows_every_picture_whole(page: Page, count: int, settings: dict[str, Any]) -> None:
    """Each picture is as wide as its frame, its words are large enough, and no word stands over a line, a mark or another word."""
    width, height = SCREENS["phone"]
    page.set_viewport_size({"width": width, "height": height})
    with serve_desk(fstats.desk(table(count), **settings)) as address:
        page.goto(address)
        waited(page, "Paragraph for a paper")
        page.wait_for_function("document.querySelector('.fstats-picture svg').clientWidth < innerWidth")  # drawn for this width
        if count == 2:
            page.get_by_role("button", name="All recommended analyses").click()
            page.locator(".fstats-multiverse svg").wait_for()
        pictures = page.locator(".fstats-desk svg[role=img]")
        assert pictures.count() >= (1 if count == 4 else 2)
        beyond = "all => all.filter(e => e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1).length"
        assert page.locator(".fstats-desk-pictures, .fstats-desk-pictures > *").evaluate_all(beyond) == 0
        assert pictures.evaluate_all("all => all.filter(e => e.getBoundingClientRect().right > innerWidth).length") == 0
        assert crowded(page.locator(".fstats-desk")) + pictures.evaluate_all(CROSSED) == []
        for box in page.locator(".fstats-desk .fstats-work[tabindex='0'], .fstats-work div[tabindex='0']").all():
            assert "sideways" in box.evaluate("e => getComputedStyle(e, '::after').content")  # a table that scrolls says so


def test_from_a_dropped_file_to_the_paragraph(page: Page) -> None:
    """Its question is answered by a button, a role is chosen, a setting changed; each number is that of the same calls in Python."""
    with serve_desk(fstats.desk()) as address:
        page.goto(address)
        page.evaluate(DROP, ["runs.csv", RUNS])
        assert "which differ in" in waited(page, "A question about the table")
        page.get_by_role("button", name="Use only the lines with season = winter").press("Enter")
        waited(page, "Paragraph for a paper")
        assert page.evaluate(FOCUSED)  # although the button is gone
        ours = fstats.desk(RUNS, reading={"where": {"season": "winter"}})
        assert page.locator(".fstats-conclusion").inner_text().replace("\xa0", " ") == ours.test.conclusion
        assert page.locator(".fstats-paragraph").inner_text() == ours.report.text
        for wrong, words in (
            ("5", "alpha must be between 0 and 1"),
            ("a fifth", "alpha must be a number, such as 0.05 or 0,05; got 'a fifth'"),
        ):
            page.get_by_label("alpha").fill(wrong)
            page.get_by_label("alpha").press("Enter")
            page.locator(".fstats-error", has_text=words).wait_for()
            waited(page, "Result of the former settings")
            assert page.get_by_role("button", name="comparison.py").count() == 0
        page.get_by_label("alpha").fill("0,2")
        page.get_by_label("alpha").press("Enter")
        waited(page, "alpha = 0.2")
        page.locator("select[name=test]").select_option("Repeated-measures analysis of variance")
        waited(page, "Repeated-measures analysis of variance: the worked steps")
        ours.set(alpha=0.2, test="RepeatedAnova")
        assert page.locator(".fstats-paragraph").inner_text() == ours.report.text
        assert json.loads(page.evaluate("decodeURIComponent(location.hash.slice(1))")) == ours.view["settings"]
        page.get_by_label("Take back: Use only the lines with season = winter").click()
        waited(page, "A question about the table")
        page.get_by_label("Role of the column season").select_option("ignore")
        waited(page)
        page.get_by_label("Role of the column season").select_option("fold")
        assert "Repeated-measures" in waited(page, "Paragraph for a paper")
        with page.expect_download() as saved:
            page.get_by_role("button", name="comparison.py").click()
        assert "fold=['season']" in Path(saved.value.path()).read_text(encoding="utf-8")
        page.reload()  # the tab holds the table, and the link the settings
        assert "Repeated-measures analysis of variance: the worked steps" in waited(page, "runs.csv")
        page.evaluate("sessionStorage.clear()")  # as in another tab
        page.reload()
        page.locator(".fstats-asked", has_text="This link holds settings").wait_for()
        settled = page.url
        page.evaluate(DROP, ["again.csv", RUNS])
        assert "Repeated-measures analysis of variance: the worked steps" in waited(page, "again.csv")
        assert json.loads(page.evaluate("decodeURIComponent(location.hash.slice(1))")) != {}
        page.get_by_role("button", name="Use the table without them").click()  # the page says that the settings of the link are used
        page.wait_for_function("location.hash === ''")
        waited(page)  # an answer that came later would be kept again, and read after the reload
        page.goto(settled)  # only the part after # changes, so that the browser does not load the page again
        assert "Repeated-measures analysis of variance: the worked steps" in waited(page, "again.csv")
        page.evaluate("sessionStorage.clear()")
        page.reload()  # for another table these settings may make no sense
        page.evaluate(DROP, ["other.csv", "set,fox,owl\n" + "".join(f"{k}x,0.6{k},0.6{k}5\n" for k in range(9))])
        page.locator(".fstats-error", has_text="has no column 'season'").wait_for()
        page.get_by_role("button", name="Forget all settings").click()
        assert "owl is better" in waited(page, "Paragraph for a paper")
        assert page.evaluate("location.hash") == ""


READABLE = """() => [...document.querySelectorAll(".fstats-desk *")].filter(e => !e.closest("svg, math") && e.getClientRects().length
    && [...e.childNodes].some(one => one.nodeType === 3 && one.data.trim())
    && parseFloat(getComputedStyle(e).fontSize) < (e.closest("pre, code, textarea") ? 14 : 16)).map(e => e.outerHTML.slice(0, 80))"""


@pytest.mark.parametrize("screen", ["desktop", "phone"])
def test_what_is_new_is_seen_without_scrolling(page: Page, screen: str) -> None:
    """The question after the table came, the conclusion after its answer: in the window, with the focus, in letters that a phone shows."""
    width, height = SCREENS.get(screen, (1280, 720))
    page.set_viewport_size({"width": width, "height": height})

    def seen(section: str, line: str) -> None:
        page.wait_for_function("name => document.activeElement.matches(name)", arg=section)
        box = page.locator(f"{section} {line}").first.bounding_box()
        assert box is not None
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= height

    with serve_desk(fstats.desk()) as address:
        page.goto(address)
        page.get_by_label("Cells of a spreadsheet").fill(MESSY["errors"][0])
        page.get_by_role("button", name="Compare").click()
        seen(".fstats-asked", "button")
        page.get_by_role("button", name="Lower is better").click()
        waited(page, "Paragraph for a paper")
        seen(".fstats-result", ".fstats-conclusion")
        assert screen == "desktop" or page.evaluate(READABLE) == []
        page.get_by_label("alpha").scroll_into_view_if_needed()
        before = page.evaluate("scrollY")
        page.get_by_label("alpha").fill("0.2")
        page.get_by_label("alpha").press("Enter")
        waited(page, "alpha = 0.2")
        assert page.evaluate("document.activeElement.name") == "alpha"  # a setting is changed again
        assert abs(page.evaluate("scrollY") - before) < height / 2


MESSY = {  # table, buttons that are pressed one after the other, text of the script that it offers
    "errors": (
        "set,fox,owl\n" + "".join(f"{k}x,0.{k + 11},0.{k + 12}\n" for k in range(9)),
        ["Lower is better"],
        "higher_is_better=False",
    ),
    "predictions": (
        "nr,prawda,las,sieć\n" + "".join(f"{k},{YES[k % 3 > 0]},{YES[k % 5 > 0]},{YES[k % 4 > 0]}\n" for k in range(40)),
        ["The column prawda holds the true class"],
        "table[name] == table['prawda']",
    ),
    "seeds": (
        "seed,fox acc,owl acc\n" + "".join(f"{k},0.7{k},0.6{9 - k}\n" for k in range(9)),
        [
            "The lines are repetitions with other splits, numbered by seed",
            "The ratio of test to training records is 1/9: each split tests 1/10 of the records",
        ],
        "repetition='seed', test_train_ratio='1/9'",
    ),
    "marks": (
        "Datensatz;Wald;Baum\n" + "".join(f"D{k};0,7{k};{'k. A.' if k == 4 else f'0,6{k}'}\n" for k in range(9)) + "D3;0,71;0,64\n",
        ["Average the repeated lines", "Leave out the data sets with missing scores"],
        "repeated='average', missing='drop data sets'",
    ),
}


@pytest.mark.parametrize("name", MESSY)
def test_questions_about_messy_tables_have_buttons(page: Page, name: str) -> None:
    """Each answer is a button, no winner is named before, the script holds the answers, and an answer can be taken back."""
    table, buttons, argument = MESSY[name]
    with serve_desk(fstats.desk()) as address:
        page.goto(address)
        page.evaluate(DROP, ["messy.csv", table])
        for label in buttons:
            page.locator("section.fstats-asked").get_by_role("button", name=label, exact=True).wait_for()
            assert page.locator(".fstats-result").is_hidden()
            assert wide_parts(page) + serious(page) == []
            page.get_by_role("button", name=label, exact=True).press("Enter")
        waited(page, "Paragraph for a paper")
        assert page.locator("section.fstats-asked").is_hidden()
        with page.expect_download() as saved:
            page.get_by_role("button", name="comparison.py").click()
        assert argument in Path(saved.value.path()).read_text(encoding="utf-8")
        page.reload()
        waited(page, "Paragraph for a paper")
        if name == "predictions":
            page.get_by_label("Role of the column prawda").select_option("let the reader decide")
        else:
            page.get_by_label(f"Take back: {buttons[0]}").click()
        waited(page, "A question about the table")
        assert page.locator(".fstats-result").is_hidden()


def test_a_large_table_shows_its_rows_first_and_can_be_cancelled(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    """The former result returns at once; what the tab cannot keep over a reload is named.

    Long names of classes make a table that no tab keeps (above 5 MB) from few rows, which Python reads soon beside other work, too.
    """
    classes = ["no sign of the disease", "signs of the disease"]
    rows = ((k, classes[k % 2], classes[(k % 7 == 0) ^ (k % 2)], classes[(k % 3 == 0) ^ (k % 2)]) for k in range(90_000))
    large = "record,y_true,net,tree\n" + "".join("{},{},{},{}\n".format(*row) for row in rows)
    waits, update = Event(), Desk._update_view

    def slow(desk: Desk, request: dict[str, Any], error: str = "") -> None:
        if len(desk.comparison.content if desk._comparison else "") > 1e6:
            waits.wait(60)
        update(desk, request, error)

    with serve_desk(fstats.desk()) as address:
        page.goto(address)
        page.get_by_role("button", name=example_names()[0]).click()
        former = waited(page, "Paragraph for a paper")
        monkeypatch.setattr(Desk, "_update_view", slow)
        page.evaluate(DROP, ["large.csv", large])
        page.locator(".fstats-reading", has_text="90,000 rows").wait_for()
        assert page.locator("progress").get_attribute("value") == "2"
        page.get_by_role("button", name="Cancel").click()
        assert waited(page) == former
        waits.set()
        page.evaluate(DROP, ["large.csv", large])
        waited(page, "90,000 rows")
        page.locator(".fstats-paragraph", has_text="McNemar").wait_for()
        assert page.locator("progress").is_hidden()
        page.locator("select[name=test]").select_option("Exact McNemar test")
        page.locator(".fstats-paragraph", has_text="exact McNemar").wait_for()
        page.reload()
        assert "Choose large.csv again" in waited(page)
        page.evaluate(DROP, ["large.csv", large])
        page.locator(".fstats-paragraph", has_text="exact McNemar").wait_for()  # the setting of the link
        assert "Choose large.csv again" not in waited(page)


def test_a_reload_keeps_the_settings_for_the_file_of_the_command(page: Page) -> None:
    with serve_desk(fstats.desk(RUNS, reading={"where": {"season": "winter"}})) as address:
        page.goto(address)
        page.get_by_label("alpha").fill("0.2")
        page.get_by_label("alpha").press("Enter")
        changed = waited(page, "alpha = 0.2")
        page.reload()
        assert waited(page, "alpha = 0.2") == changed


def test_a_broken_file_and_another_table(page: Page) -> None:
    with serve_desk(fstats.desk()) as address:
        page.goto(address)
        page.evaluate(DROP, ["broken.csv", "a,b\nx\n"])
        page.locator(".fstats-error", has_text="below 2 headings").wait_for()
        page.get_by_label("Cells of a spreadsheet").fill(
            "set\tfox\towl\n" + "".join(f"{k}x\t{0.5 + k / 20}\t{0.6 + k / 20}\n" for k in range(8))
        )
        page.get_by_role("button", name="Compare").click()
        assert "owl is better than fox" in waited(page, "Paragraph for a paper")
        assert page.locator(".fstats-error").is_hidden()
        good = page.locator(".fstats-result").inner_text()
        page.evaluate(DROP, ["broken.csv", "a,b\nx\n"])
        page.locator(".fstats-error", has_text="below 2 headings").wait_for()
        assert page.locator(".fstats-result").inner_text() == good  # the broken file does not take the result away
        active = "<img src=x onerror=document.title='taken'>"
        text = f'data set,{active},"<b>two</b>"\n' + "".join(f"<b>{k}x</b>,{0.5 + k / 20},{0.6 + k / 20}\n" for k in range(8))
        page.evaluate(DROP, [f"{active}.csv", text])
        assert active in waited(page, "<b>two</b> is better")
        for summary in page.locator(".fstats-desk summary").all():
            summary.click()
        page.get_by_role("button", name="All recommended analyses").click()
        page.locator(".fstats-multiverse svg").wait_for()
        assert (page.title(), page.locator(".fstats-desk img").count()) == ("The desk: compare my results", 0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("screen", ["desktop", "phone"])
@pytest.mark.parametrize("name", example_names())
def test_everybody_can_use_it(page: Page, screen: str, scheme: Any, name: str) -> None:
    """Names, roles and contrast as axe-core wants them, by keyboard alone, and nothing beyond the edge of the screen."""
    width, height = SCREENS.get(screen, (1280, 720))
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(color_scheme=scheme)
    with serve_desk(fstats.desk()) as address:
        page.goto(address)
        assert wide_parts(page) + serious(page) == []
        for _ in range(30):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.textContent") == name:
                break
        page.keyboard.press("Enter")
        waited(page, "Paragraph for a paper")
        assert page.evaluate(FOCUSED)
        for summary in page.locator(".fstats-desk summary").all()[1:]:
            summary.click()
        assert wide_parts(page) + serious(page) == []
        assert page.locator(".fstats-conclusions").get_attribute("aria-live") == "polite"
        for picture in page.locator(".fstats-desk svg[role=img]").all():
            assert picture.get_attribute("aria-label")


class TestLiveSite:
    """The desk of a live site, whose Python is in the page."""

    pytestmark = LIVE

    def test_a_table_is_compared_in_the_page_and_without_a_network(self, browser: Page, tmp_path: Path) -> None:
        openpyxl = pytest.importorskip("openpyxl")  # a live site needs it
        with live_site(tmp_path / "site", "notebooks/01_paired_t") as address, asking_nobody_else(browser, address) as page:
            asked: list[str] = []
            page.on("request", lambda request: asked.append(request.url))
            page.goto(f"{address}desk.html")
            page.evaluate(DROP, ["runs.csv", RUNS.replace("season", "fold")])
            waited(page, "Paragraph for a paper")
            loaded = {url.rpartition("/")[2].partition(".")[0] for url in asked if url.endswith(".bin")}
            assert loaded == {"python", "course"}  # the first answer needs no further archive of libraries
            ours = fstats.desk(RUNS.replace("season", "fold"))
            assert page.locator(".fstats-paragraph").inner_text() == ours.report.text
            with page.expect_download() as saved:
                page.get_by_role("button", name="figure.pdf").click()
            assert Path(saved.value.path()).read_bytes().startswith(b"%PDF")
            book = openpyxl.Workbook()
            for line in [("set", "fox", "owl"), *((f"{letter}x", k + 50, k + 60) for k, letter in enumerate("abcdefgh"))]:
                book.active.append(line)
            book.save(tmp_path / "scores.xlsx")
            page.locator("input[type=file]").set_input_files(tmp_path / "scores.xlsx")
            waited(page, "owl is better than fox")
            assert {"more", "excel"} <= {url.rpartition("/")[2].partition(".")[0] for url in asked}
            kept = page.evaluate("caches.open('fstats-live').then((kept) => kept.keys()).then((all) => all.map(({ url }) => url))")
            assert {url for url in asked if url.endswith(".bin")} <= {*kept}  # no file is fetched again
            page.set_viewport_size({"width": 390, "height": 844})
            tops = [page.locator(name).first.evaluate("e => e.getBoundingClientRect().top") for name in (".bd-article h1", ".fstats-desk")]
            assert tops[1] - tops[0] <= 150  # below the heading and a sentence
            assert page.locator(".fstats-news").evaluate("e => getComputedStyle(e).position") == "static"  # the offer covers nothing
            page.evaluate(KEPT, address)
            page.context.set_offline(True)
            page.evaluate("sessionStorage.clear()")
            page.reload()
            page.get_by_role("button", name=example_names()[0]).click()
            waited(page, "Paragraph for a paper")
            assert page.locator(".fstats-paragraph").inner_text() == fstats.desk(example_names()[0]).report.text
            page.context.set_offline(False)
