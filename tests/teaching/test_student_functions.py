"""Replies read the body of a student's function: the line after which a value is wrong, on the smallest data that fail."""

from __future__ import annotations

import contextlib
import io
import json
import time
from functools import cache
from typing import Any

import hostile_code
import numpy as np
import pytest
from class_of import ROOT
from hostile_code import FUNCTIONS, LIES, OTHER_LINES, line_outcome, outcome
from IPython.core.interactiveshell import InteractiveShell
from wrong_functions import NAMES, START, WrongFunction, is_right_line, marked_line, reply_to, wrong_functions

from fstats import exercise
from fstats.teaching.grading.exercise import start_test
from fstats.teaching.grading.student_lines.code_history import line_in_cells
from fstats.teaching.grading.student_lines.evaluation_limits import Budget
from fstats.teaching.grading.student_lines.failing_data import WORK_ON_CASES, evaluated_calls, is_same
from fstats.teaching.grading.student_lines.function_reading import FunctionReader, FunctionReading
from fstats.teaching.grading.verdicts.function_verdict import run_on_cases
from fstats.teaching.grading.verdicts.marked_line import MarkedLine
from fstats.teaching.marking.marks.marker import Marker
from fstats.teaching.marking.plagiarism.plagiarism_flags import readable_cells
from fstats.teaching.marking.reports.mark_audit import _rules_html
from fstats.teaching.sandbox_runtime import function_call

ALL = list(wrong_functions())


@cache
def reading_of(place: int) -> tuple[FunctionReader, FunctionReading | None, Any]:
    """What a wrong function says, with its reader and the function."""
    task, function, line = ALL[place].started()
    question = task.exercise.question(ALL[place].key)
    tried = run_on_cases(function, question, task.unseen(question))  # type: ignore[arg-type]
    reader = FunctionReader(task.exercise, question, line, tried)  # type: ignore[arg-type]
    return reader, reader.reading(), function


PLACES = [pytest.param(place, id=f"{one.key}: {one.reason}") for place, one in enumerate(ALL)]


@pytest.mark.every_case
@pytest.mark.parametrize("every", [pytest.param(1, marks=pytest.mark.complete), 6])
def test_most_functions_are_told_the_line_that_is_wrong(every: int) -> None:
    """Of the functions without a name nine in ten, and hardly ever another line."""
    marks = [(reply.verdict, marked_line(reply), one) for one in ALL[::every] if (reply := reply_to(one))]
    unnamed = [is_right_line(one, mark) for verdict, mark, one in marks if verdict != "mistake"]
    assert len(ALL) >= 60
    assert len(unnamed) > 30 / every
    assert sum(unnamed) >= 0.9 * len(unnamed)
    assert sum(mark is not None and not is_right_line(one, mark) for _, mark, one in marks) <= 1


def same(one: Any, other: Any) -> bool:
    """Whether two values are both nothing, or the same numbers."""
    return one is other is None or np.array_equal(np.asarray(one), np.asarray(other), equal_nan=True)


@pytest.mark.parametrize("place", PLACES)
def test_what_is_said_of_the_data_is_true(place: int) -> None:
    """On the data that are shown, the function itself returns what is said, and the worked test has what is said."""
    reader, reading, function = reading_of(place)
    assert reading is not None
    data = {name: np.array(value) for name, value in reading.world.data.items()}
    right = getattr(start_test(reader.tested, data), reader.question.step)
    assert is_same(reading.world.right, right)
    call = function_call.call_function(function, data)
    if call.raised:
        assert call.raised.partition(":")[0] == type(reading.world.got).__name__
    else:
        assert same(call.value, reading.world.got)
        assert call.value is None or not is_same(call.value, right)


@pytest.mark.parametrize("place", PLACES)
def test_a_marked_part_alone_makes_the_function_right(place: int) -> None:
    """Also on data that no search has seen."""
    reader, reading, _ = reading_of(place)
    if reading is None or reading.change is None:
        return
    rng = np.random.default_rng(99)
    for kind, data in reader.question.unseen(rng):
        if kind not in reading.wrong_kinds:
            reader.evaluator.budget = Budget(20 * WORK_ON_CASES)
            world = reader._world(kind, {name: data[name] for name in reader.question.takes})
            with np.errstate(all="ignore"):
                assert is_same(reader._run(world, reading.change), world.right), (kind, reading.change.words)


