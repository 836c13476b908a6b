"""Hints of increasing detail after wrong answers.

The last hint works the same step on other data, and no hint contains the right answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from string import Template
from typing import Any

import numpy as np

from ....core.number_format import format_plain
from ....core.procedure import Procedure
from ....core.worked_example_row import Row
from ....render.latex import equation
from ..answers.answer_diagnosis import Diagnosis
from ..answers.answer_history import answers_to, wrong_questions
from ..answers.answer_value import is_distinct, is_equal
from ..exercise import is_verdict, start_test
from ..mistakes.near_misses import CLOSE, MANY, PERCENT, POINT
from ..question import Question
from ..verdicts.marked_line import MarkedLine
from .python_call import call_for

COUNTED = 3  # last attempt at which the number of right yes-or-no entries is given; later, students could guess the entries one by one
WRITTEN = 24  # maximum number of table entries shown in a hint
ANSWER = re.compile(r": number of [^:]* (?:minus|plus) .*")  # part of a sentence that reveals the whole calculation
PYTHON = "The same calculation in Python"
LEVEL = "The level of the test: the tolerated probability of rejecting a null hypothesis that is true"
TERMS = 6  # maximum number of terms of a sum shown in a hint
END = "There are no more hints. Read the section again, and follow its example step by step; then return to your own numbers."


def hints(diagnosis: Diagnosis, attempt: int) -> tuple[str, ...]:
    """Return the hints after the given number of wrong answers: one more hint at each attempt.

    For a column, a hint also says which entry is wrong.
    """
    is_decided = diagnosis.y.dtype.kind == "b"
    lines = right_entries(diagnosis) if attempt <= COUNTED or not is_decided else []
    with np.errstate(all="ignore"):  # hide NumPy warnings about extreme example data
        ladder = islice(_ladder(diagnosis), attempt)
        return (*ladder, *lines) if is_decided else (*lines, *ladder)


def _ladder(diagnosis: Diagnosis) -> Iterator[str]:
    """Yield all hints in order: the wanted value and its inputs, the formula, the calculation on other data and in Python, the end."""
    step, row = diagnosis.step, worked_row(diagnosis.test, diagnosis.question.step)
    yield " ".join(filter(None, [f"The question asks for: {ANSWER.sub('.', step.sentence)}", _inputs(diagnosis)]))
    if row is not None and row.formula:
        yield f"The formula: ${row.symbol} {row.relation} {row.formula}$.{_legend(diagnosis)}"
    # students who are nearly right get no Python line, because they would copy it instead of finding their slip
    is_near = any(isinstance(line, MarkedLine) for line in diagnosis.line_remarks) or diagnosis.remarks[:1] in ([PERCENT], [POINT], [CLOSE])
    lines = diagnosis.kept("example", lambda: (*_example(diagnosis),))
    yield from (line for line in lines if not (is_near and line.startswith(PYTHON)))
    yield END


def worked_row(test: Procedure, step: str) -> Row | None:
    """Return the worked row of a step; None if the step is not displayed."""
    getattr(test, step)
    return next((row for row in test.worked() if row.name == step), None)


def right_entries(diagnosis: Diagnosis) -> list[str]:
    """Say how many entries of a column are right, and where the first wrong one is; of a long column of yes and no only how many."""
    x, y = diagnosis.x, diagnosis.y
    if y.dtype.kind == "b":
        return [f"{np.sum(x == y)} of {y.size} entries are right."] if y.size >= MANY and (x == y).any() else []
    if not y.ndim:
        return []
    rounded = diagnosis.from_rounded_inputs()  # an entry is also right if it follows from the student's own rounded answers
    own = y if rounded is None else np.asarray(rounded.value_in(rounded.test))
    fits = [is_equal(one, other) or is_equal(one, mine) for one, other, mine in zip(x.flat, y.flat, own.flat, strict=True)]
    if not any(fits):
        return ["No entry is right yet: perhaps a step that all entries share is wrong."]
    place = int(np.argmin(fits))
    where = f"position {place + 1}" if y.ndim == 1 else f"line {place // y.shape[1] + 1}, column {place % y.shape[1] + 1}"
    # with a single wrong entry, the total would reveal the right value of this entry
    is_count = diagnosis.question.step == "table" and x.sum() != y.sum() and sum(fits) < y.size - 1
    total = [f"Your entries add up to {format_plain(x.sum())}, but the table has {format_plain(y.sum())} records."] if is_count else []
    return [f"{sum(fits)} of {y.size} entries are right; the first wrong entry is in {where}.", *total]


def _inputs(diagnosis: Diagnosis) -> str:
    """Name the earlier answers that the step uses; if some of them are wrong, name only the wrong ones."""
    if wrong := wrong_questions(diagnosis.earlier_inputs):
        return f"First correct your {answers_to(wrong)}."
    keys = [answer.key for step, answer in diagnosis.earlier_inputs.items() if step in diagnosis.step.slots]
    return f"The value of this question follows from your answer{'s' * (len(keys) > 1)} to {' and '.join(keys)}." if keys else ""


def _input_rows(test: Procedure, step: str) -> list[Row]:
    """Return the rows of the inputs of a step, in the order of its formula."""
    rows = {row.name: row for row in test.worked()}
    return [rows[name] for name in dict.fromkeys(test.steps[step].slots) if name in rows]


def _legend(diagnosis: Diagnosis) -> str:
    """Explain the symbols of a formula in words."""
    words = [
        f"${row.symbol}$: {LEVEL if row.name == 'alpha' and is_verdict(diagnosis.right) else row.sentence.rstrip('.')}"
        for row in _input_rows(diagnosis.test, diagnosis.question.step)
        if row.sentence
    ]
    return " Symbols: " + "; ".join(words) + "." if words else ""


# -- on other data ---------------------------------------------------------------------------------------------------------------
def _example(diagnosis: Diagnosis) -> Iterator[str]:
    """Yield the hints that are the same at each attempt: the calculation on other data, an example in words, the call in Python."""
    question, other = diagnosis.question, _elsewhere(diagnosis)
    example = None if other is None else worked_row(other, question.step)
    if other is not None and example is not None and example.formula:
        yield f"The same calculation on other data{_data(other, question)}: ${_written_out(other, example)}$."
    if question.example:
        yield f"On other data: {question.example}"
    if other is not None and (typed := call_for(diagnosis.exercise, question, other)):
        yield f"{PYTHON} (np is numpy, stats is scipy.stats): {typed}"


def _elsewhere(diagnosis: Diagnosis) -> Procedure | None:
    """Return the test on example data that no student has, with a value that clearly differs from the student's right value."""
    exercise = diagnosis.exercise
    rng = np.random.default_rng(list(f"{exercise.name} example".encode()))
    for attempt in range(50):
        data = dict(exercise.draw(rng))
        if attempt >= 10:  # after ten failed draws, also change the values that are equal for all students
            data |= exercise.elsewhere
        test = start_test(type(diagnosis.test), data)
        value = diagnosis.value_in(test)
        if is_distinct(value, diagnosis.right) and (not diagnosis.is_number or np.isfinite(value).all()):
            return test
    return None


