"""Find the first wrong line of a student's function."""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple
from warnings import catch_warnings

import numpy as np

from .code_history import Definition, _changed_names
from .evaluation_limits import Budget, NotRead, is_plain
from .failing_data import TAIL, WORK_ON_CASES, WORK_ON_SMALL_DATA, FunctionTester, TrialData, is_same
from .function_edits import BodyChange, blocks_of, expression_changes, own_expressions, statement_changes
from .pure_evaluator import KnownQuantity
from .pure_statements import RETURNED, own_copy

WORK_ON_VALUES, WORK_ON_CHANGES, WORK_ON_PARTIAL, WORK_ON_NAMES, WORK_OF_A_PROOF = 5_000, 12_000, 3_000, 2_000, 1_500
# penalty on the distance of lines after the first wrong value, and of helpers; penalty on the rank of unlikely changes;
# assumed length of a marked statement
MANY_LINES, LATE, MANY_LETTERS = 1_000, 4, 200


class Blame(NamedTuple):
    """A wrong value after a statement: its name, the value, the quantity that it should be, and the value of this quantity."""

    statement: ast.stmt
    name: str
    value: Any
    quantity: str
    right: Any


class FunctionReading(NamedTuple):
    """The mistake in the body of a function, shown on the smallest data on which the function fails.

    Parameters
    ----------
    world : TrialData
        The data, the right value, and the value of the function.
    definition : Definition
        The function, or the student's other function, that holds the marked part.
    marked : ast.AST or None
        The part to mark.
    blame : Blame or None
        The first value that is not right.
    change : BodyChange or None
        The change that makes the function right.
    wrong_kinds : tuple of str
        Kinds of data on which something else is wrong, too.
    right_names : mapping
        Names of values that are right on these data, with their quantities.
    """

    world: TrialData
    definition: Definition
    marked: ast.AST | None
    blame: Blame | None
    change: BodyChange | None
    wrong_kinds: tuple[str, ...] = ()
    right_names: Mapping[str, str] = {}
    helper: str = ""


