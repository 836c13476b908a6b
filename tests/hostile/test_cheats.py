"""A class in which some cheat and one stalls, graded by the command line: what each earns, what is told, and that all others are marked."""

import csv
import json
import math
import re
import tomllib
from collections.abc import Mapping
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from class_of import ROOT, right_answer

from fstats import cli, individual
from fstats.teaching.course.individual_data import data_token
from fstats.teaching.grading.question import Choice, Function, Question
from fstats.teaching.marking.release import personal_notebook

SECRET = "only for the tests of this package"
PI = "3141592653589793238462643383279502884197"
STUDENTS = ("honest", "friend", "copier", "pi", "forger", "hijacker", "stall", "exits", "package")
pytestmark = pytest.mark.needs("bubblewrap")


def notebook(exercise: str, student: str, cells: Mapping[str, str], folder: str = "exercises", extra: str = "") -> bytes:
    """A student's own notebook with these sources in the cells of answers, and one more cell behind the opening."""
    (path,) = (ROOT / folder).glob(f"[0-9][0-9]_{exercise}.ipynb")
    found = personal_notebook(json.loads(path.read_text(encoding="utf-8")), exercise, data_token(student, exercise, SECRET))
    task, written = individual(student, exercise, SECRET), []
    letters = {f"answer_{q.key}": right_answer(task, q.key) for q in task.exercise.questions if isinstance(q, Choice)}
    for cell in found["cells"]:
        place = cell["metadata"].get("nbgrader", {}).get("grade_id", "")
        source = "".join(cell["source"])
        if place in letters and folder == "solutions":
            source = f"{source.split(' = ')[0].splitlines()[-1]} = {letters[place]!r}"
        written.append(cell | {"source": cells.get(place, source)})
        if extra and "task = exercise(" in source:
            written.append({"cell_type": "code", "metadata": {}, "source": extra, "outputs": [], "execution_count": None})
    return json.dumps(found | {"cells": written}).encode()


def names_of(exercise: str) -> dict[str, str]:
    """What each check looks at, by question."""
    (path,) = (ROOT / "exercises").glob(f"[0-9][0-9]_{exercise}.ipynb")
    sources = ["".join(cell["source"]) for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]]
    checks = [source.removeprefix("check(").rstrip(")").split(", ", 1) for source in sources if source.startswith("check(")]
    return {key.strip("\"'"): expression for key, expression in checks}


def typed(exercise: str, values: Mapping[str, Any]) -> dict[str, str]:
    """Cells that assign these values."""
    names = names_of(exercise)
    return {f"answer_{key}": f"{names[key]} = {value!r}" for key, value in values.items()}


def rights(exercise: str, student: str) -> dict[str, Any]:
    """The right numbers on a student's data."""
    task = individual(student, exercise, SECRET)
    return {q.key: right_answer(task, q.key) for q in task.exercise.questions if isinstance(q, Question)}


def from_pi(student: str) -> dict[str, Any]:
    """The digits of pi as differences, and all that follows from them."""
    task = individual(student, "paired_t_by_hand", SECRET)
    test = task.test_of(task.exercise.question("q1"))  # type: ignore[arg-type]
    d = np.array([float(digit) for digit in PI[: test.n]])
    se = d.std(ddof=1) / math.sqrt(len(d))
    return {"q1": d.tolist(), "q2": float(d.mean()), "q3": float(d.std(ddof=1)), "q4": float(se), "q5": float(d.mean() / se)}


# whatever lies in frames, in open files and in our modules: the inputs of functions, the channel, the code that calls
SCRIPTS = tomllib.loads(Path(__file__).with_name("scripts.toml").read_text(encoding="utf-8"))["test_cheats"]
# the same from within: everything that calls, reads and writes is replaced before anything is called
STALLS = ["setattr(" * 25_000, "exercise(" * 22_000, "check('q1', " * 16_000]


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory, bubblewrap: str) -> Path:  # noqa: ARG001 - it is on the PATH
    """The folder that `fstats grade` wrote."""
    folder = tmp_path_factory.mktemp("class")
    (folder / "roster.csv").write_text("\n".join(["id", *STUDENTS]) + "\n")
    (folder / "secret.txt").write_text(SECRET)
    t, w, own = "paired_t_by_hand", "wilcoxon_by_hand", "write_your_own_test"
    friends, copied = rights(t, "honest"), rights(w, "honest")
    submissions = {
        ("honest", t): notebook(t, "honest", {}, "solutions"),
        ("honest", w): notebook(w, "honest", {}, "solutions"),
        ("honest", own): notebook(own, "honest", {}, "solutions"),
        ("friend", t): notebook(t, "friend", typed(t, friends)),
        ("copier", w): notebook(w, "copier", typed(w, copied)),
        ("pi", t): notebook(t, "pi", typed(t, from_pi("pi"))),
        ("forger", own): notebook(own, "forger", {f"answer_q{k}": "pass" for k in (1, 2, 3, 4)} | {"answer_q9": SCRIPTS["FORGES"]}),
        ("hijacker", own): notebook(own, "hijacker", {f"answer_q{k}": "pass" for k in (1, 2, 3, 4)}, extra=SCRIPTS["HIJACKS"]),
        ("stall", t): notebook(t, "stall", {f"answer_q{k}": text for k, text in zip((1, 2, 3), STALLS, strict=True)}),
        ("exits", t): notebook(t, "exits", {"answer_q2": "import os\nos._exit(0)", "answer_q3": "sd = (a - b).std(ddof=1)"}),
        ("package", t): notebook(t, "package", {"answer_q5": "import fstats\ntest = fstats.PairedT(a, b)\nt = float(test.statistic)"}),
    }
    for (student, exercise), content in submissions.items():
        (folder / "in" / student).mkdir(parents=True, exist_ok=True)
        (folder / "in" / student / f"{exercise}.ipynb").write_bytes(content)
    words = ["grade", str(folder / "in"), "--students", str(folder / "roster.csv"), "--secret", str(folder / "secret.txt")]
    with redirect_stdout(StringIO()) as said:
        assert cli.main([*words, "--out", str(folder / "out"), "--wall", "bubblewrap", "--jobs", "1"]) == 0
    assert re.search(r"^The sandbox \(bubblewrap\) was tested: \d+ paths seen, none of the course.$", said.getvalue(), re.M)
    return folder / "out"


