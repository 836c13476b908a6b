"""Strip of a walk for paper, with a panel for each key frame.

A panel has the formulas and the picture of its frame, with the values or with blanks in which students write.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from html import escape
from typing import Any

from ...core.worked_example_row import Row
from ...plot.drawing.picture import Picture
from ...plot.drawing.picture_marks import GREY, Cells, Curve, Line, Mark, PictureSize
from ...plot.walkthrough.step_picture import StepPicture
from ...render.formula_line_breaks import break_piece
from ...render.html import mathjax
from ...render.latex import equation_parts
from .walk_files import WalkContent
from .walk_lines import line_html

SIZE = PictureSize(209, 104, 9, 250)  # a third of the width of A4 between its margins; letters of 6.75 points
BLANK = "…"  # replaces each number in a blank picture
_NUMBER = re.compile(r"(?<![\w.])[-−]?\d+(?:[.,]\d+)*(?:×10[⁻⁰¹²³⁴-⁹]+)?(?!\w)")  # no digits in names such as C4.5


def walk_strip(walk: WalkContent, blank: bool = False) -> str:
    """Return the strip of a walk as HTML with formulas for MathJax.

    A frame shows the lowest picture that has changed; a frame without a new picture shares the panel of the frame before. A
    `blank` strip has the formulas, but neither values of the steps nor marks that tell them.
    """
    panels: list[tuple[list[str], list[str], list[str]]] = []  # names, lines and pictures of each panel
    parts = sorted(walk.pictures, key=lambda part: part.slot)
    before: list[str] = []
    for number, frame in enumerate(walk.frames):
        shown = [(part, picture) for part in parts if (picture := part.at_frame(number, walk.order)) and picture.marks]
        drawn = [(_blank_picture(part, walk.order) if blank else picture).svg(SIZE) for part, picture in shown]
        new = [picture for picture in drawn if picture not in before][-1:]
        if new or not panels:
            panels.append(([], [], new))
        before = drawn
        names, lines, _ = panels[-1]
        names.append(frame.name)
        lines += [_blank_line(row) if blank and row.kind == "step" else f"<p>{line_html(row, mathjax)}</p>" for row in frame.rows]
    body = "".join(f"<div><b>{escape(', '.join(names))}</b>{''.join(lines + drawn)}</div>" for names, lines, drawn in panels)
    return f'<div class="fstats-strip">{body}</div>'


def _blank_line(row: Row) -> str:
    """Return the formula of a step, and empty lines for the formula with numbers and for the value."""
    formula = "".join(f"<span>{mathjax(piece)}</span>" for part in equation_parts(row, with_value=False)[:1] for piece in break_piece(part))
    blanks = 1 if row.over or not row.formula or row.substituted == row.formula else 2
    return f'<p>{formula}</p><p class="fstats-blank">{f"{mathjax(row.relation)}<i></i>" * blanks}</p>'


def _blank_picture(part: StepPicture, order: Mapping[str, int]) -> Picture:
    """Return a picture without numbers and without the marks of steps, whose places would tell the values; empty cells remain."""
    picture = part.picture
    title, ylabel = (_NUMBER.sub(BLANK, text) for text in (picture.title, picture.ylabel))
    xlabel = "" if _NUMBER.search(picture.xlabel) else picture.xlabel
    is_later = order.get(part.since, 0) > 0
    given = [one.mark for one in part.parts if not order.get(one.since, 0) and (not is_later or _is_empty_form(one.mark))]
    marks = tuple(_blank_mark(mark, is_later) for mark in given)
    return replace(picture, title=title, xlabel=xlabel, ylabel=ylabel, marks=marks, text=title, xticks=False, yticks=False)


def _is_empty_form(mark: Mark) -> bool:
    """Whether a mark is a part of a table or an axis, into which students write or draw."""
    return isinstance(mark, Cells) or (isinstance(mark, Line | Curve) and mark.color == GREY)


def _blank_mark(mark: Mark, is_later: bool) -> Mark:
    if isinstance(mark, Cells):  # students write into the cells
        words = tuple("" if _NUMBER.search(words) else words for words in mark.words)
        return replace(mark, words=words, shade=0 * mark.shade if is_later else mark.shade)
    texts: dict[str, Any] = {name: _NUMBER.sub(BLANK, text) for name in ("label", "words") if (text := getattr(mark, name, ""))}
    return replace(mark, **texts)
