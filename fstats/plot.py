"""The pictures that a test can show."""

from __future__ import annotations

from typing import Any

import numpy as np

from .hypothesis import HypothesisTest
from .null import Array, Continuous, Discrete, Interval, Normal
from .number import plain
from .picture import BLACK, BLUE, GREY, ORANGE, VERMILLION, Area, Bars, Curve, Links, Mark, Picture, Points, Rule

MOST_BARS = 400
SPANS = (5.0, 8.0, 12.0, 20.0, 40.0)  # half widths of the t axis: few, so that the axis stands still while a slider moves


def null(test: HypothesisTest) -> Picture:
    """The null distribution with the statistic, the critical value and the p-value in it (of a single test).

    >>> import fstats
    >>> fstats.plot.null(fstats.PairedT([85, 70, 79, 78, 83], [87, 68, 85, 75, 83]))
    [picture: Null distribution of t, Student's t with 4 degrees of freedom. The statistic t = -0.375 lies outside the rejection region |t| >= 2.776. p = 0.7267.]
    """
    _only_one(np.shape(test.pvalue), "test.at({}).plot()")
    symbol = PLAIN.get(symbol := type(test).steps["statistic"].symbol, symbol)
    draw = _atoms if isinstance(test.null, Discrete) else _density
    (low, high), top, marks = draw(test, symbol)
    ends = [(name, end, VERMILLION, True) for name, end in _critical_ends(test)] + [(symbol, float(test.statistic), BLUE, False)]
    for name, end, color, dashed in ends:
        off = "" if low <= end <= high else ", off the picture"
        marks.append(Rule(min(max(end, low), high), f"{name} = {plain(end)}{off}", color, dashed, line=int(dashed)))
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


def _only_one(repetitions: tuple[int, ...], how: str) -> None:
    """A picture shows one repetition: refuse a batch, and say how to draw one of it."""
    if repetitions:
        first = how.format(", ".join("0" * len(repetitions)))
        raise ValueError(f"a batch of shape {repetitions} has no one picture; draw one repetition, such as {first}")


PLAIN = {r"\chi^2": "χ²"}  # symbols outside formulas


def _critical_ends(test: HypothesisTest) -> list[tuple[str, float]]:
    """The values of the statistic where the rejection region begins, with their names; none where nothing can reject."""
    c = test.critical_value
    ends = [("c", c.low), ("c'", c.high)] if isinstance(c, Interval) else [("-c", -c), ("c", c)] if test.tail == "both" else [("c", c)]
    return [(name, float(end)) for name, end in ends if np.isfinite(end)]


def _in_words(test: HypothesisTest, symbol: str) -> str:
    """What the picture of the null distribution shows."""
    ends = [plain(end) for _, end in _critical_ends(test)]
    if not ends:
        where = f"The statistic is {symbol} = {plain(test.statistic)}; no value of it can reject at this alpha"
    else:
        size, relation = f"|{symbol}|" if test.tail == "both" else symbol, "<=" if test.tail.startswith("lower") else ">="
        region = f"{symbol} <= {ends[0]} or {symbol} >= {ends[-1]}" if test.tail == "smaller twice" else f"{size} {relation} {ends[-1]}"
        side = "inside" if test.reject else "outside"
        where = f"The statistic {symbol} = {plain(test.statistic)} lies {side} the rejection region {region}"
    return f"Null distribution of {symbol}, {test.null}. {where}. p = {plain(test.pvalue)}."


Frame = tuple[tuple[float, float], float, list[Mark]]  # limits of x, the highest point, the marks


