"""Notebooks under the names that browsers and systems give: each is read, and of several the later one counts, with the reason."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest
from class_of import EXERCISE, NOTEBOOK, SECRET, handed_in, only_judging, roster_file, write_files
from shortcuts import parametrize

from fstats.teaching.course.catalogue import exercise_names
from fstats.teaching.marking.grading_run import grade_class
from fstats.teaching.marking.marks.class_grades import GradingCourse
from fstats.teaching.marking.marks.student_grade import attempts_by_upload, notebook_of_upload, problems_by_student
from fstats.teaching.marking.roster import Student, StudentIndex, read_roster
from fstats.teaching.marking.submissions.notebook_names import notebook_name
from fstats.teaching.marking.submissions.submission_import import Received, import_submissions
from fstats.teaching.marking.submissions.uploaded_files import UploadedFile, read_files

ROOT = Path(__file__).parents[2]
STEM = "01_paired_t_by_hand"
CELLS = {"cells": [{"cell_type": "code", "source": ['task = exercise("paired_t_by_hand", data="00")']}]}
CONTENT = json.dumps(CELLS).encode()
NAMES = {
    f"{STEM}.ipynb": (),
    f"{STEM}.IPYNB": (),
    f"{STEM}.ipynb.txt": (),
    f"{STEM}.ipynb.json": (),
    f"{STEM}.json": (),
    f"{STEM}.txt": (),
    f"{STEM}.ipynb.download": (),
    f"{STEM} (1).ipynb": (1,),
    f"{STEM}(2).ipynb": (2,),
    f"{STEM} (2).ipynb.txt": (2,),
    f"{STEM}.ipynb (3).txt": (3,),
    f"{STEM}-1.ipynb": (1,),
    f"{STEM}-Copy1.ipynb": (1,),
    f"{STEM}_copy.ipynb": (1,),
    f"{STEM} copy.ipynb": (1,),
    f"{STEM} copy 2.ipynb": (2,),
    f"Copy of {STEM}.ipynb": (1,),
    f"Kopie von {STEM}.ipynb": (1,),
    f"Copie de {STEM}.ipynb": (1,),
    f"Copy of Copy of {STEM}.ipynb": (1, 1),
    f"{STEM} - Kopie.ipynb": (1,),
    f"{STEM} - Copy.ipynb": (1,),
    f"{STEM} - Copy (2).ipynb": (2,),
    f"{STEM} (1) (1).ipynb": (1, 1),
}
LAYOUTS = {
    "a folder": "s1/",
    "Moodle": "Ada King_123_assignsubmission_file_/",
    "Moodle without folders": "Ada King_123_assignsubmission_file_",
    "Canvas": "kingada_1_2_",
    "nbgrader": "submitted/s1/ps1/",
    "an exchange": "inbound/s1+ps1+2026-11-24 10:15:00.123456 UTC/",
    "no folder": "s1_",
}
CLASS = StudentIndex([Student("s1", "Ada King"), Student("s2", "Jo Twin")])


def received(*files: UploadedFile, dates: bool = False) -> list[Received]:
    return import_submissions(files, CLASS, exercise_names(), dates=dates)


def file(path: str, day: int = 0, content: bytes = CONTENT) -> UploadedFile:
    return UploadedFile(path, content, modified=datetime(2026, 11, day, tzinfo=UTC) if day else None)


@pytest.mark.every_case
@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_is_one_under_any_name_and_in_any_layout(name: str) -> None:
    assert notebook_name(name).copies == NAMES[name]
    assert notebook_name(name).stem.casefold() == STEM
    for layout, start in LAYOUTS.items():
        (one,) = received(file(start + name))
        assert (one.student, one.exercise, one.problem) == ("s1", EXERCISE, ""), layout


@pytest.mark.parametrize("name", ["-1.ipynb", "(2).ipynb", "copy.ipynb", "08_five_by_two.ipynb", "x-1234567890123.ipynb", ".ipynb", ""])
def test_a_name_that_is_no_copy_stays(name: str) -> None:
    """Nothing is taken off where nothing would be left, and no number that is none of a copy."""
    assert notebook_name(name) == (name.removesuffix(".ipynb"), ())


def packed(files: dict[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return made.getvalue()


def test_content_decides_where_the_name_does_not(tmp_path: Path) -> None:
    """In a folder, in the zip of a class and in a student's zip; no other file is held."""
    files = {
        "s1/a.ipynb.txt": CONTENT,
        "s1/b.txt": b"\xef\xbb\xbf \r\n" + CONTENT,
        "s1/c": CONTENT,
        "s1/d.json": CONTENT.decode().encode("utf-16"),
        "s1/data.json": b'{"scores": [1, 2]}',
        "s1/essay.pdf": b"%PDF {",
        "s1/notes.txt": b"cells {",
    }
    write_files(tmp_path / "in", files)
    (tmp_path / "all.zip").write_bytes(packed(files))
    (tmp_path / "his.zip").write_bytes(packed({"s1/mine.zip": packed({name[3:]: content for name, content in files.items()})}))
    for place in ("in", "all.zip", "his.zip"):
        read = list(read_files(tmp_path / place))
        assert {Path(one.path).name for one in read if one.content} == {"a.ipynb.txt", "b.txt", "c", "d.json", "data.json"}
        found = {Path(one.path).name: (one.exercise, one.problem) for one in received(*read)}
        notebooks = {"a.ipynb.txt", "b.txt", "c", "d.json"}
        assert {name for name, about in found.items() if about == (EXERCISE, "")} == notebooks
        assert all(found[name][1].startswith("the file is no notebook, and is not marked") for name in found.keys() - notebooks)


