"""What a submission is worth, question by question, as the judge of the exercises sees the values that came back."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass, field, replace
from typing import Any, get_args

import numpy as np

from ...grading.answers.answer_value import is_distinct
from ...grading.exercise import required_steps
from ...grading.question import Asked, Choice, Function, Question, Section
from ...grading.task import Task
from ...grading.verdicts.feedback import Feedback, Verdict
from ...grading.verdicts.function_verdict import FunctionTrial, UnseenCases
from ...sandbox_runtime.function_call import time_limit
from ..sandbox.sandbox_output import DeliveredAnswer, SandboxOutput

JUDGING_SECONDS = 3  # seconds of computing that an answer may cost the judge; an ordinary one costs some thousandths
UNJUDGED = "This answer could not be judged"
STORED_FIELD_NAMES = {"given": "answer"}  # what was stored has kept the name that a field once had


@dataclass(frozen=True)
class QuestionMark:
    """The verdict on one question.

    Parameters
    ----------
    key : str
        The question.
    verdict : str
        As :class:`fstats.teaching.grading.verdicts.feedback.Feedback` has it.
    of : float
        The points that there are.  How many of them a verdict earns is the policy of the course.
    answer : str
        What was delivered, as JSON text, shortened for show; empty if nothing was.
    lines : tuple of str
        What the student reads.
    mistake : str
        The name of the mistake, if it has one.
    see : Section or None
        Where the notebooks explain it.
    kind : str
        "value", "choice" or "function".
    computed : bool or None
        Whether the answer follows from the data (True) or stays the same when they change (False: typed, or computed from what was
        typed), as a second run on other data tells; None if it does not.
    guess : bool
        Whether the mistake is no more than one that it could be.
    chained : bool
        Whether it only follows from an earlier wrong answer and was typed in, not worked out from it.
    """

    key: str
    verdict: Verdict
    of: float
    answer: str
    lines: tuple[str, ...]
    mistake: str = ""
    see: Section | None = None
    kind: str = "value"
    computed: bool | None = None
    guess: bool = False
    chained: bool = False

    @property
    def is_right(self) -> bool:
        """Whether it is right, or follows from an earlier wrong answer by the student's own work."""
        return self.verdict in ("right", "carried") and not self.chained

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> QuestionMark:
        """It again, from its values as JSON keeps them."""
        if plain["verdict"] not in get_args(Verdict):
            raise ValueError(f"a verdict is one of {', '.join(get_args(Verdict))}; got {plain['verdict']!r}")
        see = Section(*plain["see"]) if plain["see"] else None
        return cls(
            **{STORED_FIELD_NAMES.get(name, name): value for name, value in plain.items()} | {"lines": tuple(plain["lines"]), "see": see}
        )


@dataclass(frozen=True)
class SubmissionMark:
    """A submission as it was marked, before any points are given: another policy needs no second run.

    Parameters
    ----------
    exercise, token : str
        Which exercise, and which data (those of the register, whatever the notebook says).
    questions : tuple of QuestionMark
        In the order in which they are asked.
    ended : str
        Why the run ended early, in a sentence; empty if it did not.
    isolation : str
        "bubblewrap", "wasm", "weak", "bubblewrap and wasm"; empty if nothing had to be run.
    flags : tuple of str
        What a lecturer should look at, a sentence each.
    reflections : mapping
        The texts in the student's own words, by their `grade_id`.
    problems : tuple of str
        What cells raised, a sentence each.
    """

    exercise: str
    token: str
    questions: tuple[QuestionMark, ...]
    ended: str = ""
    isolation: str = ""
    flags: tuple[str, ...] = ()
    reflections: Mapping[str, str] = field(default_factory=dict)
    problems: tuple[str, ...] = ()

    @property
    def answered(self) -> tuple[str, ...]:
        """The questions that have an answer."""
        return tuple(mark.key for mark in self.questions if mark.verdict != "unanswered")

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> SubmissionMark:
        """It again, from its values as JSON keeps them."""
        questions = tuple(map(QuestionMark.from_dict, plain["questions"]))
        return cls(**{**plain, "questions": questions, "flags": tuple(plain["flags"]), "problems": tuple(plain.get("problems", ()))})

    def to_dict(self) -> dict[str, Any]:
        """It as JSON keeps it."""
        stored = {here: there for there, here in STORED_FIELD_NAMES.items()}
        plain = asdict(self)
        return plain | {"questions": [{stored.get(name, name): value for name, value in mark.items()} for mark in plain["questions"]]}


def mark_all(task: Task, delivery: SandboxOutput, cases: Mapping[str, UnseenCases]) -> tuple[QuestionMark, ...]:
    """The verdict on each answer, in the order of the questions, so that an earlier mistake is carried forward."""
    task = task.fresh()
    return tuple(mark_question(task, question, delivery, cases) for question in task.exercise.questions)


