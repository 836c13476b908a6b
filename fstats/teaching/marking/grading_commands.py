"""``fstats release``, ``grade``, ``audit``, ``solution`` and ``gradescope``: commands for lecturers."""

from __future__ import annotations

from argparse import Namespace
from datetime import datetime
from pathlib import Path
from typing import Any

from ...runtime.atomic_write import parse_path
from ...runtime.optional_dependencies import require_extra
from ..course_files import NO_SOLUTIONS

COMMANDS = ("release", "grade", "audit", "solution", "gradescope")
NEEDS_CLONE = ("grade", "solution")  # these commands read or print the solutions


def add_commands(commands: Any) -> None:
    """Add the marking commands and their options to the command line."""
    file, folder = dict(type=parse_path, metavar="FILE"), dict(type=parse_path, metavar="DIR")
    secret = file | dict(help="the secret of the course, a text file that stays with the lecturer")
    students = dict(type=parse_path, metavar="ROSTER", help="a CSV file of students: id, and optionally name, email, section")
    some = dict(nargs="*", metavar="exercise", help="names of exercises, such as paired_t_by_hand; default: all exercises")

    release = commands.add_parser("release", help="write each student's own copies of the exercises")
    release.add_argument("exercises", **some)
    release.add_argument("--students", required=True, **students)
    release.add_argument("--secret", required=True, **secret)
    release.add_argument("--out", required=True, **folder, help="the output folder, with a folder for each student")

    about = "in a clone: mark a folder or a zip of submissions, as Moodle, Canvas or nbgrader export it; students' code runs in a sandbox"
    grade = commands.add_parser("grade", help=about, description=about)
    grade.add_argument(
        "submissions", nargs="+", type=parse_path, help="folders or zips of submissions; a later folder or zip holds later attempts"
    )
    grade.add_argument("--students", required=True, **students)
    grade.add_argument("--secret", required=True, **secret)
    written = "the output folder for marks, feedback and gradebooks; an interrupted run continues"
    grade.add_argument("--out", required=True, **folder, help=written)
    named = "names of exercises, such as paired_t_by_hand; default: all submitted exercises"
    grade.add_argument("--exercises", nargs="+", default=(), metavar="exercise", help=named)
    grade.add_argument("--policy", **file, help="the grading policy of the course, a TOML file; solutions/GRADING.md shows one")
    grade.add_argument("--times", **file, help="a CSV file of submission times, with the columns id and handed in")
    dates = "use the date of a file as its submission time if no better source exists"
    grade.add_argument("--trust-dates", action="store_true", help=dates)
    grade.add_argument("--moodle", **file, help="Moodle's grading worksheet: identifies students, gives times, and is filled in")
    grade.add_argument("--canvas", **file, help="the gradebook that Canvas exports: identifies students, and is filled in")
    back = "write feedback for submissions in nbgrader's exchange (folder COURSE/inbound); students fetch the feedback from the exchange"
    grade.add_argument("--exchange", action="store_true", help=back)
    _add_wall_option(grade)
    grade.add_argument("--again", action="store_true", help="mark submissions again that are already marked")
    grade.add_argument("--jobs", type=int, default=2, help="number of workers; -1 for all cores")
    grade.add_argument("--backend", default="loky", help="the kind of workers; dask starts or joins a cluster")
    grade.add_argument(
        "--scheduler", metavar="ADDRESS", help="with --backend dask: the cluster to join; by default a cluster is started on this machine"
    )

    audit = commands.add_parser("audit", help="show the evidence for a mark: values delivered, verdicts, formula")
    audit.add_argument("out", **folder, help="the output folder of fstats grade")
    audit.add_argument("student", help="the student's id on the roster, or the email address")
    audit.add_argument("exercise", nargs="?", default="", help="one exercise; default: all exercises")
    audit.add_argument("question", nargs="?", default="", help="one question, such as q3; default: all questions")
    again = "run the notebook again in its sandbox, and write the evidence for one exercise as a page that can be sent; needs --secret"
    audit.add_argument("--page", **file, help=again)
    audit.add_argument("--secret", **secret)
    _add_wall_option(audit)

    solution = commands.add_parser("solution", help="in a clone: print the worked solution of an exercise, for the lecturer")
    solution.add_argument("exercise", help="a name such as paired_t_by_hand")
    solution.add_argument("--student", help="use the data of this student; default: the data of the course")
    solution.add_argument("--students", **students)
    solution.add_argument("--secret", **secret)
    solution.add_argument("--out", **folder, help="with --students: write a file ID_EXERCISE.txt for each student, instead of printing")

    gradescope = commands.add_parser(
        "gradescope", help="write the autograder of an exercise for Gradescope, whose container then grades with this package"
    )
    gradescope.add_argument("exercise", help="a name such as paired_t_by_hand")
    gradescope.add_argument("--students", required=True, **students)
    gradescope.add_argument("--secret", required=True, **secret)
    gradescope.add_argument("--policy", **file, help="the grading policy of the course, as for fstats grade")
    gradescope.add_argument("--out", required=True, **file, help="the zip to write, such as autograder.zip")


