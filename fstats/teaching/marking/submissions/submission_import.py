"""Import submissions from Moodle, Canvas and nbgrader."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from zlib import compress

from ...course.catalogue import exercise_names
from ..fault_tolerance import run_or_default
from ..roster import StudentIndex
from .moodle_canvas_file_names import find_owner
from .notebook_names import NOTEBOOK_ENDING, has_notebook_ending, notebook_name
from .uploaded_files import TIMESTAMP_FILE, Received, UploadedFile

UNREAD = "the file could not be read; the first lines of the report say why"
# name of the opened exercise in the bytes of a file that is not yet checked, and therefore not parsed
OPENED = re.compile(rb"""\bexercise\(\s*(?:\\"|')(\w+)""")
NO_NOTEBOOK = "the file is no notebook, and is not marked; the file of a notebook ends with .ipynb"
YEARS = range(1980, 2100)  # plausible years of a submission


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
    course = sorted(exercise_names(), key=len, reverse=True)  # long names come first, because a long name may contain a short one
    stamps: dict[str, bytes] = {}
    results: list[Received] = []
    for file in files:

        def read(file: UploadedFile = file) -> Received | None:
            received = find_owner(file, register, place.name if place else "")
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
    except (ValueError, OverflowError, OSError):  # the conversion of extreme dates to the local time zone raises OverflowError or OSError
        return None


def _exercise(file: UploadedFile, name: str, exercises: Collection[str], course: Sequence[str]) -> tuple[str, str]:
    """Return the exercise of a file (by name, folders, or the exercise that the file opens), and the reason if the file is not marked."""
    is_notebook, content = has_notebook_ending(name), file.content.replace(b"\0", b"")  # remove the zero bytes of UTF-16 between letters
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
        return "", "the notebook opens no exercise of this course, and is not marked"
    return exercise, "" if exercise in exercises else f"{exercise} is not among the exercises that are marked now"
