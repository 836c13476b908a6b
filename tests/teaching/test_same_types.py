"""A right answer is right in whatever form Python holds it, at home and behind the walls alike."""

import json
from array import array
from collections import OrderedDict, deque, namedtuple
from collections.abc import Callable
from decimal import Decimal
from enum import IntEnum
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from class_of import right_answer

from fstats import exercise
from fstats.teaching.grading.question import Choice, Question
from fstats.teaching.grading.task import Task
from fstats.teaching.marking.sandbox.sandbox_output import parse_output
from fstats.teaching.sandbox_runtime.json_serialisation import serialise


class Score(float):
    """A number of somebody's own."""


class Name(str):
    """A word of somebody's own."""


class Five(IntEnum):
    """A count with a name."""

    FIVE = 5


Form = Callable[[Any], Any]
NUMBERS: dict[str, Form] = {
    "float": float,
    "numpy's float": np.float64,
    "a short float": lambda x: np.float32(round(x, 4)),
    "an array without axes": np.array,
    "a list of one": lambda x: [x],
    "an array of one": lambda x: np.array([x]),
    "Fraction": lambda x: Fraction(x).limit_denominator(10**9),
    "Decimal": lambda x: Decimal(repr(float(x))),
    "a float of a class": Score,
    "a Series of one": lambda x: pd.Series([x]),
    "an entry of a Series": lambda x: pd.Series([x]).iloc[0],
    "a masked array of one": lambda x: np.ma.array([x]),
}
COLUMNS: dict[str, Form] = {
    "list": list,
    "tuple": tuple,
    "array": np.array,
    "a named tuple": lambda x: namedtuple("Row", [f"c{k}" for k in range(len(x))])(*x),
    "deque": deque,
    "Python's array": lambda x: array("d", x),
    "memory": lambda x: memoryview(array("d", x)),
    "the values of a dictionary": lambda x: dict(enumerate(x)).values(),
    "the values of an ordered one": lambda x: OrderedDict(enumerate(x)).values(),
    "Fractions": lambda x: [Fraction(v).limit_denominator(10**9) for v in x],
    "Decimals": lambda x: [Decimal(repr(float(v))) for v in x],
    "numpy's numbers": lambda x: [np.float64(v) for v in x],
    "arrays without axes": lambda x: [np.array(v) for v in x],
    "a Series": pd.Series,
    "an Index": pd.Index,
    "pandas' own floats": lambda x: pd.array(x, dtype="Float64"),
    "a masked array": np.ma.array,
    "an array of objects": lambda x: np.array(x, object),
    "a column of a DataFrame": lambda x: pd.DataFrame({"d": x})["d"],
}
TRUTHS: dict[str, Form] = {
    "bool": bool,
    "numpy's bool": np.bool_,
    "a word": lambda x: "yes" if x else "no",
    "a word of a class": lambda x: Name("True" if x else "False"),
    "a list of one": lambda x: [x],
    "1 or 0": int,
    "an array": np.array,
}
LETTERS: dict[str, Form] = {
    "str": str,
    "numpy's str": np.str_,
    "a word of a class": Name,
    "capital": str.upper,
    "in brackets": lambda x: f"({x})",
}
REFUSED: dict[str, Form] = {
    "a set": set,
    "a frozen set": frozenset,
    "a generator": lambda x: (v for v in x),
    "a map": lambda x: map(float, x),
    "a filter": lambda x: filter(None, x),
    "an iterator": iter,
}


def verdicts(name: str, key: str, value: Callable[[], Any]) -> tuple[str, str, Any]:
    """What is said of it at home, and of what came back from behind a wall; and the words there."""
    home = exercise(name).check(key, value())
    sent = json.dumps({"key": key, "value": serialise(value())}).encode()
    there = exercise(name).reply_to(key, parse_output(sent, [key]).answers[key].value)
    return home.verdict, there.verdict, there.lines


def of_kind(task: Task, kind: str) -> list[str]:
    """The first two questions that ask for such a value."""
    found = []
    for question in task.exercise.questions:
        if isinstance(question, Choice):
            is_it = kind == "letters"
        elif isinstance(question, Question):
            right = np.asarray(right_answer(task, question.key))
            shape = {0: "numbers", 1: "columns"}.get(right.ndim, "")
            is_it = kind == ("truths" if right.dtype.kind == "b" and not right.ndim else shape if right.dtype.kind in "if" else "")
        else:
            continue
        found += [question.key] * is_it
    return found[:2]


CASES = [
    pytest.param(name, kind, form, make, id=f"{name}-{kind}-{form}".replace(" ", "-"))
    for kind, forms in (("numbers", NUMBERS), ("columns", COLUMNS), ("truths", TRUTHS), ("letters", LETTERS))
    for form, make in forms.items()
    for name in ("paired_t_by_hand", "wilcoxon_by_hand", "corrected_resampled_t")
]


@pytest.mark.parametrize(("name", "kind", "form", "make"), CASES)
def test_a_right_answer_is_right_in_any_form(name: str, kind: str, form: str, make: Form) -> None:  # noqa: ARG001 - its name is shown
    task = exercise(name)
    for key in of_kind(task, kind):
        home, there, lines = verdicts(name, key, lambda key=key: make(right_answer(task, key)))  # type: ignore[misc]
        assert (home, there) == ("right", "right"), lines


@pytest.mark.parametrize("form", REFUSED)
def test_what_has_no_order_or_no_end_is_told_what_to_write(form: str) -> None:
    task = exercise("paired_t_by_hand")
    home, there, lines = verdicts("paired_t_by_hand", "q1", lambda: REFUSED[form](right_answer(task, "q1")))
    assert home == there == "unreadable"
    said = task.check("q1", REFUSED[form](right_answer(task, "q1"))).lines
    assert "list" in lines[0]
    assert "write" in said[0]


def test_there_are_many_forms() -> None:
    assert len(NUMBERS) + len(COLUMNS) + len(TRUTHS) + len(LETTERS) >= 40
    assert serialise([Five.FIVE, np.int8(3)]) == [5, 3]
    assert type(serialise(Five.FIVE)) is int
