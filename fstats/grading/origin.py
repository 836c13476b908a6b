r"""Where a number may come from: the short line that gives it, made of the values that stand on the page.

It is looked for when the mistake has no name.  A number with all the digits of a computer betrays the line that made it; one of three digits
could come about by chance, so that for it only the simplest lines with the parts of the right one are tried, and for counts none.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Any, NamedTuple

import numpy as np

from ..coins import FairCoins
from ..null import ChiSquared, Discrete, FisherF, Normal, StudentT
from ..number import plain
from ..procedure import Procedure
from ..step import Step

LONG = 6  # so many significant digits no one types by hand
SHORT = 3  # with fewer a number says nothing
MOST_TERMS = 4  # parts of the right line whose sums are tried
MOST_PARTS = 6  # parts of a line that is put together from three
FAR_FETCHED = 6, 4  # the price of the dearest line that is believed, of a long number and of a short one
ALIKE = 1e-9
PRICE_OF_OWN = 1  # that the right number itself is a part of the line comes second
FACTORS = (3, 4, 5, 6, 8, 9, 10, 12)


class Part(NamedTuple):
    """A value of the page, or made of some: how it is written, and how far-fetched it is."""

    tex: str
    value: Any
    cost: float
    counts: bool = False
    own: bool = False


def is_long(x: Any) -> bool:
    """Whether a number, or one of several, has the digits of a computer."""
    return _digits(x) >= LONG


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
    if not np.isfinite(x).all() or not x.any() or y.ndim > 2 or whole or not (x.ndim or _digits(x) >= SHORT):
        return ""
    with np.errstate(all="ignore"):
        found = [part for part in _found(test, step, known, x, y, long) if part.cost <= FAR_FETCHED[not long]]
    least = min((part.cost for part in found), default=0)
    simplest = list(dict.fromkeys(part.tex for part in found if part.cost == least))
    return simplest[0] if simplest and (long or len(simplest) == 1) else ""


def _found(test: Procedure, step: Step[Any], known: Collection[str], x: Any, y: Any, long: bool) -> Iterator[Part]:
    room = ALIKE * np.abs(x) + 1e-14 if long else _half_a_unit(x)

    def fits(part: Part) -> bool:
        value = np.asarray(part.value)
        return value.shape == x.shape and bool(np.all(np.abs(value - x) <= room)) and not np.array_equal(value, y)

    parts = _parts(test, step, known)
    near = [part for name, part in parts.items() if name in step.slots]
    yield from filter(fits, _sums(near))
    if x.ndim:
        yield from filter(fits, _columns(parts, x))
        return
    scalars = [part for part in parts.values() if not np.ndim(part.value)]
    near = [part for part in near if not np.ndim(part.value)]
    if "null" in step.slots or "P(" in step.template(test) or "x :" in step.template(test):
        laws = _laws(test, scalars, long)
        yield from filter(fits, _tails(laws, scalars if long else near))
        yield from _quantiles(laws, scalars if long else [], float(getattr(test, "alpha", 0.05)), x, room)
    pool = scalars + list(_spreads(parts)) if long else near
    yield from filter(fits, (turned for part in pool for turned in (*_turned(part), *_changed(part))))
    ones = [turned for part in pool for turned in _turned(part)]
    yield from _pairs(ones, ones, x, room)
    if long and len(near) <= MOST_PARTS:
        basis = [turned for part in near for turned in _turned(part)]
        yield from _pairs([t for pair in _made(basis) for t in _turned_pair(pair)], basis, x, room)


# -- values of the page ----------------------------------------------------------------------------------------------------------
def _parts(test: Procedure, step: Step[Any], known: Collection[str]) -> dict[str, Part]:
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
            parts[row.name] = Part(row.symbol, value.astype(float), cost, not value.ndim and value.dtype.kind in "iu" and value > 1, own)
    return parts


def _spreads(parts: dict[str, Part]) -> Iterator[Part]:
    """What one computes of a column of the page."""
    for part in parts.values():
        column, s, c = np.asarray(part.value), part.tex, part.cost
        if not column.ndim or not 2 < column.size <= 100:
            continue
        yield Part(rf"\text{{mean of }}{s}", column.mean(), c + 1)
        yield Part(rf"\text{{sum of }}{s}", column.sum(), c + 1)
        yield Part(rf"\text{{sum of the squares of }}{s}", (column**2).sum(), c + 1)
        yield Part(rf"\text{{median of }}{s}", np.median(column), c + 1)
        yield Part(rf"\text{{largest of }}{s}", column.max(), c + 1)
        yield Part(rf"\text{{smallest of }}{s}", column.min(), c + 1)
        yield Part(rf"\text{{standard deviation of }}{s}\text{{ (by }}n - 1\text{{)}}", column.std(ddof=1), c + 1)
        yield Part(rf"\text{{standard deviation of }}{s}\text{{ (by }}n\text{{)}}", column.std(), c + 1.5)
        yield Part(rf"\text{{mean size of }}{s}", abs(column).mean(), c + 1)


# -- lines -----------------------------------------------------------------------------------------------------------------------
def _turned(part: Part) -> Iterator[Part]:
    """A value, its root and its square, and of a count one less."""
    s, x, c, counts, _ = part
    yield part
    yield Part(rf"\sqrt{{{s}}}", np.sqrt(x), c + 1)
    yield Part(rf"({s})^2" if len(s) > 1 else rf"{s}^2", x**2, c + 1)
    if counts:
        yield Part(rf"({s} - 1)", x - 1, c + 0.5, True)
        yield Part(rf"\sqrt{{{s} - 1}}", np.sqrt(x - 1), c + 1.5)


def _changed(part: Part) -> Iterator[Part]:
    """What is made of a value without another one."""
    s, x, c, _, own = part
    for factor in FACTORS if own else ():
        yield Part(rf"{factor} \cdot {s}", factor * x, c + 1)
        yield Part(rf"\frac{{1}}{{{factor}}} \cdot {s}", x / factor, c + 1)
        yield Part(rf"\sqrt{{{factor}}} \cdot {s}", np.sqrt(factor) * x, c + 1.5)
        yield Part(rf"\frac{{1}}{{\sqrt{{{factor}}}}} \cdot {s}", x / np.sqrt(factor), c + 1.5)
    yield Part(rf"1 - {s}", 1 - x, c + 1)
    yield Part(rf"2 \cdot {s}", 2 * x, c + 1)
    yield Part(rf"\frac{{1}}{{2}} \cdot {s}", x / 2, c + 1)
    yield Part(rf"\frac{{1}}{{{s}}}", 1 / x, c + 1)
    yield Part(rf"-{s}", -x, c + 1)


def _turned_pair(part: Part) -> Iterator[Part]:
    s, x, c = part[:3]
    yield part
    yield Part(rf"\sqrt{{{s}}}", np.sqrt(x), c + 1)
    yield Part(rf"\left({s}\right)^2", x**2, c + 1)
    yield Part(rf"(|{s}| - 1)", abs(x) - 1, c + 1)
    yield Part(rf"(|{s}| - 1)^2", (abs(x) - 1) ** 2, c + 1.5)


PAIRED: tuple[tuple[str, Callable[[Any, Any], Any]], ...] = (
    (r"{0} + {1}", np.add),
    (r"{0} - {1}", np.subtract),
    (r"{0} \cdot {1}", np.multiply),
    (r"\frac{{{0}}}{{{1}}}", np.divide),
)


def _pairs(ones: list[Part], others: list[Part], x: Any, room: Any) -> Iterator[Part]:
    """Two values, added, taken off, multiplied or divided."""
    if not ones or not others:
        return
    left, right = np.array([p.value for p in ones])[:, np.newaxis], np.array([p.value for p in others])
    for written, paired in PAIRED:
        for i, j in np.argwhere(np.abs(paired(left, right) - x) <= room):
            if ones[i].tex != others[j].tex and not ((ones[i].own or others[j].own) and written[4] in "+-"):  # that would give it away
                yield _paired(written, paired, ones[i], others[j])


def _paired(written: str, paired: Callable[[Any, Any], Any], one: Part, other: Part) -> Part:
    tex = [one.tex, other.tex]
    if "cdot" in written:
        tex = [
            rf"\left({s}\right)" if not s.startswith(("(", r"\left(", r"\frac", r"\sqrt")) and (" + " in s or " - " in s) else s
            for s in tex
        ]
    return Part(written.format(*tex), paired(one.value, other.value), one.cost + other.cost + 1)


def _made(ones: list[Part]) -> list[Part]:
    return [_paired(written, paired, one, other) for one in ones for other in ones if one is not other for written, paired in PAIRED]


def _sums(parts: list[Part]) -> Iterator[Part]:
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
        yield Part(tex, total, sum(p.cost for _, p, _ in chosen) + 1)


def _columns(parts: dict[str, Part], x: Any) -> Iterator[Part]:
    """What one makes of a column or a table: turned, sorted, added up, beside another."""
    scalars = [p for p in parts.values() if not np.ndim(p.value)]
    alike = [p for p in parts.values() if np.shape(p.value) == x.shape]
    for s, v, c, *_ in alike:
        yield Part(s, v, c)
        yield Part(rf"|{s}|", abs(v), c + 1)
        yield Part(rf"-{s}", -v, c + 1)
        yield Part(rf"({s})^2", v**2, c + 1)
        yield Part(rf"\sqrt{{{s}}}", np.sqrt(v), c + 1)
        yield Part(rf"1 - {s}", 1 - v, c + 1)
        yield Part(rf"\mathrm{{sign}}\,{s}", np.sign(v), c + 1)
        if v.ndim == 1:
            yield Part(rf"{s}\text{{, sorted}}", np.sort(v), c + 1)
            yield Part(rf"{s}\text{{, sorted, the largest first}}", np.sort(v)[::-1], c + 1)
            yield Part(rf"\mathrm{{argsort}}\,{s}", np.argsort(v, kind="stable").astype(float), c + 1)
            yield Part(rf"\mathrm{{argsort}}\,{s} + 1", np.argsort(v, kind="stable") + 1.0, c + 1)
            yield Part(rf"{s}\text{{, added up from the first on}}", np.cumsum(v), c + 1)
            yield Part(rf"\text{{the largest }}{s}\text{{ up to each place}}", np.maximum.accumulate(v), c + 1)
            yield Part(rf"\text{{the smallest }}{s}\text{{ up to each place}}", np.minimum.accumulate(v), c + 1)
        for t, u, d, *_ in scalars:
            yield Part(rf"{t} \cdot {s}", u * v, c + d + 1)
            yield Part(rf"\min\{{1,\ {t} \cdot {s}\}}", np.minimum(1, u * v), c + d + 1)
            yield Part(rf"({t} - 1) \cdot {s}", (u - 1) * v, c + d + 1.5)
            yield Part(rf"\frac{{{s}}}{{{t}}}", v / u, c + d + 1)
            yield Part(rf"\frac{{{t}}}{{{s}}}", u / v, c + d + 1)
            yield Part(rf"{s} - {t}", v - u, c + d + 1)
            yield Part(rf"{s} + {t}", v + u, c + d + 1)
    yield from (pair for pair in _made(alike) if len(alike) < 12)
    for part in parts.values():
        if np.ndim(part.value) == 2 and x.ndim == 1:
            for axis, of in ((0, "column"), (1, "line")):
                if part.value.shape[1 - axis] == len(x):
                    told = ("sum", part.value.sum(axis)), ("mean", part.value.mean(axis)), ("median", np.median(part.value, axis=axis))
                    told += ("largest", part.value.max(axis)), ("sum of the squares", (part.value**2).sum(axis))
                    yield from (Part(rf"\text{{{word} of each {of} of }}{part.tex}", value, 3) for word, value in told)
    yield from (Part(rf"{s}\text{{ everywhere}}", np.full(x.shape, v), c + 2) for s, v, c, *_ in scalars)


# -- distributions ---------------------------------------------------------------------------------------------------------------
def _laws(test: Procedure, scalars: list[Part], long: bool) -> list[Part]:
    """The distribution of the test and those that are taken for it."""
    null = getattr(test, "null", None)
    df, below = getattr(null, "df", None), getattr(null, "df_error", None)
    own = [int(df)] if df is not None and not np.ndim(df) and np.isfinite(df) else []
    counts = {int(p.value) for p in scalars if p.counts and p.value < 1000}
    degrees = (
        {d + k for d in own for k in (-1, 0, 1)} | {2 * d for d in own} | ({n + k for n in counts for k in (-1, 0)} if long else set())
    )
    degrees = {d for d in degrees if d > 0}
    found: list[tuple[str, Any]] = [(r"\text{normal }Z", Normal(0.0, 1.0))]
    if isinstance(null, FisherF) and own and not np.ndim(below):
        one, two = own[0], int(below)
        pairs = {(one, two), (two, one), (one + 1, two), (one, two + 1)} | {(one, d) for d in degrees} | {(d, two) for d in degrees}
        found += [(f"F_{{{i}, {j}}}", FisherF(i, j)) for i, j in sorted(pairs)]
    if long or isinstance(null, StudentT):
        found += [(rf"\text{{Student's }}t_{{{d}}}", StudentT(d)) for d in sorted(degrees)]
    if long or isinstance(null, ChiSquared):
        found += [(rf"\chi^2_{{{d}}}", ChiSquared(d)) for d in sorted({1, *degrees}) if d < 20]
    if null is not None and isinstance(null, Discrete):
        found.append((r"\text{the statistic}", null))
    if long:
        found += [(rf"\text{{heads of {n} coins}}", FairCoins(n)) for n in sorted(counts) if n < 200]
    return [Part(name, law, 0 if str(law) == str(null) else 0.5) for name, law in found]


def _tails(laws: list[Part], at: list[Part]) -> Iterator[Part]:
    """Areas under these curves, at any value of the page."""
    x = np.array([float(p.value) for p in at])
    if not len(x):
        return
    for name, law, extra, *_ in laws:
        above, below = np.asarray(law.at_least(abs(x))), np.asarray(law.at_most(abs(x)))
        written: list[tuple[str, Any, float]] = [
            (r"P({0} \geq |{1}|)", above, 1),
            (r"2\,P({0} \geq |{1}|)", 2 * above, 1),
            (r"P({0} \leq |{1}|)", below, 1),
            (r"2\,P({0} \leq |{1}|)", 2 * below, 1),
            (r"1 - 2\,P({0} \geq |{1}|)", 1 - 2 * above, 2),
            (r"\frac{{1}}{{2}}\,P({0} \geq |{1}|)", above / 2, 2),
        ]
        if hasattr(law, "density"):
            height = law.density(x)
            written += [(r"\text{{height of the curve of }}{0}\text{{ at }}{1}", height, 2)]
            written += [(r"\text{{twice the height of the curve of }}{0}\text{{ at }}{1}", 2 * height, 2)]
        else:
            written += [(r"P({0} = {1})", above + below - 1, 1), (r"2\,P({0} = {1})", 2 * (above + below - 1), 1)]
            written += [(r"P({0} > {1})", 1 - below, 1), (r"2\,P({0} > {1})", 2 - 2 * below, 1)]
            written += [(r"P({0} < {1})", 1 - above, 1), (r"2\,P({0} < {1})", 2 - 2 * above, 1)]
        for form, values, cost in written:
            yield from (
                Part(form.format(name, p.tex), v, p.cost + extra + cost)
                for p, v in zip(at, np.broadcast_to(values, x.shape), strict=True)
                if p.tex != r"\alpha"
            )


def _quantiles(laws: list[Part], factors: list[Part], alpha: float, x: Any, room: Any) -> Iterator[Part]:
    """Limits of these curves, alone or multiplied: those beyond which a level lies that somebody takes for his own."""
    shares = [share for share in (alpha, alpha / 2, alpha / 4, 2 * alpha) if 0 < share < 1]
    for name, law, extra, *_ in laws:
        if not hasattr(law, "density"):
            continue
        for s, v, c, *_ in (Part("", 1.0, 0), Part("2", 2.0, 0.5), Part(r"\frac{1}{2}", 0.5, 0.5), *factors):
            ends = np.sort([(x - room) / float(v), (x + room) / float(v)])
            for side, outer in (("above", law.at_least), ("below", law.at_most)):
                low, high = np.sort(outer(ends))
                for share in shares:
                    if low * (1 - 1e-12) <= share <= high * (1 + 1e-12):
                        line = rf"\text{{the value of }}{name}\text{{ with {plain(share)} {side} it}}"
                        yield Part(rf"{s} \cdot {line}" if s else line, x, 1.5 + extra + c)


# -- digits ----------------------------------------------------------------------------------------------------------------------
def _digits(x: Any) -> int:
    """How many significant digits somebody gave, at most."""
    return max((len(f"{abs(v):.15g}".partition("e")[0].replace(".", "").strip("0")) for v in np.ravel(x)), default=0)


def _half_a_unit(x: Any) -> Any:
    """Half a unit of the last digit that was given."""
    units = [10.0 ** -len(f"{v:.12f}".rstrip("0").partition(".")[2]) for v in np.ravel(x)]
    return 0.5 * np.array(units).reshape(np.shape(x)) * (1 + 1e-9)
