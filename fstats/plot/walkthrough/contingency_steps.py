"""Step-by-step plots of tests on contingency tables.

They show records in four cells, the discordant records as coins, and the null distribution.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...core.number_format import format_plain
from ..drawing.picture import Picture
from ..drawing.picture_marks import BLUE, GREEN, GREY, VERMILLION, Label, Line, Points
from .null_distribution_steps import null_distribution_steps
from .step_picture import StepMark, StepPicture

MAX_DOTS = 400  # maximum number of records that are drawn as dots; more records are only counted
COINS_IN_ROW = 40


def discordant_steps(test: Any) -> list[StepPicture]:
    """Return the pictures of McNemar's tests: the four cells (if the table is known), the discordant records, and the null distribution."""
    table = getattr(test, "table", None)  # only a test of predictions has a table
    cells = [] if table is None else [four_cells(table, test.sides, until="n")]
    return [*cells, discordant_coins(test, since="n" if cells else ""), null_distribution_steps(test, slot=1)]


def four_cells(table: Any, sides: Any, **place: Any) -> StepPicture:
    """Return the picture of a contingency table: each record falls as a dot into the cell of its two answers, A wrong on top.

    >>> import numpy as np
    >>> four_cells(np.array([[1.0, 2.0], [3.0, 4.0]]), ("A", "B")).picture
    [picture: Contingency table of 10 records: both wrong 1, only B right 2, only A right 3, both right 4.]
    """
    counts = np.asarray(table)
    columns = int(np.ceil(np.sqrt(4 * counts.max()))) or 1  # about four times as many columns as rows of dots, because a cell is wide
    rows = max(int(np.ceil(counts.max() / columns)), 1)

    def parts() -> Iterator[StepMark]:
        for position in (0.0, 1.0, 2.0):
            yield StepMark(Line((position, position), (0.0, 2.0), GREY))
            yield StepMark(Line((0.0, 2.0), (position, position), GREY))
        for u, v in np.ndindex(2, 2):
            count = int(counts[u, v])
            low = 1 - u  # the upper row is for A wrong, as in a printed table
            k = np.arange(count if counts.sum() <= MAX_DOTS else 0)
            x, y = v + 0.06 + 0.6 * (k % columns + 0.5) / columns, low + 0.92 - 0.84 * (k // columns + 0.5) / rows
            color = GREY if u == v else BLUE if u else VERMILLION
            yield StepMark(Points(x, y, color, radius=4.0, open=color == VERMILLION), "table", "", (0.0, 1.0 + u))
            yield StepMark(Label(v + 0.94, low + 0.5, format_plain(count), "end", bold=u != v), "table")
            if u != v:
                yield StepMark(frame(v, low, 1.0, 1.0, color), f"n{u}{v}")

    both_wrong, only_b, only_a, both_right = (format_plain(count) for count in counts.ravel())
    text = f"Contingency table of {format_plain(counts.sum())} records: both wrong {both_wrong}, "
    text += f"only {sides[1]} right {only_b}, only {sides[0]} right {only_a}, both right {both_right}."
    about = Picture("The records in four cells", *cell_axes(sides), (0.0, 2.0), (0.0, 2.0), (), text, xticks=False, yticks=False)
    return StepPicture.of(about, parts(), **place)


def frame(x: float, y: float, width: float, height: float, color: str) -> Line:
    """Return a frame around a part of a table, from its lower left corner."""
    return Line((x, x + width, x + width, x, x), (y, y, y + height, y + height, y), color, 4.0)


def cell_axes(sides: Any) -> tuple[str, str]:
    """Return the labels of the axes of a contingency table with A wrong on top; the label at the left is read upwards."""
    return f"{sides[1]} wrong | {sides[1]} right", f"{sides[0]} right | {sides[0]} wrong"


def discordant_coins(test: Any, **place: Any) -> StepPicture:
    """Return the picture of the discordant records: a coin for each record on which exactly one classifier is right.

    >>> import fstats
    >>> discordant_coins(fstats.McNemarExact(n01=1, n10=16)).picture
    [picture: Discordant records: 16 on which only A is right, 1 on which only B is right.]
    """
    only_a, only_b = float(test.n10), float(test.n01)
    rows = max(int(np.ceil(max(only_a, only_b) / COINS_IN_ROW)), 1)
    shown = only_a + only_b <= MAX_DOTS and only_a.is_integer() and only_b.is_integer()

    def parts() -> Iterator[StepMark]:
        for count, top, color, side in ((only_a, 2.0, BLUE, test.sides[0]), (only_b, 1.0, VERMILLION, test.sides[1])):
            k = np.arange(int(count) if shown else 0).astype(float)
            y = top - 0.2 - 0.7 * (k // COINS_IN_ROW + 0.5) / rows
            words = f"only {side} right: {format_plain(count)}"
            yield StepMark(Points(k % COINS_IN_ROW + 0.5, y, color, words, open=color == VERMILLION, radius=5.0))
        yield StepMark(Label(0.5, 0.02, f"n = {format_plain(test.n)} coins", "start", GREY), "n")
        yield StepMark(Label(COINS_IN_ROW - 0.5, 0.02, "H0: each coin is fair", "end", GREEN, bold=True), "null")

    text = f"Discordant records: {format_plain(only_a)} on which only {test.sides[0]} is right, {format_plain(only_b)} on which only "
    text += f"{test.sides[1]} is right."
    within = (0.0, float(COINS_IN_ROW)), (-0.1, 2.0)
    return StepPicture.of(Picture("The discordant records", "", "", *within, (), text, xticks=False, yticks=False), parts(), **place)
