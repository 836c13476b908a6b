r"""Search for a formula that gives a student's wrong number.

The search runs if no named mistake explains the number. A number with all digits of a computer identifies its formula. A number with
three digits may agree by chance, so only the simplest formulas of the right line's inputs are tried; for counts no formula is tried.

A student reads a formula only if a student may have computed it: at most two operations on values in front of the student, none of which
is 0 or 1, and so few formulas near the number that a random number rarely agrees with one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, permutations
from typing import Any

import numpy as np

from ..answers.answer_context import AnswerContext
from ..answers.answer_value import half_unit, has_full_precision, is_equal, rounding_error, significant_digits
from .formula_term import FormulaTerm
from .mistaken_distributions import laws_taken, limits, tails

SHORT = 3  # minimum number of significant digits of a number whose formula is searched
MOST_TERMS = 4  # maximum number of inputs for which all sums with signs are tried
MOST_PARTS = 6  # maximum number of inputs for which all combinations of three are tried
MAX_COMPLEXITY = 6, 4  # maximum complexity of a formula: for numbers with all digits, and for numbers with few digits
EQUAL_TOLERANCE = 1e-9
MAX_OPERATIONS = 2  # maximum number of operations in a formula that a reply shows
OPERATION = re.compile(
    r"\\frac|\\sqrt|\^2(?!\w)|\\cdot|\\,P|\bP\(| [-+] (?!1(?:\)|\\text))|^-|\\min|height|^\||argsort|sorted|up to|added up|value of"
)
MAX_CHANCE = 0.03  # maximum expected number of formulas that give the number by chance
WINDOW = 0.3  # maximum relative difference of the formulas that are counted to estimate the expected number of chance matches
EXPECTED_TERM_COST = 1  # additional complexity of a formula that contains the right value itself
FACTORS = (3, 4, 5, 6, 8, 9, 10, 12)
# (name in formulas, function) for a summary of a column, or of a table along an axis
SUMMARIES: tuple[tuple[str, Callable[[Any, int | None], Any]], ...] = (
    ("mean", np.mean),
    ("sum", np.sum),
    ("sum of the squares", lambda values, axis: np.sum(values**2, axis)),
    ("median", np.median),
    ("largest", np.max),
)


def origin(context: AnswerContext, *, likely: bool = False) -> str:
    """Return the simplest formula that gives the number, as TeX; empty if no formula gives it, or if several are equally simple.

    If `likely` is true, return only a formula that a student may have computed and that rarely agrees by chance.
    """
    x, y = context.x, context.y
    if not context.is_number or not np.isfinite(x).all() or not x.any() or y.ndim > 2:
        return ""
    if not x.ndim and (significant_digits(x) < SHORT or (x == np.floor(x) and y == np.floor(y))):
        return ""
    search = Search(context, likely=likely)
    with np.errstate(all="ignore"):
        formulas = [line for line in search.lines() if line.cost <= search.max_complexity and (not likely or search.is_likely(line))]
        least = min((line.cost for line in formulas), default=0)
        simplest = list(dict.fromkeys(line.tex for line in formulas if line.cost == least))
        if not simplest or (not search.long and len(simplest) > 1) or (likely and search.chance(least) > MAX_CHANCE):
            return ""
    return simplest[0]


class Search:
    """The wrong number, and the values known to the student from which formulas are built."""

    def __init__(self, context: AnswerContext, *, likely: bool = False) -> None:
        self.test, self.step, self.y = context.test, context.step, context.y
        self.x = context.x.astype(float)
        self.long = has_full_precision(self.x)
        self.max_complexity = MAX_COMPLEXITY[not self.long]
        # permitted error: the floating-point error if all digits are given, otherwise half a unit of the last digit
        is_single = likely and not self.x.ndim
        error = half_unit(self.x) if is_single and not self.long else rounding_error(self.x)
        self.room = EQUAL_TOLERANCE * np.abs(self.x) + (0 if is_single else 1e-14) if self.long else error
        self.parts = _page_terms(context)
        self.of_the_line = [part for name, part in self.parts.items() if name in self.step.slots]
        self.scalars = _scalar_terms(self.parts.values())

    def lines(self) -> Iterator[FormulaTerm]:
        """Yield the formulas that give the number, in the order in which they are tried."""
        kinds = (_sums, _columns) if self.x.ndim else (_sums, _looked_up, _one_term_formulas, _two_term_formulas, _three_term_formulas)
        return filter(self.fits, chain.from_iterable(kind(self) for kind in kinds))

    def fits(self, line: FormulaTerm) -> bool:
        """Whether a formula gives the wrong number and is not the right value."""
        value = np.asarray(line.value)
        if not self.x.ndim:  # fast path: most formulas give another single number
            return not value.ndim and bool(abs(value[()] - self.x[()]) <= self.room) and value[()] != self.y[()]
        if value.shape != self.x.shape or np.array_equal(value, self.y):
            return False
        return bool(np.all(np.abs(value - self.x) <= self.room)) if self.long else is_equal(self.x, value)

    def is_likely(self, line: FormulaTerm) -> bool:
        """Whether a formula has at most two operations, and its arithmetic has no value of 0 or 1."""
        tex, used = line.tex, []
        for part in sorted(self.parts.values(), key=lambda part: len(part.tex), reverse=True):
            tex, count = re.subn(rf"(?<![\\A-Za-z]){re.escape(part.tex)}(?![A-Za-z])", "x", tex)
            used += [part.value] * bool(count)
        # two roots in a quotient or product, such as sqrt(a) / sqrt(b), count as one operation
        operations = len(OPERATION.findall(tex)) - tex.startswith((r"\frac{\sqrt", r"\sqrt")) * (tex.count(r"\sqrt") > 1)
        changes_nothing = "P(" not in tex and any(not np.ndim(value) and value in (0, 1) for value in used)
        return operations <= MAX_OPERATIONS and not changes_nothing

    def chance(self, cost: float) -> float:
        """Return the expected number of formulas of at most this complexity that agree by chance with a number of this size."""
        if self.long or self.x.ndim:
            return 0.0
        room, self.room = self.room, WINDOW * np.abs(self.x)
        near = {line.tex for line in self.lines() if line.cost <= cost and self.is_likely(line)}
        return float((len(near) - 1) * room / self.room)

    @property
    def pool(self) -> list[FormulaTerm]:
        """Numbers from which formulas are built: all numbers of the page for a long number, else only those of the right line."""
        return [*self.scalars, *_column_summaries(self.parts.values())] if self.long else _scalar_terms(self.of_the_line)


# -- values of the page ----------------------------------------------------------------------------------------------------------
def _page_terms(context: AnswerContext) -> dict[str, FormulaTerm]:
    """Return the displayed values, by name."""
    parts = {}
    for row in context.test.worked():
        value = np.asarray(row.value)
        is_met = row.name in context.known_steps or row.name not in context.test.steps
        if is_met and value.dtype.kind in "fiu" and value.size <= 1000 and np.isfinite(value).all():
            own = row.name == context.step.name
            cost = 1 + (EXPECTED_TERM_COST if own else 0 if row.name in context.step.slots else 0.5)
            counts = not value.ndim and value.dtype.kind in "iu" and bool(value > 1)
            parts[row.name] = FormulaTerm(row.symbol, value.astype(float), cost, counts, own)
    return parts


def _scalar_terms(parts: Iterable[FormulaTerm]) -> list[FormulaTerm]:
    return [part for part in parts if not np.ndim(part.value)]


def _column_summaries(parts: Iterable[FormulaTerm]) -> Iterator[FormulaTerm]:
    """Yield the common summaries of each displayed column."""
    for s, column, c, *_ in parts:
        if not column.ndim or not 2 < column.size <= 100:
            continue
        yield from (FormulaTerm(rf"\text{{{word} of }}{s}", summary(column, None), c + 1) for word, summary in SUMMARIES)
        yield FormulaTerm(rf"\text{{smallest of }}{s}", column.min(), c + 1)
        yield FormulaTerm(rf"\text{{standard deviation of }}{s}\text{{ (by }}n - 1\text{{)}}", column.std(ddof=1), c + 1)
        yield FormulaTerm(rf"\text{{standard deviation of }}{s}\text{{ (by }}n\text{{)}}", column.std(), c + 1.5)
        yield FormulaTerm(rf"\text{{mean size of }}{s}", abs(column).mean(), c + 1)


# -- formulas that give a number -------------------------------------------------------------------------------------------------
def _sums(search: Search) -> Iterator[FormulaTerm]:
    """Yield sums and differences of some inputs of the right formula; a column is combined with each column of a table."""
    parts = search.of_the_line
    if not 2 <= len(parts) <= MOST_TERMS:
        return
    table = next((np.shape(p.value) for p in parts if np.ndim(p.value) == 2), None)
    values = [p.value[:, np.newaxis] if table and np.shape(p.value) == table[:1] != table[1:] else p.value for p in parts]
    for signs in np.ndindex(*[3] * len(parts)):
        chosen = [(s, p, v) for s, p, v in zip(signs, parts, values, strict=True) if s]
        if len(chosen) < (1 if table else 2):
            continue
        try:
            total = sum((v if s == 1 else -v) for s, _, v in chosen)
        except ValueError:  # columns of different lengths cannot be added
            continue
        tex = " ".join(f"{'+' if s == 1 else '-'} {p.tex}" for s, p, _ in chosen).removeprefix("+ ")
        yield FormulaTerm(tex, total, sum(p.cost for _, p, _ in chosen) + 1)


def _looked_up(search: Search) -> Iterator[FormulaTerm]:
    """Yield tail probabilities and critical values, if the right formula uses a distribution."""
    test, template = search.test, search.step.template(search.test)
    if "null" not in search.step.slots and "P(" not in template and "x :" not in template:
        return
    laws = laws_taken(test, search.scalars, search.long)
    # leave out probabilities, because a tail area begins at a value of the statistic; also leave out the right value itself
    excluded = {part.tex for name, part in search.parts.items() if part.own or test.is_probability(name)}
    at = search.scalars if search.long else _scalar_terms(search.of_the_line)
    yield from tails(laws, [part for part in at if part.tex not in excluded])
    yield from limits(laws, search.scalars if search.long else [], float(getattr(test, "alpha", 0.05)), search.x, search.room)


def _one_term_formulas(search: Search) -> Iterator[FormulaTerm]:
    """Yield formulas with one number."""
    for part in search.pool:
        yield from _powers(part)
        yield from _unary_variants(part)


def _two_term_formulas(search: Search) -> Iterator[FormulaTerm]:
    """Yield formulas with two numbers, at least one of them from the right formula, because many other pairs agree by chance."""
    ones = [turned for part in search.pool for turned in _powers(part)]
    of_the_line = {part.tex for part in search.of_the_line} | {part.tex for part in search.parts.values() if part.own}
    yield from _pairs(ones, ones, search, {turned.tex for part in search.pool if part.tex in of_the_line for turned in _powers(part)})


def _three_term_formulas(search: Search) -> Iterator[FormulaTerm]:
    """Yield formulas with two numbers of the right formula and a third number."""
    near = _scalar_terms(search.of_the_line)
    if search.long and len(near) <= MOST_PARTS:
        basis = [turned for part in near for turned in _powers(part)]
        yield from _pairs([turned for pair in _combine(basis) for turned in _turned_pair(pair)], basis, search)


# -- formulas of one value, and of two -----------------------------------------------------------------------------------------------
def _powers(part: FormulaTerm) -> Iterator[FormulaTerm]:
    """Yield a value, its square root and its square; for a count, also the count minus one and its root."""
    s, x, c, counts, _ = part
    yield part
    yield FormulaTerm(rf"\sqrt{{{s}}}", np.sqrt(x), c + 1)
    yield FormulaTerm(rf"({s})^2" if len(s) > 1 else rf"{s}^2", x**2, c + 1)
    if counts:
        yield FormulaTerm(rf"({s} - 1)", x - 1, c + 0.5, True)
        yield FormulaTerm(rf"\sqrt{{{s} - 1}}", np.sqrt(x - 1), c + 1.5)


def _unary_variants(part: FormulaTerm) -> Iterator[FormulaTerm]:
    """Yield simple functions of a single value: multiples, the complement, the reciprocal and the negative."""
    s, x, c, _, own = part
    for factor in FACTORS if own else ():
        yield FormulaTerm(rf"{factor} \cdot {s}", factor * x, c + 1)
        yield FormulaTerm(rf"\frac{{1}}{{{factor}}} \cdot {s}", x / factor, c + 1)
        yield FormulaTerm(rf"\sqrt{{{factor}}} \cdot {s}", np.sqrt(factor) * x, c + 1.5)
        yield FormulaTerm(rf"\frac{{1}}{{\sqrt{{{factor}}}}} \cdot {s}", x / np.sqrt(factor), c + 1.5)
    yield FormulaTerm(rf"1 - {s}", 1 - x, c + 1)
    yield FormulaTerm(rf"2 \cdot {s}", 2 * x, c + 1)
    yield FormulaTerm(rf"\frac{{1}}{{2}} \cdot {s}", x / 2, c + 1)
    yield FormulaTerm(rf"\frac{{1}}{{{s}}}", 1 / x, c + 1)
    yield FormulaTerm(rf"-{s}", -x, c + 1)


def _turned_pair(part: FormulaTerm) -> Iterator[FormulaTerm]:
    s, x, c = part[:3]
    yield part
    yield FormulaTerm(rf"\sqrt{{{s}}}", np.sqrt(x), c + 1)
    yield FormulaTerm(rf"\left({s}\right)^2", x**2, c + 1)
    yield FormulaTerm(rf"(|{s}| - 1)", abs(x) - 1, c + 1)
    yield FormulaTerm(rf"(|{s}| - 1)^2", (abs(x) - 1) ** 2, c + 1.5)


BINARY_OPERATIONS: tuple[tuple[str, Callable[[Any, Any], Any]], ...] = (
    (r"{0} + {1}", np.add),
    (r"{0} - {1}", np.subtract),
    (r"{0} \cdot {1}", np.multiply),
    (r"\frac{{{0}}}{{{1}}}", np.divide),
)


def _pairs(ones: list[FormulaTerm], others: list[FormulaTerm], search: Search, among: set[str] | None = None) -> Iterator[FormulaTerm]:
    """Yield sums, differences, products and quotients of two values that give the number; at least one is in `among`."""
    if not ones or not others:
        return
    left, right = np.array([p.value for p in ones])[:, np.newaxis], np.array([p.value for p in others])
    for written, paired in BINARY_OPERATIONS:
        for i, j in np.argwhere(np.abs(paired(left, right) - search.x) <= search.room):
            one, other = ones[i], others[j]
            gives_away = (one.own or other.own) and paired in (np.add, np.subtract)
            # students hardly combine a number with its own root
            is_of_its_root = rf"\sqrt{{{one.tex}}}" == other.tex or rf"\sqrt{{{other.tex}}}" == one.tex
            if one.tex != other.tex and not gives_away and not is_of_its_root and (among is None or {one.tex, other.tex} & among):
                yield _paired(written, paired, one, other)


def _combine(ones: list[FormulaTerm]) -> Iterator[FormulaTerm]:
    for one, other in permutations(ones, 2):
        yield from (_paired(written, paired, one, other) for written, paired in BINARY_OPERATIONS)


def _paired(written: str, paired: Callable[[Any, Any], Any], one: FormulaTerm, other: FormulaTerm) -> FormulaTerm:
    tex = [_bracketed(part.tex) if paired is np.multiply else part.tex for part in (one, other)]
    return FormulaTerm(written.format(*tex), paired(one.value, other.value), one.cost + other.cost + 1)


def _bracketed(s: str) -> str:
    """Put a sum or a difference into parentheses, so that it can be a factor."""
    whole = s.startswith(("(", r"\left(", r"\frac", r"\sqrt"))
    return rf"\left({s}\right)" if not whole and (" + " in s or " - " in s) else s


# -- formulas that give a column or a table --------------------------------------------------------------------------------------
def _columns(search: Search) -> Iterator[FormulaTerm]:
    """Yield transformed, sorted, accumulated or combined columns and tables among the displayed ones."""
    shape = search.x.shape
    alike = [part for part in search.parts.values() if np.shape(part.value) == shape]
    for part in alike:
        yield from _of_a_column(part)
        yield from _rearranged(part) if len(shape) == 1 else ()
        for number in search.scalars:
            yield from _with_a_number(part, number)
    yield from _combine(alike) if len(alike) < 12 else ()
    for part in search.parts.values():
        yield from _of_a_table(part, shape)
    yield from (FormulaTerm(rf"{s}\text{{ everywhere}}", np.full(shape, v), c + 2) for s, v, c, *_ in search.scalars)


def _of_a_column(part: FormulaTerm) -> Iterator[FormulaTerm]:
    s, v, c, *_ = part
    yield part
    yield FormulaTerm(rf"|{s}|", abs(v), c + 1)
    yield FormulaTerm(rf"-{s}", -v, c + 1)
    yield FormulaTerm(rf"({s})^2", v**2, c + 1)
    yield FormulaTerm(rf"\sqrt{{{s}}}", np.sqrt(v), c + 1)
    yield FormulaTerm(rf"1 - {s}", 1 - v, c + 1)
    yield FormulaTerm(rf"\mathrm{{sign}}\,{s}", np.sign(v), c + 1)


def _rearranged(part: FormulaTerm) -> Iterator[FormulaTerm]:
    s, v, c, *_ = part
    yield FormulaTerm(rf"{s}\text{{, sorted}}", np.sort(v), c + 1)
    yield FormulaTerm(rf"{s}\text{{, sorted, the largest first}}", np.sort(v)[::-1], c + 1)
    yield FormulaTerm(rf"\mathrm{{argsort}}\,{s}", np.argsort(v, kind="stable").astype(float), c + 1)
    yield FormulaTerm(rf"\mathrm{{argsort}}\,{s} + 1", np.argsort(v, kind="stable") + 1.0, c + 1)
    yield FormulaTerm(rf"{s}\text{{, added up from the first on}}", np.cumsum(v), c + 1)
    yield FormulaTerm(rf"\text{{the largest }}{s}\text{{ up to each place}}", np.maximum.accumulate(v), c + 1)
    yield FormulaTerm(rf"\text{{the smallest }}{s}\text{{ up to each place}}", np.minimum.accumulate(v), c + 1)


def _with_a_number(part: FormulaTerm, number: FormulaTerm) -> Iterator[FormulaTerm]:
    (s, v, c, *_), (t, u, d, *_) = part, number
    yield FormulaTerm(rf"{t} \cdot {s}", u * v, c + d + 1)
    yield FormulaTerm(rf"\min\{{1,\ {t} \cdot {s}\}}", np.minimum(1, u * v), c + d + 1)
    yield FormulaTerm(rf"({t} - 1) \cdot {s}", (u - 1) * v, c + d + 1.5)
    yield FormulaTerm(rf"\frac{{{s}}}{{{t}}}", v / u, c + d + 1)
    yield FormulaTerm(rf"\frac{{{t}}}{{{s}}}", u / v, c + d + 1)
    yield FormulaTerm(rf"{s} - {t}", v - u, c + d + 1)
    yield FormulaTerm(rf"{s} + {t}", v + u, c + d + 1)


def _of_a_table(part: FormulaTerm, shape: tuple[int, ...]) -> Iterator[FormulaTerm]:
    """Yield summaries of each column or row of a table, if there are as many columns or rows as wanted values."""
    table = part.value
    for axis, of in ((0, "column"), (1, "line")) if np.ndim(table) == 2 else ():
        if shape == (table.shape[1 - axis],):
            for word, summary in SUMMARIES:
                yield FormulaTerm(rf"\text{{{word} of each {of} of }}{part.tex}", summary(table, axis), 3)
