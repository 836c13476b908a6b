"""Definition of a question in an exercise."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ...core.mathematics_in_names import plain_formulas
from ...core.procedure import Procedure
from .answers.answer_value import is_equal, rounding_error, tolerance

FLOAT_TOLERANCE = 1e-10  # maximum difference between two correct computations of a proportion
COUNT_TOLERANCE = 2  # a simulated count was probably copied from the text if it differs from the count in the text by at most this number


class Section(NamedTuple):
    """A section of a notebook: the notebook's name and the text of the heading."""

    notebook: str
    heading: str

    @property
    def link(self) -> str:
        """Relative address of the section, from the folder of the exercises; JupyterLab makes the anchor from the heading."""
        return f"../notebooks/{self.notebook}.ipynb#{self.heading.replace(' ', '-')}"

    @property
    def first_click(self) -> str:
        """Address that JupyterLab follows even into a closed notebook: by the identifier of the cell, if the notebook file exists.

        When JupyterLab opens a notebook, it looks for a heading before headings are rendered, and stays at the top; it does find a cell.
        """
        file = Path("..", "notebooks", f"{self.notebook}.ipynb")
        try:
            cell = _cells(file.resolve(), file.stat().st_mtime).get(self.heading, "")
        except (OSError, ValueError):  # the file of the notebook is missing or unreadable
            cell = ""
        return f"../notebooks/{self.notebook}.ipynb#cell-id={cell}" if cell else self.link

    def __str__(self) -> str:
        return f"notebooks/{self.notebook}.ipynb, section {plain_formulas(self.heading)!r}"


@lru_cache(maxsize=32)
def _cells(notebook: Path, _: float) -> dict[str, str]:
    """Map the headings of a notebook to the identifiers of their cells; the modification time only invalidates the cache."""
    cells: dict[str, str] = {}
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "markdown":
            for heading in re.findall(r"^#+ +(.+?) *$", "".join(cell["source"]), re.MULTILINE):
                cells.setdefault(heading, cell.get("id", ""))
    return cells


@dataclass(frozen=True)
class Question:
    """A question that asks for the value of a step of the exercise's test: a number, a column, a table, yes or no.

    `of` is another class than the exercise's test, if an exercise compares several tests on the same data.
    `tolerance` is for simulated answers: the largest chance deviation of an answer from the true value.
    `other_words` is for answers in words: the accepted words (in lower case) for each answer, with the data of this student.
    `decimals` is for material that prints fewer digits: the number of decimals that a right answer needs.
    `aside` is a remark on a right answer, if the number alone does not show how it was obtained.
    `typed` is the reply to an answer that equals `unlikely`, a value (or one of several) that the text states and no simulation gives.
    `repetitions` is for a simulated share: the number of repetitions.
    `example` is the line on other data in words, if the value is the same on all data.
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

    def simulation_tolerance(self, test: Procedure) -> float | None:
        """Return the largest chance deviation of a simulated answer from the true value; None if the answer is not simulated."""
        return None if self.tolerance is None else self.tolerance(test)

    def tolerance_on(self, test: Procedure) -> Any:
        """Return the largest distance of a right answer from the right value; None means three significant digits."""
        if self.decimals is None or self.tolerance is not None:
            return self.simulation_tolerance(test)
        return np.maximum(tolerance(getattr(test, self.step)), 0.5 * 10.0**-self.decimals * (1 + 1e-9))

    def is_typed(self, test: Procedure, answer: Any) -> bool:
        """Whether an answer is the value stated in the text, exactly or up to a difference of two counts."""
        near = (COUNT_TOLERANCE + 0.5) / self.repetitions(test) if self.repetitions is not None else 0.0
        return self.unlikely is not None and bool(np.any(np.isclose(answer, self.unlikely(test), rtol=1e-12, atol=near)))

    def is_count_of_a_share(self, test: Procedure, answer: Any, right: Any) -> bool:
        """Whether an answer is a count of repetitions although the question asks for a share."""
        is_count = self.repetitions is not None and bool(np.all(answer >= 1))
        return is_count and bool(is_equal(answer / self.repetitions(test), right, self.tolerance_on(test)))  # type: ignore[misc]

    def is_impossible_share(self, test: Procedure, answer: Any) -> bool:
        """Whether an answer is no possible share of the repetitions, not even a rounded one."""
        if self.repetitions is None:
            return False
        many = self.repetitions(test)
        near = np.maximum(rounding_error(answer), FLOAT_TOLERANCE)  # older SciPy versions give slightly different results
        return bool(np.any(np.abs(np.rint(answer * many) / many - answer) > near))


class Option(NamedTuple):
    """An option of a multiple-choice question, with the reason why it is right or wrong, and possibly a named mistake."""

    text: str
    because: str
    mistake: str = ""


@dataclass(frozen=True)
class Choice:
    """A multiple-choice question; its first option is the right one."""

    key: str
    text: str
    options: tuple[Option, ...]
    see: Section
    points: float = 1

    def order(self, token: str) -> list[int]:
        """Return the order in which a student sees the options; the order differs between students, so a copied letter is useless."""
        seed = np.frombuffer(f"{token} {self.key} {self.text}".encode(), np.uint8)
        return [int(k) for k in np.random.default_rng(seed).permutation(len(self.options))]


@dataclass(frozen=True)
class Function:
    """A question that asks for a function, which takes the inputs `takes` and returns the step; it is called on unseen data.

    `unseen` draws the data: pairs of the kind of data ("ordinary", "ties", ...) and the inputs.
    `ready` names functions of SciPy and fstats that the student's function must not call, in addition to the tests.
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
