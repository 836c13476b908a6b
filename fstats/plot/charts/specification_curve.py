"""Specification curve plot: the sorted effects of many analyses of one question, with the choices of each analysis."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.mathematics_in_names import plain_name
from ...core.number_format import format_plain
from ..drawing.picture import Picture
from ..drawing.picture_marks import BLACK, BLUE, GREY, VERMILLION, Label, Line, Mark, Points
from ..drawing.picture_options import with_picture_options

ROWS = 0.1  # height of a row of choices, as a share of the height of the effects above
MOST_NAMES = 0.6  # maximum width of the names of rows, as a share of the width of the picture
OPEN_END_SIGNS = ("↓", "↑")  # signs for unbounded lower and upper ends of intervals


def difference_terms(test: Any) -> tuple[str, str]:
    """Return the names of the two sides in the order of a difference that is positive if the first is better."""
    a, b = test.sides
    return (b, a) if getattr(test, "direction", "") else (a, b)


@with_picture_options
def specification(multiverse: Any) -> Picture:
    """Draw the sorted effects with their intervals (filled if the analysis rejects H0), and below the choices of each analysis.

    Parameters
    ----------
    multiverse : Multiverse
        Result of :func:`fstats.multiverse`.

    >>> import fstats
    >>> fstats.plot.specification(fstats.multiverse([85, 70, 79, 78, 83, 88, 90], [82, 68, 75, 75, 83, 84, 91]))
    [picture: 4 analyses by their effect; 1 of them reject H0. ...]
    """
    analyses = multiverse.analyses
    values = [
        0.0,
        *(analysis.effect for analysis in analyses),
        *(end for analysis in analyses if analysis.interval for end in analysis.interval if np.isfinite(end)),
    ]
    low, high = min(values), max(values)
    options = [
        (answer, [analysis.choices[name] == answer for analysis in analyses])
        for name, answers in multiverse.hinges.items()
        for answer in answers
    ]
    options += [("no interval", bare)] if any(bare := [analysis.interval is None for analysis in analyses]) else []
    row = ROWS * ((high - low) or 1.0)
    least, most = low - 1.2 * row, high + 1.2 * row
    longest = max((len(plain_name(answer)) for answer, _ in options), default=0)
    # share of the width that the names of the rows need
    share = min(MOST_NAMES, 0.02 * max(longest, len("-0.1234: the largest")) + 0.04)
    left = 0.5 - share / (1 - share) * len(analyses)
    names = left + 0.02 * (len(analyses) + 0.5 - left)
    marks: list[Mark] = [Line((0.5, len(analyses) + 0.5), (0.0, 0.0), BLACK, 1.0), Label(names, -0.2 * row, "0: equal")]
    extreme = max((analysis.effect for analysis in analyses), key=abs)
    if abs(extreme) > 0.9 * row:  # an extreme effect near 0 gets no text, because the text would overlap the text for 0
        marks.append(Label(names, extreme - 0.2 * row, f"{format_plain(extreme)}: the {'largest' if extreme > 0 else 'lowest'}"))
    for k, analysis in enumerate(analyses, 1):
        if analysis.interval:
            start, end = (min(max(value, least), most) for value in analysis.interval)
            marks.append(Line((float(k), float(k)), (start, end), GREY, 3.0))
            marks += [Label(k, most - 0.5 * row, OPEN_END_SIGNS[1], "middle")] * (analysis.interval[1] == np.inf)
            marks += [Label(k, least + 0.1 * row, OPEN_END_SIGNS[0], "middle")] * (analysis.interval[0] == -np.inf)
    for rejects, color in ((True, BLUE), (False, VERMILLION)):
        at = [(k, analysis.effect) for k, analysis in enumerate(analyses, 1) if analysis.rejects == rejects]
        if at:
            x, y = np.array(at, float).T
            marks.append(Points(x, y, color, "rejects H0" if rejects else "fails to reject", open=not rejects))
    for line, (answer, by) in enumerate(options, 1):
        y = least - line * row
        chosen = np.array([float(k) for k, is_chosen in enumerate(by, 1) if is_chosen])
        marks += [Label(names, y - 0.05 * row, answer), Points(chosen, np.full(len(chosen), y), BLACK, radius=3.0)]
    count = f"{len(analyses)} analyses by their effect" if len(analyses) > 1 else "One analysis"
    description = f"{count}; {multiverse.rejecting} of them reject H0. "
    description += "; ".join(f"{multiverse.called(analysis)}: {analysis.in_words}{', rejects' * analysis.rejects}" for analysis in analyses)
    title = f"{len(analyses)} analyses of one question" if len(analyses) > 1 else "One analysis"
    xlabel = f"analyses, by their effect {' - '.join(difference_terms(analyses[0].test))}"
    ylim = (least - (len(options) + 0.6) * row, most)
    xlim = (left, len(analyses) + 0.5)
    height = 1.0 + 0.06 * len(options)
    return Picture(title, xlabel, "", xlim, ylim, tuple(marks), f"{description}.", yticks=False, xticks=False, height=height)
