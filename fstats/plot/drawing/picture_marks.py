"""What a picture is made of: marks, colours, and the frame around them; who draws it needs to know no more."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any, Literal, NamedTuple

import numpy as np

from ...core.value_types import Array

# Okabe and Ito's colours, which remain different for colour-blind readers; none is the only sign of anything
BLACK, BLUE, ORANGE, VERMILLION, GREEN, GREY = "#000000", "#0072b2", "#e69f00", "#d55e00", "#009e73", "#767676"
WHITE = "#ffffff"
# As words, thin as they are, they must be darker to be read on white (WCAG: 4.5 to 1); and what each becomes on a dark page.
TEXT_COLORS = {ORANGE: "#8a5d00", VERMILLION: "#b04a00", GREEN: "#00734f", GREY: "#5e5e5e"}
DARK_PAGE_COLORS = {
    BLACK: "#f2f2f2",
    WHITE: "#161616",
    BLUE: "#56b4e9",
    ORANGE: "#f0b429",
    VERMILLION: "#ff8c4b",
    GREEN: "#2fd3a0",
    GREY: "#a2a2a2",
}


class PictureSize(NamedTuple):
    """What a picture may take on a page, in pixels: its width, its usual height, the size of its text, the height that it must keep."""

    width: float = 640
    height: float = 330
    text: float = 15
    most: float = inf


DEFAULT_SIZE = PictureSize()
COLUMN_WIDTH = 3.4  # inches: the width of a column in most journals of two columns


@dataclass(frozen=True)
class Curve:
    """A line through points."""

    x: Array
    y: Array
    color: str = BLACK
    label: str = ""
    dashed: bool = False


@dataclass(frozen=True)
class Area:
    """The area between a curve and 0, or another curve below it."""

    x: Array
    y: Array
    color: str
    label: str = ""
    hatched: bool = False
    low: Array | None = None


@dataclass(frozen=True)
class Bars:
    """Bars on 0."""

    x: Array
    height: Array
    width: float
    color: str
    label: str = ""
    hatched: bool = False


@dataclass(frozen=True)
class VerticalLine:
    """A vertical line through the whole picture, labelled at its top (on a line of its own, counted from the top)."""

    x: float
    label: str
    color: str
    dashed: bool = False
    line: int = 0
    side: Literal["", "left", "right"] = ""  # of the line on which the label stands; by default where there is room


@dataclass(frozen=True)
class Points:
    """Points: filled circles or open squares."""

    x: Array
    y: Array
    color: str
    label: str = ""
    open: bool = False
    radius: float = 6.0


@dataclass(frozen=True)
class Line:
    """A line from point to point, as thick as it is wide, and not a bit longer."""

    x: tuple[float, ...]
    y: tuple[float, ...]
    color: str = BLACK
    width: float = 2.0


@dataclass(frozen=True)
class Label:
    """Words that start, end or have their middle at a place."""

    x: float
    y: float
    words: str
    align: Literal["start", "middle", "end"] = "start"
    color: str = BLACK
    bold: bool = False


@dataclass(frozen=True)
class Links:
    """Vertical lines that join pairs of points."""

    x: Array
    low: Array
    high: Array
    color: str = GREY


@dataclass(frozen=True)
class Cells:
    """Rectangles around places, the fuller the higher their shade (0 is paper, 1 the full colour), with words inside or none."""

    x: Array
    y: Array
    shade: Array
    width: float
    height: float
    words: tuple[str, ...] = ()
    color: str = BLUE
    outlined: bool = True
    paper: str = WHITE

    @property
    def fills(self) -> list[str]:
        """The colour of each."""
        parts = list(zip(_rgb(self.paper), _rgb(self.color)))
        return ["#" + "".join(f"{round(none + (full - none) * shade):02x}" for none, full in parts) for shade in self.shade.tolist()]

    @property
    def inks(self) -> list[str]:
        """The colour of the words in each: black or white, whichever can be read better."""
        return [BLACK if luminance(fill) > 0.18 else WHITE for fill in self.fills]

    @property
    def on_dark(self) -> Cells:
        """The same on a dark page, where 0 is as dark as the page."""
        return replace(self, color=DARK_PAGE_COLORS[self.color], paper=DARK_PAGE_COLORS[WHITE])


def _rgb(color: str) -> list[int]:
    """Red, green and blue."""
    return [int(color[k : k + 2], 16) for k in (1, 3, 5)]


def luminance(color: str) -> float:
    """How light a colour is, about as WCAG weighs it: 0 is black, 1 white.

    >>> round(luminance("#0072b2"), 2)
    0.15
    """
    red, green, blue = ((part / 255) ** 2.2 for part in _rgb(color))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


LegendMark = Curve | Area | Bars | Points  # in a legend
Mark = Curve | Area | Bars | VerticalLine | Points | Line | Label | Links | Cells


@dataclass(frozen=True)
class Drawing:
    """A frame (title, axes), marks in the order of drawing, and in words what they show: the alternative text of the image."""

    title: str
    xlabel: str
    ylabel: str
    xlim: tuple[float, float]
    ylim: tuple[float, float]
    marks: tuple[Mark, ...]
    text: str
    yticks: bool = True
    xticks: bool = True
    whole_x: bool = False  # whether only whole numbers make sense on the x axis
    frame: bool = True  # False: no axes and no margins beside, the marks are all there is
    free_names: bool = False  # whether the names of vertical lines change sides and rows where they touch something
    height: float = 1.0  # as a share of the usual height
    anew: Callable[[float], Any] | None = field(default=None, repr=False, compare=False)  # the same for so many pixels across
    figsize: tuple[float, float | None] | None = None  # inches, where it is made for a paper; the height may be what it needs

    @property
    def legend(self) -> list[LegendMark]:
        """The marks that are explained in a legend."""
        return [mark for mark in self.marks if isinstance(mark, LegendMark) and mark.label]

    def stands_left(self, line: VerticalLine) -> bool:
        """Whether a vertical line's label stands to its left: outwards where there is room, as -c and c must not overlap."""
        x0, x1 = self.xlim
        near = min(line.x - x0, x1 - line.x) < (x1 - x0) / 4
        return line.side == "left" if line.side else (line.x > (x0 + x1) / 2) == near


def axis_limits(*values: Any, share: float) -> tuple[float, float]:
    """Ends of an axis on which all the values lie, with a margin of this share of what they span to either side.

    >>> axis_limits([1, 2], 3, share=0.25)
    (0.5, 3.5)
    """
    every = np.hstack(values)
    low, high = float(every.min()), float(every.max())
    margin = (high - low) * share or 1.0
    return low - margin, high + margin


def tick_positions(low: float, high: float, most: int = 8, whole: bool = False) -> list[float]:
    """Round numbers between low and high, at most so many."""
    raw = (high - low) / most
    power = 10.0 ** np.floor(np.log10(raw))
    unit = next(unit * power for unit in (1, 2, 2.5, 5, 10) if unit * power >= raw * 0.999)
    unit = max(unit, 1.0) if whole else unit
    if whole and unit == 2.5:
        unit = 5.0
    first = int(np.ceil(low / unit - 1e-9))
    return [k * unit for k in range(first, int(np.floor(high / unit + 1e-9)) + 1)]
