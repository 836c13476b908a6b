"""Replies to slips that beginners make often: each kind in two exercises, with words that stand in the reply and words that do not."""

from __future__ import annotations

import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell
from test_first_line_reply import REPLIES

from fstats.teaching.grading.verdicts.feedback import Feedback

OPEN = """
import numpy as np
from math import comb
from scipy import stats
from fstats import exercise
task = exercise('{}')
check = task.check
"""
PAIRED, SPLITS = "paired_t_by_hand", "corrected_resampled_t"
BEFORE = REPLIES["before"]  # cells that stand for several cells


def last_reply(name: str, *cells: str) -> Feedback:
    """The reply to the last cell of a notebook that opens an exercise and reads its data."""
    InteractiveShell.clear_instance()
    shell = InteractiveShell.instance()
    try:
        shell.run_cell(OPEN.format(name), store_history=True)
        shell.run_cell("\n".join(f"{key} = task.data['{key}']" for key in shell.user_ns["task"].data), store_history=True)
        with np.errstate(all="ignore"):  # some slips give nan
            results = [shell.run_cell(one, store_history=True).result for cell in cells for one in BEFORE.get(cell, [cell])]
        return results[-1]  # type: ignore[no-any-return]
    finally:
        InteractiveShell.clear_instance()


@pytest.mark.every_case
@pytest.mark.parametrize(("name", "cells", "said", "unsaid"), REPLIES["cells"])
def test_the_slip_is_said(name: str, cells: tuple[str, ...], said: str, unsaid: str) -> None:
    """The reply says where the slip is, and not what the student did right."""
    reply = repr(last_reply(name, *cells))
    assert said in reply
    assert unsaid not in reply


@pytest.mark.parametrize(
    ("name", "wrong", "right", "key"),
    [
        (SPLITS, ("q2", 0.5), (("q3", "task.test_of(question).naive_se"), ("q12", "task.test_of(question).pvalue")), "q13"),
        (PAIRED, ("q3", 0.1), (("q8", "task.test_of(question).pvalue"),), "q9"),
    ],
)
def test_a_decision_follows_from_the_p_value_of_the_student(
    name: str, wrong: tuple[str, float], right: tuple[tuple[str, str], ...], key: str
) -> None:
    """If the p-value is right, a decision against it does not follow from an older mistake; if no p-value was given, it may."""
    cells = [f"check('{wrong[0]}', {wrong[1]})"]
    without = last_reply(name, *cells, f"check('{key}', True)")
    answers = [f"question = task.exercise.question('{one}')\ncheck('{one}', {value})" for one, value in right]
    assert last_reply(name, *cells, *answers, f"check('{key}', True)").verdict == "unknown"
    assert without.verdict == "carried"


def test_the_old_answer_is_not_judged_again_after_an_error() -> None:
    """A failed cell costs no attempt, and a right answer stays right."""
    cells = ("D", "sd = d.std()", "check('q3', sd)", *["sd = 1 / 0", "check('q3', sd)"] * 3, "sd = d.std() + 1", "check('q3', sd)")
    assert sum(line.startswith("The ") for line in last_reply(PAIRED, *cells).lines) == 2
    assert last_reply(PAIRED, "D", "mean = mean / nothing", "check('q2', mean)").verdict == "right"


def test_the_line_in_python_is_not_shown_to_a_student_who_is_nearly_right() -> None:
    """A student whose line has one marked part would copy it."""
    wrong = ("sd = np.sqrt(((d - mean)**2).sum() / 4)", "check('q3', sd)") * 6
    assert "in Python" not in repr(last_reply(PAIRED, "D", *wrong))
    assert "in Python" in repr(last_reply(PAIRED, "D", *["check('q3', 0.123)"] * 6))
