"""The pictures that a test can show."""

from __future__ import annotations

from typing import Any

import numpy as np

from .hypothesis import HypothesisTest
from .null import Array, Continuous, Discrete, Normal
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
        raise ValueError(
            f"a batch of shape {np.shape(test.pvalue)} has no one picture; draw one repetition, such as test.at({', '.join('0' * np.ndim(test.pvalue))}).plot()"
        )
    symbol = type(test).steps["statistic"].symbol
    statistic, critical = float(test.statistic), float(test.critical_value)
    draw = _atoms if isinstance(test.null, Discrete) else _density
    (low, high), top, marks = draw(test, symbol)
    if np.isfinite(critical):
        marks.append(Rule(critical, f"c = {plain(critical)}", VERMILLION, dashed=True, line=1))
        if test.tail == "both":
            marks.append(Rule(-critical, f"-c = {plain(-critical)}", VERMILLION, dashed=True, line=1))
    off = "" if low <= statistic <= high else ", off the picture"
    marks.append(Rule(min(max(statistic, low), high), f"{symbol} = {plain(statistic)}{off}", BLUE))
    return Picture(
        title=f"{symbol} when H0 is true",
        xlabel=symbol,
        ylabel="probability" if isinstance(test.null, Discrete) else "density",
        xlim=(low, high),
        ylim=(0.0, top * 1.35),
        marks=tuple(marks),
        text=_in_words(test, symbol),
        whole_x=isinstance(test.null, Discrete),
    )


def _in_words(test: HypothesisTest, symbol: str) -> str:
    """What the picture of the null distribution shows."""
    statistic, critical = plain(test.statistic), plain(test.critical_value)
    if np.isinf(test.critical_value):
        where = f"The statistic is {symbol} = {statistic}; no value of it can reject at this alpha"
    else:
        region = f"{f'|{symbol}|' if test.tail == 'both' else symbol} {'<=' if test.tail.startswith('lower') else '>='} {critical}"
        where = f"The statistic {symbol} = {statistic} lies {'inside' if test.reject else 'outside'} the rejection region {region}"
    return f"Null distribution of {symbol}, {test.null}. {where}. p = {plain(test.pvalue)}."


Frame = tuple[tuple[float, float], float, list[Mark]]  # limits of x, the highest point, the marks


def _atoms(test: HypothesisTest, symbol: str) -> Frame:
    """A bar for each value, those that make up p hatched."""
    assert isinstance(test.null, Discrete)
    x, chances = test.null.atoms()
    gap = float(np.diff(x).min()) if len(x) > 1 else 1.0
    extreme = x <= test.statistic if test.tail.startswith("lower") else x >= test.statistic
    if test.tail == "lower twice":  # the doubled tail lies at the other end, which mirrors this one
        extreme = extreme | (x >= x[0] + x[-1] - test.statistic)
    bars: list[Mark] = [
        Bars(x[~extreme], chances[~extreme], 0.8 * gap, GREY, f"chance of each {symbol} under H0"),
        Bars(x[extreme], chances[extreme], 0.8 * gap, BLUE, f"p = {plain(test.pvalue)}", hatched=True),
    ]
    return (float(x[0]) - gap, float(x[-1]) + gap), float(chances.max()), bars


def _density(test: HypothesisTest, symbol: str) -> Frame:  # noqa: ARG001
    """A curve, with the areas of the rejection region and of p below it."""
    null = test.null
    assert isinstance(null, Continuous)
    centre, scale = (float(null.mean), float(null.sd) or 1.0) if isinstance(null, Normal) else (0.0, 1.0)
    marked = [float(v) for v in (test.statistic, test.critical_value) if np.isfinite(v)]
    need = max((abs(v - centre) / scale * 1.05 for v in marked), default=0.0)
    span = scale * next((s for s in SPANS if s >= need), SPANS[-1])
    grid = np.linspace(centre - span, centre + span, 241)
    if isinstance(null, Normal) and not null.sd:
        return (centre - span, centre + span), 1.0, [Rule(centre, "all of it", BLACK)]
    small, both = test.tail.startswith("lower"), test.tail in ("both", "lower twice")
    marks: list[Mark] = []
    for edge, color, label in (
        (float(test.critical_value), ORANGE, f"rejection region, {plain(test.alpha)} in all"),
        (float(abs(test.statistic) if test.tail == "both" else test.statistic), BLUE, f"p = {plain(test.pvalue)}"),
    ):
        for part in _beyond(grid, edge, small, both, centre) if np.isfinite(edge) else []:
            marks.append(Area(part, null.density(part), color, label, hatched=color == BLUE))
            label = ""  # the second area needs no second line in the legend
    curve = null.density(grid)
    return (centre - span, centre + span), float(curve.max()), [*marks, Curve(grid, curve)]


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
        raise ValueError(
            f"a batch of scores of shape {np.shape(a)} has no one picture; draw one repetition, such as fstats.plot.scores(test.at(0))"
        )
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
