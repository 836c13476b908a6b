"""What a lecturer reads of a class: how it did, on a page with pictures, and every row that needs his eyes."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np

from ...plot.picture import Picture
from .figures import became, begun, discrimination, hand_ins, mistakes, per_question
from .graded import Graded
from .items import FEWEST, Item
from .pages import grid, page
from .submissions import Received

TELLS = (
    "A question tells apart if those who have it right have more points in the other questions, too: a correlation of 0 says that it does "
    "not, one below what luck shows that something is wrong with it. Right counts what is right given an earlier answer."
)


def report(every: Sequence[Graded], others: Sequence[Received], notes: Sequence[str], asked: Sequence[Item]) -> str:
    """The page of a class.

    Parameters
    ----------
    every : sequence of Graded
        A row for each student and exercise.
    others : sequence of Received
        The files that were not marked, each with its problem.
    notes : sequence of str
        What holds for the whole run: isolation, policy, what waits for marks by hand.
    asked : sequence of Item
        The questions of the exercises that somebody handed in.
    """
    parts = ["".join(f"<p>{escape(note)}</p>" for note in notes)]
    for exercise in dict.fromkeys(one.exercise for one in every):
        rows = [one for one in every if one.exercise == exercise]
        parts.append(f"<h2>{escape(exercise.replace('_', ' '))}</h2>{_overview(rows)}")
        marked, here = [one for one in rows if one.marked], [one for one in asked if one.exercise == exercise]
        if marked:
            due = rows[0].policy.due(exercise, "")
            more = [mistakes(marked), begun(here, due), hand_ins(marked)]
            parts += [_figure(per_question(marked)), f"<figure>{became(here).svg()}</figure><figure>{discrimination(here).svg()}</figure>"]
            parts += [_questions(here), *(_figure(picture) for picture in more if picture)]
        parts += [_rows(rows), _gains(rows)]
    if others:
        lines = [[other.path, other.student, other.problem] for other in others]
        parts.append("<h2>Files that were not marked</h2>" + grid(["file", "student", "why"], lines))
    return page("Report of the class", "".join(parts))


def _figure(picture: Picture) -> str:
    """A picture, and below it what it shows."""
    return f"<figure>{picture.svg()}<figcaption>{escape(picture.text)}</figcaption></figure>"


def _questions(asked: Sequence[Item]) -> str:
    """Each question in a line."""
    heads = ["question", "right %", "points %", "tells apart", "luck from", "to", "it says", "by guessing %", "typed in"]
    lines = []
    for one in asked:
        known = one.discrimination is not None
        numbers = [f"{one.discrimination:.2f}", *(f"{x:.2f}" for x in one.luck)] if known else ["", "", ""]
        guessing = "" if one.chance is None else f"{100 * one.chance:.0f}"
        typed = f"{one.typed} of {one.told}" if one.told else ""
        share = 100 * one.mean / one.of if one.of else 0.0
        lines.append([one.key, f"{100 * one.right:.0f}", f"{share:.0f}", *numbers, one.says, guessing, typed])
    table = grid(heads, lines, "The questions; questions.csv and mistakes.csv have them as tables", left=(0, 6))
    few = f" With {asked[0].students} students nearly nothing can be told from luck." if asked[0].students < FEWEST else ""
    return f"<p>{escape(TELLS + few)}</p>{table}"


def _gains(rows: Sequence[Graded]) -> str:
    """Who has points by the rule that the best attempt counts, and which they are."""
    found = [one for one in rows if one.gain]
    if not found:
        return ""
    lines = []
    for one in found:
        shown = [f"{each.path}: {'not looked at' if each.points is None else format(each.points, '.4g')}" for each in one.tries]
        lines.append([one.student.id, one.student.name, "; ".join(shown), one.gain])
    words = (
        'The policy says take = "best". With "last" these would have fewer points. Where no platform tells the attempts, each folder below '
        "a student's own is one, and he can make as many as he likes: look whether they are."
    )
    heads = ["id", "name", "attempts and their points, the last one last", "gains"]
    return f"<h3>Who gains by the best attempt</h3><p>{escape(words)}</p>{grid(heads, lines, left=(0, 1, 2))}"


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
    lines.sort(key=lambda line: not line[-1])  # nobody reads two hundred rows to find the twenty that need him
    return grid(["id", "name", "points", "late", "typed in", "isolation", "to look at"], lines, left=(0, 1, 3, 4, 5, 6))
