"""Rules that determine the feedback on an answer.

The rules look at digits first, then at the answer's own step, then at named mistakes, then at hints.
Each rule answers one question about the answer. The first rule that returns feedback determines the verdict.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from string import Template
from typing import Any

import numpy as np

from ....core.number_format import format_plain
from ....core.validation.stated_value_consistency import is_exact_check
from ....distributions.exact_rank_distributions import SignedRankSum
from ....distributions.symmetric_binomial import SymmetricBinomial
from ....render.display_table import Table
from ....render.latex import equation
from ..answers.answer_diagnosis import Diagnosis
from ..answers.answer_history import answers_to, wrong_questions
from ..answers.answer_value import DIGITS, has_full_precision, is_equal, is_identical, is_real_valued, significant_digits
from ..answers.lost_digits import ENOUGH, MSG_TOO_SHORT, MSG_TYPED, LostDigits
from ..exercise import is_verdict
from ..hints.hints import hints, right_entries, worked_row
from ..hints.leading_question import case_question, common_error, decision_question, entries_of_yes, leading_question
from ..mistakes.ambiguous_mistakes import ambiguity_reason
from ..mistakes.formula_search import origin
from ..mistakes.implied_inputs import SUM_OF, ImpliedInputs
from ..mistakes.mistake import Mistake
from ..mistakes.near_misses import FACTOR_OF_2, LATER, NO_CHANCE, POINT, REORDERED, ROOT, SCALED, another_line, rounded_multiple, size
from ..mistakes.plausible_slips import has_one_digit_too_few, has_one_wrong_digit
from ..mistakes.slip_search import VAGUE, is_simple_share, likely_slip, term_of_a_sum
from ..student_lines.formula_comparison import COMPARES, FIRST
from ..student_lines.line_edits import PARENTHESES
from .feedback import VERDICT_DISPLAY, Feedback

SIZE_HINT_ATTEMPT = 2  # last attempt with the reply "too large" or "too small"; with more attempts, students could find the number by trial
COUNT = "Your number is a count. The question asks for a share of all repetitions: divide the count by the number of repetitions."
NO_SHARE = (
    "Your number cannot be a number of rejections divided by {:,} repetitions, so it does not come from the simulation. Count the "
    "rejections, and divide by the number of repetitions."
)
ALL_OR_NONE = (
    "By your answer, {} of the repetitions is counted. Check the comparison with the critical value, and that each repetition has its own "
    "data: the rows and the columns of a table may be exchanged."
)
# first words of remarks to which the sentence about an implied input is added
FURTHER = ("The middle of your interval", "The width of your interval", SCALED)
CARRIED = "At the step ${}$: {}"
DOUBTED = "Perhaps you made this mistake at the step ${}$, although you did this step right in {}: {}"
UNUSED_ANSWERS = "Your earlier answers do not have this mistake: compare this calculation with theirs."
OWN_VALUE = re.compile(r"\b([Yy])our (?:number|answer)(s?)\b(?! (?:of|to)\b)")  # words for the value of the mistaken step
SHORT_INPUT = "Your answer follows from your answer to {}, which has too few digits. Give it with all digits, and compute again."
CUT = (
    "Your number is very close, but its last digit differs from the rounded value. If you computed with rounded numbers, compute with all "
    "digits. If you cut off digits, round instead: give {}{}."
)
ROUNDED_OR_SLIP = (
    "If you rounded your number, it may be right{}: give all its digits. If you did not round, look for a small slip{}, because it is not "
    "the right number."
)
A_COUNT = f"{NO_CHANCE} If your number counts cases, divide it by the number of all cases."
NO_MORE = "If it has no more digits (a zero at the end is not read), it is wrong."
OTHER_ENTRY = "Your number stands in another place of the table, too."
COINS = "If you counted both tails, check the power of 2 that you divided by: one coin too many gives the same number."
TIES = " (for example in the ranks of equal values)"
FEW_DIGITS = re.compile(r"\bdigit\b|few digits|significant digits|all its digits|digits that it has")
YOURS = re.compile(r"\b(?:[Yy]our number|digits of your answer)\b")
LEFT_OUT = "Perhaps a digit is missing in your number, or stands there twice: compare it with what your calculation shows."
ONE_DIGIT = "Most digits of your answer are right: check whether you mistyped one digit, or exchanged two."
APPROXIMATED = f"{ONE_DIGIT} Or did you use an approximation, such as the normal distribution, in place of the exact distribution?"
MSG_ROUNDED = "Your answer follows from your earlier answers, which are rounded. With more digits, your answer would be more exact."


# -- the rules, in their order ---------------------------------------------------------------------------------------------------
def rule_typed_number(diagnosis: Diagnosis) -> Feedback | None:
    """Is the answer a typed number, although the number must be simulated?"""
    question = diagnosis.question
    if not question.is_typed(diagnosis.test, diagnosis.answer):
        return None
    return _unknown(diagnosis, question.typed, *[MSG_TYPED] * (significant_digits(diagnosis.answer) < DIGITS))


def rule_impossible_share(diagnosis: Diagnosis) -> Feedback | None:
    """Is the answer close enough to be right, but no possible share of the repetitions?"""
    question, test = diagnosis.question, diagnosis.test
    if not (is_equal(diagnosis.answer, diagnosis.right, diagnosis.tolerance) and question.is_impossible_share(test, diagnosis.answer)):
        return None
    return _unknown(diagnosis, NO_SHARE.format(question.repetitions(test) if question.repetitions else 0))


def rule_right(diagnosis: Diagnosis) -> Feedback | None:
    """Is the answer right?"""
    if not is_equal(diagnosis.answer, diagnosis.right, diagnosis.tolerance):
        return None
    row = worked_row(diagnosis.test, diagnosis.question.step)
    worked = row is not None and (row.formula or not np.ndim(row.value)) and row.kind == "step"
    lines = [f"${equation(row)}$"] if row is not None and worked else []
    return Feedback(diagnosis.question.key, "right", (*lines, *filter(None, [diagnosis.question.aside])))


def rule_too_few_digits(diagnosis: Diagnosis) -> Feedback | None:
    """Is the answer the right number with too few digits, and does no mistake or other line give the same number?"""
    short = diagnosis.lost_digits
    if not short or short.left != "enough" or diagnosis.has_other_origin:
        return None
    return _digits(diagnosis, short, diagnosis.right)


def rule_error_carried_forward(diagnosis: Diagnosis) -> Feedback | None:
    """Does the answer follow from the student's own earlier answers?"""
    if not any(is_equal(diagnosis.answer, value, diagnosis.tolerance) for value in diagnosis.carried_values):
        return None
    if all(answer.is_right for answer in diagnosis.earlier_inputs.values()):
        return Feedback(diagnosis.question.key, "right", (MSG_ROUNDED,))
    wrong = wrong_questions(diagnosis.used_inputs)
    if short := [answer.key for answer in diagnosis.earlier_inputs.values() if not wrong and answer.verdict == "digits"]:
        return Feedback(diagnosis.question.key, "carried", (SHORT_INPUT.format(short[0]),))
    wrong = wrong or "an earlier question"
    which = f"{answers_to(wrong)}, which {'are' if ' and ' in wrong else 'is'} not right yet"
    line = f"Your answer follows from your {which}. Correct {wrong} first, then compute this value again."
    return Feedback(diagnosis.question.key, "carried", (line,))


