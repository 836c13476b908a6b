"""Roster of students, read from a CSV file."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from .untrusted_text import read_csv

# Column names that registers and learning platforms use; only letters, digits and single spaces are compared.
COLUMNS: dict[str, list[str]] = tomllib.loads(Path(__file__).with_name("roster_columns.toml").read_text(encoding="utf-8"))
# names that Windows does not allow for folders
RESERVED = {"con", "prn", "aux", "nul", *(f"{port}{k}" for port in ("com", "lpt") for k in range(1, 10))}
LONGEST = 80  # maximum number of characters in an id


@dataclass(frozen=True)
class Student:
    """A student on the roster; the id of the register identifies the student, and the other fields help to find and address the student.

    `moodle` is the participant's number in Moodle's file names; `canvas` is the user's number in Canvas's file names.
    """

    id: str
    name: str = ""
    email: str = ""
    section: str = ""
    login: str = ""
    moodle: str = ""
    canvas: str = ""


def read_roster(path: Path) -> list[Student]:
    """Read the students of a CSV file with a header: ``id``, and optionally ``name``, ``email``, ``section``, ``login``.

    The column names of Moodle's and Canvas's exports are understood, too; the separator is a comma, semicolon or tab.

    Raises
    ------
    ValueError
        If the file is no table with these columns, or an id is missing, occurs twice, or cannot be the name of a folder.
    """
    heads, lines = read_csv(path)
    place = {field: k for field in COLUMNS if (k := find_column(heads, field)) is not None}
    if "id" not in place:
        raise ValueError(f"{path} must have a column id (or {', '.join(COLUMNS['id'][1:])}); got the columns {', '.join(heads)}")
    students: list[Student] = []
    first_lines: dict[tuple[str, str], int] = {}
    for number, line in lines:
        cells = {field: normalise_cell(line[k]) for field, k in place.items()}
        parts = cells.pop("first", ""), cells.pop("last", "")
        cells["name"] = cells.get("name") or " ".join(filter(None, parts))
        who = Student(**cells)
        if complaint := id_problem(who.id):
            raise ValueError(f"line {number} of {path} must have the id of a student: {complaint}")
        for what, key in (("id", who.id.casefold()), ("email", who.email.casefold()), ("moodle", who.moodle), ("canvas", who.canvas)):
            if key and (earlier := first_lines.setdefault((what, key), number)) != number:
                got = f"{key!r} in the lines {earlier} and {number}"
                raise ValueError(f"each student in {path} must have a different {what}; got {got}")
        students.append(who)
    if not students:
        raise ValueError(f"the file {path} must have a line for each student below the names of the columns; got none")
    return students


def normalise_cell(text: str) -> str:
    """Normalise a cell for comparisons: composed characters, no outer spaces, single inner spaces."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def find_column(heads: Sequence[str], field: str) -> int | None:
    """Return the position of the column of a field, under any of its names."""
    plain = [" ".join(re.findall(r"\w+", head.casefold())) for head in heads]
    return next((plain.index(name) for name in COLUMNS[field] if name in plain), None)


def id_problem(student: str) -> str:
    """Return the reason why an id cannot be the name of a folder on some system; empty if the id can be."""
    if not student:
        return "there is no id"
    odd = re.search(r'[/\\:*?"<>|]|^\.|\.$', student) or any(unicodedata.category(letter).startswith("C") for letter in student)
    if odd or student.casefold().partition(".")[0] in RESERVED or len(student) > LONGEST:
        return f"{student[:LONGEST]!r} cannot be the name of a folder. Use the numbers of the register."
    return ""


class StudentIndex:
    """Index of the students on a roster by id, email address, login, name and platform number."""

    def __init__(self, students: Sequence[Student]) -> None:
        self.students = {who.id: who for who in students}
        self._exact: dict[str, set[str]] = {}
        self._named: dict[str, set[str]] = {}
        for who in students:
            for key in filter(None, (who.id, who.email, who.login)):
                self._exact.setdefault(key.casefold(), set()).add(who.id)
            for name in _name_orders(who.name):
                self._named.setdefault(name, set()).add(who.id)
        # id of each student, by the number on Moodle, which is written "Participant 123" or "123"
        self._moodle = {who.moodle.rpartition(" ")[2]: who.id for who in students if who.moodle}
        self._canvas = {who.canvas: who.id for who in students if who.canvas}

    def by_id(self, text: str) -> list[str]:
        """Return the students with this id, email address or login."""
        return sorted(self._exact.get(normalise_cell(text).casefold(), ()))

    def by_name(self, text: str) -> list[str]:
        """Return the students with this name; the first and last names may come in any order."""
        return sorted(self._named.get(_name_letters(text), ()))

    def by_number(self, platform: str, number: str) -> list[str]:
        """Return the student with this number in Moodle or Canvas, if the roster has it."""
        known = self._moodle if platform == "moodle" else self._canvas
        return [known[number]] if number in known else []


def _name_letters(text: str) -> str:
    """Return the letters and digits of a name in lower case, because every platform keeps at least these characters."""
    return "".join(re.findall(r"[^\W_]+", unicodedata.normalize("NFC", text).casefold()))


def _name_orders(name: str) -> Iterator[str]:
    """Yield the letters of a name for each rotation of its words: "Ada King" also gives "kingada", with the last name first."""
    words = name.replace(",", " ").split()
    for k in range(len(words)):
        yield _name_letters("".join(words[k:] + words[:k]))
