"""The verdict on right, wrong and nearly right answers to every question stays what it is; that it is right is tested elsewhere."""

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import fstats
from fstats.teaching.course.catalogue import exercise_names, load_exercise_definition
from fstats.teaching.grading.exercise import start_test
from fstats.teaching.grading.question import Question

NEAR: tuple[Callable[[Any], Any], ...] = (
    *(
        np.negative,
        np.reciprocal,
        np.square,
        lambda x: np.sqrt(np.abs(x)),
        lambda x: 2 * x,
        lambda x: x / 2,
        lambda x: 1 - x,
        lambda x: x + 1,
    ),
    *(lambda x: 1.03 * x, lambda x: 100 * x, lambda x: np.round(x, 2), lambda x: np.round(x, 3), lambda x: 0.987 * x + 0.001),
    *(lambda x: np.sort(x, axis=None), lambda x: x.ravel()[:-1], lambda x: x.ravel()[0], str, lambda x: f" {x} "),
)


def ten_digits(value: Any) -> Any:
    """A number as every version of SciPy has it."""
    x = np.asarray(value)
    return np.reshape([float(f"{one:.10g}") for one in x.flat], x.shape)[()] if x.dtype.kind == "f" else value


def verdicts_of(name: str) -> Iterator[tuple[str, list[str]]]:
    """Each question with what is said of the answers: the word of the verdict, the name of the mistake, and whether it is a guess."""
    about, task = load_exercise_definition(name), fstats.individual("a student", name, "a secret of this test")
    for question in (one for one in about.questions if isinstance(one, Question)):
        right = ten_digits(getattr(start_test(about.tested(question), task._data), question.step))
        answers = [right, *(getattr(start_test(slip.wrong, task._data), question.step) for slip in about.mistakes_at(question))]
        if np.asarray(right).dtype.kind in "fiu":
            with np.errstate(all="ignore"), warnings.catch_warnings():
                answers += [near(np.asarray(right, float)) for near in NEAR]
        said = [task.fresh().check(question.key, ten_digits(answer)) for answer in answers]
        yield question.key, [f"{one.verdict} {one.mistake} {one.guess}" for one in said]


@pytest.mark.usefixtures("without_slips")
@pytest.mark.parametrize("name", exercise_names())
def test_verdicts_stay_what_they_are(name: str, changed: Callable[..., list[str]]) -> None:
    """Of a student's own data."""
    for key, said in verdicts_of(name):
        assert changed({key: said}) == []


@pytest.mark.complete
@pytest.mark.parametrize("name", exercise_names())
def test_the_search_for_slips_changes_no_verdict(name: str, request: pytest.FixtureRequest) -> None:
    searched = [*verdicts_of(name)]
    request.getfixturevalue("without_slips")
    assert searched == [*verdicts_of(name)]