@pytest.mark.complete
def test_data_are_small() -> None:
    """At most four numbers for nearly all functions."""
    sizes = [reading.world.size for place in range(len(ALL)) if (reading := reading_of(place)[1])]
    assert np.mean(np.asarray(sizes) <= 4) > 0.9


def test_the_issue_s_example() -> None:
    """Ties in their order: three numbers show it."""
    lines = "order = np.argsort(sizes, kind='stable')", "r = np.empty(len(sizes))", "r[order] = np.arange(1, len(sizes) + 1)", "return r"
    code = "\n    ".join(["def ranks(sizes):", *lines])
    said = repr(reply_to(WrongFunction("q1", "ties", [], code)))
    assert "sizes = [2, 2, 1]. It returns [2, 3, 1]; right is [2.5, 2.5, 1]." in said
    assert "    r[order] = np.arange(1, len(sizes) + 1)\n    ^" in said


def replies(wrong: WrongFunction, attempts: int) -> list[str]:
    """The replies to the same function, written again and again."""
    task, _, _ = wrong.started()
    found = []
    for _ in range(attempts):
        _, function, line = wrong.started()
        found.append(repr(task.reply_to(wrong.key, function, line)))
    return found


def test_a_reply_grows_and_never_writes_the_right_line() -> None:
    """First where, then what and both values, then what is right; the right line as code appears nowhere."""
    wrong = next(one for one in ALL if one.reason == "divides by n - 2")
    where, what, words = replies(wrong, 3)
    assert "(n - 2)\n" in where
    assert "wrong by one" not in where
    assert "`var`" in what or "Another number belongs here" in what or "wrong by one" in what
    assert "Right on these data: `d` (difference on each data set)" in words
    for text in (where, what, words):
        assert "n - 1" not in text.replace("n - 1 ", "")


def test_the_value_is_shown_beside_the_right_one() -> None:
    """Both values of an intermediate step, on the data that are shown."""
    said = repr(reply_to(next(one for one in ALL if one.reason == "losses contain zeros and n does not")))
    assert "`n` is 3 after line 2 of your function. In the worked test this quantity (number of data sets that count" in said
    assert "is 2." in said


def test_a_helper_is_read_too() -> None:
    """The mark stands in the student's other function."""
    mark = marked_line(reply_to(next(one for one in ALL if one.reason == "helper divides by n + 1")))
    assert mark is not None
    assert mark.code.startswith("return (sum(")


def test_an_error_is_told_with_its_line() -> None:
    """The line that raises the error, and the smallest data on which it does."""
    code = "def paired_t(a, b):\n    d = a - b\n    s = d.std(ddof=1)\n    ranks = {0: 1}[int(s)]\n    return d.mean() / s * ranks"
    said = reply_to(WrongFunction("q2", "error", [], code))
    mark = marked_line(said)
    assert said.verdict == "unreadable"
    assert mark is not None
    assert mark.code == "ranks = {0: 1}[int(s)]"
    assert "It raises KeyError in this line of your function." in repr(said)


def test_a_function_that_cannot_be_read_gets_the_reply_of_today() -> None:
    """Random numbers, files, classes: nothing is added."""
    for body in ("return np.random.default_rng(1).permutation(sizes)", "return [x for x in open('/dev/null')] or sizes * 7"):
        wrong = WrongFunction("q1", "", [], f"def ranks(sizes):\n    {body}")
        assert reply_to(wrong) == reply_to(wrong, with_line=False)


def test_a_function_that_reads_the_page_is_read_with_its_values() -> None:
    """`a` and `b` of the page, in a function with other arguments."""
    code = "def paired_t(x, y):\n    d = a - b\n    return d.mean() / (d.std(ddof=1) / np.sqrt(len(d)))"
    said = reply_to(WrongFunction("q2", "", [], code))
    mark = marked_line(said)
    assert mark is not None
    assert mark.code == "d = a - b"