class FunctionReader(FunctionTester):
    """Reader of the body of a function."""

    def reading(self) -> FunctionReading | None:
        """Return the mistake in the body of the function; None if the function cannot be evaluated."""
        with np.errstate(all="ignore"), catch_warnings(action="ignore"):
            worlds = self._worlds()
            failing = min((world for world in worlds if not world.is_right), key=lambda world: world.numbers, default=None)
            if failing is None:
                return None
            self.evaluator.budget = Budget(WORK_ON_SMALL_DATA)
            small = self._smallest(failing)
            self.others = sorted((world for world in worlds if world is not small), key=lambda one: (one.is_right, one.work))
            blame: Blame | None = None
            change: BodyChange | None = None
            blamed = changed = False
            self.events: list[tuple[ast.stmt, str, Any]] = []
            self.evaluator.budget = Budget(WORK_ON_NAMES)
            self.right_names = self._right_names(small)
            self.evaluator.budget = Budget(WORK_ON_VALUES)
            with suppress(NotRead):
                blame, blamed = self._blame(small)
            self.evaluator.budget = Budget(WORK_ON_CHANGES)
            with suppress(NotRead):
                if small.got is not None and not isinstance(small.got, str):
                    change, changed = self._change(small, blame, blamed)
            match change:  # if the change replaces a name by a known quantity, report the wrong value of the name instead of the change
                case BodyChange(part=ast.Name(name), replacement=KnownQuantity() as known) if name in {*self.assigned} - {
                    *self.right_names
                }:
                    last = [one for one in self.events if one[1] == name][-1]
                    blame, change = Blame(*last, known.name, self._value_in(small, known.name)), None
            if blamed and not changed and blame is not None and blame.name != RETURNED:
                change = None  # the correction of a single value makes the function right, so do not report a change
            return self._put_together(small, blame, change)

    # -- the value that is wrong --------------------------------------------------------------------------------------------------
    def _blame(self, world: TrialData) -> tuple[Blame | None, bool]:
        """Return the first wrong value whose correction makes the function right, and whether it does so on all data."""
        candidates: list[tuple[Any, Blame]] = []
        for place, (statement, name, value) in enumerate(self.events):
            if _is_start(statement) and any(other == name for _, other, _ in self.events[place + 1 :]):
                continue
            is_last = name not in [other for _, other, _ in self.events[place + 1 :]]
            for quantity in () if name in self.right_names and is_last else self._candidates(world, value):
                if name != RETURNED:
                    setting = _setter(self, statement, name, quantity)
                    candidates.append((setting, Blame(statement, name, value, quantity, self._value_in(world, quantity))))
        best, is_full = self._best(world, ((functools.partial(self._right_there, watch=setting), blame) for setting, blame in candidates))
        last = self.events[-1:] if best is None else []
        return (Blame(*last[0], self.question.step, world.right), False) if last and last[0][1] == RETURNED else (best, is_full)

    @property
    def assigned(self) -> set[str]:
        """Names that the function sets."""
        return {name for _, name, _ in self.events}

    def _is_proved(self, right_there: Callable[[TrialData], bool]) -> bool:
        """Return whether a change makes the function right on small data, and on all other data as far as the work permits."""
        if not all(map(right_there, self.others)):
            return False
        left, self.evaluator.budget = self.evaluator.budget, Budget(WORK_OF_A_PROOF)
        try:
            return all(map(right_there, sorted(self.whole, key=lambda one: one.size)))
        except NotRead:  # the complete check needs too much work, so the small data decide
            return True
        finally:
            self.evaluator.budget = left

    def _best(self, world: TrialData, candidates: Iterable[tuple[Callable[[TrialData], bool], Any]]) -> tuple[Any, bool]:
        """Return the first candidate that makes the function right everywhere, and True.

        If there is none, return a candidate and False. This candidate makes the function right on all data of the same kind and on most
        kinds of other data, and wrong on no data.
        """
        partial: list[tuple[Callable[[TrialData], bool], Any]] = []
        with suppress(NotRead):
            for right_there, candidate in candidates:
                if right_there(world):
                    if self._is_proved(right_there):
                        return candidate, True
                    partial.append((right_there, candidate))
        self.evaluator.budget = Budget(WORK_ON_PARTIAL)
        return self._partial(world, partial), False

    def _partial(self, world: TrialData, candidates: Iterable[tuple[Callable[[TrialData], bool], Any]]) -> Any:
        best: tuple[int, Any] = (0, None)
        wrong = [place for place, (one, call) in enumerate(zip(self.whole, self.calls, strict=True)) if not self._was_right(one, call)]
        kinds = sorted({self.whole[place].kind for place in wrong}, key=lambda kind: kind != world.kind)
        with suppress(NotRead):
            for right_there, candidate in candidates:
                mended = 0
                for kind in kinds:
                    is_mended = all(right_there(self.whole[place]) for place in wrong if self.whole[place].kind == kind)
                    mended += is_mended
                    if not is_mended and kind == world.kind:
                        break
                if mended > best[0] and all(right_there(other) for other in self.others if other.is_right):
                    best = mended, candidate
        return best[1]

    def _note(self, world: TrialData) -> None:
        def watch(statement: ast.stmt, local: dict[str, Any]) -> None:
            names = [RETURNED] if isinstance(statement, ast.Return) else dict.fromkeys(_changed_names(statement))
            for name in names:
                if name in local and is_plain(local[name]):
                    self.events.append((statement, name, own_copy(local[name])))

        with suppress(NotRead):
            self._run(world, watch=watch)

    def _candidates(self, world: TrialData, value: Any) -> Iterator[str]:
        """Yield the quantities with the type and dimensions of a value, but with another value."""
        has_tail = "null" in self.tested.steps and self.question.step == "pvalue"
        for name in [*self.steps, *([TAIL] if has_tail else [])]:
            with suppress(Exception):  # the quantity may not be defined on these data
                right = self._value_in(world, name)
                is_kind = np.ndim(right) == _dimensions(value) and np.asarray(right).dtype.kind in "biuf"
                is_tail = name == self.question.step and has_tail and is_same(value, self._value_in(world, TAIL))
                if is_kind and not is_tail and not is_same(value, right):
                    yield name

    # -- the part that is wrong -----------------------------------------------------------------------------------------------------
    def _change(self, world: TrialData, blame: Blame | None, blamed: bool) -> tuple[BodyChange | None, bool]:
        """Return the most likely change of one part that makes the function right, and whether it does so on all data."""
        ranked: dict[int, list[tuple[int, BodyChange]]] = {}
        for near, change in self._changes(world, blame, blamed):
            ranked.setdefault(change.rank, []).append((near, change))
        partial: list[tuple[Callable[[TrialData], bool], BodyChange]] = []
        for rank in sorted(ranked):
            fitting: list[tuple[int, int, BodyChange]] = []
            with suppress(NotRead):
                for near, change in sorted(ranked[rank], key=lambda one: one[0]):
                    if self._right_there(world, change):
                        right_there = functools.partial(self._right_there, change=change)
                        if self._is_proved(right_there):
                            length = MANY_LETTERS if isinstance(change.marked, ast.stmt) else len(ast.unparse(change.marked))
                            fitting.append((length, near, change))
                        else:
                            partial.append((right_there, change))
            if fitting:
                return min(fitting, key=lambda one: one[:2])[2], True
        self.evaluator.budget = Budget(WORK_ON_PARTIAL)
        return self._partial(world, partial), False

    def _changes(self, world: TrialData, blame: Blame | None, blamed: bool) -> Iterator[tuple[int, BodyChange]]:
        """Yield the possible changes of the code, each with the distance of its line from the first wrong value."""
        last = getattr(blame.statement, "end_lineno", 0) if blame else MANY_LINES
        is_end = blamed and blame is not None and blame.name != RETURNED
        quantities, dimensions = self._counts(world), {name: _dimensions(value) for _, name, value in self.events}
        dimensions |= {name: _dimensions(value) for name, value in world.data.items()}
        right = (statement for statement, name, _ in self.events if name in self.right_names)
        fine = {node.id for statement in right for node in ast.walk(statement) if isinstance(node, ast.Name)}
        for body in [self.function, *(self._tree(definition) for definition in self._helpers() if definition.name not in fine)]:
            is_helper = body is not self.function
            stored = (node.id for node in ast.walk(body) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
            names = list(dict.fromkeys([*_arguments(body), *stored]))
            others = {name: [*_other_names(name, names, {} if is_helper else dimensions)] for name in names}
            blocks = [*blocks_of(body)]
            statements = [statement for block in blocks for statement in block]
            changes = [(one, change) for one in statements for change in expression_changes(one, quantities, others)]
            changes += [(block[0], change) for block in blocks for change in statement_changes(block)]
            for statement, change in changes:
                line = getattr(change.marked, "lineno", statement.lineno)
                near = MANY_LINES if is_helper else last - line if line <= last else MANY_LINES + line
                # if a special case gives a wrong value, its condition is rarely wrong, so changes of the condition come later
                is_around = isinstance(statement, ast.If) and blame is not None and blame.statement in ast.walk(statement)
                if (is_helper or line <= last or not is_end) and not (is_around and not _is_finite(world.got)):
                    yield near, change._replace(rank=change.rank + is_helper + LATE * is_around)

    def _counts(self, world: TrialData) -> dict[str, bool]:
        """Map each quantity that a line may contain to whether it is a whole number."""
        found = {}
        for name in self.steps:
            if name != self.question.step:
                with suppress(Exception):
                    x = np.asarray(self._value_in(world, name))
                    if x.dtype.kind in "iuf":
                        found[name] = not x.ndim and bool(x == np.floor(x))
        return found

    def _helpers(self) -> list[Definition]:
        """Return the student's other functions that the function calls."""
        history, waiting, found = self.line.history, [self.function], dict[str, Definition]()
        while waiting:
            for node in ast.walk(waiting.pop()):
                known = history.find(node.id, history.time + 1) if isinstance(node, ast.Name) else None
                if known and isinstance(known.tree, ast.FunctionDef) and self._tree(known) is not self.function and known.name not in found:
                    found[known.name] = known
                    waiting.append(self._tree(known))
        return [*found.values()]

    # -- together -------------------------------------------------------------------------------------------------------------------
    def _put_together(self, world: TrialData, blame: Blame | None, change: BodyChange | None) -> FunctionReading:
        definition, marked, helper = self.line.definition, None, ""
        wrong_kinds: tuple[str, ...] = ()
        self.evaluator.budget, right_names = Budget(WORK_ON_CASES), self.right_names
        if change is not None:
            marked = change.marked
            holders = [one for one in self._helpers() if any(node is marked for node in ast.walk(self._tree(one)))]
            definition = holders[0] if holders else definition
            with suppress(NotRead):
                still = [other.kind for other in self.others if not other.is_right and not self._right_there(other, change)]
                wrong_kinds = tuple(dict.fromkeys(still))
        elif isinstance(world.got, BaseException):
            marked = world.failed
        elif (divided := self._divided_by_zero(world)) is not None:
            marked, blame = divided, None
        elif blame is not None:
            last = blame.statement
            if blame.name != RETURNED:
                marked = _line_that_sets(last, blame.name)
            elif not any(last is one for one in self.function.body) or self._reads_right_names(last, right_names):
                marked = last
            calls = {node.func.id for node in ast.walk(last) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
            helper = next((one.name for one in self._helpers() if one.name in calls), "")
        return FunctionReading(world, definition, marked, blame, change, wrong_kinds, right_names, helper)

    def _reads_right_names(self, statement: ast.stmt, right_names: Mapping[str, str]) -> bool:
        """Return whether a line reads only arguments, names that it sets itself, and names with right values."""
        read = [node for node in ast.walk(statement) if isinstance(node, ast.Name)]
        own = {node.id for node in read if isinstance(node.ctx, ast.Store)} | {*_arguments(self.function)} | right_names.keys()
        return all(node.id in own or node.id not in self.assigned for node in read)

    def _divided_by_zero(self, world: TrialData) -> ast.expr | None:
        """Return the division by 0 that makes the result infinite or nan, although the right value is finite."""
        if world.got is None or _is_finite(world.got) or not _is_finite(world.right):
            return None
        found: list[ast.expr] = []

        def is_finite(node: ast.expr, local: dict[str, Any]) -> bool:
            return bool(np.isfinite(self.evaluator.value(node, self.line.history.time + 1, local)).all())

        def watch(statement: ast.stmt, local: dict[str, Any]) -> None:
            for node in () if found else own_expressions(statement):
                if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
                    with suppress(NotRead, TypeError):
                        if is_finite(node.left, local) and is_finite(node.right, local) and not is_finite(node, local):
                            found.append(node)

        self._run(world, watch=watch)
        return found[0] if found else None

    def _right_names(self, world: TrialData) -> dict[str, str]:
        """Map each local name that has the value of exactly one quantity, on all data, to this quantity."""
        fitting: dict[str, list[str]] = {}
        kinds = {other.kind: other for other in reversed(self.others)}
        for other in [world, *kinds.values()]:
            self.events = []
            self._note(other)
            latest = {name: value for _, name, value in self.events}
            for name, value in latest.items():
                known = fitting.setdefault(name, self.steps)
                fitting[name] = [one for one in known if self._has_value(other, value, one)]
        self.events = []
        self._note(world)
        return {name: known[0] for name, known in fitting.items() if len(known) == 1}

    def _has_value(self, world: TrialData, value: Any, quantity: str) -> bool:
        with suppress(Exception):
            return is_same(value, self._value_in(world, quantity))
        return False


def _other_names(name: str, names: Sequence[str], dimensions: Mapping[str, int]) -> Iterator[ast.expr]:
    """Yield expressions that a student may have meant instead of a name: a similar name, or the length of another name."""
    for other in names:
        if other != name and dimensions.get(name, -1) in (dimensions.get(other, -1), -1):
            yield ast.Name(other, ast.Load())
        if other != name and dimensions.get(name) == 0 and dimensions.get(other) == 1:
            yield ast.Call(ast.Name("len", ast.Load()), [ast.Name(other, ast.Load())], [])


def _setter(reader: FunctionReader, place: ast.stmt, name: str, quantity: str) -> Any:
    """Return a watcher that corrects the value of a name after one statement."""

    def watch(statement: ast.stmt, local: dict[str, Any]) -> None:
        if statement is place and name in local:
            right = own_copy(reader._quantity(quantity))
            local[name] = right.tolist() if type(local[name]) is list and type(right) is np.ndarray else right

    return watch


def _is_finite(value: Any) -> bool:
    """Return whether a value is finite, or contains only finite numbers."""
    try:
        return bool(np.isfinite(np.asarray(value, float)).all())
    except (TypeError, ValueError):
        return False


def _is_start(statement: ast.stmt) -> bool:
    """Return whether a statement sets a name to a start value: a number, an empty list, an array of zeros."""
    match getattr(statement, "value", None):
        case ast.Constant() | ast.List([]) | ast.Dict([]):
            return True
        case ast.Call(ast.Attribute(_, name)):
            return name in ("zeros", "ones", "empty", "zeros_like", "ones_like", "empty_like", "full")
    return False


def _dimensions(value: Any) -> int:
    try:
        return np.ndim(value)
    except ValueError:
        return -1


def _arguments(function: Any) -> list[str]:
    return [one.arg for one in function.args.args]


def _line_that_sets(statement: ast.stmt, name: str) -> ast.AST:
    """Return the single line inside a statement that sets a name; if there are several, return the statement."""
    if not isinstance(statement, ast.For | ast.While | ast.With | ast.Try):
        return statement
    simple = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr)
    lines = [one for one in ast.walk(statement) if isinstance(one, simple) and name in _changed_names(one)]
    return lines[0] if len(lines) == 1 else statement
