"""Draw plots with matplotlib.

The pictures are readable on light and dark pages: the background is transparent, axes are grey, the colours of the marks are visible on
light and on dark, and black lines and text have a thin light outline, which is invisible on white.
"""

from __future__ import annotations

import io
from collections.abc import Collection
from functools import partial, singledispatch
from math import inf, nan
from typing import TYPE_CHECKING, Any

import numpy as np

from ...runtime.optional_dependencies import require_extra
from .matplotlib_text import mathtext, set_legend_fonts, text_and_font
from .picture_layout import HIDDEN, PictureLayout, wrap_words
from .picture_marks import (
    BLACK,
    GREY,
    TEXT_COLORS,
    WHITE,
    Area,
    Bars,
    Cells,
    Curve,
    Drawing,
    Label,
    Line,
    Links,
    Mark,
    PictureSize,
    Points,
    VerticalLine,
    plain_mark,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SIZE = (8.0, 4.2)  # size of a figure in inches, at which the text can be read from the back of a lecture hall
STYLE: dict[str, Any] = {"font.size": 14, "font.family": "DejaVu Sans", "hatch.linewidth": 0.8}
STYLE |= dict.fromkeys(("axes.spines.top", "axes.spines.right"), False) | dict.fromkeys(("xtick.labelcolor", "ytick.labelcolor"), BLACK)
STYLE |= dict.fromkeys(("axes.edgecolor", "xtick.color", "ytick.color"), GREY)
AXES_WIDTH_SHARE = 0.86  # width of the axes as a share of the picture width (the rest is for the y-axis label and the right margin)
HALO = 3.5  # width in points of the light outline of a line, both sides together


def matplotlib_figure(*pictures: Drawing) -> Figure:
    """Return a figure that contains the pictures one below the other."""
    with require_extra("plot", "a picture"):
        import matplotlib
        from matplotlib.figure import Figure as NewFigure

    with matplotlib.rc_context(default_style_only(STYLE)):
        heights = [needed_height(picture, *SIZE) for picture in pictures]
        figure = NewFigure(figsize=(SIZE[0], sum(heights)), layout="constrained")
        boxes = figure.subfigures(len(pictures), squeeze=False, height_ratios=heights)[:, 0] if len(pictures) > 1 else [figure]
        # each picture gets a subfigure, so that a slide can show a single picture
        for picture, box in zip(pictures, boxes, strict=True):
            ax = box.subplots()
            draw_picture(picture, ax)
            _wrap_legend(ax)
            _wrap_title(ax)
        figure.draw_without_rendering()
    return figure


def _wrap_legend(ax: Axes) -> None:
    """Put a legend that is wider than the axes into several rows; otherwise it would be cut off and would squeeze the axes."""
    legend: Any = ax.get_legend()
    columns = len(legend.get_texts()) if legend else 0
    while columns > 1 and legend.get_window_extent().width > AXES_WIDTH_SHARE * ax.figure.bbox.width:
        columns -= 1
        legend.remove()
        legend = _add_legend(ax, columns)


def _wrap_title(ax: Axes) -> None:
    """Put a title that is wider than the figure into several lines; otherwise it would be cut off."""
    title, most = ax.get_title(loc="left"), AXES_WIDTH_SHARE * ax.figure.bbox.width

    def fits(line: str) -> bool:
        return float(ax.set_title(line, loc="left").get_window_extent().width) <= most

    ax.set_title("\n".join(wrap_words(title, fits)), loc="left")


def _add_legend(ax: Axes, columns: int) -> Any:
    """Add a legend below the axis label, sorted by rows."""
    from matplotlib.transforms import ScaledTranslation

    entries = list(zip(*ax.get_legend_handles_labels(), strict=True))
    # matplotlib fills a legend column by column, so the entries are reordered
    in_rows = [entry for column in range(columns) for entry in entries[column::columns]]
    lines = (1.5 * bool(len(ax.get_xticks())) + 1.4 * bool(ax.get_xlabel())) * ax.axison
    below = ScaledTranslation(0, -(lines + 0.3 * bool(lines)) * float(ax.xaxis.label.get_fontsize()) / 72, ax.figure.dpi_scale_trans)
    look: dict[str, Any] = {"frameon": False, "borderaxespad": 0, "handlelength": 1.6, "columnspacing": 1.4, "ncols": columns}
    legend = ax.legend(*zip(*in_rows, strict=True), loc="upper left", bbox_to_anchor=(0, 0), bbox_transform=ax.transAxes + below, **look)
    set_legend_fonts(legend)
    for (handle, _), *entry in zip(in_rows, legend.get_texts(), legend.legend_handles, strict=True):
        for artist in filter(None, entry):
            artist.set_visible(getattr(handle, "patches", [handle])[0].get_visible())
    return legend


def default_style_only(style: dict[str, Any]) -> Any:
    """Return the entries of a style that the caller has not changed in matplotlib's rcParams."""
    import matplotlib

    parameters: Any = matplotlib.rcParams
    start: Any = matplotlib.rcParamsDefault
    return {key: value for key, value in style.items() if parameters[key] == start[key]}


def figure_png(*pictures: Drawing) -> bytes:
    """Return pictures, one below the other, as PNG."""
    return encode_png(matplotlib_figure(*pictures), 80, transparent=True)


def encode_png(figure: Figure, dpi: float, **look: Any) -> bytes:
    """Return a figure as PNG; the metadata contain no version of matplotlib, so that the same picture gives the same bytes."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=dpi, metadata={"Software": None}, **look)
    return buffer.getvalue()


def draw_picture(picture: Drawing, ax: Axes, halo: bool = True, hidden: Collection[int] = ()) -> None:
    """Draw axes and marks of a picture on matplotlib axes; marks with the numbers `hidden` keep their space, but are invisible."""
    with require_extra("plot", "a picture"):
        from matplotlib.ticker import MaxNLocator

    on = PictureLayout(picture, _size_of_axes(picture, ax), compact=False)
    ax.set(xlim=picture.xlim, ylim=on.picture.ylim)
    for put, words in (
        (ax.set_xlabel, picture.xlabel),
        (ax.set_ylabel, picture.ylabel),
        (partial(ax.set_title, loc="left"), picture.title),
    ):
        text, font = text_and_font(words)
        put(text, **font)
    if picture.whole_x:
        ax.xaxis.set_major_locator(MaxNLocator("auto", integer=True))
    if not picture.xticks or picture.largest_xtick < np.inf:
        low, high = picture.xlim  # a tick outside of the limits would widen the axis
        ax.set_xticks([tick for tick in ax.get_xticks() if picture.xticks and low <= tick <= min(high, picture.largest_xtick)])
    if not picture.yticks or picture.least_ytick > -np.inf:
        ax.set_yticks(on.yticks)
    if not picture.frame:
        ax.set_axis_off()
    for number, mark in enumerate(picture.marks):
        before = set(ax.get_children())
        draw_mark(mark, on, ax)
        for artist in set(ax.get_children()) - before if number in hidden else ():
            artist.set_visible(False)
    if picture.legend:
        _add_legend(ax, len(picture.legend))
    if halo:
        _add_halo(ax)


def text_size(width: float, height: float) -> PictureSize:
    """Return the size in points of a picture whose usual size is given in inches, with the current font size."""
    from matplotlib import rcParams

    text = float(rcParams["font.size"])
    return PictureSize(72 * width, 72 * height, text, inf)


def needed_height(picture: Drawing, width: float, height: float) -> float:
    """Return the height in inches of a picture with a usual height, or the height that its labels need."""
    return PictureLayout(picture, text_size(width, height), compact=False).height / 72 if picture.frame else height * picture.height


def _size_of_axes(picture: Drawing, ax: Axes) -> PictureSize:
    """Return the size in points of the picture on these axes, with its title, ticks and legend."""
    figure: Any = ax.figure
    text = text_size(1, 1).text
    if figure.get_figure(root=True).get_layout_engine() is None:  # the axes have a fixed size, so space for title and labels is added
        width, height = (72 * size / figure.dpi for size in ax.get_window_extent().size)
        width, height = width + 5 * text, height + 6 * text
    else:  # in a narrow figure, each legend entry has its own row, which leaves less height for the picture
        width, height = (72 * size / figure.dpi for size in figure.bbox.size)
        height -= 1.5 * text * max(0, len(picture.legend) - 1) * (width < 36 * text)
    return PictureSize(width, height / picture.height, text, height)


def line_width_factor() -> float:
    """Return the factor for the widths of lines and points: the current font size divided by the font size of STYLE."""
    from matplotlib import rcParams

    return float(rcParams["font.size"]) / STYLE["font.size"]


def _add_halo(ax: Axes) -> None:
    """Add a light outline to black text and lines, for dark pages; white text needs no outline."""
    from matplotlib.patheffects import withStroke
    from matplotlib.text import Text

    for text in (text for text in ax.findobj(Text) if text.get_color() != WHITE):
        text.set_path_effects([withStroke(linewidth=HALO, foreground=WHITE)])
    for line in [line for line in ax.lines if line.get_color() == BLACK and line.get_visible()]:
        width = line.get_linewidth() + HALO
        if line.get_linestyle() == "None":  # markers without a line between them
            line.set_path_effects([withStroke(linewidth=width, foreground=WHITE)])
        else:  # the outline is below all lines, so that it does not cover the ends of other black lines
            below = line.get_zorder() - 0.5
            ax.plot(*line.get_data(), color=WHITE, lw=width, zorder=below, solid_capstyle="projecting", transform=line.get_transform())


# -- one function for each type of mark ----------------------------------------------------------------------------------------
@singledispatch
def draw_mark(mark: Mark, on: PictureLayout, ax: Axes) -> None:
    """Draw one mark of a picture."""
    kind = type(mark).__name__
    raise TypeError(f"matplotlib cannot draw a {kind}; got {mark!r} in {on.picture!r} on {ax!r}. Register a function with draw_mark.")


@draw_mark.register(Curve)
def _draw_curve(mark: Curve, _: PictureLayout, ax: Axes) -> None:
    ax.plot(mark.x, mark.y, "--" if mark.dashed else "-", color=mark.color, lw=2 * line_width_factor(), label=mathtext(mark.label))


@draw_mark.register(Area)
def _draw_area(mark: Area, _: PictureLayout, ax: Axes) -> None:
    look: dict[str, Any] = {"alpha": None, "lw": 0} if mark.hatched else {"alpha": 0.55, "lw": line_width_factor()}
    ax.fill_between(mark.x, 0 if mark.low is None else mark.low, mark.y, **_fill_style(mark), **look)


@draw_mark.register(Bars)
def _draw_bars(mark: Bars, _: PictureLayout, ax: Axes) -> None:
    has_bars = len(mark.x) > 0  # if there are no bars, an invisible bar gives the legend its colour
    ax.bar(mark.x if has_bars else [nan], mark.height if has_bars else [nan], mark.width, **_fill_style(mark), lw=0.6)


def _fill_style(mark: Area | Bars) -> dict[str, Any]:
    return {
        "facecolor": "none" if mark.hatched else mark.color,
        "edgecolor": mark.color,
        "hatch": "////" if mark.hatched else None,
        "label": mathtext(mark.label),
    }


@draw_mark.register(VerticalLine)
def _draw_vertical_line(mark: VerticalLine, on: PictureLayout, ax: Axes) -> None:
    name, style = on.line_labels[plain_mark(mark)], "--" if mark.dashed else "-"
    for ends in on.line_ends(plain_mark(mark), slack=3.0):
        low, high = ((on.bottom - end) / (on.bottom - on.top) for end in ends)
        ax.axvline(mark.x, low, high, color=mark.color, lw=2.5 * line_width_factor(), ls=style)
    place = float(np.clip(mark.x, *on.picture.xlim)), 1.0  # clip the position, because a label outside the axes would shrink the axes
    side, color = "right" if name.is_left else "left", TEXT_COLORS.get(mark.color, mark.color)
    text, font = text_and_font(mark.label, "bold")
    look: dict[str, Any] = {"color": color, "va": "baseline", "ha": side, "fontweight": "bold", "textcoords": "offset points"}
    beside = (-4 if name.is_left else 4), on.top - on.label_baseline(name)
    ax.annotate(text, place, beside, xycoords=("data", "axes fraction"), **look, **font)


@draw_mark.register(Points)
def _draw_points(mark: Points, _: PictureLayout, ax: Axes) -> None:
    shape, face = ("s", "white") if mark.open else ("o", mark.color)
    size, width = 1.5 * mark.radius * line_width_factor(), 2 * line_width_factor()
    ax.plot(mark.x, mark.y, shape, color=mark.color, mfc=face, ms=size, mew=width, label=mathtext(mark.label))


@draw_mark.register(Line)
def _draw_line(mark: Line, _: PictureLayout, ax: Axes) -> None:
    from matplotlib.lines import Line2D  # Line2D is faster than ax.plot, and a diagram of many classifiers has a hundred lines

    width = mark.width * line_width_factor()
    ax.add_line(Line2D(mark.x, mark.y, color=mark.color, lw=width, solid_capstyle="butt", solid_joinstyle="miter"))


@draw_mark.register(Label)
def _draw_label(mark: Label, on: PictureLayout, ax: Axes) -> None:
    place = on.label_places[plain_mark(mark)]
    if place.touched >= HIDDEN:
        return
    align = {"start": "left", "middle": "center", "end": "right"}[place.align]
    weight, color = "bold" if mark.bold else "normal", TEXT_COLORS.get(mark.color, mark.color)
    text, font = text_and_font(mark.words, weight)
    look: dict[str, Any] = {"color": color, "va": "center", "ha": align, "fontweight": weight, "textcoords": "offset points"}
    moved = place.x - float(on.x_pixel(mark.x)), float(on.y_pixel(mark.y)) + 5 * on.font_scale - place.y
    at = (float(np.clip(mark.x, *on.picture.xlim)), float(np.clip(mark.y, *on.picture.ylim))) if on.picture.frame else (mark.x, mark.y)
    ax.annotate(text, at, moved, **look, **font, annotation_clip=False)


@draw_mark.register(Links)
def _draw_links(mark: Links, _: PictureLayout, ax: Axes) -> None:
    ax.vlines(mark.x, mark.low, mark.high, color=mark.color, lw=2 * line_width_factor(), zorder=0.5)


@draw_mark.register(Cells)
def _draw_cells(mark: Cells, _: PictureLayout, ax: Axes) -> None:
    from matplotlib.collections import PolyCollection

    corners = [(i * mark.width / 2, j * mark.height / 2) for i, j in ((-1, -1), (-1, 1), (1, 1), (1, -1))]
    polygons = [[(x + i, y + j) for i, j in corners] for x, y in zip(mark.x.tolist(), mark.y.tolist(), strict=True)]
    edge = "#bbbbbb" if mark.outlined else "face"
    ax.add_collection(PolyCollection(polygons, facecolors=mark.fill_colors, edgecolors=edge, linewidths=0.5))
    for x, y, words, color in zip(mark.x.tolist(), mark.y.tolist(), mark.words, mark.text_colors):
        text, font = text_and_font(words)
        ax.text(x, y, text, color=color, va="center", ha="center", **font)
