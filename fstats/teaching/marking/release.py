"""Release exercise notebooks with individual data to students.

The notebooks to which the exercises link are released, too.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from ...core.validation.name_suggestions import resolve_numbered_name
from ...runtime.atomic_write import write_atomically
from ..course.catalogue import exercise_names, load_exercise_definition
from ..course.individual_data import data_token
from .roster import Student

OPENING_CALL = re.compile(r"""\bexercise\(\s*(["'])(\w+)\1\s*\)""")
LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(((?!https?:|mailto:|#)[^)#\s]+)(#[^)\s]*)?\)")


def exercise_notebooks(place: Path) -> dict[str, Path]:
    """Return the exercise notebooks of the course by name, in the order of the course; other files of the folder are left out.

    Raises
    ------
    LookupError
        If the folder lacks the notebook of an exercise.
    """
    paths = {path.stem.partition("_")[2]: path for path in sorted(place.glob("[0-9][0-9]_*.ipynb"))}
    known = set(exercise_names())
    if lost := known - paths.keys():
        raise LookupError(f"the folder {place} has no notebook of {', '.join(sorted(lost))}. Run the command in a clone of fstats.")
    return {name: path for name, path in paths.items() if name in known}


def lesson_fingerprints(place: Path) -> dict[str, re.Pattern[bytes]]:
    """Return a pattern for each lesson of the course by file name; the pattern recognises a lesson that a student submits with an exercise.

    The pattern matches the id of any cell of the lesson, so a lesson that a student has changed is still recognised.
    """
    lessons = {path.name: json.loads(path.read_text(encoding="utf-8"))["cells"] for path in sorted(place.glob("*.ipynb"))}
    return {name: re.compile(rf'"id": ?"({"|".join(cell["id"] for cell in cells)})"'.encode()) for name, cells in lessons.items()}


def select_exercises(names: Sequence[str], notebooks: Mapping[str, Path]) -> dict[str, Path]:
    """Return the exercises with these numbers, names, file names or beginnings of names; all exercises if none is named."""
    stems = {path.stem: name for name, path in notebooks.items()}
    selected = [stems[resolve_numbered_name(name, stems, "exercise")] for name in names]
    return {name: notebooks[name] for name in selected} if names else dict(notebooks)


def release(students: Sequence[Student], exercises: Mapping[str, Path], secret: str, out: Path) -> int:
    """Write ``out/STUDENT/exercises/NN_name.ipynb`` for each student and exercise, and linked notebooks to ``out/STUDENT/notebooks/``.

    Return the number of exercises.  Existing files with the same content stay, so an interrupted release continues.

    Parameters
    ----------
    students : sequence of Student
        The roster.
    exercises : mapping
        The notebooks by exercise, as :func:`select_exercises` returns them.
    secret : str
        The secret of the course.
    out : Path
        The output folder, with a folder for each student.

    Raises
    ------
    FileExistsError
        If a file with other content exists under the name of a notebook; then nothing is written.
    """
    read = {name: json.loads(path.read_text(encoding="utf-8")) for name, path in exercises.items()}
    linked = _linked_notebooks(read, exercises)
    files: dict[Path, str] = {}
    for who in students:
        for name, path in exercises.items():
            own = personal_notebook(read[name], name, data_token(who.id, name, secret))
            files[out / who.id / "exercises" / path.name] = _notebook_text(_restrict_links(own, exercises, linked))
    lessons = {path.name: json.loads(path.read_text(encoding="utf-8")) for path in linked}
    copies = {name: _notebook_text(_restrict_links(lesson, exercises, linked)) for name, lesson in lessons.items()}
    shared = {out / who.id / "notebooks" / name: text for who in students for name, text in copies.items()}
    if other := next((path for path, text in (files | shared).items() if path.exists() and path.read_bytes() != text.encode()), None):
        raise FileExistsError(f"the file {other} exists already, perhaps with a student's answers. Release into an empty folder.")
    first: dict[str, Path] = {}
    for path, text in (files | shared).items():
        if not path.exists():
            _write(path, text, first.get(text))
        first.setdefault(text, path)
    return len(files)


def personal_notebook(notebook: Mapping[str, Any], name: str, own: str) -> dict[str, Any]:
    """Return the notebook with one student's data, and without outputs, since the outputs belong to the data of the course."""
    cells, opened = [], 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            source, count = OPENING_CALL.subn(f'exercise("{name}", data="{own}")', "".join(cell["source"]))
            opened += count
            cell = cell | {"source": source.splitlines(keepends=True), "outputs": [], "execution_count": None}
        cells.append(cell)
    if opened != 1:
        raise LookupError(
            f'the notebook of {name} must open one exercise; the number of opened exercises is {opened}. Write task = exercise("{name}") '
            "in one cell."
        )
    return {**notebook, "cells": cells}


def _linked_notebooks(read: Mapping[str, Mapping[str, Any]], paths: Mapping[str, Path]) -> list[Path]:
    """Return the notebooks to which exercises link in their texts, or in replies to wrong answers."""
    linked: dict[Path, None] = {}
    for name, path in paths.items():
        exercise = load_exercise_definition(name)
        books = {one.see.notebook for one in (*exercise.questions, *exercise.mistakes)}  # notebooks to which replies of the exercise link
        texts = "\n".join("".join(cell["source"]) for cell in read[name]["cells"] if cell["cell_type"] == "markdown")
        for _, target, _ in LINK.findall(texts):
            if (lesson := (path.parent / target).resolve()).parent.name == "notebooks":
                linked[lesson] = None
        linked.update({(path.parent / f"../notebooks/{book}.ipynb").resolve(): None for book in books})
    return sorted(path for path in linked if path.is_file())


def _restrict_links(notebook: Mapping[str, Any], exercises: Mapping[str, Path], linked: Sequence[Path]) -> dict[str, Any]:
    """Return a notebook with links to released notebooks only; other links become plain text."""
    released = {path.name for path in exercises.values()} | {path.name for path in linked}

    def restrict(match: re.Match[str]) -> str:
        return match[0] if Path(match[2]).name in released else match[1]

    def restrict_cell(cell: Mapping[str, Any]) -> Mapping[str, Any]:
        source = LINK.sub(restrict, "".join(cell["source"])) if cell["cell_type"] == "markdown" else None
        return cell if source is None else {**cell, "source": source.splitlines(keepends=True)}

    return {**notebook, "cells": [*map(restrict_cell, notebook["cells"])]}


def _notebook_text(notebook: Mapping[str, Any]) -> str:
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def _write(path: Path, text: str, same: Path | None) -> None:
    """Write a file atomically; if `same` has equal content, store the content once as a hard link if the file system allows it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with suppress(OSError):
        if same is not None:
            os.link(same, path)
            return
    write_atomically(path, text.encode())
