r"""Probability distributions that students use by mistake."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ....core.null_distribution import DiscreteNull
from ....core.number_format import format_plain
from ....core.procedure import Procedure
from ....distributions.continuous_distributions import ChiSquared, FisherF, Normal, StudentT
from ....distributions.symmetric_binomial import SymmetricBinomial
from .formula_term import FormulaTerm


def laws_taken(test: Procedure, scalars: list[FormulaTerm], long: bool) -> list[FormulaTerm]:
    """Return the test's distribution and distributions that are confused with it; for a number with many digits also other families."""
    null = getattr(test, "null", None)
    counts = {int(part.value) for part in scalars if part.counts and part.value < 1000} if long else set()
    degrees = _degrees(null, counts)
    distributions: list[tuple[str, Any]] = [(r"\text{normal }Z", Normal(0.0, 1.0)), *_fishers(null, degrees)]
    if long or isinstance(null, StudentT):
        distributions += [(rf"\text{{Student's }}t_{{{d}}}", StudentT(d)) for d in sorted(degrees)]
    if long or isinstance(null, ChiSquared):
        distributions += [(rf"\chi^2_{{{d}}}", ChiSquared(d)) for d in sorted({1, *degrees}) if d < 20]
    if isinstance(null, DiscreteNull):
        distributions.append((r"\text{the statistic}", null))
    distributions += [(rf"\text{{heads of {n} coins}}", SymmetricBinomial(n)) for n in sorted(counts) if n < 200]
    return [FormulaTerm(name, law, 0 if str(law) == str(null) else 0.5) for name, law in distributions]


def _own_degrees(null: Any) -> list[int]:
    """Return the degrees of freedom of the null distribution; empty if it has none, or if they are a column."""
    df = getattr(null, "df", np.inf)
    return [int(df)] if not np.ndim(df) and np.isfinite(df) else []


def _degrees(null: Any, counts: set[int]) -> set[int]:
    """Return degrees of freedom that students may use by mistake: the right number +/- 1, twice this number, a count, or a count - 1."""
    own = _own_degrees(null)
    beside = {d + k for d in own for k in (-1, 0, 1)} | {2 * d for d in own} | {n + k for n in counts for k in (-1, 0)}
    return {d for d in beside if d > 0}


def _fishers(null: Any, degrees: set[int]) -> Iterator[tuple[str, FisherF]]:
    """Yield F distributions with exchanged or other degrees of freedom, if the null distribution is an F distribution."""
    if isinstance(null, FisherF) and not np.ndim(null.df_error):
        for one in _own_degrees(null):
            two = int(null.df_error)
            pairs = {(one, two), (two, one), (one + 1, two), (one, two + 1)} | {(one, d) for d in degrees} | {(d, two) for d in degrees}
            yield from ((f"F_{{{i}, {j}}}", FisherF(i, j)) for i, j in sorted(pairs))


def tails(laws: list[FormulaTerm], at: list[FormulaTerm]) -> Iterator[FormulaTerm]:
    """Yield tail areas of distributions beyond any value of the page, and densities at these values."""
    x = np.array([float(p.value) for p in at])
    if not len(x):
        return
    for name, law, extra, *_ in laws:
        above, below = np.asarray(law.at_least(abs(x))), np.asarray(law.at_most(abs(x)))
        areas: list[tuple[str, Any]] = [(r"P({0} \geq |{1}|)", above), (r"P({0} \leq |{1}|)", below)]
        written: list[tuple[str, Any, float]] = [
            (r"1 - 2\,P({0} \geq |{1}|)", 1 - 2 * above, 2),
            (r"\frac{{1}}{{2}}\,P({0} \geq |{1}|)", above / 2, 2),
        ]
        if hasattr(law, "density"):
            height = law.density(x)
            written += [(r"\text{{height of the curve of }}{0}\text{{ at }}{1}", height, 2)]
            written += [(r"\text{{twice the height of the curve of }}{0}\text{{ at }}{1}", 2 * height, 2)]
        else:
            areas += [(r"P({0} = {1})", above + below - 1), (r"P({0} > {1})", 1 - below), (r"P({0} < {1})", 1 - above)]
        written += [(times + form, many * area, 1) for form, area in areas for times, many in (("", 1), (r"2\,", 2))]
        for form, values, cost in written:
            yield from (
                FormulaTerm(form.format(name, p.tex), v, p.cost + extra + cost)
                for p, v in zip(at, np.broadcast_to(values, x.shape), strict=True)
                if p.tex != r"\alpha"
            )


def limits(laws: list[FormulaTerm], factors: list[FormulaTerm], alpha: float, x: Any, room: Any) -> Iterator[FormulaTerm]:
    """Yield critical values of distributions at levels near alpha, alone or multiplied by a number of the page."""
    shares = [share for share in (alpha, alpha / 2, alpha / 4, 2 * alpha) if 0 < share < 1]
    for name, law, extra, *_ in laws:
        if not hasattr(law, "density"):
            continue
        for s, v, c, *_ in (FormulaTerm("", 1.0, 0), FormulaTerm("2", 2.0, 0.5), FormulaTerm(r"\frac{1}{2}", 0.5, 0.5), *factors):
            ends = np.sort([(x - room) / float(v), (x + room) / float(v)])
            for side, outer in (("above", law.at_least), ("below", law.at_most)):
                low, high = np.sort(outer(ends))
                for share in shares:
                    if low * (1 - 1e-12) <= share <= high * (1 + 1e-12):
                        line = rf"\text{{the value of }}{name}\text{{ with {format_plain(share)} {side} it}}"
                        yield FormulaTerm(rf"{s} \cdot {line}" if s else line, x, 1.5 + extra + c)
