"""A function that a student wrote, tried on data that it has never seen."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from typing import Any

import numpy as np

from .answer import Unanswered, Unreadable, is_empty, read
from .exercise import Exercise, start
from .feedback import Feedback
from .question import Function

EXACTLY = 1e-6  # a function computes with all digits


def judge_function(exercise: Exercise, question: Function, function: Callable[..., Any], seed: Sequence[int], attempt: int) -> Feedback:
    """The verdict on a function: on every kind of data, with the mistake that it makes where that has a name."""
    tested = exercise.tested(question)
    cases = list(question.unseen(np.random.default_rng(seed)))
    kinds = list(dict.fromkeys(kind for kind, _ in cases))
    returned: list[Any] = []
    wrong: dict[str, None] = {}
    for kind, data in cases:
        right = getattr(start(tested, data), question.step)
        value = _called(function, question, data)
        try:
            returned.append(read(value, right, exercise.asked(question)))
        except Unanswered:
            if is_empty(value) and all(is_empty(earlier) for earlier in returned):
                raise
            raise Unreadable(f"for data of the kind {kind!r} your function returned {value!r}") from None
        if not _equal(returned[-1], right):
            wrong[kind] = None
    if not wrong:
        line = f"It agrees on {len(cases)} data sets that it had never seen ({', '.join(kinds)})."
        return Feedback(question.key, "right", (line,))
    for mistake in exercise.mistakes_at(question):
        values = [getattr(start(mistake.wrong, data), question.step) for _, data in cases]
        if all(_equal(one, other) for one, other in zip(returned, values, strict=True)):
            return Feedback(question.key, "mistake", (mistake.sentence,), mistake.name, mistake.see)
    good = [kind for kind in kinds if kind not in wrong]
    hints = [
        f"Tried on {len(cases)} data sets that it had never seen. "
        + (f"Right on: {', '.join(good)}. Not right on: {', '.join(wrong)}." if good else "It is right on no kind of them."),
        f"It should return: {exercise.asked(question).sentence}",
        "Take five numbers, work the test by hand, and print every line of your function beside it.",
    ]
    return Feedback(question.key, "unknown", tuple(hints[:attempt]), see=question.see)


def _called(function: Callable[..., Any], question: Function, data: Mapping[str, Any]) -> Any:
    """What the function returns for its own copy of the data."""
    arguments = [deepcopy(data[name]) for name in question.takes]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return function(*arguments)
    except Exception as error:  # whatever a student's function may raise
        shown = ", ".join(f"{name}={np.asarray(value).tolist()!r}" for name, value in zip(question.takes, arguments, strict=True))
        raise Unreadable(f"your function raised {type(error).__name__}: {error}, when it was called with {shown}") from None


def _equal(given: Any, right: Any) -> bool:
    one, other = np.asarray(given), np.asarray(right)
    if one.dtype.kind in "bUS" or other.dtype.kind in "bUSO":
        return bool(np.all(one == other))
    return bool(np.allclose(one, other.astype(float), rtol=EXACTLY, atol=1e-12))
