"""Draw plots as SVG.

Interactive explorers need a plot in a few milliseconds (matplotlib needs 100).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import singledispatch
from html import escape

import numpy as np

from ...core.mathematics_in_names import plain_powers
from ...core.number_format import format_plain
from .picture_layout import BOLD_WIDTH_FACTOR, HIDDEN, LINE, ROW, PictureLayout
from .picture_marks import (
    BLACK,
    BLUE,
    DARK_PAGE_COLORS,
    DEFAULT_SIZE,
    GREEN,
    GREY,
    ORANGE,
    TEXT_COLORS,
    VERMILLION,
    WHITE,
    Area,
    Bars,
    Cells,
    Curve,
    Drawing,
    Label,
    LegendMark,
    Line,
    Links,
    Mark,
    PictureSize,
    Points,
    VerticalLine,
    tick_positions,
)

FONT = 'font-family="DejaVu Sans,Verdana,sans-serif"'
Group = Callable[[int, str, PictureLayout], str]  # (number of a mark, its SVG elements, layout) -> the elements, perhaps inside a group
COLOR_NAMES = {BLACK: "ink", WHITE: "paper", BLUE: "blue", ORANGE: "orange", VERMILLION: "vermillion", GREEN: "green", GREY: "grey"}


def render_svg(picture: Drawing, size: PictureSize = DEFAULT_SIZE, group: Group = lambda _number, drawn, _on: drawn) -> str:
    """Return the SVG element of a picture; its label is the alternative text, its colours are set by the page (:func:`css_palette`).

    The function `group` gets the number of each mark with what the mark draws, in the picture or in the legend, and may put it in a group.
    """
    on = PictureLayout(picture, size)
    picture = on.picture
    parts = [_title(on)]
    if picture.frame:
        parts += [_ticks(on), _axis_labels(on)]
    parts += [group(number, mark_to_svg(mark, on), on) for number, mark in enumerate(picture.marks)]
    parts.append(_legend(on, group))
    if picture.frame:
        parts.append(f'<path d="M{on.left:g} {on.top:g}V{on.bottom:g}H{on.right:g}" fill="none" stroke="{css_color(BLACK)}"/>')
    dimensions = f'viewBox="0 0 {on.width:g} {on.height:g}" width="{on.width * on.scale:.0f}" height="{on.height * on.scale:.0f}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{escape(picture.text)}" {dimensions} {FONT} '
        f'font-size="{on.font_size:g}" '
        f'fill="{css_color(BLACK)}"><defs>{_hatch_patterns(picture)}</defs>{"".join(parts)}</svg>'
    )


def css_color(color: str) -> str:
    """Return a CSS variable with a fallback: pages can replace the colour; for black the fallback is the text colour of the page.

    >>> css_color("#0072b2"), css_color("#123456")
    ('var(--fstats-blue,#0072b2)', '#123456')
    """
    return f"var(--fstats-{COLOR_NAMES[color]},{'currentColor' if color == BLACK else color})" if color in COLOR_NAMES else color


def css_text_color(color: str) -> str:
    """Return the CSS colour for text; some colours are darker in text to be readable."""
    return f"var(--fstats-{COLOR_NAMES[color]}-words,{TEXT_COLORS[color]})" if color in TEXT_COLORS else css_color(color)


def css_palette() -> str:
    """Return the colours as CSS variables; each variable has a value for light pages and a value for dark pages.

    >>> css_palette().split("; ")[2]
    '--fstats-blue: light-dark(#0072b2, #56b4e9)'
    """
    both = [(COLOR_NAMES[color], color, dark) for color, dark in DARK_PAGE_COLORS.items()]
    both += [(f"{COLOR_NAMES[color]}-words", words, DARK_PAGE_COLORS[color]) for color, words in TEXT_COLORS.items()]
    return "; ".join(f"--fstats-{name}: light-dark({light}, {dark})" for name, light, dark in both)


# -- one function for each type of mark --------------------------------------------------------------------------------------
@singledispatch
def mark_to_svg(mark: Mark, on: PictureLayout) -> str:
    """Return the SVG elements of a mark."""
    raise TypeError(f"SVG cannot draw a {type(mark).__name__}; got {mark!r} in {on.picture!r}. Register a function with mark_to_svg.")


@mark_to_svg.register(Curve)
def _curve(mark: Curve, on: PictureLayout) -> str:
    return f'<path d="{on.svg_path(mark.x, mark.y)}" fill="none" {_stroke_attributes(mark, 2 * on.font_scale)}/>'


def _stroke_attributes(mark: Curve | VerticalLine, width: float) -> str:
    return f'stroke="{css_color(mark.color)}" stroke-width="{width:.3g}"' + ' stroke-dasharray="7 5"' * mark.dashed


@mark_to_svg.register(Area)
def _area(mark: Area, on: PictureLayout) -> str:
    if not len(mark.x):
        return ""
    x, y = np.r_[mark.x[0], mark.x, mark.x[-1]], np.r_[0, mark.y, 0]
    if mark.low is not None:
        x, y = np.r_[mark.x, mark.x[::-1]], np.r_[mark.y, mark.low[::-1]]
    return f'<path d="{on.svg_path(x, y)}Z" {_fill_attributes(mark)}/>'


@mark_to_svg.register(Bars)
def _bars(mark: Bars, on: PictureLayout) -> str:
    if not len(mark.x):
        return ""
    wide = max(mark.width * on.x_scale, 1.0)
    tops = zip((on.x_pixel(mark.x) - wide / 2).tolist(), on.y_pixel(mark.height).tolist(), strict=True)
    outlines = "".join(f"M{i:.1f} {on.bottom:.1f}V{j:.1f}h{wide:.1f}V{on.bottom:.1f}" for i, j in tops)
    return f'<path d="{outlines}Z" {_fill_attributes(mark)}/>'


@mark_to_svg.register(VerticalLine)
def _vertical_line(mark: VerticalLine, on: PictureLayout) -> str:
    name = on.line_labels[mark]
    at, height = name.line_x, on.label_baseline(name)
    shift, anchor, room = (-4, "end", at - 4 - on.left_label_limit) if name.is_left else (4, "start", on.width - at - 4)
    pieces = "".join(f"M{at:.1f} {low:.1f}V{high:.1f}" for low, high in on.line_ends(mark))
    return (
        f'<path d="{pieces}" {_stroke_attributes(mark, 2.5 * on.font_scale)}/>'
        f'<text x="{at + shift:.1f}" y="{height:.1f}" fill="{css_text_color(mark.color)}" font-weight="bold" '
        f'text-anchor="{anchor}"{on.text_length_attribute(mark.label, room, BOLD_WIDTH_FACTOR)}>{escape(mark.label)}</text>'
    )


@mark_to_svg.register(Points)
def _points(mark: Points, on: PictureLayout) -> str:
    points = zip(on.x_pixel(mark.x).tolist(), on.y_pixel(mark.y).tolist(), strict=True)
    return "".join(_point_to_svg(i, j, mark, on.font_scale) for i, j in points)


@mark_to_svg.register(Line)
def _line(mark: Line, on: PictureLayout) -> str:
    return f'<path d="{on.svg_path(mark.x, mark.y)}" fill="none" stroke="{css_color(mark.color)}" stroke-width="{mark.width:g}"/>'


@mark_to_svg.register(Label)
def _label(mark: Label, on: PictureLayout) -> str:
    x, y, align, touched = on.label_places[mark]
    if touched >= HIDDEN:
        return ""
    bold = ' font-weight="bold"' if mark.bold else ""
    room = on.label_room(x, align) if on.left < x else x
    squeeze = on.text_length_attribute(mark.words, room, BOLD_WIDTH_FACTOR if mark.bold else 1.0) if on.picture.frame else ""
    attributes = f'fill="{css_text_color(mark.color)}" text-anchor="{align}"{bold}{squeeze}'
    return f'<text x="{x:.1f}" y="{y:.1f}" {attributes}>{escape(mark.words)}</text>'


@mark_to_svg.register(Links)
def _links(mark: Links, on: PictureLayout) -> str:
    ends = zip(on.x_pixel(mark.x).tolist(), on.y_pixel(mark.low).tolist(), on.y_pixel(mark.high).tolist(), strict=True)
    return f'<path d="{"".join(f"M{i:.1f} {j:.1f}V{k:.1f}" for i, j, k in ends)}" stroke="{css_color(mark.color)}" stroke-width="2"/>'


@mark_to_svg.register(Cells)
def _cells(mark: Cells, on: PictureLayout) -> str:
    wide, high = mark.width * on.x_scale, mark.height * on.y_scale
    corners = zip((on.x_pixel(mark.x) - wide / 2).tolist(), (on.y_pixel(mark.y) - high / 2).tolist(), mark.shade.tolist(), strict=True)
    outlines: dict[float, str] = {}  # a path for each shade, which outlines all cells of this shade
    for i, j, shade in corners:
        outlines[shade] = outlines.get(shade, "") + f"M{i:.1f} {j:.1f}h{wide:.1f}v{high:.1f}h{-wide:.1f}Z"
    edge = 'stroke="#bbb" stroke-width=".5"' if mark.outlined else 'shape-rendering="crispEdges"'
    tiles = (f'<path d="{path}" fill="{css_color(mark.color)}" fill-opacity="{shade:.3g}" {edge}/>' for shade, path in outlines.items())
    dark_colors = mark.dark_version.text_colors if mark.words else ()
    middles = zip(on.x_pixel(mark.x).tolist(), on.y_pixel(mark.y).tolist(), mark.words, mark.text_colors, dark_colors)
    return "".join(tiles) + "".join(
        f'<text x="{i:.1f}" y="{j + on.font_scale * 5:.1f}" fill="{light if light == dark else css_color(light)}" '
        f'text-anchor="middle" style="stroke:none">{escape(words)}</text>'
        for i, j, words, light, dark in middles  # the text has no outline, because its colour is readable on the cell
    )


def _point_to_svg(x: float, y: float, mark: Points, em: float) -> str:
    if mark.open:
        side = 2 * mark.radius * em - 2  # side length of the square, without its outline
        return (
            f'<rect x="{x - side / 2:.1f}" y="{y - side / 2:.1f}" width="{side:.3g}" height="{side:.3g}" '
            f'fill="{css_color(WHITE)}" stroke="{css_color(mark.color)}" stroke-width="2.2"/>'
        )
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{mark.radius * em:.3g}" fill="{css_color(mark.color)}"/>'


def _fill_attributes(mark: Area | Bars) -> str:
    if mark.hatched:
        return f'fill="url(#hatch{mark.color[1:]})" stroke="{css_color(mark.color)}" stroke-width=".6"'
    return f'fill="{css_color(mark.color)}" fill-opacity=".55"'


# -- title, axes and legend --------------------------------------------------------------------------------------------------
def _title(on: PictureLayout) -> str:
    title = on.picture.title
    start = on.left if on.left + on.text_width(title, BOLD_WIDTH_FACTOR) <= on.width else 6 * on.font_scale
    return _text_lines(on.title, start, 20 * on.font_scale, LINE * on.font_scale, ' font-weight="bold"')


def _text_lines(lines: Sequence[str], x: float, y: float, apart: float, about: str) -> str:
    return "".join(f'<text x="{x:.4g}" y="{y + k * apart:.4g}"{about}>{escape(line)}</text>' for k, line in enumerate(lines))


def _ticks(on: PictureLayout) -> str:
    em, picture = on.font_scale, on.picture
    most = max(2, min(8, int((on.right - on.left) / (62 * em))))
    across = tick_positions(*picture.xlim, most=most, whole=picture.whole_x) if picture.xticks else []
    across = [tick for tick in across if tick <= picture.largest_xtick]
    labels = [plain_powers(format_plain(t)) for t in across]
    x = (
        f'<path d="M{on.x_pixel(t):.1f} {on.bottom:.1f}v5" stroke="{css_color(BLACK)}"/><text '
        f'x="{min(on.x_pixel(t), on.width - on.text_width(label) / 2):.1f}" y="{on.bottom + 20 * em:.1f}" '
        f'text-anchor="middle">{label}</text>'
        for t, label in zip(across, labels, strict=True)
    )
    y = (
        f'<path d="M{on.left:g} {on.y_pixel(t):.1f}h-5" stroke="{css_color(BLACK)}"/><text x="{on.left - 8:g}" '
        f'y="{on.y_pixel(t) + 5 * em:.1f}" text-anchor="end">{plain_powers(format_plain(t))}</text>'
        for t in on.yticks
    )
    return "".join([*x, *y])


def _axis_labels(on: PictureLayout) -> str:
    em, middle = on.font_scale, (on.left + on.right) / 2
    turned = "".join(
        f'<text transform="translate({em * (15 + LINE * k):.4g} {(on.top + on.bottom) / 2:.4g}) rotate(-90)" '
        f'text-anchor="middle"{on.text_length_attribute(line, on.ylabel_length)}>{escape(line)}</text>'
        for k, line in enumerate(on.ylabel)
    )
    if on.xlabel_beside_legend:
        return _text_lines([on.picture.xlabel], on.right, on.height - 7 * em, 0, ' text-anchor="end"') + turned
    return _text_lines(on.xlabel, middle, on.bottom + em * (on.below_axis + 14), LINE * em, ' text-anchor="middle"') + turned


def _legend(on: PictureLayout, group: Group) -> str:
    em, parts = on.font_scale, []
    numbers = {id(mark): number for number, mark in enumerate(on.picture.marks)}
    for k, row in enumerate(reversed(on.legend)):
        y = on.height - em * (12 + ROW * k)
        for at, mark in row:
            tight = on.text_length_attribute(mark.label, on.width - at - 24 * em)
            label = f'<text x="{at + 24 * em:.0f}" y="{y + 5 * em:.4g}"{tight}>{escape(mark.label)}</text>'
            parts.append(group(numbers[id(mark)], _legend_key(at, y, mark, em) + label, on))
    return "".join(parts)


def _legend_key(x: float, y: float, mark: LegendMark, em: float) -> str:
    if isinstance(mark, Curve):
        return f'<path d="M{x:.0f} {y:.4g}h{18 * em:.3g}" {_stroke_attributes(mark, 2 * em)}/>'
    if isinstance(mark, Points):
        return _point_to_svg(x + 10 * em, y, mark, em)
    fill = f"url(#hatch{mark.color[1:]})" if mark.hatched else css_color(mark.color)
    return (
        f'<rect x="{x:.0f}" y="{y - 7 * em:.4g}" width="{18 * em:.3g}" height="{13 * em:.3g}" fill="{fill}" '
        f'fill-opacity="{1 if mark.hatched else 0.55}" stroke="{css_color(mark.color)}"/>'
    )


def _hatch_patterns(picture: Drawing) -> str:
    colors = {mark.color for mark in picture.marks if isinstance(mark, (Area, Bars)) and mark.hatched}
    return "".join(
        f'<pattern id="hatch{color[1:]}" width="6" height="6" patternUnits="userSpaceOnUse" '
        f'patternTransform="rotate(45)"><path d="M0 0V6" stroke="{css_color(color)}" stroke-width="2.4"/></pattern>'
        for color in sorted(colors)
    )
