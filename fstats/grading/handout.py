"""Each student's own copies of the exercises: the same notebooks, with the student's token where they open their data."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

OPENS = re.compile(r"""exercise\(\s*(["'])(\w+)\1\s*\)""")


def students(path: Path) -> list[str]:
    """The students of a list, one in a line; empty lines and lines that begin with # do not count.

    Raises
    ------
    ValueError
        For a student who stands there twice, or whose name cannot be the name of a folder.
    """
    lines = [line.strip() for line in path.read_text(encoding="utf-8-sig").splitlines()]
    found = [line for line in lines if line and not line.startswith("#")]
    for student in found:
        if found.count(student) > 1:
            raise ValueError(f"{path}: {student!r} stands there twice")
        if re.search(r'[/\\:*?"<>|]|^\.', student):
            raise ValueError(f"{path}: {student!r} cannot be the name of a folder; use numbers of the register, one in a line")
    return found


def hand_out(exercises: Sequence[Path], who: Sequence[str], token: Callable[[str, str], str], folder: Path) -> int:
    """Write ``folder/STUDENT/NN_name.ipynb`` for each student and exercise, with `token(student, name)`; returns how many."""
    copies = [(path, student, folder / student / path.name) for path in exercises for student in who]
    if there := next((copy for _, _, copy in copies if copy.exists()), None):
        raise FileExistsError(f"{there} is there already, perhaps with answers in it: hand out into an empty folder")
    for path, student, copy in copies:
        own = _with_token(json.loads(path.read_text(encoding="utf-8")), partial(token, student))
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(json.dumps(own, indent=1, ensure_ascii=False) + "\n", encoding="utf-8", newline="\n")
    return len(copies)


def _with_token(notebook: dict[str, Any], token: Callable[[str], str]) -> dict[str, Any]:
    """The notebook as it opens one student's data; without outputs, which are those of the course's data."""
    cells = []
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            source = OPENS.sub(lambda found: f'exercise("{found[2]}", data="{token(found[2])}")', "".join(cell["source"]))
            cell = cell | {"source": source.splitlines(keepends=True), "outputs": [], "execution_count": None}
        cells.append(cell)
    return notebook | {"cells": cells}
