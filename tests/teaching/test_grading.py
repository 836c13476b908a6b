"""The machinery of exercises: reading answers kindly, verdicts in their order, data for each student, exercises from solutions."""

from __future__ import annotations

import hashlib
import tomllib
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from asked_numbers import decimal_numbers
from hypothesis import assume, given
from hypothesis import strategies as st
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from shortcuts import assert_raises, parametrize

from fstats import PairedT, exercise, individual
from fstats.core.procedure import Procedure
from fstats.core.step import input_field as given_
from fstats.core.step import step
from fstats.procedures.pairwise.paired_t import PairedT as Worked
from fstats.teaching.course.catalogue import exercise_names, load_exercise_definition
from fstats.teaching.grading.answers.answer_value import (
    DISTINCT_FACTOR,
    Unanswered,
    Unreadable,
    is_distinct,
    is_equal,
    parse_answer,
    tolerance,
)
from fstats.teaching.grading.answers.lost_digits import MSG_TOO_SHORT
from fstats.teaching.grading.exercise import Exercise, required_steps
from fstats.teaching.grading.exercise_notebook import BEGIN, END, REFLECTION, MarkerError, derive, exercise_name, with_metadata
from fstats.teaching.grading.hints import hints
from fstats.teaching.grading.mistakes.mistake import Mistake
from fstats.teaching.grading.mistakes.plausible_slips import _is_mistyped
from fstats.teaching.grading.question import Choice, Function, Option, Question, Section
from fstats.teaching.grading.task import Task
from fstats.teaching.grading.verdicts.feedback import Feedback, Progress

SECRET = "a secret of the course"
SEE = Section("01_paired_t", "Step 5. Decide")


@pytest.fixture
def task() -> Any:
    """The slides' five data sets: d = -2, 2, -6, 3, 0; mean -0.6; sd 3.578; se 1.6; t -0.375; p 0.7267."""
    return Task(replace(load_exercise_definition("paired_t_by_hand"), given={"a": [85, 70, 79, 78, 83], "b": [87, 68, 85, 75, 83]}))


# -- what is right -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "value", [3.58, 3.578, 3.5777087639996634, np.float32(3.5777), np.array(3.58), np.array([3.58]), pd.Series([3.58])]
)
def test_three_significant_digits_are_enough(task: Any, value: Any) -> None:
    assert task.check("q3", value).is_right


@pytest.mark.parametrize(
    ("value", "verdict"), [(3.6, "digits"), (3.5, "digits"), (3.57, "digits"), (3.59, "unknown"), (-3.578, "mistake"), (35.78, "unknown")]
)
def test_two_digits_or_a_wrong_third_are_not(task: Any, value: Any, verdict: str) -> None:
    """Half a unit of the third digit is all the room there is; what lacks only digits is told so."""
    assert task.check("q3", value).verdict == verdict


def test_counts_are_exact(task: Any) -> None:
    """Four degrees of freedom are not 4.004."""
    assert task.check("q6", 4).is_right
    assert task.check("q6", 4.0).is_right
    assert not task.check("q6", 4.004).is_right


@pytest.mark.parametrize("value", [False, np.False_, "no", " No ", "False", "False.", np.array(False), [False], 0, 0.0, np.int64(0)])
def test_a_decision_is_read_in_many_words(task: Any, value: Any) -> None:
    """True and False of Python and of numpy, yes and no, 1 and 0, alone or in a list."""
    assert task.check("q9", value).is_right


def test_a_column_may_be_a_list_an_array_or_of_pandas(task: Any) -> None:
    for value in ([-2, 2, -6, 3, 0], (-2, 2, -6, 3, 0), np.array([-2, 2, -6, 3, 0]), pd.Series([-2.0, 2, -6, 3, 0])):
        assert task.check("q1", value).is_right


@given(st.floats(1e-6, 1e6))
def test_rounding_to_three_digits_is_always_right_and_to_a_neighbour_never(x: float) -> None:
    assume((2 * x) % 1)
    printed = f"{x:.2e}"
    assert is_equal(float(printed), x)
    digits, exponent = printed.split("e")
    for neighbour in (-2, 2):
        assert not is_equal(float(f"{float(digits) + neighbour / 100:.2f}e{exponent}"), x)


@given(st.floats(0.001, 1000), st.floats(0.001, 1000))
def test_what_lies_apart_is_never_the_same(x: float, y: float) -> None:
    """If two answers are told apart, no value within rounding of one is right for the other."""
    assume(is_distinct(x, y))
    for value in (x, x - float(tolerance(x)), x + float(tolerance(x))):
        assert not is_equal(value, y)
    assert abs(x - y) > (DISTINCT_FACTOR - 0.01) * max(float(tolerance(x)), float(tolerance(y)))


# -- what is no answer -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("value", [..., None, "", "  ", [..., 1], [1, [2, ...]], np.array([1, ...], dtype=object)])
def test_nothing_is_not_answered_yet(task: Any, value: Any) -> None:
    said = task.check("q1", value)
    assert said.verdict == "unanswered"
    assert repr(said) == "q1  … Not answered yet"


class Agreeable:
    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0

    def __sub__(self, other: object) -> float:
        return 0.0


class Shy:
    def __repr__(self) -> str:
        raise RuntimeError("not today")


