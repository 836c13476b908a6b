"""The specification curve: the effects of many analyses of one question in order, and the choices behind each."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.number import plain
from .marks import BLACK, BLUE, GREY, VERMILLION, Label, Line, Mark, Points
from .picture import Picture
from .placed import placed

ROWS = 0.1  # of the height of the effects, for each line of choices


@placed
def specification(multiverse: Any) -> Picture:
    """Effects in order with their intervals: filled where the analysis rejects; below each, the choices that it made.

    Parameters
    ----------
    multiverse : Multiverse
        As :func:`fstats.multiverse` gives it.

    >>> import fstats
    >>> fstats.plot.specification(fstats.multiverse([85, 70, 79, 78, 83, 88], [82, 68, 75, 75, 83, 84]))
    [picture: 4 analyses by their effect; 1 of them reject H0. ...]
    """
    every = multiverse.analyses
    ends = np.array([end for one in every for end in (*one.interval, 0.0) if np.isfinite(end)])
    low, high = float(ends.min()), float(ends.max())
    row = ROWS * ((high - low) or 1.0)
    least, most = low - 0.6 * row, high + 0.6 * row
    options = [(name, answer) for name, answers in multiverse.hinges.items() for answer in answers]
    left = 0.5 - 0.55 * len(every)
    names = left + 0.02 * (len(every) + 0.5 - left)
    marks: list[Mark] = [Line((0.5, len(every) + 0.5), (0.0, 0.0), BLACK, 1.0), Label(names, -0.2 * row, "0: equal")]
    extreme = max((one.effect for one in every), key=abs)
    marks.append(Label(names, extreme - 0.2 * row, f"{plain(extreme)}: the largest"))
    for k, one in enumerate(every, 1):
        ends_here = [min(max(end, least), most) for end in one.interval]  # a one-sided interval goes on beyond the picture
        marks.append(Line((float(k), float(k)), (ends_here[0], ends_here[1]), GREY, 3.0))
    for rejects, color in ((True, BLUE), (False, VERMILLION)):
        at = [(k, one.effect) for k, one in enumerate(every, 1) if one.rejects == rejects]
        if at:
            x, y = np.array(at, float).T
            marks.append(Points(x, y, color, "rejects H0" if rejects else "fails to reject", open=not rejects))
    for line, (name, answer) in enumerate(options, 1):
        y = low - (line + 0.6) * row
        chosen = np.array([float(k) for k, one in enumerate(every, 1) if one.choices[name] == answer])
        marks += [Label(names, y - 0.25 * row, answer), Points(chosen, np.full(len(chosen), y), BLACK, radius=3.0)]
    said = f"{len(every)} analyses by their effect; {multiverse.rejecting} of them reject H0. "
    said += "; ".join(f"{one}: {plain(one.effect)} ({plain(one.interval[0])} to {plain(one.interval[1])})" for one in every)
    return Picture(
        title=f"{multiverse.rejecting} of {len(every)} analyses reject",
        xlabel="analyses, by their effect A - B",
        ylabel="",
        xlim=(left, len(every) + 0.5),
        ylim=(low - (len(options) + 1.2) * row, most),
        marks=tuple(marks),
        text=f"{said}.",
        yticks=False,
        xticks=False,
        height=1.0 + 0.06 * len(options),
    )
