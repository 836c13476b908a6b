"""A live site in a real Chromium: values of the engine, explorers that move, cells that run, and all of it without a network."""

import gzip
import json
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import pytest
from laboratory import KEPT, LIVE, ROOT, SHOWN, Page, asking_nobody_else, live_site

from fstats.explore.results_desk.table_reading import example_names
from fstats.publish.notebook_content import read_notebook

pytestmark = LIVE
LESSON = "notebooks/01_paired_t"
EXERCISE = "exercises/01_paired_t_by_hand"
A = [85, 70, 79, 78, 83, 88, 74, 91, 66, 80, 79, 85, 77, 90, 72]  # the scores of the lesson's explorer
B = [87, 68, 85, 75, 83, 90, 75, 92, 69, 81, 82, 84, 80, 92, 75]
ACTIVE = (
    "<img src=x onerror=\"document.title='taken'\">",
    "<script>document.title='taken'</script>",
    "<style>body { display: none !important }</style>",
    "<iframe srcdoc=\"<script>parent.document.title='taken'</script>\"></iframe>",
    "<svg onload=\"document.title='taken'\"><style>body { display: none !important }</style></svg>",
    "<details open ontoggle=\"document.title='taken'\">x</details>",
)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A live site of a lesson and an exercise, served."""
    with live_site(tmp_path_factory.mktemp("live") / "site", LESSON, EXERCISE) as address:
        yield address


@pytest.fixture
def page(browser: Page, address: str) -> Iterator[Page]:
    """Its page, which may ask nobody but the site, and may not complain."""
    with asking_nobody_else(browser, address):
        yield browser


def lesson(page: Page, address: str) -> Any:
    """The lesson, and its explorer, which moves along drawn positions."""
    page.goto(f"{address}{LESSON}.html")
    page.locator("script.fstats-frames").first.evaluate("e => e.previousElementSibling.scrollIntoView()")
    page.wait_for_selector(".fstats-explorer:not(.fstats-walk) svg")
    return page.locator(".fstats-explorer:not(.fstats-walk)").first


def test_an_explorer_moves_before_and_after_the_engine_is_there(page: Page, address: str) -> None:
    """The first control by drawn positions, without the engine; any other by the class that JupyterLab has, fetched at the first touch."""
    import fstats.explore

    explorer = lesson(page, address)
    ours = fstats.explore.paired_t(A, B, n=5)
    score = explorer.locator("input[name=score]")
    for key in ("ArrowRight", "Home"):  # the next drawn position, the first
        before = score.input_value()
        score.press(key)
        page.wait_for_function("before => document.querySelector('input[name=score]').value !== before", arg=before)
        page.wait_for_function("document.querySelector('.fstats-explorer:not(.fstats-walk)').getAttribute('aria-busy') === 'false'")
        ours.move(score=int(score.input_value()))
        assert explorer.locator(".fstats-conclusion").inner_text().replace("\xa0", " ") == ours.test.conclusion
    assert ours.control("score").value == ours.control("score").least
    assert page.evaluate("performance.getEntriesByType('resource').filter(e => e.name.endsWith('.bin')).length") == 0
    explorer.locator("input[name=n]").fill("9")
    page.wait_for_function("[...document.querySelectorAll('.fstats-explorer:not(.fstats-walk) output')].at(-1).textContent === '9'")
    page.wait_for_function("document.querySelector('.fstats-explorer:not(.fstats-walk)').getAttribute('aria-busy') === 'false'")
    ours.move(n=9)
    assert explorer.locator(".fstats-conclusion").inner_text().replace("\xa0", " ") == ours.test.conclusion


def test_a_mark_of_the_picture_may_be_the_first_that_moves(page: Page, address: str) -> None:
    import fstats.explore

    explorer = lesson(page, address)
    explorer.locator(".fstats-grip").nth(1).press("ArrowUp")
    page.wait_for_function("document.querySelector('.fstats-fetch').hidden")
    page.wait_for_function("document.querySelector('.fstats-explorer:not(.fstats-walk)').getAttribute('aria-busy') === 'false'")
    ours = fstats.explore.paired_t(A, B, n=5)
    ours.move(dataset=2)
    ours.move(score=ours.control("score").value + 1)
    assert explorer.locator(".fstats-conclusion").inner_text().replace("\xa0", " ") == ours.test.conclusion


def test_the_first_page_moves_without_the_engine(page: Page, address: str) -> None:
    """Its walk along drawn frames."""
    page.goto(f"{address}index.html")
    line = page.locator(".fstats-walk .fstats-line").first
    line.press("End")  # the question of the page has an answer
    page.locator(".fstats-walk", has_text="Fail to reject H0").wait_for()
    assert page.evaluate("performance.getEntriesByType('resource').filter(e => e.name.endsWith('.bin')).length") == 0


def test_each_cell_has_the_same_row_and_the_fetch_is_said_where_it_is_needed(page: Page, address: str) -> None:
    page.goto(f"{address}{LESSON}.html")
    rows = page.locator("div.cell > .fstats-run:not(.fstats-files)")
    rows.first.wait_for(state="attached")
    found = {tuple(row.locator("button").all_text_contents()) for row in rows.all()}
    assert (found, rows.count() > 5) == ({("Run", "Run above", "Reset", "Stop")}, True)
    names = rows.nth(2).locator("button").evaluate_all("all => all.map(one => one.getAttribute('aria-label').split(/[ :]/)[0])")
    assert names == ["Run", "Run", "Reset", "Stop"]  # what is seen stands first in what is spoken
    assert page.locator("div.cell .fstats-fetch").count() == 1
    page.locator("div.cell:has(> .cell_input)").nth(1).locator("button", has_text="Run above").click()
    at = "[...document.querySelectorAll('div.cell:has(> .cell_input)')].findIndex(cell => cell.querySelector('.fstats-fetch'))"
    assert page.evaluate(at) == 1
    assert "Python comes once" in page.locator("div.cell .fstats-fetch").inner_text()
    page.wait_for_function("document.body.dataset.fstats === 'rests'")
    rows.nth(1).locator("button", has_text="Reset").click()
    assert "Python has forgotten all variables" in page.locator(".fstats-news").inner_text()
    assert page.locator(".fstats-news p:has(span:empty)").count() == 0
    cell = page.locator("div.cell:has(> .cell_input)").nth(1)
    cell.locator(".cell_input textarea").fill("'test' in globals()")
    cell.locator("button", has_text=re.compile("^Run$")).click()
    page.wait_for_function("document.body.dataset.fstats === 'rests'")
    assert cell.locator(".cell_output").inner_text().strip() == "False"


def test_cells_run_and_are_stopped(page: Page, address: str) -> None:
    """Edited, they share their names and show output and errors; a loop without an end is ended, and what was typed stays."""
    lesson(page, address)
    page.evaluate("addEventListener('securitypolicyviolation', ({ blockedURI }) => { window.refused = blockedURI; })")
    cells = page.locator("div.cell:has(> .cell_input)")
    state = "k => document.querySelectorAll('div.cell:has(> .cell_input)')[k].dataset.state"

    def run(k: int, source: str) -> str:
        code = cells.nth(k).locator(".cell_input textarea")
        code.fill(source)
        code.press("Shift+Enter")
        page.wait_for_function(f"k => ['ran', 'failed'].includes(({state})(k))", arg=k)
        return str(cells.nth(k).locator(".cell_output").inner_text())

    assert "0.7267" in run(0, "from fstats import PairedT\ntest = PairedT([85, 70, 79, 78, 83], [87, 68, 85, 75, 83])\ntest")
    assert run(1, "print(test.n + 1)").strip() == "6"
    assert "cell 2, line 2:" in run(1, "x = 1\ntest.pvaleu")
    endless = cells.nth(1).locator(".cell_input textarea")
    endless.fill("while True:\n    pass")
    endless.press("Shift+Enter")
    cells.nth(1).locator("button", has_text="Stop").click()
    page.wait_for_function(f"({state})(1) === 'failed'")
    assert "Stopped" in cells.nth(1).locator(".cell_output").inner_text()
    assert "while True" in endless.input_value()
    assert "No cell above defines this name. Check the spelling" in run(0, "test")
    assert "A page runs only Python" in run(0, "%matplotlib inline")
    assert "write the value into the cell" in run(0, "input()")
    assert 10 < run(0, "def f():\n    f()\nf()").count("\n") < 50
    cells.nth(0).locator(".cell_input textarea").fill("late = 1")
    assert run(1, "late + 1") == "2"  # the cell above, which it needs, ran before
    cells.nth(0).locator(".cell_input textarea").fill("late = 1 / 0")
    assert (run(1, "late + 1"), run(1, "2")) == ("This cell needs cell 1, which ended with an error. Correct that cell first.", "2")
    focused = "document.activeElement.getAttribute('aria-label')"
    assert page.evaluate(focused) == "Code of cell 3"  # one goes on there
    assert len(run(1, "'x' * 3_000_000")) < 1_001_000
    run(1, "from IPython.display import HTML\nHTML('<a href=\"../notebooks/02_wilcoxon.ipynb#Step-2\">there</a>')")
    link = cells.nth(1).locator(".cell_output a")
    assert (link.get_attribute("href"), link.get_attribute("target")) == ("../notebooks/02_wilcoxon.html#Step-2", "_blank")
    for active in ACTIVE:  # what a cell shows does nothing, and asks nobody: asking_nobody_else hears of it
        run(1, f"HTML({active!r} + '<b>seen</b>')")
        assert cells.nth(1).locator(".cell_output b").inner_text() == "seen"
    page.wait_for_timeout(200)
    assert page.evaluate("[document.title === 'taken', getComputedStyle(document.body).display === 'none']") == [False, False]
    run(1, "HTML('<img src=https://example.org/seen.png>')")  # a page may show what it has, and ask nobody else
    page.wait_for_function("window.refused === 'https://example.org/seen.png'", timeout=10_000)
    assert len(run(0, "for k in range(1_000_000):\n    print('a line of words')")) < 1_001_000
    assert "a page shows 200 outputs" in run(1, "for k in range(1000):\n    display(k)")
    assert "this page has no 'polars'; it has Python's standard library, numpy" in run(0, "import polars")


def test_a_file_lies_where_cells_look_and_libraries_come_when_they_are_asked_for(page: Page, address: str, tmp_path: Path) -> None:
    """A student's own CSV file through the same call as in JupyterLab; modules that no lesson imports; what a page cannot do."""
    (tmp_path / "own.csv").write_text("forest,tree\n85,87\n70,68\n79,85\n78,75\n83,83\n", encoding="utf-8")
    lesson(page, address)
    page.locator(".fstats-files input").set_input_files(tmp_path / "own.csv")
    page.wait_for_function("document.querySelector('.fstats-files').innerText.includes('own.csv: use the file in a cell')")
    source = (
        "import statistics\nfrom fstats import PairedT, apply_test, compare, datasets\nfrom sklearn.datasets import load_iris\n"
        "from sklearn.naive_bayes import GaussianNB\nfrom sklearn.svm import SVC\nfrom scipy import signal\n"
        "print(apply_test(PairedT, 'own.csv').statistic, statistics.mean([1, 2]), signal.get_window('hann', 3)[1])\n"
        "test = compare(GaussianNB(), SVC(), *load_iris(return_X_y=True), jobs=2)\nprint(type(test).__name__, 0 < test.pvalue <= 1)\n"
        "try:\n    datasets.load('letter')\nexcept OSError as error:\n    print(error)"
    )
    said = page.evaluate(COMPUTED, source)
    assert "-0.37499999999999994 1.5 0.75" in said
    assert "CalibratedFiveByTwoF True" in said
    assert "Python in a browser has one worker only: jobs=2 has no effect" in said
    assert "cannot be downloaded from OpenML in a web page (number 6)" in said
    page.reload()  # the browser has kept it
    page.wait_for_function("document.querySelector('.fstats-files')?.innerText.includes('own.csv: use the file in a cell')")
    hint = page.locator(".fstats-files .fstats-told").inner_text().partition("for example ")[2]
    assert "-0.375" in page.evaluate(COMPUTED, hint)


