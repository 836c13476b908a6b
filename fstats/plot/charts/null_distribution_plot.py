"""Plot of a null distribution with the observed statistic."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...core.hypothesis import HypothesisTest
from ...core.null_distribution import ContinuousNull, DiscreteNull
from ...core.number_format import format_plain, format_pvalue
from ...core.rejection_region import BOTH, LEAST_PROBABLE, LOWER, LOWER_TWICE, SMALL_COUNT_TAILS, SMALLER_TWICE, UPPER
from ...core.validation.check import check_single_repetition
from ...core.value_types import Array
from ...distributions.binomial import TIE
from ...distributions.continuous_distributions import ChiSquared, FisherF, Normal
from ..drawing.picture import Picture
from ..drawing.picture_marks import BLACK, BLUE, GREY, ORANGE, VERMILLION, Area, Bars, Curve, Mark, VerticalLine, tick_positions
from ..drawing.picture_options import with_picture_options

MOST_BARS = 400
# probabilities are rough if their total variation, divided by the highest probability, is above MAX_ROUGHNESS; of rough probabilities, an
# upper tail that contains less than INVISIBLE_TAIL is not drawn, and more than MOST_BARS bars are binned
MAX_ROUGHNESS, INVISIBLE_TAIL = 3.0, 1e-4
LEAST_SEEN = 0.02  # a tail below this share of the highest point is at most two pixels high, so the legend says that it cannot be seen
LETTER = 0.018  # width of a letter in a label, as a share of the width of the picture
# possible half widths of the axis of t; there are only a few, so that the axis rarely changes while the user moves a slider
AXIS_HALF_WIDTHS = (5.0, 8.0, 12.0, 20.0, 40.0)


@with_picture_options
def null(test: HypothesisTest) -> Picture:
    """Draw the null distribution of a single test with the statistic, the critical values and the p-value.

    >>> import fstats
    >>> fstats.plot.null(fstats.PairedT([85, 70, 79, 78, 83], [87, 68, 85, 75, 83]))
    [picture: Null distribution of t, Student's t with 4 degrees of freedom. The statistic t = -0.375 lies outside the rejection region
    |t| >= 2.776. p = 0.7267.]
    """
    check_single_repetition(np.shape(test.pvalue), "picture", "test.at({}).plot()")
    symbol = UNICODE_SYMBOLS.get(symbol := type(test).steps["statistic"].symbol, symbol)
    draw = _probability_bars if isinstance(test.null, DiscreteNull) else _density_curve
    (low, high), top, marks = draw(test, symbol)
    ends = [(name, end, VERMILLION, True) for name, _, end in _critical_values(test)] + [(symbol, float(test.statistic), BLUE, False)]
    for name, end, color, dashed in ends:
        off = "" if low <= end <= high else ", outside the picture"
        label = f"{name} = {format_plain(end, test.statistic_digits)}{off}"
        marks.append(VerticalLine(min(max(end, low), high), label, color, dashed, line=int(dashed)))
    ylabel = "probability" if isinstance(test.null, DiscreteNull) else "density"
    whole_x = isinstance(test.null, DiscreteNull)
    drawn = _drawn_name(test, symbol)
    xlabel = symbol if drawn == symbol else type(test).steps["null"].symbol.replace("_0", "₀")
    title = f"{drawn if drawn == symbol else drawn[:1].upper() + drawn[1:]} when H0 is true"
    text = _describe(test, symbol)
    picture = Picture(title, xlabel, ylabel, (low, high), (0.0, top * 1.35), tuple(marks), text, whole_x=whole_x)
    return replace(picture, marks=tuple(_avoid_crossing(picture, mark) for mark in picture.marks))


UNICODE_SYMBOLS = {r"\chi^2": "χ²", r"\chi^2_F": "χ²", "F_F": "F", "F_Q": "F"}  # Unicode symbols for texts that contain no LaTeX


def _drawn_name(test: HypothesisTest, symbol: str) -> str:
    """Return the name of the variable of the null distribution; if the statistic is the smaller of two sums, it is one of the sums."""
    told = re.match(r"Distribution of (.+?) under H0", type(test).steps["null"].sentence)
    return told[1] if told and type(test).tails == SMALL_COUNT_TAILS else symbol


def _avoid_crossing(picture: Picture, mark: Mark) -> Mark:
    """Move the label of a critical value to the other side of its line if the line of the statistic would cross the label."""
    if not isinstance(mark, VerticalLine) or not mark.line:
        return mark
    x0, x1 = picture.xlim
    wide = LETTER * len(mark.label) * (x1 - x0)
    for side in ("left", "right") if picture.is_label_left(mark) else ("right", "left"):
        low, high = (mark.x - wide, mark.x) if side == "left" else (mark.x, mark.x + wide)
        crossed = any(isinstance(other, VerticalLine) and not other.line and low < other.x < high for other in picture.marks)
        if x0 <= low and high <= x1 and not crossed:
            return replace(mark, side=side)
    return mark


def _critical_values(test: HypothesisTest) -> list[tuple[str, str, float]]:
    """Return name, relation ("<=" or ">=") and value of each critical value; an empty list if no value can reject."""
    ends = zip(test.tail.boundary_symbols, ("<=", ">="), test.tail.region(test.critical_value), strict=True)
    return [(name, relation, float(end)) for name, relation, end in ends if np.isfinite(end)]


def _describe(test: HypothesisTest, symbol: str) -> str:
    """Return the alternative text of the picture of the null distribution."""
    digits = test.statistic_digits
    statistic = format_plain(test.statistic, digits)
    ends = [f"{relation} {format_plain(end, digits)}" for _, relation, end in _critical_values(test)]
    if not ends:
        where = f"The statistic is {symbol} = {statistic}; no value can reject H0 at this alpha"
    else:
        region = f"|{symbol}| {ends[-1]}" if test.tail == BOTH else " or ".join(f"{symbol} {end}" for end in ends)
        side = "inside" if test.reject else "outside"
        where = f"The statistic {symbol} = {statistic} lies {side} the rejection region {region}"
    return f"Null distribution of {_drawn_name(test, symbol)}, {test.null}. {where}. {format_pvalue(test.pvalue, test.alpha)}."


ChartParts = tuple[tuple[float, float], float, list[Mark]]  # limits of the x-axis, height of the highest point, marks


def _probability_bars(test: HypothesisTest, symbol: str) -> ChartParts:
    """Return a bar for each value of a discrete null distribution, coloured in the rejection region and hatched in the tails of p."""
    assert isinstance(test.null, DiscreteNull)
    x, chances = test.null.atoms()
    gap = float(np.diff(x).min()) if len(x) > 1 else 1.0
    statistic = float(test.statistic)
    noise = 1e-9 * (1 + abs(statistic))  # rounding tolerance, because the statistic and the values are computed in different ways
    below, above = x <= statistic + noise, x >= statistic - noise
    label, each = format_pvalue(test.pvalue, test.alpha), ""  # grey bars need no legend entry, because the y-axis has a label
    if test.tail == SMALLER_TWICE:
        extreme = below if chances[below].sum() <= chances[above].sum() else above
        label += ", twice this tail"
    elif test.tail == LEAST_PROBABLE:
        extreme = chances <= chances[below & above] * (1 + TIE) if (below & above).any() else below & above
    else:
        extreme = below if test.tail.rejects_small_values else above
    low, high = test.tail.region(test.critical_value)
    rejects = (x <= low + noise) | (x >= high - noise)
    if test.tail == LOWER_TWICE:  # the upper tail mirrors the lower tail, so both tails are drawn
        extreme, rejects = (part | (x >= x[0] + x[-1] - end - noise) for part, end in ((extreme, statistic), (rejects, low)))
    critical = np.where(rejects, chances, 0.0)  # the part of each probability that is in the rejection region; a bin can be partly in it
    region = f"rejection region, {format_plain(critical.sum())} in all"
    # the exact probabilities of a rank statistic may differ greatly between neighbouring values; bins show their overall shape
    if test.tail == UPPER and np.abs(np.diff(chances)).sum() > MAX_ROUGHNESS * chances.max():
        reached = max(statistic + noise, *(end for _, _, end in _critical_values(test)), -np.inf)
        seen = (x <= reached) | (chances[::-1].cumsum()[::-1] > INVISIBLE_TAIL)
        x, chances, extreme, critical = x[seen], chances[seen], extreme[seen], critical[seen]
        if (x[-1] - x[0]) / gap > MOST_BARS:  # bars of single values would be too close together to be distinguished
            edge = statistic - noise
            critical = _bin_probabilities(x, critical, edge)[1]
            x, chances, extreme, gap = _bin_probabilities(x, chances, edge)
            each = f"probability of {symbol} under H0, in steps of {format_plain(gap)}"
    frame = (float(x[0]) - gap, float(x[-1]) + gap), float(chances.max())
    label += _unseen_note(chances[extreme], frame[1])
    marks: list[Mark] = []
    for part, heights, color, name in (
        (~extreme & (critical < chances) if len(x) <= MOST_BARS else critical == 0, chances, GREY, each),
        *[(critical > 0, critical, ORANGE, region)] * bool(critical.any()),
        (extreme, chances, BLUE, label),
    ):
        if len(x) <= MOST_BARS:
            marks.append(Bars(x[part], heights[part], 0.8 * gap, color, name, hatched=color == BLUE))
            continue
        at = np.flatnonzero(part)  # single bars would be too narrow, so neighbouring bars are drawn as one area
        for k, run in enumerate(np.split(at, np.flatnonzero(np.diff(at) > 1) + 1)):
            marks.append(Area(*_thin_outline(x[run], heights[run]), color, name * (k == 0), hatched=color == BLUE))
    return *frame, marks


def _unseen_note(heights: Array, highest: float) -> str:
    """Return a note for the legend if the bars or areas of the p-value are too low to be seen, else an empty string."""
    return ", too small to be seen" * bool(heights.max(initial=0.0) < LEAST_SEEN * highest)


def _thin_outline(x: Array, chances: Array) -> tuple[Array, Array]:
    """Return fewer points of an outline with very many points, including both ends and the highest point."""
    if len(x) <= 10 * MOST_BARS:
        return x, chances
    kept = np.unique(np.r_[np.linspace(0, len(x) - 1, 5 * MOST_BARS).astype(int), chances.argmax()])
    return x[kept], chances[kept]


def _bin_probabilities(x: Array, chances: Array, edge: float) -> tuple[Array, Array, NDArray[np.bool], float]:
    """Bin the probabilities, with a bin edge at `edge`; return centres and probabilities, which bins are above `edge`, and the width."""
    between = tick_positions(float(x[0]), float(x[-1]), most=60)
    step = between[1] - between[0]
    bins, which = np.unique(np.floor((x - edge) / step), return_inverse=True)
    return edge + (bins + 0.5) * step, np.bincount(which, chances).astype(float), bins >= 0, step


def _density_curve(test: HypothesisTest, symbol: str) -> ChartParts:  # noqa: ARG001
    """Return the density curve of a continuous null distribution, with the areas of the rejection region and of p."""
    null = test.null
    assert isinstance(null, ContinuousNull)
    centre, scale = (float(null.mean), float(null.sd) or 1.0) if isinstance(null, Normal) else (0.0, 1.0)
    statistic, ends = float(test.statistic), [end for _, _, end in _critical_values(test)]
    need = max((abs(v - centre) / scale * 1.05 for v in [statistic, *ends] if np.isfinite(v)), default=0.0)
    spans = (2.5, *AXIS_HALF_WIDTHS) if isinstance(null, FisherF) else AXIS_HALF_WIDTHS
    span = scale * next((s for s in spans if s >= need), spans[-1])
    while isinstance(null, ChiSquared) and ends and ends[-1] > span:  # for many degrees of freedom, the axis must be wider
        span *= 2
    least, most = getattr(null, "support", (-np.inf, np.inf))
    left, right = max(least, centre - span), min(most, centre + span)
    grid = np.linspace(left, right, 241)
    if isinstance(null, Normal) and not null.sd:
        return (centre - span, centre + span), 1.0, [VerticalLine(centre, "all of it", BLACK, line=1)]
    marks: list[Mark] = []
    curve = null.density(grid)
    finite = curve if curve[0] <= 2 * curve[1] else curve[3:]  # the first points are left out if the density is infinite at 0
    for edges, color, label in (
        ((ends[0], ends[-1]) if ends else (-np.inf, np.inf), ORANGE, f"rejection region, {format_plain(test.alpha)} in all"),
        ((statistic, statistic), BLUE, format_pvalue(test.pvalue, test.alpha)),
    ):
        areas = [(part, null.density(part)) for part in _tail_grids(grid, *_extreme_limits(test, edges, centre))]
        label += _unseen_note(np.concatenate([[], *(heights for _, heights in areas)]), finite.max()) if color == BLUE else ""
        for part, heights in areas:
            marks.append(Area(part, heights, color, label, hatched=color == BLUE))
            label = ""  # only the first area has an entry in the legend, so later areas get no label
    return (left, right), float(finite.max()), [*marks, Curve(grid, curve)]


def _extreme_limits(test: HypothesisTest, edges: tuple[float, float], centre: float) -> tuple[float, float]:
    """Return the limits beyond which a value is at least as extreme as `edges`; the limit of a tail that does not count is infinite."""
    if test.tail == UPPER:
        return -np.inf, edges[1]
    if test.tail == LOWER:
        return edges[0], np.inf
    away = max(abs(edge - centre) for edge in edges)  # the density is symmetric, so the larger distance holds for both sides
    return centre - away, centre + away


def _tail_grids(grid: Array, low: float, high: float) -> list[Array]:
    """Return the part of the grid up to `low` and the part from `high` on."""
    parts = []
    if grid[0] < low < np.inf:
        parts.append(np.r_[grid[grid < low], min(low, grid[-1])])
    if -np.inf < high < grid[-1]:
        parts.append(np.r_[max(high, grid[0]), grid[grid > high]])
    return parts
