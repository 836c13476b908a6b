"""Plot of intervals for pairwise differences, compared with the region of practical equivalence (rope)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.number_format import format_plain
from ...core.validation.check import check_single_repetition
from ...core.validation.tables import known_name
from ..drawing.picture import Picture
from ..drawing.picture_marks import BLUE, GREEN, GREY, Area, Label, Line, Mark, Points, VerticalLine, axis_limits
from ..drawing.picture_options import with_picture_options
from .posterior_plots import shorten_name

ROWS_AT_USUAL_HEIGHT = 7  # number of pairs in a picture of the usual height
MAX_PAIRS = 15  # maximum number of pairs for which the picture shows all pairs


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
        raise TypeError(f"pair_intervals needs a BayesianMultilevel or BradleyTerry, which compare pairs; got {type(test).__name__}")
    check_single_repetition(np.shape(test.estimates)[1:], "picture", "fstats.plot.pair_intervals(test.at({}))", verb="draw")
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
    rows, top = np.arange(len(lines), 0.0, -1.0) - 0.3, len(lines) + 0.7
    shown = np.array([value for line in lines for value in line[4:]])
    rope = test.null_value + np.array([-test.rope, test.rope])
    if test.rope <= 4 * float(np.ptp(shown)):  # a wider rope would leave no space for the data
        shown = np.r_[shown, rope]
    left, right = axis_limits(np.r_[shown, test.null_value], share=0.08)
    marks: list[Mark] = [Area(np.clip(rope, left, right), np.array([top, top]), GREEN, "equivalent", hatched=True)]
    marks.append(VerticalLine(test.null_value, "", GREY))
    for row, (_, _, first, second, _, low, high) in zip(rows, lines):
        marks += [Label(left + 0.01 * (right - left), row + 0.3, f"{shorten_name(first)} - {shorten_name(second)}")]
        marks += [Line((low, high), (row, row), GREY, 6.0)]
    marks.append(Points(np.array([line[4] for line in lines]), rows, BLUE, "expected", radius=4.5))
    descriptions = "; ".join(
        f"{first} - {second}: {format_plain(x)}, [{format_plain(low)}, {format_plain(high)}]" for _, _, first, second, x, low, high in lines
    )
    opening = f"Expected {test.xlabel} of pairs, with its credible interval ({format_plain(1 - test.alpha)})"
    text = f"{opening}; equivalent from {format_plain(rope[0])} to {format_plain(rope[1])}. {descriptions}."
    height = float(np.clip((len(lines) + 1.5) / ROWS_AT_USUAL_HEIGHT, 0.6, 3))
    title = "Expected differences of pairs"
    return Picture(title, test.xlabel, "", (left, right), (0.0, top), tuple(marks), text, yticks=False, height=height)
