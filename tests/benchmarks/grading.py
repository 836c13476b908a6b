"""Marking a class of 200 on two cores, and nbgrader's autograde of one of the same notebooks in the same sitting."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from fstats.teaching.marking.roster import Student

ROOT = Path(__file__).parents[2]
EXERCISE, NOTEBOOK = "paired_t_by_hand", "01_paired_t_by_hand.ipynb"
CLASS = 200
SECRET = "of the class that is measured"
ROUNDS = 3  # of nbgrader: the middle one counts


def solved(token: str) -> bytes:
    """The solution on one student's data."""
    from fstats.teaching.marking.release import personal_notebook

    notebook = json.loads((ROOT / "solutions" / NOTEBOOK).read_text(encoding="utf-8"))
    return json.dumps(personal_notebook(notebook, EXERCISE, token)).encode()


def class_of(size: int, folder: Path) -> list[Student]:
    """A roster and a folder of submissions, each with all answers on data of its own."""
    from fstats.teaching.course.individual_data import data_token

    students = [Student(f"s{k:04d}") for k in range(size)]
    for who in students:
        (folder / "in" / who.id).mkdir(parents=True)
        (folder / "in" / who.id / NOTEBOOK).write_bytes(solved(data_token(who.id, EXERCISE, SECRET)))
    (folder / "roster.csv").write_text("\n".join(["id", *(who.id for who in students)]) + "\n")
    (folder / "secret.txt").write_text(SECRET)
    return students


def ours(size: int = CLASS) -> float:
    """Seconds of the whole command: it starts, marks a class, writes every page and gradebook."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        class_of(size, folder)
        files = ("--students", folder / "roster.csv", "--secret", folder / "secret.txt", "--out", folder / "out", "--jobs", "2")
        start = perf_counter()
        command = [sys.executable, "-m", "fstats.cli", "grade", folder / "in", *files]
        subprocess.run([str(word) for word in command], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        took = perf_counter() - start
        rows = json.loads((folder / "out" / "graded.json").read_text(encoding="utf-8"))["rows"]
        verdicts = {mark["verdict"] for row in rows for mark in row["marked"]["questions"] if mark["kind"] == "value"}
        assert (len(rows), verdicts) == (size, {"right"}), "a class that is not marked rightly would mean nothing"
    return took


def theirs() -> Iterator[float]:
    """Seconds of `nbgrader autograde` of one of these notebooks: its assignment is made before, which is not counted."""
    from fstats.teaching.course.individual_data import data_token

    with tempfile.TemporaryDirectory() as name:
        course = Path(name)
        (course / "source" / "ps1").mkdir(parents=True)
        (course / "source" / "ps1" / NOTEBOOK).write_bytes((ROOT / "solutions" / NOTEBOOK).read_bytes())
        (course / "submitted" / "s0000" / "ps1").mkdir(parents=True)
        (course / "submitted" / "s0000" / "ps1" / NOTEBOOK).write_bytes(solved(data_token("s0000", EXERCISE, SECRET)))
        environment = os.environ | {"PYTHONPATH": str(ROOT)}

        def run(*words: str) -> float:
            start = perf_counter()
            nbgrader = [sys.executable, "-m", "nbgrader", *words, "--CourseDirectory.root", str(course)]
            found = subprocess.run(nbgrader, cwd=course, env=environment, check=False, capture_output=True, text=True)
            if found.returncode:
                raise RuntimeError(f"nbgrader {words[0]} did not end well: {found.stderr[-500:]}")
            return perf_counter() - start

        run("generate_assignment", "ps1", "--force")
        for _ in range(ROUNDS):
            yield run("autograde", "ps1", "--force")
