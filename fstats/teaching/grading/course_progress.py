"""Progress of a student in the course."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from ...core.validation.keyword_arguments import with_suggestions
from ...render.display_table import Table, TableDisplay, TextAndHtml, emphasize
from .exercise_notebook import checked_key
from .verdicts.feedback import Verdict, parse_reply


@dataclass(frozen=True)
class SavedPage:
    """A saved exercise page: its questions in order, each with the verdict of the saved reply."""

    path: Path
    title: str
    replies: tuple[tuple[str, Verdict], ...]
    """Pairs of question and verdict."""

    @property
    def right(self) -> int:
        """Number of right answers."""
        return sum(verdict == "right" for _, verdict in self.replies)

    @property
    def is_begun(self) -> bool:
        """Whether any question was answered."""
        return any(verdict != "unanswered" for _, verdict in self.replies)

    @property
    def symbols(self) -> str:
        """One symbol for each answer."""
        return "".join("■" if verdict == "right" else "·" if verdict == "unanswered" else "▪" for _, verdict in self.replies)

    @property
    def next_question(self) -> str:
        """Key of the first question that is not right yet."""
        return next((key for key, verdict in self.replies if verdict != "right"), "")


@dataclass(frozen=True, repr=False)
class CourseProgress(TableDisplay):
    """The exercise pages of a folder, with the number of right answers on each."""

    pages: Sequence[SavedPage]
    unread: Sequence[Path] = ()
    """Files of the folder that are no readable notebooks."""

    @property
    def begun(self) -> list[SavedPage]:
        """Pages on which at least one question was answered."""
        return [page for page in self.pages if page.is_begun]

    @property
    def sentence(self) -> str:
        """Progress in one sentence."""
        if not self.begun:
            return f"No question is answered yet on the {len(self.pages)} exercise pages. Save a page, so that its answers are counted."
        right, of = sum(page.right for page in self.pages), sum(len(page.replies) for page in self.pages)
        whole = sum(page.right == len(page.replies) for page in self.begun)
        return f"{right} of {of} answers are right; {whole} of {len(self.pages)} exercises are complete."

    @property
    def _notes(self) -> list[str | TextAndHtml]:
        return [emphasize(self.sentence), *(f"{path.name} is not a readable notebook and is skipped." for path in self.unread)]

    @property
    def _table(self) -> Table:
        lines = [[_link(page), page.symbols, f"{page.right} of {len(page.replies)}", page.next_question or "done"] for page in self.begun]
        return Table(["exercise", "answers", "right", "next question"], lines, notes=self._notes, left=(0, 1, 3))

    def __repr__(self) -> str:
        return super().__repr__() if self.begun else "\n".join(map(str, self._notes))

    def _repr_html_(self) -> str:
        notes = "".join(f"<p>{getattr(note, 'html', escape(str(note)))}</p>" for note in self._notes)
        return super()._repr_html_() if self.begun else notes


@with_suggestions
def progress(folder: str | os.PathLike[str] = "../exercises") -> CourseProgress:
    """Read your progress from the saved pages of a folder of exercises, which contain the replies to your answers.

    Nothing is stored outside the pages, and no answer is checked again: the saved reply below each check counts.

    Parameters
    ----------
    folder : path
        The folder of your exercise pages; by default the one next to the lessons.

    Returns
    -------
    CourseProgress
        A table of the pages with answers: a symbol for each answer (``■`` right, ``▪`` not yet, ``·`` not answered), and the next question.

    Raises
    ------
    FileNotFoundError
        If the folder does not exist or holds no exercise page.

    Examples
    --------
    The pages of the course without answers:

    >>> progress("exercises")
    No question is answered yet on the 21 exercise pages. Save a page, so that its answers are counted.
    """
    directory = Path(folder)
    pages, unread = [], []
    for path in sorted(directory.glob("*.ipynb")):
        try:
            cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
            replies = tuple(last_replies(cells))
            heads = (line.lstrip("# ") for cell in cells for line in _text(cell["source"]).splitlines() if line.startswith("# "))
            title = next(heads, path.stem)
        except (ValueError, LookupError, TypeError, AttributeError, OSError, RecursionError):
            unread.append(path)
            continue
        if replies:
            pages.append(SavedPage(path, title, replies))
    if not pages:
        raise FileNotFoundError(f"`folder` must hold exercise notebooks, saved after their checks were run; found none in {directory}")
    return CourseProgress(pages, unread)


def last_replies(cells: Sequence[Any]) -> list[tuple[str, Verdict]]:
    """Return the questions that a page checks, each with its last verdict."""
    verdicts: dict[str, Verdict] = {}
    for cell in cells:
        if cell["cell_type"] != "code" or not (key := checked_key(_text(cell["source"]))):
            continue
        verdicts.setdefault(key, "unanswered")
        for output in cell.get("outputs", []):
            reply = parse_reply(_text(output.get("data", {}).get("text/plain", "")))
            if reply is not None and reply[0] == key:
                verdicts[key] = reply[1]
    return list(verdicts.items())


def _text(source: str | Sequence[str]) -> str:
    """Return the text of a cell or an output; a file stores it as one string or as a list of lines."""
    return source if isinstance(source, str) else "".join(source)


def _link(page: SavedPage) -> TextAndHtml:
    return TextAndHtml(page.title, f'<a href="{escape(page.path.as_posix())}">{escape(page.title)}</a>')
