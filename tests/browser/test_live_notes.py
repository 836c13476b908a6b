"""What a student types in a live site, in a real Chromium: it stays, it leaves as the notebook that is marked, and it comes back."""

import csv
import gzip
import json
import re
import shutil
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import class_of
import nbformat
import pytest
from laboratory import LIVE, PATIENCE, ROOT, Page, asking_nobody_else, live_site

from fstats import cli
from fstats.teaching.course.individual_data import data_token
from fstats.teaching.grading.course_progress import progress

pytestmark = LIVE
EXERCISE = "exercises/01_paired_t_by_hand"
OTHER = "exercises/17_sign_test_by_hand"
CELL = "div.cell:has(> .cell_input)"
FILE = ".fstats-notes input[type=file]"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the site lies."""
    return tmp_path_factory.mktemp("live") / "site"


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    """A live site of two exercises, served."""
    with live_site(folder, EXERCISE, OTHER) as address:
        yield address


@pytest.fixture
def page(browser: Page, address: str) -> Iterator[Page]:
    """The page of an exercise on which nothing was typed."""
    with asking_nobody_else(browser, address):
        browser.goto(f"{address}index.html")
        browser.evaluate("indexedDB.deleteDatabase('fstats')")
        exercise(browser, address)
        yield browser
        browser.goto("about:blank")


def exercise(page: Page, address: str) -> None:
    """Open the exercise."""
    page.goto(f"{address}{EXERCISE}.html")
    page.wait_for_selector(".fstats-notes")


def read(path: Path) -> Any:
    """A notebook's cells by their ids."""
    return {cell.id: cell for cell in nbformat.read(path, as_version=4).cells}


IDS = [key for key, cell in read(ROOT / f"{EXERCISE}.ipynb").items() if cell.cell_type == "code"]


def code(page: Page, cell: str) -> Any:
    """Where the code of a cell is typed."""
    return page.locator(f"{CELL} textarea.fstats-field").nth(IDS.index(cell))


def run_all(page: Page, upto: str) -> str:
    """Run a cell and all above; what it shows."""
    box = page.locator(CELL).nth(IDS.index(upto))
    box.locator("button", has_text="Run above").click()
    page.wait_for_function("document.body.dataset.fstats === 'rests'")
    return str(box.locator(".cell_output").inner_text())


def download(page: Page, to: Path) -> Path:
    """Download the notebook."""
    with page.expect_download() as found:
        page.locator("button", has_text="Download my notebook").click()
    to.mkdir(parents=True)
    found.value.save_as(to / found.value.suggested_filename)
    return to / found.value.suggested_filename


def told(page: Page, words: str) -> None:
    """Wait until the page says something."""
    page.locator(".fstats-news p", has_text=words).wait_for()


def released(folder: Path, exercise: str = class_of.EXERCISE) -> Path:
    """The notebook of a student, as `fstats release` gives it to him."""
    class_of.roster_file(folder)
    (folder / "secret.txt").write_text(class_of.SECRET, encoding="utf-8")
    assert cli.main(["release", exercise, *course(folder), "--out", str(folder / "winter")]) == 0
    (path,) = (folder / "winter" / "s1" / "exercises").glob(f"*_{exercise}.ipynb")
    return path


def solve(page: Page, own: Path, exercise: str = class_of.EXERCISE) -> dict[str, str]:
    """Open a student's notebook and type the answers of the solution; returns them by their cells."""
    page.set_input_files(FILE, own)
    told(page, "checks with its data")
    solution = json.loads(class_of.handed_in("s1", exercise=exercise, words="B, by luck."))["cells"]
    solved = {cell["id"]: "".join(cell["source"]) for cell in solution}
    cells = read(own)
    codes = [key for key, cell in cells.items() if cell.cell_type == "code"]
    answers = {key: solved[key] for key, cell in cells.items() if cell.metadata.get("nbgrader", {}).get("solution")}
    for key, answer in answers.items():
        words = page.locator(f"textarea[data-cell='{key}']")
        (page.locator(f"{CELL} textarea.fstats-field").nth(codes.index(key)) if key in codes else words).fill(answer)
    return answers


def course(folder: Path) -> list[str]:
    """The roster and the secret, as commands ask for them."""
    return ["--students", str(folder / "roster.csv"), "--secret", str(folder / "secret.txt")]


