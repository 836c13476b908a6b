"""The questions of exercises that ask for numbers, with the right numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from fstats import exercise
from fstats.teaching.grading.question import Question


def right_values(task: Any) -> Iterator[tuple[Question, Any]]:
    """Yield each question of an exercise that is answered by a value of its test, and this value."""
    for question in task.exercise.questions:
        if isinstance(question, Question):
            yield question, getattr(task.test_of(question), question.step)


def decimal_numbers(names: Iterable[str]) -> Iterator[tuple[str, Any, Question, Any]]:
    """Yield exercise, task, question and right number wherever one finite number with decimals is asked for."""
    for name in names:
        task = exercise(name)
        for question, right in right_values(task):
            if not np.ndim(right) and np.asarray(right).dtype.kind == "f" and np.isfinite(right):
                yield name, task, question, right
