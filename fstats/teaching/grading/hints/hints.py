"""Hints in rising strength, up to the same line on other data with every number in it; never the number that is asked for."""

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
from ..answers.answer_history import wrong_questions
from ..answers.answer_value import is_distinct, is_equal
from ..exercise import start_test
from ..question import Question
from .python_call import call_for

POINTED = 2  # attempts at which a student reads which entry is wrong; with more, one could try the entries one by one
WRITTEN = 24  # numbers of a table that are written in a hint, at most
TERMS = 6  # terms of a sum that are written out, at most
END = "That is the last hint. Read the section once more and follow its example step by step; then come back to your own numbers."


def hints(diagnosis: Diagnosis, attempt: int) -> tuple[str, ...]:
    """Return the hints after a number of different wrong answers: one more hint at each attempt.

    For a column, a hint also says which entry is wrong.
    """
    lines = _right_entries(diagnosis) if 2 <= attempt < 2 + POINTED else []
    with np.errstate(all="ignore"):  # other data may be extreme
        return (*lines, *islice(_ladder(diagnosis), attempt))


def _ladder(diagnosis: Diagnosis) -> Iterator[str]:
    """Yield all hints: what is asked and from which answers it follows; the formula; the line on other data; its Python call; the end."""
    question, step, row = diagnosis.question, diagnosis.step, worked_row(diagnosis.test, diagnosis.question.step)
    yield " ".join(filter(None, [f"The question asks for: {step.sentence}", _inputs(diagnosis)]))
    if row is not None and row.formula:
        yield f"The formula: ${row.symbol} {row.relation} {row.formula}$.{_legend(diagnosis)}"
    if question.key not in diagnosis.tests.examples:
        diagnosis.tests.examples[question.key] = (*_example(diagnosis),)
    yield from diagnosis.tests.examples[question.key]
    yield END


def worked_row(test: Procedure, step: str) -> Row | None:
    """Return the worked row of a step; None if the step is not displayed."""
    getattr(test, step)
    return next((row for row in test.worked() if row.name == step), None)


def _right_entries(diagnosis: Diagnosis) -> list[str]:
    """Say how many entries of a column are right; nothing for a column of yes and no, which one could try out."""
    x, y = diagnosis.x, diagnosis.y
    if not y.ndim or y.dtype.kind == "b":
        return []
    fits = [is_equal(one, other) for one, other in zip(x.flat, y.flat, strict=True)]
    place = int(np.argmin(fits))
    where = f"entry {place + 1}" if y.ndim == 1 else f"line {place // y.shape[1] + 1}, column {place % y.shape[1] + 1}"
    return [f"{sum(fits)} of {y.size} entries are right; the first wrong one is {where}."]


def _inputs(diagnosis: Diagnosis) -> str:
    """Name the earlier answers from which the step follows, or those of them that are wrong."""
    if wrong := wrong_questions(diagnosis.earlier_inputs):
        return f"First correct your answer{'s' * (' and ' in wrong)} at {wrong}."
    keys = [answer.key for step, answer in diagnosis.earlier_inputs.items() if step in diagnosis.step.slots]
    return f"It follows from your answer{'s' * (len(keys) > 1)} at {' and '.join(keys)}." if keys else ""


def _input_rows(test: Procedure, step: str) -> list[Row]:
    """Return the rows of the inputs of a step, in the order of its formula."""
    rows = {row.name: row for row in test.worked()}
    return [rows[name] for name in dict.fromkeys(test.steps[step].slots) if name in rows]


def _legend(diagnosis: Diagnosis) -> str:
    """Explain the symbols of a formula in words."""
    words = [f"${row.symbol}$: {row.sentence.rstrip('.')}" for row in _input_rows(diagnosis.test, diagnosis.question.step) if row.sentence]
    return " Here " + "; ".join(words) + "." if words else ""


# -- on other data ---------------------------------------------------------------------------------------------------------------
def _example(diagnosis: Diagnosis) -> Iterator[str]:
    """Yield the hints that are the same at each attempt: the line on other data, an example in words, the call in Python."""
    question, other = diagnosis.question, _elsewhere(diagnosis)
    example = None if other is None else worked_row(other, question.step)
    if other is not None and example is not None and example.formula:
        yield f"The same line on other data{_data(other, question)}: ${_written_out(other, example)}$."
    if question.example:
        yield f"On other data: {question.example}"
    if other is not None and (typed := call_for(diagnosis.exercise, question, other)):
        yield f"In Python (np is numpy, stats is scipy.stats) that line is: {typed}"


def _elsewhere(diagnosis: Diagnosis) -> Procedure | None:
    """Return the test on example data of no student, on which the value clearly differs from the student's right value."""
    exercise = diagnosis.exercise
    rng = np.random.default_rng(list(f"{exercise.name} example".encode()))
    for attempt in range(50):
        data = dict(exercise.draw(rng))
        if attempt >= 10:  # a value that is the same for all students gets another value here
            data |= exercise.elsewhere
        test = start_test(type(diagnosis.test), data)
        value = diagnosis.value_in(test)
        if is_distinct(value, diagnosis.right) and (not diagnosis.is_number or np.isfinite(value).all()):
            return test
    return None


def _data(test: Procedure, question: Question) -> str:
    """Write the columns and the distribution of a line that its formula with numbers does not show."""
    shown = []
    for row in _input_rows(test, question.step):
        value = row.value
        if row.name in ("null", "coins") or hasattr(value, "at_most"):
            shown.append(f"${row.symbol}$ is {value}")
        elif np.ndim(value) and np.size(value) <= WRITTEN and np.asarray(value).dtype.kind in "fiub":
            shown.append(f"${row.symbol}$ = {_format_list(value)}")
    return f" ({'; '.join(shown)})" if shown else ""


def _format_list(value: Any) -> str:
    x = np.asarray(value)
    return "[" + ", ".join(map(_format_list, x)) + "]" if x.ndim else format_plain(x[()])


_SUM = re.compile(r"\\sum_(?:\w+|\{\w+\}) (?P<term>\(\$\w+ - \$\w+\)\^2|\$\w+\^2|\$\w+)(?=\s*($|[+}\]]))")


def _written_out(test: Procedure, row: Row) -> str:
    """Write the equation of a row; a sum over a column is written out term by term."""
    template = test.steps[row.name].template(test)
    match = _SUM.search(template)
    terms = _terms(test, match["term"]) if match and not row.is_column else ""
    if not match or not terms:
        return equation(row)
    rest = Template(template[: match.start()] + "\0" + template[match.end() :])
    shown = {name: _number(test, name) for name in rest.get_identifiers()}
    line = rest.substitute(shown).replace("\0", rf"\left({terms}\right)")
    return f"{row.symbol} {row.relation} {row.formula} {row.relation} {line} {row.relation} {format_plain(row.value)}"


def _terms(test: Procedure, term: str) -> str:
    """Write the terms of a sum with their numbers (the first three and the last of many); empty if the sum is not over one column."""
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
    """Write the number of a value in a formula, or its symbol if it is no number."""
    value = getattr(test, name)
    if not np.ndim(value) and np.asarray(value).dtype.kind in "fiu":
        return format_plain(value)
    return str(test.steps[name].symbol if name in test.steps else test.inputs[name]["symbol"])
