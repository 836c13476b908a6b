"""What there is to find out about an answer before one speaks: each thing is worked out once, when a rule of the judge first
looks at it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from typing import Any

import numpy as np

from ....core.procedure import Procedure
from ....core.validation.stated_value_consistency import is_exact_check
from ..exercise import Exercise, Tests, is_verdict, required_steps
from ..mistakes.mistake import Mistake
from ..mistakes.near_misses import SIGN, Near, other_lines, remarks, seen
from ..question import Question
from .answer_context import Response
from .answer_history import Earlier
from .answer_value import has_full_precision, is_distinct, is_equal, is_identical, is_real_valued, significant_digits
from .lost_digits import Shortened, shortened

NEAR_ENOUGH = 2e-4  # a mistake's number, from which the student's differs since he typed 1.96 for a limit, say


class Diagnosis(Response):
    """An answer that was read, in the light of the answers to earlier steps; the `attempt` counts different answers to the question."""

    def __init__(
        self, exercise: Exercise, tests: Tests, question: Question, answer: Any, earlier: Mapping[str, Earlier], attempt: int
    ) -> None:
        super().__init__(exercise, tests, question, answer)
        self.earlier, self.attempt = earlier, attempt

    # -- digits ----------------------------------------------------------------------------------------------------------
    @cached_property
    def short(self) -> Shortened | None:
        """How the right number would have become the answer by leaving digits out, if it would."""
        return self.shortening(self.right)

    def shortening(self, value: Any) -> Shortened | None:
        """How a value would have become the answer by leaving digits out, if it would."""
        return shortened(self.answer, value, self.luck, exact=is_exact_check(self.step.check))

    @property
    def comes_from_elsewhere(self) -> bool:
        """Whether it is no rounded number: what a mistake has with all digits, or by luck, or the page with its only one."""
        is_of_the_page = (
            self.is_number and self.x.size == 1 and significant_digits(self.x) < 2 and bool(other_lines(self))
        )  # a level of 0.01, say
        return bool(self.with_all_digits) or (self.luck is not None and bool(self.possible)) or is_of_the_page

    @property
    def is_rough(self) -> bool:
        """Whether it may well be the right number, with so few digits that it may be another one, too."""
        return self.short is not None and (self.short == ("rounded", "first") or self.luck is not None)

    # -- what follows from earlier answers -------------------------------------------------------------------------------
    @cached_property
    def above(self) -> dict[str, Earlier]:
        """The answers to the steps that this one is made of."""
        made_of = required_steps(type(self.test), self.question.step) - {self.question.step}
        return {step: one for step, one in self.earlier.items() if step in made_of}

    @cached_property
    def following(self) -> list[Any]:
        """The values that follow from them."""
        return list(self._follow(self.test))

    def _follow(self, test: Procedure) -> Iterator[Any]:
        """The values that follow in a test from the earlier answers: from all of them, and from those that are wrong."""
        above = {} if _is_constant(self.above, self.answer) else self.above
        for chosen in (above, {step: one for step, one in above.items() if not one.is_right}):
            with suppress(Exception):  # nothing follows from such values: a negative variance, say, or no records at all
                if chosen:
                    yield self.of(test.assuming(**{step: one.value for step, one in chosen.items()}))

    # -- mistakes that have a name ---------------------------------------------------------------------------------------
    @cached_property
    def slips(self) -> dict[Mistake, Any]:
        """The mistakes that this question can show, with the value that each gives."""
        return {one: self.of(self.tests[one.wrong]) for one in self.exercise.mistakes_at(self.question)}

    @cached_property
    def all_possible(self) -> list[Mistake]:
        """The mistakes that give this value; none for a wrong yes or no, which has too many fathers."""
        if is_verdict(self.right):
            return []
        # on some data a mistake does not show
        return [
            one
            for one, value in self.slips.items()
            if is_equal(self.answer, value, self.luck) and is_distinct(value, self.right, self.luck)
        ]

    @cached_property
    def by_chance(self) -> list[Mistake]:
        """Those of them that give it by chance: the answer has all the digits of a computer, and only three of them agree."""
        if self.luck is not None or not self.is_number or not has_full_precision(self.answer):
            return []
        return [one for one in self.all_possible if not np.allclose(self.answer, self.slips[one], rtol=NEAR_ENOUGH, atol=0)]

    @cached_property
    def possible(self) -> list[Mistake]:
        """The others."""
        return [one for one in self.all_possible if one not in self.by_chance]

    @cached_property
    def with_all_digits(self) -> list[Mistake]:
        """Those that give exactly this value: 2.0 may be all the digits that it has."""
        return [one for one in self.all_possible if is_identical(self.answer, self.slips[one])]

    @cached_property
    def believed(self) -> list[Mistake]:
        """Those that the earlier answers do not refute; without one, those at this very step that give it from the earlier answers."""
        kept = [one for one in self.possible if self.is_at(one) or not _is_refuted(one, self.tests, self.earlier)]
        return kept if kept or is_verdict(self.right) else list(self._carried())

    @cached_property
    def likely(self) -> list[Mistake]:
        """The likeliest of them: those of the exercise, whose data were drawn to tell them apart, and of these the ones at this step."""
        made = [one for one in self.believed if one in self.exercise.mistakes] or self.believed
        return [one for one in made if one.step == self.question.step] or made

    @property
    def guesses(self) -> list[Mistake]:
        """All that it may come from; where none is likely, those against which something that was answered rightly speaks."""
        return self.likely or self.possible

    @cached_property
    def sure(self) -> list[Mistake]:
        """Those that may be named; where the number is short, or the right one with the other sign, only likely ones, and no neighbour."""
        if is_real_valued(self.right) and not self.has_other_sign:
            return self.guesses
        return [] if any(one in self.exercise.neighbours for one in self.likely) else self.likely

    def is_at(self, mistake: Mistake) -> bool:
        """Whether a mistake is made at this step, or this question is its home."""
        return mistake.step == self.question.step or self.exercise.home(mistake) is self.question

    def _carried(self) -> Iterator[Mistake]:
        """The mistakes at this very step that give the value from the student's own earlier answers."""
        for mistake in self.exercise.mistakes_at(self.question):
            shows = mistake.step == self.question.step and is_distinct(self.slips[mistake], self.right, self.luck)
            if shows and any(is_equal(self.answer, value, self.luck) for value in self._follow(self.tests[mistake.wrong])):
                yield mistake

    # -- what can be seen in the numbers ---------------------------------------------------------------------------------
    @cached_property
    def remarks(self) -> list[str]:
        """What can be said of the number without a name for a mistake."""
        return remarks(self)

    @cached_property
    def near(self) -> Near | None:
        """How it lies near the right one, if it does."""
        return seen(self)

    @property
    def has_other_sign(self) -> bool:
        """Whether it is the right number with the other sign."""
        return self.near is not None and self.near.name == SIGN


