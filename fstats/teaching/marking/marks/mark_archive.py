"""Archive of marks in JSON files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any

from ....runtime.atomic_write import write_atomically
from ..roster import Student
from ..sandbox.sandbox_choice import is_sufficient
from ..submissions.uploaded_files import Received
from .grading_policy import Policy
from .manual_marks import FreeText, Place, read_form
from .student_grade import Attempt, AttemptSummary, StudentGrade
from .submission_mark import SubmissionMark

GRADED = "graded.json"
STORE = "marked"
SET_BY_HAND = "by_hand.json"  # file with the marks that a person has entered


class MarkArchive:
    """Marks of notebooks, with one file for each mark, by exercise, student and content."""

    def __init__(self, out: Path) -> None:
        self.place = out / STORE

    def _path(self, one: Received) -> Path:
        return self.place / one.exercise / one.student / f"{one.digest[:16]}.json"

    def get(self, one: Received, made_from: str, wall: str) -> SubmissionMark | None:
        """Return the mark of a notebook if the mark was made from the same sources in a sufficient sandbox; otherwise None.

        The sources are the data, the reference notebook, the code of the package and the limits.
        """
        try:
            stored = json.loads(self._path(one).read_text(encoding="utf-8"))
            if stored["made from"] != made_from or stored["digest"] != one.digest:
                return None
            marked = SubmissionMark.from_dict(stored["marked"])
            return marked if is_sufficient(marked.isolation, wall) else None
        except (OSError, ValueError, LookupError, TypeError):
            # the file is missing, or incomplete because the disk was full; mark the notebook again
            return None

    def notebook(self, one: Received) -> bytes:
        """Return the marked notebook.

        Raises
        ------
        LookupError
            If the file is missing, or is not the notebook that was marked.
        """
        path = self._path(one).with_suffix(".ipynb")
        content = path.read_bytes() if path.is_file() else b""
        if sha256(content).hexdigest() != one.digest:
            raise LookupError(f"the file {path} is not the notebook that was marked. Grade the notebook again with --again.")
        return content

    def put(self, one: Received, made_from: str, marked: SubmissionMark) -> None:
        """Store a mark, and the notebook next to it, so that the marking can be repeated."""
        entry = {"made from": made_from, "digest": one.digest, "path": one.path, "marked": marked.to_dict()}
        write_atomically(self._path(one).with_suffix(".ipynb"), one.content)
        write_atomically(self._path(one), (json.dumps(entry, indent=1, ensure_ascii=False) + "\n").encode("utf-8", "replace"))


def merge_manual_marks(form: Path, store: Path) -> dict[Place, tuple[float | None, str]]:
    """Merge the marks of a form with all earlier marks: the form decides on the answers in the form, other answers keep their marks.

    A run may cover only a part of the class, or later attempts; the form of such a run lacks the other answers.
    """
    path = store / SET_BY_HAND
    before = {tuple(place): tuple(points) for place, points in json.loads(path.read_text(encoding="utf-8"))} if path.exists() else {}
    merged = {place: points for place, points in (before | read_form(form)).items() if points != (None, "")}
    if merged != before:
        write_atomically(path, json.dumps([*merged.items()], indent=1, ensure_ascii=False).encode())
    return merged


def package_digest() -> str:
    """Return a digest of the package's code; the digest changes with every edit of the package."""
    package = Path(__file__).parents[3]
    files = sorted(path for ending in ("py", "toml") for path in package.rglob(f"*.{ending}"))
    return fingerprint(*((path.relative_to(package).as_posix(), path.read_text(encoding="utf-8")) for path in files))


def fingerprint(*things: Any) -> str:
    """Return a digest of all settings on which a mark depends."""
    return sha256(json.dumps(things, sort_keys=True).encode()).hexdigest()


