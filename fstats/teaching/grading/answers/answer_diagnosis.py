"""Properties of a student's answer that determine its feedback.

Each property is computed once, and only when it is needed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from typing import Any

import numpy as np

from ....core.procedure import Procedure
from ....core.validation.stated_value_consistency import is_exact_check
from ..exercise import Exercise, Tests, is_verdict, reachable, required_steps
from ..mistakes.mistake import Mistake
from ..mistakes.near_misses import LATER, SIGN, NearMiss, another_line, other_lines, remarks, seen
from ..question import Question
from ..student_lines.code_history import StudentLine
from ..student_lines.line_edits import BY_ONE, MISSING, PARENTHESES
from ..student_lines.line_reading import LineReader, LineReading
from ..student_lines.line_reply import line_reply
from .answer_context import AnswerContext
from .answer_history import EarlierAnswer
from .answer_value import DIGITS, has_full_precision, is_distinct, is_equal, is_identical, is_real_valued, significant_digits, tolerance
from .lost_digits import ENOUGH, LostDigits, find_lost_digits

ROUNDED_ON_THE_WAY = 3  # maximum error of a calculation with rounded numbers, in units of half the last digit


class Diagnosis(AnswerContext):
    """Facts about a readable answer, given the earlier answers, the number of answers to the question, and the line of the answer."""

    def __init__(
        self,
        exercise: Exercise,
        tests: Tests,
        question: Question,
        answer: Any,
        earlier: Mapping[str, EarlierAnswer],
        attempt: int,
        line: StudentLine | None = None,
    ) -> None:
        super().__init__(exercise, tests, question, answer)
        self.earlier, self.attempt, self.line = earlier, attempt, line

    # -- digits ----------------------------------------------------------------------------------------------------------
    @cached_property
    def lost_digits(self) -> LostDigits | None:
        """How the right number lost digits to become the answer; None if lost digits do not explain the answer."""
        return self.lost_digits_from(self.right)

    def lost_digits_from(self, value: Any) -> LostDigits | None:
        """Say how a value lost digits to become the answer; return None if lost digits do not explain the answer."""
        lost = find_lost_digits(self.answer, value, self.simulation_tolerance, exact=is_exact_check(self.step.check))
        is_short = lost is not None and (lost.left in ("first", "hardly") or significant_digits(self.x) < ENOUGH)
        return None if is_short and self.is_computed else lost

    @cached_property
    def is_computed(self) -> bool:
        """Whether the line of the answer is a calculation without rounding, so that the answer has no further digits."""
        if self.line is None or not isinstance(self.line.definition.tree, ast.expr):
            return False
        texts = [definition.text for definition in self.line.history.followed(self.line.definition)]
        is_rounded = any(word in text for word in ("round", "//", "int(", "format") for text in texts)
        return not is_rounded and any(isinstance(node, ast.BinOp) for node in ast.walk(self.line.definition.tree))

    @property
    def has_other_origin(self) -> bool:
        """Whether the answer is the value of a mistake (exactly or within chance) or of another line, and not the right number rounded."""
        # a number of one digit, such as the level 0.01, may be copied from another line of the page
        is_of_the_page = self.is_number and self.x.size == 1 and significant_digits(self.x) < 2 and bool(other_lines(self))
        return bool(self.exact_matches) or (self.simulation_tolerance is not None and bool(self.plausible_mistakes)) or is_of_the_page

    @property
    def has_too_few_digits(self) -> bool:
        """Whether the answer may be the right number, but has too few digits to be distinguished from other numbers."""
        return self.lost_digits is not None and (self.lost_digits == ("rounded", "first") or self.simulation_tolerance is not None)

    # -- values that follow from earlier answers -----------------------------------------------------------------------------
    @cached_property
    def earlier_inputs(self) -> dict[str, EarlierAnswer]:
        """Earlier answers to steps that the asked step depends on."""
        made_of = required_steps(type(self.test), self.question.step) - {self.question.step}
        return {step: answer for step, answer in self.earlier.items() if step in made_of}

    @cached_property
    def carried_values(self) -> list[Any]:
        """Values of the asked step that follow from the earlier answers."""
        return list(self._follow(self.test))

    def _follow(self, test: Procedure) -> Iterator[Any]:
        """Yield the value that a test computes from all earlier answers, and the value that it computes from the wrong ones only."""
        inputs = {} if _is_constant(self.earlier_inputs, self.answer) else self.earlier_inputs
        wrong = {step: answer for step, answer in inputs.items() if not answer.is_right}
        # A yes-or-no answer often agrees by chance. So ignore wrong earlier answers that influence it only through a right one.
        if self.y.dtype.kind == "b":
            steps, right = self.test.steps, {step for step, answer in self.earlier.items() if answer.is_right}
            visible = reachable({*self.step.slots} - right, lambda name: {*steps[name].slots} - right if name in steps else ())
            wrong = {step: answer for step, answer in wrong.items() if step in visible}
        for chosen in (inputs, wrong):
            with suppress(Exception):  # a test raises an error for an impossible answer, for example a negative variance
                if chosen:
                    yield self.value_in(test.assuming(**{step: answer.value for step, answer in chosen.items()}))

    @cached_property
    def used_inputs(self) -> Mapping[str, EarlierAnswer]:
        """Earlier answers without those wrong ones that an answer, which follows from the earlier answers, does not need."""
        kept = dict(self.earlier_inputs)
        wrong = [step for step, answer in kept.items() if answer.verdict not in ("right", "carried", "digits")]
        for step in wrong if len(wrong) > 1 else ():
            # without this wrong answer, the answers that follow from it must be left out, too
            without = {name: one for name, one in kept.items() if name != step and not self._is_carried_from(step, name)}
            other = Diagnosis(self.exercise, self.tests, self.question, self.answer, without, self.attempt)
            if any(is_equal(self.answer, value, self.tolerance) for value in other.carried_values):
                kept.pop(step)
        return kept

    def _is_carried_from(self, step: str, name: str) -> bool:
        return self.earlier_inputs[name].verdict == "carried" and step in required_steps(type(self.test), name)

    def from_rounded_inputs(self) -> Diagnosis | None:
        """Return the same facts in the test that follows from the student's own right answers; None if none of these is rounded."""
        own = {step: answer.value for step, answer in self.earlier_inputs.items() if answer.is_right}
        rounded = {step: value for step, value in own.items() if not is_identical(value, getattr(self.test, step))}
        if not rounded:
            return None
        other = Diagnosis(self.exercise, self.tests, self.question, self.answer, self.earlier, self.attempt, self.line)
        other.test = self.test.assuming(**rounded)
        other.assumed = tuple((step, np.asarray(value).tobytes()) for step, value in rounded.items())
        return other

    # -- named mistakes --------------------------------------------------------------------------------------------------
    @cached_property
    def mistake_values(self) -> dict[Mistake, Any]:
        """Value of the asked step under each mistake that this question can show."""
        return {mistake: self.value_in(self.tests[mistake.wrong]) for mistake in self.exercise.mistakes_at(self.question)}

    @cached_property
    def matching_mistakes(self) -> list[Mistake]:
        """Mistakes that give the answer; empty for a wrong yes or no, which many mistakes give."""
        if is_verdict(self.right):
            return []
        # leave out mistakes that give the right value on these data
        return [
            mistake
            for mistake, value in self.mistake_values.items()
            if is_equal(self.answer, value, self.simulation_tolerance) and is_distinct(value, self.right, self.simulation_tolerance)
        ]

    @cached_property
    def chance_matches(self) -> list[Mistake]:
        """Matching mistakes that agree only by chance: not in all digits of the answer, or less exactly than a simple relation."""
        near = self.near_miss if self.is_number and has_full_precision(self.answer) else None
        is_explained = near is not None and is_identical(self.answer, near.turned(self.y.astype(float)))
        exact = self.exact_matches if is_explained else self.matching_mistakes
        return [m for m in self.matching_mistakes if m not in exact or not self._agrees(self.mistake_values[m])]

    def _agrees(self, value: Any) -> bool:
        """Return whether a mistake's value agrees with the answer in all digits; True for a simulated answer, whose digits are random."""
        return self.simulation_tolerance is not None or self.agrees_in_all_digits(value)

    @cached_property
    def plausible_mistakes(self) -> list[Mistake]:
        """Matching mistakes without the chance matches."""
        return [mistake for mistake in self.matching_mistakes if mistake not in self.chance_matches]

    @cached_property
    def rounded_mistakes(self) -> list[Mistake]:
        """The mistake at the asked step whose value differs from a typed number by no more than rounding on the way explains."""
        is_typed = self.is_number and not self.y.ndim and is_real_valued(self.right) and significant_digits(self.x) == DIGITS
        if self.simulation_tolerance is not None or not is_typed:
            return []
        room = ROUNDED_ON_THE_WAY * float(tolerance(self.x))
        here = {m: value for m, value in self.mistake_values.items() if m.step == self.question.step and is_distinct(value, self.right)}
        near = [m for m, value in here.items() if not np.ndim(value) and abs(float(value) - float(self.x)) <= room]
        return near if len(near) == 1 else []

    @cached_property
    def exact_matches(self) -> list[Mistake]:
        """Mistakes whose value is exactly the answer: also a short number such as 2.0 may have all digits of a value."""
        return [mistake for mistake in self.matching_mistakes if is_identical(self.answer, self.mistake_values[mistake])]

    @cached_property
    def unrefuted_mistakes(self) -> list[Mistake]:
        """Plausible mistakes that no right answer refutes; if there are none, mistakes at this step applied to earlier answers."""
        unrefuted = [m for m in self.plausible_mistakes if self.is_made_here(m) or not _is_refuted(m, self.tests, self.earlier)]
        return unrefuted if unrefuted or is_verdict(self.right) else list(self._carried())

    @cached_property
    def likeliest_mistakes(self) -> list[Mistake]:
        """Likeliest mistakes: mistakes of the exercise (whose data separate them), and among these the mistakes at this step."""
        preferred = [mistake for mistake in self.unrefuted_mistakes if mistake in self.exercise.mistakes] or self.unrefuted_mistakes
        return [mistake for mistake in preferred if mistake.step == self.question.step] or preferred

    @property
    def candidate_mistakes(self) -> list[Mistake]:
        """Possible mistakes: the likeliest mistakes; if there are none, plausible mistakes that right earlier answers refute."""
        return self.likeliest_mistakes or self.plausible_mistakes

    @cached_property
    def certain_mistakes(self) -> list[Mistake]:
        """Mistakes that may be named; for a whole number, or the right number with the other sign, only likely mistakes of the exercise."""
        if is_real_valued(self.right) and not self.has_other_sign:
            certain = self.candidate_mistakes
        else:
            certain = [] if any(mistake in self.exercise.neighbours for mistake in self.likeliest_mistakes) else self.likeliest_mistakes
        if len(certain) != 1 or not self.line_refutes(certain[0]):
            return certain
        possible = [mistake for mistake in self.plausible_mistakes if not self.line_refutes(mistake)]
        return possible if len(possible) == 1 else [] if self.is_impossible(certain[0]) else certain

    def is_made_here(self, mistake: Mistake) -> bool:
        """Whether a mistake is made at the asked step, or this question is the first that shows it."""
        return mistake.step == self.question.step or self.exercise.home(mistake) is self.question

    def _carried(self) -> Iterator[Mistake]:
        """Yield the mistakes at this step that give the answer if they are made with the student's own earlier answers."""
        for mistake in self.exercise.mistakes_at(self.question):
            shows = mistake.step == self.question.step and is_distinct(self.mistake_values[mistake], self.right, self.simulation_tolerance)
            values = self._follow(self.tests[mistake.wrong]) if shows else ()
            if any(is_equal(self.answer, value, self.simulation_tolerance) and self._agrees(value) for value in values):
                yield mistake

    @cached_property
    def line_remarks(self) -> tuple[str, ...]:
        """What the student's line says about the wrong part of it; empty if there is no line."""
        with suppress(Exception):  # if the line cannot be evaluated, there are no remarks
            return line_reply(self, self.line_reading, self.attempt)
        return ()

    @property
    def is_line_sure(self) -> bool:
        """Whether what is said of the student's line explains the answer better than its number does."""
        return self.line_remarks != () and self.line_reader is not None and self.line_reader.is_sure

    @cached_property
    def line_reading(self) -> LineReading | None:
        """What the student's line says; None if there is no line, or if the line cannot be read."""
        return self.line_reader.reading() if self.line_reader else None

    @property
    def is_line_vague(self) -> bool:
        """Whether the line says only which parts are known, or marks a part that may be right with another value of a second part."""
        reading = self.line_reading if self.line_remarks else None
        if reading is None:
            return False
        is_marked = reading.edit is not None and (reading.is_proved or reading.second is not None)
        return not (is_marked or reading.stale or reading.remarks or reading.whole or reading.foreign)

    @property
    def is_mark_doubtful(self) -> bool:
        """Whether the marked part may be right: one of two, right on these data only, by one without a 1, or beside a missing part."""
        if self.line_reading is None or (edit := self.line_reading.edit) is None:
            return False
        is_doubtful = edit.words == MISSING and isinstance(edit.marked or edit.part, ast.Name)
        # parentheses often give the right count by chance, for example N (k - 1) - (k - 1) from N k - 1 - (k - 1)
        is_doubtful |= edit.words == PARENTHESES and not is_real_valued(self.right)
        is_doubtful |= edit.words == BY_ONE and " - 1" not in self.step.template(self.test)
        return is_doubtful or self.line_reading.second is not None or not self.line_reading.is_proved

    @cached_property
    def line_reader(self) -> LineReader | None:
        """The reader of the student's line, which also says on other data what the line computes; None if there is no line."""
        return LineReader(self, self.line, self.earlier, [self.right, *self.carried_values]) if self.line else None

    def is_impossible(self, mistake: Mistake) -> bool:
        """Whether the student's line gives another value than a mistake on all other data, or has what the mistake leaves out."""
        with suppress(Exception):  # a line that cannot be evaluated does not exclude a mistake
            if self.line_remarks and (reader := self.line_reader):
                return reader.never_agrees_with(mistake.wrong) or reader.avoids(mistake.wrong, mistake.step)
        return False

    def line_refutes(self, mistake: Mistake) -> bool:
        """Whether the student's line gives another value than a mistake on other data, or has what the mistake leaves out."""
        with suppress(Exception):  # a line that cannot be evaluated does not exclude a mistake
            if self.line_remarks and (reader := self.line_reader):
                reading = self.line_reading
                # the mistake is at the asked step, or a single part of the line is marked
                is_here = mistake.step == self.question.step or (reading is not None and reading.edit is not None and not reading.second)
                is_denied = not self.likeliest_mistakes and self.is_impossible(mistake)  # an earlier answer and the line exclude it
                return is_denied or reader.differs_from(mistake.wrong) or (is_here and reader.avoids(mistake.wrong, mistake.step))
        return False

    # -- remarks on the number -------------------------------------------------------------------------------------------
    @cached_property
    def remarks(self) -> list[str]:
        """Remarks on a wrong number that has no named mistake; no other step is told whose value the line has only on these data."""
        found, names = remarks(self), [row.name for row in other_lines(self)] if self.is_number else []
        with suppress(Exception):  # a line that cannot be evaluated does not exclude the other step
            if names and self.line_remarks and self.line_reader and self.line_reader.differs_from(type(self.test), names[0]):
                return [text for text in found if text not in (LATER, another_line(self))]
        return found

    @cached_property
    def near_miss(self) -> NearMiss | None:
        """Simple relation between the answer and the right value; None if there is no such relation."""
        return seen(self)

    @property
    def has_other_sign(self) -> bool:
        """Whether the answer is the right number with the other sign."""
        return self.near_miss is not None and self.near_miss.name == SIGN


