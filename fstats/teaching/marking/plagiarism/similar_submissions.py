"""Find pairs of similar submissions.

The module computes how many such pairs are expected by chance.

A pair is no verdict.  The expected number follows from a model that the page describes, and is an upper bound within this model.
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

from ....core.number_format import truncate_text
from ...course.catalogue import load_exercise_definition
from ...grading.answers.answer_value import has_full_precision
from ...grading.exercise import Exercise
from ...grading.mistakes.mistake import Mistake
from ...grading.question import Question
from ..marks.student_grade import StudentGrade
from ..marks.submission_mark import SubmissionMark
from ..reports.feedback_pages import html_page, plain_text
from ..submissions.submission_cells import NotebookCell, read_notebook, readable_cells
from ..untrusted_text import csv_text
from . import wrong_answer_matches as matches
from .shared_passages import Texts

MAX_PAIRS = 60  # maximum number of pairs on a page
# lines that set up the environment; all students copy such lines from pages about Colab or from mails
SETTING_UP = re.compile(r"^[ \t]*(?:[%!].*|(?:from|import)\b.*|(?:drive|files)\.\w+\(.*\))$", re.MULTILINE)
MAX_EXPECTED_PAIRS = 0.5  # a pair is hidden if more than this number of similar pairs are expected by chance
# paragraphs of the page above the list of pairs, one per line
METHOD_TEXT = [
    text.strip().replace("\n", " ").format(data_sets=matches.RANDOM_DATA_SETS)
    for text in Path(__file__).with_suffix(".md").read_text(encoding="utf-8").split("\n\n")
]


@dataclass(frozen=True)
class SimilarPair:
    """Two students, their common content side by side, and the expected number of such pairs by chance."""

    exercise: str
    kind: str  # kind of similarity: "numbers", "code" or "words"
    student: str
    other: str
    passages: tuple[tuple[str, str], ...]
    by_chance: float


def find_similar_pairs(
    rows: Sequence[StudentGrade], tokens: Mapping[str, str], reference: Mapping[str, Any], solution: Path
) -> list[SimilarPair]:
    """Return the similar pairs of one exercise, the least probable first.

    Parameters
    ----------
    rows : sequence of StudentGrade
        The marked grades.
    tokens : mapping
        The tokens of the exercise, by student.
    reference : mapping
        The original exercise, as JSON values.
    solution : Path
        The solution notebook.
    """
    if not rows:
        return []
    exercise = rows[0].exercise
    pairs = [*_RightValues(load_exercise_definition(exercise), tokens).pairs(rows)]
    ours = read_notebook(json.dumps(reference).encode())
    given = ours + readable_cells(solution.read_bytes())
    for kind, is_code in (("code", True), ("words", False)):
        written = {one.student.id: _own_code(one, ours) if is_code else [*one.marked.reflections.values()] for one in rows if one.marked}
        texts = Texts(written, (cell.source for cell in given if cell.is_code is is_code))
        pairs += [SimilarPair(exercise, kind, *pair) for pair in texts.pairs()]
    return sorted((pair for pair in pairs if pair.by_chance <= MAX_EXPECTED_PAIRS), key=lambda pair: pair.by_chance)


def _own_code(one: StudentGrade, ours: Sequence[NotebookCell]) -> list[str]:
    """Return the cells that a student wrote, without original cells, checks, the opening cell and the set-up of the environment."""
    original = {cell.normalised_source for cell in ours}
    cells = readable_cells(one.attempt.submission.content) if one.attempt else []
    own = (cell for cell in cells if cell.is_code and not (cell.opened or cell.check or cell.normalised_source in original))
    return [SETTING_UP.sub("", cell.source) for cell in own]


# -- numbers -------------------------------------------------------------------------------------------------------------------------
MatchedLine = tuple[str, Mistake | None]  # (key of a question, mistake that gives the number or None if the number is right)


class _RightValues:
    """The right values of all students in one exercise, and the values that each named mistake gives on their data."""

    def __init__(self, exercise: Exercise, tokens: Mapping[str, str]) -> None:
        self.exercise = exercise
        self.tasks = {student: matches.exercise_task(exercise.name, token) for student, token in tokens.items()}
        self.asked = {one.key: one for one in exercise.questions if isinstance(one, Question)}
        slips = {key: (None, *exercise.mistakes_at(question)) for key, question in self.asked.items()}
        self.lines: list[MatchedLine] = [(key, slip) for key in slips for slip in slips[key]]

    def pairs(self, rows: Sequence[StudentGrade]) -> Iterator[SimilarPair]:
        """Yield pairs with wrong numbers that are right for the other student, or follow from the other's data by a named mistake."""
        wrong = {one.student.id: values for one in rows if one.marked and (values := _unexplained(one.marked))}
        if not wrong:
            return
        holders: dict[tuple[str, str], list[tuple[str, MatchedLine]]] = {}
        for student, task in self.tasks.items():
            for line in self.lines:
                if digits := matches.rounded_key(matches.expected_value(task, *line)):
                    holders.setdefault((line[0], digits), []).append((student, line))
        for student, values in wrong.items():
            hits: dict[str, dict[str, MatchedLine]] = {}
            for key, value in values.items():
                for other, line in holders.get((key, matches.rounded_key(value)), ()):
                    if other != student and (not has_full_precision(np.asarray(value)) or self._is_exact(value, other, line)):
                        hits.setdefault(other, {}).setdefault(key, line)
            for other, lines in hits.items():
                if any(lines.keys() < more.keys() for more in hits.values()):
                    continue  # the data of another student explain more of the lines
                yield self._pair(student, other, values, lines, wrong)

    def _is_exact(self, value: Any, other: str, line: MatchedLine) -> bool:
        return bool(np.allclose(value, matches.expected_value(self.tasks[other], *line), rtol=1e-5, atol=0))

    def _pair(
        self, student: str, other: str, values: Mapping[str, Any], lines: Mapping[str, MatchedLine], wrong: Mapping[str, Any]
    ) -> SimilarPair:
        """Return a pair; among lines that follow from each other, only the first lines have a probability of their own."""
        slips = {key: slip for key, (_, slip) in lines.items()}
        chance, first = matches.coincidence_probability(slips, values, self.tasks[student], self.tasks[other])
        # multiply by the number of students with at least as many wrong numbers, and by the number of other students
        chance *= sum(len(numbers) >= len(first) for numbers in wrong.values()) * (len(self.tasks) - 1)
        for key in first:  # multiply by the number of possible mistakes; the factor 2 gives half of the error probability to right values
            chance *= 2 * (len(self.exercise.mistakes_at(self.asked[key])) if lines[key][1] else 1)
        mistakes = {key: f", with the mistake {slip.name!r}" if slip else "" for key, slip in slips.items()}
        wrongs = (f"{key} = {truncate_text(str(values[key]), 80)}, wrong here" for key in lines)
        shown = tuple(zip(wrongs, (f"right for the data of {other}: {key}{mistakes[key]}" for key in lines), strict=True))
        return SimilarPair(self.exercise.name, "numbers", student, other, shown, chance)


