"""What the report says of a class: questions and whom they tell apart, when they were begun, whose passages are alike."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import permutations

import numpy as np
import pytest
from class_of import EXERCISE, SECRET, STUDENTS, marks, right_answer
from scipy import stats

from fstats import individual
from fstats.teaching.marking.graded import Attempt, Graded
from fstats.teaching.marking.items import discriminates, first_tries, items, middle, mistakes_csv, questions_csv
from fstats.teaching.marking.policy import Policy
from fstats.teaching.marking.roster import Student
from fstats.teaching.marking.submissions import Received

NOON = datetime(2026, 11, 24, 12, tzinfo=UTC)


def row(student: str, **delivered: object) -> Graded:
    """What somebody has who handed in these answers."""
    task = individual(student, EXERCISE, SECRET)
    attempt = Attempt(Received(f"{student}/x.ipynb", student, EXERCISE), marks(task, delivered))
    return Graded(Student(student, STUDENTS.get(student, "")), EXERCISE, Policy(), attempt, 1)


# -- questions -------------------------------------------------------------------------------------------------------------------
def test_the_correlation_is_that_of_the_textbook() -> None:
    """By SciPy, and by the difference of two means."""
    rng = np.random.default_rng(3)
    rest = rng.normal(size=40)
    right = rest + rng.normal(size=40) > 0.4
    found, (low, high) = discriminates(right, rest)
    assert found == pytest.approx(stats.pointbiserialr(right, rest).statistic, abs=1e-12)
    p = right.mean()
    assert found == pytest.approx((rest[right].mean() - rest[~right].mean()) / rest.std() * np.sqrt(p * (1 - p)), abs=1e-12)
    assert low < 0 < high < found
    assert (high - low) / 2 == pytest.approx(1.96 / np.sqrt(39), rel=0.1), "permuted correlations scatter by one over the root of n - 1"


def test_with_few_students_luck_shows_as_much() -> None:
    """All 6 orders of two who have it right among four: the most that there can be is no more than luck."""
    right, rest = np.array([True, True, False, False]), np.array([4.0, 3.0, 2.0, 1.0])
    found, (low, high) = discriminates(right, rest)
    all_orders = {round(float(np.corrcoef(right, one)[0, 1]), 9) for one in permutations(rest)}
    assert {round(x, 9) for x in (low, high)} <= all_orders
    assert low <= found <= high  # type: ignore[operator]
    assert discriminates(np.array([True] * 4), rest) == discriminates(right, np.ones(4)) == (None, (-1.0, 1.0))


def test_a_question_in_numbers() -> None:
    """Right, given an earlier one, a name, perhaps a name, nothing: each student in one of them; what was guessed and typed."""
    rows = [
        row(student, **{q: right_answer(individual(student, EXERCISE, SECRET), q) for q in ("q2", "q3", "q10")}) for student in STUDENTS
    ]
    data = individual("s2", EXERCISE, SECRET).data
    gaps = data["a"] - data["b"]
    rows[1] = row("s2", q3=float(gaps.std()), q4=float(gaps.std() / len(gaps) ** 0.5))
    assert rows[0].attempt is not None
    guessed = [replace(one, guess=one.key == "q2", mistake="so" if one.key == "q2" else "", verdict="mistake") for one in rows[0].marks]
    rows[0] = replace(rows[0], attempt=replace(rows[0].attempt, marked=replace(rows[0].attempt.marked, questions=tuple(guessed))))
    found = {one.key: one for one in items(rows)}
    assert {name: count for name, count in found["q2"].became.items() if count} == {"right": 3, "perhaps": 1, "unanswered": 1}
    assert (found["q3"].right, found["q3"].named["divided by n"], found["q4"].became["carried"]) == (0.6, 1, 1)
    assert (found["q2"].perhaps["so"], found["q10"].chance, found["q2"].chance) == (1, 0.25, None)
    assert (found["q9"].says, found["q9"].discrimination) == ("nothing: nobody has it right", None)
    lines = {line["question"]: line for line in csv.DictReader(io.StringIO(questions_csv([*found.values()])))}
    assert (lines["q3"]["right"], lines["q3"]["answers a mistake with a name"], lines["q9"]["discrimination"]) == ("0.6", "2", "")
    told = list(csv.DictReader(io.StringIO(mistakes_csv([*found.values()]))))
    assert {"exercise": EXERCISE, "question": "q3", "mistake": "divided by n", "students": "1", "share": "0.2", "perhaps": "0"} in told
    assert [line["perhaps"] for line in told if line["mistake"] == "so"] == ["1"]


def test_when_a_question_was_first_tried() -> None:
    """As Jupyter or Colab say it, else by the hand-in that has an answer; the earliest of all; nonsense says nothing."""

    def said(**about: object) -> bytes:
        cells = [{"metadata": {"nbgrader": {"grade_id": key}} | (more if isinstance(more, dict) else {})} for key, more in about.items()]
        return json.dumps({"cells": cells}).encode()

    jupyter = said(q1={"execution": {"iopub.execute_input": "2026-11-24T11:00:00.123Z"}}, q2=0)
    colab = said(q1={"executionInfo": {"timestamp": 1000 * (NOON.timestamp() - 7200)}})
    found = first_tries([(jupyter, NOON, ["q1", "q2"]), (colab, None, ["q1"]), (b"", NOON - timedelta(days=1), ["q3"])])
    assert {key: time.hour for key, time in found.items()} == {"q1": 10, "q2": 12, "q3": 12}
    assert found["q3"] == NOON - timedelta(days=1)
    for odd in ({"execution": {"iopub.execute_input": "soon"}}, {"executionInfo": {"timestamp": 1e300}}, {"execution": []}):
        assert first_tries([(said(q1=odd), None, ["q1"])]) == {}
    assert middle([NOON, NOON + timedelta(hours=1), NOON + timedelta(hours=5)]) == NOON + timedelta(hours=1)
