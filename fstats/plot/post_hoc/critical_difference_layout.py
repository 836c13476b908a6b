"""An axis from which names hang: the geometry of the critical difference diagram.

All lengths are pixels of a picture in its usual size, in which text is 15 high; depths count downwards from the title.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from types import MappingProxyType
from typing import Literal

from ..drawing.picture_marks import BLACK, Label, Line, Mark

WIDTH = 616.0  # between the margins, as a rule
ROW, TEXT = 27.0, 18.0  # from name to name, and from line to line of one name
GAP, MIN_LINE_LENGTH = 6.0, 9.0  # between a name and its line, and the shortest line from a name to where it hangs
TICK = 26.0  # room for the number at a tick
MAX_LINE_WIDTHS = (inf, 230.0, 190.0, 160.0, 140.0)  # room for a line of a name; less only if the axis becomes too short
MAX_FOR_FULL_AXIS, MIN_AXIS_SHARE = (
    10,
    0.34,
)  # of so many names at most the axis is as long as it may; of more, in a narrow picture, this share of the width will do
BOLD = 1.13  # how much wider bold letters are
SPACE = "\u2002"  # between name and number: wider than a space, and no blank that SVG runs together


@dataclass(frozen=True)
class ClassifierLabel:
    """A name with its number, in lines."""

    lines: list[str]
    value: float
    bold: bool
    color: str = BLACK

    @property
    def high(self) -> float:
        """Room from top to bottom."""
        return ROW + TEXT * (len(self.lines) - 1)

    @property
    def wide(self) -> float:
        """Room from side to side."""
        return max(map(text_width, self.lines)) * (BOLD if self.bold else 1)


@dataclass(frozen=True)
class RankAxis:
    """Where values lie between the left end and the right end."""

    worst: float
    best: float
    left: float
    right: float

    def at(self, value: float) -> float:
        """The place of a value."""
        return self.left + (value - self.worst) / (self.best - self.worst) * (self.right - self.left)

    def length(self, difference: float) -> float:
        """How long a difference is."""
        return difference / abs(self.best - self.worst) * (self.right - self.left)


@dataclass(frozen=True)
class DiagramLayout:
    """An axis and what hangs from it on either side, the outermost uppermost, so that no lines cross."""

    axis: RankAxis
    left: list[ClassifierLabel]
    right: list[ClassifierLabel]
    across: float

    @property
    def high(self) -> float:
        """Room that the names need from top to bottom."""
        return max(sum(each.high for each in side) for side in (self.left, self.right))

    def marks(self, top: float, start: float) -> Iterator[Mark]:
        """Lines from the axis at depth `top` to the names, which begin at depth `start`; depths become heights below 0."""
        for side, sign in ((self.left, -1), (self.right, 1)):
            wide = max(each.wide for each in side)
            edge = wide + GAP if sign < 0 else self.across - wide - GAP
            depth = start
            for each in side:
                x, y = self.axis.at(each.value), -(depth + each.high / 2)
                depth += each.high
                yield Line((x, x, edge), (-top, y, y), each.color, 1.6 if each.color == BLACK else 2.6)
                yield from stacked_labels(edge + sign * GAP, y, each.lines, "end" if sign < 0 else "start", each.color, each.bold)


def stacked_labels(
    x: float, y: float, lines: Sequence[str], align: Literal["start", "middle", "end"], color: str = BLACK, bold: bool = False
) -> Iterator[Label]:
    """Lines of words below each other, their middle at that height."""
    for k, line in enumerate(lines):
        yield Label(x, y - TEXT * (k - (len(lines) - 1) / 2), line, align, color, bold)


def lay_out_labels(
    names: Sequence[str],
    values: Sequence[float],
    numbers: Sequence[str],
    bold: Collection[int],
    ends: tuple[float, float],
    across: float = WIDTH,
    colors: Mapping[int, str] = MappingProxyType({}),
) -> DiagramLayout:
    """Names below an axis that is as long as they allow, the best first; long names are broken into lines if that helps."""
    half = (len(names) + 1) // 2
    enough = (160 + 8 * len(names)) * min(1.0, across / WIDTH)
    if across < WIDTH and len(names) > MAX_FOR_FULL_AXIS:  # names in two lines would make a tower of it
        enough = min(enough, MIN_AXIS_SHARE * across)
    for most in MAX_LINE_WIDTHS if across == WIDTH else (*MAX_LINE_WIDTHS, 0.2 * across):
        right = [
            ClassifierLabel(break_name(numbers[i] + SPACE + names[i], most), values[i], i in bold, colors.get(i, BLACK))
            for i in range(half)
        ]
        left = [
            ClassifierLabel(break_name(names[i] + SPACE + numbers[i], most), values[i], i in bold, colors.get(i, BLACK))
            for i in reversed(range(half, len(names)))
        ]
        axis = _longest_axis([(left, right)], ends, across)
        if axis.right - axis.left >= enough:
            break
    return DiagramLayout(axis, left, right, across)


def align_axes(mobiles: Sequence[DiagramLayout]) -> list[DiagramLayout]:
    """The same on one axis, the longest that suits all of them, where all have the same ends."""
    ends = {(each.axis.worst, each.axis.best) for each in mobiles}
    if len(ends) > 1:
        return list(mobiles)
    (only,) = ends
    axis = _longest_axis([(each.left, each.right) for each in mobiles], only, min(each.across for each in mobiles))
    return [replace(each, axis=axis) for each in mobiles]


def _longest_axis(
    sides: Sequence[tuple[list[ClassifierLabel], list[ClassifierLabel]]], ends: tuple[float, float], across: float
) -> RankAxis:
    """The longest axis, from worst to best, on which no line of either side hangs above a name of that side."""
    worst, best = ends
    room = TICK / 2  # for half a number at either end
    lows, highs = [], []  # for either side of each: the place of its first line as a share of the axis, and where it must not go beyond
    for left, right in sides:
        first, last = ((each[0].value - worst) / (best - worst) for each in (left, right))
        lows.append((first, max(each.wide for each in left) + GAP + MIN_LINE_LENGTH))  # the leftmost line must not hang further left
        highs.append((last, across - max(each.wide for each in right) - GAP - MIN_LINE_LENGTH))
    long = min(
        across - 2 * room,
        *((high - low) / max(last - first, 1e-9) for first, low in lows for last, high in highs),
        *((high - room) / last if last else inf for last, high in highs),
        *((across - room - low) / (1 - first) if first < 1 else inf for first, low in lows),
    )
    start = max(room, *(low - first * long for first, low in lows))
    return RankAxis(worst, best, start, start + long)


def break_name(words: str, most: float) -> list[str]:
    """Words in lines that are at most so wide, broken where parts of them begin if possible.

    >>> break_name("GradientBoosting_depth10 4.50", 170)
    ['GradientBoosting', '_depth10 4.50']
    """
    lines = [""]
    for part in re.split(r"(?<=[\s\-+/:,;])|(?=_)|(?<=[a-z])(?=[A-Z])", words):
        if text_width((lines[-1] + part).rstrip()) <= most:
            lines[-1] += part
            continue
        lines.append("")
        for letter in part:  # only a part that is wider than a line is cut
            if text_width((lines[-1] + letter).rstrip()) > most:
                lines.append("")
            lines[-1] += letter
    return [line.strip() for line in lines if line.strip()]


def text_width(words: str) -> float:
    """How wide words are in DejaVu Sans, rounded up."""
    return sum(_character_width(character) for character in words) * 15.7  # matplotlib's text is a little larger than that of the SVG


def _character_width(character: str) -> float:
    """The width of a character as a share of the size of text."""
    if character in " ',.ijlIJ":
        return 0.32
    if character in "/:;\\|f-t()[]!r":
        return 0.42
    if character in "mW@%" or ord(character) > 0x2E80:
        return 1.0
    if character in "wM#+<=>^~":
        return 0.87
    return 0.79 if character.isupper() or character in "&→" else 0.65
