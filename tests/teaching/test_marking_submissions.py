"""What comes back: whose it is, of what, when; and whatever is wrong with it stays a row and never ends a run."""

import io
import json
import os
import stat
import struct
import tempfile
import time
import warnings
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from class_of import write_files
from hypothesis import example, given, settings
from hypothesis import strategies as st
from shortcuts import assert_raises, parametrize

from fstats.teaching.course.catalogue import exercise_names
from fstats.teaching.marking.marks.grading_policy import Policy
from fstats.teaching.marking.marks.student_grade import latest_submission, notebook_of_upload
from fstats.teaching.marking.release import lesson_fingerprints
from fstats.teaching.marking.roster import Student, StudentIndex
from fstats.teaching.marking.submissions import uploaded_files
from fstats.teaching.marking.submissions.submission_import import import_submissions
from fstats.teaching.marking.submissions.uploaded_files import MAX_FILE, MAX_PATH, Received, UploadedFile, read_files

ROOT = Path(__file__).parents[2]
CLASS = [
    Student("s1", "Ada King", "ada@example.org"),
    Student("s2", "Žofie Ångström"),
    Student("s3", "王 小明", canvas="303"),
    Student("s4", "Jo Twin", moodle="Participant 44"),
    Student("s5", "Jo Twin"),
]
NOTEBOOK = b'{"cells": [{"source": ["task = exercise(\\"paired_t_by_hand\\", data=\\"00\\")"]}]}'


def received(*paths: str, content: bytes = NOTEBOOK, only: list[str] | None = None, **more: object) -> list[Received]:
    files = [UploadedFile(path, b"2026-11-24 10:15:00.5 UTC" if path.endswith("timestamp.txt") else content) for path in paths]
    return import_submissions(files, StudentIndex(CLASS), only or exercise_names(), **more)  # type: ignore[arg-type]


def whose(path: str) -> tuple[str, str, str, str]:
    """Student, exercise, layout and number of one file."""
    (one,) = received(path)
    return one.student, one.exercise, one.layout, one.number


# -- layouts -----------------------------------------------------------------------------------------------------------------------
@parametrize(
    "path, found",
    ("Ada King_123_assignsubmission_file_/01_paired_t_by_hand.ipynb", ("s1", "paired_t_by_hand", "moodle", "123")),
    ("Ada King_123_assignsubmission_file/my answers.ipynb", ("s1", "paired_t_by_hand", "moodle", "123")),
    ("King Ada_123_assignsubmission_file_/sub/01_paired_t_by_hand.ipynb", ("s1", "paired_t_by_hand", "moodle", "123")),
    ("Ada King_123_assignsubmission_file_01_paired_t_by_hand.ipynb", ("s1", "paired_t_by_hand", "moodle", "123")),
    ("course/Žofie Ångström_9_assignsubmission_file_/wilcoxon_by_hand (2).ipynb", ("s2", "wilcoxon_by_hand", "moodle", "9")),
    ("Jo Twin_44_assignsubmission_file_/a.ipynb", ("s4", "paired_t_by_hand", "moodle", "44")),
    ("Participant_44_assignsubmission_file_/a.ipynb", ("s4", "paired_t_by_hand", "moodle", "44")),
    ("kingada_1_2_01_paired_t_by_hand.ipynb", ("s1", "paired_t_by_hand", "canvas", "1")),
    ("kingada_LATE_1_2_01_paired_t_by_hand-3.ipynb", ("s1", "paired_t_by_hand", "canvas", "1")),
    ("ångströmžofie_1_2_08_friedman_and_nemenyi.ipynb", ("s2", "friedman_and_nemenyi", "canvas", "1")),
    ("anon_a1B2c_77_01_paired_t_by_hand.ipynb", ("", "paired_t_by_hand", "canvas", "a1B2c")),
    ("小明王_303_2_01_paired_t_by_hand.ipynb", ("s3", "paired_t_by_hand", "canvas", "303")),
    ("kingada_1_2_all.zip/inner/01_paired_t_by_hand.ipynb", ("s1", "paired_t_by_hand", "canvas", "1")),
    ("submitted/s1/ps1/problem.ipynb", ("s1", "paired_t_by_hand", "", "")),
    ("s1/five_by_two/problem.ipynb", ("s1", "five_by_two", "", "")),
    ("s2/exercises/11_five_by_two.ipynb", ("s2", "five_by_two", "", "")),
    ("ada@example.org/01_paired_t_by_hand.ipynb", ("s1", "paired_t_by_hand", "", "")),
    ("S1_01_paired_t_by_hand.ipynb", ("s1", "paired_t_by_hand", "", "")),
)
def test_files_as_the_platforms_lay_them_out(path: str, found: tuple[str, str, str, str]) -> None:
    """By the numbers that the roster knows, by names in any script and order, by ids; the exercise by names and then by what is in it."""
    assert whose(path) == found


