"""Find the smallest data on which a student's function fails."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any
from warnings import catch_warnings

import numpy as np

from ....core.procedure import Procedure
from ...sandbox_runtime.function_call import CallResult, describe_error
from ..exercise import Exercise, required_steps, start_test
from ..question import Function
from .code_history import Definition, StudentLine
from .evaluation_limits import Budget, NotRead, is_plain
from .function_edits import BodyChange
from .function_evaluator import FunctionEvaluator

# maximum units of work on the cases, and on small data; with the work in function_reading, this takes about 100 ms
WORK_ON_CASES, WORK_ON_SMALL_DATA = 8_000, 9_000
MOST_OF_A_LONG_RUN = 60_000
MOST_OF_A_RUN = 2_500  # maximum units of work of one call; if a call needs more, only a part of the data is used
# number of random subsets of three entries, and of four; data with fewer than SMALL entries are small
MOST_SUBSETS, SMALL = 15, 5
# number of calls that are evaluated on all data; maximum units of work of a short call; units of work to compute the test
MOST_CHECKED, FEW_UNITS, WORK_OF_A_TEST = 3, 120, 20
EXACT, NEGLIGIBLE = 1e-6, 1e-12  # relative and absolute tolerance within which two values count as equal
MOST_OF_A_SMALL_RUN = 300
TAIL = "tail"  # name of an additional quantity: the probability of one tail, before it is doubled


UnseenCases = Sequence[tuple[str, Mapping[str, Any]]]  # (kind of the data, inputs by name) for each data set


@dataclass(frozen=True, eq=False)
class FunctionTrial:
    """The results of a student's function on all cases: everything that its verdict depends on."""

    cases: UnseenCases
    calls: Sequence[CallResult]
    stub: bool = False


@dataclass(eq=False)
class TrialData:
    """Data on which the function is evaluated, with the worked test on these data."""

    kind: str
    data: Mapping[str, Any]
    test: Procedure
    right: Any
    got: Any = None  # value that the function returned, or error that it raised
    is_right: bool = False
    work: int = 0
    failed: ast.stmt | None = None  # statement in which the error was raised
    values: dict[str, Any] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """The number of entries of the data."""
        return _size(self.data)

    @property
    def numbers(self) -> tuple[Any, ...]:
        """The data, if they are single numbers; empty for columns."""
        return () if any(map(np.ndim, self.data.values())) else (*self.data.values(),)


def is_same(one: Any, other: Any) -> bool:
    """Whether a value of a function is the right one."""
    try:
        x, y = np.asarray(one), np.asarray(other)
        if x.shape != y.shape or x.dtype.kind not in "biuf" or y.dtype.kind not in "biuf":
            return False
        return bool(np.allclose(x.astype(float), y.astype(float), rtol=EXACT, atol=NEGLIGIBLE))
    except (TypeError, ValueError):  # the value is a list with lists of different lengths
        return False


