"""The layout of the course: three files for each exercise, a mistake in one place, a slip that several tests share written once."""

from __future__ import annotations

import ast
import inspect
import re
from collections import Counter
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import fstats.teaching.course
from fstats.core.step import Step
from fstats.procedures.pairwise.paired_t import PairedT
from fstats.teaching.course import shared
from fstats.teaching.course.catalogue import definition, exercise_names
from fstats.teaching.grading.mistake import Mistake, Slip, defined_in, shared_slip, slip
from fstats.teaching.grading.question import Section

COURSE = Path(fstats.teaching.course.__file__).parent
SEE = Section("01_paired_t", "Step 5. Decide")

each_exercise = pytest.mark.parametrize("name", exercise_names())


def room(name: str, file: str) -> ModuleType:
    """One of the modules of an exercise."""
    return import_module(f"fstats.teaching.course.{name}.{file}".removesuffix("."))


def source(name: str, file: str) -> str:
    """The text of one of the files of an exercise."""
    return (COURSE / name / f"{file}.py").read_text(encoding="utf-8")


# -- where things stand ------------------------------------------------------------------------------------------------------
@each_exercise
def test_each_exercise_has_the_same_three_files(name: str) -> None:
    """What is asked, its steps, what goes wrong; and the exercise is called as its folder."""
    assert {path.name for path in (COURSE / name).iterdir() if path.name != "__pycache__"} == {"__init__.py", "steps.py", "mistakes.py"}
    assert definition(name).name == name


def test_beside_the_exercises_stands_only_what_opens_them_and_what_they_share() -> None:
    """A module that is no exercise is a decision, made here."""
    assert {path.name for path in COURSE.glob("*.py")} == {
        "__init__.py",
        "catalogue.py",
        "shared.py",
        "neighbour.py",
        "neighbours.py",
        "borrowed.py",
        "counted.py",
        "pictures.py",
    }
    assert {path.name for path in COURSE.iterdir() if path.is_dir()} - {"__pycache__"} == set(exercise_names())


@each_exercise
def test_mistakes_stand_in_their_file_and_all_of_them_count(name: str) -> None:
    """None is hidden among the steps or the questions, none is forgotten, none is made but by a slip."""
    assert definition(name).mistakes == defined_in(room(name, "mistakes"))
    for file in ("", "steps"):
        assert not [key for key, value in vars(room(name, file)).items() if isinstance(value, (Mistake, Slip))]
    for mistake in definition(name).mistakes:
        assert mistake.wrong.__module__ in (f"fstats.teaching.course.{name}.mistakes", "fstats.teaching.course.shared"), mistake.name
    assert not [node.name for node in ast.walk(ast.parse(source(name, "mistakes"))) if isinstance(node, ast.ClassDef)]


@each_exercise
def test_what_stands_among_the_steps_is_used_by_them(name: str) -> None:
    """Every name is needed, and a function that only mistakes call stands with them."""
    text, questions, mistakes = (source(name, file) for file in ("steps", "__init__", "mistakes"))

    def is_read(word: str, *texts: str) -> bool:
        return sum(len(re.findall(rf"\b{word}\b", text)) for text in texts) > 1  # once it is defined or imported

    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef):
            assert is_read(node.name, text) or is_read(node.name, questions), node.name
        elif isinstance(node, (ast.ClassDef, ast.Assign)):
            word = node.name if isinstance(node, ast.ClassDef) else ast.unparse(node.targets[0])
            assert is_read(word, text) or is_read(word, questions) or is_read(word, mistakes), word


# -- a wrong step is the right one with another function and formula -----------------------------------------------------------
OPTIONS = ("name", "symbol", "over", "relation", "check", "after", "only", "blank", "sentence", "__doc__")


def lost(mistake: Mistake) -> list[str]:
    """What else is said of the right step and not of the wrong one."""
    wrong, right = (cls.steps[mistake.step] for cls in mistake.wrong.__mro__[:2])
    return [option for option in OPTIONS if getattr(wrong, option) != getattr(right, option)]