@parametrize(
    "path, words",
    ("Eve Nobody_5_assignsubmission_file_/01_paired_t_by_hand.ipynb", "nobody on the roster fits 'Eve Nobody'"),
    ("Jo Twin_5_assignsubmission_file_/01_paired_t_by_hand.ipynb", "'Jo Twin' may be s4 or s5. Add a column moodle to the roster"),
    ("twinjo_5_6_01_paired_t_by_hand.ipynb", "'twinjo' may be s4 or s5. Add a column canvas to the roster"),
    ("loose/01_paired_t_by_hand.ipynb", "nobody on the roster fits"),
    ("s1/essay.pdf", "the file is no notebook, and is not marked"),
    ("s1/s2/01_paired_t_by_hand.ipynb", "'s1/s2' may be s1 or s2"),
)
def test_what_cannot_be_told_is_a_row_that_says_so(path: str, words: str) -> None:
    (one,) = received(path)
    assert words in one.problem


PACKED = "kingada_1_2_mine.zip", "s2/mine.zip", "Ada King_123_assignsubmission_file_/mine.zip", "mine.zip", "s1_mine.zip"


@parametrize("inner", "s2/a.ipynb", "s2_a.ipynb", "303_3_4_a.ipynb", "小明王_303_2_a.ipynb", "Jo Twin_44_assignsubmission_file_/a.ipynb")
@pytest.mark.parametrize(("upload", "owner"), [*zip(PACKED, ["s1", "s2", "s1", "", "s1"], strict=True)])
def test_a_students_own_zip_names_nobody(upload: str, owner: str, inner: str) -> None:
    file = UploadedFile(f"{upload}/{inner}", NOTEBOOK, upload=upload)
    (one,) = import_submissions([file], StudentIndex(CLASS), exercise_names())
    assert (one.student, bool(one.problem)) == (owner, not owner)
    assert owner or one.problem.endswith("if a platform made the zip, give the zip itself to fstats grade")


@pytest.mark.every_case
@parametrize(
    "path, owner",
    ("s3/ps1/Ada King_1_assignsubmission_file_paired_t_by_hand.ipynb", "s3"),
    ("s3/Ada King_1_assignsubmission_file_/a.ipynb", "s3"),
    ("s3/ps1/kingada_1_2_a.ipynb", "s3"),
    ("submitted/s3/ps1/s1/a.ipynb", "s3"),
    ("submitted/nobody/ps1/s1_a.ipynb", ""),
    ("submitted/nobody/ps1/kingada_1_2_a.ipynb", ""),
    ("Ada King_1_assignsubmission_file_/s2/a.ipynb", "s1"),
    ("Ada King_1_assignsubmission_file_/小明王_303_2_a.ipynb", "s1"),
    ("kingada_1_2_a.zip/Jo Twin_44_assignsubmission_file_/a.ipynb", "s1"),
    ("kingada_1_2_Jo Twin_44_assignsubmission_file_a.ipynb", "s1"),
    ("Ada King_1_assignsubmission_file_小明王_303_2_a.ipynb", "s1"),
    ("exam_2026_11_24/s3/a.ipynb", "s3"),
    ("exam_2026_11_24/kingada_1_2_a.ipynb", "s1"),
)
def test_the_outermost_name_decides_alone(path: str, owner: str) -> None:
    """Below a folder or behind a name that the platform gave, students choose names."""
    assert whose(path)[0] == owner


def test_other_exercises_and_none_at_all() -> None:
    (one,) = received("s1/02_wilcoxon_by_hand.ipynb", only=["paired_t_by_hand"])
    assert one.problem == "wilcoxon_by_hand is not among the exercises that are marked now"
    (one,) = received("s1/notes.ipynb", content=b'{"cells": []}')
    assert one.problem == "the notebook opens no exercise of this course, and is not marked"
    (one,) = received("s1/both.ipynb", content=NOTEBOOK.replace(b"data", b"exercise('five_by_two')"))
    assert "opens no exercise" in one.problem


