r"""Where a number may come from: the short line that gives it, made of the values that stand on the page.

It is looked for when the mistake has no name.  A number with all the digits of a computer betrays the line that made it; one of three
digits could come about by chance, so that for it only the simplest lines with the parts of the right one are tried, and for counts none.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Any

import numpy as np

from ...core.procedure import Procedure
from ...core.step import Step
from .answer import digits, half_a_unit, is_long, same
from .ingredient import Ingredient
from .taken_for import laws_taken, limits, tails

SHORT = 3  # with fewer a number says nothing
MOST_TERMS = 4  # parts of the right line whose sums are tried
MOST_PARTS = 6  # parts of a line that is put together from three
FAR_FETCHED = 6, 4  # the price of the dearest line that is believed, of a long number and of a short one
ALIKE = 1e-9
PRICE_OF_OWN = 1  # that the right number itself is a part of the line comes second
FACTORS = (3, 4, 5, 6, 8, 9, 10, 12)


def origin(test: Procedure, step: Step[Any], known: Collection[str], given: Any, right: Any) -> str:
    """The shortest line that gives the number, as TeX; empty if there is none, or several are as likely.

    `known` are the steps that the student has met.
    """
    y = np.asarray(right)
    if y.dtype.kind not in "fiu":
        return ""
    x = np.asarray(given, float)
    long = is_long(x)
    whole = not x.ndim and x == np.floor(x) and y == np.floor(y)
    if not np.isfinite(x).all() or not x.any() or y.ndim > 2 or whole or not (x.ndim or digits(x) >= SHORT):
        return ""
    with np.errstate(all="ignore"):
        found = [part for part in _found(test, step, known, x, y, long) if part.cost <= FAR_FETCHED[not long]]
    least = min((part.cost for part in found), default=0)
    simplest = list(dict.fromkeys(part.tex for part in found if part.cost == least))
    return simplest[0] if simplest and (long or len(simplest) == 1) else ""


def _found(test: Procedure, step: Step[Any], known: Collection[str], x: Any, y: Any, long: bool) -> Iterator[Ingredient]:
    room = ALIKE * np.abs(x) + 1e-14 if long else half_a_unit(x)
    number = x[()]

    def fits(part: Ingredient) -> bool:
        value = np.asarray(part.value)
        if not x.ndim:  # most of them are plain numbers, and not this one
            return not value.ndim and bool(abs(value[()] - number) <= room) and value[()] != y[()]
        if value.shape != x.shape or np.array_equal(value, y):
            return False
        return bool(np.all(np.abs(value - x) <= room)) if long else same(x, value)

    parts = _parts(test, step, known)
    near = [part for name, part in parts.items() if name in step.slots]
    yield from filter(fits, _sums(near))
    if x.ndim:
        yield from filter(fits, _columns(parts, x))
        return
    scalars = [part for part in parts.values() if not np.ndim(part.value)]
    near = [part for part in near if not np.ndim(part.value)]
    if "null" in step.slots or "P(" in step.template(test) or "x :" in step.template(test):
        laws = laws_taken(test, scalars, long)
        at = {part.tex for name, part in parts.items() if part.own or test.is_chance(name)}  # nothing lies beyond a probability
        yield from filter(fits, tails(laws, [part for part in (scalars if long else near) if part.tex not in at]))
        yield from limits(laws, scalars if long else [], float(getattr(test, "alpha", 0.05)), x, room)
    pool = scalars + list(_spreads(parts)) if long else near
    yield from filter(fits, (turned for part in pool for turned in (*_turned(part), *_changed(part))))
    ones = [turned for part in pool for turned in _turned(part)]
    of_the_line = {part.tex for name, part in parts.items() if name in step.slots or part.own}
    some = {turned.tex for part in pool if part.tex in of_the_line for turned in _turned(part)}
    yield from _pairs(ones, ones, x, room, some)
    if long and len(near) <= MOST_PARTS:
        basis = [turned for part in near for turned in _turned(part)]
        yield from _pairs([t for pair in _made(basis) for t in _turned_pair(pair)], basis, x, room)


# -- values of the page ----------------------------------------------------------------------------------------------------------
def _parts(test: Procedure, step: Step[Any], known: Collection[str]) -> dict[str, Ingredient]:
    """What the student has met, by name."""
    parts = {}
    for row in test.worked():
        value = np.asarray(row.value)
        if (
            (row.name in known or row.name not in test.steps)
            and value.dtype.kind in "fiu"
            and value.size <= 1000
            and np.isfinite(value).all()
        ):
            own = row.name == step.name
            cost = 1 + (PRICE_OF_OWN if own else 0 if row.name in step.slots else 0.5)
            parts[row.name] = Ingredient(
                row.symbol, value.astype(float), cost, not value.ndim and value.dtype.kind in "iu" and bool(value > 1), own
            )
    return parts


def _spreads(parts: dict[str, Ingredient]) -> Iterator[Ingredient]:
    """What one computes of a column of the page."""
    for part in parts.values():
        column, s, c = np.asarray(part.value), part.tex, part.cost
        if not column.ndim or not 2 < column.size <= 100:
            continue
        yield Ingredient(rf"\text{{mean of }}{s}", column.mean(), c + 1)
        yield Ingredient(rf"\text{{sum of }}{s}", column.sum(), c + 1)
        yield Ingredient(rf"\text{{sum of the squares of }}{s}", (column**2).sum(), c + 1)
        yield Ingredient(rf"\text{{median of }}{s}", np.median(column), c + 1)
        yield Ingredient(rf"\text{{largest of }}{s}", column.max(), c + 1)
        yield Ingredient(rf"\text{{smallest of }}{s}", column.min(), c + 1)
        yield Ingredient(rf"\text{{standard deviation of }}{s}\text{{ (by }}n - 1\text{{)}}", column.std(ddof=1), c + 1)
        yield Ingredient(rf"\text{{standard deviation of }}{s}\text{{ (by }}n\text{{)}}", column.std(), c + 1.5)
        yield Ingredient(rf"\text{{mean size of }}{s}", abs(column).mean(), c + 1)


# -- lines -----------------------------------------------------------------------------------------------------------------------
def _turned(part: Ingredient) -> Iterator[Ingredient]:
    """A value, its root and its square, and of a count one less."""
    s, x, c, counts, _ = part
    yield part
    yield Ingredient(rf"\sqrt{{{s}}}", np.sqrt(x), c + 1)
    yield Ingredient(rf"({s})^2" if len(s) > 1 else rf"{s}^2", x**2, c + 1)
    if counts:
        yield Ingredient(rf"({s} - 1)", x - 1, c + 0.5, True)
        yield Ingredient(rf"\sqrt{{{s} - 1}}", np.sqrt(x - 1), c + 1.5)


def _changed(part: Ingredient) -> Iterator[Ingredient]:
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


PAIRED: tuple[tuple[str, Callable[[Any, Any], Any]], ...] = (
    (r"{0} + {1}", np.add),
    (r"{0} - {1}", np.subtract),
    (r"{0} \cdot {1}", np.multiply),
    (r"\frac{{{0}}}{{{1}}}", np.divide),
)


def _pairs(
    ones: list[Ingredient], others: list[Ingredient], x: Any, room: Any, among: Collection[str] | None = None
) -> Iterator[Ingredient]:
    """Two values, added, taken off, multiplied or divided; one of them `among` some, since of all pairs one gives many a
    number by chance.
    """
    if not ones or not others:
        return
    left, right = np.array([p.value for p in ones])[:, np.newaxis], np.array([p.value for p in others])
    for written, paired in PAIRED:
        for i, j in np.argwhere(np.abs(paired(left, right) - x) <= room):
            if among is not None and not {ones[i].tex, others[j].tex} & set(among):
                continue
            if ones[i].tex != others[j].tex and not ((ones[i].own or others[j].own) and written[4] in "+-"):  # that would give it away
                yield _paired(written, paired, ones[i], others[j])


def _paired(written: str, paired: Callable[[Any, Any], Any], one: Ingredient, other: Ingredient) -> Ingredient:
    tex = [one.tex, other.tex]
    if "cdot" in written:
        tex = [
            rf"\left({s}\right)" if not s.startswith(("(", r"\left(", r"\frac", r"\sqrt")) and (" + " in s or " - " in s) else s
            for s in tex
        ]
    return Ingredient(written.format(*tex), paired(one.value, other.value), one.cost + other.cost + 1)


def _made(ones: list[Ingredient]) -> list[Ingredient]:
    return [_paired(written, paired, one, other) for one in ones for other in ones if one is not other for written, paired in PAIRED]


def _sums(parts: list[Ingredient]) -> Iterator[Ingredient]:
    """The parts of the right line with any signs, some left out; a column of a table's lines stands beside each of its columns."""
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


