"""Bar chart of type I error rates."""

from __future__ import annotations

from typing import Any

from ...core.number_format import format_plain
from ..drawing.picture import Picture
from ..drawing.picture_marks import BLUE, GREY, VERMILLION, Label, Line, VerticalLine
from ..drawing.picture_options import with_picture_options


@with_picture_options
def rates(found: Any, alpha: float = 0.05) -> Picture:
    """Draw the type I error rates of tests as bars, with two Monte Carlo standard errors to either side, and the nominal level.

    >>> import fstats
    >>> from fstats.simulate import Epsilon, type_one_error
    >>> found = type_one_error([fstats.ResampledT, fstats.CorrectedResampledT], Epsilon(n=300, epsilon=0.1), 200, rng=1, progress=False)
    >>> fstats.plot.rates(found)
    [picture: Share of true hypotheses that are rejected, alpha = 0.05. ResampledT: ..., CorrectedResampledT: ...]
    """
    if found.effects != (None,):
        raise ValueError("rates() needs the result of simulate.type_one_error; got a power curve. Write `fstats.plot.power_curves(...)`.")
    rate_list = list(found)
    most = max(alpha, *(rate.rate + 2 * rate.se for rate in rate_list))
    marks: list[Any] = [VerticalLine(alpha, f"alpha = {format_plain(alpha)}", VERMILLION, dashed=True)]
    for line, rate in enumerate(rate_list):
        y = float(len(rate_list) - line)
        marks += [
            Line((0.0, rate.rate), (y, y), BLUE, 12.0),
            Line((max(0.0, rate.rate - 2 * rate.se), rate.rate + 2 * rate.se), (y, y), GREY, 3.0),
            Label(alpha + 0.012 * most, y + 0.34, f"{rate.test}  {rate.rate:.3f}"),
        ]
    descriptions = ", ".join(f"{rate.test}: {rate.rate:.3f} ± {rate.se:.3f}" for rate in rate_list)
    text = f"Share of true hypotheses that are rejected, alpha = {format_plain(alpha)}. {descriptions}."
    xlabel = f"share of {found.repetitions} data sets, with two standard errors to either side"
    ylim = (0.4, len(rate_list) + 1.2)
    height = 0.35 + 0.2 * len(rate_list)
    return Picture("True H0 rejected", xlabel, "", (0.0, most * 1.06), ylim, tuple(marks), text, yticks=False, height=height)
