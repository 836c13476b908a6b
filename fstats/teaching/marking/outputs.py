"""Everything that follows from the marks of a class, as files in one folder."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from ..course.catalogue import exercise_names
from . import gradebooks, pages, report
from .by_hand import form, form_page
from .graded import Graded
from .policy import Policy
from .record import GRADED, as_json, earlier_points, kept
from .submissions import Received

BY_HAND = "by_hand.csv"


def outputs(
    every: Sequence[Graded],
    others: Sequence[Received],
    policy: Policy,
    out: Path,
    *,
    moodle: Path | None = None,
    canvas: Path | None = None,
) -> list[str]:
    """Write all files of a run; returns what to say of it.

    Parameters
    ----------
    every : sequence of Graded
        A row for each student and exercise.
    others : sequence of Received
        The files that were not marked.
    policy : Policy
        The rules by which the rows have their points.
    out : Path
        Where; what differs from an earlier run's moves to the folder ``earlier`` there.
    moodle, canvas : Path, optional
        The grading worksheet or the gradebook that the platform gave, to be filled in.
    """
    notes = _notes(every, others) + _about_nobody(every, policy)
    texts = [text for one in every for text in one.texts]
    made = {
        GRADED: as_json(every, policy),
        "grades.csv": gradebooks.grades(every),
        "moodle.csv": "\ufeff" + gradebooks.moodle(every),
        "moodle_worksheet.csv": gradebooks.worksheet(every, moodle),
        "canvas.csv": gradebooks.canvas(every, canvas),
        BY_HAND: "\ufeff" + form(texts),
        "by_hand.html": form_page(texts),
        "report.html": report.report(every, others, notes),
    }
    files = {name: text.encode("utf-8", "replace") for name, text in made.items()}
    files |= {
        f"feedback/{one.student.id}/{one.exercise}.html": pages.feedback(one).encode("utf-8", "replace") for one in every if one.marked
    }
    files |= {"moodle_feedback.zip": pages.zip_for_moodle(every), "canvas_feedback.zip": pages.zip_for_canvas(every)}
    before = earlier_points(out / GRADED)
    now = {(one.student.id, one.exercise): one.points if one.marked else None for one in every}
    changed = [key for key, points in before.items() if key in now and now[key] != points]
    aside = kept(out, files, datetime.now().strftime("%Y-%m-%dT%H-%M-%S"), ["feedback"])
    if aside:
        notes.append(f"What an earlier run wrote and this one writes otherwise is in {aside}.")
    for student, exercise in changed[:20]:
        old, new = before[student, exercise], now[student, exercise]
        notes.append(
            f"{student}, {exercise}: {'nothing' if old is None else format(old, 'g')} "
            f"became {'nothing' if new is None else format(new, 'g')}."
        )
    return notes + [f"{len(changed) - 20} more marks changed."] * (len(changed) > 20)


def _about_nobody(every: Sequence[Graded], policy: Policy) -> list[str]:
    """Rules that hold for nobody: a slip of the pen in the policy, as a rule."""
    there = {one.student.id for one in every}
    notes = [f"The policy extends the time of {who!r}, who is not on the roster." for who in policy.extensions if who not in there]
    known = exercise_names()
    return notes + [f"The policy has a deadline for {name!r}, which is no exercise." for name in policy.deadlines if name not in known]


def _notes(every: Sequence[Graded], others: Sequence[Received]) -> list[str]:
    """What holds for the whole run."""
    marked = [one for one in every if one.marked]
    weakly = sum(1 for one in marked if one.marked and one.marked.isolation == "weak")
    waiting = sum(one.waiting for one in every)
    written = sum(bool(text.answer) and text.points is None for one in every if not one.counted for text in one.texts)
    flagged = sum(bool(one.flags) for one in every)
    notes = [f"{len(marked)} of {len(every)} are marked; {flagged} have something to look at."]
    if others:
        notes.append(f"{len(others)} files were not marked; the report says why.")
    if weakly:
        notes.append(f"{weakly} ran with the weak isolation only: what they could do is told in solutions/GRADING.md.")
    if waiting:
        notes.append(f"{waiting} answers in own words wait for points in by_hand.csv; until then their rows have none in the gradebooks.")
    elif written:
        notes.append(f"{written} answers in own words do not count yet: they do as soon as one of the exercise has points in by_hand.csv.")
    return notes
