"""An exercise in a student's hands: its data, its questions, and the answers so far."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import replace
from hashlib import sha256
from itertools import takewhile
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.number_format import format_plain
from ...core.procedure import Procedure
from ...core.value_types import Interval
from ...core.worked_example_row import Row
from ...render.display_table import Table
from ...render.html import mathjax, rows_html
from ...render.latex import equation
from ...render.plain_text import render_rows, render_text
from .answers.answer_diagnosis import Diagnosis
from .answers.answer_history import Earlier, is_beyond
from .answers.answer_value import Unanswered, Unreadable, describe_value, foreign_errors_as_unreadable, is_empty, is_equal, parse_answer
from .cell_timer import too_slow
from .exercise import Exercise, Tests, required_steps
from .hints.hints import row_of
from .mistakes.mistake import Mistake
from .multiple_choice import LETTERS, ChoiceDisplay
from .practice_history import Practice
from .question import Asked, Choice, Function, Question
from .verdicts.feedback import Feedback, PointsFeedback, Progress, Verdict
from .verdicts.function_verdict import FunctionTrial, UnseenCases, judge_function, run_on_cases, unseen_cases
from .verdicts.verdict_rules import explain_verdict, judge

if TYPE_CHECKING:
    from ...plot.drawing.picture import Picture


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
        self._replies: dict[str, Feedback] = {}  # the latest to each question
        self.unbelieved: set[str] = set()  # questions in the light of whose answers no later one is seen
        self._practice = Practice({question.key: question.see for question in exercise.questions})

    @property
    def data(self) -> Mapping[str, Any]:
        """The data by name, as arrays, numbers and words; changing them changes nothing here."""
        lists = (list, tuple, np.ndarray)
        return MappingProxyType({name: np.array(value) if isinstance(value, lists) else value for name, value in self._data.items()})

    # -- the questions -------------------------------------------------------------------------------------------------
    def check(self, key: str, value: Any) -> Feedback:
        """The verdict on an answer: ``check("q3", value)``.

        It helps to learn and decides no mark: it computes in this very notebook, from code that everyone can read.
        """
        said = self.reply_to(key, value)
        if slow := too_slow(self.exercise.seconds):
            said = replace(said, lines=(*said.lines, slow))
        if "NBGRADER_EXECUTION" in os.environ:  # nbgrader gives a cell the number that it shows
            points = self.exercise.question(key).points if said.verdict in ("right", "carried") else 0.0
            return PointsFeedback(**vars(said), points=float(points))
        return said

    def reply_to(self, key: str, value: Any) -> Feedback:
        """The verdict itself, whoever asks: the student by :meth:`check`, or the marker with what a submission delivered."""
        question = self.exercise.question(key)
        later = self.exercise.questions[self.exercise.questions.index(question) + 1 :]  # on no others it has a bearing
        stale = self._stale(later)
        self._replies.pop(key, None)
        try:
            with foreign_errors_as_unreadable(value):
                answer = self._read(question, value)
            said = self._judged(question, answer)
        except Unanswered:
            said = Feedback(key, "unanswered")
        except Unreadable as expected:
            sentence = str(expected)
            said = Feedback(key, "unreadable", (sentence[0].upper() + sentence[1:] + ".",))
        self._replies[key] = said
        self._practice.note(said)
        if turned := [other for other in self._stale(later) if other not in stale]:
            checks = "its check" if len(turned) == 1 else "their checks"
            line = f"With this the reply to {' and '.join(turned)} is out of date: run {checks} again."
            said = replace(said, lines=(*said.lines, line))
        return said

    def _latest(self, question: Asked) -> tuple[Any, Feedback] | None:
        """The latest answer to a question, if it could be read, and the reply to it."""
        said = self._replies.get(question.key)
        return None if said is None or said.verdict in ("unanswered", "unreadable") else (self._answers[question.key][-1], said)

    def _stale(self, questions: Sequence[Asked]) -> list[str]:
        """Which of these questions' replies would be another one now, since an earlier answer has changed."""
        found = []
        for question in questions:
            latest = self._latest(question)
            if not isinstance(question, Question) or latest is None or latest[1].verdict == "unknown":
                continue
            answer, said = latest
            response = self._found(question, answer, 1)
            if not is_equal(answer, response.right, response.room):  # what is right by itself stays so
                now = judge(response)
                if (now.verdict, now.mistake) != (said.verdict, said.mistake):
                    found.append(question.key)
        return found

    def another(self) -> Task:
        """The same questions on new numbers, as often as wanted: ``task = task.another()``, then the cells from the top once more.

        What was right and which mistakes were made is remembered; :meth:`progress` tells it.
        """
        rounds = self._practice.next_round()
        seed = f"{self.exercise.name}\n{self.token}\npractice {rounds}".encode()
        other = Task(self.exercise, sha256(seed).hexdigest()[:16])
        other._practice = self._practice
        return other

    def is_right(self, key: str, value: Any) -> bool:
        """Whether an answer is right, without counting it as an attempt."""
        return self.fresh().check(key, value).is_right

    def test_of(self, question: Question | Function) -> Procedure:
        """The worked test that a question asks about, on these data."""
        return self._tests[self.exercise.tested(question)]

    def slipped(self, mistake: Mistake) -> Procedure:
        """What a mistake makes of these data."""
        return self._tests[mistake.wrong]

    def unseen(self, question: Function) -> UnseenCases:
        """The data on which this student's function is tried in his notebook."""
        return unseen_cases(question, [*f"{self.exercise.name} {question.key} {self.token}".encode()])

    def fresh(self) -> Task:
        """The same data, without any answer."""
        other = copy(self)
        other._answers, other._replies, other.unbelieved, other._practice = {}, {}, set(), Practice(self._practice.sections)
        return other

    def ask(self, key: str) -> ChoiceDisplay:
        """A question in words, with the answers to choose from."""
        question = self.exercise.question(key)
        if not isinstance(question, Choice):
            what = "a function" if isinstance(question, Function) else "a value"
            raise LookupError(f"{key} asks for {what}; only a question with answers to choose from is shown by ask")
        return ChoiceDisplay(key, question.text, tuple(question.options[k].text for k in question.order(self.token)))

    def progress(self) -> Progress:
        """Where you stand: each question with its points and its latest verdict."""
        verdicts: dict[str, Verdict] = {key: said.verdict for key, said in self._replies.items()}
        verdicts |= dict.fromkeys(self._stale(self.exercise.questions), "stale")
        entries = [(question.key, question.points, verdicts.get(question.key, "unanswered")) for question in self.exercise.questions]
        return Progress(entries, self._practice.told())

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
            return parse_answer(value, getattr(test, question.step), self.exercise.asked(question))
        if is_empty(value):
            raise Unanswered
        if isinstance(question, Choice):
            letters = LETTERS[: len(question.options)]
            letter = value.strip(" \t\n()[].:").lower() if isinstance(value, str) else ""
            if letter not in tuple(letters):
                raise Unreadable(f"a letter from {letters[0]} to {letters[-1]} was expected, in quotes; got {describe_value(value)}")
            return letter
        if not callable(value) and not isinstance(value, FunctionTrial):  # the marker calls functions elsewhere
            raise Unreadable(f"a function was expected, without parentheses behind its name; got {describe_value(value)}")
        return value

    def _judged(self, question: Asked, answer: Any) -> Feedback:
        before = [one for one in self._answers.get(question.key, ()) if not _is_it(answer, one)]
        self._answers[question.key] = [*before, answer]
        attempt = len(before) + 1
        if isinstance(question, Choice):
            option = question.options[question.order(self.token)[LETTERS.index(answer)]]
            verdict: Verdict = "right" if option is question.options[0] else "mistake" if option.mistake else "unknown"
            return Feedback(question.key, verdict, (option.because,), option.mistake, None if verdict == "right" else question.see)
        if isinstance(question, Function):
            tried = answer if isinstance(answer, FunctionTrial) else run_on_cases(answer, question, self.unseen(question))
            return judge_function(self.exercise, question, tried, attempt)
        with np.errstate(all="ignore"):  # what odd numbers do to formulas is no news for a notebook
            return judge(self._found(question, answer, attempt))

    def diagnosis(self, key: str) -> Diagnosis:
        """What there is to find out about the latest answer to a question that asks for a value."""
        question = self.exercise.question(key)
        assert isinstance(question, Question)
        return self._found(question, self._answers[key][-1], len(self._answers[key]))

    def _found(self, question: Question, answer: Any, attempt: int) -> Diagnosis:
        return Diagnosis(self.exercise, self._tests, question, answer, self._earlier(question), attempt)

    def _earlier(self, question: Question) -> dict[str, Earlier]:
        """Answers to questions before this one, by their steps, as far as this question's test works them out the same way."""
        tested = self.exercise.tested(question)
        earlier = {}
        for other in takewhile(lambda one: one is not question, self.exercise.questions):
            latest = self._latest(other)
            if not isinstance(other, Question) or latest is None or other.key in self.unbelieved:
                continue
            value, said = latest
            theirs = self.exercise.tested(other)
            alike = all(theirs.steps.get(name) is tested.steps.get(name) for name in required_steps(theirs, other.step))
            believed = said.verdict == "mistake" or not is_beyond(value, getattr(self.test_of(other), other.step))
            if alike and believed and np.asarray(value).dtype.kind in "fb":
                earlier[other.step] = Earlier(other.key, value[()], said.verdict)
        return earlier

    # -- for the lecturer --------------------------------------------------------------------------------------------------
    def why(self, key: str) -> Table:
        """Why an answer got its reply: the rules that were asked, in order, and each mistake that gives its value; never what is right."""
        question = self.exercise.question(key)
        latest = self._latest(question)
        if latest is None:
            raise LookupError(f"{key} has no answer that could be read: check one first, by task.check({key!r}, ...)")
        if isinstance(question, Question):
            return explain_verdict(self._found(question, latest[0], len(self._answers[key])))
        of_an_option = "Is it the right option, or one that shows a mistake?"
        asked = of_an_option if isinstance(question, Choice) else "Does the function agree on unseen data?"
        return Table(("", "rule"), [("yes", asked)], caption=f"{key}: {latest[1].title}", left=(0, 1))

    def solution(self) -> str:
        """The worked solution of these data, to print: the answers, then every line of the work."""
        questions = self.exercise.questions
        head = self.exercise.name + (f" (data {self.token})" if self.token else "")
        answers = [f"{question.key} ({question.points:g})  {self.answer(question.key)}" for question in questions]
        tests = dict.fromkeys(self.test_of(question) for question in questions if isinstance(question, Question))
        return "\n\n".join([head, "\n".join(answers), *map(render_text, tests)]) + "\n"

    def answer(self, key: str) -> str:
        """The right answer to a question, in a line."""
        question = self.exercise.question(key)
        if isinstance(question, Choice):
            return f"{LETTERS[question.order(self.token).index(0)]}: {question.options[0].text}"
        if isinstance(question, Function):
            return f"a function of {', '.join(question.takes)}: {self.exercise.asked(question).sentence}"
        return f"{question.step} = {_written(getattr(self.test_of(question), question.step))}"

    def formula(self, key: str) -> str:
        """The formula of the right answer with these data in it, as LaTeX; empty where there is none."""
        question = self.exercise.question(key)
        row = row_of(self.test_of(question), question.step) if isinstance(question, Question) else None
        return equation(row) if row is not None and row.formula else ""

    # -- showing the data ------------------------------------------------------------------------------------------------
    def _shown(self) -> list[Row]:
        test = self._tests[self.exercise.test]
        return [row for row in test.worked() if row.kind in ("given", "setting", "stated") and row.name in self._data]

    def __repr__(self) -> str:
        return render_rows(self._shown())

    def _repr_html_(self) -> str:
        return f'<div class="fstats">{rows_html(self._shown(), mathjax)}</div>'


def _is_it(answer: Any, earlier: Any) -> bool:
    """Whether an answer was given before; of functions only the very same."""
    return answer is earlier or (not callable(answer) and np.array_equal(answer, earlier))


def _written(value: Any) -> str:
    if isinstance(value, Interval):
        return value.written(format_plain)
    x = np.asarray(value)
    return format_plain(value) if not x.ndim else "[" + ", ".join(_written(entry) for entry in x) + "]"
