"""Answer of a student, with question and right answer."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from ....core.procedure import Procedure
from ....core.step import Step
from ..exercise import Exercise, Tests, required_steps
from ..question import Question
from .answer_value import DIGITS, half_unit, has_full_precision, significant_digits

Kept = TypeVar("Kept")
# maximum relative difference between an answer and a value that it may come from; for example, 1.96 typed for the exact quantile
NEAR_ENOUGH = 2e-4


class AnswerContext:
    """A readable answer with its question; `x` and `y` are the answer and the right value as arrays."""

    def __init__(self, exercise: Exercise, tests: Tests, question: Question, answer: Any) -> None:
        self.exercise, self.tests, self.question, self.answer = exercise, tests, question, answer
        self.test: Procedure = tests[exercise.tested(question)]  # test on the student's data that computes the right answer
        self.step: Step[Any] = exercise.asked(question)
        self.right = self.value_in(self.test)
        self.x, self.y = np.asarray(answer), np.asarray(self.right)
        self.assumed: tuple[Any, ...] = ()  # (step, value) if `test` assumes another value than that of the student's data

    def kept(self, what: Any, make: Callable[[], Kept]) -> Kept:
        """Return a result that no answer to this question changes; it is made once for each test."""
        key = (what, self.question.key, self.assumed)
        if key not in self.tests.kept:
            self.tests.kept[key] = make()
        return self.tests.kept[key]

    def value_in(self, test: Procedure) -> Any:
        """Return the value of the asked step in another test."""
        return getattr(test, self.question.step)

    @cached_property
    def tolerance(self) -> Any:
        """Largest distance between a right answer and the right value."""
        return self.question.tolerance_on(self.test)

    @cached_property
    def simulation_tolerance(self) -> Any:
        """Largest chance deviation of a simulated rate from the true value; None if the answer is not simulated."""
        return self.question.simulation_tolerance(self.test)

    @property
    def is_number(self) -> bool:
        """Whether the question asks for numbers (not for yes or no, nor for words)."""
        return self.y.dtype.kind in "fiu"

    def agrees_in_all_digits(self, value: Any) -> bool:
        """Whether a value that agrees with the answer in three digits also agrees in the further digits of the answer."""
        if not self.is_number:
            return True
        if has_full_precision(self.x):
            return np.allclose(self.x, value, rtol=NEAR_ENOUGH, atol=0)
        if self.x.ndim or not self.x or significant_digits(self.x) <= DIGITS:
            return True
        return bool(np.all(np.abs(self.x - value) <= half_unit(self.x)))

    @property
    def is_probability(self) -> bool:
        """Whether the question asks for a probability, according to the step's check or its formula."""
        return self.test.is_probability(self.step.name) or self.step.template(self.test).startswith(("P(", r"2\,P("))

    @cached_property
    def known_steps(self) -> set[str]:
        """Steps that the student knows: the steps that the asked step depends on, and the steps of all questions so far."""
        asked = self.exercise.questions[: self.exercise.questions.index(self.question) + 1]
        return required_steps(type(self.test), self.question.step) | {one.step for one in asked if isinstance(one, Question)}

    @cached_property
    def later_steps(self) -> set[str]:
        """Steps that later questions ask for."""
        return {one.step for one in self.exercise.questions if isinstance(one, Question)} - self.known_steps
