"""The walls of an installation as the page for graders makes it: in an environment of its own, from a clone and from the wheel."""

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from typing import Any

import pytest
from wheels import ROOT, build, unpack

from fstats.teaching.sandbox_runtime.landlock import landlock_version as landlock

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="environments are laid out as they are on Linux")
WALLS = [
    pytest.param("bubblewrap", marks=pytest.mark.needs("bubblewrap")),
    pytest.param("weak", marks=pytest.mark.skipif(not landlock(), reason="the weaker isolation needs Landlock, of Linux from 5.13 on")),
    pytest.param("wasm", marks=pytest.mark.needs("engine", "wasmtime")),
]
each_wall = pytest.mark.parametrize("wall", WALLS)
EDITABLE = "from hatchling.build import build_editable; import sys; print(build_editable(sys.argv[1]))"


@pytest.fixture(scope="module", params=["editable", "wheel"])
def python(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of a fresh environment, where the package is installed as pip does it, beside the libraries of this one."""
    folder = tmp_path_factory.mktemp(request.param)
    for parent in (folder, *folder.parents):
        if parent.stat().st_uid == os.geteuid() and parent != Path("/"):
            parent.chmod(parent.stat().st_mode | 0o055)  # whoever runs a submission with weaker isolation may enter
    venv.create(folder / "env", symlinks=True, with_pip=False)
    (libraries,) = (folder / "env").glob("lib/python3*/site-packages")
    if request.param == "wheel":
        package = build("wheel", folder)
    else:
        subprocess.run([sys.executable, "-c", EDITABLE, str(folder)], cwd=ROOT, check=True, capture_output=True)
        (package,) = folder.glob("*.whl")
    unpack(package, libraries)
    (libraries / "these.pth").write_text("\n".join({sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}))
    if not (folder / "env" / "lib64").exists():
        (folder / "env" / "lib64").symlink_to("lib")
    return folder / "env" / "bin" / "python"


def told(python: Path, tmp_path: Path, *words: str) -> dict[str, Any]:
    """What the cheat of `solves.py` saw and earned there, far from any clone."""
    shutil.copy(Path(__file__).parent / "solves.py", tmp_path)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    words = (str(python), "solves.py", *words)
    done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])  # type: ignore[no-any-return]


@pytest.mark.complete
@each_wall
def test_nobody_finds_the_answers(wall: str, python: Path, tmp_path: Path) -> None:
    """By one cell for everybody; and a walk through all that a submission sees finds nothing of the course."""
    found = told(python, tmp_path, wall, "paired_t_by_hand", "hack_a_verdict")
    assert (found["earned"], found["asked"]) == ({}, 30)
    assert_walked(found, wall, python)


@pytest.mark.slow
@each_wall
def test_nobody_finds_the_answers_to_any_exercise(wall: str, python: Path, tmp_path: Path) -> None:
    found = told(python, tmp_path, wall)
    assert (found["earned"], found["asked"]) == ({}, 272)
    assert_walked(found, wall, python)


@pytest.mark.slow
@pytest.mark.needs("bubblewrap")
def test_attacks_fail_where_it_is_installed(python: Path, tmp_path: Path) -> None:
    """All of `test_hostile`, against this installation, behind each wall that is there."""
    for folder in ("tests", "exercises", "solutions"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    words = [
        str(python),
        "-m",
        "pytest",
        "-q",
        "-m",
        "slow or not slow",
        "-p",
        "no:cacheprovider",
        "tests/hostile/test_hostile.py",
        "-k",
        "gains",
    ]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | {"PATH": os.environ["PATH"]}
    done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stdout[-3000:]
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) > 60, done.stdout[-300:]  # type: ignore[index]


def assert_walked(found: dict[str, Any], wall: str, python: Path) -> None:
    """The walk was long, found nothing, and was behind this wall of this installation."""
    in_the_clone = Path(found["package"]) == ROOT / "fstats" / "__init__.py"
    assert in_the_clone == (python.parents[1].parent.name.startswith("editable"))
    assert found["said"].startswith(f"The sandbox ({wall}) was tested: ")
    assert found["said"].endswith(" paths seen, none of the course.")
    assert int(found["said"].split(": ")[1].split()[0]) > (500 if wall == "wasm" else 5000)


@pytest.mark.complete
@pytest.mark.parametrize(
    "wall", [pytest.param(*one.values, marks=[*one.marks, *([] if one.values == ("bubblewrap",) else [pytest.mark.slow])]) for one in WALLS]
)
def test_the_walk_would_find_what_an_exercise_asks(wall: str, python: Path, tmp_path: Path) -> None:
    package = next(python.parents[1].glob("lib/python3*/site-packages")) / "fstats"
    if not (package / "core").is_dir():
        pytest.skip("the clone is not ours to plant a solution in")
    planted = package / "core" / "notes.txt"
    planted.write_bytes((package / "teaching" / "course" / "paired_t_by_hand" / "questions.toml").read_bytes())
    found = told(python, tmp_path, wall)
    planted.unlink()
    assert f"the sandbox ({wall}) shows parts of the course: /" in found["said"]
    assert "core/notes.txt" in found["said"]
    assert found["asked"] == 0, "nothing was run"
