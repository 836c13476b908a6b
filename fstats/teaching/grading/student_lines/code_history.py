"""Where an answer comes from: assignments, loops and functions in the cells of a notebook, in the order in which they ran."""

from __future__ import annotations

import ast
import sys
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

MAX_CELLS, MAX_CHARACTERS = 400, 200_000  # the latest cells that are read
STATEMENTS = ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Expr


@dataclass(frozen=True, eq=False)
class Definition:
    """What a name was set to: an expression, a function, or a module; `tree` is None for anything that is not read."""

    name: str
    time: int
    tree: ast.expr | ast.FunctionDef | None = None
    text: str = ""
    module: str = ""

    @property
    def is_data(self) -> bool:
        """Whether the name holds data of the exercise."""
        tree = self.tree
        return isinstance(tree, ast.expr) and any(isinstance(node, ast.Attribute) and node.attr == "data" for node in ast.walk(tree))


class StudentLine(NamedTuple):
    """The line that made an answer, the history of its names, and the values of names in the notebook."""

    definition: Definition
    history: CodeHistory
    namespace: dict[str, Any]


@dataclass
class CodeHistory:
    """Definitions of names in the order of time, and the expressions that were checked as answers to questions."""

    definitions: dict[str, list[Definition]] = field(default_factory=dict)
    checked: dict[str, list[Definition]] = field(default_factory=dict)
    time: int = 0

    def find(self, name: str, before: int) -> Definition | None:
        """Return the last definition of a name before a time."""
        known = self.definitions.get(name, [])
        place = bisect_left(known, before, key=lambda definition: definition.time)
        return known[place - 1] if place else None

    def define(self, name: str, tree: Any = None, text: str = "", module: str = "") -> None:
        """Record what a name is set to now."""
        self.time += 1
        self.definitions.setdefault(name, []).append(Definition(name, self.time, tree, text, module))

    # -- statements --------------------------------------------------------------------------------------------------------
    def read_cell(self, source: str) -> None:
        """Record the statements of a cell; a cell that is not Python is left out."""
        lines = ("" if line.lstrip().startswith(("%", "!", "?")) else line for line in source.splitlines())
        try:
            body = ast.parse("\n".join(lines)).body
            for statement in body:
                self._statement(statement, "\n".join(source.splitlines()))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return

    def _statement(self, statement: ast.stmt, source: str) -> None:
        if isinstance(statement, ast.Import | ast.ImportFrom):
            return self._imported(statement)
        if isinstance(statement, ast.FunctionDef):
            return self.define(statement.name, statement, ast.unparse(statement))
        if isinstance(statement, ast.For) and self._loop(statement, source):
            return None
        if not isinstance(statement, STATEMENTS):
            for name in _changed_names(statement):  # set under a condition or in a loop that is not read
                self.define(name)
            return None
        text, node = own_line(statement, source)
        self._checks(node, text)
        match node:
            case ast.Assign(targets, value):
                for target in targets:
                    self._assign(target, value, text)
            case ast.AnnAssign(ast.Name(name), _, ast.expr() as value):
                self.define(name, value, text)
            case ast.AugAssign(ast.Name(name), operator, value):
                before = ast.copy_location(ast.Name(name, ast.Load()), node.target)
                self.define(name, ast.copy_location(ast.BinOp(before, operator, value), node), text)
            case ast.Expr(ast.Call(ast.Attribute(ast.Name(name), "append"), [value])):
                one = ast.copy_location(ast.List([value]), value)
                self.define(name, ast.copy_location(ast.BinOp(ast.Name(name), ast.Add(), one), value), text)
            case _:
                for name in _changed_names(node):
                    self.define(name)
        return None

    def _imported(self, statement: ast.Import | ast.ImportFrom) -> None:
        start = f"{statement.module}." if isinstance(statement, ast.ImportFrom) else ""
        for alias in statement.names:
            whole = start + alias.name
            name = alias.asname or (alias.name if start else alias.name.partition(".")[0])
            self.define(name, module=whole if alias.asname or start else name)

    def _assign(self, target: ast.expr, value: ast.expr, text: str) -> None:
        """Record an assignment; an assignment to several names is taken apart."""
        match target:
            case ast.Name(name):
                self.define(name, value, text)
            case ast.Tuple(targets) | ast.List(targets) if not any(isinstance(one, ast.Starred) for one in targets):
                now, entries = self.time, getattr(value, "elts", None)
                for place, one in enumerate(targets):
                    if isinstance(value, ast.Tuple | ast.List) and entries and len(entries) == len(targets):
                        part = entries[place]
                    else:
                        part = ast.copy_location(ast.Subscript(value, ast.Constant(place)), value)
                    if isinstance(one, ast.Name):
                        self.definitions.setdefault(one.id, []).append(Definition(one.id, now + 1, part, text))
                self.time = now + 1
            case _:
                for name in _changed_names(target):
                    self.define(name)

    def _loop(self, loop: ast.For, source: str) -> bool:
        """Record a loop that only appends to one list, or adds to one number, as a comprehension."""
        if len(loop.body) != 1 or loop.orelse:
            return False
        text, node = own_line(loop.body[0], source)
        match node:
            case ast.Expr(ast.Call(ast.Attribute(ast.Name(name), "append"), [value])):
                is_sum = False
            case ast.AugAssign(ast.Name(name), ast.Add(), value):
                is_sum = True
            case _:
                return False
        values = ast.ListComp(value, [ast.comprehension(loop.target, loop.iter, [], 0)])
        right: Any = ast.Call(ast.Name("sum"), [values, ast.Name(name)], []) if is_sum else ast.BinOp(ast.Name(name), ast.Add(), values)
        self.define(name, right, text)
        return True

    def _checks(self, statement: ast.AST, text: str) -> None:
        """Record the calls of `check` in a statement, with the line of the answer."""
        for call in ast.walk(statement):
            match call:
                case ast.Call(ast.Name("check") | ast.Attribute(_, "check"), [ast.Constant(str(key)), answer]):
                    known = self.find(answer.id, self.time + 1) if isinstance(answer, ast.Name) else None
                    known = None if known and known.is_data else known
                    self.checked.setdefault(key, []).append(known or Definition("", self.time + 1, answer, text))


