"""What a class is marked by, and what each of its students has in an exercise."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from ...course.catalogue import data_token
from ..fault_tolerance import run_or_default
from ..plagiarism.plagiarism_flags import discount_copies, plagiarism_flags
from ..reports.item_analysis import first_tries
from ..roster import Student
from ..submissions.submission_import import Received
from .grading_policy import Policy
from .manual_marks import FilledForm, free_texts, model_answers, unlisted_texts
from .student_grade import Attempt, AttemptSummary, StudentGrade, attempt_summaries, best_attempt, remarks
from .submission_mark import SubmissionMark

POINTS_FAILED = "what it earned could not be worked out; the first lines of the report say why"
Problems = Mapping[tuple[str, str], str]  # why a student has no mark, by exercise and student


@dataclass(frozen=True)
class GradingCourse:
    """What a class is marked by.

    Parameters
    ----------
    students : sequence of Student
        The roster.
    secret : str
        The secret of the course.
    exercises : mapping
        The notebooks of the exercises that are marked, by name; the solutions lie in the folder ``solutions`` beside theirs.
    policy : Policy
        The rules.
    times : mapping
        When a student handed in, by id, where a list says it.
    dates : bool
        Whether the dates of files count as times of hand-in.
    as_handed_in : bool
        Whether exercises of which nobody handed in anything are left out.
    moodle, canvas : Path or None
        The grading worksheet or gradebook that the platform gave, to be filled in.
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
    """What each student has in an exercise."""
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

        def chosen(every: Sequence[Received] = every) -> tuple[Attempt, tuple[AttemptSummary, ...]] | None:
            there = [Attempt(one, own[one]) for one in every if one in own]  # only the last one, if the policy says so
            return (best_attempt(there, course.policy), attempt_summaries(every, there, course.policy)) if there else None

        if found := run_or_default(f"The choice of the attempt of {student} in {exercise}", chosen, None):
            attempts[student], tried_by[student] = found
    said = plagiarism_flags(attempts, tokens)
    rows: list[StudentGrade] = []
    for who in course.students:
        every = received[who.id]

        def row(who: Student = who, every: Sequence[Received] = every) -> StudentGrade:
            attempt = attempts.get(who.id)
            if attempt is None:
                problem = why.get((exercise, who.id), "")
                return StudentGrade(who, exercise, course.policy, attempts=len(every), counted=counted, problem=problem)
            words, content = attempt.marked.reflections, attempt.submission.content
            told = (*said[who.id], *remarks(every, attempt, course.policy), *unlisted_texts(content, words, models, reference))
            texts = free_texts(words, exercise, who.id, who.name, models, filled)
            first = first_tries((one.content, one.handed_in, own[one].answered if one in own else ()) for one in every)
            return StudentGrade(
                who, exercise, course.policy, attempt, len(every), texts, counted, told, tries=tried_by[who.id], first=first
            )

        file = every[-1].path if every else "nothing handed in"
        failed = StudentGrade(who, exercise, course.policy, attempts=len(every), counted=counted, problem=f"{file}: {POINTS_FAILED}")
        rows.append(run_or_default(f"The row of {who.id} in {exercise} ({file})", row, failed))
    return rows