def _atoms(test: HypothesisTest, symbol: str) -> Frame:
    """A bar for each value, those that make up p hatched."""
    assert isinstance(test.null, Discrete)
    x, chances = test.null.atoms()
    gap = float(np.diff(x).min()) if len(x) > 1 else 1.0
    below, above = x <= test.statistic, x >= test.statistic
    label = f"p = {plain(test.pvalue)}"
    if test.tail == "smaller twice":
        extreme = below if chances[below].sum() <= chances[above].sum() else above
        label += ", twice this tail"
    else:
        extreme = below if test.tail.startswith("lower") else above
    if test.tail == "lower twice":  # the doubled tail lies at the other end, which mirrors this one
        extreme = extreme | (x >= x[0] + x[-1] - test.statistic)
    frame = (float(x[0]) - gap, float(x[-1]) + gap), float(chances.max())
    if len(x) > MOST_BARS:  # too many to see: their outline
        sides = [part for part in (extreme & below, extreme & ~below) if part.any()]
        areas = [Area(x[part], chances[part], BLUE, label if k == 0 else "", hatched=True) for k, part in enumerate(sides)]
        return *frame, [Area(x, chances, GREY, f"chance of each {symbol} under H0"), *areas]
    bars: list[Mark] = [
        Bars(x[~extreme], chances[~extreme], 0.8 * gap, GREY, f"chance of each {symbol} under H0"),
        Bars(x[extreme], chances[extreme], 0.8 * gap, BLUE, label, hatched=True),
    ]
    return *frame, bars


def _density(test: HypothesisTest, symbol: str) -> Frame:  # noqa: ARG001
    """A curve, with the areas of the rejection region and of p below it."""
    null = test.null
    assert isinstance(null, Continuous)
    centre, scale = (float(null.mean), float(null.sd) or 1.0) if isinstance(null, Normal) else (0.0, 1.0)
    statistic, ends = float(test.statistic), [end for _, end in _critical_ends(test)]
    need = max((abs(v - centre) / scale * 1.05 for v in [statistic, *ends] if np.isfinite(v)), default=0.0)
    span = scale * next((s for s in SPANS if s >= need), SPANS[-1])
    least, most = getattr(null, "support", (-np.inf, np.inf))
    left, right = max(least, centre - span), min(most, centre + span)
    grid = np.linspace(left, right, 241)
    if isinstance(null, Normal) and not null.sd:
        return (centre - span, centre + span), 1.0, [Rule(centre, "all of it", BLACK, line=1)]
    marks: list[Mark] = []
    for edges, color, label in (
        ((ends[0], ends[-1]) if ends else (-np.inf, np.inf), ORANGE, f"rejection region, {plain(test.alpha)} in all"),
        ((statistic, statistic), BLUE, f"p = {plain(test.pvalue)}"),
    ):
        for part in _beyond(grid, *_both_sides(test, edges, centre)):
            marks.append(Area(part, null.density(part), color, label, hatched=color == BLUE))
            label = ""  # the second area needs no second line in the legend
    curve = null.density(grid)
    return (left, right), float(curve[12:].max()), [*marks, Curve(grid, curve)]


def _both_sides(test: HypothesisTest, edges: tuple[float, float], centre: float) -> tuple[float, float]:
    """Where the values at least as extreme begin: below the first, above the second; infinite for a side that does not count."""
    if test.tail == "upper":
        return -np.inf, edges[1]
    if test.tail == "lower":
        return edges[0], np.inf
    away = max(abs(edge - centre) for edge in edges)  # the other curves are symmetric
    return centre - away, centre + away


def _beyond(grid: Array, low: float, high: float) -> list[Array]:
    """The parts of the grid below low and above high, both included."""
    parts = []
    if grid[0] < low < np.inf:
        parts.append(np.r_[grid[grid < low], min(low, grid[-1])])
    if -np.inf < high < grid[-1]:
        parts.append(np.r_[max(high, grid[0]), grid[grid > high]])
    return parts


def scores(test: Any) -> Picture:
    """The two classifiers' scores on each data set, joined in pairs (of a single test).

    >>> import fstats
    >>> fstats.plot.scores(fstats.PairedT([85, 70, 79, 78, 83], [87, 68, 85, 75, 83]))
    [picture: Scores on 5 data sets: A is ahead on 2, B on 2, equal on 1. Mean of A 79, of B 79.6.]
    """
    a, b = test.a, test.b
    _only_one(np.shape(a)[1:], "fstats.plot.scores(test.at({}))")
    n = len(a)
    x = np.arange(1.0, n + 1)
    low, high = np.minimum(a, b), np.maximum(a, b)
    margin = float(high.max() - low.min()) * 0.12 or 1.0
    ahead, behind = int((test.d > 0).sum()), int((test.d < 0).sum())
    return Picture(
        title=f"A is ahead on {ahead} of {n}, B on {behind}" + (f", equal on {n - ahead - behind}" if ahead + behind < n else ""),
        xlabel="data set",
        ylabel="score",
        xlim=(0.4, n + 0.6),
        ylim=(float(low.min()) - margin, float(high.max()) + margin),
        marks=(Links(x, low, high), Points(x, b, VERMILLION, "B", open=True), Points(x, a, BLUE, "A")),
        text=f"Scores on {n} data sets: A is ahead on {ahead}, B on {behind}, equal on {n - ahead - behind}. Mean of A {plain(a.mean())}, of B {plain(b.mean())}.",
        whole_x=True,
    )


