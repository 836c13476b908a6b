"""Write the gradebooks, pages and tables of a grading run, and print its messages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path

from ...course.catalogue import exercise_names
from ..fault_tolerance import run_or_default, run_rows_or_default
from ..learning_platforms import gradebook_csv
from ..marks.class_grades import GradingCourse
from ..marks.grading_policy import Policy
from ..marks.manual_marks import form_csv
from ..marks.mark_archive import GRADED, earlier_points, grades_to_json, write_and_keep_earlier
from ..marks.student_grade import StudentGrade
from ..plagiarism.similar_submissions import SimilarPair, similarity_csv, similarity_page
from ..sandbox.sandbox_leak_check import UNTESTED
from ..submissions.notebook_format import NOT_RUN
from ..submissions.uploaded_files import Received
from ..wrong_lines.common_lines import CommonLine, common_lines, lines_csv
from . import class_report, feedback_pages
from .item_analysis import Item, analyse_items, mistakes_csv, questions_csv

BY_HAND = "by_hand.csv"
SIMILARITY_NOTE = "{} pairs are more similar than chance explains: alike.html shows the pairs side by side, and is no verdict."


def write_files(
    every: Sequence[StudentGrade],
    others: Sequence[Received],
    pairs: Sequence[SimilarPair],
    course: GradingCourse,
    out: Path,
    run_notes: Sequence[str],
    failed: Sequence[str],
) -> list[str]:
    """Write all files of a run, and return notes on the run.  Earlier files that differ move to the folder ``earlier``."""
    similar = [SIMILARITY_NOTE.format(len(pairs))] * bool(pairs)
    notes = [*_notes(every, others, course.policy), *similar]
    # keep only failures of the leak scans, because other notes may change with the next run
    lasting = [note for note in run_notes if note.startswith(UNTESTED)] + notes
    texts = [text for one in every for text in one.texts]
    asked, lines = list[Item](), list[CommonLine]()
    for name in course.exercises:
        rows, none = [row for row in every if row.exercise == name and row.marked], list[Item]()
        asked += run_or_default(f"The table of the questions of {name}", partial(analyse_items, rows), none)
        lines += run_or_default(f"The wrong lines of {name}", partial(common_lines, rows, course.students), list[CommonLine]())
    of_rows: dict[str, Callable[[Sequence[StudentGrade]], str | bytes]] = {
        GRADED: lambda rows: grades_to_json(rows, course.policy),
        "grades.csv": gradebook_csv.grades_csv,
        "moodle.csv": lambda rows: "\ufeff" + gradebook_csv.moodle_csv(rows),
        "moodle_worksheet.csv": lambda rows: gradebook_csv.moodle_worksheet_csv(rows, course.moodle),
        "canvas.csv": lambda rows: gradebook_csv.canvas_csv(rows, course.canvas),
        "moodle_feedback.zip": feedback_pages.moodle_feedback_zip,
        "canvas_feedback.zip": feedback_pages.canvas_feedback_zip,
    }
    nothing: str | bytes = ""
    row_name = "{0.student.id} in {0.exercise}".format
    contents = {name: run_rows_or_default(f"The file {name}", maker, every, row_name, nothing) for name, maker in of_rows.items()}
    other: dict[str, Callable[[], str]] = {
        BY_HAND: lambda: "\ufeff" + form_csv(texts),
        "by_hand.html": lambda: feedback_pages.manual_marks_page(texts),
        "alike.html": lambda: similarity_page(pairs),
        "alike.csv": lambda: similarity_csv(pairs),
        "questions.csv": lambda: questions_csv(asked),
        "mistakes.csv": lambda: mistakes_csv(asked),
        "lines.csv": lambda: lines_csv(lines),
    }
    other |= {f"feedback/{one.student.id}/{one.exercise}.html": partial(feedback_pages.feedback_page, one) for one in every if one.marked}
    contents |= {name: run_or_default(f"The file {name}", maker, "") for name, maker in other.items()}
    plain = partial(class_report.fallback_report, every, others)
    page = run_or_default("The file report.html", lambda: class_report.report(every, others, lasting, asked, failed, lines), "")
    contents["report.html"] = page or plain([*class_report.error_summary(failed), *lasting])
    texts_as = {name: text.encode("utf-8", "replace") if isinstance(text, str) else text for name, text in contents.items()}
    files = {name: content for name, content in texts_as.items() if content}
    notes = [*class_report.error_summary(failed), *run_notes, *notes]
    before = earlier_points(out / GRADED)
    now = {(one.student.id, one.exercise): one.points if one.marked else None for one in every}
    changed = [key for key, points in before.items() if key in now and now[key] != points]
    aside = write_and_keep_earlier(out, files, datetime.now().strftime("%Y-%m-%dT%H-%M-%S"), ["feedback"])
    if aside:
        notes.append(f"Earlier files that differ from the new ones are in {aside}.")
    for key in changed[:20]:
        old, new = ("nothing" if points is None else f"{points:g}" for points in (before[key], now[key]))
        notes.append(f"{', '.join(key)}: {old} became {new}.")
    same = ["No mark has changed since the last run."] * bool(before and not changed)
    return notes + same + [f"{len(changed) - 20} more marks changed."] * (len(changed) > 20)


def _join_names(names: Sequence[str]) -> str:
    return ", ".join(names[:10]) + (f" and {len(names) - 10} more" if len(names) > 10 else "")


def _notes(every: Sequence[StudentGrade], others: Sequence[Received], policy: Policy) -> list[str]:
    """Return notes on the run, and on rules of the policy that apply to no student and are probably misspelt."""
    marked = [one.marked for one in every if one.marked]
    weakly = sum(one.isolation == "weak" for one in marked)
    waiting = sum(one.unmarked_texts for one in every)
    written = sum(bool(text.answer) and text.points is None for one in every if not one.counted for text in one.texts)
    flagged = sum(bool(one.flags_for_lecturer) for one in every)
    early = {f"{one.student.id} ({one.exercise})": one.marked.ended for one in every if one.marked and one.marked.ended}
    unread = [who for who, why in early.items() if why.startswith(NOT_RUN)]
    limited = [who for who in early if who not in unread]
    notes = {
        f"{len(marked)} of {len(every)} are marked; {flagged} have something to look at.": True,
        f"{len(limited)} lost cells to a limit, or ended themselves: {_join_names(limited)}.": limited,
        f"{len(unread)} handed in a file that is no notebook; the page of each student gives the reason: {_join_names(unread)}.": unread,
        f"{len(others)} file{'s were' if len(others) > 1 else ' was'} not marked; the report gives the reasons.": others,
        f"{weakly} ran with weak isolation only: solutions/GRADING.md says what weak isolation does not stop.": weakly,
        f"{waiting} free-text answers need points in by_hand.csv; until then their rows have no total in the gradebooks.": waiting,
        f"{written} free-text answers do not count yet: they count as soon as one of the exercise has points in by_hand.csv.": written
        and not waiting,
    }
    students, known = {one.student.id for one in every}, exercise_names()
    nobody = [f"The policy extends the deadline of {who!r}, who is not on the roster." for who in policy.extensions if who not in students]
    nothing = [f"The policy has a deadline for {name!r}, which is no exercise." for name in policy.deadlines if name not in known]
    return [*(note for note, holds in notes.items() if holds), *nobody, *nothing]
