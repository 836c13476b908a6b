"""File names of notebooks, and the suffixes of copies ("x (2)", "Copy of x", "x - Kopie")."""

from __future__ import annotations

import re
from typing import NamedTuple

NOTEBOOK_ENDING = re.compile(r"\.ipynb(?:\.(?:txt|json))*\Z", re.IGNORECASE)
ENDING = re.compile(r"\.\w{1,12}\Z")
COPY = r"copy|kopie|copie|copia|kopia|cópia"  # the word "copy" in several languages
# text that browsers, platforms, Jupyter, Windows and macOS append to the name of a copy
COPY_SUFFIX = re.compile(
    rf"(?: ?\((?P<brackets>\d{{1,9}})\)|-(?P<dash>\d{{1,9}})"
    rf"|[ _-]{{1,3}}(?:{COPY})(?: \((?P<windows>\d{{1,9}})\)|[ _-]?(?P<other>\d{{0,9}})))\Z",
    re.IGNORECASE,
)
# text that Google Drive writes before the name of a copy
COPY_PREFIX = re.compile(rf"\A(?:{COPY}) (?:\((?P<number>\d{{1,9}})\) )?(?:of|von|de|di|van|av|af) ", re.IGNORECASE)


class NotebookName(NamedTuple):
    """The name of a notebook without its ending and without signs of a copy, and the numbers of the copies, from the left."""

    stem: str
    copies: tuple[int, ...]


def has_notebook_ending(name: str) -> bool:
    """Return whether a file is a notebook by its name."""
    return bool(NOTEBOOK_ENDING.search(name))


def notebook_name(name: str) -> NotebookName:
    """Split the name of a notebook; a copy without a number is the first copy.

    Examples
    --------
    >>> notebook_name("sign_test (2).ipynb.txt"), notebook_name("Copy of sign_test - Kopie.ipynb")
    (NotebookName(stem='sign_test', copies=(2,)), NotebookName(stem='sign_test', copies=(1, 1)))
    """
    stem = NOTEBOOK_ENDING.sub("", name) if has_notebook_ending(name) else ENDING.sub("", name)
    copies: list[int] = []
    while match := COPY_PREFIX.match(stem):
        copies.append(int(match["number"] or 1))
        stem = stem[match.end() :]
    suffixes: list[int] = []
    while (match := COPY_SUFFIX.search(stem)) and match.start():
        suffixes.insert(0, int(next(filter(None, match.groups()), 1)))
        stem = stem[: match.start()]
    return NotebookName(NOTEBOOK_ENDING.sub("", stem), (*copies, *suffixes))
