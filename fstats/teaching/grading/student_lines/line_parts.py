"""Subexpressions of a student's line of code.

Each part is matched with the known quantities of the exercise.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations, islice
from typing import Any, NamedTuple

import numpy as np

from ....core.procedure import Procedure
from ..answers.answer_context import AnswerContext
from ..answers.answer_history import EarlierAnswer
from ..answers.answer_value import DIGITS, has_full_precision, is_equal, significant_digits
from ..exercise import Exercise, reachable, required_steps, start_test
from ..question import Question
from .code_history import BlockValue, Definition, StudentLine
from .evaluation_limits import Budget, NotRead
from .line_values import agrees
from .pure_evaluator import PureEvaluator

WORK = 17_000  # maximum units of work for one reply, which take about 85 ms
# number of other data sets on which a change must be right; a yes-or-no answer needs more, because it is often right by chance
WORLDS, WORLDS_OF_DECISIONS = 4, 12
DRAWN = 4  # maximum number of drawn data sets for each data set that is used
MAX_PARTS, MAX_FOLLOWED, MAX_QUANTITIES = 90, 6, 14
SMALL_SUM = 50  # a whole number up to this limit is often the sum of two counts by chance
TRIVIAL = (0, 1, 2)  # values that many different quantities have
# functions that convert or measure their argument, but compute no new number
CONVERSIONS = ("len", "float", "int", "array", "asarray", "list", "size", "shape")


class Site(NamedTuple):
    """A part of the line, or of a line of a name in it; `text` is the line of code in which the part stands.

    If `is_right` is true, the part stands in a part that is a known quantity, so nothing is wrong in it. If `is_local` is true, the part
    has names of a loop or of a function, so it has no single value.
    """

    part: ast.expr
    definition: Definition
    text: str
    is_right: bool = False
    is_local: bool = False


@cache
def _other_test(exercise: Exercise, test: type[Procedure], number: int) -> tuple[Mapping[str, Any], Procedure]:
    """Return data that no student has, in the form of ``task.data``, and the test on these data."""
    data = dict(exercise.draw(np.random.default_rng([*f"{exercise.name} line {number}".encode()])))
    if number % 2:
        data |= exercise.elsewhere
    return arrays(data), start_test(test, data)


def arrays(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return data in the form of ``task.data``."""
    return {name: np.array(value) if isinstance(value, list | tuple | np.ndarray) else value for name, value in data.items()}


def _values_of(test: Procedure, budget: Budget) -> Callable[[str], Any]:
    def value(name: str) -> Any:
        budget.spend(1)
        found = getattr(test, name)
        return found.item() if isinstance(found, np.generic) and np.ndim(found) == 0 else found

    return value


