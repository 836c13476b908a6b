"""Autograder for Gradescope.

Source: gradescope-autograders.readthedocs.io, "Autograder Specifications" and "Submission Metadata".
"""

from __future__ import annotations

import hmac
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from ....core.mathematics_in_names import plain_formulas
from ....runtime.atomic_write import write_atomically
from ...course.individual_data import data_token
from ..grading_run import data_tokens, mark_notebook_alone
from ..marks.grading_policy import Policy
from ..marks.student_grade import Attempt, StudentGrade, notebook_of_upload, remarks
from ..reports.feedback_pages import feedback_text, make_zip, verdict_title
from ..reports.feedback_pages import remarks as feedback_remarks
from ..roster import Student, StudentIndex
from ..submissions.submission_import import import_submissions, parse_time
from ..submissions.uploaded_files import read_files

PACKAGE = Path(__file__).parents[3]
EXCLUDED_FOLDERS = {"__pycache__", "publish", "explore"}  # folders of fstats that grading does not need
LIBRARIES = ("numpy", "scipy", "matplotlib", "scikit-learn", "pandas", "ipython", "joblib", "tqdm", "latex2mathml")
COURSE, RULES = "course.json", "policy.toml"


def autograder_zip(exercise: str, students: Sequence[Student], secret: str, notebook: Path, policy: Path | None) -> bytes:
    """Return the zip to upload as the autograder of one exercise.

    The zip contains the package, the exercise, and the token of each student's data.  The zip does not contain the secret of the course:
    the data of the second run and of functions depend on another secret, which is derived from the secret of the course.
    """
    about = {
        "exercise": exercise,
        "key": hmac.digest(secret.encode(), f"gradescope\n{exercise}".encode(), "sha256").hex(),
        "students": [
            {"id": one.id, "name": one.name, "email": one.email, "token": data_token(one.id, exercise, secret)} for one in students
        ],
        "notebook": json.loads(notebook.read_text(encoding="utf-8")),
    }
    setup, run = (Path(__file__).with_name(f"gradescope_{name}.sh").read_text(encoding="utf-8") for name in ("setup", "run"))
    files: dict[str, str | bytes] = {"setup.sh": setup.format(libraries=" ".join(_pinned_versions())), "run_autograder": run}
    files |= {COURSE: json.dumps(about), RULES: policy.read_bytes() if policy else b""}
    for path in sorted(PACKAGE.rglob("*")):
        if path.is_file() and not EXCLUDED_FOLDERS & {*path.relative_to(PACKAGE).parts}:
            files[f"fstats/{path.relative_to(PACKAGE).as_posix()}"] = path.read_bytes()
    return make_zip(files, executable={"setup.sh", "run_autograder"})


def _pinned_versions() -> list[str]:
    """Return the libraries with the versions on this machine, so that Gradescope gives the same marks as this machine."""
    pinned = []
    for name in LIBRARIES:
        try:
            pinned.append(f"{name}=={version(name)}")
        except PackageNotFoundError:  # the library is optional; without it, formulas are shown as text
            continue
    return pinned


def results(one: StudentGrade) -> dict[str, Any]:
    """Return the results in Gradescope's format; students see the results after publication, but never the notes for the lecturer."""
    tests: list[dict[str, Any]] = []
    for number, mark in enumerate(one.marks, 1):
        own = mark.line.text if mark.line else ()
        lines = [verdict_title(mark), *own, *map(plain_formulas, mark.lines), one.policy.share(mark)[1]]
        answer = [f"Your answer: {mark.answer}"] if mark.answer else []
        tests.append({"name": mark.key, "number": str(number), "score": one.questions[mark.key], "max_score": mark.of})
        tests[-1] |= {"status": "passed" if mark.is_right else "failed", "output": "\n".join([*answer, *lines])}
    if one.flags:
        tests.append({"name": "To look at", "visibility": "hidden", "score": 0.0, "max_score": 0.0, "output": "\n".join(one.flags)})
    summary = "\n".join([feedback_text(one).partition("\n")[0], *feedback_remarks(one)])
    content = {"score": one.points, "output": summary, "output_format": "text"}
    extra = {"token": one.marked.token, "isolation": one.marked.isolation} if one.marked else {}
    return content | {"visibility": "after_published", "stdout_visibility": "hidden", "tests": tests, "extra_data": extra}


def grade_submission(root: Path) -> StudentGrade:
    """Return the grade of the submission in Gradescope's folder ``/autograder``."""
    about = json.loads((root / "source" / COURSE).read_text(encoding="utf-8"))
    policy = Policy.read(root / "source" / RULES)
    metadata = json.loads((root / "submission_metadata.json").read_text(encoding="utf-8"))
    tokens = {one["id"]: one.pop("token") for one in about["students"]}
    register = StudentIndex([Student(**one) for one in about["students"]])
    emails = [str(user.get("email", "")) for user in metadata["users"]]
    who = [student for email in emails for student in register.by_id(email)]
    exercise = about["exercise"]
    if len(who) != 1:
        reason = f"{', '.join(emails)}: {len(who)} of these email addresses are on the roster, and each student has individual data"
        return StudentGrade(Student("", emails[0] if emails else ""), exercise, policy, problem=f"the student is unknown ({reason})")
    student, handed_in = register.students[who[0]], parse_time(str(metadata.get("created_at", "")))
    return _marked(root, about, student, tokens[student.id], policy, {student.id: handed_in} if handed_in else {})


def _marked(root: Path, about: Mapping[str, Any], student: Student, own: str, policy: Policy, times: Mapping[str, Any]) -> StudentGrade:
    exercise = about["exercise"]
    # put each file into a folder with the student's id, by which the import finds the student
    start = f"{student.id}/"
    read = read_files(root / "submission")
    files = [replace(file, path=start + file.path, upload=file.upload and start + file.upload) for file in read]
    received = import_submissions(files, StudentIndex([student]), [exercise], times=times)
    notebooks = [one for one in received if not one.problem]
    if not notebooks:
        why = "; ".join(f"{one.path.partition('/')[2]}: {one.problem}" for one in received[:5])
        return StudentGrade(student, exercise, policy, problem=f"the submission has no notebook of this exercise ({why})")
    one = notebook_of_upload(notebooks)
    _, other, seed = data_tokens(student.id, exercise, about["key"], one.digest)
    marked = mark_notebook_alone(exercise, own, other, seed, about["notebook"], one.content, "any")
    if isinstance(marked, str):
        # without results, Gradescope informs the lecturer instead of giving the student 0 points
        raise RuntimeError(marked)
    attempt = Attempt(one, marked)
    flags = (*marked.flags, *remarks([one], attempt, policy))
    return StudentGrade(student, exercise, policy, attempt, 1, flags=flags)


def main(root: Path) -> None:
    """Grade the submission in a folder with Gradescope's layout, and write the results."""
    write_atomically(root / "results" / "results.json", (json.dumps(results(grade_submission(root)), indent=1) + "\n").encode())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
