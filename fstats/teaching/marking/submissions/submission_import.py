"""Import submissions: student, exercise and time of each file in the exports of Moodle, Canvas and nbgrader."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple
from zlib import compress, decompress

from ...course.catalogue import exercise_names
from ..fault_tolerance import run_or_default
from ..roster import StudentIndex
from .notebook_names import COPY_PREFIX, NOTEBOOK_ENDING, has_notebook_ending, notebook_name
from .uploaded_files import TIMESTAMP_FILE, UploadedFile

UNREAD = "the file could not be read; the first lines of the report say why"
# Moodle: "Ada King_123_assignsubmission_file_/x.ipynb", a folder (without the last "_" since 4.1), or a file if there are no folders
MOODLE = re.compile(r"\A(?P<name>.*?)_(?P<number>\d+)_assignsubmission_[a-z]+(?:_(?P<rest>.*))?", re.DOTALL)
# Canvas: "kingada_LATE_123_456_x.ipynb" with the numbers of user and file; "anon_xYz12_456_x.ipynb" if Canvas hides names
CANVAS = re.compile(r"\A(?P<name>.*?)_(?P<late>LATE_)?(?P<number>(?:(?<=anon_)[0-9A-Za-z]+)|\d+)_(?P<file>\d+)_(?P<rest>.+)", re.DOTALL)
# nbgrader's exchange: "s1234567+ps1+2026-11-24 10:15:00.123456 UTC+aGk3Zm9v" in a folder "inbound"; the last part is optional
EXCHANGED = re.compile(r"\A(?P<name>.+)\+(?P<assignment>[^+]+)\+(?P<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[^+]*)(?:\+[^+]*)?")
OPENED = re.compile(rb"""\bexercise\(\s*(?:\\"|')(\w+)""")  # searched for in the raw text, since the file is not yet trusted
NO_NOTEBOOK = "no notebook: not marked; the file of a notebook ends with .ipynb"
YEARS = range(1980, 2100)  # plausible years of a submission


@dataclass(frozen=True)
class Received:
    """A submitted notebook, or a file that is not marked, with the reason.

    Parameters
    ----------
    path : str
        Path in the folder or the zip.
    student, exercise : str
        Student and exercise; empty if unknown, for the reason in `problem`.
    packed : bytes
        The compressed notebook; notebooks are compressed since those of a whole class are in memory at once.
    digest : str
        Hash of the content.
    handed_in : datetime or None
        Time of the submission; `known_by` names its source.
    late : bool
        Whether the platform marked the submission as late.
    layout, number : str
        "moodle", "canvas", "exchange" or "", and the platform's number of the student; feedback is returned by layout and number.
    named : str
        The part of the path that names the student, as given by the platform.
    file : str
        The student's own name of the file.
    upload : str
        Identifier of the upload; among several notebooks in one upload, only one notebook counts.
    modified : datetime or None
        Date of the file; a student's zip has one date for all its files.
    note : str
        A note for the lecturer about the submission.
    choice : str
        A sentence for the student and the lecturer if the upload holds several notebooks: which of them counts, and why.
    problem : str
        The reason why the file is not marked.
    """

    path: str
    student: str = ""
    exercise: str = ""
    packed: bytes = field(default=b"", repr=False)
    digest: str = ""
    handed_in: datetime | None = None
    known_by: str = ""
    late: bool = False
    layout: str = ""
    number: str = ""
    named: str = ""
    file: str = ""
    upload: str = ""
    modified: datetime | None = None
    note: str = ""
    choice: str = ""
    problem: str = ""

    @property
    def content(self) -> bytes:
        """Uncompressed notebook."""
        return decompress(self.packed) if self.packed else b""


def import_submissions(
    files: Iterable[UploadedFile],
    register: StudentIndex,
    exercises: Collection[str],
    *,
    times: Mapping[str, datetime | None] = MappingProxyType({}),
    dates: bool = False,
    place: Path | None = None,
    lessons: Mapping[str, re.Pattern[bytes]] = MappingProxyType({}),
) -> list[Received]:
    """Read the submissions, file by file, ordered by path; `lessons` of the course (see `lesson_fingerprints`) are skipped.

    Parameters
    ----------
    files : iterable of UploadedFile
        The result of :func:`read_files`.
    register : StudentIndex
        The students of the course.
    exercises : collection of str
        The exercises that are marked now.
    times : mapping
        Submission times by student, from a list of the lecturer or from Moodle's worksheet.
    dates : bool
        Whether the date of a file is used as its submission time if no better source exists.
    place : Path, optional
        The folder or zip that contains the files; nbgrader's folder is called ``submitted``.
    """
    course = sorted(exercise_names(), key=len, reverse=True)  # longest name first, since a long name may contain a shorter name
    stamps: dict[str, bytes] = {}
    results: list[Received] = []
    for file in files:

        def read(file: UploadedFile = file) -> Received | None:
            received = _owner(file, register, place.name if place else "")
            if file.parts[-1:] == (TIMESTAMP_FILE,):
                if received.known_by == TIMESTAMP_FILE and received.upload == file.path.rpartition("/")[0] and not file.upload:
                    stamps[received.upload] = file.content
                return None
            if (lesson := lessons.get(f"{notebook_name(received.file).stem}.ipynb")) and lesson.search(file.content):
                return None
            exercise, problem = _exercise(file, received.file, exercises, course)
            if not file.problem and not problem and received.problem and file.upload and not received.number:
                problem = (
                    f"{received.problem}; names inside a zip do not count: if a platform made the zip, give the zip itself to fstats grade"
                )
            problem = file.problem or problem or received.problem
            packed = b"" if problem else compress(file.content, 1)
            digest = sha256(file.content).hexdigest()
            return replace(received, exercise=exercise, packed=packed, digest=digest, modified=file.modified, problem=problem)

        lost: Received | None = Received(file.path, problem=UNREAD)
        if received := run_or_default(f"Reading {file.path}", read, lost):
            results.append(received)
    return sorted((_with_time(received, stamps, times, dates) for received in results), key=_natural_order)


def _with_time(received: Received, stamps: Mapping[str, bytes], times: Mapping[str, datetime | None], dates: bool) -> Received:
    """Add the time from the best source: a list, nbgrader's file, or the date of the file, in this order."""
    stamp = stamps.get(received.upload) if received.known_by == TIMESTAMP_FILE else None
    by_stamp = None if stamp is None else _parse_nbgrader_time(stamp)
    note = f"{TIMESTAMP_FILE} holds no possible time: the file was ignored." if stamp is not None and by_stamp is None else ""
    known = (
        (times.get(received.student), "a list"),
        (by_stamp, TIMESTAMP_FILE),
        (received.modified if dates else None, "the date of the file"),
    )
    handed_in, known_by = next(((time, by) for time, by in known if time is not None), (None, ""))
    return replace(received, handed_in=handed_in, known_by=known_by, note=note)


def _natural_order(received: Received) -> list[tuple[int, str]]:
    """Return a sort key in natural order: file 10 comes after file 9, and a second copy after the first.

    Numbers are compared by their count of digits and then as text, since Python refuses to convert thousands of digits.
    """
    parts = re.split(r"([0-9]+)", NOTEBOOK_ENDING.sub("", received.path))
    return [(len(digits := part.lstrip("0")), digits) if part.isdecimal() and part.isascii() else (-1, part) for part in parts]


def _parse_nbgrader_time(content: bytes) -> datetime | None:
    """Parse the time in nbgrader's file, such as ``2026-11-24 10:15:00.123456 UTC``."""
    text = content.decode("utf-8", "replace").strip()
    return parse_time(text.removesuffix("UTC").removesuffix("UCT").strip(), utc=True)


def parse_time(text: str, utc: bool = False) -> datetime | None:
    """Parse a time in ISO 8601, in the zone of this machine (or UTC) if the text names no zone; return None for any other text.

    A time at which no submission is possible, for example in the year 9999, gives None.
    """
    try:
        time = datetime.fromisoformat(text)
        if time.year not in YEARS:
            return None
        return (time.replace(tzinfo=UTC) if utc and time.tzinfo is None else time).astimezone()
    except (ValueError, OverflowError, OSError):  # OverflowError and OSError come from the time zones of the system
        return None


# -- the student of a file ------------------------------------------------------------------------------------------------------------
class _PathPart(NamedTuple):
    """A part of a file's path that may name the student: a folder, or the file name."""

    file: UploadedFile
    register: StudentIndex
    text: str  # the name of the folder or file
    around: str  # name of the folder that contains the part
    before: tuple[str, ...]  # all folders above the part, within the folder or zip of submissions
    folders: tuple[str, ...]  # all folders of the path; the student chose the names of the folders below this part
    moodle: re.Match[str] | None  # match if the name has the form of Moodle's names
    canvas: re.Match[str] | None  # match if the name has the form of Canvas's names

    @property
    def is_folder(self) -> bool:
        """Whether the part is a folder that contains other parts of the path."""
        return self.before != self.folders

    def upload(self, depth: int) -> str:
        """Return the folders down to a depth below the part; these folders identify the upload."""
        return "/".join(self.folders[: len(self.before) + depth])

    def received(self, who: list[str], name: str, column: str, *, file: str = "", **more: Any) -> Received:
        """Return the file as the submission of one student, or with the reason why no single student fits.

        `file` is the student's own name of the file, if it differs from the last part of the path.
        """
        own = self.file.parts[-1] if self.file.upload else file or self.file.upload_parts[-1]
        problem = ""
        if len(who) > 1:
            problem = f"{name!r} may be {' or '.join(who)}: give the roster a column {column} with the numbers in the names of the files"
        elif not who:
            problem = f"of nobody on the roster: {name!r}"
        return Received(self.file.path, "" if problem else who[0], named=self.text, file=own, problem=problem, **more)


def _owner(file: UploadedFile, register: StudentIndex, place: str) -> Received:
    """Return a file with its student: the outermost part of the path that names a student decides; the first rule that applies counts.

    Students choose the names below the outermost part, and all names inside their own zips.
    """
    folders = file.upload_parts[:-1]
    for depth, text in enumerate(file.upload_parts):
        moodle, canvas = MOODLE.fullmatch(text), CANVAS.fullmatch(text)
        if moodle and canvas and depth == len(folders) and canvas.end("name") < moodle.end("name"):
            moodle = None  # a student's file may have a name like a name of another platform; the first match belongs to the platform
        part = _PathPart(file, register, text, (place, *folders)[depth], folders[:depth], folders, moodle, canvas)
        if received := next(filter(None, (rule(part) for rule in RULES)), None):
            return received
    return filename_owner(part)


def moodle_owner(part: _PathPart) -> Received | None:
    """Recognise a folder of Moodle, or a file of Moodle if Moodle makes no folders."""
    if not (match := part.moodle):
        return None
    name, number = match["name"], match["number"]
    who = part.register.by_number("moodle", number) or part.register.by_name(name) or part.register.by_id(name)
    file = "" if part.is_folder else match["rest"] or ""
    return part.received(who, name, "moodle", file=file, layout="moodle", number=number, upload=f"{part.upload(0)} moodle {number}")


def nbgrader_owner(part: _PathPart) -> Received | None:
    """Recognise nbgrader's folders STUDENT/ASSIGNMENT in a folder ``submitted``; the inner folder may contain a file with the time."""
    if part.around != "submitted" or len(part.folders) < len(part.before) + 2:
        return None
    return part.received(part.register.by_id(part.text), part.text, "id", upload=part.upload(2), known_by=TIMESTAMP_FILE)


def exchange_owner(part: _PathPart) -> Received | None:
    """Recognise a submission in nbgrader's exchange folder, named STUDENT+ASSIGNMENT+TIME."""
    if part.around != "inbound" or not part.is_folder or not (match := EXCHANGED.fullmatch(part.text)):
        return None
    name = match["name"]
    return part.received(part.register.by_id(name), name, "id", upload=part.upload(1), known_by=TIMESTAMP_FILE, layout="exchange")


def folder_owner(part: _PathPart) -> Received | None:
    """Recognise a folder named by a student's id; no folder in it may carry the id of another student."""
    if not (part.is_folder and part.register.by_id(part.text)):
        return None
    who = {student for folder in part.folders[len(part.before) :] for student in part.register.by_id(folder)}
    return part.received(sorted(who), "/".join(part.folders), "id", upload=part.upload(2))


def canvas_owner(part: _PathPart) -> Received | None:
    """Recognise a file of Canvas, or an unpacked zip of a student; all other folders were made by the lecturer."""
    if not (match := part.canvas):
        return None
    name, number = match["name"], match["number"]
    who = part.register.by_number("canvas", number) or part.register.by_name(name)
    if part.is_folder and not who and not part.text.casefold().endswith(".zip"):
        return None
    about = {"layout": "canvas", "number": number, "late": bool(match["late"]), "upload": f"{part.upload(0)} canvas {number}"}
    return part.received(who, name, "canvas", file="" if part.is_folder else match["rest"], **about)


RULES: tuple[Callable[[_PathPart], Received | None], ...] = (moodle_owner, nbgrader_owner, exchange_owner, folder_owner, canvas_owner)


def filename_owner(part: _PathPart) -> Received:
    """Recognise a file whose name begins with a student's id, if no folder names the student."""
    text = COPY_PREFIX.sub("", part.text)
    stem = text.rpartition(".")[0] or text
    starts = [stem[: cut.start()] for cut in re.finditer(r"[_ -]|\Z", stem)]
    who = {start: ids for start in starts if (ids := part.register.by_id(start))}
    file = text[len(next(iter(who), "")) :].lstrip("_ -")
    every = sorted({student for ids in who.values() for student in ids})
    return part.received(every, "/".join(part.file.upload_parts), "id", file=file, upload=part.upload(0))


def _exercise(file: UploadedFile, name: str, exercises: Collection[str], course: Sequence[str]) -> tuple[str, str]:
    """Return the exercise of a file (by name, folders, or the exercise that the file opens), and the reason if the file is not marked."""
    is_notebook, content = has_notebook_ending(name), file.content.replace(b"\0", b"")  # without the zeros of UTF-16
    is_notebook = is_notebook or b'"cell_type"' in content
    for text in (name, *reversed(file.parts[:-1])):
        fits = (known for known in course if re.search(rf"(?<![a-z]){known}(?![a-z])", text.casefold()))
        if exercise := next(fits, ""):
            break
    else:
        opened = {name.decode() for name in OPENED.findall(content)} & {*course}
        exercise = opened.pop() if len(opened) == 1 else ""
    if not is_notebook:
        return exercise, NO_NOTEBOOK
    if not exercise:
        return "", "opens no exercise of this course: not marked"
    return exercise, "" if exercise in exercises else f"{exercise} is not among the exercises that are marked now"