def row(graded: Path, student: str, exercise: str) -> dict[str, str]:
    """The line of a student in grades.csv."""
    with (graded / "grades.csv").open(encoding="utf-8", newline="") as file:
        return next(one for one in csv.DictReader(file) if (one["id"], one["exercise"]) == (student, exercise))


@pytest.mark.complete
def test_everybody_is_marked_and_the_honest_have_their_points(graded: Path) -> None:
    for exercise in ("paired_t_by_hand", "wilcoxon_by_hand", "write_your_own_test"):
        mine = row(graded, "honest", exercise)
        free = sum(1 for name in mine if name.startswith("reflection"))
        assert float(mine["points"]) >= float(mine["of"]) - free, mine
        assert mine["ended early"] == mine["problem"] == ""
    assert "Something failed here" not in (graded / "report.html").read_text(encoding="utf-8")


def test_copiers_and_last_years_friends(graded: Path) -> None:
    mine = row(graded, "copier", "wilcoxon_by_hand")
    assert mine["status"] == "marked"
    assert float(mine["points"]) <= 3  # counts and decisions that are the same by chance
    assert "honest" in mine["flags"] or "copied" in mine["flags"] or "typed" in mine["flags"]
    task = individual("friend", "paired_t_by_hand", SECRET)
    by_itself = sum(task.is_right(key, value) for key, value in rights("paired_t_by_hand", "honest").items())
    mine = row(graded, "friend", "paired_t_by_hand")
    assert float(mine["points"]) <= by_itself + 1  # a value that a named mistake gives on these data, too
    assert mine["flags"]


def test_digits_of_pi_carry_nothing(graded: Path) -> None:
    mine = row(graded, "pi", "paired_t_by_hand")
    assert all(float(mine[key]) == 0 for key in ("q1", "q2", "q3", "q4", "q5")), mine
    assert mine["flags"]


@pytest.mark.parametrize("student", ["forger", "hijacker"])
def test_calls_of_functions_are_not_forged(graded: Path, student: str) -> None:
    """Where no function was written none is right; an early end is told."""
    mine = row(graded, student, "write_your_own_test")
    assert all(float(mine[f"q{k}"]) == 0 for k in (1, 2, 3, 4)), mine
    if student == "forger":
        assert "its process ended itself" in mine["ended early"]


def test_a_stall_takes_no_time(graded: Path) -> None:
    """Cells of two hundred thousand letters are read like any others; tests of each pattern stand in test_linear."""
    mine = row(graded, "stall", "paired_t_by_hand")
    assert (mine["status"], float(mine["points"])) == ("marked", 0)


def test_what_ends_its_process_loses_its_cell_only(graded: Path) -> None:
    mine = row(graded, "exits", "paired_t_by_hand")
    assert float(mine["q3"]) == 1
    assert mine["ended early"] == "Code cell 5 was ended: its process ended itself; the other cells ran without it."
    first = (graded / "report.html").read_text(encoding="utf-8").partition("<h2>")[0]
    assert "lost cells to a limit, or ended themselves" in first
    assert "exits (paired_t_by_hand)" in first
    feedback = (graded / "feedback" / "exits" / "paired_t_by_hand.html").read_text(encoding="utf-8")
    assert "Code cell 5 was ended" in feedback


def test_answers_of_the_package_are_flagged_and_functions_asked_for(graded: Path) -> None:
    mine = row(graded, "package", "paired_t_by_hand")
    assert "Answers are values that fstats computed, although the exercise asks for the computation (q5)." in mine["flags"]
    assert graded
    questions = individual("forger", "write_your_own_test", SECRET).exercise.questions
    assert sum(isinstance(one, Function) for one in questions) == 4
