"""Hints, from a nudge to the same line on other data with every number in it; never the number that is asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from string import Template
from typing import Any

import numpy as np

from ...core.number import plain
from ...core.procedure import Procedure
from ...core.row import Row
from ...render.latex import equation
from .answer import apart, same
from .exercise import Exercise, Tests, start
from .python import call_for
from .question import Question
from .seen import Earlier, to_mend

POINTED = 2  # so many times a student is told which entry is wrong: oftener, and one could try them out one by one
WRITTEN = 24  # numbers of a table that are written in a hint
TERMS = 6  # terms of a sum that are written out
END = "That is the last hint. Read the section once more and work its example along; then come back to your own numbers."


def hints(exercise: Exercise, tests: Tests, question: Question, given: Any, above: Mapping[str, Earlier], attempt: int) -> tuple[str, ...]:
    """What a student reads at the first, second, ... different answer that is neither right nor has a name.

    So many rungs of the ladder as there were attempts; of a column also where it goes wrong.
    """
    right = getattr(tests[exercise.tested(question)], question.step)
    lines = _entries(given, right) if 2 <= attempt < 2 + POINTED else []
    with np.errstate(all="ignore"):  # other data may be extreme
        return (*lines, *islice(ladder(exercise, tests, question, above), attempt))


def ladder(exercise: Exercise, tests: Tests, question: Question, above: Mapping[str, Earlier]) -> Iterator[str]:
    """All rungs: what is asked and what it follows from; the formula; the same line on other data; its call in Python; where it ends."""
    test = tests[exercise.tested(question)]
    step, row = exercise.asked(question), row_of(test, question.step)
    yield " ".join(filter(None, [f"Asked for: {step.sentence}", _made_of(exercise, question, above)]))
    if row is not None and row.formula:
        yield f"The formula: ${row.symbol} {row.relation} {row.formula}$.{_legend(test, question)}"
    if question.key not in tests.examples:
        tests.examples[question.key] = _elsewhere(exercise, question, getattr(test, question.step))
    other = tests.examples[question.key]
    example = None if other is None else row_of(other, question.step)
    if other is not None and example is not None and example.formula:
        yield f"The same line on other data{_data(other, question)}: ${_written_out(other, example)}$."
    if question.example:
        yield f"On other data: {question.example}"
    if other is not None and (typed := call_for(exercise, question, other)):
        yield f"In Python (with numpy as np, and stats of scipy) that line is: {typed}"
    yield END


def row_of(test: Procedure, step: str) -> Row | None:
    """The worked row of a step, if it is shown."""
    getattr(test, step)
    return next((row for row in test.worked() if row.name == step), None)


def _entries(given: Any, right: Any) -> list[str]:
    """How many numbers of a column are right; nothing of yes and no, which one could try out."""
    x, y = np.asarray(given), np.asarray(right)
    if not y.ndim or y.dtype.kind == "b" or y.shape != x.shape:
        return []
    fits = [same(one, other) for one, other in zip(x.flat, y.flat, strict=True)]
    place = int(np.argmin(fits))
    where = f"entry {place + 1}" if y.ndim == 1 else f"line {place // y.shape[1] + 1}, column {place % y.shape[1] + 1}"
    return [f"{sum(fits)} of {y.size} entries are right; the first that is not: {where}."]


def _made_of(exercise: Exercise, question: Question, above: Mapping[str, Earlier]) -> str:
    """Which earlier answers it follows from, and which of them is not right yet."""
    if wrong := to_mend(above):
        return f"Something is not right yet at {wrong}: begin there."
    tested = exercise.tested(question)
    slots = tested.steps[question.step].slots
    keys = [answer.key for step, answer in above.items() if step in slots]
    return f"It follows from what you have at {' and '.join(keys)}." if keys else ""


def _legend(test: Procedure, question: Question) -> str:
    """The letters of a formula in words."""
    rows = {row.name: row for row in test.worked()}
    told = [(rows[name].symbol, rows[name].sentence) for name in dict.fromkeys(test.steps[question.step].slots) if name in rows]
    words = [f"${symbol}$: {sentence.rstrip('.')}" for symbol, sentence in told if sentence]
    return " Here " + "; ".join(words) + "." if words else ""


# -- on other data ---------------------------------------------------------------------------------------------------------------
def _elsewhere(exercise: Exercise, question: Question, avoid: Any) -> Procedure | None:
    """The test on data of nobody, at which the value is clearly not the student's."""
    rng = np.random.default_rng(list(f"{exercise.name} example".encode()))
    for attempt in range(50):
        data = dict(exercise.draw(rng))
        if exercise.elsewhere and attempt >= 10:  # what never differs between students, differs here
            data |= exercise.elsewhere
        test = start(exercise.tested(question), data)
        value = getattr(test, question.step)
        if apart(value, avoid) and (np.asarray(value).dtype.kind not in "fiu" or np.isfinite(value).all()):
            return test
    return None


