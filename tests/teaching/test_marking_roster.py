"""Who is in the course, and what each of them is given."""

import csv
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from class_of import EXERCISE, NOTEBOOK, ROOT, SECRET, STUDENTS, roster_file
from shortcuts import assert_raises, parametrize

from fstats import cli, individual
from fstats.teaching.course.catalogue import exercise_names
from fstats.teaching.marking.release import exercise_notebooks, release, select_exercises
from fstats.teaching.marking.roster import Student, StudentIndex, read_roster
from fstats.teaching.marking.untrusted_text import csv_text, escape_formula, read_csv, unescape_formula


def written(folder: Path, text: str | bytes) -> Path:
    """A file of this text."""
    path = folder / "list.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return path


# -- the roster ------------------------------------------------------------------------------------------------------------------
def test_names_in_any_script(tmp_path: Path) -> None:
    assert {who.id: who.name for who in read_roster(roster_file(tmp_path))} == STUDENTS


@parametrize(
    "text",
    "id,name,email\n7,Ada King,a@x.org\n",
    "\ufeffID number;Full name;Email address\r\n7;Ada King;a@x.org\r\n",
    "First name\tLast name\tE-mail\tID\nAda\tKing\ta@x.org\t7\n",
    'Student,SIS User ID,Email\n"Ada King",7,a@x.org\n\n',
    "name,email,matriculation number\n Ada   King ,a@x.org, 7 \n",
)
def test_registers_and_platforms_name_their_columns_in_many_ways(tmp_path: Path, text: str) -> None:
    """Commas, semicolons and tabs; with a byte order mark or without; the name in one cell or two."""
    (who,) = read_roster(written(tmp_path, text))
    assert (who.id, who.name, who.email) == ("7", "Ada King", "a@x.org")


@pytest.mark.every_case
@parametrize(
    "text, words",
    ("name,email\nAda,a@x.org\n", r"must have a column id \(or student id, .*\); got the columns name, email"),
    ("", "must name the columns in the first line, such as id,name,email; got an empty file"),
    ("id,name\n", "must have a line for each student below the names of the columns; got none"),
    ("id,name\n1,A\n2,B\n1,C\n", "a different id; got '1' in the lines 2 and 4"),
    ("id,name\ns1,A\nS1,B\n", "a different id; got 's1' in the lines 2 and 3"),
    ("id,email\n1,a@x\n2,A@x\n", "a different email; got 'a@x' in the lines 2 and 3"),
    ("id,name\n1,A\n,B\n", "line 3 of .*: there is no id"),
    ("id,name\n../1,A\n", "line 2 of .*: '../1' cannot be the name of a folder"),
    ("id,name\n.hidden,A\n", "cannot be the name of a folder"),
    ("id,name\nNUL,A\n", "cannot be the name of a folder"),
    ("id,name\na\tb,A\n".replace("\t", "\x07"), "cannot be the name of a folder"),
    (
        "id,name\n1,King, Ada\n",
        r"line 2 of .* must have 2 cells, one for each column; got 3 cells. Write quotes around a cell that contains ','",
    ),
    ("id,name\n1,Åse\n".encode("latin-1"), 'Save the table again as "CSV UTF-8"'),
    ('id,name\n1,"A\n', "is not a valid CSV file"),
)
def test_a_roster_that_cannot_be_used_says_why(tmp_path: Path, text: str | bytes, words: str) -> None:
    assert_raises(lambda: read_roster(written(tmp_path, text)), words)


def test_a_student_is_found_by_what_a_file_says() -> None:
    """Whichever part of the name comes first, and however accents are composed; two of the same name are both told."""
    register = StudentIndex(
        [Student("1", "Ada King Lovelace", "ada@x.org"), Student("2", "Jose\u0301 Núñez"), Student("3", "Núñez, José", moodle="77")]
    )
    assert register.by_name("kingloveladaada") == []
    assert register.by_name("lovelaceadaking") == register.by_name("Ada King Lovelace") == ["1"]
    assert register.by_name("José Núñez") == register.by_name("núñezjosé") == ["2", "3"]
    assert (register.by_id(" ADA@x.org "), register.by_number("moodle", "77")) == (["1"], ["3"])
    assert register.by_number("canvas", "77") == []


# -- spreadsheets ----------------------------------------------------------------------------------------------------------------
@pytest.mark.every_case
@pytest.mark.parametrize("text", ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "  =1", "＝1", "\n=1"])
def test_formulas_are_defused(text: str) -> None:
    assert escape_formula(text).startswith("'")


