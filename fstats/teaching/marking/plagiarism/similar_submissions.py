"""Submissions that are alike: numbers that belong to somebody else's data, code, words; each with how many such pairs chance makes.

Nothing here is a verdict.  The chance follows from a model that the page states, and is an upper bound in that model.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from ...course.catalogue import load_exercise_definition
from ...grading.answers.answer_value import has_full_precision
from ...grading.exercise import Exercise
from ...grading.mistakes.mistake import Mistake
from ...grading.question import Question
from ..marks.student_grade import StudentGrade
from ..marks.submission_mark import SubmissionMark
from ..reports.feedback_pages import html_page, plain_text
from ..submissions.submission_cells import NotebookCell, read_notebook
from ..untrusted_text import csv_text
from .plagiarism_flags import readable_cells
from .shared_passages import Texts
from .wrong_answer_matches import (
    RANDOM_DATA_SETS,
    coincidence_probability,
    exercise_task,
    expected_value,
    rounded_key,
    unexplained_answers,
    wrong_values,
)

MAX_PAIRS = 60  # pairs on the page
# what sets up the workplace: Colab's pages and lecturers' mails tell all to write it
SETTING_UP = re.compile(r"^[ \t]*(?:[%!].*|(?:from|import)\b.*|(?:drive|files)\.\w+\(.*\))$", re.MULTILINE)
MAX_EXPECTED_PAIRS = 0.5  # pairs that chance makes: what it makes more of is not shown
METHOD_TEXT = (
    "Whoever copies has the same mistakes; whoever sits together, reads the same page or asks the same program writes alike, too: this "
    "list says where to look and whom to ask, and nothing else.",
    "By chance says how many pairs at least so alike are to be expected in this class if all work alone (at most). Numbers: each student "
    f"has data of his own; the values that a line can have are those of {RANDOM_DATA_SETS} data sets that nobody has, smoothed, and a number is as "
    "likely as its digits are among them; lines that follow from each other count once. Code and words: each ten words of a passage are as "
    "likely as they are found among all others, and this once more, at any place; what was given out or stands in the solution counts "
    "nothing, nor imports and magics, nor what more than four students and 5 % of the class have.",
)


@dataclass(frozen=True)
class SimilarPair:
    """Two students, what both have, side by side, and how many such pairs chance makes in the class."""

    exercise: str
    kind: str  # "numbers", "code", "words"
    student: str
    other: str
    passages: tuple[tuple[str, str], ...]
    by_chance: float


def find_similar_pairs(
    rows: Sequence[StudentGrade], tokens: Mapping[str, str], reference: Mapping[str, Any], solution: Path
) -> list[SimilarPair]:
    """The pairs of one exercise, the least likely first.

    Parameters
    ----------
    rows : sequence of Graded
        Those that are marked.
    tokens : mapping
        Everybody's token of the exercise, by student.
    reference : mapping
        The exercise as it was given out, as JSON values.
    solution : Path
        The notebook with the model answers.
    """
    if not rows:
        return []
    exercise = rows[0].exercise
    found = [*_RightValues(load_exercise_definition(exercise), tokens).pairs(rows)]
    ours = read_notebook(json.dumps(reference).encode())
    given = ours + readable_cells(solution.read_bytes())
    for kind, is_code in (("code", True), ("words", False)):
        written = {one.student.id: _own_code(one, ours) if is_code else [*one.marked.reflections.values()] for one in rows if one.marked}
        texts = Texts(written, (cell.source for cell in given if cell.is_code is is_code))
        found += [SimilarPair(exercise, kind, *pair) for pair in texts.pairs()]
    return sorted((one for one in found if one.by_chance <= MAX_EXPECTED_PAIRS), key=lambda one: one.by_chance)


def _own_code(one: StudentGrade, ours: Sequence[NotebookCell]) -> list[str]:
    """The code of a student, cell by cell: neither what was given out, nor checks, nor the opening, nor what sets up the workplace."""
    there = {cell.normalised_source for cell in ours}
    cells = readable_cells(one.attempt.submission.content) if one.attempt else []
    return [
        SETTING_UP.sub("", cell.source)
        for cell in cells
        if cell.is_code and not (cell.opened or cell.check or cell.normalised_source in there)
    ]


# -- numbers -------------------------------------------------------------------------------------------------------------------------
MatchedLine = tuple[str, Mistake | None]  # a question, and with which mistake


class _RightValues:
    """The right values of everybody in one exercise, and what each mistake that has a name makes of his data."""

    def __init__(self, exercise: Exercise, tokens: Mapping[str, str]) -> None:
        self.exercise = exercise
        self.tasks = {student: exercise_task(exercise.name, token) for student, token in tokens.items()}
        self.asked = {one.key: one for one in exercise.questions if isinstance(one, Question)}
        self.lines: list[MatchedLine] = [(key, slip) for key, one in self.asked.items() for slip in (None, *exercise.mistakes_at(one))]

    def pairs(self, rows: Sequence[StudentGrade]) -> Iterator[SimilarPair]:
        """Who has wrong numbers that are right for another, or another's by a mistake that has a name."""
        wrong = {one.student.id: values for one in rows if one.marked and (values := _unexplained(one.marked))}
        if not wrong:
            return
        holders: dict[tuple[str, str], list[tuple[str, MatchedLine]]] = {}
        for student, task in self.tasks.items():
            for line in self.lines:
                if there := rounded_key(expected_value(task, *line)):
                    holders.setdefault((line[0], there), []).append((student, line))
        for student, values in wrong.items():
            hits: dict[str, dict[str, MatchedLine]] = {}
            for key, value in values.items():
                for other, line in holders.get((key, rounded_key(value)), ()):
                    if other != student and (not has_full_precision(np.asarray(value)) or self._is_exact(value, other, line)):
                        hits.setdefault(other, {}).setdefault(key, line)
            for other, lines in hits.items():
                if any(lines.keys() < more.keys() for more in hits.values()):
                    continue  # somebody else explains these lines and others besides
                yield self._pair(student, other, values, lines, wrong)

    def _is_exact(self, value: Any, other: str, line: MatchedLine) -> bool:
        return bool(np.allclose(value, expected_value(self.tasks[other], *line), rtol=1e-5, atol=0))

    def _pair(
        self, student: str, other: str, values: Mapping[str, Any], lines: Mapping[str, MatchedLine], wrong: Mapping[str, Any]
    ) -> SimilarPair:
        """Two students; of the lines that follow from each other only the first have a chance of their own."""
        chance, first = coincidence_probability(
            {key: slip for key, (_, slip) in lines.items()}, values, self.tasks[student], self.tasks[other]
        )
        chance *= sum(len(one) >= len(first) for one in wrong.values()) * (len(self.tasks) - 1)  # who has as many that could agree
        for key in first:  # so many values could have been hit: half of what may be by chance is for right ones
            chance *= 2 * (len(self.exercise.mistakes_at(self.asked[key])) if lines[key][1] else 1)
        shown = tuple((f"{key} = {_short(values[key])}, wrong here", self._said(other, line)) for key, line in lines.items())
        return SimilarPair(self.exercise.name, "numbers", student, other, shown, chance)

    def _said(self, other: str, line: MatchedLine) -> str:
        return f"right for the data of {other}: {line[0]}" + (f", with the mistake {line[1].name!r}" if line[1] else "")


