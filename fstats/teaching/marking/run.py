"""Marking a class: every notebook once, by several workers, from where an interrupted run left off."""

from __future__ import annotations

import hmac
import json
import threading
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from ...running.lock import Lock
from ...running.parallel import each, workers
from ..course.catalogue import definition, exercise_names, token
from ..grading.task import Task
from . import flags
from .attempts import by_upload, lost, remarks
from .by_hand import Place, free_texts, model_answers, stray_words, with_marks
from .copied import without_copies
from .graded import Attempt, Graded, last, that_counts
from .handed_in import files_in
from .marked import Marked
from .marker import Marker
from .outputs import BY_HAND, outputs
from .policy import Policy
from .record import GRADED, STORE, Archive, earlier_points, made_from, own_code, set_by_hand
from .roster import Register, Student
from .sandbox import Limits, NotIsolated
from .submissions import Received, submissions


@dataclass(frozen=True)
class Course:
    """What a class is marked by.

    Parameters
    ----------
    students : sequence of Student
        The roster.
    secret : str
        The secret of the course.
    exercises : mapping
        The notebooks of the exercises that are marked, by name; the solutions lie in the folder ``solutions`` beside theirs.
    policy : Policy
        The rules.
    times : mapping
        When a student handed in, by id, where a list says it.
    dates : bool
        Whether the dates of files count as times of hand-in.
    as_handed_in : bool
        Whether exercises of which nobody handed in anything are left out.
    moodle, canvas : Path or None
        The grading worksheet or gradebook that the platform gave, to be filled in.
    """

    students: Sequence[Student]
    secret: str = field(repr=False)
    exercises: Mapping[str, Path]
    policy: Policy = field(default_factory=Policy)
    times: Mapping[str, datetime | None] = field(default_factory=dict)
    dates: bool = False
    as_handed_in: bool = False
    moodle: Path | None = None
    canvas: Path | None = None


def grade(
    places: Sequence[Path],
    course: Course,
    out: Path,
    *,
    jobs: int = 2,
    weak: bool = False,
    again: bool = False,
    limits: Limits | None = None,
    backend: str = "loky",
    scheduler: str | None = None,
    progress: bool = True,
) -> tuple[list[Graded], list[str]]:
    """Mark what was handed in and write everything that follows into a folder; returns the rows and what to say of the run.

    Parameters
    ----------
    places : sequence of Path
        Folders or zips of submissions; a later one holds later attempts.
    course : Course
        What it is marked by.
    out : Path
        Where everything is written.  A run that was interrupted goes on; what an earlier run wrote and this one would write
        otherwise moves to its folder ``earlier``.
    jobs : int
        How many workers, -1 for one on each core.
    weak : bool
        Whether the weaker isolation will do where bubblewrap is missing.
    again : bool
        Whether what is marked already is marked again.
    limits : Limits, optional
        What a submission may use.
    backend, scheduler : str
        Who works, as :func:`fstats.running.parallel.workers` has it.
    progress : bool
        Whether a bar shows how far it is.
    """
    if out.exists() and any(out.iterdir()) and not any((out / name).exists() for name in (GRADED, STORE)):
        raise FileExistsError(f"{out} holds files that fstats grade did not write; give --out an empty or a new folder")
    (out / STORE).mkdir(parents=True, exist_ok=True)
    with closing(Lock(out / STORE / "in_use")):  # nobody else grades into the folder meanwhile
        filled = set_by_hand(out / BY_HAND, out / STORE)
        found = _found(places, course)
        handed_in = {name: path for name, path in course.exercises.items() if any(one.exercise == name for one in found)}
        if course.as_handed_in and handed_in:
            course = replace(course, exercises=handed_in)
        if left := {exercise for _, exercise in earlier_points(out / GRADED)} - course.exercises.keys():
            raise FileExistsError(f"{out} holds marks of {', '.join(sorted(left))}, too: mark them together, or give --out another folder")
        others = [one for one in found if one.problem]
        tried = by_upload(found)
        take_last = course.policy.take == "last"
        chosen = [one for every in tried.values() for one in ([last(every)] if take_last else every)]
        with workers(backend, jobs, scheduler):
            marks, failed = _marked(chosen, course, Archive(out), jobs, weak, again, limits or Limits(), progress)
        every = _rows(course, tried, marks, failed | lost(others), filled)
        return every, outputs(every, others, course.policy, out, moodle=course.moodle, canvas=course.canvas)


def _found(places: Sequence[Path], course: Course) -> list[Received]:
    """What was handed in, each upload with the number of the folder or zip that holds it."""
    register, names = Register(course.students), exercise_names()
    return [
        replace(one, upload=f"{number}: {one.upload}")
        for number, place in enumerate(places, 1)
        for one in submissions(
            files_in(place), register, course.exercises, course=names, times=course.times, dates=course.dates, place=place
        )
    ]


