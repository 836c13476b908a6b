"""Pictures as SVG, for explorers: a tenth of a millisecond where matplotlib takes a hundred."""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np

from ..number import plain
from ..picture import Area, Bars, Cells, Curve, Label, Line, Links, Picture, Points, VerticalLine, ticks

WIDTH, HEIGHT = 640, 330
MARGINS = 64, 14, 36, 78  # left, right, top, bottom; the legend stands below the axis
WITHOUT_FRAME = 12, 12, 36, 34
FONT = 'font-family="DejaVu Sans,Verdana,sans-serif" font-size="15"'


def as_svg(picture: Picture) -> str:
    """The element, named for assistive technology by the picture's text."""
    (x0, x1), (y0, y1) = picture.xlim, picture.ylim
    left, right, top, below = MARGINS if picture.frame else WITHOUT_FRAME
    total = round(HEIGHT * picture.height)
    bottom = total - below
    across, down = (WIDTH - left - right) / (x1 - x0), (bottom - top) / (y1 - y0)

    def px(x: Any) -> Any:
        return left + (np.clip(x, x0, x1) - x0) * across

    def py(y: Any) -> Any:
        return bottom - (np.clip(y, y0, y1) - y0) * down

    def path(x: Any, y: Any) -> str:
        return "M" + "L".join(f"{i:.1f} {j:.1f}" for i, j in zip(px(x).tolist(), py(y).tolist(), strict=True))

    out = [f'<text x="{left}" y="20" font-weight="bold">{escape(picture.title)}</text>']
    if picture.frame:
        for t in ticks(x0, x1, whole=picture.whole_x):
            out.append(
                f'<path d="M{px(t):.1f} {bottom}v5" stroke="#000"/><text x="{px(t):.1f}" y="{bottom + 20}" text-anchor="middle">{plain(t)}</text>'
            )
        for t in ticks(y0, y1, most=5) if picture.yticks else []:
            out.append(
                f'<path d="M{left} {py(t):.1f}h-5" stroke="#000"/><text x="{left - 8}" y="{py(t) + 5:.1f}" text-anchor="end">{plain(t)}</text>'
            )
        out.append(f'<text x="{(left + WIDTH - right) / 2}" y="{bottom + 40}" text-anchor="middle">{escape(picture.xlabel)}</text>')
        out.append(f'<text transform="translate(15 {(top + bottom) / 2}) rotate(-90)" text-anchor="middle">{escape(picture.ylabel)}</text>')
    for mark in picture.marks:
        fill = (
            f'fill="{mark.color}" fill-opacity=".55"'
            if not getattr(mark, "hatched", False)
            else f'fill="url(#hatch{mark.color[1:]})" stroke="{mark.color}" stroke-width=".6"'
        )
        match mark:
            case Curve():
                out.append(f'<path d="{path(mark.x, mark.y)}" fill="none" stroke="{mark.color}" stroke-width="2"/>')
            case Area() if len(mark.x):
                out.append(f'<path d="{path(np.r_[mark.x[0], mark.x, mark.x[-1]], np.r_[0, mark.y, 0])}Z" {fill}/>')
            case Bars() if len(mark.x):
                wide = max(mark.width * across, 1.0)
                tops = zip((px(mark.x) - wide / 2).tolist(), py(mark.height).tolist(), strict=True)
                out.append(f'<path d="{"".join(f"M{i:.1f} {bottom}V{j:.1f}h{wide:.1f}V{bottom}" for i, j in tops)}Z" {fill}/>')
            case VerticalLine():
                at, ended = px(mark.x), picture.stands_left(mark)
                height = top + 12 + 18 * mark.line
                dash = ' stroke-dasharray="7 5"' if mark.dashed else ""
                out.append(f'<path d="M{at:.1f} {bottom}V{height + 5}" stroke="{mark.color}" stroke-width="2.5"{dash}/>')
                out.append(
                    f'<text x="{at + (-4 if ended else 4):.1f}" y="{height}" fill="{mark.color}" font-weight="bold" text-anchor="{"end" if ended else "start"}">{escape(mark.label)}</text>'
                )
            case Points():
                out.extend(_point(i, j, mark) for i, j in zip(px(mark.x).tolist(), py(mark.y).tolist(), strict=True))
            case Line():
                out.append(f'<path d="{path(mark.x, mark.y)}" fill="none" stroke="{mark.color}" stroke-width="{mark.width:g}"/>')
            case Label():
                bold = ' font-weight="bold"' if mark.bold else ""
                out.append(
                    f'<text x="{px(mark.x):.1f}" y="{py(mark.y) + 5:.1f}" fill="{mark.color}" text-anchor="{mark.align}"{bold}>{escape(mark.words)}</text>'
                )
            case Links():
                ends = zip(px(mark.x).tolist(), py(mark.low).tolist(), py(mark.high).tolist(), strict=True)
                out.append(f'<path d="{"".join(f"M{i:.1f} {j:.1f}V{k:.1f}" for i, j, k in ends)}" stroke="{mark.color}" stroke-width="2"/>')
            case Cells():
                wide, high = mark.width * across, mark.height * down
                corners = zip((px(mark.x) - wide / 2).tolist(), (py(mark.y) - high / 2).tolist(), mark.fills, strict=True)
                alike: dict[str, str] = {}
                for i, j, filled in corners:
                    alike[filled] = alike.get(filled, "") + f"M{i:.1f} {j:.1f}h{wide:.1f}v{high:.1f}h{-wide:.1f}Z"
                edge = 'stroke="#bbb" stroke-width=".5"' if mark.outlined else 'shape-rendering="crispEdges"'
                out.extend(f'<path d="{outlines}" fill="{filled}" {edge}/>' for filled, outlines in alike.items())
                middles = zip(px(mark.x).tolist(), py(mark.y).tolist(), mark.words, mark.inks)
                out.extend(
                    f'<text x="{i:.1f}" y="{j + 5:.1f}" fill="{ink}" text-anchor="middle">{escape(words)}</text>'
                    for i, j, words, ink in middles
                )
    at = float(left)
    for shown in picture.legend:
        out.append(_key(at, total - 12, shown) + f'<text x="{at + 24:.0f}" y="{total - 7}">{escape(shown.label)}</text>')
        at += 46 + 8.4 * len(shown.label)
    if picture.frame:
        out.append(f'<path d="M{left} {top}V{bottom}H{WIDTH - right}" fill="none" stroke="#000"/>')
    colors = {mark.color for mark in picture.marks if getattr(mark, "hatched", False)}
    hatches = "".join(
        f'<pattern id="hatch{color[1:]}" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 0V6" stroke="{color}" stroke-width="2.4"/></pattern>'
        for color in sorted(colors)
    )
    return f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{escape(picture.text)}" viewBox="0 0 {WIDTH} {total}" width="{WIDTH}" {FONT}><defs>{hatches}</defs>{"".join(out)}</svg>'


def _point(x: float, y: float, mark: Points) -> str:
    if mark.open:
        side = 2 * mark.radius - 2  # inside the outline
        return f'<rect x="{x - side / 2:.1f}" y="{y - side / 2:.1f}" width="{side:g}" height="{side:g}" fill="#fff" stroke="{mark.color}" stroke-width="2.2"/>'
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{mark.radius:g}" fill="{mark.color}"/>'


def _key(x: float, y: float, mark: Area | Bars | Points) -> str:
    if isinstance(mark, Points):
        return _point(x + 10, y, mark)
    fill = f"url(#hatch{mark.color[1:]})" if mark.hatched else mark.color
    return f'<rect x="{x:.0f}" y="{y - 7:.0f}" width="18" height="13" fill="{fill}" fill-opacity="{1 if mark.hatched else 0.55}" stroke="{mark.color}"/>'
