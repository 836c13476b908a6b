"""Which lines above a cell it needs, so that a page may have it without running all of the notebook."""

from __future__ import annotations

import ast
from collections.abc import Sequence

METHODS_WITHOUT_EFFECT = {"plot", "picture"}  # methods that change nothing


def code_needed(above: Sequence[str], cell: str) -> str:
    """The statements of the cells above on which a cell depends, by the names that it uses: rather one too many than one too few."""
    return "\n".join(ast.get_source_segment(above[k], statement) or "" for k, statement in _needed_statements(above, cell))


def cells_needed(above: Sequence[str], cell: str) -> list[int]:
    """The places of the cells above of which a cell needs something; one that is no Python needs nothing, and gives nothing.

    >>> cells_needed(["a = [1, 2]", "b = 3", "a.append(4)", "%magic a"], "sum(a)")
    [0, 2]
    """
    return sorted({k for k, _ in _needed_statements([one if _is_python(one) else "" for one in above], cell)}) if _is_python(cell) else []


def _needed_statements(above: Sequence[str], cell: str) -> list[tuple[int, ast.stmt]]:
    lines = [(k, statement) for k, source in enumerate(above) for statement in ast.parse(source).body]
    modules = {name for _, one in lines if isinstance(one, (ast.Import, ast.ImportFrom)) for name in _bound_names(one)}
    names = _used_names(ast.parse(cell))
    taken: list[tuple[int, ast.stmt]] = []
    for k, statement in reversed(lines):
        if (_bound_names(statement) | _method_call_names(statement) - modules) & names:
            names = names - _rebound_names(statement) | _used_names(statement)
            taken.append((k, statement))
    return taken[::-1]


def _is_python(source: str) -> bool:
    try:
        ast.parse(source)
    except (SyntaxError, ValueError):  # a null character is a ValueError
        return False
    return True


def _used_names(tree: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}


def _rebound_names(statement: ast.stmt) -> set[str]:
    """Names whose earlier meaning no longer matters; in a loop or behind a condition it might."""
    if isinstance(statement, (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef)):
        return _bound_names(statement)
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    inside = [one for target in targets for one in (target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target])]
    return {one.id for one in inside if isinstance(one, ast.Name)}


def _bound_names(tree: ast.AST) -> set[str]:
    """Names that a statement gives a meaning, or whose parts it replaces."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, ast.alias):
            found.add((node.asname or node.name).partition(".")[0])
        elif isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)) and isinstance(node.ctx, ast.Store):
            found |= {inside.id for inside in ast.walk(node) if isinstance(inside, ast.Name)}
    return found


def _method_call_names(tree: ast.AST) -> set[str]:
    """Names whose methods a statement calls: lists grow by it, generators of noise move on."""
    calls = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)]
    return {call.value.id for call in calls if isinstance(call.value, ast.Name) and call.attr not in METHODS_WITHOUT_EFFECT}
