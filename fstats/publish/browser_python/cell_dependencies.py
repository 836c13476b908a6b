"""Find the earlier statements of a notebook that a cell needs to run in a web page."""

from __future__ import annotations

import ast
from collections.abc import Sequence

METHODS_WITHOUT_EFFECT = {"plot", "picture"}  # names of methods that do not change their object


def code_needed(above: Sequence[str], cell: str) -> str:
    """Return the statements of the cells above on which a cell depends through names; in doubt, a statement is included."""
    return "\n".join(ast.get_source_segment(above[k], statement) or "" for k, statement in _needed_statements(above, cell))


def cells_needed(above: Sequence[str], cell: str) -> list[int]:
    """Return the indices of the cells above that a cell needs. A cell that is not Python needs no cell, and no cell needs it.

    >>> cells_needed(["a = [1, 2]", "b = 3", "a.append(4)", "%magic a"], "sum(a)")
    [0, 2]
    """
    sources = [source if _is_python(source) else "" for source in above]
    return sorted({k for k, _ in _needed_statements(sources, cell)}) if _is_python(cell) else []


def _needed_statements(above: Sequence[str], cell: str) -> list[tuple[int, ast.stmt]]:
    lines = [(k, statement) for k, source in enumerate(above) for statement in ast.parse(source).body]
    modules = {name for _, line in lines if isinstance(line, (ast.Import, ast.ImportFrom)) for name in _bound_names(line)}
    names = _used_names(ast.parse(cell))
    needed: list[tuple[int, ast.stmt]] = []
    for k, statement in reversed(lines):
        if (_bound_names(statement) | _method_call_names(statement) - modules) & names:
            names = names - _rebound_names(statement) | _used_names(statement)
            needed.append((k, statement))
    return needed[::-1]


def _is_python(source: str) -> bool:
    try:
        ast.parse(source)
    except (SyntaxError, ValueError):  # ast.parse raises a ValueError if the source contains a null character
        return False
    return True


def _used_names(tree: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}


def _rebound_names(statement: ast.stmt) -> set[str]:
    """Return the names to which a statement always assigns new values; loops and conditions are left out, because they may not run."""
    if isinstance(statement, (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef)):
        return _bound_names(statement)
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    elements = [item for target in targets for item in (target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target])]
    return {item.id for item in elements if isinstance(item, ast.Name)}


def _bound_names(tree: ast.AST) -> set[str]:
    """Return the names to which a statement assigns a value, or whose objects it changes in part."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, ast.alias):
            names.add((node.asname or node.name).partition(".")[0])
        elif isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)) and isinstance(node.ctx, ast.Store):
            names |= {inside.id for inside in ast.walk(node) if isinstance(inside, ast.Name)}
    return names


def _method_call_names(tree: ast.AST) -> set[str]:
    """Return the names of the objects whose methods a statement calls, because a method may change its object."""
    calls = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)]
    return {call.value.id for call in calls if isinstance(call.value, ast.Name) and call.attr not in METHODS_WITHOUT_EFFECT}
