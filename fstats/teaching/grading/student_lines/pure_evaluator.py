"""Evaluate parts of a student's line without running the student's code: only plain values, and only listed operations.

No attribute of an object of an unknown type is read, nothing is changed, and size and work are limited. Anything else raises
:class:`NotRead`.
"""

from __future__ import annotations

import ast
import math
import operator
import sys
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from itertools import pairwise
from typing import Any

import numpy as np

from .code_history import CodeHistory, Definition
from .evaluation_limits import Budget, NotRead, is_plain, is_series, limit_call, limit_power, limit_repetition, limit_size

MAX_DEPTH = 40
STATS_WORK, SLOW_WORK, ENTRIES_A_UNIT = 80, 4_000, 200  # work of a call of scipy.stats, of the studentized range, of array entries
ERRORS = (ArithmeticError, AttributeError, IndexError, KeyError, LookupError, MemoryError, RecursionError, TypeError, ValueError)
BINARY: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.MatMult: operator.matmul,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
}
UNARY: dict[type, Callable[[Any], Any]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Not: operator.not_,
    ast.Invert: operator.invert,
}
COMPARED: dict[type, Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
BUILTIN_FUNCTIONS = (abs, sum, len, min, max, round, sorted, float, int, bool, list, tuple, zip, enumerate, any, all, pow, range)
BUILTINS: dict[str, Callable[..., Any]] = {one.__name__: one for one in BUILTIN_FUNCTIONS}
# the module, the largest number of positional arguments (one more may be an array to write into), and the names of functions
LISTED = """
numpy 1 sqrt abs absolute fabs square log log2 log10 exp sign floor ceil rint negative isnan logical_not shape float64 transpose ravel flip
numpy 1 vstack hstack array asarray zeros ones flatnonzero
numpy 2 sum mean median std var min max amin amax prod cumsum cumprod argmin argmax any all count_nonzero ptp minimum maximum power
numpy 2 subtract add multiply divide greater less equal not_equal logical_and logical_or sort argsort diff dot round around outer append
numpy 2 concatenate quantile percentile unique array_equal isclose average maximum.accumulate minimum.accumulate stack size full
numpy 3 where clip arange
math 2 sqrt floor ceil log log2 log10 exp fabs fsum prod pow comb factorial isclose dist hypot
statistics 2 mean fmean median stdev pstdev variance pvariance
scipy.stats 2 rankdata sem tmean tstd zscore
scipy.stats.t scipy.stats.norm scipy.stats.chi2 scipy.stats.f scipy.stats.binom scipy.stats.studentized_range scipy.stats.hypergeom
method 0 copy tolist ravel flatten item transpose to_numpy nonzero is_integer
method 1 sum mean std var min max cumsum prod argsort any all ptp argmin argmax median sem rank round dot index count abs
method 2 reshape clip
"""
MODULES = ("numpy", "math", "statistics", "scipy.stats")
SLOW = ("scipy.stats.studentized_range", "scipy.stats.hypergeom")
TAILS, MOST_PARAMETERS = ("cdf", "sf", "ppf", "isf", "pdf", "pmf"), 6
KEYWORDS_LISTED = "axis ddof keepdims df loc scale initial decimals kind method reverse n k p q dfn dfd a x mu xbar ndigits start"
KEYWORDS = frozenset(KEYWORDS_LISTED.split(" "))
CONSTANTS = {"numpy.inf": np.inf, "numpy.newaxis": None, "numpy.nan": np.nan, "math.inf": math.inf, "numpy.pi": np.pi, "math.pi": math.pi}


def _listed(module: str) -> dict[str, int]:
    """Return the listed names of a module with their largest numbers of positional arguments."""
    lines = (line.split(" ") for line in LISTED.strip().splitlines())
    return {name: int(most) for where, most, *names in lines if where == module for name in names}


METHODS = _listed("method")


class KnownQuantity(ast.expr):
    """A known quantity in the place of a part: the name of a step or an input of the test."""

    _fields = ("name",)

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name


@cache
def _functions(module: str) -> dict[str, tuple[Callable[..., Any], int]]:
    """Return the listed functions of a module by their whole names, with the numbers of their positional arguments.

    scipy.stats is imported only for a line that names it.
    """
    where = import_module(module)
    known = {f"{module}.{name}": (operator.attrgetter(name)(where), most) for name, most in _listed(module).items()}
    for law in LISTED.split() if module == "scipy.stats" else ():
        if law.startswith("scipy.stats."):
            functions = ((tail, getattr(getattr(where, law.rpartition(".")[2]), tail, None)) for tail in TAILS)
            known |= {f"{law}.{tail}": (function, MOST_PARAMETERS) for tail, function in functions if function is not None}
    return known


class PureEvaluator:
    """Evaluate trees of expressions in one world: the student's values, or other data of the exercise.

    Parameters
    ----------
    history : CodeHistory
        The definitions of names.
    data : mapping
        What ``task.data`` holds in this world.
    namespace : mapping
        Values of names in the notebook; empty in a world of other data.
    quantities : callable
        Returns the value of a step or an input of the test in this world.
    budget : Budget
        The work that is left.
    """

    def __init__(
        self, history: CodeHistory, data: Mapping[str, Any], namespace: Mapping[str, Any], quantities: Callable[[str], Any], budget: Budget
    ) -> None:
        self.history, self.data, self.namespace, self.quantities, self.budget = history, data, namespace, quantities, budget
        self.aliases: dict[int, Any] = {}  # values of definitions that stand for a known quantity
        self.memo: dict[int, Any] = {}
        self.edited: ast.AST | None = None  # the part that another part replaces, and all parts around it
        self.replacement: ast.expr | None = None
        self.around: frozenset[int] = frozenset()
        self.depth = 0

    def with_edit(self, root: ast.expr, time: int, part: ast.AST, replacement: ast.expr, around: frozenset[int]) -> Any:
        """Return the value of an expression in which another part stands in the place of one part."""
        self.edited, self.replacement, self.around = part, replacement, around
        try:
            return self.value(root, time)
        finally:
            self.edited, self.replacement, self.around = None, None, frozenset()

    def value(self, node: Any, time: int, local: Mapping[str, Any] | None = None) -> Any:
        """Return the value of an expression whose names have the definitions before a time."""
        if node is self.edited and self.replacement is not None:
            other, self.replacement = self.replacement, None  # the part itself may stand inside the other part
            try:
                return self.value(other, time, local)
            finally:
                self.replacement = other
        is_kept = not local and id(node) not in self.around
        if is_kept and id(node) in self.memo:
            return self._or_error(self.memo[id(node)])
        found = self._computed(node, time, local or {})
        is_new = isinstance(node, KnownQuantity) or (self.edited is not None and self.replacement is None)  # a node that lives for one edit
        if is_kept and self.budget.units >= 0 and not is_new:
            self.memo[id(node)] = found
        return self._or_error(found)

    def _computed(self, node: Any, time: int, local: Mapping[str, Any]) -> Any:
        """Return the value of an expression, or the error NotRead."""
        self.depth += 1
        try:
            self.budget.spend(1)
            if self.depth > MAX_DEPTH:
                raise NotRead("too deep")
            found = getattr(self, "_" + type(node).__name__.lower(), self._unknown)(node, time, local)
            if not is_plain(found):
                raise NotRead("no plain value")
            self.budget.spend(found.size // ENTRIES_A_UNIT if type(found) is np.ndarray else 0)
        except ERRORS as error:
            return NotRead(str(error))
        except NotRead as error:
            return error
        finally:
            self.depth -= 1
        return found

    @staticmethod
    def _or_error(found: Any) -> Any:
        if type(found) is NotRead:
            raise found
        return found

    # -- names -------------------------------------------------------------------------------------------------------------
    def _unknown(self, node: ast.AST, *_: Any) -> Any:
        raise NotRead(type(node).__name__)

    def _constant(self, node: ast.Constant, *_: Any) -> Any:
        return node.value

    def _knownquantity(self, node: KnownQuantity, *_: Any) -> Any:
        return self.quantities(node.name)

    def _name(self, node: ast.Name, time: int, local: Mapping[str, Any]) -> Any:
        if node.id in local:
            return local[node.id]
        definition = self.history.find(node.id, time)
        if definition is None:
            raise NotRead(node.id)
        return self.of_definition(definition)

    def of_definition(self, definition: Definition) -> Any:
        """Return the value of a name: a known quantity, the value in the notebook, or what its expression gives."""
        if id(definition) in self.aliases:
            return self.aliases[id(definition)]
        is_latest = self.history.definitions.get(definition.name, [None])[-1] is definition
        tree = definition.tree
        if is_latest and definition.name in self.namespace and not (tree is not None and id(tree) in self.around):
            value = self.namespace[definition.name]
            if is_plain(value):
                return value
        if not isinstance(tree, ast.expr):
            raise NotRead(definition.name)
        return self.value(tree, definition.time)

    def path(self, node: Any, time: int, local: Mapping[str, Any]) -> str:
        """Return the whole name of a function or constant of a module, such as ``numpy.sqrt``; empty for anything else."""
        if isinstance(node, ast.Attribute):
            start = self.path(node.value, time, local)
            return f"{start}.{node.attr}" if start else ""
        if not isinstance(node, ast.Name) or node.id in local:
            return ""
        definition = self.history.find(node.id, time)
        if definition is None or not definition.module:
            return ""
        module = sys.modules.get(definition.module)
        if module is not None and node.id in self.namespace and self.namespace[node.id] is not module:
            raise NotRead(node.id)  # the name holds something else by now
        return definition.module

    def _is_task(self, node: Any, time: int) -> bool:
        """Whether an expression is the exercise: a call of `exercise`, `individual` or `another`."""
        match node:
            case ast.Name(name):
                definition = self.history.find(name, time)
                return definition is not None and isinstance(definition.tree, ast.expr) and self._is_task(definition.tree, definition.time)
            case ast.Call(ast.Name(name) | ast.Attribute(attr=name)):
                return name in ("exercise", "individual", "another")
        return False

    def _attribute(self, node: ast.Attribute, time: int, local: Mapping[str, Any]) -> Any:
        if node.attr == "data" and self._is_task(node.value, time):
            return dict(self.data)
        if path := self.path(node, time, local):
            if path not in CONSTANTS:
                raise NotRead(path)
            return CONSTANTS[path]
        value = self.value(node.value, time, local)
        if node.attr in ("T", "shape", "size", "ndim", "values") and (type(value) is np.ndarray or is_series(type(value))):
            return getattr(value, node.attr)
        raise NotRead(node.attr)

    # -- operations --------------------------------------------------------------------------------------------------------
    def _all(self, nodes: Any, time: int, local: Mapping[str, Any]) -> list[Any]:
        values: list[Any] = []
        for node in nodes:
            if isinstance(node, ast.Starred):
                values += [*self.value(node.value, time, local)]
            else:
                values.append(self.value(node, time, local))
        return values

    def _list(self, node: ast.List, time: int, local: Mapping[str, Any]) -> Any:
        return self._all(node.elts, time, local)

    def _tuple(self, node: ast.Tuple, time: int, local: Mapping[str, Any]) -> Any:
        return tuple(self._all(node.elts, time, local))

    def _binop(self, node: ast.BinOp, time: int, local: Mapping[str, Any]) -> Any:
        left, right = self._all((node.left, node.right), time, local)
        if isinstance(node.op, ast.Pow):
            limit_power(left, right)
        elif isinstance(node.op, ast.MatMult):
            limit_size((np.size(left),), (np.size(right), 1))
        elif {type(left), type(right)} & {list, tuple, str} and type(left) is not np.ndarray is not type(right):
            if not isinstance(node.op, ast.Add):
                limit_repetition(left, right)
        else:
            limit_size(np.shape(left), np.shape(right))
        return BINARY[type(node.op)](left, right)

    def _unaryop(self, node: ast.UnaryOp, time: int, local: Mapping[str, Any]) -> Any:
        return UNARY[type(node.op)](self.value(node.operand, time, local))

    def _boolop(self, node: ast.BoolOp, time: int, local: Mapping[str, Any]) -> Any:
        values = self._all(node.values, time, local)
        return all(values) if isinstance(node.op, ast.And) else any(values)

    def _compare(self, node: ast.Compare, time: int, local: Mapping[str, Any]) -> Any:
        values = self._all((node.left, *node.comparators), time, local)
        limit_size(*map(np.shape, values))
        found = [COMPARED[type(sign)](*pair) for sign, pair in zip(node.ops, pairwise(values), strict=True)]
        return found[0] if len(found) == 1 else all(found)

    def _ifexp(self, node: ast.IfExp, time: int, local: Mapping[str, Any]) -> Any:
        return self.value(node.body if self.value(node.test, time, local) else node.orelse, time, local)

    def _subscript(self, node: ast.Subscript, time: int, local: Mapping[str, Any]) -> Any:
        value, index = self.value(node.value, time, local), self._index(node.slice, time, local)
        return value[index]

    def _index(self, node: Any, time: int, local: Mapping[str, Any]) -> Any:
        if isinstance(node, ast.Tuple):
            return tuple(self._index(one, time, local) for one in node.elts)
        if isinstance(node, ast.Slice):
            ends = (node.lower, node.upper, node.step)
            return slice(*(None if end is None else self.value(end, time, local) for end in ends))
        return self.value(node, time, local)

    def _listcomp(self, node: Any, time: int, local: Mapping[str, Any]) -> Any:
        return [*self._generated(node.elt, node.generators, time, dict(local))]

    _generatorexp = _listcomp

    def _generated(self, element: Any, loops: Any, time: int, local: dict[str, Any]) -> Any:
        if not loops:
            yield self.value(element, time, local)
            return
        for entry in self.value(loops[0].iter, time, local):
            inner = dict(local)
            _bind(loops[0].target, entry, inner)
            if all(self.value(test, time, inner) for test in loops[0].ifs):
                yield from self._generated(element, loops[1:], time, inner)

    # -- calls -------------------------------------------------------------------------------------------------------------
    def _call(self, node: ast.Call, time: int, local: Mapping[str, Any]) -> Any:
        if any(keyword.arg not in KEYWORDS for keyword in node.keywords):
            raise NotRead("an argument by name")
        function, most = self._function(node.func, time, local)
        if function is None:
            return self._method(node, time, local)
        frozen, since = self._frozen(node.func, time, local)
        values = [*self._all(node.args, time, local), *self._all(frozen.args if frozen else [], since, local)]
        named = {str(keyword.arg): self.value(keyword.value, time, local) for keyword in node.keywords}
        if isinstance(function, ast.FunctionDef | ast.Lambda):
            return self._students_function(function, str(getattr(node.func, "id", "")), values, named)
        if len(values) > most:
            raise NotRead("too many arguments")
        limit_call(getattr(function, "__name__", ""), values)
        self.budget.spend(sum(one.size for one in values if type(one) is np.ndarray) // 20)
        with np.errstate(all="ignore"):
            found = function(*values, **named)
        return [*found] if function in (zip, enumerate) else found

    def _function(self, node: Any, time: int, local: Mapping[str, Any]) -> tuple[Any, int]:
        """Return a listed function with the number of its positional arguments, or a student's function; None for a method."""
        if isinstance(node, ast.Name) and node.id not in local:
            definition = self.history.find(node.id, time)
            if definition is None and node.id in BUILTINS and node.id not in self.namespace:
                return BUILTINS[node.id], 3
            if definition is not None and isinstance(definition.tree, ast.FunctionDef | ast.Lambda):
                return definition.tree, 9
        frozen, since = self._frozen(node, time, local)
        path = f"{self.path(frozen.func, since, local)}.{node.attr}" if frozen else self.path(node, time, local)
        module = next((one for one in MODULES if path.startswith(f"{one}.")), "")
        if module == "scipy.stats":
            self.budget.spend(SLOW_WORK if path.startswith(SLOW) else STATS_WORK)
        known = _functions(module).get(path) if module else None
        if known is None and (path or isinstance(node, ast.Name)):
            raise NotRead(path)
        return known or (None, 0)

    def _method(self, node: ast.Call, time: int, local: Mapping[str, Any]) -> Any:
        if not isinstance(node.func, ast.Attribute) or node.func.attr not in METHODS:
            raise NotRead("a method")
        value = self.value(node.func.value, time, local)
        values = self._all(node.args, time, local)
        if len(values) > METHODS[node.func.attr] or type(value) is dict:
            raise NotRead("too many arguments")
        named = {str(keyword.arg): self.value(keyword.value, time, local) for keyword in node.keywords}
        self.budget.spend(50 if is_series(type(value)) else 3)
        with np.errstate(all="ignore"):
            return getattr(value, node.func.attr)(*values, **named)

    def _frozen(self, node: Any, time: int, local: Mapping[str, Any]) -> tuple[ast.Call | None, int]:
        """Return the call that made the distribution of ``stats.t(5).sf``, or of ``T.sf`` after ``T = stats.t(5)``, and its time."""
        call, since = getattr(node, "value", None), time
        if isinstance(call, ast.Name) and (definition := self.history.find(call.id, time)):
            call, since = definition.tree, definition.time
        is_law = isinstance(call, ast.Call) and not call.keywords and self.path(call.func, since, local) in LISTED.split()
        return (call, since) if is_law and isinstance(call, ast.Call) else (None, time)

    def _students_function(self, function: Any, name: str, values: list[Any], named: dict[str, Any]) -> Any:
        """Return what a function gives that only assigns and returns."""
        names = [one.arg for one in function.args.args]
        if len(values) + len(named) != len(names) or getattr(function, "decorator_list", []):
            raise NotRead("arguments of a function")
        definition = self.history.find(name, self.history.time + 1)
        time = definition.time if definition else 0
        local: dict[str, Any] = dict(zip(names, values, strict=False)) | named | {"": None}  # never empty: nothing inside is kept
        if isinstance(function, ast.Lambda):
            return self.value(function.body, time, local)
        for statement in function.body:
            match statement:
                case ast.Assign([target], value):
                    _bind(target, self.value(value, time, local), local)
                case ast.Return(ast.expr() as value):
                    return self.value(value, time, local)
                case ast.Expr(ast.Constant()):
                    continue
                case _:
                    raise NotRead("a statement in a function")
        raise NotRead("a function without a result")


def _bind(target: Any, value: Any, local: dict[str, Any]) -> None:
    if isinstance(target, ast.Name):
        local[target.id] = value
    elif isinstance(target, ast.Tuple):
        entries = [*value]
        for one, entry in zip(target.elts, entries, strict=True):
            _bind(one, entry, local)
    else:
        raise NotRead("a target")
