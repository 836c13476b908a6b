"""Mark of a submission."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from typing import Any, NamedTuple, get_args

import numpy as np

from ...grading.answers.answer_value import is_distinct
from ...grading.exercise import required_steps
from ...grading.question import Asked, Choice, Function, Question, Section
from ...grading.student_lines.code_history import StudentLine
from ...grading.student_lines.failing_data import FunctionTrial, UnseenCases
from ...grading.task import Task
from ...grading.verdicts.feedback import Feedback, Verdict
from ...sandbox_runtime.function_call import time_limit
from ..sandbox.sandbox_output import DeliveredAnswer, SandboxOutput
from ..wrong_lines.answer_line import AnswerLine, read_line

JUDGING_SECONDS = 3  # maximum seconds of computing time for the verdict on an answer; usually a few milliseconds are enough
UNJUDGED = "This answer could not be judged"
STORED_FIELD_NAMES = {"given": "answer"}  # current name of each renamed field, by its old name in stored marks


@dataclass(frozen=True)
class QuestionMark:
    """Verdict on one question.

    Parameters
    ----------
    key : str
        Key of the question.
    verdict : str
        One of the verdicts of :class:`fstats.teaching.grading.verdicts.feedback.Feedback`.
    of : float
        The maximal points.  The policy of the course decides how many of them a verdict earns.
    answer : str
        The delivered answer as short JSON text; empty if no answer was delivered.
    lines : tuple of str
        The reply for the student.
    mistake : str
        The name of the mistake, if the mistake has a name.
    see : Section or None
        The section of the notebooks to which the reply refers.
    kind : str
        "value", "choice" or "function".
    computed : bool or None
        Whether the answer was computed from the data (True), or stays the same on other data (False: typed, or computed from typed
        values), according to a second run on other data; None if the second run does not decide the matter.
    guess : bool
        Whether the mistake is only one of several possible mistakes.
    chained : bool
        Whether the answer only follows from an earlier wrong answer and was typed in, not computed from it.
    line : AnswerLine or None
        The line that made a wrong answer.
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
    line: AnswerLine | None = None

    @property
    def is_right(self) -> bool:
        """Whether the answer is right, or follows from an earlier wrong answer by the student's own computation."""
        return self.verdict in ("right", "carried") and not self.chained

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> QuestionMark:
        """Return the mark that is stored as these JSON values."""
        if plain["verdict"] not in get_args(Verdict):
            raise ValueError(f"a verdict must be one of {', '.join(get_args(Verdict))}; got {plain['verdict']!r}")
        see = Section(*plain["see"]) if plain["see"] else None
        renamed = {STORED_FIELD_NAMES.get(name, name): value for name, value in plain.items()}
        line = AnswerLine.from_dict(plain["line"]) if plain.get("line") else None
        return cls(**renamed | {"lines": tuple(plain["lines"]), "see": see, "line": line})


