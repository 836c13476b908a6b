"""Replies read lines of many kinds: tests of SciPy, several lines, two slips, lines that are another quantity; numbers without a line."""

from __future__ import annotations

import re
from time import process_time
from typing import Any

import numpy as np
import pytest
from asked_numbers import decimal_numbers, right_values
from scipy import stats
from test_replies_are_true import answered_before
from test_student_lines import marked, reply
from wrong_lines import is_false, reading_of, wrong_lines

import fstats
from fstats.teaching.course.catalogue import exercise_names
from fstats.teaching.grading.mistakes import slip_search
from fstats.teaching.grading.mistakes.implied_inputs import ImpliedInputs
from fstats.teaching.grading.mistakes.right_calculation import RightCalculation
from fstats.teaching.grading.student_lines.code_history import CodeHistory
from fstats.teaching.grading.student_lines.distribution_values import _quick, quick_value
from fstats.teaching.grading.student_lines.evaluation_limits import NotRead
from fstats.teaching.grading.verdicts.marked_line import MarkedLine

KNOWN = "se = d.std(ddof=1) / np.sqrt(n)\nt = m / se"


@pytest.mark.parametrize(
    ("key", "line", "part"),
    [
        ("q5", "t = stats.ttest_ind(a, b).statistic", "stats.ttest_ind"),
        ("q5", "t = stats.ttest_rel(a, b).pvalue", "stats.ttest_rel(a, b).pvalue"),
        ("q5", "t = stats.ttest_rel(a, b)[1]", "1"),
        ("q8", "p = stats.ttest_rel(a, b, alternative='greater').pvalue", "'greater'"),
        ("q8", "p = stats.t.cdf(t, 5)", "stats.t.cdf(t, 5)"),
        ("q3", "sd = statistics.variance(d.tolist())", "statistics.variance"),
        ("q5", "t = (d.mean() - 0) / d.std(ddof=1) / np.sqrt(n)", "/"),
        ("q3", "sd = np.sqrt(((d - m) ** 2).max() / (n - 1))", "max"),
        ("q3", "sd = pd.Series(d).std(ddof=0)", "0"),
    ],
)
def test_calls_of_scipy_and_their_arguments(key: str, line: str, part: str) -> None:
    """The wrong test, the wrong part of its result, the wrong alternative, the wrong function."""
    assert part in marked(reply(key, "import pandas as pd", KNOWN, line))


@pytest.mark.parametrize(
    ("lines", "part"),
    [
        (("s = 0", "for x in d:\n    e = x + m\n    s = s + e ** 2", "sd = np.sqrt(s / (n - 1))"), "+"),
        (("s = 0", "for x in d:\n    s += (x - m) ** 2", "sd = np.sqrt(s / n)"), "n"),
        (
            (
                "def f(v):\n    t = 0\n    for x in v:\n        if x != 99:\n            t += (x - sum(v) / len(v)) ** 2\n    return t",
                "sd = f(d) ** 0.5",
            ),
            "f(d)",
        ),
        (("i, s = 0, 0.0", "while i < n:\n    s += (d[i] + m) ** 2\n    i += 1", "sd = (s / (n - 1)) ** 0.5"), "+"),
        (("e, k = d - m, n", "sd = np.sqrt((e ** 2).sum() / k)"), "k"),
        (("e = d - m", "e **= 2", "sd = np.sqrt(e.sum() / n)"), "n"),
        (("e = {i: x + m for i, x in enumerate(d)}", "sd = np.sqrt(sum(v ** 2 for v in e.values()) / (n - 1))"), "+"),
        (("e = np.where(d > m, d - m, m - d)", "sd = np.sqrt((e ** 2).sum() / n)"), "n"),
    ],
)
def test_several_lines_are_followed(lines: tuple[str, ...], part: str) -> None:
    """Loops of several statements, conditions, functions, tables, several names at once."""
    said = reply("q3", *lines)
    assert marked(said) == part
    assert part or "a division" in repr(said) or "Your line" in repr(said) or "missing" in repr(said)