def _columns(parts: dict[str, Ingredient], x: Any) -> Iterator[Ingredient]:
    """What one makes of a column or a table: turned, sorted, added up, beside another."""
    scalars = [p for p in parts.values() if not np.ndim(p.value)]
    alike = [p for p in parts.values() if np.shape(p.value) == x.shape]
    for s, v, c, *_ in alike:
        yield Ingredient(s, v, c)
        yield Ingredient(rf"|{s}|", abs(v), c + 1)
        yield Ingredient(rf"-{s}", -v, c + 1)
        yield Ingredient(rf"({s})^2", v**2, c + 1)
        yield Ingredient(rf"\sqrt{{{s}}}", np.sqrt(v), c + 1)
        yield Ingredient(rf"1 - {s}", 1 - v, c + 1)
        yield Ingredient(rf"\mathrm{{sign}}\,{s}", np.sign(v), c + 1)
        if v.ndim == 1:
            yield Ingredient(rf"{s}\text{{, sorted}}", np.sort(v), c + 1)
            yield Ingredient(rf"{s}\text{{, sorted, the largest first}}", np.sort(v)[::-1], c + 1)
            yield Ingredient(rf"\mathrm{{argsort}}\,{s}", np.argsort(v, kind="stable").astype(float), c + 1)
            yield Ingredient(rf"\mathrm{{argsort}}\,{s} + 1", np.argsort(v, kind="stable") + 1.0, c + 1)
            yield Ingredient(rf"{s}\text{{, added up from the first on}}", np.cumsum(v), c + 1)
            yield Ingredient(rf"\text{{the largest }}{s}\text{{ up to each place}}", np.maximum.accumulate(v), c + 1)
            yield Ingredient(rf"\text{{the smallest }}{s}\text{{ up to each place}}", np.minimum.accumulate(v), c + 1)
        for t, u, d, *_ in scalars:
            yield Ingredient(rf"{t} \cdot {s}", u * v, c + d + 1)
            yield Ingredient(rf"\min\{{1,\ {t} \cdot {s}\}}", np.minimum(1, u * v), c + d + 1)
            yield Ingredient(rf"({t} - 1) \cdot {s}", (u - 1) * v, c + d + 1.5)
            yield Ingredient(rf"\frac{{{s}}}{{{t}}}", v / u, c + d + 1)
            yield Ingredient(rf"\frac{{{t}}}{{{s}}}", u / v, c + d + 1)
            yield Ingredient(rf"{s} - {t}", v - u, c + d + 1)
            yield Ingredient(rf"{s} + {t}", v + u, c + d + 1)
    yield from (pair for pair in _made(alike) if len(alike) < 12)
    for part in parts.values():
        if np.ndim(part.value) == 2 and x.ndim == 1:
            for axis, of in ((0, "column"), (1, "line")):
                if part.value.shape[1 - axis] == len(x):
                    table = part.value
                    told: list[tuple[str, Any]] = [("sum", table.sum(axis)), ("mean", table.mean(axis)), ("largest", table.max(axis))]
                    told += [("median", np.median(table, axis=axis)), ("sum of the squares", (table**2).sum(axis))]
                    yield from (Ingredient(rf"\text{{{word} of each {of} of }}{part.tex}", value, 3) for word, value in told)
    yield from (Ingredient(rf"{s}\text{{ everywhere}}", np.full(x.shape, v), c + 2) for s, v, c, *_ in scalars)
