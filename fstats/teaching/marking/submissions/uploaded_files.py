"""Read untrusted files from a folder or zip."""

from __future__ import annotations

import os
import stat
from codecs import BOM_UTF8, BOM_UTF16_LE
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import IO
from zipfile import BadZipFile, ZipFile, ZipInfo
from zlib import decompress

from ..untrusted_text import one_line
from .notebook_names import has_notebook_ending

MAX_FILE = 20 * 2**20  # maximum unpacked size of a file in bytes
MAX_TOTAL = 4 * 2**30  # maximum unpacked size of a zip in bytes
MAX_COMPRESSION = 200  # maximum ratio of unpacked size to packed size; it is below 20 for notebooks with pictures
MAX_FILES = 100_000
MAX_UPLOAD = 48 * 2**20  # maximum total size in bytes of all unpacked notebooks in the zip of a student
MAX_PACKED_FILES = 1_000  # maximum number of files in the zip of a student
ZIP_ENTRY_MAGIC = b"PK\x01\x02"  # first bytes of each entry in the table of contents of a zip
HEAD = 64  # number of bytes that are read to decide whether a file with an unusual name may be a notebook
BEFORE_NOTEBOOK = BOM_UTF8 + BOM_UTF16_LE + b" \t\r\n"  # bytes that may precede the first bracket of a notebook
MAX_DEPTH = 12  # maximum depth of nested folders
MAX_PATH = 1_000  # maximum length of a path; file systems allow a few thousand characters, and zips 65,535
TOO_LARGE = f"the file is larger than {MAX_FILE // 2**20} MiB, and was not read"
LINK = "the file is a link, and was not followed"
TIMESTAMP_FILE = "timestamp.txt"  # file in which nbgrader stores the time of a submission
# flags to open a file: do not follow links, and do not wait for a pipe
OPENING = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
IGNORED = {"submission_secret.txt", "__MACOSX", ".ipynb_checkpoints", ".DS_Store", "Thumbs.db", "desktop.ini", "__pycache__"}


@dataclass(frozen=True)
class UploadedFile:
    """An uploaded file: path, content or the reason why the file was not read, and date.

    Only files that may be marked are read; the content of other files is empty.  `upload` is the path of the student's zip from which the
    file came, if any.  The student chose the names and dates in the zip, so a file from the zip has the date of the zip.
    """

    path: str
    content: bytes = b""
    problem: str = ""
    modified: datetime | None = None
    upload: str = ""

    @property
    def parts(self) -> tuple[str, ...]:
        """Folders and name of the file."""
        return PurePosixPath(self.path).parts

    @property
    def upload_parts(self) -> tuple[str, ...]:
        """Folders and name of the uploaded file; if the file came from a zip, of the zip."""
        return PurePosixPath(self.upload or self.path).parts or ("",)


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


def read_files(place: Path) -> Iterator[UploadedFile]:
    """Yield every file of a folder or zip; for a file that cannot be read safely, a reason replaces the content.

    Nothing is unpacked onto the disk, links are not followed, and files are read up to the maximal size only.

    Raises
    ------
    ValueError
        If the folder or zip does not exist or is empty.
    """
    if place.is_dir():
        files = _in_folder(place)
    elif place.is_file():
        files = _read_zip(place, UploadedFile(place.name), 0)
    else:
        raise ValueError(f"there is no folder or zip file {place}")
    is_empty = True
    for file in files:
        is_empty = False
        yield file
    if is_empty:
        raise ValueError(f"the folder or zip {place} contains no file. Give the folder or the zip of submissions as it was downloaded.")


