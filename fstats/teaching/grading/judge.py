"""From an answer to a verdict: right, right but for its digits, right given an earlier mistake, a mistake that has a name, a hint.

That is also the order in which an answer is looked at: digits first, then whether its own step is right, then a name, then what leads on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from string import Template
from typing import Any

import numpy as np

from ...core.check import is_exact
from ...core.procedure import Procedure
from ...core.row import Row
from ...core.step import Step
from ...render.latex import equation
from .answer import DIGITS, apart, digits, has_digits, identical, is_long, same
from .doubt import doubt
from .exercise import Exercise, Tests, is_verdict, met, needed
from .feedback import Feedback
from .ladder import hints, row_of
from .mistake import Mistake
from .near import LATER, NO_CHANCE, SIGN, another_line, remarks, seen, size
from .origin import origin
from .question import Question
from .seen import Earlier, to_mend
from .shortened import HARDLY, TYPED, Shortened, shortened

TOLD_SIZE = 2  # so many times a student is told that a number is too large or too small: oftener, and one could close in on it
NEAR_ENOUGH = 2e-4  # a mistake's number, from which the student's differs since he typed 1.96 for a limit, say
COUNT = "That is a count. Asked for is which share of all repetitions it is: divide by how many there are."
NO_SHARE = "No number of rejections, divided by {:,} repetitions, is that: it was worked out or guessed, not simulated. Count the rejections, and divide."


def judge(exercise: Exercise, tests: Tests, question: Question, given: Any, earlier: Mapping[str, Earlier], attempt: int) -> Feedback:
    """The verdict on a value that was read, seen in the light of the answers to earlier steps."""
    tested = exercise.tested(question)
    test = tests[tested]
    right = getattr(test, question.step)
    within, luck = question.room(test), question.tolerance(test) if question.tolerance else None
    if question.is_typed(test, given):
        own = [TYPED] if digits(given) < DIGITS else []
        return Feedback(question.key, "unknown", (question.typed, *own), see=question.see)
    if same(given, right, within):
        if question.is_no_share(test, given):
            many = question.repetitions(test) if question.repetitions else 0
            return Feedback(question.key, "unknown", (NO_SHARE.format(many),), see=question.see)
        return Feedback(question.key, "right", (*_worked(row_of(test, question.step)), *filter(None, [question.aside])))
    possible = [] if is_verdict(right) else list(_possible(exercise, tests, question, given, luck))  # a wrong yes has too many fathers
    hit = [one for one in possible if identical(given, getattr(tests[one.wrong], question.step))]
    by_chance = []
    if luck is None and _is_computed(given, right):
        by_chance = [one for one in possible if not np.allclose(given, getattr(tests[one.wrong], question.step), rtol=NEAR_ENOUGH, atol=0)]
    possible = [one for one in possible if one not in by_chance]  # all the digits of a computer, and only three of them agree
    made = [one for one in possible if one.step == question.step or exercise.home(one) is question or not _refuted(one, tests, earlier)]
    exact = bool(hit)
    step = exercise.asked(question)
    few = shortened(given, right, luck, exact=is_exact(step.check))
    # what a mistake has with all digits, or by luck, or the page with its only one, is no rounded number
    elsewhere = exact or bool(luck is not None and possible) or _is_of_the_page(test, step, given)
    if few and few.left == "enough" and not elsewhere:
        return _digits(question, few, right)
    above = {step: answer for step, answer in earlier.items() if step in needed(tested, question.step) and step != question.step}
    followed = {} if _one_number(above, given) else above
    follows = list(_follow(test, followed, question.step))
    if any(same(given, value, within) for value in follows):
        if all(answer.is_right for answer in above.values()):
            return Feedback(
                question.key, "right", ("It follows from your rounded numbers; more digits would give it a little more exactly.",)
            )
        line = f"It follows from what you have at {to_mend(above) or 'an earlier question'}. Mend that, and look at this line again."
        return Feedback(question.key, "carried", (line,))
    for value in follows if not exact else ():
        lacking = shortened(given, value, luck, exact=is_exact(step.check))
        if lacking and lacking.left == "enough":
            return _digits(question, lacking, value, to_mend(above))
    if not is_verdict(right):
        made = made or list(_carried(exercise, tests, question, given, followed, luck))
        every = made
        made = [one for one in made if one in exercise.mistakes] or made  # the data were drawn to tell these apart
        made = [one for one in made if one.step == question.step] or made
        later = _asked_later(exercise, question)
        plain = remarks(test, step, given, right, within, later)
        near = seen(test, step, given, right)
        sign = near is not None and near.name == SIGN
        refuted = [] if made else possible
        sure = made if not _doubtful(exercise, made, sign or not has_digits(right)) else []
        sure = sure or [one for one in refuted if has_digits(right) and not sign]
        rough = few is not None and (few == ("rounded", "first") or luck is not None)
        whole = any(one in hit for one in sure)  # 2.0 may be all the digits that a mistake has
        if len(sure) == 1 and (whole or not rough):
            one = sure[0]
            here = one.step == question.step or exercise.home(one) is question
            said = _named(question, one, tests[one.wrong], here, earlier if refuted else {})
            other = doubt(exercise, tests, question, one, every, given, few)
            return replace(said, guess=True, lines=(f"{other} It could be this, too:", *said.lines)) if other else said
        if near and not made and (plain in ([], [LATER]) or sign) and not rough:
            return Feedback(question.key, "mistake", (near.sentence,), near.name, question.see)
        guesses = made or refuted
        if few and (rough or not guesses):
            page = [] if rough else [*filter(None, [another_line(test, step, np.asarray(given), later)])]
            plain = [] if guesses else [*page, few.sentence]
        if question.is_count_of_a_share(test, given, right):
            plain = [COUNT]
        if not guesses and plain in ([], [NO_CHANCE]) and (line := origin(test, step, met(exercise, question), given, right)):
            plain += [
                f"Your {'numbers are' if np.ndim(right) else 'number is'} what ${line}$ gives: what of it does not belong, or is missing?"
            ]
        elif not guesses and not plain and not by_chance and attempt <= TOLD_SIZE and not to_mend(above):
            plain = [*filter(None, [size(step, given, right)])]
        guesses = guesses or ([] if plain else by_chance)
        if guesses:  # a guess that could be two things is a hint
            plain = [line for line in plain if line != LATER]
            plain = [f"This may come from {' or from '.join(repr(one.name) for one in guesses)}.{f' {HARDLY}' * rough}", *plain]
        mute = np.asarray(right).dtype.kind == "b" and not plain  # of yes and no nothing more can be said: the formula at once
        lines = (*plain, *hints(exercise, tests, question, given, above, attempt + mute))
        return Feedback(question.key, "unknown", lines, see=question.see)
    return Feedback(
        question.key, "unknown", hints(exercise, tests, question, given, above, attempt + 1), see=question.see
    )  # no more can be said


def _is_of_the_page(test: Procedure, step: Step[Any], given: Any) -> bool:
    """Whether a number of a single digit stands elsewhere on the page, a level of 0.01 say."""
    x = np.asarray(given)
    return x.dtype.kind in "fiu" and x.size == 1 and digits(x) < 2 and bool(another_line(test, step, x))


def _is_computed(given: Any, right: Any) -> bool:
    """Whether a value has all the digits of a computer, so that a mistake it comes from has them, too."""
    return np.asarray(right).dtype.kind in "fiu" and is_long(given)


def _asked_later(exercise: Exercise, question: Question) -> set[str]:
    """The steps that a student has still to find."""
    after = exercise.questions[exercise.questions.index(question) + 1 :]
    return {one.step for one in after if isinstance(one, Question)} - met(exercise, question)


def _one_number(above: Mapping[str, Earlier], given: Any) -> bool:
    """Whether two or more earlier numbers, and the one that should follow from them, are all the same; or a 0 should follow from a wrong 0.

    Whoever writes 0 or 1 into every line works nothing out, though 0 / 1 is 0 and the mean of ones is 1.  A decision counts on neither side.
    """
    if not np.any(given) and any(answer.verdict in ("unknown", "carried") and not np.any(answer.value) for answer in above.values()):
        return np.asarray(given).dtype.kind != "b"
    earlier = [np.ravel(answer.value) for answer in above.values() if np.asarray(answer.value).dtype.kind in "iuf"]
    if sum(map(np.size, earlier)) < 2 or (
        len(earlier) == 1 and np.asarray(given).dtype.kind == "b"
    ):  # Bonferroni's thresholds are all equal
        return False
    last = [np.ravel(given)] if np.asarray(given).dtype.kind in "iuf" else []
    return len(np.unique(np.concatenate([*earlier, *last]))) == 1


def _doubtful(exercise: Exercise, made: list[Mistake], chance: bool) -> bool:
    """Whether a neighbour is no more than a guess: a small count, or the right number with the other sign, comes about in many ways."""
    return chance and any(one in exercise.neighbours for one in made)


def _digits(question: Question, few: Shortened, right: Any, wrong: str = "") -> Feedback:
    """The right way, and too few digits at its end."""
    how = "That is cut off instead of rounded" if few.how == "cut" else "That has too few digits"
    whole = "all of its digits, since it comes out whole"
    many = whole if np.all(right == np.floor(right)) else "three significant digits, rounded, or all that the computer shows"
    line = f"The right way{f', given what you have at {wrong}' if wrong else ''}. {how}: give {many}."
    return Feedback(question.key, "digits", (line,))


def _worked(row: Row | None) -> tuple[str, ...]:
    return (f"${equation(row)}$",) if row is not None and (row.formula or not np.ndim(row.value)) and row.kind == "step" else ()


def _possible(exercise: Exercise, tests: Tests, question: Question, given: Any, within: Any) -> Iterator[Mistake]:
    """The mistakes that give this value."""
    right = getattr(tests[exercise.tested(question)], question.step)
    for mistake in exercise.mistakes_at(question):
        value = getattr(tests[mistake.wrong], question.step)
        if same(given, value, within) and apart(value, right, within):  # on some data a mistake does not show
            yield mistake


def _refuted(mistake: Mistake, tests: Tests, earlier: Mapping[str, Earlier]) -> bool:
    """Whether something that was answered rightly would have been wrong with this mistake."""
    slipped = tests[mistake.wrong]
    return any(
        not same(answer.value, getattr(slipped, step))
        for step, answer in earlier.items()
        if answer.verdict in ("right", "digits") and step in slipped.steps and mistake.step in needed(mistake.wrong, step)
    )


def _carried(
    exercise: Exercise, tests: Tests, question: Question, given: Any, above: Mapping[str, Earlier], within: Any
) -> Iterator[Mistake]:
    """The mistakes at this very step that give the value from the student's own earlier answers."""
    right = getattr(tests[exercise.tested(question)], question.step)
    for mistake in exercise.mistakes_at(question):
        slipped = tests[mistake.wrong]
        shows = mistake.step == question.step and apart(getattr(slipped, question.step), right, within)
        if shows and any(same(given, value, within) for value in _follow(slipped, above, question.step)):
            yield mistake


