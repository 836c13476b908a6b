"""The machinery of exercises: reading answers kindly, verdicts in their order, data for each student, exercises from solutions."""

from __future__ import annotations

import hashlib
import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from fstats import PairedT, cli, exercise, individual
from fstats.course.catalogue import exercise_names
from fstats.grading.answer import CLEARLY, Unanswered, Unreadable, apart, read, same, tolerance
from fstats.grading.exercise import Exercise, needed
from fstats.grading.feedback import Feedback, Progress
from fstats.grading.handout import students
from fstats.grading.mistake import slip
from fstats.grading.notebook import BEGIN, END, REFLECTION, Unmarked, derive, exercise_name, with_metadata
from fstats.grading.question import Choice, Function, Option, Question, Section
from fstats.grading.task import Task
from fstats.pairwise.paired_t import PairedT as Worked
from fstats.procedure import Procedure
from fstats.step import given as given_
from fstats.step import step

SECRET = "a secret of the course"
SEE = Section("01_paired_t", "Step 5. Decide")


@pytest.fixture
def task() -> Any:
    """The slides' five data sets: d = -2, 2, -6, 3, 0; mean -0.6; sd 3.578; se 1.6; t -0.375; p 0.7267."""
    return exercise("paired_t_by_hand")


# -- what is right -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "value", [3.58, 3.578, 3.5777087639996634, np.float32(3.5777), np.array(3.58), np.array([3.58]), pd.Series([3.58])]
)
def test_three_significant_digits_are_enough(task: Any, value: Any) -> None:
    """However the number is held."""
    assert task.check("q3", value).is_right


@pytest.mark.parametrize("value", [3.6, 3.57, 3.59, -3.578, 35.78])
def test_two_digits_or_a_wrong_third_are_not(task: Any, value: Any) -> None:
    """Half a unit of the third digit is all the room there is."""
    assert not task.check("q3", value).is_right


def test_counts_are_exact(task: Any) -> None:
    """Four degrees of freedom are not 4.004."""
    assert task.check("q6", 4).is_right
    assert task.check("q6", 4.0).is_right
    assert not task.check("q6", 4.004).is_right


@pytest.mark.parametrize("value", [False, np.False_, "no", " No ", "False", np.array(False)])
def test_a_decision_is_read_in_many_words(task: Any, value: Any) -> None:
    """True and False of Python and of numpy, yes and no."""
    assert task.check("q9", value).is_right


def test_a_column_may_be_a_list_an_array_or_of_pandas(task: Any) -> None:
    """They hold the same numbers."""
    for value in ([-2, 2, -6, 3, 0], (-2, 2, -6, 3, 0), np.array([-2, 2, -6, 3, 0]), pd.Series([-2.0, 2, -6, 3, 0])):
        assert task.check("q1", value).is_right


@given(st.floats(1e-6, 1e6))
def test_rounding_to_three_digits_is_always_right_and_to_a_neighbour_never(x: float) -> None:
    """By the decimal digits themselves, printed and read again."""
    assume((2 * x) % 1)
    printed = f"{x:.2e}"
    assert same(float(printed), x)
    digits, exponent = printed.split("e")
    for neighbour in (-2, 2):
        assert not same(float(f"{float(digits) + neighbour / 100:.2f}e{exponent}"), x)


@given(st.floats(0.001, 1000), st.floats(0.001, 1000))
def test_what_lies_apart_is_never_the_same(x: float, y: float) -> None:
    """If two answers are told apart, no value within rounding of one is right for the other."""
    assume(apart(x, y))
    for value in (x, x - float(tolerance(x)), x + float(tolerance(x))):
        assert not same(value, y)
    assert abs(x - y) > (CLEARLY - 0.01) * max(float(tolerance(x)), float(tolerance(y)))


# -- what is no answer -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("value", [..., None, "", "  ", [..., 1], [1, [2, ...]], np.array([1, ...], dtype=object)])
def test_nothing_is_not_answered_yet(task: Any, value: Any) -> None:
    """The dots of the exercise, also inside a list."""
    said = task.check("q1", value)
    assert said.verdict == "unanswered"
    assert repr(said) == "q1  … Not answered yet"


