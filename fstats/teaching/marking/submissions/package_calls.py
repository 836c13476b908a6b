"""Detect answers that were computed by a test of `fstats`."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator

from ...grading.student_lines.code_history import imported_names
from .answer_dependencies import called_name, parse_statements
from .submission_cells import RunCell

COURSE_FUNCTIONS = {"exercise", "individual", "plot"}  # functions of the package that compute no answers
# functions that return their argument unchanged or converted
PASS_THROUGH = {"float", "int", "round", "bool", "abs", "str", "list", "tuple", "asarray", "array", "item"}


def package_answers(cells: Iterable[RunCell], allowed: Collection[str] = ()) -> list[str]:
    """Return the questions whose answer is a value of the package; only the source of the cells is read, and nothing is run.

    An answer is a value of the package if it is an attribute, an entry or a call of an object imported from `fstats`, under any name.  An
    answer that is computed from such a value is not a value of the package.  Hidden access (`getattr`, `exec`) is not detected.  `allowed`
    names the modules of `fstats` from which the exercise lets students take answers.
    """
    given: set[str] = set()  # names whose values come from the package
    answers: dict[str, bool] = {}
    for cell in cells:
        if (body := parse_statements(cell.source)) is None:
            continue
        if cell.key:
            expression = body[-1] if body else None
            answers[cell.key] = isinstance(expression, ast.Expr) and _is_given(expression.value, given)
            continue
        for line in body:
            _track_statement(line, given, allowed)
    return [key for key, is_given in answers.items() if is_given]


def _track_statement(line: ast.stmt, given: set[str], allowed: Collection[str]) -> None:
    """Update the names that hold a value of the package after a statement."""
    if isinstance(line, ast.Import | ast.ImportFrom):
        paths = {name: path.split(".") for name, path in imported_names(line)}
        given |= {name for name, (package, *parts) in paths.items() if package == "fstats" and not {*parts} & {*COURSE_FUNCTIONS, *allowed}}
    elif isinstance(line, (ast.Assign, ast.AnnAssign)) and line.value is not None:
        for target in line.targets if isinstance(line, ast.Assign) else [line.target]:
            for name, value in _assignment_pairs(target, line.value):
                given.discard(name)
                if _is_given(value, given):
                    given.add(name)


def _assignment_pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """Yield the assigned names with their values; if a value cannot be split, each name gets the whole value."""
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, (ast.Tuple, ast.List)):
        is_pairwise = isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(target.elts)
        for element, part in zip(target.elts, value.elts if is_pairwise else [value] * len(target.elts)):  # type: ignore[attr-defined]
            yield from _assignment_pairs(element, part)


def _is_given(value: ast.expr, given: set[str]) -> bool:
    """Return whether an expression takes a value from the package without computing anything."""
    while True:
        if isinstance(value, (ast.Attribute, ast.Subscript)):
            if isinstance(value, ast.Attribute) and value.attr in COURSE_FUNCTIONS:
                return False
            value = value.value
        elif isinstance(value, ast.Call):
            value = value.args[0] if called_name(value) in PASS_THROUGH and value.args else value.func
        else:
            return isinstance(value, ast.Name) and value.id in given