def rule_carried_with_too_few_digits(diagnosis: Diagnosis) -> Feedback | None:
    """Does the answer follow from the earlier answers with too few digits, and is it not exactly the value of a mistake?"""
    for value in diagnosis.carried_values if not diagnosis.exact_matches else ():
        lacking = diagnosis.lost_digits_from(value)
        if lacking and lacking.left == "enough":
            return _digits(diagnosis, lacking, value, wrong_questions(diagnosis.earlier_inputs))
    return None


def rule_wrong_decision(diagnosis: Diagnosis) -> Feedback | None:
    """Is the answer a wrong yes or no?"""
    if not is_verdict(diagnosis.right):
        return None
    # True if a remark on the student's line already says what the line compares
    is_told = any(line.startswith(COMPARES[:17]) for line in diagnosis.line_remarks)
    return _hint(diagnosis, diagnosis.attempt + 1, *([] if is_told else filter(None, [decision_question(diagnosis)])))


def rule_named_mistake(diagnosis: Diagnosis) -> Feedback | None:
    """Does exactly one mistake give the answer, and does no right earlier answer contradict the mistake?"""
    sure = diagnosis.certain_mistakes
    if len(sure) != 1 or (diagnosis.has_too_few_digits and sure[0] not in diagnosis.exact_matches):
        return None
    feedback = _name_mistake(diagnosis, sure[0])
    # no likely mistake means that an earlier right answer contradicts this mistake, so an implied input may explain the number
    told = "" if diagnosis.likeliest_mistakes else ImpliedInputs(diagnosis).sentence()
    if " if you round " in told:
        return replace(feedback, guess=True, lines=(f"{told} Or:", *feedback.lines))
    # True if the question asks for a critical value from a table of whole numbers, and there are no remarks on a line
    counts = [np.asarray(getattr(diagnosis.test, name)).dtype.kind in "iu" for name in diagnosis.step.slots if name != "alpha"]
    is_entry = "alpha" in diagnosis.step.slots and all(counts) and not (is_real_valued(diagnosis.right) or diagnosis.line_remarks)
    is_twice = is_entry and sure[0].step == diagnosis.question.step and ImpliedInputs(diagnosis).sentence(is_sure=False) != ""
    reason = ambiguity_reason(diagnosis, sure[0]) or OTHER_ENTRY * is_twice
    return replace(feedback, guess=True, lines=(f"{reason} One possible mistake:", *feedback.lines)) if reason else feedback


