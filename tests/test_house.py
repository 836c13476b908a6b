"""How the house is built: who may import whom, what `import fstats` costs, and what every public name must say."""

from __future__ import annotations

import ast
import inspect
import pydoc
import re
import subprocess
import sys
from functools import cache
from graphlib import TopologicalSorter
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from shortcuts import parametrize

import fstats
from fstats.comparing.split_results import SplitResults
from fstats.core.lazy_imports import parse_stub_imports
from fstats.core.procedure import Procedure
from fstats.testing import check_test

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "fstats"
FILES = sorted(SOURCE.rglob("*.py"))

# -- imports run one way ---------------------------------------------------------------------------------------------------
# Each room, from the bottom of the house to the top, and the rooms below that it may import.
MAY_IMPORT = {
    "core": "",
    "distributions": "core",
    "runtime": "",
    "render": "core runtime",
    "plot": "core distributions runtime",
    "procedures": "core distributions runtime",
    "testing": "core procedures render",
    "guide": "core distributions plot procedures render runtime",
    "planning": "core distributions procedures render",
    "comparing": "core guide procedures render runtime",
    "simulate": "core procedures render runtime comparing",
    "studies": "core distributions plot procedures render runtime comparing simulate",
    "teaching": "core distributions plot procedures render runtime simulate studies",
    "explore": "comparing core guide plot procedures render runtime studies teaching",
    "publish": "core explore plot render runtime teaching",
    "cli": "core runtime studies publish teaching",
    "__init__": "core",
}
# Who needs the version or the list of public names asks the package for them, inside the function that does.
MAY_IMPORT_LATER = {
    "runtime": "__init__",
    "procedures": "__init__",
    "guide": "__init__",
    "comparing": "__init__",
    "explore": "__init__",
    "publish": "__init__",
    "cli": "__init__",
}
# Libraries beyond Python's own.  Everything may import numpy and scipy.special; the rest is named here.
MAY_USE = {
    "explore": "anywidget traitlets",
    "publish": "traitlets tornado",
    "teaching": "cloudpickle joblib jupyter_server nbformat packaging",
}
MAY_USE_LATER = {
    "render": "matplotlib latex2mathml",
    "plot": "matplotlib fontTools",
    "runtime": "joblib tqdm distributed",
    "procedures": "sklearn scipy.stats scipy.interpolate pandas",
    "comparing": "sklearn joblib pandas narwhals",
    "simulate": "sklearn",
    "studies": "sklearn scipy.spatial.distance threadpoolctl torch",
    "teaching": "IPython jupyterlab nbclient sklearn wasmtime",
    "explore": "matplotlib",
    "publish": "nbformat nbconvert traitlets sphinx IPython jupyter_core matplotlib PIL segno jinja2",
    "cli": "nbformat",
}


def room_of(path: Path) -> str:
    """The first part of a module's name below fstats: ``pairwise`` for fstats/procedures/pairwise/paired_t.py."""
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


