"""The pictures that a test can show."""

from __future__ import annotations

from typing import Any

import numpy as np

from .hypothesis import HypothesisTest
from .null import Array
from .number import plain
from .picture import BLACK, BLUE, GREY, ORANGE, VERMILLION, Area, Bars, Curve, Links, Mark, Picture, Points, Rule

SPANS = (5.0, 8.0, 12.0, 20.0, 40.0)  # half widths of the t axis: few, so that the axis stands still while a slider moves


def null(test: HypothesisTest) -> Picture:
    """The null distribution with the statistic, the critical value and the p-value in it (of a single test).

    >>> import fstats
    >>> fstats.plot.null(fstats.PairedT([85, 70, 79, 78, 83], [87, 68, 85, 75, 83]))
    [picture: Null distribution of t, Student's t with 4 degrees of freedom. The statistic t = -0.375 lies outside the rejection region |t| >= 2.776. p = 0.7267.]
    """
    if np.ndim(test.pvalue):
        raise ValueError(f"a batch of shape {np.shape(test.pvalue)} has no one picture; draw one repetition, such as test.at({', '.join('0' * np.ndim(test.pvalue))}).plot()")
    symbol = type(test).steps["statistic"].symbol
    statistic, critical, p = float(test.statistic), float(test.critical_value), float(test.pvalue)
    small, both = test.tail.startswith("lower"), test.tail in ("both", "lower twice")
    region = f"{f'|{symbol}|' if test.tail == 'both' else symbol} {'<=' if small else '>='} {plain(critical)}"
    where = "There is no rejection region" if np.isinf(critical) else f"The statistic {symbol} = {plain(statistic)} lies {'inside' if test.reject else 'outside'} the rejection region {region}"
    if np.isinf(critical):
        where = f"The statistic is {symbol} = {plain(statistic)}; no value of it can reject at this alpha"
    text = f"Null distribution of {symbol}, {test.null}. {where}. p = {plain(p)}."
    marks: list[Mark] = []
    if hasattr(test.null, "atoms"):
        x, chances = test.null.atoms()
        gap = float(np.diff(x).min()) if len(x) > 1 else 1.0
        low, high = float(x[0]) - gap, float(x[-1]) + gap
        top = float(chances.max())
        extreme = (x <= statistic) if small else (x >= statistic)
        mirror = (x >= x[0] + x[-1] - statistic) & ~extreme if test.tail == "lower twice" else np.zeros(len(x), bool)
        rest = ~extreme & ~mirror
        marks += [Bars(x[rest], chances[rest], 0.8 * gap, GREY, f"chance of each {symbol} under H0")]
        marks += [Bars(x[~rest], chances[~rest], 0.8 * gap, BLUE, f"p = {plain(p)}", hatched=True)]
    else:
        centre, scale = (0.0, 1.0) if not hasattr(test.null, "sd") else (float(test.null.mean), float(test.null.sd) or 1.0)
        need = max((abs(v - centre) / scale * 1.05 for v in (statistic, critical) if np.isfinite(v)), default=0.0)
        span = next((s for s in SPANS if s >= need), SPANS[-1])
        low, high = centre - span * scale, centre + span * scale
        grid = centre + scale * np.linspace(-span, span, 241)
        curve = test.null.density(grid) if getattr(test.null, "sd", 1) else np.zeros(len(grid))
        top = float(curve.max()) or 1.0
        if np.isfinite(critical):
            for part in _beyond(grid, critical, small, both and not small, centre):
                marks.append(Area(part, test.null.density(part), ORANGE, f"rejection region, {plain(test.alpha)} in all" if not any(isinstance(m, Area) for m in marks) else ""))
        if np.isfinite(statistic):
            edge = abs(statistic) if test.tail == "both" else statistic
            first = True
            for part in _beyond(grid, edge, small, both, centre):
                marks.append(Area(part, test.null.density(part), BLUE, f"p = {plain(p)}" if first else "", hatched=True))
                first = False
        marks.append(Curve(grid, curve, BLACK))
    if np.isfinite(critical):
        marks.append(Rule(critical, f"c = {plain(critical)}", VERMILLION, dashed=True, line=1))
        if test.tail == "both":
            marks.append(Rule(-critical, f"-c = {plain(-critical)}", VERMILLION, dashed=True, line=1))
    shown = f"{symbol} = {plain(statistic)}" if low <= statistic <= high else f"{symbol} = {plain(statistic)}, off the picture"
    marks.append(Rule(min(max(statistic, low), high), shown, BLUE))
    discrete = hasattr(test.null, "atoms")
    return Picture(
        title=f"{symbol} when H0 is true",
        xlabel=symbol,
        ylabel="probability" if discrete else "density",
        xlim=(low, high),
        ylim=(0.0, top * 1.35),
        marks=tuple(marks),
        text=text,
        whole_x=discrete,
    )


def _beyond(grid: Array, edge: float, small: bool, both: bool, centre: float) -> list[Array]:
    """The parts of the grid that are at least as extreme as the edge, the edge included."""
    low, high = (edge, 2 * centre - edge) if edge <= centre else (2 * centre - edge, edge)
    parts = []
    if (both or small) and low > grid[0]:
        stop = low if both else edge
        parts.append(np.r_[grid[grid < stop], stop])
    if both or not small:
        start = high if both else edge
        if start < grid[-1]:
            parts.append(np.r_[start, grid[grid > start]])
    return parts


def scores(test: Any) -> Picture:
    """The two classifiers' scores on each data set, joined in pairs (of a single test).

    >>> import fstats
    >>> fstats.plot.scores(fstats.PairedT([85, 70, 79, 78, 83], [87, 68, 85, 75, 83]))
    [picture: Scores on 5 data sets: A is ahead on 2, B on 2, equal on 1. Mean of A 79, of B 79.6.]
    """
    a, b = test.a, test.b
    if np.ndim(a) != 1:
        raise ValueError(f"a batch of scores of shape {np.shape(a)} has no one picture; draw one repetition, such as fstats.plot.scores(test.at(0))")
    n = len(a)
    x = np.arange(1.0, n + 1)
    low, high = np.minimum(a, b), np.maximum(a, b)
    margin = float(high.max() - low.min()) * 0.12 or 1.0
    ahead, behind = int((test.d > 0).sum()), int((test.d < 0).sum())
    return Picture(
        title=f"A is ahead on {ahead} data sets, B on {behind}" + (f", equal on {n - ahead - behind}" if ahead + behind < n else ""),
        xlabel="data set",
        ylabel="score",
        xlim=(0.4, n + 0.6),
        ylim=(float(low.min()) - margin, float(high.max()) + margin),
        marks=(Links(x, low, high), Points(x, b, VERMILLION, "B", open=True), Points(x, a, BLUE, "A")),
        text=f"Scores on {n} data sets: A is ahead on {ahead}, B on {behind}, equal on {n - ahead - behind}. Mean of A {plain(a.mean())}, of B {plain(b.mean())}.",
        whole_x=True,
    )