@pytest.mark.needs("bubblewrap")
def test_a_student_s_own_notebook_comes_back_marked_in_full(
    page: Page, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Released, opened, answered and downloaded, it has the marks that Python's answers have; of the secret the site has nothing."""
    monkeypatch.setattr(class_of, "SECRET", "no docstring says this")
    own = released(tmp_path)
    answers = solve(page, own)
    mine = data_token("s1", class_of.EXERCISE, class_of.SECRET)
    assert mine in code(page, IDS[0]).input_value()
    by_python = json.loads(own.read_text(encoding="utf-8"))
    for cell in by_python["cells"]:
        cell["source"] = answers[cell["id"]].splitlines(keepends=True) if cell["id"] in answers else cell["source"]
    assert "points. All is right." in run_all(page, IDS[-1])
    theirs = download(page, tmp_path / "page" / "s1")
    nbformat.validate(nbformat.read(theirs, as_version=4))
    assert theirs.name == own.name
    (tmp_path / "python" / "s1").mkdir(parents=True)
    (tmp_path / "python" / "s1" / own.name).write_text(json.dumps(by_python), encoding="utf-8")
    marks = marked(tmp_path, "page")
    assert marks == marked(tmp_path, "python")
    assert (marks["points"], marks["q10"], marks["isolation"]) == ("10", "1", "bubblewrap")
    before, after = nbformat.read(own, as_version=4), nbformat.read(theirs, as_version=4)
    assert before.metadata == after.metadata
    assert [(cell.id, cell.metadata) for cell in before.cells] == [(cell.id, cell.metadata) for cell in after.cells]
    assert [cell.source for cell in after.cells] == ["".join(cell["source"]) for cell in by_python["cells"]]
    assert progress(theirs.parent).sentence == "10 of 10 answers are right; 1 of 1 exercises are complete."
    everything = b"".join(_everything(folder))
    assert not [word for word in (class_of.SECRET, mine, "s1@example.org") if word.encode() in everything]


def marked(folder: Path, name: str) -> dict[str, str]:
    """The marks that `fstats grade` gives to a student; which data tell what was typed in, follows from the bytes of his file."""
    assert cli.main(["grade", str(folder / name), *course(folder), "--out", str(folder / f"marks_{name}"), "--jobs", "1"]) == 0
    with (folder / f"marks_{name}" / "grades.csv").open(encoding="utf-8-sig") as file:
        row = next(csv.DictReader(file))
    return {head: value for head, value in row.items() if head != "typed in"}


def _everything(folder: Path) -> Iterator[bytes]:
    """All that a site holds, unpacked."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            data = path.read_bytes()
            yield gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
            for letters in re.findall(rb'<script type="text/plain"[^>]*>([^<]*)</script>', data):
                yield gzip.decompress(b64decode(letters))


def test_what_was_typed_and_replied_is_there_again(page: Page, address: str, tmp_path: Path) -> None:
    """After a reload, in the notebook as JupyterLab stores it, and counted on the page of contents."""
    check = read_check("q1")
    code(page, answer("q1")).fill("print('A')\nprint('B')\nd = a - b")
    code(page, answer("q2")).fill("mean = 1 / 0")
    assert "Right" in run_all(page, check)
    page.locator(CELL).nth(IDS.index(answer("q2"))).locator("button", has_text="Run").first.click()
    page.wait_for_function("document.body.dataset.fstats === 'rests'")
    page.wait_for_timeout(500)  # what was typed is kept after a moment
    exercise(page, address)
    assert "q1: Right" in page.locator(CELL).nth(IDS.index(check)).locator(".cell_output").inner_text()
    assert page.locator(CELL).nth(IDS.index("0b8ae06c")).locator("img").evaluate("e => e.decode().then(() => e.width < 800)")
    cells = read(download(page, tmp_path / "page"))
    assert [dict(one) for one in cells[answer("q1")].outputs] == [{"output_type": "stream", "name": "stdout", "text": "A\nB\n"}]
    (reply,) = cells[check].outputs
    assert (reply.output_type, reply.execution_count) == ("execute_result", cells[check].execution_count)
    assert {*reply.data} == {"text/html", "text/plain"}
    (failed,) = cells[answer("q2")].outputs
    assert (failed.output_type, failed.ename, failed.evalue) == ("error", "ZeroDivisionError", "division by zero")
    for contents, where in (("exercises/index.html", "01_paired_t_by_hand.html"), ("index.html", f"{EXERCISE}.html")):
        page.goto(f"{address}{contents}")
        line = page.locator("tr", has=page.locator(f"a[href='{where}']")).last
        assert line.locator("td.fstats-standing").inner_text() == f"1 of 10 ■{'·' * 9}"
        asked = len(checks(OTHER))
        assert page.locator("p.fstats-standing").inner_text() == f"1 of {10 + asked} answers are right; 0 of 2 exercises are complete."


def checks(exercise: str) -> dict[str, str]:
    """The cells that check, by the question."""
    cells = read(ROOT / f"{exercise}.ipynb")
    return {found[1]: key for key, cell in cells.items() if (found := re.match(r'check\("(q\d+)"', cell.source))}


def read_check(question: str) -> str:
    """The cell that checks an answer."""
    return checks(EXERCISE)[question]


def answer(question: str) -> str:
    """The cell of an answer."""
    return IDS[IDS.index(read_check(question)) - 1]


def test_another_notebook_is_refused(page: Page) -> None:
    """Another exercise, and a file that is no notebook, change nothing; what was typed is given up only by who says so."""
    code(page, answer("q1")).fill("d = a - b")
    page.set_input_files(FILE, ROOT / f"{OTHER}.ipynb")
    told(page, "17_sign_test_by_hand.ipynb is “Exercise 17.")
    page.set_input_files(FILE, {"name": "words.txt", "mimeType": "text/plain", "buffer": b"[1]"})
    told(page, "words.txt cannot be read as a notebook")
    lost = json.loads((ROOT / f"{EXERCISE}.ipynb").read_text(encoding="utf-8"))
    for cell in lost["cells"]:
        del cell["id"]
    page.set_input_files(FILE, {"name": "lost.ipynb", "mimeType": "text/plain", "buffer": json.dumps(lost).encode()})
    told(page, "by hand")
    assert code(page, answer("q1")).input_value() == "d = a - b"
    page.once("dialog", lambda dialog: dialog.dismiss())
    page.set_input_files(FILE, ROOT / f"{EXERCISE}.ipynb")
    page.wait_for_timeout(300)
    assert code(page, answer("q1")).input_value() == "d = a - b"
    page.once("dialog", lambda dialog: dialog.accept())
    page.set_input_files(FILE, ROOT / f"{EXERCISE}.ipynb")
    told(page, "is open")
    assert code(page, answer("q1")).input_value() == "d = ...  # your answer"


def test_a_file_is_dropped_and_runs_nothing(page: Page, address: str, tmp_path: Path) -> None:
    """What a file calls HTML is shown as words, now and after a reload; a cell that the page does not have is in its place and runs."""
    notebook = json.loads((ROOT / f"{EXERCISE}.ipynb").read_text(encoding="utf-8"))
    cell = next(cell for cell in notebook["cells"] if cell["id"] == read_check("q1"))
    data = {"text/html": ["<img src=x onerror='window.ran = true'>"], "text/plain": ["q1  ✓ ", "Right"]}
    cell["outputs"] = [{"output_type": "execute_result", "execution_count": 1, "data": data, "metadata": {}}]
    own = {"cell_type": "code", "id": "mine", "source": ["mine = a - b"], "metadata": {}, "outputs": [], "execution_count": None}
    notebook["cells"].insert(notebook["cells"].index(cell), own)
    dropped = """text => {
        const data = new DataTransfer();
        data.items.add(new File([text], "mine.ipynb"));
        document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    }"""
    page.evaluate(dropped, json.dumps(notebook))
    told(page, "mine.ipynb is open")
    check = page.locator(CELL, has_text='check("q1", d)')
    for _ in range(2):
        assert check.locator(".cell_output").inner_text().strip() == "q1  ✓ Right"
        assert page.evaluate("window.ran") is None
        exercise(page, address)
    code(page, answer("q1")).fill("d = 0")
    page.locator(CELL, has_text="mine = a - b").locator("textarea.fstats-field").fill("mine = d = a - b")
    check.locator("button", has_text="Run above").click()
    page.wait_for_function("document.body.dataset.fstats === 'rests'")
    assert "q1: Right" in check.locator(".cell_output").inner_text()
    cells = read(download(page, tmp_path / "page"))
    assert [*cells] == [cell["id"] for cell in notebook["cells"]]
    assert cells["mine"].source == "mine = d = a - b"


def test_two_tabs_of_a_page(page: Page, address: str) -> None:
    """The later one says so; what is typed in one is in the other, and each keeps its own cells."""
    later = page.context.new_page()
    exercise(later, address)
    told(later, "open in another tab")
    assert page.locator(".fstats-news p:visible").count() == 0
    code(page, answer("q1")).fill("d = 1")
    code(later, answer("q2")).fill("mean = 2")
    page.locator("textarea.fstats-words").first.fill("Both.")
    later.wait_for_function("document.querySelector('textarea.fstats-words').value === 'Both.'")
    code(later, answer("q1")).fill("d = 3")
    page.wait_for_function("[...document.querySelectorAll('textarea')].some(e => e.value === 'd = 3')")
    page.wait_for_timeout(500)
    page.goto("about:blank")
    later.locator(".fstats-news p", has_text="open in another tab").wait_for(state="hidden")
    later.close()
    exercise(page, address)
    assert [code(page, answer(question)).input_value() for question in ("q1", "q2")] == ["d = 3", "mean = 2"]
    assert page.locator("textarea.fstats-words").first.input_value() == "Both."


@pytest.mark.parametrize("trouble", ["forbidden", "full"])
def test_where_nothing_can_be_kept_all_works(page: Page, address: str, tmp_path: Path, trouble: str) -> None:
    """One sentence says so; checks reply, and the notebook leaves."""
    context = page.context.browser.new_context(accept_downloads=True)
    context.add_init_script(TROUBLE[trouble])
    context.route(
        "**/live/worker.*.js", lambda route: route.fulfill(body=TROUBLE[trouble] + route.fetch().text(), content_type="text/javascript")
    )
    alone = context.new_page()
    alone.set_default_timeout(PATIENCE)
    failed: list[str] = []
    alone.on("pageerror", lambda error: failed.append(str(error)))
    exercise(alone, address)
    code(alone, answer("q1")).fill("d = a - b")
    assert "Right" in run_all(alone, read_check("q1"))
    told(alone, "cannot store your answers")
    told(alone, "cannot store Python")
    alone.locator(".fstats-news button:visible").first.click()
    assert alone.locator(".fstats-news p:visible").count() == 1
    assert read(download(alone, tmp_path / "page"))[answer("q1")].source == "d = a - b"
    alone.goto(f"{address}exercises/index.html")
    assert failed == []
    context.close()


TROUBLE = {
    "forbidden": """
        indexedDB.open = () => { throw new DOMException("no", "SecurityError"); };
        Object.defineProperty(self, "caches", { get() { throw new DOMException("no", "SecurityError"); } });""",
    "full": """
        IDBObjectStore.prototype.put = function () { this.transaction.abort(); };
        Cache.prototype.put = async () => { throw new DOMException("no", "QuotaExceededError"); };""",
}


def test_an_old_tab_after_a_new_build(page: Page, address: str, folder: Path) -> None:
    """It says that there is a newer version when its files are gone; the answers are in the new one, also where a cell is another."""
    code(page, answer("q1")).fill("d = a - b")
    page.wait_for_timeout(500)
    page.evaluate("caches.delete('fstats-live')")
    still = page.context.new_page()
    still.goto(f"{address}{OTHER}.html")
    before = folder.with_name("before")
    shutil.copytree(folder, before)
    try:
        path = folder / f"{EXERCISE}.html"
        words = path.read_text(encoding="utf-8")
        (script,) = {name.name for name in (folder / "_static").glob("live.*.js")}
        newer = f"live.{'0' * 12}.js"
        (folder / "_static" / script).rename(folder / "_static" / newer)
        for one in (folder / "live").glob("*.bin"):
            one.unlink()
        files = folder / "live" / "files.json"
        files.write_text(files.read_text(encoding="utf-8").replace(script, newer), encoding="utf-8")
        path.write_text(words.replace(script, newer).replace(" your answer", " and yours"), encoding="utf-8")
        page.locator(CELL).first.locator("button", has_text="Run").first.click()
        told(page, "newer version of the course: reload")
        still.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        told(still, "newer version of the course: reload")
        still.close()
        page.reload()
        page.wait_for_selector(".fstats-notes")
        assert code(page, answer("q1")).input_value() == "d = a - b"
        assert "and yours" in code(page, answer("q2")).input_value()
    finally:
        shutil.rmtree(folder)
        before.rename(folder)
