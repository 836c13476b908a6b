"""The layout of the course: the same files for each exercise, a mistake in one place, no function of a slip written twice."""

import ast
import inspect
import pickle
import re
import tomllib
from collections import Counter
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import fstats.teaching.course
from fstats.core.step import Step
from fstats.procedures import formula
from fstats.procedures.pairwise.paired_t import PairedT
from fstats.teaching.course.catalogue import exercise_names, load_exercise_definition
from fstats.teaching.course.exercise_loader import read_tests
from fstats.teaching.grading.mistakes.mistake import Mistake
from fstats.teaching.grading.question import Choice, Section

COURSE = Path(fstats.teaching.course.__file__).parent
SEE = Section("01_paired_t", "Step 5. Decide")
each_exercise = pytest.mark.parametrize("name", exercise_names())


def room(name: str, file: str) -> ModuleType:
    return import_module(f"fstats.teaching.course.{name}.{file}".removesuffix("."))


def source(name: str, file: str) -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in [COURSE / name / f"{file}.py"] if path.exists())


# -- where things stand ------------------------------------------------------------------------------------------------------
@pytest.mark.every_case
@each_exercise
def test_each_exercise_has_the_same_files(name: str) -> None:
    """What is asked, what goes wrong, and perhaps steps of its own; and the exercise is called as its folder."""
    found = {path.name for path in (COURSE / name).iterdir() if path.name != "__pycache__"}
    needed = {"__init__.py", "questions.toml", "mistakes.toml"}
    assert needed <= found <= {*needed, "steps.toml", "steps.py", "mistakes.py", "choices.toml"}
    assert load_exercise_definition(name).name == name


def test_beside_the_exercises_stands_only_what_opens_them_and_what_they_share() -> None:
    expected = {"__init__", "catalogue", "individual_data", "exercise_loader", "common_mistakes", "exercise_pictures"}
    assert {path.stem for path in COURSE.glob("*.py")} == expected
    assert {path.name for path in COURSE.iterdir() if path.is_dir()} - {"__pycache__"} == set(exercise_names())


@each_exercise
def test_mistakes_and_choices_stand_in_their_files_and_all_of_them_count(name: str) -> None:
    # None is hidden among the steps or the questions, none is forgotten; a function is there for one whose formula is
    # words, and for no other.
    listed = tomllib.loads((COURSE / name / "mistakes.toml").read_text(encoding="utf-8"))["mistake"]
    assert [mistake.name for mistake in load_exercise_definition(name).mistakes] == [one["name"] for one in listed]
    assert not [
        key for file in ("steps", "") if source(name, file) for key, value in vars(room(name, file)).items() if isinstance(value, Mistake)
    ]
    defined = ast.parse(source(name, "mistakes")).body
    assert not [node for node in defined if isinstance(node, ast.ClassDef)]
    helpers = Counter(re.findall(r"\b\w+(?=\()", source(name, "mistakes")))
    functions = {node.name for node in defined if isinstance(node, ast.FunctionDef)}
    assert {one["function"] for one in listed if "function" in one} == {each for each in functions if helpers[each] == 1}
    # In the order in which they are asked, and none among the questions themselves.
    path = COURSE / name / "choices.toml"
    listed = tomllib.loads(path.read_text(encoding="utf-8"))["choice"] if path.exists() else []
    expected = [one["key"] for one in listed]
    assert [question.key for question in load_exercise_definition(name).questions if isinstance(question, Choice)] == expected


@each_exercise
def test_what_stands_among_the_steps_is_used_by_them(name: str) -> None:
    text, questions, mistakes = (source(name, file) for file in ("steps", "__init__", "mistakes"))
    written = "".join(path.read_text(encoding="utf-8") for path in (COURSE / name).glob("*.toml"))

    def is_read(word: str, *texts: str) -> bool:
        return sum(len(re.findall(rf"\b{word}\b", text)) for text in texts) > 1  # once it is defined or imported

    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef):
            assert is_read(node.name, text) or is_read(node.name, questions) or f'function = "{node.name}"' in written, node.name
        elif isinstance(node, (ast.ClassDef, ast.Assign)):
            word = node.name if isinstance(node, ast.ClassDef) else ast.unparse(node.targets[0])
            assert is_read(word, text) or is_read(word, questions) or is_read(word, mistakes) or re.search(rf'"{word}"', written), word


