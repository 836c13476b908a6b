"""The formula that is displayed computes the number beside it: every step, every named mistake and every neighbour.

Each template is read by `fstats.procedures.formula`, and its value follows from the values of its slots.  What stays words is listed below
with its reason; a formula that is neither read nor listed fails.
"""

import re
import sys
import tomllib
from collections.abc import Callable, Iterator
from copy import copy
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

import numpy as np
import pytest
from cases import CASES, each_procedure, make
from shortcuts import assert_raises
from test_exercises import SECRET, each_exercise

from fstats import BlockedFiveByTwoMcNemar, Nemenyi, individual, procedures
from fstats.core.procedure import Procedure
from fstats.procedures.formula import VerbalFormulaError, formula_to_python, step_expression
from fstats.procedures.formula.latex_tokenizer import tokens
from fstats.procedures.multiple.independent_groups import IndependentGroups
from fstats.procedures.resampling.block_regularized.fold_contingency_tables import TablesOfFolds
from fstats.teaching.course.catalogue import exercise_names, load_exercise_definition
from fstats.teaching.grading.exercise import start_test
from fstats.testing.procedure_checks import formula_value, is_formula_value


def without_layout(formula: str) -> str:
    """A formula without its spaces and the sizes of its brackets, which do not change what it computes."""
    return " ".join(tokens(formula))


WITH_ZEROS = r"\mathrm{rank}\,|$d| \text{ with zeros}"  # they are ranked, and by Pratt's treatment shown without their rank
KNOWN = tomllib.loads(Path(__file__).with_name("words_of_formulas.toml").read_text(encoding="utf-8"))
WORDS = {entry["reason"]: entry["formulas"] for entry in KNOWN["words"]}
UNDEFINED = {without_layout(formula): reason for formula, reason in KNOWN["undefined"].items()}
LISTED = {without_layout(formula) for formulas in WORDS.values() for formula in formulas}


def disagreement(test: Any, step: Any) -> str:
    """What the formula of a step says and what the step is, if that is not the same."""
    formula, found = step.template(test), getattr(test, step.name)
    if not formula or without_layout(formula) in LISTED:
        return ""
    try:
        said = formula_value(test, step.name, formula)
    except VerbalFormulaError as error:
        return (
            f"{type(test).__name__}.{step.name}: the formula {formula} cannot be computed ({error}): write it "
            "as in fstats.procedures.formula, or, if it must be in words, list it with its reason in WORDS of "
            "tests/teaching/words_of_formulas.toml"
        )
    if formula == WITH_ZEROS:
        said = np.where(np.equal(found, 0), 0, said)
    if is_formula_value(said, found):
        return ""
    return (
        f"{type(test).__name__}.{step.name} is {found}, but its formula {formula} is {said}: one of them is wrong; if the formula has no "
        "number where nothing differs (0/0), list it with its reason in UNDEFINED of tests/teaching/words_of_formulas.toml"
    )


# -- steps ---------------------------------------------------------------------------------------------------------------------
@pytest.mark.every_case
@each_procedure
@pytest.mark.parametrize("repetition", [pytest.param(0, marks=pytest.mark.complete), pytest.param(3, marks=pytest.mark.complete), 5])
def test_the_formula_of_a_step_computes_it(name: str, alternative: str, repetition: int) -> None:
    """In the third repetition nothing differs, which the formulas listed as undefined have no number for."""
    test = make(name, alternative).at(repetition)
    for step in test.steps.values():
        if (not step.only or getattr(test, step.by) == step.only) and not (
            repetition == 3 and without_layout(step.template(test)) in UNDEFINED
        ):
            assert not disagreement(test, step), disagreement(test, step)


PARTS = {  # procedures that others show as a part of theirs
    "IndependentGroups": IndependentGroups.from_lists([[1.0, 3.0], [2.0, 3.0, 7.0], [4.0, 4.5, 4.0, 9.0]]),
    "EffectivePosteriors": BlockedFiveByTwoMcNemar([[[[5, 2], [8, 35]], [[6, 1], [9, 34]]]] * 5, lam=0.5).posteriors,
    "TablesOfFolds": TablesOfFolds([[[[5, 2], [8, 35]], [[6, 1], [9, 34]]]] * 5),
}


@pytest.mark.parametrize("part", PARTS.values(), ids=PARTS)
def test_the_formula_of_a_part_computes_it(part: Any) -> None:
    assert not [said for step in part.steps.values() if (said := disagreement(part, step))]


def test_no_procedure_stands_outside() -> None:
    """Each class that is shown is in the list of tests, above one that is, or a part."""
    for module in walk_packages(procedures.__path__, f"{procedures.__name__}."):
        import_module(module.name)
    listed, classes = [cls for cls, *_ in CASES.values()], [Procedure]
    for cls in classes:
        classes += cls.__subclasses__()
    places = ((cls, sys.modules.get(cls.__module__)) for cls in classes if cls.__module__.startswith(procedures.__name__))
    ours = {cls for cls, place in places if getattr(place, cls.__name__, None) is cls}  # a mistake is made of one, and has no place there
    outside = {cls.__name__ for cls in ours if not any(issubclass(one, cls) for one in listed)}
    new, gone = outside - {*PARTS}, {*PARTS} - outside
    assert not new, f"{new} need a line in CASES of tests/cases.py, or an example in PARTS if they are only a part of another test"
    assert not gone, f"{gone} in PARTS are in CASES now, or are no longer there: remove them from PARTS"