def test_code_is_coloured_as_pages_are(page: Page, address: str) -> None:
    """All code of the course, and some that is hard, in the colours of Pygments; and it is indented as it is typed."""
    from pygments.lexers import PythonLexer
    from pygments.token import Token

    kinds = {Token.Keyword: "k", Token.Operator.Word: "k", Token.Literal.String: "s1", Token.Literal.Number: "mi", Token.Operator: "o"}
    kinds |= {Token.Comment: "c1", Token.Name.Builtin: "nb", Token.Name.Function: "nf", Token.Name.Class: "nf"}
    hard = [
        'x = "open\ny = 1',
        "s = f\"{x!r:>{w}} {{a}} {d[1]}\" + rb'a\\'b'",
        '"""doc\n# no\n""" # yes\nclass A(B):\n    n = -1.5e-3 + 0x1f',
    ]
    paths = [*(ROOT / "notebooks").glob("*.ipynb"), *(ROOT / "solutions").glob("*.ipynb")]
    sources = hard + [cell.source for path in sorted(paths) for cell in read_notebook(path).cells if cell.cell_type == "code"]
    lesson(page, address)
    page.wait_for_selector("textarea.fstats-field")
    for source, classes in zip(sources, page.evaluate(COLOURED, sources), strict=True):
        theirs: list[str] = []
        for token, words in PythonLexer(stripnl=False, ensurenl=False).get_tokens(source):
            name = next((kinds[one] for one in reversed(token.split()) if one in kinds), "")
            theirs += [name] * len(words)
        # Pygments: one name with its dots
        lines = re.sub(r"^(?:from|import) .*", lambda found: found[0].replace(".", " "), source, flags=re.M)
        seen = [(letter, one, other) for letter, one, other in zip(lines, theirs, classes, strict=True) if not letter.isspace()]
        assert [one for one in seen if one[1] != one[2]] == []
    code = page.locator("textarea.fstats-field").first
    code.fill("")
    code.type("for k in x:\nprint(k)\n")
    code.press("Backspace")
    code.type("y")
    assert code.input_value() == "for k in x:\n    print(k)\ny"