@pytest.mark.parametrize(
    "line",
    ["sd = np.sqrt(((d + m) ** 2).sum() / n)", "sd = ((d - m) ** 2).sum() / n", "sd = np.sqrt(((d + m) ** 2).sum() * (n - 1))"],
)
def test_two_slips_are_called_two(line: str) -> None:
    """One of them is marked, and the reply does not say that it is the only one."""
    said = repr(reply("q3", line))
    assert "More than one part of your line is wrong" in said
    assert "Only" not in said


def test_a_line_that_is_another_quantity() -> None:
    """The quantity is named; nothing of it is called missing."""
    said = repr(reply("q5", "se = d.std(ddof=1) / np.sqrt(n)", "t = d.std(ddof=1) / n ** 0.5"))
    assert "Your line computes another quantity: standard error" in said
    assert "No part" not in said


def test_no_part_is_missed_that_a_part_or_a_call_has() -> None:
    """A mean inside a standard deviation, and a part of a part that is right, are there."""
    for line in ("sd = abs(d - m).sum() / 7 + d.std()", "sd = np.std(d) - np.std(a)", "sd = sum((x - sum(d) / len(d)) ** 2 for x in d)"):
        absent = re.search("No part of your line `.*` has the value of: (.*)", repr(reply("q3", line)))
        assert not absent or "mean difference" not in absent[1], line


def test_quick_values_are_those_of_scipy() -> None:
    """To twelve digits, for any parameters; what lies outside is left to SciPy or has no value."""
    rng = np.random.default_rng(3)
    for path, (_, count) in _quick().items():
        law, function = path.split(".")
        for _ in range(40):
            x = (
                rng.uniform(0.01, 0.99)
                if function in ("ppf", "isf")
                else rng.normal() * 3
                if law in ("t", "norm")
                else rng.exponential() * 4
            )
            others = [20, 0.5] if law == "binom" else [int(rng.integers(1, 30)) for _ in range(count - 1)]
            wanted = getattr(getattr(stats, law), function)(x, *others)
            found = quick_value(f"scipy.stats.{path}", [x, *others])
            assert found is None or np.isclose(found, wanted, rtol=1e-11, atol=1e-300), (path, x, others)
    assert quick_value("scipy.stats.t.sf", [np.ones(3), 5]) is None
    assert quick_value("scipy.stats.t.sf", [1.0, 5, 2]) is None
    assert np.isnan(quick_value("scipy.stats.t.sf", [1.0, -1]))


# -- numbers without a line ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", exercise_names())
def test_the_right_calculation_is_the_right_one(name: str) -> None:
    """The tree whose parts are changed gives the right value unchanged, wherever it can be written."""
    task = fstats.exercise(name)
    for question, right in right_values(task):
        if np.asarray(right).dtype.kind == "f":
            task.check(question.key, right)
            calculation = RightCalculation(task.diagnosis(question.key))
            value = None
            if calculation.root is not None:
                try:
                    value = calculation.world.value(calculation.root, 1)
                except NotRead:
                    continue
            assert value is None or np.allclose(value, right, rtol=1e-9, atol=1e-12), question.key


@pytest.mark.parametrize(
    ("name", "key", "factor", "words"),
    [
        ("corrected_resampled_t", "q10", lambda test: test.factor * test.sd, "a square root is left out"),
        ("language_models", "q5", lambda test: test.mean * test.se, "one operation"),
        ("friedman_and_nemenyi", "q11", lambda test: test.q_alpha * (test.k * (test.k + 1) / (6 * test.n)), "a square root is left out"),
        ("unstable_learners", "q1", lambda test: test.n10 + test.n01, "one operation"),
    ],
)
def test_the_slip_that_gives_a_number_is_told(name: str, key: str, factor: Any, words: str) -> None:
    """With all digits and, if it is one number, with four; without the right number."""
    task = answered_before(name, key)
    test = task.test_of(task.exercise.question(key))
    value = factor(test)
    for answer in (value, float(f"{value:.5g}")) if not np.ndim(value) else (value,):
        task.check(key, answer)
        said = slip_search.find_slip(task.diagnosis(key))
        assert words in said
        assert np.ndim(value) or f"{getattr(test, task.exercise.question(key).step):.4g}" not in said


