"""The marker without its worker: which cells are run, what bytes of a stranger become, and what the judge says to them."""

from __future__ import annotations

import json
import math
import re
import time
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shortcuts import parametrize

from fstats import PairedT, exercise, individual
from fstats.teaching.course.catalogue import exercise_names, load_exercise_definition
from fstats.teaching.course.individual_data import data_token
from fstats.teaching.grading.exercise import start_test
from fstats.teaching.grading.question import Choice, Function, Question, Section
from fstats.teaching.grading.task import Task
from fstats.teaching.grading.verdicts.feedback import Feedback
from fstats.teaching.grading.verdicts.function_verdict import FunctionTrial, unseen_cases
from fstats.teaching.marking.marks import submission_mark
from fstats.teaching.marking.marks.grading_policy import Policy
from fstats.teaching.marking.marks.submission_mark import (
    MarkedRun,
    QuestionMark,
    SubmissionMark,
    compare_runs,
    mark_all,
    timeout,
    unjudged_flags,
)
from fstats.teaching.marking.plagiarism.plagiarism_flags import AT_LEAST, discount_copies, flag_foreign_values
from fstats.teaching.marking.plagiarism.wrong_answer_matches import exercise_task, expected_value, rounded_key, wrong_values
from fstats.teaching.marking.sandbox.sandbox_output import MAX_SHOWN, DeliveredAnswer, SandboxOutput, parse_output
from fstats.teaching.marking.submissions import submission_cells as cells
from fstats.teaching.marking.submissions.notebook_format import NotANotebook
from fstats.teaching.marking.submissions.submission_cells import NotebookCell, read_notebook, select_cells
from fstats.teaching.sandbox_runtime.function_call import CallResult, call_on_cases, is_stub
from fstats.teaching.sandbox_runtime.json_serialisation import DOTS_JSON, FUNCTION_JSON, decode, encode, serialise
from fstats.teaching.sandbox_runtime.plain_value import ENTRIES, MAX_TEXT, ForeignObject

ROOT = Path(__file__).parents[2]
SECRET = "only for the tests of this package"
NAME = "paired_t_by_hand"

each_exercise = pytest.mark.parametrize("name", exercise_names())


@cache
def reference(name: str = NAME) -> Any:
    """The exercise as it is given out."""
    return json.loads(next((ROOT / "exercises").glob(f"[0-9][0-9]_{name}.ipynb")).read_text(encoding="utf-8"))


def notebook(*sources: Any) -> bytes:
    """A notebook of these cells: sources, or pairs of a grade_id and a source."""
    made = []
    for source in sources:
        name, text = source if isinstance(source, tuple) else ("", source)
        metadata = {"nbgrader": {"grade_id": name}} if name else {}
        kind = "markdown" if name.startswith("reflection") else "code"
        made.append({"cell_type": kind, "metadata": metadata, "source": text, "outputs": []})
    return json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).encode()


# -- which cells are run -------------------------------------------------------------------------------------------------------
OPENING = 'task = exercise("paired_t_by_hand", data="0123456789abcdef")'
TOKEN = "0123456789abcdef"


def run(*sources: Any) -> list[tuple[str, str]]:
    """What is run of a notebook: the question or "", and the source."""
    return [(piece.key, piece.source) for piece in select_cells(reference(), notebook(*sources), NAME, TOKEN).cells]


def test_our_opening_cell_comes_first_and_our_checks_at_their_places() -> None:
    first = OPENING, ("answer_q2", "mean = 3"), ("q2", "check = print")
    found = run(*first, "rest = 1", ("answer_q1", "d = a - b"), ("q1", 'check("q1", 5)'))
    assert [key for key, _ in found[:10]] == ["", "", "", "", "q2", "", "", "", "q1", "q3"]
    assert found[0][1].startswith("import numpy as np\nfrom scipy import stats")
    assert found[3:5] == [("", "check = print"), ("q2", "mean")]
    assert found[7:9] == [("", 'check("q1", 5)'), ("q1", "d")]
    assert [key for key, _ in found[9:]] == ["q3", "q4", "q5", "q6", "q7", "q8", "q9", "q10"]


def test_a_check_is_known_by_its_words_where_its_mark_was_lost() -> None:
    """Copying cells into a new notebook loses their marks."""
    assert run('check("q2", mean)')[1] == ("q2", "mean")
    assert run('task.check("q2", 7);')[2] == ("q2", "mean")
    assert run('print(check("q2", mean))')[1] == ("", 'print(check("q2", mean))')


def test_a_check_that_is_missing_stands_behind_its_answer_or_at_the_end() -> None:
    """So that a name which is used again later still has its value."""
    found = run(("answer_q2", "p = mean = 3"), ("answer_q8", "p = 0.2"), "p = None")
    assert [key for key, _ in found[:7]] == ["", "", "q2", "", "q8", "", "q1"]
    given = notebook(("answer_q8", "x = 1"), ("answer_q8_2", "df = x"), "df = 0")
    two_cells = select_cells(reference("analysis_of_variance"), given, NAME, TOKEN)
    assert [piece.key for piece in two_cells.cells[:5]] == ["", "", "", "q8", ""]


def test_what_a_lecturer_should_look_at_is_flagged() -> None:
    """Changed, doubled and missing checks, other data, another exercise."""
    found = select_cells(reference(), notebook(OPENING, ("q2", 'check("q2", 7)'), ("q2", 'check("q2", mean)')), NAME, TOKEN)
    assert found.flags[:2] == (
        "The cell with the check of q2 was changed; the cell was run as it is, and the original check after it.",
        "There are several cells with a check of q2; the last check counts.",
    )
    assert found.flags[2].startswith("Cells with a check were missing (q1, q3, ")
    assert len([piece for piece in found.cells if piece.key == "q2"]) == 2
    other = select_cells(reference(), notebook('exercise("sign_test_by_hand", "00ff")', "x = 1"), NAME, TOKEN)
    assert "The notebook opens another exercise, sign_test_by_hand." in other.flags
    assert any("the data of 00ff" in flag for flag in other.flags)
    assert other.tokens == ("00ff",)
    none = select_cells(reference(), notebook("x = 1"), NAME, TOKEN)
    assert "The notebook opens no data; it was run on the student's own data." in none.flags
    assert not [flag for flag in found.flags if "data" in flag]


