"""What an exercise is: what its package says in Python, with the questions and the mistakes that stand in its files."""

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
    """The exercise of a package, which bears its name: a question that is only a key stands in choices.toml, mistakes in mistakes.toml.

    All else is as of :class:`Exercise`.
    """
    asked = list(questions)
    choices = load_choices(package) if any(isinstance(one, str) for one in asked) else {}
    every = tuple(choices[one] if isinstance(one, str) else one for one in asked)
    return Exercise(package.rpartition(".")[2], test, given, draw, every, mistakes or load_mistakes(package), **more)


def load_choices(package: str) -> dict[str, Choice]:
    """The questions in words of the file choices.toml in the package of an exercise, with answers to choose from, by their keys.

    Sections are called as in its module ``steps``; the first option is the right one.
    """
    steps = import_module(f"{package}.steps")

    def made(key: str, see: str, text: str, option: Iterable[Mapping[str, str]], points: float = 1) -> Choice:
        options = (Option(**{part: _in_one_line(words) for part, words in one.items()}) for one in option)
        return Choice(key, _in_one_line(text), tuple(options), getattr(steps, see), points)

    listed = tomllib.loads(files(package).joinpath("choices.toml").read_text(encoding="utf-8"))["choice"]
    return {one["key"]: made(**one) for one in listed}


def _in_one_line(words: str) -> str:
    return " ".join(words.split())