UNREADABLE = [  # and those of unreadable_answers.toml
    ("q3", 1j, "A plain value was expected; got a complex, which has an imaginary part: write its real part, .real."),
    ("q3", np.std, "Your answer is a function; the question asks for a value: call the function, with its data in parentheses."),
    (
        "q3",
        PairedT([1, 2], [2, 1]),
        "A plain value was expected; got an object of the class PairedT: write a value of this object, such as test.statistic.",
    ),
    ("q3", Agreeable(), "A plain value was expected; got "),
    ("q3", Shy(), "A plain value was expected; got an object of the type Shy"),
    (
        "q3",
        (0, 6),
        "One number was expected; got 2 numbers, because a comma separates values in Python: write decimals with a point, 0.5 and not 0,5,",
    ),
    (
        "q1",
        (-2, 0, 2, 0, -6, 5, 3, 0),
        "A list of 5 numbers was expected; got a list of 8 entries: if some numbers are decimals, write them with",
    ),
]
UNREADABLE += tomllib.loads(Path(__file__).with_name("unreadable_answers.toml").read_text(encoding="utf-8"))["rows"]


@pytest.mark.every_case
@pytest.mark.parametrize(("key", "value", "words"), UNREADABLE)
def test_what_is_no_answer_is_told_what_one_would_be(task: Any, key: str, value: Any, words: str) -> None:
    said = task.check(key, value)
    assert said.verdict == "unreadable"
    assert said.lines[0].startswith(words)


def test_a_table_with_lines_and_columns_exchanged_is_noticed() -> None:
    about = Worked.steps["d"]
    words = "a table of 2 lines and 3 columns was expected; got a table of 3 x 2: rows and columns are exchanged"
    assert_raises(lambda: parse_answer(np.ones((3, 2)), np.ones((2, 3)), about), words, Unreadable)
    assert_raises(lambda: parse_answer(np.ones((3, 3)), np.ones((2, 3)), about), r"got a table of 3 x 3$", Unreadable)
    with pytest.raises(Unanswered):
        parse_answer([[1, 2, 3], [4, ..., 6]], np.ones((2, 3)), about)


def test_names_are_read_whatever_their_case() -> None:
    about = Worked.steps["d"]
    assert is_equal(parse_answer(" Forest ", np.array("forest"), about), "forest")
    assert is_equal(parse_answer(["TREE", "bayes"], np.array(["tree", "bayes"]), about), np.array(["tree", "bayes"]))
    assert not is_equal(parse_answer("tree", np.array("forest"), about), "forest")
    assert_raises(lambda: parse_answer(3, np.array("forest"), about), "a name was expected, in quotes; got 3", Unreadable)
    with pytest.raises(Unreadable, match="a list of 2 names was expected; got a list of 3 entries"):
        parse_answer(["a", "b", "c"], np.array(["tree", "bayes"]), about)


@pytest.mark.parametrize(
    ("factors", "named"),
    [
        ({"q7": 2, "q10": 1.5}, "answer to q10, which is not right yet. Correct q10 first"),
        ({"q7": 2, "q10": 1.5, "q11": 1.7}, "answers to q10 and q11, which are not right yet. Correct q10 and q11 first"),
    ],
)
def test_only_the_wrong_answers_that_were_used_are_named(factors: dict[str, float], named: str) -> None:
    task = exercise("analysis_of_variance")
    test, steps = task.test_of(task.exercise.question("q12")), {"q7": "ss_error", "q10": "ms_classifiers", "q11": "ms_error"}
    for key, asked in steps.items():
        task.check(key, factors.get(key, 1) * getattr(test, asked))
    said = task.check("q12", test.statistic * factors["q10"] / factors.get("q11", 1))
    assert said.verdict == "carried"
    assert named in said.lines[0]


def test_a_question_that_does_not_exist_is_named(task: Any) -> None:
    assert_raises(lambda: task.check("q77", 1), r"`key` must be one of q1, q2, .*; got 'q77'", LookupError)
    assert_raises(lambda: task.ask("q3"), "`key` must name a multiple-choice question; got 'q3', which asks for a value", LookupError)


# -- verdicts ----------------------------------------------------------------------------------------------------------------
def test_an_error_is_carried_forward_and_mended(task: Any) -> None:
    """By hand: sd 3.2, so se = 3.2 / sqrt(5) = 1.4311 and t = -0.6 / 1.4311 = -0.41926."""
    assert task.check("q3", 3.2).mistake == "divided by n"
    said = task.check("q4", 1.4311)
    assert said.verdict == "carried"
    assert said.lines == (
        "Your answer follows from your answer to q3, which is not right yet. Correct q3 first, then compute this value again.",
    )
    assert "your answer to q3, which" in task.check("q5", -0.41926).lines[0], (
        "only the question where it went wrong, not what followed from it"
    )
    assert task.check("q3", 3.578).is_right
    assert task.check("q4", 1.4311).mistake == "divided by n", "the slip is no longer explained by an answer"


def test_a_mistake_on_top_of_an_earlier_one_is_named(task: Any) -> None:
    """sd 3.2, and then the root of n is forgotten: se = 3.2."""
    task.check("q3", 3.2)
    assert task.check("q4", 3.2).mistake == "the square root of n is missing"


def test_what_follows_from_rounded_answers_is_right(task: Any) -> None:
    """se 1.603 is right to three digits, and t = -0.6 / 1.603 = -0.3743, though three digits of t alone would ask for -0.375."""
    assert not task.check("q5", -0.3743).is_right
    assert task.check("q4", 1.603).is_right
    said = task.check("q5", -0.3743)
    assert said.is_right
    assert "earlier answers, which are rounded" in said.lines[0]


def test_an_answer_to_another_test_is_no_earlier_answer() -> None:
    """A step of the same name that another test works out otherwise: its degrees of freedom, its p-value."""
    from fstats import SignTest

    both = about(questions=(Question("q1", "pvalue", SEE), Question("q2", "reject", SEE), Question("q3", "reject", SEE, of=SignTest)))
    task = Task(both)
    assert not PairedT(**both.given).reject
    assert not SignTest(**both.given).reject
    task.check("q1", 0.01)
    assert task.check("q2", True).verdict == "carried"
    assert task.check("q3", True).verdict == "unknown"


