"""Load an exercise from its folder: questions.toml, choices.toml, mistakes.toml and its Python code."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np

from ..grading.exercise import Exercise
from ..grading.mistakes.mistake import Mistake
from ..grading.question import Asked, Choice, Function, Option, Question, Section
from .exercise_tests import find_test

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

    return tuple(build(**mistake) for mistake in listed["mistake"])


def _read(package: str, name: str) -> dict[str, Any]:
    return tomllib.loads(files(package).joinpath(f"{name}.toml").read_text(encoding="utf-8"))


def read_sections(package: str) -> dict[str, Section]:
    """Return the sections of notebooks to which an exercise refers, by the names in its files."""
    return {name: Section(**place) for name, place in _read(package, "questions")["sections"].items()}


def _in_one_line(part: Any) -> Any:
    """Join the lines of a text, or convert a list to a tuple."""
    return " ".join(part.split()) if isinstance(part, str) else tuple(part) if isinstance(part, list) else part
