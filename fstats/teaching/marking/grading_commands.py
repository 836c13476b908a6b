"""Grading commands of the command line for lecturers.

The commands are ``fstats release``, ``grade``, ``audit``, ``solution`` and ``gradescope``.
"""

from __future__ import annotations

import tomllib
from argparse import Namespace
from datetime import datetime
from pathlib import Path
from typing import Any

from ...runtime import command_options
from ...runtime.atomic_write import atomic_folder, check_writable, create_folder, write_atomically
from ...runtime.optional_dependencies import require_extra
from ..course_files import NO_SOLUTIONS
from .roster import read_roster

ABOUT = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))  # help text, arguments and files of the commands
COMMANDS = (*ABOUT["commands"],)
# error messages about options of `fstats solution` and `fstats audit`
TOGETHER = "the options --student (or --students) and --secret must be given together, because the data of a student depend on both options"
ONE_OR_ALL = "--student and --students cannot be combined. Write --student for one student, or --students for all students of a roster."
WITH_PAGE = "the options --page and --secret and an exercise must be given together, because the data of the exercise depend on the secret"
PRINTED = (
    "the option --out needs the option --students, because the solution for a single student is only printed. Add --students, "
    "or leave out --out."
)
NEEDS_CLONE = ("grade", "solution")  # commands that need the solutions, which only a clone contains


def add_commands(commands: Any) -> None:
    """Add the subparsers of the grading commands to the parser of ``fstats``."""
    command_options.add_commands(commands, ABOUT, {})


def run_command(asked: Namespace, folder: Path) -> int:
    """Run a marking command and return its exit status; `folder` contains the folders `exercises` and `solutions`."""
    do = {"release": _release, "grade": _grade, "audit": _audit, "solution": _solution, "gradescope": _gradescope}[asked.command]
    is_solution, is_audit = asked.command == "solution", asked.command == "audit"
    rules = {
        TOGETHER: is_solution and bool(asked.student or asked.students) != bool(asked.secret),
        ONE_OR_ALL: is_solution and asked.student and asked.students,
        WITH_PAGE: is_audit and bool(asked.page) != bool(asked.secret and asked.exercise),
        PRINTED: is_solution and asked.out and not asked.students,
    }
    for message in (message for message, is_broken in rules.items() if is_broken):
        asked.parser.error(message)
    if asked.command in NEEDS_CLONE and not (folder / "solutions").is_dir():
        raise LookupError(f"fstats {asked.command} needs the solutions, {NO_SOLUTIONS}")
    with require_extra("grade", f"fstats {asked.command}"):
        _check_files(asked)
        if getattr(asked, "exercise", ""):
            from .release import exercise_notebooks, select_exercises

            # `asked.exercise` may be a number, a name, the beginning of a name, or a file name; replace it by the name
            asked.exercise = next(iter(select_exercises([asked.exercise], exercise_notebooks(folder / "exercises"))))
        do(asked, folder)
    return 0


def _check_files(asked: Namespace) -> None:
    """Raise an error if a file is missing, before any work; the message says what the file should contain."""
    for name, what in ABOUT["files"].items():
        path = getattr(asked, name, None)
        if path is not None and not Path(path).is_file():
            message = f"--{name}: {f'{path} is a folder, and no file' if path.is_dir() else f'there is no file {path}'} ({what})"
            raise FileNotFoundError(message)


def _read_secret(asked: Namespace) -> str:
    from ..course.individual_data import SECRET_LENGTH

    try:
        secret = asked.secret.read_text(encoding="utf-8").strip() if asked.secret else ""
    except UnicodeDecodeError:  # the file is probably UTF-16, which PowerShell 5 writes
        raise ValueError(
            f"the file {asked.secret} is not text in UTF-8. Open the file in an editor, and save the file again as UTF-8."
        ) from None
    if asked.secret and len(secret) < SECRET_LENGTH:
        raise ValueError(
            f"the secret in {asked.secret} must have at least {SECRET_LENGTH} characters, because a shorter secret could be guessed; got "
            f"{len(secret)}"
        )
    return secret


def _release(asked: Namespace, folder: Path) -> None:
    from .release import exercise_notebooks, release, select_exercises

    students = read_roster(asked.students)
    exercises = select_exercises(asked.exercises, exercise_notebooks(folder / "exercises"))
    count = release(students, exercises, _read_secret(asked), asked.out)
    print(f"{count} notebooks for {len(students)} students in {asked.out}")