def rule_near_miss(diagnosis: Diagnosis) -> Feedback | None:
    """Is the answer a simple change of the right number: other sign, reciprocal, square, other order?"""
    near = diagnosis.near_miss
    if near is None or diagnosis.likeliest_mistakes or diagnosis.has_too_few_digits:
        return None
    if diagnosis.remarks not in ([], [LATER]) and not diagnosis.has_other_sign:
        return None
    # a right number with too few digits may look like a near miss
    short = diagnosis.lost_digits is not None
    lines: tuple[str, ...] = (MSG_TOO_SHORT, f"If you have given all digits of your number: {near.sentence}") if short else (near.sentence,)
    if near.sentence == ROOT and (told := ImpliedInputs(diagnosis).sentence()):  # a halved exponent has the effect of a root
        return Feedback(diagnosis.question.key, "mistake", (f"{told} Or:", *lines), near.name, diagnosis.question.see, guess=True)
    lines += tuple(right_entries(diagnosis)) if near is REORDERED and np.any(diagnosis.x == diagnosis.y) else ()
    return Feedback(diagnosis.question.key, "mistake", lines, near.name, diagnosis.question.see, guess=short)


def rule_hint(diagnosis: Diagnosis) -> Feedback:
    """If no other rule has feedback: give remarks on the number, possible mistakes, and the next hint."""
    lines = _observations(diagnosis)
    # the hint names each possible mistake that the student's line does not rule out
    guesses = diagnosis.candidate_mistakes or ([] if lines else diagnosis.chance_matches or diagnosis.rounded_mistakes)
    if not diagnosis.is_line_sure and (guesses := [mistake for mistake in guesses if not diagnosis.line_refutes(mistake)]):
        said = " Or: ".join(_of_a_value(one.what) if diagnosis.is_made_here(one) else _of_the_step(one.what) for one in guesses)
        on_the_way = ", with a rounded number on the way" * (guesses == diagnosis.rounded_mistakes != diagnosis.candidate_mistakes)
        whose = "this mistake" if len(guesses) == 1 else "one of these mistakes"
        guess = f"Your answer may come from {whose}{on_the_way}: {said}{f' {MSG_TOO_SHORT}' * diagnosis.has_too_few_digits}"
        # Many calculations give the same count, so also ask a question about the counted cases. Do not ask about an input:
        # its number is given, or the student has already answered it correctly.
        is_count = not (diagnosis.y.ndim or is_real_valued(diagnosis.right) or diagnosis.line_remarks)
        other = case_question(diagnosis) if is_count else ""
        lines = [f"{guess}{f' Or: {other}' * bool(other)}", *(line for line in lines if line != LATER)]
    # a wrong yes or no without remarks gets the formula one attempt earlier than other answers
    without_remark = diagnosis.y.dtype.kind == "b" and lines in ([], [entries_of_yes(diagnosis)])
    return _hint(diagnosis, diagnosis.attempt + without_remark, *lines)


# the rules are applied in the order of their definitions
RULES: tuple[Callable[[Diagnosis], Feedback | None], ...] = tuple(rule for name, rule in globals().items() if name.startswith("rule_"))


def applied_rules(diagnosis: Diagnosis) -> Iterator[tuple[Callable[[Diagnosis], Feedback | None], Feedback | None]]:
    """Yield each rule with its feedback, up to the first rule that has feedback; the last rule always has feedback."""
    for rule in RULES:
        feedback = rule(diagnosis)
        yield rule, feedback
        if feedback is not None:
            return


