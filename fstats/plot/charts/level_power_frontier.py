"""What power costs: the worst level of each test against how often it finds a difference."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from ...core.number_format import format_plain
from ..drawing.picture import Picture
from ..drawing.picture_marks import BLUE, GREY, VERMILLION, Label, Line, Mark, Points, VerticalLine
from ..drawing.picture_options import with_picture_options

NAME_COLUMN = 1.12  # where the column of names begins, behind a level of 1
AXIS_END = 2.1
NAME_HEIGHT_SHARE = 0.94  # share of the height that names may take


class LevelAndPower(NamedTuple):
    """A test, its worst level and its power."""

    test: str
    level: float
    power: float


@with_picture_options
def level_power_frontier(tests: Iterable[LevelAndPower], alpha: float = 0.05, *, chosen: str = "") -> Picture:
    """Each test at its worst level and its power; those of which no other has both the lower level and the higher power are full.

    Parameters
    ----------
    tests : iterable of LevelAndPower
        Such as a stored bench gives.
    alpha : float
        The level that was promised.
    chosen : str, optional
        A test whose name stands out.

    >>> from fstats.plot.charts.level_power_frontier import LevelAndPower
    >>> level_power_frontier([LevelAndPower("bold", 0.4, 0.8), LevelAndPower("careful", 0.05, 0.7), LevelAndPower("neither", 0.3, 0.5)])
    [picture: The worst level found and the power of 3 tests at alpha = 0.05, the most powerful first. bold: level 0.4, power 0.8; careful:
    level 0.05, power 0.7; neither: level 0.3, power 0.5, both worse than of careful.]
    """
    every = sorted(tests, key=lambda one: -one.power)
    if not every:
        raise ValueError("frontier needs at least one test with its level and its power; got none")
    low, high = 0.0, 1.08 * max(one.power for one in every)
    rows = (
        np.linspace(NAME_HEIGHT_SHARE * high, (1 - NAME_HEIGHT_SHARE) * high, len(every)) if len(every) > 1 else np.array([every[0].power])
    )
    marks: list[Mark] = [VerticalLine(alpha, f"alpha = {format_plain(alpha)}", VERMILLION, dashed=True, side="right")]
    told = []
    for one, row in zip(every, rows.tolist(), strict=True):
        better = next((other for other in every if other.level < one.level and other.power > one.power), None)
        at = np.array([one.level]), np.array([one.power])
        marks.append(Line((one.level, NAME_COLUMN - 0.02), (one.power, row + 0.01 * high), GREY, 0.7))
        marks.append(Points(*at, VERMILLION, open=True, radius=5.0) if better else Points(*at, BLUE, radius=5.0))
        words = f"{one.test}: {one.level:.2f}, {one.power:.2f}"
        marks.append(Label(NAME_COLUMN, row, words, bold=one.test == chosen))
        told.append(
            f"{one.test}: level {format_plain(one.level)}, power {format_plain(one.power)}"
            + (f", both worse than of {better.test}" if better else "")
        )
    marks += [Label(tick, -0.07 * high, format_plain(tick), "middle") for tick in (0.0, 0.25, 0.5, 0.75, 1.0)]
    return Picture(
        title="What power costs",
        xlabel="the worst level found (true H0 rejected)",
        ylabel="power",
        xlim=(-0.03, AXIS_END),
        ylim=(low - 0.1 * high, 1.12 * high),
        marks=tuple(marks),
        text=f"The worst level found and the power of {len(every)} tests at alpha = {format_plain(alpha)}, the most powerful first. "
        f"{'; '.join(told)}.",
        xticks=False,
        height=0.3 + 0.07 * len(every),  # so that nineteen tests fit a slide
    )