def _grade(asked: Namespace, folder: Path) -> None:
    from .grading_run import grade_class
    from .learning_platforms.gradebook_csv import add_canvas_numbers, add_moodle_numbers, read_hand_in_times
    from .learning_platforms.nbgrader_exchange import write_exchange_feedback
    from .marks.class_grades import GradingCourse
    from .marks.grading_policy import Policy
    from .release import exercise_notebooks, select_exercises
    from .sandbox.sandbox_choice import prepare_sandbox

    students = read_roster(asked.students)
    times: dict[str, datetime | None] = {}
    if asked.moodle:
        students, times = add_moodle_numbers(students, asked.moodle)
    if asked.canvas:
        students = add_canvas_numbers(students, asked.canvas)
    stated = read_hand_in_times(asked.times) if asked.times else {}
    course = GradingCourse(
        students=students,
        secret=_read_secret(asked),
        exercises=select_exercises(asked.exercises, exercise_notebooks(folder / "exercises")),
        policy=Policy.read(asked.policy) if asked.policy else Policy(),
        times=times | stated,
        dates=asked.trust_dates,
        as_handed_in=not asked.exercises,
        moodle=asked.moodle,
        canvas=asked.canvas,
    )
    work = {name: getattr(asked, name) for name in ("jobs", "again", "backend", "scheduler")}
    with create_folder(asked.out):
        if not asked.scheduler:  # with a scheduler, the sandboxes run on other machines
            prepare_sandbox(asked.wall)
        every, notes = grade_class(asked.submissions, course, asked.out, wall=asked.wall, **work)
    if unknown := sorted(stated.keys() - {one.id for one in students}):
        notes.append(f"{asked.times} has times of {', '.join(unknown)}, who are not in {asked.students}: these times are not used.")
    for inbound in (place for place in asked.submissions if asked.exchange and place.name == "inbound" and place.is_dir()):
        pages = write_exchange_feedback(every, inbound)
        notes.append(f"{pages} feedback pages are in {inbound.parent / 'feedback'}, where nbgrader's list of assignments finds the pages.")
    print("\n".join([*notes, f"All results are in {asked.out}: begin with report.html."]))


def _audit(asked: Namespace, folder: Path) -> None:
    from .release import exercise_notebooks
    from .reports.feedback_pages import html_page
    from .reports.mark_audit import WHY, audit_page, audit_text
    from .sandbox.sandbox_choice import prepare_sandbox

    if asked.page:
        path = exercise_notebooks(folder / "exercises")[asked.exercise]
        with check_writable(asked.page, html_page(WHY, "").partition("</title>")[0]):
            prepare_sandbox(asked.wall)
            text, result = audit_page(asked.out, asked.student, asked.exercise, _read_secret(asked), path, wall=asked.wall)
        write_atomically(asked.page, text.encode("utf-8", "replace"))
        print(f"{result}\nThe page is {asked.page}.")
        return
    print(audit_text(asked.out, asked.student, asked.exercise, asked.question), end="")


def _gradescope(asked: Namespace, folder: Path) -> None:
    from .learning_platforms.gradescope_autograder import autograder_zip
    from .marks.grading_policy import Policy
    from .release import exercise_notebooks

    students = read_roster(asked.students)
    if lost := [one.id for one in students if not one.email]:
        raise ValueError(f"each student in {asked.students} must have an email address for Gradescope; got none for {lost[0]}")
    if asked.policy:
        Policy.read(asked.policy)
    path = exercise_notebooks(folder / "exercises")[asked.exercise]
    with check_writable(asked.out):
        write_atomically(asked.out, autograder_zip(asked.exercise, students, _read_secret(asked), path, asked.policy))
    print(f"{asked.out}: upload it at Gradescope, Configure Autograder, Zip file upload, base image Ubuntu.")


def _solution(asked: Namespace, _: Path) -> None:
    from ..course.catalogue import exercise
    from ..course.individual_data import individual

    secret = _read_secret(asked)
    if not asked.students:
        task = individual(asked.student, asked.exercise, secret) if asked.student else exercise(asked.exercise)
        print(task.solution(), end="")
        return
    texts = {
        f"{who.id}_{asked.exercise}.txt": f"{who.id}  {who.name}".rstrip() + "\n" + individual(who.id, asked.exercise, secret).solution()
        for who in read_roster(asked.students)
    }
    if asked.out is None:
        print(*texts.values(), sep="\f", end="\f")  # each solution ends with a form feed, so that a printer starts a new page
        return
    existing = {asked.out / name: text.encode() for name, text in texts.items() if (asked.out / name).exists()}
    if other := next((path for path, text in existing.items() if path.read_bytes() != text), None):
        raise FileExistsError(f"the file {other} exists already with other content. Write --out with an empty or a new folder.")
    with atomic_folder(asked.out) as out:
        for name, text in texts.items():
            (out / name).write_bytes(text.encode())
    print(f"{len(texts)} solutions of {asked.exercise} in {asked.out}")
