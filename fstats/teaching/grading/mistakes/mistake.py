"""Definition of a common mistake in an exercise.

A mistake is a test with one wrong step.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
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

    @property
    def what(self) -> str:
        """The first sentence of the reply, which says what the student did."""
        return f"{self.sentence.partition('. ')[0].rstrip('.')}."

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
        wrong = copy(test.steps[step])  # the copy keeps all other attributes of the right step
        wrong.fn, wrong.formula = function or step_function(test, formula, test.over(step)), formula
        title = "".join(part.capitalize() for part in re.findall(r"\w+", name))
        wrong_test = type(title, (test,), {"__doc__": sentence, "__module__": wrong.fn.__module__, step: wrong})
        return cls(wrong_test, step, name, see, sentence, only)
