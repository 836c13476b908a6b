"""The package as somebody has it who never saw a clone: the wheel, a folder of libraries, and Python that finds fstats there first."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parent.parent


def build(target: str, folder: Path) -> Path:
    """The wheel or the source distribution, as the project's own backend builds it."""
    words = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(folder)]
    subprocess.run(words, cwd=ROOT, check=True, capture_output=True)
    (built,) = folder.glob("*.whl" if target == "wheel" else "*.tar.gz")
    return built


def unpack(wheel: Path, folder: Path) -> Path:
    """A folder of libraries in which it is installed."""
    with zipfile.ZipFile(wheel) as file:
        file.extractall(folder)
    return folder


def surroundings(installed: Path) -> dict[str, str]:
    """The environment in which Python finds what is installed there before any clone, and hidden things not at all."""
    first = os.pathsep.join([str(installed), os.environ["PYTHONPATH"]])
    return {**os.environ, "PYTHONPATH": first, "PYTHONDONTWRITEBYTECODE": "1"}


def run(installed: Path, where: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """The command of the wheel, far from any clone."""
    return subprocess.run(
        [sys.executable, *words], cwd=where, env=surroundings(installed), capture_output=True, text=True, timeout=300, check=False
    )
