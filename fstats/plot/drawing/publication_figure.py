"""Figures for publications as PDF, SVG or PNG.

They have the column width, fonts and line widths of the document.

A picture without axes is given in pixels for text of height 15. For a publication, such a picture is redrawn for the number of pixels
that the requested width has at the current font size. A picture with axes is drawn in the requested size.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.mathematics_in_names import name_without_blanks, plain_name
from . import picture_layout
from .font_subset import fast_font_subsets
from .matplotlib_figure import SIZE, default_style_only, draw_picture, encode_png, needed_height
from .matplotlib_text import set_legend_fonts
from .picture_marks import Drawing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# values of matplotlib settings; a setting that the caller has changed keeps the caller's value
STYLE: dict[str, Any] = {"font.size": 8.0, "axes.titlesize": "medium", "hatch.linewidth": 0.5}
STYLE |= dict.fromkeys(("axes.linewidth", "xtick.major.width", "ytick.major.width"), 0.6)
STYLE |= dict.fromkeys(("xtick.major.size", "ytick.major.size"), 2.5) | dict.fromkeys(("axes.spines.top", "axes.spines.right"), False)
STYLE |= dict.fromkeys(("pdf.fonttype", "ps.fonttype"), 42)  # 42 means TrueType fonts, because publishers reject fonts of type 3
PIXELS_PER_TEXT_HEIGHT = 15.1  # number of pixels of a picture without axes that correspond to one font size
EDGE, LINE, MIN_AXES_HEIGHT = 0.04, 1.5, 17.5  # margin in inches; line height and minimum height of a picture with axes, both in font sizes
DEFAULT_TITLE = "Figure"  # title in the metadata of the file, if the picture has no title
ON_SCREEN = 144  # resolution in a notebook, in dots per inch
MIN_FONT_SIZE = 4.0  # text is made smaller to fit a height, but not smaller than this font size in points


def parse_figsize(figsize: Any) -> tuple[float, float | None]:
    """Return the width and the height in inches; the height is None if it is not given."""
    pair: Any = (figsize, None) if not isinstance(figsize, (tuple, list)) else figsize if len(figsize) == 2 else (None, None)
    width, height = pair
    for length in (width, *([] if height is None else [height])):
        if isinstance(length, bool) or not isinstance(length, (int, float, np.integer)) or not 0.5 <= length <= 100:
            rule = "a width in inches, or (width, height), each from 0.5 to 100, such as 3.4 for a column"
            raise ValueError(f"`figsize` must be {rule}; got {figsize!r}")
    return float(width), None if height is None else float(height)


def publication_figure(picture: Drawing, figsize: Any) -> Figure:
    """Return a figure for a publication."""
    import matplotlib
    from matplotlib.figure import Figure as NewFigure

    width, height = parse_figsize(figsize)
    with matplotlib.rc_context(default_style_only(STYLE)):
        if picture.frame:
            title, columns = wrap_title(picture.title, width, _font_size()), _legend_columns(picture, width)
            rows = -(-len(picture.legend) // columns) + title.count("\n") + bool(title)
            # minimum height, because the rows of labels of vertical lines need space
            least = _font_size() / 72 * (MIN_AXES_HEIGHT * picture.height + LINE * rows)
            usual = max(width * SIZE[1] / SIZE[0], least / picture.height)
            figure = NewFigure(figsize=(width, height or needed_height(picture, width, usual)), layout="constrained")
            ax = figure.subplots()
            draw_picture(replace(picture, title=title), ax, halo=False)
            if keys := _remove_legend(ax):
                look: dict[str, Any] = {"frameon": False, "handlelength": 1.4, "columnspacing": 1.2}
                set_legend_fonts(figure.legend(*keys, loc="outside lower left", ncols=columns, **look))
        else:
            return _figure_without_axes(picture, width, height)
        figure.draw_without_rendering()
    return figure


def _figure_without_axes(picture: Drawing, width: float, height: float | None) -> Figure:
    """Return the figure of a picture that is given in pixels, with the requested font size or the largest font that fits the height."""
    import matplotlib
    from matplotlib.figure import Figure as NewFigure

    def title_and_legend(laid: Drawing, text: float) -> tuple[float, float]:
        """Return the heights of title and legend in inches."""
        lines = wrap_title(laid.title, width, text).count("\n") + 1 if laid.title else 0
        return text * LINE * lines / 72, text * LINE * len(laid.legend) / 72

    def needed(laid: Drawing, text: float) -> float:
        above, below = title_and_legend(laid, text)
        return _marks_height(laid, text) / 72 + above + below + 2 * EDGE

    laid, text = _largest_fitting_text(picture, (width - 2 * EDGE) * 72, lambda laid, text: height is None or needed(laid, text) <= height)
    high, (above, below) = height or needed(laid, text), title_and_legend(laid, text)
    with matplotlib.rc_context({"font.size": text}):
        figure = NewFigure(figsize=(width, high))
        ax = figure.add_axes((EDGE / width, (EDGE + below) / high, 1 - 2 * EDGE / width, (high - above - below - 2 * EDGE) / high))
        draw_picture(replace(laid, title=wrap_title(laid.title, width, text)), ax, halo=False)
        if keys := _remove_legend(ax):
            look = {"frameon": False, "borderaxespad": 0.2, "borderpad": 0, "handlelength": 1.2}
            set_legend_fonts(ax.legend(*keys, loc="upper left", bbox_to_anchor=(0, 0), **look))
    return figure


def _remove_legend(ax: Axes) -> Any:
    """Remove the legend and return its handles and labels for another legend; return None if there is no legend."""
    if (old := ax.get_legend()) is None:
        return None
    old.remove()
    return ax.get_legend_handles_labels()


def _marks_height(picture: Drawing, text: float) -> float:
    """Return the height of the marks in points for this font size."""
    return (picture.ylim[1] - picture.ylim[0]) / PIXELS_PER_TEXT_HEIGHT * text


def _largest_fitting_text(picture: Drawing, width: float, fits: Callable[[Drawing, float], bool]) -> tuple[Drawing, float]:
    """Lay out a picture that is given in pixels for a width in points, with the largest font that fits; return picture and font size."""
    text = _font_size()
    while True:
        laid, text = _lay_out(picture, width, text)
        if fits(laid, text) or text <= MIN_FONT_SIZE:
            return laid, text
        text = max(MIN_FONT_SIZE, text - 0.25)


def _lay_out(picture: Drawing, width: float, text: float) -> tuple[Drawing, float]:
    """Lay out a picture that is given in pixels for a width in points (redraw or reduce the font); return picture and font size."""
    if picture.redraw_for_width is not None:
        return replace(picture.redraw_for_width(width / text * PIXELS_PER_TEXT_HEIGHT), title=picture.title), text
    x0, x1 = picture.xlim
    return picture, min(text, width / (x1 - x0) * PIXELS_PER_TEXT_HEIGHT)


def _font_size() -> float:
    from matplotlib import rcParams

    return float(rcParams["font.size"])


def wrap_title(title: str, width: float, text: float) -> str:
    """Split a title into lines for a width in inches."""
    words = " ".join(name_without_blanks(title).split())
    return "\n".join(picture_layout.wrap_words(words, lambda line: len(plain_name(line)) <= 72 * width / (0.6 * text)))


def _legend_columns(picture: Drawing, width: float) -> int:
    """Return the largest number of columns of a legend that fits the width."""
    lengths = [len(plain_name(mark.label)) for mark in picture.legend]
    columns = max(1, len(lengths))
    while columns > 1 and columns * (0.6 * max(lengths) + 3) * _font_size() > 72 * width:
        columns -= 1
    return columns


def publication_png(picture: Drawing, figsize: Any) -> bytes:
    """Return a figure for a publication as PNG, for a notebook."""
    return encode_png(publication_figure(picture, figsize), ON_SCREEN)


def save_figure(picture: Drawing, path: str | os.PathLike[str], figsize: Any, dpi: float) -> None:
    """Write a figure for a publication; the metadata contain the alternative text, but no date, so that the bytes are reproducible."""
    import matplotlib

    kind = Path(path).suffix.lower().lstrip(".")
    if not kind:
        raise ValueError(f"`path` must end with a format such as .pdf, .svg or .png; got {os.fspath(path)!r}")
    figure = publication_figure(picture, figsize)
    metadata = {
        "pdf": {"Title": picture.title or DEFAULT_TITLE, "Subject": picture.text, "CreationDate": None},
        "svg": {"Title": picture.title or DEFAULT_TITLE, "Description": picture.text, "Date": None},
        "png": {"Description": picture.text, "Software": None},
    }
    fixed = {"svg.hashsalt": "fstats"} if matplotlib.rcParams["svg.hashsalt"] is None else {}
    with matplotlib.rc_context(default_style_only(STYLE) | fixed), fast_font_subsets() if kind == "pdf" else nullcontext():
        figure.savefig(path, dpi=dpi, metadata=metadata.get(kind))


def draw_on_axes(picture: Drawing, ax: Axes) -> None:
    """Draw a picture on axes of the caller; a picture that is given in pixels is laid out for the size of the axes."""
    import matplotlib

    if picture.frame:
        draw_picture(picture, ax)
        return
    inside = ax.get_window_extent()
    width, height = (72 * float(size) / ax.get_figure().dpi for size in (inside.width, inside.height))  # type: ignore[union-attr]
    laid, text = _largest_fitting_text(picture, width, lambda laid, text: _marks_height(laid, text) <= height)
    with matplotlib.rc_context({"font.size": text}):
        draw_picture(laid, ax)
        legend = ax.get_legend()
        if legend is not None and len(laid.legend) > 1 and ax.get_window_extent().width < legend.get_window_extent().width:
            look: dict[str, Any] = {"frameon": False, "borderaxespad": 0, "handlelength": 1.6}
            set_legend_fonts(ax.legend(*_remove_legend(ax), loc="upper left", bbox_to_anchor=(0, 0), **look))
