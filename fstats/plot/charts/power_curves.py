"""Plot of power curves: how often each test rejects H0, by effect size."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.number_format import format_plain
from ..drawing.picture import Picture
from ..drawing.picture_marks import BLACK, BLUE, GREEN, GREY, ORANGE, VERMILLION, Curve, Label, Line, Links, Mark, Points
from ..drawing.picture_options import with_picture_options

# colours of the first five tests; further tests reuse the colours with open squares
COLORS = (BLUE, VERMILLION, GREEN, ORANGE, BLACK)
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
KEY = 0.1  # height of a row of the legend above the curves


@with_picture_options
def power_curves(found: Any, alpha: float = 0.05, *, effect: str = "effect") -> Picture:
    """Draw the power of several tests against the size of the effect, with intervals of 95 %, and the level.

    Parameters
    ----------
    found : Rates
        Result of ``simulate.power_curve``, with effects that are numbers.
    alpha : float
        Level of the tests.
    effect : str
        Name of the effect, for the label of the x-axis.

    >>> import fstats
    >>> from fstats.simulate import Epsilon, power_curve
    >>> tests, source = [fstats.FiveByTwoT, fstats.CombinedFiveByTwoF], lambda advantage: Epsilon(n=300, epsilon=0.1, advantage=advantage)
    >>> fstats.plot.power_curves(power_curve(tests, source, [0, 0.05, 0.1], 200, rng=1, progress=False))
    [picture: Share of 200 data sets on which H0 is rejected, by effect 0, 0.05, 0.1; level 0.05. FiveByTwoT: ..., ..., ...;
    CombinedFiveByTwoF: ...]
    """
    if len(found.effects) < 2 or not all(isinstance(value, (int, float)) for value in found.effects):
        raise ValueError(f"power_curves() needs at least two numeric effects in the result of power_curve; got the effects {found.effects}")
    x = np.array(found.effects, float)
    left, right = float(x.min()), float(x.max())
    marks: list[Mark] = [Line((left, right), (share, share), GREY, 0.6) for share in SHARES]
    marks += [Label(left - 0.012 * (right - left), share, format_plain(share), "end") for share in SHARES]
    marks.append(Line((left, right), (alpha, alpha), VERMILLION, 1.2))
    test_count = len(found.tests)
    descriptions = []
    for k, (test, rates, errors) in enumerate(zip(found.tests, found.rate, found.se, strict=True)):
        ink, open_ = COLORS[k % len(COLORS)], bool(k // len(COLORS) % 2)
        height = 1.02 + KEY * (test_count - k)
        marks += [
            Links(x, np.maximum(rates - 1.96 * errors, 0.0), np.minimum(rates + 1.96 * errors, 1.0), ink),
            Curve(x, rates, ink),
            Points(x, rates, ink, open=open_, radius=4.0),
            Points(np.array([left + 0.03 * (right - left)]), np.array([height]), ink, open=open_, radius=4.0),
            Label(left + 0.06 * (right - left), height, test),
        ]
        descriptions.append(f"{test}: {', '.join(format_plain(rate, 2) for rate in rates)}")
    opening = f"Share of {found.repetitions} data sets on which H0 is rejected, by {effect} {', '.join(map(format_plain, found.effects))}"
    text = f"{opening}; level {format_plain(alpha)}. {'; '.join(descriptions)}."
    xlabel = f"{effect} ({found.repetitions} data sets for each; thin orange: the level)"
    xlim = (left - 0.16 * (right - left), right + 0.03 * (right - left))
    ylabel = "share of data sets with rejection"
    ylim = (-0.08, 1.1 + KEY * test_count)
    return Picture("Power", xlabel, ylabel, xlim, ylim, tuple(marks), text, yticks=False, height=1.1 + 0.06 * test_count)
