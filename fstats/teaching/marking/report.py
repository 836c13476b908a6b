"""What a lecturer reads: how the class did, on a page with pictures, and why a mark is what it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import timedelta
from html import escape
from pathlib import Path

import numpy as np

from ...plot.marks import BLUE, GREY, ORANGE, VERMILLION, Bars, Label, Line, Mark, VerticalLine
from ...plot.picture import Picture
from ..course.catalogue import definition
from ..grading.feedback import SHOWN
from ..grading.task import Task
from .graded import Attempt, Graded
from .marked import QuestionMark
from .pages import grid, page, title_of
from .record import GRADED, STORE, from_json
from .submissions import Received
from .words import harmless, one_line

MOST_MISTAKES = 12
DAY = timedelta(days=1)


def report(every: Sequence[Graded], others: Sequence[Received], notes: Sequence[str]) -> str:
    """The page of a class.

    Parameters
    ----------
    every : sequence of Graded
        A row for each student and exercise.
    others : sequence of Received
        The files that were not marked, each with its problem.
    notes : sequence of str
        What holds for the whole run: isolation, policy, what waits for marks by hand.
    """
    parts = ["".join(f"<p>{escape(note)}</p>" for note in notes)]
    for exercise in dict.fromkeys(one.exercise for one in every):
        rows = [one for one in every if one.exercise == exercise]
        parts.append(f"<h2>{escape(exercise.replace('_', ' '))}</h2>{_overview(rows)}")
        marked = [one for one in rows if one.marked]
        if marked:
            pictures = [per_question(marked), mistakes(marked), hand_ins(marked)]
            parts += [f"<figure>{picture.svg()}<figcaption>{escape(picture.text)}</figcaption></figure>" for picture in pictures if picture]
        parts.append(_rows(rows))
    if others:
        lines = [[other.path, other.student, other.problem] for other in others]
        parts.append("<h2>Files that were not marked</h2>" + grid(["file", "student", "why"], lines))
    return page("Report of the class", "".join(parts))


def _overview(rows: Sequence[Graded]) -> str:
    points = [one.points for one in rows if one.marked]
    if not points:
        return f"<p>None of {len(rows)} students handed in anything that could be marked.</p>"
    of = max(one.of for one in rows)
    return (
        f"<p>{len(points)} of {len(rows)} students handed in. Of {of:g} points, half of them have at least {np.median(points):g}; "
        f"the mean is {np.mean(points):.3g}, the least {min(points):g}, the most {max(points):g}.</p>"
    )


def _rows(rows: Sequence[Graded]) -> str:
    lines = []
    for one in rows:
        isolation, ended = (one.marked.isolation, one.marked.ended) if one.marked else ("", "")
        look = " ".join(filter(None, [one.problem, ended, *one.flags])) or ("" if one.marked else one.status)
        points = one.points if one.marked else ""
        lines.append([one.student.id, one.student.name, points, one.late[1], one.typed, isolation, look])
    return grid(["id", "name", "points", "late", "typed in", "isolation", "to look at"], lines, left=(0, 1, 3, 4, 5, 6))


# -- pictures ------------------------------------------------------------------------------------------------------------------
def per_question(rows: Sequence[Graded]) -> Picture:
    """The mean share of each question's points."""
    of = {mark.key: mark.of for mark in rows[0].marks if mark.of}
    keys = [*of]
    shares = {key: float(np.mean([one.questions.get(key, 0.0) / of[key] for one in rows])) for key in keys}
    at = np.arange(1.0, len(keys) + 1)
    marks: list[Mark] = [Bars(at, 100 * np.array([*shares.values()]), 0.7, BLUE)]
    marks += [Label(x, 100 * share + 5, f"{100 * share:.0f}", "middle") for x, share in zip(at.tolist(), shares.values(), strict=True)]
    return Picture(
        title="Points of each question",
        xlabel=f"question, {keys[0]} to {keys[-1]}",
        ylabel="% of its points, mean",
        xlim=(0.3, len(keys) + 0.7),
        ylim=(0.0, 112.0),
        marks=tuple(marks),
        text=f"Mean share of the points of each question: {', '.join(f'{key} {100 * share:.0f} %' for key, share in shares.items())}.",
        whole_x=True,
    )


def mistakes(rows: Sequence[Graded]) -> Picture | None:
    """The mistakes that have names, the most common first; each student counts once."""
    made = Counter(name for one in rows for name in {mark.mistake for mark in one.marks if mark.mistake and not mark.guess})
    common = made.most_common(MOST_MISTAKES)
    if not common:
        return None
    most = common[0][1]
    marks: list[Mark] = []
    for line, (name, count) in enumerate(common):
        y = float(len(common) - line)
        marks += [Line((0.0, float(count)), (y, y), ORANGE, 12.0), Label(0.0, y + 0.42, f"{name}: {count}")]
    told = "; ".join(f"{name}: {count}" for name, count in common)
    return Picture(
        title="Mistakes that have names",
        xlabel="students who made it",
        ylabel="",
        xlim=(0.0, most * 1.05),
        ylim=(0.4, len(common) + 0.9),
        marks=tuple(marks),
        text=f"How many of {len(rows)} students made each mistake that has a name, the most common first. {told}.",
        yticks=False,
        whole_x=True,
        height=0.45 + 0.13 * len(common),
    )