class Agreeable:
    """An object that calls everything equal."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0

    def __sub__(self, other: object) -> float:
        return 0.0


class Shy:
    """An object that cannot be shown."""

    def __repr__(self) -> str:
        raise RuntimeError("not today")


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("q3", "3,58", "A number was expected; got the text '3,58': write it without quotes, 3.58."),
        ("q3", "about three", "A number was expected; got the text 'about three'."),
        ("q3", [3.578, 1.6], "One number was expected; got 2."),
        ("q3", True, "A number was expected; got True."),
        (
            "q3",
            float("nan"),
            "Numbers were expected; got nan, which is no number: somewhere a missing value came in, or 0 was divided by 0.",
        ),
        ("q3", 1j, "Plain numbers were expected; got 1j."),
        ("q3", np.std, "That is a function; the question asks for what it returns: call it, with its data in parentheses."),
        ("q3", PairedT([1, 2], [2, 1]), "That is a whole PairedT; the question asks for one line of it, such as test.statistic."),
        ("q3", Agreeable(), "Plain numbers were expected; got "),
        ("q3", Shy(), "Plain numbers were expected; got an object of the type Shy."),
        ("q3", {"sd": 3.578}, "Plain numbers were expected; got {'sd': 3.578}."),
        ("q1", -0.6, "A list of 5 numbers was expected; got the single value -0.6."),
        ("q1", [-2, 2, -6, 3], "A list of 5 numbers was expected; got 4."),
        ("q1", [[-2, 2], [-6, 3]], "A list of 5 numbers was expected; got a table of 2 x 2."),
        ("q1", [[1], [2, 3]], "A list of 5 numbers was expected; got a list whose lines have different lengths."),
        ("q9", 0, "True or False was expected; got 0."),
        ("q9", "perhaps", "True or False was expected; got 'perhaps'."),
        ("q10", "z", "A letter from a to d was expected, in quotes; got 'z'."),
        ("q10", 2, "A letter from a to d was expected, in quotes; got 2."),
    ],
)
def test_what_is_no_answer_is_told_what_one_would_be(task: Any, key: str, value: Any, words: str) -> None:
    """A kind sentence, never a traceback."""
    said = task.check(key, value)
    assert said.verdict == "unreadable"
    assert said.lines[0].startswith(words)


def test_a_table_with_lines_and_columns_exchanged_is_noticed() -> None:
    """The shape says so."""
    about = Worked.steps["d"]
    with pytest.raises(
        Unreadable, match="a table of 2 lines and 3 columns was expected; got a table of 3 x 2: lines and columns are exchanged"
    ):
        read(np.ones((3, 2)), np.ones((2, 3)), about)
    with pytest.raises(Unreadable, match=r"got a table of 3 x 3$"):
        read(np.ones((3, 3)), np.ones((2, 3)), about)
    with pytest.raises(Unanswered):
        read([[1, 2, 3], [4, ..., 6]], np.ones((2, 3)), about)


def test_names_are_read_whatever_their_case() -> None:
    """A classifier's name, or a list of them."""
    about = Worked.steps["d"]
    assert same(read(" Forest ", np.array("forest"), about), "forest")
    assert same(read(["TREE", "bayes"], np.array(["tree", "bayes"]), about), np.array(["tree", "bayes"]))
    assert not same(read("tree", np.array("forest"), about), "forest")
    with pytest.raises(Unreadable, match="a name was expected, in quotes; got 3"):
        read(3, np.array("forest"), about)
    with pytest.raises(Unreadable, match="a list of 2 names was expected; got 3"):
        read(["a", "b", "c"], np.array(["tree", "bayes"]), about)


def test_a_question_that_does_not_exist_is_named(task: Any) -> None:
    """With those that do."""
    with pytest.raises(LookupError, match=r"this exercise has the questions q1, q2, .*; got 'q77'"):
        task.check("q77", 1)
    with pytest.raises(LookupError, match="q3 asks for a value; only a question with answers to choose from is shown by ask"):
        task.ask("q3")


# -- verdicts ----------------------------------------------------------------------------------------------------------------
def test_an_error_is_carried_forward_and_mended(task: Any) -> None:
    """By hand: sd 3.2, so se = 3.2 / sqrt(5) = 1.4311 and t = -0.6 / 1.4311 = -0.41926."""
    assert task.check("q3", 3.2).mistake == "divided by n"
    said = task.check("q4", 1.4311)
    assert said.verdict == "carried"
    assert said.lines == ("It follows from what you have at q3. Mend that, and look at this line again.",)
    assert "q3. Mend" in task.check("q5", -0.41926).lines[0], "only the question where it went wrong, not what followed from it"
    assert task.check("q3", 3.578).is_right
    assert task.check("q4", 1.4311).mistake == "divided by n", "the slip is no longer explained by an answer"


