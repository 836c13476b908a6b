"""From an answer to a verdict: right, right given an earlier mistake, a mistake that has a name, or a hint that grows."""

from __future__ import annotations

from collections.abc import Mapping
from string import Template
from typing import Any, NamedTuple

import numpy as np

from ..procedure import Procedure
from ..render.latex import equation
from ..row import Row
from ..step import NotStated
from .answer import apart, same
from .exercise import Exercise, Tests, is_verdict, needed, start
from .feedback import Feedback, Verdict
from .mistake import Mistake
from .question import Question


class Earlier(NamedTuple):
    """An answer that was given before: to which question, what, and the verdict on it."""

    key: str
    value: Any
    verdict: Verdict

    @property
    def is_right(self) -> bool:
        """Whether it was right."""
        return self.verdict == "right"


def _to_mend(earlier: Mapping[str, Earlier]) -> str:
    """The questions at which something went wrong (not those that only follow from one), in words."""
    keys = [answer.key for answer in earlier.values() if answer.verdict not in ("right", "carried")]
    return keys[0] if len(keys) == 1 else ", ".join(keys[:-1]) + " and " + keys[-1] if keys else ""


def judge(exercise: Exercise, tests: Tests, question: Question, given: Any, earlier: Mapping[str, Earlier], attempt: int) -> Feedback:
    """The verdict on a value that was read, seen in the light of the answers to earlier steps."""
    tested = exercise.tested(question)
    test = tests[tested]
    within = question.tolerance(test) if question.tolerance else None
    if same(given, getattr(test, question.step), within):
        return Feedback(question.key, "right", _worked(row_of(test, question.step)))
    above = {step: answer for step, answer in earlier.items() if step in needed(tested, question.step) and step != question.step}
    if above and _follows(test, above, question.step, given, within):
        if all(answer.is_right for answer in above.values()):
            return Feedback(
                question.key, "right", ("It follows from your rounded numbers; more digits would give it a little more exactly.",)
            )
        line = f"It follows from what you have at {_to_mend(above) or 'an earlier question'}. Mend that, and look at this line again."
        return Feedback(question.key, "carried", (line,))
    # a wrong yes or no has too many fathers to name one
    for mistake in [] if is_verdict(getattr(test, question.step)) else exercise.mistakes_at(question):
        value = getattr(tests[mistake.wrong], question.step)
        made = same(given, value, within) or (above and _follows(tests[mistake.wrong], above, question.step, given, within))
        if made and apart(value, getattr(test, question.step), within):  # on some data a mistake does not show
            return _named(question, mistake, tests[mistake.wrong], exercise.home(mistake) is question)
    if np.asarray(given).dtype.kind == "f" and same(given / 100, getattr(test, question.step), within):
        return Feedback(question.key, "unknown", ("That is in percent. Asked for is the plain number: 5 percent are 0.05.",))
    return Feedback(question.key, "unknown", tuple(_hints(exercise, tests, question, given, above)[:attempt]), see=question.see)


def row_of(test: Procedure, step: str) -> Row | None:
    """The worked row of a step, if it is shown."""
    getattr(test, step)
    return next((row for row in test.worked() if row.name == step), None)


def _worked(row: Row | None) -> tuple[str, ...]:
    return (f"${equation(row)}$",) if row is not None and (row.formula or not np.ndim(row.value)) and row.kind == "step" else ()


def _follows(test: Procedure, earlier: Mapping[str, Earlier], step: str, given: Any, within: Any) -> bool:
    """Whether an answer follows from the earlier ones: from all of them, or from those that are wrong."""
    for chosen in (earlier, {name: answer for name, answer in earlier.items() if not answer.is_right}):
        try:
            if chosen and same(given, getattr(test.assuming(**{name: answer.value for name, answer in chosen.items()}), step), within):
                return True
        except (ValueError, TypeError, NotStated, RuntimeError):
            continue  # nothing follows from such values: a negative variance, say
    return False


def _named(question: Question, mistake: Mistake, wrong: Procedure, here: bool) -> Feedback:
    step = wrong.steps[mistake.step]
    lines = [mistake.sentence]
    if template := step.template(wrong):
        symbols = {name: about["symbol"] for name, about in wrong.inputs.items()} | {name: s.symbol for name, s in wrong.steps.items()}
        lines.append(f"Your answer comes from ${step.symbol} {step.relation} {Template(template).substitute(symbols)}$.")
    if not here:
        lines.append("The slip lies further up; what follows from it is worked out well.")
    return Feedback(question.key, "mistake", tuple(lines), mistake.name, mistake.see)


# -- hints ---------------------------------------------------------------------------------------------------------------------
def _hints(exercise: Exercise, tests: Tests, question: Question, given: Any, above: Mapping[str, Earlier]) -> list[str]:
    """From a nudge to the same line on other numbers; never the number that is asked for."""
    test = tests[exercise.tested(question)]
    step, row = exercise.asked(question), row_of(test, question.step)
    first = f"Asked for: {step.sentence}"
    if wrong := _to_mend(above):
        first += f" Something is not right yet at {wrong}: begin there."
    hints = [first]
    right = np.asarray(getattr(test, question.step))
    if right.ndim and right.shape == np.shape(given):
        fits = [same(x, y) for x, y in zip(np.ravel(given), np.ravel(right), strict=True)]
        place = int(np.argmin(fits))
        where = f"entry {place + 1}" if right.ndim == 1 else f"line {place // right.shape[1] + 1}, column {place % right.shape[1] + 1}"
        first_wrong = "" if right.dtype.kind == "b" else f"; the first that is not: {where}"  # of yes and no, that would be the answer
        hints.append(f"{sum(fits)} of {right.size} entries are right{first_wrong}.")
    if row is not None and row.formula:
        hints.append(f"The formula: ${row.symbol} {row.relation} {row.formula}$.")
    example = _example(exercise, question, getattr(test, question.step))
    if example is not None and example.formula:
        hints.append(f"The same line on other data: ${equation(example)}$.")
    hints.append("Read the section once more, and work its example along; then come back to your own numbers.")
    return hints


def _example(exercise: Exercise, question: Question, avoid: Any) -> Row | None:
    """The worked row on data of nobody, whose value is clearly not the student's."""
    rng = np.random.default_rng(list(f"{exercise.name} example".encode()))
    for _ in range(50):
        test = start(exercise.tested(question), exercise.draw(rng))
        if apart(getattr(test, question.step), avoid):
            return row_of(test, question.step)
    return None