@pytest.mark.parametrize("name", ["01_paired_t.ipynb", "01_paired_t-1.ipynb", "01_paired_t (2).ipynb"])
def test_lessons_that_come_back_are_passed_over(name: str) -> None:
    """Whatever a student has changed in one; another notebook that only bears its name is not."""
    lessons = lesson_fingerprints(ROOT / "notebooks")
    lesson = json.loads((ROOT / "notebooks" / "01_paired_t.ipynb").read_text(encoding="utf-8"))
    changed = {"cells": [cell | {"outputs": [], "source": NOTEBOOK.decode()} for cell in lesson["cells"][3:]]}
    for content in (json.dumps(lesson), json.dumps(changed, separators=(",", ":"))):
        assert received(f"s1/notebooks/{name}", content=content.encode(), lessons=lessons) == []
    (one,) = received(f"s1/notebooks/{name}", lessons=lessons)
    assert (one.student, one.exercise) == ("s1", "paired_t_by_hand")
    assert len(lessons) == len([*(ROOT / "notebooks").glob("*.ipynb")])


def test_a_folder_that_may_not_be_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A student's is a line of the report; that of the class ends the run."""
    (tmp_path / "s1").mkdir()
    (tmp_path / "s2.ipynb").write_bytes(NOTEBOOK)
    scandir = os.scandir

    def refuse(path: str) -> object:  # as root may read everything
        if str(path).endswith("s1"):
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    refused = "the file cannot be read: Permission denied"
    assert {file.path: file.problem for file in read_files(tmp_path)} == {"s1": refused, "s2.ipynb": ""}
    monkeypatch.setattr(os, "listdir", refuse)
    with pytest.raises(PermissionError):
        list(read_files(tmp_path / "s1"))


def test_every_exercise_is_told_by_its_name() -> None:
    for name in exercise_names():
        assert whose(f"s1/07_{name}-Copy1.ipynb")[:2] == ("s1", name)


# -- times -------------------------------------------------------------------------------------------------------------------------
def test_times_of_hand_in() -> None:
    """From a list, from nbgrader's file, from the date of the file if that is allowed; otherwise nobody knows."""
    stamp = datetime(2026, 11, 24, 10, 15, 0, 500_000, UTC)
    listed = datetime(2026, 1, 1, tzinfo=UTC)
    (one,) = received("submitted/s1/ps/01_paired_t_by_hand.ipynb", "submitted/s1/ps/timestamp.txt")
    assert (one.handed_in, one.known_by) == (stamp, "timestamp.txt")
    (one,) = stamped("submitted/s1/ps/a.ipynb", "submitted/s1/ps/timestamp.txt", text=b"2026-11-24 10:15:00.5+02:00")
    assert one.handed_in == stamp - timedelta(hours=2), "a zone of its own stays"
    (one,) = received("s1/ps/01_paired_t_by_hand.ipynb", "s1/ps/timestamp.txt", times={"s1": listed})
    assert (one.handed_in, one.known_by) == (listed, "a list")
    dated = UploadedFile("s1/01_paired_t_by_hand.ipynb", NOTEBOOK, modified=listed)
    for dates, found in ((False, (None, "")), (True, (listed, "the date of the file"))):
        (one,) = import_submissions([dated], StudentIndex(CLASS), exercise_names(), dates=dates)
        assert (one.handed_in, one.known_by) == found
    assert received("kingada_LATE_1_2_01_paired_t_by_hand.ipynb")[0].late


def stamped(*paths: str, text: bytes = b"2026-11-24 10:15:00 UTC", name: str = "in", upload: str = "", **more: object) -> list[Received]:
    """What is made of notebooks in a folder of this name, with a file that says when each was handed in."""
    day = datetime(2026, 12, 1, tzinfo=UTC)
    files = [UploadedFile(path, text if path.endswith(".txt") else NOTEBOOK, modified=day, upload=upload) for path in paths]
    return import_submissions(files, StudentIndex(CLASS), exercise_names(), place=Path(name), **more)  # type: ignore[arg-type]


