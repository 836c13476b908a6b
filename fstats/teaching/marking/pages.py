"""What a student gets back: a page for each exercise, and the zips that Moodle and Canvas take back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from io import BytesIO
from itertools import count
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from ...render.table import Written
from ..grading.feedback import SHOWN
from .graded import Graded
from .marked import QuestionMark
from .page import grid, line, page, plain_text, sign
from .words import harmless

THEIRS = ("unreadable", "unanswered")  # verdicts whose lines quote what a student wrote


def feedback(one: Graded) -> str:
    """The page of a student: points, and for each question what was delivered and the reply."""
    name = one.student.name or one.student.id
    title = f"{one.exercise.replace('_', ' ')}: {name}"
    parts = [f"<p><strong>{escape(summary(one))}</strong></p>"]
    parts += [f"<p>{escape(remark)}</p>" for remark in remarks(one)]
    if one.marked is None:
        return page(title, "".join(parts))
    lines = []
    for mark in one.marked.questions:
        word = title_of(mark)
        lines.append([mark.key, Written(word, f"{sign(mark.verdict)} {escape(word)}"), one.questions[mark.key], mark.of])
    parts.append(grid(["question", "verdict", "points", "of"], lines, "Points of each question", left=(0, 1)))
    parts += [_question(one, mark) for mark in one.marked.questions]
    for text in one.texts if one.counted else ():
        points = "not marked yet" if text.points is None else f"{text.points:g}"
        comment = f"<p>{escape(text.comment)}</p>" if text.comment else ""
        parts.append(
            f"<section><h2>{escape(text.place)}: {points} of {text.of:g} "
            f"points</h2>{plain_text(text.answer) if text.answer else '<p>Not answered.</p>'}{comment}</section>"
        )
    return page(title, "".join(parts))


def summary(one: Graded) -> str:
    """The points in a sentence."""
    if one.marked is None:
        return f"No points: {one.problem}." if one.problem else "Nothing was handed in."
    waiting = f" {one.waiting} answers in your own words are not marked yet." if one.waiting else ""
    return f"{one.points:g} of {one.of:g} points.{waiting}"


def remarks(one: Graded) -> list[str]:
    """What else counts: lateness, a run that ended early, what cells raised, which attempt it was."""
    found = []
    if one.late[1]:
        found.append(f"{one.late[1][0].upper()}{one.late[1][1:]}: {one.earned:g} points became {one.points:g}.")
    if one.marked and one.marked.ended:
        found.append(one.marked.ended)
    if one.marked:
        found += [f"{text[0].upper()}{text[1:]}." for text in one.marked.problems[:3]]
    if one.attempt and one.attempts > 1:
        found.append(f"{one.attempts} notebooks were handed in; {one.attempt.submission.path} counts.")
    return found


def title_of(mark: QuestionMark) -> str:
    """A verdict in words."""
    return SHOWN[mark.verdict][1] + (f": {'perhaps ' * mark.guess}{mark.mistake}" if mark.mistake else "")


def _question(one: Graded, mark: QuestionMark) -> str:
    colour = SHOWN[mark.verdict][2]
    share = one.policy.share(mark)[1]
    parts = [f"<h2>{escape(mark.key)}: {sign(mark.verdict)} {escape(title_of(mark))}</h2>"]
    parts.append(f"<p>{one.questions[mark.key]:g} of {mark.of:g} points ({escape(share)}).</p>")
    if mark.answer:
        parts.append(f'<p class="quiet">Your answer:</p>{plain_text(mark.answer)}')
    parts += [f"<p>{line(text, mark.verdict not in THEIRS)}</p>" for text in mark.lines]
    if mark.see:
        parts.append(f"<p>See {escape(str(mark.see))}.</p>")
    return f'<section style="border-color:{colour}">{"".join(parts)}</section>'


# -- in words, for gradebooks and notebooks ----------------------------------------------------------------------------------
def in_words(one: Graded) -> str:
    """The feedback in a few lines of plain text."""
    lines = [summary(one), *remarks(one)]
    for mark in one.marked.questions if one.marked else ():
        lines.append(f"{mark.key}: {title_of(mark)} ({one.questions[mark.key]:g} of {mark.of:g})")
    lines += [f"{text.place}: {text.comment}" for text in one.texts if text.comment]
    return "\n".join(lines)


def feedback_notebook(one: Graded) -> str:
    """The feedback as a notebook: Canvas calls what comes back by the name of what was handed in, so it must be one."""
    texts = [f"# {one.exercise}\n\n**{_markdown(summary(one))}**", *map(_markdown, remarks(one))]
    for mark in one.marked.questions if one.marked else ():
        head = f"## {mark.key}: {SHOWN[mark.verdict][0]} {_markdown(title_of(mark))}\n\n{one.questions[mark.key]:g} of {mark.of:g} points"
        lines = [text if mark.verdict not in THEIRS else _markdown(text) for text in mark.lines]
        answer = ["Your answer:\n\n" + _code(mark.answer)] if mark.answer else []
        texts.append("\n\n".join([head, *answer, *lines, *([f"See {mark.see}."] if mark.see else [])]))
    texts += [f"## {text.place}\n\n{_markdown(text.comment)}" for text in one.texts if text.comment]
    cells = [
        {"cell_type": "markdown", "id": f"feedback-{k}", "metadata": {}, "source": harmless(text).splitlines(keepends=True)}
        for k, text in enumerate(texts)
    ]
    notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def _markdown(text: str) -> str:
    """Words in which nothing is Markdown, HTML or a formula."""
    return "".join(f"&#{ord(letter)};" if letter in "\\`*_{}[]<>#|$&~!" else letter for letter in text)


def _code(text: str) -> str:
    """Words in a block of their own, indented, so that no fence in them can end it."""
    return "\n".join("    " + part for part in text.splitlines())


# -- the way back --------------------------------------------------------------------------------------------------------------
def zip_for_moodle(every: Iterable[Graded]) -> bytes:
    """For "Upload multiple feedback files in a zip": each page in the folder that Moodle's download had."""
    files: dict[str, str | bytes] = {}
    for one in _handed_in(every, "moodle"):
        assert one.attempt is not None
        who, found, rest = one.attempt.submission.named.partition("_assignsubmission_")
        start = f"{who}{found}{rest.partition('_')[0]}_"
        files[_free(files, f"{start}/{one.exercise}_feedback.html")] = feedback(one)
    return _zipped(files)


