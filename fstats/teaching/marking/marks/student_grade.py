"""Grade of a student in an exercise."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache
from math import inf
from typing import NamedTuple

from ...course.catalogue import load_exercise_definition
from ..roster import Student
from ..submissions.notebook_format import NotANotebook, notebook_cells
from ..submissions.notebook_names import notebook_name
from ..submissions.uploaded_files import Received
from .grading_policy import Policy
from .manual_marks import FreeText
from .submission_mark import QuestionMark, SubmissionMark


@dataclass(frozen=True)
class Attempt:
    """A notebook and its mark."""

    submission: Received
    marked: SubmissionMark


class AttemptSummary(NamedTuple):
    """Summary of a submitted notebook: path, submission time, and points (None if the notebook was not marked)."""

    path: str
    handed_in: datetime | None
    points: float | None


@dataclass(frozen=True)
class StudentGrade:
    """Grade of a student in an exercise.

    Parameters
    ----------
    student, exercise : Student, str
        The student and the exercise.
    policy : Policy
        The grading policy.
    attempt : Attempt or None
        The attempt that counts; None if there is no submission that can be marked.
    attempts : int
        Number of attempts.
    texts : sequence of FreeText
        The free-text answers.
    counted : bool
        Whether free texts count in this exercise.
    flags : tuple of str
        Notes for the lecturer.
    problem : str
        The reason why there is no mark.
    tries : tuple of AttemptSummary
        All submissions if there are several, in the order of time.
    first_attempts : mapping
        Time of the first attempt at each question, for the questions whose time is known.
    """

    student: Student
    exercise: str
    policy: Policy
    attempt: Attempt | None = None
    attempts: int = 0
    texts: Sequence[FreeText] = ()
    counted: bool = False
    flags: tuple[str, ...] = ()
    problem: str = ""
    tries: tuple[AttemptSummary, ...] = ()
    first_attempts: Mapping[str, datetime] = field(default_factory=dict, compare=False)

    @property
    def gain_by_best_attempt(self) -> float:
        """Points that the student gains because the best attempt counts, not the last one."""
        earned = [one.points for one in self.tries if one.points is not None]
        return round(max(earned) - earned[-1], 2) if self.policy.take == "best" and earned else 0.0

    @property
    def marked(self) -> SubmissionMark | None:
        """Mark of the counting attempt, before points are given."""
        return self.attempt.marked if self.attempt else None

    @property
    def marks(self) -> tuple[QuestionMark, ...]:
        """Marks of the questions; empty if nothing was marked."""
        return self.marked.questions if self.marked else ()

    @property
    def questions(self) -> dict[str, float]:
        """Points of each question."""
        return {mark.key: self.policy.points(mark) for mark in self.marks}

    @property
    def of(self) -> float:
        """Maximal points."""
        questions = sum(mark.of for mark in self.marks) if self.marked else _points_of(self.exercise)
        return questions + (sum(text.of for text in self.texts) if self.counted else 0.0)

    @property
    def earned(self) -> float:
        """Points before the penalty for lateness."""
        return sum(self.questions.values()) + (sum(text.points or 0.0 for text in self.texts) if self.counted else 0.0)

    @property
    def typed_count(self) -> str:
        """Text with two numbers: values that were typed in, and values for which a run on other data shows whether they were typed in."""
        computed = [mark.computed for mark in self.marks if mark.computed is not None]
        return f"{computed.count(False)} of {len(computed)} values" if computed else ""

    @property
    def late(self) -> tuple[float, str]:
        """Penalty for lateness in percent, and the reason for the penalty."""
        return _late(self.policy, self.attempt) if self.attempt else (0.0, "")

    @property
    def points(self) -> float:
        """Final points, rounded to a hundredth of a point."""
        return round(self.earned * (1 - self.late[0] / 100), 2) + 0.0

    @property
    def unmarked_texts(self) -> int:
        """Number of free texts that count but have no points yet."""
        return sum(text.points is None for text in self.texts) if self.counted else 0

    @property
    def flags_for_lecturer(self) -> str:
        """Notes for the lecturer, in sentences; empty if there are no notes."""
        return " ".join(filter(None, [self.problem, self.marked.ended if self.marked else "", *self.flags]))

    @property
    def status(self) -> str:
        """Status of the grade in one to three words."""
        return "marked" if self.attempt else "not marked" if self.problem else "nothing handed in"


@cache
def _points_of(exercise: str) -> float:
    return float(sum(question.points for question in load_exercise_definition(exercise).questions))


# -- choice of the notebooks that are attempts -------------------------------------------------------------------------------------
def attempts_by_upload(received: Sequence[Received]) -> dict[tuple[str, str], list[Received]]:
    """Return the attempts by exercise and student: one attempt for each upload, even if the upload contains several notebooks."""
    uploads: dict[tuple[str, str, str], list[Received]] = {}
    for one in received:
        if not one.problem:
            uploads.setdefault((one.exercise, one.student, one.upload), []).append(one)
    tried: dict[tuple[str, str], list[Received]] = {}
    for (exercise, student, _), every in uploads.items():
        tried.setdefault((exercise, student), []).append(notebook_of_upload(every))
    return tried


def notebook_of_upload(upload: Sequence[Received]) -> Received:
    """Return the notebook that counts among the notebooks of one exercise in an upload, since an upload is only one attempt."""
    rest, reason = upload, ""
    for rule, select in UPLOAD_RULES:
        if len(rest) > 1 and 0 < len(selected := select(rest)) < len(rest):
            rest, reason = selected, rule
    one = rest[-1]
    paths = [other.path for other in upload if other is not one]
    others = ", ".join([*paths[:5], *([f"and {len(paths) - 5} more"] if len(paths) > 5 else [])])
    head = f"{len(upload)} notebooks of this exercise in one upload: {one.path} counts"
    choice = f"{head}, {reason.format(by=one.known_by)}; not marked: {others}." if others else ""
    # leave out the file date: it changes if submissions are copied, and would change the stored results
    return replace(one, modified=None, choice=choice)


def _latest(upload: Sequence[Received], time: Callable[[Received], datetime | None]) -> list[Received]:
    seconds = [_seconds(time(one)) for one in upload]
    return [one for one, moment in zip(upload, seconds, strict=True) if moment == max(seconds)]


def _last_copies(upload: Sequence[Received]) -> list[Received]:
    """Return the last copy of each notebook; the copy with the highest number in its name is the last one."""
    names = [notebook_name(one.file.casefold()) for one in upload]
    stems = [one.exercise if _has_own_name(one) else name.stem for one, name in zip(upload, names, strict=True)]
    last: dict[str, tuple[int, ...]] = {}
    for stem, name in zip(stems, names, strict=True):
        last[stem] = max(last.get(stem, ()), name.copies)
    return [one for one, stem, name in zip(upload, stems, names, strict=True) if name.copies == last[stem]]


def _is_readable(one: Received) -> bool:
    try:
        return bool(notebook_cells(one.content))
    except NotANotebook:
        return False


def _has_own_name(one: Received) -> bool:
    return bool(re.fullmatch(rf"(\d+_)?{one.exercise}", notebook_name(one.file.casefold()).stem))


# (reason, rule) in the order in which the rules select the notebook that counts; students and lecturers read the reason
UPLOAD_RULES: tuple[tuple[str, Callable[[Sequence[Received]], list[Received]]], ...] = (
    ("because no other file can be read", lambda upload: [*filter(_is_readable, upload)]),
    ("the latest by {by}", lambda upload: _latest(upload, lambda one: one.handed_in)),
    ("because its name is the name of the exercise", lambda upload: [*filter(_has_own_name, upload)]),
    ("the latest by the number in its name", _last_copies),
    ("the latest by the date of the file", lambda upload: _latest(upload, lambda one: one.modified)),
    ("the last by its name", lambda upload: [upload[-1]]),
)


def latest_submission(every: Sequence[Received]) -> Received:
    """Return the latest of several notebooks; if times are unknown or equal, return the last notebook in the sequence."""
    return max(reversed(every), key=lambda one: _seconds(one.handed_in))


def _seconds(time: datetime | None) -> float:
    return time.timestamp() if time else -inf


def best_attempt(every: Sequence[Attempt], policy: Policy) -> Attempt:
    """Return the attempt with the most points; of equally good attempts, return the first."""
    return max(every, key=lambda one: attempt_points(one, policy))


def attempt_points(one: Attempt, policy: Policy) -> float:
    """Return the points of an attempt, with the penalty for lateness and without free texts."""
    return sum(map(policy.points, one.marked.questions)) * (1 - _late(policy, one)[0] / 100)


def attempt_summaries(every: Sequence[Received], attempts: Sequence[Attempt], policy: Policy) -> tuple[AttemptSummary, ...]:
    """Return summaries of a student's notebooks if there are several; the summary of the latest notebook comes last."""
    earned = {one.submission: attempt_points(one, policy) for one in attempts}
    ordered = sorted(every, key=lambda one: one is latest_submission(every)) if len(every) > 1 else ()
    return tuple(AttemptSummary(one.path, one.handed_in, earned.get(one)) for one in ordered)