@cache  # several tests read each file
def tree(path: Path) -> ast.Module:
    """What a file says, as Python reads it."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imports(path: Path, types: bool = False) -> list[tuple[str, bool]]:
    """All modules that a file imports, by their full names, and whether a function does it; with those that only a type checker sees."""
    package = ("fstats", *path.relative_to(SOURCE).parts[:-1])
    found: list[tuple[str, bool]] = []

    def visit(node: ast.AST, later: bool) -> None:
        if not types and isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test) and "not" not in ast.unparse(node.test):
            return  # only a type checker goes there
        if isinstance(node, ast.Import):
            found.extend((alias.name, later) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            base = ".".join(filter(None, [start, node.module]))
            # "from . import check" imports a module of ours; "from numpy import sqrt" imports numpy
            names = [alias.name for alias in node.names] if (SOURCE.parent / base.replace(".", "/")).is_dir() or base == "scipy" else [""]
            found.extend((".".join(filter(None, [base, name])), later) for name in names)
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, ast.expr):  # in which nothing is imported
                visit(child, later or isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)))

    visit(tree(path), later=False)
    return found


def allowed(name: str, room: str, later: bool) -> bool:
    """Whether a file of this room may import the module of this name, at the top or later."""
    first, *rest = name.split(".")
    if first == "fstats":
        other = rest[0] if rest else "__init__"
        return other == room or other in (MAY_IMPORT[room] + " " + (MAY_IMPORT_LATER.get(room, "") if later else "")).split()
    if first in sys.stdlib_module_names or first == "numpy" or name.startswith("scipy.special"):
        return True
    if first == "scipy":
        return later and name in MAY_USE_LATER.get(room, "").split()
    return first in (MAY_USE.get(room, "") + " " + (MAY_USE_LATER.get(room, "") if later else "")).split()


def test_files_import_only_what_lies_below_them() -> None:
    for path in FILES:
        room = room_of(path)
        assert room in MAY_IMPORT, f"fstats/{room} is a new room: give it a line in MAY_IMPORT"
        wrong = [name + " (inside a function)" * later for name, later in imports(path) if not allowed(name, room, later)]
        assert not wrong, f"fstats/{path.relative_to(SOURCE)} may not import {', '.join(wrong)}"
    # A room's line names only rooms above it in the table, so there is no way round in a circle.
    order = list(MAY_IMPORT)
    for room, others in MAY_IMPORT.items():
        for other in others.split():
            assert order.index(other) < order.index(room), f"{room} may not import {other}, which comes later"


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_the_table_says_what_is(room: str) -> None:
    """A permission that nobody uses any more is struck out, so that the table remains a map of the house."""
    used = {
        name.split(".")[1]
        for path in FILES
        if room_of(path) == room
        for name, later in imports(path)
        if name.startswith("fstats.") and not later
    }
    assert set(MAY_IMPORT[room].split()) <= used


def test_no_files_import_each_other() -> None:
    """Not even for a type checker: there is no way from a file back to itself."""
    names = {path: ".".join(("fstats", *path.relative_to(SOURCE).with_suffix("").parts)).removesuffix(".__init__") for path in FILES}
    goes_to = {
        names[path]: {name if name in names.values() else name.rpartition(".")[0] for name, _ in imports(path, types=True)} - {names[path]}
        for path in FILES
    }
    TopologicalSorter(goes_to).prepare()  # which raises an error that names the files, if there is a circle


def test_the_entrance_and_the_core() -> None:
    # Whoever opens the house sees its rooms, and each says in a sentence what may stand in it.
    assert {path.name for path in SOURCE.iterdir() if path.is_file()} == {"__init__.py", "__init__.pyi", "py.typed", "cli.py"}
    rooms = {path.name for path in SOURCE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert rooms == MAY_IMPORT.keys() - {"cli", "__init__"}
    for room in rooms:
        assert ast.get_docstring(ast.parse((SOURCE / room / "__init__.py").read_text(encoding="utf-8")))
    # The explorers, the exercises, the build, the laboratory and the command line can be deleted without a trace.
    top = {"teaching", "explore", "publish", "cli"}
    for table in (MAY_IMPORT, MAY_IMPORT_LATER):
        for room, others in table.items():
            assert room in top or not top & set(others.split()), room


def test_the_check_of_imports_sees_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reader of imports finds each form that Python has, and says which wait inside a function."""
    monkeypatch.setitem(globals(), "SOURCE", tmp_path / "fstats")
    (tmp_path / "fstats" / "procedures").mkdir(parents=True)
    file = tmp_path / "fstats" / "procedures" / "new.py"
    file.write_text(
        "import scipy.stats\n"
        "from scipy import stats\n"
        "from .. import plot\n"
        "from ..core import Value\n"
        "from .other import thing\n"
        "if TYPE_CHECKING:\n    import matplotlib\n"
        "class A:\n    def f(self):\n        import torch.nn as p\n"
    )
    assert imports(file) == [
        ("scipy.stats", False),
        ("scipy.stats", False),
        ("fstats.plot", False),
        ("fstats.core", False),
        ("fstats.procedures.other", False),
        ("torch.nn", True),
    ]
    assert [allowed(name, "procedures", later) for name, later in imports(file)] == [False, False, False, True, True, False]


# -- what `import fstats` loads ----------------------------------------------------------------------------------------------
HEAVY = [
    *("fstats.testing", "scipy.stats", "matplotlib", "pandas", "sklearn", "ipywidgets", "anywidget", "IPython", "latex2mathml"),
    *("nbformat", "nbconvert", "sphinx", "jupyter_server", "tornado"),
]