def _is_constant(above: Mapping[str, Earlier], answer: Any) -> bool:
    """Whether two or more earlier numbers, and the one that should follow from them, are all the same; or a 0 should follow from a wrong 0.

    Whoever writes 0 or 1 into every line works nothing out, though 0 / 1 is 0 and the mean of ones is 1.  A decision counts on neither
    side.
    """
    if not np.any(answer) and any(one.verdict in ("unknown", "carried") and not np.any(one.value) for one in above.values()):
        return np.asarray(answer).dtype.kind != "b"
    earlier = [np.ravel(one.value) for one in above.values() if np.asarray(one.value).dtype.kind in "iuf"]
    decides = np.asarray(answer).dtype.kind == "b"
    if sum(map(np.size, earlier)) < 2 or (len(earlier) == 1 and decides):  # Bonferroni's thresholds are all equal
        return False
    last = [np.ravel(answer)] if np.asarray(answer).dtype.kind in "iuf" else []
    return len(np.unique(np.concatenate([*earlier, *last]))) == 1


def _is_refuted(mistake: Mistake, tests: Tests, earlier: Mapping[str, Earlier]) -> bool:
    """Whether something that was answered rightly would have been wrong with this mistake."""
    slipped = tests[mistake.wrong]
    return any(
        not is_equal(answer.value, getattr(slipped, step))
        for step, answer in earlier.items()
        if answer.verdict in ("right", "digits") and step in slipped.steps and mistake.step in required_steps(mistake.wrong, step)
    )
