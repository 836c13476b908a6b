"""Line of code that computed a wrong answer.

The cells are read as text in the marking process.  Nothing of a student is run: parts of the line are evaluated by a list of pure
operations (:mod:`fstats.teaching.grading.student_lines.pure_evaluator`).
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from ...grading.exercise import is_verdict
from ...grading.question import Question
from ...grading.student_lines.code_history import MAX_CHARACTERS, CodeHistory, StudentLine
from ...grading.student_lines.evaluation_limits import NotRead
from ...grading.student_lines.line_reading import LineReader
from ...grading.student_lines.line_reply import line_reply
from ...grading.student_lines.line_values import agrees
from ...grading.task import Task
from ...grading.verdicts.feedback import Feedback
from ...grading.verdicts.marked_line import MarkedLine
from ...grading.verdicts.verdict_rules import judge
from ..submissions.submission_cells import RunCell
from ..untrusted_text import one_line, strip_control_characters
from .line_formula import line_formula
from .normal_form import normal_form

# maximum number of characters before or after the wrong part, and maximum number of characters of the wrong part
MAX_AROUND, MAX_PART = 90, 120


@dataclass(frozen=True)
class AnswerLine:
    """Line of a wrong answer.

    Parameters
    ----------
    code, start, stop
        The student's line, and the place of its wrong part (of length 0 if no part is known to be wrong).
    hints : tuple of str
        The first hint of the reply about the line; a hint may quote the student's line.
    form, form_start, form_stop
        The normal form of the line without any word of the student, and the place of the wrong part; empty for a long line.
    formula : str
        The formula of the line for the file mistakes.toml; empty if there is none.
    """

    code: str
    start: int = 0
    stop: int = 0
    hints: tuple[str, ...] = ()
    form: str = ""
    form_start: int = 0
    form_stop: int = 0
    formula: str = ""

    @property
    def marked(self) -> MarkedLine | None:
        """The student's line with its mark; None if no part is known to be wrong."""
        return MarkedLine(self.code, self.start, self.stop) if self.start < self.stop <= len(self.code) else None

    @property
    def text(self) -> tuple[str, ...]:
        """What a student reads about the line, as text: the line, the signs below its wrong part, and the hint; empty without a hint."""
        return (*(self.marked.splitlines() if self.marked else ()), *map(one_line, self.hints))

    def example(self) -> MarkedLine | None:
        """Return the line and its mark without the texts in it; None if the line was shortened or no part is marked."""
        try:
            tree = ast.parse(self.code)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None
        if self.marked is None or len(tree.body) != 1:
            return None
        parts = [*self.marked.parts]
        texts = {ast.get_source_segment(self.code, node) for node in ast.walk(tree) if _is_text(node)}
        for text in sorted(filter(None, texts), key=len, reverse=True):
            parts = [part.replace(text, "'…'") for part in parts]
        # a remaining quote means that the wrong part begins or ends inside a string
        if any(quote in part.replace("'…'", "") for quote in "\"'#" for part in parts):
            return None
        return MarkedLine("".join(parts), len(parts[0]), len(parts[0]) + len(parts[1]))

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> AnswerLine:
        """Return the line that is stored as these JSON values."""
        return cls(**{**plain, "hints": tuple(plain["hints"])})


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str | bytes))


def lines_of_answers(cells: Sequence[RunCell], keys: Collection[str], lost: Collection[int] = ()) -> dict[str, StudentLine]:
    """Return the line that made each answer, from the cells that ran before its check."""
    history, left = CodeHistory(), MAX_CHARACTERS
    lines: dict[str, StudentLine] = {}
    for number, cell in enumerate(cells):
        source = "" if number in lost else f"check({cell.key!r}, {cell.source})" if cell.key else cell.source
        if len(source) > left:
            continue
        left -= len(source)
        history.read_cell(source)
        if cell.key in keys and (line := history.line_of(cell.key)) and (made := _made_by(line, cell.key)):
            lines[cell.key] = made
    return lines


def _made_by(line: StudentLine, key: str) -> StudentLine | None:
    """Return the line; if the checked name is undefined, return the expression in the student's own check (None without a check)."""
    for definition in reversed(line.history.checked[key]):
        tree = definition.tree
        if not isinstance(tree, ast.Name) or line.history.find(tree.id, definition.time):
            return line._replace(definition=definition) if isinstance(tree, ast.expr) and not isinstance(tree, ast.Constant) else None
    return None


def read_line(task: Task, feedback: Feedback, line: StudentLine) -> tuple[Feedback, AnswerLine | None]:
    """Read the line of the latest, wrong answer; return the feedback on the answer given its line, and the line.

    The remarks about the line are not in the feedback, since they quote the student: they are the hints of the line.
    """
    question = task.exercise.question(feedback.key)
    if feedback.verdict not in ("mistake", "unknown") or not isinstance(question, Question):
        return feedback, None
    diagnosis = task.diagnosis(feedback.key, line)
    reader = diagnosis.line_reader  # `judge` below uses the same reader
    assert reader is not None
    reading = reader.reading()
    if reading is None and not _is_line_of(reader):
        return feedback, None
    remarks = diagnosis.line_remarks = line_reply(diagnosis, reading, diagnosis.attempt)
    known = judge(diagnosis)
    form = normal_form(reader, reading.edit if reading else None)
    formula = ""
    if form and not is_verdict(diagnosis.right):
        tests = [diagnosis.test]
        with suppress(Exception):  # the test raises an error for impossible earlier answers, for example a negative variance
            tests.append(diagnosis.test.assuming(**{step: answer.value for step, answer in diagnosis.earlier_inputs.items()}))
        formula = line_formula(form, tests, question.step, diagnosis.answer)
    found = _answer_line(remarks, line.definition.text)
    if form:
        found = replace(found, form=form.text, form_start=form.start, form_stop=form.stop, formula=formula)
    return replace(known, lines=tuple(text for text in known.lines if text not in remarks)), found


def _is_line_of(reader: LineReader) -> bool:
    """Return whether the line may have computed the answer: it has the value of the answer, or its value is unknown."""
    with suppress(NotRead):
        value = reader.part_value(reader.home, reader.root, reader.definition)
        return value is None or agrees(value, reader.context.answer)
    return True


def _answer_line(remarks: Sequence[str], code: str) -> AnswerLine:
    """Return the line for display: in one line, without control characters, and shortened to the width of a page."""
    marked = next((one for one in remarks if isinstance(one, MarkedLine)), MarkedLine(code, 0, 0))
    before, part, after = (strip_control_characters(text).replace("\n", " ") for text in marked.parts)
    if len(before) > MAX_AROUND:
        before = "…" + before[-MAX_AROUND:]
    if len(part) > MAX_PART:
        part = part[:MAX_PART] + "…"
    if len(after) > MAX_AROUND:
        after = after[:MAX_AROUND] + "…"
    hints = tuple(one_line(one) for one in remarks if not isinstance(one, MarkedLine))
    return AnswerLine(before + part + after, len(before), len(before) + len(part) if part else len(before), hints)
