"""The whole course as a live site, fetched once, in a real Chromium with neither server nor network: explorers, cells, exercises."""

import gzip
import io
import json
from base64 import b64decode
from collections.abc import Iterator, Mapping
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

import class_of
import nbformat
import pytest
from laboratory import KEPT, LIVE, ROOT, SHOWN, Locator, Page, asking_nobody_else, live_site
from test_jupyterlab import NAMES, seen, unfold, wait_until
from test_live_notes import CELL, download, marked, released, solve

from fstats import individual
from fstats.publish.browser_python.cell_dependencies import code_needed
from fstats.publish.browser_python.file_server import serve_folder
from fstats.publish.browser_python.prerendered_explorers import evaluate_cell
from fstats.publish.notebook_content import is_left_out, read_notebook

pytestmark = [*LIVE, pytest.mark.slow]
LESSONS = {name.partition(".")[0] for name in NAMES}
LARGEST = 150_000  # bytes of an explorer's drawn positions, compressed
CELLS = {  # of each lesson a cell, and what is typed into it instead of what
    "01_paired_t": ("a7b0598c", "np.mean(extreme)", "np.mean(extreme) / 2"),
    "02_wilcoxon": ("765ce114", "sorted(test.ranks[test.ranks > 0])", "[1, 2.5, 2.5, 4, 5]"),
    "03_contingency_table": ("b0d9b0b9", "n10=only_a", "n10=[9, 60]"),
    "05_friedman": ("55c721f0", "Friedman(auc,", "Friedman(auc[:8],"),
    "05b_post_hoc": ("04-42be2565", "[0.763, 0.768,", "[0.793, 0.768,"),
    "07_five_by_two": ("2837d80d", "d[0, 0]", "d[3, 1]"),
    "08_bcv_mcnemar": ("16-3bcdda87", "11 / 20", "1 / 2"),
    "09_which_test": ("414e8ed5", "margin=2", "margin=5"),
    "10_contingency_simulation": ("46d012de", "817, 0.03", "400, 0.04"),
    "14_bayesian_comparison": ("cb57d6a5", "(tuned, tree)", "(tree, tuned)"),
}


class Moving(NamedTuple):
    """An explorer in its page, and what the page was given of it."""

    place: Locator
    told: dict[str, Any]

    def move(self, name: str, position: int) -> None:
        """Move a control by hand."""
        if (slider := self.place.locator(f"input[name={name}]")).count():
            slider.fill(str(position))
        else:
            self.place.locator(f"label:has([data-control={name}][value='{position}'])").click()

    def shows(self, positions: Mapping[str, str], conclusion: str) -> None:
        """Wait until its controls stand like this; then it says this sentence."""
        wait_until(lambda: seen(self.place)["positions"] == positions and self.place.get_attribute("aria-busy") == "false")
        assert seen(self.place)["conclusion"] == conclusion != ""

    def move_first(self) -> int:
        """Move the first control to a position that was drawn, as far away as there is one; returns it."""
        before, views = seen(self.place), self.told["views"]
        k = 0 if self.told["start"] > len(self.told["places"]) // 2 else -1
        self.move(self.told["control"], self.told["places"][k])
        self.shows({control["name"]: control["text"] for control in views["controls"][k]}, views["conclusion"][k])
        assert seen(self.place) != before
        return int(self.told["places"][k])