@pytest.mark.every_case
@parametrize(
    "source, is_flagged",
    ("check = lambda key, value: None", True),
    ("x = 1\ntask.check = print", True),
    ("def check(key, value):\n    return 'right'", True),
    ("from builtins import print as check", True),
    ("globals()['check'] = print", True),
    ('setattr(task, "check", print)', True),
    ("check: object = print", True),
    ("\N{FULLWIDTH LATIN SMALL LETTER C}heck = print", True),  # the same name for Python
    ("\N{MATHEMATICAL BOLD SMALL C}hec\N{MATHEMATICAL SANS-SERIF SMALL K} = task.x = print", True),
    ("check = task.check", False),
    ('check("q2", mean)', False),
    ("ok = task.check('q2', mean) == check('q2', mean)", False),
    ("if check == 3: pass\nprint('check', checked)\nrecheck = 2", False),
)
def test_whoever_replaces_check_is_flagged(source: str, is_flagged: bool) -> None:
    """It earns nothing, and whoever marks should know."""
    found = select_cells(reference(), notebook(OPENING, source), NAME, TOKEN)
    said = "The name check was redefined (code cell 2); the original checks were run."
    assert [flag for flag in found.flags if "redefined" in flag] == [said] * is_flagged


def test_an_untouched_exercise_has_nothing_to_run() -> None:
    given_out = json.dumps(reference()).replace('exercise(\\"paired_t_by_hand\\")', f'exercise(\\"paired_t_by_hand\\", data=\\"{TOKEN}\\")')
    found = select_cells(reference(), given_out.encode(), NAME, TOKEN)
    assert not found.answered
    assert found.flags == ()
    assert not select_cells(reference(), notebook("d = ...   # I do not know", "", ("reflection_q1", "I think")), NAME, TOKEN).answered
    assert select_cells(reference(), notebook("d = a - b"), NAME, TOKEN).answered


def test_texts_of_ones_own_are_kept_by_their_names() -> None:
    """As they are, unless nothing was written; the first one counts."""
    given = notebook(("reflection_q1", "# My *words* <b>"), ("reflection_q1", "x"), ("reflection_end", "*Write your answer here.*"))
    texts = select_cells(reference(), given, NAME, TOKEN)
    assert texts.reflections == {"reflection_q1": "# My *words* <b>"}


def without_names(cells: list[dict[str, Any]]) -> None:
    for cell in cells:
        cell["metadata"] = {}


def in_a_cell_below(cells: list[dict[str, Any]]) -> None:
    for k, cell in reversed([*enumerate(cells)]):
        if cell["source"].startswith("My words"):
            cells[k : k + 1] = [cell | {"source": "*Write your answer here.*"}, {**cell, "metadata": {}}]


def in_a_cell_above(cells: list[dict[str, Any]]) -> None:
    in_a_cell_below(cells)
    for k, cell in enumerate(cells):
        if cell["source"].startswith("My words"):
            cells[k - 1], cells[k] = cells[k], cells[k - 1]


def in_two_cells(cells: list[dict[str, Any]]) -> None:
    for k, cell in reversed([*enumerate(cells)]):
        if cell["source"].startswith("My words"):
            first, second = cell["source"].split(" ", 1)
            cells[k : k + 1] = [{**cell, "metadata": {}, "source": text} for text in (first, second)]


def as_code(cells: list[dict[str, Any]]) -> None:
    for cell in cells:
        if cell["source"].startswith("My words"):
            cell["cell_type"] = "code"


@each_exercise
@pytest.mark.parametrize("clumsy", [without_names, in_a_cell_below, in_a_cell_above, in_two_cells, as_code])
def test_own_words_are_found_wherever_they_were_put(name: str, clumsy: Callable[[list[dict[str, Any]]], None]) -> None:
    places: dict[str, str] = {}
    cells = []
    for cell in reference(name)["cells"]:
        place, source = cell["metadata"].get("nbgrader", {}).get("grade_id", ""), "".join(cell["source"])
        if place.startswith("reflection_"):
            source = places[place] = f"My words for {place}, $x$ and <b>"
        cells.append(cell | {"source": source})
    clumsy(cells)
    found = select_cells(reference(name), json.dumps({"cells": cells}).encode(), name, "").reflections
    assert {place: " ".join(text.split()) for place, text in found.items()} == places


@pytest.mark.every_case
@parametrize(
    "handed_in, words",
    (b"", "the file is empty"),
    (b" \n", "the file is empty"),
    (b"\xff\xfe{", "not text in UTF-8"),
    ("Müller".encode("latin-1"), "not text in UTF-8"),
    (b'{"worksheets": [{"cells": [3]}]}', "no list of cells"),
    (b"Dear professor", ", because its content is not JSON"),
    (b"[" * 100_000, ", because its content is not JSON"),
    (b'{"cells": ' + b"9" * 5000 + b"}", ", because its content is not JSON"),
    (b'{"cells": [' + b"[]," * 600_000 + b"0]}", "more than 500000 brackets"),
    (b"[1, 2]", "no list of cells"),
    (b'{"worksheets": []}', "no list of cells"),
    (b'{"cells": [1]}', "entry 1 of the notebook is not a cell"),
    (b'{"cells": [{"cell_type": "code", "source": {"a": 1}}]}', "cell 1 has no source text"),
    (b'{"cells": [' + b'{"cell_type": "raw"},' * 1000 + b'{"cell_type": "raw"}]}', "the notebook has 1001 cells"),
    (b" " * (21 << 20), "the file has 21 MiB"),
    (b'{"cells": [' + b",".join([b'{"cell_type": "raw", "source": "%s"}' % (b"x" * 200_000)] * 60) + b"]}", "the cells have 11 million"),
)
def test_what_is_no_notebook_is_told_why(handed_in: bytes, words: str) -> None:
    with pytest.raises(NotANotebook, match=words):
        read_notebook(handed_in)


