"""What a student has in an exercise: the marks of the attempt that counts, the points of the policy, the marks set by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import inf

from ..course.catalogue import definition
from .by_hand import FreeText
from .marked import Marked
from .policy import Policy
from .roster import Student
from .submissions import Received


@dataclass(frozen=True)
class Attempt:
    """One notebook and its mark."""

    submission: Received
    marked: Marked


@dataclass(frozen=True)
class Graded:
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

    @property
    def marked(self) -> Marked | None:
        """The mark, before points."""
        return self.attempt.marked if self.attempt else None

    @property
    def questions(self) -> dict[str, float]:
        """The points of each question."""
        return {mark.key: self.policy.points(mark) for mark in self.marked.questions} if self.marked else {}

    @property
    def of(self) -> float:
        """The points that there are."""
        questions = sum(entry.of for entry in self.marked.questions) if self.marked else _points_of(self.exercise)
        return questions + (sum(text.of for text in self.texts) if self.counted else 0.0)

    @property
    def earned(self) -> float:
        """The points before anything is taken off for being late."""
        return sum(self.questions.values()) + (sum(text.points or 0.0 for text in self.texts) if self.counted else 0.0)

    @property
    def typed(self) -> str:
        """How many values were typed in, not computed from the data, of those of which a run on other data tells it."""
        told = [mark.computed for mark in self.marked.questions if mark.computed is not None] if self.marked else []
        return f"{told.count(False)} of {len(told)} values" if told else ""

    @property
    def late(self) -> tuple[float, str]:
        """The percent taken off and why."""
        return self.policy.late(self.exercise, self.student.id, self.attempt.submission.handed_in) if self.attempt else (0.0, "")

    @property
    def points(self) -> float:
        """What counts, to the hundredth of a point."""
        return round(self.earned * (1 - self.late[0] / 100), 2) + 0.0

    @property
    def waiting(self) -> int:
        """How many free texts count and have no mark yet."""
        return sum(text.points is None for text in self.texts) if self.counted else 0

    @property
    def status(self) -> str:
        """In one or two words."""
        return "marked" if self.attempt else "not marked" if self.problem else "nothing handed in"


@cache
def _points_of(exercise: str) -> float:
    return float(sum(question.points for question in definition(exercise).questions))


def last(every: Sequence[Received]) -> Received:
    """The last of several notebooks: by its time; where times are unknown or the same, the one that stands last."""
    times = [one.handed_in.timestamp() if one.handed_in else -inf for one in every]
    return every[max(range(len(every)), key=lambda k: (times[k], k))]


def that_counts(every: Sequence[Attempt], policy: Policy, exercise: str, student: str) -> Attempt:
    """The best or the last attempt, as the policy says; of equally good ones the first."""
    if policy.take == "last":
        which = last([one.submission for one in every])
        return next(one for one in every if one.submission is which)

    def worth(one: Attempt) -> float:
        earned = sum(map(policy.points, one.marked.questions))
        return earned * (1 - policy.late(exercise, student, one.submission.handed_in)[0] / 100)

    return max(every, key=worth)
