"""The first reply to a wrong line of a student: it says nothing false of the line, and it points at the wrong part."""

from __future__ import annotations

import ast
from contextlib import suppress
from functools import cache
from typing import Any

import pytest
from test_student_lines import marked
from wrong_lines import _run, as_it_is, solution_cells

import fstats
from fstats.teaching.grading.student_lines.code_history import line_in_cells
from fstats.teaching.grading.verdicts.feedback import Feedback

IMPORTS = "import math, statistics\nimport numpy as np\nfrom scipy import stats"


@cache
def before(name: str, key: str) -> tuple[tuple[str, ...], dict[str, Any]]:
    """The cells of a solution before the answer to a question, and the names after them."""
    names: dict[str, Any] = {}
    cells = [IMPORTS, *solution_cells(name)]
    asked = next(place for place, cell in enumerate(cells) if f'check("{key}"' in cell)
    for cell in cells[: asked - 1]:
        with suppress(ImportError, AttributeError):  # pictures
            _run(cell, names)
    return tuple(cells[: asked - 1]), names


def first_reply(name: str, key: str, code: str) -> Feedback:
    """The reply to the last assignment of some code, after all earlier answers of the exercise were right."""
    cells, known = before(name, key)
    own = dict(known)
    _run(code, own)
    answer = ast.unparse(ast.parse(code).body[-1].targets[0])  # type: ignore[attr-defined]
    line = line_in_cells([*cells, code, f'check("{key}", {answer})'], key, own)
    return as_it_is(known["task"]).reply_to(key, own[answer], line)  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("name", "key", "code", "part"),
    [
        ("friedman_and_nemenyi", "q4", "s = ((mean_ranks - (k + 1) / 2) ** 2).sum()\nq = 12 * k / (N * (N + 1)) * s / C", "12 * k"),
        ("bcv_mcnemar", "q6", "x, y = n01.mean() * t, n10.mean() * t\ns = abs(x - y) ** 2 - 1\nq = s / (x + y)", "abs(x - y) ** 2 - 1"),
        ("five_by_two", "q3", "estimate = np.sort(d.ravel())[0]", "np.sort"),
        ("paired_t_by_hand", "q2", "s = d[0]\nfor x in d:\n    s = s + x\nmean = s / len(d)", "d[0]"),
        ("holms_ladder", "q3", "rungs = np.argsort(pvalues)", "np.argsort"),
        ("unstable_learners", "q2", "s = ((imbalance - imbalance.mean(axis=0)) ** 2).sum()", "imbalance.mean(axis=0)"),
        ("simulate_a_type_one_error", "q5", "r = round(alpha * (1 - alpha), 2)\nneeded = r / wanted**2", "round(alpha * (1 - alpha), 2)"),
        ("corrected_resampled_t", "q2", "s = sum((x - mean) ** 2 for x in d)\nsd = s / len(d)", "len(d)"),
    ],
)
def test_the_part_that_is_wrong_is_marked(name: str, key: str, code: str, part: str) -> None:
    """Exchanged names, a wrong order, sorting, a wrong start of a sum, a wrong axis, rounding, and one of two slips."""
    assert part in marked(first_reply(name, key, code))


@pytest.mark.parametrize(
    ("name", "key", "code", "words", "never"),
    [
        ("bcv_mcnemar", "q9", "r = bool(statistic >= 1.28)", "", "Only the marked part"),
        ("not_significant_is_not_equivalent", "q10", "r = bool(p > 0.05)", "", "Only the marked part"),
        ("bcv_mcnemar", "q9", "r = bool(p >= 0.05)", "Only the marked part", "No part"),
        ("not_significant_is_not_equivalent", "q8", "t = mean / se", "The marked part", "More than one part"),
        ("bayesian_comparison", "q4", "t = -rope - mean / scale", "Parentheses are missing", "Only"),
        ("corrected_resampled_t", "q10", "se = np.sqrt(factor * sd)", "square root stands over too much", "Only"),
        ("corrected_resampled_t", "q5", "df = 2 * len(d) - 2", "A factor of 2", "right so far"),
        (
            "analysis_of_variance",
            "q18",
            "f = stats.f_oneway(*[row for row in scores]).statistic",
            "is the right test",
            "not the calculation",
        ),
        ("holms_ladder", "q5", "r = [True, True, False, False, True, False]", "", "No part of your line"),
        ("five_by_two", "q3", "estimate = d[1, 1]", "Positions count from 0", "Only"),
        (
            "hack_a_verdict",
            "q9",
            "q2 = round(q, 2)\nm = math.ceil(math.log(0.05) / math.log(1 - q2))",
            "You round in the line `q2 =",
            "no square",
        ),
        (
            "read_a_published_comparison",
            "q14",
            "D = n10_most - 65\ns = [(D - 1) / (n10_most + 65), (D - 1) / D]",
            "has no square;",
            "puts them",
        ),
        ("write_your_own_test", "q5", "p = 2 * stats.t.sf(paired_t(a, b), len(a) + len(b) - 2)", "Only the marked part", "may come from"),
        ("bcv_mcnemar", "q1", "mean = [n01.mean(axis=1)[0], n10.mean(axis=1)[1]]", "known quantity", "interval"),
        ("read_a_published_comparison", "q5", "r = [0.0315, 0.0325]", "", "by the same amount"),
        ("friedman_and_nemenyi", "q3", "C = ((ranks - 2.5)**2).sum() / (N * k * (k + 1) / 12)", "With another", "the rest is right"),
        ("friedman_and_nemenyi", "q8", "fr = stats.friedmanchisquare(*scores.T)\np = fr.pvalue", "p-value of chi", "no distribution"),
        ("friedman_and_nemenyi", "q11", "cd = q * np.sqrt(2) * np.sqrt(k * (k - 1) / (6 * N))", "", "the rest is right"),
        ("corrected_resampled_t", "q10", "extra = np.sqrt(test_by_train) * sd\nse = naive_se + extra", "in this form", "belong here."),
    ],
)
def test_what_the_first_reply_says(name: str, key: str, code: str, words: str, never: str) -> None:
    """Each reply holds its words, and not those that would be false."""
    said = repr(first_reply(name, key, code))
    assert words in said
    assert never not in said


def test_a_guess_stays_if_the_line_gives_the_value_of_the_mistake() -> None:
    """Only a mistake with another value on other data is not guessed."""
    assert "degrees of freedom of two samples" in repr(first_reply("corrected_resampled_t", "q5", "df = 2 * len(d) - 2"))


def test_numbers_that_are_shifted_by_the_same_amount_are_told() -> None:
    """With all digits, and with the digits that were typed; not if they differ by more than these digits allow."""
    task = fstats.exercise("analysis_of_variance")
    right = task.test_of(task.exercise.question("q1")).means
    shifted = [float(x) + 7.3 for x in right]
    for numbers in (shifted, [round(x, 3) for x in shifted]):
        assert "by the same amount" in repr(task.fresh().check("q1", numbers))
    assert "by the same amount" not in repr(task.fresh().check("q1", [shifted[0] + 0.5, *shifted[1:]]))