def test_a_cell_that_is_too_long_is_lost_alone() -> None:
    """It says so when it is run; of a text the beginning is read."""
    cells = [{"cell_type": kind, "source": "x = 1\n" * 40_000} for kind in ("code", "markdown")]
    long, text, _ = read_notebook(json.dumps({"cells": [*cells, {"cell_type": "code", "source": "d = a - b"}]}).encode())
    with pytest.raises(ValueError, match="cell 1 has 240000 letters; it may have 200000"):
        exec(long.source)
    assert text.source == ("x = 1\n" * 40_000)[:200_000]


def test_pictures_do_no_harm() -> None:
    """Fifteen MiB of them are nothing that is run."""
    picture = {"output_type": "display_data", "data": {"image/png": "x" * (15 << 20)}}
    cell = {"cell_type": "code", "source": "d = a - b", "metadata": {}, "outputs": [picture]}
    assert [piece.source for piece in read_notebook(json.dumps({"cells": [cell]}).encode())] == ["d = a - b"]


def test_a_byte_order_mark_and_lists_of_lines_and_odd_metadata_do_no_harm() -> None:
    cell = {"cell_type": "code", "source": ["a = 1\n", "b = 2"], "metadata": {"nbgrader": [1], "tags": 3}, "id": 7}
    assert read_notebook(b"\xef\xbb\xbf" + json.dumps({"cells": [cell]}).encode()) == [NotebookCell("code", "a = 1\nb = 2")]


@pytest.mark.parametrize(
    "source",
    ['check("q1",' + " " * 190_000 + "x", "check(" + " " * 190_000, 'exercise("' * 18_000, "exercise(" + " " * 190_000, "#" * 190_000],
)
def test_no_source_keeps_the_reader_busy(source: str) -> None:
    """Patterns are matched once along a text, not once for each place in it: this takes milliseconds, and would take minutes."""
    assert ("", source) in run(source, "x = 1")


@pytest.mark.complete
@settings(max_examples=25)
@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(max_size=5),
        lambda x: (
            st.lists(x, max_size=4)
            | st.dictionaries(st.sampled_from(["cells", "cell_type", "source", "metadata", "nbgrader", "grade_id"]), x, max_size=5)
        ),
        max_leaves=15,
    )
)
def test_any_json_is_a_notebook_or_is_told_why_not(anything: Any) -> None:
    for handed_in in (anything, {"cells": anything}, {"cells": [anything]}):
        with suppress(NotANotebook):
            assert select_cells(reference(), json.dumps(handed_in).encode(), NAME, TOKEN).cells


# -- values on their way ---------------------------------------------------------------------------------------------------------
class Odd:
    """An object that is not what it says."""

    def __float__(self) -> float:
        raise AssertionError("nobody asks it")

    __array__ = __index__ = __len__ = __float__


class OddNumber(float):
    """A number with ideas of its own."""


@pytest.mark.every_case
@parametrize(
    "value, sent",
    (3, 3),
    (2.5, 2.5),
    (True, True),
    ("a", "a"),
    (None, None),
    (..., DOTS_JSON),
    ([1, ...], [1, DOTS_JSON]),
    ((1, (2.0, "x")), {"tuple": [1, [2.0, "x"]]}),
    (np.float32(0.5), 0.5),
    (np.int64(4), 4),
    (np.bool_(True), True),
    (np.str_("b"), "b"),
    (np.array([[1, 2], [3, 4]]), [[1, 2], [3, 4]]),
    (np.array([1.0, None], object), [1.0, None]),
    (pd.Series([1.5, 2]), [1.5, 2.0]),
    (pd.DataFrame({"x": [1, 2]}), [[1], [2]]),
    (len, FUNCTION_JSON),
    (lambda: 3, FUNCTION_JSON),
    (Odd(), {"shown": "an object of the type Odd: write numpy.array(...) around it"}),
    (OddNumber(3), 3.0),
    ({"q1": 3}, {"shown": "a dict, which has names beside its values: write list(...) around its .values()"}),
    (1j, {"shown": "a complex, which has an imaginary part: write its real part, .real"}),
    (3 + 0j, 3.0),
    (PairedT([1, 2, 4], [1, 1, 1]), {"shown": "an object of the class PairedT: write a value of this object, such as test.statistic"}),
    (10**400, float("inf")),
    ("x" * 201, {"shown": "a text of 201 letters"}),
    (np.zeros(20_000), {"shown": f"more than {ENTRIES} entries"}),
    ([[0] * 200] * 200, {"shown": f"more than {ENTRIES} entries"}),
)
def test_a_value_becomes_plain_json(value: Any, sent: Any) -> None:
    """By its exact type; no method of a stranger's object is called."""
    assert serialise(value) == sent
    assert json.loads(json.dumps(serialise(value))) == sent


def test_a_list_within_itself_ends() -> None:
    endless: list[Any] = []
    endless.append(endless)
    assert "lists within lists" in json.dumps(serialise(endless))


@each_exercise
def test_the_data_arrive_as_they_were(name: str) -> None:
    """Numbers to the last digit, and of the same types: whole numbers and fractions are other data to a student's code."""
    task = individual("student 1", name, SECRET)
    inputs = [dict(task.data)]
    inputs += [dict(data) for question in task.exercise.questions if isinstance(question, Function) for _, data in task.unseen(question)]
    for one in inputs:
        there = {key: decode(value) for key, value in json.loads(json.dumps({key: encode(value) for key, value in one.items()})).items()}
        for key, value in one.items():
            assert type(there[key]) is type(value)
            assert np.array_equal(there[key], value)
            assert getattr(there[key], "dtype", None) == getattr(value, "dtype", None)


@parametrize(
    "line",
    {"key": "q1", "value": "\ud800 \x1b[31m\u202e"},
    {"key": "q1", "missing": "\ud800 \x1b[31m"},
    {"key": "q1", "calls": [{"value": "\udfff", "raised": "\ud800", "changed": ["\ud800"], "used": "\ud800"}]},
    {"over": "\ud800\x9b", "why": "\ud800"},
    {"cell": "\ud800", "raised": "\udc00\x07"},
    {"key": "q1", "value": {"shown": "\ud800"}},
    {"key": "q1", "value": [["\ud800"]]},
    {"key": "q1", "value": {"\ud800": 1}},
)
def test_halves_of_letters_and_orders_to_a_terminal_come_to_nobody(line: Any) -> None:
    """No file can be written with the former, and the latter write what they like over an audit."""
    found = read_all(line)
    written = repr([found.answers, found.problems, found.ended])
    assert not re.search(r"\\ud[89a-f]|\\x1b|\\x9b|\\x07|\\u202e", written)
    marks = mark_all(exercise(NAME), found, {"q1": [("ordinary", {"a": 1})]})
    json.dumps([asdict(mark) for mark in marks], ensure_ascii=False).encode()
    assert "\N{REPLACEMENT CHARACTER}" in written or line.get("key") == "q1"