def test_only_nbgraders_own_stamp_says_when() -> None:
    """STUDENT/ASSIGNMENT/timestamp.txt in its folder `submitted`; beside any other file a student can put one."""
    for name, start in (("in", "submitted/"), ("submitted", ""), ("week 3", "course/submitted/")):
        (one,) = stamped(f"{start}s1/ps/sub/a.ipynb", f"{start}s1/ps/timestamp.txt", name=name)
        assert one.known_by == "timestamp.txt"
    for path in (
        "s1/ps",
        "s1",
        "submitted/s1",
        "submitted/s1/ps/sub",
        "Ada King_123_assignsubmission_file_",
        "submitted/Ada King_1_assignsubmission_file_/ps",
    ):
        (one,) = stamped(f"{path}/a.ipynb", f"{path}/timestamp.txt")
        assert (one.student, one.handed_in) == ("s1", None)
    (one,) = stamped("kingada_LATE_1_2_a.zip/a.ipynb", "kingada_LATE_1_2_a.zip/timestamp.txt", upload="kingada_LATE_1_2_a.zip")
    assert (one.late, one.handed_in) == (True, None)
    (one,) = stamped("submitted/s1/ps/a.zip/a.ipynb", "submitted/s1/ps/a.zip/timestamp.txt", upload="submitted/s1/ps/a.zip")
    assert one.handed_in is None


