"""Questions in words with answers to choose from; they stand in choices.toml of an exercise."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from importlib import import_module
from importlib.resources import files

from ..grading.question import Choice, Option


def choices_in(package: str) -> dict[str, Choice]:
    """The questions of the file choices.toml in the package of an exercise, by their keys.

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