def test_what_is_nested_deeply_is_told_as_that() -> None:
    """However deep, the parser bears it or says that it does not."""
    for depth in (7, 100, 900, 50_000):
        found = read_all(b'{"key": "q1", "value": ' + b"[" * depth + b"]" * depth + b"}")
        assert "lists within lists" in repr(found.answers) or found.flags


def lines(*sent: Any) -> bytes:
    return b"".join((line if isinstance(line, bytes) else json.dumps(line).encode()) + b"\n" for line in sent)


def read_all(*sent: Any) -> SandboxOutput:
    return parse_output(lines(*sent), ["q1", "q2"])


def test_a_delivery_is_read() -> None:
    """The last answer counts, as in the notebook; one that is still empty is none."""
    found = read_all(
        {"cell": "code cell 1", "raised": "NameError: x"},
        {"key": "q1", "value": DOTS_JSON},
        {"key": "q1", "value": 3},
        {"key": "q1", "value": [1, 2.5], "own": True},
        {"key": "q1", "value": DOTS_JSON},
        {"key": "q1", "missing": "NameError: d"},
        {"end": True},
    )
    assert found.answers["q1"] == DeliveredAnswer([1, 2.5], shown="[1, 2.5]", own=True)
    assert (found.problems, found.ended, found.flags) == (("code cell 1 raised NameError: x",), "", ())
    found = read_all({"key": "q1", "value": "x" * 500}, {"key": "q2", "calls": [{"value": {"shown": "<b>"}}, {"value": 2}], "stub": True})
    assert [found.answers[key].shown for key in ("q1", "q2")] == ['"' + "x" * (MAX_SHOWN - 4) + "...", '[{"shown": "<b>"}, 2]']
    assert found.answers["q2"].stub


def test_an_early_end_is_told() -> None:
    """With the cell in which it happened; what came before counts, and so does what came without it."""
    found = read_all({"key": "q1", "value": 3}, {"over": "code cell 4", "why": "the code did not end in time"})
    assert found.ended == "The run ended early in code cell 4: the code did not end in time."
    assert found.answers["q1"].value == 3
    lost = {"lost": "code cell 4", "number": 6, "why": "the code did not end in time"}
    without = read_all(lost, {"key": "q1", "value": 3}, {"end": True})
    assert (without.ended, without.lost) == ("Code cell 4 was ended: the code did not end in time; the other cells ran without it.", (6,))


@pytest.mark.every_case
@parametrize(
    "line",
    b"{",
    b"[" * 100_000,
    b"null",
    b"[1]",
    b'"q1"',
    b"\xff\xfe",
    {"verdict": "right"},
    {"key": "q9", "value": 1},
    {"key": ["q1"], "value": 1},
    b"9" * 5000,
    b'{"key": "q1", "value": ' + b"9" * 5000 + b"}",
)
def test_what_is_no_line_of_ours_is_noise(line: Any) -> None:
    found = read_all(line, {"key": "q1", "value": 1}, {"end": True})
    assert found.answers == {"q1": DeliveredAnswer(1, shown="1")}
    assert found.flags == ("The output contains foreign lines: the code wrote into the channel of the answers.",)


@parametrize(
    "sent, words",
    ({"points": 10}, "something else"),
    ({"shown": "<b>"}, "<b>"),
    ({"shown": 3}, "something else"),
    (2**63, "a whole number that is too large"),
    ("x" * (MAX_TEXT + 1), "a text of 201 letters"),
    ([0] * 20_000, "more than 10000 entries"),
)
def test_a_value_that_is_none_has_words_in_its_place(sent: Any, words: str) -> None:
    value = read_all({"key": "q1", "value": sent}, {"end": True}).answers["q1"].value
    assert isinstance(value, ForeignObject)
    assert repr(value) == words


def test_too_deep_a_list_has_words_in_its_depth() -> None:
    deep: Any = 1
    for _ in range(40):
        deep = [deep]
    assert "lists within lists" in repr(read_all({"key": "q1", "value": deep}, {"end": True}).answers["q1"].value)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from([DOTS_JSON, FUNCTION_JSON]),
    lambda x: (
        st.lists(x, max_size=4)
        | st.dictionaries(st.sampled_from(["value", "raised", "changed", "printed", "used", "shown"]), x, max_size=4)
    ),
    max_leaves=15,
)


@pytest.mark.complete
@settings(max_examples=25)
@given(JSON, st.sampled_from(["value", "calls", "missing"]))
def test_any_line_is_judged(anything: Any, word: str) -> None:
    """Whatever a forger sends for a question of any kind, it has a verdict, and the others have theirs."""
    for name, keys in ((NAME, ("q1", "q2", "q9", "q10")), ("write_your_own_test", ("q1", "q4", "q8"))):
        task = exercise(name)
        about = {q.key: unseen_cases(q, [1]) for q in task.exercise.questions if isinstance(q, Function)}
        calls = {
            key: {"calls": [{"value": anything, "changed": anything, "used": anything}] * len(about.get(key, ())), "stub": anything}
            for key in keys
        }
        sent = [{"key": key, **(calls[key] if word == "calls" else {word: anything})} for key in keys]
        output = b"".join(json.dumps(line).encode() + b"\n" for line in sent)
        marks = mark_all(task, parse_output(output, keys), about)
        assert len(marks) == len(task.exercise.questions)
        assert not any("could not be read (" in line for mark in marks for line in mark.lines)
        json.dumps([asdict(mark) for mark in marks])


