"""An exercise in a student's hands: its data, its questions, and the answers so far."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import replace
from hashlib import sha256
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.number import plain
from ...core.procedure import Procedure
from ...core.row import Row
from ...core.value import Interval
from ...render.html import body, mathjax
from ...render.latex import equation
from ...render.table import Table
from ...render.text import as_text, of_rows
from .answer import Unanswered, Unreadable, in_words, is_empty, looked_at, read, same
from .asking import LETTERS, Asking
from .diagnosis import Diagnosis
from .exercise import Exercise, Tests, needed
from .feedback import Feedback, Progress, ShownAsPoints, Verdict
from .function import Tried, Unseen, judge_function, tried_on, unseen_cases
from .judge import judge, why
from .ladder import row_of
from .practice import Practice
from .question import Asked, Choice, Function, Question, Section
from .seen import Earlier, is_beyond

if TYPE_CHECKING:
    from ...plot.picture import Picture


class Task:
    """An exercise with one student's data; made by :func:`fstats.exercise` and :func:`fstats.individual`.

    Parameters
    ----------
    exercise : Exercise
        What is asked.
    token : str
        Which data; empty for those of the course.
    """

    def __init__(self, exercise: Exercise, token: str = "") -> None:
        self.exercise, self.token = exercise, token
        self._data = exercise.data(token)
        self._tests = Tests(self._data)
        self._answers: dict[str, list[Any]] = {}  # every different answer that could be read, the latest one last
        self._latest: dict[str, tuple[Any, Feedback]] = {}
        self._unread: dict[str, Feedback] = {}  # replies to answers that could not be read
        self._practice = Practice(self._sections())

    @property
    def data(self) -> Mapping[str, Any]:
        """The data by name, as arrays, numbers and words; changing them changes nothing here."""
        return MappingProxyType(
            {name: np.array(value) if isinstance(value, (list, tuple, np.ndarray)) else value for name, value in self._data.items()}
        )

    # -- the questions -------------------------------------------------------------------------------------------------
    def check(self, key: str, value: Any) -> Feedback:
        """The verdict on an answer: ``check("q3", value)``.

        It helps to learn and decides no mark: it computes in this very notebook, from code that everyone can read.
        """
        said = self.judged(key, value)
        if "NBGRADER_EXECUTION" in os.environ:  # nbgrader gives a cell the number that it shows
            points = self.exercise.question(key).points if said.verdict in ("right", "carried") else 0.0
            return ShownAsPoints(**vars(said), points=float(points))
        return said

    def judged(self, key: str, value: Any) -> Feedback:
        """The verdict itself, whoever asks: the student by :meth:`check`, or the marker with what a submission delivered."""
        question = self.exercise.question(key)
        later = self.exercise.questions[self.exercise.questions.index(question) + 1 :]  # on no others it has a bearing
        stale = self._stale(later)
        self._latest.pop(key, None)
        self._unread.pop(key, None)
        try:
            with looked_at(value):
                given = self._read(question, value)
            said = self._judged(question, given)
            self._latest[key] = given, said
        except Unanswered:
            said = Feedback(key, "unanswered")
        except Unreadable as expected:
            sentence = str(expected)
            said = self._unread[key] = Feedback(key, "unreadable", (sentence[0].upper() + sentence[1:] + ".",))
        self._practice.note(said)
        if turned := [other for other in self._stale(later) if other not in stale]:
            words = " and ".join(turned)
            said = replace(
                said,
                lines=(
                    *said.lines,
                    f"With this the reply to {words} is out of date: run {'its check' if len(turned) == 1 else 'their checks'} again.",
                ),
            )
        return said

    def _stale(self, questions: Sequence[Asked]) -> list[str]:
        """Which of these questions' replies would be another one now, since an earlier answer has changed."""
        found = []
        for question in questions:
            if not isinstance(question, Question) or question.key not in self._latest:
                continue
            given, said = self._latest[question.key]
            if said.verdict == "unknown":
                continue
            test = self.test_of(question)
            if not same(given, getattr(test, question.step), question.room(test)):  # what is right by itself stays so
                now = judge(self._found(question, given, 1))
                if (now.verdict, now.mistake) != (said.verdict, said.mistake):
                    found.append(question.key)
        return found

    def another(self) -> Task:
        """The same questions on new numbers, as often as wanted: ``task = task.another()``, then the cells from the top once more.

        What was right and which mistakes were made is remembered; :meth:`progress` tells it.
        """
        rounds = self._practice.next_round()
        seed = f"{self.exercise.name}\n{self._practice.root or self.token}\npractice {rounds}".encode()
        other = Task(self.exercise, sha256(seed).hexdigest()[:16])
        other._practice = self._practice
        return other

    def is_right(self, key: str, value: Any) -> bool:
        """Whether an answer is right, without counting it as an attempt."""
        return self.fresh().check(key, value).is_right

    def test_of(self, question: Question | Function) -> Procedure:
        """The worked test that a question asks about, on these data."""
        return self._tests[self.exercise.tested(question)]

    def unseen(self, question: Function) -> Unseen:
        """The data on which this student's function is tried in his notebook."""
        return unseen_cases(question, [*f"{self.exercise.name} {question.key} {self.token}".encode()])

    def fresh(self) -> Task:
        """The same data, without any answer."""
        other = copy(self)
        other._answers, other._latest, other._unread, other._practice = {}, {}, {}, Practice(self._sections())
        return other

    def ask(self, key: str) -> Asking:
        """A question in words, with the answers to choose from."""
        question = self.exercise.question(key)
        if not isinstance(question, Choice):
            raise LookupError(
                f"{key} asks for {'a function' if isinstance(question, Function) else 'a value'}; "
                f"only a question with answers to choose from is shown by ask"
            )
        return Asking(key, question.text, tuple(question.options[k].text for k in question.order(self.token)))

    def progress(self) -> Progress:
        """Where you stand: each question with its points and its latest verdict."""
        stale = self._stale(self.exercise.questions)
        entries: list[tuple[str, float, Verdict]] = []
        for question in self.exercise.questions:
            said = self._latest[question.key][1] if question.key in self._latest else self._unread.get(question.key)
            verdict: Verdict = "unanswered" if said is None else said.verdict
            entries.append((question.key, question.points, "stale" if question.key in stale else verdict))
        return Progress(entries, self._practice.told())

    def _sections(self) -> dict[str, Section]:
        return {question.key: question.see for question in self.exercise.questions}

    def plot(self) -> Picture:
        """A picture of the data."""
        if self.exercise.picture is None:
            raise LookupError(f"the exercise {self.exercise.name} has no picture of its data")
        return self.exercise.picture(self._tests[self.exercise.test])

    # -- verdicts --------------------------------------------------------------------------------------------------------
    def _read(self, question: Asked, value: Any) -> Any:
        if isinstance(question, Question):
            test = self.test_of(question)
            if question.other_words and isinstance(value, str):
                value = question.other_words(test).get(value.strip().lower(), value)
            return read(value, getattr(test, question.step), self.exercise.asked(question))
        if is_empty(value):
            raise Unanswered
        if isinstance(question, Choice):
            letters = LETTERS[: len(question.options)]
            letter = value.strip(" \t\n()[].:").lower() if isinstance(value, str) else ""
            if letter not in tuple(letters):
                raise Unreadable(f"a letter from {letters[0]} to {letters[-1]} was expected, in quotes; got {in_words(value)}")
            return letter
        if isinstance(value, Tried):  # the marker calls functions elsewhere
            return value
        if not callable(value):
            raise Unreadable(f"a function was expected, without parentheses behind its name; got {in_words(value)}")
        return value

    def _judged(self, question: Asked, given: Any) -> Feedback:
        answers = self._answers.setdefault(question.key, [])
        if not any(given is earlier or (not callable(given) and np.array_equal(given, earlier)) for earlier in answers):
            answers.append(given)
        attempt = len(answers)
        if isinstance(question, Choice):
            option = question.options[question.order(self.token)[LETTERS.index(given)]]
            verdict: Verdict = "right" if option is question.options[0] else "mistake" if option.mistake else "unknown"
            return Feedback(question.key, verdict, (option.because,), option.mistake, None if verdict == "right" else question.see)
        if isinstance(question, Function):
            if not isinstance(given, Tried):
                given = tried_on(given, question, self.unseen(question))
            return judge_function(self.exercise, question, given, attempt)
        return judge(self._found(question, given, attempt))

    def _found(self, question: Question, given: Any, attempt: int) -> Diagnosis:
        return Diagnosis(self.exercise, self._tests, question, given, self._earlier(question), attempt)

    def _earlier(self, question: Question) -> dict[str, Earlier]:
        """Answers to questions before this one, by their steps, as far as this question's test works them out the same way."""
        tested = self.exercise.tested(question)
        earlier = {}
        for other in self.exercise.questions:
            if other is question:
                break
            if not isinstance(other, Question) or other.key not in self._latest:
                continue
            value, said = self._latest[other.key]
            theirs = self.exercise.tested(other)
            alike = all(theirs.steps.get(name) is tested.steps.get(name) for name in needed(theirs, other.step))
            if (
                alike
                and np.asarray(value).dtype.kind in "fb"
                and (said.verdict == "mistake" or not is_beyond(value, getattr(self.test_of(other), other.step)))
            ):
                earlier[other.step] = Earlier(other.key, value[()], said.verdict)
        return earlier

    # -- for the lecturer --------------------------------------------------------------------------------------------------
    def why(self, key: str) -> Table:
        """Why an answer got its reply: the rules that were asked, in order, and each mistake that gives its value; never what is right."""
        question = self.exercise.question(key)
        if key not in self._latest:
            raise LookupError(f"{key} has no answer that could be read: check one first, by task.check({key!r}, ...)")
        given, said = self._latest[key]
        if isinstance(question, Question):
            return why(self._found(question, given, len(self._answers[key])))
        asked = (
            "Is it the right option, or one that shows a mistake?"
            if isinstance(question, Choice)
            else "Does the function agree on unseen data?"
        )
        return Table(("", "rule"), [("yes", asked)], caption=f"{key}: {said.title}", left=(0, 1))

    def solution(self) -> str:
        """The worked solution of these data, to print: the answers, then every line of the work."""
        lines = [f"{self.exercise.name}" + (f" (data {self.token})" if self.token else ""), ""]
        shown: dict[Procedure, None] = {}
        for question in self.exercise.questions:
            lines.append(f"{question.key} ({question.points:g})  {self.answer(question.key)}")
            if isinstance(question, Question):
                shown[self._tests[self.exercise.tested(question)]] = None
        return "\n".join(lines) + "\n\n" + "\n\n".join(as_text(test) for test in shown) + "\n"

    def answer(self, key: str) -> str:
        """The right answer to a question, in a line."""
        question = self.exercise.question(key)
        if isinstance(question, Choice):
            return f"{LETTERS[question.order(self.token).index(0)]}: {question.options[0].text}"
        if isinstance(question, Function):
            return f"a function of {', '.join(question.takes)}: {self.exercise.asked(question).sentence}"
        return f"{question.step} = {_written(getattr(self._tests[self.exercise.tested(question)], question.step))}"

    def formula(self, key: str) -> str:
        """The formula of the right answer with these data in it, as LaTeX; empty where there is none."""
        question = self.exercise.question(key)
        if not isinstance(question, Question):
            return ""
        row = row_of(self._tests[self.exercise.tested(question)], question.step)
        return equation(row) if row is not None and row.formula else ""

    # -- showing the data ------------------------------------------------------------------------------------------------
    def _given(self) -> list[Row]:
        test = self._tests[self.exercise.test]
        return [row for row in test.worked() if row.kind in ("given", "setting", "stated") and row.name in self._data]

    def __repr__(self) -> str:
        return of_rows(self._given())

    def _repr_html_(self) -> str:
        return f'<div class="fstats">{body(self._given(), mathjax)}</div>'


def _written(value: Any) -> str:
    if isinstance(value, Interval):
        return value.written(plain)
    x = np.asarray(value)
    return plain(value) if not x.ndim else "[" + ", ".join(_written(entry) for entry in x) + "]"
