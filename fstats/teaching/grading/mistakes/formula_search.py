r"""Where a number may come from: the short line that gives it, made of the values that stand on the page.

It is looked for when the mistake has no name.  A number with all the digits of a computer betrays the line that made it; one of three
digits could come about by chance, so that for it only the simplest lines with the parts of the right one are tried, and for counts none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, permutations
from typing import Any

import numpy as np

from ..answers.answer_context import Response
from ..answers.answer_value import has_full_precision, is_equal, rounding_error, significant_digits
from .formula_term import Ingredient
from .mistaken_distributions import laws_taken, limits, tails

SHORT = 3  # with fewer a number says nothing
MOST_TERMS = 4  # parts of the right line whose sums are tried
MOST_PARTS = 6  # parts of a line that is put together from three
MAX_COMPLEXITY = 6, 4  # the price of the dearest line that is believed, of a long number and of a short one
EQUAL_TOLERANCE = 1e-9
EXPECTED_TERM_COST = 1  # that the right number itself is a part of the line comes second
FACTORS = (3, 4, 5, 6, 8, 9, 10, 12)
SUMMARIES: tuple[tuple[str, Callable[[Any, int | None], Any]], ...] = (  # of a column, or along an axis of a table
    ("mean", np.mean),
    ("sum", np.sum),
    ("sum of the squares", lambda values, axis: np.sum(values**2, axis)),
    ("median", np.median),
    ("largest", np.max),
)


def origin(response: Response) -> str:
    """The shortest line that gives the number, as TeX; empty if there is none, or several are as likely."""
    x, y = response.x, response.y
    if not response.is_number or not np.isfinite(x).all() or not x.any() or y.ndim > 2:
        return ""
    if not x.ndim and (significant_digits(x) < SHORT or (x == np.floor(x) and y == np.floor(y))):
        return ""
    search = Search(response)
    with np.errstate(all="ignore"):
        found = [line for line in search.lines() if line.cost <= MAX_COMPLEXITY[not search.long]]
    least = min((line.cost for line in found), default=0)
    simplest = list(dict.fromkeys(line.tex for line in found if line.cost == least))
    return simplest[0] if simplest and (search.long or len(simplest) == 1) else ""


class Search:
    """What is looked for, and what the student has met that it may be made of."""

    def __init__(self, response: Response) -> None:
        self.test, self.step, self.y = response.test, response.step, response.y
        self.x = response.x.astype(float)
        self.long = has_full_precision(self.x)
        self.room = EQUAL_TOLERANCE * np.abs(self.x) + 1e-14 if self.long else rounding_error(self.x)
        self.parts = _page_terms(response)
        self.of_the_line = [part for name, part in self.parts.items() if name in self.step.slots]
        self.scalars = _scalar_terms(self.parts.values())

    def lines(self) -> Iterator[Ingredient]:
        """The lines that give the number, in the order in which they are tried."""
        kinds = (_sums, _columns) if self.x.ndim else (_sums, _looked_up, _one_term_formulas, _two_term_formulas, _three_term_formulas)
        return filter(self.fits, chain.from_iterable(kind(self) for kind in kinds))

    def fits(self, line: Ingredient) -> bool:
        """Whether a line gives the number, and not the right one."""
        value = np.asarray(line.value)
        if not self.x.ndim:  # most of them are plain numbers, and not this one
            return not value.ndim and bool(abs(value[()] - self.x[()]) <= self.room) and value[()] != self.y[()]
        if value.shape != self.x.shape or np.array_equal(value, self.y):
            return False
        return bool(np.all(np.abs(value - self.x) <= self.room)) if self.long else is_equal(self.x, value)

    @property
    def pool(self) -> list[Ingredient]:
        """The numbers of which lines are made: all of the page if the number is long, else those of the right line."""
        return [*self.scalars, *_column_summaries(self.parts.values())] if self.long else _scalar_terms(self.of_the_line)


# -- values of the page ----------------------------------------------------------------------------------------------------------
def _page_terms(response: Response) -> dict[str, Ingredient]:
    """What the student has met, by name."""
    parts = {}
    for row in response.test.worked():
        value = np.asarray(row.value)
        is_met = row.name in response.met or row.name not in response.test.steps
        if is_met and value.dtype.kind in "fiu" and value.size <= 1000 and np.isfinite(value).all():
            own = row.name == response.step.name
            cost = 1 + (EXPECTED_TERM_COST if own else 0 if row.name in response.step.slots else 0.5)
            counts = not value.ndim and value.dtype.kind in "iu" and bool(value > 1)
            parts[row.name] = Ingredient(row.symbol, value.astype(float), cost, counts, own)
    return parts


def _scalar_terms(parts: Iterable[Ingredient]) -> list[Ingredient]:
    return [part for part in parts if not np.ndim(part.value)]


def _column_summaries(parts: Iterable[Ingredient]) -> Iterator[Ingredient]:
    """What one computes of a column of the page."""
    for s, column, c, *_ in parts:
        if not column.ndim or not 2 < column.size <= 100:
            continue
        yield from (Ingredient(rf"\text{{{word} of }}{s}", summary(column, None), c + 1) for word, summary in SUMMARIES)
        yield Ingredient(rf"\text{{smallest of }}{s}", column.min(), c + 1)
        yield Ingredient(rf"\text{{standard deviation of }}{s}\text{{ (by }}n - 1\text{{)}}", column.std(ddof=1), c + 1)
        yield Ingredient(rf"\text{{standard deviation of }}{s}\text{{ (by }}n\text{{)}}", column.std(), c + 1.5)
        yield Ingredient(rf"\text{{mean size of }}{s}", abs(column).mean(), c + 1)


# -- lines that give a number ----------------------------------------------------------------------------------------------------
def _sums(search: Search) -> Iterator[Ingredient]:
    """The parts of the right line with any signs, some left out; a column of a table's lines stands beside each of its columns."""
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
        except ValueError:  # columns of different lengths
            continue
        tex = " ".join(f"{'+' if s == 1 else '-'} {p.tex}" for s, p, _ in chosen).removeprefix("+ ")
        yield Ingredient(tex, total, sum(p.cost for _, p, _ in chosen) + 1)


