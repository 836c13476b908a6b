"""The course where no clone is: plain JupyterLab, a hub where nobody may write but at home, VS Code, Colab, Binder.

Kernels are asked by Jupyter's own protocol, as those front ends do it; what they draw on a screen is not seen here.
"""

import base64
import os
import re
import subprocess
import sys
import tomllib
import venv
from collections.abc import Iterator
from pathlib import Path

import pytest
from front_ends import Kernel, cells, jupyterlab, kernel
from optional import cover
from wheels import ROOT, build, run, surroundings, unpack

from fstats.teaching.course_files import COPY_FOLDER

README = (ROOT / "README.md").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
VIEW = "application/vnd.jupyter.widget-view+json"
PNG = b"\x89PNG"
# What must stay as it is in Colab, or its own page loses the kernel; versions as Colab has had them since 2025.
COLABS = ("ipython==7.34.0", "ipykernel==6.17.1", "ipywidgets==7.7.1", "jupyter-client==6.1.12", "pandas==2.2.2", "numpy==2.0.2")


def brought(*extras: str) -> set[str]:
    """The packages that extras name, and those that they take along."""
    found = set()
    for line in (line for extra in extras for line in EXTRAS[extra]):
        name, inner = re.match(r"([\w-]+)(?:\[(.*)\])?", line).groups()  # type: ignore[union-attr]
        found |= brought(*inner.split(",")) if name == PROJECT["name"] else {name}
    return found


def names(folder: Path) -> dict[str, int]:
    """Each file in a folder and when it was written."""
    return {str(path.relative_to(folder)): path.stat().st_mtime_ns for path in folder.rglob("*")}


# -- somebody who has the wheel, and a home ----------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The libraries of a hub: everybody reads them, nobody writes there, and nothing has been written at the end, not even by root."""
    folder = tmp_path_factory.mktemp("site-packages")
    unpack(build("wheel", tmp_path_factory.mktemp("dist")), folder)
    places = [folder, *folder.rglob("*")]
    for path in places:
        path.chmod(path.stat().st_mode & 0o555)
    before = names(folder)
    yield folder
    assert names(folder) == before
    for path in places:
        path.chmod(path.stat().st_mode | 0o200)


