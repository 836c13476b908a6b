"""The call in a hint, written from the tree of a formula, computes what the step computes; no spelling of the formula loses it."""

import re
import warnings
from copy import copy
from typing import Any

import numpy as np
import pytest
from cases import each_alternative_when_asked, make
from scipy import stats
from test_every_formula import WITH_ZEROS
from test_exercises import each_exercise

from fstats import Friedman, PairedT, SignedRank
from fstats.core.value_types import Interval
from fstats.teaching.course.catalogue import exercise_names, load_exercise_definition
from fstats.teaching.grading.exercise import is_verdict, start_test
from fstats.teaching.grading.hints import numpy_expression, python_call
from fstats.teaching.grading.hints.python_call import call, call_for
from fstats.teaching.grading.question import Question

SCORES = [[86, 92, 89, 91], [69, 70, 65, 68], [87, 68, 85, 89], [77, 81, 74, 81], [73, 80, 75, 77], [87, 92, 82, 88]]
# formulas in words, distributions that SciPy lacks, whole numbers to add, more numbers than one writes, a sum for each cluster
WITHOUT = {
    "analysis_of_variance": ["q8"],
    "contingency_from_predictions": ["q1", "q2", "q5"],
    "corrected_resampled_t": ["q5"],
    "critical_value_table": ["q2", "q4", "q5", "q8", "q12"],
    "hack_a_verdict": ["q5", "q6", "q10", "q12", "q15", "q16", "q17"],
    "holms_ladder": ["q5", "q7"],
    "language_models": ["q3"],
    "one_or_two_sided": ["q11"],
    "paired_t_by_hand": ["q6"],
    "wilcoxon_by_hand": ["q7", "q9", "q12"],
    "write_your_own_test": ["q7"],
}


def differs(said: str, value: Any) -> str:
    """What numpy and SciPy say to a call, if that is not the value."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found = np.asarray(eval(said, {"np": np, "stats": stats}), float)
    except (ZeroDivisionError, RuntimeWarning):  # where a step has an answer for 0/0
        return ""
    value = np.stack(np.broadcast_arrays(*value)) if isinstance(value, Interval) else np.asarray(value, float)
    same = found.ndim in (0, value.ndim) and np.allclose(found, value, 1e-9, 1e-9, equal_nan=True)
    return "" if same else f"{said} is {found}, not {value}"


@each_alternative_when_asked
@pytest.mark.parametrize("repetition", [0, pytest.param(5, marks=pytest.mark.slow)])
def test_the_call_of_a_step_computes_it(name: str, alternative: str, repetition: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of every step of every procedure that has one; with what it is made of as numbers, and written out."""
    monkeypatch.setattr(numpy_expression, "DIGITS", 17)
    test = make(name, alternative).at(repetition)
    for step in test.steps.values():
        if (step.only and getattr(test, step.by) != step.only) or step.template(test) == WITH_ZEROS:
            continue
        for known in ((), test.inputs):
            said = call(test, step, known)
            wrong = differs(said, getattr(test, step.name)) if said else ""
            assert not wrong, f"{step.name}: {wrong}"


@pytest.mark.complete
@each_exercise
def test_no_spelling_of_a_formula_loses_its_call(name: str) -> None:
    """Spaces, sizes of brackets, signs of multiplication, one word or one in braces: the same call for each question of each exercise."""
    about = load_exercise_definition(name)
    for question in (q for q in about.questions if isinstance(q, Question)):
        test, step = start_test(about.tested(question), about.given), about.asked(question)
        formula, said = step.template(test), call(test, step, about.given)
        spelled = {
            formula.replace(r"\,", " "),
            formula.replace(r"\left", "").replace(r"\right", ""),
            re.sub(r"(?<=\w) (?=\$)", r"\\, ", formula),
            re.sub(r"(?<![\\{])([()+]|\\frac|\\sum)", r" \1", formula),
            re.sub(r"\\frac\{(\w)\}", r"\\frac \1", formula),
            re.sub(r"\^(\w)", r"^{\1}", formula),
            re.sub(r"\$(\w+)", r"${\1}", formula),
        } - {formula}
        for other in spelled:
            respelled = copy(step)
            respelled.formula = other
            assert call(test, respelled, about.given) == said, (question.key, other)


def test_no_question_and_no_step_loses_its_call() -> None:
    without: dict[str, list[str]] = {}
    for name in exercise_names():
        about = load_exercise_definition(name)
        for question in (q for q in about.questions if isinstance(q, Question)):
            test, step = start_test(about.tested(question), about.given), about.asked(question)
            if not call_for(about, question, test) and not is_verdict(getattr(test, step.name)):
                without.setdefault(name, []).append(question.key)
    assert without == WITHOUT
    asked = {
        (about.tested(q).__name__, q.step)
        for about in map(load_exercise_definition, exercise_names())
        for q in about.questions
        if isinstance(q, Question)
    }
    assert set(python_call.BY_HAND) <= asked


PAIRED, SIGNED = PairedT([85, 70, 79], [87, 68, 85]), SignedRank([3, 1, 4, 2], [1, 1, 5, 5])
CALLS = [
    (PAIRED, "d", "np.array([85, 70, 79]) - np.array([87, 68, 85])"),
    (PAIRED, "mean", "np.mean([-2, 2, -6])"),
    (PAIRED, "sd", "np.std([-2, 2, -6], ddof=1)"),
    (PAIRED, "se", "4 / np.sqrt(3)"),
    (PAIRED, "pvalue", "2 * stats.t.sf(abs(-0.866025), 2)"),
    (PAIRED, "critical_value", "stats.t.isf(0.05 / 2, 2)"),
    (Friedman(SCORES), "mean_ranks", "1 / 6 * np.array([18, 9.5, 21, 11.5])"),
    (SIGNED, "ranks", "(stats.rankdata(abs(np.array([2, 0, -1, -3]))) - np.sum(abs(np.array([2, 0, -1, -3])) == 0)).clip(0)"),
    (SIGNED, "w_plus", "np.sum(np.array([2, 0, 1, 3])[np.array([2, 0, -1, -3]) > 0])"),
]


@pytest.mark.every_case
@pytest.mark.parametrize(("test", "step", "said"), CALLS)
def test_a_call_reads_as_one_types_it(test: Any, step: str, said: str) -> None:
    """Means and spreads by name, laws by that of SciPy, arrays only where they are needed."""
    assert call(test, test.steps[step]) == said


def test_what_nobody_has_is_written_out() -> None:
    """The mean ranks by the ranks, where the sums of the ranks were not asked for."""
    test = Friedman(SCORES)
    said = call(test, test.steps["mean_ranks"], {"ranks"})
    assert said.startswith("np.mean([[")
    assert said.endswith("]], axis=0)")
