"""Draw pictures with matplotlib.

The pictures are readable on light and dark pages: the background is transparent, axes are grey, the colours of the marks are visible on
light and on dark, and black lines and text have a thin light outline, which is invisible on white.
"""

from __future__ import annotations

import io
from functools import partial, singledispatch
from math import nan
from typing import TYPE_CHECKING, Any

from ...runtime.optional_dependencies import require_extra
from .matplotlib_text import mathtext, set_legend_fonts, text_and_font
from .picture_layout import wrap_words
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
    Points,
    VerticalLine,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SIZE = (8.0, 4.2)  # size of a figure in inches, with text that is readable from the back of a lecture hall
STYLE: dict[str, Any] = {"font.size": 14, "font.family": "DejaVu Sans", "hatch.linewidth": 0.8}
STYLE |= dict.fromkeys(("axes.spines.top", "axes.spines.right"), False) | dict.fromkeys(("xtick.labelcolor", "ytick.labelcolor"), BLACK)
STYLE |= dict.fromkeys(("axes.edgecolor", "xtick.color", "ytick.color"), GREY)
AXES_WIDTH_SHARE = 0.86  # share of the width of the picture between the axis labels on the left and the right margin
HALO = 3.5  # total width of the light outline of a line in points: left side plus right side


def matplotlib_figure(*pictures: Drawing) -> Figure:
    """Return a figure that contains the pictures one below the other."""
    with require_extra("plot", "a picture"):
        import matplotlib
        from matplotlib.figure import Figure as NewFigure

    with matplotlib.rc_context(default_style_only(STYLE)):
        heights = [picture.height for picture in pictures]
        figure = NewFigure(figsize=(SIZE[0], SIZE[1] * sum(heights)), layout="constrained")
        boxes = figure.subfigures(len(pictures), squeeze=False, height_ratios=heights)[:, 0] if len(pictures) > 1 else [figure]
        for picture, box in zip(pictures, boxes, strict=True):  # one subfigure for each picture, so that a slide can show one picture
            ax = box.subplots()
            draw_picture(picture, ax)
            _wrap_legend(ax)
            _wrap_title(ax)
        figure.draw_without_rendering()
    return figure


def _wrap_legend(ax: Axes) -> None:
    """Put the legend into several rows if needed, because a legend wider than the axes would be cut off and would squeeze the axes."""
    legend: Any = ax.get_legend()
    columns = len(legend.get_texts()) if legend else 0
    while columns > 1 and legend.get_window_extent().width > AXES_WIDTH_SHARE * ax.figure.bbox.width:
        columns -= 1
        legend.remove()
        legend = _add_legend(ax, columns)


def _wrap_title(ax: Axes) -> None:
    """Put the title into several lines if needed, because a title wider than the figure would be cut off."""
    title, most = ax.get_title(loc="left"), AXES_WIDTH_SHARE * ax.figure.bbox.width

    def fits(line: str) -> bool:
        return float(ax.set_title(line, loc="left").get_window_extent().width) <= most

    ax.set_title("\n".join(wrap_words(title, fits)), loc="left")


def _add_legend(ax: Axes, columns: int) -> Any:
    """Add a legend below the axis label, sorted by rows."""
    from matplotlib.transforms import ScaledTranslation

    entries = list(zip(*ax.get_legend_handles_labels(), strict=True))
    # change the order of the entries, because matplotlib fills a legend column by column
    in_rows = [entry for column in range(columns) for entry in entries[column::columns]]
    lines = (1.5 * bool(len(ax.get_xticks())) + 1.4 * bool(ax.get_xlabel())) * ax.axison
    below = ScaledTranslation(0, -(lines + 0.3 * bool(lines)) * float(ax.xaxis.label.get_fontsize()) / 72, ax.figure.dpi_scale_trans)
    look: dict[str, Any] = {"frameon": False, "borderaxespad": 0, "handlelength": 1.6, "columnspacing": 1.4, "ncols": columns}
    legend = ax.legend(*zip(*in_rows, strict=True), loc="upper left", bbox_to_anchor=(0, 0), bbox_transform=ax.transAxes + below, **look)
    set_legend_fonts(legend)
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


def draw_picture(picture: Drawing, ax: Axes, halo: bool = True) -> None:
    """Draw axes and marks of a picture on matplotlib axes."""
    with require_extra("plot", "a picture"):
        from matplotlib.ticker import MaxNLocator

    ax.set(xlim=picture.xlim, ylim=picture.ylim)
    for put, words in (
        (ax.set_xlabel, picture.xlabel),
        (ax.set_ylabel, picture.ylabel),
        (partial(ax.set_title, loc="left"), picture.title),
    ):
        text, font = text_and_font(words)
        put(text, **font)
    if picture.whole_x:
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    if not picture.xticks:
        ax.set_xticks([])
    if not picture.yticks:
        ax.set_yticks([])
    if not picture.frame:
        ax.set_axis_off()
    for mark in picture.marks:
        draw_mark(mark, picture, ax)
    if picture.legend:
        _add_legend(ax, len(picture.legend))
    if halo:
        _add_halo(ax)


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
    for line in [line for line in ax.lines if line.get_color() == BLACK]:
        width = line.get_linewidth() + HALO
        if line.get_linestyle() == "None":  # the line consists of separate points
            line.set_path_effects([withStroke(linewidth=width, foreground=WHITE)])
        else:  # draw the outline below all lines, so that it does not cover the ends of other black lines
            below = line.get_zorder() - 0.5
            ax.plot(*line.get_data(), color=WHITE, lw=width, zorder=below, solid_capstyle="projecting", transform=line.get_transform())


