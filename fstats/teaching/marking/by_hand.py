"""Marks that a person sets: a form with each answer in own words beside its model answer, which keeps what was filled in."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any

from ..grading.notebook import REFLECTION
from .cells import TEXT, NotANotebook, read_notebook
from .page import page, plain_text
from .spreadsheet import as_csv, as_written, table

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
    def mark_of(self) -> str:
        """What tells this answer from an earlier one: points belong to the words that were read."""
        return sha256(self.answer.encode("utf-8", "replace")).hexdigest()[:12]


def free_texts(
    reflections: Mapping[str, str], exercise: str, student: str, name: str, models: Mapping[str, tuple[float, str]]
) -> list[FreeText]:
    """The answers of a notebook, in the order of the solution's; what was left empty has its 0 points."""
    found = []
    for place, (of, model) in models.items():
        answer = reflections.get(place, "").strip()
        empty = not answer or answer == REFLECTION
        found.append(FreeText(exercise, student, name, place, of, "" if empty else answer, model, 0.0 if empty else None))
    return found


def stray_words(notebook: bytes, found: Mapping[str, str], places: Collection[str], reference: Mapping[str, Any]) -> list[str]:
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
    ours = {"".join("".join(cell["source"]).split()) for cell in reference["cells"]} | {"", "".join(REFLECTION.split())}
    new = [(number, cell) for number, cell in enumerate(cells, 1) if cell.words not in ours]
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
Place = tuple[str, str, str, str]  # exercise, student, cell, and what tells the answer from others


def filled_in(form: Path) -> dict[Place, tuple[float | None, str]]:
    """What a person filled in: points (None where there are none yet) and comment of each answer in the form.

    Raises
    ------
    ValueError
        For a form without its columns, or points that are no number between 0 and what there is.
    """
    if not form.exists():
        return {}
    heads, lines = table(form)
    if lost := [head for head in HEADS if head not in heads]:
        raise ValueError(f"{form}: the form must keep its columns {', '.join(HEADS)}; {', '.join(lost)} is missing")
    found: dict[Place, tuple[float | None, str]] = {}
    for number, line in lines:
        cell = dict(zip(heads, line, strict=True))
        exercise, student, place, words = (as_written(cell[head].strip()) for head in ("exercise", "student", "place", "for"))
        comment = as_written(cell["comment"].strip())
        if not cell["points"].strip():
            found[exercise, student, place, words] = None, comment
            continue
        try:
            points, of = float(cell["points"].replace(",", ".")), float(cell["of"].replace(",", "."))
        except ValueError:
            raise ValueError(f"{form}, line {number}: points must be a number; got {cell['points']!r}") from None
        if not 0 <= points <= of:
            raise ValueError(f"{form}, line {number}: points must lie between 0 and {of:g}; got {cell['points']}")
        found[exercise, student, place, words] = points, comment
    return found


def with_marks(texts: Iterable[FreeText], filled: Mapping[Place, tuple[float | None, str]]) -> list[FreeText]:
    """The answers with the points that were set for these very words."""
    marked = []
    for text in texts:
        points, comment = filled.get((text.exercise, text.student, text.place, text.mark_of), (text.points, text.comment))
        marked.append(replace(text, points=points, comment=comment))
    return marked


def form(texts: Sequence[FreeText]) -> str:
    """The form as a CSV file; empty answers have their 0 points and are not in it."""
    lines = [
        [text.exercise, text.student, text.name, text.place, text.of, _points(text), text.comment, text.answer, text.model, text.mark_of]
        for text in texts
        if text.answer
    ]
    return as_csv(HEADS, lines)


def _points(text: FreeText) -> str:
    return "" if text.points is None else f"{text.points:g}"


def form_page(texts: Sequence[FreeText]) -> str:
    """The same as a page to fill in; its button saves the CSV file."""
    parts = [
        "<p>Give points, then save the form as <code>by_hand.csv</code> in this folder and grade again. "
        "Points stay with the words for which they were given, whatever is graded again.</p>"
    ]
    blocks: dict[tuple[str, str], list[FreeText]] = {}
    for text in texts:
        if text.answer:
            blocks.setdefault((text.exercise, text.place), []).append(text)
    number = 0
    for (exercise, place), answers in blocks.items():
        parts.append(f"<h2>{escape(exercise)}, {escape(place)}</h2><h3>Model answer</h3>{plain_text(answers[0].model)}")
        for text in answers:
            number += 1
            fields = dict(zip(HEADS, (text.exercise, text.student, text.name, text.place, f"{text.of:g}"), strict=False))
            data = "".join(f' data-{head}="{escape(value)}"' for head, value in fields.items())
            parts.append(
                f'<section class="answer"{data} '
                f'data-for="{text.mark_of}"><h3>{escape(f"{text.name} ({text.student})" if text.name else text.student)}</h3>'
                f"{plain_text(text.answer)}"
                f'<p><label for="p{number}">Points, of {text.of:g}</label> <input id="p{number}" name="points" '
                f'type="number" min="0" max="{text.of:g}" step="any" value="{_points(text)}">'
                f' <label for="c{number}">Comment</label> <input id="c{number}" name="comment" '
                f'size="60" value="{escape(text.comment)}"></p></section>'
            )
    if not blocks:
        parts.append("<p>There is no answer in own words.</p>")
    return page("Marks set by hand", "".join(parts) + '<p><button type="button" id="save">Save by_hand.csv</button></p>' + SAVE)


SAVE = """<script>
document.getElementById("save").addEventListener("click", () => {
  const cell = text => '"' + (/^[=+\\-@\\t\\r]/.test(text) && !/^-?[\\d.]+$/.test(text) ? "'" : "") + text.replace(/([;\\n][ "]*)([=+\\-@])/g, "$1'$2").replaceAll('"', '""') + '"';
  const heads = ["exercise", "student", "name", "place", "of", "points", "comment", "answer", "model answer", "for"];
  const lines = [...document.querySelectorAll(".answer")].map(one => {
    const field = name => one.querySelector(`[name=${name}]`).value;
    const data = one.dataset;
    return [data.exercise, data.student, data.name, data.place, data.of, field("points"), field("comment"), "", "", data.for];
  });
  const text = "\\ufeff" + [heads, ...lines].map(line => line.map(cell).join(",")).join("\\r\\n") + "\\r\\n";
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], {type: "text/csv"}));
  link.download = "by_hand.csv";
  link.click();
});
</script>"""
