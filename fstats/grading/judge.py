"""From an answer to a verdict: right, right but for its digits, right given an earlier mistake, a mistake that has a name, a hint.

That is also the order in which an answer is looked at: digits first, then whether its own step is right, then a name, then what leads on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import combinations
from string import Template
from typing import Any

import numpy as np

from ..procedure import Procedure
from ..render.latex import equation
from ..row import Row
from ..step import Step
from .answer import DIGITS, apart, digits, identical, is_long, is_rough, same, shortened
from .exercise import Exercise, Tests, is_verdict, needed, start
from .feedback import Feedback
from .ladder import hints, row_of
from .mistake import Mistake
from .near import LATER, NO_CHANCE, SIGN, SMALL, another_line, remarks, seen, size
from .origin import origin
from .question import Question
from .seen import Earlier, to_mend

FEW = 10  # smaller whole numbers come about in many ways
DRAWN = 5  # data sets on which two mistakes are compared
CELLS = 4  # of a table in which each sum and each difference of two can be seen at a glance
TOLD_SIZE = 2  # so many times a student is told that a number is too large or too small: oftener, and one could close in on it
NEAR_ENOUGH = 2e-4  # a mistake's number, from which the student's differs since he typed 1.96 for a limit, say
ROUGH = "As far as so few digits can tell, that is right: give three significant digits, rounded."
CUT = "That may be the right one, cut off behind its first digit: give three significant digits, rounded."
SHORT_NUMBER = "So short a number comes about in several ways, by a guess as well."
POWER = "A power of one half comes about in several ways."
COUNT = "That is a count. Asked for is which share of all repetitions it is: divide by how many there are."
FEW_DIGITS = " So few digits cannot tell: give three significant digits, rounded."
ROUGH_GUESS = "So short a number comes about in several ways: give three significant digits, rounded."
RIVAL = "On these data {!r} leads to the same number."
NO_SHARE = "No number of rejections, divided by {:,} repetitions, is that: it was worked out or guessed, not simulated. Count the rejections, and divide."
WORDS = {2: "two", 3: "three", 4: "four"}


def judge(exercise: Exercise, tests: Tests, question: Question, given: Any, earlier: Mapping[str, Earlier], attempt: int) -> Feedback:
    """The verdict on a value that was read, seen in the light of the answers to earlier steps."""
    tested = exercise.tested(question)
    test = tests[tested]
    right = getattr(test, question.step)
    within, luck = question.room(test), question.tolerance(test) if question.tolerance else None
    if question.is_typed(test, given):
        return Feedback(question.key, "unknown", (question.typed,), see=question.see)
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
    lacking = "" if exact or _is_of_the_page(test, exercise.asked(question), given) else shortened(given, right, luck)
    if lacking:  # what a mistake has with all digits, or the page with its only one, is no rounded number
        return _digits(question, lacking)
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
    if not exact and (lacking := next(filter(None, (shortened(given, value, luck) for value in follows)), "")):
        return _digits(question, lacking, to_mend(above))
    if not is_verdict(right):
        made = made or list(_carried(exercise, tests, question, given, followed, luck))
        every = made
        made = [one for one in made if one in exercise.mistakes] or made  # the data were drawn to tell these apart
        made = [one for one in made if one.step == question.step] or made
        plain = remarks(test, exercise.asked(question), given, right, within, _asked_later(exercise, question))
        near = seen(test, exercise.asked(question), given, right)
        sign = near is not None and near.name == SIGN
        refuted = [] if made else possible
        sure = made if not _doubtful(exercise, made, sign or not _has_digits(right)) else []
        sure = sure or [one for one in refuted if _has_digits(right) and not sign]
        rough = luck is None and is_rough(given, right)
        whole = any(one in hit and one in exercise.mistakes for one in sure)  # 2.0 may be all the digits that a mistake has
        if len(sure) == 1 and (whole or not rough):
            one = sure[0]
            here = one.step == question.step or exercise.home(one) is question
            said = _named(question, one, tests[one.wrong], here, earlier if refuted else {})
            rival = next((other.name for other in every if _is_another(exercise, question, one, other)), "")
            short = _is_short(exercise, test, question, one, given, right, luck)
            power = _is_power_of_a_half(test, question, given)
            other = ROUGH_GUESS if rough else SHORT_NUMBER if short else POWER if power else RIVAL.format(rival) if rival else ""
            return replace(said, guess=True, lines=(f"{other} It could be this, too:", *said.lines)) if other else said
        if near and not made and (plain in ([], [LATER]) or sign) and not rough:
            return Feedback(question.key, "mistake", (near.sentence,), near.name, question.see)
        guesses = made or refuted
        if rough:
            plain = [] if guesses else [ROUGH]
        if question.is_count_of_a_share(test, given, right):
            plain = [COUNT]
        if (
            not guesses
            and plain in ([], [NO_CHANCE])
            and (line := origin(test, exercise.asked(question), _met(exercise, question), given, right))
        ):
            plain += [
                f"Your {'numbers are' if np.ndim(right) else 'number is'} what ${line}$ gives: what of it does not belong, or is missing?"
            ]
        elif not guesses and not plain and luck is None and is_rough(given, right, np.trunc):
            plain = [CUT]
        elif not guesses and not plain and not by_chance and attempt <= TOLD_SIZE and not to_mend(above):
            plain = [*filter(None, [size(exercise.asked(question), given, right)])]
        guesses = guesses or ([] if plain else by_chance)
        if guesses:  # a guess that could be two things is a hint
            plain = [line for line in plain if line != LATER]
            plain = [f"This may come from {' or from '.join(repr(one.name) for one in guesses)}.{FEW_DIGITS * rough}", *plain]
        few = np.asarray(right).dtype.kind == "b" and not plain  # of yes and no nothing more can be said: the formula at once
        lines = (*plain, *hints(exercise, tests, question, given, above, attempt + few))
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


def _met(exercise: Exercise, question: Question) -> set[str]:
    """The steps that a student has met at a question: those that it follows from, and those that were asked before."""
    asked = exercise.questions[: exercise.questions.index(question) + 1]
    return needed(exercise.tested(question), question.step) | {one.step for one in asked if isinstance(one, Question)}


def _asked_later(exercise: Exercise, question: Question) -> set[str]:
    """The steps that a student has still to find."""
    after = exercise.questions[exercise.questions.index(question) + 1 :]
    return {one.step for one in after if isinstance(one, Question)} - _met(exercise, question)


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


def _is_another(exercise: Exercise, question: Question, one: Mistake, other: Mistake) -> bool:
    """Whether two mistakes give the same number by chance: on data of nobody they do not."""
    if one is other or other.step != question.step:
        return False
    rng = np.random.default_rng(list(f"{exercise.name} rivals".encode()))
    with np.errstate(all="ignore"):
        for data in (exercise.draw(rng) for _ in range(DRAWN)):
            if apart(*(getattr(start(mistake.wrong, data), question.step) for mistake in (one, other))):
                return True
    return False


def _is_short(exercise: Exercise, test: Procedure, question: Question, one: Mistake, given: Any, right: Any, luck: Any) -> bool:
    """Whether a number is so short that it may have come about otherwise than by the mistake which gives it.

    That is a small whole number for one that is not; a typed rate of one or two digits for a simulated one; and a small
    count that also is (but for one) another count of the page than those which the mistake is made of, or that two pairs of cells of a
    small table have for their sum or difference.
    """
    x = np.asarray(given)
    if x.ndim or x.dtype.kind not in "fiu":
        return False
    if luck is not None:
        return digits(x) < DIGITS
    if _has_digits(right):
        return bool(abs(x) < FEW and x == np.floor(x))
    if x != np.floor(x) or abs(x) >= SMALL:
        return False
    own = {question.step, one.step, *one.wrong.steps[one.step].slots}
    counts = [
        np.asarray(row.value)
        for row in test.worked()
        if row.name not in own and (row.name in _met(exercise, question) or row.name not in test.steps)
    ]
    near = any(not count.ndim and count.dtype.kind in "iu" and abs(count - x) <= 1 for count in counts)
    return near or any(_pairs_of_cells(np.asarray(row.value), x) > 1 for row in test.worked() if row.name in own)


def _is_power_of_a_half(test: Procedure, question: Question, given: Any) -> bool:
    """Whether a probability is 1/2, 1/4, 1/8, ...: with coins, many lines give such numbers."""
    x = np.asarray(given)
    return test.is_chance(question.step) and not x.ndim and bool(0 < x < 1) and bool(np.log2(x) % 1 == 0)


def _pairs_of_cells(table: Any, x: Any) -> int:
    """How many pairs of cells of a small table of counts have this sum or difference."""
    if not 2 < table.size <= CELLS or table.dtype.kind not in "iuf" or not np.array_equal(table, np.floor(table)):
        return 0
    return sum(x in (abs(one - other), one + other) for one, other in combinations(table.flat, 2))


def _has_digits(right: Any) -> bool:
    """Whether a value is no count and no list of yes and no, which come about in many ways."""
    x = np.asarray(right)
    return x.dtype.kind in "fiu" and bool((x != np.floor(x)).any())


def _digits(question: Question, lacking: str, wrong: str = "") -> Feedback:
    """The right way, and too few digits at its end."""
    how = "That is cut off instead of rounded" if lacking == "cut" else "That has too few digits"
    line = f"The right way{f', given what you have at {wrong}' if wrong else ''}. {how}: give {WORDS[DIGITS]} significant digits, rounded, or all that the computer shows."
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