def test_evaluation_gives_what_the_functions_give() -> None:
    """Statement by statement, the same values as Python's, for all functions on all data."""
    for wrong in ALL:
        task, function, line = wrong.started()
        question = task.exercise.question(wrong.key)
        cases = task.unseen(question)  # type: ignore[arg-type]
        calls = run_on_cases(function, question, cases).calls  # type: ignore[arg-type]
        assert line is not None
        for call, evaluated in zip(calls, evaluated_calls(line, (data for _, data in cases)), strict=True):
            assert call.raised.partition(":")[0] == evaluated.raised.partition(":")[0]
            assert same(call.value, evaluated.value)


# -- nothing runs twice, nothing hangs -----------------------------------------------------------------------------------------
def test_the_function_runs_once_for_each_data_set() -> None:
    """A reply with its lines calls the function as often as a reply without."""
    calls: list[int] = []
    code = "def ranks(sizes):\n    calls.append(len(calls))\n    return sizes * 2 + len(calls) * 0"
    for with_line in (False, True):
        names: dict[str, Any] = {"calls": calls}
        calls.clear()
        exec(START + code, names)
        line = line_in_cells([START, code, 'check("q1", ranks)'], "q1", names) if with_line else None
        names["task"].reply_to("q1", names["ranks"], line)
        assert len(calls) == len(names["task"].unseen(names["task"].exercise.question("q1")))


