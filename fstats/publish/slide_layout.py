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
from .notebook_content import PNG, Heading, explorer, headings, kind

FULL = 1.0  # what a slide holds, in the units of `weight`
FEW = 45  # words that stand below what was shown before, and do not begin a slide
LINES, LONG = 4, 66  # of code on a slide, in letters that are read from the back row
BEGINS = ("slide", "subslide")
LAST = "In five sentences"
_WHOLE = re.compile(r"^\*([^*\n]+)\*(?=\n|$)")  # a question in italics, which a heading needs not
OWN = "Your own numbers"  # the section in which the room types: its code stands there whole
PAGE = re.compile(r"^\*How to use this page\.\*.*(?:\n.+)*", re.M)  # a deck is no page


class NoSlides(ValueError):
    """A notebook that says itself that none of its cells belongs on a slide."""


def as_slides(notebook: Any, name: str = "the notebook") -> Any:
    """The cells of the core, each with its place on a slide."""
    cells = [cell for cell in _core(notebook.cells) if kind(cell) != "skip" or cell.cell_type == "code"]
    shown = [cell for cell in cells if kind(cell) != "skip"]
    if not any(kind(cell) in BEGINS for cell in shown):
        _derive(shown)
    notebook.cells = list(_parted(cells))
    if not any(kind(cell) != "notes" for cell in notebook.cells):
        raise NoSlides(f"{name}: every cell is skipped or a note; mark one as a slide (in JupyterLab: property inspector, slide type)")
    return notebook


def _core(cells: list[Any]) -> list[Any]:
    """The cells before the appendix."""
    for number, cell in enumerate(cells):
        if any(heading.level == 2 and heading.words.startswith("Appendix") for heading in headings(cell)):
            return cells[:number]
    return cells


def _only_prepares(cell: Any) -> bool:
    """Whether a cell of code imports and shows nothing."""
    lines = [line for line in getattr(cell, "source", "").splitlines() if line and not line.startswith((" ", ")", "#"))]
    return cell.cell_type == "code" and not cell.outputs and all(line.startswith(("import ", "from ")) for line in lines)


def _derive(cells: list[Any]) -> None:
    """Mark where slides begin: at headings, and where a slide is full."""
    filled = 0.0
    for cell in cells:
        if kind(cell) in ("notes", "fragment") or _only_prepares(cell):
            continue
        levels = [heading.level for heading in headings(cell)]
        begins = "subslide" if levels or filled + weight(cell) > FULL else ""
        if min(levels, default=3) <= 2:
            begins = "slide"
        if begins:
            _mark(cell, begins)
            filled = 0.0
        filled += weight(cell)


def weight(cell: Any) -> float:
    """About which part of a slide a cell takes."""
    if cell.cell_type == "markdown":
        return 0.08 * len(headings(cell)) + len(cell.source.split()) / 190 + 0.1 * cell.source.count("$$") / 2
    if any(explorer(output) for output in cell.outputs):
        return 0.85
    shown = [output.get("data", {}) for output in cell.outputs]
    printed = "".join(output.get("text", "") for output in cell.outputs).count("\n")
    rows = sum(len(re.findall("<tr", data.get("text/html", ""))) for data in shown)
    return (min(cell.source.count("\n"), LINES) + 1 + printed) / 20 + 0.62 * sum(PNG in data for data in shown) + rows / 18


def _mark(cell: Any, place: str, **data: str) -> Any:
    cell.metadata["slideshow"] = {"slide_type": place, **({"data": data} if data else {})}
    return cell


# -- the parts of cells, in their order ------------------------------------------------------------------------------------------------
def _parted(cells: list[Any]) -> Iterator[Any]:
    """Each cell as what of it stands on slides; what is run before, and not shown, goes along with the next cell of code."""
    title = Heading(1, "")  # under which what follows stands
    filled, before, k = 0.0, "", 0
    bets: list[Any] = []  # that are answered at the end
    while k < len(cells):
        cell, place, k = cells[k], kind(cells[k]), k + 1
        if place == "skip" or _only_prepares(cell):
            before += cell.source + "\n"
            continue
        if place == "notes":
            yield _unfolded(cell)
            continue
        if POLL in cell.metadata.get("tags", ()) and k < len(cells):
            poll, (question, answer) = Poll.read(cell, cells[k]), _polled(cell, cells[k])
            yield question
            if poll.is_bet:
                bets += [_again(Heading(2, "The bet, and who has won it"), "slide", bet=poll.id), _asked_again(poll), answer]
            else:
                yield answer
            k, filled = k + 1, FULL
            continue
        if any(heading.words.startswith(LAST) for heading in headings(cell)):  # until here a bet holds
            yield from bets
            bets = []
        if cell.cell_type == "code" and any(explorer(output) for output in cell.outputs):
            before += cell.source + "\n"  # the call says nothing that its explorer does not show
            parts = [_mark(_shown(cell, number, output), "subslide") for number, output in enumerate(cell.outputs)]
        elif cell.cell_type == "code":
            parts, before = [*_run(cell, before, title.words == OWN)], ""
        else:
            parts = [*_pieces(cell, title)]
        for part in parts:
            begins, here = kind(part) in BEGINS, headings(part)
            if not begins and kind(part) != "fragment" and filled and filled + weight(part) > FULL:
                begins = True
                _mark(part, "subslide")
            if part.metadata.get("shows") and not begins and filled + weight(part) > FULL:
                begins = True
                _mark(part, "subslide")
            if begins and not here and title.words:
                yield _again(title, kind(part))
                _mark(part, "-")
            title, filled = (here[-1] if here else title), (0.08 if begins else filled) + weight(part)
            yield part
    yield from bets


