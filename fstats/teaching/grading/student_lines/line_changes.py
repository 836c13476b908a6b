"""Possible corrections of a student's line of code.

A candidate changes one part or several equal parts, or exchanges two names.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from .formula_comparison import FormulaComparison
from .line_edits import (
    AMBIGUOUS,
    AXIS,
    EXCHANGED,
    MISSING,
    MISSING_RANK,
    NOT_PART,
    OF_NUMBERS,
    OPPOSITE,
    OTHER_PART,
    SIGNS,
    SINGULAR,
    TYPED,
    Edit,
    edits,
    exchanges,
    repeated,
)
from .line_parts import TRIVIAL, LineParts, Site
from .line_values import agrees
from .pure_evaluator import KnownQuantity
from .pure_functions import READY_MADE

# penalty on the rank of a change of several equal parts; maximum number of these parts
REPEATED, MOST_REPEATED = 0.5, 4
MOST_EXCHANGED = 6  # maximum number of positions at which two names are exchanged, if the names occur in several lines
# penalty on the rank of a change in the definition of a name; slips in the answer line are more likely
FOLLOWED = 2.5
OPTIONS = (
    "axis",
    "ddof",
    "keepdims",
)  # keyword arguments whose values are options, not numbers of a formula; only changes of the whole call vary them
# right operands without effect; they are not tried, because leaving out the whole operation is a separate change
NEUTRAL: dict[type, int] = {ast.Add: 0, ast.Sub: 0, ast.Mult: 1, ast.Div: 1, ast.Pow: 0}

Change = tuple[Edit, Site]


def size(change: Change) -> int:
    """Return the length of the marked text; for an operation, only its sign is marked."""
    return 1 if change[0].words in SIGNS else len(ast.unparse(change[0].marked or change[0].part))


class LineChanges(LineParts):
    """The parts of the line of one answer, and their changes."""

    @cached_property
    def formula(self) -> FormulaComparison:
        """The formula of the question beside the line."""
        return FormulaComparison(self)

    def changes(self) -> dict[float, list[Change]]:
        """Return the changes of each part, by their rank."""
        tried: dict[float, list[Change]] = {}
        neutral = {id(site.part.right): NEUTRAL.get(type(site.part.op)) for site in self.sites if isinstance(site.part, ast.BinOp)}
        for rank, edit, site in self._candidates():
            changes = tried.setdefault(rank, [])
            if getattr(edit.replacement, "value", self) != neutral.get(id(edit.part)) and not self._is_undone((edit, site)):
                changes.append((edit, site))
        return tried

    def _candidates(self) -> Iterator[tuple[float, Edit, Site]]:
        """Yield the changes of each part, with their rank."""
        numbers = {name: is_count for name, is_count in self.quantities.items() if not np.ndim(self.home.quantities(name))}
        others = [
            name for name in self.names if name in self.earlier and name not in self.quantities and not np.ndim(self.home.quantities(name))
        ]
        negative = [name for name in numbers if self.home.quantities(name) < 0]
        keywords = [one for site in self.sites if isinstance(site.part, ast.Call) for one in site.part.keywords]
        negated = {id(site.part.operand) for site in self.sites if isinstance(site.part, ast.UnaryOp)}
        options = {id(one.value) for one in keywords if one.arg in OPTIONS}
        tests = [site.part for site in self.sites if isinstance(site.part, ast.BoolOp | ast.UnaryOp)]
        conditions = {id(one) for part in tests if isinstance(part.op, ast.And | ast.Or | ast.Not) for one in _conditions(part)}
        # if the line calls a complete SciPy test, a remark on the call says more than a mark
        has_test = any(isinstance(site.part, ast.Call) and ast.unparse(site.part.func).endswith((*READY_MADE,)) for site in self.sites)
        yield from ((edit.rank, edit, self.sites[0]) for edit in exchanges(self.root))
        for site in self.sites:
            part: Any = site.part
            if not site.is_right and id(part) not in options:
                value = None if site.is_local else self.part_value(self.home, part, site.definition)
                fitting = numbers if value is not None and not np.ndim(value) else self.quantities
                is_condition = id(part) in conditions or (value is not None and np.asarray(value).dtype.kind == "b")
                if is_condition and isinstance(part, ast.Name):
                    yield 1, Edit(part, ast.UnaryOp(ast.Not() if site.is_local else ast.Invert(), part), OPPOSITE, 1), site
                for edit in edits(part, fitting, part is self.root):
                    if not (is_condition and edit.words in OF_NUMBERS):
                        yield edit.rank + FOLLOWED * (site.definition is not self.definition), edit, site
            if isinstance(part, ast.Constant) and type(part.value) is float:
                for constant in self.formula.constants:
                    yield 2, Edit(part, ast.Constant(constant), TYPED.format(f"{part.value:g}"), 2), site
            if isinstance(part, ast.Name) and not site.is_right:
                if value is not None and np.ndim(value) == 2 and not has_test:
                    yield 1, Edit(part, ast.Attribute(part, "T"), AXIS, 1), site
                yield from ((2, Edit(part, KnownQuantity(name), OTHER_PART, 2), site) for name in others)
                for name in negative if id(part) not in negated else ():
                    # the line may need the absolute value of a negative quantity
                    yield 2, Edit(part, ast.UnaryOp(ast.USub(), KnownQuantity(name)), OTHER_PART, 2, name), site
        yield from ((edit.rank, edit, site) for edit, site in self._exchanged_names())
        along = [site for site in self.sites if isinstance(site.part, ast.Call) and any(one.arg == "axis" for one in site.part.keywords)]
        for edit in repeated([[*edits(site.part, {}, False)] for site in along]) if len(along) > 1 else ():
            if edit.words == AXIS:
                yield edit.rank, edit, along[0]
        for sites in self._repeated_parts():
            for edit in repeated([[*edits(site.part, numbers, False)] for site in sites]):
                if edit.rank < MISSING_RANK:
                    yield edit.rank + REPEATED, edit, sites[0]

    # -- which of several changes ----------------------------------------------------------------------------------------------
    def order(self, change: Change) -> tuple[int, bool, bool, int]:
        """Return the sort key of changes: wrong parts before right parts, then rounding, then what has one cause, then small parts."""
        words = change[0].words
        return self.right_around(change), words not in SINGULAR, words in AMBIGUOUS, size(change)

    def right_around(self, change: Change) -> int:
        """Return 0 if a changed part is wrong, 1 if it is a right value itself, and 2 more if it stands in another right part.

        A part that does not belong to the line may be a known quantity; then the operation with this part counts.
        """
        edit, site = change
        is_extra, part = edit.words == NOT_PART, edit.marked or edit.part
        around = [one for one in self.sites if id(one.part) in self.around(edit.part if is_extra else part) - {id(part)}]
        if isinstance(part, ast.Name) and self._is_overwritten(part, site):
            return 0
        if part is self.root:
            return int(
                edit.words in AMBIGUOUS and bool(self.quantity_of(part, site.definition) or self.formula.like(site._replace(part=part)))
            )
        is_inside = any(self._is_right_part(one, is_asked=True) for one in around)
        return 2 * is_inside + (not is_extra and self._is_right_part(site._replace(part=part)))

    def _is_overwritten(self, name: ast.Name, site: Site) -> bool:
        """Return whether a name was a known quantity before, and now has another value."""
        now = self.history.find(name.id, site.definition.time)
        older = [one for one in self.history.definitions.get(name.id, []) if now and one.time < now.time]
        tree: ast.AST | None = older[-1].tree if older else None
        if not isinstance(tree, ast.expr) or not self.quantity_of(tree, older[-1]):
            return False
        return not agrees(self.part_value(self.home, name, site.definition), self.part_value(self.home, tree, older[-1]))

    def _is_right_part(self, site: Site, *, is_asked: bool = False) -> bool:
        """Return whether a part (not the whole line) is a known quantity or in a formula; `is_asked`: inside the asked formula only."""
        if site.is_local or site.part is self.root:
            return False
        like = [node for node in self.formula.like(site) if not is_asked or id(node) in self.formula.parents]
        return bool(like or (not is_asked and self.quantity_of(site.part, site.definition)))

    def is_foreign_number(self, edit: Edit) -> bool:
        """Whether a typed number is replaced by a number that is not in the formula and no level, which may be right by chance."""
        match edit.part, edit.replacement, self.formula.trees[0]:
            case ast.Constant(), ast.Constant(number), ast.AST() if not self.is_typed:
                known = (*TRIVIAL, *(node.value for node in self.formula.nodes[0] if isinstance(node, ast.Constant)))
                levels = [value for value in self.formula.values if isinstance(value, float) and 0 < value < 1]
                return not any(agrees(number, one) or agrees(1 - number, one) for one in (*known, *levels))  # type: ignore[operator]
        return False

    @property
    def is_typed(self) -> bool:
        """Whether the line contains typed numbers and no names."""
        return not any(isinstance(node, ast.Name) for node in ast.walk(self.root))

    def is_used_up(self, change: Change) -> bool:
        """Whether a change replaces a right part by a quantity that the line has as often as the formula, or adds or subtracts it."""
        (edit, site), tree = change, self.formula.trees[0]
        is_factor = isinstance(edit.replacement, ast.BinOp) and isinstance(edit.replacement.op, ast.Mult | ast.Div)
        if not edit.quantity or tree is None or is_factor or not self.right_around(change):
            return False
        wanted = [node for node in ast.walk(tree) if isinstance(node, KnownQuantity) and node.name == edit.quantity]
        around = self.around(edit.part)
        others = [one for one in self.sites if one.definition is site.definition and not (one.is_right or one.is_local)]
        others = [one for one in others if not isinstance(one.part, ast.Constant) and id(one.part) not in around]
        values = [self.part_value(self.home, one.part, one.definition) for one in others]
        return 0 < len(wanted) <= sum(agrees(value, self.home.quantities(edit.quantity)) for value in values)

    def _is_undone(self, change: Change) -> bool:
        """Return whether a quantity reported as missing is already a factor of the part, so that adding it would undo this factor."""
        (edit, site), factors = change, [change[0].part]
        while edit.words == MISSING and factors:
            match part := factors.pop():
                case ast.BinOp(left, ast.Mult() | ast.Div(), right):
                    factors += [left, right]
                case _ if self.quantity_of(part, site.definition) == edit.quantity:
                    return True
        return False

    def _exchanged_names(self) -> Iterator[Change]:
        """Yield the exchange of two names in all lines together."""
        places: dict[str, list[Site]] = {}
        for site in self.sites:
            if isinstance(site.part, ast.Name) and not site.is_local and self.quantity_of(site.part, site.definition):
                places.setdefault(site.part.id, []).append(site)
        for one, other in combinations(places, 2):
            sites = [*places[one], *places[other]]
            tree = sites[0].definition.tree
            if len({id(site.definition) for site in sites}) > 1 and len(sites) <= MOST_EXCHANGED and isinstance(tree, ast.expr):
                exchanged = [(site.part, ast.Name(other if site in places[one] else one)) for site in sites]
                first, *more = [Edit(part, name, EXCHANGED.format(one, other), 1) for part, name in exchanged]
                yield first._replace(marked=tree, also=tuple(more)), sites[0]

    def _repeated_parts(self) -> list[list[Site]]:
        """Return the parts that occur more than once in the line, the largest first."""
        equal: dict[str, list[Site]] = {}
        for site in self.sites:
            if (
                not site.is_right
                and not isinstance(site.part, ast.Name)
                and not (isinstance(site.part, ast.Constant) and site.part.value in TRIVIAL)
            ):
                equal.setdefault(ast.dump(site.part), []).append(site)
        return [sites for sites in equal.values() if 1 < len(sites) <= MOST_REPEATED][:MOST_REPEATED]


def _conditions(part: ast.BoolOp | ast.UnaryOp) -> list[ast.expr]:
    """Return the conditions in `and`, `or` and `not`."""
    return part.values if isinstance(part, ast.BoolOp) else [part.operand]