def _looked_up(search: Search) -> Iterator[Ingredient]:
    """Areas and limits, where the right line looks something up in a distribution."""
    test, template = search.test, search.step.template(search.test)
    if "null" not in search.step.slots and "P(" not in template and "x :" not in template:
        return
    laws = laws_taken(test, search.scalars, search.long)
    beyond = {part.tex for name, part in search.parts.items() if part.own or test.is_probability(name)}  # nothing lies beyond a probability
    at = search.scalars if search.long else _scalar_terms(search.of_the_line)
    yield from tails(laws, [part for part in at if part.tex not in beyond])
    yield from limits(laws, search.scalars if search.long else [], float(getattr(test, "alpha", 0.05)), search.x, search.room)


def _one_term_formulas(search: Search) -> Iterator[Ingredient]:
    """One number, turned or changed."""
    for part in search.pool:
        yield from _powers(part)
        yield from _unary_variants(part)


def _two_term_formulas(search: Search) -> Iterator[Ingredient]:
    """Two numbers, one of them of the right line, since of all pairs one gives many a number by chance."""
    ones = [turned for part in search.pool for turned in _powers(part)]
    of_the_line = {part.tex for part in search.of_the_line} | {part.tex for part in search.parts.values() if part.own}
    yield from _pairs(ones, ones, search, {turned.tex for part in search.pool if part.tex in of_the_line for turned in _powers(part)})