@pytest.mark.parametrize("text", ["-0.375", "+3", "12", "Ada - King", "a=b", "", "-", "नि\u200dशा"])
def test_what_is_none_stays(text: str) -> None:
    assert escape_formula(text) == text


@pytest.mark.parametrize("text", ["good;=cmd|' /C calc'!A1", 'a"; "=1+1', "fine\n=1+1", "x;-2+3;@SUM(1)", "- one\n- two", "=a;=b"])
def test_formulas_behind_a_separator_are_defused(text: str) -> None:
    """Where semicolons separate, a cell of a file with commas may end at one; what was filled in comes back as it was."""
    line = csv_text(["a", "b"], [["x", text]])
    for separator in ",;":
        cells = [cell for row in csv.reader(io.StringIO(line), delimiter=separator) for cell in row]
        assert not [cell for cell in cells if re.match(r'[ "]*[=+@-].', cell)]
    assert unescape_formula(escape_formula(text)) == text


def test_tables_have_quotes_and_come_back(tmp_path: Path) -> None:
    assert csv_text(["a", "b"], [[1.5, "x"]]) == '"a","b"\n"1.5","x"\n'
    cells = ['a,"b"', "two\nlines", "ü", "7"]
    assert read_csv(written(tmp_path, csv_text(["1", "2", "3", "4"], [cells]))) == (["1", "2", "3", "4"], [(3, cells)])


# -- the release -----------------------------------------------------------------------------------------------------------------
@pytest.fixture
def course(tmp_path: Path) -> Path:
    roster_file(tmp_path)
    (tmp_path / "secret.txt").write_text(SECRET + "\n", encoding="utf-8")
    return tmp_path


def run(course: Path, *words: str) -> int:
    files = {"roster.csv", "nobody.csv", "secret.txt", "out"}
    return cli.main([str(course / word) if word in files else word for word in words])


RELEASE = "--students", "roster.csv", "--secret", "secret.txt", "--out", "out"


