"""The students' notebooks: each with data of his own, and with the notebooks that they lead to beside them."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from ...core.validation.name_suggestions import resolve_numbered_name
from ...runtime.atomic_write import written
from ..course.catalogue import data_token, exercise_names, load_exercise_definition
from .roster import Student

OPENING_CALL = re.compile(r"""\bexercise\(\s*(["'])(\w+)\1\s*\)""")
LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(((?!https?:|mailto:|#)[^)#\s]+)(#[^)\s]*)?\)")


def exercise_notebooks(place: Path) -> dict[str, Path]:
    """The exercises of the course as notebooks, by their names, in their order; nothing else that lies in the folder.

    Raises
    ------
    LookupError
        If the folder lacks the notebook of an exercise.
    """
    found = {path.stem.partition("_")[2]: path for path in sorted(place.glob("[0-9][0-9]_*.ipynb"))}
    known = set(exercise_names())
    if lost := known - found.keys():
        raise LookupError(f"{place} has no notebook of {', '.join(sorted(lost))}; run this in a clone of the fstats repository")
    return {name: path for name, path in found.items() if name in known}


def lesson_fingerprints(place: Path) -> dict[str, re.Pattern[bytes]]:
    """The lessons of the course, which students hand back with their exercises: what tells each, by the name of its file.

    It is the id of any of its cells: what a student changes in a lesson makes no other file of it.
    """
    found = {path.name: json.loads(path.read_text(encoding="utf-8"))["cells"] for path in sorted(place.glob("*.ipynb"))}
    return {name: re.compile(rf'"id": ?"({"|".join(cell["id"] for cell in cells)})"'.encode()) for name, cells in found.items()}


def select_exercises(names: Sequence[str], there: Mapping[str, Path]) -> dict[str, Path]:
    """The exercises that are meant, by number, name, file or beginning; all if none is named."""
    stems = {path.stem: name for name, path in there.items()}
    found = [stems[resolve_numbered_name(name, stems, "exercise")] for name in names]
    return {name: there[name] for name in found} if names else dict(there)


def release(students: Sequence[Student], exercises: Mapping[str, Path], secret: str, out: Path) -> int:
    """Write ``out/STUDENT/exercises/NN_name.ipynb`` for each, and ``out/STUDENT/notebooks/`` with what they lead to; returns
    how many exercises.

    What is there already and is the same stays, so a release that was interrupted goes on.

    Parameters
    ----------
    students : sequence of Student
        The roster.
    exercises : mapping
        The notebooks by the names of their exercises, as :func:`chosen` finds them.
    secret : str
        The secret of the course.
    out : Path
        Where a folder for each student is made.

    Raises
    ------
    FileExistsError
        If another file is in the place of one of them; then nothing is written at all.
    """
    read = {name: json.loads(path.read_text(encoding="utf-8")) for name, path in exercises.items()}
    linked = _linked_notebooks(read, exercises)
    files: dict[Path, str] = {}
    for who in students:
        for name, path in exercises.items():
            own = personal_notebook(read[name], name, data_token(who.id, name, secret))
            files[out / who.id / "exercises" / path.name] = _notebook_text(_restrict_links(own, exercises, linked))
    copies = {
        path.name: _notebook_text(_restrict_links(json.loads(path.read_text(encoding="utf-8")), exercises, linked)) for path in linked
    }
    shared = {out / who.id / "notebooks" / name: text for who in students for name, text in copies.items()}
    if there := next((path for path, text in (files | shared).items() if path.exists() and path.read_bytes() != text.encode()), None):
        raise FileExistsError(f"{there} is there already, perhaps with answers in it: release into an empty folder")
    first: dict[str, Path] = {}
    for path, text in (files | shared).items():
        if not path.exists():
            _write(path, text, first.get(text))
        first.setdefault(text, path)
    return len(files)


def personal_notebook(notebook: Mapping[str, Any], name: str, own: str) -> dict[str, Any]:
    """The notebook as it opens one student's data; without outputs, which are those of the course's data."""
    cells, opened = [], 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            source, count = OPENING_CALL.subn(f'exercise("{name}", data="{own}")', "".join(cell["source"]))
            opened += count
            cell = cell | {"source": source.splitlines(keepends=True), "outputs": [], "execution_count": None}
        cells.append(cell)
    if opened != 1:
        raise LookupError(f'the notebook of {name} opens {opened} exercises; one cell must have task = exercise("{name}")')
    return {**notebook, "cells": cells}


def _linked_notebooks(read: Mapping[str, Mapping[str, Any]], paths: Mapping[str, Path]) -> list[Path]:
    """The notebooks to which exercises lead: in their texts, and in the replies to what is wrong."""
    found: dict[Path, None] = {}
    for name, path in paths.items():
        exercise = load_exercise_definition(name)
        books = {one.see.notebook for one in (*exercise.questions, *exercise.mistakes)}  # to which replies send their readers
        texts = "\n".join("".join(cell["source"]) for cell in read[name]["cells"] if cell["cell_type"] == "markdown")
        for _, target, _ in LINK.findall(texts):
            if (there := (path.parent / target).resolve()).parent.name == "notebooks":
                found[there] = None
        found.update({(path.parent / f"../notebooks/{book}.ipynb").resolve(): None for book in books})
    return sorted(path for path in found if path.is_file())


def _restrict_links(notebook: Mapping[str, Any], exercises: Mapping[str, Path], linked: Sequence[Path]) -> dict[str, Any]:
    """A notebook whose links lead to what is released; of the others the words remain."""
    there = {path.name for path in exercises.values()} | {path.name for path in linked}

    def kept(found: re.Match[str]) -> str:
        return found[0] if Path(found[2]).name in there else found[1]

    cells = [
        cell | {"source": LINK.sub(kept, "".join(cell["source"])).splitlines(keepends=True)} if cell["cell_type"] == "markdown" else cell
        for cell in notebook["cells"]
    ]
    return {**notebook, "cells": cells}


def _notebook_text(notebook: Mapping[str, Any]) -> str:
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def _write(path: Path, text: str, same: Path | None) -> None:
    """A file, all or nothing; one that is the same for everybody lies on the disk once where the disk can do that."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with suppress(OSError):
        if same is not None:
            os.link(same, path)
            return
    written(path, text.encode())