def loaded_by(statement: str) -> set[str]:
    """Which of the heavy libraries a fresh Python has loaded after a statement."""
    tell = f"{statement}; import sys; print(*[name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", tell], cwd=ROOT, capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_import_fstats_loads_nothing_heavy() -> None:
    assert (loaded_by("import fstats"), loaded_by("import fstats.testing")) == (set(), {"fstats.testing"})
    assert (
        loaded_by("import fstats; repr(fstats.PairedT([1, 2, 4], [1, 1, 1])); fstats.SignedRank([1, 2, 4], [1, 1, 1]).to_dict()") == set()
    )
    assert "matplotlib" in loaded_by("import fstats.plot.drawing.matplotlib_figure, matplotlib")


# -- public names and their documentation ------------------------------------------------------------------------------------
def test_public_names() -> None:
    """The stub is the one list: each of its names is there, and each public test has a line in it."""
    for name in fstats.__all__:
        assert getattr(fstats, name) is not None
        assert name in dir(fstats)
    with pytest.raises(AttributeError, match=r"fstats has no 'ABTest'; the nearest names are '.*dir.fstats. lists all"):
        _ = fstats.ABTest
    stub = ast.parse((SOURCE / "__init__.pyi").read_text(encoding="utf-8"))
    listed = {alias.asname: node.module or "" for node in stub.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert listed == fstats._HOME, "a line of the stub is: from .place import Name as Name"


def test_help_is_one_page_that_sends_on() -> None:
    """Its groups hold each name once; the pages of the names are not in it, and it changes nothing for whoever else asks."""
    page = pydoc.render_doc(fstats, renderer=pydoc.plaintext)
    assert "class PairedT" not in pydoc.html.docmodule(fstats)
    assert page.count("\n") < 65
    for way in ("fstats.which_test()", "help(fstats.PairedT)", "fstats lab", "in a clone ``fstats site --serve"):
        assert way in page
    groups = page[page.index("    comparing:") : page.index("PACKAGE CONTENTS")]
    assert sorted(re.findall(r"\w+(?=,|\n)", groups)) == sorted(fstats.__all__)
    space: dict[str, object] = {}
    exec("from fstats import *", space)
    assert {*fstats.__all__} <= space.keys()
    assert "Paired t-test" in pydoc.render_doc(fstats.PairedT)


def test_a_line_of_the_stub_may_be_broken() -> None:
    """A formatter may wrap an import in brackets, or put two names on a line."""
    stub = "from . import plot as plot\nfrom .a.b import (\n    PairedT as PairedT,\n    WelchT as WelchT,\n)\nfrom typing import Any\n"
    assert parse_stub_imports(stub) == {"plot": "", "PairedT": "a.b", "WelchT": "a.b"}


def test_no_test_is_forgotten_in_the_list() -> None:
    """Every class that says what it tests, with an example to check by hand, can be had from the package."""
    found = {
        node.name
        for path in FILES
        if room_of(path) == "procedures"
        for node in tree(path).body
        if isinstance(node, ast.ClassDef) and ">>> import fstats" in (ast.get_docstring(node) or "")
    }
    inside = {"TukeyKramer"}  # made by TukeyHSD.from_groups
    assert len(found) > 50
    assert found - inside <= {*fstats.__all__}


PUBLIC = [getattr(fstats, name) for name in fstats.__all__ if not isinstance(getattr(fstats, name), ModuleType)] + [check_test]
PICTURES = [
    thing
    for name, thing in vars(fstats.plot).items()
    if inspect.isfunction(thing) and thing.__module__.startswith("fstats.plot.") and not name.startswith("_")
]


@pytest.mark.parametrize("thing", PUBLIC, ids=lambda thing: thing.__name__)
def test_docstrings_have_the_sections_and_parameters_of_numpydoc(thing: type) -> None:
    text = inspect.getdoc(thing) or ""
    assert "\n\nParameters\n----------\n" in text
    assert "\n\nExamples\n--------\n" in text
    assert ">>> " in text.partition("Examples\n--------\n")[2]
    # Each argument of the call stands at the start of a line of the section Parameters, alone or with its partner.
    section = (inspect.getdoc(thing) or "").partition("Parameters\n----------\n")[2].partition("\n\n")[0]
    heads = [line for line in section.splitlines() if line and not line.startswith(" ")]
    named = {name.strip().lstrip("*") for line in heads for name in line.partition(" : ")[0].split(",")}
    assert named == set(inspect.signature(thing).parameters)


@pytest.mark.parametrize("thing", [thing for thing in PUBLIC if hasattr(thing, "inputs")], ids=lambda thing: thing.__name__)
def test_editors_are_told_the_inputs(thing: type) -> None:
    """What a procedure is called with are its inputs by name, each with the default that it has, and what has to be stated with none."""
    told = inspect.signature(thing)
    assert told.parameters.keys() == thing.inputs.keys()  # type: ignore[attr-defined]
    defaults = {name: one.default for name, one in told.parameters.items() if one.default is not one.empty}
    assert defaults == thing.defaults  # type: ignore[attr-defined]
    assert thing.__signature__ == told  # type: ignore[attr-defined]


@pytest.mark.every_case
@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: picture.__name__)
def test_pictures_have_an_example(picture: object) -> None:
    """The functions of fstats.plot show how they are called, and their example shows the text of the picture."""
    assert ">>> fstats.plot." in (inspect.getdoc(picture) or "")


