"""From an answer to a verdict: right, right but for its digits, right given an earlier mistake, a mistake that has a name, a hint.

That is also the order in which an answer is looked at: digits first, then whether its own step is right, then a name, then what leads on.
Each rule asks one thing; the first that has something to say says it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from string import Template
from typing import Any

import numpy as np

from ....render.display_table import Table
from ....render.latex import equation
from ..answers.answer_diagnosis import Diagnosis
from ..answers.answer_history import to_mend
from ..answers.answer_value import DIGITS, is_equal, significant_digits
from ..answers.lost_digits import HARDLY, TYPED, Shortened
from ..exercise import is_verdict
from ..hints.hints import hints, row_of
from ..mistakes.ambiguous_mistakes import ambiguity_reason
from ..mistakes.formula_search import origin
from ..mistakes.mistake import Mistake
from ..mistakes.near_misses import LATER, NO_CHANCE, another_line, size
from ..question import Question
from .feedback import VERDICT_DISPLAY, Feedback

SIZE_HINT_ATTEMPT = 2  # so many times a student is told that a number is too large or too small: oftener, and one could close in on it
COUNT = "That is a count. Asked for is which share of all repetitions it is: divide by how many there are."
NO_SHARE = (
    "No number of rejections, divided by {:,} repetitions, is that: it was worked out or "
    "guessed, not simulated. Count the rejections, and divide."
)
ROUNDED = "It follows from your rounded numbers; more digits would give it a little more exactly."


# -- the rules, in their order ---------------------------------------------------------------------------------------------------
def rule_typed_number(found: Diagnosis) -> Feedback | None:
    """Is it a number that was typed, where one is to be simulated?"""
    question = found.question
    if not question.is_typed(found.test, found.answer):
        return None
    return _unknown(found, question.typed, *[TYPED] * (significant_digits(found.answer) < DIGITS))


def rule_impossible_share(found: Diagnosis) -> Feedback | None:
    """Is it near enough to be right, but no share of the repetitions?"""
    question, test = found.question, found.test
    if not (is_equal(found.answer, found.right, found.room) and question.is_no_share(test, found.answer)):
        return None
    return _unknown(found, NO_SHARE.format(question.repetitions(test) if question.repetitions else 0))


def rule_right(found: Diagnosis) -> Feedback | None:
    """Is it right?"""
    if not is_equal(found.answer, found.right, found.room):
        return None
    row = row_of(found.test, found.question.step)
    worked = row is not None and (row.formula or not np.ndim(row.value)) and row.kind == "step"
    lines = [f"${equation(row)}$"] if row is not None and worked else []
    return Feedback(found.question.key, "right", (*lines, *filter(None, [found.question.aside])))


def rule_too_few_digits(found: Diagnosis) -> Feedback | None:
    """Is it the right number with too few digits, which come from nowhere else?"""
    short = found.short
    if not short or short.left != "enough" or found.comes_from_elsewhere:
        return None
    return _digits(found.question, short, found.right)


def rule_error_carried_forward(found: Diagnosis) -> Feedback | None:
    """Does it follow from the student's own earlier answers?"""
    if not any(is_equal(found.answer, value, found.room) for value in found.following):
        return None
    if all(answer.is_right for answer in found.above.values()):
        return Feedback(found.question.key, "right", (ROUNDED,))
    line = f"It follows from what you have at {to_mend(found.above) or 'an earlier question'}. Mend that, and look at this line again."
    return Feedback(found.question.key, "carried", (line,))


def rule_carried_with_too_few_digits(found: Diagnosis) -> Feedback | None:
    """Does it follow from them but for its digits, and is it no mistake with all of its digits?"""
    for value in found.following if not found.with_all_digits else ():
        lacking = found.shortening(value)
        if lacking and lacking.left == "enough":
            return _digits(found.question, lacking, value, to_mend(found.above))
    return None


def rule_wrong_decision(found: Diagnosis) -> Feedback | None:
    """Is it a wrong yes or no, of which no more can be said?"""
    return _hint(found, found.attempt + 1) if is_verdict(found.right) else None


def rule_named_mistake(found: Diagnosis) -> Feedback | None:
    """Does one mistake alone give it, which nothing that was answered rightly refutes?"""
    sure = found.sure
    if len(sure) != 1 or (found.is_rough and sure[0] not in found.with_all_digits):
        return None
    said = _name_mistake(found, sure[0])
    other = ambiguity_reason(found, sure[0])
    return replace(said, guess=True, lines=(f"{other} It could be this, too:", *said.lines)) if other else said


def rule_near_miss(found: Diagnosis) -> Feedback | None:
    """Can it be seen how it lies near the right one: the other sign, upside down, the square, another order?"""
    near = found.near
    if near is None or found.likely or found.is_rough or not (found.remarks in ([], [LATER]) or found.has_other_sign):
        return None
    short = found.short is not None  # the right number with one decimal may look like this, too
    lines = (HARDLY, f"If your number has no more digits: {near.sentence}") if short else (near.sentence,)
    return Feedback(found.question.key, "mistake", lines, near.name, found.question.see, guess=short)


