"""Search for the single error in a student's calculation.

The right calculation is the formula of the step as a line of numpy, with the formulas of those steps in it that no earlier answer has shown
to be right. Each part is changed as :mod:`fstats.teaching.grading.student_lines.line_edits` lists. The reply names the change in words; it
shows no formula and no number.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from copy import copy
from importlib import import_module
from itertools import combinations, islice, permutations, tee
from typing import Any, NamedTuple
from warnings import catch_warnings

import numpy as np

from ....core.procedure import Procedure
from ....procedures.pairwise.signed_rank import SignedRank
from ..answers.answer_diagnosis import Diagnosis
from ..answers.answer_value import half_unit, has_full_precision, is_equal, is_real_valued, significant_digits
from ..exercise import required_steps
from ..hints.quantity_label import quantity_label
from ..student_lines import line_edits as slip
from ..student_lines.call_remarks import TESTS
from ..student_lines.evaluation_limits import Budget, NotRead
from ..student_lines.pure_evaluator import KnownQuantity
from .near_misses import SMALL
from .right_calculation import PLACE, SAME_PLACE, WHOLE_TERMS, WORK, RightCalculation, known_names

LEAST_ENTRIES = 2  # a list of at most this length is not searched, because too many slips give it
LEAST_DIGITS = 3  # a number with fewer significant digits equals the values of many slips by chance
LAST_RANK, OTHER_TEST_RANK = 3, 4
FEWEST_WAYS, MOST_WAYS = 2, 20  # largest m of a simple share m / 2^n: for numbers with all digits, and for rounded numbers
MOST_SLIPS = 3  # maximum number of slips that a reply lists
MAX_CHANCE_OF_A_TERM = 0.25  # maximum expected number of chance matches of a term of a sum; large, because the reply only asks a question
FARTHEST = 0.01  # upper bound of the relative error of rounding to three digits
MAX_CHANCE, WINDOW = 0.02, 0.3  # maximum expected number of chance matches; relative distance within which slips are counted to estimate it
SURE, PERHAPS = "The right calculation gives {} with one change: {}. Is this your slip?", "Equal to {}: {}."
TWO, MISTAKE = "The right calculation gives {} with two changes: {}.", "the mistake {!r}"
A_TERM = "Perhaps {1}; then your number{0} comes out. Which term may this be?"
COMPLEMENT = "Your number may be the count of the other cases, which do not fulfil the condition."
PAIR_RANK, WORK_ON_PAIRS, MOST_PAIRS_OF_MISTAKES = 2, 3_000, 100
FACTOR = "a factor is left out, or is there once too often, that follows from this quantity: {}"
LARGEST_TRIVIAL = 2  # factors up to this number have many possible causes
OTHER_TEST, TURNED = "the {} of {} on these data{}", ", with lines and columns of the table exchanged"
CHANGES = {
    slip.SIGN: "one operation (add, subtract, multiply or divide) is another one",
    slip.ORDER: "the two sides of a subtraction, a division or a power are exchanged",
    slip.EXTRA_ROOT: "a square root is left out",
    slip.NO_ROOT: "there is a square root too many",
    slip.NO_SQUARE: "there is a square too many",
    slip.NO_SIZE: "a sign is dropped that matters",
    slip.TWO: "a factor of 2 is left out, or is there once too often",
    slip.REST: "a probability and the probability of the opposite event are exchanged",
    slip.RECIPROCAL: "a numerator and its denominator are exchanged",
    slip.NEGATIVE: "a sign is changed",
    slip.BY_ONE: "a number is larger or smaller by one",
    slip.LAW: "another distribution is used",
    slip.SPREAD: "a variance and a standard deviation are exchanged",
    slip.AXIS: "the calculation goes along another direction of the table",
    slip.NESTED: "two operations are done in the other order",
    slip.ROOT_OVER: "a square root stands over too much, or over too little",
    slip.PARENTHESES: "parentheses are left out",
    slip.UNFINISHED_SPREAD: "a division and a square root are left out",
    slip.NO_ALTERNATIVE: "the test has another alternative hypothesis",
}
STARTS = (  # (first words of a remark on a line, description of the same slip without names and numbers)
    ("`abs` does", "a sign is not dropped"),
    ("`round`", "a number is not rounded"),
    ("`std` divides", "a standard deviation is divided by n instead of n - 1, or the other way round"),
    ("`var` divides", "a variance is divided by n instead of n - 1, or the other way round"),
    ("You typed", "another number is used for a number in the formula"),
)
# parts of vague descriptions; after such a description, the reply also suggests another input
VAGUE = (CHANGES[slip.BY_ONE], "another number is used", "one part of the calculation", "another function stands")
ONE_PLACE = re.escape(PLACE) + r"[^()]*(?:\([^()]*\)[^()]*)*\)"  # the place of a change, whose label may contain parentheses
TAIL_WORDS = "another function of the distribution is used: another tail, or a height instead of a probability"

# (description, function of the value) for a second change after a named mistake
TURNS: tuple[tuple[str, Callable[[Any], Any]], ...] = (
    (CHANGES[slip.TWO], lambda x: x / 2),
    (CHANGES[slip.TWO], lambda x: 2 * x),
    ("a square is left out", np.sqrt),
    ("a square root is left out", np.square),
    ("a sign is changed", np.negative),
    (CHANGES[slip.REST], lambda x: 1 - x),
    (CHANGES[slip.RECIPROCAL], lambda x: 1 / x),
)
MOST_ENTRIES = 200  # maximum number of entries of a sample or table on which other tests are tried
OTHER_STATISTICS, EMPTY = ("w_plus", "w_minus", "chi_squared", "plain_t"), np.empty(0)


class Slip(NamedTuple):
    """A change of the right calculation: its words, and how unlikely it is; `is_exact` if it explains a number with all digits only."""

    words: str
    rank: int
    value: Any
    is_exact: bool = False


class Stage:
    """Changed calculations that are equally likely, with their values in one array: each answer is compared with all at once."""

    def __init__(self, sentence: str, slips: Iterable[Slip], right: Any) -> None:
        self.sentence, self.slips = sentence, [slip for slip in slips if np.shape(slip.value) == right.shape]
        self.values = np.array([slip.value if np.asarray(slip.value).dtype.kind in "iuf" else right * np.nan for slip in self.slips], float)

    def near(self, x: Any) -> list[Slip]:
        """Return the slips whose values may be a number, or, of a single number, are near it."""
        if not self.slips:
            return []
        room = FARTHEST * (np.abs(self.values) + 1e-6) if x.ndim else WINDOW * abs(x)
        near = (np.abs(self.values - x) <= room).reshape(len(self.slips), -1).all(axis=1)
        found = (self.slips[place] for place in np.flatnonzero(near))
        return [slip for slip in found if not slip.is_exact or np.allclose(slip.value, x, rtol=1e-9, atol=0)]


def likely_slip(diagnosis: Diagnosis) -> str:
    """Return the sentence about the slip that gives the number; empty if no slip gives it, or too many."""
    with suppress(Exception):  # if the formula cannot be evaluated, no slip is reported
        return find_slip(diagnosis)
    return ""


def find_slip(diagnosis: Diagnosis) -> str:
    """Return the sentence about the slip; an error of the search is not suppressed."""
    x, y = diagnosis.x, diagnosis.y
    if not diagnosis.is_number or not np.isfinite(x).all() or not x.any() or y.ndim > 2:
        return ""
    if not _can_tell(diagnosis):
        return _complement(diagnosis)
    with np.errstate(all="ignore"), catch_warnings(action="ignore"):
        tried: list[Slip] = []
        for stage in _stages(diagnosis):
            tried += (new := stage.near(x))
            if fitting := [found for found in new if _gives(found.value, diagnosis)]:
                return "" if _chance(diagnosis, tried) > MAX_CHANCE else _told(diagnosis, stage.sentence, fitting)
    return ""


def term_of_a_sum(diagnosis: Diagnosis) -> str:
    """Say that the number comes out without one term of the sum, or with one term twice; empty if it does not, or if chance may explain it.

    Other calculations may give the number, too, so the sentence ends with a question.
    """
    x = diagnosis.x
    if x.ndim or not diagnosis.is_number or not np.isfinite(x) or not x:
        return ""
    found = diagnosis.kept(("terms", _shown(diagnosis)), lambda: Stage("", _terms(diagnosis), diagnosis.y)).near(x)
    words = dict.fromkeys(slip.words for slip in found if abs(slip.value - x) <= _room(x))
    near = {float(slip.value) for slip in found}
    is_half = not 2 * x % 1  # True for multiples of 1/2, such as ranks and counts
    if not words or len(near) * (0.25 if is_half else _room(x)) > MAX_CHANCE_OF_A_TERM * WINDOW * abs(x):
        return ""
    return A_TERM.format("" if has_full_precision(x) or is_half else ", rounded,", "; or if ".join(words))


def _shown(diagnosis: Diagnosis) -> frozenset[str]:
    """Return the steps that the student has already answered correctly."""
    return frozenset(step for step, answer in diagnosis.earlier.items() if answer.is_right)


def _terms(diagnosis: Diagnosis) -> Iterator[Slip]:
    """Yield the right calculation without one term of a sum, and with one term twice."""
    with suppress(Exception), np.errstate(all="ignore"):  # no term if the formula cannot be evaluated
        calculation = RightCalculation(diagnosis)
        found = ((edit, calculation.changed(edit)) for edit, _ in calculation.by_hand(sums=True) if edit.words in WHOLE_TERMS)
        yield from [Slip(edit.words, 1, value) for edit, value in found]


def _told(diagnosis: Diagnosis, sentence: str, fitting: list[Slip]) -> str:
    """Return the sentence about the most likely slips that give the number; empty if there are too many of them."""
    least = min(found.rank for found in fitting)
    words = list({found.words.partition(PLACE)[0]: found.words for found in fitting[::-1] if found.rank == least}.values())[::-1]
    is_whole = has_full_precision(diagnosis.x) or not np.any(diagnosis.x % 1)
    yours = "your numbers" if diagnosis.y.ndim else "your number" if is_whole else "your number, rounded,"
    sentence = PERHAPS if least == OTHER_TEST_RANK else sentence
    return _with_places_once(sentence.format(yours, "; or ".join(words))) if len(words) <= MOST_SLIPS else ""


def _with_places_once(sentence: str) -> str:
    """Replace the name of a step in a sentence by a short reference if the previous change belongs to the same step."""
    places = iter(["", *(found := re.findall(ONE_PLACE, sentence))])
    named = iter(SAME_PLACE if place == before else place for place, before in zip(found, places, strict=False))
    return re.sub(ONE_PLACE, lambda _: next(named), sentence)


def _complement(diagnosis: Diagnosis) -> str:
    """Return the sentence that a small count may be the number of the other cases."""
    match RightCalculation(diagnosis):
        case RightCalculation(root=ast.Call(args=[condition]) as root, world=world) if ast.unparse(root.func) == "np.sum":
            cases = np.asarray(world.value(condition, 1))
            if cases.dtype.kind == "b" and diagnosis.x == cases.size - diagnosis.y != diagnosis.y:
                return COMPLEMENT
    return ""


def _can_tell(diagnosis: Diagnosis) -> bool:
    """Return whether the answer has so many digits that few slips give it by chance."""
    if diagnosis.y.ndim:
        return diagnosis.y.size > LEAST_ENTRIES and len(set(diagnosis.x.flat)) > 1
    if not is_real_valued(diagnosis.right):
        return bool(abs(diagnosis.x) >= SMALL)
    return significant_digits(diagnosis.x) >= LEAST_DIGITS and not is_simple_share(diagnosis.x)


def is_simple_share(x: Any) -> bool:
    """Whether a number is a small whole number divided by a power of 2: many calculations with coins, or with counts, give it."""
    whole, power = float(abs(x)).as_integer_ratio()
    return power > 1 and whole <= (FEWEST_WAYS if has_full_precision(x) else MOST_WAYS)


def _room(x: Any) -> Any:
    """Return the permitted error: half a unit of the last digit of a number."""
    if abs(x) >= SMALL and x == np.floor(x):
        return 1e-6  # large whole numbers are counts, and students do not round counts
    return 1e-9 * np.abs(x) if has_full_precision(x) else half_unit(x)


def _gives(value: Any, diagnosis: Diagnosis) -> bool:
    x = diagnosis.x
    if not x.ndim and not abs(value - x) <= FARTHEST * abs(x):  # fast path
        return False
    if np.asarray(value).dtype.kind not in "iuf" or is_equal(value, diagnosis.right) or not np.isfinite(value).all():
        return False
    if x.ndim:
        return bool(np.allclose(value, x, rtol=1e-9, atol=1e-12)) if has_full_precision(x) else is_equal(x, value)
    return bool(abs(value - x) <= _room(x))


def _chance(diagnosis: Diagnosis, slips: list[Slip]) -> float:
    """Return the expected number of other slips that give a number of this size by chance."""
    x = diagnosis.x
    if x.ndim or has_full_precision(x):
        return 0.0
    is_whole = x == np.floor(x) and diagnosis.right == np.floor(diagnosis.right)
    values = {float(found.value) for found in slips if abs(found.value - x) <= WINDOW * abs(x)}
    near = {value for value in values if not is_whole or value == np.floor(value)}
    return float(max(len(near) - 1, 0) * (0.5 if is_whole else _room(x)) / (WINDOW * abs(x)))


def _stages(diagnosis: Diagnosis) -> Iterator[Stage]:
    """Yield the changed calculations in stages, likely changes first, up to the last stage that is informative for this answer."""
    # The stored `tee` iterator itself is never advanced, so each copy of it begins with the first stage. The copies share the
    # computed stages: each stage is computed only once, when an answer needs it.
    stages = copy(diagnosis.kept(("slips", _shown(diagnosis)), lambda: tee(_all_stages(diagnosis), 1)[0]))
    yield from islice(stages, 2)
    mistakes = diagnosis.kept("two mistakes", lambda: [*_two_mistakes(diagnosis)])
    if diagnosis.line_remarks:  # the search in the student's line has already tried two changes
        yield Stage(TWO, (pair for pair in mistakes if pair.rank == PAIR_RANK), diagnosis.y)
        return
    yield from islice(stages, 1)
    yield Stage(TWO, mistakes, diagnosis.y)
    # continue only with lists and long numbers, because two changes often give counts, rank sums and short numbers by chance
    if diagnosis.y.ndim or (2 * diagnosis.x != np.floor(2 * diagnosis.x) and significant_digits(diagnosis.x) > LEAST_DIGITS):
        yield from stages


def _all_stages(diagnosis: Diagnosis) -> Iterator[Stage]:
    """Yield the likely changes of one part, slips of a calculation by hand, the other changes of one part, and two likely changes."""
    shown, opened = RightCalculation(diagnosis), RightCalculation(diagnosis, is_open=True)
    opened = opened if opened.is_right else shown
    edits, places = [*_edits(opened, diagnosis.test)], {place for _, place in shown.trees}
    own = [(edit, words) for edit, words in edits if "".join(words.partition(PLACE)[1:]) in places]
    first = [(edit, words) for edit, words in own if not edit.quantity or edit.quantity in shown.counts]
    yield Stage(SURE, [*_changed(opened, first), *_factors(shown), *_other_tests(diagnosis)], diagnosis.y)
    opened.budget = opened.world.budget = Budget(WORK)
    yield Stage(SURE, _changed(opened, ((edit, edit.words + place) for edit, place in opened.by_hand())), diagnosis.y)
    opened.budget = opened.world.budget = Budget(WORK)
    done = {id(edit) for edit, _ in first}
    yield Stage(SURE, _changed(opened, (pair for pair in edits if id(pair[0]) not in done)), diagnosis.y)
    # combine only changes with a clear description; leave out those that replace a quantity by another quantity
    simple = [pair for pair in edits if pair[0].words != slip.OTHER_PART and not any(one in pair[1] for one in VAGUE[1:])]
    likely = [pair for pair in simple if pair[0].is_likely and pair[0].rank <= PAIR_RANK]
    opened.budget = opened.world.budget = Budget(WORK_ON_PAIRS)
    yield Stage(TWO, _pairs(opened, likely), diagnosis.y)


def _edits(calculation: RightCalculation, test: Procedure) -> Iterator[tuple[slip.Edit, str]]:
    """Yield the changes of one part, each with its description."""
    parts = calculation.parts()
    found = ((edit, place) for part, place in parts for edit in slip.edits(part, calculation.counts, False) if edit.rank <= LAST_RANK)
    for edit, place in (*found, *calculation.unfinished()):
        # students forget parentheses but rarely add wrong ones, so skip edits that do not reduce their number
        is_added = edit.words == slip.PARENTHESES and ast.unparse(edit.replacement).count("(") >= ast.unparse(edit.part).count("(")
        if not is_added and (words := _words(edit, test)):
            yield edit, words + place


def _changed(calculation: RightCalculation, edits: Iterable[tuple[slip.Edit, str]]) -> Iterator[Slip]:
    for edit, words in edits:
        with suppress(NotRead):
            yield Slip(words, edit.rank, calculation.changed(edit))
        if calculation.budget.units < 0:
            return


def _factors(calculation: RightCalculation) -> Iterator[Slip]:
    """Yield the right number multiplied or divided by a count, a count minus 1, or the root of one of them."""
    y = np.asarray(calculation.diagnosis.y, float)
    for row in (row for row in calculation.test.worked() if not np.ndim(row.value) and np.asarray(row.value).dtype.kind in "iu"):
        for factor in (factor for factor in (float(row.value), float(row.value) - 1) if factor > LARGEST_TRIVIAL):
            words = FACTOR.format(quantity_label(calculation.test, row.name))
            yield from (Slip(words, 1, value, True) for value in (y * factor, y / factor, y * factor**0.5, y / factor**0.5))


def _pairs(calculation: RightCalculation, likely: list[tuple[slip.Edit, str]]) -> Iterator[Slip]:
    """Yield the value of the calculation with two changes."""
    for (one, first), (other, second) in combinations(likely, 2):
        if one.part is not other.part and first != second:
            with suppress(NotRead):
                yield Slip(f"{first}; and {second}", one.rank + other.rank, calculation.changed(one, other))
            if calculation.budget.units < 0:
                return


def _two_mistakes(diagnosis: Diagnosis) -> Iterator[Slip]:
    """Yield the values of a named mistake followed by another change, and of two named mistakes."""
    mistakes = [(one, value) for one, value in diagnosis.mistake_values.items() if not is_equal(value, diagnosis.right)]
    for one, value in mistakes:
        for words, turned in TURNS if np.asarray(value).dtype.kind in "iuf" else ():
            yield Slip(f"{MISTAKE.format(one.name)}; and {words}", 1, turned(np.asarray(value, float)))
    pairs = ((one, other) for (one, _), (other, _) in permutations(mistakes, 2) if one.step != other.step)
    for one, other in islice(
        (pair for pair in pairs if pair[0].step in required_steps(pair[1].wrong, pair[1].step)), MOST_PAIRS_OF_MISTAKES
    ):
        with suppress(Exception):  # the test may raise an error for the value of the first mistake
            test = diagnosis.tests[other.wrong].assuming(**{one.step: getattr(diagnosis.tests[one.wrong], one.step)})
            # The last argument, `is_exact`, permits only answers with all digits: there are many pairs of mistakes, and
            # rounded numbers often agree with one of them by chance.
            yield Slip(f"{MISTAKE.format(one.name)}; and {MISTAKE.format(other.name)}", 2, diagnosis.value_in(test), True)


def _other_tests(diagnosis: Diagnosis) -> Iterator[Slip]:
    """Yield the statistics and p-values that tests of SciPy compute from the columns of the exercise."""
    test, step = diagnosis.test, diagnosis.question.step
    is_p = test.is_probability(step)
    if not is_p and "statistic" not in step and step not in OTHER_STATISTICS:
        return
    data = {name: np.asarray(value) for name, value in diagnosis.tests.data.items()}
    stats = import_module("scipy.stats")  # scipy.stats takes half a second to import, so import it only here
    for name, columns in _samples(data):
        with suppress(Exception):  # the test may raise an error on these data
            # scipy.stats.wilcoxon is slow if there are ties, so the package's own test is used
            exact = SignedRank(*columns) if name == "wilcoxon" else getattr(stats, name)(*columns)
            normal = [stats.wilcoxon(*columns, method="asymptotic", correction=one) for one in (False, True) if name == "wilcoxon"]
            told = TESTS[name], TURNED * (columns is data.get("scores"))
            for found in (exact, *normal):
                what, value = ("p-value", found.pvalue) if is_p else ("statistic", found.statistic)
                yield Slip(OTHER_TEST.format(what, *told), OTHER_TEST_RANK, value)
                for share in (value / 2, 1 - value / 2) if is_p and name in slip.TESTS_WITH_SIDES else ():
                    yield Slip(OTHER_TEST.format("one-sided p-value", *told), OTHER_TEST_RANK, share)


def _samples(data: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the names of tests of SciPy, with samples for which a student may have called the test."""
    pair, table = [data.get(name, EMPTY) for name in ("a", "b")], data.get("scores", EMPTY)
    if all(x.dtype.kind in "iuf" and x.ndim == 1 and 2 < x.size <= MOST_ENTRIES for x in pair):
        yield from ((name, pair) for name in ("ttest_rel", "ttest_ind", "wilcoxon", "mannwhitneyu"))
    if table.ndim == 2 and min(table.shape) > 2 and table.size <= MOST_ENTRIES:
        yield from ((name, columns) for columns in (table.T, table) for name in ("friedmanchisquare", "f_oneway", "kruskal"))
    if 2 < (one := data.get("d", EMPTY)).size <= MOST_ENTRIES:
        yield "ttest_1samp", (one.ravel(), 0)


