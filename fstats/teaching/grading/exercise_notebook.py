"""An exercise notebook from its solution: what is taken out, what is left for the student, what nbgrader wants to know.

The solution is the source.  In it a lecturer writes plain cells: `### BEGIN SOLUTION` and `### END SOLUTION` around what
the student has to find, `check("q1", ...)` alone in a cell behind it, the tag `solution` on text that explains, the tag
`reflection` on a text that the student writes.  The rest (metadata, stubs) follows from these.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from copy import deepcopy
from itertools import chain, count
from typing import Any

BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"
STUB = "...  # your answer"
REFLECTION = "*Write your answer here.*"
_OPENED = re.compile(r"""\bexercise\(\s*["'](\w+)["']""")
_CHECKED = re.compile(r"""\bcheck\(\s*["'](\w+)["']""")


class Unmarked(ValueError):
    """A solution notebook whose markers do not fit together; the message names the cell and the mend."""


def exercise_name(notebook: Any) -> str:
    """Which exercise a notebook opens."""
    found = [name for cell in notebook.cells if cell.cell_type == "code" for name in _OPENED.findall(cell.source)]
    if len(found) != 1:
        raise Unmarked(f'a solution opens one exercise, task = exercise("name"); found {", ".join(found) or "none"}')
    return str(found[0])


def checked_key(source: str) -> str:
    """The question that a cell's code checks; empty if none."""
    found = _CHECKED.search(source)
    return found[1] if found else ""


def with_metadata(notebook: Any, points: Callable[[str], float]) -> Any:
    """A solution with nbgrader's metadata on the cells of answers, checks and reflections; `points(key)` says what a question is worth."""
    notebook = deepcopy(notebook)
    keys = [_key(cell) for cell in notebook.cells]
    used: set[str] = set()
    for number, (cell, key) in enumerate(zip(notebook.cells, keys, strict=True)):
        tags = cell.metadata.get("tags", [])
        kept = cell.metadata.pop("nbgrader", {})
        next_key = next(filter(None, keys[number:]), "end")
        if key:
            about = _about(key, used, grade=True, locked=True, points=float(points(key)))
        elif cell.cell_type == "code" and BEGIN in cell.source:
            about = _about(f"answer_{next_key}", used, solution=True)
        elif "reflection" in tags:
            about = _about(f"reflection_{next_key}", used, grade=True, solution=True, points=float(kept.get("points", 1)))
        elif "solution" in tags:
            marked = {"grade": True, "points": 0.0} if cell.cell_type == "markdown" else {}  # nbgrader knows no other way to empty a text
            about = _about(f"worked_{next_key}", used, solution=True, **marked)
        else:
            continue
        cell.metadata["nbgrader"] = about
    return notebook


def _key(cell: Any) -> str:
    """The question that a cell checks, in a solution that keeps the rules."""
    if cell.cell_type != "code":
        return ""
    found = _CHECKED.findall(cell.source)
    if len(found) > 1:
        raise Unmarked(f"one check to a cell, so that each has its points; found {', '.join(found)} in:\n{cell.source}")
    if found and BEGIN in cell.source:
        raise Unmarked(f"a check stands in a cell of its own, behind the answer; found both in:\n{cell.source}")
    return str(found[0]) if found else ""


def _about(grade_id: str, used: set[str], **about: Any) -> dict[str, Any]:
    name = next(name for name in chain([grade_id], (f"{grade_id}_{k}" for k in count(2))) if name not in used)
    used.add(name)
    return {"grade": False, "solution": False, "locked": False, "task": False, "schema_version": 3, "grade_id": name} | about


def derive(solution: Any) -> Any:
    """The exercise: without solutions and their explanations, with a place for each answer; not yet executed."""
    notebook = deepcopy(solution)
    notebook.cells = [cell for cell in notebook.cells if "solution" not in cell.metadata.get("tags", [])]
    code = "\n".join(_stubbed(cell.source, set()) for cell in notebook.cells if cell.cell_type == "code")
    wanted = {node.id for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
            cell.source = _stubbed(cell.source, wanted)
        elif "reflection" in cell.metadata.get("tags", []):
            cell.source = REFLECTION
    return notebook


def _stubbed(source: str, wanted: set[str]) -> str:
    """A cell with `name = ...` for each name that the exercise reads, or dots, in the place of each solution."""
    lines: list[str] = []
    solution: list[str] | None = None  # the lines of the one that is open
    for line in source.split("\n"):
        marker = line.strip()
        if marker not in (BEGIN, END):
            (lines if solution is None else solution).append(line)
        elif (marker == BEGIN) != (solution is None):
            raise Unmarked(f"{BEGIN} and {END} must take turns; they do not in:\n{source}")
        elif solution is None:
            solution = [line]
        else:
            lines += _stubs(solution, wanted)
            solution = None
    if solution is not None:
        raise Unmarked(f"{END} is missing in:\n{source}")
    return "\n".join(lines)


def _stubs(solution: list[str], wanted: set[str]) -> list[str]:
    """The lines that stand in the place of a solution, whose first one is its marker."""
    if indent := solution[0].partition(BEGIN)[0]:
        return [indent + STUB]
    return [f"{name} = {STUB}" for name in _assigned("\n".join(solution)) if name in wanted] or ["# your answer"]


def _assigned(source: str) -> list[str]:
    """The names that top-level statements give values to, in their order."""
    names: dict[str, None] = {}
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.FunctionDef):
            names[statement.name] = None
        elif isinstance(statement, (ast.Assign, ast.AnnAssign)):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            nodes = (node for target in targets for node in ast.walk(target))
            names |= {node.id: None for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return list(names)
