"""Safe interpretation of statements in students' code.

The code is not run: only local names and copies of values change.

Size and work are limited as in :mod:`.pure_evaluator`; statements that are not listed raise :class:`NotRead`.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from .code_history import imported_names
from .evaluation_limits import Budget, NotRead, checked_plain, limit_power, limit_repetition, limit_size
from .pure_functions import BINARY

ERRORS = (ArithmeticError, AttributeError, IndexError, KeyError, LookupError, MemoryError, RecursionError, TypeError, ValueError)
RETURNED = "return"  # key of the returned value in the dictionary of local names
MARK = ""  # key in the dictionary of local names that switches the cache off inside of a function or block
MAX_CALLS = 12  # maximum depth of nested calls of student functions
INPLACE = {kind: getattr(operator, f"i{function.__name__.strip('_')}") for kind, function in BINARY.items()}
CONTEXTS = ("numpy.errstate", "warnings.catch_warnings")


class Closure(NamedTuple):
    """A function that is defined inside a function, with the local names there."""

    tree: Any
    local: dict[str, Any]


class Module(NamedTuple):
    """A module or function that is imported inside a function."""

    path: str


class StatementEvaluator:
    """Follow statements; a subclass evaluates the expressions in them.

    Attributes
    ----------
    watch : callable or None
        Called after each statement of the outermost function that is in no loop, with the statement and the local names; it may change
        the local names. After ``return`` the local name `RETURNED` holds the result.
    blocks : dict
        Other statements in the place of a block, by the identity of the block's list, or of a loop of a cell.
    failed : ast.stmt or None
        The statement of the outermost function that raised an error.
    """

    budget: Budget
    calls, loops, time = 0, 0, 0  # depth of calls; depth of loops; time at which global names are looked up
    failed: ast.stmt | None = None
    watch: Callable[[ast.stmt, dict[str, Any]], None] | None = None
    blocks: Mapping[int, list[ast.stmt]] = {}

    def value(self, node: Any, time: int, local: Mapping[str, Any] | None = None) -> Any:
        """Return the value of an expression whose names have the definitions before a time."""
        raise NotImplementedError

    def index(self, node: Any, time: int, local: Mapping[str, Any]) -> Any:
        """Return the value of an index or a slice."""
        raise NotImplementedError

    def path(self, node: Any, time: int, local: Mapping[str, Any]) -> str:
        """Return the whole name of a function or constant of a module; empty for anything else."""
        raise NotImplementedError

    def _students_function(self, function: Any, time: int, values: list[Any], named: dict[str, Any]) -> Any:
        """Return the value of a student's function; its global names have the values that they had at the given time."""
        outer, before = dict[str, Any](), self.time
        if type(function) is Closure:
            outer, function = function.local, function.tree
        if not self.calls:  # the function may change its arguments, so it gets copies
            values, named = [own_copy(value) for value in values], {name: own_copy(value) for name, value in named.items()}
        self.calls, self.time = self.calls + 1, time
        try:
            if self.calls > MAX_CALLS:
                raise NotRead("the calls have too many nested levels")
            local = outer | self._arguments(function, values, named) | {MARK: None}
            if isinstance(function, ast.Lambda):
                return self._now(function.body, local)
            self._block(function.body, local)
            return local.get(RETURNED)
        finally:
            self.calls, self.time = self.calls - 1, before

    def _arguments(self, function: Any, values: list[Any], named: dict[str, Any]) -> dict[str, Any]:
        about = function.args
        if about.vararg or about.kwarg or about.kwonlyargs or getattr(function, "decorator_list", []):
            raise NotRead("the arguments do not fit the parameters of the function")
        names = [one.arg for one in (*about.posonlyargs, *about.args)]
        given = dict(zip(names, values, strict=False)) | named
        for key, default in zip(names[len(names) - len(about.defaults) :], about.defaults, strict=True):
            if key not in given:
                given[key] = self._now(default, {MARK: None})
        if len(values) > len(names) or given.keys() != {*names}:
            raise NotRead("the arguments do not fit the parameters of the function")
        return given

    def after_block(self, statements: list[ast.stmt], name: str, time: int, local: Mapping[str, Any]) -> Any:
        """Return the value of a name after a loop or a condition."""
        names, before = {**local, MARK: None}, self.time
        self.time = time
        try:
            self._block(statements, names)
        finally:
            self.time = before
        if name not in names:
            raise NotRead(name)
        return names[name]

    def _block(self, body: list[ast.stmt], local: dict[str, Any]) -> str | None:
        """Follow the statements of a block; return how the block ends early, "return", "break" or "continue", or None."""
        for statement in self.blocks.get(id(body), body):
            self.budget.spend(1)
            try:
                stopped = self._statement(statement, local)
            except NotRead as error:
                if error.__cause__ is not None and self.calls == 1 and self.failed is None:
                    self.failed = statement
                raise
            if self.watch is not None and self.calls == 1 and not self.loops and not isinstance(statement, ast.If):
                self.watch(statement, local)
            if stopped is not None:
                return stopped
        return None

    def _statement(self, node: Any, local: dict[str, Any]) -> str | None:
        run = getattr(self, f"_run_{type(node).__name__.lower()}", None)
        if run is None:
            raise NotRead("the statement is not supported")
        try:
            return run(node, local)
        except ERRORS as error:
            raise NotRead(str(error)) from error

    def _now(self, node: Any, local: dict[str, Any]) -> Any:
        return self.value(node, self.time, local)

    def _run_assign(self, node: ast.Assign, local: dict[str, Any]) -> None:
        found = Closure(node.value, local) if isinstance(node.value, ast.Lambda) else self._now(node.value, local)
        for target in node.targets:
            self._store(target, found, local)

    def _run_annassign(self, node: ast.AnnAssign, local: dict[str, Any]) -> None:
        if node.value is not None:
            self._store(node.target, self._now(node.value, local), local)

    def _run_augassign(self, node: ast.AugAssign, local: dict[str, Any]) -> None:
        before, found = self._now(_loaded(node.target), local), self._now(node.value, local)
        if {type(before), type(found)} & {list, tuple, str} and type(node.op) is not ast.Add:
            limit_repetition(before, found)
        limit_size(*(one.shape for one in (before, found) if type(one) is np.ndarray))
        if type(node.op) is ast.Pow:
            limit_power(before, found)
        self._store(node.target, checked_plain(INPLACE[type(node.op)](before, found)), local)

    def _run_return(self, node: ast.Return, local: dict[str, Any]) -> str:
        local[RETURNED] = None if node.value is None else self._now(node.value, local)
        return "return"

    def _run_expr(self, node: ast.Expr, local: dict[str, Any]) -> None:
        match node.value:
            case ast.Constant() | ast.Call(ast.Name("print")):
                pass
            case ast.Call(ast.Attribute(ast.Name() as owner, "append"), [entry], []) if type(entries := self._own(owner, local)) is list:
                entries.append(self._now(entry, local))
                checked_plain(entries)
            case value:
                self._now(value, local)

    def _run_pass(self, *_: Any) -> None:
        """Do nothing."""

    def _run_if(self, node: ast.If, local: dict[str, Any]) -> str | None:
        return self._block(node.body if self._now(node.test, local) else node.orelse, local)

    def _run_break(self, *_: Any) -> str:
        return "break"

    def _run_continue(self, *_: Any) -> str:
        return "continue"

    def _run_import(self, node: ast.Import | ast.ImportFrom, local: dict[str, Any]) -> None:
        local.update((name, Module(path)) for name, path in imported_names(node))

    _run_importfrom = _run_import

    def _run_functiondef(self, node: ast.FunctionDef, local: dict[str, Any]) -> None:
        local[node.name] = Closure(node, local)

    def _run_with(self, node: ast.With, local: dict[str, Any]) -> str | None:
        for item in node.items:
            call = item.context_expr
            if not isinstance(call, ast.Call) or self.path(call.func, self.time, local) not in CONTEXTS or item.optional_vars is not None:
                raise NotRead("the context manager is not supported")
        return self._block(node.body, local)

    def _run_assert(self, node: ast.Assert, local: dict[str, Any]) -> None:
        if not self._now(node.test, local):
            raise NotRead("the function raises AssertionError") from AssertionError()

    def _run_raise(self, *_: Any) -> None:
        raise NotRead("the function raises an error") from Exception("raised by the function")

    def _run_delete(self, node: ast.Delete, local: dict[str, Any]) -> None:
        for target in node.targets:
            self._delete(target, local)

    def _run_for(self, node: Any, local: dict[str, Any]) -> str | None:
        self.loops += 1
        try:
            for entry in self._rounds(node, local):
                if isinstance(node, ast.For):
                    self._store(node.target, entry, local)
                stopped = self._block(node.body, local)
                if stopped == "return":
                    return stopped
                if stopped == "break":
                    return None
            return self._block(node.orelse, local)
        finally:
            self.loops -= 1

    _run_while = _run_for

    def _rounds(self, node: Any, local: dict[str, Any]) -> Iterator[Any]:
        if isinstance(node, ast.For):
            yield from self._now(node.iter, local)
            return
        while self._now(node.test, local):
            self.budget.spend(1)
            yield None

    def _run_try(self, node: ast.Try, local: dict[str, Any]) -> str | None:
        failed = self.failed
        try:
            stopped = self._block(node.body, local)
        except NotRead as error:
            handler = next((one for one in node.handlers if error.__cause__ is not None and _catches(one, error.__cause__)), None)
            if handler is None:
                raise
            self.failed = failed
            stopped = self._block(handler.body, local)
        else:
            stopped = stopped or self._block(node.orelse, local)
        return self._block(node.finalbody, local) or stopped

    def _own(self, node: Any, local: dict[str, Any]) -> Any:
        """Return the current value of an assignment's target; a global name is first copied to a local one."""
        root = node
        while isinstance(root, ast.Subscript):
            root = root.value
        if isinstance(root, ast.Name) and root.id not in local:
            local[root.id] = self._now(ast.copy_location(ast.Name(root.id, ast.Load()), root), local)
        return self._now(_loaded(node), local)

    def _store(self, target: Any, value: Any, local: dict[str, Any]) -> None:
        match target:
            case ast.Name(name):
                local[name] = value
            case ast.Tuple(targets) | ast.List(targets) if not any(isinstance(one, ast.Starred) for one in targets):
                for one, entry in zip(targets, [*value], strict=True):
                    self._store(one, entry, local)
            case ast.Subscript(whole, index):
                owner, place = self._own(whole, local), self.index(index, self.time, local)
                if type(owner) is dict:
                    place = plain_key(place)
                elif type(owner) not in (list, np.ndarray):
                    raise NotRead("this kind of assignment target is not supported")
                owner[place] = value
                checked_plain(owner)
            case _:
                raise NotRead("this kind of assignment target is not supported")

    def _delete(self, target: Any, local: dict[str, Any]) -> None:
        match target:
            case ast.Name(name):
                del local[name]
            case ast.Subscript(whole, index):
                owner = self._own(whole, local)
                if type(owner) not in (list, dict):
                    raise NotRead("this kind of assignment target is not supported")
                del owner[self.index(index, self.time, local)]
            case _:
                raise NotRead("this kind of assignment target is not supported")


def own_copy(value: Any) -> Any:
    """Return a copy of a plain value that may be changed."""
    if type(value) is np.ndarray:
        return value.copy()
    if type(value) is list or type(value) is tuple:
        return type(value)(map(own_copy, value))
    return {key: own_copy(entry) for key, entry in value.items()} if type(value) is dict else value


def plain_key(value: Any) -> Any:
    """Return a key of a dictionary as a plain value."""
    return value.item() if isinstance(value, np.generic) else value


def _loaded(target: Any) -> Any:
    """Return the expression that reads the target of an augmented assignment."""
    if isinstance(target, ast.Name):
        return ast.copy_location(ast.Name(target.id, ast.Load()), target)
    if isinstance(target, ast.Subscript):
        return ast.copy_location(ast.Subscript(target.value, target.slice, ast.Load()), target)
    raise NotRead("this kind of assignment target is not supported")


def _catches(handler: ast.ExceptHandler, error: BaseException) -> bool:
    """Return whether an ``except`` clause names the type of an error or one of its base classes."""
    if handler.type is None:
        return True
    names = {getattr(one, "id", "") for one in (handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type])}
    return bool(names & {kind.__name__ for kind in type(error).__mro__})
