"""Feedback pages for students.

The module also makes zip files to return feedback, and the form for manual marks.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from html import escape
from importlib.util import find_spec
from io import BytesIO
from itertools import count
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from ....core.mathematics_in_names import plain_formulas
from ....plot.drawing.svg import css_palette
from ....render.display_table import Table, TextAndHtml
from ...grading.verdicts.feedback import VERDICT_DISPLAY, verdict_symbol
from ..marks.manual_marks import HEADS, FreeText
from ..marks.student_grade import StudentGrade
from ..marks.submission_mark import QuestionMark
from ..submissions.uploaded_files import Received
from ..untrusted_text import strip_control_characters

QUOTED_VERDICTS = ("unreadable", "unanswered")  # verdicts with replies that quote the student's text
STYLE = f":root {{ {css_palette()} }}\n" + Path(__file__).with_name("feedback.css").read_text(encoding="utf-8")
SAVE = f"<script>\n{Path(__file__).with_name('manual_marks.js').read_text(encoding='utf-8')}</script>"


def html_page(title: str, body: str) -> str:
    """Return an HTML page that loads nothing from other addresses and allows no foreign content."""
    rules = "default-src 'none'; style-src 'unsafe-inline'" + ("; script-src 'unsafe-inline'" if "<script>" in body else "")
    return strip_control_characters(
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{rules}"><title>{escape(title)}</title><style>{STYLE}</style></head>\n'
        f"<body><main><h1>{escape(title)}</h1>\n{body}\n</main></body></html>\n"
    )


def plain_text(text: str) -> str:
    """Return a text as an HTML block that shows the text literally."""
    return f'<div class="words" dir="auto">{escape(text)}</div>'


def reply_line(text: str, ours: bool) -> str:
    """Return a line of a reply; formulas between dollar signs are typeset only if no part of the line comes from a student."""
    if not ours or text.count("$") % 2 or find_spec("latex2mathml") is None:
        return escape(plain_formulas(text) if ours else text)
    from ....render.html import mathml

    parts = text.split("$")
    try:
        return "".join(mathml(part) if k % 2 else escape(part) for k, part in enumerate(parts))
    except Exception:  # an invalid formula must not prevent the feedback pages of the class
        return escape(plain_formulas(text))


def html_table(heads: Sequence[str], lines: Sequence[Sequence[Any]], caption: str = "", left: Collection[int] | None = None) -> str:
    """Return an HTML table that scrolls in a narrow window."""
    return f'<div class="scroll" tabindex="0">{Table(heads, lines, caption=caption, left=left)._repr_html_()}</div>' if lines else ""


# -- pages for students ----------------------------------------------------------------------------------------------------------
def feedback_page(one: StudentGrade) -> str:
    """Return the feedback page of a student: points, and for each question the delivered answer and the reply."""
    name = one.student.name or one.student.id
    title = f"{one.exercise.replace('_', ' ')}: {name}"
    parts = [f"<p><strong>{escape(summary(one))}</strong></p>"]
    parts += [f"<p>{escape(remark)}</p>" for remark in remarks(one)]
    if one.marked is None:
        return html_page(title, "".join(parts))
    lines = []
    for mark in one.marks:
        word = verdict_title(mark)
        lines.append([mark.key, TextAndHtml(word, f"{verdict_symbol(mark.verdict)} {escape(word)}"), one.questions[mark.key], mark.of])
    parts.append(html_table(["question", "verdict", "points", "of"], lines, "Points of each question", left=(0, 1)))
    parts += [_question(one, mark) for mark in one.marks]
    for text in one.texts if one.counted else ():
        points = "not marked yet" if text.points is None else f"{text.points:g}"
        comment = f"<p>{escape(text.comment)}</p>" if text.comment else ""
        parts.append(
            f"<section><h2>{escape(text.place)}: {points} of {text.of:g} "
            f"points</h2>{plain_text(text.answer) if text.answer else '<p>Not answered.</p>'}{comment}</section>"
        )
    return html_page(title, "".join(parts))


def summary(one: StudentGrade) -> str:
    """Return a sentence with the points of a student in an exercise."""
    if one.marked is None:
        return f"No points: {one.problem.rstrip('.')}." if one.problem else "Nothing was handed in."
    waiting = f" {one.unmarked_texts} free-text answers are not marked yet." if one.unmarked_texts else ""
    return f"{one.points:g} of {one.of:g} points.{waiting}"


def remarks(one: StudentGrade) -> list[str]:
    """Return remarks on the grade: lateness, an early end of the run, errors of cells, the attempt that counts."""
    lines = []
    if one.late[1]:
        lines.append(f"{one.late[1][0].upper()}{one.late[1][1:]}: {one.earned:g} points became {one.points:g}.")
    if one.attempt is None:
        return lines
    marked, submission = one.attempt.marked, one.attempt.submission
    several = f"{one.attempts} notebooks were handed in; {submission.path} counts." if one.attempts > 1 else ""
    problems = (f"{text[0].upper()}{text[1:]}." for text in marked.problems[:3])
    return [*lines, *filter(None, [marked.ended, *problems, several, submission.choice])]


def verdict_title(mark: QuestionMark) -> str:
    """Return the verdict on a question in words."""
    name = f": {'perhaps ' * mark.guess}{mark.mistake}" if mark.mistake else ""
    return f"{VERDICT_DISPLAY[mark.verdict][1]}{name}{', but typed in' * mark.chained}"


def line_html(mark: QuestionMark) -> list[str]:
    """Return the student's line with its wrong part marked, and the hint on it, as HTML paragraphs; empty if there is no hint."""
    if mark.line is None:
        return []
    marked = [mark.line.marked.html()] if mark.line.marked else []
    return [f"<p>{text}</p>" for text in (*marked, *map(escape, mark.line.hints))]


