"""Replies to wrong answers say nothing that is false of the number that was typed: each rule over all exercises that it touches."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.stats
from asked_numbers import decimal_numbers, right_values

from fstats import CochranQ, PairedT, RepeatedAnova, SignTest, exercise
from fstats.core.validation.check import is_count_check
from fstats.teaching.course.catalogue import exercise_names, load_exercise_definition
from fstats.teaching.grading.answers.answer_context import AnswerContext
from fstats.teaching.grading.answers.answer_value import significant_digits
from fstats.teaching.grading.hints.leading_question import CALCULATION
from fstats.teaching.grading.mistakes import formula_search, mistaken_distributions
from fstats.teaching.grading.mistakes.formula_term import FormulaTerm
from fstats.teaching.grading.mistakes.near_misses import POINT
from fstats.teaching.grading.question import Question
from fstats.teaching.grading.verdicts.verdict_rules import APPROXIMATED, ONE_DIGIT


def answered_before(name: str, key: str) -> Any:
    """An exercise whose questions before this one are answered rightly."""
    task = exercise(name)
    for question in task.exercise.questions:
        if question.key == key:
            return task
        if isinstance(question, Question) and not question.unlikely:
            task.check(question.key, getattr(task.test_of(question), question.step))
    raise LookupError(key)


@pytest.mark.parametrize("name", exercise_names())
def test_a_whole_number_is_no_rounding_of_a_share(name: str) -> None:
    """Only the first digit of the right number, rounded, is praised: 1 is no rounding of 0.724."""
    task = exercise(name)
    for question, right in right_values(task):
        if np.asarray(right).dtype.kind == "f" and not np.ndim(right) and not question.tolerance and 0.5 < right < 0.95:
            assert "that is right" not in repr(task.fresh().check(question.key, 1.0)), question.key


@pytest.mark.complete
@pytest.mark.parametrize("name", exercise_names())
def test_too_many_and_too_few_are_said_of_counts_only(name: str) -> None:
    """A sum of squares that happens to be whole is too large, and a sum of ranks may be a half."""
    task = exercise(name)
    for question, right in right_values(task):
        if np.ndim(right) or np.asarray(right).dtype.kind not in "iuf":
            continue
        words = " ".join(line for more in (611, 611.5) for line in task.fresh().check(question.key, float(right) + more).lines)
        counted = is_count_check(task.exercise.asked(question).check)
        assert counted or not re.search(r"Too (many|few)|A whole number", words), (question.key, words)


def test_negative_numbers_and_columns() -> None:
    # -1.15 is larger than -2.5, and lies closer to 0.
    task = answered_before("bayesian_comparison", "q4")
    right = getattr(task.test_of(task.exercise.question("q4")), task.exercise.question("q4").step)
    assert right < 0
    assert task.fresh().check("q4", 0.713 * right).lines[0].startswith("Your answer lies closer to 0 than it should.")
    assert task.fresh().check("q4", 17.13 * right).lines[0].startswith("Your answer lies much farther from 0 than it should.")
    # Places of the mean ranks are whole, and near their medians; to three digits they are not.
    assert "median" not in repr(answered_before("friedman_and_nemenyi", "q2").check("q2", [3, 1, 4, 2]))


def test_later_lines_and_probabilities() -> None:
    # Neither by its symbol nor by its sentence; and a number of all digits is not taken for another one that lies near.
    task = answered_before("folds_are_not_independent", "q10")
    many, test = task.data["many"], task.test_of(task.exercise.question("q10"))
    near = test.mean / (np.sqrt(1 / many + test.test_train_ratio) * test.sd)
    assert "another step" not in repr(task.check("q10", near))
    assert "further down" not in repr(task.fresh().check("q10", near))
    task = answered_before("sign_test_by_hand", "q3")
    test = task.test_of(task.exercise.question("q3"))
    for number in (2 * scipy.stats.binom.pmf(test.pvalue, 9, 0.5), scipy.stats.norm.sf(test.pvalue), 2 * scipy.stats.norm.sf(test.pvalue)):
        assert " p)" not in repr(task.fresh().check("q3", float(number)))


def test_slips_are_told_at_their_line() -> None:
    task = answered_before("five_by_two", "q4")
    test = task.test_of(task.exercise.question("q4"))
    said = task.check("q4", test.estimate / test.variances.mean())
    assert said.mistake == "the root is missing"
    assert said.guess, "the earlier answer to this step was right"
    doubt = r"Perhaps you made this mistake at the step $\mathrm{SE}$, although you did this step right in q2: "
    assert said.lines[0].startswith(f"{doubt}The value of this step is the mean of the five variances")
    alone = exercise("five_by_two").check("q4", test.estimate / test.variances.mean())
    assert alone.lines[0].startswith(r"At the step $\mathrm{SE}$: The value of this step is the mean of the five variances")
    assert not alone.guess


@pytest.mark.parametrize(
    ("name", "key", "typed", "said"),
    [
        ("contingency_from_predictions", "q11", 0.7044, POINT),
        ("analysis_of_variance", "q18", 0.7292, ONE_DIGIT),
        ("wilcoxon_by_hand", "q9", 0.06868, APPROXIMATED),
    ],
)
def test_three_digits_of_four_name_no_other_value(name: str, key: str, typed: float, said: str) -> None:
    """Each number agrees in three digits with a value that the student did not compute."""
    assert answered_before(name, key).check(key, typed).lines[0].replace(f"your answer {typed} ", "your answer ") == said


def test_several_causes_of_a_number_are_a_guess() -> None:
    """A small whole number, a count that several cells give, a power of one half, a number that another slip gives as well."""
    several = {("paired_t_by_hand", "q2"): 3, ("contingency_from_predictions", "q3"): 7, ("sign_test_by_hand", "q3"): 2 / 512}
    for (name, key), number in several.items():
        assert answered_before(name, key).check(key, number).guess, (name, key)
    task = answered_before("holms_ladder", "q2")
    test = task.test_of(task.exercise.question("q2"))
    said = task.check("q2", np.minimum(1, (test.m - 1) * test.pvalues))
    assert said.guess
    assert "'m - 1 for m'" in said.lines[0]


def test_counts_and_rounding() -> None:
    task = exercise("simulate_a_type_one_error")
    question = task.exercise.question("q1")
    right = getattr(task.test_of(question), question.step)
    assert task.check("q1", round(right * task.data["repetitions"])).lines[0].startswith("Your number is a count.")
    # A t with an intermediate of three digits; not every number that lies within two percent.
    task = answered_before("corrected_resampled_t", "q11")
    test = task.test_of(task.exercise.question("q11"))
    assert "Your answer is very close" not in repr(task.fresh().check("q11", 1.015 * test.statistic))
    assert "Your answer is very close" in repr(task.fresh().check("q11", test.mean / float(f"{test.se:.2e}") * 1.004))


def test_a_random_number_is_the_result_of_no_formula() -> None:
    """At most 1 % of random numbers of three digits, or as small as a p-value may be, agree with a formula by chance."""
    rng, tried, agreed = np.random.default_rng(5), 0, []
    for name, task, question, right in decimal_numbers(exercise_names()):
        for number in (1.1 * abs(right) + 10 ** rng.uniform(-1, 1), 0.37 * rng.uniform() * abs(right), 10 ** rng.uniform(-200, -9)):
            context = AnswerContext(task.exercise, task._tests, question, float(f"{number:.3g}"))
            tried += 1
            agreed += [(name, question.key, number, line)] if (line := formula_search.origin(context, likely=True)) else []
    assert tried > 300
    assert len(agreed) <= 0.01 * tried, agreed


def test_a_formula_that_is_told_has_two_operations_and_no_value_of_0_or_1() -> None:
    """A standard error with a further root of n has two; a value of 1 changes nothing, and any number may have it in its formula."""
    task = exercise("paired_t_by_hand")
    question = task.exercise.question("q4")
    test = task.test_of(question)
    assert formula_search.Search(AnswerContext(task.exercise, task._tests, question, 1.5)).is_likely(FormulaTerm(r"\sqrt{n}", 2.0, 2))
    for number, is_likely in ((test.sd / test.n, True), (np.sqrt(test.sd) / test.n**2, False)):
        context = AnswerContext(task.exercise, task._tests, question, float(number))
        assert formula_search.origin(context)
        assert bool(formula_search.origin(context, likely=True)) == is_likely, number
    search = formula_search.Search(context, likely=True)
    search.parts = {"one": FormulaTerm("m", np.float64(1), 1), "n": FormulaTerm("n", np.float64(5), 1)}
    assert search.is_likely(FormulaTerm(r"\frac{1}{n}", 0.2, 2))
    assert not search.is_likely(FormulaTerm(r"\frac{m}{n}", 0.2, 3))


@pytest.mark.usefixtures("without_slips")
@pytest.mark.parametrize("name", exercise_names())
def test_a_direction_comes_with_a_question(name: str) -> None:
    """Too large or too small alone says nothing about what to do; the question about the parts holds no number of this student."""
    task = exercise(name)
    for question, right in right_values(task):
        if np.ndim(right) or np.asarray(right).dtype.kind not in "iuf" or not np.isfinite(right):
            continue
        for wrong in (1.2871 * right + 0.0137, 0.7131 * right - 0.0137):
            lines = task.fresh().check(question.key, float(wrong)).lines
            line = next((one for one in lines if re.match("Your answer (is (far )?too|lies) ", one)), "")
            assert line.removesuffix(f" {CALCULATION}").endswith("?") or not line, (question.key, line)
            assert f"{right:.3g}" not in re.sub(r'\$.*?\$|".*?"|than 1\?', "", line), (question.key, line)


@pytest.mark.parametrize("name", exercise_names())
def test_a_number_of_one_digit_is_not_said_to_be_calculated_rightly(name: str) -> None:
    """0.0005 is 0.000487 with four decimals, and also sqrt(0.05 / N) by chance."""
    task = exercise(name)
    for question, right in right_values(task):
        if not np.ndim(right) and np.asarray(right).dtype.kind == "f" and right and np.isfinite(right) and not question.tolerance:
            for short in {float(f"{right:.0e}"), float(np.round(right, 1)), float(np.ceil(right))}:
                reply = task.fresh().check(question.key, short)
                sure = significant_digits(short) > 1 or reply.is_right
                # the name of a quantity may hold the word: records on which only A is right
                said = re.sub(r"The value is made of: .*?\.(?= |$)|'.*?'", "", reply.lines[0].replace("may be right", ""))
                assert sure or not re.search("right", reply.title + said, re.I), (question.key, reply)


def test_the_same_factor_is_said_only_of_a_factor() -> None:
    """Numbers that are all too large by 1, or cut, are not wrong by a factor."""
    task = exercise("analysis_of_variance")
    question = next(q for q in task.exercise.questions if isinstance(q, Question) and np.ndim(getattr(task.test_of(q), q.step)) == 1)
    right = np.asarray(getattr(task.test_of(question), question.step), float)
    assert "same amount" in repr(task.fresh().check(question.key, right + 1))
    assert "same factor" in repr(task.fresh().check(question.key, 1.23 * right))
    for wrong in (right + np.arange(len(right)) * 1e-3 + 1, right * (1 + 0.003 * np.sin(np.arange(len(right)))), np.floor(right) - 1):
        assert "same factor" not in repr(task.fresh().check(question.key, wrong))


AS_PYTHON = {
    r"\left": "",
    r"\right": "",
    r"\cdot": "*",
    "^2": "**2",
    r"\min\{": "np.minimum(",
    r"\}": ")",
    "\\ ": "",
    r"\mathrm{sign}\,d": "np.sign(d)",
}


def worked(tex: str, **values: Any) -> Any:
    """What a line of the page gives."""
    for written, meant in AS_PYTHON.items():
        tex = tex.replace(written, meant)
    tex = re.sub(r"\|(.*?)\|", r"abs(\1)", tex)
    while "{" in tex:
        tex = re.sub(r"\\sqrt\{([^{}]*)\}", r"np.sqrt(\1)", re.sub(r"\\frac\{([^{}]*)\}\{([^{}]*)\}", r"((\1)/(\2))", tex))
    return eval(tex, {"np": np}, values)


def test_a_line_that_is_told_gives_its_number(changed: Callable[..., list[str]]) -> None:
    """Those of numbers by working them out as they are written; those with words stay what they are, and so do their prices."""
    x, n, d = FormulaTerm("x", -2.3, 1), FormulaTerm("n", 9.0, 1, True, True), FormulaTerm("d", np.array([0.5, -2.0, 3.0, 0.5]), 1)
    table = FormulaTerm(r"\text{table}", np.array([[1.0, 2.0, 4.0, 8.0], [0.5, 0.25, 3.0, 1.0]]), 1)
    with np.errstate(all="ignore"):
        lines = [
            *formula_search._powers(x),
            *formula_search._powers(n),
            *formula_search._unary_variants(n),
            *formula_search._turned_pair(x),
            *formula_search._combine([x, n]),
        ]
        # a sum is the first of a pair
        lines += [formula_search._paired(*way, FormulaTerm("x - n", -11.3, 2), n) for way in formula_search.BINARY_OPERATIONS]
        lines += [*formula_search._of_a_column(d), *formula_search._with_a_number(d, n)]
        for line in lines:
            np.testing.assert_allclose(worked(line.tex, x=-2.3, n=9.0, d=d.value), line.value, err_msg=line.tex)
        lines += [
            *formula_search._rearranged(d),
            *formula_search._column_summaries([d]),
            *formula_search._of_a_table(table, (4,)),
            *formula_search._of_a_table(table, (2,)),
        ]
        tests = [PairedT(range(6), [3, 1, 2, 7, 1, 0]), SignTest(range(6), [3, 1, 2, 7, 1, 0]), CochranQ(np.eye(4)[[0, 1, 2, 3, 3]])]
        for test in (*tests, RepeatedAnova(table.value.T)):
            laws = mistaken_distributions.laws_taken(test, [n], True)
            lines += [*mistaken_distributions.tails(laws, [x, n, FormulaTerm(r"\alpha", 0.05, 1)])]
            for z in (1.959964, 2.570582, 5.991465):
                lines += mistaken_distributions.limits(laws, [n], 0.05, z, 5e-7)
    assert changed({"lines": [[tex, np.asarray(value, float).tolist(), cost] for tex, value, cost, *_ in lines]}) == []


@pytest.mark.complete
@pytest.mark.parametrize("name", exercise_names())
def test_a_reply_in_text_has_no_command_of_latex(name: str) -> None:
    """Formulas are lines that can be typed: of right answers, of all mistakes, and of all hints up to the last."""
    task = exercise(name)
    for question, right in right_values(task):
        values = [right, *(getattr(task.test_with_mistake(mistake), question.step) for mistake in task.exercise.mistakes_at(question))]
        if np.asarray(right).dtype.kind in "iuf":
            values += [1.2871 * np.asarray(right, float) + 0.0137 + 0.01 * np.arange(np.size(right)).reshape(np.shape(right))] * 5
        for value in values:
            text = repr(task.check(question.key, value))
            assert not re.search(r"[\\$]", text), (question.key, text)


@pytest.mark.parametrize("name", exercise_names())
def test_the_words_of_a_mistake_fit_each_number_that_it_explains(name: str) -> None:
    """A table is no number, a number is returned by no function, and a mistake of two questions names neither value."""
    task = exercise(name)
    for question, right in right_values(task):
        for mistake in task.exercise.mistakes_at(question):
            if mistake.step == question.step or task.exercise.home(mistake) is question:
                said = repr(task.fresh().check(question.key, getattr(task.test_with_mistake(mistake), question.step)))
                assert "Your function" not in said, (question.key, mistake.name)
                assert np.ndim(right) == 0 or "our number is" not in said, (question.key, mistake.name)


def test_a_sum_of_squares_is_not_called_a_mean_square() -> None:
    task = exercise("analysis_of_variance")
    assert "mean square" not in task.check("q17", task.test_of(task.exercise.question("q17")).ss_error).lines[0]


def test_a_short_number_that_has_no_more_digits_leads_on() -> None:
    """0.0005 is sqrt(0.05 / N): nobody can type more digits of it."""
    task = exercise("simulate_a_type_one_error")
    first, second = (task.check("q4", 0.0005) for _ in range(2))
    assert "it is wrong" in first.lines[-1]
    assert first.verdict == second.verdict == "digits"
    assert second.lines[-1].startswith("The question asks for")


def test_another_count_of_this_step_only_is_said_to_be_of_this_step() -> None:
    """With five folds in the whole calculation, the number would be another one."""
    said = exercise("folds_are_not_independent").check("q2", 210).lines[0]
    assert "is 5 instead of 10, in this step only" in said


def test_two_changes_are_told_only_if_each_is_clear_alone() -> None:
    """Two named mistakes, or another quantity in the place of one, give many rounded numbers by chance."""
    for name, key, number in (("five_by_two", "q2", 0.7141), ("corrected_resampled_t", "q9", 0.04167)):
        assert "two changes" not in repr(exercise(name).check(key, number))


@pytest.mark.parametrize("name", exercise_names())
def test_no_example_in_words_holds_a_line_of_code(name: str) -> None:
    """The third hint gives the idea, not the right line."""
    for question in load_exercise_definition(name).questions:
        assert not re.search(r"\w\(\w|\w\.(size|shape|sum|mean)\b", getattr(question, "example", "")), question.key
