"""Data flow analysis of notebook cells.

Without running a notebook, the module finds the data and earlier answers on which each answer depends.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from textwrap import dedent
from warnings import catch_warnings

from ...grading.student_lines.code_history import imported_names
from .submission_cells import RunCell

DATA = "data"  # name of the source for values that come from the task or from a library


def answer_dependencies(cells: Iterable[RunCell]) -> dict[str, frozenset[str]]:
    """Return, by answer, `DATA` and the keys of other answers that the last source of the answer reads.

    The set is empty for a typed answer, even if the numbers were computed elsewhere.
    """
    run_cells = [*cells]
    flow = _DataFlow({cell.source: cell.key for cell in run_cells if cell.key})
    sources: dict[str, frozenset[str]] = {}
    checks = []
    for cell in run_cells:
        if cell.key:
            checks.append(cell)
            sources[cell.key] = flow.check(cell)
        else:
            for statement in _statements(cell.source):
                flow.run(statement)
    for cell in checks:  # a later cell may have assigned an answer that was empty at its check, so read it again at the end
        sources[cell.key] = sources[cell.key] or flow.check(cell)
    return sources


def _statements(source: str) -> list[ast.stmt]:
    """Return the statements of a cell; if some lines of the cell are not Python, return the statements of the other lines."""
    lines = [*map(_without_magic, source.splitlines())]
    for parts in ["\n".join(lines)], [*map(dedent, lines)]:
        bodies = [*map(parse_statements, parts)]
        if any(body is not None for body in bodies):
            return [statement for body in bodies for statement in body or ()]
    return []


def parse_statements(source: str) -> list[ast.stmt] | None:
    """Return the statements of a source, and None if the source cannot be parsed."""
    try:
        with catch_warnings(action="ignore"):
            return ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _without_magic(line: str) -> str:
    """Remove the name and the options of a magic such as %time; the rest of the line is Python code."""
    left, sign, right = line.rpartition("=") if "=" in line.partition("%")[0] else ("", "", line)
    if not right.lstrip().startswith("%"):
        return line
    words = right.split()[1:]
    while words and (words[0].startswith("-") or words[0].isdigit()):
        words.pop(0)
    indent = "" if sign else line[: len(line) - len(line.lstrip())]
    return f"{left}{sign} " * bool(sign) + indent + (" ".join(words) or "pass")


class _DataFlow:
    """Sources of each name: the data and answers from which the current value of the name was computed."""

    def __init__(self, answers: dict[str, str]) -> None:
        self.answers = answers  # key of the answer that each name stores
        self.sources: dict[str, frozenset[str]] = {"task": frozenset({DATA})}
        self.changes: list[tuple[str, frozenset[str] | None]] = []  # (name, sources before the change) for each change
        self.modules: set[str] = set()
        self.checked: dict[str, frozenset[str]] = {}  # sources of the value that is passed to check, for each question

    def check(self, cell: RunCell) -> frozenset[str]:
        """Return the sources of the answer that a check reads."""
        sources = self.dependencies_of(ast.parse(cell.source, mode="eval"))
        return (sources - {cell.key}) or self.checked.get(cell.key, sources) - {cell.key}

    def dependencies_of(self, node: ast.AST | None) -> frozenset[str]:
        """Return the sources of the names in an expression."""
        names = (name.id for name in ast.walk(node) if isinstance(name, ast.Name)) if node else ()
        return frozenset().union(*(self.sources.get(name, frozenset()) for name in names))

    def run(self, statement: ast.stmt, conditions: frozenset[str] = frozenset()) -> None:
        """Follow a statement; `conditions` are the sources that influence whether, and how often, the statement runs."""
        for node in ast.walk(statement):
            if isinstance(node, ast.NamedExpr):
                self.assign(node.target, self.dependencies_of(node.value) | conditions)
            elif isinstance(node, ast.Call):
                self.call(node)
        match statement:
            case ast.Assign(targets, value):
                for target in targets:
                    self.assign_pairs(target, value, conditions)
            case ast.AnnAssign(target, _, value) if value:
                self.assign(target, self.dependencies_of(value) | conditions)
            case ast.AugAssign(target, _, value):
                self.assign(target, self.dependencies_of(value) | self.dependencies_of(target) | conditions)
            case ast.Import() | ast.ImportFrom():
                for name, path in imported_names(statement):
                    self.modules.add(name)
                    self.set_name(name, frozenset({DATA} if path.partition(".")[0] == "fstats" else ()))
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                self.set_name(statement.name, self.dependencies_of(statement))
            case _:
                self.run_block(statement, conditions)

    def run_block(self, statement: ast.stmt, conditions: frozenset[str]) -> None:
        """Follow the statements in the body of a for, while, if, try or with statement."""
        heads = [getattr(statement, name, None) for name in ("test", "iter", "subject")]
        conditions = conditions.union(*(self.dependencies_of(head) for head in heads if head is not None))
        if isinstance(statement, ast.For):
            self.assign(statement.target, conditions)
        for item in getattr(statement, "items", ()):
            if item.optional_vars is not None:
                self.assign(item.optional_vars, self.dependencies_of(item.context_expr) | conditions)
        if isinstance(statement, ast.Expr):
            return
        parts = [getattr(statement, name, []) for name in ("body", "orelse", "finalbody")]
        parts += [part.body for name in ("handlers", "cases") for part in getattr(statement, name, ())]
        possible: dict[str, frozenset[str]] = {}  # all sources that the value of each name may have, because a branch may run or not
        for part in filter(None, parts):
            start = len(self.changes)
            for inner in part:
                self.run(inner, conditions)
            for name, earlier in self.changes[start:]:
                possible[name] = possible.get(name, earlier or frozenset()) | self.sources[name]
        for name, sources in possible.items():
            self.set_name(name, sources)

    def assign_pairs(self, target: ast.expr, value: ast.expr, conditions: frozenset[str]) -> None:
        """Follow an assignment; in an assignment to several names, each name gets its own sources."""
        if isinstance(target, (ast.Tuple, ast.List)) and isinstance(value, (ast.Tuple, ast.List)) and len(target.elts) == len(value.elts):
            sources = [self.dependencies_of(element) | conditions for element in value.elts]
            for element, known in zip(target.elts, sources, strict=True):
                self.assign(element, known)
        else:
            self.assign(target, self.dependencies_of(value) | conditions)

    def set_name(self, name: str, sources: frozenset[str]) -> None:
        """Set the sources of a name, and record the change."""
        self.changes.append((name, self.sources.get(name)))
        self.sources[name] = sources

    def assign(self, target: ast.AST, sources: frozenset[str]) -> None:
        """Set the sources of an assignment's target; an assignment to an entry of a list adds sources to the list."""
        if isinstance(target, ast.Name):
            self.set_name(target.id, sources | ({self.answers[target.id]} if target.id in self.answers else frozenset()))
        elif isinstance(target, (ast.Tuple, ast.List)):
            for element in target.elts:
                self.assign(element, sources)
        elif isinstance(target, ast.Starred):
            self.assign(target.value, sources)
        else:
            for node in ast.walk(target):
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                    self.set_name(node.id, self.sources.get(node.id, frozenset()) | sources)

    def call(self, node: ast.Call) -> None:
        """Follow a call: `check` reads its second argument; a method may store its arguments in its object."""
        arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
        sources = frozenset().union(*map(self.dependencies_of, arguments))
        if (
            called_name(node) == "check"
            and len(node.args) == 2
            and isinstance(node.args[0], ast.Constant)
            and isinstance(node.args[0].value, str)
        ):
            key = node.args[0].value
            self.checked[key] = sources
            if isinstance(node.args[1], ast.Name):
                self.set_name(node.args[1].id, sources | {key})
        elif isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name) and node.func.value.id not in self.modules:
            self.set_name(node.func.value.id, self.sources.get(node.func.value.id, frozenset()) | sources)


def called_name(node: ast.Call) -> str:
    """Return the name of the called function or method, and an empty text if the function has no name."""
    return node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id if isinstance(node.func, ast.Name) else ""
