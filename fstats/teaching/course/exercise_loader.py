"""Load an exercise from the files of its folder.

The files are `questions.toml`, `choices.toml`, `mistakes.toml`, `steps.toml` with statistical tests, and Python modules. A formula in
words has a function in `steps.py` or `mistakes.py`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec
from pkgutil import resolve_name
from types import new_class
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.procedure import Procedure
from ...core.step import Step, input_field
from ...core.validation import check as checks
from ...core.value_types import Interval
from ...procedures.formula import evaluate_formula
from ..grading.exercise import Exercise
from ..grading.mistakes.mistake import Mistake
from ..grading.question import Asked, Choice, Function, Option, Question, Section

if TYPE_CHECKING:
    from ...plot.drawing.picture import Picture


def load_exercise(
    package: str,
    draw: Callable[[np.random.Generator], Mapping[str, Any]],
    picture: Callable[[Any], Picture] | None = None,
    **functions: Mapping[str, Any],
) -> Exercise:
    """Build the exercise of a package, with the package's name.

    The file questions.toml has the other parameters of :class:`Exercise`. A question that is only a key is read from choices.toml.

    Parameters
    ----------
    package : str
        The name of the package.
    draw, picture : callable
        The parameters of :class:`Exercise`.
    **functions : mapping
        For each key of a question with functions among its parameters, these parameters.
    """
    about = {name: _in_one_line(part) for name, part in _read(package, "questions").items()}
    sections, mistakes = read_sections(package), load_mistakes(package)
    listed = about["questions"]
    choices = load_choices(package) if any(isinstance(entry, str) for entry in listed) else {}

    def build(entry: Mapping[str, Any]) -> Asked:
        parts = {name: _in_one_line(part) for name, part in entry.items()} | {**functions.get(entry["key"], {})}
        parts |= {"see": sections[entry["see"]], "of": find_test(package, entry["of"]) if "of" in entry else None}
        return Function(**parts) if "takes" in parts else Question(**parts)

    questions = tuple(choices[entry] if isinstance(entry, str) else build(entry) for entry in listed)
    about |= {"test": find_test(package, about["test"]), "questions": questions, "mistakes": mistakes}
    del about["sections"]
    return Exercise(package.rpartition(".")[2], draw=draw, picture=picture, **about)


def load_choices(package: str) -> dict[str, Choice]:
    """Load the multiple-choice questions of the file choices.toml in the package of an exercise, by their keys.

    The names of sections are found in the file questions.toml; the first option of a question is the right one.
    """
    sections = read_sections(package)

    def build(key: str, see: str, text: str, option: Iterable[Mapping[str, str]], points: float = 1) -> Choice:
        options = (Option(**{part: _in_one_line(words) for part, words in entry.items()}) for entry in option)
        return Choice(key, _in_one_line(text), tuple(options), sections[see], points)

    return {choice["key"]: build(**choice) for choice in _read(package, "choices")["choice"]}


def load_mistakes(package: str) -> tuple[Mistake, ...]:
    """Load the mistakes from the file mistakes.toml in the package of an exercise, in the order of the file."""
    return build_mistakes(package, _read(package, "mistakes"))


def build_mistakes(package: str, listed: Mapping[str, Any]) -> tuple[Mistake, ...]:
    """Build the mistakes of an exercise from the contents of a file mistakes.toml.

    The names of sections are found in the file questions.toml, the names of tests in the file steps.toml, in the package's module
    ``steps`` or in ``fstats``.
    If the formula of a mistake is in words, the mistake names the function of the package's module ``mistakes`` that computes the value.
    """
    sections = read_sections(package)

    def build(test: str, see: str, words: str, function: str = "", only: Iterable[str] = (), **texts: Any) -> Mistake:
        texts["function"] = getattr(import_module(f"{package}.mistakes"), function) if function else None
        return Mistake.of(find_test(package, test), see=sections[see], sentence=_in_one_line(words), only=tuple(only), **texts)

    mistakes = []
    for entry in listed["mistake"]:
        try:
            mistakes.append(build(**entry))
        except Exception as error:
            error.add_note(f"in the mistake {entry.get('name')!r} of {package}, whose sections are {', '.join(sections)}")
            raise
    return tuple(mistakes)


def _read(package: str, name: str) -> dict[str, Any]:
    return tomllib.loads(files(package).joinpath(f"{name}.toml").read_text(encoding="utf-8"))


def read_sections(package: str) -> dict[str, Section]:
    """Return the sections of notebooks to which an exercise refers, by the names in its files."""
    return {name: Section(**place) for name, place in _read(package, "questions")["sections"].items()}


# -- statistical tests -----------------------------------------------------------------------------------------------------------
def find_test(package: str, name: str) -> Any:
    """Find a test of an exercise: in the file steps.toml of its package, in the module ``steps`` of the package, or in ``fstats``."""
    tests = read_tests(package)
    if name in tests:
        return tests[name]
    own_module = import_module(f"{package}.steps") if find_spec(f"{package}.steps") else None
    return getattr(own_module, name, None) or resolve_name(f"{package.partition('.')[0]}.{name}")


@cache
def read_tests(package: str) -> Mapping[str, type[Procedure]]:
    """Build the tests of the file steps.toml in the package of an exercise; empty if there is no such file.

    Each test becomes an attribute of the package, by which it can be pickled.
    """
    path = files(package).joinpath("steps.toml")
    listed = tomllib.loads(path.read_text(encoding="utf-8"))["test"] if path.is_file() else []
    tests: dict[str, type[Procedure]] = {}
    for entry in listed:
        name = entry["name"]
        tests[name] = _build_test(package, tests, **entry)
        setattr(import_module(package), name, tests[name])
    return tests


def _build_test(
    package: str,
    earlier: Mapping[str, type[Procedure]],
    name: str,
    base: str,
    sentence: str,
    input: Iterable[Mapping[str, Any]] = (),
    step: Iterable[Mapping[str, Any]] = (),
    **attributes: Any,
) -> type[Procedure]:
    """Build a test from its entry: the base class, the inputs, and the steps in the order in which they are explained."""

    def find_class(name: str) -> Any:
        return earlier.get(name) or resolve_name(f"{package.partition('.')[0]}.{name}")

    if "tails" in attributes:
        attributes["tails"] = find_class(attributes["tails"]).tails
    inputs = {entry["name"]: _build_input(**entry) for entry in input}
    members = (
        {"__doc__": _in_one_line(sentence), "__module__": package, "__annotations__": dict.fromkeys(inputs, "Any")} | attributes | inputs
    )
    for entry in step:
        if "of" in entry:
            members |= {known: getattr(find_class(entry["of"]), known) for known in entry["names"]}
        else:
            members[entry["name"]] = _build_step(package, **entry)
    return new_class(name, (find_class(base),), exec_body=lambda namespace: namespace.update(members))


def _build_input(name: str, sentence: str, check: str | list[Any] = "", **about: Any) -> Any:
    """Build an input; `name` is not used, because the class that contains the input sets its name."""
    del name
    return input_field(sentence=_in_one_line(sentence), check=_find_check(check), **about)


def _build_step(
    package: str, name: str, symbol: str, sentence: str, formula: str = "", check: str | list[Any] = "", function: str = "", **options: Any
) -> Step[Any]:
    """Build a step that evaluates its formula, or calls a function of the module ``steps`` if the formula is in words."""

    def evaluate(test: Any) -> Any:
        over = type(test).over(name)
        value = evaluate_formula(test, formula, over)
        if over == "e":  # the index "e" denotes the two ends of an interval
            return Interval(*value)
        return np.float64(value) if isinstance(value, float) else value

    compute = getattr(import_module(f"{package}.steps"), function) if function else evaluate
    return Step(compute, symbol, formula, sentence=_in_one_line(sentence), check=_find_check(check), **options)


def _find_check(entry: str | list[Any]) -> Any:
    """Return a check by its name; the entry ``["count", 4]`` gives ``check.count(4)``."""
    if isinstance(entry, list):
        return getattr(checks, entry[0])(*entry[1:])
    return getattr(checks, entry) if entry else None


def _in_one_line(part: Any) -> Any:
    """Join the lines of a text, or convert a list to a tuple."""
    return " ".join(part.split()) if isinstance(part, str) else tuple(part) if isinstance(part, list) else part
