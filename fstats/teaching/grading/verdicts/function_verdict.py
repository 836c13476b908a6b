"""A function that a student wrote, tried on data that it has never seen: first it is called, then what came back is judged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ....core.procedure import Procedure
from ....core.step import Step
from ...sandbox_runtime.function_call import TIMEOUT_MESSAGE, CallResult, call_on_cases, is_stub
from ..answers.answer_value import Unanswered, Unreadable, describe_value, foreign_errors_as_unreadable, parse_answer
from ..exercise import Exercise, start_test
from ..question import Function
from .feedback import Feedback

EXACT_TOLERANCE = 1e-6  # a function computes with all digits
ROUNDING_TOLERANCE = 0.0051  # the coarsest rounding that is told as such
CONSTANT = "Whatever data it is called with, it returns the same: does it read names of this page instead of its own arguments?"

UnseenCases = Sequence[tuple[str, Mapping[str, Any]]]  # what is special about the data, and the inputs by name


@dataclass(frozen=True, eq=False)
class FunctionTrial:
    """What a function did on each of the cases: all that its judge has to know of it."""

    cases: UnseenCases
    calls: Sequence[CallResult]
    stub: bool = False


def unseen_cases(question: Function, seed: Sequence[int]) -> UnseenCases:
    """Data that the author of a function has never seen; always the same ones for a seed."""
    return [(kind, {name: data[name] for name in question.takes}) for kind, data in question.unseen(np.random.default_rng(seed))]


def run_on_cases(function: Callable[..., Any], question: Function, cases: UnseenCases) -> FunctionTrial:
    """Call a function on every case."""
    return FunctionTrial(cases, call_on_cases(function, (data for _, data in cases), question.ready), is_stub(function))


def judge_function(exercise: Exercise, question: Function, tried: FunctionTrial, attempt: int) -> Feedback:
    """The verdict on a function: on every kind of data, with the mistake that it makes where that has a name."""
    used = next((call.used for call in tried.calls if call.used), "")
    if used:
        raise Unreadable(f"your function calls {used}, the very thing that it should work out: compute it from its inputs, step by step")
    step = exercise.asked(question)
    rights = _expected_values(exercise.tested(question), question, tried.cases)
    tries = zip(tried.cases, tried.calls, rights, strict=True)
    returned = [_read(*case, call, right, step, tried.stub) for case, call, right in tries]
    kinds = dict.fromkeys(kind for kind, _ in tried.cases)
    wrong = dict.fromkeys(kind for (kind, _), one, right in zip(tried.cases, returned, rights, strict=True) if not _equal(one, right))
    changes = _changed_inputs(tried.calls)
    aside = [f"{changes}: whoever calls it needs them as they were. Work on a copy."] if changes else []
    if not wrong and changes:
        return Feedback(question.key, "mistake", ("What it returns is right.", *aside), "it" + changes.removeprefix("It"), question.see)
    if not wrong:
        return Feedback(question.key, "right", (f"It agrees on {len(rights)} data sets that it had never seen ({', '.join(kinds)}).",))
    constant = [CONSTANT] if _is_one_value(returned) and not _is_one_value(np.asarray(one, float) for one in rights) else []
    if named := _matching_mistake(exercise, question, tried.cases, returned, rights):
        before = [f"{CONSTANT} If not, it could be this:"] if constant else []  # a mistake may give 0 on all data, and so does "return 0"
        return replace(named, lines=(*before, *named.lines, *aside), guess=bool(constant))
    good = [kind for kind in kinds if kind not in wrong]
    hints = [
        f"Tried on {len(rights)} data sets that it had never seen. "
        + (f"Right on: {', '.join(good)}. Not right on: {', '.join(wrong)}." if good else "It is right on no kind of them."),
        f"It should return: {step.sentence}",
        "Take five numbers, work the test by hand, and print every line of your function beside it.",
    ]
    return Feedback(question.key, "unknown", (*constant, *aside, *hints[:attempt]), see=question.see)


def _changed_inputs(calls: Iterable[CallResult]) -> str:
    """Which inputs a function changes, in words; empty if none."""
    changed = list(dict.fromkeys(name for call in calls for name in call.changed))
    return f"It changes its {'inputs' if len(changed) > 1 else 'input'} {' and '.join(changed)}" if changed else ""


def _matching_mistake(
    exercise: Exercise, question: Function, cases: UnseenCases, returned: list[Any], rights: list[Any]
) -> Feedback | None:
    """The mistake that a function makes on all of the cases."""
    for mistake in exercise.mistakes_at(question):
        if all(map(_equal, returned, _expected_values(mistake.wrong, question, cases))):
            return Feedback(question.key, "mistake", (mistake.sentence,), mistake.name, mistake.see)
    if all(np.allclose(one, right, atol=ROUNDING_TOLERANCE) for one, right in zip(returned, rights, strict=True)):
        line = "It returns rounded numbers. Whoever computes on with them needs all digits: round only what is printed."
        return Feedback(question.key, "mistake", (line,), "rounded inside", question.see)
    return None


def _expected_values(cls: type[Procedure], question: Function, cases: UnseenCases) -> list[Any]:
    """What a test gives on each of the cases."""
    return [getattr(start_test(cls, data), question.step) for _, data in cases]


def _is_one_value(values: Iterable[Any]) -> bool:
    return len({np.asarray(one).tobytes() for one in values}) == 1


def _read(kind: str, data: Mapping[str, Any], call: CallResult, right: Any, step: Step[Any], stub: bool) -> Any:
    """What a call returned, as a value to compare."""
    try:
        with foreign_errors_as_unreadable(call.value):
            return parse_answer(_returned_value(data, call), right, step)
    except Unanswered:
        if stub:
            raise
        raise Unreadable(_returned_nothing(kind, call)) from None
    except Unreadable as expected:
        if call.raised:
            raise
        raise Unreadable(f"{expected}; this is what your function returned for data of the kind {kind!r}") from None


def _returned_value(data: Mapping[str, Any], call: CallResult) -> Any:
    """The value of a call, or the sentence about its error."""
    if call.raised.startswith(TIMEOUT_MESSAGE):
        how = "look for a loop that never stops (what changes in it, and when does it end?)"
        raise Unreadable(f"your function came to {call.raised}, and was ended: {how}")
    if call.raised.startswith(SystemExit.__name__):
        raise Unreadable(
            f"your function raised {call.raised}, which ends Python, as exit(), quit() and sys.exit() do; let it return its value instead"
        )
    if call.raised:
        shown = ", ".join(f"{name}={np.asarray(value).tolist()!r}" for name, value in data.items())
        raise Unreadable(f"your function raised {call.raised}, when it was called with {shown}: call it with that, and see where it does")
    return call.value


def _returned_nothing(kind: str, call: CallResult) -> str:
    got = f"returned {describe_value(call.value)}"
    if call.printed:
        return (
            f"your function prints instead of returning: for data of the kind {kind!r} it {got}, and nobody can compute "
            "with what stands on the screen; write return where print stands"
        )
    return f"your function {got} for data of the kind {kind!r}: let its last line return what was asked for"


def _equal(answer: Any, right: Any) -> bool:
    one, other = np.asarray(answer), np.asarray(right)
    if one.dtype.kind in "bUS" or other.dtype.kind in "bUSO":
        return bool(np.all(one == other))
    return bool(np.allclose(one, other.astype(float), rtol=EXACT_TOLERANCE, atol=1e-12))
