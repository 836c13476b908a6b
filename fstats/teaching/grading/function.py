"""A function that a student wrote, tried on data that it has never seen: first it is called, then what came back is judged."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .answer import Unanswered, Unreadable, in_words, looked_at, read
from .calling import ENDLESS, Called, called_on_each, is_stub
from .exercise import Exercise, start
from .feedback import Feedback
from .question import Function

EXACTLY = 1e-6  # a function computes with all digits
ROUNDED = 0.0051  # the coarsest rounding that is told as such

Unseen = Sequence[tuple[str, Mapping[str, Any]]]  # what is special about the data, and the inputs by name


@dataclass(frozen=True, eq=False)
class Tried:
    """What a function did on each of the cases: all that its judge has to know of it."""

    cases: Unseen
    calls: Sequence[Called]
    stub: bool = False

    def pairs(self) -> Iterator[tuple[str, Mapping[str, Any], Called]]:
        """Each case with its call."""
        for (kind, data), call in zip(self.cases, self.calls, strict=True):
            yield kind, data, call


def unseen_cases(question: Function, seed: Sequence[int]) -> Unseen:
    """Data that the author of a function has never seen; always the same ones for a seed."""
    return [(kind, {name: data[name] for name in question.takes}) for kind, data in question.unseen(np.random.default_rng(seed))]


def tried_on(function: Callable[..., Any], question: Function, cases: Unseen) -> Tried:
    """Call a function on every case."""
    return Tried(cases, called_on_each(function, (data for _, data in cases), question.ready), is_stub(function))


def judge_function(exercise: Exercise, question: Function, tried: Tried, attempt: int) -> Feedback:
    """The verdict on a function: on every kind of data, with the mistake that it makes where that has a name."""
    tested = exercise.tested(question)
    kinds = list(dict.fromkeys(kind for kind, _ in tried.cases))
    if used := next((call.used for call in tried.calls if call.used), ""):
        raise Unreadable(f"your function calls {used}, the very thing that it should work out: compute it from its inputs, step by step")
    returned: list[Any] = []
    wrong: dict[str, None] = {}
    for kind, data, call in tried.pairs():
        right = getattr(start(tested, data), question.step)
        try:
            with looked_at(call.value):
                returned.append(read(_returned(data, call), right, exercise.asked(question)))
        except Unanswered:
            if tried.stub:
                raise
            raise Unreadable(_returned_nothing(kind, call)) from None
        except Unreadable as expected:
            if call.raised:
                raise
            raise Unreadable(f"{expected}; this is what your function returned for data of the kind {kind!r}") from None
        if not _equal(returned[-1], right):
            wrong[kind] = None
    changed = list(dict.fromkeys(name for call in tried.calls for name in call.changed))
    which = f"{'inputs' if len(changed) > 1 else 'input'} {' and '.join(changed)}"
    aside = [f"It changes its {which}: whoever calls it needs them as they were. Work on a copy."] if changed else []
    if not wrong and changed:
        return Feedback(question.key, "mistake", ("What it returns is right.", *aside), f"it changes its {which}", question.see)
    if not wrong:
        line = f"It agrees on {len(tried.cases)} data sets that it had never seen ({', '.join(kinds)})."
        return Feedback(question.key, "right", (line, *aside))
    for mistake in exercise.mistakes_at(question):
        values = [getattr(start(mistake.wrong, data), question.step) for _, data in tried.cases]
        if all(_equal(one, other) for one, other in zip(returned, values, strict=True)):
            return Feedback(question.key, "mistake", (mistake.sentence, *aside), mistake.name, mistake.see)
    rights = [getattr(start(tested, data), question.step) for _, data in tried.cases]
    if all(np.allclose(one, other, atol=ROUNDED) for one, other in zip(returned, rights, strict=True)):
        line = "It returns rounded numbers. Whoever computes on with them needs all digits: round only what is printed."
        return Feedback(question.key, "mistake", (line, *aside), "rounded inside", question.see)
    if len({np.asarray(one).tobytes() for one in returned}) == 1 < len({np.asarray(one, float).tobytes() for one in rights}):
        aside.insert(
            0, "Whatever data it is called with, it returns the same: does it read names of this page instead of its own arguments?"
        )
    good = [kind for kind in kinds if kind not in wrong]
    hints = [
        f"Tried on {len(tried.cases)} data sets that it had never seen. "
        + (f"Right on: {', '.join(good)}. Not right on: {', '.join(wrong)}." if good else "It is right on no kind of them."),
        f"It should return: {exercise.asked(question).sentence}",
        "Take five numbers, work the test by hand, and print every line of your function beside it.",
    ]
    return Feedback(question.key, "unknown", (*aside, *hints[:attempt]), see=question.see)


def _returned(data: Mapping[str, Any], call: Called) -> Any:
    """The value of a call, or the sentence about its error."""
    if call.raised.startswith(ENDLESS):
        raise Unreadable(
            f"your function came to {call.raised}, and was ended: look for a loop that "
            f"never stops (what changes in it, and when does it end?)"
        )
    if call.raised.startswith(SystemExit.__name__):
        raise Unreadable(
            f"your function raised {call.raised}, which ends Python, as exit(), quit() and sys.exit() do; let it return its value instead"
        )
    if call.raised:
        shown = ", ".join(f"{name}={np.asarray(value).tolist()!r}" for name, value in data.items())
        raise Unreadable(f"your function raised {call.raised}, when it was called with {shown}: call it with that, and see where it does")
    return call.value


def _returned_nothing(kind: str, call: Called) -> str:
    if call.printed:
        return (
            f"your function prints instead of returning: for data of the kind {kind!r} it "
            f"returned {in_words(call.value)}, and nobody can compute "
            "with what stands on the screen; write return where print stands"
        )
    return f"your function returned {in_words(call.value)} for data of the kind {kind!r}: let its last line return what was asked for"


def _equal(given: Any, right: Any) -> bool:
    one, other = np.asarray(given), np.asarray(right)
    if one.dtype.kind in "bUS" or other.dtype.kind in "bUSO":
        return bool(np.all(one == other))
    return bool(np.allclose(one, other.astype(float), rtol=EXACTLY, atol=1e-12))