@pytest.mark.parametrize(
    ("name", "key", "value", "words"),
    [
        ("paired_t_by_hand", "q3", lambda test: np.sqrt(((test.d - test.mean) ** 2).sum() / test.n - 1), "one change: parentheses"),
        ("corrected_resampled_t", "q1", lambda test: test.d[:-1].sum() / test.n, "one term of a sum is left out"),
        (
            "folds_are_not_independent",
            "q6",
            lambda test: np.median(test.d) / test.sd * np.sqrt(test.n),
            "a median stands in the place of a mean",
        ),
        ("bcv_mcnemar", "q3", lambda test: 10 / 1 + test.rho1 + 8 * test.rho2, "one change: parentheses"),
        ("analysis_of_variance", "q12", lambda test: stats.friedmanchisquare(*test.scores.T).statistic, "Friedman's chi-squared test"),
        (
            "corrected_resampled_t",
            "q4",
            lambda test: test.mean / (test.d.std() / test.n),
            "two changes: the mistake 'divided by J for J - 1'; and",
        ),
        ("paired_t_by_hand", "q5", lambda test: -test.mean / (test.d.std() / np.sqrt(test.n)), "'divided by n'; and a sign is changed"),
        ("wilcoxon_by_hand", "q2", lambda test: int((test.d == 0).sum()), "the count of the other cases"),
        ("hack_a_verdict", "q4", lambda test: round(test.critical_value - 0.1, 3), "mistyped one digit"),
        ("simulate_a_type_one_error", "q1", lambda _: 0.0, "none of the repetitions is counted"),
        ("contingency_from_predictions", "q6", lambda test: round(test.pvalue * 2**11), "counts cases, divide it"),
        ("contingency_from_predictions", "q4", lambda test: (test.n10 + test.n01) / test.records, "You added the two counts"),
    ],
)
def test_other_kinds_of_slips_are_told(name: str, key: str, value: Any, words: str) -> None:
    """Two slips at once, slips by hand, other tests, other cases, typed digits, and a share of 0; without the right number."""
    task = answered_before(name, key)
    test = task.test_of(task.exercise.question(key))
    said = repr(task.check(key, value(test)))
    assert words in said
    assert f"{getattr(test, task.exercise.question(key).step):.4g}" not in said.partition("See ")[0] or words.startswith("the count")


def test_a_long_cell_is_read_in_time_that_grows_with_its_length() -> None:
    """A cell of 5,000 statements, alone or in a loop, takes less than three seconds of processor time."""
    lines = [f"x{k} = {k} + 1  # ä" for k in range(5_000)]
    for cell in ("\n".join(lines), "while True:\n    " + "\n    ".join(lines)):
        start, history = process_time(), CodeHistory()
        history.read_cell(cell)
        assert process_time() - start < 3
        assert "x4999" in history.definitions
    history = CodeHistory()
    history.read_cell("é = 1; y = (é +\n  2)\ndef f(x):\n    return x")
    assert [history.definitions[name][0].text for name in ("é", "y", "f")] == ["é = 1", "y = é + 2", "def f(x):\n    return x"]


@pytest.mark.complete
@pytest.mark.parametrize(
    ("explain", "digits", "least", "share"),
    [(slip_search.find_slip, (3, 4), 50, 0.02), (lambda diagnosis: ImpliedInputs(diagnosis).sentence(), (3, 4, 5, 12), 100, 0.01)],
    ids=["a slip", "an input"],
)
def test_few_random_numbers_are_explained(explain: Any, digits: tuple[int, ...], least: int, share: float) -> None:
    """At most 2 % are told to be the result of a changed calculation, and at most 1 % that of another input."""
    rng, tried, agreed = np.random.default_rng(7), 0, []
    names = ("paired_t_by_hand", "corrected_resampled_t", "bayesian_comparison", "unstable_learners", "friedman_and_nemenyi")
    for name, task, question, right in decimal_numbers(names):
        if right == np.floor(right):
            continue
        for many in digits:
            number = float(f"{abs(right) * 10 ** rng.uniform(-0.6, 0.6):.{many}g}")
            task.check(question.key, number)
            tried += 1
            agreed += [(name, question.key, number, told)] if (told := explain(task.diagnosis(question.key))) else []
        task.check(question.key, right)
    assert tried > least
    assert len(agreed) <= share * tried, agreed


