"""What an input of a formula must be so that the formula gives a wrong number: true of the number, and without the right number."""

from typing import Any

import numpy as np
import pytest
from test_replies_are_true import answered_before

import fstats
from fstats.teaching.grading.mistakes.right_calculation import PLACE, SAME_PLACE
from fstats.teaching.grading.mistakes.slip_search import _with_places_once
from fstats.teaching.grading.question import Question


def shortened(number: Any) -> float:
    """A number as a student types it, with three digits."""
    return float(f"{number:.3g}")


def with_three_digits(name: str, key: str) -> Any:
    """An exercise whose questions before this one are answered rightly, with three digits."""
    task = fstats.exercise(name)
    for question in task.exercise.questions:
        if question.key == key:
            return task
        if isinstance(question, Question):
            right = np.asarray(getattr(task.test_of(question), question.step))
            task.check(question.key, np.vectorize(shortened)(right).tolist() if right.dtype.kind == "f" else right)
    raise LookupError(key)


@pytest.mark.parametrize(
    ("name", "key", "value", "words"),
    [
        ("language_models", "q7", 0.135, "Student's t with 4 degrees of freedom"),
        ("corrected_resampled_t", "q6", 0.0117, "Student's t with 15 degrees of freedom"),
        ("friedman_and_nemenyi", "q8", 0.00955, "F with 3 and 24 degrees of freedom"),
        ("wilcoxon_by_hand", "q9", 0.0343, "this mistake, with a rounded number on the way: Your number is the probability that one given"),
        ("bcv_mcnemar", "q6", 1.94, "this mistake, with a rounded number on the way: You subtracted 1/2"),
        ("bcv_mcnemar", "q4", [7.03, 13.7], "1 of 2 entries are right"),
    ],
)
def test_a_slip_after_rounded_answers_is_told(name: str, key: str, value: Any, words: str) -> None:
    """The student's own rounded numbers lead to another third digit than exact ones."""
    assert words in with_three_digits(name, key).check(key, value).lines[0]


@pytest.mark.parametrize(
    ("name", "key", "value", "words"),
    [
        ("corrected_resampled_t", "q1", lambda test: test.d.sum() / 12, "'number of splits' is 12"),
        ("paired_t_by_hand", "q5", lambda test: test.mean / round(test.se, 1), "if 'standard error' (your answer to q4) is 1.3"),
        ("paired_t_by_hand", "q5", lambda test: test.mean / 1.4321, "'standard error' (your answer to q4) is 1.432"),
        ("bayesian_comparison", "q1", lambda _: 1.6, "on each split' is 16"),
        ("unstable_learners", "q10", lambda test: np.hypot(test.records_se, test.repetition_sd * 1.2**0.5), " is 0.5"),
        (
            "bcv_mcnemar",
            "q10",
            lambda test: (lambda a, b: (abs(a - b) - 1) ** 2 / (a + b))(test.n01[0].sum(), test.n10[0].sum()),
            "first line",
        ),
        ("holms_ladder", "q6", lambda _: [0.019, 0.0364, 0.0423, 0.0423, 0.0423, 0.0423], "numbers that are smaller by one"),
        ("friedman_and_nemenyi", "q12", lambda _: [True] * 6, "Too many of your entries are True"),
        ("simulate_a_type_one_error", "q3", lambda _: 0.2, "A factor of 2 lies between your number and the right one: is a 2 left out"),
        ("corrected_resampled_t", "q4", lambda test: shortened(test.mean / 0.662), "is 0.662, which has two exchanged digits"),
        (
            "unstable_learners",
            "q11",
            lambda test: shortened(test.statistic * test.se / test.repetition_sd),
            ", the value of 'standard deviation",
        ),
        ("paired_t_by_hand", "q7", lambda _: 4.032, "alpha (α) is 0.01"),
        ("one_or_two_sided", "q4", lambda _: 2.447, "if the distribution is Student's t with 6 degrees of freedom"),
        ("contingency_from_predictions", "q5", lambda _: 12, "'number of records on which only A is right' is 10"),
        ("wilcoxon_by_hand", "q4", lambda _: 69.5, "Perhaps one term of a sum is left out; then your number comes out."),
        ("wilcoxon_by_hand", "q5", lambda _: 31, "Perhaps one term of a sum is counted twice; then your number comes out."),
        ("wilcoxon_by_hand", "q5", lambda _: 24, "If you did not round, look for a small slip (for example in the ranks of equal values)"),
        ("sign_test_by_hand", "q3", lambda test: test.pvalue / 2, "one coin too many gives the same number"),
        ("corrected_resampled_t", "q12", lambda _: 0.043, "Several calculations, or a guess, can give your number"),
        ("sign_test_by_hand", "q3", lambda _: 0.078, "Perhaps a factor of 2"),
        ("analysis_of_variance", "q5", lambda _: 903, "exchanged two"),
        ("critical_value_table", "q5", lambda _: 7, "Does the value next to yours fulfil the condition"),
        ("hack_a_verdict", "q18", lambda test: np.sqrt(test.none_by_luck), "is 100 instead of 200. Or:"),
    ],
)
def test_what_an_input_must_be_is_told(name: str, key: str, value: Any, words: str) -> None:
    """Another count, a short or rounded number, another sum, a changed column; the right number stands nowhere."""
    task = answered_before(name, key)
    test = task.test_of(task.exercise.question(key))
    right = getattr(test, task.exercise.question(key).step)
    said = repr(task.check(key, value(test)))
    assert words in said
    assert np.ndim(right) or f"{right:.4g}" not in said.partition("See ")[0]


def test_a_long_label_is_replaced_by_the_name_and_the_symbol() -> None:
    task = answered_before("paired_t_by_hand", "q7")
    test = task.test_of(task.exercise.question("q7"))
    said = repr(task.check("q7", test.assuming(alpha=0.02).critical_value))
    assert "comes out if alpha (" in said


def test_the_step_of_several_changes_is_named_once() -> None:
    one, other = f"{PLACE}mean)", f"{PLACE}the rate (of errors))"
    assert _with_places_once(f"a{one}; or b{one}; or c{other}; or d{other}") == f"a{one}; or b{SAME_PLACE}; or c{other}; or d{SAME_PLACE}"