# -- the judge ---------------------------------------------------------------------------------------------------------------------
def sent(task: Task, values: dict[str, Any], cases: dict[str, Any] | None = None) -> SandboxOutput:
    """What the worker would deliver of these values: through plain JSON, there and back."""
    written = []
    for key, value in values.items():
        line: dict[str, Any] = {"value": serialise(value)}
        if cases is not None and key in cases and callable(value):
            calls = call_on_cases(value, (data for _, data in cases[key]))
            line = {"calls": [{**call._asdict(), "value": serialise(call.value)} for call in calls], "stub": is_stub(value)}
        written.append({"key": key, **json.loads(json.dumps(line))})
    return parse_output(lines(*written, {"end": True}), [q.key for q in task.exercise.questions])


def right_values(task: Task) -> dict[str, Any]:
    """The right answers to questions that ask for a value; a simulated rate is not just the one that was promised."""
    asked = [q for q in task.exercise.questions if isinstance(q, Question)]
    found = {}
    for q in asked:
        test = task.test_of(q)
        value, many = getattr(test, q.step), q.repetitions(test) if q.repetitions else 0
        found[q.key] = round(1.001 * value * many) / many if many else value
    return found


@pytest.mark.complete
@each_exercise
def test_each_mistake_that_has_a_name_has_it_in_the_marker(name: str) -> None:
    """At its own question, by the value that the test with this mistake finds; beside it everything that is right is."""
    task = individual("student 7", name, SECRET)
    right = right_values(task)
    for mistake in task.exercise.mistakes:
        home = task.exercise.home(mistake)
        if isinstance(home, Question):
            wrong = getattr(start_test(mistake.wrong, task._data), home.step)
            marks = {mark.key: mark for mark in mark_all(task, sent(task, {**right, home.key: wrong}), {})}
            assert (marks[home.key].verdict, marks[home.key].mistake) == ("mistake", mistake.name)
            said = mistake.sentence.replace("Your function returns", "Your calculation gives").replace("Your function", "Your calculation")
            assert marks[home.key].lines[marks[home.key].guess] == said
            assert Policy().points(marks[home.key]) == home.points / 2
            earlier = [q.key for q in task.exercise.questions if q.key in right][: list(right).index(home.key)]
            assert all(marks[key].verdict == "right" for key in earlier)


@each_exercise
def test_each_option_earns_what_the_policy_says(name: str) -> None:
    """The right one everything; the others, mistakes that have a name as well, nothing unless the course says so."""
    task = exercise(name)
    for question in task.exercise.questions:
        for letter, place in zip("abcdefgh", question.order(task.token), strict=False) if isinstance(question, Choice) else ():
            named = bool(question.options[place].mistake)
            mark = next(mark for mark in mark_all(task, sent(task, {question.key: letter}), {}) if mark.key == question.key)
            assert mark.verdict == ("mistake" if place and named else "unknown" if place else "right")
            assert Policy().points(mark) == (0 if place else question.points)
            assert Policy(mistake_choice=0.5).points(mark) == question.points * (0.5 * named if place else 1)


@pytest.mark.complete
@pytest.mark.parametrize(
    ("name", "key"),
    [(name, q.key) for name in exercise_names() for q in load_exercise_definition(name).questions if isinstance(q, Function)],
)
def test_a_function_is_judged_by_what_it_did_elsewhere(name: str, key: str) -> None:
    """On data that follow from a seed: right, each mistake by its name, the three sentences, errors, and nothing at all."""
    task = individual("student 7", name, SECRET)
    question = task.exercise.question(key)
    assert isinstance(question, Function)
    cases = {key: unseen_cases(question, [3, 1, 4])}

    def mark(function: Any) -> QuestionMark:
        return next(mark for mark in mark_all(task, sent(task, {key: function}, cases), cases) if mark.key == key)

    def recited(cls: Any) -> Any:
        answers = iter([getattr(start_test(cls, data), question.step) for _, data in cases[key]])
        return lambda *_: next(answers)

    tested = task.exercise.tested(question)
    right = mark(recited(tested))
    assert (right.verdict, right.kind, right.of) == ("right", "function", question.points)
    for mistake in task.exercise.mistakes_at(question):
        found = mark(recited(mistake.wrong))
        assert (found.mistake, Policy().points(found)) == (mistake.name, question.points / 2)
    assert mark(lambda *_: ...).verdict == "unanswered"
    assert mark(...).verdict == "unanswered"
    assert mark(0.5).lines[0].startswith("A function was expected")
    assert "raised ZeroDivisionError: division by zero when the check called your function with" in mark(lambda *_: 1 / 0).lines[0]
    assert "prints its result instead of returning it" in mark(lambda *x: print(x)).lines[0]
    calls_us = mark(lambda *x: getattr(start_test(tested, dict(zip(question.takes, x))), question.step))
    assert calls_us.lines[0].startswith("Your function calls fstats.")


def asked_for_ranks() -> tuple[Task, dict[str, Any]]:
    """An exercise whose first question asks for a function, and the cases on which it is called."""
    question = (task := exercise("write_your_own_test")).exercise.question("q1")
    assert isinstance(question, Function)
    return task, {"q1": unseen_cases(question, [1])}


def test_a_function_that_changes_its_inputs_is_told_so_in_the_marker() -> None:
    task, cases = asked_for_ranks()
    by_hand = {tuple(data["sizes"]): start_test(task.exercise.test, {"sizes": data["sizes"]}).ranks for _, data in cases["q1"]}

    def greedy(sizes: Any) -> Any:
        answer = by_hand[tuple(sizes)]
        sizes[:] = 0
        return answer

    mark = mark_all(task, sent(task, {"q1": greedy}, cases), cases)[0]
    assert (mark.verdict, mark.mistake) == ("mistake", "it changes its input sizes")
    assert mark.lines[1].startswith("Your function changes its input sizes, ")


@pytest.mark.parametrize("word", ["$\\frac{$ it", "<img src=x onerror=alert(1)>", "# Full marks", "a" * 40])
def test_of_the_inputs_that_a_function_changed_only_ours_have_a_name(word: str) -> None:
    """Who changed them says his own process; any words may come from there."""
    task, cases = asked_for_ranks()
    right = [start_test(task.exercise.test, data).ranks.tolist() for _, data in cases["q1"]]
    for changed, verdict in (((word,), "right"), ((word, "sizes", word), "mistake")):
        calls = tuple(CallResult(value, changed=changed) for value in right)
        mark = mark_all(task, SandboxOutput({"q1": DeliveredAnswer(calls=calls)}), cases)[0]
        assert mark.verdict == verdict
        assert word not in " ".join((*mark.lines, mark.mistake))


