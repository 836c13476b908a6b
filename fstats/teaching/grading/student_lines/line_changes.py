"""Possible corrections of a student's line of code.

A candidate changes one part or several equal parts, or exchanges two names.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property
from itertools import combinations

import numpy as np

from .formula_comparison import FormulaComparison
from .line_edits import AXIS, EXCHANGED, MISSING, MISSING_RANK, OF_NUMBERS, OPPOSITE, OTHER_PART, TYPED, Edit, edits, exchanges, repeated
from .line_parts import TRIVIAL, LineParts, Site
from .pure_evaluator import KnownQuantity

# penalty on the rank of a change of several equal parts; maximum number of these parts
REPEATED, MOST_REPEATED = 0.5, 4
MOST_EXCHANGED = 6  # maximum number of positions at which two names are exchanged, if the names occur in several lines
# penalty on the rank of a change in the definition of a name; slips in the answer line are more likely
FOLLOWED = 2.5
OPTIONS = (
    "axis",
    "ddof",
    "keepdims",
)  # arguments of which only 0, 1 and None are tried, with their functions: they are no numbers of a formula
# right sides without effect: they would leave out the whole operation, which is a change of its own, with a larger mark
NEUTRAL: dict[type, int] = {ast.Add: 0, ast.Sub: 0, ast.Mult: 1, ast.Div: 1, ast.Pow: 0}

Change = tuple[Edit, Site]


class LineChanges(LineParts):
    """The parts of the line of one answer, and their changes."""

    @cached_property
    def formula(self) -> FormulaComparison:
        """The formula of the question beside the line."""
        return FormulaComparison(self)

    def changes(self) -> dict[float, list[Change]]:
        """Return the changes of each part, by their rank."""
        tried: dict[float, list[Change]] = {}
        numbers = {name: is_count for name, is_count in self.quantities.items() if not np.ndim(self.home.quantities(name))}
        others = [
            name for name in self.names if name in self.earlier and name not in self.quantities and not np.ndim(self.home.quantities(name))
        ]
        keywords = [one for site in self.sites if isinstance(site.part, ast.Call) for one in site.part.keywords]
        options = {id(one.value) for one in keywords if one.arg in OPTIONS}
        tests = [site.part for site in self.sites if isinstance(site.part, ast.BoolOp | ast.UnaryOp)]
        conditions = {id(one) for part in tests if not isinstance(part, ast.UnaryOp) or isinstance(part.op, ast.Not) for one in _conditions(part)}
        for edit in exchanges(self.root):
            tried.setdefault(edit.rank, []).append((edit, self.sites[0]))
        for site in self.sites:
            if not site.is_right and id(site.part) not in options:
                value = None if site.is_local else self.part_value(self.home, site.part, site.definition)
                fitting = numbers if value is not None and not np.ndim(value) else self.quantities
                is_condition = id(site.part) in conditions or (value is not None and np.asarray(value).dtype.kind == "b")
                if is_condition and isinstance(site.part, ast.Name):
                    opposite = ast.UnaryOp(ast.Not() if site.is_local else ast.Invert(), site.part)
                    tried.setdefault(1, []).append((Edit(site.part, opposite, OPPOSITE, 1), site))
                for edit in edits(site.part, fitting, site.part is self.root):
                    if is_condition and edit.words in OF_NUMBERS:
                        continue
                    tried.setdefault(edit.rank + FOLLOWED * (site.definition is not self.definition), []).append((edit, site))
            if isinstance(site.part, ast.Constant) and type(site.part.value) is float:
                for constant in self.formula.constants:
                    edit = Edit(site.part, ast.Constant(constant), TYPED.format(f"{site.part.value:g}"), 2)
                    tried.setdefault(2, []).append((edit, site))
            if isinstance(site.part, ast.Name) and not site.is_right:
                if np.ndim(value) == 2:
                    tried.setdefault(1, []).append((Edit(site.part, ast.Attribute(site.part, "T"), AXIS, 1), site))
                for name in others:
                    tried.setdefault(2, []).append((Edit(site.part, KnownQuantity(name), OTHER_PART, 2), site))
        for edit, site in self._exchanged_names():
            tried.setdefault(edit.rank, []).append((edit, site))
        along = [site for site in self.sites if isinstance(site.part, ast.Call) and any(one.arg == "axis" for one in site.part.keywords)]
        for edit in repeated([[*edits(site.part, {}, False)] for site in along]) if len(along) > 1 else ():
            tried.setdefault(edit.rank, []).extend([(edit, along[0])] if edit.words == AXIS else [])
        for sites in self._repeated_parts():
            for edit in repeated([[*edits(site.part, numbers, False)] for site in sites]):
                if edit.rank < MISSING_RANK:
                    tried.setdefault(edit.rank + REPEATED, []).append((edit, sites[0]))
        neutral = {id(site.part.right): NEUTRAL.get(type(site.part.op)) for site in self.sites if isinstance(site.part, ast.BinOp)}
        return {
            rank: [
                change
                for change in changes
                if getattr(change[0].replacement, "value", self) != neutral.get(id(change[0].part)) and not self._is_undone(change)
            ]
            for rank, changes in tried.items()
        }

    def _is_undone(self, change: Change) -> bool:
        """Return whether a missing quantity is a factor of the part already: the line is not right so far if another one undoes it."""
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
