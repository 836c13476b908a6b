"""Credit for answers that follow from an earlier error.

Error carried forward: an answer is right, given an earlier wrong answer.

At home, the reply to an answer accepts any earlier value, so that the reply can help.  A mark accepts an earlier value only if the
student's own work is visible, since the digits of pi, or another student's numbers, are consistent with each other as well.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from ...grading.answers.answer_diagnosis import Diagnosis
from ...grading.mistakes.plausible_slips import has_named_mistake, is_plausible_slip
from ...grading.question import Question
from ...grading.student_lines.code_history import StudentLine
from ...grading.student_lines.failing_data import UnseenCases
from ...grading.verdicts.feedback import Verdict
from ...grading.verdicts.verdict_rules import judge
from ..sandbox.sandbox_output import DeliveredAnswer
from ..submissions.answer_dependencies import DATA, answer_dependencies
from ..submissions.submission_cells import Submission
from .submission_mark import JUDGING_SECONDS, JudgingTimeout, MarkedRun, QuestionMark, is_unchanged, mark_question, timeout

Marks = tuple[QuestionMark, ...]
# verdicts on answers that may be wrong only because an earlier answer is wrong
CARRIED_VERDICTS: tuple[Verdict, ...] = ("carried", "digits", "mistake")
NO_SLIP = (
    "This follows from your earlier answer, but no slip on your data leads to the earlier answer, and it was not computed from your data: "
    "so nothing is carried forward from it."
)
TYPED = "It was typed in, not computed from your earlier answer: compute it in the notebook."
CLOSE_VALUES = 0.05  # right values on two data sets count as equal up to this relative difference
MIN_COLUMN_LENGTH = 4  # minimum length of a column; shorter columns are often equal by chance, up to a factor and a shift


def carry_errors_forward(
    own: MarkedRun, other: MarkedRun, submission: Submission, cases: Mapping[str, UnseenCases], lines: Mapping[str, StudentLine]
) -> tuple[Marks, tuple[str, ...]]:
    """Return the marks with invalid carried errors removed and typed answers marked, and flags: each flag is a sentence for the lecturer.

    Parameters
    ----------
    own, other : MarkedRun
        The run on the student's data, and the run on other data.
    submission : Submission
        The cells that were run.
    cases : mapping
        The data on which functions were tried.
    lines : mapping
        The lines that made the answers, by question.
    """
    wrong = [mark for mark in own.marks if mark.kind == "value" and mark.verdict in (*CARRIED_VERDICTS, "unknown")]
    if not any(mark.verdict in CARRIED_VERDICTS for mark in wrong[1:]):
        return own.marks, ()
    carrier = _ErrorCarrier(own, other, submission, cases, lines)
    done = tuple(carrier.mark_answer(*pair) for pair in zip(own.marks, other.marks, strict=True))
    lost = [mark.key for mark in done if mark.lines[:1] == (NO_SLIP,)]
    typed = [mark.key for mark in done if mark.chained]
    flags = []
    if lost:
        roots = ", ".join(key for key in carrier.task.untrusted_answers if key not in lost)
        flags.append(f"{_answers(lost)} would follow from wrong answers that no slip on these data gives ({roots}); they are not carried.")
    if typed:
        flags.append(f"{_answers(typed)} that follow from a wrong answer were typed in, not computed from it.")
    return done, tuple(flags)


class _ErrorCarrier:
    """Mark the answers of a submission one after another; an error is carried forward only from valid earlier answers."""

    def __init__(
        self, own: MarkedRun, other: MarkedRun, submission: Submission, cases: Mapping[str, UnseenCases], lines: Mapping[str, StudentLine]
    ) -> None:
        self.task, self.fresh, self.runs, self.cases, self.lines = own.task.fresh(), other.task, (own, other), cases, lines
        self.explained: set[str] = set()  # keys of wrong answers that a named mistake or lost digits on the student's data explain
        self.sources: Mapping[str, frozenset[str]] = {}
        with suppress(JudgingTimeout), timeout(JUDGING_SECONDS):
            self.sources = answer_dependencies(submission.cells)

    def mark_answer(self, mark: QuestionMark, again: QuestionMark) -> QuestionMark:
        """Return the mark of one answer."""
        question = self.task.exercise.question(mark.key)
        now = mark_question(self.task, question, self.runs[0].output, self.cases, self.lines.get(mark.key))
        if (now.verdict, now.mistake) == (mark.verdict, mark.mistake):
            now = mark
        else:
            now = replace(now, computed=mark.computed, lines=(*[NO_SLIP] * (mark.verdict in CARRIED_VERDICTS), *now.lines))
        if not isinstance(question, Question) or now.verdict in ("right", "unanswered", "unreadable"):
            return now
        try:
            with timeout(JUDGING_SECONDS), np.errstate(all="ignore"):
                return self._check_chain(question, now, again)
        except (Exception, JudgingTimeout):  # if an answer cannot be checked, it is not carried forward
            self.task.untrusted_answers.add(mark.key)
            return now

    def _check_chain(self, question: Question, now: QuestionMark, again: QuestionMark) -> QuestionMark:
        """Return the mark of an answer; decide whether it follows from earlier answers, and whether later answers may follow from it."""
        key, diagnosis = question.key, self.task.diagnosis(question.key)
        if now.verdict == "unknown" and has_named_mistake(diagnosis):
            self.explained.add(key)
        elif now.verdict == "unknown":
            if not is_plausible_slip(diagnosis) and not self._is_computed(question, again):
                self.task.untrusted_answers.add(key)
        elif self._is_explained(diagnosis) or not self._depends_on_wrong_answer(diagnosis, now):
            self.explained.add(key)
        elif self._is_typed(key):
            return replace(now, chained=True, lines=(*now.lines, TYPED))
        return now

    def _is_explained(self, diagnosis: Diagnosis) -> bool:
        """Return whether all inputs of an answer are right or explained; False if any answer of the notebook is not trusted."""
        return not self.task.untrusted_answers and all(
            earlier.is_right or earlier.key in self.explained for earlier in diagnosis.earlier_inputs.values()
        )

    def _is_computed(self, question: Question, again: QuestionMark) -> bool:
        """Return whether a wrong answer was computed from the data: on other data, the answer is different, and wrong as well.

        A constant counts as a constant also with noise, in other units, or shifted.  If the answer cannot change, because the right value
        is the same or an earlier column was typed correctly, the source of the notebook decides.
        """
        right = [np.asarray(getattr(task.test_of(question), question.step)) for task in (self.task, self.fresh)]
        if self._is_unchanged(question.key):
            sources = self.sources.get(question.key, frozenset())
            typed = all(key != DATA and key not in self.task.untrusted_answers and self._is_unchanged(key) for key in sources)
            same = right[0].shape == right[1].shape and bool(np.allclose(right[0], right[1], rtol=CLOSE_VALUES))
            return bool(sources) and (typed or same)
        if again.verdict in ("right", "unanswered", "unreadable"):
            return False
        answers = [np.asarray(run.output.answers[question.key].value) for run in self.runs]
        return not _is_affine(*answers) or _is_affine(*right)

    def _is_unchanged(self, key: str) -> bool:
        return is_unchanged(key, *self.runs)

    def _is_typed(self, key: str) -> bool:
        """Return whether an answer depends on no data, and is the same or missing on other data."""
        is_missing = self.runs[1].output.answers.get(key, DeliveredAnswer()).value is ...
        return not self.sources.get(key) and (is_missing or self._is_unchanged(key))

    def _depends_on_wrong_answer(self, diagnosis: Diagnosis, now: QuestionMark) -> bool:
        """Return whether the answer would get another verdict if earlier wrong answers were ignored."""
        key = diagnosis.question.key
        alone = self.task.diagnosis(key, self.lines.get(key))
        alone.earlier = {step: earlier for step, earlier in diagnosis.earlier.items() if earlier.is_right}
        return judge(alone).verdict != now.verdict


def _is_affine(one: Any, other: Any) -> bool:
    """Return whether two columns are equal up to a factor and a shift."""
    if one.shape != other.shape or one.size < MIN_COLUMN_LENGTH or not {one.dtype.kind, other.dtype.kind} <= set("iuf"):
        return False
    x, y = (np.ravel(values).astype(float) for values in (one, other))
    if not np.ptp(x) or not np.ptp(y):
        return bool(np.ptp(x) == np.ptp(y))
    return bool(abs(np.corrcoef(x, y)[0, 1]) > 1 - 1e-6)


def _answers(keys: Collection[str]) -> str:
    """Return the number of answers and their keys, as text."""
    return f"{len(keys)} answer{'s' * (len(keys) != 1)} ({', '.join(keys)})"
