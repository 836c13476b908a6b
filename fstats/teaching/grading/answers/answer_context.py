"""An answer beside what is asked for: the worked test, the step, its right value."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from ....core.procedure import Procedure
from ....core.step import Step
from ..exercise import Exercise, Tests, required_steps
from ..question import Question


class Response:
    """An answer that was read; `x` and `y` are it and the right value as arrays."""

    def __init__(self, exercise: Exercise, tests: Tests, question: Question, answer: Any) -> None:
        self.exercise, self.tests, self.question, self.answer = exercise, tests, question, answer
        self.test: Procedure = tests[exercise.tested(question)]  # on the student's data
        self.step: Step[Any] = exercise.asked(question)
        self.right = self.of(self.test)
        self.x, self.y = np.asarray(answer), np.asarray(self.right)

    def of(self, test: Procedure) -> Any:
        """The value that is asked for, as another test has it."""
        return getattr(test, self.question.step)

    @cached_property
    def room(self) -> Any:
        """How far a right answer may lie from the right value."""
        return self.question.room(self.test)

    @cached_property
    def luck(self) -> Any:
        """How far a simulated rate may lie from it; None of what is no simulation."""
        return self.question.luck(self.test)

    @property
    def is_number(self) -> bool:
        """Whether numbers are asked for, and neither yes and no nor words."""
        return self.y.dtype.kind in "fiu"

    @property
    def is_probability(self) -> bool:
        """Whether a probability is asked for: by its check, or by its formula."""
        return self.test.is_probability(self.step.name) or self.step.template(self.test).startswith(("P(", r"2\,P("))

    @cached_property
    def met(self) -> set[str]:
        """The steps that the student has met: those that this one follows from, and those that were asked before."""
        asked = self.exercise.questions[: self.exercise.questions.index(self.question) + 1]
        return required_steps(type(self.test), self.question.step) | {one.step for one in asked if isinstance(one, Question)}

    @cached_property
    def later(self) -> set[str]:
        """The steps that the student has still to find."""
        return {one.step for one in self.exercise.questions if isinstance(one, Question)} - self.met
