"""What is published: a wheel that serves alone, a source distribution that can be tested, and errors that name the extra."""

import io
import itertools
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from base64 import b64decode
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from shortcuts import parametrize
from wheels import ROOT, build, run, unpack

import fstats
from fstats import cli
from fstats.runtime.optional_dependencies import DISTRIBUTION
from fstats.teaching import course_files

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The wheel and the source distribution."""
    folder = tmp_path_factory.mktemp("dist")
    return build("wheel", folder), build("sdist", folder)


@pytest.fixture(scope="module")
def installed(built: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of libraries in which the wheel is unpacked."""
    return unpack(built[0], tmp_path_factory.mktemp("site-packages"))


# -- what is in them ---------------------------------------------------------------------------------------------------------------
def tracked(*folders: str) -> set[str]:
    """The files of the repository in some folders."""
    listed = subprocess.run(["git", "ls-files", "-z", *folders], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return {name for name in listed.split("\0") if name and (ROOT / name).exists()}


@pytest.mark.complete
@pytest.mark.needs("git")
def test_the_wheel_holds_the_package_and_the_course(built: tuple[Path, Path]) -> None:
    """Each file of fstats where it is, each notebook and exercise on the shelf, no solution, and nothing besides; in 9.2 MB."""
    with zipfile.ZipFile(built[0]) as wheel:
        found = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert tracked("fstats") <= found
    on_the_shelf = "fstats/teaching/shelf/"
    assert {name.removeprefix(on_the_shelf) for name in found if name.startswith(on_the_shelf)} == notebooks()
    assert {name.split("/")[0] for name in found} == {"fstats"}
    assert not [name for name in found if "__pycache__" in name or name.startswith("fstats/tests")]
    assert built[0].stat().st_size < 9.2e6


def test_pictures_in_the_wheel_show_the_same(installed: Path) -> None:
    """In fewer colours, on a page of either brightness; of a notebook nothing else is otherwise."""
    place, picture = "notebooks/05_friedman.ipynb", re.compile(r'(?<="image/png": ")[^"\\]+')
    ours, theirs = (where.joinpath(place).read_text(encoding="utf-8") for where in (ROOT, installed / "fstats/teaching/shelf"))
    assert picture.sub("", ours) == picture.sub("", theirs)
    pairs = [
        [Image.open(io.BytesIO(b64decode(data))).convert("RGBA") for data in pair] for pair in zip(*map(picture.findall, (ours, theirs)))
    ]
    assert len(pairs) > 2
    for page, pair in itertools.product(("white", "black"), pairs):
        seen = [np.asarray(Image.alpha_composite(Image.new("RGBA", one.size, page), one), float) for one in pair]
        assert np.abs(seen[0] - seen[1]).mean() < 1


def packed_for_a_clone(folder: Path, before: str = "pass") -> subprocess.CompletedProcess[str]:
    """What `pip install -e .` asks hatchling for, by a Python that has been told something before."""
    code = f"import sys; import hatchling.metadata.core; from hatchling.build import build_editable; {before}; build_editable(sys.argv[1])"
    return subprocess.run([sys.executable, "-c", code, str(folder)], cwd=ROOT, capture_output=True, text=True, check=False)


def test_a_clone_that_is_installed_has_no_second_copy(tmp_path: Path) -> None:
    assert packed_for_a_clone(tmp_path).returncode == 0
    (wheel,) = tmp_path.iterdir()
    assert wheel.stat().st_size < 30_000


def test_an_older_python_is_told_at_once(built: tuple[Path, Path], tmp_path: Path) -> None:
    """In a clone by a sentence, and by the name of the wheel; pip of Python 3.10 tries all versions of all libraries first."""
    least = PROJECT["requires-python"].removeprefix(">=")
    said = packed_for_a_clone(tmp_path, "sys.version_info = 3, 10, 13").stderr
    assert f"fstats needs Python >={least}, and this is Python 3.10.13" in said
    assert built[0].name.endswith(f"-py{least.replace('.', '')}-none-any.whl")


@pytest.mark.needs("git")
def test_a_wheel_in_the_root_is_no_part_of_the_repository() -> None:
    """As `pip wheel .` leaves it there; nor of a source distribution, since hatchling leaves out what git ignores."""
    name = "fstats_classifiers-0.1.0-py311-none-any.whl"
    assert subprocess.run(["git", "check-ignore", name], cwd=ROOT, capture_output=True, text=True, check=False).stdout == f"{name}\n"


@pytest.mark.needs("git")
def test_the_source_distribution_holds_all_that_is_tracked(built: tuple[Path, Path]) -> None:
    with tarfile.open(built[1]) as sdist:
        found = {name.partition("/")[2] for name in sdist.getnames()}
    assert tracked(".") <= found


def test_names_and_versions() -> None:
    assert PROJECT["name"] == DISTRIBUTION
    named = [line for lines in PROJECT["optional-dependencies"].values() for line in lines if line.startswith("fstats")]
    assert named
    assert all(line.startswith(f"{DISTRIBUTION}[") for line in named)
    import json

    version = fstats.__version__
    assert json.loads((ROOT / ".zenodo.json").read_text(encoding="utf-8"))["version"] == version
    assert f"\nversion: {version}\n" in (ROOT / ".github" / "CITATION.cff").read_text(encoding="utf-8")
    assert f"fstats_classifiers-{version}-" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"\n## {version} (" in (ROOT / ".github" / "CHANGELOG.md").read_text(encoding="utf-8")


def notebooks() -> set[str]:
    """Those that are copied for a reader."""
    return {name for name in tracked("notebooks", "exercises") if name.endswith(".ipynb")}


# -- a wheel alone -----------------------------------------------------------------------------------------------------------------
@pytest.mark.complete
def test_a_lecturer_releases_by_the_wheel_and_marks_in_a_clone(installed: Path, tmp_path: Path) -> None:
    """To release exercises; what needs solutions says that they are in a clone."""
    (tmp_path / "roster.csv").write_text("id,name\ns1,Ada\n", encoding="utf-8")
    (tmp_path / "secret.txt").write_text("a secret of sixteen letters", encoding="utf-8")
    names = ["--students", "roster.csv", "--secret", "secret.txt", "--out", "out"]
    done = run(installed, tmp_path, "-m", "fstats.cli", "release", "paired_t_by_hand", *names)
    assert done.returncode == 0, done.stderr
    assert list((tmp_path / "out" / "s1").rglob("01_paired_t_by_hand.ipynb"))
    asked = {
        "fstats solution": "solution 01",
        "fstats grade": f"grade out {' '.join(names)}",
        "the notebook solutions/01.ipynb": "print solutions/01.ipynb --to p",
    }
    for what, words in asked.items():
        done = run(installed, tmp_path, "-m", "fstats.cli", *words.split())
        assert (done.returncode, done.stderr) == (1, f"{what} needs the solutions, {course_files.NO_SOLUTIONS}\n")
    done = run(installed, tmp_path, "-m", "fstats.cli", "build")
    assert (done.returncode, done.stderr) == (
        1,
        "this command needs the source notebooks. Run it in a clone of the fstats repository.\n",
    )


@pytest.mark.complete
@pytest.mark.needs("git")
def test_a_reader_gets_copies_that_stay_his(installed: Path, tmp_path: Path) -> None:
    """What `fstats lab` opens below the current folder: notebooks and exercises; whoever asks again gets only what he has not."""
    course = ("-m", "fstats.cli", "course")
    copies, count = tmp_path / course_files.COPY_FOLDER, len(notebooks())
    assert run(installed, tmp_path, *course).stdout == f"{copies}: {count} notebooks copied\n"
    own = copies / "exercises" / "01_paired_t_by_hand.ipynb"
    own.write_text("his answers", encoding="utf-8")
    (copies / "notebooks" / "00_start_here.ipynb").unlink()
    for where, new in ((tmp_path, 1), (copies, 0)):  # and not into copies of the copies
        assert run(installed, where, *course).stdout == f"{copies}: {new} notebooks copied, {count - new} existed and are not changed\n"
    assert own.read_text(encoding="utf-8") == "his answers"
    assert not (copies / "solutions").exists()


def test_copies_go_where_the_reader_may_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied", "/srv/fstats-course")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("pathlib.Path.mkdir", refuse)  # as root may write everywhere
    assert cli.main(["course"]) == 1
    assert capsys.readouterr().err == (
        "/srv/fstats-course cannot be used (Permission denied). Name a folder of your own, or go to one first, such as your home (cd ~).\n"
    )


@pytest.mark.needs("git")
def test_lab_opens_the_copies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Of a wheel, or where the clone is somebody else's; but the lessons where it is started come first, and in a clone the clone."""
    opened: list[Path] = []
    monkeypatch.setattr("fstats.teaching.jupyterlab_launcher.run_jupyterlab", lambda folder, *_: opened.append(folder) or 0)
    monkeypatch.chdir(tmp_path)
    assert (cli.main(["lab"]), opened) == (0, [ROOT])
    with monkeypatch.context() as hub:
        hub.setattr("os.access", lambda *_: False)
        assert cli.main(["lab"]) == 0
    assert opened[1:] == [tmp_path / course_files.COPY_FOLDER]
    assert capsys.readouterr().out == f"{opened[1]}: {len(notebooks())} notebooks copied\n"
    monkeypatch.setattr(cli, "BUNDLED_COURSE", ROOT)  # as if the clone were what a wheel has brought
    (tmp_path / "notebooks").mkdir()  # the reader's own, with nothing of the course in it
    assert (cli.main(["lab"]), opened[2:]) == (0, [tmp_path / course_files.COPY_FOLDER])
    assert capsys.readouterr().out.endswith(f"0 notebooks copied, {len(notebooks())} existed and are not changed\n")
    monkeypatch.chdir(tmp_path / course_files.COPY_FOLDER)
    assert (cli.main(["lab"]), opened[3:], capsys.readouterr().out) == (0, [tmp_path / course_files.COPY_FOLDER], "")


def test_a_lecture_has_copies_that_show_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of the lessons where it is started, or of the course's; all else is as it was, and what the lecturer changes there stays."""
    import json

    opened: list[tuple[Path, list[str], bool, str]] = []
    monkeypatch.setattr("fstats.teaching.jupyterlab_launcher.run_jupyterlab", lambda *how: opened.append(how) or 0)
    monkeypatch.chdir(tmp_path)
    assert cli.main(["lab", "--lecture", "--port", "9000"]) == 0
    copies = tmp_path / course_files.LECTURE_FOLDER
    assert opened == [(copies, ["--port=9000"], True, "")]
    for name in ("contents", "01_paired_t", "12_type_one_error_and_power"):
        source, copy = (json.loads((where / "notebooks" / f"{name}.ipynb").read_text(encoding="utf-8")) for where in (ROOT, copies))
        assert name == "contents" or any(cell.get("outputs") for cell in source["cells"])
        for cell in source["cells"]:
            cell |= {"outputs": [], "execution_count": None} if cell["cell_type"] == "code" else {}
        assert copy == source | {"metadata": {key: value for key, value in source["metadata"].items() if key != "widgets"}}
        assert "<details open" not in str(copy)
    (copies / "notebooks" / "01_paired_t.ipynb").write_text("his own", encoding="utf-8")
    monkeypatch.chdir(copies)  # and not into copies of the copies
    assert (cli.main(["lab", "--lecture"]), opened[1][0]) == (0, copies)
    assert " 0 notebooks copied, " in capsys.readouterr().out
    assert (copies / "notebooks" / "01_paired_t.ipynb").read_text(encoding="utf-8") == "his own"
    (tmp_path / "notebooks").mkdir()
    for name, words in (("contents", "{}"), ("changed", '{"cell_type": "code", "outputs": ["p"], "source": "mine"}')):
        (tmp_path / "notebooks" / f"{name}.ipynb").write_text(f'{{"cells": [{words}], "metadata": {{}}}}'.replace("[{}]", "[]"))
    monkeypatch.chdir(tmp_path)
    assert cli.main(["lab", "--lecture"]) == 0
    mine = json.loads((copies / "notebooks" / "changed.ipynb").read_text(encoding="utf-8"))["cells"]
    assert mine == [{"cell_type": "code", "outputs": [], "source": "mine", "execution_count": None}]


@pytest.mark.complete
@pytest.mark.needs("git")
def test_links_of_the_copies_lead_somewhere() -> None:
    """A notebook or exercise links to its neighbours in the two folders that are copied, or into the web."""
    import json

    seen = 0
    for name in notebooks():
        cells = json.loads((ROOT / name).read_text(encoding="utf-8"))["cells"]
        text = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
        for link in re.findall(r"\]\(([^)\s]+)\)", text):
            if not link.startswith(("http", "#", "attachment:")):
                target = os.path.normpath(Path(name).parent / link.partition("#")[0])
                assert target in {*notebooks(), "exercises"}, f"{name}: {link}"
                seen += 1
    assert seen > 100


# -- without the extras ------------------------------------------------------------------------------------------------------------
@pytest.mark.complete
@parametrize(
    "library, code, message",
    ("matplotlib", "fstats.PairedT([1, 2, 4], [2, 2, 1]).plot().figure()", "a picture needs matplotlib, [plot]"),
    ("sklearn", "from fstats import datasets; datasets.load('iris')", "a bundled data set needs sklearn, [sklearn]"),
    ("sklearn", "from fstats import simulate; simulate.EXP6().true_error_rates()", "a source that trains trees needs sklearn, [sklearn]"),
    (
        "joblib",
        "from fstats.runtime.parallel_tasks import run_tasks; list(run_tasks(abs, [(1,), (2,)], total=2, jobs=2))",
        "work with several workers needs joblib, [sklearn]",
    ),
    ("anywidget", "from fstats import explore", "an explorer needs anywidget, [explore]"),
    ("torch", "from fstats.studies.bcv.mnist_digits import _import_torch; _import_torch()", "a network needs torch, [digits]"),
)
def test_errors_name_the_extra(library: str, code: str, message: str) -> None:
    code = (
        f"import sys; sys.modules[{library!r}] = None; import fstats\ntry:\n    "
        f"{code}\nexcept ModuleNotFoundError as error:\n    print(error)"
    )
    done = run(ROOT, ROOT, "-c", code)
    what, extra = message.split(", ")
    assert done.stdout == f'{what}, which is not installed. Run `pip install "{DISTRIBUTION}{extra}"`.\n', done.stderr


@pytest.mark.complete
@pytest.mark.parametrize(("command", "library"), [("lab", "jupyter_server"), ("build", "nbformat"), ("grade", "joblib")])
def test_commands_name_the_extra(command: str, library: str, tmp_path: Path) -> None:
    """In one line, with exit status 1."""
    words = ["grade", str(tmp_path), "--students", "r.csv", "--secret", "s.txt", "--out", "o"] if command == "grade" else [command]
    (tmp_path / "r.csv").write_text("id,name\ns1,Ada\ns2,Bo\n", encoding="utf-8")
    (tmp_path / "s.txt").write_text("a secret of sixteen letters", encoding="utf-8")
    source = (ROOT / "exercises" / "01_paired_t_by_hand.ipynb").read_bytes().replace(b"d = ", b"d = a - b #")
    for who in ("s1", "s2"):
        (tmp_path / who).mkdir()
        (tmp_path / who / "01_paired_t_by_hand.ipynb").write_bytes(source)
    code = f"import sys; sys.modules[{library!r}] = None; from fstats.cli import main; sys.exit(main({words!r}))"
    done = run(ROOT, tmp_path, "-c", code)
    extra = "grade" if command == "grade" else "lab"
    assert done.returncode == 1
    assert done.stderr.strip().endswith(f'needs {library}, which is not installed. Run `pip install "{DISTRIBUTION}[{extra}]"`.'), (
        done.stderr
    )


# -- the release -------------------------------------------------------------------------------------------------------------------
def test_a_release_is_tried_in_the_oldest_and_the_newest_python() -> None:
    """That the project promises; by the wheel and by the source distribution, once both have been looked at."""
    steps = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    promised = [line.rpartition(" ")[2] for line in PROJECT["classifiers"] if "Python :: 3." in line]
    assert f'python: ["{promised[0]}", "{promised[-1]}"]' in steps
    assert "kind: [whl, tar.gz]" in steps
    assert all(f"- run: {tool} " in steps for tool in ("uv build", "uvx twine check", "uvx check-wheel-contents"))
