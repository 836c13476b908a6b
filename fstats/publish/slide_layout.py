"""What stands on which slide: one thing each, under a heading, and what a cell shows behind a key of its own.

Which cells begin a slide is what the notebook says (``slide_type``); where it says nothing, headings begin slides, and so does what
would not fit on the slide before.  A cell of code is parted: its lines (one, where there are many), and each of its outputs.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from ..teaching.polls import FOLDED, POLL, Poll
from .notebook_content import PNG, Heading, explorer_name, headings, slide_type

SLIDE_CAPACITY = 1.0  # what a slide holds, in the units of `weight`
MAX_FRAGMENT_WORDS = 45  # words that stand below what was shown before, and do not begin a slide
MAX_CODE_LINES, MAX_CODE_WIDTH = 4, 66  # of code on a slide, in letters that are read from the back row
SLIDE_STARTS = ("slide", "subslide")
SUMMARY_HEADING = "In five sentences"
_WHOLE = re.compile(r"^\*([^*\n]+)\*(?=\n|$)")  # a question in italics, which a heading needs not
OWN_NUMBERS_HEADING = "Your own numbers"  # the section in which the room types: its code stands there whole
PAGE = re.compile(r"^\*How to use this page\.\*.*(?:\n.+)*", re.M)  # a deck is no page


class NoSlidesError(ValueError):
    """A notebook that says itself that none of its cells belongs on a slide."""


def notebook_to_slides(notebook: Any, name: str = "the notebook") -> Any:
    """The cells of the core, each with its place on a slide."""
    cells = [cell for cell in _cells_before_appendix(notebook.cells) if slide_type(cell) != "skip" or cell.cell_type == "code"]
    shown = [cell for cell in cells if slide_type(cell) != "skip"]
    if not any(slide_type(cell) in SLIDE_STARTS for cell in shown):
        _mark_slide_starts(shown)
    notebook.cells = list(_split_cells(cells))
    if not any(slide_type(cell) != "notes" for cell in notebook.cells):
        raise NoSlidesError(f"{name}: every cell is skipped or a note; mark one as a slide (in JupyterLab: property inspector, slide type)")
    return notebook


def _cells_before_appendix(cells: list[Any]) -> list[Any]:
    """The cells before the appendix."""
    for number, cell in enumerate(cells):
        if any(heading.level == 2 and heading.words.startswith("Appendix") for heading in headings(cell)):
            return cells[:number]
    return cells


def _is_import_cell(cell: Any) -> bool:
    """Whether a cell of code imports and shows nothing."""
    lines = [line for line in getattr(cell, "source", "").splitlines() if line and not line.startswith((" ", ")", "#"))]
    return cell.cell_type == "code" and not cell.outputs and all(line.startswith(("import ", "from ")) for line in lines)


def _mark_slide_starts(cells: list[Any]) -> None:
    """Mark where slides begin: at headings, and where a slide is full."""
    filled = 0.0
    for cell in cells:
        if slide_type(cell) in ("notes", "fragment") or _is_import_cell(cell):
            continue
        levels = [heading.level for heading in headings(cell)]
        begins = "subslide" if levels or filled + slide_share(cell) > SLIDE_CAPACITY else ""
        if min(levels, default=3) <= 2:
            begins = "slide"
        if begins:
            _set_slide_type(cell, begins)
            filled = 0.0
        filled += slide_share(cell)


def slide_share(cell: Any) -> float:
    """About which part of a slide a cell takes."""
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


# -- the parts of cells, in their order ------------------------------------------------------------------------------------------------
def _split_cells(cells: list[Any]) -> Iterator[Any]:
    """Each cell as what of it stands on slides; what is run before, and not shown, goes along with the next cell of code."""
    title = Heading(1, "")  # under which what follows stands
    filled, before, k = 0.0, "", 0
    bets: list[Any] = []  # that are answered at the end
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
                bets += [
                    _repeated_heading(Heading(2, "The bet, and who has won it"), "slide", bet=poll.id),
                    _repeated_question(poll),
                    answer,
                ]
            else:
                yield answer
            k, filled = k + 1, SLIDE_CAPACITY
            continue
        if any(heading.words.startswith(SUMMARY_HEADING) for heading in headings(cell)):  # until here a bet holds
            yield from bets
            bets = []
        if cell.cell_type == "code" and any(explorer_name(output) for output in cell.outputs):
            before += cell.source + "\n"  # the call says nothing that its explorer does not show
            parts = [_set_slide_type(_output_cell(cell, number, output), "subslide") for number, output in enumerate(cell.outputs)]
        elif cell.cell_type == "code":
            parts, before = [*_split_code_cell(cell, before, title.words == OWN_NUMBERS_HEADING)], ""
        else:
            parts = [*_split_text_cell(cell, title)]
        for part in parts:
            begins, here = slide_type(part) in SLIDE_STARTS, headings(part)
            if not begins and slide_type(part) != "fragment" and filled and filled + slide_share(part) > SLIDE_CAPACITY:
                begins = True
                _set_slide_type(part, "subslide")
            if part.metadata.get("shows") and not begins and filled + slide_share(part) > SLIDE_CAPACITY:
                begins = True
                _set_slide_type(part, "subslide")
            if begins and not here and title.words:
                yield _repeated_heading(title, slide_type(part))
                _set_slide_type(part, "-")
            title, filled = (here[-1] if here else title), (0.08 if begins else filled) + slide_share(part)
            yield part
    yield from bets


def _repeated_heading(title: Heading, place: str, **data: str) -> Any:
    """The heading under which a slide goes on."""
    import nbformat

    words = f'<div class="fstats-again">\n\n### {title.words}\n\n</div>'
    return _set_slide_type(nbformat.v4.new_markdown_cell(words), place, **data)


def _split_text_cell(cell: Any, title: Heading) -> Iterator[Any]:
    """Words, parted at their headings; a few words without one belong below what was shown before."""
    import nbformat

    parts = [part for part in re.split(r"(?m)^(?=#{1,3} )", PAGE.sub("", cell.source)) if part.strip()]
    for number, part in enumerate(parts):
        piece = nbformat.v4.new_markdown_cell(
            part.strip(), id=cell.id if number == 0 else f"{cell.id}-{number}", metadata={**cell.metadata}
        )
        levels = [heading.level for heading in headings(piece)]
        if levels:
            _set_slide_type(piece, "slide" if min(levels) <= 2 else "subslide")
        elif title.words and len(part.split()) <= MAX_FRAGMENT_WORDS:
            _set_slide_type(piece, "fragment")
        yield piece


def _split_code_cell(cell: Any, before: str, whole: bool) -> Iterator[Any]:
    """A cell of code: its lines, and what they show, one by one."""
    import nbformat

    line = "" if whole else key_line(cell.source)
    lines = nbformat.v4.new_code_cell(cell.source, id=cell.id, metadata={**cell.metadata, "before": before, "line": line})
    yield _set_slide_type(lines, "subslide" if slide_type(cell) in SLIDE_STARTS else "-")
    for number, output in enumerate(cell.outputs):
        yield _set_slide_type(_output_cell(cell, number, output), "fragment")


def _output_cell(cell: Any, number: int, output: Any) -> Any:
    import nbformat

    shown = nbformat.v4.new_code_cell("", id=f"{cell.id}-{number}", metadata={"shows": cell.id})
    shown.outputs = [output]  # itself: what is written into it later belongs to the notebook
    return shown


def key_line(source: str) -> str:
    r"""The line of a cell that says most, where it has more of them than are read from the back row; nothing where it has not.

    >>> key_line("a = [1, 2]\nprint(a)")
    ''
    >>> key_line('# the data\na = [1, 2]\nb = [\n    3,\n    4,\n]\ntest = PairedT(a, b)\nprint(test.mean)')
    'test = PairedT(a, b)'
    """
    lines = source.splitlines()
    if len(lines) <= MAX_CODE_LINES and all(len(line) <= MAX_CODE_WIDTH for line in lines):
        return ""
    body = ast.parse(source).body
    prints = [one for one in body if isinstance(one, ast.Expr) and ast.unparse(one).startswith("print(")]
    telling = [one for one in body if one not in prints and not isinstance(one, ast.Import | ast.ImportFrom)] or body
    calls = [one for one in telling if re.search(r"\b(?:[A-Z]\w*[a-z]\w*|plot|explore|fstats)\b", ast.unparse(one))]
    words = ast.unparse((calls or telling)[-1]).splitlines()[0]
    return words if len(words) <= MAX_CODE_WIDTH else words[: MAX_CODE_WIDTH - 2].rstrip() + " …"


def _unfold_note(cell: Any) -> Any:
    """A note as its speaker reads it: nothing is folded."""
    cell.source = re.sub(r"<details><summary>(.*?)</summary>", r"**\1**\n", cell.source).replace("</details>", "")
    return cell


def _poll_slides(asked: Any, answered: Any) -> tuple[Any, Any]:
    """A question on a slide of its own, with a place for the room's votes, and its answer."""
    import nbformat

    poll = Poll.read(asked, answered)
    head = "The bet" if poll.is_bet else "Ask the room"
    words = f'<div class="fstats-again">\n\n### {head}\n\n</div>\n\n{_question_text(poll)}\n\n<div class="fstats-votes"></div>'
    question = nbformat.v4.new_markdown_cell(words, id=asked.id, metadata={"tags": [POLL]})
    whys = "".join(f"1. {choice.why}\n" for choice in poll.choices) or poll.answer
    answer = nbformat.v4.new_markdown_cell(whys, id=answered.id, metadata={"tags": [FOLDED]})
    return _set_slide_type(question, "slide", poll=poll.id), _set_slide_type(answer, "fragment")


def _repeated_question(poll: Poll) -> Any:
    """A bet's question where it is answered, which takes no votes."""
    import nbformat

    return _set_slide_type(nbformat.v4.new_markdown_cell(_question_text(poll)), "-")


def _question_text(poll: Poll) -> str:
    return "## " + _WHOLE.sub(r"\1", poll.question) + "\n\n" + "".join(f"1. {choice.words}\n" for choice in poll.choices)
