"""Rows of blocks, lengths and intervals in step-by-step plots.

Named rows stand above one axis; ranks stand in cells below points.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from ...core.mathematics_in_names import plain_name
from ...core.number_format import format_plain
from ...core.value_types import Array
from ..drawing.picture import Picture
from ..drawing.picture_marks import BLACK, GREEN, GREY, ORANGE, VERMILLION, Cells, Curve, Label, Line, axis_limits
from .step_picture import StepMark, StepPicture

MAX_SLIDING = 12  # maximum number of parts that slide to their place one after the other
MAX_BLOCKS = 20  # maximum number of standard errors that are drawn along a difference
LETTER = 0.034  # width of a letter on a phone, as a share of the width of the axis
MAX_SEPARATE = 60  # maximum number of cells or points that are drawn with a space between them
NUMBER = 0.3  # width of a number at the end of a bar, as a share of the width of the axis
SHADE = 0.3  # shade of blocks with text

Rows = Sequence[tuple[str, str]]  # (name of the row, step at which the name appears), from top to bottom


def picture_of_rows(about: Picture, rows: Rows, parts: Iterable[StepMark], **place: Any) -> StepPicture:
    """Return a picture with these marks and the names of its rows at the left; the lowest row has the height 1."""
    names = [StepMark(Label(about.xlim[0], len(rows) - k, name, "end"), since) for k, (name, since) in enumerate(rows)]
    return StepPicture.of(about, [*parts, *names], **place)


def row_axes(title: str, xlabel: str, xlim: tuple[float, float], count: int, text: str, *, whole_x: bool = False) -> Picture:
    """Return an empty picture with this number of rows."""
    return Picture(title, xlabel, "", xlim, (0.4, count + 0.6), (), text, yticks=False, whole_x=whole_x)


def point_radius(count: int) -> float:
    """Return the radius of points, which is smaller if there are many points.

    >>> point_radius(10), point_radius(300)
    (6.0, 2.5)
    """
    return 6.0 if count <= MAX_SEPARATE else 2.5


def cell_width(count: int, total: int) -> float:
    """Return the width of a cell for a number of points out of a total: there is no space between very many cells."""
    return count - 0.1 if total <= MAX_SEPARATE else float(count)


def has_space(words: str, width: float, span: float) -> bool:
    """Return whether a text has space in a block of this width, if the whole axis is `span` wide.

    >>> has_space("10.5", 1, 5), has_space("10.5", 1, 10)
    (True, False)
    """
    return len(words) * LETTER * span <= width


def stack(sizes: Array, row: float, color: str, since: str, span: float, start: float = 0.0, **more: Any) -> Iterator[StepMark]:
    """Yield the blocks of a stack, from left to right, in at most 12 parts; a block of one size shows the size if there is space.

    >>> [part.mark.words for part in stack(np.array([1.5, 0.1]), 1, GREY, "ranks", span=4)]
    [('1.5',), ('',)]
    """
    for part in np.array_split(sizes, max(1, min(len(sizes), MAX_SLIDING))):
        if wide := float(part.sum()):
            words = format_plain(wide)
            is_written = len(part) == 1 and bool(np.any(sizes != 1)) and has_space(words, wide, span)
            yield StepMark(block(start + wide / 2, row, wide, words if is_written else "", color), since, **more)
            start += wide


def block(x: float, row: float, width: float, words: str, color: str) -> Cells:
    """Return a block with its middle at x."""
    return Cells(np.array([x]), np.array([row]), np.array([SHADE]), width, 0.7, (words,), color)


def total(words: str, end: float, row: float, since: str, span: float, color: str = BLACK) -> StepMark:
    """Return the number at the end of a stack or length."""
    return _beside(words, end, row, -1.0 if end < 0 else 1.0, since, span, color)


def rank_cells(ranks: Array, x: Array, y: float, height: float, since: str, span: float, until: str = "") -> Iterator[StepMark]:
    """Yield cells with the ranks below points at x; points with equal ranks share one wide cell, and ranks of 0 have none.

    >>> [(part.mark.x, part.mark.words) for part in rank_cells(np.array([1.5, 0, 1.5]), np.array([1, 0, 2]), 0, 1, "ranks", span=5)]
    [(array([1.5]), ('1.5',))]
    """
    values, counts = np.unique(ranks[ranks > 0], return_counts=True)
    for count in np.unique(counts):
        same = values[counts == count]
        middles = np.array([x[ranks == value].mean() for value in same])
        words = tuple(word if has_space(word, float(count), span) else "" for word in map(format_plain, same.tolist()))
        wide, is_outlined = cell_width(int(count), len(ranks)), len(ranks) <= MAX_SEPARATE
        cells = Cells(middles, np.full(len(same), y), np.full(len(same), 0.1), wide, height, words, GREY, is_outlined)
        yield StepMark(cells, since, until)


def difference_in_standard_errors(
    test: Any, name: str, origin: float = 0.0, xlabel: str = "difference", step: str = "difference", **place: Any
) -> StepPicture:
    """Return the picture of the difference in `step`, measured from `origin`, with its standard error, statistic and confidence interval.

    >>> import fstats
    >>> difference_in_standard_errors(fstats.TwoSampleT([1, 2, 3], [3, 4, 5]), "difference of the means").picture
    [picture: The difference of the means is -2: -2.449 standard errors of 0.8165.]
    """
    difference, se, statistic = float(getattr(test, step)), float(test.se), float(test.statistic)
    sign = float(np.sign(difference)) or 1.0
    end, furthest = origin + difference, origin + sign * max(abs(difference), se)
    low, high = axis_limits(origin, furthest, finite_ends(test.ci), share=0.08)
    # length of the axis that leaves space for a number at the end of the bar
    space = abs(furthest - (low if sign > 0 else high)) / (1 - NUMBER)
    xlim = (low, max(high, low + space)) if sign > 0 else (min(low, high - space), high)
    span = xlim[1] - xlim[0]

    def parts() -> Iterator[StepMark]:
        yield StepMark(Curve(np.full(2, origin), np.array([0.4, 3.6]), GREY))
        yield StepMark(Line((origin, end), (3.0, 3.0), VERMILLION, 6.0), step, "", (0.0, 2.0))
        yield _beside(format_plain(difference), end, 3.0, sign, step, span, VERMILLION)
        if se:
            yield StepMark(block(origin + sign * se / 2, 2.0, se, "", ORANGE), "se")
            if step != "difference":  # the label is below the block, in the row of the interval, which this picture does not show
                yield _beside(f"SE = {format_plain(se)}", origin, 1.3, sign, "se", span)
        count = abs(statistic) if se else 0.0
        if 1 < count <= MAX_BLOCKS:
            for k in range(1, int(np.ceil(count))):
                wide = min(1.0, count - k) * se
                yield StepMark(block(origin + sign * (k * se + wide / 2), 2.0, wide, "", ORANGE), "statistic", "", (-sign * k * se, 0.0))
        if count:
            yield StepMark(Line((origin, end), (2.0, 2.0), BLACK, 3.0), "statistic", "", (0.0, 1.0))
        yield _beside(f"{format_plain(statistic)} SE", furthest, 2.0, sign, "statistic", span)
        yield from interval(test, 1.0, xlim)

    words = f"The {name} is {format_plain(difference)}: {format_plain(statistic)} standard errors of {format_plain(se)}."
    title = f"The {name}"
    rows = ((plain_name(f"${test.steps[step].symbol}$"), step), ("SE", "se"), ("CI", "ci"))
    return picture_of_rows(row_axes(title, xlabel, xlim, 3, words), rows, parts(), **place)


def _beside(words: str, end: float, row: float, sign: float, since: str, span: float, color: str = BLACK) -> StepMark:
    """Return a number beyond the end of a bar that points to the right (sign 1) or to the left (sign -1)."""
    return StepMark(Label(end + 0.015 * sign * span, row, words, "start" if sign > 0 else "end", color, bold=True), since)


def finite_ends(interval: Any) -> Array:
    """Return the finite ends of an interval."""
    ends = np.array([float(end) for end in interval])
    return ends[np.isfinite(ends)]


def interval(test: Any, row: float, xlim: tuple[float, float]) -> Iterator[StepMark]:
    """Yield the confidence interval in a row; an infinite end has no end mark."""
    low, high = (float(end) for end in test.ci)
    yield StepMark(Line((max(low, xlim[0]), min(high, xlim[1])), (row, row), GREEN, 4.0), "ci")
    for end in finite_ends(test.ci):
        yield StepMark(Line((float(end), float(end)), (row - 0.2, row + 0.2), GREEN, 4.0), "ci")


def upright_interval(test: Any, at: float, ylim: tuple[float, float], cap: float) -> Iterator[StepMark]:
    """Yield the confidence interval beside differences; a finite end has a cap of width 2 * `cap`."""
    low, high = (float(np.clip(end, *ylim)) for end in test.ci)
    yield StepMark(Line((at, at), (low, high), GREEN, 4.0), "ci")
    for end in finite_ends(test.ci).tolist():
        yield StepMark(Line((at - cap, at + cap), (end, end), GREEN, 3.0), "ci")
    yield StepMark(Label(at + 1.3 * cap, (low + high) / 2, "CI", "start", GREEN, bold=True), "ci")
