"""Detect variables with wrong or outdated values.

Such a variable has overwritten data, a value computed before a change, or a rounded number.
"""

from __future__ import annotations

import ast
from itertools import islice
from typing import Any

import numpy as np

from ..answers.answer_value import is_equal, significant_digits
from ..hints.quantity_label import quantity_label
from ..verdicts.marked_line import MarkedLine
from .call_remarks import lost_data_remark
from .code_history import Definition, place_in_line
from .evaluation_limits import is_plain
from .line_parts import MAX_FOLLOWED, LineParts, Site, local_names, outer_names
from .line_values import agrees
from .pure_evaluator import KnownQuantity, PureEvaluator

ROUNDED_INPUT = "`{}` is a rounded number ({}{}). Compute with all its digits, and round only the result."
MOST_ROUNDED = 0.05  # maximum relative error of a number that was rounded to two digits


def stale_name(reader: LineParts) -> tuple[str, str] | None:
    """Return a name that was computed before another name changed, and the other name."""
    waiting, done = [reader.definition], set[int]()
    while waiting and len(done) < MAX_FOLLOWED:
        definition = waiting.pop()
        if id(definition) in done or not isinstance(definition.tree, ast.expr):
            continue
        done.add(id(definition))
        names = [node.id for node in ast.walk(definition.tree) if isinstance(node, ast.Name)]
        before = [one for name in names if (one := reader.history.find(name, definition.time))]
        latest = [reader.history.definitions[one.name][-1] for one in before]
        # ignore a name whose later value was computed from this line's value, because running the line again would then be wrong
        changed = [one.name for one in latest if one.time > definition.time and not _uses(one, definition.name, one.name)]
        is_last = not definition.name or reader.history.definitions[definition.name][-1] is definition
        if changed and definition.name and definition.name not in names and is_last:
            then = reader.context.answer if definition is reader.definition else reader.line.namespace.get(definition.name)
            fresh = PureEvaluator(reader.history, reader.home.data, reader.line.namespace, reader.home.quantities, reader.budget)
            now = fresh.known_value(definition.tree, reader.history.time + 1)
            # if the value was right and would now be wrong, the later value of the other name is wrong, not this one
            known = [reader.home.quantities(name) for name in reader.names] if definition is not reader.definition else []
            if any(agrees(then, value) and not agrees(now, value) for value in known):
                continue
            if now is not None and is_plain(then) and then is not None and np.shape(now) == np.shape(then) and not agrees(now, then):
                return definition.name, changed[0]
        waiting += before
    return None


def _uses(definition: Definition, *names: str) -> bool:
    """Return whether the definition of a name reads one of the given names."""
    return definition.tree is not None and any(isinstance(one, ast.Name) and one.id in names for one in ast.walk(definition.tree))


def lost_data(reader: LineParts) -> str:
    """Say which name no longer holds the data of the exercise, if the line is right with these data; empty if there is none."""
    lost: dict[int, tuple[Definition, Any, Any]] = {}
    for definition in islice(reader.history.followed(reader.definition, lambda one: isinstance(one.tree, ast.expr)), MAX_FOLLOWED):
        tree: Any = definition.tree
        local = local_names(tree) - outer_names(tree)
        for node in (node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id not in local):
            now = reader.history.find(node.id, definition.time)
            given = [one for one in reader.history.definitions.get(node.id, []) if one.is_data and now and one.time < now.time]
            if now and given and not now.is_data and (data := reader.home.known_value(given[-1].tree, given[-1].time)) is not None:
                value = reader.home.known_value(node, definition.time)
                is_same = value is not None and np.array_equal(np.asarray(value), np.asarray(data))
                lost |= {} if is_same else {id(now): (now, value, data)}
    if not lost:
        return ""
    with_data = PureEvaluator(reader.history, reader.home.data, {}, reader.home.quantities, reader.budget)
    with_data.aliases = {one: data for one, (_, _, data) in lost.items()}
    value = with_data.known_value(reader.root, reader.definition.time)
    is_right = value is not None and is_equal(value, reader.context.right, reader.context.tolerance)
    return lost_data_remark(*next(iter(lost.values()))) if is_right else ""


def rounded_input(reader: LineParts) -> tuple[str, ...]:
    """Return the rounded number that makes the answer wrong, marked and with words; empty if the line is wrong for another reason."""
    rounded: dict[int, tuple[Site, str]] = {}
    numbers = {name: float(reader.home.quantities(name)) for name in reader.names if not np.ndim(reader.home.quantities(name))}
    for site in reader.sites:
        known = reader.history.find(site.part.id, site.definition.time) if isinstance(site.part, ast.Name) and not site.is_local else None
        node = known.tree if known else site.part
        value = node.value if isinstance(node, ast.Constant) and site.part is not reader.root else None
        fitting = [name for name, number in numbers.items() if type(value) is float and _is_rounded(value, number)]
        fitting = [] if any(agrees(value, number) for number in numbers.values()) else fitting
        if fitting:
            rounded[id(site.part)] = site, fitting[0]
    replaced: dict[int, ast.expr] = {part: KnownQuantity(name) for part, (_, name) in rounded.items()}
    around = reader.around(*(site.part for site, _ in rounded.values()))
    value = reader.changed_value(reader.home, replaced, around, reader.budget.units) if rounded else None
    if value is None or not agrees(value, reader.context.right):
        return ()
    site, name = next(iter(rounded.values()))
    key = f", your answer to {reader.earlier[name].key}" if name in reader.earlier else ""
    words = ROUNDED_INPUT.format(ast.unparse(site.part), quantity_label(type(reader.context.test), name), key)
    return MarkedLine(site.text, *place_in_line(site.text, site.part)), words


def _is_rounded(value: float, exact: float) -> bool:
    """Return whether a number of two or more digits is a rounded or cut value of another number."""
    unit = 10.0 ** -len(f"{value:.12f}".rstrip("0").partition(".")[2])
    return bool(0 < abs(value - exact) < unit <= 0.1 and significant_digits(value) > 1 and abs(value - exact) < MOST_ROUNDED * abs(exact))
