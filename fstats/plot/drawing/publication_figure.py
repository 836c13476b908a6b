"""Pictures for papers: laid out for the width of a column, in the fonts and lines that the caller has set, as PDF, SVG or PNG.

A picture without a frame is made in pixels, of text 15 high; here it is made anew for as many pixels as the width has at this size of
text.  A picture with a frame is drawn in the size asked for.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from . import picture_layout
from .matplotlib_figure import SIZE, default_style_only, draw_picture, encode_png
from .picture_marks import Drawing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

STYLE: dict[str, Any] = {  # where rcParams have what matplotlib starts with
    "font.size": 8.0,
    "axes.titlesize": "medium",
    "axes.linewidth": 0.6,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.major.size": 2.5,
    "ytick.major.size": 2.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "hatch.linewidth": 0.5,
    "pdf.fonttype": 42,  # publishers refuse fonts of type 3
    "ps.fonttype": 42,
}
PIXELS_PER_TEXT_HEIGHT = 15.1  # of a picture without a frame, in the height of its text
EDGE, LINE, MIN_AXES_HEIGHT = 0.04, 1.5, 17.5  # inches around; from line to line, and a picture with axes at least, in heights of text
DEFAULT_TITLE = "Figure"  # what a file without a title is called
ON_SCREEN = 144  # dots of an inch in a notebook
MIN_FONT_SIZE = 4.0  # points: no text is made smaller than that to fit a height


def parse_figsize(figsize: Any) -> tuple[float, float | None]:
    """Width and, where it is stated, height in inches."""
    pair: Any = (figsize, None) if not isinstance(figsize, (tuple, list)) else figsize if len(figsize) == 2 else (None, None)
    width, height = pair
    for each in (width, *([] if height is None else [height])):
        if isinstance(each, bool) or not isinstance(each, (int, float, np.integer)) or not 0.5 <= each <= 100:
            raise ValueError(
                f"figsize must be a width in inches, or (width, height), each from 0.5 to 100, such as 3.4 for a column; got {figsize!r}"
            )
    return float(width), None if height is None else float(height)


def publication_figure(picture: Drawing, figsize: Any) -> Figure:
    """A figure for a paper."""
    import matplotlib
    from matplotlib.figure import Figure as NewFigure

    width, height = parse_figsize(figsize)
    with matplotlib.rc_context(default_style_only(STYLE)):
        if picture.frame:
            title, columns = wrap_title(picture.title, width, _font_size()), _legend_columns(picture, width)
            rows = -(-len(picture.legend) // columns) + title.count("\n") + bool(title)
            least = _font_size() / 72 * (MIN_AXES_HEIGHT * picture.height + LINE * rows)  # labels of vertical lines stand apart then
            made = NewFigure(figsize=(width, height or max(width * SIZE[1] / SIZE[0] * picture.height, least)), layout="constrained")
            ax = made.subplots()
            draw_picture(replace(picture, title=title), ax, halo=False)
            if keys := _remove_legend(ax):
                made.legend(*keys, loc="outside lower left", ncols=columns, frameon=False, handlelength=1.4, columnspacing=1.2)
        else:
            made = _figure_without_axes(picture, width, height)
        made.draw_without_rendering()
    return made


def _figure_without_axes(picture: Drawing, width: float, height: float | None) -> Figure:
    """A picture made in pixels, in text that is as large as asked for, or as fits into the height."""
    import matplotlib
    from matplotlib.figure import Figure as NewFigure

    def around(laid: Drawing, text: float) -> tuple[float, float]:
        """What title and legend need above and below, in inches."""
        lines = wrap_title(laid.title, width, text).count("\n") + 1 if laid.title else 0
        return text * LINE * lines / 72, text * LINE * len(laid.legend) / 72

    def needed(laid: Drawing, text: float) -> float:
        above, below = around(laid, text)
        return _marks_height(laid, text) / 72 + above + below + 2 * EDGE

    laid, text = _largest_fitting_text(picture, (width - 2 * EDGE) * 72, lambda laid, text: height is None or needed(laid, text) <= height)
    high, (above, below) = height or needed(laid, text), around(laid, text)
    with matplotlib.rc_context({"font.size": text}):
        made = NewFigure(figsize=(width, high))
        ax = made.add_axes((EDGE / width, (EDGE + below) / high, 1 - 2 * EDGE / width, (high - above - below - 2 * EDGE) / high))
        draw_picture(replace(laid, title=wrap_title(laid.title, width, text)), ax, halo=False)
        if keys := _remove_legend(ax):
            ax.legend(*keys, loc="upper left", bbox_to_anchor=(0, 0), frameon=False, borderaxespad=0.2, borderpad=0, handlelength=1.2)
    return made


def _remove_legend(ax: Axes) -> Any:
    """Take the legend away, if there is one; returns its keys and words, for another one."""
    if (old := ax.get_legend()) is None:
        return None
    old.remove()
    return ax.get_legend_handles_labels()


def _marks_height(picture: Drawing, text: float) -> float:
    """How high the marks are in this size of text, in points."""
    return (picture.ylim[1] - picture.ylim[0]) / PIXELS_PER_TEXT_HEIGHT * text


def _largest_fitting_text(picture: Drawing, wide: float, fits: Callable[[Drawing, float], bool]) -> tuple[Drawing, float]:
    """A picture made in pixels, laid out for so many points across in the largest text in which it fits, and the size of that text."""
    text = _font_size()
    while True:
        laid, text = _lay_out(picture, wide, text)
        if fits(laid, text) or text <= MIN_FONT_SIZE:
            return laid, text
        text = max(MIN_FONT_SIZE, text - 0.25)


def _lay_out(picture: Drawing, wide: float, text: float) -> tuple[Drawing, float]:
    """A picture made in pixels, for so many points across: made anew, or in text that is so small that it fits; and the size
    of its text.
    """
    if picture.anew is not None:
        return replace(picture.anew(wide / text * PIXELS_PER_TEXT_HEIGHT), title=picture.title), text
    x0, x1 = picture.xlim
    return picture, min(text, wide / (x1 - x0) * PIXELS_PER_TEXT_HEIGHT)


def _font_size() -> float:
    from matplotlib import rcParams

    return float(rcParams["font.size"])


def wrap_title(words: str, width: float, text: float) -> str:
    """A title in as many lines as the width asks for."""
    return "\n".join(picture_layout.wrap_words(" ".join(words.split()), lambda line: len(line) <= 72 * width / (0.6 * text)))


def _legend_columns(picture: Drawing, width: float) -> int:
    """In how many columns the legend fits."""
    words = [len(mark.label) for mark in picture.legend]
    columns = max(1, len(words))
    while columns > 1 and columns * (0.6 * max(words) + 3) * _font_size() > 72 * width:
        columns -= 1
    return columns


def publication_png(picture: Drawing, figsize: Any) -> bytes:
    """A figure for a paper as a notebook shows it."""
    return encode_png(publication_figure(picture, figsize), ON_SCREEN)


def save_figure(picture: Drawing, path: str | os.PathLike[str], figsize: Any, dpi: float) -> None:
    """Write a figure for a paper; what it shows in words goes along, and no date, so that the same picture gives the same bytes."""
    import matplotlib

    kind = Path(path).suffix.lower().lstrip(".")
    if not kind:
        raise ValueError(f"the ending of a file says its kind, such as .pdf, .svg or .png; got {os.fspath(path)!r}")
    made = publication_figure(picture, figsize)
    about = {
        "pdf": {"Title": picture.title or DEFAULT_TITLE, "Subject": picture.text, "CreationDate": None},
        "svg": {"Title": picture.title or DEFAULT_TITLE, "Description": picture.text, "Date": None},
        "png": {"Description": picture.text, "Software": None},
    }
    fixed = {"svg.hashsalt": "fstats"} if matplotlib.rcParams["svg.hashsalt"] is None else {}
    with matplotlib.rc_context(default_style_only(STYLE) | fixed):
        made.savefig(path, dpi=dpi, metadata=about.get(kind))


def draw_on_axes(picture: Drawing, ax: Axes) -> None:
    """Draw on axes of the caller's; a picture that is made in pixels, laid out for their size."""
    import matplotlib

    if picture.frame:
        draw_picture(picture, ax)
        return
    inside = ax.get_window_extent()
    wide, high = (72 * size / ax.get_figure().dpi for size in (inside.width, inside.height))  # type: ignore[union-attr]
    laid, text = _largest_fitting_text(picture, wide, lambda laid, text: _marks_height(laid, text) <= high)
    with matplotlib.rc_context({"font.size": text}):
        draw_picture(laid, ax)
        old = ax.get_legend()
        if old is not None and len(laid.legend) > 1 and ax.get_window_extent().width < old.get_window_extent().width:
            look: dict[str, Any] = {"frameon": False, "borderaxespad": 0, "handlelength": 1.6}
            ax.legend(*_remove_legend(ax), loc="upper left", bbox_to_anchor=(0, 0), **look)
