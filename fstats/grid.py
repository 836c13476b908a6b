"""A small table for people: heads, lines of text and numbers, as text and as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from .number import plain

LEFT = ' style="text-align:left"'


def as_text(heads: Sequence[str], lines: Sequence[Sequence[Any]]) -> str:
    """Words to the left, numbers to the right.

    >>> print(as_text(["test", "p"], [["FiveByTwoT", 0.04567], ["KFoldT", 0.5]]))
      test              p
      FiveByTwoT  0.04567
      KFoldT          0.5
    """
    words = _words(lines)
    cells = [list(heads), *([plain(cell) for cell in line] for line in lines)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return "\n".join(
        ("  " + "  ".join(f"{text:{'<' if word else '>'}{width}}" for text, word, width in zip(line, words, widths, strict=True))).rstrip()
        for line in cells
    )


def as_html(heads: Sequence[str], lines: Sequence[Sequence[Any]]) -> str:
    """The same as a table; the first column heads its lines."""
    words = _words(lines)
    top = "".join(f'<th scope="col"{LEFT * word}>{escape(head)}</th>' for head, word in zip(heads, words, strict=True))
    body = []
    for line in lines:
        first, *others = [(escape(plain(cell)), LEFT * word) for cell, word in zip(line, words, strict=True)]
        cells = "".join(f"<td{style}>{text}</td>" for text, style in others)
        body.append(f'<tr><th scope="row"{first[1]}>{first[0]}</th>{cells}</tr>')
    return f'<table class="fstats-data"><thead><tr>{top}</tr></thead><tbody>{"".join(body)}</tbody></table>'


def _words(lines: Sequence[Sequence[Any]]) -> list[bool]:
    return [any(isinstance(cell, str) for cell in column) for column in zip(*lines, strict=True)]
