"""A live site in Firefox: an explorer before and after its Python is there, a cell, a check, and all of it without a network."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from firefox import Firefox, firefox_tab
from laboratory import KEPT, live_site
from test_live_notes import EXERCISE, IDS, answer, read_check
from test_live_site import LESSON, A, B

import fstats.explore
from fstats.publish.browser_python.file_server import serve_folder

pytestmark = [pytest.mark.browser, pytest.mark.live, pytest.mark.needs("firefox"), pytest.mark.needs("engine")]
EXPLORER = "$('.fstats-explorer:not(.fstats-walk)')"
CELL = "[...document.querySelectorAll('div.cell:has(> .cell_input)')]"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A live site of a lesson and an exercise."""
    to = tmp_path_factory.mktemp("live") / "site"
    with live_site(to, LESSON, EXERCISE):
        return to


@pytest.fixture(scope="module")
def opened(firefox: str) -> Iterator[Firefox]:
    """One Firefox for all tests."""
    with firefox_tab(firefox) as tab:
        yield tab


@pytest.fixture
def tab(opened: Firefox) -> Iterator[Firefox]:
    """Its tab, which may ask nobody but this machine, and may not complain."""
    yield opened
    assert [url for url in opened.asked if not url.startswith(("http://localhost:", "data:", "blob:", "about:"))] == []
    assert opened.failed == []


def moved(tab: Firefox, address: str) -> None:
    """In the lesson the first control moves along drawn positions; then another one, by the class that JupyterLab has."""
    ours = fstats.explore.paired_t(A, B, n=5)
    tab.goto(f"{address}{LESSON}.html")
    tab.value("$('script.fstats-frames').previousElementSibling.scrollIntoView()")
    tab.wait(f"{EXPLORER}?.querySelector('svg')")
    for name, key, state in (("score", "Home", "absent"), ("n", "ArrowRight", "here")):
        control = ours.control(name)
        ours.move(**{name: control.least if key == "Home" else control.value + 1})
        tab.value(f"{EXPLORER}.querySelector('input[name={name}]').focus()")
        tab.press(key)
        text = ours.control(name).text
        tab.wait(f"{EXPLORER}.querySelector('input[name={name}] ~ output, output[for$={name}]').textContent === '{text}'")
        tab.wait(f"{EXPLORER}.getAttribute('aria-busy') === 'false'")
        assert tab.value("$('.fstats-fetch').dataset.state") == state
        assert tab.value(f"{EXPLORER}.querySelector('.fstats-conclusion').textContent").replace("\xa0", " ") == ours.test.conclusion


def test_an_explorer_moves_and_a_cell_runs(tab: Firefox, folder: Path) -> None:
    with serve_folder(folder) as address:
        moved(tab, address)
        first = f"{CELL}[0]"
        tab.fill(f"{first}.querySelector('textarea')", "from fstats import PairedT\nfor k in (3, 4):\nprint(PairedT([k, 5], [k, 7]).mean)")
        tab.press("Shift Enter")
        tab.wait(f"['ran', 'failed'].includes({first}.dataset.state)")
        assert tab.value(f"{first}.querySelector('.cell_output').innerText").split() == ["-1.0", "-1.0"]


def test_a_check_answers(tab: Firefox, folder: Path) -> None:
    with serve_folder(folder) as address:
        tab.goto(f"{address}{EXERCISE}.html")
        tab.wait("$('.fstats-notes')")
        field, check = (f"{CELL}[{IDS.index(cell)}]" for cell in (answer("q1"), read_check("q1")))
        tab.fill(f"{field}.querySelector('textarea')", "d = a - b")
        tab.click(f"[...{check}.querySelectorAll('button')].find(one => one.textContent === 'Run above')")
        tab.wait("document.body.dataset.fstats === 'rests'")
        for _ in range(2):
            assert "q1: Right" in tab.value(f"{check}.querySelector('.cell_output').innerText")
            assert tab.value(f"{field}.querySelector('textarea').value") == "d = a - b"
            tab.value("new Promise(done => setTimeout(done, 500))")  # what was typed is kept after a moment
            tab.goto(f"{address}{EXERCISE}.html")
            tab.wait("$('.fstats-notes')")


def test_without_a_network(tab: Firefox, folder: Path) -> None:
    """Once all is kept, the server may end: the site opens, and its Python begins."""
    with serve_folder(folder) as address:
        tab.goto(f"{address}{LESSON}.html")
        tab.click("$('.fstats-fetch button')")
        tab.value(f"({KEPT})('{address}')")
    tab.cut()
    tab.goto(f"{address}{EXERCISE}.html")
    tab.wait("$('textarea.fstats-field')")
    moved(tab, address)