def hand_ins(rows: Sequence[Graded]) -> Picture | None:
    """When the notebooks were handed in, in days before (negative) and after the deadline, or since the first."""
    found = [(one, one.attempt.submission.handed_in) for one in rows if one.attempt and one.attempt.submission.handed_in]
    if not found:
        return None
    first = min(moment for _, moment in found if moment)
    due = rows[0].policy.due(rows[0].exercise, "")
    days = np.array([(moment - (due or first)) / DAY for _, moment in found if moment])
    low, high = float(np.floor(days.min())), float(max(np.ceil(days.max()), np.floor(days.min()) + 1))
    width = max(1.0, np.ceil((high - low) / 30)) if high - low > 2 else 1 / 12
    edges = low + width * np.arange(np.ceil((high - low) / width - 1e-9) + 1)
    counts = np.histogram(days, edges)[0].astype(float)
    marks: list[Mark] = [Bars(edges[:-1] + width / 2, counts, 0.95 * width, GREY)]
    if due:
        marks.append(VerticalLine(0.0, "deadline", VERMILLION))
    late = sum(1 for one, _ in found if one.late[1])
    start = "the deadline" if due else f"{first:%d %B %Y, %H:%M}"
    step = "2 hours" if width < 1 else f"{width:g} days" if width > 1 else "a day"
    return Picture(
        title="Time of hand-in",
        xlabel=f"days from {start}",
        ylabel="notebooks",
        xlim=(min(low, -0.05), max(edges[-1], 0.05)),
        ylim=(0.0, counts.max() * 1.2),
        marks=tuple(marks),
        text=f"{len(found)} times of hand-in, in steps of {step}, from {days.min():.1f} to {days.max():.1f} days from {start}; "
        f"{late} after the deadline and what is granted beyond it.",
    )


# -- why a mark is what it is --------------------------------------------------------------------------------------------------
COMPUTED = {True: "computed from the data, as a run on other data shows", False: "typed in: a run on other data delivers the same"}


def audit(out: Path, student: str, exercise: str = "", question: str = "") -> str:
    """The evidence for a student's marks, as text.

    Parameters
    ----------
    out : Path
        Where :func:`fstats.teaching.marking.run.grade` wrote.
    student, exercise, question : str
        Whose marks; of which exercise and question, or of all.

    Raises
    ------
    ValueError, LookupError
        For a folder without marks, a student or exercise or question that is not in it.
    """
    every = from_json(out / GRADED)
    rows = [one for one in every if student in (one.student.id, one.student.email)]
    if not rows:
        raise LookupError(
            f"there is no student {student!r} in {out}; there are {', '.join(dict.fromkeys(one.student.id for one in every))}"
        )
    if exercise:
        names = ", ".join(one.exercise for one in rows)
        rows = [one for one in rows if one.exercise == exercise]
        if not rows:
            raise LookupError(f"there is no exercise {exercise!r} in {out}; there are {names}")
    return harmless("\n\n".join("\n".join(_evidence(one, out, question)) for one in rows) + "\n")


def _evidence(one: Graded, out: Path, question: str) -> Iterator[str]:
    name = f" ({one.student.name})" if one.student.name else ""
    yield f"{one.exercise} of {one.student.id}{name}"
    if one.attempt is None:
        yield f"  {one_line(one.problem) or 'Nothing was handed in.'}"
        return
    marks = [mark for mark in one.marks if question in ("", mark.key)]
    if not marks:
        raise LookupError(f"{one.exercise} has the questions {', '.join(one.questions)}; got {question!r}")
    task = Task(definition(one.exercise), one.attempt.marked.token)
    yield from _of_the_run(one, one.attempt, out)
    for mark in marks:
        yield from _of_a_question(one, mark, task)
    if not question:
        yield from _of_the_sum(one)


def _of_the_run(one: Graded, attempt: Attempt, out: Path) -> Iterator[str]:
    """Which file it was, and what happened when it ran."""
    handed_in, marked = attempt.submission, attempt.marked
    moment = handed_in.handed_in
    yield f"  file       {one_line(handed_in.path)}" + (f", which counts of {one.attempts}" if one.attempts > 1 else "")
    yield f"  handed in  {moment.isoformat(' ', 'minutes') + ', by ' + handed_in.known_by if moment else 'nobody knows when'}"
    yield f"  data       token {marked.token}, from the register and the secret"
    yield f"  isolation  {marked.isolation or 'nothing had to be run'}"
    yield f"  stored in  {out / STORE / one.exercise / one.student.id}"
    for head, texts in (("ended", filter(None, [marked.ended])), ("error", marked.problems), ("look at", one.flags)):
        yield from (f"  {head:10} {one_line(text)}" for text in texts)


def _of_a_question(one: Graded, mark: QuestionMark, task: Task) -> Iterator[str]:
    """What was delivered, what is right, and what it is worth."""
    share, why = one.policy.share(mark)
    yield f"\n  {mark.key}  {SHOWN[mark.verdict][0]} {title_of(mark)}"
    yield f"      delivered  {one_line(mark.answer) or 'nothing'}"
    yield f"      right is   {task.answer(mark.key)}"
    if formula := task.formula(mark.key):
        yield f"      formula    {formula}"
    if mark.computed is not None:
        yield f"      how        {COMPUTED[mark.computed]}"
    yield from (f"      reply      {one_line(text.replace('$', ''))}" for text in mark.lines)
    yield f"      points     {mark.of:g} x {share:g} = {one.questions[mark.key]:g}  ({why})"


def _of_the_sum(one: Graded) -> Iterator[str]:
    """The points of the whole, as they are added up."""
    parts = [f"{points:g}" for points in one.questions.values()]
    parts += [f"{text.points or 0:g} by hand" for text in one.texts] if one.counted else []
    yield f"\n  points     {' + '.join(parts)} = {one.earned:g} of {one.of:g}"
    if one.late[1]:
        yield f"  late       {one.late[1]}: {one.earned:g} x (1 - {one.late[0]:g} / 100) = {one.points:g}"
    if one.waiting:
        yield f"  waiting    {one.waiting} answers in own words have no points yet"
