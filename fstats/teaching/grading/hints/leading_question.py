"""Guiding questions for students after a wrong number.

A question beside "too large" or "too small" never contains the right number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress

import numpy as np

from ....core.number_format import format_plain
from ....core.worked_example_row import Row
from ..answers.answer_context import AnswerContext
from ..answers.answer_diagnosis import Diagnosis
from ..answers.answer_value import is_equal
from .quantity_label import quantity_label

LEAST = 1e-4  # smallest power of ten that a hint names; smaller numbers are hard to imagine
ONE = "Estimate the value with one digit of each part: is it larger or smaller than 1?"
CONDITION = "Which condition must the value fulfil? Does the value next to yours fulfil the condition, too?"
LIMIT_OF_CASES = r"\\(max|min)\\\{"  # pattern of a formula for the largest or smallest number that has a property
QUESTIONS = (  # (pattern, question); the first pattern that occurs in the formula of the step gives the question
    (r"\\text\{ with ", "Which line and which column of the table does the question ask for?"),
    (r" : .*P\(", "How much of the distribution must lie beyond the value, and on one side or on both sides?"),
    (r"\{\w : ", CONDITION),
    (r"P(\\left)?\(", "Which values does the probability cover: above or below which value, and on one side or on both sides?"),
    (r"\\sum_\S+ (\$\w+\^2|(\\left)?\(.*\)\^2)", "Which numbers are squared, how large is a typical one, and how many squares are added?"),
    (r"\\sum", "Which numbers are added, how large is a typical one, and how many are added?"),
)


OTHER_CELL = "Your number stands in another cell of the table. Which line and which column does the question ask for?"
TOO_MANY = "Which cases did you count that do not fulfil the condition: zeros, equal values, the other direction, or a case twice?"
TOO_FEW = "Which cases that fulfil the condition did you not count: equal values, the other direction, the first or the last case?"
MADE_OF, MAGNITUDE = "The value is made of: {}.", "The value that is asked for lies between {} and {}."
DECISION = "The decision compares two numbers as they are: {} with {}. Which of the two is larger, and what follows? {}"
REJECTION = "A test rejects if p is small enough. If you compared a statistic, compare its size with its own critical value."
WORDS = {"pvalue": "p", "alpha": "alpha, the level of the test"}
SIZE = "Compare the size of {} (without its sign) with {}, the limit for level 0.05: which of the two is larger?"
CALCULATION = "If not, check what you did with the right one."
MOST_PARTS = 4
INFLUENCE = 'If ${}$ ("{}") were larger, would the value be larger or smaller? Does your calculation change in the same direction?'
SAME_AMOUNT = "{} of your wrong entries are too {} by the same amount."
LEAST_WRONG, MOST_WRONG = 3, 2 / 3  # minimum number and minimum share of the wrong entries that must be wrong by the same amount
LEAST_ENTRIES = 5  # minimum length of a list for a hint on its number of yes; in a shorter list, this number would nearly reveal the answer
# hints do not name these inputs: nearly every formula contains the level, and a null distribution is not a number
UNSAID = ("alpha", "null")


def leading_question(context: AnswerContext, asked: str = "", needed: str = "") -> str:
    """Return the parts of a wrong number, its order of magnitude, and a question about them.

    `asked` says which input may be wrong; `needed`, what the earlier answers must be, which is asked beside the question about the parts.
    """
    if told := asked or needed:
        question = f"Did you compute with {'one of these numbers' if '; or if ' in told else 'this number'}?"
        further = "" if asked else f"{CALCULATION} {_pattern_question(context)}".strip()
        return " ".join(filter(None, (_magnitude(context), told, question, further)))
    return " ".join(filter(None, (_made_of(context), _magnitude(context), _question(context))))


def decision_question(diagnosis: Diagnosis) -> str:
    """Return the comparison that decides a yes or no about two numbers; empty if more is compared."""
    test, names = diagnosis.test, [*dict.fromkeys(diagnosis.step.slots)]
    if diagnosis.y.ndim or not {*names} <= {*test.steps, *test.inputs}:
        return ""
    labels = [WORDS.get(name) or quantity_label(test, name) for name in names]
    labels = [
        f"{label} (your answer to {diagnosis.earlier[name].key})" if name in diagnosis.earlier else label
        for name, label in zip(names, labels, strict=True)
    ]
    if limit := re.fullmatch(r"\|\$\w+\| \\geq ([\d.]+)", diagnosis.step.template(test)):
        return SIZE.format(labels[0], limit[1])
    values = [np.asarray(getattr(test, name)) for name in names]
    if len(names) != 2 or any(value.ndim or value.dtype.kind not in "iuf" for value in values):
        return ""
    return DECISION.format(*labels, REJECTION * (names[0] == "pvalue")).strip()


def entries_of_yes(context: AnswerContext) -> str:
    """Say whether too many or too few entries of a list are yes; empty if the answer is no list of yes and no."""
    x, y = context.x, context.y
    if y.dtype.kind != "b" or y.size < LEAST_ENTRIES:
        return ""
    if np.sum(x) == np.sum(y):
        return (
            "The number of your entries that are True fits, but they stand in other places: check to which name or row each entry belongs."
        )
    what = "Too many" if np.sum(x) > np.sum(y) else "Too few"
    return f"{what} of your entries are True: compare each number with its limit again, by the formula. Does its sign count, or its size?"


def common_error(context: AnswerContext) -> str:
    """Say that most wrong entries of a list are wrong by the same amount; empty if they are not."""
    x, y = context.x, context.y
    if not y.ndim or not context.is_number:
        return ""
    amounts = [float(one - other) for one, other in zip(x.flat, y.flat, strict=True) if not is_equal(one, other)]
    common = max(amounts, key=amounts.count, default=0.0)
    if amounts.count(common) < max(LEAST_WRONG, MOST_WRONG * len(amounts)):
        return ""
    return SAME_AMOUNT.format("All" if amounts.count(common) == len(amounts) else "Most", "large" if common > 0 else "small")


def _made_of(context: AnswerContext) -> str:
    """Name the quantities in the formula."""
    known = {*context.test.steps, *context.test.inputs}
    names = [name for name in dict.fromkeys(context.step.slots_in(context.test)) if name not in UNSAID and name in known]
    labels = [quantity_label(context.test, name) for name in names]
    return MADE_OF.format("; ".join(labels)) if 0 < len(labels) <= MOST_PARTS else ""


def _magnitude(context: AnswerContext) -> str:
    """Name the two powers of ten between which a value lies, if the answer is not between them and the value is no power of ten."""
    x, y = (abs(float(value)) for value in (context.x, context.y))
    if not y or not np.isfinite([x, y]).all() or context.y == np.floor(context.y) or context.y < 0:
        return ""
    low = 10.0 ** np.floor(np.log10(y))
    is_clear = low * 1.02 < y < 10 * low * 0.98
    return MAGNITUDE.format(format_plain(low), format_plain(10 * low)) if is_clear and not low <= x <= 10 * low and low >= LEAST else ""


def _pattern_question(context: AnswerContext) -> str:
    """Return the question about the kind of the formula; empty if it is arithmetic only."""
    template = context.step.template(context.test)
    is_whole = context.y == np.floor(context.y) and context.x == np.floor(context.x)
    is_of_cases = is_whole and re.search(LIMIT_OF_CASES, template)
    question = next((question for pattern, question in QUESTIONS if re.search(pattern, template)), "")
    if question == QUESTIONS[0][1] and np.any(np.asarray(getattr(context.test, context.step.slots[0])) == context.x):
        question = OTHER_CELL
    return case_question(context) or (CONDITION if is_of_cases else question)


def _question(context: AnswerContext) -> str:
    """Return a question about the parts or the size of a wrong number; empty if the step has neither."""
    question, template = _pattern_question(context), context.step.template(context.test)
    # do not ask for an estimate of a whole number: it is usually a count, and cannot be estimated from one digit of each part
    is_estimated = not (context.is_probability or context.y == np.floor(context.y) or "x :" in template)
    is_beside_1 = is_estimated and (abs(context.x) < 1) != (abs(context.y) < 1)
    if is_beside_1 and not _magnitude(context):
        return f"{question} {ONE}".strip()
    if question:
        return question
    influences = sorted(_influences(context), key=lambda pair: pair[0])  # inputs that make the value smaller come first
    if not influences:
        return "From which numbers does the value follow, and what is done with each of them?"
    _, row = influences[0]
    words = row.sentence.partition(";")[0].rstrip(".")
    return INFLUENCE.format(row.symbol, words)


def case_question(context: AnswerContext) -> str:
    """Return the question about the cases of a wrong count; empty if nothing is counted."""
    return (TOO_MANY if context.x > context.y else TOO_FEW) if r"\#" in context.step.template(context.test) else ""


def _influences(context: AnswerContext) -> Iterator[tuple[bool, Row]]:
    """Yield each input of the step that is a single number, with True if the absolute value of the step grows with the input."""
    test = context.test
    for row in (row for row in test.worked() if row.name in context.step.slots):
        part = np.asarray(row.value)
        with suppress(Exception):  # the test raises an error if the changed input is impossible, for example a share above 1
            if not part.ndim and part.dtype.kind in "iuf":
                larger = context.value_in(test.assuming(**{row.name: part[()] * 1.05 if part.dtype.kind == "f" else part[()] + 1}))
                if abs(larger) != abs(context.y):
                    yield bool(abs(larger) > abs(context.y)), row
