"""Every exercise handed in by a cheat who looks for the solutions wherever they could be: what he earns behind a wall, and what he sees.

python tests/hostile/solves.py WALL [EXERCISE ...]    in the Python of an installation; prints what came of it as JSON
"""

from __future__ import annotations

import json
import sys
from contextlib import closing
from pathlib import Path

import fstats
from fstats import individual
from fstats.teaching import course_files
from fstats.teaching.course.catalogue import exercise_names
from fstats.teaching.marking.marks.marker import Marker
from fstats.teaching.marking.sandbox.bubblewrap_sandbox import SandboxUnavailable
from fstats.teaching.marking.sandbox.sandbox_leak_check import check_sandbox, leak_targets

# the same cell for everybody: it reads all notebooks that it can find, runs the answers in them, and asks the package for its judge
CELL = """
import glob, importlib, json, os, sys
found = []
for root in ["/"] if os.access("/", os.R_OK) else [os.getcwd(), *filter(None, sys.path), *GUESSES]:
    for folder, below, files in os.walk(root):
        below[:] = [name for name in below if os.path.join(folder, name) not in ("/proc", "/sys")]
        found += [os.path.join(folder, name) for name in files if name.endswith(".ipynb")]
for guess in GUESSES:
    found += glob.glob(guess + "/*.ipynb") + glob.glob(guess + "/solutions/*.ipynb")
for path in found:
    try:
        cells = json.load(open(path))["cells"]
    except (OSError, ValueError, KeyError):
        continue
    for source in ("".join(cell["source"]) for cell in cells):
        if "BEGIN SOLUTION" in source:
            try: exec(source)
            except BaseException: pass
try:
    asked = importlib.import_module("fstats.teaching.course.catalogue").definition(task._name)
    judged = importlib.import_module("fstats.teaching.grading.task").Task(asked, task.token)
    check = {question.key: judged.answer(question.key) for question in asked.questions}
except (ImportError, AttributeError):
    pass
"""


def handed_in(notebook: bytes, guesses: list[str]) -> bytes:
    """The exercise with that cell behind its opening, and otherwise empty."""
    read = json.loads(notebook)
    cells = []
    for cell in read["cells"]:
        is_answer = cell["cell_type"] == "code" and cell["metadata"].get("nbgrader", {}).get("solution")
        cells.append(cell | ({"source": "pass"} if is_answer else {}))
        if "task = exercise(" in "".join(cell["source"]):
            cells.append({"cell_type": "code", "metadata": {}, "source": CELL.replace("GUESSES", repr(guesses))})
    return json.dumps(read | {"cells": cells}).encode()


def main(which: str, *names: str) -> None:
    """Hand in exercises behind one wall."""
    course = course_files.course_folder()
    guesses = [
        course,
        course / "solutions",
        course_files.BUNDLED_COURSE,
        course_files.BUNDLED_COURSE / "solutions",
        Path(sys.prefix),
        Path(sys.prefix) / "lib64",
    ]
    earned: dict[str, list[str]] = {}
    asked = 0
    with closing(Marker(wall=which)) as marker:
        try:
            said = check_sandbox(marker.walls[0], leak_targets(course))
        except SandboxUnavailable as error:
            said = str(error)
        for name in names or exercise_names() if said.startswith("The sandbox") else ():
            (path,) = (course / "exercises").glob(f"[0-9][0-9]_{name}.ipynb")
            own = individual("s1", name, "only for the tests of this package")
            notebook = handed_in(path.read_bytes(), [*map(str, guesses)])
            mark = marker.mark(json.loads(path.read_bytes()), notebook, own, None, b"a seed that nobody knows")
            earned[name] = [one.key for one in mark.questions if one.verdict not in ("unanswered", "unknown", "unreadable")]
            asked += len(mark.questions)
    print(json.dumps({"package": fstats.__file__, "said": said, "asked": asked, "earned": {k: v for k, v in earned.items() if v}}))


if __name__ == "__main__":
    main(*sys.argv[1:])
