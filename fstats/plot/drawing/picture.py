"""A picture described once, drawn by matplotlib where it stands still and as SVG where it moves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from .matplotlib_figure import figure_png as page_png
from .matplotlib_figure import matplotlib_figure as on_page
from .picture_marks import COLUMN_WIDTH, DEFAULT_SIZE, Drawing, Mark, PictureSize
from .publication_figure import draw_on_axes, parse_figsize
from .publication_figure import publication_figure as on_paper
from .publication_figure import publication_png as paper_png
from .publication_figure import save_figure as saved
from .svg import render_svg

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Picture(Drawing):
    """A drawing that shows itself: in a notebook, on axes, in a file for a paper, as SVG."""

    def draw(self, ax: Axes) -> None:
        """Draw on matplotlib axes, laid out for their size."""
        draw_on_axes(self, ax)

    def placed(self, ax: Any = None, title: str | None = "", figsize: Any = None) -> Picture:
        """The same picture with another title (None for none), made for a size (as for :meth:`figure`), or drawn on axes,
        which have one.
        """
        if ax is not None and figsize is not None:
            raise ValueError(f"ax have a size already, so figsize says nothing: give one of them; got figsize={figsize!r}")
        if not isinstance(title, (str, type(None))):
            raise TypeError(f"title must be words, or None for no title; got {title!r}")
        size = self.figsize if figsize is None else parse_figsize(figsize)
        made = replace(self, title=self.title if title == "" else title or "", figsize=size)
        if ax is not None:
            made.draw(ax)
        return made

    def figure(self, figsize: Any = None) -> Figure:
        """A matplotlib figure: for a page, or laid out for a paper.

        Parameters
        ----------
        figsize : float or (float, float), optional
            Width in inches, and height, where it shall not be what the picture needs; by default what ``plot(figsize=...)`` was given.
            Text is then 8 points high, as in a caption, unless ``matplotlib.rcParams["font.size"]`` or a style sheet says otherwise; all
            that you set there is respected.
        """
        size = self.figsize if figsize is None else figsize
        return on_page(self) if size is None else on_paper(self, size)

    def save(self, path: Any, figsize: Any = None, *, dpi: float = 300) -> None:
        """Save the picture for a paper, laid out for its size, by default as wide as a column (3.4 inches).

        Parameters
        ----------
        path : path
            Its ending says the kind: ``.pdf``, ``.svg``, ``.png``, or whatever else matplotlib knows.
        figsize : float or (float, float)
            As for :meth:`figure`.
        dpi : float
            Dots of an inch, where the kind has such.
        """
        size = (COLUMN_WIDTH if self.figsize is None else self.figsize) if figsize is None else figsize
        saved(self, path, size, dpi)

    def png(self) -> bytes:
        """The figure as PNG."""
        return page_png(self) if self.figsize is None else paper_png(self, self.figsize)

    def svg(self, room: PictureSize = DEFAULT_SIZE) -> str:
        """The picture as an SVG element with its alternative text, made for so much room."""
        return render_svg(self, room)

    def __repr__(self) -> str:
        return f"[picture: {self.text}]"

    def _repr_mimebundle_(self, **_: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        return {"image/png": self.png(), "text/plain": repr(self)}, {"image/png": {"alt": self.text}}


def picture_in_pixels(
    title: str,
    across: float,
    high: float,
    marks: Sequence[Mark],
    text: str,
    anew: Callable[[float], Any] | None = None,
    beside: float = 70.0,
) -> Picture:
    """A picture made in pixels from the upper left corner: heights are negative; `beside` is what title and legend take of its height."""
    frame: dict[str, Any] = {"xlabel": "", "ylabel": "", "xlim": (0.0, across), "ylim": (-high, 0.0), "frame": False}
    return Picture(title=title, marks=tuple(marks), text=text, height=(high + beside) / DEFAULT_SIZE.height, anew=anew, **frame)
