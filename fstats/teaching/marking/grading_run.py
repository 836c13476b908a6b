"""Grade all notebooks of a class in parallel."""

from __future__ import annotations

import hmac
import json
import operator
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from ...runtime.atomic_write import check_own_folder, create_folder
from ...runtime.file_lock import FileLock
from ...runtime.parallel_tasks import run_tasks, worker_backend
from ..course.catalogue import load_exercise_definition
from ..course.individual_data import data_token
from ..course_files import without_outputs
from ..grading.task import Task
from .fault_tolerance import collect_errors, describe_error, run_or_default
from .marks.class_grades import GradingCourse, Problems, class_grades
from .marks.mark_archive import GRADED, STORE, MarkArchive, earlier_points, fingerprint, merge_manual_marks, package_digest
from .marks.marker import Marker
from .marks.student_grade import StudentGrade, attempts_by_upload, latest_submission, problems_by_student
from .marks.submission_mark import MarkingTimeout, SubmissionMark, interrupted_after
from .plagiarism.similar_submissions import SimilarPair, find_similar_pairs
from .release import lesson_fingerprints
from .reports.result_files import BY_HAND, write_files
from .roster import StudentIndex
from .run_cleanup import exit_with_parent_run, temporary_run_folder
from .sandbox.allow_list import libraries, resolve_symlinks
from .sandbox.bubblewrap_sandbox import SandboxUnavailable
from .sandbox.sandbox_leak_check import UNTESTED, check_sandbox, leak_targets
from .submissions.submission_import import import_submissions
from .submissions.uploaded_files import Received, read_files

MARKING_SECONDS = 60  # maximum seconds of computing time to mark a notebook outside of its sandbox; usually 0.2 s are enough


def grade_class(
    places: Sequence[Path],
    course: GradingCourse,
    out: Path,
    *,
    jobs: int = 2,
    wall: str = "strongest",
    again: bool = False,
    backend: str = "loky",
    scheduler: str | None = None,
) -> tuple[list[StudentGrade], list[str]]:
    """Mark all submissions, and write all results into a folder; return the grades and notes on the run.

    Parameters
    ----------
    places : sequence of Path
        Folders or zips of submissions; a later folder or zip holds later attempts.
    course : GradingCourse
        The settings of the run.
    out : Path
        The output folder.  An interrupted run continues; earlier files that differ from the new files move to the subfolder ``earlier``.
    jobs : int
        The number of workers; -1 for one worker on each core.
    wall : str
        The choice of the sandbox: a key of :data:`fstats.teaching.marking.sandbox.sandbox_choice.SANDBOX_CHOICES`.
    again : bool
        Whether notebooks that are already marked are marked again.
    backend, scheduler : str
        The kind of workers, as in :func:`fstats.runtime.parallel_tasks.workers`.
    """
    check_own_folder(out, any((out / name).exists() for name in (GRADED, STORE)), "--out", "grade")
    with create_folder(out / STORE), _lock_folder(out / STORE / "in_use"), collect_errors() as failed:
        filled = merge_manual_marks(out / BY_HAND, out / STORE)
        received = _find_submissions(places, course)
        handed_in = {name: path for name, path in course.exercises.items() if any(one.exercise == name for one in received)}
        if course.as_handed_in and handed_in:
            course = replace(course, exercises=handed_in)
        if left := {exercise for _, exercise in earlier_points(out / GRADED)} - course.exercises.keys():
            raise FileExistsError(
                f"the folder {out} already has marks of {', '.join(sorted(left))}. Mark all these exercises together, or write --out "
                "with another folder."
            )
        others = [one for one in received if one.problem]
        tried = attempts_by_upload(received)
        chosen = [one for every in tried.values() for one in ([latest_submission(every)] if course.policy.take == "last" else every)]
        # leave out the outputs, which the workers do not need
        references = {name: json.loads(without_outputs(path.read_text(encoding="utf-8"))) for name, path in course.exercises.items()}
        with temporary_run_folder(), worker_backend(backend, jobs, scheduler):
            marks, unmarked, notes = _mark_all(chosen, course, references, MarkArchive(out), jobs, wall, again, [*places, out])
        why = {**unmarked, **problems_by_student(received, course.exercises)}
        every = [row for name in references for row in class_grades(name, course, references[name], tried, marks, why, filled)]
        pairs: list[SimilarPair] = []
        for name, reference in references.items():
            search = partial(_similar_pairs, name, course, reference, every)
            pairs += run_or_default(f"The search for similar notebooks in {name}", search, list[SimilarPair]())
        return every, write_files(every, others, pairs, course, out, notes, failed)


@contextmanager
def _lock_folder(use: Path) -> Iterator[None]:
    """Lock the output folder against other runs; if an error is raised, remove a lock file that did not exist before."""
    first = not use.exists()
    try:
        with closing(FileLock(use)):
            yield
    except BaseException:
        if first:
            use.unlink(missing_ok=True)
        raise


def _find_submissions(places: Sequence[Path], course: GradingCourse) -> list[Received]:
    """Import the submissions; the identifier of each upload contains the number of the folder or zip from which it comes."""
    register = StudentIndex(course.students)
    lessons = lesson_fingerprints(next(iter(course.exercises.values())).parents[1] / "notebooks")
    how: dict[str, Any] = {"times": course.times, "dates": course.dates, "lessons": lessons}
    return [
        replace(one, upload=f"{number}: {one.upload}")
        for number, place in enumerate(places, 1)
        for one in import_submissions(read_files(place), register, course.exercises, place=place, **how)
    ]


