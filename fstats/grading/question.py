"""What an exercise asks, and where the notebooks explain it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ..procedure import Procedure


class Section(NamedTuple):
    """A section of a notebook, by the notebook's name and the text of its heading."""

    notebook: str
    heading: str

    @property
    def link(self) -> str:
        """Its address, seen from the folder of the exercises (JupyterLab makes the anchor from the heading)."""
        return f"../notebooks/{self.notebook}.ipynb#{self.heading.replace(' ', '-')}"

    def __str__(self) -> str:
        return f"notebooks/{self.notebook}.ipynb, section {self.heading.replace('$', '')!r}"


@dataclass(frozen=True)
class Question:
    """The value of one step of the exercise's test: a number, a column, a table, yes or no.

    `of` names another class than the exercise's own where an exercise compares several tests on the same data.
    `tolerance` is for answers that a simulation gives: how far from the true value luck may take them.
    """

    key: str
    step: str
    see: Section
    points: float = 1
    of: type[Procedure] | None = None
    tolerance: Callable[[Any], float] | None = None


class Option(NamedTuple):
    """One answer to choose; a wrong one says why, and may be a mistake that has a name."""

    text: str
    because: str
    mistake: str = ""


@dataclass(frozen=True)
class Choice:
    """A question in words with answers to choose from; the first option is the right one."""

    key: str
    text: str
    options: tuple[Option, ...]
    see: Section
    points: float = 1

    def order(self, token: str) -> list[int]:
        """In which order a student sees the options: everyone in another one, so that a letter alone is worth nothing."""
        seed = np.frombuffer(f"{token} {self.key} {self.text}".encode(), np.uint8)
        return [int(k) for k in np.random.default_rng(seed).permutation(len(self.options))]


@dataclass(frozen=True)
class Function:
    """A function to write: it takes these inputs and returns this step, on data that its author has never seen.

    `unseen` makes them: pairs of a word for what is special about the data ("ordinary", "ties", ...) and the inputs.
    """

    key: str
    step: str
    takes: tuple[str, ...]
    unseen: Callable[[np.random.Generator], Iterable[tuple[str, Mapping[str, Any]]]]
    see: Section
    points: float = 1
    of: type[Procedure] | None = None


Asked = Question | Choice | Function
