"""Marking a class: every notebook once, by several workers, from where an interrupted run left off; and all files that follow."""

from __future__ import annotations

import hmac
import json
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from ...runtime.atomic_write import check_own_folder, create_folder
from ...runtime.file_lock import FileLock
from ...runtime.parallel_tasks import run_tasks, worker_backend
from ..course.catalogue import data_token, load_exercise_definition
from ..grading.task import Task
from .fault_tolerance import confined, confined_failures, described
from .marks.class_grades import Course, Problems, rows_of
from .marks.mark_archive import GRADED, STORE, Archive, earlier_points, made_from, own_code, set_by_hand
from .marks.marker import Marker
from .marks.student_grade import Graded, by_upload, last, lost
from .marks.submission_mark import Marked, TooMuchWork, interrupted_after
from .plagiarism.similar_submissions import AlikePair, alike
from .release import lessons_of
from .reports.result_files import BY_HAND, write_files
from .roster import Register
from .run_cleanup import end_with_the_run, one_folder
from .sandbox.allow_list import libraries, resolved
from .sandbox.bubblewrap_sandbox import SandboxUnavailable
from .sandbox.sandbox_leak_check import UNTESTED, check_wall, to_look_for
from .submissions.submission_import import Received, submissions
from .submissions.uploaded_files import files_in

MARKING = 60  # seconds of computing that our own process may spend on one notebook; an ordinary one takes a fifth of one


