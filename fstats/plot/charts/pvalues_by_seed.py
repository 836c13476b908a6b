"""Plot of p-values for many random seeds."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.number_format import format_plain
from ..drawing.picture import Picture
from ..drawing.picture_marks import BLUE, GREY, VERMILLION, Label, Line, Mark, Points, VerticalLine
from ..drawing.picture_options import with_picture_options

VERTICAL_JITTER = 0.08  # vertical offset of neighbouring points in a row


@with_picture_options
def pvalues(found: Any) -> Picture:
    """Draw the p-values of tests for many seeds of their splits: a row for each test, a point for each seed, the median in grey.

    >>> import fstats
    >>> from fstats.studies import seeds
    >>> fstats.plot.pvalues(seeds.stored())
    [picture: p of 14 tests for 50 seeds each; alpha = 0.05. ResampledT: ... to ..., median ..., ... of 50 reject; ...]
    """
    count, alpha = found.pvalues.shape[1], found.alpha
    marks: list[Mark] = [VerticalLine(alpha, f"alpha = {format_plain(alpha)}", VERMILLION, dashed=True, side="right")]
    descriptions = []
    for line, (test, p) in enumerate(zip(found.tests, found.pvalues, strict=True)):
        y, rejects, middle = float(len(found.tests) - line), p <= alpha, float(np.median(p))
        place = y + VERTICAL_JITTER * (np.arange(count) % 3 - 1)
        marks += [
            Line((0.0, 1.0), (y, y), GREY, 0.8),
            Line((middle, middle), (y - 0.2, y + 0.2), GREY, 4.0),
            Points(p[~rejects], place[~rejects], BLUE, radius=3.5),
            Points(p[rejects], place[rejects], VERMILLION, open=True, radius=3.5),
            Label(1.0, y + 0.27, f"{test}: {rejects.sum()} of {count} reject", "end"),
        ]
        descriptions.append(
            f"{test}: {format_plain(p.min(), 2)} to {format_plain(p.max(), 2)}, median {format_plain(middle, 2)}, {rejects.sum()} of "
            f"{count} reject"
        )
    text = f"p of {len(found.tests)} tests for {count} seeds each; alpha = {format_plain(alpha)}. {'; '.join(descriptions)}."
    xlabel = "p for each seed (open square: rejected); grey: the median"
    title = f"The same records, {count} seeds"
    height = 0.35 + 0.15 * len(found.tests)
    return Picture(title, xlabel, "", (0.0, 1.02), (0.4, len(found.tests) + 1.3), tuple(marks), text, yticks=False, height=height)