def test_each_student_has_his_notebook(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With his token, without outputs, and without the secret; what it links to lies beside it."""
    assert run(course, "release", EXERCISE, *RELEASE) == 0
    assert capsys.readouterr().out == f"5 notebooks for 5 students in {course / 'out'}\n"
    for student in STUDENTS:
        path = course / "out" / student / "exercises" / NOTEBOOK
        notebook = nbformat.read(path, as_version=4)
        nbformat.validate(notebook)
        own = individual(student, EXERCISE, SECRET).token
        assert sum(f'exercise("{EXERCISE}", data="{own}")' in cell.source for cell in notebook.cells) == 1
        assert not any(cell.outputs for cell in notebook.cells if cell.cell_type == "code")
        assert SECRET not in path.read_text(encoding="utf-8")
        assert [book.name for book in (course / "out" / student / "notebooks").iterdir()] == ["01_paired_t.ipynb"]


def links(notebook: Path) -> list[str]:
    """The files that the texts of a notebook lead to."""
    texts = "\n".join(cell.source for cell in nbformat.read(notebook, as_version=4).cells if cell.cell_type == "markdown")
    return re.findall(r"\]\(((?!https?:|#)[^)#\s]+)", texts)


def test_every_link_of_a_release_leads_somewhere(course: Path) -> None:
    names = ["wilcoxon_by_hand", "folds_are_not_independent"]
    release(read_roster(course / "roster.csv")[:1], select_exercises(names, exercise_notebooks(ROOT / "exercises")), SECRET, course / "out")
    found = sorted((course / "out" / "s1").rglob("*.ipynb"))
    seen = [(path, link) for path in found for link in links(path)]
    assert len(seen) > 8
    assert [(path.name, link) for path, link in seen if not (path.parent / link).exists()] == []
    there = {path.stem for path in found}
    for name in names:
        task = individual("s1", name, SECRET)
        assert {question.see.notebook for question in task.exercise.questions} <= there
        assert {mistake.see.notebook for mistake in task.exercise.mistakes} <= there


def test_a_release_is_the_same_again_and_overwrites_nothing(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What was interrupted goes on; where a student's answers may be, nothing is written at all."""
    assert run(course, "release", EXERCISE, *RELEASE) == 0
    first = course / "out" / "s1" / "exercises" / NOTEBOOK
    untouched = first.read_bytes()
    lost = course / "out" / "s2" / "exercises" / NOTEBOOK
    lost.unlink()
    assert run(course, "release", EXERCISE, *RELEASE) == 0
    assert lost.exists()
    first.write_text("answers")
    lost.unlink()
    assert run(course, "release", EXERCISE, *RELEASE) == 1
    assert "exists already, perhaps with a student's answers" in capsys.readouterr().err
    assert first.read_text() == "answers" != untouched.decode()
    assert not lost.exists()


def test_a_release_of_everything_has_the_exercises_of_the_course_only(course: Path) -> None:
    (course / "exercises").mkdir()
    for path in (ROOT / "exercises").glob("*.ipynb"):
        (course / "exercises" / path.name).write_bytes(path.read_bytes())
    (course / "exercises" / "99_my_draft.ipynb").write_text("{}")
    (course / "exercises" / "Untitled.ipynb").write_text("{}")
    assert set(exercise_notebooks(course / "exercises")) == set(exercise_names())
    (course / "exercises" / NOTEBOOK).unlink()
    assert_raises(lambda: exercise_notebooks(course / "exercises"), f"has no notebook of {EXERCISE}", LookupError)


@parametrize(
    "words, said",
    (("release", "t_test", *RELEASE), "there is no exercise 't_test'; the nearest names are '"),
    (("release", "--students", "nobody.csv", "--secret", "secret.txt", "--out", "out"), "nobody.csv"),
    (("release", EXERCISE, "--students", "roster.csv", "--secret", "roster.csv", "--out", "out"), ""),
    (("solution", "t_test"), "there is no exercise 't_test'; the nearest names are '"),
    (("audit", "out", "s1"), "was not written by fstats grade. Name the folder"),
)
def test_what_the_commands_cannot_do_is_said(course: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str) -> None:
    """In one line, with status 1, and no traceback; any long text can be a secret."""
    assert run(course, *words) == bool(said)
    assert said in capsys.readouterr().err


def test_a_short_secret_is_refused(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (course / "secret.txt").write_text("hush\n")
    assert run(course, "release", EXERCISE, *RELEASE) == 1
    assert "must have at least 16 characters, because a shorter secret could be guessed; got 4" in capsys.readouterr().err


# -- solutions -------------------------------------------------------------------------------------------------------------------
def test_solution_prints_the_solution_of_a_student(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The very text of his task; without a student that of the course."""
    assert run(course, "solution", EXERCISE, "--student", "s1", "--secret", "secret.txt") == 0
    assert (capsys.readouterr().out, run(course, "solution", EXERCISE)) == (individual("s1", EXERCISE, SECRET).solution(), 0)
    assert "q5 (1)  statistic = 1.987\n" in capsys.readouterr().out


def test_a_student_needs_the_secret(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert_raises(lambda: run(course, "solution", EXERCISE, "--student", "s1"), "2", SystemExit)
    assert "--student (or --students) and --secret must be given together" in capsys.readouterr().err


def test_the_solutions_of_a_whole_class(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Page by page, or a file for each; each the very text of the student's task."""
    assert run(course, "solution", EXERCISE, "--students", "roster.csv", "--secret", "secret.txt") == 0
    printed = capsys.readouterr().out.split("\f")
    assert run(course, "solution", EXERCISE, "--students", "roster.csv", "--secret", "secret.txt", "--out", "out") == 0
    for (student, name), page in zip(STUDENTS.items(), printed, strict=False):
        assert page == f"{student}  {name}\n" + individual(student, EXERCISE, SECRET).solution()
        assert (course / "out" / f"{student}_{EXERCISE}.txt").read_text(encoding="utf-8") == page
    other = ("solution", "sign_test_by_hand", "--students", "roster.csv", "--secret", "secret.txt", "--out", "out")
    assert run(course, *other) == 0, "one folder takes all exercises"
    (course / "out" / f"s1_{EXERCISE}.txt").write_text("mine")
    assert run(course, "solution", EXERCISE, "--students", "roster.csv", "--secret", "secret.txt", "--out", "out") == 1
    assert (course / "out" / f"s1_{EXERCISE}.txt").read_text() == "mine"


@pytest.mark.complete
def test_whoever_has_read_enough_closes_the_pipe(course: Path) -> None:
    words = ["solution", EXERCISE, "--students", str(course / "roster.csv"), "--secret", str(course / "secret.txt")]
    read, write = os.pipe()
    os.close(read)
    found = subprocess.run([sys.executable, "-m", "fstats.cli", *words], stdout=write, stderr=subprocess.PIPE, check=False)
    os.close(write)
    assert (found.returncode, found.stderr) == (141, b"")


def test_a_handed_out_notebook_is_plain_json(course: Path) -> None:
    assert run(course, "release", EXERCISE, *RELEASE) == 0
    assert json.loads((course / "out" / "s3" / "exercises" / NOTEBOOK).read_text(encoding="utf-8"))["nbformat"] == 4