def _again(title: Heading, place: str, **data: str) -> Any:
    """The heading under which a slide goes on."""
    import nbformat

    words = f'<div class="fstats-again">\n\n### {title.words}\n\n</div>'
    return _mark(nbformat.v4.new_markdown_cell(words), place, **data)


def _pieces(cell: Any, title: Heading) -> Iterator[Any]:
    """Words, parted at their headings; a few words without one belong below what was shown before."""
    import nbformat

    parts = [part for part in re.split(r"(?m)^(?=#{1,3} )", PAGE.sub("", cell.source)) if part.strip()]
    for number, part in enumerate(parts):
        piece = nbformat.v4.new_markdown_cell(
            part.strip(), id=cell.id if number == 0 else f"{cell.id}-{number}", metadata={**cell.metadata}
        )
        levels = [heading.level for heading in headings(piece)]
        if levels:
            _mark(piece, "slide" if min(levels) <= 2 else "subslide")
        elif title.words and len(part.split()) <= FEW:
            _mark(piece, "fragment")
        yield piece


def _run(cell: Any, before: str, whole: bool) -> Iterator[Any]:
    """A cell of code: its lines, and what they show, one by one."""
    import nbformat

    line = "" if whole else shortened(cell.source)
    lines = nbformat.v4.new_code_cell(cell.source, id=cell.id, metadata={**cell.metadata, "before": before, "line": line})
    yield _mark(lines, "subslide" if kind(cell) in BEGINS else "-")
    for number, output in enumerate(cell.outputs):
        yield _mark(_shown(cell, number, output), "fragment")


def _shown(cell: Any, number: int, output: Any) -> Any:
    import nbformat

    shown = nbformat.v4.new_code_cell("", id=f"{cell.id}-{number}", metadata={"shows": cell.id})
    shown.outputs = [output]  # itself: what is written into it later belongs to the notebook
    return shown


def shortened(source: str) -> str:
    r"""The line of a cell that says most, where it has more of them than are read from the back row; nothing where it has not.

    >>> shortened("a = [1, 2]\nprint(a)")
    ''
    >>> shortened('# the data\na = [1, 2]\nb = [\n    3,\n    4,\n]\ntest = PairedT(a, b)\nprint(test.mean)')
    'test = PairedT(a, b)'
    """
    lines = source.splitlines()
    if len(lines) <= LINES and all(len(line) <= LONG for line in lines):
        return ""
    body = ast.parse(source).body
    prints = [one for one in body if isinstance(one, ast.Expr) and ast.unparse(one).startswith("print(")]
    telling = [one for one in body if one not in prints and not isinstance(one, ast.Import | ast.ImportFrom)] or body
    calls = [one for one in telling if re.search(r"\b(?:[A-Z]\w*[a-z]\w*|plot|explore|fstats)\b", ast.unparse(one))]
    words = ast.unparse((calls or telling)[-1]).splitlines()[0]
    return words if len(words) <= LONG else words[: LONG - 2].rstrip() + " …"


def _unfolded(cell: Any) -> Any:
    """A note as its speaker reads it: nothing is folded."""
    cell.source = re.sub(r"<details><summary>(.*?)</summary>", r"**\1**\n", cell.source).replace("</details>", "")
    return cell


def _polled(asked: Any, answered: Any) -> tuple[Any, Any]:
    """A question on a slide of its own, with a place for the room's votes, and its answer."""
    import nbformat

    poll = Poll.read(asked, answered)
    head = "The bet" if poll.is_bet else "Ask the room"
    words = f'<div class="fstats-again">\n\n### {head}\n\n</div>\n\n{_question(poll)}\n\n<div class="fstats-votes"></div>'
    question = nbformat.v4.new_markdown_cell(words, id=asked.id, metadata={"tags": [POLL]})
    whys = "".join(f"1. {choice.why}\n" for choice in poll.choices) or poll.answer
    answer = nbformat.v4.new_markdown_cell(whys, id=answered.id, metadata={"tags": [FOLDED]})
    return _mark(question, "slide", poll=poll.id), _mark(answer, "fragment")


def _asked_again(poll: Poll) -> Any:
    """A bet's question where it is answered, which takes no votes."""
    import nbformat

    return _mark(nbformat.v4.new_markdown_cell(_question(poll)), "-")


def _question(poll: Poll) -> str:
    return "## " + _WHOLE.sub(r"\1", poll.question) + "\n\n" + "".join(f"1. {choice.words}\n" for choice in poll.choices)
