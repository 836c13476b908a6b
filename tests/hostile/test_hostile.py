"""Hostile submissions: each fools or hurts a naive grader, and gains nothing from the marker."""

import json
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict
from functools import cache
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import naive
import numpy as np
import pytest
from attacks import ATTACKS, SECRET, Attack, World
from attacks_inside import ATTACKS_INSIDE

from fstats import exercise, individual
from fstats.teaching.course.catalogue import exercise_names, load_exercise_definition
from fstats.teaching.grading.question import Choice, Question
from fstats.teaching.grading.task import Task
from fstats.teaching.marking.grading_run import MARKING_SECONDS
from fstats.teaching.marking.marks.marker import Marker
from fstats.teaching.marking.marks.submission_mark import SubmissionMark
from fstats.teaching.marking.sandbox import allow_list
from fstats.teaching.marking.sandbox.notebook_session import MAX_LOST_CELLS, TOTAL_TIME_FACTOR, Limits
from fstats.teaching.marking.sandbox.wasm_sandbox import TIME_FACTOR
from fstats.teaching.sandbox_runtime.landlock import landlock_version as landlock

if sys.platform != "linux":
    pytest.skip("the naive graders are kept in bounds by means that only Linux has", allow_module_level=True)

ROOT = Path(__file__).parents[2]
LIMITS = Limits(cpu=1, wall=5, memory=200, all_memory=300)
KEY = "only for the tests of this package"
EARNS = ("right", "carried", "mistake")  # but that a wrong choice earns nothing, whatever its name
each_attack = pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.kind.replace(" ", "-"))
FIRST = [attack for k, attack in enumerate(ATTACKS) if (attack.fools, attack.effect) not in {(a.fools, a.effect) for a in ATTACKS[:k]}]
each_effect = pytest.mark.parametrize(  # one attack with each effect on each naive grader; all others are slow
    "attack",
    [pytest.param(attack, marks=() if attack in FIRST else pytest.mark.slow) for attack in ATTACKS],
    ids=lambda attack: attack.kind.replace(" ", "-"),
)


@cache
def notebook_of(name: str, folder: str) -> bytes:
    """The exercise as it is given out, or its solution."""
    return next((ROOT / folder).glob(f"[0-9][0-9]_{name}.ipynb")).read_bytes()


@cache
def task_of(name: str, student: str) -> Task:
    """A student's own task."""
    return individual(student, name, KEY)


def right_answers(task: Task) -> dict[str, Any]:
    """The answers as a student could type them."""
    found: dict[str, Any] = {}
    for question in task.exercise.questions:
        if isinstance(question, Choice):
            found[question.key] = "abcdefgh"[question.order(task.token).index(0)]
        elif isinstance(question, Question):
            value = np.asarray(getattr(task._tests[task.exercise.tested(question)], question.step))
            found[question.key] = value.tolist()
    return found


@pytest.fixture(scope="module")
def listeners() -> Iterator[tuple[int, str]]:
    """A port of this machine and a socket without a file, at which somebody listens."""
    name = f"fstats-{os.getpid()}"
    with socket.create_server(("127.0.0.1", 0), backlog=100) as one, socket.socket(socket.AF_UNIX) as other:
        other.bind("\0" + name)
        other.listen(100)
        careless = subprocess.Popen(["sh", "-c", "sleep 600; :", SECRET])  # somebody who writes the secret into a command line
        yield one.getsockname()[1], name
        careless.kill()
        careless.wait()


