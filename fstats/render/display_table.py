"""Tables with column heads and notes, displayed as text, HTML or Markdown."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ..core.mathematics_in_names import html_name
from ..core.number_format import format_plain
from .text_layout import align_columns, terminal_width, wrap_text

LEFT = ' style="text-align:left"'
DATA = ' class="fstats-data"'  # CSS class of tables that contain data
WARNING_STYLE = "color:#b04a00"  # a dark orange that is readable on white


@dataclass(frozen=True)
class TextAndHtml:
    """Head, cell or note whose HTML differs from its text; the HTML is inserted unchanged, all other text is escaped."""

    text: str
    html: str

    def __str__(self) -> str:
        return self.text


def emphasize(words: str, style: str = "") -> TextAndHtml:
    """Emphasize a text: bold in HTML, unchanged as plain text.  The words must be clear without the emphasis, too.

    >>> emphasize("2 → 0", WARNING_STYLE).html
    '<strong style="color:#b04a00">2 → 0</strong>'
    """
    attribute = f' style="{style}"' if style else ""
    return TextAndHtml(words, f"<strong{attribute}>{html_name(words)}</strong>")


@dataclass(frozen=True, repr=False)
class Table:
    """Table with column heads, rows of cells, a title or caption above and notes below.

    A cell is a number, a string or :class:`TextAndHtml`; the first cell of a row is the head of the row.  Columns with text are aligned
    left, columns with numbers right.

    >>> Table(["test", "p"], [["FiveByTwoT", 0.04567], ["KFoldT", 0.5]], notes=["None rejects."])
      test              p
      FiveByTwoT  0.04567
      KFoldT          0.5
    <BLANKLINE>
    None rejects.
    """

    heads: Sequence[str | TextAndHtml]  # column headings; empty for rows without headings
    lines: Sequence[Sequence[Any]]
    title: str = ""  # heading above a table that is shown alone
    caption: str = ""  # text in the element <caption> of the HTML table
    notes: Sequence[str | TextAndHtml] = ()
    left: Collection[int] | None = None  # indices of left-aligned columns; None aligns the columns of text to the left

    @property
    def _left_columns(self) -> Collection[int]:
        if self.left is not None:
            return self.left
        return {k for k, column in enumerate(zip(*self.lines, strict=True)) if any(isinstance(cell, str) for cell in column)}

    def __repr__(self) -> str:
        cells = [[format_plain(cell) for cell in line] for line in ([self.heads] if self.heads else []) + [*self.lines]]
        width = terminal_width()
        notes = "\n".join(wrap_text(str(note), width) for note in self.notes)
        parts = [wrap_text(self.title, width), wrap_text(self.caption, width), align_columns(cells, self._left_columns, width=width), notes]
        return "\n\n".join(filter(None, parts))

    def markdown(self) -> str:
        """Return the table as Markdown, with rules between the columns."""
        from .markdown_escape import escape_markdown

        def cell(value: Any) -> str:
            text = escape_markdown(value.text.removesuffix("*") if isinstance(value, TextAndHtml) else format_plain(value), at_start=False)
            return f"**{text}**" if isinstance(value, TextAndHtml) and value.html.startswith("<strong") else text

        columns = self._left_columns
        rule = [":---" if k in columns else "---:" for k in range(len(self.heads))]
        rows = [map(cell, self.heads), rule, *(map(cell, line) for line in self.lines)]
        lines = "\n".join(f"| {' | '.join(row)} |" for row in rows)
        notes = [escape_markdown(note if isinstance(note, str) else note.html) for note in self.notes]
        return "\n\n".join(filter(None, [escape_markdown(self.title), lines, *notes]))

    def _repr_html_(self) -> str:
        columns = self._left_columns
        left = [LEFT * (k in columns) for k in range(len(self.heads or self.lines[0]))]
        top = "".join(f'<th scope="col"{style}>{_cell_html(head)}</th>' if head else "<th></th>" for head, style in zip(self.heads, left))
        lines = []
        for first, *others in self.lines:
            cells = "".join(f"<td{style}>{_cell_html(cell)}</td>" for cell, style in zip(others, left[1:], strict=True))
            lines.append(f'<th scope="row"{left[0]}>{_cell_html(first)}</th>{cells}')
        table = html_table(top, lines, self.caption, DATA * bool(self.title))
        notes = "".join(f"<p>{_cell_html(note)}</p>" for note in self.notes)
        return f'<div class="fstats"><p>{html_name(self.title)}</p>{table}{notes}</div>' if self.title else table + notes


class TableDisplay:
    """Base class of objects that are displayed as a table."""

    @property
    def _table(self) -> Table:
        raise TypeError(f"the class {type(self).__name__} must define the property _table, the table to display")

    def __repr__(self) -> str:
        return repr(self._table)

    def _repr_html_(self) -> str:
        return self._table._repr_html_()


def html_table(top: str, lines: Iterable[str], caption: str = "", attributes: str = "") -> str:
    """Return an HTML table from column heads and rows whose cells are already HTML."""
    above = f"<caption>{html_name(caption)}</caption>" * bool(caption) + f"<thead><tr>{top}</tr></thead>" * bool(top)
    return f"<table{attributes}>{above}<tbody>{''.join(f'<tr>{line}</tr>' for line in lines)}</tbody></table>"


def _cell_html(cell: Any) -> str:
    return cell.html if isinstance(cell, TextAndHtml) else html_name(format_plain(cell))
