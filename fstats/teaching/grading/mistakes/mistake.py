"""Named mistakes: a test with one wrong step, and its reply to the student."""

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
    """A worked test with a single wrong step (or with a wrong reading of a right step).

    Parameters
    ----------
    wrong : type
        A subclass of the exercise's test that changes one step.
    step : str
        The step that is wrong.
    name : str
        Short name of the mistake.
    see : Section
        The section of the notebooks that explains the step.
    sentence : str
        The reply to the student, which says what the student did, why that is wrong, and what to do.
    only : tuple of str
        Keys of the questions at which the mistake is recognised; empty if all questions that depend on the step recognise it.
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
        """Build a mistake: the right test with another formula at one step.

        Parameters
        ----------
        test : type
            The right test.
        step, name, see, sentence, only
            The parameters of the class.
        formula : str
            The wrong formula, a template like the formula of any step.
        function : callable, optional
            The computation in Python, if the formula is in words.
        """
        wrong = copy(test.steps[step])  # all other attributes of the right step hold for the wrong step, too
        wrong.fn, wrong.formula = function or step_function(test, formula, test.over(step)), formula
        title = "".join(part.capitalize() for part in re.findall(r"\w+", name))
        wrong_test = type(title, (test,), {"__doc__": sentence, "__module__": wrong.fn.__module__, step: wrong})
        return cls(wrong_test, step, name, see, sentence, only)


def load_mistakes(package: str) -> tuple[Mistake, ...]:
    """Load the mistakes from the file mistakes.toml in the package of an exercise, in the order of the file.

    The names of tests and sections are found in the package's module ``steps`` or in ``fstats``. If the formula of a mistake is in
    words, the mistake names the function of the package's module ``mistakes`` that computes the value.
    """
    steps, fstats = import_module(f"{package}.steps"), import_module(package.partition(".")[0])

    def build(test: str, see: str, words: str, function: str = "", only: Iterable[str] = (), **texts: str) -> Mistake:
        computation = getattr(import_module(f"{package}.mistakes"), function) if function else None
        right = getattr(steps, test, None) or getattr(fstats, test)
        return Mistake.of(right, see=getattr(steps, see), sentence=" ".join(words.split()), only=tuple(only), function=computation, **texts)

    mistakes = tomllib.loads(files(package).joinpath("mistakes.toml").read_text(encoding="utf-8"))["mistake"]
    return tuple(build(**mistake) for mistake in mistakes)
