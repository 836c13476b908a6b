"""Every mistake of every exercise: told from the right answer and from the others on anybody's data, and true of the test at
which it stands.
"""

import re
from string import Template
from typing import Any

import numpy as np
import pytest
from shortcuts import parametrize
from test_exercises import MANY_STUDENTS, SECRET, STUDENTS, each_exercise, wrong_answer

from fstats import exercise, individual
from fstats.core.number_format import format_plain
from fstats.core.step import Step
from fstats.distributions.continuous_distributions import ChiSquared, FisherF, StudentT
from fstats.teaching.course.catalogue import exercise_names, load_exercise_definition
from fstats.teaching.course.exercise_loader import build_mistakes
from fstats.teaching.grading.answers.answer_value import is_distinct
from fstats.teaching.grading.exercise import is_verdict, start_test
from fstats.teaching.grading.question import Choice, Function, Question
from fstats.teaching.grading.verdicts.verdict_rules import RULES, rule_named_mistake
from fstats.testing.check_assertions import read_names


# -- mistakes ----------------------------------------------------------------------------------------------------------------
@pytest.mark.complete
@parametrize("students", range(STUDENTS), pytest.param(range(STUDENTS, MANY_STUDENTS), marks=pytest.mark.slow), ids=["some", "many"])
@each_exercise
def test_each_mistake_is_recognised_as_itself_on_the_data_of_every_student(name: str, students: range) -> None:
    """No two mistakes, and no mistake and the right answer, coincide: for few students in every run, for 200 in the complete tier."""
    about = load_exercise_definition(name)
    for student in students:
        task = individual(f"student {student}", name, SECRET)
        data = task._data
        for mistake in about.mistakes:
            home = about.home(mistake)
            if isinstance(home, Function):
                continue  # tried below: a function sees data of its own
            wrong = wrong_answer(mistake, home, data)
            assert is_distinct(wrong, getattr(start_test(about.tested(home), data), home.step), home.tolerance and 1e-9)
            said = task.fresh().check(home.key, wrong)
            assert (said.verdict, said.mistake) == ("mistake", mistake.name), (student, home.key, wrong, said)


@each_exercise
def test_a_lecturer_is_told_why_a_mistake_was_named_and_a_student_nothing_that_is_right(name: str) -> None:
    """The last rule that was asked is the one that spoke; the mistake stands below, with what became of it; the right value nowhere."""
    about = load_exercise_definition(name)
    task = individual("student 0", name, SECRET)
    for mistake in about.mistakes:
        if isinstance(home := about.home(mistake), Function):
            continue
        fresh = task.fresh()
        said = fresh.check(home.key, wrong_answer(mistake, home, task._data))
        told = fresh.why(home.key)
        asked = {rule.__doc__: rule for rule in RULES}
        says, rules = zip(*told.lines, strict=True)
        assert told.caption == f"{home.key}: {said.title}"
        assert says == (*["no"] * (len(rules) - 1), "yes")
        assert [asked[rule] for rule in rules] == list(RULES[: len(rules)])
        if rules[-1] == rule_named_mistake.__doc__:
            assert f"{mistake.name!r} gives this value, and nothing contradicts this mistake." in told.notes
        if not is_verdict(right := getattr(task.test_of(home), home.step)) and not np.ndim(right):
            assert not re.search(rf"(?<![\w.]){re.escape(format_plain(right))}(?![\w.])", repr(told))


def test_why_of_an_answer_from_earlier_ones_and_of_none() -> None:
    """What follows from earlier answers names them; a choice has one rule; where there is no answer, the way to one is told."""
    task = exercise("paired_t_by_hand")
    with pytest.raises(
        LookupError, match=r"`key` must name a question with a readable answer; got 'q3'. First call task.check\('q3', ...\)"
    ):
        task.why("q3")
    task.check("q3", 3.0)
    task.check("q4", 3.0 / np.sqrt(6))
    assert "yes  Does the answer follow from the student's own earlier answers?" in repr(task.why("q4"))
    assert "These earlier answers were taken into account: q3 (too few digits)." in repr(task.why("q4"))
    for name in exercise_names():
        for question in load_exercise_definition(name).questions:
            if isinstance(question, Choice):
                task = exercise(name)
                said = task.check(question.key, "a")
                assert task.why(question.key).caption == f"{question.key}: {said.title}"