def _unexplained(marked: SubmissionMark) -> dict[str, Any]:
    keys = {mark.key for mark in matches.unexplained_answers(marked.questions) if mark.verdict != "mistake"}
    return {key: value for key, value in matches.wrong_values(marked) if key in keys}


def similarity_csv(pairs: Sequence[SimilarPair]) -> str:
    """Return a CSV file with a line for each pair."""
    heads = ("exercise", "kind", "student", "other", "pairs by chance", "what the one has", "what the other has")
    lines = [
        [one.exercise, one.kind, one.student, one.other, f"{one.by_chance:.2g}", *map("\n".join, zip(*one.passages, strict=True))]
        for one in pairs
    ]
    return csv_text(heads, lines)


def similarity_page(pairs: Sequence[SimilarPair]) -> str:
    """Return a page with the passages of each pair side by side."""
    parts = [f"<p>{escape(text)}</p>" for text in METHOD_TEXT]
    for one in pairs[:MAX_PAIRS]:
        head = f"{one.exercise.replace('_', ' ')}, {one.kind}: {one.student} and {one.other}"
        sides = "".join(f'<div class="beside">{plain_text(left)}{plain_text(right)}</div>' for left, right in one.passages)
        chance = format_expected_pairs(one.by_chance)
        parts.append(f"<section><h2>{escape(head)}</h2><p>Such pairs in this class by chance: {chance}.</p>{sides}</section>")
    if len(pairs) > MAX_PAIRS:
        parts.append(f"<p>{len(pairs) - MAX_PAIRS} more pairs are in alike.csv.</p>")
    if not pairs:
        parts.append("<p>No pair is more similar than chance explains.</p>")
    return html_page("Similar submissions", "".join(parts))


def format_expected_pairs(pairs: float) -> str:
    """Format a small expected number of pairs.

    >>> format_expected_pairs(0.2), format_expected_pairs(0.00031), format_expected_pairs(1e-20)
    ('0.2', '1 in 3000 classes', 'fewer than 1 in a million classes')
    """
    if pairs < 1e-6:
        return "fewer than 1 in a million classes"
    return f"{pairs:.1g}" if pairs >= 0.01 else f"1 in {float(f'{1 / pairs:.1g}'):.0f} classes"