def test_an_error_without_a_name_is_carried_forward_too(task: Any) -> None:
    """From any number whatever: sd 5 gives se = 5 / sqrt(5) = 2.2361."""
    assert task.check("q3", 5.0).verdict == "unknown"
    assert task.check("q4", 2.2361).verdict == "carried"


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
    assert "rounded numbers" in said.lines[0]


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


def test_hints_begin_where_it_went_wrong(task: Any) -> None:
    """An earlier answer that is not right is named first."""
    task.check("q3", 9.9)
    assert "Something is not right yet at q3: begin there." in task.check("q5", 7.7).lines[0]


def test_a_hint_grows_with_different_answers_only(task: Any) -> None:
    """Running a cell again is no new attempt."""
    assert [len(task.check("q3", value).lines) for value in (9.1, 9.1, 9.1, 9.2, 9.3, 9.1)] == [1, 1, 1, 2, 3, 3]
    assert task.check("q3", 9.2).lines[2].startswith("The same line on other data: $")


def test_a_column_says_how_many_entries_are_right(task: Any) -> None:
    """And which is the first that is not."""
    task.check("q1", [9, 9, 9, 9, 9])
    assert "2 of 5 entries are right; the first that is not: entry 2." in task.check("q1", [-2, 1, -6, 1, 1]).lines


class Decided(Procedure):
    """Three decisions, each on its own."""

    pvalues: Any = given_("p_h", "p-value of each hypothesis.", over="h")

    @step(r"\text{reject } H_h", r"$pvalues \leq 0.05", over="h")
    def reject(self) -> Any:
        """Whether each hypothesis is rejected."""
        return self.pvalues <= 0.05


def test_a_column_of_yes_and_no_says_only_how_many_are_right() -> None:
    """To name the wrong one of two answers is to give the other away."""
    data = dict(pvalues=np.array([0.001, 0.02, 0.3]))
    task = Task(Exercise("three", Decided, data, lambda rng: dict(pvalues=rng.random(3)), (Question("q1", "reject", SEE),)))
    task.check("q1", [False, True, True])
    assert task.check("q1", [True, False, True]).lines[1] == "1 of 3 entries are right."
    assert task.check("q1", ["yes", "yes", "no"]).is_right


def test_percent_for_a_share_is_told_so(task: Any) -> None:
    """p = 0.7267, handed in as 72.67."""
    assert task.check("q8", 72.67).lines == ("That is in percent. Asked for is the plain number: 5 percent are 0.05.",)
    assert not task.is_right("q8", 72.67)


def test_is_right_counts_no_attempt(task: Any) -> None:
    """And leaves no trace."""
    assert task.is_right("q3", 3.578)
    assert not task.is_right("q3", 9.9)
    assert task.progress().points == 0
    assert len(task.check("q3", 9.8).lines) == 1


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
    """Whatever a student does with them."""
    task.data["a"][:] = 0
    assert task.check("q1", [-2, 2, -6, 3, 0]).is_right
    with pytest.raises(TypeError):
        task.data["a"] = [1]


# -- a function to write -----------------------------------------------------------------------------------------------------
@slip(PairedT, "pvalue", r"P($null \geq |$statistic|)", "one tail", SEE)
def one_tail(test: PairedT) -> Any:
    """That is one tail only, where a two-sided test has to count both."""
    return test.null.at_least(abs(test.statistic))


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