# -- one function for each type of mark ----------------------------------------------------------------------------------------
@singledispatch
def draw_mark(mark: Mark, picture: Drawing, ax: Axes) -> None:
    """Draw one mark of a picture."""
    rule = f"matplotlib cannot draw a {type(mark).__name__}: register a function with draw_mark"
    raise TypeError(f"{rule}; got {mark!r} in {picture!r} on {ax!r}")


@draw_mark.register(Curve)
def _draw_curve(mark: Curve, _: Drawing, ax: Axes) -> None:
    ax.plot(mark.x, mark.y, "--" if mark.dashed else "-", color=mark.color, lw=2 * line_width_factor(), label=mathtext(mark.label))


@draw_mark.register(Area)
def _draw_area(mark: Area, _: Drawing, ax: Axes) -> None:
    look: dict[str, Any] = {"alpha": None, "lw": 0} if mark.hatched else {"alpha": 0.55, "lw": line_width_factor()}
    ax.fill_between(mark.x, 0 if mark.low is None else mark.low, mark.y, **_fill_style(mark), **look)


@draw_mark.register(Bars)
def _draw_bars(mark: Bars, _: Drawing, ax: Axes) -> None:
    has_bars = len(mark.x) > 0  # whether there are bars; without bars, the legend would have no colour
    ax.bar(mark.x if has_bars else [nan], mark.height if has_bars else [nan], mark.width, **_fill_style(mark), lw=0.6)


def _fill_style(mark: Area | Bars) -> dict[str, Any]:
    return {
        "facecolor": "none" if mark.hatched else mark.color,
        "edgecolor": mark.color,
        "hatch": "////" if mark.hatched else None,
        "label": mathtext(mark.label),
    }


@draw_mark.register(VerticalLine)
def _draw_vertical_line(mark: VerticalLine, picture: Drawing, ax: Axes) -> None:
    ax.axvline(mark.x, color=mark.color, lw=2.5 * line_width_factor(), ls="--" if mark.dashed else "-", ymax=0.9 - 0.09 * mark.line)
    x0, x1 = picture.xlim
    place = min(max(mark.x, x0), x1), 0.99 - 0.09 * mark.line  # a label outside the axes would shrink the axes
    side, color = "right" if picture.is_label_left(mark) else "left", TEXT_COLORS.get(mark.color, mark.color)
    text, font = text_and_font(mark.label, "bold")
    ax.annotate(text, place, xycoords=("data", "axes fraction"), color=color, va="top", ha=side, fontweight="bold", **font)


@draw_mark.register(Points)
def _draw_points(mark: Points, _: Drawing, ax: Axes) -> None:
    shape, face = ("s", "white") if mark.open else ("o", mark.color)
    size, width = 1.5 * mark.radius * line_width_factor(), 2 * line_width_factor()
    ax.plot(mark.x, mark.y, shape, color=mark.color, mfc=face, ms=size, mew=width, label=mathtext(mark.label))


@draw_mark.register(Line)
def _draw_line(mark: Line, _: Drawing, ax: Axes) -> None:
    ax.plot(mark.x, mark.y, color=mark.color, lw=mark.width * line_width_factor(), solid_capstyle="butt", solid_joinstyle="miter")


@draw_mark.register(Label)
def _draw_label(mark: Label, _: Drawing, ax: Axes) -> None:
    align = {"start": "left", "middle": "center", "end": "right"}[mark.align]
    weight, color = "bold" if mark.bold else "normal", TEXT_COLORS.get(mark.color, mark.color)
    text, font = text_and_font(mark.words, weight)
    ax.text(mark.x, mark.y, text, color=color, va="center", ha=align, fontweight=weight, **font)


@draw_mark.register(Links)
def _draw_links(mark: Links, _: Drawing, ax: Axes) -> None:
    ax.vlines(mark.x, mark.low, mark.high, color=mark.color, lw=2 * line_width_factor(), zorder=0.5)


@draw_mark.register(Cells)
def _draw_cells(mark: Cells, _: Drawing, ax: Axes) -> None:
    from matplotlib.collections import PolyCollection

    corners = [(i * mark.width / 2, j * mark.height / 2) for i, j in ((-1, -1), (-1, 1), (1, 1), (1, -1))]
    polygons = [[(x + i, y + j) for i, j in corners] for x, y in zip(mark.x.tolist(), mark.y.tolist(), strict=True)]
    edge = "#bbbbbb" if mark.outlined else "face"
    ax.add_collection(PolyCollection(polygons, facecolors=mark.fill_colors, edgecolors=edge, linewidths=0.5))
    for x, y, words, color in zip(mark.x.tolist(), mark.y.tolist(), mark.words, mark.text_colors):
        text, font = text_and_font(words)
        ax.text(x, y, text, color=color, va="center", ha="center", **font)
