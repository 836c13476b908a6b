"""Marks that a person sets: a form with each answer in own words beside its model answer, which keeps what was filled in."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from ...grading.exercise_notebook import REFLECTION
from ..submissions.notebook_format import NotANotebook
from ..submissions.submission_cells import TEXT, NotebookCell, read_notebook
from ..untrusted_text import csv_text, read_csv, unescape_formula

HEADS = ("exercise", "student", "name", "place", "of", "points", "comment", "answer", "model answer", "for")


@dataclass(frozen=True)
class FreeText:
    """An answer in a student's own words.

    Parameters
    ----------
    exercise, student, name : str
        Of what, whose.
    place : str
        The cell, by its `grade_id`.
    of : float
        The points that there are.
    answer, model : str
        What the student wrote, and what the solution says.
    points : float or None
        What a person gave; None where nobody has yet.  An empty answer has 0.
    comment : str
        What the student is told.
    """

    exercise: str
    student: str
    name: str
    place: str
    of: float
    answer: str
    model: str
    points: float | None = None
    comment: str = ""

    @property
    def filled_in(self) -> str:
        """The points as they stand in the form."""
        return "" if self.points is None else f"{self.points:g}"

    @property
    def mark_of(self) -> str:
        """What tells this answer from an earlier one: points belong to the words that were read."""
        return sha256(self.answer.encode("utf-8", "replace")).hexdigest()[:12]


Place = tuple[str, str, str, str]  # exercise, student, cell, and what tells the answer from others
FilledForm = Mapping[Place, tuple[float | None, str]]  # the points and the comment that a person has set there


def free_texts(
    reflections: Mapping[str, str], exercise: str, student: str, name: str, models: Mapping[str, tuple[float, str]], filled: FilledForm
) -> list[FreeText]:
    """The answers of a notebook, in the order of the solution's, with the points that were set for these very words."""
    found = []
    for place, (of, model) in models.items():
        answer = reflections.get(place, "").strip()
        answer = "" if answer == REFLECTION else answer
        text = FreeText(exercise, student, name, place, of, answer, model, None if answer else 0.0)
        points, comment = filled.get((exercise, student, place, text.mark_of), (text.points, text.comment))
        found.append(replace(text, points=points, comment=comment))
    return found


def unlisted_texts(notebook: bytes, found: Mapping[str, str], places: Collection[str], reference: Mapping[str, Any]) -> list[str]:
    """What of a student's words is not in the form, a sentence each: in other cells, or beyond what is kept of one.

    Parameters
    ----------
    notebook : bytes
        What was handed in.
    found : mapping
        The words that are in the form, by their place.
    places : collection of str
        Where words are asked for.
    reference : mapping
        The exercise as it was given out, as JSON values.
    """
    try:
        cells = read_notebook(notebook)
    except NotANotebook:
        return []
    ours = {cell.text for cell in [*read_notebook(json.dumps(reference).encode()), NotebookCell("markdown", REFLECTION)]} | {""}
    new = [(number, cell) for number, cell in enumerate(cells, 1) if cell.text not in ours]
    said = []
    for place in places:
        there = [cell for _, cell in new if cell.grade_id == place]
        if len({cell.source for cell in there}) > 1:
            said.append(f"There are several cells of {place}: one is in the form, read the others in the notebook.")
        if len(found.get(place, "")) >= TEXT:
            said.append(f"The words of {place} are longer than {TEXT} letters: read the rest in the notebook.")
    if len(found.keys() & places) < len(places):
        numbers = [number for number, cell in new if not cell.is_code and cell.grade_id not in places]
        if numbers:
            said.append(
                f"An answer in own words is empty, and there are words in cells that are new ({', '.join(map(str, numbers[:10]))})."
            )
    return said


def model_answers(solution: Mapping[str, Any]) -> dict[str, tuple[float, str]]:
    """The free texts of a solution notebook by their place: points, and the model answer."""
    return {
        about["grade_id"]: (float(about["points"]), "".join(cell["source"]))
        for cell in solution["cells"]
        if "reflection" in cell["metadata"].get("tags", []) and (about := cell["metadata"].get("nbgrader"))
    }


# -- the form ------------------------------------------------------------------------------------------------------------------
def read_form(form: Path) -> dict[Place, tuple[float | None, str]]:
    """What a person filled in: points (None where there are none yet) and comment of each answer in the form.

    Raises
    ------
    ValueError
        For a form without its columns, or points that are no number between 0 and what there is.
    """
    if not form.exists():
        return {}
    heads, lines = read_csv(form)
    if lost := [head for head in HEADS if head not in heads]:
        raise ValueError(f"{form}: the form must keep its columns {', '.join(HEADS)}; {', '.join(lost)} is missing")
    found: dict[Place, tuple[float | None, str]] = {}
    for number, line in lines:
        cell = {head: text.strip() for head, text in zip(heads, line, strict=True)}
        exercise, student, place, words, comment = (
            unescape_formula(cell[head]) for head in ("exercise", "student", "place", "for", "comment")
        )
        points = None
        if cell["points"]:
            try:
                points, of = (float(cell[head].replace(",", ".")) for head in ("points", "of"))
            except ValueError:
                raise ValueError(f"{form}, line {number}: points must be a number; got {cell['points']!r}") from None
            if not 0 <= points <= of:
                raise ValueError(f"{form}, line {number}: points must lie between 0 and {of:g}; got {cell['points']}")
        found[exercise, student, place, words] = points, comment
    return found


def form_csv(texts: Sequence[FreeText]) -> str:
    """The form as a CSV file; empty answers have their 0 points and are not in it."""
    lines = [
        [text.exercise, text.student, text.name, text.place, text.of, text.filled_in, text.comment, text.answer, text.model, text.mark_of]
        for text in texts
        if text.answer
    ]
    return csv_text(HEADS, lines)
