"""What a student has in an exercise: the attempt that counts, its mark, the points of the policy, the marks set by hand."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache
from math import inf
from typing import NamedTuple

from ...course.catalogue import load_exercise_definition
from ..roster import Student
from ..submissions.submission_import import Received
from .grading_policy import Policy
from .manual_marks import FreeText
from .submission_mark import QuestionMark, SubmissionMark


@dataclass(frozen=True)
class Attempt:
    """One notebook and its mark."""

    submission: Received
    marked: SubmissionMark


class AttemptSummary(NamedTuple):
    """One of the notebooks that a student handed in: where, when, and what it would earn; None if it was not looked at."""

    path: str
    handed_in: datetime | None
    points: float | None


@dataclass(frozen=True)
class StudentGrade:
    """A student's row for an exercise.

    Parameters
    ----------
    student, exercise : Student, str
        Whose, and of what.
    policy : Policy
        The rules that give points.
    attempt : Attempt or None
        The one that counts; None if nothing was handed in that can be marked.
    attempts : int
        How many there were.
    texts : sequence of FreeText
        The answers in the student's own words.
    counted : bool
        Whether free texts count in this exercise.
    flags : tuple of str
        What a lecturer should look at.
    problem : str
        Why there is no mark.
    tries : tuple of Try
        All that were handed in, where there are several, the last one last.
    first : mapping
        When each question was first tried, as far as it is known.
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
    first: Mapping[str, datetime] = field(default_factory=dict, compare=False)

    @property
    def gain(self) -> float:
        """How many points the student has by the rule that the best attempt counts, and would not have by the last one."""
        earned = [one.points for one in self.tries if one.points is not None]
        return round(max(earned) - earned[-1], 2) if self.policy.take == "best" and earned else 0.0

    @property
    def marked(self) -> SubmissionMark | None:
        """The mark, before points."""
        return self.attempt.marked if self.attempt else None

    @property
    def marks(self) -> tuple[QuestionMark, ...]:
        """Those of the questions; none if nothing was marked."""
        return self.marked.questions if self.marked else ()

    @property
    def questions(self) -> dict[str, float]:
        """The points of each question."""
        return {mark.key: self.policy.points(mark) for mark in self.marks}

    @property
    def of(self) -> float:
        """The points that there are."""
        questions = sum(mark.of for mark in self.marks) if self.marked else _points_of(self.exercise)
        return questions + (sum(text.of for text in self.texts) if self.counted else 0.0)

    @property
    def earned(self) -> float:
        """The points before anything is taken off for being late."""
        return sum(self.questions.values()) + (sum(text.points or 0.0 for text in self.texts) if self.counted else 0.0)

    @property
    def typed(self) -> str:
        """How many values were typed in, not computed from the data, of those of which a run on other data tells it."""
        told = [mark.computed for mark in self.marks if mark.computed is not None]
        return f"{told.count(False)} of {len(told)} values" if told else ""

    @property
    def late(self) -> tuple[float, str]:
        """The percent taken off and why."""
        return _late(self.policy, self.attempt) if self.attempt else (0.0, "")

    @property
    def points(self) -> float:
        """What counts, to the hundredth of a point."""
        return round(self.earned * (1 - self.late[0] / 100), 2) + 0.0

    @property
    def waiting(self) -> int:
        """How many free texts count and have no mark yet."""
        return sum(text.points is None for text in self.texts) if self.counted else 0

    @property
    def look(self) -> str:
        """What a lecturer should look at, in sentences; empty if there is nothing."""
        return " ".join(filter(None, [self.problem, self.marked.ended if self.marked else "", *self.flags]))

    @property
    def status(self) -> str:
        """In one or two words."""
        return "marked" if self.attempt else "not marked" if self.problem else "nothing handed in"


@cache
def _points_of(exercise: str) -> float:
    return float(sum(question.points for question in load_exercise_definition(exercise).questions))


