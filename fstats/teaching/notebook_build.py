"""Build notebooks with reproducible outputs.

A build executes a notebook, normalizes its format, and refuses outputs that are not reproducible.

The `.ipynb` files are edited in JupyterLab. The normal form of a notebook has stable ids, no volatile metadata and no widget state,
so that two builds of the same source give the same file (except pictures, which depend on matplotlib's version).
From each notebook in `solutions/` a notebook in `exercises/` is derived: without the solutions, executed without answers.
"""

from __future__ import annotations

import os
import re
from hashlib import sha256
from pathlib import Path
from typing import Any

from ..runtime.atomic_write import write_atomically
from ..runtime.optional_dependencies import require_extra
from . import lesson
from .grading.exercise_notebook import MarkerError, derive, exercise_name, with_metadata

with require_extra("lab", "the execution of notebooks"):
    import nbformat

WIDGET = "application/vnd.jupyter.widget-view+json"
PICTURES = {"image/png", "image/svg+xml"}
KEPT_METADATA = {"tags", "slideshow", "nbgrader", "fstats"}  # keys of a cell's metadata that the build keeps
CONTENTS = "contents"  # name of the notebook with the list of lessons, and tag of the cell that contains the list
COURSES = "courses"  # tag of the cell that lists the lectures of each planned course
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}


class UnpublishableNotebook(ValueError):
    """Error if a notebook cannot be published; the message names the cell and the remedy."""


def build(path: Path) -> bool:
    """Execute, normalise and write one notebook, and for a solution also its exercise; return whether a file changed."""
    written = _write(path, execute(path))
    if is_solution(path):
        written |= _write(exercise_path(path), execute_exercise(path))
    return written


def is_solution(path: Path) -> bool:
    """Whether an exercise is derived from a notebook."""
    return path.resolve().parent.name == "solutions"


def exercise_path(path: Path) -> Path:
    """Return the path of the exercise that is derived from a solution."""
    return path.resolve().parent.parent / "exercises" / path.name


def is_up_to_date(path: Path) -> bool:
    """Whether a notebook (and the exercise derived from it) is in normal form and shows what a fresh kernel shows."""
    pairs = [(path, execute(path))] + ([(exercise_path(path), execute_exercise(path))] if is_solution(path) else [])
    return all(file.exists() and _equals_file(file, built) for file, built in pairs)


def _equals_file(path: Path, built: Any) -> bool:
    text = path.read_text(encoding="utf-8")
    committed = nbformat.reads(text, as_version=4)
    return bool(comparable(committed) == comparable(built)) and text == as_text(committed)


def _write(path: Path, built: Any) -> bool:
    if path.exists() and _equals_file(path, built):
        return False  # pictures depend on the version of matplotlib, so keep the file if only pictures differ
    path.parent.mkdir(exist_ok=True)
    write_atomically(path, as_text(built).encode("utf-8"))
    return True


def read_notebook_file(path: Path) -> Any:
    """Read a notebook, or raise a single clear error if a file is not a notebook (nbformat raises errors of many kinds)."""
    text = path.read_text(encoding="utf-8", errors="replace")
    try:
        return nbformat.reads(text, as_version=4)
    except Exception:
        raise UnpublishableNotebook(f"the file {path} is not a notebook. Give a file that Jupyter wrote.") from None


def execute(path: Path) -> Any:
    """Execute a notebook in a fresh kernel and return its normal form; a solution gets nbgrader's metadata."""
    notebook = read_notebook_file(path)
    if is_solution(path):
        notebook = _add_nbgrader_metadata(notebook, path.name)
    elif path.resolve().parent.name == "notebooks" and path.name[:1].isdigit():
        for cell, kind in zip(notebook.cells, lesson.slide_types(notebook.cells)):
            cell.metadata["slideshow"] = {"slide_type": kind}
    elif path.stem == CONTENTS:
        _write_contents(notebook.cells, path)
    return _run(notebook, path)


def _write_contents(cells: Any, path: Path) -> None:
    """Write the table of contents and the planned courses from the data of the lessons."""
    for cell in cells:
        for tag in {CONTENTS, COURSES} & set(cell.metadata.get("tags", ())):
            cell.source = (lesson.contents_table if tag == CONTENTS else lesson.course_tables)(lesson.read_lessons(path.parent))


def execute_exercise(path: Path) -> Any:
    """Execute the exercise derived from a solution, without any answer."""
    return _run(derive_exercise(path), exercise_path(path))