def test_a_function_that_was_not_called_on_every_case_is_none() -> None:
    """A forger may send fewer calls than there are."""
    task, cases = asked_for_ranks()
    for calls in ((), (CallResult([1.0]),)):
        assert mark_all(task, SandboxOutput({"q1": DeliveredAnswer(calls=calls)}), cases)[0].verdict == "unreadable"
    assert FunctionTrial(cases["q1"], ()).stub is False


@pytest.mark.every_case
@parametrize(
    "value, words",
    (float("nan"), "Numbers were expected; got nan, which means"),
    ([[3.2, 1.0]], "One number was expected; got a table of 1 x 2: write a single number, without square brackets."),
    (PairedT([1, 2, 4], [1, 1, 1]), "A plain value was expected; got an object of the class PairedT: write a value of this object"),
)
def test_what_is_no_answer_is_told_what_one_would_be(value: Any, words: str) -> None:
    task = exercise(NAME)
    mark = mark_all(task, sent(task, {"q2": value}), {})[1]
    assert mark.verdict == "unreadable"
    assert mark.lines[0].startswith(words)


def test_an_error_is_carried_forward() -> None:
    """One code, two callers: as in the notebook, and with what the student reads."""
    task = exercise(NAME)
    values = {"q1": [2, 6, 2, 1, -2, 6], "q2": 2.5, "q3": 2.8137, "q4": 2.8137 / 6**0.5}
    said = [task.check(key, value) for key, value in values.items()]
    marks = mark_all(task, sent(task, values), {})
    assert [mark.verdict for mark in marks[:5]] == ["right", "right", "mistake", "carried", "unanswered"]
    for mark, one in zip(marks, said, strict=False):
        assert (mark.verdict, mark.lines, mark.mistake, mark.see) == (one.verdict, one.lines, one.mistake, one.see)
    assert [mark.of for mark in marks] == [question.points for question in task.exercise.questions]
    assert marks[2].answer == "2.8137"


@each_exercise
@pytest.mark.parametrize("number", [0, 1])
def test_one_number_in_every_line_earns_next_to_nothing(name: str, number: float) -> None:
    """Though 0 / 1 is 0, and the mean of ones is 1: nobody works anything out who writes the same everywhere."""
    task = exercise(name)
    same: dict[str, Any] = {}
    for question in task.exercise.questions:
        if isinstance(question, Question):
            right = np.asarray(getattr(task.test_of(question), question.step))
            if right.dtype.kind in "iuf":
                same[question.key] = np.full(right.shape, float(number)).tolist()
    marks = [mark for mark in mark_all(task, sent(task, same), {}) if mark.key in same]
    earned = sum(Policy().points(mark) for mark in marks if mark.verdict != "right")  # a few are right by themselves
    assert earned <= sum(mark.of for mark in marks) / 3


def test_a_list_of_one_number_is_no_slip_that_others_follow() -> None:
    """A spread of 0 follows from it, and shows nothing; where a slip is one that can be made, what follows from it counts."""
    task = exercise(NAME)
    right = right_values(task)
    size = len(right["q1"])
    constant = mark_all(task, sent(task, {"q1": [777.0] * size, "q2": 777.0, "q3": 0.0, "q4": 0.0}), {})
    assert [mark.verdict for mark in constant[:4]] == ["unknown"] * 4
    slip = [right["q1"][0] + 3, *right["q1"][1:]]
    values = {"q1": slip, "q2": float(np.mean(slip)), "q3": float(np.std(slip, ddof=1)), "q4": float(np.std(slip, ddof=1) / size**0.5)}
    assert [mark.verdict for mark in mark_all(task, sent(task, values), {})[:4]] == ["unknown", "carried", "carried", "carried"]


def test_the_environment_of_nbgrader_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the notebook's check raises, the marker's judge goes on."""
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    assert mark_all(exercise(NAME), SandboxOutput({}), {})[0].verdict == "unanswered"


def test_why_there_is_no_answer_is_told() -> None:
    """The name that could not be read, and the early end."""
    delivery = SandboxOutput({"q1": DeliveredAnswer(missing="NameError: name 'd' is not defined")}, ended="The run ended early: because.")
    first, second, *_ = mark_all(exercise(NAME), delivery, {})
    unread = "The name that the check reads could not be read: NameError: name 'd' is not defined."
    assert (first.lines, second.lines) == ((unread, "The run ended early: because."), ("The run ended early: because.",))


def test_a_judge_that_fails_stops_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lecturer is told; the other questions are judged."""
    reply_to = Task.reply_to

    def fails(self: Task, key: str, value: Any) -> Feedback:
        if key == "q2":
            raise MemoryError
        return reply_to(self, key, value)

    monkeypatch.setattr(Task, "reply_to", fails)
    task = exercise(NAME)
    marks = mark_all(task, sent(task, right_values(task)), {})
    assert marks[1].lines == ("This answer could not be judged (MemoryError); your lecturer will look at the answer.",)
    assert [mark.verdict for mark in marks[:3]] == ["right", "unreadable", "right"]
    assert unjudged_flags(marks) == ("q2: This answer could not be judged (MemoryError); your lecturer will look at the answer.",)


@pytest.mark.complete
@pytest.mark.parametrize("threads", [0, 1, 3])
def test_the_judge_does_not_think_for_ever(monkeypatch: pytest.MonkeyPatch, threads: int) -> None:
    """Whatever it computes, in whatever thread (those of a Dask worker are never the main one): the answer is flagged, the
    others are judged.
    """
    reply_to = Task.reply_to

    def ponders(self: Task, key: str, value: Any) -> Feedback:
        while key == "q2":
            with suppress(Exception):
                sum(range(100))
        return reply_to(self, key, value)

    monkeypatch.setattr(Task, "reply_to", ponders)
    monkeypatch.setattr(submission_mark, "JUDGING_SECONDS", 0.05)
    task = exercise(NAME)

    def judge(task: Task) -> tuple[QuestionMark, ...]:
        return mark_all(task, sent(task, right_values(task)), {})

    with ThreadPoolExecutor(max(threads, 1)) as several:
        for marks in several.map(judge, [task] * threads) if threads else [judge(task)]:
            assert [mark.verdict for mark in marks[:3]] == ["right", "unreadable", "right"]
            (flag,) = unjudged_flags(marks)
            assert flag == "q2: This answer could not be judged (JudgingTimeout); your lecturer will look at the answer."


