"""Plot of confidence intervals for pairwise differences.

The intervals are compared with the region of practical equivalence (ROPE).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...core.number_format import format_plain
from ...core.validation.check import check_single_repetition
from ...core.validation.tables import known_name
from ..drawing.picture import Picture
from ..drawing.picture_marks import BLUE, GREEN, GREY, Area, Label, Line, Mark, Points, axis_limits
from ..drawing.picture_options import with_picture_options
from .posterior_plots import shorten_name

ROWS_AT_USUAL_HEIGHT = 7  # number of pairs in a picture of normal height
STRIP = 0.15  # half the height of the strip around an interval, for rows of height 1
MAX_PAIRS = 15  # if there are more pairs, only those with the best classifier are shown, unless `against` is given


@with_picture_options
def pair_intervals(test: Any, *, against: str | None = None) -> Picture:
    """Draw the expected difference of each pair of classifiers of a single table, with its credible interval and the rope.

    Parameters
    ----------
    test : BayesianMultilevel or BradleyTerry
        Comparison of several classifiers.
    against : str, optional
        Name of a classifier: only its pairs are shown, and it is named first. By default all pairs are shown; if there are more than 15
        pairs, only the pairs with the best classifier.

    >>> import fstats
    >>> fstats.plot.pair_intervals(fstats.BayesianMultilevel([[3, 2], [2, 3]], labels=["new", "old"], rope=1))
    [picture: Expected difference in mean score of pairs, with its credible interval (0.95); equivalent from -1 to 1. new - old: 0,
    [-1.867, 1.867].]
    """
    if not hasattr(test, "in_order"):
        raise TypeError(f"pair_intervals() needs a BayesianMultilevel or BradleyTerry, which compare pairs; got {type(test).__name__}")
    check_single_repetition(np.shape(test.estimates)[1:], "picture", "fstats.plot.pair_intervals(test.at({}))")
    order = test.in_order
    rival = order[0] if against is None and len(test.pairs) > MAX_PAIRS else against
    if rival is not None:
        known_name(rival, order, "against")
    lines = []
    for pair, *values in zip(test.pairs, test.estimates, test.low, test.high, strict=True):
        if rival not in (None, *pair):
            continue
        first, second = sorted(pair, key=lambda name: (name != rival, order.index(name)))
        expected, low, high = values if first == pair[0] else 2 * test.null_value - np.array(values)[[0, 2, 1]]
        lines.append((order.index(first), order.index(second), first, second, float(expected), float(low), float(high)))
    lines.sort()
    opening = f"Expected {test.xlabel} of pairs, with its credible interval ({format_plain(1 - test.alpha)})"
    intervals = [line[2:] for line in lines]
    return interval_picture("Expected differences of pairs", test.xlabel, opening, intervals, test.null_value, test.rope, "expected")


def equivalence_intervals(tests: Mapping[tuple[str, str], Any]) -> Picture:
    """Draw the confidence interval of each equivalence test of two classifiers, and the margin; `tests` maps pairs to their tests.

    >>> import fstats
    >>> equivalence_intervals({("a", "b"): fstats.EquivalenceT([1, 2, 3], [1, 2, 4], margin=2)}).text
    'Difference in mean score of pairs, with its confidence interval (0.9); equivalent from -2 to 2. a - b: -0.3333, [-1.307, 0.64].'
    """
    test = next(iter(tests.values()))
    lines = [(*pair, float(np.mean(one.ci)), float(one.ci.low), float(one.ci.high)) for pair, one in tests.items()]
    title, name = "Intervals of the differences of pairs", f"difference in {test.compared}"
    opening = f"Difference in {test.compared} of pairs, with its confidence interval ({format_plain(1 - 2 * test.alpha)})"
    return interval_picture(title, name, opening, lines, 0.0, float(test.margin), "middle of the interval")


def interval_picture(
    title: str, xlabel: str, opening: str, lines: list[tuple[str, str, float, float, float]], null_value: float, rope: float, point: str
) -> Picture:
    """Return the picture of intervals: for each pair both names, the point and the ends of its interval; `point` says what a point is."""
    rows, top = np.arange(len(lines), 0.0, -1.0) - 0.3, len(lines) + 0.7
    shown = np.array([value for line in lines for value in line[2:]])
    region = null_value + np.array([-rope, rope])
    if rope <= 4 * float(np.ptp(shown)):  # the limits of the rope (region of practical equivalence) are shown unless they are far away
        shown = np.r_[shown, region]
    left, right = axis_limits(np.r_[shown, null_value], share=0.08)
    marks: list[Mark] = []
    for row, (first, second, _, low, high) in zip(rows, lines):  # the names are between the strips, so that no mark crosses them
        strip, bottom = np.full(2, row + STRIP), np.full(2, row - STRIP)
        marks.append(Area(np.clip(region, left, right), strip, GREEN, "equivalent" * (not marks), low=bottom))
        marks.append(Line((null_value, null_value), (row - STRIP, row + STRIP), GREY))
        marks.append(Label(left + 0.01 * (right - left), row + 0.47, f"{shorten_name(first)} - {shorten_name(second)}"))
        marks.append(Line((low, high), (row, row), GREY, 6.0))
    marks.append(Points(np.array([line[2] for line in lines]), rows, BLUE, point, radius=4.5))
    descriptions = "; ".join(
        f"{first} - {second}: {format_plain(x)}, [{format_plain(low)}, {format_plain(high)}]" for first, second, x, low, high in lines
    )
    text = f"{opening}; equivalent from {format_plain(region[0])} to {format_plain(region[1])}. {descriptions}."
    height = float(np.clip((len(lines) + 1.5) / ROWS_AT_USUAL_HEIGHT, 0.6, 3))
    return Picture(title, xlabel, "", (left, right), (0.0, top), tuple(marks), text, yticks=False, height=height)