@pytest.fixture(scope="module")
def home(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home of one of its users, who has asked for the course."""
    folder = tmp_path_factory.mktemp("home")
    (folder / "notebooks").mkdir()  # his own
    done = run(site, folder, "-m", "fstats.cli", "course")
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def known(site: Path, home: Path) -> dict[str, str]:
    """The environment of his processes."""
    outside = {name: value for name, value in surroundings(site).items() if not name.startswith(("JUPYTER", "IPYTHON", "XDG", "MPL"))}
    return {**outside, "HOME": str(home), "USERPROFILE": str(home)}


@pytest.mark.slow
def test_plain_jupyterlab_runs_a_lesson_on_a_hub(site: Path, home: Path, known: dict[str, str]) -> None:
    """Started without `fstats lab`: it opens a lesson from the reader's home, each cell shows what it showed, and the page is saved."""
    name = f"{COPY_FOLDER}/notebooks/05_friedman.ipynb"
    with jupyterlab(home, known) as lab:
        page = lab.ask(f"api/contents/{name}?content=1")
        code = [cell for cell in page["content"]["cells"] if cell["cell_type"] == "code"]
        with lab.session(name) as session:
            (where,) = session.run("import fstats; (fstats.__file__, __import__('os').getcwd())")
            assert str(site) in where["text/plain"]
            assert str(home / COPY_FOLDER / "notebooks") in where["text/plain"]
            for cell in code:
                kept = [{*output["data"]} for output in cell["outputs"] if "data" in output]
                found = session.run(cell["source"])
                assert [{*shown} - {VIEW} for shown in found] == kept
                assert any(VIEW in shown for shown in found) == ("explore." in cell["source"])
        code[0]["source"] += "  # mine"
        lab.ask(f"api/contents/{name}", "PUT", type="notebook", content=page["content"])
    mine = (home / name).read_bytes()
    assert b"# mine" in mine
    assert (run(site, home, "-m", "fstats.cli", "course").returncode, (home / name).read_bytes()) == (0, mine)
    assert [*(home / "notebooks").iterdir()] == []


# -- VS Code, and whatever else asks a kernel ---------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def asked(home: Path, known: dict[str, str]) -> Iterator[Kernel]:
    """A kernel as VS Code starts it: in the folder of the notebook."""
    with kernel(home / COPY_FOLDER / "exercises", known) as one:
        one.run("from fstats import PairedT, exercise, explore, plot, progress")
        yield one


FAMILIES = {
    "scores of two": "explore.paired_t([85, 70, 79, 78, 83], [87, 68, 85, 75, 83])",
    "many classifiers": "explore.ranking([[0.8, 0.7, 0.6], [0.9, 0.7, 0.8], [0.7, 0.6, 0.5], [0.8, 0.6, 0.7]])",
    "one table": "explore.discordant(11, 1)",
    "splits of one data set": "explore.five_by_two([[0.02, 0.01], [0.03, 0], [0.01, 0.01], [0.05, -0.01], [0.02, 0.01]])",
    "stored studies": "explore.correlations()",
    "simulation": "explore.contingency_simulation(trials=10)",
    "luck in training": "explore.unstable_training(n=200)",
    "Bayes": "explore.rope([0.02, 0.01, 0.03, 0.0, 0.02])",
    "questions": "explore.which_test()",
}


@pytest.mark.complete
@pytest.mark.parametrize("family", FAMILIES)
def test_an_explorer_is_a_picture_and_a_text_where_widgets_do_not_show(asked: Kernel, family: str) -> None:
    """Straight from the kernel; where they do show, all that the page needs comes by messages, and nothing is installed with the page."""
    (shown,) = asked.run(FAMILIES[family])
    assert base64.b64decode(shown["image/png"]).startswith(PNG)
    name, conclusion = re.match(r"\[(.+?)\] (.+)", shown["text/plain"], re.DOTALL).groups()  # type: ignore[union-attr]
    assert name
    assert len(conclusion) > 80
    widget = asked.widgets[shown[VIEW]["model_id"]]
    assert widget["_esm"] == (ROOT / "fstats" / "explore" / "widgets" / "explorer.js").read_text(encoding="utf-8")
    assert widget["_css"]
    assert widget["view"]["pictures"]


def test_a_control_moves_by_messages_alone(asked: Kernel) -> None:
    (shown,) = asked.run(FAMILIES["scores of two"])
    follows(asked, shown[VIEW]["model_id"])


def follows(asked: Kernel, widget: str) -> None:
    """Move the score of a paired t-test to its least value."""
    before = asked.widgets[widget]["view"]
    (least,) = [control["least"] for control in before["controls"] if control["name"] == "score"]
    asked.move(widget, score=least)
    after = asked.widgets[widget]["view"]
    assert {control["name"]: control["value"] for control in after["controls"]}["score"] == least
    assert after["conclusion"] != before["conclusion"]
    assert after["pictures"] != before["pictures"]


def test_it_is_so_where_ipywidgets_is_older(asked: Kernel) -> None:
    """As in Colab: those of version 7 show themselves, and IPython asks for nothing else."""
    asked.run("import ipywidgets; ipywidgets.Widget._ipython_display_ = lambda self, **_: print('a widget')")
    try:
        (shown,) = asked.run(FAMILIES["one table"])
    finally:
        asked.run("del ipywidgets.Widget._ipython_display_")
    assert shown.keys() == {VIEW, "image/png", "text/plain"}


@pytest.mark.parametrize("shown", ["PairedT([1, 2, 4], [2, 2, 1])", "plot.scores(PairedT([1, 2, 4], [2, 2, 1]))"])
def test_whatever_else_is_shown_has_a_text(asked: Kernel, shown: str) -> None:
    (kinds,) = asked.run(shown)
    assert kinds.keys() & {"text/html", "image/png", "image/svg+xml"}
    assert len(kinds["text/plain"]) > 20


def test_an_exercise_answers_there(asked: Kernel) -> None:
    """And finds its lesson, and the page of contents its exercises, from the folder in which a notebook's kernel starts."""
    asked.run("task = exercise('paired_t_by_hand')")
    assert asked.run("task.check('q1', 12345)")
    assert "21 exercise pages" in asked.value("progress('../exercises')")


# -- Colab ------------------------------------------------------------------------------------------------------------------------
FOR_COLAB = re.findall(r'%pip install "fstats_classifiers-.*?\[([\w,]+)\]"', README)
ITS_OWN = {"ipython", "ipywidgets", "pandas"}  # of what `lab` names


def test_the_first_cell_in_colab_leaves_what_colab_has() -> None:
    """The README's cell names no package that Colab's page depends on; the others it may bring, as long as they are not newer there."""
    (extras,) = FOR_COLAB
    pinned = {line.partition("==")[0] for line in COLABS} - {"numpy"}
    assert brought(*extras.split(",")) & (pinned | {"jupyterlab", "notebook"}) == set()
    assert brought("lab") & pinned == ITS_OWN


@pytest.mark.complete
@pytest.mark.parametrize("name", ["notebooks/01_paired_t.ipynb", "exercises/01_paired_t_by_hand.ipynb"])
def test_a_notebook_alone_needs_no_more_than_the_first_cell_brings(name: str, known: dict[str, str], tmp_path: Path) -> None:
    (extras,) = FOR_COLAB
    nowhere = tmp_path / "hidden"
    nowhere.mkdir()
    lacking = brought("lab") - brought(*extras.split(",")) - ITS_OWN
    assert {"jupyterlab", "nbformat"} <= lacking
    for package in lacking:
        cover(nowhere, package)
    first = os.pathsep.join([str(nowhere), known["PYTHONPATH"]])
    alone(ROOT / name, tmp_path / "alone", {**known, "PYTHONPATH": first})


def alone(notebook: Path, folder: Path, environment: dict[str, str], python: str | Path = sys.executable) -> None:
    """Run all cells of a notebook in an empty folder; nothing else lies in it afterwards, and each cell shows what it showed."""
    folder.mkdir()
    with kernel(folder, environment, python) as one:
        for cell in cells(notebook):
            kept = [{*output["data"]} for output in cell["outputs"] if "data" in output]
            assert [{*shown} - {VIEW} for shown in one.run("".join(cell["source"]))] == kept
    assert [path.name for path in folder.iterdir()] == [".kernels"]


# -- Binder -----------------------------------------------------------------------------------------------------------------------
def test_binder_installs_the_clone() -> None:
    """By a path that pip reads from the root, where Binder starts it, and in a Python that is new enough: its own default is not."""
    (line,) = (ROOT / ".binder" / "requirements.txt").read_text(encoding="utf-8").splitlines()
    path, extra = re.match(r"(.+?)\[(\w+)\]  # ", line).groups()  # type: ignore[union-attr]
    assert (path, extra) == (".", "lab")
    asked = (ROOT / ".binder" / "runtime.txt").read_text(encoding="utf-8").strip()
    assert f"Programming Language :: Python :: {asked.removeprefix('python-')}" in PROJECT["classifiers"]
    assert {path.name for path in (ROOT / ".binder").iterdir()} == {"requirements.txt", "runtime.txt"}  # no postBuild


# -- the README -------------------------------------------------------------------------------------------------------------------
@pytest.mark.complete
def test_the_readme_has_a_line_for_each_way() -> None:
    """Its table begins with the question; the extras that it names are there."""
    (table,) = re.findall(r"^\| Where do you want to work\? \|.*?\n\n", README, re.MULTILINE | re.DOTALL)
    ways = [line.split(" | ")[0].strip("| ") for line in table.splitlines()[2:] if line]
    assert ways == ["browser tab", "JupyterLab", "hub", "Colab, Binder", "VS Code"]
    named = re.findall(r"\.whl\[([\w,]+)\]", table)
    assert len(named) >= 2
    assert {extra for extras in named for extra in extras.split(",")} <= EXTRAS.keys()


# -- as it really is: environments of their own, packages from the network ----------------------------------------------------------
LESSON = ROOT / "notebooks" / "05_friedman.ipynb"
EVERY = [path for room in ("notebooks", "exercises") for path in sorted((ROOT / room).glob("*.ipynb"))]


def environment_of_its_own(folder: Path, *lines: str, where: Path | None = None) -> Path:
    """A virtual environment in which pip has installed one line after the other; its Python."""
    venv.create(folder, with_pip=True)
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    for line in lines:
        subprocess.run([str(python), "-m", "pip", "install", "-q", *line.split(" ")], check=True, cwd=where)
    return python


def bare() -> dict[str, str]:
    """The environment without what leads to other libraries."""
    return {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")}


@pytest.mark.slow
@pytest.mark.parametrize("notebook", [path for path in EVERY if path.stem != "contents"], ids=lambda path: path.stem)
def test_every_notebook_runs_alone(notebook: Path, known: dict[str, str], tmp_path: Path) -> None:
    """But the page of contents, which counts the answers in the exercises beside it."""
    alone(notebook, tmp_path / "alone", known)


@pytest.mark.slow
def test_a_wheel_in_a_new_environment(tmp_path: Path) -> None:
    wheel = build("wheel", tmp_path / "dist")
    python = environment_of_its_own(tmp_path / "new", f"{wheel}[lab]")
    subprocess.run([str(python), "-m", "fstats.cli", "course"], cwd=tmp_path, env=bare(), check=True)
    with jupyterlab(tmp_path, bare(), python) as lab, lab.session(f"{COPY_FOLDER}/notebooks/{LESSON.name}") as session:
        shown = [bundle for cell in cells(LESSON) for bundle in session.run("".join(cell["source"]))]
    assert any(VIEW in bundle and "image/png" in bundle for bundle in shown)


@pytest.mark.slow
def test_the_first_cell_in_an_environment_like_colabs(tmp_path: Path) -> None:
    """What was there has the same version afterwards, and lessons run with IPython 7."""
    (extras,) = FOR_COLAB
    wheel = build("wheel", tmp_path / "dist")
    python = environment_of_its_own(tmp_path / "new", f"{' '.join(COLABS)} scikit-learn matplotlib joblib tqdm")
    freeze = [str(python), "-m", "pip", "freeze"]
    before = subprocess.run(freeze, capture_output=True, text=True, check=True).stdout.splitlines()
    subprocess.run([str(python), "-m", "pip", "install", "-q", f"{wheel}[{extras}]"], check=True)
    assert {*before} <= {*subprocess.run(freeze, capture_output=True, text=True, check=True).stdout.splitlines()}
    alone(LESSON, tmp_path / "alone", bare(), python)
    with kernel(tmp_path, bare(), python) as one:
        one.run("from fstats import explore")
        (shown,) = one.run(FAMILIES["scores of two"])
        follows(one, shown[VIEW]["model_id"])


@pytest.mark.slow
@pytest.mark.needs("git")
def test_binders_line_in_a_clone(tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
    python = environment_of_its_own(tmp_path / "new", "-r .binder/requirements.txt", where=clone)
    with jupyterlab(clone, bare(), python) as lab, lab.session(f"notebooks/{LESSON.name}") as session:
        (where,) = session.run("import fstats; fstats.__file__")
        assert str(tmp_path / "new") in where["text/plain"]
        for cell in cells(LESSON):
            session.run("".join(cell["source"]))