def _three_term_formulas(search: Search) -> Iterator[Ingredient]:
    """Two numbers of the right line, and a third one."""
    near = _scalar_terms(search.of_the_line)
    if search.long and len(near) <= MOST_PARTS:
        basis = [turned for part in near for turned in _powers(part)]
        yield from _pairs([turned for pair in _combine(basis) for turned in _turned_pair(pair)], basis, search)


# -- what is made of one value, and of two -------------------------------------------------------------------------------------------
def _powers(part: Ingredient) -> Iterator[Ingredient]:
    """A value, its root and its square, and of a count one less."""
    s, x, c, counts, _ = part
    yield part
    yield Ingredient(rf"\sqrt{{{s}}}", np.sqrt(x), c + 1)
    yield Ingredient(rf"({s})^2" if len(s) > 1 else rf"{s}^2", x**2, c + 1)
    if counts:
        yield Ingredient(rf"({s} - 1)", x - 1, c + 0.5, True)
        yield Ingredient(rf"\sqrt{{{s} - 1}}", np.sqrt(x - 1), c + 1.5)


def _unary_variants(part: Ingredient) -> Iterator[Ingredient]:
    """What is made of a value without another one."""
    s, x, c, _, own = part
    for factor in FACTORS if own else ():
        yield Ingredient(rf"{factor} \cdot {s}", factor * x, c + 1)
        yield Ingredient(rf"\frac{{1}}{{{factor}}} \cdot {s}", x / factor, c + 1)
        yield Ingredient(rf"\sqrt{{{factor}}} \cdot {s}", np.sqrt(factor) * x, c + 1.5)
        yield Ingredient(rf"\frac{{1}}{{\sqrt{{{factor}}}}} \cdot {s}", x / np.sqrt(factor), c + 1.5)
    yield Ingredient(rf"1 - {s}", 1 - x, c + 1)
    yield Ingredient(rf"2 \cdot {s}", 2 * x, c + 1)
    yield Ingredient(rf"\frac{{1}}{{2}} \cdot {s}", x / 2, c + 1)
    yield Ingredient(rf"\frac{{1}}{{{s}}}", 1 / x, c + 1)
    yield Ingredient(rf"-{s}", -x, c + 1)


def _turned_pair(part: Ingredient) -> Iterator[Ingredient]:
    s, x, c = part[:3]
    yield part
    yield Ingredient(rf"\sqrt{{{s}}}", np.sqrt(x), c + 1)
    yield Ingredient(rf"\left({s}\right)^2", x**2, c + 1)
    yield Ingredient(rf"(|{s}| - 1)", abs(x) - 1, c + 1)
    yield Ingredient(rf"(|{s}| - 1)^2", (abs(x) - 1) ** 2, c + 1.5)


BINARY_OPERATIONS: tuple[tuple[str, Callable[[Any, Any], Any]], ...] = (
    (r"{0} + {1}", np.add),
    (r"{0} - {1}", np.subtract),
    (r"{0} \cdot {1}", np.multiply),
    (r"\frac{{{0}}}{{{1}}}", np.divide),
)


def _pairs(ones: list[Ingredient], others: list[Ingredient], search: Search, among: set[str] | None = None) -> Iterator[Ingredient]:
    """Two values, added, taken off, multiplied or divided; one of them `among` some."""
    if not ones or not others:
        return
    left, right = np.array([p.value for p in ones])[:, np.newaxis], np.array([p.value for p in others])
    for written, paired in BINARY_OPERATIONS:
        for i, j in np.argwhere(np.abs(paired(left, right) - search.x) <= search.room):
            one, other = ones[i], others[j]
            gives_away = (one.own or other.own) and paired in (np.add, np.subtract)
            if one.tex != other.tex and not gives_away and (among is None or {one.tex, other.tex} & among):
                yield _paired(written, paired, one, other)


def _combine(ones: list[Ingredient]) -> Iterator[Ingredient]:
    for one, other in permutations(ones, 2):
        yield from (_paired(written, paired, one, other) for written, paired in BINARY_OPERATIONS)