def test_a_function_is_tried_on_data_never_seen() -> None:
    """Right, wrong with a name, right on some data only, raising, returning nothing, no function at all."""
    from scipy import stats

    task = Task(WRITING)

    def crashes_without_difference(a: Any, b: Any) -> float:
        if not (a - b).any():
            raise ZeroDivisionError("float division by zero")
        return float(stats.ttest_rel(a, b).pvalue)

    right = task.check("q1", lambda a, b: float(PairedT(a, b).pvalue))
    assert right.lines == ("It agrees on 6 data sets that it had never seen (ordinary, no difference).",)
    assert task.check("q1", lambda a, b: float(PairedT(a, b).pvalue) / 2).mistake == "one tail"
    partly = task.check("q1", lambda a, b: 0.3 if (a == b).all() else float(PairedT(a, b).pvalue))
    assert partly.lines[0].endswith("Right on: ordinary. Not right on: no difference.")
    raised = task.check("q1", crashes_without_difference)
    assert raised.verdict == "unreadable"
    assert "raised ZeroDivisionError: float division by zero, when it was called with a=[1.0, 1.0, 1.0, 1.0], b=" in raised.lines[0]
    assert task.check("q1", lambda a, b: None).verdict == "unanswered"  # noqa: ARG005
    assert "returned None for data of the kind 'no difference'" in task.check("q1", lambda a, b: None if (a == b).all() else 0.5).lines[0]
    assert "a function was expected" in task.check("q1", 0.5).lines[0].lower()
    assert task.check("q1", lambda a, b: a - b).lines[0].startswith("One number was expected; got 8; this is what your function returned")


def test_a_function_that_prints_instead_of_returning_is_told_so(capsys: pytest.CaptureFixture[str]) -> None:
    """It is no empty place any more; and what it prints for data never seen is not shown."""

    def prints(a: Any, b: Any) -> None:
        """Say the mean."""
        print((a - b).mean())

    def waits(a: Any, b: Any) -> None:
        """Say nothing yet."""

    task = Task(WRITING)
    assert "returned None for data of the kind 'ordinary': let its last line return what was asked for" in task.check("q1", prints).lines[0]
    assert task.check("q1", waits).verdict == "unanswered"
    assert capsys.readouterr().out == ""


def test_a_function_cannot_change_the_data() -> None:
    """It gets its own copy each time."""

    def greedy(a: Any, b: Any) -> float:
        p = float(PairedT(a, b).pvalue)
        a *= 0
        b *= 0
        return p

    assert Task(WRITING).check("q1", greedy).is_right


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
@slip(PairedT, "sd", "$mean", "mean for sd", SEE)
def mean_for_sd(test: PairedT) -> Any:
    """That is the mean. A standard deviation says how far the differences stray from it."""
    return test.mean


@slip(PairedT, "sd", r"\sqrt{\frac{1}{$n - 1} \sum_i ($d - $mean)^2}", "right, but called wrong", SEE)
def no_slip(test: PairedT) -> Any:
    """That is the same number for all, so nobody could tell it apart from the right one."""
    return PairedT.sd.fn(test)


def about(**changes: Any) -> Exercise:
    """A small exercise, with changes."""
    base: dict[str, Any] = dict(
        name="small",
        test=PairedT,
        given={"a": [1, 2, 4], "b": [1, 1, 1]},
        draw=lambda rng: {"a": rng.integers(0, 9, 4) + 0.25, "b": rng.integers(0, 9, 4)},
        questions=(Question("q1", "mean", SEE), Question("q2", "sd", SEE)),
    )
    return Exercise(**(base | changes))


def test_data_that_do_not_tell_answers_apart_are_drawn_again_and_at_last_refused() -> None:
    """With the pair of answers that coincide."""
    fine = about(mistakes=(mean_for_sd,))
    assert fine.home(fine.mistakes[0]).key == "q2"
    assert fine.data("0f")["a"].shape == (4,)
    impossible = about(mistakes=(no_slip,))
    with pytest.raises(
        RuntimeError, match="none of 2000 data sets tells all answers of small apart; the last one: at q2, 'right, but called"
    ):
        impossible.data("0f")


def test_a_mistake_that_no_question_shows_is_refused() -> None:
    """It would never be recognised."""
    lost = about(questions=(Question("q1", "mean", SEE),), mistakes=(mean_for_sd,))
    with pytest.raises(LookupError, match="no question of small shows mean for sd"):
        lost.home(lost.mistakes[0])


def test_what_a_step_needs_is_known() -> None:
    """All that stands above it, and itself."""
    assert needed(PairedT, "se") == {"se", "sd", "n", "mean", "d", "a", "b"}
    assert "pvalue" not in needed(PairedT, "critical_value")


# -- data for each student ---------------------------------------------------------------------------------------------------
def hmac_by_hand(key: bytes, message: bytes) -> str:
    """RFC 2104: H(K xor opad, H(K xor ipad, text)) with blocks of 64 bytes."""
    key = (hashlib.sha256(key).digest() if len(key) > 64 else key).ljust(64, b"\0")
    inner = hashlib.sha256(bytes(k ^ 0x36 for k in key) + message).digest()
    return hashlib.sha256(bytes(k ^ 0x5C for k in key) + inner).hexdigest()


