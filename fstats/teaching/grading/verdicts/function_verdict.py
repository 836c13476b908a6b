"""Check a student's function on unseen data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from ....core.procedure import Procedure
from ....core.step import Step
from ...sandbox_runtime.function_call import TIMEOUT_MESSAGE, CallResult, call_on_cases, is_stub
from ...sandbox_runtime.plain_value import readable_value
from ..answers.answer_value import SINGLE, Unanswered, Unreadable, describe_value, parse_answer
from ..exercise import Exercise, start_test
from ..question import Function
from ..student_lines.code_history import StudentLine
from ..student_lines.evaluation_limits import NotRead
from ..student_lines.failing_data import FunctionTrial, UnseenCases, evaluated_calls
from ..student_lines.function_reading import FunctionReader
from ..student_lines.function_reply import function_reply
from .feedback import Feedback
from .marked_line import MarkedLine

EXACT_TOLERANCE = 1e-6  # relative tolerance for the returned values of a function, which must not be rounded
ROUNDING_TOLERANCE = 0.0051  # a wrong value with at most this absolute error is reported as a rounding error
OWN = "Your function"
CONSTANT = f"{OWN} returns the same value for all data: does it read variables of this page instead of its own arguments?"


def unseen_cases(question: Function, seed: Sequence[int]) -> UnseenCases:
    """Draw data that the author of a function has never seen; equal seeds give equal data."""
    return [(kind, {name: data[name] for name in question.takes}) for kind, data in question.unseen(np.random.default_rng(seed))]


def run_on_cases(function: Callable[..., Any], question: Function, cases: UnseenCases) -> FunctionTrial:
    """Call a function on every case."""
    return FunctionTrial(cases, call_on_cases(function, (data for _, data in cases), question.ready), is_stub(function))


def evaluate_on_cases(line: StudentLine | None, cases: UnseenCases) -> FunctionTrial:
    """Evaluate the lines of a function on every case without running it; raise NotRead if the function cannot be read."""
    if line is None:
        raise NotRead("the definition of the function is not known")
    return FunctionTrial(cases, evaluated_calls(line, (data for _, data in cases)))


def judge_function(exercise: Exercise, question: Function, tried: FunctionTrial, attempt: int, line: StudentLine | None = None) -> Feedback:
    """Return the verdict on a function on all kinds of data, with remarks on the lines of its body."""
    try:
        feedback = _verdict(exercise, question, tried, attempt)
    except Unreadable as error:
        error.remarks = _line_remarks(exercise, question, tried, attempt, line)
        raise
    said = _line_remarks(exercise, question, tried, attempt, line) if feedback.verdict != "right" else ()
    if feedback.guess:  # a guessed mistake is uncertain, so remarks on the code come before it
        return replace(feedback, lines=(*said, *feedback.lines))
    if feedback.verdict == "mistake":  # the mistake already explains the answer, so add only the data and the marked line
        return replace(feedback, lines=(*feedback.lines, *said[:1], *(one for one in said if isinstance(one, MarkedLine))))
    return replace(feedback, lines=(*feedback.lines[:1], *said, *feedback.lines[1:])) if said else feedback


def _line_remarks(exercise: Exercise, question: Function, tried: FunctionTrial, attempt: int, line: StudentLine | None) -> tuple[str, ...]:
    """Return the remarks on the code of a wrong function; empty if the code is unknown or cannot be evaluated."""
    if line is None or tried.stub:
        return ()
    with suppress(Exception):  # if the function cannot be evaluated, there are no remarks
        reader = FunctionReader(exercise, question, line, tried)
        return function_reply(reader, reader.reading(), attempt)
    return ()


def _verdict(exercise: Exercise, question: Function, tried: FunctionTrial, attempt: int) -> Feedback:
    """Return the verdict on a function on all kinds of data, with the named mistake in the function, if any."""
    used = next((call.used for call in tried.calls if call.used), "")
    if used:
        raise Unreadable(f"your function calls {used}, which does the whole computation: compute the result from the inputs without {used}")
    step = exercise.asked(question)
    rights = _expected_values(exercise.tested(question), question, tried.cases)
    tries = zip(tried.cases, tried.calls, rights, strict=True)
    returned = [_read(*case, call, right, step, tried.stub) for case, call, right in tries]
    kinds = dict.fromkeys(kind for kind, _ in tried.cases)
    wrong = dict.fromkeys(kind for (kind, _), value, right in zip(tried.cases, returned, rights, strict=True) if not _equal(value, right))
    changes = _changed_inputs(tried.calls)
    remarks = [f"{changes}, but its caller still needs the unchanged data: work on a copy of the data."] if changes else []
    if not wrong and changes:
        lines = "Your function returns the right values.", *remarks
        return Feedback(question.key, "mistake", lines, "it" + changes.removeprefix(OWN), question.see)
    if not wrong:
        return Feedback(question.key, "right", (f"Your function agrees on {len(rights)} unseen data sets ({', '.join(kinds)}).",))
    constant = [CONSTANT] if _is_one_value(returned) and not _is_one_value(np.asarray(right, float) for right in rights) else []
    if named := _matching_mistake(exercise, question, tried.cases, returned, rights):
        # "return 0" agrees with a mistake that gives 0 on all data, so such a mistake is only possible, not certain
        before = [f"{CONSTANT} If your function reads its own arguments, one possible mistake:"] if constant else []
        return replace(named, lines=(*before, *named.lines, *remarks), guess=bool(constant))
    right_kinds = ", ".join(kind for kind in kinds if kind not in wrong)
    hints = [
        f"Your function was called on {len(rights)} unseen data sets. "
        + (f"It is right on: {right_kinds}. It is wrong on: {', '.join(wrong)}." if right_kinds else "It is wrong on every kind of data."),
        f"Your function should return: {step.sentence}",
        "Take five numbers, compute the test by hand, and compare each line with the values that your function prints.",
    ]
    return Feedback(question.key, "unknown", (*constant, *remarks, *hints[:attempt]), see=question.see)


def _changed_inputs(calls: Iterable[CallResult]) -> str:
    """Describe in words which inputs a function changes; return an empty text if it changes none."""
    changed = list(dict.fromkeys(name for call in calls for name in call.changed))
    return f"{OWN} changes its {'inputs' if len(changed) > 1 else 'input'} {' and '.join(changed)}" if changed else ""


def _matching_mistake(
    exercise: Exercise, question: Function, cases: UnseenCases, returned: list[Any], rights: list[Any]
) -> Feedback | None:
    """Return the feedback on the mistake that gives the returned values in all cases; None if there is no such mistake."""
    for mistake in exercise.mistakes_at(question):
        if all(map(_equal, returned, _expected_values(mistake.wrong, question, cases))):
            return Feedback(question.key, "mistake", (mistake.sentence,), mistake.name, mistake.see)
    if all(np.allclose(one, right, atol=ROUNDING_TOLERANCE) for one, right in zip(returned, rights, strict=True)):
        line = "Your function returns rounded numbers. Later computations need all digits: round only the numbers that you print."
        return Feedback(question.key, "mistake", (line,), "rounded inside", question.see)
    return None


def _expected_values(cls: type[Procedure], question: Function, cases: UnseenCases) -> list[Any]:
    """Compute the value of the asked step for each case with a test, which may contain a mistake."""
    return [getattr(start_test(cls, data), question.step) for _, data in cases]


def _is_one_value(values: Iterable[Any]) -> bool:
    return len({np.asarray(one).tobytes() for one in values}) == 1


def _read(kind: str, data: Mapping[str, Any], call: CallResult, right: Any, step: Step[Any], stub: bool) -> Any:
    """Convert the value that a call returned, so that it can be compared with the right value."""
    try:
        return parse_answer(_returned_value(data, call), right, step)
    except Unanswered:
        if stub:
            raise
        raise Unreadable(_returned_nothing(kind, call)) from None
    except Unreadable as expected:
        if call.raised:
            raise
        what = str(expected).partition(SINGLE)[0]  # leave out how to write a value, because a function returns its value
        raise Unreadable(f"{what}; your function returned this value for data of the kind {kind!r}") from None


def _returned_value(data: Mapping[str, Any], call: CallResult) -> Any:
    """Return the value of a call; if the call raised an error, raise Unreadable with the message of this error."""
    if call.raised.startswith(TIMEOUT_MESSAGE):
        how = "look for a loop that never ends, and check the condition that should end the loop"
        raise Unreadable(f"your function did not end {call.raised.removeprefix('no end ')}, and was stopped: {how}")
    if call.raised.startswith(SystemExit.__name__):
        raise Unreadable(f"your function raised {call.raised}; exit(), quit() and sys.exit() end Python: return the value instead")
    if call.raised:
        shown = ", ".join(f"{name}={np.asarray(value).tolist()!r}" for name, value in data.items())
        raise Unreadable(
            f"your function raised {call.raised} when the check called your function with {shown}: repeat this call to find the line of "
            "the error"
        )
    return call.value


def _returned_nothing(kind: str, call: CallResult) -> str:
    got = f"returned {describe_value(readable_value(call.value))}"
    if call.printed:
        return (
            f"your function prints its result instead of returning it: for data of the kind {kind!r} it {got}; "
            "write return instead of print"
        )
    return f"your function {got} for data of the kind {kind!r}: let its last line return the value of the question"


def _equal(answer: Any, right: Any) -> bool:
    x, y = np.asarray(answer), np.asarray(right)
    if x.dtype.kind in "bUS" or y.dtype.kind in "bUSO":
        return bool(np.all(x == y))
    return bool(np.allclose(x, y.astype(float), rtol=EXACT_TOLERANCE, atol=1e-12))
