"""Replies to slips that beginners make often: each kind in two exercises, with words that stand in the reply and words that do not."""

from __future__ import annotations

import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell

from fstats.teaching.grading.verdicts.feedback import Feedback

OPEN = """
import numpy as np
from math import comb
from scipy import stats
from fstats import exercise
task = exercise('{}')
check = task.check
"""
PAIRED, SPLITS, MCNEMAR = "paired_t_by_hand", "corrected_resampled_t", "contingency_from_predictions"
FRIEDMAN, FAMILIES = "friedman_and_nemenyi", "language_models"
D = ("d = a - b", "check('q1', d)", "mean = d.mean()", "check('q2', mean)")
MEAN = ("mean = d.mean()", "check('q1', mean)")
RANKS = ("N, k = scores.shape\nranks = stats.rankdata(-scores, axis=1)", "check('q1', ranks)", "mean_ranks = ranks.mean(axis=0)")
COUNTS = ("n, m = 11, 2",)


def last_reply(name: str, *cells: str) -> Feedback:
    """The reply to the last cell of a notebook that opens an exercise and reads its data."""
    InteractiveShell.clear_instance()
    shell = InteractiveShell.instance()
    try:
        shell.run_cell(OPEN.format(name), store_history=True)
        shell.run_cell("\n".join(f"{key} = task.data['{key}']" for key in shell.user_ns["task"].data), store_history=True)
        with np.errstate(all="ignore"):  # some slips give nan
            results = [shell.run_cell(cell, store_history=True).result for cell in cells]
        return results[-1]  # type: ignore[no-any-return]
    finally:
        InteractiveShell.clear_instance()