@each_exercise
def test_tests_of_an_exercise_can_be_pickled(name: str) -> None:
    load_exercise_definition(name)
    for test in read_tests(f"fstats.teaching.course.{name}").values():
        assert pickle.loads(pickle.dumps(test)) is test


@each_exercise
def test_every_section_of_an_exercise_is_named(name: str) -> None:
    texts = [path.read_text(encoding="utf-8") for path in (COURSE / name).glob("*.toml")]
    named = {found for text in texts for found in re.findall(r'\bsee = "(\w+)"', text)}
    assert named == set(tomllib.loads((COURSE / name / "questions.toml").read_text(encoding="utf-8"))["sections"])


# -- a wrong step is the right one with another function and formula -----------------------------------------------------------
OPTIONS = ("name", "symbol", "over", "relation", "check", "after", "only", "blank", "sentence", "__doc__")


def lost(mistake: Mistake) -> list[str]:
    """What else is said of the right step and not of the wrong one."""
    wrong, right = (cls.steps[mistake.step] for cls in mistake.wrong.__mro__[:2])
    return [option for option in OPTIONS if getattr(wrong, option) != getattr(right, option)]


@pytest.mark.every_case
@each_exercise
def test_a_wrong_step_loses_no_option_of_the_right_one(name: str) -> None:
    """Symbol, indices, relation, range, place: only function and formula are others."""
    for mistake in load_exercise_definition(name).mistakes:
        right = mistake.wrong.__mro__[1].steps[mistake.step]
        assert (mistake.wrong.steps[mistake.step].fn, mistake.wrong.steps[mistake.step].formula) != (right.fn, right.formula)
        assert lost(mistake) == [], mistake.name


def test_slips_are_the_right_test_with_one_wrong_step() -> None:
    # A step written anew, as mistakes were once, loses what it does not repeat.
    by_hand = type("OneTail", (PairedT,), {"pvalue": Step(lambda test: test.null.at_least(abs(test.statistic)), "p", "P($null)")})
    assert set(lost(Mistake(by_hand, "pvalue", "one tail", SEE, ""))) >= {"over", "sentence"}
    # The right one stays as it is; what follows from the step follows from the wrong one.
    mean_for_sd = Mistake.of(PairedT, "sd", "$mean", "mean for sd", SEE, "You took the mean.", only=("q3",))
    assert (mean_for_sd.step, mean_for_sd.name, mean_for_sd.see, mean_for_sd.only) == ("sd", "mean for sd", SEE, ("q3",))
    assert (mean_for_sd.sentence, mean_for_sd.wrong.__name__) == ("You took the mean.", "MeanForSd")
    wrong, right = mean_for_sd.wrong([3, 5, 7], [1, 1, 1]), PairedT([3, 5, 7], [1, 1, 1])
    assert (wrong.sd, wrong.se, right.sd) == (4, 4 / 3**0.5, 2)
    made = Mistake.of(PairedT, "se", r"\text{ten for each of } $d", "tens", SEE, "Too much.", function=lambda test: 10 * test.n)
    assert made.wrong([3, 5, 7], [1, 1, 1]).se == 30
    with pytest.raises(formula.VerbalFormulaError):
        _ = Mistake.of(PairedT, "se", r"\text{ten for each of } $d", "tens", SEE, "Too much.").wrong([3, 5, 7], [1, 1, 1]).se


# -- nothing stands twice ------------------------------------------------------------------------------------------------------
def done_by(function: Any) -> str:
    """What a function does, without its name and its docstring."""
    node = next(node for node in ast.walk(ast.parse(inspect.getsource(function))) if isinstance(node, ast.FunctionDef))
    return "\n".join(ast.unparse(line) for line in node.body[bool(ast.get_docstring(node)) :])


def test_no_function_of_a_slip_stands_twice() -> None:
    """What follows from its formula needs none; what several tests have in common stands once."""
    steps = {mistake.wrong.steps[mistake.step] for name in exercise_names() for mistake in load_exercise_definition(name).mistakes}
    own = [step for step in steps if step.fn.__module__ != formula.__name__]
    assert len(steps) > 300 > 100 > len(own) > 20
    assert [found for found, times in Counter((step.formula, done_by(step.fn)) for step in own).items() if times > 1] == []
