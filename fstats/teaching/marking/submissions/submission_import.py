"""Whose a notebook is, of which exercise, and when it was handed in: as Moodle, Canvas and nbgrader lay their exports out."""

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
from .uploaded_files import TIMESTAMP_FILE, UploadedFile

# Moodle: "Ada King_123_assignsubmission_file_/x.ipynb", without the last "_" since 4.1, or all in one name where it makes no folders
UNREAD = "it could not be read; the first lines of the report say why"
MOODLE = re.compile(r"\A(?P<name>.*?)_(?P<number>\d+)_assignsubmission_[a-z]+(?:_(?P<rest>.*))?", re.DOTALL)
# Canvas: "kingada_LATE_123_456_x.ipynb", the user's number and the file's; "anon_xYz12_456_x.ipynb" where it hides the names
CANVAS = re.compile(r"\A(?P<name>.*?)_(?P<late>LATE_)?(?P<number>(?:(?<=anon_)[0-9A-Za-z]+)|\d+)_(?P<file>\d+)_(?P<rest>.+)", re.DOTALL)
# nbgrader's exchange: "s1234567+ps1+2026-11-24 10:15:00.123456 UTC+aGk3Zm9v" in a folder "inbound", the last part if it is added
EXCHANGED = re.compile(r"\A(?P<name>.+)\+(?P<assignment>[^+]+)\+(?P<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[^+]*)(?:\+[^+]*)?")
OPENED = re.compile(rb"""\bexercise\(\s*(?:\\"|')(\w+)""")  # in the text of the file: nothing is parsed that is not yet trusted
COPY_SUFFIX = re.compile(r"(-\d+|-Copy\d+| ?\(\d+\))(?=\.ipynb\Z)")  # what platforms, Jupyter and browsers add to the name of a second file
YEARS = range(1980, 2100)  # in which something can have been handed in


@dataclass(frozen=True)
class Received:
    """A notebook that was handed in, or a file that is not marked and why.

    Parameters
    ----------
    path : str
        Where it lies in the folder or the zip.
    student, exercise : str
        Whose it is and of which exercise; empty where `problem` says why nobody knows.
    packed : bytes
        The notebook, compressed: a whole class is held at once.
    digest : str
        What tells one content from another.
    handed_in : datetime or None
        When; `known_by` says from where that is known.
    late : bool
        Whether the platform calls it late.
    layout, number : str
        "moodle", "canvas", "exchange" or "", and the platform's number of the student: how feedback finds its way back.
    named : str
        The part of the path that says whose it is: the name that the platform gave.
    file : str
        What the student called it.
    upload : str
        What it was handed in with; of several notebooks in one upload one counts.
    note : str
        What a lecturer should know of how it was handed in.
    problem : str
        Why it is not marked.
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
    note: str = ""
    problem: str = ""

    @property
    def content(self) -> bytes:
        """The notebook."""
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
    """What was handed in, file by file, in the order of their names; the course's `lessons`, as `lessons_of` knows them, are not.

    Parameters
    ----------
    files : iterable of HandedIn
        As :func:`files_in` reads them.
    register : Register
        Who may have handed in.
    exercises : collection of str
        Those that are marked now.
    times : mapping
        When a student handed in, by id, where a list says it.
    dates : bool
        Whether the date of a file counts as the time of its hand-in where nothing better is known.
    place : Path, optional
        The folder or zip in which the files lie: nbgrader's is called ``submitted``.
    """
    course = sorted(exercise_names(), key=len, reverse=True)  # a long name may hold a shorter one
    stamps: dict[str, bytes] = {}
    found: list[tuple[Received, datetime | None]] = []
    for file in files:

        def read(file: UploadedFile = file) -> Received | None:
            one = _owner(file, register, place.name if place else "")
            if file.parts[-1:] == (TIMESTAMP_FILE,):
                if one.known_by == TIMESTAMP_FILE and one.upload == file.path.rpartition("/")[0] and not file.upload:
                    stamps[one.upload] = file.content
                return None
            if (lesson := lessons.get(COPY_SUFFIX.sub("", one.file))) and lesson.search(file.content):
                return None
            exercise, problem = _exercise(file, one.file, exercises, course)
            if not file.problem and not problem and one.problem and file.upload and not one.number:
                problem = f"{one.problem}; names inside a zip say nothing: if a platform made it, give it to fstats grade by itself"
            problem = file.problem or problem or one.problem
            packed = b"" if problem else compress(file.content, 1)
            return replace(one, exercise=exercise, packed=packed, digest=sha256(file.content).hexdigest(), problem=problem)

        lost: Received | None = Received(file.path, problem=UNREAD)
        if one := run_or_default(f"Reading {file.path}", read, lost):
            found.append((one, file.dated if dates else None))
    return sorted((_with_time(one, stamps, times, dated) for one, dated in found), key=_natural_order)


def _with_time(one: Received, stamps: Mapping[str, bytes], times: Mapping[str, datetime | None], dated: datetime | None) -> Received:
    """It with the time that is known best: by a list, by nbgrader's file, by the date of the file."""
    stamp = stamps.get(one.upload) if one.known_by == TIMESTAMP_FILE else None
    by_stamp = None if stamp is None else _parse_nbgrader_time(stamp)
    note = f"{TIMESTAMP_FILE} says no time that can be: taken as none." if stamp is not None and by_stamp is None else ""
    known = ((times.get(one.student), "a list"), (by_stamp, TIMESTAMP_FILE), (dated, "the date of the file"))
    handed_in, known_by = next(((time, by) for time, by in known if time is not None), (None, ""))
    return replace(one, handed_in=handed_in, known_by=known_by, note=note)


