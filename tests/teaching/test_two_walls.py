"""Two walls of different kinds, bubblewrap and WebAssembly: what runs behind one delivers behind the other the same values and verdicts.

Inside WebAssembly are another Python, other versions of numpy and scipy, and another library for matrices, so the last digit of a number
may differ.  `CLOSE` is what is allowed here, as a part of the number (and of 1, where it is smaller: what is left where equal numbers
cancel).  The judge compares to three significant digits, which is a thousand million times as much, and whole numbers to a part in 10^9;
and that no verdict follows from the digits in between, the tests of verdicts show on all that is known of what students hand in.
"""

import json
import math
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import test_marking_worker as worker
import test_tried as tried

from fstats import exercise, individual
from fstats.teaching.course.catalogue import exercise_names
from fstats.teaching.grading.task import Task
from fstats.teaching.marking.marks.marker import Marker
from fstats.teaching.marking.marks.submission_mark import SubmissionMark
from fstats.teaching.marking.sandbox.notebook_session import Limits
from fstats.teaching.marking.sandbox.sandbox_choice import SandboxBackend, start_sandbox
from fstats.teaching.sandbox_runtime.json_serialisation import encode

pytestmark = pytest.mark.needs("bubblewrap", "engine", "wasmtime")
SECRET = "only for the tests of this package"
LIMITS = Limits(cpu=60, wall=200)
CLOSE = 1e-12
UNSTABLE = "np.argsort(abs(d))"  # numpy does not promise which of two equal numbers comes first: it depends on the processor, too
SOME = ("paired_t_by_hand", "friedman_and_nemenyi", "write_your_own_test")  # in every run; the others when everything is asked for
each_exercise = pytest.mark.parametrize("name", [pytest.param(n, marks=() if n in SOME else pytest.mark.slow) for n in exercise_names()])
TOOLS = """
import numpy as np
from scipy import stats
from itertools import combinations, product
from math import comb
from fractions import Fraction
from decimal import Decimal
from fstats import exercise
sqrt, log, log2 = np.sqrt, np.log, np.log2
def dig(x, digits): return float(f"{float(x):.{digits - 1}e}")
def cut(x, decimals): return float(np.trunc(float(x) * 10**decimals + 1e-9 * np.sign(x)) / 10**decimals)
task = exercise(NAME)
globals().update(task.data)
"""


@pytest.fixture(scope="module")
def both(bubblewrap: str, engine: Any, wasmtime: Any) -> Iterator[tuple[SandboxBackend, SandboxBackend]]:  # noqa: ARG001 - they are there
    with closing(start_sandbox(LIMITS, "bubblewrap")) as first, closing(start_sandbox(LIMITS, "wasm")) as second:
        yield first, second


@pytest.fixture(scope="module")
def two(bubblewrap: str, engine: Any, wasmtime: Any) -> Iterator[tuple[Marker, Marker]]:  # noqa: ARG001 - they are there
    with closing(Marker(limits=LIMITS, wall="bubblewrap")) as first, closing(Marker(limits=LIMITS, wall="wasm")) as second:
        yield first, second


def apart(one: Any, other: Any) -> float:
    """How far two values lie from each other, as a part of them or of 1; infinitely where they are not even of one kind."""
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return max((apart(x, y) for x, y in zip(one, other)), default=0.0)
    if type(one) is float and type(other) is float and math.isfinite(one) and math.isfinite(other):
        return abs(one - other) / max(abs(one), abs(other), 1.0)
    return 0.0 if one == other or (one != one and other != other) else math.inf


def test_what_is_called_close_sees_differences() -> None:
    assert apart([1.0, [2.0, math.nan]], [1.0, [2.0, math.nan]]) == 0
    assert apart([1.0], [1.0 + 4e-12]) > CLOSE > apart([1.0], [1.0 + 4e-16])
    assert apart(1, 1.5) == apart([1], [1, 2]) == apart("a", "b") == apart(True, None) == math.inf


def delivered(where: SandboxBackend, name: str, task: Task, file: Path) -> dict[str, Any]:
    """What a wall delivers for all that students were seen to type; the kind of error where it is none."""
    cells, done, kept = [{"name": "tools", "key": "", "source": TOOLS.replace("NAME", repr(name))}], 0, dict[str, str]()
    for number, (before, one) in enumerate(tried.tries(file)):
        now = "\n".join(["import warnings; warnings.simplefilter('ignore')", *before[done:], f"right = task.data[{'right ' + one.key!r}]"])
        done = len(before)
        cells += [{"name": "before", "key": "", "source": now}, {"name": "try", "key": f"t{number}", "source": one.typed}]
        kept[f"t{number}"] = f"t{number} {one.key}: {one.typed}"
    rights = {f"right {q.key}": encode(tried.right_answer(task, q.key)) for q in task.exercise.questions}
    data = {name: encode(value) for name, value in task.data.items()} | rights
    ran = where.run({"exercise": name, "token": "", "cells": cells, "data": data, "questions": {}, "cases": {}, "ready": {}})
    said = [*map(json.loads, ran.splitlines())]
    assert said[-1] == {"end": True}
    lines = [line for line in said if "key" in line]
    found = {kept[line["key"]]: line.get("value", line.get("missing", "").partition(":")[0]) for line in lines}
    assert len(found) == len(kept) >= tried.LEAST
    return found