def test_nothing_follows_from_impossible_answers(task: Any) -> None:
    """A negative standard deviation is no step of any test; the next answer is judged without it."""
    task.check("q3", -3.578)
    assert task.check("q4", 1.6).is_right
    assert task.check("q4", 17.25).verdict == "unknown"


@pytest.mark.parametrize("huge", [3000, 10**6, 10**9, 10**15])
def test_nothing_follows_from_counts_beyond_all_reason(huge: int) -> None:
    """To count the ways in which a million ranks take sides would take for ever, for a number that nobody found by a slip."""
    task = exercise("wilcoxon_by_hand")
    task.check("q2", huge)
    task.check("q3", [float(huge)] * len(task.data["a"]))
    for key in ("q4", "q5", "q6", "q7", "q9"):
        assert task.check(key, float(huge)).verdict in ("unknown", "mistake")
    carried = exercise("wilcoxon_by_hand")
    carried.check("q2", carried.test_of(carried.exercise.question("q2")).n + 1)
    assert "q2" in {earlier.key for earlier in carried._earlier(carried.exercise.question("q7")).values()}


def test_hints_begin_where_it_went_wrong(task: Any) -> None:
    task.check("q3", 9.9)
    assert "First correct your answer to q3." in task.check("q5", 7.7).lines[0]


def test_a_hint_grows_with_each_wrong_answer(task: Any) -> None:
    """The same wrong answer is a new attempt, too; the reply says twice whether it is too large, so that nobody closes in on it."""
    assert [len(task.check("q3", value).lines) for value in (9.1, 9.1)] == [2, 3]
    assert [task.fresh().check("q3", value).lines[0].partition(" The value is made of: ")[0] for value in (9.1, 1.1, 99.0)] == [
        "Your answer is too large.",
        "Your answer is too small.",
        "Your answer is far too large.",
    ]
    assert task.check("q3", 9.2).lines[2].startswith("The same calculation on other data ($d_i$ = [")
    for value in (9.4, 9.5, 9.6):
        said = task.check("q3", value)
    assert said.lines[3].endswith(", ddof=1)")
    assert said.lines[-1].startswith("There are no more hints.")
    assert len(said.lines) == 5


def test_the_first_reply_to_a_list_says_which_entry_is_wrong(task: Any) -> None:
    """The same list again brings the next hint; a list without a right entry has no first wrong one."""
    differences = [-2, 2, -6, 3, 0]
    replies = [task.check("q1", [-2, 2, 6, 3, 0]).lines for _ in range(2)]
    assert all(lines[0] == "4 of 5 entries are right; the first wrong entry is in position 3." for lines in replies)
    assert len(replies[1]) > len(replies[0])
    assert task.fresh().check("q1", [one + 40 + 7 * k for k, one in enumerate(differences)]).lines[0].startswith("No entry is right yet")


@parametrize(
    "key, value, line",
    ("q3", 8.0, ""),  # a short number that several lines give
    ("q3", 6 * 3.5777087639996634, r"6 \cdot s_d"),
    ("q8", float(scipy.stats.t.pdf(-0.375, 4)), r"\text{height of the curve of }\text{Student's }t_{4}\text{ at }t"),
    ("q8", 2 * scipy.stats.chi2.sf(0.375, 4), r"2\,P(\chi^2_{4} \geq |t|)"),
    ("q1", np.cumsum([-2, 2, -6, 3, 0]), r"d_i\text{, added up from the first on}"),
)
def test_the_line_that_gives_a_number(task: Any, key: str, value: Any, line: str) -> None:
    """It is found by its digits, and told with symbols only."""
    told = [one for one in task.check(key, value).lines if one.startswith("Your number")]
    assert told == ([] if not line else [told[0]])
    assert line in "".join(told)


def test_one_digit_may_be_rounded_and_may_be_wrong(task: Any) -> None:
    """So it is told, whatever else has this value."""
    said = task.check("q3", 4)
    assert said.verdict == "unknown"
    assert said.lines[0] == MSG_TOO_SHORT.replace("your number", "your number 4")


def test_a_column_says_how_many_entries_are_right(task: Any) -> None:
    task.check("q1", [9, 9, 9, 9, 9])
    assert "2 of 5 entries are right; the first wrong entry is in position 2." in task.check("q1", [-2, 1, -6, 1, 1]).lines


class Decided(Procedure):
    """Three decisions, each on its own."""

    pvalues: Any = given_("p_h", "p-value of each hypothesis.", over="h")

    @step(r"\text{reject } H_h", r"$pvalues \leq 0.05", over="h")
    def reject(self) -> Any:
        """Whether each hypothesis is rejected."""
        return self.pvalues <= 0.05


def test_a_column_of_yes_and_no_does_not_say_how_many_are_right() -> None:
    """Or six answers could be found out in six tries."""
    data = dict(pvalues=np.array([0.001, 0.02, 0.3]))
    task = Task(Exercise("three", Decided, data, lambda rng: dict(pvalues=rng.random(3)), (Question("q1", "reject", SEE),)))
    task.check("q1", [False, True, True])
    for tried in ([True, False, True], [False, False, False], [True, True, True]):
        assert not any("right" in line for line in task.check("q1", tried).lines)
    assert task.check("q1", ["yes", "yes", "no"]).is_right


def test_percent_for_a_share_is_told_so(task: Any) -> None:
    """p = 0.7267, handed in as 72.67."""
    assert (
        task.check("q8", 72.67).lines[0] == "Your answer is in percent. The question asks for the plain number: write 0.05 for 5 percent."
    )
    assert not task.is_right("q8", 72.67)