@pytest.mark.parametrize("students", [range(2), pytest.param(range(2, 20), marks=pytest.mark.slow)], ids=["some", "many"])
@each_exercise
def test_a_slip_made_further_up_is_recognised_further_down(name: str, students: range) -> None:
    """As itself, or as right where the slip has vanished, or as what follows from the slip once that was handed in, too."""
    about = load_exercise_definition(name)
    for student in students:
        task = individual(f"student {student}", name, SECRET)
        for mistake in about.mistakes:
            home = about.home(mistake)
            below = [q for q in about.questions if isinstance(q, Question) and q is not home and mistake in about.mistakes_at(q)]
            for question in below:
                wrong = wrong_answer(mistake, question, task._data)
                if is_verdict(wrong):
                    continue
                fresh = task.fresh()
                said = fresh.check(question.key, wrong)
                assert said.is_right or mistake.name in (said.mistake or said.lines[0]), (question.key, wrong, said)
                if isinstance(home, Question) and mistake.step == home.step:
                    fresh.check(home.key, wrong_answer(mistake, home, task._data))
                    assert fresh.check(question.key, wrong).verdict in ("right", "carried"), (question.key, mistake.name)


@each_exercise
def test_a_mistake_is_the_test_with_one_wrong_step(name: str) -> None:
    """It has a name of its own, a helpful sentence, and a formula that says what it does."""
    about = load_exercise_definition(name)
    titles = [mistake.name for mistake in about.mistakes]
    assert len(set(titles)) == len(titles), f"two mistakes have the name {[one for one in titles if titles.count(one) > 1][:1]}"
    for mistake in (*about.mistakes, *about.neighbours):
        changed = [key for key, value in vars(mistake.wrong).items() if isinstance(value, Step)]
        assert changed == [mistake.step]
        assert len(mistake.sentence) > 40, f"`words` of {mistake.name!r} says what was done, and what is right instead"
        assert mistake.sentence.endswith((".", ")", "?")), f"`words` of {mistake.name!r} ends with a full stop, `)` or `?`"
        test = start_test(mistake.wrong, about.given)
        step = mistake.wrong.steps[mistake.step]
        shown = set(Template(step.template(test)).get_identifiers())
        chooses = {step.by} | read_names(test, lambda spy, by=step.by: getattr(spy, by)) if step.only else set()
        assert read_names(test, step.fn) - chooses == shown - chooses, mistake.name


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"step": "statistc"}, KeyError),
        ({"see": "NOWHERE"}, KeyError),
        ({"test": "PairedTT"}, AttributeError),
    ],
    ids=str,
)
def test_an_entry_that_cannot_be_read_is_named(wrong: dict[str, str], error: type[Exception]) -> None:
    package = "fstats.teaching.course.sign_test_by_hand"
    right = {
        "name": "one tail",
        "test": "SignTest",
        "step": "pvalue",
        "formula": r"P($null \leq $statistic)",
        "see": "RELATIVES",
        "words": ".",
    }
    assert [mistake.name for mistake in build_mistakes(package, {"mistake": [right]})] == ["one tail"]
    with pytest.raises(error) as caught:
        build_mistakes(package, {"mistake": [right | wrong]})
    assert caught.value.__notes__ == [f"in the mistake 'one tail' of {package}, whose sections are RELATIVES"]


FUNCTIONS = [
    (name, question.key)
    for name in exercise_names()
    for question in load_exercise_definition(name).questions
    if isinstance(question, Function)
]


@pytest.mark.complete
@pytest.mark.parametrize(("name", "key"), FUNCTIONS)
def test_functions_with_a_mistake_are_recognised(name: str, key: str) -> None:
    """The reference is right on data never seen, each mistake is recognised as itself, nothing and nonsense are told from both."""
    about, task = load_exercise_definition(name), exercise(name)
    question = about.question(key)
    assert isinstance(question, Function)

    def recited(cls: type) -> Any:
        answers = iter([getattr(start_test(cls, data), question.step) for _, data in task.unseen(question)])
        return lambda *_: next(answers)

    assert task.check(key, recited(about.tested(question))).is_right
    assert about.mistakes_at(question)
    for mistake in about.mistakes_at(question):
        assert task.check(key, recited(mistake.wrong)).mistake == mistake.name
    calls_it = task.check(
        key, lambda *values: getattr(start_test(about.tested(question), dict(zip(question.takes, values))), question.step)
    )
    assert calls_it.verdict == "unreadable"
    assert calls_it.lines[0].startswith("Your function calls fstats.")
    assert task.check(key, lambda *_: ...).verdict == "unanswered"
    assert task.check(key, lambda *_: -12345.678).verdict in ("unknown", "unreadable")
    assert "ZeroDivisionError" in repr(task.check(key, lambda *_: 1 / 0))


