"""From a notebook to its mark: the student's process delivers values, this one judges them."""

from __future__ import annotations

import hmac
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from typing import Any

from ...course.catalogue import TOKEN_LENGTH
from ...grading.question import Choice, Function
from ...grading.task import Task
from ...grading.verdicts.function_verdict import UnseenCases, unseen_cases
from ...sandbox_runtime.json_serialisation import encode
from ..plagiarism.plagiarism_flags import flag_foreign_values
from ..sandbox.notebook_session import Limits, SandboxBackend
from ..sandbox.sandbox_choice import start_sandboxes
from ..sandbox.sandbox_output import SandboxOutput, parse_output
from ..submissions.notebook_format import NOT_RUN, NotANotebook
from ..submissions.package_calls import package_answers
from ..submissions.submission_cells import Submission, select_cells
from .error_carried_forward import carry_errors_forward
from .submission_mark import SubmissionMark, compare_runs, mark_all, unjudged_flags

PACKAGE_ANSWERS = "Answers are values that fstats worked out, where the exercise asks for the work"


class Marker:
    """Marks one notebook after the other, in one worker that has imported the libraries before.

    Parameters
    ----------
    limits : Limits
        What one run of a submission may use.
    wall : str
        Behind what it runs: a name of :data:`fstats.teaching.marking.sandbox.sandbox_choice.SANDBOX_CHOICES`.

    Raises
    ------
    NotIsolated
        Where no such wall stands.
    """

    def __init__(self, *, limits: Limits | None = None, wall: str = "strongest") -> None:
        self._sandbox, *self._others = start_sandboxes(limits or Limits(), wall)

    @property
    def isolation(self) -> str:
        """How submissions are kept apart here: "bubblewrap", "wasm", "weak", or two of them."""
        return " and ".join(one.isolation for one in (self._sandbox, *self._others))

    @property
    def walls(self) -> list[SandboxBackend]:
        """What submissions run behind."""
        return [self._sandbox, *self._others]

    def mark(self, reference: Mapping[str, Any], notebook: bytes, task: Task, fresh: Task | None, seed: bytes) -> SubmissionMark:
        """The mark of a notebook.

        Parameters
        ----------
        reference : mapping
            The exercise notebook of the course, as JSON values: it says which cells are ours.
        notebook : bytes
            What was handed in.
        task : Task
            The exercise with the data of this student.
        fresh : Task or None
            The same with other data, to tell computed answers from typed ones; None for one run only.
        seed : bytes
            Nobody can guess it; the data on which functions are tried follow from it.

        Returns
        -------
        Marked
            Whatever was handed in: what cannot be read is marked as not answered, and says why.
        """
        name = task.exercise.name
        try:
            found = select_cells(reference, notebook, name, task.token)
        except NotANotebook as why:
            nothing = SandboxOutput({}, ended=f"{NOT_RUN}: {why}.")
            return SubmissionMark(name, task.token, mark_all(task, nothing, {}), nothing.ended)
        if not found.answered:
            return SubmissionMark(name, task.token, mark_all(task, SandboxOutput({}), {}), flags=found.flags, reflections=found.reflections)
        if asked := package_answers(found.cells, task.exercise.may_use):
            found = replace(found, flags=(*found.flags, f"{PACKAGE_ANSWERS} ({', '.join(asked)})."))
        cases = {
            question.key: unseen_cases(question, [*hmac.digest(seed, f"{name} {question.key}".encode(), "sha256")])
            for question in task.exercise.questions
            if isinstance(question, Function)
        }
        first, *others = (self._behind(one, found, task, fresh, cases) for one in (self._sandbox, *self._others))
        apart = [words for other in others for words in sandbox_disagreements(first, other, self._others[0].isolation)]
        return replace(first, isolation=self.isolation, flags=(*first.flags, *apart))

    def _behind(
        self, wall: SandboxBackend, found: Submission, task: Task, fresh: Task | None, cases: Mapping[str, UnseenCases]
    ) -> SubmissionMark:
        """The mark of a submission behind one wall."""
        delivery = self._run(wall, found, task, cases)
        questions, carried = mark_all(task, delivery, cases), tuple[str, ...]()
        if fresh is not None:
            again = self._run(wall, found, fresh, cases, delivery.lost)
            there = mark_all(fresh, again, cases)
            questions = compare_runs(questions, there, task, fresh, (delivery.answers, again.answers))
            questions, carried = carry_errors_forward(questions, there, task, fresh, found, (delivery, again), cases)
        questions, copied = flag_foreign_values(questions, delivery, task, [*_other_data(found, task)])
        flags = (*found.flags, *delivery.flags, *carried, *filter(None, [copied]), *unjudged_flags(questions))
        name, reflections = task.exercise.name, found.reflections
        return SubmissionMark(name, task.token, questions, delivery.ended, wall.isolation, flags, reflections, delivery.problems)

    def _run(
        self, wall: SandboxBackend, found: Submission, task: Task, cases: Mapping[str, UnseenCases], skip: Sequence[int] = ()
    ) -> SandboxOutput:
        """What a submission delivers on these data; cells of these numbers are not run."""
        questions = task.exercise.questions
        job = {
            "exercise": task.exercise.name,
            "token": task.token,
            "cells": [asdict(cell) for cell in found.cells],
            "data": {name: encode(value) for name, value in task.data.items()},
            "questions": {question.key: repr(task.ask(question.key)) for question in questions if isinstance(question, Choice)},
            "cases": {key: [{name: encode(value) for name, value in data.items()} for _, data in some] for key, some in cases.items()},
            "ready": {question.key: list(question.ready) for question in questions if isinstance(question, Function)},
            "skip": list(skip),
            "seconds": task.exercise.seconds,
        }
        return parse_output(wall.run(job), [question.key for question in questions])

    def close(self) -> None:
        """End the workers."""
        for one in (self._sandbox, *self._others):
            one.close()


def sandbox_disagreements(first: SubmissionMark, other: SubmissionMark, name: str) -> list[str]:
    """Where two walls disagree on a submission, a sentence for each question: somebody should look."""
    return [
        f"The two walls disagree on {one.key}: behind {first.isolation} it is {one.verdict}, behind {name} {two.verdict}."
        for one, two in zip(first.questions, other.questions)
        if one.verdict != two.verdict
    ]


def _other_data(found: Submission, task: Task) -> Iterator[Task]:
    """The exercise with the data that the notebook opens, and with those of the course, which are in everybody's hands."""
    for token in dict.fromkeys([*found.tokens[:3], ""]):
        if token != task.token and len(token) in (0, TOKEN_LENGTH):
            with suppress(RuntimeError):  # a token that nobody gave out may have no data
                yield Task(task.exercise, token)