# -- where it stands in the source -------------------------------------------------------------------------------------------
# A source begins with its year in brackets, or by its name where it has no year.  What was never printed has no page: it is named
# beside the source that tells it, and its year has no brackets.
BEGINS = re.compile(r"\(\d{4}\)|Wang and Li, |Course slides T7, ")
PLACE = re.compile(
    r"\b(?:Eqs?\.|sections?|chapter|Theorems?|Lemmas?|Tables?|Figure|article|pages?) [\dIVX]"
    r'|\b(?:slides?|paragraph) "'  # most slides show no number, all have a title; a blog post has neither
)
TESTS = [
    thing
    for thing in PUBLIC
    if isinstance(thing, type)
    and thing.__module__.split(".")[1] == "procedures"
    and thing is not fstats.Scores  # a table to read tests from, with no formula of its own
]
CALCULATIONS = [fstats.power, fstats.sample_size, fstats.critical_values, fstats.average_folds]
SIMULATIONS = [fstats.simulate.Epsilon, fstats.simulate.type_one_error, fstats.simulate.power_curve]


def test_settings_are_given_by_name() -> None:
    """But for names, and what is as good as data: of two that are given by their places one would be taken for the other."""
    known, classes = {"labels", "data_sets", "mu", "share", "n_b", "test_train_ratio"}, [SplitResults, Procedure]
    for thing in classes:
        classes += thing.__subclasses__()
        told = inspect.signature(thing).parameters.values() if thing.__module__.startswith("fstats.") else ()
        by_place = {one.name for one in told if one.kind is one.POSITIONAL_OR_KEYWORD and one.default is not one.empty}
        assert by_place <= known, thing


def references(text: str | None) -> str:
    """The section References of a docstring, in one line; empty if there is none."""
    section = re.search(r"\nReferences\n-{10}\n(.+?)(?:\n\n|\Z)", text or "", re.DOTALL)
    return " ".join(section.group(1).split()) if section else ""


def without_place(text: str) -> list[str]:
    """What is said of each source without naming an equation, a section, a theorem, a table, a page or a slide of it."""
    ends = [*(match.start() for match in BEGINS.finditer(text)), len(text)]
    said = [text[start:end] for start, end in pairwise(ends)] or [text]
    return [one for one in said if not PLACE.search(one)]


@pytest.mark.parametrize("thing", TESTS + CALCULATIONS + SIMULATIONS, ids=lambda thing: thing.__name__)
def test_docstring_says_where_the_formula_stands(thing: object) -> None:
    """What computes by a published formula tells who published it, and where to look it up."""
    vague = without_place(references(inspect.getdoc(thing)))
    assert vague == [], "a reference names an equation, section, theorem, table, slide or page of its source (`pages 536-544`)"


