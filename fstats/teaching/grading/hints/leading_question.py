"""Questions that lead on from a wrong number: what the number is made of, and how large a rough estimate is.

A question beside "too large" or "too small" never contains the right number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress

import numpy as np

from ....core.worked_example_row import Row
from ..answers.answer_context import AnswerContext

ONE = "Estimate the value with one digit of each part: is it larger or smaller than 1?"
QUESTIONS = (  # by the first pattern that the template of the step contains
    (r"\\#", "Which condition must a case fulfil to be counted, and which cases fulfil the condition?"),
    (r"\\text\{ with ", "Which line and which column of the table does the question ask for?"),
    (r" : .*P\(", "How much of the distribution must lie beyond the value, and on one side or on both sides?"),
    (r"\{\w : ", "Which condition must the value fulfil? Does the value next to yours fulfil the condition, too?"),
    (r"P(\\left)?\(", "Which values does the probability cover: above or below which value, and on one side or on both sides?"),
    (r"\\sum_\S+ (\$\w+\^2|(\\left)?\(.*\)\^2)", "Which numbers are squared, how large is a typical one, and how many squares are added?"),
    (r"\\sum", "Which numbers are added, how large is a typical one, and how many are added?"),
)


def leading_question(context: AnswerContext) -> str:
    """Return a question about the parts or the size of a wrong number; empty if the step has neither."""
    template = context.step.template(context.test)
    question = next((question for pattern, question in QUESTIONS if re.search(pattern, template)), "")
    if (abs(context.x) < 1) != (abs(context.y) < 1) and not context.is_probability and "x :" not in template:
        return f"{question} {ONE}".strip()
    if question:
        return question
    influences = sorted(_influences(context), key=lambda pair: pair[0])  # parts that make the value smaller come first
    if not influences:
        return "From which numbers does the value follow, and what is done with each of them?"
    _, row = influences[0]
    words = row.sentence.partition(";")[0].rstrip(".")
    return f'If ${row.symbol}$ ("{words}") were larger, would the value be larger or smaller? And by your calculation?'


def _influences(context: AnswerContext) -> Iterator[tuple[bool, Row]]:
    """Yield the parts of the step that are single numbers, with True if the size of the value grows with the part."""
    test = context.test
    for row in (row for row in test.worked() if row.name in context.step.slots):
        part = np.asarray(row.value)
        with suppress(Exception):  # a larger part may be impossible, for example a share above 1
            if not part.ndim and part.dtype.kind in "iuf":
                larger = context.value_in(test.assuming(**{row.name: part[()] * 1.05 if part.dtype.kind == "f" else part[()] + 1}))
                if abs(larger) != abs(context.y):
                    yield bool(abs(larger) > abs(context.y)), row
