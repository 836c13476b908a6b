"""Pictures as SVG, for explorers: a tenth of a millisecond where matplotlib takes a hundred."""

from __future__ import annotations

from functools import singledispatch
from html import escape
from typing import Any

import numpy as np

from ..number import plain
from ..picture import Area, Bars, Cells, Curve, Label, Line, Links, Mark, Picture, Points, VerticalLine, ticks

WIDTH, HEIGHT = 640, 330
MARGINS = 64, 14, 36, 78  # left, right, top, bottom; the legend stands below the axis
WITHOUT_FRAME = 12, 12, 36, 34
FONT = 'font-family="DejaVu Sans,Verdana,sans-serif" font-size="15"'


def as_svg(picture: Picture) -> str:
    """The element, named for assistive technology by the picture's text."""
    on = Canvas(picture)
    parts = [f'<text x="{on.left}" y="20" font-weight="bold">{escape(picture.title)}</text>']
    if picture.frame:
        parts += [_ticks(on), _names_of_axes(on)]
    parts += [drawn(mark, on) for mark in picture.marks]
    parts.append(_legend(on))
    if picture.frame:
        parts.append(f'<path d="M{on.left} {on.top}V{on.bottom}H{on.right}" fill="none" stroke="#000"/>')
    return f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{escape(picture.text)}" viewBox="0 0 {WIDTH} {on.height}" width="{WIDTH}" {FONT}><defs>{_hatches(picture)}</defs>{"".join(parts)}</svg>'


class Canvas:
    """Where a picture's numbers stand, in pixels from the upper left corner; what lies outside its axes is drawn on their edge."""

    def __init__(self, picture: Picture) -> None:
        self.picture = picture
        self.left, right, self.top, below = MARGINS if picture.frame else WITHOUT_FRAME
        self.height = round(HEIGHT * picture.height)
        self.right, self.bottom = WIDTH - right, self.height - below
        (x0, x1), (y0, y1) = picture.xlim, picture.ylim
        self.across, self.down = (self.right - self.left) / (x1 - x0), (self.bottom - self.top) / (y1 - y0)  # pixels of one unit

    def x(self, value: Any) -> Any:
        """Across."""
        x0, x1 = self.picture.xlim
        return self.left + (np.clip(value, x0, x1) - x0) * self.across

    def y(self, value: Any) -> Any:
        """Down."""
        y0, y1 = self.picture.ylim
        return self.bottom - (np.clip(value, y0, y1) - y0) * self.down

    def path(self, x: Any, y: Any) -> str:
        """From point to point."""
        return "M" + "L".join(f"{i:.1f} {j:.1f}" for i, j in zip(self.x(x).tolist(), self.y(y).tolist(), strict=True))


# -- the marks, each in one way ----------------------------------------------------------------------------------------------
@singledispatch
def drawn(mark: Mark, on: Canvas) -> str:
    """A mark as elements."""
    raise TypeError(f"no way is known to draw a {type(mark).__name__} as SVG; got {mark!r} in {on.picture!r}")


@drawn.register(Curve)
def _curve(mark: Curve, on: Canvas) -> str:
    return f'<path d="{on.path(mark.x, mark.y)}" fill="none" stroke="{mark.color}" stroke-width="2"/>'


@drawn.register(Area)
def _area(mark: Area, on: Canvas) -> str:
    if not len(mark.x):
        return ""
    return f'<path d="{on.path(np.r_[mark.x[0], mark.x, mark.x[-1]], np.r_[0, mark.y, 0])}Z" {_fill(mark)}/>'


@drawn.register(Bars)
def _bars(mark: Bars, on: Canvas) -> str:
    if not len(mark.x):
        return ""
    wide = max(mark.width * on.across, 1.0)
    tops = zip((on.x(mark.x) - wide / 2).tolist(), on.y(mark.height).tolist(), strict=True)
    outlines = "".join(f"M{i:.1f} {on.bottom}V{j:.1f}h{wide:.1f}V{on.bottom}" for i, j in tops)
    return f'<path d="{outlines}Z" {_fill(mark)}/>'


@drawn.register(VerticalLine)
def _vertical_line(mark: VerticalLine, on: Canvas) -> str:
    at, height = on.x(mark.x), on.top + 12 + 18 * mark.line
    shift, anchor = (-4, "end") if on.picture.stands_left(mark) else (4, "start")
    dash = ' stroke-dasharray="7 5"' if mark.dashed else ""
    return (
        f'<path d="M{at:.1f} {on.bottom}V{height + 5}" stroke="{mark.color}" stroke-width="2.5"{dash}/>'
        f'<text x="{at + shift:.1f}" y="{height}" fill="{mark.color}" font-weight="bold" text-anchor="{anchor}">{escape(mark.label)}</text>'
    )


@drawn.register(Points)
def _points(mark: Points, on: Canvas) -> str:
    return "".join(_point(i, j, mark) for i, j in zip(on.x(mark.x).tolist(), on.y(mark.y).tolist(), strict=True))


