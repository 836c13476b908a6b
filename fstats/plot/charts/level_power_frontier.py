"""Plot of power against type I error rate.

Each test stands at its worst type I error rate.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from ...core.number_format import format_plain
from ..drawing.picture import Picture
from ..drawing.picture_marks import BLUE, GREY, VERMILLION, Label, Line, Mark, Points, VerticalLine
from ..drawing.picture_options import with_picture_options

NAME_COLUMN = 1.12  # x coordinate of the names, to the right of the highest possible level 1
AXIS_END = 2.1
NAME_HEIGHT_SHARE = 0.94  # height of the highest name, as a share of the height of the picture


class LevelAndPower(NamedTuple):
    """A test with its worst level and its power."""

    test: str
    level: float
    power: float


@with_picture_options
def level_power_frontier(tests: Iterable[LevelAndPower], alpha: float = 0.05, *, chosen: str = "") -> Picture:
    """Draw the power of each test against its worst level; a filled point means that no test has both a lower level and a higher power.

    Parameters
    ----------
    tests : iterable of LevelAndPower
        Tests with level and power, for example from a stored benchmark.
    alpha : float
        Nominal level.
    chosen : str, optional
        Name of a test that is printed in bold.

    >>> from fstats.plot.charts.level_power_frontier import LevelAndPower
    >>> level_power_frontier([LevelAndPower("bold", 0.4, 0.8), LevelAndPower("careful", 0.05, 0.7), LevelAndPower("neither", 0.3, 0.5)])
    [picture: The worst level found and the power of 3 tests at alpha = 0.05, the most powerful first. bold: level 0.4, power 0.8; careful:
    level 0.05, power 0.7; neither: level 0.3, power 0.5, careful has a lower level and more power.]
    """
    ordered = sorted(tests, key=lambda test: -test.power)
    if not ordered:
        raise ValueError("level_power_frontier() needs at least one test with its level and its power; got none")
    low, high = 0.0, 1.08 * max(test.power for test in ordered)
    top, bottom = NAME_HEIGHT_SHARE * high, (1 - NAME_HEIGHT_SHARE) * high
    rows = np.linspace(top, bottom, len(ordered)) if len(ordered) > 1 else np.array([ordered[0].power])
    marks: list[Mark] = [VerticalLine(alpha, f"alpha = {format_plain(alpha)}", VERMILLION, dashed=True, side="right")]
    descriptions = []
    for test, row in zip(ordered, rows.tolist(), strict=True):
        better = next((other for other in ordered if other.level < test.level and other.power > test.power), None)
        at = np.array([test.level]), np.array([test.power])
        marks.append(Line((test.level, NAME_COLUMN - 0.02), (test.power, row + 0.01 * high), GREY, 0.7))
        marks.append(Points(*at, VERMILLION, open=True, radius=5.0) if better else Points(*at, BLUE, radius=5.0))
        label = f"{test.test}: {test.level:.2f}, {test.power:.2f}"
        marks.append(Label(NAME_COLUMN, row, label, bold=test.test == chosen))
        descriptions.append(
            f"{test.test}: level {format_plain(test.level)}, power {format_plain(test.power)}"
            + (f", {better.test} has a lower level and more power" if better else "")
        )
    marks += [Label(tick, -0.1 * high, format_plain(tick), "middle") for tick in (0.0, 0.25, 0.5, 0.75, 1.0)]
    opening = f"The worst level found and the power of {len(ordered)} tests at alpha = {format_plain(alpha)}, the most powerful first"
    text = f"{opening}. {'; '.join(descriptions)}."
    xlabel = "the worst level found (true H0 rejected)"
    title = "Power against the worst level"
    ylim = (low - 0.2 * high, 1.12 * high)
    height = 0.3 + 0.07 * len(ordered)
    return Picture(title, xlabel, "power", (-0.03, AXIS_END), ylim, tuple(marks), text, xticks=False, least_ytick=0.0, height=height)