def test_whoever_waits_does_not_use_up_the_judges_patience() -> None:
    """Seconds of computing are counted: on a busy machine an answer is judged as on a quiet one."""
    with timeout(0.05):
        time.sleep(0.2)


@parametrize(
    "name, answers",
    ("wilcoxon_by_hand", {"q2": 3000, "q7": 77.0}),
    ("wilcoxon_by_hand", {"q2": 10**8, "q7": 77.0}),
    ("bcv_mcnemar", {"q1": 0, "q2": 0, "q3": 0, "q4": 0, "q5": 0.5, "q6": 0.5}),
)
def test_no_number_makes_the_judge_count_for_ever_or_fail(name: str, answers: dict[str, float]) -> None:
    """Nothing follows from a number that nobody finds by a slip, nor from one with which nothing can be computed."""
    marks = mark_all(exercise(name), sent(exercise(name), answers), {})
    assert unjudged_flags(marks) == ()
    assert {mark.verdict for mark in marks} <= {"unknown", "unreadable", "unanswered", "mistake", "carried", "right"}
    assert next(mark for mark in marks if mark.key == next(iter(answers))).verdict != "right"


# -- computed, typed, copied ---------------------------------------------------------------------------------------------------------
def both(values: Any) -> dict[str, QuestionMark]:
    """The marks of a run on a student's data and another on fresh ones; `values` gives the answers to a task."""
    own, fresh = (individual(who, NAME, SECRET) for who in ("student 1", "student 1, again"))
    one, other = (sent(task, values(task)) for task in (own, fresh))
    marks = compare_runs(*(MarkedRun(task, output, mark_all(task, output, {})) for task, output in ((own, one), (fresh, other))))
    return {mark.key: mark for mark in marks}


@pytest.mark.complete
def test_what_follows_from_the_data_is_computed_and_what_does_not_is_typed() -> None:
    """Right or wrong; a choice, a constant and what was not answered show nothing."""
    typed = right_values(individual("student 1", NAME, SECRET))
    assert {both(right_values)[key].computed for key in ("q1", "q2", "q3", "q4", "q5")} == {True}
    found = both(lambda _: typed)
    assert {found[key].computed for key in ("q1", "q2", "q3", "q4", "q5", "q8")} == {False}
    assert found["q10"].computed is None
    n_for_n_minus_1 = both(lambda task: {"q3": float(np.std(right_values(task)["q1"]))})["q3"]
    assert (n_for_n_minus_1.mistake, n_for_n_minus_1.computed) == ("divided by n", True)
    assert both(lambda _: {"q3": 1234.5})["q3"].computed is None


def test_what_was_typed_only_on_the_own_data_is_typed() -> None:
    """Whoever stops when the data are not his own has typed, too; so has whoever computes from what he typed."""
    own = individual("student 1", NAME, SECRET)
    assert both(lambda task: right_values(own) if task.token == own.token else {})["q2"].computed is False
    typed = right_values(own)["q1"]
    chain = both(lambda _: {"q1": typed, "q2": float(np.mean(typed))})
    assert (chain["q2"].verdict, chain["q2"].computed) == ("right", False)


@pytest.mark.complete
def test_typed_numbers_that_follow_from_each_other_are_typed() -> None:
    """On any data they do, with a little noise that changes their last digits as well; what is computed from a slip is computed."""
    typed = right_values(individual("student 1", NAME, SECRET))
    noisy = both(lambda task: {key: np.add(typed[key], 1e-12 * task.data["a"].sum()).tolist() for key in ("q1", "q2", "q3", "q4", "q5")})
    assert {mark.verdict for key, mark in noisy.items() if key in ("q1", "q2", "q3", "q4", "q5")} == {"right"}
    assert {noisy[key].computed for key in ("q1", "q2", "q3", "q4", "q5")} == {False}

    def slip(task: Any, shift: Any) -> dict[str, Any]:
        d = np.add(right_values(task)["q1"], shift)
        return {"q1": d, "q2": d.mean(), "q3": d.std(ddof=1), "q4": d.std(ddof=1) / len(d) ** 0.5}

    honest = both(lambda task: slip(task, np.arange(len(task.data["a"])) ** 2))
    expected = [("unknown", None), ("carried", True), ("carried", True)]
    assert [(honest[key].verdict, honest[key].computed) for key in ("q1", "q2", "q4")] == expected
    wrong = slip(individual("student 1", NAME, SECRET), 3.0)
    invented = both(lambda _: wrong)
    assert [(invented[key].verdict, invented[key].computed) for key in ("q1", "q2")] == [("unknown", None), ("carried", False)]
    same_n = [task for k in range(30) if len((task := individual(f"s{k}", NAME, SECRET)).data["a"]) == 6][:2]
    one, other = ({"q6": value} for value in (5, 5.1))  # the right answer to both is 5, but what computes it computes it twice
    deliveries = [sent(task, given) for task, given in zip(same_n, (one, other), strict=True)]
    marks = compare_runs(*(MarkedRun(t, d, mark_all(t, d, {})) for t, d in zip(same_n, deliveries, strict=True)))
    assert (marks[5].verdict, marks[5].computed) == ("right", False)
    with_noise = both(lambda task: {key: np.add(value, 1e-12 * task.data["a"].sum()) for key, value in wrong.items()})
    assert [(with_noise[key].verdict, with_noise[key].computed) for key in ("q1", "q2")] == [("unknown", None), ("carried", False)]