@dataclass(frozen=True)
class SubmissionMark:
    """Mark of a submission before points are given; a change of the policy needs no further run of the submission.

    Parameters
    ----------
    exercise, token : str
        The exercise, and the token of the student's data according to the register, whatever data the notebook names.
    questions : tuple of QuestionMark
        The mark of each question, in the order of the exercise.
    ended : str
        A sentence with the reason why the run ended early; empty if the run did not end early.
    isolation : str
        "bubblewrap", "wasm", "weak", "bubblewrap and wasm"; empty if nothing had to be run.
    flags : tuple of str
        Notes for the lecturer, a sentence each.
    reflections : mapping
        The texts in the student's own words, by `grade_id`.
    problems : tuple of str
        The errors that cells raised, each in one sentence.
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
        """Questions that have an answer."""
        return tuple(mark.key for mark in self.questions if mark.verdict != "unanswered")

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> SubmissionMark:
        """Return the mark that is stored as these JSON values."""
        questions = tuple(map(QuestionMark.from_dict, plain["questions"]))
        return cls(**{**plain, "questions": questions, "flags": tuple(plain["flags"]), "problems": tuple(plain.get("problems", ()))})

    def to_dict(self) -> dict[str, Any]:
        """Return the mark as JSON values."""
        stored = {name: stored_name for stored_name, name in STORED_FIELD_NAMES.items()}
        plain = asdict(self)
        return plain | {"questions": [{stored.get(name, name): value for name, value in mark.items()} for mark in plain["questions"]]}


def mark_all(
    task: Task, delivery: SandboxOutput, cases: Mapping[str, UnseenCases], lines: Mapping[str, StudentLine] | None = None
) -> tuple[QuestionMark, ...]:
    """Return the verdict on each answer, in the order of the questions, so that earlier mistakes are carried forward."""
    task, lines = task.fresh(), lines or {}
    return tuple(mark_question(task, question, delivery, cases, lines.get(question.key)) for question in task.exercise.questions)


def mark_question(
    task: Task, question: Asked, delivery: SandboxOutput, cases: Mapping[str, UnseenCases], line: StudentLine | None = None
) -> QuestionMark:
    """Return the verdict on one answer, given the earlier answers that the task has already received, and the line of the answer."""
    answer = delivery.answers.get(question.key, DeliveredAnswer())
    try:
        with timeout(JUDGING_SECONDS), np.errstate(all="ignore"):  # hide NumPy warnings about a student's numbers
            feedback = task.reply_to(question.key, _judge_input(question, answer, cases))
    except (Exception, JudgingTimeout) as error:  # an error in one answer must not stop the marking of other answers
        words = f"{UNJUDGED} ({type(error).__name__}); your lecturer will look at the answer."
        feedback, line = Feedback(question.key, "unreadable", (words,)), None
    own_line = None
    if line is not None:
        # an error in the student's line must not change the verdict
        with suppress(Exception, JudgingTimeout), timeout(JUDGING_SECONDS), np.errstate(all="ignore"):
            feedback, own_line = read_line(task, feedback, line)
    lines = feedback.lines
    if feedback.verdict == "unanswered":
        why = [f"The name that the check reads could not be read: {answer.missing}."] if answer.missing else []
        first = [f"Before that, {delivery.problems[0]}."] if answer.missing and delivery.problems else []
        lines = (*lines, *why, *first, *([delivery.ended] if delivery.ended else []))
    elif answer.own:
        lines = (*lines, "The name that the exercise checks was empty; the value from your own check was used instead.")
    kind = "choice" if isinstance(question, Choice) else "function" if isinstance(question, Function) else "value"
    verdict, mistake, see, guess = feedback.verdict, feedback.mistake, feedback.see, feedback.guess
    return QuestionMark(question.key, verdict, question.points, answer.shown, lines, mistake, see, kind, guess=guess, line=own_line)


def _judge_input(question: Asked, answer: DeliveredAnswer, cases: Mapping[str, UnseenCases]) -> Any:
    """Return what is judged: the value of an answer, or a function with its calls on the cases."""
    if not isinstance(question, Function) or answer.calls is None:
        return answer.value
    asked = cases[question.key]
    if len(answer.calls) != len(asked):  # the sandbox makes one call for each case; another number means that its package was manipulated
        return "a function that was not called on every case"
    # the reply quotes the names of changed inputs, and a sandbox may send any text, so keep known names only
    calls = tuple(call._replace(changed=tuple(name for name in question.takes if name in call.changed)) for call in answer.calls)
    return FunctionTrial(asked, calls, answer.stub)


def unjudged_flags(questions: Iterable[QuestionMark]) -> tuple[str, ...]:
    """Return a flag for each answer that could not be judged, or could not be judged in time."""
    return tuple(f"{mark.key}: {mark.lines[0]}" for mark in questions if mark.lines and mark.lines[0].startswith(UNJUDGED))


class MarkedRun(NamedTuple):
    """A run of a submission: the exercise with its data, the output of the run, and the marks of the answers."""

    task: Task
    output: SandboxOutput
    marks: tuple[QuestionMark, ...]


def compare_runs(own: MarkedRun, other: MarkedRun) -> tuple[QuestionMark, ...]:
    """Decide for each value whether it was computed: a computed value is different on other data, and there it is as right or wrong.

    An answer that follows from a wrong number is computed only if the wrong number is computed: typed numbers are consistent on any data.
    """
    marks: list[QuestionMark] = []
    given_up: set[str] = set()  # steps whose value was typed, and steps that depend on these
    for mark, again in zip(own.marks, other.marks, strict=True):
        computed = _computed(mark, again, own.task, other.task)
        question = own.task.exercise.question(mark.key)
        if isinstance(question, Question):
            if computed and again.verdict == "carried" and given_up & required_steps(own.task.exercise.tested(question), question.step):
                computed = False
            is_typed = computed is False or (computed is None and is_unchanged(mark.key, own, other))
            if is_typed and again.verdict in ("carried", "mistake", "unknown"):
                given_up.add(question.step)
        marks.append(replace(mark, computed=computed))
    return tuple(marks)


def is_unchanged(key: str, *runs: MarkedRun) -> bool:
    """Return whether an answer is the same on both data sets, up to small noise."""
    one, other = (run.output.answers.get(key, DeliveredAnswer()).value for run in runs)
    try:
        return not is_distinct(np.asarray(one, float), np.asarray(other, float))
    except (TypeError, ValueError):
        return bool(one == other)


def _computed(mark: QuestionMark, again: QuestionMark, task: Task, fresh: Task) -> bool | None:
    question = task.exercise.question(mark.key)
    if not isinstance(question, Question) or mark.verdict not in ("right", "digits", "carried", "mistake"):
        return None
    own_value, other_value = (getattr(each.test_of(question), question.step) for each in (task, fresh))
    if not is_distinct(own_value, other_value, question.simulation_tolerance(task.test_of(question))) and (mark.verdict, mark.mistake) == (
        again.verdict,
        again.mistake,
    ):
        return None  # the right answers on both data sets are equal, so the comparison shows nothing
    if mark.answer == again.answer:
        return False
    return again.verdict in ("right", "digits", "carried") or (mark.verdict == "mistake" and again.mistake == mark.mistake)


# -- time limits --------------------------------------------------------------------------------------------------------------
class JudgingTimeout(BaseException):
    """Error if judging an answer takes too long; not an Exception, so that no handler of the judged code catches the error."""


class MarkingTimeout(BaseException):
    """Error if marking a notebook takes too long; handlers of `JudgingTimeout` do not catch this error."""


def timeout(seconds: float, error: type[BaseException] = JudgingTimeout) -> AbstractContextManager[None]:
    """Raise an error in a block of code after this many seconds of computing time of the current thread.

    The block may run in any thread, since the workers of a cluster have several threads.  If the system does not measure the computing time
    of threads (Windows, macOS), elapsed time counts.
    """
    if not hasattr(time, "pthread_getcpuclockid"):
        return time_limit(seconds, error)
    clock_id = time.pthread_getcpuclockid(threading.get_ident())
    return time_limit(seconds, error, lambda: time.clock_gettime(clock_id))


@contextmanager
def interrupted_after(seconds: float) -> Iterator[None]:
    """Raise `MarkingTimeout` after this many seconds of computing time, also inside a library call if the system has such a signal.

    Only the main thread receives signals; in other threads a library call is not interrupted.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        with timeout(seconds, MarkingTimeout):
            yield
        return

    def over(*_: object) -> None:
        signal.setitimer(signal.ITIMER_VIRTUAL, 1)  # set the timer again, because a handler in the code may catch the error
        raise MarkingTimeout

    before = signal.signal(signal.SIGVTALRM, over)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
