"""Safe evaluation of expressions in students' code.

The code is not run: only plain values and listed operations are evaluated.

No attribute of an object of an unknown type is read, nothing is changed, and size and work are limited. Anything else raises
:class:`NotRead`.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

from . import evaluation_limits as limits
from .code_history import BlockValue, CodeHistory, Definition
from .distribution_values import SLOW, quick_value, slow_value
from .evaluation_limits import Budget, NotRead, checked_plain, is_plain
from .pure_functions import BINARY, BUILTINS, COMPARED, CONSTANTS, KEYWORDS, LISTED, METHODS, MODULES, READY_MADE, UNARY, listed_functions
from .pure_statements import ERRORS, MARK, StatementEvaluator, own_copy, plain_key

MAX_DEPTH = 40
NUMBERS = limits.SCALARS | limits.NUMPY_SCALARS  # types without a shape
# units of work for a call of scipy.stats: fast, usual, complete test, slow; number of array entries per unit of work
QUICK_WORK, STATS_WORK, TEST_WORK, SLOW_WORK, ENTRIES_A_UNIT = 4, 80, 300, 2_000, 200


class KnownQuantity(ast.expr):
    """A known quantity in the place of a part: the name of a step or an input of the test."""

    _fields = ("name",)

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name


class PureEvaluator(StatementEvaluator):
    """Evaluate trees of expressions in one world (set of values): the student's values, or other data of the exercise.

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
        self.aliases: dict[int, Any] = {}  # value of the known quantity for each definition, by its id
        self.memo: dict[int, Any] = {}
        self.typed: dict[int, Any] = {}  # value that replaces each typed number on another data set, by id of the number
        # `replaced`: replacement of each part, by id of the part; `around`: ids of all parts that contain a replaced part
        self.replaced: dict[int, ast.expr] = {}
        self.around: frozenset[int] = frozenset()
        self.inside = 0  # number of replacements around the current node
        self.depth = 0

    def with_edits(self, root: ast.expr, time: int, replaced: Mapping[int, ast.expr], around: frozenset[int]) -> Any:
        """Return the value of an expression in which some parts are replaced by other parts."""
        self.replaced, self.around = dict(replaced), around
        try:
            return self.value(root, time)
        finally:
            self.replaced, self.around = {}, frozenset()

    def value(self, node: Any, time: int, local: Mapping[str, Any] | None = None) -> Any:
        """Return the value of an expression whose names have the definitions before a time."""
        if id(node) in self.replaced:
            replacement = self.replaced.pop(id(node))  # switch off the replacement, because it may contain the replaced part
            self.inside += 1
            try:
                return self.value(replacement, time, local)
            finally:
                self.replaced[id(node)] = replacement
                self.inside -= 1
        is_kept = not local and id(node) not in self.around
        if is_kept and id(node) in self.memo:
            return self._or_error(self.memo[id(node)])
        try:
            found = self._computed(node, time, local or {})
        except NotRead as error:
            found = error
        is_new = isinstance(node, KnownQuantity) or self.inside > 0  # a node that exists only during one change is not cached
        if is_kept and type(found) is not limits.TooMuchWork and not is_new:
            self.memo[id(node)] = found
        return self._or_error(found)

    def _computed(self, node: Any, time: int, local: Mapping[str, Any]) -> Any:
        """Return the value of an expression; raise NotRead, with an error of the expression as its cause, if it cannot be evaluated."""
        self.depth += 1
        try:
            self.budget.spend(1)
            if self.depth > MAX_DEPTH:
                raise NotRead("the expression has too many nested levels")
            found = getattr(self, _method_of(type(node).__name__), self._unknown)(node, time, local)
        except ERRORS as error:
            raise NotRead(str(error)) from error
        finally:
            self.depth -= 1
        if type(found) is not float:
            checked_plain(found)
        if type(found) is np.ndarray:
            self.budget.spend(found.size // ENTRIES_A_UNIT)
        return found

    def known_value(self, node: Any, time: int) -> Any:
        """Return the value of an expression; None if it cannot be evaluated."""
        with suppress(NotRead):
            return self.value(node, time)
        return None

    @staticmethod
    def _or_error(found: Any) -> Any:
        if isinstance(found, NotRead):
            raise found
        return found

    # -- names -------------------------------------------------------------------------------------------------------------
    def _unknown(self, node: ast.AST, *_: Any) -> Any:
        raise NotRead(f"the expression {type(node).__name__} is not supported")

    def _constant(self, node: ast.Constant, *_: Any) -> Any:
        return self.typed.get(id(node), node.value)

    def _blockvalue(self, node: BlockValue, time: int, local: Mapping[str, Any]) -> Any:
        return self.after_block(self.blocks.get(id(node.statement), [node.statement]), node.name, time, local)

    def _knownquantity(self, node: KnownQuantity, _: int, local: Mapping[str, Any]) -> Any:
        return self._shared(self.quantities(node.name), local)

    def _shared(self, value: Any, local: Mapping[str, Any]) -> Any:
        """Return the value of a global name; inside of statements, return a copy, because the statements may change it."""
        if MARK not in local or not isinstance(value, list | tuple | dict | np.ndarray):
            return value
        self.budget.spend(np.size(value) // ENTRIES_A_UNIT if isinstance(value, np.ndarray) else len(value) // 20)
        return own_copy(value)

    def _name(self, node: ast.Name, time: int, local: Mapping[str, Any]) -> Any:
        if node.id in local:
            return local[node.id]
        definition = self.history.find(node.id, time)
        if definition is None:
            raise NotRead(f"the value of {node.id} is not known")
        value = self.of_definition(definition)
        if MARK not in local or not isinstance(value, list | tuple | dict | np.ndarray):
            return value
        local[node.id] = self._shared(value, local)  # type: ignore[index]  # a block keeps its copy
        return local[node.id]

    def of_definition(self, definition: Definition) -> Any:
        """Return the value of a name: a known quantity, the value in the notebook, or the value of its expression."""
        if id(definition) in self.aliases:
            return self.aliases[id(definition)]
        is_latest = self.history.definitions.get(definition.name, [None])[-1] is definition
        tree = definition.tree
        if is_latest and definition.name in self.namespace and not (tree is not None and id(tree) in self.around):
            value = self.namespace[definition.name]
            if is_plain(value):
                return value
        if not isinstance(tree, ast.expr):
            raise NotRead(f"the value of {definition.name} is not known")
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
            raise NotRead(f"the value of {node.id} is not known")  # the student has assigned another object to the name of the module
        return definition.module

    def _is_task(self, node: Any, time: int) -> bool:
        """Return whether an expression is the task: a call of `exercise`, `individual` or `another`."""
        match node:
            case ast.Name(name):
                definition = self.history.find(name, time)
                return definition is not None and isinstance(definition.tree, ast.expr) and self._is_task(definition.tree, definition.time)
            case ast.Call(ast.Name(name) | ast.Attribute(attr=name)):
                return name in ("exercise", "individual", "another")
        return False

    def _attribute(self, node: ast.Attribute, time: int, local: Mapping[str, Any]) -> Any:
        if node.attr == "data" and self._is_task(node.value, time):
            return self._shared(dict(self.data), local)
        if path := self.path(node, time, local):
            if path not in CONSTANTS:
                raise NotRead(f"{path} is not supported")
            return CONSTANTS[path]
        value = self.value(node.value, time, local)
        is_table = type(value) is np.ndarray or limits.is_series(type(value)) or limits.is_frame(type(value))
        fields = limits.ReadyMadeResult._fields if type(value) is limits.ReadyMadeResult else ()
        if node.attr in (("T", "shape", "size", "ndim", "values") if is_table else fields):
            return getattr(value, node.attr)
        raise NotRead(f"the attribute {node.attr} is not supported")

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

    def _dict(self, node: ast.Dict, time: int, local: Mapping[str, Any]) -> Any:
        keys = self._all(node.keys, time, local)
        return dict(zip(map(plain_key, keys), self._all(node.values, time, local), strict=True))

    def _dictcomp(self, node: ast.DictComp, time: int, local: Mapping[str, Any]) -> Any:
        pairs = self._generated(ast.Tuple([node.key, node.value]), node.generators, time, dict(local))
        return {plain_key(key): value for key, value in pairs}

    def _set(self, node: ast.Set, time: int, local: Mapping[str, Any]) -> Any:
        return sorted({*self._all(node.elts, time, local)})

    def _setcomp(self, node: ast.SetComp, time: int, local: Mapping[str, Any]) -> Any:
        return sorted({*self._generated(node.elt, node.generators, time, dict(local))})

    def _tuple(self, node: ast.Tuple, time: int, local: Mapping[str, Any]) -> Any:
        return tuple(self._all(node.elts, time, local))

    def _binop(self, node: ast.BinOp, time: int, local: Mapping[str, Any]) -> Any:
        left, right = self.value(node.left, time, local), self.value(node.right, time, local)
        kinds = {type(left), type(right)}
        if isinstance(node.op, ast.Pow):
            limits.limit_power(left, right)
        elif isinstance(node.op, ast.MatMult):
            limits.limit_size((np.size(left),), (np.size(right), 1))
        elif kinds & {list, tuple, str} and np.ndarray not in kinds:
            if not isinstance(node.op, ast.Add):
                limits.limit_repetition(left, right)
        elif not kinds <= NUMBERS:
            limits.limit_size(np.shape(left), np.shape(right))
        return BINARY[type(node.op)](left, right)

    def _unaryop(self, node: ast.UnaryOp, time: int, local: Mapping[str, Any]) -> Any:
        return UNARY[type(node.op)](self.value(node.operand, time, local))

    def _boolop(self, node: ast.BoolOp, time: int, local: Mapping[str, Any]) -> Any:
        found: Any = None
        for one in node.values:
            found = self.value(one, time, local)
            if bool(found) is not isinstance(node.op, ast.And):
                break
        return found

    def _compare(self, node: ast.Compare, time: int, local: Mapping[str, Any]) -> Any:
        values = self._all((node.left, *node.comparators), time, local)
        if len(node.ops) == 1 and isinstance(node.ops[0], ast.In | ast.NotIn | ast.Is | ast.IsNot):
            left, right = values
            is_in = left in right if isinstance(node.ops[0], ast.In | ast.NotIn) else left is right
            return is_in is isinstance(node.ops[0], ast.In | ast.Is)
        limits.limit_size(*map(np.shape, values))
        found = [COMPARED[type(sign)](*pair) for sign, pair in zip(node.ops, pairwise(values), strict=True)]
        return found[0] if len(found) == 1 else all(found)

    def _ifexp(self, node: ast.IfExp, time: int, local: Mapping[str, Any]) -> Any:
        return self.value(node.body if self.value(node.test, time, local) else node.orelse, time, local)

    def _subscript(self, node: ast.Subscript, time: int, local: Mapping[str, Any]) -> Any:
        value, index = self.value(node.value, time, local), self.index(node.slice, time, local)
        return value[plain_key(index) if type(value) is dict else index]

    def index(self, node: Any, time: int, local: Mapping[str, Any]) -> Any:
        """Return the value of an index or a slice."""
        if isinstance(node, ast.Tuple):
            return tuple(self.index(one, time, local) for one in node.elts)
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
            self._store(loops[0].target, entry, inner)
            if all(self.value(test, time, inner) for test in loops[0].ifs):
                yield from self._generated(element, loops[1:], time, inner)

    # -- calls -------------------------------------------------------------------------------------------------------------
    def _call(self, node: ast.Call, time: int, local: Mapping[str, Any]) -> Any:
        if (kind := _kind_of_numbers(node)) is not None:
            arguments = [one for one in node.args if one is not kind]
            plain = ast.Call(node.func, arguments, [one for one in node.keywords if one.arg != "dtype"])
            is_method = isinstance(node.func, ast.Attribute) and node.func.attr == "astype"
            found = self.value(node.func.value, time, local) if is_method else self._call(plain, time, local)  # type: ignore[attr-defined]
            return np.asarray(found).astype(kind.id)
        if any(keyword.arg not in KEYWORDS for keyword in node.keywords):
            raise NotRead("keyword arguments are not supported")
        function, most, path = self._function(node.func, time, local)
        if function is None:
            return self._method(node, time, local)
        frozen, since = self.frozen(node.func, time)
        values = [*self._all(node.args, time, local), *self._all(frozen.args if frozen else [], since, local)]
        named = {str(keyword.arg): self.value(keyword.value, time, local) for keyword in node.keywords}
        if isinstance(function, ast.FunctionDef | ast.Lambda):
            return self._students_function(function, self._time_of(node.func), values, named)
        if len(values) > most:
            raise NotRead("the call has too many arguments")
        limits.limit_call(getattr(function, "__name__", ""), values)
        self.budget.spend(sum(one.size for one in values if type(one) is np.ndarray) // 20)
        with np.errstate(all="ignore"):
            found = self._of_scipy(path, function, values, named) if path.startswith("scipy.stats.") else function(*values, **named)
        return [*found] if function in (zip, enumerate) else found

    def _of_scipy(self, path: str, function: Any, values: list[Any], named: dict[str, Any]) -> Any:
        """Return the value of a function of scipy.stats, from a fast formula or the cache if possible."""
        if not named and (found := quick_value(path, values)) is not None:
            self.budget.spend(QUICK_WORK)
            return found
        is_test = path.rpartition(".")[2] in READY_MADE
        # count the work even if the value is cached, so that a reply does not depend on earlier replies
        self.budget.spend(SLOW_WORK if path.startswith(SLOW) else TEST_WORK if is_test else STATS_WORK)
        if path.startswith(SLOW) and not named and all(isinstance(value, int | float) for value in values):
            return slow_value(function, *values)
        return function(*values, **named)

    def _function(self, node: Any, time: int, local: Mapping[str, Any]) -> tuple[Any, int, str]:
        """Return (function, maximum number of positional arguments, path); the function is None if the call is a method call."""
        if isinstance(node, ast.Name) and node.id not in local:
            definition = self.history.find(node.id, time)
            if definition is None and node.id in BUILTINS and node.id not in self.namespace:
                return BUILTINS[node.id], 3, ""
            if definition is not None and isinstance(definition.tree, ast.FunctionDef | ast.Lambda):
                return definition.tree, 9, ""
        frozen, since = self.frozen(node, time)
        path = f"{self.path(frozen.func, since, local)}.{node.attr}" if frozen else self.path(node, time, local)
        module = next((one for one in MODULES if path.startswith(f"{one}.")), "")
        known = listed_functions(module).get(path) if module else None
        if known is None and (path or isinstance(node, ast.Name)):
            raise NotRead(f"{path} is not supported")
        return (*known, path) if known else (None, 0, "")

    def _method(self, node: ast.Call, time: int, local: Mapping[str, Any]) -> Any:
        if not isinstance(node.func, ast.Attribute) or node.func.attr not in METHODS:
            raise NotRead("the method is not supported")
        value = self.value(node.func.value, time, local)
        values = self._all(node.args, time, local)
        if len(values) > METHODS[node.func.attr] or (type(value) is dict) != (node.func.attr in ("items", "keys", "values", "get")):
            raise NotRead("the call has too many arguments")
        if type(value) is dict:
            found = getattr(value, node.func.attr)(*values)
            return found if node.func.attr == "get" else [*found]
        named = {str(keyword.arg): self.value(keyword.value, time, local) for keyword in node.keywords}
        self.budget.spend(50 if limits.is_series(type(value)) else 150 if limits.is_frame(type(value)) else 3)
        with np.errstate(all="ignore"):
            return getattr(value, node.func.attr)(*values, **named)

    def frozen(self, node: Any, time: int) -> tuple[ast.Call | None, int]:
        """Return the call that made the distribution of ``stats.t(5).sf``, or of ``T.sf`` after ``T = stats.t(5)``, and its time."""
        call, since = getattr(node, "value", None), time
        if isinstance(call, ast.Name) and (definition := self.history.find(call.id, time)):
            call, since = definition.tree, definition.time
        is_law = isinstance(call, ast.Call) and not call.keywords and self.path(call.func, since, {}) in LISTED.split()
        return (call, since) if is_law and isinstance(call, ast.Call) else (None, time)

    def _time_of(self, function: Any) -> int:
        """Return the time of the definition of a student's function; its global names have the values of that time."""
        definition = self.history.find(getattr(function, "id", ""), self.history.time + 1)
        return definition.time if definition else 0


@cache
def _method_of(kind: str) -> str:
    """Return the name of the method that evaluates a kind of node."""
    return f"_{kind.lower()}"


def _kind_of_numbers(node: ast.Call) -> ast.Name | None:
    """Return the argument `float` or `int` that gives the type of an array; None if the call has no such argument."""
    if isinstance(node.func, ast.Attribute) and node.func.attr in ("array", "asarray", "astype", "zeros", "ones", "full"):
        arguments = [*node.args, *(keyword.value for keyword in node.keywords if keyword.arg == "dtype")]
        return next((one for one in arguments if isinstance(one, ast.Name) and one.id in ("float", "int")), None)
    return None
