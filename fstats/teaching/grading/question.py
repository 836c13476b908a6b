"""What an exercise asks, and where the notebooks explain it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ...core.procedure import Procedure
from .answers.answer_value import is_equal, rounding_error, tolerance

A_HAIR = 1e-10  # by which a share may be off that was computed otherwise
BUT_FOR = 2  # so few counts more or less do not make a value of the text a simulated one


class Section(NamedTuple):
    """A section of a notebook, by the notebook's name and the text of its heading."""

    notebook: str
    heading: str

    @property
    def link(self) -> str:
        """Its address, seen from the folder of the exercises (JupyterLab makes the anchor from the heading)."""
        return f"../notebooks/{self.notebook}.ipynb#{self.heading.replace(' ', '-')}"

    @property
    def first_click(self) -> str:
        """The address that JupyterLab follows even into a notebook that is not open yet: by the name of the cell, where the
        notebook is there.

        When it opens a notebook, it looks for a heading before there is one, and stays at the top; the cell itself it finds.
        """
        file = Path("..", "notebooks", f"{self.notebook}.ipynb")
        try:
            cell = _cells(file.resolve(), file.stat().st_mtime).get(self.heading, "")
        except (OSError, ValueError):  # no such notebook beside the exercises, or none that can be read
            cell = ""
        return f"../notebooks/{self.notebook}.ipynb#cell-id={cell}" if cell else self.link

    def __str__(self) -> str:
        return f"notebooks/{self.notebook}.ipynb, section {self.heading.replace('$', '')!r}"


@lru_cache(maxsize=32)
def _cells(notebook: Path, _: float) -> dict[str, str]:
    """The names of the cells of a notebook (as it was at a time), by the headings in them."""
    found: dict[str, str] = {}
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "markdown":
            for heading in re.findall(r"^#+ +(.+?) *$", "".join(cell["source"]), re.MULTILINE):
                found.setdefault(heading, cell.get("id", ""))
    return found


@dataclass(frozen=True)
class Question:
    """The value of one step of the exercise's test: a number, a column, a table, yes or no.

    `of` names another class than the exercise's own where an exercise compares several tests on the same data.
    `tolerance` is for answers that a simulation gives: how far from the true value luck may take them.
    `other_words` is for answers in words: what may be written (in small letters) for which answer, with the data of this student.
    `decimals` is for material that prints no more of them: an answer with so many is right.
    `aside` is added to a right answer, where the number alone cannot tell how it came about.
    `typed` is what somebody reads who hands in `unlikely`, a value (or one of some) that stands in the text and that no simulation gives.
    `repetitions` is for a share that a simulation gives: of how many.
    `example` is the line on other data in words, where the value is the same on all data.
    """

    key: str
    step: str
    see: Section
    points: float = 1
    of: type[Procedure] | None = None
    tolerance: Callable[[Any], float] | None = None
    other_words: Callable[[Any], Mapping[str, str]] | None = None
    decimals: int | None = None
    aside: str = ""
    typed: str = ""
    unlikely: Callable[[Any], Any] | None = None
    repetitions: Callable[[Any], int] | None = None
    example: str = ""

    def luck(self, test: Procedure) -> float | None:
        """How far from the true value luck may take a simulated answer; None of what is no simulation."""
        return None if self.tolerance is None else self.tolerance(test)

    def room(self, test: Procedure) -> Any:
        """How far from the right value an answer may lie; None for three significant digits."""
        if self.decimals is None or self.tolerance is not None:
            return self.luck(test)
        return np.maximum(tolerance(getattr(test, self.step)), 0.5 * 10.0**-self.decimals * (1 + 1e-9))

    def is_typed(self, test: Procedure, answer: Any) -> bool:
        """Whether an answer is the value that stands in the text: to its last digit, or but for a count or two."""
        near = (BUT_FOR + 0.5) / self.repetitions(test) if self.repetitions is not None else 0.0
        return self.unlikely is not None and bool(np.any(np.isclose(answer, self.unlikely(test), rtol=1e-12, atol=near)))

    def is_count_of_a_share(self, test: Procedure, answer: Any, right: Any) -> bool:
        """Whether an answer counts repetitions whose share is asked for."""
        return self.repetitions is not None and bool(
            np.all(answer >= 1) and is_equal(answer / self.repetitions(test), right, self.room(test))
        )

    def is_no_share(self, test: Procedure, answer: Any) -> bool:
        """Whether an answer cannot be a share of the repetitions, not even a rounded one."""
        if self.repetitions is None:
            return False
        many = self.repetitions(test)
        near = np.maximum(rounding_error(answer), A_HAIR)  # older versions of SciPy are off by so much
        return bool(np.any(np.abs(np.rint(answer * many) / many - answer) > near))


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
    `ready` names functions of SciPy and fstats that it should not call, besides the tests.
    """

    key: str
    step: str
    takes: tuple[str, ...]
    unseen: Callable[[np.random.Generator], Iterable[tuple[str, Mapping[str, Any]]]]
    see: Section
    points: float = 1
    of: type[Procedure] | None = None
    ready: tuple[str, ...] = ()


Asked = Question | Choice | Function