def test_is_right_counts_no_attempt(task: Any) -> None:
    assert task.is_right("q3", 3.578)
    assert not task.is_right("q3", 9.9)
    assert task.progress().points == 0
    assert len(task.check("q3", 9.8).lines) == 2


def test_progress_adds_the_points_up(task: Any) -> None:
    """Only what is right counts; an answer that is taken back counts no more."""
    task.check("q1", [-2, 2, -6, 3, 0])
    task.check("q3", 3.2)
    task.check("q4", 1.4311)
    assert task.progress().points == 1
    assert task.progress().sentence == "1 of 10 points."
    task.check("q1", ...)
    assert task.progress().points == 0
    assert Progress([("q1", 2, "right"), ("q2", 0.5, "right")]).sentence == "2.5 of 2.5 points. All is right."


def test_the_data_are_a_copy(task: Any) -> None:
    task.data["a"][:] = 0
    assert task.check("q1", [-2, 2, -6, 3, 0]).is_right
    with pytest.raises(TypeError):
        task.data["a"] = [1]


# -- a function to write -----------------------------------------------------------------------------------------------------
one_tail = Mistake.of(
    PairedT, "pvalue", r"P($null \geq |$statistic|)", "one tail", SEE, "That is one tail only, where a two-sided test has to count both."
)


def unseen(rng: np.random.Generator) -> Any:
    """Five ordinary data sets and one without any difference."""
    for _ in range(5):
        yield "ordinary", {"a": rng.normal(size=8), "b": rng.normal(size=8)}
    yield "no difference", {"a": np.ones(4), "b": np.ones(4)}


WRITING = Exercise(
    "writing",
    PairedT,
    {"a": [1, 2, 4], "b": [1, 1, 1]},
    lambda rng: {"a": rng.integers(0, 9, 4), "b": rng.integers(0, 9, 4)},
    (
        Function("q1", "pvalue", ("a", "b"), unseen, SEE),
        Choice("q2", "Which?", (Option("this", "Because it is so."), Option("that", "No: it is not so.")), SEE),
    ),
    (one_tail,),
)


def p_by_hand(a: Any, b: Any) -> float:
    from scipy import stats

    d = a - b
    if not d.any():
        return 1.0
    return float(2 * stats.t.sf(abs(d.mean()) / (d.std(ddof=1) / np.sqrt(len(d))), len(d) - 1))


def test_a_function_is_tried_on_data_never_seen() -> None:
    """Right, wrong with a name, right on some data only, raising, returning nothing, no function at all."""
    task = Task(WRITING)

    def crashes_without_difference(a: Any, b: Any) -> float:
        if not (a - b).any():
            raise ZeroDivisionError("float division by zero")
        return p_by_hand(a, b)

    right = task.check("q1", p_by_hand)
    assert right.lines == ("Your function agrees on 6 unseen data sets (ordinary, no difference).",)
    assert task.check("q1", lambda a, b: p_by_hand(a, b) / 2).mistake == "one tail"
    partly = task.check("q1", lambda a, b: 0.3 if (a == b).all() else p_by_hand(a, b))
    assert partly.lines[0].endswith("It is right on: ordinary. It is wrong on: no difference.")
    raised = task.check("q1", crashes_without_difference)
    assert raised.verdict == "unreadable"
    assert (
        "raised ZeroDivisionError: float division by zero when the check called your function with a=[1.0, 1.0, 1.0, 1.0], b="
    ) in raised.lines[0]
    assert task.check("q1", lambda a, b: None).verdict == "unanswered"  # noqa: ARG005
    assert "returned None for data of the kind 'no difference'" in task.check("q1", lambda a, b: None if (a == b).all() else 0.5).lines[0]
    assert "a function was expected" in task.check("q1", 0.5).lines[0].lower()
    assert (
        task.check("q1", lambda a, b: a - b)
        .lines[0]
        .startswith("One number was expected; got a list of 8 entries; your function returned this")
    )


def test_a_function_that_prints_instead_of_returning_is_told_so(capsys: pytest.CaptureFixture[str]) -> None:
    """It is no empty place any more; and what it prints for data never seen is not shown."""

    def prints(a: Any, b: Any) -> None:
        """Say the mean."""
        print((a - b).mean())

    def waits(a: Any, b: Any) -> None:
        """Say nothing yet."""

    def computes(a: Any, b: Any) -> None:
        """And keep it."""
        p_by_hand(a, b)

    task = Task(WRITING)
    said = task.check("q1", prints)
    assert said.verdict == "unreadable"
    assert said.lines[0].startswith(
        "Your function prints its result instead of returning it: for data of the kind 'ordinary' it returned None; "
    )
    assert said.lines[0].endswith("write return instead of print.")
    assert (
        "returned None for data of the kind 'ordinary': let its last line return the value of the question"
        in task.check("q1", computes).lines[0]
    )
    assert task.check("q1", waits).verdict == "unanswered"
    assert capsys.readouterr().out == ""


def test_a_function_that_changes_its_inputs_is_told_so() -> None:
    """It gets its own copy each time, so that what it returns is judged as ever."""

    def greedy(a: Any, b: Any) -> float:
        p = p_by_hand(a, b)
        a *= 0
        b *= 0
        return p

    def changes_one(a: Any, b: Any) -> float:
        a -= b
        return p_by_hand(a, np.zeros(len(a))) / 2

    said = Task(WRITING).check("q1", greedy)
    assert (said.verdict, said.mistake) == ("mistake", "it changes its inputs a and b")
    assert said.lines[1].startswith("Your function changes its inputs a and b, but its caller still needs the unchanged data: ")
    wrong = Task(WRITING).check("q1", changes_one)
    assert wrong.mistake == "one tail"
    assert wrong.lines[1].startswith("Your function changes its input a, ")