@pytest.fixture
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a careless course, where everybody may do everything."""
    folder = tmp_path_factory.mktemp("course")
    for parent in (folder, *folder.parents):
        if parent.stat().st_uid == os.geteuid() and parent != Path("/"):
            parent.chmod(parent.stat().st_mode | 0o055)
    folder.chmod(0o777)
    for name in ("secret.txt", "key.json", "submissions/s2/answers.txt", "grades.csv", "log.txt"):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(SECRET if name != "log.txt" else "")
        for one in (path, *path.parents):
            if one.is_relative_to(folder):
                one.chmod(0o777)
    return folder


def state(course: Path) -> dict[str, bytes]:
    """All files of the course but the log."""
    found = {str(path.relative_to(course)): path.read_bytes() for path in sorted(course.rglob("*")) if path.is_file()}
    return {
        name: text for name, text in found.items() if name not in ("log.txt", "answers.pickle", "mine", "left_behind") and "big" not in name
    }


def world_of(attack: Attack, course: Path, listeners: tuple[int, str]) -> World:
    """All that an attack may know."""
    name = attack.exercise
    own, others = task_of(name, "s1"), task_of(name, "s2")
    reference = json.loads(notebook_of(name, "exercises"))
    return World(reference, course, *listeners, right_answers(others), right_answers(exercise(name)), own.token, others.token)


def made(attack: Attack, world: World) -> list[bytes]:
    """The submissions of an attack."""
    found = attack.make(world)
    return [found] if isinstance(found, bytes) else found


# -- the naive grader ----------------------------------------------------------------------------------------------------------
@pytest.mark.complete
@each_effect
def test_an_attack_succeeds_where_student_and_judge_share_a_process(attack: Attack, course: Path, listeners: tuple[int, str]) -> None:
    """In every run one attack with each effect on each naive grader, all attacks in the complete tier."""
    world, before = world_of(attack, course, listeners), state(course)
    honest = notebook_of(attack.exercise, "exercises")  # nothing in it, but a mark is due: 0
    seconds = 1.5 if attack.effect == "stops" else 40  # some of them would hang for ever; the others are slow on a busy machine only
    graded = naive.grade(attack.fools, [*made(attack, world), honest], task_of(attack.exercise, "s1"), course, seconds)
    if attack.effect == "points":
        assert graded.points[0] > max(len(attack.honest), 4), graded
    elif attack.effect == "evidence":
        assert attack.evidence in graded.reports, graded
    elif attack.effect == "damage":
        if "late" in str(made(attack, world)):
            wait_for(course / "late.txt")
        assert state(course) != before
    else:
        assert attack.effect == "stops"
        assert not graded.ended


def wait_for(path: Path) -> None:
    """Until a file is there, ten seconds at most."""
    for _ in range(200):
        if path.exists():
            return
        time.sleep(0.05)


# -- the marker ----------------------------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def strong(bubblewrap: str) -> Iterator[Marker]:  # noqa: ARG001 - it is on the PATH
    """A marker behind bubblewrap."""
    with closing(Marker(limits=LIMITS)) as marker:
        yield marker


@pytest.fixture(scope="module")
def weak() -> Iterator[Marker]:
    """A marker without bubblewrap."""
    if not landlock():
        pytest.skip("the weaker isolation needs Landlock, of Linux from 5.13 on")
    with closing(Marker(limits=LIMITS, wall="weak")) as marker:
        yield marker


@pytest.fixture(scope="module")
def inside(engine: Any, wasmtime: Any) -> Iterator[Marker]:  # noqa: ARG001 - they can be imported
    """A marker with WebAssembly."""
    with closing(Marker(limits=LIMITS, wall="wasm")) as marker:
        yield marker


def marked(marker: Marker, attack: Attack, notebook: bytes, student: str = "s1") -> SubmissionMark:
    """The mark of a notebook in the exercise of an attack."""
    reference = json.loads(notebook_of(attack.exercise, "exercises"))
    return marker.mark(reference, notebook, task_of(attack.exercise, student), None, b"a seed that nobody knows")


def lingering() -> list[str]:
    """Processes that should have ended."""
    return [str(path) for path in Path("/proc").glob("[0-9]*/comm") if _named(path) == "lingering"]


def _named(path: Path) -> str:
    try:
        return path.read_text().strip()
    except OSError:
        return ""


def assert_it_gains_nothing(
    marker: Marker, attack: Attack, course: Path, listeners: tuple[int, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No attack earns more than is honestly right, sees, changes or stops anything."""
    monkeypatch.setenv("COURSE_SECRET", SECRET)
    world, before = world_of(attack, course, listeners), state(course)
    own = task_of(attack.exercise, "s1")
    by_chance = tuple(key for key, value in attack.typed(world).items() if own.is_right(key, value))
    assert len(by_chance) < 5
    for notebook in made(attack, world):
        mark = marked(marker, attack, notebook)
        assert not mark.isolation or mark.isolation == marker.isolation
        earned = [q.key for q in mark.questions if q.verdict in EARNS and (q.verdict, q.kind) != ("mistake", "choice")]
        assert tuple(earned) == attack.honest + attack.inside * (marker.isolation == "wasm") + by_chance, mark
        assert attack.evidence not in json.dumps(asdict(mark))
        assert SECRET not in json.dumps(asdict(mark))
    assert not lingering()
    assert state(course) == before
    next_one = exercise("paired_t_by_hand")
    after = marker.mark(
        json.loads(notebook_of("paired_t_by_hand", "exercises")), notebook_of("paired_t_by_hand", "solutions"), next_one, None, b""
    )
    assert {question.verdict for question in after.questions} == {"right"}, "whoever comes next is marked as ever"