def _unexplained(marked: SubmissionMark) -> dict[str, Any]:
    keys = {mark.key for mark in unexplained_answers(marked.questions) if mark.verdict != "mistake"}
    return {key: value for key, value in wrong_values(marked) if key in keys}


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 80 else text[:77] + "..."


# -- for people ----------------------------------------------------------------------------------------------------------------------
def similarity_csv(found: Sequence[SimilarPair]) -> str:
    """A line for each pair."""
    heads = ("exercise", "kind", "student", "other", "pairs by chance", "what the one has", "what the other has")
    lines = [
        [
            one.exercise,
            one.kind,
            one.student,
            one.other,
            f"{one.by_chance:.2g}",
            *("\n".join(side) for side in zip(*one.passages, strict=True)),
        ]
        for one in found
    ]
    return csv_text(heads, lines)


def similarity_page(found: Sequence[SimilarPair]) -> str:
    """Both passages of each pair beside each other."""
    parts = [f"<p>{escape(text)}</p>" for text in METHOD_TEXT]
    for one in found[:MAX_PAIRS]:
        head = f"{one.exercise.replace('_', ' ')}, {one.kind}: {one.student} and {one.other}"
        sides = "".join(f'<div class="beside">{plain_text(left)}{plain_text(right)}</div>' for left, right in one.passages)
        parts.append(
            f"<section><h2>{escape(head)}</h2><p>Such pairs in this class by chance: {format_expected_pairs(one.by_chance)}.</p>{sides}</section>"
        )
    if len(found) > MAX_PAIRS:
        parts.append(f"<p>{len(found) - MAX_PAIRS} more are in alike.csv.</p>")
    if not found:
        parts.append("<p>No two are more alike than chance makes them.</p>")
    return html_page("Alike submissions", "".join(parts))


def format_expected_pairs(pairs: float) -> str:
    """A small number of pairs, as people read it.

    >>> format_expected_pairs(0.2), format_expected_pairs(0.00031), format_expected_pairs(1e-20)
    ('0.2', '1 in 3000 classes', 'fewer than 1 in a million classes')
    """
    if pairs < 1e-6:
        return "fewer than 1 in a million classes"
    return f"{pairs:.1g}" if pairs >= 0.01 else f"1 in {float(f'{1 / pairs:.1g}'):.0f} classes"