def explorers(page: Page, lesson: str) -> Iterator[Moving]:
    """All of a page, each scrolled to."""
    scripts = page.locator("script.fstats-frames").all()
    assert len(scripts) == sum(name.startswith(f"{lesson}.") for name in NAMES)
    for script in scripts:
        data = b64decode(script.text_content() or "")
        assert len(data) <= LARGEST
        script.evaluate("e => e.previousElementSibling.scrollIntoView()")
        place = script.locator("xpath=preceding-sibling::*[1]").locator(".fstats-explorer:not(.fstats-walk)")
        place.locator("svg").first.wait_for()
        unfold(place)
        yield Moving(place, json.loads(gzip.decompress(data)))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, as it is written."""
    to = tmp_path_factory.mktemp("course") / "site"
    with live_site(to):
        return to


@pytest.fixture(scope="module")
def address(browser: Page, folder: Path) -> Iterator[str]:
    """Where the site was when the browser fetched it; since then the server has ended and the network is cut."""
    with serve_folder(folder) as address:
        browser.goto(f"{address}notebooks/01_paired_t.html")
        line = browser.locator(".fstats-fetch").first
        line.locator("button").click()
        line.wait_for(state="hidden")
        browser.evaluate(KEPT, address)
    browser.context.set_offline(True)
    yield address
    browser.context.set_offline(False)


@pytest.fixture
def page(browser: Page, address: str) -> Iterator[Page]:
    """A page without a network, which may not complain."""
    with asking_nobody_else(browser, address):
        yield browser


@pytest.mark.parametrize("lesson", sorted(LESSONS))
def test_every_control_of_every_explorer_moves(page: Page, address: str, lesson: str) -> None:
    """The first without Python, along drawn positions; then each of the others, and the first again, as the same class does here."""
    page.goto(f"{address}notebooks/{lesson}.html")
    for explorer in explorers(page, lesson):
        state = explorer.place.locator("xpath=..").locator(".fstats-fetch")
        here = evaluate_cell(explorer.told["before"], explorer.told["cell"])
        first = explorer.told["control"]
        here.move(**{first: explorer.move_first()})
        others = [control.name for control in here.controls if control.name != first]
        for name in [*others, first] if others else []:
            control = here.control(name)
            if not control.active:
                continue
            position = control.value + 1 if control.value < control.most else control.value - 1
            here.move(**{name: position})
            explorer.move(name, position)
            state.wait_for(state="hidden")
            explorer.shows({control.name: control.text for control in here.controls}, here.test.conclusion)
            assert seen(explorer.place)["words"] == [picture.text for picture in here.pictures(here.test)]


def test_once_python_is_there_no_position_is_left_out(page: Page, address: str) -> None:
    page.goto(f"{address}notebooks/11_fold_hacking.html")
    page.locator(".fstats-fetch button").first.click()
    (explorer,) = explorers(page, "11_fold_hacking")
    page.locator(".fstats-fetch").first.wait_for(state="hidden")
    here = evaluate_cell(explorer.told["before"], explorer.told["cell"])
    seed = here.control("seed").value + 1
    assert seed not in explorer.told["places"]
    here.move(seed=seed)
    explorer.move("seed", seed)
    explorer.shows({control.name: control.text for control in here.controls}, here.test.conclusion)


@pytest.mark.parametrize("lesson", CELLS)
def test_an_edited_cell_computes_what_every_other_python_does(page: Page, address: str, lesson: str) -> None:
    cells = [
        cell for cell in read_notebook(ROOT / "notebooks" / f"{lesson}.ipynb").cells if cell.cell_type == "code" and not is_left_out(cell)
    ]
    cell, old, new = CELLS[lesson]
    k = [one.id for one in cells].index(cell)
    typed = cells[k].source.replace(old, new)
    assert typed != cells[k].source
    page.goto(f"{address}notebooks/{lesson}.html")
    box = page.locator(CELL).nth(k)
    box.locator("textarea.fstats-field").fill(typed)
    box.locator("button", has_text="Run above").click()
    page.wait_for_function("document.body.dataset.fstats === 'rests'", timeout=300_000)
    assert box.get_attribute("data-state") == "ran"
    assert box.locator(".cell_output").inner_text().strip() == printed_here([one.source for one in cells[:k]], typed)


def printed_here(above: list[str], cell: str) -> str:
    """What a cell prints in this Python, without white space around it."""
    space: dict[str, Any] = {"__name__": "__main__"}
    exec(code_needed(above, cell), space)
    with redirect_stdout(io.StringIO()) as said:
        exec(cell, space)
    return said.getvalue().strip()


@pytest.mark.needs("bubblewrap")
@pytest.mark.parametrize("exercise", ["paired_t_by_hand", "friedman_and_nemenyi", "write_your_own_test"])
def test_an_exercise_is_solved_to_full_points(page: Page, address: str, tmp_path: Path, exercise: str) -> None:
    """With a student's own data: the page says that all is right, and so do the marks of the notebook that he downloads."""
    own = released(tmp_path, exercise)
    page.goto(f"{address}exercises/{own.stem}.html")
    page.wait_for_selector(".fstats-notes")
    solve(page, own, exercise)
    page.locator(CELL).last.locator("button", has_text="Run above").click()
    page.wait_for_function("document.body.dataset.fstats === 'rests'", timeout=300_000)
    assert "points. All is right." in page.locator(CELL).last.locator(".cell_output").inner_text()
    nbformat.validate(nbformat.read(download(page, tmp_path / "page" / "s1"), as_version=4))
    most = sum(question.points for question in individual("s1", exercise, class_of.SECRET).exercise.questions)
    assert float(marked(tmp_path, "page")["points"]) == most


def test_pages_that_are_opened_as_files(browser: Page, folder: Path) -> None:
    """Each first control moves; what the others need is said."""
    alone = browser.context.browser.new_context(viewport=browser.viewport_size).new_page()
    alone.add_init_script(SHOWN)
    failed: list[str] = []
    alone.on("pageerror", lambda error: failed.append(str(error)))
    for lesson in sorted(LESSONS):
        alone.goto((folder / "notebooks" / f"{lesson}.html").as_uri())
        for explorer in explorers(alone, lesson):
            explorer.move_first()
            state = explorer.place.locator("xpath=..").locator(".fstats-fetch")
            assert "Only the first control moves here, because this page was opened from a file" in state.inner_text()
            assert state.locator("button:visible").count() == 0
    assert failed == []
    alone.context.close()
