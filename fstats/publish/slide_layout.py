"""Distribute the cells of a notebook over slides.

Each slide has one heading and one idea.

The ``slide_type`` of a cell determines whether the cell begins a slide. In notebooks without slide types, a slide begins at each heading
and after each full slide. A code cell is split into its code (only one line if the code is long) and its single outputs.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ..teaching.polls import FOLDED, POLL, Poll
from .notebook_content import PNG, Heading, explorer_name, headings, slide_type

SLIDE_CAPACITY = 1.0  # maximum sum of `slide_share` over the cells of a slide
MAX_LINE_LETTERS = 95  # maximum number of letters of a text that fits in the one line below an explorer or a walk
MAX_FRAGMENT_WORDS = 45  # a text with at most this number of words stays on the slide of the previous text
# maximum number of lines of code, and of characters in a line, that an audience in the back row can read
MAX_CODE_LINES, MAX_CODE_WIDTH = 4, 66
SLIDE_STARTS = ("slide", "subslide")
SUMMARY_HEADING = "In five sentences"
_WHOLE = re.compile(r"^\*([^*\n]+)\*(?=\n|$)")  # matches a question in italics; a slide has the question as a heading without italics
# heading of the section for numbers from the audience; slides show the code of this section completely
OWN_NUMBERS_HEADING = "Your own numbers"
# matches instructions for readers of the page, because slides leave them out
PAGE = re.compile(r"^\*How to use this page\.\*.*(?:\n.+)*", re.M)


class NoSlidesError(ValueError):
    """Error for a notebook in which no cell belongs on slides."""


def notebook_to_slides(notebook: Any, name: str = "the notebook") -> Any:
    """Replace the cells of a notebook by the cells before its appendix, split for slides and each with a slide type."""
    cells = [cell for cell in _cells_before_appendix(notebook.cells) if slide_type(cell) != "skip" or cell.cell_type == "code"]
    shown = [cell for cell in cells if slide_type(cell) != "skip"]
    if not any(slide_type(cell) in SLIDE_STARTS for cell in shown):
        _mark_slide_starts(shown)
    notebook.cells = list(_split_cells(cells))
    if not any(slide_type(cell) != "notes" for cell in notebook.cells):
        remedy = "Mark a cell as a slide (in JupyterLab: property inspector, slide type)."
        raise NoSlidesError(f"{name} has no slides, because every cell is skipped or a note. {remedy}")
    return notebook


def insert_polls(cells: Iterable[Any], polls: Sequence[Any]) -> list[Any]:
    """Return the cells of a lesson with more polls before its summary."""
    listed = list(cells)
    ends = (SUMMARY_HEADING, "Appendix")
    end = next((k for k, cell in enumerate(listed) if any(one.text.startswith(ends) for one in headings(cell))), len(listed))
    return [*listed[:end], *polls, *listed[end:]]


def _cells_before_appendix(cells: list[Any]) -> list[Any]:
    """Return the cells before the appendix."""
    for number, cell in enumerate(cells):
        if any(heading.level == 2 and heading.text.startswith("Appendix") for heading in headings(cell)):
            return cells[:number]
    return cells


def _is_import_cell(cell: Any) -> bool:
    """Return whether a code cell only imports modules and has no output."""
    lines = [line for line in getattr(cell, "source", "").splitlines() if line and not line.startswith((" ", ")", "#"))]
    return cell.cell_type == "code" and not cell.outputs and all(line.startswith(("import ", "from ")) for line in lines)


def _mark_slide_starts(cells: list[Any]) -> None:
    """Mark the cells that begin a slide: cells with a heading, and cells after a full slide."""
    filled = 0.0
    for cell in cells:
        if slide_type(cell) in ("notes", "fragment") or _is_import_cell(cell):
            continue
        levels = [heading.level for heading in headings(cell)]
        start = "subslide" if levels or filled + slide_share(cell) > SLIDE_CAPACITY else ""
        if min(levels, default=3) <= 2:
            start = "slide"
        if start:
            _set_slide_type(cell, start)
            filled = 0.0
        filled += slide_share(cell)


def slide_share(cell: Any) -> float:
    """Return the approximate share of a slide that a cell fills."""
    if cell.cell_type == "markdown":
        return 0.08 * len(headings(cell)) + len(cell.source.split()) / 190 + 0.1 * cell.source.count("$$") / 2
    if any(explorer_name(output) for output in cell.outputs):
        return 0.85
    shown = [output.get("data", {}) for output in cell.outputs]
    printed = "".join(output.get("text", "") for output in cell.outputs).count("\n")
    rows = sum(len(re.findall("<tr", data.get("text/html", ""))) for data in shown)
    return (min(cell.source.count("\n"), MAX_CODE_LINES) + 1 + printed) / 20 + 0.62 * sum(PNG in data for data in shown) + rows / 18


def _set_slide_type(cell: Any, place: str, **data: str) -> Any:
    cell.metadata["slideshow"] = {"slide_type": place, **({"data": data} if data else {})}
    return cell


# -- splitting cells -------------------------------------------------------------------------------------------------------------------
def _split_cells(cells: list[Any]) -> Iterator[Any]:
    """Yield the parts of each cell that slides show; code that is not shown is added to the next code cell, which needs it."""
    title = Heading(1, "")  # last heading before the current cell
    filled, before, k, below_explorer = 0.0, "", 0, False
    bets: list[Any] = []  # slides with the answers of the bets; they follow before the summary, or at the end
    while k < len(cells):
        cell, place, k = cells[k], slide_type(cells[k]), k + 1
        if place == "skip" or _is_import_cell(cell):
            before += cell.source + "\n"
            continue
        if place == "notes":
            yield _unfold_note(cell)
            continue
        if POLL in cell.metadata.get("tags", ()) and k < len(cells):
            poll, (question, answer) = Poll.read(cell, cells[k]), _poll_slides(cell, cells[k])
            yield question
            if poll.is_bet:
                bets += [_repeated_heading(Heading(2, "The bet, and who won it"), "slide", bet=poll.id), _repeated_question(poll), answer]
            else:
                yield answer
            k, filled = k + 1, SLIDE_CAPACITY
            continue
        if any(heading.text.startswith(SUMMARY_HEADING) for heading in headings(cell)):
            yield from bets
            bets = []
        if cell.cell_type == "code" and any(explorer_name(output) for output in cell.outputs):
            before += cell.source + "\n"  # slides show an explorer without its code
            parts = [_set_slide_type(_output_cell(cell, number, output), "subslide") for number, output in enumerate(cell.outputs)]
        elif cell.cell_type == "code":
            parts, before = [*_split_code_cell(cell, before, title.text == OWN_NUMBERS_HEADING)], ""
        else:
            parts = [*_split_text_cell(cell, title)]
        for part in parts:
            begins, here = slide_type(part) in SLIDE_STARTS, headings(part)
            is_new = slide_type(part) != "fragment" and filled
            is_full = filled + slide_share(part) > SLIDE_CAPACITY and (is_new or part.metadata.get("shows"))
            if not begins and (is_full or (below_explorer and not _is_one_line(part))):
                begins = True
                _set_slide_type(part, "subslide")
            if begins and not here and title.text:
                yield _repeated_heading(title, slide_type(part))
                _set_slide_type(part, "-")
            title, filled = (here[-1] if here else title), (0.08 if begins else filled) + slide_share(part)
            below_explorer = any(explorer_name(output) for output in part.get("outputs", ()))
            yield part
    yield from bets


def _is_one_line(cell: Any) -> bool:
    """Return whether a cell is a text that fits into one line."""
    return cell.cell_type == "markdown" and len(re.sub(r"[*$`]|\]\(\S+\)", "", cell.source)) <= MAX_LINE_LETTERS


def _repeated_heading(title: Heading, place: str, **data: str) -> Any:
    """Return the heading of a section again, for a slide that continues the section."""
    import nbformat

    source = f'<div class="fstats-again">\n\n### {title.text}\n\n</div>'
    return _set_slide_type(nbformat.v4.new_markdown_cell(source), place, **data)


def _split_text_cell(cell: Any, title: Heading) -> Iterator[Any]:
    """Yield the parts of a text cell, split at its headings; a short text without a heading stays on the previous slide."""
    import nbformat

    parts = [part for part in re.split(r"(?m)^(?=#{1,3} )", PAGE.sub("", cell.source)) if part.strip()]
    for number, part in enumerate(parts):
        piece = nbformat.v4.new_markdown_cell(
            part.strip(), id=cell.id if number == 0 else f"{cell.id}-{number}", metadata={**cell.metadata}
        )
        levels = [heading.level for heading in headings(piece)]
        if levels:
            _set_slide_type(piece, "slide" if min(levels) <= 2 else "subslide")
        elif title.text and len(part.split()) <= MAX_FRAGMENT_WORDS:
            _set_slide_type(piece, "fragment")
        yield piece


def _split_code_cell(cell: Any, before: str, whole: bool) -> Iterator[Any]:
    """Yield the code of a cell, and then each output of the cell."""
    import nbformat

    line = "" if whole else key_line(cell.source)
    lines = nbformat.v4.new_code_cell(cell.source, id=cell.id, metadata={**cell.metadata, "before": before, "line": line})
    yield _set_slide_type(lines, "subslide" if slide_type(cell) in SLIDE_STARTS else "-")
    for number, output in enumerate(cell.outputs):
        yield _set_slide_type(_output_cell(cell, number, output), "fragment")


def _output_cell(cell: Any, number: int, output: Any) -> Any:
    import nbformat

    shown = nbformat.v4.new_code_cell("", id=f"{cell.id}-{number}", metadata={"shows": cell.id})
    shown.outputs = [output]  # all slides contain the same object, so that later changes of the output appear on them
    return shown


def key_line(source: str) -> str:
    r"""Return the most important line of long code; "" if the code is short enough to be shown completely.

    >>> key_line("a = [1, 2]\nprint(a)")
    ''
    >>> key_line('# the data\na = [1, 2]\nb = [\n    3,\n    4,\n]\ntest = PairedT(a, b)\nprint(test.mean)')
    'test = PairedT(a, b)'
    >>> key_line("import numpy as np\na = 1\nb = 2\nc = 3\nd = 4\ne = 5\nbest = PairedT(a, b)\nax.legend(frameon=False)")
    'best = PairedT(a, b)'
    """
    lines = source.splitlines()
    if len(lines) <= MAX_CODE_LINES and all(len(line) <= MAX_CODE_WIDTH for line in lines):
        return ""
    body = ast.parse(source).body
    prints = [line for line in body if isinstance(line, ast.Expr) and ast.unparse(line).startswith("print(")]
    candidates = [line for line in body if line not in prints and not isinstance(line, ast.Import | ast.ImportFrom)] or body
    called = re.compile(r"\b(?!True\b|False\b|None\b)(?:[A-Z]\w*[a-z]\w*|plot|explore|fstats)\b")
    calls = [line for line in candidates if called.search(ast.unparse(line))]
    code = ast.unparse((calls or candidates)[-1]).splitlines()[0]
    return code if len(code) <= MAX_CODE_WIDTH else code[: MAX_CODE_WIDTH - 2].rstrip() + " …"


def _unfold_note(cell: Any) -> Any:
    """Return a note for the speaker after its folded parts are unfolded."""
    cell.source = re.sub(r"<details><summary>(.*?)</summary>", r"**\1**\n", cell.source).replace("</details>", "")
    return cell


def _poll_slides(asked: Any, answered: Any) -> tuple[Any, Any]:
    """Return the two slides of a poll: the question, with a place for the votes, and the answer."""
    import nbformat

    poll = Poll.read(asked, answered)
    head = "The bet" if poll.is_bet else "Ask the audience"
    source = f'<div class="fstats-again">\n\n### {head}\n\n</div>\n\n{_question_text(poll)}\n\n<div class="fstats-votes"></div>'
    question = nbformat.v4.new_markdown_cell(source, id=asked.id, metadata={"tags": [POLL]})
    reasons = "".join(f"1. {choice.why}\n" for choice in poll.choices) or poll.answer
    answer = nbformat.v4.new_markdown_cell(reasons, id=answered.id, metadata={"tags": [FOLDED]})
    return _set_slide_type(question, "slide", poll=poll.id), _set_slide_type(answer, "fragment")


def _repeated_question(poll: Poll) -> Any:
    """Return the question of a bet without a place for votes; a slide shows it above the answer."""
    import nbformat

    return _set_slide_type(nbformat.v4.new_markdown_cell(_question_text(poll)), "-")


def _question_text(poll: Poll) -> str:
    return "## " + _WHOLE.sub(r"\1", poll.question) + "\n\n" + "".join(f"1. {choice.words}\n" for choice in poll.choices)