def test_exercises_answer_and_leave_as_a_notebook(page: Page, address: str) -> None:
    """A check replies; what was typed is there after a reload, and in the notebook that is downloaded, where nothing else is new."""
    page.goto(f"{address}{EXERCISE}.html")
    page.wait_for_selector(".fstats-notes")
    answer = page.locator("div.cell:has(> .cell_input)", has_text="d = ...").first
    answer.locator("textarea.fstats-field").fill("d = a - b")
    page.locator("textarea.fstats-words").first.fill("B, by luck.")
    check = page.locator("div.cell:has(> .cell_input)", has_text='check("q1", d)').first
    check.locator("button", has_text="Run above").click()
    page.wait_for_function("document.body.dataset.fstats === 'rests'")
    assert "right" in check.locator(".cell_output").inner_text().lower()
    page.wait_for_timeout(500)  # what was typed is kept after a moment
    page.reload()
    page.wait_for_selector(".fstats-notes")
    assert page.locator("textarea.fstats-words").first.input_value() == "B, by luck."
    with page.expect_download() as found:
        page.locator("button", has_text="Download my notebook").click()
    assert found.value.suggested_filename == Path(EXERCISE).name + ".ipynb"
    theirs = nbformat.read(found.value.path(), as_version=4)
    nbformat.validate(theirs)
    ours = read_notebook(ROOT / f"{EXERCISE}.ipynb")
    changed = [(one.source, other.source) for one, other in zip(ours.cells, theirs.cells, strict=True) if one.source != other.source]
    assert changed == [("*Write your answer here.*", "B, by luck."), ("d = ...  # your answer", "d = a - b")]
    assert ([cell.metadata for cell in ours.cells], ours.metadata) == ([cell.metadata for cell in theirs.cells], theirs.metadata)