@pytest.mark.parametrize("secret", [SECRET, "x" * 100])
def test_the_token_is_an_hmac(secret: str) -> None:
    """Worked out from its definition."""
    token = individual(" s123 ", "paired_t_by_hand", secret).token
    assert token == hmac_by_hand(secret.encode(), b"paired_t_by_hand\ns123")[:16]


def test_each_student_has_data_of_his_own_and_always_the_same() -> None:
    """A hundred students, a hundred data sets."""
    drawn = [individual(f"s{k}", "paired_t_by_hand", SECRET) for k in range(100)]
    assert len({task.token for task in drawn}) == 100
    assert len({str(task.data["a"]) + str(task.data["b"]) for task in drawn}) == 100
    again = exercise("paired_t_by_hand", drawn[3].token)
    assert repr(again) == repr(drawn[3])
    assert individual("s1", "paired_t_by_hand", SECRET + "!").token != individual("s1", "paired_t_by_hand", SECRET).token


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: exercise("t_test"), LookupError, "there is no exercise 't_test'; there are "),
        (lambda: exercise("paired_t_by_hand", "my data"), ValueError, "data must be the token that stands in your notebook.*got 'my data'"),
        (lambda: individual("  ", "paired_t_by_hand", SECRET), ValueError, "student_id must name a student; got an empty text"),
        (lambda: individual("s1", "paired_t_by_hand", "short"), ValueError, "at least 16 characters, or it could be guessed; got 5"),
        (lambda: individual("s1", "t_test", SECRET), LookupError, "there is no exercise 't_test'"),
    ],
)
def test_what_cannot_be_opened_says_why(call: Any, error: type, words: str) -> None:
    """The rule, what was got, what there is."""
    with pytest.raises(error, match=words):
        call()


# -- showing -----------------------------------------------------------------------------------------------------------------
class Balanced(HTMLParser):
    """HTML whose elements all close."""

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
    for words in (said.title, "numpy's std"):
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
    """It is shown as it stands."""
    html = task.check("q3", "<script>alert(1)</script>")._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;" in html


def test_every_verdict_has_a_word_of_its_own() -> None:
    """Nothing is said by colour alone."""
    kinds = ("right", "carried", "mistake", "unknown", "unreadable", "unanswered")
    assert len({repr(Feedback("q1", kind)).split()[1] for kind in kinds}) == 6


# -- exercises from solutions --------------------------------------------------------------------------------------------------
def solution(*cells: Any) -> Any:
    """A small solution notebook."""
    return new_notebook(cells=[new_code_cell('task = exercise("paired_t_by_hand")\ncheck = task.check'), *cells])


def answer(*lines: str) -> Any:
    """A cell with a solution in it."""
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


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        ([new_code_cell(BEGIN + "\na = 1")], "### END SOLUTION is missing in:"),
        ([new_code_cell("a = 1\n" + END)], "must take turns"),
        ([new_code_cell('check("q1", 1); check("q2", 2)')], "one check to a cell, so that each has its points; found q1, q2"),
        ([new_code_cell(f'{BEGIN}\na = 1\n{END}\ncheck("q1", a)')], "a check stands in a cell of its own"),
    ],
)
def test_markers_that_do_not_fit_are_refused(cells: list[Any], words: str) -> None:
    """With the cell, and what to do."""
    with pytest.raises(Unmarked, match=words):
        derive(with_metadata(solution(*cells), lambda _: 1.0))


def test_a_solution_opens_one_exercise() -> None:
    """Or nobody knows what its questions are worth."""
    assert exercise_name(solution()) == "paired_t_by_hand"
    with pytest.raises(Unmarked, match="found none"):
        exercise_name(new_notebook(cells=[new_code_cell("1")]))


