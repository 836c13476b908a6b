"""Hints, from a nudge to the same line on other data with every number in it; never the number that is asked for."""

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
from ..answers.answer_history import to_mend
from ..answers.answer_value import is_distinct, is_equal
from ..exercise import start_test
from ..question import Question
from .python_call import call_for

POINTED = 2  # so many times a student is told which entry is wrong: oftener, and one could try them out one by one
WRITTEN = 24  # numbers of a table that are written in a hint
TERMS = 6  # terms of a sum that are written out
END = "That is the last hint. Read the section once more and work its example along; then come back to your own numbers."


def hints(found: Diagnosis, attempt: int) -> tuple[str, ...]:
    """What a student reads at the first, second, ... different answer that is neither right nor has a name.

    So many rungs of the ladder as there were attempts; of a column also where it goes wrong.
    """
    lines = _right_entries(found) if 2 <= attempt < 2 + POINTED else []
    with np.errstate(all="ignore"):  # other data may be extreme
        return (*lines, *islice(_ladder(found), attempt))


def _ladder(found: Diagnosis) -> Iterator[str]:
    """All rungs: what is asked and what it follows from; the formula; the same line on other data; its call in Python; where it ends."""
    question, step, row = found.question, found.step, row_of(found.test, found.question.step)
    yield " ".join(filter(None, [f"Asked for: {step.sentence}", _inputs(found)]))
    if row is not None and row.formula:
        yield f"The formula: ${row.symbol} {row.relation} {row.formula}$.{_legend(found)}"
    if question.key not in found.tests.examples:
        found.tests.examples[question.key] = (*_example(found),)
    yield from found.tests.examples[question.key]
    yield END


def row_of(test: Procedure, step: str) -> Row | None:
    """The worked row of a step, if it is shown."""
    getattr(test, step)
    return next((row for row in test.worked() if row.name == step), None)


def _right_entries(found: Diagnosis) -> list[str]:
    """How many numbers of a column are right; nothing of yes and no, which one could try out."""
    x, y = found.x, found.y
    if not y.ndim or y.dtype.kind == "b":
        return []
    fits = [is_equal(one, other) for one, other in zip(x.flat, y.flat, strict=True)]
    place = int(np.argmin(fits))
    where = f"entry {place + 1}" if y.ndim == 1 else f"line {place // y.shape[1] + 1}, column {place % y.shape[1] + 1}"
    return [f"{sum(fits)} of {y.size} entries are right; the first that is not: {where}."]


def _inputs(found: Diagnosis) -> str:
    """Which earlier answers it follows from, and which of them is not right yet."""
    if wrong := to_mend(found.above):
        return f"Something is not right yet at {wrong}: begin there."
    keys = [answer.key for step, answer in found.above.items() if step in found.step.slots]
    return f"It follows from what you have at {' and '.join(keys)}." if keys else ""


def _input_rows(test: Procedure, step: str) -> list[Row]:
    """The rows of what a step is made of, in the order of its formula."""
    rows = {row.name: row for row in test.worked()}
    return [rows[name] for name in dict.fromkeys(test.steps[step].slots) if name in rows]


def _legend(found: Diagnosis) -> str:
    """The letters of a formula in words."""
    words = [f"${row.symbol}$: {row.sentence.rstrip('.')}" for row in _input_rows(found.test, found.question.step) if row.sentence]
    return " Here " + "; ".join(words) + "." if words else ""


# -- on other data ---------------------------------------------------------------------------------------------------------------
def _example(found: Diagnosis) -> Iterator[str]:
    """The rungs that are the same at each attempt: the line on other data, an example in words, the call in Python."""
    question, other = found.question, _elsewhere(found)
    example = None if other is None else row_of(other, question.step)
    if other is not None and example is not None and example.formula:
        yield f"The same line on other data{_data(other, question)}: ${_written_out(other, example)}$."
    if question.example:
        yield f"On other data: {question.example}"
    if other is not None and (typed := call_for(found.exercise, question, other)):
        yield f"In Python (with numpy as np, and stats of scipy) that line is: {typed}"


def _elsewhere(found: Diagnosis) -> Procedure | None:
    """The test on data of nobody, at which the value is clearly not the student's."""
    exercise = found.exercise
    rng = np.random.default_rng(list(f"{exercise.name} example".encode()))
    for attempt in range(50):
        data = dict(exercise.draw(rng))
        if attempt >= 10:  # what never differs between students, differs here
            data |= exercise.elsewhere
        test = start_test(type(found.test), data)
        value = found.of(test)
        if is_distinct(value, found.right) and (not found.is_number or np.isfinite(value).all()):
            return test
    return None


def _data(test: Procedure, question: Question) -> str:
    """The columns and the distribution that the line reads, and that its formula with numbers does not show."""
    told = []
    for row in _input_rows(test, question.step):
        value = row.value
        if row.name in ("null", "coins") or hasattr(value, "at_most"):
            told.append(f"${row.symbol}$ is {value}")
        elif np.ndim(value) and np.size(value) <= WRITTEN and np.asarray(value).dtype.kind in "fiub":
            told.append(f"${row.symbol}$ = {_format_list(value)}")
    return f" ({'; '.join(told)})" if told else ""


def _format_list(value: Any) -> str:
    x = np.asarray(value)
    return "[" + ", ".join(map(_format_list, x)) + "]" if x.ndim else format_plain(x[()])


_SUM = re.compile(r"\\sum_(?:\w+|\{\w+\}) (?P<term>\(\$\w+ - \$\w+\)\^2|\$\w+\^2|\$\w+)(?=\s*($|[+}\]]))")


def _written_out(test: Procedure, row: Row) -> str:
    """The equation; a sum over a column has its terms in place of the sign."""
    template = test.steps[row.name].template(test)
    found = _SUM.search(template)
    terms = _terms(test, found["term"]) if found and not row.is_column else ""
    if not found or not terms:
        return equation(row)
    rest = Template(template[: found.start()] + "\0" + template[found.end() :])
    shown = {name: _number(test, name) for name in rest.get_identifiers()}
    line = rest.substitute(shown).replace("\0", rf"\left({terms}\right)")
    return f"{row.symbol} {row.relation} {row.formula} {row.relation} {line} {row.relation} {format_plain(row.value)}"


def _terms(test: Procedure, term: str) -> str:
    """The terms of a sum with their numbers, of many the first ones and the last; empty where not one column is added up."""
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
    """The number of a value in a formula, or its letter where it is no number."""
    value = getattr(test, name)
    if not np.ndim(value) and np.asarray(value).dtype.kind in "fiu":
        return format_plain(value)
    return str(test.steps[name].symbol if name in test.steps else test.inputs[name]["symbol"])
