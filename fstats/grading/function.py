"""A function that a student wrote, tried on data that it has never seen."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout
from copy import deepcopy
from dis import get_instructions
from io import StringIO
from typing import Any

import numpy as np

from .answer import Unanswered, Unreadable, read
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
            if _is_stub(function):
                raise
            raise Unreadable(
                f"your function returned {value!r} for data of the kind {kind!r}: let its last line return what was asked for"
            ) from None
        except Unreadable as expected:
            raise Unreadable(f"{expected}; this is what your function returned for data of the kind {kind!r}") from None
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
        with warnings.catch_warnings(), redirect_stdout(StringIO()):
            warnings.simplefilter("ignore")
            return function(*arguments)
    except Exception as error:  # whatever a student's function may raise
        shown = ", ".join(f"{name}={np.asarray(value).tolist()!r}" for name, value in zip(question.takes, arguments, strict=True))
        raise Unreadable(f"your function raised {type(error).__name__}: {error}, when it was called with {shown}") from None


def _is_stub(function: Callable[..., Any]) -> bool:
    """Whether a function has no body yet: nothing happens in it but that dots, or nothing, come back."""
    code = getattr(function, "__code__", None)
    idle = {"RESUME", "NOP", "LOAD_CONST", "RETURN_VALUE", "RETURN_CONST", "CACHE"}
    return code is not None and {line.opname for line in get_instructions(code)} <= idle


def _equal(given: Any, right: Any) -> bool:
    one, other = np.asarray(given), np.asarray(right)
    if one.dtype.kind in "bUS" or other.dtype.kind in "bUSO":
        return bool(np.all(one == other))
    return bool(np.allclose(one, other.astype(float), rtol=EXACTLY, atol=1e-12))
