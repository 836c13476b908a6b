"""A picture described once, drawn by matplotlib where it stands still and as SVG where it moves.

A picture is a frame (title, axes) and marks in the order of drawing.  Its text says in words what it shows: the
alternative text of the image.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .null import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe and Ito's colours, which remain different for colour-blind readers; none is the only sign of anything
BLACK, BLUE, ORANGE, VERMILLION, GREEN, GREY = "#000000", "#0072b2", "#e69f00", "#d55e00", "#009e73", "#767676"


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
class Rule:
    """A vertical line through the whole picture, labelled at its top (on a line of its own, counted from the top)."""

    x: float
    label: str
    color: str
    dashed: bool = False
    line: int = 0


@dataclass(frozen=True)
class Points:
    """Points: filled circles or open squares."""

    x: Array
    y: Array
    color: str
    label: str = ""
    open: bool = False


@dataclass(frozen=True)
class Links:
    """Vertical lines that join pairs of points."""

    x: Array
    low: Array
    high: Array
    color: str = GREY


Mark = Curve | Area | Bars | Rule | Points | Links


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

    @property
    def legend(self) -> list[Area | Bars | Points]:
        """The marks that are explained in a legend."""
        return [mark for mark in self.marks if isinstance(mark, (Area, Bars, Points)) and mark.label]

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
