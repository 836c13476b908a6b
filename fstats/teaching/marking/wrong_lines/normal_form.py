"""Normal form of a line of code.

The normal form does not depend on names, spelling and order of parts.

Parts with the value of a step or an input get its name.  Other names of the student are replaced by their own lines, and the names of
loops by x1, x2, ...  A line with texts, or with names whose lines are not read, has no normal form: different slips would get the same
one.  So a normal form holds no word of a student.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from ...grading.student_lines.code_history import BlockValue, Definition
from ...grading.student_lines.evaluation_limits import NotRead, is_series
from ...grading.student_lines.line_edits import COMPARISON, SIGN, Edit
from ...grading.student_lines.line_reading import LineReader
from ...grading.student_lines.pure_functions import BUILTINS, KEYWORDS, METHODS, MODULES
from .normal_order import call, is_arithmetic, is_index, is_range, operation, place_in_form

MAX_LENGTH, MAX_NODES, MAX_DEPTH = 160, 150, 25
NAMING_WORK = 30_000  # maximum units of work to find names for the parts of a line
LIBRARIES = {*(one.partition(".")[0] for one in MODULES), "pandas", "itertools"}
# functions and methods that do not change numbers
DROPPED = {"array", "asarray", "list", "tuple", "float", "float64", "tolist", "to_numpy", "copy", "item", "values"}
SYNONYMS = {"absolute": "abs", "fabs": "abs", "fsum": "sum", "fmean": "mean", "average": "mean", "amin": "min", "amax": "max"}
SPREADS = {"stdev": ("std", 1), "pstdev": ("std", 0), "variance": ("var", 1), "pvariance": ("var", 0)}
OPERATORS = {"subtract": ast.Sub, "add": ast.Add, "multiply": ast.Mult, "divide": ast.Div, "power": ast.Pow, "pow": ast.Pow}
TURNED: Mapping[type, type[ast.cmpop]] = {ast.Gt: ast.Lt, ast.GtE: ast.LtE}


class NormalForm(NamedTuple):
    """Normal form of a line, and the place of its wrong part (of length 0 if no part is known to be wrong)."""

    text: str
    start: int = 0
    stop: int = 0
    tree: ast.expr | None = None
    names: frozenset[str] = frozenset()  # names of steps and inputs in the line


def normal_form(reader: LineReader, edit: Edit | None) -> NormalForm | None:
    """Return the normal form of the line of a reader that has read its line; None if the line has none.

    `edit` is the change of the wrong part.
    """
    reader.budget.units, reader.budget.end = NAMING_WORK, float("inf")
    if not reader.worlds:
        with suppress(NotRead):
            reader.read_parts()
    writer = _NormalFormWriter(reader)
    try:
        tree = writer.write(reader.definition.tree, reader.definition, {})
        text = ast.unparse(ast.fix_missing_locations(ast.Expression(tree)))
        parsed = ast.parse(text, mode="eval").body
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return None
    if len(text) > MAX_LENGTH:
        return None
    wrong = writer.written.get(id(edit.marked or edit.part)) if edit else None
    start, stop = place_in_form(tree, wrong, parsed, text * (edit is not None and edit.words in (SIGN, COMPARISON)))
    return NormalForm(text, start, stop, tree, frozenset(writer.quantities))


class _NormalFormWriter:
    """Writer of the normal form of a line; `bound` maps the names of loop variables to their replacements."""

    def __init__(self, reader: LineReader) -> None:
        self.reader = reader
        self.written: dict[int, ast.expr] = {}  # normal form of each part of the line, by id of the part
        self.sizes: dict[int, int] = {}
        self.quantities: set[str] = set()
        self.count = self.depth = self.loops = 0

    def write(self, node: Any, definition: Definition, bound: Mapping[str, ast.expr]) -> ast.expr:
        """Return the normal form of an expression in the line of a definition."""
        before, self.count, self.depth = self.count, self.count + 1, self.depth + 1
        if self.count > MAX_NODES or self.depth > MAX_DEPTH:
            raise ValueError("the line is too long")
        # a line that contains a calculation keeps its form, even if its value equals the value of another step
        is_computed = node is self.reader.root and any(isinstance(part, ast.BinOp) for part in ast.walk(node))
        name = "" if bound or is_computed else self._quantity(node, definition)
        self.quantities |= {name} - {""}
        written = ast.Name(name) if name else getattr(self, f"_{type(node).__name__.lower()}", self._other)(node, definition, bound)
        self.written[id(node)], self.sizes[id(written)] = written, self.count - before
        self.depth -= 1
        return written

    def _quantity(self, node: ast.expr, definition: Definition) -> str:
        """Return the earlier answer, step or input that has the value of a part; empty if there is none, or several."""
        answer = self.reader.history.find(node.id, definition.time) if isinstance(node, ast.Name) else None
        with suppress(NotRead):
            return self.reader.steps_of_names.get(id(answer), "") or self.reader.quantity_of(node, definition)
        return ""

    def _all(self, nodes: Sequence[Any], *where: Any) -> list[ast.expr]:
        return [self.write(node, *where) for node in nodes]

    # -- names and numbers -----------------------------------------------------------------------------------------------------
    def _name(self, node: ast.Name, definition: Definition, bound: Mapping[str, ast.expr]) -> ast.expr:
        if node.id in bound:
            self.count += self.sizes.get(id(bound[node.id]), 1)
            return bound[node.id]
        known = self.reader.history.find(node.id, definition.time)
        if bound and (name := self._quantity(node, definition)):
            self.quantities.add(name)
            return ast.Name(name)
        match known and known.tree:
            case ast.Subscript(ast.Attribute(attr="data"), ast.Constant(str(name))) if name in type(self.reader.context.test).inputs:
                self.quantities.add(name)
                return ast.Name(name)
        if known is None or known.is_data or not isinstance(known.tree, ast.expr):
            return self._other(node)
        return self.write(known.tree, known, {})

    def _constant(self, node: ast.Constant, *_: Any) -> ast.expr:
        value = node.value
        if not isinstance(value, bool | int | float | None):
            return self._other(node)
        return ast.Constant(int(value)) if isinstance(value, float) and value.is_integer() and abs(value) < 1e9 else ast.Constant(value)

    # -- operations --------------------------------------------------------------------------------------------------------------
    def _binop(self, node: ast.BinOp, *where: Any) -> ast.expr:
        return operation(self.write(node.left, *where), node.op, self.write(node.right, *where))

    def _unaryop(self, node: ast.UnaryOp, *where: Any) -> ast.expr:
        operand = self.write(node.operand, *where)
        return operand if isinstance(node.op, ast.UAdd) else ast.UnaryOp(node.op, operand)

    def _boolop(self, node: ast.BoolOp, *where: Any) -> ast.expr:
        return ast.BoolOp(node.op, sorted(self._all(node.values, *where), key=ast.unparse))

    def _compare(self, node: ast.Compare, *where: Any) -> ast.expr:
        left, *rest = self._all([node.left, *node.comparators], *where)
        if len(rest) == 1 and (turned := TURNED.get(type(node.ops[0]))):
            return ast.Compare(rest[0], [turned()], [left])
        return ast.Compare(left, node.ops, rest)

    def _ifexp(self, node: ast.IfExp, *where: Any) -> ast.expr:
        return ast.IfExp(*self._all([node.test, node.body, node.orelse], *where))

    def _subscript(self, node: ast.Subscript, definition: Definition, bound: Mapping[str, ast.expr]) -> ast.expr:
        if isinstance(node.slice, ast.Name) and isinstance(bound.get(node.slice.id), ast.Starred):
            return self.write(node.value, definition, {name: one for name, one in bound.items() if name != node.slice.id})
        return ast.Subscript(self.write(node.value, definition, bound), self.write(node.slice, definition, bound))

    def _slice(self, node: ast.Slice, *where: Any) -> Any:
        return ast.Slice(*(end and self.write(end, *where) for end in (node.lower, node.upper, node.step)))

    def _tuple(self, node: ast.Tuple | ast.List, *where: Any) -> ast.expr:
        return type(node)(self._all(node.elts, *where))

    _list = _tuple

    def _listcomp(self, node: ast.ListComp | ast.GeneratorExp, definition: Definition, bound: Mapping[str, ast.expr]) -> ast.expr:
        """Write a comprehension of arithmetic as arithmetic of columns: ``[x - m for x in d]`` is ``d - m``."""
        loop = node.generators[0]
        is_column = len(node.generators) == 1 and not loop.ifs and is_arithmetic(node.elt, loop.target)
        match loop.target, loop.iter:
            case ast.Name(name), ast.Call(ast.Name("range"), [_]) if is_column and is_index(name, node.elt):
                values: dict[str, ast.expr] = {name: ast.Starred(ast.Name(name))}  # the name occurs only as an index of columns
            case ast.Name(name), column if is_column and not is_range(column):
                values = {name: self.write(column, definition, bound)}
            case ast.Tuple(targets), ast.Call(ast.Name("zip"), columns) if is_column and len(targets) == len(columns):
                values = {ast.unparse(one): self.write(column, definition, bound) for one, column in zip(targets, columns)}
            case _:
                return self._loops(node, definition, dict(bound))
        return self.write(node.elt, definition, {**bound, **values})

    def _loops(self, node: ast.ListComp | ast.GeneratorExp, definition: Definition, bound: dict[str, ast.expr]) -> ast.expr:
        """Write a comprehension with numbered names."""
        loops = []
        for loop in node.generators:
            column = self.write(loop.iter, definition, bound)
            for name in (one.id for one in ast.walk(loop.target) if isinstance(one, ast.Name)):
                self.loops += 1
                bound[name] = ast.Name(f"x{self.loops}")
            target = self.write(loop.target, definition, bound)
            loops.append(ast.comprehension(target, column, self._all(loop.ifs, definition, bound), 0))
        return ast.ListComp(self.write(node.elt, definition, bound), loops)

    _generatorexp = _listcomp

    # -- calls ---------------------------------------------------------------------------------------------------------------------
    def _call(self, node: ast.Call, *where: Any) -> ast.expr:
        known = self.reader.history.find(node.func.id, where[0].time) if isinstance(node.func, ast.Name) else None
        if known and isinstance(known.tree, ast.FunctionDef | ast.Lambda):
            return self._inlined(known.tree, node, *where)
        name, values, parameters = self._function(node.func, *where)
        arguments = [one.value if isinstance(one, ast.Starred) else one for one in node.args]
        values = [*values, *self._all(arguments, *where), *parameters]
        named = {one.arg if one.arg in KEYWORDS else self._other(one): self.write(one.value, *where) for one in node.keywords}
        named = self._defaults(node, where[0]) | named
        if name in DROPPED and len(values) == 1:
            return values[0]
        if name == "square" and len(values) == 1:
            return operation(values[0], ast.Pow(), ast.Constant(2))
        if name in OPERATORS and len(values) == 2:
            return operation(values[0], OPERATORS[name](), values[1])
        if name in SPREADS:
            name, ddof = SPREADS[name]
            named, values = {"ddof": ast.Constant(ddof)}, values[:1]
        if "ddof" in named and ast.unparse(named["ddof"]) == "0":
            del named["ddof"]
        if "." in name and [*named] == ["df"]:  # for example stats.t.sf(x, df=5)
            values.append(named.pop("df"))
        called = call(name, values, [ast.keyword(key, named[key]) for key in sorted(named, key=str)])
        self.written[id(node.func)] = called.func  # the marked wrong part may be the name of the function
        return called

    def _defaults(self, node: ast.Call, definition: Definition) -> dict[str | None, ast.expr]:
        """Return the arguments that are defaults of Python or pandas, but not of NumPy."""
        match node.func:
            case ast.Name("sum") if node.args and np.ndim(self._value(node.args[0], definition)) > 1:
                return {"axis": ast.Constant(0)}
            case ast.Attribute(value, "std" | "var" | "sem") if is_series(type(self._value(value, definition))):
                return {"ddof": ast.Constant(1)}
        return {}

    def _value(self, node: ast.expr, definition: Definition) -> Any:
        with suppress(NotRead):
            return self.reader.part_value(self.reader.home, node, definition)
        return None

    def _inlined(self, own: ast.FunctionDef | ast.Lambda, node: ast.Call, *where: Any) -> ast.expr:
        """Write the call of a student's function that only returns an expression."""
        body = own.body if isinstance(own, ast.Lambda) else own.body[-1].value if isinstance(own.body[-1], ast.Return) else None
        is_short = isinstance(own, ast.Lambda) or len(own.body) == 1
        if body is None or not is_short or node.keywords or len(node.args) != len(own.args.args):
            return self._other(node)
        values = dict(zip((one.arg for one in own.args.args), self._all(node.args, *where)))
        # a non-empty `bound` marks names inside a function, which are not names of the line
        return self.write(body, where[0], {**values, "": ast.Name("")})

    def _function(self, node: Any, definition: Definition, bound: Mapping[str, ast.expr]) -> tuple[str, list[ast.expr], list[ast.expr]]:
        """Return the name of a function without its module, the object of a method, and the parameters of a distribution."""
        match node:
            case ast.Name(name) if name in BUILTINS and self.reader.history.find(name, definition.time) is None:
                return SYNONYMS.get(name, name), [], []
            case ast.Name() | ast.Attribute() if path := self._path(node, definition):
                return _plain_name(path), [], []
            case ast.Attribute(value, name):
                law = self._path(value.func, definition) if isinstance(value, ast.Call) else ""
                if isinstance(value, ast.Call) and law.startswith("scipy.stats."):  # for example stats.t(5).sf(x)
                    return f"{law.removeprefix('scipy.stats.')}.{name}", [], self._all(value.args, definition, bound)
                if hasattr(np.ndarray, name) or name in METHODS:
                    return _plain_name(name), [self.write(value, definition, bound)], []
        return self._other(node)

    def _path(self, node: Any, definition: Definition) -> str:
        """Return the whole name of a function in a library; empty for anything else."""
        with suppress(NotRead):
            path = self.reader.home.path(node, definition.time, {})
            return path if path.partition(".")[0] in LIBRARIES else ""
        return ""

    def _attribute(self, node: ast.Attribute, *where: Any) -> ast.expr:
        if path := self._path(node, where[0]):
            return ast.Name(_plain_name(path))
        value = self.write(node.value, *where)
        if node.attr in DROPPED:
            return value
        return ast.Attribute(value, node.attr) if node.attr in ("T", "shape", "size") else self._other(node)

    def _blockvalue(self, node: BlockValue, definition: Definition, bound: Mapping[str, ast.expr]) -> ast.expr:
        """Write a loop as a comprehension if it only fills an empty list, or only adds to 0."""
        start = self.reader.history.find(node.name, definition.time)
        match start and start.tree, node.statement:
            case ast.List([]), ast.For(target, column, [ast.Expr(ast.Call(ast.Attribute(ast.Name(name), "append"), [value]))], []):
                is_sum = False
            case ast.Constant(0), ast.For(target, column, [ast.AugAssign(ast.Name(name), ast.Add(), value)], []):
                is_sum = True
            case _:
                return self._other(node)
        if name != node.name:
            return self._other(node)
        values = self._listcomp(ast.ListComp(value, [ast.comprehension(target, column, [], 0)]), definition, bound)
        return call("sum", [values]) if is_sum else values

    def _other(self, node: Any, *_: Any) -> Any:
        raise ValueError(f"the line has a part without a normal form: {type(node).__name__}")


def _plain_name(path: str) -> str:
    """Return the name of a function without its library, but with the name of its distribution."""
    parts = path.split(".")
    name = SYNONYMS.get(parts[-1], parts[-1])
    return ".".join([*parts[2:-1], name]) if path.startswith("scipy.stats.") else name
