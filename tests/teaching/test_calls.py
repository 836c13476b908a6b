"""The call in a hint, written from the tree of a formula, computes what the step computes; no spelling of the formula loses it."""

from __future__ import annotations

import re
import warnings
from copy import copy
from typing import Any

import numpy as np
import pytest
from cases import each_procedure, make
from scipy import stats
from test_every_formula import WITH_ZEROS
from test_exercises import each_exercise

from fstats import Friedman, PairedT
from fstats.core.value import Interval
from fstats.procedures.formula import InWords
from fstats.teaching.course.catalogue import definition
from fstats.teaching.grading import python
from fstats.teaching.grading.exercise import start
from fstats.teaching.grading.python import call
from fstats.teaching.grading.question import Question

SCORES = [[86, 92, 89, 91], [69, 70, 65, 68], [87, 68, 85, 89], [77, 81, 74, 81], [73, 80, 75, 77], [87, 92, 82, 88]]


def differs(typed: str, value: Any) -> str:
    """What numpy and SciPy say to a call, if that is not the value ."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found = np.asarray(eval(typed, {"np": np, "stats": stats}), float)
    except (ZeroDivisionError, RuntimeWarning):  # where a step has an answer for 0/0
        return ""
    value = np.stack(np.broadcast_arrays(*value)) if isinstance(value, Interval) else np.asarray(value, float)
    if typed.startswith("stats.rankdata([x for"):  # what has no rank has none in a list of ranks
        value = value[value != 0]
    same = found.ndim in (0, value.ndim) and np.allclose(found, value, 1e-9, 1e-9, equal_nan=True)
    return "" if same else f"{typed} is {found}, not {value}"


@each_procedure
@pytest.mark.parametrize("repetition", [0, 5])
def test_the_call_of_a_step_computes_it(name: str, alternative: str, repetition: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of every step of every procedure that has one; with what it is made of as numbers, and written out."""
    monkeypatch.setattr(python, "DIGITS", 17)
    test = make(name, alternative).at(repetition)
    for step in test.steps.values():
        if (step.only and getattr(test, step.by) != step.only) or step.template(test) == WITH_ZEROS:
            continue
        for known in ((), test.inputs):
            typed = call(test, step, known)
            assert not typed or not differs(typed, getattr(test, step.name)), f"{step.name}: {differs(typed, getattr(test, step.name))}"