def own_line(statement: ast.stmt, source: str) -> tuple[str, Any]:
    """Return a statement in one line of text, and its tree with positions in this text."""
    text = ast.get_source_segment(source, statement) or ""
    if not text or "\n" in text:
        text = ast.unparse(statement)
    return text, ast.parse(text).body[0]


def place_in_line(text: str, part: Any) -> tuple[int, int]:
    """Return where a part stands in its line, in characters; nowhere for a part that is not in the line as it is written."""
    try:
        raw = text.encode()
        start, stop = (len(raw[:place].decode()) for place in (part.col_offset, part.end_col_offset))
        same = ast.dump(ast.parse(text[start:stop].strip(), mode="eval").body) == ast.dump(part)
        return (start, stop) if same else (0, 0)
    except (AttributeError, IndexError, SyntaxError, TypeError, ValueError):
        return (0, 0)


def _changed_names(node: ast.AST) -> Iterator[str]:
    """Yield the names that a statement may set, or whose objects it may change."""
    for part in ast.walk(node):
        match part:
            case ast.Name(name, ast.Store() | ast.Del()) | ast.ExceptHandler(name=str(name)):
                yield name
            case ast.FunctionDef(name) | ast.ClassDef(name) | ast.AsyncFunctionDef(name):
                yield name
            case ast.Subscript(ast.Name(name), _, ast.Store() | ast.Del()) | ast.Attribute(ast.Name(name), _, ast.Store() | ast.Del()):
                yield name
            case ast.Call(ast.Attribute(ast.Name(name), "sort" | "append" | "extend" | "insert" | "pop" | "remove" | "reverse" | "fill")):
                yield name
            case ast.AugAssign(ast.Subscript(ast.Name(name))):
                yield name


def line_in_cells(cells: Sequence[str], key: str, namespace: dict[str, Any] | None = None) -> StudentLine | None:
    """Return the line that made the latest answer to a question, from the cells of a notebook in the order in which they ran."""
    history, kept = CodeHistory(), [*cells][-MAX_CELLS:]
    while sum(map(len, kept)) > MAX_CHARACTERS:
        del kept[0]
    for cell in kept:
        history.read_cell(cell)
    definition = history.checked.get(key, [None])[-1]
    if definition is None or not isinstance(definition.tree, ast.expr) or isinstance(definition.tree, ast.Constant):
        return None
    return StudentLine(definition, history, namespace or {})


def line_in_notebook(key: str, value: Any) -> StudentLine | None:
    """Return the line that made an answer which is checked in the current cell; None outside of a notebook and of a page of a live site."""
    interactive, page = sys.modules.get("IPython.core.getipython"), sys.modules.get("fstats.publish.browser_python.page_kernel")
    try:
        if interactive and (shell := interactive.get_ipython()):
            cells, namespace = [*map(str, shell.history_manager.input_hist_parsed)], dict(shell.user_ns)
        elif page:
            cells, namespace = page.page_cells, dict(page.page_namespace)
        else:
            return None
        line = line_in_cells(cells, key, namespace)
        # the name in the cell must hold the very object that is checked
        return line if line and (not line.definition.name or namespace.get(line.definition.name) is value) else None
    except Exception:  # a notebook without a history has no line
        return None