class FunctionTester:
    """Evaluate a function on data, with its parts changed or not.

    Parameters
    ----------
    exercise : Exercise
        The exercise.
    question : Function
        The question that asks for the function.
    line : StudentLine
        The definition of the function, and the history of its names.
    tried : FunctionTrial
        The unseen data with their kinds, and what the calls of the function gave.
    """

    def __init__(self, exercise: Exercise, question: Function, line: StudentLine, tried: FunctionTrial) -> None:
        self.question, self.line, self.tested = question, line, exercise.tested(question)
        # replace values of unknown types, so that no method of a student's class is called
        self.cases, self.calls = tried.cases, [call if is_plain(call.value) else call._replace(value=NotRead) for call in tried.calls]
        self.evaluator = FunctionEvaluator(line, self._quantity)
        self.function: Any = function_of(line, self.evaluator)
        needed = required_steps(self.tested, question.step)
        # steps that the function may compute, in their order
        self.steps = [name for name in self.tested.steps if name in needed and name != "null"]
        self.place: TrialData | None = None

    def _tree(self, definition: Definition) -> Any:
        return self.evaluator.own_trees.get(id(definition.tree), definition.tree)

    # -- one call -------------------------------------------------------------------------------------------------------------
    def _quantity(self, name: str) -> Any:
        assert self.place is not None
        return self._value_in(self.place, name)

    def _value_in(self, world: TrialData, name: str) -> Any:
        if name not in world.values:
            test: Any = world.test
            found = test.null.at_most(test.statistic) if name == TAIL else getattr(test, name)
            world.values[name] = np.array(found) if np.ndim(found) else found.item() if isinstance(found, np.generic) else found
        return world.values[name]

    def _run(self, world: TrialData, change: BodyChange | None = None, watch: Any = None) -> Any:
        """Return the value of the function on some data, with one part changed; if the function raises an error, return the error."""
        evaluator, self.place = self.evaluator, world
        evaluator.watch, evaluator.blocks = watch, dict(change.blocks) if change else {}
        if change is not None and change.replacement is not None:
            evaluator.part, evaluator.other = change.part, change.replacement
        try:
            return evaluator.run(self.function, [*world.data.values()])
        except NotRead as error:
            if error.__cause__ is None:
                raise
            return error.__cause__
        finally:
            evaluator.part, evaluator.other = None, None

    def _right_there(self, world: TrialData, change: BodyChange | None = None, watch: Any = None) -> bool:
        """Return whether the function, with one part or one value changed, is right on some data; limit the work of the change."""
        whole = self.evaluator.budget
        if whole.units < 0:
            raise NotRead("the evaluation needs too much work")
        most = 6 * world.work + MOST_OF_A_SMALL_RUN if world.work else MOST_OF_A_RUN
        with self._limited(most) as own:
            try:
                return is_same(self._run(world, change, watch), world.right)
            except NotRead:
                if own.units < 0 and most >= whole.units:
                    whole.units = -1
                    raise
                return False

    @contextmanager
    def _limited(self, most: int) -> Iterator[Budget]:
        """Limit the work of a block, and subtract this work from the total budget."""
        whole = self.evaluator.budget
        self.evaluator.budget = own = Budget(min(most, whole.units))
        before = own.units
        try:
            yield own
        finally:
            self.evaluator.budget = whole
            whole.units -= before - own.units

    def _world(self, kind: str, data: Mapping[str, Any]) -> TrialData:
        self.evaluator.budget.spend(WORK_OF_A_TEST)
        test = start_test(self.tested, data)
        return TrialData(kind, data, test, getattr(test, self.question.step))

    def _tried(self, world: TrialData, most: int) -> TrialData | None:
        """Evaluate the function and return the data with the result; None if it cannot be evaluated or needs too much work."""
        before = self.evaluator.budget.units
        try:
            with self._limited(most):
                world.got = self._run(world)
        except NotRead:
            return None
        finally:
            world.work = before - self.evaluator.budget.units
        world.failed = self.evaluator.failed
        world.is_right = not isinstance(world.got, BaseException) and is_same(world.got, world.right)
        return world

    # -- the data --------------------------------------------------------------------------------------------------------------
    def _worlds(self) -> list[TrialData]:
        """Return data of each kind with the result of the evaluation; empty if a result disagrees with a real call of the function."""
        self.evaluator.budget = Budget(WORK_ON_CASES)
        is_sure = False
        worlds: dict[int, TrialData] = {}
        self.whole = [self._world(*case) for case in self.cases]
        right = [self._was_right(world, call) for world, call in zip(self.whole, self.calls, strict=True)]
        order = sorted(range(len(self.cases)), key=lambda one: (right[one], _size(self.cases[one][1])))
        first = order[:1] + [one for one in order if right[one]][:1]
        for number, place in enumerate(sorted(order, key=lambda one: one not in first)):
            kind, data = self.cases[place]
            is_checked = number < MOST_CHECKED or _size(data) < SMALL
            world = self._tried(self.whole[place], MOST_OF_A_RUN) if is_checked else None
            if world is not None and not _gave(self.calls[place], world.got):
                return []
            is_sure |= world is not None
            if world is None or world.work > FEW_UNITS:
                world = self._reduced(kind, data, right[place]) or world
            if world is not None:
                worlds[place] = world
        return [worlds[place] for place in sorted(worlds)] if is_sure else []

    def _was_right(self, world: TrialData, call: CallResult) -> bool:
        return not call.raised and is_plain(call.value) and is_same(call.value, world.right)

    def _reduced(self, kind: str, data: Mapping[str, Any], is_right: bool) -> TrialData | None:
        """Return a small part of the data on which the function is right if and only if it is right on all of them."""
        length, profile = _size(data) if any(map(np.ndim, data.values())) else 0, _profile(data)
        windows = ([*range(start, start + count)] for count in (3, 4, 5) for start in range(0, length - count + 1, 2))
        for chosen in windows:
            part = {name: np.asarray(value)[chosen] for name, value in data.items()}
            if self.evaluator.budget.units > 0 and _profile(part) == profile:
                world = self._tried(self._world(kind, part), MOST_OF_A_RUN)
                if world is not None and world.is_right == is_right:
                    return world
        return None

    def _smallest(self, failing: TrialData) -> TrialData:
        """Return few entries with small numbers on which the function fails in the same way as on the whole data."""
        small, profile = failing, _profile(failing.data)
        length = failing.size
        rng = np.random.default_rng(1)
        few = [[*chosen] for count in (1, 2) for chosen in combinations(range(length), count) if count < length]
        more = [sorted(rng.permutation(length)[:count].tolist()) for count in (3, 4) for _ in range(MOST_SUBSETS) if count < length]
        with suppress(NotRead):
            for chosen in [*few, *more]:
                if found := self._fails_in_part(failing, chosen, profile):
                    small = found
                    break
            is_smaller = small is failing
            while is_smaller:
                drops = ([k for k in range(small.size) if k != place] for place in range(small.size))
                found = next(filter(None, (self._fails_in_part(small, chosen, profile) for chosen in drops)), None)
                small, is_smaller = found or small, found is not None
            for part in _smaller_numbers(small.data):
                if _profile(part) == _profile(small.data) and (found := self._fails(failing, part)):
                    return found
        return small

    def _fails_in_part(self, world: TrialData, chosen: list[int], profile: set[str]) -> TrialData | None:
        part = {name: np.asarray(value)[chosen] for name, value in world.data.items()}
        return self._fails(world, part) if chosen and _profile(part) <= profile else None

    def _fails(self, failing: TrialData, data: Mapping[str, Any]) -> TrialData | None:
        """Return the data with the result if the function fails as before (the same error, or a wrong value); otherwise None."""
        if self.evaluator.budget.units < 0:
            raise NotRead("the evaluation needs too much work")
        try:
            tried = self._tried(self._world(failing.kind, data), MOST_OF_A_RUN)
        except Exception:  # the test raises an error on these data
            return None
        is_error = tried is not None and isinstance(failing.got, BaseException) | isinstance(tried.got, BaseException)
        fails = tried is not None and not tried.is_right and (not is_error or type(tried.got) is type(failing.got))
        return tried if fails else None