def _question(one: StudentGrade, mark: QuestionMark) -> str:
    colour = VERDICT_DISPLAY[mark.verdict][2]
    share = one.policy.share(mark)[1]
    parts = [f"<h2>{escape(mark.key)}: {verdict_symbol(mark.verdict)} {escape(verdict_title(mark))}</h2>"]
    parts.append(f"<p>{one.questions[mark.key]:g} of {mark.of:g} points ({escape(share)}).</p>")
    if mark.answer:
        parts.append(f'<p class="quiet">Your answer:</p>{plain_text(mark.answer)}')
    parts += [*line_html(mark), *(f"<p>{reply_line(text, mark.verdict not in QUOTED_VERDICTS)}</p>" for text in mark.lines)]
    if mark.see:
        parts.append(f"<p>See {escape(str(mark.see))}.</p>")
    return f'<section style="border-color:{colour}">{"".join(parts)}</section>'


# -- plain text, for gradebooks and notebooks --------------------------------------------------------------------------------
def feedback_text(one: StudentGrade) -> str:
    """Return the feedback in a few lines of plain text."""
    lines = [summary(one), *remarks(one)]
    for mark in one.marks:
        lines.append(f"{mark.key}: {verdict_title(mark)} ({one.questions[mark.key]:g} of {mark.of:g})")
    lines += [f"{text.place}: {text.comment}" for text in one.texts if text.comment]
    return "\n".join(lines)


def feedback_notebook(one: StudentGrade) -> str:
    """Return the feedback as a notebook: Canvas requires the file name of the submission, which ends with .ipynb."""
    texts = [f"# {one.exercise}\n\n**{_markdown(summary(one))}**", *map(_markdown, remarks(one))]
    for mark in one.marks:
        head = f"## {mark.key}: {VERDICT_DISPLAY[mark.verdict][0]} {_markdown(verdict_title(mark))}"
        points = f"{one.questions[mark.key]:g} of {mark.of:g} points"
        lines = [text if mark.verdict not in QUOTED_VERDICTS else _markdown(text) for text in mark.lines]
        if mark.line:  # nothing in a code block is read as Markdown or HTML
            code = [f"    {text}" for text in mark.line.marked.splitlines()] if mark.line.marked else []
            lines = ["\n".join(code), *map(_markdown, mark.line.hints), *lines]
        answer = [f"Your answer: {_markdown(mark.answer)}"] if mark.answer else []
        texts.append("\n\n".join([head, points, *answer, *filter(None, lines), *([f"See {mark.see}."] if mark.see else [])]))
    texts += [f"## {text.place}\n\n{_markdown(text.comment)}" for text in one.texts if text.comment]
    cells = [
        {"cell_type": "markdown", "id": f"feedback-{k}", "metadata": {}, "source": strip_control_characters(text).splitlines(keepends=True)}
        for k, text in enumerate(texts)
    ]
    notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def _markdown(text: str) -> str:
    """Escape a text so that nothing in it is Markdown, HTML or a formula."""
    return "".join(f"&#{ord(letter)};" if letter in "\\`*_{}[]<>#|$&~!" else letter for letter in text)


