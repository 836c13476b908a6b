"""Printable worksheets for students in a lecture.

A page has questions, polls, a table and a picture to fill in; the page after it has the steps to fill in.
"""

from __future__ import annotations

import warnings
from contextlib import redirect_stdout
from dataclasses import replace
from html import escape
from io import StringIO
from pathlib import Path
from typing import Any

from ..core.hypothesis import HypothesisTest
from ..core.number_format import format_plain
from ..core.worked_example_row import Row
from ..plot.drawing.picture import Picture
from ..plot.drawing.picture_marks import GREY, Bars, Curve
from ..teaching.lesson import Lesson, LessonCell
from ..teaching.polls import Poll, find_polls
from .notebook_content import data_url, read_notebook
from .printable_page import write_page_and_pdf

LINE = "_" * 30
NOTES = '<div class="fstats-notes">' + "<hr>" * 12 + "</div>"  # lines for notes, in a lesson whose code has no test
MOST = 16  # maximum number of data rows in the table of a worksheet


def write_worksheet(path: Path, to: Path) -> list[Path]:
    """Write the worksheet of a lesson and, if there is a Chromium browser, its PDF; return the files."""
    return write_page_and_pdf(worksheet_page(path), to / f"{path.stem}_sheet.html")


def worksheet_page(path: Path) -> str:
    """Return the HTML of the worksheet of a lesson; its second page is the walk of the first test, with blanks."""
    import nbformat

    from ..explore.walkthrough.walk_strip import walk_strip
    from .html_export import export_html

    notebook, lesson = read_notebook(path), Lesson.read(path)
    core = notebook.cells[: len(lesson.core)]
    test = first_test(core)
    blocks = [f"# {lesson.title}", f"**{lesson.question}**", *map(poll_text, find_polls(core))]
    blocks.append(NOTES if test is None else f'<div class="fstats-beside">{data_table(test)}{empty_null_distribution(test)}</div>')
    pages = ["\n\n".join(blocks), *([walk_strip(test.walk().content, blank=True)] if test is not None else [])]
    cells = list(map(nbformat.v4.new_markdown_cell, pages))
    return export_html(nbformat.v4.new_notebook(cells=cells), "paper", lesson.title, ["paper.css", "sheet.css"], "sheet.js")


def first_test(core: list[Any]) -> HypothesisTest | None:
    """Run the cells until a cell creates a test of a single table of data, and return this test; None if no cell creates such a test."""
    space: dict[str, Any] = {"__name__": "__main__"}
    with warnings.catch_warnings(action="ignore"), redirect_stdout(StringIO()):
        for cell in core:
            if cell.cell_type == "code" and not LessonCell(cell).is_explorer:
                exec(compile(cell.source, "<notebook>", "exec"), space)
                tests = (value for value in space.values() if isinstance(value, HypothesisTest))
                if (test := next((test for test in tests if not any(row.is_batch for row in test.worked())), None)) is not None:
                    return test
    return None


def poll_text(poll: Poll) -> str:
    """Return the text of a bet or a poll with space for the answer."""
    head = "The bet" if poll.is_bet else "A question to all"
    choices = "".join(f"\n* ☐ {choice.words}" for choice in poll.choices)
    return f"**{head}.** {poll.question}" + (f"\n{choices}" if choices else f" My guess: {LINE}")


def data_table(test: HypothesisTest) -> str:
    """Return a table of the data with empty columns for the steps with an entry for each row; "" if the data do not fit the page."""
    rows = test.worked()
    data = [row for row in rows if row.kind == "given" and (row.is_column or row.is_table) and not row.is_names]
    empty = [row for row in rows if row.kind == "step" and row.is_column and data and row.over == data[0].over]
    columns = [_data_columns(row) for row in data] + [[(f"${row.symbol}$", [""] * len(row.value))] for row in empty]
    lines = [*zip(*(entries for row in columns for _, entries in row), strict=True)]
    heads = "".join(f"<th>{head}</th>" for row in columns for head, _ in row)
    body = "".join(f"<tr>{''.join(f'<td>{entry}</td>' for entry in line)}</tr>" for line in lines)
    return f"<table><tr>{heads}</tr>{body}</table>" if 0 < len(lines) <= MOST else ""


def _data_columns(row: Row) -> list[tuple[str, list[str]]]:
    """Return the columns of a row of data, each as a heading and its entries."""
    if row.is_column:
        return [(f"${row.symbol}$", [format_plain(value, row.digits) for value in row.value])]
    names = row.heads[1].entries if len(row.heads) > 1 and row.heads[1] else range(1, row.value.shape[1] + 1)
    return [(escape(str(name)), [format_plain(value, row.digits) for value in row.value[:, k]]) for k, name in enumerate(names)]


def empty_null_distribution(test: HypothesisTest) -> str:
    """Return a picture of the null distribution without statistic, critical values and numbers, which students draw by hand."""
    from ..plot.drawing.matplotlib_figure import encode_png, matplotlib_figure

    picture = test.plot()
    marks = tuple(
        replace(mark, color=GREY, label="", hatched=False) if isinstance(mark, Bars) else mark
        for mark in picture.marks
        if isinstance(mark, Bars | Curve)
    )
    empty: Picture = replace(picture, marks=marks, xticks=False, yticks=False, redraw_for_width=None)
    source = data_url(encode_png(matplotlib_figure(empty), 160))
    return f'<img class="fstats-picture" alt="The null distribution, to be filled in" src="{source}">'
