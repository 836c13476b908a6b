"""Find the wrong input that explains a wrong answer.

An implied input is the value of one input with which the formula gives the student's wrong number.

A sentence about an implied input says nothing about how the student calculated, so it is true of every number. The student compares the
implied value with the number that was used.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from ....core.number_format import format_plain
from ....core.validation.check import is_count_check
from ....distributions.continuous_distributions import ChiSquared, FisherF, StudentT
from ..answers.answer_diagnosis import Diagnosis
from ..answers.answer_value import half_unit, has_full_precision, is_equal, significant_digits
from ..exercise import required_steps
from ..hints.quantity_label import quantity_label
from .near_misses import SMALL

TOLD = "{} out if {}."
IN_THIS_STEP = ", in this step only"
NULL = "null"  # name of the step that has the null distribution
ROUNDED = "{} out if you round {} to {}. Compute with all digits, and round only the result."
SUM_OF = "the sum of "
DISTRIBUTION = r"P\(|P\\left|\\#|:|\\max|\\min|rank|\\sim|binom"
MOST_COUNTED, FEWEST_COUNTED = 10_000, 40  # largest count that is tried if the formula has no distribution, and if it has one
MOST_TOLD, LEAST_DIGITS, MOST_DIGITS, MAX_CHANCE, WINDOW = 3, 3, 5, 0.01, 0.3
USUAL = (0.01, 0.001)  # other usual levels; 0.1 is left out, because a one-sided test at the level 0.05 has the same critical value
LEVELS = (0.2, 0.1, 0.05, 0.025, 0.02, 0.01, 0.005, 0.001)
MOST_DEGREES = 200  # largest count that is tried as degrees of freedom
ROUNDING, CLOSE_INPUT = 2e-4, 0.05  # maximum relative error by rounded intermediate numbers; maximum relative distance of tried inputs
STEPS, MOST_STEPS, FARTHEST, MOST_PLACES, MOST_VALUES = 8, 25, 100, 5, 400
MOST_CHARACTERS = 50  # maximum length of an input's label; a sentence with a longer one is hard to read
CHANGES: tuple[tuple[str, Callable[[Any], Any]], ...] = (
    ("the sizes (without signs)", np.abs),
    ("the numbers with the other sign", np.negative),
    ("the squares", np.square),
    ("the square roots", np.sqrt),
    ("the numbers in reverse order", lambda x: x[::-1]),
    ("the sorted numbers", lambda x: np.sort(x, axis=0)),
    ("numbers that are larger by one", lambda x: x + 1),
    ("numbers that are smaller by one", lambda x: x - 1),
    ("the numbers other than 0", lambda x: x[x != 0]),
    ("only the positive numbers", lambda x: x[x > 0]),
    ("only the negative numbers", lambda x: x[x < 0]),
    ("the numbers without the first", lambda x: x[1:]),
    ("the numbers without the last", lambda x: x[:-1]),
    ("only the first line", lambda x: x[: 1 if x.ndim > 1 else 0]),
    ("only the first column", lambda x: x[:, :1]),
)


class Implied(NamedTuple):
    """An input, its value in the right calculation, and the value or the words of the change that gives the wrong number."""

    name: str
    right: Any
    value: Any
    rest: Mapping[str, Any] = {}
    words: str = ""
    of: str = ""
    note: str = ""


TURNS: tuple[tuple[str, Callable[[float], float]], ...] = (
    (", which is twice as large", lambda x: 2 * x),
    (", which is half as large", lambda x: x / 2),
    (", which is its square", lambda x: x**2),
    (", which is its square root", lambda x: x**0.5),
    (", which is its reciprocal", lambda x: 1 / x),
)


class ImpliedInputs:
    """The inputs of a question's formula, and what each must be so that the formula gives the answer."""

    def __init__(self, diagnosis: Diagnosis) -> None:
        self.diagnosis, self.test, self.x = diagnosis, diagnosis.test, diagnosis.x
        self.left = MOST_VALUES  # number of evaluations of the formula that are still allowed
        self.known: dict[tuple[str, ...], dict[int, Any]] = {}  # cached answers by count, for each place of a count
        self.is_possible = diagnosis.is_number and bool(np.isfinite(self.x).all() and np.isfinite(diagnosis.y).all() and self.x.any())
        if not self.is_possible:
            return
        self.is_long = has_full_precision(self.x)
        self.is_count = not self.x.ndim and self.x == np.floor(self.x)
        self.room = 1e-9 * np.abs(self.x) if self.is_long or self.is_count or self.x.ndim else half_unit(self.x)

    # -- the sentences -------------------------------------------------------------------------------------------------------
    def sentence(self, *, is_sure: bool = True) -> str:
        """Return the sentence about implied inputs; empty if there are none, or if the formula cannot be followed.

        A sure input is one that hardly agrees with an answer by chance: another count, a short number, a changed column. Otherwise, sums,
        further counts, and numbers of the page are told.
        """
        with suppress(Exception):  # if the formula cannot be evaluated, return no sentence
            return (self._sure() if is_sure else self._told(self._possible())) if self.is_possible else ""
        return ""

    def _sure(self) -> str:
        is_small = self.is_count and abs(self.x) < SMALL
        if len(set(self.x.flat)) < 2 if self.x.ndim else is_small or significant_digits(self.x) < LEAST_DIGITS:
            return ""
        sums = [one for one in self._sums if self.is_long and abs(one.value - np.rint(one.value)) < 1e-7]
        found = [*self._counts(), *(sums or self._changed_columns()), *filter(self._is_short, self._numbers)]
        alphas = [one for one in self._numbers if one.name == "alpha"]
        levels = [one._replace(value=level) for one in alphas for level in USUAL if self._stands_for(one, level)]
        if told := self._told(found or self._other_degrees() or levels):
            return told
        for one in self._numbers:
            if (rounded := self._rounded(one)) is not None:
                return ROUNDED.format(self._your, self._label(one.name), format_plain(rounded))
        return ""

    def _possible(self) -> list[Implied]:
        if mistaken := self._mistaken() or self._other_degrees(is_likely=False):
            return mistaken
        is_sum = r"\sum" in self.diagnosis.step.template(self.test)  # ignore single wrong inputs of a sum, because wrong terms are likelier
        is_small = not self.x.ndim and self.is_count and self.x < SMALL  # ignore decimal inputs, because many of them give a small count
        numbers = [] if is_sum or is_small else [one for one in self._numbers if self._is_round(one) or self._is_of_the_page(one)]
        counts = [*(self._counts(is_likely=False) if self._sums or not is_sum else ())]
        return [*self._possible_sums, *numbers, *counts]

    def needed(self) -> str:
        """Return the sentence about the value that each input must have; empty if there is none, or if a sum is asked for."""
        is_short = self.is_possible and not self.x.ndim and significant_digits(self.x) < LEAST_DIGITS - 1
        if not self.is_possible or is_short or r"\sum" in self.diagnosis.step.template(self.test):
            return ""
        with suppress(Exception):
            found = [one for one in self._numbers if one.name in self.diagnosis.step.slots and one.name != "alpha"]
            return self._told([one._replace(value=float(f"{one.value:.3g}")) for one in found])
        return ""

    def _told(self, found: list[Implied]) -> str:
        """Return the sentence about implied inputs; leave out an input that would reveal the right number."""
        rights = [*self.diagnosis.y.flat]
        texts = [f"{float(value):.3g}" for value in rights if value != np.floor(value)]
        cases = []
        for one in found:
            label, shown = self._label(one.name, one.of), "" if one.words or one.name == NULL else format_plain(one.value)
            if one.name == NULL:
                cases.append(f"the distribution is {one.value}")
            elif one.words:
                cases.append(f"{one.words} stand in the place of {label}")
            # an input that equals the answer itself explains nothing: for example, the smaller of two numbers is one of them
            elif not any(is_equal(one.value, value) for value in (*rights, *self.x.flat)) and not any(text in shown for text in texts):
                is_kept = any(self._depends(other, one.name) for other in one.rest)
                note = one.note or self._instead(one) or self._other_name(one)
                cases.append(f"{label} is {shown}{note}{IN_THIS_STEP * is_kept}")
        return TOLD.format(self._your, "; or if ".join(cases[:MOST_TOLD])) if cases else ""

    def _depends(self, step: str, name: str) -> bool:
        """Return whether a step follows from an input, so that it would change with the input."""
        return step in self.test.steps and name in required_steps(type(self.test), step) - {step}

    def _instead(self, one: Implied) -> str:
        """Return the right value of a count, unless it answers a question that has no right answer yet."""
        earlier, context = self.diagnosis.earlier.get(one.name), self.diagnosis
        is_question = any(getattr(question, "step", "") == one.name for question in context.exercise.questions)
        is_known = earlier is not None and earlier.is_right and self._counts_something(one.name, one.right)
        is_count = is_known or (np.asarray(one.right).dtype.kind in "iu" and not np.ndim(one.right) and not one.of)
        is_told = (is_question and not (earlier and earlier.is_right)) or any(is_equal(one.right, value) for value in context.y.flat)
        return f" instead of {format_plain(one.right)}" if is_count and not is_told else ""

    def _other_name(self, one: Implied) -> str:
        """Return the name of another displayed number that equals an implied number, if there is exactly one."""
        rows = [row for row in self.test.worked() if not np.ndim(row.value) and np.asarray(row.value).dtype.kind == "f"]
        same = [row.name for row in rows if self.is_long and row.name != one.name and abs(row.value - one.value) <= 1e-9 * abs(one.value)]
        return f", the value of '{quantity_label(self.test, same[0])}'" if len(same) == 1 else ""

    @property
    def _your(self) -> str:
        if self.x.ndim:
            return "Your numbers come"
        return "Your number comes" if self.is_long or self.is_count else "Your number, rounded, comes"

    def _label(self, name: str, of: str = "") -> str:
        """Return the label of an input, with the question that asks for it; a long label is replaced by the name and the symbol."""
        words = quantity_label(self.test, name)
        is_long = name in self.test.inputs and (name == "alpha" or len(words) > MOST_CHARACTERS)
        label = of + (f"{name} (${self.test.inputs[name]['symbol']}$)" if is_long else f"'{words}'")
        return f"{label} (your answer to {self.diagnosis.earlier[name].key})" if name in self.diagnosis.earlier else label

    # -- the inputs ----------------------------------------------------------------------------------------------------------
    def _places(self) -> Iterator[tuple[str, Any, Mapping[str, Any]]]:
        """Yield each input of the formula, its value and the values of the other inputs; then the same for inputs of those inputs."""
        slots = self._values(self.diagnosis.step.slots)
        yield from self._of(slots, {})
        for name, value in slots.items():
            if name in self.test.steps and name not in self.diagnosis.earlier:
                rest = {other: kept for other, kept in slots.items() if other != name}
                inner = {other: one for other, one in self._values(self.test.steps[name].slots).items() if other not in slots}
                # a count is the size of a column, which does not change with the numbers in the column, so ignore its inputs
                is_count = np.asarray(value).dtype.kind in "iu" and not np.ndim(value)
                yield from self._of({} if is_count else inner, rest)

    def _of(self, slots: dict[str, Any], rest: Mapping[str, Any]) -> Iterator[tuple[str, Any, Mapping[str, Any]]]:
        # if the student's line is known, do not replace right answers by other numbers, because the line shows its numbers
        known = self.diagnosis.earlier if self.diagnosis.line_remarks else {}
        for name, value in slots.items():
            if np.asarray(value).dtype.kind in "iuf" and np.size(value) and not (name in known and known[name].is_right):
                kept = {**rest} | {other: one for other, one in slots.items() if other != name}
                # yield a count on which other inputs depend twice: changed in the whole calculation, and changed in this step only
                independent = {other: one for other, one in kept.items() if not self._depends(other, name)}
                if len(independent) < len(kept) and self._counts_something(name, value):
                    yield name, value, independent
                yield name, value, kept

    def _values(self, names: Any) -> dict[str, Any]:
        known = {*self.test.steps, *self.test.inputs}
        return {name: getattr(self.test, name) for name in dict.fromkeys(names) if name in known}

    def _value(self, name: str, value: Any, rest: Mapping[str, Any]) -> Any:
        """Return the answer that follows if an input has another value; nan if the value is impossible."""
        with suppress(Exception), np.errstate(all="ignore"):
            if self.left > 0:
                self.left -= 1
                return np.asarray(self.diagnosis.value_in(self.test.assuming(**rest, **{name: value})), float)
        return np.full(self.x.shape, np.nan)

    def _fits(self, value: Any) -> bool:
        if np.shape(value) != self.x.shape or not np.isfinite(value).all() or is_equal(value, self.diagnosis.right):
            return False
        return is_equal(self.x, value) if self.x.ndim and not self.is_long else bool(np.all(np.abs(value - self.x) <= self.room))

    def _counts(self, *, is_likely: bool = True) -> Iterator[Implied]:
        """Yield whole numbers in the place of a count, if few whole numbers agree with such an answer by chance."""
        counts = {int(value) for name, value, _ in self._places() if self._counts_something(name, value)}
        counts |= {int(row.value) for row in self.test.worked() if not np.ndim(row.value) and np.asarray(row.value).dtype.kind in "iu"}
        for name, value, rest in self._places():
            if not self._counts_something(name, value):
                continue
            slips = (changed for n in counts for changed in (n, n - 1, 10 * n, n // 2))
            tried = {one for one in (*range(1, 31), *slips) if one > 0}
            tried |= {*range(61), *(int(self.x) + k for k in (-1, 0, 1))} if not is_likely and not self.x.ndim else set()
            tried = {one for one in tried if 0 <= one <= (MOST_COUNTED if self._is_arithmetic else FEWEST_COUNTED)}
            tried -= {int(value)}
            # for speed, first try only the counts that a reply can name; usually none of them gives the answer
            told = tried if is_likely else {one for one in tried if self._is_near(int(value), one, counts)}
            if not any(map(self._fits, self._from_counts(name, rest, told))):
                continue
            values = self._from_counts(name, rest, tried)
            fitting = [one for one, found in zip(sorted(tried), values, strict=True) if self._fits(found)]
            is_chance = is_likely and not self.is_long and not self.x.ndim and self._chance(values) > MAX_CHANCE
            if len(fitting) == 1 and not is_chance:
                yield Implied(name, value, fitting[0], rest)

    def _from_counts(self, name: str, rest: Mapping[str, Any], counts: set[int]) -> list[Any]:
        """Return the answers that follow from counts in the place of an input, in the order of the counts."""
        known = self.known.setdefault((name, *rest), {})
        known |= {one: self._value(name, one, rest) for one in sorted(counts) if one not in known}
        return [known[one] for one in sorted(counts)]

    def _counts_something(self, name: str, value: Any) -> bool:
        """Return whether an input is a count: a whole number, or a number that must be whole."""
        is_whole = np.asarray(value).dtype.kind in "iu" or (name in self.test.steps and is_count_check(self.test.steps[name].check))
        return is_whole and not np.ndim(value)

    @cached_property
    def _is_arithmetic(self) -> bool:
        """Return whether the formula uses no distribution, because distributions with large counts are slow."""
        steps = [self.diagnosis.step, *(self.test.steps[name] for name in self.diagnosis.step.slots if name in self.test.steps)]
        return not any(re.search(DISTRIBUTION, step.template(self.test)) for step in steps)

    def _chance(self, values: list[Any]) -> float:
        near = sum(bool(abs(value - self.x) <= WINDOW * abs(self.x)) for value in values)
        return float(near * (0.5 if self.is_count else self.room) / (WINDOW * abs(self.x)))

    def _other_degrees(self, *, is_likely: bool = True) -> list[Implied]:
        """Return null distributions with wrong degrees of freedom that give the answer: likely ones, or (not `is_likely`) counts."""
        law = getattr(self.test, NULL, None)
        if NULL not in self.diagnosis.step.slots or not isinstance(law, StudentT | ChiSquared | FisherF) or np.ndim(law.df):
            return []
        df = float(law.df)
        if not is_likely:
            if self.x.ndim or significant_digits(self.x) < LEAST_DIGITS:
                return []
            counts = [
                row.value for row in self.test.worked() if self._counts_something(row.name, row.value) and 2 < row.value <= MOST_DEGREES
            ]
            others = {float(n) - k for n in counts for k in (0, 1)} - {df}
            laws = (replace(law, df=one) for one in sorted(others))
            return [Implied(NULL, law, one) for one in laws if self._fits(self._value(NULL, one, {}))][:1]
        beside = [replace(law, df=one) for one in (df - 1, df + 1, 2 * df) if one > 0]
        if isinstance(law, FisherF):
            other = float(law.df_error)
            beside = [*beside[:2], FisherF(other, df), *(FisherF(df, one) for one in (other - 1, other + 1, other + df) if one > 0)]
        return [Implied(NULL, law, one) for one in beside if self._fits(self._value(NULL, one, {}))]

    def _changed_columns(self) -> Iterator[Implied]:
        """Yield changed columns and exchanged numbers that give the answer."""
        if not self.is_long and self.x.size < LEAST_DIGITS:
            return
        places = [*self._places()]
        columns = {name: np.asarray(value) for name, value, _ in places if np.ndim(value)}
        for words, changed in CHANGES if columns else ():
            with suppress(Exception), np.errstate(all="ignore"):
                for name, _, rest in (place for place in places if place[0] in columns):
                    if self._fits(self._value(name, changed(columns[name]), rest)):
                        yield Implied(name, columns[name], None, words=words)
                name, *others = columns
                if others and self._fits(self._value(name, changed(columns[name]), {one: changed(columns[one]) for one in others})):
                    yield Implied(name, columns[name], None, words=f"{words} (in each column or table)")
        numbers = [(name, value, rest) for name, value, rest in places if not np.ndim(value)]
        for (one, first, rest), (other, second, _) in combinations(numbers, 2):
            if other in rest and self._fits(self._value(one, second, {**rest, other: first})):
                yield Implied(one, first, None, words=f"{self._label(other)}, and the other way round,")

    @cached_property
    def _sums(self) -> list[Implied]:
        """Return the sum that a column of whole numbers must have, if the answer depends only on this sum."""
        found = []
        for name, value, rest in self._places() if not self.x.ndim else ():
            column = np.asarray(value, float)
            if column.ndim == 1 and column.size > 1 and np.all(column == np.floor(column)):
                ends = [column + shift * (np.arange(column.size) == place) for place, shift in ((0, 1), (column.size - 1, 1), (0, 2))]
                one, other, two = (self._value(name, end, rest) - self.diagnosis.y for end in ends)
                if one and np.isclose(one, other, rtol=1e-9) and np.isclose(two, 2 * one, rtol=1e-9):
                    total = float(column.sum() + (self.x - self.diagnosis.y) / one)
                    found.append(Implied(name, column.sum(), total, rest, of=SUM_OF))
        return found

    @property
    def _possible_sums(self) -> list[Implied]:
        """Return the implied sums; if the terms are not means, only sums for which exactly one whole number gives the answer."""
        found = []
        for one in self._sums:
            is_of_means = one.name in self.test.steps and r"\frac" in self.test.steps[one.name].template(self.test)
            slope = abs((self.x - self.diagnosis.y) / (one.value - one.right))
            room, whole = max(float(self.room), ROUNDING * abs(float(self.x))), float(np.rint(one.value))
            if is_of_means:
                found.append(one)
            elif (off := abs(one.value - whole) * slope) <= room < slope - off and whole != one.right:
                found.append(one._replace(value=whole))
        return found

    def _is_near(self, right: int, count: int, counts: set[int]) -> bool:
        """Return whether a count differs from the right one by a usual slip: a factor of at most 2, or of 10, or another count."""
        return count in counts or count + 1 in counts or count in (10 * right, right // 10) or right <= 2 * count <= 4 * right

    def _mistaken(self) -> list[Implied]:
        """Return inputs that the student has probably replaced by another number; of several kinds of numbers, the likeliest.

        Kinds: two exchanged digits, a simple change of the input, another number of the page.
        """
        if self.x.ndim or significant_digits(self.x) < LEAST_DIGITS - 1:
            return []
        kinds = (self._exchanged_digits, self._other_levels, self._turned, self._other_numbers)
        found = (
            [one._replace(value=value, note=note) for one in self._numbers for value, note in kind(one) if self._stands_for(one, value)]
            for kind in kinds
        )
        return next(filter(None, found), [])

    def _stands_for(self, one: Implied, value: float) -> bool:
        """Return whether a number in the place of an input gives the answer."""
        is_close = abs(value - one.value) <= CLOSE_INPUT * abs(one.value) and not is_equal(value, one.right)
        return is_close and self._fits(self._value(one.name, value, one.rest))

    def _exchanged_digits(self, one: Implied) -> Iterator[tuple[float, str]]:
        if one.name in self.diagnosis.earlier or one.name in self.test.inputs:
            text = f"{one.right:.3g}"
            swapped = (text[:k] + text[k + 1] + text[k] + text[k + 2 :] for k in range(len(text) - 1) if "." not in text[k : k + 2])
            yield from ((float(other), ", which has two exchanged digits") for other in swapped if "e" not in text and other != text)

    def _other_levels(self, one: Implied) -> Iterator[tuple[float, str]]:
        yield from ((level, "") for level in LEVELS if one.name == "alpha")

    def _turned(self, one: Implied) -> Iterator[tuple[float, str]]:
        yield from ((turned(float(one.right)), note) for note, turned in TURNS if one.right > 0)

    def _other_numbers(self, one: Implied) -> Iterator[tuple[float, str]]:
        for row in self.test.worked():
            is_known = row.name in self.diagnosis.known_steps or row.name not in self.test.steps
            if is_known and row.name not in (one.name, "alpha") and not np.ndim(row.value) and np.asarray(row.value).dtype.kind == "f":
                value = float(abs(row.value))
                if 2 * value != np.floor(2 * value):
                    note = f", the value of '{quantity_label(self.test, row.name)}'"
                    yield from ((number, note) for number in dict.fromkeys((value, float(f"{value:.{LEAST_DIGITS}g}"))))

    @cached_property
    def _numbers(self) -> list[Implied]:
        """Return the number that each non-integer input must be, if only one number of the same sign gives the answer."""
        found = [one for place in self._places() if (one := self._number(*place)) is not None]
        return sorted(found, key=lambda one: not self._is_short(one))

    def _number(self, name: str, value: Any, rest: Mapping[str, Any]) -> Implied | None:
        if np.ndim(value) or np.asarray(value).dtype.kind != "f" or not value or not np.isfinite(value):
            return None
        points = FARTHEST ** np.linspace(-1, 1, 2 * STEPS + 1) * float(value)
        off = [self._error(name, one, rest) for one in (points[points <= 1] if self.test.is_probability(name) else points)]
        ends = [place for place in range(len(off) - 1) if off[place] * off[place + 1] < 0]
        if len(ends) != 1:
            return None
        (low, high), (below, above) = points[ends[0] : ends[0] + 2], off[ends[0] : ends[0] + 2]
        for _ in range(MOST_STEPS):  # root search: Illinois variant of the method of false position
            middle = high - above * (high - low) / (above - below)
            if (error := self._error(name, middle, rest)) * above < 0:
                low, below = high, above
            else:
                below /= 2
            high, above = middle, error
            if not abs(error) > 1e-12 * abs(self.x.flat[0]):
                break
        is_flat = self._error(name, 1.01 * high, rest) == self._error(name, high, rest)
        is_solved = (
            self._fits(self._value(name, high, rest)) if self.x.ndim else abs(above) <= max(float(self.room), 1e-6 * abs(float(self.x)))
        )
        return Implied(name, value, high, rest) if is_solved and not is_flat and not is_equal(high, value) else None

    def _error(self, name: str, value: Any, rest: Mapping[str, Any]) -> float:
        """Return the difference between the value of the formula and the answer; for a list, that of the first entry."""
        return float((self._value(name, value, rest) - self.x).flat[0])

    def _is_short(self, one: Implied) -> bool:
        """Return whether an implied number has fewer digits than the right number, so that a person probably typed it."""
        short = float(f"{one.value:.{LEAST_DIGITS}g}")
        has_fewer = self._is_round(one) and significant_digits(short) < significant_digits(one.right)
        return has_fewer and self._fits(self._value(one.name, short, one.rest))

    def _is_round(self, one: Implied) -> bool:
        """Return whether an implied number has as few digits as a typed number."""
        return self.is_long and abs(one.value - float(f"{one.value:.{MOST_DIGITS}g}")) <= 1e-7 * abs(one.value)

    def _is_of_the_page(self, one: Implied) -> bool:
        """Return whether an implied number equals a displayed number."""
        values = [value for name, value in self.diagnosis.tests.data.items() if np.asarray(value).dtype.kind in "iuf"]
        values += [row.value for row in self.test.worked() if np.asarray(row.value).dtype.kind in "iuf"]
        return self.is_long and any(bool(np.any(np.abs(np.asarray(value) - one.value) <= 1e-9 * abs(one.value))) for value in values)

    def _rounded(self, one: Implied) -> Any:
        """Return an input rounded so that it gives the answer; None if no rounding gives the answer."""
        for places in range(MOST_PLACES):
            rounded = np.round(one.right, places)
            is_close = abs(rounded - one.right) <= 0.1 * abs(one.right) and significant_digits(rounded) < significant_digits(one.right)
            if is_close and self._fits(self._value(one.name, rounded, one.rest)):
                return rounded
        return None