# -- marking -------------------------------------------------------------------------------------------------------------------
def _marked(
    chosen: Sequence[Received], course: Course, store: Archive, jobs: int, weak: bool, again: bool, limits: Limits, progress: bool
) -> tuple[dict[Received, Marked], dict[tuple[str, str], str]]:
    """The mark of each notebook, from the store or made now; and what could not be marked."""
    references = {name: _bare(json.loads(path.read_text(encoding="utf-8"))) for name, path in course.exercises.items()}
    code = own_code()
    marks: dict[Received, Marked] = {}
    failed: dict[tuple[str, str], str] = {}
    todo: list[tuple[Received, str, tuple[Any, ...]]] = []
    for one in chosen:
        own, other, seed = drawn_for(one.student, one.exercise, course.secret, one.digest)
        key = made_from(code, references[one.exercise], own, other, seed.hex(), asdict(limits))
        if not again and (there := store.get(one, key)) and (weak or there.isolation != "weak"):
            marks[one] = there
        else:
            todo.append((one, key, (one.exercise, own, other, seed, references[one.exercise])))
    try:
        tasks = ((*drawn, one.content, limits, weak) for one, _, drawn in todo)  # each unpacked when its turn comes
        results = each(mark_one, tasks, total=len(todo), jobs=jobs, progress=progress, title="marking", apart=True)
        for number, result in results:
            one, key, _ = todo[number]
            if isinstance(result, str):
                failed[one.exercise, one.student] = result
            else:
                marks[one] = result
                store.put(one, key, result)
    finally:
        _stop()
    return marks, failed


def drawn_for(student: str, exercise: str, secret: str, digest: str) -> tuple[str, str, bytes]:
    """The token of a student's data, that of other data for the second run, and the seed of data for functions.

    Nobody who has not the secret can know the latter two, not even the student from his own token.  They follow from the `digest` of
    the notebook, too: a notebook may show in its feedback the data on which its functions were tried, and the next one has others.
    """
    other, seed = (
        hmac.digest(secret.encode(), f"{use}\n{exercise}\n{student}\n{digest}".encode(), "sha256") for use in ("other data", "functions")
    )
    return token(student, exercise, secret), other.hex()[:16], seed


def mark_one(
    exercise: str, own: str, other: str, seed: bytes, reference: Mapping[str, Any], notebook: bytes, limits: Limits, weak: bool
) -> Marked | str:
    """The mark of a notebook, or a sentence on why it has none; a worker does this for one after the other."""
    try:
        task, fresh = Task(definition(exercise), own), Task(definition(exercise), other)
        return _marker(limits, weak).mark(reference, notebook, task, fresh, seed)
    except NotIsolated:
        raise
    except Exception as error:  # one notebook must not end the marking of a class
        _stop()
        return f"it could not be marked: {type(error).__name__}: {error}"


class _Here(threading.local):
    """The marker of this thread: a marker marks one notebook at a time, and workers of a cluster may have several threads."""

    marker: Marker | None = None
    made_for: tuple[Limits, bool] | None = None


_HERE = _Here()


def _marker(limits: Limits, weak: bool) -> Marker:
    """The marker of this thread, started when it is needed."""
    if _HERE.marker is None or _HERE.made_for != (limits, weak):
        _stop()
        _HERE.marker, _HERE.made_for = Marker(limits=limits, weak=weak), (limits, weak)
    return _HERE.marker


def _stop() -> None:
    """End the marker of this thread; the next notebook starts another."""
    if _HERE.marker is not None:
        _HERE.marker.close()
    _HERE.marker = None


def _bare(notebook: Mapping[str, Any]) -> dict[str, Any]:
    """A reference without its outputs, which no worker needs."""
    cells = [cell | {"outputs": []} if cell["cell_type"] == "code" else cell for cell in notebook["cells"]]
    return {**notebook, "cells": cells}


# -- rows ----------------------------------------------------------------------------------------------------------------------
def _rows(
    course: Course,
    tried: Mapping[tuple[str, str], Sequence[Received]],
    marks: Mapping[Received, Marked],
    problems: Mapping[tuple[str, str], str],
    filled: Mapping[Place, tuple[float | None, str]],
) -> list[Graded]:
    rows: list[Graded] = []
    for exercise, path in course.exercises.items():
        reference = json.loads(path.read_text(encoding="utf-8"))
        models = model_answers(json.loads((path.parent.parent / "solutions" / path.name).read_text(encoding="utf-8")))
        scored = any(place[0] == exercise and points is not None for place, (points, _) in filled.items())
        counted = course.policy.free_text == "always" or (course.policy.free_text == "auto" and scored)
        attempts: dict[str, Attempt] = {}
        tokens = {who.id: token(who.id, exercise, course.secret) for who in course.students}
        own = without_copies({one: marked for one, marked in marks.items() if one.exercise == exercise}, tokens)
        for who in course.students:
            every = [Attempt(one, own[one]) for one in tried.get((exercise, who.id), ()) if one in own]
            if every:
                attempts[who.id] = that_counts(every, course.policy, exercise, who.id)
        told = flags.flags(attempts, tokens)
        for who in course.students:
            attempt = attempts.get(who.id)
            texts = with_marks(free_texts(attempt.marked.reflections, exercise, who.id, who.name, models), filled) if attempt else []
            said = told.get(who.id, ()) + remarks(tried.get((exercise, who.id), ()), attempt, course.policy)
            if attempt:
                said += tuple(stray_words(attempt.submission.content, attempt.marked.reflections, models, reference))
            problem = "" if attempt else problems.get((exercise, who.id), "")
            rows.append(
                Graded(who, exercise, course.policy, attempt, len(tried.get((exercise, who.id), ())), texts, counted, said, problem)
            )
    return rows