# -- marking -------------------------------------------------------------------------------------------------------------------
def _mark_all(
    chosen: Sequence[Received],
    course: GradingCourse,
    references: Mapping[str, Any],
    store: MarkArchive,
    jobs: int,
    wall: str,
    again: bool,
    hidden: Sequence[Path],
) -> tuple[dict[Received, SubmissionMark], Problems, list[str]]:
    """Return the (stored or new) mark of each notebook, the reasons for missing marks, and notes on the sandboxes.

    The sandbox is tested at the same time: a submission must see neither the course nor the paths in `hidden`.
    """
    code = package_digest()
    marks: dict[Received, SubmissionMark] = {}
    failed: dict[tuple[str, str], str] = {}
    todo: list[tuple[Received, str, tuple[Any, ...]]] = []
    for one in chosen:
        own, other, seed = data_tokens(one.student, one.exercise, course.secret, one.digest)
        key = fingerprint(code, references[one.exercise], own, other, seed.hex())
        if not again and (stored := store.get(one, key, wall)):
            marks[one] = stored
        else:
            todo.append((one, key, (one.exercise, own, other, seed, references[one.exercise])))
    try:
        # the leak scan is the first task, and runs in parallel to the marking; a notebook is unpacked only when its task starts
        scan = [(check_sandboxes, next(iter(course.exercises.values())).parents[1], [*map(str, hidden)], wall)] if todo else []
        tasks = chain(scan, ((mark_notebook, *drawn, one.content, wall) for one, _, drawn in todo))
        results = run_tasks(operator.call, tasks, total=len(scan) + len(todo), jobs=jobs, title="marking", single=True)
        notes: list[str] = []
        for number, result in results:
            if number < len(scan):
                notes += result
                continue
            one, key, _ = todo[number - len(scan)]
            if isinstance(result, str):
                failed[one.exercise, one.student] = result
            else:
                marks[one] = result
                run_or_default(f"Keeping the mark of {one.path}", partial(store.put, one, key, result), None)
    finally:
        _stop()
    return marks, failed, notes


def check_sandboxes(course: Path, hidden: Sequence[str], wall: str) -> list[str]:
    """Scan each sandbox for leaks and return a sentence on each sandbox.

    Raises `SandboxUnavailable` if the course or a hidden path is visible.
    """
    try:
        if not (walls := _marker(wall).walls):
            return []
        targets = leak_targets(course, [*map(Path, hidden)]) | {"unread": [*map(str, resolve_symlinks(libraries())[1])], "inside": False}
        return [check_sandbox(one, targets) for one in walls]
    except SandboxUnavailable:
        raise
    except Exception as error:  # an error in the scan must not prevent the marking
        return [f"{UNTESTED}{describe_error(error)}."]


def data_tokens(student: str, exercise: str, secret: str, digest: str) -> tuple[str, str, bytes]:
    """Return the token of a student's data, the token of other data for the second run, and the seed of the data for functions.

    The second token and the seed cannot be computed without the secret, not even from the student's own token.  Both depend on the `digest`
    of the notebook: feedback may show data on which functions were tried, and the next submission is tried on other data.
    """
    texts = (f"{use}\n{exercise}\n{student}\n{digest}".encode() for use in ("other data", "functions"))
    other, seed = (hmac.digest(secret.encode(), text, "sha256") for text in texts)
    return data_token(student, exercise, secret), other.hex()[:16], seed


def mark_notebook(
    exercise: str, own: str, other: str, seed: bytes, reference: Mapping[str, Any], notebook: bytes, wall: str
) -> SubmissionMark | str:
    """Return the mark of a notebook, or a sentence that says why there is no mark; a worker calls this for each notebook in turn."""
    try:
        task, fresh = Task(load_exercise_definition(exercise), own), Task(load_exercise_definition(exercise), other)
        marker = _marker(wall)
        with interrupted_after(MARKING_SECONDS):
            return marker.mark(reference, notebook, task, fresh, seed)
    except SandboxUnavailable:
        raise
    except MarkingTimeout:
        _stop()
        return f"it could not be marked: reading and judging the notebook took more than {MARKING_SECONDS} seconds of computing time"
    except Exception as error:  # an error in one notebook must not end the marking of a class
        _stop()
        return f"it could not be marked: {describe_error(error)}"


def mark_notebook_alone(*task: Any) -> SubmissionMark | str:
    """Mark a single notebook, and end the sandbox processes afterwards."""
    try:
        return mark_notebook(*task)
    finally:
        _stop()


_THREAD = threading.local()  # one marker for each thread, because a marker can mark only one notebook at a time


def _marker(wall: str) -> Marker:
    """Return the marker of this thread; the first call starts the marker."""
    if getattr(_THREAD, "wall", None) != wall:
        _stop()
        _THREAD.marker, _THREAD.wall = marker, _ = Marker(wall=wall), wall
        exit_with_parent_run(marker.close)
    return _THREAD.marker


def _stop() -> None:
    """Close the marker of this thread; the next notebook starts a new one."""
    if hasattr(_THREAD, "wall"):
        _THREAD.marker.close()
        del _THREAD.wall, _THREAD.marker


def _similar_pairs(exercise: str, course: GradingCourse, reference: Mapping[str, Any], every: Sequence[StudentGrade]) -> list[SimilarPair]:
    """Return the pairs of similar submissions to one exercise."""
    path = course.exercises[exercise]
    tokens = {who.id: data_token(who.id, exercise, course.secret) for who in course.students}
    rows = [one for one in every if one.exercise == exercise and one.marked]
    return find_similar_pairs(rows, tokens, reference, path.parent.parent / "solutions" / path.name)