def _data(test: Procedure, question: Question) -> str:
    """Write the columns and the distribution that a calculation uses, because the formula with numbers does not show them."""
    shown = []
    for row in _input_rows(test, question.step):
        value = row.value
        if row.name in ("null", "coins") or hasattr(value, "at_most"):
            shown.append(f"${row.symbol}$ is {value}")
        elif np.ndim(value) and np.size(value) <= WRITTEN and np.asarray(value).dtype.kind in "fiub":
            shown.append(f"${row.symbol}$ = {format_list(value)}")
    return f" ({'; '.join(shown)})" if shown else ""


def format_list(value: Any) -> str:
    """Write a number, a list or a table."""
    x = np.asarray(value)
    return "[" + ", ".join(map(format_list, x)) + "]" if x.ndim else format_plain(x[()])


_SUM = re.compile(r"\\sum_(?:\w+|\{\w+\}) (?P<term>\(\$\w+ - \$\w+\)\^2|\$\w+\^2|\$\w+)(?=\s*($|[+}\]]))")


def _written_out(test: Procedure, row: Row) -> str:
    """Write the equation of a row; a sum over a column is written term by term."""
    template = test.steps[row.name].template(test)
    match = _SUM.search(template)
    terms = _terms(test, match["term"]) if match and not row.is_column else ""
    if not match or not terms:
        is_table = np.ndim(row.value) == 2 and np.size(row.value) <= WRITTEN and np.asarray(row.value).dtype.kind in "iuf"
        return equation(row) + (f" = {format_list(row.value)}" if is_table and row.formula and "; " not in equation(row) else "")
    rest = Template(template[: match.start()] + "\0" + template[match.end() :])
    shown = {name: _number(test, name) for name in rest.get_identifiers()}
    line = rest.substitute(shown).replace("\0", rf"\left({terms}\right)")
    return f"{row.symbol} {row.relation} {row.formula} {row.relation} {line} {row.relation} {format_plain(row.value)}"


def _terms(test: Procedure, term: str) -> str:
    """Write the terms of a sum as numbers (the first three and the last if there are many); empty if the sum is not over one column."""
    columns = {name: np.asarray(getattr(test, name)) for name in Template(term).get_identifiers()}
    size = max(column.size for column in columns.values())
    if size == 1 or any(column.ndim > 1 or column.size not in (1, size) for column in columns.values()):
        return ""
    bare = len(columns) == 1 and "^" not in term

    def written(x: Any) -> str:
        return format_plain(x) if x >= 0 or bare else f"({format_plain(x)})"

    lines = zip(*(np.broadcast_to(column, size) for column in columns.values()), strict=True)
    terms = [Template(term).substitute(dict(zip(columns, map(written, numbers), strict=True))) for numbers in lines]
    shown = terms if size <= TERMS else [*terms[:3], r"\ldots", terms[-1]]
    return " + ".join(shown).replace("+ -", "- ")


def _number(test: Procedure, name: str) -> str:
    """Write a value in a formula as a number; if it is not a number, write its symbol."""
    value = getattr(test, name)
    if not np.ndim(value) and np.asarray(value).dtype.kind in "fiu":
        return format_plain(value)
    return str(test.steps[name].symbol if name in test.steps else test.inputs[name]["symbol"])
