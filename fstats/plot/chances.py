"""Who beats whom how probably: a line for each pair, beside the region in which the two are equivalent."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.check import single
from ..core.number import plain
from ..core.tables import known
from .marks import BLUE, GREEN, GREY, Area, Label, Line, Mark, Points, VerticalLine
from .picture import Picture
from .placed import placed
from .posteriors import short

ROWS = 7  # pairs that have room at the usual height
MOST = 15  # pairs that are all shown


@placed
def chances(test: Any, *, against: str | None = None) -> Picture:
    """The chance of each method to beat another, with its credible interval (of a single table).

    Parameters
    ----------
    test : BradleyTerry
        What was found.
    against : str, optional
        Only the pairs with this method.  By default all pairs, or of more than 15 those with the most able method.

    >>> import fstats
    >>> fstats.plot.chances(fstats.BradleyTerry.from_steps(labels=["new", "old"], wins=[8], losses=[8], ties=[0]))
    [picture: Chance to beat another method on the next data set, with its credible interval (0.95); equivalent from 0.45 to 0.55. new
    beats old: 0.5, [0.2858, 0.7142].]
    """
    if not hasattr(test, "winning_low"):
        raise TypeError(f"chances takes a BradleyTerry, which believes something of who beats whom; got {type(test).__name__}")
    single(np.shape(test.winning)[1:], "picture", "fstats.plot.chances(test.at({}))", verb="draw")
    order = test.labels[np.argsort(-test.abilities, kind="stable")].tolist()
    rival = order[0] if against is None and len(test.pairs) > MOST else against
    if rival is not None:
        known(rival, order, "against")
    lines = []
    for (first, second), *values in zip(test.pairs, test.winning, test.winning_low, test.winning_high, strict=True):
        turned = order.index(first) > order.index(second) if rival is None else second == rival
        if rival in (None, first, second):
            mean, low, high = (1 - np.array(values)[[0, 2, 1]]) if turned else values
            better, worse = (second, first) if turned else (first, second)
            lines.append((order.index(better), order.index(worse), better, worse, float(mean), float(low), float(high)))
    lines.sort()
    rows, top = np.arange(len(lines), 0.0, -1.0) - 0.3, len(lines) + 0.7
    rope = np.array([0.5 - test.rope, 0.5 + test.rope])
    marks: list[Mark] = [Area(rope, np.array([top, top]), GREEN, "equivalent", hatched=True), VerticalLine(0.5, "", GREY)]
    for row, (_, _, better, worse, _, low, high) in zip(rows, lines):
        marks += [Label(0.01, row + 0.3, f"{short(better)} beats {short(worse)}"), Line((low, high), (row, row), GREY, 6.0)]
    marks.append(Points(np.array([mean for *_, mean, _, _ in lines]), rows, BLUE, "expected chance", radius=4.5))
    told = "; ".join(
        f"{better} beats {worse}: {plain(mean)}, [{plain(low)}, {plain(high)}]" for _, _, better, worse, mean, low, high in lines
    )
    between = f"from {plain(rope[0])} to {plain(rope[1])}"
    return Picture(
        title="Who beats whom, and how probably",
        xlabel="chance on the next data set",
        ylabel="",
        xlim=(0.0, 1.0),
        ylim=(0.0, top),
        marks=tuple(marks),
        text=f"Chance to beat another method on the next data set, with its credible interval ({plain(1 - test.alpha)}); equivalent "
        f"{between}. {told}.",
        yticks=False,
        height=float(np.clip((len(lines) + 1.5) / ROWS, 0.6, 3)),
    )
