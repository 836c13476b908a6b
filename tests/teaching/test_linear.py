"""Marking takes no more than linear time in what a stranger wrote, whatever it is."""

import importlib
import json
import pkgutil
import re
import time
from collections.abc import Callable, Iterator
from types import ModuleType

import pytest
from class_of import EXERCISE, NOTEBOOK, ROOT
from shortcuts import assert_raises, parametrize

import fstats.teaching.marking
from fstats.teaching.grading import exercise_notebook
from fstats.teaching.grading.answers import answer_value
from fstats.teaching.grading.hints import numpy_expression
from fstats.teaching.marking import untrusted_text
from fstats.teaching.marking.plagiarism import plagiarism_flags, shared_passages, similar_submissions
from fstats.teaching.marking.sandbox import sandbox_output
from fstats.teaching.marking.submissions import answer_dependencies, package_calls, submission_cells
from fstats.teaching.sandbox_runtime import ipython_substitute

SHORT, LONG = 10_000, 100_000
QUADRATIC = 40  # times as long for ten times the text; linear is 10, quadratic 100
TOO_SHORT = 0.02  # seconds that cannot be compared
# what fools patterns: beginnings that go on and never end, rows of one sign, letters that stand for others
HOSTILE = [
    *"([{) \t\n1\"'#\\=a_-;%!*~`$",
    *("](", "setattr(", "0.", "1,", "_1", "+a", 'exercise("', "exercise( ", 'exercise("a", ', "check(", 'check("q1",', 'check("q1", )'),
    *('"check"] ', "check: ", "as ", "def ", "async ", "](", "from ", "import x\n", "files.a(", "drive.a()", "\u0301\u0323", "\ufdfa"),
    *("\uff43heck", "\ud800", "a1 ", "-n 10 ", "-n10 -r", "e+1", "_1_assignsubmission_", "anon_", "+a+", '; "', "\r\n", "\u202e"),
    *("\x1b[2K", "&#", "<script>", "1/", "1 * ("),
]


def patterns() -> Iterator[tuple[str, re.Pattern[str]]]:
    """All that stand in a module which sees what students wrote."""
    names = [one.name for one in pkgutil.iter_modules(fstats.teaching.marking.__path__, "fstats.teaching.marking.")]
    own = {"fstats.teaching.marking.release", "fstats.teaching.marking.sandbox.sandbox_leak_check"}  # these read the course's own files
    modules: list[ModuleType] = [importlib.import_module(name) for name in names if name not in own]
    for module in (*modules, answer_value, exercise_notebook, numpy_expression, ipython_substitute):
        for name, value in vars(module).items():
            if isinstance(value, re.Pattern):
                yield f"{module.__name__.rpartition('.')[2]}.{name}", value


def seconds(work: Callable[[], object]) -> float:
    """Of computing, the least of three."""
    found = []
    for _ in range(3):
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
        if found[-1] < TOO_SHORT:
            break
    return min(found)


def assert_linear(work: Callable[[int], object], what: str) -> None:
    """Ten times the text takes about ten times as long."""
    longest = seconds(lambda: work(LONG))
    if longest > TOO_SHORT:
        assert longest < QUADRATIC * max(seconds(lambda: work(SHORT)), TOO_SHORT / 10), what


def text(unit: str, length: int) -> str:
    return (unit * (length // len(unit) + 1))[:length]


PATTERNS = dict(patterns())


@pytest.mark.complete
@pytest.mark.parametrize("name", PATTERNS)
def test_every_pattern_is_linear(name: str) -> None:
    pattern = PATTERNS[name]
    for unit in HOSTILE:
        for before in ("", 'check("q1", ', "_1_assignsubmission_file_"):

            def work(length: int, unit: str = unit, before: str = before) -> None:
                hostile: str | bytes = before + text(unit, length // 4)
                if isinstance(pattern.pattern, bytes):
                    hostile = hostile.encode("utf-8", "replace")
                pattern.fullmatch(hostile)  # type: ignore[arg-type]
                for _ in pattern.finditer(hostile):  # type: ignore[arg-type]
                    pass

            assert_linear(work, f"{name} on {unit!r} behind {before!r}")


@pytest.mark.complete
def test_the_test_would_see_a_quadratic_pattern() -> None:
    found = re.compile(r"\bsetattr\([^,\n]*,")
    assert_raises(lambda: assert_linear(lambda length: found.search(text("setattr(", length // 2)), "setattr"), "setattr", AssertionError)


def read(unit: str, length: int) -> None:
    """A notebook of three cells of such a text is read, and what is done with its words and values."""
    reference = json.loads((ROOT / "exercises" / NOTEBOOK).read_text(encoding="utf-8"))
    hostile = text(unit, length)
    extra = [
        {"cell_type": kind, "metadata": {"nbgrader": {"grade_id": hostile[:50]}}, "source": hostile}
        for kind in ("code", "markdown", "code")
    ]
    written = json.dumps(reference | {"cells": [*reference["cells"], *extra]}).encode()
    found = submission_cells.select_cells(reference, written, EXERCISE, "")
    for one in found.cells:
        similar_submissions.SETTING_UP.sub("", one.source)
    package_calls.package_answers(found.cells)
    answer_dependencies.answer_dependencies(found.cells)
    shared_passages.StudentText([hostile])
    plagiarism_flags._is_specific(hostile[:200])
    untrusted_text.csv_text(["head"], [[hostile]])
    sandbox_output.parse_output(json.dumps({"key": "q1", "value": hostile}).encode(), ["q1"])
    sandbox_output.parse_output(hostile.encode("utf-8", "replace"), ["q1"])


@pytest.mark.complete
@pytest.mark.parametrize("unit", HOSTILE, ids=ascii)
def test_reading_is_linear(unit: str) -> None:
    assert_linear(lambda length: read(unit, length), unit)


@pytest.mark.complete
@parametrize("line", "if a:\n    x{k} = a\n", "x{k} = f(x{k})\n", "from fstats import x{k}\n", "for a in a:\n  with a as x{k}:\n   pass\n")
def test_programs_are_read_in_linear_time(line: str) -> None:

    def work(length: int) -> None:
        source = "".join(line.format(k=k) for k in range(length // len(line)))
        written = [submission_cells.RunCell("one", source), submission_cells.RunCell("two", "x1", "q1")]
        answer_dependencies.answer_dependencies(written)
        package_calls.package_answers(written)

    assert_linear(work, line)
