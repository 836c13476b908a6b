"""The test of a wall before it is trusted: a walk through all that a submission could see, in search of the course."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .allow_list import PACKAGE, of_fstats
from .conversation import Wall
from .sandbox import NotIsolated

JUDGES = ("judge.py", "diagnosis.py", "mistakes.py", "catalogue.py", "roster.py", "marker.py")  # files that nobody else has
SECONDS = 100  # of computing that the walk may take
OF_THE_COURSE = ("course", "grading", "marking", "shelf")  # folders of fstats.teaching that hold answers, or how they are judged
TELLING = re.compile(r"[ -!#-\[\]-~]{30,120}+")  # a line that is written in a notebook's JSON as in a file: no quotes, no backslashes


def to_look_for(course: Path, others: Sequence[Path] = ()) -> dict[str, Any]:
    """What the walk looks for.

    Parameters
    ----------
    course : Path
        The folder with `exercises` and `solutions`.
    others : sequence of Path
        The secret, the roster, the submissions and whatever else nobody may see.
    """
    teaching = PACKAGE / "teaching"
    notebooks = [path for folder in ("exercises", "solutions") for path in sorted((course / folder).glob("*.ipynb"))]
    own = [path for folder in OF_THE_COURSE for path in sorted((teaching / folder).rglob("*.py"))]
    let_in = "\n".join(path.read_text(encoding="utf-8") for _, path in of_fstats() if path.suffix == ".py")
    given = "\n".join(_sources(path) for path in notebooks if path.parent.name == "exercises")
    answers = [_telling(_sources(path), given + let_in) for path in notebooks if path.parent.name == "solutions"]
    asked = [_telling(path.read_text(encoding="utf-8"), let_in) for path in own if path.parent.parent.name == "course"]
    places = [teaching / folder for folder in OF_THE_COURSE] + [
        course / "solutions",
        course / "exercises",
        PACKAGE.parent / "tests",
        *others,
    ]
    return {
        "names": sorted({path.name for path in notebooks} | {*JUDGES}),
        "words": [*filter(None, answers + asked)],
        "paths": [str(path.absolute()) for path in places],
        "modules": [f"fstats.teaching.{name}" for name in OF_THE_COURSE],
    }


def _sources(notebook: Path) -> str:
    """The code of a notebook."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")


def _telling(text: str, elsewhere: str) -> str:
    """The longest line of a text that stands nowhere else."""
    lines = sorted((found.strip() for line in text.split("\n") for found in TELLING.findall(line)), key=len, reverse=True)
    return next((line for line in lines if line not in elsewhere), "")


def tested(wall: Wall, what: Mapping[str, Any]) -> str:
    """What came of the walk, in a sentence.

    Raises
    ------
    NotIsolated
        If anything of the course can be seen.
    """
    found = json.loads(wall.run({"walk": what, "cases": {}, "seconds": SECONDS}))
    if found["found"]:
        wall.close()
        raise NotIsolated(f"the wall ({wall.isolation}) shows what belongs to the course: {', '.join(found['found'][:5])}; nothing was run")
    return f"The wall ({wall.isolation}) was tested: {found['paths']} paths seen, none of the course's."
