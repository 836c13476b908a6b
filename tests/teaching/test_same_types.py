"""A right answer is right in whatever form Python holds it: the check in a notebook and the marking of submissions judge alike."""

from __future__ import annotations

import importlib
import json
import warnings
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from typing import Any

import numpy as np
import pytest
from answer_types import ACCEPTED, NO_NUMBER, NUMPY, REFUSED, SETUP
from class_of import right_answer
from shortcuts import parametrize
from test_marking_judge import sent
from test_marking_worker import filled, mark, verdicts

from fstats import exercise
from fstats.teaching.grading.question import Choice, Function, Question
from fstats.teaching.grading.task import Task
from fstats.teaching.marking.marks.grading_policy import Policy
from fstats.teaching.marking.marks.marker import Marker
from fstats.teaching.marking.marks.submission_mark import mark_question
from fstats.teaching.marking.sandbox.notebook_session import Limits
from fstats.teaching.marking.sandbox.sandbox_output import SandboxOutput, parse_output
from fstats.teaching.sandbox_runtime.json_serialisation import serialise
from fstats.teaching.sandbox_runtime.plain_value import readable_value

EXERCISES = ("paired_t_by_hand", "wilcoxon_by_hand", "corrected_resampled_t", "friedman_and_nemenyi", "hack_a_verdict")


@cache
def namespace() -> dict[str, Any]:
    """The names that the forms use."""
    space: dict[str, Any] = {}
    exec(SETUP, space)
    return space


def formed(expression: str, x: Any) -> Any:
    """The value in this form."""
    with warnings.catch_warnings(action="ignore"):  # NumPy warns of np.matrix
        return eval(expression, namespace(), {"x": x})


def replies(task: Task, key: str, expression: str, x: Any) -> tuple[Any, Any]:
    """What the check in the notebook says, and what the judge says of the value that has crossed the wall."""
    home = task.fresh().check(key, formed(expression, x))
    sent = json.dumps({"key": key, "value": serialise(formed(expression, x))}).encode()
    return home, task.fresh().reply_to(key, parse_output(sent, [key]).answers[key].value)


def questions(task: Task, kind: str) -> Iterator[tuple[str, Any]]:
    """The questions that ask for a value of a kind, each with its right answer."""
    for question in task.exercise.questions:
        if isinstance(question, Choice):
            found = "letter"
        elif isinstance(question, Question):
            right = np.asarray(right_answer(task, question.key))
            kinds = {"b": ["truth", "truths"], "i": ["whole"], "f": ["number", "column", "table"], "U": ["name"]}[right.dtype.kind]
            found = "blanks" if task.exercise.asked(question).blank else kinds[right.ndim]
        else:
            continue
        if found == kind:
            yield question.key, right_answer(task, question.key)


def asked(kind: str) -> tuple[Task, str, Any]:
    """A question that asks for a value of a kind, with its exercise and its right answer."""
    return next((task, key, x) for task in map(exercise, EXERCISES) for key, x in questions(task, kind))


@pytest.mark.every_case
@pytest.mark.parametrize("kind", ACCEPTED)
@pytest.mark.parametrize("name", EXERCISES)
def test_a_right_answer_is_right_in_any_form(name: str, kind: str) -> None:
    """In the notebook as behind the wall, with the same words."""
    task = exercise(name)
    wrong = {}
    for key, x in [*questions(task, kind)][:2]:
        for expression in ACCEPTED[kind] if kind != "whole" or x == 5 else ACCEPTED["number"]:
            home, there = replies(task, key, expression, x)
            if home != there or home.verdict != "right":
                wrong[key, expression] = home.lines, there.lines
    assert wrong == {}


@pytest.mark.every_case
@pytest.mark.parametrize("kind", ACCEPTED)
def test_any_other_form_is_refused_with_the_same_words(kind: str) -> None:
    """And with what to write instead, where that is clear."""
    task, key, x = asked(kind)
    for expression, words in REFUSED.items():
        home, there = replies(task, key, expression, x)
        assert (home.verdict, home.lines) == (there.verdict, there.lines), expression
        assert home.verdict == "unreadable", expression
        assert words in home.lines[0], expression
    for expression in NO_NUMBER:
        home, there = replies(task, key, expression, x)
        assert home == there, expression
        assert home.verdict != "right" or kind == "truth", expression


