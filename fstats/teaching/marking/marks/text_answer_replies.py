"""Replies on answers in Markdown or raw cells: the cause for students and lecturers, instead of the NameErrors that follow."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import replace

from ...grading.verdicts.feedback import Verdict
from ..submissions.submission_cells import Submission
from ..submissions.text_answers import TextAnswer, assigned_names
from .submission_mark import SubmissionMark

UNDEFINED = re.compile(r"NameError: name '(\w+)' is not defined")
REMEDY = "and only code cells are run: in Jupyter select the cell, choose Code as its type, run the cell, and hand the notebook in again"
EMPTY: Verdict = "unanswered"


def explain_text_answers(marked: SubmissionMark, submission: Submission) -> SubmissionMark:
    """Return the mark with the cause in the replies to questions whose answers are in Markdown or raw cells."""
    unanswered = {mark.key for mark in marked.questions if mark.verdict == EMPTY}
    found = {key: answer for key, answer in submission.text_answers.items() if key in unanswered}
    if not found:
        return marked
    # a name that some cell assigns is not defined because this cell was not run, or failed without the names of a cell that was not run
    names = frozenset[str]().union(
        *(answer.names for answer in found.values()), *(assigned_names(cell.source) for cell in submission.cells if not cell.key)
    )
    cause = _cause(found)
    questions = []
    for mark in marked.questions:
        lines = tuple(line for line in mark.lines if not _is_consequence(line, names))
        if mark.key in found:
            mark = replace(mark, lines=(f"{_cause({mark.key: found[mark.key]})}, {REMEDY}.",))
        elif mark.key in unanswered and lines != mark.lines:
            mark = replace(mark, lines=(*lines, f"{cause}, and this answer needs names that were not defined."))
        questions.append(mark)
    problems = (f"{cause}, {REMEDY}", *(text for text in marked.problems if not _is_consequence(text, names)))
    return replace(marked, questions=tuple(questions), flags=(*marked.flags, f"{cause}, and was not run."), problems=problems)


def _is_consequence(text: str, names: Collection[str]) -> bool:
    """Return whether a text reports that one of these names is not defined."""
    match = UNDEFINED.search(text)
    return bool(match and match[1] in names)


def _cause(found: Mapping[str, TextAnswer]) -> str:
    if len(found) == 1:
        ((key, answer),) = found.items()
        return f"The cell with the answer to {key} is a {answer.kind} cell"
    kinds = " or ".join(dict.fromkeys(answer.kind for answer in found.values()))
    return f"Each cell with the answer to {', '.join(found)} is a {kinds} cell"
