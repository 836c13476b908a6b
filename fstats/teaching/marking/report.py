"""How the class did: a page with pictures of the points, of the mistakes that many made, and of the times of hand-in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from html import escape

import numpy as np

from ...plot.marks import BLUE, GREY, ORANGE, VERMILLION, Bars, Label, Line, Mark, VerticalLine
from ...plot.picture import Picture
from .graded import Graded
from .page import grid, page
from .submissions import Received

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
    lines = [
        [
            one.student.id,
            one.student.name,
            one.points if one.marked else "",
            one.late[1],
            one.typed,
            one.marked.isolation if one.marked else "",
            " ".join(filter(None, [one.problem, one.marked.ended if one.marked else "", *one.flags])) or ("" if one.marked else one.status),
        ]
        for one in rows
    ]
    return grid(["id", "name", "points", "late", "typed in", "isolation", "to look at"], lines, left=(0, 1, 3, 4, 5, 6))


# -- pictures ------------------------------------------------------------------------------------------------------------------
def per_question(rows: Sequence[Graded]) -> Picture:
    """The mean share of each question's points."""
    first = rows[0].marked
    assert first is not None
    keys = [mark.key for mark in first.questions if mark.of]
    of = {mark.key: mark.of for mark in first.questions}
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
    made = Counter(
        name for one in rows if one.marked for name in {mark.mistake for mark in one.marked.questions if mark.mistake and not mark.guess}
    )
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
