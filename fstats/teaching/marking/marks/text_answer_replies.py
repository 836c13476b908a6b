"""Answers in Markdown or raw notebook cells, which Jupyter does not run, and the feedback on these answers."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from ..submissions.submission_cells import NotebookCell, answer_cells, normalise_source, read_notebook
from .submission_mark import SubmissionMark

ASSIGNED = re.compile(r"^[ \t]*(?:def[ \t]+(\w+)|(\w+)[ \t]*=(?!=))", re.MULTILINE)
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


def find_text_answers(reference: Mapping[str, Any], notebook: bytes) -> tuple[dict[str, str], frozenset[str]]:
    """Return the types of the cells with answers that are no code cells, by question, and all names that any cell assigns.

    A cell is recognised by its `grade_id`.  Without a `grade_id`, which some editors remove, a cell is recognised by the name that it
    assigns, unless a code cell assigns this name.

    Parameters
    ----------
    reference : mapping
        The original exercise notebook, as JSON values.
    notebook : bytes
        The submitted notebook.
    """
    ours, theirs = read_notebook(json.dumps(reference).encode()), read_notebook(notebook)
    answers, given_out = answer_cells(ours), {normalise_source(cell.source) for cell in ours}
    run = _assigned_names(*(cell for cell in theirs if cell.is_code))
    questions = {name: key for key, name in (cell.check for cell in ours if cell.check) if name not in run}
    types: dict[str, str] = {}
    for cell in theirs:
        names = _assigned_names(cell)
        if not cell.is_code and names and normalise_source(cell.source) not in given_out:
            known = [answers[cell.grade_id]] if cell.grade_id in answers else [questions[name] for name in names & questions.keys()]
            types |= dict.fromkeys(known, "raw" if cell.kind == "raw" else "Markdown")
    return types, _assigned_names(*theirs)


def _assigned_names(*cells: NotebookCell) -> frozenset[str]:
    """Return the names of variables and functions that lines of these cells define."""
    return frozenset(function or name for cell in cells for function, name in ASSIGNED.findall(cell.source))


def _is_consequence(text: str, names: Collection[str]) -> bool:
    """Return whether a text says that one of these names is not defined."""
    match = UNDEFINED.search(text)
    return bool(match and match[1] in names)


def _cause(types: Mapping[str, str]) -> str:
    which = "The cell with the answer to" if len(types) == 1 else "Each cell with the answer to"
    return f"{which} {', '.join(types)} is a {' or '.join(dict.fromkeys(types.values()))} cell"
