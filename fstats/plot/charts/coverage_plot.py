"""Plot of the coverage of confidence intervals for a proportion."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.number_format import format_plain
from ...core.validation.check import check_single_repetition
from ..drawing.picture import Picture
from ..drawing.picture_marks import BLUE, GREY, VERMILLION, Curve, Line, Mark, VerticalLine
from ..drawing.picture_options import with_picture_options

GRID = 401  # number of evenly spaced true accuracies on the x-axis, in addition to those at which the coverage jumps
USUAL_FLOOR = 0.8  # lower end of the y-axis, unless a coverage is lower


@with_picture_options
def coverage(test: Any) -> Picture:
    """Draw how often the two-sided interval of n records contains the true accuracy, for every true accuracy: a sawtooth.

    Parameters
    ----------
    test : BinomialProportion
        Test whose n, method and alpha are used; the observed accuracy is marked.

    >>> import fstats
    >>> fstats.plot.coverage(fstats.BinomialProportion(19, 20))
    [picture: Coverage of the 95 % interval by Wilson's method with n = 20 records, for true accuracies from 0 to 1: from 0.8366 to 1,
    0.953 on average. The observed accuracy is 0.95.]
    """
    if not hasattr(test, "coverage"):
        raise TypeError(f"coverage() needs a BinomialProportion; got {type(test).__name__}")
    check_single_repetition(np.shape(test.accuracy), "picture", "fstats.plot.coverage(test.at({}))")
    n, settings = int(test.n), {"method": test.method, "alpha": test.alpha}
    ends = np.ravel(type(test)(np.arange(n + 1), n, **settings).ci)
    shares = np.unique(np.clip(np.r_[np.linspace(0, 1, GRID), ends, np.nextafter(ends, 0), np.nextafter(ends, 1)], 0, 1))
    covered = test.coverage(n, shares, **settings)
    mean = float(np.sum((covered[1:] + covered[:-1]) * np.diff(shares)) / 2)
    nominal, least, accuracy = 1 - test.alpha, float(covered.min()), float(test.accuracy)
    low = min(USUAL_FLOOR, np.floor(10 * least) / 10)
    marks: list[Mark] = [
        Line((0.0, 1.0), (nominal, nominal), VERMILLION, 1.5),
        Curve(shares, covered, BLUE),
        VerticalLine(accuracy, f"accuracy {format_plain(accuracy)}", GREY, dashed=True),
    ]
    return Picture(
        title=f"How often is the {test.interval_method} interval of n = {n} records right?",
        xlabel=f"true accuracy (thin orange: {format_plain(nominal)})",
        ylabel="coverage",
        xlim=(0.0, 1.0),
        ylim=(low, 1 + 0.2 * (1 - low)),
        marks=tuple(marks),
        text=f"Coverage of the {format_plain(100 * nominal)} % interval by {test.interval_method}'s method with n = {n} records, for true "
        f"accuracies from 0 to 1: from {format_plain(least)} to {format_plain(covered.max())}, {format_plain(mean)} on average. The "
        f"observed accuracy is {format_plain(accuracy)}.",
    )
