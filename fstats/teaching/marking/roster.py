"""The students of a course, as its register has them: one in a line of a CSV file."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from .untrusted_text import read_csv

# How registers and learning platforms call the columns; letters, digits and single spaces are compared, nothing else.
COLUMNS = {
    "id": ("id", "student id", "id number", "sis user id", "matriculation number", "number"),
    "name": ("name", "full name", "student", "student name"),
    "email": ("email", "email address", "e mail", "mail"),
    "section": ("section", "group", "groups", "class"),
    "login": ("login", "username", "user name", "sis login id"),
    "moodle": ("moodle", "moodle id", "participant", "participant id", "identifier"),
    "canvas": ("canvas", "canvas id"),
    "first": ("first name", "firstname", "given name"),
    "last": ("last name", "lastname", "surname", "family name"),
}
RESERVED = {"con", "prn", "aux", "nul", *(f"{port}{k}" for port in ("com", "lpt") for k in range(1, 10))}  # no folders on Windows
LONGEST = 80  # characters of an id


@dataclass(frozen=True)
class Student:
    """Who is on the roster: the id of the register decides, the rest helps to find and to address the student.

    `moodle` is the participant's number in Moodle's file names, `canvas` the user's number in Canvas's.
    """

    id: str
    name: str = ""
    email: str = ""
    section: str = ""
    login: str = ""
    moodle: str = ""
    canvas: str = ""


def read_roster(path: Path) -> list[Student]:
    """The students of a CSV file with a line of heads: ``id``, and as far as there are ``name``, ``email``, ``section``, ``login``.

    Heads may also be those of Moodle's and Canvas's exports; commas, semicolons and tabs separate.

    Raises
    ------
    ValueError
        For a file that is no such table, an id that is missing, stands there twice, or cannot be the name of a folder.
    """
    heads, lines = read_csv(path)
    place = {field: k for field in COLUMNS if (k := find_column(heads, field)) is not None}
    if "id" not in place:
        raise ValueError(f"{path}: one column must have the head id (or {', '.join(COLUMNS['id'][1:])}); got {', '.join(heads)}")
    students: list[Student] = []
    seen: dict[tuple[str, str], int] = {}
    for number, line in lines:
        found = {field: normalise_cell(line[k]) for field, k in place.items()}
        parts = found.pop("first", ""), found.pop("last", "")
        found["name"] = found.get("name") or " ".join(filter(None, parts))
        who = Student(**found)
        if complaint := id_problem(who.id):
            raise ValueError(f"{path}, line {number}: {complaint}")
        for what, key in (("id", who.id.casefold()), ("email", who.email.casefold()), ("moodle", who.moodle), ("canvas", who.canvas)):
            if key and (earlier := seen.setdefault((what, key), number)) != number:
                raise ValueError(f"{path}, line {number}: the {what} {key!r} stands in line {earlier} already; each student needs his own")
        students.append(who)
    if not students:
        raise ValueError(f"{path}: there is no student below the heads")
    return students


def normalise_cell(text: str) -> str:
    """A cell as it is compared: composed characters, no spaces around it, single ones inside."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def find_column(heads: Sequence[str], field: str) -> int | None:
    """Where the column of a field stands, whichever of its names it has."""
    plain = [" ".join(re.findall(r"\w+", head.casefold())) for head in heads]
    return next((plain.index(name) for name in COLUMNS[field] if name in plain), None)


def id_problem(student: str) -> str:
    """What is wrong with an id, if it cannot be the name of a folder anywhere; empty if it can."""
    if not student:
        return "there is no id"
    odd = re.search(r'[/\\:*?"<>|]|^\.|\.$', student) or any(unicodedata.category(letter).startswith("C") for letter in student)
    if odd or student.casefold().partition(".")[0] in RESERVED or len(student) > LONGEST:
        return f"{student[:LONGEST]!r} cannot be the name of a folder; use the numbers of the register"
    return ""


class StudentIndex:
    """The students of a roster, found by whatever a file's name says of them."""

    def __init__(self, students: Sequence[Student]) -> None:
        self.students = {who.id: who for who in students}
        self._exact: dict[str, set[str]] = {}
        self._named: dict[str, set[str]] = {}
        for who in students:
            for key in filter(None, (who.id, who.email, who.login)):
                self._exact.setdefault(key.casefold(), set()).add(who.id)
            for name in _name_orders(who.name):
                self._named.setdefault(name, set()).add(who.id)
        self._moodle = {who.moodle.rpartition(" ")[2]: who.id for who in students if who.moodle}  # "Participant 123" and 123
        self._canvas = {who.canvas: who.id for who in students if who.canvas}

    def by_id(self, text: str) -> list[str]:
        """Whose id, email address or login this is."""
        return sorted(self._exact.get(normalise_cell(text).casefold(), ()))

    def by_name(self, text: str) -> list[str]:
        """Whose name this is, whichever part of it comes first."""
        return sorted(self._named.get(_name_letters(text), ()))

    def by_number(self, platform: str, number: str) -> list[str]:
        """Whose number at Moodle or Canvas this is, if the roster knows it."""
        known = self._moodle if platform == "moodle" else self._canvas
        return [known[number]] if number in known else []


def _name_letters(text: str) -> str:
    """The letters and digits of a name, small and composed: what every platform keeps of it."""
    return "".join(re.findall(r"[^\W_]+", unicodedata.normalize("NFC", text).casefold()))


def _name_orders(name: str) -> Iterator[str]:
    """A name as it stands and with its words turned round: "Ada King Lovelace" is lovelaceadaking where the last name comes first."""
    words = name.replace(",", " ").split()
    for k in range(len(words)):
        yield _name_letters("".join(words[k:] + words[:k]))
