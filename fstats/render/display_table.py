"""A table for people: heads, lines of cells and notes, as text and as HTML."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from ..core.number_format import format_plain
from .text_layout import align_columns, terminal_width, wrap_text

LEFT = ' style="text-align:left"'
DATA = ' class="fstats-data"'  # by which a style sheet finds what is data, among the tables of a page
WARNING_STYLE = "color:#b04a00"  # dark orange, readable on white


@dataclass(frozen=True)
class TextAndHtml:
    """A head, a cell or a note that is not written alike as text and as HTML; the HTML stands as it is, all other words are escaped."""

    text: str
    html: str

    def __str__(self) -> str:
        return self.text


def emphasize(words: str, style: str = "") -> TextAndHtml:
    """Emphasised words: bold as HTML.  As text they stand as they are, so they must say without it what is the matter.

    >>> emphasize("2 → 0", WARNING_STYLE).html
    '<strong style="color:#b04a00">2 → 0</strong>'
    """
    attribute = f' style="{style}"' if style else ""
    return TextAndHtml(words, f"<strong{attribute}>{escape(words)}</strong>")


@dataclass(frozen=True, repr=False)
class Table:
    """Heads and lines of cells, and what stands above and below them.

    A cell is a number, words or :class:`TextAndHtml`; the first of a line heads it.  Words stand to the left, numbers to the right.

    >>> Table(["test", "p"], [["FiveByTwoT", 0.04567], ["KFoldT", 0.5]], notes=["None rejects."])
      test              p
      FiveByTwoT  0.04567
      KFoldT          0.5
    <BLANKLINE>
    None rejects.
    """

    heads: Sequence[str | TextAndHtml]  # none for lines that need no more than their first cell
    lines: Sequence[Sequence[Any]]
    title: str = ""  # above a table that stands alone
    caption: str = ""  # the same as a part of the HTML table
    notes: Sequence[str | TextAndHtml] = ()
    left: Collection[int] | None = None  # columns that stand to the left, if not those with words

    @property
    def _left(self) -> Collection[int]:
        if self.left is not None:
            return self.left
        return {k for k, column in enumerate(zip(*self.lines, strict=True)) if any(isinstance(cell, str) for cell in column)}

    def __repr__(self) -> str:
        cells = [[format_plain(cell) for cell in line] for line in ([self.heads] if self.heads else []) + [*self.lines]]
        width = terminal_width()
        notes = "\n".join(wrap_text(str(note), width) for note in self.notes)
        parts = [wrap_text(self.title, width), wrap_text(self.caption, width), align_columns(cells, self._left, width=width), notes]
        return "\n\n".join(filter(None, parts))

    def markdown(self) -> str:
        """The table as Markdown, with lines between its columns."""
        from .markdown_escape import escape_markdown

        def cell(one: Any) -> str:
            text = escape_markdown(format_plain(one) if not isinstance(one, TextAndHtml) else one.text.removesuffix("*"), at_start=False)
            return f"**{text}**" if isinstance(one, TextAndHtml) and one.html.startswith("<strong") else text

        columns = self._left
        rule = [":---" if k in columns else "---:" for k in range(len(self.heads))]
        rows = [map(cell, self.heads), rule, *(map(cell, line) for line in self.lines)]
        lines = "\n".join(f"| {' | '.join(row)} |" for row in rows)
        notes = [escape_markdown(note if isinstance(note, str) else note.html) for note in self.notes]
        return "\n\n".join(filter(None, [escape_markdown(self.title), lines, *notes]))

    def _repr_html_(self) -> str:
        columns = self._left
        left = [LEFT * (k in columns) for k in range(len(self.heads or self.lines[0]))]
        top = "".join(f'<th scope="col"{style}>{_cell_html(head)}</th>' if head else "<th></th>" for head, style in zip(self.heads, left))
        lines = []
        for first, *others in self.lines:
            cells = "".join(f"<td{style}>{_cell_html(cell)}</td>" for cell, style in zip(others, left[1:], strict=True))
            lines.append(f'<th scope="row"{left[0]}>{_cell_html(first)}</th>{cells}')
        table = html_table(top, lines, self.caption, DATA * bool(self.title))
        notes = "".join(f"<p>{_cell_html(note)}</p>" for note in self.notes)
        return f'<div class="fstats"><p>{escape(self.title)}</p>{table}{notes}</div>' if self.title else table + notes


class TableDisplay:
    """What shows itself as a table."""

    @property
    def _table(self) -> Table:
        raise TypeError(f"{type(self).__name__} must say which table it shows")

    def __repr__(self) -> str:
        return repr(self._table)

    def _repr_html_(self) -> str:
        return self._table._repr_html_()


def html_table(top: str, lines: Iterable[str], caption: str = "", attributes: str = "") -> str:
    """The frame around heads and lines whose cells are HTML already."""
    above = f"<caption>{escape(caption)}</caption>" * bool(caption) + f"<thead><tr>{top}</tr></thead>" * bool(top)
    return f"<table{attributes}>{above}<tbody>{''.join(f'<tr>{line}</tr>' for line in lines)}</tbody></table>"


def _cell_html(cell: Any) -> str:
    return cell.html if isinstance(cell, TextAndHtml) else escape(format_plain(cell))