# -- mistakes ------------------------------------------------------------------------------------------------------------------
@each_exercise
@pytest.mark.parametrize("student", ["", "student 1"])
def test_the_formula_of_a_mistake_computes_it(name: str, student: str) -> None:
    """Named mistakes and near neighbours, on the data of the course and on those of a student."""
    about = load_exercise_definition(name)
    data = individual(student, name, SECRET)._data if student else about.given
    for mistake in (*about.mistakes, *about.neighbours):
        said = disagreement(start_test(mistake.wrong, data), mistake.wrong.steps[mistake.step])
        assert not said, f"{mistake.name}: {said}"


# -- what is read, and what is not ---------------------------------------------------------------------------------------------
def displayed() -> Iterator[tuple[type, Any, str]]:
    """Every formula of every step, mistake and neighbour, with the class that displays it."""
    steps = [(cls, step) for cls, *_ in CASES.values() for step in cls.steps.values()]
    for name in exercise_names():
        about = load_exercise_definition(name)
        steps += [(one.wrong, one.wrong.steps[one.step]) for one in (*about.mistakes, *about.neighbours)]
    for cls, step in steps:
        for formula in [step.formula] if isinstance(step.formula, str) else step.formula.values():
            yield cls, step, formula


def test_most_formulas_are_read_and_others_are_words() -> None:
    shown = {without_layout(formula) for *_, formula in displayed()}
    assert shown >= LISTED | UNDEFINED.keys()
    assert not LISTED & UNDEFINED.keys()
    assert all(len(reason) > 20 for reason in (*WORDS, *UNDEFINED.values()))
    assert_raises(lambda: step_expression(Nemenyi, r"\text{all pairs of } $labels", "h"), "all pairs of", VerbalFormulaError)
    # At least 370 different ones of steps, and those of 800 of 850 mistakes and neighbours.
    steps = {without_layout(formula) for cls, step, formula in displayed() if "teaching" not in cls.__module__}
    wrong = [
        m.wrong.steps[m.step]
        for name in exercise_names()
        for m in (*load_exercise_definition(name).mistakes, *load_exercise_definition(name).neighbours)
    ]
    assert len(steps - LISTED - {""}) >= 370
    assert sum(without_layout(step.formula) not in LISTED for step in wrong) >= 800 * len(wrong) / 850


# -- six that were once broken without any test that said so ----------------------------------------------------------------
BROKEN = [
    ("Friedman", "statistic", "12", "6"),
    ("BlockedFiveByTwoMcNemar, other correlations", "t", "$rho1 + 8\\,$rho2", "$rho2 + 8\\,$rho1"),
    ("Finner", "sorted_adjusted", "$m / r", "r / $m"),
    ("Quade", "statistic", "($n - 1)", "2\\,($n - 1)"),
    ("SignedRank drop exact", "null", "\\,$ranks", "\\,2\\,$ranks"),
    ("PairedT", "statistic", "\\frac{$mean}{$se}", "\\frac{$se}{$mean}"),
]


@pytest.mark.parametrize(("name", "step", "right", "wrong"), BROKEN, ids=[name for name, *_ in BROKEN])
def test_a_broken_formula_is_named(name: str, step: str, right: str, wrong: str) -> None:
    """Its slots are the same as before, so that only its value can tell; the message holds the formula and both numbers."""
    test = make(name, "two-sided").at(0)
    broken = copy(test.steps[step])
    formula = broken.template(test)
    assert right in formula
    broken.formula = formula.replace(right, wrong)
    said = disagreement(test, broken)
    assert broken.formula in said
    assert str(getattr(test, step)) in said


# -- what the reader makes of them -------------------------------------------------------------------------------------------------
def read(cls: Any, formula: str, target: str) -> str:
    """The expression that computes a formula, or what keeps it from being read."""
    try:
        return step_expression(cls, formula, target)
    except VerbalFormulaError as error:
        return f"in words: {error}"


def test_a_formula_is_the_same_with_other_spaces() -> None:
    """A space that lets a line end, or a blank in the place of a narrow space, changes neither its reading nor its place in a list."""
    for *_, formula in displayed():
        spaced = re.sub(r"(?<!\d)\\[ ,;]|\\quad", " ", formula)
        assert without_layout(spaced) == without_layout(formula) == without_layout(rf"\ {spaced} \ ")


def test_formulas_are_read_as_they_were(changed: Callable[..., list[str]]) -> None:
    """Every formula that is displayed, by the module that displays it: its expression, or why it stays words."""
    every: dict[str, list[str]] = {}
    for cls, step, formula in displayed():
        every.setdefault(cls.__module__.removeprefix("fstats."), []).append(read(cls, formula, cls.over(step.name)))
    assert changed(every) == []


def test_what_no_procedure_displays_yet() -> None:
    """So much and what falls to one side is a law; a spread of three columns is none."""
    over = tuple((name, "i" * (name != "n")) for name in "abcn")
    assert formula_to_python(r"P(2 + \sum_i \epsilon_i $a \leq $n)", over, "") == "probability(random_signs(t.a, 2), '<=', t.n)"
    assert_raises(lambda: formula_to_python("s + $a", over[:3], ""), r"^the symbol s of the formula is not defined", VerbalFormulaError)