@pytest.mark.complete
def test_numbers_that_are_right_for_others_do_not_follow_from_an_earlier_mistake() -> None:
    """A copied notebook would be right but for its first line, each number given the one before."""
    own, other = individual("student 1", NAME, SECRET), individual("student 2", NAME, SECRET)
    delivery = sent(own, right_values(other))
    before = mark_all(own, delivery, {})
    assert [mark.verdict for mark in before].count("carried") >= 2, "this is the danger"
    after, flag = flag_foreign_values(before, delivery, own, [exercise(NAME), other])
    assert flag.endswith(f"answers that are wrong here are right for the data {other.token}: copied?")
    kept = [mark.key for mark in after if mark.verdict in ("right", "carried", "mistake")]
    assert kept == [mark.key for mark in before if mark.verdict == "right"]
    assert flag_foreign_values(before, delivery, own, [exercise(NAME)]) == (before, "")


@pytest.mark.complete
def test_an_honest_mistake_is_not_taken_for_a_copy() -> None:
    """Whoever carries on a slip of his own keeps what it earns, whatever others have."""
    own = individual("student 1", NAME, SECRET)
    d = np.array(right_values(own)["q1"], float)
    d[0] += 1
    delivery = sent(own, {"q1": d, "q2": d.mean(), "q3": d.std(ddof=1), "q4": d.std(ddof=1) / len(d) ** 0.5})
    before = mark_all(own, delivery, {})
    assert [mark.verdict for mark in before[:4]] == ["unknown", "carried", "carried", "carried"]
    assert flag_foreign_values(before, delivery, own, [individual(f"student {k}", NAME, SECRET) for k in range(2, 30)]) == (before, "")


@pytest.mark.complete
@pytest.mark.parametrize("name", ["sign_test_by_hand", "contingency_from_predictions"])
def test_who_has_few_values_to_choose_from_has_copied_nothing(name: str) -> None:
    """A class that makes mistakes that have names, several each: with counts, somebody's wrong numbers are right for another."""
    rng, exercise_asked = np.random.default_rng(1), exercise(name).exercise
    asked = [q for q in exercise_asked.questions if isinstance(q, Question)]
    tokens = {f"student {k}": data_token(f"student {k}", name, SECRET) for k in range(150)}
    class_of_them, tasks = {}, {student: exercise_task(name, one) for student, one in tokens.items()}
    for student, task in tasks.items():
        slips = [rng.choice([*exercise_asked.mistakes_at(q)] or [None]) for q in asked]
        values = {q.key: expected_value(task, q.key, slip) for q, slip in zip(asked, slips, strict=True)}
        found = mark_all(task, sent(task, values), {})
        class_of_them[student] = SubmissionMark(name, task.token, found)
    wrong = {student: {key: rounded_key(value) for key, value in wrong_values(one)} for student, one in class_of_them.items()}
    right = {student: {q.key: rounded_key(expected_value(task, q.key)) for q in asked} for student, task in tasks.items()}
    alike = (
        sum(one == theirs.get(key) for key, one in mine.items() if one)
        for who, mine in wrong.items()
        for other, theirs in right.items()
        if who != other
    )
    assert sum(count >= AT_LEAST for count in alike) > 5, "this is the danger"
    assert discount_copies(class_of_them, tokens) == class_of_them


@pytest.mark.usefixtures("without_slips")
@pytest.mark.parametrize("number", [1.7976931348623157e308, -1.7e308, 5e-324, 2**62, math.inf, math.nan, [1.7e308] * 6, [[1e308]]])
def test_no_number_says_anything_on_a_terminal(number: object) -> None:
    """Neither where it is judged, nor where it is held against a second run, others' data, and the class."""
    own, other = individual("student 1", NAME, SECRET), individual("student 2", NAME, SECRET)
    with warnings.catch_warnings(action="error"):
        for question in own.exercise.questions:
            own.check(question.key, number)
        delivery = sent(own, {question.key: number for question in own.exercise.questions})
        found = compare_runs(*(MarkedRun(task, delivery, mark_all(task, delivery, {})) for task in (own, other)))
        found, _ = flag_foreign_values(found, delivery, own, [other])
        discount_copies({"s": SubmissionMark(NAME, own.token, found)}, {"s": own.token, "o": other.token})


def test_four_digits_of_two_lines_are_no_luck() -> None:
    """Whoever works out the first line himself and copies the next ones: what agrees is long enough in a class of two hundred."""
    own, other = individual("student 1", NAME, SECRET), individual("student 2", NAME, SECRET)
    copied = {key: float(f"{right_values(other)[key]:.4g}") for key in ("q2", "q3", "q4", "q5")}
    delivery = sent(own, copied | {"q1": right_values(own)["q1"]})
    before = mark_all(own, delivery, {})
    assert [mark.verdict for mark in before[:5]].count("carried") >= 1, "this is the danger"
    after, flag = flag_foreign_values(before, delivery, own, [other], among=200)
    assert flag.startswith("4 answers")
    assert {mark.verdict for mark in after[1:5]} == {"unknown"}


# -- kept as JSON -------------------------------------------------------------------------------------------------------------------
def test_a_mark_is_kept_as_json() -> None:
    see = Section("01_paired_t", "Step 5. Decide")
    mark = QuestionMark("q3", "mistake", 2.0, "3.2", ("One.", "Two."), "divided by n", see, "value", True)
    marks = (mark, QuestionMark("q4", "unanswered", 1, "", ()))
    one = SubmissionMark(NAME, TOKEN, marks, "why", "weak", ("look",), {"reflection_end": "mine"}, ("code cell 5 raised E",))
    assert SubmissionMark.from_dict(json.loads(json.dumps(asdict(one), allow_nan=False))) == one
    with pytest.raises(ValueError, match=r"a verdict must be one of right, digits, carried, .*; got 'best'"):
        QuestionMark.from_dict(asdict(mark) | {"verdict": "best"})


def test_choices_are_questions_of_their_own_kind() -> None:
    task = individual("student 1", NAME, SECRET)
    question = task.exercise.question("q10")
    assert isinstance(question, Choice)
    letter = "abcdefgh"[question.order(task.token).index(0)]
    marks = [mark_all(task, sent(task, {"q10": given}), {})[-1] for given in (letter, letter.upper(), "z")]
    assert [(mark.kind, mark.verdict) for mark in marks] == [("choice", "right"), ("choice", "right"), ("choice", "unreadable")]
    assert cells.CHECK_CALL.match('check("q10", meaning)')
