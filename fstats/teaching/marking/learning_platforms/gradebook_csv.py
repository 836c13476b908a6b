"""CSV gradebooks for Moodle and Canvas.

Sources: Moodle, mod/assign/feedback/offline/importgradeslib.php and mod/assign/gradingtable.php (grading worksheet);
Canvas, lib/gradebook_importer.rb (gradebook).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from html import escape
from itertools import chain
from pathlib import Path
from typing import Any

from ..marks.student_grade import StudentGrade
from ..reports.feedback_pages import feedback_text
from ..roster import Student, StudentIndex, find_column, normalise_cell
from ..submissions.submission_import import parse_time
from ..untrusted_text import csv_text, read_csv

WORKSHEET = ("Identifier", "Full name", "Email address", "Status", "Grade", "Maximum Grade")
WORKSHEET_ENDS = ("Last modified (submission)", "Last modified (grade)", "Feedback comments")
GRADEBOOK = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
# columns of grades.csv before the columns of the questions
GRADES = ["id", "name", "email", "section", "exercise", "status", "points", "of"]
GRADES += ["waiting for marks by hand", "handed in", "known by", "late", "percent off", "attempts", "isolation", "ended early", "typed in"]


def grades_csv(every: Sequence[StudentGrade]) -> str:
    """Return all grades: a line for each student and exercise, a column for each question."""
    keys = dict.fromkeys(key for one in every for key in one.questions)
    places = dict.fromkeys(text.place for one in every if one.counted for text in one.texts)
    heads = (*GRADES, *keys, *places, "flags", "problem")
    return csv_text(heads, [[cells.get(head, "") for head in heads] for cells in map(_cells, every)])


def _cells(one: StudentGrade) -> dict[str, object]:
    """Return the cells of a student's line in grades.csv, by column."""
    who = one.student
    cells: dict[str, object] = {"id": who.id, "name": who.name, "email": who.email, "section": who.section, "exercise": one.exercise}
    cells |= {"status": one.status, "of": one.of, "waiting for marks by hand": one.unmarked_texts, "percent off": one.late[0]}
    cells |= {"attempts": one.attempts, "typed in": one.typed_count, "late": one.late[1]}
    if one.attempt:
        handed_in, marked = one.attempt.submission, one.attempt.marked
        cells["handed in"] = handed_in.handed_in.isoformat(" ", "minutes") if handed_in.handed_in else ""
        cells["late"] = "; ".join(filter(None, [one.late[1], "late, says Canvas" if handed_in.late else ""]))
        cells |= {"points": one.points, "known by": handed_in.known_by, "isolation": marked.isolation, "ended early": marked.ended}
    texts = {text.place: text.points for text in one.texts if text.points is not None} if one.counted else {}
    return cells | one.questions | texts | {"flags": " ".join(one.flags), "problem": one.problem}


def _final_points(together: Sequence[StudentGrade]) -> float | str:
    """Return the total points of a student; empty if no exercise was marked, or if free texts have no points yet."""
    marked = [one for one in together if one.marked]
    return sum(one.points for one in marked) if marked and not any(one.unmarked_texts for one in marked) else ""


# -- Moodle --------------------------------------------------------------------------------------------------------------------
def moodle_csv(every: Sequence[StudentGrade]) -> str:
    """Return the file for Moodle's menu "Grades, Import, CSV file": ID number and email address, a grade and feedback for each exercise."""
    exercises = dict.fromkeys(one.exercise for one in every)
    heads = ["ID number", "Full name", "Email address", *(head for name in exercises for head in (name, f"{name} (feedback)"))]
    lines = []
    for who, by_exercise in _by_student(every):
        rows = [by_exercise[name] for name in exercises]
        cells = ((_final_points([one]), _joined_feedback([one])) for one in rows)
        lines.append([who.id, who.name, who.email, *chain.from_iterable(cells)])
    return csv_text(heads, lines)