def test_values_are_those_of_every_other_python(page: Page, address: str) -> None:
    """Each test on its table of cases, and on what was published: the engine computes what this Python does, to twelve digits."""
    order = tomllib.loads((ROOT / "tests" / "steps_in_order.toml").read_text(encoding="utf-8"))
    values = (
        f"order = {order!r}\n"
        "import json, sys, types\nimport numpy as np\nimport fstats\n"
        "def number(value):\n"
        "    try:\n        return np.asarray(value, dtype=float).tolist()\n"
        "    except (TypeError, ValueError):\n        return None\n"
        "found = {name: {step: number(getattr(test(**data, **settings), step)) for step in order[name].split()}\n"
        "         for name, (test, data, settings) in cases.CASES.items()}\n"
        "for case in json.loads(published):\n"
        "    test = getattr(fstats, case['test'])(**case['data'], **case.get('settings', {})) if 'data' in case else None\n"
        "    found[case['name']] = {step: number(getattr(test, step, None)) for step in case['printed']}\n"
        "print(json.dumps(found))\n"
    )
    published = (ROOT / "tests" / "published" / "cases.json").read_text(encoding="utf-8")
    source = (ROOT / "tests" / "cases.py").read_text(encoding="utf-8")
    begin = (
        "import sys, types\nclass Mark:\n    def __getattr__(self, _): return self\n    def __call__(self, *a, **k): return self\n"
        f"sys.modules['pytest'] = Mark()\ncases = types.ModuleType('cases')\nexec({source!r}, vars(cases))\n"
        f"published = {published!r}\n"
    )
    lesson(page, address)
    theirs = json.loads(page.evaluate(COMPUTED, begin + values))
    ours = computed_here(values, published)
    assert ours.keys() == theirs.keys()
    differ = [
        f"{name}: {step}"
        for name, steps in ours.items()
        for step, value in steps.items()
        if not same(theirs[name][step], value, 1e-8 if name in OF_SCIPY else 1e-12)
    ]
    assert differ == []
    assert sum(value is not None for steps in ours.values() for value in steps.values()) > 700


