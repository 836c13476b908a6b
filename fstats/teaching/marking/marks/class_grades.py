"""Grades of all students of a class in an exercise."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from ...course.individual_data import data_token
from ..fault_tolerance import run_or_default
from ..plagiarism.plagiarism_flags import discount_copies, plagiarism_flags
from ..reports.item_analysis import first_tries
from ..roster import Student
from ..submissions.uploaded_files import Received
from .grading_policy import Policy
from .manual_marks import FilledForm, free_texts, model_answers, unlisted_texts
from .student_grade import Attempt, AttemptSummary, StudentGrade, attempt_summaries, best_attempt, remarks
from .submission_mark import SubmissionMark

POINTS_FAILED = "the points could not be computed; the first lines of the report say why"
Problems = Mapping[tuple[str, str], str]  # reason for a missing mark, by (exercise, student)


@dataclass(frozen=True)
class GradingCourse:
    """Settings of a grading run.

    Parameters
    ----------
    students : sequence of Student
        The roster.
    secret : str
        The secret of the course.
    exercises : mapping
        Notebooks of the marked exercises, by name; the folder ``solutions`` beside their folder contains the solutions.
    policy : Policy
        The grading policy.
    times : mapping
        Submission times by student, from a list of the lecturer or from Moodle's worksheet.
    dates : bool
        Whether the dates of files count as submission times.
    as_handed_in : bool
        Whether exercises without submissions are left out.
    moodle, canvas : Path or None
        The platform's grading worksheet or gradebook, which is filled in.
    """

    students: Sequence[Student]
    secret: str = field(repr=False)
    exercises: Mapping[str, Path]
    policy: Policy = field(default_factory=Policy)
    times: Mapping[str, datetime | None] = field(default_factory=dict)
    dates: bool = False
    as_handed_in: bool = False
    moodle: Path | None = None
    canvas: Path | None = None


def class_grades(
    exercise: str,
    course: GradingCourse,
    reference: Mapping[str, Any],
    tried: Mapping[tuple[str, str], Sequence[Received]],
    marks: Mapping[Received, SubmissionMark],
    problems: Problems,
    filled: FilledForm,
) -> list[StudentGrade]:
    """Return the grade of each student in an exercise."""
    path = course.exercises[exercise]
    models = model_answers(json.loads((path.parent.parent / "solutions" / path.name).read_text(encoding="utf-8")))
    scored = any(place[0] == exercise and points is not None for place, (points, _) in filled.items())
    counted = course.policy.free_text == "always" or (course.policy.free_text == "auto" and scored)
    tokens = {who.id: data_token(who.id, exercise, course.secret) for who in course.students}
    own = discount_copies({one: marked for one, marked in marks.items() if one.exercise == exercise}, tokens)
    received = {who.id: tried.get((exercise, who.id), ()) for who in course.students}
    attempts: dict[str, Attempt] = {}
    tried_by: dict[str, tuple[AttemptSummary, ...]] = {}
    why = dict(problems)
    for student, every in received.items():

        def choose(every: Sequence[Received] = every) -> tuple[Attempt, tuple[AttemptSummary, ...]] | None:
            # if only the last attempt counts, `every` contains only the last notebook
            marked = [Attempt(one, own[one]) for one in every if one in own]
            return (best_attempt(marked, course.policy), attempt_summaries(every, marked, course.policy)) if marked else None

        if choice := run_or_default(f"The choice of the attempt of {student} in {exercise}", choose, None):
            attempts[student], tried_by[student] = choice
    flags_by_student = plagiarism_flags(attempts, tokens)
    rows: list[StudentGrade] = []
    for who in course.students:
        every = received[who.id]

        def row(who: Student = who, every: Sequence[Received] = every) -> StudentGrade:
            attempt = attempts.get(who.id)
            if attempt is None:
                problem = why.get((exercise, who.id), "")
                return StudentGrade(who, exercise, course.policy, attempts=len(every), counted=counted, problem=problem)
            reflections, content = attempt.marked.reflections, attempt.submission.content
            unlisted = unlisted_texts(content, reflections, models, reference)
            flags = (*flags_by_student[who.id], *remarks(every, attempt, course.policy), *unlisted)
            texts = free_texts(reflections, exercise, who.id, who.name, models, filled)
            first = first_tries((one.content, one.handed_in, own[one].answered if one in own else ()) for one in every)
            return StudentGrade(
                who, exercise, course.policy, attempt, len(every), texts, counted, flags, tries=tried_by[who.id], first_attempts=first
            )

        file = every[-1].path if every else "nothing handed in"
        failed = StudentGrade(who, exercise, course.policy, attempts=len(every), counted=counted, problem=f"{file}: {POINTS_FAILED}")
        rows.append(run_or_default(f"The row of {who.id} in {exercise} ({file})", row, failed))
    return rows
