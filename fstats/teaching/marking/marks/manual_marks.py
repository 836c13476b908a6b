"""Manual marks for free-text answers.

The lecturer enters the marks in a form beside the model answers.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from operator import attrgetter
from pathlib import Path
from typing import Any

from ...grading.exercise_notebook import REFLECTION
from ..submissions.submission_cells import TEXT, NotebookCell, read_notebook, readable_cells
from ..untrusted_text import csv_text, read_csv, unescape_formula

HEADS = ("exercise", "student", "name", "place", "of", "points", "comment", "answer", "model answer", "for")


@dataclass(frozen=True)
class FreeText:
    """A free-text answer of a student.

    Parameters
    ----------
    exercise, student, name : str
        The exercise, and the student's id and name.
    place : str
        The `grade_id` of the cell.
    of : float
        The maximal points.
    answer, model : str
        The student's text, and the text of the solution.
    points : float or None
        The points that a person gave; None if no points were given yet.  An empty answer has 0 points.
    comment : str
        A comment for the student.
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
        """Points as the text that is shown in the form."""
        return "" if self.points is None else f"{self.points:g}"

    @property
    def answer_digest(self) -> str:
        """Digest of the answer, which distinguishes the answer from earlier answers: points belong to the text that a person has read."""
        return sha256(self.answer.encode("utf-8", "replace")).hexdigest()[:12]


Place = tuple[str, str, str, str]  # (exercise, student, cell, digest of the answer)
FilledForm = Mapping[Place, tuple[float | None, str]]  # (points, comment) that a person has entered for each place


def free_texts(
    reflections: Mapping[str, str], exercise: str, student: str, name: str, models: Mapping[str, tuple[float, str]], filled: FilledForm
) -> list[FreeText]:
    """Return the free texts of a notebook, in the order of the solution; points that were set for exactly the same text are included."""
    texts = []
    for place, (of, model) in models.items():
        answer = reflections.get(place, "").strip()
        answer = "" if answer == REFLECTION else answer
        text = FreeText(exercise, student, name, place, of, answer, model, None if answer else 0.0)
        points, comment = filled.get((exercise, student, place, text.answer_digest), (text.points, text.comment))
        texts.append(replace(text, points=points, comment=comment))
    return texts


def unlisted_texts(notebook: bytes, listed: Mapping[str, str], places: Collection[str], reference: Mapping[str, Any]) -> list[str]:
    """Describe each text of a student that the form does not show, in one sentence: text in other cells, or beyond the maximal length.

    Parameters
    ----------
    notebook : bytes
        The submitted notebook.
    listed : mapping
        The texts in the form, by cell.
    places : collection of str
        The cells in which texts are expected.
    reference : mapping
        The original exercise, as JSON values.
    """
    ours = {cell.text for cell in [*read_notebook(json.dumps(reference).encode()), NotebookCell("markdown", REFLECTION)]} | {""}
    new = [(number, cell) for number, cell in enumerate(readable_cells(notebook), 1) if cell.text not in ours]
    flags = []
    for place in places:
        cells_of_place = {cell.source for _, cell in new if cell.grade_id == place}
        if len(cells_of_place) > 1:
            flags.append(f"There are several cells of {place}: one text is in the form, read the other texts in the notebook.")
        if len(listed.get(place, "")) >= TEXT:
            flags.append(f"The text of {place} is longer than {TEXT} letters: read the rest of the text in the notebook.")
    if len(listed.keys() & places) < len(places):
        numbers = [
            number for number, cell in new if not cell.is_code and cell.grade_id not in places and not cell.grade_id.startswith("answer_")
        ]
        if numbers:
            flags.append(f"A free-text answer is empty, and there is text in new cells ({', '.join(map(str, numbers[:10]))}).")
    return flags


def model_answers(solution: Mapping[str, Any]) -> dict[str, tuple[float, str]]:
    """Return points and model answer of each free text in a solution notebook, by cell."""
    return {
        about["grade_id"]: (float(about["points"]), "".join(cell["source"]))
        for cell in solution["cells"]
        if "reflection" in cell["metadata"].get("tags", []) and (about := cell["metadata"].get("nbgrader"))
    }


# -- the form ------------------------------------------------------------------------------------------------------------------
def read_form(form: Path) -> dict[Place, tuple[float | None, str]]:
    """Read the points (None if no points were given yet) and comments that a person entered in the form.

    Raises
    ------
    ValueError
        If the form lacks a column, or an entry of points is not a number between 0 and the maximum.
    """
    if not form.exists():
        return {}
    heads, lines = read_csv(form)
    if missing := [head for head in HEADS if head not in heads]:
        raise ValueError(f"the form {form} must have the columns {', '.join(HEADS)}; the columns {', '.join(missing)} are missing")
    entries: dict[Place, tuple[float | None, str]] = {}
    for number, line in lines:
        cell = {head: text.strip() for head, text in zip(heads, line, strict=True)}
        exercise, student, place, digest, comment = (
            unescape_formula(cell[head]) for head in ("exercise", "student", "place", "for", "comment")
        )
        points = None
        if cell["points"]:
            try:
                points, of = (float(cell[head].replace(",", ".")) for head in ("points", "of"))
            except ValueError:
                raise ValueError(f"points in line {number} of {form} must be a number; got {cell['points']!r}") from None
            if not 0 <= points <= of:
                raise ValueError(f"points in line {number} of {form} must be between 0 and {of:g}; got {cell['points']}")
        entries[exercise, student, place, digest] = points, comment
    return entries


def form_csv(texts: Sequence[FreeText]) -> str:
    """Return the form as CSV text, without empty answers, which have 0 points."""
    attributes = attrgetter("exercise", "student", "name", "place", "of", "filled_in", "comment", "answer", "model", "answer_digest")
    lines = [attributes(text) for text in texts if text.answer]
    return csv_text(HEADS, lines)
