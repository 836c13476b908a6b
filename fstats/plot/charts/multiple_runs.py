"""Plots of performance profiles and interval estimates.

They compare methods with several runs on many tasks.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...core.classifier_pair import shorten_name
from ...core.number_format import format_plain
from ...core.validation.check import check_single_repetition
from ..drawing.picture import Picture
from ..drawing.picture_marks import BLACK, BLUE, GREEN, GREY, ORANGE, VERMILLION, Area, Curve, Label, Line, Mark, Points, axis_limits
from ..drawing.picture_options import with_picture_options

MAX_NAME_LENGTH = 24
COLORS = (BLUE, VERMILLION, GREEN, ORANGE, BLACK, GREY)


def check_methods(methods: Any, what: str, most: float = np.inf) -> dict[str, Any]:
    """Return the methods by name; raise TypeError unless all methods are objects of one class."""
    if not isinstance(methods, Mapping) or not methods or len(methods) > most:
        room = f" with at most {most:g} entries" if np.isfinite(most) else ""
        got = f"{len(methods)} methods" if isinstance(methods, Mapping) else type(methods).__name__
        raise TypeError(f'{what}() needs a dictionary{room} of names and methods, such as {{"ours": ..., "theirs": ...}}; got {got}')
    if len(kinds := {type(test).__name__ for test in methods.values()}) > 1:
        got = ", ".join(sorted(kinds))
        raise TypeError(f"all methods of {what}() must be objects of the same class; got objects of {got}")
    return {shorten_name(str(name), MAX_NAME_LENGTH): test for name, test in methods.items()}


@with_picture_options
def performance(profiles: Any) -> Picture:
    """Draw the share of the runs of each method above each score, with confidence bands.

    Parameters
    ----------
    profiles : dict
        :class:`fstats.PerformanceProfile` of each of at most 6 methods, by the name of the method; each with a single repetition.

    >>> import fstats
    >>> of = lambda scores: fstats.PerformanceProfile(scores, [0, 1, 2])
    >>> fstats.plot.performance({"old": of([[0, 1], [1, 2]]), "new": of([[1, 2], [3, 3]])})
    [picture: Share of runs above each score, from 0 to 2. old: half of the runs lie above 0, band there 0.5 to 1. new: half of the
    runs lie above 2, band there 0.5 to 0.5.]
    """
    tests = check_methods(profiles, "performance", len(COLORS))
    areas: list[Area] = []
    lines: list[Mark] = []
    descriptions = []
    for color, (name, test) in zip(COLORS, tests.items()):
        if not hasattr(test, "profile_low"):
            raise TypeError(f"performance() needs a PerformanceProfile for each method; got {type(test).__name__} for {name}")
        check_single_repetition(np.shape(test.profile)[1:], "picture", "fstats.plot.performance({{name: profile.at({})}})")
        order = np.argsort(test.thresholds, kind="stable")
        x, y, low, high = (part[order] for part in (test.thresholds, test.profile, test.profile_low, test.profile_high))
        areas.append(Area(x, high, color, name, low=low))
        lines.append(Curve(x, y, color))
        half = _last_index_at_level(y, 0.5)
        share, reached = ("half", x[half]) if y[half] >= 0.5 else ("fewer than half", x[0])
        half_text = f"{share} of the runs lie above {format_plain(reached)}"
        descriptions.append(f"{name}: {half_text}, band there {format_plain(low[half])} to {format_plain(high[half])}.")
    every = np.concatenate([test.thresholds for test in tests.values()])
    left, right = float(every.min()), float(every.max())
    wide = (right - left) or 1.0
    means = [float(test.profile.mean()) for test in tests.values()]
    # the highest profile gets its label on the right and the lowest on the left, because no other profile is near there
    for k, side, level in ((int(np.argmax(means)), 1, 0.7), (int(np.argmin(means)), -1, 0.35)):
        area = areas[k]
        edge = area.y if side > 0 else area.low
        at = float(area.x[_last_index_at_level(edge, level)]) + 0.03 * side * wide
        lines.append(Label(at, level, area.label, "start" if side > 0 else "end", area.color, bold=True))
    marks = (*areas, *(lines if len(tests) > 1 else lines[: len(areas)]))
    text = f"Share of runs above each score, from {format_plain(left)} to {format_plain(right)}. {' '.join(descriptions)}"
    return Picture("Share of runs above each score", "score", "share of runs above it", (left, left + wide), (0.0, 1.05), marks, text)


def _last_index_at_level(y: Any, level: float) -> int:
    """Return the last index at which a decreasing curve is at least at the level."""
    return int(np.flatnonzero(y >= level)[-1]) if (y >= level).any() else 0


@with_picture_options
def intervals(estimates: Any) -> Picture:
    """Draw the estimate of each method with its interval, one method below the other.

    Parameters
    ----------
    estimates : dict
        Procedures of one kind that estimate a number with an interval, such as :class:`fstats.InterquartileMean` or
        :class:`fstats.ProbabilityOfImprovement`, by the name of the method; each with a single repetition.

    >>> import fstats
    >>> of = lambda scores: fstats.InterquartileMean(scores)
    >>> fstats.plot.intervals({"old": of([[0, 0], [1, 1]]), "new": of([[1, 1], [2, 2]])})
    [picture: Interquartile mean of 2 methods, each with its interval. old: 0.5, [0.5, 0.5]; new: 1.5, [1.5, 1.5].]
    """
    tests = check_methods(estimates, "intervals")
    first = next(iter(tests.values()))
    by = getattr(first, "estimated_by", "")
    if not by or "ci" not in first.steps:
        raise TypeError(f"intervals() needs procedures that estimate one number with an interval; got {type(first).__name__}")
    for test in tests.values():
        check_single_repetition(np.shape(getattr(test, by)), "picture", "fstats.plot.intervals({{name: test.at({})}})")
    of = first.steps[by].sentence.partition(":")[0].rstrip(".")
    values = {name: (float(getattr(test, by)), float(test.ci[0]), float(test.ci[1])) for name, test in tests.items()}
    shown = np.array([value for row in values.values() for value in row])
    low, high = axis_limits(shown[np.isfinite(shown)], share=0.08)
    names = 0.02 * max(map(len, values)) + 0.04  # width of the column of names, as a share of the width of the picture
    left = low - names / (1 - names) * (high - low)
    marks: list[Mark] = []
    for row, (name, (_, start, end)) in zip(np.arange(len(values), 0.0, -1.0), values.items()):
        marks += [Label(left + 0.02 * (high - left), row, name), Line((max(start, low), min(end, high)), (row, row), GREY, 6.0)]
    middle = np.array([value for value, *_ in values.values()])
    marks.append(Points(middle, np.arange(len(values), 0.0, -1.0), BLUE, radius=4.5))
    descriptions = "; ".join(
        f"{name}: {format_plain(value)}, [{format_plain(start)}, {format_plain(end)}]" for name, (value, start, end) in values.items()
    )
    text = f"{of} of {len(values)} methods, each with its interval. {descriptions}."
    height = float(np.clip((len(values) + 2) / 9, 0.5, 3))
    title = "Estimates and their intervals"
    return Picture(title, of, "", (left, high), (0.3, len(values) + 0.7), tuple(marks), text, yticks=False, height=height)