def _follow(test: Procedure, earlier: Mapping[str, Earlier], step: str) -> Iterator[Any]:
    """The values that follow from the earlier answers: from all of them, and from those that are wrong."""
    for chosen in (earlier, {name: answer for name, answer in earlier.items() if not answer.is_right}):
        try:
            if chosen:
                yield getattr(test.assuming(**{name: answer.value for name, answer in chosen.items()}), step)
        except Exception:  # nothing follows from such values: a negative variance, say, or no records at all
            continue


def _named(question: Question, mistake: Mistake, wrong: Procedure, here: bool, earlier: Mapping[str, Earlier]) -> Feedback:
    step = wrong.steps[mistake.step]
    lines = [mistake.sentence if here else f"In ${step.symbol}$: {mistake.sentence}"]
    if template := step.shown(wrong):
        symbols = {name: about["symbol"] for name, about in wrong.inputs.items()} | {name: s.symbol for name, s in wrong.steps.items()}
        lines.append(f"Your answer comes from ${step.symbol} {step.relation} {Template(template).substitute(symbols)}$.")
    if earlier:
        lines.append("You had it right further up: what you have there leads to another number here.")
    elif not here:
        lines.append("The slip lies further up; what follows from it is worked out well.")
    return Feedback(question.key, "mistake", tuple(lines), mistake.name, mistake.see)