COMPUTED = """async source => {
    const cell = document.querySelector("div.cell:has(> .cell_input)"), code = cell.querySelector(".cell_input textarea");
    code.write(source);
    code.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", shiftKey: true, bubbles: true }));
    while (!["ran", "failed"].includes(cell.dataset.state)) await new Promise(done => setTimeout(done, 50));
    return cell.querySelector(".cell_output").textContent;
}"""
COLOURED = """sources => {
    const area = document.querySelector("textarea.fstats-field"), copy = area.previousElementSibling;
    return sources.map(source => {
        area.write(source);
        const walker = document.createTreeWalker(copy, NodeFilter.SHOW_TEXT), found = [];
        for (let node; node = walker.nextNode();) {
            for (const _ of node.data) found.push(node.parentElement.closest("span")?.className || "");
        }
        return found.slice(0, -1);
    });
}"""
OF_SCIPY = ("Normality",)  # its statistic is SciPy's own, whose versions differ in the ninth digit


def same(one: Any, other: Any, tolerance: float) -> bool:
    """Whether two values are no numbers, or the same."""
    if one is None or other is None:
        return one is other
    return bool(np.allclose(np.array(one, float), np.array(other, float), rtol=tolerance, atol=tolerance, equal_nan=True))


def computed_here(values: str, published: str) -> Any:
    """The same in this Python."""
    import io
    from contextlib import redirect_stdout

    sys.path.insert(0, str(ROOT / "tests"))
    import cases

    with redirect_stdout(io.StringIO()) as said:
        exec(values, {"cases": cases, "published": published})
    return json.loads(said.getvalue())


VISITED = """async all => {
    while (!(await Promise.all(all.map(one => caches.match(one)))).every(Boolean)) await new Promise(done => setTimeout(done, 100));
}"""


def test_without_a_network(page: Page, address: str) -> None:
    """Once the engine is there, the site moves with no network and no server's help."""
    page.goto(f"{address}{LESSON}.html")
    page.locator(".fstats-fetch button").first.click()
    offer = page.locator(".fstats-news p[data-matter=rest]")
    offer.wait_for()
    assert re.search(r"Keep the whole course for use without a network \(\d+ MB\)\?", offer.inner_text())
    page.evaluate(VISITED, [page.url, f"{address}desk.html"])
    assert page.evaluate("address => caches.match(address)", f"{address}{EXERCISE}.html") is None  # not before the reader agrees
    page.context.set_offline(True)
    try:
        for name in (LESSON, "desk"):  # what was visited, and the desk, without more
            page.goto(f"{address}{name}.html")
        page.get_by_role("button", name=example_names()[0]).click()
        page.locator(".fstats-paragraph").wait_for()
    finally:
        page.context.set_offline(False)
    page.goto(f"{address}{LESSON}.html")
    page.locator(".fstats-fetch button").first.click()
    offer.wait_for()
    page.evaluate(KEPT, address)
    offer.wait_for(state="hidden")
    page.context.set_offline(True)
    try:
        page.goto(f"{address}{EXERCISE}.html")
        page.wait_for_selector("textarea.fstats-field")
        explorer = lesson(page, address)
        explorer.locator("input[name=n]").fill("7")
        page.wait_for_function("document.querySelector('.fstats-fetch').hidden")
        page.wait_for_function("[...document.querySelectorAll('.fstats-explorer:not(.fstats-walk) output')].at(-1).textContent === '7'")
        assert "fail to reject" in explorer.locator(".fstats-conclusion").inner_text().lower()
    finally:
        page.context.set_offline(False)


@pytest.mark.parametrize("trouble", ["cut", "refused"])
def test_a_fetch_that_is_interrupted_begins_again(page: Page, address: str, trouble: str) -> None:
    """A sentence says that files are missing; nothing of it is kept, and the next press brings the engine."""
    context = page.context.browser.new_context()
    context.add_init_script(SHOWN)
    part = gzip.compress(b"half an engine")[:-9]
    context.route("**/live/python.*.bin", lambda route: route.fulfill(body=part) if trouble == "cut" else route.abort())
    alone = context.new_page()
    alone.goto(f"{address}{LESSON}.html")
    line = alone.locator(".fstats-fetch").first
    line.locator("button").click()
    line.locator("span", has_text="were not loaded completely").wait_for()
    context.unroute("**/live/python.*.bin")
    line.locator("button").click()
    line.wait_for(state="hidden")
    assert "ran" in alone.evaluate(
        COMPUTED.replace('return cell.querySelector(".cell_output").textContent', "return cell.dataset.state"), "1"
    )
    context.close()
