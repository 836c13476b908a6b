"""Shrinkage plot of a Bayesian hierarchical model.

It shows the observed mean and the expected true mean of each data set.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.number_format import format_plain
from ...core.validation.check import check_single_repetition
from ..drawing.picture import Picture
from ..drawing.picture_marks import BLUE, GREEN, GREY, VERMILLION, Area, Label, Line, Mark, Points
from ..drawing.picture_options import with_picture_options
from .posterior_plots import describe_rope, shorten_name

ROWS = 12  # number of data sets in a picture of the usual height
MOST_NAMES = 40  # maximum number of data sets whose names are written


@with_picture_options
def shrinkage(test: Any) -> Picture:
    """Draw the mean and the expected true mean of each data set in a single hierarchical comparison, with the rope.

    >>> import fstats
    >>> fstats.plot.shrinkage(fstats.BayesianHierarchical([[1, 1], [1, 1]], rho=0.2, rope=2))
    [picture: Means and expected true means of 2 data sets, with credible intervals (0.95) and a rope from -2
    to 2. 1: 1, expected 1, [1, 1]; 2: 1, expected 1, [1, 1].]
    """
    if not hasattr(test, "shrunk"):
        raise TypeError(f"shrinkage() needs a BayesianHierarchical, which estimates the mean of each data set; got {type(test).__name__}")
    check_single_repetition(np.shape(test.shrunk)[1:], "picture", "fstats.plot.shrinkage(test.at({}))")
    means, shrunk, ends = test.means, test.shrunk, np.array([test.shrunk_low, test.shrunk_high])
    q, rope = len(means), float(test.rope)
    names = [f"{k + 1}" for k in range(q)] if test.data_sets is None else [str(name) for name in test.data_sets]
    shown = np.r_[means, shrunk, ends[np.isfinite(ends)], 0.0]
    if np.isfinite(rope) and rope <= 4 * float(np.ptp(shown)):  # the limits of the rope are shown unless they are far away
        shown = np.r_[shown, -rope, rope]
    wide = float(np.ptp(shown)) or 1.0
    low, high = float(shown.min()) - 0.06 * wide, float(shown.max()) + 0.06 * wide
    # the left end of the axis leaves space for the names of the data sets
    left = low - (0.3 * wide if q <= MOST_NAMES else 0.0)
    rows, top = np.arange(q, 0.0, -1.0), q + 0.7
    inside = np.clip([-rope, rope], low, high)
    marks: list[Mark] = [
        Area(inside, np.array([top, top]), GREEN, f"at most {format_plain(rope)} either way" if rope else "", hatched=True)
    ]
    marks += [Line((start, end), (row, row), GREY) for row, (start, end) in zip(rows, np.clip(ends, low, high).T)]
    if q <= MOST_NAMES:
        marks += [Label(left + 0.02 * wide, row, shorten_name(name)) for row, name in zip(rows, names)]
    marks += [
        Points(means, rows, VERMILLION, "mean of its splits", open=True, radius=4.5),
        Points(shrunk, rows, BLUE, "expected true mean", radius=4.5),
    ]
    descriptions = "; ".join(
        f"{name}: {format_plain(mean)}, expected {format_plain(true)}, [{format_plain(start)}, {format_plain(end)}]"
        for name, mean, true, start, end in zip(names, means, shrunk, *ends)
    )
    opening = f"Means and expected true means of {q} data sets"
    text = f"{opening}, with credible intervals ({format_plain(1 - test.alpha)}) and a rope {describe_rope(rope)}. {descriptions}."
    title = "Observed and expected means of the data sets"
    xlabel = f"mean difference, {' minus '.join(test.sides)}"
    height = float(np.clip((q + 2) / ROWS, 1, 3))
    return Picture(title, xlabel, "data set", (left, high), (0.0, top), tuple(marks), text, yticks=False, height=height)