def test_nbgrader_gives_points_to_right_answers_only(task: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """While nbgrader marks or validates, a check that is not right raises; nbgrader gives all points to a cell that does not."""
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    assert task.check("q3", 3.578).is_right
    for value in (3.2, ..., "3.578", 9.9):
        with pytest.raises(AssertionError, match="q3 "):
            task.check("q3", value)


# -- the command line ----------------------------------------------------------------------------------------------------------
@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A folder with a list of students and a secret."""
    (tmp_path / "students.txt").write_text("# winter\ns1\n\ns2\n", encoding="utf-8")
    (tmp_path / "secret.txt").write_text(SECRET + "\n", encoding="utf-8")
    return tmp_path


def run(course: Path, *arguments: str) -> int:
    """The command with the files of the course."""
    return cli.main([str(course / word) if word.endswith(".txt") or word == "out" else word for word in arguments])


def test_handout_writes_each_student_his_notebook(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The exercise with his token, without outputs; the secret is nowhere in it."""
    assert run(course, "handout", "students.txt", "paired_t_by_hand", "--secret", "secret.txt", "--to", "out") == 0
    assert capsys.readouterr().out == f"2 notebooks for 2 students in {course / 'out'}\n"
    for student in ("s1", "s2"):
        (path,) = (course / "out" / student).iterdir()
        notebook = nbformat.read(path, as_version=4)
        nbformat.validate(notebook)
        token = individual(student, "paired_t_by_hand", SECRET).token
        assert sum(f'exercise("paired_t_by_hand", data="{token}")' in cell.source for cell in notebook.cells) == 1
        assert not any(cell.outputs for cell in notebook.cells if cell.cell_type == "code")
        assert SECRET not in path.read_text(encoding="utf-8")


def test_handout_never_overwrites(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """There may be answers in it; and then nothing is written at all."""
    (course / "out" / "s2").mkdir(parents=True)
    old = course / "out" / "s2" / "01_paired_t_by_hand.ipynb"
    old.write_text("answers")
    assert run(course, "handout", "students.txt", "paired_t_by_hand", "--secret", "secret.txt", "--to", "out") == 1
    assert "is there already, perhaps with answers in it" in capsys.readouterr().err
    assert old.read_text() == "answers"
    assert not (course / "out" / "s1").exists()


def test_handout_of_everything(course: Path) -> None:
    """All exercises if none is named."""
    assert run(course, "handout", "students.txt", "--secret", "secret.txt", "--to", "out") == 0
    assert len(list((course / "out" / "s1").iterdir())) == len(exercise_names())


@pytest.mark.parametrize(
    ("listed", "words"),
    [("s1\ns1\n", "'s1' stands there twice"), ("../s1\n", "cannot be the name of a folder"), (".s1\n", "cannot be the name of a folder")],
)
def test_a_list_of_students_is_checked(tmp_path: Path, listed: str, words: str) -> None:
    """Before anything is written."""
    (tmp_path / "list.txt").write_text(listed)
    with pytest.raises(ValueError, match=words):
        students(tmp_path / "list.txt")


def test_solution_prints_the_solution_of_a_student(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The very text of his task; without a student that of the course."""
    assert run(course, "solution", "paired_t_by_hand", "--student", "s1", "--secret", "secret.txt") == 0
    assert capsys.readouterr().out == individual("s1", "paired_t_by_hand", SECRET).solution()
    assert run(course, "solution", "paired_t_by_hand") == 0
    assert "q5 (1)  statistic = -0.375\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("solution", "t_test"), "there is no exercise 't_test'; there are"),
        (("handout", "students.txt", "t_test", "--secret", "secret.txt", "--to", "out"), "there is no exercise 't_test'; there are"),
        (("handout", "nobody.txt", "--secret", "secret.txt", "--to", "out"), "nobody.txt"),
    ],
)
def test_what_the_commands_cannot_do_is_said(
    course: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], words: str
) -> None:
    """In one line, with status 1."""
    assert run(course, *arguments) == 1
    assert words in capsys.readouterr().err


def test_a_student_needs_the_secret(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And the other way round."""
    with pytest.raises(SystemExit, match="2"):
        run(course, "solution", "paired_t_by_hand", "--student", "s1")
    assert "--student and --secret belong together" in capsys.readouterr().err


def test_a_handed_out_notebook_is_plain_json(course: Path) -> None:
    """It opens wherever notebooks do."""
    run(course, "handout", "students.txt", "paired_t_by_hand", "--secret", "secret.txt", "--to", "out")
    loaded = json.loads((course / "out" / "s1" / "01_paired_t_by_hand.ipynb").read_text(encoding="utf-8"))
    assert loaded["nbformat"] == 4
