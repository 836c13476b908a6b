"""The right number with too few digits is told so, in every exercise: rounded or cut, alone, in a column, or as a simulated rate."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from shortcuts import parametrize

from fstats import exercise, individual
from fstats.core.validation.stated_value_consistency import is_exact_check
from fstats.teaching.course.catalogue import exercise_names
from fstats.teaching.grading.answers.answer_value import is_equal, is_identical, significant_digits
from fstats.teaching.grading.answers.lost_digits import find_lost_digits
from fstats.teaching.grading.exercise import start_test
from fstats.teaching.grading.question import Question
from fstats.teaching.grading.task import Task
from fstats.teaching.grading.verdicts.feedback import Feedback

STUDENTS = 12
NAMED = 0.01  # of all such answers, the most that may be the number of a mistake as well
WRONG_WORDS = ("too large", "too small", "far too", "same factor", "than it should", "Too many", "Too few")


# -- the rule ------------------------------------------------------------------------------------------------------------------
@given(st.floats(1.001, 999.9))
def test_fewer_digits_are_told_to_be_fewer(x: float) -> None:
    """Rounded or cut to two digits; never what has three that are wrong."""
    assume((2 * x) % 1)
    two = float(f"{x:.1e}")
    assert is_equal(two, x) or find_lost_digits(two, x) == ("rounded", "enough")
    assert not find_lost_digits(x * 1.1, x)


@parametrize(
    "short, right, how",
    (3.57, 3.5777, ("cut", "enough")),
    (0.07, 0.0654, ("rounded", "enough")),  # two decimals
    (980, 976, ("rounded", "enough")),  # a sum of squares that happens to be whole
    (4, 3.5777, ("rounded", "first")),
    (3, 3.5777, ("cut", "first")),
    (0.1, 0.0654, ("rounded", "hardly")),
    (0, 0.2, ("rounded", "hardly")),
    (0, 0.8, ("cut", "hardly")),
    (1, 0.8, ("rounded", "hardly")),
    ([0, 0.01, 0.02, 0.62], [0.0038, 0.0091, 0.0162, 0.62], ("rounded", "enough")),  # two decimals of all
    ([0, 0.1, 0.6], [0.0228, 0.0564, 0.62], ("rounded", "hardly")),
    ([-1.3, 0.7], [-1.3333, 0.6667], ("rounded", "enough")),
    ([0.0083, 0.0125], [1 / 120, 1 / 80], ("rounded", "enough")),
    ([0, 0], [0.02, 0.3], ("rounded", "hardly")),
    (2.6e-9, 2.649e-9, ("rounded", "enough")),
    # what is no shorter
    (3.5777, 3.5777, None),
    (3.59, 3.5777, None),
    (3.4, 3.5777, None),
    (1e-9, 0.2, None),  # computed, and no 0
    (1 - 1e-7, 0.8, None),
    ([0, 0.01, 0.03, 0.62], [0.0038, 0.0091, 0.0162, 0.62], None),  # one that is wrong
    ([0.0038, 0.01, 0.6], [0.0038, 0.0141, 0.55], None),
    # what has no digits to leave out
    (10, 11, None),
    (70, 72, None),
    (900, 976, None),
    ([70, 80], [72, 79], None),
)
def test_what_is_left_of_a_number(short: Any, right: Any, how: tuple[str, str] | None) -> None:
    """Enough to know it by, its first digit, hardly anything; the same of its negative."""
    assert find_lost_digits(np.array(short, float), np.array(right, float)) == how
    assert find_lost_digits(-np.array(short, float), -np.array(right, float)) == how


def test_counts_ranks_and_luck() -> None:
    # Of a small count no digit is left out, and a whole rank for a half one is another way with ties.
    assert find_lost_digits(140.0, 143.0, exact=True) == ("rounded", "most")
    assert find_lost_digits(48_000.0, 47_500.0, exact=True) == ("rounded", "enough")
    ranks = np.array([12.0, 2.5, 9.0, 2.5])
    assert find_lost_digits(np.floor(ranks), ranks, exact=True) is None
    assert find_lost_digits(82.0, 81.5, exact=True) == ("rounded", "enough")  # the sum of some
    # A rate within luck of the right one, cut off or rounded; beyond luck it is neither.
    assert (find_lost_digits(0.25, 0.2599, 0.004), find_lost_digits(0.3, 0.2468, 0.005)) == (("cut", "enough"), ("rounded", "first"))
    assert find_lost_digits(0.28, 0.2574, 0.005) is None


# -- the family ------------------------------------------------------------------------------------------------------------------
def in_steps(x: float, decimals: int, cut: bool) -> float:
    """A number in steps of a power of ten, to the nearest one or towards 0, as it is typed."""
    steps = x * 10.0**decimals
    return float(f"{(np.trunc(steps + 1e-9 * np.sign(steps)) if cut else np.round(steps)) / 10.0**decimals:.12g}")


def with_fewer_digits(right: Any) -> Iterator[Any]:
    """To one, two, three significant digits, and to no, one, two, three decimals: each number of a column in the same way."""
    seen = set()
    for cut in (False, True):
        for many in range(1, 8):
            short = np.array(
                [
                    in_steps(x, many - 4 if many > 3 else many - 1 - int(np.floor(np.log10(abs(x)))), cut) if x else 0.0
                    for x in np.ravel(right).tolist()
                ]
            ).reshape(np.shape(right))
            if short.tobytes() not in seen:
                seen.add(short.tobytes())
                yield short[()]


def answer_to(task: Task, question: Question) -> Any:
    """The right value; for a simulated rate, one that somebody may have found."""
    test = task.test_of(question)
    right = getattr(test, question.step)
    if question.tolerance is None or question.repetitions is None:
        return right
    many = question.repetitions(test)
    return np.rint((right + 0.3 * question.tolerance(test)) * many) / many


def replies(task: Task) -> Iterator[tuple[Question, Any, Feedback]]:
    """What is said to each number that is shorter than it should be, when all before was answered rightly."""
    for question in task.exercise.questions:
        if not isinstance(question, Question):
            continue
        right = answer_to(task, question)
        if np.asarray(right).dtype.kind in "fiu":
            for short in with_fewer_digits(right):
                said = task.check(question.key, short)
                if not said.is_right:
                    yield question, short, said
        task.check(question.key, right)


def keeps_too_little(task: Task, question: Question, short: Any) -> bool:
    """Whether nobody would shorten the number so: what is whole to one digit, or a rank that tells of a tie to a whole one."""
    right = np.asarray(getattr(task.test_of(question), question.step))
    ranks = right.ndim > 0 and is_exact_check(task.exercise.asked(question).check)
    return bool(ranks or (is_equal(right, np.rint(right)) and significant_digits(short) < 2))


def is_of_a_mistake(task: Task, question: Question, short: Any) -> bool:
    """Whether a mistake that has a name gives just this number, with all its digits."""
    return any(
        is_identical(short, getattr(start_test(mistake.wrong, task.data), question.step)) for mistake in task.exercise.mistakes_at(question)
    )


def looked_at(task: Task) -> tuple[int, int]:
    """How many numbers were too short, and how many of them were taken for a mistake that has the same number; all others are told so."""
    shorter = named = 0
    for question, short, said in replies(task):
        if keeps_too_little(task, question, short):
            continue
        shorter += 1
        if any("digits" in line for line in said.lines):
            lines = [line for line in said.lines if not line.startswith("Your answer may come from")]  # a mistake may speak of numbers, too
            assert not any(words in line for line in lines for words in WRONG_WORDS), (question.key, short, said)
            assert said.guess or not said.mistake, (question.key, short, said)
        else:
            assert is_of_a_mistake(task, question, short), (question.key, short, said)
            named += 1
    return shorter, named


@pytest.mark.complete
@pytest.mark.parametrize("name", exercise_names())
@pytest.mark.filterwarnings("ignore")
def test_a_number_with_too_few_digits_is_told_so(name: str) -> None:
    """It is called neither too small nor a mistake, unless a mistake has just this number."""
    assert looked_at(exercise(name))[0] > 3


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_many_students_are_told_so() -> None:
    """On the data of several students; few such numbers are those of a mistake."""
    found = [looked_at(individual(f"s{k}", name, "a secret of the course")) for name in exercise_names() for k in range(STUDENTS)]
    shorter, named = np.sum(found, axis=0)
    assert shorter > 1000
    assert named <= NAMED * shorter


@pytest.mark.parametrize(("name", "key"), [("simulate_a_type_one_error", "q1"), ("one_or_two_sided", "q11")])
def test_a_rounded_rate_may_look_like_a_number_of_the_text(name: str, key: str) -> None:
    """Who rounds the own 0.04993 to 0.05 has not copied alpha, and is told what to do; who has copied all digits is told so."""
    task = exercise(name)
    question = task.exercise.question(key)
    assert isinstance(question, Question)
    assert question.unlikely is not None
    typed = question.unlikely(task.test_of(question))
    said = task.check(key, typed)
    assert (said.lines[0], "rounded" in said.lines[-1]) == (question.typed, significant_digits(typed) < 3)


@parametrize(
    "name, key, line",
    ("analysis_of_variance", "q17", "all digits of the whole number"),
    ("paired_t_by_hand", "q3", "three significant digits, rounded, or all digits that the computer shows"),
)
def test_how_many_digits_are_asked_for(name: str, key: str, line: str) -> None:
    """Three, but all of a number that comes out whole: three of 1,068 are no more right than two."""
    task = exercise(name)
    right = getattr(task.test_of(task.exercise.question(key)), task.exercise.question(key).step)  # type: ignore[arg-type, union-attr]
    said = task.check(key, float(f"{right:.1e}"))
    assert said.verdict == "digits"
    assert said.lines[0].endswith(f": give {line}.")
