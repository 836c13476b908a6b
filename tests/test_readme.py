"""The README says what is: its worked example, its files and its commands."""

import pkgutil
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import nbformat
import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from fstats import PairedT, explore
from fstats.cli import main
from fstats.studies.reproduce_command import STUDIES
from fstats.teaching.marking.marks.grading_policy import TABLES

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_worked_example_is_what_the_test_prints():
    shown = re.search(r"```text\n(.*?)\n```", README, re.S)[1]
    assert shown == repr(PairedT([85, 70, 79, 78, 83], [87, 68, 85, 75, 83]))


PAGES = (
    "README.md",
    "exercises/README.md",
    "solutions/README.md",
    "solutions/GRADING.md",
    ".github/CONTRIBUTING.md",
    ".github/COMING_FROM.md",
)


@pytest.mark.complete
@pytest.mark.parametrize("page", PAGES)
def test_every_file_and_section_that_is_named_exists(page):
    path = ROOT / page
    text = path.read_text(encoding="utf-8")
    for name, section in re.findall(r"\]\(((?!http)[^)#]*)(?:#([^)]*))?\)", text):
        assert (path.parent / name).exists(), name
        if section and (not name or name.endswith(".md")):
            target = (path.parent / name if name else path).read_text(encoding="utf-8")
            written = {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in re.findall(r"^#+ (.*)", target, re.M)}
            assert section in written, section
    for name in re.findall(r"`((?:fstats|tests|notebooks|exercises|solutions)/(?!NN)[\w./]*)`", text):  # NN stands for a number
        assert (ROOT / name).exists(), name


def test_the_readme_is_short_and_lists_everything():
    assert len(README.splitlines()) <= 180
    assert sorted(re.findall(r"notebooks/(\w+)\.ipynb", README)) == sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb"))
    page = (ROOT / "exercises" / "README.md").read_text(encoding="utf-8")
    listed, there = re.findall(r"\((\w+)\.ipynb", page), sorted(path.stem for path in (ROOT / "exercises").glob("*.ipynb"))
    assert listed == there, f"the table of exercises/README.md needs a line for each notebook there: {set(listed) ^ set(there)}"


def test_every_explorer_has_a_place_in_a_lesson_and_every_study_can_be_reproduced():
    lessons = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "notebooks").glob("*.ipynb"))
    unused = {name for name in explore.__all__ if f"explore.{name}(" not in lessons}
    assert unused == {"of", "desk"}, "a new explorer gets a place in a notebook"  # of is another way to each; the desk takes own tables
    studies = {path.parent.name.replace("_", "-") for path in (ROOT / "fstats" / "studies").glob("*/__init__.py")}
    assert studies == {*STUDIES}, "a new study gets a part [study.NAME] in fstats/studies/reproduce.toml"


def headings(path):
    """The headings of a notebook and its cells, as JupyterLab writes them behind a #."""
    cells = nbformat.read(path, as_version=4).cells
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    return {found.strip().replace(" ", "-") for found in re.findall(r"^#+ (.*)", text, re.M)} | {f"cell-id={cell.id}" for cell in cells}


@pytest.mark.complete
def test_links_between_notebooks_lead_somewhere():
    """From notebooks to exercises and back, to a file that exists and a section of it."""
    seen = 0
    for path in (path for folder in ("notebooks", "exercises", "solutions") for path in (ROOT / folder).glob("*.ipynb")):
        text = "\n".join(cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "markdown")
        for link, section in re.findall(r"\]\(((?!https?:)[^)#\s]+)(?:#([^)\s]*))?\)", text):
            seen += 1
            assert (path.parent / link).exists(), f"{path.name}: {link}"
            assert not section or section in headings(path.parent / link), f"{path.name}: {link}#{section}"
    assert seen > 30


def test_the_page_for_lecturers_shows_the_exercise_that_is_there():
    """The files that the page walks through are those of the exercise itself; its links and commands exist."""
    page = (ROOT / "solutions" / "README.md").read_text(encoding="utf-8")
    home = ROOT / "fstats" / "teaching" / "course" / "sign_test_by_hand"
    shown = re.findall(r"```(?:python|toml)\n(.*?)```", page, re.S)
    assert shown == [(home / name).read_text(encoding="utf-8") for name in ("mistakes.toml", "questions.toml", "__init__.py")]
    named = re.findall(r"`((?:fstats|solutions|tests)/[\w./]+)`", page)
    assert len(named) >= 2
    assert [
        name
        for name in named
        if not (ROOT / name.replace("NN_name", "17_sign_test_by_hand").replace("/name.", "/sign_test_by_hand.")).exists()
    ] == []
    for command in set(re.findall(r"`fstats (\w+)`", page)):
        with pytest.raises(SystemExit, match="0"):
            main([command, "--help"])


def test_the_answers_of_the_quiz_are_files():
    answers = (ROOT / ".github" / "QUIZ.md").read_text(encoding="utf-8").partition("## Answers")[2]
    files = re.findall(r"`([\w/]+\.\w+)`", answers)
    assert len(files) >= 40
    assert [name for name in files if not (ROOT / "fstats" / name).is_file()] == []


