"""Trace the code that computed an answer in a notebook.

The trace has assignments, loops and functions in the order in which they ran.
"""

from __future__ import annotations

import ast
import re
import sys
import traceback
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

# maximum number of cells that are read, and maximum total number of characters; earlier cells are ignored
MAX_CELLS, MAX_CHARACTERS = 400, 200_000
FAILED = (
    "The last cell that sets `{}` stopped with an error ({}), so `{}` did not get its new value. Correct that cell and run it, and then "
    "run this check again."
)
STATEMENTS = ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Expr
BLOCKS = ast.For | ast.While | ast.If


class BlockValue(ast.expr):
    """The value of a name after a loop or a condition."""

    _fields = ("statement",)

    def __init__(self, statement: ast.stmt, name: str) -> None:
        super().__init__()
        self.statement, self.name = statement, name


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


class CellFailure(NamedTuple):
    """The line at which a cell stopped, 0 if no line of it ran, and the error in words."""

    line: int
    error: str


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
    # time and error for each name that a failed cell should have set
    failed: dict[str, tuple[int, str]] = field(default_factory=dict)
    checked_names: dict[str, str] = field(default_factory=dict)

    def find(self, name: str, before: int) -> Definition | None:
        """Return the last definition of a name before a time."""
        known = self.definitions.get(name, [])
        place = bisect_left(known, before, key=lambda definition: definition.time)
        return known[place - 1] if place else None

    def followed(self, definition: Definition, wanted: Callable[[Definition], bool] = lambda _: True) -> Iterator[Definition]:
        """Yield a definition, the wanted definitions of the names in it, and so on, each of them once."""
        waiting, done = [definition], set[int]()
        while waiting:
            definition = waiting.pop(0)
            if id(definition) not in done and (not done or wanted(definition)):
                done.add(id(definition))
                yield definition
                nodes = reversed([*ast.walk(definition.tree)]) if definition.tree else ()
                names = [node.id for node in nodes if isinstance(node, ast.Name)]
                waiting += filter(None, (self.find(name, definition.time) for name in names))

    def line_of(self, key: str, namespace: dict[str, Any] | None = None) -> StudentLine | None:
        """Return the line that made the latest answer to a question so far; statements that are read later do not change it."""
        definition = self.checked.get(key, [None])[-1]
        if definition is None or not isinstance(definition.tree, ast.expr | ast.FunctionDef) or isinstance(definition.tree, ast.Constant):
            return None
        definitions, checked = ({name: [*known] for name, known in table.items()} for table in (self.definitions, self.checked))
        return StudentLine(definition, CodeHistory(definitions, checked, self.time), namespace or {})

    def define(self, name: str, tree: Any = None, text: str = "", module: str = "") -> None:
        """Record a new definition of a name."""
        self.time += 1
        self.definitions.setdefault(name, []).append(Definition(name, self.time, tree, text, module))

    def failure_of(self, key: str) -> str:
        """Say that the cell with the latest value of a checked name stopped with an error; empty if it did not."""
        name = self.checked_names.get(key, "")
        time, error = self.failed.get(name, (-1, ""))
        known = self.find(name, self.time + 1)
        return "" if time < 0 or (known and known.time > time) else FAILED.format(name, error, name)

    # -- statements --------------------------------------------------------------------------------------------------------
    def read_cell(self, source: str, failure: CellFailure | None = None) -> None:
        """Record the statements of a cell up to the line that failed; a cell that is not Python is left out."""
        lines, names = source.splitlines(), set(re.findall(r"^\s*(\w+)\s*[-+*/]?=(?!=)", source, re.MULTILINE) if failure else ())
        try:
            body = ast.parse("\n".join("" if line.lstrip().startswith(("%", "!", "?")) else line for line in lines)).body
            for place, statement in enumerate(body):
                if failure and (statement.end_lineno or 0) >= failure.line:
                    names = {name for one in body[place:] for name in _changed_names(one)}
                    for name in _changed_names(statement) if isinstance(statement, BLOCKS) else ():
                        self.define(name)
                    break
                self._statement(statement, lines)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            pass
        if failure:
            self.failed |= dict.fromkeys(names, (self.time, failure.error))

    def _statement(self, statement: ast.stmt, lines: list[str]) -> None:
        if isinstance(statement, ast.Import | ast.ImportFrom):
            for name, module in imported_names(statement):
                self.define(name, module=module)
            return None
        if isinstance(statement, ast.FunctionDef):
            return self.define(statement.name, with_lines(statement, lines), source_text(statement, lines))
        if not isinstance(statement, STATEMENTS):
            block, written = with_lines(statement, lines) if isinstance(statement, BLOCKS) else None, ast.unparse(statement)
            for name in dict.fromkeys(_changed_names(statement)):
                tree = BlockValue(block, name) if block else None  # after any other statement, the value of the name is unknown
                self.definitions.setdefault(name, []).append(Definition(name, self.time + 1, tree, written))
            self.time += 1
            return None
        text, node = own_line(statement, lines)
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
                    self.define(name, text=text)
        return None

    def _assign(self, target: ast.expr, value: ast.expr, text: str) -> None:
        """Record an assignment; in an assignment to several names, each name gets its own definition."""
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
                    self.define(name, text=text)

    def _checks(self, statement: ast.AST, text: str) -> None:
        """Record the calls of `check` in a statement, with the definition of the checked answer."""
        for call in ast.walk(statement):
            match call:
                case ast.Call(ast.Name("check") | ast.Attribute(_, "check"), [ast.Constant(str(key)), answer]):
                    self.checked_names[key] = answer.id if isinstance(answer, ast.Name) else ""
                    known = self.find(answer.id, self.time + 1) if isinstance(answer, ast.Name) else None
                    known = None if known and known.is_data else known
                    self.checked.setdefault(key, []).append(known or Definition("", self.time + 1, answer, text))