# -- which of the notebooks that were handed in are attempts ----------------------------------------------------------------------
def attempts_by_upload(found: Sequence[Received]) -> dict[tuple[str, str], list[Received]]:
    """The attempts by exercise and student: one for each upload, however many notebooks are in it."""
    uploads: dict[tuple[str, str, str], list[Received]] = {}
    for one in found:
        if not one.problem:
            uploads.setdefault((one.exercise, one.student, one.upload), []).append(one)
    tried: dict[tuple[str, str], list[Received]] = {}
    for (exercise, student, _), every in uploads.items():
        one = notebook_of_upload(every)
        if len(every) > 1:
            note = f"{len(every)} notebooks of this exercise in one upload: {one.path} counts, the others were not looked at."
            one = replace(one, note=f"{one.note} {note}".strip())
        tried.setdefault((exercise, student), []).append(one)
    return tried


def notebook_of_upload(upload: Sequence[Received]) -> Received:
    """The notebook that counts of several of one exercise in one upload, which else would be as many tries.

    The one that was handed in last; of those the one that has the exercise's own name; else the last by name.
    """
    return latest_submission(sorted(upload, key=_has_own_name))


def latest_submission(every: Sequence[Received]) -> Received:
    """The last of several notebooks: by its time; where times are unknown or the same, the one that stands last."""
    return max(reversed(every), key=lambda one: one.handed_in.timestamp() if one.handed_in else -inf)


def _has_own_name(one: Received) -> bool:
    again = r"(-\d+)?" if one.layout == "canvas" else ""  # which Canvas adds where a name comes again
    return bool(re.fullmatch(rf"(\d+_)?{one.exercise}{again}\.ipynb", one.file.casefold()))


def best_attempt(every: Sequence[Attempt], policy: Policy) -> Attempt:
    """The attempt that earns most; of equally good ones the first."""
    return max(every, key=lambda one: attempt_points(one, policy))


def attempt_points(one: Attempt, policy: Policy) -> float:
    """The points of an attempt, lateness included and free texts not."""
    return sum(map(policy.points, one.marked.questions)) * (1 - _late(policy, one)[0] / 100)


def attempt_summaries(every: Sequence[Received], attempts: Sequence[Attempt], policy: Policy) -> tuple[AttemptSummary, ...]:
    """What a student handed in, if it was more than one notebook; the last one last."""
    earned = {one.submission: attempt_points(one, policy) for one in attempts}
    there = sorted(every, key=lambda one: one is latest_submission(every)) if len(every) > 1 else ()
    return tuple(AttemptSummary(one.path, one.handed_in, earned.get(one)) for one in there)


def _late(policy: Policy, one: Attempt) -> tuple[float, str]:
    """The percent taken off for being late and why."""
    return policy.late(one.submission.exercise, one.submission.student, one.submission.handed_in)


def problems_by_student(others: Sequence[Received]) -> dict[tuple[str, str], str]:
    """Why a student has no mark although there is a file, by exercise and student."""
    return {(one.exercise, one.student): f"{one.path}: {one.problem}" for one in others if one.student and one.exercise}


def remarks(tried: Sequence[Received], attempt: Attempt, policy: Policy) -> tuple[str, ...]:
    """What cannot be told from the files."""
    handed_in, due = attempt.submission, policy.due(attempt.submission.exercise, attempt.submission.student)
    said = [handed_in.note] if handed_in.note else []
    numbers: dict[str, list[str]] = {}  # by layout and folder: another assignment may give other numbers
    for one in tried:
        if one.number and one.number not in (there := numbers.setdefault(one.upload.rpartition(one.number)[0], [])):
            there.append(one.number)
    for there in numbers.values():
        if len(there) > 1:
            said.append(f"Files of several people there have this student's name ({', '.join(there)}): whose is {handed_in.path}?")
    if len(tried) > 1 and policy.take == "last" and not all(one.handed_in for one in tried):
        said.append(f"{len(tried)} notebooks without times: {attempt.submission.path} counts as the last by its name.")
    if handed_in.late:
        if due is None:
            said.append("Handed in late, says Canvas; the policy has no deadline.")
        elif handed_in.handed_in is None:
            said.append("Handed in late, says Canvas, and nobody says when: nothing is taken off without a list of times.")
        elif not policy.late(handed_in.exercise, handed_in.student, handed_in.handed_in)[1]:
            said.append(f"Handed in late, says Canvas, but in time by {handed_in.known_by}.")
    elif handed_in.handed_in is None and due:
        said.append("Nobody knows when it was handed in: taken as in time.")
    return tuple(said)
