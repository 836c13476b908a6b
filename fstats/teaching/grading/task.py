"""Exercise of one student, with data and answers."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, replace
from hashlib import sha256
from html import escape
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
from ..sandbox_runtime.plain_value import readable_value
from .answers.answer_diagnosis import Diagnosis
from .answers.answer_history import EarlierAnswer, is_implausible
from .answers.answer_value import CAUSES_OF_NAN, NotANumber, Unanswered, Unreadable, describe_value, is_empty, is_equal, parse_answer
from .cell_timer import too_slow
from .exercise import Exercise, Tests, required_steps
from .hints.hints import format_list, worked_row
from .mistakes.mistake import Mistake
from .practice_history import Practice
from .question import Asked, Choice, Function, Question
from .student_lines.call_remarks import COMPARED, is_repeated_assignment
from .student_lines.code_history import StudentLine, answer_in_notebook
from .student_lines.failing_data import FunctionTrial, UnseenCases
from .student_lines.nan_cause import nan_cause
from .verdicts.feedback import Feedback, PointsFeedback, Progress, Verdict
from .verdicts.function_verdict import judge_function, run_on_cases, unseen_cases
from .verdicts.verdict_rules import explain_verdict, judge

if TYPE_CHECKING:
    from ...plot.drawing.picture import Picture


LETTERS = "abcdefgh"


@dataclass(frozen=True)
class ChoiceDisplay:
    """A question in words with its options."""

    key: str
    text: str
    options: tuple[str, ...]

    def __repr__(self) -> str:
        return "\n".join([f"{self.key}  {self.text}", *(f"    {letter}) {option}" for letter, option in zip(LETTERS, self.options))])

    def _repr_html_(self) -> str:
        # JupyterLab would number the items of an HTML list 1, 2, ..., but students answer with a letter
        options = "".join(
            f'<p style="margin:0.2em 0 0.2em 1.5em"><strong>{letter})</strong> {escape(option, quote=False)}</p>'
            for letter, option in zip(LETTERS, self.options)
        )
        return f"<p><strong>{self.key}</strong> {escape(self.text, quote=False)}</p>{options}"


class Task:
    """An exercise with one student's data; made by :func:`fstats.exercise` and :func:`fstats.individual`.

    Parameters
    ----------
    exercise : Exercise
        The questions, mistakes and data of the exercise.
    token : str
        The token of the data; empty for the data of the course.
    """

    def __init__(self, exercise: Exercise, token: str = "") -> None:
        self.exercise, self.token = exercise, token
        self._data = exercise.data(token)
        self._tests = Tests(self._data)
        self._answers: dict[str, list[Any]] = {}  # all readable answers to each question, in the order in which they were given
        self._replies: dict[str, Feedback] = {}  # latest reply to each question
        self.untrusted_answers: set[str] = set()  # keys of questions whose answers must not be used to judge later answers
        self._practice = Practice({question.key: question.see for question in exercise.questions})

    @property
    def data(self) -> Mapping[str, Any]:
        """The data by name, as arrays, numbers and words; changing these copies has no effect on the exercise."""
        lists = (list, tuple, np.ndarray)
        return MappingProxyType({name: np.array(value) if isinstance(value, lists) else value for name, value in self._data.items()})

    # -- the questions -------------------------------------------------------------------------------------------------
    def check(self, key: str, value: Any) -> Feedback:
        """Check an answer and return the feedback: ``check("q3", value)``.

        The check is for learning and does not determine the mark: the check runs in this notebook, with code that everyone can read.
        """
        line, failure = answer_in_notebook(key, value)
        if failure and key in self._replies:  # the cell failed, so the name still has its old value, which already has a reply
            reply = self._replies[key] if self._replies[key].is_right else Feedback(key, "unanswered")
            return replace(reply, lines=(failure,))
        reply = self.reply_to(key, value, line)
        reply = replace(reply, lines=(failure, *reply.lines)) if failure else reply
        if slow := too_slow(self.exercise.seconds):
            reply = replace(reply, lines=(*reply.lines, slow))
        if "NBGRADER_EXECUTION" in os.environ:  # nbgrader takes the points from the number that the cell displays
            points = self.exercise.question(key).points if reply.verdict in ("right", "carried") else 0.0
            return PointsFeedback(**vars(reply), points=float(points))
        return reply

    def reply_to(self, key: str, value: Any, line: StudentLine | None = None) -> Feedback:
        """Return the feedback on an answer, for :meth:`check` and for the marking of submissions; `line` is the code that made it."""
        question = self.exercise.question(key)
        # an answer can change only the replies to later questions
        later = self.exercise.questions[self.exercise.questions.index(question) + 1 :]
        stale = self._stale(later)
        self._replies.pop(key, None)
        try:
            reply = self._judged(question, self._read(question, value), line)
        except Unanswered:
            reply = Feedback(key, "unanswered")
        except Unreadable as error:
            cause = nan_cause(line, self._data) if isinstance(error, NotANumber) else ""
            sentence = str(error).replace(f": {CAUSES_OF_NAN}", "") if cause else str(error)
            error.remarks = (*self._line_of_another_shape(question, value, line), *error.remarks)
            compared = COMPARED.strip() if line and is_repeated_assignment(line.definition.text) else ""
            error.remarks = (*filter(None, [cause, compared]), *error.remarks)
            reply = Feedback(key, "unreadable", (sentence[0].upper() + sentence[1:] + ".", *error.remarks))
        self._replies[key] = reply
        self._practice.note(reply)
        if outdated := [other for other in self._stale(later) if other not in stale]:
            checks = "its check" if len(outdated) == 1 else "their checks"
            sentence = f"Your new answer changes the reply to {' and '.join(outdated)}: run {checks} again."
            reply = replace(reply, lines=(*reply.lines, sentence))
        return reply

    def _latest(self, question: Asked) -> tuple[Any, Feedback] | None:
        """Return the latest answer to a question and its reply; None if this answer was empty or unreadable."""
        reply = self._replies.get(question.key)
        return None if reply is None or reply.verdict in ("unanswered", "unreadable") else (self._answers[question.key][-1], reply)

    def _stale(self, questions: Sequence[Asked]) -> list[str]:
        """Return the keys of the questions that would get another reply now, because an earlier answer has changed."""
        stale = []
        for question in questions:
            latest = self._latest(question)
            if not isinstance(question, Question) or latest is None or latest[1].verdict == "unknown":
                continue
            answer, reply = latest
            diagnosis = self._diagnose(question, answer, 1)
            # a right answer stays right; only a wrong answer is judged again
            if not is_equal(answer, diagnosis.right, diagnosis.tolerance):
                now = judge(diagnosis)
                if (now.verdict, now.mistake) != (reply.verdict, reply.mistake):
                    stale.append(question.key)
        return stale

    def another(self) -> Task:
        """Return the same questions on new numbers: ``task = task.another()``, then run the cells from the top again.

        Right answers and mistakes of all rounds are remembered; :meth:`progress` reports them.
        """
        rounds = self._practice.next_round()
        seed = f"{self.exercise.name}\n{self.token}\npractice {rounds}".encode()
        other = Task(self.exercise, sha256(seed).hexdigest()[:16])
        other._practice = self._practice
        return other

    def is_right(self, key: str, value: Any) -> bool:
        """Whether an answer is right; the call does not count as an attempt."""
        return self.fresh().check(key, value).is_right

    def test_of(self, question: Question | Function) -> Procedure:
        """Return the worked test of a question on these data."""
        return self._tests[self.exercise.tested(question)]

    def test_with_mistake(self, mistake: Mistake) -> Procedure:
        """Return the worked test with a mistake on these data."""
        return self._tests[mistake.wrong]

    def unseen(self, question: Function) -> UnseenCases:
        """Return the unseen data on which a function is called in this student's notebook."""
        return unseen_cases(question, [*f"{self.exercise.name} {question.key} {self.token}".encode()])

    def fresh(self) -> Task:
        """Return the same exercise and data without any answers."""
        other = copy(self)
        other._answers, other._replies, other.untrusted_answers, other._practice = {}, {}, set(), Practice(self._practice.sections)
        return other

    def ask(self, key: str) -> ChoiceDisplay:
        """Display a multiple-choice question with its options."""
        question = self.exercise.question(key)
        if not isinstance(question, Choice):
            what = "a function" if isinstance(question, Function) else "a value"
            message = (
                f"`key` must name a multiple-choice question; got {key!r}, which asks for {what}. Answer {key} with check({key!r}, ...)"
            )
            raise LookupError(message)
        return ChoiceDisplay(key, question.text, tuple(question.options[k].text for k in question.order(self.token)))

    def progress(self) -> Progress:
        """Report your progress: each question with its points and its latest verdict."""
        verdicts: dict[str, Verdict] = {key: reply.verdict for key, reply in self._replies.items()}
        verdicts |= dict.fromkeys(self._stale(self.exercise.questions), "stale")
        entries = [(question.key, question.points, verdicts.get(question.key, "unanswered")) for question in self.exercise.questions]
        return Progress(entries, self._practice.summary())

    def plot(self) -> Picture:
        """Draw a picture of the data."""
        if self.exercise.picture is None:
            raise LookupError(f"the exercise {self.exercise.name} has no picture of the data")
        return self.exercise.picture(self._tests[self.exercise.test])

    # -- verdicts --------------------------------------------------------------------------------------------------------
    def _read(self, question: Asked, value: Any) -> Any:
        if isinstance(question, Function) and (callable(value) or type(value) is FunctionTrial):
            return value  # the value is a function, or the results of its calls in a sandbox
        value = readable_value(value)
        entry = value[0] if isinstance(value, (list, tuple)) and len(value) == 1 else value
        if isinstance(question, Question):
            test = self.test_of(question)
            if question.other_words and isinstance(entry, str):
                value = question.other_words(test).get(entry.strip().lower(), value)
            return parse_answer(value, getattr(test, question.step), self.exercise.asked(question))
        if is_empty(value):
            raise Unanswered
        if isinstance(question, Function):
            raise Unreadable(f"a function was expected, without parentheses after its name; got {describe_value(value)}")
        letters = LETTERS[: len(question.options)]
        letter = entry.strip(" \t\n()[].:").lower() if isinstance(entry, str) else ""
        if letter not in tuple(letters):
            written = entry.strip().lower() if isinstance(entry, str) else ""
            typed = re.search(rf"\b([{letters}])[).:]*$", written) or re.match(rf"\(?([{letters}])[).:]", written)
            remedy = f'write only the letter, "{typed[1]}"' if typed else f'write the letter of your option, such as "{letters[0]}"'
            expected = f"a letter from {letters[0]} to {letters[-1]} was expected, in quotes"
            raise Unreadable(f"{expected}; got {describe_value(value)}: {remedy}")
        return letter

    def _judged(self, question: Asked, answer: Any, line: StudentLine | None) -> Feedback:
        before = [other for other in self._answers.get(question.key, ()) if other is not answer or not callable(answer)]
        self._answers[question.key] = [*before, answer]
        attempt = len(before) + 1
        if isinstance(question, Choice):
            option = question.options[question.order(self.token)[LETTERS.index(answer)]]
            verdict: Verdict = "right" if option is question.options[0] else "mistake" if option.mistake else "unknown"
            return Feedback(question.key, verdict, (option.because,), option.mistake, None if verdict == "right" else question.see)
        if isinstance(question, Function):
            tried = answer if isinstance(answer, FunctionTrial) else run_on_cases(answer, question, self.unseen(question))
            return judge_function(self.exercise, question, tried, attempt, line)
        with np.errstate(all="ignore"):  # hide NumPy warnings about extreme numbers
            return judge(self._diagnose(question, answer, attempt, line))

    def _line_of_another_shape(self, question: Asked, value: Any, line: StudentLine | None) -> tuple[str, ...]:
        """Return the remarks on a line whose value has a wrong shape, if a change makes the line right; otherwise empty."""
        if line is None or not isinstance(question, Question):
            return ()
        with suppress(ValueError, TypeError):  # rows of different lengths are no table
            answer = np.asarray(readable_value(value), dtype=float)
            if np.isfinite(answer).all():
                found = self._diagnose(question, answer, 1, line)
                return found.line_remarks if found.line_reading is not None and found.line_reading.edit is not None else ()
        return ()

    def diagnosis(self, key: str, line: StudentLine | None = None) -> Diagnosis:
        """Return the diagnosis of the latest answer to a question that asks for a value; `line` is the code that made the answer."""
        question = self.exercise.question(key)
        assert isinstance(question, Question)
        return self._diagnose(question, self._answers[key][-1], len(self._answers[key]), line)

    def _diagnose(self, question: Question, answer: Any, attempt: int, line: StudentLine | None = None) -> Diagnosis:
        return Diagnosis(self.exercise, self._tests, question, answer, self._earlier(question), attempt, line)

    def _earlier(self, question: Question) -> dict[str, EarlierAnswer]:
        """Return the earlier answers by step, without steps that this question's test computes in another way."""
        tested = self.exercise.tested(question)
        earlier = {}
        for other in takewhile(lambda one: one is not question, self.exercise.questions):
            latest = self._latest(other)
            if not isinstance(other, Question) or latest is None or other.key in self.untrusted_answers:
                continue
            value, reply = latest
            other_test = self.exercise.tested(other)
            same_steps = all(other_test.steps.get(name) is tested.steps.get(name) for name in required_steps(other_test, other.step))
            plausible = reply.verdict == "mistake" or not is_implausible(value, getattr(self.test_of(other), other.step))
            if same_steps and plausible and np.asarray(value).dtype.kind in "fb":
                earlier[other.step] = EarlierAnswer(other.key, value[()], reply.verdict)
        return earlier

    # -- for the lecturer --------------------------------------------------------------------------------------------------
    def why(self, key: str) -> Table:
        """Explain why an answer got its reply: the applied rules, and each mistake that gives the answer; the right value is not shown."""
        question = self.exercise.question(key)
        latest = self._latest(question)
        if latest is None:
            raise LookupError(f"`key` must name a question with a readable answer; got {key!r}. First call task.check({key!r}, ...).")
        if isinstance(question, Question):
            return explain_verdict(self._diagnose(question, latest[0], len(self._answers[key])))
        about_options = "Is the answer the right option, or an option that shows a mistake?"
        asked = about_options if isinstance(question, Choice) else "Does the function agree on unseen data?"
        return Table(("", "rule"), [("yes", asked)], caption=f"{key}: {latest[1].title}", left=(0, 1))

    def solution(self) -> str:
        """Return the worked solution of these data as text: the answers, then every line of the work."""
        questions = self.exercise.questions
        head = self.exercise.name + (f" (data {self.token})" if self.token else "")
        answers = [f"{question.key} ({question.points:g})  {self.answer(question.key)}" for question in questions]
        tests = dict.fromkeys(self.test_of(question) for question in questions if isinstance(question, Question))
        return "\n\n".join([head, "\n".join(answers), *map(render_text, tests)]) + "\n"

    def answer(self, key: str) -> str:
        """Return the right answer to a question in one line."""
        question = self.exercise.question(key)
        if isinstance(question, Choice):
            return f"{LETTERS[question.order(self.token).index(0)]}: {question.options[0].text}"
        if isinstance(question, Function):
            return f"a function of {', '.join(question.takes)}: {self.exercise.asked(question).sentence}"
        value = getattr(self.test_of(question), question.step)
        return f"{question.step} = {value.written(format_plain) if isinstance(value, Interval) else format_list(value)}"

    def formula(self, key: str) -> str:
        """Return the formula of the right answer with these data, as LaTeX; empty if the answer has no formula."""
        question = self.exercise.question(key)
        row = worked_row(self.test_of(question), question.step) if isinstance(question, Question) else None
        return equation(row) if row is not None and row.formula else ""

    # -- display of the data ---------------------------------------------------------------------------------------------
    def _shown(self) -> list[Row]:
        test = self._tests[self.exercise.test]
        return [row for row in test.worked() if row.kind in ("given", "setting", "stated") and row.name in self._data]

    def __repr__(self) -> str:
        return render_rows(self._shown())

    def _repr_html_(self) -> str:
        return f'<div class="fstats">{rows_html(self._shown(), mathjax)}</div>'