@pytest.mark.parametrize("name", ["fstats.PairedT", "scipy's ttest_rel", "scipy's rankdata", "pandas's rank", "scipy's wilcoxon"])
def test_a_function_that_calls_what_it_should_be_is_told_so(name: str) -> None:
    """By whatever way it comes there; who watches leaves no trace."""
    import sys
    import threading
    from concurrent.futures import ThreadPoolExecutor

    import pandas as pd
    from scipy import stats

    def hidden(a: Any, b: Any) -> float:
        return float({"fstats.PairedT": PairedT, "scipy's ttest_rel": stats.ttest_rel}[name](a, b).pvalue)

    def ranked(a: Any, b: Any) -> float:
        stats.rankdata(a) if name != "pandas's rank" else pd.Series(a).rank()
        return p_by_hand(a, b)

    def elsewhere(a: Any, b: Any) -> float:
        with ThreadPoolExecutor(1) as other:
            return float(other.submit(stats.wilcoxon, a, b).result().pvalue)

    watching, in_threads = sys.getprofile(), threading.getprofile()
    question = replace(WRITING.questions[0], ready=("rankdata",))
    task = Task(replace(WRITING, questions=(question,)))
    said = task.check("q1", ranked if "rank" in name else elsewhere if "wilcoxon" in name else hidden)
    assert said.verdict == "unreadable"
    assert said.lines[0] == (
        f"Your function calls {name}, which does the whole computation: compute the result from the inputs without {name}."
    )
    assert sys.getprofile() is watching
    assert threading.getprofile() is in_threads
    assert Task(WRITING).check("q1", ranked).is_right, "a tool like any other, where it is not what was asked for"


def test_options_stand_in_another_order_for_another_student() -> None:
    """A letter that a neighbour whispers is worth nothing; one's own order stays."""
    orders = {Task(WRITING, token).ask("q2").options for token in ("", "01", "02", "03", "04", "05")}
    assert orders == {("this", "that"), ("that", "this")}
    task = Task(WRITING, "01")
    place = "ab"[task.ask("q2").options.index("this")]
    assert task.check("q2", place.upper()).is_right
    other = task.check("q2", "ab".replace(place, ""))
    assert (other.verdict, other.lines, other.see) == ("unknown", ("No: it is not so.",), SEE)


# -- exercises that do not work are refused ----------------------------------------------------------------------------------
mean_for_sd = Mistake.of(
    PairedT, "sd", "$mean", "mean for sd", SEE, "That is the mean. A standard deviation says how far the differences stray from it."
)
no_slip = Mistake.of(
    PairedT,
    "sd",
    r"\sqrt{\frac{1}{$n - 1} \sum_i ($d - $mean)^2}",
    "right, but called wrong",
    SEE,
    "That is the same number for all, so nobody could tell it apart from the right one.",
)


def about(**changes: Any) -> Exercise:
    base: dict[str, Any] = dict(
        name="small",
        test=PairedT,
        given={"a": [1, 2, 4], "b": [1, 1, 1]},
        draw=lambda rng: {"a": rng.integers(0, 9, 4) + 0.25, "b": rng.integers(0, 9, 4)},
        questions=(Question("q1", "mean", SEE), Question("q2", "sd", SEE)),
    )
    return Exercise(**(base | changes))


@pytest.mark.complete
def test_data_that_do_not_tell_answers_apart_are_drawn_again_and_at_last_refused() -> None:
    fine = about(mistakes=(mean_for_sd,))
    assert fine.home(fine.mistakes[0]).key == "q2"
    assert fine.data("0f")["a"].shape == (4,)
    impossible = about(mistakes=(no_slip,))
    words = (
        "each answer of the exercise small must differ from the answers of all mistakes, but they agreed on each of 2000 "
        "drawn data sets. On the last data set, at q2, 'right, but called wrong' is not clearly"
    )
    assert_raises(lambda: impossible.data("0f"), words, RuntimeError)


def test_a_mistake_that_no_question_shows_is_refused() -> None:
    lost = about(questions=(Question("q1", "mean", SEE),), mistakes=(mean_for_sd,))
    words = "each mistake of the exercise small must change the answer to at least one question; no answer is changed by mean for sd"
    assert_raises(lambda: lost.home(lost.mistakes[0]), words, LookupError)


def test_what_a_step_needs_is_known() -> None:
    assert required_steps(PairedT, "se") == {"se", "sd", "n", "mean", "d", "a", "b"}
    assert "pvalue" not in required_steps(PairedT, "critical_value")


# -- data for each student ---------------------------------------------------------------------------------------------------
def hmac_by_hand(key: bytes, message: bytes) -> str:
    """RFC 2104: H(K xor opad, H(K xor ipad, text)) with blocks of 64 bytes."""
    key = (hashlib.sha256(key).digest() if len(key) > 64 else key).ljust(64, b"\0")
    inner = hashlib.sha256(bytes(k ^ 0x36 for k in key) + message).digest()
    return hashlib.sha256(bytes(k ^ 0x5C for k in key) + inner).hexdigest()


@pytest.mark.parametrize("secret", [SECRET, "x" * 100])
def test_the_token_is_an_hmac(secret: str) -> None:
    token = individual(" s123 ", "paired_t_by_hand", secret).token
    assert token == hmac_by_hand(secret.encode(), b"paired_t_by_hand\ns123")[:16]