@pytest.mark.complete
def test_the_order_of_magnitude_that_is_told_is_true() -> None:
    """The right value lies between the two powers of ten, and the answer does not."""
    told = 0
    for name, task, question, right in decimal_numbers(exercise_names()):
        said = task.fresh().check(question.key, 31.7131 * float(right) + 0.0137).lines[0]
        if found := re.search(r"The value that is asked for lies between ([\d.,e-]+) and ([\d.,e-]+)\. ", said):
            low, high = (float(one.replace(",", "")) for one in found.groups())
            assert low < right < high, (name, question.key)
            told += 1
    assert told > 10


def test_answers_in_words_are_told_what_to_type() -> None:
    """A number with words, a formula, a letter with its option, a decision."""
    task = fstats.exercise("paired_t_by_hand")
    for key, typed, told in (
        ("q2", "2.5 points", "without quotes and words, 2.5."),
        ("q6", "6 - 1", "write the formula without quotes, 6 - 1, and Python computes it"),
        ("q6", "n-1", "a calculation without quotes with the names of the cells above."),  # Python may not know n
        ("q4", "sd / root n", "a calculation without quotes with the names of the cells above."),
        ("q3", "sqrt(9.5)", "write the formula without quotes, np.sqrt(9.5), and Python computes it"),
        ("q3", "3.08 / √6", "write the formula without quotes, 3.08 / np.sqrt(6), and Python computes it"),
        ("q3", "2^6", "without quotes, 2**6, and Python computes it"),
        ("q3", "20 of 64", "without quotes, 20 / 64, and Python computes it"),
        ("q3", "3 3/19", "without quotes, 3 + 3/19, and Python computes it"),
        ("q3", "8 / 9 = 0.889", "without quotes, 0.889."),
        ("q3", "1.26 ± 0.01", "without quotes, 1.26."),
        ("q3", "1.99 (5 df)", "without quotes, 1.99."),
        ("q8", "0.104 (two-sided)", "without quotes, 0.104."),
        ("q3", "47 500", "without quotes and in one piece, 47500."),
        ("q3", "−0.5", "without quotes, -0.5."),
        ("q2", "2.5 %", "without %, 2.5 for percentage points, or 0.025 for a share or a probability"),
        ("q5", "1.99, 0.104", "write a single number in digits"),
        ("q5", "2 (n - 1)", "a calculation without quotes"),  # the parentheses are no remark
        ("q5", (1.5, 0.25), "a test of SciPy returns its statistic and its p-value together"),
        ("q2", "x = 2.5", "write the number without quotes, 2.5."),
        ("q8", "p < 0.05", "write the number in digits"),
        ("q9", "not significant", 'True for "reject", False for "do not reject"'),
        ("q10", "b) because", 'write only the letter, "b"'),
        ("q10", "option b", 'write only the letter, "b"'),
        ("q10", "a good one", "write the letter of your option"),
    ):
        assert told in repr(task.fresh().check(key, typed)), typed


def test_a_wrong_decision_names_what_is_compared() -> None:
    """Both numbers by their words, none by its value."""
    said = fstats.exercise("paired_t_by_hand").check("q9", True).lines[0]
    assert "compares two numbers" in said
    assert "is larger than" not in said
    assert not re.search(r"\d\.\d", said)


@pytest.mark.every_case
@pytest.mark.parametrize("kind", ["two slips", "two lines"])
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name == "paired_t_by_hand" else [pytest.mark.complete]) for name in exercise_names()]
)
def test_what_is_said_of_lines_of_each_kind_is_true(name: str, kind: str) -> None:
    """The changes make the line right on other data, too, and no reply holds the right line."""
    for wrong in wrong_lines(name, kind):
        reader, reading = reading_of(wrong)
        if reader is not None and reading is not None:
            assert not is_false(reader, reading), (wrong.key, wrong.code)
            words = "\n".join(line for line in reader.context.line_remarks if not isinstance(line, MarkedLine))
            assert "\\" not in words
            assert wrong.right not in words or len(wrong.right) < 4
