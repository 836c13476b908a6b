"""Why a mark is what it is: what was delivered, the verdicts, the formula of the points."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..course.catalogue import definition
from ..grading.feedback import SHOWN
from ..grading.task import Task
from .graded import Graded
from .pages import title_of
from .record import GRADED, STORE, from_json
from .words import harmless, one_line

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
    if one.attempt is None or one.marked is None:
        yield f"  {one_line(one.problem) or 'Nothing was handed in.'}"
        return
    from_file = one.attempt.submission
    task = Task(definition(one.exercise), one.marked.token)
    yield f"  file       {one_line(from_file.path)}" + (f", which counts of {one.attempts}" if one.attempts > 1 else "")
    moment = from_file.handed_in
    yield f"  handed in  {moment.isoformat(' ', 'minutes') + ', by ' + from_file.known_by if moment else 'nobody knows when'}"
    yield f"  data       token {one.marked.token}, from the register and the secret"
    yield f"  isolation  {one.marked.isolation or 'nothing had to be run'}"
    yield f"  stored in  {out / STORE / one.exercise / one.student.id}"
    yield from (f"  ended      {one_line(text)}" for text in [one.marked.ended] if text)
    yield from (f"  error      {one_line(text)}" for text in one.marked.problems)
    yield from (f"  look at    {one_line(text)}" for text in one.flags)
    marks = [mark for mark in one.marked.questions if question in ("", mark.key)]
    if not marks:
        raise LookupError(f"{one.exercise} has the questions {', '.join(mark.key for mark in one.marked.questions)}; got {question!r}")
    for mark in marks:
        share, why = one.policy.share(mark)
        yield f"\n  {mark.key}  {SHOWN[mark.verdict][0]} {title_of(mark)}"
        yield f"      delivered  {one_line(mark.given) or 'nothing'}"
        yield f"      right is   {task.answer(mark.key)}"
        if formula := task.formula(mark.key):
            yield f"      formula    {formula}"
        if mark.computed is not None:
            yield f"      how        {COMPUTED[mark.computed]}"
        yield from (f"      reply      {one_line(text.replace('$', ''))}" for text in mark.lines)
        yield f"      points     {mark.of:g} x {share:g} = {one.questions[mark.key]:g}  ({why})"
    if not question:
        yield "\n" + _sum(one)


def _sum(one: Graded) -> str:
    """The points of the whole, as they are added up."""
    parts = [f"{points:g}" for points in one.questions.values()]
    parts += [f"{text.points or 0:g} by hand" for text in one.texts] if one.counted else []
    total = f"  points     {' + '.join(parts)} = {one.earned:g} of {one.of:g}"
    if one.late[1]:
        total += f"\n  late       {one.late[1]}: {one.earned:g} x (1 - {one.late[0]:g} / 100) = {one.points:g}"
    return total + (f"\n  waiting    {one.waiting} answers in own words have no points yet" if one.waiting else "")
