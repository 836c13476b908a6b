"""Diagnostic plots for the assumptions of statistical tests.

The plots show scores, normality, symmetry and outliers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.number_format import format_plain
from ...core.validation.check import check_single_repetition
from ...core.value_types import Array
from ..drawing.picture import Picture
from ..drawing.picture_marks import BLUE, GREY, VERMILLION, Curve, Links, Mark, Points, VerticalLine, axis_limits, points_of_pairs
from ..drawing.picture_options import with_picture_options


@with_picture_options
def scores(test: Any) -> Picture:
    """Draw the scores of both classifiers of a test on each data set; a line joins the two scores on a data set.

    >>> import fstats
    >>> fstats.plot.scores(fstats.PairedT([85, 70, 79, 78, 83], [87, 68, 85, 75, 83]))
    [picture: Scores on 5 data sets: A is ahead on 2, B on 2, equal on 1. Mean of A 79, of B 79.6.]
    """
    a, b = test.a, test.b
    check_single_repetition(np.shape(a)[1:], "picture", "fstats.plot.scores(test.at({}))")
    name_a, name_b = getattr(test, "sides", ("A", "B"))
    n = len(a)
    x = np.arange(1.0, n + 1)
    low, high = np.minimum(a, b), np.maximum(a, b)
    d = getattr(test, "d", a - b)
    ahead, behind = int((d > 0).sum()), int((d < 0).sum())
    marks: tuple[Mark, ...] = (Links(x, low, high), *points_of_pairs(x, a, b, (str(name_a), str(name_b))))
    opening = f"Scores on {n} data sets: {name_a} is ahead on {ahead}, {name_b} on {behind}, equal on {n - ahead - behind}"
    text = f"{opening}. Mean of {name_a} {format_plain(a.mean())}, of {name_b} {format_plain(b.mean())}."
    ties = f", equal on {n - ahead - behind}" if ahead + behind < n else ""
    title = f"{name_a} is ahead on {ahead} of {n}, {name_b} on {behind}{ties}"
    return Picture(title, "data set", "score", (0.4, n + 0.6), axis_limits(low, high, share=0.12), marks, text, whole_x=True)


@with_picture_options
def normal_quantiles(check: Any) -> Picture:
    """Draw a normal Q-Q plot of one sample: ordered values against normal quantiles, with a line from mean and standard deviation.

    >>> import fstats
    >>> fstats.plot.normal_quantiles(fstats.Normality([-2, 2, -6, 3, 0]))
    [picture: Ordered values against normal quantiles, with the line for normal values. These 5 values do not ...]
    """
    check_single_repetition(np.shape(check.x)[1:], "picture", "check.at({}).plot()")
    x, q = check.ordered, check.quantiles
    line, text = check.x.mean() + check.x.std(ddof=1) * q, "Ordered values against normal quantiles, with the line for normal values. "
    return _scatter_with_line(q, x, q, line, "Are the values normal?", "normal quantile", "value", text + check.conclusion)


@with_picture_options
def symmetry(check: Any) -> Picture:
    """Draw the distances above the median of one sample against the distances below the median, with the line of equal distances.

    >>> import fstats
    >>> fstats.plot.symmetry(fstats.Symmetry([1, 2, 3, 4, 10]))
    [picture: Distances above the median against distances below it, with the line of equal distances. In these ... longer ...]
    """
    check_single_repetition(np.shape(check.x)[1:], "picture", "check.at({}).plot()")
    line = np.array([0.0, max(check.above.max(), check.below.max())])
    text = "Distances above the median against distances below it, with the line of equal distances. " + check.conclusion
    axes = "below the median by", "above by"
    return _scatter_with_line(check.below, check.above, line, line, "Are the values symmetric?", *axes, text)


def _scatter_with_line(x: Array, y: Array, line_x: Array, line_y: Array, title: str, xlabel: str, ylabel: str, text: str) -> Picture:
    """Draw points and a reference line."""
    xlim, ylim = axis_limits(x, line_x, share=0.08), axis_limits(y, line_y, share=0.08)
    return Picture(title, xlabel, ylabel, xlim, ylim, (Curve(line_x, line_y, GREY), Points(x, y, BLUE)), text)


@with_picture_options
def outliers(check: Any) -> Picture:
    """Draw the values of one sample in their order, one above the other, and the fences beyond which a value is an outlier.

    >>> import fstats
    >>> fstats.plot.outliers(fstats.Outliers([1, 2, 3, 4, 50]))
    [picture: 5 values between the fences -1 and 7, or beyond. 50 lies beyond the fences.]
    """
    x = check.x
    check_single_repetition(np.shape(x)[1:], "picture", "check.at({}).plot()")
    ends = [float(check.low_fence), float(check.high_fence)]
    place = np.arange(1.0, len(x) + 1)
    inside = ~check.outside
    marks: tuple[Mark, ...] = (
        *(VerticalLine(end, f"fence {format_plain(end)}", VERMILLION, dashed=True) for end in ends),
        Points(x[inside], place[inside], BLUE, "inside"),
        Points(x[~inside], place[~inside], VERMILLION, "outside", open=True),
    )
    text = f"{len(x)} values between the fences {format_plain(ends[0])} and {format_plain(ends[1])}, or beyond. {check.conclusion}"
    return Picture("Are there outliers?", "value", "number", axis_limits(x, ends, share=0.08), (0.0, len(x) * 1.35 + 1), marks, text)
