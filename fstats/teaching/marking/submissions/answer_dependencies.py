"""What an answer is worked out of, as the source of a notebook says: read from top to bottom, and never run."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from textwrap import dedent

from .submission_cells import RunCell

DATA = "data"  # what comes from the task, or from the library


def answer_dependencies(cells: Iterable[RunCell]) -> dict[str, frozenset[str]]:
    """Of each answer: the data, and the keys of the answers, that the last source that gives it reads.

    Nothing stands there for an answer that was typed, wherever its numbers come from.
    """
    pieces = [*cells]
    reading = _DataFlow({piece.source: piece.key for piece in pieces if piece.key})
    found: dict[str, frozenset[str]] = {}
    late = []
    for piece in pieces:
        if piece.key:
            late.append(piece)
            found[piece.key] = reading.check(piece)
        else:
            for statement in _statements(piece.source):
                reading.run(statement)
    for piece in late:  # an answer may stand below its check
        found[piece.key] = found[piece.key] or reading.check(piece)
    return found


def _statements(source: str) -> list[ast.stmt]:
    """The statements of a cell; where it has lines that are not Python, those of the lines that are."""
    lines = [*map(_without_magic, source.splitlines())]
    for part in ["\n".join(lines)], [*map(dedent, lines)]:
        found = [*map(_parsed, part)]
        if any(one is not None for one in found):
            return [statement for one in found for statement in one or ()]
    return []


def _parsed(source: str) -> list[ast.stmt] | None:
    try:
        return ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _without_magic(line: str) -> str:
    """A line without the name and the options of a magic: what stands behind them is run, as by %time."""
    left, sign, right = line.rpartition("=") if "=" in line.partition("%")[0] else ("", "", line)
    if not right.lstrip().startswith("%"):
        return line
    words = right.split()[1:]
    while words and (words[0].startswith("-") or words[0].isdigit()):
        words.pop(0)
    indent = "" if sign else line[: len(line) - len(line.lstrip())]
    return f"{left}{sign} " * bool(sign) + indent + (" ".join(words) or "pass")


class _DataFlow:
    """What each name is worked out of, so far."""

    def __init__(self, answers: dict[str, str]) -> None:
        self.answers = answers  # the key of the answer that stands in a name
        self.of: dict[str, frozenset[str]] = {"task": frozenset({DATA})}
        self.before: list[tuple[str, frozenset[str] | None]] = []  # each change of a name with what it stood for
        self.modules: set[str] = set()
        self.handed: dict[str, frozenset[str]] = {}  # what the student's own checks hand in

    def check(self, piece: RunCell) -> frozenset[str]:
        """What an answer is worked out of."""
        said = self.reads(ast.parse(piece.source, mode="eval"))
        return (said - {piece.key}) or self.handed.get(piece.key, said) - {piece.key}

    def reads(self, node: ast.AST | None) -> frozenset[str]:
        """What the names in an expression are worked out of."""
        names = (one.id for one in ast.walk(node) if isinstance(one, ast.Name)) if node else ()
        return frozenset().union(*(self.of.get(name, frozenset()) for name in names))

    def run(self, statement: ast.stmt, more: frozenset[str] = frozenset()) -> None:
        """Follow a statement; `more` is what decides whether it is run, and how often."""
        for node in ast.walk(statement):
            if isinstance(node, ast.NamedExpr):
                self.give(node.target, self.reads(node.value) | more)
            elif isinstance(node, ast.Call):
                self.call(node)
        match statement:
            case ast.Assign(targets, value):
                for target in targets:
                    self.pair(target, value, more)
            case ast.AnnAssign(target, _, value) if value:
                self.give(target, self.reads(value) | more)
            case ast.AugAssign(target, _, value):
                self.give(target, self.reads(value) | self.reads(target) | more)
            case ast.Import(names):
                for name in names:
                    self.modules.add(known := (name.asname or name.name).partition(".")[0])
                    self.set(known, _is_module_name(name.name))
            case ast.ImportFrom(module, names):
                for name in names:
                    self.modules.add(name.asname or name.name)
                    self.set(name.asname or name.name, _is_module_name(module or ""))
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                self.set(statement.name, self.reads(statement))
            case _:
                self.block(statement, more)

    def block(self, statement: ast.stmt, more: frozenset[str]) -> None:
        """Follow what stands within a loop, a condition, a try or a with."""
        heads = [getattr(statement, name, None) for name in ("test", "iter", "subject")]
        more = more.union(*(self.reads(head) for head in heads if head is not None))
        if isinstance(statement, ast.For):
            self.give(statement.target, more)
        for item in getattr(statement, "items", ()):
            if item.optional_vars is not None:
                self.give(item.optional_vars, self.reads(item.context_expr) | more)
        if isinstance(statement, ast.Expr):
            return
        parts = [getattr(statement, name, []) for name in ("body", "orelse", "finalbody")]
        parts += [part.body for name in ("handlers", "cases") for part in getattr(statement, name, ())]
        may_be: dict[str, frozenset[str]] = {}  # each part may be run or not: of the names that change, all that they may stand for
        for part in filter(None, parts):
            start = len(self.before)
            for one in part:
                self.run(one, more)
            for name, was in self.before[start:]:
                may_be[name] = may_be.get(name, was or frozenset()) | self.of[name]
        for name, said in may_be.items():
            self.set(name, said)

    def pair(self, target: ast.expr, value: ast.expr, more: frozenset[str]) -> None:
        """Follow an assignment, name by name where there are several."""
        if isinstance(target, (ast.Tuple, ast.List)) and isinstance(value, (ast.Tuple, ast.List)) and len(target.elts) == len(value.elts):
            said = [self.reads(one) | more for one in value.elts]
            for one, known in zip(target.elts, said, strict=True):
                self.give(one, known)
        else:
            self.give(target, self.reads(value) | more)

    def set(self, name: str, said: frozenset[str]) -> None:
        """Let a name stand for something."""
        self.before.append((name, self.of.get(name)))
        self.of[name] = said

    def give(self, target: ast.AST, said: frozenset[str]) -> None:
        """Give names what they are worked out of; of a place in a list, the list."""
        if isinstance(target, ast.Name):
            self.set(target.id, said | ({self.answers[target.id]} if target.id in self.answers else frozenset()))
        elif isinstance(target, (ast.Tuple, ast.List)):
            for one in target.elts:
                self.give(one, said)
        elif isinstance(target, ast.Starred):
            self.give(target.value, said)
        else:
            for node in ast.walk(target):
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                    self.set(node.id, self.of.get(node.id, frozenset()) | said)

    def call(self, node: ast.Call) -> None:
        """Follow a call: a check hands in its second argument; a method may put its arguments into its object."""
        name = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id if isinstance(node.func, ast.Name) else ""
        said = frozenset().union(*map(self.reads, node.args), *(self.reads(one.value) for one in node.keywords))
        if name == "check" and len(node.args) == 2 and isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value, str):
            key = node.args[0].value
            self.handed[key] = said
            if isinstance(node.args[1], ast.Name):
                self.set(node.args[1].id, said | {key})
        elif isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name) and node.func.value.id not in self.modules:
            self.set(node.func.value.id, self.of.get(node.func.value.id, frozenset()) | said)


def _is_module_name(name: str) -> frozenset[str]:
    return frozenset({DATA}) if name.partition(".")[0] == "fstats" else frozenset()
