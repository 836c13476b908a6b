"""Mark submitted notebooks in a sandbox."""

from __future__ import annotations

import hmac
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from typing import Any

from ...course.individual_data import TOKEN_LENGTH
from ...grading.question import Choice, Function
from ...grading.student_lines.code_history import StudentLine
from ...grading.student_lines.failing_data import UnseenCases
from ...grading.task import Task
from ...grading.verdicts.function_verdict import unseen_cases
from ...sandbox_runtime.json_serialisation import encode
from ..plagiarism.plagiarism_flags import flag_foreign_values
from ..sandbox.notebook_session import Limits, SandboxBackend
from ..sandbox.sandbox_choice import start_sandboxes
from ..sandbox.sandbox_output import SandboxOutput, parse_output
from ..submissions.notebook_format import NOT_RUN, NotANotebook
from ..submissions.package_calls import package_answers
from ..submissions.submission_cells import Submission, select_cells
from ..wrong_lines.answer_line import lines_of_answers
from .error_carried_forward import carry_errors_forward
from .submission_mark import JUDGING_SECONDS, JudgingTimeout, MarkedRun, SubmissionMark, compare_runs, mark_all, timeout, unjudged_flags
from .text_answer_replies import explain_text_answers

PACKAGE_ANSWERS = "Answers are values that fstats computed, although the exercise asks for the computation"


class Marker:
    """Mark notebooks one after another, in a worker that has already imported the libraries.

    Parameters
    ----------
    limits : Limits
        Resource limits of one run.
    wall : str
        The choice of the sandbox: a key of :data:`fstats.teaching.marking.sandbox.sandbox_choice.SANDBOX_CHOICES`.

    Raises
    ------
    SandboxUnavailable
        If no sandbox of this choice is available.
    """

    def __init__(self, *, limits: Limits | None = None, wall: str = "strongest") -> None:
        self.walls: list[SandboxBackend] = start_sandboxes(limits or Limits(), wall)

    @property
    def isolation(self) -> str:
        """Isolation of submissions: "bubblewrap", "wasm", "weak", or two of them."""
        return " and ".join(one.isolation for one in self.walls)

    def mark(self, reference: Mapping[str, Any], notebook: bytes, task: Task, fresh: Task | None, seed: bytes) -> SubmissionMark:
        """Return the mark of a notebook.

        Parameters
        ----------
        reference : mapping
            The original exercise notebook, as JSON values, which decides which cells belong to the exercise.
        notebook : bytes
            The submitted notebook.
        task : Task
            The exercise with the student's data.
        fresh : Task or None
            The exercise with other data, to distinguish computed answers from typed answers; None for a single run.
        seed : bytes
            A secret from which the data for functions are drawn.

        Returns
        -------
        SubmissionMark
            The mark, which every submission gets: an answer that cannot be read is marked as not answered, with the reason.
        """
        name = task.exercise.name
        try:
            submission = select_cells(reference, notebook, name, task.token)
        except NotANotebook as why:
            nothing = SandboxOutput({}, ended=f"{NOT_RUN}: {str(why).rstrip('.')}.")
            return SubmissionMark(name, task.token, mark_all(task, nothing, {}), nothing.ended)
        if not submission.answered:
            marks = mark_all(task, SandboxOutput({}), {})
            empty = SubmissionMark(name, task.token, marks, flags=submission.flags, reflections=submission.reflections)
            return explain_text_answers(empty, reference, notebook)
        if asked := package_answers(submission.cells, task.exercise.may_use):
            submission = replace(submission, flags=(*submission.flags, f"{PACKAGE_ANSWERS} ({', '.join(asked)})."))
        cases = {
            question.key: unseen_cases(question, [*hmac.digest(seed, f"{name} {question.key}".encode(), "sha256")])
            for question in task.exercise.questions
            if isinstance(question, Function)
        }
        first, *others = (self._mark_in_sandbox(one, submission, task, fresh, cases) for one in self.walls)
        disagreements = [flag for other in others for flag in sandbox_disagreements(first, other, self.walls[1].isolation)]
        marked = replace(first, isolation=self.isolation, flags=(*first.flags, *disagreements))
        return explain_text_answers(marked, reference, notebook)

    def _mark_in_sandbox(
        self, sandbox: SandboxBackend, submission: Submission, task: Task, fresh: Task | None, cases: Mapping[str, UnseenCases]
    ) -> SubmissionMark:
        """Return the mark of a submission in one sandbox."""
        delivery = self._run(sandbox, submission, task, cases)
        lines: dict[str, StudentLine] = {}
        # if a student's line cannot be read, the mark stays the same
        with suppress(Exception, JudgingTimeout), timeout(JUDGING_SECONDS):
            lines = lines_of_answers(submission.cells, [*delivery.answers], delivery.lost)
        questions, carried = mark_all(task, delivery, cases, lines), tuple[str, ...]()
        if fresh is not None:
            again = self._run(sandbox, submission, fresh, cases, delivery.lost)
            own, other = MarkedRun(task, delivery, questions), MarkedRun(fresh, again, mark_all(fresh, again, cases))
            questions, carried = carry_errors_forward(own._replace(marks=compare_runs(own, other)), other, submission, cases, lines)
        questions, copied = flag_foreign_values(questions, delivery, task, [*_other_data(submission, task)])
        flags = (*submission.flags, *delivery.flags, *carried, *filter(None, [copied]), *unjudged_flags(questions))
        name, reflections = task.exercise.name, submission.reflections
        return SubmissionMark(name, task.token, questions, delivery.ended, sandbox.isolation, flags, reflections, delivery.problems)

    def _run(
        self, sandbox: SandboxBackend, submission: Submission, task: Task, cases: Mapping[str, UnseenCases], skip: Sequence[int] = ()
    ) -> SandboxOutput:
        """Return the output of a submission on the data of a task; the cells in `skip` are not run."""
        questions = task.exercise.questions
        job = {"exercise": task.exercise.name, "token": task.token, "skip": list(skip), "seconds": task.exercise.seconds}
        job |= {
            "cells": [asdict(cell) for cell in submission.cells],
            "data": {name: encode(value) for name, value in task.data.items()},
            "questions": {question.key: repr(task.ask(question.key)) for question in questions if isinstance(question, Choice)},
            "cases": {key: [{name: encode(value) for name, value in data.items()} for _, data in some] for key, some in cases.items()},
            "ready": {question.key: list(question.ready) for question in questions if isinstance(question, Function)},
        }
        return parse_output(sandbox.run(job), [question.key for question in questions])

    def close(self) -> None:
        """End the workers that run the sandboxes."""
        for one in self.walls:
            one.close()


def sandbox_disagreements(first: SubmissionMark, other: SubmissionMark, name: str) -> list[str]:
    """Describe for the lecturer each question on which two sandboxes disagree, in one sentence."""
    return [
        f"The two sandboxes disagree on {one.key}: the verdict is {one.verdict!r} in {first.isolation}, and {two.verdict!r} in {name}."
        for one, two in zip(first.questions, other.questions)
        if one.verdict != two.verdict
    ]


def _other_data(submission: Submission, task: Task) -> Iterator[Task]:
    """Yield the task with other data that the notebook opens, and with the data of the course, which every student has."""
    for token in dict.fromkeys([*submission.tokens[:3], ""]):
        if token != task.token and len(token) in (0, TOKEN_LENGTH):
            with suppress(RuntimeError):  # there are no data for a token that the student has invented
                yield Task(task.exercise, token)
