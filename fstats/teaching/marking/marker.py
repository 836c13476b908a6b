"""From a notebook to its mark: the student's process delivers values, this one judges them."""

from __future__ import annotations

import hmac
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict
from typing import Any

from ..course.catalogue import TOKEN_LENGTH
from ..grading.function import Unseen, unseen_cases
from ..grading.question import Choice, Function
from ..grading.task import Task
from .cells import Submission, submission
from .copied import right_elsewhere
from .delivery import Delivery, read_delivery
from .formats import NotANotebook
from .marked import Marked, compare_runs, mark_all, unjudged
from .sandbox import Limits, Sandbox
from .serialise import encoded


class Marker:
    """Marks one notebook after the other, in one worker that has imported the libraries before.

    Parameters
    ----------
    limits : Limits
        What one run of a submission may use.
    weak : bool
        Whether the weaker isolation will do where bubblewrap is missing.

    Raises
    ------
    NotIsolated
        Where bubblewrap does not work and the weaker isolation was not allowed.
    """

    def __init__(self, *, limits: Limits | None = None, weak: bool = False) -> None:
        self._sandbox = Sandbox(limits or Limits(), weak)

    @property
    def isolation(self) -> str:
        """How submissions are kept apart here: "bubblewrap" or "weak"."""
        return self._sandbox.isolation

    def mark(self, reference: Mapping[str, Any], notebook: bytes, task: Task, fresh: Task | None, seed: bytes) -> Marked:
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
            found = submission(reference, notebook, name, task.token)
        except NotANotebook as why:
            nothing = Delivery({}, ended=f"Nothing could be run: {why}.")
            return Marked(name, task.token, mark_all(task, nothing, {}), nothing.ended)
        if not found.answered:
            return Marked(name, task.token, mark_all(task, Delivery({}), {}), flags=found.flags, reflections=found.reflections)
        cases = {
            question.key: unseen_cases(question, [*hmac.digest(seed, f"{name} {question.key}".encode(), "sha256")])
            for question in task.exercise.questions
            if isinstance(question, Function)
        }
        delivery = self._run(found, task, cases)
        questions = mark_all(task, delivery, cases)
        if fresh is not None:
            again = self._run(found, fresh, cases)
            questions = compare_runs(questions, mark_all(fresh, again, cases), task, fresh, (delivery.answers, again.answers))
        questions, copied = right_elsewhere(questions, delivery, _other_data(found, task))
        flags = (*found.flags, *delivery.flags, *filter(None, [copied]), *unjudged(questions))
        return Marked(name, task.token, questions, delivery.ended, self.isolation, flags, found.reflections, delivery.problems)

    def _run(self, found: Submission, task: Task, cases: Mapping[str, Unseen]) -> Delivery:
        questions = task.exercise.questions
        job = {
            "exercise": task.exercise.name,
            "token": task.token,
            "cells": [asdict(cell) for cell in found.cells],
            "data": {name: encoded(value) for name, value in task.data.items()},
            "questions": {question.key: repr(task.ask(question.key)) for question in questions if isinstance(question, Choice)},
            "cases": {key: [{name: encoded(value) for name, value in data.items()} for _, data in some] for key, some in cases.items()},
            "ready": {question.key: list(question.ready) for question in questions if isinstance(question, Function)},
        }
        ran = self._sandbox.run(job)
        return read_delivery(ran.output, [question.key for question in questions], ran.ended)

    def close(self) -> None:
        """End the worker."""
        self._sandbox.close()


def _other_data(found: Submission, task: Task) -> Iterator[Task]:
    """The exercise with the data that the notebook opens, and with those of the course, which are in everybody's hands."""
    for token in dict.fromkeys([*found.tokens[:3], ""]):
        if token != task.token and len(token) in (0, TOKEN_LENGTH):
            with suppress(RuntimeError):  # a token that nobody gave out may have no data
                yield Task(task.exercise, token)