def evaluated_calls(line: StudentLine, cases: Iterable[Mapping[str, Any]]) -> list[CallResult]:
    """Evaluate calls of a function without running it, and return their results; raise NotRead if the function cannot be evaluated."""
    evaluator = FunctionEvaluator(line, lambda _: None)
    calls = []
    for data in cases:
        evaluator.budget = Budget(MOST_OF_A_LONG_RUN)
        try:
            with np.errstate(all="ignore"), catch_warnings(action="ignore"):
                calls.append(CallResult(evaluator.run(function_of(line, evaluator), [*data.values()])))
        except NotRead as error:
            if error.__cause__ is None:
                raise
            calls.append(CallResult(raised=describe_error(error.__cause__)))
    return calls


def function_of(line: StudentLine, evaluator: FunctionEvaluator) -> Any:
    """Return the tree of the function of a line; a lambda is a function that only returns."""
    tree: Any = evaluator.own_trees.get(id(line.definition.tree), line.definition.tree)
    if not isinstance(tree, ast.Lambda):
        return tree
    return ast.FunctionDef("", tree.args, [ast.copy_location(ast.Return(tree.body), tree.body)], [])


def _size(data: Mapping[str, Any]) -> int:
    return max(np.size(value) for value in data.values())


def _gave(call: CallResult, got: Any) -> bool:
    """Return whether the real call of the function and its evaluation gave the same result."""
    if isinstance(got, BaseException):
        return call.raised.partition(":")[0] in {kind.__name__ for kind in type(got).__mro__}
    if call.raised or not is_plain(call.value):
        return False
    try:
        x, y = np.asarray(call.value), np.asarray(got)
        if x.dtype.kind in "OU" or y.dtype.kind in "OU":
            return x.dtype.kind == y.dtype.kind and bool(np.all(x == y))
        return x.shape == y.shape and bool(np.allclose(x, y, rtol=1e-9, atol=1e-300, equal_nan=True))
    except (TypeError, ValueError):
        return False


def _differences(data: Mapping[str, Any]) -> Any:
    values = [np.asarray(one, float) for one in data.values()]
    return np.round(values[0] - values[1], 10) if len(values) == 2 else values[0]


def _profile(data: Mapping[str, Any]) -> set[str]:
    """Return the special properties of the differences: a zero, ties, all equal, a single one, only zeros."""
    if not any(map(np.ndim, data.values())):
        return set()
    d = _differences(data)
    sizes = np.abs(d[d != 0])
    special = {
        "a zero": bool((d == 0).any()),
        "ties": len(np.unique(sizes)) < len(sizes),
        "all equal": len(np.unique(d)) == 1,
        "single": len(d) == 1,
        "no size": not len(sizes),
    }
    return {name for name, is_so in special.items() if is_so}


def _smaller_numbers(data: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the data with smaller numbers and the same order of the differences; nothing if the data are single numbers."""
    if not any(map(np.ndim, data.values())):
        return
    d = _differences(data)
    sizes = np.unique(np.abs(d[d != 0]), return_inverse=True)[1] + 1
    small = np.zeros(len(d), int)
    small[d != 0] = sizes * np.sign(d[d != 0]).astype(int)
    if any(np.asarray(one).dtype.kind == "f" for one in data.values()):
        return  # do not round decimal numbers, because the mistake may depend on their last digits
    names = [*data]
    if len(names) == 1:
        yield {names[0]: small}
    elif len(names) == 2:
        for base in (np.maximum(0, -small), np.asarray(data[names[1]])):
            yield {names[0]: base + small, names[1]: base}