def judge(diagnosis: Diagnosis) -> Feedback:
    """Return the verdict on a readable answer, given the answers to earlier steps; what is said of digits shows the number."""
    feedback = _judged(diagnosis)
    if not diagnosis.is_number or diagnosis.x.ndim or has_full_precision(diagnosis.x):
        return feedback
    number = format_plain(diagnosis.x[()])
    lines = (YOURS.sub(rf"\g<0> {number}", line, count=1) if FEW_DIGITS.search(line) else line for line in feedback.lines)
    return replace(feedback, lines=tuple(lines))


def _judged(diagnosis: Diagnosis) -> Feedback:
    feedback = next(feedback for _, feedback in applied_rules(diagnosis) if feedback is not None)
    if feedback.verdict == "mistake" and diagnosis.is_line_sure:
        is_both = any(remark.startswith("`range`") or " no longer holds " in remark for remark in diagnosis.line_remarks)
        if is_both:
            return replace(feedback, lines=(*diagnosis.line_remarks, *feedback.lines))
        # the line may show that another slip gives the number of the mistake
        named = [mistake for mistake in diagnosis.certain_mistakes if mistake.name == feedback.mistake]
        is_other = any(diagnosis.line_refutes(mistake) for mistake in named)
        is_other |= PARENTHESES in diagnosis.line_remarks and "parentheses" not in feedback.mistake
        return _unknown(diagnosis, *diagnosis.line_remarks) if is_other else replace(feedback, lines=diagnosis.line_remarks)
    if feedback.verdict == "unknown":
        # leave out the remark on a mistyped decimal point if a line computed the number
        lines = [line for line in feedback.lines if line != POINT or not diagnosis.line_remarks]
        return replace(feedback, lines=(*diagnosis.line_remarks, *lines))
    # the named mistake explains more than a remark on the first operation of the line
    is_compared = "".join(diagnosis.line_remarks[1:2]).startswith(FIRST[:20])
    is_named = feedback.verdict == "mistake" and diagnosis.line_remarks[:1] and not is_compared
    # a guessed mistake, or a factor of 2, has many possible causes; the remarks on the line explain more
    if is_named and (feedback.guess or feedback.mistake == FACTOR_OF_2):
        return replace(feedback, lines=(*diagnosis.line_remarks, *feedback.lines))
    # a mark without words must not stand under a part that may be right
    is_sound = is_named and not diagnosis.is_mark_doubtful
    return replace(feedback, lines=(*feedback.lines, *diagnosis.line_remarks[:1])) if is_sound else feedback


# -- for the lecturer --------------------------------------------------------------------------------------------------------
def explain_verdict(diagnosis: Diagnosis) -> Table:
    """Explain to the lecturer why an answer got its reply: the applied rules, and the role of every mistake that gives the value."""
    lines = [("no" if feedback is None else "yes", str(rule.__doc__)) for rule, feedback in applied_rules(diagnosis)]
    notes = [f"{mistake.name!r} gives this value, {_mistake_outcome(diagnosis, mistake)}." for mistake in diagnosis.matching_mistakes]
    inputs = ", ".join(f"{answer.key} ({VERDICT_DISPLAY[answer.verdict][1].lower()})" for answer in diagnosis.earlier_inputs.values())
    notes += [f"These earlier answers were taken into account: {inputs}."] * bool(inputs)
    return Table(("", "rule"), lines, caption=f"{diagnosis.question.key}: {judge(diagnosis).title}", notes=notes, left=(0, 1))


def _mistake_outcome(diagnosis: Diagnosis, mistake: Mistake) -> str:
    if mistake in diagnosis.chance_matches:
        return "but by chance: the answer has more digits, and the further digits differ"
    if mistake not in diagnosis.unrefuted_mistakes:
        return "but a right earlier answer contradicts it"
    if mistake not in diagnosis.likeliest_mistakes:
        return "but another mistake of this exercise or at this step is likelier"
    certain = mistake in diagnosis.certain_mistakes
    return "and nothing contradicts this mistake" if certain else "but other mistakes give it, too, or the number has too few digits"


# -- replies -----------------------------------------------------------------------------------------------------------------
def _unknown(diagnosis: Diagnosis, *lines: str) -> Feedback:
    return Feedback(diagnosis.question.key, "unknown", lines, see=diagnosis.question.see)


def _hint(diagnosis: Diagnosis, attempt: int, *lines: str) -> Feedback:
    return _unknown(diagnosis, *lines, *hints(diagnosis, attempt))