# -- all results of a run ----------------------------------------------------------------------------------------------------
def grades_to_json(every: Sequence[StudentGrade], policy: Policy) -> str:
    """Return all grades, with the marks from which they were computed, as JSON text."""
    content = {"policy": asdict(policy), "rows": [_grade_to_dict(one) for one in every]}
    return json.dumps(content, indent=1, ensure_ascii=False, default=datetime.isoformat) + "\n"


def _grade_to_dict(one: StudentGrade) -> dict[str, Any]:
    """Convert a grade to JSON values; the notebook is left out, because its digest identifies it."""
    submission = asdict(replace(one.attempt.submission, packed=b"")) if one.attempt else {}
    submission.pop("packed", None)
    row: dict[str, Any] = {"student": asdict(one.student), "exercise": one.exercise, "submission": submission or None}
    row |= {"marked": one.marked.to_dict() if one.marked else None, "attempts": one.attempts, "texts": [asdict(text) for text in one.texts]}
    row |= {"tries": one.tries, "counted": one.counted, "flags": one.flags, "problem": one.problem}
    return row | {"points": one.points if one.marked else None}


def grades_from_json(path: Path) -> list[StudentGrade]:
    """Read the grades that :func:`grades_to_json` wrote.

    Raises
    ------
    ValueError
        If the file does not exist, or was not written by :func:`grades_to_json`.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        policy = Policy(**{name: _restore_value(name, value) for name, value in content["policy"].items()})
        return [_grade_from_dict(row, policy) for row in content["rows"]]
    except FileNotFoundError:
        raise ValueError(f"the folder {path.parent} was not written by fstats grade. Name the folder that you gave as --out.") from None
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise ValueError(f"the file {path} was not written by fstats grade: {error}") from None


def _restore_time(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def _restore_value(name: str, value: Any) -> Any:
    if name == "deadline":
        return _restore_time(value)
    return {key: datetime.fromisoformat(day) for key, day in value.items()} if name in ("deadlines", "extensions") else value


def _grade_from_dict(row: Mapping[str, Any], policy: Policy) -> StudentGrade:
    attempt = None
    if about := row["submission"]:
        submission = Received(**{**about, "handed_in": _restore_time(about["handed_in"])})
        attempt = Attempt(submission, SubmissionMark.from_dict(row["marked"]))
    texts = [FreeText(**text) for text in row["texts"]]
    tries = tuple(AttemptSummary(path, _restore_time(when), points) for path, when, points in row.get("tries", ()))
    more = {name: row[name] for name in ("exercise", "attempts", "counted", "problem")} | {"flags": tuple(row["flags"]), "tries": tries}
    return StudentGrade(student=Student(**row["student"]), policy=policy, attempt=attempt, texts=texts, **more)


def earlier_points(path: Path) -> dict[tuple[str, str], float | None]:
    """Return the points of the previous run, by student and exercise; empty if there was no previous run."""
    try:
        return {(row["student"]["id"], row["exercise"]): row["points"] for row in json.loads(path.read_text(encoding="utf-8"))["rows"]}
    except (OSError, ValueError, LookupError, TypeError):
        return {}


def write_and_keep_earlier(out: Path, files: Mapping[str, bytes], stamp: str, folders: Iterable[str] = ()) -> Path | None:
    """Write the files of a run; earlier files that differ, or that the run leaves over in `folders`, move to ``earlier/STAMP``.

    Returns
    -------
    Path or None
        The folder to which earlier files moved; None if no file had to move.
    """
    stale = [path.relative_to(out).as_posix() for folder in folders for path in sorted((out / folder).rglob("*")) if path.is_file()]
    aside = next(place for k in count() if not (place := out / "earlier" / (stamp + f"-{k}" * bool(k))).exists())
    moved = False
    for name in dict.fromkeys([*files, *stale]):
        path = out / name
        if path.exists() and path.read_bytes() != files.get(name):
            (aside / name).parent.mkdir(parents=True, exist_ok=True)
            path.replace(aside / name)
            moved = True
    for name, content in files.items():
        if not (out / name).exists():
            write_atomically(out / name, content)
    return aside if moved else None