@each_exercise
def test_what_students_type_has_the_same_value_behind_both_walls(name: str, both: tuple[SandboxBackend, SandboxBackend]) -> None:
    for file in tried.files(name):
        one, other = (delivered(where, name, exercise(name), file) for where in both)
        found = {typed: (value, other[typed]) for typed, value in one.items() if apart(value, other[typed]) > CLOSE}
        assert {typed: values for typed, values in found.items() if UNSTABLE not in typed} == {}
        for typed, values in found.items():  # it has no points behind either, though only one of them may have its name
            key = typed.partition(": ")[0].partition(" ")[2]
            assert {exercise(name).check(key, value).verdict for value in values} <= {"mistake", "unknown"}


def same(one: SubmissionMark, other: SubmissionMark) -> bool:
    """Whether two marks say the same of each question, of words and of what somebody should look at."""
    assert (one.isolation or "bubblewrap", other.isolation or "wasm") == ("bubblewrap", "wasm")
    verdicts = [[(q.key, q.verdict, q.mistake, q.guess, q.computed) for q in mark.questions] for mark in (one, other)]
    assert verdicts[0] == verdicts[1]
    for here, there in zip(one.questions, other.questions):
        if here.answer.endswith("..."):  # cut off for show
            assert here.answer[:20] == there.answer[:20]
        elif here.answer != there.answer:
            assert apart(json.loads(here.answer), json.loads(there.answer)) <= CLOSE
    return (one.ended, one.flags, len(one.problems)) == (other.ended, other.flags, len(other.problems))


@each_exercise
def test_solutions_and_empty_notebooks_have_the_same_mark_behind_both_walls(name: str, two: tuple[Marker, Marker]) -> None:
    """On the course's data, and on a student's own, with the second run that tells computed from typed."""
    task, fresh = individual("student 1", name, SECRET), individual("student 1, again", name, SECRET)
    for notebook in (worker.notebook_of(name, "solutions"), worker.notebook_of(name, "exercises")):
        assert same(*(worker.mark(marker, notebook, exercise(name)) for marker in two))
        assert same(*(worker.mark(marker, notebook, task, fresh) for marker in two))
    assert {q.verdict for q in worker.mark(two[1], worker.notebook_of(name, "solutions"), exercise(name)).questions} == {"right"}


@each_exercise
@pytest.mark.slow
def test_every_mistake_has_its_name_behind_both_walls(name: str, two: tuple[Marker, Marker]) -> None:
    """All of an exercise's mistakes, a question at a time, computed where they are marked wherever a value is asked for."""
    task = individual("student 7", name, SECRET)
    keys = [question.key for question in task.exercise.questions]
    for mistake in task.exercise.mistakes:
        home = task.exercise.home(mistake)
        notebook = worker.with_mistake(name, task, mistake)
        one, other = (worker.mark(marker, notebook, task) for marker in two)
        assert same(one, other)
        assert other.questions[keys.index(home.key)].mistake == mistake.name


@pytest.mark.parametrize("habit", [pytest.param(h, marks=() if k < 3 else pytest.mark.slow) for k, h in enumerate(worker.HONEST)])
def test_habits_of_honest_students_have_the_same_mark_behind_both_walls(habit: str, two: tuple[Marker, Marker]) -> None:
    """Magics, an `await`, a second try: what is no plain Python is translated inside by the same files of IPython."""
    assert same(*(worker.mark(marker, worker.with_habit(habit)) for marker in two))


def test_two_walls_at_once_agree(bubblewrap: str, engine: Any, wasmtime: Any) -> None:  # noqa: ARG001 - they are there
    """Or somebody is shown where they do not: here a notebook asks on which system it runs, and answers accordingly."""
    with closing(Marker(limits=LIMITS, wall="both")) as marker:
        agreed = worker.mark(marker, worker.notebook_of(worker.NAME, "solutions"))
        assert (agreed.flags, agreed.isolation) == ((), "bubblewrap and wasm")
        two_faced = worker.filled(extra="import sys", q2="mean = (a - b).mean() if sys.platform == 'linux' else (a - b).sum()")
        found = worker.mark(marker, two_faced)
    assert found.flags == ("The two sandboxes disagree on q2: the verdict is 'right' in bubblewrap, and 'mistake' in wasm.",)
    assert worker.verdicts(found)["q2"] == "right"
