"""A mistake that has a name: the same test with one wrong step."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable
from copy import copy
from dataclasses import dataclass
from importlib import import_module
from importlib.resources import files
from typing import Any

from ....core.procedure import Procedure
from ....procedures.formula import step_function
from ..question import Section


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

    @classmethod
    def of(
        cls,
        test: type[Procedure],
        step: str,
        formula: str,
        name: str,
        see: Section,
        sentence: str,
        *,
        only: tuple[str, ...] = (),
        function: Callable[[Any], Any] | None = None,
    ) -> Mistake:
        """The right test with another formula at one step, and the number that follows from it.

        Parameters
        ----------
        test : type
            The right test.
        step, name, see, sentence, only
            As of the class.
        formula : str
            What was computed, as a template like that of any step.
        function : callable, optional
            The same in Python, where the formula is words.
        """
        wrong = copy(test.steps[step])  # whatever else is said of the right step holds for the wrong one, too
        wrong.fn, wrong.formula = function or step_function(test, formula, test.over(step)), formula
        title = "".join(part.capitalize() for part in re.findall(r"\w+", name))
        slipped = type(title, (test,), {"__doc__": sentence, "__module__": wrong.fn.__module__, step: wrong})
        return cls(slipped, step, name, see, sentence, only)


def load_mistakes(package: str) -> tuple[Mistake, ...]:
    """The mistakes of the file mistakes.toml in the package of an exercise, in their order.

    Tests and sections are called as in its module ``steps`` or in ``fstats``; a mistake whose formula is words names the function of its
    module ``mistakes`` that computes it.
    """
    steps, fstats = import_module(f"{package}.steps"), import_module(package.partition(".")[0])

    def made(test: str, see: str, words: str, function: str = "", only: Iterable[str] = (), **said: str) -> Mistake:
        computes = getattr(import_module(f"{package}.mistakes"), function) if function else None
        right = getattr(steps, test, None) or getattr(fstats, test)
        return Mistake.of(right, see=getattr(steps, see), sentence=" ".join(words.split()), only=tuple(only), function=computes, **said)

    return tuple(made(**one) for one in tomllib.loads(files(package).joinpath("mistakes.toml").read_text(encoding="utf-8"))["mistake"])
