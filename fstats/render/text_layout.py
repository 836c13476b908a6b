"""Width and wrapping of text.

Text is as wide as the terminal, or as wide as a page in files, pipes and notebooks.

Mathematics in names is written as plain text (:mod:`fstats.core.mathematics_in_names`).
"""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Collection, Sequence
from shutil import get_terminal_size
from textwrap import wrap

from ..core.mathematics_in_names import plain_name

PAGE_WIDTH = 100  # number of letters in a line if the text is not written to a terminal
# minimum width of a sentence beside its value; with less width, or less than half of the line, the sentence is below the value
MIN_SENTENCE_WIDTH = 30
INDENT = 8  # number of blanks before text below a value


def terminal_width() -> int:
    """Return the number of columns of the terminal, or of a page if no terminal displays the text."""
    try:
        shown = sys.stdout.isatty()
    except (AttributeError, ValueError):  # standard output may be missing or closed
        return PAGE_WIDTH
    return max(40, get_terminal_size().columns) if shown else PAGE_WIDTH


def wrap_text(text: str, width: int, indent: str = "", first: str | None = None) -> str:
    """Wrap a text into lines of the given width; the first line may have another indentation.

    >>> print(wrap_text("alternative = two-sided; alpha = 0.05", 28, "  ", ""))
    alternative = two-sided;
      alpha = 0.05
    """
    return _wrap_plain(plain_name(text), width, indent, first)


def _wrap_plain(text: str, width: int, indent: str = "", first: str | None = None) -> str:
    start = indent if first is None else first
    if len(start) + len(text) <= width:
        return start + text
    return "\n".join(wrap(text, width, initial_indent=start, subsequent_indent=indent, break_on_hyphens=False))


def display_width(text: str) -> int:
    """Return the number of columns of a text in a terminal: two for an East Asian letter, none for a combining accent.

    >>> display_width("svm"), display_width("中文"), display_width("x\u0304")
    (3, 4, 1)
    """
    if text.isascii():
        return len(text)
    return sum(1 + (unicodedata.east_asian_width(sign) in "WF") for sign in text if unicodedata.category(sign) not in ("Mn", "Me", "Cf"))


def _pad(cell: str, wide: int, left: bool) -> str:
    """Add blanks to a cell up to the given width."""
    blanks = " " * (wide - display_width(cell))
    return cell + blanks if left else blanks + cell


def values_with_sentences(names: Sequence[str], sentences: Sequence[str], width: int) -> str:
    """Align values by name and write a sentence beside each value; the sentence of a long value is written below the value.

    >>> print(values_with_sentences(["  n = 5", "  null = Student's t"], ["Size.", "How it varies."], 45))
      n = 5  Size.
      null = Student's t
             How it varies.
    """
    names, most = [*map(plain_name, names)], width - max(MIN_SENTENCE_WIDTH, width // 2)
    start = max((len(name) + 2 for name in names if len(name) + 2 <= most), default=INDENT)
    lines = []
    for name, sentence in zip(names, sentences, strict=True):
        if len(name) + 2 <= start:
            lines.append(wrap_text(sentence, width, " " * start, f"{name:<{start}}"))
        else:
            stem = name[: len(name) - len(name.lstrip())]
            lines += [wrap_text(name.strip(), width, " " * INDENT, stem), wrap_text(sentence, width, " " * start)]
    return "\n".join(lines)


def align_columns(lines: Sequence[Sequence[str]], left: Collection[int] = (), *, width: int) -> str:
    """Align cells in columns: columns in `left` to the left, all other columns to the right; columns that do not fit are written below.

    Text in the last column is wrapped within the last column if the other columns leave enough room.

    >>> print(align_columns([["set", "A", "B"], ["iris", "0.9", "0.8"]], width=12))
      set   A
     iris 0.9
    <BLANKLINE>
      set   B
     iris 0.8
    >>> print(align_columns([["set", "note"], ["iris", "the oldest and the best known"]], (0, 1), width=40))
      set   note
      iris  the oldest and the best known
    """
    lines = [[*map(plain_name, line)] for line in lines]
    widths = [max(map(display_width, column)) for column in zip(*lines, strict=True)]
    lines = [[_pad(cell, widths[k], k in left) for k, cell in enumerate(line)] for line in lines]
    start = sum(2 + wide for wide in widths[:-1]) + 2
    if len(widths) - 1 in left and start + MIN_SENTENCE_WIDTH <= width:
        firsts = ["".join(f"  {cell}" for cell in line[:-1]) + "  " for line in lines]
        return "\n".join(_wrap_plain(line[-1].rstrip(), width, " " * start, first).rstrip() for first, line in zip(firsts, lines))
    blocks = []
    for block in _split_columns(widths, width):
        parts = [("  " + "  ".join(line[k] for k in block)).rstrip() for line in lines]
        blocks.append("\n".join(_wrap_plain(part.lstrip(), width, "      ", part[: len(part) - len(part.lstrip())]) for part in parts))
    return "\n\n".join(blocks)


def _split_columns(widths: Sequence[int], width: int) -> list[list[int]]:
    """Return the indices of the columns of each block; all blocks begin with the first column, which contains the row headings."""
    everything = [*range(len(widths))]
    if 2 * len(widths) + sum(widths) <= width:
        return [everything]
    blocks: list[list[int]] = [[0]]
    used = first = 2 + widths[0]
    for k in everything[1:]:
        if used + 2 + widths[k] > width and len(blocks[-1]) > 1:
            blocks.append([0])
            used = first
        blocks[-1].append(k)
        used += 2 + widths[k]
    return blocks