def _data(test: Procedure, question: Question) -> str:
    """The columns and the distribution that the line reads, and that its formula with numbers does not show."""
    rows = {row.name: row for row in test.worked()}
    told = []
    for name in dict.fromkeys(test.steps[question.step].slots):
        if name not in rows:
            continue
        value = rows[name].value
        if name in ("null", "coins") or hasattr(value, "at_most"):
            told.append(f"${rows[name].symbol}$ is {value}")
        elif np.ndim(value) and np.size(value) <= WRITTEN and np.asarray(value).dtype.kind in "fiub":
            told.append(f"${rows[name].symbol}$ = {_listed(value)}")
    return f" ({'; '.join(told)})" if told else ""


def _listed(value: Any) -> str:
    x = np.asarray(value)
    return "[" + ", ".join(map(_listed, x)) + "]" if x.ndim else plain(x[()])


_SUM = re.compile(r"\\sum_(?:\w+|\{\w+\}) (?P<term>\(\$\w+ - \$\w+\)\^2|\$\w+\^2|\$\w+)(?=\s*($|[+}\]]))")


def _written_out(test: Procedure, row: Row) -> str:
    """The equation; a sum over a column has its terms in place of the sign."""
    template = test.steps[row.name].template(test)
    found = _SUM.search(template)
    if not found or row.is_column:
        return equation(row)
    names = Template(found["term"]).get_identifiers()
    columns = {name: np.asarray(getattr(test, name)) for name in names}
    size = max(np.size(column) for column in columns.values())
    if any(column.ndim > 1 for column in columns.values()) or any(np.size(c) not in (1, size) for c in columns.values()) or size == 1:
        return equation(row)

    def term(place: int) -> str:
        numbers = {name: column[place] if column.ndim else column[()] for name, column in columns.items()}
        bare = len(names) == 1 and "^" not in found["term"]
        written = {name: plain(x) if x >= 0 or bare else f"({plain(x)})" for name, x in numbers.items()}
        return Template(found["term"]).substitute(written)

    places = range(size) if size <= TERMS else [0, 1, 2]
    terms = " + ".join(map(term, places)) + ("" if size <= TERMS else rf" + \ldots + {term(size - 1)}")
    symbols = {name: one.symbol for name, one in test.steps.items()} | {name: about["symbol"] for name, about in test.inputs.items()}
    rest = Template(template[: found.start()] + "\0" + template[found.end() :])
    shown = {name: _number(test, name, symbols) for name in rest.get_identifiers()}
    line = rest.substitute(shown).replace("\0", rf"\left({terms.replace('+ -', '- ')}\right)")
    return f"{row.symbol} {row.relation} {row.formula} {row.relation} {line} {row.relation} {plain(row.value)}"


def _number(test: Procedure, name: str, symbols: Mapping[str, str]) -> str:
    value = getattr(test, name)
    return symbols[name] if np.ndim(value) or np.asarray(value).dtype.kind not in "fiu" else plain(value)