@pytest.mark.complete
def test_the_page_for_graders_shows_commands_and_a_policy_that_are_there(capsys):
    """Each command with each of its options is known; the policy is the one that the tests read; the files are those that are written."""
    page = (ROOT / "solutions" / "GRADING.md").read_text(encoding="utf-8")
    shown = re.findall(r"^fstats (\w+)([^#\n]*)", page, re.M) + re.findall(r"`fstats (\w+)([^`]*)`", page)
    assert {"release", "grade", "audit", "solution"} <= {command for command, _ in shown}
    for command, rest in shown:
        with pytest.raises(SystemExit, match="0"):
            main([command, "--help"])
        known = capsys.readouterr().out
        assert [option for option in re.findall(r"--[\w-]+", rest) if option not in known] == []
    for option in set(re.findall(r"`(--[\w-]+)", page)):
        with pytest.raises(SystemExit, match="0"):
            main(["grade", "--help"])
        assert option in capsys.readouterr().out
    assert [[*tomllib.loads(policy)] for policy in re.findall(r"```toml\n(.*?)```", page, re.S)] == [[*TABLES]]  # with every table
    assert all((ROOT / "solutions" / link).exists() for link in re.findall(r"\]\(([\w.]+)\)", page))


@pytest.mark.complete
@pytest.mark.parametrize(("extras", "there"), [(["lab"], {"IPython"}), (["explore", "sklearn"], {"IPython", "pandas"})])
def test_notebooks_need_no_more_than_a_line_installs(extras, there):
    """A newcomer has what `.[lab]` names (JupyterLab brings IPython), not what the tests need besides; in Colab some is there already."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = {**project["optional-dependencies"], "": project["dependencies"]}
    named, extras = set(), ["", *extras]
    while extras:
        lines = needed[extras.pop()]
        extras += [other for line in lines if line.startswith(project["name"]) for other in re.search(r"\[(.*)\]", line)[1].split(",")]
        named |= {re.match(r"[\w-]+", line)[0] for line in lines}
    there = {"fstats", *there, *sys.stdlib_module_names, *(name.replace("scikit-learn", "sklearn") for name in named)}
    for path in (path for folder in ("notebooks", "exercises", "solutions") for path in (ROOT / folder).glob("*.ipynb")):
        code = [cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
        used = {name for source in code for name in re.findall(r"^\s*(?:from|import) (\w+)", source, re.M)}
        assert used <= there, f"{path.name} imports {', '.join(sorted(used - there))}"


@pytest.mark.parametrize("page", PAGES)
def test_the_names_that_a_page_calls_are_there(page):
    for name in set(re.findall(r"\bfstats(?:\.[a-zA-Z_]\w*)+", (ROOT / page).read_text(encoding="utf-8"))):
        assert pkgutil.resolve_name(name) is not None


SCRIPTS = sorted(
    set(re.findall(r"python ((?:-m )?tests[./][\w./]*\w)", "".join((ROOT / page).read_text(encoding="utf-8") for page in PAGES)))
    - {"-m tests.publish.stock"}  # it drives a browser
)
LONG = {"tests/teaching/wrong_lines.py"}  # minutes; what it counts is tested line by line in test_student_lines.py and test_line_kinds.py


@pytest.mark.parametrize("script", [pytest.param(one, marks=pytest.mark.slow if one in LONG else pytest.mark.complete) for one in SCRIPTS])
def test_the_scripts_that_pages_name_run_as_printed(script):
    words = [sys.executable, *script.split(), *["--help"] * script.startswith("-m")]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.complete
def test_the_commands_are_known(capsys):
    commands = re.findall(r"(?:`|&& )fstats (\w+)", "".join((ROOT / page).read_text(encoding="utf-8") for page in PAGES))
    assert {"lab", "build"} <= set(commands)
    for command in commands:
        with pytest.raises(SystemExit, match="0"):
            main([command, "--help"])
        assert "usage: fstats" in capsys.readouterr().out


@pytest.mark.complete
@pytest.mark.parametrize("page", PAGES)
def test_images_have_alternative_text(page):
    assert all(len(text) > 20 for text in re.findall(r"!\[([^\]]*)\]", (ROOT / page).read_text(encoding="utf-8")))


@pytest.mark.complete
def test_the_six_lines_from_results_to_the_paper_work_as_they_stand(tmp_path, monkeypatch, capsys):
    """With two small data sets in the place of the ten, and three quick classifiers."""
    (lines,) = re.findall(r"## From results to the paper.*?```python\n(.*?)```", README, re.S)
    assert len(lines.strip().splitlines()) == 6
    assert README.index("#from-results-to-the-paper") < README.index("## Start")
    rng = np.random.default_rng(0)
    small = {name: (rng.normal(size=(40, 2)) + np.outer(np.arange(40) % 2, [1, 0]), np.arange(40) % 2) for name in ("one_set", "50 % more")}
    models = {"svm_rbf": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0), "stump": DecisionTreeClassifier(max_depth=1)}
    monkeypatch.chdir(tmp_path)
    exec(lines, {"models": models, "names_of_ten_data_sets": small})
    said = capsys.readouterr().out
    assert "svm\\_rbf" in said
    assert "with the Wilcoxon signed-rank test (Wilcoxon, 1945), exact p, and Holm's procedure" in said
    assert r"50 \% more" in Path("table.tex").read_text(encoding="utf-8")
    assert Path("cd.pdf").read_bytes().startswith(b"%PDF")
    assert len(Path("run.jsonl").read_text(encoding="utf-8").splitlines()) >= 60
