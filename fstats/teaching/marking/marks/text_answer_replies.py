"""Replies to answers in Markdown or raw cells, which Jupyter does not run."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from ..submissions.text_answers import find_text_answers
from .submission_mark import SubmissionMark

UNDEFINED = re.compile(r"NameError: name '(\w+)' is not defined")
REMEDY = "and only code cells are run: in Jupyter select the cell, choose Code as its type, run the cell, and hand the notebook in again"


def explain_text_answers(marked: SubmissionMark, reference: Mapping[str, Any], notebook: bytes) -> SubmissionMark:
    """Return the mark with the cause in the replies to questions whose answers are in Markdown or raw cells.

    A name that some cell assigns is not defined because this cell is no code cell, or failed without the names of such a cell.
    """
    unanswered = {mark.key for mark in marked.questions if mark.verdict == "unanswered"}
    types, names = find_text_answers(reference, notebook) if unanswered else ({}, frozenset[str]())
    types = {mark.key: types[mark.key] for mark in marked.questions if mark.key in unanswered and mark.key in types}
    if not types:
        return marked
    cause = _cause(types)
    questions = []
    for mark in marked.questions:
        lines = tuple(line for line in mark.lines if not _is_consequence(line, names))
        if mark.key in types:
            mark = replace(mark, lines=(f"{_cause({mark.key: types[mark.key]})}, {REMEDY}.",))
        elif mark.key in unanswered and lines != mark.lines:
            mark = replace(mark, lines=(*lines, f"{cause}, and this answer needs names that were not defined."))
        questions.append(mark)
    problems = (f"{cause}, {REMEDY}", *(text for text in marked.problems if not _is_consequence(text, names)))
    return replace(marked, questions=tuple(questions), flags=(*marked.flags, f"{cause}, and was not run."), problems=problems)


def _is_consequence(text: str, names: Collection[str]) -> bool:
    """Return whether a text says that one of these names is not defined."""
    match = UNDEFINED.search(text)
    return bool(match and match[1] in names)


def _cause(types: Mapping[str, str]) -> str:
    which = "The cell with the answer to" if len(types) == 1 else "Each cell with the answer to"
    return f"{which} {', '.join(types)} is a {' or '.join(dict.fromkeys(types.values()))} cell"
