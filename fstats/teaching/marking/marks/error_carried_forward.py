"""What a wrong answer carries forward: only a slip of these data, and only through what was worked out in the notebook.

At home a reply follows whatever stands further up, so that it helps.  A mark does so only where the student's own work shows: the digits
of pi, and another student's numbers, follow from each other as well.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from ...grading.answers.answer_diagnosis import Diagnosis
from ...grading.mistakes.plausible_slips import is_named, is_slip
from ...grading.question import Question
from ...grading.task import Task
from ...grading.verdicts.feedback import Verdict
from ...grading.verdicts.function_verdict import UnseenCases
from ...grading.verdicts.verdict_rules import judge
from ..sandbox.sandbox_output import SandboxOutput
from ..submissions.answer_dependencies import DATA, answer_dependencies
from ..submissions.submission_cells import Submission
from .submission_mark import JUDGING_SECONDS, JudgingTimeout, QuestionMark, is_unchanged, mark_question, timeout

Marks = tuple[QuestionMark, ...]
CARRIED_VERDICTS: tuple[Verdict, ...] = ("carried", "digits", "mistake")  # verdicts that an earlier wrong answer can lead to
NO_SLIP = (
    "What you have further up leads to this, but no slip on your data leads to what you have there, and it was not worked out from them: "
    "so nothing is carried forward from it."
)
TYPED = "It was typed in, not worked out from what you have further up: compute it in the notebook."
CLOSE_VALUES = 0.05  # right values on two data sets that differ by no more may well be one wrong value
MIN_COLUMN_LENGTH = 4  # entries of two columns that are not the same but for a factor and a shift by chance


def carry_errors_forward(
    marks: Marks,
    again: Marks,
    task: Task,
    fresh: Task,
    found: Submission,
    runs: tuple[SandboxOutput, SandboxOutput],
    cases: Mapping[str, UnseenCases],
) -> tuple[Marks, tuple[str, ...]]:
    """The marks, where nothing follows from what is no slip, and what was typed is known; and flags, a sentence each.

    Parameters
    ----------
    marks, again : tuple of QuestionMark
        Those of the run on the student's data, and of the one on others.
    task, fresh : Task
        The exercise with these two.
    found : Submission
        The cells that were run.
    runs : pair of Delivery
        What each run delivered.
    cases : mapping
        The data on which functions were tried.
    """
    wrong = [mark for mark in marks if mark.kind == "value" and mark.verdict in (*CARRIED_VERDICTS, "unknown")]
    if not any(mark.verdict in CARRIED_VERDICTS for mark in wrong[1:]):
        return marks, ()
    carrying = _ErrorCarrier(task.fresh(), fresh, found, runs, cases)
    done = tuple(carrying.one(*pair) for pair in zip(marks, again, strict=True))
    lost = [now.key for now in done if now.lines[:1] == (NO_SLIP,)]
    typed = [mark.key for mark in done if mark.chained]
    flags = []
    if lost:
        roots = ", ".join(key for key in carrying.task.unbelieved if key not in lost)
        flags.append(f"{_answers(lost)} would follow from wrong ones that no slip on these data gives ({roots}); nothing follows.")
    if typed:
        flags.append(f"{_answers(typed)} that follow from a wrong one were typed in, not worked out from it.")
    return done, tuple(flags)


class _ErrorCarrier:
    """The marks of one submission, one after the other, each in the light of those before it that count."""

    def __init__(
        self, task: Task, fresh: Task, found: Submission, runs: tuple[SandboxOutput, SandboxOutput], cases: Mapping[str, UnseenCases]
    ) -> None:
        self.task, self.fresh, self.runs, self.cases = task, fresh, runs, cases
        self.explained: set[str] = set()  # wrong answers that these data give, by mistakes that have names, or with too few digits
        self.made_of: Mapping[str, frozenset[str]] = {}
        with suppress(JudgingTimeout), timeout(JUDGING_SECONDS):
            self.made_of = answer_dependencies(found.cells)

    def one(self, mark: QuestionMark, again: QuestionMark) -> QuestionMark:
        """The mark of one answer."""
        question = self.task.exercise.question(mark.key)
        now = mark_question(self.task, question, self.runs[0], self.cases)
        if (now.verdict, now.mistake) == (mark.verdict, mark.mistake):
            now = mark
        else:
            now = replace(now, computed=mark.computed, lines=(*[NO_SLIP] * (mark.verdict in CARRIED_VERDICTS), *now.lines))
        if not isinstance(question, Question) or now.verdict in ("right", "unanswered", "unreadable"):
            return now
        try:
            with timeout(JUDGING_SECONDS), np.errstate(all="ignore"):
                return self._weighed(question, now, again)
        except (Exception, JudgingTimeout):  # nothing follows from what cannot be looked at
            self.task.unbelieved.add(mark.key)
            return now

    def _weighed(self, question: Question, now: QuestionMark, again: QuestionMark) -> QuestionMark:
        """The mark, after a look at whether later answers may follow from this one, and this one from earlier ones."""
        key, found = question.key, self.task.diagnosis(question.key)
        if now.verdict == "unknown" and is_named(found):
            self.explained.add(key)
        elif now.verdict == "unknown":
            if not is_slip(found) and not self._is_computed(question, again):
                self.task.unbelieved.add(key)
        elif self._is_explained(found) or not self._hangs(found, now):
            self.explained.add(key)
        elif self._is_typed(key):
            return replace(now, chained=True, lines=(*now.lines, TYPED))
        return now

    def _is_explained(self, found: Diagnosis) -> bool:
        """Whether it follows from what these data and mistakes that have names give, on a page where nothing comes from elsewhere."""
        return not self.task.unbelieved and all(one.is_right or one.key in self.explained for one in found.above.values())

    def _is_computed(self, question: Question, again: QuestionMark) -> bool:
        """Whether a wrong answer was worked out from the data: others give another one, which is wrong as well.

        A constant is still one with noise, in other units, or moved.  Where nothing can change, since the right value is the same or a
        column above was typed rightly, the source tells whether it was worked out.
        """
        right = [np.asarray(getattr(one.test_of(question), question.step)) for one in (self.task, self.fresh)]
        if self._stays(question.key):
            made_of = self.made_of.get(question.key, frozenset())
            typed = all(one != DATA and one not in self.task.unbelieved and self._stays(one) for one in made_of)
            same = right[0].shape == right[1].shape and bool(np.allclose(right[0], right[1], rtol=CLOSE_VALUES))
            return bool(made_of) and (typed or same)
        if again.verdict in ("right", "unanswered", "unreadable"):
            return False
        answers = [np.asarray(run.answers[question.key].value) for run in self.runs]
        return not _is_affine(*answers) or _is_affine(*right)

    def _stays(self, key: str) -> bool:
        return is_unchanged(key, (self.runs[0].answers, self.runs[1].answers))

    def _is_typed(self, key: str) -> bool:
        """Whether the notebook works an answer out from nothing, and gives it whatever the data are, or gives none."""
        gone = key not in self.runs[1].answers or self.runs[1].answers[key].value is ...
        return not self.made_of.get(key) and (gone or self._stays(key))

    def _hangs(self, found: Diagnosis, now: QuestionMark) -> bool:
        """Whether only a wrong answer further up makes an answer as good as it is."""
        alone = self.task.diagnosis(found.question.key)
        alone.earlier = {step: one for step, one in found.earlier.items() if one.is_right}
        return judge(alone).verdict != now.verdict


def _is_affine(one: Any, other: Any) -> bool:
    """Whether two columns are the same but for a factor and a shift."""
    if one.shape != other.shape or one.size < MIN_COLUMN_LENGTH or not {one.dtype.kind, other.dtype.kind} <= set("iuf"):
        return False
    x, y = (np.ravel(values).astype(float) for values in (one, other))
    if not np.ptp(x) or not np.ptp(y):
        return bool(np.ptp(x) == np.ptp(y))
    return bool(abs(np.corrcoef(x, y)[0, 1]) > 1 - 1e-6)


def _answers(keys: Collection[str]) -> str:
    """How many answers, and which."""
    return f"{len(keys)} answer{'s' * (len(keys) != 1)} ({', '.join(keys)})"
