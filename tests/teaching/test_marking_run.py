"""A class from its submissions to its gradebooks, with a marker that judges and runs nothing; and once with the real one."""

import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from pathlib import Path
from time import sleep
from typing import Any
from zipfile import ZipFile

import nbformat
import numpy as np
import pytest
from class_of import EXERCISE, NOTEBOOK, ROOT, SECRET, STUDENTS, Judging, handed_in, only_judging, right_answer, roster_file
from scipy import stats
from shortcuts import assert_raises, parametrize

from fstats import cli, individual
from fstats.publish.audience_poll.line_polls import line_polls
from fstats.runtime.file_lock import FileInUseError, FileLock
from fstats.teaching.course.catalogue import exercise_names
from fstats.teaching.grading.verdicts.feedback import VERDICT_DISPLAY
from fstats.teaching.marking import grading_run
from fstats.teaching.marking.grading_run import data_tokens, grade_class
from fstats.teaching.marking.learning_platforms import gradebook_csv
from fstats.teaching.marking.marks.class_grades import GradingCourse
from fstats.teaching.marking.marks.grading_policy import Policy
from fstats.teaching.marking.marks.manual_marks import unlisted_texts
from fstats.teaching.marking.marks.mark_archive import MarkArchive, grades_from_json
from fstats.teaching.marking.marks.student_grade import StudentGrade
from fstats.teaching.marking.release import exercise_notebooks, release
from fstats.teaching.marking.reports.class_report import report
from fstats.teaching.marking.reports.feedback_pages import canvas_feedback_zip, html_page, reply_line
from fstats.teaching.marking.reports.item_analysis import analyse_items
from fstats.teaching.marking.reports.mark_audit import audit_page, audit_text
from fstats.teaching.marking.reports.result_files import write_files
from fstats.teaching.marking.roster import Student, read_roster
from fstats.teaching.marking.sandbox.bubblewrap_sandbox import SandboxUnavailable
from fstats.teaching.marking.submissions.notebook_format import NotANotebook
from fstats.teaching.marking.submissions.submission_cells import read_notebook, select_cells

MOODLE = {student: f"{STUDENTS[student]}_10{student[1]}_assignsubmission_file_" for student in ("s1", "s2", "s3")}
NOTEBOOKS = exercise_notebooks(ROOT / "exercises")
EVIL = "<script>alert(1)</script>$\\alpha$ & ![x](http://evil)"
Make = Callable[..., tuple[list[StudentGrade], list[str]]]


@pytest.fixture
def marker(monkeypatch: pytest.MonkeyPatch) -> Judging:
    """The marker that judges and runs nothing."""
    return only_judging(monkeypatch)


@pytest.fixture
def course(tmp_path: Path) -> GradingCourse:
    """The class, with numbers at Moodle, and one exercise."""
    class_ = read_roster(roster_file(tmp_path))
    students = [replace(who, moodle=MOODLE[who.id].split("_")[1]) if who.id in MOODLE else who for who in class_]
    return GradingCourse(students, SECRET, {EXERCISE: ROOT / "exercises" / NOTEBOOK})


@pytest.fixture
def grading(tmp_path: Path, marker: Judging, course: GradingCourse) -> Make:  # noqa: ARG001 - the marker is put in its place
    """Grade notebooks, given as what they say by their paths; `rules` make another policy or course."""

    def make(files: dict[str, Any], *, more: dict[str, Any] | None = None, **rules: Any) -> tuple[list[StudentGrade], list[str]]:
        place = tmp_path / "in"
        for path, said in files.items():
            (place / path).parent.mkdir(parents=True, exist_ok=True)
            (place / path).write_bytes(said if isinstance(said, bytes) else json.dumps(said).encode())
        for path in sorted(place.rglob("*.ipynb")):
            if path.relative_to(place).as_posix() not in files:
                path.unlink()
        policy = Policy(**{name: value for name, value in rules.items() if hasattr(Policy, name) or name in Policy.__dataclass_fields__})
        others = {name: value for name, value in rules.items() if name not in Policy.__dataclass_fields__}
        return grade_class([place], replace(course, policy=policy, **others), tmp_path / "out", jobs=1, **(more or {}))

    return make


def moodle(student: str, name: str = NOTEBOOK) -> str:
    return f"{MOODLE[student]}/{name}"


def unzipped(path: Path | io.BytesIO) -> dict[str, bytes]:
    """What an archive holds, by name and in its order."""
    with ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def answers(student: str, **delivered: Any) -> dict[str, Any]:
    """A notebook that delivers these answers and nothing else."""
    return {"answers": delivered, "student": student}


def lines(tmp_path: Path, name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO((tmp_path / "out" / name).read_text(encoding="utf-8-sig"))))


# -- marks and points ------------------------------------------------------------------------------------------------------------
@pytest.mark.complete
def test_full_marks_none_and_partial_ones(tmp_path: Path, grading: Make) -> None:
    """All right: 10 of 10.  Nothing: 0.  A named mistake: half; what follows from it: all."""
    task = individual("s3", EXERCISE, SECRET)
    sd = float(task.data["a"].__sub__(task.data["b"]).std())
    n = len(task.data["a"])
    grading({moodle("s1"): {}, moodle("s2"): answers("s2"), moodle("s3"): answers("s3", q3=sd, q4=sd / n**0.5)})
    rows = {row["id"]: row for row in lines(tmp_path, "grades.csv")}
    assert (rows["s1"]["points"], rows["s1"]["of"], rows["s1"]["status"]) == ("10", "10", "marked")
    assert rows["s2"]["points"] == "0"
    assert (rows["s3"]["q3"], rows["s3"]["q4"], rows["s3"]["points"]) == ("0.5", "1", "1.5")
    assert (rows["s5"]["points"], rows["s5"]["status"]) == ("", "nothing handed in")
    assert rows["s1"]["isolation"] == "bubblewrap"


@pytest.mark.complete
def test_another_policy_needs_no_second_run(tmp_path: Path, grading: Make, marker: Judging) -> None:
    """The marks are kept; only the points differ, and the earlier files are kept, too."""
    task = individual("s1", EXERCISE, SECRET)
    sd = float((task.data["a"] - task.data["b"]).std())
    files = {moodle("s1"): answers("s1", q3=sd, q4=sd / len(task.data["a"]) ** 0.5)}
    (first, *_), _ = grading(files)
    before = (tmp_path / "out" / "grades.csv").read_bytes()
    (second, *_), notes = grading(files, carried=0.5, mistake=0.25)
    assert (first.points, second.points, marker.count) == (1.5, 0.75, 1)
    assert "s1, paired_t_by_hand: 1.5 became 0.75." in notes
    (kept,) = (tmp_path / "out" / "earlier").glob("*/grades.csv")
    assert kept.read_bytes() == before


@pytest.mark.complete
def test_a_regrade_is_the_same_and_moves_nothing(tmp_path: Path, grading: Make, marker: Judging) -> None:
    files = {moodle("s1"): {}, moodle("s2"): answers("s2", q2=1.0)}
    grading(files)
    there = {path: path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file()}
    grading(files)
    assert marker.count == 2
    grading(files, more={"again": True})
    assert (marker.count, there) == (4, {path: path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file()})


def test_what_a_run_says_of_its_walk_moves_no_file(tmp_path: Path, course: GradingCourse) -> None:
    """How far it went differs from run to run, and where all marks are kept nothing walks; that there was none is kept."""
    for said, aside in (["tested: 7 paths seen"], 0), (["tested: 8 paths seen"], 0), ([], 0), (["not tested: why"], 1):
        sentences = [f"The sandbox was {words}." for words in said]
        assert write_files([], [], [], course, tmp_path / "out", sentences, [])[: len(said)] == sentences
        assert (tmp_path / "out" / "earlier").exists() == aside