def _digits(diagnosis: Diagnosis, loss: LostDigits, right: Any, wrong: str = "") -> Feedback:
    """Return the feedback that digits are missing, and that the calculation is right if the given digits are enough to show it."""
    reason = "Your number is cut off instead of rounded" if loss.how == "cut" else "Your number has too few digits"
    whole = "all digits of the whole number"
    wanted = whole if np.all(right == np.floor(right)) else "three significant digits, rounded, or all digits that the computer shows"
    given = f", given your {answers_to(wrong)}" if wrong else ""
    is_short = not diagnosis.x.ndim and diagnosis.simulation_tolerance is None and right % 1 and significant_digits(right) <= DIGITS
    more: tuple[str, ...] = ()
    if is_short and significant_digits(diagnosis.x) >= ENOUGH:  # a right number with so few digits need not be rounded
        line = ROUNDED_OR_SLIP.format(given, TIES if is_exact_check(diagnosis.step.check) else "")
    elif loss.how == "cut" and not diagnosis.x.ndim and significant_digits(diagnosis.x) >= DIGITS:
        line = CUT.format(wanted, given)
    elif diagnosis.x.ndim or significant_digits(diagnosis.x) >= ENOUGH:
        line = f"Your number agrees with the right one in the digits that it has{given}. {reason}: give {wanted}."
    else:
        line = f"Your number may be right{given}, but it has only one digit, and other calculations give this digit, too: give {wanted}."
        # the student's calculation may give no more digits than, for example, 0.0005, so later attempts also get the hints
        more = (NO_MORE, *(hints(diagnosis, diagnosis.attempt - 1) if diagnosis.attempt > 1 else ()))
    return Feedback(diagnosis.question.key, "digits", (line, *more))


def _observations(diagnosis: Diagnosis) -> list[str]:
    """Return the remarks on a number that is not explained by a single named mistake."""
    if diagnosis.question.is_count_of_a_share(diagnosis.test, diagnosis.answer, diagnosis.right):
        lines = [COUNT]
    elif diagnosis.question.repetitions and not diagnosis.x.ndim and diagnosis.x in (0, 1):
        lines = [ALL_OR_NONE.format("none" if diagnosis.x == 0 else "each"), *[MSG_TYPED] * (diagnosis.lost_digits is not None)]
    elif diagnosis.lost_digits and (diagnosis.has_too_few_digits or not diagnosis.candidate_mistakes):
        line = "" if diagnosis.has_too_few_digits else another_line(diagnosis)
        lines = [] if diagnosis.candidate_mistakes else [*filter(None, [line]), diagnosis.lost_digits.sentence]
    else:
        lines = diagnosis.remarks
    if diagnosis.candidate_mistakes or (diagnosis.line_remarks and not diagnosis.is_line_vague):
        return lines
    implied = ImpliedInputs(diagnosis)
    if lines in ([], [NO_CHANCE]) and (told := _explanation(diagnosis, implied) or _explanation_from_rounded_inputs(diagnosis)):
        return [*lines, told]
    if diagnosis.line_remarks:
        return lines
    if not lines and (multiple := rounded_multiple(diagnosis)):
        return [f"{multiple} {leading_question(diagnosis)}"]
    rounded = diagnosis.from_rounded_inputs()
    possible = implied.sentence(is_sure=False) or (ImpliedInputs(rounded).sentence(is_sure=False) if rounded else "")
    if lines and lines[0].startswith(FURTHER) and (more := implied.sentence() or possible):
        return [f"{lines[0]} {more}"]
    if not lines and has_one_wrong_digit(diagnosis.x, diagnosis.y):
        return [APPROXIMATED if diagnosis.is_probability and _is_exact(diagnosis) else ONE_DIGIT]
    is_late = diagnosis.attempt > SIZE_HINT_ATTEMPT or wrong_questions(diagnosis.earlier_inputs)
    is_of_cases = "null" not in diagnosis.step.slots or _is_exact(diagnosis)
    if lines == [NO_CHANCE] and is_of_cases and not diagnosis.y.ndim and diagnosis.x > 1 and diagnosis.x == np.floor(diagnosis.x):
        return [A_COUNT]
    if lines or diagnosis.chance_matches or diagnosis.rounded_mistakes or is_late:
        return lines
    direction = size(diagnosis)
    if diagnosis.y.ndim or not direction:
        return [*filter(None, [entries_of_yes(diagnosis) or common_error(diagnosis) or possible or implied.needed()])]
    term = "" if possible else term_of_a_sum(diagnosis)
    if not (term or possible) and has_one_digit_too_few(diagnosis.x, diagnosis.y):
        direction = f"{direction} {LEFT_OUT}"
    return [f"{direction} {term or leading_question(diagnosis, possible, implied.needed())}"]


