"""An exercise in a student's hands: its data, its questions, and the answers so far."""

from __future__ import annotations

import os
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from html import escape
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from ..number import plain
from ..procedure import Procedure
from ..render.html import body, mathjax
from ..render.text import as_text, of_rows
from ..row import Row
from .answer import Unanswered, Unreadable, is_empty, read
from .exercise import Exercise, Tests, needed
from .feedback import Feedback, Progress, Verdict
from .function import judge_function
from .judge import Earlier, judge
from .question import Asked, Choice, Function, Question

if TYPE_CHECKING:
    from ..picture import Picture

LETTERS = "abcdefgh"


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
        question = self.exercise.question(key)
        self._latest.pop(key, None)
        try:
            given = self._read(question, value)
            said = self._judged(question, given)
            self._latest[key] = given, said
        except Unanswered:
            said = Feedback(key, "unanswered")
        except Unreadable as expected:
            sentence = str(expected)
            said = Feedback(key, "unreadable", (sentence[0].upper() + sentence[1:] + ".",))
        if "NBGRADER_EXECUTION" in os.environ and not said.is_right:
            raise AssertionError(repr(said))  # nbgrader gives no points to a cell that raises, and all to any other
        return said

    def is_right(self, key: str, value: Any) -> bool:
        """Whether an answer is right, without counting it as an attempt."""
        return self.fresh().check(key, value).is_right

    def fresh(self) -> Task:
        """The same data, without any answer."""
        other = copy(self)
        other._answers, other._latest = {}, {}
        return other

    def ask(self, key: str) -> Asking:
        """A question in words, with the answers to choose from."""
        question = self.exercise.question(key)
        if not isinstance(question, Choice):
            raise LookupError(
                f"{key} asks for {'a function' if isinstance(question, Function) else 'a value'}; only a question with answers to choose from is shown by ask"
            )
        return Asking(key, question.text, tuple(question.options[k].text for k in self._order(question)))

    def progress(self) -> Progress:
        """Where you stand: each question with its points and its latest verdict."""
        unanswered: Verdict = "unanswered"
        return Progress(
            [(q.key, q.points, self._latest[q.key][1].verdict if q.key in self._latest else unanswered) for q in self.exercise.questions]
        )

    def plot(self) -> Picture:
        """A picture of the data."""
        if self.exercise.picture is None:
            raise LookupError(f"the exercise {self.exercise.name} has no picture of its data")
        return self.exercise.picture(self._tests[self.exercise.test])

    # -- verdicts --------------------------------------------------------------------------------------------------------
    def _read(self, question: Asked, value: Any) -> Any:
        if isinstance(question, Question):
            tested = self.exercise.tested(question)
            return read(value, getattr(self._tests[tested], question.step), self.exercise.asked(question))
        if is_empty(value):
            raise Unanswered
        if isinstance(question, Choice):
            letters = LETTERS[: len(question.options)]
            if not isinstance(value, str) or value.strip().lower() not in tuple(letters):
                raise Unreadable(f"a letter from {letters[0]} to {letters[-1]} was expected, in quotes; got {value!r}")
            return value.strip().lower()
        if not callable(value):
            raise Unreadable(f"a function was expected, without parentheses behind its name; got {value!r}")
        return value

    def _judged(self, question: Asked, given: Any) -> Feedback:
        answers = self._answers.setdefault(question.key, [])
        if not any(given is earlier or np.array_equal(given, earlier) for earlier in answers):
            answers.append(given)
        attempt = len(answers)
        if isinstance(question, Choice):
            option = question.options[self._order(question)[LETTERS.index(given)]]
            verdict: Verdict = "right" if option is question.options[0] else "mistake" if option.mistake else "unknown"
            return Feedback(question.key, verdict, (option.because,), option.mistake, None if verdict == "right" else question.see)
        if isinstance(question, Function):
            seed = [*f"{self.exercise.name} {question.key} {self.token}".encode()]
            return judge_function(self.exercise, question, given, seed, attempt)
        return judge(self.exercise, self._tests, question, given, self._earlier(question), attempt)

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
            if alike and np.asarray(value).dtype.kind in "fb":
                earlier[other.step] = Earlier(other.key, value[()], said.verdict)
        return earlier

    def _order(self, question: Choice) -> list[int]:
        return question.order(self.token)

    # -- for the lecturer --------------------------------------------------------------------------------------------------
    def solution(self) -> str:
        """The worked solution of these data, to print: the answers, then every line of the work."""
        lines = [f"{self.exercise.name}" + (f" (data {self.token})" if self.token else ""), ""]
        shown: dict[Procedure, None] = {}
        for question in self.exercise.questions:
            if isinstance(question, Choice):
                place = self._order(question).index(0)
                lines.append(f"{question.key} ({question.points:g})  {LETTERS[place]}: {question.options[0].text}")
                continue
            tested = self.exercise.tested(question)
            step = self.exercise.asked(question)
            if isinstance(question, Function):
                lines.append(f"{question.key} ({question.points:g})  a function of {', '.join(question.takes)}: {step.sentence}")
                continue
            shown[self._tests[tested]] = None
            lines.append(f"{question.key} ({question.points:g})  {question.step} = {_written(getattr(self._tests[tested], question.step))}")
        return "\n".join(lines) + "\n\n" + "\n\n".join(as_text(test) for test in shown) + "\n"

    # -- showing the data ------------------------------------------------------------------------------------------------
    def _given(self) -> list[Row]:
        test = self._tests[self.exercise.test]
        return [row for row in test.worked() if row.kind in ("given", "setting", "stated") and row.name in self._data]

    def __repr__(self) -> str:
        return of_rows(self._given())

    def _repr_html_(self) -> str:
        return f'<div class="fstats">{body(self._given(), mathjax)}</div>'


@dataclass(frozen=True)
class Asking:
    """A question in words and its answers to choose from."""

    key: str
    text: str
    options: tuple[str, ...]

    def __repr__(self) -> str:
        return "\n".join([f"{self.key}  {self.text}", *(f"    {letter}) {option}" for letter, option in zip(LETTERS, self.options))])

    def _repr_html_(self) -> str:
        # letters in the text itself: JupyterLab takes the style from a list, and numbers are not what is asked for
        options = "".join(
            f'<p style="margin:0.2em 0 0.2em 1.5em"><strong>{letter})</strong> {escape(option, quote=False)}</p>'
            for letter, option in zip(LETTERS, self.options)
        )
        return f"<p><strong>{self.key}</strong> {escape(self.text, quote=False)}</p>{options}"


def _written(value: Any) -> str:
    x = np.asarray(value)
    return plain(value) if not x.ndim else "[" + ", ".join(_written(entry) for entry in x) + "]"