def moodle_worksheet_csv(every: Sequence[StudentGrade], downloaded: Path | None = None) -> str:
    """Return the file for "Upload grading worksheet" of one assignment: Moodle's file with grades, or a file made from file names.

    Moodle identifies a student by "Participant" and a number, and needs the columns Identifier, Grade and Last modified (grade).
    A grade is the sum of the points of all exercises that were submitted to the assignment: the assignment's "Maximum grade" must be
    the sum of the points of these exercises.
    """
    by_number = _by_number(every)
    if downloaded is None:
        lines = []
        for number, together in by_number.items():
            who, of = together[0].student, sum(one.of for one in together)
            feedback = _joined_feedback(together)
            lines.append([f"Participant {number}", who.name, who.email, "", _final_points(together), of, "", "", feedback])
        return csv_text(WORKSHEET + WORKSHEET_ENDS, lines)
    heads, numbered = read_csv(downloaded)
    rows: list[list[Any]] = [row for _, row in numbered]
    if lost := [head for head in ("Identifier", "Grade") if head not in heads]:
        raise ValueError(
            f"the grading worksheet of Moodle {downloaded} must have the column {lost[0]!r}; got the columns {', '.join(heads)}"
        )
    for row in rows:
        together = by_number.get(row[heads.index("Identifier")].rpartition(" ")[2], [])
        if any(one.marked for one in together):
            row[heads.index("Grade")] = _final_points(together)
            if "Feedback comments" in heads:
                row[heads.index("Feedback comments")] = _joined_feedback(together)
    return csv_text(heads, rows)


def _by_number(every: Sequence[StudentGrade]) -> dict[str, list[StudentGrade]]:
    """Group grades by the participant number, which Moodle gives to a student in one assignment.

    A student with submissions in the assignment gets the grades of these submissions; a student whose number only the roster gives gets all
    grades.
    """
    groups: dict[str, list[StudentGrade]] = {}
    for one in every:
        if one.attempt and one.attempt.submission.layout == "moodle":
            groups.setdefault(one.attempt.submission.number, []).append(one)
    submitted = {one.student.id for together in groups.values() for one in together}
    for one in every:
        if one.student.moodle and one.student.id not in submitted:
            groups.setdefault(one.student.moodle.rpartition(" ")[2], []).append(one)
    return groups


def _joined_feedback(together: Sequence[StudentGrade]) -> str:
    """Return the feedback on each exercise, with the name of the exercise if there are several exercises.

    Moodle reads feedback as HTML, and feedback may quote a student, so the text is escaped.
    """
    names = [f"{one.exercise}: " * (len(together) > 1) for one in together]
    return escape("\n\n".join(name + feedback_text(one) for name, one in zip(names, together, strict=True)), quote=False)


def add_moodle_numbers(students: Sequence[Student], path: Path) -> tuple[list[Student], dict[str, datetime | None]]:
    """Add the numbers in Moodle's grading worksheet to the students; return the students, and the submission times in the worksheet."""
    heads, rows = read_csv(path)
    number, name, email, own = (find_column(heads, field) for field in ("moodle", "name", "email", "id"))
    if number is None:
        raise ValueError(f"the grading worksheet of Moodle {path} must have the column 'Identifier'; got the columns {', '.join(heads)}")
    register = StudentIndex(students)
    numbers: dict[str, str] = {}
    times: dict[str, datetime | None] = {}
    when = heads.index(WORKSHEET_ENDS[0]) if WORKSHEET_ENDS[0] in heads else None
    for _, row in rows:
        who = [student for k in (own, email) if k is not None for student in register.by_id(row[k])]
        who = who or (register.by_name(row[name]) if name is not None else [])
        if len(set(who)) == 1:
            numbers[who[0]] = row[number].rpartition(" ")[2]
            times[who[0]] = parse_moodle_time(row[when]) if when is not None else None
    return [replace(one, moodle=numbers.get(one.id, one.moodle)) for one in students], times


def parse_moodle_time(text: str) -> datetime | None:
    """Parse a time in Moodle's English format, "Tuesday, 24 November 2026, 10:15 AM", or in ISO 8601."""
    plain = re.sub(r"^[^\W\d]+, ", "", normalise_cell(text))
    for form in ("%d %B %Y, %I:%M %p", "%d %B %Y, %I:%M%p", "%d %B %Y, %H:%M"):
        with suppress(ValueError):
            return parse_time(datetime.strptime(plain, form).isoformat())
    return parse_time(text.strip())


