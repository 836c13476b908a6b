"""Honest answers that take long have their points, and a student is told at home what would be stopped where it is marked."""

import json
from collections.abc import Callable
from contextlib import closing
from types import SimpleNamespace
from typing import Any

import pytest
from slow_ways import ROOT, SLOW, notebook_of, slowly
from test_marking_worker import filled, mark, verdicts

from fstats import exercise
from fstats.teaching.course.catalogue import exercise_names, load_exercise_definition
from fstats.teaching.grading import cell_timer
from fstats.teaching.grading.cell_timer import Stopwatch, too_slow, watch_cells
from fstats.teaching.marking.marks.marker import Marker
from fstats.teaching.marking.sandbox.notebook_session import Limits

LONG = "simulate_a_type_one_error"
NEEDS = {"bubblewrap": ["bubblewrap"], "wasm": ["engine", "wasmtime"]}
WALLS = [pytest.param(wall, marks=pytest.mark.needs(*needs)) for wall, needs in NEEDS.items()]


@pytest.mark.complete
@pytest.mark.parametrize("wall", WALLS)
@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.slow] * (name == LONG)) for name in SLOW])
def test_slow_ways_have_their_points(name: str, wall: str) -> None:
    with closing(Marker(wall=wall)) as marker:
        found = marker.mark(notebook_of(name, "exercises"), json.dumps(slowly(name)).encode(), exercise(name), None, b"")
    assert ({key: verdicts(found)[key] for key in SLOW[name]}, found.ended) == (dict.fromkeys(SLOW[name], "right"), "")


@pytest.mark.complete
@pytest.mark.parametrize("wall", WALLS)
def test_a_limit_ends_the_cell_and_not_the_run(wall: str) -> None:
    """What comes before and after has its verdict, choices included; what was lost is told."""
    with closing(Marker(limits=Limits(cpu=0.4, wall=60), wall=wall)) as marker:
        found = mark(marker, filled(q1="d = a - b", q2="while True: pass", q3="sd = (a - b).std(ddof=1)", q10="meaning = 'a'"))
    said = verdicts(found)
    assert (said["q1"], said["q2"], said["q3"]) == ("right", "unanswered", "right")
    assert said["q10"] != "unanswered"
    assert found.ended == "Code cell 5 was ended: the code used more computing time than a cell may use; the other cells ran without it."
    assert found.ended in found.questions[1].lines


@pytest.mark.parametrize("name", exercise_names())
def test_the_page_says_how_long_a_cell_may_compute(name: str) -> None:
    for folder in ("solutions", "exercises"):
        (path,) = (ROOT / folder).glob(f"[0-9][0-9]_{name}.ipynb")
        first = "".join(json.loads(path.read_text(encoding="utf-8"))["cells"][0]["source"])
        assert f"On the computer that marks this page, a cell may compute for {load_exercise_definition(name).seconds:g} seconds." in first


class Shell:
    """A shell whose cells take as long as it is told."""

    def __init__(self) -> None:
        self.now = 0.0
        self.hooks: dict[str, list[Callable[..., None]]] = {}
        self.events = SimpleNamespace(register=lambda event, hook: self.hooks.setdefault(event, []).append(hook))

    def run(self, seconds: float, inside: Callable[[], Any] = lambda: None) -> Any:
        for hook in self.hooks.get("pre_run_cell", ()):
            hook(None)
        self.now += seconds
        found = inside()
        for hook in self.hooks.get("post_run_cell", ()):
            hook(None)
        return found


def test_a_check_warns_of_a_cell_that_took_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once, with both times; of the cell in which it stands, too; below half of the limit nothing."""
    shell = Shell()
    monkeypatch.setattr(cell_timer, "_WATCHES", [Stopwatch(shell, lambda: shell.now)])
    task = exercise("paired_t_by_hand")
    shell.run(3.0)
    shell.run(48.0)
    said = shell.run(0.1, lambda: task.check("q2", 2.5))
    assert said.verdict == "right"
    assert said.lines[-1].startswith("A cell computed for 48 seconds; when this notebook is marked, a cell may compute for 10 seconds.")
    assert not any("computed for" in line for line in shell.run(4.9, lambda: task.check("q2", 2.5)).lines)
    assert any("computed for 7 seconds" in line for line in shell.run(7.0, lambda: task.check("q2", 2.5)).lines)
    assert not any("computed for" in line for line in task.reply_to("q2", 2.5).lines), "the marker says nothing of it"


def test_cells_are_watched_once_and_only_in_notebooks(monkeypatch: pytest.MonkeyPatch) -> None:
    shell = Shell()
    monkeypatch.setattr(cell_timer, "_WATCHES", [])
    monkeypatch.setitem(cell_timer.sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: None))
    watch_cells()
    assert (cell_timer._WATCHES, too_slow(0.0)) == ([], "")
    monkeypatch.setitem(cell_timer.sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    watch_cells()
    watch_cells()
    assert len(shell.hooks["pre_run_cell"]) == len(cell_timer._WATCHES) == 1
