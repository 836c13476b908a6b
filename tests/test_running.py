"""How the tests are run: what is left out is told, and what runs in the second process counts."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

ROOT = Path(__file__).parent.parent


def run(*options: object) -> subprocess.CompletedProcess[str]:
    """A pytest of its own."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *map(str, options)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_everything_without_nbval_is_an_error() -> None:
    """Or a run that looked at no notebook would look like one that did."""
    done = run("-p", "no:nbval")
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "nbval is not installed, so no notebook, solution or exercise would be run" in done.stderr


def test_a_file_of_tests_needs_no_nbval() -> None:
    """Whoever names it has not asked for the notebooks."""
    done = run("-p", "no:nbval", "tests/test_pairwise.py")
    assert done.returncode == pytest.ExitCode.OK, done.stdout + done.stderr


def test_a_notebook_beside_other_tests_fails_where_its_output_differs(tmp_path: Path) -> None:
    """It runs in another process, and is counted, named and explained here."""
    cells = [
        new_code_cell("1 + 1", outputs=[new_output("execute_result", {"text/plain": text}, execution_count=1)], execution_count=1)
        for text in ("2", "3")
    ]
    nbformat.write(new_notebook(cells=cells), tmp_path / "sum.ipynb")
    done = run("--nbval-kernel-name=python3", f"--rootdir={ROOT}", f"-c{ROOT / 'pyproject.toml'}", "tests/test_published.py", tmp_path)
    assert done.returncode == pytest.ExitCode.TESTS_FAILED, done.stdout + done.stderr
    assert "1 failed" in done.stdout
    assert "sum.ipynb::Cell 1" in done.stdout
    assert "mismatch 'text/plain'" in done.stdout
    assert "sum.ipynb::Cell 0" not in done.stdout
