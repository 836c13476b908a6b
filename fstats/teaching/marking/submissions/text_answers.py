"""Find answers in Markdown or raw cells: Jupyter runs only code cells, so a student who changes the type of a cell loses the answer."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from .submission_cells import NotebookCell

ASSIGNED = re.compile(r"^[ \t]*(?:def[ \t]+(\w+)|(\w+)[ \t]*=(?!=))", re.MULTILINE)


class TextAnswer(NamedTuple):
    """A cell with the answer to a question that is no code cell: its type, and the names that its code would assign."""

    kind: str
    names: frozenset[str]


def find_text_answers(
    names: Mapping[str, str], answers: Mapping[str, str], cells: Sequence[NotebookCell], given_out: Collection[str]
) -> dict[str, TextAnswer]:
    """Return the answers in Markdown or raw cells, by question.

    A cell is recognised by its `grade_id`.  Without a `grade_id`, which some editors remove, a cell is recognised by the name that it
    assigns, unless a code cell assigns this name.

    Parameters
    ----------
    names : mapping
        The name that the check of each question reads.
    answers : mapping
        The question of each answer cell, by `grade_id`.
    cells : sequence of NotebookCell
        The cells of the submission.
    given_out : collection of str
        The normalised sources of the exercise.
    """
    run = frozenset[str]().union(*(assigned_names(cell.source) for cell in cells if cell.is_code))
    questions = {name: key for key, name in names.items() if name not in run}
    found: dict[str, TextAnswer] = {}
    for cell in cells:
        if cell.is_code or cell.normalised_code in given_out:
            continue
        assigned = assigned_names(cell.source)
        keys = [answers[cell.grade_id]] if cell.grade_id in answers else [questions[name] for name in assigned if name in questions]
        for key in keys if assigned else ():
            before = found[key].names if key in found else frozenset()
            found[key] = TextAnswer("raw" if cell.kind == "raw" else "Markdown", assigned | before)
    return found


def assigned_names(source: str) -> frozenset[str]:
    """Return the names of variables and functions that lines of a source define."""
    return frozenset(function or name for function, name in ASSIGNED.findall(source))