def grade(
    places: Sequence[Path],
    course: Course,
    out: Path,
    *,
    jobs: int = 2,
    wall: str = "strongest",
    again: bool = False,
    backend: str = "loky",
    scheduler: str | None = None,
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
    wall : str
        What stands between us and the code of strangers, as :data:`fstats.teaching.marking.sandbox.sandbox_choice.WALLS` has it.
    again : bool
        Whether what is marked already is marked again.
    backend, scheduler : str
        Who works, as :func:`fstats.runtime.parallel_tasks.worker_backend` has it.
    """
    check_own_folder(out, any((out / name).exists() for name in (GRADED, STORE)), "--out", "grade")
    use = out / STORE / "in_use"
    first = not use.exists()
    with create_folder(out / STORE):
        try:
            return _graded(places, course, out, jobs, wall, again, backend, scheduler, use)
        except BaseException:
            if first:  # a run that is refused leaves nothing that was not there
                use.unlink(missing_ok=True)
            raise


def _graded(
    places: Sequence[Path], course: Course, out: Path, jobs: int, wall: str, again: bool, backend: str, scheduler: str | None, use: Path
) -> tuple[list[Graded], list[str]]:
    """The same, into a folder that is there."""
    with closing(FileLock(use)), confined_failures() as failed:  # nobody else grades into the folder meanwhile
        filled = set_by_hand(out / BY_HAND, out / STORE)
        found = _found(places, course)
        handed_in = {name: path for name, path in course.exercises.items() if any(one.exercise == name for one in found)}
        if course.as_handed_in and handed_in:
            course = replace(course, exercises=handed_in)
        if left := {exercise for _, exercise in earlier_points(out / GRADED)} - course.exercises.keys():
            raise FileExistsError(f"{out} holds marks of {', '.join(sorted(left))}, too: mark them together, or give --out another folder")
        others = [one for one in found if one.problem]
        tried = by_upload(found)
        chosen = [one for every in tried.values() for one in ([last(every)] if course.policy.take == "last" else every)]
        references = {name: _bare(json.loads(path.read_text(encoding="utf-8"))) for name, path in course.exercises.items()}
        with one_folder(), worker_backend(backend, jobs, scheduler):
            marks, unmarked, said = _marked(chosen, course, references, Archive(out), jobs, wall, again, [*places, out])
        why = {**unmarked, **lost(others)}
        every = [row for name in references for row in rows_of(name, course, references[name], tried, marks, why, filled)]
        none: list[AlikePair] = []
        alike = (
            confined(f"The search for alike notebooks in {name}", partial(_alike, name, course, references[name], every), none)
            for name in references
        )
        pairs = [pair for found in alike for pair in found]
        return every, write_files(every, others, pairs, course, out, said, failed)


def _found(places: Sequence[Path], course: Course) -> list[Received]:
    """What was handed in, each upload with the number of the folder or zip that holds it."""
    register = Register(course.students)
    lessons = lessons_of(next(iter(course.exercises.values())).parents[1] / "notebooks")
    how: dict[str, Any] = {"times": course.times, "dates": course.dates, "lessons": lessons}
    return [
        replace(one, upload=f"{number}: {one.upload}")
        for number, place in enumerate(places, 1)
        for one in submissions(files_in(place), register, course.exercises, place=place, **how)
    ]


# -- marking -------------------------------------------------------------------------------------------------------------------
def _marked(
    chosen: Sequence[Received],
    course: Course,
    references: Mapping[str, Any],
    store: Archive,
    jobs: int,
    wall: str,
    again: bool,
    hidden: Sequence[Path],
) -> tuple[dict[Received, Marked], Problems, list[str]]:
    """The mark of each notebook, from the store or made now; what could not be marked; and what to say of the walls.

    With the notebooks the wall is tested: what is `hidden`, and the course, must not be seen behind it.
    """
    code = own_code()
    marks: dict[Received, Marked] = {}
    failed: dict[tuple[str, str], str] = {}
    todo: list[tuple[Received, str, tuple[Any, ...]]] = []
    for one in chosen:
        own, other, seed = drawn_for(one.student, one.exercise, course.secret, one.digest)
        key = made_from(code, references[one.exercise], own, other, seed.hex())
        if not again and (there := store.get(one, key, wall)):
            marks[one] = there
        else:
            todo.append((one, key, (one.exercise, own, other, seed, references[one.exercise])))
    try:
        # each notebook is unpacked when its turn comes; the walk comes first, beside the others
        walk = [(walk_behind, next(iter(course.exercises.values())).parents[1], [*map(str, hidden)], wall)] if todo else []
        tasks = chain(walk, ((mark_one, *drawn, one.content, wall) for one, _, drawn in todo))
        results = run_tasks(_do, tasks, total=len(walk) + len(todo), jobs=jobs, title="marking", single=True)
        said: list[str] = []
        for number, result in results:
            if number < len(walk):
                said += result
                continue
            one, key, _ = todo[number - len(walk)]
            if isinstance(result, str):
                failed[one.exercise, one.student] = result
            else:
                marks[one] = result
                confined(f"Keeping the mark of {one.path}", partial(store.put, one, key, result), None)
    finally:
        _stop()
    return marks, failed, said


def _do(work: Callable[..., Any], *task: Any) -> Any:
    """One of the tasks of a run."""
    return work(*task)


def walk_behind(course: Path, hidden: Sequence[str], wall: str) -> list[str]:
    """Return a sentence for each checked sandbox of a marker; raise SandboxUnavailable if it shows the course or a hidden file."""
    try:
        what = to_look_for(course, [*map(Path, hidden)]) | {"unread": [*map(str, resolved(libraries())[1])], "inside": False}
        return [check_wall(one, what) for one in _marker(wall).walls]
    except SandboxUnavailable:
        raise
    except Exception as error:  # the test's own fault, which costs nobody a mark
        return [f"{UNTESTED}{described(error)}."]


def drawn_for(student: str, exercise: str, secret: str, digest: str) -> tuple[str, str, bytes]:
    """The token of a student's data, that of other data for the second run, and the seed of data for functions.

    Nobody who has not the secret can know the latter two, not even the student from his own token.  They follow from the `digest` of
    the notebook, too: a notebook may show in its feedback the data on which its functions were tried, and the next one has others.
    """
    other, seed = (
        hmac.digest(secret.encode(), f"{use}\n{exercise}\n{student}\n{digest}".encode(), "sha256") for use in ("other data", "functions")
    )
    return data_token(student, exercise, secret), other.hex()[:16], seed


def mark_one(exercise: str, own: str, other: str, seed: bytes, reference: Mapping[str, Any], notebook: bytes, wall: str) -> Marked | str:
    """The mark of a notebook, or a sentence on why it has none; a worker does this for one after the other."""
    try:
        task, fresh = Task(load_exercise_definition(exercise), own), Task(load_exercise_definition(exercise), other)
        marker = _marker(wall)
        with interrupted_after(MARKING):
            return marker.mark(reference, notebook, task, fresh, seed)
    except SandboxUnavailable:
        raise
    except TooMuchWork:
        _stop()
        return f"it could not be marked: reading and judging it took more than {MARKING} seconds of computing"
    except Exception as error:  # one notebook must not end the marking of a class
        _stop()
        return f"it could not be marked: {described(error)}"


def mark_alone(exercise: str, own: str, other: str, seed: bytes, reference: Mapping[str, Any], notebook: bytes, wall: str) -> Marked | str:
    """The same of one notebook only: afterwards nothing runs any more."""
    try:
        return mark_one(exercise, own, other, seed, reference, notebook, wall)
    finally:
        _stop()


_HERE = threading.local()  # a marker marks one notebook at a time, and workers of a cluster may have several threads


def _marker(wall: str) -> Marker:
    """The marker of this thread, started when it is needed."""
    if getattr(_HERE, "wall", None) != wall:
        _stop()
        _HERE.marker, _HERE.wall = marker, _ = Marker(wall=wall), wall
        end_with_the_run(marker.close)
    return _HERE.marker


def _stop() -> None:
    """End the marker of this thread; the next notebook starts another."""
    if hasattr(_HERE, "wall"):
        _HERE.marker.close()
        del _HERE.wall, _HERE.marker


def _bare(notebook: Mapping[str, Any]) -> dict[str, Any]:
    """A reference without its outputs, which no worker needs."""
    cells = [cell | {"outputs": []} if cell["cell_type"] == "code" else cell for cell in notebook["cells"]]
    return {**notebook, "cells": cells}


def _alike(exercise: str, course: Course, reference: Mapping[str, Any], every: Sequence[Graded]) -> list[AlikePair]:
    """The pairs of one exercise that are alike."""
    path = course.exercises[exercise]
    tokens = {who.id: data_token(who.id, exercise, course.secret) for who in course.students}
    rows = [one for one in every if one.exercise == exercise and one.marked]
    return alike(rows, tokens, reference, path.parent.parent / "solutions" / path.name)