def derive_exercise(path: Path) -> Any:
    """Derive the exercise of a solution, without executing it."""
    return derive(_add_nbgrader_metadata(read_notebook_file(path), path.name))


def _add_nbgrader_metadata(notebook: Any, name: str) -> Any:
    """Add nbgrader's metadata to a solution."""
    from .course.catalogue import load_exercise_definition

    try:
        exercise = load_exercise_definition(exercise_name(notebook))
        return with_metadata(notebook, lambda key: exercise.question(key).points)
    except (MarkerError, LookupError) as error:
        raise UnpublishableNotebook(f"the solution {name} cannot be published: {error.args[0]}") from None


def _run(notebook: Any, path: Path) -> Any:
    from asyncio import CancelledError

    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError

    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    try:
        here = {"metadata": {"path": str(path.parent if path.parent.is_dir() else Path.cwd())}}
        client = NotebookClient(notebook, timeout=120, kernel_name="python3", resources=here, coalesce_streams=True)
        # without this option, each kernel warns that it uses ports of this machine
        client.extra_arguments = ["--log-level=ERROR"]
        client.execute(env=os.environ | {"TQDM_DISABLE": "1"})  # tqdm would show progress bars on slow machines only, so it is disabled
    except CellExecutionError as error:
        message = f"{path.name}: a cell raises an error. Run the notebook in JupyterLab, and correct it.\n{error}"
        raise UnpublishableNotebook(message) from None
    except (CancelledError, AssertionError):  # nbclient raises these errors after Ctrl-C has ended the kernel
        raise KeyboardInterrupt from None
    return normal_form(notebook, path.name)


def normal_form(notebook: Any, name: str) -> Any:
    """Convert an executed notebook to its normal form."""
    for state in notebook.metadata.get("widgets", {}).get("application/vnd.jupyter.widget-state+json", {}).get("state", {}).values():
        if state.get("model_name") == "OutputModel" and state.get("state", {}).get("outputs"):
            remedy = "Show the text with an HTML widget or an explorer."
            raise UnpublishableNotebook(f"a cell of {name} prints inside an Output widget, which nbval cannot compare. {remedy}")
    seen: set[str] = set()
    count = 0
    for number, cell in enumerate(notebook.cells, 1):
        cell.metadata = nbformat.from_dict({key: value for key, value in cell.metadata.items() if key in KEPT_METADATA and value})
        if not cell.get("id") or cell.id in seen:
            cell.id = sha256(f"{name} {number} {cell.source}".encode()).hexdigest()[:8]
        seen.add(cell.id)
        cell.pop("attachments", None)
        if cell.cell_type != "code":
            continue
        count += 1
        cell.execution_count = count
        for output in cell.outputs:
            _normalise_output(output, f"cell {number} of {name}", count)
    notebook.metadata = nbformat.from_dict({"kernelspec": KERNEL, "language_info": {"name": "python"}})
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    return notebook


def _normalise_output(output: Any, where: str, count: int) -> None:
    if output.output_type == "error":
        raise UnpublishableNotebook(f"the code in {where} raises {output.ename}: {output.evalue}")
    if "execution_count" in output:
        output.execution_count = count
    data = output.get("data", {})
    if data.pop(WIDGET, None) is not None and not PICTURES & data.keys():
        raise UnpublishableNotebook(f"a widget in {where} must have a static picture, or readers without a kernel see nothing")
    if "metadata" in output:
        output.metadata = nbformat.from_dict({key: value for key, value in output.metadata.items() if key in PICTURES and "alt" in value})
    text = output.get("text", "") + "".join(value for key, value in data.items() if key.startswith("text/"))
    if address := re.search(r"\bat 0x[0-9a-f]{6,}", text):
        raise UnpublishableNotebook(
            f"the output of {where} must not contain a memory address, which changes with each run; got {address[0]}. Print the value."
        )


def as_text(notebook: Any) -> str:
    """Return the text of a notebook's file."""
    return str(nbformat.writes(notebook, version=4)) + "\n"


def comparable(notebook: Any) -> Any:
    """Return a notebook without the bytes of its pictures, to compare builds with different versions of matplotlib."""
    plain = nbformat.from_dict(notebook)
    for output in (output for cell in plain.cells for output in cell.get("outputs", []) if "data" in output):
        output["data"] |= dict.fromkeys(PICTURES & output.data.keys(), "picture")
    return {"cells": [dict(cell) for cell in plain.cells], "metadata": dict(plain.metadata)}