@pytest.mark.every_case
@pytest.mark.parametrize(
    ("name", "cells", "said", "unsaid"),
    [
        # the quoted line is one that made the value, not an older line of a name in a loop
        (
            PAIRED,
            (*D, "sd = np.std(d, ddof=2)", "for i in range(6):\n    sd = (d[i] - mean)**2\n    sd = sd / 7", "check('q3', sd)"),
            "root",
            "std(",
        ),
        (
            FRIEDMAN,
            (
                *RANKS,
                "for i in range(N - 1):\n    s = i",
                "C = 0\nfor i in range(N):\n    C = ((ranks[i] - 2.5)**2).sum() / 9",
                "check('q3', C)",
            ),
            "q3  ? Not yet",
            "N - 1",
        ),
        # data that were overwritten: the cause is the line that overwrote them
        (
            SPLITS,
            (*MEAN, "d = d - mean", "t = stats.ttest_1samp(d, 0)[0]", "check('q4', t)"),
            "the line `d = d - mean`",
            "Run the line of `mean`",
        ),
        (
            MCNEMAR,
            ("right_a = y_true = pred_a", "right_a = y_true == pred_a", "check('q1', right_a)"),
            "To compare, write `==`",
            "compares `y_true`",
        ),
        (PAIRED, ("a = 0.05", "d = a - b", "check('q1', d)"), "`a` no longer holds the data", "No part of your line"),
        (
            SPLITS,
            ("d = [*d[:-1]]", "d = [2, 0]", "mean = np.mean(d)", "check('q1', mean)"),
            "with 2 entries instead of 15",
            "another quantity",
        ),
        # a cell that failed
        (
            PAIRED,
            (*D, "sd = d.std()", "check('q3', sd)", "sd = d.std(", "check('q3', sd)"),
            "stopped with an error (SyntaxError",
            "divided by n",
        ),
        (SPLITS, (*MEAN, "sd = 1", "check('q2', sd)", "x = 1\nsd = root(x)", "check('q2', sd)"), "NameError: name 'root'", "too small"),
        # nan
        (
            PAIRED,
            (*D, "s = 0\nfor x in d:\n    s = s + x - mean**2\nsd = np.sqrt(s / 5)", "check('q3', sd)"),
            "`s / 5` is negative",
            "missing value",
        ),
        (FRIEDMAN, ("c = stats.f.ppf(3, 0.95, 21)", "check('q7', c)"), "must be a probability", "missing value"),
        # slips in loops
        (
            MCNEMAR,
            (*COUNTS, "p = 0\nfor j in range(m + 1):\n    p = comb(n, j) / 2**n\np = 2 * p", "check('q6', p)"),
            "nothing is added up",
            "You took",
        ),
        (
            SPLITS,
            (*MEAN, "s = 0\nfor x in d:\n    s = (x - mean)**2\nsd = np.sqrt(s / 14)", "check('q2', sd)"),
            "nothing is added up",
            "No part",
        ),
        (
            MCNEMAR,
            (*COUNTS, "p = 0\nfor j in range(3):\n    p = p + comb(n, j) / 2**n\n    p = 2 * p", "check('q6', p)"),
            "belongs behind it",
            "factor",
        ),
        (
            PAIRED,
            (*D, "for x in d:\n    s = 0\n    s = s + (x - mean)**2\nsd = (s / 5)**0.5", "check('q3', sd)"),
            "once, before the loop",
            "has all",
        ),
        (
            FAMILIES,
            ("d = a - b", "u = []\nfor g in range(4):\n    u.append(sum(d[clusters == g] - d.mean()))", "check('q3', u)"),
            "`range` counts from 0",
            "Only the marked",
        ),
        (
            MCNEMAR,
            (*COUNTS, "p = 0\nfor j in range(1, 3):\n    p += 2 * comb(n, j) / 2**n", "check('q6', p)"),
            "starts at the wrong number",
            "No part",
        ),
        # rounded inputs
        (
            SPLITS,
            (*MEAN, "sd = d.std(ddof=1)", "check('q2', sd)", "se = 2.4 / np.sqrt(15)", "check('q3', se)"),
            "`2.4` is a rounded number",
            "Another",
        ),
        (FAMILIES, ("t = 0.53 / 0.28", "check('q5', t)"), "is a rounded number", "Another number"),
        # the same numbers in another order, or a product for a power
        (SPLITS, ("rho = 100 / 1000\nq = rho / 1 - rho", "check('q8', q)"), "Parentheses are missing", "You typed"),
        (
            PAIRED,
            (*D, "t = d.mean() / (d.std(ddof=1) / 6**0.5)", "p = 1 - stats.t.cdf(t, 5) * 2", "check('q8', p)"),
            "Parentheses",
            "You typed",
        ),
        (
            MCNEMAR,
            ("n01, n10 = 2, 9", "x = (abs(n01 - n10) - 1)*2 / 11", "check('q10', x)"),
            "Python writes a power as `**`",
            "More than one",
        ),
        (
            SPLITS,
            (*MEAN, "sd = np.sqrt(sum(d - mean)**2 / 14)", "check('q2', sd)", "check('q2', sd)"),
            "Two operations are in the wrong order",
            "A square",
        ),
        # the right part is not marked
        (
            FRIEDMAN,
            (*RANKS, "C = ((ranks - 2)**2).sum() / (8 * 4 * 15 / 12)", "check('q3', C)"),
            "Only the marked part",
            "A part is missing",
        ),
        (MCNEMAR, ("p = stats.chi2.ppf(0.95, 1)", "check('q11', p)"), "`ppf` returns a value of the statistic", "You typed"),
        (FRIEDMAN, ("c = stats.f.sf(0.05, 3, 21)", "check('q7', c)"), "`sf` returns a probability", "You typed"),
        # a probability in the place of a critical value, and the other end
        (PAIRED, ("c = 0.975", "check('q7', c)"), "Your answer is a probability", "too small"),
        (FRIEDMAN, ("c = 0.95", "check('q7', c)"), "Your answer is a probability", "too small"),
        (PAIRED, ("c = stats.t.ppf(0.025, 5)", "check('q7', c)"), "at which end of the distribution", "subtraction"),
        # sentences
        (PAIRED, ("check('q5', 1.98)",), "its last digit differs", "cut off instead"),
        (MCNEMAR, ("check('q4', 0.291)",), "its last digit differs", "Your calculation is right"),
        (MCNEMAR, ("p = 2 * sum(comb(11, j) for j in range(4)) / 2**11", "check('q6', p)"), "", "by one; or"),
        (
            FRIEDMAN,
            (*RANKS, "r = ranks.copy()\nr[1, [0, 1]] = r[1, [1, 0]]", "check('q1', r)"),
            "the first wrong entry is in line 2",
            "own row",
        ),
        # types of answers
        (MCNEMAR, ("check('q6', stats.binomtest(2, 11, 0.5))",), ".statistic or .pvalue", "is right"),
        (FAMILIES, ("check('q3', [2.8, -2,13, -1.07, 0.4])",), "Python reads 0,5 as two numbers", "is right"),
        (PAIRED, ("check('q1', [2, 6, 2, 1, -2, 6, 5])",), "Python reads 0,5 as two numbers", "is right"),
        (PAIRED, ("check('q1', 'a minus b')",), "a calculation with the names of the cells above", "write the list"),
        (MCNEMAR, ("right_a = y_true = pred_a", "check('q1', right_a)"), "To compare, write `==`", "is right"),
        (MCNEMAR, ("check('q2', [[4, 1], [9, 8]])",), "add up to 22, but the table has 24 records", "is right"),
        (MCNEMAR, ("check('q2', [[4, 2], [9, 8]])",), "3 of 4 entries are right", "add up"),
        # no answer is told
        (SPLITS, ("check('q5', 3)",), "The question asks for: Degrees of freedom.", "minus 1"),
        (FAMILIES, ("check('q6', 9)",), "The question asks for: Degrees of freedom.", "minus 1"),
        (MCNEMAR, ("check('q7', 'yes')",), "Which of the two is larger", "is larger than"),
        (PAIRED, ("check('q9', 'yes')",), "Which of the two is larger", "is larger than"),
    ],
)
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
    cells = (*D, "sd = d.std()", "check('q3', sd)", *["sd = 1 / 0", "check('q3', sd)"] * 3, "sd = d.std() + 1", "check('q3', sd)")
    assert sum(line.startswith("The ") for line in last_reply(PAIRED, *cells).lines) == 2
    assert last_reply(PAIRED, *D, "mean = mean / nothing", "check('q2', mean)").verdict == "right"


def test_the_line_in_python_is_not_shown_to_a_student_who_is_nearly_right() -> None:
    """A student whose line has one marked part would copy it."""
    wrong = ("sd = np.sqrt(((d - mean)**2).sum() / 4)", "check('q3', sd)") * 6
    assert "in Python" not in repr(last_reply(PAIRED, *D, *wrong))
    assert "in Python" in repr(last_reply(PAIRED, *D, *["check('q3', 0.123)"] * 6))