def test_every_type_that_holds_numbers_is_tried() -> None:
    """A type that a new version of NumPy, pandas or Python brings is tried, too."""
    assert {"float16", "longdouble", "clongdouble", "int8", "ulonglong"} <= {*NUMPY}
    tried = (form for kind in ("whole", "column", "truth", "letter") for form in ACCEPTED[kind])
    assert len({*tried, *REFUSED, *NO_NUMBER}) > 240


@pytest.mark.needs("bubblewrap")
def test_the_sandbox_delivers_what_the_notebook_has() -> None:
    """All forms of all kinds in one notebook: the same value, verdict, words and points as at home."""
    about = {kind: asked(kind) for kind in ACCEPTED}
    forms = [(kind, expression) for kind in ACCEPTED for expression in ACCEPTED[kind]]
    forms += [("number", expression) for expression in (*REFUSED, *NO_NUMBER)]
    cells = [{"name": "the types", "source": SETUP, "key": ""}]
    cells += [{"name": "", "source": f"(lambda x: {form})({about[kind][2]!r})", "key": f"{k}"} for k, (kind, form) in enumerate(forms)]
    job = {"exercise": EXERCISES[0], "token": "", "data": {}, "questions": {}, "cases": {}, "ready": {}, "cells": cells}
    with closing(Marker(limits=Limits(cpu=60, wall=60))) as marker:
        delivered = parse_output(marker.walls[0].run(job), [*map(str, range(len(forms)))])
    assert (delivered.ended, delivered.problems) == ("", ())
    for number, (kind, expression) in enumerate(forms):
        (task, key, x), answer = about[kind], delivered.answers[f"{number}"]
        value = formed(expression, x)
        assert repr(answer.value) == repr(readable_value(value)), expression
        home = task.fresh().check(key, value)
        marked = mark_question(task.fresh(), task.exercise.question(key), SandboxOutput({key: answer}), {})
        assert (marked.verdict, marked.lines) == (home.verdict, home.lines), expression
        assert Policy().points(marked) == (marked.of if home.verdict == "right" else 0), expression
        assert home.verdict == "right" or expression in (*REFUSED, *NO_NUMBER), expression


def test_a_notebook_of_rare_types_has_full_marks(strong: Marker) -> None:
    """From the cells to the marks."""
    answers = {
        "q1": "d = collections.UserList(np.array(a, np.longdouble) - b)",
        "q2": "mean = np.longdouble(np.mean(d))",
        "q3": "sd = complex(np.std(d, ddof=1))",
        "q6": "df = ctypes.c_int(len(d) - 1)",
    }
    found = verdicts(mark(strong, filled(extra=SETUP, **answers)))
    assert {key: found[key] for key in answers} == dict.fromkeys(answers, "right")


@parametrize(
    "expression",
    pytest.param("polars.Series([x])", marks=pytest.mark.needs("polars")),
    pytest.param("polars.DataFrame({'a': [x]})", marks=pytest.mark.needs("polars")),
    pytest.param("pyarrow.array([x])", marks=pytest.mark.needs("pyarrow")),
    pytest.param("pd.Series([x], dtype='float64[pyarrow]')", marks=pytest.mark.needs("pyarrow")),
)
def test_columns_of_other_libraries_are_read(expression: str) -> None:
    """As those of pandas."""
    library = "polars" if "polars" in expression else "pyarrow"
    namespace()[library] = importlib.import_module(library)
    home, there = replies(exercise("paired_t_by_hand"), "q2", expression, 2.5)
    assert home == there
    assert home.verdict == "right"


def test_what_a_function_returns_is_judged_alike() -> None:
    """The same forms from a function that the student writes: called in the notebook, and behind the wall."""
    task = exercise("write_your_own_test")
    question = task.exercise.question("q2")
    assert isinstance(question, Function)
    cases = {"q2": task.unseen(question)}
    for expression in (*ACCEPTED["number"], *REFUSED, *NO_NUMBER):

        def returns(*_: Any, expression: str = expression) -> Any:
            return formed(expression, 0.5)

        home = task.fresh().check("q2", returns)
        there = mark_question(task.fresh(), question, sent(task, {"q2": returns}, cases), cases)
        assert (home.verdict, home.lines) == (there.verdict, there.lines), expression
        assert home.verdict == ("unreadable" if expression in REFUSED else home.verdict), expression
