"""Whose a notebook is, of which exercise, and when it was handed in: as Moodle, Canvas and nbgrader lay their exports out."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from zlib import compress, decompress

from .handed_in import STAMP, HandedIn
from .roster import Register

# Moodle: "Ada King_123_assignsubmission_file_/x.ipynb", without the last "_" since 4.1, or all in one name where it makes no folders
MOODLE = re.compile(r"(?P<name>.*?)_(?P<number>\d+)_assignsubmission_[a-z]+(?:_(?P<rest>.*))?", re.DOTALL)
# Canvas: "kingada_LATE_123_456_x.ipynb", the user's number and the file's; "anon_xYz12_456_x.ipynb" where it hides the names
CANVAS = re.compile(r"(?P<name>.*?)_(?P<late>LATE_)?(?P<number>(?:(?<=anon_)[0-9A-Za-z]+)|\d+)_(?P<file>\d+)_(?P<rest>.+)", re.DOTALL)
OPENED = re.compile(rb"""\bexercise\(\s*(?:\\"|')(\w+)""")  # in the text of the file: nothing is parsed that is not yet trusted
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
        "moodle", "canvas" or "", and the platform's number of the student: how feedback finds its way back.
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


def submissions(
    files: Iterable[HandedIn],
    register: Register,
    exercises: Collection[str],
    *,
    course: Collection[str],
    times: Mapping[str, datetime | None] = MappingProxyType({}),
    dates: bool = False,
    place: Path | None = None,
) -> list[Received]:
    """What was handed in, file by file, in the order of their names.

    Parameters
    ----------
    files : iterable of HandedIn
        As :func:`files_in` reads them.
    register : Register
        Who may have handed in.
    exercises, course : collection of str
        The exercises that are marked now, and all that there are.
    times : mapping
        When a student handed in, by id, where a list says it.
    dates : bool
        Whether the date of a file counts as the time of its hand-in where nothing better is known.
    place : Path, optional
        The folder or zip in which the files lie: nbgrader's is called ``submitted``.
    """
    stamps: dict[str, bytes] = {}
    found: list[tuple[Received, str, datetime | None]] = []
    for file in files:
        whose = _owner(file, register, place is not None and place.name == "submitted")
        if file.parts[-1:] == (STAMP,):
            if whose.stamped == file.path.rpartition("/")[0] and not file.upload:
                stamps[whose.stamped] = file.content
            continue
        exercise, problem = _exercise(file, whose.file, exercises, course)
        problem = file.problem or problem or whose.problem
        if file.upload and problem == whose.problem and not whose.number:
            problem += "; names inside a zip say nothing: if a platform made it, give it to fstats grade by itself" if problem else ""
        one = Received(
            path=file.path,
            student=whose.student,
            exercise=exercise,
            packed=b"" if problem else compress(file.content, 1),
            digest=sha256(file.content).hexdigest(),
            late=whose.late,
            layout=whose.layout,
            number=whose.number,
            named=whose.named,
            file=whose.file,
            upload=whose.upload,
            problem=problem,
        )
        found.append((one, whose.stamped, file.dated if dates else None))
    timed = []
    for one, stamped, dated in found:
        by_stamp = _stamp(stamps[stamped]) if stamped in stamps else None
        note = f"{STAMP} says no time that can be: taken as none." if stamped in stamps and by_stamp is None else ""
        known = ((times.get(one.student), "a list"), (by_stamp, STAMP), (dated, "the date of the file"))
        handed_in, known_by = next(((time, by) for time, by in known if time is not None), (None, ""))
        timed.append(replace(one, handed_in=handed_in, known_by=known_by, note=note))
    return sorted(timed, key=_in_order)


def _in_order(one: Received) -> list[tuple[int, str]]:
    """As people count: file 10 behind file 9, and a second copy behind the first.

    Of two numbers the one with more digits is larger; to make numbers of them, Python refuses where there are thousands of digits.
    """
    parts = re.split(r"([0-9]+)", one.path.rpartition(".")[0])
    return [(len(digits := part.lstrip("0")), digits) if part.isdecimal() and part.isascii() else (-1, part) for part in parts]


def _stamp(content: bytes) -> datetime | None:
    """The time in nbgrader's file, such as ``2026-11-24 10:15:00.123456 UTC``."""
    text = content.decode("utf-8", "replace").strip()
    return moment(text.removesuffix("UTC").removesuffix("UCT").strip(), utc=True)


def moment(text: str, utc: bool = False) -> datetime | None:
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


@dataclass(frozen=True)
class _Owner:
    """Whose a file is by its path, and what of the path names the file itself."""

    file: str
    student: str = ""
    layout: str = ""
    number: str = ""
    late: bool = False
    named: str = ""
    upload: str = ""
    stamped: str = ""  # the folder in which nbgrader writes the time
    problem: str = ""


def _owner(file: HandedIn, register: Register, submitted: bool) -> _Owner:
    """Whose a file is: the outermost part of the path that names an owner decides alone.

    What lies below it, and everything inside a zip that a student packed, has names that the student chose.
    """
    *folders, name = file.outer or ("",)
    own = file.parts[-1] if file.upload else ""
    for k, part in enumerate((*folders, name)):
        below = k < len(folders)
        moodle, canvas = MOODLE.fullmatch(part), CANVAS.fullmatch(part)
        if moodle and canvas and not below and canvas.end("name") < moodle.end("name"):
            moodle = None  # a student's file is called as the other platform's are: what stands first is the platform's
        if moodle:
            who = register.by_number("moodle", moodle["number"]) or register.by_name(moodle["name"]) or register.by_id(moodle["name"])
            student, problem = _one(who, moodle["name"], "moodle")
            upload = f"{'/'.join(folders[:k])} moodle {moodle['number']}"
            inner = own or (name if below else moodle["rest"] or name)
            return _Owner(inner, student, "moodle", moodle["number"], named=part, upload=upload, problem=problem)
        who = register.by_id(part) if below else []
        if below and len(folders) > k + 1 and (folders[k - 1] == "submitted" if k else submitted):  # nbgrader's STUDENT/ASSIGNMENT
            student, problem = _one(who, part, "id")
            stamped = "/".join(folders[: k + 2])
            return _Owner(own or name, student, named=part, upload=stamped, stamped=stamped, problem=problem)
        if who:
            who = sorted({student for folder in folders[k:] for student in register.by_id(folder)})
            student, problem = _one(who, "/".join(folders), "id")
            return _Owner(own or name, student, named=part, upload="/".join(folders[: k + 2]), problem=problem)
        if canvas:
            who = register.by_number("canvas", canvas["number"]) or register.by_name(canvas["name"])
            if who or not below or part.casefold().endswith(".zip"):  # Canvas makes no folders: this is one of the lecturer's
                student, problem = _one(who, canvas["name"], "canvas")
                upload = f"{'/'.join(folders[:k])} canvas {canvas['number']}"
                inner = own or (name if below else canvas["rest"])
                return _Owner(inner, student, "canvas", canvas["number"], bool(canvas["late"]), part, upload, problem=problem)
    stem = name.rpartition(".")[0] or name
    starts = [stem[: cut.start()] for cut in re.finditer(r"[_ -]", stem)] + [stem]
    who = sorted({student for start in starts for student in register.by_id(start)})
    student, problem = _one(who, "/".join((*folders, name)), "id")
    first = next((start for start in starts if register.by_id(start)), "")
    return _Owner(own or name[len(first) :].lstrip("_ -"), student, named=name, upload="/".join(folders), problem=problem)


def _one(who: list[str], said: str, column: str) -> tuple[str, str]:
    """The one student, or why there is none."""
    if len(who) == 1:
        return who[0], ""
    if who:
        return "", f"{said!r} may be {' or '.join(who)}: give the roster a column {column} with the numbers in the names of the files"
    return "", f"of nobody on the roster: {said!r}"


def _exercise(file: HandedIn, name: str, exercises: Collection[str], course: Collection[str]) -> tuple[str, str]:
    """Which exercise a file is, by its name, by the folders around it, by what it opens; and why it is not marked."""
    if not name.casefold().endswith(".ipynb"):
        return "", "no notebook: not marked"
    names = sorted(course, key=len, reverse=True)
    for text in (name, *reversed(file.parts[:-1])):
        fits = (known for known in names if re.search(rf"(?<![a-z]){known}(?![a-z])", text.casefold()))
        if exercise := next(fits, ""):
            break
    else:
        opened = {found.decode() for found in OPENED.findall(file.content)} & {*course}
        exercise = opened.pop() if len(opened) == 1 else ""
    if not exercise:
        return "", "opens no exercise of this course: not marked"
    return exercise, "" if exercise in exercises else f"{exercise} is not among the exercises that are marked now"
