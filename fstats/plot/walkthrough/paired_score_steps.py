"""Step-by-step plots of paired tests.

They show the scores, their differences, the mean, the spread, the standard error, and the interval.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...core.number_format import format_plain
from ..drawing.picture import Picture
from ..drawing.picture_marks import BLUE, GREY, ORANGE, VERMILLION, Area, Curve, Links, Points, axis_limits, points_of_pairs
from .block_rows import MAX_SLIDING, difference_in_standard_errors, finite_ends, upright_interval
from .null_distribution_steps import null_distribution_steps
from .step_picture import StepMark, StepPicture


def paired_t_steps(test: Any) -> list[StepPicture]:
    """Return the pictures of a paired t-test: scores, then the mean in standard errors, then the null distribution; differences below."""
    has_scores = "a" in vars(test)
    is_ruled = bool(test.se) and np.isclose(test.mean / test.se, test.statistic)  # False if the statistic is not mean / SE
    place: dict[str, Any] = {"slot": int(not has_scores), "since": "se", "until": "null"}
    ruler = [difference_in_standard_errors(test, "mean difference", step="mean", **place)] if is_ruled else []
    if not has_scores:
        return [differences_with_spread(test), *ruler, null_distribution_steps(test, slot=1)]
    scores = scores_with_links(test, until="se" if is_ruled else "null")
    return [scores, *ruler, differences_with_spread(test, slot=1), null_distribution_steps(test)]


def scores_with_links(test: Any, **place: Any) -> StepPicture:
    """Return the picture of the scores of both classifiers, with a link between the two scores on a data set.

    >>> import fstats
    >>> scores_with_links(fstats.PairedT([85, 70, 79], [87, 68, 85])).picture
    [picture: Scores of A and B on 3 data sets, from 68 to 87.]
    """
    a, b, x = test.a, test.b, np.arange(1.0, len(test.a) + 1)
    name_a, name_b = test.sides
    parts = [
        StepMark(Links(x, np.minimum(a, b), np.maximum(a, b)), "d"),
        *map(StepMark, points_of_pairs(x, a, b, (str(name_a), str(name_b)))),
    ]
    values = np.r_[a, b]
    text = f"Scores of {name_a} and {name_b} on {len(x)} data sets, from {format_plain(values.min())} to {format_plain(values.max())}."
    within = (0.4, len(x) + 0.6), axis_limits(values, share=0.12)
    return StepPicture.of(Picture("The scores", _unit_name(test), "score", *within, (), text, whole_x=True), parts, **place)


def _unit_name(test: Any) -> str:
    """Return the name of the unit that has one difference: a data set, or a split of one data set."""
    unit = getattr(test, "unit", "split")  # in tests of splits with sums of squares, `unit` is a number
    return (unit or "data set") if isinstance(unit, str) else "split"


def differences_with_spread(test: Any, **place: Any) -> StepPicture:
    """Return the picture of the differences with their mean, standard deviation, standard error and interval.

    >>> import fstats
    >>> differences_with_spread(fstats.PairedT([85, 70, 79], [87, 68, 85])).picture
    [picture: Differences on 3 data sets, from -6 to 2. Their mean is -2, their standard deviation 4.]
    """
    d, mean, sd, se = test.d, float(test.mean), float(test.sd), float(test.se)
    n = len(d)
    extent = axis_limits(d, 0.0, mean - sd, mean + sd, finite_ends(test.ci), share=0.16)
    left, right = 0.4, n + 0.6
    width = 0.2 * n  # space at the right for the interval
    across, whole = np.array([left, right]), np.array([left, right + width])
    fall = extent[1] - extent[0]

    def parts() -> Iterator[StepMark]:
        yield StepMark(Curve(whole, np.zeros(2), GREY), "d")
        for band, step, color, label in ((sd, "sd", BLUE, "mean ± s"), (se, "se", ORANGE, "mean ± SE")):
            edges = np.full(2, mean)
            yield StepMark(Area(across, edges + band, color, label, low=edges - band), step, "statistic" if step == "sd" else "")
        x = np.arange(1.0, n + 1)
        yield StepMark(Links(x, np.minimum(d, mean), np.maximum(d, mean), VERMILLION), "sd", "se")
        for part in np.array_split(np.arange(n), min(n, MAX_SLIDING)):
            yield StepMark(Links(x[part], np.minimum(d[part], 0), np.maximum(d[part], 0)), "d", "sd", (0.0, fall))
            yield StepMark(Points(x[part], d[part], BLUE), "d", "", (0.0, fall))
        yield StepMark(Curve(across, np.full(2, mean), VERMILLION, f"mean {format_plain(mean)}"), "mean")
        yield from upright_interval(test, right + 0.5 * width, extent, 0.16 * width)

    text = f"Differences on {n} data sets, from {format_plain(d.min())} to {format_plain(d.max())}. Their mean is {format_plain(mean)}"
    text += f", their standard deviation {format_plain(sd)}."
    xlabel = f"{_unit_name(test)}s 1 to {n}"
    about = Picture("The differences", xlabel, "difference", (left, right + width), extent, (), text, xticks=False)
    return StepPicture.of(about, parts(), **place)