@pytest.mark.every_case
@parametrize("text", "9999-12-31 23:59:59 UTC", "0001-01-01 00:00:00 UTC", "9999-12-31T23:59:59-12:00", "soon", "", "1" * 9000)
@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York"])
def test_a_time_that_cannot_be_is_none(text: str, zone: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """At the ends of the calendar there is none in some zones; the row says so."""
    with monkeypatch.context() as here:
        here.setenv("TZ", zone)
        getattr(time, "tzset", int)()
        (one,) = stamped("submitted/s1/ps/a.ipynb", "submitted/s1/ps/timestamp.txt", text=text.encode())
    getattr(time, "tzset", int)()
    assert (one.handed_in, one.note) == (None, "timestamp.txt holds no possible time: the file was ignored.")


def test_a_file_with_an_impossible_date_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.ipynb").write_bytes(NOTEBOOK)
    try:
        os.utime(tmp_path / "a.ipynb", (2**40, 2**40))
    except (OSError, OverflowError):
        pytest.skip("this file system has no such date")
    (file,) = read_files(tmp_path)
    assert (file.content, file.problem) == (NOTEBOOK, "")


def test_one_notebook_of_each_upload_counts() -> None:
    names = ["s1/01_paired_t_by_hand.ipynb", "s1/z.ipynb", "s1/paired_t_by_hand_b.ipynb"]
    assert notebook_of_upload(received(*names)).path == names[0]
    assert notebook_of_upload(received(*names[1:])).path == names[1]
    expected = "kingada_1_7_01_paired_t_by_hand-1.ipynb"
    assert notebook_of_upload(received("kingada_1_7_01_paired_t_by_hand-1.ipynb", "kingada_1_8_x.ipynb")).path == expected
    assert notebook_of_upload(received("s1_01_paired_t_by_hand.ipynb", "s1_z.ipynb")).file == "01_paired_t_by_hand.ipynb"
    assert notebook_of_upload(received("s1/my_01_paired_t_by_hand.ipynb", "s1/z.ipynb")).path == "s1/z.ipynb"
    early, late = (
        Received(f"01_{name}.ipynb", exercise="x", handed_in=datetime(2026, 1, day, tzinfo=UTC)) for name, day in (("x", 1), ("y", 2))
    )
    assert notebook_of_upload([early, late]).path == "01_y.ipynb"
    (again, *same) = received("s1/ps/a.ipynb", "s1/ps/b/c.ipynb", "s1/ps2/a.ipynb")
    assert [again.upload, *(one.upload for one in same)] == ["s1/ps2", "s1/ps", "s1/ps"]


def test_the_last_of_several_notebooks() -> None:
    """By time; where there is none, as people count: copy 10 behind copy 9, Canvas's file 12 behind file 7."""
    names = ["s1/01_paired_t_by_hand.ipynb", *(f"s1/01_paired_t_by_hand ({k}).ipynb" for k in (9, 10, 1))]
    assert latest_submission(received(*names)).path == "s1/01_paired_t_by_hand (10).ipynb"
    assert latest_submission(received("kingada_1_12_a.ipynb", "kingada_1_7_a-1.ipynb")).path == "kingada_1_12_a.ipynb"
    early, late = (Received(name, handed_in=datetime(2026, 1, day, tzinfo=UTC)) for name, day in (("z", 1), ("a", 2)))
    assert latest_submission([early, late]) is late


# -- folders and zips --------------------------------------------------------------------------------------------------------------
def zipped(folder: Path, files: dict[str, bytes]) -> Path:
    """A zip of these files."""
    path = folder / "submissions.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def problems(place: Path) -> dict[str, str]:
    """What is said of each file."""
    return {file.path: file.problem for file in read_files(place)}


def test_a_folder_and_its_zip_hold_the_same(tmp_path: Path) -> None:
    files = {"A/x.ipynb": b"1", "B/sub/y.ipynb": b"2", "__MACOSX/x": b"", "A/.ipynb_checkpoints/x.ipynb": b"", ".DS_Store": b""}
    write_files(tmp_path / "in", files)
    for place in (tmp_path / "in", zipped(tmp_path, files)):
        expected = {("A/x.ipynb", b"1", ""), ("B/sub/y.ipynb", b"2", "")}
        assert {(file.path, file.content, file.problem) for file in read_files(place)} == expected


def test_a_zip_that_a_student_packed_is_opened(tmp_path: Path) -> None:
    """Once; a zip within it is no notebook."""
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("01_paired_t_by_hand.ipynb", NOTEBOOK)
        archive.writestr("more.zip", b"PK")
        archive.writestr("../climbs.ipynb", NOTEBOOK)
    found = problems(zipped(tmp_path, {"s1/mine.zip": inner.getvalue(), "s2/broken.zip": b"PK no"}))
    assert found["s1/mine.zip/01_paired_t_by_hand.ipynb"] == found["s1/mine.zip/more.zip"] == ""
    assert "leads out of the zip" in found["s1/mine.zip/../climbs.ipynb"]
    assert "the zip cannot be opened" in found["s2/broken.zip"]


def test_a_file_in_a_students_zip_bears_the_date_of_the_zip(tmp_path: Path) -> None:
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr(zipfile.ZipInfo("a.ipynb", (2020, 1, 1, 0, 0, 0)), NOTEBOOK)
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.writestr(zipfile.ZipInfo("s1/mine.zip", (2026, 12, 3, 8, 0, 0)), inner.getvalue())
    (file,) = read_files(tmp_path / "all.zip")
    assert (file.path, file.upload, file.modified) == ("s1/mine.zip/a.ipynb", "s1/mine.zip", datetime(2026, 12, 3, 8).astimezone())


@pytest.mark.parametrize("name", ["../up.ipynb", "a/../../up.ipynb", "/etc/up.ipynb", "C:/up.ipynb", "..\\up.ipynb", "C:\\up.ipynb"])
def test_paths_that_climb_out_are_not_read(tmp_path: Path, name: str) -> None:
    before = sorted(tmp_path.parent.iterdir())
    (problem,) = problems(zipped(tmp_path, {name: NOTEBOOK})).values()
    assert (problem, sorted(tmp_path.parent.iterdir())) == ("the path leads out of the zip, so the file was not read", before)


def test_a_zip_bomb_is_not_unpacked(tmp_path: Path) -> None:
    place = zipped(tmp_path, {"s1/bomb.ipynb": bytes(15 * 2**20), "s2/huge.ipynb": os.urandom(64) * (MAX_FILE // 32)})
    assert "the file would become 200 times its size" in problems(place)["s1/bomb.ipynb"]
    assert problems(place)["s2/huge.ipynb"] == f"the file is larger than {MAX_FILE // 2**20} MiB, and was not read"
    lying = bytearray(zipped(tmp_path, {"s1/bomb.ipynb": bytes(30 * 2**20)}).read_bytes())
    for at in (lying.find(b"PK\x01\x02") + 24, lying.find(b"PK\x03\x04") + 22):
        lying[at : at + 4] = (1000).to_bytes(4, "little")
    (tmp_path / "lie.zip").write_bytes(lying)
    (file,) = read_files(tmp_path / "lie.zip")
    assert file.problem or len(file.content) <= MAX_FILE


def test_a_students_zip_may_be_four_times_as_large_as_a_notebook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the folder as in the zip of the class; what is within it may not."""
    monkeypatch.setattr(uploaded_files, "MAX_FILE", 300)
    notebooks = {"a.ipynb": os.urandom(300), "b.ipynb": os.urandom(301), "c.ipynb": b""}
    packed = {f"s1/{n}.zip": zipped(tmp_path, notebooks | {"c.ipynb": os.urandom(n)}).read_bytes() for n in (290, 295)}
    assert len(packed["s1/290.zip"]) == 1198
    found = problems(zipped(tmp_path, packed | {f"s2/{name}": content for name, content in notebooks.items()}))
    assert found == {
        "s1/290.zip/a.ipynb": "",
        "s1/290.zip/b.ipynb": uploaded_files.TOO_LARGE,
        "s1/290.zip/c.ipynb": "",
        "s1/295.zip": uploaded_files.TOO_LARGE,
        "s2/a.ipynb": "",
        "s2/b.ipynb": uploaded_files.TOO_LARGE,
        "s2/c.ipynb": "",
    }


def test_a_students_zip_has_a_size_all_together(tmp_path: Path) -> None:
    """Many notebooks, each of which could be one; what is no notebook is not even unpacked."""
    large = NOTEBOOK + os.urandom(120_000) + bytes(15 * 2**20)  # it becomes 130 times its size, as one with pictures might
    files = {f"{k}_paired_t_by_hand.ipynb": large for k in range(4)}
    inner = io.BytesIO(zipped(tmp_path, files).read_bytes())
    place = zipped(tmp_path, {"s1/many.zip": inner.getvalue(), "s2/a.ipynb": NOTEBOOK, "s2/a.pdf": b"%PDF"})
    said = {file.path: (file.problem, len(file.content)) for file in read_files(place)}
    refused = "the zip has more than 1000 files or 48 MiB, and was not opened"
    assert said == {"s1/many.zip": (refused, 0), "s2/a.ipynb": ("", len(NOTEBOOK)), "s2/a.pdf": ("", 0)}


def test_a_name_without_end_is_not_read_and_not_shown(tmp_path: Path) -> None:
    """A thousand of them in a student's zip would fill the report with megabytes."""
    inner = zipped(tmp_path, {f"{'long' * 10_000}/paired_t_by_hand.ipynb": NOTEBOOK}).read_bytes()
    ((path, problem),) = problems(zipped(tmp_path, {"s1/x.zip": inner})).items()
    assert (problem, len(path)) == (f"the path has more than {MAX_PATH} letters, so the file was not read", MAX_PATH)


@pytest.mark.complete
def test_a_zip_of_a_million_names_is_not_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The list of names alone would cost half a minute and a gigabyte; it is not even opened."""
    entry = struct.pack("<4s4B4H3L5H2L", b"PK\x01\x02", 20, 3, 20, 0, 0, 0, 0, 33, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0) + b"01234567"
    entries = entry * 5_000
    (tmp_path / "in").mkdir()
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 5_000, 5_000, len(entries), 0, 0)
    (tmp_path / "in" / "s1_many.zip").write_bytes(entries + end)
    (tmp_path / "in" / "s2.ipynb").write_bytes(NOTEBOOK)
    monkeypatch.setattr(uploaded_files, "ZipFile", None)  # which would make the list
    assert problems(tmp_path / "in") == {"s1_many.zip": "the zip has more than 1000 files or 48 MiB, and was not opened", "s2.ipynb": ""}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="a system without pipes that have names")
def test_what_is_put_in_the_place_of_a_file_meanwhile_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the look and the opening: a pipe, which would wait for ever, or a link."""
    (tmp_path / "a.ipynb").write_bytes(NOTEBOOK)
    looked = os.lstat(tmp_path / "a.ipynb")
    (tmp_path / "a.ipynb").unlink()
    os.mkfifo(tmp_path / "a.ipynb")
    (tmp_path / "b.ipynb").symlink_to("/etc/passwd")
    monkeypatch.setattr(uploaded_files.os, "lstat", lambda _: looked)
    found = problems(tmp_path)
    assert found["a.ipynb"] == "the path is no ordinary file, and was not read"
    assert found["b.ipynb"].startswith("the file cannot be read: ")


NAMES = ["", "/", "1" * 5000, "0" * 6000 + "1", "..", "\\", " ", "\n", "\u202e", "²", "٣", "x" * 300, "timestamp.txt", "LATE_", "s1", "s2_"]
NAMES += [
    "a.ipynb",
    "kingada_5_6_",
    "anon_xY_7_",
    "Ada King_5_assignsubmission_file_",
    "a.zip",
    ":",
    "submitted/",
    "paired_t_by_hand",
    ".ipynb",
]


def zip_of(names: list[str]) -> bytes:
    """A zip with files of these names, whatever a zip program says to them."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in names:
            archive.writestr(zipfile.ZipInfo(name, (2026, 11, 24, 10, 15, 0)), zip_of(["b.ipynb"]) if name.endswith(".zip") else NOTEBOOK)
    return made.getvalue()


@pytest.mark.complete
@settings(max_examples=60)
@given(st.lists(st.lists(st.sampled_from(NAMES), min_size=1, max_size=5).map("".join), min_size=1, max_size=5), st.integers(0, 10**6))
@example(["", "a.ipynb"], 0)
@example(["1" * 5000 + ".ipynb", "2.ipynb"], 0)
def test_no_name_in_a_students_zip_stops_the_run(names: list[str], place: int) -> None:
    """Nor a byte that is wrong in it: each file is a row, and the honest student beside it is found."""
    raw = bytearray(zip_of(names))
    if place:
        raw[place % len(raw)] ^= 1 + place % 255
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "s1_all.zip").write_bytes(raw)
        (Path(folder) / "s2.ipynb").write_bytes(NOTEBOOK)
        found = import_submissions(read_files(Path(folder)), StudentIndex(CLASS), exercise_names())
    assert [one.path for one in found if one.student == "s2" and not one.problem] == ["s2.ipynb"]
    assert all(one.student in ("s1", "") for one in found if one.path != "s2.ipynb")


def test_order_of_files_and_links(tmp_path: Path) -> None:
    # 10 behind 9, whatever zeros stand before it; a number of any length is one.
    names = ["s1/a.ipynb", "s1/a2.ipynb", "s1/a09.ipynb", "s1/a10.ipynb", f"s1/a{'1' * 5000}.ipynb", f"s1/a{'2' * 5000}.ipynb"]
    assert [one.path for one in received(*reversed(names))] == names
    (one,) = received("s1/01_paired_t_by_hand.ipynb", content=NOTEBOOK + bytes(2**20))
    assert one.content == NOTEBOOK + bytes(2**20)
    assert len(one.packed) < 2**14
    (other,) = received("nobody/01_paired_t_by_hand.ipynb")
    assert (other.packed, other.content) == (b"", b"")
    link = zipfile.ZipInfo("s1/link.ipynb")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "links.zip", "w") as archive:
        archive.writestr(link, "/etc/passwd")
    assert problems(tmp_path / "links.zip") == {"s1/link.ipynb": "the file is a link, and was not followed"}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="a system without pipes that have names")
def test_links_and_pipes_in_a_folder_are_not_opened(tmp_path: Path) -> None:
    """A link to the secret, a link to a folder, a pipe that would wait for ever."""
    (tmp_path / "secret.txt").write_text("hush")
    inside = tmp_path / "in" / "s1"
    inside.mkdir(parents=True)
    (inside / "a.ipynb").symlink_to(tmp_path / "secret.txt")
    (inside / "b").symlink_to(tmp_path)
    os.mkfifo(inside / "c.ipynb")
    link = "the file is a link, and was not followed"
    expected = {"s1/a.ipynb": link, "s1/b": link, "s1/c.ipynb": "the path is no ordinary file, and was not opened"}
    assert problems(tmp_path / "in") == expected


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such names")
def test_names_that_are_no_utf8(tmp_path: Path) -> None:
    with open(os.path.join(os.fsencode(tmp_path), b"\xff\xfe.ipynb"), "wb") as file:
        file.write(NOTEBOOK)
    (path,) = problems(tmp_path)
    assert path.encode("utf-8").decode() == path == r"\udcff\udcfe.ipynb"


def test_nothing_to_mark_is_said(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for place, words in ((tmp_path / "empty", "empty contains no file"), (tmp_path / "nowhere", "there is no folder or zip")):
        with pytest.raises(ValueError, match=words):
            list(read_files(place))
    (tmp_path / "no.zip").write_bytes(b"this is no zip")
    assert_raises(lambda: list(read_files(tmp_path / "no.zip")), r"no\.zip cannot be read: the zip cannot be opened")


# -- the policy --------------------------------------------------------------------------------------------------------------------
DUE = datetime(2026, 12, 1, 12, tzinfo=UTC)


def test_the_example_is_a_policy(tmp_path: Path) -> None:
    """Every rule can be set, and is set on the page for lecturers."""
    path, page = tmp_path / "policy.toml", (ROOT / "solutions" / "GRADING.md").read_text(encoding="utf-8")
    path.write_text(page.partition("```toml\n")[2].partition("```")[0], encoding="utf-8")
    policy = Policy.read(path)
    assert (policy.grace_minutes, policy.percent_a_day, policy.most_percent, policy.take) == (15.0, 10.0, 50.0, "last")
    extended = datetime.fromisoformat("2026-12-08T23:59:00+01:00")
    assert policy.deadline_for("wilcoxon_by_hand", "s1") == datetime.fromisoformat("2026-12-01T23:59:00+01:00")
    assert policy.deadline_for("paired_t_by_hand", "s1") == datetime.fromisoformat("2026-11-24T23:59:00+01:00")
    assert policy.deadline_for("paired_t_by_hand", "s1234567") == policy.deadline_for("wilcoxon_by_hand", "s1234567") == extended
    path.write_text("", encoding="utf-8")
    assert Policy.read(path) == Policy()


@pytest.mark.every_case
@parametrize(
    "text, words",
    ("[points", "is not a valid TOML file"),
    ("[point]\ncarried = 1", "the policy .* can have the tables points, late, attempts, deadlines, extensions; got the table 'point'"),
    ("carried = 1", "the policy .* can have the tables"),
    ("[points]\nright = 1", "the table points of .* can have the entries carried, .*; got the entry 'right'"),
    ("[points]\ncarried = 1.5", "points.carried in .* must be a number from 0 to 1; got 1.5"),
    ("[points]\ncarried = true", "must be a number from 0 to 1; got True"),
    ("[points]\ntyped = nan", "must be a number from 0 to 1; got nan"),
    ("[points]\nfree_text = 'maybe'", "must be 'auto' or 'always' or 'never'; got 'maybe'"),
    ("[late]\ngrace_minutes = -1", "must be a number of at least 0; got -1"),
    ("[late]\npercent_a_day = 110", "must be a number from 0 to 100; got 110"),
    ("[late]\nby_the_minute = 1", "must be true or false; got 1"),
    ("[late]\ndeadline = '2026-12-01'", "must be a date with a time, such as 2026-12-01T23:59:00"),
    ("[late]\ndeadline = 2026-12-01", "must be a date with a time"),
    ("[extensions]\ns1 = 3", "extensions.s1 in .* must be a date with a time"),
    ("[attempts]\ntake = 'first'", "must be 'last' or 'best'; got 'first'"),
)
def test_a_policy_that_is_none_says_why(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "policy.toml").write_text(text, encoding="utf-8")
    assert_raises(lambda: Policy.read(tmp_path / "policy.toml"), words)


@parametrize(
    "minutes, by_the_minute, percent, words",
    (-60, False, 0.0, ""),
    (0, False, 0.0, ""),
    (15, False, 0.0, ""),  # within the grace
    (15.5, False, 10.0, "16 minutes late: 10 % taken off"),  # after it, from the deadline on: one begun day
    (24 * 60, False, 10.0, "1 day late: 10 % taken off"),
    (24 * 60 + 1, False, 20.0, "1 day 1 minute late: 20 % taken off"),
    (36 * 60, True, 15.0, "1 day 12 hours late: 15 % taken off"),
    (40 * 24 * 60, False, 50.0, "40 days late: 50 % taken off"),  # the cap,
)
def test_what_being_late_costs(minutes: float, by_the_minute: bool, percent: float, words: str) -> None:
    """Minutes of grace, percent a day, a cap; by hand: 10 % for each day that has begun."""
    policy = Policy(deadline=DUE, grace_minutes=15, percent_a_day=10, most_percent=50, by_the_minute=by_the_minute)
    assert policy.late_penalty("x", "s1", DUE + timedelta(minutes=minutes)) == (pytest.approx(percent), words)


def test_nobody_is_late_without_a_deadline_or_a_time() -> None:
    assert Policy(percent_a_day=10).late_penalty("x", "s1", DUE) == (0.0, "")
    policy = Policy(deadline=DUE, percent_a_day=10, extensions={"s1": DUE + timedelta(days=9)})
    assert (policy.late_penalty("x", "s1", None), policy.late_penalty("x", "s1", DUE + timedelta(days=8))) == ((0.0, ""), (0.0, ""))
    assert policy.late_penalty("x", "s2", DUE + timedelta(days=8))[0] == 80.0
