"""How the tests are run: what would be left out is told."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def run(*options: object) -> subprocess.CompletedProcess[str]:
    """A pytest of its own."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *map(str, options)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.complete
def test_only_everything_needs_nbval() -> None:
    done = run("-p", "no:nbval")
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "nbval is not installed, so no notebook, solution or exercise would be run" in done.stderr
    done = run("-p", "no:nbval", "tests/core/test_tail.py")
    assert done.returncode == pytest.ExitCode.OK, done.stdout + done.stderr