def zip_for_canvas(every: Iterable[Graded]) -> bytes:
    """For "Upload submissions": the names of Canvas's download, which say whose and which file each answers; a zip answers a zip."""
    files: dict[str, str | bytes] = {}
    inside: dict[tuple[str, str], dict[str, str | bytes]] = {}  # of several exercises in one zip
    for one in _handed_in(every, "canvas"):
        assert one.attempt is not None
        named, notebook = one.attempt.submission.named, feedback_notebook(one)
        if named == one.attempt.submission.path.rpartition("/")[2]:
            files[_free(files, named)] = notebook
        else:
            within = inside.setdefault((one.student.id, named), {})
            within[_free(within, f"{one.exercise}_feedback.ipynb")] = notebook
    for (_, named), within in inside.items():
        files[_free(files, named)] = _zipped(within)
    return _zipped(files)


def _free(files: Mapping[str, object], name: str) -> str:
    """The name, or the next that no file has yet: two students' pages never share one."""
    stem, dot, kind = name.rpartition(".")
    return next(free for k in count() if (free := f"{stem} ({k}){dot}{kind}" if k else name) not in files)


def _handed_in(every: Iterable[Graded], layout: str) -> Sequence[Graded]:
    return [one for one in every if one.attempt is not None and one.attempt.submission.layout == layout]


def _zipped(files: Mapping[str, str | bytes]) -> bytes:
    """A zip that is the same for the same files."""
    out = BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as archive:
        for name, text in sorted(files.items()):
            archive.writestr(ZipInfo(name, (2000, 1, 1, 0, 0, 0)), text.encode() if isinstance(text, str) else text, ZIP_DEFLATED)
    return out.getvalue()