def _late(policy: Policy, one: Attempt) -> tuple[float, str]:
    """Return the penalty in percent for a late attempt, and the reason."""
    return policy.late_penalty(one.submission.exercise, one.submission.student, one.submission.handed_in)


def problems_by_student(received: Sequence[Received], exercises: Collection[str]) -> dict[tuple[str, str], str]:
    """Return the reasons why students have no mark although they submitted a file, by exercise and student.

    A file of an unknown exercise is named in all exercises if the student submitted no other file, or if only one exercise is marked.
    """
    others = [one for one in received if one.problem and one.student]
    known = {one.student for one in received if one.exercise and len(exercises) > 1}
    problems = {(name, one.student): _problem(one) for one in others if not one.exercise and one.student not in known for name in exercises}
    return problems | {(one.exercise, one.student): _problem(one) for one in others if one.exercise}


def _problem(one: Received) -> str:
    return f"{one.path}: {one.problem}"


def remarks(tried: Sequence[Received], attempt: Attempt, policy: Policy) -> tuple[str, ...]:
    """Return notes for the lecturer on facts that the files do not show."""
    submission = attempt.submission
    deadline = policy.deadline_for(submission.exercise, submission.student)
    notes = [*filter(None, [submission.note, submission.choice])]
    # the platform's numbers of the student, by folder of the assignment; a platform may use another number in each assignment
    numbers: dict[str, list[str]] = {}
    for one in tried:
        if one.number and one.number not in (known := numbers.setdefault(one.upload.rpartition(one.number)[0], [])):
            known.append(one.number)
    for known in numbers.values():
        if len(known) > 1:
            notes.append(f"Files of several people have this student's name ({', '.join(known)}): to whom does {submission.path} belong?")
    if len(tried) > 1 and policy.take == "last" and not all(one.handed_in for one in tried):
        notes.append(f"{len(tried)} notebooks without times: {submission.path} counts as the last by its name.")
    if submission.late:
        if deadline is None:
            notes.append("Canvas says that the submission was late; the policy has no deadline.")
        elif submission.handed_in is None:
            notes.append("Canvas says that the submission was late, but its time is unknown: without a list of times there is no penalty.")
        elif not policy.late_penalty(submission.exercise, submission.student, submission.handed_in)[1]:
            notes.append(f"Canvas says that the submission was late, but it was in time by {submission.known_by}.")
    elif submission.handed_in is None and deadline:
        notes.append("The time of the submission is unknown: the submission counts as in time.")
    return tuple(notes)