@pytest.mark.complete
def test_each_student_has_data_of_his_own_and_always_the_same() -> None:
    drawn = [individual(f"s{k}", "paired_t_by_hand", SECRET) for k in range(100)]
    assert len({task.token for task in drawn}) == 100
    assert len({str(task.data["a"]) + str(task.data["b"]) for task in drawn}) == 100
    again = exercise("paired_t_by_hand", drawn[3].token)
    assert repr(again) == repr(drawn[3])
    assert individual("s1", "paired_t_by_hand", SECRET + "!").token != individual("s1", "paired_t_by_hand", SECRET).token


@parametrize(
    "call, words, error",
    (lambda: exercise("t_test"), "there is no exercise 't_test'; the exercises are ", LookupError),
    (lambda: exercise("paired_t_by_hand", "my data"), "`data` must be the token of your notebook.*got 'my data'"),
    (lambda: individual("  ", "paired_t_by_hand", SECRET), "`student_id` must name a student; got an empty text"),
    (lambda: individual("s1", "paired_t_by_hand", "short"), "at least 16 characters, because a shorter secret could be guessed; got 5"),
    (lambda: individual("s1", "t_test", SECRET), "there is no exercise 't_test'", LookupError),
)
def test_what_cannot_be_opened_says_why(call: Any, error: type, words: str) -> None:
    assert_raises(call, words, error)


# -- showing -----------------------------------------------------------------------------------------------------------------
class Balanced(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.feed(html)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: Any) -> None:  # noqa: ARG002
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_feedback_is_the_same_in_text_and_html(task: Any) -> None:
    """Words beside each colour, formulas for MathJax, a link to the section."""
    said = task.check("q3", 3.2)
    html = said._repr_html_()
    Balanced(html)
    for words in (said.title, "In numpy, std divides by n"):
        assert words in html
        assert words in repr(said)
    assert 'href="../notebooks/01_paired_t.ipynb#' in html
    assert r"$s_d = \sqrt" in html
    assert "$" not in repr(said)
    assert "See notebooks/01_paired_t.ipynb, section " in repr(said)
    Balanced(task._repr_html_())
    Balanced(task.progress()._repr_html_())
    Balanced(task.ask("q10")._repr_html_())


def test_what_a_student_wrote_cannot_become_html(task: Any) -> None:
    html = task.check("q3", "<script>alert(1)</script>")._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;" in html


def test_every_verdict_has_a_word_of_its_own() -> None:
    """Nothing is said by colour alone."""
    kinds = ("right", "carried", "mistake", "unknown", "unreadable", "unanswered")
    assert len({repr(Feedback("q1", kind)).split()[1] for kind in kinds}) == 6


# -- exercises from solutions --------------------------------------------------------------------------------------------------
def solution(*cells: Any) -> Any:
    return new_notebook(cells=[new_code_cell('task = exercise("paired_t_by_hand")\ncheck = task.check'), *cells])


def answer(*lines: str) -> Any:
    return new_code_cell("\n".join([BEGIN, *lines, END]))


def test_a_solution_becomes_a_place_for_the_answer() -> None:
    """The names that others read get dots; helpers of the solution vanish; what explains it vanishes; the reflection is emptied."""
    notebook = solution(
        new_markdown_cell("Work it out."),
        answer("n = 5", "sd = 3.578", "se, t = 1.6, -0.375", "def f(x):", "    return x"),
        new_code_cell('check("q3", sd)', outputs=[], execution_count=4),
        new_code_cell('check("q4", se)'),
        new_code_cell("def g(x):\n    '''What it does.'''\n    " + BEGIN + "\n    y = x\n    return y\n    " + END + "\n\nprint(g(f(2)))"),
        new_markdown_cell("*Worked.* It is so.", metadata={"tags": ["solution"]}),
        new_markdown_cell("I think that ...", metadata={"tags": ["reflection"]}),
        answer("print('only for the lecturer')"),
    )
    derived = derive(notebook)
    assert [cell.source for cell in derived.cells[1:]] == [
        "Work it out.",
        "sd = ...  # your answer\nse = ...  # your answer\nf = ...  # your answer",
        'check("q3", sd)',
        'check("q4", se)',
        "def g(x):\n    '''What it does.'''\n    ...  # your answer\n\nprint(g(f(2)))",
        REFLECTION,
        "# your answer",
    ]
    assert derived.cells[3].execution_count is None
    assert "sd = 3.578" in notebook.cells[2].source, "the solution itself is left as it is"


def test_metadata_for_nbgrader() -> None:
    """Answers are solutions, checks are locked and have points, reflections are marked by hand; ids are unique."""
    reflection = new_markdown_cell("I think.", metadata={"tags": ["reflection"], "nbgrader": {"points": 3}})
    worked = new_markdown_cell("It is so.", metadata={"tags": ["solution"]})
    notebook = solution(answer("a = 1"), answer("b = 1"), new_code_cell('check("q1", a + b)'), worked, reflection)
    found = [cell.metadata.get("nbgrader") for cell in with_metadata(notebook, {"q1": 2.0}.__getitem__).cells]
    assert found[0] is None
    assert [(about["grade_id"], about["solution"], about["grade"], about["locked"], about.get("points")) for about in found[1:]] == [
        ("answer_q1", True, False, False, None),
        ("answer_q1_2", True, False, False, None),
        ("q1", False, True, True, 2.0),
        ("worked_end", True, True, False, 0),  # a text that nbgrader empties must be marked, with 0 points
        ("reflection_end", True, True, False, 3),
    ]
    assert all(about["schema_version"] == 3 for about in found[1:])
    assert "nbgrader" not in notebook.cells[1].metadata