def _is_constant(inputs: Mapping[str, EarlierAnswer], answer: Any) -> bool:
    """Return whether the answer and at least two earlier numbers are equal, or the answer is a 0 that follows from a wrong 0.

    A student who types 0 or 1 into every line computes nothing, although 0 / 1 is 0 and the mean of ones is 1. An answer of
    yes or no is not compared.
    """
    if not np.any(answer) and any(entry.verdict in ("unknown", "carried") and not np.any(entry.value) for entry in inputs.values()):
        return np.asarray(answer).dtype.kind != "b"
    earlier = [np.ravel(entry.value) for entry in inputs.values() if np.asarray(entry.value).dtype.kind in "iuf"]
    decides = np.asarray(answer).dtype.kind == "b"
    # ignore a few equal values, because they may be right, for example the equal thresholds of Bonferroni's procedure
    if sum(map(np.size, earlier)) < 2 or (len(earlier) == 1 and decides):
        return False
    last = [np.ravel(answer)] if np.asarray(answer).dtype.kind in "iuf" else []
    return len(np.unique(np.concatenate([*earlier, *last]))) == 1


def _is_refuted(mistake: Mistake, tests: Tests, earlier: Mapping[str, EarlierAnswer]) -> bool:
    """Return whether an earlier right answer excludes a mistake: that answer would be wrong with the mistake."""
    wrong_test = tests[mistake.wrong]
    return any(
        not is_equal(answer.value, getattr(wrong_test, step))
        for step, answer in earlier.items()
        if answer.verdict in ("right", "digits") and step in wrong_test.steps and mistake.step in required_steps(mistake.wrong, step)
    )
