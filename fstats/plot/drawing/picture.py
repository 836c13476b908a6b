"""Class for plots that are drawn with matplotlib or as SVG.

matplotlib draws a picture in notebooks and files; interactive explorers show it as SVG.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from .matplotlib_figure import figure_png, matplotlib_figure
from .picture_marks import COLUMN_WIDTH, DEFAULT_SIZE, Drawing, Mark, PictureSize
from .publication_figure import draw_on_axes, parse_figsize, publication_figure, publication_png, save_figure
from .svg import render_svg

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Picture(Drawing):
    """Picture that can be shown in a notebook, drawn on axes, saved for a publication, or converted to SVG."""

    def draw(self, ax: Axes) -> None:
        """Draw the picture on matplotlib axes, laid out for the size of the axes."""
        draw_on_axes(self, ax)

    def with_options(self, ax: Any = None, title: str | None = "", figsize: Any = None) -> Picture:
        """Return the picture with another title (None for no title) or size (see :meth:`figure`), or draw the picture on axes.

        The argument `figsize` cannot be combined with `ax`, because axes have their own size.
        """
        if ax is not None and figsize is not None:
            raise ValueError(
                f"`ax` and `figsize` cannot be combined, because axes have a size; got figsize={figsize!r}. Leave out `ax=` or `figsize=`."
            )
        if not isinstance(title, (str, type(None))):
            raise TypeError(f"`title` must be a string, or None for no title; got {title!r}")
        size = self.figsize if figsize is None else parse_figsize(figsize)
        picture = replace(self, title=self.title if title == "" else title or "", figsize=size)
        if ax is not None:
            picture.draw(ax)
        return picture

    def figure(self, figsize: Any = None) -> Figure:
        """Return a matplotlib figure for a page, or with `figsize` a figure for a publication.

        Parameters
        ----------
        figsize : float or (float, float), optional
                Width, or width and height, in inches; by default the ``figsize`` of ``plot(figsize=...)``. Without a height the picture
                gets the height that it needs. The text is 8 points high, the usual size of a caption, unless
                ``matplotlib.rcParams["font.size"]`` or a style sheet sets another size. All your settings in rcParams are respected.
        """
        size = self.figsize if figsize is None else figsize
        return matplotlib_figure(self) if size is None else publication_figure(self, size)

    def save(self, path: Any, figsize: Any = None, *, dpi: float = 300) -> None:
        """Save the picture for a publication, laid out for its size, by default for the width of a column (3.4 inches).

        Parameters
        ----------
        path : path
                The suffix determines the format: ``.pdf``, ``.svg``, ``.png``, or any other format of matplotlib.
        figsize : float or (float, float)
                Width, or width and height, as in :meth:`figure`.
        dpi : float
                Resolution in dots per inch, for bitmap formats.
        """
        size = (COLUMN_WIDTH if self.figsize is None else self.figsize) if figsize is None else figsize
        save_figure(self, path, size, dpi)

    def png(self) -> bytes:
        """Return the figure as PNG."""
        return figure_png(self) if self.figsize is None else publication_png(self, self.figsize)

    def svg(self, size: PictureSize = DEFAULT_SIZE) -> str:
        """Return the picture as an SVG element with its alternative text, laid out for the given size."""
        return render_svg(self, size)

    def __repr__(self) -> str:
        return f"[picture: {self.text}]"

    def _repr_mimebundle_(self, **_: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        return {"image/png": self.png(), "text/plain": repr(self)}, {"image/png": {"alt": self.text}}


def picture_in_pixels(
    title: str,
    width: float,
    height: float,
    marks: Sequence[Mark],
    text: str,
    redraw_for_width: Callable[[float], Any] | None = None,
    beside: float = 70.0,
) -> Picture:
    """Return a picture in pixel coordinates from the upper left corner (y is negative); title and legend need the height `beside`."""
    frame: dict[str, Any] = {"xlabel": "", "ylabel": "", "xlim": (0.0, width), "ylim": (-height, 0.0), "frame": False}
    share = (height + beside) / DEFAULT_SIZE.height
    return Picture(title=title, marks=tuple(marks), text=text, height=share, redraw_for_width=redraw_for_width, **frame)