# -- zips that return feedback ---------------------------------------------------------------------------------------------------
def moodle_feedback_zip(every: Iterable[StudentGrade]) -> bytes:
    """Return the zip for Moodle's "Upload multiple feedback files in a zip": each page is in the student's folder of Moodle's download."""
    files: dict[str, str | bytes] = {}
    for one, handed_in in _handed_in(every, "moodle"):
        who, separator, rest = handed_in.named.partition("_assignsubmission_")
        start = f"{who}{separator}{rest.partition('_')[0]}_"
        files[_unused_name(files, f"{start}/{one.exercise}_feedback.html")] = feedback_page(one)
    return make_zip(files)


def canvas_feedback_zip(every: Iterable[StudentGrade]) -> bytes:
    """Return the zip for Canvas's "Upload submissions": files keep the names of Canvas's download; the feedback on a zip is a zip."""
    files: dict[str, str | bytes] = {}
    # feedback on the exercises in each zip, by (student, name of the zip)
    inside: dict[tuple[str, str], dict[str, str | bytes]] = {}
    for one, handed_in in _handed_in(every, "canvas"):
        named, notebook = handed_in.named, feedback_notebook(one)
        if named == handed_in.path.rpartition("/")[2]:
            files[_unused_name(files, named)] = notebook
        else:
            within = inside.setdefault((one.student.id, named), {})
            within[_unused_name(within, f"{one.exercise}_feedback.ipynb")] = notebook
    for (_, named), within in inside.items():
        files[_unused_name(files, named)] = make_zip(within)
    return make_zip(files)


def _unused_name(files: Mapping[str, object], name: str) -> str:
    """Return a file name; if another file already has the name, a number is added."""
    stem, dot, kind = name.rpartition(".")
    return next(free for k in count() if (free := f"{stem} ({k}){dot}{kind}" if k else name) not in files)


def _handed_in(every: Iterable[StudentGrade], layout: str) -> list[tuple[StudentGrade, Received]]:
    return [(one, one.attempt.submission) for one in every if one.attempt and one.attempt.submission.layout == layout]


def make_zip(files: Mapping[str, str | bytes], executable: Collection[str] = ()) -> bytes:
    """Return a zip of files; equal files give an equal zip, without the current time."""
    out = BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as archive:
        for name, text in sorted(files.items()):
            entry = ZipInfo(name, (2000, 1, 1, 0, 0, 0))
            entry.external_attr = (0o755 if name in executable else 0o644) << 16
            archive.writestr(entry, text.encode() if isinstance(text, str) else text, ZIP_DEFLATED)
    return out.getvalue()


# -- form for free-text marks ----------------------------------------------------------------------------------------------------
def manual_marks_page(texts: Sequence[FreeText]) -> str:
    """Return the form for free-text marks as a page; a button on the page saves the CSV file."""
    parts = [
        "<p>Give points, then save the form as <code>by_hand.csv</code> in this folder and grade again. "
        "Points stay with the text for which they were given, even if you grade again.</p>"
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
                f'data-for="{text.answer_digest}"><h3>{escape(f"{text.name} ({text.student})" if text.name else text.student)}</h3>'
                f"{plain_text(text.answer)}"
                f'<p><label for="p{number}">Points, of {text.of:g}</label> <input id="p{number}" name="points" '
                f'type="number" min="0" max="{text.of:g}" step="any" value="{text.filled_in}">'
                f' <label for="c{number}">Comment</label> <input id="c{number}" name="comment" '
                f'size="60" value="{escape(text.comment)}"></p></section>'
            )
    if not blocks:
        parts.append("<p>There are no free-text answers.</p>")
    return html_page("Marks set by hand", "".join(parts) + '<p><button type="button" id="save">Save by_hand.csv</button></p>' + SAVE)
