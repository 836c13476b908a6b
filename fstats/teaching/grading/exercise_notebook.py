"""Derive an exercise notebook from its solution notebook: remove solutions, leave room for answers, and add nbgrader's metadata.

The solution notebook is the source. A lecturer writes plain cells in it: `### BEGIN SOLUTION` and `### END SOLUTION` around the code
that the student writes, `check("q1", ...)` alone in the next cell, the tag `solution` on explanations, and the tag
`reflection` on a text that the student writes. Metadata and stubs follow from these markers and tags.
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


class MarkerError(ValueError):
    """The markers of a solution notebook are inconsistent; the message names the cell and the remedy."""


def exercise_name(notebook: Any) -> str:
    """Return the name of the exercise that a notebook opens."""
    names = [name for cell in notebook.cells if cell.cell_type == "code" for name in _OPENED.findall(cell.source)]
    if len(names) != 1:
        raise MarkerError(f'a solution must open one exercise with task = exercise("name"); got {", ".join(names) or "none"}')
    return str(names[0])


def checked_key(source: str) -> str:
    """Return the key of the question that a cell checks; empty if the cell checks no question."""
    match = _CHECKED.search(source)
    return match[1] if match else ""


def with_metadata(notebook: Any, points: Callable[[str], float]) -> Any:
    """Add nbgrader's metadata to the cells of answers, checks and reflections; `points(key)` are the points of a question."""
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
            # nbgrader removes the text of a solution only if the cell is graded
            marked = {"grade": True, "points": 0.0} if cell.cell_type == "markdown" else {}
            about = _about(f"worked_{next_key}", used, solution=True, **marked)
        else:
            continue
        cell.metadata["nbgrader"] = about
    return notebook


def _key(cell: Any) -> str:
    """Return the key of the question that a cell checks; raise MarkerError if the cell breaks a rule for solutions."""
    if cell.cell_type != "code":
        return ""
    keys = _CHECKED.findall(cell.source)
    if len(keys) > 1:
        raise MarkerError(
            f"a cell must have one check, so that each check has its own points; got {', '.join(keys)} in the cell:\n{cell.source}"
        )
    if keys and BEGIN in cell.source:
        raise MarkerError(
            f"a check must be in its own cell, after the cell of the answer; got an answer and a check in the cell:\n{cell.source}"
        )
    return str(keys[0]) if keys else ""


def _about(grade_id: str, used: set[str], **about: Any) -> dict[str, Any]:
    name = next(name for name in chain([grade_id], (f"{grade_id}_{k}" for k in count(2))) if name not in used)
    used.add(name)
    return {"grade": False, "solution": False, "locked": False, "task": False, "schema_version": 3, "grade_id": name} | about


def derive(solution: Any) -> Any:
    """Derive the exercise: remove solutions and explanations, and leave room for each answer; the derived notebook is not executed."""
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
    """Replace each solution in a cell by `name = ...` for each name that the exercise reads, or by a comment."""
    lines: list[str] = []
    solution: list[str] | None = None  # lines of the solution block that is being read; None outside of such a block
    for line in source.split("\n"):
        marker = line.strip()
        if marker not in (BEGIN, END):
            (lines if solution is None else solution).append(line)
        elif (marker == BEGIN) != (solution is None):
            raise MarkerError(f"the lines {BEGIN} and {END} must alternate; got another order in the cell:\n{source}")
        elif solution is None:
            solution = [line]
        else:
            lines += _stubs(solution, wanted)
            solution = None
    if solution is not None:
        raise MarkerError(f"each line {BEGIN} must be followed by a line {END}; the last one is missing in the cell:\n{source}")
    return "\n".join(lines)


def _stubs(solution: list[str], wanted: set[str]) -> list[str]:
    """Return the lines that replace a solution; the first line of `solution` is its marker."""
    if indent := solution[0].partition(BEGIN)[0]:
        return [indent + STUB]
    return [f"{name} = {STUB}" for name in _assigned("\n".join(solution)) if name in wanted] or ["# your answer"]


def _assigned(source: str) -> list[str]:
    """Return the names that top-level statements assign or define, in the order of these statements."""
    names: dict[str, None] = {}
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.FunctionDef):
            names[statement.name] = None
        elif isinstance(statement, (ast.Assign, ast.AnnAssign)):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            nodes = (node for target in targets for node in ast.walk(target))
            names |= {node.id: None for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return list(names)