def _words(edit: slip.Edit, test: Procedure) -> str:
    """Return the description of a slip."""
    if edit.words == slip.NOT_PART and isinstance(edit.marked, ast.Name) and edit.marked.id in known_names(test):
        return f"this quantity is left out: {quantity_label(test, edit.marked.id)}"
    if edit.words == slip.NOT_PART and isinstance(edit.marked, ast.Constant):
        return f"the number {edit.marked.value!r} is left out"
    if edit.words == slip.NOT_PART and edit.rank == 1:
        return "one part of the calculation is left out"
    is_name = isinstance(edit.part, ast.Name) and edit.part.id in known_names(test)
    if edit.words == slip.OTHER_PART and edit.quantity and is_name and isinstance(edit.replacement, KnownQuantity):
        ends = (quantity_label(test, name) for name in (edit.quantity, ast.unparse(edit.part)))
        return "the first of these two quantities stands in the place of the second: {}; {}".format(*ends)
    if edit.words.startswith("`") and edit.words.endswith("is not the right function here."):
        return "another function stands in the place of {}".format(edit.words.partition(" ")[0])
    if edit.words.startswith("`") and re.search("another function of the distribution|from the wrong end", edit.words):
        return TAIL_WORDS
    return CHANGES.get(edit.words) or next((words for start, words in STARTS if edit.words.startswith(start)), "")