def test_a_notebook_in_utf_16_is_known_by_what_it_opens() -> None:
    """PowerShell writes such files; the name says nothing."""
    (one,) = received(file("s1/hw.ipynb", content=CONTENT.decode().encode("utf-16")))
    assert (one.exercise, one.problem) == (EXERCISE, "")


NUMBER, DATE = "the latest by the number in its name", "the latest by the date of the file"
OWN = "because its name is the name of the exercise"


@pytest.mark.every_case
@parametrize(
    "files, winner, reason",
    ([f"{STEM}.ipynb", f"{STEM} (2).ipynb"], f"{STEM} (2).ipynb", NUMBER),
    ([f"{STEM} (10).ipynb", f"{STEM} (9).ipynb", f"{STEM}.ipynb"], f"{STEM} (10).ipynb", NUMBER),
    ([f"{STEM}.ipynb", f"Copy of {STEM}.ipynb"], f"Copy of {STEM}.ipynb", NUMBER),
    ([f"{STEM}.ipynb", f"{STEM} - Kopie.ipynb"], f"{STEM} - Kopie.ipynb", NUMBER),
    ([f"{STEM}.ipynb", f"{STEM} (1).ipynb.txt"], f"{STEM} (1).ipynb.txt", NUMBER),
    (["paired_t_by_hand-2.ipynb", f"{STEM}-1.ipynb"], "paired_t_by_hand-2.ipynb", NUMBER),
    ([f"{STEM}.ipynb", "z (7).ipynb"], f"{STEM}.ipynb", OWN),
    (["a (2).ipynb", "a.ipynb"], "a (2).ipynb", NUMBER),
    ([(f"{STEM}.ipynb", 3), (f"{STEM} (2).ipynb", 1)], f"{STEM} (2).ipynb", NUMBER),
    ([("a.ipynb", 3), ("b.ipynb", 1)], "a.ipynb", DATE),
    (["a.ipynb", "b.ipynb"], "b.ipynb", "the last by its name"),
    ([f"{STEM}.ipynb", (f"{STEM} (2).ipynb", 1, b"{")], f"{STEM}.ipynb", "because no other file can be read"),
)
def test_of_several_the_later_one_counts(files: list[str | tuple[str, int] | tuple[str, int, bytes]], winner: str, reason: str) -> None:
    """By the number, by the name, by the date; and both the lecturer and the student read which, and why."""
    made = [file(f"s1/{one}") if isinstance(one, str) else file(f"s1/{one[0]}", *one[1:]) for one in files]
    (chosen,) = attempts_by_upload(received(*made))[EXERCISE, "s1"]
    assert chosen.path == f"s1/{winner}"
    assert f"{len(files)} notebooks of this exercise in one upload: s1/{winner} counts, {reason}; not marked: s1/" in chosen.choice
    assert chosen.modified is None


def test_a_zip_of_many_notebooks_is_a_short_note() -> None:
    chosen = notebook_of_upload(received(*(file(f"s1/{STEM} ({k}).ipynb") for k in range(1, 21))))
    assert chosen.path == f"s1/{STEM} (20).ipynb"
    assert chosen.choice.endswith(f"s1/{STEM} (5).ipynb, and 14 more.")


def test_the_time_of_the_platform_goes_before_the_number() -> None:
    """As of files with dates that the lecturer trusts."""
    files = file(f"s1/{STEM}.ipynb", 3), file(f"s1/{STEM} (2).ipynb", 1)
    chosen = notebook_of_upload(received(*files, dates=True))
    assert chosen.path == f"s1/{STEM}.ipynb"
    assert "the latest by the date of the file" in chosen.choice
    assert notebook_of_upload(received(files[0])).choice == ""


def test_a_student_with_no_notebook_reads_why() -> None:
    """In the row of the only exercise; of several exercises, only a student of whom nothing else came."""
    files = received(file("s1/essay.pdf", content=b""), file("s2/x.ipynb"), file("s2/notes.txt", content=b""))
    said = problems_by_student(files, [EXERCISE])
    assert said[EXERCISE, "s1"].startswith("s1/essay.pdf: the file is no notebook, and is not marked")
    assert {key[1] for key in problems_by_student(files, [EXERCISE, "five_by_two"])} == {"s1"}
    named = received(file(f"s1/{STEM}.pdf", content=b""))
    assert [*problems_by_student(named, [EXERCISE, "five_by_two"])] == [(EXERCISE, "s1")]


def test_no_right_notebook_is_nothing_handed_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    only_judging(monkeypatch)
    files = {
        f"s1/{STEM}.ipynb.txt": handed_in("s1"),
        "s2/homework.json": handed_in("s2"),
        f"s3/{STEM}.ipynb": handed_in("s3", solved=False),
        f"s3/{STEM} (2).ipynb": handed_in("s3"),
        "s4/homework.docx": b"PK",
    }
    write_files(tmp_path / "in", files)
    course = GradingCourse(read_roster(roster_file(tmp_path)), SECRET, {EXERCISE: ROOT / "exercises" / NOTEBOOK})
    grade_class([tmp_path / "in"], course, tmp_path / "out", jobs=1)
    rows = {row["id"]: row for row in csv.DictReader(io.StringIO((tmp_path / "out" / "grades.csv").read_text(encoding="utf-8-sig")))}
    assert [rows[f"s{k}"]["status"] for k in range(1, 6)] == ["marked"] * 3 + ["not marked", "nothing handed in"]
    assert len(rows) == 5
    said = f"2 notebooks of this exercise in one upload: s3/{STEM} (2).ipynb counts, {NUMBER}; not marked: s3/{STEM}.ipynb."
    assert said in rows["s3"]["flags"]
    assert said in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert said in (tmp_path / "out" / "feedback" / "s3" / f"{EXERCISE}.html").read_text(encoding="utf-8")
