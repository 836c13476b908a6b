"""Parse file names from exports of Moodle, Canvas and nbgrader.

The name of an uploaded file identifies the student.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from ..roster import StudentIndex
from .notebook_names import COPY_PREFIX
from .uploaded_files import TIMESTAMP_FILE, Received, UploadedFile

# names from Moodle: "Ada King_123_assignsubmission_file_/x.ipynb"; a folder ends without "_" since Moodle 4.1
MOODLE = re.compile(r"\A(?P<name>.*?)_(?P<number>\d+)_assignsubmission_[a-z]+(?:_(?P<rest>.*))?", re.DOTALL)
# names from Canvas: "kingada_LATE_123_456_x.ipynb" with the numbers of user and file; "anon_xYz12_456_x.ipynb" without names
CANVAS = re.compile(r"\A(?P<name>.*?)_(?P<late>LATE_)?(?P<number>(?:(?<=anon_)[0-9A-Za-z]+)|\d+)_(?P<file>\d+)_(?P<rest>.+)", re.DOTALL)
# names in nbgrader's folder "inbound": "s1234567+ps1+2026-11-24 10:15:00.123456 UTC+aGk3Zm9v"; the last part is optional
EXCHANGED = re.compile(r"\A(?P<name>.+)\+(?P<assignment>[^+]+)\+(?P<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[^+]*)(?:\+[^+]*)?")


class _PathPart(NamedTuple):
    """A part of a file's path that may name the student: a folder, or the file name."""

    file: UploadedFile
    register: StudentIndex
    text: str  # name of the folder or file
    around: str  # name of the folder that contains the part
    before: tuple[str, ...]  # folders above the part, inside of the folder or zip with the submissions
    folders: tuple[str, ...]  # all folders of the path; the student chose the names below these folders
    moodle: re.Match[str] | None  # match of the name with Moodle's pattern, if any
    canvas: re.Match[str] | None  # match of the name with Canvas's pattern, if any

    @property
    def is_folder(self) -> bool:
        """Whether the part is a folder that contains other parts of the path."""
        return self.before != self.folders

    def upload(self, depth: int) -> str:
        """Return the folders from the first one to a depth below the part; they identify the upload."""
        return "/".join(self.folders[: len(self.before) + depth])

    def received(self, who: list[str], name: str, column: str, *, file: str = "", **more: Any) -> Received:
        """Return the file as the submission of one student, or with the reason why no single student fits.

        `file` is the student's own name of the file, if it differs from the last part of the path.
        """
        own = self.file.parts[-1] if self.file.upload else file or self.file.upload_parts[-1]
        problem = ""
        if len(who) > 1:
            problem = (
                f"{name!r} may be {' or '.join(who)}. Add a column {column} to the roster, with the numbers in the names of the files."
            )
        elif not who:
            problem = f"nobody on the roster fits {name!r}"
        return Received(self.file.path, "" if problem else who[0], named=self.text, file=own, problem=problem, **more)


def find_owner(file: UploadedFile, register: StudentIndex, place: str) -> Received:
    """Return a file with its student: the outermost part of the path that names a student decides; the first rule that applies counts.

    Students choose the names below the outermost part, and all names inside their own zips.
    """
    folders = file.upload_parts[:-1]
    for depth, text in enumerate(file.upload_parts):
        moodle, canvas = MOODLE.fullmatch(text), CANVAS.fullmatch(text)
        if moodle and canvas and depth == len(folders) and canvas.end("name") < moodle.end("name"):
            moodle = None  # the part in Canvas's format comes first, so the student wrote the part that looks like Moodle's format
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
