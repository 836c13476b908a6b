"""Layout of critical difference diagrams.

The names of the classifiers stand below an axis.

All lengths are pixels of a picture of the usual size with text of height 15; depths are measured downwards from the title.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Literal

from ...core.mathematics_in_names import plain_name, split_name
from ..drawing.picture_layout import character_width
from ..drawing.picture_marks import BLACK, Label, Line, Mark

WIDTH = 616.0  # usual width of a diagram without its margins
ROW, TEXT = 27.0, 18.0  # distance between names, and between the lines of a name
GAP, MIN_LINE_LENGTH = 6.0, 9.0  # gap between a name and its line; minimum length of the horizontal part of this line
TICK = 26.0  # width of a tick label
# maximum widths of one line of a name; the first width with a long enough axis is used
MAX_LINE_WIDTHS = (inf, 230.0, 190.0, 160.0, 140.0)
# in a narrow picture of more than 10 classifiers, an axis of this share of the width is long enough
MAX_FOR_FULL_AXIS, MIN_AXIS_SHARE = (10, 0.34)
# in a narrow picture of up to 10 classifiers, an axis of this share of the width is better than names of several lines
NARROW_AXIS_SHARE = 0.3
BOLD = 1.13  # width of bold letters, divided by the width of other letters
SPACE = "\u2002"  # en space, which is wider than a usual space and is not removed in SVG


@dataclass(frozen=True)
class ClassifierLabel:
    """Label of a classifier: name and number, split into lines."""

    lines: list[str]
    value: float
    bold: bool
    color: str = BLACK

    @property
    def height(self) -> float:
        """Height of the label."""
        return ROW + TEXT * (len(self.lines) - 1)

    @property
    def width(self) -> float:
        """Width of the label."""
        return max(map(text_width, self.lines)) * (BOLD if self.bold else 1)


@dataclass(frozen=True)
class RankAxis:
    """Axis of values from the worst (left end) to the best (right end)."""

    worst: float
    best: float
    left: float
    right: float

    def position(self, value: float) -> float:
        """Return the x coordinate of a value."""
        return self.left + (value - self.worst) / (self.best - self.worst) * (self.right - self.left)

    def length(self, difference: float) -> float:
        """Return the length of a difference."""
        return difference / abs(self.best - self.worst) * (self.right - self.left)


@dataclass(frozen=True)
class DiagramLayout:
    """Axis with labels on both sides; the outermost label of each side is at the top, so that no lines cross."""

    axis: RankAxis
    left: list[ClassifierLabel]
    right: list[ClassifierLabel]
    width: float

    @property
    def height(self) -> float:
        """Height of all labels together."""
        return max(sum(each.height for each in side) for side in (self.left, self.right))

    def marks(self, top: float, start: float) -> Iterator[Mark]:
        """Yield the lines from the axis at depth `top` to the labels, which begin at depth `start` (y is minus the depth)."""
        for side, sign in ((self.left, -1), (self.right, 1)):
            wide = max(each.width for each in side)
            edge = wide + GAP if sign < 0 else self.width - wide - GAP
            depth = start
            for each in side:
                x, y = self.axis.position(each.value), -(depth + each.height / 2)
                depth += each.height
                yield Line((x, x, edge), (-top, y, y), each.color, 1.6 if each.color == BLACK else 2.6)
                yield from stacked_labels(edge + sign * GAP, y, each.lines, "end" if sign < 0 else "start", each.color, each.bold)


def stacked_labels(
    x: float, y: float, lines: Sequence[str], align: Literal["start", "middle", "end"], color: str = BLACK, bold: bool = False
) -> Iterator[Label]:
    """Yield lines of text one below the other, centred at a height."""
    for k, line in enumerate(lines):
        yield Label(x, y - TEXT * (k - (len(lines) - 1) / 2), line, align, color, bold)


def lay_out_labels(
    names: Sequence[str],
    values: Sequence[float],
    numbers: Sequence[str],
    bold: Collection[int],
    colors: Mapping[int, str],
    axis_ends: tuple[float, float],
    across: float = WIDTH,
) -> DiagramLayout:
    """Return the layout with the longest axis that the labels allow; long names are split into lines if the axis would be too short."""
    half = (len(names) + 1) // 2
    enough = (160 + 8 * len(names)) * min(1.0, across / WIDTH)
    # names of more lines would make the picture too high, so a shorter axis is better
    if across < WIDTH:
        enough = min(enough, (MIN_AXIS_SHARE if len(names) > MAX_FOR_FULL_AXIS else NARROW_AXIS_SHARE) * across)
    for most in MAX_LINE_WIDTHS if across == WIDTH else (*MAX_LINE_WIDTHS, 0.2 * across):
        texts = [numbers[i] + SPACE + names[i] if i < half else names[i] + SPACE + numbers[i] for i in range(len(names))]
        shown = [ClassifierLabel(break_name(s, most), values[i], i in bold, colors.get(i, BLACK)) for i, s in enumerate(texts)]
        right, left = shown[:half], shown[half:][::-1]
        axis = _longest_axis([(left, right)], axis_ends, across)
        if axis.right - axis.left >= enough:
            break
    return DiagramLayout(axis, left, right, across)


def align_axes(mobiles: Sequence[DiagramLayout]) -> list[DiagramLayout]:
    """Return the layouts with a common axis, the longest that fits all layouts; unchanged if their values have different ranges."""
    ends = {(each.axis.worst, each.axis.best) for each in mobiles}
    if len(ends) > 1:
        return list(mobiles)
    (only,) = ends
    axis = _longest_axis([(each.left, each.right) for each in mobiles], only, min(each.width for each in mobiles))
    return [replace(each, axis=axis) for each in mobiles]


def _longest_axis(
    sides: Sequence[tuple[list[ClassifierLabel], list[ClassifierLabel]]], ends: tuple[float, float], across: float
) -> RankAxis:
    """Return the longest axis on which no line crosses a label of the same side."""
    worst, best = ends
    room = TICK / 2  # space for half a tick label at each end of the axis
    # For each layout, lows describes the leftmost line to a name: its position on the axis (0 is the left end, 1 the right end), and
    # the smallest allowed x coordinate; highs describes the rightmost line in the same way, with the largest allowed x coordinate.
    lows, highs = [], []
    for left, right in sides:
        first, last = ((each[0].value - worst) / (best - worst) for each in (left, right))
        lows.append((first, max(each.width for each in left) + GAP + MIN_LINE_LENGTH))
        highs.append((last, across - max(each.width for each in right) - GAP - MIN_LINE_LENGTH))
    long = min(
        across - 2 * room,
        *((high - low) / max(last - first, 1e-9) for first, low in lows for last, high in highs),
        *((high - room) / last if last else inf for last, high in highs),
        *((across - room - low) / (1 - first) if first < 1 else inf for first, low in lows),
    )
    start = max(room, *(low - first * long for first, low in lows))
    return RankAxis(worst, best, start, start + long)


def break_name(text: str, most: float) -> list[str]:
    """Split a name into lines of at most the width `most`, if possible at the beginnings of its parts.

    >>> break_name("GradientBoosting_depth10 4.50", 170)
    ['GradientBoosting', '_depth10 4.50']
    """
    lines = [""]
    for units in _name_parts(text):
        part = "".join(units)
        if text_width((lines[-1] + part).rstrip()) <= most:
            lines[-1] += part
            continue
        lines.append("")
        for unit in units:  # a part that is wider than a line is split between letters
            if text_width((lines[-1] + unit).rstrip()) > most:
                lines.append("")
            lines[-1] += unit
    return [line.strip() for line in lines if line.strip()]


def _name_parts(text: str) -> Iterator[list[str]]:
    """Yield the parts of a name, each as a list of letters; a formula is one part and one unit."""
    for part in split_name(text):
        if isinstance(part, str):
            yield from map(list, re.split(r"(?<=[\s\-+/:,;])|(?=_)|(?<=[a-z])(?=[A-Z])", part))
        else:
            yield [f"${part.tex}$"]


def text_width(text: str) -> float:
    """Return the width of a text in DejaVu Sans, rounded up."""
    return sum(character_width(character) for character in plain_name(text)) * 15.7  # instead of 15, because text of matplotlib is wider