@parametrize(
    "cells, words",
    ([new_code_cell(BEGIN + "\na = 1")], "must be followed by a line ### END SOLUTION; the last one is missing in the cell:"),
    ([new_code_cell("a = 1\n" + END)], "must alternate"),
    (
        [new_code_cell('check("q1", 1); check("q2", 2)')],
        "a cell must have one check, so that each check has its own points; got q1, q2",
    ),
    ([new_code_cell(f'{BEGIN}\na = 1\n{END}\ncheck("q1", a)')], "a check must be in its own cell"),
)
def test_markers_that_do_not_fit_are_refused(cells: list[Any], words: str) -> None:
    assert_raises(lambda: derive(with_metadata(solution(*cells), lambda _: 1.0)), words, MarkerError)


def test_a_solution_opens_one_exercise() -> None:
    """Or nobody knows what its questions are worth."""
    assert exercise_name(solution()) == "paired_t_by_hand"
    assert_raises(lambda: exercise_name(new_notebook(cells=[new_code_cell("1")])), "got none", MarkerError)


def test_nbgrader_reads_the_points_and_people_the_reply(task: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """While nbgrader marks or validates, the text of a reply is a number: all points for what is right or follows from an
    earlier answer.
    """
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    for value, points in ((3.578, 1.0), (..., 0.0), ("3.578", 0.0), (9.9, 0.0), (3.2, 0.0)):
        said = task.check("q3", value)
        assert float(repr(said)) == points
        assert said.title in said._repr_html_()
    follows = task.check("q4", 3.2 / 5**0.5)
    assert (follows.verdict, repr(follows)) == ("carried", "1.0")


# -- state, and practice -----------------------------------------------------------------------------------------------------
def test_a_reply_that_an_earlier_change_made_stale_is_shown_as_such(task: Any) -> None:
    """se follows from sd 3.2; when sd is mended, the arrow at se is out of date."""
    task.check("q3", 3.2)
    assert task.check("q4", 1.4311).verdict == "carried"
    said = task.check("q3", 3.578)
    assert said.lines[-1] == "Your new answer changes the reply to q4: run its check again."
    assert ("q4", 1, "stale") in task.progress().entries
    assert "q4   ↻ Check it again: an earlier answer has changed (1)" in repr(task.progress())
    task.check("q4", 1.6)
    assert ("q4", 1, "right") in task.progress().entries


def test_an_answer_that_could_not_be_read_is_not_unanswered(task: Any) -> None:
    task.check("q3", "3,58")
    assert ("q3", 1, "unreadable") in task.progress().entries
    task.check("q3", ...)
    assert ("q3", 1, "unanswered") in task.progress().entries


def test_nothing_is_named_that_an_earlier_right_answer_refutes(task: Any) -> None:
    """|t| with the mean and se right is no B minus A; where nothing is known before, it could be."""
    assert "B minus A" in repr(task.check("q5", 0.375))
    for key, value in (("q1", [-2, 2, -6, 3, 0]), ("q2", -0.6), ("q3", 3.578), ("q4", 1.6)):
        assert task.check(key, value).is_right
    assert task.check("q5", 0.375).mistake == "the other sign"


def test_a_slip_of_another_line_is_told_to_have_been_right_there(task: Any) -> None:
    """Student's curve with n degrees of freedom, though df was right."""
    assert task.check("q6", 4).is_right
    said = task.check("q7", 2.5706)
    assert said.mistake
    assert "Your earlier answer for this step is right" in said.lines[-1] or "degree of freedom too many" in said.mistake


def test_another_task_has_other_numbers_and_remembers() -> None:
    """Three rounds: q2 right each time, one mistake made twice."""
    task = exercise("paired_t_by_hand")
    seen = []
    for _ in range(3):
        d = task.data["a"] - task.data["b"]
        seen.append(d.tolist())
        assert task.check("q2", d.mean()).is_right
        task.check("q3", d.std())
        task = task.another()
    assert len({tuple(d) for d in seen}) == 3
    assert task.progress().points == 0
    told = task.progress().practice
    assert told[0] == "Right 3 times in a row: q2."
    assert told[1].startswith("3 times: divided by n. Read notebooks/01_paired_t.ipynb, section ")
    assert "3 times: divided by n." in task.progress()._repr_html_()
    again = exercise("paired_t_by_hand").another()
    assert (again.data["a"] - again.data["b"]).tolist() == seen[1], "the same course of practice for everybody"


def test_a_loop_without_end_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a sentence, and once, not for every case; an `except` around it does not help it."""
    from fstats.teaching.sandbox_runtime import function_call

    monkeypatch.setattr(function_call, "SECONDS", 0.2)

    def endless(a: Any, b: Any) -> float:  # noqa: ARG001
        while True:
            try:
                x = 1
            except Exception:
                x = 2
            x += 1

    said = Task(WRITING).check("q1", endless)
    assert said.verdict == "unreadable"
    assert said.lines[0].startswith("Your function did not end within 0.2 seconds, and was stopped: look for a loop that never ends")
    monkeypatch.undo()  # an honest one has its time, on a busy machine as well,
    p_by_hand(np.array([1.0, 2.0, 4.0]), np.ones(3))  # and imports what it needs outside of it
    assert Task(WRITING).check("q1", p_by_hand).is_right


def test_what_every_function_may_do_wrong_is_told() -> None:
    """It rounds; it reads the page instead of its arguments."""
    assert Task(WRITING).check("q1", lambda a, b: round(p_by_hand(a, b), 3)).mistake == "rounded inside"
    said = Task(WRITING).check("q1", lambda a, b: 0.1234)  # noqa: ARG005
    assert said.verdict == "unknown"
    assert said.lines[0].startswith("Your function returns the same value for all data:")
    zero = exercise("wilcoxon_by_hand").check("q13", lambda a, b: 0)  # noqa: ARG005 - as whoever drops the signs has it, on all data
    assert (zero.mistake, zero.guess) == ("signs dropped", True)
    assert zero.lines[0].startswith("Your function returns the same value for all data")


@pytest.mark.parametrize(
    ("name", "key", "value", "perhaps"),
    [
        ("analysis_of_variance", "q8", 4, "degrees of freedom of the data sets"),  # n - 1, and k + 1
        ("bcv_mcnemar", "q5", 240, "the first correlation left out"),  # which is 0.5 for all, and the records that there are
        ("critical_value_table", "q2", 6, "sums counted, not ways"),  # w + 1, and k
        ("folds_are_not_independent", "q3", 0.9, "K for K - 1"),  # and 0.889 with one digit
        ("hack_a_verdict", "q18", 0, "all of them"),  # and anything that was rounded to nothing
        ("simulate_a_type_one_error", "q1", 0.1, "critical value of one tail"),  # and a number of the text
        ("wilcoxon_by_hand", "q7", 21, "alpha halved twice"),  # and the line of the table for 13 ranks
    ],
)
def test_what_could_be_two_things_is_no_more_than_a_guess(name: str, key: str, value: float, perhaps: str) -> None:
    """It says so, teaches what it could be, and does not count as a mistake that comes back."""
    task = exercise(name)
    said = task.check(key, value)
    assert (said.verdict, said.mistake, said.guess) == ("mistake", perhaps, True)
    assert said.title == f"Not yet: perhaps {perhaps}"
    assert said.lines[0].endswith("One possible mistake:")
    taught = next(one.sentence for one in (*task.exercise.mistakes, *task.exercise.neighbours) if one.name == perhaps)
    assert said.lines[1].removeprefix("At the step $t$: ") == taught
    task.another().check(key, value)
    assert not task.progress().practice


def test_a_number_of_the_page_in_a_mistake_of_its_own_is_no_guess() -> None:
    """n for n - 1 is a small count as well, and nothing else is it."""
    said = exercise("paired_t_by_hand").check("q6", 6)
    assert (said.mistake, said.guess) == ("n degrees of freedom", False)


@pytest.mark.parametrize("token", ["", *(f"{k:016x}" for k in range(4))])
def test_a_simulated_rate_is_a_share_of_the_repetitions(token: str) -> None:
    """What counting gives is right, with all its digits or rounded; what no counting gives is refused, alpha but for two
    rejections, too.
    """
    task = exercise("simulate_a_type_one_error", token)
    many, alpha = task.data["repetitions"], task.data["alpha"]
    for key in ("q1", "q2", "q3", "q8"):
        question = task.exercise.question(key)
        share = round(getattr(task.test_of(question), question.step) * many * 1.004) / many
        assert task.is_right(key, share)
        assert task.is_right(key, round(share, 4))
        told = task.fresh().check(key, share + 0.4 / many)
        assert told.verdict == "unknown"
        assert f"divided by {many:,} repetitions" in told.lines[0]
    for counts in (-2, 0, 2):
        assert "the level that the test promises" in task.fresh().check("q1", alpha + counts / many).lines[0]
    assert task.is_right("q1", alpha + 3 / many)


def test_one_digit_of_the_right_number_is_told_to_be_too_few() -> None:
    """Rounded or cut, with a name beside it where a mistake gives the same digit; in every exercise."""
    told = 0
    for name, task, question, right in decimal_numbers(exercise_names()):
        if not question.tolerance and not is_equal(right, np.round(right)):
            said = task.fresh().check(question.key, float(f"{right:.0e}"))
            enough = said.verdict in ("right", "digits")
            assert enough or "give three significant digits" in " ".join(said.lines[:2]), (name, question.key, said)
            told += not enough
    assert told > 50


# -- slips of the pen ----------------------------------------------------------------------------------------------
NUMBERS = [(2.54, 2.45, 1), (2.54, 2.53, 1), (2.54, 4.77, 0), (20, 21, 1), (20, 22, 1), (20, 23, 0), (3, 4, 1), (3, 5, 0)]
COLUMNS = [([1.0, 2, 3, 4], [1.0, 2, 3, 9], 1), ([1.0, 2, 3, 4], [1.0, 2, 9, 9], 0), ([1.0, 2], [1.0, 2, 3], 0), ([True], [False], 1)]


@pytest.mark.every_case
@pytest.mark.parametrize(("right", "answer", "mistyped"), NUMBERS + COLUMNS)
def test_one_digit_or_one_entry_is_mistyped(right: Any, answer: Any, mistyped: int) -> None:
    assert _is_mistyped(np.asarray(answer), np.asarray(right)) == mistyped


@pytest.mark.parametrize("kind", [float, np.float64, lambda x: np.array([1.0, x])])
def test_how_far_apart_two_answers_are(kind: Any) -> None:
    """By their third digits, unless luck takes them further."""
    assert [is_distinct(kind(2.0), kind(x)) for x in (2.0, 2.01, 2.03, 2.1)] == [False, False, True, True]
    assert [is_distinct(kind(2.0), kind(x), 0.5) for x in (2.1, 3.9, 4.1)] == [False, False, True]


def test_what_is_no_number_stands_in_a_formula_by_its_letter() -> None:
    test = PairedT([85, 70, 79, 78, 83], [87, 68, 85, 75, 83])
    shown = {"n": "5", "mean": "-0.6", "reject": r"\text{reject } H_0", "d": "d_i", "alpha": "0.05", "a": "s_A"}
    assert {name: hints._number(test, name) for name in shown} == shown


def test_a_share_may_be_off_by_a_hair() -> None:
    """As a level of 0.1 is with SciPy 1.15; further off it is no share of 100,000 repetitions."""
    task = individual("a student", "one_or_two_sided", "a secret of this test")
    assert task.fresh().check("q11", 0.10000000000421973).is_right
    assert not task.fresh().check("q11", 0.10000000421973).is_right
