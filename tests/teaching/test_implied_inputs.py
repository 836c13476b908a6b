"""What an input of a formula must be so that the formula gives a wrong number: true of the number, and without the right number."""

from typing import Any

import numpy as np
import pytest
from test_replies_are_true import answered_before

import fstats
from fstats.teaching.grading.mistakes.implied_inputs import ImpliedInputs
from fstats.teaching.grading.question import Question


def first_line_alone(n01: Any, n10: Any) -> Any:
    """McNemar's statistic with continuity correction."""
    return (abs(n01 - n10) - 1) ** 2 / (n01 + n10)


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
        ("simulate_a_type_one_error", "q3", lambda _: 0.2, "twice as large"),
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


@pytest.mark.complete
def test_few_random_numbers_have_a_telling_input() -> None:
    """At most 1 % of random numbers; no number is said to come from a value that many calculations have."""
    rng, tried, agreed = np.random.default_rng(7), 0, []
    for name in ("paired_t_by_hand", "corrected_resampled_t", "bayesian_comparison", "unstable_learners", "friedman_and_nemenyi"):
        task = fstats.exercise(name)
        for question in (one for one in task.exercise.questions if isinstance(one, Question)):
            right = getattr(task.test_of(question), question.step)
            if np.ndim(right) or np.asarray(right).dtype.kind != "f" or right == np.floor(right):
                continue
            for digits in (3, 4, 5, 12):
                number = float(f"{abs(right) * 10 ** rng.uniform(-0.6, 0.6):.{digits}g}")
                task.check(question.key, number)
                tried += 1
                agreed += [(name, question.key, number, told)] if (told := ImpliedInputs(task.diagnosis(question.key)).sentence()) else []
            task.check(question.key, right)
    assert tried > 100
    assert len(agreed) <= 0.01 * tried, agreed