def normal_quantiles(check: Any) -> Picture:
    """Ordered values against normal quantiles, with the line through mean and standard deviation (of a single sample).

    >>> import fstats
    >>> fstats.plot.normal_quantiles(fstats.Normality([-2, 2, -6, 3, 0]))
    [picture: Ordered values against normal quantiles, with the line that normal values would follow. These 5 values do not ...]
    """
    _only_one(np.shape(check.x)[1:], "check.at({}).plot()")
    x, q = check.ordered, check.quantiles
    line = check.x.mean() + check.x.std(ddof=1) * q
    return _scatter(
        q,
        x,
        q,
        line,
        "Are the values normal?",
        "normal quantile",
        "value",
        "Ordered values against normal quantiles, with the line that normal values would follow. " + check.conclusion,
    )


def symmetry(check: Any) -> Picture:
    """Distances above the median against those below, with the line of equal ones (of a single sample).

    >>> import fstats
    >>> fstats.plot.symmetry(fstats.Symmetry([1, 2, 3, 4, 10]))
    [picture: Distances above the median against distances below it, with the line of equal ones. The upper tail is longer ...]
    """
    _only_one(np.shape(check.x)[1:], "check.at({}).plot()")
    line = np.array([0.0, max(check.above.max(), check.below.max())])
    return _scatter(
        check.below,
        check.above,
        line,
        line,
        "Are the values symmetric?",
        "below the median by",
        "above by",
        "Distances above the median against distances below it, with the line of equal ones. " + check.conclusion,
    )


def _scatter(x: Array, y: Array, line_x: Array, line_y: Array, title: str, xlabel: str, ylabel: str, text: str) -> Picture:
    """Points and a line that they are to be held against."""

    def limits(values: Array) -> tuple[float, float]:
        margin = float(np.ptp(values)) * 0.08 or 1.0
        return float(values.min()) - margin, float(values.max()) + margin

    marks = (Curve(line_x, line_y, GREY), Points(x, y, BLUE))
    return Picture(title, xlabel, ylabel, limits(np.r_[x, line_x]), limits(np.r_[y, line_y]), marks, text)


def outliers(check: Any) -> Picture:
    """The values, one above the other in their order, with the fences (of a single sample).

    >>> import fstats
    >>> fstats.plot.outliers(fstats.Outliers([1, 2, 3, 4, 50]))
    [picture: 5 values between the fences -1 and 7, or beyond. 50 lies beyond the fences.]
    """
    x = check.x
    _only_one(np.shape(x)[1:], "check.at({}).plot()")
    ends = [float(check.low_fence), float(check.high_fence)]
    low, high = min(x.min(), ends[0]), max(x.max(), ends[1])
    margin = float(high - low) * 0.08 or 1.0
    place = np.arange(1.0, len(x) + 1)
    inside = ~check.outside
    return Picture(
        title="Do values stand apart?",
        xlabel="value",
        ylabel="number",
        xlim=(float(low) - margin, float(high) + margin),
        ylim=(0.0, len(x) * 1.35 + 1),
        marks=(
            *(Rule(end, f"fence {plain(end)}", VERMILLION, dashed=True) for end in ends),
            Points(x[inside], place[inside], BLUE, "inside"),
            Points(x[~inside], place[~inside], VERMILLION, "outside", open=True),
        ),
        text=f"{len(x)} values between the fences {plain(ends[0])} and {plain(ends[1])}, or beyond. {check.conclusion}",
    )