def rule_hint(found: Diagnosis) -> Feedback:
    """Otherwise: what can be seen in the number, what it may come from, and the next hint."""
    lines = _observations(found)
    if guesses := found.guesses or ([] if lines else found.by_chance):  # a guess that could be two things is a hint
        names = " or from ".join(repr(one.name) for one in guesses)
        lines = [f"This may come from {names}.{f' {HARDLY}' * found.is_rough}", *(line for line in lines if line != LATER)]
    mute = found.y.dtype.kind == "b" and not lines  # of yes and no nothing more can be said: the formula at once
    return _hint(found, found.attempt + mute, *lines)


RULES: tuple[Callable[[Diagnosis], Feedback | None], ...] = (
    rule_typed_number,
    rule_impossible_share,
    rule_right,
    rule_too_few_digits,
    rule_error_carried_forward,
    rule_carried_with_too_few_digits,
    rule_wrong_decision,
    rule_named_mistake,
    rule_near_miss,
    rule_hint,
)


def applied_rules(found: Diagnosis) -> Iterator[tuple[Callable[[Diagnosis], Feedback | None], Feedback | None]]:
    """Each rule with what it says, up to the first that says something; the last one always does."""
    for rule in RULES:
        said = rule(found)
        yield rule, said
        if said is not None:
            return


def judge(found: Diagnosis) -> Feedback:
    """The verdict on a value that was read, seen in the light of the answers to earlier steps."""
    return next(said for _, said in applied_rules(found) if said is not None)


# -- for the lecturer --------------------------------------------------------------------------------------------------------
def explain_verdict(found: Diagnosis) -> Table:
    """Why an answer got its reply: each rule that was asked, in order, and what became of every mistake that gives this value."""
    lines = [("no" if said is None else "yes", str(rule.__doc__)) for rule, said in applied_rules(found)]
    notes = [f"{one.name!r} gives this value, {_mistake_outcome(found, one)}." for one in found.all_possible]
    above = ", ".join(f"{one.key} ({VERDICT_DISPLAY[one.verdict][1].lower()})" for one in found.above.values())
    notes += [f"Seen in the light of {above}."] * bool(above)
    return Table(("", "rule"), lines, caption=f"{found.question.key}: {judge(found).title}", notes=notes, left=(0, 1))


def _mistake_outcome(found: Diagnosis, mistake: Mistake) -> str:
    if mistake in found.by_chance:
        return "by chance: the answer has more digits, and the others differ"
    if mistake not in found.believed:
        return "but an answer that is right speaks against it"
    if mistake not in found.likely:
        return "but another is likelier: of the exercise itself, or made at this step"
    return "and nothing speaks against it" if mistake in found.sure else "but so do too many things, or the number is too short to tell"


# -- replies -----------------------------------------------------------------------------------------------------------------
def _unknown(found: Diagnosis, *lines: str) -> Feedback:
    return Feedback(found.question.key, "unknown", lines, see=found.question.see)


def _hint(found: Diagnosis, attempt: int, *lines: str) -> Feedback:
    return _unknown(found, *lines, *hints(found, attempt))


def _digits(question: Question, few: Shortened, right: Any, wrong: str = "") -> Feedback:
    """The right way, and too few digits at its end."""
    how = "That is cut off instead of rounded" if few.how == "cut" else "That has too few digits"
    whole = "all of its digits, since it comes out whole"
    many = whole if np.all(right == np.floor(right)) else "three significant digits, rounded, or all that the computer shows"
    line = f"The right way{f', given what you have at {wrong}' if wrong else ''}. {how}: give {many}."
    return Feedback(question.key, "digits", (line,))


def _observations(found: Diagnosis) -> list[str]:
    """What can be said of a number whose mistake has no name, or several."""
    if found.question.is_count_of_a_share(found.test, found.answer, found.right):
        lines = [COUNT]
    elif found.short and (found.is_rough or not found.guesses):
        line = "" if found.is_rough else another_line(found)
        lines = [] if found.guesses else [*filter(None, [line]), found.short.sentence]
    else:
        lines = found.remarks
    if found.guesses:
        return lines
    if lines in ([], [NO_CHANCE]) and (line := origin(found)):
        whose = "numbers are" if found.y.ndim else "number is"
        return [*lines, f"Your {whose} what ${line}$ gives: what of it does not belong, or is missing?"]
    if not lines and not found.by_chance and found.attempt <= SIZE_HINT_ATTEMPT and not to_mend(found.above):
        return [*filter(None, [size(found)])]
    return lines


def _name_mistake(found: Diagnosis, mistake: Mistake) -> Feedback:
    """What was done, why it is wrong, and from which formula the answer comes."""
    wrong, here = found.tests[mistake.wrong], found.is_at(mistake)
    step = wrong.steps[mistake.step]
    lines = [mistake.sentence if here else f"In ${step.symbol}$: {mistake.sentence}"]
    if template := step.shown(wrong):
        symbols = {name: about["symbol"] for name, about in wrong.inputs.items()} | {name: s.symbol for name, s in wrong.steps.items()}
        lines.append(f"Your answer comes from ${step.symbol} {step.relation} {Template(template).substitute(symbols)}$.")
    if not found.likely and found.earlier:
        lines.append("You had it right further up: what you have there leads to another number here.")
    elif not here:
        lines.append("The slip lies further up; what follows from it is worked out well.")
    return Feedback(found.question.key, "mistake", tuple(lines), mistake.name, mistake.see)