def _add_wall_option(command: Any) -> None:
    choice = (
        "the sandbox for students' code: the strongest available (default), a named one, or both sandboxes with a report of disagreements"
    )
    command.add_argument("--wall", choices=("bubblewrap", "wasm", "weak", "both"), default="strongest", help=choice)
    weak = "if no sandbox is available: run students' code with weaker isolation"
    command.add_argument("--allow-weak-isolation", dest="wall", action="store_const", const="any", help=weak)


def run_command(asked: Namespace, folder: Path) -> int:
    """Run a marking command and return its exit status; `folder` contains the folders `exercises` and `solutions`."""
    do = {"release": _release, "grade": _grade, "audit": _audit, "solution": _solution, "gradescope": _gradescope}[asked.command]
    if asked.command == "solution" and bool(asked.student or asked.students) != bool(asked.secret):
        asked.parser.error("--student (or --students) and --secret belong together: the data of a student depend on both")
    if asked.command == "solution" and asked.student and asked.students:
        asked.parser.error("--student names one student, --students all students of a roster: give only one of the two options")
    if asked.command == "audit" and bool(asked.page) != bool(asked.secret and asked.exercise):
        asked.parser.error("--page, --secret and an exercise belong together: the data of the exercise depend on the secret")
    if asked.command == "solution" and asked.out and not asked.students:
        asked.parser.error("--out needs --students: the solution for a single student is printed")
    if asked.command in NEEDS_CLONE and not (folder / "solutions").is_dir():
        raise LookupError(f"fstats {asked.command} {NO_SOLUTIONS}")
    with require_extra("grade", f"fstats {asked.command}"):
        _check_files(asked)
        if getattr(asked, "exercise", ""):
            asked.exercise = _find_exercise(asked.exercise, folder)
        do(asked, folder)
    return 0


FILES = {
    "students": "the roster, a CSV file with a line for each student: id, name, email",
    "secret": "the secret of the course, a text file with at least 16 characters that only you know: "
    "python -c 'import secrets; print(secrets.token_hex(16))' > secret.txt writes such a file",
    "policy": "the grading policy, a TOML file; solutions/GRADING.md has an example",
    "moodle": "the grading worksheet that Moodle writes",
    "canvas": "the gradebook that Canvas exports",
    "times": "the submission times, a CSV file",
}


def _check_files(asked: Namespace) -> None:
    """Raise an error about a missing file before any work, and say what the file contains."""
    for name, what in FILES.items():
        path = getattr(asked, name, None)
        if path is not None and not Path(path).is_file():
            raise FileNotFoundError(
                f"--{name}: {f'{path} is a folder, and no file' if path.is_dir() else f'there is no file {path}'} ({what})"
            )


def _find_exercise(name: str, folder: Path) -> str:
    """Return the exercise with this number, name, file name or beginning of a name."""
    from .release import exercise_notebooks, select_exercises

    return next(iter(select_exercises([name], exercise_notebooks(folder / "exercises"))))