def read_hand_in_times(path: Path) -> dict[str, datetime]:
    """Read submission times by student from a CSV file with the columns ``id`` and ``handed in`` (ISO 8601 or Moodle's format)."""
    heads, rows = read_csv(path)
    own = find_column(heads, "id")
    if own is None or "handed in" not in [head.casefold() for head in heads]:
        raise ValueError(f"the list of times {path} must have the columns 'id' and 'handed in'; got the columns {', '.join(heads)}")
    when = [head.casefold() for head in heads].index("handed in")
    times: dict[str, datetime] = {}
    for number, row in rows:
        if not row[when].strip():
            continue
        if (time := parse_moodle_time(row[when])) is None:
            raise ValueError(f"line {number} of {path} must have a time such as 2026-11-24T10:15; got {row[when]!r}")
        times[normalise_cell(row[own])] = time
    return times


# -- Canvas --------------------------------------------------------------------------------------------------------------------
def canvas_csv(every: Sequence[StudentGrade], downloaded: Path | None = None) -> str:
    """Return the file for Canvas's menu "Gradebook, Import": Canvas's columns for students, and a column for each exercise.

    With a gradebook that Canvas exported, students and assignments keep Canvas's numbers: the column with an exercise in its title is
    filled in.  Without an exported gradebook, Canvas offers to create a new assignment for each column.
    """
    exercises: dict[str, float] = {}
    for one in every:
        exercises[one.exercise] = max(one.of, exercises.get(one.exercise, 0.0))
    titles, known = _read_canvas_export(downloaded, exercises)
    heads = [*GRADEBOOK, *(titles[name] for name in exercises)]
    lines: list[list[object]] = [["    Points Possible", "", "", "", "", *exercises.values()]]
    for who, by_exercise in _by_student(every):
        handed_in = (one.attempt.submission for one in by_exercise.values() if one.attempt)
        number = next((one.number for one in handed_in if one.layout == "canvas"), who.canvas)
        person = known.get(number) or [who.name, number, who.id, who.login, who.section]
        lines.append([*person, *(_final_points([by_exercise[name]]) for name in exercises)])
    return csv_text(heads, lines)


def add_canvas_numbers(students: Sequence[Student], path: Path) -> list[Student]:
    """Add the user numbers in Canvas's exported gradebook to the students."""
    heads, rows = read_csv(path)
    if lost := [head for head in GRADEBOOK if head not in heads]:
        raise ValueError(f"the gradebook of Canvas {path} must have the columns {', '.join(GRADEBOOK)}; the column {lost[0]} is missing")
    name, number, own, login, _ = (heads.index(head) for head in GRADEBOOK)
    register = StudentIndex(students)
    numbers = {}
    for _, row in rows:
        who = register.by_id(row[own]) or register.by_id(row[login]) or register.by_name(row[name])
        if len(who) == 1 and row[number].strip():
            numbers[who[0]] = row[number].strip()
    return [replace(one, canvas=numbers.get(one.id, one.canvas)) for one in students]


def _read_canvas_export(path: Path | None, exercises: Mapping[str, float]) -> tuple[dict[str, str], dict[str, list[str]]]:
    """Return the titles of the exercises' columns, and five cells of each student by number, from Canvas's exported gradebook."""
    if path is None:
        return {name: name for name in exercises}, {}
    heads, rows = read_csv(path)
    titles = {}
    for name in exercises:
        fits = [head for head in heads if re.search(rf"(?<![a-z]){name}(?![a-z])", re.sub(r"\W+", "_", head.casefold()))]
        if len(fits) != 1:
            message = f"{path}: one assignment must have {name} (or {name.replace('_', ' ')}) in its title; {len(fits)} assignments have"
            raise ValueError(message)
        titles[name] = fits[0]
    places = [heads.index(head) for head in GRADEBOOK]
    return titles, {row[places[1]].strip(): [row[k] for k in places] for _, row in rows if row[places[1]].strip()}


def _by_student(every: Sequence[StudentGrade]) -> list[tuple[Student, dict[str, StudentGrade]]]:
    students: dict[str, dict[str, StudentGrade]] = {}
    for one in every:
        students.setdefault(one.student.id, {})[one.exercise] = one
    return [(next(iter(grades.values())).student, grades) for grades in students.values()]