@pytest.mark.every_case
@each_attack
def test_an_attack_gains_nothing_behind_bubblewrap(
    attack: Attack, strong: Marker, course: Path, listeners: tuple[int, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert strong.isolation == "bubblewrap"
    assert_it_gains_nothing(strong, attack, course, listeners, monkeypatch)


@each_effect
def test_an_attack_gains_nothing_in_webassembly(
    attack: Attack, inside: Marker, course: Path, listeners: tuple[int, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert inside.isolation == "wasm"
    assert_it_gains_nothing(inside, attack, course, listeners, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("attack", [attack for attack in ATTACKS if attack.weak], ids=lambda attack: attack.kind.replace(" ", "-"))
def test_an_attack_gains_nothing_by_weaker_means(
    attack: Attack, weak: Marker, course: Path, listeners: tuple[int, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert weak.isolation == "weak"
    assert_it_gains_nothing(weak, attack, course, listeners, monkeypatch)


def test_the_page_for_graders_says_what_holds_where() -> None:
    """Its table is the table of the attacks, and its limits are those that are set."""
    text = (ROOT / "solutions" / "GRADING.md").read_text(encoding="utf-8")
    table = text.partition("| a submission that ... | bubblewrap | WebAssembly | weaker isolation |\n|---|---|---|---|\n")[2].partition(
        "\n\n"
    )[0]
    assert table.splitlines() == [
        *(f"| {attack.kind} | yes | yes | {'yes' if attack.weak else 'no'} |" for attack in ATTACKS),
        *(f"| {attack.kind} | - | yes | - |" for attack in ATTACKS_INSIDE),
    ]
    limits = Limits()
    for words in (
        f"may compute {limits.cpu:g} seconds, last {limits.wall:g} seconds",
        f"{limits.memory} MiB of memory beyond",
        f"{limits.all_memory} MiB in all of them together",
        f"{limits.processes} processes",
        f"(in memory, {limits.disk} MiB)",
        f"{limits.output} MiB at most",
        f"in WebAssembly {['', '', '', '', '', 'five'][TIME_FACTOR]} times as much",
        f"All cells together have {['', '', '', 'three'][TOTAL_TIME_FACTOR]} times that",
        f"once more without it, up to {['', '', '', 'three'][MAX_LOST_CELLS]} times",
        f"may take {MARKING_SECONDS} seconds",
    ):
        assert words in " ".join(text.split())


def test_libraries_come_with_all_that_they_require(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the lists of their files, or by their names; without extras, programs, and what is not there."""
    files = [Path("numpy/a.py"), Path("numpy.libs/b.so"), Path("__pycache__/c.pyc"), Path("../bin/d"), Path("left_out/e.py")]
    there = {
        "numpy": (["Two_Words>=1", "three; extra == 'all'", "absent"], files),
        "two-words": (None, None),
        "three": (None, [Path("f.py")]),
    }

    def distribution(name: str) -> Any:
        if name not in there:
            raise PackageNotFoundError
        requires, listed = there[name]
        return SimpleNamespace(requires=requires, files=listed, read_text=lambda _: "two words", locate_file=lambda first: tmp_path / first)

    for name in ("numpy", "numpy.libs", "__pycache__", "two", "words", "f.py"):
        (tmp_path / name).mkdir()
    monkeypatch.setattr(allow_list, "distribution", distribution)
    assert allow_list.third_party_libraries.__wrapped__() == {name: tmp_path / name for name in ("numpy", "numpy.libs", "two", "words")}


def test_the_page_for_graders_lists_what_is_let_in() -> None:
    """Each library and each part of fstats that the walls let in, and no other."""
    text = (ROOT / "solutions" / "GRADING.md").read_text(encoding="utf-8")
    table = text.partition("| let in | what it is |\n|---|---|\n")[2].partition("\n\n")[0]
    rows = dict(line.strip("| ").split(" | ") for line in table.splitlines())
    said = rows["libraries"].partition(", each with")[0].lower().split(", ")
    assert said == [name.lower() for name in allow_list.LIBRARIES]
    parts = {entry.rstrip("/").replace("/", ".") for entry in allow_list.FSTATS_ENTRIES if entry.endswith("/")}
    assert {*re.findall(r"`([a-z._]+)`", rows["a part of `fstats`"])} == parts
    (other,) = re.findall(r"Only \*([a-z ]+)\* takes answers from `fstats.([a-z]+)`", text)
    assert {name: load_exercise_definition(name).may_use for name in exercise_names() if load_exercise_definition(name).may_use} == {
        other[0].replace(" ", "_"): (other[1],)
    }


def test_there_are_many_kinds() -> None:
    """No kind stands there twice, and every naive grader and every effect is met."""
    assert len({attack.kind for attack in ATTACKS}) == len(ATTACKS) > 50
    assert {attack.effect for attack in ATTACKS} == {"points", "evidence", "damage", "stops"}
    assert {attack.fools for attack in ATTACKS} == {"checks", "asserts", "pickles"}
