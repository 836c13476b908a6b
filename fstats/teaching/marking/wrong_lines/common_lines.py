"""The most common wrong lines of a class, and proposed entries for mistakes.toml."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from unicodedata import normalize

from ...course.catalogue import load_exercise_definition
from ...course.exercise_loader import build_mistakes, read_sections
from ...grading.answers.answer_value import is_distinct
from ...grading.exercise import start_test
from ...grading.mistakes.mistake import Mistake
from ...grading.question import Question
from ...grading.verdicts.marked_line import MarkedLine
from ..marks.student_grade import StudentGrade
from ..marks.submission_mark import QuestionMark
from ..roster import Student
from ..untrusted_text import csv_text

# a line is frequent if at least 3 students wrote it, or 2 students who are at least this share of the class
FREQUENT, FREQUENT_SHARE = 3, 0.05
LISTED = 3  # maximum number of lines per question in the report
HEADS = ("exercise", "question", "line", "marked from", "marked to", "students", "share of wrong answers", "mistake", "formula")
ENTRY = """[[mistake]]
name = "{name}"
test = "{test}"
step = "{step}"
formula = '{formula}'
see = "{see}"
words = "{words}"
"""
NAME, WORDS = "NAME OF THE MISTAKE", "What the student did. Why it is wrong. What to do."


@dataclass(frozen=True)
class CommonLine:
    """A wrong line in its normal form, and how many students of a class wrote it.

    Parameters
    ----------
    exercise, key : str
        The question.
    line : MarkedLine
        The normal form with its wrong part (of length 0 if no part is known to be wrong).
    students, wrong, marked : int
        Number of students who wrote the line, of wrong answers to the question, and of notebooks that were marked.
    mistake : str
        The named mistake of most of these students; empty if most of them have none.
    formula : str
        The formula of the line for mistakes.toml; empty if there is none.
    example : MarkedLine or None
        The line as a student wrote it, without texts; None if each line may hold a name of the class.
    """

    exercise: str
    key: str
    line: MarkedLine
    students: int
    wrong: int
    marked: int
    mistake: str = ""
    formula: str = ""
    example: MarkedLine | None = None

    @property
    def share(self) -> float:
        """Share of the wrong answers to the question."""
        return self.students / self.wrong

    @property
    def is_frequent(self) -> bool:
        """Whether so many students wrote the line that it deserves a name."""
        return self.students >= FREQUENT or (self.students > 1 and self.students >= FREQUENT_SHARE * self.marked)


def common_lines(rows: Sequence[StudentGrade], students: Collection[Student]) -> list[CommonLine]:
    """Return the wrong lines of one exercise that at least two students wrote, the commonest of each question first.

    Parameters
    ----------
    rows : sequence of StudentGrade
        The marked rows of the exercise.
    students : collection of Student
        The class, whose names no example contains.
    """
    words = _words(students)
    questions = load_exercise_definition(rows[0].exercise).questions if rows else ()
    return [line for question in questions for line in _lines_of(question.key, rows, words)]


def _lines_of(key: str, rows: Sequence[StudentGrade], words: Collection[str]) -> Iterator[CommonLine]:
    marks = [mark for row in rows for mark in row.marks if mark.key == key and mark.kind == "value"]
    wrong = [mark for mark in marks if mark.verdict in ("mistake", "unknown")]
    groups: dict[str, list[QuestionMark]] = {}
    for mark in wrong:
        if mark.line and mark.line.form:
            groups.setdefault(mark.line.form, []).append(mark)
    for form, group in sorted(groups.items(), key=lambda pair: -len(pair[1])):
        lines = [mark.line for mark in group if mark.line]
        if len(lines) < 2:
            continue
        mistake = Counter(mark.mistake for mark in group).most_common(1)[0][0]
        start, stop = next(((one.form_start, one.form_stop) for one in lines if one.form_stop > one.form_start), (0, 0))
        formula = next((one.formula for one in lines if one.formula), "")
        examples = (one.example() for one in lines)
        example = next((one for one in examples if one and not _holds_name(one.code, words)), None)
        numbers = len(lines), len(wrong), len(rows)
        yield CommonLine(rows[0].exercise, key, MarkedLine(form, start, stop), *numbers, mistake, formula, example)


def _words(students: Collection[Student]) -> set[str]:
    """Return the parts of names, addresses and numbers of a class that a line of code may contain."""
    texts = (part for one in students for part in (one.id, one.name, one.email.partition("@")[0], one.login))
    return {word for text in texts for word in re.split(r"[\W_]+", _folded(text)) if len(word) > 2 or not word.isascii()}


def _folded(text: str) -> str:
    return normalize("NFKC", text).casefold()


def _holds_name(code: str, words: Collection[str]) -> bool:
    """Return whether a line contains the name of a student, or a token."""
    folded = _folded(code)
    return bool(re.search(r"[0-9a-f]{16}", folded)) or any(word in folded for word in words)


def lines_csv(lines: Sequence[CommonLine]) -> str:
    """Return a CSV file of the common wrong lines; ``fstats lecture --lines`` reads the file."""
    where = [(one.exercise, one.key, one.line.code, one.line.start, one.line.stop) for one in lines]
    what = [(one.students, one.share, one.mistake, one.formula) for one in lines]
    return csv_text(HEADS, [(*place, *about) for place, about in zip(where, what)])


# -- entries of mistakes.toml ---------------------------------------------------------------------------------------------------------
def proposed_entry(line: CommonLine, name: str = NAME, words: str = WORDS) -> str:
    """Return the entry of mistakes.toml that names a frequent line; empty if no entry with the line's formula can be loaded."""
    exercise = load_exercise_definition(line.exercise)
    question = exercise.question(line.key)
    if not line.formula or not isinstance(question, Question):
        return ""
    sections = {section: name for name, section in read_sections(_package(line.exercise)).items()}
    parts = {"test": exercise.tested(question).__name__, "step": question.step, "see": sections[question.see], "formula": line.formula}
    entry = ENTRY.format(name=name, words=words, **parts)
    try:
        (mistake,) = load_entry(line.exercise, entry)
        value, right = (getattr(start_test(test, exercise.given), question.step) for test in (mistake.wrong, exercise.tested(question)))
    except (ValueError, LookupError, AttributeError, TypeError, ArithmeticError, RecursionError):
        return ""
    return entry if is_distinct(value, right) else ""


def load_entry(exercise: str, entry: str) -> tuple[Mistake, ...]:
    """Build the mistakes of entries for the file mistakes.toml of an exercise."""
    return build_mistakes(_package(exercise), tomllib.loads(entry))


def _package(exercise: str) -> str:
    return f"{load_exercise_definition.__module__.rpartition('.')[0]}.{exercise}"
