"""Evaluate a student's function without running its code.

Unsupported calls raise :class:`NotRead`.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from .code_history import Definition, StudentLine
from .evaluation_limits import MAX_ENTRIES, Budget, NotRead, checked_plain, is_plain, limit_size
from .pure_evaluator import PureEvaluator
from .pure_functions import BUILTINS
from .pure_statements import Closure, Module, plain_key

NUMPY_NAMES = (
    "zeros_like ones_like empty_like full_like empty allclose isinf isfinite nan_to_num bincount searchsorted nonzero lexsort isin "
    "copysign tile repeat column_stack array_equiv cumsum nansum nanmean sum add.reduce logical_xor invert eye diagonal trunc "
    "count_nonzero sign clip round zeros ones full array asarray float64 int64 bool_ argsort linspace sort unique subtract.outer "
    "equal.outer less.outer less_equal.outer greater.outer greater_equal.outer ravel"
)
NUMPY: dict[str, Callable[..., Any]] = {f"numpy.{name}": operator.attrgetter(name)(np) for name in NUMPY_NAMES.split()}
NUMPY_KEYWORDS = frozenset({"axis", "keepdims", "return_inverse", "return_counts", "return_index", "side", "kind", "minlength", "decimals"})
TYPES = {"float": float, "int": int, "bool": bool, "numpy.float64": np.float64, "numpy.int64": np.int64, "numpy.bool_": np.bool_}
LIST_METHODS = frozenset({"append", "extend", "insert", "remove", "pop", "reverse", "sort", "clear"})
DICT_METHODS = frozenset({"get", "items", "keys", "values", "pop", "setdefault", "update"})
MOST_GROWING = 300  # maximum size of an argument of a function whose result is much larger than its argument
MISSING = object()
NOT_VALUES = frozenset({Closure, Module})


def own_tree(definition: Definition) -> Any:
    """Return the tree of a function with positions in its own text; any other tree as it is."""
    tree = definition.tree
    return ast.parse(definition.text).body[0] if isinstance(tree, ast.FunctionDef) and not tree.decorator_list else tree


class FunctionEvaluator(PureEvaluator):
    """Evaluate calls of a student's function on one data set; global names have their latest definitions.

    Attributes
    ----------
    part, other : ast.AST or None
        A part of an expression, and another part in its place.
    """

    def __init__(self, line: StudentLine, quantities: Callable[[str], Any]) -> None:
        super().__init__(line.history, {}, line.namespace, quantities, Budget(0))
        self.part: ast.AST | None = None
        self.other: ast.expr | None = None
        # (node, global name at its beginning, full path) for each node, by its id
        self.paths: dict[int, tuple[Any, str, str]] = {}
        self.own_trees = {id(one.tree): own_tree(one) for known in line.history.definitions.values() for one in known}

    def run(self, function: Any, arguments: list[Any]) -> Any:
        """Return what the function gives for copies of the arguments; raise NotRead, with the error of the function as its cause."""
        self.calls, self.loops, self.depth, self.failed = 0, 0, 0, None
        return self._students_function(function, self.history.time + 1, arguments, {})

    def value(self, node: Any, time: int, local: Mapping[str, Any] | None = None) -> Any:
        """Return the value of an expression; inside a function nothing is kept, and an error of the expression is the cause of NotRead."""
        if not local:
            return super().value(node, time, local)
        if node is self.part and self.other is not None:
            other, self.other = self.other, None  # switch off the replacement, because it may contain the replaced part
            try:
                return self.value(other, time, local)
            finally:
                self.other = other
        if type(node) is ast.Name and node.id in local:
            found = local[node.id]
            if type(found) in NOT_VALUES:
                raise NotRead(f"the value of {node.id} is not known")
            return found
        return node.value if type(node) is ast.Constant else self._computed(node, time, local)

    def _time_of(self, _: Any) -> int:
        return self.history.time + 1

    def path(self, node: Any, time: int, local: Mapping[str, Any]) -> str:
        """Return the whole name of a function of a module, also of a module that is imported inside a function."""
        known, root, path = self.paths.get(id(node), (None, "", ""))
        if known is node and root not in local:
            return path
        if isinstance(node, ast.Name) and type(module := local.get(node.id)) is Module:
            return module.path
        path, first = super().path(node, time, local), node
        while isinstance(first, ast.Attribute):
            first = first.value
        if isinstance(first, ast.Name) and first.id not in local:
            self.paths[id(node)] = node, first.id, path
        return path

    def _function(self, node: Any, time: int, local: Mapping[str, Any]) -> Any:
        function, *rest = super()._function(node, time, local)
        return (self.own_trees.get(id(function), function), *rest)

    def _call(self, node: ast.Call, time: int, local: Mapping[str, Any]) -> Any:
        found = self._own_call(node, time, local)
        return super()._call(node, time, local) if found is MISSING else found

    def _own_call(self, node: ast.Call, time: int, local: Mapping[str, Any]) -> Any:
        """Return the value of a call that this class supports; MISSING for any other call."""
        match node.func:
            case ast.Name(name) if name in local:
                if type(local[name]) is Closure:
                    named = {str(one.arg): self.value(one.value, time, local) for one in node.keywords}
                    return self._students_function(local[name], self.time, self._all(node.args, time, local), named)
            case ast.Name(name) if self.history.find(name, time) is None and name not in self.namespace:
                return self._builtin(node, name, time, local)
            case ast.Attribute(owner, name) if name in LIST_METHODS | DICT_METHODS | {"astype"} and not self.path(node.func, time, local):
                return self._own_method(node, owner, name, time, local)
        path = self.path(node.func, time, local)
        if path in NUMPY and (path not in ("numpy.zeros", "numpy.ones", "numpy.full", "numpy.empty") or _is_short(self, node, time, local)):
            return self._numpy(node, NUMPY[path], time, local)
        return MISSING

    def _numpy(self, node: ast.Call, function: Any, time: int, local: Mapping[str, Any]) -> Any:
        if any(one.arg not in NUMPY_KEYWORDS | {"dtype"} for one in node.keywords):
            return MISSING
        named = {str(one.arg): self.value(one.value, time, local) for one in node.keywords if one.arg != "dtype"}
        args = node.args
        kind = next((self._type(one.value, time, local) for one in node.keywords if one.arg == "dtype"), None)
        if kind is None and len(args) == 2 and self._type(args[1], time, local):
            kind, args = self._type(args[1], time, local), args[:1]
        elif kind is None and any(one.arg == "dtype" for one in node.keywords):
            raise NotRead("the type of an array is not supported")
        values = self._all(args, time, local)
        if len(values) > 2:
            return MISSING
        is_growing = function in (np.tile, np.repeat, np.bincount, np.eye, np.linspace) or getattr(function, "__name__", "") == "outer"
        if is_growing and any(np.size(one) > MOST_GROWING or np.max(one, initial=0) > MAX_ENTRIES for one in values):
            raise NotRead("the result of the call would be too large")
        if not all(is_plain(one) and type(one) is not dict for one in values):
            raise NotRead("an argument is not a plain value")
        arrays = [one.shape for one in values if type(one) is np.ndarray]
        if len(arrays) > 1:
            limit_size(*((np.size(one),) for one in values), (max(map(np.size, values)), 1))
        self.budget.spend(2 + sum(one.size for one in values if type(one) is np.ndarray) // 20)
        with np.errstate(all="ignore"):
            return function(*values, **named, **({"dtype": kind} if kind else {}))

    def _type(self, node: ast.expr, time: int, local: Mapping[str, Any]) -> Any:
        """Return the type that an argument names; None if the argument is not a type."""
        if isinstance(node, ast.Name) and node.id in TYPES and node.id not in local and self.history.find(node.id, time) is None:
            return TYPES[node.id]
        if isinstance(node, ast.Constant) and node.value in ("float", "int", "bool", "float64", "int64"):
            return TYPES[str(node.value).removesuffix("64")]
        return TYPES.get(self.path(node, time, local)) if isinstance(node, ast.Attribute) else None

    def _builtin(self, node: ast.Call, name: str, time: int, local: Mapping[str, Any]) -> Any:
        """Return the value of a built-in function that takes a function, or creates a collection; MISSING for any other."""
        if name in ("map", "filter") and len(node.args) == 2 and not node.keywords:
            function, entries = self._callable(node.args[0], time, local), self.value(node.args[1], time, local)
            pairs = [(entry, function(entry)) for entry in entries]
            return [value if name == "map" else entry for entry, value in pairs if name == "map" or value]
        if name in ("sorted", "min", "max") and any(one.arg == "key" for one in node.keywords) and len(node.args) == 1:
            return BUILTINS[name]([*self.value(node.args[0], time, local)], **self._sorting(node, time, local))
        if node.keywords or name not in ("dict", "print"):
            return MISSING
        if name == "print":
            return None
        entries = self.value(node.args[0], time, local) if node.args else {}
        return {plain_key(entry): value for entry, value in (entries.items() if type(entries) is dict else entries)}

    def _callable(self, node: Any, time: int, local: Mapping[str, Any]) -> Callable[[Any], Any]:
        """Return a function of one value for a lambda, a function of the student, a supported function, or a method."""
        if isinstance(node, ast.Lambda):
            return lambda entry: self._students_function(Closure(node, dict(local)), self.time, [entry], {})
        return lambda entry: self.value(
            ast.copy_location(ast.Call(node, [ast.Name(" entry", ast.Load())], []), node), time, {**local, " entry": entry}
        )

    def _sorting(self, node: ast.Call, time: int, local: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments `key` and `reverse` of a call; raise NotRead if the call has other named arguments."""
        if any(one.arg not in ("key", "reverse") for one in node.keywords):
            raise NotRead("keyword arguments are not supported")
        return {str(one.arg): (self._callable if one.arg == "key" else self.value)(one.value, time, local) for one in node.keywords}

    def _own_method(self, node: ast.Call, owner: ast.expr, name: str, time: int, local: Mapping[str, Any]) -> Any:
        """Call a method of a list, dictionary or array, which may change its object, and return the result."""
        value = self.value(owner, time, local)
        if name == "astype" and type(value) is np.ndarray and len(node.args) == 1 and not node.keywords:
            kind = self._type(node.args[0], time, local)
            return value.astype(kind) if kind else MISSING
        named = self._sorting(node, time, local)
        if type(value) is list and name in LIST_METHODS:
            found = getattr(value, name)(*self._all(node.args, time, local), **named)
        elif type(value) is np.ndarray and name == "sort" and not node.args and not named:
            value.sort()
            found = None
        elif type(value) is dict and name in DICT_METHODS:
            found = getattr(value, name)(*map(plain_key, self._all(node.args, time, local)))
            found = [*found] if name in ("items", "keys", "values") else found
        else:
            return MISSING
        checked_plain(value)
        return found


def _is_short(evaluator: FunctionEvaluator, node: ast.Call, time: int, local: Mapping[str, Any]) -> bool:
    """Return whether a new array, which is given by a number or a shape, is small."""
    shape = evaluator.value(node.args[0], time, local) if node.args else 0
    return 0 <= int(np.prod(shape)) <= MAX_ENTRIES