def _in_folder(place: Path) -> Iterator[UploadedFile]:
    os.listdir(place)  # os.listdir raises an error for an unreadable folder; os.walk would only yield no files
    locked: list[OSError] = []
    for folder, inside, names in os.walk(place, onerror=locked.append):
        linked = [name for name in inside if os.path.islink(os.path.join(folder, name))]
        inside[:] = sorted(name for name in inside if name not in IGNORED)
        for name in sorted([*names, *linked]):
            path = Path(folder, name)
            if name not in IGNORED:
                yield from _file(path, path.relative_to(place).as_posix())
    for error in locked:
        yield UploadedFile(Path(error.filename).relative_to(place).as_posix(), problem=f"the file cannot be read: {error.strerror}")


def _file(path: Path, shown: str) -> Iterator[UploadedFile]:
    shown = one_line(shown.encode("utf-8", "backslashreplace").decode())  # a name that is not UTF-8 is displayed with backslashes
    try:
        about = os.lstat(path)
        if not stat.S_ISREG(about.st_mode):
            yield UploadedFile(shown, problem=LINK if stat.S_ISLNK(about.st_mode) else "the path is no ordinary file, and was not opened")
        elif about.st_size > MAX_FILE and not shown.casefold().endswith(".zip"):
            yield UploadedFile(shown, problem=TOO_LARGE)
        else:
            with open(os.open(path, OPENING), "rb") as opened:
                # the path may now point to another file than at the first check
                if not stat.S_ISREG(os.fstat(opened.fileno()).st_mode):
                    yield UploadedFile(shown, problem="the path is no ordinary file, and was not read")
                    return
                content = _content(opened, shown, 0, MAX_FILE * 4)
            yield from _expand(UploadedFile(shown, content, modified=_date(lambda: datetime.fromtimestamp(about.st_mtime))), 0)
    except OSError as error:
        yield UploadedFile(shown, problem=f"the file cannot be read: {error.strerror}")


def _is_read(path: str, depth: int) -> bool:
    """Return whether the content of a file is needed, by its name."""
    name = path.casefold()
    return has_notebook_ending(name) or (depth == 0 and name.endswith((".zip", f"/{TIMESTAMP_FILE}")))


def _content(opened: IO[bytes], path: str, depth: int, max_size: int) -> bytes:
    """Return the content of a file that is needed by its name, or that begins like a notebook; empty for other files."""
    head = opened.read(HEAD)
    if not _is_read(path, depth) and not head.replace(b"\0", b"").lstrip(BEFORE_NOTEBOOK).startswith(b"{"):
        return b""
    return head + opened.read(max_size - len(head))


def _date(read: Callable[[], datetime]) -> datetime | None:
    """Return the date of a file; None if it is not valid."""
    try:
        return read().astimezone()
    except (ValueError, OverflowError, OSError):
        return None


def _expand(file: UploadedFile, depth: int) -> Iterator[UploadedFile]:
    """Yield the file itself, or the files in a student's zip."""
    if depth == 0 and file.path.casefold().endswith(".zip"):
        yield from _read_zip(BytesIO(file.content), file, 1)
    else:
        yield file


class _UnreadableZip(Exception):
    """Error if a zip is not opened; the message gives the reason."""


def _read_zip(source: Path | BytesIO, around: UploadedFile, depth: int) -> Iterator[UploadedFile]:
    """Yield the files in a zip: the zip of the class (depth 0), or the zip of a student (depth 1)."""
    try:
        with _opened_zip(source, depth) as archive:
            yield from _entries(archive, around, depth)
    except _UnreadableZip as why:
        if not depth:  # an unreadable zip of the class means that there are no submissions, so raise an error
            raise ValueError(f"the submissions in {source} cannot be read: {why}") from None
        yield UploadedFile(around.path, problem=str(why), upload=around.path * depth)


