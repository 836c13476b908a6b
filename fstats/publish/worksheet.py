"""One page for the students of a lecture: question, bets and polls, the test's worked table and its picture, all to be filled in."""

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
NOTES = '<div class="fstats-notes">' + "<hr>" * 12 + "</div>"  # of a lesson that works no test out
MOST = 16  # lines of data that have room


def write_worksheet(path: Path, to: Path) -> list[Path]:
    """Write the sheet of a lesson and, where there is a Chromium, its PDF; returns the files."""
    return write_page_and_pdf(worksheet_page(path), to / f"{path.stem}_sheet.html")


def worksheet_page(path: Path) -> str:
    """The page."""
    import nbformat

    from .html_export import export_html

    notebook, lesson = read_notebook(path), Lesson.read(path)
    core = notebook.cells[: len(lesson.core)]
    test = first_test(core)
    words = [f"# {lesson.title}", f"**{lesson.question}**", *map(poll_text, find_polls(core))]
    words += (
        [f'<div class="fstats-beside">{data_table(test)}{empty_null_distribution(test)}</div>', steps_table(test)]
        if test is not None
        else [NOTES]
    )
    cells = [nbformat.v4.new_markdown_cell("\n\n".join(words))]
    return export_html(nbformat.v4.new_notebook(cells=cells), "paper", lesson.title, ["paper.css", "sheet.css"], "sheet.js")


def first_test(core: list[Any]) -> HypothesisTest | None:
    """The first test that the cells of a core make of one table of data; they are run until there is one."""
    space: dict[str, Any] = {"__name__": "__main__"}
    with warnings.catch_warnings(), redirect_stdout(StringIO()):
        warnings.simplefilter("ignore")
        for cell in core:
            if cell.cell_type == "code" and not LessonCell(cell).is_explorer:
                exec(compile(cell.source, "<notebook>", "exec"), space)
                made = (value for value in space.values() if isinstance(value, HypothesisTest))
                if (found := next((test for test in made if not any(row.is_batch for row in test.worked())), None)) is not None:
                    return found
    return None


def poll_text(poll: Poll) -> str:
    """A bet or a poll, with a place for the answer."""
    head = "The bet" if poll.is_bet else "The room is asked"
    choices = "".join(f"\n* ☐ {choice.words}" for choice in poll.choices)
    return f"**{head}.** {poll.question}" + (f"\n{choices}" if choices else f" My guess: {LINE}")


def data_table(test: HypothesisTest) -> str:
    """Its data, and beside them what each data set, fold or pair is to be given; nothing, where there are too many for a page."""
    rows = test.worked()
    data = [row for row in rows if row.kind == "given" and (row.is_column or row.is_table) and not row.is_names]
    beside = [row for row in rows if row.kind == "step" and row.is_column and data and row.over == data[0].over]
    columns = [_data_columns(row) for row in data] + [[(f"${row.symbol}$", [""] * len(row.value))] for row in beside]
    lines = [*zip(*(entries for row in columns for _, entries in row), strict=True)]
    heads = "".join(f"<th>{head}</th>" for row in columns for head, _ in row)
    body = "".join(f"<tr>{''.join(f'<td>{entry}</td>' for entry in line)}</tr>" for line in lines)
    return f"<table><tr>{heads}</tr>{body}</table>" if 0 < len(lines) <= MOST else ""


def steps_table(test: HypothesisTest) -> str:
    """Each of its steps with the formula; the values are the student's to find."""
    lines = "".join(_step_row(row) for row in test.worked() if row.kind == "step" and row.formula and not row.aside)
    return f'<table class="fstats-empty">{lines}</table>'


def _data_columns(row: Row) -> list[tuple[str, list[str]]]:
    """Its columns: what heads each, and the entries."""
    if row.is_column:
        return [(f"${row.symbol}$", [format_plain(value, row.digits) for value in row.value])]
    names = row.heads[1].entries if len(row.heads) > 1 and row.heads[1] else range(1, row.value.shape[1] + 1)
    return [(escape(str(name)), [format_plain(value, row.digits) for value in row.value[:, k]]) for k, name in enumerate(names)]


def _step_row(row: Row) -> str:
    return f"<tr><th>{escape(row.name)}</th><td>${row.symbol} {row.relation} {escape(row.formula)}$</td><td></td></tr>"


def empty_null_distribution(test: HypothesisTest) -> str:
    """Its null distribution without the statistic, the critical values and all numbers: they are drawn in by hand."""
    from ..plot.drawing.matplotlib_figure import encode_png, matplotlib_figure

    picture = test.plot()
    bare = [replace(mark, color=GREY, label="", hatched=False) if isinstance(mark, Bars) else mark for mark in picture.marks]
    kept = tuple(mark for mark in bare if isinstance(mark, Bars | Curve))
    empty: Picture = replace(picture, marks=kept, xticks=False, yticks=False, anew=None)
    return f'<img class="fstats-picture" alt="The null distribution, to be filled in" src="{data_url(encode_png(matplotlib_figure(empty), 160))}">'
