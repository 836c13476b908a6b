"""Find the wrong part of a student's line: the part that, changed alone, makes the line right on these data and on other data."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import Any, NamedTuple
from warnings import catch_warnings

import numpy as np

from ....core.procedure import Procedure
from ..answers.answer_context import AnswerContext
from ..answers.answer_history import EarlierAnswer
from ..answers.answer_value import has_full_precision, is_real_valued
from ..exercise import Exercise, required_steps, start_test
from ..question import Question
from .code_history import Definition, StudentLine, place_in_line
from .evaluation_limits import Budget, NotRead, is_plain
from .line_edits import COMPARISON, MISSING_RANK, SIGN, Edit, edits
from .pure_evaluator import PureEvaluator

WORK = 40_000  # units of work for one reply: about 100 ms
WORLDS, WORLDS_OF_DECISIONS = 4, 12  # other data on which a change must give the right value; a yes or no agrees more easily by chance
MAX_PARTS, MAX_FOLLOWED, MAX_QUANTITIES = 90, 6, 14
DECISION_RANK = 1  # last rank of changes that are tried in a line which gives yes or no
UNSAID = ("alpha", "null")  # slots whose values may be part of a typed number, such as 0.975
TRIVIAL = (0, 1, 2)  # numbers that agree with other numbers by chance
EXACT = 1e-9  # relative difference of two computations of the same number


class LineReading(NamedTuple):
    """What a line says: the change that makes it right, names of known parts, slots that no part has, a name that is out of date."""

    definition: Definition
    edit: Edit | None
    known: dict[str, str]
    absent: tuple[str, ...]
    stale: tuple[str, str] | None = None
    mistake: str = ""  # name of the mistake whose value the wrong part has


class Site(NamedTuple):
    """A part of the line, or of a line of a name in it."""

    part: ast.expr
    definition: Definition


@cache
def _other_test(exercise: Exercise, test: type[Procedure], number: int) -> tuple[Mapping[str, Any], Procedure]:
    """Return data of no student, in the form of ``task.data``, and the test on these data."""
    data = dict(exercise.draw(np.random.default_rng([*f"{exercise.name} line {number}".encode()])))
    if number % 2:
        data |= exercise.elsewhere
    return _arrays(data), start_test(test, data)


def _arrays(data: Mapping[str, Any]) -> dict[str, Any]:
    return {name: np.array(value) if isinstance(value, list | tuple | np.ndarray) else value for name, value in data.items()}


def agrees(one: Any, other: Any) -> bool:
    """Whether two values are the same up to floating-point noise."""
    try:
        x, y = np.asarray(one), np.asarray(other)
        if x.shape != y.shape or x.dtype.kind not in "biuf" or y.dtype.kind not in "biuf" or (x.dtype.kind == "b") != (y.dtype.kind == "b"):
            return False
        return bool(np.all(x == y) or (x.dtype.kind != "b" and np.allclose(x, y, rtol=EXACT, atol=1e-300)))
    except (ValueError, TypeError):  # lists of different lengths
        return False


def _size(pair: tuple[Edit, Definition]) -> int:
    """Return the length of what is marked; of an operation only its sign."""
    return 1 if pair[0].words in (SIGN, COMPARISON) else len(ast.unparse(pair[0].marked or pair[0].part))


def _values_of(test: Procedure, budget: Budget) -> Callable[[str], Any]:
    def value(name: str) -> Any:
        budget.spend(1)
        found = getattr(test, name)
        return found.item() if isinstance(found, np.generic) and np.ndim(found) == 0 else found

    return value


class LineReader:
    """Reader of the line of one answer.

    Parameters
    ----------
    context : AnswerContext
        The answer and its question.
    line : StudentLine
        The line that made the answer.
    earlier : mapping
        Earlier answers by step.
    targets : sequence
        The right value, and values that follow from the student's earlier answers.
    """

    def __init__(self, context: AnswerContext, line: StudentLine, earlier: Mapping[str, EarlierAnswer], targets: Sequence[Any]) -> None:
        self.context, self.line, self.earlier, self.targets, self.budget = context, line, earlier, targets, Budget(WORK)
        self.definition, self.history = self.line.definition, self.line.history
        self.root: Any = self.definition.tree
        self.home = self._world(context.test, _arrays(context.tests.data), self.line.namespace)
        self.steps_of_names = dict(self._checked_names())
        self.quantities = self._quantities()
        self.names = [*dict.fromkeys([*self.quantities, *self._numbers(self._steps_of_exercise())])]
        self.quantity_of_part: dict[int, str] = {}

    def _world(self, test: Procedure, data: Mapping[str, Any], namespace: Mapping[str, Any]) -> PureEvaluator:
        return PureEvaluator(self.history, data, namespace, _values_of(test, self.budget), self.budget)

    def _checked_names(self) -> Iterator[tuple[int, str]]:
        """Yield the definitions that are earlier answers, with their steps."""
        for step, earlier in self.earlier.items():
            for definition in self.history.checked.get(earlier.key, []):
                if definition is not self.definition:
                    yield id(definition), step

    def _other_worlds(self) -> Iterator[tuple[PureEvaluator, Any]]:
        """Yield worlds of other data with the right value of the line there."""
        exercise, question, test = self.context.exercise, self.context.question, type(self.context.test)
        for number in range(WORLDS_OF_DECISIONS if self.is_decision else WORLDS):
            data, other = _other_test(exercise, test, number)  # type: ignore[arg-type]
            world = self._world(other, data, {})
            definitions = (one for known in self.history.definitions.values() for one in known)
            world.aliases = {id(one): getattr(other, self.steps_of_names[id(one)]) for one in definitions if id(one) in self.steps_of_names}
            yield world, getattr(other, question.step)

    @property
    def is_decision(self) -> bool:
        """Whether the question asks for yes or no."""
        return bool(self.context.y.dtype.kind == "b")

    # -- what the line says --------------------------------------------------------------------------------------------------
    def reading(self) -> LineReading | None:
        """Return what the line says; None if it cannot be read, or if nothing true is known about it."""
        with np.errstate(all="ignore"), catch_warnings(action="ignore"):
            if stale := self._stale():
                return LineReading(self.definition, None, {}, (), stale)
            if not agrees(self._value(self.root, self.definition.time), self.context.answer):
                return None
            reading = None
            with suppress(NotRead):  # too much work
                self.worlds = [*self._other_worlds()]
                self.sites = [*self._sites()]
                known = self._known_parts()
                slots = [name for name in self.context.step.slots if name in self.quantities and name not in UNSAID]
                absent = tuple(name for name in slots if not self._has_value(name))
                if known and (absent or len(slots) == len(self.context.step.slots) > 1) and not self.is_decision:
                    reading = LineReading(self.definition, None, known, absent)
                if found := self._wrong_part():
                    known = {text: name for text, name in known.items() if name != self._quantity_of(self.root, self.definition)}
                    reading = LineReading(found[1], found[0], known, (), mistake=self._mistake_of(*found))
            return reading

    def _mistake_of(self, edit: Edit, definition: Definition) -> str:
        """Return the name of the only mistake of an earlier step whose value the marked part has; empty if there is none."""
        value, context = self._part_value(self.home, edit.marked or edit.part, definition), self.context
        if value is None or not is_real_valued(value):
            return ""
        named = [one for one in context.exercise.mistakes_at(context.question) if one.step != context.question.step]
        fitting = {one.name for one in named if agrees(value, getattr(context.tests[one.wrong], one.step))}
        return fitting.pop() if len(fitting) == 1 and not self._quantity_of(edit.marked or edit.part, definition) else ""

    def _has_value(self, name: str) -> bool:
        """Whether a part of the line, or of a line of its names, has the value of a quantity."""
        return any(agrees(self._part_value(self.home, part, definition), self.home.quantities(name)) for part, definition in self.sites)

    def _value(self, tree: Any, time: int) -> Any:
        try:
            return self.home.value(tree, time)
        except NotRead:
            return None

    def _stale(self) -> tuple[str, str] | None:
        """Return a name that was computed before another name changed, and the other name."""
        waiting, done = [self.definition], set[int]()
        while waiting and len(done) < MAX_FOLLOWED:
            definition = waiting.pop()
            if id(definition) in done or not isinstance(definition.tree, ast.expr):
                continue
            done.add(id(definition))
            names = [node.id for node in ast.walk(definition.tree) if isinstance(node, ast.Name)]
            before = [one for name in names if (one := self.history.find(name, definition.time))]
            changed = [one.name for one in before if self.history.definitions[one.name][-1].time > definition.time]
            is_last = not definition.name or self.history.definitions[definition.name][-1] is definition
            if changed and definition.name and definition.name not in names and is_last:
                then = self.context.answer if definition is self.definition else self.line.namespace.get(definition.name)
                fresh = PureEvaluator(self.history, self.home.data, self.line.namespace, self.home.quantities, self.budget)
                try:
                    now = fresh.value(definition.tree, self.history.time + 1)
                except NotRead:
                    now = None
                if now is not None and is_plain(then) and then is not None and np.shape(now) == np.shape(then) and not agrees(now, then):
                    return definition.name, changed[0]
            waiting += before
        return None

    def _sites(self) -> Iterator[Site]:
        """Yield the parts of the line, and of the lines of its names that answer no earlier question; note what is around each part."""
        self.parents: dict[int, set[int]] = {}
        waiting, followed, count = [self.definition], set[int](), 0
        while waiting and len(followed) < MAX_FOLLOWED:
            definition = waiting.pop(0)
            if id(definition) in followed:
                continue
            followed.add(id(definition))
            for node in ast.walk(definition.tree):  # type: ignore[arg-type]
                for child in ast.iter_child_nodes(node):
                    self.parents.setdefault(id(child), set()).add(id(node))
            inside: list[Any] = [definition.tree]
            while inside and count < MAX_PARTS:
                node = inside.pop(0)
                if isinstance(node, ast.expr) and not self._is_function_name(node, definition):
                    count += 1
                    yield Site(node, definition)
                known = self.history.find(node.id, definition.time) if isinstance(node, ast.Name) else None
                if known and isinstance(known.tree, ast.expr) and not self._is_given(known):
                    self.parents.setdefault(id(known.tree), set()).add(id(node))
                    waiting.append(known)
                if not isinstance(node, ast.expr) or not self._quantity_of(node, definition):
                    inside += ast.iter_child_nodes(node)  # nothing is wrong inside a part that is right

    def _is_given(self, definition: Definition) -> bool:
        """Whether a name answers an earlier question, holds data of the exercise, or is right: a known quantity."""
        return definition.is_data or id(definition) in self.steps_of_names or bool(self._quantity_of(definition.tree, definition))

    def _is_function_name(self, node: ast.expr, definition: Definition) -> bool:
        name = node
        while isinstance(name, ast.Attribute):
            name = name.value
        known = self.history.find(name.id, definition.time) if isinstance(name, ast.Name) else None
        return isinstance(name, ast.Name) and (known is None or bool(known.module) or isinstance(known.tree, ast.FunctionDef))

    def _around(self, part: ast.AST) -> frozenset[int]:
        around, waiting = {id(part)}, [id(part)]
        while waiting:
            for parent in self.parents.get(waiting.pop(), ()):
                if parent not in around:
                    around.add(parent)
                    waiting.append(parent)
        return frozenset(around)

    # -- the wrong part --------------------------------------------------------------------------------------------------------
    def _quantities(self) -> dict[str, bool]:
        """Return the numbers from which the asked step follows, direct ones first, and whether each is a whole number."""
        needed = required_steps(type(self.context.test), self.context.step.name) - {self.context.step.name}
        numbers = self._numbers([*self.context.step.slots, *sorted(needed)])
        return {name: not x.ndim and bool(x == np.floor(x)) for name, x in [*numbers.items()][:MAX_QUANTITIES]}

    def _steps_of_exercise(self) -> list[str]:
        """Return the steps and inputs that the exercise asks for with this test, and those from which they follow."""
        exercise, test = self.context.exercise, type(self.context.test)
        asked = (one.step for one in exercise.questions if isinstance(one, Question) and exercise.tested(one) is test)
        return sorted(set().union(*(required_steps(test, step) for step in asked)))

    def _numbers(self, names: Sequence[str]) -> dict[str, Any]:
        """Return the steps and inputs that are numbers, columns or tables of numbers."""
        values = {name: np.asarray(getattr(self.context.test, name)) for name in dict.fromkeys(names)}
        return {name: value for name, value in values.items() if value.dtype.kind in "iuf" and value.ndim <= 2}

    def _wrong_part(self) -> tuple[Edit, Definition] | None:
        """Return the change of one part that makes the line right: among equally likely changes, that of the smallest part."""
        tried: dict[int, list[tuple[Edit, Definition]]] = {}
        for site in self.sites:
            for edit in edits(site.part, self.quantities, site.part is self.root):
                tried.setdefault(edit.rank, []).append((edit, site.definition))
        unproved: list[tuple[Edit, Definition]] = []  # changes that fit these data only: numbers that were typed do not fit others
        for rank in sorted(tried):
            if rank > DECISION_RANK and self.is_decision:
                break
            fits = [(pair, self._fits(pair[0])) for pair in tried[rank]]
            fitting = [pair for pair, everywhere in fits if everywhere]
            unproved += [pair for pair, everywhere in fits if everywhere is False and rank < MISSING_RANK]
            if fitting:
                return max(fitting, key=_size) if rank == MISSING_RANK else min(fitting, key=self._order)
        places = {id(edit.marked or edit.part) for edit, _ in unproved}
        return unproved[0] if len(places) == 1 else None

    def _order(self, pair: tuple[Edit, Definition]) -> tuple[bool, int]:
        """Return the order of changes: first those of parts that are not right themselves, then those of small parts."""
        return bool(self._quantity_of(pair[0].marked or pair[0].part, pair[1])), _size(pair)

    def _edited(self, world: PureEvaluator, edit: Edit, around: frozenset[int]) -> Any:
        try:
            return world.with_edit(self.root, self.definition.time, edit.part, edit.replacement, around)
        except NotRead:
            if self.budget.units < 0:
                raise
            return None

    def _fits(self, edit: Edit) -> bool | None:
        """Whether a changed part makes the line right on other data, too; None if it does not make the line right here."""
        around = self._around(edit.part)
        value = self._edited(self.home, edit, around)
        if value is None or not any(agrees(value, target) for target in self.targets):
            return None
        elsewhere = [(found, right) for world, right in self.worlds if (found := self._edited(world, edit, around)) is not None]
        right_there = [agrees(found, right) for found, right in elsewhere]
        if len(right_there) > len(self.worlds) // 2 and all(right_there):
            return True
        is_sure = is_real_valued(self.context.right) and has_full_precision(self.context.right)
        return False if is_sure and (not right_there or (self._has_typed_data() and not any(right_there))) else None

    def _has_typed_data(self) -> bool:
        """Whether numbers were typed into the line that fit these data: counts, or counts less 1."""
        typed = {site.part.value for site in self.sites if isinstance(site.part, ast.Constant) and type(site.part.value) in (int, float)}
        counts = {self.home.quantities(name) for name, is_count in self.quantities.items() if is_count}
        return bool(typed & (counts | {count - 1 for count in counts}) - set(TRIVIAL))

    # -- known parts -----------------------------------------------------------------------------------------------------------
    def _known_parts(self) -> dict[str, str]:
        """Return the parts of the line that have the value of exactly one known quantity: text and name."""
        known: dict[str, str] = {}
        for part, definition in self.sites:
            name = "" if isinstance(part, ast.Constant) or definition is not self.definition else self._quantity_of(part, definition)
            text = definition.text[slice(*place_in_line(definition.text, part))]
            if name and name != self.context.question.step and text and name not in known.values():
                known[text] = name
        return known

    def _quantity_of(self, part: Any, definition: Definition) -> str:
        """Return the known quantity whose value a part has, here and on other data; empty if there is none, or several."""
        if id(part) not in self.quantity_of_part:
            value = self._part_value(self.home, part, definition)
            can_tell = value is not None and (np.ndim(value) or value not in TRIVIAL)
            names = [name for name in self.names if can_tell and agrees(value, self.home.quantities(name))]
            names = [name for name in names if all(self._is_part(world, part, definition, name) for world, _ in self.worlds)]
            self.quantity_of_part[id(part)] = names[0] if len(names) == 1 else ""
        return self.quantity_of_part[id(part)]

    def _part_value(self, world: PureEvaluator, part: ast.expr, definition: Definition) -> Any:
        try:
            return world.value(part, definition.time)
        except NotRead:
            if self.budget.units < 0:
                raise
            return None

    def _is_part(self, world: PureEvaluator, part: ast.expr, definition: Definition, name: str) -> bool:
        value = self._part_value(world, part, definition)
        return value is None or agrees(value, world.quantities(name))