def source_text(statement: Any, lines: list[str]) -> str:
    """Return the text of a statement from the lines of its cell."""
    text = [line.encode() for line in lines[statement.lineno - 1 : statement.end_lineno]]
    text[-1] = text[-1][: statement.end_col_offset]
    return b"\n".join([text[0][statement.col_offset :], *text[1:]]).decode()


def own_line(statement: ast.stmt, lines: list[str]) -> tuple[str, Any]:
    """Return a statement in one line of text, and its tree with positions in this text."""
    text = source_text(statement, lines) if statement.lineno == statement.end_lineno else ast.unparse(statement)
    return text, ast.parse(text).body[0]


def with_lines(statement: ast.stmt, lines: list[str]) -> ast.stmt:
    """Return a statement in which each line of a block has positions in its own text, the attribute `line`."""
    if not isinstance(statement, BLOCKS | ast.FunctionDef):
        text, simple = own_line(statement, lines)
        simple.line = text
        return simple
    body, rest = statement.body, [] if isinstance(statement, ast.FunctionDef) else statement.orelse
    head = copy(statement)
    head.body = [ast.Pass()]
    if not isinstance(head, ast.FunctionDef):
        head.orelse = []
    text = ast.unparse(head).rpartition("\n")[0]
    node: Any = ast.parse(f"{text} pass").body[0]
    node.line, node.body = text, [with_lines(inner, lines) for inner in body]
    if rest:
        node.orelse = [with_lines(inner, lines) for inner in rest]
    return node


def place_in_line(text: str, part: Any) -> tuple[int, int]:
    """Return the start and the end of a part in the text of its line; (0, 0) if the text does not contain the part."""
    try:
        raw = text.encode()
        start, stop = (len(raw[:place].decode()) for place in (part.col_offset, part.end_col_offset))
        same = ast.dump(ast.parse(text[start:stop].strip(), mode="eval").body) == ast.dump(part)
        return (start, stop) if same else (0, 0)
    except (AttributeError, IndexError, SyntaxError, TypeError, ValueError):
        return (0, 0)


def place_between(text: str, start: int, stop: int) -> tuple[int, int]:
    """Return the position of an operator between two operands, without blanks and parentheses; it is empty if there is no operator."""
    inner = text[start:stop].strip(" ()")
    start = text.find(inner, start)
    return start, start + len(inner)


def imported_names(statement: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str]]:
    """Yield each name that a statement imports, and the whole name of its module or function."""
    start = f"{statement.module}." if isinstance(statement, ast.ImportFrom) else ""
    for alias in statement.names:
        whole = alias.name if alias.asname or start else alias.name.partition(".")[0]
        yield alias.asname or whole, start + whole


def _changed_names(node: ast.AST) -> Iterator[str]:
    """Yield the names that a statement may set, and the names of objects that it may change."""
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


def cells_history(cells: Sequence[str], failures: Mapping[int, CellFailure] = MappingProxyType({})) -> CodeHistory:
    """Return the history of the cells of a notebook in the order in which they ran; `failures` says which cells stopped with an error."""
    history, first = CodeHistory(), max(0, len(cells) - MAX_CELLS)
    while sum(map(len, cells[first:])) > MAX_CHARACTERS:
        first += 1
    for place in range(first, len(cells)):
        history.read_cell(cells[place], failures.get(place))
    return history


def line_in_cells(cells: Sequence[str], key: str, namespace: dict[str, Any] | None = None) -> StudentLine | None:
    """Return the line that made the latest answer to a question, from the cells of a notebook in the order in which they ran."""
    return cells_history(cells).line_of(key, namespace)


def answer_in_notebook(key: str, value: Any) -> tuple[StudentLine | None, str]:
    """Return the line that made an answer which is checked in the current cell, and a sentence if the cell of the answer failed.

    Outside of a notebook and of a page of a live site, the line is unknown.
    """
    interactive, page = sys.modules.get("IPython.core.getipython"), sys.modules.get("fstats.publish.browser_python.page_kernel")
    try:
        if interactive and (shell := interactive.get_ipython()):
            cells, namespace = [*map(str, shell.history_manager.input_hist_parsed)], dict(shell.user_ns)
            # after %reset, cells are numbered from 1 again, so ignore an earlier failure with the number of the current cell
            history = cells_history(cells, {place: failure for place, failure in CELL_FAILURES.items() if place < len(cells) - 1})
        elif page:
            namespace = dict(page.page_namespace)
            history = cells_history(page.page_cells, {place: CellFailure(*failure) for place, failure in page.page_failures.items()})
        else:
            return None, ""
        line, failure = history.line_of(key, namespace), history.failure_of(key)
        # ignore the line if its name now refers to another object than the checked one
        return line if line and (not line.definition.name or namespace.get(line.definition.name) is value) else None, failure
    except Exception:  # if the history of the cells cannot be read, the line is unknown
        return None, ""


CELL_FAILURES: dict[int, CellFailure] = {}  # error of each failed cell, by the number of the cell


def record_failure(result: Any) -> None:
    """Record the error of a cell that IPython ran."""
    error = result.error_before_exec or result.error_in_exec
    CELL_FAILURES.pop(result.execution_count, None)  # after %reset, a cell can have the number of an earlier cell
    if error is not None and result.execution_count is not None:
        frames = traceback.walk_tb(error.__traceback__)
        line = next((number for frame, number in frames if frame.f_globals.get("__name__") == "__main__"), 0)
        CELL_FAILURES[result.execution_count] = CellFailure(line, traceback.format_exception_only(error)[-1].strip())
