"""Why a mark is what it is: the evidence, as text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..course.catalogue import definition
from ..grading.feedback import SHOWN
from ..grading.task import Task
from .graded import Attempt, Graded
from .marked import QuestionMark
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
