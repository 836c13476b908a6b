"""A mistake that has a name: the same test with one wrong step."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ..step import Procedure, Step
from .question import Section


@dataclass(frozen=True)
class Mistake:
    """A worked test with one wrong step (or a wrong reading of a right one).

    Parameters
    ----------
    wrong : type
        A subclass of the exercise's test that changes one step.  Its docstring is what the student reads: what was done,
        why it is wrong, what to do.
    name : str
        The mistake in a few words.
    see : Section
        Where the notebooks explain the step.
    only : tuple of str
        Keys of the questions at which it is recognised; empty for all that follow from the wrong step.
    """

    wrong: type[Procedure]
    name: str
    see: Section
    only: tuple[str, ...] = ()

    @cached_property
    def step(self) -> str:
        """The step that is wrong."""
        (name,) = (name for name, value in vars(self.wrong).items() if isinstance(value, Step))
        return name

    @property
    def sentence(self) -> str:
        """What the student reads."""
        return " ".join((vars(self.wrong)["__doc__"] or "").split())