def _paired(written: str, paired: Callable[[Any, Any], Any], one: Ingredient, other: Ingredient) -> Ingredient:
    tex = [_bracketed(part.tex) if paired is np.multiply else part.tex for part in (one, other)]
    return Ingredient(written.format(*tex), paired(one.value, other.value), one.cost + other.cost + 1)


def _bracketed(s: str) -> str:
    """A sum or a difference, as a factor."""
    whole = s.startswith(("(", r"\left(", r"\frac", r"\sqrt"))
    return rf"\left({s}\right)" if not whole and (" + " in s or " - " in s) else s


# -- lines that give a column or a table -----------------------------------------------------------------------------------------
def _columns(search: Search) -> Iterator[Ingredient]:
    """What one makes of a column or a table: turned, sorted, added up, beside another."""
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
    yield from (Ingredient(rf"{s}\text{{ everywhere}}", np.full(shape, v), c + 2) for s, v, c, *_ in search.scalars)


def _of_a_column(part: Ingredient) -> Iterator[Ingredient]:
    s, v, c, *_ = part
    yield part
    yield Ingredient(rf"|{s}|", abs(v), c + 1)
    yield Ingredient(rf"-{s}", -v, c + 1)
    yield Ingredient(rf"({s})^2", v**2, c + 1)
    yield Ingredient(rf"\sqrt{{{s}}}", np.sqrt(v), c + 1)
    yield Ingredient(rf"1 - {s}", 1 - v, c + 1)
    yield Ingredient(rf"\mathrm{{sign}}\,{s}", np.sign(v), c + 1)


def _rearranged(part: Ingredient) -> Iterator[Ingredient]:
    s, v, c, *_ = part
    yield Ingredient(rf"{s}\text{{, sorted}}", np.sort(v), c + 1)
    yield Ingredient(rf"{s}\text{{, sorted, the largest first}}", np.sort(v)[::-1], c + 1)
    yield Ingredient(rf"\mathrm{{argsort}}\,{s}", np.argsort(v, kind="stable").astype(float), c + 1)
    yield Ingredient(rf"\mathrm{{argsort}}\,{s} + 1", np.argsort(v, kind="stable") + 1.0, c + 1)
    yield Ingredient(rf"{s}\text{{, added up from the first on}}", np.cumsum(v), c + 1)
    yield Ingredient(rf"\text{{the largest }}{s}\text{{ up to each place}}", np.maximum.accumulate(v), c + 1)
    yield Ingredient(rf"\text{{the smallest }}{s}\text{{ up to each place}}", np.minimum.accumulate(v), c + 1)


def _with_a_number(part: Ingredient, number: Ingredient) -> Iterator[Ingredient]:
    (s, v, c, *_), (t, u, d, *_) = part, number
    yield Ingredient(rf"{t} \cdot {s}", u * v, c + d + 1)
    yield Ingredient(rf"\min\{{1,\ {t} \cdot {s}\}}", np.minimum(1, u * v), c + d + 1)
    yield Ingredient(rf"({t} - 1) \cdot {s}", (u - 1) * v, c + d + 1.5)
    yield Ingredient(rf"\frac{{{s}}}{{{t}}}", v / u, c + d + 1)
    yield Ingredient(rf"\frac{{{t}}}{{{s}}}", u / v, c + d + 1)
    yield Ingredient(rf"{s} - {t}", v - u, c + d + 1)
    yield Ingredient(rf"{s} + {t}", v + u, c + d + 1)


def _of_a_table(part: Ingredient, shape: tuple[int, ...]) -> Iterator[Ingredient]:
    """What one computes of each column or each line of a table, where there are as many."""
    table = part.value
    for axis, of in ((0, "column"), (1, "line")) if np.ndim(table) == 2 else ():
        if shape == (table.shape[1 - axis],):
            for word, summary in SUMMARIES:
                yield Ingredient(rf"\text{{{word} of each {of} of }}{part.tex}", summary(table, axis), 3)
