"""Plot of type I error rates with confidence intervals.

The tests are sorted by their rates.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ...core.number_format import format_plain
from ..drawing.picture import Picture
from ..drawing.picture_marks import BLUE, GREY, VERMILLION, Label, Line, Mark, Points, VerticalLine
from ..drawing.picture_options import with_picture_options

LETTER, LONGEST = 0.0155, 0.8  # average width of a letter and maximum width of a label, as shares of the picture width


@with_picture_options
def levels(rates: Iterable[Any], alpha: float = 0.05, *, chosen: str = "") -> Picture:
    """Draw sorted type I error rates with intervals of 95 %: open squares are clearly above the level, small points clearly below.

    Parameters
    ----------
    rates : iterable of Rate
        Result of ``type_one_error(...)``, or a list of rates from a stored study.
    alpha : float
        Nominal level.
    chosen : str, optional
        Name of a test that is printed in bold.

    >>> import fstats
    >>> from fstats.simulate import Epsilon, type_one_error
    >>> tests = [fstats.FiveByTwoT, fstats.ResampledT]
    >>> fstats.plot.levels(type_one_error(tests, Epsilon(n=300, epsilon=0.1), 400, rng=1, progress=False))
    [picture: Type I errors at alpha = 0.05 with intervals of 95 %, the largest first. ResampledT: ... (... to ...), liberal; FiveByTwoT:
    ... (... to ...), ....]
    """
    ordered = sorted(rates, key=lambda rate: -rate.rate)
    if not ordered:
        raise ValueError("levels() needs at least one type I error rate, for example from simulate.type_one_error; got none")
    most = max(1.5 * alpha, *(rate.interval[1] for rate in ordered))
    labels = [f"{rate.test}: {rate.rate:.3f}, {rate.verdict(alpha)}" for rate in ordered]
    # labels are to the right of their intervals, so that no label touches an interval and the rows can be close together
    beside = (rate.interval[1] / (1 - min(LETTER * (len(label) + 3), LONGEST)) for rate, label in zip(ordered, labels, strict=True))
    end = max(1.04 * most, *beside)
    marks: list[Mark] = [VerticalLine(alpha, f"alpha = {format_plain(alpha)}", VERMILLION, dashed=True, side="right")]
    descriptions = []
    for line, rate in enumerate(ordered):
        y, (low, high), verdict = float(len(ordered) - line), rate.interval, rate.verdict(alpha)
        at = np.array([rate.rate]), np.array([y])
        marks.append(Line((low, high), (y, y), GREY, 3.0))
        if verdict == "liberal":
            marks.append(Points(*at, VERMILLION, open=True, radius=5.0))
        else:
            marks.append(Points(*at, BLUE, radius=3.0 if verdict == "conservative" else 5.0))
        marks.append(Label(end, y, labels[line], "end", bold=rate.test == chosen))
        descriptions.append(f"{rate.test}: {rate.rate:.3f} ({low:.3f} to {high:.3f}), {verdict}")
    text = f"Type I errors at alpha = {format_plain(alpha)} with intervals of 95 %, the largest first. {'; '.join(descriptions)}."
    xlabel = f"share of rejections of a true H0 ({ordered[0].repetitions} data sets)"
    title = "Liberal or conservative?"
    height = 0.26 + 0.07 * len(ordered)
    return Picture(
        title, xlabel, "", (0.0, end), (0.4, len(ordered) + 1.5), tuple(marks), text, yticks=False, largest_xtick=1.0, height=height
    )
