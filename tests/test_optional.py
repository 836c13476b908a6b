"""What not everybody has is hidden from each test that does not say that it needs it: runs of pytest on machines made up for it."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from optional import BARE, DATA_FOLDER_VARIABLE, HEAD, ROOT, SLOW, THINGS, Package, Program, cover
from shortcuts import parametrize

SEEN = {  # what is true for whoever sees the thing
    "bubblewrap": "shutil.which('bwrap')",
    "chromium": "importlib.import_module('fstats.publish.printable_page').find_browser()",
    "firefox": "shutil.which('firefox-esr')",
    "latex": "shutil.which('pdflatex')",
    "git": "shutil.which('git')",
    **{name: f"importlib.import_module({thing.name!r})" for name, thing in THINGS.items() if isinstance(thing, Package)},
    "data_folder": "os.environ.get('FSTATS_DATA')",
}
LOOK = """
import importlib, os, shutil, subprocess, sys

def {name}():
    try:
        return bool({seen})
    except ModuleNotFoundError:
        return False

def {name}_for_a_child():
    code = "from look_{name} import {name}; print({name}())"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "True\\n"
"""
TESTS = """
import pytest
from look_{name} import {name} as seen, {name}_for_a_child as seen_by_a_child

@pytest.fixture(scope="module")
def says({name}):
    return seen() and seen_by_a_child()

@pytest.fixture(scope="module")
def forgets():
    return seen() or seen_by_a_child()

@pytest.mark.needs("{name}")
def test_{name}_by_its_marker(forgets):
    assert seen() and seen_by_a_child() and not forgets

def test_{name}_by_its_fixture({name}):
    assert seen() and {name}

def test_{name}_by_a_fixture_of_its_fixture(says):
    assert says

@pytest.mark.parametrize("there", [False, pytest.param(True, marks=pytest.mark.needs("{name}"))])
def test_{name}_by_its_parameter(there):
    assert seen() is seen_by_a_child() is there

def test_{name}_forgotten():
    assert seen()

def test_{name}_forgotten_by_a_child():
    assert seen_by_a_child()

def test_{name}_forgotten_by_a_fixture(forgets):
    assert forgets

def {name}_in_a_doctest():
    '''
    >>> seen()
    True
    '''
"""
SAYS_SO = ("by_its_marker", "by_its_fixture", "by_a_fixture_of_its_fixture", "by_its_parameter[True]")
FORGETS = ("forgotten", "forgotten_by_a_child", "forgotten_by_a_fixture")
PLUGIN = "import optional\ndef pytest_configure(config): config.pluginmanager.register(optional)\n"


def notebook(names: list[str]) -> str:
    """A notebook that sees none of these things."""
    none = [{"name": "stdout", "output_type": "stream", "text": "False\n"}]
    cells = [
        {"cell_type": "code", "execution_count": k, "id": name, "metadata": {}, "outputs": none, "source": source}
        for k, name in enumerate(names, 1)
        for source in [f"from look_{name} import {name}\nprint({name}())"]
    ]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def outcomes(folder: Path, names: list[str], there: bool, *words: str, **known: str) -> tuple[dict[str, str], list[str]]:
    """What becomes of the tests on a machine where these things are, or are not, and the lines at the end of the run."""
    for room in ("programs", "packages", "data", "tests"):
        (folder / room).mkdir()
    cover(folder / "packages", SLOW)
    for name in names:
        thing = THINGS[name]
        (folder / "tests" / f"look_{name}.py").write_text(LOOK.format(name=name, seen=SEEN[name]))
        (folder / "tests" / f"test_{name}.py").write_text(TESTS.format(name=name))
        if isinstance(thing, Program) and there:
            (folder / "programs" / thing.names[-1]).write_text("#!/bin/sh\n")
            (folder / "programs" / thing.names[-1]).chmod(0o755)
        elif isinstance(thing, Package):
            (folder / "packages" / f"{thing.name}.py").touch()
    (folder / "tests" / "conftest.py").write_text(PLUGIN)
    (folder / "tests" / "hidden.ipynb").write_text(notebook(names))
    paths = os.pathsep.join(map(str, (folder / "packages", folder / "tests", ROOT, ROOT / "tests")))
    known |= {
        "PATH": str(folder / "programs"),
        "PYTHONPATH": paths,
        DATA_FOLDER_VARIABLE: str(folder / ("data" if there else "no such folder")),
    }
    outside = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", BARE))}
    command = [sys.executable, "-m", "pytest", "-rA", "--nbval", "--doctest-modules", "-p", "no:cacheprovider", *words, "tests"]
    done = subprocess.run(command, cwd=folder, env=outside | known, capture_output=True, text=True, check=False)
    found = {name: how for how, name in re.findall(r"^(PASSED|FAILED|ERROR) \S+::([^\n]+?)(?: - .*)?$", done.stdout, re.MULTILINE)}
    return found, done.stdout.partition(f" {HEAD} ")[2].partition("\n")[2].partition("\n=")[0].splitlines()


@pytest.mark.complete
@parametrize(
    "names, there, words, known",
    pytest.param(["chromium", "git", "torch", "data_folder"], True, [], {}, id="all that is asked for is there"),
    pytest.param([*THINGS], True, ["-n", "2"], {}, id="everything is there", marks=pytest.mark.slow),
    pytest.param([name for name, thing in THINGS.items() if not isinstance(thing, Package)], False, [], {}, id="nothing is there"),
    pytest.param(["git", "torch", "data_folder"], True, [], {BARE: "1"}, id="nothing may be found", marks=pytest.mark.slow),
)
def test_who_forgets_to_say_what_he_needs_fails_everywhere(
    names: list[str], there: bool, words: list[str], known: dict[str, str], tmp_path: Path
) -> None:
    """Himself, in a child, by a fixture of the module, in a doctest, in a notebook; who says so sees it, or waits; and all are counted."""
    found, lines = outcomes(tmp_path, names, there, *words, **known)
    sees = there and not known
    expected = {f"test_{name}_{how}": "FAILED" for name in names for how in FORGETS}
    expected |= {f"test_{name}_{how}": "PASSED" for name in names for how in ("by_its_parameter[False]", *(SAYS_SO if sees else ()))}
    expected |= {f"test_{name}.{name}_in_a_doctest": "FAILED" for name in names}
    expected |= {f"Cell {number}": "PASSED" for number in range(len(names))}
    assert found == expected
    did = "ran with" if sees else "waited for"
    assert lines == [f"{THINGS[name].what}: {len(SAYS_SO)} tests {did} it ({THINGS[name].how})" for name in names]
