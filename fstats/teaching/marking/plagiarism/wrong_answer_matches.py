"""Find wrong answers that match another student's data.

The module computes the probability of a coincidence.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from math import comb
from typing import Any

import numpy as np
from scipy.special import ndtr

from ....core.procedure import Procedure
from ....core.value_types import Array
from ...course.catalogue import load_exercise_definition
from ...grading.answers.answer_value import has_full_precision, rounding_error
from ...grading.mistakes.mistake import Mistake
from ...grading.question import Question
from ...grading.task import Task
from ..marks.submission_mark import QuestionMark, SubmissionMark

RANDOM_DATA_SETS = 100  # number of random data sets, which belong to no student and show the possible values of an answer
# minimum relative tolerance for rounded numbers; answers have few possible values, so more digits give no information
MIN_RESOLUTION = 1e-3


@lru_cache(maxsize=512)
def exercise_task(exercise: str, token: str) -> Task:
    """Return an exercise without answers, with the data of a token; the exercise is cached for all callers."""
    return Task(load_exercise_definition(exercise), token)


def wrong_values(marked: SubmissionMark) -> Iterator[tuple[str, Any]]:
    """Yield the delivered values that are not right by themselves, including columns of a wrong length."""
    for mark in marked.questions:
        if mark.kind == "value" and mark.verdict not in ("right", "unanswered"):
            with suppress(ValueError):  # a value that was shortened for display cannot be parsed
                yield mark.key, json.loads(mark.answer)


def unexplained_answers(questions: Iterable[QuestionMark]) -> list[QuestionMark]:
    """Return the first wrong number that does not come from the student's data by a named mistake, and all later wrong numbers.

    In a large class, numbers from named mistakes alone sometimes agree with another student's, if few values are possible.
    """
    wrong = [mark for mark in questions if mark.kind == "value" and mark.verdict not in ("right", "digits", "unanswered")]
    first = next((k for k, mark in enumerate(wrong) if mark.guess or mark.verdict not in ("mistake", "carried")), len(wrong))
    return wrong[first:]


def rounded_key(value: Any) -> str:
    """Return a value rounded to three digits, as a key; empty for booleans and text, which half of the class may share."""
    with suppress(ValueError):  # a list of lists of different lengths is no array, so it has no key
        numbers = np.asarray(value)
        if numbers.dtype.kind in "if":
            return " ".join(f"{number:.2e}" for number in numbers.astype(float).flat)
    return ""


def expected_value(task: Task, key: str, slip: Mistake | None = None) -> Any:
    """Return the right value for a task's data, or the value to which a mistake leads."""
    question = task.exercise.question(key)
    assert isinstance(question, Question)
    return getattr(task.test_with_mistake(slip) if slip else task.test_of(question), question.step)


def coincidence_probability(
    lines: Mapping[str, Mistake | None], values: Mapping[str, Any], own: Task, other: Task
) -> tuple[float, list[str]]:
    """Return an upper bound of the probability that these lines agree with another student's by chance, and the lines used for it.

    Among lines that follow from each other, only the first lines have a probability of their own.

    Parameters
    ----------
    lines : mapping
        The lines that agree, each with the mistake that leads to it, if any.
    values : mapping
        All numbers of the student that could have agreed with the other student's.
    own, other : Task
        The student's data and the other student's.
    """
    first = [key for key in lines if not _is_derived(key, lines, own, other)]
    could = [key for key in values if rounded_key(values[key]) and not _is_derived(key, values, own, other)]
    chance = float(comb(max(len(could), len(first)), len(first)))
    for key in first:
        chance *= value_probability(key, lines[key], values[key], other)
    return chance, first


def _is_derived(key: str, lines: Collection[str], own: Task, other: Task) -> bool:
    """Return whether a line is computed from other agreeing lines, counts, and values that are equal for both students."""
    asked = {question.key: question for question in own.exercise.questions if isinstance(question, Question)}
    test, own_test = other.test_of(asked[key]), own.test_of(asked[key])
    above = {asked[line].step for line in lines if line != key}
    waiting = [asked[key].step]
    while waiting:
        inputs = test.steps[step].slots if (step := waiting.pop()) in test.steps else ()
        for name in inputs:
            value = getattr(test, name)
            if name in above or isinstance(value, (int, np.integer)) or is_same(value, getattr(own_test, name)):
                continue
            if name not in test.steps:
                return False
            waiting.append(name)
    return True


def is_same(one: Any, other: Any) -> bool:
    """Return whether two values of steps are equal: numbers, columns of any lengths, text, tests and distributions.

    >>> is_same([1, 2], [1, 2, 3]), is_same("a", "a"), is_same(None, 1.0)
    (False, True, False)
    """
    if one is other:
        return True
    if isinstance(one, (int, float, str, np.ndarray, np.generic, list, tuple)):
        x, y = np.asarray(one), np.asarray(other)
        if object in (x.dtype, y.dtype):
            return x.shape == y.shape and x.ndim > 0 and all(map(is_same, x.flat, y.flat))
        return bool(np.array_equal(x, y))
    if type(one) is not type(other):
        return False
    names = type(one).inputs if isinstance(one, Procedure) else getattr(one, "__dict__", ())
    return bool(names) and all(is_same(getattr(one, name), getattr(other, name, None)) for name in [*names])


def value_probability(key: str, slip: Mistake | None, value: Any, other: Task) -> float:
    """Return the probability of a number (or of each number of a column) among the values for random data and the other student's data."""
    possible = [expected_value(task, key, slip) for task in (other, *_random_tasks(other.exercise.name))]
    values = np.array([np.ravel(one) for one in possible if np.size(one) == np.size(value)], float)
    exact, share = has_full_precision(np.asarray(value)), len(values) / len(possible)
    for x, column in zip(np.ravel(value).astype(float), values.T, strict=True):
        tolerance = 1e-5 * abs(x) if exact else max(float(rounding_error(x)), MIN_RESOLUTION * abs(x))
        share *= density_near(float(x), column, tolerance if abs(x - column[0]) <= tolerance else 0.005 * abs(x))
    return share


@lru_cache(maxsize=32)
def _random_tasks(exercise: str) -> tuple[Task, ...]:
    return tuple(exercise_task(exercise, sha256(f"{exercise} {k} of nobody".encode()).hexdigest()[:16]) for k in range(RANDOM_DATA_SETS))


def density_near(x: float, values: Array, tolerance: float) -> float:
    """Return the probability of a value near x: its frequency if values repeat, otherwise from a smooth density.

    >>> density_near(3.0, np.array([1.0, 2.0, 3.0, 3.0]), 0.01)
    0.5
    """
    if len(set(values.tolist())) <= 0.75 * len(values):
        return float(np.mean(np.abs(values - x) <= tolerance))
    lower, upper = np.quantile(values, [0.25, 0.75])
    # width of the kernel by Silverman's rule
    width = 0.9 * min(float(np.std(values)), (upper - lower) / 1.34 or np.inf) * len(values) ** -0.2
    return float(np.mean(ndtr((x + tolerance - values) / width) - ndtr((x - tolerance - values) / width)))