@drawn.register(Line)
def _line(mark: Line, on: Canvas) -> str:
    return f'<path d="{on.path(mark.x, mark.y)}" fill="none" stroke="{mark.color}" stroke-width="{mark.width:g}"/>'


@drawn.register(Label)
def _label(mark: Label, on: Canvas) -> str:
    bold = ' font-weight="bold"' if mark.bold else ""
    return f'<text x="{on.x(mark.x):.1f}" y="{on.y(mark.y) + 5:.1f}" fill="{mark.color}" text-anchor="{mark.align}"{bold}>{escape(mark.words)}</text>'


@drawn.register(Links)
def _links(mark: Links, on: Canvas) -> str:
    ends = zip(on.x(mark.x).tolist(), on.y(mark.low).tolist(), on.y(mark.high).tolist(), strict=True)
    return f'<path d="{"".join(f"M{i:.1f} {j:.1f}V{k:.1f}" for i, j, k in ends)}" stroke="{mark.color}" stroke-width="2"/>'


@drawn.register(Cells)
def _cells(mark: Cells, on: Canvas) -> str:
    wide, high = mark.width * on.across, mark.height * on.down
    corners = zip((on.x(mark.x) - wide / 2).tolist(), (on.y(mark.y) - high / 2).tolist(), mark.fills, strict=True)
    alike: dict[str, str] = {}  # cells of one colour are one element
    for i, j, filled in corners:
        alike[filled] = alike.get(filled, "") + f"M{i:.1f} {j:.1f}h{wide:.1f}v{high:.1f}h{-wide:.1f}Z"
    edge = 'stroke="#bbb" stroke-width=".5"' if mark.outlined else 'shape-rendering="crispEdges"'
    middles = zip(on.x(mark.x).tolist(), on.y(mark.y).tolist(), mark.words, mark.inks)
    return "".join(f'<path d="{outlines}" fill="{filled}" {edge}/>' for filled, outlines in alike.items()) + "".join(
        f'<text x="{i:.1f}" y="{j + 5:.1f}" fill="{ink}" text-anchor="middle">{escape(words)}</text>' for i, j, words, ink in middles
    )


def _point(x: float, y: float, mark: Points) -> str:
    if mark.open:
        side = 2 * mark.radius - 2  # inside the outline
        return f'<rect x="{x - side / 2:.1f}" y="{y - side / 2:.1f}" width="{side:g}" height="{side:g}" fill="#fff" stroke="{mark.color}" stroke-width="2.2"/>'
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{mark.radius:g}" fill="{mark.color}"/>'


def _fill(mark: Area | Bars) -> str:
    if mark.hatched:
        return f'fill="url(#hatch{mark.color[1:]})" stroke="{mark.color}" stroke-width=".6"'
    return f'fill="{mark.color}" fill-opacity=".55"'


# -- what stands around them -------------------------------------------------------------------------------------------------
def _ticks(on: Canvas) -> str:
    x = (
        f'<path d="M{on.x(t):.1f} {on.bottom}v5" stroke="#000"/><text x="{on.x(t):.1f}" y="{on.bottom + 20}" text-anchor="middle">{plain(t)}</text>'
        for t in ticks(*on.picture.xlim, whole=on.picture.whole_x)
    )
    y = (
        f'<path d="M{on.left} {on.y(t):.1f}h-5" stroke="#000"/><text x="{on.left - 8}" y="{on.y(t) + 5:.1f}" text-anchor="end">{plain(t)}</text>'
        for t in (ticks(*on.picture.ylim, most=5) if on.picture.yticks else ())
    )
    return "".join([*x, *y])


def _names_of_axes(on: Canvas) -> str:
    return (
        f'<text x="{(on.left + on.right) / 2}" y="{on.bottom + 40}" text-anchor="middle">{escape(on.picture.xlabel)}</text>'
        f'<text transform="translate(15 {(on.top + on.bottom) / 2}) rotate(-90)" text-anchor="middle">{escape(on.picture.ylabel)}</text>'
    )


def _legend(on: Canvas) -> str:
    parts, at = [], float(on.left)
    for mark in on.picture.legend:
        parts.append(_key(at, on.height - 12, mark) + f'<text x="{at + 24:.0f}" y="{on.height - 7}">{escape(mark.label)}</text>')
        at += 46 + 8.4 * len(mark.label)
    return "".join(parts)


def _key(x: float, y: float, mark: Area | Bars | Points) -> str:
    if isinstance(mark, Points):
        return _point(x + 10, y, mark)
    fill = f"url(#hatch{mark.color[1:]})" if mark.hatched else mark.color
    return f'<rect x="{x:.0f}" y="{y - 7:.0f}" width="18" height="13" fill="{fill}" fill-opacity="{1 if mark.hatched else 0.55}" stroke="{mark.color}"/>'


def _hatches(picture: Picture) -> str:
    colors = {mark.color for mark in picture.marks if isinstance(mark, (Area, Bars)) and mark.hatched}
    return "".join(
        f'<pattern id="hatch{color[1:]}" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 0V6" stroke="{color}" stroke-width="2.4"/></pattern>'
        for color in sorted(colors)
    )
