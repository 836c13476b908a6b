"""A small class for tests of the marker: students, notebooks as they come back, and a marker that judges without running anything."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fstats import individual
from fstats.teaching.course.individual_data import data_token
from fstats.teaching.grading.exercise_notebook import REFLECTION
from fstats.teaching.grading.question import Choice, Function, Question
from fstats.teaching.grading.task import LETTERS, Task
from fstats.teaching.marking import grading_run
from fstats.teaching.marking.marks.submission_mark import QuestionMark, SubmissionMark
from fstats.teaching.marking.release import personal_notebook
from fstats.teaching.marking.submissions.submission_cells import RunCell, select_cells
from fstats.teaching.marking.wrong_lines.answer_line import lines_of_answers, read_line

ROOT = Path(__file__).parent.parent
SECRET = "a secret of the course"
EXERCISE = "paired_t_by_hand"
NOTEBOOK = "01_paired_t_by_hand.ipynb"
STUDENTS = {"s1": "Ada King", "s2": "Žofie Ångström", "s3": "王 小明", "s4": "=HYPERLINK(1)", "s5": "Ada King"}


def roster_file(folder: Path, columns: str = "id,name,email") -> Path:
    """A roster of the class."""
    path = folder / "roster.csv"
    lines = [f'{student},"{name}",{student}@example.org' for student, name in STUDENTS.items()]
    path.write_text("\n".join([columns, *lines]) + "\n", encoding="utf-8")
    return path


def handed_in(student: str, *, solved: bool = True, exercise: str = EXERCISE, words: str = "") -> bytes:
    """A student's notebook: solved as the solution is, or as it was released; `words` is what a free text says."""
    (path,) = (ROOT / ("solutions" if solved else "exercises")).glob(f"*_{exercise}.ipynb")
    notebook = personal_notebook(json.loads(path.read_text(encoding="utf-8")), exercise, data_token(student, exercise, SECRET))
    task = individual(student, exercise, SECRET)
    letters = {f"answer_{q.key}": right_answer(task, q.key) for q in task.exercise.questions if isinstance(q, Choice)}
    for cell in notebook["cells"]:
        place = re.sub(r"_\d+$", "", cell["metadata"].get("nbgrader", {}).get("grade_id", ""))
        if place in letters and solved:  # everybody sees the options in another order
            cell["source"] = [re.sub(r"""= (["'])[a-h]\1""", f'= "{letters[place]}"', "".join(cell["source"]))]
        if "reflection" in cell["metadata"].get("tags", []):
            cell["source"] = [words or REFLECTION]
    return json.dumps(notebook).encode()


def right_answer(task: Task, key: str) -> Any:
    """What a task calls right."""
    question = task.exercise.question(key)
    if isinstance(question, Choice):
        return LETTERS[question.order(task.token).index(0)]
    assert isinstance(question, Question)
    return np.asarray(getattr(task._tests[task.exercise.tested(question)], question.step)).tolist()


def marks(task: Task, answers: Mapping[str, Any], cells: Sequence[RunCell] = (), **more: Any) -> SubmissionMark:
    """The mark of answers, as the judge gives it, with the lines that made them; all others are not answered."""
    found, lines = [], lines_of_answers(cells, [*answers])
    for question in task.exercise.questions:
        said = task.check(question.key, answers.get(question.key, ...))
        said, line = read_line(task, said, lines[question.key]) if question.key in lines else (said, None)
        kind = "choice" if isinstance(question, Choice) else "function" if isinstance(question, Function) else "value"
        answer = json.dumps(answers[question.key]) if question.key in answers else ""
        found.append(QuestionMark(question.key, said.verdict, question.points, answer, said.lines, said.mistake, said.see, kind, line=line))
    return SubmissionMark(task.exercise.name, task.token, tuple(found), isolation="bubblewrap", **more)


class Judging:
    """In the place of the marker: what was handed in is {"answers": {...}}, or it is called right."""

    walls = ()  # nothing runs

    def __init__(self) -> None:
        self.count = 0

    def mark(self, reference: Mapping[str, Any], notebook: bytes, task: Task, fresh: Task, seed: bytes) -> SubmissionMark:
        """The mark."""
        assert reference["cells"]
        assert fresh.token != task.token
        assert len(seed) == 32
        self.count += 1
        said = json.loads(notebook)
        if said.get("breaks"):
            raise RuntimeError("the worker is gone")
        answers = said["answers"] if "answers" in said else {q.key: right_answer(task, q.key) for q in task.exercise.questions}
        more = {name: tuple(said.get(name, ())) for name in ("flags", "problems")}
        cells = select_cells(reference, notebook, task.exercise.name, task.token).cells if "cells" in said else ()
        return marks(task, answers, cells, reflections=said.get("reflections", {}), **more)

    def close(self) -> None:
        """Nothing to end."""


def only_judging(monkeypatch: pytest.MonkeyPatch) -> Judging:
    """The marker of the runs of a test, which judges and runs nothing."""
    judging = Judging()
    monkeypatch.setattr(grading_run, "_marker", lambda _wall: judging)
    monkeypatch.setattr(grading_run, "_stop", lambda: None)
    return judging


def write_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files below a folder."""
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