# the time limit may end a callback of Hypothesis; it comes again
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("body", [pytest.param(body, id=body.replace("\n", "; ")[:60]) for body in [*FUNCTIONS, *LIES]])
def test_hostile_functions_run_once_and_leave_the_notebook_whole(body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No call more, no use of an unknown object more, the same verdict, the same notebook, soon."""
    monkeypatch.setattr(function_call, "SECONDS", 0.3)
    found = outcome(body, "return sizes" if body in LIES else "")
    assert found.ran == found.touched == 0
    assert found.is_same
    assert found.is_whole
    assert found.seconds < hostile_code.MOST_SECONDS


def test_there_are_a_hundred_hostile_functions() -> None:
    """As many as the issue asks for."""
    assert len({*FUNCTIONS, *LIES}) >= 100


@pytest.mark.parametrize("line", OTHER_LINES)
def test_hostile_lines_touch_nothing(line: str) -> None:
    """Objects of other types, names that change something, functions that call others: nothing is used, nothing changes."""
    seconds, touched, is_whole = line_outcome(line)
    assert touched == 0
    assert is_whole
    assert seconds < hostile_code.MOST_SECONDS


def test_a_reply_is_not_slow() -> None:
    """A reading takes a fraction of a second."""
    seconds = []
    for wrong in ALL[::14]:
        task, function, line = wrong.started()
        start = time.process_time()
        task.reply_to(wrong.key, function, line)
        middle = time.process_time()
        task.fresh().reply_to(wrong.key, function)
        seconds.append(2 * middle - start - time.process_time())
    assert np.median(seconds) < 0.3


# -- everywhere the same -------------------------------------------------------------------------------------------------------
CHOSEN = (
    "counts the larger numbers",
    "divides by n - 2",
    "divided by 2 n instead of 2 to the n",
    "rounds to whole percents",
)
LINES = {  # answers to exercise 1 that are lines, besides the functions
    "q3": "sd = np.sqrt(((d + mean) ** 2).sum() / (n - 1))",
    "q6": "df = n - 2",
    "q7": "critical_value = stats.t.ppf(1 - 0.05, n - 1)",
}
FIRST = START.replace("write_your_own_test", "paired_t_by_hand") + "check = task.check\nd = a - b\nmean = d.mean()\nn = len(d)\n"


def page_replies(cells: list[str], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the live page's kernel shows for the last expression of each cell, run under this Python."""
    from IPython import display

    from fstats.publish.browser_python import page_kernel

    monkeypatch.setattr(display, "display_hooks", [], raising=False)
    monkeypatch.setattr(page_kernel, "page_namespace", {**page_kernel.INITIAL_NAMES})
    monkeypatch.setattr(page_kernel, "page_cells", [])
    monkeypatch.setattr(page_kernel, "page_failures", {})
    told: list[str] = []
    for number, source in enumerate(cells):
        said: list[dict[str, Any]] = []
        request = {"number": number, "do": "run", "name": f"cell {number}", "source": source}
        page_kernel.handle_message(json.dumps(request), lambda text, said=said: said.append(json.loads(text)))  # type: ignore[misc]
        told += [one["output"]["text/plain"] for one in said if "output" in one]
    return told


def shell_replies(cells: list[str]) -> list[str]:
    """What IPython shows for the last expression of each cell."""
    shell = InteractiveShell.instance()
    try:
        found = [shell.run_cell(cell, store_history=True).result for cell in cells]
    finally:
        InteractiveShell.clear_instance()
    return [repr(one) for one in found if one is not None]


@pytest.mark.parametrize("of", ["functions", "lines"])
def test_the_notebook_and_the_live_page_reply_alike(of: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same verdicts, the same marked parts, the same sentences."""
    if of == "lines":
        cells = [FIRST, *(cell for key, line in LINES.items() for cell in (line, f'check("{key}", {line.partition(" =")[0]})'))]
    else:
        chosen = ALL[::9]
        cells = [START + "check = task.check\n", *(cell for one in chosen for cell in (one.code, f'check("{one.key}", {NAMES[one.key]})'))]
    notebook = shell_replies(cells)
    assert page_replies(cells, monkeypatch) == notebook
    assert len(notebook) == (len(cells) - 1) // 2
    assert sum("^^" in one or " ^" in one for one in notebook) >= 0.6 * len(notebook)


def notebook_of(name: str, answers: dict[str, str]) -> tuple[dict[str, Any], bytes]:
    """The original exercise, and a submission with these answers."""
    (path,) = (ROOT / "exercises").glob(f"[0-9][0-9]_{name}.ipynb")
    reference, found = (json.loads(path.read_text(encoding="utf-8")) for _ in range(2))
    for cell in found["cells"]:
        name_of_cell = cell["metadata"].get("nbgrader", {}).get("grade_id", "")
        if name_of_cell.startswith("answer_") and name_of_cell.removeprefix("answer_") in answers:
            cell["source"] = answers[name_of_cell.removeprefix("answer_")]
    return reference, json.dumps(found).encode()


@pytest.mark.parametrize("wall", [pytest.param("bubblewrap", marks=pytest.mark.needs("bubblewrap"))])
@pytest.mark.parametrize("name", ["write_your_own_test", "paired_t_by_hand"])
def test_marking_and_the_notebook_agree(name: str, wall: str) -> None:
    """The same verdicts and names behind the wall, and the same marked parts on the page of an audit."""
    if name == "paired_t_by_hand":
        answers = {"q1": "d = a - b\nn = len(d)", "q2": "mean = d.mean()", **LINES}
        names = {"q1": "d", "q2": "mean", "q3": "sd", "q6": "df", "q7": "critical_value"}
    else:
        chosen = {one.key: one for one in ALL if one.reason in CHOSEN}
        answers, names = {key: one.code for key, one in chosen.items()}, NAMES
    reference, submission = notebook_of(name, answers)
    cells = readable_cells(submission)
    sources = [cell.source for cell in cells]
    with contextlib.closing(Marker(wall=wall)) as marker:
        marked = marker.mark(reference, submission, exercise(name), None, b"a seed")
    page = _rules_html(exercise(name), marked, sources)[1]
    known: dict[str, Any] = {}
    task, agreed = exercise(name), 0
    marks = {mark.key: mark for mark in marked.questions if mark.key in answers}
    for place, source in enumerate(sources):
        key = next((key for key in marks if source.strip().startswith(f'check("{key}"')), "")
        if not key:
            with contextlib.suppress(Exception), contextlib.redirect_stdout(io.StringIO()):
                exec(source, known)
            continue
        reply = task.reply_to(key, known[names[key]], line_in_cells(sources[: place + 1], key, known))
        assert (reply.verdict, reply.mistake) == (marks[key].verdict, marks[key].mistake), marked.problems
        said = "".join(f"<p>{line.html()}</p>" for line in reply.lines if isinstance(line, MarkedLine))
        assert page.get(key, "") == said
        agreed += bool(said)
    assert agreed >= 3
