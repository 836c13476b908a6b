"""Report on a class for the lecturer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from html import escape

import numpy as np

from ....plot.drawing.picture import Picture
from ....render.display_table import TextAndHtml
from ..fault_tolerance import run_or_default
from ..marks.student_grade import StudentGrade
from ..submissions.uploaded_files import Received
from ..wrong_lines.common_lines import LISTED, CommonLine, proposed_entry
from . import class_figures as figures
from .feedback_pages import html_page, html_table
from .item_analysis import FEWEST, Item

MOST_FAILED = 20  # maximum number of failures that the report lists
DISCRIMINATION_NOTE = (
    "A question discriminates if students who have it right also have more points in the other questions.  A correlation of 0 means that "
    "the question does not discriminate; a correlation below the range of chance means that something is wrong with the question.  "
    "Answers that are right given "
    "an earlier answer count as right."
)
LINES_NOTE = (
    "In a line, parts with the value of a step or an input have its name, and other names of students are replaced by their own lines, so "
    "that equal mistakes give equal lines.  The wrong part is marked: if it alone is changed, the line is right."
)
UNNAMED_NOTE = (
    "These lines have no named mistake.  To name one, paste its entry into the file mistakes.toml of the exercise, and write its name and "
    "the text for the student.  Add mistakes between courses, since the data of some students may change; solutions/README.md says more."
)
NO_FORMULA = "No formula for mistakes.toml was found that gives the numbers of this line: write a formula, or a function, by hand."


def report(
    every: Sequence[StudentGrade],
    others: Sequence[Received],
    notes: Sequence[str],
    asked: Sequence[Item],
    failed: Sequence[str] = (),
    lines: Sequence[CommonLine] = (),
) -> str:
    """Return the report page of a class; the first lines of the page name the parts that failed.

    Parameters
    ----------
    every : sequence of StudentGrade
        The grade of each student in each exercise.
    others : sequence of Received
        The files that were not marked, each with the reason.
    notes : sequence of str
        Notes on the whole run: isolation, policy, free texts without points.
    asked : sequence of Item
        The questions of the submitted exercises.
    failed : sequence of str
        The failures so far, each as a sentence; the list may grow while the page is made.
    lines : sequence of CommonLine
        The common wrong lines of the submitted exercises.
    """
    parts = []
    for exercise in dict.fromkeys(one.exercise for one in every):
        rows = [one for one in every if one.exercise == exercise]
        parts.append(f"<h2>{escape(exercise.replace('_', ' '))}</h2>")
        marked, here = [one for one in rows if one.marked], [one for one in asked if one.exercise == exercise]
        sections = _sections(rows, marked, here, [one for one in lines if one.exercise == exercise])
        parts += [run_or_default(f"Report of {exercise}, {name}", section, "") for name, section in sections.items()]
    parts.append(_others(others))
    above = "".join(f"<p>{escape(note)}</p>" for note in (*error_summary(failed), *notes))
    return html_page("Report of the class", above + "".join(parts))


def _sections(
    rows: Sequence[StudentGrade], marked: Sequence[StudentGrade], here: Sequence[Item], lines: Sequence[CommonLine]
) -> dict[str, Callable[[], str]]:
    """Return the functions that write the sections about one exercise, by the name of the section."""
    deadline = rows[0].policy.deadline_for(rows[0].exercise, "")
    sections: dict[str, Callable[[], str]] = {"overview": partial(_overview, rows)}
    if marked and here:
        sections |= {
            "points of the questions": lambda: _figure(figures.points_figure(marked)),
            "picture of the answers": lambda: f"<figure>{figures.outcomes_figure(here).svg()}</figure>",
            "picture of the discrimination": lambda: f"<figure>{figures.discrimination_figure(here).svg()}</figure>",
            "table of the questions": partial(_questions, here),
            "picture of the mistakes": lambda: _figure(figures.mistakes_figure(marked)),
            "wrong lines": partial(_wrong_lines, lines),
            "mistakes without a name": partial(_mistakes_without_name, lines),
            "picture of the first attempts": lambda: _figure(figures.first_attempts_figure(here, deadline)),
            "picture of the times": lambda: _figure(figures.submission_times_figure(marked)),
        }
    return sections | {"rows": partial(_rows, rows), "gains": partial(_best_attempt_gains, rows)}


def error_summary(failed: Sequence[str]) -> list[str]:
    """Return the failures for the first lines of the report; empty if nothing failed."""
    if not failed:
        return []
    more = [f"{len(failed) - MOST_FAILED} more failed."] * (len(failed) > MOST_FAILED)
    return ["Something failed here; everything else is complete.", *failed[:MOST_FAILED], *more]


def fallback_report(every: Sequence[StudentGrade], others: Sequence[Received], notes: Sequence[str]) -> str:
    """Return a page that only lists the grades, for the case that the report cannot be made."""
    rows = "".join(f"<li>{escape(f'{one.student.id} {one.exercise} {one.status} {one.flags_for_lecturer}')}</li>" for one in every)
    lost = "".join(f"<li>{escape(f'{other.path}: {other.problem}')}</li>" for other in others)
    above = "".join(f"<p>{escape(note)}</p>" for note in notes)
    return f'<!DOCTYPE html>\n<html lang="en"><meta charset="utf-8"><title>Report of the class</title>{above}<ul>{rows}{lost}</ul></html>\n'


def _others(others: Sequence[Received]) -> str:
    """Return a table of the files that were not marked, with the reasons."""
    lines = [[other.path, other.student, other.problem] for other in others]
    return "<h2>Files that were not marked</h2>" + html_table(["file", "student", "why"], lines) if lines else ""


def _figure(picture: Picture | None) -> str:
    """Return a picture with its description below; empty if there is no picture."""
    return f"<figure>{picture.svg()}<figcaption>{escape(picture.text)}</figcaption></figure>" if picture else ""


def _questions(asked: Sequence[Item]) -> str:
    """Return a table of the item analysis, with a line for each question."""
    heads = ["question", "right %", "points %", "discrimination", "by chance from", "to", "meaning", "by guessing %", "typed in"]
    lines = []
    for one in asked:
        known = one.discrimination is not None
        numbers = [f"{one.discrimination:.2f}", *(f"{x:.2f}" for x in one.chance_range)] if known else ["", "", ""]
        guessing = "" if one.guessing_share is None else f"{100 * one.guessing_share:.0f}"
        typed = f"{one.typed} of {one.typing_known}" if one.typing_known else ""
        share = 100 * one.mean_points / one.max_points if one.max_points else 0.0
        lines.append([one.key, f"{100 * one.right:.0f}", f"{share:.0f}", *numbers, one.discrimination_text, guessing, typed])
    table = html_table(heads, lines, "The questions; questions.csv and mistakes.csv have them as tables", left=(0, 6))
    few = f"  With {asked[0].students} students hardly any result can be distinguished from chance." if asked[0].students < FEWEST else ""
    return f"<p>{escape(DISCRIMINATION_NOTE + few)}</p>{table}"


def _wrong_lines(lines: Sequence[CommonLine]) -> str:
    """Return a table of the commonest wrong lines of each question."""
    keys = dict.fromkeys(one.key for one in lines)
    shown = [one for key in keys for one in [line for line in lines if line.key == key][:LISTED]]
    if not shown:
        return ""
    heads = ["question", "line", "students", "% of the wrong answers", "mistake", "as a student wrote it"]
    rows = []
    for one in shown:
        example = TextAndHtml(one.example.code, one.example.html()) if one.example else ""
        line = TextAndHtml(one.line.code, one.line.html())
        rows.append([one.key, line, one.students, f"{100 * one.share:.0f}", one.mistake, example])
    caption = "The commonest wrong lines; lines.csv has all that at least two students wrote"
    return f"<h3>Wrong lines</h3><p>{escape(LINES_NOTE)}</p>{html_table(heads, rows, caption, left=(0, 1, 4, 5))}"


def _mistakes_without_name(lines: Sequence[CommonLine]) -> str:
    """Return the frequent wrong lines without a named mistake, each with a draft of its entry for mistakes.toml."""
    parts = []
    for one in (line for line in lines if line.is_frequent and not line.mistake):
        who = f"{one.key}, {one.students} students, {100 * one.share:.0f} % of the wrong answers: "
        entry = proposed_entry(one)
        below = f"<pre>{escape(entry)}</pre>" if entry else f"<p>{escape(NO_FORMULA)}</p>"
        parts.append(f"<section><p>{escape(who)}{one.line.html()}</p>{below}</section>")
    note = f"<h3>Frequent mistakes without a name</h3><p>{escape(UNNAMED_NOTE)}</p>"
    return note + "".join(parts) if parts else ""


def _best_attempt_gains(rows: Sequence[StudentGrade]) -> str:
    """Return a table of the students who gain points because the best attempt counts, with their attempts."""
    gaining = [one for one in rows if one.gain_by_best_attempt]
    if not gaining:
        return ""
    lines = []
    for one in gaining:
        shown = [f"{each.path}: {'not marked' if each.points is None else format(each.points, '.4g')}" for each in one.tries]
        lines.append([one.student.id, one.student.name, "; ".join(shown), one.gain_by_best_attempt])
    note = (
        'The policy says take = "best". With take = "last" these students would have fewer points. '
        "If no platform separates the attempts, each "
        "folder below a student's own is an attempt, and students can make any number of folders: "
        "check whether the folders are real attempts."
    )
    heads = ["id", "name", "attempts and their points, in the order of time", "gains"]
    table = html_table(heads, lines, left=(0, 1, 2))
    return f"<h3>Students who gain points because the best attempt counts</h3><p>{escape(note)}</p>{table}"


def _overview(rows: Sequence[StudentGrade]) -> str:
    points = [one.points for one in rows if one.marked]
    if not points:
        return f"<p>None of {len(rows)} students handed in anything that could be marked.</p>"
    of = max(one.of for one in rows)
    return (
        f"<p>{len(points)} of {len(rows)} students handed in. Of {of:g} points, half of them have at least {np.median(points):g}; "
        f"the mean is {np.mean(points):.3g}, the least {min(points):g}, the most {max(points):g}.</p>"
    )


def _rows(rows: Sequence[StudentGrade]) -> str:
    lines = []
    for one in rows:
        isolation = one.marked.isolation if one.marked else ""
        look = one.flags_for_lecturer or ("" if one.marked else one.status)
        points = one.points if one.marked else ""
        lines.append([one.student.id, one.student.name, points, one.late[1], one.typed_count, isolation, look])
    lines.sort(key=lambda line: not line[-1])  # rows that need attention come first
    return html_table(["id", "name", "points", "late", "typed in", "isolation", "to look at"], lines, left=(0, 1, 3, 4, 5, 6))
