"""What was marked, on the disk: a run that was interrupted goes on from it, and an audit reads it. Plain JSON, nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any

from ....runtime.atomic_write import written
from ..roster import Student
from ..sandbox.sandbox_choice import is_sufficient
from ..submissions.submission_import import Received
from .grading_policy import Policy
from .manual_marks import FreeText, Place, read_form
from .student_grade import Attempt, AttemptSummary, StudentGrade
from .submission_mark import SubmissionMark

GRADED = "graded.json"
STORE = "marked"
SET_BY_HAND = "by_hand.json"  # in the store


class MarkArchive:
    """The marks of notebooks, one file for each, by exercise, student and content."""

    def __init__(self, out: Path) -> None:
        self.place = out / STORE

    def _path(self, one: Received) -> Path:
        return self.place / one.exercise / one.student / f"{one.digest[:16]}.json"

    def get(self, one: Received, made_from: str, wall: str) -> SubmissionMark | None:
        """The mark of a notebook, if it was made from the same things (data, reference notebook, code of the package, limits), and behind
        a wall that is good enough.
        """
        try:
            found = json.loads(self._path(one).read_text(encoding="utf-8"))
            if found["made from"] != made_from or found["digest"] != one.digest:
                return None
            marked = SubmissionMark.from_dict(found["marked"])
            return marked if is_sufficient(marked.isolation, wall) else None
        except (OSError, ValueError, LookupError, TypeError):  # none, or a half one of a disk that was full: mark again
            return None

    def notebook(self, one: Received) -> bytes:
        """What was marked.

        Raises
        ------
        LookupError
            If it is not there any more, or is another one.
        """
        path = self._path(one).with_suffix(".ipynb")
        content = path.read_bytes() if path.is_file() else b""
        if sha256(content).hexdigest() != one.digest:
            raise LookupError(f"{path} is not the notebook that was marked: grade it again with --again")
        return content

    def put(self, one: Received, made_from: str, marked: SubmissionMark) -> None:
        """Keep a mark, and beside it the notebook: whoever doubts it can have it run again."""
        found = {"made from": made_from, "digest": one.digest, "path": one.path, "marked": marked.to_dict()}
        written(self._path(one).with_suffix(".ipynb"), one.content)
        written(self._path(one), (json.dumps(found, indent=1, ensure_ascii=False) + "\n").encode("utf-8", "replace"))


def merge_manual_marks(form: Path, store: Path) -> dict[Place, tuple[float | None, str]]:
    """What a person ever filled in: the form decides on the answers that are in it, and all others keep what they had.

    A run may be of half the class only, or of a later attempt; the marks of what is not in it are not in its form.
    """
    path = store / SET_BY_HAND
    before = {tuple(place): tuple(points) for place, points in json.loads(path.read_text(encoding="utf-8"))} if path.exists() else {}
    found = {place: points for place, points in (before | read_form(form)).items() if points != (None, "")}
    if found != before:
        written(path, json.dumps([*found.items()], indent=1, ensure_ascii=False).encode())
    return found


def package_digest() -> str:
    """What tells one version of the package from another, one that somebody changes as well."""
    package = Path(__file__).parents[3]
    return fingerprint(
        *((path.relative_to(package).as_posix(), path.read_text(encoding="utf-8")) for path in sorted(package.rglob("*.py")))
    )


def fingerprint(*things: Any) -> str:
    """What tells one way of marking from another."""
    return sha256(json.dumps(things, sort_keys=True).encode()).hexdigest()


# -- everything that a run found ---------------------------------------------------------------------------------------------
def grades_to_json(every: Sequence[StudentGrade], policy: Policy) -> str:
    """All rows with what they were made of."""
    found = {"policy": asdict(policy), "rows": [_grade_to_dict(one) for one in every]}
    return json.dumps(found, indent=1, ensure_ascii=False, default=datetime.isoformat) + "\n"


def _grade_to_dict(one: StudentGrade) -> dict[str, Any]:
    """A row as JSON keeps it; the notebook itself stays out: its digest says which it was."""
    submission = asdict(replace(one.attempt.submission, packed=b"")) if one.attempt else {}
    submission.pop("packed", None)
    row: dict[str, Any] = {"student": asdict(one.student), "exercise": one.exercise, "submission": submission or None}
    row |= {"marked": one.marked.to_dict() if one.marked else None, "attempts": one.attempts, "texts": [asdict(text) for text in one.texts]}
    row |= {
        "tries": one.tries,
        "counted": one.counted,
        "flags": one.flags,
        "problem": one.problem,
        "points": one.points if one.marked else None,
    }
    return row


def grades_from_json(path: Path) -> list[StudentGrade]:
    """The rows again.

    Raises
    ------
    ValueError
        If there is no such file, or it is none of :func:`grades_to_json`.
    """
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        policy = Policy(**{name: _restore_value(name, value) for name, value in found["policy"].items()})
        return [_grade_from_dict(row, policy) for row in found["rows"]]
    except FileNotFoundError:
        raise ValueError(f"{path.parent}: fstats grade has written nothing there; name the folder that you gave as --out") from None
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise ValueError(f"{path}: this is not what fstats grade wrote: {error}") from None


def _restore_value(name: str, value: Any) -> Any:
    if name == "deadline":
        return datetime.fromisoformat(value) if value else None
    return {key: datetime.fromisoformat(day) for key, day in value.items()} if name in ("deadlines", "extensions") else value


def _grade_from_dict(row: Mapping[str, Any], policy: Policy) -> StudentGrade:
    attempt = None
    if about := row["submission"]:
        when = datetime.fromisoformat(about["handed_in"]) if about["handed_in"] else None
        attempt = Attempt(Received(**{**about, "handed_in": when}), SubmissionMark.from_dict(row["marked"]))
    texts = [FreeText(**text) for text in row["texts"]]
    tries = tuple(
        AttemptSummary(path, datetime.fromisoformat(when) if when else None, points) for path, when, points in row.get("tries", ())
    )
    more = {name: row[name] for name in ("exercise", "attempts", "counted", "problem")}
    return StudentGrade(
        student=Student(**row["student"]), policy=policy, attempt=attempt, texts=texts, flags=tuple(row["flags"]), tries=tries, **more
    )


def earlier_points(path: Path) -> dict[tuple[str, str], float | None]:
    """The points of the run before, by student and exercise; none if there was none."""
    try:
        return {(row["student"]["id"], row["exercise"]): row["points"] for row in json.loads(path.read_text(encoding="utf-8"))["rows"]}
    except (OSError, ValueError, LookupError, TypeError):
        return {}


def write_and_keep_earlier(out: Path, files: Mapping[str, bytes], stamp: str, folders: Iterable[str] = ()) -> Path | None:
    """Write the files of a run; those of an earlier run that differ, or lie in `folders` and are no longer made, move to ``earlier/STAMP``.

    Returns
    -------
    Path or None
        Where the earlier ones are now; None if none had to move.
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
            written(out / name, content)
    return aside if moved else None