def _explanation(diagnosis: Diagnosis, implied: ImpliedInputs) -> str:
    """Return the sentence about an input, a formula or a slip that gives the number; after a vague slip, also about an input."""
    told = (
        implied.sentence()
        or ("" if diagnosis.line_remarks else _formula(diagnosis))
        or ("" if diagnosis.line_reading and diagnosis.line_reading.edit else likely_slip(diagnosis))
    )
    is_vague = any(words in told for words in VAGUE)
    more = likely_slip(diagnosis) if SUM_OF in told else implied.sentence(is_sure=False) or term_of_a_sum(diagnosis) if is_vague else ""
    return f"{told} {more}".strip()


def _explanation_from_rounded_inputs(diagnosis: Diagnosis) -> str:
    """Explain how the number follows from the student's own rounded answers; empty if it does not."""
    rounded = None if diagnosis.line_remarks or diagnosis.chance_matches else diagnosis.from_rounded_inputs()
    return "" if rounded is None else _explanation(rounded, ImpliedInputs(rounded))


def _formula(diagnosis: Diagnosis) -> str:
    """Return the sentence about a formula that gives the number; empty if no such formula was found."""
    if diagnosis.is_number and not diagnosis.y.ndim and np.isfinite(diagnosis.x) and is_simple_share(diagnosis.x):
        return ""
    line, subject = origin(diagnosis, likely=True), "numbers are" if diagnosis.y.ndim else "number is"
    return f"Your {subject} equal to ${line}$. If you calculated this, compare it with the question's formula." if line else ""


def _is_exact(diagnosis: Diagnosis) -> bool:
    """Return whether the asked step uses an exact distribution, which counts the equally likely outcomes."""
    return "null" in diagnosis.step.slots and isinstance(getattr(diagnosis.test, "null", None), SymmetricBinomial | SignedRankSum)


def _name_mistake(diagnosis: Diagnosis, mistake: Mistake) -> Feedback:
    """Return the feedback on a named mistake: what the student did, why it is wrong, and the formula of the answer."""
    wrong, here = diagnosis.tests[mistake.wrong], mistake.step == diagnosis.question.step
    # The sentence of a common mistake is about the step of the mistake. The sentence of a mistake of this exercise is about
    # the first question that shows the mistake.
    here = here or (diagnosis.is_made_here(mistake) and mistake in diagnosis.exercise.mistakes)
    step, told = wrong.steps[mistake.step], _of_a_value(mistake.sentence) if here else _of_the_step(mistake.sentence)
    is_refuted, answered = not diagnosis.likeliest_mistakes and bool(diagnosis.earlier), diagnosis.earlier.get(mistake.step)
    right_in = answered.key if is_refuted and answered is not None and answered.is_right else ""
    lines = [DOUBTED.format(step.symbol, right_in, told) if right_in else told if here else CARRIED.format(step.symbol, told)]
    if template := step.shown(wrong):
        symbols = {name: about["symbol"] for name, about in wrong.inputs.items()} | {name: s.symbol for name, s in wrong.steps.items()}
        comes_from = "This mistake as a formula:" if right_in else "Your answer comes from"
        lines.append(f"{comes_from} ${step.symbol} {step.relation} {Template(template).substitute(symbols)}$.")
    lines += [COINS] if _is_exact(diagnosis) and is_identical(2 * diagnosis.answer, diagnosis.right) else []
    if is_refuted:
        lines += [] if right_in else [UNUSED_ANSWERS]
    elif not here and diagnosis.line is None:  # if the line is known, its mark already shows where the mistake is
        lines.append("The mistake was made at an earlier step; the later steps are computed correctly.")
    return Feedback(diagnosis.question.key, "mistake", tuple(lines), mistake.name, mistake.see, guess=bool(right_in))


def _of_a_value(sentence: str) -> str:
    """Adapt the sentence of a mistake, which may be about a function, to a question that asks for a value."""
    return sentence.replace("Your function returns", "Your calculation gives").replace("Your function", "Your calculation")


def _of_the_step(sentence: str) -> str:
    """Adapt the sentence of a mistake to an earlier step, because the student's number is not the value of that step."""
    sentence = _of_a_value(sentence)
    return OWN_VALUE.sub(lambda found: f"{'The' if found[1] == 'Y' else 'the'} value{found[2]} of this step", sentence)