def _read_secret(asked: Namespace) -> str:
    from ..course.individual_data import SECRET_LENGTH

    try:
        secret = asked.secret.read_text(encoding="utf-8").strip() if asked.secret else ""
    except UnicodeDecodeError:  # PowerShell 5 writes UTF-16
        raise ValueError(f"{asked.secret}: this is not text in UTF-8; open it in an editor and save it again as UTF-8") from None
    if asked.secret and len(secret) < SECRET_LENGTH:
        raise ValueError(
            f"{asked.secret}: the secret must have at least {SECRET_LENGTH} characters, or it could be guessed; got {len(secret)}"
        )
    return secret


def _release(asked: Namespace, folder: Path) -> None:
    from .release import exercise_notebooks, release, select_exercises
    from .roster import read_roster

    students = read_roster(asked.students)
    exercises = select_exercises(asked.exercises, exercise_notebooks(folder / "exercises"))
    count = release(students, exercises, _read_secret(asked), asked.out)
    print(f"{count} notebooks for {len(students)} students in {asked.out}")


def _grade(asked: Namespace, folder: Path) -> None:
    from ...runtime.atomic_write import create_folder
    from .grading_run import grade_class
    from .learning_platforms.gradebook_csv import add_canvas_numbers, add_moodle_numbers, read_hand_in_times
    from .learning_platforms.nbgrader_exchange import write_exchange_feedback
    from .marks.class_grades import GradingCourse
    from .marks.grading_policy import Policy
    from .release import exercise_notebooks, select_exercises
    from .roster import read_roster
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
        if not asked.scheduler:  # on a cluster, the cluster's workers have the sandboxes
            prepare_sandbox(asked.wall)
        every, notes = grade_class(asked.submissions, course, asked.out, wall=asked.wall, **work)
    if unknown := sorted(stated.keys() - {one.id for one in students}):
        notes.append(f"{asked.times} has times of {', '.join(unknown)}, who are not in {asked.students}: these times are not used.")
    for inbound in (place for place in asked.submissions if asked.exchange and place.name == "inbound" and place.is_dir()):
        pages = write_exchange_feedback(every, inbound)
        notes.append(f"{pages} feedback pages are in {inbound.parent / 'feedback'}, where nbgrader's list of assignments finds the pages.")
    print("\n".join([*notes, f"All results are in {asked.out}: begin with report.html."]))


def _audit(asked: Namespace, folder: Path) -> None:
    from ...runtime.atomic_write import check_writable, write_atomically
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
    from ...runtime.atomic_write import check_writable, write_atomically
    from .learning_platforms.gradescope_autograder import autograder_zip
    from .marks.grading_policy import Policy
    from .release import exercise_notebooks
    from .roster import read_roster

    students = read_roster(asked.students)
    if lost := [one.id for one in students if not one.email]:
        raise ValueError(f"{asked.students}: Gradescope identifies students by their email address; {lost[0]} has none")
    if asked.policy:
        Policy.read(asked.policy)
    path = exercise_notebooks(folder / "exercises")[asked.exercise]
    with check_writable(asked.out):
        write_atomically(asked.out, autograder_zip(asked.exercise, students, _read_secret(asked), path, asked.policy))
    print(f"{asked.out}: upload it at Gradescope, Configure Autograder, Zip file upload, base image Ubuntu.")


def _solution(asked: Namespace, _: Path) -> None:
    from ...runtime.atomic_write import atomic_folder
    from ..course.catalogue import exercise
    from ..course.individual_data import individual
    from .roster import read_roster

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
        print(*texts.values(), sep="\f", end="\f")  # each solution on a new page
        return
    existing = {asked.out / name: text.encode() for name, text in texts.items() if (asked.out / name).exists()}
    if other := next((path for path, text in existing.items() if path.read_bytes() != text), None):
        raise FileExistsError(f"{other} exists already with other content; give --out an empty or a new folder")
    with atomic_folder(asked.out) as out:
        for name, text in texts.items():
            (out / name).write_bytes(text.encode())
    print(f"{len(texts)} solutions of {asked.exercise} in {asked.out}")