def mark_question(task: Task, question: Asked, delivery: SandboxOutput, cases: Mapping[str, UnseenCases]) -> QuestionMark:
    """The verdict on one answer, in the light of those that the task has seen before."""
    answer = delivery.answers.get(question.key, DeliveredAnswer())
    try:
        with timeout(JUDGING_SECONDS), np.errstate(all="ignore"):  # what a stranger's numbers do to formulas is no news for a terminal
            said = task.reply_to(question.key, _judge_input(question, answer, cases))
    except (Exception, JudgingTimeout) as error:  # no answer, however odd, may stop the marking of the others
        line = f"{UNJUDGED} ({type(error).__name__}); your lecturer will look at it."
        said = Feedback(question.key, "unreadable", (line,))
    lines = said.lines
    if said.verdict == "unanswered":
        why = [f"The name that is looked at could not be read: {answer.missing}."] if answer.missing else []
        first = [f"Before that, {delivery.problems[0]}."] if answer.missing and delivery.problems else []
        lines = (*lines, *why, *first, *([delivery.ended] if delivery.ended else []))
    elif answer.own:
        lines = (*lines, "The name that the exercise looks at was empty; what your own check hands in was taken in its place.")
    kind = "choice" if isinstance(question, Choice) else "function" if isinstance(question, Function) else "value"
    return QuestionMark(question.key, said.verdict, question.points, answer.shown, lines, said.mistake, said.see, kind, guess=said.guess)


def _judge_input(question: Asked, answer: DeliveredAnswer, cases: Mapping[str, UnseenCases]) -> Any:
    """What the judge takes: a value, or a function as it was tried elsewhere."""
    if not isinstance(question, Function) or answer.calls is None:
        return answer.value
    asked = cases[question.key]
    if len(answer.calls) != len(asked):  # not what our code sends
        return "a function that was not called on every case"
    # of the inputs that it changed only our own names: any words may come from there, and the reply has these in its sentences
    calls = tuple(call._replace(changed=tuple(name for name in question.takes if name in call.changed)) for call in answer.calls)
    return FunctionTrial(asked, calls, answer.stub)


def unjudged_flags(questions: Iterable[QuestionMark]) -> tuple[str, ...]:
    """A flag for each answer that the judge could not cope with, or not in time."""
    return tuple(f"{mark.key}: {mark.lines[0]}" for mark in questions if mark.lines and mark.lines[0].startswith(UNJUDGED))


Runs = tuple[
    Mapping[str, DeliveredAnswer], Mapping[str, DeliveredAnswer]
]  # the answers of the run on the own data, and of the one on others


def compare_runs(
    own: tuple[QuestionMark, ...], other: tuple[QuestionMark, ...], task: Task, fresh: Task, answers: Runs
) -> tuple[QuestionMark, ...]:
    """The marks, each value with whether it is computed from the data: on other data it is another one, as right or as wrong.

    What follows there from a wrong number is computed only if that number was: typed numbers follow from each other on any data.
    """
    found: list[QuestionMark] = []
    given_up: set[str] = set()  # steps that were typed, or follow from one that was
    for mark, again in zip(own, other, strict=True):
        computed = _computed(mark, again, task, fresh)
        question = task.exercise.question(mark.key)
        if isinstance(question, Question):
            if computed and again.verdict == "carried" and given_up & required_steps(task.exercise.tested(question), question.step):
                computed = False
            if again.verdict in ("carried", "mistake", "unknown") and (
                computed is False or (computed is None and is_unchanged(mark.key, answers))
            ):
                given_up.add(question.step)
        found.append(replace(mark, computed=computed))
    return tuple(found)


def is_unchanged(key: str, answers: Runs) -> bool:
    """Whether an answer is the same on both data, or so nearly that only noise was added to it."""
    one, other = (run.get(key, DeliveredAnswer()).value for run in answers)
    try:
        return not is_distinct(np.asarray(one, float), np.asarray(other, float))
    except (TypeError, ValueError):
        return bool(one == other)


def _computed(mark: QuestionMark, again: QuestionMark, task: Task, fresh: Task) -> bool | None:
    question = task.exercise.question(mark.key)
    if not isinstance(question, Question) or mark.verdict not in ("right", "digits", "carried", "mistake"):
        return None
    here, there = (getattr(one.test_of(question), question.step) for one in (task, fresh))
    within = question.tolerance(task.test_of(question)) if question.tolerance else None
    if not is_distinct(here, there, within) and (mark.verdict, mark.mistake) == (again.verdict, again.mistake):
        return None  # the same answer to both, so that nothing can be seen
    if mark.answer == again.answer:
        return False
    return again.verdict in ("right", "digits", "carried") or (mark.verdict == "mistake" and again.mistake == mark.mistake)


# -- patience -----------------------------------------------------------------------------------------------------------------
class JudgingTimeout(BaseException):
    """The time is up; no Exception, so that nothing on the way takes it for one of its own."""


class MarkingTimeout(BaseException):
    """One notebook has cost the marking process too much; nothing that judges an answer takes it for its own patience."""


def timeout(seconds: float, error: type[BaseException] = JudgingTimeout) -> AbstractContextManager[None]:
    """Raise an error in this block after so many seconds of computing: this thread's own, however busy the machine is.

    It may be any thread, as the workers of a cluster have several.  Where the system counts nobody's computing (Windows, macOS), all
    time counts.
    """
    if not hasattr(time, "pthread_getcpuclockid"):
        return time_limit(seconds, error)
    mine = time.pthread_getcpuclockid(threading.get_ident())
    return time_limit(seconds, error, lambda: time.clock_gettime(mine))


@contextmanager
def interrupted_after(seconds: float) -> Iterator[None]:
    """Raise `MarkingTimeout` after so many seconds of computing, within a call of a library, too, where the system has such a signal.

    Only the main thread gets signals; in any other, what a library does alone is not interrupted.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        with timeout(seconds, MarkingTimeout):
            yield
        return

    def over(*_: object) -> None:
        signal.setitimer(signal.ITIMER_VIRTUAL, 1)  # and again, should somebody have taken it for his own
        raise MarkingTimeout

    before = signal.signal(signal.SIGVTALRM, over)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