def _natural_order(one: Received) -> list[tuple[int, str]]:
    """As people count: file 10 behind file 9, and a second copy behind the first.

    Of two numbers the one with more digits is larger; to make numbers of them, Python refuses where there are thousands of digits.
    """
    parts = re.split(r"([0-9]+)", one.path.rpartition(".")[0])
    return [(len(digits := part.lstrip("0")), digits) if part.isdecimal() and part.isascii() else (-1, part) for part in parts]


def _parse_nbgrader_time(content: bytes) -> datetime | None:
    """The time in nbgrader's file, such as ``2026-11-24 10:15:00.123456 UTC``."""
    text = content.decode("utf-8", "replace").strip()
    return parse_time(text.removesuffix("UTC").removesuffix("UCT").strip(), utc=True)


def parse_time(text: str, utc: bool = False) -> datetime | None:
    """A time as ISO 8601 writes it, in the zone of this machine (or UTC) if it names none; None for anything else.

    A time at which nobody can have handed in anything, such as the year 9999, is none.
    """
    try:
        found = datetime.fromisoformat(text)
        if found.year not in YEARS:
            return None
        return (found.replace(tzinfo=UTC) if utc and found.tzinfo is None else found).astimezone()
    except (ValueError, OverflowError, OSError):  # the latter two from the system's own zones
        return None


# -- whose a file is -----------------------------------------------------------------------------------------------------------------
class _PathPart(NamedTuple):
    """A part of a file's path that may say whose it is: a folder, or the name at its end."""

    file: UploadedFile
    register: StudentIndex
    text: str  # the part itself
    around: str  # the folder in which it lies
    before: tuple[str, ...]  # all folders around it, in the place that is marked
    folders: tuple[str, ...]  # and all folders of the path: names that lie below this one the student chose
    moodle: re.Match[str] | None  # what it says if Moodle has named it, and Canvas
    canvas: re.Match[str] | None

    @property
    def is_folder(self) -> bool:
        """Whether something lies below it."""
        return self.before != self.folders

    def upload(self, depth: int) -> str:
        """The folders around it, it, and those below it down to this depth: what tells this upload from another one."""
        return "/".join(self.folders[: len(self.before) + depth])

    def owned(self, who: list[str], said: str, column: str, *, file: str = "", **more: Any) -> Received:
        """The file as the one student's, or with why there is none; `file` is what the student called it, if it is not the name."""
        own = self.file.parts[-1] if self.file.upload else file or self.file.outer[-1]
        problem = ""
        if len(who) > 1:
            problem = f"{said!r} may be {' or '.join(who)}: give the roster a column {column} with the numbers in the names of the files"
        elif not who:
            problem = f"of nobody on the roster: {said!r}"
        return Received(self.file.path, "" if problem else who[0], named=self.text, file=own, problem=problem, **more)


