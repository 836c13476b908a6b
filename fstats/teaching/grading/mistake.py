"""A mistake that has a name: the same test with one wrong step."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass, field
from importlib.resources import files
from types import ModuleType
from typing import Any

from ...core.procedure import Procedure
from ...procedures.formula import computed
from .question import Section


@dataclass(frozen=True)
class Mistake:
    """A worked test with one wrong step (or a wrong reading of a right one).

    Parameters
    ----------
    wrong : type
        A subclass of the exercise's test that changes one step.
    step : str
        The step that is wrong.
    name : str
        The mistake in a few words.
    see : Section
        Where the notebooks explain the step.
    sentence : str
        What the student reads: what was done, why it is wrong, what to do.
    only : tuple of str
        Keys of the questions at which it is recognised; empty for all that follow from the wrong step.
    """

    wrong: type[Any]
    step: str
    name: str
    see: Section
    sentence: str
    only: tuple[str, ...] = ()


@dataclass(frozen=True)
class Slip:
    """A wrong step that waits for its test; made by the decorator :func:`shared_slip`.

    Parameters
    ----------
    step : str
        The step that goes wrong, by the name that most tests give it.
    formula : str
        What was computed, as a template like that of any step.
    function : callable, optional
        The same in Python, where the formula is words; without it the number follows from the formula.
    """

    step: str
    formula: str
    function: Callable[[Any], Any] | None = field(default=None, repr=False)

    def on(self, test: type[Procedure], name: str, see: Section, words: str, *, only: tuple[str, ...] = (), step: str = "") -> Mistake:
        """Make it a mistake of a test: its right step with another function and formula.

        Parameters
        ----------
        test, name, see, only
            As of :func:`slip`.
        words : str
            What the student reads.
        step : str
            Where this test slips, if the step has another name there.
        """
        step = step or self.step
        right = test.steps[step]
        wrong = copy(right)  # whatever else is said of the step holds for the wrong one, too
        wrong.fn, wrong.formula = self.function or computed(test, self.formula, test.over(step)), self.formula
        sentence = " ".join(words.split())
        title = "".join(
            part.capitalize() for part in re.findall(r"\w+", self.function.__name__.replace("_", " ") if self.function else name)
        )
        slipped = type(title, (test,), {"__doc__": sentence, "__module__": wrong.fn.__module__, step: wrong})
        return Mistake(slipped, step, name, see, sentence, only)


def shared_slip(step: str, formula: str) -> Callable[[Callable[[Any], Any]], Slip]:
    """Make a function of the test a slip that may happen in many tests."""
    return lambda function: Slip(step, formula, function)


def slip(
    test: type[Procedure], step: str, formula: str, name: str, see: Section, *, only: tuple[str, ...] = ()
) -> Callable[[Callable[[Any], Any]], Mistake]:
    """Make a function of the test a mistake: what it returns is the wrong value of the step, and its docstring is what the student reads.

    Parameters
    ----------
    test : type
        The right test.
    step : str
        The step that goes wrong.
    formula : str
        What was computed, as a template like that of any step.
    name, see, only
        As of :class:`Mistake`.
    """
    return lambda function: Slip(step, formula, function).on(test, name, see, function.__doc__ or "", only=only)


def written_in(package: str, where: Mapping[str, Any]) -> tuple[Mistake, ...]:
    """The mistakes of the file mistakes.toml in a package, in their order.

    A mistake whose formula is words names the function that computes it; functions, tests and sections are looked up in ``where``.
    """
    data = tomllib.loads(files(package).joinpath("mistakes.toml").read_text(encoding="utf-8"))["mistake"]
    return tuple(
        Slip(one["step"], one["formula"], where[one["function"]] if "function" in one else None).on(
            where[one["test"]], one["name"], where[one["see"]], one["words"], only=tuple(one.get("only", ()))
        )
        for one in data
    )


def defined_in(module: ModuleType) -> tuple[Mistake, ...]:
    """The mistakes of a module, in the order in which they stand there."""
    return tuple(found for found in vars(module).values() if isinstance(found, Mistake))
