"""Marks, colours, axes and texts of a plot.

They do not depend on matplotlib or SVG.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any, Literal, NamedTuple, Self, TypeVar

import numpy as np

from ...core.mathematics_in_names import plain_name
from ...core.value_types import Array

# Colours of Okabe and Ito, which colour-blind readers can distinguish; colour is never the only difference.
BLACK, BLUE, ORANGE, VERMILLION, GREEN, GREY = "#000000", "#0072b2", "#e69f00", "#d55e00", "#009e73", "#767676"
WHITE = "#ffffff"
# Darker colours for text on white (contrast at least 4.5 to 1, as WCAG requires), and colours for dark pages.
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
    """Available size of a picture in pixels: width, usual height, font size, largest height."""

    width: float = 640
    height: float = 330
    text: float = 15
    most: float = inf


DEFAULT_SIZE = PictureSize()
COLUMN_WIDTH = 3.4  # column width in inches of most two-column journals


@dataclass(frozen=True)
class Curve:
    """Line through points."""

    x: Array
    y: Array
    color: str = BLACK
    label: str = ""
    dashed: bool = False


@dataclass(frozen=True)
class Area:
    """Area between a curve and 0, or between two curves."""

    x: Array
    y: Array
    color: str
    label: str = ""
    hatched: bool = False
    low: Array | None = None


@dataclass(frozen=True)
class Bars:
    """Bars that start at 0."""

    x: Array
    height: Array
    width: float
    color: str
    label: str = ""
    hatched: bool = False


@dataclass(frozen=True)
class VerticalLine:
    """Vertical line through the whole picture with a label at its top; `line` is the row of the label, counted from the top."""

    x: float
    label: str
    color: str
    dashed: bool = False
    line: int = 0
    side: Literal["", "left", "right"] = ""  # side of the label; "" means the side with more space


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
    """Polyline that ends exactly at its end points, without line caps."""

    x: tuple[float, ...]
    y: tuple[float, ...]
    color: str = BLACK
    width: float = 2.0


@dataclass(frozen=True)
class Label:
    """Text that starts, ends or is centred at a point."""

    x: float
    y: float
    words: str
    align: Literal["start", "middle", "end"] = "start"
    color: str = BLACK
    bold: bool = False


@dataclass(frozen=True)
class Links:
    """Vertical lines between pairs of points."""

    x: Array
    low: Array
    high: Array
    color: str = GREY


@dataclass(frozen=True)
class Cells:
    """Rectangles whose shade ranges from 0 (background) to 1 (full colour), with or without text inside."""

    x: Array
    y: Array
    shade: Array
    width: float
    height: float
    words: tuple[str, ...] = ()
    color: str = BLUE
    outlined: bool = True
    background: str = WHITE

    @property
    def fill_colors(self) -> list[str]:
        """Fill colour of each cell."""
        channels = list(zip(_rgb(self.background), _rgb(self.color)))
        return ["#" + "".join(f"{round(zero + (one - zero) * shade):02x}" for zero, one in channels) for shade in self.shade.tolist()]

    @property
    def text_colors(self) -> list[str]:
        """Colour of the text in each cell: black or white, whichever is easier to read."""
        return [BLACK if luminance(fill) > 0.18 else WHITE for fill in self.fill_colors]

    @property
    def dark_version(self) -> Cells:
        """Cells for a dark page, on which shade 0 is as dark as the page."""
        return replace(self, color=DARK_PAGE_COLORS[self.color], background=DARK_PAGE_COLORS[WHITE])


def _rgb(color: str) -> list[int]:
    """Return red, green and blue of a colour."""
    return [int(color[k : k + 2], 16) for k in (1, 3, 5)]


def luminance(color: str) -> float:
    """Return the approximate luminance of a colour as defined by WCAG: 0 is black, 1 is white.

    >>> round(luminance("#0072b2"), 2)
    0.15
    """
    red, green, blue = ((part / 255) ** 2.2 for part in _rgb(color))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


LegendMark = Curve | Area | Bars | Points  # marks that can have an entry in the legend
Mark = Curve | Area | Bars | VerticalLine | Points | Line | Label | Links | Cells
_M = TypeVar("_M", bound=Mark)


@dataclass(frozen=True)
class Drawing:
    """Title, axes, marks in drawing order, and the alternative text of a picture."""

    title: str
    xlabel: str
    ylabel: str
    xlim: tuple[float, float]
    ylim: tuple[float, float]
    marks: tuple[Mark, ...]
    text: str
    yticks: bool = True
    least_ytick: float = -inf  # smallest tick of the y-axis; rows of words may be below it
    xticks: bool = True
    largest_xtick: float = inf  # labels may be to the right of the largest possible value, such as a share of 1
    whole_x: bool = False  # True if all x-axis ticks are integers
    frame: bool = True  # True if the picture has axes; False if its marks are given in pixels
    height: float = 1.0  # height relative to the usual height
    # function that redraws the picture for a width in pixels
    redraw_for_width: Callable[[float], Any] | None = field(default=None, repr=False, compare=False)
    figsize: tuple[float, float | None] | None = None  # width and height in inches; None means the height that is needed

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", plain_name(self.text))

    @property
    def plain(self) -> Self:
        """The picture with mathematics in names as plain text, for SVG."""
        title, xlabel, ylabel = map(plain_name, (self.title, self.xlabel, self.ylabel))
        return replace(self, title=title, xlabel=xlabel, ylabel=ylabel, marks=tuple(map(plain_mark, self.marks)))

    @property
    def legend(self) -> list[LegendMark]:
        """Marks that are in the legend."""
        return [mark for mark in self.marks if isinstance(mark, LegendMark) and mark.label]

    def is_label_left(self, line: VerticalLine) -> bool:
        """Whether the label is to the left of its line: if there is space, on the outer side, so that labels of -c and c do not overlap."""
        x0, x1 = self.xlim
        near = min(line.x - x0, x1 - line.x) < (x1 - x0) / 4
        return line.side == "left" if line.side else (line.x > (x0 + x1) / 2) == near


def plain_mark(mark: _M) -> _M:
    """Return a mark with mathematics in names as plain text; a mark without such names is returned unchanged."""
    for name in ("words", "label"):
        text: str | tuple[str, ...] = getattr(mark, name, "")
        if any("$" in part for part in text):
            plain = plain_name(text) if isinstance(text, str) else tuple(map(plain_name, text))
            return replace(mark, **{name: plain})  # type: ignore[arg-type]
    return mark


def points_of_pairs(x: Array, a: Array, b: Array, names: tuple[str, str]) -> tuple[Points, Points, Points]:
    """Return the points of A and B over x, A first in the legend; where both are equal, the square of B is seen around the dot of A."""
    in_legend = Points(np.empty(0), np.empty(0), BLUE, names[0])
    return in_legend, Points(x, b, VERMILLION, names[1], open=True, radius=8.0), Points(x, a, BLUE, radius=5.0)


def compared_rates(
    level: Curve, x: Array, first: Array, second: Array, at: Array, chosen: Mapping[str, float], *, dashed: bool = False
) -> tuple[Mark, ...]:
    """Return the line of a level, two curves over x, and a labelled point on each curve at x = `at`; `chosen` has labels and heights."""
    (label_1, y_1), (label_2, y_2) = chosen.items()
    points = Points(at, np.array([y_1]), VERMILLION, label_1, open=True), Points(at, np.array([y_2]), BLUE, label_2)
    return level, Curve(x, first, VERMILLION, dashed=dashed), Curve(x, second, BLUE), *points


def axis_limits(*values: Any, share: float) -> tuple[float, float]:
    """Return the limits of an axis for all values, with a margin on both sides: the given share of the range of the values.

    >>> axis_limits([1, 2], 3, share=0.25)
    (0.5, 3.5)
    """
    array = np.hstack(values)
    low, high = float(array.min()), float(array.max())
    margin = (high - low) * share or 1.0
    return low - margin, high + margin


def tick_positions(low: float, high: float, most: int = 8, whole: bool = False) -> list[float]:
    """Return at most `most` round numbers between low and high."""
    raw = (high - low) / most
    power = 10.0 ** np.floor(np.log10(raw))
    unit = next(unit * power for unit in (1, 2, 2.5, 5, 10) if unit * power >= raw * 0.999)
    unit = max(unit, 1.0) if whole else unit
    if whole and unit == 2.5:
        unit = 5.0
    first = int(np.ceil(low / unit - 1e-9))
    return [k * unit for k in range(first, int(np.floor(high / unit + 1e-9)) + 1)]
