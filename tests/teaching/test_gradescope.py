"""Gradescope: its results are of the documented format, and its autograder grades where only its own files are."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from class_of import EXERCISE, NOTEBOOK, ROOT, SECRET, handed_in, only_judging, roster_file
from jsonschema import Draft202012Validator
from shortcuts import parametrize

from fstats import cli, individual
from fstats.teaching.marking.learning_platforms.gradescope_autograder import grade_submission, results

# As "Autograder Specifications" describes it; the names that are not there are typing errors, which Gradescope passes over in silence.
SEEN = {"enum": ["hidden", "after_due_date", "after_published", "visible"]}
WRITTEN = {"enum": ["text", "html", "simple_format", "md", "ansi"]}
NUMBER, TEXT = {"type": "number"}, {"type": "string"}
TEST = {
    "score": NUMBER, "max_score": NUMBER, "status": {"enum": ["passed", "failed"]}, "name": TEXT, "name_format": WRITTEN, "number": TEXT,
    "output": TEXT, "output_format": WRITTEN, "tags": {"type": "array", "items": TEXT}, "visibility": SEEN, "extra_data": {},
}  # fmt: skip
FORMAT = {
    "score": NUMBER, "execution_time": NUMBER, "output": TEXT, "output_format": WRITTEN, "test_output_format": WRITTEN,
    "test_name_format": WRITTEN, "visibility": SEEN, "stdout_visibility": SEEN, "extra_data": {"type": "object"}, "leaderboard": {},
    "tests": {"type": "array", "items": {"type": "object", "properties": TEST, "additionalProperties": False}},
}  # fmt: skip
VALID = Draft202012Validator({"type": "object", "properties": FORMAT, "additionalProperties": False, "required": ["score", "tests"]})


def laid_out(place: Path, *emails: str, **files: bytes) -> Path:
    """The folder /autograder, as Gradescope makes it of the zip and of a submission."""
    (place / "secret.txt").write_text(SECRET)
    (place / "policy.toml").write_text("[late]\ndeadline = 2026-12-01T23:59:00Z\npercent_a_day = 10\n")
    about = {"students": roster_file(place).name, "secret": "secret.txt", "policy": "policy.toml", "out": "a.zip"}
    assert cli.main(["gradescope", EXERCISE, *(word for name, file in about.items() for word in (f"--{name}", str(place / file)))]) == 0
    root = place / "autograder"
    with zipfile.ZipFile(place / "a.zip") as archive:
        archive.extractall(root / "source")
    (root / "results").mkdir()
    (root / "submission").mkdir()
    for name, content in files.items():
        (root / "submission" / f"{name}.ipynb").write_bytes(content)
    users = [{"email": email, "id": k, "name": "Student User"} for k, email in enumerate(emails)]
    about_it = {"id": 1, "created_at": "2026-12-02T10:22:32.365935-07:00", "users": users, "previous_submissions": []}
    (root / "submission_metadata.json").write_text(json.dumps(about_it))
    return root


@pytest.fixture
def marker(monkeypatch: pytest.MonkeyPatch) -> None:
    """A marker that judges and runs nothing."""
    only_judging(monkeypatch)


@pytest.mark.usefixtures("marker")
def test_results_are_as_gradescope_documents_them(tmp_path: Path) -> None:
    """Points, replies, lateness; flags for the lecturer alone."""
    said = json.dumps({"answers": {"q2": 1.5, "q3": "<b>"}, "flags": ["Look."], "problems": ["code cell 5 raised NameError: x"]}).encode()
    one = grade_submission(laid_out(tmp_path, "s1@example.org", **{NOTEBOOK.removesuffix(".ipynb"): said}))
    found = results(one)
    VALID.validate(found)
    assert (found["score"], one.late[0], one.student.id) == (one.points, 10.0, "s1")
    assert [test["name"] for test in found["tests"]] == [f"q{k}" for k in range(1, 11)] + ["To look at"]
    assert (found["tests"][-1]["visibility"], found["visibility"], found["stdout_visibility"]) == ("hidden", "after_published", "hidden")
    assert "Look." not in json.dumps(found["tests"][:-1]) + found["output"]
    assert sum(test["max_score"] for test in found["tests"]) == one.of
    assert found["extra_data"]["token"] == individual("s1", EXERCISE, SECRET).token


@pytest.mark.complete
@pytest.mark.usefixtures("marker")
@parametrize(
    "emails, files, words",
    (
        ["s1@example.org", "s2@example.org"],
        {NOTEBOOK[:-6]: b"{}"},
        "2 of these email addresses are on the roster, and each student has individual data",
    ),
    (["eve@example.org"], {NOTEBOOK[:-6]: b"{}"}, "the student is unknown (eve@example.org: 0 of these email addresses"),
    (["s1@example.org"], {"essay": b"{}"}, "has no notebook of this exercise (essay.ipynb: the notebook opens no exercise"),
)
def test_what_cannot_be_graded_says_why(tmp_path: Path, emails: list[str], files: dict[str, Any], words: str) -> None:
    found = results(grade_submission(laid_out(tmp_path, *emails, **files)))
    VALID.validate(found)
    assert words in found["output"]
    assert (found["score"], found["tests"]) == (0.0, [])


@pytest.mark.complete
@pytest.mark.needs("bubblewrap")
def test_the_autograder_runs_where_only_its_own_files_are(tmp_path: Path) -> None:
    """Its own two scripts at Gradescope's paths, with the package from the zip, and without this clone, the roster and the secret."""
    root = laid_out(tmp_path, "s1@example.org", **{NOTEBOOK[:-6]: handed_in("s1")})
    names = zipfile.ZipFile(tmp_path / "a.zip").namelist()
    assert {"setup.sh", "run_autograder", "course.json"} < set(names)
    for name in ("setup.sh", "run_autograder"):
        assert zipfile.ZipFile(tmp_path / "a.zip").getinfo(name).external_attr >> 16 == 0o755
        assert subprocess.run(["bash", "-n", root / "source" / name], check=False).returncode == 0
    assert not [name for name in names if "/" not in name and SECRET.encode() in (root / "source" / name).read_bytes()]
    assert "numpy==" in (root / "source" / "setup.sh").read_text()
    hidden = {"proc", "dev", "tmp", "opt", "autograder"}
    walls = ["bwrap", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"]
    for path in sorted(path for path in Path("/").iterdir() if path.name not in hidden):
        walls += ["--symlink", os.readlink(path), str(path)] if path.is_symlink() else ["--ro-bind", str(path), str(path)]
    walls += ["--tmpfs", str(ROOT)]
    for prefix in dict.fromkeys([sys.base_prefix, sys.prefix]):
        walls += ["--ro-bind", prefix, prefix]
    python = f'#!/bin/sh\nexec {sys.executable} "$@"\n'
    (tmp_path / "python").write_text(python)
    (tmp_path / "python").chmod(0o755)
    walls += ["--bind", str(root), "/autograder", "--ro-bind", str(tmp_path / "python"), "/opt/fstats/bin/python", "--chdir", "/autograder"]
    done = subprocess.run(
        [*walls, "bash", "/autograder/source/run_autograder"], capture_output=True, text=True, env={"PATH": "/usr/bin:/bin"}
    )
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads((root / "results" / "results.json").read_text(encoding="utf-8"))
    VALID.validate(found)
    assert (found["score"], {test["status"] for test in found["tests"]}) == (9.0, {"passed"}), "a day late"
    assert found["extra_data"]["isolation"] in ("bubblewrap", "weak")