@pytest.mark.complete
def test_a_run_goes_on_from_where_it_was_interrupted(
    tmp_path: Path, grading: Make, marker: Judging, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was marked is not marked again; a half-written file is."""
    files = {moodle(student): answers(student) for student in MOODLE}
    judge, seen = Judging.mark, []

    def interrupted(self: Judging, *arguments: Any) -> Any:
        if len(seen) == 2:
            raise KeyboardInterrupt
        seen.append(arguments)
        return judge(self, *arguments)

    monkeypatch.setattr(Judging, "mark", interrupted)
    with pytest.raises(KeyboardInterrupt):
        grading(files)
    assert not (tmp_path / "out" / "grades.csv").exists()
    stored = sorted((tmp_path / "out" / "marked").rglob("*.json"))
    assert len(stored) == 2
    stored[0].write_text(stored[0].read_text()[:100])
    monkeypatch.setattr(Judging, "mark", judge)
    marker.count = 0
    grading(files)
    assert marker.count == 2


@pytest.mark.complete
def test_other_data_or_another_notebook_are_marked_again(grading: Make, marker: Judging) -> None:
    grading({moodle("s1"): {}})
    grading({moodle("s1"): {"more": 1}})
    assert marker.count == 2
    grading({moodle("s1"): {}}, secret="quite another secret")
    assert marker.count == 3


@pytest.mark.complete
def test_one_notebook_that_breaks_the_marker_does_not_end_the_run(tmp_path: Path, grading: Make, marker: Judging) -> None:
    files = {moodle("s1"): {"breaks": True}, moodle("s2"): {}}
    grading(files)
    rows = {row["id"]: row for row in lines(tmp_path, "grades.csv")}
    words = "it could not be marked: RuntimeError: the worker is gone, teaching/marking/grading_run.py line "
    assert rows["s1"]["problem"].startswith(words)
    assert (rows["s1"]["status"], rows["s2"]["points"]) == ("not marked", "10")
    grading(files)
    assert marker.count == 3


@pytest.mark.complete
@pytest.mark.parametrize("slow", ["while True: pass", "re.match('(a*)*b', 'a' * 40)"])
def test_a_notebook_that_takes_the_marker_too_long_stops_nobody(
    tmp_path: Path, grading: Make, marker: Judging, monkeypatch: pytest.MonkeyPatch, slow: str
) -> None:
    """Whatever takes the time, a loop or a call of a library: it is not marked, the next one is."""
    marked = marker.mark
    monkeypatch.setattr(grading_run, "MARKING_SECONDS", 0.2)
    monkeypatch.setattr(marker, "mark", lambda *given: exec(slow, {"re": re}) if b"slow" in given[1] else marked(*given))
    grading({moodle("s1"): {"flags": ["slow"]}, moodle("s2"): {}})
    rows = {row["id"]: row for row in lines(tmp_path, "grades.csv")}
    assert rows["s1"]["problem"] == "it could not be marked: reading and judging the notebook took more than 0.2 seconds of computing time"
    assert rows["s2"]["points"] == "10"


STAGES = {  # functions of modules of fstats.teaching.marking
    "submissions.submission_import": "_exercise",
    "grading_run": "_marker find_similar_pairs",
    "plagiarism.plagiarism_flags": "_discount_copies _texts _wrong_numbers",
    "marks.class_grades": "best_attempt free_texts",
    "marks.mark_archive": "_grade_to_dict MarkArchive.put",
    "reports.class_figures": "outcomes_figure points_figure",
    "reports.class_report": "_questions html_page",
    "reports.result_files": "analyse_items form_csv similarity_page",
    "reports.feedback_pages": "_question moodle_feedback_zip",
    "learning_platforms.gradebook_csv": "_cells moodle_csv moodle_worksheet_csv canvas_csv",
}


@pytest.mark.complete
@parametrize("module, stage", *((module, stage) for module, stages in STAGES.items() for stage in stages.split()))
def test_a_fault_at_any_stage_leaves_a_complete_report(
    module: str, stage: str, tmp_path: Path, grading: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is named in the first lines, with its place; all rows are there, and all files that do not need what failed."""
    wrong = {"q1": [1.5] * 5, "q2": 4.321, "q3": 5.4321, "q4": 6.54321}
    files = {moodle("s1"): {}, moodle("s2"): answers("s2", **wrong), moodle("s3"): answers("s3", **wrong)}

    def fails(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError(f"a fault at the stage {stage}")

    monkeypatch.setattr(f"fstats.teaching.marking.{module}.{stage}", fails)
    _, notes = grading(files)
    out = tmp_path / "out"
    report = (out / "report.html").read_text(encoding="utf-8")
    assert f"ZeroDivisionError: a fault at the stage {stage}" in report
    assert all(f">{student}<" in report for student in ("s1", "s2", "s3", "s5")) or stage == "html_page"
    assert stage in ("_exercise", "_marker") or any("Something failed here" in note for note in notes)
    names = {"graded.json", "grades.csv", "moodle.csv", "canvas.csv", "alike.html", "by_hand.html", "questions.csv", "moodle_feedback.zip"}
    lacks = {"_grade_to_dict": {"graded.json"}, "_cells": {"grades.csv"}, "moodle_csv": {"moodle.csv"}, "canvas_csv": {"canvas.csv"}}
    lacks |= {"_question": {"moodle_feedback.zip"}, "moodle_feedback_zip": {"moodle_feedback.zip"}, "similarity_page": {"alike.html"}}
    lacks |= {"html_page": {"by_hand.html", "alike.html", "moodle_feedback.zip"}}
    assert names - lacks.get(stage, set()) <= {path.name for path in out.iterdir()}


@pytest.mark.complete
def test_without_isolation_nothing_is_run(tmp_path: Path, grading: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Judging, "mark", lambda *_: (_ for _ in ()).throw(SandboxUnavailable("install bubblewrap")))
    assert_raises(lambda: grading({moodle("s1"): {}}), "install bubblewrap", SandboxUnavailable)
    assert not (tmp_path / "out").exists()


def test_foreign_files_in_the_way_are_left_alone(tmp_path: Path, grading: Make) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.tex").write_text("mine")
    message = "holds other files. Give --out an empty folder, a new folder, or a folder that fstats grade has written"
    assert_raises(lambda: grading({moodle("s1"): {}}), message, FileExistsError)


@pytest.mark.complete
def test_the_exercises_that_were_handed_in_are_marked(grading: Make) -> None:
    """All of them, if none is named; a folder of marks never loses an exercise."""
    files = {moodle("s1"): {}, moodle("s2", NOTEBOOKS["sign_test_by_hand"].name): {}}
    every, _ = grading(files, exercises=NOTEBOOKS, as_handed_in=True)
    assert {one.exercise for one in every} == {EXERCISE, "sign_test_by_hand"}
    expected = [("s1", EXERCISE, 10.0), ("s2", "sign_test_by_hand", 4.0)]
    assert [(one.student.id, one.exercise, one.points) for one in every if one.marked] == expected
    with pytest.raises(FileExistsError, match=r"has marks of paired_t_by_hand\. Mark all these exercises together"):
        grading({moodle("s2", NOTEBOOKS["sign_test_by_hand"].name): {}}, exercises=NOTEBOOKS, as_handed_in=True)


@pytest.mark.complete
def test_who_hands_the_whole_folder_back_has_handed_in_his_exercise(grading: Make) -> None:
    lesson = (ROOT / "notebooks" / "01_paired_t.ipynb").read_bytes()
    every, notes = grading({moodle("s1"): {}, f"{MOODLE['s1']}/notebooks/01_paired_t.ipynb": lesson})
    assert (every[0].status, every[0].points) == ("marked", 10.0)
    assert not [note for note in notes if "not marked" in note]


def test_whatever_is_wrong_with_a_file_is_in_the_report(tmp_path: Path, grading: Make) -> None:
    """Files of nobody, of no exercise, of no kind; the student's row says it where it is known whose it is."""
    every, notes = grading({"Eve_1_assignsubmission_file_/x.ipynb": {}, moodle("s1", "essay.pdf"): b"%PDF", moodle("s2"): {}})
    text = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "essay.pdf" in text
    assert "the file is no notebook, and is not marked" in text
    assert "opens no exercise of this course" in text
    assert "2 files were not marked; the report gives the reasons." in notes
    assert [one.status for one in every] == ["not marked", "marked", *["nothing handed in"] * 3]


def test_second_runs_are_on_unknown_data() -> None:
    # Other data for each student and use, always the same ones, and not the student's own.
    drawn = [data_tokens(student, exercise, SECRET, "one") for student in ("s1", "s2") for exercise in (EXERCISE, "wilcoxon_by_hand")]
    assert len({part for own, other, seed in drawn for part in (own, other, seed.hex()[:16])}) == 12
    assert (drawn[0], drawn[0][0]) == (data_tokens("s1", EXERCISE, SECRET, "one"), individual("s1", EXERCISE, SECRET).token)
    # An answer may show in the feedback on which data its function was tried; the next attempt is tried on others.
    (own, *first), (same, *second) = (data_tokens("s1", EXERCISE, SECRET, digest) for digest in ("one", "two"))
    assert own == same
    assert not {*first} & {*second}


# -- late, last, best ------------------------------------------------------------------------------------------------------------
DUE = datetime(2026, 11, 24, 12, tzinfo=UTC)


@pytest.mark.complete
def test_late_notebooks_lose_points(tmp_path: Path, grading: Make) -> None:
    """10 of 10, one and a half days late, 10 % for each day that has begun: 8."""
    times = {"s1": DUE + timedelta(hours=36), "s2": DUE}
    every, _ = grading({moodle("s1"): {}, moodle("s2"): {}, moodle("s3"): {}}, deadline=DUE, percent_a_day=10.0, times=times)
    assert [one.points for one in every[:3]] == [8.0, 10.0, 10.0]
    (row, *_) = lines(tmp_path, "grades.csv")
    assert row["late"] == "1 day 12 hours late: 20 % taken off"
    assert "The time of the submission is unknown: the submission counts as in time." in every[2].flags
    assert "10 points became 8" in (tmp_path / "out" / "feedback" / "s1" / f"{EXERCISE}.html").read_text(encoding="utf-8")


def test_who_gains_by_the_best_attempt_is_told(tmp_path: Path, grading: Make) -> None:
    """With all that he handed in; nobody gains by a rule that says the last, or whose last one is the best."""
    files = {f"s1/a/{NOTEBOOK}": {}, f"s1/b/{NOTEBOOK}": answers("s1"), f"s2/a/{NOTEBOOK}": answers("s2"), f"s2/b/{NOTEBOOK}": {}}
    every, _ = grading(files, take="best")
    assert [one.gain_by_best_attempt for one in every] == [10.0, 0.0, 0.0, 0.0, 0.0]
    text = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert f"s1/a/{NOTEBOOK}: 10; s1/b/{NOTEBOOK}: 0</td><td>10<" in text
    assert "s2/a" not in text.partition("Students who gain points because the best attempt counts")[2]
    assert [one.gain_by_best_attempt for one in grades_from_json(tmp_path / "out" / "graded.json")] == [10.0, 0.0, 0.0, 0.0, 0.0]
    every, _ = grading(files)
    assert [one.points for one in every if one.marked] == [0.0, 10.0]
    assert "Students who gain" not in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")


@pytest.mark.complete
def test_the_best_or_the_last_of_several(grading: Make, marker: Judging) -> None:
    """The last is run alone; the best is found among all; each upload is one attempt."""
    good, bad = {}, answers("s1", q2=right_answer(individual("s1", EXERCISE, SECRET), "q2"))
    files = {f"first/{moodle('s1')}": good, f"second/{moodle('s1')}": bad}
    (one, *_), _ = grading(files)
    assert (one.points, one.attempts, marker.count) == (1.0, 2, 1)
    assert "2 notebooks without times" in one.flags[-1]
    (one, *_), _ = grading(files, take="best")
    assert (one.points, one.attempts, marker.count) == (10.0, 2, 2)


@pytest.mark.complete
@pytest.mark.parametrize("take", ["best", "last"])
def test_many_notebooks_in_one_upload_are_one_attempt(grading: Make, marker: Judging, take: str) -> None:
    files = {moodle("s1", f"paired_t_by_hand_{letter}.ipynb"): answers("s1", q10=letter) for letter in "abcd"}
    (one, *_), _ = grading(files, take=take)
    assert (one.attempts, marker.count) == (1, 1)
    (flag,) = one.flags
    assert flag.startswith(f"4 notebooks of this exercise in one upload: {moodle('s1', 'paired_t_by_hand_d.ipynb')} counts, the la")
    others = ", ".join(moodle("s1", f"paired_t_by_hand_{letter}.ipynb") for letter in "abc")
    assert flag.endswith(f"; not marked: {others}.")


@pytest.mark.complete
def test_what_canvas_calls_late_is_always_told(tmp_path: Path, grading: Make) -> None:
    times = {"s2": DUE - timedelta(hours=1)}
    cases = ((None, {}, "the policy has no deadline."), (DUE, {}, "its time is unknown"), (DUE, times, "but it was in time by a list."))
    for due, known, words in cases:
        every, _ = grading({CANVAS["s2"]: {}}, deadline=due, percent_a_day=10.0, times=known)
        assert words in every[1].flags[-1]
        assert lines(tmp_path, "grades.csv")[1]["late"] == "late, says Canvas"
    grading({CANVAS["s2"]: {}}, deadline=DUE, percent_a_day=10.0, times={"s2": DUE + timedelta(hours=1)})
    assert lines(tmp_path, "grades.csv")[1]["late"] == "1 hour late: 10 % taken off; late, says Canvas"


def notebook(**words: str | list[str]) -> bytes:
    """A notebook with these words in its places, as text or (with a list) as cells of any kind, and new ones under ``new``."""
    cells = []
    for place, said in words.items():
        kinds = [("markdown", said)] if isinstance(said, str) else [entry.split(":", 1) for entry in said]
        marks = {} if place == "new" else {"nbgrader": {"grade_id": place}}
        cells += [{"cell_type": kind, "metadata": marks, "source": source} for kind, source in kinds]
    return json.dumps({"cells": cells, "nbformat": 4, "nbformat_minor": 5, "metadata": {}}).encode()


@parametrize(
    "content, said",
    (notebook(reflection_q1="A wins", reflection_end="so", new="my own notes"), []),
    (notebook(reflection_q1="A wins", reflection_end="*Write your answer here.*"), []),
    (notebook(reflection_q1=["code:# A wins"], reflection_end="so"), []),
    (notebook(reflection_q1="A wins", new="My answer"), ["A free-text answer is empty, and there is text in new cells (2)."]),
    (
        notebook(reflection_q1=["markdown:A wins", "markdown:B wins"], reflection_end="so"),
        ["There are several cells of reflection_q1: one text is in the form, read the other texts in the notebook."],
    ),
    (
        notebook(reflection_q1="A" * 20_001, reflection_end="so"),
        ["The text of reflection_q1 is longer than 20000 letters: read the rest of the text in the notebook."],
    ),
    (b"no notebook", []),
    ids=["words of one's own", "empty", "code", "new", "two", "long", "none"],
)
def test_words_that_are_not_in_the_form_are_told(content: bytes, said: list[str]) -> None:
    """In a cell of another kind, in a new one, in a second one, or beyond what is kept."""
    reference = json.loads((ROOT / "exercises" / NOTEBOOK).read_text(encoding="utf-8"))
    try:
        found = select_cells(reference, content, EXERCISE, "").reflections
    except NotANotebook:
        found = {}
    assert unlisted_texts(content, found, ["reflection_q1", "reflection_end"], reference) == said


@pytest.mark.complete
def test_a_notebook_as_it_was_released_holds_no_words(tmp_path: Path) -> None:
    """It lacks the links to what was not released with it; nothing else in it is new, and an answer below such a text is found."""
    for name, path in NOTEBOOKS.items():
        release([Student("s1", "Ada")], {name: path}, SECRET, tmp_path / name)
        (file,) = (tmp_path / name).rglob(path.name)
        reference, released = (json.loads(one.read_text(encoding="utf-8")) for one in (path, file))
        found = select_cells(reference, file.read_bytes(), name, "").reflections
        places = [one.grade_id for one in read_notebook(path.read_bytes()) if one.grade_id.startswith("reflection_")]
        assert (found, unlisted_texts(file.read_bytes(), found, places, reference)) == ({}, [])
        cells: list[Any] = []
        for cell in released["cells"]:  # as in an editor that keeps no names, each answer in a cell of its own
            mark = cell["metadata"].pop("nbgrader", {})
            is_asked = mark.get("grade_id") in places
            cells += [cell | {"source": f"My words on {mark['grade_id']}"}] if is_asked else [cell]
        own = select_cells(reference, json.dumps({**released, "cells": cells}).encode(), name, "").reflections
        assert own == {place: f"My words on {place}" for place in places}


@pytest.mark.complete
def test_how_many_values_were_typed_in(tmp_path: Path, grading: Make) -> None:
    grading({moodle("s1"): {}})
    (one, *_) = grades_from_json(tmp_path / "out" / "graded.json")
    assert one.attempt is not None
    assert one.typed_count == lines(tmp_path, "grades.csv")[0]["typed in"] == ""  # nobody ran it on other data
    computed = zip(one.attempt.marked.questions, (None, True, *[False] * 8), strict=True)
    marks = tuple(replace(mark, computed=so) for mark, so in computed)
    typed = replace(one, attempt=replace(one.attempt, marked=replace(one.attempt.marked, questions=marks)))
    assert typed.typed_count == "8 of 9 values"
    assert '"8 of 9 values"' in gradebook_csv.grades_csv([typed])
    assert "8 of 9 values" in report([typed], [], [], analyse_items([typed]))


@pytest.mark.complete
def test_what_was_stored_keeps_its_keys(tmp_path: Path, grading: Make) -> None:
    """Lecturers have files in which an answer is called `given`: these are still read, and new ones are written so."""
    grading({moodle("s1"): answers("s1", q2=1.5)})
    for path in (tmp_path / "out" / "graded.json", *(tmp_path / "out" / "marked" / EXERCISE).rglob("*.json")):
        assert path.read_text(encoding="utf-8").count('"given": "1.5"') == 1
    (one, *_) = grades_from_json(tmp_path / "out" / "graded.json")
    assert one.marked
    assert [mark.answer for mark in one.marked.questions[:3]] == ["", "1.5", ""]
    assert "delivered  1.5" in audit_text(tmp_path / "out", "s1", EXERCISE, "q2")


@pytest.mark.complete
def test_two_runs_do_not_write_into_one_folder(tmp_path: Path, grading: Make) -> None:
    (tmp_path / "out" / "marked").mkdir(parents=True)
    lock = FileLock(tmp_path / "out" / "marked" / "in_use")
    assert_raises(lambda: grading({moodle("s1"): {}}), "is in use by another computation", FileInUseError)
    lock.close()
    grading({moodle("s1"): {}})


@pytest.mark.complete
def test_rules_that_hold_for_nobody_are_told(grading: Make) -> None:
    """A slip of the pen in an id or in the name of an exercise costs a student points, and nobody sees it."""
    soon = datetime(2030, 1, 1, tzinfo=UTC)
    _, notes = grading({moodle("s1"): {}}, extensions={"s1": soon, "S2": soon}, deadlines={EXERCISE: soon, "paired_t": soon})
    assert notes[-2:] == [
        "The policy extends the deadline of 'S2', who is not on the roster.",
        "The policy has a deadline for 'paired_t', which is no exercise.",
    ]


# -- marks by hand ---------------------------------------------------------------------------------------------------------------
def filled(tmp_path: Path, **points: str) -> None:
    """Write points into the form, by student and place."""
    path = tmp_path / "out" / "by_hand.csv"
    rows = lines(tmp_path, "by_hand.csv")
    for row in rows:
        row["points"] = points.get(f"{row['student']}_{row['place']}", row["points"])
        row["comment"] = "well put" if row["points"] else ""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


@pytest.mark.complete
def test_marks_by_hand_survive_a_regrade(tmp_path: Path, grading: Make) -> None:
    """They count once the first is set; they belong to the words for which they were given."""
    said = {"reflections": {"reflection_q1": '=A wins,\n"I" guess', "reflection_end": "*Write your answer here.*"}}
    files = {moodle("s1"): said, moodle("s2"): {"reflections": {"reflection_q1": "B wins"}}}
    every, notes = grading(files)
    assert [one.points for one in every[:2]] == [10.0, 10.0]
    assert "2 free-text answers do not count yet" in notes[-1]
    form = lines(tmp_path, "by_hand.csv")
    expected = [("s1", "reflection_q1", "1", '\'=A wins,\n"I" guess'), ("s2", "reflection_q1", "1", "B wins")]
    assert [(row["student"], row["place"], row["of"], row["answer"]) for row in form] == expected
    assert all("I think that A is better, but I am not sure" in row["model answer"] for row in form)
    filled(tmp_path, s1_reflection_q1="0.5")
    for again in (False, True):
        every, notes = grading(files, more={"again": again})
        assert [(one.points, one.of, one.unmarked_texts) for one in every[:2]] == [(10.5, 12.0, 0), (10.0, 12.0, 1)]
        assert (every[0].texts[0].comment, lines(tmp_path, "by_hand.csv")[0]["points"]) == ("well put", "0.5")
    assert "1 free-text answers need points in by_hand.csv" in " ".join(notes)
    assert [row[EXERCISE] for row in lines(tmp_path, "moodle.csv")][:2] == ["10.5", ""]  # what waits is no mark yet
    changed = {**files, moodle("s1"): {"reflections": {"reflection_q1": "other words"}}}
    every, _ = grading(changed, free_text="always")
    assert (every[0].unmarked_texts, lines(tmp_path, "by_hand.csv")[0]["points"]) == (1, "")
    every, _ = grading(changed, free_text="never")
    assert every[0].of == 10.0


@pytest.mark.complete
def test_marks_by_hand_survive_a_run_in_which_their_answers_are_not(tmp_path: Path, grading: Make) -> None:
    """Half of the class only, or other words meanwhile; what the form lists, it decides, also that there are no points any more."""
    said = {moodle(student): {"reflections": {"reflection_q1": f"words of {student}"}} for student in ("s1", "s2")}
    grading(said)
    filled(tmp_path, s1_reflection_q1="0.5", s2_reflection_q1="1")
    for meanwhile in ({moodle("s1"): said[moodle("s1")]}, said | {moodle("s2"): {"reflections": {"reflection_q1": "other words"}}}):
        grading(meanwhile)
        every, _ = grading(said)
        assert [[(text.points, text.comment) for text in one.texts[:1]] for one in every[:2]] == [[(0.5, "well put")], [(1.0, "well put")]]
    filled(tmp_path, s1_reflection_q1="", s2_reflection_q1="0")
    for _ in range(2):
        every, _ = grading(said)
        assert [one.texts[0].points for one in every[:2]] == [None, 0.0]


@pytest.mark.complete
def test_a_comment_waits_for_its_points(tmp_path: Path, grading: Make) -> None:
    """Whoever reads first and gives points later finds what he wrote; a comment alone makes no free text count."""
    files = {moodle("s1"): {"reflections": {"reflection_q1": "so"}}}
    grading(files)
    path = tmp_path / "out" / "by_hand.csv"
    path.write_text(path.read_text(encoding="utf-8-sig").replace('"1","",""', '"1","","see me"'), encoding="utf-8")
    every, _ = grading(files)
    assert (every[0].of, lines(tmp_path, "by_hand.csv")[0]["comment"]) == (10.0, "see me")


@pytest.mark.complete
@parametrize("points, words", ("2", "`points` must be between 0 and 1; got 2"), ("much", "`points` must be a number; got 'much'"))
def test_points_by_hand_are_checked(tmp_path: Path, grading: Make, points: str, words: str) -> None:
    files = {moodle("s1"): {"reflections": {"reflection_q1": "so"}}}
    grading(files)
    filled(tmp_path, s1_reflection_q1=points)
    words = words.replace("`points` must", "points in line 2 of .*by_hand.csv must")
    assert_raises(lambda: grading(files), words)


# -- what platforms take back ----------------------------------------------------------------------------------------------------
@pytest.mark.complete
def test_moodle_takes_back_what_it_gave(tmp_path: Path, grading: Make) -> None:
    """The zip has its folders; the worksheet is Moodle's own, filled in; both say whose a row is by its number."""
    sheet = tmp_path / "Grades.csv"
    sheet.write_text(
        "Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,Last "
        "modified (submission),Last modified (grade),Feedback comments\n"
        'Participant 101,Ada King,s1@example.org,Submitted,,10.00,Yes,"Tuesday, 24 November 2026, 10:15 PM",-,\n'
        "Participant 105,Ada King,s5@example.org,No submission,,10.00,Yes,-,-,\n",
        encoding="utf-8",
    )
    students, times = gradebook_csv.add_moodle_numbers(read_roster(tmp_path / "roster.csv"), sheet)
    assert ([who.moodle for who in students], times["s1"]) == (["101", "", "", "", "105"], datetime(2026, 11, 24, 22, 15).astimezone())
    grading({moodle("s1"): {}, moodle("s2"): answers("s2")}, moodle=sheet)
    first, second = lines(tmp_path, "moodle_worksheet.csv")
    expected = ("Participant 101", "10", "10.00", "-")
    assert (first["Identifier"], first["Grade"], first["Maximum Grade"], first["Last modified (grade)"]) == expected
    assert first["Feedback comments"].startswith("10 of 10 points.\nq1: Right (1 of 1)")
    assert second["Grade"] == ""
    names = [*unzipped(tmp_path / "out" / "moodle_feedback.zip")]
    assert names == [f"{MOODLE[student]}/{EXERCISE}_feedback.html" for student in ("s1", "s2")]
    for name in names:
        folder = name.split("/")[0].split("_", 4)  # as Moodle's importer reads it: name, number, kind, plugin, rest
        assert folder[1].isdigit()
        assert folder[2:] == ["assignsubmission", "file", ""]
    assert lines(tmp_path, "moodle.csv")[0]["ID number"] == "s1"


def test_whose_a_row_of_moodles_worksheet_is(tmp_path: Path) -> None:
    """By the id, by the address, by the name if one alone has it; a row of nobody, or of several, says nothing."""
    students, sheet = read_roster(roster_file(tmp_path)), tmp_path / "Grades.csv"
    rows = ("1,s1,,x", "2,,s4@example.org,x", "3,,,Žofie Ångström", "4,,,Ada King", "5,s9,,nobody", "6,s3,s5@example.org,x")
    sheet.write_text("\n".join(["Identifier,ID number,Email address,Full name", *(f"Participant {row}" for row in rows)]), encoding="utf-8")
    found, times = gradebook_csv.add_moodle_numbers(students, sheet)
    assert {one.id: one.moodle for one in found} == {"s1": "1", "s2": "3", "s3": "", "s4": "2", "s5": ""}
    assert times == dict.fromkeys(["s1", "s4", "s2"])
    sheet.write_text("Full name\nAda King\n")
    message = "the grading worksheet of Moodle .* must have the column 'Identifier'; got the columns Full name"
    assert_raises(lambda: gradebook_csv.add_moodle_numbers(students, sheet), message)


@pytest.mark.complete
def test_a_worksheet_from_the_names_of_the_files(tmp_path: Path, grading: Make) -> None:
    """Without Moodle's own it has the columns that its importer asks for."""
    grading({moodle("s2"): {}})
    rows = {row["Identifier"]: row for row in lines(tmp_path, "moodle_worksheet.csv")}
    assert rows["Participant 102"]["Grade"] == "10"
    assert {"Identifier", "Grade", "Last modified (grade)", "Feedback comments"} <= set(rows["Participant 102"])


@pytest.mark.complete
@pytest.mark.parametrize("own", [True, False])
def test_a_worksheet_has_the_sum_of_the_exercises_of_its_assignment(tmp_path: Path, grading: Make, own: bool) -> None:
    """Of those that were handed in under its numbers: none of them is lost, and none counts that has no points yet."""
    sheet = tmp_path / "Grades.csv"
    sheet.write_text(
        "Identifier,Full name,Grade,Feedback comments\n" + "".join(f"Participant {k},x,,\n" for k in (101, 102, 103)), encoding="utf-8"
    )
    sign = NOTEBOOKS["sign_test_by_hand"].name
    files = {moodle("s1"): {}, moodle("s1", sign): {}, moodle("s2", sign): {}, f"other/{moodle('s2').replace('102', '902')}": {}}
    grading(files, exercises=NOTEBOOKS, as_handed_in=True, **({"moodle": sheet} if own else {}))
    rows = {row["Identifier"].partition(" ")[2]: row for row in lines(tmp_path, "moodle_worksheet.csv")}
    assert (rows["101"]["Grade"], rows["102"]["Grade"]) == ("14", "4")
    words = rows["101"]["Feedback comments"]
    assert f"{EXERCISE}: 10 of 10 points." in words
    assert "sign_test_by_hand: 4 of 4 points." in words
    assert "sign_test" not in rows["102"]["Feedback comments"]
    if own:
        assert rows["103"]["Grade"] == ""
    else:
        assert (rows["902"]["Grade"], rows["101"]["Maximum Grade"]) == ("10", "14")
    said = {"reflections": {"reflection_end": "words"}}
    grading({**files, moodle("s1"): said}, exercises=NOTEBOOKS, as_handed_in=True, free_text="always", **({"moodle": sheet} if own else {}))
    rows = {row["Identifier"].partition(" ")[2]: row for row in lines(tmp_path, "moodle_worksheet.csv")}
    assert rows["101"]["Grade"] == ""


@pytest.mark.complete
def test_files_of_two_people_who_have_one_name_are_told(grading: Make) -> None:
    """Whoever calls himself as another one does at the platform hands in for him; another assignment's number says nothing."""
    mine, theirs = moodle("s2"), moodle("s2").replace("102", "666")
    (_, one, *_), _ = grading({f"a/{mine}": {}, f"a/{theirs}": answers("s2")})
    (said,) = [flag for flag in one.flags if "several people" in flag]
    assert "(102, 666)" in said
    (_, one, *_), _ = grading({f"a/{mine}": {}, f"b/{theirs}": answers("s2")})
    assert not [flag for flag in one.flags if "several people" in flag]


@parametrize(
    "text, moment",
    ("Tuesday, 24 November 2026, 10:15 AM", (2026, 11, 24, 10, 15)),
    ("24 November 2026, 12:05 AM", (2026, 11, 24, 0, 5)),
    ("Tuesday, 24 November 2026, 22:15", (2026, 11, 24, 22, 15)),
    ("2026-11-24T10:15", (2026, 11, 24, 10, 15)),
    ("-", None),
    ("Dienstag, 24. November 2026, 10:15", None),
    ("31 February 2026, 10:15", None),
)
def test_times_as_moodle_writes_them(text: str, moment: tuple[int, ...] | None) -> None:
    """In English, or as ISO 8601; nothing is guessed."""
    assert gradebook_csv.parse_moodle_time(text) == (datetime(*moment).astimezone() if moment else None)  # type: ignore[arg-type]


def test_a_list_of_times(tmp_path: Path) -> None:
    """Two columns; what is no time is an error with its line."""
    path = tmp_path / "times.csv"
    path.write_text("id,handed in\ns1,2026-11-24T10:15+00:00\ns2,\n")
    assert gradebook_csv.read_hand_in_times(path)["s1"] == datetime(2026, 11, 24, 10, 15, tzinfo=UTC)
    assert "s2" not in gradebook_csv.read_hand_in_times(path)
    path.write_text("id,handed in\ns1,soon\n")
    assert_raises(lambda: gradebook_csv.read_hand_in_times(path), "line 2 of .* must have a time such as 2026-11-24T10:15; got 'soon'")
    path.write_text("id,time\ns1,soon\n")
    message = "the list of times .* must have the columns 'id' and 'handed in'; got the columns id, time"
    assert_raises(lambda: gradebook_csv.read_hand_in_times(path), message)


CANVAS = {"s1": "kingada_11_501_01_paired_t_by_hand.ipynb", "s2": "ångströmžofie_LATE_12_502_01_paired_t_by_hand-1.ipynb"}


def test_canvas_takes_back_what_it_gave(tmp_path: Path, grading: Make) -> None:
    """The zip has the names of its files, each a notebook as its name says; the gradebook keeps its numbers and titles."""
    book = tmp_path / "Gradebook.csv"
    book.write_text(
        "Student,ID,SIS User ID,SIS Login ID,Section,Paired t by hand (9001),Final Score\n"
        "    Points Possible,,,,,10,(read only)\n"
        '"King, Ada",11,s1,ada,A,,\n"Ångström, Žofie",12,s2,zofie,A,,\n',
        encoding="utf-8",
    )
    students = gradebook_csv.add_canvas_numbers(read_roster(tmp_path / "roster.csv"), book)
    assert [who.canvas for who in students] == ["11", "12", "", "", ""]
    grading({CANVAS["s1"]: {}, CANVAS["s2"]: answers("s2")}, students=students, canvas=book)
    text = (tmp_path / "out" / "canvas.csv").read_text(encoding="utf-8").splitlines()
    assert list(csv.reader(text))[:4] == [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Paired t by hand (9001)"],
        ["    Points Possible", "", "", "", "", "10"],
        ["King, Ada", "11", "s1", "ada", "A", "10"],
        ["Ångström, Žofie", "12", "s2", "zofie", "A", "0"],
    ]
    found = unzipped(tmp_path / "out" / "canvas_feedback.zip")
    assert sorted(found) == sorted(CANVAS.values())
    for name, notebook in found.items():
        assert [part for part in name.split("_") if part.isdigit()][:2] in (["11", "501"], ["12", "502"])  # as Canvas reads it
        nbformat.validate(nbformat.reads(notebook.decode(), as_version=4))


def packed(**files: Any) -> bytes:
    out = io.BytesIO()
    with ZipFile(out, "w") as archive:
        for name, said in files.items():
            archive.writestr(f"{name}.ipynb", json.dumps(said))
    return out.getvalue()


@pytest.mark.complete
def test_feedback_at_canvas_goes_to_whom_canvas_named(tmp_path: Path, grading: Make, course: GradingCourse) -> None:
    """Not to whom a name inside a zip names; two exercises in a zip come back in one."""
    (tmp_path / "in").mkdir()
    inside = {CANVAS["s1"].removesuffix(".ipynb"): answers("s3"), "17_sign_test_by_hand": {}}
    (tmp_path / "in" / "小明王_13_503_mine.zip").write_bytes(packed(**inside))
    students = [replace(who, canvas={"s1": "11"}.get(who.id, "")) for who in course.students]  # two are called Ada King
    every, _ = grading({CANVAS["s1"]: {}}, exercises=NOTEBOOKS, as_handed_in=True, students=students)
    expected = [("s1", EXERCISE, 10.0), ("s3", EXERCISE, 0.0), ("s3", "sign_test_by_hand", 4.0)]
    assert [(one.student.id, one.exercise, one.points) for one in every if one.marked] == expected
    found = unzipped(tmp_path / "out" / "canvas_feedback.zip")
    assert [*found] == sorted([CANVAS["s1"], "小明王_13_503_mine.zip"])
    assert b"10 of 10" in found[CANVAS["s1"]]
    inner = unzipped(io.BytesIO(found["小明王_13_503_mine.zip"]))
    assert [*inner] == [f"{EXERCISE}_feedback.ipynb", "sign_test_by_hand_feedback.ipynb"]


@pytest.mark.complete
def test_no_two_pages_share_a_name(tmp_path: Path, grading: Make) -> None:
    students = [Student("s1", "Ada King"), Student("s2", "Bo Lee", canvas="12")]
    grading({"a/kingada_11_501_01_paired_t_by_hand.ipynb": {}, "b/leebo_12_1_01_paired_t_by_hand.ipynb": {}}, students=students)
    (one, two, *_) = [row for row in grades_from_json(tmp_path / "out" / "graded.json") if row.attempt]
    assert two.attempt is not None
    name = "kingada_11_501_01_paired_t_by_hand"
    submission = replace(two.attempt.submission, named=f"{name}.ipynb", path=f"b/{name}.ipynb")
    same = replace(two, attempt=replace(two.attempt, submission=submission))
    assert sorted(unzipped(io.BytesIO(canvas_feedback_zip([one, same])))) == [f"{name} (1).ipynb", f"{name}.ipynb"]


@pytest.mark.complete
def test_canvas_without_its_own_gradebook(tmp_path: Path, grading: Make) -> None:
    grading({CANVAS["s1"]: {}}, students=[Student("s1", "King, Ada", login="ada"), Student("s9", "Nobody")])
    rows = lines(tmp_path, "canvas.csv")
    expected = [["    Points Possible", "", "", "", "", "10"], ["King, Ada", "11", "s1", "ada", "", "10"], ["Nobody", "", "s9", "", "", ""]]
    assert [list(row.values()) for row in rows] == expected


def test_a_gradebook_without_the_assignment_says_so(tmp_path: Path, grading: Make) -> None:
    """It must be told by its title; everything else is written."""
    book = tmp_path / "Gradebook.csv"
    book.write_text("Student,ID,SIS User ID,SIS Login ID,Section,Essay (1)\n")
    _, notes = grading({CANVAS["s1"]: {}}, canvas=book)
    assert any(re.search(r"one assignment must have paired_t_by_hand .* in its title; 0 assignments have", note) for note in notes)
    assert not (tmp_path / "out" / "canvas.csv").exists()
    assert (tmp_path / "out" / "moodle.csv").exists()


# -- pages -----------------------------------------------------------------------------------------------------------------------
class Seen(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[str] = []
        self.words = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [name for name, _ in attrs]

    def handle_data(self, data: str) -> None:
        self.words += data


@pytest.mark.complete
def test_nothing_that_a_student_writes_becomes_html(tmp_path: Path, grading: Make) -> None:
    said = {"answers": {"q2": EVIL, "q10": EVIL}, "reflections": {"reflection_q1": EVIL}}
    evil = Student("s9", f"Eve {EVIL}", "e@x.org", EVIL)
    grading({"s9/01_paired_t_by_hand.ipynb": said, f"s9/{EVIL.replace('/', '')}.pdf": b""}, students=[evil], free_text="always")
    pages = [path for path in (tmp_path / "out").rglob("*.html") if path.name != "alike.html"]  # with nobody in it
    assert len(pages) == 3
    for path in pages:
        seen = Seen(path.read_text(encoding="utf-8"))
        assert seen.tags.count("script") == (path.name == "by_hand.html")
        assert not {"img", "a", "iframe"} & set(seen.tags)
        assert not any(name.startswith("on") for name in seen.attributes)
        assert "<script>alert(1)" in seen.words
        assert "Content-Security-Policy" in path.read_text(encoding="utf-8")
    assert all(not re.match(r"[=+@-]", cell) or cell == "-" for row in lines(tmp_path, "grades.csv") for cell in row.values())


@pytest.mark.complete
def test_moodle_and_canvas_hold_nothing_of_a_student_as_html(tmp_path: Path, grading: Make) -> None:
    """What a cell raised, what a value calls itself, what a file is called: in every table, archive and page as words only."""
    said = {"answers": {"q2": EVIL}, "problems": [f"code cell 3 raised ValueError: {EVIL}"], "flags": [EVIL]}
    grading({moodle("s1", f"{EVIL.replace('/', '')}_{NOTEBOOK}"): said, CANVAS["s2"]: said})
    out = tmp_path / "out"
    texts = {path.name: path.read_text(encoding="utf-8-sig") for path in out.rglob("*.*") if path.suffix in (".csv", ".html")}
    for path in out.glob("*_feedback.zip"):
        texts |= {f"{path.name}/{name}": said.decode() for name, said in unzipped(path).items()}
    as_html = [name for name in texts if "moodle" in name or "canvas" in name or name.endswith(".html")]
    assert len(as_html) > 7
    assert not [name for name in as_html if "<script>alert" in texts[name] or "<img" in texts[name]]
    assert "&lt;script&gt;alert(1)" in texts["moodle.csv"]


@pytest.mark.complete
def test_the_page_of_a_student(tmp_path: Path, grading: Make) -> None:
    """Each question with what was delivered, the reply with its formula, and the points."""
    grading({moodle("s1"): {}})
    seen = Seen((tmp_path / "out" / "feedback" / "s1" / f"{EXERCISE}.html").read_text(encoding="utf-8"))
    assert "10 of 10 points." in seen.words
    assert seen.tags.count("section") == 10
    assert seen.tags.count("math") >= 8
    assert "lang" in seen.attributes


def test_lines_with_a_students_words_are_never_formulas() -> None:
    assert reply_line("$\\alpha$ <b>", ours=False) == "$\\alpha$ &lt;b&gt;"
    assert "<math" in reply_line("so $\\alpha = 1$", ours=True)
    assert reply_line("5 $ <b>", ours=True) == "5  &lt;b&gt;"
    assert reply_line("no $\\frac{$ <b>", ours=True) == "no \\frac{ &lt;b&gt;", "a formula that is none costs nobody his page"
    assert "script-src" not in html_page("a", "b")


def test_the_report_shows_the_class(tmp_path: Path, grading: Make, changed: Callable[..., list[str]]) -> None:
    """Pictures, each with its text; the numbers in them are those of the rows, and every file stays what it is."""
    task = individual("s2", EXERCISE, SECRET)
    wrong = answers("s2", q3=float((task.data["a"] - task.data["b"]).std()), q6="x" * 500)
    times = {"s1": DUE - timedelta(days=2), "s2": DUE + timedelta(days=1)}
    sent = {moodle("s1"): {"reflections": {"reflection_q1": "A wins."}}, moodle("s2"): wrong | {"flags": ["See."], "problems": ["Oh."]}}
    _, notes = grading(sent | {moodle("s3", "essay.pdf"): b"%PDF"}, deadline=DUE, percent_a_day=10.0, times=times)
    assert notes == [
        "2 of 5 are marked; 2 have something to look at.",
        "1 file was not marked; the report gives the reasons.",
        "1 free-text answers do not count yet: they count as soon as one of the exercise has points in by_hand.csv.",
    ]
    out = tmp_path / "out"
    files = [path for path in sorted(out.rglob("*.*")) if path.suffix != ".zip" and "marked" not in path.parts]  # its keys know our code
    written = {path.relative_to(out).as_posix(): path.read_text(encoding="utf-8") for path in files}
    for path in out.glob("*.zip"):
        written |= {f"{path.name}/{name}": said.decode() for name, said in unzipped(path).items()}
    assert changed(written | {"audit": re.sub("stored in .*", "", audit_text(out, "s2"))}) == []
    text = written["report.html"]
    labels = re.findall(r'<svg [^>]*role="img" aria-label="([^"]*)"', text)
    assert len(labels) == 6
    assert "q2 50 %, q3 75 %" in labels[0]
    assert "q2: right 50 %, not answered 50 %; q3: right 50 %, a mistake with a name 50 %;" in labels[1]
    assert "Point-biserial correlation of each question with the points of all others, of 2 students. q1 1.00 (chance -1.00 " in labels[2]
    assert "Number of students, of 2, who made each mistake with a name, the most common first. divided by n: 1 (50 %)." in labels[3]
    assert "in hours from the deadline, as far as they are known: q1 -48.0 (of 1); q2 -48.0 (of 1); q3 -12.0 (of 2);" in labels[4]
    assert "2 submission times" in labels[5]
    assert "1 after the deadline" in labels[5]
    assert "2 of 5 students handed in" in text
    assert [(line["question"], line["right"]) for line in lines(tmp_path, "questions.csv")][1:3] == [("q2", "0.5"), ("q3", "0.5")]
    assert [(line["mistake"], line["students"]) for line in lines(tmp_path, "mistakes.csv")] == [("divided by n", "1")]


# -- flags -----------------------------------------------------------------------------------------------------------------------
@pytest.mark.complete
def test_the_wrong_lines_of_a_class_are_written(tmp_path: Path, grading: Make) -> None:
    """With the report and its table; a lecture asks the class about them, and a regrade keeps them."""
    sent: dict[str, Any] = {}
    for student, name in zip(MOODLE, ("sd", "s", "spread"), strict=True):
        gaps = np.subtract(*(individual(student, EXERCISE, SECRET).data[column] for column in "ab"))
        sources = {"answer_q1": "import numpy as np\nd = task.data['a'] - task.data['b']", "answer_q3": f"{name} = np.std(d, ddof=1)"}
        sources |= {"check_q3": f"check('q3', {name})", "answer_q4": f"se = {name} / len(d)", "check_q4": "check('q4', se)"}
        cells = [{"cell_type": "code", "source": code, "metadata": {"nbgrader": {"grade_id": key}}} for key, code in sources.items()]
        sent[moodle(student)] = answers(student, q4=float(gaps.std(ddof=1) / len(gaps))) | {"cells": cells}
    for _ in range(2):
        grading(sent)
        (line,) = lines(tmp_path, "lines.csv")
        assert (line["line"], line["students"], line["mistake"]) == ("sd / n", "3", "n for its square root")
    assert "<code>sd / <mark>n</mark></code>" in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "<code>se = sd / <mark>len(d)</mark></code>" in (tmp_path / "out" / "feedback" / "s1" / f"{EXERCISE}.html").read_text("utf-8")
    (asked, _) = line_polls("01_paired_t", tmp_path / "out" / "lines.csv")
    assert "What is wrong with this line?" in asked.source


def test_what_two_students_share_is_flagged(grading: Make) -> None:
    """The same file, the same words, and the same wrong number on other data; right numbers and small ones are nobody's."""
    words = "The very same long sentence, which nobody writes twice by accident."
    same = {"answers": {"q2": 3.14159, "q6": 4}, "reflections": {"reflection_q1": words}}
    every, _ = grading({moodle("s1"): same, moodle("s2"): same, moodle("s3"): {"answers": {"q6": 4, "q2": 0.5}}})
    expected = ("The same file as s2.", "The same text as s2 in a free-text answer.", "The same wrong number as s2, on other data.")
    assert (every[0].flags, every[2].flags) == (expected, ())


@pytest.mark.complete
def test_nobody_is_accused_of_an_honest_mistake(grading: Make) -> None:
    """Of a number that is right for him, of one that has a name or follows from one, of one that many have."""
    mine = right_answer(individual("s1", EXERCISE, SECRET), "q4")
    every, _ = grading({moodle(student): answers(student, q4=mine) for student in MOODLE})
    expected = [(), ("The same wrong number as s3, on other data.",), ("The same wrong number as s2, on other data.",)]
    assert [one.flags for one in every[:3]] == expected
    sizes = {student: len(individual(student, EXERCISE, SECRET).data["a"]) for student in ("s1", "s2", "s3", "s4", "s5")}
    same = next([student for student in sizes if sizes[student] == n] for n in sizes.values() if [*sizes.values()].count(n) > 1)
    n = sizes[same[0]]
    named = {"q6": n, "q7": float(stats.t.ppf(0.975, n))}  # n degrees of freedom, and what follows from them
    every, _ = grading({f"{student}/{NOTEBOOK}": answers(student, **named) for student in same})
    marked = [one for one in every if one.marked]
    assert [[mark.verdict for mark in one.marked.questions[5:7]] for one in marked if one.marked] == [["mistake", "carried"]] * len(same)
    assert [one.flags for one in marked] == [()] * len(same)
    wrong = {f"s{k}": answers(f"s{k}", q7=3.14159) for k in range(1, 6)}
    every, _ = grading({f"{student}/{NOTEBOOK}": said for student, said in wrong.items()})
    assert [one.flags for one in every] == [()] * 5


@pytest.mark.complete
def test_the_owner_of_foreign_data_is_named(grading: Make) -> None:
    own = individual("s2", EXERCISE, SECRET).token
    words = "The notebook opens other data (the data of {})."
    every, _ = grading({moodle("s1"): {"flags": [words.format(own), words.format("0123456789abcdef")]}})
    assert every[0].flags == (words.format("s2"), words.format("0123456789abcdef"))


@pytest.mark.complete
def test_copied_numbers_earn_nothing(grading: Make) -> None:
    """Each would follow from the one before it: all of another student's numbers but his letter, to three digits."""
    other = individual("s2", EXERCISE, SECRET)
    copied = {f"q{k}": right_answer(other, f"q{k}") for k in range(1, 9)}
    rounded = {key: np.vectorize(lambda x: float(f"{x:.4g}"))(value).tolist() for key, value in copied.items()}
    every, _ = grading({moodle("s1"): {"answers": rounded}, moodle("s3"): {}})
    assert every[0].marked is not None
    assert "right for the data s2: copied?" in " ".join(every[0].flags)
    same = {key for key, value in copied.items() if value == right_answer(individual("s1", EXERCISE, SECRET), key)}
    assert every[0].points == len(same) <= 2
    assert every[2].points == 10


@pytest.mark.complete
def test_what_a_cell_raised_is_told(tmp_path: Path, grading: Make) -> None:
    """To the student on his page, in his words, and to whoever audits the mark."""
    grading({moodle("s1"): answers("s1") | {"problems": [f"code cell 5 raised NameError: {EVIL}"]}})
    written = (tmp_path / "out" / "feedback" / "s1" / f"{EXERCISE}.html").read_text(encoding="utf-8")
    assert "Code cell 5 raised NameError: &lt;script&gt;" in written
    assert "<script>alert" not in written
    assert "  error      code cell 5 raised NameError: <script>" in audit_text(tmp_path / "out", "s1")


# -- evidence --------------------------------------------------------------------------------------------------------------------
@pytest.mark.complete
def test_the_audit_adds_up(tmp_path: Path, grading: Make) -> None:
    """Delivered, right, formula, verdict, points: the whole way from a file to a mark."""
    task = individual("s1", EXERCISE, SECRET)
    sd = float((task.data["a"] - task.data["b"]).std())
    grading({moodle("s1"): answers("s1", q3=sd)}, deadline=DUE, percent_a_day=10.0, times={"s1": DUE + timedelta(hours=1)})
    text = audit_text(tmp_path / "out", "s1")
    assert f"file       {moodle('s1')}" in text
    assert f"token {task.token}" in text
    said = f"q3  {VERDICT_DISPLAY['mistake'][0]} Not yet: divided by n\n      delivered  {sd}\n      "
    assert f"{said}right is   {task.answer('q3')}\n      formula    s_d = " in text
    assert "points     1 x 0.5 = 0.5  (a mistake with a name, divided by n)" in text
    assert "0 + 0 + 0.5 + 0 + 0 + 0 + 0 + 0 + 0 + 0 = 0.5 of 10" in text
    assert "1 hour late: 10 % taken off: 0.5 x (1 - 10 / 100) = 0.45" in text
    assert "q4" not in audit_text(tmp_path / "out", "s1@example.org", EXERCISE, "q3")
    assert audit_text(tmp_path / "out", "s5") == f"{EXERCISE} of s5 (Ada King)\n  Nothing was handed in.\n"
    assert_raises(lambda: audit_text(tmp_path / "out", "s9"), "there is no student 's9'", LookupError)
    assert_raises(lambda: audit_text(tmp_path / "out", "s1", "x"), "there is no exercise 'x'", LookupError)
    assert_raises(lambda: audit_text(tmp_path / "out", "s1", EXERCISE, "q99"), "`question` must be one of q1, .*; got 'q99'", LookupError)
    (tmp_path / "out" / "graded.json").write_text("[]")
    assert_raises(lambda: audit_text(tmp_path / "out", "s1"), "was not written by fstats grade")


def test_the_audit_runs_it_again_and_writes_a_page(tmp_path: Path, grading: Make, capsys: pytest.CaptureFixture[str]) -> None:
    """Value, right value, verdict, points, each with why; nothing of others, no script, nothing from elsewhere."""
    gaps = np.subtract(*(individual("s1", EXERCISE, SECRET).data[name] for name in "ab"))
    words = "The very same long sentence, which nobody writes twice by accident."
    said = answers("s1", q2=1e9, q3=float(gaps.std()), q10=EVIL) | {"reflections": {"reflection_q1": words}}
    sources = {
        "data": "from fstats import exercise\ntask = exercise('paired_t_by_hand')\nd = task.data['a'] - task.data['b']",
        "answer_q3": f"sd = d.std()  # {EVIL}",
        "check_q3": 'task.check("q3", sd)',
    }
    cells = [{"cell_type": "code", "source": source, "metadata": {"nbgrader": {"grade_id": name}}} for name, source in sources.items()]
    notebook = said | {"cells": cells}
    every, _ = grading({moodle("s1"): notebook, moodle("s2"): said})
    shown = audit_text(tmp_path / "out", "s1", EXERCISE, "q3")
    assert "      line       sd = d.std()\n                      ^^^^^^^\n" in shown, "in a terminal as Python's errors show it"
    assert every[0].flags == ("The same text as s2 in a free-text answer.",)
    (tmp_path / "secret.txt").write_text(SECRET)
    out, page = tmp_path / "out", tmp_path / "appeal.html"
    command = ["audit", str(out), "s1", EXERCISE, "--secret", str(tmp_path / "secret.txt"), "--page", str(page)]
    assert cli.main(command) == 0
    assert capsys.readouterr().out.startswith("The notebook was run again (bubblewrap): every value and every verdict is the same.\n")
    text = page.read_text(encoding="utf-8")
    seen = Seen(text)
    assert {"script", "link", "img"}.isdisjoint(seen.tags)
    assert """content="default-src 'none'; style-src 'unsafe-inline'\"""" in text
    assert "<code>sd = <mark>d.std()</mark></code>" in text
    assert (seen.tags.count("section"), seen.tags.count("details")) == (10, 2)
    parts = ("sd = d.std()  # <script>", f"{gaps.std()}", "Not yet: divided by n", "1 × 0.5 = 0.5", "= 0.5 of 10")
    for part in (*parts, "Does exactly one mistake give the answer"):
        assert part in seen.words, part
    assert "same words" not in seen.words
    assert str(out) not in text
    (stored,) = (out / "marked" / EXERCISE / "s1").glob("*.json")
    stored.with_suffix(".ipynb").write_text("another")
    assert cli.main(command) == 1
    assert "is not the notebook that was marked" in capsys.readouterr().err
    (tmp_path / "secret.txt").write_text("quite another secret of the course")
    stored.with_suffix(".ipynb").write_text(json.dumps(notebook))
    assert cli.main(command) == 1
    assert "the data of s1 with the given secret must be the data of the mark" in capsys.readouterr().err


@pytest.mark.complete
def test_another_run_that_comes_out_otherwise_says_so(tmp_path: Path, grading: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """A value that luck made; numbers that only the comparison with the class has found are no surprise."""
    other = individual("s2", EXERCISE, SECRET)
    copied = {f"q{k}": right_answer(other, f"q{k}") for k in range(1, 9)}
    grading({moodle("s1"): answers("s1", **copied)})
    arguments = tmp_path / "out", "s1", EXERCISE, SECRET, ROOT / "exercises" / NOTEBOOK
    assert "the same. But q" in audit_page(*arguments)[1]
    assert "the numbers are another student's" in audit_page(*arguments)[1]
    mark = Judging.mark
    monkeypatch.setattr(Judging, "mark", lambda self, reference, _, *more: mark(self, reference, b'{"answers": {"q10": "a"}}', *more))
    assert "q10 came out differently: look at the notebook" in audit_page(*arguments)[1]


@pytest.mark.complete
def test_nobodys_words_steer_a_terminal(tmp_path: Path, grading: Make) -> None:
    """Colours, deleted lines, turned words, and lines that look like the audit's own."""
    evil = "\x1b[2K\x9b1m\u202e\u2066\r\n  points     1 x 1 = 1\u2028\x07"
    said = {"answers": {"q2": evil, "q10": evil}, "reflections": {"reflection_q1": evil}, "flags": [evil]}
    name = f"{moodle('s1', '')}paired_t_by_hand\x1b[31m\u202e.ipynb" if sys.platform != "win32" else moodle("s1")
    every, _ = grading({name: said, f"{moodle('s2', '')}\x1b[31m.pdf": b""} if sys.platform != "win32" else {name: said})
    assert every[0].marked is not None
    shown = [path for path in (tmp_path / "out").glob("*.*") if path.name != "graded.json" and path.suffix != ".zip"]
    shown.append(tmp_path / "out" / "feedback" / "s1" / f"{EXERCISE}.html")
    texts = {path.name: path.read_text(encoding="utf-8-sig") for path in shown}
    texts["audit"] = audit_text(tmp_path / "out", "s1")
    texts["zip"] = next(iter(unzipped(tmp_path / "out" / "moodle_feedback.zip").values())).decode()
    for where, text in texts.items():
        assert not re.findall(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u202a-\u202e\u2066-\u2069]", text), where
    assert texts["audit"].count("\n  points     ") == 1


def test_half_a_character_stops_nothing(tmp_path: Path, grading: Make) -> None:
    half = "a\ud800b"
    said = {"answers": {"q2": half, "q10": half}, "reflections": {"reflection_q1": half}, "flags": [half]}
    every, _ = grading({moodle("s1"): said}, free_text="always")
    grading({moodle("s1"): said}, free_text="always")
    assert every[0].attempt is not None
    store = MarkArchive(tmp_path / "out")
    store.put(replace(every[0].attempt.submission, path=half), "so", every[0].attempt.marked)
    assert store.get(every[0].attempt.submission, "so", "any") is not None
    assert "a?b" in audit_text(tmp_path / "out", "s1")


@pytest.mark.complete
def test_what_was_graded_can_be_read_again(tmp_path: Path, grading: Make) -> None:
    every, _ = grading({moodle("s1"): {"reflections": {"reflection_q1": "so"}}}, deadline=DUE, percent_a_day=5.0, times={"s1": DUE})
    again = grades_from_json(tmp_path / "out" / "graded.json")
    expected = [(one.student, one.points, one.flags, one.policy, list(one.texts), one.late) for one in every]
    assert [(one.student, one.points, one.flags, one.policy, list(one.texts), one.late) for one in again] == expected


# -- the real marker -------------------------------------------------------------------------------------------------------------
def class_folder(tmp_path: Path, exercise: str, solve: str = "s1") -> list[str]:
    """The command that grades a class, some of whom handed in the solution, and s2 nothing new."""
    for student in ("s2", *solve.split()):
        (tmp_path / "in" / student).mkdir(parents=True, exist_ok=True)
        notebook = handed_in(student, solved=student != "s2", exercise=exercise)
        (tmp_path / "in" / student / NOTEBOOKS[exercise].name).write_bytes(notebook)
    (tmp_path / "secret.txt").write_text(SECRET)
    files = {"--students": roster_file(tmp_path), "--secret": tmp_path / "secret.txt", "--out": tmp_path / "out"}
    return ["grade", str(tmp_path / "in"), *(str(word) for pair in files.items() for word in pair), "--exercises", exercise]


@pytest.mark.slow
@pytest.mark.needs("bubblewrap")
@pytest.mark.parametrize("exercise", exercise_names())
def test_references_earn_everything_and_empty_notebooks_nothing(tmp_path: Path, exercise: str) -> None:
    """Every solution on a student's own data; and twice the same."""
    words = class_folder(tmp_path, exercise)
    assert cli.main(words) == 0
    first = (tmp_path / "out" / "grades.csv").read_bytes()
    one, other, *_ = grades_from_json(tmp_path / "out" / "graded.json")
    assert one.marked is not None
    assert ([mark.key for mark in one.marked.questions if mark.verdict != "right"], one.points) == ([], one.of)
    assert other.points == 0
    assert other.marked is not None
    assert {mark.verdict for mark in other.marked.questions} == {"unanswered"}
    assert cli.main([*words, "--again"]) == 0
    assert (tmp_path / "out" / "grades.csv").read_bytes() == first


@pytest.mark.complete
@pytest.mark.usefixtures("marker")
def test_times_of_people_who_are_not_in_the_class_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A mistyped id would otherwise leave somebody without his time, and nobody would know."""
    words = class_folder(tmp_path, EXERCISE)
    times = tmp_path / "times.csv"
    times.write_text("id,handed in\ns1,2026-11-24T10:15\ns11,2026-11-24T10:15\n")
    assert cli.main([*words, "--jobs", "1", "--times", str(times)]) == 0
    assert f"{times} has times of s11, who are not in " in capsys.readouterr().out


@pytest.mark.usefixtures("marker")
def test_a_list_of_times_stands_before_moodles(tmp_path: Path) -> None:
    words = class_folder(tmp_path, EXERCISE)
    (times := tmp_path / "times.csv").write_text("id,handed in\ns1,2026-11-24T10:15\n")
    (sheet := tmp_path / "sheet.csv").write_text(
        "Identifier,Full name,Email address,Grade,Last modified (submission)\n"
        + "".join(f"Participant {k},,s{k}@example.org,,2026-01-0{k}T10:00\n" for k in (1, 2))
    )
    assert cli.main([*words, "--jobs", "1", "--times", str(times), "--moodle", str(sheet)]) == 0
    moments = {row["id"]: row["handed in"][:10] for row in lines(tmp_path, "grades.csv") if row["handed in"]}
    assert moments == {"s1": "2026-11-24", "s2": "2026-01-02"}


@pytest.mark.slow
@pytest.mark.needs("bubblewrap")
@pytest.mark.parametrize("backend", ["loky", pytest.param("dask", marks=pytest.mark.needs("distributed"))])
def test_several_workers_mark_as_one_does(tmp_path: Path, backend: str) -> None:
    words = class_folder(tmp_path, EXERCISE)
    assert cli.main([*words, "--jobs", "1"]) == 0
    alone = (tmp_path / "out" / "grades.csv").read_bytes()
    assert cli.main([*words, "--jobs", "2", "--backend", backend, "--again"]) == 0
    assert (tmp_path / "out" / "grades.csv").read_bytes() == alone
    (one, *_) = grades_from_json(tmp_path / "out" / "graded.json")
    assert one.marked is not None
    assert one.marked.isolation


@pytest.mark.slow
@pytest.mark.needs("bubblewrap")
def test_a_killed_run_loses_only_what_was_being_marked(tmp_path: Path) -> None:
    """What is in the store is never marked again, and the rows are those of a run that nobody killed."""
    words = class_folder(tmp_path, EXERCISE, "s1 s3 s4 s5")
    store = tmp_path / "out" / "marked"
    running = subprocess.Popen([sys.executable, "-m", "fstats.cli", *words, "--jobs", "2"], cwd=ROOT)
    while len(list(store.rglob("*.json"))) < 2:
        assert running.poll() is None, "it was done before it could be killed"
        sleep(0.01)
    running.kill()
    running.wait()
    kept = {path: path.stat().st_mtime_ns for path in store.rglob("*.json")}
    assert not (tmp_path / "out" / "grades.csv").exists()
    assert (cli.main(words), {path: path.stat().st_mtime_ns for path in kept}) == (0, kept)
    resumed = (tmp_path / "out" / "grades.csv").read_bytes()
    assert cli.main([*words, "--again"]) == 0
    assert (tmp_path / "out" / "grades.csv").read_bytes() == resumed


@pytest.mark.slow
@pytest.mark.needs("bubblewrap")
@pytest.mark.skipif(sys.platform != "linux", reason="processes are looked for in /proc")
@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT], ids=lambda how: how.name)
def test_whatever_ends_a_run_nothing_is_left_behind(tmp_path: Path, how: signal.Signals, jobs: int) -> None:
    """No process, and no folder; where one run was killed alone, its folder goes with the next."""
    words = class_folder(tmp_path, EXERCISE, "s1 s3 s4 s5")
    (temporary := tmp_path / "tmp").mkdir()
    environment = os.environ | {"TMPDIR": str(temporary), "FSTATS_OF_THIS_TEST": str(tmp_path)}

    def alive() -> list[str]:
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if str(tmp_path).encode() in (process / "environ").read_bytes() + (process / "cmdline").read_bytes():
                    found.append((process / "cmdline").read_bytes().decode())
        return found

    running = subprocess.Popen([sys.executable, "-m", "fstats.cli", *words, "--jobs", str(jobs)], cwd=ROOT, env=environment)
    while len(list((tmp_path / "out" / "marked").rglob("*.json"))) < 2:
        assert running.poll() is None, "it was done before it could be ended"
        sleep(0.01)
    assert len(alive()) > jobs
    assert list(temporary.glob("grading-*"))
    running.send_signal(how)
    running.wait()

    def ends(what: Callable[[], list[Any]]) -> bool:
        return any(sleep(0.1) or not what() for _ in range(300))

    assert ends(alive)
    assert ends(lambda: [*temporary.iterdir()] if jobs > 1 else [])
    left = [path.name.partition("-")[0] for path in temporary.iterdir()]
    assert left == (["grading"] if (how, jobs) == (signal.SIGKILL, 1) else [])
    done = subprocess.run([sys.executable, "-m", "fstats.cli", *words, "--jobs", str(jobs)], cwd=ROOT, env=environment, check=False)
    assert (done.returncode, list(temporary.iterdir())) == (0, [])
    assert ends(alive)