class LineParts:
    """The parts of the line of one answer.

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
        self.home = self._world(context.test, arrays(context.tests.data), self.line.namespace)
        self.steps_of_names = dict(self._checked_names())
        self.quantities = self._quantities()
        self.names = [*dict.fromkeys([*self.quantities, *self._numbers(self._steps_of_exercise())])]
        self.quantity_of_part: dict[int, str] = {}
        self.parents: dict[int, set[int]] = {}
        self.worlds: list[tuple[PureEvaluator, Any]] = []
        self.other_tests: list[Procedure] = []  # tests on the other data sets
        self.sites: list[Site] = []

    def read_parts(self) -> None:
        """Find the parts of the line; raise NotRead if this is too much work."""
        self.worlds = [*self._other_worlds()]
        followed = self.history.followed(self.definition, lambda one: isinstance(one.tree, ast.expr) and not one.is_data)
        for definition in islice(followed, MAX_FOLLOWED):
            for node in ast.walk(definition.tree):  # type: ignore[arg-type]
                if isinstance(node, ast.Constant) and type(node.value) in (int, float) and node.value not in TRIVIAL:
                    self._follow_typed(node)
        self.sites = [*self._sites()]

    def _follow_typed(self, node: Any) -> None:
        """Replace a typed count, count minus 1, sum of two counts, or ratio by its value on other data, if only one of them fits."""
        if type(node.value) is float:  # ignore multiples of 1/2, because many calculations give them
            known = {name: self.home.quantities(name) for name in self.quantities if name not in type(self.context.test).defaults}
            ratios = [name for name, value in known.items() if agrees(node.value, value) and 2 * value != np.floor(2 * value)]
            for world, _ in self.worlds if len(ratios) == 1 else ():
                world.typed[id(node)] = float(world.quantities(ratios[0]))
            return
        counts = [name for name, is_count in self.quantities.items() if is_count and name not in type(self.context.test).defaults]
        single, sums = [(name,) for name in counts], [*combinations(counts, 2)] if node.value > SMALL_SUM else []
        for less, groups in ((0, single), (1, single), (0, sums)):
            names = [group for group in groups if sum(map(self.home.quantities, group)) - less == node.value]
            values = [{int(sum(map(world.quantities, group))) - less for group in names} for world, _ in self.worlds]
            if names and all(len(one) == 1 for one in values):
                for (world, _), (value,) in zip(self.worlds, values, strict=True):
                    world.typed[id(node)] = value
                return

    def _world(self, test: Procedure, data: Mapping[str, Any], namespace: Mapping[str, Any]) -> PureEvaluator:
        return PureEvaluator(self.history, data, namespace, _values_of(test, self.budget), self.budget)

    def _checked_names(self) -> Iterator[tuple[int, str]]:
        """Yield (id of the definition, step) for each name that is an earlier answer."""
        for step, earlier in self.earlier.items():
            for definition in self.history.checked.get(earlier.key, []):
                if definition is not self.definition:
                    yield id(definition), step

    def _other_worlds(self) -> Iterator[tuple[PureEvaluator, Any]]:
        """Yield an evaluator for each other data set, with the right value of the line on these data."""
        exercise, question, test = self.context.exercise, self.context.question, type(self.context.test)
        count = WORLDS_OF_DECISIONS if self.is_decision else WORLDS
        drawn = (_other_test(exercise, test, number) for number in range(DRAWN * count))  # type: ignore[arg-type]
        for data, other in islice(filter(lambda pair: self.is_decision or self.is_similar(pair[1]), drawn), count):
            world = self._world(other, data, {})
            definitions = (one for known in self.history.definitions.values() for one in known)
            self.other_tests.append(other)
            world.aliases = {id(one): getattr(other, self.steps_of_names[id(one)]) for one in definitions if id(one) in self.steps_of_names}
            yield world, getattr(other, question.step)

    def is_similar(self, other: Procedure) -> bool:
        """Whether the numbers of a test on other data have the signs of the student's, and no probability is cut at 1.

        The expression 2 P(T >= t) is right for a positive t and below 1 only.
        """
        names = [name for name in self.quantities if not np.ndim(self.home.quantities(name))]
        is_cut = bool(np.all(self.context.value_in(other) == 1)) and not bool(np.all(self.context.y == 1))
        return not is_cut and all(np.sign(getattr(other, name)) == np.sign(self.home.quantities(name)) for name in names)

    @property
    def is_decision(self) -> bool:
        """Whether the question asks for yes or no."""
        return bool(self.context.y.dtype.kind == "b")

    # -- parts ---------------------------------------------------------------------------------------------------------------
    def _sites(self) -> Iterator[Site]:
        """Yield the parts of the line and of the definitions it uses, except for earlier answers; record the parents of each part."""
        waiting, followed, count = [self.definition], set[int](), 0
        while waiting and len(followed) < MAX_FOLLOWED:
            definition = waiting.pop(0)
            if id(definition) in followed:
                continue
            followed.add(id(definition))
            for node in ast.walk(definition.tree):  # type: ignore[arg-type]
                for child in ast.iter_child_nodes(node):
                    self.parents.setdefault(id(child), set()).add(id(node))
            local, outer = local_names(definition.tree), outer_names(definition.tree)
            inside: list[tuple[Any, str, bool]] = [(definition.tree, definition.text, False)]
            while inside and count < MAX_PARTS:
                node, text, is_right = inside.pop(0)
                text = getattr(node, "line", text)
                if isinstance(node, ast.expr) and not self._is_function_name(node, definition) and not _is_written(node):
                    count += 1
                    has_local = bool(local) and _has_free(node, local)
                    yield Site(node, definition, text, is_right, has_local)
                    if not has_local and node is not self.root:  # if a part is right, all parts inside it are right
                        is_right = is_right or bool(self.quantity_of(node, definition))
                name = node.id if isinstance(node, ast.Name) else ""
                is_followed = name not in local or name in outer  # a sum in a loop is local, but has a definition before the loop
                known = self.history.find(name, definition.time) if name and is_followed else None
                if known and isinstance(known.tree, ast.expr | ast.FunctionDef) and not is_right and not self.is_given(known):
                    self.parents.setdefault(id(known.tree), set()).add(id(node))
                    waiting.append(known)
                inside += ((child, text, is_right) for child in ast.iter_child_nodes(node))

    def answered_step(self, site: Site) -> str:
        """Return the step that a name of the line answered earlier, perhaps with a rounded number; empty if it answered none."""
        known = self.history.find(site.part.id, site.definition.time) if isinstance(site.part, ast.Name) else None
        return self.steps_of_names.get(id(known), "")

    def is_given(self, definition: Definition) -> bool:
        """Whether a name answers an earlier question, holds data of the exercise, or is right: a known quantity."""
        is_expression = isinstance(definition.tree, ast.expr)
        is_answer = definition.is_data or id(definition) in self.steps_of_names
        return is_answer or (is_expression and bool(self.quantity_of(definition.tree, definition)))

    def _is_function_name(self, node: ast.expr, definition: Definition) -> bool:
        name = node
        while isinstance(name, ast.Attribute):
            name = name.value
        known = self.history.find(name.id, definition.time) if isinstance(name, ast.Name) else None
        return isinstance(name, ast.Name) and (known is None or bool(known.module) or isinstance(known.tree, ast.FunctionDef))

    def around(self, *parts: ast.AST) -> frozenset[int]:
        """Return the identities of some parts and of everything in which they stand."""
        return frozenset(reachable(map(id, parts), lambda part: self.parents.get(part, ())))

    # -- known quantities ------------------------------------------------------------------------------------------------------
    def _quantities(self) -> dict[str, bool]:
        """Map the numbers that the asked step depends on to whether they are whole numbers; direct inputs come first."""
        needed = required_steps(type(self.context.test), self.context.step.name) - {self.context.step.name}
        numbers = self._numbers([*self.context.step.slots, *sorted(needed)])
        return {name: not x.ndim and bool(x == np.floor(x)) for name, x in [*numbers.items()][:MAX_QUANTITIES]}

    def _steps_of_exercise(self) -> list[str]:
        """Return the steps and inputs that the exercise asks for with this test, and all steps and inputs that these use."""
        exercise, test = self.context.exercise, type(self.context.test)
        asked = (one.step for one in exercise.questions if isinstance(one, Question) and exercise.tested(one) is test)
        return sorted(set().union(*(required_steps(test, step) for step in asked)))

    def _numbers(self, names: Sequence[str]) -> dict[str, Any]:
        """Map the steps and inputs that are numbers, columns or tables of numbers to their values."""
        values = {name: np.asarray(getattr(self.context.test, name)) for name in dict.fromkeys(names)}
        return {name: value for name, value in values.items() if value.dtype.kind in "iuf" and value.ndim <= 2}

    def is_other_way(self, name: str) -> bool:
        """Whether a step follows from what the asked step follows from: another step for a decision, or the same inputs."""
        test, slots = type(self.context.test), {*self.context.step.slots}
        step = test.steps.get(name)
        return step is not None and (
            ({*step.slots} == slots and step.check == self.context.step.check)
            or (self.is_decision and bool(slots & required_steps(test, name)))
        )

    def quantity_of(self, part: Any, definition: Definition) -> str:
        """Return the known quantity whose value a part has, here and on other data; empty if there is none, or several."""
        if id(part) not in self.quantity_of_part:
            value = self.part_value(self.home, part, definition)
            can_tell = value is not None and (np.ndim(value) or value not in TRIVIAL)
            names = [name for name in self.names if can_tell and agrees(value, self.home.quantities(name))]
            names = [name for name in names if self._can_be(part, definition, name)]
            if names:
                elsewhere = [(self.part_value(world, part, definition), world) for world, _ in self.worlds]
                known = [(other, world) for other, world in elsewhere if other is not None]
                names = [name for name in names if all(agrees(other, world.quantities(name)) for other, world in known)]
                names = names if known or has_full_precision(value) or not isinstance(part, ast.BinOp) else []
            self.quantity_of_part[id(part)] = names[0] if len(names) == 1 else ""
        return self.quantity_of_part[id(part)]

    def _can_be(self, part: ast.expr, definition: Definition, name: str) -> bool:
        """Return whether a part can be a quantity: a computed part cannot be an input, and a quotient cannot be a count."""
        if name in type(self.context.test).inputs:
            return self._is_not_computed(part, definition)
        is_count = not np.ndim(self.home.quantities(name)) and self.home.quantities(name) == np.floor(self.home.quantities(name))
        return not (is_count and any(isinstance(node, ast.Div) for node in ast.walk(part)))

    def _is_not_computed(self, part: Any, definition: Definition) -> bool:
        match part:
            case ast.Name(name):
                known = self.history.find(name, definition.time)
                return known is not None and (known.is_data or (known.tree is not None and self._is_not_computed(known.tree, known)))
            case ast.Attribute(ast.Call()):
                return True
            case ast.Attribute(inner) | ast.Subscript(inner) | ast.Call(ast.Attribute(inner, "copy" | "tolist"), []):
                return self._is_not_computed(inner, definition)
            case ast.Call(ast.Name(name) | ast.Attribute(attr=name), [inner, *_]):
                return name in CONVERSIONS and self._is_not_computed(inner, definition)
        return False

    def has_value(self, name: str) -> bool:
        """Return whether a part of the line, or of a definition that it uses, has the value of a quantity."""
        sites = [site for site in self.sites if not site.is_local]
        value = np.asarray(self.home.quantities(name))
        # a line may contain the count minus 1, such as n - 1 or a position from 0, or the count plus 1 as the end of `range`
        is_less = value.dtype.kind in "iu" and (value.ndim or value - 1 not in TRIVIAL)
        forms = (value, value - 1) if is_less else (value,)
        values = [self.part_value(self.home, site.part, site.definition) for site in sites]
        if value.dtype.kind in "iu" and not value.ndim:
            calls = [site for site in sites if isinstance(site.part, ast.Call) and ast.unparse(site.part.func) == "range"]
            ends = [self.part_value(self.home, site.part.args[-1], site.definition) for site in calls if site.part.args]  # type: ignore[attr-defined]
            values += [end - 1 for end in ends if type(end) is int]
        typed = [site.part.value for site in sites if isinstance(site.part, ast.Constant) and type(site.part.value) is float]
        is_rounded = not value.ndim and any(significant_digits(number) >= DIGITS and is_equal(number, value) for number in typed)
        is_rounded = is_rounded or any(self.answered_step(site) == name and self.earlier[name].is_right for site in sites)
        return is_rounded or any(agrees(found, form) for found in values for form in forms)

    def changed_value(
        self, world: PureEvaluator, replaced: Mapping[int, ast.expr], around: frozenset[int], work: int, blocks: Mapping[int, Any] = {}
    ) -> Any:
        """Return the value of the line with other parts or blocks in a world; None if it is not read, or needs too much work."""
        world.blocks, self.budget.floor = blocks, max(0, self.budget.units - work)  # limit the work, because a changed loop may never end
        try:
            return world.with_edits(self.root, self.definition.time, replaced, around)
        except NotRead:
            if self.budget.units < 0:
                raise
            return None
        finally:
            world.blocks, self.budget.floor = {}, 0

    def part_value(self, world: PureEvaluator, part: ast.expr, definition: Definition) -> Any:
        """Return the value of a part in a world; None if the part is not read, or if its lists have different lengths."""
        try:
            value = world.value(part, definition.time)
            np.ndim(value)
        except ValueError:
            return None
        except NotRead:
            if self.budget.units < 0:
                raise
            return None
        return value


def local_names(tree: Any) -> set[str]:
    """Return the names of loops, of functions and of comprehensions in a tree."""
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and _is_written(node)}
    names |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    return names | ({tree.name} if isinstance(tree, BlockValue) else set())


def outer_names(tree: Any) -> set[str]:
    """Return the names that a loop or a condition reads before it sets them; only these names need a definition before the block."""
    needed, known = set[str](), set[str]()

    def follow(statements: list[Any]) -> None:
        for statement in statements:
            blocks = [getattr(statement, name, []) for name in ("body", "orelse")]
            inside = {id(node) for block in blocks for inner in block for node in ast.walk(inner)}
            names = [node for node in ast.walk(statement) if isinstance(node, ast.Name) and id(node) not in inside]
            read = {node.id for node in names if not _is_written(node)} - {node.id for node in names if _is_written(node)}
            if not any(blocks):  # an assignment reads its value before it sets its target
                value, target = getattr(statement, "value", statement), getattr(statement, "target", None)
                read |= {node.id for node in ast.walk(value) if isinstance(node, ast.Name)} - local_names(value)
                read |= {target.id} if isinstance(statement, ast.AugAssign) and isinstance(target, ast.Name) else set()
            needed.update(read - known)
            known.update(node.id for node in names if _is_written(node))
            before, after = {*known}, []
            for block in blocks:
                known.intersection_update(before)
                follow(block)
                after.append({*known})
            known.intersection_update(before)
            known.update(after[0] & after[1] if isinstance(statement, ast.If) else after[0] | after[1])

    follow([tree.statement] if isinstance(tree, BlockValue) else [])
    return needed


def _has_free(part: ast.expr, local: set[str]) -> bool:
    """Return whether a part contains a local name that is not set inside the part."""
    free = local - local_names(part)
    return any(isinstance(node, ast.Name) and node.id in free for node in ast.walk(part))


def _is_written(node: ast.expr) -> bool:
    """Return whether a name is set, not read."""
    return isinstance(getattr(node, "ctx", None), ast.Store)