@pytest.mark.parametrize("name", fstats.__all__)
def test_signatures_are_python(name: str) -> None:
    """Defaults too, as they are written: whoever makes pages of them reads them again."""
    thing = getattr(fstats, name)
    if callable(thing):
        written = re.sub(r"<(class|object) [^>]*>", "None", str(inspect.signature(thing)).partition(" -> ")[0])
        call = ast.parse(f"def f{written}: ...").body[0]
        assert isinstance(call, ast.FunctionDef)
        defaults = [one for one in (*call.args.defaults, *call.args.kw_defaults) if one is not None]
        assert not [ast.unparse(one) for one in defaults if any(isinstance(part, ast.Compare) for part in ast.walk(one))]


def test_every_reference_says_where() -> None:
    for path in FILES:
        for node in ast.walk(tree(path)):
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and (text := references(ast.get_docstring(node))):
                assert without_place(text) == [], f"{path.relative_to(SOURCE)}: {node.name}"
    # A source without a place is told from those with one, before it or behind it; no section at all is a fault as well.
    good, bad = "Holm (1979), Statistics 6, pages 65 to 70.", "Dunn (1961), JASA 56."
    text = f"A test.\n\nReferences\n----------\n{good}  {bad}\n{good}  Course slides T7.\n\nExamples\n--------\n>>> 1\n"
    assert (references(text), without_place(good)) == (f"{good} {bad} {good} Course slides T7.", [])
    assert without_place(f"{good} {bad} {good}") == ["(1961), JASA 56. Holm "]
    assert without_place(f"{good} Course slides T7, table.") == ["Course slides T7, table."]
    assert without_place("Wang and Li, McNemar's test, Eq. 5.") == without_place('Course slides T7, slide "Procedure".') == []
    assert without_place(references("A test without the section.")) == [""]


# -- the tree ----------------------------------------------------------------------------------------------------------------
# A file should fit into a head.  signed_rank.py has a formula for each of its nulls and intervals; hack_a_verdict asks for
# seventeen values, each with its own mistakes.
MOST_LINES = {"teaching/course/hack_a_verdict/mistakes.py": 460, "teaching/course/write_your_own_test/mistakes.py": 470}


def test_files_are_short() -> None:
    """About 300 lines are advised; 450 are the most."""
    lines = {str(path.relative_to(SOURCE)): len(path.read_text(encoding="utf-8").splitlines()) for path in FILES}
    assert {name: many for name, many in lines.items() if many > MOST_LINES.get(name, 450)} == {}


def test_one_name_is_bound_once() -> None:
    """No class and no word for a type has a namesake in another room: whoever reads a name knows which one is meant."""
    homes: dict[str, list[str]] = {}
    for path in FILES:
        for node in tree(path).body:
            targets = node.targets if isinstance(node, ast.Assign) else []
            called = [target.id for target in targets if isinstance(target, ast.Name) and not target.id.isupper()]
            for name in [node.name] if isinstance(node, ast.ClassDef) else called:
                if name[0].isupper():
                    homes.setdefault(name, []).append(str(path.relative_to(SOURCE)))
    assert {name: where for name, where in homes.items() if len(where) > 1} == {}


def test_the_map_names_every_room() -> None:
    """The table in the README lists each folder and each module beside them, and nothing else."""
    table = re.search(r"^\| folder \|.*?\n\n", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert table
    named = {
        name.removesuffix(".py").strip("/")
        for line in table[0].splitlines()
        for name in re.findall(r"`(?:fstats/)?([^`]+)`", line.partition(" | ")[0])
    }
    assert named == {*MAY_IMPORT} - {"__init__"}


@pytest.mark.needs("git")
def test_top_level() -> None:
    """Whoever opens the repository sees these names and no others (hidden files apart)."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    seen = {line.strip('"').partition("/")[0] for line in listed if line and not line.startswith((".", '"."'))}
    assert seen <= {"notebooks", "fstats", "exercises", "solutions", "tests", "pyproject.toml", "README.md", "LICENSE"}


# -- the tools that read the code --------------------------------------------------------------------------------------------
@parametrize("tool", ["ruff", "check", "--no-cache"], pytest.param(["mypy"], marks=pytest.mark.complete), ids=["ruff", "mypy"])
def test_linters_have_nothing_to_say(tool: list[str]) -> None:
    if tool == ["mypy"] and [int(part) for part in np.__version__.split(".")[:2]] < [2, 4]:
        pytest.skip("this NumPy is older than 2.4: it and libraries of its time declare fewer types than ours are checked against")
    done = subprocess.run([sys.executable, "-m", *tool], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-1000:]