@each_exercise
def test_a_wrong_step_loses_no_option_of_the_right_one(name: str) -> None:
    """Symbol, indices, relation, range, place: only function and formula are others."""
    for mistake in definition(name).mistakes:
        right = mistake.wrong.__mro__[1].steps[mistake.step]
        assert (mistake.wrong.steps[mistake.step].fn, mistake.wrong.steps[mistake.step].formula) != (right.fn, right.formula)
        assert lost(mistake) == [], mistake.name


def test_a_lost_option_would_be_seen() -> None:
    """A step written anew, as mistakes were once, loses what it does not repeat."""
    by_hand = type("OneTail", (PairedT,), {"pvalue": Step(lambda test: test.null.at_least(abs(test.statistic)), "p", "P($null)")})
    assert set(lost(Mistake(by_hand, "pvalue", "one tail", SEE, ""))) >= {"over", "sentence"}


def test_a_slip_is_the_right_test_with_one_wrong_step() -> None:
    """The right one stays as it is; what follows from the step follows from the wrong one."""

    @slip(PairedT, "sd", "$mean", "mean for sd", SEE, only=("q3",))
    def mean_for_sd(test: PairedT) -> Any:
        """You took the mean.
        A standard deviation is something else.
        """
        return test.mean

    assert (mean_for_sd.step, mean_for_sd.name, mean_for_sd.see, mean_for_sd.only) == ("sd", "mean for sd", SEE, ("q3",))
    assert mean_for_sd.sentence == "You took the mean. A standard deviation is something else."
    assert mean_for_sd.wrong.__name__ == "MeanForSd"
    wrong, right = mean_for_sd.wrong([3, 5, 7], [1, 1, 1]), PairedT([3, 5, 7], [1, 1, 1])
    assert (wrong.sd, wrong.se, right.sd) == (4, 4 / 3**0.5, 2)


def test_a_shared_slip_may_happen_at_a_step_of_another_name() -> None:
    """The critical value slips like the standard error, say."""
    times_ten = shared_slip("se", "10\\,$n")(lambda test: 10 * test.n)
    for step in ("se", "critical_value"):
        made = times_ten.on(PairedT, "times ten", SEE, "It is ten times too much.", only=("q1",), step=step)
        assert (made.step, made.only) == (step, ("q1",))
        assert getattr(made.wrong([3, 5, 7], [1, 1, 1]), step) == 30


# -- nothing stands twice ------------------------------------------------------------------------------------------------------
def computed(function: Any) -> str:
    """What a function does, without its name and its docstring."""
    node = next(node for node in ast.walk(ast.parse(inspect.getsource(function))) if isinstance(node, ast.FunctionDef))
    return "\n".join(ast.unparse(line) for line in node.body[bool(ast.get_docstring(node)) :])


SHARED = {key: value for key, value in vars(shared).items() if isinstance(value, Slip)}


def test_no_slip_stands_twice() -> None:
    """What several tests have in common is in shared.py, once (another step, taken as it is, says all by its name)."""
    own = {
        mistake.wrong.steps[mistake.step]
        for name in exercise_names()
        for mistake in definition(name).mistakes
        if mistake.wrong.__module__ != shared.__name__
    }
    slips = [(step.formula, computed(step.fn)) for step in own] + [(each.formula, computed(each.function)) for each in SHARED.values()]
    assert len(slips) > 300
    assert [found for found, times in Counter(slips).items() if times > 1 and not re.fullmatch(r"\$\w+", str(found[0]))] == []


@pytest.mark.parametrize("name", SHARED)
def test_a_shared_slip_is_shared(name: str) -> None:
    """By two mistakes at least; otherwise it belongs to its exercise."""
    functions = [mistake.wrong.steps[mistake.step].fn for each in exercise_names() for mistake in definition(each).mistakes]
    assert functions.count(SHARED[name].function) >= 2