@pytest.mark.every_case
@each_exercise
def test_most_questions_know_mistakes(name: str) -> None:
    """There are at least as many mistakes as values asked for, and three of four questions show one or more."""
    about = load_exercise_definition(name)
    asked = [question for question in about.questions if not isinstance(question, Choice)]
    assert len(about.mistakes) >= len(asked), f"add mistakes to mistakes.toml: {len(about.mistakes)} for {len(asked)} values"
    bare = [question.key for question in asked if not about.mistakes_at(question)]
    assert 4 * len(bare) <= len(asked), f"three of four questions need a mistake in mistakes.toml; {', '.join(bare)} have none"


@pytest.mark.complete
@each_exercise
def test_a_neighbour_is_recognised_unless_it_could_be_something_else(name: str) -> None:
    """By its name or its words, or beside another one in a hint; never by another name alone, and where the data show no slip, right."""
    about, task = load_exercise_definition(name), exercise(name)
    for mistake in about.neighbours:
        (key,) = mistake.only
        question = about.question(key)
        wrong = wrong_answer(mistake, question, task._data)
        said = task.fresh().check(key, wrong)
        right = getattr(start_test(about.tested(question), task._data), question.step)
        if is_distinct(wrong, right, question.tolerance and 1e-9):
            words = said.mistake or " ".join(said.lines)
            same_value = [m.name for m in about.mistakes_at(question) if not is_distinct(wrong_answer(m, question, task._data), wrong)]
            assert any(one in words for one in (mistake.name, mistake.what, *same_value)), (key, mistake.name, said)


ONLY_WHERE = {  # words of a neighbour, and of which test they are true
    r"\bF has": lambda test, _: isinstance(test.null, FisherF),
    r"is squared and has no sign": lambda test, _: isinstance(test.null, (ChiSquared, FisherF)),
    r"Student": lambda test, _: isinstance(test.null, StudentT),
    r"mean costs one|two independent samples. Here n pairs": lambda test, _: (
        test.df == len(test.d) - 1 if "d" in test.__dict__ else test.df == test.n - 1
    ),
    r"divides (the standard deviation )?by the square root of n\b": lambda test, step: np.isclose(
        getattr(test, step), [(se := test.sd / np.sqrt(test.n)), test.mean / se]
    ).any(),
    r"residual": lambda test, _: "residuals" in test.steps,
    r"[Cc]hi-squared by": lambda test, _: "chi_squared" in test.steps,
    r"\branks\b": lambda test, _: {"ranks", "row", "n"} & {*test.steps, *test.inputs},
    r"data sets?\b": lambda test, _: "folds" not in test.inputs,
    r"t-test|\b5 %|squared? .*later": lambda *_: False,  # nothing that the next exercise may do otherwise
}


@pytest.mark.every_case
@each_exercise
def test_a_neighbour_is_only_where_what_it_says_is_true(name: str) -> None:
    """A neighbour is known by a formula that tests of other kinds have, too: each kind of words has a condition, worked out anew."""
    about = load_exercise_definition(name)
    for mistake in about.neighbours:
        question = about.question(mistake.only[0])
        test = start_test(about.tested(question), about.given)
        false = [words for words, is_true in ONLY_WHERE.items() if re.search(words, mistake.sentence) and not is_true(test, question.step)]
        assert not false, (mistake.only, mistake.name, mistake.sentence)


def test_neighbours_are_kept_from_tests_of_another_kind() -> None:
    """The four that once said of Student's t or of ranks what is true of F, of squares or of residuals."""

    def names(name: str, key: str) -> set[str]:
        return {one.name for one in load_exercise_definition(name).neighbours if one.only == (key,)}

    assert names("analysis_of_variance", "q14") >= {"chi-squared for F", "doubled"}
    assert "doubled" in names("bcv_mcnemar", "q8")
    assert "chi-squared for F" not in names("bcv_mcnemar", "q8")
    for name, key in (("one_or_two_sided", "q7"), ("not_significant_is_not_equivalent", "q9")):
        assert not names(name, key) & {"chi-squared for F", "doubled"}
    assert "one degree of freedom too many" not in names("five_by_two", "q6")
    assert "n for its root" not in names("corrected_resampled_t", "q11")
    assert "all residuals" not in names("friedman_and_nemenyi", "q6")
