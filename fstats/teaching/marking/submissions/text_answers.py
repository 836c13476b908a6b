"""Find answers in Markdown or raw notebook cells.

Jupyter does not run such cells.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from .submission_cells import NotebookCell, answer_cells, normalise_source, read_notebook

ASSIGNED = re.compile(r"^[ \t]*(?:def[ \t]+(\w+)|(\w+)[ \t]*=(?!=))", re.MULTILINE)


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
