"""Whose numbers these are: wrong ones are held against the data of others; and how likely somebody who works alone has them."""

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

RANDOM_DATA_SETS = 100  # data sets that nobody has, to see which values a question can have
MIN_RESOLUTION = 1e-3  # of a number: its further digits say no more, since the values that a line can have lie in steps


@lru_cache(maxsize=512)
def exercise_task(exercise: str, token: str) -> Task:
    """The exercise on some data, without answers: worked out once for all who look at it."""
    return Task(load_exercise_definition(exercise), token)


def wrong_values(marked: SubmissionMark) -> Iterator[tuple[str, Any]]:
    """What was delivered where it is not right by itself; a column of another length as well."""
    for mark in marked.questions:
        if mark.kind == "value" and mark.verdict not in ("right", "unanswered"):
            with suppress(ValueError):  # shortened for show
                yield mark.key, json.loads(mark.answer)


def unexplained_answers(questions: Iterable[QuestionMark]) -> list[QuestionMark]:
    """The wrong numbers from the first on that does not come from one's own data, by mistakes that have names.

    Whoever makes only these has somebody's numbers in a large class now and then, where few values are possible.
    """
    wrong = [mark for mark in questions if mark.kind == "value" and mark.verdict not in ("right", "digits", "unanswered")]
    first = next((k for k, mark in enumerate(wrong) if mark.guess or mark.verdict not in ("mistake", "carried")), len(wrong))
    return wrong[first:]


def rounded_key(value: Any) -> str:
    """A value to three digits, to look it up; empty for yes, no and words, which half the class has."""
    with suppress(ValueError):  # lines of different lengths are none
        numbers = np.asarray(value)
        if numbers.dtype.kind in "if":
            return " ".join(f"{number:.2e}" for number in numbers.astype(float).flat)
    return ""


def expected_value(task: Task, key: str, slip: Mistake | None = None) -> Any:
    """What is right on these data, or what a mistake makes of them."""
    question = task.exercise.question(key)
    assert isinstance(question, Question)
    return getattr(task.slipped(slip) if slip else task.test_of(question), question.step)


def coincidence_probability(
    lines: Mapping[str, Mistake | None], values: Mapping[str, Any], own: Task, other: Task
) -> tuple[float, list[str]]:
    """How likely so many of somebody's numbers are another's by chance, at most, and on which lines this rests.

    Of lines that follow from each other only the first have a chance of their own.

    Parameters
    ----------
    lines : mapping
        Those in which they agree, and by which mistake, if by one.
    values : mapping
        All of his numbers that could have agreed.
    own, other : Task
        His data and the other's.
    """
    first = [key for key in lines if not _is_derived(key, lines, own, other)]
    could = [key for key in values if rounded_key(values[key]) and not _is_derived(key, values, own, other)]
    chance = float(comb(max(len(could), len(first)), len(first)))
    for key in first:
        chance *= value_probability(key, lines[key], values[key], other)
    return chance, first


def _is_derived(key: str, lines: Collection[str], own: Task, other: Task) -> bool:
    """Whether a line is worked out from other lines that agree, from counts, and from what is the same for both."""
    asked = {one.key: one for one in own.exercise.questions if isinstance(one, Question)}
    test, mine = other.test_of(asked[key]), own.test_of(asked[key])
    above = {asked[one].step for one in lines if one != key}
    waiting = [asked[key].step]
    while waiting:
        made_of = test.steps[step].slots if (step := waiting.pop()) in test.steps else ()
        for name in made_of:
            value = getattr(test, name)
            if name in above or isinstance(value, (int, np.integer)) or is_same(value, getattr(mine, name)):
                continue
            if name not in test.steps:
                return False
            waiting.append(name)
    return True


def is_same(one: Any, other: Any) -> bool:
    """Whether two values of steps are the same: numbers, columns of any lengths, words, tests and distributions.

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
    """How likely the number, or each number of a column, is among those of data that nobody has, and of the other one's."""
    there = [expected_value(task, key, slip) for task in (other, *_random_tasks(other.exercise.name))]
    seen = np.array([np.ravel(one) for one in there if np.size(one) == np.size(value)], float)
    exact, share = has_full_precision(np.asarray(value)), len(seen) / len(there)
    for x, column in zip(np.ravel(value).astype(float), seen.T, strict=True):
        room = 1e-5 * abs(x) if exact else max(float(rounding_error(x)), MIN_RESOLUTION * abs(x))
        share *= density_near(float(x), column, room if abs(x - column[0]) <= room else 0.005 * abs(x))
    return share


@lru_cache(maxsize=32)
def _random_tasks(exercise: str) -> tuple[Task, ...]:
    return tuple(exercise_task(exercise, sha256(f"{exercise} {k} of nobody".encode()).hexdigest()[:16]) for k in range(RANDOM_DATA_SETS))


def density_near(x: float, seen: Array, room: float) -> float:
    """How likely a value lies so near to a number: as often as it is seen where values come again, else by a smooth curve over them.

    >>> density_near(3.0, np.array([1.0, 2.0, 3.0, 3.0]), 0.01)
    0.5
    """
    if len(set(seen.tolist())) <= 0.75 * len(seen):
        return float(np.mean(np.abs(seen - x) <= room))
    quarter, half = np.quantile(seen, [0.25, 0.75])
    width = 0.9 * min(float(np.std(seen)), (half - quarter) / 1.34 or np.inf) * len(seen) ** -0.2  # as Silverman has it
    return float(np.mean(ndtr((x + room - seen) / width) - ndtr((x - room - seen) / width)))
