"""A mark in a student's line covers what is wrong, and nothing that is right is blamed."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
from test_first_line_reply import before, first_reply
from test_student_lines import marked
from wrong_lines import _run, as_it_is

import fstats
from fstats.teaching.course.catalogue import exercise_names, load_exercise_definition
from fstats.teaching.grading.student_lines.code_history import line_in_cells
from fstats.teaching.grading.student_lines.line_edits import PARENTHESES, TYPED
from fstats.teaching.grading.student_lines.line_reply import ONLY_PART, REPAIRS
from fstats.teaching.grading.verdicts.feedback import Feedback
from fstats.teaching.grading.verdicts.marked_line import MarkedLine
from fstats.teaching.sandbox_runtime.plain_value import plain_value

RIGHT = (
    ("paired_t_by_hand", "q2", "d.mean()", "len(d)"),
    ("paired_t_by_hand", "q3", "d.std(ddof=1)", "len(d)"),
    ("paired_t_by_hand", "q4", "sd / np.sqrt(len(d))", "len(d)"),
    ("corrected_resampled_t", "q2", "np.std(d, ddof=1)", "15"),
    ("unstable_learners", "q8", "means.std(ddof=1)", "5"),
    ("bayesian_comparison", "q2", "d.std(ddof=1)", "10"),
    ("five_by_two", "q2", "np.sqrt(variances.mean())", "5"),
)
FACTORS = ("/ np.sqrt({})", "/ {}", "/ {} ** 0.5", "* {}", "* np.sqrt({})", "/ ({} - 1)", "/ 3")


def second_reply(name: str, key: str, code: str, *, unchecked: tuple[str, ...] = ()) -> Feedback:
    """The reply to the same line a second time; with `unchecked` lines in the place of all answers before it."""
    cells, known = before(name, "q1" if unchecked else key)
    own, task = dict(known), as_it_is(known["task"])
    for line in (*unchecked, code):
        _run(line, own)
    answer = code.rpartition("\n")[2].partition(" =")[0]
    lines = [line_in_cells([*cells, *unchecked, code, *[f'check("{key}", {answer})'] * many], key, own) for many in (1, 2)]
    return [task.reply_to(key, own[answer], line) for line in lines][-1]


def without_the_mark(said: Feedback, known: dict[str, Any]) -> Any:
    """The value of the line of a reply without its marked part."""
    line = next(line for line in said.lines if isinstance(line, MarkedLine))
    names = dict(known)
    exec(line.code[: line.start] + line.code[line.stop :], names)
    return names["answer"]


@pytest.mark.parametrize(("name", "key", "right", "count"), RIGHT)
@pytest.mark.parametrize("factor", FACTORS)
def test_a_mark_covers_the_whole_superfluous_factor(name: str, key: str, right: str, count: str, factor: str) -> None:
    """With its operation: the line without the marked part is right if the reply says so."""
    task = before(name, key)[1]["task"]
    code = f"answer = {right} {factor.format(count)}"
    said = first_reply(name, key, code)
    assert ONLY_PART in said.lines or said.verdict == "mistake", said
    assert marked(said) == factor.format(count)
    value = without_the_mark(said, before(name, key)[1])
    assert np.allclose(value, getattr(task.test_of(task.exercise.question(key)), task.exercise.question(key).step), rtol=1e-12)


TYPED_F = (
    "mean_ranks = stats.rankdata(-scores, axis=1).mean(axis=0)",
    "c = ((stats.rankdata(-scores, axis=1) - 2.5) ** 2).sum() / 40",
    "x = 12 * N / (k * (k + 1)) * ((mean_ranks - 2.5) ** 2).sum() / c",
    "f = (N - 1) * x / (N * (k - 1) - x)",
)
TYPED_T = ("sd = d.std(ddof=1)", "t = d.mean() / (sd * np.sqrt(1 / 15 + 1 / 9))")
COUNTS = ("n01 = 2", "n10 = 9", "n = 11")


@pytest.mark.parametrize(
    ("name", "key", "unchecked", "code", "wrong", "right"),
    [
        ("friedman_and_nemenyi", "q8", TYPED_F, "p = stats.f.sf(f, 21, 3)", ("`21`", "`3`"), ("`f`",)),
        ("corrected_resampled_t", "q12", TYPED_T, "p = 2 * stats.t.sf(t, len(d))", ("`len(d)`",), ("`t`",)),
        ("corrected_resampled_t", "q12", TYPED_T, "p = 2 * stats.t.sf(abs(t), 15)", ("15",), ("`abs(t)`",)),
        ("corrected_resampled_t", "q12", TYPED_T, "p = 2 * stats.t.cdf(-t, 15)", ("15",), ("`-t`",)),
        ("contingency_from_predictions", "q6", COUNTS, "p = stats.binom.cdf(n01, n, 0.5)", (), ("`n01`", "`n`")),
        ("contingency_from_predictions", "q6", COUNTS, "p = 2 * stats.binom.cdf(n01, 24, 0.5)", ("`24`",), ("`n01`",)),
        ("contingency_from_predictions", "q6", COUNTS, "p = 2 * stats.binom.cdf(2, 11, 0.05)", ("`0.05`",), ("`2`", "`11`")),
        ("contingency_from_predictions", "q6", COUNTS, "p = 2 * stats.binom.sf(n10 - 1, 24, 0.5)", ("24",), ("`n10 - 1`",)),
    ],
)
def test_a_right_argument_is_not_blamed(
    name: str, key: str, unchecked: tuple[str, ...], code: str, wrong: tuple[str, ...], right: tuple[str, ...]
) -> None:
    """Earlier lines with typed numbers, the size of t, the smaller of two counts: they are right on these data."""
    said = second_reply(name, key, code, unchecked=unchecked)
    told = " ".join(line for line in said.lines if " is not what the formula has" in line or isinstance(line, MarkedLine))
    assert all(part in told for part in wrong), said
    assert not any(part in told for part in right), said
    assert marked(said).strip("`") not in [part.strip("`") for part in right]


@pytest.mark.parametrize(
    ("name", "key", "unchecked", "code"),
    [
        ("sign_test_by_hand", "q3", ("wins, n = 8, 9",), "p = comb(9, 2) / 2 ** 9 * 2"),
        ("sign_test_by_hand", "q3", ("wins, n = 8, 9",), "p = sum(comb(9, k) for k in range(2)) / 2 ** 9"),
        ("one_or_two_sided", "q12", ("t = 1",), "p = stats.binom.sf(7, 8, 0.5) * 2"),
    ],
)
def test_a_number_that_another_makes_right_by_chance_is_not_marked(name: str, key: str, unchecked: tuple[str, ...], code: str) -> None:
    """comb(5, 2) is 1 + 9, and 2 / 2**8 becomes 9 / 2**8 with a 9 in the place of the 2: a right number is not called wrong."""
    said = second_reply(name, key, f"from math import comb\n{code}", unchecked=unchecked)
    assert marked(said) not in ("9", "2", "8"), said
    assert REPAIRS not in said.lines
    assert not {TYPED.format(9), TYPED.format(2)} & {*said.lines}


@pytest.mark.parametrize(
    ("name", "key", "unchecked", "code", "part", "never"),
    [
        (
            "five_by_two",
            "q2",
            ("variances = d.var(axis=1, ddof=1)",),
            "se = np.sqrt(variances.sum() / 10)",
            "10",
            "deviations by 2",
        ),
        ("five_by_two", "q2", (), "se = np.sqrt(np.sum(variances) / d.size)", "d.size", "deviations by 2"),
        (
            "wilcoxon_by_hand",
            "q4",
            ("d = a - b", "n = 14", "r = np.where(d != 0, stats.rankdata(abs(d)) - 1, 0)"),
            "w = r[d < 0].sum()",
            "",
            "B minus A",
        ),
        ("unstable_learners", "q9", (), "answer = np.sqrt((n01 + n10).sum() / 10 / n / n)", "10", "A factor of 2"),
        ("five_by_two", "q2", (), "se = np.sqrt(variances.mean() / 5)", "/ 5", ONLY_PART),
        ("unstable_learners", "q2", (), "s = ((imbalance - imbalance.mean(axis=1)[:, None]) ** 2).mean()", "mean", "mistype"),
    ],
)
def test_a_mistake_is_not_named_where_the_mark_shows_another_part(
    name: str, key: str, unchecked: tuple[str, ...], code: str, part: str, never: str
) -> None:
    """The line holds the right value of the step at which the mistake would have been made; a doubtful mark is left out."""
    said = second_reply(name, key, code, unchecked=unchecked)
    assert marked(said) == part, said
    assert never not in repr(said)


@pytest.mark.parametrize("statistic", ["np.mean(t0 > {})", "np.sum(abs(t0) >= {})", "(t0 > {}).mean()"])
def test_a_critical_value_in_a_share_is_no_slip(statistic: str) -> None:
    """The share of statistics beyond a critical value is a probability."""
    draws = "d0 = np.random.default_rng(2026).normal(size=(len(a), 100_000))"
    line = "t0 = d0.mean(0) / (d0.std(0, ddof=1) / np.sqrt(len(a)))"
    said = second_reply("one_or_two_sided", "q11", f"p = {statistic.format('stats.t.ppf(0.95, 7)')}", unchecked=(draws, line))
    assert "returns a value of the statistic" not in repr(said)


def test_a_loop_over_a_range_has_the_count_before_its_end() -> None:
    """`range(2)` counts 0 and 1: nothing of it is missing."""
    said = first_reply("sign_test_by_hand", "q3", "p = 2 * sum(comb(10, k) for k in range(2)) / 2 ** 10")
    assert "No part of your line" not in repr(said)


@pytest.mark.parametrize("kind", [np.float32, np.float16, np.longdouble])
def test_a_short_kind_of_numbers_has_the_digits_that_it_shows(kind: type) -> None:
    """float32(0.1) is 0.1, alone, in a column and in a table of pandas; a share of repetitions stays possible."""
    assert [*map(float, plain_value([kind("0.1"), kind("2.5"), kind("inf")]))] == [0.1, 2.5, np.inf]
    assert plain_value(np.array([0.1, 2.5], dtype=kind)) == [0.1, 2.5]
    assert np.isnan(plain_value(kind("nan")))
    if kind is np.float32:
        assert plain_value(pd.Series([0.1, 0.3], dtype="float32")) == [0.1, 0.3]
    assert fstats.exercise("one_or_two_sided").check("q11", kind("0.1")).is_right


@pytest.mark.parametrize(("name", "key"), [("paired_t_by_hand", "q1"), ("holms_ladder", "q5"), ("analysis_of_variance", "q1")])
def test_a_table_of_one_line_or_column_is_a_list(name: str, key: str) -> None:
    """Numbers and decisions; a table with another number of entries is not."""
    task = fstats.exercise(name)
    right = np.asarray(getattr(task.test_of(task.exercise.question(key)), task.exercise.question(key).step))
    for form in (right[None], right[:, None], right[None].tolist(), right[:, None].tolist()):
        assert task.fresh().check(key, form).is_right
    for form in (right[None, :-1], np.vstack([right, right]), right[None, None]):
        assert task.fresh().check(key, form).verdict == "unreadable"


def test_a_comma_is_explained_where_one_was_typed() -> None:
    """No thousands begin with 0, and a computed column of whole numbers has no commas."""
    task = fstats.exercise("paired_t_by_hand")
    for typed, told in (("0,292", "comma, 0.292."), ("-0,500", "comma, -0.500."), ("1,234", "1234 for thousands, 1.234 for decimals.")):
        assert told in repr(task.check("q2", typed))
    task = fstats.exercise("analysis_of_variance")
    comma = "Python reads 0,5 as two numbers"
    assert comma not in repr(task.check("q1", task.data["scores"].mean(axis=1)))
    assert comma not in repr(task.check("q1", task.data["scores"].mean(axis=1).tolist()))
    assert comma in repr(task.check("q1", [80, 5, 70, 2, 60.0]))


@pytest.mark.parametrize("name", exercise_names())
def test_no_mistake_holds_a_line_of_code(name: str) -> None:
    """The words say what to do; the line is left to the student."""
    for mistake in load_exercise_definition(name).mistakes:
        assert not re.search(r"\w\[\w+\] = ", mistake.sentence), mistake.name


@pytest.mark.parametrize(
    ("name", "key", "code"),
    [
        ("sign_test_by_hand", "q1", "wins = sum(a >= b)"),
        ("paired_t_by_hand", "q6", "df = len(d) - 1 - 1"),
        ("corrected_resampled_t", "q5", "df = 2 * len(d) - 2"),
    ],
)
def test_a_possible_mistake_is_told_in_a_sentence(name: str, key: str, code: str) -> None:
    """The title of a mistake, such as 'two degrees spent', is for the lecturer."""
    said = repr(first_reply(name, key, code))
    titles = [mistake.name for mistake in load_exercise_definition(name).mistakes]
    assert re.search(r"Your answer may come from this mistake: You[r ]", said)
    assert not any(repr(title) in said for title in titles)


@pytest.mark.parametrize(
    ("name", "key", "code", "part"),
    [
        (
            "folds_are_not_independent",
            "q7",
            "J, sd = len(d), d.std(ddof=1)\nse = np.sqrt(1 / J + test_share / 1 - test_share) * sd",
            "1 / J + test_share / 1 - test_share",
        ),
        (
            "unstable_learners",
            "q10",
            "E = (n01 + n10).sum() / n / 5\nse = np.sqrt(E / n + (1 / 5 + rho / 1 - rho) * s_j ** 2)",
            "1 / 5 + rho / 1 - rho",
        ),
        ("bayesian_comparison", "q3", "scale = np.sqrt(1 / len(d) + rho / 1 - rho) * sd", "1 / len(d) + rho / 1 - rho"),
    ],
)
def test_missing_parentheses_are_named_before_a_mistake_of_the_same_value(name: str, key: str, code: str, part: str) -> None:
    """rho / 1 - rho is 0, so the number is the one without rho; the line has rho."""
    said = first_reply(name, key, code)
    assert marked(said) == part
    assert PARENTHESES in said.lines
    assert "add " not in repr(said)


@pytest.mark.parametrize(
    ("name", "key", "code", "never"),
    [
        ("corrected_resampled_t", "q14", "worth = len(d) * factor", "right so far"),
        ("folds_are_not_independent", "q9", "worth = len(d) * (1 / len(d) + 0.25)", "an addition, too"),
        ("analysis_of_variance", "q4", "ss_classifiers = N * means.var(ddof=1)", "marked part"),
        ("five_by_two", "q1", "answer = d.var(axis=1, ddof=0)", "You typed 0"),
    ],
)
def test_what_is_said_of_a_line_holds_on_other_data(name: str, key: str, code: str, never: str) -> None:
    """J / (J f) undoes the J; 0.25 is the ratio of these sizes; `ddof` is no number of a formula."""
    assert never not in repr(second_reply(name, key, code))


@pytest.mark.parametrize(
    ("name", "key", "code", "part"),
    [
        ("paired_t_by_hand", "q7", "critical_value = stats.t.ppf(0.025, df)", "stats.t.ppf(0.025"),
        ("unstable_learners", "q5", "low = 5 * scatter / stats.chi2.ppf(0.025, 5)", "stats.chi2.ppf(0.025"),
        ("analysis_of_variance", "q9", "df_error = N * k - 1 - df", ""),
    ],
)
def test_a_mark_covers_each_part_that_may_be_wrong(name: str, key: str, code: str, part: str) -> None:
    """`isf(0.025)` is right, and so is `ppf(0.975)`; N k - 1 is right, and N (k - 1) is another right way."""
    assert marked(first_reply(name, key, code)) == part
