"""Audience polls about errors in students' code.

The choices are common mistakes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from string import Template
from typing import Any

from ...teaching.course.catalogue import exercise_names, load_exercise_definition
from ...teaching.grading.exercise import Exercise, start_test
from ...teaching.grading.mistakes.mistake import Mistake
from ...teaching.grading.question import Question
from ...teaching.marking.untrusted_text import one_line, read_csv, unescape_formula
from ...teaching.polls import FOLDED, POLL

COLUMNS = ("exercise", "question", "line", "marked from", "marked to", "mistake")
# maximum number of polls in a lesson, of choices in a poll, and of characters in a line of code
MAX_POLLS, MAX_CHOICES, MAX_LENGTH = 3, 4, 160


def line_polls(lesson: str, file: Path) -> list[Any]:
    """Return the cells of polls about the wrong lines of a lesson: a cell with the question, and a cell with the answer, for each poll.

    Parameters
    ----------
    lesson : str
        The name of the lesson's notebook; a line belongs to the lesson that explains its question.
    file : Path
        The file lines.csv that ``fstats grade`` wrote, or a table with the columns `COLUMNS`.  Lines without a named mistake are left out.

    Raises
    ------
    ValueError
        If the file has no such table, or no line with a named mistake for the lesson.
    """
    heads, rows = read_csv(file)
    if missing := [name for name in COLUMNS if name not in heads]:
        raise ValueError(f"the file {file} must be a file lines.csv that fstats grade wrote; the column {missing[0]!r} is missing")
    lines = (dict(zip(heads, map(unescape_formula, cells))) for _, cells in rows)
    polls = [cells for line in lines for cells in _poll_cells(lesson, line)][:MAX_POLLS]
    if not polls:
        remedy = "Give another lesson or another file."
        raise ValueError(f"the file {file} must have a line with a named mistake in a question on {lesson}; got none. {remedy}")
    return [cell for cells in polls for cell in cells]


def _poll_cells(lesson: str, line: Mapping[str, str]) -> Iterator[tuple[Any, Any]]:
    """Yield the two cells of a poll about a line of code, if the line belongs to the lesson and its mistake has a name."""
    import nbformat

    if line["exercise"] not in exercise_names():
        return
    exercise = load_exercise_definition(line["exercise"])
    question = next((one for one in exercise.questions if one.key == line["question"]), None)
    if not isinstance(question, Question) or question.see.notebook != lesson:
        return
    choices = _choices(exercise, question, line)
    if len(choices) < 2:
        return
    code, marked = _code(line), _code(line, marked=True)
    words = "\n".join(f"* {_sentences(mistake)[0]}" for mistake in choices)
    reasons = "\n".join(
        f"* **right**: {marked}.{_sentences(mistake)[1]}" if mistake.name == line["mistake"] else f"* wrong: {_formula(exercise, mistake)}"
        for mistake in choices
    )
    about = exercise.asked(question).sentence.rstrip(".")
    name = "line-" + sha256(repr(sorted(line.items())).encode()).hexdigest()[:12]
    asked = f"**Ask the room.** *What is wrong with this line?*\n\n{about}:\n\n{code}\n\n{words}"
    answered = f"<details><summary>Answer</summary>\n\n{reasons}\n\n</details>"
    yield tuple(
        nbformat.v4.new_markdown_cell(source, id=f"{name}{end}", metadata={"tags": [tag]})
        for source, end, tag in ((asked, "", POLL), (answered, "-answer", FOLDED))
    )


def _choices(exercise: Exercise, question: Question, line: Mapping[str, str]) -> list[Mistake]:
    """Return the mistake of a line and other mistakes at the same step; return an empty list if the exercise lacks the mistake."""
    known: dict[str, Mistake] = {}  # maps the sentence of a choice to a mistake, so that no two choices have the same sentence
    right = next((one for one in exercise.mistakes_at(question) if one.name == line["mistake"]), None)
    if right is None:
        return []
    formulas = set[str]()
    for mistake in (right, *(one for one in exercise.mistakes_at(question) if one.step == right.step)):
        if mistake.wrong.steps[mistake.step].formula not in formulas and len(known) < MAX_CHOICES:
            formulas.add(mistake.wrong.steps[mistake.step].formula)
            known.setdefault(_sentences(mistake)[0], mistake)
    return sorted(known.values(), key=lambda one: sha256(f"{line['line']} {one.name}".encode()).digest())


def _sentences(mistake: Mistake) -> tuple[str, str]:
    """Return the first sentence of a reply, which names the mistake, and the rest of the reply with its leading space."""
    first = re.split(r"(?<=[.!?])\s", mistake.sentence)[0]
    return first, mistake.sentence[len(first) :]


def _formula(exercise: Exercise, mistake: Mistake) -> str:
    """Return a sentence with the formula that a student with this mistake computes."""
    wrong, step = mistake.wrong, mistake.wrong.steps[mistake.step]
    symbols = {name: about["symbol"] for name, about in wrong.inputs.items()} | {name: one.symbol for name, one in wrong.steps.items()}
    template = Template(step.shown(start_test(wrong, exercise.given)))
    return f"this mistake computes ${step.symbol} {step.relation} {template.substitute(symbols)}$."


def _code(line: Mapping[str, str], *, marked: bool = False) -> str:
    """Return a line of code as HTML without Markdown signs; if `marked` is true, the wrong part of the line is marked."""
    # dollar signs would begin a formula, and in Python they occur only in texts and comments
    text = one_line(line["line"]).replace("$", " ")[:MAX_LENGTH]
    start, stop = (int(line[name]) if line[name].isdecimal() else 0 for name in ("marked from", "marked to"))
    before, part, after = (_literal(one) for one in (text[:start], text[start:stop], text[max(start, stop) :]))
    return f"<code>{before}<mark>{part}</mark>{after}</code>" if marked and part else f"<code>{before}{part}{after}</code>"


def _literal(text: str) -> str:
    """Escape all special characters, so that no part of a text becomes HTML, Markdown, a formula or a link."""
    return "".join(letter if letter.isalnum() or letter == " " else f"&#{ord(letter)};" for letter in text)
