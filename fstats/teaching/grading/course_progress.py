"""Where one stands in the course: what the saved pages of the exercises say of the answers on them."""

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
    """A page of an exercise as it was saved: its questions in order, each with the reply that stood below its check."""

    path: Path
    title: str
    replies: tuple[tuple[str, Verdict], ...]
    """Question and verdict."""

    @property
    def right(self) -> int:
        """How many answers were right."""
        return sum(verdict == "right" for _, verdict in self.replies)

    @property
    def begun(self) -> bool:
        """Whether anything was answered."""
        return any(verdict != "unanswered" for _, verdict in self.replies)

    @property
    def marks(self) -> str:
        """A sign for each answer."""
        return "".join("■" if verdict == "right" else "·" if verdict == "unanswered" else "▪" for _, verdict in self.replies)

    @property
    def next(self) -> str:
        """What to turn to: the first question that is not right yet."""
        return next((key for key, verdict in self.replies if verdict != "right"), "")


@dataclass(frozen=True, repr=False)
class CourseProgress(TableDisplay):
    """The pages of a folder, with how many of their questions are right."""

    pages: Sequence[SavedPage]
    unread: Sequence[Path] = ()
    """Files that are no notebooks."""

    @property
    def begun(self) -> list[SavedPage]:
        """The pages on which something was answered."""
        return [page for page in self.pages if page.begun]

    @property
    def sentence(self) -> str:
        """The whole in words."""
        if not self.begun:
            return f"Nothing is answered yet on the {len(self.pages)} pages of exercises; an answer counts here when its page was saved."
        right, of = sum(page.right for page in self.pages), sum(len(page.replies) for page in self.pages)
        whole = sum(page.right == len(page.replies) for page in self.begun)
        return f"{right} of {of} answers are right; {whole} of {len(self.pages)} exercises are done."

    @property
    def _notes(self) -> list[str | TextAndHtml]:
        return [emphasize(self.sentence), *(f"{path.name} is no notebook that can be read, and is passed over." for path in self.unread)]

    @property
    def _table(self) -> Table:
        lines = [[_link(page), page.marks, f"{page.right} of {len(page.replies)}", page.next or "done"] for page in self.begun]
        return Table(["exercise", "answers", "right", "go on with"], lines, notes=self._notes, left=(0, 1, 3))

    def __repr__(self) -> str:
        return super().__repr__() if self.begun else "\n".join(map(str, self._notes))

    def _repr_html_(self) -> str:
        notes = "".join(f"<p>{getattr(note, 'html', escape(str(note)))}</p>" for note in self._notes)
        return super()._repr_html_() if self.begun else notes


@with_suggestions
def progress(folder: str | os.PathLike[str] = "../exercises") -> CourseProgress:
    """Where you stand: the replies to your answers on the saved pages of a folder of exercises.

    Nothing is stored beside the pages, and nothing is checked anew: what counts is the reply below each check when its page was saved.

    Parameters
    ----------
    folder : path
        The folder with your pages; by default the one beside the lessons.

    Returns
    -------
    CourseProgress
        A table of the pages that were begun: a sign for each answer (``■`` right, ``▪`` not yet, ``·`` not answered), and where to go on.

    Raises
    ------
    FileNotFoundError
        If there is no such folder, or no page of an exercise in it.

    Examples
    --------
    The pages of the course as they come:

    >>> progress("exercises")
    Nothing is answered yet on the 21 pages of exercises; an answer counts here when its page was saved.
    """
    place = Path(folder)
    pages, unread = [], []
    for path in sorted(place.glob("*.ipynb")):
        try:
            cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
            found = tuple(last_replies(cells))
            heads = (line.lstrip("# ") for cell in cells for line in _text(cell["source"]).splitlines() if line.startswith("# "))
            title = next(heads, path.stem)
        except (ValueError, LookupError, TypeError, AttributeError, OSError, RecursionError):
            unread.append(path)
            continue
        if found:
            pages.append(SavedPage(path, title, found))
    if not pages:
        raise FileNotFoundError(
            f"progress reads the pages of exercises in a folder, where checks have their replies; found none in {place}"
        )
    return CourseProgress(pages, unread)


def last_replies(cells: Sequence[Any]) -> list[tuple[str, Verdict]]:
    """The questions that a page checks, each with its last reply."""
    found: dict[str, Verdict] = {}
    for cell in cells:
        if cell["cell_type"] != "code" or not (key := checked_key(_text(cell["source"]))):
            continue
        found.setdefault(key, "unanswered")
        for output in cell.get("outputs", []):
            said = parse_reply(_text(output.get("data", {}).get("text/plain", "")))
            if said is not None and said[0] == key:
                found[key] = said[1]
    return list(found.items())


def _text(source: str | Sequence[str]) -> str:
    """The text of a cell or an output, which files hold whole or line by line."""
    return source if isinstance(source, str) else "".join(source)


def _link(page: SavedPage) -> TextAndHtml:
    return TextAndHtml(page.title, f'<a href="{escape(page.path.as_posix())}">{escape(page.title)}</a>')