def _owner(file: UploadedFile, register: StudentIndex, place: str) -> Received:
    """Whose a file is: the outermost part of the path that names an owner decides alone, by the first of the rules that knows it.

    What lies below it, and everything inside a zip that a student packed, has names that the student chose.
    """
    folders = file.outer[:-1]
    for depth, text in enumerate(file.outer):
        moodle, canvas = MOODLE.fullmatch(text), CANVAS.fullmatch(text)
        if moodle and canvas and depth == len(folders) and canvas.end("name") < moodle.end("name"):
            moodle = None  # a student's file is called as the other platform's are: what stands first is the platform's
        part = _PathPart(file, register, text, (place, *folders)[depth], folders[:depth], folders, moodle, canvas)
        if whose := next(filter(None, (rule(part) for rule in RULES)), None):
            return whose
    return filename_owner(part)


def moodle_owner(part: _PathPart) -> Received | None:
    """Moodle's folder, or its file where it makes no folders."""
    if not (said := part.moodle):
        return None
    name, number = said["name"], said["number"]
    who = part.register.by_number("moodle", number) or part.register.by_name(name) or part.register.by_id(name)
    file = "" if part.is_folder else said["rest"] or ""
    return part.owned(who, name, "moodle", file=file, layout="moodle", number=number, upload=f"{part.upload(0)} moodle {number}")


def nbgrader_owner(part: _PathPart) -> Received | None:
    """The folders STUDENT/ASSIGNMENT of nbgrader, in a folder ``submitted``; there may be a file with the time in them."""
    if part.around != "submitted" or len(part.folders) < len(part.before) + 2:
        return None
    return part.owned(part.register.by_id(part.text), part.text, "id", upload=part.upload(2), known_by=TIMESTAMP_FILE)


def exchange_owner(part: _PathPart) -> Received | None:
    """A submission in the exchange of nbgrader, as students put it there: STUDENT+ASSIGNMENT+TIME."""
    if part.around != "inbound" or not part.is_folder or not (said := EXCHANGED.fullmatch(part.text)):
        return None
    return part.owned(
        part.register.by_id(said["name"]), said["name"], "id", upload=part.upload(1), known_by=TIMESTAMP_FILE, layout="exchange"
    )


def folder_owner(part: _PathPart) -> Received | None:
    """A folder with somebody's id; the folders within it may have no other's."""
    if not (part.is_folder and part.register.by_id(part.text)):
        return None
    who = {student for folder in part.folders[len(part.before) :] for student in part.register.by_id(folder)}
    return part.owned(sorted(who), "/".join(part.folders), "id", upload=part.upload(2))


def canvas_owner(part: _PathPart) -> Received | None:
    """Canvas's file, or a zip of a student that somebody unpacked; it makes no other folders, which are the lecturer's."""
    if not (said := part.canvas):
        return None
    name, number = said["name"], said["number"]
    who = part.register.by_number("canvas", number) or part.register.by_name(name)
    if part.is_folder and not who and not part.text.casefold().endswith(".zip"):
        return None
    about = {"layout": "canvas", "number": number, "late": bool(said["late"]), "upload": f"{part.upload(0)} canvas {number}"}
    return part.owned(who, name, "canvas", file="" if part.is_folder else said["rest"], **about)


RULES: tuple[Callable[[_PathPart], Received | None], ...] = (moodle_owner, nbgrader_owner, exchange_owner, folder_owner, canvas_owner)


def filename_owner(part: _PathPart) -> Received:
    """A file whose name begins with somebody's id, where nothing around it says whose it is."""
    stem = part.text.rpartition(".")[0] or part.text
    starts = [stem[: cut.start()] for cut in re.finditer(r"[_ -]|\Z", stem)]
    who = {start: found for start in starts if (found := part.register.by_id(start))}
    file = part.text[len(next(iter(who), "")) :].lstrip("_ -")
    every = sorted({student for found in who.values() for student in found})
    return part.owned(every, "/".join(part.file.outer), "id", file=file, upload=part.upload(0))


def _exercise(file: UploadedFile, name: str, exercises: Collection[str], course: Sequence[str]) -> tuple[str, str]:
    """Which exercise a file is, by its name, by the folders around it, by what it opens; and why it is not marked."""
    if not name.casefold().endswith(".ipynb"):
        return "", "no notebook: not marked"
    for text in (name, *reversed(file.parts[:-1])):
        fits = (known for known in course if re.search(rf"(?<![a-z]){known}(?![a-z])", text.casefold()))
        if exercise := next(fits, ""):
            break
    else:
        opened = {found.decode() for found in OPENED.findall(file.content)} & {*course}
        exercise = opened.pop() if len(opened) == 1 else ""
    if not exercise:
        return "", "opens no exercise of this course: not marked"
    return exercise, "" if exercise in exercises else f"{exercise} is not among the exercises that are marked now"
