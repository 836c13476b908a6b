"""The specification curve: the effects of many analyses of one question in order, and the choices behind each."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.number_format import format_plain
from ..drawing.picture import Picture
from ..drawing.picture_marks import BLACK, BLUE, GREY, VERMILLION, Label, Line, Mark, Points
from ..drawing.picture_options import with_picture_options

ROWS = 0.1  # of the height of the effects, for each line of choices
MOST_NAMES = 0.6  # of the width may be taken by what the lines are called
OPEN_END_SIGNS = ("↓", "↑")  # where an interval has no end


def difference_terms(test: Any) -> tuple[str, str]:
    """The names of the two sides as they stand in a difference that is positive where the first is better."""
    a, b = test.sides
    return (b, a) if getattr(test, "direction", "") else (a, b)


@with_picture_options
def specification(multiverse: Any) -> Picture:
    """Effects in order with their intervals: filled where the analysis rejects; below each, the choices that it made.

    Parameters
    ----------
    multiverse : Multiverse
        As :func:`fstats.multiverse` gives it.

    >>> import fstats
    >>> fstats.plot.specification(fstats.multiverse([85, 70, 79, 78, 83, 88, 90], [82, 68, 75, 75, 83, 84, 91]))
    [picture: 4 analyses by their effect; 1 of them reject H0. ...]
    """
    every = multiverse.analyses
    seen = [0.0, *(one.effect for one in every), *(end for one in every if one.interval for end in one.interval if np.isfinite(end))]
    low, high = min(seen), max(seen)
    options = [
        (answer, [one.choices[name] == answer for one in every]) for name, answers in multiverse.hinges.items() for answer in answers
    ]
    options += [("no interval", bare)] if any(bare := [one.interval is None for one in every]) else []
    row = ROWS * ((high - low) or 1.0)
    least, most = low - 1.2 * row, high + 1.2 * row
    longest = max((len(answer) for answer, _ in options), default=0)
    share = min(MOST_NAMES, 0.02 * max(longest, len("-0.1234: the largest")) + 0.04)  # of the width, for what stands beside the picture
    left = 0.5 - share / (1 - share) * len(every)
    names = left + 0.02 * (len(every) + 0.5 - left)
    marks: list[Mark] = [Line((0.5, len(every) + 0.5), (0.0, 0.0), BLACK, 1.0), Label(names, -0.2 * row, "0: equal")]
    extreme = max((one.effect for one in every), key=abs)
    if abs(extreme) > 0.9 * row:  # or the two lines would be one
        marks.append(Label(names, extreme - 0.2 * row, f"{format_plain(extreme)}: the {'largest' if extreme > 0 else 'lowest'}"))
    for k, one in enumerate(every, 1):
        if one.interval:
            start, end = (min(max(value, least), most) for value in one.interval)
            marks.append(Line((float(k), float(k)), (start, end), GREY, 3.0))
            marks += [Label(k, most - 0.5 * row, OPEN_END_SIGNS[1], "middle")] * (one.interval[1] == np.inf)
            marks += [Label(k, least + 0.1 * row, OPEN_END_SIGNS[0], "middle")] * (one.interval[0] == -np.inf)
    for rejects, color in ((True, BLUE), (False, VERMILLION)):
        at = [(k, one.effect) for k, one in enumerate(every, 1) if one.rejects == rejects]
        if at:
            x, y = np.array(at, float).T
            marks.append(Points(x, y, color, "rejects H0" if rejects else "fails to reject", open=not rejects))
    for line, (answer, by) in enumerate(options, 1):
        y = least - line * row
        chosen = np.array([float(k) for k, made in enumerate(by, 1) if made])
        marks += [Label(names, y - 0.05 * row, answer), Points(chosen, np.full(len(chosen), y), BLACK, radius=3.0)]
    many = f"{len(every)} analyses by their effect" if len(every) > 1 else "One analysis"
    said = f"{many}; {multiverse.rejecting} of them reject H0. "
    said += "; ".join(f"{multiverse.called(one)}: {one.in_words}{', rejects' * one.rejects}" for one in every)
    return Picture(
        title=f"{len(every)} analyses of one question" if len(every) > 1 else "One analysis",
        xlabel=f"analyses, by their effect {' - '.join(difference_terms(every[0].test))}",
        ylabel="",
        xlim=(left, len(every) + 0.5),
        ylim=(least - (len(options) + 0.6) * row, most),
        marks=tuple(marks),
        text=f"{said}.",
        yticks=False,
        xticks=False,
        height=1.0 + 0.06 * len(options),
    )
