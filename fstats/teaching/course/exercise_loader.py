"""Load an exercise from its package: its Python definition, choices.toml and mistakes.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from importlib.resources import files
from typing import Any

import numpy as np

from ...core.procedure import Procedure
from ..grading.exercise import Exercise
from ..grading.mistakes.mistake import Mistake, load_mistakes
from ..grading.question import Asked, Choice, Option


def load_exercise(
    package: str,
    *,
    test: type[Procedure],
    given: Mapping[str, Any],
    draw: Callable[[np.random.Generator], Mapping[str, Any]],
    questions: Iterable[Asked | str],
    mistakes: tuple[Mistake, ...] = (),
    **more: Any,
) -> Exercise:
    """Build the exercise of a package, with the package's name.

    A question given as a key is read from choices.toml, and mistakes are read from mistakes.toml. All other arguments are
    the parameters of :class:`Exercise`.
    """
    listed = list(questions)
    choices = load_choices(package) if any(isinstance(question, str) for question in listed) else {}
    resolved = tuple(choices[question] if isinstance(question, str) else question for question in listed)
    return Exercise(package.rpartition(".")[2], test, given, draw, resolved, mistakes or load_mistakes(package), **more)


def load_choices(package: str) -> dict[str, Choice]:
    """Load the multiple-choice questions of the file choices.toml in the package of an exercise, by their keys.

    The names of sections are found in the package's module ``steps``; the first option of a question is the right one.
    """
    steps = import_module(f"{package}.steps")

    def build(key: str, see: str, text: str, option: Iterable[Mapping[str, str]], points: float = 1) -> Choice:
        options = (Option(**{part: _in_one_line(words) for part, words in entry.items()}) for entry in option)
        return Choice(key, _in_one_line(text), tuple(options), getattr(steps, see), points)

    choices = tomllib.loads(files(package).joinpath("choices.toml").read_text(encoding="utf-8"))["choice"]
    return {choice["key"]: build(**choice) for choice in choices}


def _in_one_line(words: str) -> str:
    return " ".join(words.split())