def _opened_zip(source: Path | BytesIO, depth: int) -> ZipFile:
    """Open a zip, unless it has too many files or bytes."""
    most, max_bytes = (MAX_PACKED_FILES, MAX_UPLOAD) if depth else (MAX_FILES, MAX_TOTAL)
    too_many = _UnreadableZip(f"the zip has more than {most} files or {max_bytes // 2**20} MiB, and was not opened")
    packed = source.getvalue() if isinstance(source, BytesIO) else b""
    if packed.count(ZIP_ENTRY_MAGIC) > 2 * most:
        # raise the error before ZipFile reads the names, because a million names would take too long
        raise too_many
    try:
        archive = ZipFile(source)
    except (BadZipFile, OSError, ValueError, NotImplementedError, OverflowError) as error:
        raise _UnreadableZip(one_line(f"the zip cannot be opened: {error}")) from None
    entries = _relevant_entries(archive)
    if len(entries) > most or sum(entry.file_size for entry in entries if not depth or _is_read(entry.filename, depth)) > max_bytes:
        archive.close()
        raise too_many
    return archive


def _relevant_entries(archive: ZipFile) -> list[ZipInfo]:
    """Return the entries of a zip that are files, without the files that operating systems add."""
    return [entry for entry in archive.infolist() if not entry.filename.endswith("/") and not IGNORED & set(entry.filename.split("/"))]


def _entries(archive: ZipFile, around: UploadedFile, depth: int) -> Iterator[UploadedFile]:
    """Yield each entry of a zip, with the reason if the entry was not read."""
    remaining = MAX_UPLOAD if depth else MAX_TOTAL
    paths: set[str] = set()
    for entry in _relevant_entries(archive):
        inside = entry.filename.replace("\\", "/")
        raw = f"{around.path}/{inside}" if depth else inside
        path = one_line(raw[:MAX_PATH])
        if problem := _unsafe(entry, raw) or ("the zip has another file of this name, so this file was not read" if path in paths else ""):
            yield UploadedFile(path, problem=problem, upload=around.path * depth)
            continue
        paths.add(path)
        for file in _entry(archive, entry, path, depth):
            remaining -= len(file.content) * depth  # count the real size, because the size that a zip states may be wrong
            if remaining < 0:
                raise _UnreadableZip(f"the zip has more than {MAX_UPLOAD // 2**20} MiB, and the files after this limit were not read")
            yield replace(file, modified=around.modified, upload=around.path) if depth else file


def _entry(archive: ZipFile, entry: ZipInfo, path: str, depth: int) -> Iterator[UploadedFile]:
    largest = MAX_FILE * 4 if depth == 0 and path.casefold().endswith(".zip") else MAX_FILE
    try:
        with archive.open(entry) as opened:
            # read one byte more than allowed, because the size that the zip states may be wrong
            content = _content(opened, path, depth, largest + 1)
    except Exception as error:  # for manipulated files, zipfile and its decompressors raise many kinds of errors
        yield UploadedFile(path, problem=one_line(f"the file cannot be unpacked: {error}"))
        return
    if len(content) > largest:
        yield UploadedFile(path, problem=TOO_LARGE)
        return
    yield from _expand(UploadedFile(path, content, modified=_date(lambda: datetime(*entry.date_time))), depth)


def _unsafe(entry: ZipInfo, path: str) -> str:
    """Return the reason why an entry of a zip is not read; empty if the entry can be read."""
    parts, is_bomb = path.split("/"), entry.file_size > max(2**20, MAX_COMPRESSION * max(entry.compress_size, 1))
    rules = {
        "the path leads out of the zip, so the file was not read": path.startswith("/") or ".." in parts or ":" in parts[0] or "\0" in path,
        f"the path has more than {MAX_PATH} letters, so the file was not read": len(path) > MAX_PATH,
        f"the file is more than {MAX_DEPTH} folders deep, and was not read": len(parts) > MAX_DEPTH,
        LINK: stat.S_ISLNK(entry.external_attr >> 16),
        "the file is encrypted, and was not read": entry.flag_bits & 1,
        TOO_LARGE: entry.file_size > MAX_FILE and not path.casefold().endswith(".zip"),
        f"the file would become {MAX_COMPRESSION} times its size, as no notebook does, and was not unpacked": is_bomb,
    }
    return next((why for why, holds in rules.items() if holds), "")
