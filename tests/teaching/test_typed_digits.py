"""A reply that speaks of digits shows the number; a digit that is missing or stands there twice is a possibility."""

import re
from typing import Any

import numpy as np
import pytest

import fstats
from fstats.core.number_format import format_plain
from fstats.teaching.course.catalogue import exercise_names
from fstats.teaching.grading.mistakes.plausible_slips import has_one_digit_too_few
from fstats.teaching.grading.question import Question


@pytest.mark.parametrize(
    ("typed", "right", "is_slip"),
    [
        (0.35, 0.375, True),
        (2.76, 2.77645, True),
        (-2.76, -2.77645, True),
        (15, 125.37, True),
        (0.75, 0.375, True),
        (2.7766, 2.77645, True),  # a digit twice
        (2.7864, 2.77645, False),
        (0.35, 0.36, False),
        (0.3, 0.375, False),  # one digit comes about in many ways
        (1254, 125.4, False),  # the decimal point, not a digit
        (12, 125, False),  # counts differ by digits for other reasons
    ],
)
def test_a_missing_digit_is_found(typed: float, right: float, is_slip: bool) -> None:
    assert has_one_digit_too_few(np.asarray(typed), np.asarray(right, float)) == is_slip


def test_a_missing_digit_is_a_possibility_beside_the_question() -> None:
    """Where nothing explains the number better."""
    task = fstats.exercise("paired_t_by_hand")
    for typed, is_told in ((2.51, True), (2.71, True), (2.5571, True), (3.21, False)):
        said = repr(task.fresh().check("q7", typed))
        assert ("Perhaps a digit is missing in your number" in said) == is_told, said
        assert "2.571" not in said  # the right number
        assert "Your answer is too " in said


@pytest.mark.complete
@pytest.mark.parametrize("name", exercise_names())
def test_what_is_said_of_digits_shows_the_number(name: str) -> None:
    """Of the right number with one, two and three digits, rounded and cut."""
    task: Any = fstats.exercise(name)
    for question in (one for one in task.exercise.questions if isinstance(one, Question)):
        right = getattr(task.test_of(question), question.step)
        if np.ndim(right) or np.asarray(right).dtype.kind != "f" or not np.isfinite(right) or not right:
            continue
        for digits in (1, 2, 3):
            for typed in (float(f"{right:.{digits}g}"), float(f"{0.97 * right:.{digits}g}")):
                for line in task.fresh().check(question.key, typed).lines:
                    is_of_digits = "our number" in line and re.search(r"few digits|digits that it has|(a|one) digit", line)
                    assert not is_of_digits or f"our number {format_plain(typed)}"[:13] in line, (question.key, typed, line)
