"""A picture described once, drawn by matplotlib where it stands still and as SVG where it moves.

A picture is a frame (title, axes) and marks in the order of drawing.  Its text says in words what it shows: the
alternative text of the image.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from .value import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe and Ito's colours, which remain different for colour-blind readers; none is the only sign of anything
BLACK, BLUE, ORANGE, VERMILLION, GREEN, GREY = "#000000", "#0072b2", "#e69f00", "#d55e00", "#009e73", "#767676"
WHITE = "#ffffff"


@dataclass(frozen=True)
class Curve:
    """A line through points."""

    x: Array
    y: Array
    color: str = BLACK


@dataclass(frozen=True)
class Area:
    """The area between a curve and 0."""

    x: Array
    y: Array
    color: str
    label: str = ""
    hatched: bool = False


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
    """Rectangles around places, the darker the higher their shade (0 is white, 1 the full colour), with words inside or none."""

    x: Array
    y: Array
    shade: Array
    width: float
    height: float
    words: tuple[str, ...] = ()
    color: str = BLUE
    outlined: bool = True

    @property
    def fills(self) -> list[str]:
        """The colour of each."""
        full = [int(self.color[k : k + 2], 16) for k in (1, 3, 5)]
        return ["#" + "".join(f"{round(255 + (part - 255) * shade):02x}" for part in full) for shade in self.shade.tolist()]

    @property
    def inks(self) -> list[str]:
        """The colour of the words in each: black or white, whichever can be read better."""
        parts = [[int(fill[k : k + 2], 16) / 255 for k in (1, 3, 5)] for fill in self.fills]
        light = [0.2126 * r**2.2 + 0.7152 * g**2.2 + 0.0722 * b**2.2 for r, g, b in parts]  # luminance, as WCAG weighs it
        return [BLACK if of_fill > 0.18 else WHITE for of_fill in light]


Mark = Curve | Area | Bars | VerticalLine | Points | Line | Label | Links | Cells


@dataclass(frozen=True)
class Picture:
    """A frame, marks, and what they show in words."""

    title: str
    xlabel: str
    ylabel: str
    xlim: tuple[float, float]
    ylim: tuple[float, float]
    marks: tuple[Mark, ...]
    text: str
    yticks: bool = True
    whole_x: bool = field(default=False)  # whether only whole numbers make sense on the x axis
    frame: bool = True  # False: no axes and no margins beside, the marks are all there is
    height: float = 1.0  # as a share of the usual height

    @property
    def legend(self) -> list[Area | Bars | Points]:
        """The marks that are explained in a legend."""
        return [mark for mark in self.marks if isinstance(mark, (Area, Bars, Points)) and mark.label]

    def stands_left(self, line: VerticalLine) -> bool:
        """Whether a vertical line's label stands to its left: outwards where there is room, as -c and c must not overlap."""
        x0, x1 = self.xlim
        near = min(line.x - x0, x1 - line.x) < (x1 - x0) / 4
        return line.side == "left" if line.side else (line.x > (x0 + x1) / 2) == near

    def draw(self, ax: Axes) -> None:
        """Draw on matplotlib axes."""
        from .render import figure

        figure.draw(self, ax)

    def figure(self) -> Figure:
        """A matplotlib figure."""
        from .render import figure

        return figure.figure(self)

    def png(self) -> bytes:
        """The figure as PNG."""
        from .render import figure

        return figure.png(self)

    def svg(self) -> str:
        """The picture as an SVG element with its alternative text."""
        from .render import svg

        return svg.as_svg(self)

    def __repr__(self) -> str:
        return f"[picture: {self.text}]"

    def _repr_mimebundle_(self, **_: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        return {"image/png": self.png(), "text/plain": repr(self)}, {"image/png": {"alt": self.text}}


def ticks(low: float, high: float, most: int = 8, whole: bool = False) -> list[float]:
    """Round numbers between low and high, at most so many."""
    raw = (high - low) / most
    power = 10.0 ** np.floor(np.log10(raw))
    unit = next(unit * power for unit in (1, 2, 2.5, 5, 10) if unit * power >= raw * 0.999)
    unit = max(unit, 1.0) if whole else unit
    if whole and unit == 2.5:
        unit = 5.0
    first = int(np.ceil(low / unit - 1e-9))
    return [k * unit for k in range(first, int(np.floor(high / unit + 1e-9)) + 1)]
